/* check_tev.c - combiners, indirect texturing, fog: console facts as tables, random programs against the scalar oracle
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>

#include "oracle/tev_oracle.h"
#include "tevpe.h"

/* Colour and alpha words: inputs and the upper byte. */
#define COLOUR(a, b, c, d, upper) ((uint32_t)(upper) << 16 | (a) << 12 | (b) << 8 | (c) << 4 | (d))
#define ALPHA(a, b, c, d, upper) ((uint32_t)(upper) << 16 | (a) << 13 | (b) << 10 | (c) << 7 | (d) << 4)
/* Upper byte: bias, op, clamp, scale, destination. */
#define UPPER(bias, op, clamp, scale, to) ((bias) | (op) << 2 | (clamp) << 3 | (scale) << 4 | (to) << 6)
enum { ZERO, PLUS, MINUS, COMPARE };
enum { X1, X2, X4, HALF };
enum { PREV, C0, C1, C2 };
enum { ADD, SUB };

static void set_register(uint32_t *bp, unsigned reg, int r, int g, int b, int a)
{
	bp[0xE0 + 2 * reg] = ((uint32_t)r & 0x7FF) | ((uint32_t)a & 0x7FF) << 12;
	bp[0xE1 + 2 * reg] = ((uint32_t)b & 0x7FF) | ((uint32_t)g & 0x7FF) << 12;
}

/* ---- facts -------------------------------------------------------------------------------------------------------------- */

/* Facts 3-10: inputs a, b, c from C0, C1, C2, d from PREV; run in all four channels. */
static const struct {
	const char *name;
	int a, b, c, d;
	unsigned bias, op, clamp, scale;
	int expected;
} regular[] = {
	{"fact 3: a = -1 is 255", -1, 0, 0, 0, ZERO, ADD, 0, X1, 255},
	{"fact 3: a = 256 is 0", 256, 0, 0, 0, ZERO, ADD, 0, X1, 0},
	{"fact 4: c = 255 is all of b", 255, 0, 255, 0, ZERO, ADD, 0, X1, 0},
	{"fact 4: c = 128", 255, 0, 128, 0, ZERO, ADD, 0, X1, 127},
	{"fact 4: c = 64", 255, 0, 64, 0, ZERO, ADD, 0, X1, 191},
	{"fact 5: rounding up at c = 128", 200, 100, 128, 0, ZERO, ADD, 0, X1, 150},
	{"fact 5: rounding up at c = 127", 200, 100, 127, 0, ZERO, ADD, 0, X1, 150},
	{"fact 6: sub rounds by 127 and negates afterwards", 128, 0, 128, 0, ZERO, SUB, 0, X1, -63},
	{"fact 6: the same, add", 128, 0, 128, 0, ZERO, ADD, 0, X1, 64},
	{"fact 6: a = 1 add", 1, 0, 128, 0, ZERO, ADD, 0, X1, 0},
	{"fact 6: a = 1 sub", 1, 0, 128, 0, ZERO, SUB, 0, X1, 0},
	{"fact 7: scale is inside the lerp, add", 10, 20, 77, 0, ZERO, ADD, 0, X2, 26},
	{"fact 7: scale is inside the lerp, sub", 10, 20, 77, 0, ZERO, SUB, 0, X2, -26},
	{"fact 8: x1/2 has no rounding, add", 3, 4, 128, 0, ZERO, ADD, 0, HALF, 1},
	{"fact 8: x1/2 shifts last, sub", 3, 4, 128, 0, ZERO, SUB, 0, HALF, -2},
	{"fact 9: the bias is scaled", 10, 20, 77, 5, PLUS, SUB, 0, X2, 240},
	{"fact 9: bias -0.5 and x1/2", 7, 0, 0, 0, MINUS, SUB, 0, HALF, -68},
	{"fact 10: 1020 unclamped", 255, 255, 255, 0, ZERO, ADD, 0, X4, 1020},
	{"fact 10: 255 clamped", 255, 255, 255, 0, ZERO, ADD, 1, X4, 255},
	{"fact 10: never above 1023", 255, 255, 255, 100, ZERO, ADD, 0, X4, 1023},
	{"fact 10: never below -1024", 255, 255, 255, -100, ZERO, SUB, 0, X4, -1024},
	{"fact 10: clamped below at 0", 0, 0, 0, -100, ZERO, ADD, 1, X1, 0},
	{"spec: 255, 0, 128", 255, 0, 128, 0, ZERO, ADD, 0, X1, 127},
	{"spec: x1/2 of -1", 1, 0, 0, 0, ZERO, SUB, 0, HALF, -1},
	{"d keeps its 11 bits: -1024", 0, 0, 0, -1024, ZERO, ADD, 0, X1, -1024},
	{"d keeps its 11 bits: 1023", 0, 0, 0, 1023, ZERO, ADD, 0, X1, 1023},
};

