/* log_machine.h - a machine that plays a log of the test's own making: commands go into fifo, load and execute_all play them
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_LOG_MACHINE_H
#define TESTS_LOG_MACHINE_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "dffwriter.h"
#include "gx/machine.h"

static struct gx_machine *m;
static struct qs_capture *capture;
static struct log replay;
static struct bytes *fifo;

/* An empty log of one frame; sizes of MEM1 and MEM2 in bytes. */
static inline void log_machine_start(uint32_t mem1, uint32_t mem2)
{
	m = gx_machine_create(mem1, mem2);
	ck_assert_ptr_nonnull(m);
	gx_machine_reset(m, NULL);
	memset(&replay, 0, sizeof replay);
	replay.version = 3;
	replay.frame_count = 1;
	fifo = &replay.frame[0].fifo;
	capture = NULL;
}

static inline void log_machine_end(void)
{
	gx_machine_destroy(m);
	qs_capture_destroy(capture);
	log_free(&replay);
}

static inline void load(void)
{
	struct qs_error error = {0};
	struct bytes file = log_write(&replay);

	capture = qs_capture_open_memory(file.data, file.size, &error);
	ck_assert_msg(capture != NULL, "%s", error.text);
	free(file.data);
	gx_machine_reset(m, capture);
}

static inline void execute_all(void)
{
	for (uint32_t i = 0; i < qs_capture_info(capture)->command_count; i++)
		gx_execute(m, i);
}

#endif
