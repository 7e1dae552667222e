/* operands.c - from a fragment that two sources treat differently back to the unit where its values part
 *
 * The way goes backward from what was stored: a unit is named when what it got is equal and what it gave is not.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/compare.h"

#define OPERANDS 48

/* ---- values ------------------------------------------------------------------------------------------------------------- */

void operand_text(struct qs_divergence *d, const char *name, const char *a, const char *b)
{
	struct qs_operand *o;

	if (!d->operand)
		d->operand = calloc(OPERANDS, sizeof *d->operand);
	if (!d->operand || d->operand_count == OPERANDS)
		return;
	o = &d->operand[d->operand_count++];
	snprintf(o->name, sizeof o->name, "%s", name);
	snprintf(o->a, sizeof o->a, "%s", a);
	snprintf(o->b, sizeof o->b, "%s", b);
	o->differs = strcmp(o->a, o->b) != 0;
}

void operand_number(struct qs_divergence *d, const char *name, double a, double b)
{
	char text[2][32];

	snprintf(text[0], sizeof text[0], "%.9g", a);
	snprintf(text[1], sizeof text[1], "%.9g", b);
	operand_text(d, name, text[0], text[1]);
}

static void operand_depth(struct qs_divergence *d, const char *name, uint32_t a, uint32_t b)
{
	char text[2][16];

	snprintf(text[0], sizeof text[0], "0x%06" PRIx32, a);
	snprintf(text[1], sizeof text[1], "0x%06" PRIx32, b);
	operand_text(d, name, text[0], text[1]);
}

void operand_colour(struct qs_divergence *d, const char *name, const uint8_t a[4], const uint8_t b[4])
{
	char text[2][32];

	snprintf(text[0], sizeof text[0], "%u %u %u %u", a[0], a[1], a[2], a[3]);
	snprintf(text[1], sizeof text[1], "%u %u %u %u", b[0], b[1], b[2], b[3]);
	operand_text(d, name, text[0], text[1]);
}

static void operand_wide(struct qs_divergence *d, const char *name, const int16_t a[4], const int16_t b[4])
{
	char text[2][40];

	snprintf(text[0], sizeof text[0], "%d %d %d %d", a[0], a[1], a[2], a[3]);
	snprintf(text[1], sizeof text[1], "%d %d %d %d", b[0], b[1], b[2], b[3]);
	operand_text(d, name, text[0], text[1]);
}

static void operand_pair(struct qs_divergence *d, const char *name, double a0, double a1, double b0, double b1)
{
	char text[2][48];

	snprintf(text[0], sizeof text[0], "%.9g, %.9g", a0, a1);
	snprintf(text[1], sizeof text[1], "%.9g, %.9g", b0, b1);
	operand_text(d, name, text[0], text[1]);
}

static void name_unit(struct qs_divergence *d, enum qs_stage_unit unit, enum qs_class kind, const char *text)
{
	d->unit = (uint8_t)unit;
	d->kind = (uint8_t)(kind != QS_CLASS_NONE ? kind : class_of_unit(unit));
	if (text)
		snprintf(d->text, sizeof d->text, "%s", text);
}

/* ---- coverage ----------------------------------------------------------------------------------------------------------- */

static const char *verdict_word(unsigned verdict)
{
	static const char *const words[] = {"drawn", "rejected", "clipped away", "culled", "degenerate", "outside of the scissor"};

	return verdict < sizeof words / sizeof *words ? words[verdict] : "?";
}

static enum qs_class verdict_class(unsigned a, unsigned b)
{
	unsigned other = a == QS_SETUP_DRAWN ? b : a;

	return other == QS_SETUP_CULLED ? QS_CLASS_CULL : other == QS_SETUP_SCISSORED ? QS_CLASS_SCISSOR
		: other == QS_SETUP_REJECTED || other == QS_SETUP_CLIPPED ? QS_CLASS_CLIP : QS_CLASS_FILL_RULE;
}

static bool same_rect(const struct qs_rect *a, const struct qs_rect *b)
{
	return !memcmp(a, b, sizeof *a);
}

/* The greatest distance of the corners on the screen. */
static double corner_distance(const struct qs_setup *a, const struct qs_setup *b)
{
	double worst = 0;

	for (unsigned i = 0; i < 3; i++)
		for (unsigned k = 0; k < 2; k++) {
			double e = fabs((double)a->vertex[i].screen[k] - (double)b->vertex[i].screen[k]);

			worst = e > worst ? e : worst;
		}
	return worst;
}

