/* lint_vertex.c - what a draw needs of vertex formats, transform, lighting, texture coordinates and setup
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/bits.h"
#include "gx/lint.h"

enum { CP_VCD_LO = 0x50, CP_VCD_HI = 0x60, CP_VAT_A = 0x70 };
enum { XF_INVTXSPEC = 0x1008, XF_NUMCOLS = 0x1009, XF_CHANNEL = 0x100E, XF_DUALTEX = 0x1012, XF_MATINDEX = 0x1018,
	XF_VIEWPORT = 0x101A, XF_PROJECTION = 0x1020, XF_NUMTEX = 0x103F, XF_TEXGEN = 0x1040, XF_DUALGEN = 0x1050 };
enum { MATRICES = 0x000, NORMALS = 0x400, POST = 0x500, LIGHTS = 0x600 };

struct vertex_input {
	uint32_t low, high; /* VCD */
	uint32_t vat_a;
	unsigned colours, normals, tex; /* as INVTXSPEC counts them */
};

static bool has_tex(const struct vertex_input *in, unsigned n)
{
	return bits(in->high, 2 * n, 2) != 0;
}

static bool has_colour(const struct vertex_input *in, unsigned n)
{
	return bits(in->low, 13 + 2 * n, 2) != 0;
}

/* ---- formats -------------------------------------------------------------------------------------------------------------- */

static void check_formats(struct lint *l, const struct vertex_input *in)
{
	unsigned format = l->command->opcode & 7u;

	if (!bits(in->low, 9, 2))
		lint_report(l, QS_LINT_WARNING, "no_position", 0, "The vertices have no position (VCD_LO = 0x%05x).", in->low);
	for (unsigned c = 0; c < 2; c++)
		if (has_colour(in, c) && bits(in->vat_a, 14 + 4 * c, 3) > 5)
			lint_report(l, QS_LINT_WARNING, "colour_format", c << 4 | format, "Colour %u of vertex format %u has the invalid format %u.", c,
				format, bits(in->vat_a, 14 + 4 * c, 3));
	if (bits(in->vat_a, 1, 3) > 4)
		lint_report(l, QS_LINT_NOTE, "component_format", format, "Positions of vertex format %u have component format %u, which acts as "
			"f32.", format, bits(in->vat_a, 1, 3));
	if (has_colour(in, 1) && !has_colour(in, 0))
		lint_report(l, QS_LINT_NOTE, "single_colour", 0, "The vertices have colour 1 but no colour 0; channel 0 takes it.");
}

/* 01-cp section 3: the hardware mis-parses the vertices when XF expects other ones. */
static void check_invtxspec(struct lint *l, const struct vertex_input *in)
{
	uint32_t spec = lint_xf(l, XF_INVTXSPEC);
	unsigned colours = bits(spec, 0, 2), normals = bits(spec, 2, 2), tex = bits(spec, 4, 4);

	if (normals == 3)
		normals = 2;
	if (colours != in->colours || normals != in->normals || tex != in->tex)
		lint_report(l, QS_LINT_WARNING, "invtxspec", (uint64_t)spec << 32 | in->colours << 8 | in->normals << 4 | in->tex,
			"XF_INVTXSPEC%s announces %u colours, normals of kind %u and %u coordinates, but the vertices (VCD) have %u, %u and %u: the "
			"hardware hangs or draws garbage.", lint_xf_unset(l, XF_INVTXSPEC) ? " was never written and" : "", colours, normals, tex,
			in->colours, in->normals, in->tex);
}

static void check_counts(struct lint *l)
{
	uint32_t mode = lint_bp(l, 0x00), ntex = bits(mode, 0, 4), ncol = bits(mode, 4, 3);
	uint32_t xf_tex = bits(lint_xf(l, XF_NUMTEX), 0, 4), xf_col = bits(lint_xf(l, XF_NUMCOLS), 0, 2);

	if (ntex != xf_tex)
		lint_report(l, QS_LINT_WARNING, "numtex", ntex << 8 | xf_tex, "GEN_MODE wants %u texture coordinates, but XF NUMTEX makes %u.", ntex,
			xf_tex);
	if (ncol != xf_col)
		lint_report(l, QS_LINT_WARNING, "numcols", ncol << 8 | xf_col, "GEN_MODE wants %u colour channels, but XF_NUMCOLS makes %u.", ncol,
			xf_col);
	if (ntex > 8 || ncol > 2)
		lint_report(l, QS_LINT_WARNING, "gen_mode", mode & 0x7F, "GEN_MODE asks for %u texture coordinates and %u colours; there are 8 and "
			"2.", ntex, ncol);
}

