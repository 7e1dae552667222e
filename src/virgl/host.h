/* host.h - a virgl_test_server of our own
 *
 * It is started with a socket in a private folder that is gone again as soon as the connection stands, it serves one client,
 * and it ends with the connection: nothing is left behind even when this process is killed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIRGL_HOST_H
#define VIRGL_HOST_H

#include <sys/types.h>

#include "virgl/vtest.h"

struct virgl_host {
	pid_t pid; /* 0: none */
	int log;   /* its output; -1: none */
};

/* What a person does when there is none, one sentence. */
const char *virgl_host_hint(void);
/* Full name of the program: QUADSCOPE_VIRGL_SERVER, or virgl_test_server in PATH.  false: there is none. */
bool virgl_host_find(char *path, size_t size);
/* Starts a server and connects.  driver: Mesa's driver ("llvmpipe", "softpipe"), or NULL for what the machine has. */
bool virgl_host_start(struct virgl_host *host, struct vtest *v, const char *driver, struct qs_error *error);
/* Closes the connection and sees the server out: by itself, else by signal.  Safe to call always. */
void virgl_host_stop(struct virgl_host *host, struct vtest *v);
/* The most telling lines of what it printed, on one line; returns text. */
char *virgl_host_log(const struct virgl_host *host, char *text, size_t size);

#endif
