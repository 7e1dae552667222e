/* open.c - opens a capture with the common options and goes to a moment
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include <gfx3d.h>

#include "cli/cli.h"

bool cli_set_model(struct qs_timeline *timeline, const char *name, struct qs_error *error)
{
	enum qs_gfx3d_model other;
	enum qs_model model;
	struct cli_nearest nearest;
	char hint[64];

	if (qs_timeline_gfx3d(timeline)) {
		if (qs_gfx3d_model_parse(name, &other))
			return qs_timeline_set_gfx3d_model(timeline, other, error);
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no model '%s' of Gfx3D (the models are chrisos, virgl and corrected).", name);
		return false;
	}
	if (qs_model_parse(name, &model)) {
		qs_timeline_set_model(timeline, model);
		return true;
	}
	cli_nearest_begin(&nearest, name);
	for (unsigned i = 0; i < QS_MODEL_COUNT; i++)
		cli_nearest_offer(&nearest, qs_model_name((enum qs_model)i));
	qs_error_set(error, QS_ERR_RANGE, 0, "There is no model '%s' (the models are hardware, dolphin and pureikyubu)%s", name,
		cli_nearest_hint(&nearest, hint, sizeof hint));
	return false;
}

bool cli_set_quirk(struct qs_timeline *timeline, const char *assignment, struct qs_error *error)
{
	const char *equals = strchr(assignment, '=');
	struct cli_nearest nearest;
	char hint[96], *name, *end;
	bool known = false, good = false;
	int64_t value;

	if (!equals) {
		qs_error_set(error, QS_ERR_RANGE, 0, "A quirk is set as NAME=VALUE, not '%s'.", assignment);
		return false;
	}
	name = g_strndup(assignment, (gsize)(equals - assignment));
	if (qs_timeline_gfx3d(timeline)) {
		good = qs_timeline_set_quirk(timeline, name, atoi(equals + 1), error);
		g_free(name);
		return good;
	}
	value = g_ascii_strtoll(equals + 1, &end, 0);
	cli_nearest_begin(&nearest, name);
	for (uint32_t i = 0; i < qs_quirk_count(); i++) {
		cli_nearest_offer(&nearest, qs_quirk_at(i)->name);
		known |= strcmp(qs_quirk_at(i)->name, name) == 0;
	}
	if (!known)
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no quirk '%s'%s", name,
			nearest.name ? cli_nearest_hint(&nearest, hint, sizeof hint) : " ('qscope regs --quirks' lists them).");
	else if (end == equals + 1 || *end || value < INT32_MIN || value > INT32_MAX)
		qs_error_set(error, QS_ERR_RANGE, 0, "The value of quirk %s must be a whole number, not '%s'.", name, equals + 1);
	else
		good = qs_timeline_set_quirk(timeline, name, (int)value, error);
	g_free(name);
	return good;
}

bool cli_set_pipeline(struct qs_timeline *timeline, const char *name, uint32_t from, const char *socket, struct qs_error *error)
{
	const struct qs_pipeline_options options = {.socket = socket};
	enum qs_pipeline pipeline;

	if (qs_pipeline_parse(name, &pipeline))
		return qs_timeline_set_pipeline(timeline, pipeline, from, socket ? &options : NULL, error);
	qs_error_set(error, QS_ERR_RANGE, 0, "There is no pipeline '%s'; the pipelines are soft and shader.", name);
	return false;
}

static bool set_model(const struct cli_args *args, struct qs_timeline *timeline, struct qs_error *error)
{
	const char *text = cli_value(args, "model");

	if (text && !cli_set_model(timeline, text, error))
		return false;
	for (unsigned n = 0; (text = cli_value_nth(args, "quirk", n)); n++)
		if (!cli_set_quirk(timeline, text, error))
			return false;
	text = cli_value(args, "pipeline");
	return !text || cli_set_pipeline(timeline, text, 0, cli_value(args, "virgl-socket"), error);
}

bool cli_open(const struct cli_args *args, unsigned word, bool capture_only, struct cli_session *session)
{
	struct qs_error error = {0};

	memset(session, 0, sizeof *session);
	session->capture = qs_capture_open(args->words->pdata[word], NULL, NULL, &error);
	if (!session->capture) {
		cli_fail_error(&error);
		return false;
	}
	/* info prints all warnings in its own table */
	if (!capture_only && qs_capture_info(session->capture)->truncated && qs_capture_info(session->capture)->warning_count)
		cli_fail("warning: %s", qs_capture_warning(session->capture, 0)->text);
	if (capture_only)
		return true;
	session->timeline = qs_timeline_create(session->capture, &error);
	if (session->timeline && set_model(args, session->timeline, &error))
		return true;
	cli_fail_error(&error);
	cli_close(session);
	return false;
}

