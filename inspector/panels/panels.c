/* panels.c - the list of panels
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "panels.h"
#include "qs-bindings-panel.h"
#include "qs-breakpoints-panel.h"
#include "qs-depth-panel.h"
#include "qs-compare-panel.h"
#include "qs-console-panel.h"
#include "qs-copy-panel.h"
#include "qs-differences-panel.h"
#include "qs-frame-panel.h"
#include "qs-history-panel.h"
#include "qs-lint-panel.h"
#include "qs-model-panel.h"
#include "qs-plots-panel.h"
#include "qs-program-panel.h"
#include "qs-registers-panel.h"
#include "qs-script-panel.h"
#include "qs-setup-panel.h"
#include "qs-state-panel.h"
#include "qs-stream-panel.h"
#include "qs-tev-panel.h"
#include "qs-textures-panel.h"
#include "qs-vertices-panel.h"

/* Order within a pane is the order of the tabs. */
static const QsPanelInfo panels[] = {
	{"stream", "Stream", QS_PANE_LEFT, qs_stream_panel_get_type, QS_ON_BOTH},
	{"frame", "Frame", QS_PANE_CENTRE, qs_frame_panel_get_type, QS_ON_BOTH},
	{"compare", "Compare", QS_PANE_CENTRE, qs_compare_panel_get_type, QS_ON_BOTH},
	{"setup", "Setup", QS_PANE_RIGHT_TOP, qs_setup_panel_get_type, QS_ON_BOTH},
	{"depth", "Depth", QS_PANE_RIGHT_TOP, qs_depth_panel_get_type, QS_ON_BOTH},
	{"tev", "TEV", QS_PANE_RIGHT_BOTTOM, qs_tev_panel_get_type, QS_ON_FLIPPER},
	{"program", "Program", QS_PANE_RIGHT_BOTTOM, qs_program_panel_get_type, QS_ON_GFX3D},
	{"vertices", "Vertices", QS_PANE_RIGHT_BOTTOM, qs_vertices_panel_get_type, QS_ON_GFX3D},
	{"bindings", "Textures", QS_PANE_RIGHT_TOP, qs_bindings_panel_get_type, QS_ON_GFX3D},
	{"textures", "Textures", QS_PANE_RIGHT_TOP, qs_textures_panel_get_type, QS_ON_FLIPPER},
	{"copy", "Copy", QS_PANE_RIGHT_TOP, qs_copy_panel_get_type, QS_ON_FLIPPER},
	{"registers", "Registers", QS_PANE_BOTTOM_LEFT, qs_registers_panel_get_type, QS_ON_FLIPPER},
	{"state", "Registers", QS_PANE_BOTTOM_LEFT, qs_state_panel_get_type, QS_ON_GFX3D},
	{"history", "Pixel history", QS_PANE_BOTTOM_CENTRE, qs_history_panel_get_type, QS_ON_BOTH},
	{"console", "Console", QS_PANE_BOTTOM_RIGHT, qs_console_panel_get_type, QS_ON_BOTH},
	{"script", "Script", QS_PANE_BOTTOM_RIGHT, qs_script_panel_get_type, QS_ON_BOTH},
	{"plots", "Plots", QS_PANE_BOTTOM_RIGHT, qs_plots_panel_get_type, QS_ON_BOTH},
	{"breakpoints", "Breakpoints", QS_PANE_BOTTOM_LEFT, qs_breakpoints_panel_get_type, QS_ON_BOTH},
	{"doctor", "Doctor", QS_PANE_BOTTOM_LEFT, qs_lint_panel_get_type, QS_ON_BOTH},
	{"differences", "Differences", QS_PANE_BOTTOM_RIGHT, qs_differences_panel_get_type, QS_ON_BOTH},
	{"model", "Model", QS_PANE_BOTTOM_LEFT, qs_model_panel_get_type, QS_ON_BOTH},
};

const QsPanelInfo *qs_panels(guint *count)
{
	*count = G_N_ELEMENTS(panels);
	return panels;
}
