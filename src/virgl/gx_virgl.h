/* gx_virgl.h - the Flipper's second renderer: draws of a machine on a VirGL host
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIRGL_GX_VIRGL_H
#define VIRGL_GX_VIRGL_H

#include "gx/machine.h"
#include "virgl/device.h"

struct gx_virgl;

/* options NULL: a host of our own. */
struct gx_virgl *gx_virgl_create(const struct virgl_options *options, struct qs_error *error);
void gx_virgl_destroy(struct gx_virgl *v);
long gx_virgl_pid(const struct gx_virgl *v); /* of a host of our own, else 0 */
/* From now on (renderer NULL: no more) the machine's whole draws go there. */
void gx_virgl_attach(struct gx_virgl *v, struct gx_machine *m);
/* What went wrong since the last call; false: nothing.  The draws concerned were done by the soft units. */
bool gx_virgl_trouble(struct gx_virgl *v, struct qs_error *error);
bool gx_virgl_hopeless(const struct gx_virgl *v); /* no more attempts are made until it is attached again */

/* Why XF and SU of a draw are done by the units and the host gets triangles on the screen. */
enum gx_reason {
	GX_REASON_NONE, GX_REASON_CYLINDER, GX_REASON_MIRRORED, GX_REASON_CUT, GX_REASON_BEHIND, GX_REASON_LINE, GX_REASON_SIZE,
	GX_REASON_DENORMAL, GX_REASON_ASKED, GX_REASON_SCISSORS, GX_REASON_COUNT
};
const char *gx_reason_text(enum gx_reason reason); /* NULL: none */
/* From now on the units do XF and SU of every draw; the fragment program stays the host's. */
void gx_virgl_ask_units(struct gx_virgl *v, bool on);

struct gx_virgl_statistics {
	uint64_t draws, soft_draws, triangles; /* soft_draws: that the host could not do */
	uint64_t by_units[GX_REASON_COUNT];    /* draws, by the reason; [0]: those with a vertex program */
	uint64_t by_texture;                   /* soft draws: a texture bit that the fragment program does not know */
	uint64_t programs, textures, uploads, readbacks;
	uint32_t hosts; /* started or joined */
};
void gx_virgl_statistics(const struct gx_virgl *v, struct gx_virgl_statistics *statistics);

/* Texts of the draw that the machine has begun (gx_draw_begin), without a host: programs (malloc'ed) and where their parts
 * begin. */
struct gx_virgl_part {
	uint32_t line; /* of the text, from 0 */
	char name[28];
};
struct gx_virgl_texts {
	char *vertex, *fragment;
	struct gx_virgl_part vertex_part[64], part[64]; /* part: of the fragment program */
	unsigned vertex_parts, parts;
	const char *units; /* NULL, or why XF is done by the units */
};
bool gx_virgl_texts(struct gx_machine *m, struct gx_virgl_texts *texts, struct qs_error *error);
/* Commands that the next draw sends are kept, as text (malloc'ed) to be had after it. */
void gx_virgl_record(struct gx_virgl *v, bool on);
char *gx_virgl_recorded(struct gx_virgl *v);

/* What the vertex program makes of one fetched vertex of the draw that was begun (triangles only); st in texels. */
struct gx_probe {
	float clip[4], colour[2][4], tex[8][4];
	unsigned ncol, ntex;
};
bool gx_virgl_probe(struct gx_virgl *v, struct gx_machine *m, uint32_t number, struct gx_probe *probe, struct qs_error *error);

/* For tests: they plant faults here.  Words are constants, four each. */
struct gx_program;
struct gx_virgl_hooks {
	void (*vertex)(const struct gx_program *program, uint32_t *words);
	void (*fragment)(const struct gx_program *program, uint32_t *words);
};
extern const struct gx_virgl_hooks *gx_virgl_hooks; /* NULL: none */

#endif
