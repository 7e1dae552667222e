/* qs-application.h - one process, one window per capture
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define QS_TYPE_APPLICATION (qs_application_get_type())
G_DECLARE_FINAL_TYPE(QsApplication, qs_application, QS, APPLICATION, GtkApplication)

QsApplication *qs_application_new(void);

G_END_DECLS
