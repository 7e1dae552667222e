/* debug_break.c - breakpoints of the debugger and running to them
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "cli/debug.h"

static const struct qs_breakpoint *by_id(const struct debugger *dbg, uint32_t id)
{
	const struct qs_timeline *timeline = dbg->session.timeline;

	for (uint32_t i = 0; i < qs_timeline_break_count(timeline); i++)
		if (qs_timeline_break_at(timeline, i)->id == id)
			return qs_timeline_break_at(timeline, i);
	return NULL;
}

static bool is_temporary(const struct debugger *dbg, uint32_t id)
{
	for (unsigned i = 0; i < dbg->temporary->len; i++)
		if (g_array_index(dbg->temporary, uint32_t, i) == id)
			return true;
	return false;
}

static void forget_temporary(struct debugger *dbg, uint32_t id)
{
	for (unsigned i = 0; i < dbg->temporary->len; i++) {
		if (g_array_index(dbg->temporary, uint32_t, i) == id) {
			g_array_remove_index_fast(dbg->temporary, i);
			return;
		}
	}
}

static void remove_breakpoint(struct debugger *dbg, uint32_t id)
{
	qs_timeline_break_remove(dbg->session.timeline, id);
	forget_temporary(dbg, id);
}

/* ---- the list ----------------------------------------------------------------------------------------------------------- */

void debug_list_breaks(const struct debugger *dbg)
{
	const struct qs_timeline *timeline = dbg->session.timeline;
	struct cli_table *table = cli_table_new("rlrl");
	uint32_t count = qs_timeline_break_count(timeline);
	char text[512];

	if (!count) {
		puts("no breakpoints");
		return;
	}
	cli_table_head(table, "number", "enabled", "hits", "breakpoint");
	for (uint32_t i = 0; i < count; i++) {
		const struct qs_breakpoint *b = qs_timeline_break_at(timeline, i);

		cli_table_cell(table, "%u", b->id);
		cli_table_cell(table, "%s", b->enabled ? is_temporary(dbg, b->id) ? "once" : "yes" : "no");
		cli_table_cell(table, "%" PRIu64, b->hits);
		cli_table_cell(table, "%s", qs_breakpoint_format(b, text, sizeof text));
	}
	cli_table_print(table, stdout, 0);
}

static bool add(struct debugger *dbg, const char *spec, bool temporary, struct qs_error *error)
{
	struct qs_breakpoint b;
	char *condition = NULL, text[512];
	uint32_t id = 0;

	if (qs_breakpoint_parse(spec, &b, &condition, error))
		id = qs_timeline_break_add(dbg->session.timeline, &b, error);
	free(condition);
	if (!id)
		return false;
	if (temporary)
		g_array_append_val(dbg->temporary, id);
	printf("%sbreakpoint %u: %s\n", temporary ? "temporary " : "", id,
		qs_breakpoint_format(by_id(dbg, id), text, sizeof text));
	return true;
}

/* "break if EXPR" means the finest event that the expression needs. */
static char *with_kind(const char *spec, struct qs_error *error)
{
	struct qs_expr *expr;
	enum qs_level level;

	if (strncmp(spec, "if ", 3) != 0)
		return g_strdup(spec);
	expr = qs_expr_compile(spec + 3, error);
	if (!expr)
		return NULL;
	level = qs_expr_level(expr);
	qs_expr_destroy(expr);
	if (level >= QS_LEVEL_FRAGMENT)
		return g_strdup_printf("pixel 0,0-639,527 %s", spec);
	return g_strdup_printf("%s %s", level == QS_LEVEL_QUAD ? "quad" : level == QS_LEVEL_PRIMITIVE ? "primitive" : "draw", spec);
}

static bool add_or_list(struct debugger *dbg, const char *rest, bool temporary, struct qs_error *error)
{
	char *spec;
	bool good;

	if (!*rest) {
		debug_list_breaks(dbg);
		return true;
	}
	spec = with_kind(rest, error);
	good = spec && add(dbg, spec, temporary, error);
	g_free(spec);
	return good;
}

DEBUG_RUN(debug_break)
{
	(void)word;
	return add_or_list(dbg, rest, false, error);
}

DEBUG_RUN(debug_tbreak)
{
	(void)word;
	return add_or_list(dbg, rest, true, error);
}

/* ---- delete, enable, disable -------------------------------------------------------------------------------------------- */

static bool each_number(struct debugger *dbg, char **word, void (*act)(struct debugger *, uint32_t), struct qs_error *error)
{
	int64_t id;

	for (; *word; word++) {
		if (!debug_number(*word, "The number of the breakpoint", 1, UINT32_MAX, &id, error))
			return false;
		if (!by_id(dbg, (uint32_t)id))
			return debug_fail(error, "There is no breakpoint %s ('break' lists them).", *word);
		act(dbg, (uint32_t)id);
	}
	return true;
}

static void each_breakpoint(struct debugger *dbg, void (*act)(struct debugger *, uint32_t))
{
	for (uint32_t i = qs_timeline_break_count(dbg->session.timeline); i-- > 0;)
		act(dbg, qs_timeline_break_at(dbg->session.timeline, i)->id);
}

static void enable_one(struct debugger *dbg, uint32_t id)
{
	qs_timeline_break_enable(dbg->session.timeline, id, true);
}

static void disable_one(struct debugger *dbg, uint32_t id)
{
	qs_timeline_break_enable(dbg->session.timeline, id, false);
}

