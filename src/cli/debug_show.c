/* debug_show.c - commands of the debugger that print facts about the moment
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "cli/debug.h"
#include "cli/state.h"
#include "cli/trace.h"
#include "cli/views.h"

struct inside {
	struct qs_setup setup;
	struct qs_quad quad;
};

/* ---- where the debugger stands ------------------------------------------------------------------------------------------ */

DEBUG_RUN(debug_where)
{
	const struct qs_capture *capture = dbg->session.capture;
	const struct qs_moment *m = qs_timeline_moment(dbg->session.timeline);
	char text[1024], offset[48];

	(void)word;
	(void)rest;
	(void)error;
	cli_describe(dbg->session.timeline, stdout);
	if (m->level >= QS_LEVEL_PRIMITIVE)
		printf("  in    draw %u of %u: %s\n", m->draw, qs_capture_frame(capture, m->frame)->draw_count,
			qs_command_text(capture, m->command, text, sizeof text));
	if (m->level != QS_LEVEL_START)
		printf("  at    command %s of frame %u of %u, file offset 0x%" PRIx64 "\n",
			cli_command_offset(capture, m->command, offset, sizeof offset), m->frame, qs_capture_info(capture)->frame_count,
			qs_capture_command_file_offset(capture, m->command));
	printf("  model %s\n", qs_model_name(qs_timeline_model(dbg->session.timeline)));
	return true;
}

static bool info_frame(struct debugger *dbg, struct qs_error *error)
{
	const struct qs_moment *m = qs_timeline_moment(dbg->session.timeline);
	const struct qs_frame *frame = qs_capture_frame(dbg->session.capture, m->frame);

	if (!frame)
		return debug_fail(error, "The moment is not in a frame.");
	printf("frame %u: %u commands, %u draws, %u memory updates, %u FIFO bytes at file offset 0x%" PRIx64 "\n", m->frame,
		frame->command_count, frame->draw_count, frame->update_count, frame->fifo_size, frame->fifo_offset);
	return true;
}

static bool info_draw(struct debugger *dbg, struct qs_error *error)
{
	const struct qs_moment *m = qs_timeline_moment(dbg->session.timeline);
	const struct qs_command *command;
	char text[1024];

	if (m->level < QS_LEVEL_DRAW)
		return debug_fail(error, "The moment is not in a draw.");
	command = qs_capture_command(dbg->session.capture, m->command);
	printf("draw %u of frame %u: %s\n", m->draw, m->frame, qs_command_text(dbg->session.capture, m->command, text, sizeof text));
	printf("  %u bytes at offset 0x%x, %u bytes a vertex, %u primitives\n", command->size, command->offset, command->vertex_size,
		qs_timeline_primitive_count(dbg->session.timeline, m));
	return true;
}

DEBUG_RUN(debug_info)
{
	size_t length = word[0] ? strlen(word[0]) : 0;

	if (!length)
		return debug_where(dbg, word, rest, error);
	if (strncmp("capture", word[0], length) == 0) {
		info_print(dbg->session.capture);
		return true;
	}
	if (strncmp("frame", word[0], length) == 0)
		return info_frame(dbg, error);
	if (strncmp("draw", word[0], length) == 0)
		return info_draw(dbg, error);
	if (strncmp("breakpoints", word[0], length) == 0) {
		debug_list_breaks(dbg);
		return true;
	}
	if (strncmp("quirks", word[0], length) == 0)
		return debug_line(dbg, "quirk", error);
	return debug_fail(error, "'info' knows capture, frame, draw, breakpoints and quirks, not '%s'.", word[0]);
}

/* ---- commands ----------------------------------------------------------------------------------------------------------- */

static void list_draws(const struct debugger *dbg, uint32_t frame)
{
	const struct qs_moment *here = qs_timeline_moment(dbg->session.timeline);
	const struct qs_frame *f = qs_capture_frame(dbg->session.capture, frame);

	for (uint32_t i = 0; i < f->command_count; i++) {
		uint32_t command = f->first_command + i;

		if (qs_capture_command(dbg->session.capture, command)->kind == QS_COMMAND_DRAW)
			list_print_command(dbg->session.capture, command,
				here->level != QS_LEVEL_START && here->command == command ? "=> " : "   ");
	}
}

