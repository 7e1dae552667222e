/* device_inside.h - what device.c and state.c share
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIRGL_DEVICE_INSIDE_H
#define VIRGL_DEVICE_INSIDE_H

#include "virgl/device.h"
#include "virgl/host.h"
#include "virgl/stream.h"

struct device_resource {
	bool live, in_flight; /* in_flight: the host may still read the shared memory */
	uint32_t format, width, height, levels, samples;
	void *shared;
	size_t shared_size;
};

#define DEVICE_PARTNERS 8

struct device_object {
	uint8_t kind; /* enum virgl_object, 0: none */
	uint8_t stage;
	unsigned partners; /* fragment shader: vertex shaders that it was proven with */
	virgl_id partner[DEVICE_PARTNERS];
	char *label;
};

struct virgl_device {
	struct vtest vtest;
	struct virgl_host host;
	bool own, strict, lost, recording;
	bool dirty; /* something was sent since the host was last seen drawing */
	char socket[108], driver[32];
	int timeout;
	const volatile bool *cancel;
	uint32_t generation, nonce;
	struct qs_error error;
	struct virgl_stream stream, record;

	struct device_resource *resource; /* by handle */
	size_t resource_room;
	uint32_t next_resource;
	struct device_object *object;
	size_t object_room;
	uint32_t next_object;
	virgl_id probe, probe_surface;

	struct {
		virgl_id color, depth;
		virgl_id blend, depth_state, rasterizer, elements, shader[2];
		bool framebuffer;
	} bound;
};

/* Makes the fault stick and reports it; always false. */
bool device_fault(struct virgl_device *d, const char *what, const struct qs_error *cause, struct qs_error *error);
/* Sends when much has been collected. */
void device_room(struct virgl_device *d);

#endif
