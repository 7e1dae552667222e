/* setup-text.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "setup-text.h"
#include <math.h>
#include <string.h>
#include "panels.h"
#include "qs-machine.h"

/* As in the picture, but readable on light and dark. */
static const char *const edge_colour[3] = {"#e5484d", "#30a46c", "#3b8eea"};

#define HEAD(text) "<span alpha='60%%'>" text "</span>" /* in formats */

static void heading(GString *s, const char *text)
{
	g_string_append_printf(s, "<span alpha='60%%'>%s</span>\n", text);
}

static void finish(GString *s)
{
	if (s->len && s->str[s->len - 1] == '\n')
		g_string_truncate(s, s->len - 1);
}

/* Eleven characters: six digits where they matter. */
static const char *real(double value, char text[32])
{
	const double size = fabs(value);

	if (size != 0 && (size < 1e-3 || size >= 1e7 || !isfinite(value)))
		g_snprintf(text, 32, "%11.4e", value);
	else
		g_snprintf(text, 32, size >= 1e4 ? "%11.2f" : size >= 10 ? "%11.4f" : "%11.6f", value);
	return text;
}

/* The same in nine, for places on the screen. */
static const char *place(double value, char text[32])
{
	const double size = fabs(value);

	g_snprintf(text, 32, !isfinite(value) || size >= 1e7 ? "%9.2e" : size >= 1e6 ? "%9.1f" : size >= 1e4 ? "%9.2f" : "%9.4f", value);
	return text;
}

/* ---- the primitive ------------------------------------------------------------------------------------------------------ */

static const char *kind_name(guint kind)
{
	static const char *const name[] = {"point", "line", "triangle"};

	return name[MIN(kind, 2)];
}

static const char *plane_name(guint outcode)
{
	static const char *const name[6] = {"right of the view volume (x > w)", "left of the view volume (x < -w)",
		"above the view volume (y > w)", "below the view volume (y < -w)", "beyond the far plane (z > 0)",
		"in front of the near plane (z < -w)"};

	for (guint i = 0; i < 6; i++)
		if (outcode >> i & 1)
			return name[i];
	return "inside the view volume";
}

char *qs_setup_verdict_text(const QsView *view, const struct qs_setup *setup)
{
	const struct qs_register *mode = qs_register_by_name(QS_UNIT_BP, "GEN_MODE");
	const struct qs_field *reject = mode ? qs_field_by_name(mode, "reject_en") : NULL;
	const gboolean gfx3d = qs_view_machine(view) == QS_MACHINE_GFX3D;
	guint outside = 63;
	guint64 pixels = 0;
	char text[64] = "";

	for (guint i = 0; i < setup->kind + 1u; i++)
		outside &= setup->vertex[i].outcode;
	switch ((enum qs_setup_verdict)setup->verdict) {
	case QS_SETUP_DRAWN:
		for (guint32 i = 0; i < view->quad_count; i++)
			for (guint f = 0; f < 4; f++)
				pixels += (view->quads[i].coverage >> 3 * f & 7) != 0;
		if (!view->quad_count)
			return g_strdup("drawn, but no sample point is inside: 0 quads");
		return g_strdup_printf("drawn: %u quad%s, %" G_GUINT64_FORMAT " pixel%s", view->quad_count,
			view->quad_count == 1 ? "" : "s", pixels, pixels == 1 ? "" : "s");
	case QS_SETUP_REJECTED:
		if (gfx3d)
			return g_strdup("skipped: the w of a corner is near 0, and this model does not clip");
		return g_strdup_printf("rejected before clipping: every vertex is %s", plane_name(outside));
	case QS_SETUP_CLIPPED:
		return g_strdup("clipped away: nothing of it is inside the view volume");
	case QS_SETUP_CULLED:
		if (gfx3d)
			return g_strdup("culled: it is clockwise in the window, and the context culls");
		if (reject)
			qs_field_format(reject, qs_view_register(view, QS_UNIT_BP, mode->address), text, sizeof text);
		return g_strdup_printf("culled: reject_en is %s", text);
	case QS_SETUP_DEGENERATE:
		return g_strdup("degenerate: its area on the screen is zero");
	case QS_SETUP_SCISSORED:
		if (gfx3d)
			return g_strdup("outside: no pixel of it is inside the target");
		return g_strdup("scissored: no pixel of it is inside the scissor rectangle");
	}
	return g_strdup("unknown");
}

