/* language_watts.c - fits the table of gpu_time/watts.h to measured operators, and prints its errors.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/gpu_language_watts WATTS.csv [-o include/sooth/gpu_time/watts_table.h]
 *
 * WATTS.csv has the columns gpu, operator, dtype, those of the operators' shapes, ms, watts and limit_watts
 * (examples/gpu/data/llm_operators). Each class has a law of three numbers, or one share. They minimise the
 * mean over rows of min(|predicted / measured - 1|, 0.5), on grids around the best point that become finer.
 * Each board is predicted from the others alone, and one share for a class beside it. The law is taken if its
 * median errors add up to less. The intervals hold nine of ten on each board, left out or not.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sooth.h"
#include "language_rows.h"

enum { MOST_BOARDS = 4, FINER = 14, STEPS = 5, PARTS = 2 };

typedef struct row {
    unsigned board, class;
    uint32_t dtype;
    double share, compute, memory, ms; /* utilisations: tc / t, tm / t */
} row;

typedef struct study {
    sooth_env env;
    char board[MOST_BOARDS][24];
    unsigned boards;
    row *row;
    size_t rows;
} study;

static const char *const class_name[SOOTH_GPU_WATTS_CLASSES] = {"gemm", "prefill", "decode", "moe"};

static void die(const char *what) {
    fprintf(stderr, "gpu_language_watts: %s\n", what);
    exit(1);
}

/* ---- the file ---- */

static unsigned board_of(study *s, const char *name) {
    unsigned b = 0;
    while (b < s->boards && strcmp(s->board[b], name) != 0) ++b;
    if (b == MOST_BOARDS || strlen(name) >= sizeof s->board[0]) die("too many boards, or a name is too long");
    if (b == s->boards) strcpy(s->board[s->boards++], name);
    return b;
}

static void read_rows(study *s, const char *path) {
    FILE *file = fopen(path, "rb");
    const size_t room = 1u << 24;
    char *bytes = (char *)malloc(room);
    sooth_csv csv;
    if (!file) die(path);
    if (!bytes) die("no memory");
    const size_t size = fread(bytes, 1, room, file);
    fclose(file);
    if (sooth_csv_read(&s->env, bytes, size, NULL, &csv) != SOOTH_OK) die(s->env.sentence);
    free(bytes);
    s->row = (row *)calloc(csv.rows, sizeof *s->row);
    if (!s->row) die("no memory");
    s->rows = csv.rows;
    for (size_t i = 0; i < csv.rows; ++i) {
        const size_t kind = sooth_operator_find(text_at(&csv, i, "operator"));
        sooth_operator op;
        if (kind == SOOTH_NONE || !operator_at(&csv, i, (uint32_t)kind, &op))
            die("an operator or a dtype is not known");
        const sooth_compute units = sooth_operator_units(&op);
        row *r = &s->row[i];
        sooth_gpu gpu;
        sooth_work work;
        sooth_ceilings c;
        if (sooth_gpu_named(&s->env, text_at(&csv, i, "gpu"), &gpu) != SOOTH_OK ||
            sooth_operator_work(&s->env, &op, &work) != SOOTH_OK)
            die(s->env.sentence);
        sooth_roofline_ceilings(&gpu, &c);
        r->board = board_of(s, gpu.name);
        while (r->class < SOOTH_GPU_WATTS_CLASSES &&
               strcmp(class_name[r->class], text_at(&csv, i, "operator")) != 0)
            ++r->class;
        r->dtype = op.dtype;
        r->ms = number_at(&csv, i, "ms");
        r->share = number_at(&csv, i, "watts") / number_at(&csv, i, "limit_watts");
        if (r->class == SOOTH_GPU_WATTS_CLASSES || !(r->ms > 0.0 && r->share > 0.0))
            die("a row is not right");
        r->compute = 1e3 * work.operations[units] / c.compute[units] / r->ms;
        r->memory = 1e3 * work.memory_bytes / c.memory / r->ms;
    }
    sooth_csv_free(&s->env, &csv);
}

/* ---- fitting ---- */

/* The mean over boards of the mean of min(|predicted / measured - 1|, 0.5) over their rows of a class. */
static double loss(const study *s, unsigned class, unsigned but, const sooth_gpu_watts_law *law) {
    double all = 0.0;
    unsigned boards = 0;
    for (unsigned b = 0; b < s->boards; ++b) {
        double sum = 0.0;
        size_t n = 0;
        for (size_t i = 0; i < s->rows; ++i) {
            const row *r = &s->row[i];
            if (r->class != class || r->board != b || b == but) continue;
            const double off = fabs(sooth_gpu_watts_share(law, r->compute, r->memory) / r->share - 1.0);
            sum += off < 0.5 ? off : 0.5;
            ++n;
        }
        if (n) all += sum / (double)n, ++boards;
    }
    return boards ? all / boards : (double)INFINITY;
}

/* The numbers with the least loss without a board (its number; or that of boards: with all). The grid is one
   of square roots: sixteen numbers from 0 to the most, then five around the best, ever closer. */
