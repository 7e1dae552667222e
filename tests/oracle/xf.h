/* xf.h - the transform unit once more in doubles, one formula after the other (spec 02)
 *
 * Hardware model only.  Written from the specification, not from src/gx.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ORACLE_XF_H
#define ORACLE_XF_H

#include <math.h>
#include <stdint.h>
#include <string.h>

struct oracle_xf_in {
	double position[3], normal[3], tangent[3], binormal[3], tex[8][2];
	int colour[2][4];
	unsigned matrix, tex_matrix[8];
};

struct oracle_xf_out {
	double eye[3], normal[3], tangent[3], binormal[3], clip[4], screen[3], tex[8][3], sum[2][4];
	int colour[2][4];
};

static inline double oracle_word(const uint32_t *xf, unsigned address)
{
	float value;
	memcpy(&value, &xf[address], 4);
	return (double)value;
}

static inline double oracle_row(const uint32_t *xf, unsigned base, unsigned row, double x, double y, double z)
{
	unsigned at = base + 4 * (row % 64);
	return oracle_word(xf, at) * x + oracle_word(xf, at + 1) * y + oracle_word(xf, at + 2) * z + oracle_word(xf, at + 3);
}

static inline double oracle_scalar(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void oracle_unit(double v[3])
{
	double length = sqrt(oracle_scalar(v, v));
	for (int i = 0; i < 3 && length > 0; i++)
		v[i] /= length;
}

static inline double oracle_light_part(const uint32_t *xf, const struct oracle_xf_out *out, uint32_t control, int light)
{
	unsigned at = 0x600 + 16 * (unsigned)light;
	double to[3], a[3], k[3], direction[3], att = 1, diff = 1;
	int mode = (control >> 9) % 4, diffuse = (control >> 7) % 4;

	for (unsigned i = 0; i < 3; i++) {
		a[i] = oracle_word(xf, at + 4 + i);
		k[i] = oracle_word(xf, at + 7 + i);
		to[i] = oracle_word(xf, at + 10 + i) - out->eye[i];
		direction[i] = oracle_word(xf, at + 13 + i);
	}
	double d = sqrt(oracle_scalar(to, to));
	oracle_unit(to);
	if (mode == 1) {
		double h = oracle_scalar(to, out->normal) >= 0 ? fmax(0, oracle_scalar(out->normal, direction)) : 0;
		if (diffuse != 0)
			oracle_unit(k);
		double num = fmax(0, a[0] + a[1] * h + a[2] * h * h), den = k[0] + k[1] * h + k[2] * h * h;
		att = den == 0 ? num > 0 : num / den;
	} else if (mode == 3) {
		double c = fmax(0, oracle_scalar(to, direction));
		double num = fmax(0, a[0] + a[1] * c + a[2] * c * c), den = k[0] + k[1] * d + k[2] * d * d;
		att = den == 0 ? num > 0 : num / den;
	} else if (d == 0) {
		memcpy(to, out->normal, sizeof to);
	}
	if (diffuse == 1)
		diff = oracle_scalar(to, out->normal);
	if (diffuse >= 2)
		diff = fmax(0, oracle_scalar(to, out->normal));
	return att * diff;
}

static inline void oracle_xf_channel(const uint32_t *xf, const struct oracle_xf_in *in, unsigned c, struct oracle_xf_out *out)
{
	for (int i = 0; i < 4; i++) {
		uint32_t control = xf[(i == 3 ? 0x1010 : 0x100E) + c];
		int shift = 24 - 8 * i;
		int material = control & 1 ? in->colour[c][i] : (int)(xf[0x100C + c] >> shift & 255);
		double sum = control & 64 ? in->colour[c][i] : (double)(xf[0x100A + c] >> shift & 255);
		for (int light = 0; light < 8; light++)
			if (control >> (light < 4 ? 2 + light : 7 + light) & 1)
				sum += (double)(xf[0x603 + 16 * (unsigned)light] >> shift & 255) * oracle_light_part(xf, out, control, light);
		int level = (int)fmin(255, fmax(0, floor(sum)));
		out->sum[c][i] = control & 2 ? sum : 0.5;
		out->colour[c][i] = control & 2 ? material * (level + level / 128) / 256 : material;
	}
}

static inline void oracle_xf_texgen(const uint32_t *xf, const struct oracle_xf_in *in, unsigned n, struct oracle_xf_out *out)
{
	uint32_t word = xf[0x1040 + n], type = word >> 4 & 7, row = word >> 7 & 31, post = xf[0x1050 + n];
	double source[3] = {0, 0, 1}, *tex = out->tex[n];

	if (type > 3)
		return; /* no such type */
	if (type == 2 || type == 3) {
		tex[0] = out->colour[type - 2][0] / 255.0;
		tex[1] = out->colour[type - 2][1] / 255.0;
		tex[2] = 1;
		return;
	}
	if (type == 1) {
		const double *from = out->tex[word >> 12 & 7];
		double to[3];
		for (unsigned i = 0; i < 3; i++)
			to[i] = oracle_word(xf, 0x600 + 16 * (word >> 15 & 7) + 10 + i) - out->eye[i];
		oracle_unit(to);
		tex[0] = from[0] + oracle_scalar(to, out->tangent);
		tex[1] = from[1] + oracle_scalar(to, out->binormal);
		tex[2] = from[2];
		return;
	}
	if (row == 0)
		memcpy(source, in->position, sizeof source);
	if (row == 1)
		memcpy(source, in->normal, sizeof source);
	if (row == 3)
		memcpy(source, in->tangent, sizeof source);
	if (row == 4)
		memcpy(source, in->binormal, sizeof source);
	if (row >= 5 && row <= 12)
		memcpy(source, in->tex[row - 5], 2 * sizeof *source);
	if (!(word & 4))
		source[2] = 1;
	for (unsigned i = 0; i < 3; i++)
		tex[i] = oracle_row(xf, 0, in->tex_matrix[n] + i, source[0], source[1], source[2]);
	if (!(word & 2))
		tex[2] = 1;
	if (xf[0x1012] & 1) {
		double t[3] = {tex[0], tex[1], tex[2]};
		if (post & 0x100)
			oracle_unit(t);
		for (unsigned i = 0; i < 3; i++)
			tex[i] = oracle_row(xf, 0x500, (post & 63) + i, t[0], t[1], t[2]);
	}
	if (tex[2] == 0)
		for (int i = 0; i < 2; i++)
			tex[i] = fmin(1, fmax(-1, tex[i] / 2));
}

