/* test_roofline.c - work counted by loops over every term and element, bounds worked out by hand.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/gpu.h"
#include "check.h"

static sooth_env env;

/* 10 SMs of 100 units at 1 GHz: 2e12 operations a second; 17.7 W at 16 nm sustain 1e12; 1e12 bytes a second
   from L2, 1e11 from memory. */
static sooth_gpu round_gpu(void) {
    sooth_gpu gpu;
    memset(&gpu, 0, sizeof gpu);
    memcpy(gpu.name, "round", 6);
    gpu.compute = 80;
    gpu.sms = 10;
    gpu.fp32_units = 100;
    gpu.fp64_units = 50;
    gpu.special_units = 10;
    gpu.clock_mhz = 1000;
    gpu.process_nm = 16;
    gpu.tdp_watts = 17.7;
    gpu.l2_gbs = 1000;
    gpu.memory_gbs = 100;
    gpu.tensor_gflops = 8000;
    return gpu;
}

static sooth_operator shape(const char *name, double b, double m, double n, double k) {
    sooth_operator op;
    memset(&op, 0, sizeof op);
    op.kind = (uint32_t)sooth_operator_find(name);
    op.b = b;
    op.m = m;
    op.n = n;
    op.k = k;
    return op;
}

static sooth_work work_of(sooth_operator op) {
    sooth_work work;
    CHECK_STATUS(sooth_operator_work(&env, &op, &work), SOOTH_OK);
    return work;
}

/* A product by its definition: terms, operands that are touched for the first time, tiles that are begun. */
static void products_as_loops_count_them(void) {
    const unsigned sizes[3][4] = {{2, 5, 3, 7}, {1, 130, 4, 260}, {3, 1, 1, 1}};
    for (int s = 0; s < 3; ++s) {
        const unsigned B = sizes[s][0], M = sizes[s][1], N = sizes[s][2], K = sizes[s][3];
        static unsigned char a[4000], w[4000], c[40000];
        double terms = 0, touched = 0, tiles = 0, loads = 0;
        for (unsigned b = 0; b < B; ++b) {
            memset(a, 0, sizeof a);
            memset(w, 0, sizeof w);
            memset(c, 0, sizeof c);
            for (unsigned i = 0; i < M; ++i)
                for (unsigned j = 0; j < K; ++j) {
                    const int begins = i % 128 == 0 && j % 128 == 0;
                    tiles += begins;
                    if (begins) loads += N * (fmin(128, M - i) + fmin(128, K - j));
                    for (unsigned n = 0; n < N; ++n) {
                        terms += 1;
                        touched += !a[i * N + n] + !w[n * K + j] + !c[i * K + j];
                        a[i * N + n] = w[n * K + j] = c[i * K + j] = 1;
                    }
                }
        }
        const sooth_work work = work_of(shape("bmm", B, M, N, K));
        CHECK_NEAR(work.operations[SOOTH_COMPUTE_SINGLE], 2 * terms, 0);
        CHECK_NEAR(work.memory_bytes, 4 * touched, 0);
        CHECK_NEAR(work.tiles, tiles, 0);
        CHECK_NEAR(work.l2_bytes, 4 * (loads + (double)B * M * K), 0);
        CHECK_NEAR(work.launches, 1, 0);
    }
}

/* ResNet-50's first layer: 118,013,952 multiply-adds an image (He et al. 2016, with torchvision's count); a
   depthwise layer has a product for each channel. */
static sooth_operator window_of(double images, double in, double out, double height, double width,
                                double side, double groups) {
    sooth_operator op =
        shape("conv", groups, images * height * width, in / groups * side * side, out / groups);
    op.in_elements = images * in * height * width + groups * op.n * op.k;
    op.out_elements = op.m * out;
    return op;
}

static void convolutions_are_products(void) {
    sooth_work work = work_of(window_of(4, 3, 64, 112, 112, 7, 1));
    CHECK_NEAR(work.operations[SOOTH_COMPUTE_SINGLE], 4 * 2 * 118013952.0, 0);
    CHECK_NEAR(work.memory_bytes, 4.0 * (4 * 3 * 112 * 112 + 7 * 7 * 3 * 64 + 4 * 64 * 112 * 112), 0);
    work = work_of(window_of(1, 32, 32, 56, 56, 3, 32));
    CHECK_NEAR(work.operations[SOOTH_COMPUTE_SINGLE], 2.0 * 32 * 9 * 56 * 56, 0);
    CHECK_NEAR(work.tiles, 32 * 25, 0); /* 3136 rows of 128 */
    /* of which no count of elements is given: as the product */
    CHECK_NEAR(work_of(shape("conv", 2, 5, 3, 7)).memory_bytes, 4 * 2 * (5 * 3 + 3 * 7 + 5 * 7), 0);
}

static void elements_travel_once(void) {
    sooth_operator op = shape("add", 10, 0, 0, 100);
    CHECK_NEAR(work_of(op).memory_bytes, 4 * 3000, 0);
    op.in_elements = 1100; /* the second operand is one row, broadcast */
    op.out_elements = 1000;
    CHECK_NEAR(work_of(op).memory_bytes, 4 * 2100, 0);
    CHECK_NEAR(work_of(shape("relu", 10, 0, 0, 100)).memory_bytes, 4 * 2000, 0);
    CHECK_NEAR(work_of(shape("softmax", 10, 0, 0, 100)).operations[SOOTH_COMPUTE_SINGLE], 5000, 0);
    CHECK_NEAR(work_of(shape("ln", 10, 0, 0, 100)).memory_bytes, 4 * 2000, 0);
    CHECK_NEAR(work_of(shape("reduce", 10, 0, 0, 100)).memory_bytes, 4 * 1010, 0);
    CHECK_NEAR(work_of(shape("mem", 1, 0, 0, 100)).memory_bytes, 4 * 100, 0);
    op = shape("relu", 10, 0, 0, 100);
    op.element_bytes = 2;
    CHECK_NEAR(work_of(op).memory_bytes, 2 * 2000, 0);
    /* queries, keys, values, results; two products */
    const sooth_work work = work_of(shape("attention", 8, 16, 64, 32));
    CHECK_NEAR(work.memory_bytes, 4 * 8 * (2 * 16 * 64 + 2 * 32 * 64), 0);
    CHECK_NEAR(work.operations[SOOTH_COMPUTE_SINGLE], 2 * 2 * 8 * 16 * 64 * 32, 0);
}

static void bounds_by_hand(void) {
    const sooth_gpu gpu = round_gpu();
    sooth_roofline roof;
    sooth_work work = work_of(shape("bmm", 1, 1000, 1000, 1000)); /* 2e9 operations, 12e6 bytes */
    CHECK_STATUS(sooth_roofline_compute(&env, &gpu, &work, &roof), SOOTH_OK);
    CHECK_CLOSE(roof.each[SOOTH_BOUND_COMPUTE], 1e-3, 1e-12);
    CHECK_CLOSE(roof.each[SOOTH_BOUND_POWER], 2e-3, 1e-12);
    CHECK_CLOSE(roof.each[SOOTH_BOUND_MEMORY], 12e6 / 1e11, 1e-12);
    CHECK_CLOSE(roof.each[SOOTH_BOUND_L2], 4 * (1000.0 * (8000 + 8000) + 1e6) / 1e12, 1e-12);
    CHECK_CLOSE(roof.each[SOOTH_BOUND_LAUNCH], 5e-6, 1e-12);
    CHECK(roof.bound == SOOTH_BOUND_POWER && strcmp(sooth_roofline_bound_name(roof.bound), "power") == 0);
    CHECK_CLOSE(roof.seconds, 2e-3, 1e-12);
    CHECK_CLOSE(roof.margin, 2, 1e-12);
    CHECK_CLOSE(roof.intensity, 2e9 / 12e6, 1e-12);
    CHECK_CLOSE(roof.ridge, 10, 1e-12);
    CHECK_CLOSE(roof.waves, 6.4, 1e-12);
    work = work_of(shape("add", 1000, 0, 0, 1000)); /* 12e6 bytes: 120 us from memory, 12 from L2 */
    CHECK_STATUS(sooth_roofline_compute(&env, &gpu, &work, &roof), SOOTH_OK);
    CHECK(roof.bound == SOOTH_BOUND_MEMORY);
    CHECK_CLOSE(roof.margin, 10, 1e-12);
    work = work_of(shape("add", 1, 0, 0, 1));
    CHECK_STATUS(sooth_roofline_compute(&env, &gpu, &work, &roof), SOOTH_OK);
    CHECK(roof.bound == SOOTH_BOUND_LAUNCH);
    sooth_operator op = shape("bmm", 1, 1000, 1000, 1000);
    op.tensor = 1;
    work = work_of(op);
    CHECK_STATUS(sooth_roofline_compute(&env, &gpu, &work, &roof), SOOTH_OK);
    CHECK_CLOSE(roof.each[SOOTH_BOUND_COMPUTE], 2e9 / 8e12, 1e-12);
    CHECK_NEAR(roof.each[SOOTH_BOUND_POWER], 0, 0);
}

