src_libqscore_la_SOURCES += src/core/bits.h src/core/error.c src/core/moment.c
src_libqscore_la_SOURCES += src/core/expr.h src/core/expr.c src/core/expr_lex.c src/core/expr_names.c src/core/expr_run.c
src_libqscore_la_SOURCES += src/core/hash.h src/core/hash.c
src_libqscore_la_SOURCES += src/core/image.h src/core/image.c src/core/png.c
