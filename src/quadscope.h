/* quadscope.h - the public interface of libquadscope
 *
 * A capture is opened (struct qs_capture), a timeline replays it (struct qs_timeline), and everything that a person, a script
 * or a panel can ask is asked of the timeline at its current moment.  Plain C17; no globals; one owner thread per timeline
 * (only qs_timeline_cancel may be called from another thread).
 *
 * Words: draw = one primitive command; primitive = one point, line or triangle of it (before clipping); quad = 2x2 pixels at
 * even coordinates; fragment = one covered pixel of a quad, numbered 0 top left, 1 top right, 2 bottom left, 3 bottom right;
 * pixel = a place in the EFB, (0,0) top left.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QUADSCOPE_H
#define QUADSCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define QS_NONE UINT32_MAX /* "no such command, draw, primitive ..." */

/* ---- errors ------------------------------------------------------------------------------------------------------------- */

enum qs_error_code {
	QS_OK = 0,
	QS_ERR_IO,          /* the system refused: open, read, write, memory map */
	QS_ERR_FORMAT,      /* the input is damaged or of another kind */
	QS_ERR_RANGE,       /* a moment, register, coordinate or option that does not exist */
	QS_ERR_NOMEM,
	QS_ERR_CANCELLED,   /* qs_timeline_cancel or a progress function asked to stop */
	QS_ERR_SCRIPT,
	QS_ERR_UNSUPPORTED, /* valid, but this build cannot do it; the text says what to install or choose */
};

/* The text is a full sentence for a person: what was wrong, where, what to do. */
struct qs_error {
	enum qs_error_code code;
	uint64_t offset; /* file offset the message is about, or 0 */
	char text[512];
};

