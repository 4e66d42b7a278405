/* kernels.cpp - the arithmetic of bench/cuda's kernels on the host, by the same source; the meter of watts.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Every thread of a block is a context of its own with a small stack; __syncthreads changes to the next one.
 * Blocks run one after the other. The threads run forwards, and then backwards, so that no value is read
 * before its barrier by luck of order. Both must agree with a plain computation in double precision.
 */
#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

/* ---- a device of one thread ---- */

#define __global__
#define __device__
#define __shared__ thread_local

struct dim3 {
    unsigned x = 1, y = 1, z = 1;
};
struct float4 {
    float x, y, z, w;
};
static dim3 gridDim, blockDim, blockIdx, threadIdx;

static float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
static float rsqrtf(float x) { return 1.0f / sqrtf(x); }
static float normcdff(float x) { return 0.5f * erfcf(-x * 0.70710678f); }
static unsigned atomicAdd(unsigned *at, unsigned n) {
    const unsigned before = *at;
    *at += n;
    return before;
}
using std::max;
using std::min;

/* dynamic shared memory, by the names that the kernels give it */
thread_local float4 tile[1024];
thread_local float part[1024];
thread_local unsigned key[1024];

enum { STACK = 32768, MOST_THREADS = 1024 };
static ucontext_t scheduler, context[MOST_THREADS];
static std::vector<char> stacks((size_t)STACK *MOST_THREADS);
static bool done[MOST_THREADS];
static unsigned now;
static bool backwards;
static const std::function<void()> *body;

static void __syncthreads() { swapcontext(&context[now], &scheduler); }
static void thread_main() {
    (*body)();
    done[now] = true;
}

/* Runs all blocks, in each the threads from barrier to barrier in turns. */
static void run(dim3 grid, unsigned threads, const std::function<void()> &kernel) {
    gridDim = grid;
    blockDim.x = threads;
    body = &kernel;
    for (unsigned b = 0; b < grid.x * grid.y * grid.z; ++b) {
        blockIdx = {b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y};
        for (unsigned t = 0; t < threads; ++t) {
            getcontext(&context[t]);
            context[t].uc_stack.ss_sp = &stacks[(size_t)STACK * t];
            context[t].uc_stack.ss_size = STACK;
            context[t].uc_link = &scheduler;
            makecontext(&context[t], thread_main, 0);
            done[t] = false;
        }
        for (bool more = true; more;) {
            more = false;
            for (unsigned k = 0; k < threads; ++k) {
                now = backwards ? threads - 1 - k : k;
                threadIdx.x = now;
                if (!done[now]) swapcontext(&scheduler, &context[now]);
                more |= !done[now];
            }
        }
    }
}
static void run(unsigned blocks, unsigned threads, const std::function<void()> &kernel) {
    run(dim3{blocks, 1, 1}, threads, kernel);
}

#include "bench/cuda/kernels.cuh"
#include "bench/cuda/meter.h"
#include "bench/cuda/operators.cuh"

/* ---- checking ---- */

static int passed, failed;
static void check(const char *what, bool good) {
    if (good) ++passed;
    else {
        ++failed;
        printf("  FAILED  %s%s\n", what, backwards ? ", backwards" : "");
    }
}
static bool near_to(double a, double b, double relative) {
    return std::fabs(a - b) <= relative * (1.0 + std::fabs(b));
}
/* All of [0, n) are near to what `wanted` returns. */
template <class T>
static bool all_near(const std::vector<T> &v, size_t n, double relative,
                     std::function<double(size_t)> wanted) {
    for (size_t i = 0; i < n; ++i)
        if (!near_to((double)v[i], wanted(i), relative)) return false;
    return true;
}

static uint64_t state = 88172645463325252ull;
static uint32_t draw() {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (uint32_t)(state >> 32);
}
static std::vector<float> floats(size_t n) {
    std::vector<float> v(n);
    for (float &x : v) x = 0.5f + (float)(draw() >> 8) / 16777216.0f;
    return v;
}
static std::vector<unsigned> words(size_t n, unsigned below = 0) {
    std::vector<unsigned> v(n);
    for (unsigned &x : v) x = below ? draw() % below : draw();
    return v;
}

/* ---- kernels.cuh: n elements in blocks that do not divide n ---- */

enum { N = 1000, BLOCK = 64, GRID = (N + BLOCK - 1) / BLOCK, SIDE = 32 };