static sooth_gpu_watts_law fit(const study *s, unsigned class, unsigned but, int flat) {
    static const double most[3] = {2.0, 7.0, 4.0}; /* squared: 4, 49, 16 */
    double centre[3] = {1.0, flat ? 0.0 : 3.5, flat ? 0.0 : 2.0}, width[3] = {1.0, 3.5, 2.0},
           least = (double)INFINITY;
    sooth_gpu_watts_law best = {0};
    for (unsigned round = 0; round < FINER; ++round) {
        const int steps = round ? STEPS : 15;
        double next[3] = {centre[0], centre[1], centre[2]};
        for (int a = 0; a < steps; ++a)
            for (int b = 0; b < (flat ? 1 : steps); ++b)
                for (int c = 0; c < (flat ? 1 : steps); ++c) {
                    const int at[3] = {a, b, c};
                    sooth_gpu_watts_law law = {0};
                    double v[3];
                    for (unsigned k = 0; k < 3; ++k) {
                        v[k] = centre[k] + width[k] * (2.0 * at[k] / (steps - 1) - 1.0);
                        if (flat && k) v[k] = 0.0;
                        v[k] = fmin(fmax(v[k], 0.0), most[k]);
                    }
                    law.still = v[0] * v[0];
                    law.compute = v[1] * v[1];
                    law.memory = v[2] * v[2];
                    const double l = loss(s, class, but, &law);
                    if (l < least) least = l, best = law, memcpy(next, v, sizeof v);
                }
        for (unsigned k = 0; k < 3; ++k) {
            centre[k] = next[k];
            width[k] *= round ? 0.6 : 2.0 / 14.0;
        }
    }
    return best;
}

/* ---- errors ---- */

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(double *v, size_t n, double part) {
    qsort(v, n, sizeof *v, by_size);
    const double at = part * (double)(n - 1);
    const size_t k = (size_t)at;
    return k + 1 < n ? v[k] + (at - (double)k) * (v[k + 1] - v[k]) : v[n - 1];
}

/* Whether a row counts: of all (0), of BF16 and 0.2 ms or longer (1). */
static int counts(const row *r, int large) { return !large || (r->dtype == SOOTH_TYPE_BF16 && r->ms >= 0.2); }

/* The median and the 90th percentile of |predicted / measured - 1| in per cent. Returns the rows. */
static size_t errors(const study *s, unsigned class, unsigned board, const sooth_gpu_watts_law *law,
                     int large, double *v, double *median, double *p90) {
    size_t n = 0;
    for (size_t i = 0; i < s->rows; ++i) {
        const row *r = &s->row[i];
        if (r->class == class && r->board == board && counts(r, large))
            v[n++] = 100.0 * fabs(sooth_gpu_watts_share(law, r->compute, r->memory) / r->share - 1.0);
    }
    *median = n ? quantile(v, n, 0.5) : 0.0;
    *p90 = n ? quantile(v, n, 0.9) : 0.0;
    return n;
}

/* Widens the factors of a law to nine of ten of a board's rows in each part, rounded outwards. */
static void widen(const study *s, unsigned class, unsigned board, const sooth_gpu_watts_law *told,
                  sooth_gpu_watts_law *law, double *v) {
    for (unsigned part = 0; part < PARTS; ++part) {
        size_t n = 0;
        for (size_t i = 0; i < s->rows; ++i) {
            const row *r = &s->row[i];
            const double share = sooth_gpu_watts_share(told, r->compute, r->memory);
            if (r->class == class && r->board == board && (share >= SOOTH_GPU_WATTS_SPLIT) == (int)part)
                v[n++] = r->share / share;
        }
        if (n < 50) continue; /* too few for their outer twentieths */
        law->low[part] = fmin(law->low[part], floor(100.0 * quantile(v, n, 0.05)) / 100.0);
        law->high[part] = fmax(law->high[part], ceil(100.0 * quantile(v, n, 0.95)) / 100.0);
    }
}

/* The rows of a board between the factors of a law, the numbers of which were told, in per cent. */
static double held(const study *s, unsigned class, unsigned board, const sooth_gpu_watts_law *told,
                   const sooth_gpu_watts_law *law) {
    size_t n = 0, in = 0;
    for (size_t i = 0; i < s->rows; ++i) {
        const row *r = &s->row[i];
        if (r->class != class || r->board != board) continue;
        const double share = sooth_gpu_watts_share(told, r->compute, r->memory);
        const unsigned part = share >= SOOTH_GPU_WATTS_SPLIT;
        const double high = fmin(law->high[part] * share, 1.0);
        ++n;
        in += r->share >= law->low[part] * share && (r->share <= high || high >= 1.0);
    }
    return 100.0 * (double)in / (double)n;
}

