/* pe.h - what pe.c, blend.c, efb.c and the copies share
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GX_PE_H
#define GX_PE_H

#include "gx/machine.h"

/* PE_CONTROL [2:0] */
enum pe_pixel { PE_RGB8, PE_RGBA6, PE_RGB565, PE_Z24, PE_YUV8, PE_YUV420, PE_NONE = 8 /* nothing is stored, reads 0 */ };

#define PE_Z_FULL 255 /* z_format of 24-bit Z */

struct pe_draw {
	uint8_t pixel;    /* enum pe_pixel as stored: RGB565 becomes RGB8 where the model keeps 24 bits */
	uint8_t z_format; /* of 16-bit Z: 0-3 linear near mid far, 4-7 inverted; or PE_Z_FULL */
	bool early, z_test, z_update;
	uint8_t z_func;
	uint8_t alpha_func[2], alpha_ref[2], alpha_logic;
	bool alpha_always;
	uint8_t z_texture, z_texture_type; /* operation 0 off 1 add 2 replace; 0 u8 1 u16 2 u24 */
	uint32_t z_bias;
	bool blend, subtract, logic, dither, dither_4x4, constant_alpha, round_each, alpha_one;
	uint8_t source_factor, destination_factor, logic_op, alpha;
	uint32_t write_mask; /* bits of the colour word that are stored */
	uint8_t lines;       /* bit 0 even, bit 1 odd lines are stored */
	uint8_t samples;     /* a pixel: 1, or 3 in the anti-aliased EFB */
};

typedef int16_t pe_rows[4][GX_BATCH]; /* R G B A, 0..255 */

/* Pixel type and format of 16-bit Z in effect. */
unsigned pe_pixel_type(const struct gx_machine *m);
unsigned pe_z_format(const struct gx_machine *m);
/* Three samples of a pixel by GX's plain copy filter. */
void pe_resolve(const uint8_t rgba[3][4], uint8_t out[4]);
/* 24-bit Z as a 16-bit buffer gives it back. */
uint32_t pe_quantise_z(unsigned format, uint32_t z);
/* Bits of the colour word that updates of colour and alpha store. */
uint32_t pe_write_mask(unsigned pixel, bool colour, bool alpha);

/* pe.c: rows of words and masks of a batch, as PE's files share them.  1 in a mask: the fragment takes part. */
void pe_active(const struct gx_batch *b, uint8_t on[GX_BATCH]); /* alive and may be committed */
/* Fragments that were on and did not pass die with the verdict; on becomes what goes on. */
void pe_kill(struct gx_batch *b, const uint8_t *pass, enum qs_verdict verdict, uint8_t *on);
/* Counters count quads with at least one fragment that is on (04 section 7); by index of the low register. */
void pe_count_quads(struct gx_machine *m, unsigned counter, const uint8_t *on, unsigned quads);
void pe_load_words(const uint32_t *plane, const struct gx_batch *b, uint32_t *words);
void pe_store_words(struct gx_machine *m, uint32_t *plane, unsigned sample, const struct gx_batch *b, const uint32_t *words);
/* words = on and its line is stored ? (words & mask) | (old & ~mask) : old */
void pe_merge_words(const struct pe_draw *pe, const uint8_t *on, const uint32_t *old, uint32_t mask, unsigned count,
	uint32_t *words);

#define PE_COUNT_EARLY_IN (0x18 / 2)
#define PE_COUNT_EARLY_OUT (0x1C / 2)
#define PE_COUNT_LATE_IN (0x20 / 2)
#define PE_COUNT_LATE_OUT (0x24 / 2)
#define PE_COUNT_BLEND (0x28 / 2)
#define PE_COUNT_COPY (0x2C / 2)

/* Blending, masks and dither of the pixel type in *pe, from words laid out as PE_CMODE0 and PE_CMODE1. */
void pe_decode_blend(const struct gx_machine *m, struct pe_draw *pe, uint32_t cmode0, uint32_t cmode1);

/* pe_z.c: tests the fragments that are on and stores Z of those that pass; the others die with the verdict. */
void pe_test_z(struct gx_machine *m, struct gx_batch *b, uint8_t *on, enum qs_verdict verdict);
/* Bit `sample` of the masks where on is set. */
void pe_sample_on(const uint8_t *on, const uint8_t *masks, unsigned sample, unsigned count, uint8_t *out);

/* blend.c */
void blend_factors(const struct pe_draw *pe, const pe_rows source, const pe_rows destination, unsigned count,
	pe_rows source_factor, pe_rows destination_factor);
/* Blend or logic op, constant alpha, dither. */
void blend_run(const struct pe_draw *pe, const struct gx_batch *b, const pe_rows source, const pe_rows destination, pe_rows out);

#endif
