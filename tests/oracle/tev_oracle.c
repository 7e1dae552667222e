/* tev_oracle.c - scalar model of indirect texturing and the combiners, written from the specification (06) alone
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "oracle/tev_oracle.h"

static unsigned field(uint32_t word, unsigned low, unsigned high)
{
	return (unsigned)((word >> low) & ((1ull << (high - low + 1)) - 1));
}

static int sign(unsigned value, unsigned width)
{
	return value & 1u << (width - 1) ? (int)value - (1 << width) : (int)value;
}

/* Division rounding down. */
static long long down(long long value, long long by)
{
	long long q = value / by;
	return value % by && (value < 0) != (by < 0) ? q - 1 : q;
}

static int wrap24(long long value)
{
	long long low = value - down(value, 1 << 24) * (1 << 24);
	return (int)(low >= 1 << 23 ? low - (1 << 24) : low);
}

static void swap(const uint32_t *bp, unsigned table, const int in[4], int out[4])
{
	unsigned from[4] = {field(bp[0xF6 + 2 * table], 0, 1), field(bp[0xF6 + 2 * table], 2, 3), field(bp[0xF7 + 2 * table], 0, 1),
		field(bp[0xF7 + 2 * table], 2, 3)};
	int copy[4];

	memcpy(copy, in, sizeof copy);
	for (int i = 0; i < 4; i++)
		out[i] = copy[from[i]];
}

static int konst(const uint32_t *bp, unsigned select, int channel, bool wide)
{
	const int fractions[] = {255, 223, 191, 159, 128, 96, 64, 32};
	int k[4][4];

	for (int i = 0; i < 4; i++) {
		uint32_t low = bp[0x100 + 2 * i], high = bp[0x101 + 2 * i];
		k[i][0] = wide ? sign(field(low, 0, 10), 11) : (int)field(low, 0, 7);
		k[i][3] = wide ? sign(field(low, 12, 22), 11) : (int)field(low, 12, 19);
		k[i][2] = wide ? sign(field(high, 0, 10), 11) : (int)field(high, 0, 7);
		k[i][1] = wide ? sign(field(high, 12, 22), 11) : (int)field(high, 12, 19);
	}
	if (select <= 7)
		return fractions[select];
	if (select <= 11)
		return 0;
	if (select <= 15)
		return channel == 3 ? 0 : k[select - 12][channel];
	if (select <= 19)
		return k[select - 16][0];
	if (select <= 23)
		return k[select - 20][1];
	if (select <= 27)
		return k[select - 24][2];
	return k[select - 28][3];
}

static int clamp(int value, int low, int high)
{
	return value < low ? low : value > high ? high : value;
}

/* word: TEV_COLOR_ENV or TEV_ALPHA_ENV; compare_a, compare_b: the values a comparison compares */
static int combine(uint32_t word, int a, int b, int c, int d, long compare_a, long compare_b, bool negate_first)
{
	unsigned bias = field(word, 16, 17), scale = field(word, 20, 21);
	bool op = field(word, 18, 18);
	long long lerp, result;
	int shift = scale == 1 ? 1 : scale == 2 ? 2 : 0;

	if (bias == 3)
		return d + ((op ? compare_a == compare_b : compare_a > compare_b) ? c : 0);
	c += c >> 7;
	lerp = ((long long)a * (256 - c) + b * c) * (1 << shift);
	lerp += scale == 3 ? 0 : op ? 127 : 128;
	if (negate_first)
		lerp = op ? down(-lerp, 256) : down(lerp, 256);
	else
		lerp = op ? -down(lerp, 256) : down(lerp, 256);
	result = (long long)(d + (bias == 1 ? 128 : bias == 2 ? -128 : 0)) * (1 << shift) + lerp;
	if (scale == 3)
		result = down(result, 2);
	return (int)result;
}

static int colour_input(const struct tev_oracle_stage *s, int reg[4][4], unsigned select, int channel)
{
	switch (select) {
	case 0: case 2: case 4: case 6:
		return reg[select / 2][channel];
	case 1: case 3: case 5: case 7:
		return reg[select / 2][3];
	case 8:
		return s->tex[channel];
	case 9:
		return s->tex[3];
	case 10:
		return s->ras[channel];
	case 11:
		return s->ras[3];
	case 12:
		return 255;
	case 13:
		return 128;
	case 14:
		return s->konst[channel];
	default:
		return 0;
	}
}

