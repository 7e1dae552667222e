/* check_moment.c - text form and order of moments
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dffwriter.h"
#include "quadscope.h"

static struct qs_capture *capture;

/* Frame 1: BP at 0, draw at 5 (8 bytes), list at 0xd calling NOPs, draw, empty draw, 48, NOPs, BP at 0x16.
 * Frame 2: no commands.  Frame 3: one BP. */
static void setup(void)
{
	static struct log log;
	static uint8_t list[32];
	struct bytes b = {0}, file;
	struct qs_error error = {0};

	memset(&log, 0, sizeof log);
	log.version = 3;
	log.frame_count = 3;
	log.cp[0x50] = 1 << 9; /* direct position, XY u8: 2 bytes */
	put_bp(&log.frame[0].fifo, 0x00, 1);
	put_draw(&log.frame[0].fifo, 0xB8, 2, 2);
	put_u8(&log.frame[0].fifo, 0x48);
	put_list(&log.frame[0].fifo, 0x1000, 32);
	put_bp(&log.frame[0].fifo, 0x52, 0x4803);
	put_bp(&log.frame[2].fifo, 0x41, 1);
	put_zero(&b, 4);
	put_draw(&b, 0xB8, 1, 2);
	put_draw(&b, 0x90, 0, 2);
	put_u8(&b, 0x48);
	memcpy(list, b.data, b.size);
	log_update(&log.frame[0], 0x0d, 1, 0x1000, list, 32);
	file = log_write(&log);
	capture = qs_capture_open_memory(file.data, file.size, &error);
	ck_assert_msg(capture != NULL, "%s", error.text);
	free(b.data);
	free(file.data);
	log_free(&log);
}

static void teardown(void)
{
	qs_capture_destroy(capture);
}

static const struct {
	const char *text;
	struct qs_moment moment;
	const char *again; /* NULL: the same text */
} good[] = {
	{"0", {.level = QS_LEVEL_START}, NULL},
	{" 0 ", {.level = QS_LEVEL_START}, "0"},
	{"1", {.level = QS_LEVEL_FRAME, .frame = 1, .command = 9}, NULL},
	{"2", {.level = QS_LEVEL_FRAME, .frame = 2, .command = 9}, NULL},
	{"3", {.level = QS_LEVEL_FRAME, .frame = 3, .command = 10}, NULL},
	{"1@0x0", {.level = QS_LEVEL_COMMAND, .frame = 1, .command = 0, .draw = QS_NONE}, NULL},
	{"1@5", {.level = QS_LEVEL_COMMAND, .frame = 1, .command = 1, .draw = 0}, "1@0x5"},
	{"1@0XC", {.level = QS_LEVEL_COMMAND, .frame = 1, .command = 2, .draw = QS_NONE}, "1@0xc"},
	{"1@0xd", {.level = QS_LEVEL_COMMAND, .frame = 1, .command = 3, .draw = QS_NONE}, NULL},
	{"1@0xd.0", {.level = QS_LEVEL_COMMAND, .frame = 1, .command = 4, .draw = QS_NONE}, NULL},
	{"1@0xd.1", {.level = QS_LEVEL_COMMAND, .frame = 1, .command = 5, .draw = 1}, NULL},
	{"1@0xd.0x3", {.level = QS_LEVEL_COMMAND, .frame = 1, .command = 7, .draw = QS_NONE}, "1@0xd.3"},
	{"3@0x0", {.level = QS_LEVEL_COMMAND, .frame = 3, .command = 10, .draw = QS_NONE}, NULL},
	{"1/0", {.level = QS_LEVEL_DRAW, .frame = 1, .command = 1, .draw = 0}, NULL},
	{"1/2", {.level = QS_LEVEL_DRAW, .frame = 1, .command = 6, .draw = 2}, NULL},
	{"1/1/7", {.level = QS_LEVEL_PRIMITIVE, .frame = 1, .command = 5, .draw = 1, .primitive = 7}, NULL},
	{"1/1/7/13", {.level = QS_LEVEL_QUAD, .frame = 1, .command = 5, .draw = 1, .primitive = 7, .quad = 13}, NULL},
	{"1/1/7/13/2", {.level = QS_LEVEL_FRAGMENT, .frame = 1, .command = 5, .draw = 1, .primitive = 7, .quad = 13, .fragment = 2}, NULL},
	{"1/1/4294967294/13/3/15",
		{.level = QS_LEVEL_STAGE, .frame = 1, .command = 5, .draw = 1, .primitive = 4294967294u, .quad = 13, .fragment = 3,
			.stage = 15},
		NULL},
};

START_TEST(text_to_moment_and_back)
{
	struct qs_moment m;
	struct qs_error error = {0};
	char buffer[80];
	const struct qs_moment *w = &good[_i].moment;

	ck_assert_msg(qs_moment_parse(capture, good[_i].text, &m, &error), "%s: %s", good[_i].text, error.text);
	ck_assert_msg(m.level == w->level && m.frame == w->frame && m.command == w->command && m.draw == w->draw &&
			m.primitive == w->primitive && m.quad == w->quad && m.fragment == w->fragment && m.stage == w->stage,
		"%s: level %d frame %u command %u draw %u", good[_i].text, (int)m.level, m.frame, m.command, m.draw);
	ck_assert_str_eq(qs_moment_format(capture, &m, buffer, sizeof buffer), good[_i].again ? good[_i].again : good[_i].text);
}
END_TEST

