/* image.h - making pictures
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CORE_IMAGE_H
#define CORE_IMAGE_H

#include "quadscope.h"

/* rgba is not cleared, depth is. */
bool image_create(struct qs_image *image, uint32_t width, uint32_t height, bool depth, struct qs_error *error);

#endif
