/* debug_commands.c - the table of the debugger's commands; names, short forms, help
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "cli/debug.h"

#define LEVELS "LEVEL is frame, command, draw, primitive, quad, fragment or stage; without it the level of the moment.\n"

static DEBUG_RUN(help);
static DEBUG_RUN(quit);
static DEBUG_RUN(source);
static DEBUG_RUN(model);
static DEBUG_RUN(quirk);
static DEBUG_RUN(set);
static DEBUG_RUN(hash);

const struct debug_command debug_commands[] = {
	{"back", "[N]", "go back to the moment visited before", NULL, DEBUG_COMPLETE_NOTHING, true, debug_back},
	{"break", "[WHERE] [if CONDITION]", "set a breakpoint or list them",
		"WHERE is draw N, draw FRAME/N, primitive FRAME/N/P, quad, pixel X,Y, pixel X,Y-X,Y, command KIND or\n"
		"write UNIT.REGISTER[.FIELD]; 'break if CONDITION' stops at the first event of any draw for which it is true.\n"
		"'log' or 'count' in front: report and go on, or only count. Conditions use registers (bp.GEN_MODE.ntev) and\n"
		"variables of the event (draw x y verdict alpha z z_old coverage ...): break if verdict == late_z and x < 100\n",
		DEBUG_COMPLETE_BREAK, false, debug_break},
	{"change", "REG[.FIELD] [previous]", "go to the next (or previous) command that changes a register",
		"For example: change bp.PE_ZMODE.func previous\n", DEBUG_COMPLETE_REGISTER, true, debug_change},
	{"continue", "[N]", "run to the next breakpoint, or N of them", NULL, DEBUG_COMPLETE_NOTHING, true, debug_continue},
	{"delete", "[N ... | all]", "delete breakpoints", NULL, DEBUG_COMPLETE_NOTHING, false, debug_delete},
	{"disable", "[N ... | all]", "switch breakpoints off", NULL, DEBUG_COMPLETE_NOTHING, false, debug_disable},
	{"enable", "[N ... | all]", "switch breakpoints on", NULL, DEBUG_COMPLETE_NOTHING, false, debug_enable},
	{"finish", "[LEVEL]", "go out to the end of the draw (or of the primitive, quad, frame ...)",
		"At a draw already: to the end of the frame.\n", DEBUG_COMPLETE_LEVEL, false, debug_finish},
	{"forward", "[N]", "undo 'back'", NULL, DEBUG_COMPLETE_NOTHING, true, debug_forward},
	{"goto", "MOMENT | pixel X,Y | draw N | frame N | start | end", "go to a moment",
		"MOMENT is 2 (frame), 2/57 (draw), 2/57/0/13/2/4 (as fine as wanted), 2@0x1a3c (command); /57 and @0x1a3c are in the\n"
		"current frame. 'goto pixel X,Y' goes to the fragment of the current draw that covers the pixel, else to the one\n"
		"that wrote it last. 'goto next pixel X,Y' and 'goto previous pixel X,Y' go to the next draw that reaches it.\n",
		DEBUG_COMPLETE_MOMENT, false, debug_goto},
	{"gxpipeline", "[soft | shader] [all]", "show or choose who draws: the units here, or a VirGL host",
		"From the next frame on; with 'all' in every frame. The host is a virgl_test_server that is started for it.\n",
		DEBUG_COMPLETE_PIPELINE, false, debug_pipeline},
	{"hash", "", "print the hash of the machine's whole state", NULL, DEBUG_COMPLETE_NOTHING, false, hash},
	{"help", "[COMMAND]", "list the commands or explain one", NULL, DEBUG_COMPLETE_COMMAND, false, help},
	{"history", "[X,Y]", "list everything that reached a pixel in the frame", "Without X,Y: the pixel of the current fragment.\n",
		DEBUG_COMPLETE_NOTHING, false, debug_history},
	{"image", "BUFFER FILE.png", "write a buffer at the moment as PNG", NULL, DEBUG_COMPLETE_BUFFER, false, debug_image},
	{"in", "", "go to the first thing inside the current one", "From a draw to its first primitive, then quad, fragment, stage.\n",
		DEBUG_COMPLETE_NOTHING, true, debug_in},
	{"info", "[capture | frame | draw | breakpoints | quirks]", "show facts about the capture or the moment", NULL, DEBUG_COMPLETE_INFO, false,
		debug_info},
	{"lint", "[frame]", "check the capture, or only the current frame, for what is easily overlooked", NULL, DEBUG_COMPLETE_NOTHING,
		false, debug_lint},
	{"list", "[MOMENT | draws]", "list the commands around the moment", NULL, DEBUG_COMPLETE_MOMENT, false, debug_list},
	{"lua", "[CODE]", "run a line of Lua, or enter the Lua prompt",
		"For example: lua qs.regs.bp.GEN_MODE.ntev. At the prompt a line with a dot, or Ctrl-D, goes back; qs.help() lists what\n"
		"there is. Hooks that are set there run with qs.replay().\n",
		DEBUG_COMPLETE_LUA, false, debug_lua},
	{"memory", "[tmem] ADDRESS [SIZE]", "show bytes of main memory or TMEM", NULL, DEBUG_COMPLETE_NOTHING, false, debug_memory},
	{"model", "[hardware | dolphin | pureikyubu]", "show or choose the model", NULL, DEBUG_COMPLETE_MODEL, false, model},
	{"next", "[LEVEL] [N]", "step forward", LEVELS "Short: nd np nq nf ns nc (draw primitive quad fragment stage command).\n",
		DEBUG_COMPLETE_LEVEL, true, debug_next},
	{"pe", "", "show tests, fog and blending of the current fragment", NULL, DEBUG_COMPLETE_NOTHING, false, debug_pe},
	{"pixel", "[X,Y]", "show a pixel of the EFB and the moment that wrote it last", NULL, DEBUG_COMPLETE_NOTHING, false,
		debug_pixel},
	{"peek", "[z] X,Y", "what the processor reads at a pixel", "ARGB with the alpha that pe.ALPHAREAD chooses; with z the depth.\n",
		DEBUG_COMPLETE_NOTHING, false, debug_peek},
	{"poke", "[z] X,Y VALUE | REGISTER VALUE | off N", "what if: the processor writes a pixel after this command",
		"VALUE is ARGB, depth after z, or 16 bits for ZCONF, ALPHACONF, DSTALPHA, ALPHAMODE, ALPHAREAD, which rule pokes.\n"
		"The replay does it from now on; 'poke off N' takes number N back.\n", DEBUG_COMPLETE_NOTHING, false, debug_poke},
	{"previous", "[LEVEL] [N]", "step back", LEVELS "Short: pd pp pq pf ps pc.\n", DEBUG_COMPLETE_LEVEL, true, debug_previous},
	{"print", "EXPRESSION", "print the value of an expression or register field", "For example: print bp.GEN_MODE.ntev\n",
		DEBUG_COMPLETE_EXPRESSION, false, debug_print},
	{"program", "", "show the programs and commands that the shader pipeline draws the current draw with", NULL,
		DEBUG_COMPLETE_NOTHING, false, debug_program},
	{"quad", "", "show the coverage and fragments of the current quad", NULL, DEBUG_COMPLETE_NOTHING, false, debug_quad},
	{"quirk", "[NAME [VALUE]]", "list the quirks or set one", NULL, DEBUG_COMPLETE_QUIRK, false, quirk},
	{"quit", "", "leave the debugger", NULL, DEBUG_COMPLETE_NOTHING, false, quit},
	{"regs", "[UNIT[.NAME[.FIELD]]]", "show the register reference", NULL, DEBUG_COMPLETE_REGISTER, false, debug_regs},
	{"reverse-continue", "[N]", "run back to the breakpoint before", NULL, DEBUG_COMPLETE_NOTHING, true, debug_reverse},
	{"set", "batch N", "change a setting of the replay", "batch: quads per batch, 1 to 16; results never depend on it.\n",
		DEBUG_COMPLETE_SETTING, false, set},
	{"setup", "", "show the setup record of the current primitive", NULL, DEBUG_COMPLETE_NOTHING, false, debug_setup},
	{"show", "[BUFFER]", "draw a buffer in the terminal", "BUFFER is color (default), alpha, depth, coverage, copy or xfb.\n",
		DEBUG_COMPLETE_BUFFER, false, debug_picture},
	{"source", "FILE", "run the debugger commands in a file", NULL, DEBUG_COMPLETE_FILE, false, source},
	{"state", "[UNIT[.NAME] | changed | since MOMENT]", "show the registers at the moment",
		"'changed' shows what differs from the draw before, 'since' what differs from another moment.\n",
		DEBUG_COMPLETE_REGISTER, false, debug_state},
	{"tbreak", "WHERE [if CONDITION]", "set a breakpoint that is deleted when it stops", "As 'break'.\n", DEBUG_COMPLETE_BREAK, false,
		debug_tbreak},
	{"tev", "[STAGE]", "show the TEV stages of the current fragment", NULL, DEBUG_COMPLETE_NOTHING, false, debug_tev},
	{"texture", "[MAP [LEVEL FILE.png]]", "list the textures of the moment, or write one as PNG", NULL, DEBUG_COMPLETE_FILE, false,
		debug_texture},
	{"trace", "[all | X,Y]", "show everything the units did at the moment", "At a copy, X,Y is a texel of it; 'all' does not cut long tables.\n",
		DEBUG_COMPLETE_NOTHING, false, debug_trace},
	{"until", "MOMENT | CONDITION", "run to a moment, or until a condition is true",
		"For example: until 2/57, until verdict == alpha, until bp.GEN_MODE.ntev > 2\n", DEBUG_COMPLETE_EXPRESSION, true,
		debug_until},
	{"where", "", "show the moment and what it is in", NULL, DEBUG_COMPLETE_NOTHING, false, debug_where},
	{NULL, NULL, NULL, NULL, DEBUG_COMPLETE_NOTHING, false, NULL},
};

const struct debug_alias debug_aliases[] = {
	{"n", "next"}, {"nd", "next draw"}, {"np", "next primitive"}, {"nq", "next quad"}, {"nf", "next fragment"},
	{"ns", "next stage"}, {"nc", "next command"}, {"p", "previous"}, {"pd", "previous draw"}, {"pp", "previous primitive"},
	{"pq", "previous quad"}, {"pf", "previous fragment"}, {"ps", "previous stage"}, {"pc", "previous command"},
	{"b", "break"}, {"c", "continue"}, {"rc", "reverse-continue"}, {"d", "delete"}, {"u", "until"},
	{"g", "goto"}, {"h", "help"}, {"i", "info"}, {"l", "list"}, {"q", "quit"}, {"t", "trace"}, {"w", "where"},
	{"out", "finish"}, {"undo", "back"}, {"redo", "forward"}, {"exit", "quit"}, {"?", "help"}, {NULL, NULL},
};

/* ---- finding ------------------------------------------------------------------------------------------------------------ */

