/* qsc.h - captures of Gfx3D calls: the file format (docs/qsc-format.md)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GFX3D_QSC_H
#define GFX3D_QSC_H

#include "gfx3d/system.h"

#define QSC_MAGIC "QSC\x0D\x0A\x1A\x0A\x00"
#define QSC_MAGIC_SIZE 8
#define QSC_VERSION 1
#define QSC_HEADER 32
#define QSC_CHUNK 0x4C4C4143u /* "CALL" */
#define QSC_CHUNK_HEADER 16
#define QSC_CHUNK_MAX (64u << 20) /* bytes of calls in a chunk */
#define QSC_TOTAL_MAX (1u << 30)  /* in a file */
#define QSC_RECORD 16             /* head of a call */

enum { QSC_FINISHED = 1 };

/* qsc_write.c: a recorder writes chunks as they fill; finish writes the rest and completes the header. */
struct g3_recorder *g3_recorder_create(const char *path, struct qs_error *error);
void g3_recorder_call(struct g3_recorder *recorder, const struct g3_call *call);
/* Closes the file and frees the recorder; false: something could not be written. */
bool g3_recorder_finish(struct g3_recorder *recorder, struct qs_error *error);

/* qsc_read.c: the calls of all chunks in one piece.  Damage ends the stream early: warning says what and where. */
struct qsc_stream {
	uint8_t *calls; /* malloc'ed */
	size_t size;
	uint32_t version, min_version;
	bool truncated;
	uint64_t warning_offset;
	char warning[256];
};

bool qsc_recognise(const uint8_t *bytes, size_t size);
bool qsc_read(const uint8_t *bytes, size_t size, struct qsc_stream *stream, struct qs_error *error);
/* One call at p, of which `available` bytes are there; blobs point into p.  Gives its size, 0: damaged. */
size_t qsc_parse(const uint8_t *p, size_t available, struct g3_call *call);
/* qsc_index.c: opens and describes struct qs_capture of this kind. */
bool qsc_capture_read(struct qs_capture *capture, qs_progress_fn progress, void *user, struct qs_error *error);
char *qsc_command_text(const struct qs_capture *capture, const struct qs_command *command, char *buffer, size_t size);
/* "draw context 1 mesh 2", one line; returns buffer. */
char *qsc_text(const struct g3_call *call, char *buffer, size_t size);

#endif
