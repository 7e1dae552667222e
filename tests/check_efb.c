/* check_efb.c - the processor's window on the EFB, samples of the anti-aliased EFB, tokens, finish and counters
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "gx/pe.h"
#include "gx/su.h"
#include "session.h"
#include "tevpe.h"

#define COUNT(table) ((int)(sizeof table / sizeof *table))

/* ---- peeks and pokes ----------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	unsigned pixel;
	uint16_t alphaconf, dstalpha, alphamode, alpharead;
	uint32_t old, poke, expected; /* ARGB, as peeked */
} pokes[] = {
	{"RGB8 keeps all bits", 0, 0x18, 0, 0x700, 2, 0, 0x80123456, 0xFF123456},
	{"fact 30: RGBA6 reads back (v & fc) | v >> 6", 1, 0x18, 0, 0x700, 2, 0, 0x7FA1B2C3, 0x7DA2B2C3},
	{"alpha read as 0", 1, 0x18, 0, 0x700, 0, 0, 0x7FA1B2C3, 0x00A2B2C3},
	{"alpha read as 255", 1, 0x18, 0, 0x700, 1, 0, 0x7FA1B2C3, 0xFFA2B2C3},
	{"RGB565", 2, 0x18, 0, 0x700, 2, 0, 0xFFA1B2C3, 0xFFA5B2C6},
	{"colour masked", 1, 0x10, 0, 0x700, 2, 0, 0xFCFCFCFC, 0xFF000000},
	{"alpha masked", 1, 0x08, 0, 0x700, 2, 0, 0xFCFCFCFC, 0x00FFFFFF},
	{"alpha test: less than 128 stops", 1, 0x18, 0, 0x680, 2, 0xFF112233, 0x7FFFFFFF, 0xFF102030},
	{"alpha test: 128 passes", 1, 0x18, 0, 0x680, 2, 0xFF112233, 0x80FCFCFC, 0x82FFFFFF},
	{"alpha test: never", 1, 0x18, 0, 0x000, 2, 0xFFFFFFFF, 0x80FCFCFC, 0xFFFFFFFF},
	{"blended by alpha", 0, 0x18 | 1 | 5 << 5 | 4 << 8, 0, 0x700, 2, 0xFF00FF64, 0x80FF0064, 0xFF807E64},
	{"subtracted", 0, 0x18 | 1 | 1 << 11, 0, 0x700, 2, 0xFF96FF0A, 0xFF646414, 0xFF329B00},
	{"logic xor", 0, 0x18 | 2 | 6 << 12, 0, 0x700, 2, 0xFFFF660F, 0xFFF0CCAA, 0xFF0FAAA5},
	{"constant alpha", 1, 0x18, 0x180, 0x700, 2, 0, 0x10FFFFFF, 0x82FFFFFF},
	/* recorded on the console for pixel types 4 to 6, unexplained */
	{"type 4: up to 1 reads 0, else 255", 4, 0x18, 0, 0x700, 2, 0, 0xFF010200, 0xFF00FF00},
	{"type 5: odd 255, else 12 + 65 (v >> 6) + 32 (v >> 1 & 1)", 5, 0x18, 0, 0x700, 2, 0, 0xFF034241, 0xFFFF6DFF},
	{"type 6: odd as it is, else five bits", 6, 0x18, 0, 0x700, 2, 0, 0xFF4382FF, 0xFF4384FF},
};

static void poke(struct gx_machine *m, enum qs_access_kind kind, int x, int y, uint32_t value)
{
	const struct qs_access a = {.command = 7, .kind = (uint8_t)kind, .x = (uint16_t)x, .y = (uint16_t)y, .value = value};

	ck_assert(gx_access_possible(&a));
	gx_access(m, &a);
}