/* 3 of 4 global bytes are loads; fma counts twice, sin once on its own units. */
static void work_of_ptx(void) {
    static const char text[] =
        ".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 p) {\n"
        ".reg .f32 %f; .reg .f64 %d; .reg .b64 %a;\nld.param.u64 %a, [p];\nld.global.f32 %f, [%a];\n"
        "fma.rn.f32 %f, %f, %f, %f;\nadd.f32 %f, %f, %f;\nsin.approx.f32 %f, %f;\nmul.f64 %d, %d, %d;\n"
        "st.global.f32 [%a], %f;\n"
        "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%f, %f, %f, %f}, {%f, %f}, {%f}, {%f, %f, %f, "
        "%f};\n"
        "ret;\n}\n";
    const sooth_gpu gpu = round_gpu();
    const sooth_gpu_launch launch = {.blocks = 1000, .threads = 256};
    sooth_ptx ptx;
    sooth_ptx_counts counts;
    sooth_work work;
    sooth_roofline roof;
    CHECK_STATUS(sooth_ptx_read(&env, text, sizeof text - 1, NULL, &ptx), SOOTH_OK);
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, NULL, &counts), SOOTH_OK);
    sooth_work_from_ptx(&ptx, &counts, &launch, &work);
    CHECK_NEAR(work.operations[SOOTH_COMPUTE_SINGLE], 3 * 256000, 0);
    CHECK_NEAR(work.operations[SOOTH_COMPUTE_DOUBLE], 256000, 0);
    CHECK_NEAR(work.operations[SOOTH_COMPUTE_SPECIAL], 256000, 0);
    CHECK_NEAR(work.memory_bytes, 8 * 256000, 0);
    CHECK_NEAR(work.tiles, 1000, 0);
    CHECK_NEAR(work.operations[SOOTH_COMPUTE_TF32], 8000 * 2 * 16 * 8 * 4, 0); /* of 8000 warps */
    CHECK_NEAR(work.unsized, 0, 0);
    CHECK_STATUS(sooth_roofline_compute(&env, &gpu, &work, &roof), SOOTH_OK);
    CHECK(roof.bound == SOOTH_BOUND_MEMORY && roof.units == SOOTH_COMPUTE_SPECIAL);
    CHECK_NEAR(roof.unbounded, 8000 * 2 * 16 * 8 * 4, 0); /* this device's peak of it is not known */
    CHECK_CLOSE(roof.each[SOOTH_BOUND_COMPUTE], 256000 / 1e11, 1e-12); /* the sines */
    sooth_ptx_counts_free(&env, &ptx, &counts);
    sooth_ptx_free(&env, &ptx);
}

/* Of one thread: what is fused counts twice in every precision, and so does each of two packed values. Whole
   numbers are operations of int32 logic only if no other unit computes them. */
static void fused_and_packed_instructions_are_two(void) {
    static const struct {
        char line[40];
        double single, twice, half, logic;
    } known[] = {{"mad.rn.f32 %f, %f, %f, %f;", 2, 0, 0, 0},   {"fma.rn.f16 %h, %h, %h, %h;", 0, 0, 2, 0},
                 {"mul.f16 %h, %h, %h;", 0, 0, 1, 0},          {"fma.rn.f64 %d, %d, %d, %d;", 0, 2, 0, 0},
                 {"add.f64 %d, %d, %d;", 0, 1, 0, 0},          {"mad.lo.s32 %r, %r, %r, %r;", 0, 0, 0, 0},
                 {"fma.rn.f16x2 %r, %r, %r, %r;", 0, 0, 4, 0}, {"add.bf16x2 %r, %r, %r;", 0, 0, 2, 0},
                 {"fma.rn.f32x2 %d, %d, %d, %d;", 4, 0, 0, 0}, {"mul.f32x2 %d, %d, %d;", 2, 0, 0, 0},
                 {"xor.b32 %r, %r, %r;", 0, 0, 0, 1},          {"shr.u32 %r, %r, 3;", 0, 0, 0, 1},
                 {"shl.b32 %r, %r, 3;", 0, 0, 0, 0},           {"add.s32 %r, %r, 3;", 0, 0, 0, 0},
                 {"setp.lt.s32 %p, %r, %r;", 0, 0, 0, 0},      {"and.pred %p, %p, %p;", 0, 0, 0, 0},
                 {"min.s32 %r, %r, 3;", 0, 0, 0, 1},           {"cvt.u32.u64 %r, %d;", 0, 0, 0, 0}};
    const sooth_gpu_launch launch = {.blocks = 1, .threads = 1};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        char text[240];
        sooth_ptx ptx;
        sooth_ptx_counts counts;
        sooth_work work;
        const int size =
            snprintf(text, sizeof text,
                     ".version 8.0\n.target sm_80\n.address_size 64\n.entry k() {\n.reg .f32 %%f; "
                     ".reg .b16 %%h; .reg .f64 %%d; .reg .b32 %%r; .reg .pred %%p;\n%s\nret;\n}\n",
                     known[i].line);
        CHECK_STATUS(sooth_ptx_read(&env, text, (size_t)size, NULL, &ptx), SOOTH_OK);
        CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, NULL, &counts), SOOTH_OK);
        sooth_work_from_ptx(&ptx, &counts, &launch, &work);
        CHECK_NEAR(work.operations[SOOTH_COMPUTE_SINGLE], known[i].single, 0);
        CHECK_NEAR(work.operations[SOOTH_COMPUTE_DOUBLE], known[i].twice, 0);
        CHECK_NEAR(work.operations[SOOTH_COMPUTE_HALF], known[i].half, 0);
        CHECK_NEAR(work.operations[SOOTH_COMPUTE_LOGIC], known[i].logic, 0);
        CHECK_NEAR(work.instructions, 2, 0); /* of one warp, that and ret */
        CHECK_NEAR(work.unsized, 0, 0);
        if (check_failures) printf("  in %s\n", known[i].line);
        sooth_ptx_counts_free(&env, &ptx, &counts);
        sooth_ptx_free(&env, &ptx);
    }
}

/* Reads a kernel with this body, counts it, and computes the work of 10 blocks of 128 threads. */
static sooth_work work_of_body(const char *body) {
    const sooth_gpu_launch launch = {.blocks = 10, .threads = 128};
    char text[1000];
    sooth_ptx ptx;
    sooth_ptx_counts counts;
    sooth_work work;
    const int size =
        snprintf(text, sizeof text,
                 ".version 9.0\n.target sm_100a\n.address_size 64\n.entry k() {\n%s\nret;\n}\n", body);
    CHECK_STATUS(sooth_ptx_read(&env, text, (size_t)size, NULL, &ptx), SOOTH_OK);
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, NULL, &counts), SOOTH_OK);
    sooth_work_from_ptx(&ptx, &counts, &launch, &work);
    sooth_ptx_counts_free(&env, &ptx, &counts);
    sooth_ptx_free(&env, &ptx);
    return work;
}

/* Each data type has its own units, and no product runs on those of single precision. 10 blocks have 40 warps
   and 10 warpgroups; a block issues one tcgen05.mma, and two of them one of .cta_group::2. */
