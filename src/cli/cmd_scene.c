/* cmd_scene.c - qscope scene: a Lua script that builds a capture
 *
 * Scripts have no access to files: what they save is kept by save_scene and written when they have ended well.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli/script.h"

static const struct cli_option options[] = {
	{"output", 'o', "FILE.dff|FOLDER", "the file to write, or the folder for scenes with names; without it nothing is written"},
	{"seconds", 's', "N", "stop a script after N seconds of processor time (default 60, 0: never)"},
	{"memory", 'm', "MIB", "memory that the script may use (default 256)"},
	CLI_JSON, CLI_END,
};

struct saved {
	char *name;
	void *data;
	size_t size;
};

struct building {
	struct cli_script script; /* first: what the host of scripts gets */
	bool many;         /* the output is a folder: scenes have names */
	GArray *saved;     /* of struct saved, kept until the script has ended well */
};

static struct qs_script *the_script; /* signals know no user pointer */

static void on_interrupt(int number)
{
	(void)number;
	qs_script_interrupt(the_script);
}

static bool good_name(const char *name)
{
	return name && *name && *name != '.' && strlen(name) < 100 &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == strlen(name);
}

static bool save_scene(void *user, const char *name, const void *data, size_t size, struct qs_error *error)
{
	struct building *b = user;
	struct saved s = {NULL, NULL, size};

	if (b->many && !good_name(name)) {
		qs_error_set(error, QS_ERR_SCRIPT, 0, "A scene for a folder needs a name of letters, digits, '-', '_' and '.': scene:save(name).");
		return false;
	}
	for (unsigned i = 0; i < b->saved->len; i++)
		if (!b->many || strcmp(g_array_index(b->saved, struct saved, i).name, name) == 0) {
			qs_error_set(error, QS_ERR_SCRIPT, 0,
				b->many ? "Two scenes are called '%s'." : "The script saves more than one scene; give -o a folder.", name);
			return false;
		}
	s.name = g_strdup(name);
	s.data = g_memdup2(data, size);
	g_array_append_val(b->saved, s);
	return true;
}

/* Without -o the scenes are only built. */
static bool ignore_scene(void *user, const char *name, const void *data, size_t size, struct qs_error *error)
{
	(void)user, (void)name, (void)data, (void)size, (void)error;
	return true;
}

static void free_saved(void *item)
{
	struct saved *s = item;

	g_free(s->name);
	g_free(s->data);
}

/* A capture for the script's table qs: one frame without commands. */
static bool open_nothing(struct cli_session *session, struct qs_error *error)
{
	struct qs_recording *r = qs_recording_create(3, false, error);
	uint8_t *data = NULL;
	size_t size;

	memset(session, 0, sizeof *session);
	if (r && qs_recording_end_frame(r, error) && qs_recording_bytes(r, &data, &size, error))
		session->capture = qs_capture_open_memory(data, size, error);
	if (session->capture)
		session->timeline = qs_timeline_create(session->capture, error);
	free(data);
	qs_recording_destroy(r);
	return session->timeline != NULL;
}

static enum cli_status write_scene(const struct building *b, const struct saved *s, const char *output)
{
	char *name = b->many ? g_strconcat(s->name, ".dff", NULL) : NULL, *path = b->many ? g_build_filename(output, name, NULL) : g_strdup(output);
	GError *problem = NULL;
	enum cli_status status = CLI_DONE;

	if (!g_file_set_contents(path, s->data, (gssize)s->size, &problem)) {
		status = cli_fail("Cannot write %s: %s.", path, problem->message);
		g_error_free(problem);
	}
	g_free(path);
	g_free(name);
	return status;
}

static enum cli_status run_script(const struct cli_args *args, struct building *b)
{
	const char *const *word = (const char *const *)args->words->pdata;
	const char *output = cli_value(args, "output");
	struct sigaction interrupt = {.sa_handler = on_interrupt}, before;
	struct qs_error error = {0};
	bool good;

	the_script = b->script.script;
	sigaction(SIGINT, &interrupt, &before);
	good = qs_script_run_file(b->script.script, word[0], (int)args->words->len - 1, word + 1, &error);
	sigaction(SIGINT, &before, NULL);
	cli_script_settle(&b->script);
	fflush(stdout);
	if (!good)
		return cli_fail_error(&error);
	if (qs_script_status(b->script.script))
		return (enum cli_status)qs_script_status(b->script.script);
	if (output && !b->saved->len)
		return cli_fail("%s saves no scene: it should end with scene:save().", word[0]);
	for (unsigned i = 0; output && i < b->saved->len; i++)
		if (write_scene(b, &g_array_index(b->saved, struct saved, i), output) != CLI_DONE)
			return CLI_ERROR;
	return CLI_DONE;
}

static enum cli_status run(const struct cli_args *args)
{
	const char *output = cli_value(args, "output");
	int64_t seconds = 60, memory = 256;
	struct qs_script_limits limits;
	struct cli_session session = {0};
	struct building b = {.many = !output || g_str_has_suffix(output, "/") || g_file_test(output, G_FILE_TEST_IS_DIR)};
	struct qs_error error;
	enum cli_status status;

	if (!cli_option_number(args, "seconds", 0, 1000000, &seconds) || !cli_option_number(args, "memory", 1, 65536, &memory))
		return CLI_ERROR;
	limits = (struct qs_script_limits){(double)seconds, (size_t)memory << 20};
	b.saved = g_array_new(FALSE, FALSE, sizeof(struct saved));
	g_array_set_clear_func(b.saved, free_saved);
	if (!open_nothing(&session, &error) ||
		!cli_script_open_saving(&b.script, &session, cli_has(args, "json"), &limits, output ? save_scene : ignore_scene, &error)) {
		cli_fail_error(&error);
		status = CLI_ERROR;
	} else {
		status = run_script(args, &b);
		cli_script_close(&b.script);
	}
	cli_close(&session);
	g_array_unref(b.saved);
	return status;
}

const struct cli_command cli_cmd_scene = {
	.name = "scene", .arguments = "SCRIPT.lua [-o FILE.dff|FOLDER] [-- ARGUMENTS]", .min_words = 1, .max_words = 1000,
	.summary = "build a capture with a Lua script",
	.details = "The script makes a scene with qs.scene: it sets registers by name, fills memory, draws and copies, and ends with\n"
		   "scene:save(). It has no other access to files: what it saves goes to FILE.dff, after it has ended without an error.\n"
		   "With a folder for -o a script may save several scenes: scene:save(\"name\") becomes FOLDER/name.dff.\n"
		   "There is no capture to look at; scene:open() opens what was built. Arguments after -- are in the table arg.\n"
		   "Exit status: 0, 1 when a qs.check failed, 2 on errors, or what qs.exit says.",
	.examples = "qscope scene tex-wrap.lua -o tex-wrap.dff\n"
		    "qscope scene fog.lua -o fog-exp2.dff -- exp2",
	.options = options, .run = run,
};