START_TEST(poke_case)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	uint32_t value;

	test_registers(m);
	m->state.bp[0x43] = pokes[_i].pixel;
	poke(m, QS_ACCESS_REGISTER, 0x02, 0, 0x18);
	poke(m, QS_ACCESS_REGISTER, 0x06, 0, 0x700);
	poke(m, QS_ACCESS_COLOUR, 101, 33, pokes[_i].old);
	poke(m, QS_ACCESS_REGISTER, 0x02, 0, pokes[_i].alphaconf);
	poke(m, QS_ACCESS_REGISTER, 0x04, 0, pokes[_i].dstalpha);
	poke(m, QS_ACCESS_REGISTER, 0x06, 0, pokes[_i].alphamode);
	poke(m, QS_ACCESS_REGISTER, 0x08, 0, pokes[_i].alpharead);
	ck_assert_uint_eq(m->state.pe_writer[0x02 / 2], 7);
	poke(m, QS_ACCESS_COLOUR, 101, 33, pokes[_i].poke);
	value = gx_peek(m, false, 101, 33);
	ck_assert_msg(value == pokes[_i].expected, "%s: %08x", pokes[_i].name, value);
	for (size_t i = 0; i < GX_EFB_WIDTH * GX_EFB_HEIGHT; i++)
		expect(i == 33 * GX_EFB_WIDTH + 101 || !m->efb->colour[i], "%s: another pixel", pokes[_i].name);
	gx_machine_destroy(m);
}
END_TEST

static const struct {
	const char *name;
	uint32_t control, zconf, old, poke, expected;
} depths[] = {
	{"always, written", 0, 0x1F, 0x111111, 0x123457, 0x123457},
	{"fact 32a: no test, no write", 0, 0x10, 0x111111, 0x123457, 0x111111},
	{"no update", 0, 0x0F, 0x111111, 0x123457, 0x111111},
	{"less fails", 0, 0x13, 0x111111, 0x111111, 0x111111},
	{"less passes", 0, 0x13, 0x111111, 0x111110, 0x111110},
	{"never", 0, 0x11, 0x111111, 0x000001, 0x111111},
	{"fact 32: Z24 reads what was written", 3, 0x1F, 0x111111, 0xABCDEF, 0xABCDEF},
	{"16 bits, linear", 2, 0x1F, 0x111111, 0x123457, 0x123400},
	{"16 bits, far: what 16 bits hold", 2 | 3 << 3, 0x1F, 0x111111, 0xFFFFFF, 0xFFFFFF},
};

START_TEST(depth_case)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	uint32_t value;

	test_registers(m);
	m->state.bp[0x43] = depths[_i].control;
	for (unsigned s = 0; s < gx_efb_samples(m); s++)
		gx_efb_depth(m, s)[5 * GX_EFB_WIDTH + 6] = depths[_i].old;
	poke(m, QS_ACCESS_REGISTER, 0x00, 0, depths[_i].zconf);
	poke(m, QS_ACCESS_DEPTH, 6, 5, depths[_i].poke);
	value = gx_peek(m, true, 6, 5);
	ck_assert_msg(value == depths[_i].expected, "%s: %06x", depths[_i].name, value);
	for (unsigned s = 0; s < gx_efb_samples(m); s++)
		ck_assert_msg(gx_efb_depth(m, s)[5 * GX_EFB_WIDTH + 6] == depths[_i].expected, "%s: sample %u", depths[_i].name, s);
	gx_machine_destroy(m);
}
END_TEST

static const struct qs_access impossible[] = {
	{0, QS_ACCESS_COLOUR, 640, 0, 0}, {0, QS_ACCESS_DEPTH, 0, 528, 0}, {0, QS_ACCESS_REGISTER, 0x0A, 0, 0},
	{0, QS_ACCESS_REGISTER, 0x03, 0, 0}, {0, QS_ACCESS_REGISTER, 0x02, 0, 0x10000}, {0, QS_ACCESS_COUNT, 0, 0, 0},
};

START_TEST(impossible_case)
{
	ck_assert(!gx_access_possible(&impossible[_i]));
}
END_TEST

/* One row of the pixel's history, from the value before to the one it wrote. */
static void check_history_of_access(struct session *s, const struct qs_access *a, uint32_t before)
{
	struct qs_history_row *rows;
	struct qs_error error = {0};
	uint32_t count, found = 0;

	ck_assert_msg(qs_timeline_history(s->t, 1, a->x, a->y, &rows, &count, &error), "%s", error.text);
	for (uint32_t i = 0; i < count; i++) {
		const struct qs_history_row *row = &rows[i];

		if (row->kind != QS_HISTORY_ACCESS)
			continue;
		found++;
		ck_assert_uint_eq(row->moment.command, a->command);
		for (unsigned k = 0; k < 3; k++) {
			ck_assert_uint_eq(row->before[k], before >> (16 - 8 * k) & 255);
			ck_assert_uint_eq(row->after[k], a->value >> (16 - 8 * k) & 255);
			ck_assert_uint_eq(row->source[k], a->value >> (16 - 8 * k) & 255);
		}
		if (i > 0)
			ck_assert_mem_eq(row->before, rows[i - 1].after, 4);
	}
	ck_assert_uint_eq(found, 1);
	free(rows);
}

