/* check_csir.c - the compiler: messages with their places, limits, meaning of every construct, per model where models differ
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "csir_tools.h"

#define VERTEX CSIR_VERTEX
#define FRAGMENT CSIR_FRAGMENT
#define MAIN(body) "in vec4 v;\nuniform vec4 u;\nout vec4 c;\nvoid main() {\n" body "\n}\n"

/* ---- messages ------------------------------------------------------------------------------------------------------------- */

/* Code that stands on line 5. */
#define IN_MAIN(name, code, column, message) {name, FRAGMENT, MAIN(code), 5, column, message}

static const struct {
	const char *name;
	enum csir_stage stage;
	const char *source;
	unsigned line, column;
	const char *message; /* beginning */
} messages[] = {
	{"empty", FRAGMENT, "", 1, 1, "empty shader"},
	{"version too old", FRAGMENT, "#version 100\nvoid main() {}", 1, 1, "unsupported #version"},
	{"version too new", FRAGMENT, "  #version 331\n", 1, 3, "unsupported #version"},
	{"version without number", FRAGMENT, "#version core\n", 1, 1, "expected a version number"},
	{"directive", FRAGMENT, "\n#define X 1\n", 2, 1, "unsupported preprocessor directive"},
	{"hash inside a line", FRAGMENT, "out vec4 c; #version 330\n", 1, 13, "invalid character"},
	{"open comment", FRAGMENT, "out vec4 c;\n  /* never\nends", 2, 3, "unterminated block comment"},
	{"refused word", FRAGMENT, "varying vec3 n;", 1, 1, "unsupported qualifier"},
	{"refused precision", FRAGMENT, "in highp vec3 n;", 1, 4, "unsupported qualifier"},
	IN_MAIN("strange character", "\tc = v @ v;", 8, "invalid character"),
	IN_MAIN("number without exponent", "float a = 1e;", 11, "invalid number"),
	IN_MAIN("number with a big exponent", "float a = 1e39;", 11, "invalid number"),
	{"name of 40 letters", FRAGMENT, "float a234567890123456789012345678901234567890;", 1, 7, "identifier exceeds the name limit"},
	{"missing semicolon", FRAGMENT, MAIN("c = v\n"), 7, 1, "expected ';'"},
	IN_MAIN("missing bracket", "c = (v;", 7, "expected ')'"),
	IN_MAIN("no expression", "c = ;", 5, "expected an expression"),
	{"no type", FRAGMENT, "foo bar;", 1, 1, "expected a type"},
	{"no name", FRAGMENT, "uniform vec3 ;", 1, 14, "expected a name"},
	{"layout of something else", FRAGMENT, "layout(binding = 0) in vec4 a;", 1, 8, "only layout(location = N)"},
	{"layout without number", FRAGMENT, "layout(location = x) in vec4 a;", 1, 19, "expected an integer location"},
	IN_MAIN("mixed swizzle", "c = v.xyba;", 7, "mixed swizzle sets"),
	IN_MAIN("long swizzle", "c = v.xxxxx;", 7, "invalid swizzle"),
	IN_MAIN("strange swizzle", "c = v.stpq;", 7, "invalid swizzle"),
	IN_MAIN("ternary", "c = v.x ? v : v;", 9, "invalid character"),
	IN_MAIN("compound assignment", "c += v;", 4, "expected an expression"),
	IN_MAIN("while", "while (true) {}", 14, "expected ';'"),
	IN_MAIN("array", "float a[4];", 8, "expected ';'"),
	IN_MAIN("function in a function", "float f() { return 1.0; }", 7, "a function inside a function"),
	{"prototype", FRAGMENT, "float f();", 1, 10, "expected a function body"},
	{"parameter qualifier", FRAGMENT, "float f(in float x) { return x; }", 1, 9, "expected a parameter type"},
	{"too many closing braces", FRAGMENT, MAIN("c = v;") "}", 7, 1, "expected a type"},

	{"missing main", FRAGMENT, "out vec4 c;", 1, 1, "missing main"},
	{"main with a value", FRAGMENT, "out vec4 c;\nfloat main() { return 1.0; }", 2, 7, "main must be void main()"},
	{"main with a parameter", FRAGMENT, "out vec4 c;\nvoid main(float x) { }", 2, 6, "main must be void main()"},
	{"no output", FRAGMENT, "void main() { }", 1, 1, "fragment shader has no output"},
	{"output of three lanes", FRAGMENT, "out vec3 c; void main() { }", 1, 10, "fragment output must be vec4"},
	{"two outputs", FRAGMENT, "out vec4 a;\nout vec4 b; void main() { }", 2, 10, "only one fragment output"},
	{"no position", VERTEX, "void main() { }", 1, 1, "vertex shader does not write gl_Position"},
	{"duplicate symbol", FRAGMENT, "in vec4 a;\nin vec3 a;", 2, 9, "duplicate symbol"},
	IN_MAIN("duplicate local", "float a; float a;", 16, "duplicate symbol"),
	{"void variable", FRAGMENT, "void x;", 1, 6, "void variable"},
	{"sampler that is no uniform", FRAGMENT, "sampler2D s;", 1, 11, "sampler2D must be a uniform"},
	IN_MAIN("local sampler", "sampler2D s;", 11, "sampler2D must be a uniform"),
	{"uniform with a value", FRAGMENT, "uniform float a = 1.0;", 1, 15, "uniforms cannot have an initial value"},
	{"input with a value", FRAGMENT, "in float a = 1.0;", 1, 10, "shader inputs and outputs cannot"},
	IN_MAIN("local uniform", "uniform float a;", 15, "qualifiers are only valid at global scope"),
	{"location 8", VERTEX, "layout(location = 8) in vec4 a; void main() {}", 1, 30, "location conflict"},
	{"location twice", VERTEX, "layout(location = 1) in vec4 a;\nlayout(location = 1) in vec4 b; void main() {}", 2, 30, "location conflict"},
	IN_MAIN("unknown name", "c = w;", 5, "unknown identifier"),
	IN_MAIN("unknown target", "w = v;", 1, "unknown identifier"),
	{"out of scope", FRAGMENT, MAIN("{ float a = 1.0; }\nc = vec4(a);"), 6, 10, "unknown identifier"},
	IN_MAIN("unknown function", "c = floor(v);", 5, "unknown function"),
	IN_MAIN("derivative", "c = dFdx(v);", 5, "unknown function"),
	IN_MAIN("other derivative", "c = dFdy(v);", 5, "unknown function"),
	IN_MAIN("width", "c = fwidth(v);", 5, "unknown function"),
	IN_MAIN("position in a fragment", "c = gl_Position;", 5, "gl_Position is not available"),
	{"fragment coordinate in a vertex", VERTEX, "void main() { gl_Position = gl_FragCoord; }", 1, 29, "gl_FragCoord is not available"},
	{"discard in a vertex", VERTEX, "void main() { discard; }", 1, 15, "discard is only valid in a fragment"},
	IN_MAIN("write to an input", "v = c;", 3, "invalid assignment"),
	IN_MAIN("write to a uniform", "u = v;", 3, "invalid assignment"),
	{"write to a const", FRAGMENT, MAIN("const float a = 1.0;\na = 2.0;"), 6, 3, "cannot assign to const"},
	IN_MAIN("write to a swizzle", "c.x = 1.0;", 2, "assignment target must be a name"),
	IN_MAIN("wrong type", "c = v.xyz;", 3, "type mismatch in assignment"),
	IN_MAIN("different lanes", "c = v + v.xyz.xy.xyxy.xyz;", 7, "type mismatch: the operands"),
	{"lane that is not there", FRAGMENT, MAIN("vec2 a = v.xy;\nc = a.xyzz;"), 6, 6, "invalid swizzle"},
	{"swizzled matrix", VERTEX, "uniform mat4 m; void main() { gl_Position = m.xyzw; }", 1, 46, "cannot swizzle a matrix"},
	IN_MAIN("index not constant", "int i = int(v.x); c = vec4(v[i]);", 29, "only constant indexes"),
	IN_MAIN("index too big", "c = vec4(v[4]);", 11, "index out of range"),
	IN_MAIN("division by zero", "c = v / 0.0;", 7, "division by zero"),
	IN_MAIN("remainder of a variable", "c = vec4(v.x % 2);", 14, "operator % is only supported"),
	IN_MAIN("vector comparison", "if (v == u) c = v;", 7, "vector comparisons are not supported"),
	IN_MAIN("condition of a vector", "if (v) c = v;", 1, "if condition must be a scalar"),
	{"matrix times scalar", VERTEX, "uniform mat4 m; void main() { gl_Position = (m * 2.0) * vec4(1.0); }", 1, 48, "cannot multiply a matrix by a scalar"},
	{"matrix times a short vector", VERTEX, "uniform mat4 m; in vec3 p; void main() { gl_Position = m * p; }", 1, 58, "cannot multiply matrix by this vector"},
	{"matrices of two sizes", VERTEX, "uniform mat4 m; uniform mat3 n; void main() { gl_Position = m * n * vec4(1.0); }", 1, 63, "matrix size mismatch"},
	IN_MAIN("constructor with too few", "c = vec4(v.xy, 1.0);", 5, "constructor component count"),
	IN_MAIN("constructor with too many", "c = vec4(v, 1.0);", 5, "constructor component count"),
	IN_MAIN("matrix from a variable", "mat3 m = mat3(v.x);", 10, "matrix diagonal constructor needs a constant"),
	IN_MAIN("matrix from two", "mat3 m = mat3(v.xyz, v.xyz);", 10, "unsupported matrix constructor"),
	IN_MAIN("matrix of wrong columns", "mat3 m = mat3(v.xy, v.xy, v.xy);", 10, "bad matrix column"),
	{"sampler as a number", FRAGMENT, "uniform sampler2D s; " MAIN("c = vec4(s);"), 5, 5, "bad constructor argument"},
	{"sum with a sampler", FRAGMENT, "uniform sampler2D s; " MAIN("c = v + s;"), 5, 7, "a sampler is no number"},
	IN_MAIN("texture without a sampler", "c = texture(v, v.xy);", 5, "texture() expects"),
	IN_MAIN("dot of two sizes", "c = vec4(dot(v, v.xyz));", 10, "dot() expects"),
	IN_MAIN("cross of vec4", "c = vec4(cross(v, v), 1.0);", 10, "cross() expects"),
	IN_MAIN("pow of vectors", "c = pow(v, v);", 5, "pow() expects two scalars"),
	IN_MAIN("length of a scalar", "c = vec4(length(v.x));", 10, "expected a vector"),
	IN_MAIN("clamp with two", "c = clamp(v, 0.0);", 5, "clamp() expects 3"),
	{"wrong number of arguments", FRAGMENT, "float f(float x) { return x; }\n" MAIN("c = vec4(f());"), 6, 10, "wrong argument count"},
	{"wrong argument", FRAGMENT, "float f(vec2 x) { return x.x; }\n" MAIN("c = vec4(f(v));"), 6, 10, "argument type mismatch"},
	{"void as a value", FRAGMENT, "void f() { }\n" MAIN("c = vec4(f());"), 6, 10, "void function used as a value"},
	{"void called", FRAGMENT, "void f() { }\n" MAIN("f();"), 6, 1, "void function used as a value"},
	{"recursion", FRAGMENT, "float f(float x) {\nreturn f(x); }\n" MAIN("c = vec4(f(1.0));"), 2, 8, "recursion is not supported"},
	{"function as a value", FRAGMENT, "float f() { return 1.0; }\n" MAIN("c = vec4(f);"), 6, 10, "function used as a value"},
	{"no return", FRAGMENT, "float f() { }\n" MAIN("c = vec4(f());"), 6, 10, "function is missing a return value"},
	{"early return", FRAGMENT, "float f() { return 1.0; float a; }\n" MAIN("c = vec4(f());"), 1, 13, "return must be the last"},
	{"return in a block", FRAGMENT, "float f() { { return 1.0; } }\n" MAIN("c = vec4(f());"), 1, 15, "return must be the last"},
	IN_MAIN("return in main", "return 1.0;", 1, "a void function returns no value"),
	{"read before assignment", FRAGMENT, "float g;\n" MAIN("c = vec4(g);"), 6, 10, "value used before assignment"},
	IN_MAIN("increment", "float a = 1.0; a++;", 17, "increment is only supported as a loop step"),
	IN_MAIN("float loop", "for (float i = 0.0; i < 1.0; i++) { }", 1, "unsupported loop"),
	IN_MAIN("loop without start", "for (int i; i < 1; i++) { }", 1, "loop start is not a constant"),
	IN_MAIN("loop to a variable", "for (int i = 0; i < int(v.x); i++) { }", 1, "unsupported loop condition"),
	IN_MAIN("loop without condition", "for (int i = 0; ; i++) { }", 1, "unsupported loop condition"),
	IN_MAIN("loop without step", "for (int i = 0; i < 2; ) { }", 1, "unsupported loop step"),
	IN_MAIN("nine rounds", "for (int i = 0; i < 9; i++) { }", 1, "loop bound exceeds the unroll limit"),
	IN_MAIN("assigned loop variable", "for (int i = 0; i < 2; i++) { i = 5; }", 1, "cannot assign the loop variable"),
	{"sampler parameter", FRAGMENT, "vec4 f(sampler2D s) { return texture(s, vec2(0.0)); }\n" MAIN("c = v;"), 1, 18, "a parameter cannot be"},
	{"five parameters", FRAGMENT, "float f(float a, float b, float c, float d, float e) { return a; }\n" MAIN("c = v;"), 1, 7, "too many parameters"},
};

