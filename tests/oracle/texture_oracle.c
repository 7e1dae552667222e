/* texture_oracle.c - see texture_oracle.h
 *
 * Written from spec 05 alone, with divisions instead of shifts and no tables shared with src/gx.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "oracle/texture_oracle.h"

#include <math.h>

static unsigned field(uint32_t word, int high, int low)
{
	return (unsigned)(word / (1u << low)) % (1u << (high - low + 1));
}

static int64_t floor_div(int64_t a, int64_t b)
{
	int64_t q = a / b;
	return a % b < 0 ? q - 1 : q;
}

/* ---- registers by the table of spec 05 section 1 */
enum { MODE0 = 0x0, MODE1 = 0x4, IMAGE0 = 0x8, IMAGE1 = 0xC, IMAGE2 = 0x10, IMAGE3 = 0x14, TLUT = 0x18 };

static uint32_t reg(const struct texture_oracle *o, unsigned map, int which)
{
	return map < 4 ? o->bp[0x80 + which + (int)map] : o->bp[0xA0 + which + (int)map - 4];
}

/* ---- bytes */
static unsigned byte_at(const struct texture_oracle *o, bool tmem, int64_t address)
{
	if (tmem)
		return address < 0x100000 ? o->tmem[address] : 0;
	return address < (int64_t)o->main_size ? o->main[address] : 0;
}

/* A byte of a tile at (column, row) of its level, through the cache in the even or odd half. */
static unsigned cached_byte(const struct texture_oracle *o, unsigned map, int odd, int64_t address, int column, int row)
{
	uint32_t image = reg(o, map, odd ? IMAGE2 : IMAGE1);
	int width = 4 << field(image, 17, 15), height = 4 << field(image, 20, 18);
	int index = ((int)field(image, 14, 0) + row % height * width + column % width) % 0x8000;
	int seen = 0;
	while (seen < o->cache->count && o->cache->seen[seen].line != address / 32 * 2 + odd) /* storage of odd sizes overlaps */
		seen++;
	if (o->cache->read)
		return o->cache->seen[seen].bytes[address % 32];
	if (o->cache->line[index] != address / 32) {
		o->cache->misses++;
		o->cache->line[index] = address / 32;
		for (int i = 0; i < 32; i++)
			o->cache->bytes[index * 32 + i] = (uint8_t)byte_at(o, false, address / 32 * 32 + i);
	} else {
		o->cache->hits++;
	}
	if (seen == o->cache->count)
		o->cache->count++;
	o->cache->seen[seen].line = address / 32 * 2 + odd;
	for (int i = 0; i < 32; i++)
		o->cache->seen[seen].bytes[i] = o->cache->bytes[index * 32 + i];
	return o->cache->bytes[index * 32 + address % 32];
}

static int tile_width(unsigned format)
{
	switch (format) {
	case 3: case 4: case 5: case 6: case 10:
		return 4;
	default:
		return 8;
	}
}

static int tile_height(unsigned format)
{
	switch (format) {
	case 1: case 2: case 9: case 3: case 4: case 5: case 6: case 10:
		return 4;
	default:
		return 8;
	}
}

static int bits_per_texel(unsigned format)
{
	switch (format) {
	case 1: case 2: case 9:
		return 8;
	case 3: case 4: case 5: case 10:
		return 16;
	case 6:
		return 32;
	default:
		return 4;
	}
}

