# src/file
src_libqscore_la_SOURCES += src/file/capture.h src/file/capture.c src/file/dff.c src/file/index.c src/file/updates.c \
	src/file/command_text.c src/file/dff_write.c
