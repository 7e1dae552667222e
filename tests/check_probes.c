/* check_probes.c - the samples in scripts/probes on shipped captures: what they find against the engine asked directly
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <unistd.h>

#include "script_host.h"

static struct session session;
static struct script_host host;
static char *expected;
static size_t expected_size;
static FILE *expect; /* what the probe should show */

static void begin(const char *capture)
{
	char path[700];

	open_session(&session, shipped(capture, path, sizeof path), capture);
	expect = open_memstream(&expected, &expected_size);
}

/* Runs the probe; its output must be what was written to expect. Returns the exit status. */
static int run(const char *probe, int argc, const char *const *argv)
{
	const char *source = getenv("QS_SRCDIR");
	struct qs_script *script = open_script(&host, session.t, NULL);
	struct qs_moment start = {.level = QS_LEVEL_START};
	struct qs_error error;
	char path[700];
	int status;

	seek(&session, &start);
	/* short names, since Lua cuts long ones in messages */
	ck_assert(chdir(source ? source : ".") == 0);
	snprintf(path, sizeof path, "scripts/probes/%s.lua", probe);
	ck_assert_msg(qs_script_run_file(script, path, argc, argv, &error), "%s: %s", probe, error.text);
	status = qs_script_status(script);
	fclose(expect);
	ck_assert_msg(!strcmp(noted(&host), expected), "%s on %s shows:\n%snot:\n%s", probe, session.name, noted(&host), expected);
	qs_script_destroy(script);
	free(host.out);
	free(expected);
	close_session(&session);
	return status;
}

static void replay(const struct qs_taps *taps)
{
	struct qs_error error;

	ck_assert_msg(qs_timeline_replay(session.t, NULL, NULL, taps, &error), "%s", error.text);
}

/* ---- counts by draw ------------------------------------------------------------------------------------------------------ */

#define DRAWS 512

struct counts {
	uint32_t late[DRAWS], alpha[DRAWS], tested[DRAWS], low[DRAWS], high[DRAWS], fragments[DRAWS];
	uint32_t *pixel; /* of frame 1 */
	uint64_t overflow[DRAWS]; /* bit 4 * stage + channel */
};

static bool count_quad(void *user, const struct qs_moment *m, const struct qs_setup *setup, const struct qs_quad *q)
{
	struct counts *c = user;

	(void)setup;
	ck_assert(m->draw < DRAWS);
	for (int i = 0; i < 4; i++) {
		const struct qs_fragment *f = &q->fragment[i];
		uint32_t d = m->draw;

		if (!f->samples)
			continue;
		c->late[d] += f->verdict == QS_VERDICT_LATE_Z;
		c->alpha[d] += f->verdict == QS_VERDICT_ALPHA;
		c->tested[d] += f->verdict != QS_VERDICT_EARLY_Z;
		for (unsigned s = 0; s < f->stage_count; s++)
			for (unsigned k = 0; k < 4; k++)
				if (f->stage[s].wide[k] < 0 || f->stage[s].wide[k] > 255)
					c->overflow[d] |= (uint64_t)1 << (4 * s + k);
		if (m->frame != 1)
			continue;
		if (!c->fragments[d]++ || f->z < c->low[d])
			c->low[d] = f->z;
		if (f->z > c->high[d])
			c->high[d] = f->z;
		c->pixel[640 * f->y + f->x]++;
	}
	return true;
}

static struct counts *count_all(bool detail)
{
	struct counts *c = calloc(1, sizeof *c);
	struct qs_taps taps = {QS_TAP_QUAD | (detail ? QS_TAP_DETAIL : 0), c, NULL, NULL, NULL, count_quad, NULL, NULL};

	c->pixel = calloc(640 * 528, sizeof *c->pixel);
	replay(&taps);
	return c;
}

static void drop(struct counts *c)
{
	free(c->pixel);
	free(c);
}