static void operand_corners(struct qs_divergence *d, const struct qs_setup *a, const struct qs_setup *b)
{
	for (unsigned i = 0; i < 3; i++) {
		char name[32];

		snprintf(name, sizeof name, "corner %u x, y", i);
		operand_pair(d, name, (double)a->vertex[i].screen[0], (double)a->vertex[i].screen[1], (double)b->vertex[i].screen[0],
			(double)b->vertex[i].screen[1]);
	}
}

static void operand_edges(struct qs_divergence *d, const struct compare_side side[2], unsigned fragment)
{
	for (unsigned e = 0; e < 3 && side[0].there && side[1].there; e++) {
		char name[32];

		snprintf(name, sizeof name, "edge %u at the sample", e);
		operand_number(d, name, side[0].quad.edge[fragment][0][e], side[1].quad.edge[fragment][0][e]);
	}
}

void operands_of_coverage(struct qs_divergence *d, const struct compare_side side[2], const struct qs_setup *a, uint32_t na,
	const struct qs_setup *b, uint32_t nb, unsigned fragment)
{
	const char *which = d->only_a ? "the first" : d->only_b ? "the second" : "neither wholly";

	name_unit(d, QS_AT_COVERAGE, QS_CLASS_FILL_RULE, NULL);
	snprintf(d->text, sizeof d->text, "The pixel is covered by the primitive in %s only.", which);
	if (!d->only_a && !d->only_b)
		snprintf(d->text, sizeof d->text, "Other samples of the pixel are covered by the primitive.");
	if (!na || !nb) {
		operand_number(d, "parts of the primitive", na, nb);
		return;
	}
	operand_number(d, "parts of the primitive", a->verdict == QS_SETUP_DRAWN ? na : 0, b->verdict == QS_SETUP_DRAWN ? nb : 0);
	operand_text(d, "the primitive is", verdict_word(a->verdict), verdict_word(b->verdict));
	if (a->verdict != b->verdict) {
		name_unit(d, QS_AT_COVERAGE, verdict_class(a->verdict, b->verdict), NULL);
		return;
	}
	operand_number(d, "coverage sample", (double)a->sample_offset, (double)b->sample_offset);
	operand_number(d, "samples a pixel", a->sample_count, b->sample_count);
	operand_corners(d, a, b);
	operand_edges(d, side, fragment);
	if (na != nb)
		name_unit(d, QS_AT_COVERAGE, QS_CLASS_CLIP, NULL);
	else if (!same_rect(&a->scissor, &b->scissor))
		name_unit(d, QS_AT_COVERAGE, QS_CLASS_SCISSOR, NULL);
	else if (corner_distance(a, b) > 0.26)
		name_unit(d, QS_AT_VERTEX, QS_CLASS_ROUNDING, "The primitive's corners lie elsewhere on the screen.");
}

/* ---- attributes --------------------------------------------------------------------------------------------------------- */

static bool same_vertex_colour(const struct compare_side s[2], unsigned channel)
{
	for (unsigned i = 0; i < 3; i++)
		if (memcmp(s[0].setup.vertex[i].colour[channel], s[1].setup.vertex[i].colour[channel], 4))
			return false;
	return true;
}

static bool same_vertex_tex(const struct compare_side s[2], unsigned coord)
{
	for (unsigned i = 0; i < 3; i++)
		if (memcmp(s[0].setup.vertex[i].tex[coord], s[1].setup.vertex[i].tex[coord], sizeof(float[3])))
			return false;
	return true;
}

static void blame_colour(struct qs_divergence *d, const struct compare_side s[2], const struct qs_fragment *a, const struct qs_fragment *b)
{
	for (unsigned channel = 0; channel < 2; channel++) {
		char name[32];

		if (!memcmp(a->ras[channel], b->ras[channel], 4))
			continue;
		snprintf(name, sizeof name, "colour %u", channel);
		operand_colour(d, name, a->ras[channel], b->ras[channel]);
		for (unsigned i = 0; i < 3; i++) {
			snprintf(name, sizeof name, "colour %u of corner %u", channel, i);
			operand_colour(d, name, s[0].setup.vertex[i].colour[channel], s[1].setup.vertex[i].colour[channel]);
		}
		if (same_vertex_colour(s, channel))
			name_unit(d, QS_AT_INTERPOLATION, QS_CLASS_NONE, "A colour is interpolated to another value.");
		else
			name_unit(d, QS_AT_VERTEX, QS_CLASS_NONE, "A vertex has another colour.");
		return;
	}
	name_unit(d, QS_AT_TEV, QS_CLASS_SWIZZLE, "A stage gets another raster colour from the same one.");
}

