/* sample.h - shipped captures and the seed, for tests of the inspector
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_SAMPLE_H
#define TESTS_SAMPLE_H

#include <glib.h>
#include <stdlib.h>

static inline char *sample(const char *name)
{
	const char *data = getenv("QS_DATA");

	return g_build_filename(data ? data : "data", "captures", name, NULL);
}

static inline guint32 seed(void)
{
	const char *text = getenv("QS_SEED");

	return text ? (guint32)strtoul(text, NULL, 0) : 20251u;
}

#endif
