/* check_registers.c - the register table: every bit once, every address of the map, names, decoding, text
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "quadscope.h"

static uint32_t mask_of(unsigned lsb, unsigned count)
{
	return (count >= 32 ? UINT32_MAX : (1u << count) - 1) << lsb;
}

/* ---- the whole table ------------------------------------------------------------------------------------------------------ */

START_TEST(every_bit_once)
{
	enum qs_unit unit = (enum qs_unit)_i;

	for (uint32_t i = 0; i < qs_register_count(unit); i++) {
		const struct qs_register *reg = qs_register_at(unit, i);
		uint32_t claimed = reg->unused, all = mask_of(0, reg->width);
		ck_assert_msg(!(reg->unused & ~all), "%s: unused bits beyond its width", reg->name);
		ck_assert_msg(reg->field_count > 0, "%s has no field", reg->name);
		for (unsigned f = 0; f < reg->field_count; f++) {
			const struct qs_field *field = &reg->fields[f];
			ck_assert_msg(field->bits && field->lsb + field->bits <= reg->width, "%s.%s: bits outside", reg->name, field->name);
			uint32_t mask = mask_of(field->lsb, field->bits);
			ck_assert_msg(!(claimed & mask), "%s.%s: bits %08x claimed twice", reg->name, field->name, claimed & mask);
			claimed |= mask;
		}
		ck_assert_msg(claimed == all, "%s: bits %08x neither claimed nor unused", reg->name, all & ~claimed);
		ck_assert_msg(!(reg->reset & ~all), "%s: reset value", reg->name);
	}
}
END_TEST

START_TEST(registers_are_well_formed)
{
	static const uint8_t widths[QS_UNIT_COUNT] = {24, 32, 32, 16};
	enum qs_unit unit = (enum qs_unit)_i;
	uint32_t count = qs_register_count(unit);

	for (uint32_t i = 0; i < count; i++) {
		const struct qs_register *reg = qs_register_at(unit, i);
		ck_assert_msg(!i || qs_register_at(unit, i - 1)->address < reg->address, "%s is out of order", reg->name);
		ck_assert_uint_eq(reg->unit, unit);
		ck_assert_uint_eq(reg->width, widths[unit]);
		ck_assert_msg(strlen(reg->name) > 1 && strlen(reg->name) < 40 && reg->group[0], "register %u", i);
		ck_assert_msg(reg->text[0] && reg->text[strlen(reg->text) - 1] == '.', "%s: text is no sentence", reg->name);
		ck_assert_msg(strstr(reg->source, "section"), "%s: source", reg->name);
		ck_assert_msg(qs_register_find(unit, reg->address) == reg, "%s not found at its address", reg->name);
		for (uint32_t k = 0; k < i; k++)
			ck_assert_msg(strcasecmp(qs_register_at(unit, k)->name, reg->name), "%s twice", reg->name);
	}
	ck_assert_ptr_null(qs_register_at(unit, count));
	ck_assert_ptr_null(qs_register_find(unit, 0xFFFF));
}
END_TEST

