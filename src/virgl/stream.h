/* stream.h - a growing buffer of VirGL commands, and its reading back as text
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIRGL_STREAM_H
#define VIRGL_STREAM_H

#include "quadscope.h"
#include "virgl/protocol.h"

struct virgl_stream {
	uint32_t *word;
	size_t count, room;
	size_t open;   /* index of the header of the command being written; SIZE_MAX: none */
	bool failed;   /* no memory, or a command that the table does not allow: sticky, `error` says which */
	struct qs_error error;
};

void virgl_stream_init(struct virgl_stream *s);
void virgl_stream_finish(struct virgl_stream *s);
void virgl_stream_clear(struct virgl_stream *s); /* empties it, errors too; keeps the memory */

/* begin, words, end: the length is filled in and checked against the table. */
void virgl_stream_begin(struct virgl_stream *s, enum virgl_command command, enum virgl_object object);
void virgl_stream_word(struct virgl_stream *s, uint32_t word);
void virgl_stream_float(struct virgl_stream *s, float value);
void virgl_stream_words(struct virgl_stream *s, const uint32_t *words, size_t count);
void virgl_stream_double(struct virgl_stream *s, double value); /* low word first */
void virgl_stream_text(struct virgl_stream *s, const char *text); /* four bytes a word, the final 0 too */
void virgl_stream_end(struct virgl_stream *s);

/* ---- decode.c ----------------------------------------------------------------------------------------------------------- */

/* Readable text, a line a command ("  12  viewport slot 0 scale 320 -264 0.5 ..."), shaders with their text indented below.
 * Any words are taken; what is wrong with them stands in the text.  malloc'ed; NULL: no memory. */
char *virgl_decode(const uint32_t *words, size_t count);
/* Short name of the command that holds the word at index `at`: "create shader 12", "draw"; for messages. */
void virgl_decode_name(const uint32_t *words, size_t count, size_t at, char *name, size_t size);

#endif
