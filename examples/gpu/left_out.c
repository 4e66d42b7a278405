/* left_out.c - pictures of gpu_time.h: each known GPU left out, predicted against measured, next to rivals;
 * and the rooflines with measured operators on them.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/gpu_left_out FOLDER [--out PICTURES]
 *
 * FOLDER holds the operators of Lee et al. (NeuSight, ASPLOS 2025), as times.c reads them. If it does not
 * exist the program prints a note and ends with success. Our predictions of a GPU are by models fitted
 * without it. The rivals' figures are those that the authors published. They were trained with these five
 * GPUs, so theirs is the easier task.
 */
#define main times_main /* its reading, its fits */
#include "times.c"
#undef main
#include "../common/picture.h"

enum { OURS = RIVALS, TELLERS, LEAST_OPERATIONS = 1000000, ROOF = 120 };

static const char *const teller_name[TELLERS] = {"roofline", "Habitat", "Li et al.", "NeuSight",
                                                 "sooth, this GPU left out"};

/* Sums of a class (CLASSES: end to end) over a network, measured and predicted. */
typedef struct told {
    double measured, said[TELLERS];
    unsigned network, class;
} told;

/* All sums of networks on one GPU (GPUS: any) that are or are not out of distribution (2: either). */
static size_t gather_told(const study *s, double left[64][CLASSES + 1], unsigned gpu, int ood, told *out) {
    size_t n = 0;
    for (unsigned i = 0; i < s->networks; ++i)
        for (unsigned c = 0; c <= CLASSES; ++c) {
            const network *of = &s->network[i];
            if ((gpu < GPUS && of->gpu != gpu) || (ood < 2 && of->ood != ood) || !(left[i][c] > 0.0))
                continue;
            out[n].network = i;
            out[n].class = c;
            out[n].measured = of->sum[c];
            for (unsigned r = 0; r < RIVALS; ++r) out[n].said[r] = of->theirs[c][r];
            out[n++].said[OURS] = left[i][c] * of->sum[c];
        }
    return n;
}

static const char *class_text(unsigned c) { return c < CLASSES ? class_name[c] : "end to end"; }

/* ---- predicted against measured ---- */

static void draw_against(const study *s, const told *t, size_t count, unsigned gpu, const char *folder) {
    double *x = (double *)calloc(2 * TELLERS * count + 1, sizeof *x), *y = x + TELLERS * count;
    uint32_t *series = (uint32_t *)calloc(TELLERS * count + 1, sizeof *series);
    char(*label)[96] = (char(*)[96])calloc(TELLERS * count + 1, sizeof *label), name[80], title[120];
    const char **labels = (const char **)calloc(TELLERS * count + 1, sizeof *labels);
    size_t n = 0;
    if (!x || !series || !label || !labels) die("no memory");
    for (unsigned k = 0; k < TELLERS; ++k)
        for (size_t i = 0; i < count; ++i) {
            if (!(t[i].said[k] > 0.0)) continue;
            x[n] = t[i].measured;
            y[n] = t[i].said[k];
            series[n] = k;
            snprintf(label[n], sizeof label[n], "%s, %s", s->network[t[i].network].name,
                     class_text(t[i].class));
            labels[n] = label[n];
            ++n;
        }
    snprintf(name, sizeof name, "left_out_%s.svg", ours[gpu]);
    snprintf(title, sizeof title,
             "Classes of operators of whole networks on %s, left out of sooth's training", their[gpu]);
    const svg_points chart = {.frame.title = title,
                              .x = x,
                              .y = y,
                              .count = n,
                              .series = series,
                              .series_names = teller_name,
                              .series_count = TELLERS,
                              .labels = labels,
                              .x_title = "measured, ms",
                              .y_title = "predicted, ms",
                              .logarithmic = 1,
                              .diagonal = 1};
    picture_draw(folder, name, svg_scatter, &chart);
    free(x);
    free(series);
    free(label);
    free(labels);
}

/* ---- errors ---- */

/* Mean |predicted / measured - 1| of one class in per cent. NaN: no predictions. */
static double error_of(const told *t, size_t count, unsigned class, unsigned teller) {
    double sum = 0.0, n = 0.0;
    for (size_t i = 0; i < count; ++i) {
        if (t[i].class != class || !(t[i].said[teller] > 0.0)) continue;
        sum += fabs(t[i].said[teller] / t[i].measured - 1.0);
        n += 1.0;
    }
    return n > 0.0 ? 100.0 * sum / n : (double)NAN;
}

static void errors(const told *t, size_t count, int ood, const char *folder) {
    static char text[TELLERS * (CLASSES + 1)][64];
    const char *names[TELLERS * (CLASSES + 1)];
    double value[TELLERS * (CLASSES + 1)];
    uint32_t series[TELLERS * (CLASSES + 1)];
    size_t n = 0;
    printf("\n%s: mean error in %%\n  %-26s",
           ood ? "networks out of distribution" : "networks in distribution", "");
    for (unsigned c = 0; c <= CLASSES; ++c) printf(" %10s", class_text(c));
    printf("\n");
    for (unsigned k = TELLERS; k-- > 0;) {
        printf("  %-26s", teller_name[k]);
        for (unsigned c = 0; c <= CLASSES; ++c) printf(" %10.1f", error_of(t, count, c, k));
        printf("\n");
    }
    for (unsigned c = 0; c <= CLASSES; ++c)
        for (unsigned k = TELLERS; k-- > 0;) {
            snprintf(text[n], sizeof text[n], "%s: %s", class_text(c), k == OURS ? "sooth" : teller_name[k]);
            names[n] = text[n];
            series[n] = k;
            value[n++] = error_of(t, count, c, k);
        }
    const svg_bar_chart chart = {.frame.title = ood ? "Mean error over networks out of distribution; sooth "
                                                      "with the GPU left out"
                                                    : "Mean error over networks in distribution; sooth "
                                                      "with the GPU left out",
                                 .value = value,
                                 .names = names,
                                 .count = n,
                                 .series = series,
                                 .unit = " %"};
    picture_draw(folder, ood ? "left_out_errors_unseen.svg" : "left_out_errors.svg", svg_bars, &chart);
}

