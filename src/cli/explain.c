/* explain.c - what became of a fragment, a primitive, a moment: one sentence each
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static const char *const compare_sign[8] = {"never", "<", "==", "<=", ">", "!=", ">=", "always"};

const char *cli_compare_sign(unsigned func)
{
	return compare_sign[func & 7];
}

bool cli_compare(unsigned func, uint32_t a, uint32_t b)
{
	return (func & 1 && a < b) || (func & 2 && a == b) || (func & 4 && a > b);
}

const char *cli_setup_verdict(unsigned verdict)
{
	static const char *const name[] = {
		[QS_SETUP_DRAWN] = "drawn", [QS_SETUP_REJECTED] = "rejected: all vertices are outside one plane of the view volume",
		[QS_SETUP_CLIPPED] = "clipped away", [QS_SETUP_CULLED] = "culled", [QS_SETUP_DEGENERATE] = "degenerate: zero area",
		[QS_SETUP_SCISSORED] = "outside the scissor",
	};

	return verdict < G_N_ELEMENTS(name) ? name[verdict] : "unknown";
}

const char *cli_primitive_name(unsigned kind)
{
	static const char *const name[] = {"point", "line", "triangle"};

	return kind < G_N_ELEMENTS(name) ? name[kind] : "primitive";
}

/* ---- tests with their operands ------------------------------------------------------------------------------------------ */

struct tests {
	uint8_t verdict;
	uint8_t alpha, z_func, alpha_func0, alpha_func1, alpha_ref0, alpha_ref1, alpha_logic;
	uint32_t z, z_stored;
};

static void depth_failed(const struct tests *t, const char *when, char *buffer, size_t size)
{
	if (t->z_func == 0)
		g_snprintf(buffer, size, "%s depth test failed: function 'never' (z 0x%06x, stored 0x%06x)", when, t->z, t->z_stored);
	else
		g_snprintf(buffer, size, "%s depth test failed: 0x%06x %s 0x%06x is false", when, t->z, cli_compare_sign(t->z_func),
			t->z_stored);
}

static void alpha_half(unsigned func, unsigned alpha, unsigned reference, char *buffer, size_t size)
{
	if (func == 0 || func == 7)
		g_snprintf(buffer, size, "%s", cli_compare_sign(func));
	else
		g_snprintf(buffer, size, "%u %s %u", alpha, cli_compare_sign(func), reference);
}

static void alpha_failed(const struct tests *t, char *buffer, size_t size)
{
	static const char *const logic[4] = {"and", "or", "xor", "xnor"};
	char first[32], second[32];

	alpha_half(t->alpha_func0, t->alpha, t->alpha_ref0, first, sizeof first);
	alpha_half(t->alpha_func1, t->alpha, t->alpha_ref1, second, sizeof second);
	if (t->alpha_logic == 0 && t->alpha_func1 == 7)
		g_snprintf(buffer, size, "alpha test failed: %s is false", first);
	else if (t->alpha_logic == 0 && t->alpha_func0 == 7)
		g_snprintf(buffer, size, "alpha test failed: %s is false", second);
	else
		g_snprintf(buffer, size, "alpha test failed: (%s) %s (%s) is false", first, logic[t->alpha_logic & 3], second);
}

static char *sentence(const struct tests *t, char *buffer, size_t size)
{
	switch (t->verdict) {
	case QS_VERDICT_NONE: g_strlcpy(buffer, "not covered by the primitive", size); break;
	case QS_VERDICT_MASKED: g_strlcpy(buffer, "passed every test, but all write masks are off", size); break;
	case QS_VERDICT_EARLY_Z: depth_failed(t, "early", buffer, size); break;
	case QS_VERDICT_LATE_Z: depth_failed(t, "late", buffer, size); break;
	case QS_VERDICT_ALPHA: alpha_failed(t, buffer, size); break;
	case QS_VERDICT_PENDING: g_strlcpy(buffer, "not finished at this moment", size); break;
	default: g_strlcpy(buffer, "written", size); break;
	}
	return buffer;
}

static void append_write(char *buffer, size_t size, const uint8_t before[4], const uint8_t after[4], uint32_t z_before, uint32_t z_after)
{
	char a[10], b[10], text[96];

	g_snprintf(text, sizeof text, ": %s -> %s", cli_colour(before, a), cli_colour(after, b));
	g_strlcat(buffer, text, size);
	if (z_before != z_after) {
		g_snprintf(text, sizeof text, ", depth 0x%06x -> 0x%06x", z_before, z_after);
		g_strlcat(buffer, text, size);
	}
}

char *cli_fragment_sentence(const struct qs_fragment *f, char *buffer, size_t size)
{
	struct tests t = {
		.verdict = f->verdict, .alpha = f->tev[3], .z_func = f->z_func, .alpha_func0 = f->alpha_func0,
		.alpha_func1 = f->alpha_func1, .alpha_ref0 = f->alpha_ref0, .alpha_ref1 = f->alpha_ref1,
		.alpha_logic = f->alpha_logic, .z = f->verdict == QS_VERDICT_EARLY_Z ? f->z_interpolated : f->z, .z_stored = f->z_old,
	};

	sentence(&t, buffer, size);
	if (f->verdict == QS_VERDICT_WRITTEN)
		append_write(buffer, size, f->old_rgba, f->new_rgba, f->z_old, f->z_new);
	return buffer;
}

