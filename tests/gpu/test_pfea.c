/* test_pfea.c - features of kernels worked out by hand, and the published numbers of the authors' tool.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/csv.h"
#include "sooth/gpu.h"
#include "../examples/gpu/pfea_tool.h"
#include "check.h"

static sooth_env env;

static char *file_of(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long length;
    if (!file) return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) >= 0 &&
        (text = (char *)malloc((size_t)length + 1)) != NULL) {
        rewind(file);
        *size = fread(text, 1, (size_t)length, file);
        text[*size] = 0;
    }
    fclose(file);
    return text;
}

static sooth_gpu_launch launch_of(uint32_t blocks, uint32_t threads) {
    sooth_gpu_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.blocks = blocks;
    launch.threads = threads;
    launch.registers = 16;
    launch.shared = 400; /* of HEAD */
    return launch;
}

static sooth_ptx_word word_of(const char *text) {
    sooth_ptx_word word;
    word.text = text;
    word.length = strlen(text);
    return word;
}

/* ---- the algorithms ---- */

#define HEAD                                                                               \
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n" \
    ".reg .pred %p<3>;\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<5>;\n"           \
    ".shared .align 4 .b8 s[400];\n"

typedef struct kernel {
    sooth_ptx ptx;
    sooth_ptx_counts counts;
} kernel;

static int open_kernel(kernel *k, const char *text, size_t size, const char *name,
                       const sooth_ptx_count_options *trips) {
    size_t number;
    if (sooth_ptx_read(&env, text, size, NULL, &k->ptx) != SOOTH_OK) return 0;
    if (sooth_ptx_kernel_named(&env, &k->ptx, name, &number) == SOOTH_OK &&
        sooth_ptx_count(&env, &k->ptx, number, trips, &k->counts) == SOOTH_OK)
        return 1;
    sooth_ptx_free(&env, &k->ptx);
    return 0;
}

static void close_kernel(kernel *k) {
    sooth_ptx_counts_free(&env, &k->ptx, &k->counts);
    sooth_ptx_free(&env, &k->ptx);
}

/* Section 3.6.1 of the paper: 78 blocks of 1,024 threads on a K20 are 3 waves, and 19 computing instructions
   57. */
static void the_worked_example(void) {
    char text[2000];
    size_t i, n = (size_t)snprintf(text, sizeof text, "%s", HEAD), form;
    kernel k;
    sooth_gpu gpu;
    sooth_gpu_launch launch = launch_of(78, 1024);
    sooth_pfea_options options;
    sooth_pfea f;
    for (i = 0; i < 19; ++i) n += (size_t)snprintf(text + n, sizeof text - n, "add.f32 %%f1, %%f1, %%f2;\n");
    snprintf(text + n, sizeof text - n, "ret;\n}\n");
    CHECK_STATUS(sooth_gpu_named(&env, "k20", &gpu), SOOTH_OK);
    CHECK(open_kernel(&k, text, strlen(text), NULL, NULL));
    memset(&options, 0, sizeof options);
    for (form = 0; form < 2; ++form) {
        options.as_published = (uint32_t)form;
        CHECK_STATUS(sooth_pfea_extract(&env, &k.ptx, 0, &k.counts, &gpu, &launch, &options, &f), SOOTH_OK);
        CHECK_NEAR(f.value[SOOTH_PFEA_WAVES], 3, 0);
        CHECK_NEAR(f.value[SOOTH_PFEA_COMP_INST_KERNEL], 19, 0);
        CHECK_NEAR(f.value[SOOTH_PFEA_COMP_INST_SM], 57, 0);
        CHECK_NEAR(f.value[SOOTH_PFEA_AVG_COMP_LAT], 9, 0);
    }
    close_kernel(&k);
}

/* Features that are said to be the same in all forms are; each of the others differs somewhere. */
static void forms_differ_where_they_say(void) {
    static const char text[] = HEAD "mul.lo.s32 %r2, %r1, %r1;\nL: setp.gt.s32 %p1, %r2, 7;\n"
                                    "ld.global.f32 %f1, [%rd1];\nst.shared.f32 [s], %f1;\n"
                                    "ld.shared.f32 %f2, [s+4];\nsqrt.rn.f32 %f2, %f2;\n@%p1 bra L;\n"
                                    "st.global.f32 [%rd1], %f2;\nret;\n}\n";
    kernel k;
    sooth_gpu gpu;
    sooth_gpu_launch launch = launch_of(1000, 250);
    sooth_ptx_count_options paper;
    sooth_pfea_options options;
    sooth_pfea form[PFEA_FORMS];
    size_t i, f;
    memset(&paper, 0, sizeof paper);
    memset(&options, 0, sizeof options);
    paper.as_published = 1;
    paper.default_trip = 10;
    launch.registers = 40;
    CHECK_STATUS(sooth_gpu_named(&env, "k20", &gpu), SOOTH_OK);
    for (f = 0; f < PFEA_FORMS; ++f) {
        options.as_published = f == PFEA_PRINTED;
        CHECK(pfea_form_name(f)[0] != 0);
        CHECK(open_kernel(&k, text, sizeof text - 1, NULL, options.as_published ? &paper : NULL));
        if (f < PFEA_TOOL) {
            CHECK_STATUS(sooth_pfea_extract(&env, &k.ptx, 0, &k.counts, &gpu, &launch, &options, &form[f]),
                         SOOTH_OK);
        } else {
            const pfea_tool_gpu *tool;
            pfea_tool_counts counts;
            const sooth_ptx_word first = {"", 0};
            CHECK_STATUS(pfea_tool_named(&env, f == PFEA_TOOL ? "k20" : "k20-2023", &tool), SOOTH_OK);
            CHECK_STATUS(pfea_tool_count(&env, text, sizeof text - 1, first, &counts), SOOTH_OK);
            CHECK_STATUS(pfea_tool_features(&env, tool, &counts, &launch, 35, &form[f]), SOOTH_OK);
        }
        close_kernel(&k);
    }
    CHECK(pfea_form_name(PFEA_FORMS) == NULL);
    for (i = 0; i < SOOTH_PFEA_FEATURES; ++i) {
        int differs = 0;
        for (f = 1; f < PFEA_FORMS; ++f) differs |= !(form[f].value[i] == form[0].value[i]);
        if (differs != pfea_has_forms(i)) printf("  %s\n", sooth_pfea_name(i));
        CHECK(differs == pfea_has_forms(i));
    }
}

/* Every feature, by hand. Instructions of a thread: computing add.f32 (9), mul.lo.s32 (9), setp (9), mov (9),
   div.rn.f32 (418); global load (331), store (331), local load (32); shared load and store (26 each); misc
   bra, bar.sync, ret (9 each); parameters and constants outside. */