static void expect_line(const char *title, const char *labels, const uint32_t *values)
{
	size_t n = 0;

	for (int i = 0; i < DRAWS; i++)
		n += values[i] > 0;
	fprintf(expect, "<line '%s' %s 0x0 %zu", title, labels, n);
	for (int axis = 0; axis < 2; axis++) {
		size_t written = 0;

		fprintf(expect, " %c", "xy"[axis]);
		for (int i = 0; i < DRAWS && written < 40; i++)
			if (values[i])
				fprintf(expect, "%s%g", written++ ? "," : "=", axis ? (double)values[i] : (double)i);
	}
	fprintf(expect, ">\n");
}

static const char *const late_captures[] = {"z-early-late", "tour", "z16-rgb565"};

START_TEST(late_z)
{
	struct counts *c;

	begin(late_captures[_i]);
	c = count_all(false);
	if (_i == 0)
		ck_assert_uint_eq(c->late[3], 33600);
	expect_line("late depth test failed", "draw|fragments", c->late);
	drop(c);
	ck_assert_int_eq(run("late-z", 0, NULL), 0);
}
END_TEST

struct cache_counts {
	uint32_t fetched[DRAWS], stale[DRAWS];
};

static bool count_cache(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	struct cache_counts *c = user;
	const struct qs_fragment *f = &quad->fragment[0]; /* even pixels */

	(void)setup;
	if (f->verdict == QS_VERDICT_NONE || quad->x % 16 || quad->y % 16 || moment->draw >= DRAWS)
		return true;
	for (unsigned n = 0; n < f->stage_count; n++)
		for (unsigned i = 0; f->stage[n].sample.done && i < f->stage[n].sample.texel_count; i++) {
			c->fetched[moment->draw] += f->stage[n].sample.texel[i].cache == QS_CACHE_MISS;
			c->stale[moment->draw] += f->stage[n].sample.texel[i].stale;
		}
	return true;
}

START_TEST(texture_cache)
{
	static struct cache_counts c;
	struct qs_taps taps = {.mask = QS_TAP_QUAD | QS_TAP_DETAIL, .user = &c, .quad = count_cache};
	struct qs_error error = {0};
	uint32_t fetched = 0;

	begin("tour");
	memset(&c, 0, sizeof c);
	ck_assert_msg(qs_timeline_replay(session.t, NULL, NULL, &taps, &error), "%s", error.text);
	for (unsigned i = 0; i < DRAWS; i++)
		fetched += c.fetched[i];
	ck_assert_uint_gt(fetched, 0);
	expect_line("texels of lines just fetched", "draw|texels", c.fetched);
	expect_line("texels that memory no longer has", "draw|texels", c.stale);
	ck_assert_int_eq(run("texture-cache", 0, NULL), 0);
}
END_TEST

START_TEST(overdraw)
{
	uint32_t most = 0, total = 0, pixels = 0;
	struct counts *c;
	int place = 0;

	begin("tour");
	c = count_all(false);
	for (int i = 0; i < 640 * 528; i++) {
		total += c->pixel[i];
		pixels += c->pixel[i] > 0;
		if (c->pixel[i] > most) {
			most = c->pixel[i];
			place = i;
		}
	}
	ck_assert_uint_gt(most, 4);
	fprintf(expect, "%u fragments on %u pixels: %.2f each\nat most %u, at %d,%d\n", total, pixels, (double)total / pixels, most, place % 640,
		place / 640);
	fprintf(expect, "<heat 'overdraw' | 640x528 %d y", 640 * 528);
	for (int i = 0; i < 40; i++)
		fprintf(expect, "%c%u", i ? ',' : '=', c->pixel[i]);
	fprintf(expect, ">\n<overlay rect %d,%d,%d,%d ffe030ff %u fragments>\n", place % 640 - 4, place / 640 - 4, place % 640 + 5, place / 640 + 5,
		most);
	drop(c);
	run("overdraw", 0, NULL);
}
END_TEST

START_TEST(alpha_kill)
{
	struct counts *c;

	begin("z-early-late");
	c = count_all(false);
	ck_assert_uint_gt(c->alpha[0], 0);
	fprintf(expect, "<table 'alpha test' draw|fragments|killed|percent|test");
	for (int d = 0; d < DRAWS; d++)
		if (c->alpha[d]) /* the tests are in the list of commands */
			fprintf(expect, "; 1/%d|%u|%u|%.1f|gequal 128", d, c->tested[d], c->alpha[d], 100.0 * c->alpha[d] / c->tested[d]);
	fprintf(expect, ">\n");
	drop(c);
	run("alpha-kill", 0, NULL);
}
END_TEST