static sooth_gpu_watts_law learn(const study *s, unsigned class, double *v) {
    sooth_gpu_watts_law told[2][MOST_BOARDS], law; /* the law, one share; without a board */
    double sum[2] = {0.0, 0.0}, median, p90;
    for (unsigned flat = 0; flat < 2; ++flat)
        for (unsigned b = 0; b < s->boards; ++b) {
            told[flat][b] = fit(s, class, b, (int)flat);
            errors(s, class, b, &told[flat][b], 0, v, &median, &p90);
            sum[flat] += median;
        }
    const unsigned flat = !(sum[0] < sum[1]);
    law = fit(s, class, s->boards, (int)flat);
    for (unsigned part = 0; part < PARTS; ++part) law.low[part] = law.high[part] = 1.0;
    for (unsigned b = 0; b < s->boards; ++b) { /* left out, and learned from */
        const sooth_gpu_watts_law known = law;
        widen(s, class, b, &told[flat][b], &law, v);
        widen(s, class, b, &known, &law, v);
    }
    for (unsigned part = 0; part < PARTS; ++part) /* a part without rows: the other's */
        if (!(law.low[part] < 1.0) || !(law.high[part] > 1.0)) {
            law.low[part] = fmin(law.low[0], law.low[1]);
            law.high[part] = fmax(law.high[0], law.high[1]);
        }
    for (size_t i = 0; i < s->rows; ++i)
        if (s->row[i].class == class) law.types |= 1u << s->row[i].dtype;
    for (unsigned b = 0; b < s->boards; ++b) {
        printf("%-8s %-6s", class_name[class], s->board[b]);
        for (unsigned k = 0; k < 2; ++k) {
            errors(s, class, b, &told[k][b], 0, v, &median, &p90);
            printf(" %6.1f /%6.1f", median, p90);
        }
        const size_t n = errors(s, class, b, &told[flat][b], 1, v, &median, &p90);
        printf(" %6.1f of %4zu %6.0f %%", median, n, held(s, class, b, &told[flat][b], &law));
        errors(s, class, b, &law, 0, v, &median, &p90);
        printf(" %6.1f  %s\n", median, flat ? "one share" : "law");
    }
    return law;
}

static void write_table(const sooth_gpu_watts_law law[SOOTH_GPU_WATTS_CLASSES], FILE *to) {
    fprintf(
        to,
        "/* gpu_time/watts_table.h - the learned numbers of gpu_time/watts.h, written by `make gpu-tables`.\n"
        " * SPDX-FileCopyrightText: 2026 the sooth authors\n"
        " * SPDX-License-Identifier: MIT\n"
        " *\n"
        " * Learned from measurements in NVIDIA's AIConfigurator (github.com/ai-dynamo/aiconfigurator, "
        "commit\n"
        " * 095f58a51c4ca8e61b66ec108d86f223f8d559ce), Apache License 2.0, Copyright (c) 2025-2026 NVIDIA\n"
        " * CORPORATION & AFFILIATES. The members of sooth_gpu_watts_law; a line for each class.\n"
        " */\n"
        "#ifndef SOOTH_GPU_TIME_WATTS_TABLE_H\n"
        "#define SOOTH_GPU_TIME_WATTS_TABLE_H\n"
        "#include \"../base.h\"\n\n"
        "/* clang-format off */\n"
        "#define SOOTHI_GPU_TIME_WATTS \\\n    {");
    for (unsigned c = 0; c < SOOTH_GPU_WATTS_CLASSES; ++c)
        fprintf(to, "%s{%.4g, %.4g, %.4g, {%.2f, %.2f}, {%.2f, %.2f}, %uu}%s", c ? "     " : "", law[c].still,
                law[c].compute, law[c].memory, law[c].low[0], law[c].low[1], law[c].high[0], law[c].high[1],
                law[c].types, c + 1 < SOOTH_GPU_WATTS_CLASSES ? ", \\\n" : "}\n");
    fprintf(to, "/* clang-format on */\n\n#endif /* SOOTH_GPU_TIME_WATTS_TABLE_H */\n");
}

int main(int count, char **word) {
    static study s;
    sooth_gpu_watts_law law[SOOTH_GPU_WATTS_CLASSES];
    sooth_env_init(&s.env);
    if (count != 2 && !(count == 4 && strcmp(word[2], "-o") == 0))
        die("usage: gpu_language_watts WATTS.csv [-o TABLE.h]");
    read_rows(&s, word[1]);
    double *v = (double *)malloc(s.rows * sizeof *v);
    if (!v) die("no memory");
    printf(
        "watts of a board predicted from the other: error in %%, median / 90th percentile\n\n%-15s %15s %15s"
        " %14s %8s %6s\n",
        "", "law", "one share", "large BF16", "held", "seen");
    for (unsigned c = 0; c < SOOTH_GPU_WATTS_CLASSES; ++c) law[c] = learn(&s, c, v);
    if (count == 4) {
        FILE *to = fopen(word[3], "w");
        if (!to) die(word[3]);
        write_table(law, to);
        if (fclose(to) != 0) die("the table cannot be written");
    }
    free(v);
    free(s.row);
    return 0;
}
