/* qs-bindings-panel.c - see the header
 *
 * What the fragment shader of the traced fragment read is marked in the picture.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-bindings-panel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "canvas/qs-texture-view.h"
#include "qs-gfx3d.h"
#include "qs-machine.h"

#define MAX_MARKS 16

struct _QsBindingsPanel {
	QsPanel parent_instance;
	GtkDropDown *unit, *mode;
	GtkBox *zoom;
	QsTextureView *view;
	GtkLabel *info;
	QsBindingsAnswer bindings;
	gboolean filling;
};

G_DEFINE_FINAL_TYPE(QsBindingsPanel, qs_bindings_panel, QS_TYPE_PANEL)

#define SESSION(self) qs_panel_get_session(QS_PANEL(self))

/* The drop-down lists bound units only. */
static guint shown_unit(QsBindingsPanel *self)
{
	guint wanted = gtk_drop_down_get_selected(self->unit);

	for (guint u = 0; u < QS_GFX3D_UNITS; u++)
		if (self->bindings.bound[u] && wanted-- == 0)
			return u;
	return 0;
}

/* ---- what the fragment read --------------------------------------------------------------------------------------------- */

static int quirk(const QsView *view, const char *name)
{
	for (guint32 i = 0; i < qs_machine_quirk_count(QS_MACHINE_GFX3D); i++)
		if (g_str_equal(qs_machine_quirk(QS_MACHINE_GFX3D, i).name, name))
			return view->quirks[i];
	return 0;
}

static int texel_of(float at, guint size, gboolean floored)
{
	const double place = floored ? floor((double)at * size) : floor((double)at * (size - 1) + 0.5);

	return (int)CLAMP(place, 0, (double)size - 1);
}

/* Nearest texels; with a filter or a wrap the units average or fold, and no single texel is the one. */
static gboolean sampled_texel(const QsView *view, const struct qs_gfx3d_binding *b, const float at[4], QsTexelMark *mark)
{
	const struct qs_gfx3d_sampler *s = &b->sampler;
	const gboolean floored = quirk(view, "sample_texel") != 0;

	if (isnan(at[0]) || isnan(at[1]) || (quirk(view, "sampler_state") && (s->min != QS_GFX3D_NEAREST || s->mag != QS_GFX3D_NEAREST ||
		s->wrap_s != QS_GFX3D_CLAMP || s->wrap_t != QS_GFX3D_CLAMP)))
		return FALSE;
	*mark = (QsTexelMark){0, texel_of(at[0], b->width, floored), texel_of(at[1], b->height, floored), 16384};
	if (quirk(view, "sample_rows"))
		mark->t = (int)b->height - 1 - mark->t;
	return TRUE;
}

static guint unit_of(const QsView *view, const char *text)
{
	const char *aux = strstr(text, "aux=");

	return aux && quirk(view, "sampler_slot") ? (guint)strtoul(aux + 4, NULL, 10) : 0;
}

static char *show_reads(QsBindingsPanel *self, guint unit)
{
	QsView *view = qs_session_get_view(SESSION(self));
	QsTrace *trace = qs_session_get_trace(SESSION(self));
	const QsProgram *program = trace && view && trace->serial == view->serial ? trace->program : NULL;
	GString *s = g_string_new(NULL);
	QsTexelMark mark[MAX_MARKS];
	guint count = 0;

	for (guint i = 0; program && self->bindings.bound[unit] && i < program->stage[1].count; i++) {
		const struct qs_gfx3d_step *step = qs_program_step(program, 1, i);
		const guint f = trace->fragment & 3;

		if (!step || !(step->ran >> f & 1) || !strstr(program->stage[1].text[i], "= sample2d") || unit_of(view, program->stage[1].text[i]) != unit)
			continue;
		g_string_append_printf(s, "\ninstruction %u reads at %.5g, %.5g", i, (double)step->a[f][0], (double)step->a[f][1]);
		if (count < MAX_MARKS && sampled_texel(view, &self->bindings.binding[unit], step->a[f], &mark[count])) {
			g_string_append_printf(s, ", texel %d,%d", mark[count].s, mark[count].t);
			count++;
		}
		g_string_append_printf(s, ": %.4g %.4g %.4g %.4g", (double)step->value[f][0], (double)step->value[f][1], (double)step->value[f][2],
			(double)step->value[f][3]);
	}
	qs_texture_view_set_marks(self->view, mark, count);
	return g_string_free(s, FALSE);
}

/* ---- what is shown ------------------------------------------------------------------------------------------------------ */

static void show_info(QsBindingsPanel *self)
{
	static const char *const filter[] = {"nearest", "linear", "none"}, *const wrap[] = {"clamp", "repeat", "mirror"};
	const guint unit = shown_unit(self);
	const struct qs_gfx3d_binding *b = &self->bindings.binding[unit];
	QsView *view = qs_session_get_view(SESSION(self));
	g_autofree char *reads = show_reads(self, unit), *text = NULL, *here = NULL;
	QsTexel texel;

	if (!view || !self->bindings.bound[unit])
		return;
	here = qs_texture_view_get_texel(self->view, &texel) ? g_strdup_printf("   texel %d,%d of level %u: #%02x%02x%02x%02x", texel.s, texel.t,
		texel.level, texel.rgba[0], texel.rgba[1], texel.rgba[2], texel.rgba[3]) : g_strdup("");
	text = g_strdup_printf("0x%08x  %u × %u, %u level%s%s%s%s   min %s, mag %s, mip %s, wrap %s %s%s%s%s", b->handle, b->width, b->height, b->levels,
		b->levels == 1 ? "" : "s", b->uploaded ? "" : ", never filled", self->bindings.sampler[unit][0] ? ", read as " : "",
		self->bindings.sampler[unit], filter[b->sampler.min % 3], filter[b->sampler.mag % 3], filter[b->sampler.mip % 3],
		wrap[b->sampler.wrap_s % 3], wrap[b->sampler.wrap_t % 3], quirk(view, "sampler_state") ? "" : " (ignored by this model)", here, reads);
	gtk_label_set_text(self->info, text);
}

