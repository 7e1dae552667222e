/* quirks.c - the table of differences between models
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "gx/machine.h"

static const struct qs_quirk quirks[GX_QUIRK_COUNT] = {
#define QUIRK(name, hardware, dolphin, pureikyubu, text) {#name, {hardware, dolphin, pureikyubu}, text},
#include "gx/quirks.def"
#undef QUIRK
};

static const char *const model_names[QS_MODEL_COUNT] = {"hardware", "dolphin", "pureikyubu"};

const char *qs_model_name(enum qs_model model)
{
	return (unsigned)model < QS_MODEL_COUNT ? model_names[model] : "?";
}

bool qs_model_parse(const char *name, enum qs_model *model)
{
	for (unsigned i = 0; i < QS_MODEL_COUNT; i++)
		if (!strcmp(name, model_names[i])) {
			*model = (enum qs_model)i;
			return true;
		}
	return false;
}

uint32_t qs_quirk_count(void)
{
	return GX_QUIRK_COUNT;
}

const struct qs_quirk *qs_quirk_at(uint32_t i)
{
	return i < GX_QUIRK_COUNT ? &quirks[i] : NULL;
}
