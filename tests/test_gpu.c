/* test_gpu.c - occupancy against NVIDIA's calculator, devices against data sheets, texts there and back.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/gpu.h"
#include "check.h"
#include "golden/gpu.h"

static sooth_env env;

static sooth_gpu_launch launch_of(uint32_t threads, uint32_t registers, uint32_t shared) {
    sooth_gpu_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.blocks = 1;
    launch.threads = threads;
    launch.registers = registers;
    launch.shared = shared;
    return launch;
}

/* ---- occupancy ---- */

/* Whatever the limits are, these follow from them. */
static void consistent(sooth_status status, const sooth_gpu_limits *limits, const sooth_gpu_launch *launch,
                       const sooth_gpu_fit *fit) {
    uint32_t least = fit->by_warps;
    if (fit->by_registers < least) least = fit->by_registers;
    if (fit->by_shared < least) least = fit->by_shared;
    if (fit->by_blocks < least) least = fit->by_blocks;
    if (fit->by_barriers < least) least = fit->by_barriers;
    CHECK(fit->blocks == least);
    CHECK(fit->warps == fit->blocks * ((launch->threads + 31) / 32));
    CHECK_NEAR(fit->occupancy, (double)fit->warps / limits->warps, 0);
    CHECK(fit->occupancy <= 1);
    CHECK(fit->factors == ((fit->by_warps == least ? SOOTH_GPU_BY_WARPS : 0u) |
                           (fit->by_registers == least ? SOOTH_GPU_BY_REGISTERS : 0u) |
                           (fit->by_shared == least ? SOOTH_GPU_BY_SHARED : 0u) |
                           (fit->by_blocks == least ? SOOTH_GPU_BY_BLOCKS : 0u) |
                           (fit->by_barriers == least ? SOOTH_GPU_BY_BARRIERS : 0u)));
    CHECK((status == SOOTH_OK) == (least > 0));
}

static void equals_the_calculator(void) {
    size_t i;
    for (i = 0; i < sizeof golden_occupancy / sizeof golden_occupancy[0]; ++i) {
        const uint32_t *row = golden_occupancy[i];
        sooth_gpu_launch launch = launch_of(row[1], row[2], row[3]);
        sooth_gpu_fit fit;
        sooth_status status;
        int before = check_failures;
        launch.carveout = row[4];
        launch.barriers = row[5];
        status = sooth_gpu_occupancy(&env, row[0], &launch, &fit);
        consistent(status, sooth_gpu_limits_for(row[0]), &launch, &fit);
        CHECK(fit.blocks == row[6] && fit.by_warps == row[7] && fit.by_registers == row[8] &&
              fit.by_shared == row[9] && fit.by_blocks == row[10] && fit.by_barriers == row[11]);
        CHECK(fit.block_registers == row[12] && fit.block_shared == row[13]);
        if (check_failures > before) printf("  in row %zu, compute capability %u\n", i, row[0]);
    }
}

/* Every row of a table of launches and what the calculator says. */
static void equals_the_published_table(void) {
    FILE *file = fopen("../shared/data/occupancy/occupancy_subset.csv", "rb");
    char line[256];
    size_t rows = 0, wrong = 0;
    if (!file) CHECK_SKIP("the table of occupancies is not here");
    CHECK(fgets(line, sizeof line, file) != NULL);
    while (fgets(line, sizeof line, file)) {
        unsigned major, minor, v[13];
        double occupancy;
        sooth_gpu_launch launch;
        sooth_gpu_fit fit;
        sooth_status status;
        int fields =
            sscanf(line, "%u.%u,%u,%u,%u,%u,%u,%lf,%u,%u,%u,%u,%u,%u,%u", &major, &minor, &v[0], &v[1], &v[2],
                   &v[3], &v[4], &occupancy, &v[5], &v[6], &v[7], &v[8], &v[9], &v[10], &v[11]);
        CHECK(fields == 15);
        launch = launch_of(v[0], v[1], v[2]);
        status = sooth_gpu_occupancy(&env, 10 * major + minor, &launch, &fit);
        ++rows;
        wrong += fit.blocks != v[3] || fit.warps != v[4] || fabs(fit.occupancy - occupancy) > 6e-7 ||
                 fit.by_warps != v[5] || fit.by_blocks != v[6] || fit.by_registers != v[7] ||
                 fit.by_shared != v[8] || fit.factors != v[9] || fit.block_registers != v[10] ||
                 fit.block_shared != v[11] || (status == SOOTH_OK) != (v[3] > 0);
    }
    fclose(file);
    CHECK(rows == 4197);
    CHECK(wrong == 0);
}