static const struct debug_command *by_name(const char *name, size_t length)
{
	for (const struct debug_command *c = debug_commands; c->name; c++)
		if (strlen(c->name) == length && strncmp(c->name, name, length) == 0)
			return c;
	return NULL;
}

static bool unknown(const char *name, struct qs_error *error)
{
	struct cli_nearest nearest;
	char hint[64];

	cli_nearest_begin(&nearest, name);
	for (const struct debug_command *c = debug_commands; c->name; c++)
		cli_nearest_offer(&nearest, c->name);
	return debug_fail(error, "There is no command '%s'%s", name,
		nearest.name ? cli_nearest_hint(&nearest, hint, sizeof hint) : " ('help' lists them).");
}

static bool ambiguous(const char *name, struct qs_error *error)
{
	GString *all = g_string_new(NULL);
	size_t length = strlen(name);

	for (const struct debug_command *c = debug_commands; c->name; c++)
		if (strncmp(c->name, name, length) == 0)
			g_string_append_printf(all, "%s%s", all->len ? ", " : "", c->name);
	debug_fail(error, "'%s' can mean %s.", name, all->str);
	g_string_free(all, TRUE);
	return false;
}

const struct debug_command *debug_find(const char *name, const char **prefix, struct qs_error *error)
{
	const struct debug_command *found = by_name(name, strlen(name));
	size_t length = strlen(name);

	*prefix = "";
	if (found)
		return found;
	for (const struct debug_alias *a = debug_aliases; a->name; a++) {
		if (strcmp(a->name, name) == 0) {
			size_t first = strcspn(a->line, " ");

			*prefix = a->line[first] ? a->line + first + 1 : "";
			return by_name(a->line, first);
		}
	}
	for (const struct debug_command *c = debug_commands; c->name; c++) {
		if (strncmp(c->name, name, length) != 0)
			continue;
		if (found)
			return ambiguous(name, error) ? NULL : NULL;
		found = c;
	}
	if (!found)
		unknown(name, error);
	return found;
}