static void products_have_the_units_of_their_type(void) {
    static const struct {
        const char *line;
        double operations;
        sooth_compute units;
    } known[] = {
        {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 d, a, b, c;", 40.0 * 4096, SOOTH_COMPUTE_TENSOR},
        {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 d, a, b, c;", 40.0 * 2048, SOOTH_COMPUTE_TENSOR},
        {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 d, a, b, c;", 40.0 * 2048, SOOTH_COMPUTE_TF32},
        {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 d, a, b, c;", 40.0 * 8192, SOOTH_COMPUTE_FP8},
        {"mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 "
         "d, "
         "a, b, c, s, {0, 0}, s, {0, 0};",
         40.0 * 16384, SOOTH_COMPUTE_FP4},
        {"mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 d, a, b, c;", 40.0 * 8192, SOOTH_COMPUTE_INT8},
        {"mma.sync.aligned.m16n8k64.row.col.s32.u4.s4.s32 d, a, b, c;", 40.0 * 16384, SOOTH_COMPUTE_INT4},
        {"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc d, a, b, c;", 40.0 * 65536,
         SOOTH_COMPUTE_INT1},
        {"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 d, a, b, c;", 40.0 * 4096,
         SOOTH_COMPUTE_TENSOR_DOUBLE},
        {"wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {d}, a, b, p, 1, 1, 0, 0;", 10.0 * 524288,
         SOOTH_COMPUTE_TENSOR},
        {"tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale [d], a, b, 138412032, [s], [s], p;",
         10.0 * 2 * 128 * 256 * 32, SOOTH_COMPUTE_FP8},
        {"tcgen05.mma.cta_group::2.kind::i8 [d], a, b, 138412032, p;", 5.0 * 2 * 128 * 256 * 32,
         SOOTH_COMPUTE_INT8},
        {"tcgen05.mma.cta_group::2.kind::mxf4 [d], a, b, 272629760, [s], [s], p;", 5.0 * 2 * 256 * 256 * 64,
         SOOTH_COMPUTE_FP4}};
    CHECK(138412032 == (128 / 16 << 24 | 256 / 8 << 17) && 272629760 == (256 / 16 << 24 | 256 / 8 << 17));
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        const sooth_work work = work_of_body(known[i].line);
        for (unsigned k = 0; k < SOOTH_COMPUTES; ++k)
            CHECK_NEAR(work.operations[k], k == known[i].units ? known[i].operations : 0.0, 0);
        CHECK_NEAR(work.unsized, 0, 0);
        if (check_failures) printf("  in %s\n", known[i].line);
    }
    for (unsigned k = 0; k < SOOTH_COMPUTES; ++k) CHECK(sooth_compute_name(k)[0] != 0);
    CHECK(strcmp(sooth_compute_name(SOOTH_COMPUTE_TENSOR_DOUBLE), "fp64 tensor") == 0);
    CHECK(!sooth_compute_name(SOOTH_COMPUTES));
}

/* What one thread issues counts for its block; what has no size counts as instructions: of 1280 threads, or
   of 10 blocks. */
static void blocks_issue_once(void) {
    sooth_work work =
        work_of_body("elect.sync _|p, -1;\n@p cp.async.bulk.shared::cta.global [a], [b], 4096, [c];\n"
                     "cp.async.cg.shared.global [a], [b], 16;");
    CHECK_NEAR(work.memory_bytes, 10 * 4096 + 1280 * 16, 0);
    CHECK_NEAR(work.unsized, 0, 0);
    work = work_of_body(
        "elect.sync _|p, -1;\n"
        "@p cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [a], [m, {x}], [c];\n"
        "tcgen05.mma.cta_group::1.kind::f16 [d], a, b, %given, p;\n"
        "cp.async.bulk.shared::cta.global [a], [b], %given, [c];\nquux.f32 a, b;");
    CHECK_NEAR(work.unsized, 10 + 10 + 1280 + 1280, 0);
    CHECK_NEAR(work.memory_bytes, 0, 0);
}

/* A million times 40 products of m16n8k16 on 8e12 operations a second. */
static void products_are_bounded_by_their_peak(void) {
    sooth_gpu gpu = round_gpu();
    sooth_work work = work_of_body("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 d, a, b, c;");
    sooth_roofline roof;
    work.operations[SOOTH_COMPUTE_TENSOR] *= 1e6;
    CHECK_STATUS(sooth_roofline_compute(&env, &gpu, &work, &roof), SOOTH_OK);
    CHECK_CLOSE(roof.seconds, 1e6 * 40 * 4096 / 8e12, 1e-12);
    CHECK(roof.bound == SOOTH_BOUND_COMPUTE && roof.units == SOOTH_COMPUTE_TENSOR);
    CHECK_CLOSE(roof.ridge, 8e12 / 1e11, 1e-12);
    CHECK_NEAR(roof.unbounded, 0, 0);
    work.operations[SOOTH_COMPUTE_INT4] = 7e20; /* whose peak nobody gives */
    CHECK_STATUS(sooth_roofline_compute(&env, &gpu, &work, &roof), SOOTH_OK);
    CHECK_CLOSE(roof.seconds, 1e6 * 40 * 4096 / 8e12, 1e-12);
    CHECK_NEAR(roof.unbounded, 7e20, 0);
    /* by the data sheets, 1e12 operations a second; FP8 of a kernel never runs in half precision */
    static const struct {
        const char *gpu, *line;
        double peak;
    } known[] = {{"a100", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 d, a, b, c;", 312},
                 {"a100", "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 d, a, b, c;", 156},
                 {"a100", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 d, a, b, c;", 624},
                 {"a100", "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 d, a, b, c;", 0},
                 {"h100", "wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e4m3 {d}, a, b, p;", 1979},
                 {"h100", "wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.f16.f16 {d}, a, b, e, 0, p;", 989.4},
                 {"b200",
                  "tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale [d], a, b, 138412032, [s], [s], p;",
                  9000},
                 {"b200", "tcgen05.mma.cta_group::1.kind::f16 [d], a, b, 138412032, p;", 2250},
                 {"l4", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 d, a, b, c;", 0}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        sooth_work one = work_of_body(known[i].line);
        sooth_roofline of;
        sooth_gpu board;
        double operations = 0;
        for (unsigned k = 0; k < SOOTH_COMPUTES; ++k) operations += one.operations[k];
        CHECK_STATUS(sooth_gpu_named(&env, known[i].gpu, &board), SOOTH_OK);
        CHECK_STATUS(sooth_roofline_compute(&env, &board, &one, &of), SOOTH_OK);
        const double part = 10.0 / board.sms; /* 10 blocks have as many SMs */
        CHECK_CLOSE(of.each[SOOTH_BOUND_COMPUTE],
                    known[i].peak > 0 ? operations / (1e12 * part * known[i].peak) : 0, 1e-12);
        CHECK_NEAR(of.unbounded, known[i].peak > 0 ? 0 : operations, 0);
        if (check_failures) printf("  in %s of %s\n", known[i].line, known[i].gpu);
    }
    sooth_gpu a100; /* which has no FP8 */
    sooth_work fp8 = work_of_body("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 d, a, b, c;");
    CHECK_STATUS(sooth_gpu_named(&env, "a100", &a100), SOOTH_OK);
    CHECK(fp8.least == 89 && fp8.most == 0);
    CHECK_FAILS(&env, sooth_roofline_compute(&env, &a100, &fp8, &roof), SOOTH_BAD_ARGUMENT,
                "the work has instructions of sm_89 or later, but the GPU is sm_80");
    fp8 = work_of_body("wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e4m3 {d}, a, b, p;");
    CHECK_FAILS(&env, sooth_roofline_compute(&env, &a100, &fp8, &roof), SOOTH_BAD_ARGUMENT,
                "only sm_90 to sm_90 have");
    gpu.tensor_gflops = 0; /* never on other units */
    CHECK_STATUS(sooth_roofline_compute(&env, &gpu, &work, &roof), SOOTH_OK);
    CHECK_NEAR(roof.each[SOOTH_BOUND_COMPUTE], 0, 0);
    CHECK(roof.bound == SOOTH_BOUND_LAUNCH && roof.units == SOOTH_COMPUTE_SINGLE);
    CHECK_CLOSE(roof.unbounded, 7e20 + 1e6 * 40 * 4096, 1e-12);
}

/* Results of an SM and clock by the throughput table of the CUDA C++ Programming Guide ("16-bit
   floating-point add, multiply, multiply-add"): 2 for 6.1, 128 for 6.0 and 7.x, 256 for 8.0, 128 for 8.9, 256
   for 9.0. 5.2 has none. A100's data sheet has 78e12 operations a second of half precision without tensor
   cores, V100's 31.4. */
static void half_precision_by_capability(void) {
    static const struct {
        char gpu[8];
        double results;
    } known[] = {{"m60", 0},  {"p4", 2},     {"p100", 128}, {"v100", 128},
                 {"t4", 128}, {"a100", 256}, {"l4", 128},   {"h100", 256}};
    sooth_gpu gpu;
    sooth_ceilings c;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        CHECK_STATUS(sooth_gpu_named(&env, known[i].gpu, &gpu), SOOTH_OK);
        sooth_roofline_ceilings(&gpu, &c);
        CHECK_CLOSE(c.compute[SOOTH_COMPUTE_HALF], 2e6 * known[i].results * gpu.sms * gpu.clock_mhz, 1e-12);
        if (strcmp(known[i].gpu, "a100") == 0) CHECK_CLOSE(c.compute[SOOTH_COMPUTE_HALF], 78e12, 1e-3);
        if (strcmp(known[i].gpu, "v100") == 0) CHECK_CLOSE(c.compute[SOOTH_COMPUTE_HALF], 31.4e12, 3e-3);
    }
}

/* 1e12 operations a second by the data sheets, sums of half precision: RTX 4090 330.3, twice those with sums
   of single precision (Ada white paper, appendix A); others have one rate. */
static void sums_of_half_precision(void) {
    static const struct {
        char gpu[8];
        double peak;
    } known[] = {{"rtx4090", 330.3}, {"a100", 312},   {"v100", 125},
                 {"t4", 65},         {"h100", 989.5}, {"b300", 2250}};
    static const char *const lines[] = {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 d, a, b, c;",
                                        "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16 d, a, b, c;",
                                        "wgmma.mma_async.sync.aligned.m64n64k16.f16.f16.f16 {d}, a, b, p;"};
    static const double operations[] = {40.0 * 4096, 40.0 * 8192, 10.0 * 131072};
    sooth_gpu gpu;
    sooth_ceilings c;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        CHECK_STATUS(sooth_gpu_named(&env, known[i].gpu, &gpu), SOOTH_OK);
        sooth_roofline_ceilings(&gpu, &c);
        CHECK_CLOSE(c.compute[SOOTH_COMPUTE_TENSOR_HALF], 1e12 * known[i].peak, 1e-12);
    }
    for (size_t i = 0; i < 3; ++i) {
        const sooth_work work = work_of_body(lines[i]);
        CHECK_NEAR(work.operations[SOOTH_COMPUTE_TENSOR_HALF], operations[i], 0);
        CHECK_NEAR(work.operations[SOOTH_COMPUTE_TENSOR], 0, 0);
    }
}

/* Reads a kernel with this body and computes the certain work of a launch. */
static sooth_work certain_work(const char *body, uint32_t blocks, uint32_t threads) {
    const sooth_gpu_launch launch = {.blocks = blocks, .threads = threads};
    static const sooth_ptx_value trips = {"n", 1000};
    const sooth_ptx_count_options options = {.value = &trips, .values = 1, .certain = 1};
    static char text[40000];
    sooth_ptx ptx;
    sooth_ptx_counts counts;
    sooth_work work;
    const int size =
        snprintf(text, sizeof text,
                 ".version 9.0\n.target sm_80\n.address_size 64\n.global .b8 table[64];\n.extern .global .b8 "
                 "open[];\n.const .b8 fixed[64];\n"
                 ".entry k(.param .u32 n, .param .u64 p) {\n.reg .b32 %%r<9>; .reg .f32 %%f<9>; .reg .b64 "
                 "%%a<9>; .reg .pred %%p<9>; .shared .b8 s[4096]; .local .b8 stack[64];\n%s\nret;\n}\n",
                 body);
    CHECK_STATUS(sooth_ptx_read(&env, text, (size_t)size, NULL, &ptx), SOOTH_OK);
    CHECK(ptx.errors == 0);
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, &options, &counts), SOOTH_OK);
    sooth_work_from_ptx(&ptx, &counts, &launch, &work);
    sooth_ptx_counts_free(&env, &ptx, &counts);
    sooth_ptx_free(&env, &ptx);
    return work;
}

static sooth_roofline roof_on(const char *name, const sooth_work *work) {
    sooth_gpu gpu;
    sooth_roofline roof;
    CHECK_STATUS(sooth_gpu_named(&env, name, &gpu), SOOTH_OK);
    CHECK_STATUS(sooth_roofline_compute(&env, &gpu, work, &roof), SOOTH_OK);
    return roof;
}

#define LOOP(body)                                                                   \
    "mov.u32 %r1, 0;\nLOOP:\n" body "\nadd.s32 %r1, %r1, 1;\nsetp.ne.s32 %p1, %r1, " \
    "10000;\n@%p1 bra LOOP;\n"

/* 10,000 rounds of xorshift in 2^20 threads. SASS of sm_80 has 9 instructions a round, of which 7 run on the
   64 lanes of integers (3 LOP3, 2 SHF, IADD3, ISETP): no roof may be above 7.5 ms. A sixth of it is
   not confident nonsense: memory alone gave 0.005 ms. */
static void integers_and_issue_by_hand(void) {
    const sooth_work work =
        certain_work(LOOP("shl.b32 %r3, %r2, 13;\nxor.b32 %r2, %r3, %r2;\nshr.u32 %r3, %r2, 17;\n"
                          "xor.b32 %r2, %r3, %r2;\nshl.b32 %r3, %r2, 5;\nxor.b32 %r2, %r3, %r2;"),
                     4096, 256);
    const double clock = 1.41e9, threads = 1048576, sms = 108;
    const sooth_roofline roof = roof_on("a100", &work);
    CHECK_NEAR(work.instructions, threads / 32 * (10000 * 9 + 2), 0); /* mov, ret */
    CHECK_NEAR(work.operations[SOOTH_COMPUTE_LOGIC], threads * 10000 * 4, 0);
    CHECK_CLOSE(roof.each[SOOTH_BOUND_ISSUE], 0.25 * work.instructions / (4 * sms * clock), 1e-12);
    CHECK_CLOSE(roof.each[SOOTH_BOUND_COMPUTE], 0.25 * threads * 10000 * 4 / (64 * sms * clock), 1e-12);
    CHECK(roof.bound == SOOTH_BOUND_ISSUE && roof.seconds > 1.2e-3 &&
          roof.seconds < threads * 10000 * 7 / (64 * sms * clock));
    /* the majority of three words is one LOP3, and a loop of Triton keeps one of four instructions */
    const sooth_work majority = certain_work(
        LOOP("and.b32 %r3, %r4, %r5;\nor.b32 %r6, %r4, %r5;\nand.b32 %r6, %r6, %r2;\nor.b32 %r2, %r3, %r6;"),
        4096, 256);
    CHECK(roof_on("a100", &majority).each[SOOTH_BOUND_COMPUTE] <= threads * 10000 / (64 * sms * clock));
    const sooth_work unrolled = certain_work(LOOP("fma.rn.f32 %f1, %f1, %f2, %f3;"), 4096, 256);
    CHECK(roof_on("a100", &unrolled).each[SOOTH_BOUND_ISSUE] <=
          threads / 32 * 10000 / (4 * sms * clock) * 1.001);
    CHECK_NEAR(roof_on("k20", &work).each[SOOTH_BOUND_ISSUE], 0.25 * work.instructions / (8 * 13 * 0.706e9),
               1e-12); /* 8 dispatch units */
}

/* One block has one SM, one warp one of its four parts; a tensor core is not divided. */
static void launches_that_do_not_fill(void) {
    static const char body[] = LOOP("fma.rn.f32 %f1, %f1, %f2, %f3;");
    static const struct {
        uint32_t blocks, threads;
        double parts; /* of 4 x 108 */
    } known[] = {{1, 32, 1},    {1, 1, 1},       {1, 96, 3},     {1, 1024, 4},
                 {50, 64, 100}, {108, 128, 432}, {500, 32, 432}, {150, 32, 150}};
    const double peak = 2 * 64 * 108 * 1.41e9;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        const sooth_work work = certain_work(body, known[i].blocks, known[i].threads);
        const sooth_roofline roof = roof_on("a100", &work);
        CHECK_CLOSE(roof.each[SOOTH_BOUND_COMPUTE],
                    20000.0 * known[i].blocks * known[i].threads / (peak * known[i].parts / 432), 1e-12);
        CHECK_CLOSE(roof.each[SOOTH_BOUND_ISSUE],
                    0.25 * work.instructions / (4 * 108 * 1.41e9 * known[i].parts / 432), 1e-12);
    }
    const sooth_work warp =
        certain_work("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 d, a, b, c;", 1, 32);
    CHECK_CLOSE(roof_on("a100", &warp).each[SOOTH_BOUND_COMPUTE], 4096 / (312e12 / 108), 1e-12);
    /* Kepler's schedulers share the units of their SM */
    const sooth_work one = certain_work(body, 1, 32);
    CHECK_CLOSE(roof_on("k20", &one).each[SOOTH_BOUND_COMPUTE], 20000.0 * 32 / (2 * 192 * 0.706e9), 1e-12);
}

/* Links of an iteration: what the next one waits for. On A100 a step takes 4 cycles, of half precision 3, a
   load of shared memory 23, one that hits L1 33 (Abdelkhalik et al. 2022). */
static void chains_by_hand(void) {
    static const struct {
        const char *body;
        double link[SOOTH_PTX_LINKS];
    } known[] = {
        {"fma.rn.f32 %f1, %f1, %f2, %f3;", {1, 0, 0, 0}},
        {"fma.rn.f32 %f1, %f2, %f2, %f3;", {0, 0, 0, 0}}, /* of what does not change */
        {"fma.rn.f32 %f1, %f1, %f2, %f3;\nfma.rn.f32 %f4, %f4, %f2, %f3;", {1, 0, 0, 0}},
        {"fma.rn.f32 %f4, %f1, %f2, %f3;\nfma.rn.f32 %f1, %f4, %f2, %f3;", {2, 0, 0, 0}},
        {"mov.f32 %f5, %f4;\nfma.rn.f32 %f4, %f1, %f2, %f3;\nmov.f32 %f1, %f5;",
         {0.5, 0, 0, 0}},                                                 /* in two turns */
        {"mul.f32 %f4, %f1, %f2;\nadd.f32 %f1, %f4, %f3;", {1, 0, 0, 0}}, /* may be fused */
        {"mul.rn.f32 %f4, %f1, %f2;\nadd.rn.f32 %f1, %f4, %f3;", {2, 0, 0, 0}},
        {"fma.rn.f16x2 %r2, %r2, %r3, %r4;", {0, 1, 0, 0}},
        {"sqrt.approx.f32 %f1, %f1;\nadd.f32 %f1, %f1, %f2;", {2, 0, 0, 0}},
        {"add.s32 %r2, %r2, 7;", {0, 0, 0, 0}}, /* may be one sum of many turns */
        {"shl.b32 %r3, %r2, 13;\nxor.b32 %r2, %r2, %r3;", {1, 0, 0, 0}},
        {"mul.wide.s32 %a1, %r2, 4;\nadd.s64 %a1, %a2, %a1;\nld.global.u32 %r2, [%a1];", {0.5, 0, 0, 1}},
        {"ld.shared.u32 %r2, [%r2];", {0, 0, 1, 0}},
        {"ld.global.f32 %f2, [%a1];\nadd.f32 %f1, %f1, %f2;", {1, 0, 0, 0}},
        {"add.f64 %a1, %a1, %a2;", {1, 0, 0, 0}},
        {"min.f32 %f1, %f1, %f2;", {0.5, 0, 0, 0}}, /* two may be one of three words */
        {"max.f32 %f1, %f1, %f2;", {0.5, 0, 0, 0}},
        {"neg.f32 %f1, %f1;\nabs.f32 %f1, %f1;", {0, 0, 0, 0}}, /* may be a part of what reads it */
        {"mad.lo.s32 %r2, %r2, %r3, %r4;", {0.5, 0, 0, 0}},
        {"min.s32 %r2, %r2, %r3;\nmax.s32 %r2, %r2, %r4;", {1, 0, 0, 0}},
        {"xor.pred %p2, %p2, %p3;", {0, 0, 0, 0}},
        {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r2}, {%r3}, {%f1};", {1, 0, 0, 0}},
        {"ld.local.u32 %r2, [%r2];", {0, 0, 0, 1}},
        {"cp.async.ca.shared.global [%r2], [%a1], 16;", {0, 0, 0, 0}},
        {"shfl.sync.bfly.b32 %r2, %r2, 1, 31, -1;", {0, 0, 0, 0}}, /* of another thread */
        {"frobnicate.s32 %r2, %r2, %r3;", {0, 0, 0, 0}},
        {"@%p2 add.f32 %f1, %f1, %f3;", {0, 0, 0, 0}}, /* may never run */
        {"@%p2 bra SKIP;\nadd.f32 %f1, %f1, %f3;\nSKIP:", {0, 0, 0, 0}},
        {"@%p2 mov.f32 %f1, %f3;\nfma.rn.f32 %f1, %f1, %f2, %f3;", {0, 0, 0, 0}}}; /* may begin anew */
    static const double cycles[SOOTH_PTX_LINKS] = {4, 3, 23, 33};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        char body[600];
        double seconds = 0;
        snprintf(body, sizeof body,
                 "mov.u32 %%r1, 0;\nLOOP:\n%s\nadd.s32 %%r1, %%r1, 1;\nsetp.ne.s32 %%p1, %%r1, "
                 "10000;\n@%%p1 bra LOOP;\n",
                 known[i].body);
        const sooth_work work = certain_work(body, 1, 32);
        for (unsigned k = 0; k < SOOTH_PTX_LINKS; ++k) {
            CHECK_NEAR(work.chain[k], 9999 * known[i].link[k], 1e-6);
            seconds += 9999 * known[i].link[k] * cycles[k] / 1.41e9;
        }
        CHECK_NEAR(roof_on("a100", &work).each[SOOTH_BOUND_LATENCY], seconds, 1e-12);
        CHECK_NEAR(roof_on("b200", &work).each[SOOTH_BOUND_LATENCY], 0,
                   0); /* whose latencies are not known */
        if (check_failures) printf("  in %s\n", known[i].body);
    }
    /* an outer turn waits for the inner loop, or for its own chain if that is longer; loops follow each other
       */
    const sooth_work nested =
        certain_work("mov.u32 %r2, 0;\nOUTER:\n" LOOP(
                         "fma.rn.f32 %f1, %f1, %f2, %f3;") "fma.rn.f32 %f4, %f4, %f2, %f3;\n"
                                                           "add.s32 %r2, %r2, 1;\nsetp.ne.s32 %p2, %r2, "
                                                           "101;\n@%p2 bra OUTER;\n"
                                                           "mov.u32 %r3, 0;\nLAST:\nfma.rn.f32 %f1, %f1, "
                                                           "%f2, %f3;\nadd.s32 %r3, %r3, 1;\n"
                                                           "setp.ne.s32 %p3, %r3, 51;\n@%p3 bra LAST;",
                     1, 32);
    CHECK_NEAR(nested.chain[SOOTH_PTX_LINK_STEP], 100.0 * 9999 + 50, 1e-6);
    /* of a loop with more than 1024 instructions no chain is known */
    static char body[30000];
    snprintf(body, sizeof body, "mov.u32 %%r1, 0;\nLOOP:\n");
    for (int i = 0; i < 1100; ++i) strcat(body, "add.f32 %f1,%f1,%f2;\n");
    strcat(body, "add.s32 %r1, %r1, 1;\nsetp.ne.s32 %p1, %r1, 9;\n@%p1 bra LOOP;\n");
    CHECK_NEAR(certain_work(body, 1, 32).chain[SOOTH_PTX_LINK_STEP], 0, 0);
}