static void every_feature(void) {
    static const char text[] = HEAD "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n"
                                    "mul.lo.s32 %r2, %r1, %r1;\nsetp.gt.s32 %p1, %r2, 7;\n"
                                    "@%p1 bra L;\nld.global.f32 %f1, [%rd1];\nst.shared.f32 [s], %f1;\n"
                                    "bar.sync 0;\nld.shared.f32 %f2, [s+4];\n"
                                    "ld.local.f32 %f3, [%rd2];\nadd.f32 %f4, %f1, %f2;\n"
                                    "div.rn.f32 %f4, %f4, %f3;\nst.global.f32 [%rd1], %f4;\nL: ret;\n}\n";
    kernel k;
    sooth_gpu gpu;
    sooth_gpu_launch launch = launch_of(130, 256);
    sooth_pfea_options options;
    sooth_pfea f;
    const double *v = f.value;
    CHECK_STATUS(sooth_gpu_named(&env, "k20", &gpu), SOOTH_OK);
    CHECK(open_kernel(&k, text, sizeof text - 1, "k", NULL));
    launch.shared = (uint32_t)k.counts.shared_bytes;
    memset(&options, 0, sizeof options);
    options.as_published = 1;
    options.global_bytes = 100;
    options.shared_bytes = 64;
    CHECK_STATUS(sooth_pfea_extract(&env, &k.ptx, 0, &k.counts, &gpu, &launch, &options, &f), SOOTH_OK);
    /* 130 / 13 = 10 blocks of 256 = 2,560 threads of an SM, 2,048 at a time: 2 waves */
    CHECK_NEAR(v[SOOTH_PFEA_WAVES], 2, 0);
    CHECK_NEAR(v[SOOTH_PFEA_COMP_INST_KERNEL], 5, 0);
    CHECK_NEAR(v[SOOTH_PFEA_COMP_INST_SM], 10, 0);
    CHECK_NEAR(v[SOOTH_PFEA_COMP_LAT_SM], 2 * (4 * 9 + 418), 0);
    CHECK_NEAR(v[SOOTH_PFEA_AVG_COMP_LAT], 454 / 5.0, 1e-12);
    CHECK_NEAR(v[SOOTH_PFEA_GLOB_INST_KERNEL], 3, 0);
    CHECK_NEAR(v[SOOTH_PFEA_GLOB_INST_SM], 6, 0);
    CHECK_NEAR(v[SOOTH_PFEA_GLOB_LAT_SM], 2 * (331 + 331 + 32), 0);
    CHECK_NEAR(v[SOOTH_PFEA_AVG_GLOB_LAT], 694 / 3.0, 1e-12);
    CHECK_NEAR(v[SOOTH_PFEA_GLOB_LOAD_SM], 2, 0);
    CHECK_NEAR(v[SOOTH_PFEA_GLOB_STORE_SM], 2, 0);
    CHECK_NEAR(v[SOOTH_PFEA_SHAR_INST_KERNEL], 2, 0);
    CHECK_NEAR(v[SOOTH_PFEA_SHAR_INST_SM], 4, 0);
    CHECK_NEAR(v[SOOTH_PFEA_SHAR_LAT_SM], 4 * 26, 0);
    CHECK_NEAR(v[SOOTH_PFEA_AVG_SHAR_LAT], 26, 0);
    CHECK_NEAR(v[SOOTH_PFEA_MISC_INST_KERNEL], 3, 0);
    CHECK_NEAR(v[SOOTH_PFEA_MISC_INST_SM], 6, 0);
    CHECK_NEAR(v[SOOTH_PFEA_MISC_LAT_SM], 54, 0);
    CHECK_NEAR(v[SOOTH_PFEA_AVG_MISC_LAT], 9, 0);
    CHECK_NEAR(v[SOOTH_PFEA_BRANCH], 2, 0);
    CHECK_NEAR(v[SOOTH_PFEA_TOTAL_INST], 26, 0);
    CHECK_NEAR(v[SOOTH_PFEA_TOTAL_THREADS], 33280, 0);
    CHECK_NEAR(v[SOOTH_PFEA_SM_ACTIVE], 13, 0);
    CHECK_NEAR(v[SOOTH_PFEA_N_WARPS], 80, 0);
    CHECK_NEAR(v[SOOTH_PFEA_OCCUPANCY], 1, 0);
    CHECK_NEAR(v[SOOTH_PFEA_REG_THREAD], 16, 0);
    CHECK_NEAR(v[SOOTH_PFEA_SHMEM_BLOCK], 400, 0);
    CHECK_NEAR(v[SOOTH_PFEA_BLOCK_SIZE], 256, 0);
    CHECK_NEAR(v[SOOTH_PFEA_GRID_SIZE], 130, 0);
    /* (1) */
    CHECK_NEAR(v[SOOTH_PFEA_INST_ISSUE_CYCLES], 33280 / 128.0 * 26 / 8, 1e-9);
    /* (2) */
    CHECK_NEAR(v[SOOTH_PFEA_CACHE_PENALTY], 33280.0 * 6 / (2 * 1310720.0 / 128) * (694 / 3.0), 1e-9);
    /* (3) */
    CHECK_NEAR(v[SOOTH_PFEA_GLB_PENALTY], 33280 / 32.0 * 128 / 100 * 6, 1e-9);
    /* (4) */
    CHECK_NEAR(v[SOOTH_PFEA_SH_PENALTY], 33280 / (32.0 * 13) * 4 / 64 * 4, 1e-9);
    options.as_published = 0; /* 10 blocks of the busiest SM, 8 at a time */
    CHECK_STATUS(sooth_pfea_extract(&env, &k.ptx, 0, &k.counts, &gpu, &launch, &options, &f), SOOTH_OK);
    CHECK_NEAR(v[SOOTH_PFEA_WAVES], 2, 0);
    CHECK_NEAR(v[SOOTH_PFEA_N_WARPS], 64, 0);
    CHECK_NEAR(v[SOOTH_PFEA_INST_ISSUE_CYCLES], 10 * 8 * 13 / 8.0, 1e-9);
    CHECK_NEAR(v[SOOTH_PFEA_CACHE_PENALTY], 1040 * 3 / 10240.0 * (694 / 3.0), 1e-9);
    CHECK_NEAR(v[SOOTH_PFEA_GLB_PENALTY], 1040 * 128 / 100.0 * 3, 1e-9);
    CHECK_NEAR(v[SOOTH_PFEA_SH_PENALTY], 10 * 256 * 4 / 64.0 * 2, 1e-9);
    close_kernel(&k);
}

/* The grid that just fills an SM, one more, and less than one block for each SM. The printed loop, with > 0
   and one wave at least. */
static void waves_at_the_edges(void) {
    static const struct {
        uint32_t blocks, threads;
        double printed, corrected;
    } row[] = {{13, 1024, 1, 1},
               {26, 1024, 1, 1},
               {27, 1024, 2, 2},
               {39, 1024, 2, 2},
               {52, 1024, 2, 2},
               {1, 32, 1, 1},
               /* of 32 threads 16 blocks are at once on an SM: 17 are two waves */
               {12, 1024, 1, 1},
               {13 * 17, 32, 1, 2}};
    static const char text[] = HEAD "ret;\n}\n";
    kernel k;
    sooth_gpu gpu;
    sooth_pfea f;
    sooth_pfea_options options;
    size_t i;
    memset(&options, 0, sizeof options);
    CHECK_STATUS(sooth_gpu_named(&env, "k20", &gpu), SOOTH_OK);
    CHECK(open_kernel(&k, text, sizeof text - 1, NULL, NULL));
    for (i = 0; i < sizeof row / sizeof row[0]; ++i) {
        sooth_gpu_launch launch = launch_of(row[i].blocks, row[i].threads);
        options.as_published = 1;
        CHECK_STATUS(sooth_pfea_extract(&env, &k.ptx, 0, &k.counts, &gpu, &launch, &options, &f), SOOTH_OK);
        CHECK_NEAR(f.value[SOOTH_PFEA_WAVES], row[i].printed, 0);
        CHECK_STATUS(sooth_pfea_extract(&env, &k.ptx, 0, &k.counts, &gpu, &launch, NULL, &f), SOOTH_OK);
        CHECK_NEAR(f.value[SOOTH_PFEA_WAVES], row[i].corrected, 0);
        CHECK_NEAR(f.value[SOOTH_PFEA_AVG_GLOB_LAT], 0, 0);
    }
    close_kernel(&k);
}

