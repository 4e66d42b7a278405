/* gpu.h - the properties of a GPU, and how many threads of a kernel fit on it.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *   sooth_gpu            one device: units, clocks, caches, memory, power, and the cycles of each kind of
 *                        instruction; 28 are known by name, others are read from a short text
 *   sooth_gpu_limits     the capacity of a multiprocessor (SM) of compute capability 3.5 to 12.1
 *   sooth_gpu_occupancy  the number of blocks of a launch that an SM holds at once, and what limits it: the
 *                        theoretical occupancy, equal to NVIDIA's calculator
 *   sooth_gpu_launch_check
 *                        whether the device can run a launch of a kernel in PTX, and why not
 *   sooth_gpu_waves      how many times a launch fills the device (Alavani et al. 2023, algorithm 2)
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/gpu.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const sooth_gpu_launch launch = {.blocks = 1000, .threads = 256, .registers = 40, .shared = 9000};
 *         sooth_gpu gpu;
 *         sooth_gpu_fit fit;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_gpu_named(&env, "v100", &gpu) != SOOTH_OK ||
 *             sooth_gpu_occupancy(&env, gpu.compute, &launch, &fit) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("%u blocks, %g of all warps\n", fit.blocks, fit.occupancy); //> 6 blocks, 0.75 of all warps
 *         if (fit.factors & SOOTH_GPU_BY_REGISTERS) puts("registers limit it"); //> registers limit it
 *         return 0;
 *     }
 *
 * Notes
 *
 * A device text has one line for each known value. A missing value is 0: not known. Only a device of another
 * maker than NVIDIA (maker = other) has no compute capability.
 *
 *     # ours
 *     name = lab card
 *     like = l4             every line of a known device, to be changed by those below
 *     sms = 46
 *     clock_mhz = 1800
 *     latency_f32 = 4.2
 *
 * Any number of threads may call these functions.
 *
 * Cost
 *
 * No allocation. A call takes a few dozen operations; reading a text takes one pass.
 */
#if !defined(SOOTH_GPU_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_IMPLEMENTED))
#include "base.h"
#endif

#if !defined(SOOTH_GPU_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_GPU_H
SOOTHI_C_BEGIN

/* ---- devices ---- */

/* The kinds of instructions with their own latency: name, members, and the latency used if a device does not
   have this one (its own name: none). */
#define SOOTH_GPU_LATENCY_LIST(X)                                            \
    X(ADD, "add", "integer add, sub, logic, shift, min, max", ADD)           \
    X(MOVE, "move", "mov, selp, shfl", ADD)                                  \
    X(COMPARE, "compare", "setp, set", ADD)                                  \
    X(CONVERT, "convert", "cvt, cvta", ADD)                                  \
    X(MULTIPLY, "multiply", "integer mul, mad", ADD)                         \
    X(DIVIDE, "divide", "integer div, rem", F32_DIVIDE)                      \
    X(F16, "f16", "add, mul, fma of half precision", F32)                    \
    X(F32, "f32", "add, mul, fma of single precision", ADD)                  \
    X(F32_DIVIDE, "f32_divide", "div.rn.f32", F32_DIVIDE)                    \
    X(F32_SQRT, "f32_sqrt", "sqrt.rn.f32", F32_DIVIDE)                       \
    X(F32_RCP, "f32_rcp", "rcp.rn.f32", F32_DIVIDE)                          \
    X(F64, "f64", "add, mul, fma of double precision", F32)                  \
    X(F64_DIVIDE, "f64_divide", "div.rn.f64", F32_DIVIDE)                    \
    X(RSQRT, "rsqrt", "rsqrt.approx, sqrt.approx", F32_SQRT)                 \
    X(SINE, "sine", "sin.approx, cos.approx", F32_SQRT)                      \
    X(LOG2, "log2", "lg2.approx", F32_SQRT)                                  \
    X(EXP2, "exp2", "ex2.approx", F32_SQRT)                                  \
    X(SHARED_LOAD, "shared_load", "ld.shared", SHARED_LOAD)                  \
    X(SHARED_STORE, "shared_store", "st.shared", SHARED_LOAD)                \
    X(L1, "l1", "a load that hits the first level cache", GLOBAL_LOAD)       \
    X(L2, "l2", "a load that hits the second level cache", GLOBAL_LOAD)      \
    X(GLOBAL_LOAD, "global_load", "ld.global that misses both", GLOBAL_LOAD) \
    X(GLOBAL_STORE, "global_store", "st.global", GLOBAL_LOAD)                \
    X(CONSTANT, "constant", "ld.const that hits its cache", ADD)             \
    X(TEXTURE, "texture", "tex that misses", GLOBAL_LOAD)                    \
    X(OTHER, "other", "branches, barriers and what is not above", ADD)

typedef enum sooth_gpu_latency {
#define SOOTHI_ITEM(item, name, what, other) SOOTH_GPU_LATENCY_##item,
    SOOTH_GPU_LATENCY_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
        SOOTH_GPU_LATENCIES
} sooth_gpu_latency;

/* The makers that matter: occupancy, PTX and the times of gpu_time.h are of NVIDIA's devices. */
typedef enum sooth_gpu_maker { SOOTH_GPU_MAKER_NVIDIA = 0, SOOTH_GPU_MAKER_OTHER } sooth_gpu_maker;

/* A device. 0 means not known; only name, compute (of NVIDIA's devices) and sms are always known. */
typedef struct sooth_gpu {
    char name[24];
    uint32_t compute; /* capability: 10 x major + minor, 89 for 8.9, 120 for 12.0 */
    uint32_t sms;     /* multiprocessors */

    uint32_t fp32_units; /* of each SM, as all down to dispatch_units */
    uint32_t fp64_units;
    uint32_t special_units;    /* for sine, log2, exp2, rsqrt */
    uint32_t load_store_units; /* R[LSU] of the paper */
    uint32_t schedulers;       /* nWS: warps examined per cycle */
    uint32_t dispatch_units;   /* nDU: instructions issued per cycle */

    uint32_t l2_bytes;
    uint32_t memory_bits; /* width of the memory's bus: 1024 or more for stacked memory (HBM) */
    uint32_t process_nm;  /* nominal; 4N counts as 5 */
    double clock_mhz;     /* maximum clock of the SMs */
    double base_mhz;      /* guaranteed by the maker under any load */
    double memory_gbs;    /* 1e9 bytes per second between L2 and memory */
    double memory_gb;     /* size of the memory as its maker states it */
    double l2_gbs;        /* 1e9 bytes per second: measured read bandwidth of L2 */
    /* 1e9 operations per second of the tensor cores, dense; 0: has none, or not known */
    double tensor_gflops; /* half precision (FP16 and BF16), sums single */
    double tf32_gflops;
    double fp8_gflops;
    double fp4_gflops;
    double int8_gops;
    double shared_bytes; /* bytes per cycle of an SM's shared memory */
    double idle_watts;
    double tdp_watts;

    double latency[SOOTH_GPU_LATENCIES]; /* cycles until a dependent instruction can start */
    uint32_t maker;                      /* a sooth_gpu_maker */
} sooth_gpu;

