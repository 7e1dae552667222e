/* qs-scene.h - captures written in the window: a script that builds a scene becomes a file
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <gio/gio.h>
#include "quadscope.h"

G_BEGIN_DECLS

/* Does the text make a scene?  Comments do not count. */
gboolean qs_scene_is_script(const char *text);

typedef struct {
	char *name;   /* what the script calls it, or NULL */
	GBytes *data; /* a FIFO log */
} QsScene;

typedef struct {
	GPtrArray *scenes; /* QsScene, as they were saved */
	char *output;      /* what the script printed */
	struct qs_error error; /* code QS_OK: it ended well and saved something */
} QsSceneResult;

void qs_scene_result_free(QsSceneResult *result);
/* Runs the script on a thread of its own; the cancellable stops it.  callback gets the result with finish. */
void qs_scene_build_async(const char *text, const char *name, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer owner);
QsSceneResult *qs_scene_build_finish(GAsyncResult *result); /* never NULL */

G_END_DECLS
