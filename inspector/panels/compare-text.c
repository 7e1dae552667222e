/* compare-text.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare-text.h"
#include <string.h>

char *compare_summary(const struct qs_comparison *c)
{
	const guint64 all = (guint64)c->a.width * c->a.height;

	if (c->equal)
		return g_strdup_printf("equal: all %" G_GUINT64_FORMAT " pixels of the %s", all, qs_buffer_name(c->buffer));
	return g_strdup_printf("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " pixels of the %s equal (%.2f %%), largest difference %u",
		(guint64)c->colour.equal, all, qs_buffer_name(c->buffer), all ? 100.0 * (double)c->colour.equal / (double)all : 0,
		(guint)c->colour.maximum);
}

static void add_moment(GString *s, const struct qs_capture *capture, const struct qs_moment *moment)
{
	g_autofree char *link = NULL;
	char text[80];

	qs_moment_format(capture, moment, text, sizeof text);
	link = g_strdup_printf("<a href=\"moment:%s\">%s</a>", text, text);
	g_string_append(s, link);
}

static void add_where(GString *s, const struct qs_capture *capture, const struct qs_divergence *d)
{
	add_moment(s, capture, &d->moment);
	g_string_append_printf(s, "  <a href=\"pixel:%d,%d\">pixel %d,%d</a>  %s", d->x, d->y, d->x, d->y,
		qs_stage_unit_name((enum qs_stage_unit)d->unit));
	if (d->stage != QS_NONE)
		g_string_append_printf(s, " stage %u", d->stage);
	if (d->kind)
		g_string_append_printf(s, ", %s", qs_class_name((enum qs_class)d->kind));
}

static void add_operands(GString *s, const struct qs_divergence *d, const char *a, const char *b)
{
	g_string_append_printf(s, "<tt><span alpha=\"60%%\">%-24s %-22s %s</span>\n", "value", a, b);
	for (guint32 i = 0; i < d->operand_count; i++) {
		const struct qs_operand *o = &d->operand[i];
		g_autofree char *line = g_strdup_printf("%-24s %-22s %s", o->name, o->a, o->b);
		g_autofree char *text = g_markup_escape_text(line, -1);

		g_string_append_printf(s, o->differs ? "<b>%s</b>\n" : "%s\n", text);
	}
	g_string_append(s, "</tt>");
}

static void add_first(GString *s, const struct qs_capture *capture, const struct qs_comparison *c, const char *a, const char *b)
{
	g_autofree char *text = g_markup_escape_text(c->first.text, -1);

	g_string_append(s, "<b>First divergence</b>\n");
	if (!c->first.found) {
		g_string_append(s, "None was found inside the draws.\n\n");
		return;
	}
	add_where(s, capture, &c->first);
	g_string_append_printf(s, "\n%s\n", text);
	add_operands(s, &c->first, a, b);
	g_string_append_c(s, '\n');
}

static void add_causes(GString *s, const struct qs_capture *capture, const struct qs_comparison *c)
{
	g_string_append_printf(s, "<b>Causes</b>  <span alpha=\"60%%\">%u pictures drawn</span>\n", c->drawn);
	for (guint32 i = 0; i < c->cause_count; i++) {
		const struct qs_cause *cause = &c->cause[i];

		g_string_append_printf(s, "<a href=\"quirk:%s=%d\">%s</a>  %d → %d  %s, %" G_GUINT64_FORMAT " pixels", cause->name,
			cause->b, cause->name, cause->a, cause->b, qs_class_name((enum qs_class)cause->kind), (guint64)cause->pixels);
		if (cause->first.found) {
			g_string_append(s, ", first ");
			add_moment(s, capture, &cause->first.moment);
		}
		g_string_append_c(s, '\n');
	}
	if (c->explained)
		g_string_append(s, "With them every pixel is equal.\n\n");
	else
		g_string_append_printf(s, "%" G_GUINT64_FORMAT " pixels stay different whatever is switched.\n\n", (guint64)c->unexplained);
}

static void add_worst(GString *s, const struct qs_comparison *c, const char *a, const char *b)
{
	g_string_append_printf(s, "<b>Worst pixels</b>\n<tt><span alpha=\"60%%\">%-12s %-11s %-11s by</span>\n", "pixel", a, b);
	for (guint32 i = 0; i < c->worst_count; i++) {
		const struct qs_worst *w = &c->worst[i];
		g_autofree char *pixel = g_strdup_printf("%d,%d", w->x, w->y);

		g_string_append_printf(s, "<a href=\"pixel:%s\">%s</a>%*s #%02x%02x%02x%02x   #%02x%02x%02x%02x   %u\n", pixel, pixel,
			MAX(12 - (int)strlen(pixel), 0), "", w->a[0], w->a[1], w->a[2], w->a[3], w->b[0], w->b[1], w->b[2], w->b[3],
			w->distance);
	}
	g_string_append(s, "</tt>");
}

/* Draw by draw what became different there. */
static void add_draws(GString *s, const struct qs_capture *capture, const QsCompareAnswer *answer)
{
	const GArray *draws = answer->draws;

	if (!draws)
		return;
	g_string_append(s, "<b>Divergences by draw</b>\n");
	for (guint i = 0; i < draws->len && i < 200; i++) {
		const QsComparedDraw *d = &g_array_index(draws, QsComparedDraw, i);

		add_moment(s, capture, &d->moment);
		g_string_append_printf(s, "  %u pixel%s, worst <a href=\"pixel:%d,%d\">%d,%d</a> by %u\n", d->pixels, d->pixels == 1 ? "" : "s", d->x, d->y,
			d->x, d->y, d->distance);
	}
	if (draws->len > 200)
		g_string_append_printf(s, "and %u more\n", draws->len - 200);
	g_string_append(s, draws->len ? "\n" : "Every draw of the frame leaves equal pixels, within the tolerance.\n\n");
}

