/* qs-program-panel.c - see the header
 *
 * The program and what its instructions did come with the trace.  The host's registers are asked for a few at a time, so that
 * steps in between do not wait, and kept while the fragment is the same one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-program-panel.h"
#include <string.h>
#include "program-sheet.h"
#include "qs-settings.h"

struct _QsProgramPanel {
	QsPanel parent_instance;
	QsSheet *sheet;
	GtkLabel *title, *verdict, *detail;
	GtkToggleButton *vertex, *fragment, *host;
	GtkDropDown *corner;
	GArray *rows;         /* guint: instruction */
	QsTrace *trace;       /* what is shown */
	QsView *view;
	QsHostResult *results; /* by instruction of the fragment shader */
	guint result_count;
	gboolean asking;
	char of[120];         /* the fragment that they are of */
	char *problem;        /* of the host */
};

G_DEFINE_FINAL_TYPE(QsProgramPanel, qs_program_panel, QS_TYPE_PANEL)

#define SESSION(self) qs_panel_get_session(QS_PANEL(self))

static void set_markup(GtkLabel *label, const char *markup)
{
	if (g_strcmp0(gtk_label_get_label(label), markup) != 0)
		gtk_label_set_markup(label, markup);
}

static guint shown_stage(QsProgramPanel *self)
{
	return gtk_toggle_button_get_active(self->fragment) ? 1 : 0;
}

static QsProgramFacts facts(QsProgramPanel *self)
{
	const guint stage = shown_stage(self);
	const struct qs_moment *m = &self->view->moment;
	const gboolean at_stage = stage && self->trace->in_draw && m->level == QS_LEVEL_STAGE;

	return (QsProgramFacts){.program = self->trace->program, .stage = stage,
		.thread = stage ? self->trace->fragment & 3 : MIN(gtk_drop_down_get_selected(self->corner), 2),
		.now = at_stage ? (int)m->stage : -1, .with_host = stage && gtk_toggle_button_get_active(self->host),
		.host = stage ? self->results : NULL};
}

/* ---- what is shown ------------------------------------------------------------------------------------------------------ */

static void show_title(QsProgramPanel *self)
{
	const QsProgram *program = self->trace->program;
	const QsProgramFacts f = facts(self);
	g_autofree char *link = qs_link_moment(self->trace->text);
	g_autofree char *text = NULL;

	if (f.stage)
		text = g_strdup_printf("<a href=\"pixel:%d,%d\">%d,%d</a>  %s %s", self->trace->x, self->trace->y, self->trace->x, self->trace->y,
			self->trace->in_draw ? "fragment" : "last written by", link);
	else
		text = g_strdup_printf("vertex %u of the mesh, for %s", program->vertex[f.thread], link);
	set_markup(self->title, text);
}

static guint equal_results(QsProgramPanel *self)
{
	guint known = 0;

	for (guint i = 0; i < self->result_count; i++)
		known += self->results[i].state == QS_HOST_EQUAL;
	return known;
}

static void show_verdict(QsProgramPanel *self)
{
	const QsProgramFacts f = facts(self);
	const int first = f.with_host ? qs_program_first_difference(&f) : -1;
	g_autofree char *host = NULL, *text = NULL;

	if (!f.stage) {
		gtk_label_set_text(self->verdict, "");
		return;
	}
	if (!f.with_host)
		host = g_strdup("");
	else if (self->problem)
		host = g_strdup_printf("VirGL: %s", self->problem);
	else if (first >= 0)
		host = g_strdup_printf("VirGL: instruction %d differs first", first);
	else if (self->asking)
		host = g_strdup("VirGL: asking…");
	else
		host = equal_results(self) ? g_strdup_printf("VirGL: %u registers equal", equal_results(self)) :
			g_strdup("VirGL: no fragment of the primitive gets to this pixel");
	text = g_strdup_printf("%s%s%s", host, host[0] ? "   " : "", self->trace->sentence);
	gtk_label_set_text(self->verdict, text);
	gtk_widget_set_tooltip_text(GTK_WIDGET(self->verdict), text);
}

static void show_detail(QsProgramPanel *self)
{
	g_autofree char *text = NULL;
	guint row, column;

	if (self->trace && qs_sheet_get_focus(self->sheet, &row, &column) && row > 0 && row < self->rows->len) {
		const QsProgramFacts f = facts(self);

		text = qs_program_detail(&f, g_array_index(self->rows, guint, row));
	}
	set_markup(self->detail, text ? text : "<span alpha='60%'>Select an instruction: its operands are written out here. Return goes there.</span>");
}

static guint row_of(QsProgramPanel *self, int instruction)
{
	for (guint i = 1; i < self->rows->len; i++)
		if ((int)g_array_index(self->rows, guint, i) >= instruction)
			return i;
	return 0;
}

