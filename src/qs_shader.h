/* qs_shader.h - shaders of the Gfx3D machine in the public interface of libquadscope
 *
 * A shader is compiled from source text, read from CSIR text or loaded from the binary form; it can be verified, written in
 * every form and run for one invocation with every instruction reported.  docs/csir.md is the reference of the language, the
 * instructions and the text form.  Words: thread = one invocation; register = a temporary of four lanes x y z w.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QS_SHADER_H
#define QS_SHADER_H

#include "gfx3d.h" /* models */
#include "quadscope.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- shaders -------------------------------------------------------------------------------------------------------------- */

struct qs_shader;

enum qs_shader_stage { QS_SHADER_VERTEX, QS_SHADER_FRAGMENT };

/* Compiles source, or reads CSIR text (begins with a directive: shader, temps, ...) or the binary form (begins with CSIR),
 * whichever the bytes are.  NULL with an error; *log (may be NULL) is then all messages with their places, malloc'ed. */
struct qs_shader_options {
	enum qs_shader_stage stage; /* of source text; the other forms know */
	enum qs_gfx3d_model model;
	const char *const *quirks;  /* "name=value" ..., NULL at the end; or NULL */
	bool keep_dead_code;        /* no optimizer */
	const char *name;
};
struct qs_shader *qs_shader_create(const void *data, size_t size, const struct qs_shader_options *options, char **log,
	struct qs_error *error);
void qs_shader_destroy(struct qs_shader *shader);

struct qs_shader_info {
	const char *name;
	enum qs_shader_stage stage;
	int version; /* of #version; 0: none */
	uint32_t instructions, live; /* live: not NOP */
	uint32_t registers, immediates, symbols;
};
void qs_shader_info(const struct qs_shader *shader, struct qs_shader_info *info);

enum qs_shader_symbol_kind { QS_SHADER_UNIFORM, QS_SHADER_INPUT, QS_SHADER_OUTPUT, QS_SHADER_SAMPLER };
struct qs_shader_symbol {
	const char *name, *type; /* "vec4" */
	uint8_t kind;            /* enum qs_shader_symbol_kind */
	uint8_t slot;            /* attribute location, varying slot, first uniform slot, sampler */
	uint8_t slots;           /* uniforms: 1, 3 or 4 */
	uint8_t lanes;           /* of a slot */
};
bool qs_shader_symbol(const struct qs_shader *shader, uint32_t i, struct qs_shader_symbol *symbol);
/* "uniform", "input" ... */
const char *qs_shader_symbol_kind_name(unsigned kind);

/* False with a sentence that names the instruction; strict: all operand spans and widths, else the rules of ChrisOS. */
bool qs_shader_verify(const struct qs_shader *shader, bool strict, struct qs_error *error);

/* True: the instruction reads lanes (bit per lane) of a register that not every way to it writes: 0 on the CPU, undefined on a
 * VirGL host.  The first such instruction. */
bool qs_shader_unwritten(const struct qs_shader *shader, uint32_t *instruction, int *reg, uint8_t *lanes);

enum qs_shader_form {
	QS_SHADER_CSIR,         /* the text form: can be read again */
	QS_SHADER_DUMP,         /* the listing ChrisOS writes */
	QS_SHADER_TGSI,         /* for a VirGL host */
	QS_SHADER_TGSI_LITERAL, /* as ChrisOS writes it, which the host refuses where there is an IF */
	QS_SHADER_BINARY,
	QS_SHADER_AST,          /* the tree of the source; only of shaders that were compiled from one */
	QS_SHADER_FORM_COUNT
};
const char *qs_shader_form_name(enum qs_shader_form form); /* "csir" */
bool qs_shader_form_parse(const char *name, enum qs_shader_form *form);
/* malloc'ed; texts have a zero behind them that is not counted in *size. */
bool qs_shader_write(const struct qs_shader *shader, enum qs_shader_form form, void **data, size_t *size, struct qs_error *error);
/* One instruction, "%3 = mul.3 %1 %2", and the source line it was made for (0 unknown). */
char *qs_shader_instruction(const struct qs_shader *shader, uint32_t i, char *buffer, size_t size, uint32_t *line);

/* ---- running one thread --------------------------------------------------------------------------------------------------- */

struct qs_shader_inputs {
	float input[8][4];       /* attributes or varyings by slot */
	float uniform[32][4];
	float fragcoord[4];
	const struct qs_image *texture[4]; /* by sampler; NULL: none */
	uint32_t cut;            /* instructions to run at most; UINT32_MAX: all */
};

/* After an instruction. */
struct qs_shader_step {
	uint32_t instruction;
	int32_t written;      /* first register written, -1: none */
	uint32_t count;       /* registers written */
	uint8_t lanes;        /* of them, bit per lane */
	bool has_a, has_b;
	float a[4], b[4];     /* operands as they were read; of matrices the first column */
	float value[4][4];    /* of up to four registers written */
	bool active;          /* behind if, else, endif: the thread goes on */
};
typedef void (*qs_shader_step_fn)(void *user, const struct qs_shader_step *step);

struct qs_shader_outputs {
	float position[4], colour[4], varying[8][4];
	uint8_t stored;    /* bit per varying */
	bool discarded;
	uint32_t steps;    /* instructions that ran */
};

/* Returns false with a sentence when the shader cannot run (an access out of range, else without if ...). */
bool qs_shader_run(const struct qs_shader *shader, const struct qs_shader_inputs *inputs, qs_shader_step_fn step, void *user,
	struct qs_shader_outputs *outputs, struct qs_error *error);

#ifdef __cplusplus
}
#endif

#endif
