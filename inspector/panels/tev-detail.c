/* tev-detail.c - where a value of the TEV sheet comes from, and the rows of the pixel engine
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "tev-sheet.h"
#include <string.h>
#include "panels.h"

static const char *const input_name[4] = {"a", "b", "c", "d"};

/* ---- links -------------------------------------------------------------------------------------------------------------- */

/* "TEV_KSEL0.kcsel_even = 12 (k0_rgb), written at 1@0x1535" */
static void append_field(GString *s, const QsTevFacts *f, QsTevField field)
{
	guint32 writer, value;
	g_autofree char *link = NULL, *meaning = NULL;
	char text[256];

	if (!field.reg)
		return;
	writer = qs_view_register_writer(f->regs, QS_UNIT_BP, field.reg->address);
	value = qs_view_register(f->regs, QS_UNIT_BP, field.reg->address);
	link = qs_link_command(f->regs->capture->capture, writer);
	if (field.field)
		meaning = g_markup_escape_text(qs_field_format(field.field, value, text, sizeof text), -1);
	else
		meaning = g_strdup_printf("0x%06x", value);
	g_string_append_printf(s, "<a href=\"register:bp.%s%s%s\">%s%s%s</a> = %s, ", field.reg->name, field.field ? "." : "",
		field.field ? field.field->name : "", field.reg->name, field.field ? "." : "", field.field ? field.field->name : "", meaning);
	if (writer == QS_NONE)
		g_string_append(s, "from the initial state");
	else
		g_string_append_printf(s, "written at %s", link);
}

static void append_source(GString *s, const QsTevFacts *f, const QsTevSource *source)
{
	switch (source->from) {
	case QS_TEV_FROM_REGISTER:
		g_string_append(s, "\nvalue: ");
		for (guint i = 0; i < source->count; i++) {
			if (i)
				g_string_append(s, "; ");
			append_field(s, f, source->field[i]);
		}
		break;
	case QS_TEV_FROM_STAGE:
		g_string_append_printf(s, "\nvalue: %s result of stage %u", source->alpha ? "alpha" : "colour", source->stage);
		break;
	case QS_TEV_FROM_TEXTURE:
		g_string_append_printf(s, "\nvalue: texture map %u, image ", source->map);
		append_field(s, f, qs_tev_field("TX_SETIMAGE3_%u", source->map, "address"));
		break;
	case QS_TEV_FROM_NOTHING:
		break;
	}
}

static void append_values(GString *s, const int *value, guint count)
{
	g_autofree char *decimal = qs_tev_numbers(value, count, TRUE), *hexadecimal = qs_tev_numbers(value, count, FALSE);

	g_string_append_printf(s, "<tt>%s</tt>  =  <tt>0x %s</tt>", g_strstrip(decimal), g_strstrip(hexadecimal));
}

/* ---- texture ------------------------------------------------------------------------------------------------------------ */

static void append_sample(GString *s, const struct qs_sample *sample)
{
	if (!sample->done)
		return;
	g_string_append_printf(s, "\ncoordinate %u: s %.3f  t %.3f  LOD %.3f  %s", sample->coord, sample->s / 128.0, sample->t / 128.0,
		sample->lod / 16.0, sample->linear ? "linear" : "nearest");
	for (guint i = 0; i < sample->texel_count && i < QS_TEXELS; i++) {
		const struct qs_texel *t = &sample->texel[i];

		g_string_append_printf(s, "%s<tt>%d,%d</tt> level %u <span background='#%02x%02x%02x'>  </span> <tt>%02x%02x%02x%02x</tt> %.0f%%",
			i % 2 ? "   " : "\n", t->s, t->t, t->level, t->rgba[0], t->rgba[1], t->rgba[2], t->rgba[0], t->rgba[1], t->rgba[2],
			t->rgba[3], t->weight * 100.0 / 16384.0);
	}
}

