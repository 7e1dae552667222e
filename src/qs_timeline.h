/* qs_timeline.h - the timeline that replays a capture, and what it is asked at its moment
 *
 * Part of quadscope.h, which programs include.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QS_TIMELINE_H
#define QS_TIMELINE_H

#include "qs_capture.h"
#include "qs_record.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- models ------------------------------------------------------------------------------------------------------------- */

enum qs_model { QS_MODEL_HARDWARE, QS_MODEL_DOLPHIN, QS_MODEL_PUREIKYUBU, QS_MODEL_COUNT };

struct qs_quirk {
	const char *name;          /* "sample_point" */
	int value[QS_MODEL_COUNT]; /* per model */
	const char *text;          /* what the values mean */
};

const char *qs_model_name(enum qs_model model);
bool qs_model_parse(const char *name, enum qs_model *model);
uint32_t qs_quirk_count(void);
const struct qs_quirk *qs_quirk_at(uint32_t i);

/* ---- the timeline ------------------------------------------------------------------------------------------------------- */

struct qs_timeline;

/* The capture must outlive the timeline. */
struct qs_timeline *qs_timeline_create(struct qs_capture *capture, struct qs_error *error);
void qs_timeline_destroy(struct qs_timeline *timeline);
struct qs_capture *qs_timeline_capture(const struct qs_timeline *timeline);
void qs_timeline_set_model(struct qs_timeline *timeline, enum qs_model model); /* keeps the moment */
enum qs_model qs_timeline_model(const struct qs_timeline *timeline);
bool qs_timeline_set_quirk(struct qs_timeline *timeline, const char *name, int value, struct qs_error *error);
int qs_timeline_quirk(const struct qs_timeline *timeline, const char *name);
/* What if: forces the bits under mask of a BP, CP or XF register to those of value, in the initial state and whenever it is
 * written.  Keeps the moment, or goes to what holds it.  Returns a number for remove; 0: no such register, one that decides how
 * the bytes of the capture are read (vertex formats, the write mask), or too many. */
uint32_t qs_timeline_override_add(struct qs_timeline *timeline, enum qs_unit unit, uint32_t address, uint32_t mask, uint32_t value,
	struct qs_error *error);
bool qs_timeline_override_remove(struct qs_timeline *timeline, uint32_t id);
uint32_t qs_timeline_override_count(const struct qs_timeline *timeline);
/* Threads that shade when nobody looks at the single quads: 1..16, at first as many as there are processors, at most 4.  Results
 * never depend on it. */
void qs_timeline_set_threads(struct qs_timeline *timeline, unsigned threads);
/* What the processor does to the EFB between commands: pokes, and the registers ZCONF, ALPHACONF, DSTALPHA, ALPHAMODE, ALPHAREAD that
 * rule them.  A capture holds none; those that are added happen right after their command, in the order of adding. */
enum qs_access_kind { QS_ACCESS_COLOUR, QS_ACCESS_DEPTH, QS_ACCESS_REGISTER, QS_ACCESS_COUNT };
struct qs_access {
	uint32_t command; /* QS_NONE: at the start */
	uint8_t kind;     /* enum qs_access_kind */
	uint16_t x, y;    /* REGISTER: x is its byte offset */
	uint32_t value;   /* COLOUR: ARGB; DEPTH: 24 bits */
};
/* Keeps the moment, as qs_timeline_override_add does; returns a number for remove, or 0. */
uint32_t qs_timeline_access_add(struct qs_timeline *timeline, const struct qs_access *access, struct qs_error *error);
bool qs_timeline_access_remove(struct qs_timeline *timeline, uint32_t id);
uint32_t qs_timeline_access_count(const struct qs_timeline *timeline);
const struct qs_access *qs_timeline_access_at(const struct qs_timeline *timeline, uint32_t i); /* in order of adding; NULL out of range */
/* What the processor would read: ARGB with the alpha that ALPHAREAD chooses, or depth. */
bool qs_timeline_peek(struct qs_timeline *timeline, enum qs_access_kind kind, int x, int y, uint32_t *value, struct qs_error *error);
void qs_timeline_set_batch(struct qs_timeline *timeline, unsigned quads); /* 1..16; results never depend on it */
void qs_timeline_cancel(struct qs_timeline *timeline); /* any thread: the running call returns QS_ERR_CANCELLED soon */

