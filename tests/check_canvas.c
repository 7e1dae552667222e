/* check_canvas.c - what the setup, depth and textures panels work out themselves, against the engine's records
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "canvas/depth-stats.h"
#include "canvas/setup-quad.h"
#include "oracle/random.h"

/* A sequence for each case of the one seed. */
static struct oracle_random random_start(uint64_t number)
{
	struct oracle_random r = oracle_random_start();

	r.state += number * 0x9e37u;
	return r;
}

typedef struct {
	QsCapture *capture;
	struct qs_timeline *timeline;
	struct qs_error error;
} Open;

static void open_sample(Open *o, const char *name, enum qs_model model)
{
	const char *data = getenv("QS_DATA");
	g_autofree char *file = g_strconcat(name, ".dff", NULL), *path = g_build_filename(data ? data : "data", "captures", file, NULL);
	struct qs_capture *capture = qs_capture_open(path, NULL, NULL, &o->error);

	ck_assert_msg(capture != NULL, "%s", o->error.text);
	o->capture = qs_capture_wrap(capture, path);
	o->timeline = qs_timeline_create(capture, &o->error);
	ck_assert_msg(o->timeline != NULL, "%s", o->error.text);
	qs_timeline_set_model(o->timeline, model);
}

static void close_sample(Open *o)
{
	qs_timeline_destroy(o->timeline);
	qs_capture_unref(o->capture);
}

static QsView *view_at(Open *o, const struct qs_moment *moment)
{
	ck_assert_msg(qs_timeline_seek(o->timeline, moment, &o->error), "%s", o->error.text);
	return qs_view_capture(o->capture, o->timeline, 1u << QS_BUFFER_DEPTH);
}

static void draw_moment(Open *o, guint32 draw, struct qs_moment *moment)
{
	ck_assert(qs_moment_of_command(o->capture->capture, qs_capture_draw_command(o->capture->capture, 1, draw), moment));
}

/* ---- setup: masks and edge values --------------------------------------------------------------------------------------- */

static const struct setup_case { const char *capture; guint primitives; /* of each draw */ } setup_cases[] = {
	{"triangle-gouraud", 1}, {"clipping", 4}, {"lines-widths", 3}, {"primitives-all", 3}, {"perspective-cube", 12},
	{"scissor-offset", 4}, {"vertex-position-formats", 2},
};

static guint mask_of_edges(const struct qs_setup *setup, int x, int y)
{
	guint mask = 0;

	for (guint p = 0; p < 4; p++)
		for (guint k = 0; k < 3; k++) {
			const int px = x + (int)(p & 1), py = y + (int)(p >> 1);
			gboolean inside = px >= setup->box.x0 && px < setup->box.x1 && py >= setup->box.y0 && py < setup->box.y1;

			for (guint e = 0; e < 3; e++)
				inside = inside && qs_setup_inside(&setup->edge[e],
					qs_setup_edge_value(setup, e, px, py, setup->sample_count > 1 ? k : 0));
			mask |= (guint)inside << (3 * p + k);
		}
	return mask;
}

/* Every quad that the engine walks has the mask that the equations give, and nothing else inside the box is covered. */
static guint check_masks(const char *name, const QsView *view)
{
	g_autofree guint32 *grid = g_new(guint32, QS_QUADS_WIDE * QS_QUADS_HIGH);
	guint checked = 0;

	for (guint part = 0; part < view->setup_count; part++) {
		const struct qs_setup *setup = &view->setup[part];
		guint64 samples = 0, expected = 0;

		if (!qs_setup_has_edges(setup))
			continue;
		for (guint32 i = 0; i < view->quad_count; i++) {
			const struct qs_quad_place *q = &view->quads[i];

			if (q->part != part)
				continue;
			ck_assert_msg(mask_of_edges(setup, q->x, q->y) == q->coverage, "%s %s part %u quad %u at %d,%d: %03x, engine %03x", name,
				view->text, part, i, q->x, q->y, mask_of_edges(setup, q->x, q->y), q->coverage);
			expected += (guint64)__builtin_popcount(q->coverage);
			checked++;
		}
		for (int y = setup->box.y0 & ~1; y < setup->box.y1; y += 2)
			for (int x = setup->box.x0 & ~1; x < setup->box.x1; x += 2)
				samples += (guint64)__builtin_popcount(mask_of_edges(setup, x, y));
		ck_assert_msg(samples == expected, "%s %s part %u: %" G_GUINT64_FORMAT " samples, engine %" G_GUINT64_FORMAT, name, view->text,
			part, samples, expected);
	}
	qs_setup_index_quads(view, 0, grid);
	for (guint32 i = 0; i < view->quad_count; i++) {
		const struct qs_quad_place *q = &view->quads[i];
		QsQuadInfo info;

		ck_assert(qs_setup_quad_info(view, q->part, grid, q->x + 1, q->y, &info));
		ck_assert_int_eq(info.x, q->x);
		ck_assert_int_eq(info.y, q->y);
		ck_assert_uint_ne(info.number, QS_NONE);
		ck_assert_uint_eq(info.coverage, view->quads[info.number].coverage);
		if (view->setup_count == 1)
			ck_assert_uint_eq(info.number, i);
	}
	return checked;
}

