/* gfx3d_host.c - the calls of a Gfx3D capture on a VirGL host, as one side of a comparison
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/image.h"
#include "gfx3d/host.h"
#include "gfx3d/qsc.h"
#include "gfx3d/raster.h"
#include "trace/gfx3d_inside.h"

struct qs_gfx3d_host {
	const struct qs_capture *capture;
	struct qs_gfx3d *g;
	uint32_t at;           /* commands before it are done */
	unsigned levels;       /* tolerance of the shaders that have drawn since the frame's start */
	uint32_t levels_frame;
	/* what the last `end` call showed */
	uint32_t shown; /* the call, QS_NONE: none */
	int width, height;
	uint32_t *color;
	float *depth;
};

/* ---- life --------------------------------------------------------------------------------------------------------------- */

static bool boot(struct qs_gfx3d_host *h, struct qs_error *error)
{
	if (qs_gfx3d_boot(h->g, QS_GFX3D_VIRGL) == 0)
		return true;
	qs_error_set(error, QS_ERR_UNSUPPORTED, 0, "%.400s", qs_gfx3d_last_detail(h->g));
	return false;
}

struct qs_gfx3d_host *qs_gfx3d_host_create(const struct qs_capture *capture, const char *socket, struct qs_error *error)
{
	struct qs_gfx3d_host *h = calloc(1, sizeof *h);

	if (qs_capture_info(capture)->machine != QS_MACHINE_GFX3D) {
		free(h);
		qs_error_set(error, QS_ERR_RANGE, 0, "Only captures of Gfx3D calls (.qsc) are replayed call by call on a VirGL host.");
		return NULL;
	}
	if (h)
		h->g = g3_create();
	if (!h || !h->g) {
		free(h);
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for a VirGL host.");
		return NULL;
	}
	h->capture = capture;
	h->shown = QS_NONE;
	h->g->host_socket = socket;
	if (boot(h, error)) {
		g3_set_model(h->g, QS_GFX3D_VIRGL_MODEL);
		return h;
	}
	qs_gfx3d_host_destroy(h);
	return NULL;
}

void qs_gfx3d_host_destroy(struct qs_gfx3d_host *h)
{
	if (!h)
		return;
	qs_gfx3d_destroy(h->g);
	free(h->color);
	free(h->depth);
	free(h);
}

/* To the start, with an empty instance on a living host. */
static bool reset(struct qs_gfx3d_host *h, struct qs_error *error)
{
	g3_clear(h->g);
	if (!h->g->virgl && !boot(h, error))
		return false;
	g3_set_model(h->g, QS_GFX3D_VIRGL_MODEL);
	h->at = 0;
	h->shown = QS_NONE;
	return true;
}

/* ---- replay ------------------------------------------------------------------------------------------------------------- */

static bool lost(const struct qs_gfx3d_host *h, uint32_t command, struct qs_error *error)
{
	char text[200];

	qs_error_set(error, QS_ERR_UNSUPPORTED, qs_capture_command_file_offset(h->capture, command), "The VirGL host gave up at command %" PRIu32 " (%.80s): %.360s",
		command, qs_command_text(h->capture, command, text, sizeof text), h->g->host_text);
	return false;
}

/* Series and roots of GPUs are their own: four levels, else one (spec 02 section 7, rule c). */
static unsigned levels_of(const struct csir_shader *s)
{
	for (uint32_t i = 0; s && i < s->instr_count; i++)
		switch (s->instr[i].op) {
		case CSIR_RSQ:
		case CSIR_SIN:
		case CSIR_COS:
		case CSIR_POW:
			return 4;
		default:
			break;
		}
	return 1;
}

static void note_levels(struct qs_gfx3d_host *h, uint32_t frame, const struct g3_context *c)
{
	const struct csir_program *program = c ? g3_bound_program(h->g, c) : NULL;

	if (h->levels_frame != frame)
		h->levels = 1;
	h->levels_frame = frame;
	for (unsigned i = 0; program && i < 2; i++) {
		unsigned n = levels_of(csir_program_shader(program, (enum csir_stage)i, &h->g->quirks));

		h->levels = n > h->levels ? n : h->levels;
	}
}