/* A warp's access takes a clock. The assembler merges loads of one base to 16 bytes at most (LDS.128). */
static void shared_memory_by_hand(void) {
    static const struct {
        const char *body;
        double accesses;
    } known[] = {{"ld.shared.f32 %f1, [%r1];", 1},
                 {"ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%r1];", 1},
                 {"ld.shared.f32 %f1, [%r1];\nld.shared.f32 %f2, [%r1+4];\nld.shared.f32 %f3, [%r1+8];\n"
                  "ld.shared.f32 %f4, [%r1+12];",
                  1},
                 {"ld.shared.f32 %f1, [%r1];\nld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%r1+16];\n"
                  "ld.shared.v2.f32 {%f1, %f2}, [%r1+32];",
                  1.75},
                 {"ld.shared.f32 %f1, [%r1];\nld.shared.f32 %f2, [%r2];\nst.shared.f32 [%r1], %f2;", 3},
                 {"st.shared.f32 [s+8], %f1;\nld.global.f32 %f1, [%a1];\nbar.sync 0;", 1},
                 {"@%p1 ld.shared.f32 %f1, [%r1];", 0}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        const sooth_work work = certain_work(known[i].body, 4096, 1024);
        CHECK_NEAR(work.shared, 131072 * known[i].accesses, 0);
        CHECK_CLOSE(roof_on("a100", &work).each[SOOTH_BOUND_SHARED],
                    131072 * known[i].accesses / (108 * 1.41e9), 1e-12);
        if (check_failures) printf("  in %s\n", known[i].body);
    }
    /* of a loop that may be unrolled, accesses that follow each other may be merged as well */
    static const struct {
        const char *body;
        double accesses;
    } turn[] = {{"ld.shared.f32 %f1, [%r2];", 1},
                {"add.s32 %r2, %r2, 4;\nld.shared.f32 %f1, [%r2];", 0.25},
                {"add.s32 %r2, %r2, 64;\nld.shared.f32 %f1, [%r2];", 1},
                {"shl.b32 %r2, %r1, 2;\nadd.s32 %r2, %r2, %r3;\nld.shared.f32 %f1, [%r2];", 0.25},
                {"shl.b32 %r4, %r1, 2;\nand.b32 %r2, %r4, 4092;\nld.shared.f32 %f1, [%r2];", 1},
                {"sub.s32 %r2, %r2, 4;\nld.shared.f32 %f1, [%r2];", 0.25},
                {"add.s32 %r2, %r3, %r1;\nld.shared.f32 %f1, [%r2];", 0.25},
                {"shl.b32 %r2, %r1, 2;\nld.shared.f32 %f1, [%r2];", 0.25},
                {"shl.b32 %r2, %r3, 2;\nld.shared.f32 %f1, [%r2];", 1},
                {"mul.lo.s32 %r2, %r1, 4;\nld.shared.f32 %f1, [%r2];", 0.25},
                {"mad.lo.s32 %r2, %r3, 4, %r1;\nld.shared.f32 %f1, [%r2];", 0.25},
                {"mov.u32 %r2, %r1;\nld.shared.f32 %f1, [%r2];", 0.25},
                {"cvt.u32.u64 %r2, %r1;\nld.shared.f32 %f1, [%r2];", 0.25},
                {"mov.u32 %r2, %r3;\nmov.u32 %r3, %r4;\nmov.u32 %r4, %r5;\nmov.u32 %r5, %r6;\n"
                 "mov.u32 %r6, %r7;\nmov.u32 %r7, %r8;\nmov.u32 %r8, %a1;\nmov.u32 %a1, %a2;\n"
                 "ld.shared.f32 %f1, [%r2];",
                 0.25}}; /* too far to be followed */
    for (size_t i = 0; i < sizeof turn / sizeof turn[0]; ++i) {
        char body[600];
        snprintf(body, sizeof body,
                 "mov.u32 %%r1, 0;\nLOOP:\n%s\nadd.s32 %%r1, %%r1, 1;\nsetp.ne.s32 %%p1, %%r1, 10000;\n"
                 "@%%p1 bra LOOP;\n",
                 turn[i].body);
        CHECK_NEAR(certain_work(body, 4096, 1024).shared, 131072 * 10000 * turn[i].accesses, 0);
        if (check_failures) printf("  in %s\n", turn[i].body);
    }
    /* the address is from before the loop */
    CHECK_NEAR(certain_work("mov.u32 %r3, 64;\n" LOOP("ld.shared.f32 %f1, [%r3];"), 32, 32).shared,
               32 * 10000, 0);
    /* of 34 addresses the last two may be merged with what is forgotten */
    char many[2000] = "";
    for (int i = 0; i < 34; ++i)
        snprintf(many + strlen(many), sizeof many - strlen(many), "ld.shared.f32 %%f1, [%%r%d];\n", 10 + i);
    CHECK_NEAR(certain_work(many, 32, 32).shared, 32 * 32.5, 0);
    /* 131072 warps of 10000 loads on 108 SMs of 1.41 GHz: 8.61 ms */
    const sooth_work loop =
        certain_work(LOOP("ld.shared.f32 %f1, [%r2];\nadd.f32 %f2, %f2, %f1;"), 4096, 1024);
    CHECK_CLOSE(roof_on("a100", &loop).each[SOOTH_BOUND_SHARED], 8.607e-3, 1e-4);
}

