/* test_csv.c - CSV as people really have it.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/csv.h"
#include "check.h"
#include "golden/dialects.h"

static sooth_env env;

static sooth_status read_text(const char *text, sooth_csv *csv) {
    return sooth_csv_read(&env, text, strlen(text), NULL, csv);
}

/* Cells of RFC 4180 and what spreadsheets make of it. */
static void quotes_and_line_ends(void) {
    static const char *const same[] = {"a,b,c\n1,\"x, \"\"y\"\"\",3\n4,z,6\n",
                                       "a,b,c\r\n1,\"x, \"\"y\"\"\",3\r\n4,z,6",
                                       "a,b,c\r1,\"x, \"\"y\"\"\",3\r4,z,6\r",
                                       "\xEF\xBB\xBF"
                                       "a , b,\"c\"\n\n 1 , \"x, \"\"y\"\"\" ,3,\n\n4,z,6,,\n\n",
                                       "a;b;c\n1;\"x, \"\"y\"\"\";3\n4;z;6\n",
                                       "a\tb\tc\n1\t\"x, \"\"y\"\"\"\t3\n4\tz\t6\n"};
    size_t k;
    for (k = 0; k < sizeof same / sizeof same[0]; ++k) {
        sooth_csv csv;
        CHECK_STATUS(read_text(same[k], &csv), SOOTH_OK);
        CHECK(csv.rows == 2 && csv.cols == 3);
        if (csv.rows != 2 || csv.cols != 3) continue;
        CHECK(!csv.column[0].is_text && csv.column[1].is_text && !csv.column[2].is_text);
        CHECK(csv.cell[0] == 1.0f && csv.cell[2] == 3.0f && csv.cell[3] == 4.0f && csv.cell[5] == 6.0f);
        CHECK(csv.column[1].texts == 2 && strcmp(csv.column[1].text[0], "x, \"y\"") == 0 &&
              strcmp(csv.column[1].text[1], "z") == 0);
        CHECK(strcmp(csv.column[0].name, "a") == 0 && strcmp(csv.column[2].header, "c") == 0);
        sooth_csv_free(&env, &csv);
    }
}

static int means_missing(const char *text, int is_text) {
    static const char *const words[] = {"",  "NA",      "n/a",     "#N/A",  "NaN",    "null", "NULL",
                                        "-", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!"};
    size_t k;
    text += strspn(text, " ");
    if (strcmp(text, "--") == 0) return !is_text;
    for (k = 0; k < sizeof words / sizeof words[0] && strcmp(words[k], text) != 0;) ++k;
    return k < sizeof words / sizeof words[0];
}

/* Every cell as Python's csv module reads it; the two agree on rows, lines and cells. */
static void as_python_reads_them(void) {
    size_t k, i, j, bad = 0;
    for (k = 0; k < sizeof golden_csv / sizeof golden_csv[0]; ++k) {
        const char *const *cell = golden_csv_cell + golden_csv[k].cell;
        const unsigned *line = golden_csv_line + golden_csv[k].line;
        const sooth_csv_options options = {.separator = golden_csv[k].separator};
        size_t cols = golden_csv[k].cols;
        sooth_csv csv;
        CHECK_STATUS(sooth_csv_read(&env, golden_csv[k].text, strlen(golden_csv[k].text), &options, &csv),
                     SOOTH_OK);
        CHECK(csv.rows == golden_csv[k].rows && csv.cols == cols && csv.blank_rows == golden_csv[k].blank);
        if (csv.rows != golden_csv[k].rows || csv.cols != cols) continue;
        for (j = 0; j < cols; ++j) bad += strcmp(csv.column[j].header, cell[j]) != 0;
        for (i = 0; i < csv.rows; ++i) {
            bad += csv.line[i] != line[i];
            for (j = 0; j < cols; ++j) {
                const sooth_csv_column *c = &csv.column[j];
                const char *text = cell[(i + 1) * cols + j];
                float got = csv.cell[i * cols + j];
                bad += (isnan(got) != 0) != means_missing(text, c->is_text != 0);
                if (isnan(got)) continue;
                if (c->is_text) bad += got >= (float)c->texts || strcmp(c->text[(size_t)got], text) != 0;
                else bad += got < strtof(text, NULL) || got > strtof(text, NULL);
            }
        }
        sooth_csv_free(&env, &csv);
    }
    CHECK(bad == 0 && k == 48);
}

static void blanks_inside_quotes_are_kept(void) {
    sooth_csv csv;
    CHECK_STATUS(read_text("\" t \" ,n\n\" a \",\" 7 \"\n \"b\" , 8 \nc\" d,\" NA \"\n\"e\"f ,\" \"\n", &csv),
                 SOOTH_OK);
    CHECK(csv.rows == 4 && strcmp(csv.column[0].header, "t") == 0 && csv.column[0].texts == 4);
    CHECK(strcmp(csv.column[0].text[0], " a ") == 0 && strcmp(csv.column[0].text[1], "b") == 0);
    CHECK(strcmp(csv.column[0].text[2], "c\" d") == 0 && strcmp(csv.column[0].text[3], "ef") == 0);
    CHECK(!csv.column[1].is_text && csv.cell[1] == 7.0f && csv.cell[3] == 8.0f && csv.column[1].missing == 2);
    sooth_csv_free(&env, &csv);
}

static void separators(void) {
    const sooth_csv_options bar = {.separator = '|'}, comma = {.separator = ','}, quote = {.separator = '"'},
                            line_end = {.separator = '\n'};
    sooth_csv csv;
    CHECK_STATUS(sooth_csv_read(&env, "a|b\n1|2\n", 8, &bar, &csv), SOOTH_OK);
    CHECK(csv.cols == 2 && csv.cell[1] == 2.0f && csv.separator == '|');
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(sooth_csv_read(&env, "a;b\n1;2\n", 8, &comma, &csv), SOOTH_OK); /* given, not found */
    CHECK(csv.cols == 1 && csv.separator == ',' && csv.column[0].is_text);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("\"a,b,c\";d\n1;2\n", &csv), SOOTH_OK); /* commas in quotes do not count */
    CHECK(csv.separator == ';' && csv.cols == 2);
    sooth_csv_free(&env, &csv);
    /* a quote within a cell opens nothing, one behind blanks does, two are one */
    CHECK_STATUS(read_text("disk 5\";d;e\n1;2;3\n", &csv), SOOTH_OK);
    CHECK(csv.separator == ';' && csv.cols == 3 && strcmp(csv.column[0].name, "disk 5\"") == 0);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("d;  \"a,\"\",b,c\";\"\";\"x\"\",\"\n1;2;3;4\n", &csv), SOOTH_OK);
    CHECK(csv.separator == ';' && csv.cols == 4 && strcmp(csv.column[1].name, "a,\",b,c") == 0);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("a\tb\n\t5\n", &csv), SOOTH_OK); /* a tab is no blank where it separates */
    CHECK(csv.separator == '\t' && isnan(csv.cell[0]) && csv.cell[1] == 5.0f);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("alone\n1\n", &csv), SOOTH_OK);
    CHECK(csv.separator == ',' && csv.cols == 1);
    sooth_csv_free(&env, &csv);
    CHECK_FAILS(&env, sooth_csv_read(&env, "a\n1\n", 4, &quote, &csv), SOOTH_BAD_ARGUMENT,
                "separator is a quote, a blank or a line end, but must be");
    CHECK_FAILS(&env, sooth_csv_read(&env, "a\n1\n", 4, &line_end, &csv), SOOTH_BAD_ARGUMENT,
                "separator is a quote, a blank or a line end, but must be");
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
    CHECK(csv.cell[0] == 1e-3f && csv.cell[1] == 2.0f && csv.cell[2] == -0.5f && csv.cell[3] == 1.0f &&
          csv.cell[5] == 0.0f);
    CHECK(isinf(csv.cell[4]) == 0);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("v;w\n1,5;-2,25e1\n", &csv), SOOTH_OK); /* decimal commas */
    CHECK(csv.cell[0] == 1.5f && csv.cell[1] == -22.5f);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("v;w\n1.234,5,6;1.5\n2;3\n", &csv), SOOTH_OK);
    CHECK(csv.column[0].is_text && csv.column[0].odd_line == 2 && csv.cell[1] == 1.5f && csv.cell[3] == 3.0f);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("v\n0x10\n", &csv), SOOTH_OK);
    CHECK(csv.column[0].is_text);
    sooth_csv_free(&env, &csv);
}

static void missing_values(void) {
    sooth_csv csv;
    size_t i;
    CHECK_STATUS(read_text("k,v\n1,\n2,NA\n3,n/a\n4,#DIV/"
                           "0!\n5,#VALUE!\n6,NaN\n7,null\n8,-\n9,#REF!\n10,#NAME?\n11,#N/A\n12,7\n13\n,\n",
                           &csv),
                 SOOTH_OK);
    CHECK(csv.rows == 13 && csv.column[1].missing == 12 && csv.column[0].missing == 0 &&
          !csv.column[1].is_text);
    for (i = 0; i < 11; ++i) CHECK(isnan(csv.cell[2 * i + 1]));
    CHECK(csv.cell[23] == 7.0f && csv.short_rows == 1 && csv.first_short == 14);
    CHECK(csv.blank_rows == 1 && csv.first_blank == 15);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("t,v\n-nan,a\nb,-NaN\nnot,na \n-,#\n", &csv),
                 SOOTH_OK); /* what C prints; near misses */
    CHECK(csv.rows == 4 && csv.column[0].missing == 2 && csv.column[0].texts == 2);
    CHECK(csv.column[1].missing == 2 && csv.column[1].texts == 2 && strcmp(csv.column[1].text[1], "#") == 0);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("a,b\nnan,\n,-\n1,2\n", &csv), SOOTH_OK); /* rows of such are blank */
    CHECK(csv.rows == 1 && csv.blank_rows == 2 && csv.first_blank == 2);
    sooth_csv_free(&env, &csv);
}