static int alpha_input(const struct tev_oracle_stage *s, int reg[4][4], unsigned select)
{
	switch (select) {
	case 4:
		return s->tex[3];
	case 5:
		return s->ras[3];
	case 6:
		return s->konst[3];
	case 7:
		return 0;
	default:
		return reg[select][3];
	}
}

static long packed(const int value[4], unsigned mode)
{
	switch (mode) {
	case 0:
		return value[0];
	case 1:
		return value[1] * 256L + value[0];
	default:
		return value[2] * 65536L + value[1] * 256L + value[0];
	}
}

static void combine_stage(const struct tev_oracle *o, struct tev_oracle_stage *s, unsigned n, int reg[4][4])
{
	uint32_t colour = o->bp[0xC0 + 2 * n], alpha = o->bp[0xC1 + 2 * n];

	for (int i = 0; i < 3; i++) {
		s->a[i] = colour_input(s, reg, field(colour, 12, 15), i) & 255;
		s->b[i] = colour_input(s, reg, field(colour, 8, 11), i) & 255;
		s->c[i] = colour_input(s, reg, field(colour, 4, 7), i) & 255;
		s->d[i] = colour_input(s, reg, field(colour, 0, 3), i);
	}
	s->a[3] = alpha_input(s, reg, field(alpha, 13, 15)) & 255;
	s->b[3] = alpha_input(s, reg, field(alpha, 10, 12)) & 255;
	s->c[3] = alpha_input(s, reg, field(alpha, 7, 9)) & 255;
	s->d[3] = alpha_input(s, reg, field(alpha, 4, 6));
	for (int i = 0; i < 4; i++) {
		uint32_t word = i == 3 ? alpha : colour;
		unsigned mode = field(word, 20, 21);
		long a = mode == 3 ? s->a[i] : packed(s->a, mode), b = mode == 3 ? s->b[i] : packed(s->b, mode);
		s->wide[i] = combine(word, s->a[i], s->b[i], s->c[i], s->d[i], a, b, i == 3 && o->negate_alpha_first);
		s->result[i] = field(word, 19, 19) ? clamp(s->wide[i], 0, 255) : clamp(s->wide[i], -1024, 1023);
	}
	for (int i = 0; i < 4; i++)
		reg[field(i == 3 ? alpha : colour, 22, 23)][i] = s->result[i];
	memcpy(s->reg, reg, sizeof s->reg);
}

static void indirect_stage(const struct tev_oracle *o, struct tev_oracle_stage *s, unsigned n, int indirect[4][3], int previous[2])
{
	uint32_t word = o->bp[0x10 + n], gen = o->bp[0], order = o->bp[0x28 + n / 2] >> (n % 2 ? 12 : 0);
	unsigned ntex = field(gen, 0, 3), nbmp = field(gen, 16, 18), coord = field(order, 3, 5), bt = field(word, 0, 1);
	unsigned format = field(word, 2, 3), matrix = field(word, 9, 10), type = field(word, 11, 12);
	const int cut[] = {0, 3, 4, 5}, raise[] = {0, 5, 4, 3};
	int x[3], raw[3];

	if (coord >= ntex)
		coord = 0;
	for (int i = 0; i < 3; i++) {
		raw[i] = bt < nbmp ? indirect[bt][i] : 0;
		x[i] = raw[i] >> cut[format];
		if (field(word, 4 + (unsigned)i, 4 + (unsigned)i))
			x[i] += format == 0 ? -128 : 1;
	}
	s->bump = field(word, 7, 8) ? raw[field(word, 7, 8) - 1] : 0;
	s->bump = (s->bump << raise[format]) & 255;
	s->bump &= 0xF8;
	for (int axis = 0; axis < 2; axis++) {
		int regular = o->st[coord][axis], base;
		unsigned wrap = axis ? field(word, 16, 18) : field(word, 13, 15);
		long long offset = 0;

		base = wrap == 0 ? regular : wrap >= 6 ? 0 : regular & ((256 >> (wrap - 1)) * 128 - 1);
		if (matrix && type != 3) {
			const uint32_t *m = &o->bp[0x06 + 3 * (matrix - 1)];
			int exponent = 17 - (int)(field(m[0], 22, 23) + 4 * field(m[1], 22, 23) + 16 * field(m[2], 22, 22));

			if (type == 0) {
				for (int i = 0; i < 3; i++)
					offset += sign(axis ? field(m[i], 11, 21) : field(m[i], 0, 10), 11) * x[i];
				offset = down(offset, 8);
			} else {
				offset = (long long)regular * x[type - 1];
				offset = o->dynamic_divide ? offset / 256 : down(offset, 256);
			}
			offset = exponent >= 0 ? down(offset, 1ll << exponent) : offset * (1ll << -exponent);
		}
		s->offset[axis] = (int)(int32_t)(uint32_t)(unsigned long long)offset;
		s->coord[axis] = wrap24(base + offset + (field(word, 20, 20) && n > 0 ? previous[axis] : 0));
		previous[axis] = s->coord[axis];
	}
}