/* CUDA C++ Best Practices Guide, "Calculating Occupancy": 37 registers on compute capability 7.0. */
static void the_guide_s_examples(void) {
    sooth_gpu_launch launch = launch_of(128, 37, 0);
    sooth_gpu_fit fit;
    CHECK_STATUS(sooth_gpu_occupancy(&env, 70, &launch, &fit), SOOTH_OK);
    CHECK(fit.blocks == 12 && fit.occupancy == 0.75 && fit.factors == SOOTH_GPU_BY_REGISTERS);
    launch = launch_of(320, 37, 0);
    CHECK_STATUS(sooth_gpu_occupancy(&env, 70, &launch, &fit), SOOTH_OK);
    CHECK(fit.blocks == 4);
    CHECK_NEAR(fit.occupancy, 0.63, 0.0051);
}

/* More threads at once never by taking more. */
static void more_resources_never_help(void) {
    size_t i;
    sooth_rng rng;
    sooth_rng_init(&rng, 1, 0);
    for (i = 0; i < 20000; ++i) {
        const uint32_t *row =
            golden_occupancy[sooth_rng_below(&rng, sizeof golden_occupancy / sizeof *golden_occupancy)];
        sooth_gpu_launch launch = launch_of(1 + sooth_rng_below(&rng, 1024), sooth_rng_below(&rng, 255),
                                            sooth_rng_below(&rng, 49152));
        sooth_gpu_fit fit, more;
        sooth_gpu_occupancy(&env, row[0], &launch, &fit);
        ++launch.registers;
        launch.shared += sooth_rng_below(&rng, 300);
        sooth_gpu_occupancy(&env, row[0], &launch, &more);
        CHECK(more.blocks <= fit.blocks && more.block_shared >= fit.block_shared);
        if (row[0] < 70) continue;
        launch.carveout = 1 + sooth_rng_below(&rng, 100);
        sooth_gpu_occupancy(&env, row[0], &launch, &fit);
        CHECK(fit.blocks <= more.blocks && (fit.blocks > 0) == (more.blocks > 0)); /* one block always fits */
    }
}

/* Kepler chooses between 16, 32 and 48 KiB, Maxwell and Pascal have nothing to choose. */
static void shared_memory_before_volta(void) {
    static const struct {
        uint32_t compute, carveout, shared, blocks;
    } expected[] = {{35, 0, 4096, 12},  {35, 33, 4096, 4},  {35, 50, 4096, 8},
                    {35, 33, 20000, 2}, {37, 50, 8192, 10}, {37, 80, 8192, 12},
                    {37, 0, 8192, 14},  {52, 10, 8192, 12}, {60, 10, 8192, 8}};
    size_t i;
    for (i = 0; i < sizeof expected / sizeof expected[0]; ++i) {
        sooth_gpu_launch launch = launch_of(32, 16, expected[i].shared);
        sooth_gpu_fit fit;
        launch.carveout = expected[i].carveout;
        CHECK_STATUS(sooth_gpu_occupancy(&env, expected[i].compute, &launch, &fit), SOOTH_OK);
        CHECK(fit.by_shared == expected[i].blocks);
    }
}

static void launches_that_cannot_be(void) {
    sooth_gpu_launch launch = launch_of(0, 32, 0);
    sooth_gpu_fit fit;
    CHECK_FAILS(&env, sooth_gpu_occupancy(&env, 80, &launch, &fit), SOOTH_BAD_ARGUMENT,
                "threads is 0, but must be from 1 to 1024");
    CHECK(fit.blocks == 0 && fit.occupancy == 0);
    launch.threads = 1025;
    CHECK_FAILS(&env, sooth_gpu_occupancy(&env, 80, &launch, &fit), SOOTH_BAD_ARGUMENT, "threads is 1025");
    CHECK(fit.by_warps == 0 && (fit.factors & SOOTH_GPU_BY_WARPS));
    launch = launch_of(1024, 72, 0);
    CHECK_FAILS(&env, sooth_gpu_occupancy(&env, 80, &launch, &fit), SOOTH_BAD_ARGUMENT,
                "a block of 1024 threads with 72 registers each does not fit: the limit is 65536 registers");
    launch.registers = 256;
    CHECK_FAILS(&env, sooth_gpu_occupancy(&env, 80, &launch, &fit), SOOTH_BAD_ARGUMENT,
                "registers is 256, but must be at most 255");
    launch = launch_of(32, 16, 170000);
    CHECK_FAILS(&env, sooth_gpu_occupancy(&env, 80, &launch, &fit), SOOTH_BAD_ARGUMENT,
                "shared is 170000 bytes, but must be at most 166912");
    CHECK_STATUS(sooth_gpu_occupancy(&env, 90, &launch, &fit), SOOTH_OK);
    launch.no_optin = 1;
    CHECK_FAILS(&env, sooth_gpu_occupancy(&env, 90, &launch, &fit), SOOTH_BAD_ARGUMENT,
                "but must be at most 49152 for each block without opt-in");
    launch = launch_of(32, 16, 0);
    launch.barriers = 65;
    CHECK_FAILS(&env, sooth_gpu_occupancy(&env, 90, &launch, &fit), SOOTH_BAD_ARGUMENT,
                "barriers is 65, but must be at most 64");
    CHECK_FAILS(&env, sooth_gpu_occupancy(&env, 42, &launch, &fit), SOOTH_BAD_ARGUMENT,
                "compute is 4.2, but must be one of 3.5, 3.7, 5.0, 5.2, 5.3, 6.0, 6.1, 6.2, 7.0, 7.2, "
                "7.5, 8.0, 8.6, 8.7, 8.9, 9.0, 10.0, 10.1, 10.3, 11.0, 12.0, 12.1");
    launch = launch_of(UINT32_MAX, UINT32_MAX, UINT32_MAX);
    CHECK_STATUS(sooth_gpu_occupancy(NULL, 90, &launch, &fit), SOOTH_BAD_ARGUMENT);
    CHECK(fit.blocks == 0 && fit.block_shared == UINT32_MAX && fit.block_registers == UINT32_MAX);
    launch.threads = 32;
    launch.carveout = UINT32_MAX;
    CHECK_STATUS(sooth_gpu_occupancy(NULL, 90, &launch, &fit), SOOTH_BAD_ARGUMENT);
}

