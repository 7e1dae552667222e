/* qs_record.h - records: what the units report, and the taps that get them
 *
 * Part of quadscope.h, which programs include.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QS_RECORD_H
#define QS_RECORD_H

#include "qs_base.h"
#include "qs_register.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- records: what the units report ------------------------------------------------------------------------------------- */

struct qs_rect {
	int32_t x0, y0, x1, y1; /* x1, y1 exclusive */
};

struct qs_plane {
	float f0, dfdx, dfdy; /* value at (x,y) = f0 + dfdx*(x - x_ref) + dfdy*(y - y_ref), reference point in the setup record */
};

/* value(x,y) = c + dx*x + dy*y at a point in EFB pixels; inside when > 0, or = 0 and top_left. */
struct qs_edge {
	double dx, dy, c;
	bool top_left;
	uint8_t from, to; /* vertex numbers in the setup record */
};

enum qs_primitive_kind { QS_PRIMITIVE_POINT, QS_PRIMITIVE_LINE, QS_PRIMITIVE_TRIANGLE };

enum qs_setup_verdict {
	QS_SETUP_DRAWN,
	QS_SETUP_REJECTED,  /* XF: all vertices outside one plane */
	QS_SETUP_CLIPPED,   /* nothing left after clipping */
	QS_SETUP_CULLED,
	QS_SETUP_DEGENERATE, /* zero area */
	QS_SETUP_SCISSORED, /* no pixel inside the scissor */
};

struct qs_vertex {
	uint32_t index; /* in the draw's vertex data; QS_NONE: made by clipping or line/point expansion */
	float object[3];
	float eye[3];
	float clip[4];
	float screen[3]; /* x, y in EFB pixels (scissor offset applied), z 0..16777215 */
	float inv_w;
	float normal[3];
	uint8_t colour[2][4];
	float tex[8][3]; /* s, t in texels of level 0 (times SU size); q */
	uint8_t outcode; /* bits 0..5: x>w x<-w y>w y<-w z>0 z<-w */
};

/* One triangle as the rasteriser gets it.  A primitive gives several parts when it is clipped, when it is a line or point
 * (two triangles), or when the scissor wraps. */
struct qs_setup {
	uint8_t kind;    /* enum qs_primitive_kind of the primitive */
	uint8_t verdict; /* enum qs_setup_verdict; the rest is set only as far as the primitive got */
	uint8_t ntex, ncol;
	uint32_t part, part_count;
	struct qs_vertex vertex[3];
	double area2;     /* twice the signed area on the screen, y down; > 0 clockwise */
	struct qs_edge edge[3];
	struct qs_rect scissor, box; /* box: pixels that are walked, scissor applied */
	float x_ref, y_ref;
	bool z_frozen;    /* the z plane is an earlier triangle's (zfreeze) */
	struct qs_plane z, inv_w, colour[2][4], tex[8][3];
	uint8_t sample_x[4][3], sample_y[4][3]; /* sample points of the 4 pixels in 1/12 pixel; sample 0 only without AA */
	uint8_t sample_count; /* 1 or 3 */
	float sample_offset;  /* without AA: the coverage sample in both axes, 7/12 or what the model says */
	uint32_t primitive_vertex[3]; /* numbers of the draw's vertices that the primitive was assembled from; QS_NONE if fewer */
};

struct qs_texel {
	int32_t s, t;   /* integer texel after wrap */
	uint8_t level;
	uint8_t rgba[4];
	uint16_t weight; /* parts of 16384 (bilinear times 1 level); trilinear weights are in qs_sample.lod_fraction */
	uint32_t address; /* main memory, or TMEM byte address when from_tmem */
	/* with a texture cache: the line of TMEM (32 bytes each; RGBA8: of A and R) it was read from, and whether it was there */
	uint16_t line;
	uint8_t cache; /* enum qs_cache */
	bool stale;    /* main memory has other bytes by now */
};

enum qs_cache {
	QS_CACHE_NONE, /* preloaded, or read from main memory directly */
	QS_CACHE_HIT,
	QS_CACHE_MISS, /* fetched for this quad */
};

#define QS_TEXELS 32

