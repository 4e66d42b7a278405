/* operators.c - operators by name and size, from a line of the command or a row of a table.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "gpu_cli.h"

#include <stddef.h>

/* The sizes of operators: column, and field. */
static const struct {
    const char *name;
    size_t offset;
} sizes[OPERATOR_SIZES] = {
#define SIZE(field) \
    { #field, offsetof(sooth_operator, field) }
    SIZE(b),       SIZE(m),        SIZE(n),        SIZE(k),      SIZE(batch),  SIZE(tokens), SIZE(context),
    SIZE(heads),   SIZE(kv_heads), SIZE(head_dim), SIZE(window), SIZE(hidden), SIZE(inter),  SIZE(topk),
    SIZE(experts), SIZE(tp),       SIZE(ep),       SIZE(skew)
#undef SIZE
};

int operator_is_language(uint32_t kind) {
    return sooth_operator_kind_form((sooth_operator_kind)kind) == SOOTH_OPERATOR_LANGUAGE;
}

const char *operator_sizes(uint32_t kind) {
    switch ((sooth_operator_kind)kind) {
    case SOOTH_OPERATOR_GEMM: return "m,n,k";
    case SOOTH_OPERATOR_PREFILL: return "batch,tokens,heads,kv_heads,head_dim,window";
    case SOOTH_OPERATOR_DECODE: return "batch,context,heads,kv_heads,head_dim,window";
    case SOOTH_OPERATOR_EXPERTS: return "tokens,hidden,inter,topk,experts,tp,ep,skew";
    case SOOTH_OPERATOR_MLA_PREFILL:
    case SOOTH_OPERATOR_MLA_DECODE: return "heads,batch,tokens";
    default:
        return sooth_operator_kind_form((sooth_operator_kind)kind) <= SOOTH_OPERATOR_FUSED ? "b,m,n,k"
                                                                                           : "b,k";
    }
}

/* True for a size that has a default: all tokens, one GPU, experts chosen equally. */
static int has_default(const char *name) {
    return strcmp(name, "window") == 0 || strcmp(name, "tp") == 0 || strcmp(name, "ep") == 0 ||
           strcmp(name, "skew") == 0;
}

/* Returns the next name of "m,n,k" as an index of `sizes`, and moves the list past it. */
static size_t next_size(const char **list) {
    const size_t n = strcspn(*list, ",");
    size_t i = 0;
    while (i < OPERATOR_SIZES && (strlen(sizes[i].name) != n || strncmp(sizes[i].name, *list, n) != 0)) ++i;
    *list += n + (size_t)((*list)[n] == ',');
    return i;
}

/* Returns "batch, tokens, heads, kv_heads, head_dim and optionally window". */
static const char *sizes_in_words(uint32_t kind) {
    static char text[200];
    const char *list = operator_sizes(kind);
    int optional = 0;
    text[0] = 0;
    while (*list) {
        const char *name = sizes[next_size(&list)].name;
        const int first_optional = !optional && has_default(name);
        optional |= first_optional;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s",
                 !*text           ? ""
                 : first_optional ? " and optionally "
                                  : ", ",
                 name);
    }
    return text;
}

static void set_size(sooth_operator *op, size_t i, double value) {
    memcpy((char *)op + sizes[i].offset, &value, sizeof value);
}

double operator_size(const sooth_operator *op, size_t i) {
    double value;
    memcpy(&value, (const char *)op + sizes[i].offset, sizeof value);
    return value;
}

const char *operator_size_name(size_t i) { return sizes[i].name; }

int operator_has(uint32_t kind, size_t i) {
    const char *list = operator_sizes(kind);
    int has = 0;
    while (*list) has |= next_size(&list) == i;
    return has;
}

uint32_t operator_read(const char *name, const char *where) {
    const char *names[SOOTH_OPERATORS];
    for (uint32_t i = 0; i < SOOTH_OPERATORS; ++i) {
        names[i] = sooth_operator_name(i);
        if (same_but_case(name, names[i])) return i;
    }
    char list[400] = "";
    for (size_t i = 0; i < SOOTH_OPERATORS; ++i)
        snprintf(list + strlen(list), sizeof list - strlen(list), i ? ", %s" : "%s", names[i]);
    die(*where ? BAD_INPUT : BAD_USE, "%sunknown operator %s%s; the operators are %s", where, printable(name),
        did_you_mean(name, names, SOOTH_OPERATORS), list);
}