/* ---- small commands ----------------------------------------------------------------------------------------------------- */

static void help_one(const struct debug_command *command)
{
	GString *aliases = g_string_new(NULL);

	printf("%s %s\n  %s\n", command->name, command->arguments, command->summary);
	if (command->help) {
		char **line = g_strsplit(command->help, "\n", -1);

		for (char **l = line; *l; l++)
			if (**l)
				printf("  %s\n", *l);
		g_strfreev(line);
	}
	for (const struct debug_alias *a = debug_aliases; a->name; a++)
		if (strcmp(a->line, command->name) == 0)
			g_string_append_printf(aliases, " %s", a->name);
	if (aliases->len)
		printf("  short:%s\n", aliases->str);
	g_string_free(aliases, TRUE);
}

static DEBUG_RUN(help)
{
	const struct debug_command *command;
	const char *prefix;
	struct cli_table *table;

	(void)dbg;
	(void)rest;
	if (word[0]) {
		command = debug_find(word[0], &prefix, error);
		if (!command)
			return false;
		help_one(command);
		return true;
	}
	table = cli_table_new("ll");
	for (const struct debug_command *c = debug_commands; c->name; c++)
		cli_table_row(table, c->name, c->summary);
	cli_table_print(table, stdout, 2);
	puts("\nEvery command can be shortened as long as it is unambiguous; nd pd np pp nq pq nf pf ns ps nc pc step by draw,\n"
	     "primitive, quad, fragment, stage, command. An empty line repeats a step. 'help COMMAND' says more.");
	return true;
}

