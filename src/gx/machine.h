/* machine.h - the Flipper as a value, and the order of its units
 *
 * One struct holds everything a command can change.  Units are functions over it, called in the order of the block diagram:
 *
 *   cp.c       decodes a command; registers; memory updates            draw.c    drives a draw: iterators, batches, taps
 *   vertex.c   attribute fetch and conversion                           ras.c     quads, 12-bit coverage, attributes
 *   xf.c       transform, lighting, texgen                              tx.c      TMEM, addressing, LOD, filter (texfmt.c: texels)
 *   clip.c     outcodes, clipping                                       indirect.c tev.c fog.c   combiners
 *   su.c       assembly, culling, lines, points, edges, planes          pe.c efb.c  alpha, Z, blend, EFB store
 *                                                                       copy.c xfb.c  copies
 *
 * RAS to PE work on a batch of up to 16 quads (64 fragments), arrays per attribute.  Fragment i belongs to quad i/4 at
 * pixel i%4 (0 top left, 1 top right, 2 bottom left, 3 bottom right).  Results never depend on the batch size.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GX_MACHINE_H
#define GX_MACHINE_H

#include "quadscope.h"

#define GX_EFB_WIDTH 640
#define GX_EFB_HEIGHT 528
#define GX_TMEM_SIZE 0x100000u
#define GX_BATCH_QUADS 16
#define GX_BATCH (GX_BATCH_QUADS * 4)
#define GX_BP_COUNT 0x108 /* 0x100-0x107: konst bank of 0xE0-0xE7 */
#define GX_XF_COUNT 0x1058
#define GX_PE_COUNT 0x40

enum gx_quirk {
#define QUIRK(name, hardware, dolphin, pureikyubu, text) GX_QUIRK_##name,
#include "gx/quirks.def"
#undef QUIRK
	GX_QUIRK_COUNT
};

/* ---- the value ---------------------------------------------------------------------------------------------------------- */

/* Reference point of planes: at pixel (x, y) the distances are dx = offset_x + (x - x0), dy likewise, in single precision
 * and in this order, so that the model's own rounding is kept. */
struct gx_reference {
	int32_t x0, y0;
	float offset_x, offset_y;
};

/* Registers and latches: plain data, copied, hashed and compared as bytes (always memset before filling). */
struct gx_state {
	uint32_t bp[GX_BP_COUNT];
	uint32_t bp_mask; /* one-shot write mask of 0xFE */
	uint32_t cp[256];
	uint32_t xf[GX_XF_COUNT]; /* memory words (IEEE bits) and registers */
	uint16_t pe[GX_PE_COUNT]; /* by byte offset / 2 */
	/* latches */
	struct qs_plane z_plane;            /* zfreeze: plane of the last triangle set up with zfreeze off ... */
	struct gx_reference z_plane_origin; /* ... and its reference point */
	bool z_plane_valid;
	float last_normal[3][3]; /* object normal, tangent, binormal of the last vertex that had them */
	uint8_t last_colour[2][4];
	float last_tex[8][2];
	int16_t last_texel[4]; /* quirk disabled_texel */
	/* who wrote each register last: command index, QS_NONE initial state */
	uint32_t bp_writer[GX_BP_COUNT], cp_writer[256], xf_writer[GX_XF_COUNT], pe_writer[GX_PE_COUNT];
};

struct gx_memory {
	uint8_t *mem1, *mem2, *tmem; /* zero-filled */
	uint32_t mem1_size, mem2_size;
	/* One byte per 4096-byte page: 3 after gx_memory_write, 2 when whoever takes a snapshot has seen it, 0 while the page was
	 * never written and is zero. */
	uint8_t *mem1_dirty, *mem2_dirty;
	uint32_t main_generation, tmem_generation; /* count writes: caches compare them */
	/* The texture cache: a word per line of TMEM, GX_TAG_*.  Contents and tags are state; what follows them is not. */
	uint32_t *tags;
	uint32_t cached_low, cached_high; /* no line of main memory below or above is cached; low > high: none at all */
	uint32_t cached_lines, stale_lines; /* tags that are set; of these, lines that main memory no longer holds */
	uint32_t tmem_fills;   /* lines that lookups fetched, counted: not in tmem_generation */
	uint32_t tag_epoch;    /* counts changes of tags or cached lines behind the texture unit's back */
	uint32_t stale_events; /* counts main memory writes that a cached line did not follow */
	const uint8_t *initial_tmem; /* of the capture, palettes as Dolphin places them; NULL: none */
	uint32_t initial_tmem_size;
	struct gx_tmem_journal *journal; /* NULL: never asked for */
};

