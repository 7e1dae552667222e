/* indirect.c - indirect texturing: lookups whose result moves the coordinates of the stages
 *
 * Source: specification 06 section 4 (registers 0x06-0x1F), 04 for the order and scale registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "core/bits.h"
#include "gx/tev.h"

#define BP_GEN_MODE 0x00
#define BP_IND_MTX 0x06
#define BP_IND_CMD 0x10
#define BP_RAS1_SS 0x25
#define BP_RAS1_IREF 0x27

/* ---- decode ------------------------------------------------------------------------------------------------------------- */

static int32_t wrap_mask(unsigned code)
{
	/* 0 off, 1-5: 256 128 64 32 16 texels of 128 steps, 6 and 7: zero */
	return code == 0 ? -1 : code > 5 ? 0 : (1 << (16 - code)) - 1;
}

static void decode_matrix(const uint32_t *bp, unsigned index, struct tev_stage *stage)
{
	const uint32_t *word = &bp[BP_IND_MTX + 3 * index];
	unsigned scale = bits(word[0], 22, 2) | bits(word[1], 22, 2) << 2 | bits(word[2], 22, 1) << 4; /* fact 36 */

	for (unsigned column = 0; column < 3; column++)
		for (unsigned row = 0; row < 2; row++)
			stage->m[row][column] = bits_sign(word[column] >> (11 * row), 11);
	stage->matrix_shift = 17 - (int32_t)scale;
}

static void decode_command(const struct gx_machine *m, struct tev_draw *tev, unsigned n)
{
	static const uint8_t component_shift[4] = {0, 3, 4, 5}, bump_left[4] = {0, 5, 4, 3};
	struct tev_stage *stage = &tev->stage[n];
	const uint32_t *bp = m->state.bp, word = bp[BP_IND_CMD + n];
	unsigned format = bits(word, 2, 2), matrix = bits(word, 9, 2), type = bits(word, 11, 2);

	stage->source = bits(word, 0, 2) < tev->indirects ? (int8_t)bits(word, 0, 2) : -1;
	stage->shift = component_shift[format];
	for (unsigned k = 0; k < 3; k++)
		stage->bias[k] = bits(word, 4 + k, 1) ? (format == 0 ? -128 : 1) : 0;
	stage->bump = (uint8_t)bits(word, 7, 2);
	stage->bump_left = bump_left[format];
	stage->matrix = matrix != 0 && type != 3;
	stage->matrix_type = (uint8_t)type;
	if (matrix)
		decode_matrix(bp, matrix - 1, stage);
	stage->wrap[0] = wrap_mask(bits(word, 13, 3));
	stage->wrap[1] = wrap_mask(bits(word, 16, 3));
	stage->add_previous = bits(word, 20, 1) && n > 0;
	stage->own_lod = !bits(word, 19, 1) && !m->quirk[GX_QUIRK_utc_lod];
	stage->modified = stage->matrix || stage->add_previous || stage->wrap[0] != -1 || stage->wrap[1] != -1;
}

void indirect_decode(const struct gx_machine *m, struct tev_draw *tev)
{
	const uint32_t *bp = m->state.bp;
	unsigned ntex = bits(bp[BP_GEN_MODE], 0, 4);

	tev->indirects = bits(bp[BP_GEN_MODE], 16, 3);
	if (tev->indirects > 4)
		tev->indirects = 4;
	tev->dynamic_divide = m->quirk[GX_QUIRK_dynamic_indirect];
	for (unsigned k = 0; k < tev->indirects; k++) {
		struct tev_indirect *indirect = &tev->indirect[k];
		uint32_t order = bp[BP_RAS1_IREF] >> (6 * k), scale = bp[BP_RAS1_SS + k / 2] >> (k & 1 ? 8 : 0);

		indirect->map = (uint8_t)bits(order, 0, 3);
		indirect->coord = (uint8_t)bits(order, 3, 3);
		if (indirect->coord >= ntex)
			indirect->coord = 0;
		indirect->shift_s = (uint8_t)bits(scale, 0, 4);
		indirect->shift_t = (uint8_t)bits(scale, 4, 4);
	}
	for (unsigned n = 0; n < tev->stages; n++)
		decode_command(m, tev, n);
}

/* ---- a batch ------------------------------------------------------------------------------------------------------------ */