/* Who draws.  The soft pipeline is the units of this library, exact and steppable.  The shader pipeline hands whole draws to a
 * VirGL host (virgl_test_server): XF as a vertex program, RAS to PE as a fragment program in integers.  Moments inside a draw
 * and their records are always those of the units, on the pixels that the pipeline has drawn up to there. */
enum qs_pipeline { QS_PIPELINE_SOFT, QS_PIPELINE_SHADER, QS_PIPELINE_COUNT };

struct qs_pipeline_options {
	const char *socket; /* of a running virgl_test_server; NULL: one is started */
	const char *driver; /* Mesa's driver of one that is started: "llvmpipe" (NULL), "softpipe", "native" */
};

const char *qs_pipeline_name(enum qs_pipeline pipeline); /* "soft", "shader" */
bool qs_pipeline_parse(const char *name, enum qs_pipeline *pipeline);
/* From the frame `from` on (0: the one after that of the moment, at the start the first) this pipeline draws; keeps the moment.
 * options NULL: those of before.  QS_ERR_UNSUPPORTED: no host, or none that can do it; the text says what to install. */
bool qs_timeline_set_pipeline(struct qs_timeline *timeline, enum qs_pipeline pipeline, uint32_t from,
	const struct qs_pipeline_options *options, struct qs_error *error);
enum qs_pipeline qs_timeline_pipeline(const struct qs_timeline *timeline, uint32_t frame); /* 0: of the frame set_pipeline takes for 0 */
/* What the host failed at since the last call; false: nothing.  The pictures are right all the same: another host was tried,
 * and when that failed too, the soft pipeline has drawn. */
bool qs_timeline_pipeline_trouble(struct qs_timeline *timeline, struct qs_error *error);

/* The host's programs for a draw, TGSI, and the commands that draw it. */
struct qs_program {
	char *vertex, *fragment;
	char units[128]; /* empty, or why the units do XF of this draw, so that the vertex program only hands through */
	char *commands; /* NULL: no host was there, `reason` says why */
	char reason[512];
	struct qs_program_part {
		uint32_t line; /* of the program's text, from 0: where the part begins */
		char name[28]; /* "stage 3", "fog"; of the vertex program "channel 0 light 2", "texgen 1"; of Gfx3D "12 mul", the CSIR instruction */
	} *part, *vertex_part; /* part: of the fragment program */
	uint32_t part_count, vertex_part_count;
};
/* Of the draw at the moment (DRAW or finer).  Gfx3D: what a host of its own gets for the call. */
bool qs_timeline_program(struct qs_timeline *timeline, struct qs_program *program, struct qs_error *error);
void qs_program_finish(struct qs_program *program);

const struct qs_moment *qs_timeline_moment(const struct qs_timeline *timeline);
/* Primitive, quad, fragment and stage numbers must exist; the error says how many there are. */
bool qs_timeline_seek(struct qs_timeline *timeline, const struct qs_moment *moment, struct qs_error *error);
/* n > 0 forward, n < 0 back, by things of that level (COMMAND steps over every command; DRAW, PRIMITIVE ... skip what has
 * none).  Stops at the first or last such thing; returns how many steps were made, signed; error->code is QS_OK when none was
 * possible, else what failed. */
int qs_timeline_step(struct qs_timeline *timeline, enum qs_level level, int n, struct qs_error *error);
/* Next (direction > 0) or previous draw whose fragments reach the pixel, passed or failed; QS_ERR_RANGE: none. */
bool qs_timeline_seek_pixel(struct qs_timeline *timeline, int x, int y, int direction, struct qs_error *error);
/* Next or previous command that changes the register's bits under mask. */
bool qs_timeline_seek_write(struct qs_timeline *timeline, enum qs_unit unit, uint32_t address, uint32_t mask, int direction,
	struct qs_error *error);
/* Runs from `from` (NULL: the start) to `to` (NULL: the end of the capture) with taps and stays there. */
bool qs_timeline_replay(struct qs_timeline *timeline, const struct qs_moment *from, const struct qs_moment *to,
	const struct qs_taps *taps, struct qs_error *error);
/* Hash of all machine state at the moment: registers, latches, EFB, TMEM, main memory. */
uint64_t qs_timeline_hash(struct qs_timeline *timeline);

/* What a moment contains: primitives of the draw, quads of the primitive. */
uint32_t qs_timeline_primitive_count(struct qs_timeline *timeline, const struct qs_moment *draw);
uint32_t qs_timeline_quad_count(struct qs_timeline *timeline, const struct qs_moment *primitive);

/* ---- state at the current moment ---------------------------------------------------------------------------------------- */

