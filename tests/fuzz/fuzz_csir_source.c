/* fuzz_csir_source.c - any source text: it compiles and everything can be done to the result, or there are messages with places
 *
 * The first byte chooses stage, model and optimizer.  Run: fuzz_csir_source -max_len=4200 -dict=tests/fuzz/csir.dict CORPUS
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz_csir.h"

static unsigned count_lines(const uint8_t *data, size_t size)
{
	unsigned lines = 1;

	for (size_t i = 0; i < size; i++)
		lines += data[i] == '\n';
	return lines;
}

static void check_log(const struct csir_log *log, const uint8_t *data, size_t size)
{
	unsigned lines = count_lines(data, size);

	if (!log->errors || !log->text[0] || strlen(log->text) >= sizeof log->text)
		fuzz_fail("refused without a message");
	for (unsigned i = 0; i < log->errors && i < CSIR_MESSAGE_MAX; i++)
		if (!log->message[i].text[0] || log->message[i].line < 1 || log->message[i].line > lines || log->message[i].column < 1 ||
			log->message[i].column > size + 1)
			fuzz_fail("a message without a text or outside the source");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct csir_shader shader;
	static struct csir_log log;
	struct csir_text tree = {0};
	struct g3_quirks q;
	struct qs_error error = {QS_OK, 0, ""};
	unsigned choice = size ? data[0] : 0;
	char *copy;

	if (size) {
		data++;
		size--;
	}
	copy = malloc(size + 1); /* exactly as long, so that reading past the end is seen */
	memcpy(copy, data, size);
	g3_quirks_init(&q, (enum g3_model)(choice / 2 % G3_MODEL_COUNT));
	if (csir_compile(&shader, choice & 1 ? CSIR_VERTEX : CSIR_FRAGMENT, "fuzz", copy, size, &q, !(choice & 64), &log, &error)) {
		if (log.errors || !csir_verify(&shader, csir_rules_of(&q), NULL))
			fuzz_fail("accepted with errors");
		if (!csir_tree(choice & 1 ? CSIR_VERTEX : CSIR_FRAGMENT, "fuzz", copy, size, &q, &tree, &error) || !tree.size)
			fuzz_fail("compiled without a tree");
		csir_text_finish(&tree);
		fuzz_flow(&shader);
		fuzz_shader(&shader, &q);
	} else {
		if (!error.text[0])
			fuzz_fail("refused without a sentence");
		check_log(&log, data, size);
	}
	csir_shader_finish(&shader);
	free(copy);
	return 0;
}