/* In the timeline: seen from its command on whatever the way there, gone when taken back. */
START_TEST(accesses_in_time)
{
	struct session s;
	char path[700];
	struct qs_error error = {0};
	struct qs_moment first, second;
	uint32_t value, id, before, plain;

	open_session(&s, shipped("z-early-late", path, sizeof path), "z-early-late");
	ck_assert(qs_moment_parse(s.capture, "1/1", &first, &error) && qs_moment_parse(s.capture, "1/2", &second, &error));
	seek(&s, &second);
	plain = (uint32_t)qs_timeline_hash(s.t);
	struct qs_access a = {.command = second.command, .kind = QS_ACCESS_COLOUR, .x = 3, .y = 2, .value = 0xFF112233};
	ck_assert(qs_timeline_peek(s.t, QS_ACCESS_COLOUR, 3, 2, &before, &error));
	ck_assert_uint_ne(before, a.value);
	id = qs_timeline_access_add(s.t, &a, &error);
	ck_assert_msg(id, "%s", error.text);
	ck_assert_int_eq(qs_moment_compare(&second, qs_timeline_moment(s.t)), 0);
	for (int n = 0; n < 4; n++) {
		seek(&s, n & 1 ? &first : &second);
		ck_assert(qs_timeline_peek(s.t, QS_ACCESS_COLOUR, 3, 2, &value, &error));
		ck_assert_msg(n & 1 ? value != a.value : value == a.value, "way %d: %08x", n, value);
		struct qs_moment inside = random_moment(&s, QS_LEVEL_QUAD);
		(void)inside;
	}
	ck_assert_uint_eq(qs_timeline_access_count(s.t), 1);
	ck_assert_uint_eq(qs_timeline_access_at(s.t, 0)->value, a.value);
	ck_assert_ptr_null(qs_timeline_access_at(s.t, 1));
	check_history_of_access(&s, &a, before);
	a.command = QS_NONE;
	a.x = 9;
	uint32_t start = qs_timeline_access_add(s.t, &a, &error);
	struct qs_moment zero = {.level = QS_LEVEL_START, .draw = QS_NONE};
	seek(&s, &zero);
	ck_assert(qs_timeline_peek(s.t, QS_ACCESS_COLOUR, 9, 2, &value, &error));
	ck_assert_uint_eq(value, a.value);
	ck_assert(qs_timeline_access_remove(s.t, start) && qs_timeline_access_remove(s.t, id) && !qs_timeline_access_remove(s.t, id));
	seek(&s, &second);
	ck_assert_uint_eq((uint32_t)qs_timeline_hash(s.t), plain);
	a.x = 640;
	ck_assert(!qs_timeline_access_add(s.t, &a, &error));
	ck_assert_ptr_nonnull(strstr(error.text, "640 x 528"));
	a.x = 0;
	a.command = 1u << 30;
	ck_assert(!qs_timeline_access_add(s.t, &a, &error));
	close_session(&s);
}
END_TEST

/* ---- samples ------------------------------------------------------------------------------------------------------------ */

/* GX's pattern: entries (3,2)(9,6)(3,10) for the upper pixels of a quad, (9,2)(3,6)(9,10) for the lower ones. */
static void pattern(struct gx_machine *m)
{
	test_registers(m);
	m->state.bp_mask = 0xFFFFFF;
	m->state.bp[0] = 1 << 9 | 1 << 4;
	m->state.bp[1] = m->state.bp[2] = 0x23 | 0x69 << 8 | 0xA3 << 16;
	m->state.bp[3] = m->state.bp[4] = 0x29 | 0x63 << 8 | 0xA9 << 16;
	m->state.bp[0x20] = 342 << 12 | 342;
	m->state.bp[0x21] = (342 + 639) << 12 | (342 + 527);
	m->state.bp[0x59] = 171 << 10 | 171;
	m->state.bp[0x40] = 0x1F;
	m->state.bp[0x43] = PE_RGB565;
}

static struct gx_vertex corner(double x, double y, double z)
{
	struct gx_vertex v;

	memset(&v, 0, sizeof v);
	v.screen[0] = (float)(v.exact[0] = x + 342);
	v.screen[1] = (float)(v.exact[1] = y + 342);
	v.screen[2] = (float)z;
	v.inv_w = 1;
	for (unsigned c = 0; c < 4; c++)
		v.colour[0][c] = 255;
	return v;
}

