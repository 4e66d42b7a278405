/* kernels.cuh - twenty-three kernels of compute, balanced and memory character, each with its sweep.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A job is a kernel with its data and its launch parameters. all_jobs() makes one list for everything:
 * power.cu measures each alone, pairs.cu and bags.cu several at once, and `nvcc -ptx kernels.cu` gives the
 * PTX that features are read from, under the same names. Without nvcc the kernels alone are compiled, for a
 * host that plays their threads (tests/studies/kernels.cpp).
 */
#ifndef SOOTH_BENCH_CUDA_KERNELS_CUH
#define SOOTH_BENCH_CUDA_KERNELS_CUH

#ifdef __CUDACC__
#include <functional>
#include <map>
#include <string>
#include <type_traits>

#include "cuda.cuh"
#endif

#define INDEX (blockIdx.x * (size_t)blockDim.x + threadIdx.x)

/* ---- compute: arithmetic on what was loaded once ---- */

extern "C" __global__ void polynomial(const float *x, float *y, int n, int rounds) {
    const size_t i = INDEX;
    if (i >= (size_t)n) return;
    float v = x[i], sum = 0.0f;
    for (int r = 0; r < rounds; ++r) sum = fmaf(sum, v, 0.5f);
    y[i] = sum;
}

extern "C" __global__ void nbody(const float4 *body, float4 *force, int n) {
    extern __shared__ float4 tile[];
    const int i = (int)INDEX;
    const float4 me = body[i < n ? i : 0];
    float4 f = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int start = 0; start < n; start += (int)blockDim.x) {
        tile[threadIdx.x] =
            start + (int)threadIdx.x < n ? body[start + threadIdx.x] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        __syncthreads();
        for (int k = 0; k < (int)blockDim.x; ++k) {
            const float x = tile[k].x - me.x, y = tile[k].y - me.y, z = tile[k].z - me.z;
            const float r = rsqrtf(x * x + y * y + z * z + 1e-6f), s = tile[k].w * r * r * r;
            f.x += x * s;
            f.y += y * s;
            f.z += z * s;
        }
        __syncthreads();
    }
    if (i < n) force[i] = f;
}

extern "C" __global__ void mandelbrot(int *out, int width, int height, int most) {
    const int i = (int)INDEX;
    if (i >= width * height) return;
    const float a = -2.0f + 3.0f * (float)(i % width) / (float)width,
                b = -1.5f + 3.0f * (float)(i / width) / (float)height;
    float x = 0.0f, y = 0.0f;
    int k = 0;
    for (; k < most && x * x + y * y < 4.0f; ++k) {
        const float t = x * x - y * y + a;
        y = 2.0f * x * y + b;
        x = t;
    }
    out[i] = k;
}

extern "C" __global__ void monte_carlo_pi(unsigned *hits, int throws, unsigned seed) {
    unsigned state = (unsigned)INDEX * 2654435761u + seed, inside = 0;
    for (int k = 0; k < throws; ++k) {
        state ^= state << 13, state ^= state >> 17, state ^= state << 5;
        const float x = (float)(state >> 8) * (1.0f / 16777216.0f);
        state ^= state << 13, state ^= state >> 17, state ^= state << 5;
        const float y = (float)(state >> 8) * (1.0f / 16777216.0f);
        inside += x * x + y * y < 1.0f;
    }
    hits[INDEX] = inside;
}

extern "C" __global__ void black_scholes(const float *price, const float *strike, const float *years,
                                         float *call, int n) {
    const size_t i = INDEX;
    if (i >= (size_t)n) return;
    const float s = price[i], k = strike[i], t = years[i], root = 0.3f * sqrtf(t);
    const float d1 = (logf(s / k) + (0.02f + 0.045f) * t) / root, d2 = d1 - root;
    call[i] = s * normcdff(d1) - k * expf(-0.02f * t) * normcdff(d2);
}

extern "C" __global__ void hash_words(const unsigned *in, unsigned *out, int n, int rounds) {
    const size_t i = INDEX;
    if (i >= (size_t)n) return;
    unsigned h = in[i];
    for (int r = 0; r < rounds; ++r) {
        h ^= h >> 16;
        h *= 0x85EBCA6Bu;
        h ^= h >> 13;
        h *= 0xC2B2AE35u;
        h ^= h >> 16;
    }
    out[i] = h;
}