/* Finds the device with this name; sooth_gpu_at lists all. p100, v100, a100, h100 and h200 are the boards
   with the most power (SXM). a100-80gb is the one on PCIe, as in the tables of Lee et al. k20-pfea, m60-pfea
   and v100-pfea have the latencies that the authors of the paper measured and used. These differ from the
   hardware (setp 22 to 30 cycles, cvt 33 to 218). Returns SOOTH_BAD_ARGUMENT and lists the known names,
   without the -pfea ones, in the sentence. */
SOOTH_API sooth_status sooth_gpu_named(sooth_env *env, const char *name, sooth_gpu *gpu);

/* Like sooth_gpu_named, for a board as drivers and tables name it: "NVIDIA H100 80GB HBM3" (SXM), "NVIDIA
   H100 PCIe", "Tesla V100-PCIE-32GB", "A100_80GB", "GeForce RTX 4090". Case, blanks, underscores and the
   maker's words are ignored. The memory size matters if boards differ by it. */
SOOTH_API sooth_status sooth_gpu_board_named(sooth_env *env, const char *board, sooth_gpu *gpu);

/* Returns 1e9 operations of single precision per second: the units of all SMs at the maximum clock. A fused
   multiply-add counts as two. 0 means not known. */
SOOTH_API double sooth_gpu_gflops(const sooth_gpu *gpu);

/* Returns known device number i, from 0; NULL after the last. */
SOOTH_API const sooth_gpu *sooth_gpu_at(size_t i);

/* Reads a device from text[0..size): lines "name = value"; "#" starts a comment. Names are name, like,
   compute (8.9), the fields of sooth_gpu, and latency_add, latency_move, ... for latencies. A later line
   overrides an earlier one. Returns SOOTH_BAD_TEXT and a sentence with the line and the name. *gpu is then
   unchanged. */
SOOTH_API sooth_status sooth_gpu_read(sooth_env *env, const char *text, size_t size, sooth_gpu *gpu);

/* Writes all known values of a device as text for sooth_gpu_read. Returns SOOTH_CANCELLED if the sink
   failed. */
SOOTH_API sooth_status sooth_gpu_write(sooth_env *env, const sooth_gpu *gpu, sooth_sink *sink);

/* Returns the names, meanings and ranges of the values. */
SOOTH_API sooth_option_list sooth_gpu_options_list(void);

/* ---- occupancy ---- */

#define SOOTH_GPU_WARP 32u              /* threads */
#define SOOTH_GPU_MAX_THREADS 1024u     /* of a block */
#define SOOTH_GPU_MAX_REGISTERS 255u    /* of a thread */
#define SOOTH_GPU_UNLIMITED 2147483647u /* no limit, as the calculator writes it */

/* The capacity of an SM of a compute capability. */
typedef struct sooth_gpu_limits {
    uint32_t compute;
    uint32_t warps;           /* at once */
    uint32_t blocks;          /* at once */
    uint32_t registers;       /* of 32 bits */
    uint32_t block_registers; /* limit for a block */
    uint32_t shared;          /* bytes available to blocks */
    uint32_t block_shared;    /* limit for a block that opts in to more than 49152 */
    uint32_t reserved_shared; /* added to each block by the driver */
    uint32_t shared_unit;     /* allocation unit in bytes */
    uint32_t partitions;      /* of the registers */
    uint32_t barriers;        /* named barriers for each possible block; 0: no limit */
    uint32_t carveouts[10];   /* selectable KiB of shared memory, the rest is L1; all 0: no choice */
} sooth_gpu_limits;

/* Returns the limits of a compute capability; NULL if it is unknown. */
SOOTH_API const sooth_gpu_limits *sooth_gpu_limits_for(uint32_t compute);

/* The launch of a kernel. */
typedef struct sooth_gpu_launch {
    uint32_t blocks;    /* of the grid; ignored by occupancy */
    uint32_t threads;   /* of a block */
    uint32_t registers; /* of a thread; 0: no limit */
    uint32_t shared;    /* bytes of a block, static and dynamic */
    uint32_t carveout;  /* preferred per cent of the SM's shared memory; 0 means all */
    uint32_t no_optin;  /* 1: the kernel has not opted in to more than 49152 bytes per block */
    uint32_t barriers;  /* named barriers of a block; 0: none (they limit from compute capability 9.0) */
    /* for sooth_gpu_launch_check: */
    uint32_t grid[3], block[3]; /* blocks and threads along x, y, z; all 0: not given */
    uint32_t recompiled;        /* 1: .target of the PTX sets no limit */
} sooth_gpu_launch;

/* The limits that hold; several can hold at once. */
#define SOOTH_GPU_BY_WARPS 1u
#define SOOTH_GPU_BY_REGISTERS 2u
#define SOOTH_GPU_BY_SHARED 4u
#define SOOTH_GPU_BY_BLOCKS 8u
#define SOOTH_GPU_BY_BARRIERS 16u

typedef struct sooth_gpu_fit {
    uint32_t blocks;   /* on an SM at once */
    uint32_t warps;    /* in these blocks */
    double occupancy;  /* over the warp capacity of an SM */
    uint32_t factors;  /* SOOTH_GPU_BY_... */
    uint32_t by_warps; /* blocks that each limit would allow alone */
    uint32_t by_registers;
    uint32_t by_shared;
    uint32_t by_blocks;
    uint32_t by_barriers;
    uint32_t block_registers; /* of a block, as allocated */
    uint32_t block_shared;
} sooth_gpu_fit;

/* Computes the occupancy of a launch. Returns SOOTH_BAD_ARGUMENT if the device cannot launch such a block;
   the sentence gives the reason. *fit is then filled too, with 0 blocks and the limits that are 0. All of it
   is 0 for no threads and for an unknown compute capability. */
SOOTH_API sooth_status sooth_gpu_occupancy(sooth_env *env, uint32_t compute, const sooth_gpu_launch *launch,
                                           sooth_gpu_fit *fit);

/* Returns the number of waves, 1 or more. An SM gets floor(blocks / sms) blocks, and threads_at_once of its
   threads run at a time. This is the paper's algorithm 2, except that its loop ends when no thread remains.
   The paper's example and published data do this too. They use 2048 threads for every device; the device has
   32 x sooth_gpu_limits.warps. sms and threads_at_once of 0 count as 1. */
SOOTH_API uint64_t sooth_gpu_waves(uint32_t blocks, uint32_t threads, uint32_t sms, uint32_t threads_at_once);

SOOTHI_C_END
#endif /* SOOTH_GPU_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_GPU_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- devices ---- */

