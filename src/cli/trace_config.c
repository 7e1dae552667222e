/* trace_config.c - what the registers say about a TEV stage, in words
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "cli/trace.h"

static const struct qs_field *find(enum qs_unit unit, const char *reg_name, const char *field_name, const struct qs_register **reg)
{
	*reg = qs_register_by_name(unit, reg_name);
	return *reg ? qs_field_by_name(*reg, field_name) : NULL;
}

uint32_t trace_field(const struct qs_timeline *timeline, enum qs_unit unit, const char *reg_name, const char *field_name)
{
	const struct qs_register *reg;
	const struct qs_field *field = find(unit, reg_name, field_name, &reg);

	return field ? qs_field_raw(field, qs_timeline_register(timeline, unit, reg->address)) : 0;
}

const char *trace_field_name(const struct qs_timeline *timeline, enum qs_unit unit, const char *reg_name, const char *field_name)
{
	const struct qs_register *reg;
	const struct qs_field *field = find(unit, reg_name, field_name, &reg);
	uint32_t raw;

	if (!field || !field->values)
		return "?";
	raw = qs_field_raw(field, qs_timeline_register(timeline, unit, reg->address));
	for (const struct qs_enum_value *value = field->values; value->name; value++)
		if (value->value == raw)
			return value->name;
	return "?";
}

static uint32_t bp(const struct qs_timeline *timeline, const char *pattern, unsigned n, const char *field)
{
	char name[32];

	g_snprintf(name, sizeof name, pattern, n);
	return trace_field(timeline, QS_UNIT_BP, name, field);
}

static const char *bp_name(const struct qs_timeline *timeline, const char *pattern, unsigned n, const char *field)
{
	char name[32];

	g_snprintf(name, sizeof name, pattern, n);
	return trace_field_name(timeline, QS_UNIT_BP, name, field);
}

/* spec 06-tev section 2: compare mode is bias 3; the scale field then says what is compared. */
static void formula(const struct qs_timeline *timeline, const char *pattern, unsigned stage, bool alpha, char *buffer, size_t size)
{
	static const char *const compared[4] = {"a.r", "a.gr", "a.bgr", NULL}, *const against[4] = {"b.r", "b.gr", "b.bgr", NULL};
	static const char *const bias_text[4] = {"", " + 128", " - 128", ""}, *const scale_text[4] = {"", " * 2", " * 4", " / 2"};
	unsigned bias = bp(timeline, pattern, stage, "bias"), op = bp(timeline, pattern, stage, "op");
	unsigned scale = bp(timeline, pattern, stage, "scale");
	const char *dest = bp_name(timeline, pattern, stage, "dest");
	bool clamp = bp(timeline, pattern, stage, "clamp") != 0;
	char inner[64];

	if (bias == 3)
		g_snprintf(inner, sizeof inner, "d + (%s %s %s ? c : 0)", compared[scale & 3] ? compared[scale & 3] : alpha ? "a.a" : "a",
			op ? "==" : ">", against[scale & 3] ? against[scale & 3] : alpha ? "b.a" : "b");
	else if (scale & 3)
		g_snprintf(inner, sizeof inner, "(d %c lerp(a, b, c)%s)%s", op ? '-' : '+', bias_text[bias & 3], scale_text[scale & 3]);
	else
		g_snprintf(inner, sizeof inner, "d %c lerp(a, b, c)%s", op ? '-' : '+', bias_text[bias & 3]);
	g_snprintf(buffer, size, clamp ? "%s = clamp(%s)" : "%s = %s", dest, inner);
}

static void swap_table(const struct qs_timeline *timeline, unsigned table, char text[5])
{
	static const char channel[4] = {'r', 'g', 'b', 'a'};

	text[0] = channel[bp(timeline, "TEV_KSEL%u", 2 * table, "swap_rb") & 3];
	text[1] = channel[bp(timeline, "TEV_KSEL%u", 2 * table, "swap_ga") & 3];
	text[2] = channel[bp(timeline, "TEV_KSEL%u", 2 * table + 1, "swap_rb") & 3];
	text[3] = channel[bp(timeline, "TEV_KSEL%u", 2 * table + 1, "swap_ga") & 3];
	text[4] = 0;
}

