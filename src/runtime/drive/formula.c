// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Formulas: Dijkstra's shunting yard turns the text into a program for a stack machine, without recursion; the compiler
// follows the depth of the stack, so that evaluation needs no checks. Nothing is allocated but the result.

#include "gertie/formula.h"

#include "gertie/number.h"

#include "base/ascii.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/scalar.h"
#include "base/slice.h"

#include <math.h>
#include <string.h>

typedef enum Op {
    OP_NUMBER,
    OP_TIME,
    OP_NAME,
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_POWER,
    OP_NEGATE,
    OP_SIN,
    OP_COS,
    OP_TAN,
    OP_ASIN,
    OP_ACOS,
    OP_ATAN,
    OP_SINH,
    OP_COSH,
    OP_TANH,
    OP_EXP,
    OP_LOG,
    OP_SQRT,
    OP_ABS,
    OP_SIGN,
    OP_FLOOR,
    OP_CEIL,
    OP_ROUND,
    OP_FRACT,
    OP_ATAN2,
    OP_MOD,
    OP_MIN,
    OP_MAX,
    OP_STEP,
    OP_CLAMP,
    OP_LERP,
    OP_SMOOTHSTEP,
    OP_GROUP, // an open parenthesis, while compiling
} Op;

typedef struct Function {
    const char* name;
    Op op;
    int32_t arity;
} Function;

static const Function functions[] = {
    { "sin", OP_SIN, 1 },     { "cos", OP_COS, 1 },     { "tan", OP_TAN, 1 },
    { "asin", OP_ASIN, 1 },   { "acos", OP_ACOS, 1 },   { "atan", OP_ATAN, 1 },
    { "sinh", OP_SINH, 1 },   { "cosh", OP_COSH, 1 },   { "tanh", OP_TANH, 1 },
    { "exp", OP_EXP, 1 },     { "log", OP_LOG, 1 },     { "sqrt", OP_SQRT, 1 },
    { "abs", OP_ABS, 1 },     { "sign", OP_SIGN, 1 },   { "floor", OP_FLOOR, 1 },
    { "ceil", OP_CEIL, 1 },   { "round", OP_ROUND, 1 }, { "fract", OP_FRACT, 1 },
    { "atan2", OP_ATAN2, 2 }, { "mod", OP_MOD, 2 },     { "min", OP_MIN, 2 },
    { "max", OP_MAX, 2 },     { "pow", OP_POWER, 2 },   { "step", OP_STEP, 2 },
    { "clamp", OP_CLAMP, 3 }, { "lerp", OP_LERP, 3 },   { "smoothstep", OP_SMOOTHSTEP, 3 },
};

typedef struct Instruction {
    double number;
    Op op;
    int32_t name;
} Instruction;

struct GtFormula {
    GtAllocator allocator;
    const Instruction* program; // [instruction_count]
    int32_t instruction_count;
    int32_t name_count;
    const char* names[GT_FORMULA_MAX_NAMES];
};

// An operator that waits for its right side, or an open parenthesis.
typedef struct Waiting {
    Op op;
    const Function* function; // of a parenthesis, or NULL
    int32_t arguments;        // of that function, so far
} Waiting;

typedef struct Compiler {
    const char* text;
    const char* at;
    const char* end;
    GtError* error;
    Instruction* program; // NULL on the first pass, which counts
    int32_t count;
    int32_t depth; // of the machine's stack after the program so far
    int32_t waiting_count;
    int32_t name_count;
    Waiting waiting[GT_FORMULA_MAX_DEPTH];
    GtiSlice names[GT_FORMULA_MAX_NAMES];
} Compiler;

static GtResult wrong(const Compiler* c, GtResult code, const char* what)
{
    return gti_fail(c->error, code, "formula '%.80s', character %d: %s", c->text, (int)(c->at - c->text) + 1, what);
}

static int32_t arity_of(Op op)
{
    if (op <= OP_NAME) {
        return 0;
    }
    if (op == OP_NEGATE || (op >= OP_SIN && op <= OP_FRACT)) {
        return 1;
    }
    return op >= OP_CLAMP ? 3 : 2;
}

static GtResult emit(Compiler* c, Instruction instruction)
{
    c->depth += 1 - arity_of(instruction.op);
    if (c->depth > GT_FORMULA_MAX_DEPTH) {
        return wrong(c, GT_ERROR_LIMIT, "nested too deeply");
    }
    if (c->program) {
        c->program[c->count] = instruction;
    }
    ++c->count;
    return GT_OK;
}

