/* test_tensor.c - matrix products and bulk copies: shapes by the assembler, kernels by formulas and by SASS.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/ptx.h"

#include "check.h"
#include "golden/ptx/shapes.h"

static sooth_env env;

static char file_text[65536];

/* Reads tests/golden/ptx/NAME, from the repository's root or from tests/. */
static int read_file(const char *name, sooth_ptx *ptx) {
    static const char *const folder[2] = {"tests/golden/ptx/", "golden/ptx/"};
    size_t size = 0;
    for (size_t i = 0; i < 2 && size == 0; ++i) {
        char path[256];
        snprintf(path, sizeof path, "%s%s", folder[i], name);
        FILE *file = fopen(path, "rb");
        if (!file) continue;
        size = fread(file_text, 1, sizeof file_text - 1, file);
        fclose(file);
    }
    if (size == 0) return 0;
    CHECK_STATUS(sooth_ptx_read(&env, file_text, size, NULL, ptx), SOOTH_OK);
    CHECK(ptx->errors == 0 && ptx->remarks == 0 && ptx->unknown == 0);
    return 1;
}

/* Reads a kernel k with this body. */
static void read_body(const char *version, const char *body, sooth_ptx *ptx) {
    static char text[8192];
    const int size = snprintf(text, sizeof text,
                              ".version %s\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .u32 "
                              "n)\n{\n%s\nret;\n}\n",
                              version, body);
    CHECK(size > 0 && (size_t)size < sizeof text);
    CHECK_STATUS(sooth_ptx_read(&env, text, (size_t)size, NULL, ptx), SOOTH_OK);
}

static size_t kernel_of(const sooth_ptx *ptx, const char *name) {
    size_t kernel = 0;
    CHECK_STATUS(sooth_ptx_kernel_named(&env, ptx, name, &kernel), SOOTH_OK);
    return kernel < ptx->functions ? kernel : 0;
}

/* ---- shapes ---- */

static const char *const types[] = {"f64",  "tf32", "f16", "bf16", "e4m3", "e5m2", "e3m2",
                                    "e2m3", "e2m1", "s8",  "u8",   "s4",   "u4",   "b1"};
enum { TYPES = sizeof types / sizeof types[0] };

static const char *sum_of(const char *type) {
    if (strcmp(type, "f64") == 0) return "f64";
    return type[0] == 's' || type[0] == 'u' || strcmp(type, "b1") == 0 ? "s32" : "f32";
}

/* The operations of an opcode; 0 if it is refused. */
static double operations_of(const char *opcode, uint32_t threads) {
    sooth_ptx_form form = soothi_ptx_form_of(opcode, strlen(opcode));
    char why[112];
    CHECK(form.kind == SOOTH_PTX_KIND_TENSOR && form.tensor == SOOTH_PTX_TENSORS && form.operations == 0);
    if (!soothi_ptx_tensor_of(&form, why)) {
        CHECK(why[0] != 0 && form.operations == 0 && form.tensor == SOOTH_PTX_TENSORS);
        return 0.0;
    }
    CHECK(form.threads == threads && form.ctas == 1 && form.tensor < SOOTH_PTX_TENSORS);
    return (double)form.operations;
}

static int is_accepted(const char *family, const char *kind, const char *type, unsigned sparse, unsigned m,
                       unsigned n, unsigned k) {
    for (size_t i = 0; i < sizeof accepted / sizeof accepted[0]; ++i)
        if (strcmp(accepted[i].family, family) == 0 && strcmp(accepted[i].kind, kind) == 0 &&
            strcmp(accepted[i].type, type) == 0 && accepted[i].sparse == sparse && accepted[i].m == m &&
            accepted[i].n == n && accepted[i].k == k)
            return 1;
    return 0;
}

/* Every shape that the assembler was asked for: 2 m n k operations, half of them if sparse, or refused. The
   assembler needs .kind for the narrow types; without it, their shapes are those with it. */
