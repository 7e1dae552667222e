/* trace_json.c - the facts of a moment inside a draw as JSON
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include <gfx3d.h>

#include "cli/trace.h"

static void floats(struct cli_json *json, const char *key, const float *value, unsigned count)
{
	json_list(json, key);
	for (unsigned i = 0; i < count; i++)
		json_float(json, NULL, value[i]);
	json_array_end(json);
}

static void shorts(struct cli_json *json, const char *key, const int16_t *value, unsigned count)
{
	json_list(json, key);
	for (unsigned i = 0; i < count; i++)
		json_int(json, NULL, value[i]);
	json_array_end(json);
}

/* ---- setup -------------------------------------------------------------------------------------------------------------- */

static void vertex(struct cli_json *json, const struct qs_vertex *v, unsigned ncol, unsigned ntex)
{
	json_object(json, NULL);
	if (v->index == QS_NONE)
		json_string(json, "index", NULL);
	else
		json_uint(json, "index", v->index);
	floats(json, "object", v->object, 3);
	floats(json, "eye", v->eye, 3);
	floats(json, "clip", v->clip, 4);
	floats(json, "screen", v->screen, 3);
	json_float(json, "inv_w", v->inv_w);
	floats(json, "normal", v->normal, 3);
	json_array(json, "colours");
	for (unsigned k = 0; k < ncol && k < 2; k++)
		json_colour(json, NULL, v->colour[k]);
	json_array_end(json);
	json_array(json, "tex");
	for (unsigned k = 0; k < ntex && k < 8; k++)
		floats(json, NULL, v->tex[k], 3);
	json_array_end(json);
	json_uint(json, "outcode", v->outcode);
	json_object_end(json);
}

static void plane(struct cli_json *json, const char *key, const struct qs_plane *p)
{
	json_row(json, key);
	json_float(json, "f0", p->f0);
	json_float(json, "dfdx", p->dfdx);
	json_float(json, "dfdy", p->dfdy);
	json_object_end(json);
}

static void rect(struct cli_json *json, const char *key, const struct qs_rect *r)
{
	json_list(json, key);
	json_int(json, NULL, r->x0);
	json_int(json, NULL, r->y0);
	json_int(json, NULL, r->x1);
	json_int(json, NULL, r->y1);
	json_array_end(json);
}

static void planes(struct cli_json *json, const struct qs_timeline *timeline, const struct qs_setup *setup)
{
	json_object(json, "planes");
	json_float(json, "x_ref", setup->x_ref);
	json_float(json, "y_ref", setup->y_ref);
	json_bool(json, "z_frozen", setup->z_frozen);
	json_bool(json, "colours_over_w", qs_timeline_quirk(timeline, "colour_perspective") != 0);
	plane(json, "z", &setup->z);
	plane(json, "inv_w", &setup->inv_w);
	json_array(json, "colours");
	for (unsigned k = 0; k < setup->ncol && k < 2; k++) {
		json_array(json, NULL);
		for (unsigned c = 0; c < 4; c++)
			plane(json, NULL, &setup->colour[k][c]);
		json_array_end(json);
	}
	json_array_end(json);
	json_array(json, "tex");
	for (unsigned k = 0; k < setup->ntex && k < 8; k++) {
		json_array(json, NULL);
		for (unsigned c = 0; c < 3; c++)
			plane(json, NULL, &setup->tex[k][c]);
		json_array_end(json);
	}
	json_array_end(json);
	json_object_end(json);
}

static void edges(struct cli_json *json, const struct qs_setup *setup)
{
	json_array(json, "edges");
	for (unsigned i = 0; i < 3; i++) {
		const struct qs_edge *edge = &setup->edge[i];

		json_row(json, NULL);
		json_uint(json, "from", edge->from);
		json_uint(json, "to", edge->to);
		json_number(json, "dx", edge->dx);
		json_number(json, "dy", edge->dy);
		json_number(json, "c", edge->c);
		json_bool(json, "top_left", edge->top_left);
		json_object_end(json);
	}
	json_array_end(json);
}