START_TEST(depth_range)
{
	struct counts *c;

	begin("z-viewport-range");
	c = count_all(false);
	fprintf(expect, "<table 'depth' draw|nearest|farthest|percent");
	for (int d = 0; d < DRAWS; d++)
		if (c->fragments[d])
			fprintf(expect, "; 1/%d|0x%06x|0x%06x|%.2f", d, c->low[d], c->high[d], 100.0 * (c->high[d] - c->low[d]) / 0xFFFFFF);
	fprintf(expect, ">\n");
	expect_line("farthest depth", "draw|", c->high);
	drop(c);
	run("depth-range", 0, NULL);
}
END_TEST

/* Which channels of which stages overflow, and that the first moments are true. */
START_TEST(overflow)
{
	static const char *const channels = "rgba";
	struct counts *c;
	unsigned rows = 0, found = 0;

	begin("tev-ops");
	c = count_all(true);
	for (int d = 0; d < DRAWS; d++)
		rows += (unsigned)__builtin_popcountll(c->overflow[d]);
	ck_assert_uint_gt(rows, 10);
	struct qs_script *script = open_script(&host, session.t, NULL);
	struct qs_error error;
	char path[700], count[80];
	snprintf(path, sizeof path, "%s/scripts/probes/overflow.lua", getenv("QS_SRCDIR") ? getenv("QS_SRCDIR") : ".");
	ck_assert_msg(qs_script_run_file(script, path, 0, NULL, &error), "%s", error.text);
	snprintf(count, sizeof count, "%u channels of stages leave 0..255\n", rows);
	ck_assert_msg(!strncmp(noted(&host), count, strlen(count)), "%s", noted(&host));
	for (const char *row = noted(&host); (row = strstr(row, "; ")); found++) {
		char moment[80], channel;
		int times, lowest, highest, stored;
		struct qs_moment m;
		struct qs_quad *q = malloc(sizeof *q);

		row += 2;
		ck_assert_int_eq(sscanf(row, "%79[^|]|%c|%d|%d|%d|%d", moment, &channel, &times, &lowest, &highest, &stored), 6);
		ck_assert(qs_moment_parse(session.capture, moment, &m, &error));
		seek(&session, &m);
		ck_assert(qs_timeline_quad(session.t, NULL, q, &error));
		const struct qs_stage *stage = &q->fragment[m.fragment].stage[m.stage];
		unsigned k = (unsigned)(strchr(channels, channel) - channels);
		ck_assert_msg(stage->wide[k] >= lowest && stage->wide[k] <= highest && (stage->wide[k] < 0 || stage->wide[k] > 255), "%s %c", moment,
			channel);
		ck_assert_int_eq(stage->result[k], stored);
		ck_assert(c->overflow[m.draw] >> (4 * m.stage + k) & 1);
		free(q);
	}
	ck_assert_uint_eq(found, rows);
	qs_script_destroy(script);
	free(host.out);
	fclose(expect);
	free(expected);
	drop(c);
	close_session(&session);
}
END_TEST

/* ---- primitives ---------------------------------------------------------------------------------------------------------- */

struct sizes {
	unsigned fate[8];
	double area[20000];
	unsigned count;
};

static bool count_primitive(void *user, const struct qs_moment *m, const struct qs_setup *p)
{
	struct sizes *s = user;

	(void)m;
	s->fate[p->verdict]++;
	if (p->verdict == QS_SETUP_DRAWN && p->kind == QS_PRIMITIVE_TRIANGLE) {
		ck_assert_uint_lt(s->count, 20000);
		s->area[s->count++] = (p->area2 < 0 ? -p->area2 : p->area2) / 2;
	}
	return true;
}

static int order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static const char *const size_captures[] = {"perspective-cube", "clipping", "primitives-all"};

