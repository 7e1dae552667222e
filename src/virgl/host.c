/* host.c - a virgl_test_server of our own
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "virgl/host.h"

extern char **environ;

#define START_LIMIT 5000 /* milliseconds until it must listen */
#define STOP_LIMIT 2000  /* until it must have ended by itself */

const char *virgl_host_hint(void)
{
	return "install the packages virgl-server, libegl1 and libgl1-mesa-dri";
}

/* ---- finding it --------------------------------------------------------------------------------------------------------- */

bool virgl_host_find(char *path, size_t size)
{
	const char *chosen = getenv("QUADSCOPE_VIRGL_SERVER"), *folders = getenv("PATH");

	if (chosen && *chosen) {
		snprintf(path, size, "%s", chosen);
		return access(path, X_OK) == 0;
	}
	for (const char *at = folders ? folders : "/usr/bin:/bin"; *at;) {
		size_t length = strcspn(at, ":");
		snprintf(path, size, "%.*s/virgl_test_server", (int)length, at);
		if (length && access(path, X_OK) == 0)
			return true;
		at += length + (at[length] == ':');
	}
	return false;
}

/* ---- starting it -------------------------------------------------------------------------------------------------------- */

static void sleep_ms(long ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

/* Our environment with the driver chosen.  malloc'ed array of strings that are not ours. */
static char **make_environment(const char *driver, char *choice, size_t size)
{
	static char software[] = "LIBGL_ALWAYS_SOFTWARE=1", *const none[] = {NULL};
	char *const *from = environ ? environ : none;
	size_t count = 0, n = 0;
	char **to;

	while (from[count])
		count++;
	to = calloc(count + 3, sizeof *to);
	if (!to)
		return NULL;
	for (size_t i = 0; i < count; i++)
		if (!driver || (strncmp(from[i], "LIBGL_ALWAYS_SOFTWARE=", 22) && strncmp(from[i], "GALLIUM_DRIVER=", 15)))
			to[n++] = from[i];
	if (driver) {
		snprintf(choice, size, "GALLIUM_DRIVER=%s", driver);
		to[n++] = choice;
		to[n++] = software;
	}
	return to;
}

static int spawn(struct virgl_host *host, const char *program, const char *socket, const char *driver)
{
	char option[160], choice[64], name[] = "virgl_test_server", surfaceless[] = "--use-egl-surfaceless",
		once[] = "--no-loop-or-fork";
	char *const arguments[] = {name, surfaceless, once, option, NULL};
	char **environment = make_environment(driver, choice, sizeof choice);
	posix_spawn_file_actions_t actions;
	int result;

	if (!environment)
		return ENOMEM;
	/* with a blank instead of "=" the server would take the name as a recording to play */
	snprintf(option, sizeof option, "--socket-path=%s", socket);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, host->log, 1);
	posix_spawn_file_actions_adddup2(&actions, host->log, 2);
	result = posix_spawn(&host->pid, program, &actions, NULL, arguments, environment);
	posix_spawn_file_actions_destroy(&actions);
	free(environment);
	if (result)
		host->pid = 0;
	return result;
}

/* Has it ended?  Then it is reaped and forgotten. */
static bool ended(struct virgl_host *host)
{
	int status;

	if (host->pid > 0 && waitpid(host->pid, &status, WNOHANG) == 0)
		return false;
	host->pid = 0;
	return true;
}

/* There is no sign that it listens but that connecting works. */
static bool connect_soon(struct virgl_host *host, struct vtest *v, const char *socket, struct qs_error *error)
{
	char log[200];

	for (int waited = 0; waited < START_LIMIT; waited += 5) {
		if (access(socket, F_OK) == 0 && vtest_connect(v, socket, NULL))
			return true;
		if (ended(host)) {
			qs_error_set(error, QS_ERR_IO, 0, "virgl_test_server ended at once: %s.", virgl_host_log(host, log, sizeof log));
			return false;
		}
		sleep_ms(5);
	}
	qs_error_set(error, QS_ERR_IO, 0, "virgl_test_server does not listen after %d seconds: %s.", START_LIMIT / 1000,
		virgl_host_log(host, log, sizeof log));
	return false;
}

