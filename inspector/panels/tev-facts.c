/* tev-facts.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "tev-facts.h"
#include <stdio.h>
#include <string.h>

static const char *const input_field[4] = {"a", "b", "c", "d"};

/* ---- fields ------------------------------------------------------------------------------------------------------------- */

QsTevField qs_tev_field(const char *pattern, guint n, const char *field)
{
	QsTevField f = {NULL, NULL};
	char name[32];

	g_snprintf(name, sizeof name, pattern, n);
	f.reg = qs_register_by_name(QS_UNIT_BP, name);
	if (f.reg && field)
		f.field = qs_field_by_name(f.reg, field);
	return f;
}

QsTevField qs_tev_shared(const char *pattern, guint stage, const char *field)
{
	char name[32];

	g_snprintf(name, sizeof name, "%s_%s", field, stage & 1 ? "odd" : "even");
	return qs_tev_field(pattern, stage / 2, name);
}

guint32 qs_tev_value(const QsTevFacts *f, QsTevField field)
{
	const guint32 value = field.reg ? qs_view_register(f->regs, QS_UNIT_BP, field.reg->address) : 0;

	return field.field ? qs_field_raw(field.field, value) : value;
}

const char *qs_tev_enum(const QsTevFacts *f, QsTevField field)
{
	const guint32 raw = qs_tev_value(f, field);

	if (field.field && field.field->values)
		for (const struct qs_enum_value *v = field.field->values; v->name; v++)
			if (v->value == raw)
				return v->name;
	return "?";
}

QsTevField qs_tev_env(guint stage, gboolean alpha, const char *field)
{
	return qs_tev_field(alpha ? "TEV_ALPHA_ENV_%u" : "TEV_COLOR_ENV_%u", stage, field);
}

void qs_tev_facts_init(QsTevFacts *f, const QsView *regs, const QsView *view, const QsTrace *trace, gboolean decimal)
{
	static const struct qs_fragment nothing;
	const guint active = qs_view_field(regs, QS_UNIT_BP, "GEN_MODE", "ntev") + 1;

	f->regs = regs;
	f->trace = trace;
	f->fragment = trace ? &trace->quad.fragment[trace->fragment & 3] : &nothing;
	/* A fragment that an early test rejected has no stages of its own; what they would do is shown all the same. */
	f->stages = MIN(MAX(f->fragment->stage_count, active), 16);
	f->now = trace && trace->in_draw && view->moment.level == QS_LEVEL_STAGE && view->moment.fragment == trace->fragment ?
		(int)view->moment.stage : -1;
	f->decimal = decimal;
}

/* ---- one stage ---------------------------------------------------------------------------------------------------------- */

const char *qs_tev_input(const QsTevFacts *f, guint stage, gboolean alpha, guint input)
{
	return qs_tev_enum(f, qs_tev_env(stage, alpha, input_field[input & 3]));
}

const char *qs_tev_konst(const QsTevFacts *f, guint stage, gboolean alpha)
{
	return qs_tev_enum(f, qs_tev_shared("TEV_KSEL%u", stage, alpha ? "kasel" : "kcsel"));
}

static int konst_part(const QsTevFacts *f, guint n, char channel)
{
	static const struct { const char *pattern, *field; } part[4] = {{"TEV_KONSTL_%u", "red"}, {"TEV_KONSTH_%u", "green"},
		{"TEV_KONSTH_%u", "blue"}, {"TEV_KONSTL_%u", "alpha"}};
	const char *at = strchr("rgba", channel);
	const guint i = at ? (guint)(at - "rgba") & 3 : 0;

	return (int)qs_tev_value(f, qs_tev_field(part[i].pattern, n, part[i].field)) & 255;
}

void qs_tev_konst_value(const QsTevFacts *f, guint stage, int value[4])
{
	for (guint i = 0; i < 4; i++) {
		const char *name = qs_tev_konst(f, stage, i == 3), *channel;
		int up, down = 1;

		value[i] = 0;
		if (name[0] == 'k' && g_ascii_isdigit(name[1])) {
			channel = strchr(name, '_');
			value[i] = konst_part(f, (guint)(name[1] - '0'), !channel || g_str_equal(channel, "_rgb") ? "rgba"[i] : channel[1]);
		} else if (sscanf(name, "%d/%d", &up, &down) >= 1 && down > 0) {
			value[i] = 256 * up / down - 1; /* 1 is 255, 1/8 is 31 */
		}
	}
}

gboolean qs_tev_textured(const QsTevFacts *f, guint stage, guint *map, guint *coord)
{
	*map = qs_tev_value(f, qs_tev_shared("RAS1_TREF%u", stage, "map"));
	*coord = qs_tev_value(f, qs_tev_shared("RAS1_TREF%u", stage, "coord"));
	return qs_tev_value(f, qs_tev_shared("RAS1_TREF%u", stage, "enable")) != 0;
}

