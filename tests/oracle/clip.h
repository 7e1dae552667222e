/* clip.h - what clipping must do, told by points instead of polygons
 *
 * A triangle in clip space is swept by barycentric points; a point is kept when it satisfies every inequality.  The clipped
 * polygon must contain exactly the kept points, and carry at each of them the attributes of the original triangle.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ORACLE_CLIP_H
#define ORACLE_CLIP_H

#include <math.h>
#include <stdbool.h>

/* Least slack over the six inequalities (guard*w +-x, +-y, far -z, near z+w); the point is kept when it is >= 0. */
static inline double oracle_slack(const double p[4], double guard)
{
	double slack = fmin(guard * p[3] - p[0], guard * p[3] + p[0]);

	slack = fmin(slack, fmin(guard * p[3] - p[1], guard * p[3] + p[1]));
	return fmin(slack, fmin(-p[2], p[2] + p[3]));
}

static inline double oracle_det3(const double a[3], const double b[3], const double c[3])
{
	return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* Weights of p over the triangle a b c, by x, y and w: exact for points of its plane. False: the three are dependent. */
static inline bool oracle_weights(const double a[4], const double b[4], const double c[4], const double p[4], double out[3])
{
	const double x[3] = {a[0], b[0], c[0]}, y[3] = {a[1], b[1], c[1]}, w[3] = {a[3], b[3], c[3]};
	double det = oracle_det3(x, y, w);

	if (fabs(det) < 1e-9)
		return false;
	for (int i = 0; i < 3; i++) {
		double cx[3] = {x[0], x[1], x[2]}, cy[3] = {y[0], y[1], y[2]}, cw[3] = {w[0], w[1], w[2]};
		cx[i] = p[0];
		cy[i] = p[1];
		cw[i] = p[3];
		out[i] = oracle_det3(cx, cy, cw) / det;
	}
	return true;
}

#endif
