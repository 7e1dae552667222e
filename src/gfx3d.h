/* gfx3d.h - the Gfx3D programming interface: contexts, targets, meshes, textures and shader programs, drawn on the processor
 * or by a VirGL host from the same verified CSIR
 *
 * An instance (struct qs_gfx3d) holds the object tables and one backend.  Programs written for it link with libquadscope:
 *
 *     struct qs_gfx3d *g = qs_gfx3d_create(NULL);
 *     qs_gfx3d_boot(g, QS_GFX3D_AUTO);
 *     qs_gfx3d_handle context = qs_gfx3d_context_create(g, 1), target = qs_gfx3d_target_create(g, 1, context, 320, 240);
 *     ... qs_gfx3d_begin, qs_gfx3d_clear, qs_gfx3d_use, qs_gfx3d_draw, qs_gfx3d_end, qs_gfx3d_target_read ...
 *
 * With the environment variable QS_GFX3D_CAPTURE=FILE.qsc every call of the first instance is recorded (docs/qsc-format.md);
 * Quadscope opens the file like any capture.
 *
 * Conventions: calls give 0, or -1 and a text (qs_gfx3d_last_error); calls that make something give its handle, or 0 and a
 * text.  A handle has a generation in its upper 16 bits and the slot number plus 1 in its lower 16, so that a handle of a
 * destroyed object is noticed.  Every call names the owner of the objects it touches and refuses those of another.  Matrices
 * are row-major, vectors are columns (translation in elements 3, 7 and 11).  Packed colours are 0xAARRGGBB, row 0 is the top.
 * Not thread-safe: one thread at a time per instance.
 *
 * Which implementation is imitated is a model, a set of quirks: "chrisos" (the software renderer of ChrisOS with all that
 * differs from a GPU), "virgl" (the same calls as a VirGL host draws them) and "corrected" (what a GPU should do).  Calls
 * marked EXTENSION are not part of ChrisOS's interface.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GFX3D_H
#define GFX3D_H

#include "quadscope.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t qs_gfx3d_handle;

#define QS_GFX3D_MAX_CONTEXTS 8
#define QS_GFX3D_MAX_TARGETS 8
#define QS_GFX3D_MAX_MESHES 48
#define QS_GFX3D_MAX_TEXTURES 24
#define QS_GFX3D_MAX_PROGRAMS 16 /* instances: a linked program prepared for a context */
#define QS_GFX3D_MAX_SHADERS 32  /* linked programs */
#define QS_GFX3D_MAX_WIDTH 1920
#define QS_GFX3D_MAX_HEIGHT 1080
#define QS_GFX3D_MAX_TEXTURE 1024
#define QS_GFX3D_MAX_VERTICES 8192 /* of the incremental builder */
#define QS_GFX3D_UNITS 4           /* texture units; the original has one */

struct qs_gfx3d;

/* ---- the instance ------------------------------------------------------------------------------------------------------- */

enum qs_gfx3d_backend {
	QS_GFX3D_AUTO,     /* VirGL when a host can be started, else software; a lost host falls back to software */
	QS_GFX3D_SOFTWARE,
	QS_GFX3D_VIRGL,    /* forced: calls fail when the host is lost */
	QS_GFX3D_MOCK,     /* draws nothing, notes what was called (qs_gfx3d_mock_log) */
	QS_GFX3D_BACKEND_COUNT
};

enum qs_gfx3d_model { QS_GFX3D_CHRISOS, QS_GFX3D_VIRGL_MODEL, QS_GFX3D_CORRECTED, QS_GFX3D_MODEL_COUNT };

/* Makes an instance with the chrisos model and the software backend; NULL: no memory, or QS_GFX3D_CAPTURE cannot be written. */
struct qs_gfx3d *qs_gfx3d_create(struct qs_error *error);
/* Ends a recording and frees everything. NULL is fine. */
void qs_gfx3d_destroy(struct qs_gfx3d *g);
/* Chooses the backend and destroys all objects.  VIRGL without a host: -1, and the backend's name becomes "virgl-lost". */
int qs_gfx3d_boot(struct qs_gfx3d *g, enum qs_gfx3d_backend backend);
/* "software", "virgl", "mock", "virgl-lost". */
const char *qs_gfx3d_backend_name(const struct qs_gfx3d *g);
/* The short text of the last call that failed ("mesh table full"), or "". */
const char *qs_gfx3d_last_error(const struct qs_gfx3d *g);
/* EXTENSION. A sentence about the last failure, with what the compiler, linker or VirGL host said. */
const char *qs_gfx3d_last_detail(const struct qs_gfx3d *g);
/* The words of the calls that reached the mock backend, at most 1023 bytes. */
const char *qs_gfx3d_mock_log(const struct qs_gfx3d *g);

