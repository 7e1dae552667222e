/* csir.h - Chris Shader IR: source text to instructions, instructions to pictures and to TGSI
 *
 *   source ─ glsl_lex.c glsl_parse.c glsl_sem*.c ─▶ struct csir_shader ─ optimize.c verify.c ─▶ link.c ─▶ struct csir_program
 *   csir text ─ asm.c ─▶        │   binary ─ binary.c ─▶                                         exec*.c  a batch of invocations
 *                               └─ asm.c, dump.c: text      binary.c: binary                     tgsi.c   text for a VirGL host
 *
 * Everything is a 32-bit float: bool is 0 or 1, int a float that holds a whole number.  A temporary is a register of four
 * lanes x y z w (component lanes); a batch runs up to 64 invocations (fragments or vertices) side by side.  To keep the two
 * apart, the invocations of a batch are called *threads* here, and lane always means x, y, z or w.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GFX3D_CSIR_H
#define GFX3D_CSIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gfx3d/quirks.h"
#include "quadscope.h"

/* ---- limits of ChrisOS (spec 01 section 2), the same in every model ------------------------------------------------------- */

#define CSIR_SOURCE_MAX 4096 /* a source has fewer bytes */
#define CSIR_INSTR_MAX 384
#define CSIR_IMM_MAX 160
#define CSIR_TEMP_MAX 96
#define CSIR_IF_MAX 32
#define CSIR_SYMBOL_MAX 64
#define CSIR_NAME_MAX 40 /* with the final zero */
#define CSIR_ATTR_MAX 8
#define CSIR_VARY_MAX 8
#define CSIR_UNIFORM_SLOTS 32 /* vec4 per stage */
#define CSIR_UNIFORM_NAMES 32 /* per program */
#define CSIR_SAMPLER_MAX 4
#define CSIR_LOG_MAX 1536

/* ---- instructions --------------------------------------------------------------------------------------------------------- */

enum csir_op {
#define CSIR_OP(number, name, mnemonic, operands, lanes, pure, text) CSIR_##name = number,
#include "gfx3d/csir_ops.def"
#undef CSIR_OP
	CSIR_OP_COUNT
};

enum { CSIR_OPERAND_D = 1, CSIR_OPERAND_A = 2, CSIR_OPERAND_B = 4, CSIR_OPERAND_X = 8, CSIR_OPERAND_Y = 16 };

struct csir_op_info {
	const char *name;     /* "MUL" */
	const char *mnemonic; /* "mul" */
	uint8_t operands;     /* CSIR_OPERAND_* */
	char lanes;           /* see csir_ops.def */
	bool pure;
	const char *text;
};

const struct csir_op_info *csir_op_info(unsigned op); /* NULL: no such instruction */

enum csir_stage { CSIR_VERTEX, CSIR_FRAGMENT };

enum csir_type {
	CSIR_T_NONE, CSIR_T_VOID, CSIR_T_BOOL, CSIR_T_INT, CSIR_T_FLOAT, CSIR_T_VEC2, CSIR_T_VEC3, CSIR_T_VEC4, CSIR_T_IVEC2, CSIR_T_IVEC3,
	CSIR_T_IVEC4, CSIR_T_MAT3, CSIR_T_MAT4, CSIR_T_SAMPLER2D, CSIR_T_COUNT
};

enum csir_relation { CSIR_LT = 1, CSIR_GT, CSIR_LE, CSIR_GE, CSIR_EQ, CSIR_NE };

const char *csir_type_name(unsigned type); /* "vec4" */
bool csir_type_parse(const char *name, enum csir_type *type);
unsigned csir_type_lanes(unsigned type); /* 1 to 4; of a column for matrices; 0 for none, void, sampler */
unsigned csir_type_slots(unsigned type); /* vec4 slots: 1, matrices 3 or 4, sampler and void 0 */
const char *csir_stage_name(unsigned stage); /* "vertex" */

