/* stand_in.cpp - a GPU that takes time and draws watts but computes nothing, in place of CUDA's runtime, the
 * driver's green contexts, NVML and CUPTI; so the measuring programs of bench/cuda run without a GPU.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * One shared object with four names (tests/studies/measure.sh). The clock is made up too: every call takes a
 * microsecond, and who waits makes it jump. What is true of the device:
 *
 *   time      a kernel takes 2 us and 10 ns for each block. Kernels of all streams run one after the other,
 *             in the order of their launches; streams of a green context have a device of their own
 *   power     70 W, and 200 more while a kernel runs; the energy counter moves every 50 ms, and to read it
 *             takes 1 ms
 *   device    compute capability 9.0; every kernel has 32 registers and no static shared memory
 *   counters  of one launch the first event counts 1e6, the second 2e6, and so on; to open them takes 0.1 s
 *
 * STAND_IN_LOG=FILE gets a line for each program: the seconds that it took on this clock. Processes whose
 * STAND_IN_CLOCK=FILE is the same, of eight bytes, have one clock.
 */
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#if __has_include(<cupti_range_profiler.h>)
#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#define HAS_CUPTI 1
#endif

/* ---- the clock ---- */

static std::recursive_mutex lock;
#define LOCKED std::lock_guard<std::recursive_mutex> held(lock)

/* Seconds; processes with the same STAND_IN_CLOCK=FILE share them. */
static double *clock_open() {
    static double own = 1000.0;
    const char *path = getenv("STAND_IN_CLOCK");
    const int file = path ? open(path, O_RDWR) : -1;
    void *page = file < 0 ? MAP_FAILED : mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0) close(file);
    return page == MAP_FAILED ? &own : (double *)page;
}
static double &now = *clock_open();
static const double began = now;
static const std::thread::id owner = std::this_thread::get_id();

extern "C" int clock_gettime(clockid_t which, struct timespec *t) {
    if (which != CLOCK_MONOTONIC) return (int)syscall(SYS_clock_gettime, which, t);
    LOCKED;
    now += 1e-6;
    t->tv_sec = (time_t)now;
    t->tv_nsec = (long)((now - (double)t->tv_sec) * 1e9);
    return 0;
}
/* A twentieth of it is real, so that processes that wait for each other do. */
extern "C" int nanosleep(const struct timespec *t, struct timespec *) {
    const double seconds = (double)t->tv_sec + 1e-9 * (double)t->tv_nsec;
    {
        LOCKED;
        now += seconds;
    }
    struct timespec real = {0, (long)(seconds * 5e7)};
    return (int)syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &real, NULL);
}

/* ---- the device ---- */

struct queue {
    double until = 0.0, *device;
    bool capturing = false;
    std::vector<double> captured;
};
struct moment {
    double at = -1.0;
};
struct plan {
    std::vector<double> kernel;
};

static double whole = 0.0; /* when the device is free */
static double busy = 0.0;  /* seconds of kernels */
static queue first;
static queue *queue_of(cudaStream_t s) {
    first.device = &whole;
    return s ? (queue *)s : &first;
}

static void run(queue *q, double seconds) {
    const double start = std::max(now, std::max(q->until, *q->device));
    q->until = *q->device = start + seconds;
    busy += seconds;
}
static double last = 0.0; /* the end of everything */
static void launch(queue *q, double seconds) {
    now += 2e-6; /* the host's part */
    if (q->capturing) {
        q->captured.push_back(seconds);
        return;
    }
    run(q, seconds);
    last = std::max(last, q->until);
}

/* Joules until now: kernels that still wait have drawn nothing. */
static double joules() {
    const double waiting = std::max(0.0, last - now);
    return 70.0 * (now - began) + 200.0 * std::max(0.0, busy - waiting);
}

