/* lint.h - inside of the lint
 *
 *   lint.c         runs the commands without drawing; stream, copies, display lists; the list of messages
 *   lint_vertex.c  what a draw needs of CP, XF and SU
 *   lint_pixel.c   what a draw needs of TX, TEV and PE
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GX_LINT_H
#define GX_LINT_H

#include "gx/machine.h"

/* Memory that a copy to texture wrote; the lint does not draw, so the bytes are not there. */
struct lint_copied {
	uint32_t address, size;
	bool stale; /* texture cache not invalidated since */
};

#define LINT_COPIES 64
#define LINT_CHECKED 32

struct lint {
	const struct qs_capture *capture;
	struct gx_machine *m;
	const struct qs_command *command;
	bool silent; /* frames before the one that was asked for */
	bool failed; /* no memory */
	struct qs_lint_message *message;
	struct lint_key {
		uint64_t detail;  /* with the check: what makes it the same message */
		uint32_t command; /* that counted last */
	} *key;               /* per message */
	uint32_t count, room;
	struct lint_copied copied[LINT_COPIES];
	unsigned copied_count; /* ever; the table is a ring */
	uint32_t display_copies; /* of the frame */
	unsigned coords, channels; /* of the draw: which ones stages read, a bit each */
	bool plane; /* a draw without zfreeze was there */
	struct {
		uint32_t address, size, generation;
		bool empty;
	} checked[LINT_CHECKED]; /* ring of memory looked at */
	unsigned checked_count;
};

/* Adds or counts a message about the current command.  check must be a string literal. */
void lint_report(struct lint *l, enum qs_lint_severity severity, const char *check, uint64_t detail, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

static inline uint32_t lint_bp(const struct lint *l, unsigned address)
{
	return l->m->state.bp[address];
}

static inline uint32_t lint_xf(const struct lint *l, unsigned address)
{
	return l->m->state.xf[address];
}

/* Zero in the capture's initial state and never written. */
static inline bool lint_bp_unset(const struct lint *l, unsigned address)
{
	return !l->m->state.bp[address] && l->m->state.bp_writer[address] == QS_NONE;
}

static inline bool lint_xf_unset(const struct lint *l, unsigned address)
{
	return !l->m->state.xf[address] && l->m->state.xf_writer[address] == QS_NONE;
}

/* The current command is a draw. */
void lint_pixel(struct lint *l); /* sets coords and channels */
void lint_vertex(struct lint *l);

#endif