void cli_close(struct cli_session *session)
{
	struct qs_error trouble;

	if (session->timeline && qs_timeline_pipeline_trouble(session->timeline, &trouble))
		cli_fail("warning: %s", trouble.text);
	qs_timeline_destroy(session->timeline);
	qs_capture_destroy(session->capture);
	g_free(session->draws_before);
	memset(session, 0, sizeof *session);
}

static bool frame_moment(const struct cli_session *session, uint32_t frame, struct qs_moment *moment)
{
	char text[16];
	struct qs_error error;

	g_snprintf(text, sizeof text, "%u", frame);
	if (qs_moment_parse(session->capture, text, moment, &error))
		return true;
	cli_fail_error(&error);
	return false;
}

bool cli_moment(const struct cli_args *args, const struct cli_session *session, bool last, struct qs_moment *moment)
{
	const struct qs_capture_info *info = qs_capture_info(session->capture);
	const char *at = cli_value(args, "at");
	int64_t frame = last ? info->frame_count : 1;
	struct qs_error error;

	if (at && cli_has(args, "frame")) {
		cli_fail("Give either --at or --frame, not both.");
		return false;
	}
	if (at) {
		if (qs_moment_parse(session->capture, at, moment, &error))
			return true;
		cli_fail_error(&error);
		return false;
	}
	if (info->frame_count == 0) {
		cli_fail("The capture has no frames.");
		return false;
	}
	return cli_option_number(args, "frame", 1, info->frame_count, &frame) && frame_moment(session, (uint32_t)frame, moment);
}

bool cli_seek(const struct cli_args *args, const struct cli_session *session, bool last)
{
	struct qs_moment moment;
	struct qs_error error;

	if (!cli_moment(args, session, last, &moment))
		return false;
	if (qs_timeline_seek(session->timeline, &moment, &error))
		return true;
	cli_fail_error(&error);
	return false;
}

/* ---- ages and names of commands ----------------------------------------------------------------------------------------- */

static uint32_t draws_before(struct cli_session *session, uint32_t command)
{
	uint32_t count = qs_capture_info(session->capture)->command_count;

	if (!session->draws_before) {
		uint32_t draws = 0;

		session->draws_before = g_new(uint32_t, (gsize)count + 1);
		for (uint32_t i = 0; i < count; i++) {
			session->draws_before[i] = draws;
			draws += qs_capture_command(session->capture, i)->kind == QS_COMMAND_DRAW;
		}
		session->draws_before[count] = draws;
	}
	return session->draws_before[MIN(command, count)];
}

uint32_t cli_draws_between(struct cli_session *session, uint32_t writer, uint32_t now)
{
	return writer < now ? draws_before(session, now + 1) - draws_before(session, writer + 1) : 0;
}

static const char *plural(uint32_t n)
{
	return n == 1 ? "" : "s";
}

char *cli_age(struct cli_session *session, uint32_t writer, uint32_t now, char *buffer, size_t size)
{
	if (writer == QS_NONE) {
		g_snprintf(buffer, size, "initial state");
	} else if (writer >= now) {
		g_snprintf(buffer, size, "this command");
	} else {
		uint32_t commands = now - writer;
		uint32_t draws = cli_draws_between(session, writer, now);

		g_snprintf(buffer, size, "%u command%s, %u draw%s ago", commands, plural(commands), draws, plural(draws));
	}
	return buffer;
}

char *cli_command_moment(const struct qs_capture *capture, uint32_t command, char *buffer, size_t size)
{
	struct qs_moment moment;

	if (!qs_moment_of_command(capture, command, &moment)) {
		g_strlcpy(buffer, "0", size);
		return buffer;
	}
	return qs_moment_format(capture, &moment, buffer, size);
}

char *cli_command_offset(const struct qs_capture *capture, uint32_t command, char *buffer, size_t size)
{
	const struct qs_command *c = qs_capture_command(capture, command);

	if (!c)
		g_strlcpy(buffer, "-", size);
	else if (c->parent == QS_NONE)
		g_snprintf(buffer, size, "%u@0x%x", c->frame, c->offset);
	else
		g_snprintf(buffer, size, "%u@0x%x.%u", c->frame, qs_capture_command(capture, c->parent)->offset,
			command - c->parent - 1);
	return buffer;
}

const char *cli_kind_name(unsigned kind)
{
	static const char *const name[] = {
		[QS_COMMAND_NOP] = "nop", [QS_COMMAND_CP] = "cp", [QS_COMMAND_XF] = "xf", [QS_COMMAND_XF_INDEXED] = "xf-indexed",
		[QS_COMMAND_LIST] = "list", [QS_COMMAND_METRICS] = "metrics", [QS_COMMAND_INVALIDATE] = "invalidate",
		[QS_COMMAND_BP] = "bp", [QS_COMMAND_COPY] = "copy", [QS_COMMAND_DRAW] = "draw", [QS_COMMAND_CALL] = "call",
		[QS_COMMAND_BAD] = "bad",
	};

	return kind < G_N_ELEMENTS(name) ? name[kind] : "unknown";
}