/* Tag of a line of TMEM.  BLOCK and PALETTE only say how the line was written last. */
#define GX_TMEM_LINES (GX_TMEM_SIZE / 32u)
#define GX_TAG_CACHED 0x80000000u  /* holds, or held, the main memory line GX_TAG_LINE */
#define GX_TAG_STALE 0x40000000u   /* ... which main memory no longer has like this */
#define GX_TAG_BLOCK 0x20000000u   /* LOADBLOCK */
#define GX_TAG_PALETTE 0x10000000u /* LOADTLUT */
#define GX_TAG_LINE 0x00FFFFFFu    /* address >> 5 */

/* The EFB: one 24-bit colour word and one 24-bit Z a pixel (RGB8: R[23:16] G B; RGBA6: R[23:18] G B A[5:0];
 * RGB565 is kept in 8-bit channels cut to 5/6/5 bits).  Row y starts at y*GX_EFB_WIDTH. */
struct gx_efb {
	uint32_t colour[GX_EFB_WIDTH * GX_EFB_HEIGHT];
	uint32_t depth[GX_EFB_WIDTH * GX_EFB_HEIGHT];
};

/* Samples 1 and 2 of the pixels of the anti-aliased EFB (RGB565_Z16), in the same form; sample 0 is in struct gx_efb. */
struct gx_samples {
	uint32_t colour[2][GX_EFB_WIDTH * GX_EFB_HEIGHT];
	uint32_t depth[2][GX_EFB_WIDTH * GX_EFB_HEIGHT];
};

/* What the last display copy showed; immutable once made, shared by reference between snapshots. */
struct gx_display {
	unsigned references;
	uint32_t width, height; /* of the picture, after vertical scale */
	uint32_t command;
	uint8_t *rgb;  /* width*height*3: after filter and gamma */
	uint8_t *yuyv; /* width*height*2 */
	struct gx_efb efb; /* as the copy read it */
	uint32_t control; /* PE_CONTROL at the copy */
};

/* ---- vertices and triangles --------------------------------------------------------------------------------------------- */

struct gx_vertex {
	uint32_t index;
	float object[3], normal[3], tangent[3], binormal[3]; /* object space */
	float eye[3], eye_normal[3], eye_tangent[3], eye_binormal[3];
	float clip[4];
	uint8_t in_colour[2][4];
	float in_tex[8][2];
	uint8_t pos_matrix, tex_matrix[8];
	uint8_t colour[2][4]; /* lit */
	float tex[8][3];      /* after texgen; SU multiplies s and t by the size registers */
	uint8_t outcode;
	/* after the divide */
	float screen[3]; /* hardware screen coordinates with the 342 bias, z 0..16777215 */
	double exact[2]; /* screen x and y before rounding to single precision: what edges see in models that do not snap */
	float inv_w;
};

/* One triangle for RAS.  `record` is what the debugger sees and what RAS reads. */
struct gx_triangle {
	struct qs_setup record;
	/* Coverage in the model's own arithmetic.  Edge value at pixel (i, j), sample k of pixel (i & 1, j & 1) of its quad:
	 * c + dx*i + dy*j + sample[2*(j & 1) + (i & 1)][k][edge]; inside when > 0 (c includes the top-left term). */
	int64_t edge_dx[3], edge_dy[3], edge_c[3];
	int64_t sample[4][3][3];
	bool multisample;  /* false: sample is 0 and one test decides the three bits of a pixel */
	float sample_dx[4][3], sample_dy[4][3]; /* sample points, from the point where attributes are evaluated; 0 without AA */
	double edge_scale; /* edge units per square pixel, to show values */
	struct gx_reference origin, z_origin;
};

