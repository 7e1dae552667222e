/* qs_compare.h - why two renderers disagree
 *
 * Part of quadscope.h, which programs include.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QS_COMPARE_H
#define QS_COMPARE_H

#include "qs_timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What kind of thing makes a difference. */
enum qs_class {
	QS_CLASS_NONE, /* not known */
	QS_CLASS_FILL_RULE,
	QS_CLASS_ROUNDING,
	QS_CLASS_DEPTH_FORMULA,
	QS_CLASS_BLEND,
	QS_CLASS_SWIZZLE,
	QS_CLASS_WRAP,
	QS_CLASS_FORMAT,
	QS_CLASS_SCISSOR,
	QS_CLASS_ALPHA_TEST,
	QS_CLASS_CULL,
	QS_CLASS_CLIP,
	QS_CLASS_INTERPOLATION,
	QS_CLASS_TRANSCENDENTAL,
	QS_CLASS_SAMPLING,
	QS_CLASS_UNINITIALISED,
	QS_CLASS_STALE_STATE,
	QS_CLASS_COUNT
};
const char *qs_class_name(enum qs_class kind); /* "fill rule" */
enum qs_class qs_quirk_class(const char *quirk); /* of a quirk's differences; NONE: no such quirk */

/* Where values differ first. */
enum qs_stage_unit {
	QS_AT_NOTHING,
	QS_AT_COVERAGE,
	QS_AT_VERTEX,
	QS_AT_INTERPOLATION,
	QS_AT_TEXTURE,
	QS_AT_TEV,
	QS_AT_ALPHA,
	QS_AT_FOG,
	QS_AT_DEPTH,
	QS_AT_BLEND,
	QS_AT_DITHER, /* from the blended colour to the stored one: dither, masks, pixel format */
	QS_AT_COPY,
	QS_AT_INSTRUCTION, /* of a shader */
	QS_AT_PACKING,     /* from the shader's colour to the stored one */
	QS_AT_COUNT
};
const char *qs_stage_unit_name(enum qs_stage_unit unit);

enum qs_value_kind { QS_VALUE_COVER, QS_VALUE_FRAGMENT_COORDINATE, QS_VALUE_VARYING, QS_VALUE_REGISTER, QS_VALUE_VERTEX_REGISTER };
struct qs_value {
	enum qs_value_kind kind;
	uint32_t slot;        /* VARYING: slot of the vertex shader */
	uint32_t instruction; /* REGISTER: after this instruction of the fragment shader; VERTEX_REGISTER: of the vertex shader */
	uint32_t reg;
	uint32_t corner;      /* VERTEX_REGISTER: of the primitive, 0 to 2; no pixel is needed then */
};

/* Anything that draws the frames of a capture: a timeline in one of its models, or another renderer.  Functions that it does not
 * have are NULL; without image nothing can be compared, without the others less is found out. */
struct qs_source {
	const char *name;
	void *user;
	/* COLOR, DEPTH and ALPHA: the EFB at the end of the frame, as its display copy read it; COPY and XFB: what that showed. */
	bool (*image)(void *user, uint32_t frame, enum qs_buffer buffer, struct qs_image *image, struct qs_error *error);
	/* The frame with taps; in a copy tap memory gives what was copied. */
	bool (*replay)(void *user, uint32_t frame, const struct qs_taps *taps, struct qs_error *error);
	size_t (*memory)(void *user, uint32_t address, void *data, size_t size);
	/* A quad with all detail, the setup records of a primitive. */
	bool (*quad)(void *user, const struct qs_moment *moment, struct qs_setup *setup, struct qs_quad *quad, struct qs_error *error);
	uint32_t (*setup)(void *user, const struct qs_moment *moment, struct qs_setup *setup, uint32_t max, struct qs_error *error);
	/* Its switches by name; those of the first source are tried with the values of the second one's switches of the same name. */
	uint32_t (*switch_count)(void *user);
	const char *(*switch_name)(void *user, uint32_t i);
	int (*switch_value)(void *user, uint32_t i);
	bool (*switch_set)(void *user, uint32_t i, int value);
	/* By how many levels a channel may be off in the frame without meaning: renderers whose arithmetic is not ours to the bit. */
	unsigned (*tolerance)(void *user, uint32_t frame);
	/* Gfx3D: the picture when a command is done; how many fragments (of targets with samples: samples) of a draw cover each pixel, at
	 * most 255, before any test (width * height counts); what one primitive of a draw gives a pixel, whatever else happened to it. */
	bool (*after)(void *user, uint32_t command, enum qs_buffer buffer, struct qs_image *image, struct qs_error *error);
	bool (*cover)(void *user, uint32_t command, uint8_t *count, uint32_t width, uint32_t height, struct qs_error *error);
	bool (*value)(void *user, uint32_t command, uint32_t primitive, const struct qs_value *what, int x, int y, float value[4],
		struct qs_error *error);
	struct qs_timeline *timeline; /* behind it, with records of every unit; NULL: none */
};
/* The calls of a Gfx3D capture on a VirGL host (socket NULL: one of our own); the capture must stay. */
struct qs_gfx3d_host;
struct qs_gfx3d_host *qs_gfx3d_host_create(const struct qs_capture *capture, const char *socket, struct qs_error *error);
void qs_gfx3d_host_destroy(struct qs_gfx3d_host *host);
void qs_source_gfx3d_host(struct qs_source *source, struct qs_gfx3d_host *host, const char *name);
/* The timeline with its model and quirks; it is moved, and has its quirks back after a comparison. */
void qs_source_timeline(struct qs_source *source, struct qs_timeline *timeline, const char *name);