static void products_of_warps_are_those_of_the_assembler(void) {
    static const char *const kinds[] = {"", "f8f6f4", "mxf8f6f4", "mxf4", "mxf4nvf4"};
    static const unsigned side[] = {8, 16, 32};
    unsigned known = 0;
    for (unsigned q = 0; q < 5; ++q)
        for (unsigned t = 0; t < TYPES; ++t)
            for (unsigned at = 0; at < 2 * 2 * 8; ++at) {
                const unsigned sparse = at & 1, m = side[at >> 1 & 1], k = 4u << (at >> 2);
                const int narrow = types[t][0] == 'e';
                char opcode[160];
                snprintf(opcode, sizeof opcode, "mma%s.sync.aligned.m%un8k%u.row.col%s%s%s.%s.%s.%s.%s",
                         sparse ? ".sp::ordered_metadata" : "", m, k, q ? ".kind::" : "", kinds[q],
                         q > 1 ? ".block_scale.scale_vec::1X" : "", sum_of(types[t]), types[t], types[t],
                         sum_of(types[t]));
                if (q == 2 && narrow && strcmp(types[t], "e4m3") != 0 && strcmp(types[t], "e2m1") != 0)
                    continue;
                if (q == 0 && narrow && strcmp(types[t], "e4m3") != 0 && strcmp(types[t], "e5m2") != 0)
                    continue;
                /* narrower than 8 bits: the assembler has no k = 16 */
                if (q == 1 && narrow && m == 16 && k == 16) continue;
                const int good = is_accepted("mma", kinds[q], types[t], sparse, m, 8, k);
                double want = good ? (sparse ? 1.0 : 2.0) * m * 8 * k : 0.0;
                if (good && strcmp(types[t], "f16") == 0 && m == 8) want *= 4.0; /* of each 8 threads */
                CHECK(operations_of(opcode, 32) == want);
                if (check_failures) printf("  in %s\n", opcode);
                known += (unsigned)good;
            }
    CHECK(known == 66 - 2); /* all of the table but the two with k = 16 */
    for (unsigned t = 0; t < TYPES; ++t)
        for (unsigned at = 0; at < 3 * 3 * 6; ++at) {
            const unsigned m = side[at % 3], n = side[at / 3 % 3], k = 4u << at / 9;
            char opcode[160], four[40];
            if (types[t][0] == 'e') continue;
            snprintf(four, sizeof four, "%s.%s.%s.%s", sum_of(types[t]), types[t], types[t],
                     sum_of(types[t]));
            snprintf(opcode, sizeof opcode, "wmma.mma.sync.aligned.row.col.m%un%uk%u.%s", m, n, k,
                     strcmp(types[t], "f16") == 0 ? "f16.f32" : four);
            CHECK(operations_of(opcode, 32) ==
                  (is_accepted("wmma", "", types[t], 0, m, n, k) ? 2.0 * m * n * k : 0.0));
            if (check_failures) printf("  in %s\n", opcode);
        }
}

static void products_of_warpgroups_are_those_of_the_assembler(void) {
    for (unsigned t = 0; t < TYPES; ++t)
        for (unsigned at = 0; at < 2 * 8; ++at) {
            const unsigned sparse = at & 1, k = 4u << (at >> 1);
            unsigned mask = 0;
            if (types[t][0] == 'e' && types[t][1] != '4' && types[t][1] != '5') continue; /* not tried */
            if (strcmp(types[t], "u4") == 0) continue;
            for (size_t i = 0; i < sizeof accepted_groups / sizeof accepted_groups[0]; ++i)
                if (strcmp(accepted_groups[i].type, types[t]) == 0 && accepted_groups[i].sparse == sparse &&
                    accepted_groups[i].k == k)
                    mask = accepted_groups[i].n;
            for (unsigned n = 4; n <= 264; n += 4) {
                const int good = n % 8 == 0 && n <= 256 && (mask >> (n / 8 - 1) & 1);
                char opcode[160];
                snprintf(opcode, sizeof opcode, "wgmma.mma_async%s.sync.aligned.m64n%uk%u.%s.%s.%s",
                         sparse ? ".sp" : "", n, k, sum_of(types[t]), types[t], types[t]);
                CHECK(operations_of(opcode, 128) == (good ? (sparse ? 1.0 : 2.0) * 64 * n * k : 0.0));
                if (check_failures) printf("  in %s\n", opcode);
            }
        }
}

