/* test_workloads.c - the workloads compute what they claim; stage, measuring and records do as promised.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Results are compared with a second, plain way to compute them. Nothing here depends on how long anything
 * takes.
 */
#define _GNU_SOURCE
#define SOOTH_IMPLEMENTATION
#include "../../examples/common/svg.c"
#include "sooth/csv.h"
#include "sooth/fairness.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include "../../examples/colocate/counters.c"
#include "../../examples/colocate/energy.c"
#include "../../examples/colocate/contend.c"
#include "../../examples/colocate/measure.c"
#include "../../examples/colocate/pressure.c"
#include "../../examples/colocate/records.c"
#include "../../examples/colocate/scaling.c"

/* Set, the system does not tell what its caches are, and a stage takes the last one for 8 MiB. */
static int untold;
static inline FILE *told(const char *path, const char *mode) { return untold ? NULL : fopen(path, mode); }
#define fopen told
#include "../../examples/colocate/stage.c"
#undef fopen

#include "../../examples/colocate/workloads.c"
#undef SOOTH_IMPLEMENTATION /* of the study only the declarations: two of its functions stand in below */
#include "../../examples/colocate/placement.c"
#include "check.h"

static void *must_create(uint32_t kind, uint32_t size) {
    void *state = workload_create(kind, size, 42);
    if (!state) {
        printf("no memory for the test\n");
        exit(1);
    }
    return state;
}

/* ---- workloads ---- */

static void table_is_complete(void) {
    uint32_t k, s, other;
    for (k = 0; k < WORKLOADS; ++k) {
        CHECK(strlen(workloads[k].name) > 0 && !strchr(workloads[k].name, ' ') &&
              strlen(workloads[k].what) > 10);
        for (other = 0; other < k; ++other) CHECK(strcmp(workloads[k].name, workloads[other].name) != 0);
        for (s = 0; s < WORKLOAD_SIZES; ++s) {
            CHECK(workloads[k].size[s].n ==
                  (uint32_t)atoi(workloads[k].size[s].label)); /* the width, for images */
            if (s > 0) CHECK(workload_bytes(k, s) > workload_bytes(k, s - 1));
        }
        CHECK(workload_bytes(k, 0) < (size_t)1 << 20);
    }
    CHECK(workload_bytes(WORKLOADS, 0) == 0 && workload_bytes(0, WORKLOAD_SIZES) == 0);
    CHECK(workload_create(WORKLOADS, 0, 1) == NULL && workload_create(0, WORKLOAD_SIZES, 1) == NULL);
    workload_destroy(NULL);
}

static void same_seed_same_work(void) {
    uint32_t k;
    for (k = 0; k < WORKLOADS; ++k) {
        void *a = must_create(k, 0), *b = must_create(k, 0), *c = workload_create(k, 0, 43);
        uint32_t first = 0, second = 0, third = 0;
        int unit;
        for (unit = 0; unit < 6; ++unit) {
            first = mix(first, workload_run(k, a));
            second = mix(second, workload_run(k, b));
            third = mix(third, workload_run(k, c));
        }
        CHECK(first == second);
        CHECK(first != third);
        workload_destroy(a);
        workload_destroy(b);
        workload_destroy(c);
    }
}

/* Every size runs; with a sanitizer this also shows that none leaves its memory. */
static void every_size_runs(void) {
    uint32_t k, s;
    for (k = 0; k < WORKLOADS; ++k)
        for (s = 0; s < WORKLOAD_SIZES; ++s) {
            void *state = must_create(k, s);
            uint32_t sum = workload_warm(k, s, state);
            sum = mix(sum, workload_run(k, state));
            CHECK(sum != 0);
            workload_destroy(state);
        }
}

/* Nine in a row, by walking around the ring from every start. */
static int plain_corner(const uint8_t *image, uint32_t width, uint32_t x, uint32_t y) {
    int sign, start, k, p = image[y * width + x];
    for (sign = -1; sign <= 1; sign += 2)
        for (start = 0; start < 16; ++start) {
            for (k = 0; k < 9; ++k) {
                const int *d = corner_ring[(start + k) % 16];
                int v = image[(int)(y * width + x) + d[1] * (int)width + d[0]];
                if (sign * (v - p) <= CORNER_THRESHOLD) break;
            }
            if (k == 9) return 1;
        }
    return 0;
}

static void corners_are_found(void) {
    corners *s = (corners *)must_create(WORKLOAD_CORNERS, 0);
    uint32_t width = s->h.n, height = height_of(width), band, x, y, at, all = 0;
    for (band = 0; band < height / BAND; ++band) {
        corners_run(s);
        at = 0;
        for (y = band * BAND; y < (band + 1) * BAND; ++y)
            for (x = 3; x < width - 3; ++x) {
                if (y < 3 || y >= height - 3 || !plain_corner(s->pixel, width, x, y)) continue;
                CHECK(at < s->count && s->found[at] == y * width + x);
                ++at;
            }
        CHECK(at == s->count);
        all += s->count;
    }
    CHECK(all > 50 && all < width * height / 20);
    workload_destroy(s);
}

static void gradients_are_counted(void) {
    gradients *s = (gradients *)must_create(WORKLOAD_GRADIENTS, 0);
    uint32_t width = s->h.n, height = height_of(width), x, y, k;
    size_t cells = (size_t)(width / CELL) * (height / CELL) * ORIENTATIONS, i;
    double votes = 0.0, lengths = 0.0, square = 0.0;
    int dx, dy;
    for (dx = -40; dx <= 40; ++dx)
        for (dy = -40; dy <= 40; ++dy) {
            double angle = atan2(dy, dx) * 180.0 / 3.14159265358979323846;
            if (dx == 0 && dy == 0) continue;
            if (angle < 0.0) angle += 180.0;
            if (angle >= 180.0) angle -= 180.0;
            CHECK(orientation(s, (float)dx, (float)dy) == (uint32_t)(angle / 20.0 + 1e-9));
        }
    for (k = 0; k < height / BAND; ++k) gradients_run(s);
    for (y = 0; y < height; ++y)
        for (x = 0; x < width; ++x) {
            dx = s->pixel[y * width + (x + 1 < width ? x + 1 : x)] - s->pixel[y * width + (x ? x - 1 : 0)];
            dy = s->pixel[(y + 1 < height ? y + 1 : y) * width + x] - s->pixel[(y ? y - 1 : 0) * width + x];
            lengths += sqrt((double)(dx * dx + dy * dy));
        }
    for (i = 0; i < cells; ++i) votes += (double)s->histogram[i];
    CHECK_CLOSE(votes, lengths, 1e-5);
    for (k = 0; k < 4 * ORIENTATIONS; ++k) square += (double)s->block[k] * (double)s->block[k];
    CHECK_NEAR(square, 1.0, 1e-3);
    workload_destroy(s);
}

static void blur_is_the_mean(void) {
    blur *s = (blur *)must_create(WORKLOAD_BLUR, 0);
    int width = (int)s->h.n, height = (int)height_of(s->h.n), x, y, dx, dy, bad = 0;
    for (y = 0; y < height / BAND; ++y) blur_run(s);
    for (y = 0; y < height; ++y)
        for (x = 0; x < width; ++x) {
            int sum = 0;
            for (dy = -3; dy <= 3; ++dy)
                for (dx = -3; dx <= 3; ++dx) {
                    int at_x = x + dx < 0 ? 0 : x + dx >= width ? width - 1 : x + dx;
                    int at_y = y + dy < 0 ? 0 : y + dy >= height ? height - 1 : y + dy;
                    sum += s->pixel[at_y * width + at_x];
                }
            bad += s->out[y * width + x] != (sum + 24) / 49;
        }
    CHECK(bad == 0);
    workload_destroy(s);
}

static long plain_sum(const faces *s, uint32_t x, uint32_t y, uint32_t width, uint32_t height) {
    long sum = 0;
    uint32_t i, k;
    for (i = 0; i < height; ++i)
        for (k = 0; k < width; ++k) sum += s->pixel[(y + i) * s->h.n + x + k];
    return sum;
}