START_TEST(triangle_sizes)
{
	static const char *const names[] = {"clipped", "culled", "degenerate", "drawn", "rejected", "scissored"};
	static const enum qs_setup_verdict verdicts[] = {QS_SETUP_CLIPPED, QS_SETUP_CULLED, QS_SETUP_DEGENERATE, QS_SETUP_DRAWN,
		QS_SETUP_REJECTED, QS_SETUP_SCISSORED};
	struct sizes *s = calloc(1, sizeof *s);
	const struct qs_taps taps = {QS_TAP_PRIMITIVE, s, NULL, NULL, count_primitive, NULL, NULL, NULL};

	begin(size_captures[_i]);
	replay(&taps);
	fprintf(expect, "<table 'primitives' what|parts");
	for (unsigned i = 0; i < 6; i++)
		if (s->fate[verdicts[i]])
			fprintf(expect, "; %s|%u", names[i], s->fate[verdicts[i]]);
	qsort(s->area, s->count, sizeof *s->area, order);
	fprintf(expect, ">\n%u triangles, from %.1f to %.1f pixels, the middle one has %.1f\n", s->count, s->area[0], s->area[s->count - 1],
		s->area[(s->count + 1) / 2 - 1]);
	fprintf(expect, "<hist 'area of triangles' pixels| 16x0 %u y", s->count);
	for (unsigned i = 0; i < s->count && i < 40; i++)
		fprintf(expect, "%c%g", i ? ',' : '=', s->area[i]);
	fprintf(expect, ">\n");
	free(s);
	run("triangle-sizes", 0, NULL);
}
END_TEST

/* ---- what follows from the bytes ----------------------------------------------------------------------------------------- */

START_TEST(textures)
{
	if (_i) {
		begin("tmem-preload");
		fprintf(expect, "<table 'textures' address|memory|format|size|levels|draws|first; 00002000|TMEM|RGB565|32x32|1|1|1/0>\n");
	} else {
		begin("tex-eight-maps");
		fprintf(expect, "<table 'textures' address|memory|format|size|levels|draws|first");
		for (int i = 0; i < 8; i++)
			fprintf(expect, "; 0010%d000|main|RGB565|32x32|1|1|1/0", i);
		fprintf(expect, ">\n");
	}
	run("textures", 0, NULL);
}
END_TEST

START_TEST(writes)
{
	static const char *const pattern[] = {"bp.TEV_*"}, *const field[] = {"bp.PE_CONTROL.ztop"};

	begin("z-early-late");
	if (_i) {
		fprintf(expect, "1@0x142\tbp.PE_CONTROL\t0x000000\tztop 0\n");
		run("writes", 1, field);
		return;
	}
	fprintf(expect, "1@0x31\tbp.TEV_COLOR_ENV_0\t0x08f8af\td zero, c ras_rgb, b tex_rgb\n"
			"1@0x36\tbp.TEV_ALPHA_ENV_0\t0x08f2f0\td zero, c ras, b tex\n"
			"1@0x68\tbp.TEV_ALPHAFUNC\t0x3e0080\tref0 128, func0 gequal\n"
			"1@0xd5\tbp.TEV_ALPHAFUNC\t0x3f0000\tref0 0, func0 always\n"
			"1@0x13d\tbp.TEV_ALPHAFUNC\t0x3e0080\tref0 128, func0 gequal\n"
			"1@0x1aa\tbp.TEV_ALPHAFUNC\t0x3f0000\tref0 0, func0 always\n"
			"1@0x212\tbp.TEV_ALPHAFUNC\t0x3e0080\tref0 128, func0 gequal\n");
	run("writes", 1, pattern);
}
END_TEST

START_TEST(break_on)
{
	static const char *const argv[] = {"pixel", "40,40-600,440", "alpha < 128 and verdict == alpha"};
	struct qs_breakpoint b;
	struct qs_error error;
	struct qs_hit hit;
	char *condition;
	uint32_t id;

	begin("z-early-late");
	ck_assert(qs_breakpoint_parse("pixel 40,40-600,440 if alpha < 128 and verdict == alpha", &b, &condition, &error));
	id = qs_timeline_break_add(session.t, &b, &error);
	ck_assert_uint_ne(id, 0);
	for (int n = 1; n <= 5; n++) {
		ck_assert(qs_timeline_run(session.t, 1, &hit, &error));
		fprintf(expect, "%d\t%s\n", n, text(&session, &hit.moment));
	}
	qs_timeline_break_remove(session.t, id);
	free(condition);
	run("break-on", 3, argv);
}
END_TEST

