/* qs-machine.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-machine.h"
#include "gfx3d.h"

G_STATIC_ASSERT(QS_MODELS == QS_MODEL_COUNT && QS_MODELS == QS_GFX3D_MODEL_COUNT);

const char *qs_machine_model_name(enum qs_machine machine, guint model)
{
	return machine == QS_MACHINE_GFX3D ? qs_gfx3d_model_name((enum qs_gfx3d_model)model) : qs_model_name((enum qs_model)model);
}

guint32 qs_machine_quirk_count(enum qs_machine machine)
{
	return machine == QS_MACHINE_GFX3D ? qs_gfx3d_quirk_count() : qs_quirk_count();
}

QsQuirk qs_machine_quirk(enum qs_machine machine, guint32 i)
{
	if (machine == QS_MACHINE_GFX3D) {
		const struct qs_gfx3d_quirk *quirk = qs_gfx3d_quirk_at(i);

		return (QsQuirk){quirk->name, quirk->text, quirk->value};
	}
	return (QsQuirk){qs_quirk_at(i)->name, qs_quirk_at(i)->text, qs_quirk_at(i)->value};
}

const char *qs_machine_pipeline_name(enum qs_machine machine, guint pipeline)
{
	return machine == QS_MACHINE_GFX3D && pipeline == QS_PIPELINE_SHADER ? "virgl" : qs_pipeline_name((enum qs_pipeline)pipeline);
}

enum qs_machine qs_capture_machine(const QsCapture *capture)
{
	return capture ? qs_capture_info(capture->capture)->machine : QS_MACHINE_FLIPPER;
}

enum qs_machine qs_view_machine(const QsView *view)
{
	return qs_capture_machine(view ? view->capture : NULL);
}

const char *qs_view_model_name(const QsView *view)
{
	return qs_machine_model_name(qs_view_machine(view), view->model);
}
