/* qs_capture.h - captures: opened, and in the making
 *
 * Part of quadscope.h, which programs include.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QS_CAPTURE_H
#define QS_CAPTURE_H

#include "qs_base.h"
#include "qs_register.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- captures ----------------------------------------------------------------------------------------------------------- */

enum qs_command_kind {
	QS_COMMAND_NOP,        /* a run of 00 bytes is one command */
	QS_COMMAND_CP,         /* 08 */
	QS_COMMAND_XF,         /* 10 */
	QS_COMMAND_XF_INDEXED, /* 20 28 30 38 */
	QS_COMMAND_LIST,       /* 40: call of a display list; its commands follow as children */
	QS_COMMAND_METRICS,    /* 44 */
	QS_COMMAND_INVALIDATE, /* 48 */
	QS_COMMAND_BP,         /* 61 */
	QS_COMMAND_COPY,       /* 61 of register 52: copy to texture or display */
	QS_COMMAND_DRAW,       /* 80-BF */
	QS_COMMAND_CALL,       /* Gfx3D: a call that is no draw */
	QS_COMMAND_BAD,        /* undecodable byte: the rest of the frame (or list) is one BAD command */
};

struct qs_command {
	uint32_t frame;  /* from 1 */
	uint32_t offset; /* in the frame's FIFO bytes; for children: in the list */
	uint32_t size;   /* bytes */
	uint32_t parent; /* command index of the LIST command, or QS_NONE */
	uint32_t draw;   /* number of the draw within its frame, or QS_NONE */
	uint8_t opcode;
	uint8_t kind;         /* enum qs_command_kind */
	uint16_t vertex_size; /* draws: bytes per vertex, else 0 */
};

struct qs_frame {
	uint32_t first_command, command_count; /* children included, in execution order */
	uint32_t draw_count;
	uint32_t fifo_size, update_count;
	uint32_t list_child_count;
	uint64_t fifo_offset; /* file offset */
};

enum qs_update_type { QS_UPDATE_TEXTURE = 1, QS_UPDATE_XF = 2, QS_UPDATE_VERTEX = 4, QS_UPDATE_TMEM = 8 };

/* A memory update at the command before which it really applies (docs/dff-format: late texture updates are moved forward). */
struct qs_update {
	uint32_t frame;
	uint32_t fifo_position; /* as the file says */
	uint32_t command;       /* applied before this command executes */
	uint32_t address;       /* as the file says */
	uint32_t size;
	uint8_t type;
	uint64_t data_offset; /* file offset */
};

struct qs_warning {
	uint64_t offset;  /* file offset */
	uint32_t command; /* or QS_NONE */
	char *text;
};

/* Initial state as the file gives it (missing words are 0). */
struct qs_initial_state {
	uint32_t bp[256], cp[256], xf_memory[4096], xf_registers[96];
	uint32_t xf_register_count;
	const uint8_t *tmem; /* tmem_size bytes or NULL */
	uint32_t tmem_size;
};

/* Which machine a capture is for.  Questions about units the other machine does not have (registers, TMEM, textures by map) give
 * 0 or an error. */
enum qs_machine { QS_MACHINE_FLIPPER, QS_MACHINE_GFX3D };

struct qs_capture_info {
	enum qs_machine machine;
	const char *path;   /* as given, or "(memory)" */
	const char *format; /* "Dolphin FIFO log", "Gfx3D calls" */
	uint64_t size;
	uint32_t version, min_loader_version;
	bool wii;
	bool truncated; /* the tail is cut; frames up to the cut are there */
	uint32_t mem1_size, mem2_size;
	uint32_t frame_count, draw_count, update_count, warning_count;
	uint32_t command_count;
};

/* fraction 0..1; return false to cancel */
typedef bool (*qs_progress_fn)(double fraction, void *user);

struct qs_capture *qs_capture_open(const char *path, qs_progress_fn progress, void *user, struct qs_error *error);
/* The bytes are copied. */
struct qs_capture *qs_capture_open_memory(const void *data, size_t size, struct qs_error *error);
void qs_capture_destroy(struct qs_capture *capture);
const struct qs_capture_info *qs_capture_info(const struct qs_capture *capture);
const struct qs_initial_state *qs_capture_initial(const struct qs_capture *capture);
const struct qs_frame *qs_capture_frame(const struct qs_capture *capture, uint32_t frame); /* from 1; NULL out of range */
const struct qs_command *qs_capture_command(const struct qs_capture *capture, uint32_t command);
const uint8_t *qs_capture_command_bytes(const struct qs_capture *capture, uint32_t command);
uint64_t qs_capture_command_file_offset(const struct qs_capture *capture, uint32_t command); /* of a child: of its LIST */
uint32_t qs_capture_draw_command(const struct qs_capture *capture, uint32_t frame, uint32_t draw); /* QS_NONE out of range */
/* Updates to apply before the command, in order; returns their number. */
uint32_t qs_capture_updates(const struct qs_capture *capture, uint32_t command, const struct qs_update **first);
const uint8_t *qs_capture_update_data(const struct qs_capture *capture, const struct qs_update *update);
const struct qs_warning *qs_capture_warning(const struct qs_capture *capture, uint32_t i);
/* One line of decoded text: "BP 00 GEN_MODE = 0x000011  ntex 1 ncol 1 ...", "draw triangles 36 vertices, format 0". */
char *qs_command_text(const struct qs_capture *capture, uint32_t command, char *buffer, size_t size);

/* ---- captures in the making ---------------------------------------------------------------------------------------------- */

/* Collects initial registers, commands and memory updates, and gives them the form of a Dolphin FIFO log (docs/dff-format.md).
 * What is recorded is not checked: a recording can hold any bytes that the reader should be tried with. */
struct qs_recording;

/* version: 1..5; from 4 on with texture memory. */
struct qs_recording *qs_recording_create(uint32_t version, bool wii, struct qs_error *error);
void qs_recording_destroy(struct qs_recording *recording);
/* A register's value before the first frame; BP 0x100-0x107 is the konst bank, XF includes its memory.  Not for PE. */
bool qs_recording_register(struct qs_recording *recording, enum qs_unit unit, uint32_t address, uint32_t value,
	struct qs_error *error);
/* Texture memory before the first frame; needs version 4. */
bool qs_recording_tmem(struct qs_recording *recording, uint32_t address, const void *data, size_t size, struct qs_error *error);
/* Adds command bytes to the frame. */
bool qs_recording_append(struct qs_recording *recording, const void *bytes, size_t size, struct qs_error *error);
/* Adds a memory update at the frame's current end. */
bool qs_recording_update(struct qs_recording *recording, enum qs_update_type type, uint32_t address, const void *data, size_t size,
	struct qs_error *error);
bool qs_recording_end_frame(struct qs_recording *recording, struct qs_error *error);
uint32_t qs_recording_frames(const struct qs_recording *recording); /* ended ones */
/* The whole file, malloc'ed; commands after the last end of a frame make one more frame, and without
 * any there is an empty one. */
bool qs_recording_bytes(const struct qs_recording *recording, uint8_t **data, size_t *size, struct qs_error *error);

#ifdef __cplusplus
}
#endif

#endif
