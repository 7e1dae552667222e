# Gfx3D: the interface, the rasteriser, captures of calls.
check_PROGRAMS += tests/check_gfx3d_api tests/check_gfx3d_raster
TESTS += tests/check_gfx3d_api tests/check_gfx3d_raster
tests_check_gfx3d_api_SOURCES = tests/check_gfx3d_api.c tests/gfx3d_scene.h
tests_check_gfx3d_api_CFLAGS = $(TEST_CFLAGS)
tests_check_gfx3d_api_LDADD = $(TEST_LIBS)
tests_check_gfx3d_raster_SOURCES = tests/check_gfx3d_raster.c tests/gfx3d_scene.h tests/oracle/random.h tests/oracle/soft_tri.h
tests_check_gfx3d_raster_CFLAGS = $(TEST_CFLAGS) -I$(srcdir)/tests
tests_check_gfx3d_raster_LDADD = $(TEST_LIBS) -lm