START_TEST(message)
{
	struct g3_quirks q = quirks_of(G3_MODEL_CHRISOS);
	static struct csir_shader s;
	struct csir_log log;
	char place[64];

	if (compile_with(&s, messages[_i].stage, messages[_i].source, &q, &log))
		ck_abort_msg("%s: compiles", messages[_i].name);
	if (log.message[0].line != messages[_i].line || log.message[0].column != messages[_i].column ||
		strncmp(log.message[0].text, messages[_i].message, strlen(messages[_i].message)))
		ck_abort_msg("%s: %s", messages[_i].name, log.text);
	snprintf(place, sizeof place, "test:%u:%u: error: ", messages[_i].line, messages[_i].column);
	if (strncmp(log.text, place, strlen(place)) || !strchr(log.text, '^'))
		if (messages[_i].source[0])
			ck_abort_msg("%s: the log is %s", messages[_i].name, log.text);
	csir_shader_finish(&s);
}
END_TEST

/* What ChrisOS refuses, the corrected model compiles: text, and what is wrong with others. */
START_TEST(derivatives)
{
	static const struct {
		const char *name;
		enum csir_stage stage;
		const char *source, *message;
	} rows[] = {
		{"of a vec4", FRAGMENT, MAIN("c = dFdx(v) + dFdy(v);"), NULL},
		{"of scalars", FRAGMENT, MAIN("c = vec4(dFdx(v.x), dFdy(v.y), fwidth(v.z), 1.0);"), NULL},
		{"of a vec2", FRAGMENT, MAIN("c = vec4(fwidth(v.xy), 0.0, 1.0);"), NULL},
		{"in a vertex", VERTEX, "in vec4 p; void main() { gl_Position = dFdx(p); }", "derivatives are for fragment shaders"},
		{"width in a vertex", VERTEX, "in vec4 p; void main() { gl_Position = fwidth(p); }", "derivatives are for fragment shaders"},
		{"of two", FRAGMENT, MAIN("c = dFdx(v, v);"), "wrong arguments"},
		{"of a matrix", FRAGMENT, MAIN("mat4 m = mat4(1.0); c = dFdy(m);"), "wrong arguments"},
	};
	struct g3_quirks q = quirks_of(G3_MODEL_CORRECTED);
	static struct csir_shader s;
	struct csir_log log;

	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		bool ok = compile_with(&s, rows[i].stage, rows[i].source, &q, &log);

		if (ok != !rows[i].message || (!ok && strcmp(log.message[0].text, rows[i].message)))
			ck_abort_msg("%s: %s", rows[i].name, ok ? "compiles" : log.text);
		if (ok && csir_derivative(&s) < 0)
			ck_abort_msg("%s: no derivative", rows[i].name);
		csir_shader_finish(&s);
	}
}
END_TEST

