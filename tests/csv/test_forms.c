/* test_forms.c - numbers, missing values and first lines as nvidia-smi, Slurm, perf, Excel write them.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/csv.h"
#include "check.h"

static sooth_env env;
static sooth_csv csv;

static sooth_status read_text(const char *text) {
    return sooth_csv_read(&env, text, strlen(text), NULL, &csv);
}

/* Reads "v\n", the cells in quotes, and "k\n"; the column v is number 0. */
static sooth_status read_column(const char *const *cell, size_t count, char separator) {
    static char text[4000];
    size_t n = (size_t)sprintf(text, "v%ck\n", separator);
    for (size_t i = 0; i < count; ++i)
        n += (size_t)sprintf(text + n, "\"%s\"%c%d\n", cell[i], separator, (int)i);
    return read_text(text);
}

/* A column of cells and the numbers that they are; unit and form as they are told. */
typedef struct column {
    char separator;
    const char *cell[5];
    float number[5];
    const char *unit, *form;
} column;

static const char unit_form[] = "numbers with a unit", points[] = "numbers with a decimal point",
                  commas[] = "numbers with a decimal comma", durations[] = "durations";

static const column read_as[] = {
    {',', {"100.50 W", "99 W"}, {100.5f, 99.0f}, "W", unit_form},
    {',', {"1755 MHz", "1.7 GHz", "0"}, {1755.0f, 1700.0f, 0.0f}, "MHz", unit_form},
    {',', {"47ms", "8.09 s", "1 min"}, {47.0f, 8090.0f, 60000.0f}, "ms", unit_form},
    {',', {"1.5GB", "300 MB", "2 KB"}, {1500000.0f, 300000.0f, 2.0f}, "kB", unit_form},
    {',', {"2 GiB", "512 MiB"}, {2048.0f, 512.0f}, "MiB", unit_form},
    {',', {"8%", "12.5 %"}, {8.0f, 12.5f}, "%", unit_form},
    {',', {"21,2 %", "3 %"}, {21.2f, 3.0f}, "%", unit_form},
    {';', {"21,2 %", "1,234 %"}, {21.2f, 1.234f}, "%", unit_form},
    {';', {"1.234,5 W", "1.234 W"}, {1234.5f, 1234.0f}, "W", unit_form},
    {',', {"100.500 W", "2.125 W"}, {100.5f, 2.125f}, "W", unit_form},
    {',', {"$5", "-$1,234.50", "$-2"}, {5.0f, -1234.5f, -2.0f}, "$", unit_form},
    {',', {"1234K", "5678K"}, {1234.0f, 5678.0f}, "K", unit_form},
    {',', {"3 \xC2\xB5s", "4 us", "1 ms"}, {3.0f, 4.0f, 1000.0f}, "us", unit_form},
    {',', {"7\xC2\xA0W", "8 W"}, {7.0f, 8.0f}, "W", unit_form},
    {',',
     {"00:20:48", "1-02:03:04", "20:47.123", "100:00:00"},
     {1248.0f, 93784.0f, 1247.123f, 360000.0f},
     "s",
     durations},
    {',', {"00:00:01", "12:30"}, {1.0f, 750.0f}, "s", durations},
    {',', {"0m8.090s", "1h2m3s", "-2m1s"}, {8.09f, 3723.0f, -121.0f}, "s", durations},
    {',', {"1:05.25", "59:00"}, {65.25f, 3540.0f}, "s", durations}, /* of GNU time */
    {',', {"1,234.5", "12", "0.5"}, {1234.5f, 12.0f, 0.5f}, "", points},
    {',', {"1,234", "0.5"}, {1234.0f, 0.5f}, "", points}, /* the point tells */
    {',', {"1,234,567", "2,345"}, {1234567.0f, 2345.0f}, "", points},
    {',', {"1,5", "0,123", ",25"}, {1.5f, 0.123f, 0.25f}, "", commas},
    {',', {"+1,234.5", "+0.5"}, {1234.5f, 0.5f}, "", points},
    {',', {"1,5", "1,234"}, {1.5f, 1.234f}, "", commas},
    {';', {"1.234,5", "1.234", "7,25", "12"}, {1234.5f, 1234.0f, 7.25f, 12.0f}, "", commas},
    {'\t', {"1.234.567,5", "2.000"}, {1234567.5f, 2000.0f}, "", commas},
    {';', {"1,234.5", "1,234"}, {1234.5f, 1234.0f}, "", points},
    {',',
     {"1'234.5",
      "1\xE2\x80\x99"
      "234",
      "3"},
     {1234.5f, 1234.0f, 3.0f},
     "",
     points},
    {',',
     {"1 234.5",
      "12\xC2\xA0"
      "345",
      "1\xE2\x80\xAF"
      "234"},
     {1234.5f, 12345.0f, 1234.0f},
     "",
     points},
    {',',
     {"\xE2\x88\x92"
      "1.5",
      "2"},
     {-1.5f, 2.0f},
     "",
     points},
    {',', {"1.5D+03", "-2.5d-01", "1.5"}, {1500.0f, -0.25f, 1.5f}, "", points},
    {',', {"0x1.8p+1", "-0x1p-2", "0x1.4000000000000p+2"}, {3.0f, -0.25f, 5.0f}, "", points},
    {',',
     {"0x1.Fp+0", "0xAp-1", "0XfP3", "0x1fffffffffffffp0"},
     {1.9375f, 5.0f, 120.0f, 9007199254740992.0f},
     "",
     points},
    {',', {"0x0p99999", "0x0p-3", "0x1p-0100"}, {0.0f, 0.0f, 7.88860905e-31f}, "", points},
    {',', {"0x1p3 W", "2 W"}, {8.0f, 2.0f}, "W", unit_form},
    {',',
     {"1\xE2\x80\x89"
      "234.5",
      "\xC2\xA0"
      "7.5",
      "8\xC2\xA0"},
     {1234.5f, 7.5f, 8.0f},
     "",
     points},
    {',',
     {"\xC2\xA0\xE2\x80\x89"
      "5 \xE2\x80\xAFW\xC2\xA0\xC2\xA0",
      "6 W"},
     {5.0f, 6.0f},
     "W",
     unit_form},
    {';', {"1,234 %", "5 %"}, {1.234f, 5.0f}, "%", unit_form}, /* the separator tells */
    {';', {"1.234 %", "5 %"}, {1.234f, 5.0f}, "%", unit_form},
};