void qs_error_set(struct qs_error *error, enum qs_error_code code, uint64_t offset, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* ---- moments ------------------------------------------------------------------------------------------------------------ */

/* How fine a moment is.  Being "at" a moment means that everything up to and including the named thing is done. */
enum qs_level {
	QS_LEVEL_START = 0, /* initial state loaded, nothing executed; written "0" */
	QS_LEVEL_FRAME,     /* all commands of the frame done; written "2" */
	QS_LEVEL_COMMAND,   /* written "2@0x1a3c": FIFO offset in the frame; "2@0x1a3c.5": sixth command of the list called there */
	QS_LEVEL_DRAW,      /* written "2/57" */
	QS_LEVEL_PRIMITIVE, /* written "2/57/0" */
	QS_LEVEL_QUAD,      /* written "2/57/0/13" */
	QS_LEVEL_FRAGMENT,  /* written "2/57/0/13/2": the fragment's verdict has fallen and its pixel is written */
	QS_LEVEL_STAGE,     /* written "2/57/0/13/2/4": stage 4 done, pixel not yet written */
};

/* frame counts from 1, everything else from 0.  Fields finer than level are 0.  command is the index into the capture's
 * command list (over all frames) and always set except at QS_LEVEL_START; draw is the number of the draw within its frame
 * for levels DRAW and finer, and QS_NONE for COMMAND moments that are no draws. */
struct qs_moment {
	enum qs_level level;
	uint32_t frame;
	uint32_t command;
	uint32_t draw;
	uint32_t primitive;
	uint32_t quad;
	uint32_t fragment;
	uint32_t stage;
};

struct qs_capture;

/* Total order: <0, 0, >0.  A coarse moment sorts after the finer ones inside it ("2/57" after "2/57/0"). */
int qs_moment_compare(const struct qs_moment *a, const struct qs_moment *b);
/* Writes the text form; returns buffer.  80 bytes always suffice. */
char *qs_moment_format(const struct qs_capture *capture, const struct qs_moment *moment, char *buffer, size_t size);
/* Parses a text form and resolves it against the capture (frame, draw and command must exist). */
bool qs_moment_parse(const struct qs_capture *capture, const char *text, struct qs_moment *moment, struct qs_error *error);
/* The moment of a whole command: a DRAW moment when it is a draw, else a COMMAND moment. */
bool qs_moment_of_command(const struct qs_capture *capture, uint32_t command, struct qs_moment *moment);
const char *qs_level_name(enum qs_level level);

/* ---- captures ----------------------------------------------------------------------------------------------------------- */

enum qs_command_kind {
	QS_COMMAND_NOP,        /* a run of 00 bytes is one command */
	QS_COMMAND_CP,         /* 08 */
	QS_COMMAND_XF,         /* 10 */
	QS_COMMAND_XF_INDEXED, /* 20 28 30 38 */
	QS_COMMAND_LIST,       /* 40: call of a display list; its commands follow as children */
	QS_COMMAND_METRICS,    /* 44 */
	QS_COMMAND_INVALIDATE, /* 48 */
	QS_COMMAND_BP,         /* 61 */
	QS_COMMAND_COPY,       /* 61 of register 52: copy to texture or display */
	QS_COMMAND_DRAW,       /* 80-BF */
	QS_COMMAND_CALL,       /* Gfx3D: a call that is no draw */
	QS_COMMAND_BAD,        /* undecodable byte: the rest of the frame (or list) is one BAD command */
};

struct qs_command {
	uint32_t frame;  /* from 1 */
	uint32_t offset; /* in the frame's FIFO bytes; for children: in the list */
	uint32_t size;   /* bytes */
	uint32_t parent; /* command index of the LIST command, or QS_NONE */
	uint32_t draw;   /* number of the draw within its frame, or QS_NONE */
	uint8_t opcode;
	uint8_t kind;         /* enum qs_command_kind */
	uint16_t vertex_size; /* draws: bytes per vertex, else 0 */
};

struct qs_frame {
	uint32_t first_command, command_count; /* children included, in execution order */
	uint32_t draw_count;
	uint32_t fifo_size, update_count;
	uint32_t list_child_count;
	uint64_t fifo_offset; /* file offset */
};

enum qs_update_type { QS_UPDATE_TEXTURE = 1, QS_UPDATE_XF = 2, QS_UPDATE_VERTEX = 4, QS_UPDATE_TMEM = 8 };

/* A memory update at the command before which it really applies (docs/dff-format: late texture updates are moved forward). */
struct qs_update {
	uint32_t frame;
	uint32_t fifo_position; /* as the file says */
	uint32_t command;       /* applied before this command executes */
	uint32_t address;       /* as the file says */
	uint32_t size;
	uint8_t type;
	uint64_t data_offset; /* file offset */
};

struct qs_warning {
	uint64_t offset;  /* file offset */
	uint32_t command; /* or QS_NONE */
	char *text;
};

/* Initial state as the file gives it (missing words are 0). */
struct qs_initial_state {
	uint32_t bp[256], cp[256], xf_memory[4096], xf_registers[96];
	uint32_t xf_register_count;
	const uint8_t *tmem; /* tmem_size bytes or NULL */
	uint32_t tmem_size;
};

/* Which machine a capture is for.  Questions about units the other machine does not have (registers, TMEM, textures by map) give
 * 0 or an error. */
enum qs_machine { QS_MACHINE_FLIPPER, QS_MACHINE_GFX3D };

struct qs_capture_info {
	enum qs_machine machine;
	const char *path;   /* as given, or "(memory)" */
	const char *format; /* "Dolphin FIFO log", "Gfx3D calls" */
	uint64_t size;
	uint32_t version, min_loader_version;
	bool wii;
	bool truncated; /* the tail is cut; frames up to the cut are there */
	uint32_t mem1_size, mem2_size;
	uint32_t frame_count, draw_count, update_count, warning_count;
	uint32_t command_count;
};

/* fraction 0..1; return false to cancel */
typedef bool (*qs_progress_fn)(double fraction, void *user);

struct qs_capture *qs_capture_open(const char *path, qs_progress_fn progress, void *user, struct qs_error *error);
/* The bytes are copied. */
struct qs_capture *qs_capture_open_memory(const void *data, size_t size, struct qs_error *error);
void qs_capture_destroy(struct qs_capture *capture);
const struct qs_capture_info *qs_capture_info(const struct qs_capture *capture);
const struct qs_initial_state *qs_capture_initial(const struct qs_capture *capture);
const struct qs_frame *qs_capture_frame(const struct qs_capture *capture, uint32_t frame); /* from 1; NULL out of range */
const struct qs_command *qs_capture_command(const struct qs_capture *capture, uint32_t command);
const uint8_t *qs_capture_command_bytes(const struct qs_capture *capture, uint32_t command);
uint64_t qs_capture_command_file_offset(const struct qs_capture *capture, uint32_t command); /* of a child: of its LIST */
uint32_t qs_capture_draw_command(const struct qs_capture *capture, uint32_t frame, uint32_t draw); /* QS_NONE out of range */
/* Updates to apply before the command, in order; returns their number. */
uint32_t qs_capture_updates(const struct qs_capture *capture, uint32_t command, const struct qs_update **first);
const uint8_t *qs_capture_update_data(const struct qs_capture *capture, const struct qs_update *update);
const struct qs_warning *qs_capture_warning(const struct qs_capture *capture, uint32_t i);
/* One line of decoded text: "BP 00 GEN_MODE = 0x000011  ntex 1 ncol 1 ...", "draw triangles 36 vertices, format 0". */
char *qs_command_text(const struct qs_capture *capture, uint32_t command, char *buffer, size_t size);

/* ---- registers ---------------------------------------------------------------------------------------------------------- */

enum qs_unit { QS_UNIT_BP, QS_UNIT_CP, QS_UNIT_XF, QS_UNIT_PE, QS_UNIT_COUNT };

enum qs_field_kind { QS_FIELD_UINT, QS_FIELD_SINT, QS_FIELD_FIXED, QS_FIELD_FLOAT, QS_FIELD_ENUM, QS_FIELD_BOOL, QS_FIELD_ADDRESS };

struct qs_enum_value {
	uint32_t value;
	const char *name;
};

struct qs_field {
	const char *name; /* lower case, unique in its register: "ntev" */
	uint8_t lsb, bits;
	uint8_t kind;         /* enum qs_field_kind; a FLOAT shorter than 32 bits is the upper part of an IEEE single */
	int8_t fraction;      /* FIXED: fraction bits; ADDRESS: left shift that gives the byte address */
	bool is_signed;       /* FIXED: two's complement */
	const struct qs_enum_value *values; /* ENUM: ends with name NULL; else NULL */
	const char *text;     /* one sentence */
};

/* BP addresses 0x100-0x107 are the konst bank of 0xE0-0xE7 (written with bit 23 set).  XF addresses include the memory
 * (0x0000-0x0FFF) and the registers (0x1000-0x1057).  PE addresses are byte offsets of the CPU-visible 16-bit registers. */
struct qs_register {
	uint8_t unit;     /* enum qs_unit */
	uint16_t address;
	const char *name; /* "GEN_MODE" */
	const char *group; /* "GEN", "SU", "RAS1", "TX", "TEV", "PE", "CP", "XF ..." */
	uint8_t width;    /* bits: 24 BP, 32 CP and XF, 16 PE */
	bool acts;        /* writing it does something (copy, load, token) */
	uint32_t reset;
	const struct qs_field *fields;
	uint16_t field_count;
	const char *text;
	const char *source; /* document and section of the specification */
	uint32_t unused;    /* bits that mean nothing: never part of a field */
};

const char *qs_unit_name(enum qs_unit unit); /* "bp" */
bool qs_unit_parse(const char *name, enum qs_unit *unit);
uint32_t qs_register_count(enum qs_unit unit);
const struct qs_register *qs_register_at(enum qs_unit unit, uint32_t index); /* in address order */
const struct qs_register *qs_register_find(enum qs_unit unit, uint32_t address); /* NULL: unused address */
const struct qs_register *qs_register_by_name(enum qs_unit unit, const char *name); /* case does not matter */
const struct qs_field *qs_field_by_name(const struct qs_register *reg, const char *name);
uint32_t qs_field_raw(const struct qs_field *field, uint32_t value);
double qs_field_number(const struct qs_field *field, uint32_t value); /* signed, fixed, float, address applied */
/* "3 (lequal)", "-1.25", "0x00600000"; returns buffer */
char *qs_field_format(const struct qs_field *field, uint32_t value, char *buffer, size_t size);
/* All fields on one line, zero fields left out. */
char *qs_register_format(const struct qs_register *reg, uint32_t value, char *buffer, size_t size);

/* ---- captures in the making ---------------------------------------------------------------------------------------------- */

/* Collects initial registers, commands and memory updates, and gives them the form of a Dolphin FIFO log (docs/dff-format.md).
 * What is recorded is not checked: a recording can hold any bytes that the reader should be tried with. */
struct qs_recording;

/* version: 1..5; from 4 on with texture memory. */
struct qs_recording *qs_recording_create(uint32_t version, bool wii, struct qs_error *error);
void qs_recording_destroy(struct qs_recording *recording);
/* A register's value before the first frame; BP 0x100-0x107 is the konst bank, XF includes its memory.  Not for PE. */
bool qs_recording_register(struct qs_recording *recording, enum qs_unit unit, uint32_t address, uint32_t value,
	struct qs_error *error);
/* Texture memory before the first frame; needs version 4. */
bool qs_recording_tmem(struct qs_recording *recording, uint32_t address, const void *data, size_t size, struct qs_error *error);
/* Adds command bytes to the frame. */
bool qs_recording_append(struct qs_recording *recording, const void *bytes, size_t size, struct qs_error *error);
/* Adds a memory update at the frame's current end. */
bool qs_recording_update(struct qs_recording *recording, enum qs_update_type type, uint32_t address, const void *data, size_t size,
	struct qs_error *error);
bool qs_recording_end_frame(struct qs_recording *recording, struct qs_error *error);
uint32_t qs_recording_frames(const struct qs_recording *recording); /* ended ones */
/* The whole file, malloc'ed; commands after the last end of a frame make one more frame, and without
 * any there is an empty one. */
bool qs_recording_bytes(const struct qs_recording *recording, uint8_t **data, size_t *size, struct qs_error *error);

/* ---- records: what the units report ------------------------------------------------------------------------------------- */

struct qs_rect {
	int32_t x0, y0, x1, y1; /* x1, y1 exclusive */
};

struct qs_plane {
	float f0, dfdx, dfdy; /* value at (x,y) = f0 + dfdx*(x - x_ref) + dfdy*(y - y_ref), reference point in the setup record */
};

/* value(x,y) = c + dx*x + dy*y at a point in EFB pixels; inside when > 0, or = 0 and top_left. */
struct qs_edge {
	double dx, dy, c;
	bool top_left;
	uint8_t from, to; /* vertex numbers in the setup record */
};

enum qs_primitive_kind { QS_PRIMITIVE_POINT, QS_PRIMITIVE_LINE, QS_PRIMITIVE_TRIANGLE };

enum qs_setup_verdict {
	QS_SETUP_DRAWN,
	QS_SETUP_REJECTED,  /* XF: all vertices outside one plane */
	QS_SETUP_CLIPPED,   /* nothing left after clipping */
	QS_SETUP_CULLED,
	QS_SETUP_DEGENERATE, /* zero area */
	QS_SETUP_SCISSORED, /* no pixel inside the scissor */
};

struct qs_vertex {
	uint32_t index; /* in the draw's vertex data; QS_NONE: made by clipping or line/point expansion */
	float object[3];
	float eye[3];
	float clip[4];
	float screen[3]; /* x, y in EFB pixels (scissor offset applied), z 0..16777215 */
	float inv_w;
	float normal[3];
	uint8_t colour[2][4];
	float tex[8][3]; /* s, t in texels of level 0 (times SU size); q */
	uint8_t outcode; /* bits 0..5: x>w x<-w y>w y<-w z>0 z<-w */
};

/* One triangle as the rasteriser gets it.  A primitive gives several parts when it is clipped, when it is a line or point
 * (two triangles), or when the scissor wraps. */
struct qs_setup {
	uint8_t kind;    /* enum qs_primitive_kind of the primitive */
	uint8_t verdict; /* enum qs_setup_verdict; the rest is set only as far as the primitive got */
	uint8_t ntex, ncol;
	uint32_t part, part_count;
	struct qs_vertex vertex[3];
	double area2;     /* twice the signed area on the screen, y down; > 0 clockwise */
	struct qs_edge edge[3];
	struct qs_rect scissor, box; /* box: pixels that are walked, scissor applied */
	float x_ref, y_ref;
	bool z_frozen;    /* the z plane is an earlier triangle's (zfreeze) */
	struct qs_plane z, inv_w, colour[2][4], tex[8][3];
	uint8_t sample_x[4][3], sample_y[4][3]; /* sample points of the 4 pixels in 1/12 pixel; sample 0 only without AA */
	uint8_t sample_count; /* 1 or 3 */
	float sample_offset;  /* without AA: the coverage sample in both axes, 7/12 or what the model says */
	uint32_t primitive_vertex[3]; /* numbers of the draw's vertices that the primitive was assembled from; QS_NONE if fewer */
};

struct qs_texel {
	int32_t s, t;   /* integer texel after wrap */
	uint8_t level;
	uint8_t rgba[4];
	uint16_t weight; /* parts of 16384 (bilinear times 1 level); trilinear weights are in qs_sample.lod_fraction */
	uint32_t address; /* main memory, or TMEM byte address when from_tmem */
	/* with a texture cache: the line of TMEM (32 bytes each; RGBA8: of A and R) it was read from, and whether it was there */
	uint16_t line;
	uint8_t cache; /* enum qs_cache */
	bool stale;    /* main memory has other bytes by now */
};

enum qs_cache {
	QS_CACHE_NONE, /* preloaded, or read from main memory directly */
	QS_CACHE_HIT,
	QS_CACHE_MISS, /* fetched for this quad */
};

#define QS_TEXELS 32

/* One texture lookup of one fragment. */
struct qs_sample {
	bool done;
	uint8_t map, coord;
	int32_t s, t;      /* s17.7 given to the texture unit */
	int32_t lod;       /* 1/16 levels, after bias and clamp */
	uint8_t lod_fraction; /* 0..15 of the next level */
	bool linear, from_tmem;
	uint8_t positions;   /* that are averaged: 1, with anisotropy up to 4 */
	uint8_t texel_count; /* 0..32: up to 8 of each position */
	struct qs_texel texel[QS_TEXELS];
	uint8_t rgba[4]; /* filtered, before swap */
};

struct qs_stage {
	int16_t tex[4], ras[4], konst[4]; /* after swap */
	int16_t a[4], b[4], c[4], d[4];   /* r g b from the colour combiner, a from the alpha combiner */
	int32_t wide[4];                  /* before clamp */
	int16_t result[4];                /* as stored */
	int16_t reg[4][4];                /* PREV C0 C1 C2 after the stage */
	int32_t indirect_s, indirect_t;   /* offset added, s17.7 */
	int32_t coord_s, coord_t;         /* accumulated coordinate, wrapped to 24 bits */
	uint8_t bump_alpha;
	struct qs_sample sample;
};

enum qs_verdict {
	QS_VERDICT_NONE,     /* not covered */
	QS_VERDICT_WRITTEN,
	QS_VERDICT_MASKED,   /* passed, but every write mask is off */
	QS_VERDICT_EARLY_Z,
	QS_VERDICT_ALPHA,
	QS_VERDICT_LATE_Z,
	QS_VERDICT_PENDING,  /* the moment is before its end */
};

struct qs_fragment {
	uint8_t verdict; /* enum qs_verdict */
	uint8_t samples; /* covered samples, 3 bits */
	int16_t x, y;
	uint8_t ras[2][4];
	float inv_w;
	int32_t coord[8][2]; /* s17.7 */
	uint8_t stage_count, indirect_count;
	uint8_t tev[4];      /* combiner result, 8 bit */
	uint8_t source[4];   /* after fog: source colour of the blender */
	uint8_t fog;         /* 0..255 of 256; 256 is stored as 255 */
	bool alpha_tested, alpha_passed, early_z, z_tested, z_passed, z_written;
	uint8_t z_func, alpha_func0, alpha_func1, alpha_ref0, alpha_ref1, alpha_logic;
	uint32_t z_interpolated, z, z_old, z_new; /* 24 bit; z: after Z texture; z_new: stored value after the fragment */
	uint8_t blend_src_factor[4], blend_dst_factor[4]; /* 0..255 */
	uint8_t old_rgba[4], new_rgba[4]; /* pixel before and after, expanded to 8 bits */
	uint8_t blend_mode; /* 0 none, 1 blend, 2 subtract, 3 logic op */
	uint8_t blended[4];  /* after blend or logic, constant alpha and dither, before the write masks; of the first sample */
	/* Pixels of the anti-aliased EFB have three samples (else sample_count is 1 and the arrays are 0); then old_rgba and new_rgba
	 * are resolved as by the plain copy filter, and z_old and z_new those of the first covered sample. */
	uint8_t sample_count, samples_passed; /* 3 bits: covered and through the depth test */
	uint8_t sample_old[3][4], sample_new[3][4];
	uint32_t sample_z[3], sample_z_old[3], sample_z_new[3];
	/* last, because they are large and only filled with QS_TAP_DETAIL */
	struct qs_sample indirect[4];
	struct qs_stage stage[16];
};

struct qs_quad {
	int16_t x, y;      /* top left pixel, even */
	uint16_t coverage; /* bit 3*pixel + sample; without AA the three bits of a pixel are equal */
	uint32_t part;     /* of the setup record */
	double edge[4][3][3]; /* [pixel][sample][edge] edge values; only with QS_TAP_DETAIL */
	struct qs_fragment fragment[4]; /* indirect and stage only with QS_TAP_DETAIL */
};

struct qs_copy {
	bool to_display;
	uint8_t format;  /* texture format code, or 0 */
	bool clear, half, intensity;
	uint8_t gamma;
	struct qs_rect source; /* EFB */
	uint32_t destination, stride, width, height; /* bytes, bytes, output pixels */
	uint8_t filter[7];
	bool filtered;          /* the vertical filter and gamma are applied */
	bool clamp_top, clamp_bottom;
	uint8_t field;          /* 0, 1 all lines; 2 even, 3 odd ones */
	uint8_t pixel_type;     /* of PE_CONTROL */
	uint8_t sample_count;   /* of the source's pixels: 1 or 3 */
	uint16_t line_step;     /* display copies: source lines per line, parts of 256 */
	bool clear_colour, clear_alpha, clear_depth; /* what the clear writes ... */
	uint8_t clear_rgba[4];                       /* ... and what with */
	uint32_t clear_z;
};

/* One reading of the vertical filter. */
struct qs_copy_tap {
	int16_t x, y;    /* EFB pixel that was asked for */
	bool inside;     /* false: beyond the EFB, the border (or what the model says) was read */
	uint8_t sample, weight; /* parts of 64 */
	uint8_t rgba[4]; /* expanded to 8 bits; with pixel type Z24 the bytes of Z */
};

struct qs_copy_pixel {
	uint8_t tap_count; /* 7; 1 when nothing is filtered */
	struct qs_copy_tap tap[7];
	uint8_t filtered[4]; /* after the vertical filter */
	uint8_t rgba[4];     /* after gamma */
};

/* How a texel of a texture copy, or a pixel of a display copy, came about. */
struct qs_copy_texel {
	uint8_t pixel_count;         /* 1; 4 for half size; 2 lines for a scaled display copy */
	struct qs_copy_pixel pixel[4];
	uint16_t line_part;          /* of 256: how much of the second line */
	uint8_t rgba[4];             /* after the box, or between the lines */
	uint8_t converted[4];        /* after the conversion: what is encoded.  Display: Y, U, V of the pixel alone */
	uint8_t part_count;          /* places in memory: 1; 2 for RGBA8 (A and R, G and B) */
	uint32_t address[2];
	uint8_t size;                /* bytes at each of them */
	uint8_t bytes[4];            /* as memory holds them now, in turn; R4: the byte of two texels */
};

enum qs_tmem_kind { QS_TMEM_BLOCK, QS_TMEM_PALETTE, QS_TMEM_INVALIDATE };

/* A command that changes texture memory; lines that lookups fetch are told by struct qs_texel. */
struct qs_tmem_event {
	uint8_t kind; /* enum qs_tmem_kind */
	bool pairs;   /* BLOCK: lines go to address and address_odd in turn */
	uint32_t source;               /* main memory */
	uint32_t address, address_odd; /* TMEM bytes; where a PALETTE begins */
	uint32_t size; /* bytes of address; of a PALETTE: two per entry, whatever room they take */
};

/* ---- taps ---------------------------------------------------------------------------------------------------------------- */

enum qs_tap {
	QS_TAP_COMMAND = 1 << 0,
	QS_TAP_REGISTER = 1 << 1,
	QS_TAP_PRIMITIVE = 1 << 2, /* one call per part, and one for a primitive that gave none */
	QS_TAP_QUAD = 1 << 3,      /* after the quad is done */
	QS_TAP_COPY = 1 << 4,
	QS_TAP_TMEM = 1 << 6,   /* loads into texture memory and invalidation of cached lines */
	QS_TAP_DETAIL = 1 << 5, /* quads come with indirect, stages, coordinates, texels and edge values */
};

/* Called on the timeline's thread while it replays.  moment is of the event; records are valid during the call.  A function
 * that returns false stops the replay after the event (the timeline then stands at the event's moment).  Meanwhile registers and
 * memory are those of the event and pixels those after its batch of quads; what would move the machine is refused. */
struct qs_taps {
	uint32_t mask; /* enum qs_tap */
	void *user;
	bool (*command)(void *user, const struct qs_moment *moment);
	bool (*write)(void *user, const struct qs_moment *moment, enum qs_unit unit, uint32_t address, uint32_t old, uint32_t value);
	bool (*primitive)(void *user, const struct qs_moment *moment, const struct qs_setup *setup);
	bool (*quad)(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad);
	/* Memory holds the result, the clear is still to come: pixels are those that were copied. */
	bool (*copy)(void *user, const struct qs_moment *moment, const struct qs_copy *copy);
	bool (*tmem)(void *user, const struct qs_moment *moment, const struct qs_tmem_event *event);
};

/* ---- expressions --------------------------------------------------------------------------------------------------------- */

/* Conditions of breakpoints and filters, compiled once and tested millions of times: "alpha < 8 and bp.GEN_MODE.ntev > 2",
 * "verdict == late_z or z_old >> 8 == 0xffff", "bp.PE_ZMODE.func != always".
 *
 *   numbers    12, 0x1f, 0.5, 1e-3, true, false; 'name' or "name" for a value name that is no word ("8bit")
 *   names      the variables below; unit.REGISTER is the whole register (also .raw), unit.REGISTER.field a field as
 *              qs_field_number gives it; case does not matter for registers and fields
 *   operators  from weak to strong:  or ||,  and &&,  not,  == != < <= > >=,  |,  ^,  &,  << >>,  + -,  * / %,  - + ~ !
 *
 * All values are doubles, so integers are exact up to 2^53.  << >> & | ^ ~ % take their operands as 64-bit integers (cut toward
 * zero, limited to their range, nan is 0); << drops bits, >> keeps the sign, a count outside 0..63 shifts everything out; %
 * has the sign of the left side and is nan for 0 on the right.  / is the exact quotient and may be inf or nan.  0 and nan are
 * false; and, or, not and comparisons give 1 or 0; and, or do not evaluate the right side when the left decides.  Comparisons
 * with nan are false, != too; they do not chain.  On the right of == and != after an enumerated thing (verdict, kind,
 * setup, unit, a field with value names) its value names come before variables: verdict == alpha. */
struct qs_expr;

/* A variable that the event does not have is nan. */
enum qs_expr_variable {
	/* any event: numbers of its moment */
	QS_VAR_FRAME, QS_VAR_COMMAND, QS_VAR_DRAW, QS_VAR_PRIMITIVE, QS_VAR_QUAD, QS_VAR_FRAGMENT, QS_VAR_STAGE,
	/* commands */
	QS_VAR_OPCODE, QS_VAR_SIZE, QS_VAR_OFFSET,
	/* register writes */
	QS_VAR_UNIT, QS_VAR_ADDRESS, QS_VAR_OLD, QS_VAR_VALUE,
	/* setup records */
	QS_VAR_KIND, QS_VAR_SETUP, QS_VAR_AREA,
	/* quads: x, y are the fragment's pixel, or the quad's top left one */
	QS_VAR_X, QS_VAR_Y, QS_VAR_COVERAGE,
	/* fragments: alpha is what the alpha test sees, r g b a the colour that is blended, old_ and new_ the pixel */
	QS_VAR_SAMPLES, QS_VAR_VERDICT, QS_VAR_ALPHA, QS_VAR_R, QS_VAR_G, QS_VAR_B, QS_VAR_A, QS_VAR_Z, QS_VAR_Z_OLD, QS_VAR_Z_NEW,
	QS_VAR_OLD_R, QS_VAR_OLD_G, QS_VAR_OLD_B, QS_VAR_OLD_A, QS_VAR_NEW_R, QS_VAR_NEW_G, QS_VAR_NEW_B, QS_VAR_NEW_A, QS_VAR_FOG,
	QS_VAR_COUNT
};

struct qs_expr_env {
	double variable[QS_VAR_COUNT];
	/* Register value; NULL: all registers read 0. */
	uint32_t (*read)(void *user, enum qs_unit unit, uint32_t address);
	void *user;
};

/* NULL: error says what was expected and where; its offset is the column, from 1, in characters. */
struct qs_expr *qs_expr_compile(const char *text, struct qs_error *error);
void qs_expr_destroy(struct qs_expr *expr);
const char *qs_expr_text(const struct qs_expr *expr);
/* Any thread; about 10 ns for a short condition. */
double qs_expr_evaluate(const struct qs_expr *expr, const struct qs_expr_env *env);
bool qs_expr_test(const struct qs_expr *expr, const struct qs_expr_env *env);
/* Bit 1 << variable for each variable it reads. */
uint64_t qs_expr_variables(const struct qs_expr *expr);
bool qs_expr_reads_registers(const struct qs_expr *expr);
/* The coarsest level whose events have all of its variables: START when it reads none, FRAGMENT for "verdict == late_z". */
enum qs_level qs_expr_level(const struct qs_expr *expr);
const char *qs_expr_variable_name(enum qs_expr_variable variable);
const char *qs_expr_variable_text(enum qs_expr_variable variable); /* one sentence */

/* Fill an environment from an event; init makes everything nan and reads nothing.  The variables of coarser things stay. */
void qs_expr_env_init(struct qs_expr_env *env);
void qs_expr_env_moment(struct qs_expr_env *env, const struct qs_moment *moment);
void qs_expr_env_command(struct qs_expr_env *env, const struct qs_command *command);
void qs_expr_env_write(struct qs_expr_env *env, enum qs_unit unit, uint32_t address, uint32_t old, uint32_t value);
void qs_expr_env_setup(struct qs_expr_env *env, const struct qs_setup *setup);
void qs_expr_env_quad(struct qs_expr_env *env, const struct qs_quad *quad);
void qs_expr_env_fragment(struct qs_expr_env *env, const struct qs_fragment *fragment);

/* ---- models ------------------------------------------------------------------------------------------------------------- */

enum qs_model { QS_MODEL_HARDWARE, QS_MODEL_DOLPHIN, QS_MODEL_PUREIKYUBU, QS_MODEL_COUNT };

struct qs_quirk {
	const char *name;          /* "sample_point" */
	int value[QS_MODEL_COUNT]; /* per model */
	const char *text;          /* what the values mean */
};

const char *qs_model_name(enum qs_model model);
bool qs_model_parse(const char *name, enum qs_model *model);
uint32_t qs_quirk_count(void);
const struct qs_quirk *qs_quirk_at(uint32_t i);

/* ---- the timeline ------------------------------------------------------------------------------------------------------- */

struct qs_timeline;

/* The capture must outlive the timeline. */
struct qs_timeline *qs_timeline_create(struct qs_capture *capture, struct qs_error *error);
void qs_timeline_destroy(struct qs_timeline *timeline);
struct qs_capture *qs_timeline_capture(const struct qs_timeline *timeline);
void qs_timeline_set_model(struct qs_timeline *timeline, enum qs_model model); /* keeps the moment */
enum qs_model qs_timeline_model(const struct qs_timeline *timeline);
bool qs_timeline_set_quirk(struct qs_timeline *timeline, const char *name, int value, struct qs_error *error);
int qs_timeline_quirk(const struct qs_timeline *timeline, const char *name);
/* What if: forces the bits under mask of a BP, CP or XF register to those of value, in the initial state and whenever it is
 * written.  Keeps the moment, or goes to what holds it.  Returns a number for remove; 0: no such register, one that decides how
 * the bytes of the capture are read (vertex formats, the write mask), or too many. */
uint32_t qs_timeline_override_add(struct qs_timeline *timeline, enum qs_unit unit, uint32_t address, uint32_t mask, uint32_t value,
	struct qs_error *error);
bool qs_timeline_override_remove(struct qs_timeline *timeline, uint32_t id);
uint32_t qs_timeline_override_count(const struct qs_timeline *timeline);
/* Threads that shade when nobody looks at the single quads: 1..16, at first as many as there are processors, at most 4.  Results
 * never depend on it. */
void qs_timeline_set_threads(struct qs_timeline *timeline, unsigned threads);
/* What the processor does to the EFB between commands: pokes, and the registers ZCONF, ALPHACONF, DSTALPHA, ALPHAMODE, ALPHAREAD that
 * rule them.  A capture holds none; those that are added happen right after their command, in the order of adding. */
enum qs_access_kind { QS_ACCESS_COLOUR, QS_ACCESS_DEPTH, QS_ACCESS_REGISTER, QS_ACCESS_COUNT };
struct qs_access {
	uint32_t command; /* QS_NONE: at the start */
	uint8_t kind;     /* enum qs_access_kind */
	uint16_t x, y;    /* REGISTER: x is its byte offset */
	uint32_t value;   /* COLOUR: ARGB; DEPTH: 24 bits */
};
/* Keeps the moment, as qs_timeline_override_add does; returns a number for remove, or 0. */
uint32_t qs_timeline_access_add(struct qs_timeline *timeline, const struct qs_access *access, struct qs_error *error);
bool qs_timeline_access_remove(struct qs_timeline *timeline, uint32_t id);
uint32_t qs_timeline_access_count(const struct qs_timeline *timeline);
/* What the processor would read: ARGB with the alpha that ALPHAREAD chooses, or depth. */
bool qs_timeline_peek(struct qs_timeline *timeline, enum qs_access_kind kind, int x, int y, uint32_t *value, struct qs_error *error);
void qs_timeline_set_batch(struct qs_timeline *timeline, unsigned quads); /* 1..16; results never depend on it */
void qs_timeline_cancel(struct qs_timeline *timeline); /* any thread: the running call returns QS_ERR_CANCELLED soon */

/* Who draws.  The soft pipeline is the units of this library, exact and steppable.  The shader pipeline hands whole draws to a
 * VirGL host (virgl_test_server): RAS to PE as a fragment program in integers, everything else as before.  Moments inside a draw
 * and their records are always those of the units, on the pixels that the pipeline has drawn up to there. */
enum qs_pipeline { QS_PIPELINE_SOFT, QS_PIPELINE_SHADER, QS_PIPELINE_COUNT };

struct qs_pipeline_options {
	const char *socket; /* of a running virgl_test_server; NULL: one is started */
	const char *driver; /* Mesa's driver of one that is started: "llvmpipe" (NULL), "softpipe", "native" */
};

const char *qs_pipeline_name(enum qs_pipeline pipeline); /* "soft", "shader" */
bool qs_pipeline_parse(const char *name, enum qs_pipeline *pipeline);
/* From the frame `from` on (0: the one after that of the moment, at the start the first) this pipeline draws; keeps the moment.
 * options NULL: those of before.  QS_ERR_UNSUPPORTED: no host, or none that can do it; the text says what to install. */
bool qs_timeline_set_pipeline(struct qs_timeline *timeline, enum qs_pipeline pipeline, uint32_t from,
	const struct qs_pipeline_options *options, struct qs_error *error);
enum qs_pipeline qs_timeline_pipeline(const struct qs_timeline *timeline, uint32_t frame); /* 0: of the frame set_pipeline takes for 0 */
/* What the host failed at since the last call; false: nothing.  The pictures are right all the same: another host was tried,
 * and when that failed too, the soft pipeline has drawn. */
bool qs_timeline_pipeline_trouble(struct qs_timeline *timeline, struct qs_error *error);

/* The host's programs for a draw, TGSI, and the commands that draw it. */
struct qs_program {
	char *vertex, *fragment;
	char *commands; /* NULL: no host was there, `reason` says why */
	char reason[512];
	struct qs_program_part {
		uint32_t line; /* of the fragment program's text, from 0: where the part begins */
		char name[28]; /* "stage 3", "fog" */
	} part[64];
	uint32_t part_count;
};
/* Of the draw at the moment (DRAW or finer). */
bool qs_timeline_program(struct qs_timeline *timeline, struct qs_program *program, struct qs_error *error);
void qs_program_finish(struct qs_program *program);

const struct qs_moment *qs_timeline_moment(const struct qs_timeline *timeline);
/* Primitive, quad, fragment and stage numbers must exist; the error says how many there are. */
bool qs_timeline_seek(struct qs_timeline *timeline, const struct qs_moment *moment, struct qs_error *error);
/* n > 0 forward, n < 0 back, by things of that level (COMMAND steps over every command; DRAW, PRIMITIVE ... skip what has
 * none).  Stops at the first or last such thing; returns how many steps were made, signed; error->code is QS_OK when none was
 * possible, else what failed. */
int qs_timeline_step(struct qs_timeline *timeline, enum qs_level level, int n, struct qs_error *error);
/* Next (direction > 0) or previous draw whose fragments reach the pixel, passed or failed; QS_ERR_RANGE: none. */
bool qs_timeline_seek_pixel(struct qs_timeline *timeline, int x, int y, int direction, struct qs_error *error);
/* Next or previous command that changes the register's bits under mask. */
bool qs_timeline_seek_write(struct qs_timeline *timeline, enum qs_unit unit, uint32_t address, uint32_t mask, int direction,
	struct qs_error *error);
/* Runs from `from` (NULL: the start) to `to` (NULL: the end of the capture) with taps and stays there. */
bool qs_timeline_replay(struct qs_timeline *timeline, const struct qs_moment *from, const struct qs_moment *to,
	const struct qs_taps *taps, struct qs_error *error);
/* Hash of all machine state at the moment: registers, latches, EFB, TMEM, main memory. */
uint64_t qs_timeline_hash(struct qs_timeline *timeline);

/* What a moment contains: primitives of the draw, quads of the primitive. */
uint32_t qs_timeline_primitive_count(struct qs_timeline *timeline, const struct qs_moment *draw);
uint32_t qs_timeline_quad_count(struct qs_timeline *timeline, const struct qs_moment *primitive);

/* ---- state at the current moment ---------------------------------------------------------------------------------------- */

uint32_t qs_timeline_register(const struct qs_timeline *timeline, enum qs_unit unit, uint32_t address);
/* Command that wrote the register last; QS_NONE: the initial state. */
uint32_t qs_timeline_register_writer(const struct qs_timeline *timeline, enum qs_unit unit, uint32_t address);

enum qs_space { QS_SPACE_MAIN, QS_SPACE_TMEM };
/* Bytes beyond the end read 0; returns how many were inside. Main memory addresses as the console's (MEM1, MEM2 bit 28). */
size_t qs_timeline_memory(const struct qs_timeline *timeline, enum qs_space space, uint32_t address, void *data, size_t size);

enum qs_buffer {
	QS_BUFFER_COLOR,    /* EFB colour, RGBA8 expanded; at a FRAME moment as its display copy read it (before the clear) */
	QS_BUFFER_ALPHA,    /* as grey */
	QS_BUFFER_DEPTH,    /* 24 bit in depth[], grey in rgba[] */
	QS_BUFFER_COVERAGE, /* covered quads of the current draw up to the moment: count per pixel in depth[], heat in rgba[] */
	QS_BUFFER_COPY,     /* RGB of the last display copy */
	QS_BUFFER_XFB,      /* the same after YUV 4:2:2 and back */
	QS_BUFFER_COUNT
};

struct qs_image {
	uint32_t width, height;
	uint8_t *rgba;    /* width*height*4, always */
	uint32_t *depth;  /* width*height or NULL */
};

bool qs_timeline_image(struct qs_timeline *timeline, enum qs_buffer buffer, struct qs_image *image, struct qs_error *error);
void qs_image_finish(struct qs_image *image); /* frees and zeroes; NULL is fine */
const char *qs_buffer_name(enum qs_buffer buffer);
bool qs_buffer_parse(const char *name, enum qs_buffer *buffer);
bool qs_image_write_png(const struct qs_image *image, const char *path, struct qs_error *error);
bool qs_image_read_png(struct qs_image *image, const char *path, struct qs_error *error);

struct qs_image_difference {
	uint64_t pixels, equal, within; /* within the tolerance, equal ones included; RGB only */
	unsigned maximum;
	double mean; /* over all pixels of the largest channel difference */
};
/* difference: NULL or gets an image (amplified).  Sizes must agree. */
bool qs_image_compare(const struct qs_image *a, const struct qs_image *b, unsigned tolerance, struct qs_image_difference *result,
	struct qs_image *difference, struct qs_error *error);

/* One pixel of the EFB at the moment. */
bool qs_timeline_pixel(struct qs_timeline *timeline, int x, int y, uint8_t rgba[4], uint32_t *z);

/* Its samples: their number, 3 in the anti-aliased EFB, else 1; 0: no such pixel, or a capture of another machine. */
unsigned qs_timeline_samples(struct qs_timeline *timeline, int x, int y, uint8_t rgba[3][4], uint32_t z[3]);

/* Setup records of the primitive at the moment (PRIMITIVE or finer; a DRAW moment gives its last primitive).
 * Returns the number of parts, at most max are written. */
uint32_t qs_timeline_setup(struct qs_timeline *timeline, struct qs_setup *setup, uint32_t max, struct qs_error *error);
/* The quad at the moment with all detail (QUAD or finer).  Fragments and stages after the moment are PENDING and zero. */
bool qs_timeline_quad(struct qs_timeline *timeline, struct qs_setup *setup, struct qs_quad *quad, struct qs_error *error);
/* All quads of the primitive at the moment, in traversal order: position and coverage only. *quads is malloc'ed. */
struct qs_quad_place {
	int16_t x, y;
	uint16_t coverage;
	uint16_t part;
};
bool qs_timeline_quads(struct qs_timeline *timeline, struct qs_quad_place **quads, uint32_t *count, struct qs_error *error);
/* Vertices of the draw at the moment as XF left them. *vertices is malloc'ed. */
bool qs_timeline_vertices(struct qs_timeline *timeline, struct qs_vertex **vertices, uint32_t *count, struct qs_error *error);

/* The moment of the fragment that covers (x, y) in the current draw, or with last = true the fragment that wrote the
 * pixel last before or at the current moment (any draw of the frame). QS_ERR_RANGE: none. */
bool qs_timeline_find_fragment(struct qs_timeline *timeline, int x, int y, bool last, struct qs_moment *moment, struct qs_error *error);

enum qs_history_kind { QS_HISTORY_FRAGMENT, QS_HISTORY_CLEAR, QS_HISTORY_START };

struct qs_history_row {
	struct qs_moment moment; /* FRAGMENT level, or the copy command that cleared */
	uint8_t kind;
	uint8_t verdict;
	uint8_t source[4], before[4], after[4];
	uint32_t z, z_before, z_after;
	uint8_t z_func, alpha_func0, alpha_func1, alpha_ref0, alpha_ref1, alpha_logic;
};

/* Everything that reached the pixel in the frame, in order. *rows is malloc'ed. Keeps the current moment. */
bool qs_timeline_history(struct qs_timeline *timeline, uint32_t frame, int x, int y, struct qs_history_row **rows, uint32_t *count,
	struct qs_error *error);
const char *qs_verdict_name(enum qs_verdict verdict);

/* The copy that the moment's command made; QS_ERR_RANGE: it is none. */
bool qs_timeline_copy(struct qs_timeline *timeline, struct qs_copy *copy, struct qs_error *error);
/* How one texel of it (0, 0 top left) came about.  Also inside a copy tap, about the copy of the event. */
bool qs_timeline_copy_texel(struct qs_timeline *timeline, uint32_t x, uint32_t y, struct qs_copy_texel *texel,
	struct qs_error *error);
/* "R4", "RGB565"; depth: with pixel type Z24. */
const char *qs_copy_format_name(uint8_t format);

/* ---- breakpoints -------------------------------------------------------------------------------------------------------- */

/* What a breakpoint watches; the moment of a hit is that of the event. */
enum qs_break_kind {
	QS_BREAK_COMMAND,   /* commands of kind `command` */
	QS_BREAK_DRAW,      /* draws */
	QS_BREAK_PRIMITIVE, /* primitives, drawn or not */
	QS_BREAK_QUAD,      /* quads */
	QS_BREAK_PIXEL,     /* fragments inside rect, passed or failed */
	QS_BREAK_WRITE,     /* writes that change bits of a register */
	QS_BREAK_COUNT
};

enum qs_break_action {
	QS_BREAK_STOP,
	QS_BREAK_LOG,  /* report to the log function and go on */
	QS_BREAK_HITS, /* count only */
};

struct qs_breakpoint {
	uint32_t id; /* from 1; given by qs_timeline_break_add */
	bool enabled;
	uint8_t kind, action; /* enum qs_break_kind, enum qs_break_action */
	uint8_t command; /* COMMAND: enum qs_command_kind */
	uint8_t unit;    /* WRITE: enum qs_unit */
	uint16_t address;
	uint32_t mask;   /* WRITE: only changes of these bits; 0 counts as all */
	uint32_t frame;  /* 0: any */
	uint32_t draw, primitive, quad; /* QS_NONE: any */
	struct qs_rect rect;   /* PIXEL; QUAD: any when empty */
	const char *condition; /* expression over the event, or NULL; the timeline keeps a copy */
	uint64_t hits; /* since it was added */
};

/* Fills b with: enabled, stops, any frame, draw, primitive and quad. */
void qs_breakpoint_init(struct qs_breakpoint *b, enum qs_break_kind kind);
/* "draw 57", "draw 2/57", "primitive 2/57/0", "quad", "pixel 10,20" "pixel 10,20-40,50" (last pixel included), "command copy",
 * "write bp.GEN_MODE.ntev", then optionally "if CONDITION" and "log" or "count" in front.  *condition (NULL or malloc'ed) is
 * what b->condition points to. */
bool qs_breakpoint_parse(const char *text, struct qs_breakpoint *b, char **condition, struct qs_error *error);
/* The same text back; returns buffer. */
char *qs_breakpoint_format(const struct qs_breakpoint *b, char *buffer, size_t size);

/* Returns the id, 0 when the condition cannot be compiled or asks for what the event does not have. */
uint32_t qs_timeline_break_add(struct qs_timeline *timeline, const struct qs_breakpoint *b, struct qs_error *error);
bool qs_timeline_break_remove(struct qs_timeline *timeline, uint32_t id);
bool qs_timeline_break_enable(struct qs_timeline *timeline, uint32_t id, bool enabled);
uint32_t qs_timeline_break_count(const struct qs_timeline *timeline);
const struct qs_breakpoint *qs_timeline_break_at(const struct qs_timeline *timeline, uint32_t i); /* NULL out of range */

struct qs_hit {
	uint32_t id; /* 0: none, the end of the way was reached */
	struct qs_moment moment;
	uint32_t old, value; /* WRITE */
};

/* Called on the timeline's thread for hits of LOG breakpoints. */
typedef void (*qs_break_log_fn)(void *user, const struct qs_breakpoint *b, const struct qs_hit *hit);
void qs_timeline_break_log(struct qs_timeline *timeline, qs_break_log_fn log, void *user);

/* Runs forward (direction > 0) or back to the nearest hit of an enabled STOP breakpoint and stays there; without one, to the
 * end of the capture or to the start.  Backward, LOG and HITS breakpoints see the events in reverse order. */
bool qs_timeline_run(struct qs_timeline *timeline, int direction, struct qs_hit *hit, struct qs_error *error);

/* ---- textures at the current moment ------------------------------------------------------------------------------------- */

struct qs_texture {
	uint8_t map;
	bool used;          /* a stage or indirect stage of GEN_MODE reads it */
	bool preloaded;     /* from TMEM */
	uint32_t address;   /* main memory, or TMEM byte address when preloaded */
	uint32_t width, height, format, levels;
	uint32_t tlut_address, tlut_format, tlut_entries; /* TMEM byte address; entries 0: no palette */
	uint8_t wrap_s, wrap_t, min_filter, mag_filter, mip_filter;
	float min_lod, max_lod, lod_bias;
};

const char *qs_texture_format_name(uint32_t format); /* "RGB5A3" */
bool qs_timeline_texture(struct qs_timeline *timeline, unsigned map, struct qs_texture *texture, struct qs_error *error);
bool qs_timeline_texture_image(struct qs_timeline *timeline, unsigned map, unsigned level, struct qs_image *image, struct qs_error *error);
/* Where the bytes of a level are. */
struct qs_texture_level {
	uint32_t width, height, format;
	uint32_t address, size; /* bytes; main memory, or TMEM when from_tmem */
	bool from_tmem;
};
bool qs_timeline_texture_level(struct qs_timeline *timeline, unsigned map, unsigned level, struct qs_texture_level *place,
	struct qs_error *error);
/* Address of the byte that holds texel (s, t) first (CMPR: its 4x4 block; RGBA8: its A and R). */
uint32_t qs_texture_texel_address(const struct qs_texture_level *level, uint32_t s, uint32_t t);
/* Palette as a 16-wide image. */
bool qs_timeline_tlut_image(struct qs_timeline *timeline, unsigned map, struct qs_image *image, struct qs_error *error);

/* ---- why two renderers disagree ------------------------------------------------------------------------------------------- */

/* What kind of thing makes a difference. */
enum qs_class {
	QS_CLASS_NONE, /* not known */
	QS_CLASS_FILL_RULE,
	QS_CLASS_ROUNDING,
	QS_CLASS_DEPTH_FORMULA,
	QS_CLASS_BLEND,
	QS_CLASS_SWIZZLE,
	QS_CLASS_WRAP,
	QS_CLASS_FORMAT,
	QS_CLASS_SCISSOR,
	QS_CLASS_ALPHA_TEST,
	QS_CLASS_CULL,
	QS_CLASS_CLIP,
	QS_CLASS_INTERPOLATION,
	QS_CLASS_TRANSCENDENTAL,
	QS_CLASS_SAMPLING,
	QS_CLASS_UNINITIALISED,
	QS_CLASS_STALE_STATE,
	QS_CLASS_COUNT
};
const char *qs_class_name(enum qs_class kind); /* "fill rule" */
enum qs_class qs_quirk_class(const char *quirk); /* of a quirk's differences; NONE: no such quirk */

/* Where values differ first. */
enum qs_stage_unit {
	QS_AT_NOTHING,
	QS_AT_COVERAGE,
	QS_AT_VERTEX,
	QS_AT_INTERPOLATION,
	QS_AT_TEXTURE,
	QS_AT_TEV,
	QS_AT_ALPHA,
	QS_AT_FOG,
	QS_AT_DEPTH,
	QS_AT_BLEND,
	QS_AT_DITHER, /* from the blended colour to the stored one: dither, masks, pixel format */
	QS_AT_COPY,
	QS_AT_INSTRUCTION, /* of a shader */
	QS_AT_PACKING,     /* from the shader's colour to the stored one */
	QS_AT_COUNT
};
const char *qs_stage_unit_name(enum qs_stage_unit unit);

enum qs_value_kind { QS_VALUE_COVER, QS_VALUE_FRAGMENT_COORDINATE, QS_VALUE_VARYING, QS_VALUE_REGISTER };
struct qs_value {
	enum qs_value_kind kind;
	uint32_t slot;        /* VARYING: slot of the vertex shader */
	uint32_t instruction; /* REGISTER: after this instruction of the fragment shader */
	uint32_t reg;
};

/* Anything that draws the frames of a capture: a timeline in one of its models, or another renderer.  Functions that it does not
 * have are NULL; without image nothing can be compared, without the others less is found out. */
struct qs_source {
	const char *name;
	void *user;
	/* COLOR, DEPTH and ALPHA: the EFB at the end of the frame, as its display copy read it; COPY and XFB: what that showed. */
	bool (*image)(void *user, uint32_t frame, enum qs_buffer buffer, struct qs_image *image, struct qs_error *error);
	/* The frame with taps; in a copy tap memory gives what was copied. */
	bool (*replay)(void *user, uint32_t frame, const struct qs_taps *taps, struct qs_error *error);
	size_t (*memory)(void *user, uint32_t address, void *data, size_t size);
	/* A quad with all detail, the setup records of a primitive. */
	bool (*quad)(void *user, const struct qs_moment *moment, struct qs_setup *setup, struct qs_quad *quad, struct qs_error *error);
	uint32_t (*setup)(void *user, const struct qs_moment *moment, struct qs_setup *setup, uint32_t max, struct qs_error *error);
	/* Its switches by name; those of the first source are tried with the values of the second one's switches of the same name. */
	uint32_t (*switch_count)(void *user);
	const char *(*switch_name)(void *user, uint32_t i);
	int (*switch_value)(void *user, uint32_t i);
	bool (*switch_set)(void *user, uint32_t i, int value);
	/* By how many levels a channel may be off in the frame without meaning: renderers whose arithmetic is not ours to the bit. */
	unsigned (*tolerance)(void *user, uint32_t frame);
	/* Gfx3D: the picture when a command is done; how many fragments of a draw cover each pixel, at most 255, before any test
	 * (width * height counts); what one primitive of a draw gives a pixel, whatever else happened to it. */
	bool (*after)(void *user, uint32_t command, enum qs_buffer buffer, struct qs_image *image, struct qs_error *error);
	bool (*cover)(void *user, uint32_t command, uint8_t *count, uint32_t width, uint32_t height, struct qs_error *error);
	bool (*value)(void *user, uint32_t command, uint32_t primitive, const struct qs_value *what, int x, int y, float value[4],
		struct qs_error *error);
	struct qs_timeline *timeline; /* behind it, with records of every unit; NULL: none */
};
/* The calls of a Gfx3D capture on a VirGL host (socket NULL: one of our own); the capture must stay. */
struct qs_gfx3d_host;
struct qs_gfx3d_host *qs_gfx3d_host_create(const struct qs_capture *capture, const char *socket, struct qs_error *error);
void qs_gfx3d_host_destroy(struct qs_gfx3d_host *host);
void qs_source_gfx3d_host(struct qs_source *source, struct qs_gfx3d_host *host, const char *name);
/* The timeline with its model and quirks; it is moved, and has its quirks back after a comparison. */
void qs_source_timeline(struct qs_source *source, struct qs_timeline *timeline, const char *name);

struct qs_operand {
	char name[40], a[64], b[64];
	bool differs;
};

struct qs_divergence {
	bool found;
	struct qs_moment moment; /* fragment, primitive or copy command, as the first source counts */
	bool only_a, only_b;     /* the fragment is in one of them alone */
	int x, y;                /* EFB pixel; of a display copy the picture's pixel */
	uint8_t unit;            /* enum qs_stage_unit */
	uint8_t kind;            /* enum qs_class */
	uint32_t stage;          /* TEV, TEXTURE: which stage; INSTRUCTION: its number; else QS_NONE */
	char text[160];          /* one sentence */
	struct qs_operand *operand; /* both sides' values around it */
	uint32_t operand_count;
};

struct qs_cause {
	const char *name; /* of the switch */
	int a, b;         /* its values in the two sources */
	uint8_t kind;     /* enum qs_class */
	uint64_t pixels;  /* that it alone still makes different */
	struct qs_rect box;
	struct qs_divergence first;
};

struct qs_worst {
	int x, y;
	uint8_t a[4], b[4];
	uint8_t distance; /* of the worst channel */
};

struct qs_compare_options {
	uint32_t frame;        /* from 1 */
	enum qs_buffer buffer; /* COPY when the frame has been copied to the display, else COLOR; QS_BUFFER_COUNT chooses */
	unsigned tolerance;    /* channels that differ by no more count as equal, but not when causes are proven */
	bool causes, divergence; /* look for them */
	qs_progress_fn progress; /* or NULL; false: stop, what is known is kept */
	void *user;
};

#define QS_WORST 16

struct qs_comparison {
	bool equal;            /* every pixel within the tolerance */
	enum qs_buffer buffer;
	struct qs_image a, b, difference;
	struct qs_image_difference colour;
	unsigned tolerance;    /* what the sources ask for, in levels */
	uint64_t beyond;       /* pixels that differ by more than that */
	/* Of the EFB at the frame's end */
	uint64_t efb_colour, efb_alpha, efb_depth; /* pixels that differ */
	/* Pixels that different fragments reached, and those of them where the difference is that one covers and the other does not */
	bool coverage_known;
	uint64_t coverage;
	uint64_t edge; /* of those: only on an edge of a triangle, within what ChrisOS's edges are wider */
	uint64_t only_colour; /* pixels of different colour that the same fragments covered */
	struct qs_worst worst[QS_WORST];
	uint32_t worst_count;
	struct qs_cause *cause; /* the smallest set found that makes a equal to b */
	uint32_t cause_count;
	bool explained;         /* with it every pixel is equal, within the sources' tolerance: proven by drawing */
	bool exact;             /* to the bit */
	uint64_t unexplained;   /* pixels that stay different with all switches */
	uint32_t drawn;         /* pictures that were drawn to find it */
	struct qs_divergence first;
};

bool qs_compare(const struct qs_source *a, const struct qs_source *b, const struct qs_compare_options *options,
	struct qs_comparison *comparison, struct qs_error *error);
void qs_comparison_finish(struct qs_comparison *comparison);

/* Texture memory, line by line. */
#define QS_TMEM_LINES 32768u /* of 32 bytes; the upper half holds odd levels and palettes */
#define QS_TMEM_PALETTE_LEVEL 255

enum qs_tmem_state {
	QS_TMEM_EMPTY,
	QS_TMEM_LOADED, /* by LOADBLOCK, or in the log's TMEM image */
	QS_TMEM_TLUT,   /* by LOADTLUT */
	QS_TMEM_CACHED, /* fetched by a lookup */
	QS_TMEM_STALE,  /* fetched, and main memory has changed since */
};

struct qs_tmem_line {
	uint32_t address; /* cached: the line of main memory */
	uint8_t state;    /* enum qs_tmem_state */
	uint8_t map;      /* whose image or palette lies there as the registers are; 255: nobody's */
	uint8_t level;    /* QS_TMEM_PALETTE_LEVEL: its palette */
};
/* Fills all QS_TMEM_LINES. */
void qs_timeline_tmem(const struct qs_timeline *timeline, struct qs_tmem_line *lines);

/* ---- lint: what a person would overlook in a capture ----------------------------------------------------------------------- */

enum qs_lint_severity {
	QS_LINT_NOTE,    /* unusual, or a feature that no model draws as the hardware does */
	QS_LINT_WARNING, /* probably not what was meant, or undefined on the hardware */
	QS_LINT_ERROR,   /* damaged */
	QS_LINT_COUNT
};

struct qs_lint_message {
	struct qs_moment moment; /* of the first command it is about; START: the whole capture */
	uint8_t severity;        /* enum qs_lint_severity */
	const char *check;       /* stable name: "numtex", "texture_empty" */
	uint32_t count;          /* commands it is true for */
	char *text;              /* one sentence, about the first */
};

/* Looks at every command of the frame (0: of all frames) without drawing: unset registers that draws depend on, units that
 * disagree, reserved codes, memory that was never loaded, copies and display lists, features not modelled; the capture's own
 * warnings too.  In order of moments.  Some 10 ms, plus 1 us a command. */
bool qs_capture_lint(const struct qs_capture *capture, uint32_t frame, struct qs_lint_message **messages, uint32_t *count,
	qs_progress_fn progress, void *user, struct qs_error *error);
/* The same for the timeline's capture; its moment stays. */
bool qs_timeline_lint(struct qs_timeline *timeline, uint32_t frame, struct qs_lint_message **messages, uint32_t *count,
	struct qs_error *error);
void qs_lint_free(struct qs_lint_message *messages, uint32_t count);
const char *qs_lint_severity_name(enum qs_lint_severity severity); /* "note", "warning", "error" */

#ifdef __cplusplus
}
#endif

#endif