static void check_values(const char *name, Open *o, const QsView *primitive, guint32 number)
{
	g_autofree guint32 *grid = g_new(guint32, QS_QUADS_WIDE * QS_QUADS_HIGH);
	struct qs_moment moment;
	QsView *view;
	QsQuadInfo exact, computed;

	qs_setup_quad_moment(primitive, number, &moment);
	view = view_at(o, &moment);
	ck_assert(view->has_quad);
	ck_assert_uint_eq(qs_setup_walked(view), number + 1);
	qs_setup_index_quads(view, view->quad.part, grid);
	ck_assert(qs_setup_quad_info(view, view->quad.part, grid, view->quad.x, view->quad.y, &exact));
	qs_setup_index_quads(primitive, view->quad.part, grid);
	ck_assert(qs_setup_quad_info(primitive, view->quad.part, grid, view->quad.x, view->quad.y, &computed));
	ck_assert(exact.exact && !computed.exact);
	ck_assert_uint_eq(exact.coverage, view->quad.coverage);
	for (guint p = 0; p < 4; p++)
		for (guint k = 0; k < exact.samples; k++)
			for (guint e = 0; e < 3; e++)
				ck_assert_msg(fabs(exact.edge[p][k][e] - computed.edge[p][k][e]) <= 1e-9 * MAX(fabs(exact.edge[p][k][e]), 1e-3) + 1e-9,
					"%s %s pixel %u sample %u edge %u: %.12g, engine %.12g", name, view->text, p, k, e, computed.edge[p][k][e],
					exact.edge[p][k][e]);
	qs_view_unref(view);
}

START_TEST(setup_quads)
{
	const struct setup_case *c = &setup_cases[_i / QS_MODEL_COUNT];
	struct oracle_random r = random_start((uint64_t)_i);
	guint checked = 0;
	Open o = {0};

	open_sample(&o, c->capture, (enum qs_model)(_i % QS_MODEL_COUNT));
	for (guint32 draw = 0; draw < MIN(qs_capture_frame(o.capture->capture, 1)->draw_count, 12); draw++) {
		struct qs_moment moment;
		guint32 count;

		draw_moment(&o, draw, &moment);
		count = qs_timeline_primitive_count(o.timeline, &moment);
		moment.level = QS_LEVEL_PRIMITIVE;
		for (moment.primitive = 0; moment.primitive < MIN(count, c->primitives); moment.primitive++) {
			QsView *view = view_at(&o, &moment);

			ck_assert_uint_gt(view->setup_count, 0);
			checked += check_masks(c->capture, view);
			for (guint i = 0; i < 2 && view->quad_count; i++)
				check_values(c->capture, &o, view, (guint32)(oracle_random_next(&r) % view->quad_count));
			qs_view_unref(view);
		}
	}
	ck_assert_msg(checked > 20, "%s: only %u quads", c->capture, checked);
	close_sample(&o);
}
END_TEST