START_TEST(regular_case)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	struct gx_batch *b;
	uint32_t *bp = m->state.bp;
	unsigned upper = UPPER(regular[_i].bias, regular[_i].op, regular[_i].clamp, regular[_i].scale, PREV);
	struct qs_quad *records = calloc(GX_BATCH_QUADS, sizeof *records);

	test_registers(m);
	set_register(bp, C0, regular[_i].a, regular[_i].a, regular[_i].a, regular[_i].a);
	set_register(bp, C1, regular[_i].b, regular[_i].b, regular[_i].b, regular[_i].b);
	set_register(bp, C2, regular[_i].c, regular[_i].c, regular[_i].c, regular[_i].c);
	set_register(bp, PREV, regular[_i].d, regular[_i].d, regular[_i].d, regular[_i].d);
	bp[0xC0] = COLOUR(2, 4, 6, 0, upper);
	bp[0xC1] = ALPHA(1, 2, 3, 0, upper);
	gx_tev_begin_draw(m);
	b = test_batch(m, 1, 0, 0);
	test_records(b, records, true);
	gx_tev_run(m, b);
	for (unsigned channel = 0; channel < 4; channel++) {
		ck_assert_msg(b->reg[PREV][channel][3] == regular[_i].expected, "%s, channel %u: %d", regular[_i].name, channel,
			b->reg[PREV][channel][3]);
		ck_assert_int_eq(records[0].fragment[3].stage[0].result[channel], regular[_i].expected);
		ck_assert_int_eq(b->out[channel][3], regular[_i].expected & 255);
	}
	free(records);
	gx_machine_destroy(m);
}
END_TEST

/* Fact 2: all 11 bits survive a pass through d. */
START_TEST(eleven_bits)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);

	test_registers(m);
	m->state.bp[0xC0] = COLOUR(15, 15, 15, 2, UPPER(ZERO, ADD, 0, X1, PREV));
	m->state.bp[0xC1] = ALPHA(7, 7, 7, 1, UPPER(ZERO, ADD, 0, X1, PREV));
	for (int k = -1024; k < 1024; k++) {
		struct gx_batch *b = test_batch(m, 1, 0, 0);
		set_register(m->state.bp, C0, k, -1 - k, k, -1 - k);
		gx_tev_begin_draw(m);
		gx_tev_run(m, b);
		expect(b->reg[PREV][0][0] == k, "fact 2: red %d", k);
		expect(b->reg[PREV][1][0] == -1 - k, "fact 2: green %d", k);
		expect(b->reg[PREV][2][0] == k, "fact 2: blue %d", k);
		expect(b->reg[PREV][3][0] == -1 - k, "fact 2: alpha %d", k);
	}
	gx_machine_destroy(m);
}
END_TEST

/* Fact 11: an alpha comparison of R8, GR16 or BGR24 compares what the colour combiner selects. */
static const struct {
	const char *name;
	unsigned mode, op;
	int a[3], b[3];
	int expected;
} alpha_compare[] = {
	{"fact 11: R8, 127 against 127", 0, 0, {127, 0, 0}, {127, 0, 0}, 0},
	{"fact 11: R8, 128 against 127", 0, 0, {128, 0, 0}, {127, 0, 0}, 255},
	{"R8 ignores green", 0, 0, {127, 200, 0}, {127, 0, 0}, 0},
	{"R8 equal", 0, 1, {127, 1, 1}, {127, 2, 2}, 255},
	{"GR16: green weighs more", 1, 0, {0, 2, 0}, {255, 1, 0}, 255},
	{"GR16 ignores blue", 1, 1, {5, 6, 7}, {5, 6, 0}, 255},
	{"BGR24: blue weighs most", 2, 0, {255, 255, 1}, {0, 0, 2}, 0},
	{"BGR24, last bit of red", 2, 0, {1, 9, 9}, {0, 9, 9}, 255},
	{"BGR24 equal", 2, 1, {1, 9, 9}, {1, 9, 9}, 255},
	{"values above 8 bits are cut", 0, 0, {256 + 1, 0, 0}, {2, 0, 0}, 0},
};

