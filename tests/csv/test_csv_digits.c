/* test_csv_digits.c - cells minus a number, against integer arithmetic by hand and that of doubles.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/csv.h"
#include "check.h"
#include <math.h>

enum { MOST = 64 };

/* Reads one column of a file minus zero; returns the number of rows. */
static size_t exact(const char *text, char separator, size_t column, double zero, double *out) {
    const sooth_csv_options how = {.separator = separator};
    sooth_csv csv;
    sooth_env env;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_csv_read(&env, text, strlen(text), &how, &csv), SOOTH_OK);
    const size_t rows = csv.rows;
    CHECK(rows <= MOST && column < csv.cols);
    CHECK_STATUS(sooth_csv_exact(&env, &csv, text, strlen(text), &column, 1, &zero, out), SOOTH_OK);
    sooth_csv_free(&env, &csv);
    return rows;
}

static void integers_of_nineteen_digits_are_exact(void) {
    static const struct {
        const char *cell;
        double zero, difference;
    } is[] = {
        {"1700000040", 1700000000, 40},
        {"1700000000123", 1.7e12, 123},
        {"20260131", 20260120, 11},
        {"9007199254740993", 9007199254740992.0, 1}, /* 2^53 + 1, which is not a double */
        {"9223372036854775807", 9223372036854775808.0, -1},
        {"9223372036854775001", 9223372036854774784.0, 217},
        {"-9223372036854775807", -9223372036854775808.0, 1},
        {"-1700000040", -1700000000, -40},
        {"-5", 1700000000, -1700000005},
        {"7", -3, 10},
        {"-7", 0, -7},
        {"0", 12, -12},
        {"-0", -12, 12},
        {"0", -12, 12},
        {"-0", 12, -12},
        {"+12", 12, 0},
        {"3", 2.5, 0.5},
        {"-3", 2.5, -5.5},
        {"1000000004096", 1e12, 4096},
        {"9999999999999999999", 1e19, -1},
        {"99999999999999999999", 1e20, 0}, /* 20 digits: the difference of doubles */
        {"5", 1e20, -1e20},
        {"1.7e9", 1.7e9, 0},
        {"1700000000.25", 1.7e9, 0.25},
        {"1e400", 0, HUGE_VAL},
        {"1e-45", 0, 1e-45}, /* between two floats; below them */
        {"1e-50", 0, 1e-50},
        {"1700000000.250000000000000000000000000000000000000000000000000000000000", 1.7e9, 0.25},
    };
    for (size_t i = 0; i < sizeof is / sizeof *is; ++i) {
        char text[128];
        double got[MOST];
        snprintf(text, sizeof text, "a,b\n1,%s\n", is[i].cell);
        CHECK(exact(text, 0, 1, is[i].zero, got) == 1);
        CHECK(got[0] == is[i].difference);
    }
}

/* Rows as csv.h counts them: quotes with line ends, blank and empty lines, missing cells. */
static void rows_are_those_of_the_table(void) {
    static const char text[] = "\xEF\xBB\xBFname,start\r\n\r\n\"a\n\"\"b\"\"\",1700000001\r\n,\r\n"
                               "c, \"1700000002\" \r\nd,NA\r\ne\r\nf,1700000005";
    double got[MOST];
    CHECK(exact(text, 0, 1, 1.7e9, got) == 5);
    CHECK(got[0] == 1 && got[1] == 2 && isnan(got[2]) && isnan(got[3]) && got[4] == 5);
    CHECK(exact(text, 0, 0, 0.0, got) == 5); /* a column of text */
    for (size_t i = 0; i < 5; ++i) CHECK(isnan(got[i]));
}

/* The header is the fifth line, and a comment is no row. */
static void lines_above_the_header_are_skipped(void) {
    static const char text[] = "\xEF\xBB\xBFsep=;\r\n# 1;2\r\r\n\na;b\n1;1700000001\r\n# d\n2;1700000002\n";
    double got[MOST];
    CHECK(exact(text, 0, 1, 1.7e9, got) == 2);
    CHECK(got[0] == 1 && got[1] == 2);
}

/* What only csv.h reads: units (a column in mW), thousands. */
static void forms_are_those_of_the_table(void) {
    double got[MOST];
    CHECK(exact("p,k\n2 W,1\n1700 mW,2\n0,3\n", 0, 0, 1000.0, got) == 3);
    CHECK(got[0] == 1000 && got[1] == 700 && got[2] == -1000);
    CHECK(exact("p,k\n\"1,234\",1\n0.5,2\n", 0, 0, 1000.0, got) == 2);
    CHECK(got[0] == 234 && got[1] == -999.5);
    CHECK(exact("p;k\n1.234;1\n1.234,5;2\n", 0, 0, 1000.0, got) == 2);
    CHECK(got[0] == 234 && got[1] == 234.5);
    CHECK(exact("p,k\n1700000001 s,1\n1700000040 s,2\n", 0, 0, 1.7e9, got) == 2);
    CHECK(got[0] == 1 && got[1] == 40);
    CHECK(exact("p [ms],k\n1700001 s,1\n1700000040 ms,2\n", 0, 0, 1.7e9, got) == 2);
    CHECK(got[0] == 1000 && got[1] == 40);
    CHECK(exact("p,k\n\"1,700,000,001\",1\n\"1,700,000,040\",2\n", 0, 0, 1.7e9, got) == 2);
    CHECK(got[0] == 1 && got[1] == 40);
    CHECK(exact("p;k\n1.700.000.001,25;1\n1.700.000.040,5;2\n", 0, 0, 1.7e9, got) == 2);
    CHECK(got[0] == 1.25 && got[1] == 40.5);
    CHECK(exact("p,k\n19675-22:13:21,1\n19675-22:14:00,2\n", 0, 0, 1.7e9, got) == 2);
    CHECK(got[0] == 1 && got[1] == 40);
    CHECK(exact("p [ms],k\n19675-22:13:21,1\n19675-22:14:00,2\n", 0, 0, 1.7e12, got) == 2);
    CHECK(got[0] == 1000 && got[1] == 40000);
}

