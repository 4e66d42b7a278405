/* ptx.h - reads PTX, the assembly text that CUDA compilers write: kernels, instructions, flow graphs.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Reads ISA 3 to 9 from a buffer: directives, kernels and functions, parameters, registers, labels and their
 * scopes, predicates, vectors, calls, branch tables, debug lines. Every instruction is kept with its opcode.
 * Unknown opcodes are kept, counted and listed. Each function gets its flow graph and loops (ptx/flow.h).
 * ptx/count.h counts how often everything runs.
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/ptx.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static const char text[] =
 *             ".version 8.0\n.target sm_80\n.address_size 64\n"
 *             ".visible .entry _Z4copyPf(.param .u64 p) {\n.reg .f32 %f; .reg .b64 %a;\n"
 *             "ld.param.u64 %a, [p];\nld.global.f32 %f, [%a];\nst.global.f32 [%a+4], %f;\nret;\n}\n";
 *         sooth_env env;
 *         sooth_ptx ptx;
 *         sooth_ptx_word operand[2];
 *         size_t kernel;
 *         sooth_env_init(&env);
 *         if (sooth_ptx_read(&env, text, sizeof text - 1, NULL, &ptx) != SOOTH_OK ||
 *             sooth_ptx_kernel_named(&env, &ptx, "copy", &kernel) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("%u instructions\n", ptx.function[kernel].instructions);        //> 4 instructions
 *         sooth_ptx_operands(&ptx, &ptx.instruction[2], operand, 2);
 *         printf("stores to %.*s\n", (int)operand[0].length, operand[0].text);   //> stores to [%a+4]
 *         sooth_ptx_free(&env, &ptx);
 *         return 0;
 *     }
 *
 * Notes
 *
 * The text must outlive the sooth_ptx, because names point into it. Any number of threads may use one
 * sooth_ptx at once; one thread reads it.
 *
 * Cost
 *
 * One pass over the text at 300 to 500 MB a second, and one over the functions with loops. 16 bytes for each
 * instruction, 56 for each block. Nothing is allocated per token.
 */
#if !defined(SOOTH_PTX_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PTX_IMPLEMENTED))
#include "ptx/needs.h"
#endif

#if !defined(SOOTH_PTX_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_PTX_H
SOOTHI_C_BEGIN

/* ---- reading ---- */

typedef struct sooth_ptx_options {
    uint32_t notes; /* maximum number of stored errors and remarks; 0 means 64 */
} sooth_ptx_options;

/* Reads text[0..size), below 4 GiB. A zero at its end is ignored. options NULL means defaults. A syntax error
   is noted in out->note with line and column. Its function is marked broken, and reading continues at the
   next function. Check out->errors. Returns SOOTH_BAD_TEXT if the bytes are not PTX. *out is then empty, also
   if out of memory. */
SOOTH_API sooth_status sooth_ptx_read(sooth_env *env, const char *text, size_t size,
                                      const sooth_ptx_options *options, sooth_ptx *out);

/* Frees what sooth_ptx_read allocated and empties *ptx. */
SOOTH_API void sooth_ptx_free(sooth_env *env, sooth_ptx *ptx);

/* ---- finding kernels ---- */

/* Finds the index of a kernel by its name, or by its C++ name if that is unique: "reduce", "sums::reduce" or
   "reduce<float, 256>", without parameters. NULL finds the only kernel. The exact name of a function with a
   body is also accepted. Otherwise returns SOOTH_BAD_ARGUMENT and lists the kernels in the sentence, those of
   this name if there are several; *kernel is then SOOTH_NONE. */
SOOTH_API sooth_status sooth_ptx_kernel_named(sooth_env *env, const sooth_ptx *ptx, const char *name,
                                              size_t *kernel);

/* Writes the C++ name of a kernel or function without its parameters, "sums::reduce<float, 256>", cut to
   `size`, and returns text. Other names than those of namespaces, classes and templates over numbers and
   plain types are written as they are in the PTX. */
SOOTH_API const char *sooth_ptx_kernel_name(const sooth_ptx *ptx, size_t kernel, char *text, size_t size);

SOOTHI_C_END
#endif /* SOOTH_PTX_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PTX_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_PTX_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- reading ---- */

/* A label that an instruction or a table names. It is resolved after the function has been read. */
typedef struct soothi_ptx_reference {
    sooth_ptx_word name;
    uint32_t scope;
} soothi_ptx_reference;

/* The targets of one .branchtargets. */
typedef struct soothi_ptx_targets {
    uint32_t label;        /* of the table */
    uint32_t first, count; /* in target[] */
} soothi_ptx_targets;

/* A shared variable of the module. It counts for every function that names it. */
typedef struct soothi_ptx_shared {
    uint32_t variable;
    uint32_t user; /* the last function that names it */
} soothi_ptx_shared;

typedef struct soothi_ptx_call {
    uint32_t instruction, function;
    sooth_ptx_word callee;
} soothi_ptx_call;

typedef struct soothi_ptx_reader {
    soothi_ptx_memory memory;
    sooth_ptx *out;
    const char *p, *end;
    uint32_t most_notes;
    const char *counted;          /* newlines are counted up to here: */
    uint32_t line;                /* the line of that position */
    uint32_t function;            /* the one being read; NONE: none */
    uint32_t source, source_line; /* of the current .loc */
    uint32_t scope, depth;
    int is_open;     /* the last block accepts more instructions */
    int has_generic; /* an address may lie in any memory space */
    soothi_ptx_names forms, functions, labels, shared;
    uint32_t *scope_parent;
    size_t scopes, scope_capacity;
    soothi_ptx_reference *reference, *target;
    size_t references, reference_capacity, targets, target_capacity;
    soothi_ptx_targets *table; /* of the current function, by rising label */
    size_t tables, table_capacity;
    soothi_ptx_shared *share;
    size_t shares, share_capacity;
    soothi_ptx_call *call;
    size_t calls, call_capacity;
    soothi_ptx_graph graph;
    soothi_ptx_flow flow;
} soothi_ptx_reader;

enum { SOOTHI_PTX_SCOPES = 200 }; /* maximum depth of braces */

/* Makes space for one more element in an array of the module. */
#define SOOTHI_PTX_APPEND_OUT(array, count, first) \
    SOOTHI_PTX_APPEND(&r->memory, r->out->array, r->out->count, first)

/* ---- notes ---- */

/* Returns the line of a position. Positions must not decrease. */
SOOTHI_LOCAL uint32_t soothi_ptx_line(soothi_ptx_reader *r, const char *at) {
    if (at > r->counted) {
        r->line += soothi_ptx_lines(r->counted, (size_t)(at - r->counted));
        r->counted = at;
    }
    return r->line;
}

/* Shortens a word for a sentence and replaces unprintable characters. */
SOOTHI_LOCAL const char *soothi_ptx_brief(char text[52], sooth_ptx_word word) {
    const size_t n = word.length < 48 ? word.length : 45;
    for (size_t i = 0; i < n; ++i) text[i] = word.text[i] >= 32 && word.text[i] < 127 ? word.text[i] : '?';
    memcpy(text + n, n < word.length ? "..." : "", n < word.length ? 4 : 1);
    return text;
}

/* Notes an error or a remark. The word and `more` replace the first and second %s of the format. Always
   returns 0, as all functions below do after an error. */
SOOTHI_LOCAL int soothi_ptx_note(soothi_ptx_reader *r, int is_error, const char *at, const char *format,
                                 sooth_ptx_word word, const char *more) {
    sooth_ptx *out = r->out;
    const char *start = at; /* of the line */
    char brief[52];
    if (is_error) ++out->errors;
    else ++out->remarks;
    if (is_error && r->function != SOOTH_PTX_NONE) out->function[r->function].is_broken = 1;
    if (out->notes >= r->most_notes) return 0;
    if (!SOOTHI_PTX_APPEND_OUT(note, notes, SOOTHI_PTX_FIRST)) return 0;
    sooth_ptx_note *note = &out->note[out->notes++];
    memset(note, 0, sizeof *note);
    note->is_error = (uint32_t)is_error;
    note->function = r->function;
    while (start > out->text && start[-1] != '\n') --start;
    note->line = 1 + soothi_ptx_lines(out->text, (size_t)(start - out->text));
    note->column = (uint32_t)(at - start) + 1;
    sooth_text_format(note->text, sizeof note->text, format, soothi_ptx_brief(brief, word), more);
    return 0;
}

SOOTHI_LOCAL int soothi_ptx_error(soothi_ptx_reader *r, const char *at, const char *format,
                                  sooth_ptx_word word) {
    return soothi_ptx_note(r, 1, at, format, word, "");
}

/* Notes that r->p holds something other than `what`: a name or number, else one character, or the end of the
   text. */
SOOTHI_LOCAL int soothi_ptx_missing(soothi_ptx_reader *r, const char *what) {
    sooth_ptx_word word = soothi_ptx_word(r->p, 0);
    while (r->p + word.length < r->end && soothi_ptx_in_word(r->p[word.length])) ++word.length;
    if (word.length == 0) word.length = 1;
    if (r->p >= r->end) word = soothi_ptx_word("the end of the text", 19);
    return soothi_ptx_note(r, 1, r->p, "found %s instead of %s", word, what);
}

/* ---- small pieces of syntax; each returns 1, or 0 after noting an error ---- */

SOOTHI_LOCAL void soothi_ptx_blank(soothi_ptx_reader *r) { r->p = soothi_ptx_skip(r->p, r->end); }

