/* compare.h - inside of qs_compare
 *
 *   compare.c    pictures, coverage, worst pixels; what is done in which order
 *   minimise.c   the smallest set of switches that makes one source equal to the other
 *   diverge.c    the first event that differs: copies, then quads      story.c  the lists of what both did, draw by draw
 *   operands.c   from a fragment that differs back to the unit where its values part
 *   classify.c   names of classes and units, the class of a quirk
 *
 * Sources are asked through struct qs_source alone: nothing here knows a machine.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TRACE_COMPARE_H
#define TRACE_COMPARE_H

#include "quadscope.h"

struct comparer {
	const struct qs_source *a, *b;
	const struct qs_compare_options *options;
	struct qs_comparison *result;
	uint32_t width, height; /* of what draws go to: the EFB, or the frame's target */
	uint32_t slack;  /* depths that differ by no more count as equal: the second one's arithmetic is a host's */
	double fraction; /* of all work, for progress */
	bool stopped;
};

/* False: the caller wants no more. */
bool compare_progress(struct comparer *c, double fraction);
bool compare_same(const struct comparer *c, const struct qs_image *a, const struct qs_image *b); /* in every pixel */
bool compare_pixel_differs(const struct comparer *c, const struct qs_image *a, const struct qs_image *b, enum qs_buffer buffer, size_t pixel);

uint64_t compare_count(const struct comparer *c, const struct qs_image *a, const struct qs_image *b, enum qs_buffer buffer,
	unsigned tolerance); /* beyond it */

/* minimise.c */
bool compare_causes(struct comparer *c, struct qs_error *error);

/* diverge.c: between the sources as their switches are now. picture: whether the pictures differ at a pixel (those of the end). */
bool compare_first(struct comparer *c, const struct qs_image *a, const struct qs_image *b, struct qs_divergence *d,
	struct qs_error *error);

uint8_t compare_add(uint8_t count, unsigned more); /* at most 255 */
/* Of the quad whose record the timeline holds: samples that the fragment covers. */
unsigned compare_gfx3d_covered(const struct qs_timeline *t, unsigned fragment);

/* gfx3d_cover.c: coverage of a frame whose second source answers how often its draws cover pixels. */
bool compare_gfx3d_coverage(struct comparer *c, struct qs_error *error);

/* story.c: the first quad that differs in every draw; gfx3d_draws.c: the first pixel that a draw or clear makes differ. */
bool compare_draws(struct comparer *c, struct qs_error *error);
bool compare_gfx3d_draws(struct comparer *c, struct qs_error *error);
/* A new entry of the result's list; NULL: no memory, or it is long enough. */
struct qs_divergence *compare_new_draw(struct comparer *c);

/* gfx3d_operands.c: the records of a fragment that two timelines of Gfx3D treat differently; false: they are others. */
bool compare_gfx3d_operands(struct comparer *c, const struct qs_moment *a, const struct qs_moment *b, unsigned fragment,
	struct qs_divergence *d, bool *earlier);

/* gfx3d_diverge.c: the same where the first source has a timeline of Gfx3D and the second one answers questions. */
bool compare_gfx3d_first(struct comparer *c, struct qs_divergence *d, struct qs_error *error);

/* gx_diverge.c: a frame of the Flipper drawn by the units and by the shader pipeline, which reports whole draws alone. */
bool compare_gx_host(const struct comparer *c); /* is it that? */
bool compare_gx_first(struct comparer *c, struct qs_divergence *d, struct qs_error *error);

/* operands.c */
struct compare_side {
	bool there; /* the quad is in this source */
	struct qs_setup setup;
	struct qs_quad quad;
};

void operand_text(struct qs_divergence *d, const char *name, const char *a, const char *b);
void operand_number(struct qs_divergence *d, const char *name, double a, double b);
void operand_colour(struct qs_divergence *d, const char *name, const uint8_t a[4], const uint8_t b[4]);
/* Fills unit, kind, stage, text and operands from the two records of one fragment (0..3).  *earlier: the fragment differs only
 * because the pixel did before it. */
void operands_of_fragment(struct qs_divergence *d, const struct compare_side side[2], unsigned fragment, bool *earlier);
/* The same when only one of them covers it: from the setup records of the primitive. */
void operands_of_coverage(struct qs_divergence *d, const struct compare_side side[2], const struct qs_setup *setup_a, uint32_t count_a,
	const struct qs_setup *setup_b, uint32_t count_b, unsigned fragment);

/* classify.c */
enum qs_class class_of_unit(enum qs_stage_unit unit);

#endif