DEBUG_RUN(debug_list)
{
	enum { BEFORE = 6, AFTER = 10 };
	const struct qs_moment *here = qs_timeline_moment(dbg->session.timeline);
	struct qs_moment around = *here;
	uint32_t total = qs_capture_info(dbg->session.capture)->command_count, first, frame = 0;

	if (word[0] && strcmp(word[0], "draws") == 0) {
		list_draws(dbg, MAX(here->frame, 1));
		return true;
	}
	if (word[0] && !debug_moment(dbg, rest, &around, error))
		return false;
	first = around.level == QS_LEVEL_START || around.command < BEFORE ? 0 : around.command - BEFORE;
	for (uint32_t i = first; i < total && i < first + BEFORE + AFTER; i++) {
		const struct qs_command *command = qs_capture_command(dbg->session.capture, i);

		if (command->frame != frame) {
			frame = command->frame;
			printf("frame %u\n", frame);
		}
		list_print_command(dbg->session.capture, i, here->level != QS_LEVEL_START && here->command == i ? "=> " : "   ");
	}
	return true;
}

DEBUG_RUN(debug_lint)
{
	uint32_t frame = qs_timeline_moment(dbg->session.timeline)->frame, count;
	struct qs_lint_message *messages;

	(void)rest;
	if (word[0] && strcmp(word[0], "frame") != 0)
		return debug_fail(error, "'lint' may be followed by 'frame', not '%s'.", word[0]);
	if (!qs_timeline_lint(dbg->session.timeline, word[0] ? MAX(frame, 1) : 0, &messages, &count, error))
		return false;
	lint_print(dbg->session.capture, messages, count, QS_LINT_NOTE);
	qs_lint_free(messages, count);
	return true;
}

/* ---- registers ---------------------------------------------------------------------------------------------------------- */

DEBUG_RUN(debug_state)
{
	struct state_view view = {.session = &dbg->session, .wanted = {.any_unit = true}};
	struct state_values old = {0};
	struct qs_moment since;
	uint32_t count;

	(void)rest;
	if (word[0] && g_str_has_prefix("changed", word[0]) && strlen(word[0]) > 1) {
		state_draw_before(dbg->session.capture, qs_timeline_moment(dbg->session.timeline), &since);
		view.old = &old;
	} else if (word[0] && strcmp(word[0], "since") == 0) {
		if (!word[1])
			return debug_fail(error, "'state since' needs a moment.");
		if (!debug_moment(dbg, word[1], &since, error))
			return false;
		view.old = &old;
	} else if (word[0] && !cli_register_parse(word[0], &view.wanted, error)) {
		return false;
	}
	if (view.old && !state_values_at(dbg->session.timeline, &since, &old, error))
		return false;
	count = state_print(&view, stdout);
	if (!count)
		puts("(none)");
	state_values_finish(&old);
	return true;
}

DEBUG_RUN(debug_regs)
{
	(void)dbg;
	(void)rest;
	return regs_print(word[0], error);
}

static uint32_t read_register(void *user, enum qs_unit unit, uint32_t address)
{
	return qs_timeline_register(user, unit, address);
}

/* Variables of the moment: as far as it is inside a draw, a primitive, a quad, a fragment. */
static void fill_env(struct debugger *dbg, struct qs_expr_env *env)
{
	const struct qs_moment *m = qs_timeline_moment(dbg->session.timeline);
	struct inside *inside;
	struct qs_error ignored;

	qs_expr_env_init(env);
	env->read = read_register;
	env->user = dbg->session.timeline;
	qs_expr_env_moment(env, m);
	if (m->level == QS_LEVEL_START)
		return;
	qs_expr_env_command(env, qs_capture_command(dbg->session.capture, m->command));
	inside = g_new0(struct inside, 1);
	if (m->level >= QS_LEVEL_QUAD && qs_timeline_quad(dbg->session.timeline, &inside->setup, &inside->quad, &ignored)) {
		qs_expr_env_setup(env, &inside->setup);
		qs_expr_env_quad(env, &inside->quad);
		if (m->level >= QS_LEVEL_FRAGMENT)
			qs_expr_env_fragment(env, &inside->quad.fragment[m->fragment & 3]);
	} else if (m->level == QS_LEVEL_PRIMITIVE && qs_timeline_setup(dbg->session.timeline, &inside->setup, 1, &ignored)) {
		qs_expr_env_setup(env, &inside->setup);
	}
	g_free(inside);
}

