/* bench_lua.c - what hooks cost: time of a replay with a hook against one without
 *
 * The demand: a hook for each quad costs at most three times the frame without hooks.
 *
 *   bench_lua [CAPTURE.dff ...]
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lua/engine.h"

#define TRIES 7

static const struct {
	const char *name, *text;
} probes[] = {
	{"no hook", "n = 0"},
	{"quad, counted", "local c = 0 qs.on.quad(function() c = c + 1 end) qs.on.done(function() n = c end)"},
	{"quad, three fields", "local c, s = 0, 0 qs.on.quad(function(q, x, y) c = c + 1 if q.coverage ~= 0xfff then s = s + q.draw + q.primitive end end) "
		"qs.on.done(function() n = c end)"},
	{"quad, filter false", "qs.on.quad('x < 0', function() end) n = 0"},
	{"fragment, counted", "local c = 0 qs.on.fragment(function() c = c + 1 end) qs.on.done(function() n = c end)"},
	{"fragment, verdict", "local c = 0 qs.on.fragment(function(f) if f.verdict == 'late_z' then c = c + 1 end end) qs.on.done(function() n = c end)"},
	{"fragment, filtered", "local c = 0 qs.on.fragment('verdict == late_z', function(f) c = c + 1 end) qs.on.done(function() n = c end)"},
	{"stage, counted", "local c = 0 qs.on.stage(function(s) c = c + 1 end) qs.on.done(function() n = c end)"},
	{"primitive, counted", "local c = 0 qs.on.primitive(function(s) c = c + 1 end) qs.on.done(function() n = c end)"},
	{"write, pattern", "local c = 0 qs.on.write('bp.*', function(e) c = c + e.new end) n = c"},
	{"draw, counted", "local c = 0 qs.on.draw(function(d) c = c + 1 end) qs.on.done(function() n = c end)"},
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static char output[256];

static void print(void *user, const char *text, bool is_error)
{
	(void)user;
	(void)is_error;
	snprintf(output, sizeof output, "%s", text);
}

/* Seconds of the fastest replay. */
static double measure(struct qs_script *script, const char *text)
{
	struct qs_error error;
	double best = 1e9;

	if (!qs_script_run_text(script, text, "=bench", &error)) { /* sets the hooks, and warms up */
		fprintf(stderr, "%s\n", error.text);
		exit(1);
	}
	for (int i = 0; i < TRIES; i++) {
		double start = now();

		if (!qs_script_eval(script, "qs.replay()", NULL, &error)) {
			fprintf(stderr, "%s\n", error.text);
			exit(1);
		}
		if (now() - start < best)
			best = now() - start;
	}
	return best;
}

static int bench(const char *path)
{
	const struct qs_script_host host = {.print = print};
	struct qs_error error = {0};
	struct qs_capture *capture = qs_capture_open(path, NULL, NULL, &error);
	struct qs_timeline *timeline = capture ? qs_timeline_create(capture, &error) : NULL;
	struct qs_script *script = timeline ? qs_script_create(timeline, &host, NULL, &error) : NULL;
	const char *name = strrchr(path, '/');
	double base = 0;

	if (!script) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	printf("%s\n", name ? name + 1 : path);
	for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
		double time = measure(script, probes[i].text), count;

		if (!i)
			base = time;
		qs_script_eval(script, "n", NULL, &error);
		count = atof(output) / (TRIES + 1);
		printf("  %-20s %8.2f ms  %5.2f x", probes[i].name, time * 1e3, time / base);
		if (count > 1000)
			printf("  %9.0f calls, %4.0f ns each", count, (time - base) / count * 1e9);
		printf("%s\n", strncmp(probes[i].name, "quad", 4) == 0 && time > 3 * base ? "  more than 3 times" : "");
	}
	qs_script_destroy(script);
	qs_timeline_destroy(timeline);
	qs_capture_destroy(capture);
	return 0;
}

int main(int argc, char **argv)
{
	static const char *const usual[] = {"tour", "z-early-late", "tev-sixteen-stages", "perspective-cube"};
	const char *data = getenv("QS_DATA");
	int failed = 0;

	for (int i = 1; i < argc; i++)
		failed |= bench(argv[i]);
	for (size_t i = 0; argc == 1 && i < sizeof usual / sizeof *usual; i++) {
		char path[700];

		snprintf(path, sizeof path, "%s/captures/%s.dff", data ? data : "data", usual[i]);
		failed |= bench(path);
	}
	return failed;
}
