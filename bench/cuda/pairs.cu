/* pairs.cu - how kernels scale with multiprocessors, and how two of them slow each other down.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     nvcc -O2 -arch=native -std=c++17 pairs.cu -o pairs -ldl && ./pairs [SECONDS] > pairs.csv
 *
 * The multiprocessors are dealt out in two partitions by green contexts, which the driver must have (CUDA
 * 12.5 and later). What runs beside what, on a sixth to five sixths of the multiprocessors:
 *
 *   each kernel beside the cache or the bandwidth pressure producer of intensity C (Zhao et al. 2019, Listing
 *   1), which runs on the others; each two kernels beside each other
 *
 * With SECONDS the runs are as many as there is time for, in a fixed order: next to a producer and next to a
 * kernel in turns, each drawn without repetition.
 *
 * The table has the columns of build/runs (examples/simulator), two rows for every run:
 *
 *   run, program, sms, eight events (events.cuh; empty where there is no CUPTI), sd_scal, sd_inter
 *
 * with SD_scal = T(n) / T(N) and SD_inter = T(n, beside) / T(n), T(n) the time alone on n of N
 * multiprocessors; of producers the events alone. `sooth slowdown fit pairs.csv --group program`
 * and `build/themis --simulator pairs.csv` read it. A partner is launched again
 * and again for as long as the measured kernel is, so all of its time is spent in company.
 */
#include <atomic>
#include <string>
#include <thread>

#include "events.cuh"
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
        jobs.push_back(job{"cache", "pressure", (const void *)cache_pressure, C, threads, 256, 0,
                           [=](cudaStream_t s) {
                               cache_pressure<<<(unsigned)threads, 256, 0, s>>>(where, a, 2000 / (1 + C / 16),
                                                                                C);
                           },
                           ""});
        jobs.push_back(job{"bandwidth", "pressure", (const void *)bandwidth_pressure, C, threads, 256, 0,
                           [=](cudaStream_t s) {
                               bandwidth_pressure<<<(unsigned)threads, 256, 0, s>>>(
                                   a, b, n / (size_t)(1 + C / 16), C);
                           },
                           ""});
    }
    return jobs;
}

/* ---- partitions ---- */

#if CUDART_VERSION >= 12050
/* Whether events of the device's own context can be recorded in a stream. */
static bool takes_events(cudaStream_t stream) {
    cudaEvent_t event;
    MUST(cudaEventCreate(&event));
    const bool good =
        cudaEventRecord(event, stream) == cudaSuccess && cudaEventSynchronize(event) == cudaSuccess;
    cudaGetLastError();
    MUST(cudaEventDestroy(event));
    return good;
}

/* Two streams on n[0] multiprocessors and on the others; 0 where the driver cannot. The granted numbers are
   written back: partitions come in groups of 2 or 8. */
static int divide(int n[2], cudaStream_t part[2]) {
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
        my_cuDevSmResourceSplitByCount(&group[0], &groups, &all, &group[1], 0, (unsigned)n[0]) !=
            CUDA_SUCCESS ||
        groups != 1)
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
        n[k] = (int)group[k].sm.smCount;
        if (n[k] < 1 || !takes_events(part[k])) return 0;
    }
    return 1;
}
#else
static int divide(int[2], cudaStream_t[2]) { return 0; }
#endif

/* ---- measuring ---- */

/* Milliseconds of a launch: of several in a row, so that the host, which two threads share, is not in it. */
static double in_a_row(const job &one, cudaStream_t stream, int repeats) {
    const int many = std::max(1, (int)std::min(32.0, 0.25 / milliseconds(one.launch, 1, stream)));
    const auto row = [&](cudaStream_t s) {
        for (int i = 0; i < many; ++i) one.launch(s);
    };
    return milliseconds(row, repeats, stream) / many;
}

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
    ms = in_a_row(one, here, repeats);
    done = true;
    if (other) company.join();
    return ms;
}

/* A kernel on both partitions of a split, alone. */
struct solo {
    double ms[2];
};

struct split {
    int n[2];
    cudaStream_t part[2];
    std::vector<solo> alone; /* of the kernels */
};

/* What one of the two does in company: `which` of them, on the partition of that number. */
static void row(int run, const split &s, int which, const job &j, const counts &c, double ms, double whole,
                double here) {
    printf("%d,%s,%d", run, j.kernel, s.n[which]);
    print_events(c, ms);
    if (whole > 0) printf(",%.9g,%.9g", here / whole, ms / here);
    else printf(",,");
    row_end();
}

/* A run: kernel a next to kernel or producer b, on a split. */
struct meeting {
    size_t a, b, split;
};

/* All kernels next to `others` others, in a fixed random order; one pair is on all splits in a row. */
static std::vector<meeting> meetings(size_t kernels, size_t others, size_t splits) {
    std::vector<size_t> order(kernels * others);
    std::vector<meeting> all;
    numbers r;
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[r.below((uint32_t)i)]);
    for (size_t i : order)
        for (size_t s = 0; s < splits; ++s) all.push_back({i / others, i % others, s});
    return all;
}