/* As in the binary form: 16 bytes, little-endian.  A negative register means "not used". */
struct csir_instr {
	uint8_t op, type, ncomp, pad;
	int16_t dst, a, b, c, aux, aux2;
};

/* Which lanes of temporaries an instruction reads and writes, with the defaults for ncomp and aux 0 applied. */
struct csir_span {
	int16_t reg, count; /* consecutive temporaries; count 0: none */
	uint8_t lanes;      /* bit per lane, of each of them */
};
struct csir_effect {
	struct csir_span write, read[2];
};
void csir_effect(const struct csir_instr *in, struct csir_effect *effect);

/* ---- shaders -------------------------------------------------------------------------------------------------------------- */

enum csir_symbol_kind { CSIR_SYM_UNIFORM, CSIR_SYM_INPUT, CSIR_SYM_OUTPUT, CSIR_SYM_SAMPLER };

/* The interface, in source order; built-ins (gl_Position, gl_FragCoord) are not in it. */
struct csir_symbol {
	char name[CSIR_NAME_MAX];
	uint8_t kind, type;
	int16_t slot; /* attribute location, varying slot, first uniform slot, sampler number; 0 for the fragment output */
};

struct csir_shader {
	char name[64];
	uint8_t stage;
	int version;  /* of #version, 0 without */
	uint16_t instr_count, imm_count, symbol_count;
	int16_t temp_count;
	struct csir_instr instr[CSIR_INSTR_MAX];
	uint16_t line[CSIR_INSTR_MAX]; /* source line an instruction was made for, 0 unknown */
	float imm[CSIR_IMM_MAX];
	struct csir_symbol symbol[CSIR_SYMBOL_MAX];
	/* marks: highest number in use, -1 none */
	int16_t attr_high, vary_high, uniform_high, sampler_high;
	bool writes_position;
	uint8_t output_count; /* fragment colour outputs */
	bool linkable;        /* false: came from a binary form whose marks were lost (quirk binary_marks) */
	char *source;         /* malloc'ed text, or NULL */
};

void csir_shader_init(struct csir_shader *shader, enum csir_stage stage, const char *name);
void csir_shader_finish(struct csir_shader *shader); /* frees the source; NULL is fine */
bool csir_shader_copy(struct csir_shader *to, const struct csir_shader *from);
/* Sets the marks from the instructions and symbols. */
void csir_shader_mark(struct csir_shader *shader);

/* What a compiler or linker says: one message per error, "NAME:LINE:COLUMN: text" with the source line and a caret below it. */
struct csir_message {
	uint16_t line, column; /* from 1 */
	char text[80];
};
#define CSIR_MESSAGE_MAX 8
struct csir_log {
	uint32_t errors; /* all of them; at most CSIR_MESSAGE_MAX are kept */
	struct csir_message message[CSIR_MESSAGE_MAX];
	char text[CSIR_LOG_MAX];
};

/* Lexer, parser, semantic pass, optimizer and verifier (quirks: opt_matrix ... scalar_assign, verify_strict).  log may be NULL;
 * error gets the first message.  shader is initialised by the call and must be finished whatever it returns. */
bool csir_compile(struct csir_shader *shader, enum csir_stage stage, const char *name, const char *source, size_t size,
	const struct g3_quirks *quirks, bool optimize, struct csir_log *log, struct qs_error *error);

/* Compiled sources to be used again, as ChrisOS keeps them: eight, found by a hash of stage and text and checked by the text; a ninth
 * replaces the entry that the low three bits of its hash name.  Only for equal quirks, name and optimization. */
struct csir_text; /* below */
struct csir_cache;
struct csir_cache *csir_cache_create(void); /* NULL: no memory */
void csir_cache_destroy(struct csir_cache *cache);
bool csir_compile_cached(struct csir_cache *cache, struct csir_shader *shader, enum csir_stage stage, const char *name, const char *source,
	size_t size, const struct g3_quirks *quirks, struct csir_log *log, struct qs_error *error);