static void forms_are_read(void) {
    for (size_t k = 0; k < sizeof read_as / sizeof *read_as; ++k) {
        const column *c = &read_as[k];
        size_t n = 0;
        while (n < 5 && c->cell[n]) ++n;
        CHECK_STATUS(read_column(c->cell, n, c->separator), SOOTH_OK);
        CHECK(csv.rows == n && !csv.column[0].is_text && csv.column[0].missing == 0);
        CHECK(strcmp(csv.column[0].unit, c->unit) == 0 && strcmp(csv.column[0].form, c->form) == 0);
        for (size_t i = 0; i < n && !csv.column[0].is_text; ++i) CHECK_NEAR(csv.cell[2 * i], c->number[i], 0);
        if (check_failures) printf("  at \"%s\"\n", c->cell[0]);
        sooth_csv_free(&env, &csv);
    }
}

/* Columns that stay text, the line that is told, and why. */
static const struct {
    char separator;
    const char *cell[5];
    size_t line;
    const char *why;
} not_read[] = {
    {',', {"1,234", "2,345"}, 2, "in thousands or has a decimal comma"},
    {',', {"1,234 W", "2,345 W"}, 2, "in thousands or has a decimal comma"},
    {',', {"12:30", "08:15"}, 2, "in hours or in minutes"},
    {',', {"100 W", "3 MHz"}, 2, "in a unit, but other cells are in none or in another"},
    {',', {"1K", "2M"}, 2, "in K, M, G or T, which some tools"},
    {',', {"5 W", "1,234.5"}, 2, "in a unit, but other cells are in none"},
    {',', {"1,234.5", "5 W"}, 2, "in a unit, but other cells are in none"},
    {',', {"100 W", "7"}, 3, "without a unit, but other cells have one"},
    {',', {"00:00:01", "7"}, 3, "a plain number, but other cells are durations"},
    {';', {"1.234,5", "1.5"}, 3, "with another decimal mark than other cells"},
    {';', {"1,234 %", "1.234 %"}, 2, "with a comma, but other cells have a point"},
    {',', {"2026-03-01", "2026/03/01 12:00:00.000", "1.3.2026"}, 2, "a date"},
    {',', {"2026-03-01T12:00:00Z", "2026-3-1t12:00:00.5"}, 2, "a date"},
    {',', {"1.5 W", "big", "2 W"}, 3, ""},
    {',', {"1", "2", "3.10.1"}, 4, ""},
    {',', {"00:61:00", "1"}, 2, ""},
    {',', {"1,23,456"}, 2, ""},
    {',', {"0x10"}, 2, ""},
    {',', {"12d34", "1"}, 2, ""}, /* a name as likely as a number */
    {',', {"3 apples", "4 apples"}, 2, ""},
    {',', {"1 2", "3"}, 2, ""},
    {',', {"1", "\xC2\xA0"}, 3, ""},
    {',', {"$5 W"}, 2, ""}, /* two units */
    {',', {"$5 apples"}, 2, ""},
};