/* An incomplete last primitive: harmless, but rarely meant. */
static void check_vertex_count(struct lint *l)
{
	static const struct {
		const char *name;
		uint8_t per, least;
	} kinds[8] = {{"quads", 4, 4}, {"quads", 4, 4}, {"triangles", 3, 3}, {"triangle strip", 1, 3}, {"triangle fan", 1, 3},
		{"lines", 2, 2}, {"line strip", 1, 2}, {"points", 1, 1}};
	unsigned kind = l->command->opcode >> 3 & 7u;
	uint32_t count = be16(qs_capture_command_bytes(l->capture, l->m->command) + 1);

	if (count < kinds[kind].least || count % kinds[kind].per)
		lint_report(l, QS_LINT_NOTE, "vertex_count", (uint64_t)kind << 32 | count, "The draw of %s has %u vertices: the last primitive is "
			"incomplete.", kinds[kind].name, count);
}

/* ---- matrices ------------------------------------------------------------------------------------------------------------- */

/* All words zero: everything collapses to a point. */
static bool zero_rows(const struct lint *l, unsigned block, unsigned row, unsigned rows)
{
	unsigned words = block == NORMALS ? 3 : 4, wrap = block == NORMALS ? 32 : 64;

	for (unsigned r = 0; r < rows; r++)
		for (unsigned i = 0; i < words; i++)
			if (lint_xf(l, block + words * ((row + r) % wrap) + i) << 1) /* -0 is zero too */
				return false;
	return true;
}

static void check_matrix_index(struct lint *l)
{
	for (unsigned i = 0; i < 2; i++)
		if (l->m->state.cp[0x30 + 0x10 * i] != lint_xf(l, XF_MATINDEX + i))
			lint_report(l, QS_LINT_WARNING, "matrix_index", i, "MATINDEX_%c differs: CP has 0x%08x, XF 0x%08x; it is not known which copy the "
				"hardware takes.", 'A' + (int)i, l->m->state.cp[0x30 + 0x10 * i], lint_xf(l, XF_MATINDEX + i));
}

static void check_transform(struct lint *l, const struct vertex_input *in)
{
	unsigned row = bits(lint_xf(l, XF_MATINDEX), 0, 6);
	bool ortho = bits(lint_xf(l, 0x1026), 0, 1);

	if (!(in->low & 1) && zero_rows(l, MATRICES, row, 3))
		lint_report(l, QS_LINT_WARNING, "position_matrix", row, "The position matrix at rows %u to %u is all zero: every vertex lands on one "
			"point.", row, row + 2);
	if (!(lint_xf(l, XF_PROJECTION) << 1) || !(lint_xf(l, XF_PROJECTION + 2) << 1))
		lint_report(l, QS_LINT_WARNING, "projection", ortho, "The projection%s flattens %s: PROJECTION_%c is 0.",
			lint_xf_unset(l, XF_PROJECTION) ? " was never written and" : "", !(lint_xf(l, XF_PROJECTION) << 1) ? "x" : "y",
			!(lint_xf(l, XF_PROJECTION) << 1) ? 'A' : 'C');
	for (unsigned i = 0; i < 2; i++)
		if (!(lint_xf(l, XF_VIEWPORT + i) << 1))
			lint_report(l, QS_LINT_WARNING, "viewport", i, "The viewport has no %s: VIEWPORT_SCALE_%c is 0%s.", i ? "height" : "width",
				i ? 'Y' : 'X', lint_xf_unset(l, XF_VIEWPORT + i) ? " and was never written" : "");
}

