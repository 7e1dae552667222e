/* check_override.c - forced registers, against captures whose bytes were changed instead
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "script_host.h"

/* ---- against changed bytes ----------------------------------------------------------------------------------------------- */

static const struct {
	const char *capture;
	uint8_t address; /* BP */
	uint32_t mask, value;
} forced[] = {
	{"blend-factors", 0x41, 0x000001, 0},       /* PE_CMODE0.blend */
	{"blend-factors", 0x41, 0x000010, 0},       /* PE_CMODE0.alpha_update */
	{"blend-factors", 0x41, 0x000700, 0x100},   /* src_factor one */
	{"z-early-late", 0xF3, 0xFF0000, 0x3F0000}, /* TEV_ALPHAFUNC: always */
	{"z-early-late", 0xF3, 0x0000FF, 0x10},     /* ref0 */
	{"tev-ops", 0xC0, 0x080000, 0},             /* TEV_COLOR_ENV_0.clamp */
	{"tex-wrap", 0x80, 0x00000F, 0x0A},         /* TX_SETMODE0_0: mirror */
	{"perspective-cube", 0x00, 0x00C000, 0x4000}, /* GEN_MODE.reject_en */
	{"fog-linear", 0xF1, 0xE00000, 0},          /* no fog */
	{"display-copy-filter", 0x54, 0x00003F, 0x3F}, /* a weight of the copy filter */
};

/* A copy of the file in which every write of the register has the forced bits. */
static uint8_t *changed_file(const char *path, const struct qs_capture *capture, int i, size_t *size)
{
	FILE *file = fopen(path, "rb");
	const struct qs_capture_info *info = qs_capture_info(capture);
	uint8_t *bytes = malloc(info->size);

	*size = fread(bytes, 1, info->size, file);
	fclose(file);
	for (uint32_t c = 0; c < info->command_count; c++) {
		const uint8_t *command = qs_capture_command_bytes(capture, c);
		uint8_t *at = bytes + qs_capture_command_file_offset(capture, c);
		uint32_t value;

		if (qs_capture_command(capture, c)->kind != QS_COMMAND_BP || command[1] != forced[i].address)
			continue;
		ck_assert_uint_eq(qs_capture_command(capture, c)->parent, QS_NONE); /* lists have no place of their own */
		ck_assert(memcmp(at, command, 5) == 0);
		value = (uint32_t)command[2] << 16 | (uint32_t)command[3] << 8 | command[4];
		value = (value & ~forced[i].mask) | forced[i].value;
		at[2] = (uint8_t)(value >> 16);
		at[3] = (uint8_t)(value >> 8);
		at[4] = (uint8_t)value;
	}
	return bytes;
}

static struct qs_image image_at(struct qs_timeline *t, const struct qs_moment *m, enum qs_buffer buffer)
{
	struct qs_image image;
	struct qs_error error;

	ck_assert_msg(qs_timeline_seek(t, m, &error), "%s", error.text);
	ck_assert_msg(qs_timeline_image(t, buffer, &image, &error), "%s", error.text);
	return image;
}

START_TEST(as_changed_bytes)
{
	struct session s;
	struct qs_capture *other;
	struct qs_timeline *t;
	struct qs_error error;
	struct qs_moment m;
	uint64_t plain;
	char path[700];
	uint8_t *bytes;
	size_t size;
	uint32_t id;

	open_session(&s, shipped(forced[_i].capture, path, sizeof path), forced[_i].capture);
	bytes = changed_file(path, s.capture, _i, &size);
	other = qs_capture_open_memory(bytes, size, &error);
	ck_assert(other != NULL);
	t = qs_timeline_create(other, &error);
	ck_assert(t != NULL);
	m = (struct qs_moment){.level = QS_LEVEL_FRAME, .frame = qs_capture_info(s.capture)->frame_count};
	seek(&s, &m);
	plain = qs_timeline_hash(s.t);
	m = *qs_timeline_moment(s.t);
	id = qs_timeline_override_add(s.t, QS_UNIT_BP, forced[_i].address, forced[_i].mask, forced[_i].value, &error);
	ck_assert_msg(id != 0, "%s", error.text);
	ck_assert_int_eq(qs_moment_compare(&m, qs_timeline_moment(s.t)), 0);
	ck_assert_uint_eq(qs_timeline_override_count(s.t), 1);
	for (enum qs_buffer b = QS_BUFFER_COLOR; b <= QS_BUFFER_DEPTH; b++) {
		struct qs_image x = image_at(s.t, &m, b), y = image_at(t, &m, b);

		ck_assert_msg(memcmp(x.rgba, y.rgba, 4 * x.width * x.height) == 0, "%s", qs_buffer_name(b));
		ck_assert(!x.depth || memcmp(x.depth, y.depth, sizeof *x.depth * x.width * x.height) == 0);
		qs_image_finish(&x);
		qs_image_finish(&y);
	}
	struct qs_image x = image_at(s.t, &m, QS_BUFFER_COPY), y = image_at(t, &m, QS_BUFFER_COPY);
	ck_assert(memcmp(x.rgba, y.rgba, 4 * x.width * x.height) == 0);
	qs_image_finish(&x);
	qs_image_finish(&y);
	ck_assert_msg(qs_timeline_hash(s.t) != plain, "nothing has changed");
	ck_assert_uint_eq(qs_timeline_register(s.t, QS_UNIT_BP, forced[_i].address) & forced[_i].mask, forced[_i].value);
	ck_assert(qs_timeline_override_remove(s.t, id));
	ck_assert(!qs_timeline_override_remove(s.t, id));
	ck_assert_uint_eq(qs_timeline_override_count(s.t), 0);
	seek(&s, &m);
	ck_assert_msg(qs_timeline_hash(s.t) == plain, "another state after the override is gone");
	qs_timeline_destroy(t);
	qs_capture_destroy(other);
	free(bytes);
	close_session(&s);
}
END_TEST