/* ---- the batch ---------------------------------------------------------------------------------------------------------- */

struct gx_batch {
	unsigned quads, fragments; /* fragments = 4*quads */
	const struct gx_triangle *triangle[GX_BATCH_QUADS];
	uint32_t number[GX_BATCH_QUADS]; /* quad number within the primitive */
	int16_t x[GX_BATCH_QUADS], y[GX_BATCH_QUADS]; /* even; no place twice: PE reads and writes the EFB for all at once */
	uint16_t coverage[GX_BATCH_QUADS];
	uint8_t live[GX_BATCH];    /* 1: covered and not yet killed */
	uint8_t samples[GX_BATCH]; /* covered samples, 3 bits */
	uint8_t passing[GX_BATCH]; /* anti-aliased EFB: those of them that passed the depth test */
	uint8_t verdict[GX_BATCH]; /* enum qs_verdict */
	uint32_t z[GX_BATCH];      /* interpolated, later after Z texture */
	uint32_t z_sample[3][GX_BATCH]; /* the same at the sample points; only when the EFB has three samples a pixel */
	float inv_w[GX_BATCH]; /* w of the pixel: 1 / interpolated 1/w */
	int16_t ras[2][4][GX_BATCH]; /* colour channels 0..255 */
	float uv[8][2][GX_BATCH];    /* texel coordinates of all four pixels of the quad, covered or not: LOD input */
	int32_t st[8][2][GX_BATCH];  /* s17.7, 24 bits sign-extended; all 32 bits with quirk st_convert */
	/* TX output of the lookup in progress */
	int16_t texel[4][GX_BATCH];
	/* indirect */
	int32_t accumulator[2][GX_BATCH];
	int16_t indirect[4][3][GX_BATCH]; /* per indirect stage: S (alpha), T (blue), U (green) */
	/* TEV */
	int16_t reg[4][4][GX_BATCH]; /* PREV C0 C1 C2, signed 11 bit */
	int16_t raw_texel[4][GX_BATCH]; /* last lookup before swap: Z texture */
	int16_t out[4][GX_BATCH];       /* final 0..255 */
	bool z_done; /* early Z */
	struct qs_quad *record; /* NULL, or GX_BATCH_QUADS records that the units fill */
	bool detail;            /* fill indirect, stages, coordinates and edge values too */
	uint8_t commit; /* PE stores only fragments whose bit (0..3) is set: 15, fewer for moments inside a quad */
};

/* ---- per-draw decoded state --------------------------------------------------------------------------------------------- */

struct tx_draw;   /* tx.c */
struct tev_draw;  /* tev.c: stages, orders, konst, indirect, fog */
struct pe_draw;   /* pe.c */
struct vertex_plan; /* vertex.c: decoded vertex format */

/* ---- the machine -------------------------------------------------------------------------------------------------------- */

struct gx_copy_job; /* copy.h */
struct gx_draw; /* draw.c: cursor of the draw in progress */
struct gx_parallel;

/* A second renderer: takes whole draws instead of RAS to PE.  Whoever reads m->efb calls gx_sync first; whoever writes it need not
 * say so. */
struct gx_machine;
struct gx_renderer {
	void *user;
	/* The draw that gx_draw_begin has begun.  true: it is drawn (m->renderer_ahead says where its pixels are); false: it
	 * cannot, the state is as it was, the soft units do it. */
	bool (*draw)(void *user, struct gx_machine *m);
	void (*sync)(void *user, struct gx_machine *m); /* brings m->efb up to date, clears renderer_ahead */
};

/* Bits of a register that are the same whatever is written; see qs_timeline_override_add. */
#define GX_FORCED 16

struct gx_forced {
	uint8_t unit;
	uint16_t address;
	uint32_t mask, value;
};

struct gx_machine {
	struct gx_state state;
	struct gx_memory memory;
	struct gx_efb *efb;
	struct gx_samples *samples; /* zero pages until the first anti-aliased pixel */
	uint8_t *samples_dirty;     /* as mem1_dirty */
	struct gx_display *display; /* NULL before the first display copy */