void csir_cache_counts(const struct csir_cache *cache, uint64_t *sources, uint64_t *found);

/* The tree of a source, a node per line: kind, type, operator, the token it stands for; indented by depth. */
bool csir_tree(enum csir_stage stage, const char *name, const char *source, size_t size, const struct g3_quirks *quirks,
	struct csir_text *text, struct qs_error *error);

/* Dead pure instructions become NOP; returns how many. */
unsigned csir_optimize(struct csir_shader *shader, const struct g3_quirks *quirks);
/* error->offset is the instruction's number.  What a verified shader may still do wrong under the rules of ChrisOS is caught by
 * csir_exec_prepare, which never lets an access out of range happen.  Rules: those of ChrisOS; all spans, widths and
 * lanes; derivatives, which ChrisOS does not have; both. */
enum csir_rules { CSIR_RULES_CHRISOS, CSIR_RULES_SPANS, CSIR_RULES_DERIVATIVES, CSIR_RULES_STRICT };
enum csir_rules csir_rules_of(const struct g3_quirks *quirks);
bool csir_verify(const struct csir_shader *shader, enum csir_rules rules, struct qs_error *error);
/* The first ddx or ddy, or -1. */
int csir_derivative(const struct csir_shader *shader);

/* True: the instruction reads lanes of a register that not every way to it writes (0 on the CPU, undefined on a host). The first
 * such instruction, register and lanes. */
bool csir_unwritten(const struct csir_shader *shader, uint32_t *instruction, int *reg, uint8_t *lanes);

/* ---- forms ---------------------------------------------------------------------------------------------------------------- */