/* ---- waves ---- */

/* The worked example of the paper: 78 blocks of 1024 threads on 13 SMs: 6144 threads each, 3 waves. */
static void the_paper_s_waves(void) {
    uint32_t blocks, threads;
    CHECK(sooth_gpu_waves(78, 1024, 13, 2048) == 3);
    CHECK(sooth_gpu_waves(77, 1024, 13, 2048) == 3); /* 5 blocks: 5120 threads */
    CHECK(sooth_gpu_waves(12, 1024, 13, 2048) == 1); /* the division comes first: 0 threads, one wave */
    CHECK(sooth_gpu_waves(0, 0, 0, 0) == 1);
    CHECK(sooth_gpu_waves(UINT32_MAX, UINT32_MAX, 1, 1) == (uint64_t)UINT32_MAX * UINT32_MAX);
    for (blocks = 0; blocks < 300; ++blocks)
        for (threads = 32; threads <= 1024; threads += 96) {
            uint64_t waves = 0;
            long left = (long)(blocks / 13 * threads);
            do { /* the loop of algorithm 2 */
                ++waves;
                left -= 2048;
            } while (left > 0);
            CHECK(sooth_gpu_waves(blocks, threads, 13, 2048) == waves);
        }
}

/* ---- devices ---- */

/* 2 x SMs x units x clock is the peak of the data sheet, in Gflop/s single and double precision. */
static void peaks_of_the_data_sheets(void) {
    static const struct {
        const char *name;
        double f32, f64, off;
    } sheet[] = {
        {"k20", 3520, 1170, 0.01},    {"m60", 9650 / 2.0, 301.6 / 2, 0.01}, {"p100", 10600, 5300, 0.01},
        {"t4", 8100, 254, 0.01},      {"v100", 15700, 7800, 0.01},          {"a100", 19500, 9700, 0.01},
        {"l4", 30300, 473, 0.01},     {"rtx4090", 82600, 1290, 0.01},       {"h100", 67000, 34000, 0.02},
        {"h200", 67000, 34000, 0.02}, {"l40s", 91600, 1430, 0.01},          {"b200", 75000, 37000, 0.02},
        {"b60", 12280, 0, 0.01}};
    size_t i;
    for (i = 0; i < sizeof sheet / sizeof sheet[0]; ++i) {
        sooth_gpu gpu;
        double cycles;
        CHECK_STATUS(sooth_gpu_named(&env, sheet[i].name, &gpu), SOOTH_OK);
        cycles = 2 * gpu.sms * gpu.clock_mhz * 1e-3;
        CHECK_CLOSE(cycles * gpu.fp32_units, sheet[i].f32, sheet[i].off);
        CHECK_CLOSE(cycles * gpu.fp64_units, sheet[i].f64, sheet[i].off);
    }
}

/* The boards of the operators of language models, as AIConfigurator's system files and the makers have them.
   */