	const struct qs_capture *capture;
	int quirk[GX_QUIRK_COUNT];
	struct gx_forced forced[GX_FORCED];
	unsigned forced_count;
	unsigned batch_quads; /* 1..16 */
	uint32_t command;     /* being executed: the writer of what changes */

	const struct qs_taps *taps; /* NULL: none */
	struct qs_moment moment;    /* of the event in progress, for taps */
	bool stop;                  /* a tap asked to stop */
	const struct gx_copy_job *copying; /* during a copy tap */
	const volatile bool *cancel; /* NULL or set from outside: draw.c looks once a batch */

	struct vertex_plan *vertex;
	uint32_t array_mask; /* bits of array addresses: 26 on a GameCube, 29 on a Wii */
	bool draw_state_valid; /* false after any BP write: units decode again at the next draw */
	struct tx_draw *tx;
	struct tev_draw *tev;
	struct pe_draw *pe;
	struct gx_draw *draw;
	struct gx_batch batch;

	unsigned threads;             /* gx_set_threads */
	struct gx_parallel *parallel; /* parallel.c; NULL until a draw waited */
	bool deferring;               /* draws may wait: whoever sets it flushes before anybody looks at the machine */
	bool waiting;                 /* some do */
	struct {
		const struct gx_triangle *triangle; /* NULL: none since the threads began */
		int16_t x, y;
	} texel_left; /* the quad that left state.last_texel */

	const struct gx_renderer *renderer; /* NULL: the units of this machine draw */
	bool renderer_ahead;                /* the pixels are with the renderer, m->efb is older */
};

/* machine.c */
struct gx_machine *gx_machine_create(uint32_t mem1_size, uint32_t mem2_size); /* NULL: no memory */
void gx_machine_destroy(struct gx_machine *m);
void gx_machine_set_model(struct gx_machine *m, enum qs_model model);
/* Loads the capture's initial state and clears memory and EFB as playback begins. */
void gx_machine_reset(struct gx_machine *m, const struct qs_capture *capture);
uint64_t gx_machine_hash(const struct gx_machine *m);
void gx_display_unref(struct gx_display *display);

/* memory.c: console addresses (MEM2: bit 28); segment bits ignored.  Outside memory reads 0 and writes vanish. */
void gx_memory_read(const struct gx_memory *memory, uint32_t address, void *data, size_t size);
void gx_memory_write(struct gx_memory *memory, uint32_t address, const void *data, size_t size);
/* Pointer to size contiguous bytes or NULL when they are not all inside. */
const uint8_t *gx_memory_at(const struct gx_memory *memory, uint32_t address, size_t size);
/* The one number of a 32-byte line of main memory, whatever address leads to it. */
uint32_t gx_memory_line(const struct gx_memory *memory, uint32_t address);

/* tags.c: the lines of TMEM */
void gx_tags_main_written(struct gx_memory *memory, uint32_t line, uint32_t count); /* lines of main memory changed */
void gx_tags_loaded(struct gx_memory *memory, uint32_t first, uint32_t count, uint32_t flag); /* TMEM lines were loaded */
void gx_tags_invalidate(struct gx_memory *memory, uint32_t first, uint32_t count);
void gx_tags_fill(struct gx_memory *memory, uint32_t index, uint32_t line); /* fetches a line of main memory */
void gx_tags_restored(struct gx_memory *memory); /* TMEM and tags come from a snapshot: counts again */
/* From journal on, fills can be taken back: those of one quad.  undo: false when there were too many. */
bool gx_tags_journal(struct gx_memory *memory);
bool gx_tags_undo(struct gx_memory *memory);
void gx_tags_finish(struct gx_memory *memory);

/* cp.c */
void gx_write_bp(struct gx_machine *m, unsigned address, uint32_t value);   /* with mask and side effects */
void gx_write_cp(struct gx_machine *m, unsigned address, uint32_t value);
void gx_write_xf(struct gx_machine *m, unsigned address, const uint32_t *words, unsigned count);
/* Applies the command's memory updates and executes it; a draw is executed whole (gx_draw_begin .. gx_draw_run). */
void gx_execute(struct gx_machine *m, uint32_t command);
/* Only the memory updates and the register taps of a draw command; then the iterators of draw.c may be used. */
void gx_apply_updates(struct gx_machine *m, uint32_t command);

