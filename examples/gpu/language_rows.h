/* language_rows.h - rows of measured operators of language models: the columns that
 * examples/gpu/data/llm_operators/README.md describes, as sooth_operator.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef LANGUAGE_ROWS_H
#define LANGUAGE_ROWS_H
#include <stddef.h>
#include <string.h>

#include "sooth/csv.h"
#include "sooth/gpu.h"

/* Returns the number in a column; 0 if there is none. */
static double number_at(const sooth_csv *csv, size_t i, const char *name) {
    const size_t j = sooth_csv_find(csv, name);
    if (j == SOOTH_NONE || csv->column[j].is_text) return 0.0;
    const float v = csv->cell[i * csv->cols + j];
    return v == v ? (double)v : 0.0;
}

/* Returns the text in a column; "" if there is none. */
static const char *text_at(const sooth_csv *csv, size_t i, const char *name) {
    const size_t j = sooth_csv_find(csv, name);
    if (j == SOOTH_NONE || !csv->column[j].is_text) return "";
    const float v = csv->cell[i * csv->cols + j];
    return v == v ? csv->column[j].text[(size_t)v] : "";
}

/* Fills an operator of a kind; sizes without a column are 0. Returns 0 if the data type is not known. */
static int operator_at(const sooth_csv *csv, size_t i, uint32_t kind, sooth_operator *op) {
#define SIZE(field) \
    { #field, offsetof(sooth_operator, field) }
    static const struct {
        const char *name;
        size_t offset;
    } size[] = {SIZE(m),     SIZE(n),        SIZE(k),        SIZE(batch),  SIZE(tokens), SIZE(context),
                SIZE(heads), SIZE(kv_heads), SIZE(head_dim), SIZE(window), SIZE(hidden), SIZE(inter),
                SIZE(topk),  SIZE(experts),  SIZE(tp),       SIZE(ep),     SIZE(skew)};
#undef SIZE
    const size_t dtype = sooth_data_type_find(text_at(csv, i, "dtype"));
    memset(op, 0, sizeof *op);
    op->kind = kind;
    op->dtype = (uint32_t)dtype;
    for (size_t k = 0; k < sizeof size / sizeof *size; ++k) {
        const double v = number_at(csv, i, size[k].name);
        memcpy((unsigned char *)op + size[k].offset, &v, sizeof v);
    }
    return dtype != SOOTH_NONE;
}

#endif