static void boards_of_language_models(void) {
    static const struct {
        const char *name;
        unsigned compute, sms;
        double mhz, l2_mb, gbs, bf16, fp8, fp4, int8, watts, gb;
    } sheet[] = {{"a100-80gb-sxm", 80, 108, 1410, 40, 2039, 312, 0, 0, 624, 400, 80},
                 {"h100", 90, 132, 1980, 50, 3350, 989.4, 1979, 0, 1979, 700, 80},
                 {"h200", 90, 132, 1980, 50, 4800, 989.4, 1979, 0, 1979, 700, 141},
                 {"l40s", 89, 142, 2520, 96, 864, 362.05, 733, 0, 733, 350, 48},
                 {"b200", 100, 148, 1965, 126.5, 7700, 2250, 4500, 9000, 4500, 1000, 180},
                 {"gb200", 100, 152, 2062, 126.5, 8000, 2500, 5000, 10000, 5000, 1200, 185},
                 {"b300", 103, 148, 2032, 126.5, 7750, 2250, 4500, 14000, 153.5, 1100, 269},
                 {"gb300", 103, 152, 2070, 126.5, 8000, 2500, 5000, 15000, 165, 1400, 278},
                 {"rtx-pro-6000", 120, 188, 2430, 128, 1792, 467.8, 935.6, 1871.2, 935.6, 600, 96},
                 {"b60", 0, 20, 2400, 18, 456, 98.3, 98.3, 0, 197, 200, 24}};
    for (size_t i = 0; i < sizeof sheet / sizeof sheet[0]; ++i) {
        sooth_gpu gpu;
        CHECK_STATUS(sooth_gpu_named(&env, sheet[i].name, &gpu), SOOTH_OK);
        CHECK(gpu.compute == sheet[i].compute && gpu.sms == sheet[i].sms);
        CHECK_NEAR(gpu.clock_mhz, sheet[i].mhz, 0);
        CHECK_NEAR(gpu.l2_bytes, sheet[i].l2_mb * 1048576, 0);
        CHECK_NEAR(gpu.memory_gbs, sheet[i].gbs, 0);
        CHECK_NEAR(gpu.memory_gb, sheet[i].gb, 0);
        CHECK_NEAR(gpu.tensor_gflops, 1e3 * sheet[i].bf16, 1e-6);
        CHECK_NEAR(gpu.fp8_gflops, 1e3 * sheet[i].fp8, 1e-6);
        CHECK_NEAR(gpu.fp4_gflops, 1e3 * sheet[i].fp4, 1e-6);
        CHECK_NEAR(gpu.int8_gops, 1e3 * sheet[i].int8, 1e-6);
        CHECK_NEAR(gpu.tdp_watts, sheet[i].watts, 0);
        CHECK(gpu.tf32_gflops == 0 || fabs(gpu.tf32_gflops / gpu.tensor_gflops - 0.5) < 0.01);
        CHECK(gpu.maker == (unsigned)(gpu.compute == 0));
    }
}

/* The size of the memory in the maker's sheet. 0: boards of that name were sold with two sizes. */
static void sizes_of_memory(void) {
    static const struct {
        const char *name;
        double gb;
    } sheet[] = {{"k20", 5},   {"m60", 8},        {"p4", 8},
                 {"p100", 16}, {"p100-pcie", 16}, {"p100-pcie-12gb", 12},
                 {"t4", 16},   {"v100", 0},       {"v100-pcie", 0},
                 {"a100", 40}, {"a100-pcie", 40}, {"a100-80gb", 80},
                 {"l4", 24},   {"rtx4090", 24},   {"h100-pcie", 80}};
    static const char text[] = "name = x\nlike = h200\nmemory_gb = 96\n";
    sooth_gpu gpu;
    for (size_t i = 0; i < sizeof sheet / sizeof sheet[0]; ++i) {
        CHECK_STATUS(sooth_gpu_named(&env, sheet[i].name, &gpu), SOOTH_OK);
        CHECK_NEAR(gpu.memory_gb, sheet[i].gb, 0);
    }
    CHECK_STATUS(sooth_gpu_read(&env, text, sizeof text - 1, &gpu), SOOTH_OK);
    CHECK(gpu.memory_gb == 96 && gpu.memory_gbs == 4800);
}

static void devices_are_plausible(void) {
    size_t i, k;
    for (i = 0; sooth_gpu_at(i); ++i) {
        const sooth_gpu *gpu = sooth_gpu_at(i);
        CHECK((sooth_gpu_limits_for(gpu->compute) != NULL) == (gpu->maker == SOOTH_GPU_MAKER_NVIDIA));
        CHECK(gpu->idle_watts < gpu->tdp_watts && gpu->dispatch_units >= gpu->schedulers);
        CHECK(gpu->base_mhz <= gpu->clock_mhz && (gpu->l2_gbs == 0 || gpu->l2_gbs > gpu->memory_gbs));
        CHECK(gpu->process_nm >= 5 && gpu->process_nm <= 28 && gpu->memory_bits >= 192);
        CHECK((gpu->tensor_gflops > 0) == (gpu->compute >= 70 || !gpu->compute));
        CHECK(gpu->compute == 0 || gpu->shared_bytes == (gpu->compute < 40 ? 256 : 128));
        for (k = 0; k < SOOTH_GPU_LATENCIES; ++k) CHECK(gpu->latency[k] >= 0 && gpu->latency[k] < 4000);
        if (strstr(gpu->name, "-pfea")) continue;
        if (gpu->compute >= 100 || !gpu->compute) { /* no table of these is published */
            for (k = 0; k < SOOTH_GPU_LATENCIES; ++k) CHECK(gpu->latency[k] == 0);
            continue;
        }
        CHECK(gpu->latency[SOOTH_GPU_LATENCY_SHARED_LOAD] <= gpu->latency[SOOTH_GPU_LATENCY_L1]);
        CHECK(gpu->latency[SOOTH_GPU_LATENCY_L1] < gpu->latency[SOOTH_GPU_LATENCY_L2]);
        CHECK(gpu->latency[SOOTH_GPU_LATENCY_L2] < gpu->latency[SOOTH_GPU_LATENCY_GLOBAL_LOAD]);
        CHECK(gpu->latency[SOOTH_GPU_LATENCY_ADD] <= gpu->latency[SOOTH_GPU_LATENCY_MULTIPLY] ||
              gpu->compute >= 80);
    }
    CHECK(i == 28 && sooth_gpu_at(1000) == NULL);
}