void indirect_lookups(struct gx_machine *m, struct gx_batch *b)
{
	static const uint8_t channel[3] = {3, 2, 1}; /* S alpha, T blue, U green; no swap table */
	const struct tev_draw *tev = m->tev;

	for (unsigned k = 0; k < tev->indirects; k++) {
		const struct tev_indirect *indirect = &tev->indirect[k];
		struct qs_sample *sample[GX_BATCH];
		int32_t s[GX_BATCH], t[GX_BATCH];
		bool detail = b->record && b->detail;

		for (unsigned i = 0; i < GX_BATCH; i++) {
			s[i] = tev->textured ? shift_floor(b->st[indirect->coord][0][i], indirect->shift_s) : 0;
			t[i] = tev->textured ? shift_floor(b->st[indirect->coord][1][i], indirect->shift_t) : 0;
		}
		for (unsigned i = 0; detail && i < b->fragments; i++)
			sample[i] = &b->record[i / 4].fragment[i % 4].indirect[k];
		/* without coordinates the place is (0, 0), as in Dolphin's shaders, and so are its derivatives */
		gx_tx_sample(m, b, indirect->map, indirect->coord, s, t, tev->textured ? NULL : s, tev->textured ? NULL : t,
			detail ? sample : NULL);
		for (unsigned c = 0; c < 3; c++)
			memcpy(b->indirect[k][c], b->texel[channel[c]], sizeof b->indirect[k][c]);
	}
}

/* Offsets of one axis.  Sums are modulo 2^32: only 24 bits of the coordinate stay. */
static void matrix_offsets(const struct tev_draw *tev, const struct gx_batch *b, const struct tev_stage *stage, unsigned axis,
	const int32_t *regular, int32_t *offset)
{
	for (unsigned i = 0; i < b->fragments; i++) {
		int32_t x[3], value;

		for (unsigned k = 0; k < 3; k++)
			x[k] = (stage->source < 0 ? 0 : b->indirect[stage->source][k][i] >> stage->shift) + stage->bias[k];
		if (stage->matrix_type == 0) {
			value = shift_floor(stage->m[axis][0] * x[0] + stage->m[axis][1] * x[1] + stage->m[axis][2] * x[2], 3);
		} else {
			/* 24 bits times -128..255 fits 32 bits; Dolphin's wider coordinates wrap, as x86 multiplies */
			value = (int32_t)((uint32_t)regular[i] * (uint32_t)x[stage->matrix_type - 1]);
			value = tev->dynamic_divide ? value / 256 : shift_floor(value, 8);
		}
		offset[i] = stage->matrix_shift >= 0 ? shift_floor(value, (unsigned)stage->matrix_shift)
						     : (int32_t)((uint32_t)value << -stage->matrix_shift);
	}
}

void indirect_stage(struct gx_machine *m, struct gx_batch *b, unsigned n, const int32_t *coord[2])
{
	struct tev_draw *tev = m->tev;
	const struct tev_stage *stage = &tev->stage[n];

	for (unsigned axis = 0; axis < 2; axis++) {
		const int32_t *regular = b->st[stage->coord][axis], *previous = coord[axis];
		int32_t *offset = tev->offset[axis], *out = b->accumulator[axis];

		coord[axis] = stage->modified ? out : regular;
		if (!stage->modified)
			continue;
		if (stage->matrix)
			matrix_offsets(tev, b, stage, axis, regular, offset);
		else
			memset(offset, 0, sizeof tev->offset[axis]);
		for (unsigned i = 0; i < b->fragments; i++) {
			uint32_t sum = (uint32_t)(regular[i] & stage->wrap[axis]) + (uint32_t)offset[i];
			if (stage->add_previous)
				sum += (uint32_t)previous[i];
			out[i] = bits_sign(sum, 24);
		}
	}
	for (unsigned i = 0; b->record && b->detail && i < b->fragments; i++) {
		struct qs_stage *s = &b->record[i / 4].fragment[i % 4].stage[n];
		s->indirect_s = stage->modified ? tev->offset[0][i] : 0;
		s->indirect_t = stage->modified ? tev->offset[1][i] : 0;
	}
}

/* Bump alpha of the stage and its normalised form (raster colours 5 and 6). */
void indirect_bump(struct tev_draw *tev, const struct gx_batch *b, unsigned n)
{
	const struct tev_stage *stage = &tev->stage[n];

	for (unsigned i = 0; i < b->fragments; i++) {
		unsigned raw = 0;

		if (stage->bump && stage->source >= 0)
			raw = (unsigned)b->indirect[stage->source][stage->bump - 1][i];
		raw = raw << stage->bump_left & 0xF8;
		tev->bump[0][i] = (int16_t)raw;
		tev->bump[1][i] = (int16_t)(raw | raw >> 5);
	}
}
