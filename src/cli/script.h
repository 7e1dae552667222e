/* script.h - scripts in the terminal: what qscope run and the debugger share
 *
 * script.c shows what a script prints, plots and tabulates; plot.c draws charts with characters.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_SCRIPT_H
#define CLI_SCRIPT_H

#include "cli/cli.h"
#include "lua/engine.h"

struct cli_script {
	struct cli_session *session;
	struct qs_script *script;
	bool json;     /* one JSON object a line */
	double started; /* seconds; 0: nothing has been reported */
	bool shown;     /* a percentage is on stderr */
};

/* limits: NULL for the usual ones. */
bool cli_script_open(struct cli_script *s, struct cli_session *session, bool json, const struct qs_script_limits *limits,
	struct qs_error *error);
/* The same for scripts that may save a scene. */
typedef bool (*cli_save_fn)(void *user, const char *name, const void *data, size_t size, struct qs_error *error);
bool cli_script_open_saving(struct cli_script *s, struct cli_session *session, bool json, const struct qs_script_limits *limits,
	cli_save_fn save, struct qs_error *error);
void cli_script_settle(struct cli_script *s); /* a script has ended: takes the percentage away */
void cli_script_close(struct cli_script *s);

void plot_print(const struct qs_plot *plot, FILE *out);

#endif