/* A half plane to the right of x, z = dz*x: white, through setup, rasteriser and pixel engine. */
static void draw_half(struct gx_machine *m, double x, double dz)
{
	struct gx_vertex v[3] = {corner(x, -100, dz * x), corner(x, 300, dz * x), corner(x + 400, 100, dz * (x + 400))};
	const struct gx_vertex *const p[3] = {&v[0], &v[1], &v[2]};
	struct su_scissor scissor[SU_MAX_SCISSORS];
	struct gx_triangle t;
	struct gx_ras ras;
	int qx, qy;
	uint16_t coverage;

	ck_assert_uint_eq(su_scissors(&m->state, scissor), 1);
	memset(&t, 0, sizeof t);
	ck_assert(su_triangle(m, p, &scissor[0], &t));
	gx_pe_begin_draw(m);
	gx_ras_begin(&ras, &t);
	while (gx_ras_next(&ras, &qx, &qy, &coverage)) {
		struct gx_batch *b = test_batch(m, 1, qx, qy);

		if (qx > 40 || qy > 40)
			continue;
		b->coverage[0] = coverage;
		b->triangle[0] = &t;
		gx_ras_attributes(m, b);
		for (unsigned i = 0; i < 4; i++)
			for (unsigned c = 0; c < 4; c++)
				b->out[c][i] = 255;
		gx_pe_write(m, b);
	}
}

/* Which samples of an upper and a lower pixel an edge inside the pixel leaves covered: sample points at (field + 1) / 12. */
static const struct {
	const char *name;
	double edge;
	unsigned upper, lower;
} halves[] = {
	{"before all", 0.1, 7, 7},
	{"just before 4/12", 4 / 12.0 - 1e-4, 7, 7},
	{"just after 4/12: two of the upper, one of the lower gone", 4 / 12.0 + 1e-4, 2, 5},
	{"just before 10/12", 10 / 12.0 - 1e-4, 2, 5},
	{"just after 10/12", 10 / 12.0 + 1e-4, 0, 0},
};

START_TEST(half_case)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);

	pattern(m);
	draw_half(m, 10 + halves[_i].edge, 1000);
	for (int y = 6; y < 8; y++)
		for (unsigned s = 0; s < 3; s++) {
			bool written = gx_efb_colour(m, s)[y * GX_EFB_WIDTH + 10] != 0;
			unsigned mask = y & 1 ? halves[_i].lower : halves[_i].upper;
			ck_assert_msg(written == (mask >> s & 1), "%s: line %d sample %u", halves[_i].name, y, s);
			ck_assert_uint_eq(gx_efb_colour(m, s)[y * GX_EFB_WIDTH + 11], 0xFFFFFF);
			ck_assert_uint_eq(gx_efb_colour(m, s)[y * GX_EFB_WIDTH + 9], 0);
		}
	gx_machine_destroy(m);
}
END_TEST

/* Z is that of the sample, not of the pixel. */
START_TEST(z_of_samples)
{
	static const double at[2][3] = {{4, 10, 4}, {10, 4, 10}};
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);

	pattern(m);
	draw_half(m, 2.3, 50000);
	for (int y = 4; y < 6; y++)
		for (int x = 4; x < 8; x++)
			for (unsigned s = 0; s < 3; s++) {
				double z = 50000 * (x + at[y & 1][s] / 12);
				uint32_t got = gx_efb_depth(m, s)[y * GX_EFB_WIDTH + x];
				ck_assert_msg(got <= z + 1 && got + 256 >= z - 1, "(%d, %d) sample %u: %u, not %f cut to 16 bits", x, y, s, got, z);
			}
	gx_machine_destroy(m);
}
END_TEST