/* The latencies of five generations, against the table that they were taken from. */
static void latencies_as_published(void) {
    static const struct {
        const char *arch, *device;
    } column[] = {
        {"Kepler", "k20"}, {"Maxwell", "m60"}, {"Pascal", "p100"}, {"Volta", "v100"}, {"Turing", "t4"}};
    static const struct {
        const char *operation;
        int latency;
    } row[] = {{"alu32", SOOTH_GPU_LATENCY_ADD},
               {"mov_cvt_cvta_selp_setp_shfl", SOOTH_GPU_LATENCY_CONVERT},
               {"mad32", SOOTH_GPU_LATENCY_MULTIPLY},
               {"sdiv32", SOOTH_GPU_LATENCY_DIVIDE},
               {"f16_add_mul_fma", SOOTH_GPU_LATENCY_F16},
               {"f32_add_mul_fma", SOOTH_GPU_LATENCY_F32},
               {"f32_div", SOOTH_GPU_LATENCY_F32_DIVIDE},
               {"sqrt_rn", SOOTH_GPU_LATENCY_F32_SQRT},
               {"rcp", SOOTH_GPU_LATENCY_F32_RCP},
               {"f64_add_mul_fma", SOOTH_GPU_LATENCY_F64},
               {"f64_div", SOOTH_GPU_LATENCY_F64_DIVIDE},
               {"rsqrt", SOOTH_GPU_LATENCY_RSQRT},
               {"sin_cos", SOOTH_GPU_LATENCY_SINE},
               {"lg2", SOOTH_GPU_LATENCY_LOG2},
               {"ex2", SOOTH_GPU_LATENCY_EXP2},
               {"shared", SOOTH_GPU_LATENCY_SHARED_LOAD},
               {"L1_hit", SOOTH_GPU_LATENCY_L1},
               {"L2_hit", SOOTH_GPU_LATENCY_L2},
               {"global_mem", SOOTH_GPU_LATENCY_GLOBAL_LOAD},
               {"constant", SOOTH_GPU_LATENCY_CONSTANT},
               {"texture", SOOTH_GPU_LATENCY_TEXTURE}};
    FILE *file = fopen("../shared/data/gpu/latency_published.csv", "rb");
    char line[512];
    size_t found = 0, c, r;
    if (!file) CHECK_SKIP("the published latencies are not here");
    while (fgets(line, sizeof line, file)) {
        char arch[32], operation[64];
        double cycles;
        if (!strstr(line, "Arafa") || sscanf(line, "%31[^,],,%63[^,],%lf", arch, operation, &cycles) != 3)
            continue;
        for (c = 0; c < 5; ++c)
            for (r = 0; r < sizeof row / sizeof row[0]; ++r) {
                sooth_gpu gpu;
                if (strcmp(arch, column[c].arch) || strcmp(operation, row[r].operation)) continue;
                CHECK_STATUS(sooth_gpu_named(&env, column[c].device, &gpu), SOOTH_OK);
                CHECK_NEAR(gpu.latency[row[r].latency], cycles, 0);
                ++found;
            }
    }
    fclose(file);
    CHECK(found == 5 * 21 - 2); /* Kepler and Maxwell have no half precision */
}

static void unknown_devices(void) {
    sooth_gpu gpu;
    CHECK_FAILS(
        &env, sooth_gpu_named(&env, "k40", &gpu), SOOTH_BAD_ARGUMENT,
        "there is no GPU called k40; there are k20, m60, p4, p100, p100-pcie, p100-pcie-12gb, t4, v100, ");
    for (size_t i = 0; sooth_gpu_at(i); ++i) /* every board is listed, without the paper's latencies */
        CHECK((strstr(env.sentence, sooth_gpu_at(i)->name) != NULL) ==
              (strstr(sooth_gpu_at(i)->name, "-pfea") == NULL));
}

