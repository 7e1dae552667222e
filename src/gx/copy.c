/* copy.c - the copy engine: EFB to texture or display, then clear
 *
 * Source: specification 07 section 7; facts 22-31 and 46 of 08.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "core/bits.h"
#include "gx/copy.h"
#include "gx/lanes.h"
#include "gx/pe.h"

/* ---- pixels ------------------------------------------------------------------------------------------------------------- */

static void fetch_words(const struct copy_source *source, unsigned sample, int x, int y, unsigned count, uint32_t *words)
{
	const size_t pixels = (size_t)GX_EFB_WIDTH * GX_EFB_HEIGHT;
	const uint32_t *plane = source->pixel == PE_Z24 ? source->efb->depth : source->colour[sample];
	size_t at = (size_t)y * GX_EFB_WIDTH + (size_t)x;
	unsigned inside;

	if (source->linear) {
		/* Dolphin SW keeps depth right after colour, and a copy that runs on beyond the last line runs into it */
		for (unsigned i = 0; i < count; i++, at++) {
			words[i] = at < pixels ? plane[at] : 0;
			if (at >= pixels && at < 2 * pixels && source->pixel != PE_Z24)
				words[i] = source->efb->depth[at - pixels];
		}
		return;
	}
	plane += (size_t)clamp_int(y, 0, GX_EFB_HEIGHT - 1) * GX_EFB_WIDTH;
	inside = x < GX_EFB_WIDTH ? (unsigned)(GX_EFB_WIDTH - x) : 0;
	inside = inside < count ? inside : count;
	memcpy(words, &plane[inside ? x : 0], inside * sizeof *words);
	for (unsigned i = inside; i < count; i++)
		words[i] = plane[GX_EFB_WIDTH - 1];
}

/* As gx_efb_unpack, a plane at a time. */
static void unpack_line(unsigned pixel, const uint32_t *words, unsigned count, struct copy_line *line)
{
	for (unsigned channel = 0; channel < 4; channel++)
		for (unsigned at = 0; at < count; at += LANES) {
			const uint32_t *in = words + at;
			uint8_t out[LANES];

			if (pixel == PE_RGBA6) {
				const unsigned shift = 18 - 6 * channel;
				for (unsigned i = 0; i < LANES; i++) {
					uint32_t v = in[i] >> shift & 63;
					out[i] = (uint8_t)(v << 2 | v >> 4);
				}
			} else if (pixel == PE_NONE || channel == 3) {
				memset(out, pixel == PE_NONE ? 0 : 255, sizeof out);
			} else {
				const unsigned shift = 16 - 8 * channel;
				for (unsigned i = 0; i < LANES; i++)
					out[i] = (uint8_t)(in[i] >> shift);
			}
			memcpy(&line->c[channel][at], out, sizeof out);
		}
}

GX_HOT void copy_fetch(const struct copy_source *source, unsigned sample, int x, int y, unsigned count, struct copy_line *line)
{
	uint32_t words[COPY_ROW_MAX];

	fetch_words(source, sample, x, y, count, words);
	for (unsigned i = count; i < lanes_up(count); i++)
		words[i] = 0;
	unpack_line(source->pixel, words, count, line);
}

uint8_t copy_scale_sum(const struct copy_source *source, uint32_t sum)
{
	sum = sum >> 6 & (source->wrap ? 0x1FF : 0xFFFF);
	return (uint8_t)(sum > 255 ? 255 : sum);
}

/* Weighted sum of three lines.  Mostly the weights are 64 together, and 16 bits hold the sum. */
static void filter_plane(const struct copy_source *source, const uint8_t *above, const uint8_t *here, const uint8_t *below,
	unsigned count, uint8_t *to)
{
	const uint16_t mask = source->wrap ? 0x1FF : 0xFFFF; /* fact 25 */
	const uint16_t wa = (uint16_t)source->above, wh = (uint16_t)source->here, wb = (uint16_t)source->below;
	bool narrow = source->above + source->here + source->below <= 65535 / 255;

	for (unsigned at = 0; at < count; at += LANES) {
		const uint8_t *a = above + at, *h = here + at, *b = below + at;
		uint8_t out[LANES];

		if (narrow)
			for (unsigned i = 0; i < LANES; i++) {
				uint16_t sum = (uint16_t)((uint16_t)(a[i] * wa) + (uint16_t)(h[i] * wh) + (uint16_t)(b[i] * wb));
				sum = sum >> 6 & mask;
				out[i] = (uint8_t)(sum > 255 ? 255 : sum);
			}
		else
			for (unsigned i = 0; i < LANES; i++) {
				uint32_t sum = (a[i] * source->above + h[i] * source->here + b[i] * source->below) >> 6 & mask;
				out[i] = (uint8_t)(sum > 255 ? 255 : sum);
			}
		memcpy(to + at, out, sizeof out);
	}
}