/* Sign of the area on the screen as the vertices came, from clip coordinates: right for w < 0 too.  0: cannot be told. */
static int winding(const QsView *view, const struct qs_setup *setup)
{
	const float *c[3];
	float sx, sy;
	guint32 bits[2] = {qs_view_register(view, QS_UNIT_XF, 0x101a), qs_view_register(view, QS_UNIT_XF, 0x101b)};
	double area;

	for (guint i = 0; i < 3; i++) {
		if (setup->primitive_vertex[i] >= view->vertex_count)
			return 0;
		c[i] = view->vertices[setup->primitive_vertex[i]].clip;
	}
	memcpy(&sx, &bits[0], sizeof sx);
	memcpy(&sy, &bits[1], sizeof sy);
	if (qs_view_machine(view) == QS_MACHINE_GFX3D) { /* no scale: y up in clip coordinates, down on the screen */
		sx = 1;
		sy = -1;
	}
	area = (double)c[0][0] * ((double)c[1][1] * c[2][3] - (double)c[2][1] * c[1][3]) -
		(double)c[1][0] * ((double)c[0][1] * c[2][3] - (double)c[2][1] * c[0][3]) +
		(double)c[2][0] * ((double)c[0][1] * c[1][3] - (double)c[1][1] * c[0][3]);
	area *= (double)sx * sy;
	return area > 0 ? 1 : area < 0 ? -1 : 0;
}

static void append_area(GString *s, const QsView *view, const struct qs_setup *setup)
{
	const int way = setup->kind == QS_PRIMITIVE_TRIANGLE ? winding(view, setup) : 0;
	double area2 = setup->area2;

	if (setup->verdict == QS_SETUP_CULLED && qs_setup_on_screen(setup, 0) && qs_setup_on_screen(setup, 1) &&
		qs_setup_on_screen(setup, 2)) {
		const struct qs_vertex *v = setup->vertex;

		area2 = (double)(v[1].screen[0] - v[0].screen[0]) * (v[2].screen[1] - v[0].screen[1]) -
			(double)(v[1].screen[1] - v[0].screen[1]) * (v[2].screen[0] - v[0].screen[0]);
	}
	g_string_append_printf(s, HEAD("area    ") " " "%.4f px", fabs(area2) / 2);
	if (way)
		g_string_append_printf(s, ", %s (%s)", way > 0 ? "clockwise" : "counter-clockwise", (way > 0) != (qs_view_machine(view) == QS_MACHINE_GFX3D) ? "front" : "back");
	g_string_append_c(s, '\n');
}

static void append_samples(GString *s, const struct qs_setup *setup)
{
	if (setup->sample_count <= 1) {
		g_string_append_printf(s, HEAD("sample  ") " " "one, at +%.4f, +%.4f of each pixel", (double)setup->sample_offset,
			(double)setup->sample_offset);
		return;
	}
	g_string_append_printf(s, HEAD("samples ") " " "three, in 1/12 pixel");
	for (guint p = 0; p < 4; p++) {
		g_string_append_printf(s, "\n         pixel %u:", p);
		for (guint k = 0; k < 3; k++)
			g_string_append_printf(s, "  %u,%u", setup->sample_x[p][k], setup->sample_y[p][k]);
	}
}

char *qs_setup_primitive_markup(const QsView *view, guint part)
{
	const struct qs_setup *setup = &view->setup[part];
	GString *s = g_string_new(NULL);
	const guint32 number = view->moment.level == QS_LEVEL_DRAW ? view->primitive_count - 1 : view->moment.primitive;
	g_autofree char *draw = g_strdup_printf("%u/%u", view->moment.frame, view->moment.draw);
	g_autofree char *link = qs_link_moment(draw), *verdict = qs_setup_verdict_text(view, setup);
	g_autofree char *escaped = g_markup_escape_text(verdict, -1);

	g_string_append_printf(s, "<b>%s %u</b> of %u in draw %s", kind_name(setup->kind), number, view->primitive_count, link);
	g_string_append_printf(s, "\n" HEAD("%s"), setup->kind ? "vertices" : "vertex  ");
	for (guint i = 0; i < 3 && setup->primitive_vertex[i] != QS_NONE && i < setup->kind + 1u; i++)
		g_string_append_printf(s, " %u", setup->primitive_vertex[i]);
	g_string_append_printf(s, "\n<span foreground='%s'>%s</span>\n", setup->verdict == QS_SETUP_DRAWN ? "#30a46c" : "#e5484d", escaped);
	if (view->setup_count > 1)
		g_string_append_printf(s, HEAD("part    ") " " "%u of %u\n", part + 1, view->setup_count);
	append_area(s, view, setup);
	if (setup->verdict == QS_SETUP_DRAWN || setup->verdict == QS_SETUP_SCISSORED) {
		const struct qs_rect *b = &setup->box, *c = &setup->scissor;

		if (b->x1 > b->x0 && b->y1 > b->y0)
			g_string_append_printf(s, HEAD("box     ") " " "%d,%d to %d,%d (%d × %d)\n", b->x0, b->y0, b->x1 - 1, b->y1 - 1, b->x1 - b->x0,
				b->y1 - b->y0);
		if (c->x1 > c->x0 && c->y1 > c->y0)
			g_string_append_printf(s, HEAD("scissor ") " " "%d,%d to %d,%d\n", c->x0, c->y0, c->x1 - 1, c->y1 - 1);
	}
	if (setup->verdict == QS_SETUP_DRAWN)
		append_samples(s, setup);
	finish(s);
	return g_string_free(s, FALSE);
}

