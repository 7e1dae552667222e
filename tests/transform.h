/* transform.h - a machine with plain transform state, and a vertex, for the tests of XF
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_TRANSFORM_H
#define TESTS_TRANSFORM_H

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gx/machine.h"

static struct gx_machine *m;
static struct gx_vertex v;

static inline void set(unsigned address, float value)
{
	memcpy(&m->state.xf[address], &value, 4);
}

static inline void set_row(unsigned address, float a, float b, float c, float d)
{
	set(address, a);
	set(address + 1, b);
	set(address + 2, c);
	set(address + 3, d);
}

static inline void set_vector(unsigned address, const float values[3])
{
	for (unsigned i = 0; i < 3; i++)
		set(address + i, values[i]);
}

/* Identity for positions at row 0, textures at row 30, post at row 61, normals; orthographic; one channel; normals present. */
static inline void setup(void)
{
	m = gx_machine_create(0x1000, 0);
	ck_assert_ptr_nonnull(m);
	memset(&v, 0, sizeof v);
	for (unsigned i = 0; i < 3; i++) {
		set(4 * i + i, 1);
		set(4 * (30 + i) + i, 1);
		set(0x500 + 4 * (61 + i) + i, 1);
		set(0x400 + 3 * i + i, 1);
		set(0x1020 + 2 * i, 1);
	}
	m->state.xf[0x1026] = 1;
	m->state.xf[0x1009] = 1;
	m->state.cp[0x50] = 1 << 9 | 1 << 11;
	v.normal[2] = 1;
	for (unsigned i = 0; i < 8; i++)
		v.tex_matrix[i] = 30;
}

static inline void teardown(void)
{
	gx_machine_destroy(m);
}

static inline bool near(float a, float b)
{
	return fabsf(a - b) <= 1e-5f * (1 + fabsf(b));
}

static inline int run_transform_suite(const char *name, void (*add)(TCase *tcase))
{
	Suite *suite = suite_create(name);
	TCase *tcase = tcase_create(name);
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	add(tcase);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
