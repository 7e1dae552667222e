/* diff_report.c - a comparison as a page: both pictures, their difference, causes, first divergence
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <glib/gstdio.h>

#include "cli/diff.h"

static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>%s</title>\n<style>\n"
	"body { font: 15px/1.45 sans-serif; margin: 2em; max-width: 110em; }\n"
	"img { image-rendering: pixelated; max-width: 32%%; border: 1px solid #888; vertical-align: top; }\n"
	"figure { display: contents; } figcaption { display: none; }\n"
	"table { border-collapse: collapse; font-family: monospace; } td, th { padding: 0.1em 1em 0.1em 0; text-align: left; }\n"
	"tr.differs td { color: #b00020; }\n@media (prefers-color-scheme: dark) { body { background: #1e1e1e; color: #ddd; }\n"
	"tr.differs td { color: #ff8a80; } }\n</style>\n";

static void add(GString *page, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* As g_string_append_printf with every text argument escaped. */
static void add(GString *page, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = g_markup_vprintf_escaped(format, args);
	va_end(args);
	g_string_append(page, text);
	g_free(text);
}

static void add_divergence(GString *page, const struct diff_view *v, const struct qs_divergence *d)
{
	char moment[96], unit[64];

	if (!d->found)
		return;
	add(page, "<p>%s, pixel %d,%d, %s: <b>%s</b>. %s</p>\n<table>\n<tr><th>value<th>%s<th>%s\n",
		qs_moment_format(v->capture, &d->moment, moment, sizeof moment), d->x, d->y, diff_unit(d, unit, sizeof unit),
		qs_class_name((enum qs_class)d->kind), d->text, v->a.name, v->b.name);
	for (uint32_t i = 0; i < d->operand_count; i++)
		add(page, "<tr%s><td>%s<td>%s<td>%s\n", d->operand[i].differs ? " class=differs" : "", d->operand[i].name, d->operand[i].a,
			d->operand[i].b);
	g_string_append(page, "</table>\n");
}

static void add_causes(GString *page, const struct diff_view *v)
{
	const struct qs_comparison *r = v->result;

	if (!r->drawn)
		return;
	add(page, "<h2>Causes</h2>\n<p>%s</p>\n", r->explained ? "With these quirks of the second, the first draws the same picture."
							       : "All quirks together leave a difference.");
	for (uint32_t i = 0; i < r->cause_count; i++) {
		const struct qs_cause *c = &r->cause[i];

		add(page, "<h3>%s: %d &#8594; %d (%s)</h3>\n<p>%" G_GUINT64_FORMAT " pixels in %d,%d-%d,%d</p>\n", c->name, c->a, c->b,
			qs_class_name((enum qs_class)c->kind), (guint64)c->pixels, c->box.x0, c->box.y0, c->box.x1, c->box.y1);
		add_divergence(page, v, &c->first);
	}
}

static GString *make_page(const struct diff_view *v)
{
	const struct qs_comparison *r = v->result;
	GString *page = g_string_new(NULL);
	char *name = g_path_get_basename(v->path), *title = g_strdup_printf("%s, frame %" PRIu32 ": %s and %s", name, v->frame, v->a.name, v->b.name);

	add(page, head, title);
	add(page, "<h1>%s</h1>\n", title);
	add(page, "<p>%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " pixels of the %s are equal (%.4f %%); the largest difference is %u.</p>\n",
		(guint64)r->colour.equal, (guint64)r->colour.pixels, qs_buffer_name(r->buffer), diff_percent(r->colour.equal, r->colour.pixels),
		r->colour.maximum);
	add(page, "<p><img src=\"a.png\" alt=\"%s\" title=\"%s\"> <img src=\"b.png\" alt=\"%s\" title=\"%s\"> "
		  "<img src=\"difference.png\" alt=\"difference\" title=\"difference, amplified\"></p>\n",
		v->a.name, v->a.name, v->b.name, v->b.name);
	if (!r->equal) {
		g_string_append(page, "<h2>First divergence</h2>\n");
		add_divergence(page, v, &r->first);
		add_causes(page, v);
	}
	g_free(title);
	g_free(name);
	return page;
}

static bool write_picture(const char *folder, const char *name, const struct qs_image *image)
{
	char *path = g_build_filename(folder, name, NULL);
	struct qs_error error;
	bool good = qs_image_write_png(image, path, &error);

	if (!good)
		cli_fail_error(&error);
	g_free(path);
	return good;
}

bool diff_report(const struct diff_view *v, const char *folder)
{
	char *path = g_build_filename(folder, "index.html", NULL);
	GString *page = make_page(v);
	GError *problem = NULL;
	bool good = false;

	if (g_mkdir_with_parents(folder, 0777) != 0) {
		cli_fail("Cannot make the folder %s: %s.", folder, g_strerror(errno));
	} else if (write_picture(folder, "a.png", &v->result->a) && write_picture(folder, "b.png", &v->result->b) &&
		   write_picture(folder, "difference.png", &v->result->difference)) {
		good = g_file_set_contents(path, page->str, (gssize)page->len, &problem);
		if (!good)
			cli_fail("Cannot write %s: %s.", path, problem->message);
		g_clear_error(&problem);
	}
	g_string_free(page, TRUE);
	g_free(path);
	return good;
}
