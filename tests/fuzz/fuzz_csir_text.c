/* fuzz_csir_text.c - any CSIR text: it is read and can be verified, run and written again, or the message names a line of it
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz_csir.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct csir_shader shader;
	struct g3_quirks q;
	struct qs_error error = {QS_OK, 0, ""};
	unsigned choice = size ? data[size - 1] : 0;
	char *copy = malloc(size + 1);

	memcpy(copy, data, size);
	g3_quirks_init(&q, (enum g3_model)(choice % G3_MODEL_COUNT));
	if (csir_read(&shader, copy, size, &error)) {
		csir_verify(&shader, CSIR_RULES_STRICT, &error);
		csir_verify(&shader, CSIR_RULES_CHRISOS, &error);
		fuzz_flow(&shader);
		fuzz_shader(&shader, &q);
		csir_optimize(&shader, &q);
		fuzz_forms(&shader, &q);
	} else if (error.code != QS_ERR_FORMAT || !error.text[0] || error.offset < 1 || error.offset > size + 1) {
		fuzz_fail("refused without a sentence or a line");
	}
	free(copy);
	return 0;
}