static void add_side(GString *s, const struct qs_image *image, const char *name, gsize i)
{
	if (image->depth)
		g_string_append_printf(s, "   %s  z 0x%06x", name, image->depth[i]);
	else
		g_string_append_printf(s, "   %s  #%02x%02x%02x%02x", name, image->rgba[4 * i], image->rgba[4 * i + 1], image->rgba[4 * i + 2],
			image->rgba[4 * i + 3]);
}

char *compare_pixel(const struct qs_image *a, const struct qs_image *b, int x, int y)
{
	GString *s;
	guint far = 0;
	gsize i;

	if (!a->rgba || !b->rgba || a->width != b->width || a->height != b->height || x < 0 || y < 0 || x >= (int)a->width || y >= (int)a->height)
		return NULL;
	i = (gsize)y * a->width + (gsize)x;
	s = g_string_new(NULL);
	g_string_append_printf(s, "%d,%d", x, y);
	add_side(s, a, "A", i);
	add_side(s, b, "B", i);
	for (guint c = 0; c < 4; c++)
		far = MAX(far, (guint)ABS(a->rgba[4 * i + c] - b->rgba[4 * i + c]));
	if (a->depth && b->depth)
		far = a->depth[i] > b->depth[i] ? a->depth[i] - b->depth[i] : b->depth[i] - a->depth[i];
	g_string_append_printf(s, far ? "   apart %u" : "   equal", far);
	return g_string_free(s, FALSE);
}

char *compare_report(const struct qs_capture *capture, const QsCompareAnswer *answer, const char *a, const char *b)
{
	const gboolean gfx3d = qs_capture_info(capture)->machine == QS_MACHINE_GFX3D;
	const struct qs_comparison *c = &answer->comparison;
	GString *s = g_string_new(NULL);

	g_string_append_printf(s, "%s at the frame's end differs in %" G_GUINT64_FORMAT " colours, %" G_GUINT64_FORMAT " alphas, %"
		G_GUINT64_FORMAT " depths.", gfx3d ? "The target" : "EFB", (guint64)c->efb_colour, (guint64)c->efb_alpha, (guint64)c->efb_depth);
	if (c->coverage_known)
		g_string_append_printf(s, "  %" G_GUINT64_FORMAT " pixels are covered otherwise, %" G_GUINT64_FORMAT
			" differ in colour alone.", (guint64)c->coverage, (guint64)c->only_colour);
	g_string_append(s, "\n\n");
	if (c->tolerance)
		g_string_append_printf(s, "%" G_GUINT64_FORMAT " pixels differ by more than %u level%s, which such shaders may be off.\n\n", (guint64)c->beyond,
			c->tolerance, c->tolerance == 1 ? "" : "s");
	if (answer->explain) {
		add_first(s, capture, c, a, b);
		add_draws(s, capture, answer);
		add_causes(s, capture, c);
	} else if (!c->equal) {
		g_string_append(s, "<i>Explain</i> finds the first divergence and the quirks that cause it.\n\n");
	}
	if (c->worst_count)
		add_worst(s, c, a, b);
	return g_string_free(s, FALSE);
}