/* Sources of the numbers, in the order of the fields. From the maker:
   units, schedulers, dispatch   NVIDIA's white papers of the chips: GK110, GM204, GP100, TU102, GV100, GA100,
                                 AD102, GH100
   SMs, L2, clocks, bandwidth,   NVIDIA's data sheets of the boards. The clock is the boost clock, which with
   bus, tdp                      the units gives the peak in the sheet
   memory size                   the data sheets, where a board has one size; m60 is one GPU of its two. 0:
                                 V100 has 16 or 32. A sheet's GB is often 2^30 bytes
   process                       the white papers: 28, 16 (FinFET), 12 (FFN), 7 (N7), 5 (4N)
   tensor                        the data sheets, without sparsity: half of what they print with it
   Reported by measured boards (Lee et al., ASPLOS 2025, device_configs): the clocks of P4, V100 on PCIe, and
   P100 on PCIe. The clock of P100 on PCIe follows from its peak there, 9519 (its own clock entry is 1380).
   That file agrees with SMs, clock, bandwidth and L2 here except for four values, where the makers' sheets
   are used:
   - L4 has 60 SMs there. 58 at 2040 MHz give the sheet's 30.3 TFLOPS (its chip, AD104, has 60).
   - Its H100 is the SXM board as here, with 3430 GB/s. 5120 bits at 2619 MHz, twice a clock, give the
     sheet's 3.35 TB/s.
   - P4 has 40 SMs of 64 units there. GP104 has 20 of 128, the same total.
   - The clock of P100 on PCIe. Its board of 12 GB has three of four stacks of memory. Its L2, three quarters,
     is reasoned.
   The last eight boards and their certainty (peaks, watts and bandwidths of AIConfigurator's system files,
   github.com/ai-dynamo/aiconfigurator, commit 095f58a, unless said):
   - b200, gb200, b300, gb300: the memory sizes are not verified; pages also say 192 and 288.
   - l40s: SMs and clock give the peak of the sheet; units and L2 (96 MB) are those of the chip, AD102.
   - b200: SMs, L2 and the 7680 bits are a device query quoted in pull request 4002 of pytorch/ao; the clock
     is not verified (pages say 1965 or 1980).
   - gb200, gb300: SMs and clocks are not verified; L2 is that of b200; the bus is reasoned: eight stacks.
   - b300: SMs, clock and watts from two public logs of the board; L2 and bus as gb300. Another page has
     13125 TFLOPS for FP4.
   - rtx-pro-6000: SMs by the white paper as quoted, peaks and clock scaled to 2430 MHz there; L2: the press.
   - b60: SMs are Xe cores of 128 lanes. It has no FP8 unit: FP8 runs at the rate of BF16. Pages disagree on
     its L2 (4, 10 and 18 MB).
   - Units of Blackwell: throughput table of the CUDA C++ Programming Guide. TF32 of its large boards is half
     of BF16 by the maker's sheets; for rtx-pro-6000 and b60 it was not found. Nobody has published a table of
     latencies: 0.
   tests/test_gpu.c compares them all. The file does not cover K20, M60, RTX 4090, H100 on PCIe and H200, nor
   base clocks, buses and tensor cores. Their sheets were not at hand when this list was checked. For L4, both
   H100 and A100 of 80 GB, other pages repeat them and agree.
   Measured by others:
   l2_gbs                        P4, P100, V100, T4: cited as Jia et al. (arXiv:1804.06826, 1903.07486), table
                                 3.1. The table was not at hand when this list was checked. Other texts repeat
                                 its figures for V100 and P100; none was found for P4 and T4. Two boards with
                                 one chip have the same figure: reasoned, because their clocks differ. For the
                                 other boards a measurement is not known: 0
   idle                          K20: board specification BD-06455-001. No source is known for others: 0
   By formula:
   shared_bytes                  32 banks of 4 bytes, of 8 for 3.x: CUDA C++ Programming Guide
   Latencies, measured by others, in the order of SOOTH_GPU_LATENCY_LIST:
   KEPLER to TURING              Arafa et al., Low Overhead Instruction Latency Characterization for NVIDIA
                                 GPGPUs, HPEC 2019 (arXiv:1905.08778)
   AMPERE                        Abdelkhalik et al., Demystifying the Nvidia Ampere Architecture, HPEC 2022
                                 (arXiv:2208.11174): tables 2 (dependent instructions) and 4 (memory); divide,
                                 sqrt (the middle of 190 to 235), rcp and special functions of table 5; rsqrt
                                 its upper end; move, compare and convert are add's
   L1, L2, memory                as above; for L4, RTX4090 and H100 measured on RTX 2000 Ada, RTX 4090 and
                                 GH200 (markdewing, AI_kernels, latency/README.md). No instruction table is
                                 published for these: Ada has Turing's here, Hopper has Ampere's (reasoned)
   not measured alone            stores have the load's cycles except A100's shared one, other has add's,
                                 constant and texture from Ampere on are Turing's
   PFEA                          the constants implied by the published features of Alavani et al. Their load
                                 on K20 is 220 and rises with the threads; V100 has the square root of M60 */
/* clang-format off */
#define SOOTHI_GPU_KEPLER(l1, l2, memory) {9, 9, 9, 9, 9, 149, 0, 9, 418, 432, 377, 10, 445, 40, 18, 40, 49, \
    26, 26, l1, l2, memory, memory, 16, 347, 9}
#define SOOTHI_GPU_MAXWELL(l1, l2, memory) {6, 6, 6, 6, 13, 150, 0, 6, 450, 360, 347, 48, 709, 34, 15, 34, \
    40, 24, 24, l1, l2, memory, memory, 20, 357, 6}
#define SOOTHI_GPU_PASCAL(l1, l2, memory) {6, 6, 6, 6, 13, 153, 6, 6, 408, 282, 266, 8, 545, 35, 15, 35, 41, \
    25, 25, l1, l2, memory, memory, 12, 470, 6}
#define SOOTHI_GPU_VOLTA(l1, l2, memory) {4, 4, 4, 4, 4, 127, 6, 4, 201, 60, 60, 8, 159, 31, 11, 31, 22, \
    18, 18, l1, l2, memory, memory, 8, 436, 4}
#define SOOTHI_GPU_TURING(l1, l2, memory) {4, 4, 4, 4, 4, 119, 6, 4, 227, 96, 92, 40, 540, 31, 13, 31, 32, \
    21, 21, l1, l2, memory, memory, 8, 410, 4}
#define SOOTHI_GPU_AMPERE(l1, l2, memory) {4, 4, 4, 4, 3, 66, 3, 4, 525, 212.5, 198, 5, 426, 18, 8, 18, 14, \
    23, 19, l1, l2, memory, memory, 8, 410, 4}
#define SOOTHI_GPU_PFEA(add, move, compare, convert, divide, sqrt, load, store) {add, move, compare, \
    convert, add, 0, 0, add, divide, sqrt, 0, add, 0, 0, 0, 0, 0, 36, 36, 0, 0, load, store, 0, 0, 10}
