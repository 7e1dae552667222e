/* texture-text.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "texture-text.h"
#include <string.h>
#include "panels.h"
#include "qs-copy.h"

/* ---- registers ---------------------------------------------------------------------------------------------------------- */

char *qs_texture_readers(const QsView *view, guint map)
{
	GString *s = g_string_new(NULL);
	const guint stages = (qs_view_register(view, QS_UNIT_BP, 0) >> 10 & 15) + 1, indirect = qs_view_register(view, QS_UNIT_BP, 0) >> 16 & 7;
	gboolean any = FALSE;

	for (guint i = 0; i < stages; i++) {
		const guint order = qs_view_register(view, QS_UNIT_BP, 0x28 + i / 2) >> (i & 1 ? 12 : 0);

		if (!(order >> 6 & 1) || (order & 7) != map)
			continue;
		g_string_append_printf(s, any ? " %u" : "TEV %u", i);
		any = TRUE;
	}
	any = FALSE;
	for (guint i = 0; i < MIN(indirect, 4); i++)
		if ((qs_view_register(view, QS_UNIT_BP, 0x27) >> 6 * i & 7) == map) {
			g_string_append_printf(s, any ? " %u" : s->len ? ", indirect %u" : "indirect %u", i);
			any = TRUE;
		}
	if (s->len)
		return g_string_free(s, FALSE);
	g_string_free(s, TRUE);
	return NULL;
}

/* Register of a map: 80.. for 0-3, A0.. for 4-7. */
static guint map_register(guint first, guint map)
{
	return map < 4 ? first + map : first + 0x20 + map - 4;
}

static void append_register(GString *s, const QsView *view, guint address)
{
	const struct qs_register *reg = qs_register_find(QS_UNIT_BP, address);
	const guint32 command = qs_view_register_writer(view, QS_UNIT_BP, address);
	g_autofree char *writer = qs_link_command(view->capture->capture, command);

	if (reg)
		g_string_append_printf(s, command == QS_NONE ? "\n<a href=\"register:bp.%s\">%s</a>%*s%06x  %s" :
			"\n<a href=\"register:bp.%s\">%s</a>%*s%06x  set at %s", reg->name, reg->name,
			(int)(17 - MIN(strlen(reg->name), 16)), "", qs_view_register(view, QS_UNIT_BP, address), writer);
}

static const char *field_name(const QsView *view, guint address, const char *name, char text[64])
{
	const struct qs_register *reg = qs_register_find(QS_UNIT_BP, address);
	const struct qs_field *f = reg ? qs_field_by_name(reg, name) : NULL;
	const char *open;

	if (!f)
		return "?";
	qs_field_format(f, qs_view_register(view, QS_UNIT_BP, address), text, 64);
	open = strchr(text, '('); /* "1 (repeat)" */
	if (!open)
		return text;
	text[strlen(text) - 1] = 0;
	return open + 1;
}

#define HEAD(text) "<span alpha='60%%'>" text "</span>" /* in formats */

char *qs_texture_info_markup(const QsView *view, const struct qs_texture *t)
{
	static const char *const tlut_format[4] = {"IA8", "RGB565", "RGB5A3", "reserved"};
	const guint mode0 = map_register(0x80, t->map);
	g_autofree char *readers = qs_texture_readers(view, t->map);
	GString *s = g_string_new(NULL);
	char a[64], b[64], c[64];

	g_string_append_printf(s, "<b>map %u</b>  %s\n", t->map, readers ? readers : "no stage reads it");
	g_string_append_printf(s, HEAD("format  ") "%s  %u × %u, %u level%s\n", qs_texture_format_name(t->format), t->width, t->height,
		t->levels, t->levels == 1 ? "" : "s");
	if (t->preloaded)
		g_string_append_printf(s, HEAD("TMEM    ") "0x%05x (preloaded)\n", t->address);
	else
		g_string_append_printf(s, HEAD("address ") "0x%08x\n", t->address);
	if (t->tlut_entries)
		g_string_append_printf(s, HEAD("palette ") "TMEM 0x%05x, %u × %s\n", t->tlut_address, t->tlut_entries, tlut_format[t->tlut_format & 3]);
	g_string_append_printf(s, HEAD("wrap    ") "s %s, t %s\n", field_name(view, mode0, "wrap_s", a), field_name(view, mode0, "wrap_t", b));
	g_string_append_printf(s, HEAD("filter  ") "min %s, mag %s, mip %s\n", field_name(view, mode0, "min_filter", a),
		field_name(view, mode0, "mag_filter", b), field_name(view, mode0, "mip_filter", c));
	g_string_append_printf(s, HEAD("LOD     ") "%.4g to %.4g, bias %+.4g", (double)t->min_lod, (double)t->max_lod, (double)t->lod_bias);
	append_register(s, view, map_register(0x88, t->map));
	if (t->preloaded)
		append_register(s, view, map_register(0x8c, t->map));
	else
		append_register(s, view, map_register(0x94, t->map));
	append_register(s, view, mode0);
	append_register(s, view, map_register(0x84, t->map));
	if (t->tlut_entries)
		append_register(s, view, map_register(0x98, t->map));
	return g_string_free(s, FALSE);
}

