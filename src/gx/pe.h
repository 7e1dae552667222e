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
};

typedef int16_t pe_rows[4][GX_BATCH]; /* R G B A, 0..255 */

/* Pixel type and format of 16-bit Z in effect. */
unsigned pe_pixel_type(const struct gx_machine *m);
unsigned pe_z_format(const struct gx_machine *m);
/* 24-bit Z as a 16-bit buffer gives it back. */
uint32_t pe_quantise_z(unsigned format, uint32_t z);
/* Bits of the colour word that updates of colour and alpha store. */
uint32_t pe_write_mask(unsigned pixel, bool colour, bool alpha);

/* blend.c */
void blend_factors(const struct pe_draw *pe, const pe_rows source, const pe_rows destination, unsigned count,
	pe_rows source_factor, pe_rows destination_factor);
/* Blend or logic op, constant alpha, dither. */
void blend_run(const struct pe_draw *pe, const struct gx_batch *b, const pe_rows source, const pe_rows destination, pe_rows out);

#endif
