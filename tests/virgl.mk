# The VirGL client.
check_PROGRAMS += tests/check_virgl tests/replay_vtest tests/replay_stream
TESTS += tests/check_virgl tests/replay_vtest tests/replay_stream
tests_check_virgl_SOURCES = tests/check_virgl.c tests/oracle/random.h
tests_check_virgl_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_virgl_LDADD = $(TEST_LIBS)
tests_replay_vtest_SOURCES = tests/fuzz/fuzz_vtest.c tests/fuzz/replay.c tests/oracle/random.h
tests_replay_vtest_CFLAGS = $(AM_CFLAGS) -I$(srcdir)/tests
tests_replay_vtest_LDADD = src/libqscore.la
tests_replay_stream_SOURCES = tests/fuzz/fuzz_stream.c tests/fuzz/replay.c tests/oracle/random.h
tests_replay_stream_CFLAGS = $(AM_CFLAGS) -I$(srcdir)/tests
tests_replay_stream_LDADD = src/libqscore.la
check_PROGRAMS += tests/check_gx_virgl
TESTS += tests/check_gx_virgl
tests_check_gx_virgl_SOURCES = tests/check_gx_virgl.c tests/corpus.h tests/oracle/random.h
tests_check_gx_virgl_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_gx_virgl_LDADD = $(TEST_LIBS)
if FUZZ
noinst_PROGRAMS += tests/fuzz_vtest tests/fuzz_stream
tests_fuzz_vtest_SOURCES = tests/fuzz/fuzz_vtest.c
tests_fuzz_vtest_LDADD = src/libqscore.la
tests_fuzz_vtest_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_stream_SOURCES = tests/fuzz/fuzz_stream.c
tests_fuzz_stream_LDADD = src/libqscore.la
tests_fuzz_stream_LDFLAGS = -fsanitize=fuzzer
endif

noinst_PROGRAMS += tests/bench_virgl
tests_bench_virgl_SOURCES = tests/bench/bench_virgl.c tests/corpus.h
tests_bench_virgl_CFLAGS = $(AM_CFLAGS) -I$(srcdir)/tests
tests_bench_virgl_LDADD = src/libqscore.la
