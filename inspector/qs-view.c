/* qs-view.c - snapshots of the machine
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-view.h"
#include <stdlib.h>
#include <string.h>
#include "models/qs-stream-index.h"
#include "qs-gfx3d.h"
#include "qs-machine.h"

#define MAX_PARTS 64

QsCapture *qs_capture_wrap(struct qs_capture *capture, const char *path)
{
	QsCapture *self = g_new0(QsCapture, 1);

	g_atomic_ref_count_init(&self->references);
	self->capture = capture;
	self->path = g_strdup(path);
	self->name = g_filename_display_basename(path);
	self->index = qs_stream_index_new(capture);
	return self;
}

QsCapture *qs_capture_ref(QsCapture *self)
{
	g_atomic_ref_count_inc(&self->references);
	return self;
}

void qs_capture_unref(QsCapture *self)
{
	if (!self || !g_atomic_ref_count_dec(&self->references))
		return;
	qs_stream_index_free(self->index);
	qs_capture_destroy(self->capture);
	g_free(self->path);
	g_free(self->name);
	g_free(self);
}

/* ---- view --------------------------------------------------------------------------------------------------------------- */

guint qs_view_width(const QsView *self)
{
	return self && self->width ? self->width : 640;
}

guint qs_view_height(const QsView *self)
{
	return self && self->height ? self->height : 528;
}

QsView *qs_view_ref(QsView *self)
{
	g_atomic_ref_count_inc(&self->references);
	return self;
}

void qs_view_unref(QsView *self)
{
	if (!self || !g_atomic_ref_count_dec(&self->references))
		return;
	for (guint u = 0; u < QS_UNIT_COUNT; u++) {
		g_free(self->value[u]);
		g_free(self->writer[u]);
	}
	for (guint b = 0; b < QS_BUFFER_COUNT; b++) {
		qs_image_finish(&self->image[b]);
		g_free(self->image_error[b]);
	}
	g_free(self->samples);
	g_free(self->sample_z);
	g_free(self->accesses);
	g_free(self->setup);
	g_free(self->setup_error);
	free(self->quads);    /* the engine's malloc */
	free(self->vertices);
	g_free(self->quirks);
	g_free(self->trouble);
	for (guint i = 0; i < self->breakpoint_count; i++)
		g_free(self->breakpoint_text[i]);
	g_free(self->breakpoint_text);
	g_free(self->breakpoints);
	qs_capture_unref(self->capture);
	g_free(self);
}

static void take_registers(QsView *self, struct qs_timeline *timeline)
{
	for (guint u = 0; u < QS_UNIT_COUNT; u++) {
		const enum qs_unit unit = (enum qs_unit)u;
		const guint n = qs_register_count(unit);
		const struct qs_register *last = n ? qs_register_at(unit, n - 1) : NULL;
		const guint count = last ? last->address + 1u : 0;

		self->register_count[u] = count;
		self->value[u] = g_new0(guint32, count);
		self->writer[u] = g_new(guint32, count);
		memset(self->writer[u], 0xff, count * sizeof(guint32));
		for (guint i = 0; i < n; i++) {
			const guint address = qs_register_at(unit, i)->address;

			self->value[u][address] = qs_timeline_register(timeline, unit, address);
			self->writer[u][address] = qs_timeline_register_writer(timeline, unit, address);
		}
	}
}

static void take_images(QsView *self, struct qs_timeline *timeline, guint buffers)
{
	for (guint b = 0; b < QS_BUFFER_COUNT; b++) {
		struct qs_error error = {0};

		if (!(buffers & 1u << b))
			continue;
		if (!qs_timeline_image(timeline, (enum qs_buffer)b, &self->image[b], &error)) {
			qs_image_finish(&self->image[b]);
			self->image_error[b] = g_strdup(error.text);
		}
	}
}

