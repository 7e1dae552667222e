/* depth-text.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "depth-text.h"
#include "panels.h"
#include "qs-gfx3d.h"

#define PASS "#30a46c"
#define FAIL "#e5484d"

static void value(GString *s, const char *name, guint32 z)
{
	g_string_append_printf(s, "%-10s<b>%06x</b>  %8u  %.6f", name, z, z, z / 16777215.0);
}

static void pixel_row(GString *s, const QsView *view, const char *name, int x, int y)
{
	guint8 rgba[4];
	guint32 z;

	if (!qs_view_pixel(view, QS_BUFFER_DEPTH, x, y, rgba, &z))
		return;
	value(s, name, z);
	g_string_append_printf(s, "  at %d,%d\n", x, y);
}

char *qs_depth_values_markup(QsSession *session)
{
	QsView *view = qs_session_get_view(session);
	QsTrace *trace = qs_session_get_trace(session);
	GString *s = g_string_new("<span alpha='60%'>value        hex   decimal  0..1</span>\n");
	int x, y;

	if (qs_session_get_pick(session, &x, &y))
		pixel_row(s, view, "picked", x, y);
	else if (trace)
		pixel_row(s, view, "traced", trace->x, trace->y);
	else
		g_string_append(s, "<span alpha='60%'>no pixel picked: click one</span>\n");
	if (qs_session_get_hover(session, &x, &y))
		pixel_row(s, view, "pointer", x, y);
	else
		g_string_append(s, "<span alpha='60%'>pointer   –</span>\n");
	g_string_truncate(s, s->len - 1);
	return g_string_free(s, FALSE);
}

/* ---- the test ----------------------------------------------------------------------------------------------------------- */

static void append_setting(GString *s, const QsView *view)
{
	const struct qs_register *mode = qs_register_by_name(QS_UNIT_BP, "PE_ZMODE");
	const guint32 writer = mode ? qs_view_register_writer(view, QS_UNIT_BP, mode->address) : QS_NONE;
	g_autofree char *link = qs_link_command(view->capture->capture, writer);

	g_string_append_printf(s, "\n<a href=\"register:bp.PE_ZMODE\">PE_ZMODE</a>  test %s, %s, write %s; %s%s", qs_view_field(view, QS_UNIT_BP, "PE_ZMODE", "enable") ? "on" : "off",
		qs_compare_name(qs_view_field(view, QS_UNIT_BP, "PE_ZMODE", "func")),
		qs_view_field(view, QS_UNIT_BP, "PE_ZMODE", "update") ? "on" : "off", writer == QS_NONE ? "" : "set at ", link);
}

/* Of Gfx3D: the floats themselves, of which the rest of the window shows 24 bits. */
static void append_floats(GString *s, const QsTrace *trace)
{
	const struct qs_gfx3d_fragment *f = &trace->program->quad.fragment[trace->fragment & 3];
	const struct qs_fragment *common = &trace->quad.fragment[trace->fragment & 3];

	g_string_append_printf(s, "\nas floats: incoming %.9g, stored %.9g, after %.9g", (double)f->z, (double)f->z_old, (double)f->z_new);
	g_string_append_printf(s, "\ncontext   test %s, %s; its state is in <i>Registers</i>", common->z_tested ? "on" : "off",
		qs_compare_name(common->z_func));
}

static void append_operands(GString *s, const struct qs_fragment *f)
{
	const gint64 difference = (gint64)f->z - f->z_old;

	g_string_append_c(s, '\n');
	if (f->z_texture) {
		value(s, "plane", f->z_interpolated);
		g_string_append_printf(s, f->z_texture == 1 ? "  added to the Z texture\n" : "  replaced by the Z texture\n");
		value(s, "texel", f->z_texture_value);
		g_string_append_printf(s, "  %u bits, bias 0x%06x\n", f->z_texture_type == 0 ? 8 : f->z_texture_type == 1 ? 16 : 24, f->z_texture_bias);
	}
	value(s, "incoming", f->z);
	g_string_append_printf(s, "  %+" G_GINT64_FORMAT " to stored\n", difference);
	value(s, "stored", f->z_old);
	g_string_append_c(s, '\n');
	value(s, "after", f->z_new);
	if (f->z_written)
		g_string_append_printf(s, "  <span foreground='" PASS "'>written</span>");
	else
		g_string_append(s, f->z_passed ? "  kept: depth is not stored" : "  kept");
}

char *qs_depth_test_markup(QsSession *session)
{
	QsView *view = qs_session_get_view(session);
	QsTrace *trace = qs_session_get_trace(session);
	const struct qs_fragment *f;
	g_autofree char *link = NULL;
	GString *s;

	if (!trace || !trace->found)
		return g_strdup(trace ? "<span alpha='60%'>No fragment has reached the pixel in this frame.</span>" :
			"<span alpha='60%'>Pick a pixel: the depth test of its fragment is shown here.</span>");
	f = &trace->quad.fragment[trace->fragment];
	link = qs_link_moment(trace->text);
	s = g_string_new(NULL);
	g_string_append_printf(s, "<b>%s depth test</b> of %s at %d,%d%s\n", f->early_z ? "early" : "late", link, trace->x, trace->y,
		trace->in_draw ? "" : " (last writer)");
	if (f->verdict == QS_VERDICT_PENDING && !f->z_tested) {
		g_string_append(s, "not reached yet at this moment");
	} else if (f->verdict == QS_VERDICT_ALPHA && !f->z_tested) {
		g_string_append_printf(s, "not reached: the <span foreground='" FAIL "'>alpha test</span> rejected the fragment");
	} else if (!f->z_tested) {
		g_string_append(s, "no test: depth is neither compared nor written");
	} else {
		g_string_append_printf(s, "0x%06x <b>%s</b> 0x%06x: <span foreground='%s'><b>%s</b></span>", f->z, qs_compare_name(f->z_func),
			f->z_old, f->z_passed ? PASS : FAIL, f->z_passed ? "passed" : "failed");
		append_operands(s, f);
	}
	if (trace->program)
		append_floats(s, trace);
	else if (trace->in_draw)
		append_setting(s, view);
	return g_string_free(s, FALSE);
}
