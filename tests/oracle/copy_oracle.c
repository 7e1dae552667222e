/* copy_oracle.c - scalar model of the copies, written from the specification (07 section 7, dff-format annex) alone
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "oracle/copy_oracle.h"

static unsigned field(uint32_t word, unsigned low, unsigned high)
{
	return (unsigned)((word >> low) & ((1ull << (high - low + 1)) - 1));
}

static int down(int value, int by)
{
	return (int)floor((double)value / by);
}

static int clamp(int value, int low, int high)
{
	return value < low ? low : value > high ? high : value;
}

static int left(const struct copy_oracle *o)
{
	return (int)field(o->bp[0x49], 0, 9);
}

static int top(const struct copy_oracle *o)
{
	return (int)field(o->bp[0x49], 10, 19);
}

static int width(const struct copy_oracle *o)
{
	return (int)field(o->bp[0x4A], 0, 9) + 1;
}

static int height(const struct copy_oracle *o)
{
	return (int)field(o->bp[0x4A], 10, 19) + 1;
}

static unsigned pixel_type(const struct copy_oracle *o)
{
	unsigned type = field(o->bp[0x43], 0, 2);
	if (type == 3 && o->colour_of_z24 && field(o->bp[0x52], 14, 14))
		return 0;
	return type == 2 && o->keep_24_bits ? 0 : type;
}

/* The stored pixel; the border repeats, except for unfiltered texture copies, which read on in the next line. */
static void stored_sample(const struct copy_oracle *o, int which, int x, int y, bool run_on, int rgba[4])
{
	const uint32_t *plane = which ? o->sample[which - 1] : o->colour;
	unsigned type = pixel_type(o);
	uint32_t word = 0;
	int pixels = 640 * 528;

	if (run_on) {
		int at = y * 640 + x;
		if (type == 3)
			word = at < pixels ? o->depth[at] : 0;
		else
			word = at < pixels ? plane[at] : at < 2 * pixels ? o->depth[at - pixels] : 0;
	} else {
		int at = clamp(y, 0, 527) * 640 + clamp(x, 0, 639);
		word = type == 3 ? o->depth[at] : plane[at];
	}
	for (int i = 0; i < 4; i++) {
		if (type == 1) {
			int six = (int)field(word, 18 - 6 * (unsigned)i, 23 - 6 * (unsigned)i);
			rgba[i] = six * 4 + six / 16;
		} else {
			rgba[i] = i == 3 ? 255 : (int)field(word, 16 - 8 * (unsigned)i, 23 - 8 * (unsigned)i);
		}
	}
}

static void stored(const struct copy_oracle *o, int x, int y, bool run_on, int rgba[4])
{
	stored_sample(o, 0, x, y, run_on, rgba);
}

/* Samples of the three lines as seven lines of a picture three times as high: the seven around the pixel's middle one. */
static int resolved(const struct copy_oracle *o, int x, const int line[3], const int w[7], int channel)
{
	int sum = 0;

	for (int i = 0; i < 7; i++) {
		int high = i + 1, rgba[4]; /* of nine sample lines: 1..7 */
		stored_sample(o, high % 3, x, line[high / 3], false, rgba);
		sum += rgba[channel] * w[i];
	}
	return sum;
}

static int gamma_of(const struct copy_oracle *o, int c)
{
	static const double exponents[4] = {1.0, 1.7, 2.2, 2.2};
	unsigned code = field(o->bp[0x52], 7, 8);

	if (o->round_gamma)
		return (int)floor(255 * pow(c / 255.0, 1 / exponents[code]) + 0.5);
	return (int)(powf((float)c / 255.0f, 1.0f / (float)exponents[code]) * 255.0f);
}

void copy_oracle_pixel(const struct copy_oracle *o, int x, int y, bool filtered, int rgba[4])
{
	int above[4], below[4], ya = y - 1, yb = y + 1, w[7];

	stored(o, x, y, !filtered, rgba);
	if (!filtered)
		return;
	for (unsigned i = 0; i < 7; i++)
		w[i] = (int)(i < 4 ? field(o->bp[0x53], 6 * i, 6 * i + 5) : field(o->bp[0x54], 6 * i - 24, 6 * i - 19));
	if (field(o->bp[0x52], 0, 0) && ya < top(o))
		ya = top(o);
	if (field(o->bp[0x52], 1, 1) && yb > top(o) + height(o) - 1)
		yb = top(o) + height(o) - 1;
	stored(o, x, ya, false, above);
	stored(o, x, yb, false, below);
	for (int i = 0; i < 3; i++) {
		const int line[3] = {ya, y, yb};
		int v = pixel_type(o) == 2 && o->sample[0] ? resolved(o, x, line, w, i) / 64 :
			(above[i] * (w[0] + w[1]) + rgba[i] * (w[2] + w[3] + w[4]) + below[i] * (w[5] + w[6])) / 64;
		if (o->wrap)
			v = v % 512;
		rgba[i] = gamma_of(o, v > 255 ? 255 : v);
	}
}