extern "C" {

/* ---- registration ---- */

static dim3 grid_of_call;
static cudaStream_t stream_of_call;
void **__cudaRegisterFatBinary(void *) {
    static void *handle;
    return &handle;
}
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {
    if (const char *path = getenv("STAND_IN_LOG")) {
        if (FILE *file = fopen(path, "a")) {
            fprintf(file, "%s %.1f\n", program_invocation_short_name, now - began);
            fclose(file);
        }
    }
}
void __cudaRegisterFunction(void **, const char *, char *, const char *, int, uint3 *, uint3 *, dim3 *,
                            dim3 *, int *) {}
char __cudaInitModule(void **) { return 0; }
unsigned __cudaPushCallConfiguration(dim3 grid, dim3, size_t, CUstream_st *stream) {
    lock.lock(); /* until the pop */
    grid_of_call = grid;
    stream_of_call = stream;
    return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *, size_t *, void *stream) {
    *grid = grid_of_call;
    *(cudaStream_t *)stream = stream_of_call;
    lock.unlock();
    return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function) {
    *kernel = (cudaKernel_t)function;
    return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3 grid, dim3, void **, size_t, cudaStream_t stream) {
    LOCKED;
    launch(queue_of(stream), 2e-6 + 1e-8 * grid.x * grid.y * grid.z);
    return cudaSuccess;
}

/* ---- streams, events, graphs ---- */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned) {
    queue *q = new queue;
    q->device = &whole;
    *s = (cudaStream_t)q;
    return cudaSuccess;
}
static void wait_until(double t) {
    /* a second thread lets the first one go on, for a while */
    for (int i = 0; i < 300 && std::this_thread::get_id() != owner && now < t; ++i) sched_yield();
    LOCKED;
    now = std::max(now, t) + 1e-6;
}
cudaError_t cudaStreamSynchronize(cudaStream_t s) {
    wait_until(queue_of(s)->until);
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
    wait_until(last);
    return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned) {
    LOCKED;
    queue_of(s)->until = std::max(queue_of(s)->until, ((moment *)e)->at);
    return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned) {
    *e = (cudaEvent_t) new moment;
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *e) { return cudaEventCreateWithFlags(e, 0); }
cudaError_t cudaEventDestroy(cudaEvent_t e) {
    delete (moment *)e;
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) {
    LOCKED;
    ((moment *)e)->at = std::max(now, queue_of(s)->until);
    return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t e) {
    LOCKED;
    now += 1e-6;
    return ((moment *)e)->at <= now ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaEventSynchronize(cudaEvent_t e) {
    wait_until(((moment *)e)->at);
    return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t a, cudaEvent_t b) {
    const double from = ((moment *)a)->at, to = ((moment *)b)->at;
    *ms = (float)(1e3 * (to - from));
    return from < 0.0 || to < 0.0 ? cudaErrorInvalidResourceHandle
           : to > now             ? cudaErrorNotReady
                                  : cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t s, cudaStreamCaptureMode) {
    queue_of(s)->capturing = true;
    queue_of(s)->captured.clear();
    return s ? cudaSuccess : cudaErrorStreamCaptureUnsupported;
}
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *graph) {
    queue_of(s)->capturing = false;
    *graph = (cudaGraph_t) new plan{queue_of(s)->captured};
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long) {
    *exec = (cudaGraphExec_t) new plan(*(plan *)graph);
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    delete (plan *)graph;
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    delete (plan *)exec;
    return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t s) {
    LOCKED;
    double sum = 0.0;
    for (double k : ((plan *)exec)->kernel) sum += k;
    launch(queue_of(s), sum);
    return cudaSuccess;
}

/* ---- memory: addresses that are never touched ---- */