static void local_memory_and_tables_stay_in_caches(void) {
    sooth_work work =
        certain_work("ld.global.f32 %f1, [%a1];\nst.local.f32 [stack], %f1;\nld.local.f32 %f1, [stack];\n"
                     "mov.u64 %a2, table;\nadd.s64 %a3, %a2, %a4;\nld.global.nc.u32 %r1, [%a3+4];",
                     10, 128);
    CHECK_NEAR(work.memory_bytes, 1280 * 4, 0);
    CHECK_NEAR(work.l2_bytes, 1280 * 4, 0);
    work = certain_work("mov.u64 %a2, table;\n" LOOP("ld.global.u32 %r2, [%a2];\nadd.s64 %a2, %a2, 4;"), 10,
                        128);
    CHECK_NEAR(work.memory_bytes, 0, 0);
    work = certain_work("mov.u64 %a2, table;\n@%p1 mov.u64 %a2, %a1;\nld.global.u32 %r1, [%a2];", 10, 128);
    CHECK_NEAR(work.memory_bytes, 1280 * 4, 0); /* maybe a table */
    /* what has no size, or is no global memory, is no table */
    CHECK_NEAR(certain_work("mov.u64 %a1, table;\nld.global.f32 %f1, [%a1];", 1, 32).memory_bytes, 0, 0);
    CHECK_NEAR(certain_work("mov.u64 %a1, open;\nld.global.f32 %f1, [%a1];", 1, 32).memory_bytes, 128, 0);
    CHECK_NEAR(certain_work("mov.u64 %a1, fixed;\nld.global.f32 %f1, [%a1];", 1, 32).memory_bytes, 128, 0);
}

