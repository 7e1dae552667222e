/* tev-sheet.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "tev-sheet.h"
#include <string.h>

typedef struct {
	QsSheet *sheet;
	const QsTevFacts *f;
	GArray *rows;
	guint row, flags; /* flags of every cell of the row */
	char name[48];    /* of the row, for screen readers */
} Fill;

static const char *const titles[QS_TEV_COLUMN_COUNT] = {"", "a", "b", "c", "d", "unclamped", "stored", "to", "texture", "raster", "konst",
	"swap", "op", "bias", "scale", "clamp", "PREV", "C0", "C1", "C2", "formula"};

/* ---- numbers ------------------------------------------------------------------------------------------------------------ */

static void number(GString *s, int value, gboolean bytes, gboolean decimal)
{
	char text[16];

	if (decimal)
		g_snprintf(text, sizeof text, "%d", value);
	else if (value >= 0)
		g_snprintf(text, sizeof text, "%02x", (guint)value);
	else
		g_snprintf(text, sizeof text, "-%02x", (guint)-value);
	g_string_append_printf(s, "%s%*s", s->len ? " " : "", decimal ? (bytes ? 3 : 5) : bytes ? 2 : 4, text);
}

char *qs_tev_numbers(const int *value, guint count, gboolean decimal)
{
	GString *s = g_string_new(NULL);
	gboolean bytes = TRUE;

	for (guint i = 0; i < count; i++)
		bytes &= value[i] >= 0 && value[i] <= 255;
	for (guint i = 0; i < count; i++)
		number(s, value[i], bytes, decimal);
	return g_string_free(s, FALSE);
}

/* ---- cells -------------------------------------------------------------------------------------------------------------- */

static void put(Fill *fill, guint column, guint flags, const char *top, const char *text)
{
	g_autofree char *name = g_strdup_printf("%s%s%s", fill->name, titles[column][0] ? " " : "", titles[column]);

	qs_sheet_put(fill->sheet, fill->row, column, &(QsCellContent){.flags = fill->flags | flags, .top = top, .text = text, .name = name});
}

/* channels: r g b a of a stage's values, NULL: not known; a colour row shows three of them and the colour they make. */
static void put_values(Fill *fill, guint column, guint flags, const char *top, const int channels[4], gboolean alpha)
{
	g_autofree char *text = !channels ? NULL : alpha ? qs_tev_numbers(channels + 3, 1, fill->f->decimal) :
		qs_tev_numbers(channels, 3, fill->f->decimal);
	g_autofree char *name = g_strdup_printf("%s %s", fill->name, titles[column]);
	QsCellContent content = {.flags = fill->flags | flags, .top = top, .text = text, .name = name};

	if (fill->flags & QS_CELL_PENDING) {
		content.text = "·";
	} else if (!channels) {
		content.text = "";
	} else if (!alpha) {
		content.swatch = TRUE;
		for (guint i = 0; i < 3; i++)
			content.rgb[i] = (guint8)CLAMP(channels[i], 0, 255);
	}
	qs_sheet_put(fill->sheet, fill->row, column, &content);
}

static void widen(const gint16 from[4], int to[4])
{
	for (guint i = 0; i < 4; i++)
		to[i] = from[i];
}

/* "tex_rgb" as people write it */
static char *pretty(const char *name)
{
	return g_strdelimit(g_strdup(name), "_", '.');
}

static void next_row(Fill *fill, QsTevRowKind kind, guint stage, guint flags)
{
	const QsTevRow row = {kind, stage};

	fill->row = fill->rows->len;
	fill->flags = flags;
	g_array_append_val(fill->rows, row);
}

/* ---- stages ------------------------------------------------------------------------------------------------------------- */

static void put_inputs(Fill *fill, guint n, gboolean alpha)
{
	const struct qs_stage *stage = &fill->f->fragment->stage[n];
	const gint16 *const value[4] = {stage->a, stage->b, stage->c, stage->d};

	for (guint i = 0; i < 4; i++) {
		g_autofree char *top = pretty(qs_tev_input(fill->f, n, alpha, i));
		int channels[4];

		widen(value[i], channels);
		put_values(fill, QS_TEV_COLUMN_A + i, QS_CELL_LINK, top, fill->f->trace ? channels : NULL, alpha);
	}
}

static void put_sources(Fill *fill, guint n, gboolean alpha)
{
	const struct qs_stage *stage = &fill->f->fragment->stage[n];
	g_autofree char *konst = pretty(qs_tev_konst(fill->f, n, alpha));
	guint map, coord;
	const gboolean textured = qs_tev_textured(fill->f, n, &map, &coord);
	g_autofree char *where = textured ? g_strdup_printf("map %u coord %u", map, coord) : g_strdup("off");
	char swap[2][5];
	int channels[4];

	widen(stage->tex, channels);
	put_values(fill, QS_TEV_COLUMN_TEX, textured ? QS_CELL_LINK : QS_CELL_DIM, alpha ? "" : where, fill->f->trace ? channels : NULL, alpha);
	widen(stage->ras, channels);
	put_values(fill, QS_TEV_COLUMN_RAS, QS_CELL_LINK, alpha ? "" : qs_tev_enum(fill->f, qs_tev_shared("RAS1_TREF%u", n, "channel")),
		fill->f->trace ? channels : NULL, alpha);
	if (fill->f->trace)
		widen(stage->konst, channels);
	else
		qs_tev_konst_value(fill->f, n, channels);
	put_values(fill, QS_TEV_COLUMN_KONST, QS_CELL_LINK, konst, channels, alpha);
	qs_tev_swap(fill->f, n, FALSE, swap[0]);
	qs_tev_swap(fill->f, n, TRUE, swap[1]);
	put(fill, QS_TEV_COLUMN_SWAP, QS_CELL_LINK, alpha ? "raster" : "texture", swap[alpha]);
}