START_TEST(log_text)
{
	struct g3_quirks q = quirks_of(G3_MODEL_CHRISOS);
	static struct csir_shader s;
	struct csir_log log;

	ck_assert(!compile_with(&s, FRAGMENT, MAIN("\tc = w;\r\nc = x;"), &q, &log));
	ck_assert_uint_eq(log.errors, 2);
	ck_assert_str_eq(log.text, "test:5:6: error: unknown identifier\n\tc = w;\n\t    ^\n"
		"test:6:5: error: unknown identifier\nc = x;\n    ^\n");
	csir_shader_finish(&s);
}
END_TEST

START_TEST(tree)
{
	static const char source[] = "uniform float u;\nout vec4 c;\nfloat f(float x) { return x * 2.0; }\nvoid main() {\n"
				     "\tif (u > 0.5) { c = vec4(f(u)); } else { discard; }\n\tfor (int i = 0; i < 2; i++) { c = c.wzyx; }\n}\n";
	static const char wanted[] =
		"declaration uniform float u  @1:15\ndeclaration out vec4 c  @2:10\nfunction float f  @3:7\n  parameter declaration float x  @3:15\n"
		"  block  @3:18\n    return  @3:20\n      binary *  @3:29\n        name x  @3:27\n        literal 2.0  @3:31\n";
	struct g3_quirks q = quirks_of(G3_MODEL_CHRISOS);
	struct qs_error error = {QS_OK, 0, ""};
	struct csir_text text = {0};

	ck_assert(csir_tree(FRAGMENT, "test", source, strlen(source), &q, &text, &error));
	ck_assert_msg(!strncmp(text.data, wanted, strlen(wanted)), "the tree is:\n%s", text.data);
	ck_assert_msg(strstr(text.data, "    if  @5:2\n      condition binary >") && strstr(text.data, "else block") && strstr(text.data, "call f") &&
		strstr(text.data, "construct vec4") && strstr(text.data, "swizzle") && strstr(text.data, "step ++") , "the tree is:\n%s", text.data);
	csir_text_finish(&text);
	ck_assert(!csir_tree(FRAGMENT, "test", "void main() {", 13, &q, &text, &error));
	ck_assert_msg(strstr(error.text, "line 1") != NULL, "%s", error.text);
	csir_text_finish(&text);
}
END_TEST

START_TEST(eight_errors)
{
	struct g3_quirks q = quirks_of(G3_MODEL_CHRISOS);
	static struct csir_shader s;
	struct csir_log log;
	char source[2000] = "out vec4 c;\nvoid main() {\n";

	for (unsigned i = 0; i < 20; i++)
		strcat(source, "c = ;\n");
	strcat(source, "}\n");
	ck_assert(!compile_with(&s, FRAGMENT, source, &q, &log));
	ck_assert_uint_eq(log.errors, 8);
	for (unsigned i = 0; i < 8; i++)
		ck_assert_uint_eq(log.message[i].line, 3 + i); /* each statement is its own error */
	csir_shader_finish(&s);
}
END_TEST

/* ---- limits --------------------------------------------------------------------------------------------------------------- */

/* head, then `unit` repeated n times (%u is the number), then tail. */
static char *repeated(const char *head, const char *unit, unsigned n, const char *tail)
{
	struct csir_text t = {0};

	csir_text_add(&t, "%s", head);
	for (unsigned i = 0; i < n; i++) {
		const char *mark = strstr(unit, "%u");

		if (mark)
			csir_text_add(&t, "%.*s%u%s", (int)(mark - unit), unit, i, mark + 2);
		else
			csir_text_add(&t, "%s", unit);
	}
	csir_text_add(&t, "%s", tail);
	return t.data;
}

