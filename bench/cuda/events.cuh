/* events.cuh - the events of Themis' Table I (Zhao et al., IPDPS 2019) of one launch, from NVIDIA's CUPTI.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Compiled where CUPTI's header of the range profiler is (CUDA 12.6 and later); the library is looked for at
 * run time, so that without it times are still measured. The driver may keep the counters for
 * administrators (ERR_NVGPUCTRPERM); then, too, there are none.
 *
 * What GPUs do not have is what the paper adds to them: counters that tell whose request reached the L2 or
 * the memory while two kernels run. So each launch is counted alone, on all multiprocessors, and its counts
 * over the time that it takes beside another kernel are its events there. Instructions and accesses are the
 * same in company; misses of the L2 that only company makes are not seen. Accesses and misses are sectors of
 * 32 bytes, of the constant cache requests.
 */
#ifndef SOOTH_BENCH_CUDA_EVENTS_CUH
#define SOOTH_BENCH_CUDA_EVENTS_CUH

#include "cuda.cuh"

enum { COUNTS = 8 };

/* Of one launch: as Table I, the last in bytes of the memory; all below 0: not known. */
struct counts {
    double of[COUNTS];
};

static const counts no_counts = {{-1, -1, -1, -1, -1, -1, -1, -1}};

#if defined(__has_include) && __has_include(<cupti_range_profiler.h>)

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

static const char *count_names[COUNTS] = {"sm__inst_executed.sum",
                                          "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                                          "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum",
                                          "idc__requests.sum",
                                          "idc__requests_lookup_miss.sum",
                                          "lts__t_sectors_srcunit_tex.sum",
                                          "lts__t_sectors_srcunit_tex_lookup_miss.sum",
                                          "dram__bytes.sum"};

/* CUPTI's calls take a struct that begins with its own size; `name` is declared with it as p. */
#define CUPTI_PARAMS(type, p) \
    type p;                   \
    memset(&p, 0, sizeof p);  \
    p.structSize = type##_STRUCT_SIZE

/* Calls cupti##name, looked up in the library; true when it succeeded, else a sentence says what did not. */
#define CUPTI_CALL(name, p)                            \
    cupti_call(#name, [&] {                            \
        auto f = (decltype(&name))dlsym(cupti, #name); \
        return f ? (int)f(&p) : -1;                    \
    }())

static void *cupti;
static std::vector<uint8_t> cupti_config;
static CUpti_Profiler_Host_Object *cupti_host;

static bool cupti_call(const char *name, int result) {
    if (result != 0) fprintf(stderr, "%s: error %d; events are left empty\n", name, result);
    return result == 0;
}

/* Finds the library and makes the configuration that counts count_names; false: there are no events.
   NO_EVENTS in the environment leaves them out. */
static bool events_open() {
    if (getenv("NO_EVENTS")) return false;
    for (const char *name : {"libcupti.so", "libcupti.so.13", "libcupti.so.12"})
        if (!cupti) cupti = dlopen(name, RTLD_NOW);
    if (!cupti) {
        fprintf(stderr, "libcupti.so is not found (LD_LIBRARY_PATH): events are left empty\n");
        return false;
    }
    CUPTI_PARAMS(CUpti_Profiler_Initialize_Params, begin);
    CUPTI_PARAMS(CUpti_Device_GetChipName_Params, chip);
    CUPTI_PARAMS(CUpti_Profiler_GetCounterAvailability_Params, available);
    if (!CUPTI_CALL(cuptiProfilerInitialize, begin) || !CUPTI_CALL(cuptiDeviceGetChipName, chip) ||
        !CUPTI_CALL(cuptiProfilerGetCounterAvailability, available))
        return false;
    std::vector<uint8_t> image(available.counterAvailabilityImageSize);
    available.pCounterAvailabilityImage = image.data();
    if (!CUPTI_CALL(cuptiProfilerGetCounterAvailability, available)) return false;

    CUPTI_PARAMS(CUpti_Profiler_Host_Initialize_Params, host);
    host.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    host.pChipName = chip.pChipName;
    host.pCounterAvailabilityImage = image.data();
    if (!CUPTI_CALL(cuptiProfilerHostInitialize, host)) return false;
    cupti_host = host.pHostObject;

    CUPTI_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params, add);
    CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params, size);
    CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params, get);
    add.pHostObject = size.pHostObject = get.pHostObject = cupti_host;
    add.ppMetricNames = count_names;
    add.numMetrics = COUNTS;
    if (!CUPTI_CALL(cuptiProfilerHostConfigAddMetrics, add) ||
        !CUPTI_CALL(cuptiProfilerHostGetConfigImageSize, size))
        return false;
    cupti_config.resize(size.configImageSize);
    get.configImageSize = cupti_config.size();
    get.pConfigImage = cupti_config.data();
    return CUPTI_CALL(cuptiProfilerHostGetConfigImage, get);
}