START_TEST(alpha_compare_case)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	struct gx_batch *b = test_batch(m, 1, 0, 0);
	const int *va = alpha_compare[_i].a, *vb = alpha_compare[_i].b;

	test_registers(m);
	set_register(m->state.bp, C0, 0, 0, 0, 11);
	set_register(m->state.bp, C1, vb[0], vb[1], vb[2], 222); /* alpha a, b: must not matter */
	set_register(m->state.bp, C2, va[0], va[1], va[2], 255);
	/* colour a = C2.rgb, b = C1.rgb and a destination that must not disturb the comparison */
	m->state.bp[0xC0] = COLOUR(6, 4, 15, 15, UPPER(ZERO, ADD, 0, X1, C1));
	m->state.bp[0xC1] =
		ALPHA(1, 2, 3, 7, UPPER(COMPARE, alpha_compare[_i].op, 0, alpha_compare[_i].mode, PREV));
	gx_tev_begin_draw(m);
	gx_tev_run(m, b);
	ck_assert_msg(b->reg[PREV][3][0] == alpha_compare[_i].expected, "%s: %d", alpha_compare[_i].name, b->reg[PREV][3][0]);
	gx_machine_destroy(m);
}
END_TEST

/* Fact 12: konst selections; K0-K3 hold 16*n + channel + 1. */
static const struct {
	unsigned select;
	int rgb[3], alpha;
} konsts[] = {
	{0, {255, 255, 255}, 255}, {1, {223, 223, 223}, 223}, {2, {191, 191, 191}, 191}, {3, {159, 159, 159}, 159},
	{4, {128, 128, 128}, 128}, {5, {96, 96, 96}, 96}, {6, {64, 64, 64}, 64}, {7, {32, 32, 32}, 32},
	{8, {0, 0, 0}, 0}, {9, {0, 0, 0}, 0}, {10, {0, 0, 0}, 0}, {11, {0, 0, 0}, 0},
	{12, {1, 2, 3}, 0}, {13, {17, 18, 19}, 0}, {14, {33, 34, 35}, 0}, {15, {49, 50, 51}, 0},
	{16, {1, 1, 1}, 1}, {17, {17, 17, 17}, 17}, {18, {33, 33, 33}, 33}, {19, {49, 49, 49}, 49},
	{20, {2, 2, 2}, 2}, {21, {18, 18, 18}, 18}, {22, {34, 34, 34}, 34}, {23, {50, 50, 50}, 50},
	{24, {3, 3, 3}, 3}, {25, {19, 19, 19}, 19}, {26, {35, 35, 35}, 35}, {27, {51, 51, 51}, 51},
	{28, {4, 4, 4}, 4}, {29, {20, 20, 20}, 20}, {30, {36, 36, 36}, 36}, {31, {52, 52, 52}, 52},
};

START_TEST(konst_case)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	struct gx_batch *b = test_batch(m, 1, 0, 0);
	uint32_t *bp = m->state.bp;

	test_registers(m);
	for (unsigned k = 0; k < 4; k++) {
		bp[0x100 + 2 * k] = (16 * k + 1) | (16 * k + 4) << 12;
		bp[0x101 + 2 * k] = (16 * k + 3) | (16 * k + 2) << 12;
	}
	/* the same selection in both stages of a KSEL register; the second one is read */
	bp[0] = 1 << 10;
	bp[0xF6] |= konsts[_i].select << 14 | konsts[_i].select << 19;
	bp[0xC0] = COLOUR(15, 15, 15, 15, UPPER(ZERO, ADD, 0, X1, PREV));
	bp[0xC1] = ALPHA(7, 7, 7, 7, UPPER(ZERO, ADD, 0, X1, PREV));
	bp[0xC2] = COLOUR(15, 15, 15, 14, UPPER(ZERO, ADD, 0, X1, PREV));
	bp[0xC3] = ALPHA(7, 7, 7, 6, UPPER(ZERO, ADD, 0, X1, PREV));
	gx_tev_begin_draw(m);
	gx_tev_run(m, b);
	for (unsigned channel = 0; channel < 3; channel++)
		ck_assert_msg(b->out[channel][0] == konsts[_i].rgb[channel], "fact 12: select %u channel %u: %d", konsts[_i].select, channel,
			b->out[channel][0]);
	ck_assert_msg(b->out[3][0] == konsts[_i].alpha, "fact 12: select %u alpha: %d", konsts[_i].select, b->out[3][0]);
	gx_machine_destroy(m);
}
END_TEST