/* vertex.c: fills object-space attributes and matrix indices of vertex i of a draw; false: dropped (index all ones). */
bool gx_vertex_fetch(struct gx_machine *m, unsigned format, const uint8_t *data, struct gx_vertex *v);
/* Bytes per vertex for CP state (also used by the capture index). */
unsigned gx_vertex_size(const uint32_t cp[256], unsigned format);

/* xf.c */
void gx_xf_vertex(const struct gx_machine *m, struct gx_vertex *v); /* object to clip, light, texgen, outcode */
void gx_xf_position(const struct gx_machine *m, struct gx_vertex *v); /* only eye, clip and outcode */
void gx_xf_viewport(const struct gx_machine *m, struct gx_vertex *v); /* clip to screen; w is not 0 */
static inline float gx_xf_float(const struct gx_state *s, unsigned address)
{
	union { uint32_t u; float f; } c = {.u = s->xf[address]};
	return c.f;
}

/* clip.c: polygon of n input vertices (3 triangle, 2 line, 1 point); returns the number of output vertices (fan), 0: nothing.
 * out has room for 12. *rejected: trivially. */
unsigned gx_clip(const struct gx_machine *m, const struct gx_vertex *in, unsigned n, struct gx_vertex *out, bool *rejected);

/* su.c: makes the parts of one primitive: clip, divide, cull, expand, scissor, edges, planes.  vertex points at n
 * transformed vertices.  Returns the number of triangles that will be walked; *verdict says what became of the primitive.
 * At most GX_MAX_PARTS. record parts that give no pixels are returned too when they are all there is (count 0). */
#define GX_MAX_PARTS 64
unsigned gx_su_primitive(struct gx_machine *m, enum qs_primitive_kind kind, const struct gx_vertex *const *vertex,
	struct gx_triangle *parts, struct qs_setup *nothing);

/* ras.c: walks a triangle quad by quad in rows from the top, left to right. */
struct gx_ras {
	const struct gx_triangle *triangle;
	int x, y; /* next quad */
	int band, bands;
	int last; /* last column of the row of quads that can be inside */
	int inner[2];      /* columns from .. to before which quads of this row lie inside the box whole */
	int64_t edge[3]; /* edge values at (x, y) */
	int64_t least[3]; /* from there to the least value of the four pixels */
	double inverse[3]; /* of edge_dx */
};
void gx_ras_begin(struct gx_ras *ras, const struct gx_triangle *triangle);
/* Only every bands-th band of GX_BAND rows, from band number `band` on: threads share a triangle so. */
#define GX_BAND 16
void gx_ras_begin_band(struct gx_ras *ras, const struct gx_triangle *triangle, unsigned band, unsigned bands);
/* Next quad with coverage; false: no more. */
bool gx_ras_next(struct gx_ras *ras, int *x, int *y, uint16_t *coverage);
/* Z, 1/w, colours, texture coordinates of the batch (x, y, coverage, triangle are set). */
void gx_ras_attributes(struct gx_machine *m, struct gx_batch *b);

/* tx.c */
void gx_tx_begin_draw(struct gx_machine *m); /* cheap when nothing changed: call it for every draw */
void gx_tx_finish(struct gx_machine *m);     /* frees m->tx */
/* Looks up map for all fragments of the batch at s17.7 coordinates s, t; LOD from uv of texture coordinate coord (or from
 * lod_s/lod_t when not NULL).  Writes b->texel.  sample: NULL or one pointer per fragment to a record to
 * fill (NULL: none). */
void gx_tx_sample(struct gx_machine *m, struct gx_batch *b, unsigned map, unsigned coord, const int32_t *s, const int32_t *t,
	const int32_t *lod_s, const int32_t *lod_t, struct qs_sample *const *sample);