/* ---- pixels and pictures ------------------------------------------------------------------------------------------------- */

static void expect_colour(const uint8_t c[4])
{
	fprintf(expect, "|#%02x%02x%02x%02x", c[0], c[1], c[2], c[3]);
}

static const struct {
	const char *x, *y;
} asked[] = {{"320", "300"}, {"120", "129"}, {"500", "200"}};

/* The sentence and the table against the history, the registers against the state there. */
START_TEST(who_wrote)
{
	const char *const argv[] = {asked[_i].x, asked[_i].y};
	int x = atoi(asked[_i].x), y = atoi(asked[_i].y);
	static const char *const registers[] = {"GEN_MODE", "PE_ZMODE", "PE_CMODE0", "TEV_ALPHAFUNC"};
	const struct qs_history_row *writer = NULL;
	struct qs_history_row *rows;
	struct qs_moment last;
	struct qs_error error;
	uint32_t count, failures = 0;
	uint8_t rgba[4];
	char line[512];

	begin("tour");
	qs_moment_of_command(session.capture,
		qs_capture_draw_command(session.capture, 1, qs_capture_frame(session.capture, 1)->draw_count - 1), &last);
	seek(&session, &last);
	ck_assert(qs_timeline_pixel(session.t, x, y, rgba, NULL));
	ck_assert(qs_timeline_history(session.t, 1, x, y, &rows, &count, &error));
	for (uint32_t i = 0; i < count; i++) {
		if (rows[i].kind != QS_HISTORY_FRAGMENT)
			continue;
		failures++;
		if (rows[i].verdict == QS_VERDICT_WRITTEN) {
			writer = &rows[i];
			failures = 0;
		}
	}
	ck_assert(writer != NULL);
	ck_assert_msg(memcmp(writer->after, rgba, 4) == 0, "the writer is not the writer");
	ck_assert(qs_timeline_find_fragment(session.t, x, y, true, &last, &error));
	ck_assert_int_eq(qs_moment_compare(&last, &writer->moment), 0);
	const struct qs_command *c = qs_capture_command(session.capture, writer->moment.command);
	static const char *const kinds[] = {"quads", "quads2", "triangles", "strip", "fan", "lines", "line strip", "points"};
	fprintf(expect, "Pixel %d,%d is #%02x%02x%02x%02x because draw 1/%u (%s) wrote it at %s from #%02x%02x%02x%02x over #%02x%02x%02x%02x", x, y,
		rgba[0], rgba[1], rgba[2], rgba[3], writer->moment.draw, kinds[c->opcode >> 3 & 7], text(&session, &writer->moment), writer->source[0],
		writer->source[1], writer->source[2], writer->source[3], writer->before[0], writer->before[1], writer->before[2], writer->before[3]);
	if (writer->z_before != writer->z_after)
		fprintf(expect, ", depth 0x%06x -> 0x%06x", writer->z_before, writer->z_after);
	ck_assert_uint_eq(failures, 0); /* pixels were chosen so that the sentence ends here */
	fprintf(expect, ".\n<table 'pixel %d,%d' moment|source|before|after|result", x, y);
	for (uint32_t i = 0; i < count; i++) {
		if (rows[i].kind != QS_HISTORY_FRAGMENT)
			continue;
		ck_assert_uint_eq(rows[i].verdict, QS_VERDICT_WRITTEN);
		fprintf(expect, "; %s", text(&session, &rows[i].moment));
		expect_colour(rows[i].source);
		expect_colour(rows[i].before);
		expect_colour(rows[i].after);
		fprintf(expect, "|written");
	}
	fprintf(expect, ">\n");
	seek(&session, &writer->moment);
	for (int i = 0; i < 4; i++) {
		const struct qs_register *reg = qs_register_by_name(QS_UNIT_BP, registers[i]);
		uint32_t value = qs_timeline_register(session.t, QS_UNIT_BP, reg->address);
		uint32_t command = qs_timeline_register_writer(session.t, QS_UNIT_BP, reg->address);
		struct qs_moment m;

		fprintf(expect, "bp.%s = 0x%06x  %s\t", reg->name, value, qs_register_format(reg, value, line, sizeof line));
		if (command != QS_NONE && qs_moment_of_command(session.capture, command, &m))
			fprintf(expect, "set at %s\n", text(&session, &m));
		else
			fprintf(expect, "set at the start\n");
	}
	fprintf(expect, "<overlay point %d,%d,%d,%d ffe030ff %s>\n", x, y, x, y, text(&session, &writer->moment));
	free(rows);
	run("who-wrote", 2, argv);
}
END_TEST

