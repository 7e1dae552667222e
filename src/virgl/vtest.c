/* vtest.c - client side of the vtest protocol
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "virgl/vtest.h"

#define CAPS_MAX 65536u
#define LOOK 50 /* milliseconds between looks at `cancel` */

void vtest_init(struct vtest *v, int timeout)
{
	memset(v, 0, sizeof *v);
	v->fd = -1;
	v->timeout = timeout;
}

void vtest_adopt(struct vtest *v, int fd)
{
	v->fd = fd;
	v->lost = false;
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

bool vtest_connect(struct vtest *v, const char *path, struct qs_error *error)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	size_t length = strlen(path);
	int fd;

	if (length >= sizeof address.sun_path) {
		qs_error_set(error, QS_ERR_RANGE, 0, "The socket name \"%.100s...\" is too long: at most %zu bytes are possible.", path,
			sizeof address.sun_path - 1);
		return false;
	}
	memcpy(address.sun_path, path, length + 1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof address)) {
		qs_error_set(error, QS_ERR_IO, 0, "Nothing answers at the socket %.300s (%s): start virgl_test_server with "
			"--socket-path=%.60s, or let Quadscope start one.", path, strerror(errno), path);
		if (fd >= 0)
			close(fd);
		return false;
	}
	vtest_adopt(v, fd);
	return true;
}

void vtest_close(struct vtest *v)
{
	if (v->fd >= 0)
		close(v->fd);
	v->fd = -1;
}

/* ---- bytes with deadlines ------------------------------------------------------------------------------------------------ */

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool lose(struct vtest *v, struct qs_error *error, const char *what, const char *why)
{
	v->lost = true;
	qs_error_set(error, QS_ERR_IO, 0, "The VirGL host was lost while %s: %s.", what, why);
	return false;
}

/* Waits for the event; false with an error after the deadline. */
static bool wait_for(struct vtest *v, short event, int64_t deadline, const char *what, struct qs_error *error)
{
	struct pollfd p = {.fd = v->fd, .events = event};

	for (;;) {
		int64_t left = deadline - now_ms();
		if (v->cancel && *v->cancel) {
			v->lost = true;
			qs_error_set(error, QS_ERR_CANCELLED, 0, "Stopped on request while waiting for the VirGL host.");
			return false;
		}
		if (left <= 0)
			return lose(v, error, what, "it does not answer in time");
		int n = poll(&p, 1, left < LOOK ? (int)left : LOOK);
		if (n > 0)
			return true;
		if (n < 0 && errno != EINTR)
			return lose(v, error, what, strerror(errno));
	}
}

static bool usable(struct vtest *v, const char *what, struct qs_error *error)
{
	return (v->fd >= 0 && !v->lost) || lose(v, error, what, "there is no connection");
}

static bool write_all(struct vtest *v, const void *data, size_t size, const char *what, struct qs_error *error)
{
	const uint8_t *bytes = data;
	int64_t deadline = now_ms() + v->timeout;

	while (size) {
		ssize_t n = send(v->fd, bytes, size, MSG_NOSIGNAL);
		if (n > 0) {
			bytes += n;
			size -= (size_t)n;
			deadline = now_ms() + v->timeout;
			continue;
		}
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return lose(v, error, what, errno == EPIPE || errno == ECONNRESET ? "it closed the connection" : strerror(errno));
		if (!wait_for(v, POLLOUT, deadline, what, error))
			return false;
	}
	return true;
}

static bool read_all(struct vtest *v, void *data, size_t size, const char *what, struct qs_error *error)
{
	uint8_t *bytes = data;
	int64_t deadline = now_ms() + v->timeout;

	while (size) {
		ssize_t n = recv(v->fd, bytes, size, 0);
		if (n > 0) {
			bytes += n;
			size -= (size_t)n;
			deadline = now_ms() + v->timeout;
			continue;
		}
		if (n == 0 || (errno != EAGAIN && errno != EINTR))
			return lose(v, error, what, n == 0 || errno == ECONNRESET ? "it closed the connection" : strerror(errno));
		if (!wait_for(v, POLLIN, deadline, what, error))
			return false;
	}
	return true;
}

static bool send_message(struct vtest *v, enum vtest_message message, uint32_t length, const uint32_t *words, size_t count,
	const char *what, struct qs_error *error)
{
	uint32_t header[2 + 12] = {length, message};

	if (!usable(v, what, error))
		return false;
	if (count)
		memcpy(header + 2, words, count * sizeof *words);
	return write_all(v, header, (2 + count) * sizeof *header, what, error);
}

