/* fuzz_csir.h - shared by the fuzz targets of CSIR: what must hold for every shader, however it came about
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_FUZZ_CSIR_H
#define TESTS_FUZZ_CSIR_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx3d/csir.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_fail(const char *what)
{
	fprintf(stderr, "%s\n", what);
	abort();
}

static void fuzz_tap(void *user, const struct csir_tap *tap)
{
	if (!tap->mask || (tap->dst >= 0 && (uint32_t)(tap->dst + tap->dst_count) > tap->register_count))
		fuzz_fail("a tap beyond the registers");
	++*(unsigned *)user;
}

/* What nobody wrote is a register that the instruction reads; asked of every shader, verified or not. */
static inline void fuzz_flow(const struct csir_shader *s)
{
	struct csir_effect effect;
	uint32_t instruction = 0;
	uint8_t lanes = 0, read = 0;
	int reg = -1;

	if (!csir_unwritten(s, &instruction, &reg, &lanes))
		return;
	if (instruction >= s->instr_count || reg < 0 || reg >= CSIR_TEMP_MAX || !lanes || lanes > 15)
		fuzz_fail("an unwritten register that cannot be");
	csir_effect(&s->instr[instruction], &effect);
	for (unsigned k = 0; k < 2; k++)
		if (reg >= effect.read[k].reg && reg < effect.read[k].reg + effect.read[k].count)
			read |= effect.read[k].lanes;
	if (lanes & ~read)
		fuzz_fail("an unwritten register that is not read");
}

/* Runs a few threads, the fast way and watched; both must agree. */
static inline void fuzz_run(const struct csir_shader *s, const struct g3_quirks *q)
{
	static struct csir_plan *plan;
	static struct csir_vec value, position[2], colour[2], vary[2][CSIR_VARY_MAX];
	static float uniforms[CSIR_UNIFORM_SLOTS * 4];
	static const uint8_t texels[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
	const struct csir_texture textures[CSIR_SAMPLER_MAX] = {{texels, 2, 2}};
	struct csir_inputs inputs = {.uniforms = uniforms, .texture = textures};
	struct qs_error error = {QS_OK, 0, ""};
	uint64_t discarded[2];
	unsigned taps = 0;

	if (!plan)
		plan = csir_plan_create();
	for (unsigned i = 0; i < CSIR_UNIFORM_SLOTS * 4; i++)
		uniforms[i] = (float)i / 8 - 3;
	for (unsigned i = 0; i < 4 * CSIR_THREADS; i++)
		value.v[i / CSIR_THREADS][i % CSIR_THREADS] = (float)i / 16 - 8;
	if (!csir_exec_prepare(plan, s, q, &inputs, UINT32_MAX, &error)) {
		if (!error.text[0])
			fuzz_fail("refused to run without a sentence");
		return;
	}
	for (unsigned pass = 0; pass < 2; pass++) {
		struct csir_batch batch = {.mask = 0x1FF0F, .fcoord = &value, .position = &position[pass], .colour = &colour[pass],
			.tap = pass ? fuzz_tap : NULL, .tap_user = &taps};

		memset(vary[pass], 0, sizeof vary[pass]);
		for (unsigned i = 0; i < 8; i++) {
			batch.attr[i] = batch.vary[i] = &value;
			batch.vary_out[i] = &vary[pass][i];
		}
		csir_exec(plan, &batch);
		discarded[pass] = batch.discarded;
	}
	if (discarded[0] != discarded[1])
		fuzz_fail("a tap changes what is discarded");
	for (unsigned t = 0; t < 17; t++)
		for (unsigned k = 0; k < 4 && (0x1FF0Fu >> t & 1); k++) {
			float a = colour[0].v[k][t], b = colour[1].v[k][t];

			if (memcmp(&a, &b, sizeof a) && !(a != a && b != b))
				fuzz_fail("a tap changes the colour");
		}
}

static inline void fuzz_forms(const struct csir_shader *s, const struct g3_quirks *q)
{
	static struct csir_shader again;
	struct csir_text text = {0}, twice = {0}, tgsi = {0};
	struct csir_tgsi_options options;
	struct qs_error error = {QS_OK, 0, ""};
	char line[160];
	int32_t *lines;
	uint32_t count;

	if (!csir_print(s, &text) || !csir_read(&again, text.data, text.size, &error))
		fuzz_fail(error.text);
	if (!csir_print(&again, &twice) || strcmp(text.data, twice.data))
		fuzz_fail("the text form changes");
	csir_text_finish(&text);
	csir_text_finish(&twice);
	csir_dump(s, true, &text);
	csir_text_finish(&text);
	for (unsigned i = 0; i < s->instr_count; i++)
		csir_instr_text(s, i, line, sizeof line);
	csir_tgsi_options_init(&options, q);
	if (csir_tgsi(s, &options, &tgsi, &lines, &count, &error)) {
		uint32_t found = 0;

		for (const char *c = tgsi.data; *c; c++)
			found += *c == '\n';
		if (found != count)
			fuzz_fail("the line map has not a row per line");
		free(lines);
	} else if (!error.text[0]) {
		fuzz_fail("no TGSI and no sentence");
	}
	csir_text_finish(&tgsi);
}

/* Everything that can be done to a shader that was accepted. */
static inline void fuzz_shader(const struct csir_shader *s, const struct g3_quirks *q)
{
	static struct csir_shader again;
	struct g3_quirks marks = *q;
	uint8_t *data;
	size_t size;

	fuzz_forms(s, q);
	fuzz_run(s, q);
	marks.v[G3_QUIRK_binary_marks] = 1;
	if (!csir_save(s, &data, &size, NULL))
		fuzz_fail("cannot be saved");
	if (csir_load(&again, data, size, &marks, NULL) && (again.instr_count != s->instr_count || memcmp(again.instr, s->instr, sizeof s->instr)))
		fuzz_fail("the binary form changes");
	free(data);
}

#endif
