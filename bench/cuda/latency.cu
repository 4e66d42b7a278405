/* latency.cu - what instructions and memories cost on this GPU: the numbers of a device description.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Latency: one thread runs a chain in which every instruction waits for the one before, between two
 * readings of the clock register; the chain's length divides out. Throughput: every scheduler of one SM
 * gets enough warps with four chains each. All of it runs twice and the second time counts: then the code
 * lies in the instruction cache. Memory: a thread follows pointers through a ring of random order; the size
 * of the ring says in which cache it lies, and where its latency rises the cache ends (Wong et al.:
 * Demystifying GPU microarchitecture, ISPASS 2010; Jia et al.: Dissecting the NVIDIA Volta GPU, 2018).
 *
 * The last column is what the driver says of the device, under the names of its description.
 *
 *     nvcc -O2 -arch=native -std=c++17 latency.cu -o latency -ldl && ./latency [SECONDS] > latency.csv
 *     sooth gpu h100 --latency latency.csv -o mine.gpu
 */
#include "cuda.cuh"

/* Each operation as one step of a chain on x. The operands come from memory, and all are 1: so the compiler
   knows nothing of them, and no division or root ends at the very small numbers, which have a way of their
   own. Inline PTX keeps these instructions, but the assembler combines them where it can: two adds, two "and"
   and two "min" become one. So these alternate with a multiply-add, whose latency is subtracted; their
   throughput is that of the two. Of a division, what depends on the divisor alone would be computed once, so
   x is the divisor. ONE, TWO, MANY: the steps of a chain by the instructions of a step, so that the code
   stays within the smallest instruction cache. */
enum { ONE = 256, TWO = 128, MANY = 32 };
#define AND_MAD " mad.lo.s32 %0, %0, %1, %2;"
#define OPERATIONS(X)                                          \
    X(mad_lo_s32, int, "mad.lo.s32 %0, %0, %1, %2;", "r", ONE) \
    X(add_s32, int, "add.s32 %0, %0, %1;" AND_MAD, "r", TWO)   \
    X(mul_lo_s32, int, "mul.lo.s32 %0, %0, %1;", "r", ONE)     \
    X(mul_hi_u32, int, "mul.hi.u32 %0, %0, %1;", "r", ONE)     \
    X(shl_b32, int, "shl.b32 %0, %0, %1;" AND_MAD, "r", TWO)   \
    X(and_b32, int, "and.b32 %0, %0, %1;" AND_MAD, "r", TWO)   \
    X(min_s32, int, "min.s32 %0, %0, %1;" AND_MAD, "r", TWO)   \
    X(popc_b32, int, "popc.b32 %0, %0;", "r", ONE)             \
    X(div_s32, int, "div.s32 %0, %1, %0;", "r", MANY)          \
    X(rem_s32, int, "rem.s32 %0, %1, %0;", "r", MANY)          \
    X(add_f32, float, "add.f32 %0, %0, %1;", "f", ONE)         \
    X(mul_f32, float, "mul.f32 %0, %0, %1;", "f", ONE)         \
    X(fma_f32, float, "fma.rn.f32 %0, %0, %1, %2;", "f", ONE)  \
    X(div_f32, float, "div.rn.f32 %0, %1, %0;", "f", MANY)     \
    X(rcp_f32, float, "rcp.rn.f32 %0, %0;", "f", MANY)         \
    X(sqrt_f32, float, "sqrt.rn.f32 %0, %0;", "f", MANY)       \
    X(rsqrt_f32, float, "rsqrt.approx.f32 %0, %0;", "f", TWO)  \
    X(sin_f32, float, "sin.approx.f32 %0, %0;", "f", TWO)      \
    X(ex2_f32, float, "ex2.approx.f32 %0, %0;", "f", TWO)      \
    X(lg2_f32, float, "lg2.approx.f32 %0, %0;", "f", TWO)      \
    X(add_f64, double, "add.f64 %0, %0, %1;", "d", ONE)        \
    X(mul_f64, double, "mul.f64 %0, %0, %1;", "d", ONE)        \
    X(fma_f64, double, "fma.rn.f64 %0, %0, %1, %2;", "d", ONE) \
    X(div_f64, double, "div.rn.f64 %0, %1, %0;", "d", MANY)

enum { THREADS = 1024 };

/* The operands: x, then a, then b of every thread. */
template <class T> __global__ void ones(T *to) {
    for (int i = 0; i < 3; ++i) to[i * THREADS + (int)threadIdx.x] = (T)1;
}

