/* check_xfb.c - display copies: 4:2:2 and back, vertical scale, fields, what stays in memory and in the display
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>

#include "gx/pe.h"
#include "oracle/copy_oracle.h"
#include "tevpe.h"

#define COUNT(table) ((int)(sizeof table / sizeof *table))
#define DESTINATION 0x8000u

/* ---- 4:2:2 -------------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	uint8_t rgb[4][3];
	uint8_t yuyv[8];
} lines[] = {
	{"white", {{255, 255, 255}, {255, 255, 255}, {255, 255, 255}, {255, 255, 255}}, {235, 128, 235, 128, 235, 128, 235, 128}},
	{"red", {{255, 0, 0}, {255, 0, 0}, {255, 0, 0}, {255, 0, 0}}, {82, 90, 82, 240, 82, 90, 82, 240}},
	/* U of blue 112, of black 0: first pair (112 + 2*112 + 0) >> 2, second pair 0 */
	{"blue at the border", {{0, 0, 255}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {41, 212, 16, 114, 16, 128, 16, 128}},
	/* a blue odd pixel reaches both its own pair and the next one: 112 >> 2 */
	{"blue in the middle", {{0, 0, 0}, {0, 0, 255}, {0, 0, 0}, {0, 0, 0}}, {16, 156, 41, 123, 16, 156, 16, 123}},
	/* the last odd pixel reaches its own pair only */
	{"green at the end", {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 255, 0}}, {16, 128, 16, 128, 16, 109, 144, 104}},
};

START_TEST(line_case)
{
	uint8_t yuyv[8];

	gx_xfb_line(&lines[_i].rgb[0][0], 4, yuyv);
	for (unsigned i = 0; i < 8; i++)
		ck_assert_msg(yuyv[i] == lines[_i].yuyv[i], "%s: byte %u is %u", lines[_i].name, i, yuyv[i]);
}
END_TEST

/* Odd and tiny widths stay inside their buffers. */
START_TEST(odd_widths)
{
	uint8_t rgb[3 * 5] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9, 200, 100, 50};

	for (uint32_t width = 0; width <= 5; width++) {
		uint8_t *yuyv = malloc(2 * width + 1), *rgba = malloc(4 * width + 1);
		yuyv[2 * width] = rgba[4 * width] = 0xA5;
		gx_xfb_line(rgb, width, yuyv);
		gx_xfb_decode(yuyv, width, 1, rgba);
		ck_assert_int_eq(yuyv[2 * width], 0xA5);
		ck_assert_int_eq(rgba[4 * width], 0xA5);
		free(yuyv);
		free(rgba);
	}
}
END_TEST

/* Annex step 6 in double precision: one level of rounding noise at whole numbers. */
START_TEST(decode_all)
{
	for (int u = 0; u < 256; u += 3)
		for (int v = 0; v < 256; v += 5)
			for (int y = 0; y < 256; y += 7) {
				uint8_t yuyv[4] = {(uint8_t)y, (uint8_t)u, (uint8_t)(255 - y), (uint8_t)v}, rgba[8];

				gx_xfb_decode(yuyv, 2, 1, rgba);
				for (int k = 0; k < 2; k++) {
					double yy = 1.164 * (yuyv[2 * k] - 16);
					double exact[3] = {yy + 1.596 * (v - 128), yy - 0.392 * (u - 128) - 0.813 * (v - 128),
						yy + 2.017 * (u - 128)};
					for (int c = 0; c < 3; c++) {
						double low = trunc(exact[c] - 1e-4), high = trunc(exact[c] + 1e-4);
						int got = rgba[4 * k + c];
						low = low < 0 ? 0 : low > 255 ? 255 : low;
						high = high < 0 ? 0 : high > 255 ? 255 : high;
						expect(got >= low && got <= high, "y %d u %d v %d channel %d: %d", y, u, v, c, got);
					}
				}
			}
}
END_TEST

/* ---- display copies ----------------------------------------------------------------------------------------------------- */

static void display_registers(struct gx_machine *m, int x, int y, int w, int h, uint32_t command, uint32_t scale)
{
	uint32_t *bp = m->state.bp;

	test_registers(m);
	bp[0x49] = (uint32_t)x | (uint32_t)y << 10;
	bp[0x4A] = (uint32_t)(w - 1) | (uint32_t)(h - 1) << 10;
	bp[0x4B] = DESTINATION >> 5;
	bp[0x4D] = 1280 / 32;
	bp[0x4E] = scale;
	bp[0x52] = command | 1 << 14;
	bp[0x53] = 21u << 12 | 22u << 18;
	bp[0x54] = 21;
}

