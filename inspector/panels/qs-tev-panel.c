/* qs-tev-panel.c - see the header
 *
 * Where the fragment is of another draw (the last writer of the pixel), the registers of that draw are asked for.  A click on a
 * cell selects the register behind it and says below where the value comes from; a double click or Return goes there.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-tev-panel.h"
#include "qs-request.h"
#include "qs-settings.h"
#include "tev-sheet.h"

struct _QsTevPanel {
	QsPanel parent_instance;
	QsSheet *sheet;
	GtkLabel *title, *detail;
	GtkToggleButton *decimal;
	GArray *rows;   /* QsTevRow */
	QsTrace *trace; /* what is shown; NULL with regs: what the registers say, without a fragment */
	QsView *view, *regs;
	guint quiet;
};

G_DEFINE_FINAL_TYPE(QsTevPanel, qs_tev_panel, QS_TYPE_PANEL)

#define SESSION(self) qs_panel_get_session(QS_PANEL(self))

static const char registers_lane;

static void facts(QsTevPanel *self, QsTevFacts *f)
{
	qs_tev_facts_init(f, self->regs, self->view, self->trace, gtk_toggle_button_get_active(self->decimal));
}

static void set_markup(GtkLabel *label, const char *markup)
{
	if (g_strcmp0(gtk_label_get_label(label), markup) != 0)
		gtk_label_set_markup(label, markup);
}

/* ---- what is shown ------------------------------------------------------------------------------------------------------ */

/* Nothing was drawn where one could look: the stages as they are set up. */
static void show_plan_title(QsTevPanel *self)
{
	g_autofree char *link = qs_link_moment(self->view->text), *text = NULL;
	int x, y;

	if (qs_session_get_pick(SESSION(self), &x, &y))
		text = g_strdup_printf("<a href=\"pixel:%d,%d\">%d,%d</a>  nothing drawn here in this frame yet · stages as set up at %s", x, y, x, y, link);
	else
		text = g_strdup_printf("no pixel is drawn in this frame yet · stages as set up at %s", link);
	set_markup(self->title, text);
}

/* Between draws nobody expects the fragment to be of the moment. */
static char *untouched(QsTevPanel *self)
{
	g_autofree char *draw = g_strdup_printf("%u/%u", self->view->moment.frame, self->view->moment.draw);
	g_autofree char *link = qs_link_moment(draw);

	return self->trace->in_draw || !qs_view_in_draw(self->view) ? g_strdup("") : g_strdup_printf("  ·  %s does not touch it", link);
}

static void show_title(QsTevPanel *self)
{
	const guint stages = self->trace->quad.fragment[self->trace->fragment & 3].stage_count;
	g_autofree char *link = qs_link_moment(self->trace->text), *note = untouched(self);
	g_autofree char *text = g_strdup_printf("<a href=\"pixel:%d,%d\">%d,%d</a>  %s %s  %u stage%s%s", self->trace->x, self->trace->y,
		self->trace->x, self->trace->y, self->trace->in_draw ? "fragment" : "last written by", link, stages, stages == 1 ? "" : "s", note);

	set_markup(self->title, text);
}

static void show_detail(QsTevPanel *self)
{
	g_autofree char *text = NULL;
	guint row, column;
	QsTevFacts f;

	if (self->regs && qs_sheet_get_focus(self->sheet, &row, &column) && row > 0 && row < self->rows->len) {
		facts(self, &f);
		text = qs_tev_detail(&f, &g_array_index(self->rows, QsTevRow, row), column);
	}
	set_markup(self->detail, text ? text : "<span alpha='60%'>Select a cell: what chose its value is named here, with links.</span>");
}

static void show(QsTevPanel *self)
{
	QsTevFacts f;

	facts(self, &f);
	qs_tev_sheet_fill(self->sheet, &f, self->rows);
	if (self->trace)
		show_title(self);
	else
		show_plan_title(self);
	show_detail(self);
	if (f.now >= 0)
		qs_sheet_scroll_to(self->sheet, qs_tev_sheet_row(self->rows, QS_TEV_ROW_ALPHA, (guint)f.now), 0);
}