/* A descriptor written by the table of the ISA: sparsity, n / 8 and m / 16 are its only parts that matter. */
static void descriptors_have_shapes(void) {
    static const struct {
        const char *opcode;
        unsigned k, ctas;
    } known[] = {{"tcgen05.mma.cta_group::1.kind::f16", 16, 1},
                 {"tcgen05.mma.cta_group::2.kind::f16", 16, 2},
                 {"tcgen05.mma.cta_group::1.kind::tf32", 8, 1},
                 {"tcgen05.mma.cta_group::1.kind::f8f6f4", 32, 1},
                 {"tcgen05.mma.cta_group::2.kind::i8", 32, 2},
                 {"tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X", 32, 1},
                 {"tcgen05.mma.cta_group::1.kind::mxf4.block_scale.scale_vec::2X", 64, 1},
                 {"tcgen05.mma.cta_group::2.kind::mxf4nvf4.block_scale.scale_vec::4X", 64, 2},
                 {"tcgen05.mma.ws.cta_group::1.kind::f16", 16, 1},
                 {"tcgen05.mma.sp.cta_group::1.kind::f16", 32, 1}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        sooth_ptx_form form = soothi_ptx_form_of(known[i].opcode, strlen(known[i].opcode));
        const int sparse = strstr(known[i].opcode, ".sp.") != NULL,
                  ws = strstr(known[i].opcode, ".ws.") != NULL;
        char why[112];
        CHECK(soothi_ptx_tensor_of(&form, why));
        CHECK(form.threads == 1 && form.ctas == known[i].ctas && form.operations == 0);
        for (unsigned m = 16; m <= 256; m += 16)
            for (unsigned n = 8; n <= 256; n += 8) {
                const uint32_t descriptor =
                    m / 16 << 24 | n / 8 << 17 | 3u << 7 | 1u << 4 | (unsigned)sparse << 2;
                const int good =
                    known[i].ctas == 2 ? m == 128 || m == 256 : m == 64 || m == 128 || (ws && m == 32);
                const double want = good ? (sparse ? 1.0 : 2.0) * m * n * known[i].k : 0.0;
                CHECK((double)soothi_ptx_tensor_described(&form, descriptor) == want);
                CHECK(soothi_ptx_tensor_described(&form, descriptor ^ 4u) ==
                      0); /* the opcode is not sparse */
            }
        CHECK(soothi_ptx_tensor_described(&form, 0) == 0);
        const int four = strstr(known[i].opcode, "mxf4") != NULL;
        if (four)
            CHECK(soothi_ptx_tensor_described(&form, 1u << 31 | 8u << 24 | 4u << 17) == 2 * 128 * 32 * 96);
    }
}

/* ---- kernels ---- */

/* Operations by data type, of one thread times its threads: what a warp, or a block, does. */
static void check_products(const sooth_ptx *ptx, const char *kernel, double threads,
                           const double want[SOOTH_PTX_TENSORS], const double want_block[SOOTH_PTX_TENSORS]) {
    sooth_ptx_counts c;
    CHECK_STATUS(sooth_ptx_count(&env, ptx, kernel_of(ptx, kernel), NULL, &c), SOOTH_OK);
    for (unsigned t = 0; t < SOOTH_PTX_TENSORS; ++t) {
        CHECK(c.tensor[t] * threads == want[t]);
        CHECK(c.block_tensor[t] == want_block[t]);
        if (check_failures) printf("  %s in %s: %g\n", sooth_ptx_tensor_name(t), kernel, c.tensor[t]);
    }
    sooth_ptx_counts_free(&env, ptx, &c);
}

static const double none[SOOTH_PTX_TENSORS];

/* A product of m x 64 by 64 x n takes 128 m n operations, and a block has 16 x 16 results. Its SASS has 8
   HMMA.16816. The loads of the two operands are each 16 x 16 halves for each of four steps. */
static void wmma_is_a_product(void) {
    const double want[SOOTH_PTX_TENSORS] = {[SOOTH_PTX_TENSOR_F16] = 128.0 * 16 * 16};
    sooth_ptx ptx;
    sooth_ptx_counts c;
    if (!read_file("tensor.ptx", &ptx)) CHECK_SKIP("tests/golden/ptx is not here");
    CHECK(8 * 2 * 16 * 8 * 16 == 128 * 16 * 16);
    check_products(&ptx, "wmma_product", 32, want, none);
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, kernel_of(&ptx, "wmma_product"), NULL, &c), SOOTH_OK);
    CHECK(c.loaded[SOOTH_PTX_CLASS_GLOBAL] * 32 == 4 * 2 * 16 * 16 * 2);
    CHECK(c.stored[SOOTH_PTX_CLASS_GLOBAL] * 32 == 16 * 16 * 4);
    CHECK(c.kind[SOOTH_PTX_KIND_FP32] == 0 && c.kind[SOOTH_PTX_KIND_FP16] == 0);
    CHECK(c.unsized == 0 && c.unshaped == 0 && c.block_unsized == 0 && c.block_unshaped == 0);
    sooth_ptx_counts_free(&env, &ptx, &c);
    sooth_ptx_free(&env, &ptx);
}

/* 64 x 32 results of a block and k = 16 steps take 2 * 64 * 32 k operations; cp.async reads 64 x 16 and
   16 x 32 values of 16 bits in each step; ldmatrix reads those of a, and all of b for each of the four warps.
   The SASS has 4 HMMA.16816, LDGSTS of 128 and of 64 bits, 3 LDSM. */
