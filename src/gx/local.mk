src_libqscore_la_SOURCES += src/gx/machine.h src/gx/quirks.def
