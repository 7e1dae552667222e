/* host.h - the VirGL side of Gfx3D: the same objects and draws on a device context of a host
 *
 * Every function is cheap and gives true when the backend does not draw on a host.  When the host is lost, AUTO goes on in
 * software (degraded) and the function gives true; with VIRGL forced it gives false.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GFX3D_HOST_H
#define GFX3D_HOST_H

#include "gfx3d/system.h"

bool g3_host_start(struct qs_gfx3d *g); /* false: none, the detail says why */
void g3_host_stop(struct qs_gfx3d *g);
long g3_host_pid(const struct qs_gfx3d *g); /* of a server of our own, else 0 */

bool g3_host_context_create(struct qs_gfx3d *g, struct g3_context *c);
void g3_host_context_destroy(struct qs_gfx3d *g, struct g3_context *c);
bool g3_host_target_create(struct qs_gfx3d *g, struct g3_target *t);
void g3_host_target_destroy(struct qs_gfx3d *g, struct g3_target *t);
bool g3_host_mesh_upload(struct qs_gfx3d *g, struct g3_mesh *m);
void g3_host_mesh_destroy(struct qs_gfx3d *g, struct g3_mesh *m);
bool g3_host_texture_upload(struct qs_gfx3d *g, struct g3_texture *t);
void g3_host_texture_destroy(struct qs_gfx3d *g, struct g3_texture *t);
bool g3_host_program_upload(struct qs_gfx3d *g, struct g3_context *c, struct g3_program *p, struct csir_program *program);
void g3_host_program_destroy(struct qs_gfx3d *g, struct g3_program *p);

bool g3_host_begin(struct qs_gfx3d *g, struct g3_context *c, struct g3_target *t);
bool g3_host_clear(struct qs_gfx3d *g, struct g3_context *c, struct g3_target *t, const float color[4], bool depth);
bool g3_host_draw(struct qs_gfx3d *g, struct g3_context *c, struct g3_target *t, struct g3_mesh *m, struct csir_program *program);
bool g3_host_end(struct qs_gfx3d *g, struct g3_context *c);
/* Brings the target's colour (or depth) into its arrays. */
bool g3_host_read(struct qs_gfx3d *g, struct g3_target *t, bool depth);

/* From now on what is sent is kept; the commands since then as text (malloc'ed), and no more. */
void g3_host_record(struct qs_gfx3d *g);
char *g3_host_recorded(struct qs_gfx3d *g);

/* What one draw gives, whatever the target holds: drawn alone into a target of its own, with no test (host_probe.c).  The target's
 * objects and pictures stay as they are. */
struct g3_probe {
	struct qs_value what;
	uint32_t primitive; /* QS_NONE: all of them */
};
/* COVER of all primitives: how many fragments (with samples: samples) each pixel of the target gets, at most 255. */
bool g3_host_cover(struct qs_gfx3d *g, struct g3_context *c, struct g3_target *t, struct g3_mesh *m, struct csir_program *program,
	uint8_t *bytes, struct qs_error *error);
/* Four floats of one pixel; where the primitive does not reach it they are G3_PROBE_NOTHING. */
#define G3_PROBE_NOTHING (-12345.0f)
bool g3_host_probe(struct qs_gfx3d *g, struct g3_context *c, struct g3_target *t, struct g3_mesh *m, struct csir_program *program,
	const struct g3_probe *probe, int x, int y, float value[4], struct qs_error *error);

#endif
