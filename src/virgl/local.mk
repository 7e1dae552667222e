# The second renderer: a virtual GPU on a VirGL host.
src_libqscore_la_SOURCES += src/virgl/protocol.h src/virgl/protocol.c src/virgl/stream.h src/virgl/stream.c src/virgl/decode.c \
	src/virgl/vtest.h src/virgl/vtest.c src/virgl/host.h src/virgl/host.c \
	src/virgl/device.h src/virgl/device_inside.h src/virgl/device.c src/virgl/state.c
