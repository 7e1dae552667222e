# CSIR and Gfx3D
src_libqscore_la_SOURCES += src/gfx3d/quirks.def src/gfx3d/quirks.h src/gfx3d/quirks.c src/gfx3d/csir_ops.def src/gfx3d/csir.h