static void show(QsProgramPanel *self)
{
	const QsProgramFacts f = facts(self);

	qs_program_sheet_fill(self->sheet, &f, self->rows);
	show_title(self);
	show_verdict(self);
	show_detail(self);
	if (f.now >= 0)
		qs_sheet_scroll_to(self->sheet, row_of(self, f.now), 0);
}

static void refill(QsProgramPanel *self)
{
	if (self->trace)
		show(self);
}

/* ---- the host ----------------------------------------------------------------------------------------------------------- */

static void ask_host(QsProgramPanel *self);

static void forget_results(QsProgramPanel *self)
{
	g_clear_pointer(&self->results, g_free);
	g_clear_pointer(&self->problem, g_free);
	self->result_count = 0;
	self->of[0] = '\0';
}

/* The step that the value is for. */
static void take_value(QsProgramPanel *self, const QsHostValue *v)
{
	const guint thread = self->trace->fragment & 3;

	for (guint i = 0; i < self->result_count; i++) {
		const struct qs_gfx3d_step *step = qs_program_step(self->trace->program, 1, i);
		guint instruction, reg, lanes;
		float value[4][4];

		if (self->results[i].state != QS_HOST_UNKNOWN || !step || !(step->ran >> thread & 1) ||
			!qs_program_compared(step, &instruction, &reg, &lanes, value) || instruction != v->instruction || reg != v->reg)
			continue;
		memcpy(self->results[i].value, v->value, sizeof v->value);
		self->results[i].state = !v->reached ? QS_HOST_NOT_REACHED :
			qs_program_near(value[thread], v->value, lanes) ? QS_HOST_EQUAL : QS_HOST_DIFFERS;
	}
}

static void got_values(GObject *owner, const QsHostQuestion *answer, const struct qs_error *error)
{
	QsProgramPanel *self = QS_PROGRAM_PANEL(owner);

	self->asking = FALSE;
	if (!self->trace || answer->command != self->trace->moment.command || answer->primitive != self->trace->moment.primitive ||
		answer->x != self->trace->x || answer->y != self->trace->y)
		return;
	if (error && error->code != QS_ERR_CANCELLED) {
		g_free(self->problem);
		self->problem = g_strdup(error->text);
	}
	for (guint i = 0; !error && i < answer->count; i++)
		take_value(self, &answer->value[i]);
	if (!error)
		ask_host(self);
	show(self);
}

/* At a moment inside the shader only what has run is known on this side. */
static void ask_host(QsProgramPanel *self)
{
	QsHostQuestion question = {.command = self->trace->moment.command, .primitive = self->trace->moment.primitive, .x = self->trace->x,
		.y = self->trace->y};

	self->asking = FALSE;
	if (!gtk_toggle_button_get_active(self->host) || self->problem)
		return;
	for (guint i = 0; i < self->result_count && question.count < QS_HOST_VALUES; i++) {
		const struct qs_gfx3d_step *step = qs_program_step(self->trace->program, 1, i);
		QsHostValue *v = &question.value[question.count];
		float value[4][4];
		guint lanes;

		if (self->results[i].state == QS_HOST_UNKNOWN && step && step->ran >> (self->trace->fragment & 3) & 1 &&
			qs_program_compared(step, &v->instruction, &v->reg, &lanes, value))
			question.count++;
	}
	if (question.count == 0)
		return;
	self->asking = TRUE;
	qs_request_host_values(SESSION(self), G_OBJECT(self), &question, got_values);
}

/* Results stay while the fragment and the model do. */
static void start_results(QsProgramPanel *self)
{
	g_autofree char *of = g_strdup_printf("%s %d,%d %d", self->trace->text, self->trace->x, self->trace->y, (int)self->view->model);

	if (!g_str_equal(of, self->of)) {
		forget_results(self);
		g_strlcpy(self->of, of, sizeof self->of);
		self->result_count = self->trace->program->stage[1].count;
		self->results = g_new0(QsHostResult, self->result_count + 1);
	}
	ask_host(self);
}

static void host_toggled(QsProgramPanel *self)
{
	if (!self->trace)
		return;
	g_clear_pointer(&self->problem, g_free);
	start_results(self);
	show(self);
}

/* ---- update ------------------------------------------------------------------------------------------------------------- */

static void forget(QsProgramPanel *self)
{
	g_clear_pointer(&self->trace, qs_trace_unref);
	g_clear_pointer(&self->view, qs_view_unref);
}

static const char *why_empty(QsProgramPanel *self, QsView *view, QsTrace *trace)
{
	int x, y;

	if (!view)
		return "Open a capture of Gfx3D calls: the shaders of the picked pixel are shown here.";
	if (!trace && !qs_session_get_pick(SESSION(self), &x, &y))
		return "Click a pixel of the frame, or step into a primitive (F11): its shaders are shown here, instruction by instruction.";
	return trace && !trace->found ? "Nothing was drawn at this pixel in this frame yet." : NULL;
}