static inline void oracle_xf(const uint32_t *xf, const struct oracle_xf_in *in, struct oracle_xf_out *out)
{
	const double *p = in->position;
	double f[6];

	memset(out, 0, sizeof *out);
	for (unsigned i = 0; i < 3; i++) {
		unsigned at = 0x400 + 3 * ((in->matrix % 32 + i) % 32);
		double row[3] = {oracle_word(xf, at), oracle_word(xf, at + 1), oracle_word(xf, at + 2)};
		out->eye[i] = oracle_row(xf, 0, in->matrix + i, p[0], p[1], p[2]);
		out->normal[i] = oracle_scalar(row, in->normal);
		out->tangent[i] = oracle_scalar(row, in->tangent);
		out->binormal[i] = oracle_scalar(row, in->binormal);
	}
	oracle_unit(out->normal);
	for (unsigned i = 0; i < 6; i++)
		f[i] = oracle_word(xf, 0x1020 + i);
	double ex = out->eye[0], ey = out->eye[1], ez = out->eye[2];
	if (xf[0x1026] & 1) {
		double clip[4] = {f[0] * ex + f[1], f[2] * ey + f[3], f[4] * ez + f[5], 1};
		memcpy(out->clip, clip, sizeof clip);
	} else {
		double clip[4] = {f[0] * ex + f[1] * ez, f[2] * ey + f[3] * ez, f[4] * ez + f[5], -ez};
		memcpy(out->clip, clip, sizeof clip);
	}
	for (unsigned i = 0; i < 3; i++)
		out->screen[i] = out->clip[i] / out->clip[3] * oracle_word(xf, 0x101A + i) + oracle_word(xf, 0x101D + i);
	oracle_xf_channel(xf, in, 0, out);
	oracle_xf_channel(xf, in, 1, out);
	for (unsigned n = 0; n < (xf[0x103F] & 15) && n < 8; n++)
		oracle_xf_texgen(xf, in, n, out);
}

#endif
