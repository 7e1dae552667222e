/* cli.h - what the parts of the terminal program share
 *
 * main.c finds the sub-command and options.c reads its arguments by table; every cmd_*.c then works on struct cli_args alone.
 * output.c prints tables and JSON, names.c finds the nearest match, open.c opens a capture and goes to a moment.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <glib.h>
#include <inttypes.h>
#include <stdio.h>

#include "quadscope.h"

/* Exit status of every sub-command. */
enum cli_status { CLI_DONE = 0, CLI_DIFFERENT = 1, CLI_ERROR = 2 };

/* ---- options.c ---------------------------------------------------------------------------------------------------------- */

struct cli_option {
	const char *name; /* "at": long form without dashes */
	char letter;      /* 'o', or 0 */
	const char *argument; /* "MOMENT", or NULL for a switch */
	const char *text;
};

#define CLI_JSON {"json", 0, NULL, "print JSON instead of text"}
#define CLI_AT {"at", 0, "MOMENT", "the moment, for example 2/57/0/13/2, 2/57, 2@0x1a3c or 2"}
#define CLI_MODEL {"model", 0, "MODEL", "hardware (default), dolphin or pureikyubu; of Gfx3D calls chrisos, virgl or corrected"}
#define CLI_QUIRK {"quirk", 0, "NAME=VALUE", "set one quirk of the model; may be given several times"}
#define CLI_PIPELINE \
	{"pipeline", 0, "PIPELINE", "who draws: soft (default), or shader: a VirGL host"}, \
	{"virgl-socket", 0, "FILE", "join the virgl_test_server that listens there instead of starting one"}
#define CLI_END {NULL, 0, NULL, NULL}

struct cli_args {
	const struct cli_command *command;
	GPtrArray *words;  /* of char *: arguments that are no options */
	GPtrArray *values; /* of struct cli_value, in order */
};

struct cli_command {
	const char *name;
	const char *arguments; /* "CAPTURE [FILTER]" */
	unsigned min_words, max_words;
	const char *summary; /* one line, lower case */
	const char *details; /* paragraphs of --help, or NULL */
	const char *examples; /* lines without indentation */
	const struct cli_option *options;
	enum cli_status (*run)(const struct cli_args *args);
};

bool cli_args_parse(const struct cli_command *command, int argc, char **argv, struct cli_args *args);
void cli_args_finish(struct cli_args *args);
bool cli_has(const struct cli_args *args, const char *option);
const char *cli_value(const struct cli_args *args, const char *option); /* the last one given, or NULL */
const char *cli_value_nth(const struct cli_args *args, const char *option, unsigned n);
/* The i-th option in the order given: its name, and its value or NULL. */
const char *cli_value_at(const struct cli_args *args, unsigned i, const char **text);
void cli_help(const struct cli_command *command);
/* Whole numbers, decimal or 0x; false after a message that names `what`. */
bool cli_number(const char *text, const char *what, int64_t minimum, int64_t maximum, int64_t *number);
bool cli_option_number(const struct cli_args *args, const char *option, int64_t minimum, int64_t maximum, int64_t *number);
bool cli_point(const char *text, const char *what, int *x, int *y);

/* "qscope: sentence" on stderr; returns CLI_ERROR. */
enum cli_status cli_fail(const char *format, ...) G_GNUC_PRINTF(1, 2);
enum cli_status cli_fail_error(const struct qs_error *error);

extern const struct cli_command cli_cmd_info, cli_cmd_list, cli_cmd_regs, cli_cmd_state, cli_cmd_render, cli_cmd_trace,
	cli_cmd_history, cli_cmd_imgdiff, cli_cmd_diff, cli_cmd_lint, cli_cmd_program, cli_cmd_run, cli_cmd_scene, cli_cmd_shader, cli_cmd_debug;

/* ---- names.c ------------------------------------------------------------------------------------------------------------ */

/* The nearest of the names to the text, or NULL when none is near. */
struct cli_nearest {
	const char *text;
	const char *name;
	unsigned distance;
};
void cli_nearest_begin(struct cli_nearest *nearest, const char *text);
void cli_nearest_offer(struct cli_nearest *nearest, const char *name);
const char *cli_nearest_hint(const struct cli_nearest *nearest, char *buffer, size_t size); /* "; did you mean 'x'?" or "" */

/* Resolves "bp", "bp.GEN_MODE", "bp.GEN_MODE.ntev", "bp.0x40"; reg and field may stay NULL. False after *message is set. */
struct cli_register {
	bool any_unit;
	enum qs_unit unit;
	const struct qs_register *reg;
	const struct qs_field *field;
};
bool cli_register_parse(const char *text, struct cli_register *found, struct qs_error *error);

/* ---- open.c ------------------------------------------------------------------------------------------------------------- */

struct cli_session {
	struct qs_capture *capture;
	struct qs_timeline *timeline;
	uint32_t *draws_before; /* per command: draws of the capture before it; made by cli_draws_between */
};