/* By hand, of one thread: bytes that run whichever way the undecided branches go, and of how many is
   undecided. */
static void only_what_is_certain(void) {
    /* a copy of 4096 bytes by a tensor map, which a barrier awaits: one thread of each block issues both */
    const sooth_work mapped = certain_work(
        "mov.u32 %r2, %tid.x;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra B;\n"
        "cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [a], [m, {x}], [c];\n"
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [c], 4096;\nB:",
        10, 128);
    CHECK_NEAR(mapped.memory_bytes, 10 * 4096, 0);
    CHECK_NEAR(mapped.unsized, 0, 0);
#define LOAD(n) "ld.global.v" #n ".f32 {%f1, %f2, %f3, %f4}, [%a1];\n" /* 8 or 16 bytes */
    static const struct {
        const char *body;
        double bytes;
    } known[] = {
        {"@%p1 bra B;\n" LOAD(2) "B:\n" LOAD(4), 16},                        /* if: what follows */
        {"@%p1 bra B;\n" LOAD(2) "bra C;\nB:\n" LOAD(2) "C:\n" LOAD(4), 16}, /* either side, neither counts */
        {LOAD(4) "@%p1 bra B;\nret;\nB:\n" LOAD(2), 16},                     /* an early end */
        {"@%p1 bra B;\n@%p2 bra C;\n" LOAD(2) "B:\n" LOAD(2) "C:\n" LOAD(4), 16},
        {"@%p1 " LOAD(2) LOAD(4), 16}, /* a predicate */
        {"ld.param.u32 %r1, [n];\nsetp.lt.u32 %p1, %r1, 5;\n@%p1 bra B;\n" LOAD(2) "B:\n" LOAD(4),
         24}, /* decided */
        {LOOP(LOAD(4)), 160000},
        {"@%p2 bra B;\n" LOOP(LOAD(4)) "B:\n" LOAD(2), 8}, /* a loop that may be skipped */
        {LOOP("@%p2 bra B;\n" LOAD(2) "B:\n" LOAD(4)), 160000},
        {"mov.u32 %r1, 0;\nLOOP:\n@%p2 bra OUT;\nadd.s32 %r1, %r1, 1;\nsetp.ne.s32 %p1, %r1, 9;\n"
         "@%p1 bra LOOP;\n" LOAD(2) "OUT:\n" LOAD(4),
         16}, /* the loop's ends lead elsewhere */
        {"mov.u32 %r2, %tid.x;\nsetp.eq.s32 %p1, %r2, 0;\n@!%p1 bra B;\n"
         "cp.async.bulk.shared::cta.global [a], [b], 1280, [c];\n@%p2 bra B;\n"
         "cp.async.bulk.shared::cta.global [a], [b], 640, [c];\nB:\n" LOAD(4),
         16 + 1280.0 / 128}};
#undef LOAD
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        const sooth_work work = certain_work(known[i].body, 10, 128);
        CHECK_NEAR(work.memory_bytes, 1280 * known[i].bytes, 1e-6);
        if (check_failures) printf("  in %s\n", known[i].body);
    }
}

/* P4 and T4 sustain the share of their peak that was measured: 0.74 and 0.48, medians of long products. */
static void power_roofs_of_small_boards(void) {
    sooth_gpu gpu;
    sooth_ceilings c;
    CHECK_STATUS(sooth_gpu_named(&env, "p4", &gpu), SOOTH_OK);
    sooth_roofline_ceilings(&gpu, &c);
    CHECK_NEAR(c.sustained / c.compute[SOOTH_COMPUTE_SINGLE], 0.74, 0.01);
    CHECK_STATUS(sooth_gpu_named(&env, "t4", &gpu), SOOTH_OK);
    sooth_roofline_ceilings(&gpu, &c);
    CHECK_NEAR(c.sustained / c.compute[SOOTH_COMPUTE_SINGLE], 0.48, 0.01);
    CHECK_STATUS(sooth_gpu_named(&env, "v100", &gpu), SOOTH_OK); /* 300 W are enough */
    sooth_roofline_ceilings(&gpu, &c);
    CHECK(c.sustained > c.compute[SOOTH_COMPUTE_SINGLE]);
}

/* ---- operators of language models ---- */

/* size: in the order of the top of the list in roofline.h's sooth_operator. */
static sooth_operator language(const char *kind, const char *dtype, const double size[8]) {
    sooth_operator op = shape(kind, 0, size[0], size[1], size[2]);
    op.dtype = (uint32_t)sooth_data_type_find(dtype);
    op.batch = size[0];
    op.tokens = op.context = size[1];
    op.heads = size[2];
    if (op.kind == SOOTH_OPERATOR_PREFILL || op.kind == SOOTH_OPERATOR_DECODE) {
        op.kv_heads = size[3];
        op.head_dim = size[4];
        op.window = size[5];
    }
    if (op.kind == SOOTH_OPERATOR_EXPERTS) {
        op.tokens = size[0];
        op.hidden = size[1];
        op.inter = size[2];
        op.topk = size[3];
        op.experts = size[4];
        op.tp = size[5];
        op.ep = size[6];
        op.skew = size[7];
    }
    return op;
}