/* Fact 13 and the other constants. */
START_TEST(constants)
{
	static const struct {
		const char *name;
		unsigned select;
		int expected;
	} inputs[] = {{"one", 12, 255}, {"fact 13: half", 13, 128}, {"zero", 15, 0}};
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);

	for (unsigned i = 0; i < 3; i++) {
		struct gx_batch *b = test_batch(m, 1, 0, 0);
		test_registers(m);
		m->state.bp[0xC0] = COLOUR(15, 15, 15, inputs[i].select, UPPER(ZERO, ADD, 0, X1, PREV));
		gx_tev_begin_draw(m);
		gx_tev_run(m, b);
		for (unsigned channel = 0; channel < 3; channel++)
			ck_assert_msg(b->out[channel][0] == inputs[i].expected, "%s: %d", inputs[i].name, b->out[channel][0]);
	}
	gx_machine_destroy(m);
}
END_TEST

/* Without texture coordinates a stage's texel is black, and an indirect stage looks at (0, 0). */
START_TEST(no_coordinates)
{
	static uint8_t texels[TEX_SIZE * TEX_SIZE][4];
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	uint32_t *bp = m->state.bp;

	memset(texels, 9, sizeof texels);
	texels[0][3] = 0xA8;
	test_registers(m);
	test_texture(m, 0, (const uint8_t (*)[4])texels);
	bp[0x00] = 1 << 4 | 1 << 10 | 1 << 16;  /* no coordinates, two stages, one indirect stage */
	bp[0x28] = 1 << 6 | 5u << 19;           /* stage 0 with texture, stage 1 with bump alpha */
	bp[0x11] = 1 << 7;                      /* of stage 1: S */
	bp[0xC0] = COLOUR(15, 15, 15, 8, UPPER(ZERO, ADD, 1, X1, C0));
	bp[0xC2] = COLOUR(15, 15, 15, 10, UPPER(ZERO, ADD, 1, X1, PREV));
	gx_tev_begin_draw(m);
	gx_tx_begin_draw(m);
	struct gx_batch *b = test_batch(m, 1, 0, 0);
	for (unsigned i = 0; i < GX_BATCH; i++) { /* what the batch before has left */
		b->st[0][0][i] = b->st[0][1][i] = (int)(i + 3) * 128 * 7;
		b->uv[0][0][i] = (float)i * 9;
	}
	gx_tev_run(m, b);
	ck_assert_int_eq(b->reg[C0][0][3], 0);
	ck_assert_int_eq(b->out[0][3], 0xA8);
	gx_machine_destroy(m);
}
END_TEST

/* ---- random programs ---------------------------------------------------------------------------------------------------- */

static uint8_t texture[8][TEX_SIZE * TEX_SIZE][4];

static void oracle_texel(void *user, unsigned map, int s, int t, int rgba[4])
{
	const uint8_t *p = texture[map][((t >> 7) & (TEX_SIZE - 1)) * TEX_SIZE + ((s >> 7) & (TEX_SIZE - 1))];

	(void)user;
	for (int i = 0; i < 4; i++)
		rgba[i] = p[i];
}

static void random_textures(struct oracle_random *r)
{
	for (unsigned map = 0; map < 8; map++)
		for (unsigned i = 0; i < TEX_SIZE * TEX_SIZE; i++) {
			uint32_t v = oracle_random_next(r);
			memcpy(texture[map][i], &v, 4);
		}
}

static void random_program(struct gx_machine *m, struct oracle_random *r)
{
	uint32_t *bp = m->state.bp;

	test_registers(m);
	for (unsigned i = 0x06; i < 0x30; i++)
		if (i < 0x20 || i > 0x24)
			bp[i] = oracle_random_next(r) & 0xFFFFFF;
	for (unsigned i = 0xC0; i < 0xE8; i++)
		bp[i] = oracle_random_next(r) & 0xFFFFFF;
	for (unsigned i = 0xF6; i < 0x108; i++)
		if (i < 0xFE || i > 0xFF)
			bp[i] = oracle_random_next(r) & 0xFFFFFF;
	bp[0] = oracle_random_below(r, 9) | oracle_random_below(r, 3) << 4 | oracle_random_below(r, 16) << 10 |
		oracle_random_below(r, 5) << 16;
	bp[0xF5] = oracle_random_below(r, 12); /* Z texture: raw texels are compared when it is on */
	if (oracle_random_below(r, 2)) /* half of the programs without indirect stages in the way */
		memset(&bp[0x10], 0, 16 * sizeof *bp);
	for (unsigned map = 0; map < 8; map++) {
		uint32_t unit = (map & 3) + (map & 4 ? 0x20 : 0);
		bp[0x80 + unit] = 1 | 1 << 2;
		bp[0x84 + unit] = 0;
		bp[0x88 + unit] = (TEX_SIZE - 1) | (TEX_SIZE - 1) << 10 | 6u << 20;
		bp[0x94 + unit] = TEX_ADDRESS(map) >> 5;
	}
}

