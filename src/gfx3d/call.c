/* call.c - an instance and how it runs a call: recording, mock, dispatch, errors
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx3d/host.h"
#include "gfx3d/qsc.h"
#include "gfx3d/raster.h"
#include "gfx3d/system.h"

static const struct g3_call_info infos[G3_OP_END] = {
#define CALL(name, number, handles, ints, floats, blobs, result, flags, text) \
	[number] = {#name, handles, ints, floats, blobs, result, flags, text},
#include "gfx3d/calls.def"
#undef CALL
};

const struct g3_call_info *g3_call_info(unsigned op)
{
	return op < G3_OP_END && infos[op].name ? &infos[op] : NULL;
}

/* ---- errors and the mock log -------------------------------------------------------------------------------------------- */

int g3_fail(struct qs_gfx3d *g, const char *text)
{
	snprintf(g->error, sizeof g->error, "%s", text);
	snprintf(g->detail, sizeof g->detail, "%s", text);
	g->stats.errors++;
	return -1;
}

int g3_fail_detail(struct qs_gfx3d *g, const char *text, const char *format, ...)
{
	va_list args;

	g3_fail(g, text);
	va_start(args, format);
	vsnprintf(g->detail, sizeof g->detail, format, args);
	va_end(args);
	return -1;
}

const char *qs_gfx3d_last_error(const struct qs_gfx3d *g)
{
	return g->error;
}

const char *qs_gfx3d_last_detail(const struct qs_gfx3d *g)
{
	return g->detail;
}

void g3_mock(struct qs_gfx3d *g, const char *word)
{
	size_t used = strlen(g->mock), length = strlen(word);

	if (used + length + 2 > sizeof g->mock)
		return;
	memcpy(g->mock + used, word, length);
	memcpy(g->mock + used + length, " ", 2);
}

const char *qs_gfx3d_mock_log(const struct qs_gfx3d *g)
{
	return g->mock;
}

/* ---- models ------------------------------------------------------------------------------------------------------------- */

static const struct qs_gfx3d_quirk quirks[G3_QUIRK_COUNT] = {
#define QUIRK(name, chrisos, virgl, corrected, text) {#name, {chrisos, virgl, corrected}, text},
#include "gfx3d/quirks.def"
#undef QUIRK
};

uint32_t qs_gfx3d_quirk_count(void)
{
	return G3_QUIRK_COUNT;
}

const struct qs_gfx3d_quirk *qs_gfx3d_quirk_at(uint32_t i)
{
	return i < G3_QUIRK_COUNT ? &quirks[i] : NULL;
}

const char *qs_gfx3d_model_name(enum qs_gfx3d_model model)
{
	return g3_model_name((enum g3_model)model);
}

bool qs_gfx3d_model_parse(const char *name, enum qs_gfx3d_model *model)
{
	enum g3_model found;

	if (!g3_model_parse(name, &found))
		return false;
	*model = (enum qs_gfx3d_model)found;
	return true;
}

void g3_set_model(struct qs_gfx3d *g, enum qs_gfx3d_model model)
{
	g->model = model;
	g3_quirks_init(&g->quirks, (enum g3_model)model);
}

enum qs_gfx3d_model qs_gfx3d_model(const struct qs_gfx3d *g)
{
	return g->model;
}

int qs_gfx3d_quirk(const struct qs_gfx3d *g, const char *name)
{
	int i = g3_quirk_find(name);

	return i < 0 ? 0 : g->quirks.v[i];
}

static int set_quirk(struct qs_gfx3d *g, const struct g3_call *call)
{
	char name[64];
	int i;

	if (call->blob_size[0] >= sizeof name)
		return g3_fail(g, "unknown quirk");
	memcpy(name, call->blob[0], call->blob_size[0]);
	name[call->blob_size[0]] = '\0';
	i = g3_quirk_find(name);
	if (i < 0)
		return g3_fail(g, "unknown quirk");
	g->quirks.v[i] = call->i[0];
	return 0;
}

static int set_model(struct qs_gfx3d *g, const struct g3_call *call)
{
	if (call->i[0] < 0 || call->i[0] >= QS_GFX3D_MODEL_COUNT)
		return g3_fail(g, "unknown model");
	g3_set_model(g, (enum qs_gfx3d_model)call->i[0]);
	return 0;
}

/* ---- statistics --------------------------------------------------------------------------------------------------------- */

void qs_gfx3d_get_stats(const struct qs_gfx3d *g, struct qs_gfx3d_stats *stats)
{
	*stats = g->stats;
}

static int stats_reset(struct qs_gfx3d *g)
{
	const struct qs_gfx3d_stats *s = &g->stats;

	g->stats = (struct qs_gfx3d_stats){
		.contexts = s->contexts, .targets = s->targets, .meshes = s->meshes, .textures = s->textures, .programs = s->programs,
		.color_bytes = s->color_bytes, .depth_bytes = s->depth_bytes, .mesh_bytes = s->mesh_bytes,
		.texture_bytes = s->texture_bytes, .degraded = s->degraded,
	};
	return 0;
}

/* ---- create, boot, destroy ---------------------------------------------------------------------------------------------- */