static void names(void) {
    sooth_csv csv;
    CHECK_STATUS(read_text("Power [W],Power [W],time (s),,x.2,x,x,(ns),f(x) y\n1,2,3,4,5,6,7,8,9\n", &csv),
                 SOOTH_OK);
    CHECK(csv.repeated == 2 && csv.first_repeated == 1);
    CHECK(strcmp(csv.column[0].name, "Power") == 0 && strcmp(csv.column[0].unit, "W") == 0);
    CHECK(strcmp(csv.column[1].header, "Power [W].2") == 0 && strcmp(csv.column[1].name, "Power.2") == 0);
    CHECK(strcmp(csv.column[1].unit, "W") == 0 && sooth_csv_find(&csv, "Power.2") == 1);
    CHECK(strcmp(csv.column[2].name, "time") == 0 && strcmp(csv.column[2].unit, "s") == 0);
    CHECK(strcmp(csv.column[3].name, "column 4") == 0);
    CHECK(strcmp(csv.column[6].header, "x.3") == 0); /* x.2 is taken */
    CHECK(strcmp(csv.column[7].name, "(ns)") == 0 && strcmp(csv.column[8].name, "f(x) y") == 0);
    CHECK(sooth_csv_find(&csv, "Power") == 0 && sooth_csv_find(&csv, "time (s)") == 2 &&
          sooth_csv_find(&csv, "none") == SOOTH_NONE);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("a (m (s)),b[],c [x)),[V], d [ ],e(f)\n1,2,3,4,5,6\n", &csv),
                 SOOTH_OK); /* brackets that fit */
    CHECK(strcmp(csv.column[0].name, "a") == 0 && strcmp(csv.column[0].unit, "m (s)") == 0);
    CHECK(strcmp(csv.column[1].name, "b[]") == 0 && strcmp(csv.column[2].name, "c [x))") == 0);
    CHECK(strcmp(csv.column[3].name, "[V]") == 0 && strcmp(csv.column[5].name, "e") == 0);
    sooth_csv_free(&env, &csv);
}

static void bad_files(void) {
    sooth_csv csv;
    CHECK_FAILS(&env, read_text("", &csv), SOOTH_BAD_TEXT, "the file is empty");
    CHECK_FAILS(&env, read_text("\n\r\n", &csv), SOOTH_BAD_TEXT, "the file is empty");
    CHECK_FAILS(&env, read_text("a,b\n", &csv), SOOTH_BAD_TEXT, "a header of 2 columns but no rows");
    CHECK_FAILS(&env, read_text("a,b\n,\n\n", &csv), SOOTH_BAD_TEXT, "no rows");
    CHECK_FAILS(&env, read_text("a,b\n1,2\n3,4,5\n", &csv), SOOTH_BAD_TEXT,
                "line 3 has a cell in column 3, but the header has 2 columns");
    CHECK_FAILS(&env, read_text("a,b\n1,\"2\n3,4\n", &csv), SOOTH_BAD_TEXT, "a quote is never closed");
    CHECK_FAILS(&env, sooth_csv_read(&env, "a\n1\0\n", 5, NULL, &csv), SOOTH_BAD_TEXT, "byte 4 is zero");
    CHECK_FAILS(&env, sooth_csv_read(&env, NULL, 0, NULL, &csv), SOOTH_BAD_TEXT, "the file is empty");
    CHECK_FAILS(&env, read_text("\xEF\xBB\xBF", &csv), SOOTH_BAD_TEXT, "the file is empty");
    CHECK_FAILS(&env,
                sooth_csv_read(&env,
                               "\xFF\xFE"
                               "a\0\n\0",
                               6, NULL, &csv),
                SOOTH_BAD_TEXT, "the file is UTF-16");
    CHECK_FAILS(&env, read_text("a,b\n\"1\n2\",3\n\"4,5\n6,7\n", &csv), SOOTH_BAD_TEXT,
                "a quote is never closed");
    CHECK_FAILS(&env, read_text("a,\"b\n1,2\n", &csv), SOOTH_BAD_TEXT, "a quote is never closed");
    CHECK(csv.cell == NULL && csv.column == NULL);
    sooth_csv_free(&env, &csv); /* of what was never read: nothing happens */
}

static void tables(void) {
    static const char text[] = "Benchmark,kind,threads,GHz [GHz],Power "
                               "[W],w\nbfs,a,1,1.2,20,1\nbfs,b,2,1.2,,1\nnn,a,4,,30,2\nbfs,a,8,2.4,40,\n";
    static const char *const drop[] = {"w", "kind"}, *const wrong[] = {"threads", "kind"},
                             *const two[] = {"GHz", "threads"};
    sooth_csv csv;
    sooth_csv_data data;
    sooth_csv_table_options choice;
    CHECK_STATUS(read_text(text, &csv), SOOTH_OK);
    memset(&choice, 0, sizeof choice);
    choice.target = "Power";
    choice.group = "Benchmark";
    choice.drop = drop;
    choice.drop_count = 1;
    CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data), SOOTH_OK);
    CHECK(data.table.rows == 3 && data.table.cols == 2 && data.table.targets == 1 &&
          data.dropped_target == 1 && data.ignored_text == 1);
    CHECK(strcmp(data.table.names[0], "threads") == 0 && strcmp(data.units[1], "GHz") == 0 &&
          strcmp(data.units[0], "") == 0);
    CHECK(data.table.x[0] == 1.0f && data.table.x[1] == 1.2f && isnan(data.table.x[3]) &&
          data.table.x[5] == 2.4f);
    CHECK(data.table.y[0] == 20.0f && data.table.y[1] == 30.0f && data.table.y[2] == 40.0f);
    CHECK(data.groups == 2 && data.table.group[0] == 0 && data.table.group[1] == 1 &&
          data.table.group[2] == 0);
    CHECK(strcmp(data.group_name[1], "nn") == 0 && data.row[1] == 2 && data.column[1] == 3);
    sooth_csv_data_free(&env, &data);
    choice.drop_count = 2; /* dropping a column of text is not ignoring it */
    choice.weight = "w";
    choice.group = "threads"; /* numbers may be groups too */
    CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data), SOOTH_OK);
    CHECK(data.table.rows == 2 && data.dropped_group == 1 && data.table.weight[1] == 2.0f &&
          data.groups == 2 && data.table.cols == 1);
    CHECK(strcmp(data.group_name[1], "4") == 0 && data.ignored_text == 1);
    sooth_csv_data_free(&env, &data);
    memset(&choice, 0, sizeof choice);
    choice.features = two;
    choice.feature_count = 2;
    CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data), SOOTH_OK);
    CHECK(data.table.rows == 4 && data.table.y == NULL && data.table.targets == 0);
    sooth_csv_data_free(&env, &data);
    choice.features = wrong;
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA,
                "line 2, column 2 (kind): \"a\" is not a number");
    choice.features = two;
    choice.target = "power";
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA,
                "there is no column power for the target; did you mean Power?");
    choice.target = "watts";
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA,
                "there is no column watts for the target; there are Benchmark, kind, threads, GHz, Power, w");
    choice.target = "threads";
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA,
                "is the target and cannot also be a feature");
    sooth_csv_free(&env, &csv);
}

static void features_in_the_order_asked_for(void) {
    static const char *const names[] = {"c", "a", "c"}, *const drop[] = {"a"};
    sooth_csv csv;
    sooth_csv_data data;
    sooth_csv_table_options choice;
    CHECK_STATUS(read_text("a,b,c [s]\n1,2,3\n4,5,6\n", &csv), SOOTH_OK);
    memset(&choice, 0, sizeof choice);
    choice.features = names;
    choice.feature_count = 3;
    CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data), SOOTH_OK);
    CHECK(data.table.cols == 2 && data.column[0] == 2 && data.column[1] == 0 && data.table.y == NULL);
    CHECK(data.table.x[0] == 3.0f && data.table.x[1] == 1.0f && data.table.x[2] == 6.0f &&
          strcmp(data.units[0], "s") == 0);
    sooth_csv_data_free(&env, &data);
    choice.drop = drop;
    choice.drop_count = 1;
    CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data), SOOTH_OK);
    CHECK(data.table.cols == 1 && data.column[0] == 2);
    sooth_csv_data_free(&env, &data);
    CHECK_STATUS(sooth_csv_table(&env, &csv, NULL, &data), SOOTH_OK); /* all, and no target */
    CHECK(data.table.cols == 3 && data.table.y == NULL && data.table.group == NULL &&
          data.table.weight == NULL);
    sooth_csv_data_free(&env, &data);
    choice.feature_count = 0;
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA,
                "no numeric column is left as a feature");
    CHECK(data.memory == NULL);
    sooth_csv_free(&env, &csv);
}

static void several_targets(void) {
    static const char *const more[] = {"W", "s"}, *const twice[] = {"J"};
    sooth_csv csv;
    sooth_csv_data data;
    sooth_csv_table_options choice;
    CHECK_STATUS(read_text("s,x,J,W\n1,2,3,4\n,5,6,7\n8,9,,10\n11,12,13,\n14,15,16,17\n", &csv), SOOTH_OK);
    memset(&choice, 0, sizeof choice);
    choice.target = "J";
    choice.more_targets = more;
    choice.more_target_count = 2;
    CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data), SOOTH_OK);
    CHECK(data.table.targets == 3 && data.table.rows == 2 && data.dropped_target == 3 &&
          data.table.cols == 1);
    CHECK(data.targets[0] == 2 && data.targets[1] == 3 && data.targets[2] == 0);
    CHECK(data.table.y[0] == 3.0f && data.table.y[1] == 4.0f && data.table.y[2] == 1.0f &&
          data.table.y[5] == 14.0f);
    CHECK(data.table.x[1] == 15.0f && data.row[1] == 4);
    sooth_csv_data_free(&env, &data);
    choice.more_targets = twice;
    choice.more_target_count = 1;
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA,
                "is given as a target twice");
    sooth_csv_free(&env, &csv);
}

