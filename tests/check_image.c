/* check_image.c - comparing pictures, PNG files, damaged PNG files, buffers of a timeline
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <unistd.h>

#include "session.h"

static char *scratch(const char *name, char *buffer, size_t size)
{
	const char *build = getenv("QS_BUILDDIR");

	snprintf(buffer, size, "%s/%s.%ld", build ? build : ".", name, (long)getpid());
	return buffer;
}

static struct qs_image make_image(uint32_t width, uint32_t height)
{
	struct qs_image image = {.width = width, .height = height, .rgba = calloc((size_t)width * height, 4)};

	return image;
}

/* ---- comparing ---------------------------------------------------------------------------------------------------------- */

static const struct compare_case {
	const char *name;
	int b[2][4]; /* two pixels; a is 100 100 100 255, 10 20 30 255 */
	unsigned tolerance;
	uint64_t equal, within;
	unsigned maximum;
	double mean;
} compares[] = {
	{"equal", {{100, 100, 100, 255}, {10, 20, 30, 255}}, 0, 2, 2, 0, 0},
	{"one by one", {{101, 100, 100, 255}, {10, 20, 30, 255}}, 0, 1, 1, 1, 0.5},
	{"within", {{108, 92, 100, 255}, {10, 20, 30, 255}}, 8, 1, 2, 8, 4},
	{"just outside", {{109, 100, 100, 255}, {10, 20, 30, 255}}, 8, 1, 1, 9, 4.5},
	{"below", {{91, 100, 100, 255}, {10, 20, 38, 255}}, 8, 0, 1, 9, 8.5},
	{"largest channel counts", {{101, 103, 102, 255}, {10, 20, 30, 255}}, 2, 1, 1, 3, 1.5},
	{"alpha does not count", {{100, 100, 100, 0}, {10, 20, 30, 7}}, 0, 2, 2, 0, 0},
	{"all the way", {{255, 255, 255, 255}, {255, 255, 255, 255}}, 8, 0, 0, 245, 200},
};

START_TEST(compare_table)
{
	const struct compare_case *c = &compares[_i];
	static const uint8_t base[8] = {100, 100, 100, 255, 10, 20, 30, 255};
	struct qs_image a = make_image(2, 1), b = make_image(2, 1), difference;
	struct qs_image_difference d;
	struct qs_error error = {0};

	memcpy(a.rgba, base, 8);
	for (int i = 0; i < 8; i++)
		b.rgba[i] = (uint8_t)c->b[i / 4][i % 4];
	ck_assert(qs_image_compare(&a, &b, c->tolerance, &d, &difference, &error));
	ck_assert_msg(d.pixels == 2 && d.equal == c->equal && d.within == c->within && d.maximum == c->maximum && d.mean == c->mean,
		"%s: equal %" PRIu64 " within %" PRIu64 " max %u mean %g", c->name, d.equal, d.within, d.maximum, d.mean);
	for (int i = 0; i < 2; i++) { /* the difference is black exactly where nothing differs */
		bool black = !(difference.rgba[4 * i] | difference.rgba[4 * i + 1] | difference.rgba[4 * i + 2]);
		ck_assert_msg(black == !memcmp(a.rgba + 4 * i, b.rgba + 4 * i, 3), "%s: pixel %d of the difference", c->name, i);
	}
	ck_assert(qs_image_compare(&b, &a, c->tolerance, &d, NULL, NULL));
	ck_assert_uint_eq(d.within, c->within);
	qs_image_finish(&a);
	qs_image_finish(&b);
	qs_image_finish(&difference);
	ck_assert_ptr_null(difference.rgba);
	qs_image_finish(&difference);
	qs_image_finish(NULL);
}
END_TEST

START_TEST(sizes_must_agree)
{
	struct qs_image a = make_image(3, 2), b = make_image(2, 3);
	struct qs_image_difference d;
	struct qs_error error = {0};

	ck_assert(!qs_image_compare(&a, &b, 0, &d, NULL, &error));
	ck_assert_int_eq((int)error.code, QS_ERR_RANGE);
	ck_assert(strstr(error.text, "3x2") && strstr(error.text, "2x3"));
	qs_image_finish(&a);
	qs_image_finish(&b);
}
END_TEST

/* ---- PNG ---------------------------------------------------------------------------------------------------------------- */

static const struct {
	uint32_t width, height;
} sizes[] = {{1, 1}, {1, 7}, {640, 528}, {3, 5}, {1024, 2}};

