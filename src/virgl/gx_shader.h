/* gx_shader.h - programs for the Flipper on a VirGL host: from decoded registers to TGSI
 *
 * The machine runs CP and vertex fetch.  A vertex program does XF's work (gx_vertex.h); the host clips, culls and rasterises, and the
 * fragment program does in integers what RAS, TX, TEV, fog and PE do: gx_sample.c the texture unit with its own filters and
 * levels of detail (texels are fetched one by one), gx_stages.c the combiners with indirect texturing, gx_pixel.c fog, alpha
 * test, Z texture, blend, logic op, dither and write masks on the pixel fetched from the framebuffer.  Z is the only thing
 * that stays with the host's fixed units: 24 bits fit a float exactly.
 *
 * A key is all that shapes the program; numbers that change often (registers, konst, references, matrices) are constants.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIRGL_GX_SHADER_H
#define VIRGL_GX_SHADER_H

#include "gx/pe.h"
#include "gx/tev.h"
#include "gx/tx.h"
#include "virgl/gx_text.h"

struct gx_key_map {
	uint8_t used, wrap_s, wrap_t, mip, mag_linear, min_linear, diagonal;
};

/* Plain data, zeroed before it is filled: compared as bytes. */
struct gx_key {
	uint8_t stages, indirects, ncol, ntex, textured;
	uint8_t colour_perspective, colour_truncate, st_truncate, steps6, fraction_bits, dynamic_divide, raw_swapped, raw_needed;
	int8_t last_texture;
	uint8_t alpha_one, snap, offset, unit;
	float step; /* from where the host interpolates to where the machine does, in pixels both ways */
	struct tev_stage stage[TEV_STAGES]; /* konst and matrix are constants and zero here */
	struct tev_indirect indirect[4];
	struct gx_key_map map[TX_MAPS];
	struct { uint8_t type, orthographic, range, round, range_model, special; } fog;
	struct pe_draw pe; /* references, alpha and Z bias are constants and zero here */
};

struct gx_program {
	char *text;
	unsigned constants;
	struct gx_constant constant[GX_CONSTANTS];
	unsigned first_line; /* of the instructions */
	unsigned parts;
	struct gx_text_part part[64];
};

/* From the machine at a draw that was begun. */
void gx_key_make(const struct gx_machine *m, struct gx_key *key);
/* false: no memory, or the program does not fit. */
bool gx_fragment_program(const struct gx_key *key, struct gx_program *program);
/* Attributes are evaluated so far from where coverage is sampled, in pixels both ways. */
float gx_attribute_step(const struct gx_machine *m);
/* The vertex program for ncol colours and ntex coordinates of triangles on the screen. */
bool gx_screen_program(bool unit, unsigned ncol, unsigned ntex, struct gx_program *program);
void gx_program_finish(struct gx_program *program);
/* What was written, as a program; the writer is finished. */
bool gx_program_take(struct gx_text *t, const char *head, struct gx_program *program);
/* 4 * program->constants words. */
void gx_fill_constants(const struct gx_machine *m, const struct gx_program *program, uint32_t *words);

/* Names of varyings: what vertex and fragment programs agree on. */
#define GX_GENERIC_UNIT 0   /* 1, w, and w times what snapping added to x and y: when key->unit */
#define GX_GENERIC_COLOUR 1 /* and 2 */
#define GX_GENERIC_TEX 3    /* to 10 */

/* ---- between the files of the generator ----------------------------------------------------------------------------------- */

struct gx_fragment {
	struct gx_text t;
	const struct gx_key *key;
	unsigned shift;              /* xy: to the point of attributes; when key->offset */
	unsigned position;           /* pixel x, y as integers, xy */
	unsigned z;                  /* lane x: 24 bits */
	unsigned colour[2];          /* integers 0..255 */
	unsigned st[8], uv[8];       /* xy: s17.7 integers; texels as floats */
	unsigned texel[TEV_STAGES];  /* of stages that look up */
	unsigned indirect[4];        /* rgba of the lookup */
	unsigned reg[4];
	unsigned out;                /* combiner result, later source colour */
	unsigned raw;                /* texel of the last lookup: Z texture */
	unsigned word, destination;  /* pixel before: word in x; rgba */
	unsigned fail;               /* lane x: all ones where the alpha test failed and the pixel stays */
};

/* Looks up map at s17.7 coordinates in st.xy, LOD from the floats uv.xy; returns the temporary with r g b a. */
unsigned gx_sample(struct gx_fragment *f, unsigned map, unsigned st, unsigned uv);
void gx_stages(struct gx_fragment *f);
void gx_fog(struct gx_fragment *f);
void gx_alpha_test(struct gx_fragment *f);
void gx_z_texture(struct gx_fragment *f);
void gx_pixel(struct gx_fragment *f);

#endif