/* A separator at the end of every line makes a column without name and value; it is no feature. */
static void columns_without_any_value(void) {
    static const char *const asked[] = {"gap"};
    sooth_csv csv;
    sooth_csv_data data;
    sooth_csv_table_options choice;
    CHECK_STATUS(read_text("a,gap,y,\n1,,2,\n3,NA,4,\n", &csv), SOOTH_OK);
    memset(&choice, 0, sizeof choice);
    choice.target = "y";
    CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data), SOOTH_OK);
    CHECK(data.table.cols == 1 && data.ignored_empty == 2 && data.ignored_text == 0);
    sooth_csv_data_free(&env, &data);
    choice.features = asked; /* who asks for it gets it */
    choice.feature_count = 1;
    CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data), SOOTH_OK);
    CHECK(data.table.cols == 1 && isnan(data.table.x[0]) && data.ignored_empty == 0);
    sooth_csv_data_free(&env, &data);
    memset(&choice, 0, sizeof choice);
    choice.target = "gap";
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA,
                "no row is left: 2 of 2 have no target");
    sooth_csv_free(&env, &csv);
}

static void names_in_sentences(void) {
    static char text[4000];
    sooth_csv csv;
    sooth_csv_data data;
    sooth_csv_table_options choice;
    size_t n, j;
    memset(&choice, 0, sizeof choice);
    for (n = j = 0; j < 100; ++j) n += (size_t)sprintf(text + n, "%scounter_%02u", j ? "," : "", (unsigned)j);
    sprintf(text + n, "\n1\n");
    CHECK_STATUS(read_text(text, &csv), SOOTH_OK);
    choice.target = "countr_41";
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA,
                "did you mean counter_41?");
    choice.target = "Counter_07x";
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA,
                "did you mean counter_07?");
    choice.target = "seconds";
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA,
                "there are counter_00, counter_01, ");
    CHECK(strlen(env.sentence) < SOOTH_ENV_SENTENCE - 1 &&
          strcmp(env.sentence + strlen(env.sentence) - 5, ", ...") == 0);
    sooth_csv_free(&env, &csv);
    /* a cell may be long, hold line ends and end within a character; the sentence still says what is wrong */
    CHECK_STATUS(
        read_text("v,w\n\"two\nlines 567890123456789012345678901234\xC3\xA4\xC3\xA4 and so on\",1\n", &csv),
        SOOTH_OK);
    choice.target = "v";
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA,
                "line 2, column 1 (v): \"two lines 567890123456789012345678901234...\" is not a number");
    sooth_csv_free(&env, &csv);
}

/* ---- names ---- */

static const char *const wanted[] = {"id", "id", "job [n]"}; /* a name twice, and one with its unit */

static sooth_status read_names(const char *text, size_t count, sooth_csv *csv) {
    const sooth_csv_options options = {.names = wanted, .name_count = count};
    return sooth_csv_read(&env, text, strlen(text), &options, csv);
}

/* Whatever the other cells are, a name is its text. */
static void a_name_is_its_text(void) {
    static const char *const cell[] = {"3.10",       "3.1",
                                       "007",        "7",
                                       "-7",         "+7",
                                       "1e3",        "1000",
                                       "0x10",       "16777216",
                                       "16777217",   "39e1804",
                                       "-0",         "0",
                                       "a b",        "\xC3\xA9t\xC3\xA9",
                                       "Bfs",        "bfs",
                                       "1,5",        "864691135341199281",
                                       "888E010010", "\"\"\"q\"\"\"",
                                       "\" 7 \"",    "1.",
                                       ".5"};
    const size_t cells = sizeof cell / sizeof *cell;
    for (size_t with_text = 0; with_text < 2; ++with_text) {
        char file[1000] = "id;x\n";
        sooth_csv csv;
        for (size_t i = 0; i < cells; ++i) {
            if (!with_text && i != 21 &&
                (cell[i][0] == 'a' || cell[i][0] == '\xC3' || cell[i][0] == 'B' || cell[i][0] == 'b' ||
                 i == 8))
                continue; /* numbers alone */
            if (!with_text && i == 21) continue;
            snprintf(file + strlen(file), sizeof file - strlen(file), "%s;%zu\n %s ;1\n", cell[i], i,
                     cell[i]);
        }
        CHECK_STATUS(read_names(file, 2, &csv), SOOTH_OK);
        CHECK((csv.column[0].is_text != 0) == (with_text == 1) && csv.column[0].is_name);
        CHECK(csv.column[0].texts == csv.rows / 2); /* each is a text of its own, twice */
        for (size_t i = 0; i < csv.rows; i += 2) {
            const char *expected = cell[(size_t)csv.cell[2 * i + 1]];
            char bare[40];
            snprintf(bare, sizeof bare, "%s", expected);
            if (expected[0] == '"') snprintf(bare, sizeof bare, "%s", expected[1] == '"' ? "\"q\"" : " 7 ");
            CHECK(strcmp(sooth_csv_text(&csv, i, 0), bare) == 0);
            CHECK(sooth_csv_text(&csv, i + 1, 0) == sooth_csv_text(&csv, i, 0));
            CHECK(sooth_csv_text(&csv, i, 1) == NULL); /* of numbers */
        }
        sooth_csv_free(&env, &csv);
    }
}

/* A column may be names and numbers at once; missing names are none. */
static void names_and_numbers_of_a_column(void) {
    static const char file[] = "job [n],g,y\n007,a,1\n7,a,2\n,b,3\nNA,b,4\n7.0,c,5\n";
    sooth_csv_table_options choice = {
        .target = "job", .features = (const char *const[]){"y"}, .feature_count = 1, .group = "job"};
    sooth_csv_data data;
    sooth_csv csv;
    CHECK_STATUS(sooth_csv_read(&env, file, sizeof file - 1, NULL, &csv), SOOTH_OK);
    CHECK(!csv.column[0].is_name && !csv.column[0].code && csv.column[0].vague_line == 2);
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA,
                "line 2, column 1 (job) holds a name that its number does not tell from others");
    choice.group = NULL;
    choice.categorical = (const char *const[]){"job"};
    choice.categorical_count = 1;
    choice.target = "y";
    choice.features = NULL;
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA,
                "list the column in sooth_csv_options.names");
    sooth_csv_free(&env, &csv);
    static const char *const named[] = {"job"};
    const sooth_csv_options options = {.names = named, .name_count = 1};
    CHECK_STATUS(sooth_csv_read(&env, file, sizeof file - 1, &options, &csv), SOOTH_OK);
    CHECK(csv.cell[0] == 7.0f && csv.cell[3] == 7.0f && csv.cell[12] == 7.0f && csv.column[0].missing == 2);
    CHECK(csv.column[0].texts == 3 && sooth_csv_text(&csv, 2, 0) == NULL &&
          csv.column[0].code[2] == SOOTH_CSV_NO_NAME);
    CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data),
                 SOOTH_OK); /* a category: the number of its text */
    CHECK(data.table.cols == 1 && data.categorical[0] && data.text[0] == csv.column[0].text);
    CHECK(data.table.x[0] == 0.0f && data.table.x[1] == 1.0f && isnan(data.table.x[2]) &&
          data.table.x[4] == 2.0f);
    sooth_csv_data_free(&env, &data);
    choice.categorical_count = 0;
    choice.target = "job";
    choice.group = "job";
    choice.features = (const char *const[]){"y"};
    CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data),
                 SOOTH_OK); /* the target: numbers; groups: names */
    CHECK(data.table.rows == 3 && data.dropped_target == 2 && data.groups == 3);
    CHECK(data.table.y[0] == 7.0f && data.table.y[2] == 7.0f && strcmp(data.group_name[0], "007") == 0 &&
          strcmp(data.group_name[2], "7.0") == 0);
    sooth_csv_data_free(&env, &data);
    choice = (sooth_csv_table_options){.target = "y"}; /* by default names are not features */
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA, "no numeric column");
    sooth_csv_free(&env, &csv);
}

/* Cells with a unit are numbers, and names; so are words that a column of numbers has for missing values. */
static void names_in_other_forms(void) {
    static const char *const files[] = {"id,x\n10 MB,1\n10.0 MB,2\n20 MB,3\n", "id,x\n7,1\n?,2\n--,3\n",
                                        "id,x\n10 MB,1\nabc,2\n30 MB,3\n"};
    static const char *const cell[][3] = {
        {"10 MB", "10.0 MB", "20 MB"}, {"7", "?", "--"}, {"10 MB", "abc", "30 MB"}};
    for (size_t k = 0; k < 3; ++k) {
        const sooth_csv_table_options choice = {.group = "id", .target = "x"};
        sooth_csv_data data;
        sooth_csv csv;
        CHECK_STATUS(read_text(files[k], &csv), SOOTH_OK);
        if (k < 2) CHECK(!csv.column[0].is_text && csv.column[0].vague_line == (k ? 3u : 2u));
        if (k < 2)
            CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA,
                        "column 1 (id) holds");
        sooth_csv_free(&env, &csv);
        CHECK_STATUS(read_names(files[k], 1, &csv), SOOTH_OK);
        CHECK((csv.column[0].is_text != 0) == (k == 2));
        CHECK(k || (csv.cell[0] == 10.0f && csv.cell[2] == 10.0f && csv.cell[4] == 20.0f));
        CHECK(k != 1 || (csv.cell[0] == 7.0f && isnan(csv.cell[2]) && csv.column[0].missing == 2));
        for (size_t i = 0; i < 3; ++i) CHECK(strcmp(sooth_csv_text(&csv, i, 0), cell[k][i]) == 0);
        CHECK(csv.column[0].texts == 3);
        sooth_csv_free(&env, &csv);
    }
}

