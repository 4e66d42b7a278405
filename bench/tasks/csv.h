/* csv.h - times reading CSV into a table: task=csv text=FILE.csv (task=friedman as=csv writes one).
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * train_s is one reading: from bytes in memory to a table whose last column is the target. The same work is
 * done by peers/csv_peer.py (pandas).
 *
 * Floor: the bytes are gone over twice, at 10 GB/s; a number of eight digits takes a dozen dependent steps
 * of 4 cycles or so at one digit a time: 12 ns at 4 GHz, for 10^6 rows of 11 cells 0.13 s.
 */
#include "sooth/csv.h"

static void bench_csv(bench_result *result) {
    sooth_env env;
    sooth_csv csv;
    sooth_csv_data data;
    FILE *file = fopen(bench_text("text", ""), "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) bench_stop("cannot open", bench_text("text", ""));
    const size_t size = (size_t)ftell(file);
    char *bytes = (char *)malloc(size + 1);
    rewind(file);
    if (!bytes || fread(bytes, 1, size, file) != size) bench_stop("cannot read", bench_text("text", ""));
    fclose(file);
    bench_env(&env);
    result->load_kb = bench_peak_kb();
    while (bench_more(result)) {
        sooth_csv_table_options choice;
        const double start = bench_clock();
        memset(&choice, 0, sizeof choice);
        choice.target = "y";
        if (sooth_csv_read(&env, bytes, size, NULL, &csv) != SOOTH_OK ||
            sooth_csv_table(&env, &csv, &choice, &data) != SOOTH_OK)
            bench_stop("task csv", env.sentence);
        bench_trained(result, bench_clock() - start);
        result->bytes = (double)(data.table.rows * (data.table.cols + 1) * sizeof(float));
        sooth_csv_data_free(&env, &data);
        sooth_csv_free(&env, &csv);
    }
    snprintf(result->note, sizeof result->note, "%.0f MB a second",
             (double)size / 1e6 / result->train[result->trainings - 1]);
    free(bytes);
}
