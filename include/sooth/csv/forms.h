/* csv/forms.h - numbers as tools and people write them: units, durations, thousands; words for missing.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A column is read by one form if each of its cells has it:
 *   - numbers with a unit ("100.50 W", "1755 MHz", "21,2 %", "$5"). Units of one dimension become one: that
 *     of the header, or else the smallest of them. A plain 0 needs no unit. KB is 1000 bytes, KiB is 1024. K,
 *     M, G, T alone are not converted, because tools disagree on 1000 or 1024
 *   - durations (1-02:03:04, 02:03:04, 03:04.5, 2m3.5s) become seconds. 12:30 alone is hours or minutes: some
 *     cell must have seconds, days or decimals
 *   - numbers with a decimal point ("1,234.5", "1 234.5", "1'234.5") or comma ("1.234,5"), a minus sign of
 *     Unicode, a Fortran exponent (1.5D+03), or hexadecimal digits (0x1.8p+1). If all cells with a comma
 *     are like "1,234", then only a cell such as 0.5 tells that commas are between thousands
 * A column of other cells, or of several forms, is text.
 */
#if !defined(SOOTH_CSV_FORMS_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_CSV_FORMS_IMPLEMENTED))
#include "../base.h"
#endif

#if !defined(SOOTH_CSV_FORMS_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_CSV_FORMS_H
SOOTHI_C_BEGIN

/* Returns the factor from one unit to another: 0.001 from "ms" to "s". Returns 1 for equal texts, 0 for units
   that are unknown or of different dimensions. */
SOOTH_API double sooth_csv_unit_factor(const char *from, const char *to);

SOOTHI_C_END
#endif /* SOOTH_CSV_FORMS_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_CSV_FORMS_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_CSV_FORMS_IMPLEMENTED
SOOTHI_C_BEGIN

