/* qs-machine.h - models and quirks of either machine by number, so that header and panels need not ask which it is
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "qs-view.h"

G_BEGIN_DECLS

#define QS_MODELS 3 /* both machines have that many */

typedef struct {
	const char *name, *text;
	const int *value; /* QS_MODELS of them */
} QsQuirk;

const char *qs_machine_model_name(enum qs_machine machine, guint model);
guint32 qs_machine_quirk_count(enum qs_machine machine);
QsQuirk qs_machine_quirk(enum qs_machine machine, guint32 i);
/* Who draws: "soft" and "shader", of Gfx3D "soft" and "virgl"; by enum qs_pipeline. */
const char *qs_machine_pipeline_name(enum qs_machine machine, guint pipeline);

/* Of the open capture; FLIPPER when there is none. */
enum qs_machine qs_capture_machine(const QsCapture *capture);
enum qs_machine qs_view_machine(const QsView *view);
const char *qs_view_model_name(const QsView *view);

G_END_DECLS