static int line_above(const struct copy_source *source, int y)
{
	return source->clamp_top && y - 1 < source->rect.y0 ? source->rect.y0 : y - 1;
}

static int line_below(const struct copy_source *source, int y)
{
	return source->clamp_bottom && y + 1 >= source->rect.y1 ? source->rect.y1 - 1 : y + 1;
}

struct copy_tap copy_tap(const struct copy_source *source, int y, unsigned i)
{
	/* the last two samples of the line above, all of the line, the first two of the line below (07 section 7.2) */
	static const uint8_t samples[7] = {1, 2, 0, 1, 2, 0, 1};
	int line = i < 2 ? line_above(source, y) : i < 5 ? y : line_below(source, y);

	return (struct copy_tap){line, source->samples > 1 ? samples[i] : 0, source->weight[i]};
}

/* The seven taps of the filter as seven sample lines. */
static void resolve_row(const struct copy_source *source, int x, int y, unsigned count, struct copy_line *line)
{
	uint32_t sum[3][COPY_ROW_MAX] = {{0}};
	struct copy_line tap;

	for (unsigned i = 0; i < 7; i++) {
		struct copy_tap t = copy_tap(source, y, i);
		if (!t.weight)
			continue;
		copy_fetch(source, t.sample, x, t.line, count, &tap);
		for (unsigned channel = 0; channel < 3; channel++)
			for (unsigned k = 0; k < count; k++)
				sum[channel][k] += (uint32_t)tap.c[channel][k] * t.weight;
	}
	for (unsigned channel = 0; channel < 3; channel++)
		for (unsigned k = 0; k < count; k++)
			line->c[channel][k] = copy_scale_sum(source, sum[channel][k]);
}

static bool wanted(const int y[3], int line)
{
	return line == y[0] || line == y[1] || line == y[2];
}

/* The lines at y, which may be the same; those that are not in the window are fetched in place of others. */
static void window_lines(const struct copy_source *source, struct copy_window *window, int x, const int y[3], unsigned count,
	const struct copy_line *line[3])
{
	for (unsigned i = 0; i < 3; i++) {
		unsigned slot = 0, old = 0;

		while (slot < 3 && window->y[slot] != y[i])
			slot++;
		if (slot == 3) {
			while (wanted(y, window->y[old]))
				old++; /* at most two of them are */
			slot = old;
			copy_fetch(source, 0, x, y[i], count, &window->line[slot]);
			window->y[slot] = y[i];
		}
		line[i] = &window->line[slot];
	}
}

static void filter_row(const struct copy_source *source, int x, int y, unsigned count, struct copy_line *line,
	struct copy_window *window)
{
	const int lines[3] = {line_above(source, y), y, line_below(source, y)};
	const struct copy_line *in[3];

	window_lines(source, window, x, lines, count, in);
	for (unsigned channel = 0; channel < 3; channel++)
		filter_plane(source, in[0]->c[channel], in[1]->c[channel], in[2]->c[channel], count, line->c[channel]);
	memcpy(line->c[3], in[1]->c[3], count);
}

/* Alpha stays out of filter and gamma (fact 26). */
GX_HOT void copy_row(const struct copy_source *source, int x, int y, unsigned count, struct copy_line *line, struct copy_window *window)
{
	struct copy_window own;
	bool filtered = source->filtered && source->samples == 1 && (source->above || source->below || source->here != 64);

	if (!filtered)
		copy_fetch(source, 0, x, y, count, line);
	if (!source->filtered)
		return;
	if (!window) {
		own.y[0] = own.y[1] = own.y[2] = COPY_NO_LINE;
		window = &own;
	}
	if (source->samples > 1)
		resolve_row(source, x, y, count, line);
	else if (filtered)
		filter_row(source, x, y, count, line, window);
	for (unsigned channel = 0; channel < 3 && !source->plain_gamma; channel++)
		for (unsigned i = 0; i < count; i++)
			line->c[channel][i] = source->gamma[line->c[channel][i]];
}

