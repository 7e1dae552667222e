/* qs_lint.h - what a person would overlook in a capture
 *
 * Part of quadscope.h, which programs include.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QS_LINT_H
#define QS_LINT_H

#include "qs_timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

enum qs_lint_severity {
	QS_LINT_NOTE,    /* unusual, or a feature that no model draws as the hardware does */
	QS_LINT_WARNING, /* probably not what was meant, or undefined on the hardware */
	QS_LINT_ERROR,   /* damaged */
	QS_LINT_COUNT
};

struct qs_lint_message {
	struct qs_moment moment; /* of the first command it is about; START: the whole capture */
	uint8_t severity;        /* enum qs_lint_severity */
	const char *check;       /* stable name: "numtex", "texture_empty" */
	uint32_t count;          /* commands it is true for */
	char *text;              /* one sentence, about the first */
};

/* Looks at every command of the frame (0: of all frames) without drawing: unset registers that draws depend on, units that
 * disagree, reserved codes, memory that was never loaded, copies and display lists, features not modelled; the capture's own
 * warnings too.  In order of moments.  Some 10 ms, plus 1 us a command. */
bool qs_capture_lint(const struct qs_capture *capture, uint32_t frame, struct qs_lint_message **messages, uint32_t *count,
	qs_progress_fn progress, void *user, struct qs_error *error);
/* The same for the timeline's capture; its moment stays. */
bool qs_timeline_lint(struct qs_timeline *timeline, uint32_t frame, struct qs_lint_message **messages, uint32_t *count,
	struct qs_error *error);
void qs_lint_free(struct qs_lint_message *messages, uint32_t count);
const char *qs_lint_severity_name(enum qs_lint_severity severity); /* "note", "warning", "error" */

#ifdef __cplusplus
}
#endif

#endif
