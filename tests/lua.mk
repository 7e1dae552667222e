# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of scripts.
LUA_TEST_CFLAGS = $(TEST_CFLAGS) $(LUA_CFLAGS) -I$(top_srcdir) -I$(srcdir)/tests
LUA_TEST_LIBS = lua/libqslua.la $(TEST_LIBS) $(LUA_LIBS)

check_PROGRAMS += tests/check_lua
TESTS += tests/check_lua
tests_check_lua_SOURCES = tests/check_lua.c tests/script_host.h tests/session.h tests/corpus.h tests/oracle/random.h
tests_check_lua_CFLAGS = $(LUA_TEST_CFLAGS)
tests_check_lua_LDADD = $(LUA_TEST_LIBS)

check_PROGRAMS += tests/check_lua_prompt
TESTS += tests/check_lua_prompt
tests_check_lua_prompt_SOURCES = tests/check_lua_prompt.c tests/script_host.h tests/session.h tests/corpus.h tests/oracle/random.h
tests_check_lua_prompt_CFLAGS = $(LUA_TEST_CFLAGS)
tests_check_lua_prompt_LDADD = $(LUA_TEST_LIBS)

noinst_PROGRAMS += tests/bench_lua
tests_bench_lua_SOURCES = tests/bench/bench_lua.c
tests_bench_lua_CFLAGS = $(AM_CFLAGS) -I$(top_srcdir)
tests_bench_lua_LDADD = lua/libqslua.la src/libqscore.la $(LUA_LIBS)
BENCHES += tests/bench_lua

check_PROGRAMS += tests/check_lua_hooks
TESTS += tests/check_lua_hooks
tests_check_lua_hooks_SOURCES = tests/check_lua_hooks.c tests/script_host.h tests/session.h tests/corpus.h tests/oracle/random.h
tests_check_lua_hooks_CFLAGS = $(LUA_TEST_CFLAGS)
tests_check_lua_hooks_LDADD = $(LUA_TEST_LIBS)

check_PROGRAMS += tests/check_probes
TESTS += tests/check_probes
tests_check_probes_SOURCES = tests/check_probes.c tests/script_host.h tests/session.h tests/corpus.h tests/oracle/random.h
tests_check_probes_CFLAGS = $(LUA_TEST_CFLAGS)
tests_check_probes_LDADD = $(LUA_TEST_LIBS)

check_PROGRAMS += tests/check_cross
TESTS += tests/check_cross
tests_check_cross_SOURCES = tests/check_cross.c tests/script_host.h tests/session.h tests/corpus.h tests/oracle/random.h
tests_check_cross_CFLAGS = $(LUA_TEST_CFLAGS)
tests_check_cross_LDADD = $(LUA_TEST_LIBS)

dist_check_SCRIPTS += tests/check_run
TESTS += tests/check_run

check_PROGRAMS += tests/check_override
TESTS += tests/check_override
tests_check_override_SOURCES = tests/check_override.c tests/script_host.h tests/session.h tests/corpus.h tests/oracle/random.h
tests_check_override_CFLAGS = $(LUA_TEST_CFLAGS)
tests_check_override_LDADD = $(LUA_TEST_LIBS)

check_PROGRAMS += tests/check_scene
TESTS += tests/check_scene
tests_check_scene_SOURCES = tests/check_scene.c tests/script_host.h tests/session.h tests/corpus.h tests/oracle/random.h
tests_check_scene_CFLAGS = $(LUA_TEST_CFLAGS) -I$(top_srcdir)/src
tests_check_scene_LDADD = $(LUA_TEST_LIBS)

check_PROGRAMS += tests/check_lua_gfx3d
TESTS += tests/check_lua_gfx3d
tests_check_lua_gfx3d_SOURCES = tests/check_lua_gfx3d.c tests/script_host.h tests/session.h tests/corpus.h tests/oracle/random.h
tests_check_lua_gfx3d_CFLAGS = $(LUA_TEST_CFLAGS) -I$(top_srcdir)/src
tests_check_lua_gfx3d_LDADD = $(LUA_TEST_LIBS)