/* Half-up rounding on bit 7 is adding 128; sums are offset to stay positive in 16 bits. */
void copy_to_yuv(unsigned count, uint8_t *r, uint8_t *g, uint8_t *b)
{
	for (unsigned at = 0; at < count; at += LANES) {
		const uint8_t *pr = r + at, *pg = g + at, *pb = b + at;
		uint8_t y[LANES], u[LANES], v[LANES];

		for (unsigned i = 0; i < LANES; i++) {
			uint16_t red = pr[i], green = pg[i], blue = pb[i];
			uint16_t sum = (uint16_t)(66 * red + 129 * green + 25 * blue + 128 + (16 << 8));
			y[i] = (uint8_t)(sum >> 8);
			sum = (uint16_t)(128 + (128 << 8) + 112 * blue - 38 * red - 74 * green);
			u[i] = (uint8_t)(sum >> 8);
			sum = (uint16_t)(128 + (128 << 8) + 112 * red - 94 * green - 18 * blue);
			v[i] = (uint8_t)(sum >> 8);
		}
		memcpy(r + at, y, sizeof y);
		memcpy(g + at, u, sizeof u);
		memcpy(b + at, v, sizeof v);
	}
}

/* ---- registers ---------------------------------------------------------------------------------------------------------- */

static void make_gamma(unsigned code, bool rounded, uint8_t gamma[256])
{
	static const float exponent[4] = {1.0f, 1.7f, 2.2f, 2.2f}; /* fact 28 */

	for (unsigned i = 0; i < 256; i++)
		if (!rounded) {
			/* single precision throughout, as in Dolphin SW: even gamma 1 loses a level here and there */
			float v = powf((float)i / 255.0f, 1.0f / exponent[code]) * 255.0f;
			gamma[i] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
		} else {
			gamma[i] = code ? (uint8_t)lround(255 * pow(i / 255.0, 1 / (code == 1 ? 1.7 : 2.2))) : (uint8_t)i;
		}
}

static void output_size(const struct gx_machine *m, struct qs_copy *copy)
{
	int width = copy->source.x1 - copy->source.x0, height = copy->source.y1 - copy->source.y0;

	if (!copy->to_display && !m->quirk[GX_QUIRK_texture_copy_filter]) {
		/* Dolphin's texture cache: what lies in the EFB, halves rounded down */
		width = clamp_int(width, 0, copy->source.x0 < GX_EFB_WIDTH ? GX_EFB_WIDTH - copy->source.x0 : 0);
		height = clamp_int(height, 0, copy->source.y0 < GX_EFB_HEIGHT ? GX_EFB_HEIGHT - copy->source.y0 : 0);
		copy->width = (uint32_t)width >> copy->half;
		copy->height = (uint32_t)height >> copy->half;
		return;
	}
	copy->width = (((uint32_t)width - 1) >> copy->half) + 1;
	copy->height = (((uint32_t)height - 1) >> copy->half) + 1;
}

static void decode_clear(const struct gx_machine *m, struct qs_copy *copy)
{
	const uint32_t *bp = m->state.bp;

	copy->clear_rgba[0] = (uint8_t)bits(bp[0x4F], 0, 8);
	copy->clear_rgba[1] = (uint8_t)bits(bp[0x50], 8, 8);
	copy->clear_rgba[2] = (uint8_t)bits(bp[0x50], 0, 8);
	copy->clear_rgba[3] = (uint8_t)bits(bp[0x4F], 8, 8);
	copy->clear_z = bits(bp[0x51], 0, 24);
	copy->clear_colour = bits(bp[0x41], 3, 1);
	copy->clear_alpha = bits(bp[0x41], 4, 1);
	copy->clear_depth = bits(bp[0x40], 4, 1);
}