static void json_setup(struct cli_json *json, const char *key, const struct qs_timeline *timeline, const struct qs_setup *setup)
{
	static const char *const verdict[] = {"drawn", "rejected", "clipped", "culled", "degenerate", "scissored"};

	json_object(json, key);
	json_string(json, "kind", cli_primitive_name(setup->kind));
	json_string(json, "verdict", setup->verdict < G_N_ELEMENTS(verdict) ? verdict[setup->verdict] : "unknown");
	json_uint(json, "part", setup->part);
	json_uint(json, "part_count", setup->part_count);
	json_array(json, "vertices");
	for (unsigned i = 0; i < 3; i++)
		vertex(json, &setup->vertex[i], setup->ncol, setup->ntex);
	json_array_end(json);
	json_number(json, "area2", setup->area2);
	rect(json, "box", &setup->box);
	rect(json, "scissor", &setup->scissor);
	if (setup->verdict == QS_SETUP_DRAWN) {
		edges(json, setup);
		planes(json, timeline, setup);
		json_uint(json, "samples", setup->sample_count);
		json_float(json, "sample_offset", setup->sample_offset);
	}
	json_object_end(json);
}

/* ---- fragments ---------------------------------------------------------------------------------------------------------- */

static void sample(struct cli_json *json, const char *key, const struct qs_sample *s)
{
	json_object(json, key);
	json_uint(json, "map", s->map);
	json_uint(json, "coord", s->coord);
	json_int(json, "s", s->s);
	json_int(json, "t", s->t);
	json_number(json, "lod", s->lod / 16.0);
	json_uint(json, "lod_fraction", s->lod_fraction);
	json_bool(json, "linear", s->linear);
	json_bool(json, "from_tmem", s->from_tmem);
	json_colour(json, "rgba", s->rgba);
	json_array(json, "texels");
	for (unsigned i = 0; i < s->texel_count && i < QS_TEXELS; i++) {
		const struct qs_texel *texel = &s->texel[i];

		json_row(json, NULL);
		json_int(json, "s", texel->s);
		json_int(json, "t", texel->t);
		json_uint(json, "level", texel->level);
		json_uint(json, "weight", texel->weight);
		json_uint(json, "address", texel->address);
		if (texel->cache) {
			json_uint(json, "line", texel->line);
			json_bool(json, "hit", texel->cache == QS_CACHE_HIT);
			json_bool(json, "stale", texel->stale);
		}
		json_colour(json, "rgba", texel->rgba);
		json_object_end(json);
	}
	json_array_end(json);
	json_object_end(json);
}

static void inputs(struct cli_json *json, const char *key, const struct qs_stage *stage, const struct trace_stage_config *config)
{
	static const char *const name[4] = {"a", "b", "c", "d"};
	const int16_t *const value[4] = {stage->a, stage->b, stage->c, stage->d};

	json_object(json, key);
	for (unsigned i = 0; i < 4; i++) {
		json_row(json, name[i]);
		json_string(json, "rgb_from", config->colour[i]);
		json_string(json, "alpha_from", config->alpha[i]);
		shorts(json, "value", value[i], 4);
		json_object_end(json);
	}
	json_object_end(json);
}

static void stage(struct cli_json *json, const struct qs_timeline *timeline, const struct qs_stage *s, unsigned n)
{
	static const char *const reg[4] = {"prev", "c0", "c1", "c2"};
	struct trace_stage_config config;

	trace_stage_configure(timeline, n, &config);
	json_object(json, NULL);
	json_uint(json, "stage", n);
	json_string(json, "rgb", config.colour_formula);
	json_string(json, "alpha", config.alpha_formula);
	shorts(json, "tex", s->tex, 4);
	shorts(json, "ras", s->ras, 4);
	shorts(json, "konst", s->konst, 4);
	inputs(json, "inputs", s, &config);
	json_list(json, "wide");
	for (unsigned i = 0; i < 4; i++)
		json_int(json, NULL, s->wide[i]);
	json_array_end(json);
	shorts(json, "result", s->result, 4);
	json_row(json, "registers");
	for (unsigned r = 0; r < 4; r++)
		shorts(json, reg[r], s->reg[r], 4);
	json_object_end(json);
	if (config.indirect) {
		json_row(json, "indirect");
		json_string(json, "text", config.indirect_text);
		json_int(json, "offset_s", s->indirect_s);
		json_int(json, "offset_t", s->indirect_t);
		json_int(json, "coord_s", s->coord_s);
		json_int(json, "coord_t", s->coord_t);
		json_uint(json, "bump_alpha", s->bump_alpha);
		json_object_end(json);
	}
	if (s->sample.done)
		sample(json, "sample", &s->sample);
	json_object_end(json);
}

