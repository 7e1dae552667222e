/* qs-settings.h - GSettings, installed or from the build tree
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define QS_APPLICATION_ID "org.quadscope.Quadscope"

/* Never NULL; ends the program with a message when the schema is nowhere. */
GSettings *qs_settings(void);

G_END_DECLS
