/* pairs.cu - how kernels scale with multiprocessors, and how two of them slow each other down.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     nvcc -O2 -arch=native -std=c++17 pairs.cu -o pairs -ldl && ./pairs > pairs.csv
 *
 * The multiprocessors are dealt out in two partitions by green contexts, where the driver has them (CUDA
 * 12.4 and later); else both kernels run in streams on the whole device, the column sms is empty, and
 * who gets how much is up to the hardware. Three parts:
 *
 *   solo   each kernel on n of the N multiprocessors, alone: T(n)
 *   press  each kernel beside the cache or the bandwidth pressure producer of intensity C (Zhao et al. 2019,
 *          Listing 1), which runs on the others
 *   pair   each two kernels beside each other
 *
 * The partner is launched again and again for as long as the measured kernel is, so all of its time is
 * spent in company. From the rows
 *   SD_scal = T(n) / T(N),   SD_inter = T(n, beside) / T(n),   pressure of a kernel = SD_inter of a meter, a
 *           producer with C = 0, beside it.
 */
#include <atomic>
#include <thread>

#include "kernels.cuh"

/* ---- pressure ---- */

/* Follows pointers through a working set of the second cache, a warp's width apart; C multiply-adds after
   every step. */
__global__ void cache_pressure(const unsigned *where, float *out, int steps, int C) {
    unsigned at = (unsigned)INDEX;
    float v = 1.0f;
    for (int k = 0; k < steps; ++k) {
        at = __ldcg(where + at); /* not from the first cache */
        for (int c = 0; c < C; ++c) v = fmaf(v, 0.999f, 0.001f);
    }
    if (v == 7.0f) out[0] = v + (float)at;
}

/* Streams through vectors much larger than all caches; C multiply-adds after every element. */
__global__ void bandwidth_pressure(float *a, const float *b, size_t n, int C) {
    float v = 1.0f;
    for (size_t i = INDEX; i < n; i += (size_t)gridDim.x * blockDim.x) {
        a[i] = b[i] + v;
        for (int c = 0; c < C; ++c) v = fmaf(v, 0.999f, 0.001f);
    }
}

static std::vector<job> producers() {
    const int threads = 2048 / 256 * device.multiProcessorCount; /* blocks of 256 that fill the device */
    const size_t set = std::max((size_t)device.l2CacheSize / 2 / 4, (size_t)threads * 256),
                 n = (size_t)64 << 20;
    std::vector<unsigned> ring(set), order(set / 32);
    std::vector<job> jobs;
    numbers r;
    unsigned *where;
    float *a = zeros<float>(n), *b = zeros<float>(n);
    for (size_t i = 0; i < order.size(); ++i) order[i] = (unsigned)i;
    for (size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[r.below((uint32_t)i + 1)]);
    for (size_t i = 0; i < order.size(); ++i) /* warps go from line to line, each lane in its place */
        for (unsigned lane = 0; lane < 32; ++lane)
            ring[(size_t)order[i] * 32 + lane] = order[(i + 1) % order.size()] * 32 + lane;
    for (size_t i = order.size() * 32; i < set; ++i) ring[i] = (unsigned)i;
    where = on_device(ring);
    for (int C : {0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}) {
        jobs.push_back(
            job{"cache", "pressure", (const void *)cache_pressure, C, threads, 256, 0, [=](cudaStream_t s) {
                    cache_pressure<<<(unsigned)threads, 256, 0, s>>>(where, a, 2000 / (1 + C / 16), C);
                }});
        jobs.push_back(job{"bandwidth", "pressure", (const void *)bandwidth_pressure, C, threads, 256, 0,
                           [=](cudaStream_t s) {
                               bandwidth_pressure<<<(unsigned)threads, 256, 0, s>>>(
                                   a, b, n / (size_t)(1 + C / 16), C);
                           }});
    }
    return jobs;
}

/* ---- partitions ---- */

#if CUDART_VERSION >= 12050
/* Two streams on n multiprocessors and on the others; 0 where the driver cannot. The granted number is
   written back: partitions come in groups of 2 or 8. */