/* The anti-aliased EFB: what became of each sample. */
static void aa_samples(struct cli_json *json, const struct qs_fragment *f)
{
	json_array(json, "aa_samples");
	for (unsigned i = 0; i < 3 && i < f->sample_count; i++) {
		json_row(json, NULL);
		json_bool(json, "covered", f->samples >> i & 1);
		json_bool(json, "passed", f->samples_passed >> i & 1);
		json_uint(json, "z", f->sample_z[i]);
		json_uint(json, "z_old", f->sample_z_old[i]);
		json_uint(json, "z_new", f->sample_z_new[i]);
		json_colour(json, "old", f->sample_old[i]);
		json_colour(json, "new", f->sample_new[i]);
		json_object_end(json);
	}
	json_array_end(json);
}

static void z_texture(struct cli_json *json, const struct qs_fragment *f)
{
	json_object(json, "z_texture");
	json_string(json, "op", f->z_texture == 1 ? "add" : "replace");
	json_uint(json, "bits", f->z_texture_type == 0 ? 8 : f->z_texture_type == 1 ? 16 : 24);
	json_uint(json, "value", f->z_texture_value);
	json_uint(json, "bias", f->z_texture_bias);
	json_object_end(json);
}

static void tests(struct cli_json *json, const struct qs_fragment *f)
{
	json_object(json, "alpha_test");
	json_bool(json, "tested", f->alpha_tested);
	json_bool(json, "passed", f->alpha_passed);
	json_string(json, "func0", cli_compare_sign(f->alpha_func0));
	json_uint(json, "ref0", f->alpha_ref0);
	json_string(json, "func1", cli_compare_sign(f->alpha_func1));
	json_uint(json, "ref1", f->alpha_ref1);
	json_uint(json, "logic", f->alpha_logic);
	json_object_end(json);
	json_object(json, "depth_test");
	json_bool(json, "tested", f->z_tested);
	json_bool(json, "early", f->early_z);
	json_bool(json, "passed", f->z_passed);
	json_bool(json, "written", f->z_written);
	json_string(json, "func", cli_compare_sign(f->z_func));
	json_uint(json, "interpolated", f->z_interpolated);
	json_uint(json, "z", f->z);
	json_uint(json, "old", f->z_old);
	json_uint(json, "new", f->z_new);
	if (f->z_texture)
		z_texture(json, f);
	json_object_end(json);
}

static void blend(struct cli_json *json, const struct qs_fragment *f)
{
	static const char *const mode[] = {"none", "blend", "subtract", "logic"};

	json_object(json, "blend");
	json_string(json, "mode", f->blend_mode < G_N_ELEMENTS(mode) ? mode[f->blend_mode] : "unknown");
	json_colour(json, "source", f->source);
	json_colour(json, "source_factor", f->blend_src_factor);
	json_colour(json, "destination_factor", f->blend_dst_factor);
	json_colour(json, "result", f->blended);
	json_object_end(json);
}

static void fragment(struct cli_json *json, const struct qs_timeline *timeline, const struct qs_fragment *f, unsigned n, bool detail)
{
	char text[256];

	json_object(json, NULL);
	json_uint(json, "fragment", n);
	json_int(json, "x", f->x);
	json_int(json, "y", f->y);
	json_uint(json, "samples", f->samples);
	json_string(json, "verdict", qs_verdict_name((enum qs_verdict)f->verdict));
	json_string(json, "text", cli_fragment_sentence(f, text, sizeof text));
	json_uint(json, "z", f->z_interpolated);
	json_float(json, "inv_w", f->inv_w);
	json_colour(json, "colour0", f->ras[0]);
	json_colour(json, "colour1", f->ras[1]);
	json_array(json, "coords");
	for (unsigned k = 0; k < 8; k++) {
		json_list(json, NULL);
		json_int(json, NULL, f->coord[k][0]);
		json_int(json, NULL, f->coord[k][1]);
		json_array_end(json);
	}
	json_array_end(json);
	if (detail) {
		json_array(json, "indirect");
		for (unsigned i = 0; i < f->indirect_count && i < 4; i++)
			sample(json, NULL, &f->indirect[i]);
		json_array_end(json);
		json_array(json, "stages");
		for (unsigned i = 0; i < f->stage_count && i < 16; i++)
			stage(json, timeline, &f->stage[i], i);
		json_array_end(json);
	}
	json_colour(json, "tev", f->tev);
	tests(json, f);
	json_uint(json, "fog", f->fog);
	blend(json, f);
	json_colour(json, "old", f->old_rgba);
	json_colour(json, "new", f->new_rgba);
	if (f->sample_count > 1)
		aa_samples(json, f);
	json_object_end(json);
}

