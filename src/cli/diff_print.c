/* diff_print.c - a comparison as text and as JSON
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/diff.h"

double diff_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 100.0;
}

char *diff_unit(const struct qs_divergence *d, char *buffer, size_t size)
{
	const char *name = qs_stage_unit_name((enum qs_stage_unit)d->unit);

	if (d->unit == QS_AT_TEV && d->stage != QS_NONE)
		g_snprintf(buffer, (gulong)size, "TEV stage %" PRIu32, d->stage);
	else if (d->unit == QS_AT_INSTRUCTION && d->stage != QS_NONE)
		g_snprintf(buffer, (gulong)size, "instruction %" PRIu32, d->stage);
	else if (d->unit == QS_AT_VERTEX && d->stage != QS_NONE)
		g_snprintf(buffer, (gulong)size, "vertex shader instruction %" PRIu32, d->stage);
	else if (d->stage != QS_NONE)
		g_snprintf(buffer, (gulong)size, "%s, read by TEV stage %" PRIu32, name, d->stage);
	else
		g_snprintf(buffer, (gulong)size, "%s", name);
	return buffer;
}

/* ---- text --------------------------------------------------------------------------------------------------------------- */

static void print_pictures(const struct diff_view *v)
{
	const struct qs_comparison *r = v->result;

	printf("%-16s %10" PRIu64 " of %" PRIu64 " pixels of the %s (%.4f %%), largest difference %u, mean %.5f\n", "equal", r->colour.equal,
		r->colour.pixels, qs_buffer_name(r->buffer), diff_percent(r->colour.equal, r->colour.pixels), r->colour.maximum, r->colour.mean);
	if (r->tolerance)
		printf("%-16s %10" PRIu64 " pixels by more than %u level%s, which such shaders may be off\n", "differ", r->beyond, r->tolerance,
			r->tolerance == 1 ? "" : "s");
	printf("%-16s %10" PRIu64 " colour, %" PRIu64 " alpha, %" PRIu64 " depth\n", "EFB differs in", r->efb_colour, r->efb_alpha,
		r->efb_depth);
	if (r->coverage_known)
		printf("%-16s %10" PRIu64 " pixels covered otherwise, %" PRIu64 " of them on edges; %" PRIu64 " differ in colour alone\n",
			"coverage", r->coverage, r->edge, r->only_colour);
}

static void print_worst(const struct diff_view *v)
{
	const struct qs_comparison *r = v->result;
	struct cli_table *table = cli_table_new("rrllr");
	char a[10], b[10];

	cli_table_head(table, "x", "y", v->a.name, v->b.name, "by");
	for (uint32_t i = 0; i < r->worst_count; i++) {
		cli_table_cell(table, "%d", r->worst[i].x);
		cli_table_cell(table, "%d", r->worst[i].y);
		cli_table_cell(table, "%s", cli_colour(r->worst[i].a, a));
		cli_table_cell(table, "%s", cli_colour(r->worst[i].b, b));
		cli_table_cell(table, "%u", r->worst[i].distance);
	}
	printf("\nworst pixels\n");
	cli_table_print(table, stdout, 2);
}

static void print_divergence(const struct diff_view *v, const struct qs_divergence *d, unsigned indent)
{
	const struct cli_style *style = cli_style();
	struct cli_table *table;
	char moment[96], unit[64];

	if (!d->found) {
		printf("%*s%s\n", (int)indent, "", v->b.replay || v->b.value ? "nothing that was drawn in the frame differs"
			: "not looked for: there are no events inside of the second one's draws");
		return;
	}
	printf("%*s%s  pixel %d,%d  %s: %s%s%s\n%*s%s\n", (int)indent, "", qs_moment_format(v->capture, &d->moment, moment, sizeof moment),
		d->x, d->y, diff_unit(d, unit, sizeof unit), style->bold, qs_class_name((enum qs_class)d->kind), style->off, (int)indent, "",
		d->text);
	table = cli_table_new("lll");
	cli_table_head(table, "value", v->a.name, v->b.name);
	for (uint32_t i = 0; i < d->operand_count; i++) {
		const struct qs_operand *o = &d->operand[i];

		cli_table_cell(table, "%s", o->name);
		cli_table_cell(table, "%s%s%s", o->differs ? style->bad : "", o->a, o->differs ? style->off : "");
		cli_table_cell(table, "%s%s%s", o->differs ? style->bad : "", o->b, o->differs ? style->off : "");
	}
	if (d->operand_count)
		cli_table_print(table, stdout, indent + 2);
	else
		cli_table_free(table);
}

static void print_causes(const struct diff_view *v)
{
	const struct qs_comparison *r = v->result;
	const struct cli_style *style = cli_style();
	char unit[64], moment[96];

	printf("\ncauses (%" PRIu32 " pictures drawn)\n", r->drawn);
	for (uint32_t i = 0; i < r->cause_count; i++) {
		const struct qs_cause *c = &r->cause[i];

		printf("  %s%s%s  %d -> %d  %s  %" PRIu64 " pixels in %d,%d-%d,%d", style->bold, c->name, style->off, c->a, c->b,
			qs_class_name((enum qs_class)c->kind), c->pixels, c->box.x0, c->box.y0, c->box.x1, c->box.y1);
		if (c->first.found)
			printf(", first %s pixel %d,%d (%s)", qs_moment_format(v->capture, &c->first.moment, moment, sizeof moment), c->first.x,
				c->first.y, diff_unit(&c->first, unit, sizeof unit));
		putchar('\n');
	}
	if (r->explained)
		printf("  with %s every pixel is equal%s\n", r->cause_count == 1 ? "it" : "them",
			r->exact ? "" : ", within what such shaders may be off");
	else
		printf("  %" PRIu64 " pixels differ with all quirks of %s too\n", r->unexplained, v->b.name);
}

