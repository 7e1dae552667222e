# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of the timeline, of pictures, and benches.
check_PROGRAMS += tests/check_pictures
TESTS += tests/check_pictures
tests_check_pictures_SOURCES = tests/check_pictures.c tests/corpus.h tests/pictures/exceptions.def
tests_check_pictures_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_pictures_LDADD = src/libqscore.la
clean-local: clean-pictures
.PHONY: clean-pictures
clean-pictures:
	rm -rf pictures pictures.html

check_PROGRAMS += tests/check_timeline
TESTS += tests/check_timeline
tests_check_timeline_SOURCES = tests/check_timeline.c tests/session.h tests/dffwriter.h tests/corpus.h tests/oracle/random.h
tests_check_timeline_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_timeline_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/check_history
TESTS += tests/check_history
tests_check_history_SOURCES = tests/check_history.c tests/session.h tests/corpus.h tests/oracle/random.h
tests_check_history_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_history_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/check_image
TESTS += tests/check_image
tests_check_image_SOURCES = tests/check_image.c tests/session.h tests/corpus.h tests/oracle/random.h
tests_check_image_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_image_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/check_breakpoints
TESTS += tests/check_breakpoints
tests_check_breakpoints_SOURCES = tests/check_breakpoints.c tests/session.h tests/corpus.h tests/oracle/random.h
tests_check_breakpoints_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_breakpoints_LDADD = $(TEST_LIBS)

noinst_PROGRAMS += tests/bench_replay
tests_bench_replay_SOURCES = tests/bench/bench_replay.c tests/corpus.h tests/oracle/random.h
tests_bench_replay_CFLAGS = $(AM_CFLAGS) -I$(srcdir)/tests
tests_bench_replay_LDADD = src/libqscore.la

BENCHES = tests/bench_expr tests/bench_tev tests/bench/bench_open tests/bench_replay
.PHONY: bench
bench: $(BENCHES) tests/bench_scenes tests/bench_frames tests/bench_virgl
	@$(AM_TESTS_ENVIRONMENT) for b in $(BENCHES); do echo "== $$b"; ./$$b || exit 1; done; \
		echo "== tests/bench_scenes"; ./tests/bench_scenes; echo "== tests/bench_virgl"; ./tests/bench_virgl; echo "== tests/bench/frames"; $(srcdir)/tests/bench/frames
EXTRA_DIST += tests/bench/frames

check_PROGRAMS += tests/check_compare
TESTS += tests/check_compare
tests_check_compare_SOURCES = tests/check_compare.c tests/session.h tests/corpus.h tests/oracle/random.h
tests_check_compare_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_compare_LDADD = $(TEST_LIBS)

dist_check_SCRIPTS += tests/check_diff
TESTS += tests/check_diff