/* Numbers name their cells if each is an integer that a float holds, as people write it. */
static void plain_integers_are_names_already(void) {
    static const char *const plain[] = {"0", "7", "-7", "16777215", "-16777215", "10000000"};
    static const char *const vague[] = {"-0",       "07",       "+7",  "7.0",      "7.",   "1e2",   "12e2",
                                        "16777216", "16777217", "3.5", "99999999", "1e-5", "\" 7\""};
    static const char *const column[] = {"a,b\n%s,1\n", "b,a\n1,%s\n", "a\n%s\n", "\"a\",b\n\"%s\",1\n"};
    char file[300], padding[100];
    sooth_csv csv;
    sooth_csv_data data;
    memset(padding, '\n', sizeof padding - 1); /* the quick way needs bytes after the cell */
    padding[sizeof padding - 1] = 0;
    for (size_t k = 0; k < 2 * sizeof column / sizeof *column; ++k) {
        const sooth_csv_table_options choice = {
            .group = "a", .features = (const char *const[]){"a"}, .feature_count = 1};
        for (size_t i = 0; i < sizeof plain / sizeof *plain; ++i) {
            snprintf(file, sizeof file, column[k / 2], plain[i]);
            if (k % 2) strcat(file, padding);
            CHECK_STATUS(read_text(file, &csv), SOOTH_OK);
            CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data), SOOTH_OK);
            CHECK(data.groups == 1 && strcmp(data.group_name[0], plain[i]) == 0);
            sooth_csv_data_free(&env, &data);
            sooth_csv_free(&env, &csv);
        }
        for (size_t i = 0; i < sizeof vague / sizeof *vague; ++i) {
            if (vague[i][0] == '"' && column[k / 2][0] == '"') continue;
            snprintf(file, sizeof file, column[k / 2], vague[i]);
            if (k % 2) strcat(file, padding);
            CHECK_STATUS(read_text(file, &csv), SOOTH_OK);
            CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA, "line 2, column");
            sooth_csv_free(&env, &csv);
        }
    }
}

static void unknown_names_are_told(void) {
    sooth_csv csv;
    CHECK_FAILS(&env, read_names("id,jobs [n]\n1,2\n", 3, &csv), SOOTH_BAD_DATA,
                "there is no column job [n] for the names; did you mean jobs?");
    CHECK_FAILS(&env, read_names("a,b\n1,2\n", 1, &csv), SOOTH_BAD_DATA,
                "there is no column id for the names; there are a, b");
}

/* As many rows as Python's csv.reader has: 5, of which one is an empty list. */
static void rows_without_values_may_stay(void) {
    static const char file[] = "a,b\n1,2\n,\n\nNA,\"\"\n  ,  \n3,4\n";
    const sooth_csv_options every = {.keep_blank = 1}, named = {.names = wanted, .name_count = 0};
    sooth_csv csv;
    CHECK_STATUS(sooth_csv_read(&env, file, sizeof file - 1, &every, &csv), SOOTH_OK);
    CHECK(csv.rows == 5 && csv.blank_rows == 3 && csv.first_blank == 3 && csv.short_rows == 0);
    CHECK(csv.line[1] == 3 && csv.line[2] == 5 && csv.line[3] == 6 && csv.line[4] == 7);
    CHECK(isnan(csv.cell[2]) && isnan(csv.cell[7]) && csv.cell[8] == 3.0f && csv.column[0].missing == 3);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(sooth_csv_read(&env, file, sizeof file - 1, &named, &csv), SOOTH_OK);
    CHECK(csv.rows == 2 && csv.blank_rows == 3);
    sooth_csv_free(&env, &csv);
}

/* In one column an empty line is a row without a value, as datatable's fread has it. Line ends, comments and
   the end of the file do not matter. */
static void empty_lines_of_one_column_are_rows(void) {
    static const struct {
        const char *text;
        size_t rows, line[6];
    } file[] = {{"x\n1\n\n3\n", 3, {2, 3, 4}},
                {"\n\nx\n\n\n1\n\n\n3\n\n\n", 6, {4, 5, 6, 7, 8, 9}},
                {"x\r\n1\r\n\r\n3\r\n\r\n", 3, {2, 3, 4}},
                {"x\r1\r\r3\r\r", 3, {2, 3, 4}},
                {"x\n1\n\n3", 3, {2, 3, 4}},
                {"x\n1\n\n3\n\n\x1A\n", 3, {2, 3, 4}},
                {"# c\nx\n# d\n1\n\n# e\n\n3\n# f\n\n", 4, {4, 5, 7, 8}},
                {"\xEF\xBB\xBFx\n\"a\n\nb\"\n\nc\n", 3, {2, 5, 6}},
                {"x\ns\n1\n\n3\n", 3, {3, 4, 5}},
                {"x\n  \n\"\"\n\n5\n", 4, {2, 3, 4, 5}}};
    const sooth_csv_options every = {.keep_blank = 1}, bare = {.keep_blank = 1, .no_header = 1};
    sooth_csv csv;
    for (size_t k = 0; k < sizeof file / sizeof file[0]; ++k) {
        size_t missing = 0, same = 1;
        CHECK_STATUS(sooth_csv_read(&env, file[k].text, strlen(file[k].text), &every, &csv), SOOTH_OK);
        CHECK(csv.cols == 1 && csv.rows == file[k].rows);
        for (size_t i = 0; i < csv.rows; ++i) {
            same &= csv.line[i] == file[k].line[i];
            missing += isnan(csv.cell[i]) != 0;
        }
        CHECK(same && missing == csv.blank_rows && missing == csv.column[0].missing && missing > 0);
        const size_t rows = csv.rows, blank = csv.blank_rows;
        sooth_csv_free(&env, &csv);
        CHECK_STATUS(read_text(file[k].text, &csv), SOOTH_OK); /* left out, and counted */
        CHECK(csv.rows == rows - blank && csv.blank_rows == blank);
        sooth_csv_free(&env, &csv);
    }
    CHECK_STATUS(sooth_csv_read(&env, "5\n\n7\n\n", 6, &bare, &csv), SOOTH_OK);
    CHECK(csv.rows == 3 && isnan(csv.cell[1]) && csv.cell[2] == 7.0f);
    sooth_csv_free(&env, &csv);
    /* two columns: skipped, as everywhere */
    CHECK_STATUS(sooth_csv_read(&env, "a,b\n1,2\n\n3,4\n\n", 14, &every, &csv), SOOTH_OK);
    CHECK(csv.rows == 2 && csv.blank_rows == 0 && csv.line[1] == 4);
    sooth_csv_free(&env, &csv);
}

/* Reads, chooses and looks for equal rows. */
static sooth_status read_and_build(const char *text) {
    sooth_csv csv;
    sooth_csv_data data;
    sooth_csv_table_options choice;
    static const char *const names[] = {"g"};
    const sooth_csv_options options = {.names = names, .name_count = 1};
    size_t count;
    sooth_status status = sooth_csv_read(&env, text, strlen(text), &options, &csv);
    if (status != SOOTH_OK) return status;
    memset(&choice, 0, sizeof choice);
    choice.target = "y";
    choice.group = "g";
    status = sooth_csv_table(&env, &csv, &choice, &data);
    if (status == SOOTH_OK) {
        status = sooth_csv_duplicates(&env, &data.table, NULL, &count);
        sooth_csv_data_free(&env, &data);
    }
    sooth_csv_free(&env, &csv);
    return status;
}

/* A file with many texts, long ones, and many columns. */
static char *large_text(void) {
    char *text = (char *)malloc(400000);
    size_t n = 0, i;
    for (i = 0; i < 200; ++i) n += (size_t)sprintf(text + n, "column %u [s],", (unsigned)(i % 150));
    n += (size_t)sprintf(text + n, "g,y\n");
    for (i = 0; i < 300; ++i)
        n += (size_t)sprintf(text + n, "%u,%*s,\"%0*u\",1\n", (unsigned)i, 198, "", (int)i * 2, (unsigned)i);
    for (i = 0; i < n; ++i)
        if (text[i] == ' ' && i > 4000) text[i] = ',';
    return text;
}

static void every_allocation_may_fail(void) {
    char *text = large_text();
    CHECK_EVERY_ALLOCATION(&env, read_and_build("x,x,g,y [W]\n1,2,a,3\n4,5,\"b\"\"\",6\n"), (void)0);
    CHECK_EVERY_ALLOCATION(&env, read_and_build("x,g,y\n1,2,3\n4,5,6\n"), (void)0);
    CHECK_EVERY_ALLOCATION(&env, read_and_build(text), (void)0);
    sooth_env_init(&env);
    free(text);
}