static void look_up(struct tev_oracle *o, struct tev_oracle_stage *s, unsigned n)
{
	uint32_t order = o->bp[0x28 + n / 2] >> (n % 2 ? 12 : 0), alpha = o->bp[0xC1 + 2 * n];
	int texel[4] = {0, 0, 0, 0};

	if (field(order, 6, 6)) {
		if (field(o->bp[0], 0, 3))
			o->texel(o->user, field(order, 0, 2), s->coord[0], s->coord[1], texel);
		memcpy(o->raw, texel, sizeof texel);
		swap(o->bp, field(alpha, 2, 3), texel, s->tex);
		memcpy(o->raw_swapped, s->tex, sizeof s->tex);
		memcpy(o->latch, s->tex, sizeof s->tex);
		o->looked_up = true;
	} else {
		for (int i = 0; i < 4; i++)
			s->tex[i] = o->latching ? o->latch[i] : 255;
	}
}

static void raster_colour(const struct tev_oracle *o, struct tev_oracle_stage *s, unsigned n)
{
	uint32_t order = o->bp[0x28 + n / 2] >> (n % 2 ? 12 : 0), alpha = o->bp[0xC1 + 2 * n];
	unsigned select = field(order, 7, 9);

	memset(s->ras, 0, sizeof s->ras);
	if (select < 2)
		swap(o->bp, field(alpha, 0, 1), o->ras[select], s->ras);
	for (int i = 0; i < 4; i++) {
		if (select == 5)
			s->ras[i] = s->bump;
		if (select == 6)
			s->ras[i] = s->bump | s->bump >> 5;
	}
}

void tev_oracle_run(struct tev_oracle *o)
{
	unsigned stages = field(o->bp[0], 10, 13) + 1, nbmp = field(o->bp[0], 16, 18), ntex = field(o->bp[0], 0, 3);
	int reg[4][4], indirect[4][3] = {{0}}, previous[2] = {0, 0};

	o->looked_up = false;
	for (int r = 0; r < 4; r++) {
		uint32_t low = o->bp[0xE0 + 2 * r], high = o->bp[0xE1 + 2 * r];
		reg[r][0] = sign(field(low, 0, 10), 11);
		reg[r][3] = sign(field(low, 12, 22), 11);
		reg[r][2] = sign(field(high, 0, 10), 11);
		reg[r][1] = sign(field(high, 12, 22), 11);
	}
	for (unsigned k = 0; k < nbmp && k < 4; k++) {
		unsigned map = field(o->bp[0x27], 6 * k, 6 * k + 2), coord = field(o->bp[0x27], 6 * k + 3, 6 * k + 5);
		uint32_t scale = o->bp[0x25 + k / 2] >> (k % 2 ? 8 : 0);
		int texel[4] = {0, 0, 0, 0};

		if (coord >= ntex)
			coord = 0;
		if (ntex)
			o->texel(o->user, map, (int)down(o->st[coord][0], 1 << field(scale, 0, 3)),
				(int)down(o->st[coord][1], 1 << field(scale, 4, 7)), texel);
		else
			o->texel(o->user, map, 0, 0, texel);
		indirect[k][0] = texel[3];
		indirect[k][1] = texel[2];
		indirect[k][2] = texel[1];
	}
	for (unsigned n = 0; n < stages; n++) {
		struct tev_oracle_stage *s = &o->stage[n];
		unsigned select = n % 2 ? 14 : 4;

		indirect_stage(o, s, n, indirect, previous);
		look_up(o, s, n);
		raster_colour(o, s, n);
		for (int i = 0; i < 4; i++)
			s->konst[i] = konst(o->bp, field(o->bp[0xF6 + n / 2], select + (i == 3 ? 5 : 0), select + (i == 3 ? 9 : 4)), i, o->wide_konst);
		combine_stage(o, s, n, reg);
	}
	for (int i = 0; i < 4; i++) {
		uint32_t last = o->bp[0xC0 + 2 * (stages - 1) + (i == 3)];
		o->out[i] = reg[field(last, 22, 23)][i] & 255;
	}
}