/* Takes c if it is next, including the blanks before it. */
SOOTHI_LOCAL int soothi_ptx_take(soothi_ptx_reader *r, char c) {
    soothi_ptx_blank(r);
    if (r->p >= r->end || *r->p != c) return 0;
    ++r->p;
    return 1;
}

SOOTHI_LOCAL int soothi_ptx_expect(soothi_ptx_reader *r, char c, const char *what) {
    return soothi_ptx_take(r, c) || soothi_ptx_missing(r, what);
}

/* Takes a name. `what` NULL means that it is optional and nothing is noted. */
SOOTHI_LOCAL int soothi_ptx_take_name(soothi_ptx_reader *r, sooth_ptx_word *name, const char *what) {
    soothi_ptx_blank(r);
    *name = soothi_ptx_name(r->p, r->end);
    r->p += name->length;
    return name->length > 0 || (what && soothi_ptx_missing(r, what));
}

/* Takes an unsigned integer. `what` NULL means that it is optional and nothing is noted. */
SOOTHI_LOCAL int soothi_ptx_number(soothi_ptx_reader *r, uint64_t *value, const char *what) {
    *value = 0;
    soothi_ptx_blank(r);
    size_t n = soothi_ptx_whole(r->p, r->end, value);
    r->p += n;
    return n > 0 || (what && soothi_ptx_missing(r, what));
}

/* Takes a string without escapes, within a line. */
SOOTHI_LOCAL int soothi_ptx_string(soothi_ptx_reader *r) {
    const char *start;
    if (!soothi_ptx_expect(r, '"', "a string")) return 0;
    for (start = r->p - 1; r->p < r->end && *r->p != '"' && *r->p != '\n';) ++r->p;
    if (r->p < r->end && *r->p == '"') return ++r->p, 1;
    return soothi_ptx_error(r, start, "the string that begins here is not closed", soothi_ptx_word("", 0));
}

/* Takes a directive with its point, if one is next. Blanks before it are taken in any case. */
SOOTHI_LOCAL int soothi_ptx_directive(soothi_ptx_reader *r, sooth_ptx_word *word) {
    const char *q;
    soothi_ptx_blank(r);
    *word = soothi_ptx_word(r->p, 0);
    if (r->p >= r->end || *r->p != '.') return 0;
    for (q = r->p + 1; q < r->end;) {
        if (soothi_ptx_in_name(*q)) ++q;
        else if (*q == ':' && r->end - q > 2 && q[1] == ':' && soothi_ptx_in_name(q[2])) q += 2;
        else break;
    }
    word->length = (size_t)(q - r->p);
    r->p = q;
    return 1;
}

/* Moves to the next `stop` or `other` outside brackets, strings and comments. `unended` is the error if there
   is none. `what` names what is expected in place of an unmatched closing bracket. */
SOOTHI_LOCAL int soothi_ptx_seek(soothi_ptx_reader *r, char stop, char other, const char *unended,
                                 const char *what) {
    const char *start = r->p;
    uint32_t depth = 0;
    for (;; ++r->p) {
        while (r->p < r->end &&
               soothi_ptx_char(*r->p) - SOOTHI_PTX_BLANK <= SOOTHI_PTX_POINT - SOOTHI_PTX_BLANK)
            ++r->p; /* words and blanks */
        soothi_ptx_blank(r);
        while (r->p < r->end && *r->p == '"') {
            if (!soothi_ptx_string(r)) return 0;
            soothi_ptx_blank(r);
        }
        if (r->p >= r->end) return soothi_ptx_error(r, start, unended, soothi_ptx_word("", 0));
        if (depth == 0 && (*r->p == stop || *r->p == other)) return 1;
        if (*r->p == '(' || *r->p == '{') ++depth;
        else if ((*r->p == ')' || *r->p == '}') && depth-- == 0) return soothi_ptx_missing(r, what);
    }
}

/* Skips past the next ; */
SOOTHI_LOCAL int soothi_ptx_statement(soothi_ptx_reader *r) {
    return soothi_ptx_seek(r, ';', ';', "this directive has no ; at its end", "a ;") && ++r->p;
}

/* ---- variables, registers, parameters ---- */

/* The parts of a declaration: .align 16 .v4 .f32 before its names, and a name with <range> or [n][m]. */
typedef struct soothi_ptx_declared {
    uint32_t type, vector, align;
    sooth_ptx_word name;
    uint64_t range;    /* 1: none */
    uint64_t elements; /* of the array; 0 for [] */
} soothi_ptx_declared;

/* Takes the arguments of .attribute(.unified(19, 95)), whose name has been taken. */
SOOTHI_LOCAL int soothi_ptx_attribute(soothi_ptx_reader *r) {
    return soothi_ptx_expect(r, '(', "a ( after .attribute") &&
           soothi_ptx_seek(r, ')', ';', "the ( before this is not closed", "a ) after .attribute") &&
           soothi_ptx_expect(r, ')', "a ) after .attribute");
}

/* Takes the optional bank of the older .const[0]. */
SOOTHI_LOCAL int soothi_ptx_bank(soothi_ptx_reader *r) {
    uint64_t number;
    return !soothi_ptx_take(r, '[') || (soothi_ptx_number(r, &number, "the number of a bank") &&
                                        soothi_ptx_expect(r, ']', "a ] after a bank"));
}

SOOTHI_LOCAL int soothi_ptx_before_names(soothi_ptx_reader *r, soothi_ptx_declared *d) {
    sooth_ptx_word word;
    uint64_t number;
    d->type = SOOTH_PTX_TYPE_UNTYPED;
    d->vector = 1;
    d->align = 0;
    while (soothi_ptx_directive(r, &word)) {
        const unsigned type = soothi_ptx_find_type(soothi_ptx_word(word.text + 1, word.length - 1));
        if (type != SOOTH_PTX_TYPE_UNTYPED) {
            d->type = type;
        } else if (word.length == 3 && word.text[1] == 'v' && word.text[2] >= '2' && word.text[2] <= '8') {
            d->vector = (uint32_t)(word.text[2] - '0');
        } else if (soothi_ptx_is(word, ".align")) {
            if (!soothi_ptx_number(r, &number, "a number after .align")) return 0;
            if (d->align == 0) d->align = number < 65536 ? (uint32_t)number : 65536; /* else: of a pointer */
        } else if (soothi_ptx_is(word, ".attribute")) {
            if (!soothi_ptx_attribute(r)) return 0;
        } else if (soothi_ptx_is(word, ".ptr")) {
            if (d->align == 0) d->align = 1; /* the rest describes its target */
        } else if (soothi_ptx_is(word, ".const") && !soothi_ptx_bank(r)) {
            return 0;
        }
    }
    return 1;
}

SOOTHI_LOCAL int soothi_ptx_one_name(soothi_ptx_reader *r, soothi_ptx_declared *d) {
    d->range = d->elements = 1;
    if (!soothi_ptx_take_name(r, &d->name, "a name")) return 0;
    if (soothi_ptx_take(r, '<') && (!soothi_ptx_number(r, &d->range, "the number of names") ||
                                    !soothi_ptx_expect(r, '>', "a > after the number of names")))
        return 0;
    while (soothi_ptx_take(r, '[')) {
        uint64_t n = 0;
        if (!soothi_ptx_take(r, ']') && (!soothi_ptx_number(r, &n, "the size of an array") ||
                                         !soothi_ptx_expect(r, ']', "a ] after a size")))
            return 0;
        d->elements = n && d->elements > (UINT64_MAX >> 16) / n ? UINT64_MAX >> 16 : d->elements * n;
    }
    return 1;
}

/* Adds one variable. Returns NULL if out of memory. */
SOOTHI_LOCAL sooth_ptx_variable *soothi_ptx_variable(soothi_ptx_reader *r, const soothi_ptx_declared *d,
                                                     unsigned space) {
    const uint32_t bytes = (d->vector * soothi_ptx_bits(d->type) + 7) / 8;
    sooth_ptx *out = r->out;
    if (!SOOTHI_PTX_APPEND_OUT(variable, variables, SOOTHI_PTX_FIRST)) return NULL;
    sooth_ptx_variable *v = &out->variable[out->variables++];
    memset(v, 0, sizeof *v);
    v->name = d->name;
    v->function = r->function;
    v->type = (uint8_t)d->type;
    v->bytes = d->elements * bytes;
    v->align = d->align ? d->align : bytes;
    v->space = (uint8_t)space;
    return v;
}

/* Returns `size` bytes plus the aligned variable, limited to 2^48, which no device has. */
SOOTHI_LOCAL uint64_t soothi_ptx_with(uint64_t size, const sooth_ptx_variable *v) {
    const uint64_t most = (uint64_t)1 << 48, step = v->align ? v->align : 1;
    const uint64_t sum = (size + step - 1) / step * step + v->bytes;
    return sum < most ? sum : most;
}

/* Adds a variable to the shared memory of the function. A variable without a size gets it at launch. */
SOOTHI_LOCAL void soothi_ptx_add_shared(sooth_ptx_function *f, const sooth_ptx_variable *v) {
    f->shared_bytes = soothi_ptx_with(f->shared_bytes, v);
    if (v->bytes == 0) f->dynamic_shared = 1;
}