static int plain_window(const faces *s, uint32_t x, uint32_t y) {
    int part, k;
    for (part = 0; part < STAGES; ++part) {
        int votes = 0;
        for (k = 0; k < STAGE_FEATURES; ++k) {
            const face_feature *f = &s->feature[part * STAGE_FEATURES + k];
            uint32_t right = f->upright ? 0u : f->width, down = f->upright ? f->height : 0u;
            CHECK(f->left + right + f->width <= WINDOW && f->top + down + f->height <= WINDOW);
            votes += plain_sum(s, x + f->left, y + f->top, f->width, f->height) >
                     plain_sum(s, x + f->left + right, y + f->top + down, f->width, f->height);
        }
        if (votes < STAGE_FEATURES / 2) return 0;
    }
    return 1;
}

static void faces_pass_the_stages(void) {
    faces *s = (faces *)must_create(WORKLOAD_FACES, 0);
    uint32_t width = s->h.n, height = height_of(width), x, y, band, found = 0, expected = 0, windows = 0;
    for (band = 0; band < height / BAND; ++band) {
        faces_run(s);
        found += s->count;
    }
    CHECK(s->integral[(size_t)height * (width + 1) + width] == (uint32_t)plain_sum(s, 0, 0, width, height));
    for (y = 0; y + WINDOW <= height; y += WINDOW_STEP)
        for (x = 0; x + WINDOW <= width; x += WINDOW_STEP) {
            ++windows;
            expected += (uint32_t)plain_window(s, x, y);
        }
    CHECK(found == expected);
    CHECK(found > 0 && found < windows / 2); /* some pass, most do not */
    workload_destroy(s);
}

static void nearest_by_sorting(void) {
    neighbours *s = (neighbours *)must_create(WORKLOAD_NEIGHBOURS, 0);
    uint32_t q, i, k;
    for (q = 0; q < 8; ++q) {
        const float *query = s->query + (size_t)q * POINT;
        double distance[512], sorted[512];
        for (i = 0; i < s->h.n; ++i) {
            distance[i] = 0.0;
            for (k = 0; k < POINT; ++k) {
                double d = (double)query[k] - (double)s->point[(size_t)i * POINT + k];
                distance[i] += d * d;
            }
            sorted[i] = distance[i];
        }
        qsort(sorted, s->h.n, sizeof sorted[0], ascending);
        find_nearest(s, query);
        for (k = 0; k < NEAREST; ++k) {
            CHECK_CLOSE(s->distance[k], sorted[k], 1e-5);
            CHECK_CLOSE(distance[s->index[k]], sorted[k], 1e-5);
        }
    }
    workload_destroy(s);
}

static void decisions_match_exp(void) {
    vectors *s = (vectors *)must_create(WORKLOAD_VECTORS, 0);
    uint32_t q, i, k;
    for (q = 0; q < 8; ++q) {
        const float *query = s->query + (size_t)q * VECTOR;
        double sum = 0.0, size = 0.0;
        for (i = 0; i < s->h.n; ++i) {
            double d = 0.0, term;
            for (k = 0; k < VECTOR; ++k) d += pow((double)query[k] - (double)s->vector[i * VECTOR + k], 2.0);
            term = (double)s->weight[i] * exp(-0.25 * d);
            sum += term;
            size += fabs(term);
        }
        CHECK_NEAR(decision(s, query), sum, 1e-5 * size);
    }
    workload_destroy(s);
}

static void products_match(void) {
    matrix *s = (matrix *)must_create(WORKLOAD_MATRIX, 0);
    uint32_t n = s->h.n, i, j, k, unit;
    for (unit = 0; unit < n / 8; ++unit) matrix_run(s);
    for (i = 0; i < n; ++i)
        for (j = 0; j < n; ++j) {
            double sum = 0.0;
            for (k = 0; k < n; ++k) sum += (double)s->a[i * n + k] * (double)s->b[k * n + j];
            CHECK_NEAR(s->c[i * n + j], sum, 1e-5);
        }
    for (k = 0; k < WORKLOAD_SIZES; ++k) CHECK(workloads[WORKLOAD_MATRIX].size[k].n % (k < 2 ? 8 : 2) == 0);
    workload_destroy(s);
}

