/* device.h - a virtual GPU: resources, state objects, shaders, draws and readback on a VirGL host
 *
 * How it is used:
 *
 *	struct virgl_device *d = virgl_device_create(NULL, &error);          starts a host of our own
 *	color = virgl_texture_create(d, &(struct virgl_texture){.format = ..., .bind = VIRGL_BIND_RENDER}, &error);
 *	surface = virgl_surface_create(d, color, 0);
 *	vs = virgl_shader_create(d, VIRGL_VERTEX, "VERT\n...END\n", "vertex shader of draw 2/57", &error);
 *	virgl_framebuffer(d, surface, 0); virgl_viewport(d, 0, 0, w, h, 0.5f, 0.5f); virgl_bind_...; virgl_draw(d, ...);
 *	virgl_readback(d, color, 0, rect, pixels, &error);                    everything before is executed and checked
 *
 * Commands are collected and sent by virgl_flush, which readback, upload and shader creation imply.  Identifiers are small
 * numbers, 0 means none; resources and objects have separate ranges.  What a function without an error parameter does wrong
 * shows at the next one with it: errors stick until virgl_device_recover.
 *
 * Faults.  A host can die, hang, refuse, or poison the context: from then on it drops all drawing silently.  After the first
 * draw with a new pair of shaders, and before every readback, a nonce is cleared into a pixel and read back, so that none of
 * this goes unnoticed; the error names the shader or command and quotes the host's log.  virgl_device_recover then opens a new
 * context on a new host: all identifiers are void, generation counts up, the session goes on.
 *
 * Orientation: row 0 is the top row, as virgl_viewport sets it up: NDC y = +1 is the top, counter-clockwise in NDC is front.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIRGL_DEVICE_H
#define VIRGL_DEVICE_H

#include "quadscope.h"
#include "virgl/protocol.h"

typedef uint32_t virgl_id;

struct virgl_options {
	const char *socket; /* join the server there; NULL: start one */
	const char *driver; /* of one that is started: "llvmpipe" (NULL), "softpipe", "native": what the machine has */
	int timeout;        /* milliseconds a single answer may take; 0: 20 seconds */
	bool strict;        /* every command is sent and checked alone: slow, but the error names the very one */
	const volatile bool *cancel; /* NULL, or set from outside: waiting ends with QS_ERR_CANCELLED and the host is lost */
};

struct virgl_device;

/* options NULL: all defaults.  QS_ERR_UNSUPPORTED: no virgl_test_server; the text says what to install. */
struct virgl_device *virgl_device_create(const struct virgl_options *options, struct qs_error *error);
void virgl_device_destroy(struct virgl_device *d); /* NULL is fine; a host of our own ends */
bool virgl_device_lost(const struct virgl_device *d);
/* A new context, and a new host when it is ours.  Everything made before is gone. */
bool virgl_device_recover(struct virgl_device *d, struct qs_error *error);
uint32_t virgl_device_generation(const struct virgl_device *d); /* from 1 */
long virgl_device_pid(const struct virgl_device *d);            /* of a host of our own, else 0 */
/* What went wrong last; code QS_OK: nothing. */
const struct qs_error *virgl_device_error(const struct virgl_device *d);

/* ---- resources ---------------------------------------------------------------------------------------------------------- */

struct virgl_texture {
	uint32_t format; /* enum virgl_format */
	uint32_t bind;   /* enum virgl_bind, or-ed */
	uint32_t width, height;
	uint32_t levels; /* 0 counts as 1 */
	uint32_t samples; /* above 1: no transfers, virgl_resolve gives a picture of it */
	bool shared;     /* transfers of level 0 through shared memory: for what is moved often and is large */
};

struct virgl_rect {
	uint32_t x, y, width, height;
};

virgl_id virgl_texture_create(struct virgl_device *d, const struct virgl_texture *texture, struct qs_error *error);
virgl_id virgl_buffer_create(struct virgl_device *d, uint32_t bind, uint32_t bytes, struct qs_error *error);
void virgl_resource_destroy(struct virgl_device *d, virgl_id resource);
/* Rows tightly packed, the first is the top one. */
bool virgl_upload(struct virgl_device *d, virgl_id texture, uint32_t level, struct virgl_rect rect, const void *data, struct qs_error *error);
bool virgl_buffer_upload(struct virgl_device *d, virgl_id buffer, uint32_t offset, const void *data, uint32_t bytes, struct qs_error *error);
/* The same as a command among the others: no round trip, in order with draws.  Any size. */
void virgl_buffer_write(struct virgl_device *d, virgl_id buffer, uint32_t offset, const void *data, uint32_t bytes);
/* Colour as the format says, Z32_FLOAT as floats 0..1, R32G32B32A32_FLOAT as floats, Z32_FLOAT_S8X24_UINT as a float and a word. */
bool virgl_readback(struct virgl_device *d, virgl_id texture, uint32_t level, struct virgl_rect rect, void *data, struct qs_error *error);

virgl_id virgl_surface_create(struct virgl_device *d, virgl_id texture, uint32_t level);
virgl_id virgl_view_create(struct virgl_device *d, virgl_id texture, uint32_t first_level, uint32_t last_level);

/* ---- state objects ------------------------------------------------------------------------------------------------------ */