/* Takes the variables after .global .const .shared .local .tex, up to the ; */
SOOTHI_LOCAL int soothi_ptx_variables(soothi_ptx_reader *r, unsigned space, int is_extern) {
    sooth_ptx_function *f = r->function == SOOTH_PTX_NONE ? NULL : &r->out->function[r->function];
    soothi_ptx_declared d;
    if ((space == SOOTH_PTX_CLASS_CONSTANT && !soothi_ptx_bank(r)) || !soothi_ptx_before_names(r, &d))
        return 0;
    do {
        sooth_ptx_variable *v;
        if (!soothi_ptx_one_name(r, &d) || (v = soothi_ptx_variable(r, &d, space)) == NULL) return 0;
        v->is_extern = (uint8_t)is_extern;
        if (f && space == SOOTH_PTX_CLASS_SHARED) {
            soothi_ptx_add_shared(f, v);
        } else if (f && space == SOOTH_PTX_CLASS_LOCAL) {
            f->local_bytes = soothi_ptx_with(f->local_bytes, v);
        } else if (space == SOOTH_PTX_CLASS_SHARED) { /* used by the functions that name it */
            uint32_t *number = soothi_ptx_insert(&r->memory, &r->shared, r->out->text, d.name, 0);
            if (!number) return 0;
            if (*number == SOOTH_PTX_NONE) {
                if (!SOOTHI_PTX_MORE(&r->memory, r->share, r->shares, r->share_capacity)) return 0;
                *number = (uint32_t)r->shares;
                r->share[r->shares].variable = (uint32_t)r->out->variables - 1;
                r->share[r->shares++].user = SOOTH_PTX_NONE;
            }
        }
        if (soothi_ptx_take(r, '=') &&
            !soothi_ptx_seek(r, ';', ',', "this value has no ; at its end", "a ; after a value"))
            return 0;
    } while (soothi_ptx_take(r, ','));
    return soothi_ptx_expect(r, ';', "a ; after a variable");
}

/* .reg .b32 %r<24>, a, b; */
SOOTHI_LOCAL int soothi_ptx_registers(soothi_ptx_reader *r) {
    sooth_ptx_function *f = &r->out->function[r->function];
    soothi_ptx_declared d;
    if (!soothi_ptx_before_names(r, &d)) return 0;
    if (d.type == SOOTH_PTX_TYPE_UNTYPED) return soothi_ptx_missing(r, "the type of a register");
    do {
        if (!soothi_ptx_one_name(r, &d)) return 0;
        f->registers[d.type] += (uint32_t)(d.range < 16777216 ? d.range : 16777216) * d.vector;
    } while (soothi_ptx_take(r, ','));
    return soothi_ptx_expect(r, ';', "a ; after registers");
}

/* Takes the parameters of a function: .param .u64 a, .param .align 4 .b8 b[12] ). Its results are not
   kept. */
SOOTHI_LOCAL int soothi_ptx_parameters(soothi_ptx_reader *r, int keep) {
    if (soothi_ptx_take(r, ')')) return 1;
    do {
        soothi_ptx_declared d;
        sooth_ptx_word word;
        soothi_ptx_directive(r, &word);
        if (!soothi_ptx_is(word, ".param") && !soothi_ptx_is(word, ".reg")) {
            r->p = word.text;
            return soothi_ptx_missing(r, ".param");
        }
        if (!soothi_ptx_before_names(r, &d) || !soothi_ptx_one_name(r, &d)) return 0;
        if (keep) {
            const sooth_ptx_variable *v = soothi_ptx_variable(r, &d, SOOTH_PTX_CLASS_PARAM);
            sooth_ptx_function *f = &r->out->function[r->function];
            if (!v) return 0;
            ++f->params;
            f->param_bytes = soothi_ptx_with(f->param_bytes, v);
        }
    } while (soothi_ptx_take(r, ','));
    return soothi_ptx_expect(r, ')', "a ) after parameters");
}

/* ---- directives that are allowed anywhere ---- */

/* Takes file line column, after .loc and inlined_at. */
SOOTHI_LOCAL int soothi_ptx_position(soothi_ptx_reader *r, uint64_t position[3]) {
    return soothi_ptx_number(r, &position[0], "the number of a file") &&
           soothi_ptx_number(r, &position[1], "a line after .loc and the file") &&
           soothi_ptx_number(r, &position[2], "a column after .loc, file and line");
}

/* .loc file line column [, function_name label [+ n], inlined_at file line column] */
SOOTHI_LOCAL int soothi_ptx_location(soothi_ptx_reader *r) {
    uint64_t position[3];
    sooth_ptx_word word;
    const char *after;
    if (!soothi_ptx_position(r, position)) return 0;
    r->source = (uint32_t)position[0];
    r->source_line = (uint32_t)position[1];
    for (after = r->p; soothi_ptx_take(r, ','); after = r->p) {
        soothi_ptx_take_name(r, &word, NULL);
        if (soothi_ptx_is(word, "inlined_at")) {
            if (!soothi_ptx_position(r, position)) return 0;
        } else if (soothi_ptx_is(word, "function_name")) {
            if (!soothi_ptx_take_name(r, &word, "the name of a function")) return 0;
            if (soothi_ptx_take(r, '+') && !soothi_ptx_number(r, position, "a number after +")) return 0;
        } else {
            r->p = word.text;
            return soothi_ptx_missing(r, "inlined_at or function_name after .loc");
        }
    }
    r->p = after;
    return 1;
}

/* .file number "name" [, time, size] */
SOOTHI_LOCAL int soothi_ptx_file(soothi_ptx_reader *r) {
    uint64_t number;
    if (!soothi_ptx_number(r, &number, "a number after .file") || !soothi_ptx_string(r)) return 0;
    while (soothi_ptx_take(r, ','))
        if (!soothi_ptx_number(r, &number, "a number after .file")) return 0;
    return 1;
}

/* .section name { ... }: debug data, skipped. */
SOOTHI_LOCAL int soothi_ptx_section(soothi_ptx_reader *r) {
    while (r->p < r->end && *r->p != '{' && *r->p != ';' && *r->p != '\n') ++r->p;
    if (!soothi_ptx_expect(r, '{', "a { after .section")) return 0;
    return soothi_ptx_seek(r, '}', '}', "the brace that opens here is not closed", "a }") && ++r->p;
}

/* Takes .extern .visible .weak .common, which may precede a directive, and then that directive. */
SOOTHI_LOCAL int soothi_ptx_linkage(soothi_ptx_reader *r, sooth_ptx_word *word) {
    int is_extern = 0;
    while (soothi_ptx_is(*word, ".extern") || soothi_ptx_is(*word, ".visible") ||
           soothi_ptx_is(*word, ".weak") || soothi_ptx_is(*word, ".common")) {
        is_extern |= word->text[1] == 'e';
        soothi_ptx_directive(r, word);
    }
    return is_extern;
}

/* Handles a directive that has been taken, in a function or outside. */
SOOTHI_LOCAL int soothi_ptx_any_directive(soothi_ptx_reader *r, sooth_ptx_word word, int is_extern) {
    unsigned space = SOOTH_PTX_CLASSES;
    if (word.length) space = soothi_ptx_find_space(soothi_ptx_word(word.text + 1, word.length - 1));
    if (soothi_ptx_is(word, ".loc")) return soothi_ptx_location(r);
    if (soothi_ptx_is(word, ".file")) return soothi_ptx_file(r);
    if (soothi_ptx_is(word, ".section")) return soothi_ptx_section(r);
    if (space < SOOTH_PTX_CLASS_PARAM) return soothi_ptx_variables(r, space, is_extern);
    return soothi_ptx_statement(r); /* .param of calls, .alias a, b; .pragma "nounroll"; future ones */
}

/* ---- labels ---- */

/* Returns the label that a name means inside a scope: of that scope or the nearest enclosing one; or NONE. */
SOOTHI_LOCAL uint32_t soothi_ptx_resolve(const soothi_ptx_reader *r, const soothi_ptx_reference *reference) {
    uint32_t scope = reference->scope, found;
    for (;; scope = r->scope_parent[scope]) {
        found = soothi_ptx_find(&r->labels, r->out->text, reference->name, scope);
        if (found != SOOTH_PTX_NONE || scope == 0) return found;
    }
}

/* Begins a block at p unless the last one is still empty. */
SOOTHI_LOCAL int soothi_ptx_begin_block(soothi_ptx_reader *r, const char *p) {
    sooth_ptx *out = r->out;
    if (r->is_open && out->block[out->blocks - 1].count == 0) return 1;
    if (!SOOTHI_PTX_APPEND_OUT(block, blocks, SOOTHI_PTX_FIRST_BLOCKS(out))) return 0;
    sooth_ptx_block *b = &out->block[out->blocks++];
    memset(b, 0, sizeof *b);
    b->first = (uint32_t)out->instructions;
    b->idom = b->order = b->loop = b->label = SOOTH_PTX_NONE;
    b->function = r->function;
    b->line = soothi_ptx_line(r, p);
    b->source = r->source;
    b->source_line = r->source_line;
    ++out->function[r->function].blocks;
    r->is_open = 1;
    return 1;
}

/* Records in list[0..*count) that `name` is referred to here. */
SOOTHI_LOCAL int soothi_ptx_refer(soothi_ptx_reader *r, soothi_ptx_reference **list, size_t *count,
                                  size_t *capacity, sooth_ptx_word name) {
    if (!SOOTHI_PTX_MORE(&r->memory, *list, *count, *capacity)) return 0;
    (*list)[*count].name = name;
    (*list)[(*count)++].scope = r->scope;
    return 1;
}

/* Takes a list of names up to the ; : the targets of .branchtargets, or the functions of .calltargets. */
SOOTHI_LOCAL int soothi_ptx_target_list(soothi_ptx_reader *r) {
    sooth_ptx_word name;
    do {
        if (!soothi_ptx_take_name(r, &name, "a target") ||
            !soothi_ptx_refer(r, &r->target, &r->targets, &r->target_capacity, name))
            return 0;
    } while (soothi_ptx_take(r, ','));
    return soothi_ptx_expect(r, ';', "a ; after targets");
}