static void arithmetic() {
    const std::vector<float> x = floats(N), s = floats(N), t = floats(N);
    std::vector<float> y(N);
    std::vector<int> turns(N);
    run(GRID, BLOCK, [&] { polynomial(x.data(), y.data(), N, 5); });
    check("polynomial",
          all_near(y, N, 1e-5, [&](size_t i) { /* 1/2 (1 + x + x^2 + x^3 + x^4) */
                                               const double v = (double)x[i];
                                               return 0.5 * (1 + v + v * v + v * v * v + v * v * v * v);
          }));
    run(GRID, BLOCK, [&] { mandelbrot(turns.data(), 40, 25, 50); });
    check("mandelbrot", all_near(turns, N, 0, [&](size_t i) {
              const float a = -2.0f + 3.0f * (float)(i % 40) / 40.0f,
                          b = -1.5f + 3.0f * (float)(i / 40) / 25.0f;
              float u = 0, v = 0;
              int k = 0;
              for (; k < 50 && u * u + v * v < 4.0f; ++k) {
                  const float next = u * u - v * v + a;
                  v = 2 * u * v + b;
                  u = next;
              }
              return (double)k;
          }));
    run(GRID, BLOCK, [&] { black_scholes(x.data(), s.data(), t.data(), y.data(), N); });
    check("black_scholes", all_near(y, N, 1e-5, [&](size_t i) {
              const double root = 0.3 * std::sqrt((double)t[i]);
              const double d = (std::log((double)x[i] / (double)s[i]) + (0.02 + 0.045) * (double)t[i]) / root;
              const auto normal = [](double v) { return 0.5 * std::erfc(-v / std::sqrt(2.0)); };
              return (double)x[i] * normal(d) -
                     (double)s[i] * std::exp(-0.02 * (double)t[i]) * normal(d - root);
          }));
    /* by hand: d1 = (ln(42/40) + 0.065 0.5) / (0.3 sqrt 0.5) = 0.38321, d2 = 0.17108; 42 0.64922 - 39.602
       0.56792 = 4.776 */
    const std::vector<float> option = {42.0f, 40.0f, 0.5f};
    run(1u, BLOCK, [&] { black_scholes(&option[0], &option[1], &option[2], y.data(), 1); });
    check("black_scholes by hand", near_to((double)y[0], 4.776, 5e-4));

    std::vector<double> p(N), q(N);
    for (size_t i = 0; i < N; ++i) p[i] = 0.25 + (double)i / 2000.0;
    run(GRID, BLOCK, [&] { double_fma(p.data(), q.data(), N, 3); });
    check("double_fma", all_near(q, N, 1e-12, [&](size_t i) { return 0.5 * (1 + p[i] + p[i] * p[i]); }));

    const std::vector<unsigned> in = {0, 1, 0xFFFFFFFFu};
    std::vector<unsigned> out(3);
    run(1u, BLOCK, [&] { hash_words(in.data(), out.data(), 3, 1); });
    /* fmix32 of MurmurHash3 (Appleby): of 1 and of 2^32 - 1 */
    check("hash_words", out[0] == 0 && out[1] == 0x514E28B7u && out[2] == 0x81F16F39u);

    std::vector<unsigned> hits(4 * BLOCK);
    double inside = 0;
    run(4u, BLOCK, [&] { monte_carlo_pi(hits.data(), 400, 7u); });
    for (unsigned h : hits) inside += h;
    check("monte_carlo_pi", std::fabs(4 * inside / (400.0 * 4 * BLOCK) - 3.14159265) < 0.03); /* 5 sigma */

    std::vector<float4> where(100), force(100);
    for (float4 &w : where) w = {floats(1)[0], floats(1)[0], floats(1)[0], floats(1)[0]};
    run(2u, BLOCK, [&] { nbody(where.data(), force.data(), 100); });
    bool good = true;
    for (size_t i = 0; i < 100; ++i) {
        double f = 0, g = 0;
        for (const float4 &o : where) {
            const double dx = (double)o.x - (double)where[i].x, dy = (double)o.y - (double)where[i].y,
                         dz = (double)o.z - (double)where[i].z;
            const double r = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + 1e-6);
            f += (double)o.w * dx * r * r * r;
            g += (double)o.w * dz * r * r * r;
        }
        good &= std::fabs((double)force[i].x - f) < 1e-3 * (10 + std::fabs(f)) &&
                std::fabs((double)force[i].z - g) < 1e-3 * (10 + std::fabs(g));
    }
    check("nbody", good);
}