static GtResult wait(Compiler* c, Waiting waiting)
{
    if (c->waiting_count == GT_FORMULA_MAX_DEPTH) {
        return wrong(c, GT_ERROR_LIMIT, "nested too deeply");
    }
    c->waiting[c->waiting_count++] = waiting;
    return GT_OK;
}

static int precedence(Op op)
{
    switch (op) {
    case OP_ADD:
    case OP_SUBTRACT:
        return 1;
    case OP_MULTIPLY:
    case OP_DIVIDE:
        return 2;
    case OP_NEGATE:
        return 3;
    case OP_POWER:
        return 4;
    default:
        return 0; // a parenthesis
    }
}

// Let operators go that bind at least as strongly as `least`.
static GtResult release(Compiler* c, int least)
{
    while (c->waiting_count && precedence(c->waiting[c->waiting_count - 1].op) >= least) {
        GtResult result = emit(c, (Instruction){ .op = c->waiting[--c->waiting_count].op });
        if (result != GT_OK) {
            return result;
        }
    }
    return GT_OK;
}

static bool is_word_letter(char a)
{
    return gti_is_letter(a) || a == '_';
}

static void skip_space(Compiler* c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\n' || *c->at == '\r')) {
        ++c->at;
    }
}

static bool is_name_part(char a, bool later, bool inside_brackets)
{
    return is_word_letter(a) || (later && (gti_is_digit(a) || a == '.' || a == ':' || a == '[')) ||
           (inside_brackets && (a == ',' || a == ']'));
}

// A name as written, without quotes; empty where none starts here.
static GtiSlice take_name(Compiler* c)
{
    GtiSlice name = { c->at, 0 };
    if (*c->at == '\'') {
        const char* close = memchr(c->at + 1, '\'', (size_t)(c->end - c->at - 1));
        if (close) {
            name = (GtiSlice){ c->at + 1, (size_t)(close - c->at - 1) };
            c->at = close + 1;
        }
        return name;
    }
    const char* p = c->at;
    bool inside = false; // of brackets, where commas belong to the name
    while (p < c->end && is_name_part(*p, p > name.text, inside)) {
        inside = *p == '[' || (inside && *p != ']');
        ++p;
    }
    name.length = (size_t)(p - name.text);
    c->at = p;
    return name;
}

static GtResult emit_name(Compiler* c, GtiSlice name)
{
    int32_t index = 0;
    while (index < c->name_count &&
           (c->names[index].length != name.length || memcmp(c->names[index].text, name.text, name.length) != 0)) {
        ++index;
    }
    if (index == GT_FORMULA_MAX_NAMES) {
        return wrong(c, GT_ERROR_LIMIT, "too many names");
    }
    if (index == c->name_count) {
        c->names[c->name_count++] = name;
    }
    return emit(c, (Instruction){ .op = OP_NAME, .name = index });
}

static const Function* find_function(GtiSlice name)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
        if (gti_slice_is(name, functions[i].name)) {
            return &functions[i];
        }
    }
    return NULL;
}

static GtResult open_function(Compiler* c, GtiSlice name)
{
    const Function* function = find_function(name);
    if (!function) {
        c->at = name.text;
        return wrong(c, GT_ERROR_BAD_VALUE, "there is no such function");
    }
    ++c->at;
    return wait(c, (Waiting){ .op = OP_GROUP, .function = function, .arguments = 1 });
}

static GtResult take_word(Compiler* c, bool* complete)
{
    bool quoted = *c->at == '\'';
    const char* start = c->at;
    GtiSlice name = take_name(c);
    if (name.length == 0) {
        c->at = start;
        return wrong(c, GT_ERROR_BAD_VALUE,
                     quoted ? "a quoted name has no end, or nothing in it"
                            : "expected a number, a name or a parenthesis");
    }
    skip_space(c);
    if (!quoted && c->at < c->end && *c->at == '(') {
        return open_function(c, name);
    }
    *complete = true;
    if (!quoted && gti_slice_is(name, "t")) {
        return emit(c, (Instruction){ .op = OP_TIME });
    }
    if (!quoted && (gti_slice_is(name, "pi") || gti_slice_is(name, "tau"))) {
        return emit(c, (Instruction){ .op = OP_NUMBER, .number = name.length == 2 ? GTI_PI : 2.0 * GTI_PI });
    }
    return emit_name(c, name);
}