/* Growing text, always zero-terminated; free(text.data).  failed: memory ran out, the text is incomplete. */
struct csir_text {
	char *data;
	size_t size, capacity;
	bool failed;
};
void csir_text_add(struct csir_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void csir_text_finish(struct csir_text *text);

/* The assembler form: shows every field; csir_read gives back the same shader (docs/csir.md). */
bool csir_print(const struct csir_shader *shader, struct csir_text *text);
bool csir_read(struct csir_shader *shader, const char *text, size_t size, struct qs_error *error); /* error->offset: line */
/* One instruction without a line end: "mul %3.xyz, %1, %2".  Returns buffer; 160 bytes suffice. */
char *csir_instr_text(const struct csir_shader *shader, unsigned i, char *buffer, size_t size);
/* The listing ChrisOS writes; cut: at its 4096 bytes. */
bool csir_dump(const struct csir_shader *shader, bool cut, struct csir_text *text);
/* The form "CSI" (spec 01 section 8).  *data is malloc'ed. */
bool csir_save(const struct csir_shader *shader, uint8_t **data, size_t *size, struct qs_error *error);
bool csir_load(struct csir_shader *shader, const uint8_t *data, size_t size, const struct g3_quirks *quirks, struct qs_error *error);

/* ---- programs: link.c ----------------------------------------------------------------------------------------------------- */

struct csir_uniform {
	char name[CSIR_NAME_MAX];
	uint8_t type;
	int16_t slot[2]; /* first slot per stage, -1: not there; samplers are no uniforms: csir_program_sampler */
};
struct csir_interface {
	char name[CSIR_NAME_MAX];
	uint8_t type;
	int16_t slot; /* attributes: location */
};

/* Shaders are copied in by attach.  A program can be relinked any number of times. */
struct csir_program {
	struct csir_shader *shader[2]; /* attached */
	bool linked;
	uint16_t generation;           /* from 1, skips 0; raised by every successful link */
	int16_t var_remap[CSIR_VARY_MAX]; /* fragment slot to vertex slot, -1: none */
	uint32_t uniform_count, attr_count, vary_count;
	struct csir_uniform uniform[CSIR_UNIFORM_NAMES];
	struct csir_interface attr[CSIR_ATTR_MAX], vary[CSIR_VARY_MAX];
	float words[2][CSIR_UNIFORM_SLOTS * 4]; /* uniform store per stage */
	char *tgsi[2];                          /* text of the last successful link, fragment with the remap */
	struct csir_shader *kept[2];            /* quirk relink_keeps: what runs while a newly attached shader is not linked */
};

struct csir_program *csir_program_create(void);
void csir_program_destroy(struct csir_program *program);
bool csir_program_attach(struct csir_program *program, const struct csir_shader *shader, struct qs_error *error);
bool csir_program_link(struct csir_program *program, const struct g3_quirks *quirks, struct csir_log *log, struct qs_error *error);
/* The shader that a draw runs on the CPU: the attached one, or the one of the last link (quirk relink_keeps). */
const struct csir_shader *csir_program_shader(const struct csir_program *program, enum csir_stage stage, const struct g3_quirks *quirks);
const struct csir_uniform *csir_program_uniform(const struct csir_program *program, const char *name); /* NULL: none */
/* Values of a uniform, both stages (spec 01 section 10: matrices column by column). */
bool csir_uniform_set(struct csir_program *program, const char *name, const float *values, unsigned count,
	const struct g3_quirks *quirks, struct qs_error *error);
bool csir_uniform_set_lane(struct csir_program *program, const char *name, unsigned lane, float value,
	const struct g3_quirks *quirks, struct qs_error *error);
int csir_program_sampler(const struct csir_program *program, const char *name); /* slot, fragment stage first; -1: none */

/* ---- execution: a batch of threads ---------------------------------------------------------------------------------------- */

#define CSIR_THREADS 64

/* One register of a batch: v[lane][thread]. */
struct csir_vec {
	float v[4][CSIR_THREADS];
} __attribute__((aligned(64)));

/* Colour texels are B, G, R, A bytes, row by row. */
struct csir_texture {
	const uint8_t *texels; /* NULL: none bound */
	int width, height;
};

/* Looks up the threads of mask: coordinate lanes x and y of `at` to four lanes of `out` (other threads of out may get
 * anything).  `at` and `out` never overlap. */
typedef void (*csir_sample_fn)(void *user, unsigned slot, uint64_t mask, const struct csir_vec *at, struct csir_vec *out);

/* What csir_exec_prepare found out about a shader; valid for one set of uniform values, samplers and quirks.  Opaque but plain:
 * keep one per stage and prepare it per draw. */
struct csir_plan;

struct csir_plan *csir_plan_create(void);
void csir_plan_destroy(struct csir_plan *plan);

struct csir_inputs {
	const float *uniforms;               /* CSIR_UNIFORM_SLOTS * 4 words, or NULL: absent, loads keep the destination */
	const int16_t *var_remap;            /* CSIR_VARY_MAX entries, or NULL */
	const struct csir_texture *texture;  /* CSIR_SAMPLER_MAX of them, or NULL: nothing bound; sampled nearest and clamped ... */
	csir_sample_fn sample;               /* ... or, if not NULL, by this function */
	void *sample_user;
};

/* Checks that no access leaves its array (whatever csir_verify was asked), folds what does not change from thread to thread
 * and prepares the registers.  The shader and everything inputs points to must stay until the next prepare; uniform values are
 * read now.  cut: number of instructions to run (the rest is left out, open ifs are closed), or UINT32_MAX. */
bool csir_exec_prepare(struct csir_plan *plan, const struct csir_shader *shader, const struct g3_quirks *quirks,
	const struct csir_inputs *inputs, uint32_t cut, struct qs_error *error);

/* What an instruction did: for every instruction that at least one thread ran, in order, those inside branches included. */
struct csir_tap {
	uint32_t index;             /* instruction */
	const struct csir_instr *instr;
	uint64_t mask;              /* threads that ran it; if, else, endif: that were on either side */
	uint64_t active;            /* threads that go on with the next instruction */
	const struct csir_vec *registers; /* the register file after it */
	uint32_t register_count;
	int16_t dst;                /* first register written, -1: none; dst_count of them */
	uint16_t dst_count;
	const struct csir_vec *a, *b; /* operand values as read (before the write), or NULL; matrices: the first column */
};
typedef void (*csir_tap_fn)(void *user, const struct csir_tap *tap);

/* One batch.  Input arrays hold NULL for what is absent (loads of it keep the destination).  For the threads of mask position and
 * colour get their defaults (0 0 0 1; 0 0 0 0) first, and varyings keep what the caller put there unless stored; a discarded
 * thread keeps what it had stored by then.  Threads outside mask get anything. */
struct csir_batch {
	uint64_t mask;                             /* threads to run */
	const struct csir_vec *attr[CSIR_ATTR_MAX];
	const struct csir_vec *vary[CSIR_VARY_MAX]; /* by vertex slot: LOAD_VAR goes through var_remap */
	const struct csir_vec *fcoord;
	struct csir_vec *position, *colour;        /* NULL: not wanted */
	struct csir_vec *vary_out[CSIR_VARY_MAX];
	uint64_t discarded;                        /* result: threads that ran DISCARD */
	csir_tap_fn tap;                           /* NULL: none */
	void *tap_user;
};

void csir_exec(struct csir_plan *plan, struct csir_batch *batch);
/* The register file as the last csir_exec with a tap left it. */
const struct csir_vec *csir_exec_registers(const struct csir_plan *plan, uint32_t *count);
/* Varying slots (by vertex slot, after var_remap) that the prepared shader loads, and whether it loads the fragment coordinate:
 * what the rasteriser must interpolate.  Instructions run a batch, for statistics. */
uint32_t csir_plan_varyings(const struct csir_plan *plan);
bool csir_plan_fcoord(const struct csir_plan *plan);
bool csir_plan_discards(const struct csir_plan *plan);
uint32_t csir_plan_length(const struct csir_plan *plan);

/* Nearest texel, clamped (quirks sample_texel, sample_rows, sample_unbound). */
void csir_sample_nearest(const struct csir_texture *texture, const struct g3_quirks *quirks, uint64_t mask, const struct csir_vec *at,
	struct csir_vec *out);

/* Local mathematics of ChrisOS, one number at a time (spec 02 section 1). */
float csir_sin(float x);
float csir_cos(float x);
float csir_exp_series(float x);
float csir_log_series(float x);
float csir_pow(float a, float b);
float csir_rsq(float a);
float csir_trunc(float a);

/* ---- TGSI: tgsi.c --------------------------------------------------------------------------------------------------------- */

struct csir_tgsi_options {
	const int16_t *var_remap; /* or NULL */
	bool literal;             /* as ChrisOS writes it: IF with one letter, six digits */
	bool digits;              /* six digits cut off instead of nine significant ones */
	uint32_t budget;          /* characters the text may have, 0: any */
	uint32_t cut;             /* leave out instructions from this number on and close open ifs; UINT32_MAX: whole program ... */
	int cut_temp;             /* ... and show this temporary: moved to the colour output, discards dropped (do not compare threads
	                           * that the CPU discards before the cut); of vertex shaders to GENERIC[0], with a position in the
	                           * middle; -1: leave outputs */
};

void csir_tgsi_options_init(struct csir_tgsi_options *options, const struct g3_quirks *quirks);

/* *lines (may be NULL) gets a malloc'ed array: for each line of the text the CSIR instruction it belongs to, or -1 for
 * declarations and END.  text is appended to. */
bool csir_tgsi(const struct csir_shader *shader, const struct csir_tgsi_options *options, struct csir_text *text, int32_t **lines,
	uint32_t *line_count, struct qs_error *error);

#endif