char *qs_tev_lookup_text(const QsTevFacts *f, guint lookup)
{
	const struct qs_sample *sample = &f->fragment->indirect[lookup];
	char shift[2][4];

	g_snprintf(shift[0], sizeof shift[0], "s%u", lookup);
	g_snprintf(shift[1], sizeof shift[1], "t%u", lookup);
	if (!sample->done)
		return g_strdup("not looked up");
	return g_strdup_printf("map %u coord %u  s %.3f t %.3f  ÷%u,%u  →  S %u T %u U %u", sample->map, sample->coord, sample->s / 128.0,
		sample->t / 128.0, 1u << (qs_tev_value(f, qs_tev_field("RAS1_SS%u", lookup / 2, shift[0])) & 15),
		1u << (qs_tev_value(f, qs_tev_field("RAS1_SS%u", lookup / 2, shift[1])) & 15), sample->rgba[3], sample->rgba[2], sample->rgba[1]);
}

char *qs_tev_offset_text(const QsTevFacts *f, guint stage)
{
	const struct qs_stage *s = &f->fragment->stage[stage];
	g_autofree char *how = qs_tev_indirect_text(f, stage);

	return g_strdup_printf("offset %+.3f, %+.3f  coordinate %.3f, %.3f  bump %u  <span alpha='60%%'>%s</span>",
		s->indirect_s / 128.0, s->indirect_t / 128.0, s->coord_s / 128.0, s->coord_t / 128.0, s->bump_alpha, how);
}

/* ---- pixel engine ------------------------------------------------------------------------------------------------------- */

static char *swatch(const guint8 rgba[4])
{
	return g_strdup_printf("<span background='#%02x%02x%02x'>  </span> %02x%02x%02x%02x", rgba[0], rgba[1], rgba[2], rgba[0], rgba[1], rgba[2],
		rgba[3]);
}

static gboolean holds(guint function, guint32 a, guint32 b)
{
	return (function & 1 && a < b) || (function & 2 && a == b) || (function & 4 && a > b);
}

static char *alpha_part(guint function, guint alpha, guint reference)
{
	if (function == 0 || function == 7)
		return g_strdup(qs_compare_name(function));
	return g_strdup_printf("%u %s %u is %s", alpha, qs_compare_name(function), reference, holds(function, alpha, reference) ? "true" : "false");
}

static char *alpha_text(const QsTevFacts *f, guint *flags)
{
	static const char *const logic[4] = {"and", "or", "xor", "xnor"};
	const struct qs_fragment *p = f->fragment;
	g_autofree char *first = alpha_part(p->alpha_func0, p->tev[3], p->alpha_ref0), *second = alpha_part(p->alpha_func1, p->tev[3], p->alpha_ref1);

	if (p->verdict == QS_VERDICT_EARLY_Z)
		return g_strdup("not reached");
	if (!p->alpha_tested)
		return g_strdup("off: always passes");
	*flags = p->alpha_passed ? QS_CELL_PASS : QS_CELL_FAIL;
	return g_strdup_printf("(%s) %s (%s): %s", first, logic[p->alpha_logic & 3], second, p->alpha_passed ? "passed" : "failed");
}

static char *depth_text(const QsTevFacts *f, guint *flags)
{
	const struct qs_fragment *p = f->fragment;
	const guint32 z = p->early_z ? p->z_interpolated : p->z;

	if (!qs_view_field(f->regs, QS_UNIT_BP, "PE_ZMODE", "enable"))
		return g_strdup("off");
	if (!p->z_tested)
		return g_strdup("not reached");
	*flags = p->z_passed ? QS_CELL_PASS : QS_CELL_FAIL;
	return g_strdup_printf("%s: %06x %s %06x: %s%s", p->early_z ? "early" : "late", z, qs_compare_name(p->z_func), p->z_old,
		p->z_passed ? "passed" : "failed", p->z_written ? ", stored" : p->z_passed ? ", not stored" : "");
}

static char *z_texture_text(const QsTevFacts *f)
{
	const struct qs_fragment *p = f->fragment;
	const char *op = qs_tev_enum(f, qs_tev_field("TEV_ZENV1", 0, "op")), *type = qs_tev_enum(f, qs_tev_field("TEV_ZENV1", 0, "type"));
	g_autofree char *plane = p->z_texture == 1 ? g_strdup_printf("%06x + ", p->z_interpolated) : g_strdup("");

	if (!p->z_texture)
		return NULL;
	return g_strdup_printf("%s %s: %stexel %06x + bias %06x = %06x%s", op, type, plane, p->z_texture_value, p->z_texture_bias, p->z,
		p->early_z ? ", after the depth test: without effect" : "");
}