/* EXTENSION. The model decides how draws and clears behave from now on; contents stay. */
void qs_gfx3d_set_model(struct qs_gfx3d *g, enum qs_gfx3d_model model);
enum qs_gfx3d_model qs_gfx3d_model(const struct qs_gfx3d *g);
const char *qs_gfx3d_model_name(enum qs_gfx3d_model model); /* "chrisos" */
bool qs_gfx3d_model_parse(const char *name, enum qs_gfx3d_model *model);

struct qs_gfx3d_quirk {
	const char *name;
	int value[QS_GFX3D_MODEL_COUNT];
	const char *text;
};

uint32_t qs_gfx3d_quirk_count(void);
const struct qs_gfx3d_quirk *qs_gfx3d_quirk_at(uint32_t i); /* NULL out of range */
bool qs_gfx3d_set_quirk(struct qs_gfx3d *g, const char *name, int value, struct qs_error *error);
int qs_gfx3d_quirk(const struct qs_gfx3d *g, const char *name); /* 0 for a name that does not exist */

/* EXTENSION. Records every call from here on into a capture; call it before making objects. */
int qs_gfx3d_record(struct qs_gfx3d *g, const char *path);
/* Ends the recording; -1: the file could not be written whole. */
int qs_gfx3d_record_end(struct qs_gfx3d *g);

struct qs_gfx3d_stats {
	uint32_t contexts, targets, meshes, textures, programs; /* alive */
	uint64_t color_bytes, depth_bytes, mesh_bytes, texture_bytes; /* held */
	uint64_t frames, clears, draws, triangles;
	uint64_t triangles_skipped; /* w near 0, degenerate, culled, clipped away, outside */
	uint64_t pixels_tested, pixels_depth_failed, pixels_discarded, pixels_written;
	uint64_t pixels_out_of_range; /* written with a channel outside 0..1 or not a number: packing decides what they look like */
	uint64_t errors;
	uint64_t undefined_draws; /* draws into a target that was not cleared since it was made or resized */
	bool degraded;            /* a VirGL host was lost and software took over */
};

void qs_gfx3d_get_stats(const struct qs_gfx3d *g, struct qs_gfx3d_stats *stats);
/* EXTENSION. Shader sources that were to be compiled, and those among them that the cache of eight had. */
void qs_gfx3d_compiles(const struct qs_gfx3d *g, uint64_t *sources, uint64_t *cached);
/* Sets counters to 0; numbers of living objects and bytes stay. */
void qs_gfx3d_stats_reset(struct qs_gfx3d *g);
/* Destroys everything that belongs to the owner. */
int qs_gfx3d_drop_owner(struct qs_gfx3d *g, uint32_t owner);

/* ---- shader programs ---------------------------------------------------------------------------------------------------- */

/* Compiles and links both stages; sources in the shader language, or CSIR text (docs/csir.md) when they begin with "shader".
 * 0: qs_gfx3d_last_detail has what the compiler says, with line and column. */
qs_gfx3d_handle qs_gfx3d_shader_create(struct qs_gfx3d *g, uint32_t owner, const char *vertex, const char *fragment);
/* Compiles and links again; uniforms keep their words even where slots moved.  A failure leaves the old program. */
int qs_gfx3d_shader_relink(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle shader, const char *vertex, const char *fragment);
int qs_gfx3d_shader_destroy(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle shader);
/* Binds a linked program to a context; with VirGL both TGSI texts go to the host. */
qs_gfx3d_handle qs_gfx3d_prog_prepare(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, qs_gfx3d_handle shader);
int qs_gfx3d_prog_destroy(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle program);

/* ChrisOS's proof renderer and the shaders alone, always on the processor and never recorded: one vertex, one fragment, one triangle of a
 * linked program with its uniforms.  -1: not linked, a missing argument, or the shader cannot run.
 * vertex: eight attributes in, position and eight varyings out; varyings that the shader does not store stay as they are. */
