# CSIR and Gfx3D
src_libqscore_la_SOURCES += src/gfx3d/quirks.def src/gfx3d/quirks.h src/gfx3d/quirks.c src/gfx3d/csir_ops.def src/gfx3d/csir.h \
	src/gfx3d/csir.c src/gfx3d/optimize.c src/gfx3d/verify.c src/gfx3d/digits.c
src_libqscore_la_SOURCES += src/gfx3d/exec.h src/gfx3d/exec_kernels.h src/gfx3d/exec_build.c src/gfx3d/exec_plan.c src/gfx3d/exec_run.c \
	src/gfx3d/exec_avx2.c src/gfx3d/exec_tap.c src/gfx3d/exec_math.c src/gfx3d/sample.c
