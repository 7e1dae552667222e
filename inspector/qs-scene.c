/* qs-scene.c - see the header
 *
 * A scene needs no capture, and the open one is left alone: the script gets a timeline of an empty frame on a thread of its own, as
 * "qscope scene" gives it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-scene.h"
#include <stdlib.h>
#include <string.h>
#include "lua/engine.h"

#define SECONDS 60
#define MEMORY ((size_t)256 << 20)
#define OUTPUT_MAX (1u << 20)

typedef struct {
	char *text, *name;
	GString *output;
	QsSceneResult *result;
	GCancellable *cancellable;
} Build;

gboolean qs_scene_is_script(const char *text)
{
	for (const char *at = text; (at = strstr(at, "qs.scene")) != NULL; at += 8) {
		const char *line = at;

		while (line > text && line[-1] != '\n')
			line--;
		if (!g_strstr_len(line, at - line, "--") && (at[8] == '(' || at[8] == '.' || at[8] == '{'))
			return TRUE;
	}
	return FALSE;
}

static void scene_free(gpointer data)
{
	QsScene *scene = data;

	g_free(scene->name);
	g_bytes_unref(scene->data);
	g_free(scene);
}

void qs_scene_result_free(QsSceneResult *result)
{
	if (!result)
		return;
	g_ptr_array_unref(result->scenes);
	g_free(result->output);
	g_free(result);
}

static void build_free(gpointer data)
{
	Build *build = data;

	g_free(build->text);
	g_free(build->name);
	g_string_free(build->output, TRUE);
	g_clear_object(&build->cancellable);
	qs_scene_result_free(build->result);
	g_free(build);
}

/* ---- what the script does ------------------------------------------------------------------------------------------------ */

static void print(void *user, const char *text, bool is_error)
{
	Build *build = user;

	(void)is_error;
	if (build->output->len < OUTPUT_MAX)
		g_string_append(build->output, text);
}

static bool progress(void *user, double fraction)
{
	Build *build = user;

	(void)fraction;
	return !g_cancellable_is_cancelled(build->cancellable);
}

static bool save(void *user, const char *name, const void *data, size_t size, struct qs_error *error)
{
	Build *build = user;
	QsScene *scene = g_new0(QsScene, 1);

	(void)error;
	scene->name = g_strdup(name);
	scene->data = g_bytes_new(data, size);
	g_ptr_array_add(build->result->scenes, scene);
	return true;
}

static struct qs_capture *open_nothing(struct qs_error *error)
{
	struct qs_recording *recording = qs_recording_create(3, false, error);
	struct qs_capture *capture = NULL;
	uint8_t *data = NULL;
	size_t size;

	if (recording && qs_recording_end_frame(recording, error) && qs_recording_bytes(recording, &data, &size, error))
		capture = qs_capture_open_memory(data, size, error);
	free(data);
	qs_recording_destroy(recording);
	return capture;
}

static void interrupt(GCancellable *cancellable, gpointer script)
{
	(void)cancellable;
	qs_script_interrupt(script);
}

static void run_script(Build *build, struct qs_timeline *timeline)
{
	static const struct qs_script_limits limits = {SECONDS, MEMORY};
	const struct qs_script_host host = {.user = build, .print = print, .progress = progress, .save = save};
	g_autofree char *chunk = g_strdup_printf("@%s", build->name);
	struct qs_error *error = &build->result->error;
	struct qs_script *script = qs_script_create(timeline, &host, &limits, error);
	gulong handler;

	if (!script)
		return;
	handler = g_cancellable_connect(build->cancellable, G_CALLBACK(interrupt), script, NULL);
	if (qs_script_run_text(script, build->text, chunk, error) && !build->result->scenes->len)
		qs_error_set(error, QS_ERR_SCRIPT, 0, "%s saves no scene: it should end with scene:save().", build->name);
	g_cancellable_disconnect(build->cancellable, handler);
	qs_script_destroy(script);
}

static void build_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
	Build *build = data;
	struct qs_capture *capture;
	struct qs_timeline *timeline = NULL;

	(void)source;
	(void)cancellable;
	capture = open_nothing(&build->result->error);
	if (capture)
		timeline = qs_timeline_create(capture, &build->result->error);
	if (timeline)
		run_script(build, timeline);
	qs_timeline_destroy(timeline);
	qs_capture_destroy(capture);
	build->result->output = g_strdup(build->output->str);
	g_task_return_pointer(task, g_steal_pointer(&build->result), (GDestroyNotify)qs_scene_result_free);
}

void qs_scene_build_async(const char *text, const char *name, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer owner)
{
	GTask *task = g_task_new(owner, NULL, callback, NULL);
	Build *build = g_new0(Build, 1);

	build->text = g_strdup(text);
	build->name = g_strdup(name);
	build->output = g_string_new(NULL);
	build->cancellable = g_object_ref(cancellable);
	build->result = g_new0(QsSceneResult, 1);
	build->result->scenes = g_ptr_array_new_with_free_func(scene_free);
	g_task_set_task_data(task, build, build_free);
	g_task_run_in_thread(task, build_thread);
	g_object_unref(task);
}

QsSceneResult *qs_scene_build_finish(GAsyncResult *result)
{
	return g_task_propagate_pointer(G_TASK(result), NULL);
}