int qs_gfx3d_soft_vertex(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle shader, const float attribute[8][4], float position[4],
	float varying[8][4]);
/* fragment: varyings by slot of the vertex shader; fragcoord and discarded may be NULL, texture 0. */
int qs_gfx3d_soft_fragment(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle shader, const float varying[8][4], const float fragcoord[4],
	qs_gfx3d_handle texture, float color[4], int *discarded);
/* triangle: three arrays of 32 floats (8 locations of 4), stride at least 4 and not used; 1 to 128 pixels each way, over what is there,
 * with a depth buffer of its own.  -1 also when a w is near 0. */
int qs_gfx3d_soft_triangle(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle shader, const float *const attributes[3], int stride,
	qs_gfx3d_handle texture, uint32_t *pixels, int width, int height);

/* ---- objects ------------------------------------------------------------------------------------------------------------ */

/* Defaults: depth on, cull off, fov 60, near 0.1, far 200, identity matrices, nothing bound. */
qs_gfx3d_handle qs_gfx3d_context_create(struct qs_gfx3d *g, uint32_t owner);
/* Destroys its targets and program instances too; meshes, textures and shaders stay. */
int qs_gfx3d_context_destroy(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context);

/* 1..1920 by 1..1080.  Contents are undefined until the first clear (the quirk fresh_target says what they are). */
qs_gfx3d_handle qs_gfx3d_target_create(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, int width, int height);
/* EXTENSION. samples 1 or 4; read back as the average. */
qs_gfx3d_handle qs_gfx3d_target_create_samples(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, int width, int height,
	int samples);
int qs_gfx3d_target_resize(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle target, int width, int height);
int qs_gfx3d_target_destroy(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle target);
/* Copies width*height packed colours; count is the room in pixels. */
int qs_gfx3d_target_read(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle target, uint32_t *pixels, size_t count);
/* EXTENSION. The depth of sample 0. */
int qs_gfx3d_target_read_depth(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle target, float *depth, size_t count);

enum qs_gfx3d_usage { QS_GFX3D_STATIC, QS_GFX3D_DYNAMIC, QS_GFX3D_STREAM }; /* anything else becomes STATIC */

struct qs_gfx3d_element {
	int32_t location;   /* attribute 0..7; others are ignored */
	int32_t components; /* floats, 1..4 */
	int32_t offset;     /* bytes in the vertex */
};

struct qs_gfx3d_layout {
	int32_t stride;   /* bytes, at least 4 */
	int32_t elements; /* 1..8 */
	struct qs_gfx3d_element element[8];
};

qs_gfx3d_handle qs_gfx3d_mesh_create(struct qs_gfx3d *g, uint32_t owner, int usage);
/* Copies; indices may be NULL with count 0. */
int qs_gfx3d_mesh_upload(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle mesh, const struct qs_gfx3d_layout *layout,
	const void *vertices, size_t bytes, const uint16_t *indices, size_t index_count);
/* The incremental builder: position, normal, texture coordinate. */
int qs_gfx3d_mesh_vert(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle mesh, float x, float y, float z, float nx, float ny,
	float nz, float u, float v);
/* Uploads what mesh_vert collected as 40-byte vertices: location 0 position (w 1), 1 normal (fourth lane 0), 2 coordinate. */
int qs_gfx3d_mesh_finish(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle mesh);
int qs_gfx3d_mesh_destroy(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle mesh);

/* 1..1024 each way. */
qs_gfx3d_handle qs_gfx3d_tex_create(struct qs_gfx3d *g, uint32_t owner, int width, int height);
/* width and height must be those of creation; alpha of every pixel becomes 255. */
int qs_gfx3d_tex_upload(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle texture, int width, int height, const uint32_t *pixels);
qs_gfx3d_handle qs_gfx3d_tex_solid(struct qs_gfx3d *g, uint32_t owner, uint32_t argb);
int qs_gfx3d_tex_destroy(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle texture);

/* ---- drawing ------------------------------------------------------------------------------------------------------------ */