/* The sums over the ranges (kernels) of a counted launch. */
static counts events_sum(const std::vector<uint8_t> &image) {
    CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo_Params, info);
    info.pCounterDataImage = image.data();
    info.counterDataImageSize = image.size();
    if (!CUPTI_CALL(cuptiRangeProfilerGetCounterDataInfo, info) || info.numTotalRanges == 0) return no_counts;
    counts sum = {{0}};
    for (size_t range = 0; range < info.numTotalRanges; ++range) {
        double value[COUNTS];
        CUPTI_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, evaluate);
        evaluate.pHostObject = cupti_host;
        evaluate.pCounterDataImage = image.data();
        evaluate.counterDataImageSize = image.size();
        evaluate.rangeIndex = range;
        evaluate.ppMetricNames = count_names;
        evaluate.numMetrics = COUNTS;
        evaluate.pMetricValues = value;
        if (!CUPTI_CALL(cuptiProfilerHostEvaluateToGpuValues, evaluate)) return no_counts;
        for (int k = 0; k < COUNTS; ++k) sum.of[k] += value[k];
    }
    return sum;
}

/* Between Enable and Disable: every kernel is a range, and CUPTI replays it for as many passes as the
   counters need. */
template <class Launch>
static bool events_pass(CUpti_RangeProfiler_Object *profiler, Launch launch, std::vector<uint8_t> *image) {
    const size_t most = 64; /* kernels of a launch */
    CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params, size);
    CUPTI_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, initialise);
    CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig_Params, config);
    CUPTI_PARAMS(CUpti_RangeProfiler_Start_Params, start);
    CUPTI_PARAMS(CUpti_RangeProfiler_Stop_Params, stop);
    CUPTI_PARAMS(CUpti_RangeProfiler_DecodeData_Params, decode);
    size.pRangeProfilerObject = initialise.pRangeProfilerObject = config.pRangeProfilerObject =
        start.pRangeProfilerObject = stop.pRangeProfilerObject = decode.pRangeProfilerObject = profiler;
    size.pMetricNames = count_names;
    size.numMetrics = COUNTS;
    size.maxNumOfRanges = most;
    size.maxNumRangeTreeNodes = (uint32_t)most;
    if (!CUPTI_CALL(cuptiRangeProfilerGetCounterDataSize, size)) return false;
    image->assign(size.counterDataSize, 0);
    initialise.counterDataSize = config.counterDataImageSize = image->size();
    initialise.pCounterData = config.pCounterDataImage = image->data();
    config.configSize = cupti_config.size();
    config.pConfig = cupti_config.data();
    config.range = CUPTI_AutoRange;
    config.replayMode = CUPTI_KernelReplay;
    config.maxRangesPerPass = most;
    config.numNestingLevels = 1;
    config.minNestingLevel = 1;
    if (!CUPTI_CALL(cuptiRangeProfilerCounterDataImageInitialize, initialise) ||
        !CUPTI_CALL(cuptiRangeProfilerSetConfig, config) || !CUPTI_CALL(cuptiRangeProfilerStart, start))
        return false;
    launch((cudaStream_t)0);
    MUST(cudaDeviceSynchronize());
    return CUPTI_CALL(cuptiRangeProfilerStop, stop) && CUPTI_CALL(cuptiRangeProfilerDecodeData, decode);
}

/* Of one launch on the whole device. */
template <class Launch> static counts events_of(Launch launch) {
    std::vector<uint8_t> image;
    CUPTI_PARAMS(CUpti_RangeProfiler_Enable_Params, enable);
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    const auto current = driver ? (decltype(&cuCtxGetCurrent))dlsym(driver, "cuCtxGetCurrent") : NULL;
    if (!current || current(&enable.ctx) != CUDA_SUCCESS) return no_counts;
    if (!CUPTI_CALL(cuptiRangeProfilerEnable, enable)) return no_counts;
    const bool whole = events_pass(enable.pRangeProfilerObject, launch, &image);
    const counts sum = whole ? events_sum(image) : no_counts;
    CUPTI_PARAMS(CUpti_RangeProfiler_Disable_Params, disable);
    disable.pRangeProfilerObject = enable.pRangeProfilerObject;
    CUPTI_CALL(cuptiRangeProfilerDisable, disable);
    return sum;
}

#else

static bool events_open() {
    fprintf(stderr, "compiled without cupti_range_profiler.h: events are left empty\n");
    return false;
}
template <class Launch> static counts events_of(Launch) { return no_counts; }

#endif

/* Prints the eight cells of a launch that took so many milliseconds: rates per cycle, and the share of the
   memory's bandwidth. */
static inline void print_events(const counts &c, double ms) {
    const double cycles = ms * attribute(cudaDevAttrClockRate); /* kHz */
    const double peak = 2e3 * attribute(cudaDevAttrMemoryClockRate) *
                        (attribute(cudaDevAttrGlobalMemoryBusWidth) / 8.0); /* bytes per second */
    for (int k = 0; k < COUNTS; ++k)
        if (!(c.of[k] >= 0)) printf(",");
        else printf(",%.9g", k == COUNTS - 1 ? c.of[k] / (1e-3 * ms * peak) : c.of[k] / cycles);
}

#endif