/* As nvidia-smi, CUDA and tables of measurements write boards. */
static void boards_as_others_write_them(void) {
    static const char board[][2][46] = {{"NVIDIA H100 PCIe", "h100-pcie"},
                                        {"H100_PCIE", "h100-pcie"},
                                        {"NVIDIA A100-SXM4-80GB", "a100-80gb-sxm"},
                                        {"Tesla P100-PCIE-16GB", "p100-pcie"},
                                        {"Tesla P100-PCIE-12GB", "p100-pcie-12gb"},
                                        {"Tesla V100-PCIE-32GB", "v100-pcie"},
                                        {"Tesla V100-SXM2-16GB", "v100"},
                                        {"NVIDIA A100-PCIE-40GB", "a100-pcie"},
                                        {"NVIDIA A100-SXM4-40GB", "a100"},
                                        {"NVIDIA A100 80GB PCIe", "a100-80gb"},
                                        {"A100-80GB", "a100-80gb"},
                                        {"a100_pcie_40gb", "a100-pcie"},
                                        {"NVIDIA H100 80GB HBM3", "h100"},
                                        {"nvidia l4", "l4"},
                                        {"NVIDIA GeForce RTX 4090", "rtx4090"},
                                        {"Tesla T4", "t4"},
                                        {"Tesla P4", "p4"},
                                        {"H200", "h200"},
                                        {"Tesla K20c", "k20"},
                                        {"NVIDIA L40S", "l40s"},
                                        {"NVIDIA B200", "b200"},
                                        {"NVIDIA GB200", "gb200"},
                                        {"NVIDIA B300 SXM6 AC", "b300"},
                                        {"NVIDIA GB300", "gb300"},
                                        {"NVIDIA RTX PRO 6000 Blackwell Server Edition", "rtx-pro-6000"},
                                        {"Intel(R) Arc(TM) Pro B60 Graphics", "b60"},
                                        {"NVIDIA Tesla M60", "m60"}};
    sooth_gpu gpu;
    for (size_t i = 0; i < sizeof board / sizeof board[0]; ++i) {
        CHECK_STATUS(sooth_gpu_board_named(&env, board[i][0], &gpu), SOOTH_OK);
        CHECK(strcmp(gpu.name, board[i][1]) == 0);
    }
    CHECK_STATUS(sooth_gpu_board_named(&env, "Tesla P100-PCIE-12GB", &gpu), SOOTH_OK);
    CHECK(gpu.memory_gb == 12 && gpu.memory_gbs == 549); /* by the sheet; that of 16 GB has 732 */
    CHECK_FAILS(&env, sooth_gpu_board_named(&env, "NVIDIA L40", &gpu), SOOTH_BAD_ARGUMENT,
                "there is no GPU called NVIDIA L40; there are k20, ");
    CHECK_STATUS(sooth_gpu_board_named(&env, "a name that is longer than any board's", &gpu),
                 SOOTH_BAD_ARGUMENT);
    CHECK_STATUS(sooth_gpu_board_named(&env, "", &gpu), SOOTH_BAD_ARGUMENT);
}

/* Every name of a table of measured boards, in any case and with blanks or underscores; and where its numbers
   differ from those here it is as gpu.h says above its list. */
static void boards_of_a_published_table(void) {
    FILE *file = fopen("../shared/data/operators/gpus.csv", "rb");
    char line[512], capability[8];
    size_t rows = 0;
    if (!file) CHECK_SKIP("the table of measured boards is not here");
    while (fgets(line, sizeof line, file)) {
        char name[4][2][40];
        double sms, units, clock, gflops, memory, gb, l2, watts, nm;
        sooth_gpu of[2], again;
        if (sscanf(line, "%39[^,],%39[^,],%7[^,],%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", name[0][0], name[0][1],
                   capability, &sms, &units, &clock, &gflops, &memory, &gb, &l2, &watts, &nm) != 12)
            continue;
        ++rows;
        for (size_t spelt = 0; spelt < 4; ++spelt)
            for (size_t k = 0; k < 2; ++k) {
                for (size_t i = 0; i < 40; ++i) {
                    const char c = name[0][k][i];
                    name[spelt][k][i] = spelt == 1 && c >= 'a' && c <= 'z'     ? (char)(c - 32)
                                        : spelt == 2 && c >= 'A' && c <= 'Z'   ? (char)(c + 32)
                                        : spelt == 3 && (c == ' ' || c == '-') ? '_'
                                                                               : c;
                }
                CHECK_STATUS(sooth_gpu_board_named(&env, name[spelt][k], &again), SOOTH_OK);
                if (spelt == 0) of[k] = again;
                CHECK(strcmp(of[k].name, again.name) == 0);
            }
        const sooth_gpu gpu = of[1];
        /* P100 and V100 alone are the SXM boards; the table's are on PCIe (tests/cli/cli.sh: gpu time) */
        CHECK(strcmp(of[0].name, gpu.name) == 0 || (strstr(gpu.name, "00-pcie") && strlen(of[0].name) == 4));
        const int is_p4 = strcmp(gpu.name, "p4") == 0, is_l4 = strcmp(gpu.name, "l4") == 0;
        const int is_h100 = strcmp(gpu.name, "h100") == 0, is_p100 = strcmp(gpu.name, "p100-pcie") == 0;
        CHECK_NEAR(gpu.compute, 10 * strtod(capability, NULL), 1e-9);
        CHECK_NEAR(gpu.sms * gpu.fp32_units, is_l4 ? 58 * 128 : sms * units, 0);
        CHECK_NEAR(gpu.sms, is_l4 ? 58 : is_p4 ? 20 : sms, 0);
        CHECK_NEAR(gpu.clock_mhz, is_p100 ? 1328 : clock, 0);
        CHECK_CLOSE(sooth_gpu_gflops(&gpu), is_l4 ? 30300 : gflops, 1e-3);
        CHECK_NEAR(gpu.memory_gbs, is_h100 ? 3350 : memory, 0);
        CHECK_NEAR(gpu.l2_bytes, l2 * 1048576, 0);
        CHECK_NEAR(gpu.tdp_watts, watts, 0);
        CHECK_NEAR(gpu.process_nm, nm, 0);
    }
    fclose(file);
    CHECK(rows == 9);
}