/* Of the first n bytes of a file, the rows that end there are read, and the rows behind are missing. */
static void cut_bytes_are_not_read_beyond(void) {
    static const char text[] = "# c\na,b\n7,+4\n5,-6\n";
    static const size_t begins[] = {8, 13}, ends[] = {12, 17};
    static const double whole[] = {4, -6};
    const size_t column = 1;
    sooth_csv csv;
    sooth_env env;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_csv_read(&env, text, sizeof text - 1, NULL, &csv), SOOTH_OK);
    CHECK(csv.rows == 2);
    for (size_t n = 0; n < sizeof text; ++n) {
        double got[2] = {0.0, 0.0};
        char *bytes = (char *)malloc(n + (n == 0));
        memcpy(bytes, text, n);
        CHECK_STATUS(sooth_csv_exact(&env, &csv, bytes, n, &column, 1, NULL, got), SOOTH_OK);
        for (size_t i = 0; i < 2; ++i)
            CHECK(n <= begins[i] ? isnan(got[i]) : n < ends[i] || got[i] == whole[i]);
        free(bytes);
    }
    sooth_csv_free(&env, &csv);
}

static void decimal_commas_are_points(void) {
    double got[MOST];
    CHECK(exact("a;b\n1700000000.25000000000000000000000000000000000000000000000000000;1\n", 0, 0, 1.7e9,
                got) == 1);
    CHECK(got[0] == 0.25);
    CHECK(exact("a;b\n1700000000,5;1\n1700000001,25;2\n", 0, 0, 1.7e9, got) == 2);
    CHECK(got[0] == 0.5 && got[1] == 1.25);
}

static void a_header_of_numbers_may_be_a_row(void) {
    static const char text[] = "1700000001,2\n1700000003,4\n";
    const sooth_csv_options how = {.no_header = 1};
    const size_t columns[] = {1, 0};
    sooth_csv csv;
    sooth_env env;
    double got[4];
    sooth_env_init(&env);
    CHECK_STATUS(sooth_csv_read(&env, text, sizeof text - 1, &how, &csv), SOOTH_OK);
    CHECK_STATUS(sooth_csv_exact(&env, &csv, text, sizeof text - 1, columns, 2, NULL, got), SOOTH_OK);
    CHECK(got[0] == 2 && got[1] == 1700000001 && got[2] == 4 && got[3] == 1700000003);
    sooth_csv_free(&env, &csv);
}

/* A byte-order mark is one in front of the file only, also for the second reading. */
static void marks_are_skipped_where_the_file_begins(void) {
    double got[MOST];
    CHECK(exact("\xEF\xBB\xBF# a comment\n\"a;b\";c\n1;1700000001\n", ';', 1, 1.7e9, got) == 1 &&
          got[0] == 1);
    CHECK(exact("#\n\xEF\xBB\xBF\"a;b;c\n1;2;1700000003\n", ';', 2, 1.7e9, got) == 1 && got[0] == 3);
}

/* Random integers around random zeros, next to arithmetic in 64 bits. */
static void differences_are_those_of_integers(void) {
    uint64_t state = 88172645463325252u;
    for (int i = 0; i < 2000; ++i) {
        char text[64];
        double got[MOST];
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        const int shift = (int)(state % 40) + 1;
        const int64_t zero = (int64_t)((state >> (shift + 11)) << (shift > 10 ? shift - 10 : 0));
        const int64_t near = (int64_t)(state % 2097152) - 1048576, cell = zero + near;
        if ((int64_t)(double)zero != zero) continue;
        snprintf(text, sizeof text, "a\n%lld\n", (long long)cell);
        CHECK(exact(text, 0, 0, (double)zero, got) == 1);
        CHECK(got[0] == (double)near);
    }
}

int main(void) {
    CHECK_RUN(integers_of_nineteen_digits_are_exact);
    CHECK_RUN(rows_are_those_of_the_table);
    CHECK_RUN(lines_above_the_header_are_skipped);
    CHECK_RUN(forms_are_those_of_the_table);
    CHECK_RUN(cut_bytes_are_not_read_beyond);
    CHECK_RUN(decimal_commas_are_points);
    CHECK_RUN(a_header_of_numbers_may_be_a_row);
    CHECK_RUN(marks_are_skipped_where_the_file_begins);
    CHECK_RUN(differences_are_those_of_integers);
    return check_end("csv_digits");
}
