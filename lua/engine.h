/* engine.h - scripts over a timeline: what the terminal program and the inspector use
 *
 * A script object owns one Lua state (sandboxed: no io, os, debug, package, no bytecode) and borrows a timeline.  All functions
 * are called on the timeline's thread; only qs_script_interrupt may be called from another one.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QS_LUA_ENGINE_H
#define QS_LUA_ENGINE_H

#include "quadscope.h"

struct qs_script;

enum qs_plot_kind { QS_PLOT_LINE, QS_PLOT_SCATTER, QS_PLOT_HISTOGRAM, QS_PLOT_HEAT };

/* line, scatter: count points x, y; histogram: count values in y; heat: width x height values in y, row by row. */
struct qs_plot {
	enum qs_plot_kind kind;
	const char *title;
	const char *x_label, *y_label; /* or NULL */
	const double *x, *y;
	size_t count;
	unsigned width, height;
};

enum qs_overlay_kind { QS_OVERLAY_RECT, QS_OVERLAY_LINE, QS_OVERLAY_TEXT, QS_OVERLAY_POINT };

/* In EFB pixels; colour 0xRRGGBBAA. */
struct qs_overlay {
	enum qs_overlay_kind kind;
	double x0, y0, x1, y1;
	uint32_t colour;
	const char *text; /* TEXT, or a label */
};

struct qs_table_data {
	const char *title;             /* or NULL */
	const char *const *column;     /* names */
	const char *const *cell;       /* rows * columns texts, row by row */
	size_t columns, rows;
};

/* Every function may be NULL.  Pointers are valid during the call. */
struct qs_script_host {
	void *user;
	void (*print)(void *user, const char *text, bool is_error); /* one or more whole lines with their newline */
	void (*plot)(void *user, const struct qs_plot *plot);       /* a plot of the same title replaces the one before */
	void (*overlay)(void *user, const struct qs_overlay *shapes, size_t count); /* the whole list, at the end of a call that changed it */
	void (*table)(void *user, const struct qs_table_data *table);
	void (*moved)(void *user, const struct qs_moment *moment);  /* the script has moved the timeline */
	bool (*progress)(void *user, double fraction);              /* false stops the script */
	/* A scene that the script saves: a FIFO log. name: what the script calls it, or NULL. Without it scripts write no files. */
	bool (*save)(void *user, const char *name, const void *data, size_t size, struct qs_error *error);
};

struct qs_script_limits {
	double seconds;     /* of one run, line or call of a hook, processor time without replays; 0: none */
	size_t bytes;       /* memory of the Lua state */
};

/* The default limits: 10 s, 256 MiB. */
struct qs_script *qs_script_create(struct qs_timeline *timeline, const struct qs_script_host *host,
	const struct qs_script_limits *limits, struct qs_error *error);
void qs_script_destroy(struct qs_script *script);
/* Runs a file or text (name is for messages: "=console").  When it leaves hooks behind and has not replayed by itself, the
 * capture is replayed once with them.  Errors carry file and line; the timeline stays usable.  Running again removes the hooks,
 * overlays, breakpoints and overrides of the run before. */
bool qs_script_run_file(struct qs_script *script, const char *path, int argc, const char *const *argv, struct qs_error *error);
bool qs_script_run_text(struct qs_script *script, const char *text, const char *name, struct qs_error *error);
/* One line of a prompt: an expression is printed, a statement executed.  *incomplete: more lines are needed (or NULL). */
bool qs_script_eval(struct qs_script *script, const char *text, bool *incomplete, struct qs_error *error);
/* Exit status asked for by qs.exit(n) or qs.check failures: 0, 1 or 2. */
int qs_script_status(const struct qs_script *script);
void qs_script_interrupt(struct qs_script *script);
/* Candidates for the word that ends at the end of text, NULL-terminated, malloc'ed (free with qs_script_free_list).  *start gets
 * the offset of the word in text. */
char **qs_script_complete(struct qs_script *script, const char *text, size_t *start);
void qs_script_free_list(char **list);

/* The interface table, for references and help. */
struct qs_api {
	const char *name;      /* "qs.on.quad" */
	const char *signature; /* "qs.on.quad([filter,] fn) -> handle" */
	const char *text;
	const char *example;
};
size_t qs_api_count(void);
const struct qs_api *qs_api_at(size_t i);

#endif