static void describe_indirect(const struct qs_timeline *timeline, unsigned stage, char *buffer, size_t size)
{
	static const char pattern[] = "IND_CMD_%u";
	char bias[16] = "";

	if (bp(timeline, pattern, stage, "bias_s"))
		g_strlcat(bias, "s", sizeof bias);
	if (bp(timeline, pattern, stage, "bias_t"))
		g_strlcat(bias, "t", sizeof bias);
	if (bp(timeline, pattern, stage, "bias_u"))
		g_strlcat(bias, "u", sizeof bias);
	g_snprintf(buffer, size, "texel of indirect stage %u, %s, bias %s, %s %s, wrap %s %s, bump alpha %s%s%s",
		bp(timeline, pattern, stage, "bt"), bp_name(timeline, pattern, stage, "fmt"), *bias ? bias : "none",
		bp_name(timeline, pattern, stage, "matrix"), bp_name(timeline, pattern, stage, "matrix_type"),
		bp_name(timeline, pattern, stage, "wrap_s"), bp_name(timeline, pattern, stage, "wrap_t"),
		bp_name(timeline, pattern, stage, "bs"), bp(timeline, pattern, stage, "fb_addprev") ? ", previous added" : "",
		bp(timeline, pattern, stage, "utclod") ? ", LOD unmodified" : "");
}

void trace_stage_configure(const struct qs_timeline *timeline, unsigned stage, struct trace_stage_config *config)
{
	static const char *const input[4] = {"a", "b", "c", "d"};
	static const char colour[] = "TEV_COLOR_ENV_%u", alpha[] = "TEV_ALPHA_ENV_%u", order[] = "RAS1_TREF%u", konst[] = "TEV_KSEL%u";
	bool odd = stage & 1;
	const struct qs_register *reg;
	char name[32];

	for (unsigned i = 0; i < 4; i++) {
		config->colour[i] = bp_name(timeline, colour, stage, input[i]);
		config->alpha[i] = bp_name(timeline, alpha, stage, input[i]);
	}
	config->colour_dest = bp_name(timeline, colour, stage, "dest");
	config->alpha_dest = bp_name(timeline, alpha, stage, "dest");
	formula(timeline, colour, stage, false, config->colour_formula, sizeof config->colour_formula);
	formula(timeline, alpha, stage, true, config->alpha_formula, sizeof config->alpha_formula);
	config->texture = bp(timeline, order, stage / 2, odd ? "enable_odd" : "enable_even") != 0;
	config->map = bp(timeline, order, stage / 2, odd ? "map_odd" : "map_even");
	config->coord = bp(timeline, order, stage / 2, odd ? "coord_odd" : "coord_even");
	config->channel = bp_name(timeline, order, stage / 2, odd ? "channel_odd" : "channel_even");
	config->konst_colour = bp_name(timeline, konst, stage / 2, odd ? "kcsel_odd" : "kcsel_even");
	config->konst_alpha = bp_name(timeline, konst, stage / 2, odd ? "kasel_odd" : "kasel_even");
	swap_table(timeline, bp(timeline, alpha, stage, "tex_swap") & 3, config->tex_swap);
	swap_table(timeline, bp(timeline, alpha, stage, "ras_swap") & 3, config->ras_swap);
	g_snprintf(name, sizeof name, "IND_CMD_%u", stage);
	reg = qs_register_by_name(QS_UNIT_BP, name);
	config->indirect = reg ? qs_timeline_register(timeline, QS_UNIT_BP, reg->address) : 0;
	describe_indirect(timeline, stage, config->indirect_text, sizeof config->indirect_text);
}