static gboolean blended(const struct qs_fragment *p)
{
	return p->verdict == QS_VERDICT_WRITTEN || p->verdict == QS_VERDICT_MASKED;
}

static char *fog_text(const QsTevFacts *f)
{
	const QsTevField type = qs_tev_field("TEV_FOG_PARAM_3", 0, "type");
	const struct qs_fragment *p = f->fragment;
	g_autofree char *before = swatch(p->tev), *after = swatch(p->source);

	if (!qs_tev_value(f, type) || !blended(p))
		return NULL;
	return g_strdup_printf("%s %u/256: %s → %s", qs_tev_enum(f, type), p->fog, before, after);
}

static char *blend_text(const QsTevFacts *f)
{
	const struct qs_fragment *p = f->fragment;
	const guint8 *s = p->blend_src_factor, *d = p->blend_dst_factor;
	g_autofree char *source = swatch(p->source), *old = swatch(p->old_rgba), *result = swatch(p->blended);

	if (!blended(p))
		return NULL;
	switch (p->blend_mode) {
	case 1:
		return g_strdup_printf("%s × %s (%02x %02x %02x %02x) + %s × %s (%02x %02x %02x %02x) = %s", source,
			qs_tev_enum(f, qs_tev_field("PE_CMODE0", 0, "src_factor")), s[0], s[1], s[2], s[3], old,
			qs_tev_enum(f, qs_tev_field("PE_CMODE0", 0, "dst_factor")), d[0], d[1], d[2], d[3], result);
	case 2:
		return g_strdup_printf("subtract: %s − %s = %s", old, source, result);
	case 3:
		return g_strdup_printf("logic %s: %s, %s = %s", qs_tev_enum(f, qs_tev_field("PE_CMODE0", 0, "logic_op")), source, old, result);
	default:
		return g_strdup_printf(memcmp(p->source, p->blended, 4) ? "off: %s → %s" : "off: %s", source, result);
	}
}

/* Each by itself: covered, depth test, what became of it. */
static char *samples_text(const QsTevFacts *f)
{
	const struct qs_fragment *p = f->fragment;
	GString *s;

	if (p->sample_count < 2)
		return NULL;
	s = g_string_new(NULL);
	for (guint k = 0; k < 3; k++) {
		g_autofree char *before = swatch(p->sample_old[k]), *after = swatch(p->sample_new[k]);

		g_string_append_printf(s, "%s%u ", k ? "\n" : "", k);
		if (!(p->samples >> k & 1))
			g_string_append_printf(s, "not covered: %s", before);
		else if (!(p->samples_passed >> k & 1))
			g_string_append_printf(s, "%06x %s %06x failed: %s", p->sample_z[k], qs_compare_name(p->z_func), p->sample_z_old[k], before);
		else
			g_string_append_printf(s, "%s → %s  z %06x → %06x", before, after, p->sample_z_old[k], p->sample_z_new[k]);
	}
	return g_string_free(s, FALSE);
}

static char *pixel_text(const QsTevFacts *f, guint *flags)
{
	const struct qs_fragment *p = f->fragment;
	g_autofree char *before = swatch(p->old_rgba), *after = swatch(p->new_rgba), *sentence = g_markup_escape_text(f->trace->sentence, -1);
	const gboolean colour = qs_view_field(f->regs, QS_UNIT_BP, "PE_CMODE0", "colour_update") != 0;
	const gboolean alpha = qs_view_field(f->regs, QS_UNIT_BP, "PE_CMODE0", "alpha_update") != 0;

	*flags = p->verdict == QS_VERDICT_WRITTEN ? QS_CELL_PASS : p->verdict == QS_VERDICT_PENDING ? 0 : QS_CELL_FAIL;
	if (!blended(p))
		return g_steal_pointer(&sentence);
	return g_strdup_printf("%s → %s  %s (colour %s, alpha %s)", before, after, qs_verdict_name((enum qs_verdict)p->verdict),
		colour ? "on" : "off", alpha ? "on" : "off");
}