static void blame_coordinate(struct qs_divergence *d, const struct compare_side s[2], const struct qs_fragment *a,
	const struct qs_fragment *b, unsigned coord)
{
	operand_pair(d, "coordinate s, t", a->coord[coord][0] / 128.0, a->coord[coord][1] / 128.0, b->coord[coord][0] / 128.0,
		b->coord[coord][1] / 128.0);
	for (unsigned i = 0; i < 3; i++) {
		char name[32];
		const float *p = s[0].setup.vertex[i].tex[coord], *q = s[1].setup.vertex[i].tex[coord];

		snprintf(name, sizeof name, "s, t of corner %u", i);
		operand_pair(d, name, (double)p[0], (double)p[1], (double)q[0], (double)q[1]);
	}
	if (same_vertex_tex(s, coord))
		name_unit(d, QS_AT_INTERPOLATION, QS_CLASS_NONE, "A texture coordinate is interpolated to another value.");
	else
		name_unit(d, QS_AT_VERTEX, QS_CLASS_NONE, "A vertex has another texture coordinate.");
}

/* ---- textures ----------------------------------------------------------------------------------------------------------- */

static void blame_texels(struct qs_divergence *d, const struct qs_sample *a, const struct qs_sample *b)
{
	operand_number(d, "level of detail", a->lod / 16.0, b->lod / 16.0);
	operand_text(d, "filter", a->linear ? "linear" : "nearest", b->linear ? "linear" : "nearest");
	for (unsigned i = 0; i < a->texel_count && i < b->texel_count && i < 8; i++) {
		const struct qs_texel *p = &a->texel[i], *q = &b->texel[i];
		char name[40];

		snprintf(name, sizeof name, "texel %u at", i);
		operand_pair(d, name, p->s, p->t, q->s, q->t);
		snprintf(name, sizeof name, "texel %u level, weight", i);
		operand_pair(d, name, p->level, p->weight, q->level, q->weight);
		snprintf(name, sizeof name, "texel %u", i);
		operand_colour(d, name, p->rgba, q->rgba);
	}
}

static enum qs_class texel_class(const struct qs_sample *a, const struct qs_sample *b, const char **text)
{
	*text = "The same texels are filtered to another colour.";
	if (a->texel_count != b->texel_count || a->linear != b->linear || a->lod != b->lod) {
		*text = "Another level of detail or filter is chosen.";
		return QS_CLASS_SAMPLING;
	}
	for (unsigned i = 0; i < a->texel_count && i < 8; i++) {
		const struct qs_texel *p = &a->texel[i], *q = &b->texel[i];

		if (p->s != q->s || p->t != q->t) {
			*text = "Another texel is taken for the same coordinate.";
			return QS_CLASS_WRAP;
		}
		if (p->address != q->address || a->from_tmem != b->from_tmem) {
			*text = "The texel is read from another address.";
			return QS_CLASS_FORMAT;
		}
		if (memcmp(p->rgba, q->rgba, 4)) {
			*text = "The same address holds another texel, or it is decoded otherwise.";
			return QS_CLASS_FORMAT;
		}
	}
	return QS_CLASS_SAMPLING;
}

static void blame_sample(struct qs_divergence *d, const struct compare_side s[2], const struct qs_fragment *a, const struct qs_fragment *b,
	const struct qs_sample *p, const struct qs_sample *q)
{
	const char *text;
	enum qs_class kind;

	operand_number(d, "texture map", p->map, q->map);
	operand_colour(d, "filtered texel", p->rgba, q->rgba);
	operand_pair(d, "lookup s, t", p->s / 128.0, p->t / 128.0, q->s / 128.0, q->t / 128.0);
	if (p->s != q->s || p->t != q->t) {
		if (p->coord < 8 && memcmp(a->coord[p->coord], b->coord[p->coord], sizeof a->coord[0])) {
			blame_coordinate(d, s, a, b, p->coord);
			return;
		}
		name_unit(d, QS_AT_TEXTURE, QS_CLASS_ROUNDING, "The indirect offset differs.");
		for (unsigned i = 0; i < 4; i++)
			if (memcmp(a->indirect[i].rgba, b->indirect[i].rgba, 4))
				operand_colour(d, "indirect texel", a->indirect[i].rgba, b->indirect[i].rgba);
		return;
	}
	if (!memcmp(p->rgba, q->rgba, 4)) {
		name_unit(d, QS_AT_TEV, QS_CLASS_SWIZZLE, "A stage gets another texture colour from the same texel.");
		return;
	}
	blame_texels(d, p, q);
	kind = texel_class(p, q, &text);
	name_unit(d, QS_AT_TEXTURE, kind, text);
}