/* Loops: natural ones multiply their trips; as printed only the block with the back edge counts nLoop times.
   The kernel has nested loops of 4, 8 and 16 and one of 32: 5 + 4 x 7 + 32 x 8 + 512 x 4 + 1 + 32 x 5
   computing instructions. */
static void loops_count(void) {
    size_t size;
    char *text = file_of("tests/golden/ptx/nested.ptx", &size);
    sooth_ptx_count_options trips;
    sooth_gpu gpu;
    sooth_gpu_launch launch = launch_of(1, 32);
    sooth_pfea once, f;
    kernel k;
    if (!text) CHECK_SKIP("tests/golden/ptx/nested.ptx is not here");
    CHECK_STATUS(sooth_gpu_named(&env, "a100", &gpu), SOOTH_OK);
    CHECK(open_kernel(&k, text, size, NULL, NULL));
    CHECK_STATUS(sooth_pfea_extract(&env, &k.ptx, 0, &k.counts, &gpu, &launch, NULL, &f), SOOTH_OK);
    CHECK_NEAR(f.value[SOOTH_PFEA_COMP_INST_KERNEL], 2498, 0);
    CHECK_NEAR(f.value[SOOTH_PFEA_GLOB_LOAD_SM], 516, 0);
    CHECK_NEAR(f.value[SOOTH_PFEA_GLOB_STORE_SM], 32, 0);
    CHECK_NEAR(f.value[SOOTH_PFEA_MISC_INST_KERNEL], 581, 0);
    CHECK_NEAR(f.value[SOOTH_PFEA_SM_ACTIVE], 1, 0);
    close_kernel(&k);
    memset(&trips, 0, sizeof trips);
    trips.as_published = 1;
    CHECK(open_kernel(&k, text, size, NULL, &trips));
    CHECK_STATUS(sooth_pfea_extract(&env, &k.ptx, 0, &k.counts, &gpu, &launch, NULL, &once), SOOTH_OK);
    CHECK_NEAR(once.value[SOOTH_PFEA_COMP_INST_KERNEL], 30, 0);
    close_kernel(&k);
    trips.default_trip = 10; /* 4 blocks have a back edge: those that end the loops */
    CHECK(open_kernel(&k, text, size, NULL, &trips));
    CHECK_STATUS(sooth_pfea_extract(&env, &k.ptx, 0, &k.counts, &gpu, &launch, NULL, &f), SOOTH_OK);
    CHECK_NEAR(f.value[SOOTH_PFEA_BRANCH], once.value[SOOTH_PFEA_BRANCH] + 9 * 4, 0);
    close_kernel(&k);
    free(text);
}

/* Whatever device, whatever opcode: a kernel of every instruction there is has a latency; a kind beyond the
   last is read as any other instruction's. */
static void every_kind_has_a_latency(void) {
    sooth_ptx_form form;
    size_t i;
    unsigned kind, opcode;
    memset(&form, 0, sizeof form);
    for (i = 0; sooth_gpu_at(i); ++i)
        for (kind = 0; kind <= SOOTH_PTX_KINDS; ++kind)
            for (opcode = 0; opcode < SOOTH_PTX_OPCODES; ++opcode) {
                form.opcode = (uint16_t)opcode;
                form.flags = (uint8_t)(opcode % 2 ? SOOTH_PTX_FORM_APPROX : 0);
                if (!sooth_gpu_at(i)->latency[SOOTH_GPU_LATENCY_ADD]) continue; /* not known */
                if (!(soothi_pfea_latency(sooth_gpu_at(i), &form, (sooth_ptx_kind)kind) > 0)) {
                    printf("  %s: %s %s\n", sooth_gpu_at(i)->name, sooth_ptx_kind_name(kind),
                           sooth_ptx_opcode_name(opcode));
                    ++check_failures;
                }
            }
}

static void bad_launches(void) {
    static const char text[] = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n"
                               ".maxntid 128, 2, 1\n{\nret;\n}\n"
                               ".entry r()\n.reqntid 64\n{\nret;\n}\n.func f()\n{\nret;\n}\n";
    kernel k;
    sooth_gpu gpu;
    sooth_gpu_launch launch = launch_of(1, 256);
    sooth_pfea f;
    CHECK_STATUS(sooth_gpu_named(&env, "a100", &gpu), SOOTH_OK);
    CHECK(open_kernel(&k, text, sizeof text - 1, "k", NULL));
    CHECK_STATUS(sooth_pfea_extract(&env, &k.ptx, 0, &k.counts, &gpu, &launch, NULL, &f), SOOTH_OK);
    launch.threads = 257;
    CHECK_FAILS(&env, sooth_pfea_extract(&env, &k.ptx, 0, &k.counts, &gpu, &launch, NULL, &f),
                SOOTH_BAD_ARGUMENT, "at most 256 (.maxntid)");
    CHECK_FAILS(&env, sooth_pfea_extract(&env, &k.ptx, 1, &k.counts, &gpu, &launch, NULL, &f),
                SOOTH_BAD_ARGUMENT, "launched with 64 (.reqntid)");
    CHECK_FAILS(&env, sooth_pfea_extract(&env, &k.ptx, 2, &k.counts, &gpu, &launch, NULL, &f),
                SOOTH_BAD_ARGUMENT, "only kernels");
    CHECK_FAILS(&env, sooth_pfea_extract(&env, &k.ptx, 3, &k.counts, &gpu, &launch, NULL, &f),
                SOOTH_BAD_ARGUMENT, "kernel is 3, but must be below 3");
    launch.threads = 256;
    launch.registers = 256;
    CHECK_FAILS(&env, sooth_pfea_extract(&env, &k.ptx, 0, &k.counts, &gpu, &launch, NULL, &f),
                SOOTH_BAD_ARGUMENT, "at most 255");
    launch.registers = 0;
    CHECK_STATUS(sooth_pfea_extract(&env, &k.ptx, 0, &k.counts, &gpu, &launch, NULL, &f), SOOTH_OK);
    CHECK(f.value[SOOTH_PFEA_REG_THREAD] != f.value[SOOTH_PFEA_REG_THREAD]); /* not given is not zero */
    launch.blocks = 0;
    CHECK_FAILS(&env, sooth_pfea_extract(&env, &k.ptx, 0, &k.counts, &gpu, &launch, NULL, &f),
                SOOTH_BAD_ARGUMENT, "blocks is 0");
    launch.blocks = 1;
    memset(gpu.latency, 0, sizeof gpu.latency);
    CHECK_FAILS(&env, sooth_pfea_extract(&env, &k.ptx, 0, &k.counts, &gpu, &launch, NULL, &f),
                SOOTH_BAD_ARGUMENT, "latency of exit instructions");
    gpu.l2_bytes = 0;
    CHECK_FAILS(&env, sooth_pfea_extract(&env, &k.ptx, 0, &k.counts, &gpu, &launch, NULL, &f),
                SOOTH_BAD_ARGUMENT, "l2_bytes");
    close_kernel(&k);
}

static void names(void) {
    size_t i, j;
    for (i = 0; i < SOOTH_PFEA_FEATURES; ++i) {
        CHECK(sooth_pfea_name(i)[0] && sooth_pfea_unit(i));
        for (j = 0; j < i; ++j) CHECK(strcmp(sooth_pfea_name(i), sooth_pfea_name(j)) != 0);
    }
    CHECK(!sooth_pfea_name(SOOTH_PFEA_FEATURES));
    CHECK(strcmp(sooth_pfea_name(SOOTH_PFEA_CACHE_PENALTY), "cache_penalty") == 0);
}