static int divide(int *n, cudaStream_t part[2]) {
    static void *driver = dlopen("libcuda.so.1", RTLD_NOW);
#define ENTRY(name) static decltype(&name) my_##name = driver ? (decltype(&name))dlsym(driver, #name) : NULL
    ENTRY(cuDeviceGetDevResource);
    ENTRY(cuDevSmResourceSplitByCount);
    ENTRY(cuDevResourceGenerateDesc);
    ENTRY(cuGreenCtxCreate);
    ENTRY(cuGreenCtxStreamCreate);
#undef ENTRY
    CUdevResource all, group[2];
    unsigned groups = 1;
    if (!my_cuDeviceGetDevResource || !my_cuDevSmResourceSplitByCount || !my_cuDevResourceGenerateDesc ||
        !my_cuGreenCtxCreate || !my_cuGreenCtxStreamCreate)
        return 0;
    if (my_cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM) != CUDA_SUCCESS ||
        my_cuDevSmResourceSplitByCount(&group[0], &groups, &all, &group[1], 0, (unsigned)*n) != CUDA_SUCCESS)
        return 0;
    for (int k = 0; k < 2; ++k) {
        CUdevResourceDesc description;
        CUgreenCtx context;
        CUstream stream;
        if (my_cuDevResourceGenerateDesc(&description, &group[k], 1) != CUDA_SUCCESS ||
            my_cuGreenCtxCreate(&context, description, 0, CU_GREEN_CTX_DEFAULT_STREAM) != CUDA_SUCCESS ||
            my_cuGreenCtxStreamCreate(&stream, context, CU_STREAM_NON_BLOCKING, 0) != CUDA_SUCCESS)
            return 0;
        part[k] = (cudaStream_t)stream;
    }
    *n = (int)group[0].sm.smCount;
    return 1;
}
#else
static int divide(int *, cudaStream_t *) { return 0; }
#endif

/* ---- measuring ---- */

/* Milliseconds of `one` in its stream while `other` is kept running in its own. Never more than a few
   launches of the other wait, so it ends soon after. */
static double beside(const job &one, cudaStream_t here, const job *other, cudaStream_t there, int repeats) {
    std::atomic<bool> done(false), running(other == NULL);
    std::thread company;
    double ms;
    if (other)
        company = std::thread([&] {
            cudaEvent_t turn[4];
            MUST(cudaSetDevice(0));
            for (cudaEvent_t &e : turn) MUST(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
            for (unsigned i = 0; !done; ++i) {
                if (i >= 4) {
                    MUST(cudaEventSynchronize(turn[i % 4]));
                    running = true;
                }
                other->launch(there);
                MUST(cudaEventRecord(turn[i % 4], there));
            }
            MUST(cudaStreamSynchronize(there));
            for (cudaEvent_t &e : turn) MUST(cudaEventDestroy(e));
        });
    while (!running) std::this_thread::yield();
    ms = milliseconds(one.launch, repeats, here);
    done = true;
    if (other) company.join();
    return ms;
}

static void row(const char *part, const job &one, const job *other, int n, int of, double ms) {
    printf("%s,%s,%s,%d,%d,", part, one.kernel, one.character, one.size, one.block);
    if (other) printf("%s,%d,", other->kernel, other->size);
    else printf(",,");
    if (n > 0) printf("%d", n);
    printf(",%d,%.6f\n", of, ms);
    fflush(stdout);
}

int main() {
    struct split {
        int n;
        cudaStream_t part[2];
    };
    std::vector<split> splits;
    std::vector<job> jobs, pressure;
    cudaStream_t whole;
    int all;
    open_device("pairs");
    all = device.multiProcessorCount;
    MUST(cudaStreamCreateWithFlags(&whole, cudaStreamNonBlocking));
    for (int sixth = 1; sixth <= 5; ++sixth) {
        split s = {all * sixth / 6, {NULL, NULL}};
        if (divide(&s.n, s.part) && (splits.empty() || splits.back().n != s.n)) splits.push_back(s);
    }
    if (splits.empty()) {
        split s = {0, {whole, NULL}};
        MUST(cudaStreamCreateWithFlags(&s.part[1], cudaStreamNonBlocking));
        splits.push_back(s);
        fprintf(stderr, "no green contexts here: kernels share all multiprocessors\n");
    }
    jobs = all_jobs({1 << 22}, {256});
    pressure = producers();
    printf("part,kernel,character,size,block,beside,intensity or size,sms,of,milliseconds\n");
    for (const job &j : jobs) {
        row("solo", j, NULL, all, all, milliseconds(j.launch, 11, whole));
        for (const split &s : splits)
            if (s.n) row("solo", j, NULL, s.n, all, milliseconds(j.launch, 11, s.part[0]));
    }
    for (const job &p : pressure)
        for (const split &s : splits) row("solo", p, NULL, s.n, all, milliseconds(p.launch, 11, s.part[0]));
    for (const job &j : jobs)
        for (const job &p : pressure)
            for (const split &s : splits)
                row("press", j, &p, s.n, all, beside(j, s.part[0], &p, s.part[1], 11));
    for (const job &p : pressure) /* the meters beside every kernel: what pressure it makes */
        if (p.size == 0)
            for (const job &j : jobs)
                for (const split &s : splits)
                    row("press", p, &j, s.n, all, beside(p, s.part[0], &j, s.part[1], 11));
    for (const job &j : jobs)
        for (const job &k : jobs)
            for (const split &s : splits)
                row("pair", j, &k, s.n, all, beside(j, s.part[0], &k, s.part[1], 11));
    return 0;
}