/* Operations and bytes of measured shapes, as an independent program in Python counts them. */
static void language_models_as_python_counts_them(void) {
    static const struct {
        const char *kind, *dtype;
        double size[8], operations, bytes;
    } row[] = {{"gemm", "bf16", {192, 10240, 6144}, 24159191040, 132120576},
               {"gemm", "bf16", {81, 2048, 16384}, 5435817984, 70094848},
               {"gemm", "fp8", {2304, 51200, 51200}, 12079595520000, 2975334400},
               {"gemm", "fp8", {14, 51200, 8192}, 11744051200, 420978688},
               {"gemm", "fp8-block", {512, 8192, 7168}, 60129542144, 70778880},
               {"gemm", "fp8-block", {32768, 128, 4096}, 34359738368, 143130624},
               {"gemm", "int4-weights", {256, 2560, 256}, 335544320, 1769472},
               {"gemm", "int4-weights", {1024, 3072, 3072}, 19327352832, 17301504},
               {"gemm", "int8", {16, 3072, 65536}, 6442450944, 202473472},
               {"gemm", "int8", {8, 1024, 65536}, 1073741824, 67649536},
               {"gemm", "int8-weights", {160, 512, 3072}, 503316480, 2719744},
               {"gemm", "int8-weights", {64, 10240, 16384}, 21474836480, 171180032},
               {"gemm", "nvfp4", {96, 128, 7168}, 176160768, 927744},
               {"gemm", "nvfp4", {160, 65536, 128}, 2684354560, 25701632},
               {"prefill", "bf16", {256, 64, 8, 1, 64, 128}, 1090519040, 41943040},
               {"prefill", "bf16", {32, 16, 8, 1, 256, 0}, 35651584, 5242880},
               {"prefill", "bf16", {4, 16384, 24, 4, 128, 0}, 6597472419840, 1073741824},
               {"prefill", "bf16", {2, 12288, 24, 2, 128, 0}, 1855576866816, 352321536},
               {"prefill", "fp8", {8, 32, 8, 2, 64, 128}, 8650752, 720896},
               {"prefill", "fp8", {8, 3072, 2, 2, 64, 0}, 19333644288, 31457280},
               {"prefill", "fp8", {1, 6144, 8, 4, 128, 0}, 77321994240, 44040192},
               {"prefill", "fp8", {1, 512, 24, 8, 64, 128}, 352714752, 4718592},
               {"decode", "bf16", {4, 63, 64, 1, 256, 0}, 16777216, 528384},
               {"decode", "bf16", {32, 255, 8, 4, 128, 0}, 33554432, 16973824},
               {"decode", "bf16", {32, 63, 8, 8, 128, 0}, 8388608, 8650752},
               {"decode", "bf16", {1024, 7, 32, 1, 128, 0}, 134217728, 21495808},
               {"decode", "fp8", {128, 16383, 8, 2, 128, 0}, 8589934592, 1074397184},
               {"decode", "fp8", {256, 2047, 10, 2, 128, 8192}, 2684354560, 270008320},
               {"decode", "fp8", {8, 31, 32, 2, 128, 0}, 4194304, 270336},
               {"decode", "fp8", {64, 4095, 16, 2, 256, 0}, 4294967296, 269615104},
               {"moe", "bf16", {96, 4096, 14336, 2, 8, 32, 1, 1.01}, 2113929216, 95674367.996674851},
               {"moe", "bf16", {128, 6144, 3072, 4, 128, 2, 64, 1.2}, 452984832, 113211839.34875351},
               {"moe", "bf16", {384, 4096, 1536, 8, 128, 4, 8, 1.01}, 3623878656, 167608319.99429974},
               {"moe", "bf16", {2048, 4096, 1536, 8, 128, 2, 16, 1.2}, 19327352832, 206045184},
               {"moe", "fp8", {1024, 5120, 8192, 1, 128, 1, 4, 1.2}, 64424509440, 4056114081.0476203},
               {"moe", "fp8", {2, 5120, 8192, 1, 128, 32, 4, 1.01}, 3932160, 2002688},
               {"moe", "fp8", {2, 5120, 8192, 1, 128, 2, 8, 1.2}, 31457280, 15762944},
               {"moe", "fp8", {48, 4096, 1536, 8, 128, 16, 8, 1.01}, 113246208, 19535180.549983777},
               {"moe", "fp8-block", {1536, 4096, 14336, 2, 8, 1, 4, 1.2}, 270582939648, 449839104},
               {"moe", "fp8-block", {2048, 4096, 2048, 8, 256, 2, 16, 1.01}, 25769803776, 249561088},
               {"moe", "fp8-block", {1, 4096, 2048, 8, 256, 1, 256, 1.2}, 1572864, 795776},
               {"moe", "fp8-block", {2, 4096, 1536, 8, 128, 4, 1, 1.01}, 150994944, 71415958.456262216},
               {"moe", "nvfp4", {64, 6144, 2560, 8, 160, 1, 2, 1.01}, 24159191040, 2049592825.6823912},
               {"moe", "nvfp4", {12288, 5120, 8192, 1, 128, 1, 16, 1.01}, 193273528320, 749961216},
               {"moe", "nvfp4", {64, 6144, 16384, 2, 8, 1, 2, 1.2}, 38654705664, 688570291.53490913},
               {"moe", "nvfp4", {32, 7168, 2048, 8, 384, 1, 8, 1.2}, 2818572288, 580616014.5463804},
               {"mla-prefill", "bf16", {32, 1, 16}, 327680, 655360},
               {"mla-prefill", "bf16", {32, 1024, 16}, 171966464000, 671088640},
               {"mla-prefill", "fp8", {4, 10240, 64}, 8590773452800, 3355443200},
               {"mla-prefill", "fp8", {32, 2048, 2}, 85941288960, 167772160},
               {"mla-decode", "bf16", {128, 15, 32}, 133693440, 11124736},
               {"mla-decode", "bf16", {8, 8191, 32}, 4562845696, 76045312},
               {"mla-decode", "fp8", {1, 1023, 128}, 284934144, 867776},
               {"mla-decode", "fp8", {16, 32767, 32}, 36506107904, 303094784}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; ++i) {
        const sooth_operator op = language(row[i].kind, row[i].dtype, row[i].size);
        const sooth_work work = work_of(op);
        double all = 0;
        for (unsigned u = 0; u < SOOTH_COMPUTES; ++u) all += work.operations[u];
        CHECK_CLOSE(all, row[i].operations, 1e-12);
        CHECK_NEAR(work.operations[sooth_operator_units(&op)], all, 0);
        CHECK_CLOSE(work.memory_bytes, row[i].bytes, 1e-6); /* moe has an exponential of single precision */
        CHECK(work.launches == 0 && work.l2_bytes >= work.memory_bytes);
    }
}

/* A loop over queries and keys counts what each may see; a draw of experts, which are touched. */
static void attention_and_experts_as_loops_count_them(void) {
    for (unsigned window = 0; window < 40; window += 13)
        for (unsigned s = 1; s < 40; s += 7) {
            double seen = 0;
            for (unsigned q = 0; q < s; ++q)
                for (unsigned key = 0; key <= q; ++key) seen += !window || q - key < window;
            const double size[8] = {3, s, 8, 2, 64, window};
            CHECK_NEAR(work_of(language("prefill", "bf16", size)).operations[SOOTH_COMPUTE_TENSOR],
                       4.0 * 3 * 8 * 64 * seen, 0);
        }
    sooth_rng rng;
    sooth_rng_init(&rng, 1, 0);
    double touched = 0;
    for (unsigned draw = 0; draw < 4000; ++draw) { /* 100 tokens to one of 64 experts each */
        unsigned char hit[64] = {0};
        for (unsigned t = 0; t < 100; ++t) hit[sooth_rng_below(&rng, 64)] = 1;
        for (unsigned e = 0; e < 64; ++e) touched += hit[e] / 4000.0;
    }
    const double many[8] = {100, 1024, 512, 1, 64}, one[8] = {1, 1024, 512, 1, 64};
    const double rest = 100.0 * (8 * 1024 + 6 * 512) + 200.0 * 1024, expert = 6.0 * 1024 * 512;
    CHECK_CLOSE((work_of(language("moe", "bf16", many)).memory_bytes - rest) / expert, touched, 0.01);
    CHECK_CLOSE(work_of(language("moe", "bf16", one)).memory_bytes, expert + 8 * 1024 + 6 * 512 + 2 * 1024,
                1e-12);
}