/* Lines of a display copy: 1 + (h-1)*scale. */
static const struct {
	const char *name;
	int lines;
	uint32_t scale;
	bool inverse;
	uint32_t expected;
} heights[] = {
	{"unscaled", 480, 256, false, 480},
	{"unscaled, inverse", 480, 256, true, 480},
	{"240 to twice as many", 240, 128, true, 479},
	{"480 to 528: scale 232", 480, 232, true, 529},
	{"one line", 1, 128, true, 1},
	{"halved", 480, 128, false, 240},
	{"a scale of 0 is none", 100, 0, true, 100},
	{"never above 1024", 1024, 1, true, 1024},
};

START_TEST(height_case)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);

	display_registers(m, 0, 0, 16, heights[_i].lines, heights[_i].inverse ? 1 << 10 : 0, heights[_i].scale);
	gx_copy(m);
	ck_assert_ptr_nonnull(m->display);
	ck_assert_msg(m->display->height == heights[_i].expected, "%s: %u", heights[_i].name, m->display->height);
	ck_assert_uint_eq(m->display->width, 16);
	gx_machine_destroy(m);
}
END_TEST

/* The display keeps the EFB as it was read; memory gets the lines at the stride. */
START_TEST(before_the_clear)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	struct gx_display *first;

	display_registers(m, 0, 0, 4, 2, 1 << 11 | 3, 256);
	m->state.bp[0x40] = 0x10;
	m->state.bp[0x4F] = 0xFF11;
	m->state.bp[0x50] = 0x2233;
	m->command = 7;
	memset(m->memory.mem1, 0x5A, m->memory.mem1_size);
	for (unsigned x = 0; x < 4; x++)
		m->efb->colour[x] = 0xFFFFFF;
	gx_copy(m);
	first = m->display;
	ck_assert_uint_eq(first->command, 7);
	ck_assert_uint_eq(first->efb.colour[3], 0xFFFFFF);
	ck_assert_uint_eq(m->efb->colour[3], 0x112233);
	ck_assert_int_eq(first->rgb[0], 255);
	ck_assert_int_eq(m->memory.mem1[DESTINATION], 235);
	ck_assert_int_eq(m->memory.mem1[DESTINATION + 7], 128);
	ck_assert_int_eq(m->memory.mem1[DESTINATION + 8], 0x5A);
	ck_assert_int_eq(m->memory.mem1[DESTINATION + 1280], 16);
	/* a second copy makes a display of its own; whoever holds the first keeps it */
	first->references++;
	gx_copy(m);
	ck_assert_ptr_ne(m->display, first);
	ck_assert_uint_eq(first->references, 1);
	ck_assert_uint_eq(first->efb.colour[3], 0xFFFFFF);
	ck_assert_int_eq(m->display->rgb[0], 0x11);
	gx_display_unref(first);
	gx_machine_destroy(m);
}
END_TEST

static void random_display(struct gx_machine *m, struct oracle_random *r)
{
	static const uint8_t types[] = {0, 1, 1, 2, 3};
	uint32_t command = oracle_random_next(r) & (3u << 7 | 1u << 10 | 3u << 12 | 3);

	display_registers(m, (int)oracle_random_below(r, 300) * 2, (int)oracle_random_below(r, 500),
		2 + 2 * (int)oracle_random_below(r, 30), 1 + (int)oracle_random_below(r, 60), command,
		oracle_random_below(r, 3) ? 128 + oracle_random_below(r, 129) : 256);
	m->state.bp[0x43] = types[oracle_random_below(r, 5)];
	if (oracle_random_below(r, 2)) {
		m->state.bp[0x53] = oracle_random_next(r) & 0xFFFFFF;
		m->state.bp[0x54] = oracle_random_next(r) & 0x3FFFF;
	}
}

struct listener {
	struct gx_machine *m;
	const struct copy_oracle *o;
	struct oracle_random *r;
	unsigned pixels, blended;
};