static bool read_header(struct vtest *v, uint32_t header[2], const char *what, struct qs_error *error)
{
	return read_all(v, header, 2 * sizeof *header, what, error);
}

static bool unexpected(struct vtest *v, const uint32_t header[2], const char *what, struct qs_error *error)
{
	char why[96];

	snprintf(why, sizeof why, "an answer of kind %" PRIu32 " and length %" PRIu32 " was not expected", header[1], header[0]);
	return lose(v, error, what, why);
}

/* An answer of one word. */
static bool read_word(struct vtest *v, enum vtest_message message, uint32_t *word, const char *what, struct qs_error *error)
{
	uint32_t header[2];

	if (!read_header(v, header, what, error))
		return false;
	if (header[0] != 1 || header[1] != message)
		return unexpected(v, header, what, error);
	return read_all(v, word, sizeof *word, what, error);
}

/* ---- the conversation --------------------------------------------------------------------------------------------------- */

/* A server too old for PING says nothing; the BUSY_WAIT behind it always gets an answer, so whichever comes first tells. */
static bool negotiate(struct vtest *v, struct qs_error *error)
{
	static const char what[] = "agreeing on a protocol version";
	const uint32_t wait[2] = {0, 0}, wanted = 2;
	uint32_t header[2], word;

	if (!send_message(v, VTEST_PING, 0, NULL, 0, what, error) || !send_message(v, VTEST_BUSY_WAIT, 2, wait, 2, what, error) ||
		!read_header(v, header, what, error))
		return false;
	v->version = 0;
	if (header[0] == 1 && header[1] == VTEST_BUSY_WAIT)
		return read_all(v, &word, sizeof word, what, error);
	if (header[0] != 0 || header[1] != VTEST_PING)
		return unexpected(v, header, what, error);
	if (!read_word(v, VTEST_BUSY_WAIT, &word, what, error) ||
		!send_message(v, VTEST_VERSION, 1, &wanted, 1, what, error) ||
		!read_word(v, VTEST_VERSION, &v->version, what, error))
		return false;
	if (v->version != 0 && v->version != 2)
		return lose(v, error, what, "it chose a version that was not offered");
	return true;
}

bool vtest_handshake(struct vtest *v, const char *name, struct qs_error *error)
{
	static const char what[] = "opening a context";
	uint32_t size = (uint32_t)strlen(name) + 1;

	return send_message(v, VTEST_CREATE_RENDERER, size, NULL, 0, what, error) && write_all(v, name, size, what, error) &&
		negotiate(v, error);
}

bool vtest_caps(struct vtest *v, void *caps, size_t room, size_t *size, struct qs_error *error)
{
	static const char what[] = "asking what it can do";
	uint8_t rest[256];
	uint32_t header[2];
	size_t bytes, kept;

	if (!send_message(v, VTEST_GET_CAPS2, 0, NULL, 0, what, error) || !read_header(v, header, what, error))
		return false;
	if (header[1] != 2 || header[0] < 1 || header[0] > CAPS_MAX)
		return unexpected(v, header, what, error);
	bytes = header[0] - 1;
	kept = bytes < room ? bytes : room;
	if (!read_all(v, caps, kept, what, error))
		return false;
	*size = kept;
	for (bytes -= kept; bytes; bytes -= kept) {
		kept = bytes < sizeof rest ? bytes : sizeof rest;
		if (!read_all(v, rest, kept, what, error))
			return false;
	}
	return true;
}

/* ---- resources ---------------------------------------------------------------------------------------------------------- */

/* One byte with a file descriptor attached. */
static int receive_descriptor(struct vtest *v, const char *what, struct qs_error *error)
{
	int64_t deadline = now_ms() + v->timeout;
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	int fd = -1;

	for (;;) {
		char byte;
		struct iovec part = {&byte, 1};
		struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
		ssize_t n = recvmsg(v->fd, &message, MSG_CMSG_CLOEXEC);

		if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
			if (!wait_for(v, POLLIN, deadline, what, error))
				return -1;
			continue;
		}
		if (n <= 0) {
			lose(v, error, what, "it closed the connection");
			return -1;
		}
		struct cmsghdr *c = CMSG_FIRSTHDR(&message);
		if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof fd))
			memcpy(&fd, CMSG_DATA(c), sizeof fd);
		if (fd < 0)
			lose(v, error, what, "it sent no shared memory");
		return fd;
	}
}

/* The size of the file is checked: touching a mapping behind its end would be fatal. */
static void *map_shared(struct vtest *v, int fd, size_t size, const char *what, struct qs_error *error)
{
	struct stat info;
	void *memory = MAP_FAILED;

	if (!fstat(fd, &info) && info.st_size >= 0 && (uint64_t)info.st_size >= size)
		memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (memory != MAP_FAILED)
		return memory;
	lose(v, error, what, "its shared memory cannot be mapped");
	return NULL;
}