static int by_key(const void *a, const void *b) {
    uint32_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static void keys_are_sorted(void) {
    sort *s = (sort *)must_create(WORKLOAD_SORT, 1);
    uint32_t *expected = (uint32_t *)malloc(s->h.n * sizeof *expected);
    CHECK(expected != NULL);
    if (!expected) return;
    memcpy(expected, s->source, s->h.n * sizeof *expected);
    qsort(expected, s->h.n, sizeof *expected, by_key);
    sort_run(s);
    CHECK(memcmp(expected, s->key, s->h.n * sizeof *expected) == 0);
    free(expected);
    workload_destroy(s);
}

static void keys_are_counted(void) {
    hash *s = (hash *)must_create(WORKLOAD_HASH, 0);
    noise stream = s->stream;
    uint64_t count[1024], total = 0;
    uint32_t i, unit, used = 0;
    CHECK(s->h.n == 1024);
    for (i = 0; i < 1024; ++i) count[i] = 1;
    for (unit = 0; unit < 3; ++unit) {
        hash_run(s);
        for (i = 0; i < HASH_BATCH; ++i) ++count[noise_below(&stream, 1024)];
    }
    for (i = 0; i < 1024; ++i) CHECK(hash_find(s, hash_key(i))->count == count[i]);
    for (i = 0; i < 2048; ++i) {
        used += s->slot[i].key != 0;
        total += s->slot[i].count;
    }
    CHECK(used == 1024);
    CHECK(total == 1024 + 3 * HASH_BATCH && s->counted == total);
    workload_destroy(s);
}

static void keys_are_looked_up(void) {
    tree *s = (tree *)must_create(WORKLOAD_TREE, 0);
    uint32_t key, unit, found = 0;
    for (key = 0; key < 2 * s->h.n + 4; ++key) {
        const tree_node *node = tree_find(s, key);
        CHECK((node != NULL) == (key % 2 == 1 && key < 2 * s->h.n));
        if (node) CHECK(node->key == key && node->value == mix(0, key / 2));
    }
    for (unit = 0; unit < 20; ++unit) {
        tree_run(s);
        found += s->found;
    }
    CHECK_NEAR((double)found / (20.0 * TREE_BATCH), 0.5, 0.02); /* every second key is there */
    workload_destroy(s);
}

static void heat_is_conserved(void) {
    stencil *s = (stencil *)must_create(WORKLOAD_STENCIL, 0);
    size_t n = s->h.n, count = n * n, i, at = 5; /* in the first row: its neighbour above is in the last */
    double before = 0.0, after = 0.0, size = 0.0;
    for (i = 0; i < count; ++i) before += (double)s->now[i];
    for (i = 0; i < 20; ++i) stencil_run(s);
    for (i = 0; i < count; ++i) {
        after += (double)s->now[i];
        size += fabs((double)s->now[i]);
    }
    CHECK_NEAR(after, before, 1e-6 * size + 1e-3);
    memset(s->now, 0, count * sizeof *s->now);
    s->now[at] = 1.0f;
    stencil_run(s);
    CHECK_NEAR(s->now[at], 0.5, 0.0);
    CHECK_NEAR(s->now[at - 1], 0.125, 0.0);
    CHECK_NEAR(s->now[at + 1], 0.125, 0.0);
    CHECK_NEAR(s->now[at + n], 0.125, 0.0);
    CHECK_NEAR(s->now[(n - 1) * n + at], 0.125, 0.0);
    memset(s->now, 0, count * sizeof *s->now);
    s->now[0] = 1.0f;
    stencil_run(s);
    CHECK_NEAR(s->now[n - 1], 0.125, 0.0); /* the last column lies beside the first */
    workload_destroy(s);
}

static void sparse_products_match(void) {
    sparse *s = (sparse *)must_create(WORKLOAD_SPARSE, 0);
    uint32_t i, k;
    sparse_run(s);
    for (i = 0; i < s->h.n; ++i) {
        double sum = 0.0;
        for (k = 0; k < ROW_ENTRIES; ++k) {
            CHECK(s->column[i * ROW_ENTRIES + k] < s->h.n);
            sum += (double)s->entry[i * ROW_ENTRIES + k] * (double)s->x[s->column[i * ROW_ENTRIES + k]];
        }
        CHECK_NEAR(s->product[i], sum, 1e-5);
    }
    workload_destroy(s);
}

static void axpy_comes_back(void) {
    axpy *s = (axpy *)must_create(WORKLOAD_AXPY, 1);
    size_t bytes = s->h.n * sizeof(float);
    float *y = (float *)malloc(bytes);
    uint32_t i, slices = s->h.n / AXPY_SLICE, bad = 0;
    CHECK(y != NULL);
    if (!y) return;
    memcpy(y, s->y, bytes);
    for (i = 0; i < slices; ++i) axpy_run(s);
    for (i = 0; i < s->h.n; ++i) bad += s->y[i] < y[i] + s->x[i] || s->y[i] > y[i] + s->x[i];
    CHECK(bad == 0);
    for (i = 0; i < slices; ++i) axpy_run(s);
    CHECK(memcmp(y, s->y, bytes) == 0);
    free(y);
    workload_destroy(s);
}

/* ---- microbenchmarks ---- */

static void micros_read_what_they_say(void) {
    micros *m = load_micros(0);
    const uint32_t *image;
    uint32_t x, y, temporary = 0;
    size_t i;
    CHECK(m != NULL);
    if (!m) return;
    CHECK(m->images.count == 8);
    CHECK(micro_images_count((size_t)32 << 20) * MICRO_PIXELS * 4 > (size_t)64 << 20); /* twice the cache */
    CHECK(micro_images_count((size_t)1 << 30) == 200);

    image = m->images.pixel;
    micro_high_step(&m->high);
    CHECK(m->images.next == 1);
    for (y = 0; y < MICRO_HEIGHT; y += 37)
        for (x = 0; x < MICRO_WIDTH; x += 11)
            CHECK(m->sums[y][x] == m->from[y][x] + image[y * MICRO_WIDTH + x]);

    image = m->images.pixel + MICRO_PIXELS;
    for (i = 0; i < MICRO_PIXELS; ++i)
        temporary = (m->array[i % MICRO_ARRAY] + 1) ^ (3 * temporary + image[i]);
    CHECK(micro_medium_step(&m->medium) == temporary);
    CHECK(m->images.next == 2);

    x = micro_low_step(&m->low);
    CHECK(micro_low_step(&m->low) == x && m->images.next == 2); /* the same image */

    for (i = 2; i < 8; ++i) micro_high_step(&m->high);
    CHECK(m->images.next == 0); /* in turn */
    free(m);
}

/* ---- counters ---- */

static void counters_count_or_say_why(void) {
    static const int error[] = {0, ENOENT, EACCES, EPERM, ENOSYS, EINVAL};
    counters c;
    double value[COUNTERS];
    volatile uint32_t work = 0;
    size_t i;
    for (i = 0; i < sizeof error / sizeof error[0]; ++i)
        CHECK(strstr(counters_reason(error[i]), "counted") != NULL);
    counters_open(&c);
    while (work < 100000) work = work + 1;
    counters_read(&c, value);
    for (i = 0; i < COUNTERS; ++i) {
        if (isnan(value[i])) CHECK(c.error != 0);
        else if (i != COUNTER_LLC_MISSES) CHECK(value[i] > 10000.0);
    }
    counters_close(&c);
    if (c.error) CHECK_SKIP(counters_reason(c.error));
}

/* ---- what asks the system ---- */

static int open_files(void) {
    int count = 0;
    for (int fd = 0; fd < 256; ++fd) count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

/* The checksums that these units have, by the inputs alone. */
static uint32_t plain_system(uint32_t kind, const void *state) {
    uint32_t sum = 0;
    if (kind == WORKLOAD_SCRATCH) {
        const scratch *s = (const scratch *)state;
        for (uint32_t page = s->h.n / 4096; page-- > 0;)
            for (uint32_t k = 0; k < 16; ++k) sum = mix(sum, s->source[page * 16 + k]);
    } else if (kind == WORKLOAD_REQUESTS) {
        const requests *s = (const requests *)state;
        for (uint32_t i = 0; i < 32; ++i) sum = mix(mix(sum, s->message[i * (s->h.n / 4)]), 0);
    } else if (kind == WORKLOAD_JOURNAL) {
        const journal *s = (const journal *)state;
        for (uint32_t first = 0; first < s->h.n / 4; first += 1024) {
            for (uint32_t k = 0; k < 16; ++k) sum = mix(sum, s->source[first + k]);
            sum = mix(sum, s->source[first + 1023]);
        }
    } else {
        const pipes *s = (const pipes *)state;
        for (uint32_t i = 0; i < 16; ++i) {
            uint32_t word = s->message[i % (s->h.n / 4)];
            sum = mix(sum, word % 65536 * 65536 + word / 65536);
        }
    }
    return sum;
}

/* Every size does what it says, leaves no file open, and does the same where the system refuses files. */
static void the_system_is_asked(void) {
    struct rlimit kept, none;
    for (uint32_t k = WORKLOAD_SCRATCH; k <= WORKLOAD_PIPES; ++k)
        for (uint32_t s = 0; s < WORKLOAD_SIZES; ++s) {
            void *state = must_create(k, s);
            const int before = open_files();
            CHECK(workload_run(k, state) == plain_system(k, state));
            CHECK(workload_run(k, state) == plain_system(k, state));
            CHECK(open_files() == before);
            workload_destroy(state);
        }
    if (getrlimit(RLIMIT_NOFILE, &kept) != 0) CHECK_SKIP("the number of files has no limit here");
    none = kept;
    none.rlim_cur = 3;
    for (uint32_t k = WORKLOAD_REQUESTS; k <= WORKLOAD_PIPES; ++k) {
        void *state = must_create(k, 1);
        uint32_t sum;
        setrlimit(RLIMIT_NOFILE, &none);
        sum = workload_run(k, state);
        setrlimit(RLIMIT_NOFILE, &kept);
        CHECK(sum == plain_system(k, state));
        CHECK(workload_refused(state) == 1);
        workload_run(k, state);
        CHECK(workload_refused(state) <= 2);
        workload_destroy(state);
    }
}

/* ---- statistics and plan ---- */

static void medians_and_quartiles(void) {
    double odd[5] = {10, 1, 3, 2, 4}, even[4] = {4, 1, 3, 2}, ones[5] = {1, 1, 1, 1, 1};
    CHECK_NEAR(summarize(odd, 5).value, 3.0, 0.0);
    CHECK_NEAR(summarize(odd, 5).spread, 1.0, 0.0); /* quartiles 2 and 4, as numpy.quantile */
    CHECK_NEAR(summarize(even, 4).value, 2.5, 0.0);
    CHECK_NEAR(summarize(even, 4).spread, 0.75, 1e-15); /* 1.75 and 3.25 */
    CHECK_NEAR(summarize(odd, 1).value, 10.0, 0.0);
    CHECK_NEAR(summarize(odd, 1).spread, 0.0, 0.0);
    CHECK_NEAR(summarize_ratio(odd, ones, 5).value, 3.0, 0.0);
    CHECK_NEAR(measure_fairness(1.0, 1.0), 1.0, 0.0);
    CHECK_NEAR(measure_fairness(2.0, 0.5), 1.0, 0.0); /* both at half speed is fair */
    CHECK_NEAR(measure_fairness(2.0, 1.0), 0.5, 0.0);
    CHECK_NEAR(measure_fairness(1.0, 0.25), 0.25, 0.0);
}

static void plan_covers_everything(void) {
    static measure_bag bag[MEASURE_MOST_BAGS], again[MEASURE_MOST_BAGS];
    uint32_t seen[WORKLOADS][WORKLOADS], uses[MEASURE_TASKS], a, b, k,
        size[STAGE_TASKS + 1] = {0, 0, 0, 0, 0, 0};
    size_t n = measure_plan(7, 50.0, NULL, bag), i;
    memset(seen, 0, sizeof seen);
    memset(uses, 0, sizeof uses);
    CHECK(n == MEASURE_MOST_BAGS);
    CHECK(measure_plan(7, 1e9, NULL, again) == n && memcmp(bag, again, sizeof bag) == 0);
    for (i = 0; i < n; ++i) {
        CHECK(bag[i].tasks >= 2 && bag[i].tasks <= STAGE_TASKS);
        ++size[bag[i].tasks];
        for (k = 0; k < bag[i].tasks; ++k)
            ++uses[bag[i].member[k].task.workload * WORKLOAD_SIZES + bag[i].member[k].task.size];
        if (bag[i].tasks == 2) ++seen[bag[i].member[0].task.workload][bag[i].member[1].task.workload];
    }
    for (a = 0; a < WORKLOADS; ++a)
        for (b = a; b < WORKLOADS; ++b) CHECK(seen[a][b] <= 1);
    CHECK(size[2] == MEASURE_PAIRS); /* so these are as many different pairs */
    for (k = 3; k <= STAGE_TASKS; ++k) CHECK(size[k] == MEASURE_LARGER);
    for (k = 0; k < MEASURE_TASKS; ++k) CHECK(uses[k] >= 5);
    n = measure_plan(8, 10.0, NULL, again);
    CHECK(n > 20 && n < 60);
    CHECK(memcmp(bag, again, sizeof bag[0]) != 0);
    CHECK(measure_plan(8, 0.0, NULL, again) == WORKLOADS + 12);
}

/* Does a workload compute with floats and do nothing else, whatever its size? */
static int floats_alone(uint32_t workload) {
    int alone = 1;
    for (uint32_t size = 0; size < WORKLOAD_SIZES; ++size)
        alone &= pressure_of(workload, size) == PRESSURE_FLOATS;
    return alone;
}

/* A plan is long enough for some of the pairs only: over all seeds each has its turn, as often as chance has
   it. Where it is known what fights, each pair that always does comes more often, and no other is dropped. */
static void plans_drop_no_pair(void) {
    enum { SEEDS = 200 };
    static measure_bag bag[MEASURE_MOST_BAGS];
    static contend_found found;
    const double part = (double)MEASURE_PAIRS / MEASURE_ALL_PAIRS, chance = SEEDS * part,
                 much = 5.0 * sqrt(chance * (1.0 - part)); /* standard deviations of a binomial */
    memset(&found, 0, sizeof found);
    found.slows[PRESSURE_FLOATS][PRESSURE_FLOATS] = 1;
    for (int known = 0; known < 2; ++known) {
        uint32_t seen[WORKLOADS][WORKLOADS] = {{0}}, preferred = 0, others = 0;
        for (uint64_t seed = 0; seed < SEEDS; ++seed) {
            uint32_t now[WORKLOADS][WORKLOADS] = {{0}};
            CHECK(measure_plan(seed, 50.0, known ? &found : NULL, bag) == MEASURE_MOST_BAGS);
            for (size_t i = 0; i < MEASURE_PAIRS; ++i) {
                const uint32_t a = bag[i].member[0].task.workload, b = bag[i].member[1].task.workload;
                CHECK(bag[i].tasks == 2 && a <= b && ++now[a][b] == 1);
                ++seen[a][b];
            }
        }
        for (uint32_t a = 0; a < WORKLOADS; ++a)
            for (uint32_t b = a; b < WORKLOADS; ++b) {
                const int fights = floats_alone(a) && floats_alone(b);
                ++*(fights ? &preferred : &others);
                if (!known) CHECK_NEAR(seen[a][b], chance, much);
                else if (fights) CHECK(seen[a][b] > chance + much);
                else CHECK(seen[a][b] > chance / 2);
            }
        CHECK(preferred > 0 && preferred + others == MEASURE_ALL_PAIRS);
    }
}

/* What fights comes more often, and what does not still comes. */
static void plan_prefers_what_fights(void) {
    static measure_bag bag[MEASURE_MOST_BAGS];
    static contend_found found;
    size_t with = 0, without = 0, other = 0, n = 0;
    memset(&found, 0, sizeof found);
    found.slows[PRESSURE_LATENCY][PRESSURE_BANDWIDTH] = 1;
    found.slows[PRESSURE_FAULTS][PRESSURE_FAULTS] = 1;
    for (uint64_t seed = 0; seed < 20; ++seed) {
        n = measure_plan(seed, 20.0, NULL, bag);
        without += measure_fighting(&found, bag, n);
        CHECK(measure_plan(seed, 20.0, &found, bag) == n);
        with += measure_fighting(&found, bag, n);
        CHECK(measure_fighting(NULL, bag, n) == 0);
    }
    other = 20 * n - with;
    printf("  of %zu bags %zu fight where that is known, %zu where it is not\n", 20 * n, with, without);
    CHECK(with > 3 * without / 2 && other > with / 2);
    bag[0] = pair_of(task_of(WORKLOAD_AXPY, 2), task_of(WORKLOAD_TREE, 2));
    bag[1] = pair_of(task_of(WORKLOAD_AXPY, 2), task_of(WORKLOAD_AXPY, 2));
    bag[2] = pair_of(task_of(WORKLOAD_SCRATCH, 0), task_of(WORKLOAD_SCRATCH, 2));
    CHECK(measure_fighting(&found, bag, 1) == 1 && measure_fighting(&found, bag, 3) == 2);
}

static void scaling_takes_the_axis(void) {
    scaling_line line[SCALING_PROGRAMS];
    for (uint32_t axis = 0; axis <= PRESSURES; ++axis) {
        size_t n = scaling_choose(axis, line);
        int has = axis == PRESSURES;
        for (size_t i = 0; i < n; ++i) {
            has |= (uint32_t)pressure_of(line[i].task.workload, line[i].task.size) == axis;
            CHECK(workload_bytes(line[i].task.workload, line[i].task.size) * 16 <= (size_t)1 << 30);
        }
        CHECK(has && n >= 6 && n <= SCALING_PROGRAMS);
    }
}

/* ---- processes ---- */

static int no_children(void) { return waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD; }

/* Closes the caller's copy as the end of the program would, and waits for the processes: they must end by
   themselves. */
static void processes_end_with_the_caller(void) {
    sooth_env env;
    stage *s;
    int i, status;
    sooth_env_init(&env);
    CHECK_STATUS(stage_open(&env, 2, &s), SOOTH_OK);
    for (i = 0; i < PROCESSES; ++i) {
        close(s->fd[i]);
        s->fd[i] = -1;
    }
    for (i = 0; i < PROCESSES; ++i) {
        CHECK(waitpid(s->pid[i], &status, 0) == s->pid[i]);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        s->pid[i] = 0;
    }
    stage_close(s);
    CHECK(no_children());
}

static void places_are_fair(void) {
    static stage_board board;
    stage s;
    int seen[PROCESSES][3], deal, i;
    uint32_t who;
    memset(&s, 0, sizeof s);
    memset(seen, 0, sizeof seen);
    s.board = &board;
    sooth_rng_init(&s.rng, 1, 0);
    s.about.stage = 3;
    for (deal = 0; deal < 50; ++deal) { /* five tasks on three cores: two, two and one */
        int on[3] = {0, 0, 0};
        take_places(&s, 0x1F, 1);
        for (i = 0; i < STAGE_TASKS; ++i) {
            ++on[board.slot[i].core];
            ++seen[i][board.slot[i].core];
        }
        CHECK(on[0] == 2 && on[1] == 2 && on[2] == 1);
    }
    for (i = 0; i < STAGE_TASKS; ++i) CHECK(seen[i][0] > 5 && seen[i][1] > 5 && seen[i][2] > 2);
    for (who = 1; who < 1u << PROCESSES; ++who) { /* a core each where there are enough */
        uint32_t taken = 0;
        if (bits_of(who) > 3) continue;
        take_places(&s, who, 0);
        for (i = 0; i < PROCESSES; ++i)
            if (who >> i & 1) {
                CHECK(board.slot[i].core >= 0 && board.slot[i].core < 3 &&
                      !(taken >> board.slot[i].core & 1));
                taken |= 1u << board.slot[i].core;
            }
    }
}

static void stage_runs_jobs(void) {
    static const stage_task task[3] = {{WORKLOAD_SORT, 0}, {WORKLOAD_HASH, 0}, {WORKLOAD_TREE, 0}};
    uint64_t units[3] = {3, 3, 3}, calibrated = 0;
    stage_companion low;
    stage_times t;
    sooth_env env;
    stage *s;
    void *state;
    uint32_t sum;
    sooth_env_init(&env);
    CHECK_FAILS(&env, stage_open(&env, 65, &s), SOOTH_BAD_ARGUMENT, "between 1 and 64");
    CHECK(s == NULL);
    stage_close(NULL);
    CHECK_STATUS(stage_open(&env, 0, &s), SOOTH_OK);
    CHECK(stage_about(s)->stage >= 1 && stage_about(s)->stage <= stage_about(s)->cores);
    CHECK_STATUS(stage_load(&env, s, task, 3, 42), SOOTH_OK);
    CHECK_STATUS(stage_run(&env, s, 7u, units, NULL, &t), SOOTH_OK);
    CHECK(t.ms[0] > 0.0 && t.ms[1] > 0.0 && t.ms[2] > 0.0);
    CHECK(t.bag_ms >= t.ms[0] && t.bag_ms >= t.ms[1] && t.bag_ms >= t.ms[2]);
    CHECK_STATUS(stage_run(&env, s, 2u, units, NULL, &t), SOOTH_OK);
    CHECK(t.ms[0] <= 0.0 && t.ms[1] > 0.0 && t.rate <= 0.0);
    CHECK_STATUS(stage_calibrate(&env, s, 2.0, &calibrated), SOOTH_OK);
    CHECK(calibrated >= 1);
    low.micro = MICRO_LOW;
    low.ms = 1.0;
    CHECK_STATUS(stage_run(&env, s, 0u, units, &low, &t), SOOTH_OK);
    CHECK(t.rate > 0.0 && t.bag_ms <= 0.0);
    CHECK_STATUS(stage_run(&env, s, 1u, units, &low, &t), SOOTH_OK);
    CHECK(t.rate > 0.0 && t.ms[0] > 0.0);
    /* the process did the same work as we do: a sort gives the same checksum every time, so that of three is
       that of one */
    state = must_create(WORKLOAD_SORT, 0);
    sum = workload_run(WORKLOAD_SORT, state);
    CHECK(s->board->slot[0].checksum == sum);
    workload_destroy(state);
    stage_close(s);
    CHECK(no_children());
}

static void kernels_run_beside_each_other(void) {
    static const stage_task task = {WORKLOAD_SORT, 0};
    uint64_t steps[PRESSURES], units = 2;
    stage_companion high;
    stage_times t;
    sooth_env env;
    stage *s;
    sooth_env_init(&env);
    untold = 1; /* larger caches would only take longer to fill */
    CHECK_STATUS(stage_open(&env, 2, &s), SOOTH_OK);
    untold = 0;
    CHECK_STATUS(stage_pressure_load(&env, s, 0.2, steps), SOOTH_OK);
    for (uint32_t k = 0; k < PRESSURES; ++k) {
        CHECK(steps[k] >= 2 || k >= PRESSURE_FAULTS);
        if (!steps[k]) continue;
        CHECK_STATUS(stage_pressure_run(&env, s, k, steps[k], PRESSURES, &t), SOOTH_OK);
        CHECK(t.ms[0] > 0.0);
        CHECK(s->board->slot[0].done == steps[k]);
        CHECK_STATUS(stage_pressure_run(&env, s, k, steps[k], PRESSURE_CALLS, &t), SOOTH_OK);
        CHECK(t.ms[0] > 0.0 && s->board->slot[1].done >= 1);
    }
    CHECK_STATUS(stage_load(&env, s, &task, 1, 42), SOOTH_OK); /* a task again */
    stage_press_on(s, PRESSURE_CALLS);
    high.micro = MICRO_HIGH;
    high.ms = 1.0;
    CHECK_STATUS(stage_run(&env, s, 1u, &units, &high, &t), SOOTH_OK);
    CHECK(t.ms[0] > 0.0 && t.rate > 0.0);
    stage_press_on(s, PRESSURES);
    CHECK_STATUS(stage_run(&env, s, 1u, &units, &high, &t), SOOTH_OK);
    CHECK(t.ms[0] > 0.0 && t.rate > 0.0);
    stage_close(s);
    CHECK(no_children());
}

static void a_lost_process_is_a_sentence(void) {
    static const stage_task task = {WORKLOAD_MATRIX, 1};
    const uint64_t units = 1;
    stage_times t;
    sooth_env env;
    stage *s;
    sooth_env_init(&env);
    CHECK_STATUS(stage_open(&env, 2, &s), SOOTH_OK);
    CHECK_STATUS(stage_load(&env, s, &task, 1, 1), SOOTH_OK);
    kill(s->pid[0], SIGKILL);
    CHECK_FAILS(&env, stage_run(&env, s, 1u, &units, NULL, &t), SOOTH_BAD_DATA, "matrix 256");
    CHECK(strstr(env.sentence, "signal 9") != NULL);
    stage_close(s);
    CHECK(no_children());
}

typedef struct listener {
    int calls, cancel_at, out_of_range;
} listener;

static int hear(void *user, const char *what, double done, double seconds_left) {
    listener *l = (listener *)user;
    l->out_of_range |= !(done >= 0.0 && done <= 1.0 && seconds_left >= 0.0) || !what[0];
    return ++l->calls == l->cancel_at;
}

static void bags_are_measured(void) {
    measure_options options;
    measure_bag bag[2];
    listener l = {0, 0, 0};
    sooth_env env;
    measure *m;
    size_t i, k;
    sooth_env_init(&env);
    memset(&options, 0, sizeof options);
    options.progress_fn = hear;
    options.user = &l;
    CHECK_STATUS(measure_open(&env, &options, &m), SOOTH_OK);
    CHECK(strstr(measure_machine(m), "core") != NULL);
    bag[0] = pair_of(task_of(WORKLOAD_VECTORS, 0), task_of(WORKLOAD_HASH, 0));
    bag[1] = pair_of(task_of(WORKLOAD_AXPY, 0), task_of(WORKLOAD_AXPY, 0));
    bag[1].tasks = 3;
    bag[1].member[2].task = task_of(WORKLOAD_BLUR, 0);
    CHECK_STATUS(measure_bags(&env, m, 0.0, bag, 2), SOOTH_OK);
    for (i = 0; i < 2; ++i) {
        CHECK(bag[i].repetitions == (bag[i].tasks > measure_about(m)->stage ? 6 : 3));
        CHECK(bag[i].bag_ms.value > 0.0 && bag[i].bag_ms.spread >= 0.0);
        for (k = 0; k < bag[i].tasks; ++k) {
            const measure_member *member = &bag[i].member[k];
            CHECK(member->alone_ms > 0.0 && member->shared_ms > 0.0 && member->slowdown > 0.0);
            CHECK(bag[i].bag_ms.value >= member->shared_ms); /* a median of maxima is not below that of one */
        }
    }
    CHECK(l.calls == 6 && !l.out_of_range);
    CHECK(measure_disturbance(m) >= 0.0 && measure_disturbance(m) < 1.0);

    l.calls = 0;
    l.cancel_at = 2;
    CHECK_FAILS(&env, measure_bags(&env, m, 0.0, bag, 2), SOOTH_CANCELLED, "was cancelled");
    CHECK(l.calls == 2);
    bag[0].tasks = 6;
    CHECK_FAILS(&env, measure_bags(&env, m, 0.0, bag, 2), SOOTH_BAD_ARGUMENT, "bag 1 has 6 tasks");
    bag[0].tasks = 2;
    bag[0].member[1].task.workload = 99;
    CHECK_FAILS(&env, measure_bags(&env, m, 0.0, bag, 2), SOOTH_BAD_ARGUMENT, "workload 99");
    CHECK_STATUS(measure_bags(&env, m, 0.0, bag, 0), SOOTH_OK);
    measure_close(m);
    measure_close(NULL);
    CHECK(no_children());
}

/* ---- records ---- */

static char record_path[64];

static void open_path(void) {
    const char *folder = getenv("TMPDIR");
    snprintf(record_path, sizeof record_path, "%.32s/sooth-test-XXXXXX",
             folder && strlen(folder) < 32 ? folder : "/tmp");
    close(mkstemp(record_path));
}

static void write_text(const char *text) {
    FILE *file = fopen(record_path, "w");
    CHECK(file != NULL);
    if (!file) return;
    fputs(text, file);
    fclose(file);
}

static void records_come_back(void) {
    static measure_card card[MEASURE_TASKS], read[MEASURE_TASKS];
    measure_bag bag[2], back[2];
    size_t bags;
    uint32_t cores, i;
    int k;
    sooth_env env;
    sooth_env_init(&env);
    open_path();
    memset(card, 0, sizeof card);
    for (i = 0; i < MEASURE_TASKS; ++i) {
        card[i].task = task_of(i / WORKLOAD_SIZES, i % WORKLOAD_SIZES);
        card[i].bytes = workload_bytes(card[i].task.workload, card[i].task.size);
        card[i].units = 1000 + i;
        card[i].alone_ms.value = 8.125 + i;
        card[i].alone_ms.spread = 0.5;
        for (k = 0; k < STAGE_MICROS; ++k) {
            card[i].slowdown[k].value = 1.25;
            card[i].rate[k].value = 0.75;
            card[i].fairness[k] = measure_fairness(1.25, 0.75);
        }
        for (k = 0; k < COUNTERS; ++k) card[i].count[k] = i % 2 ? 1e6 * (k + 1) : (double)NAN;
        card[i].repetitions = 5;
    }
    CHECK_STATUS(records_write_cards(&env, record_path, card), SOOTH_OK);
    CHECK_STATUS(records_read_cards(&env, record_path, read), SOOTH_OK);
    for (i = 0; i < MEASURE_TASKS; ++i) {
        CHECK(read[i].task.workload == card[i].task.workload && read[i].task.size == card[i].task.size);
        CHECK(read[i].bytes == card[i].bytes && read[i].units == card[i].units && read[i].repetitions == 5);
        CHECK_NEAR(read[i].alone_ms.value, card[i].alone_ms.value, 0.0);
        CHECK_NEAR(read[i].slowdown[2].value, 1.25, 0.0);
        CHECK_NEAR(read[i].rate[0].value, 0.75, 0.0);
        CHECK_CLOSE(read[i].fairness[1], 0.9375, 1e-6);
        if (i % 2) CHECK_NEAR(read[i].count[3], 4e6, 0.0);
        else CHECK(isnan(read[i].count[0]));
    }
    memset(bag, 0, sizeof bag);
    bag[0] = pair_of(task_of(WORKLOAD_SORT, 1), task_of(WORKLOAD_BLUR, 2));
    bag[1] = bag[0];
    bag[1].tasks = STAGE_TASKS;
    for (i = 0; i < 2; ++i) {
        for (k = 0; k < (int)bag[i].tasks; ++k) {
            bag[i].member[k].alone_ms = 10.5;
            bag[i].member[k].shared_ms = 12.25;
            bag[i].member[k].slowdown = 1.125;
        }
        bag[i].bag_ms.value = 12.5 + i;
        bag[i].repetitions = 4;
    }
    CHECK_STATUS(records_write_bags(&env, record_path, 2, bag, 2), SOOTH_OK);
    CHECK_STATUS(records_read_bags(&env, record_path, back, 2, &bags, &cores), SOOTH_OK);
    CHECK(bags == 2 && cores == 2);
    CHECK(memcmp(bag, back, sizeof bag) == 0);
    CHECK_FAILS(&env, records_read_bags(&env, record_path, back, 1, &bags, &cores), SOOTH_BAD_DATA,
                "capacity is 1");
    remove(record_path);
}

static void contention_comes_back(void) {
    static contend c, back;
    static scaling_line line[SCALING_PROGRAMS], read[SCALING_PROGRAMS];
    size_t lines = scaling_choose(PRESSURE_FILES, line), n;
    uint32_t cores;
    sooth_env env;
    sooth_env_init(&env);
    open_path();
    c.cores = 4;
    for (uint32_t k = 0; k < PRESSURES; ++k)
        for (uint32_t j = 0; j < PRESSURES; ++j) {
            const contend_cell cell = {1.0 + 0.125 * k, 1.0 + 0.0625 * j, 0.9375, 0.875, 5};
            if (k != PRESSURE_PIPES && j != PRESSURE_PIPES) c.cell[k][j] = cell;
        }
    CHECK_STATUS(records_write_contention(&env, record_path, &c), SOOTH_OK);
    CHECK_STATUS(records_read_contention(&env, record_path, &back), SOOTH_OK);
    CHECK(back.cores == c.cores);
    for (uint32_t k = 0; k < PRESSURES; ++k)
        for (uint32_t j = 0; j < PRESSURES; ++j) {
            const contend_cell *is = &back.cell[k][j], *was = &c.cell[k][j];
            CHECK_NEAR(is->slowdown, was->slowdown, 0.0);
            CHECK_NEAR(is->low, was->low, 0.0);
            CHECK_NEAR(is->noise, was->noise, 0.0);
            CHECK_NEAR(is->present, was->present, 0.0);
            CHECK(is->repetitions == was->repetitions);
        }
    for (size_t i = 0; i < lines; ++i) {
        line[i].steps = i ? SCALING_STEPS : 2;
        for (uint32_t s = 0; s < line[i].steps; ++s) {
            line[i].ms[s] = 8.5 * (double)(s + 1);
            line[i].share[s] = 0.5;
            line[i].spread[s] = 0.25;
            line[i].joules[s] = 0.125 * (double)(i + 1);
            line[i].repetitions[s] = 3;
        }
    }
    CHECK_STATUS(records_write_scaling(&env, record_path, line, lines, 2), SOOTH_OK);
    CHECK_STATUS(records_read_scaling(&env, record_path, read, &n, &cores), SOOTH_OK);
    CHECK(n == lines && cores == 2 && memcmp(line, read, sizeof line) == 0);
    CHECK(scaling_has_energy(read, n));
    CHECK_NEAR(scaling_ms(&read[1], 1), 8.5, 0.0);
    write_text("slowed,beside,cores,slowdown,lower_quartile,noise,present,repetitions\n"
               "faults,luck,2,1,1,1,1,3\n");
    CHECK_FAILS(&env, records_read_contention(&env, record_path, &back), SOOTH_BAD_DATA,
                "line 2: beside is nothing that we know");
    write_text(
        "workload,size,cores,instances,ms,core_share,spread,joules,repetitions\nsort,4096,2,2,1,1,0,,3\n");
    CHECK_FAILS(&env, records_read_scaling(&env, record_path, read, &n, &cores), SOOTH_BAD_DATA,
                "line 2: instances is not the next of");
    remove(record_path);
}

static void bad_records_are_sentences(void) {
    static measure_card card[MEASURE_TASKS];
    measure_bag bag;
    size_t bags;
    uint32_t cores;
    sooth_env env;
    sooth_env_init(&env);
    CHECK_FAILS(&env, records_read_cards(&env, "/nowhere/at/all.csv", card), SOOTH_BAD_ARGUMENT,
                "cannot read /nowhere/at/all.csv");
    CHECK_FAILS(&env, records_write_cards(&env, "/nowhere/at/all.csv", card), SOOTH_BAD_ARGUMENT,
                "cannot write");
    open_path();
    write_text("workload,size\nsort,4096\n");
    CHECK_FAILS(&env, records_read_cards(&env, record_path, card), SOOTH_BAD_DATA, "has no column bytes");
    write_text("workload,size\nsort,4097\n");
    CHECK_FAILS(&env, records_read_cards(&env, record_path, card), SOOTH_BAD_DATA,
                "line 2: size is not one of");
    write_text("tasks,workload_1,size_1\n1,knitting,1\n");
    CHECK_FAILS(&env, records_read_bags(&env, record_path, &bag, 1, &bags, &cores), SOOTH_BAD_DATA,
                "line 2: workload_1 is not");
    CHECK(bags == 0);
    write_text("tasks,workload_1,size_1,alone_ms_1\n1,sort,4096,fast\n");
    CHECK_FAILS(&env, records_read_bags(&env, record_path, &bag, 1, &bags, &cores), SOOTH_BAD_DATA,
                "alone_ms_1 is not a number");
    write_text("tasks\n7\n");
    CHECK_FAILS(&env, records_read_bags(&env, record_path, &bag, 1, &bags, &cores), SOOTH_BAD_DATA,
                "tasks is out of range");
    write_text("\"tasks\n");
    CHECK_FAILS(&env, records_read_bags(&env, record_path, &bag, 1, &bags, &cores), SOOTH_BAD_TEXT,
                record_path);
    remove(record_path);
}

static void recorded_data_can_be_read(void) {
    static measure_card card[MEASURE_TASKS];
    static measure_bag bag[MEASURE_MOST_BAGS];
    size_t bags, i;
    uint32_t cores;
    sooth_env env;
    FILE *file = fopen("examples/colocate/data/bags.csv", "r");
    if (!file) CHECK_SKIP("examples/colocate/data is not here");
    fclose(file);
    sooth_env_init(&env);
    CHECK_STATUS(records_read_cards(&env, "examples/colocate/data/instances.csv", card), SOOTH_OK);
    CHECK_STATUS(
        records_read_bags(&env, "examples/colocate/data/bags.csv", bag, MEASURE_MOST_BAGS, &bags, &cores),
        SOOTH_OK);
    CHECK(bags >= 150 && cores == 2);
    for (i = 0; i < WORKLOAD_SCRATCH * WORKLOAD_SIZES; ++i) /* a recording of before there were more */
        CHECK(card[i].bytes == workload_bytes((uint32_t)i / WORKLOAD_SIZES, (uint32_t)i % WORKLOAD_SIZES));
    CHECK_STATUS(records_check_bags(&env, "bags.csv", card, bag, bags), SOOTH_OK);
    bag[0].member[0].task = task_of(WORKLOAD_PIPES, 0);
    if (card[WORKLOAD_PIPES * WORKLOAD_SIZES].repetitions == 0)
        CHECK_FAILS(&env, records_check_bags(&env, "bags.csv", card, bag, bags), SOOTH_BAD_DATA,
                    "bags.csv has a bag with pipes 16, but there is no card of it");
    for (i = 0; i < bags; ++i) CHECK(bag[i].repetitions >= 3 && bag[i].bag_ms.value > 0.0);
}

/* ---- energy ---- */

static void write_in(const char *folder, const char *name, const char *text) {
    char path[256];
    FILE *file;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "w");
    CHECK(file != NULL);
    if (!file) return;
    fputs(text, file);
    fclose(file);
}

/* A folder as /sys/class/powercap has them. */
static void make_zone(const char *root, const char *zone, const char *name, const char *energy_uj) {
    char path[160];
    snprintf(path, sizeof path, "%s/%s", root, zone);
    mkdir(path, 0777);
    write_in(path, "name", name);
    write_in(path, "max_energy_range_uj", "262143328850\n");
    write_in(path, "constraint_0_power_limit_uw", "65000000\n");
    if (energy_uj) write_in(path, "energy_uj", energy_uj);
}

static void remove_zones(const char *root) {
    static const char *const zone[] = {"intel-rapl:0", "intel-rapl:0:0", "intel-rapl:1", "intel-rapl:2"};
    static const char *const name[] = {"name", "energy_uj", "max_energy_range_uj",
                                       "constraint_0_power_limit_uw"};
    char path[256];
    size_t i, k;
    for (i = 0; i < 4; ++i) {
        for (k = 0; k < 4; ++k) {
            snprintf(path, sizeof path, "%s/%s/%s", root, zone[i], name[k]);
            remove(path);
        }
        snprintf(path, sizeof path, "%s/%s", root, zone[i]);
        rmdir(path);
    }
    rmdir(root);
}

static void energy_is_read(void) {
    char zone[128];
    energy e;
    open_path();
    remove(record_path);
    mkdir(record_path, 0777);
    energy_open(&e, record_path);
    CHECK(e.packages == 0 && isnan(energy_joules(&e)));
    CHECK(strstr(energy_reason(&e), "time only") != NULL);
    make_zone(record_path, "intel-rapl:0", "package-0\n", "5000000\n");
    make_zone(record_path, "intel-rapl:0:0", "core\n", "999000000\n"); /* a part of it: not counted twice */
    make_zone(record_path, "intel-rapl:1", "psys\n", "888000000\n");
    make_zone(record_path, "intel-rapl:2", "package-1\n", "262143000000\n");
    energy_open(&e, record_path);
    CHECK(e.packages == 2);
    CHECK_CLOSE(e.cap_w, 130.0, 1e-12);
    CHECK(strstr(energy_reason(&e), "is read") != NULL);
    CHECK_NEAR(energy_joules(&e), 0.0, 0.0);
    snprintf(zone, sizeof zone, "%s/intel-rapl:0", record_path);
    write_in(zone, "energy_uj", "7500000\n");
    CHECK_NEAR(energy_joules(&e), 2.5, 1e-9);
    snprintf(zone, sizeof zone, "%s/intel-rapl:2", record_path);
    /* it started over: 0.328850 J to the end of its range and 0.671150 J */
    write_in(zone, "energy_uj", "671150\n");
    CHECK_NEAR(energy_joules(&e), 3.5, 1e-6);
    CHECK_NEAR(energy_joules(&e), 3.5, 1e-6);
    write_in(zone, "energy_uj", "soon\n");
    CHECK(isnan(energy_joules(&e)));
    energy_open(&e, record_path); /* one of two packages would look like the whole */
    CHECK(e.packages == 0 && isnan(energy_joules(&e)));
    remove_zones(record_path);
}

/* ---- placement ---- */

/* Pairs take so long; what the study would predict. */
static double pair_table[PLACEMENT_PAIRS];

sooth_status study_predict_unseen(sooth_env *env, const study_data *data, const study_model *like,
                                  const uint32_t *row, size_t count, const study_bag *bag, size_t bags,
                                  double *ms) {
    (void)env;
    (void)data;
    (void)like;
    (void)row;
    (void)count;
    (void)bag;
    memcpy(ms, pair_table, bags * sizeof *ms);
    return SOOTH_OK;
}

double study_sharing_ms(const double *alone_ms, uint32_t tasks, uint32_t cores) {
    CHECK(tasks == 2 && cores == 2);
    return fmax(alone_ms[0], alone_ms[1]);
}

/* Ten workloads in two sizes; those of odd numbers suffer. */
static void ten_workloads(study_data *data, sooth_fairness_card card[20]) {
    static uint32_t workload[20];
    uint32_t i;
    memset(data, 0, sizeof *data);
    for (i = 0; i < 20; ++i) {
        sooth_fairness_card_init(&card[i], NULL);
        snprintf(card[i].name, sizeof card[i].name, "job %u", i);
        card[i].value[SOOTH_FAIRNESS_ALONE_TIME] = 5.0 + (i / 2) % 4;
        card[i].value[SOOTH_FAIRNESS_SLOWDOWN_HIGH] = i / 2 % 2 ? 1.5 + 0.01 * i : 1.0 + 0.001 * i;
        workload[i] = i / 2;
    }
    data->card = card;
    data->workload = workload;
    data->cards = 20;
    data->workloads = 10;
    data->cores = 2;
}

static void placements_are_all_looked_at(void) {
    static const uint32_t together[4][2] = {{0, 5}, {1, 3}, {2, 7}, {4, 6}};
    sooth_fairness_card card[20];
    study_data data;
    placement p;
    sooth_env env;
    uint32_t i, j, k;
    sooth_env_init(&env);
    ten_workloads(&data, card);
    placement_begin(&data, &p);
    /* of the odd workloads 1 .. 9 the first suffers least, of the even ones 8 suffers most: neither waits */
    for (i = 0; i < PLACEMENT_JOBS; ++i) CHECK(p.card[i] == 2 * (i < 1 ? 0 : i < 7 ? i + 1 : 9) + 1);
    CHECK(p.placements == PLACEMENTS);
    for (i = 0; i < PLACEMENTS; ++i) {
        uint32_t seen = 0;
        for (k = 0; k < PLACEMENT_JOBS; ++k) seen |= 1u << p.list[i].job[k];
        CHECK(seen == 255);
        for (j = 0; j < i; ++j) CHECK(memcmp(&p.list[i], &p.list[j], sizeof p.list[i]) != 0);
    }
    for (i = 0; i < PLACEMENT_PAIRS; ++i) {
        uint32_t of[2];
        placement_cards(&p, i, of);
        CHECK(of[0] < of[1]);
        pair_table[i] = 10.0;
    }
    for (k = 0; k < 4; ++k) pair_table[placement_pair(together[k][1], together[k][0])] = 9.0;
    CHECK_STATUS(placement_decide(&env, &data, NULL, NULL, 0, &p), SOOTH_OK);
    for (k = 0; k < 4; ++k)
        CHECK(p.list[p.named[PLACEMENT_CHOSEN]].job[2 * k] == together[k][0] &&
              p.list[p.named[PLACEMENT_CHOSEN]].job[2 * k + 1] == together[k][1]);
    CHECK_NEAR(placement_ms(p.predicted_ms, &p.list[p.named[PLACEMENT_CHOSEN]]), 36.0, 1e-12);
    CHECK_NEAR(placement_ms(p.predicted_ms, &p.list[p.named[PLACEMENT_WORST]]), 40.0, 1e-12);
    /* lengths 5 7 8 5 6 7 8 6: equal ones together */
    CHECK_NEAR(placement_ms(p.lengths_ms, &p.list[p.named[PLACEMENT_LENGTHS]]), 26.0, 1e-12);
}

static void placements_are_checked(void) {
    sooth_fairness_card card[20];
    study_bag bag[PLACEMENT_RUNS];
    study_data data;
    placement p, q;
    sooth_env env;
    uint32_t i;
    sooth_env_init(&env);
    ten_workloads(&data, card);
    placement_begin(&data, &p);
    for (i = 0; i < PLACEMENT_PAIRS; ++i) pair_table[i] = 10.0 + i;
    CHECK_STATUS(placement_decide(&env, &data, NULL, NULL, 0, &p), SOOTH_OK);
    memset(bag, 0, sizeof bag);
    for (i = 0; i < PLACEMENT_RUNS; ++i) { /* the second turn takes twice as long */
        bag[i].tasks = 2;
        placement_cards(&p, i % PLACEMENT_PAIRS, bag[i].card);
        bag[i].bag_ms = (10.0 + i % PLACEMENT_PAIRS) * (i < PLACEMENT_PAIRS ? 1.0 : 2.0);
    }
    CHECK_STATUS(placement_check(&env, bag, PLACEMENT_RUNS, &p), SOOTH_OK);
    CHECK(p.turns == 2 && p.named[PLACEMENT_BEST] == p.named[PLACEMENT_CHOSEN]);
    CHECK(placement_better(&p, p.named[PLACEMENT_CHOSEN]) == 0);
    CHECK_CLOSE(placement_noise(&p), 50.0, 1e-9);
    CHECK_CLOSE(placement_pair_error(&p), 100.0 / 3, 1e-9);
    CHECK_CLOSE(placement_error(&p), 100.0 / 3, 1e-9);
    /* of all pairs each occurs in 15 of 105 placements: the mean is four times that of the pairs */
    CHECK_CLOSE(placement_random(&p), 4 * 1.5 * (10.0 + 13.5), 1e-9);
    CHECK_STATUS(placement_check(&env, bag, PLACEMENT_RUNS - 1, &p), SOOTH_OK); /* one turn is whole */
    CHECK(p.turns == 1);
    q = p;
    CHECK_FAILS(&env, placement_check(&env, bag, PLACEMENT_PAIRS - 1, &q), SOOTH_BAD_DATA, "not every pair");
    /* without the pair of the first two jobs 15 placements less can be compared */
    bag[0].card[0] = bag[0].card[1];
    CHECK_FAILS(&env, placement_recall(&env, &data, bag, 5, &q), SOOTH_BAD_DATA, "different jobs");
    CHECK_STATUS(placement_recall(&env, &data, bag, PLACEMENT_PAIRS, &q), SOOTH_OK);
    CHECK(q.placements == PLACEMENTS - 15 && memcmp(q.card, p.card, sizeof p.card) == 0);
    CHECK_STATUS(placement_decide(&env, &data, NULL, NULL, 0, &q), SOOTH_OK);
    CHECK_STATUS(placement_check(&env, bag, PLACEMENT_PAIRS, &q), SOOTH_OK);
    CHECK(q.turns == 1 && isnan(placement_noise(&q)));
}

int main(void) {
    CHECK_RUN(table_is_complete);
    CHECK_RUN(same_seed_same_work);
    CHECK_RUN(every_size_runs);
    CHECK_RUN(corners_are_found);
    CHECK_RUN(gradients_are_counted);
    CHECK_RUN(blur_is_the_mean);
    CHECK_RUN(faces_pass_the_stages);
    CHECK_RUN(nearest_by_sorting);
    CHECK_RUN(decisions_match_exp);
    CHECK_RUN(products_match);
    CHECK_RUN(keys_are_sorted);
    CHECK_RUN(keys_are_counted);
    CHECK_RUN(keys_are_looked_up);
    CHECK_RUN(heat_is_conserved);
    CHECK_RUN(sparse_products_match);
    CHECK_RUN(axpy_comes_back);
    CHECK_RUN(the_system_is_asked);
    CHECK_RUN(micros_read_what_they_say);
    CHECK_RUN(counters_count_or_say_why);
    CHECK_RUN(medians_and_quartiles);
    CHECK_RUN(plan_covers_everything);
    CHECK_RUN(plans_drop_no_pair);
    CHECK_RUN(plan_prefers_what_fights);
    CHECK_RUN(scaling_takes_the_axis);
    CHECK_RUN(processes_end_with_the_caller);
    CHECK_RUN(places_are_fair);
    CHECK_RUN(stage_runs_jobs);
    CHECK_RUN(kernels_run_beside_each_other);
    CHECK_RUN(a_lost_process_is_a_sentence);
    CHECK_RUN(bags_are_measured);
    CHECK_RUN(records_come_back);
    CHECK_RUN(contention_comes_back);
    CHECK_RUN(bad_records_are_sentences);
    CHECK_RUN(recorded_data_can_be_read);
    CHECK_RUN(energy_is_read);
    CHECK_RUN(placements_are_all_looked_at);
    CHECK_RUN(placements_are_checked);
    return check_end("workloads");
}