/* A pixel is evaluated at its centre when all of it is covered, else at its first covered sample. */
START_TEST(place_of_evaluation)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	struct gx_vertex v[3] = {corner(10.5, -100, 0), corner(10.5, 300, 0), corner(410.5, 100, 0)};
	const struct gx_vertex *const p[3] = {&v[0], &v[1], &v[2]};
	struct su_scissor scissor[SU_MAX_SCISSORS];
	struct gx_triangle t;
	struct gx_batch *b;

	pattern(m);
	m->state.bp[0] |= 1;
	for (unsigned i = 0; i < 3; i++) {
		v[i].tex[0][0] = (float)(v[i].exact[0] - 342);
		v[i].tex[0][1] = (float)(v[i].exact[1] - 342);
		v[i].tex[0][2] = 1;
	}
	su_scissors(&m->state, scissor);
	memset(&t, 0, sizeof t);
	ck_assert(su_triangle(m, p, &scissor[0], &t));
	b = test_batch(m, 1, 10, 6);
	b->triangle[0] = &t;
	b->coverage[0] = 2 | 7 << 3 | 5 << 6 | 7 << 9; /* as in the table above */
	gx_ras_attributes(m, b);
	static const double x[4] = {10 + 10 / 12.0, 11 + 7 / 12.0, 10 + 10 / 12.0, 11 + 7 / 12.0};
	static const double y[4] = {6 + 7 / 12.0, 6 + 7 / 12.0, 7 + 3 / 12.0, 7 + 7 / 12.0};
	for (unsigned i = 0; i < 4; i++) {
		ck_assert_msg(abs(b->st[0][0][i] - (int)(x[i] * 128)) <= 1, "pixel %u: s %d, not %d", i, b->st[0][0][i], (int)(x[i] * 128));
		ck_assert_msg(abs(b->st[0][1][i] - (int)(y[i] * 128)) <= 1, "pixel %u: t %d, not %d", i, b->st[0][1][i], (int)(y[i] * 128));
	}
	gx_machine_destroy(m);
}
END_TEST

/* Each filter weight alone shows the sample that its tap reads. */
START_TEST(taps_of_samples)
{
	static const struct {
		int line;
		unsigned sample;
	} expected[7] = {{-1, 1}, {-1, 2}, {0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}};
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);

	pattern(m);
	for (int y = 0; y < 20; y++)
		for (unsigned s = 0; s < 3; s++)
			gx_efb_colour(m, s)[y * GX_EFB_WIDTH] = (uint32_t)(3 * y + (int)s) << 18; /* red, 4 apart */
	m->state.bp[0x49] = 10 << 10;
	m->state.bp[0x4A] = 3 | 3 << 10;
	m->state.bp[0x4B] = 0x8000 >> 5;
	m->state.bp[0x4D] = 1;
	m->state.bp[0x52] = 8; /* R8 */
	for (unsigned i = 0; i < 7; i++) {
		m->state.bp[0x53] = i < 4 ? 32u << 6 * i : 0;
		m->state.bp[0x54] = i < 4 ? 0 : 32u << 6 * (i - 4);
		gx_copy(m);
		int value = m->memory.mem1[0x8000 + 8] * 2, want = 4 * (3 * (11 + expected[i].line) + (int)expected[i].sample); /* second line */
		ck_assert_msg(value == want, "weight %u: %d, not %d", i, value, want);
	}
	gx_machine_destroy(m);
}
END_TEST

/* Clearing and changing into the type set all samples; the other models have one. */
START_TEST(samples_of_clear)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	struct qs_rect rect = {4, 4, 6, 6};

	pattern(m);
	m->state.bp[0x43] = 0;
	m->efb->colour[0] = 0x123456;
	m->efb->depth[0] = 0x654321;
	gx_write_bp(m, 0x43, PE_RGB565);
	for (unsigned s = 0; s < 3; s++)
		ck_assert(gx_efb_colour(m, s)[0] == 0x123456 && gx_efb_depth(m, s)[0] == 0x654321);
	gx_efb_clear(m, rect, 0xFF8000FF, 0xABCDEF, true, true, true);
	for (unsigned s = 0; s < 3; s++) {
		ck_assert_uint_eq(gx_efb_colour(m, s)[5 * GX_EFB_WIDTH + 5], 0xFF8200);
		ck_assert_uint_eq(gx_efb_depth(m, s)[5 * GX_EFB_WIDTH + 5], 0xABCD00);
		ck_assert_uint_eq(gx_efb_colour(m, s)[6 * GX_EFB_WIDTH + 6], 0);
	}
	for (unsigned model = 1; model < QS_MODEL_COUNT; model++) {
		gx_machine_set_model(m, (enum qs_model)model);
		ck_assert_uint_eq(gx_efb_samples(m), 1);
	}
	gx_machine_destroy(m);
}
END_TEST

/* ---- registers that follow the stream ------------------------------------------------------------------------------------ */

