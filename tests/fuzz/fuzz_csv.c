/* fuzz_csv.c - any bytes are a CSV file or a sentence, never a crash.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * With libFuzzer: clang -fsanitize=fuzzer,address,undefined -Iinclude fuzz_csv.c. Without: define SOOTH_FUZZ_MAIN; the program then mutates
 * its own seeds.
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sooth_env env;
    sooth_csv csv;
    sooth_env_init(&env);
    if (sooth_csv_read(&env, data, size, 0, &csv) == SOOTH_OK) {
        sooth_csv_choice choice;
        sooth_csv_data table;
        size_t j, repeated;
        memset(&choice, 0, sizeof choice);
        choice.target = csv.column[csv.cols - 1].name;
        choice.group = csv.column[0].header;
        if (sooth_csv_table(&env, &csv, &choice, &table) == SOOTH_OK) {
            uint32_t *first = (uint32_t *)malloc(table.table.rows * sizeof *first);
            if (first && sooth_csv_duplicates(&env, &table.table, first, &repeated) == SOOTH_OK && repeated > table.table.rows) abort();
            free(first);
            for (j = 0; j < table.table.rows; ++j)
                if (table.table.group[j] >= table.groups || !table.group_name[table.table.group[j]]) abort();
            sooth_csv_data_free(&env, &table);
        }
        for (j = 0; j < csv.cols; ++j)
            if (sooth_csv_find(&csv, csv.column[j].header) != j) abort(); /* headers are unique */
        sooth_csv_free(&env, &csv);
    } else if (!env.sentence[0]) {
        abort();
    }
    return 0;
}

#ifdef SOOTH_FUZZ_MAIN
#include "mutate.h"

int main(int count, char **word) {
    static const char *const seeds[] = {"a,b,y\n1,x,3\n4,\"q\"\"\n\",6\n", "\xEF\xBB\xBF" "g;p [W];y (s)\r\n1,5;#DIV/0!;2\r\n;;\r\n3;4;5", "x\tx\ty\n1\t2\t3\n"};
    size_t i;
    for (i = 0; i < sizeof seeds / sizeof seeds[0]; ++i) mutate((const uint8_t *)seeds[i], strlen(seeds[i]), count > 1 ? atol(word[1]) : 100000, i);
    return 0;
}
#endif