/* One texture lookup of one fragment. */
struct qs_sample {
	bool done;
	uint8_t map, coord;
	int32_t s, t;      /* s17.7 given to the texture unit */
	int32_t lod;       /* 1/16 levels, after bias and clamp */
	uint8_t lod_fraction; /* 0..15 of the next level */
	bool linear, from_tmem;
	uint8_t positions;   /* that are averaged: 1, with anisotropy up to 4 */
	uint8_t texel_count; /* 0..32: up to 8 of each position */
	struct qs_texel texel[QS_TEXELS];
	uint8_t rgba[4]; /* filtered, before swap */
};

struct qs_stage {
	int16_t tex[4], ras[4], konst[4]; /* after swap */
	int16_t a[4], b[4], c[4], d[4];   /* r g b from the colour combiner, a from the alpha combiner */
	int32_t wide[4];                  /* before clamp */
	int16_t result[4];                /* as stored */
	int16_t reg[4][4];                /* PREV C0 C1 C2 after the stage */
	int32_t indirect_s, indirect_t;   /* offset added, s17.7 */
	int32_t coord_s, coord_t;         /* accumulated coordinate, wrapped to 24 bits */
	uint8_t bump_alpha;
	struct qs_sample sample;
};

enum qs_verdict {
	QS_VERDICT_NONE,     /* not covered */
	QS_VERDICT_WRITTEN,
	QS_VERDICT_MASKED,   /* passed, but every write mask is off */
	QS_VERDICT_EARLY_Z,
	QS_VERDICT_ALPHA,
	QS_VERDICT_LATE_Z,
	QS_VERDICT_PENDING,  /* the moment is before its end */
};

struct qs_fragment {
	uint8_t verdict; /* enum qs_verdict */
	uint8_t samples; /* covered samples, 3 bits */
	int16_t x, y;
	uint8_t ras[2][4];
	float inv_w;
	int32_t coord[8][2]; /* s17.7 */
	uint8_t stage_count, indirect_count;
	uint8_t tev[4];      /* combiner result, 8 bit */
	uint8_t source[4];   /* after fog: source colour of the blender */
	uint8_t fog;         /* 0..255 of 256; 256 is stored as 255 */
	bool alpha_tested, alpha_passed, early_z, z_tested, z_passed, z_written;
	uint8_t z_func, alpha_func0, alpha_func1, alpha_ref0, alpha_ref1, alpha_logic;
	uint32_t z_interpolated, z, z_old, z_new; /* 24 bit; z: after Z texture; z_new: stored value after the fragment */
	/* Z texture: 0 off, 1 added, 2 put in place; the texel is read as 0: 8, 1: 16, 2: 24 bits; z = [z_interpolated +] value + bias */
	uint8_t z_texture, z_texture_type;
	uint32_t z_texture_value, z_texture_bias;
	uint8_t blend_src_factor[4], blend_dst_factor[4]; /* 0..255 */
	uint8_t old_rgba[4], new_rgba[4]; /* pixel before and after, expanded to 8 bits */
	uint8_t blend_mode; /* 0 none, 1 blend, 2 subtract, 3 logic op */
	uint8_t blended[4];  /* after blend or logic, constant alpha and dither, before the write masks; of the first sample */
	/* Pixels of the anti-aliased EFB have three samples (else sample_count is 1 and the arrays are 0); then old_rgba and new_rgba
	 * are resolved as by the plain copy filter, and z_old and z_new those of the first covered sample. */
	uint8_t sample_count, samples_passed; /* 3 bits: covered and through the depth test */
	uint8_t sample_old[3][4], sample_new[3][4];
	uint32_t sample_z[3], sample_z_old[3], sample_z_new[3];
	/* last, because they are large and only filled with QS_TAP_DETAIL */
	struct qs_sample indirect[4];
	struct qs_stage stage[16];
};

struct qs_quad {
	int16_t x, y;      /* top left pixel, even */
	uint16_t coverage; /* bit 3*pixel + sample; without AA the three bits of a pixel are equal */
	uint32_t part;     /* of the setup record */
	double edge[4][3][3]; /* [pixel][sample][edge] edge values; only with QS_TAP_DETAIL */
	struct qs_fragment fragment[4]; /* indirect and stage only with QS_TAP_DETAIL */
};