static void put_operation(Fill *fill, guint n, gboolean alpha)
{
	static const char *const bias_text[4] = {"0", "+128", "−128", "cmp"}, *const scale_text[4] = {"×1", "×2", "×4", "×½"};
	const guint bias = qs_tev_value(fill->f, qs_tev_env(n, alpha, "bias")) & 3, scale = qs_tev_value(fill->f, qs_tev_env(n, alpha, "scale")) & 3;
	const gboolean clamp = qs_tev_value(fill->f, qs_tev_env(n, alpha, "clamp")) != 0;
	g_autofree char *formula = qs_tev_formula(fill->f, n, alpha);

	put(fill, QS_TEV_COLUMN_OP, QS_CELL_LINK, NULL, qs_tev_op(fill->f, n, alpha));
	put(fill, QS_TEV_COLUMN_BIAS, QS_CELL_LINK, NULL, bias_text[bias]);
	put(fill, QS_TEV_COLUMN_SCALE, QS_CELL_LINK, NULL, bias == 3 ? "" : scale_text[scale]);
	put(fill, QS_TEV_COLUMN_CLAMP, QS_CELL_LINK, NULL, clamp ? "yes" : "no");
	put(fill, QS_TEV_COLUMN_FORMULA, QS_CELL_LEFT, NULL, formula);
}

static void put_result(Fill *fill, guint n, gboolean alpha)
{
	const struct qs_stage *stage = &fill->f->fragment->stage[n];
	g_autofree char *dest = g_ascii_strup(qs_tev_enum(fill->f, qs_tev_env(n, alpha, "dest")), -1);
	int channels[4];

	for (guint i = 0; i < 4; i++)
		channels[i] = stage->wide[i];
	put_values(fill, QS_TEV_COLUMN_WIDE, 0, alpha ? "" : NULL, fill->f->trace ? channels : NULL, alpha);
	widen(stage->result, channels);
	put_values(fill, QS_TEV_COLUMN_RESULT, 0, NULL, fill->f->trace ? channels : NULL, alpha);
	put(fill, QS_TEV_COLUMN_DEST, QS_CELL_LINK, NULL, dest);
}

static void put_registers(Fill *fill, guint n, gboolean alpha)
{
	const struct qs_stage *stage = &fill->f->fragment->stage[n];

	for (guint r = 0; r < 4; r++) {
		gint16 before[4];
		int channels[4];
		gboolean changed;

		if (n > 0)
			memcpy(before, stage[-1].reg[r], sizeof before);
		else
			qs_tev_register_start(fill->f, r, before);
		widen(stage->reg[r], channels);
		changed = alpha ? before[3] != channels[3] : memcmp(before, stage->reg[r], 3 * sizeof before[0]) != 0;
		put_values(fill, QS_TEV_COLUMN_PREV + r, QS_CELL_LINK | (changed && !(fill->flags & QS_CELL_PENDING) ? QS_CELL_CHANGED : 0), NULL,
			channels, alpha);
	}
}

static void put_stage(Fill *fill, guint n)
{
	const QsTevFacts *f = fill->f;
	const guint executed = f->now >= 0 ? (guint)f->now + 1 : f->trace ? f->fragment->stage_count : f->stages;
	const guint flags = n >= executed ? QS_CELL_PENDING : (int)n == f->now ? QS_CELL_NOW : 0;

	for (guint alpha = 0; alpha < 2; alpha++) {
		char label[16];

		next_row(fill, alpha ? QS_TEV_ROW_ALPHA : QS_TEV_ROW_COLOUR, n, flags | (alpha ? 0 : QS_CELL_LINE));
		g_snprintf(fill->name, sizeof fill->name, "stage %u %s", n, alpha ? "alpha" : "colour");
		g_snprintf(label, sizeof label, alpha ? "a" : "%u rgb", n);
		put(fill, QS_TEV_COLUMN_STAGE, QS_CELL_LINK, NULL, label);
		put_inputs(fill, n, alpha);
		put_result(fill, n, alpha);
		put_sources(fill, n, alpha);
		put_operation(fill, n, alpha);
		if (f->trace)
			put_registers(fill, n, alpha);
	}
}