/* In a buffer of exactly the size that was needed, and in one that is smaller. */
static void an_arena_of_the_exact_size(void) {
    static unsigned char memory[40000];
    static const char text[] = "x,x,g,y [W]\n1,2,a,3\n4,5,\"b\"\"\",6\n";
    sooth_arena arena;
    size_t need;
    sooth_arena_init(&env, &arena, memory, sizeof memory);
    CHECK_STATUS(read_and_build(text), SOOTH_OK);
    need = arena.peak;
    CHECK(need > 0 && need < sizeof memory);
    sooth_arena_init(&env, &arena, memory, need);
    CHECK_STATUS(read_and_build(text), SOOTH_OK);
    sooth_arena_init(&env, &arena, memory, need - 16);
    CHECK_FAILS(&env, read_and_build(text), SOOTH_NO_MEMORY, "no memory for ");
    sooth_env_init(&env);
}

static void every_truncation_is_survived(void) {
    static const char text[] = "\xEF\xBB\xBF"
                               "x [s],\"g,\"\"\",y,y\r\n1,\"a\r\n\"\"b\",3,4\r\n5,#DIV/0!,,\r\n";
    size_t n;
    for (n = 0; n < sizeof text; ++n) {
        char *copy = (char *)malloc(n + 1); /* its own memory, so that reading past the end is seen */
        sooth_csv csv;
        memcpy(copy, text, n);
        env.sentence[0] = 0;
        if (sooth_csv_read(&env, copy, n, NULL, &csv) == SOOTH_OK) {
            sooth_csv_data data;
            if (sooth_csv_table(&env, &csv, NULL, &data) == SOOTH_OK) sooth_csv_data_free(&env, &data);
            sooth_csv_free(&env, &csv);
        } else {
            CHECK(env.sentence[0] != 0);
        }
        free(copy);
    }
    CHECK(n == sizeof text);
}

/* Linear in the columns, whatever they are called. */
static void a_million_columns(void) {
    CHECK_SLOW();
    size_t cols = 1000000, kind, i, n;
    char *text = (char *)malloc(cols * 12);
    for (kind = 0; kind < 3;
         ++kind) { /* in pairs, all the same, and those that the same ones would be called */
        sooth_csv csv;
        sooth_csv_data data;
        sooth_csv_table_options choice;
        for (i = n = 0; i < cols; ++i) {
            if (i) text[n++] = ',';
            if (kind == 0) n += (size_t)sprintf(text + n, "c%u", (unsigned)(i / 2));
            else if (kind == 1 || i < cols / 2) text[n++] = 'x';
            else n += (size_t)sprintf(text + n, "x.%u", (unsigned)(i - cols / 2));
        }
        text[n++] = '\n';
        for (i = 0; i < cols; ++i) n += (size_t)sprintf(text + n, "%s%u", i ? "," : "", (unsigned)(i % 10));
        CHECK_STATUS(sooth_csv_read(&env, text, n, NULL, &csv), SOOTH_OK);
        CHECK(csv.cols == cols && csv.rows == 1 && csv.cell[cols - 1] == 9.0f);
        CHECK(csv.repeated == (kind == 0 ? cols / 2 : kind == 1 ? cols - 1 : cols - 3));
        for (i = 0; i < cols && sooth_csv_find(&csv, csv.column[i].header) == i;)
            ++i; /* all different, all found */
        CHECK(i == cols);
        memset(&choice, 0, sizeof choice);
        choice.target = csv.column[cols / 3].header;
        CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data), SOOTH_OK);
        CHECK(data.table.cols == cols - 1 && data.column[cols - 2] == cols - 1);
        sooth_csv_data_free(&env, &data);
        sooth_csv_free(&env, &csv);
    }
    free(text);
}

typedef struct stopper {
    double at, last;
    int calls, falls;
} stopper;

static int stop_at(void *user, const char *stage, double done) {
    stopper *s = (stopper *)user;
    CHECK(strcmp(stage, "reading") == 0 && done >= 0 && done <= 1);
    s->falls += done < s->last;
    s->last = done;
    ++s->calls;
    return done >= s->at;
}

static void reading_can_be_cancelled(void) {
    static const double at[] = {0.0, 0.3, 0.5, 0.9, 2.0};
    size_t k, n = 3u << 20, i;
    char *text = (char *)malloc(n);
    for (i = 0; i < n; i += 4) memcpy(text + i, i ? "a,1\n" : "v,w\n", 4);
    for (k = 0; k < 5; ++k) {
        check_memory memory;
        stopper s;
        sooth_csv csv;
        memset(&s, 0, sizeof s);
        s.at = at[k];
        check_memory_init(&memory, &env, -1);
        env.progress_fn = stop_at;
        env.progress_user = &s;
        if (k < 4) {
            CHECK_FAILS(&env, sooth_csv_read(&env, text, n, NULL, &csv), SOOTH_CANCELLED,
                        "reading was cancelled");
        } else {
            CHECK_STATUS(sooth_csv_read(&env, text, n, NULL, &csv), SOOTH_OK);
            CHECK(s.calls >= 6 && s.falls == 0); /* every megabyte of either pass, forwards */
            sooth_csv_free(&env, &csv);
        }
        CHECK(memory.live == 0 && memory.live_bytes == 0);
        sooth_env_init(&env);
    }
    free(text);
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
    CHECK_STATUS(sooth_csv_duplicates(&env, &table, NULL, &count), SOOTH_OK);
    CHECK(count == 3);
    sooth_table_init(&table, x, 0, 2);
    CHECK_STATUS(sooth_csv_duplicates(&env, &table, first, &count), SOOTH_OK);
    CHECK(count == 0);
}

/* Against comparing every row with every earlier one; few values, so that many are equal; a stride beyond the
   columns. */
static void repeated_rows_by_brute_force(void) {
    enum { ROWS = 700, COLS = 3, STRIDE = 5 };
    static float x[ROWS * STRIDE];
    static uint32_t first[ROWS];
    sooth_table table;
    sooth_rng rng;
    size_t i, j, k, count, expected = 0, bad = 0;
    sooth_rng_init(&rng, 5, 5);
    for (i = 0; i < ROWS * STRIDE; ++i) {
        static const float values[] = {0.0f, -0.0f, 1.0f, 1e-30f, 2.5f, NAN, -NAN, 7.0f, 8.0f};
        x[i] = values[sooth_rng_below(&rng, 9)];
    }
    sooth_table_init(&table, x, ROWS, COLS);
    table.stride = STRIDE;
    CHECK_STATUS(sooth_csv_duplicates(&env, &table, first, &count), SOOTH_OK);
    for (i = 0; i < ROWS; ++i) {
        for (k = 0; k < i; ++k) {
            for (j = 0; j < COLS; ++j) {
                float a = x[i * STRIDE + j], b = x[k * STRIDE + j];
                if (!(a == b || (isnan(a) && isnan(b)))) break;
            }
            if (j == COLS) break;
        }
        bad += first[i] != k;
        expected += k < i;
    }
    CHECK(bad == 0 && count == expected && count > 200);
}

typedef struct kept {
    char text[20000];
    size_t n;
} kept;

static int keep(void *user, const char *text, size_t size) {
    kept *k = (kept *)user;
    if (k->n + size >= sizeof k->text) return 1;
    memcpy(k->text + k->n, text, size);
    k->n += size;
    k->text[k->n] = 0;
    return 0;
}

static void keep_in(kept *k, sooth_sink *sink) {
    k->n = 0;
    k->text[0] = 0;
    sink->user = k;
    sink->write_fn = keep;
    sink->failed = 0;
}

/* As many rows are read as were written, the last one too. */
static void one_column_is_written_and_read(void) {
    const float x[] = {NAN, 1, NAN, 3, NAN};
    const sooth_table table = sooth_table_of(x, NULL, 5, 1);
    const sooth_csv_options every = {.keep_blank = 1};
    kept text;
    sooth_sink sink;
    sooth_csv csv;
    keep_in(&text, &sink);
    CHECK_STATUS(sooth_csv_write(&env, &table, NULL, &sink), SOOTH_OK);
    CHECK_STATUS(sooth_csv_read(&env, text.text, text.n, &every, &csv), SOOTH_OK);
    CHECK(csv.rows == 5);
    for (size_t i = 0; i < csv.rows; ++i) CHECK(isnan(x[i]) ? isnan(csv.cell[i]) : csv.cell[i] == x[i]);
    sooth_csv_free(&env, &csv);
}

static void cells_are_quoted_where_they_must_be(void) {
    static const char *const texts[] = {"plain", "a,b", "say \"hi\"", "two\nlines", " blank ", "",
                                        "\t",    "a;b", "\r",         "\"",         "a\x1A"};
    static const char *const cells[] = {
        "plain", "\"a,b\"", "\"say \"\"hi\"\"\"", "\"two\nlines\"", "\" blank \"", "", "\"\t\"",
        "a;b",   "\"\r\"",  "\"\"\"\"",           "\"a\x1A\""};
    static const float numbers[] = {0.1f, -0.0f, 16777216.0f, 1e-40f, 3.4028235e38f, NAN, INFINITY};
    static const char *const digits[] = {"0.1", "-0", "16777216", "1e-40", "3.4028235e38", "", "inf"};
    static kept k;
    sooth_sink sink;
    size_t i;
    for (i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        keep_in(&k, &sink);
        sooth_csv_put_text(&sink, texts[i], ',');
        CHECK(strcmp(k.text, cells[i]) == 0);
    }
    for (i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        keep_in(&k, &sink);
        sooth_csv_put_number(&sink, numbers[i], '.');
        CHECK(strcmp(k.text, digits[i]) == 0);
    }
}