static void mma_is_a_product(void) {
    sooth_ptx ptx;
    if (!read_file("tensor.ptx", &ptx)) CHECK_SKIP("tests/golden/ptx is not here");
    for (int64_t steps = 1; steps <= 100; steps += 33) {
        const sooth_ptx_value value = {"3", steps};
        sooth_ptx_count_options given;
        sooth_ptx_counts c;
        memset(&given, 0, sizeof given);
        given.value = &value;
        given.values = 1;
        CHECK_STATUS(sooth_ptx_count(&env, &ptx, kernel_of(&ptx, "mma_product"), &given, &c), SOOTH_OK);
        CHECK(c.assumed == 0);
        CHECK(c.tensor[SOOTH_PTX_TENSOR_BF16] * 128 == 2.0 * 64 * 32 * 16 * (double)steps);
        CHECK(c.loaded[SOOTH_PTX_CLASS_GLOBAL] * 128 == (64 * 16 + 16 * 32) * 2.0 * (double)steps);
        CHECK(c.stored[SOOTH_PTX_CLASS_GLOBAL] * 128 == 64 * 32 * 4);
        CHECK(c.loaded[SOOTH_PTX_CLASS_SHARED] * 128 == (64 * 16 + 4 * 16 * 32) * 2.0 * (double)steps);
        CHECK(c.kind[SOOTH_PTX_KIND_TENSOR] == 4.0 * (double)steps && c.kind[SOOTH_PTX_KIND_FP32] == 0);
        sooth_ptx_counts_free(&env, &ptx, &c);
    }
    sooth_ptx_free(&env, &ptx);
}

/* By the shapes in the names of the SASS: HMMA.16816, HMMA.1688.BF16, HMMA.1688.TF32, HMMA.SP.16832,
   IMMA.16832, IMMA.16864, BMMA.168256, DMMA.884; the others QMMA and OMMA. */
static void every_type_counts_by_itself(void) {
    const double want[SOOTH_PTX_TENSORS] = {[SOOTH_PTX_TENSOR_F16] = 2 * 16 * 8 * 16 + 16 * 8 * 32,
                                            [SOOTH_PTX_TENSOR_BF16] = 2 * 16 * 8 * 8,
                                            [SOOTH_PTX_TENSOR_TF32] = 2 * 16 * 8 * 8,
                                            [SOOTH_PTX_TENSOR_I8] = 2 * 16 * 8 * 32,
                                            [SOOTH_PTX_TENSOR_I4] = 2 * 16 * 8 * 64,
                                            [SOOTH_PTX_TENSOR_B1] = 2 * 16 * 8 * 256,
                                            [SOOTH_PTX_TENSOR_F64] = 2 * 8 * 8 * 4};
    const double scaled[SOOTH_PTX_TENSORS] = {[SOOTH_PTX_TENSOR_F8] = 2 * 16 * 8 * 32 + 16 * 8 * 64,
                                              [SOOTH_PTX_TENSOR_MXF8] = 2 * 16 * 8 * 32,
                                              [SOOTH_PTX_TENSOR_MXF4] = 2 * 16 * 8 * 64,
                                              [SOOTH_PTX_TENSOR_NVF4] = 2 * 16 * 8 * 64};
    sooth_ptx ptx;
    if (!read_file("tensor.ptx", &ptx)) CHECK_SKIP("tests/golden/ptx is not here");
    check_products(&ptx, "every_type", 32, want, none);
    sooth_ptx_free(&env, &ptx);
    if (!read_file("scaled.ptx", &ptx)) CHECK_SKIP("tests/golden/ptx is not here");
    check_products(&ptx, "scaled", 32, scaled, none);
    sooth_ptx_free(&env, &ptx);
}

/* HGMMA.64x64x16 four times, and once HGMMA.SP.64x64x32, QGMMA.64x64x32, HGMMA.64x64x8, IGMMA.64x8x32. Thread
   0 copies 64 x 64 values of 16 bits for its block, and as many by a tensor map: its barrier awaits both. */