/* ---- the authors' tool: their counting ---- */

static pfea_tool_counts counted_of(const char *body) {
    char text[4000];
    pfea_tool_counts counts;
    snprintf(text, sizeof text,
             ".version 6.0\n.entry first()\n{\n\tadd.s32 %%r1, %%r1, 1;\n\tret;\n}\n.entry k(\n"
             "\t.param .u64 k_param_0\n)\n{\n%s\n}\n",
             body);
    CHECK_STATUS(pfea_tool_count(&env, text, strlen(text), word_of("k"), &counts), SOOTH_OK);
    return counts;
}

/* One line, and the only counter that it moves. */
static void each_rule_of_the_tool(void) {
    static const struct {
        const char *line;
        size_t counter;
    } row[] = {
#define AT(field) offsetof(pfea_tool_counts, field)
#define NOWHERE ((size_t)-1)
        {"", NOWHERE},
        {"   \t ", NOWHERE},
        {"\t// add.s32 in a comment", NOWHERE},
        {"\t.reg .f32 %f<9>;", NOWHERE},
        {"\t.loc 1 2 3", NOWHERE},
        {"\t{ // callseq 0, 0", NOWHERE},
        {"\tadd.s32 %r1, %r1, 1;", AT(alu)},
        {"\tsub.f64 %d1, %d1, %d2;", AT(alu)},
        {"\tmul.wide.s32 %rd1, %r1, 4;", AT(alu)},
        {"\tmad.lo.s32 %r1, %r2, %r3, %r4;", AT(alu)},
        {"\tfma.rn.f32 %f1, %f2, %f3, %f4;", AT(alu)},
        {"\tand.b32 %r1, %r1, 3;", AT(alu)},
        {"\tmov.u32 %r1, %tid.x;", AT(mov)},
        {"\tsetp.lt.s32 %p1, %r1, 3;", AT(setp)},
        {"\tcvta.to.global.u64 %rd1, %rd1;", AT(cvt)},
        {"\tcvt.rn.f32.s32 %f1, %r1;", AT(cvt)},
        {"\tdiv.rn.f32 %f1, %f1, %f2;", AT(div)},
        {"\tsqrt.rn.f32 %f1, %f1;", AT(sqrt)},
        {"\trsqrt.approx.f32 %f1, %f1;", AT(sqrt)},
        {"\tshr.u32 %r1, %r1, 1;", AT(unknown)},
        {"\tshl.b32 %r1, %r1, 2;", AT(unknown)},
        {"\tor.b32 %r1, %r1, 1;", AT(unknown)},
        {"\txor.b32 %r1, %r1, 1;", AT(unknown)},
        {"\tnot.b32 %r1, %r1;", AT(unknown)},
        {"\tneg.s32 %r1, %r1;", AT(unknown)},
        {"\tabs.f32 %f1, %f1;", AT(unknown)},
        {"\tmin.s32 %r1, %r1, %r2;", AT(unknown)},
        {"\tmax.f32 %f1, %f1, %f2;", AT(unknown)},
        {"\tselp.b32 %r1, %r1, %r2, %p1;", AT(unknown)},
        {"\trem.s32 %r1, %r1, %r2;", AT(unknown)},
        {"\trcp.rn.f32 %f1, %f1;", AT(unknown)},
        {"\tex2.approx.f32 %f1, %f1;", AT(unknown)},
        {"\tpopc.b32 %r1, %r1;", AT(unknown)},
        {"\tst.shared.f32 [%r1], %f1;", AT(unknown)},
        {"\tld.shared.v2.f32 {%f1, %f2}, [%r1];", AT(shared)},
        {"\tld.global.nc.f32 %f1, [%rd1];", AT(load)},
        {"\tst.global.f32 [%rd1], %f1;", AT(store)},
        {"\tld.param.u64 %rd1, [k_add_param_0];", AT(param)},
        {"\tst.param.b32 [a], %r1;", AT(param)},
        {"\tld.local.f32 %f1, [%rd1];", AT(unknown)},
        {"\tatom.global.add.u32 %r1, [%rd1], 1;", AT(alu)},
        {"\tbar.sync 0;", AT(sync)},
        {"\tshfl.sync.bfly.b32 %r1, %r1, 1, 31, -1;", AT(sync)},
        {"\t@%p1 bra BB1_2;", AT(branch)},
        {"\tbra.uni BB1_2;", AT(branch)},
        {"\tld.global.u32 %r1, [vibra];", AT(branch)},
        {"BB1_2:", AT(label)},
        {"$L__BB0_2:", AT(label)},
        {"\tret;", AT(ret)},
        {"\t@%p1 add.s32 %r1, %r1, 1;", AT(alu)},
        {"\t@!%p1 ld.global.u32 %r1, [%rd1];", AT(load)},
        {"\tmembar.gl;", AT(unknown)}};
    size_t i, k;
    for (i = 0; i < sizeof row / sizeof row[0]; ++i) {
        pfea_tool_counts c;
        int before = check_failures;
        char body[128];
        snprintf(body, sizeof body, "%s%s", row[i].line,
                 strchr(row[i].line, '{') && !strchr(row[i].line, '}') ? "\n\t} // callseq 0" : "");
        c = counted_of(body);
        for (k = 0; k < AT(last_is_store); k += sizeof(uint32_t)) {
            uint32_t count;
            memcpy(&count, (const char *)&c + k, sizeof count);
            CHECK(count == (k == row[i].counter));
        }
        if (check_failures > before) printf("  in \"%s\"\n", row[i].line);
    }
}

static void the_tool_finds_its_kernel(void) {
    static const char text[] = ".weak .func stub()\n{\nmov.u32 %r1, 0;\nret;\n}\n.visible .entry one(\n)\n"
                               "{\n{\nadd.s32 %r1, %r1, 1;\n}\nret;\n}\r\n"
                               ".entry two() {\r\n\tst.global.u32 [%rd1], %r1;\r\n"
                               "\tld.global.u32 %r1, [%rd1];\r\n}\r\n";
    pfea_tool_counts c;
    CHECK_STATUS(pfea_tool_count(&env, text, sizeof text - 1, word_of(""), &c), SOOTH_OK);
    CHECK(c.alu == 1 && c.mov == 0 && c.ret == 1 && c.load == 0);
    CHECK_STATUS(pfea_tool_count(&env, text, sizeof text - 1, word_of("two"), &c), SOOTH_OK);
    CHECK(c.alu == 0 && c.load == 1 && c.store == 1 && c.last_is_store == 0);
    CHECK_FAILS(&env, pfea_tool_count(&env, text, sizeof text - 1, word_of("three"), &c), SOOTH_BAD_ARGUMENT,
                "no kernel three");
    CHECK_FAILS(&env, pfea_tool_count(&env, text, sizeof text - 4, word_of("two"), &c), SOOTH_BAD_TEXT,
                "the text ends inside the kernel two");
    CHECK_FAILS(&env, pfea_tool_count(&env, "", 0, word_of("k"), &c), SOOTH_BAD_ARGUMENT, "no kernel k");
}

/* ---- the authors' tool: their numbers ---- */