/* Of the whole anti-aliased EFB: panels show samples of any pixel without asking. */
static void take_samples(QsView *self, struct qs_timeline *timeline)
{
	guint8 rgba[3][4];
	guint32 z[3];

	if (!self->width || qs_timeline_samples(timeline, 0, 0, rgba, z) != 3)
		return;
	self->samples = g_malloc((gsize)self->width * self->height * sizeof rgba);
	self->sample_z = g_new(guint32, (gsize)self->width * self->height * 3);
	for (guint y = 0; y < self->height; y++)
		for (guint x = 0; x < self->width; x++) {
			const gsize i = (gsize)y * self->width + x;

			qs_timeline_samples(timeline, (int)x, (int)y, rgba, z);
			memcpy(self->samples + i * sizeof rgba, rgba, sizeof rgba);
			memcpy(self->sample_z + 3 * i, z, sizeof z);
		}
}

static void take_accesses(QsView *self, const struct qs_timeline *timeline)
{
	self->access_count = qs_timeline_access_count(timeline);
	self->accesses = g_new(struct qs_access, MAX(self->access_count, 1));
	for (guint i = 0; i < self->access_count; i++)
		self->accesses[i] = *qs_timeline_access_at(timeline, i);
}

guint qs_view_samples(const QsView *self, int x, int y, guint8 rgba[3][4], guint32 z[3])
{
	const gsize i = (gsize)y * self->width + (gsize)x;
	guint8 grey[4];

	if (!qs_view_pixel(self, QS_BUFFER_COLOR, x, y, rgba[0], NULL))
		return 0;
	if (!self->samples) {
		z[0] = 0;
		qs_view_pixel(self, QS_BUFFER_DEPTH, x, y, grey, &z[0]);
		return 1;
	}
	memcpy(rgba, self->samples + 12 * i, 12);
	memcpy(z, self->sample_z + 3 * i, 3 * sizeof *z);
	return 3;
}

char *qs_samples_text(const QsView *self, int x, int y)
{
	guint8 rgba[3][4];
	guint32 z[3];
	GString *s;

	if (qs_view_samples(self, x, y, rgba, z) != 3)
		return NULL;
	s = g_string_new("samples");
	for (guint k = 0; k < 3; k++)
		g_string_append_printf(s, "%s #%02x%02x%02x z %06x", k ? " ·" : "", rgba[k][0], rgba[k][1], rgba[k][2], z[k]);
	return g_string_free(s, FALSE);
}

static void take_draw(QsView *self, struct qs_timeline *timeline)
{
	struct qs_error error = {0};
	struct qs_setup *parts;

	self->primitive_count = qs_timeline_primitive_count(timeline, &self->moment);
	if (!qs_timeline_vertices(timeline, &self->vertices, &self->vertex_count, &error)) {
		self->vertices = NULL;
		self->vertex_count = 0;
	}
	parts = g_new0(struct qs_setup, MAX_PARTS);
	self->setup_count = MIN(qs_timeline_setup(timeline, parts, MAX_PARTS, &error), MAX_PARTS);
	if (self->setup_count == 0)
		self->setup_error = g_strdup(error.text);
	self->setup = g_renew(struct qs_setup, parts, MAX(self->setup_count, 1));
	if (!qs_timeline_quads(timeline, &self->quads, &self->quad_count, &error)) {
		self->quads = NULL;
		self->quad_count = 0;
	}
	if (self->moment.level >= QS_LEVEL_QUAD) {
		self->has_quad = qs_timeline_quad(timeline, &self->quad_setup, &self->quad, &error);
		self->quad_number = self->moment.quad;
	}
}

static void take_breakpoints(QsView *self, struct qs_timeline *timeline)
{
	const guint count = qs_timeline_break_count(timeline);
	char text[512];

	self->breakpoints = g_new0(struct qs_breakpoint, count);
	self->breakpoint_text = g_new0(char *, count);
	self->breakpoint_count = count;
	for (guint i = 0; i < count; i++) {
		const struct qs_breakpoint *b = qs_timeline_break_at(timeline, i);

		self->breakpoints[i] = *b;
		self->breakpoints[i].condition = NULL;
		self->breakpoint_text[i] = g_strdup(qs_breakpoint_format(b, text, sizeof text));
	}
}