static void forget(QsTevPanel *self)
{
	g_clear_pointer(&self->trace, qs_trace_unref);
	g_clear_pointer(&self->view, qs_view_unref);
	g_clear_pointer(&self->regs, qs_view_unref);
}

static void got_registers(GObject *owner, QsView *regs, const struct qs_error *error)
{
	QsTevPanel *self = QS_TEV_PANEL(owner);
	QsView *view = qs_session_get_view(SESSION(self));
	QsTrace *trace = qs_session_get_trace(SESSION(self));

	if (error || !view || !trace || !trace->found || trace->serial != view->serial || trace->moment.command != regs->moment.command)
		return;
	qs_trace_ref(trace);
	qs_view_ref(view);
	qs_view_ref(regs); /* may be the one that is forgotten */
	forget(self);
	self->trace = trace;
	self->view = view;
	self->regs = regs;
	qs_panel_set_empty(QS_PANEL(self), NULL);
	show(self);
}

static void take(QsTevPanel *self, QsView *view, QsTrace *trace)
{
	struct qs_moment draw;

	if (trace->in_draw)
		got_registers(G_OBJECT(self), view, NULL);
	else if (self->regs && self->regs->capture == view->capture && self->regs->moment.command == trace->moment.command)
		got_registers(G_OBJECT(self), self->regs, NULL);
	else if (qs_moment_of_command(view->capture->capture, trace->moment.command, &draw))
		qs_request_view(SESSION(self), G_OBJECT(self), &registers_lane, &draw, 0, got_registers);
}

static void plan(QsTevPanel *self, QsView *view)
{
	if (self->regs == view && !self->trace)
		return;
	qs_view_ref(view);
	forget(self);
	self->view = view;
	self->regs = qs_view_ref(view);
	qs_panel_set_empty(QS_PANEL(self), NULL);
	show(self);
}

static void qs_tev_panel_update(QsPanel *panel, guint changes)
{
	QsTevPanel *self = QS_TEV_PANEL(panel);
	QsView *view = qs_session_get_view(SESSION(self));
	QsTrace *trace = qs_session_get_trace(SESSION(self));

	if (!view) {
		forget(self);
		qs_panel_set_empty(panel, "Open a capture: the TEV stages of the picked pixel are shown here.");
		return;
	}
	/* Until the trace of this moment is there the old one stays. */
	if (trace && trace->serial != view->serial)
		return;
	if (!trace || !trace->found)
		plan(self, view);
	else if (trace != self->trace || changes & QS_CHANGE_OWN)
		take(self, view, trace);
}

/* ---- going to sources --------------------------------------------------------------------------------------------------- */

static void select_field(QsTevPanel *self, const QsTevField *field)
{
	const guint32 mask = !field->field || field->field->bits >= 32 ? G_MAXUINT32 :
		((1u << field->field->bits) - 1u) << field->field->lsb;

	qs_session_select_register(SESSION(self), QS_UNIT_BP, field->reg->address, mask);
}

static void focused(QsTevPanel *self, guint row, guint column)
{
	QsTevSource source;
	QsTevFacts f;

	show_detail(self);
	if (self->quiet || !self->regs || row == 0 || row >= self->rows->len)
		return;
	facts(self, &f);
	source = qs_tev_cell_source(&f, &g_array_index(self->rows, QsTevRow, row), column);
	if (source.from == QS_TEV_FROM_REGISTER)
		select_field(self, &source.field[0]);
}

static void seek_stage(QsTevPanel *self, guint stage)
{
	struct qs_moment moment;

	if (!self->trace)
		return;
	moment = self->trace->moment;
	moment.level = QS_LEVEL_STAGE;
	moment.stage = stage;
	qs_session_seek(SESSION(self), &moment);
}

