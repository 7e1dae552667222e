/* image.c - pictures: freeing and comparing
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/image.h"

bool image_create(struct qs_image *image, uint32_t width, uint32_t height, bool depth, struct qs_error *error)
{
	size_t pixels = (size_t)width * height;

	memset(image, 0, sizeof *image);
	image->rgba = malloc(pixels ? pixels * 4 : 1);
	image->depth = depth ? calloc(pixels ? pixels : 1, sizeof *image->depth) : NULL;
	if (!image->rgba || (depth && !image->depth)) {
		qs_image_finish(image);
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for a picture of %" PRIu32 " by %" PRIu32 " pixels.", width, height);
		return false;
	}
	image->width = width;
	image->height = height;
	return true;
}

void qs_image_finish(struct qs_image *image)
{
	if (!image)
		return;
	free(image->rgba);
	free(image->depth);
	memset(image, 0, sizeof *image);
}

/* Small differences must be seen: eight times as large, and never fainter than a tenth of full scale. */
static uint8_t amplify(unsigned difference)
{
	unsigned value = difference ? difference * 8 + 25 : 0;

	return (uint8_t)(value > 255 ? 255 : value);
}

static unsigned compare_pixel(const uint8_t *a, const uint8_t *b, uint8_t *out)
{
	unsigned worst = 0;

	for (int c = 0; c < 3; c++) {
		unsigned d = a[c] > b[c] ? (unsigned)(a[c] - b[c]) : (unsigned)(b[c] - a[c]);
		worst = d > worst ? d : worst;
		if (out)
			out[c] = amplify(d);
	}
	if (out)
		out[3] = 255;
	return worst;
}

bool qs_image_compare(const struct qs_image *a, const struct qs_image *b, unsigned tolerance, struct qs_image_difference *result,
	struct qs_image *difference, struct qs_error *error)
{
	uint64_t sum = 0;

	memset(result, 0, sizeof *result);
	if (difference)
		memset(difference, 0, sizeof *difference);
	if (a->width != b->width || a->height != b->height) {
		qs_error_set(error, QS_ERR_RANGE, 0,
			"The pictures have different sizes: %" PRIu32 "x%" PRIu32 " and %" PRIu32 "x%" PRIu32 ".", a->width, a->height, b->width,
			b->height);
		return false;
	}
	if (difference && !image_create(difference, a->width, a->height, false, error))
		return false;
	result->pixels = (uint64_t)a->width * a->height;
	for (size_t i = 0; i < result->pixels; i++) {
		unsigned d = compare_pixel(a->rgba + 4 * i, b->rgba + 4 * i, difference ? difference->rgba + 4 * i : NULL);
		result->equal += d == 0;
		result->within += d <= tolerance;
		result->maximum = d > result->maximum ? d : result->maximum;
		sum += d;
	}
	result->mean = result->pixels ? (double)sum / (double)result->pixels : 0;
	return true;
}