static void warpgroups_and_bulk_copies(void) {
    const double product[SOOTH_PTX_TENSORS] = {[SOOTH_PTX_TENSOR_BF16] = 4 * 2 * 64 * 64 * 16};
    const double other[SOOTH_PTX_TENSORS] = {[SOOTH_PTX_TENSOR_F16] = 64 * 64 * 32,
                                             [SOOTH_PTX_TENSOR_F8] = 2 * 64 * 64 * 32,
                                             [SOOTH_PTX_TENSOR_TF32] = 2 * 64 * 64 * 8,
                                             [SOOTH_PTX_TENSOR_I8] = 2 * 64 * 8 * 32};
    const sooth_ptx_value value[2] = {{"3", 4096}, {"3", 7}};
    sooth_ptx ptx;
    sooth_ptx_counts c;
    sooth_ptx_count_options given;
    memset(&given, 0, sizeof given);
    if (!read_file("bulk.ptx", &ptx)) CHECK_SKIP("tests/golden/ptx is not here");
    check_products(&ptx, "wgmma_product", 128, product, none);
    check_products(&ptx, "other_kinds", 128, other, none);
    given.value = &value[1];
    given.values = 1;
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, kernel_of(&ptx, "wgmma_product"), &given, &c), SOOTH_OK);
    CHECK(c.block_loaded[SOOTH_PTX_CLASS_GLOBAL] == 7 * 2 * 64 * 64 * 2 &&
          c.loaded[SOOTH_PTX_CLASS_GLOBAL] == 0);
    CHECK(c.awaited == 7 && c.block_unsized == 0 && c.unsized == 0);
    CHECK(c.tensor[SOOTH_PTX_TENSOR_BF16] * 128 == 7 * 2.0 * 64 * 64 * 64);
    sooth_ptx_counts_free(&env, &ptx, &c);
    /* a constant in a register, one read for a whole cluster; a size that the kernel is given; and 64 bytes
       that every thread adds */
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, kernel_of(&ptx, "other_kinds"), NULL, &c), SOOTH_OK);
    CHECK(c.block_loaded[SOOTH_PTX_CLASS_GLOBAL] == 3 * 512 + 16 && c.block_unsized == 1);
    CHECK(c.block_stored[SOOTH_PTX_CLASS_GLOBAL] == 0 && c.stored[SOOTH_PTX_CLASS_GLOBAL] == 64 + 32 * 4);
    CHECK(c.stored[SOOTH_PTX_CLASS_SHARED] == 16); /* stmatrix: four matrices of 8 x 8 halves for a warp */
    sooth_ptx_counts_free(&env, &ptx, &c);
    given.value = &value[0];
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, kernel_of(&ptx, "other_kinds"), &given, &c), SOOTH_OK);
    CHECK(c.block_stored[SOOTH_PTX_CLASS_GLOBAL] == 4096 && c.block_unsized == 0);
    sooth_ptx_counts_free(&env, &ptx, &c);
    sooth_ptx_free(&env, &ptx);
}

/* One thread issues them: of 128 threads, a block still does what its descriptors say. */
static void blocks_multiply(void) {
    const double product[SOOTH_PTX_TENSORS] = {[SOOTH_PTX_TENSOR_F16] = 4 * 2.0 * 128 * 256 * 16};
    const double pair[SOOTH_PTX_TENSORS] = {[SOOTH_PTX_TENSOR_F8] = 2.0 * 256 * 256 * 32 / 2};
    double other[SOOTH_PTX_TENSORS] = {
        [SOOTH_PTX_TENSOR_TF32] = 2 * 64 * 64 * 8,    [SOOTH_PTX_TENSOR_F8] = 2 * 128 * 64 * 32,
        [SOOTH_PTX_TENSOR_I8] = 2 * 128 * 32 * 32,    [SOOTH_PTX_TENSOR_F16] = 128 * 64 * 32,
        [SOOTH_PTX_TENSOR_MXF8] = 2 * 128 * 128 * 32, [SOOTH_PTX_TENSOR_MXF4] = 2 * 128 * 128 * 64,
        [SOOTH_PTX_TENSOR_NVF4] = 2 * 128 * 256 * 64};
    const sooth_ptx_value value = {"4", 128 / 16 << 24 | 96 / 8 << 17};
    sooth_ptx ptx;
    sooth_ptx_counts c;
    sooth_ptx_count_options given;
    if (!read_file("blackwell.ptx", &ptx)) CHECK_SKIP("tests/golden/ptx is not here");
    check_products(&ptx, "tcgen05_product", 128, none, product);
    check_products(&ptx, "pair_product", 128, none, pair);
    check_products(&ptx, "other_products", 128, none, other);
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, kernel_of(&ptx, "other_products"), NULL, &c), SOOTH_OK);
    CHECK(c.block_unshaped == 1); /* the host has its descriptor; */
    sooth_ptx_counts_free(&env, &ptx, &c);
    memset(&given, 0, sizeof given); /* here it is */
    given.value = &value;
    given.values = 1;
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, kernel_of(&ptx, "other_products"), &given, &c), SOOTH_OK);
    CHECK(c.block_unshaped == 0);
    CHECK(c.block_tensor[SOOTH_PTX_TENSOR_F16] == 128 * 64 * 32 + 2 * 128 * 96 * 16);
    sooth_ptx_counts_free(&env, &ptx, &c);
    sooth_ptx_free(&env, &ptx);
}

/* ---- copies ---- */