uint32_t data_type_read(const char *name, const char *where) {
    /* as frameworks name them */
    static const struct {
        const char *name, *means;
    } also[] = {{"bfloat16", "bf16"},       {"float16", "fp16"},      {"half", "fp16"},
                {"float8", "fp8"},          {"fp8_e4m3", "fp8"},      {"fp8-e4m3", "fp8"},
                {"float8_e4m3", "fp8"},     {"float8_e4m3fn", "fp8"}, {"e4m3", "fp8"},
                {"fp8_block", "fp8-block"}, {"fp4", "nvfp4"},         {"float32", "fp32"}};
    const char *names[SOOTH_TYPES];
    char list[200] = "";
    for (size_t i = 0; i < sizeof also / sizeof also[0]; ++i)
        if (same_but_case(name, also[i].name)) name = also[i].means;
    for (uint32_t i = 0; i < SOOTH_TYPES; ++i) {
        names[i] = sooth_data_type_name(i);
        if (same_but_case(name, names[i])) return i;
        snprintf(list + strlen(list), sizeof list - strlen(list), i ? ", %s" : "%s", names[i]);
    }
    die(*where ? BAD_INPUT : BAD_USE, "%sunknown data type %s%s; the data types are %s", where,
        printable(name), did_you_mean(name, names, SOOTH_TYPES), list);
}

/* ---- the command line ---- */

static NEVER_RETURNS void bad_shape(const char *text, uint32_t kind, const char *why) {
    const int four = strcmp(operator_sizes(kind), "b,m,n,k") == 0;
    if (operator_is_language(kind))
        die(BAD_USE, "--shape is %s, but %s; %s has %s: numbers in this order, or name=number",
            printable(text), why, sooth_operator_name(kind), sizes_in_words(kind));
    die(BAD_USE, "--shape is %s, but %s%s%s has %s", printable(text), why, *why ? "; " : "",
        sooth_operator_name(kind),
        four ? "B,M,N,K: B products of M x N by N x K" : "B,K: B rows of K elements");
}

/* Returns the size that piece "name=value" names, in place the name alone; dies if there is none. */
static size_t size_named(const char *name, const char *text, uint32_t kind) {
    const char *names[OPERATOR_SIZES], *list = operator_sizes(kind);
    char why[300];
    size_t count = 0;
    while (*list) {
        const size_t i = next_size(&list);
        if (strcmp(sizes[i].name, name) == 0) return i;
        names[count++] = sizes[i].name;
    }
    snprintf(why, sizeof why, "there is no size %.60s%s", printable(name), did_you_mean(name, names, count));
    bad_shape(text, kind, why);
}

/* Returns true for an integer up to 2^53, and for any number that is no size: skew. */
static int is_size(size_t i, double v) {
    return strcmp(sizes[i].name, "skew") == 0 ||
           (v >= 0.0 && v <= 9007199254740992.0 && v <= (double)(uint64_t)v);
}

/* Reads "M,N,K", "BATCH,CONTEXT,..." or "m=1,k=2,n=3" of an operator of a language model. */
static void language_shape_read(char **piece, size_t count, const char *text, sooth_operator *op) {
    const char *list = operator_sizes(op->kind);
    int seen[OPERATOR_SIZES] = {0};
    char why[200];
    for (size_t n = 0; n < count; ++n) {
        char *equals = strchr(piece[n], '=');
        const char *digits = equals ? equals + 1 : piece[n];
        double value;
        if (equals) *equals = 0;
        if (!equals && !*list) bad_shape(text, op->kind, "these are too many numbers");
        const size_t i = equals ? size_named(piece[n], text, op->kind) : next_size(&list);
        snprintf(why, sizeof why, "%s is given twice", sizes[i].name);
        if (seen[i]) bad_shape(text, op->kind, why);
        snprintf(why, sizeof why, "%s is %.60s, not a number", sizes[i].name,
                 *digits ? printable(digits) : "empty");
        if (!*digits || sooth_text_to_double(digits, strlen(digits), &value) != strlen(digits))
            bad_shape(text, op->kind, why);
        snprintf(why, sizeof why, "%s is %.60s, and must be 1 or more", sizes[i].name, printable(digits));
        if (!(value >= 1.0) && (strcmp(sizes[i].name, "tp") == 0 || strcmp(sizes[i].name, "ep") == 0))
            bad_shape(text, op->kind, why);
        snprintf(why, sizeof why, "%s is %.60s, and must be an integer", sizes[i].name, printable(digits));
        if (!is_size(i, value)) bad_shape(text, op->kind, why);
        seen[i] = 1;
        set_size(op, i, value);
    }
    for (list = operator_sizes(op->kind); *list;) {
        const size_t i = next_size(&list);
        snprintf(why, sizeof why, "%s is missing", sizes[i].name);
        if (!seen[i] && !has_default(sizes[i].name)) bad_shape(text, op->kind, why);
    }
}

void operator_shape_read(const char *text, sooth_operator *op) {
    double size[4];
    size_t count, n = 0;
    char **piece = split_list(text, &count);
    if (operator_is_language(op->kind)) {
        language_shape_read(piece, count, text, op);
        return;
    }
    const size_t most = strcmp(operator_sizes(op->kind), "b,m,n,k") == 0 ? 4 : 2;
    for (; n < count && n < 4; ++n) {
        char why[100];
        if (!*piece[n] || sooth_text_to_double(piece[n], strlen(piece[n]), &size[n]) != strlen(piece[n]))
            break;
        snprintf(why, sizeof why, "%.60s is no integer", printable(piece[n]));
        if (!is_size(0, size[n])) bad_shape(text, op->kind, why);
    }
    if (n < count || count > most || count + 1 < most) bad_shape(text, op->kind, "");
    op->b = count == most ? size[0] : 1.0;
    op->k = size[count - 1];
    if (most == 4) op->n = size[count - 2], op->m = size[count - 3];
}

