/* check_compare.c - causes and first divergences: single quirks, pairs of models, and sets proven by drawing them again
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "session.h"

static struct qs_capture *open_shipped(const char *name)
{
	struct qs_error error = {0};
	char path[700];
	struct qs_capture *c = qs_capture_open(shipped(name, path, sizeof path), NULL, NULL, &error);

	ck_assert_msg(c != NULL, "%s: %s", name, error.text);
	return c;
}

static struct qs_timeline *side(struct qs_capture *c, enum qs_model model)
{
	struct qs_error error = {0};
	struct qs_timeline *t = qs_timeline_create(c, &error);

	ck_assert_msg(t != NULL, "%s", error.text);
	qs_timeline_set_model(t, model);
	return t;
}

static struct qs_comparison compare(struct qs_timeline *a, struct qs_timeline *b, uint32_t frame, enum qs_buffer buffer)
{
	struct qs_compare_options o = {.frame = frame, .buffer = buffer, .causes = true, .divergence = true};
	struct qs_error error = {0};
	struct qs_comparison r;
	struct qs_source sa, sb;

	qs_source_timeline(&sa, a, "a");
	qs_source_timeline(&sb, b, "b");
	ck_assert_msg(qs_compare(&sa, &sb, &o, &r, &error), "%s", error.text);
	return r;
}

/* ---- one quirk at a time -------------------------------------------------------------------------------------------------- */

static const struct {
	const char *capture, *quirk;
	int value;
	enum qs_class kind;
	enum qs_stage_unit unit;
} singles[] = {
	{"triangle-gouraud", "attribute_point", 1, QS_CLASS_INTERPOLATION, QS_AT_INTERPOLATION},
	{"lines-widths", "sample_point", 1, QS_CLASS_FILL_RULE, QS_AT_COVERAGE},
	{"perspective-cube", "colour_perspective", 0, QS_CLASS_INTERPOLATION, QS_AT_INTERPOLATION},
	{"clipping", "clip_far", 0, QS_CLASS_CLIP, QS_AT_COVERAGE},
	{"tex-wrap", "bilinear", 1, QS_CLASS_SAMPLING, QS_AT_TEXTURE},
	{"tex-mipmaps", "trilinear", 1, QS_CLASS_SAMPLING, QS_AT_TEXTURE},
	{"tex-wrap", "st_convert", 1, QS_CLASS_ROUNDING, QS_AT_INTERPOLATION},
	{"indirect-formats", "dynamic_indirect", 1, QS_CLASS_ROUNDING, QS_AT_TEXTURE},
	{"fog-exp", "fog_round", 0, QS_CLASS_ROUNDING, QS_AT_FOG},
	{"blend-factors", "blend_round", 1, QS_CLASS_BLEND, QS_AT_BLEND},
	{"z16-rgb565", "z16", 0, QS_CLASS_FORMAT, QS_AT_DITHER},
	{"copy-i8", "intensity_round", 0, QS_CLASS_ROUNDING, QS_AT_COPY},
	{"copy-random", "texture_copy_filter", 0, QS_CLASS_SAMPLING, QS_AT_COPY},
	{"display-copy-yscale", "yscale_filter", 0, QS_CLASS_SAMPLING, QS_AT_COPY},
	{"primitives-all", "quads2", 1, QS_CLASS_FORMAT, QS_AT_VERTEX},
	{"triangle-gouraud", "projection_z", 1, QS_CLASS_NONE, QS_AT_NOTHING}, /* not to be seen: equal */
};

START_TEST(single)
{
	struct qs_capture *c = open_shipped(singles[_i].capture);
	struct qs_timeline *a = side(c, QS_MODEL_HARDWARE), *b = side(c, QS_MODEL_HARDWARE);
	struct qs_error error = {0};
	struct qs_comparison r;
	char where[200];

	snprintf(where, sizeof where, "%s, %s = %d", singles[_i].capture, singles[_i].quirk, singles[_i].value);
	ck_assert_msg(qs_timeline_set_quirk(b, singles[_i].quirk, singles[_i].value, &error), "%s", error.text);
	r = compare(a, b, 1, QS_BUFFER_COUNT);
	if (singles[_i].kind == QS_CLASS_NONE) {
		ck_assert_msg(r.equal && !r.cause_count && !r.first.found, "%s: not equal", where);
	} else {
		ck_assert_msg(!r.equal, "%s: equal", where);
		ck_assert_msg(r.explained && r.cause_count == 1, "%s: %u causes", where, r.cause_count);
		ck_assert_msg(!strcmp(r.cause[0].name, singles[_i].quirk), "%s: cause %s", where, r.cause[0].name);
		ck_assert_int_eq(r.cause[0].b, singles[_i].value);
		ck_assert_msg(r.cause[0].kind == singles[_i].kind, "%s: %s", where, qs_class_name((enum qs_class)r.cause[0].kind));
		ck_assert_uint_eq(r.cause[0].pixels, r.colour.pixels - r.colour.equal);
		ck_assert_msg(r.first.found && r.first.unit == singles[_i].unit, "%s: first in %s: %s", where,
			qs_stage_unit_name((enum qs_stage_unit)r.first.unit), r.first.text);
		ck_assert_uint_eq(r.first.kind, singles[_i].kind);
		ck_assert(*r.first.text);
	}
	/* the quirks are as they were */
	for (uint32_t i = 0; i < qs_quirk_count(); i++)
		ck_assert_int_eq(qs_timeline_quirk(a, qs_quirk_at(i)->name), qs_quirk_at(i)->value[QS_MODEL_HARDWARE]);
	qs_comparison_finish(&r);
	qs_timeline_destroy(a);
	qs_timeline_destroy(b);
	qs_capture_destroy(c);
}
END_TEST