/* Cells of which each, alone in its column, is neither a number nor a date. Hexadecimal digits end below
   2^53, for longer ones could be rounded. */
static const char *const no_form[] = {"0x1.8.p+1",
                                      "0x.p+1",
                                      "0x12345",
                                      "0x12zz",
                                      "0x1p-",
                                      "0x1p+x",
                                      "0x20000000000000p0",
                                      "0x1p1100",
                                      "0x1p99999",
                                      "0x1p-2000",
                                      "1:02:03:04",
                                      "1:02:03:04:05",
                                      "1.5:30",
                                      "2.5m3s",
                                      "1-24:00:00",
                                      "1-02:03",
                                      "2026-03-011",
                                      "2026-03-",
                                      "123/03/2026",
                                      ".3.2026",
                                      "2026-03-01x",
                                      "1234567890:00:00",
                                      "1:02.x",
                                      "1:30m",
                                      "1:02-03",
                                      "1:30:",
                                      "2026-03/01",
                                      "2026-003-01",
                                      "2026--01",
                                      "-2026-03-01",
                                      "Upgrade",
                                      "Unknowns",
                                      "unknowm",
                                      "INVALIDS"};

static void what_is_not_read_is_told(void) {
    sooth_csv_table_options choice = {.target = "v"};
    sooth_csv_data data;
    for (size_t k = 0; k < sizeof not_read / sizeof *not_read; ++k) {
        size_t n = 0;
        char line[80];
        while (n < 5 && not_read[k].cell[n]) ++n;
        CHECK_STATUS(read_column(not_read[k].cell, n, not_read[k].separator), SOOTH_OK);
        CHECK(csv.column[0].is_text && csv.column[0].odd_line == not_read[k].line);
        snprintf(line, sizeof line, "line %d, column 1 (v): \"", (int)not_read[k].line);
        CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA, line);
        CHECK(strstr(env.sentence, not_read[k].why) != NULL);
        if (check_failures) printf("  at \"%s\": %s\n", not_read[k].cell[0], env.sentence);
        sooth_csv_free(&env, &csv);
    }
    for (size_t k = 0; k < sizeof no_form / sizeof *no_form; ++k) {
        CHECK_STATUS(read_column(&no_form[k], 1, ','), SOOTH_OK);
        CHECK(csv.column[0].is_text && csv.column[0].missing == 0 && *csv.column[0].form == 0);
        CHECK(strcmp(csv.column[0].text[0], no_form[k]) == 0);
        if (check_failures) printf("  at \"%s\": %s\n", no_form[k], csv.column[0].form);
        sooth_csv_free(&env, &csv);
    }
    CHECK_STATUS(read_text("v,k\n1,1\nabc,2\n,3\n4,4\n"), SOOTH_OK);
    CHECK(csv.column[0].odd == 1);
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA,
                "line 3, column 1 (v): \"abc\" is not a number; 2 of 3 cells are numbers");
    sooth_csv_free(&env, &csv);
}

