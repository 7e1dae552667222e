/* check_bits.c - helpers of core/bits.h
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <inttypes.h>
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

static const struct {
	int64_t a, b, q;
} quotients[] = {
	{7, 2, 3}, {-7, 2, -4}, {7, -2, -4}, {-7, -2, 3}, {6, 3, 2}, {-6, 3, -2}, {6, -3, -2}, {-6, -3, 2}, {0, 5, 0}, {0, -5, 0},
	{-1, 1000, -1}, {1, -1000, -1}, {INT64_MIN, 2, INT64_MIN / 2}, {INT64_MIN, INT64_MAX, -2}, {INT64_MAX, -2, -4611686018427387904},
};

START_TEST(floor_division)
{
	int64_t q = floor_div(quotients[_i].a, quotients[_i].b);

	ck_assert_msg(q == quotients[_i].q, "%" PRId64 " / %" PRId64 ": %" PRId64 ", want %" PRId64, quotients[_i].a, quotients[_i].b,
		q, quotients[_i].q);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("bits");
	TCase *tcase = tcase_create("bits");
	tcase_add_loop_test(tcase, sign_extension, 0, sizeof signs / sizeof *signs);
	tcase_add_test(tcase, floor_shift);
	tcase_add_loop_test(tcase, floor_division, 0, sizeof quotients / sizeof *quotients);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