START_TEST(tokens_and_finish)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	uint16_t *pe = m->state.pe;

	test_registers(m);
	m->state.bp_mask = 0xFFFFFF;
	m->command = 42;
	gx_write_bp(m, 0x47, 0x1234);
	ck_assert_uint_eq(pe[0x0E / 2], 0x1234);
	ck_assert_uint_eq(pe[0x0A / 2] & 0xC, 0);
	gx_write_bp(m, 0x48, 0x4321);
	ck_assert_uint_eq(pe[0x0E / 2], 0x4321);
	ck_assert_uint_eq(pe[0x0A / 2] & 0xC, 4);
	gx_write_bp(m, 0x45, 1);
	ck_assert_uint_eq(pe[0x0A / 2] & 0xC, 4);
	gx_write_bp(m, 0x45, 2);
	ck_assert_uint_eq(pe[0x0A / 2] & 0xC, 0xC);
	ck_assert_uint_eq(m->state.pe_writer[0x0E / 2], 42);
	gx_write_bp(m, 0x55, 0x3FF);
	gx_write_bp(m, 0x56, 77 | 99 << 10);
	ck_assert(pe[8] == 1023 && pe[9] == 0 && pe[10] == 77 && pe[11] == 99);
	gx_machine_destroy(m);
}
END_TEST

/* Early counters with the depth test before texturing, late ones after it; quads count once; PERFMODE starts again. */
static const struct {
	const char *name;
	uint32_t control, zmode, alpha;
	unsigned expected[5]; /* early in, out, late in, out, blended */
} counters[] = {
	{"late", 0, 0x1F, 0x3F0000, {0, 0, 3, 3, 3}},
	{"late, all fail", 0, 0x11, 0x3F0000, {0, 0, 3, 0, 0}},
	{"early", 0x40, 0x1F, 0x3F0000, {3, 3, 0, 0, 3}},
	{"early, all fail", 0x40, 0x11, 0x3F0000, {3, 0, 0, 0, 0}},
	{"early, alpha fails", 0x40, 0x1F, 0, {3, 3, 0, 0, 0}},
	{"late, alpha fails: nothing comes in", 0, 0x1F, 0, {0, 0, 0, 0, 0}},
	{"no test: counted all the same", 0, 0, 0x3F0000, {0, 0, 3, 3, 3}},
};

START_TEST(counter_case)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	struct gx_batch *b;

	test_registers(m);
	m->state.bp[0x43] = counters[_i].control;
	m->state.bp[0x40] = counters[_i].zmode;
	m->state.bp[0xF3] = counters[_i].alpha;
	gx_pe_begin_draw(m);
	b = test_batch(m, 4, 8, 8);
	for (unsigned i = 0; i < 7; i++) /* the first quad dead, one pixel left of the second */
		b->live[i] = b->samples[i] = 0;
	gx_pe_early_z(m, b);
	gx_pe_alpha(m, b);
	gx_pe_write(m, b);
	for (unsigned k = 0; k < 5; k++)
		ck_assert_msg(m->state.pe[0x18 / 2 + 2 * k] == counters[_i].expected[k], "%s: counter %u is %u", counters[_i].name, k,
			m->state.pe[0x18 / 2 + 2 * k]);
	m->state.pe[0x18 / 2] = 0xFFFF; /* carry into the high half */
	m->state.pe[0x20 / 2] = 0xFFFF;
	b = test_batch(m, 1, 8, 8);
	gx_pe_early_z(m, b);
	gx_pe_alpha(m, b);
	gx_pe_write(m, b);
	ck_assert_uint_eq(m->state.pe[0x1A / 2] + m->state.pe[0x22 / 2], counters[_i].expected[0] + counters[_i].expected[2] ? 1 : 0);
	gx_write_bp(m, 0x57, 0xAAA);
	for (unsigned k = 0; k < 10; k++)
		ck_assert_uint_eq(m->state.pe[0x18 / 2 + k], 0);
	gx_machine_destroy(m);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("efb");
	TCase *tcase = tcase_create("efb");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, poke_case, 0, COUNT(pokes));
	tcase_add_loop_test(tcase, depth_case, 0, COUNT(depths));
	tcase_add_loop_test(tcase, impossible_case, 0, COUNT(impossible));
	tcase_add_test(tcase, accesses_in_time);
	tcase_add_loop_test(tcase, half_case, 0, COUNT(halves));
	tcase_add_test(tcase, z_of_samples);
	tcase_add_test(tcase, place_of_evaluation);
	tcase_add_test(tcase, taps_of_samples);
	tcase_add_test(tcase, samples_of_clear);
	tcase_add_test(tcase, tokens_and_finish);
	tcase_add_loop_test(tcase, counter_case, 0, COUNT(counters));
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
