/* vtest.h - client side of the vtest protocol: one connection to a virgl_test_server
 *
 * Every read and write has a deadline.  There are no error replies in the protocol: a server that refuses something closes the
 * connection, and a bad shader poisons the context without a word.  The first is found here (`lost`), the second by device.c.
 * Facts: specification chrisos/04 sections 3 and 4.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIRGL_VTEST_H
#define VIRGL_VTEST_H

#include "quadscope.h"
#include "virgl/protocol.h"

struct vtest {
	int fd; /* -1: not connected */
	int timeout; /* milliseconds for one read or write */
	uint32_t version; /* agreed: 0, 2 */
	bool lost;
	const volatile bool *cancel; /* NULL, or set from outside: waiting ends */
};

struct vtest_resource {
	uint32_t handle, target, format, bind;
	uint32_t width, height, depth, array_size, last_level, samples;
};

struct vtest_box {
	uint32_t level, x, y, width, height;
};

void vtest_init(struct vtest *v, int timeout);
/* QS_ERR_IO: nobody listens there. */
bool vtest_connect(struct vtest *v, const char *path, struct qs_error *error);
/* Takes over a connected socket (tests). */
void vtest_adopt(struct vtest *v, int fd);
void vtest_close(struct vtest *v);

/* CREATE_RENDERER, then the highest version both sides know (at most 2). */
bool vtest_handshake(struct vtest *v, const char *name, struct qs_error *error);
/* Second capability set; *size gets at most room bytes. */
bool vtest_caps(struct vtest *v, void *caps, size_t room, size_t *size, struct qs_error *error);
/* shared: NULL, or gets a mapping of `size` bytes that transfers with put2 and get2 go through (version 2; else NULL comes
 * back and everything goes inline). */
bool vtest_resource_create(struct vtest *v, const struct vtest_resource *r, void **shared, size_t size, struct qs_error *error);
bool vtest_resource_unref(struct vtest *v, uint32_t handle, struct qs_error *error);
/* Rows of `bytes / height` bytes, tightly packed. */
bool vtest_put(struct vtest *v, uint32_t handle, const struct vtest_box *box, const void *data, uint32_t bytes, struct qs_error *error);
bool vtest_get(struct vtest *v, uint32_t handle, const struct vtest_box *box, void *data, uint32_t bytes, struct qs_error *error);
/* Through shared memory: rows have the stride of the whole level. */
bool vtest_put2(struct vtest *v, uint32_t handle, const struct vtest_box *box, uint32_t offset, struct qs_error *error);
/* Returns when the data is there. */
bool vtest_get2(struct vtest *v, uint32_t handle, const struct vtest_box *box, uint32_t offset, struct qs_error *error);
bool vtest_submit(struct vtest *v, const uint32_t *words, size_t count, struct qs_error *error);
/* Until everything sent was executed. */
bool vtest_wait(struct vtest *v, struct qs_error *error);

#endif