START_TEST(fields_are_well_formed)
{
	enum qs_unit unit = (enum qs_unit)_i;

	for (uint32_t i = 0; i < qs_register_count(unit); i++) {
		const struct qs_register *reg = qs_register_at(unit, i);
		for (unsigned f = 0; f < reg->field_count; f++) {
			const struct qs_field *field = &reg->fields[f];
			for (const char *c = field->name; *c; c++)
				ck_assert_msg((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9' && c > field->name) || *c == '_', "%s.%s",
					reg->name, field->name);
			ck_assert_msg(strcmp(field->name, "raw"), "%s: raw is the whole register", reg->name);
			ck_assert_msg(field->text[0] && field->text[strlen(field->text) - 1] == '.', "%s.%s: text", reg->name, field->name);
			ck_assert_msg(qs_field_by_name(reg, field->name) == field, "%s.%s not unique", reg->name, field->name);
			ck_assert_msg((field->kind == QS_FIELD_ENUM) == (field->values != NULL), "%s.%s: values", reg->name, field->name);
			ck_assert_msg(field->kind != QS_FIELD_BOOL || field->bits == 1, "%s.%s: bool", reg->name, field->name);
			ck_assert_msg(field->kind != QS_FIELD_FIXED || field->fraction > 0, "%s.%s: fraction", reg->name, field->name);
			for (const struct qs_enum_value *v = field->values; v && v->name; v++) {
				ck_assert_msg(!(v->value & ~mask_of(0, field->bits)), "%s.%s: value %s too large", reg->name, field->name, v->name);
				for (const struct qs_enum_value *w = field->values; w != v; w++)
					ck_assert_msg(w->value != v->value && strcmp(w->name, v->name), "%s.%s: %s", reg->name, field->name, v->name);
			}
		}
	}
}
END_TEST

START_TEST(names_are_found)
{
	enum qs_unit unit = (enum qs_unit)_i;
	char name[64];

	for (uint32_t i = 0; i < qs_register_count(unit); i++) {
		const struct qs_register *reg = qs_register_at(unit, i);
		ck_assert_msg(qs_register_by_name(unit, reg->name) == reg, "%s", reg->name);
		for (size_t k = 0; k <= strlen(reg->name); k++)
			name[k] = (char)(reg->name[k] >= 'A' && reg->name[k] <= 'Z' ? reg->name[k] + 32 : reg->name[k]);
		ck_assert_msg(qs_register_by_name(unit, name) == reg, "%s", name);
		strcat(name, "_");
		ck_assert_msg(!qs_register_by_name(unit, name), "%s", name);
	}
	ck_assert_ptr_null(qs_register_by_name(unit, ""));
	ck_assert_ptr_null(qs_register_by_name(unit, "zzz"));
}
END_TEST

/* ---- the maps of the specification ---------------------------------------------------------------------------------------- */

/* Runs of used addresses; everything between them must be unused.  BP: 00-overview section 4. */
static const struct {
	enum qs_unit unit;
	uint16_t first, last, step;
} used[] = {
	{QS_UNIT_BP, 0x00, 0x04, 1}, {QS_UNIT_BP, 0x06, 0x59, 1}, {QS_UNIT_BP, 0x60, 0x69, 1}, {QS_UNIT_BP, 0x80, 0x9B, 1},
	{QS_UNIT_BP, 0xA0, 0xBB, 1}, {QS_UNIT_BP, 0xC0, 0xFE, 1}, {QS_UNIT_BP, 0x100, 0x107, 1},
	{QS_UNIT_CP, 0x00, 0x70, 0x10}, {QS_UNIT_CP, 0x71, 0x77, 1}, {QS_UNIT_CP, 0x80, 0x87, 1}, {QS_UNIT_CP, 0x90, 0x97, 1},
	{QS_UNIT_CP, 0xA0, 0xBF, 1},
	{QS_UNIT_XF, 0x000, 0x0FF, 1}, {QS_UNIT_XF, 0x400, 0x45F, 1}, {QS_UNIT_XF, 0x500, 0x5FF, 1},
	{QS_UNIT_XF, 0x603, 0x60F, 1}, {QS_UNIT_XF, 0x613, 0x61F, 1}, {QS_UNIT_XF, 0x623, 0x62F, 1}, {QS_UNIT_XF, 0x633, 0x63F, 1},
	{QS_UNIT_XF, 0x643, 0x64F, 1}, {QS_UNIT_XF, 0x653, 0x65F, 1}, {QS_UNIT_XF, 0x663, 0x66F, 1}, {QS_UNIT_XF, 0x673, 0x67F, 1},
	{QS_UNIT_XF, 0x1000, 0x1012, 1}, {QS_UNIT_XF, 0x1018, 0x1026, 1}, {QS_UNIT_XF, 0x103F, 0x1047, 1},
	{QS_UNIT_XF, 0x1050, 0x1057, 1},
	{QS_UNIT_PE, 0x00, 0x0A, 2}, {QS_UNIT_PE, 0x0E, 0x2E, 2},
};

START_TEST(address_map)
{
	for (unsigned unit = 0; unit < QS_UNIT_COUNT; unit++) {
		uint32_t expected = 0;
		for (uint32_t address = 0; address < 0x1100; address++) {
			bool is_used = false;
			for (size_t i = 0; i < sizeof used / sizeof *used; i++)
				is_used |= used[i].unit == unit && address >= used[i].first && address <= used[i].last &&
					(address - used[i].first) % used[i].step == 0;
			expected += is_used;
			ck_assert_msg(is_used == (qs_register_find((enum qs_unit)unit, address) != NULL), "%s %03x",
				qs_unit_name((enum qs_unit)unit), address);
		}
		ck_assert_uint_eq(qs_register_count((enum qs_unit)unit), expected);
	}
}
END_TEST

static const struct {
	enum qs_unit unit;
	uint16_t address;
	const char *name;
} names[] = {
	{QS_UNIT_BP, 0x00, "GEN_MODE"}, {QS_UNIT_BP, 0x04, "GEN_MSLOC3"}, {QS_UNIT_BP, 0x06, "IND_MTX_A_0"},
	{QS_UNIT_BP, 0x0E, "IND_MTX_C_2"}, {QS_UNIT_BP, 0x0F, "IND_IMASK"}, {QS_UNIT_BP, 0x10, "IND_CMD_0"},
	{QS_UNIT_BP, 0x1F, "IND_CMD_15"}, {QS_UNIT_BP, 0x20, "SU_SCIS0"}, {QS_UNIT_BP, 0x21, "SU_SCIS1"},
	{QS_UNIT_BP, 0x22, "SU_LPSIZE"}, {QS_UNIT_BP, 0x24, "RAS1_PERF"}, {QS_UNIT_BP, 0x26, "RAS1_SS1"},
	{QS_UNIT_BP, 0x27, "RAS1_IREF"}, {QS_UNIT_BP, 0x2F, "RAS1_TREF7"}, {QS_UNIT_BP, 0x30, "SU_SSIZE_0"},
	{QS_UNIT_BP, 0x3F, "SU_TSIZE_7"}, {QS_UNIT_BP, 0x40, "PE_ZMODE"}, {QS_UNIT_BP, 0x43, "PE_CONTROL"},
	{QS_UNIT_BP, 0x48, "PE_TOKEN_INT"}, {QS_UNIT_BP, 0x4E, "PE_COPY_SCALE"}, {QS_UNIT_BP, 0x52, "PE_COPY_CMD"},
	{QS_UNIT_BP, 0x54, "PE_COPY_VFILTER1"}, {QS_UNIT_BP, 0x56, "PE_YBOUND"}, {QS_UNIT_BP, 0x59, "SU_SCIS_OFFSET"},
	{QS_UNIT_BP, 0x63, "TX_LOADBLOCK3"}, {QS_UNIT_BP, 0x65, "TX_LOADTLUT1"}, {QS_UNIT_BP, 0x80, "TX_SETMODE0_0"},
	{QS_UNIT_BP, 0x97, "TX_SETIMAGE3_3"}, {QS_UNIT_BP, 0xA0, "TX_SETMODE0_4"}, {QS_UNIT_BP, 0xBB, "TX_SETTLUT_7"},
	{QS_UNIT_BP, 0xC0, "TEV_COLOR_ENV_0"}, {QS_UNIT_BP, 0xDF, "TEV_ALPHA_ENV_15"}, {QS_UNIT_BP, 0xE0, "TEV_REGISTERL_0"},
	{QS_UNIT_BP, 0xE7, "TEV_REGISTERH_3"}, {QS_UNIT_BP, 0xE8, "TEV_FOG_RANGE"}, {QS_UNIT_BP, 0xED, "TEV_FOG_RANGE_K4"},
	{QS_UNIT_BP, 0xF2, "TEV_FOG_COLOR"}, {QS_UNIT_BP, 0xF3, "TEV_ALPHAFUNC"}, {QS_UNIT_BP, 0xF5, "TEV_ZENV1"},
	{QS_UNIT_BP, 0xFD, "TEV_KSEL7"}, {QS_UNIT_BP, 0xFE, "BP_MASK"}, {QS_UNIT_BP, 0x100, "TEV_KONSTL_0"},
	{QS_UNIT_BP, 0x107, "TEV_KONSTH_3"}, {QS_UNIT_CP, 0x50, "VCD_LO"}, {QS_UNIT_CP, 0x60, "VCD_HI"},
	{QS_UNIT_CP, 0x70, "VAT_A_0"}, {QS_UNIT_CP, 0x97, "VAT_C_7"}, {QS_UNIT_CP, 0xAF, "ARRAY_BASE_15"},
	{QS_UNIT_CP, 0xB0, "ARRAY_STRIDE_0"}, {QS_UNIT_XF, 0x033, "POS_MATRIX_12_3"}, {QS_UNIT_XF, 0x0FF, "POS_MATRIX_63_3"},
	{QS_UNIT_XF, 0x45F, "NORMAL_MATRIX_31_2"}, {QS_UNIT_XF, 0x5F4, "POST_MATRIX_61_0"}, {QS_UNIT_XF, 0x633, "LIGHT3_COLOR"},
	{QS_UNIT_XF, 0x67F, "LIGHT7_DIR_Z"}, {QS_UNIT_XF, 0x1009, "XF_NUMCOLS"}, {QS_UNIT_XF, 0x100B, "AMBIENT1"},
	{QS_UNIT_XF, 0x1011, "ALPHA1_CONTROL"}, {QS_UNIT_XF, 0x1018, "MATINDEX_A"}, {QS_UNIT_XF, 0x101A, "VIEWPORT_SCALE_X"},
	{QS_UNIT_XF, 0x1025, "PROJECTION_F"}, {QS_UNIT_XF, 0x103F, "NUMTEX"}, {QS_UNIT_XF, 0x1047, "TEXGEN_7"},
	{QS_UNIT_XF, 0x1050, "DUALGEN_0"}, {QS_UNIT_PE, 0x0E, "TOKEN"}, {QS_UNIT_PE, 0x16, "BOUND_BOTTOM"},
	{QS_UNIT_PE, 0x28, "BLEND_IN_LO"},
};

START_TEST(well_known_names)
{
	const struct qs_register *reg = qs_register_find(names[_i].unit, names[_i].address);
	ck_assert_msg(reg && !strcmp(reg->name, names[_i].name), "%s", names[_i].name);
}
END_TEST

/* ---- decoding ------------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *what;
	enum qs_unit unit;
	const char *name;
	uint32_t value;
	const char *field;
	double number;
	const char *text;
} decoded[] = {
	{"dff section 5: BP[0]", QS_UNIT_BP, "GEN_MODE", 0x10, "ncol", 1, "1"},
	{"dff section 5: BP[0], one stage", QS_UNIT_BP, "GEN_MODE", 0x10, "ntev", 0, "0"},
	{"dff section 5: CP[50]", QS_UNIT_CP, "VCD_LO", 0x2200, "position", 1, "1 (direct)"},
	{"dff section 5: CP[50]", QS_UNIT_CP, "VCD_LO", 0x2200, "colour0", 1, "1 (direct)"},
	{"dff section 5: CP[50]", QS_UNIT_CP, "VCD_LO", 0x2200, "normal", 0, "0 (absent)"},
	{"dff section 5: VAT A", QS_UNIT_CP, "VAT_A_0", 0x41216009, "position_count", 1, "1 (xyz)"},
	{"dff section 5: VAT A", QS_UNIT_CP, "VAT_A_0", 0x41216009, "position_format", 4, "4 (f32)"},
	{"dff section 5: VAT A", QS_UNIT_CP, "VAT_A_0", 0x41216009, "colour0_format", 5, "5 (rgba8)"},
	{"dff section 5: VAT A", QS_UNIT_CP, "VAT_A_0", 0x41216009, "byte_dequant", 1, "1"},
	{"dff section 5: copy source", QS_UNIT_BP, "PE_COPY_SRC_SIZE", 0x077E7F, "width", 639, "639"},
	{"dff section 5: copy source", QS_UNIT_BP, "PE_COPY_SRC_SIZE", 0x077E7F, "height", 479, "479"},
	{"dff section 5: copy target", QS_UNIT_BP, "PE_COPY_DST_BASE0", 0x030000, "address", 0x600000, "0x00600000"},
	{"dff section 5: scale", QS_UNIT_BP, "PE_COPY_SCALE", 0x100, "yscale", 1, "1"},
	{"dff section 5: copy", QS_UNIT_BP, "PE_COPY_CMD", 0x4803, "display", 1, "1"},
	{"dff section 5: copy", QS_UNIT_BP, "PE_COPY_CMD", 0x4803, "clear", 1, "1"},
	{"fact 1: alpha", QS_UNIT_BP, "TEV_REGISTERL_1", 0x345678, "alpha", 837, "837"},
	{"fact 1: red", QS_UNIT_BP, "TEV_REGISTERL_1", 0x345678, "red", -392, "-392"},
	{"fact 1: alpha", QS_UNIT_BP, "TEV_REGISTERL_3", 0x4BC6A8, "alpha", -836, "-836"},
	{"fact 1: red", QS_UNIT_BP, "TEV_REGISTERL_3", 0x4BC6A8, "red", -344, "-344"},
	{"konst is unsigned", QS_UNIT_BP, "TEV_KONSTH_2", 0x8FF0FE, "green", 255, "255"},
	{"konst is unsigned", QS_UNIT_BP, "TEV_KONSTH_2", 0x8FF0FE, "blue", 254, "254"},
	{"fixed, negative", QS_UNIT_BP, "TX_SETMODE0_5", 0xD8u << 9, "lod_bias", -1.25, "-1.25"},
	{"fixed, unsigned", QS_UNIT_BP, "TX_SETMODE1_0", 0xA8 << 8, "max_lod", 10.5, "10.5"},
	{"matrix element", QS_UNIT_BP, "IND_MTX_B_1", 0x600u << 11, "m11", -0.5, "-0.5"},
	{"20-bit float", QS_UNIT_BP, "TEV_FOG_PARAM_0", 0x3F800, "a", 1, "1"},
	{"20-bit float, negative", QS_UNIT_BP, "TEV_FOG_PARAM_3", 0xC0200, "c", -2.5, "-2.5"},
	{"20-bit float, infinite", QS_UNIT_BP, "TEV_FOG_PARAM_0", 0x7F800, "a", (double)INFINITY, "inf"},
	{"float", QS_UNIT_XF, "VIEWPORT_SCALE_X", 0x43A00000, "value", 320, "320"},
	{"shortest float", QS_UNIT_XF, "POS_MATRIX_0_0", 0x3DCCCCCD, "value", (double)0.1f, "0.1"},
	{"float with nine digits", QS_UNIT_XF, "POS_MATRIX_0_0", 0x3EAAAAAB, "value", (double)0.333333343f, "0.33333334"},
	{"colour", QS_UNIT_XF, "MATERIAL0", 0xFF8040C0, "green", 128, "128"},
	{"palette", QS_UNIT_BP, "TX_SETTLUT_1", 0x803, "tmem", 0x600, "0x00000600"},
	{"texture address", QS_UNIT_BP, "TX_SETIMAGE3_7", 0x800001, "address", 0x10000020, "0x10000020"},
	{"format", QS_UNIT_BP, "TX_SETIMAGE0_0", 0xE00000, "format", 14, "14 (CMPR)"},
	{"enum without a name for the value", QS_UNIT_XF, "TEXGEN_0", 31 << 7, "source", 31, "31"},
	{"wide unsigned", QS_UNIT_BP, "PE_COPY_CLEAR_Z", 0x00FFFF, "z", 65535, "0x00ffff"},
	{"compare", QS_UNIT_BP, "PE_ZMODE", 0x17, "func", 3, "3 (lequal)"},
	{"bank", QS_UNIT_BP, "TEV_REGISTERL_0", 0x800000, "bank", 1, "1 (konst)"},
	{"swap of stage pairs", QS_UNIT_BP, "TEV_KSEL1", 0xF80000, "kasel_odd", 31, "31 (k3_a)"},
	{"pixel engine", QS_UNIT_PE, "ALPHAMODE", 0x0780, "func", 7, "7"},
};

START_TEST(decoding)
{
	const struct qs_register *reg = qs_register_by_name(decoded[_i].unit, decoded[_i].name);
	char text[80];

	ck_assert_msg(reg != NULL, "%s", decoded[_i].name);
	const struct qs_field *field = qs_field_by_name(reg, decoded[_i].field);
	ck_assert_msg(field != NULL, "%s.%s", decoded[_i].name, decoded[_i].field);
	ck_assert_msg(qs_field_number(field, decoded[_i].value) == decoded[_i].number, "%s: %g", decoded[_i].what,
		qs_field_number(field, decoded[_i].value));
	qs_field_format(field, decoded[_i].value, text, sizeof text);
	ck_assert_msg(!strcmp(text, decoded[_i].text), "%s: %s, not %s", decoded[_i].what, text, decoded[_i].text);
}
END_TEST

static const struct {
	enum qs_unit unit;
	const char *name;
	uint32_t value;
	const char *text;
} lines[] = {
	{QS_UNIT_BP, "GEN_MODE", 0x000011, "ntex 1  ncol 1"},
	{QS_UNIT_BP, "GEN_MODE", 0, ""},
	{QS_UNIT_BP, "GEN_MODE", 0x308080, "reject_en 2 (clockwise)  unused bits 0x300080"},
	{QS_UNIT_BP, "PE_ZMODE", 0x17, "enable 1  func 3 (lequal)  update 1"},
	{QS_UNIT_CP, "VCD_LO", 0x2200, "position 1 (direct)  colour0 1 (direct)"},
	{QS_UNIT_XF, "VIEWPORT_OFFSET_X", 0x44258000, "value 662"},
};

START_TEST(register_lines)
{
	const struct qs_register *reg = qs_register_by_name(lines[_i].unit, lines[_i].name);
	char text[512], small[8];

	ck_assert_str_eq(qs_register_format(reg, lines[_i].value, text, sizeof text), lines[_i].text);
	/* cut off, never overrun */
	memset(small, 'x', sizeof small);
	qs_register_format(reg, lines[_i].value, small, sizeof small - 1);
	ck_assert_uint_eq(strlen(small), strlen(lines[_i].text) < 6 ? strlen(lines[_i].text) : 6);
	ck_assert_int_eq(small[7], 'x');
}
END_TEST