/* Table k: red and green in TEV_KSEL 2k, blue and alpha in 2k+1 (spec 06-tev section 1). */
void qs_tev_swap(const QsTevFacts *f, guint stage, gboolean ras, char text[5])
{
	const guint table = qs_tev_value(f, qs_tev_env(stage, TRUE, ras ? "ras_swap" : "tex_swap"));

	for (guint i = 0; i < 4; i++)
		text[i] = "rgba"[qs_tev_value(f, qs_tev_field("TEV_KSEL%u", 2 * table + i / 2, i & 1 ? "swap_ga" : "swap_rb")) & 3];
	text[4] = '\0';
}

gboolean qs_tev_compares(const QsTevFacts *f, guint stage, gboolean alpha)
{
	return qs_tev_value(f, qs_tev_env(stage, alpha, "bias")) == 3;
}

/* Compare mode is bias 3; the scale then says what is compared (spec 06-tev section 2). */
const char *qs_tev_op(const QsTevFacts *f, guint stage, gboolean alpha)
{
	static const char *const compare[4][2] = {{"a.r > b.r", "a.r = b.r"}, {"a.gr > b.gr", "a.gr = b.gr"},
		{"a.bgr > b.bgr", "a.bgr = b.bgr"}, {"a > b", "a = b"}};
	const guint op = qs_tev_value(f, qs_tev_env(stage, alpha, "op")) & 1;

	if (qs_tev_compares(f, stage, alpha))
		return compare[qs_tev_value(f, qs_tev_env(stage, alpha, "scale")) & 3][op];
	return op ? "−" : "+";
}

char *qs_tev_formula(const QsTevFacts *f, guint stage, gboolean alpha)
{
	static const char *const bias_text[4] = {"", " + 128", " − 128", ""}, *const scale_text[4] = {"", " · 2", " · 4", " / 2"};
	const guint scale = qs_tev_value(f, qs_tev_env(stage, alpha, "scale")) & 3;
	const guint bias = qs_tev_value(f, qs_tev_env(stage, alpha, "bias")) & 3;
	const char *dest = qs_tev_enum(f, qs_tev_env(stage, alpha, "dest")), *op = qs_tev_op(f, stage, alpha);
	const gboolean clamp = qs_tev_value(f, qs_tev_env(stage, alpha, "clamp")) != 0;
	g_autofree char *inner = NULL;

	if (bias == 3)
		inner = g_strdup_printf("d + (%s ? c : 0)", op);
	else if (scale)
		inner = g_strdup_printf("(d %s lerp(a, b, c)%s)%s", op, bias_text[bias], scale_text[scale]);
	else
		inner = g_strdup_printf("d %s lerp(a, b, c)%s", op, bias_text[bias]);
	return g_strdup_printf(clamp ? "%s = clamp(%s)" : "%s = %s", dest, inner);
}

gboolean qs_tev_indirect(const QsTevFacts *f, guint stage)
{
	return qs_tev_value(f, qs_tev_field("IND_CMD_%u", stage, NULL)) != 0;
}

char *qs_tev_indirect_text(const QsTevFacts *f, guint stage)
{
	static const char pattern[] = "IND_CMD_%u";
	GString *s = g_string_new(NULL);

	g_string_append_printf(s, "lookup %u, %s", qs_tev_value(f, qs_tev_field(pattern, stage, "bt")),
		qs_tev_enum(f, qs_tev_field(pattern, stage, "fmt")));
	if (qs_tev_value(f, qs_tev_field(pattern, stage, "matrix")))
		g_string_append_printf(s, ", %s %s", qs_tev_enum(f, qs_tev_field(pattern, stage, "matrix")),
			qs_tev_enum(f, qs_tev_field(pattern, stage, "matrix_type")));
	if (qs_tev_value(f, qs_tev_field(pattern, stage, "bias_s")) || qs_tev_value(f, qs_tev_field(pattern, stage, "bias_t")) ||
		qs_tev_value(f, qs_tev_field(pattern, stage, "bias_u")))
		g_string_append_printf(s, ", bias %s%s%s", qs_tev_value(f, qs_tev_field(pattern, stage, "bias_s")) ? "s" : "",
			qs_tev_value(f, qs_tev_field(pattern, stage, "bias_t")) ? "t" : "",
			qs_tev_value(f, qs_tev_field(pattern, stage, "bias_u")) ? "u" : "");
	if (qs_tev_value(f, qs_tev_field(pattern, stage, "wrap_s")) || qs_tev_value(f, qs_tev_field(pattern, stage, "wrap_t")))
		g_string_append_printf(s, ", wrap %s %s", qs_tev_enum(f, qs_tev_field(pattern, stage, "wrap_s")),
			qs_tev_enum(f, qs_tev_field(pattern, stage, "wrap_t")));
	if (qs_tev_value(f, qs_tev_field(pattern, stage, "bs")))
		g_string_append_printf(s, ", bump alpha %s", qs_tev_enum(f, qs_tev_field(pattern, stage, "bs")));
	if (qs_tev_value(f, qs_tev_field(pattern, stage, "fb_addprev")))
		g_string_append(s, ", previous added");
	if (qs_tev_value(f, qs_tev_field(pattern, stage, "utclod")))
		g_string_append(s, ", LOD unmodified");
	return g_string_free(s, FALSE);
}

