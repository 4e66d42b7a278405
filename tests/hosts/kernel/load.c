/* load.c - predicts 10,000 rows inside this machine's kernel and compares every bit: load PROGRAM BLOCK.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * PROGRAM is rows.bpf.c compiled, BLOCK what `sooth export --to bpf-map` wrote. Rows lie at thresholds, right
 * above them and anywhere; of a model that knows missing values every eighth feature is missing. Prints what
 * the verifier and the clock said, and "same: 10000 of 10000 rows"; of a map also how many blocks that cannot
 * be walked were refused. Exit 77: this machine does not let us.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/types.h>
#include <stdio.h>
#include <string.h>

#define SOOTH_IMPLEMENTATION
#include "sooth/export.h"
#include "rows.h"

enum { TESTED = 10000, BLOCK_MOST = 1 << 20 };

static char log_text[1 << 22];
static struct rows rows;
static _Alignas(16) unsigned char block[BLOCK_MOST];

static int quiet(enum libbpf_print_level level, const char *format, va_list list) {
    return level == LIBBPF_WARN ? vfprintf(stderr, format, list) : 0;
}

/* A value near a threshold on feature j, or anywhere. */
static int32_t near_threshold(const sooth_integers *m, sooth_rng *rng, uint32_t j) {
    for (int turn = 0; turn < 64; ++turn) {
        const sooth_integers_node *node = soothi_integers_nodes(m) + sooth_rng_below(rng, m->nodes);
        const uint32_t key = (node->link & ((1u << m->shift) - 1u)) >> 1;
        if (node->link & 1u && key % m->head.features == j)
            return node->number + (int32_t)sooth_rng_below(rng, 3) - (node->number > INT32_MIN ? 1 : 0);
    }
    return (int32_t)sooth_rng_next(rng);
}

static void fill(const sooth_integers *m) {
    const uint32_t features = m->head.features;
    sooth_rng rng;
    sooth_rng_init(&rng, 16, 0);
    rows.whole = m->rule == SOOTH_INTEGERS_KEYS_WHOLE && features <= ROWS_WHOLE;
    for (uint32_t i = 0; i < TESTED; ++i)
        for (uint32_t j = 0; j < features; ++j) {
            const int missing = m->rule == SOOTH_INTEGERS_KEYS_FLOAT && sooth_rng_below(&rng, 8) == 0;
            const int32_t key = near_threshold(m, &rng, j);
            rows.key[i][j] = missing ? INT32_MAX : key;
            if (m->rule == SOOTH_INTEGERS_KEYS_FLOAT) rows.key[i][j + features] = missing ? INT32_MIN : key;
            if (!rows.whole) continue;
            /* the whole number whose key this is, where shift is 0; else anything */
            rows.value[i][j] = (int64_t)key + soothi_integers_columns(m)[j].offset;
            if (sooth_rng_below(&rng, 50) == 0) rows.value[i][j] = (int64_t)sooth_rng_next(&rng) << 31;
            rows.key[i][j] = sooth_integers_key_from_integer(m, j, rows.value[i][j]);
        }
}

/* The least nanoseconds that one run took, of five times so many. */
static unsigned clocked(int program, int repeat) {
    unsigned least = ~0u;
    char packet[64] = {0};
    for (int k = 0; k < 5; ++k) {
        LIBBPF_OPTS(bpf_test_run_opts, run, .data_in = packet, .data_size_in = sizeof packet,
                    .repeat = repeat);
        if (bpf_prog_test_run_opts(program, &run) != 0) return 0;
        if (run.duration < least) least = run.duration;
    }
    return least;
}

