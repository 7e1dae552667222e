# Tests of CSIR.
check_PROGRAMS += tests/check_csir_exec
TESTS += tests/check_csir_exec
tests_check_csir_exec_SOURCES = tests/check_csir_exec.c tests/csir_random.h tests/oracle/csir.h tests/oracle/csir.c tests/oracle/random.h
tests_check_csir_exec_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_csir_exec_LDADD = $(TEST_LIBS) -lm

check_PROGRAMS += tests/check_csir
TESTS += tests/check_csir
tests_check_csir_SOURCES = tests/check_csir.c tests/csir_tools.h
tests_check_csir_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_csir_LDADD = $(TEST_LIBS) -lm

check_PROGRAMS += tests/check_csir_forms
TESTS += tests/check_csir_forms
tests_check_csir_forms_SOURCES = tests/check_csir_forms.c tests/csir_tools.h tests/csir_random.h tests/oracle/random.h
tests_check_csir_forms_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_csir_forms_LDADD = $(TEST_LIBS) -lm

check_PROGRAMS += tests/check_csir_link
TESTS += tests/check_csir_link
tests_check_csir_link_SOURCES = tests/check_csir_link.c tests/csir_tools.h
tests_check_csir_link_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_csir_link_LDADD = $(TEST_LIBS) -lm

# Fuzz targets: with --enable-fuzz programs of libFuzzer, always programs that replay the corpus.
EXTRA_DIST += tests/fuzz/csir.dict

check_PROGRAMS += tests/replay_csir_source
TESTS += tests/replay_csir_source
tests_replay_csir_source_SOURCES = tests/fuzz/fuzz_csir_source.c tests/fuzz/fuzz_csir.h tests/fuzz/replay.c tests/oracle/random.h
tests_replay_csir_source_CFLAGS = $(AM_CFLAGS) -I$(srcdir)/tests
tests_replay_csir_source_LDADD = src/libqscore.la
if FUZZ
noinst_PROGRAMS += tests/fuzz_csir_source
tests_fuzz_csir_source_SOURCES = tests/fuzz/fuzz_csir_source.c tests/fuzz/fuzz_csir.h
tests_fuzz_csir_source_LDADD = src/libqscore.la
tests_fuzz_csir_source_LDFLAGS = -fsanitize=fuzzer
endif

check_PROGRAMS += tests/replay_csir_text
TESTS += tests/replay_csir_text
tests_replay_csir_text_SOURCES = tests/fuzz/fuzz_csir_text.c tests/fuzz/fuzz_csir.h tests/fuzz/replay.c tests/oracle/random.h
tests_replay_csir_text_CFLAGS = $(AM_CFLAGS) -I$(srcdir)/tests
tests_replay_csir_text_LDADD = src/libqscore.la
if FUZZ
noinst_PROGRAMS += tests/fuzz_csir_text
tests_fuzz_csir_text_SOURCES = tests/fuzz/fuzz_csir_text.c tests/fuzz/fuzz_csir.h
tests_fuzz_csir_text_LDADD = src/libqscore.la
tests_fuzz_csir_text_LDFLAGS = -fsanitize=fuzzer
endif

check_PROGRAMS += tests/replay_csir_binary
TESTS += tests/replay_csir_binary
tests_replay_csir_binary_SOURCES = tests/fuzz/fuzz_csir_binary.c tests/fuzz/fuzz_csir.h tests/fuzz/replay.c tests/oracle/random.h
tests_replay_csir_binary_CFLAGS = $(AM_CFLAGS) -I$(srcdir)/tests
tests_replay_csir_binary_LDADD = src/libqscore.la
if FUZZ
noinst_PROGRAMS += tests/fuzz_csir_binary
tests_fuzz_csir_binary_SOURCES = tests/fuzz/fuzz_csir_binary.c tests/fuzz/fuzz_csir.h
tests_fuzz_csir_binary_LDADD = src/libqscore.la
tests_fuzz_csir_binary_LDFLAGS = -fsanitize=fuzzer
endif

# Not a test: `make tests/bench/bench_csir && tests/bench/bench_csir data/shaders/*`.
EXTRA_PROGRAMS += tests/bench/bench_csir
tests_bench_bench_csir_SOURCES = tests/bench/bench_csir.c
tests_bench_bench_csir_CFLAGS = $(AM_CFLAGS)
tests_bench_bench_csir_LDADD = src/libqscore.la

check_PROGRAMS += tests/check_csir_host
TESTS += tests/check_csir_host
tests_check_csir_host_SOURCES = tests/check_csir_host.c tests/csir_tools.h
tests_check_csir_host_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_csir_host_LDADD = $(TEST_LIBS) -lm