/* 30 cells of which one, wherever it is, is unlike the others: its line is named, and both kinds. */
static void the_odd_cell_is_named(void) {
    static const struct {
        const char *usual, *odd, *form;
        char separator;
    } pair[] = {{"2024-01-02", "17", "a plain number, but other cells are dates", ','},
                {"2024-01-02", "1.5 s", "in s, but other cells are dates", ','},
                {"2024-01-02", "1m2.5s", "a duration, but other cells are dates", ','},
                {"17", "2024-01-02", "a date, but other cells are plain numbers", ','},
                {"17", "00:12:30", "a duration, but other cells are plain numbers", ','},
                {"17", "3 W", "in W, but other cells are plain numbers", ','},
                {"00:12:30", "17", "a plain number, but other cells are durations", ','},
                {"00:12:30", "17 W", "in W, but other cells are durations", ','},
                {"3 W", "17 s", "in s, but other cells are in W, which cannot be converted", ','},
                {"3 W", "17", "a plain number, but other cells are in W", ','},
                {"2.5", "2,55",
                 "written with a decimal comma, but other cells are written with a decimal point", '\t'},
                {"2,55", "2.5",
                 "written with a decimal point, but other cells are written with a decimal comma", '\t'},
                {"17", "abc", "", ','},
                {"2024-01-02", "abc", "", ','},
                {"1,5", "1.234,5 W", "in W, but other cells are plain numbers", ';'}};
    const sooth_csv_table_options choice = {.target = "v"};
    sooth_csv_data data;
    for (size_t k = 0; k < sizeof pair / sizeof *pair; ++k)
        for (size_t at = 0; at < 30; at += k % 2 ? 29 : 7) {
            const char *cell[30];
            char line[120];
            for (size_t i = 0; i < 30; ++i) cell[i] = i == at ? pair[k].odd : pair[k].usual;
            CHECK_STATUS(read_column(cell, 30, pair[k].separator), SOOTH_OK);
            CHECK(csv.column[0].is_text && csv.column[0].odd_line == at + 2);
            const char *form = csv.column[0].form; /* two are older and shorter */
            CHECK(strcmp(form, pair[k].form) == 0 ||
                  strcmp(form, "without a unit, but other cells have one") == 0 ||
                  strcmp(form, "with another decimal mark than other cells") == 0);
            snprintf(line, sizeof line, "line %zu, column 1 (v): \"%s\" is ", at + 2, pair[k].odd);
            CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA, line);
            CHECK(!(strstr(env.sentence, "not a number") && strstr(env.sentence, "a plain number")));
            if (check_failures)
                printf("  at \"%s\" and \"%s\": %s\n", pair[k].usual, pair[k].odd, env.sentence);
            sooth_csv_free(&env, &csv);
        }
}

/* Slurm's MaxRSS: K, M, G are 1000 or 1024, so they are not one unit; with B they are. */
static void letters_are_no_sizes(void) {
    static const char *const cells[] = {"4K\n0\n4.5M\n1.2G", "1.2G\n4K", "0\n1T\n4.5M"};
    for (size_t i = 0; i < 3; ++i) {
        char text[64];
        sprintf(text, "rss\n%s\n", cells[i]);
        CHECK_STATUS(read_text(text), SOOTH_OK);
        CHECK(csv.column[0].is_text && strstr(csv.column[0].form, "K, M, G or T") &&
              strstr(csv.column[0].form, "write KB or KiB"));
        sooth_csv_free(&env, &csv);
    }
    CHECK_STATUS(read_text("a,b,c\n4K,4KiB,4K\n0,0,3 W\n5K,4.5MiB,4M\n"), SOOTH_OK);
    CHECK(!csv.column[0].is_text && csv.cell[6] == 5.0f && strcmp(csv.column[0].unit, "K") == 0);
    CHECK(!csv.column[1].is_text && csv.cell[7] == 4608.0f && strcmp(csv.column[1].unit, "KiB") == 0);
    CHECK(csv.column[2].is_text && strstr(csv.column[2].form, "cannot be converted"));
    sooth_csv_free(&env, &csv);
}

/* A form fails late: what was read by it becomes text again, and other columns keep their numbers. */
static void a_late_cell_makes_text(void) {
    CHECK_STATUS(read_text("a,b,c\n1 W,x,1 s\n0,y,2 s\n3 W,None,3 ms\n4,x,?\n"), SOOTH_OK);
    CHECK(csv.column[0].is_text && csv.column[0].texts == 4 && csv.column[0].odd_line == 5);
    CHECK(strcmp(csv.column[0].text[(size_t)csv.cell[6]], "3 W") == 0);
    CHECK(csv.column[1].is_text && csv.column[1].texts == 3);
    CHECK(strcmp(csv.column[1].text[(size_t)csv.cell[7]], "None") == 0);
    CHECK(!csv.column[2].is_text && csv.cell[2] == 1000.0f && csv.cell[8] == 3.0f && isnan(csv.cell[11]));
    CHECK(csv.column[2].missing == 1 && csv.column[2].marked == 1 && csv.column[2].marked_line == 5);
    sooth_csv_free(&env, &csv);
}

