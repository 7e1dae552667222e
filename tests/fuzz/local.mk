# Fuzz targets of the log reader: with --enable-fuzz (CC=clang) programs of libFuzzer, and always programs that replay the
# corpus in tests/fuzz/corpus.
EXTRA_DIST += tests/fuzz/corpus

check_PROGRAMS += tests/replay_dff tests/replay_commands
TESTS += tests/replay_dff tests/replay_commands
tests_replay_dff_SOURCES = tests/fuzz/fuzz_dff.c tests/fuzz/replay.c tests/fuzz/fuzz.h tests/oracle/random.h
tests_replay_dff_CFLAGS = $(AM_CFLAGS) -I$(srcdir)/tests
tests_replay_dff_LDADD = src/libqscore.la
tests_replay_commands_SOURCES = tests/fuzz/fuzz_commands.c tests/fuzz/replay.c tests/fuzz/fuzz.h tests/oracle/random.h
tests_replay_commands_CFLAGS = $(AM_CFLAGS) -I$(srcdir)/tests
tests_replay_commands_LDADD = src/libqscore.la

if FUZZ
noinst_PROGRAMS += tests/fuzz_dff tests/fuzz_commands
tests_fuzz_dff_SOURCES = tests/fuzz/fuzz_dff.c tests/fuzz/fuzz.h
tests_fuzz_dff_LDADD = src/libqscore.la
tests_fuzz_dff_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_commands_SOURCES = tests/fuzz/fuzz_commands.c tests/fuzz/fuzz.h
tests_fuzz_commands_LDADD = src/libqscore.la
tests_fuzz_commands_LDFLAGS = -fsanitize=fuzzer
endif
