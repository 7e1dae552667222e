/* breakpoint.h - list of breakpoints of a timeline
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TRACE_BREAKPOINT_H
#define TRACE_BREAKPOINT_H

#include "trace/timeline.h"

struct break_entry {
	struct qs_breakpoint b;
	char *condition;
	struct qs_expr *expr; /* NULL: always */
};

struct trace_breakpoints {
	struct break_entry *entry;
	uint32_t count, last_id;
	qs_break_log_fn log;
	void *log_user;
};

const char *break_kind_name(enum qs_break_kind kind);

#endif
