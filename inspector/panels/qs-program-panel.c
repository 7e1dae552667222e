/* qs-program-panel.c - see the header
 *
 * The program and what its instructions did come with the trace.  The host's registers are asked for a few at a time, so that
 * steps in between do not wait, and kept for each corner and for the fragment while these are the same.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-program-panel.h"
#include <string.h>
#include "program-sheet.h"
#include "qs-settings.h"

enum { CORNERS = 3, FRAGMENT = CORNERS, PARTS }; /* what the host is asked about: corners 0 to 2, the fragment */

typedef struct {
	QsHostResult *results; /* by instruction of the stage */
	guint count;
	char of[120];          /* the corner or fragment that they are of */
	char *problem;         /* of the host */
	gboolean stopped;      /* on request */
} Asked;

struct _QsProgramPanel {
	QsPanel parent_instance;
	QsSheet *sheet;
	GtkLabel *title, *verdict, *detail;
	GtkToggleButton *vertex, *fragment, *host;
	GtkDropDown *corner;
	GArray *rows;         /* guint: instruction */
	QsTrace *trace;       /* what is shown */
	QsView *view;
	Asked asked[PARTS];
	gboolean asking;      /* about the part that is shown */
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

static guint shown_part(QsProgramPanel *self)
{
	return shown_stage(self) ? FRAGMENT : MIN(gtk_drop_down_get_selected(self->corner), CORNERS - 1u);
}

/* The bit and index of a part in steps. */
static guint thread_of(QsProgramPanel *self, guint part)
{
	return part == FRAGMENT ? self->trace->fragment & 3 : part;
}

static QsProgramFacts facts(QsProgramPanel *self)
{
	const guint stage = shown_stage(self);
	const struct qs_moment *m = &self->view->moment;
	const gboolean at_stage = stage && self->trace->in_draw && m->level == QS_LEVEL_STAGE;

	return (QsProgramFacts){.program = self->trace->program, .stage = stage,
		.thread = thread_of(self, shown_part(self)), .now = at_stage ? (int)m->stage : -1,
		.with_host = gtk_toggle_button_get_active(self->host), .host = self->asked[shown_part(self)].results};
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

static guint equal_results(const Asked *asked)
{
	guint known = 0;

	for (guint i = 0; i < asked->count; i++)
		known += asked->results[i].state == QS_HOST_EQUAL;
	return known;
}

static char *host_verdict(QsProgramPanel *self, const QsProgramFacts *f)
{
	const Asked *asked = &self->asked[shown_part(self)];
	const int first = qs_program_first_difference(f);
	const guint equal = equal_results(asked);

	if (asked->problem)
		return g_strdup_printf("VirGL: %s", asked->problem);
	if (first >= 0)
		return g_strdup_printf("VirGL: instruction %d differs first, %s", first, f->program->stage[f->stage].text[first]);
	if (self->asking)
		return g_strdup("VirGL: asking…");
	if (asked->stopped)
		return g_strdup_printf("VirGL: stopped, %u registers equal so far", equal);
	if (equal)
		return g_strdup_printf("VirGL: %u registers equal", equal);
	return g_strdup(f->stage ? "VirGL: no fragment of the primitive gets to this pixel" : "VirGL: there is nothing of this vertex to compare");
}

static void show_verdict(QsProgramPanel *self)
{
	const QsProgramFacts f = facts(self);
	g_autofree char *host = f.with_host ? host_verdict(self, &f) : g_strdup("");
	g_autofree char *text = f.stage ? g_strdup_printf("%s%s%s", host, host[0] ? "   " : "", self->trace->sentence) : g_strdup(host);

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

/* ---- the host ----------------------------------------------------------------------------------------------------------- */

static void ask_host(QsProgramPanel *self);

static void forget_results(Asked *asked)
{
	g_clear_pointer(&asked->results, g_free);
	g_clear_pointer(&asked->problem, g_free);
	*asked = (Asked){0};
}

/* The step of an instruction that ran for the part and has a register to compare; NULL: none. */
static const struct qs_gfx3d_step *comparable(QsProgramPanel *self, guint part, guint i, guint *instruction, guint *reg, guint *lanes,
	float value[4][4])
{
	const struct qs_gfx3d_step *step = qs_program_step(self->trace->program, part == FRAGMENT, i);

	return step && step->ran >> thread_of(self, part) & 1 && qs_program_compared(step, instruction, reg, lanes, value) ? step : NULL;
}

static void judge(QsProgramPanel *self, guint part, guint i)
{
	QsHostResult *result = &self->asked[part].results[i];
	guint instruction, reg, lanes;
	float value[4][4];

	if (!comparable(self, part, i, &instruction, &reg, &lanes, value))
		result->state = QS_HOST_UNKNOWN;
	else if (result->state == QS_HOST_EQUAL || result->state == QS_HOST_DIFFERS)
		result->state = qs_program_near(part == FRAGMENT, value[thread_of(self, part)], result->value, lanes) ? QS_HOST_EQUAL : QS_HOST_DIFFERS;
}

/* The steps that the value is for. */
static void take_value(QsProgramPanel *self, guint part, const QsHostValue *v)
{
	Asked *asked = &self->asked[part];

	for (guint i = 0; i < asked->count; i++) {
		guint instruction, reg, lanes;
		float value[4][4];

		if (asked->results[i].state != QS_HOST_UNKNOWN || !comparable(self, part, i, &instruction, &reg, &lanes, value) ||
			instruction != v->instruction || reg != v->reg)
			continue;
		memcpy(asked->results[i].value, v->value, sizeof v->value);
		asked->results[i].state = v->reached ? QS_HOST_EQUAL : QS_HOST_NOT_REACHED;
		judge(self, part, i);
	}
}

/* May be of a part that was shown before: its values are kept. */
static void got_values(GObject *owner, const QsHostQuestion *answer, const struct qs_error *error)
{
	QsProgramPanel *self = QS_PROGRAM_PANEL(owner);
	const guint part = answer->vertex ? MIN(answer->corner, CORNERS - 1u) : FRAGMENT;
	Asked *asked = &self->asked[part];

	if (part == shown_part(self))
		self->asking = FALSE;
	if (!self->trace || answer->command != self->trace->moment.command || answer->primitive != self->trace->moment.primitive ||
		(!answer->vertex && (answer->x != self->trace->x || answer->y != self->trace->y)))
		return;
	if (error && error->code == QS_ERR_CANCELLED) {
		asked->stopped = TRUE;
	} else if (error) {
		g_free(asked->problem);
		asked->problem = g_strdup(error->text);
	}
	for (guint i = 0; !error && i < answer->count; i++)
		take_value(self, part, &answer->value[i]);
	if (!error)
		ask_host(self);
	show(self);
}

/* At a moment inside the fragment shader only what has run is known on this side. */
static void ask_host(QsProgramPanel *self)
{
	const guint part = shown_part(self);
	const Asked *asked = &self->asked[part];
	QsHostQuestion question = {.command = self->trace->moment.command, .primitive = self->trace->moment.primitive, .x = self->trace->x,
		.y = self->trace->y, .vertex = part != FRAGMENT, .corner = part != FRAGMENT ? part : 0};

	self->asking = FALSE;
	if (!gtk_toggle_button_get_active(self->host) || asked->problem || asked->stopped)
		return;
	for (guint i = 0; i < asked->count && question.count < QS_HOST_VALUES; i++) {
		QsHostValue *v = &question.value[question.count];
		float value[4][4];
		guint lanes;

		if (asked->results[i].state == QS_HOST_UNKNOWN && comparable(self, part, i, &v->instruction, &v->reg, &lanes, value))
			question.count++;
	}
	if (question.count == 0)
		return;
	self->asking = TRUE;
	qs_request_host_values(SESSION(self), G_OBJECT(self), &question, got_values);
}

/* Results stay while the fragment or corner and the model do; what they are compared with may be another quirk's. */
static void start_results(QsProgramPanel *self)
{
	const guint part = shown_part(self);
	Asked *asked = &self->asked[part];
	g_autofree char *of = part == FRAGMENT ?
		g_strdup_printf("%s %d,%d %d", self->trace->text, self->trace->x, self->trace->y, (int)self->view->model) :
		g_strdup_printf("%u %u %d", self->trace->moment.command, self->trace->moment.primitive, (int)self->view->model);
	const guint count = self->trace->program->stage[part == FRAGMENT].count;

	if (!g_str_equal(of, asked->of) || count != asked->count) {
		forget_results(asked);
		g_strlcpy(asked->of, of, sizeof asked->of);
		asked->count = count;
		asked->results = g_new0(QsHostResult, count + 1);
	}
	for (guint i = 0; i < count; i++)
		judge(self, part, i);
	asked->stopped = FALSE;
	ask_host(self);
}

/* Another part, with the host or without. */
static void show_part(QsProgramPanel *self)
{
	if (!self->trace)
		return;
	start_results(self);
	show(self);
}

static void host_toggled(QsProgramPanel *self)
{
	for (guint part = 0; part < PARTS; part++)
		g_clear_pointer(&self->asked[part].problem, g_free);
	show_part(self);
}

/* ---- update ------------------------------------------------------------------------------------------------------------- */

static void forget_all_results(QsProgramPanel *self)
{
	for (guint part = 0; part < PARTS; part++)
		forget_results(&self->asked[part]);
}

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
		forget_all_results(self);
		qs_panel_set_empty(panel, empty);
		return;
	}
	/* Until the trace of this moment is there the old one stays. */
	if (!trace || !trace->found || trace->serial != view->serial || !trace->program)
		return;
	if (trace == self->trace && !(changes & QS_CHANGE_OWN))
		return;
	if (self->view && self->view->capture != view->capture)
		forget_all_results(self);
	qs_trace_ref(trace);
	qs_view_ref(view);
	forget(self);
	self->trace = trace;
	self->view = view;
	qs_panel_set_empty(panel, NULL);
	show_part(self);
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
	qs_sheet_forget_widths(self->sheet);
	show_part(self);
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
	forget_all_results(QS_PROGRAM_PANEL(object));
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
	gtk_widget_class_bind_template_callback(widget_class, show_part);
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