void diff_print(const struct diff_view *v)
{
	const struct qs_comparison *r = v->result;

	print_pictures(v);
	if (r->equal)
		return;
	print_worst(v);
	printf("\nfirst divergence\n");
	print_divergence(v, &r->first, 2);
	for (uint32_t i = 0; i < r->draw_count; i++) {
		if (!i)
			printf("\ndraw by draw\n");
		print_divergence(v, &r->draw[i], 2);
	}
	if (r->drawn)
		print_causes(v);
}

/* ---- JSON --------------------------------------------------------------------------------------------------------------- */

static void json_rect(struct cli_json *json, const char *key, const struct qs_rect *r)
{
	json_list(json, key);
	json_int(json, NULL, r->x0);
	json_int(json, NULL, r->y0);
	json_int(json, NULL, r->x1);
	json_int(json, NULL, r->y1);
	json_array_end(json);
}

static void json_divergence(struct cli_json *json, const char *key, const struct diff_view *v, const struct qs_divergence *d)
{
	if (!d->found) {
		json_string(json, key, NULL);
		return;
	}
	json_object(json, key);
	json_moment(json, "moment", v->capture, &d->moment);
	json_int(json, "x", d->x);
	json_int(json, "y", d->y);
	json_string(json, "unit", qs_stage_unit_name((enum qs_stage_unit)d->unit));
	if (d->stage != QS_NONE)
		json_uint(json, "stage", d->stage);
	json_string(json, "class", qs_class_name((enum qs_class)d->kind));
	json_string(json, "only_in", d->only_a ? "a" : d->only_b ? "b" : NULL);
	json_string(json, "text", d->text);
	json_array(json, "operands");
	for (uint32_t i = 0; i < d->operand_count; i++) {
		json_row(json, NULL);
		json_string(json, "name", d->operand[i].name);
		json_string(json, "a", d->operand[i].a);
		json_string(json, "b", d->operand[i].b);
		json_bool(json, "differs", d->operand[i].differs);
		json_object_end(json);
	}
	json_array_end(json);
	json_object_end(json);
}

static void json_causes(struct cli_json *json, const struct diff_view *v)
{
	const struct qs_comparison *r = v->result;

	json_array(json, "causes");
	for (uint32_t i = 0; i < r->cause_count; i++) {
		const struct qs_cause *c = &r->cause[i];

		json_object(json, NULL);
		json_string(json, "quirk", c->name);
		json_int(json, "a", c->a);
		json_int(json, "b", c->b);
		json_string(json, "class", qs_class_name((enum qs_class)c->kind));
		json_uint(json, "pixels", c->pixels);
		json_rect(json, "box", &c->box);
		json_divergence(json, "first", v, &c->first);
		json_object_end(json);
	}
	json_array_end(json);
	json_bool(json, "explained", r->explained);
	json_bool(json, "exact", r->exact);
	json_uint(json, "unexplained", r->unexplained);
	json_uint(json, "drawn", r->drawn);
}

void diff_json(const struct diff_view *v)
{
	const struct qs_comparison *r = v->result;
	struct cli_json json;

	json_begin(&json, stdout);
	json_string(&json, "a", v->a.name);
	json_string(&json, "b", v->b.name);
	json_uint(&json, "frame", v->frame);
	json_string(&json, "buffer", qs_buffer_name(r->buffer));
	json_bool(&json, "equal", r->equal);
	json_uint(&json, "pixels", r->colour.pixels);
	json_uint(&json, "equal_pixels", r->colour.equal);
	json_uint(&json, "maximum", r->colour.maximum);
	json_number(&json, "mean", r->colour.mean);
	json_uint(&json, "tolerance", r->tolerance);
	json_uint(&json, "beyond", r->beyond);
	json_uint(&json, "efb_colour", r->efb_colour);
	json_uint(&json, "efb_alpha", r->efb_alpha);
	json_uint(&json, "efb_depth", r->efb_depth);
	if (r->coverage_known) {
		json_uint(&json, "coverage", r->coverage);
		json_uint(&json, "edge", r->edge);
		json_uint(&json, "only_colour", r->only_colour);
	}
	json_array(&json, "worst");
	for (uint32_t i = 0; i < r->worst_count; i++) {
		json_row(&json, NULL);
		json_int(&json, "x", r->worst[i].x);
		json_int(&json, "y", r->worst[i].y);
		json_colour(&json, "a", r->worst[i].a);
		json_colour(&json, "b", r->worst[i].b);
		json_uint(&json, "distance", r->worst[i].distance);
		json_object_end(&json);
	}
	json_array_end(&json);
	json_divergence(&json, "first", v, &r->first);
	json_array(&json, "draws");
	for (uint32_t i = 0; i < r->draw_count; i++)
		json_divergence(&json, NULL, v, &r->draw[i]);
	json_array_end(&json);
	json_causes(&json, v);
	json_end(&json);
}