static struct gx_batch *random_batch(struct gx_machine *m, struct oracle_random *r)
{
	struct gx_batch *b = test_batch(m, 1 + oracle_random_below(r, GX_BATCH_QUADS), 0, 0);

	for (unsigned i = 0; i < b->fragments; i++) {
		b->live[i] = oracle_random_below(r, 8) != 0;
		for (unsigned k = 0; k < 8; k++) {
			b->ras[k / 4][k % 4][i] = (int16_t)oracle_random_below(r, 256);
			for (unsigned axis = 0; axis < 2; axis++)
				b->st[k][axis][i] = (int32_t)(oracle_random_next(r) << 8) / 256 >> oracle_random_below(r, 12);
		}
	}
	return b;
}

static void compare_stage_record(const struct qs_stage *s, const struct tev_oracle_stage *o, const char *where)
{
	for (unsigned i = 0; i < 4; i++) {
		expect(s->tex[i] == o->tex[i] && s->ras[i] == o->ras[i] && s->konst[i] == o->konst[i], "%s: inputs of channel %u",
			where, i);
		expect(s->a[i] == o->a[i] && s->b[i] == o->b[i] && s->c[i] == o->c[i] && s->d[i] == o->d[i],
			"%s: abcd of channel %u", where, i);
		expect(s->wide[i] == o->wide[i] && s->result[i] == o->result[i], "%s: result of channel %u: %d, not %d", where, i,
			s->wide[i], o->wide[i]);
		for (unsigned k = 0; k < 4; k++)
			expect(s->reg[i][k] == o->reg[i][k], "%s: register %u channel %u", where, i, k);
	}
	expect(s->coord_s == o->coord[0] && s->coord_t == o->coord[1], "%s: coordinates %d,%d not %d,%d", where, s->coord_s,
		s->coord_t, o->coord[0], o->coord[1]);
	expect(s->indirect_s == o->offset[0] && s->indirect_t == o->offset[1], "%s: offset", where);
}

/* Runs the batch through the oracle; returns the number of stages it did. */
static unsigned compare_batch(struct gx_machine *m, struct gx_batch *b, struct tev_oracle *o, uint64_t seed, unsigned n)
{
	unsigned stages = (m->state.bp[0] >> 10 & 15) + 1, done = 0;
	bool z_texture = m->state.bp[0xF5] >> 2 & 3;
	char where[120];

	for (unsigned i = 0; i < b->fragments; i++) {
		if (!b->live[i])
			continue;
		for (unsigned k = 0; k < 8; k++) {
			o->ras[k / 4][k % 4] = b->ras[k / 4][k % 4][i];
			o->st[k][0] = b->st[k][0][i];
			o->st[k][1] = b->st[k][1][i];
		}
		tev_oracle_run(o);
		done += stages;
		snprintf(where, sizeof where, "seed %llu program %u fragment %u", (unsigned long long)seed, n, i);
		for (unsigned channel = 0; channel < 4; channel++) {
			expect(b->out[channel][i] == o->out[channel], "%s: channel %u is %d, not %d", where, channel,
				b->out[channel][i], o->out[channel]);
			if (z_texture && o->looked_up)
				expect(b->raw_texel[channel][i] ==
						(m->quirk[GX_QUIRK_ztexture_swap] ? o->raw_swapped : o->raw)[channel],
					"%s: raw texel", where);
		}
		for (unsigned k = 0; b->record && b->detail && k < stages; k++) {
			snprintf(where, sizeof where, "seed %llu program %u fragment %u stage %u", (unsigned long long)seed, n, i, k);
			compare_stage_record(&b->record[i / 4].fragment[i % 4].stage[k], &o->stage[k], where);
		}
	}
	return done;
}

