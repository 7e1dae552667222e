/* stream.c - encoder of VirGL commands
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "virgl/stream.h"

void virgl_stream_init(struct virgl_stream *s)
{
	memset(s, 0, sizeof *s);
	s->open = SIZE_MAX;
}

void virgl_stream_finish(struct virgl_stream *s)
{
	free(s->word);
	virgl_stream_init(s);
}

void virgl_stream_clear(struct virgl_stream *s)
{
	s->count = 0;
	s->open = SIZE_MAX;
	s->failed = false;
	s->error.code = QS_OK;
}

static void fail(struct virgl_stream *s, enum qs_error_code code, const char *text, const char *name)
{
	if (s->failed)
		return;
	s->failed = true;
	qs_error_set(&s->error, code, 0, text, name);
}

static bool reserve(struct virgl_stream *s, size_t more)
{
	size_t room = s->room ? s->room : 1024;

	if (s->failed)
		return false;
	while (room < s->count + more)
		room *= 2;
	if (room == s->room)
		return true;
	uint32_t *grown = realloc(s->word, room * sizeof *grown);
	if (!grown) {
		fail(s, QS_ERR_NOMEM, "There is no memory for the command \"%s\".", "VirGL");
		return false;
	}
	s->word = grown;
	s->room = room;
	return true;
}

void virgl_stream_words(struct virgl_stream *s, const uint32_t *words, size_t count)
{
	if (!count || !reserve(s, count))
		return;
	memcpy(s->word + s->count, words, count * sizeof *words);
	s->count += count;
}

void virgl_stream_word(struct virgl_stream *s, uint32_t word)
{
	virgl_stream_words(s, &word, 1);
}

void virgl_stream_float(struct virgl_stream *s, float value)
{
	uint32_t word;

	memcpy(&word, &value, sizeof word);
	virgl_stream_word(s, word);
}

void virgl_stream_double(struct virgl_stream *s, double value)
{
	uint64_t word;

	memcpy(&word, &value, sizeof word);
	virgl_stream_word(s, (uint32_t)word);
	virgl_stream_word(s, (uint32_t)(word >> 32));
}

void virgl_stream_text(struct virgl_stream *s, const char *text)
{
	size_t bytes = strlen(text) + 1, words = (bytes + 3) / 4;

	if (!reserve(s, words))
		return;
	s->word[s->count + words - 1] = 0;
	memcpy(s->word + s->count, text, bytes);
	s->count += words;
}

void virgl_stream_begin(struct virgl_stream *s, enum virgl_command command, enum virgl_object object)
{
	if (s->open != SIZE_MAX)
		fail(s, QS_ERR_RANGE, "A VirGL command begins inside another%s.", "");
	s->open = s->count;
	virgl_stream_word(s, virgl_header(command, object, 0));
}

void virgl_stream_end(struct virgl_stream *s)
{
	const struct virgl_layout *layout;
	size_t length;

	if (s->failed || s->open == SIZE_MAX)
		return;
	uint32_t *header = &s->word[s->open];
	length = s->count - s->open - 1;
	layout = virgl_layout_find(*header & 255, *header >> 8 & 255);
	if (!layout)
		fail(s, QS_ERR_RANGE, "There is no such VirGL command%s.", "");
	else if (length < layout->least || length > layout->most)
		fail(s, QS_ERR_RANGE, "The VirGL command \"%s\" does not have the length that the protocol says.", layout->name);
	*header |= (uint32_t)length << 16;
	s->open = SIZE_MAX;
}