char *cli_history_sentence(const struct qs_history_row *row, char *buffer, size_t size)
{
	struct tests t = {
		.verdict = row->verdict, .alpha = row->source[3], .z_func = row->z_func, .alpha_func0 = row->alpha_func0,
		.alpha_func1 = row->alpha_func1, .alpha_ref0 = row->alpha_ref0, .alpha_ref1 = row->alpha_ref1,
		.alpha_logic = row->alpha_logic, .z = row->z, .z_stored = row->z_before,
	};

	if (row->kind == QS_HISTORY_START)
		return g_strlcpy(buffer, "value at the start of the frame", size) ? buffer : buffer;
	if (row->kind == QS_HISTORY_CLEAR)
		return g_strlcpy(buffer, "cleared by the copy", size) ? buffer : buffer;
	if (row->kind == QS_HISTORY_ACCESS)
		return g_strlcpy(buffer, "written by the processor", size) ? buffer : buffer;
	return sentence(&t, buffer, size);
}

/* ---- the current moment ------------------------------------------------------------------------------------------------- */

static void describe_primitive(struct qs_timeline *timeline, FILE *out)
{
	struct qs_setup *setup = g_new0(struct qs_setup, 3);
	struct qs_error error = {0};
	uint32_t parts = qs_timeline_setup(timeline, setup, 3, &error);

	if (!parts) {
		fprintf(out, "%s\n", error.text);
	} else {
		fprintf(out, "%s ", cli_primitive_name(setup->kind));
		for (unsigned i = 0; i < setup->kind + 1u; i++)
			fprintf(out, "(%.2f, %.2f) ", (double)setup->vertex[i].screen[0], (double)setup->vertex[i].screen[1]);
		fprintf(out, "%s", cli_setup_verdict(setup->verdict));
		if (parts > 1)
			fprintf(out, " in %u parts", parts);
		if (setup->verdict == QS_SETUP_DRAWN)
			fprintf(out, ", %u quads", qs_timeline_quad_count(timeline, qs_timeline_moment(timeline)));
		fputc('\n', out);
	}
	g_free(setup);
}

static void describe_quad(const struct qs_quad *quad, FILE *out)
{
	static const char *const name[] = {"uncovered", "written", "masked", "early z failed", "alpha failed", "late z failed", "pending"};
	unsigned count[G_N_ELEMENTS(name)] = {0};
	const char *comma = "";

	for (unsigned i = 0; i < 4; i++)
		if (quad->fragment[i].verdict < G_N_ELEMENTS(name))
			count[quad->fragment[i].verdict]++;
	fprintf(out, "quad at %d,%d coverage %03x: ", quad->x, quad->y, quad->coverage);
	for (unsigned i = 1; i < G_N_ELEMENTS(name); i++) {
		if (!count[i])
			continue;
		fprintf(out, "%s%u %s", comma, count[i], name[i]);
		comma = ", ";
	}
	fputc('\n', out);
}

static void describe_fragment(const struct qs_quad *quad, const struct qs_moment *moment, FILE *out)
{
	const struct qs_fragment *fragment = &quad->fragment[moment->fragment & 3];
	char text[256];

	fprintf(out, "pixel %d,%d ", fragment->x, fragment->y);
	if (moment->level == QS_LEVEL_STAGE) {
		const struct qs_stage *stage = &fragment->stage[moment->stage & 15];

		fprintf(out, "stage %u: result (%d %d %d %d) before clamp (%d %d %d %d)\n", moment->stage, stage->result[0],
			stage->result[1], stage->result[2], stage->result[3], stage->wide[0], stage->wide[1], stage->wide[2],
			stage->wide[3]);
	} else {
		fprintf(out, "%s\n", cli_fragment_sentence(fragment, text, sizeof text));
	}
}

static void describe_inside(struct qs_timeline *timeline, const struct qs_moment *moment, FILE *out)
{
	struct qs_setup *setup = g_new0(struct qs_setup, 1);
	struct qs_quad *quad = g_new0(struct qs_quad, 1);
	struct qs_error error = {0};

	if (!qs_timeline_quad(timeline, setup, quad, &error))
		fprintf(out, "%s\n", error.text);
	else if (moment->level == QS_LEVEL_QUAD)
		describe_quad(quad, out);
	else
		describe_fragment(quad, moment, out);
	g_free(setup);
	g_free(quad);
}

void cli_describe(struct qs_timeline *timeline, FILE *out)
{
	const struct qs_capture *capture = qs_timeline_capture(timeline);
	const struct qs_moment moment = *qs_timeline_moment(timeline);
	const struct cli_style *style = cli_style();
	char text[1024], offset[48];

	fprintf(out, "%s%s%s  ", out == stdout ? style->accent : "", qs_moment_format(capture, &moment, text, sizeof text),
		out == stdout ? style->off : "");
	switch (moment.level) {
	case QS_LEVEL_START:
		fprintf(out, "start of the capture, nothing executed\n");
		break;
	case QS_LEVEL_FRAME:
		fprintf(out, "end of frame %u: %u draws, %u commands\n", moment.frame, qs_capture_frame(capture, moment.frame)->draw_count,
			qs_capture_frame(capture, moment.frame)->command_count);
		break;
	case QS_LEVEL_COMMAND:
		fprintf(out, "%s\n", qs_command_text(capture, moment.command, text, sizeof text));
		break;
	case QS_LEVEL_DRAW:
		cli_command_offset(capture, moment.command, offset, sizeof offset);
		fprintf(out, "%s  at %s\n", qs_command_text(capture, moment.command, text, sizeof text), offset);
		break;
	case QS_LEVEL_PRIMITIVE:
		describe_primitive(timeline, out);
		break;
	default:
		describe_inside(timeline, &moment, out);
		break;
	}
}