static void units_and_types(void) {
    static const double size[8] = {4, 128, 16, 16, 64};
    sooth_gpu gpu = round_gpu();
    sooth_roofline roof;
    for (size_t i = 0; i < SOOTH_TYPES; ++i) CHECK(sooth_data_type_find(sooth_data_type_name(i)) == i);
    CHECK(!sooth_data_type_name(SOOTH_TYPES) && sooth_data_type_find("bf") == SOOTH_NONE);
    sooth_operator op = language("gemm", "int4-weights", size);
    CHECK(sooth_operator_units(&op) == SOOTH_COMPUTE_TENSOR);
    op = language("gemm", "nvfp4", size);
    CHECK(sooth_operator_units(&op) == SOOTH_COMPUTE_FP4);
    op = language("decode", "int8", size); /* of the cache alone */
    CHECK(sooth_operator_units(&op) == SOOTH_COMPUTE_TENSOR);
    op = language("mla-decode", "fp8", size);
    CHECK(sooth_operator_units(&op) == SOOTH_COMPUTE_FP8);
    op = shape("add", 1, 0, 0, 1);
    CHECK(sooth_operator_units(&op) == SOOTH_COMPUTE_SINGLE);
    /* without units of 8 bits those of 16 compute; with them they bound */
    op = language("prefill", "fp8", size);
    const sooth_work work = work_of(op);
    CHECK_STATUS(sooth_roofline_compute(&env, &gpu, &work, &roof), SOOTH_OK);
    CHECK_CLOSE(roof.each[SOOTH_BOUND_COMPUTE], work.operations[SOOTH_COMPUTE_FP8] / 8e12, 1e-12);
    gpu.fp8_gflops = 16000;
    CHECK_STATUS(sooth_roofline_compute(&env, &gpu, &work, &roof), SOOTH_OK);
    CHECK_CLOSE(roof.each[SOOTH_BOUND_COMPUTE], work.operations[SOOTH_COMPUTE_FP8] / 16e12, 1e-12);
    CHECK(roof.each[SOOTH_BOUND_LAUNCH] == 0);
}

static void language_mistakes_are_sentences(void) {
    static const struct {
        const char *kind;
        double size[8];
        const char *words;
    } bad[] = {{"gemm", {0, 1, 1}, "m of gemm is 0, but must be an integer from 1 to 2^53"},
               {"gemm", {1, 1.5, 1}, "n of gemm is 1.5, but"},
               {"prefill", {1, 0, 1, 1, 64}, "tokens of prefill is 0"},
               {"decode", {1, 0, 1, 1, 64}, "context of decode is 0"},
               {"decode", {1, 1, 8, 3, 64}, "heads of decode is 8, but must be a multiple of kv_heads, 3"},
               {"prefill", {1, 1, 4, 8, 64}, "heads of prefill is 4, but must be a multiple of kv_heads, 8"},
               {"prefill", {1, 1, 4, 4, 64, -1}, "window of prefill is -1, but must be an integer from 0"},
               {"moe", {1, 64, 64, 9, 8, 1, 1}, "topk of moe is 9, but must be at most experts, 8"},
               {"moe", {1, 64, 64, 2, 8, 1, 3}, "experts of moe is 8, but must be a multiple of ep, 3"},
               {"moe", {1, 64, 64, 2, 8, 3, 1}, "inter of moe is 64, but must be a multiple of tp, 3"},
               {"moe", {1, 64, 64, 2, 8, 1, 1, NAN}, "skew of moe is nan, but must be from 0 to 4"},
               {"mla-decode", {1, 1, 0}, "heads of mla-decode is 0"}};
    sooth_work work;
    sooth_operator op;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        op = language(bad[i].kind, "bf16", bad[i].size);
        CHECK_FAILS(&env, sooth_operator_work(&env, &op, &work), SOOTH_BAD_ARGUMENT, bad[i].words);
    }
    op = language("gemm", "bf16", (const double[8]){1, 1, 1});
    op.dtype = SOOTH_TYPES;
    CHECK_FAILS(&env, sooth_operator_work(&env, &op, &work), SOOTH_BAD_ARGUMENT,
                "dtype of gemm is 10, but must be below 10");
    op = shape("bmm", 1, 2, 3, 4);
    op.dtype = SOOTH_TYPE_BF16;
    CHECK_FAILS(&env, sooth_operator_work(&env, &op, &work), SOOTH_BAD_ARGUMENT,
                "dtype of bmm is bf16, but must be fp32");
}

static void names(void) {
    for (size_t i = 0; i < SOOTH_OPERATORS; ++i) {
        CHECK(sooth_operator_find(sooth_operator_name(i)) == i);
        CHECK(sooth_operator_kind_form((sooth_operator_kind)i) <= SOOTH_OPERATOR_LANGUAGE);
    }
    CHECK(sooth_operator_find("bmms") == SOOTH_NONE && sooth_operator_find("") == SOOTH_NONE);
    CHECK(!sooth_operator_name(SOOTH_OPERATORS));
    CHECK(!sooth_roofline_bound_name(SOOTH_BOUNDS) && sooth_roofline_bound_name(SOOTH_BOUND_LAUNCH));
}

static void mistakes_are_sentences(void) {
    sooth_gpu gpu = round_gpu();
    sooth_operator op = shape("bmm", 1, 0, 2, 3);
    sooth_work work = work_of(shape("add", 1, 0, 0, 1));
    sooth_roofline roof;
    CHECK_FAILS(&env, sooth_operator_work(&env, &op, &work), SOOTH_BAD_ARGUMENT, "m of bmm is 0, but");
    op.m = NAN;
    CHECK_STATUS(sooth_operator_work(&env, &op, &work), SOOTH_BAD_ARGUMENT);
    op = shape("add", 1, 0, 0, 18014398509481984.0);
    CHECK_FAILS(&env, sooth_operator_work(&env, &op, &work), SOOTH_BAD_ARGUMENT,
                "k of add is 18014398509481984, but must be from 1 to 2^53");
    const double beyond[4][2] = {{0, -1}, {-1, 0}, {18014398509481984.0, 0}, {0, 18014398509481984.0}};
    for (int i = 0; i < 4; ++i) {
        op = shape("add", 1, 0, 0, 1);
        op.in_elements = beyond[i][0];
        op.out_elements = beyond[i][1];
        CHECK_FAILS(&env, sooth_operator_work(&env, &op, &work), SOOTH_BAD_ARGUMENT,
                    "in_elements and out_elements");
    }
    op.kind = SOOTH_OPERATORS;
    CHECK_FAILS(&env, sooth_operator_work(&env, &op, &work), SOOTH_BAD_ARGUMENT,
                "kind is 25, but must be below 25");
    gpu.memory_gbs = 0;
    CHECK_FAILS(&env, sooth_roofline_compute(&env, &gpu, &work, &roof), SOOTH_BAD_ARGUMENT,
                "memory_gbs of the GPU round is not known");
    gpu.clock_mhz = 0;
    CHECK_FAILS(&env, sooth_roofline_compute(&env, &gpu, &work, &roof), SOOTH_BAD_ARGUMENT, "clock_mhz of");
    gpu.fp32_units = 0;
    CHECK_FAILS(&env, sooth_roofline_compute(&env, &gpu, &work, &roof), SOOTH_BAD_ARGUMENT, "fp32_units of");
    gpu.sms = 0;
    CHECK_FAILS(&env, sooth_roofline_compute(&env, &gpu, &work, &roof), SOOTH_BAD_ARGUMENT, "sms of");
}

/* What is not known is no bound. */
static void unknown_ceilings(void) {
    sooth_gpu gpu = round_gpu();
    sooth_work work = work_of(shape("bmm", 1, 1000, 1000, 1000));
    sooth_roofline roof;
    gpu.process_nm = 0;
    gpu.l2_gbs = 0;
    CHECK_STATUS(sooth_roofline_compute(&env, &gpu, &work, &roof), SOOTH_OK);
    CHECK(roof.bound == SOOTH_BOUND_COMPUTE && !(roof.each[SOOTH_BOUND_L2] > 0) &&
          !(roof.each[SOOTH_BOUND_POWER] > 0));
    CHECK_CLOSE(roof.ridge, 20, 1e-12);
    memset(&work, 0, sizeof work);
    CHECK_STATUS(sooth_roofline_compute(&env, &gpu, &work, &roof), SOOTH_OK);
    CHECK(!(roof.seconds > 0) && !(roof.margin > 0) && !(roof.intensity > 0));
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(products_as_loops_count_them);
    CHECK_RUN(convolutions_are_products);
    CHECK_RUN(elements_travel_once);
    CHECK_RUN(bounds_by_hand);
    CHECK_RUN(work_of_ptx);
    CHECK_RUN(fused_and_packed_instructions_are_two);
    CHECK_RUN(half_precision_by_capability);
    CHECK_RUN(sums_of_half_precision);
    CHECK_RUN(integers_and_issue_by_hand);
    CHECK_RUN(launches_that_do_not_fill);
    CHECK_RUN(chains_by_hand);
    CHECK_RUN(shared_memory_by_hand);
    CHECK_RUN(local_memory_and_tables_stay_in_caches);
    CHECK_RUN(only_what_is_certain);
    CHECK_RUN(products_have_the_units_of_their_type);
    CHECK_RUN(blocks_issue_once);
    CHECK_RUN(products_are_bounded_by_their_peak);
    CHECK_RUN(power_roofs_of_small_boards);
    CHECK_RUN(language_models_as_python_counts_them);
    CHECK_RUN(attention_and_experts_as_loops_count_them);
    CHECK_RUN(units_and_types);
    CHECK_RUN(language_mistakes_are_sentences);
    CHECK_RUN(names);
    CHECK_RUN(mistakes_are_sentences);
    CHECK_RUN(unknown_ceilings);
    return check_end("roofline");
}