// What may stand where a number is expected; `complete` once there is one.
static GtResult take_operand(Compiler* c, bool* complete)
{
    char next = *c->at;
    if (next == '-' || next == '+') {
        ++c->at;
        return next == '-' ? wait(c, (Waiting){ .op = OP_NEGATE }) : GT_OK;
    }
    if (next == '(') {
        ++c->at;
        return wait(c, (Waiting){ .op = OP_GROUP, .arguments = 1 });
    }
    if (gti_is_digit(next) || (next == '.' && c->at + 1 < c->end && gti_is_digit(c->at[1]))) {
        double number = 0.0;
        c->at = gt_parse_double(c->at, c->end, &number);
        *complete = true;
        return emit(c, (Instruction){ .op = OP_NUMBER, .number = number });
    }
    return take_word(c, complete);
}

static GtResult close_group(Compiler* c)
{
    GtResult result = release(c, 1);
    if (result != GT_OK) {
        return result;
    }
    if (!c->waiting_count) {
        return wrong(c, GT_ERROR_BAD_VALUE, "a parenthesis closes that was never opened");
    }
    Waiting group = c->waiting[--c->waiting_count];
    if (group.function && group.function->arity != group.arguments) {
        return gti_fail(c->error, GT_ERROR_BAD_VALUE, "formula '%.80s', character %d: %s takes %d arguments, not %d",
                        c->text, (int)(c->at - c->text) + 1, group.function->name, group.function->arity,
                        group.arguments);
    }
    ++c->at;
    return group.function ? emit(c, (Instruction){ .op = group.function->op }) : GT_OK;
}

static GtResult next_argument(Compiler* c)
{
    GtResult result = release(c, 1);
    if (result != GT_OK) {
        return result;
    }
    if (!c->waiting_count || !c->waiting[c->waiting_count - 1].function) {
        return wrong(c, GT_ERROR_BAD_VALUE, "a comma outside a function");
    }
    ++c->waiting[c->waiting_count - 1].arguments;
    ++c->at;
    return GT_OK;
}

// What may stand after a number; `complete` stays, unless another number must follow.
static GtResult take_operator(Compiler* c, bool* complete)
{
    static const char signs[] = "+-*/^";
    static const Op ops[] = { OP_ADD, OP_SUBTRACT, OP_MULTIPLY, OP_DIVIDE, OP_POWER };
    if (*c->at == ')') {
        return close_group(c);
    }
    *complete = false;
    if (*c->at == ',') {
        return next_argument(c);
    }
    const char* sign = strchr(signs, *c->at);
    if (!sign || !*sign) {
        return wrong(c, GT_ERROR_BAD_VALUE, "expected an operator");
    }
    Op op = ops[sign - signs];
    GtResult result = release(c, precedence(op) + (op == OP_POWER ? 1 : 0));
    ++c->at;
    return result == GT_OK ? wait(c, (Waiting){ .op = op }) : result;
}

static GtResult compile(Compiler* c)
{
    bool complete = false;
    for (skip_space(c); c->at < c->end; skip_space(c)) {
        GtResult result = complete ? take_operator(c, &complete) : take_operand(c, &complete);
        if (result != GT_OK) {
            return result;
        }
    }
    if (!complete) {
        return wrong(c, GT_ERROR_BAD_VALUE, c->at == c->text ? "there is nothing" : "it ends too early");
    }
    GtResult result = release(c, 1);
    if (result == GT_OK && c->waiting_count) {
        result = wrong(c, GT_ERROR_BAD_VALUE, "a parenthesis is not closed");
    }
    return result;
}

static GtFormula* lay_out(GtAllocator allocator, Compiler* c)
{
    size_t head = gti_round_up16(sizeof(GtFormula));
    size_t size = head + (size_t)c->count * sizeof(Instruction);
    for (int32_t i = 0; i < c->name_count; ++i) {
        size += c->names[i].length + 1;
    }
    char* block = allocator.allocate(allocator.user, size); // each part is bounded by GT_FORMULA_MAX_SIZE
    if (!block) {
        return NULL;
    }
    GtFormula* formula = (GtFormula*)block;
    Instruction* program = (Instruction*)(block + head);
    char* text = (char*)(program + c->count);
    *formula = (GtFormula){
        .allocator = allocator, .program = program, .instruction_count = c->count, .name_count = c->name_count
    };
    for (int32_t i = 0; i < c->name_count; ++i) {
        memcpy(text, c->names[i].text, c->names[i].length);
        text[c->names[i].length] = 0;
        formula->names[i] = text;
        text += c->names[i].length + 1;
    }
    *c = (Compiler){ .text = c->text, .at = c->text, .end = c->end, .program = program };
    return formula;
}