int qs_gfx3d_begin(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, qs_gfx3d_handle target);
/* Colour and depth; a depth that is not 0 turns the context's depth test on (0 does not turn it off). */
int qs_gfx3d_clear(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, float r, float gr, float b, float a, float depth);
int qs_gfx3d_viewport(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, int x, int y, int width, int height);
int qs_gfx3d_depth(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, int on);
/* Back faces are dropped when on; counter-clockwise in normalised device coordinates is the front. */
int qs_gfx3d_cull(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, int on);
/* Degrees. Writes the uniforms "view" and "projection" of the program in use. */
int qs_gfx3d_camera(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, float x, float y, float z, float yaw, float pitch,
	float fov, float near_z, float far_z);
/* Writes the uniforms "model" and "normalMatrix" (the upper left 3x3 of it) of the program in use. */
int qs_gfx3d_model_matrix(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, const float matrix[16]);
int qs_gfx3d_use(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, qs_gfx3d_handle program);
/* Into the program in use, both stages. */
int qs_gfx3d_uniform_mat4(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, const char *name, const float matrix[16]);
int qs_gfx3d_uniform_f(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, const char *name, const float *values,
	size_t count);
/* Texture 0 takes it away. The quirk texture_units says whether the unit counts. */
int qs_gfx3d_bind_tex(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, int unit, qs_gfx3d_handle texture);
int qs_gfx3d_draw(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, qs_gfx3d_handle mesh);
int qs_gfx3d_end(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context);

/* ---- EXTENSIONS: what the original lacks.  Drawn by the software backend under every model (sampler state only where the quirk
 * `sampling` lets it); on VirGL the host's own. ------------------------------------------------------------------------------ */

enum qs_gfx3d_filter { QS_GFX3D_NEAREST, QS_GFX3D_LINEAR, QS_GFX3D_NO_MIPS }; /* NO_MIPS for mip only */
enum qs_gfx3d_wrap { QS_GFX3D_CLAMP, QS_GFX3D_REPEAT, QS_GFX3D_MIRROR };

struct qs_gfx3d_sampler {
	uint8_t min, mag, mip; /* enum qs_gfx3d_filter */
	uint8_t wrap_s, wrap_t;
	float lod_bias, min_lod, max_lod;
};

int qs_gfx3d_sampler(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, int unit, const struct qs_gfx3d_sampler *sampler);
/* Fills the smaller levels by averaging 2x2 texels. */
int qs_gfx3d_tex_mipmaps(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle texture);

enum qs_gfx3d_factor {
	QS_GFX3D_ZERO, QS_GFX3D_ONE, QS_GFX3D_SRC_COLOR, QS_GFX3D_INV_SRC_COLOR, QS_GFX3D_SRC_ALPHA, QS_GFX3D_INV_SRC_ALPHA,
	QS_GFX3D_DST_COLOR, QS_GFX3D_INV_DST_COLOR, QS_GFX3D_DST_ALPHA, QS_GFX3D_INV_DST_ALPHA, QS_GFX3D_FACTOR_COUNT
};
enum qs_gfx3d_blend_op { QS_GFX3D_ADD, QS_GFX3D_SUBTRACT, QS_GFX3D_REVERSE_SUBTRACT, QS_GFX3D_MIN, QS_GFX3D_MAX, QS_GFX3D_OP_COUNT };

struct qs_gfx3d_blend {
	uint8_t enable;
	uint8_t src, dst, op;                   /* colour */
	uint8_t src_alpha, dst_alpha, op_alpha;
	uint8_t write_mask;                     /* bit 0 red ... bit 3 alpha */
};

int qs_gfx3d_blend(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, const struct qs_gfx3d_blend *blend);

enum qs_gfx3d_compare {
	QS_GFX3D_NEVER, QS_GFX3D_LESS, QS_GFX3D_EQUAL, QS_GFX3D_LEQUAL, QS_GFX3D_GREATER, QS_GFX3D_NOTEQUAL, QS_GFX3D_GEQUAL,
	QS_GFX3D_ALWAYS, QS_GFX3D_COMPARE_COUNT
};
enum qs_gfx3d_stencil_op {
	QS_GFX3D_KEEP, QS_GFX3D_STENCIL_ZERO, QS_GFX3D_REPLACE, QS_GFX3D_INCREMENT, QS_GFX3D_DECREMENT, QS_GFX3D_INCREMENT_WRAP,
	QS_GFX3D_DECREMENT_WRAP, QS_GFX3D_INVERT, QS_GFX3D_STENCIL_OP_COUNT
};