static const struct {
	const char *name;
	enum csir_stage stage;
	const char *head, *unit;
	unsigned most; /* units that still compile */
	const char *tail, *message;
} limits[] = {
	{"4095 bytes", FRAGMENT, "out vec4 c;void main(){}", " ", 4095 - 24, "", "source exceeds the size limit"},
	{"768 tokens", FRAGMENT, "out vec4 c;void main(){", "+ ", 768 - 13, "1.0;}", "too many tokens"},
	{"512 nodes", FRAGMENT, "out vec4 c;void main(){", ";", 509, "}", "shader exceeds the limit of 512 tree nodes"},
	{"64 symbols", FRAGMENT, "out vec4 c;", "float g%u;", 60, "void main(){}", "too many symbols"},
	{"48 scopes", FRAGMENT, "out vec4 c;void main(){", "{}", 45, "}", "too many scopes"},
	{"32 levels", FRAGMENT, "out vec4 c;void main(){float a=", "(", 15, "1.0", "nesting limit exceeded"},
	{"8 attributes", VERTEX, "", "in vec4 a%u;", 8, "void main(){gl_Position=vec4(1.0);}", "too many attributes"},
	{"8 varyings out", VERTEX, "", "out vec4 a%u;", 8, "void main(){gl_Position=vec4(1.0);}", "too many varyings"},
	{"8 varyings in", FRAGMENT, "out vec4 c;", "in vec4 a%u;", 8, "void main(){}", "too many varyings"},
	{"32 uniforms", FRAGMENT, "out vec4 c;", "uniform vec4 u%u;", 32, "void main(){}", "too many uniforms"},
	{"8 matrices", FRAGMENT, "out vec4 c;", "uniform mat4 u%u;", 8, "void main(){}", "too many uniforms"},
	{"4 samplers", FRAGMENT, "out vec4 c;", "uniform sampler2D u%u;", 4, "void main(){}", "too many samplers"},
	{"96 temporaries", FRAGMENT, "out vec4 c;void main(){", "float a%u;", 60, "}", "too many symbols"},
	{"temporaries of constants", FRAGMENT, "out vec4 c;void main(){", "1.0;", 93, "}", "shader exceeds the temporary limit"},
	{"160 immediates", FRAGMENT, "out vec4 c;void main(){mat4 m;", "m=mat4(1.0);", 9, "}", "too many constants"},
	{"8 calls deep", FRAGMENT, "out vec4 c;float f(float x){return x;}", "", 0, "void main(){c=vec4(f(1.0));}", ""},
};

START_TEST(limit)
{
	struct g3_quirks q = quirks_of(G3_MODEL_CHRISOS);
	static struct csir_shader s;
	struct csir_log log;
	char *source;
	bool closed = strcmp(limits[_i].unit, "(");

	q.v[G3_QUIRK_tgsi_budget] = 0; /* it would come first */
	for (unsigned over = 0; over < 2 && limits[_i].message[0]; over++) {
		char tail[200];

		snprintf(tail, sizeof tail, "%s%.*s%s", limits[_i].tail, closed ? 0 : (int)(limits[_i].most + over), "))))))))))))))))))))",
			closed ? "" : ";}");
		source = repeated(limits[_i].head, limits[_i].unit, limits[_i].most + over, tail);
		if (compile_with(&s, limits[_i].stage, source, &q, &log) == (over != 0))
			ck_abort_msg("%s: %u of them: %s", limits[_i].name, limits[_i].most + over, over ? "compiles" : log.text);
		if (over && strncmp(log.message[0].text, limits[_i].message, strlen(limits[_i].message)))
			ck_abort_msg("%s: %s", limits[_i].name, log.text);
		csir_shader_finish(&s);
		free(source);
	}
}
END_TEST

static void chain(unsigned calls, bool compiles)
{
	struct csir_text t = {0};
	struct g3_quirks q = quirks_of(G3_MODEL_CHRISOS);
	static struct csir_shader s;
	struct csir_log log;

	csir_text_add(&t, "out vec4 c;float f0(){return 1.0;}");
	for (unsigned i = 1; i < calls; i++)
		csir_text_add(&t, "float f%u(){return f%u();}", i, i - 1);
	csir_text_add(&t, "void main(){c=vec4(f%u());}", calls - 1);
	if (compile_with(&s, FRAGMENT, t.data, &q, &log) != compiles)
		ck_abort_msg("%u calls: %s", calls, compiles ? log.text : "compiles");
	if (!compiles)
		ck_assert_str_eq(log.message[0].text, "call depth limit (8)");
	csir_shader_finish(&s);
	csir_text_finish(&t);
}

START_TEST(call_depth)
{
	chain(7, true); /* main counts as 1 */
	chain(8, false);
}
END_TEST

START_TEST(instruction_limit)
{
	struct g3_quirks q = quirks_of(G3_MODEL_CHRISOS);
	static struct csir_shader s;
	struct csir_log log;
	char *source = repeated("in vec4 v;out vec4 c;void main(){", "for(int i%u=0;i%u<8;i%u++){c=v;c=v;c=v;}", 0, "");

	free(source);
	/* 5 of the prologue, then 9 rounds of 8 with 1 constant, 1 move and 5 stores are 5 + 72 * 7 */
	source = strdup("in vec4 v;out vec4 c;void main(){for(int i=0;i<8;i++){for(int k=0;k<6;k++){c=v;c=v;c=v;c=v;c=v;}}}");
	ck_assert(!compile_with(&s, FRAGMENT, source, &q, &log));
	ck_assert_str_eq(log.message[0].text, "shader exceeds the instruction limit (384)");
	free(source);
	csir_shader_finish(&s);
}
END_TEST

/* Only ChrisOS refuses a shader for the length of its TGSI text. */
START_TEST(tgsi_limit)
{
	static struct csir_shader s;

	for (unsigned stores = 80; stores <= 140; stores += 60)
		for (unsigned model = 0; model < G3_MODEL_COUNT; model++) {
			char *source = repeated("in vec4 v;out vec4 c;void main(){", "c=v;", stores / 2, "}");
			struct g3_quirks q = quirks_of((enum g3_model)model);
			struct csir_log log;
			bool ok = compile_with(&s, FRAGMENT, source, &q, &log);

			if (ok != (stores == 80 || model != G3_MODEL_CHRISOS))
				ck_abort_msg("%u stores, model %s: %s", stores, g3_model_name((enum g3_model)model), ok ? "compiles" : log.text);
			if (!ok)
				ck_assert_str_eq(log.message[0].text, "TGSI exceeds the VirGL command budget");
			csir_shader_finish(&s);
			free(source);
		}
}
END_TEST

