/* fuzz_expr.c - any text: it compiles and evaluates, or it gives a message with a column inside the text
 *
 * Run: fuzz_expr -max_len=4200 -dict=tests/fuzz/expr.dict CORPUS
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "quadscope.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint32_t read_register(void *user, enum qs_unit unit, uint32_t address)
{
	/* the registers must exist */
	if (!qs_register_find(unit, address))
		abort();
	return *(const uint32_t *)user * (address + (uint32_t)unit + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct qs_error error = {QS_OK, 0, ""};
	struct qs_expr_env env;
	uint32_t factor = size ? data[0] * 0x01010101u : 1;

	memcpy(text, data, size);
	text[size] = 0;
	struct qs_expr *expr = qs_expr_compile(text, &error);
	if (expr) {
		qs_expr_env_init(&env);
		qs_expr_evaluate(expr, &env);
		for (unsigned i = 0; i < QS_VAR_COUNT; i++)
			env.variable[i] = (double)(factor >> (i % 32)) - i;
		env.read = read_register;
		env.user = &factor;
		if (qs_expr_evaluate(expr, &env) != qs_expr_evaluate(expr, &env) && qs_expr_test(expr, &env))
			abort(); /* nan is not true */
		if (qs_expr_level(expr) > QS_LEVEL_STAGE)
			abort();
	} else if (!error.text[0] || error.offset < 1 || error.offset > strlen(text) + 1 || error.code != QS_ERR_SCRIPT) {
		abort();
	}
	qs_expr_destroy(expr);
	free(text);
	return 0;
}