/* What the stages begin with. */
static void put_start(Fill *fill)
{
	for (guint alpha = 0; alpha < 2; alpha++) {
		next_row(fill, QS_TEV_ROW_START, alpha, alpha ? 0 : QS_CELL_LINE);
		g_strlcpy(fill->name, alpha ? "start alpha" : "start colour", sizeof fill->name);
		put(fill, QS_TEV_COLUMN_STAGE, 0, NULL, alpha ? "a" : "start");
		for (guint r = 0; r < 4; r++) {
			gint16 value[4];
			int channels[4];

			qs_tev_register_start(fill->f, r, value);
			widen(value, channels);
			put_values(fill, QS_TEV_COLUMN_PREV + r, QS_CELL_LINK, NULL, channels, alpha);
		}
	}
}

static void put_wide(Fill *fill, const char *label, guint flags, const char *markup)
{
	qs_sheet_put(fill->sheet, fill->row, 0, &(QsCellContent){.flags = fill->flags | QS_CELL_UPPER, .text = label, .name = fill->name});
	qs_sheet_put(fill->sheet, fill->row, 1, &(QsCellContent){.flags = fill->flags | flags | QS_CELL_WIDE | QS_CELL_MARKUP | QS_CELL_LINK,
		.text = markup, .name = fill->name});
}

static void put_offset(Fill *fill, guint n)
{
	g_autofree char *text = qs_tev_offset_text(fill->f, n);
	const guint flags = fill->flags & (QS_CELL_PENDING | QS_CELL_NOW);

	next_row(fill, QS_TEV_ROW_INDIRECT, n, flags);
	g_snprintf(fill->name, sizeof fill->name, "stage %u indirect", n);
	put_wide(fill, "ind", 0, text);
}

/* ---- all ---------------------------------------------------------------------------------------------------------------- */

static void put_head(Fill *fill)
{
	next_row(fill, QS_TEV_ROW_HEAD, 0, QS_CELL_HEAD);
	for (guint c = 0; c < QS_TEV_COLUMN_COUNT; c++)
		qs_sheet_put(fill->sheet, 0, c, &(QsCellContent){
			.flags = QS_CELL_HEAD | (c == QS_TEV_COLUMN_FORMULA ? QS_CELL_LEFT : 0), .text = c ? titles[c] : "stage"});
}

static void put_pixel_engine(Fill *fill)
{
	static const struct { QsTevRowKind kind; const char *label, *name; } line[] = {{QS_TEV_ROW_ALPHA_TEST, "alpha", "alpha test"},
		{QS_TEV_ROW_Z_TEXTURE, "z tex", "Z texture"}, {QS_TEV_ROW_DEPTH, "depth", "depth test"}, {QS_TEV_ROW_FOG, "fog", "fog"}, {QS_TEV_ROW_BLEND, "blend", "blending"},
		{QS_TEV_ROW_SAMPLES, "samples", "samples"}, {QS_TEV_ROW_PIXEL, "pixel", "pixel"}};
	const gboolean early = fill->f->fragment->early_z || qs_view_field(fill->f->regs, QS_UNIT_BP, "PE_CONTROL", "ztop");

	for (guint i = 0; i < G_N_ELEMENTS(line); i++) {
		/* The depth test before texturing comes first. */
		const guint k = early && i < 3 ? (i + 2) % 3 : i;
		guint flags = 0;
		g_autofree char *text = fill->f->trace ? qs_tev_pixel_text(fill->f, line[k].kind, &flags) :
			qs_tev_pixel_plan(fill->f, line[k].kind);

		if (!text)
			continue;
		next_row(fill, line[k].kind, 0, i == 0 ? QS_CELL_LINE : 0);
		g_strlcpy(fill->name, line[k].name, sizeof fill->name);
		put_wide(fill, line[k].label, flags, text);
	}
}

void qs_tev_sheet_fill(QsSheet *sheet, const QsTevFacts *f, GArray *rows)
{
	Fill fill = {.sheet = sheet, .f = f, .rows = rows};

	g_array_set_size(rows, 0);
	qs_sheet_begin(sheet, QS_TEV_COLUMN_COUNT);
	put_head(&fill);
	for (guint i = 0; i < f->fragment->indirect_count && i < 4; i++) {
		g_autofree char *text = qs_tev_lookup_text(f, i);
		g_autofree char *label = g_strdup_printf("ind %u", i);

		next_row(&fill, QS_TEV_ROW_LOOKUP, i, 0);
		g_snprintf(fill.name, sizeof fill.name, "indirect lookup %u", i);
		put_wide(&fill, label, 0, text);
	}
	if (!f->trace)
		put_start(&fill);
	for (guint n = 0; n < f->stages; n++) {
		put_stage(&fill, n);
		if (qs_tev_indirect(f, n))
			put_offset(&fill, n);
	}
	put_pixel_engine(&fill);
	qs_sheet_end(sheet, rows->len);
}

guint qs_tev_sheet_row(GArray *rows, QsTevRowKind kind, guint stage)
{
	for (guint i = 0; i < rows->len; i++)
		if (g_array_index(rows, QsTevRow, i).kind == kind && g_array_index(rows, QsTevRow, i).stage == stage)
			return i;
	return G_MAXUINT;
}