/* ---- at random moments --------------------------------------------------------------------------------------------------- */

/* Jumps and a timeline that was made for the moment see the same; an empty mask changes nothing. */
START_TEST(exact_at_moments)
{
	static const struct {
		enum qs_unit unit;
		uint32_t address, mask, value;
	} some[] = {{QS_UNIT_BP, 0x40, 1, 0}, {QS_UNIT_BP, 0x41, 1, 1}, {QS_UNIT_XF, 0x101A, UINT32_MAX, 0x43700000}, {QS_UNIT_BP, 0xC0, 0x80000, 0},
		{QS_UNIT_CP, 0xA0, 0, 0}, {QS_UNIT_BP, 0x59, UINT32_MAX, 0x2C0B0}};
	struct session s;
	struct qs_error error;
	unsigned k;

	open_walked(&s, _i);
	k = below(&s, sizeof some / sizeof *some);
	for (int i = 0; i < 3; i++) {
		struct qs_moment m = random_moment(&s, (enum qs_level)(QS_LEVEL_FRAME + below(&s, 6)));
		uint64_t plain = qs_timeline_hash(s.t), hash;
		struct qs_timeline *t = qs_timeline_create(s.capture, &error);
		uint32_t none = qs_timeline_override_add(s.t, QS_UNIT_BP, 0x00, 0, 0xFFFFFF, &error), id;

		ck_assert(none != 0);
		ck_assert_msg(qs_timeline_hash(s.t) == plain, "%s, %s: an empty mask", s.name, text(&s, &m));
		id = qs_timeline_override_add(s.t, some[k].unit, some[k].address, some[k].mask, some[k].value, &error);
		ck_assert(qs_timeline_override_add(t, some[k].unit, some[k].address, some[k].mask, some[k].value, &error) != 0);
		m = *qs_timeline_moment(s.t); /* may be coarser when less is covered */
		hash = qs_timeline_hash(s.t);
		ck_assert_msg(qs_timeline_seek(t, &m, &error), "%s", error.text);
		ck_assert_msg(qs_timeline_hash(t) == hash, "%s, %s: case %u (seed %" PRIu64 ")", s.name, text(&s, &m), k, s.random.seed);
		ck_assert(qs_timeline_override_remove(s.t, id));
		ck_assert(qs_timeline_override_remove(s.t, none));
		qs_timeline_destroy(t);
	}
	close_session(&s);
}
END_TEST

/* ---- what is refused, and Lua -------------------------------------------------------------------------------------------- */

START_TEST(refused)
{
	static const struct {
		enum qs_unit unit;
		uint32_t address;
	} no[] = {{QS_UNIT_PE, 0}, {QS_UNIT_BP, 0xFE}, {QS_UNIT_BP, 0x1000}, {QS_UNIT_CP, 0x50}, {QS_UNIT_CP, 0x70}, {QS_UNIT_CP, 0x97}, {QS_UNIT_XF, 0x2000}};
	struct session s;
	struct qs_error error;

	open_walked(&s, 0);
	for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
		*error.text = 0;
		ck_assert_uint_eq(qs_timeline_override_add(s.t, no[i].unit, no[i].address, 1, 1, &error), 0);
		ck_assert_msg(strstr(error.text, "cannot be forced") != NULL, "%s", error.text);
	}
	for (int i = 0; i < 16; i++)
		ck_assert(qs_timeline_override_add(s.t, QS_UNIT_BP, 0x41, 1, 0, &error) != 0);
	ck_assert_uint_eq(qs_timeline_override_add(s.t, QS_UNIT_BP, 0x41, 1, 0, &error), 0);
	close_session(&s);
}
END_TEST

