/* script-probes.h - the sample scripts that come with the program
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Items call script.probe with the path. */
GMenuModel *script_probes_menu(void);
/* Path of the probe "overdraw.lua", or NULL. */
char *script_probes_find(const char *name);

G_END_DECLS
