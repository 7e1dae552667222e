/* qs_base.h - errors, and moments of a capture
 *
 * Part of quadscope.h, which programs include.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QS_BASE_H
#define QS_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define QS_NONE UINT32_MAX /* "no such command, draw, primitive ..." */

/* ---- errors ------------------------------------------------------------------------------------------------------------- */

enum qs_error_code {
	QS_OK = 0,
	QS_ERR_IO,          /* the system refused: open, read, write, memory map */
	QS_ERR_FORMAT,      /* the input is damaged or of another kind */
	QS_ERR_RANGE,       /* a moment, register, coordinate or option that does not exist */
	QS_ERR_NOMEM,
	QS_ERR_CANCELLED,   /* qs_timeline_cancel or a progress function asked to stop */
	QS_ERR_SCRIPT,
	QS_ERR_UNSUPPORTED, /* valid, but this build cannot do it; the text says what to install or choose */
};

/* The text is a full sentence for a person: what was wrong, where, what to do. */
struct qs_error {
	enum qs_error_code code;
	uint64_t offset; /* file offset the message is about, or 0 */
	char text[512];
};

void qs_error_set(struct qs_error *error, enum qs_error_code code, uint64_t offset, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* ---- moments ------------------------------------------------------------------------------------------------------------ */

/* How fine a moment is.  Being "at" a moment means that everything up to and including the named thing is done. */
enum qs_level {
	QS_LEVEL_START = 0, /* initial state loaded, nothing executed; written "0" */
	QS_LEVEL_FRAME,     /* all commands of the frame done; written "2" */
	QS_LEVEL_COMMAND,   /* written "2@0x1a3c": FIFO offset in the frame; "2@0x1a3c.5": sixth command of the list called there */
	QS_LEVEL_DRAW,      /* written "2/57" */
	QS_LEVEL_PRIMITIVE, /* written "2/57/0" */
	QS_LEVEL_QUAD,      /* written "2/57/0/13" */
	QS_LEVEL_FRAGMENT,  /* written "2/57/0/13/2": the fragment's verdict has fallen and its pixel is written */
	QS_LEVEL_STAGE,     /* written "2/57/0/13/2/4": stage 4 done, pixel not yet written */
};

/* frame counts from 1, everything else from 0.  Fields finer than level are 0.  command is the index into the capture's
 * command list (over all frames) and always set except at QS_LEVEL_START; draw is the number of the draw within its frame
 * for levels DRAW and finer, and QS_NONE for COMMAND moments that are no draws. */
struct qs_moment {
	enum qs_level level;
	uint32_t frame;
	uint32_t command;
	uint32_t draw;
	uint32_t primitive;
	uint32_t quad;
	uint32_t fragment;
	uint32_t stage;
};

struct qs_capture;

/* Total order: <0, 0, >0.  A coarse moment sorts after the finer ones inside it ("2/57" after "2/57/0"). */
int qs_moment_compare(const struct qs_moment *a, const struct qs_moment *b);
/* Writes the text form; returns buffer.  80 bytes always suffice. */
char *qs_moment_format(const struct qs_capture *capture, const struct qs_moment *moment, char *buffer, size_t size);
/* Parses a text form and resolves it against the capture (frame, draw and command must exist). */
bool qs_moment_parse(const struct qs_capture *capture, const char *text, struct qs_moment *moment, struct qs_error *error);
/* The moment of a whole command: a DRAW moment when it is a draw, else a COMMAND moment. */
bool qs_moment_of_command(const struct qs_capture *capture, uint32_t command, struct qs_moment *moment);
const char *qs_level_name(enum qs_level level);

#ifdef __cplusplus
}
#endif

#endif