/* Any texts and numbers, with any separator: written and read, they are the same bits. */
static void what_is_written_reads_back(void) {
    static const char letters[] = "ab ,;\t\"\n\r'|.-1\xC3\xA4";
    static kept k;
    sooth_rng rng;
    int round;
    sooth_rng_init(&rng, 8, 8);
    for (round = 0; round < 300; ++round) {
        char texts[20][12];
        float numbers[20];
        const char separator = ",;\t|"[round % 4], decimal = separator == ';' ? ',' : '.';
        const sooth_csv_options options = {.separator = separator};
        sooth_sink sink;
        sooth_csv csv;
        size_t i, j, bad = 0;
        keep_in(&k, &sink);
        sooth_text_put(&sink, "v%ct\n", separator);
        for (i = 0; i < 20; ++i) {
            uint32_t bits = sooth_rng_next(&rng);
            size_t n = 1 + sooth_rng_below(&rng, 10);
            if ((bits & 0x7F800000u) == 0x7F800000u) bits &= 0x807FFFFFu;
            memcpy(&numbers[i], &bits, sizeof bits);
            for (j = 0; j < n; ++j) texts[i][j] = letters[sooth_rng_below(&rng, sizeof letters - 1)];
            texts[i][n] = 0;
            if (i == 0) memcpy(texts[i], "a", 2); /* a column of text */
            sooth_csv_put_number(&sink, numbers[i], decimal);
            sooth_text_write(&sink, &separator, 1);
            sooth_csv_put_text(&sink, texts[i], separator);
            sooth_text_write(&sink, "\n", 1);
        }
        CHECK_STATUS(sooth_csv_read(&env, k.text, k.n, &options, &csv), SOOTH_OK);
        CHECK(csv.rows == 20 && csv.column[1].is_text);
        for (i = 0; i < csv.rows; ++i) {
            float code = csv.cell[2 * i + 1];
            bad += memcmp(&csv.cell[2 * i], &numbers[i], sizeof numbers[i]) != 0;
            if (!isnan(code)) bad += strcmp(csv.column[1].text[(size_t)code], texts[i]) != 0;
            else bad += strspn(texts[i], " \t-") != strlen(texts[i]); /* only blanks, or "-": missing */
        }
        CHECK(bad == 0);
        sooth_csv_free(&env, &csv);
    }
}

static void whole_tables(void) {
    static const float x[] = {1, 0.5f, 99, NAN, -2, 99}, y[] = {10, 20, 30, 40};
    static const char *const names[] = {"a,b", "c"}, *const targets[] = {"s", "J"},
                             *const one[] = {"s", NULL};
    const sooth_csv_write_options named = {.target_names = targets}, half = {.target_names = one},
                                  semicolons = {.separator = ';', .decimal = ','},
                                  impossible = {.decimal = ','};
    static kept k;
    sooth_sink sink;
    sooth_table table;
    sooth_table_init(&table, x, 2, 2);
    table.stride = 3;
    keep_in(&k, &sink);
    CHECK_STATUS(sooth_csv_write(&env, &table, NULL, &sink), SOOTH_OK);
    CHECK(strcmp(k.text, "column 1,column 2\n1,0.5\n,-2\n") == 0);
    table.y = y;
    table.targets = 2;
    table.names = names;
    keep_in(&k, &sink);
    CHECK_STATUS(sooth_csv_write(&env, &table, &named, &sink), SOOTH_OK);
    CHECK(strcmp(k.text, "\"a,b\",c,s,J\n1,0.5,10,20\n,-2,30,40\n") == 0);
    keep_in(&k, &sink);
    CHECK_STATUS(sooth_csv_write(&env, &table, &half, &sink), SOOTH_OK);
    CHECK(strncmp(k.text, "\"a,b\",c,s,target 2\n", 19) == 0);
    keep_in(&k, &sink);
    CHECK_STATUS(sooth_csv_write(&env, &table, &semicolons, &sink), SOOTH_OK);
    CHECK(strcmp(k.text, "a,b;c;target 1;target 2\n1;0,5;10;20\n;-2;30;40\n") == 0);
    table.targets = 1;
    keep_in(&k, &sink);
    CHECK_STATUS(sooth_csv_write(&env, &table, NULL, &sink), SOOTH_OK);
    CHECK(strcmp(k.text, "\"a,b\",c,target\n1,0.5,10\n,-2,20\n") == 0);
    CHECK_FAILS(&env, sooth_csv_write(&env, &table, &impossible, &sink), SOOTH_BAD_ARGUMENT,
                "separator and decimal are both ,");
}

/* A file says itself whether its numbers have points or commas; semicolons alone speak of commas. */
static void the_decimal_mark_of_a_file(void) {
    static const struct {
        const char *text;
        char decimal;
    } files[] = {{"a,b\n1.5,2\n", '.'},     {"a;b\n1,5;2\n", ','}, {"a;b\n1.5;2\n", '.'},
                 {"a;b\n1.5;2,5\n", ','},   {"a;b\n1;2\n", ','},   {"a\tb\n1\t2\n", '.'},
                 {"a,1;b.2\n1.5;2\n", '.'}, /* a header says nothing */
                 {"a;b\nx,y;2.5\n", '.'}};  /* nor does text */
    sooth_csv csv;
    size_t i;
    for (i = 0; i < sizeof files / sizeof files[0]; ++i) {
        CHECK_STATUS(read_text(files[i].text, &csv), SOOTH_OK);
        CHECK(csv.decimal == files[i].decimal);
        sooth_csv_free(&env, &csv);
    }
}

/* A file without a header: the reader tells that it looks like one, and reads it as one when asked to. */
static void a_file_without_a_header(void) {
    static const char text[] = "1,2.5,NA\n3,4,5\n";
    const sooth_csv_options options = {.no_header = 1};
    sooth_csv csv;
    CHECK_STATUS(read_text(text, &csv), SOOTH_OK);
    CHECK(csv.rows == 1 && !csv.numeric_header); /* NA may be a name */
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("1,2.5\n3,4\n", &csv), SOOTH_OK);
    CHECK(csv.rows == 1 && csv.numeric_header);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("nan,NaN\n3,4\n", &csv), SOOTH_OK);
    CHECK(csv.rows == 1 && !csv.numeric_header); /* as a row it would hold no value */
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(sooth_csv_read(&env, text, sizeof text - 1, &options, &csv), SOOTH_OK);
    CHECK(csv.rows == 2 && csv.cols == 3 && !csv.numeric_header && csv.cell[1] == 2.5f && csv.line[0] == 1);
    CHECK(strcmp(csv.column[1].name, "column 2") == 0 && csv.column[2].missing == 1);
    sooth_csv_free(&env, &csv);
}

/* A table without any number says which cell is none; names with commas stand in quotes. */
static void why_no_feature_is_left(void) {
    sooth_csv_table_options choice = {.target = "y"};
    sooth_csv_data data;
    sooth_csv csv;
    CHECK_STATUS(read_text("a;y\n1.234,5,6;1\n", &csv), SOOTH_OK);
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA,
                "no numeric column is left as a feature");
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("\"a,b\",y\n1,1\n", &csv), SOOTH_OK);
    choice.target = "watts";
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA, "there are \"a,b\", y");
    sooth_csv_free(&env, &csv);
}

/* ---- the power measurements of Alavani et al. as they were published ---- */

/* A published file as it is: 0 where it is not here. */
static int power_file(const char *path, sooth_csv *csv) {
    FILE *file = fopen(path, "rb");
    char *text;
    size_t size;
    if (!file) return 0;
    text = (char *)malloc(4000000);
    size = fread(text, 1, 4000000, file);
    fclose(file);
    CHECK_STATUS(sooth_csv_read(&env, text, size, NULL, csv), SOOTH_OK);
    free(text);
    return 1;
}

/* Its table: power by benchmark. */
static void power_table(const sooth_csv *csv, sooth_csv_data *data) {
    sooth_csv_table_options choice;
    memset(&choice, 0, sizeof choice);
    choice.target = "Power";
    choice.group = "Benchmark";
    CHECK_STATUS(sooth_csv_table(&env, csv, &choice, data), SOOTH_OK);
}

/* How many cells are missing in the rows that have the target. */
static size_t missing_beside(const sooth_csv *csv, const sooth_csv_data *data) {
    size_t i, j, n = 0;
    for (i = 0; i < data->table.rows; ++i)
        for (j = 0; j < csv->cols; ++j) n += isnan(csv->cell[data->row[i] * csv->cols + j]) != 0;
    return n;
}

/* How many rows lack one of the 15 features that the authors used, and how many repeat an earlier row's. */
static void final_features(const sooth_csv *csv, const char *suffix, size_t incomplete, size_t repeated) {
    static const char *const stem[] = {
        "avg_comp_lat",     "avg_glob_lat",     "avg_shar_lat", "branch",      "comp_inst_kernel",
        "glob_inst_kernel", "misc_inst_kernel", "glob_load_",   "glob_store_", "inst_issue_cycles",
        "cache_penalty",    "occupancy",        "reg_thread",   "shmem_block", "block_size"};
    char name[15][32];
    const char *features[15];
    sooth_csv_data data;
    sooth_csv_table_options choice;
    size_t i, j, n = 0, count;
    memset(&choice, 0, sizeof choice);
    for (j = 0; j < 15; ++j) {
        features[j] = name[j];
        snprintf(name[j], sizeof name[j], "%s%s", stem[j], stem[j][strlen(stem[j]) - 1] == '_' ? suffix : "");
    }
    choice.features = features;
    choice.feature_count = 15;
    choice.target = "Power";
    CHECK_STATUS(sooth_csv_table(&env, csv, &choice, &data), SOOTH_OK);
    for (i = 0; i < data.table.rows; ++i) {
        for (j = 0; j < 15 && !isnan(data.table.x[i * 15 + j]);) ++j;
        n += j < 15;
    }
    CHECK(n == incomplete);
    CHECK_STATUS(sooth_csv_duplicates(&env, &data.table, NULL, &count), SOOTH_OK);
    CHECK(count == repeated);
    sooth_csv_data_free(&env, &data);
}