static void blocks() {
    const std::vector<float> x = floats(SIDE * SIDE), w = floats(SIDE * SIDE);
    std::vector<float> y(SIDE * SIDE);
    run(SIDE * SIDE / 256, 256, [&] { matrix_product(x.data(), w.data(), y.data(), SIDE); });
    check("matrix_product", all_near(y, SIDE * SIDE, 1e-5, [&](size_t i) {
              double sum = 0;
              for (size_t k = 0; k < SIDE; ++k)
                  sum += (double)x[i / SIDE * SIDE + k] * (double)w[k * SIDE + i % SIDE];
              return sum;
          }));
    const auto at = [&](int u, int v) {
        return (double)x[(size_t)(min(max(v, 0), SIDE - 1) * SIDE + min(max(u, 0), SIDE - 1))];
    };
    run(SIDE * SIDE / BLOCK, BLOCK, [&] { convolution(x.data(), w.data(), y.data(), SIDE, SIDE); });
    check("convolution", all_near(y, SIDE * SIDE, 1e-5, [&](size_t i) {
              double sum = 0;
              for (int k = 0; k < 49; ++k)
                  sum += at((int)(i % SIDE) + k % 7 - 3, (int)(i / SIDE) + k / 7 - 3) * (double)w[(size_t)k];
              return sum;
          }));
    run(SIDE * SIDE / BLOCK, BLOCK, [&] { stencil(x.data(), w.data(), y.data(), SIDE, SIDE); });
    check("stencil", all_near(y, SIDE * SIDE, 1e-5, [&](size_t i) {
              const int u = (int)(i % SIDE), v = (int)(i / SIDE);
              return at(u, v) + 0.2 * ((double)w[i] + at(u - 1, v) + at(u + 1, v) + at(u, v - 1) +
                                       at(u, v + 1) - 4 * at(u, v));
          }));
    run(SIDE * SIDE / BLOCK, BLOCK, [&] { transpose(x.data(), y.data(), SIDE); });
    const auto turned = [&](size_t i) { return (double)x[i % SIDE * SIDE + i / SIDE]; };
    check("transpose", all_near(y, SIDE * SIDE, 0, turned));
    std::fill(y.begin(), y.end(), 0.0f);
    run(SIDE * SIDE / 1024, BLOCK, [&] { transpose_tiled(x.data(), y.data(), SIDE); });
    check("transpose_tiled", all_near(y, SIDE * SIDE, 0, turned));

    std::vector<float> sums(4);
    double all = 0;
    for (float v : x) all += (double)v;
    run(4u, BLOCK, [&] { reduction(x.data(), sums.data(), SIDE * SIDE); });
    check("reduction",
          near_to((double)sums[0] + (double)sums[1] + (double)sums[2] + (double)sums[3], all, 1e-5));
    run(GRID, BLOCK, [&] { scan(x.data(), y.data(), N); });
    check("scan", all_near(y, N, 1e-5, [&](size_t i) {
              double sum = 0;
              for (size_t k = i / BLOCK * BLOCK; k <= i; ++k) sum += (double)x[k];
              return sum;
          }));
    std::vector<unsigned> data = words(N), sorted = data;
    for (size_t b = 0; b < N; b += BLOCK)
        std::sort(sorted.begin() + (long)b, sorted.begin() + (long)min(b + BLOCK, (size_t)N));
    run(GRID, BLOCK, [&] { sort_blocks(data.data(), N); });
    check("sort_blocks", data == sorted);
    std::vector<unsigned> counts(256), wanted(256);
    for (unsigned v : data) ++wanted[v & 255u];
    run(4u, BLOCK, [&] { histogram(data.data(), counts.data(), N); });
    check("histogram", counts == wanted);
    std::vector<float> pairs = x;
    run(SIDE * SIDE / 2 / BLOCK, BLOCK, [&] { walsh(pairs.data(), SIDE * SIDE, 16); });
    check("walsh", all_near(pairs, SIDE * SIDE, 1e-6, [&](size_t i) {
              const bool second = i / 16 % 2;
              const double a = (double)x[second ? i - 16 : i], b = (double)x[second ? i : i + 16];
              return (second ? a - b : a + b) * std::sqrt(0.5);
          }));
    std::vector<int> label(SIDE);
    run(1u, BLOCK, [&] { nearest_centre(x.data(), w.data(), label.data(), SIDE, 16, 8); });
    check("nearest_centre", all_near(label, SIDE, 0, [&](size_t i) {
              size_t best = 0;
              double least = 1e30;
              for (size_t c = 0; c < 16; ++c) {
                  double sum = 0;
                  for (size_t d = 0; d < 8; ++d) {
                      const double e = (double)x[d * SIDE + i] - (double)w[c * 8 + d];
                      sum += e * e;
                  }
                  if (sum < least) least = sum, best = c;
              }
              return (double)best;
          }));
}

