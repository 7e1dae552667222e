src_libqscore_la_SOURCES += src/gx/machine.h src/gx/quirks.def src/gx/su.h src/gx/su.c src/gx/su_edge.c src/gx/ras.c src/gx/draw.c
src_libqscore_la_SOURCES += src/gx/vertex_size.c