/* ---- models --------------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *capture;
	uint32_t frame;
	enum qs_model a, b;
	const char *causes; /* in the order of the table, " " between; NULL: equal */
} pairs[] = {
	{"triangle-gouraud", 1, QS_MODEL_HARDWARE, QS_MODEL_HARDWARE, NULL},
	{"triangle-gouraud", 1, QS_MODEL_HARDWARE, QS_MODEL_DOLPHIN, "attribute_point"},
	{"tex-wrap", 1, QS_MODEL_HARDWARE, QS_MODEL_DOLPHIN, "attribute_point st_convert"},
	{"copy-i8", 1, QS_MODEL_HARDWARE, QS_MODEL_DOLPHIN, "attribute_point intensity_round"},
	{"indirect-formats", 1, QS_MODEL_HARDWARE, QS_MODEL_DOLPHIN, "attribute_point dynamic_indirect"},
	{"animation-six-frames", 3, QS_MODEL_HARDWARE, QS_MODEL_DOLPHIN, "sample_point attribute_point"},
	{"display-copy-filter", 4, QS_MODEL_HARDWARE, QS_MODEL_DOLPHIN, NULL},
	{"blend-factors", 1, QS_MODEL_HARDWARE, QS_MODEL_PUREIKYUBU, "sample_point attribute_point blend_round alpha_one"},
};

START_TEST(models)
{
	struct qs_capture *c = open_shipped(pairs[_i].capture);
	struct qs_timeline *a = side(c, pairs[_i].a), *b = side(c, pairs[_i].b);
	struct qs_comparison r = compare(a, b, pairs[_i].frame, QS_BUFFER_COUNT);
	char causes[512] = "";

	for (uint32_t i = 0; i < r.cause_count; i++)
		snprintf(causes + strlen(causes), sizeof causes - strlen(causes), "%s%s", i ? " " : "", r.cause[i].name);
	ck_assert_msg(r.equal == !pairs[_i].causes, "%s frame %u: equal %d", pairs[_i].capture, pairs[_i].frame, r.equal);
	ck_assert_msg(!strcmp(causes, pairs[_i].causes ? pairs[_i].causes : ""), "%s frame %u: %s", pairs[_i].capture, pairs[_i].frame, causes);
	ck_assert_int_eq(r.explained, pairs[_i].causes != NULL);
	qs_comparison_finish(&r);
	qs_timeline_destroy(a);
	qs_timeline_destroy(b);
	qs_capture_destroy(c);
}
END_TEST

/* ---- proven again, from nothing ------------------------------------------------------------------------------------------- */

/* The picture of a model with the quirks that the mask of causes names. */
static struct qs_image drawn_with(struct qs_capture *c, enum qs_model model, const struct qs_comparison *r, uint32_t mask)
{
	struct qs_moment end = {.level = QS_LEVEL_FRAME, .frame = 1};
	struct qs_timeline *t = side(c, model);
	struct qs_error error = {0};
	struct qs_image image;

	for (uint32_t i = 0; i < r->cause_count; i++)
		if (mask >> i & 1)
			ck_assert(qs_timeline_set_quirk(t, r->cause[i].name, r->cause[i].b, &error));
	ck_assert_msg(qs_timeline_seek(t, &end, &error), "%s", error.text);
	ck_assert_msg(qs_timeline_image(t, r->buffer, &image, &error), "%s", error.text);
	qs_timeline_destroy(t);
	return image;
}

static bool same(const struct qs_image *a, const struct qs_image *b)
{
	return a->width == b->width && a->height == b->height && !memcmp(a->rgba, b->rgba, (size_t)a->width * a->height * 4);
}

