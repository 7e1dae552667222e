/* qs_break.h - breakpoints of a timeline
 *
 * Part of quadscope.h, which programs include.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QS_BREAK_H
#define QS_BREAK_H

#include "qs_timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a breakpoint watches; the moment of a hit is that of the event. */
enum qs_break_kind {
	QS_BREAK_COMMAND,   /* commands of kind `command` */
	QS_BREAK_DRAW,      /* draws */
	QS_BREAK_PRIMITIVE, /* primitives, drawn or not */
	QS_BREAK_QUAD,      /* quads */
	QS_BREAK_PIXEL,     /* fragments inside rect, passed or failed */
	QS_BREAK_WRITE,     /* writes that change bits of a register */
	QS_BREAK_COUNT
};

enum qs_break_action {
	QS_BREAK_STOP,
	QS_BREAK_LOG,  /* report to the log function and go on */
	QS_BREAK_HITS, /* count only */
};

struct qs_breakpoint {
	uint32_t id; /* from 1; given by qs_timeline_break_add */
	bool enabled;
	uint8_t kind, action; /* enum qs_break_kind, enum qs_break_action */
	uint8_t command; /* COMMAND: enum qs_command_kind */
	uint8_t unit;    /* WRITE: enum qs_unit */
	uint16_t address;
	uint32_t mask;   /* WRITE: only changes of these bits; 0 counts as all */
	uint32_t frame;  /* 0: any */
	uint32_t draw, primitive, quad; /* QS_NONE: any */
	struct qs_rect rect;   /* PIXEL; QUAD: any when empty */
	const char *condition; /* expression over the event, or NULL; the timeline keeps a copy */
	uint64_t hits; /* since it was added */
};

/* Fills b with: enabled, stops, any frame, draw, primitive and quad. */
void qs_breakpoint_init(struct qs_breakpoint *b, enum qs_break_kind kind);
/* "draw 57", "draw 2/57", "primitive 2/57/0", "quad", "pixel 10,20" "pixel 10,20-40,50" (last pixel included), "command copy",
 * "write bp.GEN_MODE.ntev", then optionally "if CONDITION" and "log" or "count" in front.  *condition (NULL or malloc'ed) is
 * what b->condition points to. */
bool qs_breakpoint_parse(const char *text, struct qs_breakpoint *b, char **condition, struct qs_error *error);
/* The same text back; returns buffer. */
char *qs_breakpoint_format(const struct qs_breakpoint *b, char *buffer, size_t size);

/* Returns the id, 0 when the condition cannot be compiled or asks for what the event does not have. */
uint32_t qs_timeline_break_add(struct qs_timeline *timeline, const struct qs_breakpoint *b, struct qs_error *error);
bool qs_timeline_break_remove(struct qs_timeline *timeline, uint32_t id);
bool qs_timeline_break_enable(struct qs_timeline *timeline, uint32_t id, bool enabled);
uint32_t qs_timeline_break_count(const struct qs_timeline *timeline);
const struct qs_breakpoint *qs_timeline_break_at(const struct qs_timeline *timeline, uint32_t i); /* NULL out of range */

struct qs_hit {
	uint32_t id; /* 0: none, the end of the way was reached */
	struct qs_moment moment;
	uint32_t old, value; /* WRITE */
};

/* Called on the timeline's thread for hits of LOG breakpoints. */
typedef void (*qs_break_log_fn)(void *user, const struct qs_breakpoint *b, const struct qs_hit *hit);
void qs_timeline_break_log(struct qs_timeline *timeline, qs_break_log_fn log, void *user);

/* Runs forward (direction > 0) or back to the nearest hit of an enabled STOP breakpoint and stays there; without one, to the
 * end of the capture or to the start.  Backward, LOG and HITS breakpoints see the events in reverse order. */
bool qs_timeline_run(struct qs_timeline *timeline, int direction, struct qs_hit *hit, struct qs_error *error);

#ifdef __cplusplus
}
#endif

#endif
