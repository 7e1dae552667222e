/* views.h - parts of sub-commands that the debugger shows too
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_VIEWS_H
#define CLI_VIEWS_H

#include "cli/cli.h"

void info_print(const struct qs_capture *capture);
/* The line of 'qscope list'; mark: stands before it. */
void list_print_command(const struct qs_capture *capture, uint32_t command, const char *mark);
/* Messages of this severity and above, and how many of each. */
void lint_print(const struct qs_capture *capture, const struct qs_lint_message *messages, uint32_t count, unsigned level);
/* Register reference; name NULL: everything. */
bool regs_print(const char *name, struct qs_error *error);
/* passed: only what changed the pixel. */
void history_print(const struct qs_capture *capture, const struct qs_history_row *rows, uint32_t count, bool passed);

#endif