static int round_up(int v, int unit)
{
	return (v + unit - 1) / unit * unit;
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

/* Bytes of memory that level n takes. */
static int level_size(const struct texture_oracle *o, unsigned format, int width, int height, int n)
{
	int w = larger(width / (1 << n), 1), h = larger(height / (1 << n), 1);
	if (o->dolphin_stride)
		return larger(w, tile_width(format)) * larger(h, tile_height(format)) * bits_per_texel(format) / 8;
	return round_up(w, tile_width(format)) * round_up(h, tile_height(format)) * bits_per_texel(format) / 8;
}

/* ---- colours */
static void put(uint8_t out[4], int r, int g, int b, int a)
{
	out[0] = (uint8_t)r;
	out[1] = (uint8_t)g;
	out[2] = (uint8_t)b;
	out[3] = (uint8_t)a;
}

static int wide(unsigned value, int from)
{
	/* repeat the bits until 8 are there */
	unsigned out = 0;
	for (int have = 0; have < 8; have += from)
		out = have + from <= 8 ? out | value << (8 - have - from) : out | value >> (have + from - 8);
	return (int)out;
}

static void colour16(unsigned format, unsigned hi, unsigned lo, uint8_t out[4])
{
	unsigned v = hi * 256 + lo;
	if (format == 0)
		put(out, (int)lo, (int)lo, (int)lo, (int)hi);
	else if (format == 1)
		put(out, wide(field(v, 15, 11), 5), wide(field(v, 10, 5), 6), wide(field(v, 4, 0), 5), 255);
	else if (format == 2 && v >= 0x8000)
		put(out, wide(field(v, 14, 10), 5), wide(field(v, 9, 5), 5), wide(field(v, 4, 0), 5), 255);
	else if (format == 2)
		put(out, wide(field(v, 11, 8), 4), wide(field(v, 7, 4), 4), wide(field(v, 3, 0), 4), wide(field(v, 14, 12), 3));
	else
		put(out, 0, 0, 0, 0);
}

static void palette_colour(const struct texture_oracle *o, unsigned map, unsigned index, uint8_t out[4])
{
	uint32_t tlut = reg(o, map, TLUT);
	int64_t address = (int64_t)field(tlut, 9, 0) * 512 + (int64_t)index * 2;
	if (o->spread) /* a line of 32 bytes per entry, in the upper half */
		address = 0x80000 + (int64_t)field(tlut, 9, 0) * 512 + (int64_t)index * 32;
	colour16(field(tlut, 11, 10), byte_at(o, true, address), byte_at(o, true, address + 1), out);
}

/* Where the bytes of a tile come from. */
struct place {
	const struct texture_oracle *o;
	unsigned map;
	bool tmem, cached;
	int level, column, row; /* of the tile, for the cache */
};

static unsigned get(const struct place *p, int half, int64_t address)
{
	if (p->cached)
		return cached_byte(p->o, p->map, (p->level + half) % 2, address, p->column, p->row);
	return byte_at(p->o, p->tmem, address);
}

static bool has_region(const struct texture_oracle *o, unsigned map, int odd)
{
	uint32_t image = reg(o, map, odd ? IMAGE2 : IMAGE1);
	return field(image, 17, 15) && field(image, 20, 18);
}

static void cmpr_colour(const struct place *p, int64_t block, int x, int y, uint8_t out[4])
{
	unsigned raw[8];
	uint8_t c0[4], c1[4];
	for (int i = 0; i < 8; i++)
		raw[i] = get(p, 0, block + i);
	colour16(1, raw[0], raw[1], c0);
	colour16(1, raw[2], raw[3], c1);
	bool opaque = raw[0] * 256 + raw[1] > raw[2] * 256 + raw[3];
	unsigned selector = field(raw[4 + y], 7 - 2 * x, 6 - 2 * x);
	for (int i = 0; i < 3; i++) {
		int a = c0[i], b = c1[i];
		int choices[4] = {a, b, opaque ? (5 * a + 3 * b) / 8 : (a + b) / 2, opaque ? (3 * a + 5 * b) / 8 : (a + b) / 2};
		out[i] = (uint8_t)choices[selector];
	}
	out[3] = selector == 3 && !opaque ? 0 : 255;
}

/* Texel (x, y) of a level that starts at base (and, for RGBA8 in TMEM, has its G B lines at base2). */
static void texel(const struct texture_oracle *o, unsigned map, int64_t base, int64_t base2, int level, int level_width, int x,
	int y, uint8_t out[4])
{
	unsigned format = field(reg(o, map, IMAGE0), 23, 20);
	bool tmem = field(reg(o, map, IMAGE1), 21, 21);
	int tw = tile_width(format), th = tile_height(format);
	int64_t tile = (int64_t)(y / th) * ((level_width + tw - 1) / tw) + x / tw;
	int index = y % th * tw + x % tw;
	int64_t at = base + tile * 32;
	struct place p = {o, map, tmem, o->cache && !tmem && base % 32 == 0 && has_region(o, map, level % 2), level, x / tw, y / th};
	if (format == 6 && !has_region(o, map, (level + 1) % 2))
		p.cached = false;
	unsigned b0, b1;
	switch (format) {
	case 0: case 8:
		b0 = get(&p, 0, at + index / 2);
		b0 = index % 2 ? b0 % 16 : b0 / 16;
		if (format == 0)
			put(out, wide(b0, 4), wide(b0, 4), wide(b0, 4), wide(b0, 4));
		else
			palette_colour(o, map, b0, out);
		break;
	case 1:
		b0 = get(&p, 0, at + index);
		put(out, (int)b0, (int)b0, (int)b0, (int)b0);
		break;
	case 2:
		b0 = get(&p, 0, at + index);
		put(out, wide(b0 % 16, 4), wide(b0 % 16, 4), wide(b0 % 16, 4), wide(b0 / 16, 4));
		break;
	case 9:
		palette_colour(o, map, get(&p, 0, at + index), out);
		break;
	case 3: case 4: case 5:
		colour16(format - 3, get(&p, 0, at + index * 2), get(&p, 0, at + index * 2 + 1), out);
		break;
	case 10:
		b0 = get(&p, 0, at + index * 2);
		b1 = get(&p, 0, at + index * 2 + 1);
		palette_colour(o, map, (b0 * 256 + b1) % 16384, out);
		break;
	case 6:
		at = base + tile * (tmem ? 32 : 64) + index * 2;
		base2 = tmem ? base2 + tile * 32 + index * 2 : at + 32;
		put(out, (int)get(&p, 0, at + 1), (int)get(&p, 1, base2), (int)get(&p, 1, base2 + 1),
			(int)get(&p, 0, at));
		break;
	case 14:
		cmpr_colour(&p, at + (y % 8 / 4 * 2 + x % 8 / 4) * 8, x % 4, y % 4, out);
		break;
	default: /* reserved: fetched all the same */
		get(&p, 0, at);
		put(out, 0, 0, 0, 0);
		break;
	}
}

/* ---- one level */
static int wrap(unsigned mode, int size, int64_t c)
{
	if (mode == 1)
		return (int)(c & (size - 1));
	if (mode == 2)
		return (int)((c & size ? -c - 1 : c) & (size - 1));
	return c < 0 ? 0 : c > size - 1 ? size - 1 : (int)c;
}

static void find_level(const struct texture_oracle *o, unsigned map, int level, int64_t *base, int64_t *base2)
{
	uint32_t image0 = reg(o, map, IMAGE0), image1 = reg(o, map, IMAGE1), image2 = reg(o, map, IMAGE2);
	unsigned format = field(image0, 23, 20);
	int width = (int)field(image0, 9, 0) + 1, height = (int)field(image0, 19, 10) + 1;
	int64_t even = (int64_t)field(image1, 14, 0) * 32, odd = (int64_t)field(image2, 14, 0) * 32, before = 0, before_odd = 0;
	*base2 = 0;
	if (!field(image1, 21, 21)) {
		*base = (int64_t)field(reg(o, map, IMAGE3), 23, 0) * 32;
		for (int n = 0; n < level; n++)
			*base += level_size(o, format, width, height, n);
		return;
	}
	if (o->dolphin_tmem) {
		for (int n = 0; n < level; n++)
			even += level_size(o, format, width, height, n);
		*base = even;
		*base2 = odd;
		return;
	}
	for (int n = 0; n < level; n++)
		if (format == 6) {
			before += level_size(o, format, width, height, n) / 2;
			before_odd = before;
		} else if (n % 2) {
			before_odd += level_size(o, format, width, height, n);
		} else {
			before += level_size(o, format, width, height, n);
		}
	*base = level % 2 ? odd + before_odd : even + before;
	*base2 = level % 2 ? even + before : odd + before_odd;
}

static int sample_level(const struct texture_oracle *o, unsigned map, int level, bool linear, int32_t s, int32_t t, uint8_t out[4])
{
	uint32_t image0 = reg(o, map, IMAGE0), mode0 = reg(o, map, MODE0);
	int width = (int)(field(image0, 9, 0) / (1u << level)) + 1, height = (int)(field(image0, 19, 10) / (1u << level)) + 1;
	int64_t base, base2, ls = floor_div(s, 1 << level), lt = floor_div(t, 1 << level);
	unsigned ws = field(mode0, 1, 0), wt = field(mode0, 3, 2);
	find_level(o, map, level, &base, &base2);
	if (!linear) {
		texel(o, map, base, base2, level, width, wrap(ws, width, floor_div(ls, 128)), wrap(wt, height, floor_div(lt, 128)), out);
		return 1;
	}
	ls -= 64;
	lt -= 64;
	int64_t x = floor_div(ls, 128), y = floor_div(lt, 128);
	int fs = (int)(ls - x * 128), ft = (int)(lt - y * 128);
	uint8_t c[2][2][4];
	for (int j = 0; j < 2; j++)
		for (int i = 0; i < 2; i++)
			texel(o, map, base, base2, level, width, wrap(ws, width, x + i),
				wrap(wt, height, y + j * (o->predict && field(mode0, 18, 18) ? 2 : 1)), c[j][i]);
	for (int k = 0; k < 4; k++)
		if (o->steps) {
			int top = (c[0][0][k] * (64 - fs / 2) + c[0][1][k] * (fs / 2)) / 64;
			int bottom = (c[1][0][k] * (64 - fs / 2) + c[1][1][k] * (fs / 2)) / 64;
			out[k] = (uint8_t)((top * (64 - ft / 2) + bottom * (ft / 2)) / 64);
		} else {
			out[k] = (uint8_t)((c[0][0][k] * (128 - fs) * (128 - ft) + c[0][1][k] * fs * (128 - ft) +
				c[1][0][k] * (128 - fs) * ft + c[1][1][k] * fs * ft + (o->round && field(mode0, 17, 17) ? 8192 : 0)) / 16384);
		}
	return 4;
}

/* ---- LOD */

/* The exponent and the leading bits of the mantissa as a number; scale 16 or 32. */
static int log2_fixed(float f, int scale)
{
	int exponent;
	if (isnan(f) || isinf(f))
		return 128 * scale; /* beyond every clamp */
	if (f < 0x1p-126f) /* zero and what has no leading one */
		return -127 * scale + (int)floorf(f * 0x1p126f * (float)scale);
	float mantissa = frexpf(f, &exponent); /* 0.5 .. 1 */
	return (exponent - 1) * scale + (int)floorf((mantissa * 2 - 1) * (float)scale);
}

static float longest(float a, float b)
{
	return a < b ? b : a;
}

static int filter_one(const struct texture_oracle *o, unsigned map, int scale, int32_t s, int32_t t, struct oracle_lookup *out,
	uint8_t rgba[4])
{
	int texels = sample_level(o, map, out->level, out->linear, s, t, rgba);
	if (out->fraction) {
		uint8_t next[4];
		texels += sample_level(o, map, out->level + 1, out->linear, s, t, next);
		for (int k = 0; k < 4; k++)
			rgba[k] = (uint8_t)((rgba[k] * (scale - out->fraction) + next[k] * out->fraction) / scale);
	}
	return texels;
}

/* Positions along the longer axis: as few of 1, 2, 4 as make the rest no longer than the shorter one. */
static int positions(const struct texture_oracle *o, uint32_t mode0, float across, float down, float *derivative)
{
	static const int most[4] = {1, 2, 4, 4};
	float major = longest(across, down), minor = across < down ? across : down;
	int n = 1;
	if (!o->anisotropy || !field(mode0, 20, 19) || !(major > 1) || !(major <= 65536))
		return 1;
	while (n < most[field(mode0, 20, 19)] && major > minor * (float)n)
		n *= 2;
	if (n > 1)
		*derivative = longest(major / (float)n, minor);
	return n;
}

void oracle_texture(const struct texture_oracle *o, unsigned map, const float u[3], const float v[3], int32_t s, int32_t t,
	struct oracle_lookup *out)
{
	uint32_t mode0 = reg(o, map, MODE0), mode1 = reg(o, map, MODE1);
	int scale = o->fine_fraction ? 32 : 16;
	int bias = (int)field(mode0, 16, 9), mip = (int)field(mode0, 6, 5);
	float ux = u[1] - u[0], uy = u[2] - u[0], vx = v[1] - v[0], vy = v[2] - v[0];
	if (o->half_lines) {
		uy *= 0.5f;
		vy *= 0.5f;
	}
	float across = longest(fabsf(ux), fabsf(vx)), down = longest(fabsf(uy), fabsf(vy));
	float size = field(mode0, 8, 8) ? longest(fabsf(ux) + fabsf(uy), fabsf(vx) + fabsf(vy)) :
		longest(longest(fabsf(ux), fabsf(uy)), longest(fabsf(vx), fabsf(vy)));
	if (bias >= 128)
		bias -= 256;
	out->positions = positions(o, mode0, across, down, &size);
	int lod = log2_fixed(size, scale), biased = lod + (int)floor_div(bias * (scale / 16), 2);
	if (o->clamp_bias && field(mode0, 21, 21) && biased < lod) {
		int least = log2_fixed(across < down ? across : down, scale);
		if (least > lod)
			least = lod;
		if (biased < least)
			biased = least;
	}
	lod = biased;
	out->linear = lod > 0 ? field(mode0, 7, 7) : field(mode0, 4, 4);
	int min = (int)field(mode1, 7, 0) * (scale / 16), max = (int)field(mode1, 15, 8) * (scale / 16);
	out->lod = lod > max ? max : lod < min ? min : lod;
	out->level = out->fraction = 0;
	if (out->lod > 0 && mip) {
		out->level = out->lod / scale;
		out->fraction = out->lod % scale;
		if (mip == 1 && out->fraction >= scale / 2)
			out->level++;
		if (mip != 2)
			out->fraction = 0;
	}
	if (out->positions == 1) {
		out->texels = filter_one(o, map, scale, s, t, out, out->rgba);
		return;
	}
	int sum[4] = {0}, n = out->positions;
	/* Coordinates have 24 bits, s16.7: no step is longer. */
	float fs = (across < down ? uy : ux) * 128 / (float)n, ft = (across < down ? vy : vx) * 128 / (float)n;
	int32_t ds = (int32_t)fminf(fmaxf(fs, -8388608.0f), 8388608.0f), dt = (int32_t)fminf(fmaxf(ft, -8388608.0f), 8388608.0f);
	out->texels = 0;
	for (int i = 0; i < n; i++) {
		uint8_t one[4];
		int32_t at = 2 * i + 1 - n; /* -1 1, or -3 -1 1 3: half steps */
		out->texels += filter_one(o, map, scale, s + ds * at / 2, t + dt * at / 2, out, one);
		for (int k = 0; k < 4; k++)
			sum[k] += one[k];
	}
	for (int k = 0; k < 4; k++)
		out->rgba[k] = (uint8_t)(sum[k] / n);
}
