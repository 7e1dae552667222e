/* cmd_info.c - qscope info: what is in a capture
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/views.h"

static const struct cli_option options[] = {CLI_JSON, CLI_END};

static void size_text(uint64_t bytes, char buffer[48])
{
	if (bytes >= 1u << 20)
		g_snprintf(buffer, 48, "%" PRIu64 " bytes (%.1f MiB)", bytes, (double)bytes / (1 << 20));
	else
		g_snprintf(buffer, 48, "%" PRIu64 " bytes", bytes);
}

static void count_kinds(const struct qs_capture *capture, const struct qs_frame *frame, uint32_t count[QS_COMMAND_BAD + 1])
{
	for (uint32_t i = 0; i < frame->command_count; i++)
		count[qs_capture_command(capture, frame->first_command + i)->kind]++;
}

static void print_frames(const struct qs_capture *capture, const struct qs_capture_info *info)
{
	struct cli_table *table = cli_table_new("rrrrrrrrrrr");

	cli_table_head(table, "frame", "commands", "draws", "bp", "cp", "xf", "lists", "copies", "updates", "fifo bytes", "at file offset");
	for (uint32_t f = 1; f <= info->frame_count; f++) {
		const struct qs_frame *frame = qs_capture_frame(capture, f);
		uint32_t n[QS_COMMAND_BAD + 1] = {0};

		count_kinds(capture, frame, n);
		cli_table_cell(table, "%u", f);
		cli_table_cell(table, "%u", frame->command_count);
		cli_table_cell(table, "%u", frame->draw_count);
		cli_table_cell(table, "%u", n[QS_COMMAND_BP]);
		cli_table_cell(table, "%u", n[QS_COMMAND_CP]);
		cli_table_cell(table, "%u", n[QS_COMMAND_XF] + n[QS_COMMAND_XF_INDEXED]);
		cli_table_cell(table, "%u", n[QS_COMMAND_LIST]);
		cli_table_cell(table, "%u", n[QS_COMMAND_COPY]);
		cli_table_cell(table, "%u", frame->update_count);
		cli_table_cell(table, "%u", frame->fifo_size);
		cli_table_cell(table, "0x%" PRIx64, frame->fifo_offset);
	}
	cli_table_print(table, stdout, 0);
}

static void print_warnings(const struct qs_capture *capture, const struct qs_capture_info *info)
{
	if (!info->warning_count)
		return;
	printf("\nWarnings:\n");
	for (uint32_t i = 0; i < info->warning_count; i++) {
		const struct qs_warning *warning = qs_capture_warning(capture, i);
		char where[96];

		if (warning->command == QS_NONE)
			printf("  offset 0x%" PRIx64 ": %s\n", warning->offset, warning->text);
		else
			printf("  %s (offset 0x%" PRIx64 "): %s\n",
				cli_command_offset(capture, warning->command, where, sizeof where), warning->offset, warning->text);
	}
}

void info_print(const struct qs_capture *capture)
{
	const struct qs_capture_info *info = qs_capture_info(capture);
	const struct qs_initial_state *initial = qs_capture_initial(capture);
	char text[48];

	size_text(info->size, text);
	printf("file      %s\n", info->path);
	printf("format    %s, version %u (needs a loader for version %u)%s\n", info->format, info->version,
		info->min_loader_version, info->machine == QS_MACHINE_GFX3D ? "" : info->wii ? ", Wii" : ", GameCube");
	printf("size      %s%s\n", text, info->truncated ? ", the tail is cut" : "");
	printf("frames    %u\n", info->frame_count);
	printf("commands  %u\n", info->command_count);
	printf("draws     %u\n", info->draw_count);
	if (info->machine == QS_MACHINE_GFX3D) {
		putchar('\n');
		print_frames(capture, info);
		print_warnings(capture, info);
		return;
	}
	printf("updates   %u\n", info->update_count);
	printf("memory    MEM1 %u KiB, MEM2 %u KiB\n", info->mem1_size / 1024, info->mem2_size / 1024);
	if (initial->tmem_size)
		printf("TMEM      %u bytes loaded at the start\n\n", initial->tmem_size);
	else
		printf("TMEM      empty at the start\n\n");
	print_frames(capture, info);
	print_warnings(capture, info);
}

static void json_frames(struct cli_json *json, const struct qs_capture *capture, const struct qs_capture_info *info)
{
	json_array(json, "frames");
	for (uint32_t f = 1; f <= info->frame_count; f++) {
		const struct qs_frame *frame = qs_capture_frame(capture, f);
		uint32_t n[QS_COMMAND_BAD + 1] = {0};

		count_kinds(capture, frame, n);
		json_row(json, NULL);
		json_uint(json, "frame", f);
		json_uint(json, "commands", frame->command_count);
		json_uint(json, "draws", frame->draw_count);
		json_uint(json, "list_children", frame->list_child_count);
		json_uint(json, "updates", frame->update_count);
		json_uint(json, "fifo_size", frame->fifo_size);
		json_uint(json, "fifo_offset", frame->fifo_offset);
		json_object(json, "kinds");
		for (unsigned kind = 0; kind <= QS_COMMAND_BAD; kind++)
			json_uint(json, cli_kind_name(kind), n[kind]);
		json_object_end(json);
		json_object_end(json);
	}
	json_array_end(json);
}

static void json_info(const struct qs_capture *capture, const struct qs_capture_info *info)
{
	struct cli_json json;

	json_begin(&json, stdout);
	json_string(&json, "path", info->path);
	json_string(&json, "format", info->format);
	json_uint(&json, "version", info->version);
	json_uint(&json, "min_loader_version", info->min_loader_version);
	json_bool(&json, "wii", info->wii);
	json_bool(&json, "truncated", info->truncated);
	json_uint(&json, "size", info->size);
	json_uint(&json, "frame_count", info->frame_count);
	json_uint(&json, "command_count", info->command_count);
	json_uint(&json, "draw_count", info->draw_count);
	json_uint(&json, "update_count", info->update_count);
	json_uint(&json, "mem1_size", info->mem1_size);
	json_uint(&json, "mem2_size", info->mem2_size);
	json_uint(&json, "tmem_size", qs_capture_initial(capture)->tmem_size);
	json_frames(&json, capture, info);
	json_array(&json, "warnings");
	for (uint32_t i = 0; i < info->warning_count; i++) {
		const struct qs_warning *warning = qs_capture_warning(capture, i);
		char where[96];

		json_row(&json, NULL);
		json_uint(&json, "offset", warning->offset);
		json_string(&json, "at", warning->command == QS_NONE ? NULL :
			cli_command_offset(capture, warning->command, where, sizeof where));
		json_string(&json, "text", warning->text);
		json_object_end(&json);
	}
	json_array_end(&json);
	json_end(&json);
}

static enum cli_status run(const struct cli_args *args)
{
	struct cli_session session;

	if (!cli_open(args, 0, true, &session))
		return CLI_ERROR;
	if (cli_has(args, "json"))
		json_info(session.capture, qs_capture_info(session.capture));
	else
		info_print(session.capture);
	cli_close(&session);
	return CLI_DONE;
}

const struct cli_command cli_cmd_info = {
	.name = "info", .arguments = "CAPTURE", .min_words = 1, .max_words = 1,
	.summary = "show what a capture holds: frames, draws, memory, warnings",
	.examples = "qscope info game.dff\nqscope info --json game.dff",
	.options = options, .run = run,
};
