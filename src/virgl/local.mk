# The second renderer: a virtual GPU on a VirGL host.
src_libqscore_la_SOURCES += src/virgl/protocol.h src/virgl/protocol.c src/virgl/stream.h src/virgl/stream.c src/virgl/decode.c \
	src/virgl/vtest.h src/virgl/vtest.c src/virgl/host.h src/virgl/host.c \
	src/virgl/device.h src/virgl/device_inside.h src/virgl/device.c src/virgl/state.c
src_libqscore_la_SOURCES += src/virgl/gx_text.h src/virgl/gx_text.c src/virgl/gx_shader.h src/virgl/gx_sample.c src/virgl/gx_stages.c \
	src/virgl/gx_pixel.c src/virgl/gx_program.c src/virgl/gx_virgl.h src/virgl/gx_inside.h src/virgl/gx_texture.c \
	src/virgl/gx_efb.c src/virgl/gx_triangles.c src/virgl/gx_host.c \
	src/virgl/gx_vertex.h src/virgl/gx_vertex.c src/virgl/gx_vertex_light.c src/virgl/gx_vertex_texgen.c \
	src/virgl/gx_vertex_fill.c src/virgl/gx_feed.c src/virgl/gx_probe.c