static int rounded(int v)
{
	return down(v, 256) + (down(v, 128) % 2 ? 1 : 0);
}

void copy_oracle_yuv(const int rgb[3], int yuv[3])
{
	int r = rgb[0], g = rgb[1], b = rgb[2];

	yuv[0] = rounded(66 * r + 129 * g + 25 * b) + 16;
	yuv[1] = rounded(-38 * r - 74 * g + 112 * b) + 128;
	yuv[2] = rounded(112 * r - 94 * g - 18 * b) + 128;
}

/* ---- textures ----------------------------------------------------------------------------------------------------------- */

/* One pixel of the texture, converted. */
static void texel(const struct copy_oracle *o, int s, int t, unsigned format, int rgba[4])
{
	bool half = field(o->bp[0x52], 9, 9), filtered = o->filter_textures;

	if (!half) {
		copy_oracle_pixel(o, left(o) + s, top(o) + t, filtered, rgba);
	} else {
		int sum[4] = {0, 0, 0, 0};
		for (int k = 0; k < 4; k++) {
			int p[4];
			copy_oracle_pixel(o, left(o) + 2 * s + k % 2, top(o) + 2 * t + k / 2, filtered, p);
			for (int i = 0; i < 4; i++)
				sum[i] += pixel_type(o) == 1 ? p[i] / 4 : p[i];
		}
		for (int i = 0; i < 4; i++)
			rgba[i] = pixel_type(o) == 1 ? sum[i] + sum[i] / 64 : sum[i] / 4;
	}
	if (half && o->exchanged && pixel_type(o) == 3 && (format == 6 || format == 11 || format == 12)) {
		int high = rgba[0];
		rgba[0] = rgba[2];
		rgba[2] = high;
	}
	if (field(o->bp[0x52], 15, 16) != 3)
		return;
	if (o->convert_all) {
		int yuv[3];
		copy_oracle_yuv(rgba, yuv);
		for (int i = 0; i < 3; i++)
			rgba[i] = yuv[i];
	} else if (format <= 3 || format == 8) {
		rgba[0] = (66 * rgba[0] + 129 * rgba[1] + 25 * rgba[2]) / 256 + 16;
	}
}

void copy_oracle_texel(const struct copy_oracle *o, int s, int t, int rgba[4])
{
	texel(o, s, t, field(o->bp[0x52], 4, 6) + 8 * field(o->bp[0x52], 3, 3), rgba);
}

void copy_oracle_texture(const struct copy_oracle *o, copy_oracle_put put, void *user)
{
	static const struct {
		int w, h, bits;
	} tiles[16] = {{8, 8, 4}, {8, 4, 8}, {8, 4, 8}, {4, 4, 16}, {4, 4, 16}, {4, 4, 16}, {4, 4, 32}, {8, 4, 8}, {8, 4, 8}, {8, 4, 8},
		{8, 4, 8}, {4, 4, 16}, {4, 4, 16}, {8, 4, 8}, {8, 4, 8}, {8, 4, 8}};
	unsigned format = field(o->bp[0x52], 4, 6) + 8 * field(o->bp[0x52], 3, 3);
	bool half = field(o->bp[0x52], 9, 9);
	int w = half ? (width(o) + 1) / 2 : width(o), h = half ? (height(o) + 1) / 2 : height(o);
	int tw = tiles[format].w, th = tiles[format].h, across = (w + tw - 1) / tw, deep = (h + th - 1) / th;
	uint32_t base = field(o->bp[0x4B], 0, 23) * 32, stride = field(o->bp[0x4D], 0, 9) * 32;

	if (o->clipped) {
		w = clamp(width(o), 0, 640 - left(o) > 0 ? 640 - left(o) : 0) / (half ? 2 : 1);
		h = clamp(height(o), 0, 528 - top(o) > 0 ? 528 - top(o) : 0) / (half ? 2 : 1);
		across = (w + tw - 1) / tw;
		deep = (h + th - 1) / th;
	}
	for (int t = 0; t < deep * th; t++)
		for (int s = 0; s < across * tw; s++) {
			int p[4], r, g, b, a;
			uint32_t tile = base + (uint32_t)(t / th) * stride + (uint32_t)(s / tw) * (uint32_t)(tw * th * tiles[format].bits / 8);
			uint32_t inside = (uint32_t)(t % th * tw + s % tw);
			unsigned word;

			texel(o, s, t, format, p);
			r = p[0];
			g = p[1];
			b = p[2];
			a = p[3];
			if (format == 0) { /* both pixels of a byte at once */
				int q[4];
				if (s % 2)
					continue;
				texel(o, s + 1, t, format, q);
				put(user, tile + inside / 2, (uint8_t)(r / 16 * 16 + q[0] / 16));
				continue;
			}
			if (format == 6) {
				put(user, tile + 2 * inside, (uint8_t)a);
				put(user, tile + 2 * inside + 1, (uint8_t)r);
				put(user, tile + 32 + 2 * inside, (uint8_t)g);
				put(user, tile + 33 + 2 * inside, (uint8_t)b);
				continue;
			}
			switch (format) {
			case 2:
				put(user, tile + inside, (uint8_t)(a / 16 * 16 + r / 16));
				continue;
			case 7:
				put(user, tile + inside, (uint8_t)a);
				continue;
			case 9:
				put(user, tile + inside, (uint8_t)g);
				continue;
			case 10:
				put(user, tile + inside, (uint8_t)b);
				continue;
			case 3:
				word = (unsigned)(a * 256 + r);
				break;
			case 4:
				word = (unsigned)(r / 8 * 2048 + g / 4 * 32 + b / 8);
				break;
			case 5:
				word = a >= 224 ? (unsigned)(32768 + r / 8 * 1024 + g / 8 * 32 + b / 8)
						: (unsigned)(a / 32 * 4096 + r / 16 * 256 + g / 16 * 16 + b / 16);
				break;
			case 11:
				word = (unsigned)(g * 256 + r);
				break;
			case 12:
				word = (unsigned)(b * 256 + g);
				break;
			default:
				put(user, tile + inside, (uint8_t)r);
				continue;
			}
			put(user, tile + 2 * inside, (uint8_t)(word / 256));
			put(user, tile + 2 * inside + 1, (uint8_t)(word % 256));
		}
}