gboolean qs_view_same_breakpoints(const QsView *a, const QsView *b)
{
	const guint count = a ? a->breakpoint_count : 0;

	if (count != (b ? b->breakpoint_count : 0))
		return FALSE;
	for (guint i = 0; i < count; i++)
		if (a->breakpoints[i].id != b->breakpoints[i].id || a->breakpoints[i].enabled != b->breakpoints[i].enabled ||
			a->breakpoints[i].hits != b->breakpoints[i].hits)
			return FALSE;
	return TRUE;
}

QsView *qs_view_capture(QsCapture *capture, struct qs_timeline *timeline, guint buffers)
{
	static gsize serials;
	const struct qs_gfx3d *gfx3d = qs_timeline_gfx3d(timeline);
	const enum qs_machine machine = qs_capture_machine(capture);
	struct qs_error trouble = {0};
	QsView *self = g_new0(QsView, 1);

	g_atomic_ref_count_init(&self->references);
	self->serial = (guint64)g_atomic_pointer_add(&serials, 1) + 1;
	self->capture = qs_capture_ref(capture);
	self->model = gfx3d ? (enum qs_model)qs_gfx3d_model(gfx3d) : qs_timeline_model(timeline);
	self->pipeline = qs_timeline_pipeline(timeline, MAX(qs_timeline_moment(timeline)->frame, 1));
	if (qs_timeline_pipeline_trouble(timeline, &trouble))
		self->trouble = g_strdup(trouble.text);
	self->quirks = g_new(int, qs_machine_quirk_count(machine));
	for (guint32 i = 0; i < qs_machine_quirk_count(machine); i++)
		self->quirks[i] = qs_timeline_quirk(timeline, qs_machine_quirk(machine, i).name);
	self->moment = *qs_timeline_moment(timeline);
	qs_moment_format(capture->capture, &self->moment, self->text, sizeof self->text);
	take_registers(self, timeline);
	take_images(self, timeline, buffers);
	self->width = self->image[QS_BUFFER_COLOR].width;
	self->height = self->image[QS_BUFFER_COLOR].height;
	take_samples(self, timeline);
	take_accesses(self, timeline);
	take_breakpoints(self, timeline);
	if (qs_view_in_draw(self))
		take_draw(self, timeline);
	return self;
}

gboolean qs_view_in_draw(const QsView *self)
{
	return self->moment.level >= QS_LEVEL_DRAW && self->moment.draw != QS_NONE;
}

guint32 qs_view_register(const QsView *self, enum qs_unit unit, guint address)
{
	return address < self->register_count[unit] ? self->value[unit][address] : 0;
}

guint32 qs_view_register_writer(const QsView *self, enum qs_unit unit, guint address)
{
	return address < self->register_count[unit] ? self->writer[unit][address] : QS_NONE;
}

guint32 qs_view_field(const QsView *self, enum qs_unit unit, const char *reg, const char *field)
{
	const struct qs_register *r = qs_register_by_name(unit, reg);
	const struct qs_field *f = r ? qs_field_by_name(r, field) : NULL;

	return f ? qs_field_raw(f, qs_view_register(self, unit, r->address)) : 0;
}

gboolean qs_view_pixel(const QsView *self, enum qs_buffer buffer, int x, int y, guint8 rgba[4], guint32 *depth)
{
	const struct qs_image *image = &self->image[buffer];
	gsize i;

	if (!image->rgba || x < 0 || y < 0 || (guint)x >= image->width || (guint)y >= image->height)
		return FALSE;
	i = (gsize)y * image->width + (gsize)x;
	memcpy(rgba, image->rgba + 4 * i, 4);
	if (depth)
		*depth = image->depth ? image->depth[i] : 0;
	return TRUE;
}

/* ---- trace -------------------------------------------------------------------------------------------------------------- */

QsTrace *qs_trace_ref(QsTrace *self)
{
	g_atomic_ref_count_inc(&self->references);
	return self;
}

