/* fuzz_vtest.c - replies of a hostile VirGL host: whatever comes, the client ends soon and with a sentence
 *
 * The first byte chooses what is asked; the rest is what the host says before it closes the connection.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "virgl/vtest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool ask(struct vtest *v, unsigned what, struct qs_error *error)
{
	const struct vtest_resource resource = {.handle = 1, .width = 4, .height = 4};
	const struct vtest_box box = {0, 0, 0, 4, 4};
	uint8_t bytes[256];
	void *shared = NULL;
	size_t got;
	bool ok;

	switch (what) {
	case 0:
		return vtest_handshake(v, "fuzz", error) && vtest_caps(v, bytes, sizeof bytes, &got, error);
	case 1:
		return vtest_caps(v, bytes, sizeof bytes, &got, error);
	case 2:
		v->version = 2;
		ok = vtest_resource_create(v, &resource, &shared, 64, error);
		if (ok)
			munmap(shared, 64);
		return ok;
	case 3:
		return vtest_get(v, 1, &box, bytes, 64, error);
	case 4:
		return vtest_get2(v, 1, &box, 0, error);
	default:
		return vtest_wait(v, error) && vtest_wait(v, error);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct qs_error error = {0};
	struct vtest v;
	int pair[2];

	if (!size || size > 65536 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return 0;
	vtest_init(&v, 1000);
	vtest_adopt(&v, pair[0]);
	if (size > 1 && send(pair[1], data + 1, size - 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		size = 1;
	shutdown(pair[1], SHUT_WR);
	if (!ask(&v, data[0] % 6, &error) && (!error.text[0] || !v.lost)) {
		fprintf(stderr, "a failure without a sentence\n");
		abort();
	}
	vtest_close(&v);
	close(pair[1]);
	return 0;
}