/* Handles a label that has been read up to its colon. Before .branchtargets, .calltargets or .callprototype
   it names a table; otherwise it starts a block. */
SOOTHI_LOCAL int soothi_ptx_take_label(soothi_ptx_reader *r, sooth_ptx_word name) {
    sooth_ptx *out = r->out;
    sooth_ptx_word word;
    soothi_ptx_targets targets;
    uint32_t *number = soothi_ptx_insert(&r->memory, &r->labels, out->text, name, r->scope);
    if (!number) return 0;
    if (*number != SOOTH_PTX_NONE)
        return soothi_ptx_error(r, name.text, "the label %s is defined twice", name);
    if (!SOOTHI_PTX_APPEND_OUT(label, labels, SOOTHI_PTX_FIRST)) return 0;
    *number = (uint32_t)out->labels;
    sooth_ptx_label *label = &out->label[out->labels++];
    memset(label, 0, sizeof *label);
    label->name = name;
    label->function = r->function;
    label->scope = r->scope;
    label->block = SOOTH_PTX_NONE;
    ++out->function[r->function].labels;
    targets.label = *number;
    targets.first = (uint32_t)r->targets;
    soothi_ptx_directive(r, &word);
    if (soothi_ptx_is(word, ".branchtargets") || soothi_ptx_is(word, ".calltargets")) {
        if (!soothi_ptx_target_list(r)) return 0;
    } else if (soothi_ptx_is(word, ".callprototype")) {
        if (!soothi_ptx_statement(r)) return 0;
    } else {
        r->p = word.text;
        if (!soothi_ptx_begin_block(r, name.text)) return 0;
        label->block = (uint32_t)out->blocks - 1;
        if (out->block[label->block].label == SOOTH_PTX_NONE) out->block[label->block].label = *number;
        return 1;
    }
    if (!SOOTHI_PTX_MORE(&r->memory, r->table, r->tables, r->table_capacity)) return 0;
    targets.count = (uint32_t)r->targets - targets.first;
    r->table[r->tables++] = targets;
    return 1;
}

/* ---- instructions ---- */

/* Returns the index of the form of this opcode, or NONE if out of memory. */
SOOTHI_LOCAL uint32_t soothi_ptx_form_index(soothi_ptx_reader *r, sooth_ptx_word word) {
    sooth_ptx *out = r->out;
    char why[112]; /* soothi_ptx_product tells it */
    uint32_t *number = soothi_ptx_insert(&r->memory, &r->forms, out->text, word, 0);
    if (!number || *number != SOOTH_PTX_NONE) return number ? *number : SOOTH_PTX_NONE;
    if (!SOOTHI_PTX_APPEND_OUT(form, forms, SOOTHI_PTX_FIRST)) return SOOTH_PTX_NONE;
    out->form[out->forms] = soothi_ptx_form_of(word.text, word.length);
    (void)soothi_ptx_tensor_of(&out->form[out->forms], why);
    soothi_ptx_form_needs(&out->form[out->forms]);
    *number = (uint32_t)out->forms++;
    return *number;
}

/* The operands of an instruction that branches and calls need. */
typedef struct soothi_ptx_found {
    sooth_ptx_word first, last; /* names outside brackets */
} soothi_ptx_found;

/* Adds a shared variable of the module to the function that names it. */
SOOTHI_LOCAL void soothi_ptx_uses(soothi_ptx_reader *r, sooth_ptx_word name) {
    const uint32_t number = soothi_ptx_find(&r->shared, r->out->text, name, 0);
    if (number == SOOTH_PTX_NONE) return;
    soothi_ptx_shared *shared = &r->share[number];
    if (shared->user != r->function)
        soothi_ptx_add_shared(&r->out->function[r->function], &r->out->variable[shared->variable]);
    shared->user = r->function;
}

/* Takes the operands up to the ; : names, numbers and three kinds of brackets with lists inside, joined by
   operators and commas. */
SOOTHI_LOCAL int soothi_ptx_take_operands(soothi_ptx_reader *r, soothi_ptx_found *found) {
    const char *p = r->p, *const end = r->end, *start;
    char close[32]; /* of the open brackets */
    unsigned depth = 0;
    int need = 1, any = 0; /* an operand must come next; one was taken */
    memset(found, 0, sizeof *found);
    for (; p < end;) {
        switch (soothi_ptx_char(*p)) {
        case SOOTHI_PTX_BLANK: ++p; break;
        case SOOTHI_PTX_LETTER:
            if (!need) goto unexpected;
            for (start = p++; p < end && soothi_ptx_in_word(*p);) ++p;
            if (depth == 0) {
                found->last = soothi_ptx_word(start, (size_t)(p - start));
                if (found->first.length == 0) found->first = found->last;
            }
            if (r->shared.count && *start != '%')
                soothi_ptx_uses(r, soothi_ptx_word(start, (size_t)(p - start)));
            need = 0;
            any = 1;
            break;
        case SOOTHI_PTX_DIGIT:
            if (!need) goto unexpected;
            for (start = p++; p < end; ++p) { /* 1.5e-3, but not 0x1e-3 */
                const int exponent = (p[-1] | 32) == 'e' && (start[1] | 32) != 'x';
                if (!soothi_ptx_in_word(*p) && !(exponent && (*p == '-' || *p == '+'))) break;
            }
            need = 0;
            any = 1;
            break;
        case SOOTHI_PTX_OPEN:
            if (!need || depth == sizeof close) goto unexpected;
            close[depth++] = *p == '(' ? ')' : *p == '[' ? ']' : '}';
            for (++p; p < end && soothi_ptx_is_blank(*p);) ++p;
            if (p < end && *p == ')' && close[depth - 1] == ')') need = 0; /* call f, (); */
            any = 1;
            break;
        case SOOTHI_PTX_CLOSE:
            if (need || depth == 0 || close[depth - 1] != *p) goto unexpected;
            --depth;
            ++p;
            break;
        case SOOTHI_PTX_SIGN:
            ++p;
            need = 1;
            break;
        case SOOTHI_PTX_SLASH:
            start = p;
            p = soothi_ptx_skip(p, end);
            if (p > start) break;
            /* fall through */
        case SOOTHI_PTX_COMMA:
        case SOOTHI_PTX_BETWEEN:
            if (need) goto unexpected;
            need = 1;
            ++p;
            break;
        case SOOTHI_PTX_BEFORE:
            if (!need) goto unexpected;
            ++p;
            break;
        case SOOTHI_PTX_END:
            if (depth > 0 || (need && any)) goto unexpected;
            r->p = p + 1;
            return 1;
        default: goto unexpected;
        }
    }
    return soothi_ptx_error(r, r->p, "the text ends within an instruction", soothi_ptx_word("", 0));
unexpected:
    r->p = p;
    return soothi_ptx_missing(r, need ? "an operand" : "a comma or ;");
}

/* True if an instruction with this opcode ends its block. */
SOOTHI_LOCAL int soothi_ptx_is_last(unsigned opcode) {
    return opcode == SOOTH_PTX_OP_BRA || opcode == SOOTH_PTX_OP_BRX || opcode == SOOTH_PTX_OP_RET ||
           opcode == SOOTH_PTX_OP_EXIT || opcode == SOOTH_PTX_OP_TRAP;
}

/* Stores the size of a copy if it is a number. cp.async copies 4, 8 or 16 bytes, or fewer from the source and
   zeros; the others copy a multiple of 16. */
SOOTHI_LOCAL int soothi_ptx_copy(soothi_ptx_reader *r, sooth_ptx_instruction *ins, sooth_ptx_word word) {
    const sooth_ptx_form *form = &r->out->form[ins->form];
    const int bulk = (form->flags & SOOTH_PTX_FORM_BULK) != 0;
    sooth_ptx_word operand[4];
    uint64_t bytes, read;
    const size_t at = soothi_ptx_size_operand(form), n = sooth_ptx_operands(r->out, ins, operand, 4);
    if (at >= n || !soothi_ptx_number_in(operand[at], &bytes)) return 1;
    if (bytes >= SOOTH_PTX_NONE || (bulk ? bytes % 16 != 0 : bytes != 4 && bytes != 8 && bytes != 16))
        return soothi_ptx_note(r, 1, operand[at].text, "%s has a size that is not %s", word,
                               bulk ? "a multiple of 16 below 4 GiB" : "4, 8 or 16 bytes");
    ins->target = (uint32_t)bytes;
    if (!bulk && n >= 4 && soothi_ptx_number_in(operand[3], &read) && read < bytes)
        ins->target = (uint32_t)read; /* the rest are zeros */
    return 1;
}

/* Notes a matrix product that the ISA does not have: an error, or for a newer ISA a remark. */
SOOTHI_LOCAL int soothi_ptx_product(soothi_ptx_reader *r, const sooth_ptx_instruction *ins,
                                    sooth_ptx_word word) {
    const sooth_ptx_form *known = &r->out->form[ins->form];
    const int is_error = r->out->version <= SOOTHI_PTX_ISA;
    char why[112];
    if (known->operations > 0 || (known->kind != SOOTH_PTX_KIND_TENSOR && known->opcode != SOOTH_PTX_OP_WMMA))
        return 1;
    sooth_ptx_form form = *known;
    if (soothi_ptx_tensor_of(&form, why)) return 1;
    if (is_error || form.count == 0)
        soothi_ptx_note(r, is_error, r->out->text + ins->at, "%s is not in the ISA: %s", word, why);
    return !is_error && r->memory.status == SOOTH_OK;
}