START_TEST(units)
{
	enum qs_unit unit;

	for (unsigned i = 0; i < QS_UNIT_COUNT; i++) {
		ck_assert(qs_unit_parse(qs_unit_name((enum qs_unit)i), &unit));
		ck_assert_uint_eq(unit, i);
	}
	ck_assert(qs_unit_parse("XF", &unit) && unit == QS_UNIT_XF);
	ck_assert(!qs_unit_parse("vi", &unit));
	ck_assert(!qs_unit_parse("", &unit));
}
END_TEST

START_TEST(models)
{
	enum qs_model model;
	bool differs[QS_MODEL_COUNT] = {false};

	for (unsigned i = 0; i < QS_MODEL_COUNT; i++)
		ck_assert(qs_model_parse(qs_model_name((enum qs_model)i), &model) && model == i);
	ck_assert(!qs_model_parse("gcn", &model));
	ck_assert_uint_gt(qs_quirk_count(), 30);
	ck_assert_ptr_null(qs_quirk_at(qs_quirk_count()));
	for (uint32_t i = 0; i < qs_quirk_count(); i++) {
		const struct qs_quirk *quirk = qs_quirk_at(i);
		ck_assert(quirk->text[0] && quirk->name[0]);
		for (uint32_t k = 0; k < i; k++)
			ck_assert_str_ne(quirk->name, qs_quirk_at(k)->name);
		for (unsigned m = 0; m < QS_MODEL_COUNT; m++)
			differs[m] |= quirk->value[m] != quirk->value[QS_MODEL_HARDWARE];
	}
	ck_assert(differs[QS_MODEL_DOLPHIN] && differs[QS_MODEL_PUREIKYUBU]);
	ck_assert_str_eq(qs_quirk_at(0)->name, "sample_point");
	ck_assert_int_eq(qs_quirk_at(0)->value[QS_MODEL_PUREIKYUBU], 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("registers");
	TCase *tcase = tcase_create("registers");
	tcase_add_loop_test(tcase, every_bit_once, 0, QS_UNIT_COUNT);
	tcase_add_loop_test(tcase, registers_are_well_formed, 0, QS_UNIT_COUNT);
	tcase_add_loop_test(tcase, fields_are_well_formed, 0, QS_UNIT_COUNT);
	tcase_add_loop_test(tcase, names_are_found, 0, QS_UNIT_COUNT);
	tcase_add_test(tcase, address_map);
	tcase_add_loop_test(tcase, well_known_names, 0, sizeof names / sizeof *names);
	tcase_add_loop_test(tcase, decoding, 0, sizeof decoded / sizeof *decoded);
	tcase_add_loop_test(tcase, register_lines, 0, sizeof lines / sizeof *lines);
	tcase_add_test(tcase, units);
	tcase_add_test(tcase, models);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
