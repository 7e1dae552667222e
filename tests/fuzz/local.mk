# Fuzz targets of the log reader and of the machine: with --enable-fuzz (CC=clang) programs of libFuzzer, and always programs that replay the
# corpus in tests/fuzz/corpus.
EXTRA_DIST += tests/fuzz/corpus

check_PROGRAMS += tests/replay_dff tests/replay_commands tests/replay_machine
TESTS += tests/replay_dff tests/replay_commands tests/replay_machine
tests_replay_dff_SOURCES = tests/fuzz/fuzz_dff.c tests/fuzz/replay.c tests/fuzz/fuzz.h tests/oracle/random.h
tests_replay_dff_CFLAGS = $(AM_CFLAGS) -I$(srcdir)/tests
tests_replay_dff_LDADD = src/libqscore.la
tests_replay_commands_SOURCES = tests/fuzz/fuzz_commands.c tests/fuzz/replay.c tests/fuzz/fuzz.h tests/fuzz/fuzz_log.h tests/oracle/random.h
tests_replay_commands_CFLAGS = $(AM_CFLAGS) -I$(srcdir)/tests
tests_replay_commands_LDADD = src/libqscore.la
tests_replay_machine_SOURCES = tests/fuzz/fuzz_machine.c tests/fuzz/replay.c tests/fuzz/fuzz.h tests/fuzz/fuzz_log.h tests/oracle/random.h
tests_replay_machine_CFLAGS = $(AM_CFLAGS) -I$(srcdir)/tests
tests_replay_machine_LDADD = src/libqscore.la

if FUZZ
noinst_PROGRAMS += tests/fuzz_dff tests/fuzz_commands tests/fuzz_machine
tests_fuzz_dff_SOURCES = tests/fuzz/fuzz_dff.c tests/fuzz/fuzz.h
tests_fuzz_dff_LDADD = src/libqscore.la
tests_fuzz_dff_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_commands_SOURCES = tests/fuzz/fuzz_commands.c tests/fuzz/fuzz.h
tests_fuzz_commands_LDADD = src/libqscore.la
tests_fuzz_commands_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_machine_SOURCES = tests/fuzz/fuzz_machine.c tests/fuzz/fuzz.h tests/fuzz/fuzz_log.h
tests_fuzz_machine_LDADD = src/libqscore.la
tests_fuzz_machine_LDFLAGS = -fsanitize=fuzzer
endif

# Scripts.
check_PROGRAMS += tests/replay_lua
TESTS += tests/replay_lua
tests_replay_lua_SOURCES = tests/fuzz/fuzz_lua.c tests/fuzz/replay.c tests/oracle/random.h
tests_replay_lua_CFLAGS = $(AM_CFLAGS) -I$(top_srcdir) -I$(srcdir)/tests
tests_replay_lua_LDADD = lua/libqslua.la src/libqscore.la $(LUA_LIBS)
if FUZZ
noinst_PROGRAMS += tests/fuzz_lua
tests_fuzz_lua_SOURCES = tests/fuzz/fuzz_lua.c
tests_fuzz_lua_CFLAGS = $(AM_CFLAGS) -I$(top_srcdir)
tests_fuzz_lua_LDADD = lua/libqslua.la src/libqscore.la $(LUA_LIBS)
tests_fuzz_lua_LDFLAGS = -fsanitize=fuzzer
endif

# Scenes.
check_PROGRAMS += tests/replay_scene
TESTS += tests/replay_scene
tests_replay_scene_SOURCES = tests/fuzz/fuzz_scene.c tests/fuzz/replay.c tests/fuzz/fuzz.h tests/capture_invariants.h tests/oracle/random.h
tests_replay_scene_CFLAGS = $(AM_CFLAGS) -I$(top_srcdir) -I$(srcdir)/tests
tests_replay_scene_LDADD = lua/libqslua.la src/libqscore.la $(LUA_LIBS)
if FUZZ
noinst_PROGRAMS += tests/fuzz_scene
tests_fuzz_scene_SOURCES = tests/fuzz/fuzz_scene.c tests/fuzz/fuzz.h
tests_fuzz_scene_CFLAGS = $(AM_CFLAGS) -I$(top_srcdir)
tests_fuzz_scene_LDADD = lua/libqslua.la src/libqscore.la $(LUA_LIBS)
tests_fuzz_scene_LDFLAGS = -fsanitize=fuzzer
endif