bool vtest_resource_create(struct vtest *v, const struct vtest_resource *r, void **shared, size_t size, struct qs_error *error)
{
	static const char what[] = "making a resource";
	const uint32_t words[11] = {r->handle, r->target, r->format, r->bind, r->width, r->height, r->depth, r->array_size,
		r->last_level, r->samples, (uint32_t)size};
	int fd;

	if (!shared || v->version < 2 || !size) {
		if (shared)
			*shared = NULL;
		return send_message(v, VTEST_RESOURCE_CREATE, 10, words, 10, what, error);
	}
	*shared = NULL;
	if (!send_message(v, VTEST_RESOURCE_CREATE2, 11, words, 11, what, error))
		return false;
	fd = receive_descriptor(v, what, error);
	if (fd < 0)
		return false;
	*shared = map_shared(v, fd, size, what, error);
	return *shared != NULL;
}

bool vtest_resource_unref(struct vtest *v, uint32_t handle, struct qs_error *error)
{
	return send_message(v, VTEST_RESOURCE_UNREF, 1, &handle, 1, "letting go of a resource", error);
}

/* ---- transfers ---------------------------------------------------------------------------------------------------------- */

/* Without a stride the host reckons with that of the whole level, and refuses (0.10) when the data are less. */
static uint32_t stride_of(const struct vtest_box *box, uint32_t bytes)
{
	return box->height > 1 ? bytes / box->height : 0;
}

bool vtest_put(struct vtest *v, uint32_t handle, const struct vtest_box *box, const void *data, uint32_t bytes, struct qs_error *error)
{
	static const char what[] = "sending pixels", zero[4];
	const uint32_t words[11] = {handle, box->level, stride_of(box, bytes), 0, box->x, box->y, 0, box->width, box->height, 1, bytes};
	uint32_t padding = (4 - (bytes & 3)) & 3;

	/* the data-bytes word alone decides how much is read, so the padding is part of it */
	uint32_t padded[11];
	memcpy(padded, words, sizeof padded);
	padded[10] = bytes + padding;
	return send_message(v, VTEST_TRANSFER_PUT, 11 + (bytes + padding) / 4, padded, 11, what, error) &&
		write_all(v, data, bytes, what, error) && write_all(v, zero, padding, what, error);
}

bool vtest_get(struct vtest *v, uint32_t handle, const struct vtest_box *box, void *data, uint32_t bytes, struct qs_error *error)
{
	static const char what[] = "fetching pixels";
	const uint32_t words[11] = {handle, box->level, stride_of(box, bytes), 0, box->x, box->y, 0, box->width, box->height, 1, bytes};

	return send_message(v, VTEST_TRANSFER_GET, 11, words, 11, what, error) && read_all(v, data, bytes, what, error);
}

static bool transfer2(struct vtest *v, enum vtest_message message, uint32_t handle, const struct vtest_box *box, uint32_t offset,
	const char *what, struct qs_error *error)
{
	const uint32_t words[10] = {handle, box->level, box->x, box->y, 0, box->width, box->height, 1, 0, offset};

	return send_message(v, message, 10, words, 10, what, error);
}

bool vtest_put2(struct vtest *v, uint32_t handle, const struct vtest_box *box, uint32_t offset, struct qs_error *error)
{
	return transfer2(v, VTEST_TRANSFER_PUT2, handle, box, offset, "sending pixels", error);
}

bool vtest_get2(struct vtest *v, uint32_t handle, const struct vtest_box *box, uint32_t offset, struct qs_error *error)
{
	return transfer2(v, VTEST_TRANSFER_GET2, handle, box, offset, "fetching pixels", error) && vtest_wait(v, error);
}

/* ---- commands ----------------------------------------------------------------------------------------------------------- */

bool vtest_submit(struct vtest *v, const uint32_t *words, size_t count, struct qs_error *error)
{
	static const char what[] = "sending commands";

	if (!count)
		return usable(v, what, error);
	return send_message(v, VTEST_SUBMIT, (uint32_t)count, NULL, 0, what, error) &&
		write_all(v, words, count * sizeof *words, what, error);
}

bool vtest_wait(struct vtest *v, struct qs_error *error)
{
	static const char what[] = "waiting for it to finish";
	const uint32_t words[2] = {1, 1};
	uint32_t busy;

	return send_message(v, VTEST_BUSY_WAIT, 2, words, 2, what, error) && read_word(v, VTEST_BUSY_WAIT, &busy, what, error);
}