/* ---- meaning -------------------------------------------------------------------------------------------------------------- */

#define ALL(x, y, z, w) {{x, y, z, w}, {x, y, z, w}, {x, y, z, w}}
#define FIXED(x, y, z, w, a, b, c, d) {{x, y, z, w}, {x, y, z, w}, {a, b, c, d}}

static const struct {
	const char *name, *source;
	float in[4];
	float wanted[3][4]; /* chrisos, virgl, corrected */
	float tolerance;
} meanings[] = {
	{"input", MAIN("c = v;"), {1, 2, 3, 4}, ALL(1, 2, 3, 4), 0},
	{"swizzle", MAIN("c = v.wzyx;"), {1, 2, 3, 4}, ALL(4, 3, 2, 1), 0},
	{"swizzle by colour letters", MAIN("c = v.bgra.rrgg;"), {1, 2, 3, 4}, ALL(3, 3, 2, 2), 0},
	{"index", MAIN("c = vec4(v[3], v[0], v[2], v[1]);"), {1, 2, 3, 4}, ALL(4, 1, 3, 2), 0},
	{"precedence", MAIN("c = vec4(v.x + v.y * v.z - v.w / 2.0);"), {1, 2, 3, 4}, ALL(5, 5, 5, 5), 0},
	{"left to right", MAIN("c = vec4(v.w - v.z - v.y);"), {1, 2, 3, 4}, ALL(-1, -1, -1, -1), 0},
	{"unary", MAIN("c = -v + +v.yyyy;"), {1, 2, 3, 4}, ALL(1, 0, -1, -2), 0},
	{"scalar with vector", MAIN("c = 2.0 * v + 1.0;"), {1, 2, 3, 4}, ALL(3, 5, 7, 9), 0},
	{"folding", MAIN("c = vec4(1.0 + 2.0 * 3.0, 7.0 - 8.0, 5 % 3, -7 % 4);"), {0, 0, 0, 0}, ALL(7, -1, 2, -3), 0},
	{"comparisons", MAIN("c = vec4(v.x < v.y, v.x > v.y, v.x <= v.x, v.x >= v.y);"), {1, 2, 3, 4}, ALL(1, 0, 1, 0), 0},
	{"equality", MAIN("c = vec4(v.x == v.x, v.x == v.y, v.x != v.y, v.x != v.x);"), {1, 2, 3, 4}, ALL(1, 0, 1, 0), 0},
	{"logic", MAIN("c = vec4(true && false, true || false, !true, !(v.x > v.y));"), {1, 2, 3, 4}, ALL(0, 1, 0, 1), 0},
	{"constructor of pieces", MAIN("c = vec4(v.zw, v.x, 9.0);"), {1, 2, 3, 4}, ALL(3, 4, 1, 9), 0},
	{"constructor cuts", MAIN("c = vec4(vec2(v), vec2(vec3(v)));"), {1, 2, 3, 4}, ALL(1, 2, 1, 2), 0},
	{"int of a float", MAIN("c = vec4(int(v.x), int(v.y), int(-v.x), 0.0);"), {1.75f, 2, 0, 0}, ALL(1, 2, -1, 0), 0},
	{"abs", MAIN("c = abs(v);"), {-1, 2, -3, -0.5f}, ALL(1, 2, 3, 0.5f), 0},
	{"min max", MAIN("c = vec4(min(v.xy, 1.5), max(v.zw, vec2(3.5)));"), {1, 2, 3, 4}, ALL(1, 1.5f, 3.5f, 4), 0},
	{"clamp", MAIN("c = clamp(v, 1.5, 3.0);"), {1, 2, 3, 4}, ALL(1.5f, 2, 3, 3), 0},
	{"mix", MAIN("c = mix(vec4(0.0, 1.0, 2.0, 3.0), v, 0.25);"), {4, 5, 6, 7}, ALL(1, 2, 3, 4), 0},
	{"dot of two lanes", MAIN("c = vec4(dot(v.xy, v.zw));"), {1, 2, 3, 4}, ALL(11, 11, 11, 11), 0},
	{"dot of three and four", MAIN("c = vec4(dot(v.xyz, v.xyz), dot(v, v), 0.0, 0.0);"), {1, 2, 3, 4}, ALL(14, 30, 0, 0), 0},
	{"cross", MAIN("c = vec4(cross(v.xyz, vec3(0.0, 0.0, 1.0)), 0.0);"), {1, 2, 3, 4}, ALL(2, -1, 0, 0), 0},
	{"reflect", MAIN("c = vec4(reflect(v.xyz, vec3(0.0, 1.0, 0.0)), 0.0);"), {1, 2, 3, 4}, ALL(1, -2, 3, 0), 0},
	{"length", MAIN("c = vec4(length(v.xy), length(v.xyz), 0.0, 0.0);"), {3, 4, 12, 0}, ALL(5, 13, 0, 0), 0.07f},
	{"length is exact when corrected", MAIN("c = vec4(length(v.xy) - 5.0);"), {3, 4, 0, 0},
		FIXED(-0.0175f, -0.0175f, -0.0175f, -0.0175f, 0, 0, 0, 0), 0.02f},
	{"normalize", MAIN("c = vec4(normalize(v.xyz), 0.0);"), {2, 0, 0, 0}, ALL(1, 0, 0, 0), 0.013f},
	{"sine", MAIN("c = vec4(sin(v.x), cos(v.x), sin(v.y), cos(v.y));"), {0.5f, -2, 0, 0},
		ALL(0.479426f, 0.877583f, -0.909297f, -0.416147f), 4e-5f},
	{"power", MAIN("c = vec4(pow(v.x, 3.0), pow(-v.x, 3.0), pow(v.y, 0.5), 0.0);"), {2, 9, 0, 0},
		{{8, -8, 3, 0}, {8, NAN, 3, 0}, {8, -8, 3, 0}}, 0.04f},
	{"reciprocal of 0", MAIN("c = vec4(1.0 / v.x, 1.0 / v.y, 0.0, 0.0);"), {0, 4, 0, 0},
		{{0, 0.25f, 0, 0}, {INFINITY, 0.25f, 0, 0}, {INFINITY, 0.25f, 0, 0}}, 0},
	{"if", MAIN("if (v.x > 1.0) c = vec4(1.0); else c = vec4(2.0);"), {2, 0, 0, 0}, ALL(1, 1, 1, 1), 0},
	{"else", MAIN("if (v.x > 1.0) c = vec4(1.0); else c = vec4(2.0);"), {0, 0, 0, 0}, ALL(2, 2, 2, 2), 0},
	{"nested if", MAIN("float a = v.x; if (v.x > 0.0) { if (v.y > 0.0) { a = 5.0 * v.x; } else { a = 6.0 * v.x; } } c = vec4(a);"),
		{1, -1, 0, 0}, ALL(6, 6, 6, 6), 0},
	{"loop", MAIN("float s = 0.0; for (int i = 1; i <= 4; i++) { s = s + v.x * i; } c = vec4(s);"), {2, 0, 0, 0}, ALL(20, 20, 20, 20), 0},
	{"loop backwards", MAIN("float s = 1.0; for (int i = 8; i > 0; --i) s = s + v.x; c = vec4(s);"), {2, 0, 0, 0}, ALL(17, 17, 17, 17), 0},
	{"loop that never runs", MAIN("c = v; for (int i = 3; i < 3; i++) c = vec4(0.0);"), {2, 0, 0, 0}, ALL(2, 0, 0, 0), 0},
	{"loop bounds with plus and minus", MAIN("float s = 0.0; for (int i = 1 - 2; i + 1 < 2 + 1; i++) s = s + 1.0; c = vec4(s + v.x);"),
		{0, 0, 0, 0}, ALL(3, 3, 3, 3), 0},
	{"functions", "float sq(float x) { return x * x; }\nvec2 f(vec2 a, float b) { vec2 r = a * sq(b); return r; }\n"
		MAIN("c = vec4(f(v.xy, v.z), f(vec2(1.0), 2.0));"), {1, 2, 3, 4}, ALL(9, 18, 4, 4), 0},
	{"parameters are copies", "float f(float x) { x = x + 1.0; return x; }\n" MAIN("float a = v.x; float b = f(a); c = vec4(a, b, 0.0, 0.0);"),
		{1, 0, 0, 0}, ALL(1, 2, 0, 0), 0},
	{"shadowing", MAIN("float a = v.x; { float a = v.y; c = vec4(a); } c = c + vec4(a);"), {1, 20, 0, 0}, ALL(21, 21, 21, 21), 0},
	{"last store wins", MAIN("c = v; c = v.wwww;"), {1, 2, 3, 4}, ALL(4, 4, 4, 4), 0},
	{"unwritten local is 0", MAIN("float a; c = vec4(a, v.xyz);"), {1, 2, 3, 4}, ALL(0, 1, 2, 3), 0},
	{"fragment coordinate", MAIN("c = gl_FragCoord;"), {1, 2, 3, 4}, ALL(1, 2, 3, 4), 0},
	{"global variable", "float g;\n" MAIN("g = v.x; c = vec4(g + 1.0);"), {1, 0, 0, 0}, ALL(2, 2, 2, 2), 0},
	/* where models differ */
	{"constants and branches", MAIN("float k = 1.0; if (v.x > 5.0) { k = 2.0; } c = vec4(k);"), {0, 0, 0, 0}, FIXED(2, 2, 2, 2, 1, 1, 1, 1), 0},
	{"constants on both sides", MAIN("float k; if (v.x > 5.0) k = 3.0; else k = 3.0; c = vec4(k);"), {0, 0, 0, 0}, ALL(3, 3, 3, 3), 0},
	{"matrix copied", "uniform mat3 m;\n" MAIN("mat3 n = m; c = vec4(n * vec3(0.0, 1.0, 0.0), 1.0);"), {1, 2, 3, 4},
		FIXED(0, 0, 0, 1, 1, 2, 3, 1), 0},
	{"matrix constructed", MAIN("mat3 n = mat3(v.xyz, v.yzx, v.zxy); c = vec4(n * vec3(0.0, 1.0, 0.0), 1.0);"), {1, 2, 3, 4},
		FIXED(0, 0, 0, 1, 2, 3, 1, 1), 0},
	{"matrix as a parameter", "uniform mat3 m;\nvec3 f(mat3 n, vec3 a) { return n * a; }\n" MAIN("c = vec4(f(m, vec3(0.0, 1.0, 0.0)), 1.0);"),
		{1, 2, 3, 4}, FIXED(0, 1, 0, 1, 1, 2, 3, 1), 0},
	{"matrix from a uniform", "uniform mat4 m;\n" MAIN("c = m * vec4(0.0, 1.0, 0.0, 1.0);"), {1, 2, 3, 4}, ALL(2, 4, 6, 8), 0},
	{"product of matrices", "uniform mat3 m;\n" MAIN("c = vec4(m * m * vec3(1.0, 0.0, 0.0), 0.0);"), {1, 2, 3, 4}, ALL(6, 12, 18, 0), 0},
	{"vector times matrix", "uniform mat3 m;\n" MAIN("c = vec4(vec3(1.0, 10.0, 100.0) * m, 0.0);"), {1, 2, 3, 4},
		FIXED(1, 20, 300, 0, 321, 321, 321, 0), 0},
	{"literal 0.7", MAIN("c = vec4(0.7, 0.7, 12345.678, 0.1) - vec4(0.7, v.x, 0.0, 0.0);"), {0.7f, 0, 0, 0},
		ALL(0, 0, 12345.678f, 0.1f), 0.002f},
	{"matrix diagonal", MAIN("c = mat4(2.0) * v;"), {1, 2, 3, 4}, FIXED(2, 0, 0, 0, 2, 4, 6, 8), 0},
	{"integer division", MAIN("int a = 7; int b = 2; c = vec4(float(a / b));"), {0, 0, 0, 0}, FIXED(3.5f, 3.5f, 3.5f, 3.5f, 3, 3, 3, 3), 0},
	{"return under an if", "float f(float x) { if (x > 5.0) return 1.0; return 2.0; }\n" MAIN("c = vec4(f(v.x));"), {9, 0, 0, 0},
		{{2, 2, 2, 2}, {2, 2, 2, 2}, {-1, 0, 0, 0}}, 0},
	{"global initial value", "const float g = 4.0;\n" MAIN("c = vec4(g);"), {0, 0, 0, 0}, {{-1, 0, 0, 0}, {-1, 0, 0, 0}, {4, 4, 4, 4}}, 0},
	{"float into an int", MAIN("int a = v.x; c = vec4(float(a));"), {1.5f, 0, 0, 0}, {{1.5f, 1.5f, 1.5f, 1.5f}, {1.5f, 1.5f, 1.5f, 1.5f}, {-1, 0, 0, 0}}, 0},
	{"integer vector of a constant", MAIN("ivec2 a = ivec2(3); c = vec4(a, 0.0, 0.0);"), {0, 0, 0, 0},
		{{-1, 0, 0, 0}, {-1, 0, 0, 0}, {3, 3, 0, 0}}, 0},
	{"matrix as an input", "in mat3 m;\n" MAIN("c = vec4(m * vec3(1.0, 0.0, 0.0), 0.0);"), {1, 2, 3, 4},
		{{1, 2, 3, 0}, {1, 2, 3, 0}, {-1, 0, 0, 0}}, 0},
};