/* ---- rooflines ---- */

/* The roof of a GPU, and its measured operators of real networks below it. */
static void draw_roof(study *s, unsigned gpu, const char *folder) {
    static const char *const names[SOOTH_GPU_LAWS + 2] = {
        "bmm", "linear", "element-wise", "softmax", "layer norm", "copies", "roof", "its power limit"};
    static double x[2 * ROOF + 6000], y[2 * ROOF + 6000];
    static uint32_t series[2 * ROOF + 6000];
    char name[80], title[120];
    sooth_ceilings c;
    size_t n = 0;
    sooth_roofline_ceilings(&s->gpu[gpu], &c);
    const double peak = c.compute[SOOTH_COMPUTE_SINGLE];
    const double held = c.sustained > 0.0 && c.sustained < peak ? c.sustained : peak;
    for (size_t i = 0; i < s->rows && n < 6000; ++i) {
        const row *r = &s->row[i];
        sooth_work work;
        if (r->gpu != gpu || r->set != 1 || sooth_operator_work(&s->env, &r->op, &work) != SOOTH_OK) continue;
        const double operations = work.operations[SOOTH_COMPUTE_SINGLE];
        if (operations < LEAST_OPERATIONS) continue; /* launches, not work */
        x[n] = operations / work.memory_bytes;
        y[n] = 1e-6 * operations / r->ms;
        series[n++] = r->law;
    }
    for (unsigned i = 0; i < 2 * ROOF; ++i) { /* the short kernels' roof, then that of the power limit */
        const double at = 0.0625 * pow(2.0, 15.0 * (i % ROOF) / (ROOF - 1)), top = i < ROOF ? peak : held;
        if (i >= ROOF && !(held < peak && at * c.memory > held)) continue;
        x[n] = at;
        y[n] = 1e-9 * (at * c.memory < top ? at * c.memory : top);
        series[n++] = SOOTH_GPU_LAWS + i / ROOF;
    }
    snprintf(name, sizeof name, "roof_%s.svg", ours[gpu]);
    snprintf(title, sizeof title, "Measured operators of networks under the roofline of %s", their[gpu]);
    const svg_points chart = {.frame.title = title,
                              .x = x,
                              .y = y,
                              .count = n,
                              .series = series,
                              .series_names = names,
                              .series_count = SOOTH_GPU_LAWS + 2,
                              .x_title = "operations for each byte that must travel",
                              .y_title = "1e9 operations a second",
                              .logarithmic = 1};
    picture_draw(folder, name, svg_scatter, &chart);
}

int main(int count, char **word) {
    static study s;
    static double left[64][CLASSES + 1];
    static told t[64 * (CLASSES + 1)];
    const char *folder = count == 4 && strcmp(word[2], "--out") == 0 ? word[3] : NULL;
    char path[600];
    if (count != 2 && !folder) die("usage: gpu_left_out FOLDER [--out PICTURES]");
    snprintf(path, sizeof path, "%s/networks_known_gpus/networks.csv", word[1]);
    FILE *there = fopen(path, "rb");
    if (!there) {
        printf("skipped: the measured operators of github.com/sitar-lab/NeuSight are not here (no %s)\n",
               path);
        return 0;
    }
    fclose(there);
    sooth_env_init(&s.env);
    s.row = (row *)calloc(MOST_ROWS, sizeof *s.row);
    if (!s.row) die("no memory");
    for (unsigned g = 0; g < GPUS; ++g)
        if (sooth_gpu_named(&s.env, ours[g], &s.gpu[g]) != SOOTH_OK) die(s.env.sentence);
    read_operators(&s, word[1], "train_bmm.csv", 0);
    read_operators(&s, word[1], "train_linear.csv", 0);
    read_operators(&s, word[1], "train_vector.csv", 0);
    read_operators(&s, word[1], "test_known_gpus.csv", 1);
    read_networks(&s, word[1]);
    printf("Times of networks on unseen GPUs: each of five left out, by gpu_time.h\n");
    for (unsigned g = 0; g < GPUS; ++g) {
        sooth_gpu_times out;
        draw_roof(&s, g, folder);
        fit_all(&s, &out, g);
        judge(&s, &out, g, 0, left);
        draw_against(&s, t, gather_told(&s, left, g, 2, t), g, folder);
    }
    for (int ood = 0; ood < 2; ++ood) errors(t, gather_told(&s, left, GPUS, ood, t), ood, folder);
    printf("\n"
           "The rivals were fitted to these five GPUs. sooth was fitted to the other four each time.\n");
    free(s.row);
    return 0;
}
