/* test_csv.c - CSV as people really have it.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/csv.h"
#include "check.h"

static sooth_env env;

static sooth_status read_text(const char *text, sooth_csv *csv) { return sooth_csv_read(&env, text, strlen(text), 0, csv); }

/* Cells of RFC 4180 and what spreadsheets make of it. */
static void quotes_and_line_ends(void) {
    static const char *const same[] = {"a,b,c\n1,\"x, \"\"y\"\"\",3\n4,z,6\n", "a,b,c\r\n1,\"x, \"\"y\"\"\",3\r\n4,z,6",
                                       "a,b,c\r1,\"x, \"\"y\"\"\",3\r4,z,6\r", "\xEF\xBB\xBF" "a , b,\"c\"\n\n 1 , \"x, \"\"y\"\"\" ,3,\n\n4,z,6,,\n\n",
                                       "a;b;c\n1;\"x, \"\"y\"\"\";3\n4;z;6\n", "a\tb\tc\n1\t\"x, \"\"y\"\"\"\t3\n4\tz\t6\n"};
    size_t k;
    for (k = 0; k < sizeof same / sizeof same[0]; ++k) {
        sooth_csv csv;
        CHECK_STATUS(read_text(same[k], &csv), SOOTH_OK);
        CHECK(csv.rows == 2 && csv.cols == 3);
        if (csv.rows != 2 || csv.cols != 3) continue;
        CHECK(!csv.column[0].is_text && csv.column[1].is_text && !csv.column[2].is_text);
        CHECK(csv.cell[0] == 1.0f && csv.cell[2] == 3.0f && csv.cell[3] == 4.0f && csv.cell[5] == 6.0f);
        CHECK(csv.column[1].texts == 2 && strcmp(csv.column[1].text[0], "x, \"y\"") == 0 && strcmp(csv.column[1].text[1], "z") == 0);
        CHECK(strcmp(csv.column[0].name, "a") == 0 && strcmp(csv.column[2].header, "c") == 0);
        sooth_csv_free(&env, &csv);
    }
}

static void line_breaks_in_quotes_count_as_lines(void) {
    sooth_csv csv;
    CHECK_STATUS(read_text("n,note\n1,\"two\nlines\"\n3,x\n", &csv), SOOTH_OK);
    CHECK(csv.rows == 2 && csv.line[0] == 2 && csv.line[1] == 4);
    CHECK(strcmp(csv.column[1].text[0], "two\nlines") == 0);
    sooth_csv_free(&env, &csv);
}

static void numbers_in_every_form(void) {
    sooth_csv csv;
    CHECK_STATUS(read_text("v\n1e-3\n+2\n-.5\n1.\n3.4028235e38\n1e-46\n", &csv), SOOTH_OK);
    CHECK(csv.cell[0] == 1e-3f && csv.cell[1] == 2.0f && csv.cell[2] == -0.5f && csv.cell[3] == 1.0f && csv.cell[5] == 0.0f);
    CHECK(isinf(csv.cell[4]) == 0);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("v;w\n1,5;-2,25e1\n", &csv), SOOTH_OK); /* decimal commas */
    CHECK(csv.cell[0] == 1.5f && csv.cell[1] == -22.5f);
    sooth_csv_free(&env, &csv);
}

static void missing_values(void) {
    sooth_csv csv;
    size_t i;
    CHECK_STATUS(read_text("k,v\n1,\n2,NA\n3,n/a\n4,#DIV/0!\n5,#VALUE!\n6,NaN\n7,null\n8,-\n9,#REF!\n10,#NAME?\n11,#N/A\n12,7\n13\n,\n", &csv),
                 SOOTH_OK);
    CHECK(csv.rows == 13 && csv.column[1].missing == 12 && csv.column[0].missing == 0 && !csv.column[1].is_text);
    for (i = 0; i < 11; ++i) CHECK(isnan(csv.cell[2 * i + 1]));
    CHECK(csv.cell[23] == 7.0f && csv.short_rows == 1 && csv.first_short == 14 && csv.blank_rows == 1);
    sooth_csv_free(&env, &csv);
}