char *qs_tev_pixel_text(const QsTevFacts *f, QsTevRowKind kind, guint *flags)
{
	const guint verdict = f->fragment->verdict;

	if (verdict == QS_VERDICT_PENDING || verdict == QS_VERDICT_NONE)
		return kind == QS_TEV_ROW_PIXEL ? pixel_text(f, flags) : NULL;
	switch (kind) {
	case QS_TEV_ROW_ALPHA_TEST:
		return alpha_text(f, flags);
	case QS_TEV_ROW_Z_TEXTURE:
		return z_texture_text(f);
	case QS_TEV_ROW_DEPTH:
		return depth_text(f, flags);
	case QS_TEV_ROW_FOG:
		return fog_text(f);
	case QS_TEV_ROW_BLEND:
		return blend_text(f);
	case QS_TEV_ROW_SAMPLES:
		return samples_text(f);
	case QS_TEV_ROW_PIXEL:
		return pixel_text(f, flags);
	default:
		return NULL;
	}
}

static QsTevField pixel_register(QsTevRowKind kind)
{
	static const char *const name[] = {[QS_TEV_ROW_ALPHA_TEST] = "TEV_ALPHAFUNC", [QS_TEV_ROW_Z_TEXTURE] = "TEV_ZENV1", [QS_TEV_ROW_DEPTH] = "PE_ZMODE",
		[QS_TEV_ROW_FOG] = "TEV_FOG_PARAM_3", [QS_TEV_ROW_BLEND] = "PE_CMODE0", [QS_TEV_ROW_SAMPLES] = "PE_CONTROL", [QS_TEV_ROW_PIXEL] = "PE_CONTROL"};

	return kind < G_N_ELEMENTS(name) && name[kind] ? qs_tev_field(name[kind], 0, NULL) : (QsTevField){NULL, NULL};
}

/* Without a fragment: the fields of the register that rules it. */
char *qs_tev_pixel_plan(const QsTevFacts *f, QsTevRowKind kind)
{
	const QsTevField field = kind == QS_TEV_ROW_PIXEL || kind == QS_TEV_ROW_SAMPLES ? (QsTevField){NULL, NULL} : pixel_register(kind);
	char text[512];

	if (!field.reg || (kind == QS_TEV_ROW_FOG && !qs_tev_value(f, qs_tev_field("TEV_FOG_PARAM_3", 0, "type"))))
		return NULL;
	if (kind == QS_TEV_ROW_Z_TEXTURE && !qs_view_field(f->regs, QS_UNIT_BP, "TEV_ZENV1", "op"))
		return NULL;
	if (kind == QS_TEV_ROW_DEPTH && !qs_view_field(f->regs, QS_UNIT_BP, "PE_ZMODE", "enable"))
		return g_strdup("off");
	return g_markup_escape_text(qs_register_format(field.reg, qs_tev_value(f, field), text, sizeof text), -1);
}

/* ---- one cell ----------------------------------------------------------------------------------------------------------- */