static bool near(float got, float wanted, float tolerance)
{
	if (isnan(wanted))
		return isnan(got);
	return got == wanted || fabsf(got - wanted) <= tolerance;
}

/* A wanted colour of -1 0 0 0 means: the model refuses the source. */
static bool refused(const float wanted[4])
{
	return wanted[0] == -1 && wanted[1] == 0 && wanted[2] == 0 && wanted[3] == 0;
}

START_TEST(meaning)
{
	static struct csir_shader s;

	for (unsigned model = 0; model < G3_MODEL_COUNT; model++) {
		const float *wanted = meanings[_i].wanted[model];
		struct g3_quirks q = quirks_of((enum g3_model)model);
		struct run_result out;
		struct csir_log log;
		bool ok = compile_with(&s, FRAGMENT, meanings[_i].source, &q, &log);

		if (ok == refused(wanted))
			ck_abort_msg("%s, model %s: %s", meanings[_i].name, g3_model_name((enum g3_model)model), ok ? "compiles" : log.text);
		if (ok) {
			run_one(&s, (enum g3_model)model, meanings[_i].in, NULL, &out);
			for (unsigned k = 0; k < 4; k++)
				if (!near(out.colour[k], wanted[k], meanings[_i].tolerance))
					ck_abort_msg("%s, model %s: %.9g %.9g %.9g %.9g", meanings[_i].name, g3_model_name((enum g3_model)model),
						(double)out.colour[0], (double)out.colour[1], (double)out.colour[2], (double)out.colour[3]);
		}
		csir_shader_finish(&s);
	}
}
END_TEST

