/* check_texfmt.c - texel formats: tables from the specification, tiles, sizes, palettes
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gx/machine.h"
#include "gx/texfmt.h"
#include "oracle/random.h"

/* ---- one texel of known bytes ------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	unsigned format, tlut_format;
	uint32_t s, t;
	uint8_t data[64];
	uint8_t rgba[4];
} texels[] = {
	{"I4 left texel is the high nibble", 0, 0, 0, 0, {0xA3}, {0xAA, 0xAA, 0xAA, 0xAA}},
	{"I4 right texel is the low nibble", 0, 0, 1, 0, {0xA3}, {0x33, 0x33, 0x33, 0x33}},
	{"I4 second row", 0, 0, 0, 1, {[4] = 0xF0}, {255, 255, 255, 255}},
	{"I8 alpha is intensity", 1, 0, 2, 0, {0, 0, 0x7B}, {0x7B, 0x7B, 0x7B, 0x7B}},
	{"I8 row of eight", 1, 0, 1, 3, {[25] = 9}, {9, 9, 9, 9}},
	{"IA4 alpha is the high nibble", 2, 0, 0, 0, {0x5C}, {0xCC, 0xCC, 0xCC, 0x55}},
	{"IA8 alpha is the first byte", 3, 0, 1, 0, {0, 0, 0x12, 0x34}, {0x34, 0x34, 0x34, 0x12}},
	{"RGB565 red", 4, 0, 0, 0, {0xF8, 0x00}, {255, 0, 0, 255}},
	{"RGB565 green low bit", 4, 0, 0, 0, {0x00, 0x20}, {0, 4, 0, 255}},
	{"RGB565 replication", 4, 0, 0, 0, {0x8C, 0x51}, {0x8C, 0x8A, 0x8C, 255}},
	{"RGB5A3 opaque", 5, 0, 0, 0, {0xFC, 0x01}, {255, 0, 8, 255}},
	{"RGB5A3 alpha 0", 5, 0, 0, 0, {0x0F, 0x0F}, {255, 0, 255, 0}},
	{"RGB5A3 alpha 5 of 7", 5, 0, 0, 0, {0x51, 0x23}, {0x11, 0x22, 0x33, 0xB6}},
	{"RGB5A3 alpha 7 of 7", 5, 0, 0, 0, {0x70, 0x00}, {0, 0, 0, 255}},
	{"RGBA8 two lines", 6, 0, 1, 0, {[2] = 4, [3] = 1, [34] = 2, [35] = 3}, {1, 2, 3, 4}},
	{"RGBA8 last texel", 6, 0, 3, 3, {[30] = 9, [31] = 8, [62] = 7, [63] = 6}, {8, 7, 6, 9}},
	{"C4 IA8 palette", 8, 0, 1, 0, {0x02}, {0x21, 0x21, 0x21, 0x20}},
	{"C4 high nibble", 8, 0, 0, 0, {0x30}, {0x31, 0x31, 0x31, 0x30}},
	{"C8 RGB565 palette", 9, 1, 0, 0, {0x01}, {0x10, 0x00, 0x8C, 255}},
	{"C8 RGB5A3 palette", 9, 2, 0, 0, {0x01}, {0x00, 0x11, 0x11, 0x24}},
	{"C8 reserved palette format", 9, 3, 0, 0, {0x01}, {0, 0, 0, 0}},
	{"C14X2 ignores the upper bits", 10, 0, 0, 0, {0xC0, 0x05}, {0x51, 0x51, 0x51, 0x50}},
	{"CMPR colour 0", 14, 0, 0, 0, {0xF8, 0x00, 0x00, 0x1F, 0x00}, {255, 0, 0, 255}},
	{"CMPR colour 1", 14, 0, 0, 0, {0xF8, 0x00, 0x00, 0x1F, 0x40}, {0, 0, 255, 255}},
	{"fact 47: CMPR 5/8 and 3/8", 14, 0, 0, 0, {0xF8, 0x00, 0x00, 0x1F, 0x80}, {159, 0, 95, 255}},
	{"fact 47: CMPR 3/8 and 5/8", 14, 0, 0, 0, {0xF8, 0x00, 0x00, 0x1F, 0xC0}, {95, 0, 159, 255}},
	{"fact 47: CMPR average", 14, 0, 0, 0, {0x00, 0x1F, 0xF8, 0x00, 0x80}, {127, 0, 127, 255}},
	{"fact 47: CMPR transparent keeps the colour", 14, 0, 0, 0, {0x00, 0x1F, 0xF8, 0x00, 0xC0}, {127, 0, 127, 0}},
	{"CMPR equal colours are the transparent kind", 14, 0, 0, 0, {0xF8, 0x00, 0xF8, 0x00, 0xC0}, {255, 0, 0, 0}},
	{"CMPR right texel is in the low bits", 14, 0, 3, 2, {0x00, 0x00, 0xFF, 0xFF, 0, 0, 0x01}, {255, 255, 255, 255}},
	{"CMPR second block is to the right", 14, 0, 4, 0, {[8] = 0x07, [9] = 0xE0}, {0, 255, 0, 255}},
	{"CMPR third block is below", 14, 0, 0, 4, {[16] = 0x07, [17] = 0xE0}, {0, 255, 0, 255}},
	{"CMPR fourth block", 14, 0, 7, 7, {[24] = 0x07, [25] = 0xE0}, {0, 255, 0, 255}},
	{"reserved formats are zero", 7, 0, 0, 0, {0xFF, 0xFF}, {0, 0, 0, 0}},
};

/* Entry i is the bytes i*16, i*16 + 1. */
static void make_palette(uint8_t palette[32768])
{
	for (unsigned i = 0; i < 16384; i++) {
		palette[2 * i] = (uint8_t)(i * 16);
		palette[2 * i + 1] = (uint8_t)(i * 16 + 1);
	}
}