/* The words of pandas (STR_NA_VALUES of 2.2), nvidia-smi, perf stat, Slurm, Windows' C, Excel and SAS. */
static void words_for_missing(void) {
    static const char *const words[] = {"#N/A",
                                        "#N/A N/A",
                                        "#NA",
                                        "-1.#IND",
                                        "-1.#QNAN",
                                        "-NaN",
                                        "-nan",
                                        "1.#IND",
                                        "1.#QNAN",
                                        "<NA>",
                                        "N/A",
                                        "NA",
                                        "NULL",
                                        "NaN",
                                        "None",
                                        "n/a",
                                        "nan",
                                        "null",
                                        "[N/A]",
                                        "[Not Supported]",
                                        "[Unknown Error]",
                                        "<not counted>",
                                        "<not supported>",
                                        "-nan(ind)",
                                        "(null)",
                                        "Unknown",
                                        "INVALID",
                                        "?",
                                        "--",
                                        ".",
                                        "#DIV/0!",
                                        "[GPU is lost]",
                                        "NaT",
                                        "[Insufficient Permissions]"};
    const size_t count = sizeof words / sizeof *words;
    static char text[2000];
    size_t n = (size_t)sprintf(text, "v,k\n");
    for (size_t i = 0; i < count; ++i) n += (size_t)sprintf(text + n, "%s,1\n", words[i]);
    sprintf(text + n, "7,1\n");
    CHECK_STATUS(read_text(text), SOOTH_OK);
    CHECK(csv.rows == count + 1 && !csv.column[0].is_text && csv.column[0].missing == count);
    CHECK(csv.column[0].marked == 23 && csv.column[0].marked_line == 3 &&
          strcmp(csv.column[0].mark, "#N/A N/A") == 0);
    CHECK(csv.cell[2 * count] == 7.0f);
    sooth_csv_free(&env, &csv);
    /* in a text column these words are texts; those of before are missing, as ever */
    CHECK_STATUS(read_text("v,k\nNone,1\n?,1\nx,1\n-,1\nUnknown,1\nNA,1\n"), SOOTH_OK);
    CHECK(csv.column[0].is_text && csv.column[0].texts == 4 && csv.column[0].missing == 2);
    CHECK(csv.column[0].marked == 0 && strcmp(csv.column[0].text[0], "None") == 0);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("v,k,e\n,1,\n NA ,2,\"\"\nx,3,\nnull,4,\nx,nan,1\n#DIV/0!,5,1\nNULL,6,1\n-,7,1\n"),
                 SOOTH_OK);
    CHECK(csv.column[0].worded == 5 && csv.column[0].worded_line == 3 && csv.column[0].missing == 6 &&
          strcmp(csv.column[0].word, "NA") == 0);
    CHECK(csv.column[1].worded == 1 && csv.column[1].worded_line == 6 &&
          strcmp(csv.column[1].word, "nan") == 0);
    CHECK(csv.column[2].worded == 0 && csv.column[2].worded_line == 0 && csv.column[2].missing == 4);
    sooth_csv_free(&env, &csv);
    /* not a word: a value, a near miss */
    CHECK_STATUS(read_text("v,w\nUNLIMITED,[N/A\n1,1\n"), SOOTH_OK);
    CHECK(csv.column[0].is_text && csv.column[1].is_text);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("v,w\n?,1\nNone,2\n"), SOOTH_OK); /* of words alone: no number, no text */
    CHECK(csv.rows == 2 && !csv.column[0].is_text && csv.column[0].missing == 2);
    sooth_csv_free(&env, &csv);
}

static void a_header_with_another_unit(void) {
    CHECK_STATUS(
        read_text("p [mW],e (hh:mm:ss),t [min],q [s]\n1 W,00:01:00,00:01:30,5 MB\n2 W,00:00:01,0,6 MB\n"),
        SOOTH_OK);
    CHECK(csv.cell[0] == 1000.0f && strcmp(csv.column[0].unit, "mW") == 0);
    CHECK(csv.cell[1] == 60.0f && strcmp(csv.column[1].unit, "s") == 0);
    CHECK(csv.cell[2] == 1.5f && strcmp(csv.column[2].unit, "min") == 0);
    CHECK(csv.column[3].is_text && strstr(csv.column[3].form, "in another unit than the header"));
    sooth_csv_free(&env, &csv);
}