/* ---- lighting ------------------------------------------------------------------------------------------------------------- */

static void check_lights(struct lint *l, uint32_t control)
{
	uint32_t mask = bits(control, 2, 4) | bits(control, 11, 4) << 4;

	for (unsigned i = 0; i < 8; i++) {
		bool unset = mask >> i & 1;
		for (unsigned word = 3; word < 16 && unset; word++)
			unset = lint_xf_unset(l, LIGHTS + 16 * i + word);
		if (unset)
			lint_report(l, QS_LINT_WARNING, "light", i, "Light %u is on, but its parameters were never written.", i);
	}
}

static void check_channels(struct lint *l, const struct vertex_input *in)
{
	static const char *const names[4] = {"COLOR0", "COLOR1", "ALPHA0", "ALPHA1"};
	unsigned channels = bits(lint_xf(l, XF_NUMCOLS), 0, 2);

	for (unsigned i = 0; i < 4; i++) {
		uint32_t control = lint_xf(l, XF_CHANNEL + i);
		unsigned mode = bits(control, 9, 2);
		bool lit = bits(control, 1, 1), lights = (control & 0x783C) != 0;
		if ((i & 1) >= channels || !(l->channels >> (i & 1) & 1))
			continue; /* not made, or made and not read */
		if (!in->colours && (bits(control, 0, 1) || (lit && bits(control, 6, 1))))
			lint_report(l, QS_LINT_WARNING, "vertex_colour", i, "%s_CONTROL takes a colour of the vertices, but they have none; models take "
				"white.", names[i]);
		if (lit && lights && !in->normals && (bits(control, 7, 2) || mode == 1))
			lint_report(l, QS_LINT_WARNING, "normals", i, "%s_CONTROL lights by normals, but the vertices have none; an earlier normal is "
				"used.", names[i]);
		if (lit)
			check_lights(l, control);
	}
}

/* ---- texture coordinates -------------------------------------------------------------------------------------------------- */

static void check_texgen_source(struct lint *l, const struct vertex_input *in, unsigned n)
{
	uint32_t gen = lint_xf(l, XF_TEXGEN + n);
	unsigned type = bits(gen, 4, 3), source = bits(gen, 7, 5);

	if (type == 1) {
		if (bits(gen, 12, 3) >= n)
			lint_report(l, QS_LINT_WARNING, "emboss", n, "Coordinate %u is embossed from coordinate %u, which is not made before it.", n,
				bits(gen, 12, 3));
		if (in->normals < 2)
			lint_report(l, QS_LINT_WARNING, "emboss_normals", n, "Coordinate %u is embossed, but the vertices have no tangents.", n);
		return;
	}
	if (type >= 2)
		return;
	if (source > 12)
		lint_report(l, QS_LINT_WARNING, "texgen_source", n, "Coordinate %u is made from source %u, which is reserved.", n, source);
	else if (source >= 5 && !has_tex(in, source - 5))
		lint_report(l, QS_LINT_WARNING, "texgen_input", n << 4 | source, "Coordinate %u is made from vertex coordinate %u, which the vertices "
			"do not have.", n, source - 5);
	else if ((source == 1 && in->normals < 1) || ((source == 3 || source == 4) && in->normals < 2))
		lint_report(l, QS_LINT_WARNING, "texgen_input", n << 4 | source, "Coordinate %u is made from a %s, which the vertices do not have.",
			n, source == 1 ? "normal" : source == 3 ? "tangent" : "binormal");
}