/* ---- texels ------------------------------------------------------------------------------------------------------------- */

static void append_colour(GString *s, const guint8 c[4])
{
	g_string_append_printf(s, "<span background='#%02x%02x%02x'>  </span> %02x%02x%02x%02x", c[0], c[1], c[2], c[0], c[1], c[2], c[3]);
}

char *qs_texture_texel_markup(const QsTexel *texel, const struct qs_capture *capture, const GArray *places, guint32 command)
{
	guint32 copy = QS_NONE;
	struct qs_moment moment;
	char text[80];
	GString *s;

	if (!texel)
		return NULL;
	s = g_string_new(NULL);
	if (texel->s >= 0)
		g_string_append_printf(s, "<b>%d,%d</b> level %u  ", texel->s, texel->t, texel->level);
	append_colour(s, texel->rgba);
	if (texel->index != QS_NONE)
		g_string_append_printf(s, "  entry %u (0x%02x)", texel->index, texel->index);
	g_string_append_printf(s, texel->from_tmem ? "  TMEM 0x%05x" : "  0x%08x", texel->address);
	if (places && !texel->from_tmem && texel->s >= 0)
		copy = qs_copy_before(places, command, texel->address);
	if (copy != QS_NONE && qs_moment_of_command(capture, copy, &moment))
		g_string_append_printf(s, "\ncopied there at <a href=\"copy:%u,%x\">%s</a>", copy, texel->address,
			qs_moment_format(capture, &moment, text, sizeof text));
	return g_string_free(s, FALSE);
}

static const struct qs_fragment *fragment_of(const QsTrace *trace)
{
	return trace && trace->found ? &trace->quad.fragment[trace->fragment] : NULL;
}

static void append_sample(GString *s, const char *name, guint stage, const struct qs_sample *sample)
{
	g_string_append_printf(s, "\n<b>%s %u</b>  s %.3f  t %.3f  LOD %.4g  %s  ", name, stage, sample->s / 128.0, sample->t / 128.0,
		sample->lod / 16.0, sample->linear ? "linear" : "nearest");
	append_colour(s, sample->rgba);
	for (guint i = 0; i < sample->texel_count && i < QS_TEXELS; i++) {
		const struct qs_texel *t = &sample->texel[i];

		g_string_append_printf(s, "\n  level %u  %4d,%-4d %5.1f %%  ", t->level, t->s, t->t, t->weight / 163.84);
		append_colour(s, t->rgba);
		g_string_append_printf(s, sample->from_tmem ? "  TMEM 0x%05x" : "  0x%08x", t->address);
		if (t->cache)
			g_string_append_printf(s, "  line %04x %s%s", t->line, t->cache == QS_CACHE_HIT ? "hit" : "<b>miss</b>",
				t->stale ? " <b>stale</b>" : "");
	}
	if (sample->lod_fraction)
		g_string_append_printf(s, "\n  %u/16 of the second level", sample->lod_fraction);
}

char *qs_texture_fetched_markup(const QsTrace *trace, guint map)
{
	const struct qs_fragment *f = fragment_of(trace);
	g_autofree char *link = NULL;
	GString *s;
	gsize start;

	if (!f)
		return g_strdup("<span alpha='60%'>Pick a pixel: the texels that its fragment fetched are marked.</span>");
	link = qs_link_moment(trace->text);
	s = g_string_new(NULL);
	g_string_append_printf(s, "fetched by %s at %d,%d%s", link, trace->x, trace->y, trace->in_draw ? "" : " (last writer)");
	start = s->len;
	for (guint i = 0; i < f->indirect_count && i < 4; i++)
		if (f->indirect[i].done && f->indirect[i].map == map)
			append_sample(s, "indirect", i, &f->indirect[i]);
	for (guint i = 0; i < f->stage_count && i < 16; i++)
		if (f->stage[i].sample.done && f->stage[i].sample.map == map)
			append_sample(s, "TEV", i, &f->stage[i].sample);
	if (s->len == start)
		g_string_append(s, ": nothing from this map");
	return g_string_free(s, FALSE);
}

static guint add_marks(const struct qs_sample *sample, guint map, QsTexelMark *marks)
{
	guint n = 0;

	if (!sample->done || sample->map != map)
		return 0;
	for (guint i = 0; i < sample->texel_count && i < QS_TEXELS; i++)
		marks[n++] = (QsTexelMark){sample->texel[i].level, sample->texel[i].s, sample->texel[i].t, sample->texel[i].weight};
	return n;
}

guint qs_texture_marks(const QsTrace *trace, guint map, QsTexelMark marks[QS_TEXTURE_MARKS])
{
	const struct qs_fragment *f = fragment_of(trace);
	guint n = 0;

	for (guint i = 0; f && i < f->indirect_count && i < 4; i++)
		n += add_marks(&f->indirect[i], map, marks + n);
	for (guint i = 0; f && i < f->stage_count && i < 16; i++)
		n += add_marks(&f->stage[i].sample, map, marks + n);
	return n;
}