struct qs_gfx3d_stencil {
	uint8_t enable;
	uint8_t func, fail, depth_fail, pass; /* enum qs_gfx3d_compare; enum qs_gfx3d_stencil_op */
	uint8_t reference, read_mask, write_mask;
};

/* Clears set the stencil to 0. */
int qs_gfx3d_stencil(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, const struct qs_gfx3d_stencil *stencil);
/* Default LESS, write on. */
int qs_gfx3d_depth_func(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, int compare, int write);

/* ---- records: what the rasteriser reports about a quad (for the debugger) ------------------------------------------------- */

enum qs_gfx3d_verdict {
	QS_GFX3D_VERDICT_NONE,    /* not covered */
	QS_GFX3D_VERDICT_WRITTEN,
	QS_GFX3D_VERDICT_ZERO_W,  /* interpolated 1/w is 0 */
	QS_GFX3D_VERDICT_STENCIL,
	QS_GFX3D_VERDICT_DEPTH,
	QS_GFX3D_VERDICT_DISCARD,
	QS_GFX3D_VERDICT_PENDING, /* the moment is before its end */
	QS_GFX3D_VERDICT_COUNT
};

const char *qs_gfx3d_verdict_name(enum qs_gfx3d_verdict verdict);

struct qs_gfx3d_fragment {
	uint8_t verdict, samples; /* enum qs_gfx3d_verdict; covered samples, a bit each */
	int16_t x, y;
	float weight[3]; /* barycentric, of the part's vertices */
	float inv_w;     /* interpolated 1/w */
	float z, z_old, z_new;
	float varying[8][4]; /* by vertex slot; those the fragment shader does not load are 0 */
	float fcoord[4];
	float color[4];      /* the shader's output */
	uint32_t old_pixel, new_pixel; /* 0xAARRGGBB, sample 0 */
	bool out_of_range; /* a channel outside 0..1 or not a number */
};

/* What an instruction did in the four fragments of a quad. */
struct qs_gfx3d_step {
	uint16_t instruction;
	uint8_t ran;       /* bit per fragment */
	bool has_a, has_b; /* it reads these operands */
	int16_t dst;       /* first register written, -1: none */
	uint16_t dst_count;
	int16_t reg_a, reg_b;           /* registers of the operands, -1: none */
	uint8_t lanes, lanes_a, lanes_b; /* written, and read of the operands; bit per lane */
	float value[4][4], a[4][4], b[4][4]; /* [fragment][lane]: first register written, operands as read */
};

struct qs_gfx3d_quad {
	int16_t x, y;      /* top left pixel, even */
	uint16_t coverage; /* bit 4*fragment + sample */
	uint32_t part;     /* of the setup record */
	struct qs_gfx3d_fragment fragment[4];
	uint32_t step_count;
	struct qs_gfx3d_step step[384]; /* CSIR instructions in order */
};

/* ---- captures of calls under a timeline ------------------------------------------------------------------------------------ */

/* The instance that replays the capture, to be looked at (statistics, quirks, model); NULL: the capture is of another machine. */
const struct qs_gfx3d *qs_timeline_gfx3d(const struct qs_timeline *timeline);
/* Replays with this model instead of the ones that the recorded program chose; keeps the moment, or goes to what holds it.
 * Single quirks: qs_timeline_set_quirk. */
bool qs_timeline_set_gfx3d_model(struct qs_timeline *timeline, enum qs_gfx3d_model model, struct qs_error *error);
/* The quad at the moment (QUAD or finer) with its instructions; those after a STAGE moment are left out.  A stage is an instruction
 * of the fragment shader. */
bool qs_timeline_gfx3d_quad(struct qs_timeline *timeline, struct qs_gfx3d_quad *quad, struct qs_error *error);
/* CSIR of the program in use: number of instructions (stage 0 vertex, 1 fragment), and one as text with its source line (0: not
 * known). 160 bytes suffice. */
uint32_t qs_timeline_gfx3d_instructions(struct qs_timeline *timeline, unsigned stage);
char *qs_timeline_gfx3d_instruction(struct qs_timeline *timeline, unsigned stage, uint32_t i, uint32_t *line, char *buffer, size_t size);
/* The stage's source text, or NULL: it came as CSIR.  Valid until the timeline moves. */
const char *qs_timeline_gfx3d_source(struct qs_timeline *timeline, unsigned stage);
/* What the vertex shader did for the primitive at the moment (of a draw: its last one): value[k] and bit k of `ran` are its corner
 * k, whose number in the mesh goes to vertex[k].  step has room for 384; *count are filled. */
