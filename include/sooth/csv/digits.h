/* csv/digits.h - the digits of cells that a float does not hold.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Cells are floats: 24 bits. Seconds since 1970, milliseconds, dates such as 20260131, ids and bytes have
 * more, and neighbours become the same float. sooth_csv_exact reads such columns a second time from the
 * bytes, and subtracts a number in exact arithmetic. The differences are small enough for floats
 * (model/origin.h).
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/csv.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static const char file[] = "start,watts\n1700000001,20\n1700000040,31\n";
 *         const size_t column = 0;
 *         const double zero = 1700000000;
 *         double start[2];
 *         sooth_csv csv;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_csv_read(&env, file, sizeof file - 1, NULL, &csv) != SOOTH_OK ||
 *             sooth_csv_exact(&env, &csv, file, sizeof file - 1, &column, 1, &zero, start) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("%d, %g and %g\n", csv.cell[0] == csv.cell[2], start[0], start[1]); //> 1, 1 and 40
 *         sooth_csv_free(&env, &csv);
 *         return 0;
 *     }
 *
 * One pass over the bytes by one thread, at about 200 MB per second. Allocates nothing unless cells hold
 * quotes within quotes.
 */
#if !defined(SOOTH_CSV_DIGITS_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_CSV_DIGITS_H
SOOTHI_C_BEGIN

/* Computes out[i * count + k], the cell of row i in column[k] minus zero[k] (NULL: minus 0). bytes[0..size)
   are those that csv was read from. Differences of integers of up to 19 digits are exact before they become
   doubles; other differences are those of two doubles. A missing cell is NaN, and so is text, and a row
   behind bytes[size - 1]. */
SOOTH_API sooth_status sooth_csv_exact(sooth_env *env, const sooth_csv *csv, const void *bytes, size_t size,
                                       const size_t *column, size_t count, const double *zero, double *out);

SOOTHI_C_END
#endif /* SOOTH_CSV_DIGITS_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_CSV_DIGITS_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_CSV_DIGITS_IMPLEMENTED
SOOTHI_C_BEGIN

/* Reads an integer of up to 19 digits. Returns 0 if the text is something else. */
SOOTHI_LOCAL int soothi_csv_integer(const char *text, size_t size, uint64_t *value, int *negative) {
    size_t i = size > 0 && (text[0] == '-' || text[0] == '+');
    *negative = i && text[0] == '-';
    if (i == size || size - i > 19) return 0;
    for (*value = 0; i < size; ++i) {
        if (text[i] < '0' || text[i] > '9') return 0;
        *value = *value * 10 + (uint64_t)(text[i] - '0');
    }
    return 1;
}

/* Returns 1 if the float is this number but for rounding. */
SOOTHI_LOCAL int soothi_csv_rounds_to(double number, float cell) {
    const double off = number - (double)cell, most = 1.2e-7 * (double)cell;
    return !soothi_finite((double)cell) || soothi_abs(off) <= soothi_abs(most) || soothi_abs(off) < 1.5e-45;
}

/* Returns the double of a cell in one of the forms of csv/forms.h, in a column with this unit. csv.h has read
   it as `cell`, which tells decimal points from commas. */
SOOTHI_LOCAL double soothi_csv_formed(const soothi_csv_reader *r, const char *unit, float cell) {
    soothi_csv_shape shape;
    double value = 0.0, factor = 1.0;
    soothi_csv_shape_of(r->text, r->length, &shape);
    if (shape.unit != SOOTHI_CSV_NO_UNIT)
        factor = sooth_csv_unit_factor(soothi_csv_units[shape.unit].name, unit);
    for (size_t k = 0; k < 2; ++k) {
        if (!(shape.forms >> k & 1u)) continue;
        sooth_text_to_double(shape.digits[k], soothi_text_length(shape.digits[k]), &value);
        if (soothi_csv_rounds_to(value * factor, cell)) return value * factor;
    }
    if (shape.forms & SOOTHI_CSV_DURATION) {
        factor = sooth_csv_unit_factor("s", unit);
        if (soothi_csv_rounds_to(shape.seconds * factor, cell)) return shape.seconds * factor;
    }
    return (double)cell;
}

/* Returns the number in a cell minus zero. */
SOOTHI_LOCAL double soothi_csv_minus(const soothi_csv_reader *r, const char *unit, float cell, double zero) {
    const double most = 18446744073709549568.0; /* the largest double below 2^64 */
    const double size = zero < 0.0 ? -zero : zero;
    char copy[64];
    const int with_commas = r->separator == ';' && r->length < sizeof copy;
    uint64_t number, part;
    double value = 0.0;
    int negative;
    if (soothi_csv_integer(r->text, r->length, &number, &negative) && size <= most) {
        part = (uint64_t)size;
        const double rest = size - (double)part; /* of a zero that is not an integer */
        if (rest > 0.0) return (negative ? -(double)number : (double)number) - zero;
        if (negative != (zero < 0.0) && number && part)
            return negative ? -((double)number + size) : (double)number + size;
        if (number == part) return 0.0;
        value = number > part ? (double)(number - part) : (double)(part - number);
        return (number > part) != (number ? negative : zero < 0.0) ? value : -value;
    }
    for (size_t i = 0; with_commas && i < r->length; ++i) copy[i] = r->text[i] == ',' ? '.' : r->text[i];
    if (sooth_text_to_double(with_commas ? copy : r->text, r->length, &value) != r->length ||
        !soothi_csv_rounds_to(value, cell))
        value = soothi_csv_formed(r, unit, cell);
    return value - zero;
}

SOOTH_API sooth_status sooth_csv_exact(sooth_env *env, const sooth_csv *csv, const void *bytes, size_t size,
                                       const size_t *column, size_t count, const double *zero, double *out) {
    soothi_csv_reader r;
    size_t row = 0;
    sooth_status status = SOOTH_OK;
    memset(&r, 0, sizeof r);
    r.env = env;
    r.at = (const char *)bytes;
    r.end = r.at + soothi_csv_size(r.at, size);
    r.separator = csv->separator;
    r.cols = csv->cols;
    for (; r.end - r.at >= 3 && soothi_same_chars(r.at, "\xEF\xBB\xBF", 3);) r.at += 3;
    for (r.line = 1; r.line < csv->header_line && r.at < r.end; ++r.at) /* comments, sep= */
        r.line += (size_t)soothi_csv_ends_line(r.at, r.end);
    for (size_t i = 0; i < csv->rows * count; ++i) out[i] = (double)soothi_missing();
    while (status == SOOTH_OK && row < csv->rows && soothi_csv_more(&r, r.end)) {
        const int kept = csv->line[row] == r.line; /* otherwise it is the header, or blank */
        const float *cell = csv->cell + row * csv->cols;
        size_t j = 0;
        do {
            status = soothi_csv_next(&r);
            for (size_t k = 0; k < count && kept && status == SOOTH_OK; ++k)
                if (column[k] == j && !csv->column[j].is_text && !soothi_nan((double)cell[j]))
                    out[row * count + k] =
                        soothi_csv_minus(&r, csv->column[j].unit, cell[j], zero ? zero[k] : 0.0);
            ++j;
        } while (status == SOOTH_OK && !r.row_ends);
        row += (size_t)kept;
    }
    sooth_free(env, r.buffer, r.capacity, 1);
    return status;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