START_TEST(png_round_trip)
{
	struct oracle_random random = oracle_random_start();
	struct qs_image a = make_image(sizes[_i].width, sizes[_i].height), b;
	struct qs_error error = {0};
	size_t bytes = (size_t)a.width * a.height * 4;
	char path[600];

	for (size_t i = 0; i < bytes; i++)
		a.rgba[i] = (uint8_t)oracle_random_next(&random);
	scratch("check_image.png", path, sizeof path);
	ck_assert_msg(qs_image_write_png(&a, path, &error), "%s", error.text);
	ck_assert_msg(qs_image_read_png(&b, path, &error), "%s", error.text);
	ck_assert_uint_eq(a.width, b.width);
	ck_assert_uint_eq(a.height, b.height);
	ck_assert_int_eq(memcmp(a.rgba, b.rgba, bytes), 0);
	unlink(path);
	qs_image_finish(&a);
	qs_image_finish(&b);
}
END_TEST

/* Reference pictures are 8-bit RGB without alpha. */
START_TEST(png_without_alpha)
{
	struct qs_image image;
	struct qs_error error = {0};
	char path[700];

	snprintf(path, sizeof path, "%s/captures/triangle-gouraud.swr.png", getenv("QS_DATA") ? getenv("QS_DATA") : "data");
	ck_assert_msg(qs_image_read_png(&image, path, &error), "%s", error.text);
	ck_assert_uint_eq(image.width, 640);
	ck_assert_uint_eq(image.height, 480);
	ck_assert_uint_eq(image.rgba[3], 255);
	ck_assert_ptr_null(image.depth);
	qs_image_finish(&image);
}
END_TEST

static uint8_t *file_bytes(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	uint8_t *bytes = malloc(1 << 20);

	*size = f ? fread(bytes, 1, 1 << 20, f) : 0;
	if (f)
		fclose(f);
	return bytes;
}

static void write_bytes(const char *path, const uint8_t *bytes, size_t size)
{
	FILE *f = fopen(path, "wb");

	ck_assert(f != NULL);
	ck_assert_uint_eq(fwrite(bytes, 1, size, f), size);
	fclose(f);
}

/* Every way to damage a small file: cut at every length, every byte inverted.  The reader must refuse it or give a picture of
 * the size it names; an error always has a text. */
START_TEST(damaged_png)
{
	struct qs_image a = make_image(9, 5), b;
	struct qs_error error;
	char good[600], bad[600];
	size_t size, refused = 0;

	for (size_t i = 0; i < 9 * 5 * 4; i++)
		a.rgba[i] = (uint8_t)(i * 37);
	scratch("check_image.good.png", good, sizeof good);
	scratch("check_image.bad.png", bad, sizeof bad);
	ck_assert(qs_image_write_png(&a, good, &error));
	uint8_t *bytes = file_bytes(good, &size);
	ck_assert_uint_gt(size, 60);
	for (size_t i = 0; i < 2 * size; i++) {
		bool cut = i < size;
		memset(&error, 0, sizeof error);
		if (!cut)
			bytes[i - size] ^= 0xFF;
		write_bytes(bad, bytes, cut ? i : size);
		if (!cut)
			bytes[i - size] ^= 0xFF;
		bool ok = qs_image_read_png(&b, bad, &error);
		if (ok) {
			ck_assert_msg(b.rgba && b.width && b.height, "case %zu", i);
		} else {
			ck_assert_msg(error.code == QS_ERR_FORMAT && strstr(error.text, bad) && !b.rgba, "case %zu: \"%s\"", i, error.text);
			refused++;
		}
		ck_assert_msg(!ok || !cut || i + 12 >= size, "a file cut to %zu of %zu bytes was read", i, size);
		qs_image_finish(&b);
	}
	ck_assert_uint_gt(refused, size);
	free(bytes);
	unlink(good);
	unlink(bad);
	qs_image_finish(&a);
}
END_TEST

START_TEST(png_errors)
{
	struct qs_image image = {0}, one = make_image(1, 1);
	struct qs_error error = {0};

	ck_assert(!qs_image_read_png(&image, "/nowhere/at/all.png", &error));
	ck_assert_int_eq((int)error.code, QS_ERR_IO);
	ck_assert(strstr(error.text, "/nowhere/at/all.png") != NULL);
	ck_assert(!qs_image_write_png(&one, "/nowhere/at/all.png", &error));
	ck_assert_int_eq((int)error.code, QS_ERR_IO);
	ck_assert(!qs_image_write_png(&image, "x.png", &error));
	ck_assert_int_eq((int)error.code, QS_ERR_RANGE);
	if (access("/dev/full", W_OK) == 0) {
		ck_assert(!qs_image_write_png(&one, "/dev/full", &error));
		ck_assert_int_eq((int)error.code, QS_ERR_IO);
	}
	qs_image_finish(&one);
}
END_TEST