struct qs_copy {
	bool to_display;
	uint8_t format;  /* texture format code, or 0 */
	bool clear, half, intensity;
	uint8_t gamma;
	struct qs_rect source; /* EFB */
	uint32_t destination, stride, width, height; /* bytes, bytes, output pixels */
	uint8_t filter[7];
	bool filtered;          /* the vertical filter and gamma are applied */
	bool clamp_top, clamp_bottom;
	uint8_t field;          /* 0, 1 all lines; 2 even, 3 odd ones */
	uint8_t pixel_type;     /* of PE_CONTROL */
	uint8_t sample_count;   /* of the source's pixels: 1 or 3 */
	uint16_t line_step;     /* display copies: source lines per line, parts of 256 */
	bool clear_colour, clear_alpha, clear_depth; /* what the clear writes ... */
	uint8_t clear_rgba[4];                       /* ... and what with */
	uint32_t clear_z;
};

/* One reading of the vertical filter. */
struct qs_copy_tap {
	int16_t x, y;    /* EFB pixel that was asked for */
	bool inside;     /* false: beyond the EFB, the border (or what the model says) was read */
	uint8_t sample, weight; /* parts of 64 */
	uint8_t rgba[4]; /* expanded to 8 bits; with pixel type Z24 the bytes of Z */
};

struct qs_copy_pixel {
	uint8_t tap_count; /* 7; 1 when nothing is filtered */
	struct qs_copy_tap tap[7];
	uint8_t filtered[4]; /* after the vertical filter */
	uint8_t rgba[4];     /* after gamma */
};

/* How a texel of a texture copy, or a pixel of a display copy, came about. */
struct qs_copy_texel {
	uint8_t pixel_count;         /* 1; 4 for half size; 2 lines for a scaled display copy */
	struct qs_copy_pixel pixel[4];
	uint16_t line_part;          /* of 256: how much of the second line */
	uint8_t rgba[4];             /* after the box, or between the lines */
	uint8_t converted[4];        /* after the conversion: what is encoded.  Display: Y, U, V of the pixel alone */
	uint8_t part_count;          /* places in memory: 1; 2 for RGBA8 (A and R, G and B) */
	uint32_t address[2];
	uint8_t size;                /* bytes at each of them */
	uint8_t bytes[4];            /* as memory holds them now, in turn; R4: the byte of two texels */
};

enum qs_tmem_kind { QS_TMEM_BLOCK, QS_TMEM_PALETTE, QS_TMEM_INVALIDATE };

/* A command that changes texture memory; lines that lookups fetch are told by struct qs_texel. */
struct qs_tmem_event {
	uint8_t kind; /* enum qs_tmem_kind */
	bool pairs;   /* BLOCK: lines go to address and address_odd in turn */
	uint32_t source;               /* main memory */
	uint32_t address, address_odd; /* TMEM bytes; where a PALETTE begins */
	uint32_t size; /* bytes of address; of a PALETTE: two per entry, whatever room they take */
};

/* ---- taps ---------------------------------------------------------------------------------------------------------------- */

enum qs_tap {
	QS_TAP_COMMAND = 1 << 0,
	QS_TAP_REGISTER = 1 << 1,
	QS_TAP_PRIMITIVE = 1 << 2, /* one call per part, and one for a primitive that gave none */
	QS_TAP_QUAD = 1 << 3,      /* after the quad is done */
	QS_TAP_COPY = 1 << 4,
	QS_TAP_TMEM = 1 << 6,   /* loads into texture memory and invalidation of cached lines */
	QS_TAP_DETAIL = 1 << 5, /* quads come with indirect, stages, coordinates, texels and edge values */
};

/* Called on the timeline's thread while it replays.  moment is of the event; records are valid during the call.  A function
 * that returns false stops the replay after the event (the timeline then stands at the event's moment).  Meanwhile registers and
 * memory are those of the event and pixels those after its batch of quads; what would move the machine is refused. */
struct qs_taps {
	uint32_t mask; /* enum qs_tap */
	void *user;
	bool (*command)(void *user, const struct qs_moment *moment);
	bool (*write)(void *user, const struct qs_moment *moment, enum qs_unit unit, uint32_t address, uint32_t old, uint32_t value);
	bool (*primitive)(void *user, const struct qs_moment *moment, const struct qs_setup *setup);
	bool (*quad)(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad);
	/* Memory holds the result, the clear is still to come: pixels are those that were copied. */
	bool (*copy)(void *user, const struct qs_moment *moment, const struct qs_copy *copy);
	bool (*tmem)(void *user, const struct qs_moment *moment, const struct qs_tmem_event *event);
};

#ifdef __cplusplus
}
#endif

#endif