/* ---- the quad ----------------------------------------------------------------------------------------------------------- */

char *qs_setup_quad_markup(const QsView *view, const QsQuadInfo *info, gboolean hovered)
{
	GString *s = g_string_new(NULL);

	if (info->number == QS_NONE) {
		g_string_append_printf(s, "<b>quad at %d,%d</b> is not covered\n", info->x, info->y);
	} else {
		g_string_append_printf(s, "<b>quad %u</b> of %u at %d,%d  mask <b>%03x</b>%s\n", info->number, view->quad_count, info->x, info->y,
			info->coverage, hovered ? "" : "  (now)");
	}
	if (!info->has_edges) {
		finish(s);
		return g_string_free(s, FALSE);
	}
	heading(s, "pixel   mask         e0         e1         e2");
	for (guint p = 0; p < 4; p++)
		for (guint k = 0; k < info->samples; k++) {
			const guint bits = info->coverage >> 3 * p & 7u;

			if (k == 0)
				g_string_append_printf(s, "%3d,%-3d %u%u%u ", info->x + (int)(p & 1), info->y + (int)(p >> 1), bits & 1, bits >> 1 & 1,
					bits >> 2 & 1);
			else
				g_string_append_printf(s, " sample %u   ", k);
			for (guint e = 0; e < 3; e++) {
				const double value = info->edge[p][k][e];
				const gboolean in = qs_setup_inside(&view->setup[info->part].edge[e], value);

				g_string_append_printf(s, " <span foreground='%s'>%+10.4f</span>", in ? "#30a46c" : "#e5484d", value);
			}
			if (!info->in_box[p] && k == 0)
				g_string_append(s, "  outside the box");
			g_string_append_c(s, '\n');
		}
	finish(s);
	return g_string_free(s, FALSE);
}

/* ---- vertices ----------------------------------------------------------------------------------------------------------- */

static void vertex_name(GString *s, const struct qs_setup *setup, guint i)
{
	if (setup->vertex[i].index == QS_NONE)
		g_string_append_printf(s, "v%u made ", i);
	else
		g_string_append_printf(s, "v%u %-5u", i, setup->vertex[i].index);
}

static void append_screen(GString *s, const struct qs_setup *setup, guint count)
{
	char x[32], y[32], w[32];

	heading(s, "vertex          x         y          z         1/w");
	for (guint i = 0; i < count; i++) {
		const struct qs_vertex *v = &setup->vertex[i];

		vertex_name(s, setup, i);
		if (qs_setup_on_screen(setup, i))
			g_string_append_printf(s, "%s %s %10.1f %s\n", place((double)v->screen[0], x), place((double)v->screen[1], y),
				(double)v->screen[2], real((double)v->inv_w, w));
		else
			g_string_append(s, "  behind the eye: no place on the screen\n");
	}
}

static void append_clip(GString *s, const struct qs_setup *setup, guint count)
{
	char t[4][32];

	heading(s, "clip              x           y           z           w");
	for (guint i = 0; i < count; i++) {
		const struct qs_vertex *v = &setup->vertex[i];
		g_autofree char *where = g_markup_escape_text(plane_name(v->outcode), -1);

		vertex_name(s, setup, i);
		for (guint c = 0; c < 4; c++)
			g_string_append_printf(s, "%s%s", c ? " " : "", real((double)v->clip[c], t[c]));
		g_string_append_printf(s, "\n        %s\n", where);
	}
}

static void append_colours(GString *s, const struct qs_setup *setup, guint count)
{
	heading(s, setup->ncol > 1 ? "colour    0              1" : "colour    0");
	for (guint i = 0; i < count; i++) {
		vertex_name(s, setup, i);
		for (guint c = 0; c < setup->ncol && c < 2; c++) {
			const guint8 *rgba = setup->vertex[i].colour[c];

			g_string_append_printf(s, "  <span background='#%02x%02x%02x'>  </span> %02x%02x%02x%02x", rgba[0], rgba[1], rgba[2], rgba[0],
				rgba[1], rgba[2], rgba[3]);
		}
		g_string_append_c(s, '\n');
	}
}