enum virgl_blend_func { VIRGL_ADD, VIRGL_SUBTRACT, VIRGL_REVERSE_SUBTRACT, VIRGL_MIN, VIRGL_MAX };
enum virgl_factor {
	VIRGL_ONE = 1, VIRGL_SRC_COLOR, VIRGL_SRC_ALPHA, VIRGL_DST_ALPHA, VIRGL_DST_COLOR, VIRGL_SRC_ALPHA_SATURATE, VIRGL_CONST_COLOR,
	VIRGL_CONST_ALPHA, VIRGL_SRC1_COLOR, VIRGL_SRC1_ALPHA, VIRGL_ZERO = 17, VIRGL_INV_SRC_COLOR, VIRGL_INV_SRC_ALPHA,
	VIRGL_INV_DST_ALPHA, VIRGL_INV_DST_COLOR, VIRGL_INV_CONST_COLOR = 23, VIRGL_INV_CONST_ALPHA
};

struct virgl_blend {
	bool blend;
	uint8_t func, source, destination;                   /* colour */
	uint8_t alpha_func, alpha_source, alpha_destination;
	uint8_t mask; /* bits R 1, G 2, B 4, A 8 */
	bool logic;
	uint8_t logic_op; /* truth table, bit 2*source + destination */
};

struct virgl_stencil {
	bool enabled;
	uint8_t func, fail, depth_fail, pass; /* compare; 0 keep 1 zero 2 replace 3 incr 4 decr 5 incr wrap 6 decr wrap 7 invert */
	uint8_t value_mask, write_mask;
};

struct virgl_depth {
	bool test, write;
	uint8_t func; /* enum virgl_compare */
	struct virgl_stencil front, back;
};

struct virgl_rasterizer {
	uint8_t cull; /* 0 none, 1 front, 2 back */
	bool scissor;
	bool depth_clip; /* off: z is clamped */
	bool half_z;     /* clip z runs from 0 to w */
	bool flat;       /* COLOR inputs come from the last vertex */
	uint8_t planes;  /* clip distances that count, a bit each */
	bool multisample;
};

struct virgl_sampler {
	uint8_t wrap_s, wrap_t; /* enum virgl_wrap */
	bool min_linear, mag_linear;
	uint8_t mip; /* 0 nearest, 1 linear, 2 none */
	float lod_bias, min_lod, max_lod;
	float border[4];
};

struct virgl_element {
	uint32_t offset, format; /* element i feeds IN[i] */
};

virgl_id virgl_blend_create(struct virgl_device *d, const struct virgl_blend *blend);
virgl_id virgl_depth_create(struct virgl_device *d, const struct virgl_depth *depth);
virgl_id virgl_rasterizer_create(struct virgl_device *d, const struct virgl_rasterizer *rasterizer);
virgl_id virgl_sampler_create(struct virgl_device *d, const struct virgl_sampler *sampler);
virgl_id virgl_elements_create(struct virgl_device *d, const struct virgl_element *elements, unsigned count);
/* TGSI text.  The host reads it at once: a text it refuses is reported here, under the label. */
virgl_id virgl_shader_create(struct virgl_device *d, enum virgl_stage stage, const char *text, const char *label, struct qs_error *error);
void virgl_object_destroy(struct virgl_device *d, virgl_id object);

/* ---- binding and drawing; what is bound already is not sent again -------------------------------------------------------- */

void virgl_framebuffer(struct virgl_device *d, virgl_id color, virgl_id depth); /* surfaces, 0: none */
void virgl_viewport(struct virgl_device *d, float x, float y, float width, float height, float z_scale, float z_offset);
void virgl_scissor(struct virgl_device *d, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1);
void virgl_bind(struct virgl_device *d, virgl_id object); /* blend, depth, rasterizer, elements, shader: by its kind */
void virgl_constants(struct virgl_device *d, enum virgl_stage stage, const void *words, unsigned count); /* all that are declared */
void virgl_sampler_views(struct virgl_device *d, const virgl_id *views, unsigned count);                 /* fragment stage */
void virgl_samplers(struct virgl_device *d, const virgl_id *samplers, unsigned count);
void virgl_vertex_buffer(struct virgl_device *d, virgl_id buffer, uint32_t stride, uint32_t offset);
void virgl_index_buffer(struct virgl_device *d, virgl_id buffer, uint32_t index_size, uint32_t offset);
void virgl_stencil_reference(struct virgl_device *d, uint8_t front, uint8_t back);
void virgl_blend_color(struct virgl_device *d, const float color[4]);
void virgl_clear(struct virgl_device *d, uint32_t buffers, const float color[4], double depth, uint32_t stencil);
/* The average of the samples (of depth: one of them) into a texture of the same size and format without. */
void virgl_resolve(struct virgl_device *d, virgl_id to, virgl_id from, enum virgl_blit_mask mask);
/* Needed between draws that read what the draw before wrote, on hosts whose framebuffer fetch is not ordered. */
void virgl_barrier(struct virgl_device *d);
/* first, count: vertices, or indices when an index buffer is used (hosts take first for 0 then: say it in the buffer's offset).
 * label: for errors ("draw 2/57"). */
bool virgl_draw(struct virgl_device *d, enum virgl_primitive mode, uint32_t first, uint32_t count, bool indexed, const char *label,
	struct qs_error *error);

/* Sends what was collected. */
bool virgl_flush(struct virgl_device *d, struct qs_error *error);
/* Sends it and looks whether the host still draws. */
bool virgl_check(struct virgl_device *d, const char *label, struct qs_error *error);

/* From now on a copy of everything sent is kept as well, to be shown; off: it is thrown away.  Text: virgl_decode. */
void virgl_record(struct virgl_device *d, bool on);
const uint32_t *virgl_recorded(const struct virgl_device *d, size_t *count);

#endif