#define SOOTHI_GPU_NO_LATENCIES {0}
/* clang-format on */

SOOTH_API const sooth_gpu *sooth_gpu_at(size_t i) {
    /* clang-format off */
    static const sooth_gpu known[] = {
        {"k20", 35, 13, 192, 64, 32, 32, 4, 8, 1310720, 320, 28, 706, 706, 208, 5, 0, 0,
         0, 0, 0, 0, 256, 25, 225, SOOTHI_GPU_KEPLER(32, 188, 331), 0},
        {"m60", 52, 16, 128, 4, 32, 32, 4, 8, 2097152, 256, 28, 1178, 0, 160, 8, 0, 0,
         0, 0, 0, 0, 128, 0, 150, SOOTHI_GPU_MAXWELL(82, 225, 379), 0}, /* one of the two on a board */
        {"p4", 61, 20, 128, 4, 32, 32, 4, 8, 2097152, 256, 16, 1113, 0, 192, 8, 979, 0,
         0, 0, 0, 0, 128, 0, 75, SOOTHI_GPU_PASCAL(81, 252, 482), 0}, /* latencies of P100 */
        {"p100", 60, 56, 64, 32, 16, 16, 2, 4, 4194304, 4096, 16, 1480, 1328, 732, 16, 1624, 0,
         0, 0, 0, 0, 128, 0, 300, SOOTHI_GPU_PASCAL(81, 252, 482), 0}, /* SXM2 */
        {"p100-pcie", 60, 56, 64, 32, 16, 16, 2, 4, 4194304, 4096, 16, 1328, 1189, 732, 16, 1624, 0,
         0, 0, 0, 0, 128, 0, 250, SOOTHI_GPU_PASCAL(81, 252, 482), 0},
        {"p100-pcie-12gb", 60, 56, 64, 32, 16, 16, 2, 4, 3145728, 3072, 16, 1328, 1189, 549, 12, 0, 0,
         0, 0, 0, 0, 128, 0, 250, SOOTHI_GPU_PASCAL(81, 252, 482), 0},
        {"t4", 75, 40, 64, 2, 16, 16, 4, 4, 4194304, 256, 12, 1590, 585, 320, 16, 1270, 65000,
         0, 0, 0, 130000, 128, 0, 70, SOOTHI_GPU_TURING(27, 234, 424), 0},
        {"v100", 70, 80, 64, 32, 16, 32, 4, 4, 6291456, 4096, 12, 1530, 1290, 900, 0, 2155, 125000,
         0, 0, 0, 0, 128, 0, 300, SOOTHI_GPU_VOLTA(26, 198, 362), 0}, /* SXM2 */
        {"v100-pcie", 70, 80, 64, 32, 16, 32, 4, 4, 6291456, 4096, 12, 1370, 0, 900, 0, 2155, 112000,
         0, 0, 0, 0, 128, 0, 250, SOOTHI_GPU_VOLTA(26, 198, 362), 0},
        {"a100", 80, 108, 64, 32, 16, 32, 4, 4, 41943040, 5120, 7, 1410, 1095, 1555, 40, 0, 312000,
         156000, 0, 0, 624000, 128, 0, 400, SOOTHI_GPU_AMPERE(33, 200, 290), 0}, /* SXM4, 40 GB */
        {"a100-pcie", 80, 108, 64, 32, 16, 32, 4, 4, 41943040, 5120, 7, 1410, 765, 1555, 40, 0, 312000,
         156000, 0, 0, 624000, 128, 0, 250, SOOTHI_GPU_AMPERE(33, 200, 290), 0}, /* 40 GB */
        {"a100-80gb", 80, 108, 64, 32, 16, 32, 4, 4, 41943040, 5120, 7, 1410, 1065, 1935, 80, 0, 312000,
         156000, 0, 0, 624000, 128, 0, 300, SOOTHI_GPU_AMPERE(33, 200, 290), 0}, /* PCIe */
        {"a100-80gb-sxm", 80, 108, 64, 32, 16, 32, 4, 4, 41943040, 5120, 7, 1410, 0, 2039, 80, 0, 312000,
         156000, 0, 0, 624000, 128, 0, 400, SOOTHI_GPU_AMPERE(33, 200, 290), 0}, /* SXM4 */
        {"l4", 89, 58, 128, 2, 16, 16, 4, 4, 50331648, 192, 5, 2040, 795, 300, 24, 0, 121000,
         60500, 242500, 0, 242500, 128, 0, 72, SOOTHI_GPU_TURING(39, 214, 570), 0},
        {"l40s", 89, 142, 128, 2, 16, 16, 4, 4, 100663296, 384, 5, 2520, 0, 864, 48, 0, 362050,
         183000, 733000, 0, 733000, 128, 0, 350, SOOTHI_GPU_TURING(40, 296, 636), 0},
        {"rtx4090", 89, 128, 128, 2, 16, 16, 4, 4, 75497472, 384, 5, 2520, 2235, 1008, 24, 0, 165200,
         82600, 330300, 0, 660600, 128, 0, 450, SOOTHI_GPU_TURING(40, 296, 636), 0},
        {"h100", 90, 132, 128, 64, 16, 32, 4, 4, 52428800, 5120, 5, 1980, 0, 3350, 80, 0, 989400,
         494700, 1979000, 0, 1979000, 128, 0, 700, SOOTHI_GPU_AMPERE(40, 281, 690), 0}, /* SXM5 */
        {"h100-pcie", 90, 114, 128, 64, 16, 32, 4, 4, 52428800, 5120, 5, 1755, 1095, 2039, 80, 0, 756500,
         378000, 1513000, 0, 1513000, 128, 0, 350, SOOTHI_GPU_AMPERE(40, 281, 690), 0}, /* PCIe, 80 GB */
        {"h200", 90, 132, 128, 64, 16, 32, 4, 4, 52428800, 6144, 5, 1980, 0, 4800, 141, 0, 989400,
         494700, 1979000, 0, 1979000, 128, 0, 700, SOOTHI_GPU_AMPERE(40, 281, 690), 0}, /* SXM */
        {"b200", 100, 148, 128, 64, 16, 32, 4, 4, 132644864, 7680, 5, 1965, 0, 7700, 180, 0, 2250000,
         1125000, 4500000, 9000000, 4500000, 128, 0, 1000, SOOTHI_GPU_NO_LATENCIES, 0},
        {"gb200", 100, 152, 128, 64, 16, 32, 4, 4, 132644864, 8192, 5, 2062, 0, 8000, 185, 0, 2500000,
         1250000, 5000000, 10000000, 5000000, 128, 0, 1200, SOOTHI_GPU_NO_LATENCIES, 0},
        {"b300", 103, 148, 128, 2, 32, 32, 4, 4, 132644864, 8192, 5, 2032, 0, 7750, 269, 0, 2250000,
         1125000, 4500000, 14000000, 153500, 128, 0, 1100, SOOTHI_GPU_NO_LATENCIES, 0},
        {"gb300", 103, 152, 128, 2, 32, 32, 4, 4, 132644864, 8192, 5, 2070, 0, 8000, 278, 0, 2500000,
         1250000, 5000000, 15000000, 165000, 128, 0, 1400, SOOTHI_GPU_NO_LATENCIES, 0},
        {"rtx-pro-6000", 120, 188, 128, 2, 16, 16, 4, 4, 134217728, 512, 5, 2430, 0, 1792, 96, 0, 467800,
         0, 935600, 1871200, 935600, 128, 0, 600, SOOTHI_GPU_NO_LATENCIES, 0}, /* Server Edition */
        {"b60", 0, 20, 128, 0, 0, 0, 0, 0, 18874368, 192, 5, 2400, 0, 456, 24, 0, 98300,
         0, 98300, 0, 197000, 0, 0, 200, SOOTHI_GPU_NO_LATENCIES, 1}, /* Intel Arc Pro B60 */
        {"k20-pfea", 35, 13, 192, 64, 32, 32, 4, 8, 1310720, 320, 28, 706, 706, 208, 5, 0, 0,
         0, 0, 0, 0, 256, 25, 225, SOOTHI_GPU_PFEA(9, 2, 22, 33, 1199, 440, 220, 301), 0},
        {"m60-pfea", 52, 16, 128, 4, 32, 32, 4, 8, 2097152, 256, 28, 1178, 0, 160, 8, 0, 0,
         0, 0, 0, 0, 128, 0, 150, SOOTHI_GPU_PFEA(15, 51, 30, 192, 3612, 550, 488, 301), 0},
        {"v100-pfea", 70, 80, 64, 32, 16, 32, 4, 4, 6291456, 4096, 12, 1530, 1290, 900, 0, 2155, 125000,
         0, 0, 0, 0, 128, 0, 300, SOOTHI_GPU_PFEA(15, 49, 30, 218, 2197, 550, 452, 270), 0}};
    /* clang-format on */
    return i < sizeof known / sizeof known[0] ? &known[i] : NULL;
}