GtResult gt_formula_create(GtAllocator allocator, const char* text, GtFormula** out, GtError* error)
{
    *out = NULL;
    size_t length = strlen(text);
    Compiler compiler = { .text = text, .at = text, .end = text + length, .error = error };
    if (length > GT_FORMULA_MAX_SIZE) {
        return gti_fail(error, GT_ERROR_LIMIT, "formula '%.40s...' has more than %d bytes", text, GT_FORMULA_MAX_SIZE);
    }
    GtResult result = compile(&compiler);
    if (result != GT_OK) {
        return result;
    }
    GtFormula* formula = lay_out(allocator, &compiler);
    if (!formula) {
        return gti_out_of_memory(error);
    }
    *out = formula;
    return compile(&compiler); // again, this time to keep
}

void gt_formula_destroy(GtFormula* formula)
{
    if (formula) {
        formula->allocator.release(formula->allocator.user, formula);
    }
}

int32_t gt_formula_name_count(const GtFormula* formula)
{
    return formula->name_count;
}

const char* gt_formula_name(const GtFormula* formula, int32_t index)
{
    return formula->names[index];
}

static double apply_one(Op op, double a)
{
    switch (op) {
    case OP_NEGATE:
        return -a;
    case OP_SIN:
        return sin(a);
    case OP_COS:
        return cos(a);
    case OP_TAN:
        return tan(a);
    case OP_ASIN:
        return asin(a);
    case OP_ACOS:
        return acos(a);
    case OP_ATAN:
        return atan(a);
    case OP_SINH:
        return sinh(a);
    case OP_COSH:
        return cosh(a);
    case OP_TANH:
        return tanh(a);
    case OP_EXP:
        return exp(a);
    case OP_LOG:
        return log(a);
    case OP_SQRT:
        return sqrt(a);
    case OP_ABS:
        return fabs(a);
    case OP_SIGN:
        return (double)(a > 0.0) - (double)(a < 0.0);
    case OP_FLOOR:
        return floor(a);
    case OP_CEIL:
        return ceil(a);
    case OP_ROUND:
        return round(a);
    default:
        return a - floor(a); // OP_FRACT
    }
}

static double apply_two(Op op, double a, double b)
{
    switch (op) {
    case OP_ADD:
        return a + b;
    case OP_SUBTRACT:
        return a - b;
    case OP_MULTIPLY:
        return a * b;
    case OP_DIVIDE:
        return a / b;
    case OP_POWER:
        return pow(a, b);
    case OP_ATAN2:
        return atan2(a, b);
    case OP_MOD:
        return a - b * floor(a / b);
    case OP_MIN:
        return fmin(a, b);
    case OP_MAX:
        return fmax(a, b);
    default:
        return b >= a ? 1.0 : 0.0; // OP_STEP
    }
}

static double apply_three(Op op, double a, double b, double c)
{
    if (op == OP_CLAMP) {
        return fmin(b, fmax(a, c));
    }
    if (op == OP_LERP) {
        return (1.0 - c) * a + c * b;
    }
    return gti_cubic_step((c - a) / (b - a));
}

double gt_formula_eval(const GtFormula* formula, double time_s, const double* values)
{
    double stack[GT_FORMULA_MAX_DEPTH + 1];
    double* top = stack; // the next free place
    stack[0] = 0.0;
    for (int32_t i = 0; i < formula->instruction_count; ++i) {
        const Instruction* in = &formula->program[i];
        switch (arity_of(in->op)) {
        case 0:
            *top++ = in->op == OP_NUMBER ? in->number : in->op == OP_TIME ? time_s : values[in->name];
            break;
        case 1:
            top[-1] = apply_one(in->op, top[-1]);
            break;
        case 2:
            --top;
            top[-1] = apply_two(in->op, top[-1], top[0]);
            break;
        default:
            top -= 2;
            top[-1] = apply_three(in->op, top[-1], top[0], top[1]);
            break;
        }
    }
    return stack[0];
}