/* The bytes that a thread, and a block, loads from global memory, and what has no size. */
static void copies_have_sizes(void) {
    static const struct {
        const char *body;
        double loaded, block, unsized, block_unsized;
    } known[] = {
        {"cp.async.ca.shared.global [a], [b], 4;", 4, 0, 0, 0},
        {"cp.async.cg.shared.global.L2::128B [a], [b], 16;", 16, 0, 0, 0},
        {"cp.async.cg.shared.global [a], [b], 16, 8;", 8, 0, 0, 0},   /* the rest are zeros; */
        {"cp.async.cg.shared.global [a], [b], 16, %s;", 16, 0, 0, 0}, /* at most */
        {"cp.async.ca.shared.global.L2::cache_hint [a], [b], 8, %l;", 8, 0, 0, 0},
        {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [a], [b], 4096, [c];", 4096, 0, 0,
         0},
        {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [a], [b], 96, "
         "[c], 3;",
         96, 0, 0, 0},
        {"mov.u32 %s, 48;\ncp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [a], [b], %s, [c];",
         48, 0, 0, 0},
        {"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [a], [b], %s, [c];", 0, 0, 1, 0},
        {"cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [a], [m, {x, y}], [c];", 0,
         0, 1, 0},
        {"cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
         "[a], [m, "
         "{x}], [c], 3;",
         0, 0, 1, 0},
        {"cp.async.bulk.prefetch.L2.global [b], 64;\ncp.async.bulk.prefetch.tensor.1d.L2.global [m, {x}];\n"
         "prefetch.global.L2 [b];",
         0, 0, 0, 0},
        /* elected: by the instruction, by a branch around it, by two tests, in a loop, by two dimensions */
        {"elect.sync _|%p, 0xffffffff;\n@%p cp.async.bulk.shared::cta.global [a], [b], 32, [c];", 0, 32, 0,
         0},
        {"elect.sync %s|%p, 0xffffffff;\n@!%p bra N;\ncp.async.bulk.shared::cta.global [a], [b], 32, "
         "[c];\nN:",
         0, 32, 0, 0},
        {"setp.ne.u32 %p, %tid.x, 0;\n@%p bra N;\ncp.async.bulk.shared::cta.global [a], [b], %l, [c];\nN:", 0,
         0, 0, 1},
        {"mov.u32 %t, %tid.x;\nsetp.eq.s32 %q, %t, 32;\nelect.sync _|%e, -1;\nand.pred %p, %q, %e;\n"
         "@%p cp.async.bulk.shared::cta.global [a], [b], 32, [c];",
         0, 32, 0, 0},
        {"mov.u32 %s, 0;\nelect.sync _|%p, -1;\n@%p mov.u32 %s, 1;\nsetp.ne.u32 %q, %s, 0;\nmov.u32 %i, 0;\n"
         "L: @!%q bra M;\ncp.async.bulk.shared::cta.global [a], [b], 32, [c];\n"
         "M: add.u32 %i, %i, 1;\nsetp.lt.u32 %z, %i, 10;\n@%z bra L;",
         0, 320, 0, 0},
        {"mov.u32 %x, %tid.x;\nmov.u32 %y, %tid.y;\nor.b32 %s, %x, %y;\nsetp.ne.s32 %p, %s, 0;\n@%p bra N;\n"
         "cp.async.bulk.shared::cta.global [a], [b], 32, [c];\nN:",
         0, 32, 0, 0},
        /* not elected: a bound, another register, a choice whose sides meet before it */
        {"setp.ge.u32 %p, %tid.x, 7;\n@%p bra N;\ncp.async.bulk.shared::cta.global [a], [b], 32, [c];\nN:",
         32, 0, 0, 0},
        {"setp.eq.u32 %p, %ctaid.x, 7;\n@%p cp.async.bulk.shared::cta.global [a], [b], 32, [c];", 32, 0, 0,
         0},
        {"setp.ne.u32 %p, %tid.x, 0;\n@%p bra N;\nadd.u32 a, a, 1;\n"
         "N: cp.async.bulk.shared::cta.global [a], [b], 32, [c];",
         32, 0, 0, 0}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        sooth_ptx ptx;
        sooth_ptx_counts c;
        read_body("8.7", known[i].body, &ptx);
        CHECK(ptx.errors == 0 && ptx.unknown == 0);
        CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, NULL, &c), SOOTH_OK);
        CHECK(c.loaded[SOOTH_PTX_CLASS_GLOBAL] == known[i].loaded);
        CHECK(c.block_loaded[SOOTH_PTX_CLASS_GLOBAL] == known[i].block);
        CHECK(c.unsized == known[i].unsized && c.block_unsized == known[i].block_unsized);
        if (check_failures) printf("  in %s\n", known[i].body);
        sooth_ptx_counts_free(&env, &ptx, &c);
        sooth_ptx_free(&env, &ptx);
    }
}