/* The set makes the pictures equal, and none of it can be left out; the first divergence's pixel is what it says. */
START_TEST(proof)
{
	static const char *const captures[] = {"fog-linear", "z-texture", "tex-random"};
	struct qs_capture *c = open_shipped(captures[_i]);
	struct qs_timeline *a = side(c, QS_MODEL_HARDWARE), *b = side(c, QS_MODEL_DOLPHIN);
	struct qs_comparison r = compare(a, b, 1, QS_BUFFER_COUNT);
	uint32_t all = (1u << r.cause_count) - 1;
	struct qs_image image;

	ck_assert_msg(!r.equal && r.explained && r.cause_count, "%s", captures[_i]);
	image = drawn_with(c, QS_MODEL_HARDWARE, &r, all);
	ck_assert_msg(same(&image, &r.b), "%s: the set does not explain it", captures[_i]);
	qs_image_finish(&image);
	for (uint32_t i = 0; i < r.cause_count; i++) {
		image = drawn_with(c, QS_MODEL_HARDWARE, &r, all & ~(1u << i));
		ck_assert_msg(!same(&image, &r.b), "%s: %s is not needed", captures[_i], r.cause[i].name);
		ck_assert_uint_gt(r.cause[i].pixels, 0);
		ck_assert_msg(r.cause[i].kind != QS_CLASS_NONE, "%s: %s has no class", captures[_i], r.cause[i].name);
		qs_image_finish(&image);
	}
	ck_assert(r.first.found && r.first.operand_count > 0);
	if (r.first.moment.level == QS_LEVEL_FRAGMENT && !r.first.only_b) {
		struct qs_error error = {0};
		struct qs_setup setup;
		struct qs_quad quad;

		ck_assert_msg(qs_timeline_seek(a, &r.first.moment, &error), "%s", error.text);
		ck_assert(qs_timeline_quad(a, &setup, &quad, &error));
		ck_assert_int_eq(quad.fragment[r.first.moment.fragment].x, r.first.x);
		ck_assert_int_eq(quad.fragment[r.first.moment.fragment].y, r.first.y);
	}
	qs_comparison_finish(&r);
	qs_timeline_destroy(a);
	qs_timeline_destroy(b);
	qs_capture_destroy(c);
}
END_TEST

/* ---- the rest ------------------------------------------------------------------------------------------------------------- */

static bool stop_at_once(double fraction, void *user)
{
	(void)fraction, (void)user;
	return false;
}

START_TEST(stops_and_classes)
{
	struct qs_capture *c = open_shipped("triangle-gouraud");
	struct qs_timeline *a = side(c, QS_MODEL_HARDWARE), *b = side(c, QS_MODEL_DOLPHIN);
	struct qs_compare_options o = {.frame = 1, .buffer = QS_BUFFER_COPY, .causes = true, .progress = stop_at_once};
	struct qs_error error = {0};
	struct qs_comparison r;
	struct qs_source sa, sb;

	qs_source_timeline(&sa, a, "a");
	qs_source_timeline(&sb, b, "b");
	ck_assert(!qs_compare(&sa, &sb, &o, &r, &error));
	ck_assert_int_eq(error.code, QS_ERR_CANCELLED);
	o.frame = 2;
	o.progress = NULL;
	ck_assert(!qs_compare(&sa, &sb, &o, &r, &error));
	o.frame = 1;
	o.tolerance = 1;
	ck_assert(qs_compare(&sa, &sb, &o, &r, &error));
	ck_assert(r.equal && r.colour.equal < r.colour.pixels);
	qs_comparison_finish(&r);
	qs_timeline_destroy(a);
	qs_timeline_destroy(b);
	qs_capture_destroy(c);
	ck_assert_int_eq(qs_quirk_class("no_such_quirk"), QS_CLASS_NONE);
	for (unsigned i = 0; i < QS_CLASS_COUNT; i++)
		ck_assert_str_ne(qs_class_name((enum qs_class)i), "?");
	for (unsigned i = 0; i < QS_AT_COUNT; i++)
		ck_assert_str_ne(qs_stage_unit_name((enum qs_stage_unit)i), "?");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("compare");
	TCase *tcase = tcase_create("compare");

	tcase_set_timeout(tcase, 300);
	tcase_add_loop_test(tcase, single, 0, (int)(sizeof singles / sizeof *singles));
	tcase_add_loop_test(tcase, models, 0, (int)(sizeof pairs / sizeof *pairs));
	tcase_add_loop_test(tcase, proof, 0, 3);
	tcase_add_test(tcase, stops_and_classes);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
