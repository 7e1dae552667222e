/* check_bits.c - helpers of core/bits.h
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <stdlib.h>

#include "core/bits.h"

static const struct {
	const char *name;
	uint32_t value;
	unsigned count;
	int32_t expected;
} signs[] = {
	{"11 bits, positive", 837, 11, 837},
	{"11 bits, negative", 0x678, 11, -392}, /* spec 08 fact 1 */
	{"1 bit", 1, 1, -1},
	{"32 bits", 0x80000000u, 32, INT32_MIN},
	{"high bits are ignored", 0xFFFFF001u, 11, 1},
};

START_TEST(sign_extension)
{
	ck_assert_msg(bits_sign(signs[_i].value, signs[_i].count) == signs[_i].expected, "%s", signs[_i].name);
}
END_TEST

START_TEST(floor_shift)
{
	for (int v = -300; v <= 300; v++)
		for (unsigned n = 0; n < 10; n++) {
			int d = 1 << n, q = v / d - (v % d < 0);
			ck_assert_msg(shift_floor(v, n) == q, "%d >> %u", v, n);
		}
	ck_assert_int_eq(shift_floor(INT32_MIN, 31), -1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("bits");
	TCase *tcase = tcase_create("bits");
	tcase_add_loop_test(tcase, sign_extension, 0, sizeof signs / sizeof *signs);
	tcase_add_test(tcase, floor_shift);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
