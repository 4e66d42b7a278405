/* test_csv_words.c - files that stretch what csv.h keeps: long texts, odd bytes, columns that no part is for.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/csv.h"
#include "check.h"

static sooth_env env;
static sooth_csv csv;
static sooth_csv_data data;

static sooth_status read_text(const char *text) {
    return sooth_csv_read(&env, text, strlen(text), NULL, &csv);
}

/* Texts of many pieces of memory are all there, and one that is larger than a piece is too. */
static void texts_are_kept(void) {
    enum { cells = 6000, each = 8 };
    char *file = (char *)malloc(4 + cells * each + 50000), *at = file;
    at += sprintf(at, "a,b\n");
    for (int i = 0; i < cells; ++i) at += sprintf(at, "t%05d,\n", i);
    memset(at, 'x', 40000);
    at += 40000;
    at += sprintf(at, ",1\n");
    CHECK_STATUS(sooth_csv_read(&env, file, (size_t)(at - file), NULL, &csv), SOOTH_OK);
    CHECK(csv.rows == cells + 1 && csv.column[0].is_text);
    for (int i = 0; i < cells; ++i) {
        char text[16];
        snprintf(text, sizeof text, "t%05d", i);
        CHECK(strcmp(csv.column[0].text[(size_t)csv.cell[i * 2]], text) == 0);
        if (check_failures) break;
    }
    CHECK(strlen(csv.column[0].text[(size_t)csv.cell[cells * 2]]) == 40000);
    sooth_csv_free(&env, &csv);
    free(file);
}

static void odd_beginnings(void) {
    CHECK_FAILS(&env,
                read_text("\xFE\xFF"
                          "a"),
                SOOTH_BAD_TEXT, "the file is UTF-16");
    CHECK_FAILS(&env,
                read_text("\xFF\xFE"
                          "a"),
                SOOTH_BAD_TEXT, "the file is UTF-16");
    CHECK_STATUS(read_text("\xFE"
                           "a,b\n1,2\n"),
                 SOOTH_OK); /* Latin-1, perhaps */
    CHECK(csv.cols == 2 && strcmp(csv.column[0].header, "\xFE"
                                                        "a") == 0);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("\xEF\xBB\xBE"
                           "a,b\n1,2\n"),
                 SOOTH_OK); /* a character, no mark */
    CHECK(strlen(csv.column[0].header) == 4);
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("\xEF\xBA\xBF"
                           "a,b\n1,2\n"),
                 SOOTH_OK);
    CHECK(strlen(csv.column[0].header) == 4);
    sooth_csv_free(&env, &csv);
}

static void separators_are_counted(void) {
    sooth_csv_options options;
    memset(&options, 0, sizeof options);
    CHECK_STATUS(read_text("a,b;c;d\te\tf\tg\n1\t2\t3\t4\n"), SOOTH_OK);
    CHECK(csv.cols == 4 && strcmp(csv.column[1].header, "e") == 0);
    sooth_csv_free(&env, &csv);
    options.separator = ' ';
    CHECK_FAILS(&env, sooth_csv_read(&env, "a b", 3, &options, &csv), SOOTH_BAD_ARGUMENT,
                "separator is a quote, a blank or a line end, but must be");
    CHECK_STATUS(read_text("a;b\n1,"
                           "0000000000000000000000000000000000000000000000000000000000000000000001;2,5\n"
                           "1,5;3\n"),
                 SOOTH_OK); /* too long for a decimal comma: a text */
    CHECK(csv.column[0].is_text && !csv.column[1].is_text && csv.cell[1] > 2.4f && csv.cell[1] < 2.6f);
    sooth_csv_free(&env, &csv);
}

static void columns_that_are_not_there(void) {
    static const char far[] = "a name of more than sixty-three characters is like no other name in the file";
    sooth_csv_table_options choice;
    memset(&choice, 0, sizeof choice);
    memset(&csv, 0, sizeof csv);
    CHECK(sooth_csv_find(&csv, "a") == SOOTH_NONE); /* of a file that was not read */
    CHECK_STATUS(read_text("a,,b\n1,2,3\n"), SOOTH_OK);
    CHECK(strcmp(csv.column[1].header, "column 2") == 0 && sooth_csv_find(&csv, "column 2") == 1);
    choice.target = far;
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA,
                "there is no column a name");
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("an even longer name than that of before which had only sixty-four characters,b\n"
                           "1,3\n"),
                 SOOTH_OK);
    CHECK(csv.cols == 2);
    choice.target = "bb";
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA, "there is no column bb");
    sooth_csv_free(&env, &csv);
}

/* Texts are cut for a sentence where a character begins. */
static void sentences_are_short(void) {
    sooth_csv_table_options choice;
    memset(&choice, 0, sizeof choice);
    choice.target = "a";
    CHECK_STATUS(
        read_text("a,b\n1,2\n3,4\n0123456789012345678901234567890123456\xE2\x98\x83\xE2\x98\x83,5\n"),
        SOOTH_OK);
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA,
                "line 4, column 1 (a): \"0123456789012345678901234567890123456\xE2\x98\x83...\"");
    sooth_csv_free(&env, &csv);
    CHECK_STATUS(read_text("a,b\n012345678901234567890123456789012345678\xE2\x98\x83,5\n"), SOOTH_OK);
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA,
                "line 2, column 1 (a): \"012345678901234567890123456789012345678...\"");
    sooth_csv_free(&env, &csv);
}

static void parts_of_a_table(void) {
    static const char *const both[] = {"g", "n"};
    sooth_csv_table_options choice;
    memset(&choice, 0, sizeof choice);
    CHECK_STATUS(read_text("g,n,w,x\np,a,1,10\nq,b,2,20\n,c,3,30\nr,d,,40\n"), SOOTH_OK);
    choice.group = "g";
    choice.weight = "w";
    CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data), SOOTH_OK);
    CHECK(data.table.cols == 1 && data.table.rows == 2 && data.dropped_group == 2 && data.ignored_text == 1);
    CHECK_NEAR(data.table.x[1], 20, 0);
    CHECK_NEAR(data.table.weight[1], 2, 0);
    sooth_csv_data_free(&env, &data);
    choice.target = "x";
    choice.drop = both;
    choice.drop_count = 2;
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA,
                "no numeric column is left as a feature");
    CHECK(!strstr(env.sentence, "line")); /* both texts were given up on purpose */
    choice.drop_count = 0;
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA,
                "no numeric column is left as a feature");
    sooth_csv_free(&env, &csv);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(texts_are_kept);
    CHECK_RUN(odd_beginnings);
    CHECK_RUN(separators_are_counted);
    CHECK_RUN(columns_that_are_not_there);
    CHECK_RUN(sentences_are_short);
    CHECK_RUN(parts_of_a_table);
    return check_end("csv_words");
}