static bool read_target(struct qs_gfx3d_host *h, struct g3_target *t, uint32_t command, struct qs_error *error)
{
	size_t pixels = (size_t)t->width * (size_t)t->height;

	free(h->color);
	free(h->depth);
	h->shown = QS_NONE;
	h->color = malloc(pixels * sizeof *h->color);
	h->depth = malloc(pixels * sizeof *h->depth);
	if (!h->color || !h->depth) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for the picture of a VirGL host.");
		return false;
	}
	if (!g3_host_read(h->g, t, false) || !g3_host_read(h->g, t, true))
		return lost(h, command, error);
	memcpy(h->color, t->color, pixels * sizeof *h->color);
	memcpy(h->depth, t->depth, pixels * sizeof *h->depth);
	h->width = t->width;
	h->height = t->height;
	h->shown = command;
	return true;
}

/* As a timeline does it, except for the backend. */
static bool execute(struct qs_gfx3d_host *h, uint32_t command, bool picture, struct qs_error *error)
{
	const struct qs_command *k = qs_capture_command(h->capture, command);
	const struct g3_call_info *info;
	struct g3_context *c;
	struct g3_target *t;
	struct g3_call call;

	if (!qsc_parse(qs_capture_command_bytes(h->capture, command), k->size, &call))
		return true;
	info = g3_call_info(call.op);
	if (call.op == G3_boot) {
		g3_destroy_all(h->g);
		return true;
	}
	if (call.op == G3_set_model || call.op == G3_set_quirk || call.op == G3_target_read)
		return true;
	if ((info->result == 'h' ? !call.result : call.result != 0) && !(info->flags & G3_CALL_AGAIN))
		return true;
	c = info->flags ? g3_context(h->g, call.owner, call.handle[0]) : NULL;
	if (info->flags & G3_CALL_DRAW)
		note_levels(h, k->frame, c);
	g3_execute(h->g, &call);
	if (!h->g->virgl)
		return lost(h, command, error);
	t = picture && c && info->flags & G3_CALL_FRAME_END ? g3_target(h->g, call.owner, c->target) : NULL;
	return !t || read_target(h, t, command, error);
}

/* All commands before `end`; pictures of `end` calls from command `from` on are read back. */
static bool run(struct qs_gfx3d_host *h, uint32_t end, uint32_t from, struct qs_error *error)
{
	if ((h->at > end || !h->g->virgl) && !reset(h, error))
		return false;
	while (h->at < end) {
		if (!execute(h, h->at, h->at >= from, error))
			return false;
		h->at++;
	}
	return true;
}

static struct g3_target *current_target(struct qs_gfx3d_host *h)
{
	struct g3_target *found = NULL;

	for (unsigned i = 0; i < QS_GFX3D_MAX_CONTEXTS; i++) {
		const struct g3_context *c = &h->g->context[i];
		struct g3_target *t = c->slot.used ? g3_target(h->g, c->slot.owner, c->target) : NULL;

		if (t && (c->in_frame || !found))
			found = t;
		if (t && c->in_frame)
			break;
	}
	return found;
}

/* ---- pictures ----------------------------------------------------------------------------------------------------------- */