static void append_coordinates(GString *s, const struct qs_setup *setup, guint count)
{
	char t[3][32];

	heading(s, "coord             s           t           q   (texels)");
	for (guint k = 0; k < setup->ntex && k < 8; k++)
		for (guint i = 0; i < count; i++) {
			g_string_append_printf(s, "t%u v%u   ", k, i);
			for (guint c = 0; c < 3; c++)
				g_string_append_printf(s, "%s%s", c ? " " : "", real((double)setup->vertex[i].tex[k][c], t[c]));
			g_string_append_c(s, '\n');
		}
}

char *qs_setup_vertices_markup(const QsView *view, guint part)
{
	const struct qs_setup *setup = &view->setup[part];
	const guint count = qs_setup_vertex_count(setup);
	GString *s = g_string_new(NULL);

	append_screen(s, setup, count);
	if (setup->verdict == QS_SETUP_REJECTED || setup->verdict == QS_SETUP_CLIPPED)
		append_clip(s, setup, count);
	if (setup->ncol)
		append_colours(s, setup, count);
	if (setup->ntex)
		append_coordinates(s, setup, count);
	finish(s);
	return g_string_free(s, FALSE);
}

/* ---- edges and planes --------------------------------------------------------------------------------------------------- */

static void append_term(GString *s, double factor, const char *variable)
{
	char text[32];
	const char *number = g_strstrip((char *)real(fabs(factor), text));

	g_string_append_printf(s, " %s %s%s", factor < 0 ? "−" : "+", number, variable);
}

char *qs_setup_edges_markup(const QsView *view, guint part)
{
	const struct qs_setup *setup = &view->setup[part];
	GString *s;

	if (!qs_setup_has_edges(setup))
		return NULL;
	s = g_string_new(NULL);
	heading(s, "inside where the value is > 0; top-left: or = 0");
	for (guint e = 0; e < 3; e++) {
		const struct qs_edge *edge = &setup->edge[e];

		g_string_append_printf(s, "<span foreground='%s'><b>e%u</b></span> v%u→v%u %s\n   ", edge_colour[e], e, edge->from, edge->to,
			edge->top_left ? "<b>top-left</b>" : "");
		append_term(s, edge->dx, "·x");
		append_term(s, edge->dy, "·y");
		append_term(s, edge->c, "");
		g_string_append_c(s, '\n');
	}
	finish(s);
	return g_string_free(s, FALSE);
}

static void append_plane(GString *s, const char *name, const struct qs_plane *plane)
{
	char t[3][32];

	g_string_append_printf(s, "%-8s%s %s %s\n", name, real((double)plane->f0, t[0]), real((double)plane->dfdx, t[1]),
		real((double)plane->dfdy, t[2]));
}

static gboolean perspective_colours(const QsView *view)
{
	for (guint i = 0; i < qs_quirk_count(); i++)
		if (g_str_equal(qs_quirk_at(i)->name, "colour_perspective"))
			return qs_quirk_at(i)->value[view->model] != 0;
	return FALSE;
}

char *qs_setup_planes_markup(const QsView *view, guint part)
{
	const struct qs_setup *setup = &view->setup[part];
	const char *over_w = perspective_colours(view) ? "/w" : "";
	GString *s;
	char name[16];

	if (!qs_setup_has_edges(setup))
		return NULL;
	s = g_string_new(NULL);
	g_string_append_printf(s, "<span alpha='60%%'>f0 at %.4f, %.4f%s</span>\n", (double)setup->x_ref, (double)setup->y_ref,
		setup->z_frozen ? "; z is frozen (an earlier triangle's)" : "");
	heading(s, "plane            f0        d/dx        d/dy");
	append_plane(s, "z", &setup->z);
	append_plane(s, "1/w", &setup->inv_w);
	for (guint k = 0; k < setup->ncol && k < 2; k++)
		for (guint c = 0; c < 4; c++) {
			g_snprintf(name, sizeof name, "c%u %c%s", k, "rgba"[c], over_w);
			append_plane(s, name, &setup->colour[k][c]);
		}
	for (guint k = 0; k < setup->ntex && k < 8; k++)
		for (guint c = 0; c < 3; c++) {
			g_snprintf(name, sizeof name, "t%u %c/w", k, "stq"[c]);
			append_plane(s, name, &setup->tex[k][c]);
		}
	finish(s);
	return g_string_free(s, FALSE);
}