START_TEST(literals)
{
	static struct csir_shader s;

	/* put together digit by digit in single precision, 0.05 and 0.95 come out one unit too big, 0.7 right */
	compile(&s, FRAGMENT, "out vec4 c; void main() { c = vec4(0.05, 0.95, 1e-3, .7); }", G3_MODEL_CORRECTED);
	ck_assert(s.imm[4] == 0.05f && s.imm[5] == 0.95f && s.imm[6] == 1e-3f && s.imm[7] == 0.7f);
	csir_shader_finish(&s);
	compile(&s, FRAGMENT, "out vec4 c; void main() { c = vec4(0.05, 0.95, 1e-3, .7); }", G3_MODEL_CHRISOS);
	ck_assert(s.imm[4] == nextafterf(0.05f, 1) && s.imm[5] == nextafterf(0.95f, 1) && s.imm[7] == 0.7f);
	csir_shader_finish(&s);
}
END_TEST

START_TEST(discards)
{
	static struct csir_shader s;
	struct run_result out;

	compile(&s, FRAGMENT, MAIN("c = v; if (v.x > 1.0) { discard; } c = vec4(9.0);"), G3_MODEL_CHRISOS);
	run_one(&s, G3_MODEL_CHRISOS, (const float[]){2, 3, 4, 5}, NULL, &out);
	ck_assert(out.discarded && out.colour[0] == 2);
	run_one(&s, G3_MODEL_CHRISOS, (const float[]){1, 3, 4, 5}, NULL, &out);
	ck_assert(!out.discarded && out.colour[0] == 9);
	csir_shader_finish(&s);
}
END_TEST

/* ---- code: the listing, number by number ---------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	enum csir_stage stage;
	const char *source, *listing;
} listings[] = {
	{"prologue of a fragment shader", FRAGMENT, "uniform float k; in vec3 n; out vec4 c; uniform mat3 m; void main() { c = gl_FragCoord; }",
		"shader test\nstage fragment\nuniform float k slot 0\ninput vec3 n\noutput vec4 c\nuniform mat3 m slot 1\nblock 0:\n"
		"  %0 = load_fragcoord\n  %1 = load_uni aux 0\n  %2 = load_var\n  %4 = const %0 %0\n  %3 = mov %4\n  %5 = load_uni aux 1\n"
		"  %3 = mov %0\n  store_color %3\n"},
	{"vertex with a matrix", VERTEX, "layout(location = 3) in vec4 p; uniform mat4 m; out vec2 t; void main() { t = p.xy; gl_Position = m * p; }",
		"shader test\nstage vertex\ninput vec4 p\nuniform mat4 m slot 0\noutput vec2 t\nblock 0:\n"
		"  %1 = const %0 %0\n  %0 = mov %1\n  %2 = load_attr aux 3\n  %3 = load_uni aux 0\n  %8 = const %0 %0 aux 4\n  %7 = mov %8\n"
		"  %9 = swz %2 aux 4\n  %7 = mov %9\n  store_var %7\n  %10 = mul_mv %3 %2 aux 4\n  %0 = mov %10\n  store_pos %0\n"},
	{"the end of a dead chain goes", FRAGMENT, "out vec4 c; void main() { float a = 2.0 * 3.0; c = vec4(a); }",
		"shader test\nstage fragment\noutput vec4 c\nblock 0:\n  %0 = load_fragcoord\n  %2 = const %0 %0\n  %1 = mov %2\n"
		"  %6 = const %0 %0 aux 6\n  %8 = const %0 %0 aux 8\n  %1 = mov %8\n  store_color %1\n"},
	{"if and discard", FRAGMENT, "in float a; out vec4 c; void main() { if (a < 1.0) discard; else c = vec4(a); }",
		"shader test\nstage fragment\ninput float a\noutput vec4 c\nblock 0:\n  %0 = load_fragcoord\n  %1 = load_var\n  %3 = const %0 %0\n"
		"  %2 = mov %3\n  %4 = const %0 %0 aux 4\n  %5 = cmp %1 %4 aux 1\n  if %5\n  discard\n  else\n  %6 = swz %1\n  %2 = mov %6\n"
		"  store_color %2\n  endif\n"},
	{"normalize", FRAGMENT, "in vec3 n; out vec4 c; void main() { c = vec4(normalize(n), 1.0); }",
		"shader test\nstage fragment\ninput vec3 n\noutput vec4 c\nblock 0:\n  %0 = load_fragcoord\n  %1 = load_var\n  %3 = const %0 %0\n"
		"  %2 = mov %3\n  %4 = dot %1 %1 aux 3\n  %5 = rsq %4\n  %6 = swz %5\n  %7 = mul %1 %6\n  %8 = const %0 %0 aux 4\n"
		"  %10 = const %0 %0 aux 5\n  %9 = mov %10\n  %9 = lane %7\n  %9 = lane %7 aux 1\n  %9 = lane %7 aux 2\n  %9 = lane %8 aux 3\n"
		"  %2 = mov %9\n  store_color %2\n"},
	{"texture", FRAGMENT, "uniform sampler2D a; uniform sampler2D b; in vec2 t; out vec4 c; void main() { c = texture(b, t); }",
		"shader test\nstage fragment\nuniform sampler2D a slot 0\nuniform sampler2D b slot 1\ninput vec2 t\noutput vec4 c\nblock 0:\n"
		"  %0 = load_fragcoord\n  %1 = load_var\n  %3 = const %0 %0\n  %2 = mov %3\n  %4 = sample2d %1 aux 1\n  %2 = mov %4\n"
		"  store_color %2\n"},
};

START_TEST(listing)
{
	static struct csir_shader s;
	struct csir_text t = {0};

	compile(&s, listings[_i].stage, listings[_i].source, G3_MODEL_CHRISOS);
	ck_assert(csir_dump(&s, true, &t));
	if (strcmp(t.data, listings[_i].listing))
		ck_abort_msg("%s:\n%s", listings[_i].name, t.data);
	csir_text_finish(&t);
	csir_shader_finish(&s);
}
END_TEST

START_TEST(source_lines)
{
	static struct csir_shader s;

	compile(&s, FRAGMENT, "out vec4 c;\nin vec4 v;\nvoid main() {\n  c = v +\n    v;\n}\n", G3_MODEL_CHRISOS);
	for (unsigned i = 0; i < s.instr_count; i++)
		if (s.instr[i].op == CSIR_ADD)
			ck_assert_uint_eq(s.line[i], 4); /* of the statement */
	csir_shader_finish(&s);
}
END_TEST