#define KERNELS(name, type, code, kind, steps)                                             \
    __global__ void chain_##name(type *io, long long *clocks) {                            \
        type x = io[0];                                                                    \
        const type a = io[THREADS], b = io[2 * THREADS];                                   \
        long long from = 0, to = 0;                                                        \
        _Pragma("unroll 1") for (int round = 0; round < 2; ++round) {                      \
            from = clock64();                                                              \
            _Pragma("unroll") for (int i = 0; i < steps; ++i) {                            \
                asm volatile(code : "+" kind(x) : kind(a), kind(b));                       \
            }                                                                              \
            to = clock64();                                                                \
        }                                                                                  \
        io[0] = x;                                                                         \
        clocks[0] = to - from;                                                             \
    }                                                                                      \
    __global__ void __launch_bounds__(THREADS) flood_##name(type *io, long long *clocks) { \
        type x = io[threadIdx.x], y = x, z = x, w = x;                                     \
        const type a = io[THREADS + threadIdx.x], b = io[2 * THREADS + threadIdx.x];       \
        long long from = 0, to = 0;                                                        \
        _Pragma("unroll 1") for (int round = 0; round < 2; ++round) {                      \
            __syncthreads();                                                               \
            from = clock64();                                                              \
            _Pragma("unroll 1") for (int more = 0; more < 16; ++more) {                    \
                _Pragma("unroll") for (int i = 0; i < steps / 16; ++i) {                   \
                    asm volatile(code : "+" kind(x) : kind(a), kind(b));                   \
                    asm volatile(code : "+" kind(y) : kind(a), kind(b));                   \
                    asm volatile(code : "+" kind(z) : kind(a), kind(b));                   \
                    asm volatile(code : "+" kind(w) : kind(a), kind(b));                   \
                }                                                                          \
            }                                                                              \
            __syncthreads();                                                               \
            to = clock64();                                                                \
        }                                                                                  \
        io[threadIdx.x] = x + y + z + w;                                                   \
        if (threadIdx.x == 0) clocks[0] = to - from;                                       \
    }
OPERATIONS(KERNELS)

/* A load that gives the address of the next: nothing is computed between them. */
#define FOLLOW_SHARED(at) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at) : : "memory")
#define FOLLOW_GLOBAL(at) asm volatile("ld.global.u64 %0, [%0];" : "+l"(at) : : "memory")

__global__ void chain_shared(unsigned *out, long long *clocks) {
    __shared__ unsigned ring[256];
    unsigned at = (unsigned)__cvta_generic_to_shared(ring);
    long long from = 0, to = 0;
    for (unsigned i = 0; i < 256; ++i) ring[i] = at + 4 * ((i + 33) & 255);
#pragma unroll 1
    for (int round = 0; round < 2; ++round) {
        from = clock64();
#pragma unroll
        for (int i = 0; i < ONE; ++i) FOLLOW_SHARED(at);
        to = clock64();
    }
    out[0] = at;
    clocks[0] = to - from;
}

__global__ void chain_memory(unsigned long long at, unsigned around, unsigned steps, unsigned long long *out,
                             long long *clocks) {
    long long from = 0, to = 0;
#pragma unroll 1
    for (int round = 0; round < 2; ++round) { /* first around, so that what fits is there */
        const unsigned n = round ? steps : around;
        from = clock64();
        for (unsigned i = 0; i < n; i += 4) {
            FOLLOW_GLOBAL(at);
            FOLLOW_GLOBAL(at);
            FOLLOW_GLOBAL(at);
            FOLLOW_GLOBAL(at);
        }
        to = clock64();
    }
    out[0] = at;
    clocks[0] = to - from;
}

__global__ void flood_shared(float *out, long long *clocks, int rounds) {
    __shared__ float room[2048];
    const volatile float *at = room + threadIdx.x; /* read each time */
    float sum = 0.0f;
    long long from = 0, to = 0;
    for (int i = (int)threadIdx.x; i < 2048; i += (int)blockDim.x) room[i] = (float)i;
#pragma unroll 1
    for (int round = 0; round < 2; ++round) {
        __syncthreads();
        from = clock64();
#pragma unroll 1
        for (int r = 0; r < rounds; r += 32) {
#pragma unroll
            for (int k = 0; k < 32; ++k) sum += at[32 * k];
        }
        __syncthreads();
        to = clock64();
    }
    out[threadIdx.x] = sum;
    if (threadIdx.x == 0) clocks[0] = to - from;
}

__global__ void copy(const float4 *from, float4 *to, size_t count) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x)
        to[i] = from[i];
}

__global__ void sum(const float4 *from, float *out, size_t count, int rounds) {
    float s = 0.0f;
    for (int r = 0; r < rounds; ++r)
        for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
             i += (size_t)gridDim.x * blockDim.x) {
            float4 v = __ldcg(from + i); /* past the first cache */
            s += v.x + v.y + v.z + v.w;
        }
    if (s == 1.2345f) out[0] = s;
}

