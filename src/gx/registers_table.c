/* registers_table.c - registers.def as constant tables
 *
 * Three passes over the same text: the fields, texts and value names of every layout; three numbers of every layout that must
 * be constant expressions; the registers themselves, unit by unit.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "gx/registers_table.h"

/* ---- pass 1: layouts ---------------------------------------------------------------------------------------------------- */

#define VALUES(id, ...) static const struct qs_enum_value values_##id[] = {__VA_ARGS__, {0, NULL}};
#define TYPE(id, group, acts, reset, text, source) \
	static const char group_##id[] = group, text_##id[] = text, source_##id[] = source; \
	static const struct qs_field fields_##id[] = {
#define REGISTER(address, id, group, acts, reset, text, source) TYPE(id, group, acts, reset, text, source)
#define FIELD(name, lsb, bits, kind, fraction, is_signed, values, text) \
	{#name, lsb, bits, QS_FIELD_##kind, fraction, is_signed, values, text},
#define UINT(name, lsb, bits, text) FIELD(name, lsb, bits, UINT, 0, false, NULL, text)
#define SINT(name, lsb, bits, text) FIELD(name, lsb, bits, SINT, 0, true, NULL, text)
#define BOOL(name, lsb, text) FIELD(name, lsb, 1, BOOL, 0, false, NULL, text)
#define ENUM(name, lsb, bits, values, text) FIELD(name, lsb, bits, ENUM, 0, false, values_##values, text)
#define UFIXED(name, lsb, bits, fraction, text) FIELD(name, lsb, bits, FIXED, fraction, false, NULL, text)
#define SFIXED(name, lsb, bits, fraction, text) FIELD(name, lsb, bits, FIXED, fraction, true, NULL, text)
#define FLOAT(name, lsb, bits, text) FIELD(name, lsb, bits, FLOAT, 0, true, NULL, text)
#define ADDRESS(name, lsb, bits, shift, text) FIELD(name, lsb, bits, ADDRESS, shift, false, NULL, text)
#define UNUSED(lsb, bits)
#define END };
#define AT(address, type, name)
#define SEQ2(address, type, name)
#define SEQ4(address, type, name)
#define SEQ4_7(address, type, name)
#define SEQ5(address, type, name)
#define SEQ8(address, type, name)
#define SEQ16(address, type, name)
#define PAIR4(address, type, name, type2, name2)
#define PAIR8(address, type, name, type2, name2)
#define PAIR16(address, type, name, type2, name2)
#define ROWS32(address, type, name)
#define ROWS64(address, type, name)
#define LIGHT(address, name)
#include "gx/registers.def"

/* ---- pass 2: numbers of layouts ------------------------------------------------------------------------------------------ */

#undef VALUES
#undef TYPE
#undef REGISTER
#undef FIELD
#undef UNUSED
#undef END
#define VALUES(id, ...)
#define TYPE(id, group, acts, reset, text, source) enum { acts_##id = acts, reset_##id = reset, unused_##id = 0
#define REGISTER(address, id, group, acts, reset, text, source) TYPE(id, group, acts, reset, text, source)
#define FIELD(name, lsb, bits, kind, fraction, is_signed, values, text)
#define UNUSED(lsb, bits) + (int)(((1ull << (bits)) - 1) << (lsb))
#define END };
#include "gx/registers.def"

/* ---- pass 3: registers ---------------------------------------------------------------------------------------------------- */

#undef TYPE
#undef REGISTER
#undef UNUSED
#undef END
#undef AT
#undef SEQ2
#undef SEQ4
#undef SEQ4_7
#undef SEQ5
#undef SEQ8
#undef SEQ16
#undef PAIR4
#undef PAIR8
#undef PAIR16
#undef ROWS32
#undef ROWS64
#undef LIGHT
#define TYPE(id, group, acts, reset, text, source)
#define REGISTER(address, id, group, acts, reset, text, source) AT(address, id, #id)
#define UNUSED(lsb, bits)
#define END
#define AT(at, type, title) \
	{.unit = UNIT, .address = (at), .name = title, .group = group_##type, .width = WIDTH, .acts = acts_##type, \
		.reset = (uint32_t)reset_##type, .fields = fields_##type, \
		.field_count = (uint16_t)(sizeof fields_##type / sizeof *fields_##type), .text = text_##type, \
		.source = source_##type, .unused = (uint32_t)unused_##type},
#define SEQ2(at, type, name) AT(at, type, name "0") AT((at) + 1, type, name "1")
#define SEQ4(at, type, name) SEQ2(at, type, name) AT((at) + 2, type, name "2") AT((at) + 3, type, name "3")
#define SEQ4_7(at, type, name) \
	AT(at, type, name "4") AT((at) + 1, type, name "5") AT((at) + 2, type, name "6") AT((at) + 3, type, name "7")
#define SEQ5(at, type, name) SEQ4(at, type, name) AT((at) + 4, type, name "4")
#define SEQ8(at, type, name) SEQ4(at, type, name) SEQ4_7((at) + 4, type, name)
#define SEQ16(at, type, name) \
	SEQ8(at, type, name) \
	AT((at) + 8, type, name "8") AT((at) + 9, type, name "9") AT((at) + 10, type, name "10") AT((at) + 11, type, name "11") \
	AT((at) + 12, type, name "12") AT((at) + 13, type, name "13") AT((at) + 14, type, name "14") AT((at) + 15, type, name "15")
#define TWO(at, i, a, name_a, b, name_b) AT((at) + 2 * (i), a, name_a #i) AT((at) + 2 * (i) + 1, b, name_b #i)
#define PAIR4(at, a, na, b, nb) TWO(at, 0, a, na, b, nb) TWO(at, 1, a, na, b, nb) TWO(at, 2, a, na, b, nb) TWO(at, 3, a, na, b, nb)
#define PAIR8(at, a, na, b, nb) \
	PAIR4(at, a, na, b, nb) \
	TWO(at, 4, a, na, b, nb) TWO(at, 5, a, na, b, nb) TWO(at, 6, a, na, b, nb) TWO(at, 7, a, na, b, nb)
#define PAIR16(at, a, na, b, nb) \
	PAIR8(at, a, na, b, nb) \
	TWO(at, 8, a, na, b, nb) TWO(at, 9, a, na, b, nb) TWO(at, 10, a, na, b, nb) TWO(at, 11, a, na, b, nb) \
	TWO(at, 12, a, na, b, nb) TWO(at, 13, a, na, b, nb) TWO(at, 14, a, na, b, nb) TWO(at, 15, a, na, b, nb)

/* Matrix memory: rows of 4 words, or of 3 for normals (ROWS32). */
#define ROW4(at, type, name, r) \
	AT((at) + 4 * (r), type, name #r "_0") AT((at) + 4 * (r) + 1, type, name #r "_1") \
	AT((at) + 4 * (r) + 2, type, name #r "_2") AT((at) + 4 * (r) + 3, type, name #r "_3")
#define ROW3(at, type, name, r) \
	AT((at) + 3 * (r), type, name #r "_0") AT((at) + 3 * (r) + 1, type, name #r "_1") AT((at) + 3 * (r) + 2, type, name #r "_2")
#define FIRST32(F, at, type, name) \
	F(at, type, name, 0) F(at, type, name, 1) F(at, type, name, 2) F(at, type, name, 3) \
	F(at, type, name, 4) F(at, type, name, 5) F(at, type, name, 6) F(at, type, name, 7) \
	F(at, type, name, 8) F(at, type, name, 9) F(at, type, name, 10) F(at, type, name, 11) \
	F(at, type, name, 12) F(at, type, name, 13) F(at, type, name, 14) F(at, type, name, 15) \
	F(at, type, name, 16) F(at, type, name, 17) F(at, type, name, 18) F(at, type, name, 19) \
	F(at, type, name, 20) F(at, type, name, 21) F(at, type, name, 22) F(at, type, name, 23) \
	F(at, type, name, 24) F(at, type, name, 25) F(at, type, name, 26) F(at, type, name, 27) \
	F(at, type, name, 28) F(at, type, name, 29) F(at, type, name, 30) F(at, type, name, 31)
#define NEXT32(F, at, type, name) \
	F(at, type, name, 32) F(at, type, name, 33) F(at, type, name, 34) F(at, type, name, 35) \
	F(at, type, name, 36) F(at, type, name, 37) F(at, type, name, 38) F(at, type, name, 39) \
	F(at, type, name, 40) F(at, type, name, 41) F(at, type, name, 42) F(at, type, name, 43) \
	F(at, type, name, 44) F(at, type, name, 45) F(at, type, name, 46) F(at, type, name, 47) \
	F(at, type, name, 48) F(at, type, name, 49) F(at, type, name, 50) F(at, type, name, 51) \
	F(at, type, name, 52) F(at, type, name, 53) F(at, type, name, 54) F(at, type, name, 55) \
	F(at, type, name, 56) F(at, type, name, 57) F(at, type, name, 58) F(at, type, name, 59) \
	F(at, type, name, 60) F(at, type, name, 61) F(at, type, name, 62) F(at, type, name, 63)
#define ROWS32(at, type, name) FIRST32(ROW3, at, type, name)
#define ROWS64(at, type, name) FIRST32(ROW4, at, type, name) NEXT32(ROW4, at, type, name)

#define LIGHT(at, name) \
	AT((at) + 3, LIGHT_COLOR, name "_COLOR") \
	AT((at) + 4, LIGHT_A, name "_A0") AT((at) + 5, LIGHT_A, name "_A1") AT((at) + 6, LIGHT_A, name "_A2") \
	AT((at) + 7, LIGHT_K, name "_K0") AT((at) + 8, LIGHT_K, name "_K1") AT((at) + 9, LIGHT_K, name "_K2") \
	AT((at) + 10, LIGHT_POS, name "_POS_X") AT((at) + 11, LIGHT_POS, name "_POS_Y") AT((at) + 12, LIGHT_POS, name "_POS_Z") \
	AT((at) + 13, LIGHT_DIR, name "_DIR_X") AT((at) + 14, LIGHT_DIR, name "_DIR_Y") AT((at) + 15, LIGHT_DIR, name "_DIR_Z")

#define UNIT QS_UNIT_BP
#define WIDTH 24
static const struct qs_register bp[] = {
#include "gx/registers_bp.def"
};
#undef UNIT
#undef WIDTH
#define UNIT QS_UNIT_CP
#define WIDTH 32
static const struct qs_register cp[] = {
#include "gx/registers_cp.def"
};
#undef UNIT
#define UNIT QS_UNIT_XF
static const struct qs_register xf[] = {
#include "gx/registers_xf.def"
};
#undef UNIT
#undef WIDTH
#define UNIT QS_UNIT_PE
#define WIDTH 16
static const struct qs_register pe[] = {
#include "gx/registers_pe.def"
};

#define COUNT(array) (uint32_t)(sizeof array / sizeof *array)

const struct registers_unit registers_units[QS_UNIT_COUNT] = {
	[QS_UNIT_BP] = {"bp", bp, COUNT(bp)},
	[QS_UNIT_CP] = {"cp", cp, COUNT(cp)},
	[QS_UNIT_XF] = {"xf", xf, COUNT(xf)},
	[QS_UNIT_PE] = {"pe", pe, COUNT(pe)},
};