static DEBUG_RUN(quit)
{
	(void)word;
	(void)rest;
	(void)error;
	dbg->quit = true;
	return true;
}

static DEBUG_RUN(source)
{
	(void)word;
	if (!*rest)
		return debug_fail(error, "'source' needs a file.");
	return debug_source(dbg, rest, error);
}

static DEBUG_RUN(model)
{
	(void)rest;
	if (word[0] && !cli_set_model(dbg->session.timeline, word[0], error))
		return false;
	printf("model %s\n", qs_model_name(qs_timeline_model(dbg->session.timeline)));
	return true;
}

static void list_quirks(const struct qs_timeline *timeline, const char *only)
{
	struct cli_table *table = cli_table_new("lrl");
	enum qs_model current = qs_timeline_model(timeline);

	for (uint32_t i = 0; i < qs_quirk_count(); i++) {
		const struct qs_quirk *q = qs_quirk_at(i);
		int value = qs_timeline_quirk(timeline, q->name);

		if (only && strcmp(only, q->name) != 0)
			continue;
		cli_table_cell(table, "%s%s", q->name, value == q->value[current] ? "" : " *");
		cli_table_cell(table, "%d", value);
		cli_table_cell(table, "%s", q->text);
	}
	cli_table_print(table, stdout, 2);
}

static DEBUG_RUN(quirk)
{
	const char *equals = word[0] ? strchr(word[0], '=') : NULL;
	char *assignment;
	bool good;

	(void)rest;
	if (!word[0] || (!word[1] && !equals)) {
		list_quirks(dbg->session.timeline, word[0]);
		return true;
	}
	assignment = equals ? g_strdup(word[0]) : g_strdup_printf("%s=%s", word[0], word[1]);
	good = cli_set_quirk(dbg->session.timeline, assignment, error);
	g_free(assignment);
	return good;
}

static DEBUG_RUN(set)
{
	int64_t number;

	(void)rest;
	if (!word[0] || strcmp(word[0], "batch") != 0)
		return debug_fail(error, "There is one setting: 'set batch N'.");
	if (!word[1])
		return debug_fail(error, "'set batch' needs a number from 1 to 16.");
	if (!debug_number(word[1], "The batch", 1, 16, &number, error))
		return false;
	qs_timeline_set_batch(dbg->session.timeline, (unsigned)number);
	return true;
}

static DEBUG_RUN(hash)
{
	(void)word;
	(void)rest;
	(void)error;
	printf("%016" PRIx64 "\n", qs_timeline_hash(dbg->session.timeline));
	return true;
}