void gx_tx_load_block(struct gx_machine *m); /* BP 0x63 written */
void gx_tx_load_tlut(struct gx_machine *m);  /* BP 0x65 written */
void gx_tx_invalidate(struct gx_machine *m); /* BP 0x66 written */
/* Quads a batch of the draw may hold: 1 when lookups share cache lines, because then the order of quads decides. */
unsigned gx_tx_batch_limit(const struct gx_machine *m);
/* Whether quads of the draw may be shaded in any order, by several threads.  Between begin_shared (helper: of the machine of
 * another thread) and end_shared lookups leave TMEM as it is; end_shared, first for the machine itself (NULL), then for
 * each helper, puts into it what they fetched. */
bool gx_tx_divisible(const struct gx_machine *m);
void gx_tx_begin_shared(struct gx_machine *m, bool helper);
void gx_tx_end_shared(struct gx_machine *m, struct gx_machine *helper);
/* texfmt.c: decodes one texel at (s, t) of an image at data; tlut is raw TMEM bytes. rgba 0..255. */
void gx_texfmt_texel(unsigned format, const uint8_t *data, size_t size, uint32_t width, uint32_t s, uint32_t t,
	const uint8_t *tlut, unsigned tlut_format, uint8_t rgba[4]);
size_t gx_texfmt_size(unsigned format, uint32_t width, uint32_t height); /* bytes of one level in memory */
void gx_texfmt_tile(unsigned format, unsigned *width, unsigned *height, unsigned *bytes);
/* tx_view.c: the textures of the machine's state, for people (qs_timeline_texture and its companions). */
bool gx_view_texture(const struct gx_machine *m, unsigned map, struct qs_texture *texture, struct qs_error *error);
bool gx_view_texture_image(const struct gx_machine *m, unsigned map, unsigned level, struct qs_image *image,
	struct qs_error *error);
bool gx_view_texture_level(const struct gx_machine *m, unsigned map, unsigned level, struct qs_texture_level *place,
	struct qs_error *error);
void gx_view_tmem(const struct gx_machine *m, struct qs_tmem_line *lines); /* tx_map.c */
bool gx_view_tlut_image(const struct gx_machine *m, unsigned map, struct qs_image *image, struct qs_error *error);

/* tev.c, indirect.c, fog.c */
void gx_tev_begin_draw(struct gx_machine *m);
void gx_tev_run(struct gx_machine *m, struct gx_batch *b); /* indirect lookups, stages; b->out, b->raw_texel */
void gx_fog_run(struct gx_machine *m, struct gx_batch *b); /* b->out rgb from b->z */

/* pe.c */
void gx_pe_begin_draw(struct gx_machine *m);
void gx_pe_early_z(struct gx_machine *m, struct gx_batch *b); /* when PE_CONTROL.ztop */
void gx_pe_alpha(struct gx_machine *m, struct gx_batch *b);
void gx_pe_ztexture(struct gx_machine *m, struct gx_batch *b);
void gx_pe_write(struct gx_machine *m, struct gx_batch *b); /* late Z, bounding box, blend, dither, masks, store, verdicts */

/* efb.c: pixel words in the format of PE_CONTROL */
void gx_efb_unpack(unsigned pixel_type, uint32_t word, uint8_t rgba[4]);
uint32_t gx_efb_pack(unsigned pixel_type, uint32_t old, const uint8_t rgba[4], bool colour, bool alpha);
void gx_efb_clear(struct gx_machine *m, struct qs_rect rect, uint32_t colour_word_rgba, uint32_t z, bool colour, bool alpha, bool depth);
/* Samples a pixel of the pixel type in effect: 1, or 3 in the anti-aliased EFB. */
unsigned gx_efb_samples(const struct gx_machine *m);
/* Pixels become anti-aliased ones: all samples take over what the pixel held. */
void gx_efb_spread(struct gx_machine *m);
/* Planes of a sample (0..2). */
uint32_t *gx_efb_colour(const struct gx_machine *m, unsigned sample);
uint32_t *gx_efb_depth(const struct gx_machine *m, unsigned sample);
/* After writing count words of samples 1 or 2 from word `at` on: snapshots look at these pages only. */
void gx_efb_touch(struct gx_machine *m, const uint32_t *plane, size_t at, size_t count);
/* A pixel as GX's plain copy filter (21, 22, 21 parts of 64) resolves it; without AA the pixel itself. */
void gx_efb_pixel(const struct gx_machine *m, size_t at, uint8_t rgba[4]);
/* All samples of a quad, to take it back. */
struct gx_efb_quad {
	uint32_t colour[3][4], depth[3][4];
};
void gx_efb_save(const struct gx_machine *m, int x, int y, struct gx_efb_quad *quad);
void gx_efb_restore(struct gx_machine *m, int x, int y, const struct gx_efb_quad *quad);