SOOTHI_LOCAL int soothi_csv_lower(char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

/* ---- missing values ---- */

/* Returns 1 if the text stands for a missing value in every column, a text column too. "nan" is not in the
   list: it parses as a number. */
SOOTHI_LOCAL int soothi_csv_is_missing(const char *text, size_t length) {
    static const char word[][8] = {"na",    "n/a",    "null",   "-",       "#n/a",   "#ref!",
                                   "#num!", "#name?", "#null!", "#value!", "#div/0!"};
    size_t k;
    if (length == 0) return 1;
    if (length > 7 || (text[0] != '#' && text[0] != '-' && soothi_csv_lower(text[0]) != 'n')) return 0;
    for (size_t i = 0; i < sizeof word / sizeof word[0]; ++i) {
        for (k = 0; k < length && soothi_csv_lower(text[k]) == word[i][k];) ++k;
        if (k == length && word[i][k] == 0) return 1;
    }
    return 0;
}

/* Words for missing values in columns of numbers; in a text column they are texts. They are those of pandas,
   nvidia-smi, perf stat, Slurm, Windows' C, Excel, SAS, in any case. */
/* clang-format off */
static const char soothi_csv_mark[][28] = {
    "None", "?", "<NA>", "--", ".", "[N/A]", "<not counted>", "Unknown", "(null)", "<not supported>",
    "[Not Supported]", "[Unknown Error]", "-nan(ind)", "nan(ind)", "1.#IND", "-1.#IND", "1.#QNAN",
    "-1.#QNAN", "-nan(snan)", "nan(snan)", "#NA", "#N/A N/A", "INVALID", "[GPU is lost]", "#SPILL!", "#CALC!",
    "NaT", "---", "[Not Found]", "[Unknown]", "#GETTING_DATA", "[Deprecated]", "[Insufficient Permissions]"};
/* clang-format on */

/* Returns the number of the word, from 1; 0 if the text is none of them. */
SOOTHI_LOCAL uint32_t soothi_csv_marked(const char *text, size_t length) {
    const size_t count = sizeof soothi_csv_mark / sizeof soothi_csv_mark[0];
    const int first = soothi_csv_lower(text[0]);
    size_t k;
    const int is_word =
        first == 'n' || ((first == 'u' || first == 'i') && length == 7 && (text[1] | 32) == 'n');
    const int is_number = (first >= '0' && first <= '9') && !(first == '1' && length > 5 && text[2] == '#');
    if (length > 26 || (first >= 'a' && !is_word) || is_number) return 0; /* most texts leave here */
    for (uint32_t i = 0; i < count; ++i) {
        const char *word = soothi_csv_mark[i];
        if (soothi_csv_lower(word[0]) != first) continue;
        for (k = 1; k < length && soothi_csv_lower(text[k]) == soothi_csv_lower(word[k]);) ++k;
        if (k == length && word[k] == 0) return i + 1;
    }
    return 0;
}

/* ---- units ---- */

typedef struct soothi_csv_unit {
    char name[8];
    uint32_t dimension;
    double scale;
} soothi_csv_unit;

enum { SOOTHI_CSV_NO_UNIT = 254 };

/* The first unit of a dimension with this scale has the name that a column gets. */
/* clang-format off */
static const soothi_csv_unit soothi_csv_units[] = {
    {"s", 1, 1}, {"ms", 1, 1e-3}, {"us", 1, 1e-6}, {"ns", 1, 1e-9}, {"min", 1, 60}, {"h", 1, 3600},
    {"sec", 1, 1}, {"secs", 1, 1}, {"msec", 1, 1e-3}, {"usec", 1, 1e-6}, {"nsec", 1, 1e-9},
    {"\xC2\xB5s", 1, 1e-6}, {"\xCE\xBCs", 1, 1e-6}, {"hr", 1, 3600},
    {"B", 2, 1}, {"kB", 2, 1e3}, {"KB", 2, 1e3}, {"MB", 2, 1e6}, {"GB", 2, 1e9}, {"TB", 2, 1e12},
    {"PB", 2, 1e15}, {"KiB", 2, 1024}, {"MiB", 2, 1048576}, {"GiB", 2, 1073741824},
    {"TiB", 2, 1099511627776}, {"bytes", 2, 1}, {"byte", 2, 1},
    {"B/s", 3, 1}, {"kB/s", 3, 1e3}, {"KB/s", 3, 1e3}, {"MB/s", 3, 1e6}, {"GB/s", 3, 1e9},
    {"TB/s", 3, 1e12}, {"KiB/s", 3, 1024}, {"MiB/s", 3, 1048576}, {"GiB/s", 3, 1073741824},
    {"Hz", 4, 1}, {"kHz", 4, 1e3}, {"KHz", 4, 1e3}, {"MHz", 4, 1e6}, {"GHz", 4, 1e9},
    {"W", 5, 1}, {"uW", 5, 1e-6}, {"mW", 5, 1e-3}, {"kW", 5, 1e3}, {"MW", 5, 1e6},
    {"J", 6, 1}, {"uJ", 6, 1e-6}, {"mJ", 6, 1e-3}, {"kJ", 6, 1e3}, {"MJ", 6, 1e6}, {"Wh", 6, 3600},
    {"kWh", 6, 3.6e6},
    {"V", 7, 1}, {"uV", 7, 1e-6}, {"mV", 7, 1e-3}, {"kV", 7, 1e3},
    {"A", 8, 1}, {"uA", 8, 1e-6}, {"mA", 8, 1e-3},
    {"bit/s", 9, 1}, {"bps", 9, 1}, {"kbit/s", 9, 1e3}, {"Kbps", 9, 1e3}, {"kbps", 9, 1e3},
    {"Mbit/s", 9, 1e6}, {"Mbps", 9, 1e6}, {"Gbit/s", 9, 1e9}, {"Gbps", 9, 1e9},
    {"bit", 10, 1}, {"kbit", 10, 1e3}, {"Mbit", 10, 1e6}, {"Gbit", 10, 1e9},
    {"FLOPS", 11, 1}, {"MFLOPS", 11, 1e6}, {"GFLOPS", 11, 1e9}, {"TFLOPS", 11, 1e12}, {"FLOP/s", 11, 1},
    {"GFLOP/s", 11, 1e9}, {"TFLOP/s", 11, 1e12}, {"%", 12, 1}, {"\xC2\xB0" "C", 13, 1}, {"$", 14, 1},
    {"\xE2\x82\xAC", 15, 1}, {"\xC2\xA3", 16, 1}, {"K", 17, 1}, {"M", 18, 1}, {"G", 19, 1}, {"T", 20, 1},
    {"rpm", 21, 1}, {"RPM", 21, 1}};
/* clang-format on */

/* Returns the number of a unit; the text has no zero bytes. */
SOOTHI_LOCAL uint32_t soothi_csv_unit_of(const char *text, size_t length) {
    for (uint32_t i = 0; i < sizeof soothi_csv_units / sizeof soothi_csv_units[0]; ++i) {
        const char *name = soothi_csv_units[i].name;
        size_t k = 0;
        while (k < length && name[k] == text[k]) ++k;
        if (k == length && name[k] == 0) return i;
    }
    return SOOTHI_CSV_NO_UNIT;
}

/* Returns the first unit of the same dimension with this scale. */
SOOTHI_LOCAL uint32_t soothi_csv_same_unit(uint32_t unit, double scale) {
    uint32_t i = 0;
    const uint32_t dimension = soothi_csv_units[unit].dimension;
    while (soothi_csv_units[i].dimension != dimension || soothi_csv_units[i].scale < scale ||
           soothi_csv_units[i].scale > scale)
        ++i;
    return i;
}

SOOTH_API double sooth_csv_unit_factor(const char *from, const char *to) {
    const size_t lengths[2] = {soothi_text_length(from), soothi_text_length(to)};
    if (lengths[0] == lengths[1] && soothi_same_chars(from, to, lengths[0])) return 1.0;
    const uint32_t a = soothi_csv_unit_of(from, lengths[0]), b = soothi_csv_unit_of(to, lengths[1]);
    if (a == SOOTHI_CSV_NO_UNIT || b == SOOTHI_CSV_NO_UNIT) return 0.0;
    if (soothi_csv_units[a].dimension != soothi_csv_units[b].dimension) return 0.0;
    return soothi_csv_units[a].scale / soothi_csv_units[b].scale;
}

/* ---- one cell ---- */

/* Forms of a cell, as bits. */
enum {
    SOOTHI_CSV_POINTS = 1,   /* a number with a decimal point, or without decimals */
    SOOTHI_CSV_COMMAS = 2,   /* a number with a decimal comma, or without decimals */
    SOOTHI_CSV_DURATION = 4, /* a duration */
    SOOTHI_CSV_DATE = 8,     /* a date; not a number */
    SOOTHI_CSV_FORMS = 15
};

/* Doubts about a cell. */
enum {
    SOOTHI_CSV_DOUBT_COMMA = 1, /* "1,234" is 1234 or 1.234 */
    SOOTHI_CSV_DOUBT_POINT = 2, /* "1.234" as well */
    SOOTHI_CSV_SURE_HOURS = 4   /* not a doubt: a duration with seconds, days or decimals, unlike "12:30" */
};

typedef struct soothi_csv_shape {
    unsigned forms, doubts;
    uint32_t unit;      /* SOOTHI_CSV_NO_UNIT: none */
    char digits[2][64]; /* with a decimal point, as sooth_text_to_double reads it: for POINTS, for COMMAS */
    double seconds;     /* of a duration */
} soothi_csv_shape;

SOOTHI_LOCAL int soothi_csv_digit(char c) { return c >= '0' && c <= '9'; }

/* Returns the length of a blank at `at`: " ", or no-break, thin and narrow blanks of Unicode. */
SOOTHI_LOCAL size_t soothi_csv_gap(const char *at, const char *end) {
    if (at == end) return 0;
    if (*at == ' ') return 1;
    if (end - at > 1 && soothi_same_chars(at, "\xC2\xA0", 2)) return 2;
    if (end - at > 2 &&
        (soothi_same_chars(at, "\xE2\x80\xAF", 3) || soothi_same_chars(at, "\xE2\x80\x89", 3)))
        return 3;
    return 0;
}

/* Returns the length of a sign between thousands at `at`: a blank, an apostrophe, or `other`. */
SOOTHI_LOCAL size_t soothi_csv_between(const char *at, const char *end, char other) {
    if (at == end) return 0;
    if (*at == '\'' || *at == other) return 1;
    if (end - at > 2 && soothi_same_chars(at, "\xE2\x80\x99", 3)) return 3;
    return soothi_csv_gap(at, end);
}

/* Copies digits at `at` to digits[*n...]; returns their end. */
SOOTHI_LOCAL const char *soothi_csv_copy_digits(const char *at, const char *end, char *digits, size_t *n) {
    while (at < end && soothi_csv_digit(*at)) digits[(*n)++] = *at++;
    return at;
}

/* Reads a number without sign, with this decimal mark, into digits[n...], zero-terminated. Returns its end;
   `at` if there is none. The text is shorter than 48 bytes. */
SOOTHI_LOCAL const char *soothi_csv_body(const char *at, const char *end, char mark, char *digits, size_t n) {
    const char *const begin = at;
    const size_t from = n;
    at = soothi_csv_copy_digits(at, end, digits, &n);
    size_t whole = n - from;
    const size_t sign = soothi_csv_between(at, end, mark == '.' ? ',' : '.');
    const char *const between = at;
    while (whole >= 1 && whole <= 3 && *begin != '0' && sign > 0 && (size_t)(end - at) >= sign + 3 &&
           soothi_same_chars(at, between, sign) && soothi_csv_digit(at[sign]) &&
           soothi_csv_digit(at[sign + 1]) && soothi_csv_digit(at[sign + 2]) &&
           !(at + sign + 3 < end && soothi_csv_digit(at[sign + 3])))
        at = soothi_csv_copy_digits(at + sign, end, digits, &n);
    if (at < end && *at == mark) {
        digits[n++] = '.';
        const size_t decimals = n;
        at = soothi_csv_copy_digits(at + 1, end, digits, &n);
        whole += n - decimals;
    }
    if (whole == 0) return begin;
    if (at < end && ((*at | 32) == 'e' || (*at | 32) == 'd')) {
        const char *p = at + 1;
        const int fortran = (*at | 32) == 'd', is_signed = p < end && (*p == '+' || *p == '-');
        const size_t before = n;
        digits[n++] = 'e';
        if (is_signed) digits[n++] = *p++;
        if (p < end && soothi_csv_digit(*p) && (!fortran || is_signed))
            at = soothi_csv_copy_digits(p, end, digits, &n);
        else n = before;
    }
    digits[n] = 0;
    return at;
}

SOOTHI_LOCAL int soothi_csv_hex_digit(char c) {
    if (soothi_csv_digit(c)) return c - '0';
    c = (char)soothi_csv_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads a hexadecimal float without sign, such as 0x1.8p+1; returns its end, or `at` if there is none. */
SOOTHI_LOCAL const char *soothi_csv_hex(const char *at, const char *end, double *value) {
    const char *p = at + 2;
    double v = 0.0;
    int power = 0, digits = 0, point = 0, exponent = 0;
    if (end - at < 5 || at[0] != '0' || (at[1] | 32) != 'x') return at;
    for (; p < end && ((*p == '.' && !point) || soothi_csv_hex_digit(*p) >= 0); ++p) {
        if (*p == '.') {
            point = 1;
            continue;
        }
        v = 16.0 * v + soothi_csv_hex_digit(*p);
        power -= 4 * point;
        ++digits;
    }
    if (digits == 0 || v >= 9007199254740992.0 || end - p < 2 || (*p | 32) != 'p') return at; /* v is exact */
    ++p;
    const int down = *p == '-';
    if (down || *p == '+') ++p;
    if (p == end || !soothi_csv_digit(*p)) return at;
    for (; p < end && soothi_csv_digit(*p); ++p)
        exponent = exponent < 9999 ? 10 * exponent + (*p - '0') : 9999;
    for (power += down ? -exponent : exponent; power > 0 && v < 1e300; --power) v *= 2.0;
    for (; power < 0 && v > 1e-300; ++power) v *= 0.5;
    if (power != 0 && v > 0.0) return at;
    *value = v;
    return p;
}

/* Reads 1-02:03:04.5, 02:03:04, 03:04 or 2h3m4.5s, without a sign. The text is no number. */
SOOTHI_LOCAL int soothi_csv_duration(const char *at, const char *end, soothi_csv_shape *shape) {
    static const char letters[] = "dhms";
    static const double seconds[] = {86400.0, 3600.0, 60.0, 1.0};
    double part[4] = {0.0, 0.0, 0.0, 0.0}, value = 0.0;
    size_t parts = 0, letter = 0, words = 0;
    int days = 0, decimals = 0;
    for (; at < end && parts < 4; ++at) {
        size_t used = 0;
        while (at + used < end && soothi_csv_digit(at[used])) ++used;
        if (used == 0 || used > 9) return 0;
        if (at + used + 1 < end && (at[used] == '.' || at[used] == ',') && soothi_csv_digit(at[used + 1])) {
            char copy[48];
            size_t k = 0;
            for (++used; at + used < end && soothi_csv_digit(at[used]);) ++used;
            for (; k < used; ++k) copy[k] = at[k] == ',' ? '.' : at[k];
            sooth_text_to_double(copy, used, &value);
            decimals = 1;
        } else sooth_text_to_double(at, used, &value);
        at += used;
        if (at < end && *at != ':' && *at != '-') { /* 2m3.5s */
            while (letter < 4 && letters[letter] != *at) ++letter;
            if (letter == 4 || parts > 0 || (decimals && *at != 's')) return 0;
            shape->seconds += value * seconds[letter++];
            ++words;
            continue;
        }
        if (words || (at < end && decimals) || (at < end && *at == '-' && (days || parts))) return 0;
        part[parts++] = value;
        if (at == end) break;
        if (*at == '-') days = 1;
        if (at + 1 == end) return 0;
    }
    if (at < end) return 0;
    if (words) {
        shape->doubts |= SOOTHI_CSV_SURE_HOURS;
        return words > 1;
    }
    const size_t clock = parts - (size_t)days;
    if (clock > 3 || (days && clock < 3)) return 0;
    for (size_t k = (size_t)days + 1; k < parts; ++k)
        if (part[k] >= 60.0) return 0;
    if (days && part[1] >= 24.0) return 0;
    for (size_t k = 0; k < parts; ++k) shape->seconds += part[k] * seconds[4 - parts + k];
    if (clock != 2 || decimals) shape->doubts |= SOOTHI_CSV_SURE_HOURS;
    return 1;
}

/* Returns 1 for 2026-03-01, 2026/03/01, 1.3.2026, 01/03/2026, alone or followed by a time. */
SOOTHI_LOCAL int soothi_csv_date(const char *at, const char *end) {
    size_t digits[3] = {0, 0, 0}, k = 0;
    char sign = 0;
    for (; at < end; ++at) {
        if (soothi_csv_digit(*at)) ++digits[k];
        else if (k < 2 && (*at == '-' || *at == '/' || *at == '.') && (!sign || *at == sign)) sign = *at, ++k;
        else break;
    }
    if (at < end && *at != 'T' && *at != 't' && *at != ' ') return 0;
    return k == 2 && digits[1] >= 1 && digits[1] <= 2 &&
           ((digits[0] == 4 && digits[2] >= 1 && digits[2] <= 2) ||
            (digits[0] >= 1 && digits[0] <= 2 && digits[2] == 4));
}

/* Finds the unit in text[at..end); returns 0 if there is another text. */
SOOTHI_LOCAL int soothi_csv_take_unit(const char *at, const char *end, uint32_t before, uint32_t *unit) {
    for (size_t gap; (gap = soothi_csv_gap(at, end)) > 0;) at += gap;
    *unit = before;
    if (at == end) return 1;
    *unit = soothi_csv_unit_of(at, (size_t)(end - at));
    return *unit != SOOTHI_CSV_NO_UNIT && before == SOOTHI_CSV_NO_UNIT;
}

/* Finds the forms that a cell may have. */
SOOTHI_LOCAL void soothi_csv_shape_of(const char *text, size_t length, soothi_csv_shape *shape) {
    static const char money[][4] = {"$", "\xE2\x82\xAC", "\xC2\xA3"};
    const char *at = text, *end = text + length;
    uint32_t before = SOOTHI_CSV_NO_UNIT, unit;
    size_t n = 0, gap;
    double hex;
    shape->forms = shape->doubts = 0;
    shape->unit = SOOTHI_CSV_NO_UNIT;
    shape->seconds = 0.0;
    if (length >= 48) return;
    while ((gap = soothi_csv_gap(at, end)) > 0) at += gap;
    while (end - at > 1 && soothi_same_chars(end - 2, "\xC2\xA0", 2)) end -= 2;
    for (int k = 0; k < 2; ++k) { /* -$5 and $-5 */
        const size_t minus =
            end - at > 2 && soothi_same_chars(at, "\xE2\x88\x92", 3) ? 3 : at < end && *at == '-';
        if (n == 0 && minus) shape->digits[0][n++] = '-', at += minus;
        else if (k == 0 && at < end && *at == '+') ++at;
        for (size_t i = 0; i < 3 && before == SOOTHI_CSV_NO_UNIT; ++i) {
            const size_t size = soothi_text_length(money[i]);
            if ((size_t)(end - at) <= size || !soothi_same_chars(at, money[i], size)) continue;
            before = soothi_csv_unit_of(money[i], size);
            at += size;
        }
    }
    if (at == end || !(soothi_csv_digit(*at) || *at == '.' || *at == ',')) return;
    shape->digits[1][0] = '-';
    for (unsigned k = 0; k < 2; ++k) {
        char *digits = shape->digits[k];
        const char *p = soothi_csv_hex(at, end, &hex);
        if (p > at) sooth_text_from_double(digits + n, hex);
        else p = soothi_csv_body(at, end, k ? ',' : '.', digits, n);
        if (p == at || !soothi_csv_take_unit(p, end, before, &unit)) continue;
        shape->unit = unit;
        shape->forms |= k ? SOOTHI_CSV_COMMAS : SOOTHI_CSV_POINTS;
    }
    if (shape->forms == (SOOTHI_CSV_POINTS | SOOTHI_CSV_COMMAS)) {
        const size_t size = soothi_text_length(shape->digits[0]) + 1;
        int comma = 0;
        for (const char *p = at; p < end; ++p) comma |= *p == ',';
        if (!soothi_same_chars(shape->digits[0], shape->digits[1], size))
            shape->doubts |= comma ? SOOTHI_CSV_DOUBT_COMMA : SOOTHI_CSV_DOUBT_POINT;
    }
    if (shape->forms || before != SOOTHI_CSV_NO_UNIT) return;
    if (soothi_csv_duration(at, end, shape)) {
        shape->forms |= SOOTHI_CSV_DURATION;
        if (n) shape->seconds = -shape->seconds;
    } else if (n == 0 && soothi_csv_date(at, end)) {
        shape->forms |= SOOTHI_CSV_DATE;
        shape->doubts = 0;
    } else shape->doubts = 0;
}

/* ---- a column ---- */

/* What the cells of a column have in common. Zero bytes: no cell yet. */
typedef struct soothi_csv_common {
    uint8_t barred; /* forms that a cell lacks */
    uint8_t doubts; /* of all cells */
    uint8_t unit;   /* 1 + the smallest; 0: no cell yet */
    uint8_t
        mixed; /* bits: 1, units of several dimensions, or cells without a unit; 2, several of K, M, G, T */
} soothi_csv_common;

SOOTHI_LOCAL int soothi_csv_is_letter(unsigned unit) {
    const char *name = unit == SOOTHI_CSV_NO_UNIT ? "" : soothi_csv_units[unit].name;
    return (name[0] == 'K' || name[0] == 'M' || name[0] == 'G' || name[0] == 'T') && name[1] == 0;
}

SOOTHI_LOCAL void soothi_csv_meet_unit(soothi_csv_common *all, unsigned unit) {
    if (!all->unit) {
        all->unit = (uint8_t)unit;
        return;
    }
    const unsigned a = all->unit - 1u, b = unit - 1u;
    if (a == b) return;
    if (soothi_csv_is_letter(a) && soothi_csv_is_letter(b)) all->mixed |= 2;
    else if (a == SOOTHI_CSV_NO_UNIT || b == SOOTHI_CSV_NO_UNIT ||
             soothi_csv_units[a].dimension != soothi_csv_units[b].dimension)
        all->mixed |= 1;
    else if (soothi_csv_units[b].scale < soothi_csv_units[a].scale) all->unit = (uint8_t)unit;
}

/* Adds a cell. */
SOOTHI_LOCAL void soothi_csv_meet(soothi_csv_common *all, const soothi_csv_shape *shape) {
    all->barred |= (uint8_t)(~shape->forms & SOOTHI_CSV_FORMS);
    all->doubts |= (uint8_t)shape->doubts;
    if (shape->forms) soothi_csv_meet_unit(all, shape->unit + 1u);
}

/* Adds the cells that another worker has seen. */
SOOTHI_LOCAL void soothi_csv_meet_all(soothi_csv_common *all, const soothi_csv_common *other) {
    all->barred |= other->barred;
    all->doubts |= other->doubts;
    all->mixed |= other->mixed;
    if (other->unit) soothi_csv_meet_unit(all, other->unit);
}

/* Returns the only form that the cells have in common; 0 if there is none. *why is then the reason if there
   is one, else "". A doubt about commas may be left. */
SOOTHI_LOCAL unsigned soothi_csv_form_of(const soothi_csv_common *all, char separator, const char **why) {
    const unsigned forms = ~(unsigned)all->barred & SOOTHI_CSV_FORMS;
    const unsigned numbers = SOOTHI_CSV_POINTS | SOOTHI_CSV_COMMAS;
    *why = "";
    if (forms == 0) return 0;
    if (forms & SOOTHI_CSV_DATE) {
        *why = "a date";
        return 0;
    }
    if (forms & SOOTHI_CSV_DURATION) {
        if (all->doubts & SOOTHI_CSV_SURE_HOURS) return forms;
        *why = "in hours or in minutes; write hours, minutes and seconds, such as 00:12:30";
        return 0;
    }
    if (all->mixed == 2) {
        *why =
            "in K, M, G or T, which some tools count in 1000 and others in 1024; write KB or KiB, MB or MiB";
        return 0;
    }
    if (all->mixed) {
        *why = "in a unit, but other cells are in none or in another that cannot be converted";
        return 0;
    }
    if (forms != numbers) return forms;
    if (separator == ';' && (all->doubts & 3) == SOOTHI_CSV_DOUBT_COMMA) return SOOTHI_CSV_COMMAS;
    if (separator == ';' && (all->doubts & 3) == 3) {
        *why = "with a comma, but other cells have a point";
        return 0;
    }
    return SOOTHI_CSV_POINTS;
}

/* Returns the number of a cell in a form, times `factor`. */
SOOTHI_LOCAL float soothi_csv_number_of(const soothi_csv_shape *shape, unsigned form, double factor) {
    const char *digits = shape->digits[form == SOOTHI_CSV_COMMAS];
    const size_t length = soothi_text_length(digits);
    float value = 0.0f;
    double precise = 0.0;
    if (form == SOOTHI_CSV_DURATION) return (float)shape->seconds;
    if (factor < 1.0 || factor > 1.0) {
        sooth_text_to_double(digits, length, &precise);
        return (float)(precise * factor);
    }
    sooth_text_to_float(digits, length, &value);
    return value;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