/* A kernel with the lines of their clock.ptx: 12 add, 6 mul.wide, 8 mov, 6 setp, 5 cvt; 2 loads, 3 stores; 3
   ld.shared, 3 st.shared; 2 shr; 8 branches, 7 labels, 1 ret, 2 bar.sync, 3 ld.param. */
static pfea_tool_counts clock_counts(void) {
    static const struct {
        unsigned times;
        const char *line;
    } part[] = {{3, "\tld.param.u64 \t%rd1, [k_param_0];"},
                {12, "\tadd.s64 \t%rd4, %rd1, %rd2;"},
                {6, "\tmul.wide.s32 \t%rd2, %r1, 4;"},
                {8, "\tmov.u32 \t%r1, %tid.x;"},
                {6, "\tsetp.ne.s32\t%p1, %r1, 0;"},
                {4, "\tcvta.to.global.u64 \t%rd3, %rd1;"},
                {1, "\tcvt.s64.s32 \t%rd3, %r1;"},
                {2, "\tld.global.f32 \t%f1, [%rd4];"},
                {3, "\tst.shared.f32 \t[%rd5], %f1;"},
                {3, "\tld.shared.f32 \t%f2, [%rd5];"},
                {2, "\tshr.u32 \t%r2, %r1, 31;"},
                {7, "\t@%p1 bra \tBB6_2;"},
                {1, "\tbra.uni \tBB6_4;"},
                {7, "BB6_2:"},
                {2, "\tbar.sync \t0;"},
                {3, "\tst.global.u32 \t[%rd4], %r1;"},
                {1, "\tret;"}};
    char body[4000];
    size_t i, n = 0;
    unsigned k;
    for (i = 0; i < sizeof part / sizeof part[0]; ++i)
        for (k = 0; k < part[i].times; ++k)
            n += (size_t)snprintf(body + n, sizeof body - n, "%s\n", part[i].line);
    return counted_of(body);
}

static sooth_pfea tool_of(const char *name, const pfea_tool_counts *counts, uint32_t blocks,
                          uint32_t threads) {
    const pfea_tool_gpu *gpu;
    sooth_gpu_launch launch = launch_of(blocks, threads);
    sooth_pfea f;
    memset(&f, 0, sizeof f);
    CHECK_STATUS(pfea_tool_named(&env, name, &gpu), SOOTH_OK);
    CHECK_STATUS(pfea_tool_features(&env, gpu, counts, &launch, 0, &f), SOOTH_OK);
    return f;
}

/* The twelve lines that their program prints for clock.ptx with 64 blocks of 256 threads on a K20. */
static void the_twelve_lines(void) {
    pfea_tool_counts c = clock_counts();
    sooth_pfea f = tool_of("k20", &c, 64, 256);
    CHECK_NEAR(f.value[SOOTH_PFEA_COMP_INST_KERNEL], 37, 0);
    CHECK_NEAR(f.value[SOOTH_PFEA_AVG_COMP_LAT], 12.837837837837839, 1e-14);
    CHECK_NEAR(f.value[SOOTH_PFEA_GLOB_INST_KERNEL], 5, 0);
    CHECK_NEAR(f.value[SOOTH_PFEA_AVG_GLOB_LAT], 312.606208, 1e-12);
    CHECK_NEAR(f.value[SOOTH_PFEA_AVG_SHAR_LAT], 36, 0);
    CHECK_NEAR(f.value[SOOTH_PFEA_BLOCK_SIZE], 256, 0);
    CHECK_NEAR(f.value[SOOTH_PFEA_MISC_INST_KERNEL], 5, 0);
    CHECK_NEAR(f.value[SOOTH_PFEA_BRANCH], 8, 0);
    CHECK_NEAR(f.value[SOOTH_PFEA_GLOB_LOAD_SM], 2, 0);
    CHECK_NEAR(f.value[SOOTH_PFEA_GLOB_STORE_SM], 3, 0);
    CHECK_NEAR(f.value[SOOTH_PFEA_INST_ISSUE_CYCLES], 48, 0);
    CHECK_NEAR(f.value[SOOTH_PFEA_CACHE_PENALTY], 75.25, 0);
    CHECK_NEAR(f.value[SOOTH_PFEA_TOTAL_INST], 192, 0);
    CHECK_NEAR(f.value[SOOTH_PFEA_WAVES], 1, 0);
    CHECK(f.value[SOOTH_PFEA_GLB_PENALTY] != f.value[SOOTH_PFEA_GLB_PENALTY]); /* never published */
}

/* The cycles of all computing instructions that they published for clock on each device. Of a later compile
   of it, which has one add less, those of Ampere and Ada. */
static void other_devices(void) {
    static const struct {
        const char *name;
        uint32_t add;
        double cycles;
    } row[] = {{"k20", 18, 475},     {"k80", 18, 475},    {"k80", 17, 466},
               {"m60", 18, 1818},    {"tesla", 17, 1803}, {"v100-2023", 18, 1932},
               {"ampere", 17, 2084}, {"ada", 17, 2084},   {"v100", 18, 1818}};
    pfea_tool_counts c = clock_counts();
    size_t i;
    for (i = 0; i < sizeof row / sizeof row[0]; ++i) {
        c.alu = row[i].add;
        CHECK_NEAR(tool_of(row[i].name, &c, 64, 256).value[SOOTH_PFEA_AVG_COMP_LAT],
                   row[i].cycles / (row[i].add + 19), 1e-12);
    }
}

/* The published row of Rodinia's second bfs kernel on Ada. Its 15 computing instructions have 253 cycles on
   K80, 1284 on tesla and 1557 on Ada, which only 4 arithmetic ones, 4 mov, 2 setp and 5 cvt do; 5 global
   accesses of which a store is the last, 1 unknown, 2 branches, 73 in all, so 1 label and 1 ret; the cache
   penalty is that of 1,024 threads. */
static void bfs_row(void) {
    pfea_tool_counts c;
    sooth_pfea f;
    memset(&c, 0, sizeof c);
    c.alu = 4;
    c.mov = 4;
    c.setp = 2;
    c.cvt = 5;
    c.load = 2;
    c.store = 3;
    c.last_is_store = 1;
    c.unknown = 1;
    c.branch = 2;
    c.label = 1;
    c.ret = 1;
    f = tool_of("ada", &c, 1, 1024);
    CHECK_NEAR(f.value[SOOTH_PFEA_AVG_COMP_LAT], 103.8, 1e-12);
    CHECK_NEAR(f.value[SOOTH_PFEA_TOTAL_INST], 73, 0);
    CHECK_NEAR(f.value[SOOTH_PFEA_CACHE_PENALTY], 2.25260, 5e-6);
    CHECK(f.value[SOOTH_PFEA_AVG_SHAR_LAT] != f.value[SOOTH_PFEA_AVG_SHAR_LAT]);
    CHECK_NEAR(tool_of("k80", &c, 1, 1024).value[SOOTH_PFEA_AVG_COMP_LAT], 253 / 15.0, 1e-12);
    CHECK_NEAR(tool_of("tesla", &c, 1, 1024).value[SOOTH_PFEA_AVG_COMP_LAT], 1284 / 15.0, 1e-12);
}