static struct qs_image picture(enum qs_model model, const struct qs_moment *m)
{
	struct qs_image image;
	struct qs_error error;

	qs_timeline_set_model(session.t, model);
	seek(&session, m);
	ck_assert(qs_timeline_image(session.t, QS_BUFFER_COLOR, &image, &error));
	return image;
}

/* The first draw that differs, by looking at all of them. */
START_TEST(models)
{
	const struct qs_frame *frame;

	begin("lines-widths");
	frame = qs_capture_frame(session.capture, 1);
	for (uint32_t d = 0; d < frame->draw_count; d++) {
		struct qs_image_difference result;
		struct qs_error error;
		struct qs_moment m;
		uint32_t first = 0;

		qs_moment_of_command(session.capture, qs_capture_draw_command(session.capture, 1, d), &m);
		struct qs_image a = picture(QS_MODEL_HARDWARE, &m), b = picture(QS_MODEL_DOLPHIN, &m);
		ck_assert(qs_image_compare(&a, &b, 0, &result, NULL, &error));
		while (first < a.width * a.height && !memcmp(a.rgba + 4 * first, b.rgba + 4 * first, 3))
			first++;
		qs_image_finish(&a);
		qs_image_finish(&b);
		if (result.pixels == result.equal)
			continue;
		fprintf(expect, "%s: %u pixels differ by up to %u\nthe first one is %u,%u\n", text(&session, &m),
			(unsigned)(result.pixels - result.equal), result.maximum, first % 640, first / 640);
		fprintf(expect, "<overlay point %u,%u,%u,%u ffe030ff first difference>\n", first % 640, first / 640, first % 640, first / 640);
		break;
	}
	qs_timeline_set_model(session.t, QS_MODEL_HARDWARE);
	run("models", 0, NULL);
}
END_TEST

START_TEST(sane)
{
	begin("tour");
	fprintf(expect, "%u frames, %u draws\n", qs_capture_info(session.capture)->frame_count, qs_capture_info(session.capture)->draw_count);
	ck_assert_int_eq(run("sane", 0, NULL), 0);
	begin("clear-only");
	fprintf(expect, "error: scripts/probes/sane.lua:8: check failed: nothing is drawn\n"
			"error: scripts/probes/sane.lua:22: check failed: the picture of frame 1 has one colour\n2 frames, 0 draws\n");
	ck_assert_int_eq(run("sane", 0, NULL), 1);
}
END_TEST

/* The causes that check_compare proves, as the probe shows them. */
START_TEST(divergence)
{
	begin("triangle-gouraud");
	fprintf(expect, "<table 'hardware and dolphin' frame|cause|class|pixels|first|unit; 1|attribute_point|interpolation|13590|1/0/0/0/3|"
		"interpolation>\n");
	ck_assert_int_eq(run("divergence", 0, NULL), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("probes");
	TCase *tcase = tcase_create("probes");

	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, late_z, 0, 3);
	tcase_add_test(tcase, texture_cache);
	tcase_add_test(tcase, overdraw);
	tcase_add_test(tcase, alpha_kill);
	tcase_add_test(tcase, depth_range);
	tcase_add_test(tcase, overflow);
	tcase_add_loop_test(tcase, triangle_sizes, 0, 3);
	tcase_add_loop_test(tcase, textures, 0, 2);
	tcase_add_loop_test(tcase, writes, 0, 2);
	tcase_add_test(tcase, break_on);
	tcase_add_loop_test(tcase, who_wrote, 0, 3);
	tcase_add_test(tcase, models);
	tcase_add_test(tcase, sane);
	tcase_add_test(tcase, divergence);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
