/* script_host.h - a host that writes down everything a script shows
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_SCRIPT_HOST_H
#define TESTS_SCRIPT_HOST_H

#include <stdarg.h>

#include "lua/engine.h"
#include "session.h"

struct script_host {
	char *out; /* all text, plots and tables in order */
	size_t used, room;
	unsigned moves, errors;
	double fraction;   /* last progress */
	int stop_after;    /* calls of progress before it asks to stop; 0: never */
	struct qs_script_host host;
};

static inline void note(struct script_host *h, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline void note(struct script_host *h, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (h->used + (size_t)n + 1 > h->room) {
		h->room = 2 * (h->used + (size_t)n + 1);
		h->out = realloc(h->out, h->room);
	}
	va_start(args, format);
	vsnprintf(h->out + h->used, (size_t)n + 1, format, args);
	va_end(args);
	h->used += (size_t)n;
}

static inline void note_print(void *user, const char *text, bool is_error)
{
	struct script_host *h = user;

	h->errors += is_error;
	note(h, "%s%s", is_error ? "error: " : "", text);
}

static inline void note_values(struct script_host *h, const char *name, const double *v, size_t count)
{
	if (!v)
		return;
	note(h, " %s", name);
	for (size_t i = 0; i < count && i < 40; i++)
		note(h, "%s%g", i ? "," : "=", v[i]);
}

static inline void note_plot(void *user, const struct qs_plot *p)
{
	static const char *const kinds[] = {"line", "scatter", "hist", "heat"};
	struct script_host *h = user;

	note(h, "<%s '%s' %s|%s %ux%u %zu", kinds[p->kind], p->title, p->x_label ? p->x_label : "", p->y_label ? p->y_label : "", p->width,
		p->height, p->count);
	note_values(h, "x", p->x, p->count);
	note_values(h, "y", p->y, p->count);
	note(h, ">\n");
}

static inline void note_overlay(void *user, const struct qs_overlay *o, size_t count)
{
	static const char *const kinds[] = {"rect", "line", "text", "point"};
	struct script_host *h = user;

	note(h, "<overlay");
	for (size_t i = 0; i < count; i++)
		note(h, " %s %g,%g,%g,%g %08x%s%s", kinds[o[i].kind], o[i].x0, o[i].y0, o[i].x1, o[i].y1, o[i].colour, o[i].text ? " " : "",
			o[i].text ? o[i].text : "");
	note(h, ">\n");
}

static inline void note_table(void *user, const struct qs_table_data *t)
{
	struct script_host *h = user;

	note(h, "<table '%s'", t->title ? t->title : "");
	for (size_t i = 0; i < t->columns; i++)
		note(h, "%s%s", i ? "|" : " ", t->column[i]);
	for (size_t i = 0; i < t->rows * t->columns; i++)
		note(h, "%s%s", i % t->columns ? "|" : "; ", t->cell[i]);
	note(h, ">\n");
}

static inline void note_moved(void *user, const struct qs_moment *moment)
{
	struct script_host *h = user;

	(void)moment;
	h->moves++;
}

static inline bool note_progress(void *user, double fraction)
{
	struct script_host *h = user;

	h->fraction = fraction;
	return !h->stop_after || --h->stop_after > 0;
}

static inline struct qs_script *open_script(struct script_host *h, struct qs_timeline *t, const struct qs_script_limits *limits)
{
	struct qs_script *script;
	struct qs_error error;

	memset(h, 0, sizeof *h);
	h->host = (struct qs_script_host){h, note_print, note_plot, note_overlay, note_table, note_moved, note_progress, NULL};
	script = qs_script_create(t, &h->host, limits, &error);
	ck_assert_msg(script != NULL, "%s", error.text);
	return script;
}

static inline void clear_notes(struct script_host *h)
{
	h->used = 0;
	h->moves = h->errors = 0;
	if (h->out)
		*h->out = 0;
}

static inline const char *noted(const struct script_host *h)
{
	return h->out ? h->out : "";
}

#endif