/* The field that chose what the cell shows. */
static QsTevField selector(const QsTevRow *row, guint column)
{
	const gboolean alpha = row->kind == QS_TEV_ROW_ALPHA;
	const guint n = row->stage;

	switch (column) {
	case QS_TEV_COLUMN_A:
	case QS_TEV_COLUMN_B:
	case QS_TEV_COLUMN_C:
	case QS_TEV_COLUMN_D:
		return qs_tev_env(n, alpha, input_name[column - QS_TEV_COLUMN_A]);
	case QS_TEV_COLUMN_WIDE:
		return qs_tev_env(n, alpha, NULL);
	case QS_TEV_COLUMN_RESULT:
	case QS_TEV_COLUMN_CLAMP:
		return qs_tev_env(n, alpha, "clamp");
	case QS_TEV_COLUMN_DEST:
		return qs_tev_env(n, alpha, "dest");
	case QS_TEV_COLUMN_TEX:
		return qs_tev_shared("RAS1_TREF%u", n, "map");
	case QS_TEV_COLUMN_RAS:
		return qs_tev_shared("RAS1_TREF%u", n, "channel");
	case QS_TEV_COLUMN_KONST:
		return qs_tev_shared("TEV_KSEL%u", n, alpha ? "kasel" : "kcsel");
	case QS_TEV_COLUMN_SWAP:
		return qs_tev_env(n, TRUE, alpha ? "ras_swap" : "tex_swap");
	case QS_TEV_COLUMN_OP:
		return qs_tev_env(n, alpha, "op");
	case QS_TEV_COLUMN_BIAS:
		return qs_tev_env(n, alpha, "bias");
	case QS_TEV_COLUMN_SCALE:
		return qs_tev_env(n, alpha, "scale");
	default:
		return (QsTevField){NULL, NULL};
	}
}

QsTevSource qs_tev_cell_source(const QsTevFacts *f, const QsTevRow *row, guint column)
{
	const gboolean alpha = row->kind == QS_TEV_ROW_ALPHA;
	QsTevSource source = {.from = QS_TEV_FROM_REGISTER, .count = 1};
	guint map, coord;

	if (row->kind == QS_TEV_ROW_LOOKUP)
		return (QsTevSource){.from = QS_TEV_FROM_TEXTURE, .map = f->fragment->indirect[row->stage & 3].map};
	if (row->kind == QS_TEV_ROW_COLOUR || row->kind == QS_TEV_ROW_ALPHA) {
		if (column >= QS_TEV_COLUMN_A && column <= QS_TEV_COLUMN_D)
			return qs_tev_input_source(f, row->stage, alpha, column - QS_TEV_COLUMN_A);
		if (column == QS_TEV_COLUMN_TEX && qs_tev_textured(f, row->stage, &map, &coord))
			return (QsTevSource){.from = QS_TEV_FROM_TEXTURE, .map = map};
		if (column == QS_TEV_COLUMN_KONST)
			return qs_tev_konst_source(f, row->stage, alpha);
		if (column >= QS_TEV_COLUMN_PREV && column <= QS_TEV_COLUMN_C2)
			return qs_tev_register_source(f, row->stage + 1, alpha, column - QS_TEV_COLUMN_PREV);
		source.field[0] = selector(row, column);
	} else if (row->kind == QS_TEV_ROW_START) {
		if (column >= QS_TEV_COLUMN_PREV && column <= QS_TEV_COLUMN_C2)
			return qs_tev_register_source(f, 0, row->stage != 0, column - QS_TEV_COLUMN_PREV);
	} else if (row->kind == QS_TEV_ROW_INDIRECT) {
		source.field[0] = qs_tev_field("IND_CMD_%u", row->stage, NULL);
	} else {
		source.field[0] = pixel_register(row->kind);
	}
	if (!source.field[0].reg)
		source.from = QS_TEV_FROM_NOTHING;
	return source;
}

static void append_stage_values(GString *s, const QsTevFacts *f, const QsTevRow *row, guint column)
{
	const struct qs_stage *stage = &f->fragment->stage[row->stage];
	const gint16 *const value[QS_TEV_COLUMN_COUNT] = {[QS_TEV_COLUMN_A] = stage->a, [QS_TEV_COLUMN_B] = stage->b, [QS_TEV_COLUMN_C] = stage->c,
		[QS_TEV_COLUMN_D] = stage->d, [QS_TEV_COLUMN_RESULT] = stage->result, [QS_TEV_COLUMN_TEX] = stage->tex, [QS_TEV_COLUMN_RAS] = stage->ras,
		[QS_TEV_COLUMN_KONST] = stage->konst, [QS_TEV_COLUMN_PREV] = stage->reg[0], [QS_TEV_COLUMN_C0] = stage->reg[1],
		[QS_TEV_COLUMN_C1] = stage->reg[2], [QS_TEV_COLUMN_C2] = stage->reg[3]};
	int wide[4];

	if (!f->trace)
		return;
	if (column == QS_TEV_COLUMN_WIDE)
		memcpy(wide, stage->wide, sizeof wide);
	else if (value[column])
		for (guint i = 0; i < 4; i++)
			wide[i] = value[column][i];
	else
		return;
	g_string_append(s, ": ");
	append_values(s, row->kind == QS_TEV_ROW_ALPHA ? wide + 3 : wide, row->kind == QS_TEV_ROW_ALPHA ? 1 : 3);
}