/* ---- buffers ------------------------------------------------------------------------------------------------------------ */

START_TEST(buffer_names)
{
	for (unsigned i = 0; i < QS_BUFFER_COUNT; i++) {
		enum qs_buffer b;
		ck_assert(qs_buffer_parse(qs_buffer_name((enum qs_buffer)i), &b));
		ck_assert_uint_eq((unsigned)b, i);
	}
	enum qs_buffer none;
	ck_assert(!qs_buffer_parse("nothing", &none));
}
END_TEST

/* Colour, alpha and depth show the EFB pixel by pixel; a FRAME moment shows what its display copy read. */
START_TEST(buffers_show_pixels)
{
	struct session s;
	struct qs_error error = {0};
	struct qs_image colour, alpha, depth;

	open_walked(&s, _i);
	struct qs_moment m = random_moment(&s, QS_LEVEL_QUAD), frame = {.level = QS_LEVEL_FRAME, .frame = m.frame};
	ck_assert(qs_timeline_image(s.t, QS_BUFFER_COLOR, &colour, &error));
	ck_assert(qs_timeline_image(s.t, QS_BUFFER_ALPHA, &alpha, &error));
	ck_assert(qs_timeline_image(s.t, QS_BUFFER_DEPTH, &depth, &error));
	ck_assert_ptr_nonnull(depth.depth);
	for (int i = 0; i < 640 * 528; i++) {
		uint8_t rgba[4];
		uint32_t z;
		ck_assert(qs_timeline_pixel(s.t, i % 640, i / 640, rgba, &z));
		if (memcmp(rgba, colour.rgba + 4 * i, 4) || alpha.rgba[4 * i] != rgba[3] || depth.depth[i] != z)
			ck_abort_msg("%s at %s: pixel %d,%d", s.name, text(&s, &m), i % 640, i / 640);
	}
	qs_image_finish(&colour);
	qs_image_finish(&alpha);
	qs_image_finish(&depth);
	/* the last command of these frames is the display copy */
	seek(&s, &frame);
	ck_assert(qs_timeline_image(s.t, QS_BUFFER_COLOR, &colour, &error));
	uint32_t copy = qs_timeline_moment(s.t)->command;
	while (qs_capture_command(s.capture, copy)->kind != QS_COMMAND_COPY)
		copy--;
	ck_assert(qs_moment_of_command(s.capture, copy - 1, &m));
	seek(&s, &m);
	ck_assert(qs_timeline_image(s.t, QS_BUFFER_COLOR, &alpha, &error));
	ck_assert_msg(!memcmp(colour.rgba, alpha.rgba, 640 * 528 * 4), "%s: the frame does not show what was copied", s.name);
	qs_image_finish(&colour);
	qs_image_finish(&alpha);
	close_session(&s);
}
END_TEST

START_TEST(no_display_copy_yet)
{
	struct session s;
	struct qs_error error = {0};
	struct qs_image image;

	open_walked(&s, 1);
	ck_assert(!qs_timeline_image(s.t, QS_BUFFER_XFB, &image, &error));
	ck_assert_int_eq((int)error.code, QS_ERR_RANGE);
	ck_assert(!qs_timeline_image(s.t, QS_BUFFER_COPY, &image, &error));
	ck_assert(!qs_timeline_image(s.t, QS_BUFFER_COUNT, &image, &error));
	ck_assert(qs_timeline_image(s.t, QS_BUFFER_COVERAGE, &image, &error)); /* nothing is covered */
	for (int i = 0; i < 640 * 528; i++)
		ck_assert_uint_eq(image.depth[i], 0);
	qs_image_finish(&image);
	close_session(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("image");
	TCase *tcase = tcase_create("image");

	tcase_set_timeout(tcase, 300);
	tcase_add_loop_test(tcase, compare_table, 0, sizeof compares / sizeof *compares);
	tcase_add_test(tcase, sizes_must_agree);
	tcase_add_loop_test(tcase, png_round_trip, 0, sizeof sizes / sizeof *sizes);
	tcase_add_test(tcase, png_without_alpha);
	tcase_add_test(tcase, damaged_png);
	tcase_add_test(tcase, png_errors);
	tcase_add_test(tcase, buffer_names);
	tcase_add_loop_test(tcase, buffers_show_pixels, 0, WALKED);
	tcase_add_test(tcase, no_display_copy_yet);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