cudaError_t cudaMalloc(void **p, size_t bytes) {
    *p = mmap(NULL, bytes + 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return *p == MAP_FAILED ? cudaErrorMemoryAllocation : cudaSuccess;
}
cudaError_t cudaFree(void *) { return cudaSuccess; }
cudaError_t cudaMemset(void *, int, size_t) { return cudaSuccess; }
cudaError_t cudaMemcpy(void *to, const void *, size_t bytes, cudaMemcpyKind kind) {
    const long long cycles = 5120;
    cudaDeviceSynchronize();
    if (kind == cudaMemcpyDeviceToHost && bytes == sizeof cycles) memcpy(to, &cycles, bytes);
    return cudaSuccess;
}

/* ---- properties ---- */

cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char *cudaGetErrorString(cudaError_t e) {
    static char text[32];
    snprintf(text, sizeof text, "error %d", (int)e);
    return text;
}
cudaError_t cudaDriverGetVersion(int *v) {
    *v = 13000;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *v) { return cudaDriverGetVersion(v); }
cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int) {
    snprintf(text, (size_t)size, "0000:01:00.0");
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr which, int) {
    *value = which == cudaDevAttrClockRate              ? 1980000
             : which == cudaDevAttrMemoryClockRate      ? 2619000
             : which == cudaDevAttrGlobalMemoryBusWidth ? 5120
                                                        : 0;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int) {
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "NVIDIA H100 80GB HBM3");
    p->major = 9;
    p->multiProcessorCount = 132;
    p->maxThreadsPerMultiProcessor = 2048;
    p->maxBlocksPerMultiProcessor = 32;
    p->regsPerMultiprocessor = p->regsPerBlock = 65536;
    p->sharedMemPerMultiprocessor = 233472;
    p->sharedMemPerBlockOptin = 232448;
    p->reservedSharedMemPerBlock = 1024;
    p->l2CacheSize = 52428800;
    return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *a, const void *) {
    memset(a, 0, sizeof *a);
    a->numRegs = 32;
    a->maxThreadsPerBlock = 1024;
    return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int) { return cudaSuccess; }
/* 64 warps, 32 blocks, 65536 registers (32 for each thread), 228 KiB of shared memory, 1 KiB more a block */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *, int threads,
                                                          size_t shared) {
    *blocks = std::min(std::min(32, 64 / ((threads + 31) / 32)),
                       (int)(233472 / ((shared + 1024 + 127) / 128 * 128)));
    return cudaSuccess;
}

/* ---- NVML ---- */

int nvmlInit_v2() { return 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char *, void **gpu) {
    *gpu = &whole;
    return 0;
}
int nvmlDeviceGetTotalEnergyConsumption(void *, unsigned long long *mj) {
    static double total = 0.0, next = 0.0;
    LOCKED;
    now += 1e-3;
    if (now >= next) {
        total = joules();
        next = now + 0.05;
    }
    *mj = (unsigned long long)(1e3 * total);
    return 0;
}
int nvmlDeviceGetPowerUsage(void *, unsigned *mw) {
    *mw = 123000;
    return 0;
}
int nvmlDeviceGetClockInfo(void *, unsigned, unsigned *mhz) {
    *mhz = 1980;
    return 0;
}
int nvmlDeviceGetTemperature(void *, unsigned, unsigned *degrees) {
    *degrees = 40;
    return 0;
}

/* ---- green contexts: multiprocessors by eight ---- */

CUresult cuDeviceGetDevResource(CUdevice, CUdevResource *r, CUdevResourceType) {
    memset(r, 0, sizeof *r);
    r->sm.smCount = 132;
    return CUDA_SUCCESS;
}
CUresult cuDevSmResourceSplitByCount(CUdevResource *group, unsigned *, const CUdevResource *all,
                                     CUdevResource *rest, unsigned, unsigned least) {
    group->sm.smCount = (least + 7) / 8 * 8;
    rest->sm.smCount = all->sm.smCount - group->sm.smCount;
    return CUDA_SUCCESS;
}
CUresult cuDevResourceGenerateDesc(CUdevResourceDesc *d, CUdevResource *r, unsigned) {
    *d = (CUdevResourceDesc)r;
    return CUDA_SUCCESS;
}
CUresult cuGreenCtxCreate(CUgreenCtx *c, CUdevResourceDesc, CUdevice, unsigned) {
    *c = (CUgreenCtx) new double(0.0);
    return CUDA_SUCCESS;
}
CUresult cuGreenCtxStreamCreate(CUstream *s, CUgreenCtx c, unsigned, int) {
    queue *q = new queue;
    q->device = (double *)c;
    *s = (CUstream)q;
    return CUDA_SUCCESS;
}