static bool apply(struct debugger *dbg, char **word, void (*act)(struct debugger *, uint32_t), struct qs_error *error)
{
	if (word[0] && strcmp(word[0], "all") != 0)
		return each_number(dbg, word, act, error);
	each_breakpoint(dbg, act);
	return true;
}

DEBUG_RUN(debug_delete)
{
	(void)rest;
	if (!word[0] && qs_timeline_break_count(dbg->session.timeline) > 1)
		return debug_fail(error, "Which one? Write 'delete N' or 'delete all'.");
	return apply(dbg, word, remove_breakpoint, error);
}

DEBUG_RUN(debug_enable)
{
	(void)rest;
	return apply(dbg, word, enable_one, error);
}

DEBUG_RUN(debug_disable)
{
	(void)rest;
	return apply(dbg, word, disable_one, error);
}

/* ---- running ------------------------------------------------------------------------------------------------------------ */

void debug_log_hit(void *user, const struct qs_breakpoint *b, const struct qs_hit *hit)
{
	struct debugger *dbg = user;
	char at[96], text[512];

	printf("[%u] %s  %s", b->id, qs_moment_format(dbg->session.capture, &hit->moment, at, sizeof at),
		qs_breakpoint_format(b, text, sizeof text));
	if (b->kind == QS_BREAK_WRITE)
		printf("  0x%x -> 0x%x", hit->old, hit->value);
	putchar('\n');
}

static void report(struct debugger *dbg, const struct qs_hit *hit, int direction)
{
	const struct qs_breakpoint *b = by_id(dbg, hit->id);
	char text[512];

	if (!b) {
		printf("no breakpoint on the way; at the %s of the capture\n", direction > 0 ? "end" : "start");
		return;
	}
	printf("breakpoint %u: %s", b->id, qs_breakpoint_format(b, text, sizeof text));
	if (b->kind == QS_BREAK_WRITE)
		printf("  0x%x -> 0x%x", hit->old, hit->value);
	putchar('\n');
	if (is_temporary(dbg, b->id))
		remove_breakpoint(dbg, b->id);
}

static bool run(struct debugger *dbg, char **word, int direction, struct qs_error *error)
{
	int64_t count = 1;
	struct qs_hit hit = {0};

	if (word[0] && !debug_number(word[0], "The number of hits", 1, INT32_MAX, &count, error))
		return false;
	while (count-- > 0) {
		if (!qs_timeline_run(dbg->session.timeline, direction, &hit, error))
			return false;
		if (!hit.id)
			break;
	}
	report(dbg, &hit, direction);
	debug_arrived(dbg);
	return true;
}

DEBUG_RUN(debug_continue)
{
	(void)rest;
	return run(dbg, word, 1, error);
}

DEBUG_RUN(debug_reverse)
{
	(void)rest;
	return run(dbg, word, -1, error);
}

/* Forward to the moment, unless a breakpoint stops before it. */
static bool until_moment(struct debugger *dbg, const struct qs_moment *target, struct qs_error *error)
{
	struct qs_hit hit = {0};
	char text[96];

	if (qs_moment_compare(target, qs_timeline_moment(dbg->session.timeline)) <= 0)
		return debug_fail(error, "%s is not after the current moment; 'goto' goes back too.",
			qs_moment_format(dbg->session.capture, target, text, sizeof text));
	if (qs_timeline_break_count(dbg->session.timeline) && !qs_timeline_run(dbg->session.timeline, 1, &hit, error))
		return false;
	if (hit.id && qs_moment_compare(&hit.moment, target) < 0)
		report(dbg, &hit, 1);
	else if (!qs_timeline_seek(dbg->session.timeline, target, error))
		return false;
	debug_arrived(dbg);
	return true;
}

static bool until_condition(struct debugger *dbg, const char *condition, struct qs_error *error)
{
	struct qs_moment before = *qs_timeline_moment(dbg->session.timeline);
	char *spec = g_strconcat("if ", condition, NULL), *whole = with_kind(spec, error), *copy = NULL;
	struct qs_hit hit = {0};
	struct qs_breakpoint b;
	uint32_t id = 0;
	bool good = false;

	if (whole && qs_breakpoint_parse(whole, &b, &copy, error))
		id = qs_timeline_break_add(dbg->session.timeline, &b, error);
	if (id) {
		good = qs_timeline_run(dbg->session.timeline, 1, &hit, error);
		qs_timeline_break_remove(dbg->session.timeline, id);
	}
	if (good && hit.id && hit.id != id)
		report(dbg, &hit, 1);
	if (good && !hit.id) {
		/* it never becomes true: stay where we were */
		good = qs_timeline_seek(dbg->session.timeline, &before, error) &&
		       debug_fail(error, "'%s' is true nowhere between here and the end of the capture.", condition);
	}
	if (good)
		debug_arrived(dbg);
	free(copy);
	g_free(whole);
	g_free(spec);
	return good;
}

DEBUG_RUN(debug_until)
{
	const char *condition = strncmp(rest, "if ", 3) == 0 ? rest + 3 : rest;
	struct qs_moment moment;
	struct qs_error ignored;

	if (!word[0])
		return debug_fail(error, "'until' needs a moment or a condition, for example 'until verdict == late_z'.");
	if (!word[1] && debug_moment(dbg, rest, &moment, &ignored))
		return until_moment(dbg, &moment, error);
	return until_condition(dbg, condition, error);
}