/* Whole numbers in hex too. */
static void print_number(double value)
{
	char text[32];

	if (value >= -9007199254740992.0 && value <= 9007199254740992.0 && value == (double)(int64_t)value) {
		printf("%" PRId64, (int64_t)value);
		if (value > 9)
			printf("  0x%" PRIx64, (uint64_t)value);
		putchar('\n');
	} else if (value != value) {
		puts("nan (the moment does not have what the expression asks for)");
	} else {
		puts(cli_real(value, text, sizeof text));
	}
}

/* A register or field prints with its names; everything else is an expression. */
DEBUG_RUN(debug_print)
{
	struct cli_register found;
	struct qs_expr_env *env;
	struct qs_error ignored;
	struct qs_expr *expr;
	char text[1024];

	(void)word;
	if (!*rest)
		return debug_fail(error, "'print' needs an expression, for example bp.GEN_MODE.ntev.");
	if (cli_register_parse(rest, &found, &ignored) && found.reg) {
		uint32_t value = qs_timeline_register(dbg->session.timeline, found.unit, found.reg->address);

		if (found.field)
			printf("%s\n", qs_field_format(found.field, value, text, sizeof text));
		else
			printf("0x%0*x  %s\n", (found.reg->width + 3) / 4, value, qs_register_format(found.reg, value, text, sizeof text));
		return true;
	}
	/* a mistyped name gets the nearest one named */
	if (strchr(rest, '.') && !rest[strspn(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.")] &&
		!g_ascii_isdigit(*rest) && !g_str_has_suffix(rest, ".raw") && !cli_register_parse(rest, &found, error))
		return false;
	expr = qs_expr_compile(rest, error);
	if (!expr)
		return false;
	env = g_new0(struct qs_expr_env, 1);
	fill_env(dbg, env);
	print_number(qs_expr_evaluate(expr, env));
	g_free(env);
	qs_expr_destroy(expr);
	return true;
}

/* ---- the moment inside a draw ------------------------------------------------------------------------------------------- */

DEBUG_RUN(debug_trace)
{
	bool all = word[0] && strcmp(word[0], "all") == 0;
	int texel[2];

	(void)rest;
	if (word[0] && !all && sscanf(word[0], "%d,%d", &texel[0], &texel[1]) != 2)
		return debug_fail(error, "'trace' takes 'all', or X,Y: a texel of the copy at the moment; not '%s'.", word[0]);
	return trace_print(stdout, dbg->session.timeline, all, word[0] && !all ? texel : NULL, error);
}

DEBUG_RUN(debug_setup)
{
	enum { MOST = 64 };
	struct qs_setup *setup = g_new0(struct qs_setup, MOST);
	uint32_t parts = qs_timeline_setup(dbg->session.timeline, setup, MOST, error);

	(void)word;
	(void)rest;
	for (uint32_t i = 0; i < parts && i < MOST; i++)
		trace_setup(stdout, dbg->session.timeline, &setup[i]);
	g_free(setup);
	return parts > 0;
}

/* The quad at the moment; with fragment: the moment must be a fragment's. Free the result. */
static struct inside *read_quad(struct debugger *dbg, bool fragment, struct qs_error *error)
{
	const struct qs_moment *m = qs_timeline_moment(dbg->session.timeline);
	struct inside *inside;

	if (m->level < (fragment ? QS_LEVEL_FRAGMENT : QS_LEVEL_QUAD)) {
		debug_fail(error, "The moment is not inside a %s; 'in' and 'goto pixel X,Y' go there.", fragment ? "fragment" : "quad");
		return NULL;
	}
	inside = g_new0(struct inside, 1);
	if (qs_timeline_quad(dbg->session.timeline, &inside->setup, &inside->quad, error))
		return inside;
	g_free(inside);
	return NULL;
}

DEBUG_RUN(debug_quad)
{
	struct inside *inside = read_quad(dbg, false, error);
	const struct qs_moment *m = qs_timeline_moment(dbg->session.timeline);

	(void)word;
	(void)rest;
	if (!inside)
		return false;
	trace_coverage(stdout, &inside->setup, &inside->quad, m->level >= QS_LEVEL_FRAGMENT ? (int)m->fragment : -1);
	trace_fragments(stdout, &inside->quad);
	g_free(inside);
	return true;
}

DEBUG_RUN(debug_tev)
{
	const struct qs_moment *m = qs_timeline_moment(dbg->session.timeline);
	unsigned first = 0, last = m->level == QS_LEVEL_STAGE ? m->stage : 15;
	const struct qs_fragment *fragment;
	struct inside *inside;
	int64_t number;

	(void)rest;
	inside = read_quad(dbg, true, error);
	if (!inside)
		return false;
	fragment = &inside->quad.fragment[m->fragment & 3];
	if (word[0]) {
		if (!debug_number(word[0], "The stage", 0, (int64_t)fragment->stage_count - 1, &number, error)) {
			g_free(inside);
			return false;
		}
		first = last = (unsigned)number;
	}
	trace_indirect(stdout, dbg->session.timeline, fragment);
	trace_stages(stdout, dbg->session.timeline, fragment, first, last);
	g_free(inside);
	return true;
}

DEBUG_RUN(debug_pe)
{
	struct inside *inside = read_quad(dbg, true, error);
	const struct qs_fragment *fragment;

	(void)word;
	(void)rest;
	if (!inside)
		return false;
	fragment = &inside->quad.fragment[qs_timeline_moment(dbg->session.timeline)->fragment & 3];
	trace_verdict(stdout, fragment);
	putchar('\n');
	trace_pixel_engine(stdout, dbg->session.timeline, fragment);
	g_free(inside);
	return true;
}

/* ---- pixels ------------------------------------------------------------------------------------------------------------- */

/* X,Y as typed, else the pixel of the current fragment or quad. */
static bool pixel_argument(struct debugger *dbg, const char *text, int *x, int *y, struct qs_error *error)
{
	struct inside *inside;
	uint32_t fragment = qs_timeline_moment(dbg->session.timeline)->fragment & 3;

	if (text)
		return debug_point(text, x, y, error);
	inside = read_quad(dbg, false, error);
	if (!inside)
		return debug_fail(error, "Which pixel? Give X,Y, or go to a quad or fragment first.");
	*x = inside->quad.x + (int)(fragment & 1);
	*y = inside->quad.y + (int)(fragment >> 1);
	g_free(inside);
	return true;
}

DEBUG_RUN(debug_history)
{
	uint32_t frame = MAX(qs_timeline_moment(dbg->session.timeline)->frame, 1), count;
	struct qs_history_row *rows;
	int x, y;

	(void)rest;
	if (!pixel_argument(dbg, word[0], &x, &y, error) ||
		!qs_timeline_history(dbg->session.timeline, frame, x, y, &rows, &count, error))
		return false;
	printf("pixel %d,%d of frame %u\n", x, y, frame);
	history_print(dbg->session.capture, rows, count, false);
	free(rows);
	return true;
}

DEBUG_RUN(debug_pixel)
{
	struct qs_moment moment;
	struct qs_error none;
	uint8_t rgba[4];
	uint32_t z;
	char colour[10], text[96];
	int x, y;

	(void)rest;
	if (!pixel_argument(dbg, word[0], &x, &y, error))
		return false;
	if (!qs_timeline_pixel(dbg->session.timeline, x, y, rgba, &z))
		return debug_fail(error, "There is no pixel %d,%d: the EFB is 640x528.", x, y);
	printf("pixel %d,%d  %s (%u %u %u %u)  z 0x%06x (%u)", x, y, cli_colour(rgba, colour), rgba[0], rgba[1], rgba[2], rgba[3], z, z);
	if (qs_timeline_find_fragment(dbg->session.timeline, x, y, true, &moment, &none))
		printf("  written by %s\n", qs_moment_format(dbg->session.capture, &moment, text, sizeof text));
	else
		printf("  not written by a draw of this frame\n");
	return true;
}

/* ---- textures and memory ------------------------------------------------------------------------------------------------ */

static bool list_textures(struct debugger *dbg, struct qs_error *error)
{
	struct cli_table *table = cli_table_new("lrlrrrrll");

	cli_table_head(table, "map", "size", "format", "levels", "address", "tlut", "entries", "wrap s,t", "used");
	for (unsigned map = 0; map < 8; map++) {
		struct qs_texture t;

		if (!qs_timeline_texture(dbg->session.timeline, map, &t, error)) {
			cli_table_print(table, stdout, 2);
			return false;
		}
		cli_table_cell(table, "%u", map);
		cli_table_cell(table, "%ux%u", t.width, t.height);
		cli_table_cell(table, "%s", qs_texture_format_name(t.format));
		cli_table_cell(table, "%u", t.levels);
		cli_table_cell(table, "%s%08x", t.preloaded ? "TMEM " : "", t.address);
		if (t.tlut_entries)
			cli_table_cell(table, "%05x", t.tlut_address);
		else
			cli_table_cell(table, "%s", "");
		cli_table_cell(table, "%u", t.tlut_entries);
		cli_table_cell(table, "%u,%u", t.wrap_s, t.wrap_t);
		cli_table_cell(table, "%s", t.used ? "used" : "");
	}
	cli_table_print(table, stdout, 2);
	return true;
}

DEBUG_RUN(debug_texture)
{
	struct qs_image image = {0};
	int64_t map, level = 0;
	const char *path;
	bool good;

	(void)rest;
	if (!word[0])
		return list_textures(dbg, error);
	if (!word[1])
		return debug_fail(error, "Write 'texture MAP FILE.png' or 'texture MAP LEVEL FILE.png'.");
	path = word[2] ? word[2] : word[1];
	if (!debug_number(word[0], "The map", 0, 7, &map, error) || (word[2] && !debug_number(word[1], "The level", 0, 10, &level, error)))
		return false;
	good = qs_timeline_texture_image(dbg->session.timeline, (unsigned)map, (unsigned)level, &image, error) &&
	       qs_image_write_png(&image, path, error);
	if (good)
		printf("%s: %ux%u\n", path, image.width, image.height);
	qs_image_finish(&image);
	return good;
}

DEBUG_RUN(debug_memory)
{
	bool tmem = word[0] && g_ascii_strcasecmp(word[0], "tmem") == 0;
	int64_t address, size = 64;
	uint8_t line[16];

	(void)rest;
	if (tmem)
		word++;
	if (!word[0])
		return debug_fail(error, "'memory' needs an address.");
	if (!debug_number(word[0], "The address", 0, UINT32_MAX, &address, error) ||
		(word[1] && !debug_number(word[1], "The size", 1, 1 << 20, &size, error)))
		return false;
	for (int64_t done = 0; done < size; done += 16) {
		size_t wanted = (size_t)MIN(16, size - done);
		size_t got = qs_timeline_memory(dbg->session.timeline, tmem ? QS_SPACE_TMEM : QS_SPACE_MAIN, (uint32_t)(address + done), line,
			wanted);

		printf("%08x ", (uint32_t)(address + done));
		for (size_t i = 0; i < wanted; i++)
			printf("%s%02x", i % 4 ? "" : " ", line[i]);
		printf("%*s  ", (int)(2 * (16 - wanted) + (16 - wanted) / 4), "");
		for (size_t i = 0; i < wanted; i++)
			putchar(g_ascii_isprint((char)line[i]) ? line[i] : '.');
		printf("%s\n", got < wanted ? "  (beyond the end: 0)" : "");
	}
	return true;
}
