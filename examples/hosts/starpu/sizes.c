/* sizes.c - StarPU's sampling files as training data: sizes that were never run, next to StarPU's
 * regressions.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/starpu/sizes FOLDER HOST [--all]
 *     build/starpu/sizes --entries FILE         prints entries like starpu_perfmodel_display
 *
 * FOLDER holds the files that `cholesky --sample` wrote to sampling/codelets/45. Every kernel has a file of
 * each of three models, KERNEL_history.HOST, KERNEL_regression.HOST and KERNEL_nl.HOST. The truth is the
 * history's mean of the sizes that the regressions left out. sooth learns from the means in the file of the
 * nl model, to which that regression was fitted. StarPU's own coefficients are in its files. The program
 * prints the mean and the median error over kernels, for sizes between the fitted ones and for one beyond.
 * StarPU itself does not use its regressions there, but its formulas are evaluated all the same. --all prints
 * every size.
 */
#define SOOTH_IMPLEMENTATION
#include "samples.h"

enum { KERNELS = 4, METHODS = 3, DEVICES = 2, MOST = 64 };
static const char *const kernel_name[KERNELS] = {"potrf", "trsm", "syrk", "gemm"};
static const int kernel_matrices[KERNELS] = {1, 2, 2, 3};
static const char *const method_name[METHODS] = {"sooth", "alpha-s-beta", "a-s-b-plus-c"};
static const char *const device_name[DEVICES] = {"cpu", "opencl"};

typedef struct errors {
    double relative[MOST];
    int count;
} errors;

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double mean(const errors *e) {
    double sum = 0.0;
    for (int i = 0; i < e->count; ++i) sum += e->relative[i] / e->count;
    return sum;
}

static double median(errors *e) {
    qsort(e->relative, (size_t)e->count, sizeof *e->relative, by_value);
    return e->count ? 0.5 * (e->relative[(e->count - 1) / 2] + e->relative[e->count / 2]) : 0.0;
}

static void read_file(samples_file *file, const char *folder, const char *kernel, const char *model,
                      const char *host) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s_%s.%s", folder, kernel, model, host);
    if (samples_read(file, path)) return;
    fprintf(stderr, "sizes: %s\n", file->sentence);
    exit(1);
}

static int print_entries(const char *path) {
    static samples_file file;
    if (!samples_read(&file, path)) {
        fprintf(stderr, "sizes: %s\n", file.sentence);
        return 1;
    }
    for (int p = 0; p < file.parts; ++p) {
        const int type = file.part[p].type;
        printf("# performance model for %s%d_impl%d\n",
               type == SAMPLES_OPENCL ? "opencl"
               : type == SAMPLES_CUDA ? "cuda"
                                      : "cpu",
               file.part[p].device, file.part[p].implementation);
        for (int i = 0; i < file.count; ++i) {
            const samples_entry *e = &file.entry[i];
            if (e->part == p)
                printf("%08x\t%.0f\t%e\t%e\t%e\t%.0f\n", (unsigned)e->footprint, e->size, e->flops, e->mean,
                       e->deviation, e->count);
        }
    }
    return 0;
}

int main(int argc, char **argv) {
    static samples_file history, power, nl;
    static errors inside[DEVICES][METHODS], beyond[DEVICES][METHODS];
    const int all = argc == 4 && strcmp(argv[3], "--all") == 0;
    if (argc == 3 && strcmp(argv[1], "--entries") == 0) return print_entries(argv[2]);
    if (argc != 3 && !all) {
        fprintf(stderr, "usage: sizes FOLDER HOST [--all], sizes --entries FILE\n");
        return 2;
    }
    for (int k = 0; k < KERNELS; ++k) {
        read_file(&history, argv[1], kernel_name[k], "history", argv[2]);
        read_file(&power, argv[1], kernel_name[k], "regression", argv[2]);
        read_file(&nl, argv[1], kernel_name[k], "nl", argv[2]);
        for (int d = 0; d < DEVICES; ++d) {
            const int type = d ? SAMPLES_OPENCL : SAMPLES_CPU;
            const samples_part *truth = samples_of(&history, type), *p = samples_of(&power, type),
                               *q = samples_of(&nl, type);
            expected e;
            if (!truth || !p || !q) continue;
            memset(&e, 0, sizeof e);
            samples_learn(&e, &nl, q);
            for (int i = 0; i < history.count; ++i) {
                const samples_entry *is = &history.entry[i];
                const int n = (int)lround(sqrt(is->size / (double)sizeof(double) / kernel_matrices[k]));
                const double us[METHODS] = {expected_known(&e, 0, is->size),
                                            p->alpha * pow(is->size, p->beta),
                                            q->a * pow(is->size, q->b) + q->c};
                errors(*to)[METHODS] = is->size > p->most ? beyond : inside;
                if (&history.part[is->part] != truth || !samples_unseen(n) || is->count < 1.0) continue;
                if (all) printf("%-5s %-6s %4d %9.1f us:", kernel_name[k], device_name[d], n, is->mean);
                for (int m = 0; m < METHODS; ++m) {
                    if (all) printf("  %s %.1f", method_name[m], us[m]);
                    if (us[m] == us[m]) to[d][m].relative[to[d][m].count++] = fabs(us[m] / is->mean - 1.0);
                }
                if (all) printf("\n");
            }
            sooth_linear_free(NULL, e.law);
        }
    }
    printf("%-20s %8s %8s %8s %8s %8s\n", "error, %", "mean", "median", "sizes", "beyond", "sizes");
    for (int d = 0; d < DEVICES; ++d)
        for (int m = 0; m < METHODS; ++m) {
            errors *in = &inside[d][m], *out = &beyond[d][m];
            char name[32];
            snprintf(name, sizeof name, "%s:%s", device_name[d], method_name[m]);
            printf("%-20s %8.1f %8.1f %8d %8.1f %8d\n", name, 100.0 * mean(in), 100.0 * median(in), in->count,
                   100.0 * mean(out), out->count);
        }
    return 0;
}