/* Stores the target of a branch or the callee of a call for later resolution, and the size of a copy. */
SOOTHI_LOCAL int soothi_ptx_look_ahead(soothi_ptx_reader *r, sooth_ptx_instruction *ins, sooth_ptx_word word,
                                       const soothi_ptx_found *found) {
    const sooth_ptx_form *form = &r->out->form[ins->form];
    const sooth_ptx_word target = form->opcode == SOOTH_PTX_OP_BRX ? found->last : found->first;
    if (form->flags & SOOTH_PTX_FORM_GENERIC) r->has_generic = 1;
    switch (form->opcode) {
    case SOOTH_PTX_OP_BRA:
    case SOOTH_PTX_OP_BRX:
        if (target.length == 0) return soothi_ptx_error(r, r->out->text + ins->at, "%s has no target", word);
        return soothi_ptx_refer(r, &r->reference, &r->references, &r->reference_capacity, target);
    case SOOTH_PTX_OP_CALL:
        if (target.length == 0)
            return soothi_ptx_error(r, r->out->text + ins->at, "%s has no function to call", word);
        if (!SOOTHI_PTX_MORE(&r->memory, r->call, r->calls, r->call_capacity)) return 0;
        r->call[r->calls].instruction = (uint32_t)r->out->instructions;
        r->call[r->calls].function = r->function;
        r->call[r->calls++].callee = target;
        ++r->out->function[r->function].calls;
        return 1;
    case SOOTH_PTX_OP_UNKNOWN:
        ++r->out->unknown;
        if (form->count == 0)
            soothi_ptx_note(r, 0, r->out->text + ins->at, "the opcode %s is not known; it counts as misc",
                            word, "");
        return r->memory.status == SOOTH_OK;
    default:
        return form->flags & SOOTH_PTX_FORM_ASYNCHRONOUS ? soothi_ptx_copy(r, ins, word)
                                                         : soothi_ptx_product(r, ins, word);
    }
}

/* Takes the instruction whose opcode is `word`, after which r->p points. `at` is its start, including its
   predicate. */
SOOTHI_LOCAL int soothi_ptx_instruction(soothi_ptx_reader *r, const char *at, sooth_ptx_word word,
                                        unsigned flags) {
    sooth_ptx *out = r->out;
    sooth_ptx_instruction ins;
    soothi_ptx_found found;
    if (word.text - at > 65535)
        return soothi_ptx_error(r, at, "the opcode %s is too far from its predicate", word);
    if (!soothi_ptx_take_operands(r, &found)) return 0;
    ins.form = soothi_ptx_form_index(r, word);
    if (ins.form == SOOTH_PTX_NONE || (!r->is_open && !soothi_ptx_begin_block(r, at))) return 0;
    ins.at = (uint32_t)(at - out->text);
    ins.target = SOOTH_PTX_NONE;
    ins.skip = (uint16_t)(word.text - at);
    ins.kind = out->form[ins.form].kind;
    ins.flags = (uint8_t)flags;
    if (!soothi_ptx_look_ahead(r, &ins, word, &found) ||
        !SOOTHI_PTX_APPEND_OUT(instruction, instructions, SOOTHI_PTX_FIRST_INSTRUCTIONS(out)))
        return 0;
    out->instruction[out->instructions++] = ins;
    if (soothi_ptx_is_last(out->form[ins.form].opcode)) r->is_open = 0;
    ++out->form[ins.form].count;
    ++out->block[out->blocks - 1].count;
    ++out->function[r->function].instructions;
    return 1;
}

/* Returns a word that may be an opcode: its modifiers after points, even if blanks precede them, and banks as
   in the older ld.const[10].u32. */
SOOTHI_LOCAL sooth_ptx_word soothi_ptx_opcode_at(const char *p, const char *end) {
    const char *start = p, *q;
    for (;;) {
        while (p < end && soothi_ptx_in_word(*p)) ++p;
        if (end - p > 2 && p[0] == ':' && p[1] == ':' && soothi_ptx_in_name(p[2])) { /* .shared::cta */
            p += 2;
            continue;
        }
        if (end - p > 3 && p[0] == '[' && soothi_ptx_char(p[1]) == SOOTHI_PTX_DIGIT) {
            for (q = p + 1; q < end && soothi_ptx_char(*q) == SOOTHI_PTX_DIGIT;) ++q;
            if (end - q > 1 && q[0] == ']' && q[1] == '.') {
                p = q + 1;
                continue;
            }
        }
        for (q = p; q < end && (*q == ' ' || *q == '\t');) ++q;
        if (q == p || end - q < 2 || *q != '.' || !soothi_ptx_in_name(q[1]))
            return soothi_ptx_word(start, (size_t)(p - start));
        p = q;
    }
}

/* ---- edges ---- */

/* Appends an edge from the last block that has edges, unless it exists. Per block of the function, `mark`
   holds the last block that has an edge to it, plus 1. */
SOOTHI_LOCAL int soothi_ptx_edge(soothi_ptx_reader *r, uint32_t *mark, uint32_t from, uint32_t to) {
    sooth_ptx *out = r->out;
    sooth_ptx_function *f = &out->function[r->function];
    if (mark[to - f->block] == from + 1) return 1;
    if (!SOOTHI_PTX_APPEND_OUT(edge, edges, SOOTHI_PTX_FIRST)) return 0;
    mark[to - f->block] = from + 1;
    out->edge[out->edges++] = to;
    ++out->block[from].edges;
    ++f->edges;
    return 1;
}

/* Appends the edge to the label of a reference. */
SOOTHI_LOCAL int soothi_ptx_edge_to(soothi_ptx_reader *r, uint32_t *mark, uint32_t from,
                                    const soothi_ptx_reference *to) {
    const uint32_t label = soothi_ptx_resolve(r, to);
    if (label != SOOTH_PTX_NONE && r->out->label[label].block != SOOTH_PTX_NONE)
        return soothi_ptx_edge(r, mark, from, r->out->label[label].block);
    return soothi_ptx_error(r, to->name.text, "there is no label %s here to branch to", to->name);
}

/* Returns the table of targets after this label, or NULL. */
SOOTHI_LOCAL const soothi_ptx_targets *soothi_ptx_table_of(const soothi_ptx_reader *r, uint32_t label) {
    size_t low = 0, high = r->tables;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (r->table[middle].label == label) return &r->table[middle];
        if (r->table[middle].label < label) low = middle + 1;
        else high = middle;
    }
    return NULL;
}

/* Builds the edges of all blocks. A block ends before a label or at bra, brx, ret, exit or trap. The next
   block is a successor too, unless the block ends with one of these without a predicate. Returns 0 if out of
   memory or if a target is missing. */
SOOTHI_LOCAL int soothi_ptx_link(soothi_ptx_reader *r) {
    sooth_ptx *out = r->out;
    sooth_ptx_function *f = &out->function[r->function];
    const soothi_ptx_reference *reference = r->reference;
    uint32_t *mark = soothi_ptx_scratch(&r->graph, (size_t)f->blocks + 1);
    if (!mark) return 0;
    memset(mark, 0, f->blocks * sizeof *mark);
    for (uint32_t b = f->block; b < f->block + f->blocks; ++b) {
        sooth_ptx_block *block = &out->block[b];
        const unsigned ending = soothi_ptx_ending(out, block);
        sooth_ptx_instruction *last =
            block->count ? &out->instruction[block->first + block->count - 1] : NULL;
        block->edge = (uint32_t)out->edges;
        if (ending == SOOTH_PTX_OP_BRA) {
            if (!soothi_ptx_edge_to(r, mark, b, reference++)) return 0;
            last->target = out->edge[block->edge];
        } else if (ending == SOOTH_PTX_OP_BRX) {
            const soothi_ptx_targets *table = soothi_ptx_table_of(r, soothi_ptx_resolve(r, reference++));
            if (!table)
                return soothi_ptx_error(r, reference[-1].name.text, "there is no table of targets %s here",
                                        reference[-1].name);
            for (uint32_t i = 0; i < table->count; ++i)
                if (!soothi_ptx_edge_to(r, mark, b, &r->target[table->first + i])) return 0;
        }
        const int goes_on = !soothi_ptx_is_last(ending) || (last && (last->flags & SOOTH_PTX_IS_PREDICATED));
        if (goes_on && b + 1 < f->block + f->blocks && !soothi_ptx_edge(r, mark, b, b + 1)) return 0;
    }
    return 1;
}

/* ---- functions ---- */

/* Finishes a function at its end: edges, and the analysis that follows. */
SOOTHI_LOCAL int soothi_ptx_finish(soothi_ptx_reader *r) {
    sooth_ptx *out = r->out;
    r->graph.f = &out->function[r->function];
    if (r->graph.f->blocks == 0) return 1;
    if (!soothi_ptx_link(r) || !soothi_ptx_analyse(&r->graph, &r->flow, r->has_generic)) return 0;
    if (r->graph.entered == SOOTH_PTX_NONE) return 1;
    soothi_ptx_note(r, 0, out->text + out->instruction[out->block[r->graph.entered].first].at,
                    "a loop through here has several entries; it counts as no loop", soothi_ptx_word("", 0),
                    "");
    return r->memory.status == SOOTH_OK;
}

/* Takes a predicate, whose @ is at r->p, and the instruction after it. */
SOOTHI_LOCAL int soothi_ptx_predicated(soothi_ptx_reader *r) {
    const char *at = r->p++;
    unsigned flags = SOOTH_PTX_IS_PREDICATED;
    sooth_ptx_word word;
    if (soothi_ptx_take(r, '!')) flags |= SOOTH_PTX_IS_NEGATED;
    if (!soothi_ptx_take_name(r, &word, "a predicate after @")) return 0;
    soothi_ptx_blank(r);
    word = soothi_ptx_opcode_at(r->p, r->end);
    if (word.length == 0 || word.text[0] < 'a')
        return soothi_ptx_missing(r, "an instruction after a predicate");
    r->p += word.length;
    return soothi_ptx_instruction(r, at, word, flags);
}