START_TEST(random_programs)
{
	struct oracle_random r = oracle_random_start();
	struct gx_machine *m = test_machine((enum qs_model)_i);
	struct qs_quad *records = calloc(GX_BATCH_QUADS, sizeof *records);
	struct tev_oracle o = {
		.bp = m->state.bp,
		.texel = oracle_texel,
		.negate_alpha_first = m->quirk[GX_QUIRK_alpha_subtract],
		.wide_konst = m->quirk[GX_QUIRK_konst_bits] == 11,
		.latching = m->quirk[GX_QUIRK_disabled_texel],
		.dynamic_divide = m->quirk[GX_QUIRK_dynamic_indirect],
	};
	unsigned done = 0, n = 0;

	r.state += (uint64_t)_i * 77;
	random_textures(&r);
	for (unsigned map = 0; map < 8; map++)
		test_texture(m, map, (const uint8_t(*)[4])texture[map]);
	while (done < 1000000) {
		struct gx_batch *b;

		random_program(m, &r);
		gx_tx_begin_draw(m);
		gx_tev_begin_draw(m);
		b = random_batch(m, &r);
		if (n % 8 == 0)
			test_records(b, records, true);
		gx_tev_run(m, b);
		done += compare_batch(m, b, &o, r.seed, n++);
		for (unsigned channel = 0; o.latching && channel < 4; channel++)
			expect(m->state.last_texel[channel] == o.latch[channel], "seed %llu program %u: latch", (unsigned long long)r.seed, n);
	}
	free(records);
	gx_machine_destroy(m);
}
END_TEST

/* ---- LOD of moved coordinates -------------------------------------------------------------------------------------------- */

/* A map whose level 0 is 10 and level 1 is 200 everywhere; an indirect map that moves every other column by 8 texels. */
static int lod_result(struct gx_machine *m, bool unmodified)
{
	uint32_t *bp = m->state.bp;
	uint8_t data[64 * 64 + 32 * 32];
	struct gx_batch *b;

	test_registers(m);
	memset(data, 10, 64 * 64);
	memset(data + 64 * 64, 200, 32 * 32);
	gx_memory_write(&m->memory, 0x20000, data, sizeof data);
	bp[0x80] = 1 | 1 << 2 | 1 << 5;  /* repeat, point between levels */
	bp[0x84] = 1 << 4 << 8;          /* max LOD 1 */
	bp[0x88] = 63 | 63 << 10 | 1 << 20; /* I8 */
	bp[0x94] = 0x20000 >> 5;
	for (unsigned i = 0; i < sizeof texture[1] / 4; i++)
		memset(texture[1][i], i & 1 ? 128 : 0, 4);
	test_texture(m, 1, (const uint8_t(*)[4])texture[1]);
	bp[0] = 1 | 1 << 16; /* one coordinate, one indirect stage */
	bp[0x27] = 1;        /* map 1, coordinate 0 */
	bp[0x28] = 1 << 6 | 7 << 7;
	bp[0x06] = 64 | 1 << 22; /* m00, scale 17 = exponent 0 */
	bp[0x07] = 0 << 22;
	bp[0x08] = 1 << 22;
	bp[0x10] = 1 << 9 | (unmodified ? 1u << 19 : 0);
	bp[0xC0] = COLOUR(15, 15, 15, 8, UPPER(ZERO, ADD, 0, X1, PREV));
	gx_tx_begin_draw(m);
	gx_tev_begin_draw(m);
	b = test_batch(m, 1, 0, 0);
	for (unsigned i = 0; i < 4; i++)
		b->st[0][0][i] = (i & 1) * 128; /* the float coordinates stay equal: level 0 */
	gx_tev_run(m, b);
	return b->out[0][0];
}

static const struct {
	const char *name;
	enum qs_model model;
	bool unmodified;
	int expected;
} lods[] = {
	{"LOD follows the moved coordinate", QS_MODEL_HARDWARE, false, 200},
	{"utclod keeps the regular one", QS_MODEL_HARDWARE, true, 10},
	{"Dolphin always takes the regular one", QS_MODEL_DOLPHIN, false, 10},
};

START_TEST(lod_case)
{
	struct gx_machine *m = test_machine(lods[_i].model);
	int result = lod_result(m, lods[_i].unmodified);
	expect(result == lods[_i].expected, "%s: %d", lods[_i].name, result);
	gx_machine_destroy(m);
}
END_TEST

/* ---- fog ---------------------------------------------------------------------------------------------------------------- */

/* Register form of a float: 11 bits of mantissa. */
static uint32_t fog_float(float f)
{
	union {
		float f;
		uint32_t u;
	} c = {.f = f};
	return (c.u >> 12 & 0x7FF) | (c.u >> 23 & 0xFF) << 11 | c.u >> 31 << 19;
}