/* Facts counted by its readers, and with Python and numpy. */
static void the_published_dirty_file(void) {
    sooth_csv csv;
    sooth_csv_data data;
    if (!power_file("../shared/data/power/k20_larger_raw.csv", &csv))
        CHECK_SKIP("the published power data are not here");
    CHECK(csv.rows == 1993 && csv.cols == 43 && csv.blank_rows == 0 && csv.short_rows == 0 &&
          csv.repeated == 0);
    CHECK(csv.line[0] == 2 && csv.line[1992] == 1994 && strcmp(csv.column[3].name, "column 4") == 0);
    power_table(&csv, &data);
    CHECK(data.table.rows == 1807 && data.dropped_target == 186 && data.dropped_group == 0 &&
          data.groups == 68);
    CHECK(missing_beside(&csv, &data) == 4905 + 38); /* empty, #DIV/0! */
    sooth_csv_data_free(&env, &data);
    final_features(&csv, "sm", 9, 33);
    sooth_csv_free(&env, &csv);
}

static void another_published_file(void) {
    sooth_csv csv;
    sooth_csv_data data;
    if (!power_file("../shared/data/power/m60_raw.csv", &csv))
        CHECK_SKIP("the published power data are not here");
    CHECK(csv.rows == 767 && csv.cols == 39);
    power_table(&csv, &data);
    CHECK(data.table.rows == 767 && data.dropped_target == 0 && data.groups == 30);
    CHECK(missing_beside(&csv, &data) == 1540 + 6 + 1); /* empty, #VALUE!, #DIV/0! */
    sooth_csv_data_free(&env, &data);
    final_features(&csv, "sim", 1, 10);
    sooth_csv_free(&env, &csv);
}

/* ---- lines before the rows ---- */

/* How many columns and rows a file has, how many comments, in which line its units stand, and the name of its
   first column. */
static int begins_so(const char *text, size_t cols, size_t rows, size_t comments, size_t units,
                     const char *name) {
    sooth_csv csv;
    CHECK_STATUS(read_text(text, &csv), SOOTH_OK);
    const int so = csv.cols == cols && csv.rows == rows && csv.comments == comments &&
                   csv.unit_line == units && cols && strcmp(csv.column[0].header, name) == 0;
    if (!so && csv.cols)
        printf("%s: %zu columns, %zu rows, %zu comments, units in line %zu, %s\n", text, csv.cols, csv.rows,
               csv.comments, csv.unit_line, csv.column[0].header);
    sooth_csv_free(&env, &csv);
    return so;
}

/* "sep=" that names no separator is the name of a column. */
static void names_that_begin_with_sep(void) {
    sooth_csv csv;
    CHECK(begins_so("\"sep=;x\",b\n1,2\n", 2, 1, 0, 0, "sep=;x"));
    CHECK(begins_so("sep=;5,b\n1,2\n", 2, 1, 0, 0, "sep=;5"));
    CHECK(begins_so("sep= \n1\n", 1, 1, 0, 0, "sep="));
    CHECK(begins_so("sep=\"\n1\n", 1, 1, 0, 0, "sep=\""));
    CHECK(begins_so("sep=\n\n1\n", 1, 1, 0, 0, "sep="));
    CHECK_FAILS(&env, read_text("sep=;", &csv), SOOTH_BAD_TEXT, "the file is empty");
    CHECK_FAILS(&env, read_text("sep=;\n", &csv), SOOTH_BAD_TEXT, "the file is empty");
    CHECK(begins_so("\xFF"
                    "a,b\n1,2\n",
                    2, 1, 0, 0,
                    "\xFF"
                    "a")); /* Latin-1, no UTF-16 */
}

static void lines_that_begin_with_a_hash(void) {
    static const sooth_csv_options empty = {.no_rows = 1}, bare = {.no_header = 1};
    char text[400];
    sooth_csv csv;
    CHECK_STATUS(sooth_csv_read(&env, "# x,y\n# a,b", 11, &empty, &csv), SOOTH_OK); /* nothing but comments */
    CHECK(csv.cols == 2 && csv.rows == 0 && csv.comments == 1 && strcmp(csv.column[0].header, "# a") == 0);
    sooth_csv_free(&env, &csv);
    CHECK(begins_so("a\tb\n#\t2\n", 2, 1, 0, 0, "a")); /* a cell, followed by a tab that separates */
    CHECK(begins_so("a\n#5\n# 6\n", 1, 1, 1, 0, "a")); /* one column: all but "# " are cells */
    CHECK(begins_so("#n\nx\n1\n", 1, 1, 1, 0, "x"));
    CHECK(begins_so("# n\n#id,name\nx,y\nz,w\n", 2, 2, 1, 0, "#id")); /* a name directly after the # */
    CHECK(begins_so("#,\"a\n#b\"\nc,d\n1,2\n", 2, 1, 2, 0, "c"));     /* no name has two lines */
    /* a header and rows that begin with #: the last one without a number is the header */
    CHECK(begins_so("#a,b,c\n#1,2,3\n4,5,6\n", 3, 2, 0, 0, "#a"));
    CHECK(begins_so("#a,b,c\n#x,2,z\n#y,3,z\n4,5,6\n", 3, 3, 0, 0, "#a"));
    CHECK(begins_so("# by me\n\n#id,v\n#1,5\n#2,7\n", 2, 2, 1, 0, "#id")); /* in every line */
    CHECK(begins_so("#1,2\na,b\n3,4\n", 2, 1, 1, 0, "a"));
    CHECK(begins_so("#1,2\n#a,b\n3,4\n", 2, 1, 1, 0, "#a"));
    CHECK(begins_so("#1,2\n#5,6\n3,4\n", 2, 1, 1, 0, "#5"));
    static const struct {
        const char *text;
        size_t header, rival;
    } doubt[] = {{"#a,b,c\n#1,2,3\n4,5,6\n", 1, 2}, {"#a,b\n#c,d\n4,5\n", 2, 1},
                 {"# a,b\n# c,d\n4,5\n", 2, 1},     {"# a,b\n#c,d\n4,5\n", 2, 0},
                 {"#a,b\n1,2\n#3,4\n", 1, 0},       {"# a\n#b,c\n1,2\n", 2, 0},
                 {"#a,b\n# 1,2\n4,5\n", 1, 0}};
    for (size_t k = 0; k < sizeof doubt / sizeof *doubt; ++k) {
        CHECK_STATUS(read_text(doubt[k].text, &csv), SOOTH_OK);
        CHECK(csv.header_line == doubt[k].header && csv.rival_line == doubt[k].rival);
        sooth_csv_free(&env, &csv);
    }
    /* above a cell that is longer than any number */
    memset(text, 'x', sizeof text);
    memcpy(text, "# t,p\n\"", 7);
    memcpy(text + 307, "\"\"\",\"\"\n1,2", 10);
    text[317] = 0;
    CHECK_STATUS(read_text(text, &csv), SOOTH_OK);
    CHECK(csv.cols == 2 && csv.rows == 1 && csv.comments == 1 && strlen(csv.column[0].header) == 301);
    sooth_csv_free(&env, &csv);
    /* without a header */
    CHECK_STATUS(sooth_csv_read(&env, "# c\n1,2\n", 8, &bare, &csv), SOOTH_OK);
    CHECK(csv.rows == 1 && csv.comments == 1 && csv.first_comment == 1 && csv.line[0] == 2);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(sooth_csv_read(&env, "#1,2\n3,4\n", 9, &bare, &csv), SOOTH_OK);
    CHECK(csv.rows == 2 && csv.comments == 0 && csv.column[0].is_text && csv.cell[1] == 2.0f);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(sooth_csv_read(&env, "#1,2\n#3,4\n5,6\n", 14, &bare, &csv), SOOTH_OK);
    CHECK(csv.rows == 3 && csv.comments == 0 && csv.cell[3] == 4.0f);
    sooth_csv_free(&env, &csv);
}

static void rows_of_units(void) {
    char text[400];
    sooth_csv csv;
    CHECK(begins_so("t,p\r\ns,W\r\n\r\n1,2\r\n", 2, 1, 0, 2, "t"));
    CHECK(begins_so("t,p\n(s),(foo)\n1,2\n", 2, 1, 0, 2, "t"));
    CHECK(begins_so("t,p\n[sx,W\n1,2\n", 2, 2, 0, 0, "t")); /* brackets that nothing closes */
    CHECK(begins_so("t,p\n(sx,W\n1,2\n", 2, 2, 0, 0, "t"));
    CHECK(begins_so("t,p\ns,W,\n1,2\n", 2, 1, 0, 2, "t"));           /* nothing behind the last column */
    CHECK(begins_so("t,p,q\ns,W,V\n1,2\n3,4,5\n", 3, 2, 0, 2, "t")); /* nothing below a unit */
    CHECK(begins_so("t,p\ns,W\n,2\n1,2\n", 2, 2, 0, 2, "t"));        /* an empty cell */
    CHECK(begins_so("t,p\ns,W\n?,2\n1,2\n", 2, 2, 0, 2, "t"));       /* a mark */
    CHECK(begins_so("t,p\n[s],[W]\nx,2\ny,3\n", 2, 2, 0, 2, "t"));   /* a text below brackets */
    CHECK(begins_so("t,p\ns,W\nx,2\ny,3\n", 2, 3, 0, 0, "t"));       /* a text below a word */
    CHECK_FAILS(&env, read_text("t,p\ns,W,V\n1,2\n", &csv), SOOTH_BAD_TEXT,
                "line 2 has a cell in column 3, but the header has 2 columns");
    /* a cell that is longer than any unit or number, in the row and below it */
    memset(text, 'x', sizeof text);
    memcpy(text, "t,p\n\"", 5);
    memcpy(text + 305, "\"\"\",W\n1,2\n", 11);
    CHECK(begins_so(text, 2, 2, 0, 0, "t"));
    memset(text, 'x', sizeof text);
    memcpy(text, "t,p\ns,W\n\"", 9);
    memcpy(text + 309, "\"\"\",2\n", 7);
    CHECK(begins_so(text, 2, 2, 0, 0, "t"));
    CHECK_STATUS(read_text("a [s],a [W]\n1,2\n", &csv), SOOTH_OK); /* a name twice: the first is found */
    CHECK(sooth_csv_find(&csv, "a") == 0 && sooth_csv_find(&csv, "a [W]") == 1 && csv.repeated == 0);
    sooth_csv_free(&env, &csv);
}