uint32_t qs_timeline_register(const struct qs_timeline *timeline, enum qs_unit unit, uint32_t address);
/* Command that wrote the register last; QS_NONE: the initial state. */
uint32_t qs_timeline_register_writer(const struct qs_timeline *timeline, enum qs_unit unit, uint32_t address);

enum qs_space { QS_SPACE_MAIN, QS_SPACE_TMEM };
/* Bytes beyond the end read 0; returns how many were inside. Main memory addresses as the console's (MEM1, MEM2 bit 28). */
size_t qs_timeline_memory(const struct qs_timeline *timeline, enum qs_space space, uint32_t address, void *data, size_t size);

enum qs_buffer {
	QS_BUFFER_COLOR,    /* EFB colour, RGBA8 expanded; at a FRAME moment as its display copy read it (before the clear) */
	QS_BUFFER_ALPHA,    /* as grey */
	QS_BUFFER_DEPTH,    /* 24 bit in depth[], grey in rgba[] */
	QS_BUFFER_COVERAGE, /* covered quads of the current draw up to the moment: count per pixel in depth[], heat in rgba[] */
	QS_BUFFER_COPY,     /* RGB of the last display copy */
	QS_BUFFER_XFB,      /* the same after YUV 4:2:2 and back */
	QS_BUFFER_COUNT
};

struct qs_image {
	uint32_t width, height;
	uint8_t *rgba;    /* width*height*4, always */
	uint32_t *depth;  /* width*height or NULL */
};

bool qs_timeline_image(struct qs_timeline *timeline, enum qs_buffer buffer, struct qs_image *image, struct qs_error *error);
void qs_image_finish(struct qs_image *image); /* frees and zeroes; NULL is fine */
const char *qs_buffer_name(enum qs_buffer buffer);
bool qs_buffer_parse(const char *name, enum qs_buffer *buffer);
bool qs_image_write_png(const struct qs_image *image, const char *path, struct qs_error *error);
bool qs_image_read_png(struct qs_image *image, const char *path, struct qs_error *error);

struct qs_image_difference {
	uint64_t pixels, equal, within; /* within the tolerance, equal ones included; RGB only */
	unsigned maximum;
	double mean; /* over all pixels of the largest channel difference */
};
/* difference: NULL or gets an image (amplified).  Sizes must agree. */
bool qs_image_compare(const struct qs_image *a, const struct qs_image *b, unsigned tolerance, struct qs_image_difference *result,
	struct qs_image *difference, struct qs_error *error);

/* One pixel of the EFB at the moment. */
bool qs_timeline_pixel(struct qs_timeline *timeline, int x, int y, uint8_t rgba[4], uint32_t *z);

/* Its samples: their number, 3 in the anti-aliased EFB, else 1; 0: no such pixel, or a capture of another machine. */
unsigned qs_timeline_samples(struct qs_timeline *timeline, int x, int y, uint8_t rgba[3][4], uint32_t z[3]);

/* Setup records of the primitive at the moment (PRIMITIVE or finer; a DRAW moment gives its last primitive).
 * Returns the number of parts, at most max are written. */
uint32_t qs_timeline_setup(struct qs_timeline *timeline, struct qs_setup *setup, uint32_t max, struct qs_error *error);
/* The quad at the moment with all detail (QUAD or finer).  Fragments and stages after the moment are PENDING and zero. */
bool qs_timeline_quad(struct qs_timeline *timeline, struct qs_setup *setup, struct qs_quad *quad, struct qs_error *error);
/* All quads of the primitive at the moment, in traversal order: position and coverage only. *quads is malloc'ed. */
struct qs_quad_place {
	int16_t x, y;
	uint16_t coverage;
	uint16_t part;
};
bool qs_timeline_quads(struct qs_timeline *timeline, struct qs_quad_place **quads, uint32_t *count, struct qs_error *error);
/* Vertices of the draw at the moment as XF left them. *vertices is malloc'ed. */
bool qs_timeline_vertices(struct qs_timeline *timeline, struct qs_vertex **vertices, uint32_t *count, struct qs_error *error);

/* The moment of the fragment that covers (x, y) in the current draw, or with last = true the fragment that wrote the
 * pixel last before or at the current moment (any draw of the frame). QS_ERR_RANGE: none. */
bool qs_timeline_find_fragment(struct qs_timeline *timeline, int x, int y, bool last, struct qs_moment *moment, struct qs_error *error);

enum qs_history_kind { QS_HISTORY_FRAGMENT, QS_HISTORY_CLEAR, QS_HISTORY_START, QS_HISTORY_ACCESS };