static const struct {
	const char *name;
	uint32_t a, b, shift, c; /* c with type and projection */
	uint32_t z;
	int expected; /* parts of 256 */
} fogs[] = {
	{"off", 0x3F800, 0, 0, 0, 0xFFFFFF, 0},
	{"fact 38: both infinite, both positive", 255 << 11, 0, 0, 255 << 11 | 2 << 21, 0x800000, 256},
	{"fact 38: both infinite, A negative", 255 << 11 | 1 << 19, 0, 0, 255 << 11 | 2 << 21, 0x800000, 0},
	{"fact 38: both infinite, C negative", 255 << 11, 0, 0, 255 << 11 | 1 << 19 | 2 << 21, 0x800000, 0},
	{"fact 38: NaN, both positive", 255 << 11 | 5, 0, 0, 255 << 11 | 9 | 2 << 21, 0, 256},
	{"orthographic, z = 0", 127 << 11, 0, 0, 1 << 20 | 2 << 21, 0, 0},
	{"orthographic, z = 1/2", 127 << 11, 0, 0, 1 << 20 | 2 << 21, 0x800000, 128},
	{"orthographic, z = 1", 127 << 11, 0, 0, 1 << 20 | 2 << 21, 0xFFFFFF, 256},
	{"orthographic, half a part rounds up", 127 << 11, 0, 0, 1 << 20 | 2 << 21, 0x808000, 129},
	{"orthographic, less than half a part", 127 << 11, 0, 0, 1 << 20 | 2 << 21, 0x807F00, 128},
	{"exp of 1", 127 << 11, 0, 0, 1 << 20 | 4 << 21, 0xFFFFFF, 255},
	{"exp of 1/2: 1 - 2^-4", 127 << 11, 0, 0, 1 << 20 | 4 << 21, 0x800000, 240},
	{"exp2 of 1/2: 1 - 2^-2", 127 << 11, 0, 0, 1 << 20 | 5 << 21, 0x800000, 192},
	{"backward exp of 1/2: 2^-4", 127 << 11, 0, 0, 1 << 20 | 6 << 21, 0x800000, 16},
	{"backward exp2 of 1/2: 2^-2", 127 << 11, 0, 0, 1 << 20 | 7 << 21, 0x800000, 64},
	/* A*2^24/(B - z): A = 1/4, B = 2^23: z = 0: 1/2; z = 2^22: 1 */
	{"perspective, far", 125 << 11, 0x800000, 0, 2 << 21, 0, 128},
	{"perspective, near", 125 << 11, 0x800000, 0, 2 << 21, 0x400000, 256},
	{"perspective, shifted", 125 << 11, 0x800000, 2, 2 << 21, 0x7FFFFF, 171},
	{"perspective, beyond B", 125 << 11, 0x400000, 0, 2 << 21, 0x800000, 0},
	{"perspective, at B: infinite", 125 << 11, 0x400000, 0, 2 << 21, 0x400000, 256},
};

static void fog_registers(struct gx_machine *m, uint32_t a, uint32_t b, uint32_t shift, uint32_t c)
{
	m->state.bp[0xEE] = a;
	m->state.bp[0xEF] = b;
	m->state.bp[0xF0] = shift;
	m->state.bp[0xF1] = c;
	m->state.bp[0xF2] = 0xFF8000;
}

START_TEST(fog_case)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	struct gx_batch *b = test_batch(m, 1, 0, 0);
	int f = fogs[_i].expected;

	test_registers(m);
	fog_registers(m, fogs[_i].a, fogs[_i].b, fogs[_i].shift, fogs[_i].c);
	gx_tev_begin_draw(m);
	for (unsigned channel = 0; channel < 4; channel++)
		b->out[channel][2] = 100;
	b->z[2] = fogs[_i].z;
	gx_fog_run(m, b);
	expect(b->out[0][2] == (100 * (256 - f) + 255 * f) >> 8, "%s: red %d", fogs[_i].name, b->out[0][2]);
	expect(b->out[1][2] == (100 * (256 - f) + 128 * f) >> 8, "%s: green %d", fogs[_i].name, b->out[1][2]);
	expect(b->out[2][2] == (100 * (256 - f)) >> 8, "%s: blue %d", fogs[_i].name, b->out[2][2]);
	ck_assert_int_eq(b->out[3][2], 100);
	gx_machine_destroy(m);
}
END_TEST

/* Range table: K grows by 1/8 a step; at d columns from the centre the factor is 1 + d/32/8. */
static const struct {
	const char *name;
	int x, centre;
	double factor;
} ranges[] = {
	{"centre", 320, 320 + 342, 1},
	{"16 columns right", 336, 320 + 342, 1 + 0.5 / 8},
	{"32 columns left", 288, 320 + 342, 1 + 1.0 / 8},
	{"112 columns left", 208, 320 + 342, 1 + 3.5 / 8},
	{"all ten steps", 0, 320 + 342, 1 + 10.0 / 8},
	{"beyond the table", 639, 100 + 342, 1 + 10.0 / 8},
};