static void activated(QsTevPanel *self, guint row, guint column)
{
	const QsTevRow *r;
	QsTevSource source;
	QsTevFacts f;
	guint to;

	if (!self->regs || row == 0 || row >= self->rows->len)
		return;
	r = &g_array_index(self->rows, QsTevRow, row);
	if (column == QS_TEV_COLUMN_STAGE && (r->kind == QS_TEV_ROW_COLOUR || r->kind == QS_TEV_ROW_ALPHA)) {
		seek_stage(self, r->stage);
		return;
	}
	facts(self, &f);
	source = qs_tev_cell_source(&f, r, column);
	switch (source.from) {
	case QS_TEV_FROM_REGISTER:
		select_field(self, &source.field[0]);
		gtk_widget_activate_action(GTK_WIDGET(self), "win.show-panel", "s", "registers");
		break;
	case QS_TEV_FROM_STAGE:
		to = qs_tev_sheet_row(self->rows, source.alpha ? QS_TEV_ROW_ALPHA : QS_TEV_ROW_COLOUR, source.stage);
		if (to != G_MAXUINT)
			qs_sheet_focus_cell(self->sheet, to, QS_TEV_COLUMN_RESULT);
		break;
	case QS_TEV_FROM_TEXTURE:
		gtk_widget_activate_action(GTK_WIDGET(self), "win.show-panel", "s", "textures");
		break;
	case QS_TEV_FROM_NOTHING:
		break;
	}
}

static gboolean query_tooltip(QsTevPanel *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
	g_autofree char *text = NULL;
	guint row, column;
	QsTevFacts f;

	if (keyboard || !self->regs || !qs_sheet_cell_at(self->sheet, x, y, &row, &column) || row >= self->rows->len)
		return FALSE;
	facts(self, &f);
	text = qs_tev_detail(&f, &g_array_index(self->rows, QsTevRow, row), column);
	gtk_tooltip_set_markup(tooltip, text);
	return text != NULL;
}

static void decimal_toggled(QsTevPanel *self)
{
	qs_sheet_forget_widths(self->sheet);
	if (self->regs)
		show(self);
}

/* ---- object ------------------------------------------------------------------------------------------------------------- */

static void qs_tev_panel_focus(QsPanel *panel)
{
	gtk_widget_child_focus(GTK_WIDGET(QS_TEV_PANEL(panel)->sheet), GTK_DIR_TAB_FORWARD);
}

static void qs_tev_panel_dispose(GObject *object)
{
	forget(QS_TEV_PANEL(object));
	G_OBJECT_CLASS(qs_tev_panel_parent_class)->dispose(object);
}

static void qs_tev_panel_finalize(GObject *object)
{
	g_array_unref(QS_TEV_PANEL(object)->rows);
	G_OBJECT_CLASS(qs_tev_panel_parent_class)->finalize(object);
}

static void qs_tev_panel_init(QsTevPanel *self)
{
	self->rows = g_array_new(FALSE, TRUE, sizeof(QsTevRow));
	gtk_widget_init_template(GTK_WIDGET(self));
	qs_panel_watch_links(QS_PANEL(self), self->title);
	qs_panel_watch_links(QS_PANEL(self), self->detail);
	g_settings_bind(qs_settings(), "tev-decimal", self->decimal, "active", G_SETTINGS_BIND_DEFAULT);
}

static void qs_tev_panel_class_init(QsTevPanelClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	g_type_ensure(QS_TYPE_SHEET);
	G_OBJECT_CLASS(klass)->dispose = qs_tev_panel_dispose;
	G_OBJECT_CLASS(klass)->finalize = qs_tev_panel_finalize;
	QS_PANEL_CLASS(klass)->update = qs_tev_panel_update;
	QS_PANEL_CLASS(klass)->focus = qs_tev_panel_focus;
	gtk_widget_class_set_template_from_resource(widget_class, QS_RESOURCE "panels/qs-tev-panel.ui");
	gtk_widget_class_bind_template_callback(widget_class, focused);
	gtk_widget_class_bind_template_callback(widget_class, activated);
	gtk_widget_class_bind_template_callback(widget_class, query_tooltip);
	gtk_widget_class_bind_template_callback(widget_class, decimal_toggled);
	gtk_widget_class_bind_template_child(widget_class, QsTevPanel, sheet);
	gtk_widget_class_bind_template_child(widget_class, QsTevPanel, title);
	gtk_widget_class_bind_template_child(widget_class, QsTevPanel, detail);
	gtk_widget_class_bind_template_child(widget_class, QsTevPanel, decimal);
}