/* ---- events, counted by a process of its own: a profiler changes the one that it is in ---- */

/* pairs counts: the events of each kernel and producer, a line each. */
static int print_counts() {
    open_device("counts", stderr);
    std::vector<job> all = all_jobs({1 << 22}, {256});
    for (const job &p : producers()) all.push_back(p);
    if (!events_open()) return 1;
    for (const job &j : all) {
        const counts c = events_of(j.launch);
        for (double v : c.of) printf("%.17g ", v);
        puts("");
        fflush(stdout);
    }
    return 0;
}

/* What the above prints, within a third of the time; shorter or nothing where there are no counters. */
static std::vector<counts> read_counts(const char *program) {
    const int seconds = (int)std::max(1.0, std::min(60.0, seconds_left() / 3.0));
    const std::string command =
        "timeout " + std::to_string(seconds) + " '" + program + "' counts 2> /dev/null";
    FILE *child = getenv("NO_EVENTS") ? NULL : popen(command.c_str(), "r");
    std::vector<counts> all;
    for (int k = 0; child; k = (k + 1) % COUNTS) {
        static counts c;
        if (fscanf(child, "%lf", &c.of[k]) != 1) break;
        if (k == COUNTS - 1) all.push_back(c);
    }
    if (child) pclose(child);
    return all;
}

int main(int count, char **word) {
    enum { REPEATS = 7 };
    std::vector<split> splits;
    std::vector<double> whole_ms;
    cudaStream_t whole;
    int run = 0;
    if (count == 2 && strcmp(word[1], "counts") == 0) return print_counts();
    begin_time(count, word);
    std::vector<counts> all_counts = read_counts(word[0]);
    open_device("pairs");
    const int all = device.multiProcessorCount;
    MUST(cudaStreamCreateWithFlags(&whole, cudaStreamNonBlocking));
    for (int sixth = 1; sixth <= 5; ++sixth) {
        split s = {{all * sixth / 6, 0}, {NULL, NULL}, {}};
        if (!divide(s.n, s.part) || (!splits.empty() && splits.back().n[0] == s.n[0])) continue;
        splits.push_back(s);
    }
    printf("run,program,sms,ipc,l1d_access,l1d_miss,l1c_access,l1c_miss,l2_access,l2_miss,bandwidth,sd_scal,"
           "sd_inter\n");
    if (splits.empty()) {
        printf("# end: 0 rows, skipped all: no green contexts, so multiprocessors cannot be divided\n");
        return 0;
    }
    const std::vector<job> jobs = all_jobs({1 << 22}, {256}), pressure = producers();
    all_counts.resize(jobs.size() + pressure.size(), no_counts);
    const std::vector<counts> job_counts(all_counts.begin(), all_counts.begin() + (long)jobs.size()),
        pressure_counts(all_counts.begin() + (long)jobs.size(), all_counts.end());
    loaded(jobs[0].launch, milliseconds(jobs[0].launch, 3), 0.3); /* clocks of an idle device are low */
    for (const job &j : jobs) whole_ms.push_back(in_a_row(j, whole, REPEATS));
    for (split &s : splits)
        for (const job &j : jobs)
            s.alone.push_back({{in_a_row(j, s.part[0], REPEATS), in_a_row(j, s.part[1], REPEATS)}});
    const std::vector<meeting> pressed = meetings(jobs.size(), pressure.size(), splits.size()),
                               met = meetings(jobs.size(), jobs.size(), splits.size());
    const size_t runs = pressed.size() + met.size();
    for (size_t i = 0; i < std::max(pressed.size(), met.size()) && seconds_left() > 1.0; ++i) {
        if (i < pressed.size()) {
            const meeting &m = pressed[i];
            const split &s = splits[m.split];
            const job &j = jobs[m.a], &k = pressure[m.b];
            row(++run, s, 0, j, job_counts[m.a], beside(j, s.part[0], &k, s.part[1], REPEATS), whole_ms[m.a],
                s.alone[m.a].ms[0]);
            row(run, s, 1, k, pressure_counts[m.b], beside(k, s.part[1], &j, s.part[0], REPEATS), 0, 0);
        }
        if (i < met.size()) {
            const meeting &m = met[i];
            const split &s = splits[m.split];
            const job &j = jobs[m.a], &k = jobs[m.b];
            row(++run, s, 0, j, job_counts[m.a], beside(j, s.part[0], &k, s.part[1], REPEATS), whole_ms[m.a],
                s.alone[m.a].ms[0]);
            row(run, s, 1, k, job_counts[m.b], beside(k, s.part[1], &j, s.part[0], REPEATS), whole_ms[m.b],
                s.alone[m.b].ms[1]);
        }
    }
    table_end(runs - (size_t)run, "runs");
    return 0;
}