static char *stage_detail(const QsTevFacts *f, const QsTevRow *row, guint column)
{
	static const char *const what[QS_TEV_COLUMN_COUNT] = {"", "input a", "input b", "input c", "input d", "before clamp", "stored result",
		"destination", "texture", "raster", "konst", "swap", "operation", "bias", "scale", "clamp", "PREV after the stage",
		"C0 after the stage", "C1 after the stage", "C2 after the stage", ""};
	const gboolean alpha = row->kind == QS_TEV_ROW_ALPHA;
	const QsTevField field = selector(row, column);
	const QsTevSource source = qs_tev_cell_source(f, row, column);
	g_autofree char *formula = qs_tev_formula(f, row->stage, alpha), *escaped = g_markup_escape_text(formula, -1);
	GString *s = g_string_new(NULL);

	g_string_append_printf(s, "<b>stage %u %s</b>  %s", row->stage, alpha ? "alpha" : "colour", what[column]);
	append_stage_values(s, f, row, column);
	if (column == QS_TEV_COLUMN_STAGE || column == QS_TEV_COLUMN_FORMULA || column == QS_TEV_COLUMN_WIDE || column == QS_TEV_COLUMN_OP)
		g_string_append_printf(s, "   <tt>%s</tt>", escaped);
	if (field.reg) {
		g_string_append(s, "\nchosen by ");
		append_field(s, f, field);
	}
	if (source.from != QS_TEV_FROM_REGISTER || source.field[0].reg != field.reg || source.field[0].field != field.field)
		append_source(s, f, &source);
	if (source.from == QS_TEV_FROM_TEXTURE)
		append_sample(s, &f->fragment->stage[row->stage].sample);
	return g_string_free(s, FALSE);
}

static char *start_detail(const QsTevFacts *f, const QsTevRow *row, guint column)
{
	const QsTevSource source = qs_tev_cell_source(f, row, column);
	GString *s = g_string_new("<b>before the first stage</b>");

	append_source(s, f, &source);
	return g_string_free(s, FALSE);
}

char *qs_tev_detail(const QsTevFacts *f, const QsTevRow *row, guint column)
{
	GString *s;

	if (row->kind == QS_TEV_ROW_HEAD)
		return NULL;
	if (row->kind == QS_TEV_ROW_START)
		return start_detail(f, row, column);
	if (row->kind == QS_TEV_ROW_COLOUR || row->kind == QS_TEV_ROW_ALPHA)
		return stage_detail(f, row, column);
	s = g_string_new(NULL);
	if (row->kind == QS_TEV_ROW_LOOKUP) {
		g_string_append_printf(s, "<b>indirect lookup %u</b>  chosen by ", row->stage);
		append_field(s, f, qs_tev_field("RAS1_IREF", 0, NULL));
		append_sample(s, &f->fragment->indirect[row->stage & 3]);
	} else if (row->kind == QS_TEV_ROW_INDIRECT) {
		g_string_append_printf(s, "<b>stage %u indirect</b>  chosen by ", row->stage);
		append_field(s, f, qs_tev_field("IND_CMD_%u", row->stage, NULL));
	} else {
		g_string_append(s, "chosen by ");
		append_field(s, f, pixel_register(row->kind));
		if (row->kind == QS_TEV_ROW_Z_TEXTURE) {
			g_string_append(s, "; ");
			append_field(s, f, qs_tev_field("TEV_ZENV0", 0, NULL));
		}
		if (row->kind == QS_TEV_ROW_DEPTH) {
			g_string_append(s, "; ");
			append_field(s, f, qs_tev_field("PE_CONTROL", 0, "ztop"));
		}
	}
	return g_string_free(s, FALSE);
}
