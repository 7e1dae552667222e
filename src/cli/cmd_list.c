/* cmd_list.c - qscope list: the commands of the frames
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "cli/views.h"

static const struct cli_option options[] = {
	{"frame", 'f', "N", "only frame N"},
	{"draws", 'd', NULL, "only draws"},
	{"kind", 'k', "KIND,...", "only these kinds: nop cp xf xf-indexed list metrics invalidate bp copy draw call bad"},
	{"grep", 'g', "TEXT", "only commands whose text contains TEXT (case does not matter)"},
	{"updates", 'u', NULL, "show the memory updates that apply before a command"},
	CLI_JSON, CLI_END,
};

struct filter {
	uint32_t kinds; /* bit per enum qs_command_kind */
	char *grep;     /* folded, or NULL */
	uint32_t first, end; /* frames */
	bool updates;
};

static bool parse_kinds(const char *text, uint32_t *kinds)
{
	char **word = g_strsplit(text, ",", -1);
	bool good = true;

	*kinds = 0;
	for (char **w = word; *w && good; w++) {
		struct cli_nearest nearest;
		char hint[64];
		unsigned kind = 0;

		cli_nearest_begin(&nearest, *w);
		while (kind <= QS_COMMAND_BAD && strcmp(cli_kind_name(kind), *w) != 0)
			cli_nearest_offer(&nearest, cli_kind_name(kind++));
		good = kind <= QS_COMMAND_BAD;
		if (good)
			*kinds |= 1u << kind;
		else
			cli_fail("There is no kind of command '%s'%s", *w,
				nearest.name ? cli_nearest_hint(&nearest, hint, sizeof hint) : " ('qscope list --help' lists them).");
	}
	g_strfreev(word);
	return good;
}

static bool parse_filter(const struct cli_args *args, const struct qs_capture_info *info, struct filter *filter)
{
	const char *kinds = cli_value(args, "kind"), *grep = cli_value(args, "grep");
	int64_t frame = 0;

	memset(filter, 0, sizeof *filter);
	filter->kinds = UINT32_MAX;
	if (kinds && !parse_kinds(kinds, &filter->kinds))
		return false;
	if (cli_has(args, "draws"))
		filter->kinds = kinds ? filter->kinds | 1u << QS_COMMAND_DRAW : 1u << QS_COMMAND_DRAW;
	if (!cli_option_number(args, "frame", 1, info->frame_count, &frame))
		return false;
	filter->first = frame ? (uint32_t)frame : 1;
	filter->end = frame ? (uint32_t)frame + 1 : info->frame_count + 1;
	filter->grep = grep ? g_utf8_casefold(grep, -1) : NULL;
	filter->updates = cli_has(args, "updates");
	return true;
}

static bool matches(const struct filter *filter, const struct qs_command *command, const char *text)
{
	char *folded;
	bool found;

	if (!(filter->kinds >> command->kind & 1))
		return false;
	if (!filter->grep)
		return true;
	folded = g_utf8_casefold(text, -1);
	found = strstr(folded, filter->grep) != NULL;
	g_free(folded);
	return found;
}

static const char *update_type(unsigned type)
{
	switch (type) {
	case QS_UPDATE_TEXTURE: return "texture";
	case QS_UPDATE_XF: return "XF data";
	case QS_UPDATE_VERTEX: return "vertex array";
	case QS_UPDATE_TMEM: return "TMEM source";
	default: return "memory";
	}
}

static void print_updates(const struct qs_capture *capture, uint32_t command)
{
	const struct qs_update *update;
	uint32_t count = qs_capture_updates(capture, command, &update);

	for (uint32_t i = 0; i < count; i++)
		printf("%12s  %-14s  memory 0x%08x: %u bytes of %s\n", "", "", update[i].address, update[i].size,
			update_type(update[i].type));
}