/* ---- a table ---- */

size_t operator_column(const char *path, const sooth_csv *csv, const char *name) {
    char again[40];
    snprintf(again, sizeof again, "%s.2", name); /* the name that a repeated header gets */
    for (size_t j = 0, count = 0; j < csv->cols; ++j) {
        const int repeats = csv->repeated && strcmp(csv->column[j].name, again) == 0;
        count += (size_t)(repeats || strcmp(csv->column[j].name, name) == 0);
        if (count > 1) die(BAD_INPUT, "%s has more than one column %s; leave one of them", path, name);
    }
    return sooth_csv_find(csv, name);
}

double column_factor(const char *path, const sooth_csv *csv, size_t column, const char *unit) {
    const sooth_csv_column *c = &csv->column[column];
    const double factor = *c->unit ? sooth_csv_unit_factor(c->unit, unit) : 1.0;
    if (!(factor > 0.0))
        die(BAD_INPUT, "%s: column %s is in %s, but must be in a unit that becomes %s, or without one", path,
            c->name, printable(c->unit), unit);
    return factor;
}

void column_has_no_unit(const char *path, const sooth_csv *csv, size_t column) {
    const sooth_csv_column *c = &csv->column[column];
    if (*c->unit)
        die(BAD_INPUT, "%s: column %s is in %s, but must have no unit: write its numbers in full", path,
            c->name, printable(c->unit));
}

void operator_columns_find(const char *path, const sooth_csv *csv, operator_columns *c) {
    c->path = path;
    c->op = operator_column(path, csv, "op");
    c->gpu = operator_column(path, csv, "gpu");
    c->dtype = operator_column(path, csv, "dtype");
    for (size_t i = 0; i < OPERATOR_SIZES; ++i) c->size[i] = operator_column(path, csv, sizes[i].name);
}

/* Returns the number in a cell of a size; NaN if it is missing, or without a default, its column. */
static double size_of(const operator_columns *c, const sooth_csv *csv, size_t row, size_t i, uint32_t kind) {
    const size_t j = c->size[i];
    const char *name = sooth_operator_name(kind);
    if (j >= csv->cols) {
        if (has_default(sizes[i].name)) return 0.0;
        die(BAD_INPUT,
            "%s has no column %s, but %s in line %zu needs it; the columns of %s are op, gpu, %s%s", c->path,
            sizes[i].name, name, (size_t)csv->line[row], name, operator_is_language(kind) ? "dtype, " : "",
            sizes_in_words(kind));
    }
    if (csv->column[j].is_text) column_is_text(c->path, csv, j);
    column_has_no_unit(c->path, csv, j);
    const float v = csv->cell[row * csv->cols + j];
    const int groups = strcmp(sizes[i].name, "tp") == 0 || strcmp(sizes[i].name, "ep") == 0;
    if (groups && v < 1.0f)
        die(BAD_INPUT, "%s: line %zu: %s of %s is %s, but must be 1 or more", c->path, (size_t)csv->line[row],
            sizes[i].name, name, shortest(v));
    if (v == v && !is_size(i, (double)v))
        die(BAD_INPUT, "%s: line %zu: %s of %s is %s, but must be an integer; write thousands without a mark",
            c->path, (size_t)csv->line[row], sizes[i].name, name, shortest(v));
    if (v == v) return (double)v;
    if (operator_is_language(kind) && !has_default(sizes[i].name))
        die(BAD_INPUT, "%s: line %zu: %s of %s is missing", c->path, (size_t)csv->line[row], sizes[i].name,
            name);
    return 0.0;
}

sooth_operator operator_of_row(const operator_columns *c, const sooth_csv *csv, size_t row, size_t dtype,
                               char where[400]) {
    char number[SOOTH_TEXT_NUMBER_SIZE];
    sooth_operator op;
    memset(&op, 0, sizeof op);
    snprintf(where, 400, "%s: line %zu: ", c->path, (size_t)csv->line[row]);
    const char *name = c->op < csv->cols ? text_of_cell(csv, row, c->op, number) : NULL;
    op.kind = operator_read(name ? name : "", where);
    const char *type = c->dtype < csv->cols ? text_of_cell(csv, row, c->dtype, number) : NULL;
    if (type) dtype = data_type_read(type, where);
    if (dtype == SOOTH_NONE && operator_is_language(op.kind))
        die(BAD_INPUT, "%sdtype of %s is missing; it needs a column dtype or --dtype", where,
            sooth_operator_name(op.kind));
    op.dtype = dtype == SOOTH_NONE ? (uint32_t)SOOTH_TYPE_FP32 : (uint32_t)dtype;
    for (const char *list = operator_sizes(op.kind); *list;) {
        const size_t i = next_size(&list);
        set_size(&op, i, size_of(c, csv, row, i, op.kind));
    }
    return op;
}