/* Takes a label, or an instruction without predicate. */
SOOTHI_LOCAL int soothi_ptx_labelled(soothi_ptx_reader *r) {
    const sooth_ptx_word word = soothi_ptx_opcode_at(r->p, r->end);
    const char *after = soothi_ptx_skip(word.text + word.length, r->end), *at = r->p;
    if (after < r->end && *after == ':') {
        if (soothi_ptx_name(at, r->end).length != word.length)
            return soothi_ptx_error(r, at, "%s is not a valid label", word);
        r->p = after + 1;
        return soothi_ptx_take_label(r, word);
    }
    if (*at < 'a') return soothi_ptx_missing(r, "an instruction");
    r->p = word.text + word.length;
    return soothi_ptx_instruction(r, at, word, 0);
}

/* Takes a directive within a body. */
SOOTHI_LOCAL int soothi_ptx_body_directive(soothi_ptx_reader *r) {
    sooth_ptx_word word;
    soothi_ptx_directive(r, &word);
    if (soothi_ptx_is(word, ".entry") || soothi_ptx_is(word, ".func") || soothi_ptx_is(word, ".visible"))
        return r->p = word.text,
               soothi_ptx_error(r, r->p, "%s is inside a function; is a } missing before it?", word);
    if (soothi_ptx_is(word, ".reg")) return soothi_ptx_registers(r);
    const int is_extern = soothi_ptx_linkage(r, &word);
    return soothi_ptx_any_directive(r, word, is_extern);
}

/* Takes everything between the braces of a function. r->p is after the first. */
SOOTHI_LOCAL int soothi_ptx_body(soothi_ptx_reader *r) {
    r->is_open = r->has_generic = 0;
    r->scope = r->depth = r->source = r->source_line = 0;
    r->references = r->targets = r->tables = 0;
    r->scopes = 1;
    soothi_ptx_clear(&r->labels);
    for (int good = 1; good;) {
        soothi_ptx_blank(r);
        if (r->p >= r->end)
            return soothi_ptx_error(r, r->p, "the text ends within the function %s",
                                    r->out->function[r->function].name);
        switch (*r->p) {
        case '@': good = soothi_ptx_predicated(r); break;
        case '.': good = soothi_ptx_body_directive(r); break;
        case ';': ++r->p; break;
        case '{':
            if (r->depth == SOOTHI_PTX_SCOPES)
                return soothi_ptx_error(r, r->p, "braces are nested too deep", soothi_ptx_word("", 0));
            if (!SOOTHI_PTX_MORE(&r->memory, r->scope_parent, r->scopes, r->scope_capacity)) return 0;
            r->scope_parent[r->scopes] = r->scope;
            r->scope = (uint32_t)r->scopes++;
            ++r->depth;
            ++r->p;
            break;
        case '}':
            ++r->p;
            if (r->depth == 0) return 1;
            r->scope = r->scope_parent[r->scope];
            --r->depth;
            break;
        default:
            if (soothi_ptx_char(*r->p) != SOOTHI_PTX_LETTER) return soothi_ptx_missing(r, "an instruction");
            good = soothi_ptx_labelled(r);
        }
    }
    return 0;
}

/* Takes the directives between the parameters and the body. They have up to three numbers, and missing ones
   are 1. */
SOOTHI_LOCAL int soothi_ptx_limits(soothi_ptx_reader *r) {
    static const struct {
        char name[20];
        size_t at; /* in the function */
        size_t numbers;
    } limit[] = {{".maxntid", offsetof(sooth_ptx_function, maxntid), 3},
                 {".reqntid", offsetof(sooth_ptx_function, reqntid), 3},
                 {".reqnctapercluster", offsetof(sooth_ptx_function, reqnctapercluster), 3},
                 {".minnctapersm", offsetof(sooth_ptx_function, minnctapersm), 1},
                 {".maxnctapersm", offsetof(sooth_ptx_function, maxnctapersm), 1},
                 {".maxnreg", offsetof(sooth_ptx_function, maxnreg), 1},
                 {".maxclusterrank", offsetof(sooth_ptx_function, maxclusterrank), 1}};
    const size_t limits = sizeof limit / sizeof limit[0];
    char *function = (char *)&r->out->function[r->function];
    sooth_ptx_word word;
    uint64_t n;
    while (soothi_ptx_directive(r, &word)) {
        size_t i = 0;
        while (i < limits && !soothi_ptx_is(word, limit[i].name)) ++i;
        if (i < limits) {
            uint32_t number[3] = {1, 1, 1};
            for (size_t k = 0; k < 3 && (k == 0 || soothi_ptx_take(r, ',')); ++k) {
                if (!soothi_ptx_number(r, &n, "a number after this directive")) return 0;
                number[k] = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
            }
            memcpy(function + limit[i].at, number, limit[i].numbers * sizeof *number);
        } else if (soothi_ptx_is(word, ".pragma")) {
            if (!soothi_ptx_statement(r)) return 0;
        } else { /* .noreturn, .abi_preserve 8, and future ones */
            while (soothi_ptx_number(r, &n, NULL) && soothi_ptx_take(r, ',')) {}
        }
    }
    return 1;
}

/* Makes the function of this name the current one: a new one, or one that was only declared so far. If it
   already has a body, none becomes current, and the next { decides whether this is only a declaration. */
SOOTHI_LOCAL int soothi_ptx_open_function(soothi_ptx_reader *r, sooth_ptx_word name, int is_entry) {
    sooth_ptx *out = r->out;
    uint32_t *number = soothi_ptx_insert(&r->memory, &r->functions, out->text, name, 0);
    if (!number) return 0;
    if (*number == SOOTH_PTX_NONE) {
        if (!SOOTHI_PTX_APPEND_OUT(function, functions, SOOTHI_PTX_FIRST)) return 0;
        *number = (uint32_t)out->functions++;
    } else if (out->function[*number].has_body) {
        return 1;
    }
    sooth_ptx_function *f = &out->function[*number];
    memset(f, 0, sizeof *f);
    f->name = name;
    f->is_entry = (uint32_t)is_entry;
    f->line = soothi_ptx_line(r, name.text);
    f->instruction = (uint32_t)out->instructions;
    f->block = (uint32_t)out->blocks;
    f->loop = (uint32_t)out->loops;
    f->label = (uint32_t)out->labels;
    f->param = (uint32_t)out->variables;
    r->function = *number;
    return 1;
}

/* Takes the rest of a function's head after .entry or .func, and its body. */
SOOTHI_LOCAL int soothi_ptx_function(soothi_ptx_reader *r, int is_entry) {
    sooth_ptx *out = r->out;
    sooth_ptx_word word;
    for (;;) { /* .noreturn, .attribute(...), results */
        if (soothi_ptx_directive(r, &word)) {
            if (soothi_ptx_is(word, ".attribute") && !soothi_ptx_attribute(r)) return 0;
        } else if (!soothi_ptx_take(r, '(')) {
            break;
        } else if (!soothi_ptx_parameters(r, 0)) {
            return 0;
        }
    }
    if (!soothi_ptx_take_name(r, &word, "the name of a function") ||
        !soothi_ptx_open_function(r, word, is_entry))
        return 0;
    int again = r->function == SOOTH_PTX_NONE;
    if (soothi_ptx_take(r, '(') && !soothi_ptx_parameters(r, !again)) return 0;
    if (again) { /* a definition of this name was read before */
        while (r->p < r->end && *r->p != ';' && *r->p != '{') ++r->p;
        if (soothi_ptx_take(r, ';')) return 1;
        return soothi_ptx_error(r, word.text, "the function %s is defined twice", word);
    }
    if (!soothi_ptx_limits(r)) return 0;
    if (soothi_ptx_take(r, ';')) return 1;
    if (!soothi_ptx_expect(r, '{', "the body of a function")) return 0;
    out->function[r->function].has_body = 1;
    out->entries += (size_t)is_entry;
    return soothi_ptx_body(r) && soothi_ptx_finish(r);
}

/* ---- the module ---- */

/* Recovers after an error: skips to the possible start of the next function, or past the brace that ends this
   one. The words searched for do not occur in bodies. */
SOOTHI_LOCAL void soothi_ptx_recover(soothi_ptx_reader *r) {
    const int in_body = r->function != SOOTH_PTX_NONE && r->out->function[r->function].has_body;
    uint32_t depth = r->depth;
    for (; r->p < r->end; ++r->p) {
        const char c = *r->p, *const after = c == '/' ? soothi_ptx_skip(r->p, r->end) : r->p;
        sooth_ptx_word word;
        if (c == '"') { /* to its end, or to the end of the line */
            for (++r->p; r->p < r->end && *r->p != '"' && *r->p != '\n';) ++r->p;
            if (r->p >= r->end) return;
        } else if (after > r->p) { /* after a comment */
            r->p = after - 1;
        } else if (c == '{') {
            ++depth;
        } else if (c == '}') {
            if (depth == 0 && in_body) {
                ++r->p;
                return;
            }
            if (depth) --depth;
        } else if (c == '.') {
            soothi_ptx_directive(r, &word);
            if (soothi_ptx_is(word, ".entry") || soothi_ptx_is(word, ".func") ||
                soothi_ptx_is(word, ".visible") || soothi_ptx_is(word, ".weak") ||
                soothi_ptx_is(word, ".extern")) {
                r->p = word.text;
                return;
            }
            --r->p;
        }
    }
}