/* Loads by tensor maps: bytes of a thread and of a block, and those whose bytes are known from a barrier. */
static void barriers_await_the_bytes_of_tensor_maps(void) {
#define ELECT "elect.sync _|%p, -1;\n"
#define EXPECT "mbarrier.arrive.expect_tx.shared::cta.b64 _, [c], "
#define MAP "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes"
#define COPY "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
    static const struct {
        const char *body;
        double loaded, block, awaited, unsized;
    } known[] = {
        {EXPECT "640;\n" MAP " [a], [m, {x}], [c];", 640, 0, 1, 0},
        {ELECT "@%p " EXPECT "640;\n@%p " MAP " [a], [m, {x}], [c];\n@%p " MAP " [a], [n, {x}], [c];", 0, 640,
         2, 0},
        {ELECT "@%p mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [c], 640;\n@%p " MAP
               " [a], [m, {x}], [c];",
         0, 640, 1, 0},
        {ELECT "@%p " EXPECT "640;\n@%p " COPY " [a], [b], 128, [c];\n@%p " MAP " [a], [m, {x}], [c];", 0,
         640, 1, 0},
        {"mov.u32 %i, 0;\nelect.sync _|%p, -1;\nL: @!%p bra M;\n" EXPECT "64;\n" MAP " [a], [m, {x}], [c];\n"
         "M: add.u32 %i, %i, 1;\nsetp.lt.u32 %z, %i, 10;\n@%z bra L;",
         0, 640, 10, 0},
        /* not known: no barrier, an unknown number, nothing left, another block, another level, a store */
        {MAP " [a], [m, {x}], [c];", 0, 0, 0, 1},
        {EXPECT "%given;\n" MAP " [a], [m, {x}], [c];", 0, 0, 0, 1},
        {EXPECT "128;\n" COPY " [a], [b], 128, [c];\n" MAP " [a], [m, {x}], [c];", 128, 0, 0, 1},
        {EXPECT "128;\n" COPY " [a], [b], %given, [c];\n" MAP " [a], [m, {x}], [c];", 0, 0, 0, 2},
        {EXPECT "128;\n" MAP ".multicast::cluster [a], [m, {x}], [c], 3;", 0, 0, 0, 1},
        {EXPECT "128;\nst.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [a], b, [c];\n" MAP
                " [a], [m, {x}], [c];",
         0, 0, 0, 1},
        {EXPECT "128;\nred.async.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [a], b, [c];\n" MAP
                " [a], [m, {x}], [c];",
         0, 0, 0, 1},
        {EXPECT "128;\ncp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [a], [b], 64, "
                "[c];\n" MAP " [a], [m, {x}], [c];",
         0, 0, 0, 1},
        {ELECT EXPECT "640;\n@%p " MAP " [a], [m, {x}], [c];", 0, 0, 0, 1},
        {EXPECT "640;\ncp.async.bulk.tensor.1d.global.shared::cta.bulk_group [m, {x}], [a];", 0, 0, 0, 1}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        sooth_ptx ptx;
        sooth_ptx_counts c;
        read_body("8.7", known[i].body, &ptx);
        CHECK(ptx.errors == 0 && ptx.unknown == 0);
        CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, NULL, &c), SOOTH_OK);
        CHECK(c.loaded[SOOTH_PTX_CLASS_GLOBAL] == known[i].loaded);
        CHECK(c.block_loaded[SOOTH_PTX_CLASS_GLOBAL] == known[i].block);
        CHECK(c.awaited == known[i].awaited && c.unsized + c.block_unsized == known[i].unsized);
        if (check_failures) printf("  in %s\n", known[i].body);
        sooth_ptx_counts_free(&env, &ptx, &c);
        sooth_ptx_free(&env, &ptx);
    }
#undef ELECT
#undef EXPECT
#undef MAP
#undef COPY
}

/* ---- mistakes ---- */