static const struct {
	const char *text, *output, *message;
} scripts[] = {
	{"qs.seek('1') local a = qs.hash() local o = qs.override('bp.PE_ZMODE.enable', 0) print(qs.hash() ~= a, qs.regs.bp.PE_ZMODE.enable) o:off() "
	 "print(qs.hash() == a, qs.moment)", "true\t0\ntrue\t1\n", NULL},
	{"local n = 0 qs.on.fragment('verdict == late_z or verdict == early_z', function() n = n + 1 end) qs.replay() print(n > 0) n = 0 "
	 "qs.override('bp.PE_ZMODE.func', 'always') qs.replay() print(n)", "true\n0\n", NULL},
	{"qs.override('bp.PE_ZMODE.enable', false) print(qs.regs.bp.PE_ZMODE.enable)", "0\n", NULL},
	{"qs.override('bp.TX_SETIMAGE3_0.address', 0x200000) print(qs.regs.bp.TX_SETIMAGE3_0.raw)", "65536\n", NULL},
	{"qs.override('bp.GEN_MODE', 0x11) print(qs.regs.bp.GEN_MODE.raw)", "17\n", NULL},
	{"qs.override('xf.VIEWPORT_SCALE_X.value', -160.5) print(qs.regs('xf.VIEWPORT_SCALE_X.value'), qs.regs.xf.VIEWPORT_SCALE_X.raw == 0xc3208000)", "-160.5\ttrue\n", NULL},
	{"qs.override('bp.PE_ZMODE.fnc', 1)", NULL, "test:1: bp.PE_ZMODE has no field 'fnc'; did you mean 'func'?"},
	{"qs.override('bp.PE_ZMODE.func', 8)", NULL, "test:1: func has 3 bits and cannot be 8"},
	{"qs.override('bp.PE_ZMODE.func', -1)", NULL, "test:1: func has 3 bits and cannot be -1"},
	{"qs.override('bp.PE_ZMODE.func', 'allways')", NULL, "test:1: func has no value 'allways'; did you mean 'always'?"},
	{"qs.override('bp.TX_SETIMAGE3_0.address', 5)", NULL, "test:1: address has"},
	{"qs.override('bp.GEN_MODE', 1 << 24)", NULL, "test:1: bad argument #2 to 'override'"},
	{"qs.override('cp.VCD_LO', 0)", NULL, "test:1: The register cp.0x50 cannot be forced"},
	{"qs.on.draw(function() qs.override('bp.GEN_MODE', 0) end)", NULL, "test:1: qs.override cannot be used while a replay is under way"},
};

START_TEST(in_lua)
{
	struct script_host h;
	struct qs_script *script;
	struct qs_error error;
	struct session s;
	char path[700];

	open_session(&s, shipped("z-early-late", path, sizeof path), "z-early-late");
	script = open_script(&h, s.t, NULL);
	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
		bool good;

		if (!scripts[i].output && !scripts[i].message)
			continue;
		clear_notes(&h);
		good = qs_script_run_text(script, scripts[i].text, "=test", &error);
		ck_assert_msg(good == !scripts[i].message, "%s: %s", scripts[i].text, good ? "done" : error.text);
		if (good)
			ck_assert_msg(!strcmp(noted(&h), scripts[i].output), "%s: %s", scripts[i].text, noted(&h));
		else
			ck_assert_msg(!strncmp(error.text, scripts[i].message, strlen(scripts[i].message)), "%s: %s", scripts[i].text, error.text);
	}
	/* the next run has them no more */
	ck_assert(qs_script_run_text(script, "qs.override('bp.PE_ZMODE.func', 'always')", "=test", &error));
	ck_assert_uint_eq(qs_timeline_override_count(s.t), 1);
	ck_assert(qs_script_run_text(script, "print(1)", "=test", &error));
	ck_assert_uint_eq(qs_timeline_override_count(s.t), 0);
	ck_assert(qs_script_run_text(script, "qs.override('bp.PE_ZMODE.func', 'always')", "=test", &error));
	qs_script_destroy(script);
	ck_assert_uint_eq(qs_timeline_override_count(s.t), 0);
	free(h.out);
	close_session(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("override");
	TCase *tcase = tcase_create("override");

	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, as_changed_bytes, 0, sizeof forced / sizeof *forced);
	tcase_add_loop_test(tcase, exact_at_moments, 0, WALKED);
	tcase_add_test(tcase, refused);
	tcase_add_test(tcase, in_lua);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