int main(int count, char **word) {
    long long *clocks, taken;
    double mad = 0.0; /* cycles of the multiply-add, the first of them */
    void *out;
    size_t skipped = 0;
    begin_time(count, word);
    open_device("latency");
    clocks = zeros<long long>(1);
    MUST(cudaMalloc(&out, 3 * THREADS * sizeof(double)));
    printf("what,latency_cycles,per_cycle_per_sm,gigabytes_per_second,device\n");
    table_rows += 4;
    printf("compute,,,,%d\nsms,,,,%d\nl2_bytes,,,,%d\nclock_mhz,,,,%g\n", 10 * device.major + device.minor,
           device.multiProcessorCount, device.l2CacheSize, 1e-3 * attribute(cudaDevAttrClockRate));

#define MEASURE(name, type, code, kind, steps)                                        \
    do {                                                                              \
        double latency;                                                               \
        ones<<<1, THREADS>>>((type *)out);                                            \
        chain_##name<<<1, 1>>>((type *)out, clocks);                                  \
        MUST(cudaGetLastError());                                                     \
        MUST(cudaMemcpy(&taken, clocks, sizeof taken, cudaMemcpyDeviceToHost));       \
        latency = (double)taken / steps - (strstr(code, AND_MAD) ? mad : 0.0);        \
        if (!mad) mad = latency;                                                      \
        ones<<<1, THREADS>>>((type *)out);                                            \
        flood_##name<<<1, THREADS>>>((type *)out, clocks);                            \
        MUST(cudaGetLastError());                                                     \
        MUST(cudaMemcpy(&taken, clocks, sizeof taken, cudaMemcpyDeviceToHost));       \
        printf(#name ",%.2f,%.2f,,", latency, 4.0 * steps * THREADS / (double)taken); \
        row_end();                                                                    \
    } while (0);
    OPERATIONS(MEASURE)

    chain_shared<<<1, 1>>>((unsigned *)out, clocks);
    MUST(cudaMemcpy(&taken, clocks, sizeof taken, cudaMemcpyDeviceToHost));
    printf("shared,%.2f,", (double)taken / ONE);
    flood_shared<<<1, THREADS>>>((float *)out, clocks, 1024);
    MUST(cudaMemcpy(&taken, clocks, sizeof taken, cudaMemcpyDeviceToHost));
    printf("%.2f,,", 1024.0 * 1024.0 / (double)taken);
    row_end();

    /* the ring in random order: every 128 bytes one pointer, so that every step is a line of its own */
    for (size_t bytes = 4096; bytes <= (size_t)256 << 20;
         bytes += bytes / 2 < 4096 ? 4096 : bytes / 2 / 4096 * 4096) {
        if (seconds_left() < 2.0) {
            ++skipped;
            continue;
        }
        const size_t lines = bytes / 128;
        std::vector<unsigned> order(lines);
        std::vector<unsigned long long> ring(lines * 16, 0);
        numbers n;
        unsigned long long *where;
        const unsigned steps = (unsigned)(lines < 16384 ? (lines < 1024 ? 1024 : lines) : 16384);
        for (size_t i = 0; i < lines; ++i) order[i] = (unsigned)i;
        for (size_t i = lines - 1; i > 0; --i) std::swap(order[i], order[n.below((uint32_t)i + 1)]);
        MUST(cudaMalloc(&where, bytes));
        for (size_t i = 0; i < lines; ++i) /* line 0 is on the ring like every other */
            ring[(size_t)order[i] * 16] =
                (unsigned long long)(size_t)(where + (size_t)order[(i + 1) % lines] * 16);
        MUST(cudaMemcpy(where, ring.data(), bytes, cudaMemcpyHostToDevice));
        chain_memory<<<1, 1>>>((unsigned long long)(size_t)where, std::max((unsigned)lines, steps), steps,
                               (unsigned long long *)out, clocks);
        MUST(cudaGetLastError());
        MUST(cudaMemcpy(&taken, clocks, sizeof taken, cudaMemcpyDeviceToHost));
        printf("global %zu KiB,%.1f,,,", bytes / 1024, (double)taken / ((steps + 3) / 4 * 4));
        row_end();
        MUST(cudaFree(where));
    }

    if (seconds_left() < 1.0) skipped += 3;
    else { /* bandwidths: a copy beyond all caches, and sums of what lies in the second cache */
        const size_t large = (size_t)256 << 20, small = (size_t)device.l2CacheSize / 4;
        float4 *a = zeros<float4>(large / 16), *b = zeros<float4>(large / 16);
        const int blocks = device.multiProcessorCount * 8;
        double ms = milliseconds([&](cudaStream_t s) { copy<<<blocks, 256, 0, s>>>(a, b, large / 16); }, 15);
        printf("copy,,,%.1f,", 2e-6 * (double)large / ms);
        row_end();
        ms = milliseconds([&](cudaStream_t s) { sum<<<blocks, 256, 0, s>>>(a, (float *)out, large / 16, 1); },
                          15);
        printf("read,,,%.1f,", 1e-6 * (double)large / ms);
        row_end();
        if (small) {
            ms = milliseconds(
                [&](cudaStream_t s) { sum<<<blocks, 256, 0, s>>>(a, (float *)out, small / 16, 32); }, 15);
            printf("read from L2,,,%.1f,", 32e-6 * (double)small / ms);
            row_end();
        }
    }
    table_end(skipped, "measurements of memory");
    return 0;
}