void list_print_command(const struct qs_capture *capture, uint32_t i, const char *mark)
{
	const struct qs_command *command = qs_capture_command(capture, i);
	char moment[96], offset[24], text[1024];

	if (command->parent == QS_NONE)
		g_snprintf(offset, sizeof offset, "0x%06x", command->offset);
	else
		g_snprintf(offset, sizeof offset, "  +0x%04x", command->offset);
	printf("%s%-12s  %-14s  %s%s\n", mark, offset, cli_command_moment(capture, i, moment, sizeof moment),
		command->parent == QS_NONE ? "" : "    ", qs_command_text(capture, i, text, sizeof text));
}

static void json_command(struct cli_json *json, const struct qs_capture *capture, uint32_t i, const char *text)
{
	const struct qs_command *command = qs_capture_command(capture, i);
	const struct qs_update *update;
	uint32_t updates = qs_capture_updates(capture, i, &update);
	char moment[96];

	json_row(json, NULL);
	json_uint(json, "command", i);
	json_string(json, "moment", cli_command_moment(capture, i, moment, sizeof moment));
	json_string(json, "kind", cli_kind_name(command->kind));
	json_uint(json, "frame", command->frame);
	json_uint(json, "offset", command->offset);
	json_uint(json, "size", command->size);
	json_uint(json, "file_offset", qs_capture_command_file_offset(capture, i));
	json_uint(json, "opcode", command->opcode);
	if (command->parent != QS_NONE)
		json_uint(json, "parent", command->parent);
	if (command->draw != QS_NONE)
		json_uint(json, "draw", command->draw);
	json_string(json, "text", text);
	if (updates) {
		json_array(json, "updates");
		for (uint32_t u = 0; u < updates; u++) {
			json_object(json, NULL);
			json_string(json, "type", update_type(update[u].type));
			json_uint(json, "address", update[u].address);
			json_uint(json, "size", update[u].size);
			json_uint(json, "fifo_position", update[u].fifo_position);
			json_uint(json, "file_offset", update[u].data_offset);
			json_object_end(json);
		}
		json_array_end(json);
	}
	json_object_end(json);
}

static void list(const struct qs_capture *capture, const struct filter *filter, struct cli_json *json)
{
	uint32_t frame_shown = 0;

	for (uint32_t f = filter->first; f < filter->end; f++) {
		const struct qs_frame *frame = qs_capture_frame(capture, f);

		for (uint32_t n = 0; n < frame->command_count; n++) {
			uint32_t i = frame->first_command + n;
			char text[1024];

			qs_command_text(capture, i, text, sizeof text);
			if (!matches(filter, qs_capture_command(capture, i), text))
				continue;
			if (!json && frame_shown != f) {
				printf("%sframe %u: %u commands, %u draws, %u bytes\n", frame_shown ? "\n" : "", f,
					frame->command_count, frame->draw_count, frame->fifo_size);
				frame_shown = f;
			}
			if (json)
				json_command(json, capture, i, text);
			if (!json && filter->updates)
				print_updates(capture, i);
			if (!json)
				list_print_command(capture, i, "");
		}
	}
}

static enum cli_status run(const struct cli_args *args)
{
	struct cli_session session;
	struct filter filter;
	struct cli_json json;

	if (!cli_open(args, 0, true, &session))
		return CLI_ERROR;
	if (!parse_filter(args, qs_capture_info(session.capture), &filter)) {
		cli_close(&session);
		return CLI_ERROR;
	}
	if (cli_has(args, "json")) {
		json_begin(&json, stdout);
		json_array(&json, "commands");
		list(session.capture, &filter, &json);
		json_array_end(&json);
		json_end(&json);
	} else {
		list(session.capture, &filter, NULL);
	}
	g_free(filter.grep);
	cli_close(&session);
	return CLI_DONE;
}

const struct cli_command cli_cmd_list = {
	.name = "list", .arguments = "CAPTURE", .min_words = 1, .max_words = 1,
	.summary = "list the commands of a capture, decoded",
	.details = "One line a command: offset in the frame's FIFO bytes, moment, text. The commands of a display list stand\n"
		   "indented below its call, with their offset in the list. The moment can be given to --at of other commands.",
	.examples = "qscope list --frame 2 --draws game.dff\nqscope list --kind bp,copy --grep ZMODE game.dff",
	.options = options, .run = run,
};