static void names(void) {
    sooth_csv csv;
    CHECK_STATUS(read_text("Power [W],Power [W],time (s),,x.2,x,x,(ns),f(x) y\n1,2,3,4,5,6,7,8,9\n", &csv), SOOTH_OK);
    CHECK(csv.repeated == 2);
    CHECK(strcmp(csv.column[0].name, "Power") == 0 && strcmp(csv.column[0].unit, "W") == 0);
    CHECK(strcmp(csv.column[1].header, "Power [W].2") == 0);
    CHECK(strcmp(csv.column[2].name, "time") == 0 && strcmp(csv.column[2].unit, "s") == 0);
    CHECK(strcmp(csv.column[3].name, "column 4") == 0);
    CHECK(strcmp(csv.column[6].header, "x.3") == 0); /* x.2 is taken */
    CHECK(strcmp(csv.column[7].name, "(ns)") == 0 && strcmp(csv.column[8].name, "f(x) y") == 0);
    CHECK(sooth_csv_find(&csv, "Power") == 0 && sooth_csv_find(&csv, "time (s)") == 2 && sooth_csv_find(&csv, "none") == 9);
    sooth_csv_free(&env, &csv);
}

static void bad_files(void) {
    sooth_csv csv;
    CHECK_FAILS(&env, read_text("", &csv), SOOTH_BAD_TEXT, "the file is empty");
    CHECK_FAILS(&env, read_text("\n\r\n", &csv), SOOTH_BAD_TEXT, "the file is empty");
    CHECK_FAILS(&env, read_text("a,b\n", &csv), SOOTH_BAD_TEXT, "a header of 2 columns but no rows");
    CHECK_FAILS(&env, read_text("a,b\n,\n\n", &csv), SOOTH_BAD_TEXT, "no rows");
    CHECK_FAILS(&env, read_text("a,b\n1,2\n3,4,5\n", &csv), SOOTH_BAD_TEXT, "line 3 has a cell in column 3, but the header has 2 columns");
    CHECK_FAILS(&env, read_text("a,b\n1,\"2\n3,4\n", &csv), SOOTH_BAD_TEXT, "line 2: a quote is opened and never closed");
    CHECK_FAILS(&env, sooth_csv_read(&env, "a\n1\0\n", 5, 0, &csv), SOOTH_BAD_TEXT, "byte 4 is zero");
}

static void tables(void) {
    static const char text[] = "Benchmark,kind,threads,GHz [GHz],Power [W],w\nbfs,a,1,1.2,20,1\nbfs,b,2,1.2,,1\nnn,a,4,,30,2\nbfs,a,8,2.4,40,\n";
    static const char *const drop[] = {"w", "kind"}, *const wrong[] = {"threads", "kind"}, *const two[] = {"GHz", "threads"};
    sooth_csv csv;
    sooth_csv_data data;
    sooth_csv_choice choice;
    CHECK_STATUS(read_text(text, &csv), SOOTH_OK);
    memset(&choice, 0, sizeof choice);
    choice.target = "Power";
    choice.group = "Benchmark";
    choice.drop = drop;
    choice.drop_count = 1;
    CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data), SOOTH_OK);
    CHECK(data.table.rows == 3 && data.table.cols == 2 && data.table.targets == 1 && data.dropped_target == 1 && data.ignored_text == 1);
    CHECK(strcmp(data.table.names[0], "threads") == 0 && strcmp(data.units[1], "GHz") == 0 && strcmp(data.units[0], "") == 0);
    CHECK(data.table.x[0] == 1.0f && data.table.x[1] == 1.2f && isnan(data.table.x[3]) && data.table.x[5] == 2.4f);
    CHECK(data.table.y[0] == 20.0f && data.table.y[1] == 30.0f && data.table.y[2] == 40.0f);
    CHECK(data.groups == 2 && data.table.group[0] == 0 && data.table.group[1] == 1 && data.table.group[2] == 0);
    CHECK(strcmp(data.group_name[1], "nn") == 0 && data.row[1] == 2 && data.column[1] == 3);
    sooth_csv_data_free(&env, &data);
    choice.drop_count = 2; /* dropping a column of text is not ignoring it */
    choice.weight = "w";
    choice.group = "threads"; /* numbers may be groups too */
    CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data), SOOTH_OK);
    CHECK(data.table.rows == 2 && data.dropped_group == 1 && data.table.weight[1] == 2.0f && data.groups == 2 && data.table.cols == 1);
    CHECK(strcmp(data.group_name[1], "4") == 0 && data.ignored_text == 1);
    sooth_csv_data_free(&env, &data);
    memset(&choice, 0, sizeof choice);
    choice.features = two;
    choice.feature_count = 2;
    CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data), SOOTH_OK);
    CHECK(data.table.rows == 4 && data.table.y == NULL && data.table.targets == 0);
    sooth_csv_data_free(&env, &data);
    choice.features = wrong;
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA, "line 2, column 2 (kind): \"a\" is not a number");
    choice.features = two;
    choice.target = "power";
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA, "there is no column power for the target; there are Benchmark, kind");
    choice.target = "threads";
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA, "threads is the target and cannot be a feature");
    sooth_csv_free(&env, &csv);
}

