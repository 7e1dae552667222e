/* copy_oracle.h - the copy engine pixel by pixel, as plainly as possible
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ORACLE_COPY_H
#define ORACLE_COPY_H

#include <stdbool.h>
#include <stdint.h>

struct copy_oracle {
	const uint32_t *bp;
	const uint32_t *colour, *depth; /* planes of 640x528 words */
	const uint32_t *sample[2];      /* anti-aliased EFB: colours of samples 1 and 2; NULL without */
	bool keep_24_bits, filter_textures, wrap, round_gamma, convert_all, lines_ignored, nearest, shifted, colour_of_z24, clipped, exchanged;
};

typedef void (*copy_oracle_put)(void *user, uint32_t address, uint8_t byte);

/* Pixel of the copy after filter and gamma; x, y in EFB pixels. */
void copy_oracle_pixel(const struct copy_oracle *o, int x, int y, bool filtered, int rgba[4]);
/* Texel of a texture copy after box and conversion. */
void copy_oracle_texel(const struct copy_oracle *o, int s, int t, int rgba[4]);
void copy_oracle_yuv(const int rgb[3], int yuv[3]);
void copy_oracle_texture(const struct copy_oracle *o, copy_oracle_put put, void *user);
/* Lines of a display copy; then pixel (x, y) of its RGB, and bytes of its video memory. */
int copy_oracle_lines(const struct copy_oracle *o);
void copy_oracle_rgb(const struct copy_oracle *o, int x, int y, int rgb[3]);
void copy_oracle_yuyv(const struct copy_oracle *o, int x, int y, int pair[2]);

#endif