#undef SOOTHI_GPU_KEPLER
#undef SOOTHI_GPU_MAXWELL
#undef SOOTHI_GPU_PASCAL
#undef SOOTHI_GPU_VOLTA
#undef SOOTHI_GPU_TURING
#undef SOOTHI_GPU_AMPERE
#undef SOOTHI_GPU_PFEA
#undef SOOTHI_GPU_NO_LATENCIES

/* True of NAME-pfea. */
SOOTHI_LOCAL int soothi_gpu_of_the_paper(const char *name) {
    const size_t length = soothi_text_length(name);
    return length > 5 && soothi_same_text(name + length - 5, "-pfea");
}

SOOTH_API sooth_status sooth_gpu_named(sooth_env *env, const char *name, sooth_gpu *gpu) {
    char names[SOOTH_ENV_SENTENCE - 40];
    size_t n = 0;
    for (size_t i = 0; sooth_gpu_at(i); ++i) {
        if (soothi_same_text(sooth_gpu_at(i)->name, name)) {
            *gpu = *sooth_gpu_at(i);
            return SOOTH_OK;
        }
        if (soothi_gpu_of_the_paper(sooth_gpu_at(i)->name)) continue;
        n += sooth_text_format(names + n, sizeof names - n, i ? ", %s" : "%s", sooth_gpu_at(i)->name);
    }
    return sooth_fail(env, SOOTH_BAD_ARGUMENT, "there is no GPU called %s; there are %s", name, names);
}

/* Reduces a board's name to small letters, digits and dots, without the maker's words. */
SOOTHI_LOCAL void soothi_gpu_normalise(const char *board, char *plain, size_t room) {
    static const char word[][10] = {"nvidia", "tesla", "geforce", "graphics", "edition"};
    size_t n = 0;
    for (size_t i = 0; board[i] && n + 1 < room;) {
        size_t w = 0, length = 0;
        for (; w < sizeof word / sizeof word[0]; ++w) {
            for (length = 0; word[w][length] && (board[i + length] | 32) == word[w][length];) ++length;
            if (!word[w][length]) break;
        }
        if (w < sizeof word / sizeof word[0]) {
            i += length;
            continue;
        }
        const char c = board[i++];
        if (c >= 'A' && c <= 'Z') plain[n++] = (char)(c + 32);
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.') plain[n++] = c;
    }
    plain[n] = 0;
}

SOOTH_API sooth_status sooth_gpu_board_named(sooth_env *env, const char *board, sooth_gpu *gpu) {
    static const struct {
        char board[28], name[16];
    } other[] = {{"p100pcie16gb", "p100-pcie"},
                 {"p100sxm216gb", "p100"},
                 {"v100pcie16gb", "v100-pcie"},
                 {"v100pcie32gb", "v100-pcie"},
                 {"v100sxm216gb", "v100"},
                 {"v100sxm232gb", "v100"},
                 {"p100sxm2", "p100"},
                 {"v100sxm2", "v100"},
                 {"a100pcie40gb", "a100-pcie"},
                 {"a100sxm440gb", "a100"},
                 {"a100sxm4", "a100"},
                 {"a10040gb", "a100"},
                 {"a10080gbpcie", "a100-80gb"},
                 {"a100pcie80gb", "a100-80gb"},
                 {"a100sxm480gb", "a100-80gb-sxm"},
                 {"h10080gbhbm3", "h100"},
                 {"h100sxm5", "h100"},
                 {"h100sxm", "h100"},
                 {"h100sxm580gb", "h100"},
                 {"h10080gb", "h100"},
                 {"h100pcie80gb", "h100-pcie"},
                 {"h10080gbpcie", "h100-pcie"},
                 {"h200sxm", "h200"},
                 {"l40s48gb", "l40s"},
                 {"b200sxm", "b200"},
                 {"b300sxm", "b300"},
                 {"b300sxm6ac", "b300"},
                 {"rtxpro6000blackwellserver", "rtx-pro-6000"},
                 {"rtxpro6000server", "rtx-pro-6000"},
                 {"intelrarctmprob60", "b60"},
                 {"intelarcprob60", "b60"},
                 {"arcprob60", "b60"},
                 {"k20c", "k20"},
                 {"k20m", "k20"},
                 {"4090", "rtx4090"}};
    char plain[32], known[sizeof gpu->name];
    soothi_gpu_normalise(board, plain, sizeof plain);
    for (size_t i = 0; i < sizeof other / sizeof other[0]; ++i)
        if (soothi_same_text(plain, other[i].board)) return sooth_gpu_named(env, other[i].name, gpu);
    for (size_t i = 0; sooth_gpu_at(i); ++i) {
        soothi_gpu_normalise(sooth_gpu_at(i)->name, known, sizeof known);
        if (soothi_same_text(plain, known)) {
            *gpu = *sooth_gpu_at(i);
            return SOOTH_OK;
        }
    }
    return sooth_gpu_named(env, board, gpu);
}