/* ---- display ------------------------------------------------------------------------------------------------------------ */

static bool fields(const struct copy_oracle *o)
{
	return !o->lines_ignored && field(o->bp[0x52], 12, 13) >= 2;
}

/* Source lines: all of them, or those of one field. */
static int source_lines(const struct copy_oracle *o)
{
	if (!fields(o))
		return height(o);
	return field(o->bp[0x52], 12, 13) == 3 ? height(o) / 2 : (height(o) + 1) / 2;
}

static int reg(const struct copy_oracle *o)
{
	int value = (int)field(o->bp[0x4E], 0, 8);
	return value ? value : 256;
}

int copy_oracle_lines(const struct copy_oracle *o)
{
	double scale = field(o->bp[0x52], 10, 10) ? 256.0 / reg(o) : reg(o) / 256.0;
	int lines = source_lines(o) ? (int)floor(1 + (source_lines(o) - 1) * scale + 1e-9) : 0;
	return lines > 1024 ? 1024 : lines;
}

static void source_rgb(const struct copy_oracle *o, int x, int line, int rgb[3])
{
	int rgba[4], y = fields(o) ? 2 * line + (field(o->bp[0x52], 12, 13) == 3) : line;

	copy_oracle_pixel(o, left(o) + x, top(o) + y, true, rgba);
	for (int i = 0; i < 3; i++)
		rgb[i] = rgba[i];
}

static int nearest_line(const struct copy_oracle *o, int y)
{
	float scale = field(o->bp[0x52], 10, 10) ? 256.0f / (float)reg(o) : (float)reg(o) / 256.0f;
	int out = (int)((float)source_lines(o) * scale), line;

	line = (int)round(y * (source_lines(o) / (double)(out > 0 ? out : 1)));
	return line < source_lines(o) ? line : source_lines(o) - 1;
}

void copy_oracle_rgb(const struct copy_oracle *o, int x, int y, int rgb[3])
{
	int step = field(o->bp[0x52], 10, 10) ? reg(o) : 65536 / reg(o), at = y * step, last = source_lines(o) - 1, next[3];

	if (o->nearest) {
		source_rgb(o, x, nearest_line(o, y), rgb);
		return;
	}
	source_rgb(o, x, at / 256 < last ? at / 256 : last, rgb);
	source_rgb(o, x, at / 256 + 1 < last ? at / 256 + 1 : last, next);
	for (int i = 0; i < 3; i++)
		rgb[i] = (rgb[i] * (256 - at % 256) + next[i] * (at % 256)) / 256;
}

/* Two bytes of pixel x of a line whose RGB the function gives. */
static void encode(const struct copy_oracle *o, void (*line)(const struct copy_oracle *, int, int, int[3]), int x, int y, int pair[2])
{
	int even = x / 2 * 2, last = width(o) - 1, yuv[3][3], own[3], rgb[3], which = x % 2 ? 2 : 1;

	line(o, x, y, rgb);
	copy_oracle_yuv(rgb, own);
	for (int k = 0; k < 3; k++) {
		line(o, clamp(even - 1 + k, 0, last), y, rgb);
		copy_oracle_yuv(rgb, yuv[k]);
	}
	pair[0] = own[0];
	pair[1] = down(yuv[0][which] - 128 + 2 * (yuv[1][which] - 128) + yuv[2][which] - 128, 4) + 128;
}

void copy_oracle_yuyv(const struct copy_oracle *o, int x, int y, int pair[2])
{
	if (!o->nearest) {
		encode(o, copy_oracle_rgb, x, y, pair);
		return;
	}
	/* the whole unscaled picture moves right in memory by the column it starts at */
	int at = nearest_line(o, y) * width(o) + x - (o->shifted ? left(o) : 0);
	pair[0] = pair[1] = 0;
	if (at >= 0)
		encode(o, source_rgb, at % width(o), at / width(o), pair);
}