/* .version 8.5: 805 */
SOOTHI_LOCAL int soothi_ptx_version(soothi_ptx_reader *r) {
    size_t i = 0;
    soothi_ptx_blank(r);
    size_t n = (size_t)(r->end - r->p);
    uint32_t major = soothi_ptx_digits(r->p, n, &i);
    if (i == 0 || i >= n || r->p[i] != '.')
        return soothi_ptx_missing(r, "a number such as 8.5 after .version");
    ++i;
    r->out->version = major * 100 + soothi_ptx_digits(r->p, n, &i);
    r->p += i;
    return 1;
}

/* .target sm_90a, debug */
SOOTHI_LOCAL int soothi_ptx_target(soothi_ptx_reader *r) {
    sooth_ptx *out = r->out;
    do {
        sooth_ptx_word word;
        size_t i = 3;
        if (!soothi_ptx_take_name(r, &word, "a name such as sm_80 after .target")) return 0;
        if (out->target.length) continue;
        out->target = word;
        if (word.length > 3 && soothi_ptx_is(soothi_ptx_word(word.text, 3), "sm_"))
            out->sm = soothi_ptx_digits(word.text, word.length, &i);
    } while (soothi_ptx_take(r, ','));
    return 1;
}

/* One directive at module level. */
SOOTHI_LOCAL int soothi_ptx_module_directive(soothi_ptx_reader *r) {
    sooth_ptx_word word;
    uint64_t number;
    soothi_ptx_directive(r, &word);
    int is_extern = soothi_ptx_linkage(r, &word);
    if (word.length < 2) {
        r->p = word.text;
        return soothi_ptx_missing(r, "a directive");
    }
    if (soothi_ptx_is(word, ".entry")) return soothi_ptx_function(r, 1);
    if (soothi_ptx_is(word, ".func")) return soothi_ptx_function(r, 0);
    if (soothi_ptx_is(word, ".version")) return soothi_ptx_version(r);
    if (soothi_ptx_is(word, ".target")) return soothi_ptx_target(r);
    if (soothi_ptx_is(word, ".address_size")) {
        if (!soothi_ptx_number(r, &number, "32 or 64 after .address_size")) return 0;
        r->out->address_size = number == 32 ? 32 : 64;
        return 1;
    }
    return soothi_ptx_any_directive(r, word, is_extern);
}

/* Takes everything, until the text ends or memory runs out. */
SOOTHI_LOCAL void soothi_ptx_module(soothi_ptx_reader *r) {
    while (r->memory.status == SOOTH_OK) {
        int good = 1;
        r->function = SOOTH_PTX_NONE;
        r->depth = 0;
        soothi_ptx_blank(r);
        if (r->p >= r->end) return;
        if (*r->p == '.') good = soothi_ptx_module_directive(r);
        else if (*r->p == ';') ++r->p;
        else if (*r->p == '@' && r->end - r->p > 1 && r->p[1] == '@') /* the older @@DWARF */
            while (r->p < r->end && *r->p != '\n') ++r->p;
        else good = soothi_ptx_missing(r, "a directive");
        if (!good && r->memory.status == SOOTH_OK) soothi_ptx_recover(r);
    }
}

/* Finds the callees of all calls. */
SOOTHI_LOCAL void soothi_ptx_find_callees(soothi_ptx_reader *r) {
    sooth_ptx *out = r->out;
    for (size_t i = 0; i < r->calls; ++i) {
        sooth_ptx_instruction *ins = &out->instruction[r->call[i].instruction];
        ins->target = soothi_ptx_find(&r->functions, out->text, r->call[i].callee, 0);
        if (ins->target != SOOTH_PTX_NONE) continue;
        ins->flags |= SOOTH_PTX_IS_INDIRECT;
        ++out->function[r->call[i].function].indirect;
    }
}

/* Rejects what is not PTX: other files and empty text. */
SOOTHI_LOCAL sooth_status soothi_ptx_check_text(sooth_env *env, const char *text, size_t size) {
    size_t most = size < 4096 ? size : 4096;
    if (size >= 4 && soothi_same_chars(text, "\177ELF", 4))
        return sooth_fail(env, SOOTH_BAD_TEXT,
                          "this is an ELF file, not PTX; `cuobjdump -ptx FILE` takes the PTX out "
                          "of it, if there is any");
    for (size_t at = 0; at < most; ++at) {
        const unsigned char c = (unsigned char)text[at];
        if ((c < 32 && !soothi_ptx_is_blank(text[at])) || c == 127)
            return sooth_fail(env, SOOTH_BAD_TEXT, "this is a binary file, not PTX: byte %z is %u", at + 1,
                              (uint32_t)c);
    }
    if (soothi_ptx_skip(text, text + size) == text + size)
        return sooth_fail(env, SOOTH_BAD_TEXT, "the PTX text is empty");
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_ptx_read(sooth_env *env, const char *text, size_t size,
                                      const sooth_ptx_options *options, sooth_ptx *out) {
    soothi_ptx_reader r;
    memset(out, 0, sizeof *out);
    if (!text) return sooth_fail(env, SOOTH_BAD_ARGUMENT, "text is NULL");
    if (size >= UINT32_MAX - 16)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the PTX text has %z bytes, but must be below 4 GiB",
                          size);
    while (size > 0 && text[size - 1] == 0) --size;
    if (size >= 3 && soothi_same_chars(text, "\xEF\xBB\xBF", 3)) { /* a byte order mark */
        text += 3;
        size -= 3;
    }
    if (soothi_ptx_check_text(env, text, size) != SOOTH_OK) return SOOTH_BAD_TEXT;
    memset(&r, 0, sizeof r);
    r.memory.env = env;
    r.out = out;
    r.flow.memory = r.graph.memory = &r.memory;
    r.flow.ptx = r.graph.ptx = out;
    r.p = r.counted = text;
    r.end = text + size;
    r.line = 1;
    r.most_notes = options && options->notes ? options->notes : 64;
    out->text = text;
    out->size = size;
    out->address_size = 64;
    soothi_ptx_module(&r);
    if (r.memory.status == SOOTH_OK) soothi_ptx_find_callees(&r);
    if (r.memory.status == SOOTH_OK && out->version == 0 && out->functions == 0)
        r.memory.status =
            sooth_fail(env, SOOTH_BAD_TEXT, "this is not PTX: it has neither .version nor a kernel (%s%s)",
                       out->notes ? "line 1: " : "only variables", out->notes ? out->note[0].text : "");
    soothi_ptx_names_free(env, &r.forms);
    soothi_ptx_names_free(env, &r.functions);
    soothi_ptx_names_free(env, &r.labels);
    soothi_ptx_names_free(env, &r.shared);
    sooth_free(env, r.scope_parent, r.scope_capacity, sizeof *r.scope_parent);
    sooth_free(env, r.reference, r.reference_capacity, sizeof *r.reference);
    sooth_free(env, r.target, r.target_capacity, sizeof *r.target);
    sooth_free(env, r.table, r.table_capacity, sizeof *r.table);
    sooth_free(env, r.call, r.call_capacity, sizeof *r.call);
    sooth_free(env, r.share, r.share_capacity, sizeof *r.share);
    sooth_free(env, r.graph.scratch, r.graph.capacity, sizeof *r.graph.scratch);
    soothi_ptx_flow_free(&r.flow);
    if (r.memory.status != SOOTH_OK) sooth_ptx_free(env, out);
    return r.memory.status;
}

SOOTH_API void sooth_ptx_free(sooth_env *env, sooth_ptx *ptx) {
#define SOOTHI_FREE(array, count, first) \
    sooth_free(env, ptx->array, soothi_ptx_capacity(first, ptx->count), sizeof *ptx->array)
    SOOTHI_FREE(function, functions, SOOTHI_PTX_FIRST);
    SOOTHI_FREE(instruction, instructions, SOOTHI_PTX_FIRST_INSTRUCTIONS(ptx));
    SOOTHI_FREE(form, forms, SOOTHI_PTX_FIRST);
    SOOTHI_FREE(block, blocks, SOOTHI_PTX_FIRST_BLOCKS(ptx));
    SOOTHI_FREE(edge, edges, SOOTHI_PTX_FIRST);
    SOOTHI_FREE(loop, loops, SOOTHI_PTX_FIRST);
    SOOTHI_FREE(label, labels, SOOTHI_PTX_FIRST);
    SOOTHI_FREE(variable, variables, SOOTHI_PTX_FIRST);
    SOOTHI_FREE(note, notes, SOOTHI_PTX_FIRST);
#undef SOOTHI_FREE
    memset(ptx, 0, sizeof *ptx);
}

/* ---- finding kernels ---- */

/* Returns the index of the kernel or function with exactly this name, or SOOTH_NONE. */
SOOTHI_LOCAL size_t soothi_ptx_function_index(const sooth_ptx *ptx, const char *name) {
    for (size_t i = 0; i < ptx->functions; ++i)
        if (soothi_ptx_is(ptx->function[i].name, name)) return i;
    return SOOTH_NONE;
}