static void units_are_converted(void) {
    CHECK_NEAR(sooth_csv_unit_factor("GHz", "MHz"), 1000, 0);
    CHECK_NEAR(sooth_csv_unit_factor("ms", "s"), 0.001, 1e-18);
    CHECK_NEAR(sooth_csv_unit_factor("KiB", "B"), 1024, 0);
    CHECK_NEAR(sooth_csv_unit_factor("apples", "apples"), 1, 0);
    CHECK_NEAR(sooth_csv_unit_factor("apples", "s"), 0, 0);
    CHECK_NEAR(sooth_csv_unit_factor("W", "s"), 0, 0);
    CHECK_NEAR(sooth_csv_unit_factor("K", "M"), 0, 0);
}

static void first_lines(void) {
    CHECK_STATUS(read_text("sep=;\r\na;b\r\n1,5;2\r\n"), SOOTH_OK); /* Excel */
    CHECK(csv.separator == ';' && csv.cols == 2 && csv.cell[0] == 1.5f && csv.header_line == 2);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("\"sep=|\"\na,x|b\n1|2\n"), SOOTH_OK);
    CHECK(csv.separator == '|' && csv.cols == 2 && csv.line[0] == 3);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("JobID|Elapsed|\n1|00:00:01|\n"), SOOTH_OK); /* sacct -p */
    CHECK(csv.separator == '|' && csv.cols == 3 && csv.cell[1] == 1.0f);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("# started on Sun\n\n# a, b, c\nt,p\n1,2\n#done\n# x,y\n3,4\n"), SOOTH_OK);
    CHECK(csv.rows == 2 && csv.cols == 2 && csv.header_line == 4 && csv.line[1] == 8);
    CHECK(csv.comments == 4 && csv.first_comment == 1);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("# note\n#threads,time\n1,2\n#,\"5\n\"\n"), SOOTH_OK); /* a header; a row with # */
    CHECK(csv.rows == 2 && strcmp(csv.column[0].name, "#threads") == 0 && csv.comments == 1);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("# threads,time\n1,2\n"), SOOTH_OK); /* of gnuplot: above numbers */
    CHECK(csv.rows == 1 && strcmp(csv.column[0].name, "# threads") == 0 && csv.comments == 0);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("# threads,time\n,2\n"), SOOTH_OK); /* the first cell is empty */
    CHECK(csv.rows == 1 && strcmp(csv.column[0].name, "# threads") == 0);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("# threads,time\nthreads,time\n1,2\n"), SOOTH_OK);
    CHECK(csv.rows == 1 && strcmp(csv.column[0].name, "threads") == 0 && csv.comments == 1);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("id,v\n#12,3\n#13,4\n"), SOOTH_OK); /* names with # are no comments */
    CHECK(csv.rows == 2 && csv.column[0].texts == 2 && csv.comments == 0);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("a,b\n1,2\n# say \"x, and \"\"y\n3,\"4\"\n"), SOOTH_OK); /* quotes in a comment */
    CHECK(csv.rows == 2 && csv.cell[3] == 4.0f && csv.comments == 1);
    sooth_csv_free(&env, &csv);
}

static void units_below_the_header(void) {
    CHECK_STATUS(read_text("time,power,x [m],note\ns,[W],W,\n1,2,3,a\n4,5,6,b\n"), SOOTH_OK);
    CHECK(csv.rows == 2 && csv.unit_line == 2 && csv.line[0] == 3 && csv.cell[0] == 1.0f);
    CHECK(strcmp(csv.column[0].unit, "s") == 0 && strcmp(csv.column[1].unit, "W") == 0);
    CHECK(strcmp(csv.column[2].unit, "m") == 0 && *csv.column[3].unit == 0);
    sooth_csv_free(&env, &csv);
    /* rows of texts that look like units are rows: no numbers below, or another text between */
    CHECK_STATUS(read_text("class,grade\nA,B\nC,D\n"), SOOTH_OK);
    CHECK(csv.rows == 2 && csv.unit_line == 0);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("class,v\nA,\nB,5\n"), SOOTH_OK);
    CHECK(csv.rows == 2 && csv.unit_line == 0);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("t,p\ns,watts\n1,2\n"), SOOTH_OK);
    CHECK(csv.rows == 2 && csv.unit_line == 0 && csv.column[0].odd_line == 2);
    sooth_csv_free(&env, &csv);
}