SOOTH_API double sooth_gpu_gflops(const sooth_gpu *gpu) {
    return 2e-3 * (double)gpu->sms * (double)gpu->fp32_units * gpu->clock_mhz;
}

/* ---- text ---- */

SOOTH_API sooth_option_list sooth_gpu_options_list(void) {
/* clang-format off */
#define SOOTHI_ITEM(item, name, what, other)                                                             \
    {"latency_" name, SOOTH_OPTION_NUMBER,                                                               \
     offsetof(sooth_gpu, latency) + SOOTH_GPU_LATENCY_##item * sizeof(double), 1e-3, 1e9, 0, "",         \
     "cycles of " what, 0},
    /* clang-format on */
    static const sooth_option option[] = {
        SOOTHI_COUNT(sooth_gpu, sms, 1, 65536, 0, "multiprocessors"),
        SOOTHI_COUNT(sooth_gpu, fp32_units, 1, 65536, 0, "single precision units of an SM"),
        SOOTHI_COUNT(sooth_gpu, fp64_units, 1, 65536, 0, "double precision units of an SM"),
        SOOTHI_COUNT(sooth_gpu, special_units, 1, 65536, 0, "special function units of an SM"),
        SOOTHI_COUNT(sooth_gpu, load_store_units, 1, 65536, 0, "load-store units of an SM"),
        SOOTHI_COUNT(sooth_gpu, schedulers, 1, 65536, 0, "warp schedulers of an SM"),
        SOOTHI_COUNT(sooth_gpu, dispatch_units, 1, 65536, 0, "dispatch units of an SM"),
        SOOTHI_COUNT(sooth_gpu, l2_bytes, 1, 4294967295.0, 0, "bytes of the second level cache"),
        SOOTHI_COUNT(sooth_gpu, memory_bits, 1, 1048576, 0, "width of the memory bus in bits"),
        SOOTHI_COUNT(sooth_gpu, process_nm, 1, 1000, 0, "nominal size of the process in nm"),
        SOOTHI_NUMBER(sooth_gpu, clock_mhz, 1e-3, 1e9, 0, "maximum clock of the SMs in MHz"),
        SOOTHI_NUMBER(sooth_gpu, base_mhz, 1e-3, 1e9, 0,
                      "guaranteed clock of the SMs in MHz, under any load"),
        SOOTHI_NUMBER(sooth_gpu, memory_gbs, 1e-3, 1e9, 0, "1e9 bytes per second between L2 and memory"),
        SOOTHI_NUMBER(sooth_gpu, memory_gb, 1e-3, 1e9, 0, "size of the memory in GB, as its maker states it"),
        SOOTHI_NUMBER(sooth_gpu, l2_gbs, 1e-3, 1e9, 0, "1e9 bytes per second of the second level cache"),
        SOOTHI_NUMBER(sooth_gpu, tensor_gflops, 1e-3, 1e12, 0,
                      "1e9 operations per second of tensor cores in half precision"),
        SOOTHI_NUMBER(sooth_gpu, tf32_gflops, 1e-3, 1e12, 0, "the same in TF32"),
        SOOTHI_NUMBER(sooth_gpu, fp8_gflops, 1e-3, 1e12, 0, "the same in FP8"),
        SOOTHI_NUMBER(sooth_gpu, fp4_gflops, 1e-3, 1e12, 0, "the same in FP4"),
        SOOTHI_NUMBER(sooth_gpu, int8_gops, 1e-3, 1e12, 0, "the same in INT8"),
        SOOTHI_NUMBER(sooth_gpu, shared_bytes, 1e-3, 1e9, 0, "bytes per cycle of the shared memory of an SM"),
        SOOTHI_NUMBER(sooth_gpu, idle_watts, 1e-3, 1e9, 0, "power without work in watts"),
        SOOTHI_NUMBER(sooth_gpu, tdp_watts, 1e-3, 1e9, 0, "maximum sustained power in watts"),
        SOOTHI_CHOICE(sooth_gpu, maker, "nvidia|other", "whose device it is; others have no compute"),
        SOOTH_GPU_LATENCY_LIST(SOOTHI_ITEM)};
#undef SOOTHI_ITEM
    return SOOTHI_OPTIONS(option);
}

/* Returns the compute capability of "8.9" or "89", 89; 0 if it is invalid or unknown. */
SOOTHI_LOCAL uint32_t soothi_gpu_compute(const char *text) {
    uint32_t number = 0, tenths = 0;
    size_t point = 0;
    for (size_t i = 0; text[i]; ++i) {
        if (text[i] == '.' && i > 0 && !point) {
            point = i;
        } else if (text[i] >= '0' && text[i] <= '9' && i < 6) {
            number = 10 * number + (uint32_t)(text[i] - '0');
            tenths += point != 0;
        } else {
            return 0;
        }
    }
    return (!point || tenths == 1) && sooth_gpu_limits_for(number) ? number : 0;
}

SOOTHI_LOCAL sooth_status soothi_gpu_bad_compute(sooth_env *env, sooth_status status, const char *what) {
    char known[SOOTH_ENV_SENTENCE - 64];
    size_t n = 0;
    for (uint32_t c = 0; c < 200; ++c)
        if (sooth_gpu_limits_for(c))
            n += sooth_text_format(known + n, sizeof known - n, n ? ", %u.%u" : "%u.%u", c / 10, c % 10);
    return sooth_fail(env, status, "compute is %s, but must be one of %s", what, known);
}

/* Applies one line of a device text. */
SOOTHI_LOCAL sooth_status soothi_gpu_set(sooth_env *env, sooth_gpu *gpu, const char *key, const char *value) {
    if (soothi_same_text(key, "name")) {
        const size_t length = soothi_text_length(value);
        if (length == 0 || length >= sizeof gpu->name)
            return sooth_fail(env, SOOTH_BAD_TEXT, "name has %z characters, but must have 1 to %z", length,
                              sizeof gpu->name - 1);
        memset(gpu->name, 0, sizeof gpu->name);
        memcpy(gpu->name, value, length);
        return SOOTH_OK;
    }
    if (soothi_same_text(key, "compute")) {
        gpu->compute = soothi_gpu_compute(value);
        return gpu->compute ? SOOTH_OK : soothi_gpu_bad_compute(env, SOOTH_BAD_TEXT, value);
    }
    if (soothi_same_text(key, "like")) {
        char name[sizeof gpu->name];
        memcpy(name, gpu->name, sizeof name);
        const sooth_status status = sooth_gpu_named(env, value, gpu);
        memcpy(gpu->name, name, sizeof name);
        return status;
    }
    return sooth_option_set(env, sooth_gpu_options_list(), gpu, key, value);
}