struct qs_operand {
	char name[40], a[64], b[64];
	bool differs;
};

struct qs_divergence {
	bool found;
	struct qs_moment moment; /* fragment, primitive or copy command, as the first source counts */
	bool only_a, only_b;     /* the fragment is in one of them alone */
	int x, y;                /* EFB pixel; of a display copy the picture's pixel */
	uint8_t unit;            /* enum qs_stage_unit */
	uint8_t kind;            /* enum qs_class */
	uint32_t stage;          /* TEV, TEXTURE: which stage; INSTRUCTION, VERTEX: number in the fragment or vertex shader; else QS_NONE */
	char text[160];          /* one sentence */
	struct qs_operand *operand; /* both sides' values around it */
	uint32_t operand_count;
};

struct qs_cause {
	const char *name; /* of the switch */
	int a, b;         /* its values in the two sources */
	uint8_t kind;     /* enum qs_class */
	uint64_t pixels;  /* that it alone still makes different */
	struct qs_rect box;
	struct qs_divergence first;
};

struct qs_worst {
	int x, y;
	uint8_t a[4], b[4];
	uint8_t distance; /* of the worst channel */
};

struct qs_compare_options {
	uint32_t frame;        /* from 1 */
	enum qs_buffer buffer; /* COPY when the frame has been copied to the display, else COLOR; QS_BUFFER_COUNT chooses */
	unsigned tolerance;    /* channels that differ by no more count as equal, but not when causes are proven */
	bool causes, divergence; /* look for them */
	bool draws;              /* look for the first divergence of every draw */
	qs_progress_fn progress; /* or NULL; false: stop, what is known is kept */
	void *user;
};

#define QS_WORST 16

struct qs_comparison {
	bool equal;            /* every pixel within the tolerance */
	enum qs_buffer buffer;
	struct qs_image a, b, difference;
	struct qs_image_difference colour;
	unsigned tolerance;    /* what the sources ask for, in levels */
	uint64_t beyond;       /* pixels that differ by more than that */
	/* Of the EFB at the frame's end.  Depth of Gfx3D is compared as depth in the window, whatever the renderers store. */
	uint64_t efb_colour, efb_alpha, efb_depth; /* pixels that differ */
	/* Pixels that different fragments reached, and those of them where the difference is that one covers and the other does not */
	bool coverage_known;
	uint64_t coverage;
	uint64_t edge; /* of those: only on an edge of a triangle, within what ChrisOS's edges are wider */
	uint64_t only_colour; /* pixels of different colour that the same fragments covered */
	struct qs_worst worst[QS_WORST];
	uint32_t worst_count;
	struct qs_cause *cause; /* the smallest set found that makes a equal to b */
	uint32_t cause_count;
	bool explained;         /* with it every pixel is equal, within the sources' tolerance: proven by drawing */
	bool exact;             /* to the bit */
	uint64_t unexplained;   /* pixels that stay different with all switches */
	uint32_t drawn;         /* pictures that were drawn to find it */
	struct qs_divergence first;
	/* With options.draws: of each draw (of Gfx3D each clear too) that makes pixels differ which did not before, the first one, in
	 * order.  Between two timelines: that of the first quad that differs in the draw. */
	struct qs_divergence *draw;
	uint32_t draw_count;
};

bool qs_compare(const struct qs_source *a, const struct qs_source *b, const struct qs_compare_options *options,
	struct qs_comparison *comparison, struct qs_error *error);
void qs_comparison_finish(struct qs_comparison *comparison);

#ifdef __cplusplus
}
#endif

#endif