static void show_picture(QsBindingsPanel *self)
{
	const guint unit = shown_unit(self);

	qs_texture_view_set_texture(self->view, self->bindings.bound[unit] ? &self->bindings.picture[unit] : NULL, -1);
	show_info(self);
}

static void fill_units(QsBindingsPanel *self)
{
	g_autoptr(GtkStringList) names = gtk_string_list_new(NULL);
	const guint old = shown_unit(self);
	guint selected = 0, n = 0;

	for (guint u = 0; u < QS_GFX3D_UNITS; u++) {
		g_autofree char *name = g_strdup_printf("Unit %u%s%s", u, self->bindings.sampler[u][0] ? " " : "", self->bindings.sampler[u]);

		if (!self->bindings.bound[u])
			continue;
		if (u == old)
			selected = n;
		gtk_string_list_append(names, name);
		n++;
	}
	self->filling = TRUE;
	gtk_drop_down_set_model(self->unit, G_LIST_MODEL(names));
	gtk_drop_down_set_selected(self->unit, selected);
	self->filling = FALSE;
}

static void forget_pictures(QsBindingsPanel *self)
{
	if (self->view)
		qs_texture_view_set_texture(self->view, NULL, -1);
	for (guint u = 0; u < QS_GFX3D_UNITS; u++)
		qs_texture_answer_finish(&self->bindings.picture[u]);
	memset(&self->bindings, 0, sizeof self->bindings);
}

static void got_bindings(GObject *owner, QsBindingsAnswer *answer, const struct qs_error *error)
{
	QsBindingsPanel *self = QS_BINDINGS_PANEL(owner);
	gboolean any = FALSE;

	if (error)
		return;
	forget_pictures(self);
	self->bindings = *answer;
	memset(answer, 0, sizeof *answer);
	for (guint u = 0; u < QS_GFX3D_UNITS; u++)
		any |= self->bindings.bound[u];
	qs_panel_set_empty(QS_PANEL(self), any ? NULL : "No texture is bound at this moment. What bind_tex binds is shown here.");
	fill_units(self);
	show_picture(self);
}

static void qs_bindings_panel_update(QsPanel *panel, guint changes)
{
	QsBindingsPanel *self = QS_BINDINGS_PANEL(panel);
	QsView *view = qs_session_get_view(SESSION(self));

	if (!view || qs_view_machine(view) != QS_MACHINE_GFX3D) {
		qs_panel_set_empty(panel, "Open a capture of Gfx3D calls: the textures that are bound are shown here.");
		return;
	}
	if (changes & (QS_CHANGE_VIEW | QS_CHANGE_CAPTURE))
		qs_request_bindings(SESSION(self), G_OBJECT(self), got_bindings);
	else if (changes & QS_CHANGE_TRACE)
		show_info(self);
}

static void unit_changed(QsBindingsPanel *self)
{
	if (!self->filling)
		show_picture(self);
}

static void mode_changed(QsBindingsPanel *self)
{
	qs_texture_view_set_mode(self->view, (QsTextureMode)MIN(gtk_drop_down_get_selected(self->mode), 2));
}

/* ---- object ------------------------------------------------------------------------------------------------------------- */

static void qs_bindings_panel_focus(QsPanel *panel)
{
	gtk_widget_grab_focus(GTK_WIDGET(QS_BINDINGS_PANEL(panel)->view));
}

static void qs_bindings_panel_dispose(GObject *object)
{
	QsBindingsPanel *self = QS_BINDINGS_PANEL(object);

	forget_pictures(self);
	self->view = NULL;
	G_OBJECT_CLASS(qs_bindings_panel_parent_class)->dispose(object);
}

static void qs_bindings_panel_init(QsBindingsPanel *self)
{
	gtk_widget_init_template(GTK_WIDGET(self));
	gtk_box_append(self->zoom, qs_canvas_make_buttons(QS_CANVAS(self->view), "Whole texture (F)", "Zoom; click: close up and back (Z)"));
	g_signal_connect_object(self->view, "texel-changed", G_CALLBACK(show_info), self, G_CONNECT_SWAPPED);
}

static void qs_bindings_panel_class_init(QsBindingsPanelClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	g_type_ensure(QS_TYPE_TEXTURE_VIEW);
	G_OBJECT_CLASS(klass)->dispose = qs_bindings_panel_dispose;
	QS_PANEL_CLASS(klass)->update = qs_bindings_panel_update;
	QS_PANEL_CLASS(klass)->focus = qs_bindings_panel_focus;
	gtk_widget_class_set_template_from_resource(widget_class, QS_RESOURCE "panels/qs-bindings-panel.ui");
	gtk_widget_class_bind_template_callback(widget_class, unit_changed);
	gtk_widget_class_bind_template_callback(widget_class, mode_changed);
	gtk_widget_class_bind_template_child(widget_class, QsBindingsPanel, unit);
	gtk_widget_class_bind_template_child(widget_class, QsBindingsPanel, mode);
	gtk_widget_class_bind_template_child(widget_class, QsBindingsPanel, zoom);
	gtk_widget_class_bind_template_child(widget_class, QsBindingsPanel, view);
	gtk_widget_class_bind_template_child(widget_class, QsBindingsPanel, info);
}