SOOTH_API sooth_status sooth_gpu_read(sooth_env *env, const char *text, size_t size, sooth_gpu *gpu) {
    sooth_gpu made;
    soothi_settings s = {text, size, 0, 0, "", ""};
    sooth_status status;
    memset(&made, 0, sizeof made);
    while ((status = soothi_settings_next(env, &s)) == SOOTH_OK && s.name[0])
        if (soothi_gpu_set(env, &made, s.name, s.value) != SOOTH_OK) return soothi_at_line(env, s.line);
    if (status != SOOTH_OK) return status;
    const int foreign = made.maker != SOOTH_GPU_MAKER_NVIDIA;
    const char *missing = !made.name[0]               ? "name"
                          : !made.compute && !foreign ? "compute"
                          : !made.sms                 ? "sms"
                                                      : NULL;
    if (missing)
        return sooth_fail(env, SOOTH_BAD_TEXT, "%s is missing; a GPU needs name, compute and sms", missing);
    if (made.compute && foreign)
        return sooth_fail(env, SOOTH_BAD_TEXT, "compute is %u.%u, but a GPU with maker = other has none",
                          made.compute / 10, made.compute % 10);
    *gpu = made;
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_gpu_write(sooth_env *env, const sooth_gpu *gpu, sooth_sink *sink) {
    sooth_option_list list = sooth_gpu_options_list();
    sooth_text_put(sink, "name = %s\n", gpu->name);
    if (gpu->compute) sooth_text_put(sink, "compute = %u.%u\n", gpu->compute / 10, gpu->compute % 10);
    if (gpu->maker == SOOTH_GPU_MAKER_OTHER) sooth_text_put(sink, "maker = other\n");
    for (size_t i = 0; i < list.count; ++i) {
        double value = sooth_option_value(&list.option[i], gpu);
        if (value > 0.0 && list.option[i].type != SOOTH_OPTION_CHOICE)
            sooth_text_put(sink, "%s = %g\n", list.option[i].name, value);
    }
    return sink->failed ? sooth_fail(env, SOOTH_CANCELLED, "the text could not be written") : SOOTH_OK;
}

/* ---- occupancy ---- */

/* CUDA C++ Programming Guide, technical specifications per compute capability. The units, partitions and
   barriers are those of NVIDIA's occupancy calculator as of CUDA 13.5. 10.1 is the former name of 11.0. */
SOOTH_API const sooth_gpu_limits *sooth_gpu_limits_for(uint32_t compute) {
    /* clang-format off */
#define SOOTHI_GPU_UP_TO_228 {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}
    static const sooth_gpu_limits known[] = {
        {35, 64, 16, 65536, 65536, 49152, 49152, 0, 256, 4, 0, {16, 32, 48}},
        {37, 64, 16, 131072, 65536, 114688, 49152, 0, 256, 4, 0, {80, 96, 112}},
        {50, 64, 32, 65536, 65536, 65536, 49152, 0, 256, 4, 0, {0}},
        {52, 64, 32, 65536, 65536, 98304, 49152, 0, 256, 4, 0, {0}},
        {53, 64, 32, 65536, 32768, 65536, 49152, 0, 256, 4, 0, {0}},
        {60, 64, 32, 65536, 65536, 65536, 49152, 0, 256, 2, 0, {0}},
        {61, 64, 32, 65536, 65536, 98304, 49152, 0, 256, 4, 0, {0}},
        {62, 64, 32, 65536, 32768, 65536, 49152, 0, 256, 4, 0, {0}},
        {70, 64, 32, 65536, 65536, 98304, 98304, 0, 256, 4, 0, {0, 8, 16, 32, 64, 96}},
        {72, 64, 32, 65536, 65536, 98304, 98304, 0, 256, 4, 0, {0, 8, 16, 32, 64, 96}},
        {75, 32, 16, 65536, 65536, 65536, 65536, 0, 256, 4, 0, {32, 64}},
        {80, 64, 32, 65536, 65536, 167936, 166912, 1024, 128, 4, 0, {0, 8, 16, 32, 64, 100, 132, 164}},
        {86, 48, 16, 65536, 65536, 102400, 101376, 1024, 128, 4, 0, {0, 8, 16, 32, 64, 100}},
        {87, 48, 16, 65536, 65536, 167936, 166912, 1024, 128, 4, 0, {0, 8, 16, 32, 64, 100, 132, 164}},
        {89, 48, 24, 65536, 65536, 102400, 101376, 1024, 128, 4, 0, {0, 8, 16, 32, 64, 100}},
        {90, 64, 32, 65536, 65536, 233472, 232448, 1024, 128, 4, 2, SOOTHI_GPU_UP_TO_228},
        {100, 64, 32, 65536, 65536, 233472, 232448, 1024, 128, 4, 2, SOOTHI_GPU_UP_TO_228},
        {101, 48, 24, 65536, 65536, 233472, 232448, 1024, 128, 4, 1, SOOTHI_GPU_UP_TO_228},
        {103, 64, 32, 65536, 65536, 233472, 232448, 1024, 128, 4, 1, SOOTHI_GPU_UP_TO_228},
        {110, 48, 24, 65536, 65536, 233472, 232448, 1024, 128, 4, 1, SOOTHI_GPU_UP_TO_228},
        {120, 48, 24, 65536, 65536, 102400, 101376, 1024, 128, 4, 1, {0, 8, 16, 32, 64, 100}},
        {121, 48, 24, 65536, 65536, 102400, 101376, 1024, 128, 4, 1, {0, 8, 16, 32, 64, 100}}};
#undef SOOTHI_GPU_UP_TO_228
    /* clang-format on */
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
        if (known[i].compute == compute) return &known[i];
    return NULL;
}

/* Returns the warps of a block. */
SOOTHI_LOCAL uint32_t soothi_gpu_warps(uint32_t threads) {
    return threads / SOOTH_GPU_WARP + (threads % SOOTH_GPU_WARP != 0);
}

SOOTHI_LOCAL uint64_t soothi_gpu_round_up(uint64_t value, uint64_t unit) {
    return (value + unit - 1) / unit * unit;
}

/* Registers are allocated to warps in units of 256, and each warp uses one partition. The launch check rounds
   a block's warps up to all partitions. Returns how many blocks fit. */
SOOTHI_LOCAL uint32_t soothi_gpu_by_registers(const sooth_gpu_limits *limits, uint32_t registers,
                                              uint32_t warps, uint32_t partitions) {
    uint64_t each = soothi_gpu_round_up((uint64_t)registers * SOOTH_GPU_WARP, 256);
    if (registers > SOOTH_GPU_MAX_REGISTERS ||
        each * soothi_gpu_round_up(warps, partitions) > limits->block_registers)
        return 0;
    if (each == 0) return SOOTH_GPU_UNLIMITED;
    return (uint32_t)(limits->registers / partitions / each * partitions / warps);
}

/* Returns the smallest selectable shared memory of an SM with this many bytes or more. */
SOOTHI_LOCAL uint32_t soothi_gpu_carveout(const sooth_gpu_limits *limits, uint64_t bytes) {
    for (size_t i = 0; i < sizeof limits->carveouts / sizeof limits->carveouts[0]; ++i)
        if (limits->carveouts[i] * (uint64_t)1024 >= bytes && limits->carveouts[i])
            return limits->carveouts[i] * 1024u;
    return limits->shared;
}

/* Returns the shared memory of the SM if a block takes `bytes`: the preferred size, but enough for a block.
   Before 7.0, a preference that is too small is ignored. */
SOOTHI_LOCAL uint32_t soothi_gpu_shared(const sooth_gpu_limits *limits, uint32_t carveout, uint64_t bytes) {
    if (carveout == 0 || carveout >= 100) return limits->shared;
    uint32_t preferred = soothi_gpu_carveout(limits, (uint64_t)limits->shared * carveout / 100);
    if (preferred >= bytes) return preferred;
    return limits->compute >= 70 ? soothi_gpu_carveout(limits, bytes) : limits->shared;
}

/* Returns the blocks that fit by shared memory: `bytes` is the block's own and the driver's, rounded up. */
SOOTHI_LOCAL uint32_t soothi_gpu_by_shared(const sooth_gpu_limits *limits, const sooth_gpu_launch *launch,
                                           uint64_t bytes) {
    uint32_t most = launch->shared > 49152u && !launch->no_optin ? limits->block_shared : 49152u;
    if (bytes > (uint64_t)most + limits->reserved_shared) return 0;
    if (bytes == 0) return SOOTH_GPU_UNLIMITED;
    return (uint32_t)(soothi_gpu_shared(limits, launch->carveout, bytes) / bytes);
}

/* Explains why not even one block fits. */
SOOTHI_LOCAL sooth_status soothi_gpu_explain(sooth_env *env, const sooth_gpu_limits *limits,
                                             const sooth_gpu_launch *launch, const sooth_gpu_fit *fit) {
    if (fit->by_warps == 0)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "threads is %u, but must be from 1 to %u", launch->threads,
                          SOOTH_GPU_MAX_THREADS);
    if (launch->registers > SOOTH_GPU_MAX_REGISTERS)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "registers is %u, but must be at most %u for each thread",
                          launch->registers, SOOTH_GPU_MAX_REGISTERS);
    if (fit->by_registers == 0)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "a block of %u threads with %u registers each does not fit: the limit is %u "
                          "registers, allocated in units of 256 and evenly to %u partitions",
                          launch->threads, launch->registers, limits->block_registers,
                          limits->compute == 60 ? 4u : limits->partitions);
    if (fit->by_shared == 0)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "shared is %u bytes, but must be at most %u for each block%s", launch->shared,
                          launch->no_optin ? 49152u : limits->block_shared,
                          launch->no_optin && limits->block_shared > 49152u ? " without opt-in" : "");
    return sooth_fail(env, SOOTH_BAD_ARGUMENT, "barriers is %u, but must be at most %u", launch->barriers,
                      limits->blocks * limits->barriers);
}