/* Waves of their program, and what is multiplied with them; floor(grid / SMs) comes before the product. */
static void waves_of_the_tool(void) {
    pfea_tool_counts c = clock_counts();
    sooth_pfea f = tool_of("k20", &c, 78, 1024);
    CHECK_NEAR(f.value[SOOTH_PFEA_WAVES], 3, 0);
    CHECK_NEAR(f.value[SOOTH_PFEA_BRANCH], 24, 0);
    CHECK_NEAR(f.value[SOOTH_PFEA_TOTAL_INST], 576, 0);
    CHECK_NEAR(f.value[SOOTH_PFEA_MISC_INST_SM], 3 * 147, 0);
    CHECK_NEAR(f.value[SOOTH_PFEA_MISC_LAT_SM], 3 * 1470, 0);
    CHECK_NEAR(tool_of("k20", &c, 12, 1024).value[SOOTH_PFEA_WAVES], 1, 0);
    /* 2 x 1024, though 38 / 13 x 1024 is 2993 */
    CHECK_NEAR(tool_of("k20", &c, 38, 1024).value[SOOTH_PFEA_WAVES], 1, 0);
    CHECK_NEAR(tool_of("k20", &c, 39, 1024).value[SOOTH_PFEA_WAVES], 2, 0);
    /* 2,048 threads at once on every device */
    CHECK_NEAR(tool_of("ada", &c, 240, 256).value[SOOTH_PFEA_WAVES], 2, 0);
}

/* The pieces of the load's cycles on K20 and of the wrapped products. */
static void edges_of_the_tool(void) {
    static const struct {
        double threads, cycles;
    } piece[] = {{2048, 220 + 0.02828 * 2048},
                 {4096, 251.7 + 0.00478 * 4096},
                 {25600, 307.8 + 0.0001679 * 25600},
                 {1048576, 501.8 - 2.529e-5 * 1048576},
                 {4194304, 574.1}};
    pfea_tool_counts c = clock_counts();
    sooth_pfea f;
    const pfea_tool_gpu *gpu;
    sooth_gpu_launch launch = launch_of(0, 256);
    size_t i;
    for (i = 0; i < sizeof piece / sizeof piece[0]; ++i) {
        f = tool_of("k20", &c, (uint32_t)(piece[i].threads / 256), 256);
        CHECK_NEAR(f.value[SOOTH_PFEA_AVG_GLOB_LAT], (2 * piece[i].cycles + 3 * 301) / 5, 1e-9);
    }
    /* tesla, 2^20 blocks of 1,024: T = 2^30; an SM has 13107 x 1024 threads, 6554 waves; 5 x 6554 x 2^30 is 2
       x 2^30 modulo 2^32: -2^31 */
    f = tool_of("tesla", &c, 1048576, 1024);
    CHECK_NEAR(f.value[SOOTH_PFEA_WAVES], 6554, 0);
    CHECK_NEAR(f.value[SOOTH_PFEA_CACHE_PENALTY],
               -2147483648.0 * 301 / (32.0 * 49152 * floor(0.0715025 * floor(1073741824.0 / 2496) + 1.5546)),
               1e-9);
    /* 2^30 / 64 x floor(192 x 6554 / 2) = 2^24 x 629184 = 2^24 x (2457 x 256 + 192): -2^30 modulo 2^32, over
       32 x 4 */
    CHECK_NEAR(f.value[SOOTH_PFEA_INST_ISSUE_CYCLES], -1073741824.0 / 128, 0);
    f = tool_of("k20", &c, 1, 32); /* 32 / 128 is 0: at least one cycle */
    CHECK_NEAR(f.value[SOOTH_PFEA_INST_ISSUE_CYCLES], 1, 0);
    c.div = 1; /* nobody knows their division on Ada */
    f = tool_of("ada", &c, 64, 256);
    CHECK(f.value[SOOTH_PFEA_AVG_COMP_LAT] != f.value[SOOTH_PFEA_AVG_COMP_LAT]);
    c.div = 0; /* nor the square root of the first Volta */
    c.sqrt = 1;
    f = tool_of("v100-2023", &c, 64, 256);
    CHECK(f.value[SOOTH_PFEA_AVG_COMP_LAT] != f.value[SOOTH_PFEA_AVG_COMP_LAT]);
    CHECK_FAILS(&env, pfea_tool_named(&env, "p100", &gpu), SOOTH_BAD_ARGUMENT, "k20, k80, tesla");
    CHECK_STATUS(pfea_tool_named(&env, "k20", &gpu), SOOTH_OK);
    CHECK_FAILS(&env, pfea_tool_features(&env, gpu, &c, &launch, 35, &f), SOOTH_BAD_ARGUMENT, "blocks is 0");
    launch = launch_of(1, 2048);
    CHECK_FAILS(&env, pfea_tool_features(&env, gpu, &c, &launch, 35, &f), SOOTH_BAD_ARGUMENT,
                "must be from 1 to 1024");
    launch = launch_of(1, 64);
    CHECK_STATUS(pfea_tool_features(&env, gpu, &c, &launch, 35, &f), SOOTH_OK);
    CHECK_NEAR(f.value[SOOTH_PFEA_OCCUPANCY], 0.5, 0);
}

/* ---- the published tables ---- */

/* The number in a row and column, by either spelling of its name. */
static double cell(const sooth_csv *csv, size_t row, const char *name) {
    char other[64];
    size_t column = sooth_csv_find(csv, name), n = strlen(name);
    if (column == SOOTH_NONE && n > 3 && strcmp(name + n - 3, "_sm") == 0) {
        snprintf(other, sizeof other, "%.*s_sim", (int)(n - 3), name);
        column = sooth_csv_find(csv, other);
    }
    return column == SOOTH_NONE ? (double)NAN : (double)csv->cell[row * csv->cols + column];
}

static int agrees(double ours, double theirs) {
    const double rounded = theirs > 1.0 || theirs < -1.0 ? 0.51e-4 : 1.051e-3;
    return fabs(ours - theirs) <= 0.01 * fabs(theirs) + rounded;
}

static int open_table(const char *path, sooth_csv *csv) {
    size_t size;
    char *text = file_of(path, &size);
    sooth_status status = SOOTH_BAD_TEXT;
    if (text) status = sooth_csv_read(&env, text, size, NULL, csv);
    free(text);
    return status == SOOTH_OK;
}

