/* quirks.c - the table of differences between models of the Gfx3D machine
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>
#include <string.h>

#include "gfx3d/quirks.h"

static const struct g3_quirk_row rows[G3_QUIRK_COUNT] = {
#define QUIRK(name, chrisos, virgl, corrected, text) {#name, {chrisos, virgl, corrected}, text},
#include "gfx3d/quirks.def"
#undef QUIRK
};

static const char *const model_names[G3_MODEL_COUNT] = {"chrisos", "virgl", "corrected"};

void g3_quirks_init(struct g3_quirks *quirks, enum g3_model model)
{
	for (unsigned i = 0; i < G3_QUIRK_COUNT; i++)
		quirks->v[i] = rows[i].value[model];
}

const struct g3_quirk_row *g3_quirk_row(uint32_t i)
{
	return i < G3_QUIRK_COUNT ? &rows[i] : NULL;
}

int g3_quirk_find(const char *name)
{
	for (int i = 0; i < G3_QUIRK_COUNT; i++)
		if (!strcmp(name, rows[i].name))
			return i;
	return -1;
}

const char *g3_model_name(enum g3_model model)
{
	return (unsigned)model < G3_MODEL_COUNT ? model_names[model] : "?";
}

bool g3_model_parse(const char *name, enum g3_model *model)
{
	for (unsigned i = 0; i < G3_MODEL_COUNT; i++)
		if (!strcmp(name, model_names[i])) {
			*model = (enum g3_model)i;
			return true;
		}
	return false;
}