static bool hear_copy(void *user, const struct qs_moment *moment, const struct qs_copy *copy)
{
	struct listener *l = user;

	(void)moment;
	for (unsigned n = 0; n < 20 && copy->height; n++) {
		int x = (int)oracle_random_below(l->r, copy->width), y = (int)oracle_random_below(l->r, copy->height), rgb[3], yuv[3], pair[2];
		struct qs_copy_texel texel;

		expect(gx_copy_texel(l->m, (uint32_t)x, (uint32_t)y, &texel), "pixel %d,%d", x, y);
		copy_oracle_rgb(l->o, x, y, rgb);
		copy_oracle_yuv(rgb, yuv);
		copy_oracle_yuyv(l->o, x, y, pair);
		for (unsigned c = 0; c < 3; c++)
			expect(texel.rgba[c] == rgb[c] && texel.converted[c] == yuv[c], "pixel %d,%d channel %u: %u %u, not %d %d", x, y, c,
				texel.rgba[c], texel.converted[c], rgb[c], yuv[c]);
		expect(texel.bytes[0] == pair[0] && texel.bytes[1] == pair[1], "pixel %d,%d: bytes %u %u, not %d %d", x, y, texel.bytes[0],
			texel.bytes[1], pair[0], pair[1]);
		l->blended += texel.pixel_count == 2;
		l->pixels++;
	}
	return true;
}

START_TEST(random_displays)
{
	struct oracle_random r = oracle_random_start();
	struct gx_machine *m = test_machine((enum qs_model)_i);
	struct copy_oracle o = {
		.bp = m->state.bp,
		.colour = m->efb->colour,
		.depth = m->efb->depth,
		.sample = {m->quirk[GX_QUIRK_multisample] ? m->samples->colour[0] : NULL, m->samples->colour[1]},
		.keep_24_bits = !m->quirk[GX_QUIRK_z16],
		.wrap = m->quirk[GX_QUIRK_filter_wrap],
		.round_gamma = m->quirk[GX_QUIRK_gamma_round],
		.lines_ignored = !m->quirk[GX_QUIRK_field_lines],
		.nearest = !m->quirk[GX_QUIRK_yscale_filter],
		.shifted = m->quirk[GX_QUIRK_display_copy_x],
		.colour_of_z24 = !m->quirk[GX_QUIRK_display_copy_z],
	};

	for (size_t i = 0; i < GX_EFB_WIDTH * GX_EFB_HEIGHT; i++) {
		m->efb->colour[i] = oracle_random_next(&r) >> 8;
		m->efb->depth[i] = oracle_random_next(&r) >> 8;
		m->samples->colour[0][i] = oracle_random_next(&r) >> 8;
		m->samples->colour[1][i] = oracle_random_next(&r) >> 8;
	}
	struct listener listener = {.m = m, .o = &o, .r = &r};
	const struct qs_taps taps = {.mask = QS_TAP_COPY, .user = &listener, .copy = hear_copy};

	m->taps = &taps;
	for (unsigned n = 0; n < 60; n++) {
		const struct gx_display *d;

		random_display(m, &r);
		gx_display_unref(m->display);
		m->display = NULL;
		gx_copy(m);
		d = m->display;
		expect((int)(d ? d->height : 0) == copy_oracle_lines(&o), "seed %llu copy %u: %u lines, not %d", (unsigned long long)r.seed,
			n, d ? d->height : 0, copy_oracle_lines(&o));
		for (unsigned y = 0; d && y < d->height; y++)
			for (unsigned x = 0; x < d->width; x++) {
				const uint8_t *bytes = &d->yuyv[2 * (y * d->width + x)], *memory;
				int rgb[3], pair[2];

				copy_oracle_rgb(&o, (int)x, (int)y, rgb);
				copy_oracle_yuyv(&o, (int)x, (int)y, pair);
				for (unsigned c = 0; c < 3; c++)
					expect(d->rgb[3 * (y * d->width + x) + c] == rgb[c], "seed %llu copy %u: (%u, %u) channel %u is %d, not %d",
						(unsigned long long)r.seed, n, x, y, c, d->rgb[3 * (y * d->width + x) + c], rgb[c]);
				expect(bytes[0] == pair[0] && bytes[1] == pair[1], "seed %llu copy %u: (%u, %u) is %u %u, not %d %d",
					(unsigned long long)r.seed, n, x, y, bytes[0], bytes[1], pair[0], pair[1]);
				memory = &m->memory.mem1[DESTINATION + y * 1280 + 2 * x];
				expect(memory[0] == bytes[0] && memory[1] == bytes[1], "copy %u: (%u, %u) in memory", n, x, y);
			}
	}
	ck_assert_uint_gt(listener.pixels, 500);
	ck_assert(o.nearest || listener.blended > 50);
	gx_machine_destroy(m);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("xfb");
	TCase *tcase = tcase_create("xfb");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, line_case, 0, COUNT(lines));
	tcase_add_test(tcase, odd_widths);
	tcase_add_test(tcase, decode_all);
	tcase_add_loop_test(tcase, height_case, 0, COUNT(heights));
	tcase_add_test(tcase, before_the_clear);
	tcase_add_loop_test(tcase, random_displays, 0, QS_MODEL_COUNT);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
