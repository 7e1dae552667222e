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

#endif