/* cpu.c */
bool gx_access_possible(const struct qs_access *access);
void gx_access(struct gx_machine *m, const struct qs_access *access); /* between commands */
uint32_t gx_peek(const struct gx_machine *m, bool depth, int x, int y);

/* copy.c, xfb.c */
void gx_copy(struct gx_machine *m); /* BP 0x52 written */
/* copy_texel.c: of the copy in progress (m->copying); false: there is no such texel. */
bool gx_copy_texel(const struct gx_machine *m, uint32_t x, uint32_t y, struct qs_copy_texel *texel);
void gx_xfb_line(const uint8_t *rgb, uint32_t width, uint8_t *yuyv);        /* RGB to Y0 U Y1 V */
void gx_xfb_decode(const uint8_t *yuyv, uint32_t width, uint32_t height, uint8_t *rgba);

/* draw.c: a draw step by step */
/* Fetches the vertices; XF's work on them is done when somebody first asks for a primitive or a vertex, which a renderer with a
 * vertex program of its own does not. */
bool gx_draw_begin(struct gx_machine *m, uint32_t command);
/* Assembles and sets up; drops quads of the primitive before that were not shaded; false: no more primitives. */
bool gx_draw_next_primitive(struct gx_machine *m);
unsigned gx_draw_next_quads(struct gx_machine *m, unsigned max, uint8_t commit); /* shades up to max quads; 0: no more */
/* Moves the cursor over up to max quads without shading them: nothing but the cursor changes.  Returns how many; 0: no more.
 * With it a cursor inside a draw is found again (begin, next primitives, skip) after its state was restored from a snapshot. */
unsigned gx_draw_skip_quads(struct gx_machine *m, unsigned max);
void gx_draw_end(struct gx_machine *m);
void gx_draw_free(struct gx_machine *m); /* for gx_machine_destroy */
void gx_draw_run(struct gx_machine *m); /* all that is left, full batches; it may wait when m->deferring */
void gx_draw_shade(struct gx_machine *m, uint8_t commit); /* the pixel pipe for the quads in the batch; empties it */
uint32_t gx_draw_primitive(const struct gx_machine *m);       /* number of the current primitive; QS_NONE before the first */
uint32_t gx_draw_quad(const struct gx_machine *m);            /* number of the next quad */
unsigned gx_draw_parts(const struct gx_machine *m, const struct gx_triangle **parts, const struct qs_setup **nothing);
unsigned gx_draw_vertices(struct gx_machine *m, const struct gx_vertex **vertices);
/* Before XF: attributes of object space and matrix indices only. */
unsigned gx_draw_fetched(const struct gx_machine *m, const struct gx_vertex **vertices);
uint32_t gx_draw_primitives(const struct gx_machine *m);
/* Vertices of primitive p in the order SU gets them: returns 1 (point), 2 (line) or 3. */
unsigned gx_draw_assemble(const struct gx_machine *m, uint32_t p, uint32_t number[3]);
/* The frozen plane that the draw leaves in SU, without its pixels: positions of few primitives are transformed. */
void gx_draw_latch(struct gx_machine *m);

/* Shades draws that wait. */
void gx_flush_triangles(struct gx_machine *m);
static inline void gx_flush(struct gx_machine *m)
{
	if (m->waiting)
		gx_flush_triangles(m);
}
/* Before anybody reads or writes pixels: draws that wait, and pixels that are with the second renderer. */
static inline void gx_sync(struct gx_machine *m)
{
	gx_flush(m);
	if (m->renderer_ahead && m->renderer)
		m->renderer->sync(m->renderer->user, m);
}

/* taps: NULL-safe helpers in draw.c */
static inline bool gx_tapped(const struct gx_machine *m, uint32_t mask)
{
	return m->taps && (m->taps->mask & mask);
}

#endif