/* Known by hand: 640 x 480 triangle (320,40) (40,440) (600,440). */
START_TEST(setup_gouraud)
{
	g_autofree guint32 *grid = g_new(guint32, QS_QUADS_WIDE * QS_QUADS_HIGH);
	struct qs_moment moment;
	QsQuadInfo info;
	QsView *view;
	Open o = {0};

	open_sample(&o, "triangle-gouraud", QS_MODEL_HARDWARE);
	draw_moment(&o, 0, &moment);
	view = view_at(&o, &moment);
	ck_assert_uint_eq(view->setup_count, 1);
	ck_assert_double_eq_tol(fabs(view->setup[0].area2), 560.0 * 400, 0.01);
	qs_setup_index_quads(view, 0, grid);
	ck_assert(qs_setup_quad_info(view, 0, grid, 320, 240, &info));
	ck_assert_uint_eq(info.coverage, 0xfff);
	ck_assert(qs_setup_quad_info(view, 0, grid, 0, 0, &info));
	ck_assert_uint_eq(info.number, QS_NONE);
	ck_assert_uint_eq(info.coverage, 0);
	ck_assert(!qs_setup_quad_info(view, 0, grid, -1, 0, &info));
	ck_assert(!qs_setup_quad_info(view, 0, grid, 0, 528, &info));
	qs_view_unref(view);
	close_sample(&o);
}
END_TEST

/* A primitive that was culled keeps the places of its vertices. */
START_TEST(setup_culled)
{
	struct qs_moment moment;
	guint culled = 0;
	Open o = {0};

	open_sample(&o, "tour", QS_MODEL_HARDWARE);
	draw_moment(&o, 40, &moment);
	moment.level = QS_LEVEL_PRIMITIVE;
	for (moment.primitive = 0; moment.primitive < 40; moment.primitive++) {
		QsView *view = view_at(&o, &moment);
		const struct qs_setup *s = &view->setup[0];

		if (s->verdict == QS_SETUP_CULLED) {
			culled++;
			for (guint v = 0; v < 3; v++) {
				const struct qs_vertex *all = &view->vertices[s->primitive_vertex[v]];

				ck_assert(qs_setup_on_screen(s, v));
				ck_assert_float_eq_tol(s->vertex[v].inv_w, 1 / all->clip[3], 1e-6f);
			}
		}
		qs_view_unref(view);
	}
	ck_assert_uint_gt(culled, 0);
	close_sample(&o);
}
END_TEST

/* ---- depth -------------------------------------------------------------------------------------------------------------- */

START_TEST(depth_statistics)
{
	struct oracle_random r = random_start((uint64_t)_i);
	const guint width = 1 + (guint)(oracle_random_next(&r) % 40), height = 1 + (guint)(oracle_random_next(&r) % 40), n = width * height;
	g_autofree guint32 *depth = g_new(guint32, n);
	g_autofree guint8 *mask = g_new(guint8, n);
	const struct qs_image image = {.width = width, .height = height, .depth = depth};
	const struct qs_rect rect = {(int)(oracle_random_next(&r) % 20) - 5, (int)(oracle_random_next(&r) % 20) - 5, (int)(oracle_random_next(&r) % 60),
		(int)(oracle_random_next(&r) % 60)};
	guint32 bins[QS_DEPTH_BINS], expected[QS_DEPTH_BINS] = {0}, low = 0, high = 0;
	guint32 first = (guint32)(oracle_random_next(&r) & QS_DEPTH_MAX), last = (guint32)(oracle_random_next(&r) & QS_DEPTH_MAX);
	gint64 min = G_MAXINT64, max = -1;

	if (first > last || _i % 5 == 0) {
		const guint32 swap = first;

		first = MIN(first, last);
		last = _i % 5 == 0 ? first + 3 : MAX(swap, last);
	}
	for (guint i = 0; i < n; i++) {
		depth[i] = (guint32)(_i % 5 == 0 ? first + oracle_random_next(&r) % 8 : oracle_random_next(&r)) & QS_DEPTH_MAX;
		mask[i] = oracle_random_next(&r) & 1;
		if (depth[i] >= first && depth[i] <= last)
			expected[(guint)floor((depth[i] - first) * 256.0 / (last - first + 1.0))]++;
		if (mask[i] && (int)(i % width) >= rect.x0 && (int)(i % width) < rect.x1 && (int)(i / width) >= rect.y0 &&
			(int)(i / width) < rect.y1) {
			min = MIN(min, depth[i]);
			max = MAX(max, depth[i]);
		}
	}
	ck_assert_int_eq(qs_depth_range(&image, &rect, mask, &low, &high), max >= 0);
	if (max >= 0) {
		ck_assert_int_eq(low, min);
		ck_assert_int_eq(high, max);
	}
	qs_depth_histogram(&image, first, last, bins);
	for (guint i = 0; i < QS_DEPTH_BINS; i++)
		ck_assert_msg(bins[i] == expected[i], "bin %u of %06x..%06x: %u, expected %u", i, first, last, bins[i], expected[i]);
}
END_TEST