static void check_texgen(struct lint *l, const struct vertex_input *in, unsigned n)
{
	uint32_t gen = lint_xf(l, XF_TEXGEN + n), post = lint_xf(l, XF_DUALGEN + n);
	unsigned type = bits(gen, 4, 3);
	unsigned row = n < 4 ? bits(lint_xf(l, XF_MATINDEX), 6 + 6 * n, 6) : bits(lint_xf(l, XF_MATINDEX + 1), 6 * (n - 4), 6);

	if (type > 3)
		lint_report(l, QS_LINT_WARNING, "texgen_type", n, "Coordinate %u is of the reserved kind %u.", n, type);
	check_texgen_source(l, in, n);
	if (type == 0 && !(in->low >> (1 + n) & 1) && zero_rows(l, MATRICES, row, bits(gen, 1, 1) ? 3 : 2))
		lint_report(l, QS_LINT_WARNING, "texture_matrix", n << 8 | row, "The matrix of coordinate %u at row %u is all zero: one texel is "
			"stretched over everything.", n, row);
	if (type == 0 && (lint_xf(l, XF_DUALTEX) & 1) && zero_rows(l, POST, bits(post, 0, 6), 3))
		lint_report(l, QS_LINT_WARNING, "post_matrix", n << 8 | bits(post, 0, 6), "The post-transform matrix of coordinate %u at row %u is all "
			"zero.", n, bits(post, 0, 6));
}

/* ---- setup ---------------------------------------------------------------------------------------------------------------- */

static void check_setup(struct lint *l)
{
	uint32_t top_left = lint_bp(l, 0x20), bottom_right = lint_bp(l, 0x21), mode = lint_bp(l, 0x00), size = lint_bp(l, 0x22);
	unsigned kind = l->command->opcode >> 3 & 7u;

	if (bits(top_left, 12, 11) > bits(bottom_right, 12, 11) || bits(top_left, 0, 11) > bits(bottom_right, 0, 11))
		lint_report(l, QS_LINT_WARNING, "scissor", 0, "The scissor is empty (SU_SCIS0 = 0x%06x, SU_SCIS1 = 0x%06x): nothing is drawn.",
			top_left, bottom_right);
	else if (lint_bp_unset(l, 0x20) && lint_bp_unset(l, 0x21))
		lint_report(l, QS_LINT_WARNING, "scissor", 1, "The scissor was never written: at most one pixel is drawn.");
	if (bits(mode, 14, 2) == 3 && kind < 5)
		lint_report(l, QS_LINT_NOTE, "cull_all", 0, "All triangles are culled (GEN_MODE.reject_en is 3): the draw shows nothing.");
	if (bits(mode, 8, 1))
		lint_report(l, QS_LINT_NOTE, "not_modelled", 0, "Flat shading (GEN_MODE.flat_en) is not modelled: the draw is shaded smoothly.");
	if (kind >= 5 && kind <= 6 && !bits(size, 0, 8))
		lint_report(l, QS_LINT_WARNING, "line_width", 0, "Lines are drawn with width 0%s.", lint_bp_unset(l, 0x22) ?
			": SU_LPSIZE was never written" : "");
	if (kind == 7 && !bits(size, 8, 8))
		lint_report(l, QS_LINT_WARNING, "point_size", 0, "Points are drawn with size 0%s.", lint_bp_unset(l, 0x22) ?
			": SU_LPSIZE was never written" : "");
	if (kind >= 5 && bits(size, 22, 1))
		lint_report(l, QS_LINT_NOTE, "not_modelled", 1, "The field mode of lines and points (SU_LPSIZE.field) is not modelled.");
}

void lint_vertex(struct lint *l)
{
	const uint32_t *cp = l->m->state.cp;
	struct vertex_input in = {.low = cp[CP_VCD_LO], .high = cp[CP_VCD_HI], .vat_a = cp[CP_VAT_A + (l->command->opcode & 7u)]};

	in.colours = (unsigned)has_colour(&in, 0) + has_colour(&in, 1);
	in.normals = !bits(in.low, 11, 2) ? 0 : bits(in.vat_a, 9, 1) ? 2 : 1;
	for (unsigned n = 0; n < 8; n++)
		in.tex += has_tex(&in, n);
	check_formats(l, &in);
	check_invtxspec(l, &in);
	check_counts(l);
	check_vertex_count(l);
	check_matrix_index(l);
	check_transform(l, &in);
	check_channels(l, &in);
	for (unsigned n = 0; n < bits(lint_xf(l, XF_NUMTEX), 0, 4) && n < 8; n++)
		if (l->coords >> n & 1)
			check_texgen(l, &in, n);
	check_setup(l);
}
