/* depth-stats.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "depth-stats.h"
#include <string.h>

gboolean qs_depth_range(const struct qs_image *image, const struct qs_rect *rect, const guint8 *mask, guint32 *low, guint32 *high)
{
	const gsize x0 = (gsize)MAX(rect->x0, 0), y0 = (gsize)MAX(rect->y0, 0);
	const gsize x1 = MIN((gsize)MAX(rect->x1, 0), image->width), y1 = MIN((gsize)MAX(rect->y1, 0), image->height);
	guint32 min = G_MAXUINT32, max = 0;

	if (!image->depth)
		return FALSE;
	for (gsize y = y0; y < y1; y++)
		for (gsize x = x0; x < x1; x++) {
			const gsize i = y * image->width + x;

			if (mask && !mask[i])
				continue;
			min = MIN(min, image->depth[i]);
			max = MAX(max, image->depth[i]);
		}
	if (min > max)
		return FALSE;
	*low = min;
	*high = max;
	return TRUE;
}

void qs_depth_histogram(const struct qs_image *image, guint32 low, guint32 high, guint32 bins[QS_DEPTH_BINS])
{
	const gsize count = image->depth ? (gsize)image->width * image->height : 0;
	const guint64 span = (guint64)high - low + 1;

	memset(bins, 0, QS_DEPTH_BINS * sizeof *bins);
	for (gsize i = 0; i < count && low <= high; i++)
		if (image->depth[i] >= low && image->depth[i] <= high)
			bins[(guint64)(image->depth[i] - low) * QS_DEPTH_BINS / span]++;
}