static bool make_image(const struct qs_gfx3d_host *h, enum qs_buffer buffer, struct qs_image *image, struct qs_error *error)
{
	if (buffer == QS_BUFFER_XFB || buffer == QS_BUFFER_COVERAGE) {
		qs_error_set(error, QS_ERR_RANGE, 0, "A VirGL host has no such picture.");
		return false;
	}
	if (!image_create(image, (uint32_t)h->width, (uint32_t)h->height, buffer == QS_BUFFER_DEPTH, error))
		return false;
	for (size_t i = 0; i < (size_t)h->width * (size_t)h->height; i++) {
		uint8_t *rgba = image->rgba + 4 * i;
		float z = h->depth[i];
		uint32_t depth = !(z > 0) ? 0 : z >= 1 ? 0xFFFFFF : (uint32_t)(z * 16777215.0f);

		for (unsigned k = 0; k < 3; k++)
			rgba[k] = (uint8_t)(h->color[i] >> (16 - 8 * k));
		rgba[3] = (uint8_t)(h->color[i] >> 24);
		if (buffer == QS_BUFFER_ALPHA)
			rgba[0] = rgba[1] = rgba[2] = rgba[3];
		if (buffer == QS_BUFFER_DEPTH) {
			image->depth[i] = depth;
			rgba[0] = rgba[1] = rgba[2] = (uint8_t)(depth >> 16);
		}
		if (buffer == QS_BUFFER_ALPHA || buffer == QS_BUFFER_DEPTH)
			rgba[3] = 255;
	}
	return true;
}

static bool host_image(void *user, uint32_t frame, enum qs_buffer buffer, struct qs_image *image, struct qs_error *error)
{
	struct qs_gfx3d_host *h = user;
	const struct qs_frame *f = qs_capture_frame(h->capture, frame);
	uint32_t end;

	if (!f) {
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no frame %" PRIu32 ".", frame);
		return false;
	}
	end = f->first_command + f->command_count;
	if (h->shown == QS_NONE || h->shown < f->first_command || h->shown >= end) {
		struct g3_target *t;

		if (h->at > f->first_command && !reset(h, error))
			return false;
		if (!run(h, end, f->first_command, error))
			return false;
		t = current_target(h);
		if ((h->shown == QS_NONE || h->shown < f->first_command) && (!t || !read_target(h, t, end - 1, error))) {
			if (!t)
				qs_error_set(error, QS_ERR_RANGE, 0, "Frame %" PRIu32 " draws into no target.", frame);
			return false;
		}
	}
	return make_image(h, buffer, image, error);
}

static bool host_after(void *user, uint32_t command, enum qs_buffer buffer, struct qs_image *image, struct qs_error *error)
{
	struct qs_gfx3d_host *h = user;
	struct g3_target *t;
	bool good;

	if (!run(h, command + 1, QS_NONE, error))
		return false;
	t = current_target(h);
	if (!t) {
		qs_error_set(error, QS_ERR_RANGE, 0, "Nothing is drawn into at command %" PRIu32 ".", command);
		return false;
	}
	good = read_target(h, t, command, error) && make_image(h, buffer, image, error);
	h->shown = QS_NONE;
	return good;
}

/* ---- commands ------------------------------------------------------------------------------------------------------------- */

char *gfx3d_host_commands(struct qs_gfx3d_host *h, uint32_t command, struct qs_error *error)
{
	char *text;
	bool ok;

	if (!run(h, command, QS_NONE, error))
		return NULL;
	g3_host_record(h->g);
	ok = execute(h, command, false, error);
	h->at = command + 1;
	if (!ok)
		return NULL;
	text = g3_host_recorded(h->g);
	if (!text)
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for the commands.");
	return text;
}

/* ---- questions about one draw ------------------------------------------------------------------------------------------- */

/* To before the draw; its objects. */
struct drawn {
	struct g3_context *c;
	struct g3_target *t;
	struct g3_mesh *m;
	struct csir_program *program;
};

static bool before_draw(struct qs_gfx3d_host *h, uint32_t command, struct drawn *d, struct qs_error *error)
{
	const struct qs_command *k = qs_capture_command(h->capture, command);
	struct g3_call call;

	memset(d, 0, sizeof *d);
	if (!run(h, command, QS_NONE, error))
		return false;
	if (k && k->kind == QS_COMMAND_DRAW && qsc_parse(qs_capture_command_bytes(h->capture, command), k->size, &call))
		d->c = g3_context(h->g, call.owner, call.handle[0]);
	if (d->c) {
		d->t = g3_target(h->g, d->c->slot.owner, d->c->target);
		d->m = g3_mesh(h->g, call.owner, call.handle[1]);
		d->program = g3_bound_program(h->g, d->c);
	}
	if (d->t && d->m && d->m->vertices && d->program && g3_host_begin(h->g, d->c, d->t))
		return true;
	qs_error_set(error, QS_ERR_RANGE, 0, "Command %" PRIu32 " is no draw that can be looked at.", command);
	return false;
}