/* Peaks of single precision in the makers' data sheets, in 1e12 operations a second. */
static void peaks_as_published(void) {
    static const struct {
        char name[12];
        double peak;
    } sheet[] = {{"k20", 3.52},  {"p4", 5.7},         {"p100", 10.6}, {"p100-pcie", 9.5},
                 {"v100", 15.7}, {"v100-pcie", 14.0}, {"t4", 8.1},    {"a100", 19.5},
                 {"l4", 30.3},   {"rtx4090", 82.6},   {"h100", 66.9}, {"h100-pcie", 51.2}};
    sooth_gpu gpu;
    for (size_t i = 0; i < sizeof sheet / sizeof sheet[0]; ++i) {
        CHECK_STATUS(sooth_gpu_named(&env, sheet[i].name, &gpu), SOOTH_OK);
        CHECK_CLOSE(sooth_gpu_gflops(&gpu) / 1e3, sheet[i].peak, 0.01);
    }
}

/* ---- text ---- */

typedef struct paper {
    char text[4096];
    size_t size;
} paper;

static int to_paper(void *user, const char *text, size_t size) {
    paper *p = (paper *)user;
    if (size >= sizeof p->text - p->size) return 1;
    memcpy(p->text + p->size, text, size);
    p->size += size;
    p->text[p->size] = 0;
    return 0;
}

static void write_to(const sooth_gpu *gpu, paper *p) {
    sooth_sink sink;
    memset(&sink, 0, sizeof sink);
    p->size = 0;
    sink.user = p;
    sink.write_fn = to_paper;
    CHECK_STATUS(sooth_gpu_write(&env, gpu, &sink), SOOTH_OK);
}

static int refuse(void *user, const char *text, size_t size) {
    (void)user;
    return text && size;
}

static void a_sink_that_fails_is_said(void) {
    sooth_sink sink = {NULL, refuse, 0};
    CHECK_FAILS(&env, sooth_gpu_write(&env, sooth_gpu_at(0), &sink), SOOTH_CANCELLED, "could not be written");
}

static sooth_status read_text(const char *text, sooth_gpu *gpu) {
    return sooth_gpu_read(&env, text, strlen(text), gpu);
}

static void texts_come_back(void) {
    size_t i;
    for (i = 0; sooth_gpu_at(i); ++i) {
        static paper p;
        sooth_gpu gpu;
        write_to(sooth_gpu_at(i), &p);
        CHECK_STATUS(sooth_gpu_read(&env, p.text, p.size, &gpu), SOOTH_OK);
        CHECK(memcmp(&gpu, sooth_gpu_at(i), sizeof gpu) == 0);
    }
}

static void another_maker_s_device(void) {
    sooth_gpu gpu;
    CHECK_STATUS(read_text("name = x\nmaker = other\nsms = 20", &gpu), SOOTH_OK);
    CHECK(gpu.maker == SOOTH_GPU_MAKER_OTHER && gpu.compute == 0);
    CHECK_FAILS(&env, read_text("name = x\nsms = 20", &gpu), SOOTH_BAD_TEXT, "compute is missing");
    CHECK_FAILS(&env, read_text("name = x\nmaker = other\nsms = 20\ncompute = 9.0", &gpu), SOOTH_BAD_TEXT,
                "compute is 9.0, but a GPU with maker = other has none");
    CHECK_STATUS(read_text("name = x\nmaker = somebody\nsms = 20", &gpu), SOOTH_BAD_TEXT);
}

static void a_device_of_one_s_own(void) {
    sooth_gpu gpu, l4;
    CHECK_STATUS(
        read_text("# ours\r\n\n  name = lab card  # in the corner\r\nlike=l4\nsms = 46\n\tclock_mhz =1.8e3\n"
                  "latency_f32 = 4.25",
                  &gpu),
        SOOTH_OK);
    CHECK_STATUS(sooth_gpu_named(&env, "l4", &l4), SOOTH_OK);
    CHECK(strcmp(gpu.name, "lab card") == 0 && gpu.sms == 46 && gpu.clock_mhz == 1800);
    CHECK(gpu.latency[SOOTH_GPU_LATENCY_F32] == 4.25 &&
          gpu.latency[SOOTH_GPU_LATENCY_L2] == l4.latency[SOOTH_GPU_LATENCY_L2]);
    CHECK(gpu.compute == 89 && gpu.l2_bytes == l4.l2_bytes);
    CHECK_STATUS(read_text("name = x\ncompute = 12.0\nsms = 1", &gpu), SOOTH_OK);
    CHECK(gpu.compute == 120 && gpu.clock_mhz == 0); /* not known */
    CHECK_STATUS(read_text("name = x\ncompute = 90\nsms = 1", &gpu), SOOTH_OK);
    CHECK(gpu.compute == 90);
}