void qs_trace_unref(QsTrace *self)
{
	if (!self || !g_atomic_ref_count_dec(&self->references))
		return;
	qs_program_free(self->program);
	g_free(self->sentence);
	qs_view_unref(self->primitive);
	g_free(self);
}

static guint first_covered(const struct qs_quad *quad)
{
	for (guint f = 0; f < 4; f++)
		if (quad->coverage >> 3 * f & 7)
			return f;
	return 0;
}

/* The moment itself is inside a quad: what is shown follows the step; the picked pixel only chooses among the four. */
static void trace_step(QsTrace *self, const QsView *view)
{
	const int dx = self->x - view->quad.x, dy = self->y - view->quad.y;

	self->setup = view->quad_setup;
	self->quad = view->quad;
	if (view->moment.level >= QS_LEVEL_FRAGMENT)
		self->fragment = view->moment.fragment & 3;
	else if (dx >= 0 && dx < 2 && dy >= 0 && dy < 2)
		self->fragment = (guint)(dy * 2 + dx);
	else
		self->fragment = first_covered(&view->quad);
	self->moment = view->moment;
	self->moment.level = QS_LEVEL_FRAGMENT;
	self->moment.fragment = self->fragment;
	self->moment.stage = 0;
	self->x = view->quad.x + (int)(self->fragment & 1);
	self->y = view->quad.y + (int)(self->fragment >> 1);
	self->found = self->in_draw = TRUE;
}

/* The fragment of the view's draw that gave the pixel its colour, else its last that reached it, else who wrote the pixel before. */
static gboolean trace_pixel(QsTrace *self, const QsView *view, struct qs_timeline *timeline, struct qs_error *error)
{
	if (qs_view_in_draw(view) && self->has_writer && self->writer.command == view->moment.command) {
		self->moment = self->writer;
		self->in_draw = TRUE;
	} else if (qs_view_in_draw(view) && qs_timeline_find_fragment(timeline, self->x, self->y, false, &self->moment, error))
		self->in_draw = TRUE;
	else if (self->has_writer)
		self->moment = self->writer;
	else
		return error->code != QS_ERR_CANCELLED;
	if (!qs_timeline_seek(timeline, &self->moment, error) ||
		!qs_timeline_quad(timeline, &self->setup, &self->quad, error))
		return FALSE;
	self->fragment = self->moment.fragment & 3;
	self->program = qs_program_capture(timeline);
	self->found = TRUE;
	return TRUE;
}

/* ---- the primitive behind a fragment ---- */

static bool note_primitive(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	(void)setup;
	(void)quad;
	*(struct qs_moment *)user = *moment;
	return true;
}

/* The last primitive of the view's draw that covers anything. */
static gboolean last_drawn(const QsView *view, struct qs_timeline *timeline, struct qs_moment *moment)
{
	const struct qs_taps taps = {.mask = QS_TAP_QUAD, .user = moment, .quad = note_primitive};
	struct qs_error error = {0};
	struct qs_moment from = {0};

	moment->level = QS_LEVEL_START;
	if (view->moment.command > 0)
		qs_moment_of_command(view->capture->capture, view->moment.command - 1, &from);
	return qs_timeline_replay(timeline, &from, &view->moment, &taps, &error) && moment->level != QS_LEVEL_START;
}

static QsView *take_primitive(const QsTrace *trace, const QsView *view, struct qs_timeline *timeline)
{
	gboolean of_trace = trace->found && (trace->in_draw || !qs_view_in_draw(view));
	struct qs_moment moment = trace->moment;
	struct qs_error error = {0};
	QsView *self;

	if (!of_trace && !(qs_view_in_draw(view) && last_drawn(view, timeline, &moment))) {
		if (!trace->found)
			return NULL;
		of_trace = TRUE;
		moment = trace->moment;
	}
	moment.level = QS_LEVEL_PRIMITIVE;
	moment.quad = moment.fragment = moment.stage = 0;
	if (!qs_timeline_seek(timeline, &moment, &error))
		return NULL;
	self = qs_view_capture(view->capture, timeline, 0);
	self->width = view->width;
	self->height = view->height;
	if (of_trace) {
		self->has_quad = TRUE;
		self->quad_setup = trace->setup;
		self->quad = trace->quad;
		self->quad_number = trace->moment.quad;
	}
	return self;
}