START_TEST(slots)
{
	static struct csir_shader s;
	static const int wanted[] = {1, 3, 0, 2, 0, 4, 8};

	compile(&s, VERTEX, "in vec4 a; layout(location = 3) in vec4 b; layout(location = 0) in vec4 c; in vec4 d;\n"
		"uniform mat4 m; uniform mat4 n; uniform float o; void main() { gl_Position = a; }", G3_MODEL_CHRISOS);
	ck_assert_uint_eq(s.symbol_count, 7);
	for (unsigned i = 0; i < 7; i++)
		ck_assert_int_eq(s.symbol[i].slot, wanted[i]);
	ck_assert_int_eq(s.attr_high, 3);
	ck_assert_int_eq(s.uniform_high, 8);
	ck_assert(s.writes_position);
	csir_shader_finish(&s);
}
END_TEST

/* ---- the shaders in data/shaders ------------------------------------------------------------------------------------------ */

static const struct {
	const char *file;
	enum csir_stage stage;
	float in[4], wanted[4];
	float tolerance;
} files[] = {
	{"constant.vert", VERTEX, {1, 2, 3, 4}, {1, 2, 3, 4}, 0},
	{"constant.frag", FRAGMENT, {0, 0, 0, 0}, {1, 0, 0, 1}, 0},
	{"uv.vert", VERTEX, {1, 2, 3, 4}, {1, 2, 3, 4}, 0},
	{"mvp.vert", VERTEX, {1, 0, 0, 1}, {8, 0, 0, 8}, 0}, /* every column is the position itself */
	{"texture.frag", FRAGMENT, {1, 1, 1, 1}, {1, 0, 1, 1}, 0},
	{"diffuse.frag", FRAGMENT, {0, 0, 2, 1}, {0, 0, 2, 1}, 0.05f},
	{"branch.frag", FRAGMENT, {0.25f, 0.25f, 0, 0}, {0, 0, 0.25f, 1}, 0},
	{"loops.frag", FRAGMENT, {0.5f, 0.25f, 0, 0}, {3, 1, 0, 1}, 1e-6f},
	{"functions.frag", FRAGMENT, {0.5f, 0.5f, 0, 0}, {1, 0.8f, 0.2f, 1}, 1e-6f},
	{"discard.frag", FRAGMENT, {0, 1, 0, 0}, {0, 1, 0.5f, 1}, 0},
	{"sine.frag", FRAGMENT, {0, 0, 0, 0}, {0.5f, 0.5f, 0.5f, 1}, 4e-5f},
};

START_TEST(shipped)
{
	static const uint8_t texels[2 * 2 * 4] = {0, 0, 0, 0, 255, 0, 255, 255, 0, 0, 0, 0, 255, 0, 255, 255}; /* B G R A; magenta on the right */
	struct csir_texture textures[CSIR_SAMPLER_MAX] = {{texels, 2, 2}};
	const char *data = getenv("QS_DATA");
	char path[4096], source[CSIR_SOURCE_MAX];
	static struct csir_shader s;
	FILE *file;
	size_t size;

	snprintf(path, sizeof path, "%s/shaders/%s", data ? data : "data", files[_i].file);
	file = fopen(path, "rb");
	if (!file)
		ck_abort_msg("%s cannot be opened", path);
	size = fread(source, 1, sizeof source - 1, file);
	fclose(file);
	source[size] = 0;
	for (unsigned model = 0; model < G3_MODEL_COUNT; model++) {
		struct run_result out;
		const float *got = files[_i].stage == VERTEX ? out.position : out.colour;

		compile(&s, files[_i].stage, source, (enum g3_model)model);
		run_one(&s, (enum g3_model)model, files[_i].in, textures, &out);
		for (unsigned k = 0; k < 4; k++)
			if (!near(got[k], files[_i].wanted[k], files[_i].tolerance))
				ck_abort_msg("%s, model %s: %.9g %.9g %.9g %.9g", files[_i].file, g3_model_name((enum g3_model)model), (double)got[0],
					(double)got[1], (double)got[2], (double)got[3]);
		csir_shader_finish(&s);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("csir");
	TCase *tcase = tcase_create("compiler");

	tcase_add_loop_test(tcase, message, 0, sizeof messages / sizeof *messages);
	tcase_add_test(tcase, log_text);
	tcase_add_test(tcase, derivatives);
	tcase_add_test(tcase, tree);
	tcase_add_test(tcase, eight_errors);
	tcase_add_loop_test(tcase, limit, 0, sizeof limits / sizeof *limits);
	tcase_add_test(tcase, call_depth);
	tcase_add_test(tcase, instruction_limit);
	tcase_add_test(tcase, tgsi_limit);
	tcase_add_loop_test(tcase, meaning, 0, sizeof meanings / sizeof *meanings);
	tcase_add_test(tcase, literals);
	tcase_add_test(tcase, discards);
	tcase_add_loop_test(tcase, listing, 0, sizeof listings / sizeof *listings);
	tcase_add_test(tcase, source_lines);
	tcase_add_test(tcase, slots);
	tcase_add_loop_test(tcase, shipped, 0, sizeof files / sizeof *files);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