struct qs_history_row {
	struct qs_moment moment; /* FRAGMENT level, the copy command that cleared, or the command after which the processor wrote */
	uint8_t kind;
	uint8_t verdict;
	uint8_t source[4], before[4], after[4];
	uint32_t z, z_before, z_after;
	uint8_t z_func, alpha_func0, alpha_func1, alpha_ref0, alpha_ref1, alpha_logic;
	/* FRAGMENT in the anti-aliased EFB: sample_count 3, covered samples, those through the depth test; else sample_count is 1 or 0 */
	uint8_t sample_count, samples, samples_passed, sample_before[3][4], sample_after[3][4];
};

/* Everything that reached the pixel in the frame, in order. *rows is malloc'ed. Keeps the current moment. */
bool qs_timeline_history(struct qs_timeline *timeline, uint32_t frame, int x, int y, struct qs_history_row **rows, uint32_t *count,
	struct qs_error *error);
const char *qs_verdict_name(enum qs_verdict verdict);

/* The copy that the moment's command made; QS_ERR_RANGE: it is none. */
bool qs_timeline_copy(struct qs_timeline *timeline, struct qs_copy *copy, struct qs_error *error);
/* How one texel of it (0, 0 top left) came about.  Also inside a copy tap, about the copy of the event. */
bool qs_timeline_copy_texel(struct qs_timeline *timeline, uint32_t x, uint32_t y, struct qs_copy_texel *texel,
	struct qs_error *error);
/* "R4", "RGB565"; depth: with pixel type Z24. */
const char *qs_copy_format_name(uint8_t format);

/* ---- textures at the current moment ------------------------------------------------------------------------------------- */

struct qs_texture {
	uint8_t map;
	bool used;          /* a stage or indirect stage of GEN_MODE reads it */
	bool preloaded;     /* from TMEM */
	uint32_t address;   /* main memory, or TMEM byte address when preloaded */
	uint32_t width, height, format, levels;
	uint32_t tlut_address, tlut_format, tlut_entries; /* TMEM byte address; entries 0: no palette */
	uint8_t wrap_s, wrap_t, min_filter, mag_filter, mip_filter;
	float min_lod, max_lod, lod_bias;
};

const char *qs_texture_format_name(uint32_t format); /* "RGB5A3" */
bool qs_timeline_texture(struct qs_timeline *timeline, unsigned map, struct qs_texture *texture, struct qs_error *error);
bool qs_timeline_texture_image(struct qs_timeline *timeline, unsigned map, unsigned level, struct qs_image *image, struct qs_error *error);
/* Where the bytes of a level are. */
struct qs_texture_level {
	uint32_t width, height, format;
	uint32_t address, size; /* bytes; main memory, or TMEM when from_tmem */
	bool from_tmem;
};
bool qs_timeline_texture_level(struct qs_timeline *timeline, unsigned map, unsigned level, struct qs_texture_level *place,
	struct qs_error *error);
/* Address of the byte that holds texel (s, t) first (CMPR: its 4x4 block; RGBA8: its A and R). */
uint32_t qs_texture_texel_address(const struct qs_texture_level *level, uint32_t s, uint32_t t);
/* Palette as a 16-wide image. */
bool qs_timeline_tlut_image(struct qs_timeline *timeline, unsigned map, struct qs_image *image, struct qs_error *error);

/* Texture memory, line by line. */
#define QS_TMEM_LINES 32768u /* of 32 bytes; the upper half holds odd levels and palettes */
#define QS_TMEM_PALETTE_LEVEL 255

enum qs_tmem_state {
	QS_TMEM_EMPTY,
	QS_TMEM_LOADED, /* by LOADBLOCK, or in the log's TMEM image */
	QS_TMEM_TLUT,   /* by LOADTLUT */
	QS_TMEM_CACHED, /* fetched by a lookup */
	QS_TMEM_STALE,  /* fetched, and main memory has changed since */
};

struct qs_tmem_line {
	uint32_t address; /* cached: the line of main memory */
	uint8_t state;    /* enum qs_tmem_state */
	uint8_t map;      /* whose image or palette lies there as the registers are; 255: nobody's */
	uint8_t level;    /* QS_TMEM_PALETTE_LEVEL: its palette */
};
/* Fills all QS_TMEM_LINES. */
void qs_timeline_tmem(const struct qs_timeline *timeline, struct qs_tmem_line *lines);

#ifdef __cplusplus
}
#endif

#endif