static void what_the_isa_lacks_is_refused(void) {
    static const struct {
        const char *line, *note;
    } bad[] = {
        {"mma.sync.aligned.m16n8k9.row.col.f32.f16.f16.f32 a, b, c, d;",
         "f16 has the shapes m8n8k4, m16n8k8, m16n8k16"},
        {"mma.sync.aligned.m16n8.row.col.f32.f16.f16.f32 a, b, c, d;", "it has no shape such as m16n8k16"},
        {"mma.sync.aligned.m16n8k99999.row.col.f32.f16.f16.f32 a, b, c, d;", "it has no shape"},
        {"mma.sync.aligned.row.col.f32.f16.f16.f32 a, b, c, d;", "it has no shape"},
        {"mma.sync.aligned.m16n8k16.row.col.f32 a, b, c, d;",
         "no tensor core multiplies matrices of its types"},
        {"mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 a, b, c, d;", "no tensor core multiplies"},
        {"mma.sync.aligned.m16n8k16.row.col.f32.u32.u32.f32 a, b, c, d;", "no tensor core multiplies"},
        {"mma.sync.aligned.m16n8k32.row.col.kind::f9.f32.e4m3.e4m3.f32 a, b, c, d;",
         "no tensor core multiplies"},
        {"mma.sync.aligned.m16n8k64.row.col.kind::mxf4.f32.e4m3.e4m3.f32 a, b, c, d;",
         "no tensor core multiplies"},
        {"mma.sp.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 a, b, c, d;",
         "f16 sparse has the shapes m16n8k16, m16n8k32"},
        {"mma.sp.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 a, b, c, d;", "f64 sparse has no shape here"},
        {"wmma.mma.sync.aligned.row.col.m16n16k8.f32.f32 a, b, c, d;",
         "f16 has the shapes m16n16k16, m32n8k16, m8n32k16"},
        {"wmma.load.a.sync.aligned.row.m16n16k17.global.f16 {a}, [b];", "wmma has no such shape"},
        {"wmma.store.d.sync.aligned.row.global.f32 [b], {a};", "wmma has no such shape"},
        {"wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8 {d}, a, b, p;",
         "i8 has the shapes m64nNk32, N 8, 24 or a multiple of 16 up to 256"},
        {"wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16 {d}, a, b, p;",
         "f16 has the shapes m64nNk16, N a multiple of 8 up to 256"},
        {"tcgen05.mma.cta_group::1 [d], a, b, i, p;", "it has no .kind"},
        {"tcgen05.mma.cta_group::1.kind::f64 [d], a, b, i, p;", "this .kind is not known"},
        {"tcgen05.mma.cta_group::1.kind::f128 [d], a, b, i, p;", "this .kind is not known"},
        {"tcgen05.mma.kind::f16 [d], a, b, i, p;", "it needs .cta_group::1 or .cta_group::2"},
        {"cp.async.ca.shared.global [a], [b], 12;", "has a size that is not 4, 8 or 16 bytes"},
        {"cp.async.bulk.shared::cta.global [a], [b], 20, [c];",
         "has a size that is not a multiple of 16 below 4 GiB"},
        {"cp.async.bulk.shared::cta.global [a], [b], 4294967296, [c];",
         "has a size that is not a multiple of 16"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        for (unsigned twice = 0; twice < 2; ++twice) { /* the form is known the second time */
            char body[400];
            sooth_ptx ptx;
            sooth_ptx_counts c;
            snprintf(body, sizeof body, "%s\nret;\n}\n.entry l() {\nmov.u32 a, 1;\n%s",
                     twice ? bad[i].line : "", bad[i].line);
            read_body("9.0", body, &ptx);
            CHECK(ptx.errors == 1 + twice && ptx.notes == 1 + twice);
            CHECK(strstr(ptx.note[twice].text, bad[i].note) != NULL);
            CHECK(ptx.note[twice].line == 11);
            if (check_failures) printf("  in %s: %s\n", bad[i].line, ptx.note[0].text);
            CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, 1, NULL, &c), SOOTH_BAD_TEXT,
                        "l cannot be counted: line");
            sooth_ptx_free(&env, &ptx);
        }
    }
}

/* A newer ISA may have more shapes: a remark, and work that is not known. */
static void a_newer_isa_may_have_it(void) {
    sooth_ptx ptx;
    sooth_ptx_counts c;
    read_body("9.9",
              "mma.sync.aligned.m16n8k512.row.col.f32.f16.f16.f32 a, b, c, d;\n"
              "mma.sync.aligned.m16n8k512.row.col.f32.f16.f16.f32 a, b, c, d;\n"
              "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 a, b, c, d;\n"
              "tcgen05.mma.cta_group::1.kind::f128 [d], a, b, i, p;",
              &ptx);
    CHECK(ptx.errors == 0 && ptx.remarks == 2);
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, NULL, &c), SOOTH_OK);
    CHECK(c.unshaped == 2 && c.block_unshaped == 1);
    CHECK(c.tensor[SOOTH_PTX_TENSOR_F16] == 2.0 * 16 * 8 * 16 / 32);
    CHECK(c.kind[SOOTH_PTX_KIND_TENSOR] == 4);
    sooth_ptx_counts_free(&env, &ptx, &c);
    sooth_ptx_free(&env, &ptx);
}

static void names(void) {
    for (unsigned t = 0; t < SOOTH_PTX_TENSORS; ++t) CHECK(sooth_ptx_tensor_name(t)[0] != 0);
    CHECK(strcmp(sooth_ptx_tensor_name(SOOTH_PTX_TENSOR_NVF4), "mxf4nvf4") == 0);
    CHECK(!sooth_ptx_tensor_name(SOOTH_PTX_TENSORS));
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(products_of_warps_are_those_of_the_assembler);
    CHECK_RUN(products_of_warpgroups_are_those_of_the_assembler);
    CHECK_RUN(descriptors_have_shapes);
    CHECK_RUN(wmma_is_a_product);
    CHECK_RUN(mma_is_a_product);
    CHECK_RUN(every_type_counts_by_itself);
    CHECK_RUN(warpgroups_and_bulk_copies);
    CHECK_RUN(blocks_multiply);
    CHECK_RUN(copies_have_sizes);
    CHECK_RUN(barriers_await_the_bytes_of_tensor_maps);
    CHECK_RUN(what_the_isa_lacks_is_refused);
    CHECK_RUN(a_newer_isa_may_have_it);
    CHECK_RUN(names);
    return check_end("tensor");
}
