/* cuda.cuh - what the CUDA measurements share: errors, time, power, sharing out of the multiprocessors, CSV.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A measurement prints one CSV to the standard output, after a line that starts with # and tells device,
 * clocks, driver and date. Power is read through NVML, which comes with the driver; it is looked up at
 * run time, so that nothing but the CUDA toolkit is needed to compile and a machine without it still
 * measures times (power is then an empty cell).
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

static inline double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v.empty() ? -1.0 : v.size() % 2 ? v[v.size() / 2] : 0.5 * (v[v.size() / 2 - 1] + v[v.size() / 2]);
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

/* Mean watts while launches follow each other for about `seconds`: from the energy counter where there is
   one, else the mean of the readings in the last two thirds of the time, when the moving average of the
   driver has filled up. */
template <class Launch> static double mean_watts(Launch launch, double ms_of_one, double seconds) {
    const int batch = ms_of_one > 5.0 ? 1 : (int)(5.0 / (ms_of_one + 1e-3)) + 1;
    const double start = seconds_now(), settled = start + seconds / 3.0;
    double sum = 0.0, from = -1.0, from_time = 0.0, now;
    int readings = 0;
    if (watts_now() < 0.0) return -1.0;
    do {
        for (int i = 0; i < batch; ++i) launch((cudaStream_t)0);
        MUST(cudaDeviceSynchronize());
        now = seconds_now();
        if (now < settled) continue;
        if (from_time == 0.0) {
            from = joules_now();
            from_time = now;
        }
        sum += watts_now();
        ++readings;
    } while (now < start + seconds);
    if (from >= 0.0 && now - from_time > 0.2) return (joules_now() - from) / (now - from_time);
    return readings ? sum / readings : -1.0;
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
