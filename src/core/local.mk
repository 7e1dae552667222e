src_libqscore_la_SOURCES += src/core/bits.h src/core/error.c src/core/moment.c
src_libqscore_la_SOURCES += src/core/hash.h src/core/hash.c