/* ---- textures ----------------------------------------------------------------------------------------------------------- */

static const char *const texture_captures[] = {"tex-i4", "tex-i8", "tex-ia4", "tex-rgb565", "tex-rgba8", "tex-cmpr", "tex-c4-ia8",
	"tex-c8-rgb5a3", "tex-c14x2-rgb5a3", "tex-mipmaps", "tmem-preload", "tex-npot", "tex-eight-maps", "tex-random"};

static guint check_sample(const char *name, struct qs_timeline *timeline, const struct qs_sample *s)
{
	struct qs_texture_level place;
	struct qs_texture texture;
	struct qs_error error = {0};

	if (!s->done)
		return 0;
	ck_assert(qs_timeline_texture(timeline, s->map, &texture, &error));
	for (guint i = 0; i < s->texel_count; i++) {
		const struct qs_texel *t = &s->texel[i];

		if (t->level && t->level >= texture.levels) { /* beyond 1x1: the same texel again, not listed */
			ck_assert_uint_eq(MAX(texture.width, texture.height) >> t->level, 0);
			continue;
		}
		ck_assert_msg(qs_timeline_texture_level(timeline, s->map, t->level, &place, &error), "%s: %s", name, error.text);
		ck_assert_int_eq(place.from_tmem, s->from_tmem);
		ck_assert_uint_lt((guint)t->s, place.width);
		ck_assert_uint_lt((guint)t->t, place.height);
		ck_assert_msg(qs_texture_texel_address(&place, (guint)t->s, (guint)t->t) == t->address,
			"%s map %u level %u texel %d,%d: %x, engine %x", name, s->map, t->level, t->s, t->t,
			qs_texture_texel_address(&place, (guint)t->s, (guint)t->t), t->address);
	}
	return s->texel_count;
}

START_TEST(texel_addresses)
{
	const char *name = texture_captures[_i];
	struct oracle_random r = random_start((uint64_t)_i);
	guint checked = 0;
	Open o = {0};

	open_sample(&o, name, QS_MODEL_HARDWARE);
	for (guint tries = 0; tries < 60; tries++) {
		const guint32 draws = qs_capture_frame(o.capture->capture, 1)->draw_count;
		struct qs_moment moment;
		struct qs_quad quad;
		guint32 quads;

		draw_moment(&o, (guint32)(oracle_random_next(&r) % draws), &moment);
		moment.primitive = (guint32)(oracle_random_next(&r) % MAX(qs_timeline_primitive_count(o.timeline, &moment), 1));
		moment.level = QS_LEVEL_PRIMITIVE;
		quads = qs_timeline_quad_count(o.timeline, &moment);
		if (!quads)
			continue;
		moment.level = QS_LEVEL_QUAD;
		moment.quad = (guint32)(oracle_random_next(&r) % quads);
		ck_assert(qs_timeline_seek(o.timeline, &moment, &o.error) && qs_timeline_quad(o.timeline, NULL, &quad, &o.error));
		for (guint f = 0; f < 4; f++)
			for (guint i = 0; i < quad.fragment[f].stage_count; i++)
				checked += check_sample(name, o.timeline, &quad.fragment[f].stage[i].sample);
	}
	ck_assert_msg(checked > 50, "%s: only %u texels", name, checked);
	close_sample(&o);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("canvas");
	TCase *setup = tcase_create("setup"), *depth = tcase_create("depth"), *textures = tcase_create("textures");
	SRunner *runner;
	int failed;

	printf("seed %" G_GUINT64_FORMAT "\n", (guint64)oracle_random_start().seed);
	tcase_set_timeout(setup, 120);
	tcase_set_timeout(textures, 120);
	tcase_add_loop_test(setup, setup_quads, 0, (int)G_N_ELEMENTS(setup_cases) * QS_MODEL_COUNT);
	tcase_add_test(setup, setup_gouraud);
	tcase_add_test(setup, setup_culled);
	tcase_add_loop_test(depth, depth_statistics, 0, 50);
	tcase_add_loop_test(textures, texel_addresses, 0, (int)G_N_ELEMENTS(texture_captures));
	suite_add_tcase(suite, setup);
	suite_add_tcase(suite, depth);
	suite_add_tcase(suite, textures);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