/* A folder whose name leaves room for a socket. */
static bool make_folder(char *folder, size_t size, struct qs_error *error)
{
	const char *base = getenv("TMPDIR");

	if (!base || !*base || strlen(base) > 60)
		base = "/tmp";
	snprintf(folder, size, "%s/quadscope-XXXXXX", base);
	if (mkdtemp(folder))
		return true;
	qs_error_set(error, QS_ERR_IO, 0, "No folder for the socket of virgl_test_server can be made in %.80s: %s.", base, strerror(errno));
	return false;
}

bool virgl_host_start(struct virgl_host *host, struct vtest *v, const char *driver, struct qs_error *error)
{
	char program[512], folder[96], socket[112], log[112];
	bool ok = false;
	int result;

	host->pid = 0;
	host->log = -1;
	if (!virgl_host_find(program, sizeof program)) {
		qs_error_set(error, QS_ERR_UNSUPPORTED, 0, "There is no virgl_test_server on this machine: %s.", virgl_host_hint());
		return false;
	}
	if (!make_folder(folder, sizeof folder, error))
		return false;
	snprintf(socket, sizeof socket, "%s/socket", folder);
	snprintf(log, sizeof log, "%s/log", folder);
	host->log = open(log, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
	result = host->log < 0 ? errno : spawn(host, program, socket, driver);
	if (result)
		qs_error_set(error, QS_ERR_IO, 0, "%.300s cannot be started: %s.", program, strerror(result));
	else
		ok = connect_soon(host, v, socket, error);
	unlink(socket);
	unlink(log);
	rmdir(folder);
	if (!ok)
		virgl_host_stop(host, v);
	return ok;
}

/* ---- stopping it -------------------------------------------------------------------------------------------------------- */

static bool ends_within(struct virgl_host *host, int limit)
{
	for (int waited = 0; !ended(host); waited++) {
		if (waited >= limit)
			return false;
		sleep_ms(1);
	}
	return true;
}

void virgl_host_stop(struct virgl_host *host, struct vtest *v)
{
	vtest_close(v);
	/* one that hangs was given its time already */
	if (host->pid > 0 && !ends_within(host, v->lost ? 100 : STOP_LIMIT)) {
		kill(host->pid, SIGTERM);
		if (!ends_within(host, 500)) {
			kill(host->pid, SIGKILL);
			waitpid(host->pid, NULL, 0);
			host->pid = 0;
		}
	}
	if (host->log >= 0)
		close(host->log);
	host->log = -1;
}

/* ---- what it says ------------------------------------------------------------------------------------------------------- */

static bool telling(const char *line, size_t length)
{
	static const char *const words[] = {"rror", "ailed", "llegal", "xpected", "No such", "not "};
	bool found = false;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		found |= memmem(line, length, words[i], strlen(words[i])) != NULL;
	return found;
}

static void add_line(char *text, size_t size, const char *line, size_t length)
{
	size_t used = strlen(text);

	if (used && used + 3 < size)
		used += (size_t)snprintf(text + used, size - used, "; ");
	for (size_t i = 0; i < length && used + 1 < size; i++)
		text[used++] = (unsigned char)line[i] < 32 || (unsigned char)line[i] > 126 ? ' ' : line[i];
	text[used] = 0;
}

char *virgl_host_log(const struct virgl_host *host, char *text, size_t size)
{
	char tail[4096];
	off_t end = host->log >= 0 ? lseek(host->log, 0, SEEK_END) : 0;
	off_t from = end > (off_t)sizeof tail ? end - (off_t)sizeof tail : 0;
	ssize_t n = end > 0 ? pread(host->log, tail, sizeof tail, from) : 0;

	text[0] = 0;
	for (ssize_t at = 0; at < n;) {
		const char *line = tail + at, *stop = memchr(line, '\n', (size_t)(n - at));
		size_t length = stop ? (size_t)(stop - line) : (size_t)(n - at);
		if (telling(line, length))
			add_line(text, size, line, length);
		at += (ssize_t)length + 1;
	}
	if (!text[0])
		snprintf(text, size, "it printed no reason");
	return text;
}