struct qs_gfx3d *g3_create(void)
{
	struct qs_gfx3d *g = calloc(1, sizeof *g);

	if (!g)
		return NULL;
	g->backend = QS_GFX3D_SOFTWARE;
	g3_set_model(g, QS_GFX3D_CHRISOS);
	g->raster = g3_raster_create();
	if (g->raster)
		return g;
	free(g);
	return NULL;
}

struct qs_gfx3d *qs_gfx3d_create(struct qs_error *error)
{
	static bool recorded; /* the variable names one file: the first instance gets it */
	const char *path = getenv("QS_GFX3D_CAPTURE");
	struct qs_gfx3d *g = g3_create();

	if (!g) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for Gfx3D.");
		return NULL;
	}
	if (!path || !*path || recorded)
		return g;
	recorded = true;
	g->recorder = g3_recorder_create(path, error);
	if (g->recorder)
		return g;
	qs_gfx3d_destroy(g);
	return NULL;
}

void qs_gfx3d_destroy(struct qs_gfx3d *g)
{
	if (!g)
		return;
	qs_gfx3d_record_end(g);
	g3_destroy_all(g);
	g3_host_stop(g);
	g3_raster_destroy(g->raster);
	csir_cache_destroy(g->cache);
	free(g);
}

const char *qs_gfx3d_backend_name(const struct qs_gfx3d *g)
{
	if (g->backend == QS_GFX3D_MOCK)
		return "mock";
	if (g->virgl)
		return "virgl";
	return g->backend == QS_GFX3D_VIRGL ? "virgl-lost" : "software";
}

static int boot(struct qs_gfx3d *g, const struct g3_call *call)
{
	if (call->i[0] < 0 || call->i[0] >= QS_GFX3D_BACKEND_COUNT)
		return g3_fail(g, "unknown backend");
	g3_destroy_all(g);
	g3_host_stop(g);
	memset(&g->stats, 0, sizeof g->stats);
	memset(g->mock, 0, sizeof g->mock);
	g->error[0] = g->detail[0] = '\0';
	g->backend = (enum qs_gfx3d_backend)call->i[0];
	g->virgl = g->virgl_lost = false;
	if (g->backend != QS_GFX3D_AUTO && g->backend != QS_GFX3D_VIRGL)
		return 0;
	g->virgl = g3_host_start(g);
	return g->virgl || g->backend == QS_GFX3D_AUTO ? 0 : -1;
}

/* ---- calls -------------------------------------------------------------------------------------------------------------- */

static int dispatch(struct qs_gfx3d *g, struct g3_call *call)
{
	switch (call->op) {
	case G3_boot:
		return boot(g, call);
	case G3_set_model:
		return set_model(g, call);
	case G3_set_quirk:
		return set_quirk(g, call);
	case G3_stats_reset:
		return stats_reset(g);
	case G3_shader_create:
	case G3_shader_relink:
	case G3_prog_prepare:
	case G3_camera:
	case G3_model_matrix:
	case G3_use:
	case G3_uniform_mat4:
	case G3_uniform_f:
		return g3_program_call(g, call);
	case G3_begin:
	case G3_clear:
	case G3_viewport:
	case G3_depth:
	case G3_cull:
	case G3_bind_tex:
	case G3_draw:
	case G3_end:
	case G3_sampler:
	case G3_blend:
	case G3_stencil:
	case G3_depth_func:
		return g3_frame_call(g, call);
	default:
		return g3_object_call(g, call);
	}
}

uint32_t g3_execute(struct qs_gfx3d *g, struct g3_call *call)
{
	const struct g3_call_info *info = g3_call_info(call->op);
	int status;

	call->result = 0;
	status = dispatch(g, call);
	if (info && info->result == 'i')
		call->result = (uint32_t)status;
	else if (status < 0)
		call->result = 0;
	if (g->recorder)
		g3_recorder_call(g->recorder, call);
	return call->result;
}

/* What the calls to come depend on besides objects. */
static void record_state(struct qs_gfx3d *g)
{
	g3_recorder_call(g->recorder, &(struct g3_call){.op = G3_set_model, .i = {(int32_t)g->model}});
	for (uint32_t i = 0; i < G3_QUIRK_COUNT; i++)
		if (g->quirks.v[i] != quirks[i].value[g->model])
			g3_recorder_call(g->recorder, &(struct g3_call){.op = G3_set_quirk, .i = {g->quirks.v[i]},
				.blob = {quirks[i].name}, .blob_size = {strlen(quirks[i].name)}});
}

int qs_gfx3d_record(struct qs_gfx3d *g, const char *path)
{
	struct qs_error error = {0};

	qs_gfx3d_record_end(g);
	g->recorder = g3_recorder_create(path, &error);
	if (!g->recorder)
		return g3_fail_detail(g, "capture failed", "%s", error.text);
	record_state(g);
	return 0;
}

int qs_gfx3d_record_end(struct qs_gfx3d *g)
{
	struct g3_recorder *recorder = g->recorder;
	struct qs_error error = {0};

	g->recorder = NULL;
	if (!recorder || g3_recorder_finish(recorder, &error))
		return 0;
	return g3_fail_detail(g, "capture failed", "%s", error.text);
}
