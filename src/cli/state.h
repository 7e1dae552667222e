/* state.h - registers at a moment, for 'qscope state' and the debugger
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_STATE_H
#define CLI_STATE_H

#include "cli/cli.h"

/* Values of all registers of the table, by unit and index. Zero-initialise. */
struct state_values {
	uint32_t *value[QS_UNIT_COUNT];
};

struct state_view {
	struct cli_session *session; /* stands at the moment */
	struct cli_register wanted;  /* unit, register or field; any_unit: everything */
	const char *grep;            /* folded, or NULL */
	bool all;
	const struct state_values *old; /* show only what differs from it */
};

void state_copy_values(const struct qs_timeline *timeline, struct state_values *values);
void state_values_finish(struct state_values *values);
/* Registers as they were at another moment; the timeline comes back to where it was. */
bool state_values_at(struct qs_timeline *timeline, const struct qs_moment *moment, struct state_values *values,
	struct qs_error *error);
/* The draw before the moment's command, or the start of the capture. */
void state_draw_before(const struct qs_capture *capture, const struct qs_moment *moment, struct qs_moment *before);
/* Returns how many registers were printed. */
uint32_t state_print(const struct state_view *view, FILE *out);
uint32_t state_json(const struct state_view *view, struct cli_json *json);

#endif