static void memory() {
    const std::vector<float> x = floats(N), w = floats(N);
    std::vector<float> y(N);
    const std::vector<unsigned> place = words(N, N);
    run(GRID, BLOCK, [&] { vector_add(x.data(), w.data(), y.data(), N); });
    check("vector_add", all_near(y, N, 1e-6, [&](size_t i) { return (double)x[i] + (double)w[i]; }));
    y = w;
    run(3u, BLOCK, [&] { saxpy(0.5f, x.data(), y.data(), N); });
    check("saxpy", all_near(y, N, 1e-6, [&](size_t i) { return 0.5 * (double)x[i] + (double)w[i]; }));
    run(GRID, BLOCK, [&] { gather(x.data(), place.data(), y.data(), N); });
    check("gather", all_near(y, N, 0, [&](size_t i) { return (double)x[place[i]]; }));
    std::vector<int> start(101), column(1000), level(100, -1);
    for (int i = 0; i <= 100; ++i) start[(size_t)i] = 10 * i;
    for (int &c : column) c = (int)(draw() % 100);
    run(2u, BLOCK, [&] { sparse_product(start.data(), column.data(), x.data(), w.data(), y.data(), 100); });
    check("sparse_product", all_near(y, 100, 1e-5, [&](size_t i) {
              double sum = 0;
              for (size_t k = 10 * i; k < 10 * i + 10; ++k)
                  sum += (double)x[k] * (double)w[(size_t)column[k]];
              return sum;
          }));
    level[0] = 0;
    run(2u, BLOCK, [&] { breadth_first(start.data(), column.data(), level.data(), 100, 0); });
    check("breadth_first", all_near(level, 100, 0, [&](size_t i) {
              if (i == 0) return 0.0;
              return std::count(column.begin(), column.begin() + 10, (int)i) ? 1.0 : -1.0;
          }));
}

/* ---- operators.cuh ---- */