static void ctrl_z_ends_a_file(void) {
    static const char *const same[] = {"a,b\n1,2\n\x1A", "a,b\n1,2\x1A", "a,b\r\n1,2\r\n\x1A\x1A\r\n"};
    for (size_t k = 0; k < 3; ++k) {
        CHECK_STATUS(read_text(same[k]), SOOTH_OK);
        CHECK(csv.rows == 1 && !csv.column[1].is_text && csv.cell[1] == 2.0f);
        sooth_csv_free(&env, &csv);
    }
    CHECK_FAILS(&env, read_text("\x1A"), SOOTH_BAD_TEXT, "the file is empty");
    CHECK_STATUS(read_text("a,b\n\x1A,2\n3,4\n"), SOOTH_OK); /* elsewhere it is a sign like others */
    CHECK(csv.rows == 2 && csv.column[0].is_text);
    sooth_csv_free(&env, &csv);
}

/* ---- files in stripes ---- */

typedef struct bytes {
    const char *text;
    size_t size, at;
} bytes;

static sooth_status next_bytes(void *user, sooth_env *e, void *to, size_t size, size_t *got) {
    bytes *b = (bytes *)user;
    (void)e;
    *got = b->size - b->at < size ? b->size - b->at : size;
    if (*got > 3) *got = 3;
    memcpy(to, b->text + b->at, *got);
    b->at += *got;
    return SOOTH_OK;
}

static sooth_status first_bytes(void *user, sooth_env *e) {
    (void)e;
    ((bytes *)user)->at = 0;
    return SOOTH_OK;
}

static sooth_status open_text(const char *text, const sooth_csv_table_options *choice,
                              sooth_csv_source *source) {
    static bytes b;
    b.text = text;
    b.size = strlen(text);
    const sooth_csv_file file = {&b, next_bytes, first_bytes, 0};
    return sooth_csv_source_open(&env, &file, NULL, choice, source);
}

static void stripes_read_or_refuse(void) {
    static const char text[] = "sep=;\n# c\na;y\ns;W\n1;2,5\n# d\n?;3\n\x1A";
    static const char *const drop[] = {"p"};
    sooth_csv_table_options choice = {.target = "y"};
    sooth_csv_source source;
    sooth_table block;
    CHECK_STATUS(open_text(text, &choice, &source), SOOTH_OK);
    CHECK(source.rows == 2 && source.csv.cols == 2 && strcmp(source.units[0], "s") == 0);
    CHECK_STATUS(source.source.next_fn(source.source.user, &env, &block), SOOTH_OK);
    CHECK(block.rows == 2 && block.x[0] == 1.0f && isnan(block.x[1]) && block.y[0] == 2.5f);
    sooth_csv_source_free(&env, &source);
    CHECK_FAILS(&env, open_text("p,q,y\n1 W,2,3\n2 W,3,4\n", &choice, &source), SOOTH_BAD_DATA,
                "line 2, column 1 (p) is not a number; only files in memory are read with units, "
                "durations or thousands");
    choice.drop = drop;
    choice.drop_count = 1;
    CHECK_STATUS(open_text("p,q,y\n1 W,2,3\n2 W,3,4\n", &choice, &source), SOOTH_OK);
    CHECK(source.source.cols == 1);
    sooth_csv_source_free(&env, &source);
}

static sooth_status read_and_free(void) {
    const sooth_status status = read_text("# c\nt,p,q\ns,W,\n1 s,\"1,234\",1\n2 ms,0.5,None\n3 s,?,x\n");
    if (status == SOOTH_OK) sooth_csv_free(&env, &csv);
    return status;
}

static void every_allocation_may_fail(void) {
    CHECK_EVERY_ALLOCATION(&env, read_and_free(), (void)0);
    sooth_env_init(&env);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(forms_are_read);
    CHECK_RUN(what_is_not_read_is_told);
    CHECK_RUN(the_odd_cell_is_named);
    CHECK_RUN(a_late_cell_makes_text);
    CHECK_RUN(words_for_missing);
    CHECK_RUN(a_header_with_another_unit);
    CHECK_RUN(units_are_converted);
    CHECK_RUN(first_lines);
    CHECK_RUN(units_below_the_header);
    CHECK_RUN(ctrl_z_ends_a_file);
    CHECK_RUN(letters_are_no_sizes);
    CHECK_RUN(stripes_read_or_refuse);
    CHECK_RUN(every_allocation_may_fail);
    return check_end("forms");
}