START_TEST(range_case)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	struct gx_batch *b = test_batch(m, 1, ranges[_i].x & ~1, 0);
	double z = 0x300000;
	int f = (int)(256 * z / 0x1000000 * ranges[_i].factor + 0.5), i = ranges[_i].x & 1;

	test_registers(m);
	fog_registers(m, 127 << 11, 0, 0, 1 << 20 | 2 << 21);
	m->state.bp[0xE8] = (uint32_t)ranges[_i].centre | 1 << 10;
	for (unsigned k = 0; k < 5; k++)
		m->state.bp[0xE9 + k] = (256 + (2 * k + 1) * 32) | (256 + (2 * k + 2) * 32) << 12;
	gx_tev_begin_draw(m);
	b->z[i] = 0x300000;
	b->out[0][i] = 0;
	gx_fog_run(m, b);
	expect(b->out[0][i] == (255 * f) >> 8, "%s: %d, not %d", ranges[_i].name, b->out[0][i], (255 * f) >> 8);
	gx_machine_destroy(m);
}
END_TEST

/* In double precision and rounded by hand; single precision may move a value by one part. */
static double fog_oracle(const struct gx_machine *m, double a, double c, uint32_t z, unsigned type, bool orthographic)
{
	const uint32_t *bp = m->state.bp;
	double ze = orthographic ? a * z / 16777216.0 : a * 16777216.0 / ((double)bp[0xEF] - (double)(z >> bp[0xF0])), f = ze - c;

	f = f > 1 ? 1 : f > 0 ? f : 0;
	switch (type) {
	case 4:
		return 1 - exp2(-8 * f);
	case 5:
		return 1 - exp2(-8 * f * f);
	case 6:
		return exp2(-8 * (1 - f));
	case 7:
		return exp2(-8 * (1 - f) * (1 - f));
	default:
		return f;
	}
}

START_TEST(random_fog)
{
	struct oracle_random r = oracle_random_start();
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);

	test_registers(m);
	for (unsigned n = 0; n < 3000; n++) {
		struct gx_batch *b = test_batch(m, GX_BATCH_QUADS, 0, 0);
		bool orthographic = oracle_random_below(&r, 2);
		unsigned type = 2 + oracle_random_below(&r, 6);
		float af = (float)oracle_random_below(&r, 4096) / 1024.0f, cf = (float)oracle_random_below(&r, 2048) / 1024.0f - 1;

		fog_registers(m, fog_float(af), 0x800000 + oracle_random_below(&r, 0x7FFFFF), oracle_random_below(&r, 4),
			fog_float(cf) | (orthographic ? 1u << 20 : 0) | type << 21);
		m->state.bp[0xF2] = 0xFF0000;
		gx_tev_begin_draw(m);
		for (unsigned i = 0; i < GX_BATCH; i++)
			b->z[i] = oracle_random_next(&r) >> 8;
		gx_fog_run(m, b);
		for (unsigned i = 0; i < GX_BATCH; i++) {
			double f = 256 * fog_oracle(m, (double)af, (double)cf, b->z[i], type, orthographic);
			int low = (255 * (int)floor(f + 0.5 - 1e-3 * f)) >> 8, high = (255 * (int)floor(f + 0.5 + 1e-3 * f)) >> 8;
			expect(b->out[0][i] >= low && b->out[0][i] <= high, "seed %llu fog %u: type %u, z %06x: %d not %d",
				(unsigned long long)r.seed, n, type, b->z[i], b->out[0][i], low);
		}
	}
	gx_machine_destroy(m);
}
END_TEST

#define COUNT(table) ((int)(sizeof table / sizeof *table))

int main(void)
{
	Suite *suite = suite_create("tev");
	TCase *tcase = tcase_create("tev");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, regular_case, 0, COUNT(regular));
	tcase_add_test(tcase, eleven_bits);
	tcase_add_loop_test(tcase, alpha_compare_case, 0, COUNT(alpha_compare));
	tcase_add_loop_test(tcase, konst_case, 0, COUNT(konsts));
	tcase_add_test(tcase, constants);
	tcase_add_test(tcase, no_coordinates);
	tcase_add_loop_test(tcase, random_programs, 0, QS_MODEL_COUNT);
	tcase_add_loop_test(tcase, lod_case, 0, COUNT(lods));
	tcase_add_loop_test(tcase, fog_case, 0, COUNT(fogs));
	tcase_add_loop_test(tcase, range_case, 0, COUNT(ranges));
	tcase_add_test(tcase, random_fog);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