bool qs_timeline_gfx3d_vertex_steps(struct qs_timeline *timeline, uint32_t vertex[3], struct qs_gfx3d_step *step, uint32_t *count,
	struct qs_error *error);

/* What a host has for steps of a record, in the same order: the register that the step writes first, after it.  stage 0: steps of
 * qs_timeline_gfx3d_vertex_steps for the moment's primitive, part is the corner; stage 1: steps of qs_timeline_gfx3d_quad, part is
 * the fragment.  known[i] false: the step writes nothing or did not run for the part.  The host draws the primitive once per step,
 * with the program cut behind it. */
bool qs_gfx3d_host_steps(struct qs_gfx3d_host *host, const struct qs_moment *moment, unsigned stage, unsigned part, int x, int y,
	const struct qs_gfx3d_step *step, uint32_t count, float (*value)[4], bool *known, qs_progress_fn progress, void *user,
	struct qs_error *error);

/* State at the moment as rows for people, in groups that follow each other. */
enum qs_gfx3d_unit { QS_GFX3D_CONTEXTS, QS_GFX3D_UNIFORMS, QS_GFX3D_OBJECTS, QS_GFX3D_COUNTERS, QS_GFX3D_UNIT_COUNT };
struct qs_gfx3d_row {
	uint8_t unit;    /* enum qs_gfx3d_unit */
	char group[32];  /* "context 1", "vertex uniforms" */
	char name[48];   /* unique in its group: "depth function", "model[2]": slot 2 of a matrix, a column */
	char type[16];   /* "handle", "mat4", "" */
	char value[112];
	char note[80];   /* what the value does not say, or "" */
	uint32_t writer; /* command that set it last, QS_NONE: none up to the moment */
};
const char *qs_gfx3d_unit_name(enum qs_gfx3d_unit unit); /* "uniforms" */
/* *rows is malloc'ed. */
bool qs_timeline_gfx3d_rows(struct qs_timeline *timeline, struct qs_gfx3d_row **rows, uint32_t *count, struct qs_error *error);

/* A vertex as the draw at the moment uses it: a row per corner of its primitives. */
struct qs_gfx3d_vertex {
	uint32_t index;       /* in the mesh */
	bool fetched;         /* false: the index lies beyond the vertices, everything is 0 */
	float attribute[8][4], clip[4], varying[8][4]; /* by location; by slot of the vertex shader */
	float window[4];      /* x, y in pixels, depth as the model stores it, 1/w */
};
/* *vertices is malloc'ed; corner k of primitive p is number 3p + k.  Primitives beyond 100000 are left out. */
bool qs_timeline_gfx3d_vertices(struct qs_timeline *timeline, struct qs_gfx3d_vertex **vertices, uint32_t *count, struct qs_error *error);
/* Attributes, varyings and samplers of the program in use; false: there is no i-th. */
enum qs_gfx3d_port_kind { QS_GFX3D_ATTRIBUTE, QS_GFX3D_VARYING, QS_GFX3D_SAMPLER };
struct qs_gfx3d_port {
	char name[40], type[12];
	uint8_t kind, slot, lanes; /* enum qs_gfx3d_port_kind; location, slot or texture unit */
};
bool qs_timeline_gfx3d_port(struct qs_timeline *timeline, uint32_t i, struct qs_gfx3d_port *port);

/* The texture bound to a unit of the context that draws; QS_ERR_RANGE: none. */
struct qs_gfx3d_binding {
	qs_gfx3d_handle handle;
	uint32_t width, height, levels;
	bool uploaded; /* false: it was made but never filled, and reads black */
	struct qs_gfx3d_sampler sampler;
};
bool qs_timeline_gfx3d_texture(struct qs_timeline *timeline, unsigned unit, struct qs_gfx3d_binding *binding, struct qs_error *error);
bool qs_timeline_gfx3d_texture_image(struct qs_timeline *timeline, unsigned unit, unsigned level, struct qs_image *image,
	struct qs_error *error);

#ifdef __cplusplus
}
#endif

#endif