#ifdef HAS_CUPTI
/* ---- counters: in the order of the calls, or an error ---- */

CUresult cuCtxGetCurrent(CUcontext *context) {
    *context = (CUcontext)&whole;
    return CUDA_SUCCESS;
}
static int step_of_profiler = 0; /* enabled 1, configured 2, started 3, stopped 4, decoded 5 */
static double ranges = 0;
static CUptiResult next_step(int step) {
    const bool good = step_of_profiler == step - 1;
    step_of_profiler = step;
    return good ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_OPERATION;
}
CUptiResult cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params *) { return CUPTI_SUCCESS; }
CUptiResult cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params *p) {
    p->pChipName = "GH100";
    return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerGetCounterAvailability(CUpti_Profiler_GetCounterAvailability_Params *p) {
    p->counterAvailabilityImageSize = 16;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params *p) {
    p->pHostObject = (CUpti_Profiler_Host_Object *)&whole;
    return p->pCounterAvailabilityImage ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}
CUptiResult cuptiProfilerHostConfigAddMetrics(CUpti_Profiler_Host_ConfigAddMetrics_Params *p) {
    return p->pHostObject && p->numMetrics ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}
CUptiResult cuptiProfilerHostGetConfigImageSize(CUpti_Profiler_Host_GetConfigImageSize_Params *p) {
    p->configImageSize = 16;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostGetConfigImage(CUpti_Profiler_Host_GetConfigImage_Params *p) {
    return p->configImageSize == 16 && p->pConfigImage ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}
CUptiResult cuptiRangeProfilerEnable(CUpti_RangeProfiler_Enable_Params *p) {
    now += 0.1;
    p->pRangeProfilerObject = (CUpti_RangeProfiler_Object *)&whole;
    return p->ctx ? next_step(1) : CUPTI_ERROR_INVALID_PARAMETER;
}
CUptiResult cuptiRangeProfilerGetCounterDataSize(CUpti_RangeProfiler_GetCounterDataSize_Params *p) {
    p->counterDataSize = 64;
    return p->maxNumRangeTreeNodes >= p->maxNumOfRanges ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}
CUptiResult
cuptiRangeProfilerCounterDataImageInitialize(CUpti_RangeProfiler_CounterDataImage_Initialize_Params *p) {
    return p->counterDataSize == 64 ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}
CUptiResult cuptiRangeProfilerSetConfig(CUpti_RangeProfiler_SetConfig_Params *p) {
    return p->pConfig && p->pCounterDataImage ? next_step(2) : CUPTI_ERROR_INVALID_PARAMETER;
}
CUptiResult cuptiRangeProfilerStart(CUpti_RangeProfiler_Start_Params *) {
    ranges = busy;
    return next_step(3);
}
CUptiResult cuptiRangeProfilerStop(CUpti_RangeProfiler_Stop_Params *) {
    ranges = busy > ranges; /* a kernel ran */
    return next_step(4);
}
CUptiResult cuptiRangeProfilerDecodeData(CUpti_RangeProfiler_DecodeData_Params *) { return next_step(5); }
CUptiResult cuptiRangeProfilerGetCounterDataInfo(CUpti_RangeProfiler_GetCounterDataInfo_Params *p) {
    p->numTotalRanges = (size_t)ranges;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostEvaluateToGpuValues(CUpti_Profiler_Host_EvaluateToGpuValues_Params *p) {
    for (size_t k = 0; k < p->numMetrics; ++k) p->pMetricValues[k] = 1e6 * (double)(k + 1);
    return p->rangeIndex < 1 ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}
CUptiResult cuptiRangeProfilerDisable(CUpti_RangeProfiler_Disable_Params *) {
    step_of_profiler = 0;
    return CUPTI_SUCCESS;
}
#endif

} /* extern "C" */