/* Opens words[0], makes a timeline (not when capture_only) and applies --model and --quirk. */
bool cli_open(const struct cli_args *args, unsigned word, bool capture_only, struct cli_session *session);
void cli_close(struct cli_session *session);
bool cli_set_quirk(struct qs_timeline *timeline, const char *assignment, struct qs_error *error); /* "name=value" */
bool cli_set_model(struct qs_timeline *timeline, const char *name, struct qs_error *error);
/* from: as qs_timeline_set_pipeline; socket NULL: a host of our own. */
bool cli_set_pipeline(struct qs_timeline *timeline, const char *name, uint32_t from, const char *socket, struct qs_error *error);
/* cmd_program.c: programs and commands of the draw at the moment. */
bool cli_print_program(FILE *out, struct qs_timeline *timeline, struct qs_error *error);
/* --at, else the end of --frame, else the end of frame 1 (or of the last frame when last is set). */
bool cli_moment(const struct cli_args *args, const struct cli_session *session, bool last, struct qs_moment *moment);
bool cli_seek(const struct cli_args *args, const struct cli_session *session, bool last);
/* Draws executed after `writer` up to and including `now`. */
uint32_t cli_draws_between(struct cli_session *session, uint32_t writer, uint32_t now);
/* "12 commands, 3 draws ago" of a register's writer as seen from the command; "initial state". */
char *cli_age(struct cli_session *session, uint32_t writer, uint32_t now, char *buffer, size_t size);
char *cli_command_moment(const struct qs_capture *capture, uint32_t command, char *buffer, size_t size);
/* Always the offset form: "2@0x1a3c". */
char *cli_command_offset(const struct qs_capture *capture, uint32_t command, char *buffer, size_t size);
const char *cli_kind_name(unsigned kind); /* "bp" */

/* ---- output.c ----------------------------------------------------------------------------------------------------------- */

/* Colours: only where stdout is a terminal and NO_COLOR is unset; else they are all "". */
struct cli_style {
	const char *bold, *dim, *good, *bad, *accent, *off;
};
const struct cli_style *cli_style(void);
bool cli_stdout_is_terminal(void);

/* A table prints itself with each column as wide as its widest cell.  Columns: one letter each, l left, r right. */
struct cli_table;
struct cli_table *cli_table_new(const char *columns);
/* One cell per column; NULL is an empty cell.  The strings are copied. */
void cli_table_row(struct cli_table *table, ...);
void cli_table_head(struct cli_table *table, ...); /* printed dim */
void cli_table_cell(struct cli_table *table, const char *format, ...) G_GNUC_PRINTF(2, 3); /* cell by cell instead */
void cli_table_end_row(struct cli_table *table);
void cli_table_print(struct cli_table *table, FILE *out, unsigned indent); /* and frees it */
void cli_table_free(struct cli_table *table);

/* JSON, written as it comes so that a capture of millions of commands needs no memory.  key is NULL inside arrays. */
struct cli_json {
	FILE *out;
	unsigned depth;
	uint32_t inline_depth; /* objects at this depth and deeper stay on one line; 0: none */
	bool first;
};
void json_begin(struct cli_json *json, FILE *out);
void json_end(struct cli_json *json);
void json_object(struct cli_json *json, const char *key);
void json_object_end(struct cli_json *json);
void json_array(struct cli_json *json, const char *key);
void json_array_end(struct cli_json *json);
/* The next object or array and all inside it go on one line. */
void json_row(struct cli_json *json, const char *key);
void json_list(struct cli_json *json, const char *key);
void json_string(struct cli_json *json, const char *key, const char *value); /* NULL: null */
void json_int(struct cli_json *json, const char *key, int64_t value);
void json_uint(struct cli_json *json, const char *key, uint64_t value);
void json_number(struct cli_json *json, const char *key, double value); /* not finite: null */
void json_float(struct cli_json *json, const char *key, float value);
void json_bool(struct cli_json *json, const char *key, bool value);
void json_colour(struct cli_json *json, const char *key, const uint8_t rgba[4]);
void json_moment(struct cli_json *json, const char *key, const struct qs_capture *capture, const struct qs_moment *moment);

char *cli_colour(const uint8_t rgba[4], char buffer[10]); /* "#a0c4ffff" */
char *cli_real(double value, char *buffer, size_t size);  /* at most 7 digits, never "-0" */

/* ---- explain.c ---------------------------------------------------------------------------------------------------------- */

const char *cli_compare_sign(unsigned func); /* "<=", "never", "always" */
bool cli_compare(unsigned func, uint32_t a, uint32_t b);
const char *cli_setup_verdict(unsigned verdict);
const char *cli_primitive_name(unsigned kind);
/* One sentence without full stop: "late depth test failed: 0x7f3a10 < 0x7f0000 is false". */
char *cli_fragment_sentence(const struct qs_fragment *fragment, char *buffer, size_t size);
char *cli_history_sentence(const struct qs_history_row *row, char *buffer, size_t size);
/* One line about the current moment for the debugger: what it is and what became of it. */
void cli_describe(struct qs_timeline *timeline, FILE *out);

#endif