/* True if the mangled C++ name contains <length><name>, as in _Z6vecaddPKfPf or _ZN4deep6vecaddEv. */
SOOTHI_LOCAL int soothi_ptx_mangles(sooth_ptx_word mangled, const char *name) {
    char piece[160];
    size_t n = 0;
    while (n < 128 && name[n]) ++n;
    if (n == 0 || n == 128 || mangled.length < 3 || mangled.text[0] != '_' || mangled.text[1] != 'Z')
        return 0;
    n = sooth_text_format(piece, sizeof piece, "%z%s", n, name);
    for (size_t i = 2; i + n <= mangled.length; ++i)
        if (soothi_ptx_char(mangled.text[i - 1]) != SOOTHI_PTX_DIGIT &&
            soothi_ptx_is(soothi_ptx_word(mangled.text + i, n), piece))
            return 1;
    return 0;
}

/* A name that is being read: what is left of it, and the text so far. */
typedef struct soothi_ptx_demangling {
    const char *p, *end;
    char *text;
    size_t length, size;
    unsigned depth;
} soothi_ptx_demangling;

SOOTHI_LOCAL int soothi_ptx_say(soothi_ptx_demangling *d, const char *text, size_t length) {
    if (d->length + length >= d->size) return 0;
    memcpy(d->text + d->length, text, length);
    d->length += length;
    return 1;
}

/* Takes c if it is next. */
SOOTHI_LOCAL int soothi_ptx_next(soothi_ptx_demangling *d, char c) {
    if (d->p >= d->end || *d->p != c) return 0;
    ++d->p;
    return 1;
}

SOOTHI_LOCAL int soothi_ptx_type(soothi_ptx_demangling *d);

/* Takes template arguments up to their E: types, and numbers such as Li256E or Lin4E. */
SOOTHI_LOCAL int soothi_ptx_arguments(soothi_ptx_demangling *d, int first) {
    while (!soothi_ptx_next(d, 'E')) {
        if (soothi_ptx_next(d, 'J')) { /* a pack */
            if (++d->depth > 16 || !soothi_ptx_arguments(d, first)) return 0;
            --d->depth;
            first = 0;
            continue;
        }
        if (!first && !soothi_ptx_say(d, ", ", 2)) return 0;
        first = 0;
        if (!soothi_ptx_next(d, 'L')) {
            if (!soothi_ptx_type(d)) return 0;
            continue;
        }
        if (d->p >= d->end || *d->p < 'a' || *d->p > 'z') return 0;
        const int is_truth = *d->p++ == 'b';
        if (soothi_ptx_next(d, 'n') && !soothi_ptx_say(d, "-", 1)) return 0;
        const char *start = d->p;
        while (d->p < d->end && soothi_ptx_char(*d->p) == SOOTHI_PTX_DIGIT) ++d->p;
        if (d->p == start || !soothi_ptx_next(d, 'E')) return 0;
        if (!(is_truth ? soothi_ptx_say(d, *start == '0' ? "false" : "true", *start == '0' ? 5 : 4)
                       : soothi_ptx_say(d, start, (size_t)(d->p - 1 - start))))
            return 0;
    }
    return 1;
}

/* Takes a name: 3sum, 3sumIfE or N4sums3sumE. */
SOOTHI_LOCAL int soothi_ptx_called(soothi_ptx_demangling *d) {
    const int is_nested = soothi_ptx_next(d, 'N');
    for (int parts = 0; !is_nested || !soothi_ptx_next(d, 'E'); ++parts) {
        uint64_t length = 0;
        if (parts && !soothi_ptx_say(d, "::", 2)) return 0;
        soothi_ptx_next(d, 'L'); /* of one file */
        const char *start = d->p;
        for (; d->p < d->end && soothi_ptx_char(*d->p) == SOOTHI_PTX_DIGIT && length < 1024; ++d->p)
            length = 10 * length + (uint64_t)(*d->p - '0');
        if (d->p == start || length == 0 || length > (uint64_t)(d->end - d->p) ||
            !soothi_ptx_say(d, d->p, (size_t)length))
            return 0;
        d->p += length;
        if (soothi_ptx_next(d, 'I') &&
            !(soothi_ptx_say(d, "<", 1) && soothi_ptx_arguments(d, 1) && soothi_ptx_say(d, ">", 1)))
            return 0;
        if (!is_nested) return 1;
    }
    return 1;
}

/* Takes a type: a plain one, a name, or a pointer, reference or constant of one. */
SOOTHI_LOCAL int soothi_ptx_type(soothi_ptx_demangling *d) {
    /* clang-format off */
    static const char plain[][20] = {
        "vvoid", "bbool", "cchar", "asigned char", "hunsigned char", "sshort", "tunsigned short", "iint",
        "junsigned int", "llong", "munsigned long", "xlong long", "yunsigned long long", "ffloat", "ddouble"};
    /* clang-format on */
    int done = 0;
    if (d->p >= d->end || d->depth >= 16) return 0;
    ++d->depth;
    if (soothi_ptx_next(d, 'P')) done = soothi_ptx_type(d) && soothi_ptx_say(d, "*", 1);
    else if (soothi_ptx_next(d, 'R')) done = soothi_ptx_type(d) && soothi_ptx_say(d, "&", 1);
    else if (soothi_ptx_next(d, 'K')) done = soothi_ptx_say(d, "const ", 6) && soothi_ptx_type(d);
    else if (*d->p == 'N' || soothi_ptx_char(*d->p) == SOOTHI_PTX_DIGIT) done = soothi_ptx_called(d);
    else
        for (size_t i = 0; i < sizeof plain / sizeof plain[0] && !done; ++i)
            if (soothi_ptx_next(d, plain[i][0]))
                done = soothi_ptx_say(d, plain[i] + 1, soothi_text_length(plain[i] + 1));
    --d->depth;
    return done;
}

SOOTH_API const char *sooth_ptx_kernel_name(const sooth_ptx *ptx, size_t kernel, char *text, size_t size) {
    const sooth_ptx_word name = ptx->function[kernel].name;
    soothi_ptx_demangling d;
    size_t n = name.length < size ? name.length : size - 1;
    if (size == 0) return text;
    memset(&d, 0, sizeof d);
    d.p = name.text;
    d.end = name.text + name.length;
    d.text = text;
    d.size = size;
    if (soothi_ptx_next(&d, '_') && soothi_ptx_next(&d, 'Z') && soothi_ptx_called(&d)) n = d.length;
    else memcpy(text, name.text, n);
    text[n] = 0;
    return text;
}

/* True if a and the text from b on are equal apart from blanks. */
SOOTHI_LOCAL int soothi_ptx_alike(const char *a, const char *b) {
    for (;; ++a, ++b) {
        while (*a == ' ') ++a;
        while (*b == ' ') ++b;
        if (*a != *b) return 0;
        if (!*a) return 1;
    }
}

/* Returns how well the name of a kernel fits: 2 if it is its C++ name; 1 if it is the end of that, or one of
   the names in it; 0 if it does not. */
SOOTHI_LOCAL int soothi_ptx_fits(const sooth_ptx *ptx, size_t kernel, const char *name) {
    char text[512];
    sooth_ptx_kernel_name(ptx, kernel, text, sizeof text);
    if (soothi_ptx_alike(name, text)) return 2;
    for (size_t i = 2; text[i - 2] && text[i - 1]; ++i)
        if (text[i - 1] == ':' && text[i - 2] == ':' && soothi_ptx_alike(name, text + i)) return 1;
    return soothi_ptx_mangles(ptx->function[kernel].name, name);
}

/* Lists the kernels that a name fits at least this well, "a, b, c", up to the size of the buffer. */
SOOTHI_LOCAL void soothi_ptx_kernels(const sooth_ptx *ptx, const char *name, int fit, char names[160]) {
    size_t n = 0, all = 0, listed = 0;
    char brief[52], text[512];
    names[0] = 0;
    for (size_t i = 0; i < ptx->functions; ++i) {
        const sooth_ptx_function *f = &ptx->function[i];
        if (!f->is_entry || !f->has_body || (fit && soothi_ptx_fits(ptx, i, name) < fit)) continue;
        if (++all && n > 90) continue;
        sooth_ptx_kernel_name(ptx, i, text, sizeof text);
        soothi_ptx_brief(brief, soothi_ptx_word(text, soothi_text_length(text)));
        n += sooth_text_format(names + n, 160 - n, n ? ", %s" : "%s", brief);
        ++listed;
    }
    if (all > listed) sooth_text_format(names + n, 160 - n, ", ... (%z in all)", all);
}

SOOTH_API sooth_status sooth_ptx_kernel_named(sooth_env *env, const sooth_ptx *ptx, const char *name,
                                              size_t *kernel) {
    char names[160];
    size_t matches = 0, match = name ? soothi_ptx_function_index(ptx, name) : SOOTH_NONE;
    int fit = 3;
    *kernel = match;
    if (match != SOOTH_NONE && ptx->function[match].has_body) return SOOTH_OK;
    while (!matches && --fit > 0)
        for (size_t i = 0; i < ptx->functions; ++i) {
            const sooth_ptx_function *f = &ptx->function[i];
            if (!f->is_entry || !f->has_body || (name && soothi_ptx_fits(ptx, i, name) < fit)) continue;
            match = i;
            ++matches;
        }
    *kernel = matches == 1 ? match : SOOTH_NONE;
    if (matches == 1) return SOOTH_OK;
    if (ptx->entries == 0)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the PTX has no kernel%s",
                          ptx->errors ? "; its errors may be why" : "");
    soothi_ptx_kernels(ptx, name, name && matches ? fit : 0, names);
    if (!name)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the PTX has %z kernels; name one: %s", ptx->entries,
                          names);
    return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                      matches ? "%s may be several kernels: %s" : "there is no kernel %s; there are %s", name,
                      names);
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */

/* What else belongs to this header. */
#if !defined(SOOTH_PTX_COUNT_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PTX_COUNT_IMPLEMENTED))
#include "ptx/count.h"
#endif
