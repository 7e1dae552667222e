/* gfx3d_operands.c - a fragment of Gfx3D in two models: forward through its records to the first value that differs
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/gfx3d_look.h"

struct both {
	const struct qs_gfx3d_quad *quad[2];
	const struct qs_gfx3d_fragment *f[2];
	const struct csir_shader *shader[2];
	unsigned k;
	struct qs_divergence *d;
};

static void name(const struct both *p, enum qs_stage_unit unit, enum qs_class kind, const char *text)
{
	p->d->unit = (uint8_t)unit;
	p->d->kind = (uint8_t)kind;
	snprintf(p->d->text, sizeof p->d->text, "%s", text);
}

static bool same_lanes(const float a[4], const float b[4])
{
	return !memcmp(a, b, 4 * sizeof *a) || look_near_lanes(a, b, 15, 0);
}

static bool at_varyings(const struct both *p)
{
	for (unsigned s = 0; s < CSIR_VARY_MAX; s++) {
		char text[40];

		if (same_lanes(p->f[0]->varying[s], p->f[1]->varying[s]))
			continue;
		snprintf(text, sizeof text, "varying %u", s);
		look_vector(p->d, text, p->f[0]->varying[s], p->f[1]->varying[s]);
		name(p, QS_AT_INTERPOLATION, QS_CLASS_INTERPOLATION, "A varying has another value.");
		return true;
	}
	return false;
}

/* Does anything after the instruction read what it writes? */
static bool is_read(const struct csir_shader *s, unsigned instruction)
{
	struct csir_effect wrote, e;

	csir_effect(&s->instr[instruction], &wrote);
	for (unsigned i = instruction + 1; i < s->instr_count && wrote.write.count; i++) {
		csir_effect(&s->instr[i], &e);
		for (unsigned k = 0; k < 2; k++)
			if (e.read[k].count && e.read[k].reg < wrote.write.reg + wrote.write.count && wrote.write.reg < e.read[k].reg + e.read[k].count)
				return true;
	}
	return false;
}

/* Both ran the same instructions up to here; the first result that differs, or the first instruction that only one of them ran. */
static bool at_shader(const struct both *p)
{
	uint32_t n = p->quad[0]->step_count < p->quad[1]->step_count ? p->quad[0]->step_count : p->quad[1]->step_count;

	for (uint32_t i = 0; i < n; i++) {
		const struct qs_gfx3d_step *a = &p->quad[0]->step[i], *b = &p->quad[1]->step[i];
		char text[100];

		if (a->instruction != b->instruction || a->dst != b->dst)
			return false; /* compiled otherwise */
		if (!((a->ran | b->ran) >> p->k & 1) || (((a->ran & b->ran) >> p->k & 1) && (a->dst < 0 || same_lanes(a->value[p->k], b->value[p->k]))))
			continue;
		if (a->dst >= 0 && !is_read(p->shader[0], a->instruction))
			continue; /* gl_FragCoord is always loaded */
		csir_instr_text(p->shader[0], a->instruction, text, sizeof text);
		if (a->has_a)
			look_vector(p->d, "first operand", a->a[p->k], b->a[p->k]);
		if (a->has_b)
			look_vector(p->d, "second operand", a->b[p->k], b->b[p->k]);
		if (a->dst >= 0)
			look_vector(p->d, "result", a->value[p->k], b->value[p->k]);
		name(p, p->shader[0]->instr[a->instruction].op == CSIR_SAMPLE ? QS_AT_TEXTURE : QS_AT_INSTRUCTION, QS_CLASS_ROUNDING, "");
		if (p->d->unit == QS_AT_INSTRUCTION)
			p->d->stage = a->instruction;
		else
			p->d->kind = QS_CLASS_SAMPLING;
		snprintf(p->d->text, sizeof p->d->text, "Instruction %u gives another result: %.80s", a->instruction, text);
		return true;
	}
	return false;
}

static bool discards(const struct both *p)
{
	return p->f[0]->verdict == QS_GFX3D_VERDICT_DISCARD || p->f[1]->verdict == QS_GFX3D_VERDICT_DISCARD;
}

static void at_pixel(const struct both *p, bool *earlier)
{
	const struct qs_gfx3d_fragment *a = p->f[0], *b = p->f[1];

	look_vector(p->d, "shader's colour", a->color, b->color);
	operand_number(p->d, "pixel before", a->old_pixel, b->old_pixel);
	operand_number(p->d, "depth", (double)a->z, (double)b->z);
	operand_number(p->d, "depth before", (double)a->z_old, (double)b->z_old);
	if (a->verdict != b->verdict) {
		operand_text(p->d, "verdict", qs_gfx3d_verdict_name((enum qs_gfx3d_verdict)a->verdict),
			qs_gfx3d_verdict_name((enum qs_gfx3d_verdict)b->verdict));
		*earlier = !discards(p) && a->z == b->z && a->z_old != b->z_old;
		if (discards(p))
			name(p, QS_AT_ALPHA, QS_CLASS_ALPHA_TEST, "Only one of them discards the fragment.");
		else
			name(p, QS_AT_DEPTH, *earlier ? QS_CLASS_STALE_STATE : QS_CLASS_DEPTH_FORMULA, "Another depth decides otherwise.");
	} else if (a->new_pixel != b->new_pixel) {
		*earlier = a->old_pixel != b->old_pixel && same_lanes(a->color, b->color);
		if (same_lanes(a->color, b->color))
			name(p, QS_AT_PACKING, QS_CLASS_ROUNDING, "The shader's colour is equal, what is stored of it is not.");
		else
			name(p, QS_AT_INSTRUCTION, QS_CLASS_ROUNDING, "The shaders of the two give other colours.");
	} else {
		name(p, QS_AT_DEPTH, QS_CLASS_DEPTH_FORMULA, "Another depth is stored.");
	}
	char text[2][12];

	snprintf(text[0], sizeof text[0], "#%08" PRIx32, a->new_pixel);
	snprintf(text[1], sizeof text[1], "#%08" PRIx32, b->new_pixel);
	operand_text(p->d, "stored", text[0], text[1]);
}

bool compare_gfx3d_operands(struct comparer *c, const struct qs_moment *a, const struct qs_moment *b, unsigned fragment,
	struct qs_divergence *d, bool *earlier)
{
	struct qs_timeline *t[2] = {c->a->timeline, c->b->timeline};
	struct qs_gfx3d_quad *quad;
	struct both p = {.k = fragment, .d = d};
	bool good;

	*earlier = false;
	if (!t[0] || !t[1] || !t[0]->gfx3d || !t[1]->gfx3d)
		return false;
	quad = malloc(2 * sizeof *quad);
	good = quad != NULL;
	for (unsigned i = 0; i < 2 && good; i++) {
		struct qs_error error;

		good = qs_timeline_seek(t[i], i ? b : a, &error) && qs_timeline_gfx3d_quad(t[i], &quad[i], &error) && t[i]->gfx3d->g->raster->draw.program;
		if (!good)
			break;
		p.quad[i] = &quad[i];
		p.f[i] = &quad[i].fragment[fragment];
		p.shader[i] = csir_program_shader(t[i]->gfx3d->g->raster->draw.program, CSIR_FRAGMENT, &t[i]->gfx3d->g->quirks);
	}
	if (good && ((p.f[0]->verdict != p.f[1]->verdict && !discards(&p)) || (!at_varyings(&p) && !at_shader(&p))))
		at_pixel(&p, earlier);
	free(quad);
	return good;
}