static sooth_status read_and_build(const char *text) {
    sooth_csv csv;
    sooth_csv_data data;
    sooth_csv_choice choice;
    sooth_status status = read_text(text, &csv);
    if (status != SOOTH_OK) return status;
    memset(&choice, 0, sizeof choice);
    choice.target = "y";
    choice.group = "g";
    status = sooth_csv_table(&env, &csv, &choice, &data);
    if (status == SOOTH_OK) sooth_csv_data_free(&env, &data);
    sooth_csv_free(&env, &csv);
    return status;
}

static void every_allocation_may_fail(void) {
    CHECK_EVERY_ALLOCATION(&env, read_and_build("x,x,g,y [W]\n1,2,a,3\n4,5,\"b\"\"\",6\n"), (void)0);
    CHECK_EVERY_ALLOCATION(&env, read_and_build("x,g,y\n1,2,3\n4,5,6\n"), (void)0);
    sooth_env_init(&env);
}

static void every_truncation_is_survived(void) {
    static const char text[] = "\xEF\xBB\xBF" "x [s],\"g,\"\"\",y,y\r\n1,\"a\r\n\"\"b\",3,4\r\n5,#DIV/0!,,\r\n";
    size_t n;
    for (n = 0; n < sizeof text; ++n) {
        char *copy = (char *)malloc(n + 1); /* its own memory, so that reading past the end is seen */
        sooth_csv csv;
        memcpy(copy, text, n);
        if (sooth_csv_read(&env, copy, n, 0, &csv) == SOOTH_OK) sooth_csv_free(&env, &csv);
        free(copy);
    }
    CHECK(n == sizeof text);
}

static void a_million_columns(void) {
    size_t cols = 1000000, i, n = 0;
    char *text = (char *)malloc(cols * 12);
    sooth_csv csv;
    for (i = 0; i < cols; ++i) n += (size_t)sprintf(text + n, "%sc%u", i ? "," : "", (unsigned)(i / 2));
    text[n++] = '\n';
    for (i = 0; i < cols; ++i) n += (size_t)sprintf(text + n, "%s%u", i ? "," : "", (unsigned)(i % 10));
    CHECK_STATUS(sooth_csv_read(&env, text, n, 0, &csv), SOOTH_OK);
    CHECK(csv.cols == cols && csv.rows == 1 && csv.repeated == cols / 2 && csv.cell[cols - 1] == 9.0f);
    sooth_csv_free(&env, &csv);
    free(text);
}

static int stop_now(void *user, const char *stage, double done) {
    (void)user;
    (void)stage;
    return done >= 0.5;
}

static void reading_can_be_cancelled(void) {
    sooth_csv csv;
    env.progress_fn = stop_now;
    CHECK_STATUS(read_text("a\n1\n2\n", &csv), SOOTH_CANCELLED);
    env.progress_fn = NULL;
}

