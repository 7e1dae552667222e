/* trace_tev.c - texture lookups and TEV stages of a fragment as text
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "cli/trace.h"

/* ---- lookups ------------------------------------------------------------------------------------------------------------ */

void trace_sample(FILE *out, const struct qs_sample *sample, unsigned indent)
{
	struct cli_table *table;
	char colour[10];

	if (!sample->done)
		return;
	fprintf(out, "%*smap %u  coord %u  s %.4f (%06x)  t %.4f (%06x)  lod %.4f  %s  -> %s (%u %u %u %u)\n", (int)indent, "",
		sample->map, sample->coord, sample->s / 128.0, (uint32_t)sample->s & 0xFFFFFFu, sample->t / 128.0,
		(uint32_t)sample->t & 0xFFFFFFu, sample->lod / 16.0, sample->linear ? "linear" : "nearest",
		cli_colour(sample->rgba, colour), sample->rgba[0], sample->rgba[1], sample->rgba[2], sample->rgba[3]);
	if (sample->positions > 1)
		fprintf(out, "%*saverage of %u positions along the longer axis\n", (int)indent + 2, "", sample->positions);
	table = cli_table_new("rrrrrlll");
	cli_table_head(table, "texel", "level", "s", "t", "weight", sample->from_tmem ? "TMEM" : "memory", "rgba", "cache");
	for (unsigned i = 0; i < sample->texel_count && i < QS_TEXELS; i++) {
		const struct qs_texel *texel = &sample->texel[i];

		cli_table_cell(table, "%u", i);
		cli_table_cell(table, "%u", texel->level);
		cli_table_cell(table, "%d", texel->s);
		cli_table_cell(table, "%d", texel->t);
		cli_table_cell(table, "%u/16384", texel->weight);
		cli_table_cell(table, "%08x", texel->address);
		cli_table_cell(table, "%s (%u %u %u %u)", cli_colour(texel->rgba, colour), texel->rgba[0], texel->rgba[1],
			texel->rgba[2], texel->rgba[3]);
		if (texel->cache)
			cli_table_cell(table, "line %04x %s%s", texel->line, texel->cache == QS_CACHE_HIT ? "hit" : "miss",
				texel->stale ? ", stale" : "");
		else
			cli_table_cell(table, "-");
	}
	cli_table_print(table, out, indent + 2);
	if (sample->lod_fraction)
		fprintf(out, "%*stexels of the finer level count %u/16, of the next %u/16\n", (int)indent + 2, "",
			16 - sample->lod_fraction, sample->lod_fraction);
}

void trace_indirect(FILE *out, const struct qs_timeline *timeline, const struct qs_fragment *fragment)
{
	if (!fragment->indirect_count)
		return;
	trace_heading(out, "INDIRECT  %u lookup%s", fragment->indirect_count, fragment->indirect_count == 1 ? "" : "s");
	for (unsigned i = 0; i < fragment->indirect_count && i < 4; i++) {
		char name[16], s[8], t[8];

		g_snprintf(name, sizeof name, "RAS1_SS%u", i / 2);
		g_snprintf(s, sizeof s, "s%u", i);
		g_snprintf(t, sizeof t, "t%u", i);
		fprintf(out, "  stage %u  coordinate shifted right by %u, %u; S = alpha, T = blue, U = green\n", i,
			trace_field(timeline, QS_UNIT_BP, name, s), trace_field(timeline, QS_UNIT_BP, name, t));
		trace_sample(out, &fragment->indirect[i], 4);
	}
}

/* ---- stages ------------------------------------------------------------------------------------------------------------- */

/* Signed values with their bits as the registers hold them: 8 bits where it fits, else the 11 of a register. */
static void number_cell(struct cli_table *table, int value)
{
	if (value >= 0 && value <= 255)
		cli_table_cell(table, "%d  %02x", value, (unsigned)value);
	else
		cli_table_cell(table, "%d %03x", value, (unsigned)value & 0x7FFu);
}

static void stage_row(struct cli_table *table, const struct qs_stage *stage, unsigned channel)
{
	cli_table_cell(table, "%c", "rgba"[channel]);
	number_cell(table, stage->a[channel]);
	number_cell(table, stage->b[channel]);
	number_cell(table, stage->c[channel]);
	number_cell(table, stage->d[channel]);
	cli_table_cell(table, "%d", stage->wide[channel]);
	number_cell(table, stage->result[channel]);
	number_cell(table, stage->tex[channel]);
	number_cell(table, stage->ras[channel]);
	number_cell(table, stage->konst[channel]);
}

static void print_table(FILE *out, const struct qs_stage *stage, const struct trace_stage_config *config)
{
	struct cli_table *table = cli_table_new("lrrrrrrrrr");

	cli_table_head(table, "", "a", "b", "c", "d", "wide", "stored", "tex", "ras", "konst");
	cli_table_row(table, "rgb", config->colour[0], config->colour[1], config->colour[2], config->colour[3], "",
		config->colour_dest, config->texture ? config->tex_swap : "off", config->ras_swap, config->konst_colour);
	for (unsigned channel = 0; channel < 3; channel++)
		stage_row(table, stage, channel);
	cli_table_row(table, "alpha", config->alpha[0], config->alpha[1], config->alpha[2], config->alpha[3], "", config->alpha_dest,
		"", "", config->konst_alpha);
	stage_row(table, stage, 3);
	cli_table_print(table, out, 4);
}

static void print_registers(FILE *out, const struct qs_stage *stage)
{
	static const char *const name[4] = {"prev", "c0", "c1", "c2"};

	fprintf(out, "    registers after");
	for (unsigned r = 0; r < 4; r++)
		fprintf(out, "  %s (%d %d %d %d)", name[r], stage->reg[r][0], stage->reg[r][1], stage->reg[r][2], stage->reg[r][3]);
	fputc('\n', out);
}

static void print_stage(FILE *out, const struct qs_timeline *timeline, const struct qs_stage *stage, unsigned n)
{
	struct trace_stage_config config;

	trace_stage_configure(timeline, n, &config);
	fprintf(out, "  stage %-2u  rgb: %s   alpha: %s\n", n, config.colour_formula, config.alpha_formula);
	if (config.texture)
		fprintf(out, "    texture map %u, coord %u   raster %s\n", config.map, config.coord, config.channel);
	else
		fprintf(out, "    no texture   raster %s\n", config.channel);
	if (config.indirect) {
		fprintf(out, "    indirect: %s\n", config.indirect_text);
		fprintf(out, "    offset s %d (%.4f)  t %d (%.4f)  coordinate s %d (%.4f)  t %d (%.4f)  bump alpha %u\n",
			stage->indirect_s, stage->indirect_s / 128.0, stage->indirect_t, stage->indirect_t / 128.0, stage->coord_s,
			stage->coord_s / 128.0, stage->coord_t, stage->coord_t / 128.0, stage->bump_alpha);
	}
	trace_sample(out, &stage->sample, 4);
	print_table(out, stage, &config);
	print_registers(out, stage);
}

void trace_stages(FILE *out, const struct qs_timeline *timeline, const struct qs_fragment *fragment, unsigned first, unsigned last)
{
	trace_heading(out, "TEV  %u stage%s%s", fragment->stage_count, fragment->stage_count == 1 ? "" : "s",
		first ? ", one shown" : "");
	for (unsigned n = first; n <= last && n < fragment->stage_count && n < 16; n++)
		print_stage(out, timeline, &fragment->stage[n], n);
}