extern "C" __global__ void double_fma(const double *x, double *y, int n, int rounds) {
    const size_t i = INDEX;
    if (i >= (size_t)n) return;
    double v = x[i], sum = 0.0;
    for (int r = 0; r < rounds; ++r) sum = fma(sum, v, 0.5);
    y[i] = sum;
}

/* ---- balanced: shared memory, reuse in caches ---- */

extern "C" __global__ void matrix_product(const float *a, const float *b, float *c, int n) {
    __shared__ float left[16][17], right[16][17];
    const int tiles = n / 16, row = (int)(blockIdx.x / (unsigned)tiles) * 16 + (int)(threadIdx.x / 16),
              column = (int)(blockIdx.x % (unsigned)tiles) * 16 + (int)(threadIdx.x % 16);
    float sum = 0.0f;
    for (int t = 0; t < n; t += 16) {
        left[threadIdx.x / 16][threadIdx.x % 16] = a[(size_t)row * n + t + threadIdx.x % 16];
        right[threadIdx.x / 16][threadIdx.x % 16] = b[(size_t)(t + threadIdx.x / 16) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += left[threadIdx.x / 16][k] * right[k][threadIdx.x % 16];
        __syncthreads();
    }
    c[(size_t)row * n + column] = sum;
}

extern "C" __global__ void convolution(const float *in, const float *weight, float *out, int width,
                                       int height) {
    const int i = (int)INDEX, x = i % width, y = i / width;
    if (y >= height) return;
    float sum = 0.0f;
    for (int v = -3; v <= 3; ++v)
        for (int u = -3; u <= 3; ++u) {
            const int p = min(max(x + u, 0), width - 1), q = min(max(y + v, 0), height - 1);
            sum += in[(size_t)q * width + p] * weight[(v + 3) * 7 + u + 3];
        }
    out[i] = sum;
}

extern "C" __global__ void stencil(const float *in, const float *power, float *out, int width, int height) {
    const int i = (int)INDEX, x = i % width, y = i / width;
    if (y >= height) return;
    const float here = in[i], north = y ? in[i - width] : here, south = y + 1 < height ? in[i + width] : here;
    const float west = x ? in[i - 1] : here, east = x + 1 < width ? in[i + 1] : here;
    out[i] = here + 0.2f * (power[i] + north + south + west + east - 4.0f * here);
}

extern "C" __global__ void reduction(const float *in, float *out, int n) {
    extern __shared__ float part[];
    float sum = 0.0f;
    for (size_t i = INDEX; i < (size_t)n; i += (size_t)gridDim.x * blockDim.x) sum += in[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

extern "C" __global__ void histogram(const unsigned *in, unsigned *out, int n) {
    __shared__ unsigned count[256];
    for (unsigned b = threadIdx.x; b < 256; b += blockDim.x) count[b] = 0;
    __syncthreads();
    for (size_t i = INDEX; i < (size_t)n; i += (size_t)gridDim.x * blockDim.x)
        atomicAdd(&count[in[i] & 255u], 1u);
    __syncthreads();
    for (unsigned b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&out[b], count[b]);
}

extern "C" __global__ void scan(const float *in, float *out, int n) {
    extern __shared__ float part[];
    const size_t i = INDEX;
    part[threadIdx.x] = i < (size_t)n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned step = 1; step < blockDim.x; step *= 2) {
        const float v = threadIdx.x >= step ? part[threadIdx.x - step] : 0.0f;
        __syncthreads();
        part[threadIdx.x] += v;
        __syncthreads();
    }
    if (i < (size_t)n) out[i] = part[threadIdx.x];
}

extern "C" __global__ void sort_blocks(unsigned *data, int n) {
    extern __shared__ unsigned key[];
    const size_t i = INDEX;
    key[threadIdx.x] = i < (size_t)n ? data[i] : 0xFFFFFFFFu;
    for (unsigned size = 2; size <= blockDim.x; size *= 2)
        for (unsigned step = size / 2; step > 0; step /= 2) { /* bitonic */
            __syncthreads();
            const unsigned other = threadIdx.x ^ step;
            if (other > threadIdx.x) {
                const unsigned a = key[threadIdx.x], b = key[other];
                if ((a > b) == ((threadIdx.x & size) == 0)) key[threadIdx.x] = b, key[other] = a;
            }
        }
    __syncthreads();
    if (i < (size_t)n) data[i] = key[threadIdx.x];
}

extern "C" __global__ void walsh(float *data, int n, int step) {
    const size_t i = INDEX, low = (i / step) * 2 * step + i % step;
    if (low + step >= (size_t)n) return;
    const float a = data[low], b = data[low + step];
    data[low] = (a + b) * 0.70710678f;
    data[low + step] = (a - b) * 0.70710678f;
}

extern "C" __global__ void nearest_centre(const float *point, const float *centre, int *label, int n,
                                          int centres, int dims) {
    const size_t i = INDEX;
    if (i >= (size_t)n) return;
    float least = 3e38f;
    int best = 0;
    for (int c = 0; c < centres; ++c) {
        float sum = 0.0f;
        for (int d = 0; d < dims; ++d) {
            const float e = point[(size_t)d * n + i] - centre[c * dims + d];
            sum += e * e;
        }
        if (sum < least) least = sum, best = c;
    }
    label[i] = best;
}

/* ---- memory: little arithmetic for what is moved ---- */

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n) {
    const size_t i = INDEX;
    if (i < (size_t)n) c[i] = a[i] + b[i];
}

extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
    for (size_t i = INDEX; i < (size_t)n; i += (size_t)gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void transpose(const float *in, float *out, int n) {
    const size_t i = INDEX, row = i / n, column = i % n;
    if (row < (size_t)n) out[column * n + row] = in[i];
}

extern "C" __global__ void transpose_tiled(const float *in, float *out, int n) {
    __shared__ float tile[32][33];
    const int tiles = n / 32, rows = (int)blockDim.x / 32, left = (int)(blockIdx.x % (unsigned)tiles) * 32,
              top = (int)(blockIdx.x / (unsigned)tiles) * 32, u = (int)threadIdx.x % 32,
              v = (int)threadIdx.x / 32;
    for (int r = v; r < 32; r += rows) tile[r][u] = in[(size_t)(top + r) * n + left + u];
    __syncthreads();
    for (int r = v; r < 32; r += rows) out[(size_t)(left + r) * n + top + u] = tile[u][r];
}

extern "C" __global__ void gather(const float *in, const unsigned *at, float *out, int n) {
    const size_t i = INDEX;
    if (i < (size_t)n) out[i] = in[at[i]];
}

extern "C" __global__ void sparse_product(const int *start, const int *column, const float *value,
                                          const float *x, float *y, int rows) {
    const size_t i = INDEX;
    if (i >= (size_t)rows) return;
    float sum = 0.0f;
    for (int k = start[i]; k < start[i + 1]; ++k) sum += value[k] * x[column[k]];
    y[i] = sum;
}

extern "C" __global__ void breadth_first(const int *start, const int *neighbour, int *level, int nodes,
                                         int now) {
    const size_t i = INDEX;
    if (i >= (size_t)nodes || level[i] != now) return;
    for (int k = start[i]; k < start[i + 1]; ++k)
        if (level[neighbour[k]] < 0) level[neighbour[k]] = now + 1;
}

#ifdef __CUDACC__
/* ---- jobs ---- */

struct job {
    const char *kernel, *character;
    const void *function;
    int size, grid, block, shared; /* shared: bytes of dynamic shared memory */
    std::function<void(cudaStream_t)> launch;
    std::string values; /* "3=65536 4=512": the whole numbers among its parameters, counted from 0 */
};

template <class T> static void add_value(std::string &text, int parameter, T value) {
    if constexpr (std::is_integral<T>::value)
        text += (text.empty() ? "" : " ") + std::to_string(parameter) + "=" + std::to_string(value);
}

/* How often a kernel's loops run follows from these: `sooth ptx --launches` reads them. */
template <class... T> static std::string values_of(T... parameter) {
    std::string text;
    int i = 0;
    (add_value(text, i++, parameter), ...);
    return text;
}

/* Device memory of one size, filled once; kernels of the same size share it. */
struct room {
    int n = 0;
    float *a, *b, *c;
    unsigned *key, *at;
    double *p, *q;
    int *start, *neighbour, *level;
    explicit room(int size) : n(size) {
        numbers r;
        std::vector<float> x((size_t)n);
        std::vector<unsigned> k((size_t)n), place((size_t)n);
        std::vector<double> d((size_t)n);
        std::vector<int> first((size_t)n / 16 + 1), other((size_t)n);
        for (int i = 0; i < n; ++i) {
            x[(size_t)i] = 0.5f + r.unit();
            k[(size_t)i] = r.next();
            place[(size_t)i] = r.below((uint32_t)n);
            d[(size_t)i] = 0.25 + 0.5 * (double)r.unit();
            other[(size_t)i] = (int)r.below((uint32_t)n / 16);
        }
        for (size_t i = 0; i < first.size(); ++i) first[i] = (int)i * 16;
        a = on_device(x);
        b = on_device(x);
        c = on_device(x);
        key = on_device(k);
        at = on_device(place);
        p = on_device(d);
        q = on_device(d);
        start = on_device(first);
        neighbour = on_device(other);
        level = zeros<int>((size_t)n / 16 + 1);
    }
};

/* Every kernel x size x block of the sweep. sizes: numbers of elements, powers of 4 so that they are
   squares. */
static inline std::vector<job> all_jobs(const std::vector<int> &sizes, const std::vector<int> &blocks) {
    std::vector<job> jobs;
    for (int n : sizes) {
        static std::map<int, const room *> rooms; /* they live as long as the program */
        if (!rooms[n]) rooms[n] = new room(n);
        const room *r = rooms[n];
        int side = 1;
        while (side * side < n) side *= 2;
        for (int block : blocks) {
            const int grid = (n + block - 1) / block, few = std::min(grid, 8 * device.multiProcessorCount),
                      nodes = n / 16, some = (nodes + block - 1) / block, bodies = std::min(n, 32768),
                      heavy = (bodies / 2 + block - 1) / block;
#define JOB(kernel, character, grid, block, shared, ...)                                         \
    jobs.push_back(job{#kernel, character, (const void *)kernel, n, grid, block, shared,         \
                       [=](cudaStream_t s) {                                                     \
                           kernel<<<(unsigned)(grid), (unsigned)(block), (size_t)(shared), s>>>( \
                               __VA_ARGS__);                                                     \
                       },                                                                        \
                       values_of(__VA_ARGS__)})
            JOB(polynomial, "compute", grid, block, 0, r->a, r->c, n, 512);
            JOB(nbody, "compute", heavy, block, block * 16, (const float4 *)r->p, (float4 *)r->q, bodies / 2);
            JOB(mandelbrot, "compute", grid, block, 0, (int *)r->c, side, n / side, 256);
            JOB(monte_carlo_pi, "compute", few, block, 0, (unsigned *)r->c, 512, 7u);
            JOB(black_scholes, "compute", grid, block, 0, r->a, r->b, r->a, r->c, n);
            JOB(hash_words, "compute", grid, block, 0, r->key, (unsigned *)r->c, n, 64);
            JOB(double_fma, "compute", grid, block, 0, r->p, r->q, n, 64);
            if (block == 256) JOB(matrix_product, "balanced", n / 256, block, 0, r->a, r->b, r->c, side);
            JOB(convolution, "balanced", grid, block, 0, r->a, r->b, r->c, side, n / side);
            JOB(stencil, "balanced", grid, block, 0, r->a, r->b, r->c, side, n / side);
            JOB(reduction, "balanced", few, block, block * 4, r->a, r->c, n);
            JOB(histogram, "balanced", few, block, 0, r->key, (unsigned *)r->c, n);
            JOB(scan, "balanced", grid, block, block * 4, r->a, r->c, n);
            JOB(sort_blocks, "balanced", grid, block, block * 4, (unsigned *)r->c, n);
            JOB(walsh, "balanced", std::max(1, grid / 2), block, 0, r->c, n, 1024);
            JOB(nearest_centre, "balanced", some, block, 0, r->a, r->b, (int *)r->c, nodes, 16, 8);
            JOB(vector_add, "memory", grid, block, 0, r->a, r->b, r->c, n);
            JOB(saxpy, "memory", few, block, 0, 0.5f, r->a, r->c, n);
            JOB(transpose, "memory", grid, block, 0, r->a, r->c, side);
            if (side >= 32) JOB(transpose_tiled, "memory", n / 1024, block, 0, r->a, r->c, side);
            JOB(gather, "memory", grid, block, 0, r->a, r->at, r->c, n);
            JOB(sparse_product, "memory", some, block, 0, r->start, r->neighbour, r->a, r->b, r->c,
                nodes - 1);
            JOB(breadth_first, "memory", some, block, 0, r->start, r->neighbour, r->level, nodes - 1, 0);
#undef JOB
        }
    }
    return jobs;
}
#endif

#endif
