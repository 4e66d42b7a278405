/* cuda.cuh - what the CUDA measurements share: errors, time, power, sharing out of the multiprocessors, CSV.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A measurement prints one CSV to the standard output. The first line begins with # and has device, clocks,
 * driver and date. The last one begins with "# end:" and has the number of rows and what was skipped. Each
 * row is written at once, so a table that was cut has whole rows. The first word of a program is the seconds
 * that it may take; none means no limit.
 *
 * Power is read through NVML, which comes with the driver. It is looked up at run time. So nothing but the
 * CUDA toolkit is needed to compile, and a machine without it still measures times: power is then an empty
 * cell.
 */
#ifndef SOOTH_BENCH_CUDA_CUH
#define SOOTH_BENCH_CUDA_CUH

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>
#include <dlfcn.h>

#include "meter.h"

#define MUST(call) must((call), #call, __LINE__)

static inline void must(cudaError_t status, const char *what, int line) {
    if (status == cudaSuccess) return;
    fprintf(stderr, "line %d: %s: %s\n", line, what, cudaGetErrorString(status));
    exit(1);
}

/* ---- the device ---- */

static cudaDeviceProp device;

static inline int attribute(cudaDeviceAttr which) {
    int value = 0;
    MUST(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}

/* ---- NVML: power, energy and clocks, as far as the driver shows them ---- */

struct nvml_library {
    void *handle, *gpu;
    int (*power)(void *, unsigned *);            /* milliwatts, a mean over some tens of milliseconds */
    int (*energy)(void *, unsigned long long *); /* millijoules since the driver was loaded */
    int (*clock)(void *, unsigned, unsigned *);  /* 0 graphics, 1 SM, 2 memory: megahertz */
    int (*heat)(void *, unsigned, unsigned *);   /* 0 the chip: degrees Celsius */
};
static nvml_library nvml;

static inline void nvml_open() {
    int (*init)(), (*find)(const char *, void **);
    char bus[32];
    nvml.handle = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (!nvml.handle) return;
    init = (int (*)())dlsym(nvml.handle, "nvmlInit_v2");
    find = (int (*)(const char *, void **))dlsym(nvml.handle, "nvmlDeviceGetHandleByPciBusId_v2");
    MUST(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
    if (!init || !find || init() != 0 || find(bus, &nvml.gpu) != 0) {
        nvml.handle = NULL;
        return;
    }
    nvml.power = (int (*)(void *, unsigned *))dlsym(nvml.handle, "nvmlDeviceGetPowerUsage");
    nvml.energy =
        (int (*)(void *, unsigned long long *))dlsym(nvml.handle, "nvmlDeviceGetTotalEnergyConsumption");
    nvml.clock = (int (*)(void *, unsigned, unsigned *))dlsym(nvml.handle, "nvmlDeviceGetClockInfo");
    nvml.heat = (int (*)(void *, unsigned, unsigned *))dlsym(nvml.handle, "nvmlDeviceGetTemperature");
}

/* Watts now; below 0: not shown. */
static inline double watts_now() {
    unsigned mw;
    return nvml.handle && nvml.power && nvml.power(nvml.gpu, &mw) == 0 ? 1e-3 * mw : -1.0;
}

/* Joules since some time; below 0: not shown (before Volta). */
static inline double joules_now() {
    unsigned long long mj;
    return nvml.handle && nvml.energy && nvml.energy(nvml.gpu, &mj) == 0 ? 1e-3 * (double)mj : -1.0;
}

static inline unsigned megahertz(unsigned which) {
    unsigned mhz;
    return nvml.handle && nvml.clock && nvml.clock(nvml.gpu, which, &mhz) == 0 ? mhz : 0;
}

/* Degrees Celsius; below 0: not shown. */
static inline double celsius() {
    unsigned degrees;
    return nvml.handle && nvml.heat && nvml.heat(nvml.gpu, 0, &degrees) == 0 ? degrees : -1.0;
}

/* Opens the first device and prints what it is. */
static inline void open_device(const char *program, FILE *to = stdout) {
    int driver = 0, runtime = 0;
    time_t now = time(NULL);
    char date[32];
    MUST(cudaSetDevice(0));
    MUST(cudaGetDeviceProperties(&device, 0));
    MUST(cudaFree(NULL));
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    nvml_open();
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    fprintf(to,
            "# %s on %s, compute capability %d.%d, %d SMs, L2 %d KiB, SM clock %u MHz, memory clock %u MHz, "
            "driver %d, CUDA %d, %s\n",
            program, device.name, device.major, device.minor, device.multiProcessorCount,
            device.l2CacheSize / 1024, megahertz(1), megahertz(2), driver, runtime, date);
}

/* ---- time ---- */

static inline double seconds_now() {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the table, and the seconds for it ---- */

static double must_end = 1e300; /* seconds_now() */
static size_t table_rows = 0;

static inline void begin_time(int count, char **word) {
    const double seconds = count > 1 ? atof(word[1]) : 0.0;
    if (seconds > 0.0) must_end = seconds_now() + seconds;
}

static inline double seconds_left() { return must_end - seconds_now(); }

static inline void row_end() {
    putchar('\n');
    fflush(stdout);
    ++table_rows;
}

/* Closes the table. `what` names the skipped things. */
static inline void table_end(size_t skipped, const char *what) {
    if (skipped) printf("# end: %zu rows, skipped %zu %s: out of time\n", table_rows, skipped, what);
    else printf("# end: %zu rows, skipped none\n", table_rows);
    fflush(stdout);
}

/* Milliseconds of one launch: the median of `repeats` after one that warms up, by events on the stream. */
template <class Launch> static double milliseconds(Launch launch, int repeats, cudaStream_t stream = 0) {
    std::vector<double> found;
    cudaEvent_t from, to;
    MUST(cudaEventCreate(&from));
    MUST(cudaEventCreate(&to));
    for (int i = -1; i < repeats; ++i) {
        float ms;
        MUST(cudaEventRecord(from, stream));
        launch(stream);
        MUST(cudaGetLastError());
        MUST(cudaEventRecord(to, stream));
        MUST(cudaEventSynchronize(to));
        MUST(cudaEventElapsedTime(&ms, from, to));
        if (i >= 0) found.push_back(ms);
    }
    MUST(cudaEventDestroy(from));
    MUST(cudaEventDestroy(to));
    return median(found);
}

/* Finds how often the energy counter changes, and prints it. Returns the seconds from change to change; below
   0: there is no counter. */
static inline double energy_interval() {
    const double start = seconds_now();
    meter m;
    if (joules_now() < 0.0) {
        printf("# energy counter: none; watts are readings of the power\n");
        return -1.0;
    }
    while (seconds_now() < start + 1.5 && m.steps() < 40) m.add(seconds_now(), joules_now());
    printf("# energy counter: changes every %.1f ms, by %.3f J without work\n", 1e3 * m.interval(), m.step());
    return m.interval();
}

/* Watts over a while: by the energy counter, else the mean of readings of the power. */
struct watching {
    meter m;
    double sum = 0.0;
    int readings = 0;
    void read(double now) {
        const double joules = joules_now(), watts = joules < 0.0 ? watts_now() : -1.0;
        if (joules >= 0.0) m.add(now, joules);
        if (watts >= 0.0) sum += watts, ++readings;
    }
    double watts() const { return m.steps() ? m.watts() : readings ? sum / readings : -1.0; }
};

struct load {
    double watts, ms, mhz; /* of the board, from launch to launch, of the SMs; below 0: not known */
};

/* So many launches in a row, to be begun at once. */
template <class Launch> static cudaGraphExec_t graph_of(Launch launch, int count, cudaStream_t stream) {
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < count; ++i) launch(stream);
    MUST(cudaStreamEndCapture(stream, &graph));
    MUST(cudaGraphInstantiate(&ready, graph, 0));
    MUST(cudaGraphDestroy(graph));
    return ready;
}

/* The board while launches follow each other for about `seconds`, in graphs of some milliseconds. The first
   quarter is not counted: clocks and the moving average of the driver settle. A graph always waits, so that
   the device works while the host reads the counter. */
template <class Launch> static load loaded(Launch launch, double ms_of_one, double seconds) {
    const int batch = std::max(1, std::min(1000, (int)(4.0 / ms_of_one)));
    static cudaStream_t stream;
    if (!stream) MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    const cudaGraphExec_t graph = graph_of(launch, batch, stream);
    const double start = seconds_now(), settled = start + seconds / 4.0;
    double from = start, now = start;
    size_t launches = 0;
    cudaEvent_t end[2];
    watching board;
    for (cudaEvent_t &e : end) MUST(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    for (unsigned turn = 0; now < start + seconds; ++turn) {
        cudaError_t before = cudaErrorNotReady;
        MUST(cudaGraphLaunch(graph, stream));
        MUST(cudaEventRecord(end[turn % 2], stream));
        if (turn == 0) continue;
        while ((before = cudaEventQuery(end[(turn + 1) % 2])) == cudaErrorNotReady) {
            const struct timespec pause = {0, 500000};
            nanosleep(&pause, NULL);
            if ((now = seconds_now()) >= settled) board.read(now);
        }
        MUST(before);
        now = seconds_now();
        launches += (size_t)batch;
        if (now >= settled) continue;
        from = now;
        launches = 0;
    }
    const unsigned mhz = megahertz(1);
    MUST(cudaStreamSynchronize(stream));
    MUST(cudaGraphExecDestroy(graph));
    for (cudaEvent_t &e : end) MUST(cudaEventDestroy(e));
    return {board.watts(), launches ? 1e3 * (now - from) / (double)launches : -1.0, mhz ? mhz : -1.0};
}

/* Mean watts of the board without work. */
static inline double idle_watts(double seconds) {
    const double start = seconds_now();
    watching board;
    for (double now = start; now < start + seconds; now = seconds_now()) {
        const struct timespec pause = {0, 2000000};
        nanosleep(&pause, NULL);
        if (now >= start + seconds / 4.0) board.read(seconds_now());
    }
    return board.watts();
}

/* A cell that is empty when the value is not known. */
static inline void cell(double value, const char *format) {
    putchar(',');
    if (value >= 0.0) printf(format, value);
}

/* ---- memory ---- */

template <class T> static T *on_device(const std::vector<T> &host) {
    T *p;
    MUST(cudaMalloc(&p, host.size() * sizeof(T)));
    MUST(cudaMemcpy(p, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}

template <class T> static T *zeros(size_t count) {
    T *p;
    MUST(cudaMalloc(&p, count * sizeof(T)));
    MUST(cudaMemset(p, 0, count * sizeof(T)));
    return p;
}

/* A fixed stream of numbers, so that every run works on the same data (xorshift, Marsaglia 2003). */
struct numbers {
    uint64_t state = 0x9E3779B97F4A7C15ull;
    uint32_t next() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return (uint32_t)(state >> 32);
    }
    uint32_t below(uint32_t n) { return (uint32_t)((uint64_t)next() * n >> 32); }
    float unit() { return (float)(next() >> 8) / 16777216.0f; }
};

#endif