/* ---- cells that are rare ---- */

/* Signs of which numbers are made are separators if someone asks for them. */
static void separators_within_numbers(void) {
    static const char signs[] = ".+-eE05";
    for (size_t k = 0; k < sizeof signs - 1; ++k) {
        const sooth_csv_options options = {.separator = signs[k]};
        char text[200];
        size_t n = (size_t)sprintf(text, "a%cb\n", signs[k]), bad = 0;
        for (int i = 0; i < 40; ++i) n += (size_t)sprintf(text + n, "1%c2\n", signs[k]);
        sooth_csv csv;
        CHECK_STATUS(sooth_csv_read(&env, text, n, &options, &csv), SOOTH_OK);
        CHECK(csv.cols == 2 && csv.rows == 40);
        for (size_t i = 0; i < csv.rows; ++i) bad += csv.cell[2 * i] != 1.0f || csv.cell[2 * i + 1] != 2.0f;
        CHECK(bad == 0);
        sooth_csv_free(&env, &csv);
    }
}

static void texts_of_the_same_hash(void) {
    sooth_csv csv;
    CHECK(soothi_csv_hash("rauhvvmt", 8, 0) == soothi_csv_hash("icgrdush", 8, 0));
    CHECK(soothi_csv_hash("eoinxdgn", 8, 0) == soothi_csv_hash("kplmnghz", 8, 1));
    CHECK(soothi_csv_hash("a", 1, 0) == soothi_csv_hash("arkzkwah", 8, 0));
    CHECK_STATUS(read_text("t,u\nrauhvvmt,kplmnghz\nicgrdush,x\neoinxdgn,x\narkzkwah,x\na,kplmnghz\n", &csv),
                 SOOTH_OK);
    CHECK(csv.column[0].texts == 5 && csv.column[1].texts == 2);
    CHECK(strcmp(csv.column[0].text[1], "icgrdush") == 0 && strcmp(csv.column[0].text[4], "a") == 0);
    CHECK(csv.cell[1] == 0.0f && csv.cell[3] == 1.0f && csv.cell[9] == 0.0f);
    sooth_csv_free(&env, &csv);
}

static void forms_of_few_cells(void) {
    const sooth_csv_table_options choice = {.target = "v"};
    sooth_csv csv;
    sooth_csv_data data;
    CHECK_STATUS(read_text("a,b\n1,\"\"", &csv), SOOTH_OK); /* a quote that closes with the file */
    CHECK(csv.rows == 1 && csv.column[1].missing == 1 && !csv.column[1].is_text);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("v\n1 s\n2 s\n3\n4 s\n5\n", &csv), SOOTH_OK);
    CHECK(csv.column[0].is_text && csv.column[0].odd_line == 4); /* the first one, not the last */
    CHECK_FAILS(
        &env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA,
        "line 4, column 1 (v): \"3\" is not a number: it is without a unit, but other cells have one");
    CHECK(strstr(csv.column[0].form, "without a unit") != NULL);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("v [furlongs]\n1 s\n2 s\n", &csv), SOOTH_OK);
    CHECK(csv.column[0].is_text && strcmp(csv.column[0].form, "in another unit than the header") == 0);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("v\n\"1,234.5\"\ninf\n7\n", &csv), SOOTH_OK); /* inf has no digits, but a value */
    CHECK(!csv.column[0].is_text && csv.cell[0] == 1234.5f && isinf(csv.cell[1]) && csv.cell[2] == 7.0f);
    sooth_csv_free(&env, &csv);
}

/* ---- memory of a header ---- */

static sooth_status only_read(const char *text) {
    sooth_csv csv;
    const sooth_status status = read_text(text, &csv);
    if (status == SOOTH_OK) {
        CHECK(csv.rows == 1 && strcmp(csv.column[csv.cols - 1].unit, "s") == 0);
        sooth_csv_free(&env, &csv);
    }
    return status;
}

/* Names and units are kept in blocks of 32,768 bytes. Here each may be the first of the next block. */
static void every_block_of_a_header_may_fail(void) {
    enum { room = 32768 };
    char *text = (char *)malloc(room + 100);
    for (int i = room - 12; i < room; ++i) {
        memset(text, 'x', room);
        memcpy(text + i, ",n [s]\n1,2\n", 12);
        CHECK_EVERY_ALLOCATION(&env, only_read(text), (void)0);
        memcpy(text + i, ",n\ns,s\n1,2\n", 12);
        CHECK_EVERY_ALLOCATION(&env, only_read(text), (void)0);
    }
    /* the table of names grows for a name without its unit */
    size_t n = (size_t)sprintf(text, "p");
    for (int i = 0; i < 17; ++i) n += (size_t)sprintf(text + n, ",c%d [s]", i);
    sprintf(text + n, "\n1\n");
    CHECK_EVERY_ALLOCATION(&env, only_read(text), (void)0);
    CHECK_EVERY_ALLOCATION(&env, only_read("x,y\n\"V\" ,\"s\" \n1,2\n"), (void)0);
    sooth_env_init(&env);
    free(text);
}

/* ---- columns that are not there ---- */

static void each_part_is_looked_for(void) {
    static const char *const none[] = {"qqqqqq", "a"}, *const target[] = {"y"}, *const own[] = {"a"};
    static const struct {
        sooth_csv_table_options choice;
        const char *words;
    } wrong[] = {{{.target = "y", .weight = "qqqqqq"}, "there is no column qqqqqq for the weight"},
                 {{.target = "y", .group = "qqqqqq"}, "there is no column qqqqqq for the group"},
                 {{.target = "qqqqqq", .more_targets = own, .more_target_count = 1},
                  "there is no column qqqqqq for the target"},
                 {{.target = "y", .categorical = none, .categorical_count = 2},
                  "there is no column qqqqqq for the categories"},
                 {{.target = "y", .drop = none, .drop_count = 2},
                  "there is no column qqqqqq for the columns to drop"}};
    sooth_csv_table_options choice = {.target = "y", .drop = target, .drop_count = 1};
    sooth_csv csv;
    sooth_csv_data data;
    CHECK_STATUS(read_text("a,b,y\n1,2,3\n4,5,6\n", &csv), SOOTH_OK);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k)
        CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &wrong[k].choice, &data), SOOTH_BAD_DATA,
                    wrong[k].words);
    CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data), SOOTH_OK); /* a target stays one */
    CHECK(data.table.cols == 2 && data.table.y[1] == 6.0f);
    sooth_csv_data_free(&env, &data);
    sooth_csv_free(&env, &csv);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(quotes_and_line_ends);
    CHECK_RUN(as_python_reads_them);
    CHECK_RUN(blanks_inside_quotes_are_kept);
    CHECK_RUN(separators);
    CHECK_RUN(line_breaks_in_quotes_count_as_lines);
    CHECK_RUN(numbers_in_every_form);
    CHECK_RUN(missing_values);
    CHECK_RUN(names);
    CHECK_RUN(bad_files);
    CHECK_RUN(tables);
    CHECK_RUN(features_in_the_order_asked_for);
    CHECK_RUN(several_targets);
    CHECK_RUN(columns_without_any_value);
    CHECK_RUN(names_in_sentences);
    CHECK_RUN(a_name_is_its_text);
    CHECK_RUN(names_and_numbers_of_a_column);
    CHECK_RUN(names_in_other_forms);
    CHECK_RUN(plain_integers_are_names_already);
    CHECK_RUN(unknown_names_are_told);
    CHECK_RUN(rows_without_values_may_stay);
    CHECK_RUN(empty_lines_of_one_column_are_rows);
    CHECK_RUN(one_column_is_written_and_read);
    CHECK_RUN(every_allocation_may_fail);
    CHECK_RUN(an_arena_of_the_exact_size);
    CHECK_RUN(every_truncation_is_survived);
    CHECK_RUN(a_million_columns);
    CHECK_RUN(reading_can_be_cancelled);
    CHECK_RUN(repeated_rows);
    CHECK_RUN(repeated_rows_by_brute_force);
    CHECK_RUN(cells_are_quoted_where_they_must_be);
    CHECK_RUN(what_is_written_reads_back);
    CHECK_RUN(whole_tables);
    CHECK_RUN(the_decimal_mark_of_a_file);
    CHECK_RUN(a_file_without_a_header);
    CHECK_RUN(why_no_feature_is_left);
    CHECK_RUN(the_published_dirty_file);
    CHECK_RUN(another_published_file);
    CHECK_RUN(names_that_begin_with_sep);
    CHECK_RUN(lines_that_begin_with_a_hash);
    CHECK_RUN(rows_of_units);
    CHECK_RUN(separators_within_numbers);
    CHECK_RUN(texts_of_the_same_hash);
    CHECK_RUN(forms_of_few_cells);
    CHECK_RUN(every_block_of_a_header_may_fail);
    CHECK_RUN(each_part_is_looked_for);
    return check_end("csv");
}
