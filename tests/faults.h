/* faults.h - faults of the state and shader generator of the VirGL backend, one of a class each, planted through its hooks
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_FAULTS_H
#define TESTS_FAULTS_H

#include <stdlib.h>
#include <string.h>

#include "gfx3d/host_inside.h"

/* The text with every `from` replaced. */
static char *replaced(const char *text, const char *from, const char *to)
{
	size_t size = strlen(text) + 1, count = 0;
	char *out, *at;

	for (const char *p = strstr(text, from); p; p = strstr(p + 1, from))
		count++;
	out = at = malloc(size + count * (strlen(to) + 1));
	while (*text)
		if (!strncmp(text, from, strlen(from))) {
			at = stpcpy(at, to);
			text += strlen(from);
		} else {
			*at++ = *text++;
		}
	*at = '\0';
	return out;
}

static void fault_fill_rule(float v[6])
{
	v[0] += 0.4f;
	v[1] -= 0.3f;
}

static void fault_depth_formula(float v[6])
{
	v[4] = -v[4]; /* far is near */
}

static void fault_scissor_on(struct virgl_rasterizer *state)
{
	state->scissor = true;
}

static void fault_scissor_rectangle(struct virgl_device *d)
{
	virgl_scissor(d, 0, 0, 20, 32);
}

static void fault_cull(struct virgl_rasterizer *state)
{
	state->cull = state->cull == 2 ? 1 : 2;
}

static void fault_clip(struct virgl_rasterizer *state)
{
	state->depth_clip = false;
}

static void fault_blend(struct virgl_blend *state)
{
	if (state->blend)
		state->destination = VIRGL_ZERO;
}

static void fault_wrap(struct virgl_sampler *state)
{
	state->wrap_s = state->wrap_t = VIRGL_WRAP_REPEAT;
}

static void fault_sampling(struct virgl_sampler *state)
{
	state->min_linear = state->mag_linear = true;
}

static void fault_format(struct virgl_element *element, unsigned count)
{
	if (count > 1)
		element[1].format = VIRGL_FORMAT_R32_FLOAT;
}

static void fault_uninitialised(enum csir_stage stage, float *words, unsigned count)
{
	(void)stage;
	memset(words, 0, count * sizeof *words);
}

static float fault_words[CSIR_UNIFORM_SLOTS * 4];
static bool fault_words_known;

/* The first values that were sent stay. */
static void fault_stale(enum csir_stage stage, float *words, unsigned count)
{
	if (stage != CSIR_FRAGMENT)
		return;
	if (!fault_words_known)
		memcpy(fault_words, words, count * sizeof *words);
	fault_words_known = true;
	memcpy(words, fault_words, count * sizeof *words);
}

static char *fault_interpolation(enum csir_stage stage, const char *text)
{
	return stage == CSIR_FRAGMENT ? replaced(text, "PERSPECTIVE", "LINEAR") : NULL;
}

static char *fault_transcendental(enum csir_stage stage, const char *text)
{
	return stage == CSIR_FRAGMENT ? replaced(text, ": SIN ", ": COS ") : NULL;
}

static char *fault_alpha_test(enum csir_stage stage, const char *text)
{
	return stage == CSIR_FRAGMENT ? replaced(text, ": KILL", ": NOP") : NULL;
}

/* Lanes of what is loaded from varyings in another order. */
static char *fault_swizzle(enum csir_stage stage, const char *text)
{
	return stage == CSIR_VERTEX ? replaced(text, ", IN[1]", ", IN[1].zxyw") : NULL;
}


static const struct fault {
	const char *name, *capture;
	enum qs_class kind;
	struct g3_host_hooks hooks;
} faults[] = {
	{"viewport between pixels", "proof", QS_CLASS_FILL_RULE, {.viewport = fault_fill_rule}},
	{"depth turned over", "kept-depth", QS_CLASS_DEPTH_FORMULA, {.viewport = fault_depth_formula}},
	{"scissor left on", "equal-depth", QS_CLASS_SCISSOR, {.rasterizer = fault_scissor_on, .bound = fault_scissor_rectangle}},
	{"front and back exchanged", "cull", QS_CLASS_CULL, {.rasterizer = fault_cull}},
	{"depth clamped instead of clipped", "near-crossing", QS_CLASS_CLIP, {.rasterizer = fault_clip}},
	{"destination factor lost", "blended", QS_CLASS_BLEND, {.blend = fault_blend}},
	{"repeated instead of clamped", "texture-outside", QS_CLASS_WRAP, {.sampler = fault_wrap}},
	{"filtered instead of nearest", "texels", QS_CLASS_SAMPLING, {.sampler = fault_sampling}},
	{"attribute of one float", "perspective", QS_CLASS_FORMAT, {.elements = fault_format}},
	{"constants not sent", "two-values", QS_CLASS_UNINITIALISED, {.constants = fault_uninitialised}},
	{"constants of the draw before", "two-values", QS_CLASS_STALE_STATE, {.constants = fault_stale}},
	{"varyings without perspective", "perspective", QS_CLASS_INTERPOLATION, {.shader = fault_interpolation}},
	{"cosine for sine", "../gfx3d-branches", QS_CLASS_TRANSCENDENTAL, {.shader = fault_transcendental}},
	{"discard dropped", "discard", QS_CLASS_ALPHA_TEST, {.shader = fault_alpha_test}},
	{"lanes exchanged", "proof", QS_CLASS_SWIZZLE, {.shader = fault_swizzle}},
};
#define FAULTS (sizeof faults / sizeof *faults)

#endif