/* ---- combiners ---------------------------------------------------------------------------------------------------------- */

static bool same4(const int16_t a[4], const int16_t b[4])
{
	return !memcmp(a, b, 4 * sizeof *a);
}

/* Whether an input that differs could be the value that differs too: its colour, or its alpha in all channels. */
static bool comes_from(const int16_t in_a[4], const int16_t in_b[4], const int16_t a[4], const int16_t b[4])
{
	for (unsigned k = 0; k < 4; k++)
		if (in_a[k] != in_b[k] && ((in_a[k] == a[k] && in_b[k] == b[k] && a[k] != b[k]) || (in_a[k] == a[3] && in_b[k] == b[3] && a[3] != b[3])))
			return true;
	return false;
}

static bool any_from(const struct qs_stage *p, const struct qs_stage *q, const int16_t a[4], const int16_t b[4])
{
	return comes_from(p->a, q->a, a, b) || comes_from(p->b, q->b, a, b) || comes_from(p->c, q->c, a, b) || comes_from(p->d, q->d, a, b);
}

static void blame_stage(struct qs_divergence *d, const struct compare_side s[2], const struct qs_fragment *a, const struct qs_fragment *b,
	unsigned n)
{
	const struct qs_stage *p = &a->stage[n], *q = &b->stage[n];

	d->stage = n;
	operand_wide(d, "a", p->a, q->a);
	operand_wide(d, "b", p->b, q->b);
	operand_wide(d, "c", p->c, q->c);
	operand_wide(d, "d", p->d, q->d);
	operand_wide(d, "result", p->result, q->result);
	operand_wide(d, "texture", p->tex, q->tex);
	operand_wide(d, "raster", p->ras, q->ras);
	operand_wide(d, "konst", p->konst, q->konst);
	if (same4(p->a, q->a) && same4(p->b, q->b) && same4(p->c, q->c) && same4(p->d, q->d))
		name_unit(d, QS_AT_TEV, QS_CLASS_ROUNDING, "A stage computes another result from the same inputs.");
	else if (any_from(p, q, p->tex, q->tex) && p->sample.done && q->sample.done)
		blame_sample(d, s, a, b, &p->sample, &q->sample);
	else if (any_from(p, q, p->ras, q->ras))
		blame_colour(d, s, a, b);
	else if (any_from(p, q, p->tex, q->tex))
		name_unit(d, QS_AT_TEXTURE, QS_CLASS_UNINITIALISED, "A stage without a texture gets another texel.");
	else if (any_from(p, q, p->konst, q->konst))
		name_unit(d, QS_AT_TEV, QS_CLASS_FORMAT, "A stage gets another constant.");
	else
		name_unit(d, QS_AT_TEV, QS_CLASS_UNINITIALISED, "A register holds another value before the first stage that sets it.");
}

static void blame_combiner(struct qs_divergence *d, const struct compare_side s[2], const struct qs_fragment *a, const struct qs_fragment *b)
{
	for (unsigned n = 0; n < a->stage_count && n < b->stage_count && n < 16; n++)
		if (!same4(a->stage[n].result, b->stage[n].result)) {
			blame_stage(d, s, a, b, n);
			return;
		}
	operand_colour(d, "combiner result", a->tev, b->tev);
	name_unit(d, QS_AT_TEV, QS_CLASS_FORMAT, "The combiners' results are equal, their output is not.");
}

/* ---- depth -------------------------------------------------------------------------------------------------------------- */

static void blame_depth(struct qs_divergence *d, const struct compare_side s[2], const struct qs_fragment *a, const struct qs_fragment *b)
{
	operand_depth(d, "depth", a->z, b->z);
	operand_depth(d, "interpolated depth", a->z_interpolated, b->z_interpolated);
	if (a->z_texture || b->z_texture)
		operand_depth(d, "Z texture", a->z_texture_value, b->z_texture_value);
	operand_depth(d, "depth before", a->z_old, b->z_old);
	for (unsigned i = 0; i < 3; i++) {
		char name[32];

		snprintf(name, sizeof name, "z of corner %u", i);
		operand_number(d, name, (double)s[0].setup.vertex[i].screen[2], (double)s[1].setup.vertex[i].screen[2]);
	}
	if (a->z_interpolated != b->z_interpolated)
		name_unit(d, QS_AT_DEPTH, s[0].setup.z_frozen || s[1].setup.z_frozen ? QS_CLASS_STALE_STATE : QS_CLASS_DEPTH_FORMULA,
			"Depth is interpolated to another value.");
	else if (a->z != b->z)
		name_unit(d, QS_AT_DEPTH, QS_CLASS_SWIZZLE, "The depth texture gives another depth.");
	else
		name_unit(d, QS_AT_DEPTH, QS_CLASS_DEPTH_FORMULA, "The same depths are compared or stored otherwise.");
}

