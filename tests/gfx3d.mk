# Gfx3D: the interface, the rasteriser, captures of calls.
check_PROGRAMS += tests/check_gfx3d_api tests/check_gfx3d_raster tests/check_gfx3d_pixels tests/check_gfx3d_coverage tests/check_gfx3d_record tests/check_gfx3d_virgl tests/replay_qsc
TESTS += tests/check_gfx3d_api tests/check_gfx3d_raster tests/check_gfx3d_pixels tests/check_gfx3d_coverage tests/check_gfx3d_record tests/check_gfx3d_virgl tests/replay_qsc
tests_check_gfx3d_api_SOURCES = tests/check_gfx3d_api.c tests/gfx3d_scene.h
tests_check_gfx3d_api_CFLAGS = $(TEST_CFLAGS)
tests_check_gfx3d_api_LDADD = $(TEST_LIBS)
tests_check_gfx3d_raster_SOURCES = tests/check_gfx3d_raster.c tests/gfx3d_scene.h
tests_check_gfx3d_raster_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_gfx3d_raster_LDADD = $(TEST_LIBS) -lm
tests_check_gfx3d_pixels_SOURCES = tests/check_gfx3d_pixels.c tests/gfx3d_scene.h tests/oracle/random.h
tests_check_gfx3d_pixels_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_gfx3d_pixels_LDADD = $(TEST_LIBS) -lm
tests_check_gfx3d_coverage_SOURCES = tests/check_gfx3d_coverage.c tests/gfx3d_scene.h tests/oracle/random.h tests/oracle/soft_tri.h
tests_check_gfx3d_coverage_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_gfx3d_coverage_LDADD = $(TEST_LIBS) -lm
tests_check_gfx3d_record_SOURCES = tests/check_gfx3d_record.c tests/gfx3d_scene.h tests/oracle/random.h
tests_check_gfx3d_record_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_gfx3d_record_LDADD = $(TEST_LIBS)
tests_check_gfx3d_virgl_SOURCES = tests/check_gfx3d_virgl.c tests/gfx3d_scene.h tests/oracle/random.h
tests_check_gfx3d_virgl_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_gfx3d_virgl_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/check_gfx3d_tables
TESTS += tests/check_gfx3d_tables
tests_check_gfx3d_tables_SOURCES = tests/check_gfx3d_tables.c tests/gfx3d_scene.h
tests_check_gfx3d_tables_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_gfx3d_tables_LDADD = $(TEST_LIBS) -lm
tests_replay_qsc_SOURCES = tests/fuzz/fuzz_qsc.c tests/fuzz/replay.c tests/oracle/random.h
tests_replay_qsc_CFLAGS = $(AM_CFLAGS) -I$(srcdir)/tests
tests_replay_qsc_LDADD = src/libqscore.la
if FUZZ
noinst_PROGRAMS += tests/fuzz_qsc
tests_fuzz_qsc_SOURCES = tests/fuzz/fuzz_qsc.c
tests_fuzz_qsc_LDADD = src/libqscore.la
tests_fuzz_qsc_LDFLAGS = -fsanitize=fuzzer
endif
TESTS += tests/check_gfx3d_programs
dist_check_SCRIPTS += tests/check_gfx3d_programs
