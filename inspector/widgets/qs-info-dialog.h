/* qs-info-dialog.h - what is known about the open file, with every warning
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <gtk/gtk.h>
#include "qs-session.h"

G_BEGIN_DECLS

GtkWidget *qs_info_dialog_new(GtkWindow *parent, QsSession *session);

G_END_DECLS