/* All rows of clock that were measured on K20, from the lines of the kernel alone. */
static void the_published_rows_of_clock(void) {
    static const unsigned feature[] = {SOOTH_PFEA_COMP_INST_KERNEL,
                                       SOOTH_PFEA_COMP_INST_SM,
                                       SOOTH_PFEA_COMP_LAT_SM,
                                       SOOTH_PFEA_AVG_COMP_LAT,
                                       SOOTH_PFEA_GLOB_INST_KERNEL,
                                       SOOTH_PFEA_SHAR_INST_KERNEL,
                                       SOOTH_PFEA_SHAR_INST_SM,
                                       SOOTH_PFEA_SHAR_LAT_SM,
                                       SOOTH_PFEA_AVG_SHAR_LAT,
                                       SOOTH_PFEA_MISC_INST_SM,
                                       SOOTH_PFEA_MISC_LAT_SM,
                                       SOOTH_PFEA_AVG_MISC_LAT,
                                       SOOTH_PFEA_TOTAL_INST,
                                       SOOTH_PFEA_BRANCH,
                                       SOOTH_PFEA_GLOB_LOAD_SM,
                                       SOOTH_PFEA_GLOB_STORE_SM,
                                       SOOTH_PFEA_INST_ISSUE_CYCLES,
                                       SOOTH_PFEA_SM_ACTIVE,
                                       SOOTH_PFEA_WAVES,
                                       SOOTH_PFEA_GLB_PENALTY,
                                       SOOTH_PFEA_SH_PENALTY,
                                       SOOTH_PFEA_N_WARPS,
                                       SOOTH_PFEA_AVG_GLOB_LAT,
                                       SOOTH_PFEA_GLOB_LAT_SM,
                                       SOOTH_PFEA_CACHE_PENALTY};
    sooth_csv csv;
    pfea_tool_counts c = clock_counts();
    size_t r, i, name, rows = 0, cells = 0, equal = 0;
    if (!open_table("../shared/data/power/k20_smaller_raw.csv", &csv))
        CHECK_SKIP("the published power data are not here");
    name = sooth_csv_find(&csv, "comp_inst_kernel");
    for (r = 0; r < csv.rows; ++r) {
        sooth_pfea f;
        if (fabs((double)csv.cell[r * csv.cols + name] - 37) > 0 ||
            fabs(cell(&csv, r, "glob_inst_kernel") - 8) > 0)
            continue;
        f = tool_of("k20-2023", &c, (uint32_t)cell(&csv, r, "grid_size"),
                    (uint32_t)cell(&csv, r, "block_size"));
        ++rows;
        for (i = 0; i < sizeof feature / sizeof feature[0]; ++i) {
            double theirs = cell(&csv, r, sooth_pfea_name(feature[i]));
            ++cells;
            if (agrees(f.value[feature[i]], theirs)) ++equal;
            else if (cells - equal < 12)
                printf("  row %zu: %s is %g, published %g\n", r, sooth_pfea_name(feature[i]),
                       f.value[feature[i]], theirs);
        }
    }
    printf("  clock: %zu rows, %zu of %zu cells\n", rows, equal, cells);
    CHECK(rows >= 18 && equal == cells);
    sooth_csv_free(&env, &csv);
}

/* The launch arithmetic alone, on every published row: its counts are given, the penalties follow. least: the
   share of rows that must agree within 1 % (the rest are spreadsheet errors and rows that follow nothing that
   is known). */
static void rows_of(const char *path, const char *name, double least) {
    static const unsigned feature[] = {SOOTH_PFEA_INST_ISSUE_CYCLES, SOOTH_PFEA_CACHE_PENALTY,
                                       SOOTH_PFEA_GLB_PENALTY,       SOOTH_PFEA_SH_PENALTY,
                                       SOOTH_PFEA_SM_ACTIVE,         SOOTH_PFEA_N_WARPS};
    const pfea_tool_gpu *gpu;
    sooth_csv csv;
    size_t r, i;
    CHECK_STATUS(pfea_tool_named(&env, name, &gpu), SOOTH_OK);
    if (!open_table(path, &csv)) CHECK_SKIP("the published power data are not here");
    for (i = 0; i < sizeof feature / sizeof feature[0]; ++i) {
        size_t rows = 0, equal = 0;
        for (r = 0; r < csv.rows; ++r) {
            sooth_pfea f;
            const double blocks = cell(&csv, r, "grid_size"), threads = cell(&csv, r, "block_size"),
                         theirs = cell(&csv, r, sooth_pfea_name(feature[i]));
            sooth_gpu_launch launch;
            if (!(blocks > 0) || !(threads > 0)) continue; /* not numbers */
            launch = launch_of((uint32_t)blocks, (uint32_t)threads);
            memset(&f, 0, sizeof f);
            f.value[SOOTH_PFEA_TOTAL_INST] = cell(&csv, r, "total_inst");
            f.value[SOOTH_PFEA_GLOB_INST_SM] = cell(&csv, r, "glob_inst_sm");
            f.value[SOOTH_PFEA_GLOB_LAT_SM] = cell(&csv, r, "glob_lat_sm");
            f.value[SOOTH_PFEA_SHAR_INST_SM] = cell(&csv, r, "shar_inst_sm");
            pfea_tool_2023(gpu, &launch, f.value);
            if (theirs != theirs || f.value[feature[i]] != f.value[feature[i]]) continue;
            ++rows;
            equal += (size_t)agrees(f.value[feature[i]], theirs);
        }
        if (rows) printf("  %s %s: %zu of %zu rows\n", name, sooth_pfea_name(feature[i]), equal, rows);
        CHECK((double)equal >= least * (double)rows);
    }
    sooth_csv_free(&env, &csv);
}

static void published_k20_rows(void) {
    rows_of("../shared/data/power/k20_larger_raw.csv", "k20-2023", 0.988);
}

static void published_small_k20_rows(void) {
    rows_of("../shared/data/power/k20_smaller_raw.csv", "k20-2023", 0.988);
}

static void published_m60_rows(void) { rows_of("../shared/data/power/m60_raw.csv", "m60-2023", 0.965); }

/* The program's own rows on a K80. They lack the grid, but the mean latency of global accesses tells the
   threads (each row tries what the pieces allow); loads, stores and instructions of a wave are those of the
   kernels. Rows above 2.19 million threads tell nothing and are left out. */
static void published_k80_rows(void) {
    static const struct {
        const char *benchmark;
        uint32_t each, comp, load, store, last_is_store;
        size_t least; /* rows that tell their threads */
    } kernel[] = {{"saxpy", 53, 11, 2, 1, 1, 298},
                  {"bfs2", 73, 15, 1, 4, 1, 96},
                  {"bfs", 168, 35, 8, 3, 0, 96},
                  {"nn", 85, 19, 2, 1, 1, 13},
                  {"matrix_softmax", 965, 205, 21, 14, 1, 169}};
    static const double piece[4][2] = {
        {220, 0.02828}, {251.7, 0.00478}, {307.8, 0.0001679}, {501.8, -2.529e-5}};
    static const double bound[5] = {0, 2500, 25000, 992000, 2190000};
    size_t size, k, p, rows, at, equal;
    char *text = file_of("../shared/data/power/pq_k80.csv", &size);
    if (!text) CHECK_SKIP("the published power data are not here");
    for (k = 0; k < sizeof kernel / sizeof kernel[0]; ++k) {
        pfea_tool_counts c;
        char ending[40];
        memset(&c, 0, sizeof c);
        c.alu = kernel[k].comp;
        c.load = kernel[k].load;
        c.store = kernel[k].store;
        c.last_is_store = kernel[k].last_is_store;
        /* that of branches, labels, ret; only the sum matters */
        c.unknown = kernel[k].each - 4 * c.alu - c.load - c.store;
        snprintf(ending, sizeof ending, ",%s\n", kernel[k].benchmark);
        rows = equal = 0;
        for (at = 0; at < size; at += strcspn(text + at, "\n") + 1) {
            /* avg_comp_lat,avg_glob_lat,avg_shar_lat,branch,comp,glob,misc,load,store,issue,cache,... */
            double v[13];
            char line[300], *cursor = line;
            int told = 0, same = 0;
            snprintf(line, sizeof line, "%.*s\n", (int)strcspn(text + at, "\r\n"), text + at);
            if (strlen(line) < strlen(ending) || strcmp(line + strlen(line) - strlen(ending), ending) != 0)
                continue;
            for (p = 0; p < 13; ++p) {
                v[p] = strtod(cursor, &cursor);
                ++cursor;
            }
            for (p = 0; p < 4; ++p) {
                double load = (v[1] * (c.load + c.store) - c.store * 301.0) / c.load,
                       T = (load - piece[p][0]) / piece[p][1], grid = floor(T / v[12] + 0.5);
                sooth_pfea f;
                if (T < bound[p] || T >= bound[p + 1] || grid < 1 ||
                    fabs(grid * v[12] - T) > fmax(1e-3 * T, 0.6 * v[12]))
                    continue;
                f = tool_of("k80", &c, (uint32_t)grid, (uint32_t)v[12]);
                told = 1;
                if (fabs(f.value[SOOTH_PFEA_CACHE_PENALTY] - v[10]) <= 2e-6 * v[10] + 1e-6 &&
                    fabs(f.value[SOOTH_PFEA_INST_ISSUE_CYCLES] - v[9]) < 0.5 &&
                    fabs(f.value[SOOTH_PFEA_GLOB_LOAD_SM] - v[7]) < 0.5 &&
                    fabs(f.value[SOOTH_PFEA_GLOB_STORE_SM] - v[8]) < 0.5)
                    same = 1;
            }
            rows += (size_t)told;
            equal += (size_t)same;
        }
        printf("  k80 %s: %zu of %zu rows\n", kernel[k].benchmark, equal, rows);
        CHECK(rows >= kernel[k].least && equal == rows);
    }
    free(text);
}