START_TEST(texel_of_bytes)
{
	static uint8_t palette[32768];
	uint8_t rgba[4];
	make_palette(palette);
	gx_texfmt_texel(texels[_i].format, texels[_i].data, sizeof texels[_i].data, 8, texels[_i].s, texels[_i].t, palette,
		texels[_i].tlut_format, rgba);
	ck_assert_msg(!memcmp(rgba, texels[_i].rgba, 4), "%s: %d %d %d %d instead of %d %d %d %d", texels[_i].name, rgba[0], rgba[1],
		rgba[2], rgba[3], texels[_i].rgba[0], texels[_i].rgba[1], texels[_i].rgba[2], texels[_i].rgba[3]);
}
END_TEST

/* ---- tiles and sizes ---------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	unsigned format;
	uint32_t width, height;
	size_t size;
	uint32_t s, t;
	size_t offset; /* of that texel */
} tiles[] = {
	{"I4", GX_FORMAT_I4, 16, 16, 128, 9, 9, 96 + 4},
	{"I4 rounds up to tiles", GX_FORMAT_I4, 17, 1, 96, 16, 0, 64},
	{"I8", GX_FORMAT_I8, 16, 8, 128, 8, 4, 96},
	{"IA4", GX_FORMAT_IA4, 9, 5, 128, 8, 4, 96},
	{"IA8", GX_FORMAT_IA8, 8, 8, 128, 5, 6, 96 + 18},
	{"RGB565", GX_FORMAT_RGB565, 5, 5, 128, 4, 0, 32},
	{"RGBA8", GX_FORMAT_RGBA8, 8, 8, 256, 4, 5, 192 + 8},
	{"CMPR", GX_FORMAT_CMPR, 16, 16, 128, 12, 4, 32 + 24},
	{"C14X2", GX_FORMAT_C14X2, 4, 4, 32, 3, 3, 30},
	{"one texel", GX_FORMAT_RGBA8, 1, 1, 64, 0, 0, 0},
	{"largest", GX_FORMAT_RGBA8, 1024, 1024, 4194304, 1023, 1023, 4194304 - 64 + 30},
};

START_TEST(tile_layout)
{
	unsigned width, height, bytes;
	gx_texfmt_tile(tiles[_i].format, &width, &height, &bytes);
	ck_assert_msg(gx_texfmt_size(tiles[_i].format, tiles[_i].width, tiles[_i].height) == tiles[_i].size, "%s: size", tiles[_i].name);
	uint32_t row = (tiles[_i].width + width - 1) / width;
	size_t offset = gx_texfmt_offset(tiles[_i].format, row, tiles[_i].s, tiles[_i].t);
	ck_assert_msg(offset == tiles[_i].offset, "%s: offset %zu instead of %zu", tiles[_i].name, offset, tiles[_i].offset);
}
END_TEST

START_TEST(names)
{
	ck_assert_str_eq(qs_texture_format_name(5), "RGB5A3");
	ck_assert_str_eq(qs_texture_format_name(14), "CMPR");
	for (uint32_t i = 0; i < 16; i++)
		ck_assert_ptr_nonnull(qs_texture_format_name(i));
	ck_assert_str_eq(qs_texture_format_name(16), "invalid");
}
END_TEST

/* ---- whole levels against single texels ---------------------------------------------------------------------------------- */

START_TEST(level_is_its_texels)
{
	static uint8_t palette[32768];
	struct oracle_random random = oracle_random_start();
	for (unsigned i = 0; i < sizeof palette; i++)
		palette[i] = (uint8_t)oracle_random_next(&random);
	for (unsigned round = 0; round < 200; round++) {
		unsigned format = oracle_random_next(&random) % 16, tlut_format = oracle_random_next(&random) % 4;
		uint32_t width = 1 + oracle_random_next(&random) % 40, height = 1 + oracle_random_next(&random) % 40;
		size_t full = gx_texfmt_size(format, width, height);
		/* sometimes the data end early: the rest is zero; malloc'ed exactly, so that tools notice reads past the end */
		size_t size = oracle_random_next(&random) % 4 ? full : oracle_random_next(&random) % (full + 1);
		uint8_t *data = malloc(size ? size : 1);
		uint32_t *out = malloc((size_t)width * height * 4);
		ck_assert(data && out);
		for (size_t i = 0; i < size; i++)
			data[i] = (uint8_t)oracle_random_next(&random);
		gx_texfmt_decode(format, data, size, width, height, palette, tlut_format, out);
		for (uint32_t t = 0; t < height; t++)
			for (uint32_t s = 0; s < width; s++) {
				uint8_t one[4], all[4];
				gx_texfmt_texel(format, data, size, width, s, t, palette, tlut_format, one);
				texel_unpack(out[t * width + s], all);
				if (memcmp(one, all, 4)) /* ck_assert writes a file every time */
					ck_abort_msg("seed %llu round %u: format %u %ux%u (%u, %u)",
						(unsigned long long)random.seed, round, format, width, height, s, t);
			}
		free(data);
		free(out);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("texfmt");
	TCase *tcase = tcase_create("texfmt");
	tcase_add_loop_test(tcase, texel_of_bytes, 0, sizeof texels / sizeof *texels);
	tcase_add_loop_test(tcase, tile_layout, 0, sizeof tiles / sizeof *tiles);
	tcase_add_test(tcase, names);
	tcase_add_test(tcase, level_is_its_texels);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