SOOTH_API sooth_status sooth_gpu_occupancy(sooth_env *env, uint32_t compute, const sooth_gpu_launch *launch,
                                           sooth_gpu_fit *fit) {
    const sooth_gpu_limits *limits = sooth_gpu_limits_for(compute);
    const uint32_t warps = soothi_gpu_warps(launch->threads);
    char text[16];
    memset(fit, 0, sizeof *fit);
    if (!limits) {
        sooth_text_format(text, sizeof text, "%u.%u", compute / 10, compute % 10);
        return soothi_gpu_bad_compute(env, SOOTH_BAD_ARGUMENT, text);
    }
    if (warps == 0) return soothi_gpu_explain(env, limits, launch, fit);
    const uint64_t shared =
        soothi_gpu_round_up((uint64_t)launch->shared + limits->reserved_shared, limits->shared_unit);
    const uint64_t registers = soothi_gpu_round_up((uint64_t)launch->registers * SOOTH_GPU_WARP, 256);
    fit->block_shared = shared < UINT32_MAX ? (uint32_t)shared : UINT32_MAX;
    fit->block_registers = registers < UINT32_MAX / warps ? (uint32_t)registers * warps : UINT32_MAX;
    fit->by_warps = launch->threads > SOOTH_GPU_MAX_THREADS ? 0 : limits->warps / warps;
    fit->by_registers = soothi_gpu_by_registers(limits, launch->registers, warps, limits->partitions);
    /* a launch that fails on 6.1 is rejected on 6.0 too, although its two partitions might hold it */
    if (compute == 60 && soothi_gpu_by_registers(limits, launch->registers, warps, 4) == 0)
        fit->by_registers = 0;
    fit->by_shared = soothi_gpu_by_shared(limits, launch, shared);
    fit->by_blocks = limits->blocks;
    fit->by_barriers = limits->barriers && launch->barriers
                           ? limits->blocks * limits->barriers / launch->barriers
                           : SOOTH_GPU_UNLIMITED;
    const uint32_t limit[5] = {fit->by_warps, fit->by_registers, fit->by_shared, fit->by_blocks,
                               fit->by_barriers};
    fit->blocks = limit[0];
    for (unsigned k = 1; k < 5; ++k)
        if (limit[k] < fit->blocks) fit->blocks = limit[k];
    for (unsigned k = 0; k < 5; ++k) /* SOOTH_GPU_BY_WARPS and the next ones */
        if (limit[k] == fit->blocks) fit->factors |= 1u << k;
    fit->warps = fit->blocks * warps;
    fit->occupancy = (double)fit->warps / (double)limits->warps;
    return fit->blocks ? SOOTH_OK : soothi_gpu_explain(env, limits, launch, fit);
}

SOOTH_API uint64_t sooth_gpu_waves(uint32_t blocks, uint32_t threads, uint32_t sms,
                                   uint32_t threads_at_once) {
    uint64_t of_sm = (uint64_t)(blocks / (sms ? sms : 1)) * threads;
    uint64_t at_once = threads_at_once ? threads_at_once : 1;
    uint64_t waves = of_sm / at_once + (of_sm % at_once != 0);
    return waves ? waves : 1;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */

/* What else belongs to this header. */
#if !defined(SOOTH_GPU_LAUNCH_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_LAUNCH_IMPLEMENTED))
#include "gpu/launch.h"
#endif
#if !defined(SOOTH_GPU_ROOFLINE_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_ROOFLINE_IMPLEMENTED))
#include "gpu/roofline.h"
#endif
#if !defined(SOOTH_GPU_LANGUAGE_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_LANGUAGE_IMPLEMENTED))
#include "gpu/language.h"
#endif
#if !defined(SOOTH_GPU_PFEA_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_PFEA_IMPLEMENTED))
#include "gpu/pfea.h"
#endif
