/* compare-text.h - a comparison in words, with links
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "qs-compare.h"

G_BEGIN_DECLS

/* One line for the toolbar. */
char *compare_summary(const struct qs_comparison *comparison);
/* Markup: first divergence with operands, causes, worst pixels. */
char *compare_report(const struct qs_capture *capture, const QsCompareAnswer *answer, const char *a, const char *b);
/* What both sides have at a pixel, for the line below the pictures; NULL: outside. */
char *compare_pixel(const struct qs_image *a, const struct qs_image *b, int x, int y);

G_END_DECLS
