/* qs-time-bar.h - the capture as a line: frames above, draws of the current frame below
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels/panels.h"

G_BEGIN_DECLS

#define QS_TYPE_TIME_BAR (qs_time_bar_get_type())
G_DECLARE_FINAL_TYPE(QsTimeBar, qs_time_bar, QS, TIME_BAR, QsPanel)

G_END_DECLS