static bool host_cover(void *user, uint32_t command, uint8_t *count, uint32_t width, uint32_t height, struct qs_error *error)
{
	struct qs_gfx3d_host *h = user;
	struct drawn d;

	memset(count, 0, (size_t)width * height);
	if (!before_draw(h, command, &d, error))
		return false;
	if ((uint32_t)d.t->width != width || (uint32_t)d.t->height != height)
		return true; /* into another target */
	return g3_host_cover(h->g, d.c, d.t, d.m, d.program, count, error);
}

static bool host_value(void *user, uint32_t command, uint32_t primitive, const struct qs_value *what, int x, int y, float value[4],
	struct qs_error *error)
{
	struct qs_gfx3d_host *h = user;
	struct g3_probe probe = {*what, primitive};
	struct drawn d;

	if (!before_draw(h, command, &d, error))
		return false;
	if (what->kind == QS_VALUE_VERTEX_REGISTER) {
		x = y = 0;
		if (primitive == QS_NONE || what->corner > 2) {
			qs_error_set(error, QS_ERR_RANGE, 0, "A primitive has the corners 0, 1 and 2.");
			return false;
		}
	}
	if (x < 0 || y < 0 || x >= d.t->width || y >= d.t->height) {
		qs_error_set(error, QS_ERR_RANGE, 0, "The pixel is outside of the target.");
		return false;
	}
	return g3_host_probe(h->g, d.c, d.t, d.m, d.program, &probe, x, y, value, error);
}

bool qs_gfx3d_host_steps(struct qs_gfx3d_host *host, const struct qs_moment *moment, unsigned stage, unsigned part, int x, int y,
	const struct qs_gfx3d_step *step, uint32_t count, float (*value)[4], bool *known, qs_progress_fn progress, void *user,
	struct qs_error *error)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct qs_value what = {.kind = stage ? QS_VALUE_REGISTER : QS_VALUE_VERTEX_REGISTER, .instruction = step[i].instruction,
			.reg = (uint32_t)step[i].dst, .corner = part};

		memset(value[i], 0, sizeof value[i]);
		known[i] = step[i].dst >= 0 && part < 4 && step[i].ran >> part & 1;
		if (known[i] && !host_value(host, moment->command, moment->primitive, &what, x, y, value[i], error))
			return false;
		known[i] = known[i] && value[i][0] != G3_PROBE_NOTHING;
		if (progress && !progress((i + 1.0) / count, user)) {
			qs_error_set(error, QS_ERR_CANCELLED, 0, "The host was not asked for all values.");
			return false;
		}
	}
	return true;
}

static unsigned host_tolerance(void *user, uint32_t frame)
{
	const struct qs_gfx3d_host *h = user;

	return h->levels_frame == frame ? h->levels : 1;
}

/* ---- switches: what the CPU would have to do to draw the same ------------------------------------------------------------ */

static uint32_t switch_count(void *user)
{
	(void)user;
	return qs_gfx3d_quirk_count();
}

static const char *switch_name(void *user, uint32_t i)
{
	(void)user;
	return qs_gfx3d_quirk_at(i)->name;
}

static int switch_value(void *user, uint32_t i)
{
	const struct qs_gfx3d_host *h = user;

	return h->g->quirks.v[i];
}

void qs_source_gfx3d_host(struct qs_source *source, struct qs_gfx3d_host *host, const char *name)
{
	*source = (struct qs_source){
		.name = name, .user = host, .image = host_image, 
		.after = host_after, .cover = host_cover, .value = host_value, .tolerance = host_tolerance, .switch_count = switch_count,
		.switch_name = switch_name, .switch_value = switch_value,
	};
}
