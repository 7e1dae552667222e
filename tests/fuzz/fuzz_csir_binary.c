/* fuzz_csir_binary.c - any bytes as the binary form; the checksum is mended, so that the rest is reached
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz_csir.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct csir_shader shader;
	uint8_t *copy = malloc(size + 1);

	memcpy(copy, data, size);
	if (size >= 32) {
		size_t records = (size_t)(copy[12] | (copy[13] & 1) << 8) * 16;
		uint32_t sum = 0;

		for (size_t i = 0; i < records && 32 + i < size; i++)
			sum += copy[32 + i];
		for (unsigned i = 0; i < 4; i++)
			copy[24 + i] = (uint8_t)(sum >> (8 * i));
	}
	for (unsigned model = 0; model < G3_MODEL_COUNT; model++) {
		struct g3_quirks q;
		struct qs_error error = {QS_OK, 0, ""};

		g3_quirks_init(&q, (enum g3_model)model);
		if (csir_load(&shader, copy, size, &q, &error)) {
			fuzz_flow(&shader);
			fuzz_shader(&shader, &q);
		} else if (error.code != QS_ERR_FORMAT || !error.text[0])
			fuzz_fail("refused without a sentence");
	}
	free(copy);
	return 0;
}