static void repeated_rows(void) {
    static const float x[] = {1, 2, 3, 4, 1, 2, 5, 6, 3, 4, 1, 2};
    uint32_t first[6];
    size_t count, i;
    static const uint32_t expected[] = {0, 1, 0, 3, 1, 0};
    sooth_table table;
    sooth_table_init(&table, x, 6, 2);
    CHECK_STATUS(sooth_csv_duplicates(&env, &table, first, &count), SOOTH_OK);
    CHECK(count == 3);
    for (i = 0; i < 6; ++i) CHECK(first[i] == expected[i]);
}

typedef struct kept {
    char text[200];
    size_t n;
} kept;

static int keep(void *user, const char *text, size_t size) {
    kept *k = (kept *)user;
    memcpy(k->text + k->n, text, size);
    k->n += size;
    k->text[k->n] = 0;
    return 0;
}

static void what_is_written_reads_back(void) {
    static const char *const texts[] = {"plain", "a,b", "say \"hi\"", "two\nlines", " blank ", ""};
    sooth_sink sink;
    kept k;
    size_t i;
    sooth_csv csv;
    memset(&k, 0, sizeof k);
    sink.user = &k;
    sink.write_fn = keep;
    sink.failed = 0;
    sooth_text_put(&sink, "t,v\n");
    for (i = 0; i < 6; ++i) {
        sooth_csv_put_text(&sink, texts[i], ',');
        sooth_text_write(&sink, ",", 1);
        sooth_csv_put_number(&sink, 0.1f * (float)i);
        sooth_text_write(&sink, "\n", 1);
    }
    CHECK(strstr(k.text, "\"say \"\"hi\"\"\",0.2\n") != NULL);
    CHECK_STATUS(sooth_csv_read(&env, k.text, k.n, 0, &csv), SOOTH_OK);
    CHECK(csv.rows == 6 && csv.column[0].texts == 5);
    for (i = 0; i < 4; ++i) CHECK(strcmp(csv.column[0].text[i], texts[i]) == 0 && csv.cell[2 * i + 1] == 0.1f * (float)i);
    sooth_csv_free(&env, &csv);
}

/* The file of paper 002 as it was published: facts counted by its readers. */
static void the_published_dirty_file(void) {
    FILE *file = fopen("../shared/data/power/k20_larger_raw.csv", "rb");
    char *text;
    size_t size, j, rows = 0, missing = 0;
    sooth_csv csv;
    sooth_csv_data data;
    sooth_csv_choice choice;
    if (!file) CHECK_SKIP("the published power data are not here");
    text = (char *)malloc(4000000);
    size = fread(text, 1, 4000000, file);
    fclose(file);
    CHECK_STATUS(sooth_csv_read(&env, text, size, 0, &csv), SOOTH_OK);
    CHECK(csv.rows + csv.blank_rows == 1993);
    memset(&choice, 0, sizeof choice);
    for (j = 0; j < csv.cols; ++j) {
        if (strstr(csv.column[j].name, "ower")) choice.target = csv.column[j].name;
        missing += csv.column[j].missing;
    }
    CHECK(choice.target != NULL && missing > 0);
    if (choice.target) {
        CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data), SOOTH_OK);
        rows = data.table.rows;
        CHECK(rows == 1807 && rows + data.dropped_target == csv.rows);
        sooth_csv_data_free(&env, &data);
    }
    sooth_csv_free(&env, &csv);
    free(text);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(quotes_and_line_ends);
    CHECK_RUN(line_breaks_in_quotes_count_as_lines);
    CHECK_RUN(numbers_in_every_form);
    CHECK_RUN(missing_values);
    CHECK_RUN(names);
    CHECK_RUN(bad_files);
    CHECK_RUN(tables);
    CHECK_RUN(every_allocation_may_fail);
    CHECK_RUN(every_truncation_is_survived);
    CHECK_RUN(a_million_columns);
    CHECK_RUN(reading_can_be_cancelled);
    CHECK_RUN(repeated_rows);
    CHECK_RUN(what_is_written_reads_back);
    CHECK_RUN(the_published_dirty_file);
    return check_end("csv");
}
