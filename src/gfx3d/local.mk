# CSIR and Gfx3D
src_libqscore_la_SOURCES += src/gfx3d/quirks.def src/gfx3d/quirks.h src/gfx3d/quirks.c src/gfx3d/csir_ops.def src/gfx3d/csir.h \
	src/gfx3d/csir.c src/gfx3d/glsl.h src/gfx3d/glsl.c src/gfx3d/glsl_lex.c src/gfx3d/glsl_parse.c \
	src/gfx3d/glsl_tree.c src/gfx3d/glsl_sem.c src/gfx3d/glsl_expr.c src/gfx3d/glsl_call.c src/gfx3d/glsl_stmt.c src/gfx3d/glsl_print.c src/gfx3d/cache.c src/gfx3d/optimize.c src/gfx3d/verify.c src/gfx3d/flow.c src/gfx3d/digits.c src/gfx3d/link.c src/gfx3d/tgsi.c \
	src/gfx3d/asm.c src/gfx3d/dump.c src/gfx3d/binary.c
src_libqscore_la_SOURCES += src/gfx3d/exec.h src/gfx3d/exec_kernels.h src/gfx3d/exec_build.c src/gfx3d/exec_plan.c src/gfx3d/exec_run.c \
	src/gfx3d/exec_avx2.c src/gfx3d/exec_tap.c src/gfx3d/exec_math.c src/gfx3d/sample.c
src_libqscore_la_SOURCES += src/gfx3d/shader_api.c
noinst_PROGRAMS += src/gfx3d/mkcsir
src_gfx3d_mkcsir_SOURCES = src/gfx3d/mkcsir.c src/gfx3d/csir.c src/gfx3d/quirks.c
# Gfx3D
src_libqscore_la_SOURCES += src/gfx3d.h src/gfx3d/system.h src/gfx3d/calls.def src/gfx3d/api.c src/gfx3d/call.c src/gfx3d/objects.c src/gfx3d/resources.c \
	src/gfx3d/program.c src/gfx3d/frame.c src/gfx3d/lanes.h src/gfx3d/raster.h src/gfx3d/vertex.c src/gfx3d/setup.c src/gfx3d/walk.c \
	src/gfx3d/fragment.c src/gfx3d/pixel.c src/gfx3d/sampler.c src/gfx3d/draw.c src/gfx3d/proof.c src/gfx3d/soft.c \
	src/gfx3d/qsc.h src/gfx3d/qsc_write.c src/gfx3d/qsc_read.c src/gfx3d/host.h src/gfx3d/host_inside.h src/gfx3d/host.c src/gfx3d/host_state.c src/gfx3d/host_probe.c src/gfx3d/snapshot.c src/gfx3d/qsc_index.c
include_HEADERS += src/gfx3d.h