static const struct {
	const char *text, *says;
} bad[] = {
	{"", "frame number is missing"},
	{"x", "frame number is missing"},
	{"-1", "frame number is missing"},
	{"4", "no frame 4: the capture has 3"},
	{"0/1", "no frame 0: the capture has 3"},
	{"0@0x0", "no frame 0"},
	{"4294967295", "frame number is too large"},
	{"99999999999999999999999", "frame number is too large"},
	{"1/", "draw is missing"},
	{"1/3", "no draw 3: it has 3"},
	{"2/0", "has no draws"},
	{"1/0/0/0/4", "fragments 0 to 3"},
	{"1/0/0/0/0/16", "stages 0 to 15"},
	{"1/0/0/0/0/0/0", "finer than a stage"},
	{"1/0 1", "left over"},
	{"1junk", "left over"},
	{"1@", "offset is missing"},
	{"1@0x", "offset is missing"},
	{"1@0x6", "nearest one before it is at 0x5 and has 7 bytes"},
	{"1@0xe", "nearest one before it is at 0xd and has 9 bytes"},
	{"1@0x100", "nearest one before it is at 0x16"},
	{"2@0", "no commands"},
	{"1@0xd.5", "has no command 5: it has 5"},
	{"1@0x5.0", "calls no display list"},
	{"1@0x5.", "command of the list is missing"},
	{"1@0x5/1", "left over"},
};

START_TEST(wrong_text)
{
	struct qs_moment m = {.frame = 77};
	struct qs_error error = {0};

	ck_assert_msg(!qs_moment_parse(capture, bad[_i].text, &m, &error), "%s was accepted", bad[_i].text);
	ck_assert_msg(error.code == QS_ERR_RANGE, "%s", bad[_i].text);
	ck_assert_msg(strstr(error.text, bad[_i].says) != NULL, "\"%s\": %s", bad[_i].text, error.text);
	ck_assert_uint_eq(m.frame, 77); /* untouched */
}
END_TEST

/* In rising order; rows of equal rank name the same state. */
static const struct {
	const char *text;
	int rank;
} order[] = {
	{"0", 0}, {"1@0x0", 1}, {"1/0/0/0/0/0", 2}, {"1/0/0/0/0/3", 3}, {"1/0/0/0/0", 4}, {"1/0/0/0/1/0", 5}, {"1/0/0/0/3", 6},
	{"1/0/0/0", 7}, {"1/0/0/1", 8}, {"1/0/0", 9}, {"1/0/1/0/0", 10}, {"1/0/1", 11}, {"1/0", 12}, {"1@0x5", 12}, {"1@0xc", 13},
	{"1@0xd", 14}, {"1@0xd.0", 15}, {"1/1/0", 16}, {"1/1", 17}, {"1@0xd.1", 17}, {"1@0xd.3", 18}, {"1@0x16", 19}, {"1", 20},
	{"2", 21}, {"3@0x0", 22}, {"3", 23},
};

START_TEST(total_order)
{
	size_t n = sizeof order / sizeof *order;
	struct qs_moment m[sizeof order / sizeof *order];

	for (size_t i = 0; i < n; i++)
		ck_assert(qs_moment_parse(capture, order[i].text, &m[i], NULL));
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++) {
			int want = (order[i].rank > order[k].rank) - (order[i].rank < order[k].rank);
			int got = qs_moment_compare(&m[i], &m[k]);
			ck_assert_msg((got > 0) - (got < 0) == want, "%s and %s: %d", order[i].text, order[k].text, got);
		}
}
END_TEST

START_TEST(of_command)
{
	struct qs_moment m;
	char buffer[80];
	static const char *const want[] = {"1@0x0", "1/0", "1@0xc", "1@0xd", "1@0xd.0", "1/1", "1/2", "1@0xd.3", "1@0xd.4", "1@0x16",
		"3@0x0"};

	ck_assert_uint_eq(qs_capture_info(capture)->command_count, sizeof want / sizeof *want);
	for (uint32_t i = 0; i < sizeof want / sizeof *want; i++) {
		ck_assert(qs_moment_of_command(capture, i, &m));
		ck_assert_uint_eq(m.command, i);
		ck_assert_str_eq(qs_moment_format(capture, &m, buffer, sizeof buffer), want[i]);
	}
	ck_assert(!qs_moment_of_command(capture, sizeof want / sizeof *want, &m));
	ck_assert(!qs_moment_of_command(capture, QS_NONE, &m));
}
END_TEST

START_TEST(short_buffers)
{
	struct qs_moment m;
	char buffer[80];

	ck_assert(qs_moment_parse(capture, "1/1/4294967294/13/3/15", &m, NULL));
	for (size_t size = 1; size < 30; size++) {
		memset(buffer, 'x', sizeof buffer);
		qs_moment_format(capture, &m, buffer, size);
		ck_assert(memchr(buffer, 0, size) != NULL);
		ck_assert(buffer[size] == 'x');
		ck_assert(!strncmp(buffer, "1/1/4294967294/13/3/15", strlen(buffer)));
	}
}
END_TEST

START_TEST(level_names)
{
	ck_assert_str_eq(qs_level_name(QS_LEVEL_START), "start");
	ck_assert_str_eq(qs_level_name(QS_LEVEL_COMMAND), "command");
	ck_assert_str_eq(qs_level_name(QS_LEVEL_STAGE), "stage");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("moment");
	TCase *tcase = tcase_create("moment");
	tcase_add_unchecked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, text_to_moment_and_back, 0, sizeof good / sizeof *good);
	tcase_add_loop_test(tcase, wrong_text, 0, sizeof bad / sizeof *bad);
	tcase_add_test(tcase, total_order);
	tcase_add_test(tcase, of_command);
	tcase_add_test(tcase, short_buffers);
	tcase_add_test(tcase, level_names);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