/* Blocks that sooth.bpf.h cannot walk, one field wrong in each: says how many it gives 0 for. */
static int tell_refused(int program, int rows_map, int models) {
    static const uint32_t wrong[][2] = {
        {0, 0}, {1, 15}, {2, BLOCK_MOST + 16}, {6, 33}, {6, 0x80000000u}, {7, 2}, {10, 33}, {15, 1}};
    enum { WRONG = sizeof wrong / sizeof *wrong };
    const __u32 zero = 0;
    int refused = 0;
    for (int k = 0; k < WRONG; ++k) {
        char packet[64] = {0};
        uint32_t kept;
        unsigned char *field = block + 4 * wrong[k][0];
        LIBBPF_OPTS(bpf_test_run_opts, run, .data_in = packet, .data_size_in = sizeof packet, .repeat = 1);
        memcpy(&kept, field, 4);
        memcpy(field, &wrong[k][1], 4);
        rows.next = 0;
        rows.sum[0] = -1;
        refused += bpf_map_update_elem(models, &zero, block, 0) == 0 &&
                   bpf_map_update_elem(rows_map, &zero, &rows, 0) == 0 &&
                   bpf_prog_test_run_opts(program, &run) == 0 &&
                   bpf_map_lookup_elem(rows_map, &zero, &rows) == 0 && rows.next == 1 && rows.sum[0] == 0;
        memcpy(field, &kept, 4);
    }
    return printf("refused: %d of %d blocks that it cannot walk\n", refused, WRONG), refused == WRONG;
}

int main(int count, char **words) {
    const sooth_integers *m = (const sooth_integers *)(const void *)block;
    const __u32 zero = 0;
    struct bpf_prog_info info;
    __u32 size = sizeof info;
    int same = 0;
    FILE *file = count == 3 ? fopen(words[2], "rb") : NULL;
    if (!file) return fputs("usage: load PROGRAM BLOCK\n", stderr), 2;
    const size_t bytes = fread(block, 1, sizeof block, file);
    fclose(file);
    if (!sooth_integers_check(block, bytes)) return fputs("this is no model of whole numbers\n", stderr), 1;
    if (sooth_integers_key_count(m) > ROWS_KEYS || m->head.targets > 1) return fputs("too wide\n", stderr), 1;
    libbpf_set_print(quiet);
    struct bpf_object *object = bpf_object__open_file(words[1], NULL);
    if (!object) return perror(words[1]), 1;
    struct bpf_program *program = bpf_object__find_program_by_name(object, "predict");
    bpf_program__set_log_level(program, 4);
    bpf_program__set_log_buf(program, log_text, sizeof log_text);
    const int error = bpf_object__load(object);
    if (error == -EPERM || error == -ENOSYS) return puts("skipped: bpf() is not allowed here"), 77;
    if (error) return printf("the kernel refuses it: %d\n%s\n", error, log_text), 1;
    const int fd = bpf_program__fd(program), rows_map = bpf_object__find_map_fd_by_name(object, "rows");
    const int models = bpf_object__find_map_fd_by_name(object, "models");
    memset(&info, 0, sizeof info);
    bpf_obj_get_info_by_fd(fd, &info, &size);
    char *processed = strstr(log_text, "processed "), *depth = strstr(log_text, "stack depth ");
    if (processed) processed[strcspn(processed, "\n")] = 0;
    if (depth) depth[strcspn(depth, "\n")] = 0;
    printf("%u bytes of code, %u compiled; the verifier %s; %s\n", info.xlated_prog_len, info.jited_prog_len,
           processed ? processed : "said nothing", depth ? depth : "of the stack nothing");
    fill(m);
    if (bpf_map_update_elem(rows_map, &zero, &rows, 0) != 0) return perror("rows"), 1;
    if (models >= 0 && bpf_map_update_elem(models, &zero, block, 0) != 0) return perror("models"), 1;
    char packet[64] = {0};
    LIBBPF_OPTS(bpf_test_run_opts, run, .data_in = packet, .data_size_in = sizeof packet, .repeat = TESTED);
    if (bpf_prog_test_run_opts(fd, &run) != 0) return perror("BPF_PROG_TEST_RUN"), 1;
    if (bpf_map_lookup_elem(rows_map, &zero, &rows) != 0 || rows.next != TESTED) return perror("rows"), 1;
    for (int i = 0; i < TESTED; ++i) {
        int64_t sum;
        sooth_integers_sum(m, rows.key[i], &sum);
        same += sum == rows.sum[i];
    }
    printf("%u ns a prediction, other rows in turn\n", clocked(fd, ROWS));
    printf("same: %d of %d rows\n", same, TESTED);
    const int refused = models < 0 || tell_refused(fd, rows_map, models);
    bpf_object__close(object);
    return same != TESTED || !refused;
}
