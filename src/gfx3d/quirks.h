/* quirks.h - models of the Gfx3D machine and their differences (quirks.def)
 *
 * A set of quirks is an array of int by enum g3_quirk.  It starts as a model's column; single values can then be changed, which
 * is how the cause of a difference between two renderers is proven.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GFX3D_QUIRKS_H
#define GFX3D_QUIRKS_H

#include <stdbool.h>
#include <stdint.h>

enum g3_model { G3_MODEL_CHRISOS, G3_MODEL_VIRGL, G3_MODEL_CORRECTED, G3_MODEL_COUNT };

enum g3_quirk {
#define QUIRK(name, chrisos, virgl, corrected, text) G3_QUIRK_##name,
#include "gfx3d/quirks.def"
#undef QUIRK
	G3_QUIRK_COUNT
};

struct g3_quirk_row {
	const char *name;
	int value[G3_MODEL_COUNT];
	const char *text; /* what the values mean */
};

struct g3_quirks {
	int v[G3_QUIRK_COUNT];
};

#define G3_QUIRK(quirks, name) ((quirks)->v[G3_QUIRK_##name])

void g3_quirks_init(struct g3_quirks *quirks, enum g3_model model);
const struct g3_quirk_row *g3_quirk_row(uint32_t i);    /* NULL out of range */
int g3_quirk_find(const char *name);                    /* -1: no such quirk */
const char *g3_model_name(enum g3_model model);         /* "chrisos" */
bool g3_model_parse(const char *name, enum g3_model *model);

#endif