static void operators() {
    enum { ROWS = 3, K = 300 };
    const std::vector<float> x = floats(ROWS * K), w = floats(ROWS * K);
    std::vector<float> y(ROWS * K);
    const size_t n = ROWS * K;
#define CHECK_VECTOR(name, wanted)                                                                    \
    run((unsigned)(n + 63) / 64, 64, [&] { vector_##name<float>(x.data(), w.data(), y.data(), n); }); \
    check(#name, all_near(y, n, 1e-5, [&](size_t i) {                                                 \
              const double a = (double)x[i], b = (double)w[i];                                        \
              (void)b;                                                                                \
              return (double)(wanted);                                                                \
          }));
    CHECK_VECTOR(add, a + b)
    CHECK_VECTOR(mul, a * b)
    CHECK_VECTOR(div, a / b)
    CHECK_VECTOR(pow, std::pow(a, b))
    CHECK_VECTOR(relu, a > 0 ? a : 0)
    CHECK_VECTOR(gelu, a * 0.5 * std::erfc(-a / std::sqrt(2.0)))
    CHECK_VECTOR(tanh, std::tanh(a))
    run(4u, 64, [&] { memory_copy<float>(x.data(), y.data(), n); });
    check("memory_copy", x == y);
    const auto row_of = [&](size_t i) { return &x[i / K * K]; };
    run(ROWS, ROW_THREADS, [&] { row_softmax<float>(x.data(), y.data(), K); });
    check("row_softmax", all_near(y, n, 1e-5, [&](size_t i) {
              double sum = 0;
              for (int k = 0; k < K; ++k) sum += std::exp((double)row_of(i)[k]);
              return std::exp((double)x[i]) / sum;
          }));
    run(ROWS, ROW_THREADS, [&] { row_norm<float>(x.data(), y.data(), K); });
    check("row_norm", all_near(y, n, 1e-4, [&](size_t i) {
              double mean = 0, squares = 0;
              for (int k = 0; k < K; ++k) mean += (double)row_of(i)[k] / K;
              for (int k = 0; k < K; ++k) squares += std::pow((double)row_of(i)[k] - mean, 2) / K;
              return ((double)x[i] - mean) / std::sqrt(squares + 1e-5);
          }));
    run(ROWS, ROW_THREADS, [&] { row_sum<float>(x.data(), y.data(), K); });
    check("row_sum", all_near(y, ROWS, 1e-5, [&](size_t i) {
              double sum = 0;
              for (int k = 0; k < K; ++k) sum += (double)x[i * K + (size_t)k];
              return sum;
          }));
    enum { HEADS = 2, QUERIES = 3, KEYS = 40, D = 8 };
    const std::vector<float> q = floats(HEADS * QUERIES * D), keys = floats(HEADS * KEYS * D),
                             values = floats(HEADS * KEYS * D);
    run(HEADS * QUERIES, ROW_THREADS,
        [&] { attention<float>(q.data(), keys.data(), values.data(), y.data(), QUERIES, D, KEYS); });
    check("attention", all_near(y, HEADS * QUERIES * D, 1e-5, [&](size_t i) {
              const size_t query = i / D, head = query / QUERIES;
              double sum = 0, out = 0;
              for (size_t j = 0; j < KEYS; ++j) {
                  double s = 0;
                  for (size_t d = 0; d < D; ++d)
                      s += (double)q[query * D + d] * (double)keys[(head * KEYS + j) * D + d];
                  sum += std::exp(s / std::sqrt((double)D));
                  out += std::exp(s / std::sqrt((double)D)) * (double)values[(head * KEYS + j) * D + i % D];
              }
              return out / sum;
          }));
    enum { PM = 32, PN = 48, PK = 16, PB = 2 };
    const std::vector<float> l = floats(PB * PM * PN), r = floats(PB * PK * PN);
    y.resize(PB * PM * PK);
    run(dim3{PK / 16, PM / 16, PB}, 256,
        [&] { plain_product<float, float>(l.data(), r.data(), y.data(), PM, PN, PK); });
    check("plain_product", all_near(y, PB * PM * PK, 1e-5, [&](size_t i) {
              const size_t b = i / (PM * PK), row = i / PK % PM, column = i % PK;
              double sum = 0;
              for (size_t k = 0; k < PN; ++k)
                  sum += (double)l[(b * PM + row) * PN + k] * (double)r[(b * PK + column) * PN + k];
              return sum;
          }));
}

/* ---- meter.h: a counter that moves every 100 ms by what was used, read every 3 ms with a jitter ---- */

static void meters() {
    for (double interval : {0.001, 0.02, 0.1}) {
        const double watts = 431.5;
        meter m;
        check("no watts before two changes", m.watts() < 0 && m.interval() < 0);
        for (double t = 10.0; t < 11.0; t += 0.003 + 1e-12 * draw())
            m.add(t, std::floor(watts * std::floor(t / interval) * interval * 1000) / 1000);
        check("watts of a counter in steps", near_to(m.watts(), watts, 0.01));
        if (interval > 0.01) check("its interval", near_to(m.interval(), interval, 0.004));
        if (interval > 0.01) check("its step", near_to(m.step(), watts * interval, 0.01));
        const double naive =
            watts * (std::floor(10.94 / interval) - std::floor(10.66 / interval)) * interval / 0.28;
        if (interval > 0.09) check("two readings would be off", std::fabs(naive / watts - 1) > 0.05);
    }
    check("the seconds of a row", near_to(seconds_for_row(100, 250, 0.2, 0.6), 0.4, 1e-9) &&
                                      near_to(seconds_for_row(10, 250, 0.2, 0.6), 0.2, 1e-9) &&
                                      near_to(seconds_for_row(1e300, 250, 0.2, 0.6), 0.6, 1e-9) &&
                                      near_to(seconds_for_row(-5, 0, 0.2, 0.6), 0.2, 1e-9));
    check("the median",
          near_to(median({3, 1, 2}), 2, 0) && near_to(median({4, 1, 2, 3}), 2.5, 0) && median({}) < 0);
}

int main() {
    for (int way = 0; way < 2; ++way) {
        backwards = way;
        arithmetic();
        blocks();
        memory();
        operators();
    }
    meters();
    printf("kernels: %d passed, %d failed\n", passed, failed);
    return failed != 0;
}