static void qs_program_panel_update(QsPanel *panel, guint changes)
{
	QsProgramPanel *self = QS_PROGRAM_PANEL(panel);
	QsView *view = qs_session_get_view(SESSION(self));
	QsTrace *trace = qs_session_get_trace(SESSION(self));
	const char *empty = why_empty(self, view, trace);

	if (empty) {
		forget(self);
		qs_panel_set_empty(panel, empty);
		return;
	}
	/* Until the trace of this moment is there the old one stays. */
	if (!trace || !trace->found || trace->serial != view->serial || !trace->program)
		return;
	if (trace == self->trace && !(changes & QS_CHANGE_OWN))
		return;
	qs_trace_ref(trace);
	qs_view_ref(view);
	forget(self);
	self->trace = trace;
	self->view = view;
	qs_panel_set_empty(panel, NULL);
	start_results(self);
	show(self);
}

/* ---- input -------------------------------------------------------------------------------------------------------------- */

static void activated(QsProgramPanel *self, guint row, guint column)
{
	struct qs_moment moment;

	(void)column;
	if (!self->trace || row == 0 || row >= self->rows->len || !shown_stage(self))
		return;
	moment = self->trace->moment;
	moment.level = QS_LEVEL_STAGE;
	moment.stage = g_array_index(self->rows, guint, row);
	qs_session_seek(SESSION(self), &moment);
}

static gboolean query_tooltip(QsProgramPanel *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
	g_autofree char *text = NULL;
	guint row, column;

	if (keyboard || !self->trace || !qs_sheet_cell_at(self->sheet, x, y, &row, &column) || row == 0 || row >= self->rows->len)
		return FALSE;
	const QsProgramFacts f = facts(self);

	text = qs_program_detail(&f, g_array_index(self->rows, guint, row));
	gtk_tooltip_set_markup(tooltip, text);
	return TRUE;
}

static void stage_toggled(QsProgramPanel *self)
{
	const gboolean fragment = shown_stage(self) == 1;

	gtk_widget_set_visible(GTK_WIDGET(self->corner), !fragment);
	gtk_widget_set_sensitive(GTK_WIDGET(self->host), fragment);
	qs_sheet_forget_widths(self->sheet);
	refill(self);
}

/* ---- object ------------------------------------------------------------------------------------------------------------- */

static void qs_program_panel_focus(QsPanel *panel)
{
	gtk_widget_child_focus(GTK_WIDGET(QS_PROGRAM_PANEL(panel)->sheet), GTK_DIR_TAB_FORWARD);
}

static void qs_program_panel_dispose(GObject *object)
{
	forget(QS_PROGRAM_PANEL(object));
	G_OBJECT_CLASS(qs_program_panel_parent_class)->dispose(object);
}

static void qs_program_panel_finalize(GObject *object)
{
	forget_results(QS_PROGRAM_PANEL(object));
	g_array_unref(QS_PROGRAM_PANEL(object)->rows);
	G_OBJECT_CLASS(qs_program_panel_parent_class)->finalize(object);
}

static void qs_program_panel_init(QsProgramPanel *self)
{
	self->rows = g_array_new(FALSE, TRUE, sizeof(guint));
	gtk_widget_init_template(GTK_WIDGET(self));
	qs_panel_watch_links(QS_PANEL(self), self->title);
	g_settings_bind(qs_settings(), "program-host", self->host, "active", G_SETTINGS_BIND_DEFAULT);
}

static void qs_program_panel_class_init(QsProgramPanelClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	g_type_ensure(QS_TYPE_SHEET);
	G_OBJECT_CLASS(klass)->dispose = qs_program_panel_dispose;
	G_OBJECT_CLASS(klass)->finalize = qs_program_panel_finalize;
	QS_PANEL_CLASS(klass)->update = qs_program_panel_update;
	QS_PANEL_CLASS(klass)->focus = qs_program_panel_focus;
	gtk_widget_class_set_template_from_resource(widget_class, QS_RESOURCE "panels/qs-program-panel.ui");
	gtk_widget_class_bind_template_callback(widget_class, refill);
	gtk_widget_class_bind_template_callback(widget_class, show_detail);
	gtk_widget_class_bind_template_callback(widget_class, activated);
	gtk_widget_class_bind_template_callback(widget_class, query_tooltip);
	gtk_widget_class_bind_template_callback(widget_class, stage_toggled);
	gtk_widget_class_bind_template_callback(widget_class, host_toggled);
#define BIND(name) gtk_widget_class_bind_template_child(widget_class, QsProgramPanel, name)
	BIND(sheet);
	BIND(title);
	BIND(verdict);
	BIND(detail);
	BIND(vertex);
	BIND(fragment);
	BIND(host);
	BIND(corner);
#undef BIND
}