static void quad_object(struct cli_json *json, const struct qs_timeline *timeline, const struct qs_setup *setup,
	const struct qs_quad *quad, const struct qs_moment *moment)
{
	unsigned samples = setup->sample_count == 3 ? 3 : 1;

	json_object(json, "quad");
	json_int(json, "x", quad->x);
	json_int(json, "y", quad->y);
	json_uint(json, "coverage", quad->coverage);
	json_array(json, "edge_values");
	for (unsigned pixel = 0; pixel < 4; pixel++) {
		for (unsigned s = 0; s < samples; s++) {
			json_list(json, NULL);
			for (unsigned e = 0; e < 3; e++)
				json_number(json, NULL, quad->edge[pixel][s][e]);
			json_array_end(json);
		}
	}
	json_array_end(json);
	json_array(json, "fragments");
	for (unsigned i = 0; i < 4; i++)
		if (moment->level == QS_LEVEL_QUAD || i == moment->fragment)
			fragment(json, timeline, &quad->fragment[i], i, true);
	json_array_end(json);
	json_object_end(json);
}

/* ---- whole moments ------------------------------------------------------------------------------------------------------ */

static bool json_inside(struct cli_json *json, struct qs_timeline *timeline, struct qs_error *error)
{
	struct qs_setup *setup = g_new0(struct qs_setup, 1);
	struct qs_quad *quad = g_new0(struct qs_quad, 1);
	bool good = qs_timeline_quad(timeline, setup, quad, error);

	if (good) {
		json_setup(json, "setup", timeline, setup);
		quad_object(json, timeline, setup, quad, qs_timeline_moment(timeline));
	}
	g_free(setup);
	g_free(quad);
	return good;
}

static bool json_primitive(struct cli_json *json, struct qs_timeline *timeline, struct qs_error *error)
{
	enum { MOST = 64 };
	struct qs_setup *setup = g_new0(struct qs_setup, MOST);
	uint32_t parts = qs_timeline_setup(timeline, setup, MOST, error), count = 0;
	struct qs_quad_place *places = NULL;
	bool good = parts > 0 && qs_timeline_quads(timeline, &places, &count, error);

	if (good) {
		json_array(json, "parts");
		for (uint32_t i = 0; i < parts && i < MOST; i++)
			json_setup(json, NULL, timeline, &setup[i]);
		json_array_end(json);
		json_array(json, "quads");
		for (uint32_t i = 0; i < count; i++) {
			json_row(json, NULL);
			json_int(json, "x", places[i].x);
			json_int(json, "y", places[i].y);
			json_uint(json, "coverage", places[i].coverage);
			json_uint(json, "part", places[i].part);
			json_object_end(json);
		}
		json_array_end(json);
	}
	free(places);
	g_free(setup);
	return good;
}

static bool json_draw(struct cli_json *json, struct qs_timeline *timeline, struct qs_error *error)
{
	struct qs_vertex *vertices;
	uint32_t count;

	if (!qs_timeline_vertices(timeline, &vertices, &count, error))
		return false;
	json_uint(json, "primitives", qs_timeline_primitive_count(timeline, qs_timeline_moment(timeline)));
	json_array(json, "vertices");
	for (uint32_t i = 0; i < count; i++)
		vertex(json, &vertices[i], 2, 8);
	json_array_end(json);
	free(vertices);
	return true;
}

bool trace_json(struct cli_json *json, struct qs_timeline *timeline, const int *texel, struct qs_error *error)
{
	const struct qs_capture *capture = qs_timeline_capture(timeline);
	const struct qs_moment *moment = qs_timeline_moment(timeline);
	char text[1024];

	json_moment(json, "moment", capture, moment);
	json_string(json, "level", qs_level_name(moment->level));
	json_string(json, "command", qs_command_text(capture, moment->command, text, sizeof text));
	json_string(json, "command_offset", cli_command_offset(capture, moment->command, text, sizeof text));
	if (trace_at_copy(timeline))
		return trace_copy_json(json, timeline, texel, error);
	if (moment->level > QS_LEVEL_QUAD && qs_timeline_gfx3d(timeline))
		trace_gfx3d_json(json, timeline);
	if (moment->level >= QS_LEVEL_QUAD)
		return json_inside(json, timeline, error);
	return moment->level == QS_LEVEL_PRIMITIVE ? json_primitive(json, timeline, error) : json_draw(json, timeline, error);
}