static void blame_verdict(struct qs_divergence *d, const struct compare_side s[2], const struct qs_fragment *a, const struct qs_fragment *b,
	bool *earlier)
{
	operand_text(d, "verdict", qs_verdict_name((enum qs_verdict)a->verdict), qs_verdict_name((enum qs_verdict)b->verdict));
	if (a->alpha_passed != b->alpha_passed && a->alpha_tested && b->alpha_tested) {
		if (a->tev[3] != b->tev[3]) {
			blame_combiner(d, s, a, b);
			return;
		}
		operand_number(d, "alpha", a->tev[3], b->tev[3]);
		operand_number(d, "reference 0", a->alpha_ref0, b->alpha_ref0);
		operand_number(d, "reference 1", a->alpha_ref1, b->alpha_ref1);
		name_unit(d, QS_AT_ALPHA, QS_CLASS_ALPHA_TEST, "The alpha test decides otherwise about the same alpha.");
		return;
	}
	*earlier = a->z == b->z && a->z_old != b->z_old;
	blame_depth(d, s, a, b);
}

/* ---- from the stored colour back ---------------------------------------------------------------------------------------- */

static bool same_factors(const struct qs_fragment *a, const struct qs_fragment *b)
{
	return !memcmp(a->blend_src_factor, b->blend_src_factor, 4) && !memcmp(a->blend_dst_factor, b->blend_dst_factor, 4) &&
	       a->blend_mode == b->blend_mode;
}

static void blame_source(struct qs_divergence *d, const struct compare_side s[2], const struct qs_fragment *a, const struct qs_fragment *b)
{
	if (memcmp(a->tev, b->tev, 4)) {
		blame_combiner(d, s, a, b);
		return;
	}
	operand_colour(d, "combiner result", a->tev, b->tev);
	operand_number(d, "fog of 256", a->fog, b->fog);
	operand_depth(d, "depth", a->z, b->z);
	if (a->z != b->z)
		blame_depth(d, s, a, b);
	else
		name_unit(d, QS_AT_FOG, QS_CLASS_NONE, "Fog is computed otherwise for the same depth.");
}

static void blame_stored(struct qs_divergence *d, const struct compare_side s[2], const struct qs_fragment *a, const struct qs_fragment *b,
	bool *earlier)
{
	operand_colour(d, "stored", a->new_rgba, b->new_rgba);
	operand_colour(d, "before", a->old_rgba, b->old_rgba);
	operand_colour(d, "source", a->source, b->source);
	operand_colour(d, "blended", a->blended, b->blended);
	if (memcmp(a->source, b->source, 4)) {
		blame_source(d, s, a, b);
	} else if (!memcmp(a->blended, b->blended, 4)) {
		*earlier = memcmp(a->old_rgba, b->old_rgba, 4) != 0; /* behind a write mask */
		name_unit(d, QS_AT_DITHER, QS_CLASS_FORMAT, "The same colour is stored otherwise.");
	} else if (memcmp(a->old_rgba, b->old_rgba, 4)) {
		*earlier = true;
		name_unit(d, QS_AT_BLEND, QS_CLASS_STALE_STATE, "The pixel held another colour before.");
	} else if (!same_factors(a, b)) {
		operand_colour(d, "source factor", a->blend_src_factor, b->blend_src_factor);
		operand_colour(d, "destination factor", a->blend_dst_factor, b->blend_dst_factor);
		name_unit(d, QS_AT_BLEND, QS_CLASS_BLEND, "Blending takes other factors.");
	} else {
		operand_colour(d, "source factor", a->blend_src_factor, b->blend_src_factor);
		operand_colour(d, "destination factor", a->blend_dst_factor, b->blend_dst_factor);
		name_unit(d, QS_AT_BLEND, QS_CLASS_BLEND, "Blending computes another colour from the same ones.");
	}
}

void operands_of_fragment(struct qs_divergence *d, const struct compare_side side[2], unsigned fragment, bool *earlier)
{
	const struct qs_fragment *a = &side[0].quad.fragment[fragment], *b = &side[1].quad.fragment[fragment];

	*earlier = false;
	if (a->verdict != b->verdict)
		blame_verdict(d, side, a, b, earlier);
	else if (memcmp(a->new_rgba, b->new_rgba, 4))
		blame_stored(d, side, a, b, earlier);
	else
		blame_depth(d, side, a, b);
}
