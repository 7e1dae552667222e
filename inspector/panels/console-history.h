/* console-history.h - lines typed at the prompt, kept between sessions
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _ConsoleHistory ConsoleHistory;

ConsoleHistory *console_history_new(void); /* reads the file of the state folder */
void console_history_free(ConsoleHistory *self);
void console_history_add(ConsoleHistory *self, const char *line); /* and goes to the end */
/* One line back or forward; typed is what stands at the prompt, to come back to.  NULL: there is none. */
const char *console_history_go(ConsoleHistory *self, int direction, const char *typed);

G_END_DECLS