QsTrace *qs_trace_capture(const QsView *view, struct qs_timeline *timeline, int x, int y, struct qs_error *error)
{
	QsTrace *self = g_new0(QsTrace, 1);
	struct qs_error none = {0};

	g_atomic_ref_count_init(&self->references);
	self->serial = view->serial;
	self->x = x;
	self->y = y;
	if (view->has_quad) {
		trace_step(self, view);
		self->program = qs_program_capture(timeline);
	}
	self->has_pixel = qs_timeline_pixel(timeline, self->x, self->y, self->rgba, &self->z);
	self->has_writer = qs_timeline_find_fragment(timeline, self->x, self->y, true, &self->writer, &none);
	if (none.code == QS_ERR_CANCELLED || (!self->found && !trace_pixel(self, view, timeline, error))) {
		if (none.code == QS_ERR_CANCELLED)
			*error = none;
		qs_trace_unref(self);
		return NULL;
	}
	if (self->has_writer)
		qs_moment_format(view->capture->capture, &self->writer, self->writer_text, sizeof self->writer_text);
	if (self->found) {
		qs_moment_format(view->capture->capture, &self->moment, self->text, sizeof self->text);
		self->sentence = self->program ? qs_gfx3d_sentence(self->program, self->fragment) :
			qs_fragment_sentence(&self->quad.fragment[self->fragment]);
	} else {
		self->sentence = g_strdup("nothing drawn here in this frame yet");
	}
	if (view->moment.level <= QS_LEVEL_DRAW)
		self->primitive = take_primitive(self, view, timeline);
	memset(error, 0, sizeof *error);
	return self;
}

const char *qs_compare_name(guint function)
{
	static const char *const names[8] = {"never", "less", "equal", "lequal", "greater", "nequal", "gequal", "always"};

	return names[function & 7];
}

static char *alpha_term(guint alpha, guint function, guint reference)
{
	if (function == 0 || function == 7)
		return g_strdup(qs_compare_name(function));
	return g_strdup_printf("%u %s %u", alpha, qs_compare_name(function), reference);
}

static char *alpha_sentence(const struct qs_fragment *f)
{
	static const char *const logic[4] = {"and", "or", "xor", "xnor"};
	g_autofree char *left = alpha_term(f->tev[3], f->alpha_func0, f->alpha_ref0);
	g_autofree char *right = alpha_term(f->tev[3], f->alpha_func1, f->alpha_ref1);

	return g_strdup_printf("%s %s %s", left, logic[f->alpha_logic & 3], right);
}

char *qs_fragment_sentence(const struct qs_fragment *f)
{
	g_autofree char *alpha = NULL;

	switch ((enum qs_verdict)f->verdict) {
	case QS_VERDICT_NONE:
		return g_strdup("not covered by the primitive");
	case QS_VERDICT_PENDING:
		return g_strdup("not finished at this moment");
	case QS_VERDICT_EARLY_Z:
	case QS_VERDICT_LATE_Z:
		return g_strdup_printf("rejected by the %s depth test: 0x%06x %s 0x%06x is false",
			f->verdict == QS_VERDICT_EARLY_Z ? "early" : "late", f->z, qs_compare_name(f->z_func), f->z_old);
	case QS_VERDICT_ALPHA:
		alpha = alpha_sentence(f);
		return g_strdup_printf("rejected by the alpha test: %s is false", alpha);
	case QS_VERDICT_MASKED:
		return g_strdup("passed every test, but all write masks are off");
	case QS_VERDICT_WRITTEN:
		if (f->z_tested)
			return g_strdup_printf("written: depth 0x%06x %s 0x%06x passed%s", f->z, qs_compare_name(f->z_func), f->z_old,
				f->z_written ? "" : ", depth not stored");
		return g_strdup("written: no depth test");
	}
	return g_strdup(qs_verdict_name((enum qs_verdict)f->verdict));
}