static void decode_copy(const struct gx_machine *m, struct qs_copy *copy, struct copy_source *source)
{
	const uint32_t *bp = m->state.bp;
	uint32_t command = bp[0x52];

	memset(copy, 0, sizeof *copy);
	memset(source, 0, sizeof *source);
	copy->to_display = bits(command, 14, 1);
	copy->format = copy->to_display ? 0 : (uint8_t)(bits(command, 4, 3) | bits(command, 3, 1) << 3);
	copy->clear = bits(command, 11, 1);
	copy->half = bits(command, 9, 1) && !copy->to_display;
	copy->intensity = bits(command, 15, 2) == 3; /* fact 23 */
	copy->gamma = (uint8_t)bits(command, 7, 2);
	copy->source.x0 = (int32_t)bits(bp[0x49], 0, 10);
	copy->source.y0 = (int32_t)bits(bp[0x49], 10, 10);
	copy->source.x1 = copy->source.x0 + (int32_t)bits(bp[0x4A], 0, 10) + 1;
	copy->source.y1 = copy->source.y0 + (int32_t)bits(bp[0x4A], 10, 10) + 1;
	copy->destination = bits(bp[0x4B], 0, 24) << 5;
	copy->stride = bits(bp[0x4D], 0, 10) << 5;
	copy->clamp_top = bits(command, 0, 1);
	copy->clamp_bottom = bits(command, 1, 1);
	copy->field = (uint8_t)bits(command, 12, 2);
	copy->pixel_type = (uint8_t)bits(bp[0x43], 0, 3);
	copy->sample_count = (uint8_t)gx_efb_samples(m);
	decode_clear(m, copy);
	output_size(m, copy);
	for (unsigned i = 0; i < 7; i++)
		copy->filter[i] = (uint8_t)(i < 4 ? bits(bp[0x53], 6 * i, 6) : bits(bp[0x54], 6 * (i - 4), 6));

	source->efb = m->efb;
	source->samples = gx_efb_samples(m);
	for (unsigned sample = 0; sample < 3; sample++)
		source->colour[sample] = gx_efb_colour(m, sample);
	source->pixel = pe_pixel_type(m);
	if (source->pixel == PE_Z24 && copy->to_display && !m->quirk[GX_QUIRK_display_copy_z])
		source->pixel = PE_RGB8;
	source->rect = copy->source;
	source->clamp_top = copy->clamp_top;
	source->clamp_bottom = copy->clamp_bottom;
	source->filtered = copy->to_display || m->quirk[GX_QUIRK_texture_copy_filter];
	source->linear = !copy->to_display && !m->quirk[GX_QUIRK_texture_copy_filter];
	source->wrap = m->quirk[GX_QUIRK_filter_wrap];
	memcpy(source->weight, copy->filter, sizeof source->weight);
	source->above = (unsigned)copy->filter[0] + copy->filter[1];
	source->here = (unsigned)copy->filter[2] + copy->filter[3] + copy->filter[4];
	source->below = (unsigned)copy->filter[5] + copy->filter[6];
	copy->filtered = source->filtered;
	make_gamma(copy->gamma, m->quirk[GX_QUIRK_gamma_round], source->gamma);
	source->plain_gamma = true;
	for (unsigned i = 0; i < 256; i++)
		source->plain_gamma &= source->gamma[i] == i;
}

void gx_copy(struct gx_machine *m)
{
	struct copy_source source;
	struct qs_copy copy;

	gx_sync(m);
	decode_copy(m, &copy, &source);
	if (copy.to_display)
		copy_display(m, &source, &copy);
	else
		copy_texture(m, &source, &copy);
	if (gx_tapped(m, QS_TAP_COPY)) {
		const struct gx_copy_job job = {&copy, &source};

		m->copying = &job;
		if (!m->taps->copy(m->taps->user, &m->moment, &copy))
			m->stop = true;
		m->copying = NULL;
	}
	if (copy.clear) {
		const uint8_t *c = copy.clear_rgba;
		gx_efb_clear(m, copy.source, (uint32_t)c[0] << 24 | (uint32_t)c[1] << 16 | (uint32_t)c[2] << 8 | c[3], copy.clear_z,
			copy.clear_colour, copy.clear_alpha, copy.clear_depth);
	}
}
