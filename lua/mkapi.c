/* mkapi.c - writes docs/lua.md, the reference of scripts, from api.def and the fields of records (run by `make docs`)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "lua/record.h"

static const struct {
	const char *first; /* name of the first function of the chapter */
	const char *title, *text;
} chapters[] = {
	{"qs.regs", "Registers", "Names are those of [registers.md](registers.md); case does not matter. A field is a number: signed, fixed-point and "
		"float fields have their value, addresses are in bytes, enumerated and boolean fields are integers. `register.raw` is the whole "
		"register. A name that does not exist raises an error with the nearest one. In a hook the registers are those at the event."},
	{"qs.capture", "The capture and moments", "A moment is a text as everywhere in Quadscope; being at it means that everything up to it is done."},
	{"qs.on.frame", "Hooks", "A hook is called while the capture is replayed. The object it gets has the fields below; it is one object that is "
		"used again and valid only inside the hook (`e:copy()` makes a table that stays). `e.moment` is the text of its moment. A filter "
		"is an expression as in breakpoints, evaluated without Lua: its variables are those of `qscope help debug`, registers are "
		"written `bp.GEN_MODE.ntev`. A hook that returns false stops the replay at its moment. Hooks do not fire inside hooks. In frame, "
		"draw and command hooks and in `qs.on.done` everything can be asked, and even `qs.seek` does not disturb the replay; in the "
		"others the replay is under way and only the event, registers and memory can be read."},
	{"qs.pixel", "Pixels, pictures, textures", "Places are pixels of the EFB, 0,0 top left. A pixel object has r, g, b, a, z, x and y."},
	{"qs.trace", "Records of the moment", "Arrays of hardware things keep the hardware's numbers and begin with 0: `qs.trace().fragment[0].stage[3]`. "
		"Lists, such as `qs.vertices()`, begin with 1."},
	{"qs.memory.read", "Memory", "Addresses of main memory are the console's: MEM1 from 0, MEM2 from 0x10000000. Reading what is not there raises an error."},
	{"qs.print", "Showing", "A plot replaces the one with the same title. In the terminal plots are drawn with characters, with `--json` everything "
		"shown is a line of JSON."},
	{"qs.scene", "Scenes", "A scene is a capture that a script builds as a program would: registers are written, memory is filled, primitives "
		"are drawn, the picture is copied. Until `scene:start()`, the first draw or the first change of memory, writes make the initial "
		"state; afterwards they are commands of the frame. `s.bp.NAME.field = value` changes one field of what the register has there, "
		"`s.bp.NAME = {field=value}` several in one write; values are numbers, names of enumerated values or booleans, and reading gives "
		"what the register has at the scene's end. Without `bare` a scene begins with vertices of position (pixels) and colour, a "
		"depth test and the usual copy. `qscope scene` saves a scene as a file; the scenes of the sample captures are in data/scenes."},
	{"qs.snapshot", "States, breakpoints, checks", ""},
};

static void write_list(void *user, const char *name)
{
	unsigned *n = user;

	printf("%s`%s`", (*n)++ ? ", " : "", name);
}

/* Fields of the objects of hooks. */
static void write_hook_fields(void)
{
	printf("\n### What hooks get\n\n| hook | fields |\n|---|---|\n");
	for (unsigned kind = 0; kind < HOOK_DONE; kind++) {
		unsigned n = 0;

		printf("| `qs.on.%s` | ", record_kind_name((enum hook_kind)kind));
		record_names((enum hook_kind)kind, write_list, &n);
		printf(" |\n");
	}
}

static void write_fields(const char *title, const struct record_field *fields)
{
	printf("| %s | ", title);
	for (unsigned n = 0; fields->name; fields++)
		write_list(&n, fields->name);
	printf(" |\n");
}

static void write_record_fields(void)
{
	printf("\n### What records have\n\n| record | fields |\n|---|---|\n");
	write_fields("setup record", record_setup);
	write_fields("vertex", record_vertex);
	write_fields("quad", record_quad);
	write_fields("fragment", record_fragment);
	write_fields("stage", record_stage);
	write_fields("copy", record_copy);
	write_fields("texel of a copy", record_copy_texel);
	printf("\nColours are tables with r, g, b, a; positions with x, y, z (w); coordinates with s, t (q); planes with f0, dfdx, dfdy;\n"
		"edges with dx, dy, c, top_left, from, to; rectangles with x0, y0, x1, y1 (the last two exclusive). A quad has besides\n"
		"fragment[0..3], with detail edge[pixel][sample][edge]; a fragment with detail indirect[0..3] and stage[0..15].\n");
}

static void write_chapter_end(const char *title)
{
	if (!title)
		return;
	if (strcmp(title, "Hooks") == 0)
		write_hook_fields();
	if (strcmp(title, "Records of the moment") == 0)
		write_record_fields();
}

int main(void)
{
	const char *open = NULL;

	printf("<!-- Made by `make docs` from lua/api.def; changes belong there. -->\n"
		"# Lua reference\n\n"
		"Everything is in the table `qs`; [scripting.md](scripting.md) is the introduction. Of the standard library there are\n"
		"string, table, math, utf8 and coroutine and the basic functions, without files, programs, modules, finalizers and\n"
		"bytecode. `print` goes to the console, `arg` has the arguments of the script. At the prompt `qs.help(name)` says what is\n"
		"written here.\n");
	for (size_t i = 0; i < qs_api_count(); i++) {
		const struct qs_api *api = qs_api_at(i);

		for (size_t c = 0; c < sizeof chapters / sizeof *chapters; c++) {
			if (strcmp(chapters[c].first, api->name) != 0)
				continue;
			write_chapter_end(open);
			open = chapters[c].title;
			printf("\n## %s\n%s%s%s", open, *chapters[c].text ? "\n" : "", chapters[c].text, *chapters[c].text ? "\n" : "");
		}
		printf("\n**`%s`**  \n%s\n\n```lua\n%s\n```\n", api->signature, api->text, api->example);
	}
	write_chapter_end(open);
	return 0;
}
