/* copy-text.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "copy-text.h"
#include "panels.h"

#define HEAD(text) "<span alpha='60%%'>" text "</span>" /* in formats */

static void append_colour(GString *s, const guint8 c[4])
{
	g_string_append_printf(s, "<span background='#%02x%02x%02x'>  </span> %02x%02x%02x%02x", c[0], c[1], c[2], c[0], c[1], c[2], c[3]);
}

static void append_filter(GString *s, const struct qs_copy *copy)
{
	static const char *const gamma[4] = {"1.0", "1.7", "2.2", "2.2"};
	const guint8 *w = copy->filter;

	if (!copy->filtered) {
		g_string_append(s, "\n<span alpha='60%'>filter  </span> none in this model");
		return;
	}
	g_string_append_printf(s, "\n" HEAD("filter  ") " above %u %u, here %u %u %u, below %u %u", w[0], w[1], w[2], w[3], w[4], w[5], w[6]);
	if (copy->clamp_top || copy->clamp_bottom)
		g_string_append_printf(s, "\n         clamped%s%s", copy->clamp_top ? " at the top" : "", copy->clamp_bottom ? " at the bottom" : "");
	g_string_append_printf(s, "\n" HEAD("gamma   ") " %s", gamma[copy->gamma & 3]);
}

char *qs_copy_markup(const QsView *view, guint32 command, const struct qs_copy *copy)
{
	static const char *const lines[4] = {"all lines", "all lines", "even lines", "odd lines"};
	g_autofree char *link = qs_link_command(view->capture->capture, command);
	GString *s = g_string_new(NULL);

	g_string_append_printf(s, "<b>copy to %s</b>  %s  %s", copy->to_display ? "the display" : "a texture",
		copy->to_display ? "YUV 4:2:2" : qs_copy_format_name(copy->format), link);
	g_string_append_printf(s, "\n" HEAD("source  ") " <a href=\"pixel:%d,%d\">%d,%d</a> to %d,%d  %s, %u sample%s a pixel", copy->source.x0, copy->source.y0,
		copy->source.x0, copy->source.y0, copy->source.x1 - 1, copy->source.y1 - 1, lines[copy->field & 3], copy->sample_count,
		copy->sample_count == 1 ? "" : "s");
	append_filter(s, copy);
	if (copy->to_display)
		g_string_append_printf(s, "\n" HEAD("scale   ") " %.4f source lines a line", copy->line_step / 256.0);
	else
		g_string_append_printf(s, "\n" HEAD("texels  ") " %s%s", copy->half ? "half size" : "full size", copy->intensity ? ", to intensity" : "");
	g_string_append_printf(s, "\n" HEAD("result  ") " %u × %u at 0x%08x, %u bytes a %s", copy->width, copy->height, copy->destination, copy->stride,
		copy->to_display ? "line" : "row of tiles");
	if (!copy->clear) {
		g_string_append(s, "\n<span alpha='60%'>clear   </span> no");
	} else {
		g_string_append_printf(s, "\n" HEAD("clear   ") " %s%s%s ", copy->clear_colour ? "colour " : "", copy->clear_alpha ? "alpha " : "",
			copy->clear_depth ? "depth " : "");
		append_colour(s, copy->clear_rgba);
		g_string_append_printf(s, "  %06x", copy->clear_z);
	}
	return g_string_free(s, FALSE);
}

static void append_pixel(GString *s, const struct qs_copy *copy, const struct qs_copy_pixel *p)
{
	for (guint k = 0; k < p->tap_count && k < 7; k++) {
		const struct qs_copy_tap *tap = &p->tap[k];
		g_autofree char *at = g_strdup_printf("%d,%d", tap->x, tap->y);

		if (!tap->weight) /* read, but without effect */
			continue;
		if (tap->inside)
			g_string_append_printf(s, "\n  <a href=\"pixel:%s\">%s</a>%*s", at, at, (int)(9 - MIN(strlen(at), 8)), "");
		else
			g_string_append_printf(s, "\n  %-9s", at);
		if (copy->sample_count > 1)
			g_string_append_printf(s, "sample %u  ", tap->sample);
		g_string_append_printf(s, "%2u/64  ", tap->weight);
		append_colour(s, tap->rgba);
		if (!tap->inside)
			g_string_append(s, "  outside the EFB");
	}
	if (p->tap_count > 1) {
		g_string_append(s, "\n  <span alpha='60%'>filtered</span>        ");
		append_colour(s, p->filtered);
	}
	if (copy->gamma) {
		g_string_append(s, "\n  <span alpha='60%'>gamma</span>           ");
		append_colour(s, p->rgba);
	}
}

char *qs_copy_texel_markup(const struct qs_copy *copy, guint x, guint y, const struct qs_copy_texel *t)
{
	GString *s = g_string_new(NULL);

	g_string_append_printf(s, "<b>%s %u,%u</b> from", copy->to_display ? "pixel" : "texel", x, y);
	for (guint i = 0; i < t->pixel_count && i < 4; i++)
		append_pixel(s, copy, &t->pixel[i]);
	if (copy->half) {
		g_string_append(s, "\n" "<span alpha='60%'>box     </span> ");
		append_colour(s, t->rgba);
	} else if (t->pixel_count == 2) {
		g_string_append_printf(s, "\n" HEAD("lines   ") " %u/256 of the second: ", t->line_part);
		append_colour(s, t->rgba);
	}
	if (copy->to_display) {
		g_string_append_printf(s, "\n" HEAD("to YUV  ") " Y %u U %u V %u", t->converted[0], t->converted[1], t->converted[2]);
	} else {
		g_string_append(s, "\n" "<span alpha='60%'>encoded </span> ");
		append_colour(s, t->converted);
	}
	for (guint i = 0; i < t->part_count && i < 2; i++) {
		const guint8 *b = &t->bytes[i * t->size];

		g_string_append_printf(s, t->size == 2 ? "\n" HEAD("stored  ") " %02x %02x at 0x%08x" : "\n" HEAD("stored  ") " %02x%.0u at 0x%08x", b[0],
			t->size == 2 ? b[1] : 0u, t->address[i]);
	}
	return g_string_free(s, FALSE);
}