/* ---- sources ------------------------------------------------------------------------------------------------------------ */

static QsTevSource from_field(QsTevField field)
{
	return (QsTevSource){.from = field.reg ? QS_TEV_FROM_REGISTER : QS_TEV_FROM_NOTHING, .field = {field}, .count = 1};
}

QsTevSource qs_tev_register_source(const QsTevFacts *f, guint stage, gboolean alpha, guint reg)
{
	for (guint s = stage; s-- > 0;)
		if ((qs_tev_value(f, qs_tev_env(s, alpha, "dest")) & 3) == reg)
			return (QsTevSource){.from = QS_TEV_FROM_STAGE, .stage = s, .alpha = alpha};
	if (alpha)
		return from_field(qs_tev_field("TEV_REGISTERL_%u", reg, "alpha"));
	return (QsTevSource){.from = QS_TEV_FROM_REGISTER, .count = 2,
		.field = {qs_tev_field("TEV_REGISTERL_%u", reg, NULL), qs_tev_field("TEV_REGISTERH_%u", reg, NULL)}};
}

QsTevSource qs_tev_konst_source(const QsTevFacts *f, guint stage, gboolean alpha)
{
	const char *name = qs_tev_konst(f, stage, alpha);
	const guint n = name[0] == 'k' && g_ascii_isdigit(name[1]) ? (guint)(name[1] - '0') : 4;
	const char *channel = n < 4 ? name + 3 : "";

	if (n >= 4)
		return from_field(qs_tev_shared("TEV_KSEL%u", stage, alpha ? "kasel" : "kcsel"));
	if (g_str_equal(channel, "rgb"))
		return (QsTevSource){.from = QS_TEV_FROM_REGISTER, .count = 2,
			.field = {qs_tev_field("TEV_KONSTL_%u", n, NULL), qs_tev_field("TEV_KONSTH_%u", n, NULL)}};
	switch (channel[0]) {
	case 'r':
		return from_field(qs_tev_field("TEV_KONSTL_%u", n, "red"));
	case 'a':
		return from_field(qs_tev_field("TEV_KONSTL_%u", n, "alpha"));
	case 'g':
		return from_field(qs_tev_field("TEV_KONSTH_%u", n, "green"));
	default:
		return from_field(qs_tev_field("TEV_KONSTH_%u", n, "blue"));
	}
}

QsTevSource qs_tev_input_source(const QsTevFacts *f, guint stage, gboolean alpha, guint input)
{
	static const char *const reg[4] = {"prev", "c0", "c1", "c2"};
	const char *name = qs_tev_input(f, stage, alpha, input);
	guint map, coord;

	for (guint r = 0; r < 4; r++)
		if (g_str_has_prefix(name, reg[r]))
			return qs_tev_register_source(f, stage, alpha || g_str_has_suffix(name, "_aaa"), r);
	if (g_str_has_prefix(name, "tex")) {
		if (qs_tev_textured(f, stage, &map, &coord))
			return (QsTevSource){.from = QS_TEV_FROM_TEXTURE, .map = map};
		return from_field(qs_tev_shared("RAS1_TREF%u", stage, "enable"));
	}
	if (g_str_has_prefix(name, "ras"))
		return from_field(qs_tev_shared("RAS1_TREF%u", stage, "channel"));
	if (g_str_has_prefix(name, "konst"))
		return qs_tev_konst_source(f, stage, alpha);
	return from_field(qs_tev_env(stage, alpha, input_field[input & 3]));
}

void qs_tev_register_start(const QsTevFacts *f, guint reg, gint16 value[4])
{
	static const struct { const char *pattern, *field; } part[4] = {{"TEV_REGISTERL_%u", "red"}, {"TEV_REGISTERH_%u", "green"},
		{"TEV_REGISTERH_%u", "blue"}, {"TEV_REGISTERL_%u", "alpha"}};

	for (guint i = 0; i < 4; i++) {
		const QsTevField field = qs_tev_field(part[i].pattern, reg, part[i].field);

		value[i] = field.field ?
			(gint16)qs_field_number(field.field, qs_view_register(f->regs, QS_UNIT_BP, field.reg->address)) : 0;
	}
}