static void launches_of_nothing(void) {
    const pfea_tool_counts counts = {0};
    const pfea_tool_gpu *gpu;
    sooth_gpu_launch launch;
    sooth_pfea out;
    sooth_env e;
    sooth_env_init(&e);
    CHECK_STATUS(pfea_tool_named(&e, "k20-2023", &gpu), SOOTH_OK);
    memset(&launch, 0, sizeof launch);
    launch.threads = 32;
    CHECK_FAILS(&e, pfea_tool_features(&e, gpu, &counts, &launch, 0, &out), SOOTH_BAD_ARGUMENT,
                "blocks is 0, but must be at least 1");
    launch.blocks = 1;
    launch.threads = 0;
    CHECK_FAILS(&e, pfea_tool_features(&e, gpu, &counts, &launch, 0, &out), SOOTH_BAD_ARGUMENT,
                "threads is 0, but must be at least 1");
}

/* Each instruction has the latency of its own kind, and exact functions another than approximate ones. */
static void latencies_by_instruction(void) {
    static const struct {
        const char *opcode;
        sooth_gpu_latency latency;
    } of[] = {{"sqrt.rn.f32", SOOTH_GPU_LATENCY_F32_SQRT},  {"sqrt.approx.f32", SOOTH_GPU_LATENCY_RSQRT},
              {"rcp.rn.f32", SOOTH_GPU_LATENCY_F32_RCP},    {"rcp.approx.ftz.f32", SOOTH_GPU_LATENCY_RSQRT},
              {"div.rn.f32", SOOTH_GPU_LATENCY_F32_DIVIDE}, {"div.full.f32", SOOTH_GPU_LATENCY_RSQRT},
              {"div.rn.f64", SOOTH_GPU_LATENCY_F64_DIVIDE}, {"div.s32", SOOTH_GPU_LATENCY_DIVIDE},
              {"rem.u32", SOOTH_GPU_LATENCY_DIVIDE},        {"mul.lo.s32", SOOTH_GPU_LATENCY_MULTIPLY},
              {"mad.lo.s32", SOOTH_GPU_LATENCY_MULTIPLY},   {"mul.f32", SOOTH_GPU_LATENCY_F32},
              {"fma.rn.f64", SOOTH_GPU_LATENCY_F64},        {"add.f16", SOOTH_GPU_LATENCY_F16},
              {"sin.approx.f32", SOOTH_GPU_LATENCY_SINE},   {"cos.approx.f32", SOOTH_GPU_LATENCY_SINE},
              {"lg2.approx.f32", SOOTH_GPU_LATENCY_LOG2},   {"ex2.approx.f32", SOOTH_GPU_LATENCY_EXP2},
              {"tanh.approx.f32", SOOTH_GPU_LATENCY_EXP2},  {"selp.b32", SOOTH_GPU_LATENCY_MOVE},
              {"add.s32", SOOTH_GPU_LATENCY_ADD},           {"cvt.f32.s32", SOOTH_GPU_LATENCY_CONVERT},
              {"setp.lt.s32", SOOTH_GPU_LATENCY_COMPARE}};
    sooth_gpu gpu;
    memset(&gpu, 0, sizeof gpu);
    for (size_t i = 0; i < SOOTH_GPU_LATENCIES; ++i) gpu.latency[i] = (double)i + 1;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; ++i) {
        const sooth_ptx_form form = soothi_ptx_form_of(of[i].opcode, strlen(of[i].opcode));
        const double cycles = soothi_pfea_latency(&gpu, &form, (sooth_ptx_kind)form.kind);
        CHECK_NEAR(cycles, of[i].latency + 1.0, 0);
        if (check_failures) {
            printf("  in %s\n", of[i].opcode);
            return;
        }
    }
}

/* A launch of exactly what .reqntid says; lines without an end, words that end early, comments, slashes. */
static void odd_lines_of_the_tool(void) {
    static const char kernel_text[] =
        ".version 8.0\n.target sm_80\n.address_size 64\n"
        ".entry k()\n.reqntid 64\n{\nred.global.add.u32 [a], 1;\nst.global.u32 [a], b;\nret;\n}\n";
    static const char text[] = ".entry one{\n@%p1 ld.global.u32 a, [b];\nldu.global.u32 a, [b];\nsu a, b;\n"
                               "xor.b32 a, b / 2, c; // } }\nfoo.bar.fmad a, b, c;/\nreturn;\n@p\nret;\n}";
    sooth_gpu gpu;
    sooth_pfea f;
    pfea_tool_counts c;
    kernel k;
    const sooth_gpu_launch launch = launch_of(1, 64);
    CHECK_STATUS(sooth_gpu_named(&env, "a100", &gpu), SOOTH_OK);
    CHECK(open_kernel(&k, kernel_text, sizeof kernel_text - 1, "k", NULL));
    CHECK_STATUS(sooth_pfea_extract(&env, &k.ptx, 0, &k.counts, &gpu, &launch, NULL, &f), SOOTH_OK);
    CHECK_NEAR(f.value[SOOTH_PFEA_GLOB_STORE_SM], 2, 0); /* one wave; an atomic is a store */
    close_kernel(&k);
    CHECK_STATUS(pfea_tool_count(&env, text, sizeof text - 1, word_of("one"), &c), SOOTH_OK);
    /* return; is too long for ret; su, xor and return; are on no list, @p alone is no opcode; fmad has mad */
    CHECK(c.load == 2 && c.alu == 1 && c.ret == 1 && c.unknown == 4 && c.branch == 0);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(the_worked_example);
    CHECK_RUN(forms_differ_where_they_say);
    CHECK_RUN(every_feature);
    CHECK_RUN(waves_at_the_edges);
    CHECK_RUN(loops_count);
    CHECK_RUN(every_kind_has_a_latency);
    CHECK_RUN(bad_launches);
    CHECK_RUN(names);
    CHECK_RUN(each_rule_of_the_tool);
    CHECK_RUN(the_tool_finds_its_kernel);
    CHECK_RUN(the_twelve_lines);
    CHECK_RUN(other_devices);
    CHECK_RUN(bfs_row);
    CHECK_RUN(waves_of_the_tool);
    CHECK_RUN(edges_of_the_tool);
    CHECK_RUN(the_published_rows_of_clock);
    CHECK_RUN(published_k20_rows);
    CHECK_RUN(published_small_k20_rows);
    CHECK_RUN(published_m60_rows);
    CHECK_RUN(published_k80_rows);
    CHECK_RUN(launches_of_nothing);
    CHECK_RUN(latencies_by_instruction);
    CHECK_RUN(odd_lines_of_the_tool);
    return check_end("pfea");
}