static void bad_texts(void) {
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"", "name is missing; a GPU needs name, compute and sms"},
        {"name = x\nsms = 3", "compute is missing"},
        {"name = x\ncompute = 8.0", "sms is missing"},
        {"name = x\n\nsmz = 3", "line 3: there is no option smz; the options are sms, fp32_units"},
        {"name = x\nsms = many", "line 2: sms is \"many\", but must be a number"},
        {"sms = 0.5", "line 1: sms is 0.5, but must be between 1 and 65536"},
        {"sms = 3.5", "line 1: sms is 3.5, but must be an integer"},
        {"sms =", "line 1: sms is \"\", but must be a number"},
        {"clock_mhz = nan", "line 1: clock_mhz is nan"},
        {"clock_mhz = -1", "line 1: clock_mhz is -1, but must be between"},
        {"idle_watts = inf", "line 1: idle_watts is inf"},
        {"compute = 4.2", "line 1: compute is 4.2, but must be one of 3.5, "},
        {"compute = 8.90", "line 1: compute is 8.90"},
        {"compute = .9", "line 1: compute is .9"},
        {"compute = 99999999999", "line 1: compute is 9999"},
        {"hello", "line 1: expected \"name = value\""},
        {"# x = 1\nhello # x = 1", "line 2: expected \"name = value\""},
        {"name =", "line 1: name has 0 characters, but must have 1 to 23"},
        {"name = a name that is far too long to be kept", "line 1: name has 38 characters"},
        {"like = k40", "line 1: there is no GPU called k40"},
        {"a_name_that_is_longer_than_any_name_of_a_device_and_longer_than_is_kept = 1",
         "line 1: the name must have 1 to 63 characters"},
        {"sms = 111111111111111111111111111111111111111111111111111111111111111111111111111111111111111"
         "1111111111111111111111111111111111111111111111111111111111111111111111111111111111111111",
         "line 1: the value of sms has more than 127 characters"}};
    sooth_gpu gpu, before;
    size_t i;
    memset(&gpu, 7, sizeof gpu);
    before = gpu;
    for (i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        CHECK_FAILS(&env, read_text(bad[i].text, &gpu), SOOTH_BAD_TEXT, bad[i].words);
        CHECK_STATUS(sooth_gpu_read(NULL, bad[i].text, strlen(bad[i].text), &gpu), SOOTH_BAD_TEXT);
        CHECK(memcmp(&gpu, &before, sizeof gpu) == 0);
    }
    CHECK_FAILS(&env, sooth_gpu_read(&env, "sms\0 = 3", 8, &gpu), SOOTH_BAD_TEXT,
                "line 1: this is not text: it contains a zero byte");
}

/* Whatever bytes come, nothing is read outside of them: for the sanitizers. */
static void any_bytes(void) {
    static const char letters[] = "name=sms \t\r\n#0123456789.e-+latency_add compute like l4\0\xFF";
    sooth_rng rng;
    size_t i, k;
    sooth_rng_init(&rng, 8, 0);
    for (i = 0; i < 20000; ++i) {
        size_t size = sooth_rng_below(&rng, 60);
        char *text = (char *)malloc(size ? size : 1);
        sooth_gpu gpu;
        for (k = 0; k < size; ++k) text[k] = letters[sooth_rng_below(&rng, sizeof letters - 1)];
        sooth_gpu_read(&env, text, size, &gpu);
        free(text);
    }
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(equals_the_calculator);
    CHECK_RUN(equals_the_published_table);
    CHECK_RUN(the_guide_s_examples);
    CHECK_RUN(more_resources_never_help);
    CHECK_RUN(shared_memory_before_volta);
    CHECK_RUN(launches_that_cannot_be);
    CHECK_RUN(the_paper_s_waves);
    CHECK_RUN(peaks_of_the_data_sheets);
    CHECK_RUN(boards_of_language_models);
    CHECK_RUN(sizes_of_memory);
    CHECK_RUN(devices_are_plausible);
    CHECK_RUN(latencies_as_published);
    CHECK_RUN(unknown_devices);
    CHECK_RUN(boards_as_others_write_them);
    CHECK_RUN(boards_of_a_published_table);
    CHECK_RUN(peaks_as_published);
    CHECK_RUN(texts_come_back);
    CHECK_RUN(a_sink_that_fails_is_said);
    CHECK_RUN(another_maker_s_device);
    CHECK_RUN(a_device_of_one_s_own);
    CHECK_RUN(bad_texts);
    CHECK_RUN(any_bytes);
    return check_end("gpu");
}
