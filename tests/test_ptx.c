/* test_ptx.c - kernels counted by hand and by another counter, graphs against definitions, loops and runs.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/ptx.h"

#include "check.h"
#include "golden/ptx/counts.h"

static sooth_env env;

/* ---- files and texts ---- */

static char file_text[65536];

/* Reads tests/golden/ptx/NAME, from the repository's root or from tests/. */
static size_t load(const char *name) {
    static const char *const folder[2] = {"tests/golden/ptx/", "golden/ptx/"};
    size_t size = 0, i;
    for (i = 0; i < 2; ++i) {
        char path[256];
        FILE *file;
        snprintf(path, sizeof path, "%s%s", folder[i], name);
        file = fopen(path, "rb");
        if (!file) continue;
        size = fread(file_text, 1, sizeof file_text - 1, file);
        fclose(file);
        break;
    }
    file_text[size] = 0;
    return size;
}

/* A text in memory of exactly its size, so that reading past it is seen. */
static char *exact;

static sooth_status read_text(const char *text, size_t size, sooth_ptx *ptx) {
    sooth_status status;
    free(exact);
    exact = (char *)malloc(size ? size : 1);
    if (!exact) abort();
    memcpy(exact, text, size);
    sooth_env_init(&env);
    status = sooth_ptx_read(&env, exact, size, NULL, ptx);
    if (status != SOOTH_OK) {
        CHECK(env.sentence[0] != 0);
        CHECK(ptx->functions == 0 && ptx->instruction == NULL);
    }
    return status;
}

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

/* A kernel k with this body. */
static void read_body(const char *body, sooth_ptx *ptx) {
    static char text[65536];
    snprintf(text, sizeof text, HEAD ".visible .entry k(.param .u64 a, .param .u32 k_param_1)\n{\n%s\n}\n",
             body);
    CHECK_STATUS(read_text(text, strlen(text), ptx), SOOTH_OK);
    CHECK(ptx->errors == 0);
    if (ptx->errors)
        printf("  line %u, column %u: %s\n", ptx->note[0].line, ptx->note[0].column, ptx->note[0].text);
}

static int is_named(sooth_ptx_word word, const char *name) {
    return word.length == strlen(name) && memcmp(word.text, name, word.length) == 0;
}

static const sooth_ptx_function *function_of(const sooth_ptx *ptx, const char *name) {
    size_t i = soothi_ptx_function_index(ptx, name);
    CHECK(i < ptx->functions);
    return i < ptx->functions ? &ptx->function[i] : NULL;
}

/* The loop whose header has this label, or NULL. */
static const sooth_ptx_loop *loop_of(const sooth_ptx *ptx, const char *label) {
    size_t i;
    for (i = 0; i < ptx->labels; ++i) {
        const sooth_ptx_label *l = &ptx->label[i];
        if (!is_named(l->name, label) || l->block == SOOTH_PTX_NONE ||
            ptx->block[l->block].loop == SOOTH_PTX_NONE)
            continue;
        if (ptx->loop[ptx->block[l->block].loop].header == l->block)
            return &ptx->loop[ptx->block[l->block].loop];
    }
    return NULL;
}

typedef struct buffer {
    char text[16384];
    size_t size;
} buffer;

static int collect(void *user, const char *text, size_t size) {
    buffer *b = (buffer *)user;
    if (size > sizeof b->text - 1 - b->size) return 1;
    memcpy(b->text + b->size, text, size);
    b->size += size;
    b->text[b->size] = 0;
    return 0;
}

static sooth_sink sink_of(buffer *b) {
    sooth_sink sink = {b, collect, 0};
    b->size = 0;
    b->text[0] = 0;
    return sink;
}

/* ---- tables ---- */

static void opcodes_are_sorted_and_found(void) {
    unsigned i;
    for (i = 0; i < SOOTH_PTX_OP_UNKNOWN; ++i) {
        const char *name = sooth_ptx_opcode_name(i);
        if (i) CHECK(strcmp(sooth_ptx_opcode_name((i - 1)), name) < 0);
        CHECK(soothi_ptx_find_opcode(soothi_ptx_word(name, strlen(name))) == i);
    }
    CHECK(soothi_ptx_find_opcode(soothi_ptx_word("ad", 2)) == SOOTH_PTX_OP_UNKNOWN);
    CHECK(soothi_ptx_find_opcode(soothi_ptx_word("adds", 4)) == SOOTH_PTX_OP_UNKNOWN);
    CHECK(soothi_ptx_find_opcode(soothi_ptx_word("zzz", 3)) == SOOTH_PTX_OP_UNKNOWN);
    CHECK(soothi_ptx_find_opcode(soothi_ptx_word("", 0)) == SOOTH_PTX_OP_UNKNOWN);
    for (i = 0; i < SOOTH_PTX_KINDS; ++i) CHECK(strlen(sooth_ptx_kind_name(i)) < 16);
    CHECK(strcmp(sooth_ptx_class_name(SOOTH_PTX_CLASS_PARAM), "parameter") == 0);
    CHECK(sooth_ptx_kind_class(SOOTH_PTX_KIND_SHARED_ATOMIC) == SOOTH_PTX_CLASS_SHARED &&
          sooth_ptx_kind_class(SOOTH_PTX_KIND_FENCE) == SOOTH_PTX_CLASS_MISC);
}

/* Opcodes of the ISA, by hand: kind, type, last type, vector, bytes, flags. */
static const struct {
    const char *text;
    int kind, type, source, vector, bytes, flags;
} known_forms[] = {
    {"add.s32", SOOTH_PTX_KIND_INT, SOOTH_PTX_TYPE_S32, SOOTH_PTX_TYPE_S32, 1, 0, 0},
    {"fma.rn.f32x2", SOOTH_PTX_KIND_FP32, SOOTH_PTX_TYPE_F32X2, SOOTH_PTX_TYPE_F32X2, 1, 0, 0},
    {"fma.rn.bf16x2", SOOTH_PTX_KIND_FP16, SOOTH_PTX_TYPE_BF16X2, SOOTH_PTX_TYPE_BF16X2, 1, 0, 0},
    {"mul.wide.u32", SOOTH_PTX_KIND_INT, SOOTH_PTX_TYPE_U32, SOOTH_PTX_TYPE_U32, 1, 0, SOOTH_PTX_FORM_WIDE},
    {"div.approx.ftz.f32", SOOTH_PTX_KIND_FP32, SOOTH_PTX_TYPE_F32, SOOTH_PTX_TYPE_F32, 1, 0,
     SOOTH_PTX_FORM_APPROX},
    {"min.f64", SOOTH_PTX_KIND_FP64, SOOTH_PTX_TYPE_F64, SOOTH_PTX_TYPE_F64, 1, 0, 0},
    {"lop3.b32", SOOTH_PTX_KIND_LOGIC, SOOTH_PTX_TYPE_B32, SOOTH_PTX_TYPE_B32, 1, 0, 0},
    {"rsqrt.approx.f32", SOOTH_PTX_KIND_SPECIAL, SOOTH_PTX_TYPE_F32, SOOTH_PTX_TYPE_F32, 1, 0,
     SOOTH_PTX_FORM_APPROX},
    {"cvt.rni.s32.f32", SOOTH_PTX_KIND_CONVERT, SOOTH_PTX_TYPE_S32, SOOTH_PTX_TYPE_F32, 1, 0, 0},
    {"setp.lt.and.s32", SOOTH_PTX_KIND_COMPARE, SOOTH_PTX_TYPE_S32, SOOTH_PTX_TYPE_S32, 1, 0, 0},
    {"shfl.sync.bfly.b32", SOOTH_PTX_KIND_WARP, SOOTH_PTX_TYPE_B32, SOOTH_PTX_TYPE_B32, 1, 0, 0},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", SOOTH_PTX_KIND_TENSOR, SOOTH_PTX_TYPE_F32,
     SOOTH_PTX_TYPE_F32, 1, 0, 0},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", SOOTH_PTX_KIND_TENSOR, SOOTH_PTX_TYPE_F32,
     SOOTH_PTX_TYPE_F16, 1, 0, 0},
    {"wgmma.commit_group.sync.aligned", SOOTH_PTX_KIND_ASYNC, 0, 0, 1, 0, 0},
    {"ld.global.nc.v4.f32", SOOTH_PTX_KIND_GLOBAL_LOAD, SOOTH_PTX_TYPE_F32, SOOTH_PTX_TYPE_F32, 4, 16, 0},
    {"ld.global.L1::evict_last.L2::128B.v8.b32", SOOTH_PTX_KIND_GLOBAL_LOAD, SOOTH_PTX_TYPE_B32,
     SOOTH_PTX_TYPE_B32, 8, 32, 0},
    {"ld.acquire.gpu.u64", SOOTH_PTX_KIND_GLOBAL_LOAD, SOOTH_PTX_TYPE_U64, SOOTH_PTX_TYPE_U64, 1, 8,
     SOOTH_PTX_FORM_GENERIC},
    {"ld.volatile.shared::cta.b128", SOOTH_PTX_KIND_SHARED_LOAD, SOOTH_PTX_TYPE_B128, SOOTH_PTX_TYPE_B128, 1,
     16, 0},
    {"ld.const[3].f32", SOOTH_PTX_KIND_CONSTANT_LOAD, SOOTH_PTX_TYPE_F32, SOOTH_PTX_TYPE_F32, 1, 4, 0},
    {"ld.param::entry.u16", SOOTH_PTX_KIND_PARAM_LOAD, SOOTH_PTX_TYPE_U16, SOOTH_PTX_TYPE_U16, 1, 2, 0},
    {"st.param.v2.b64", SOOTH_PTX_KIND_PARAM_STORE, SOOTH_PTX_TYPE_B64, SOOTH_PTX_TYPE_B64, 2, 16, 0},
    {"st.local.u8", SOOTH_PTX_KIND_LOCAL_STORE, SOOTH_PTX_TYPE_U8, SOOTH_PTX_TYPE_U8, 1, 1, 0},
    {"st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32", SOOTH_PTX_KIND_SHARED_STORE,
     SOOTH_PTX_TYPE_B32, SOOTH_PTX_TYPE_B32, 4, 16, 0},
    {"atom.relaxed.cluster.shared::cluster.add.u32", SOOTH_PTX_KIND_SHARED_ATOMIC, SOOTH_PTX_TYPE_U32,
     SOOTH_PTX_TYPE_U32, 1, 4, 0},
    {"red.global.add.noftz.f16x2", SOOTH_PTX_KIND_GLOBAL_ATOMIC, SOOTH_PTX_TYPE_F16X2, SOOTH_PTX_TYPE_F16X2,
     1, 4, 0},
    {"red.add.f32", SOOTH_PTX_KIND_GLOBAL_ATOMIC, SOOTH_PTX_TYPE_F32, SOOTH_PTX_TYPE_F32, 1, 4,
     SOOTH_PTX_FORM_GENERIC},
    {"cp.async.ca.shared.global", SOOTH_PTX_KIND_GLOBAL_LOAD, 0, 0, 1, 0, SOOTH_PTX_FORM_ASYNCHRONOUS},
    {"cp.async.bulk.global.shared::cta.bulk_group", SOOTH_PTX_KIND_GLOBAL_STORE, 0, 0, 1, 0,
     SOOTH_PTX_FORM_ASYNCHRONOUS | SOOTH_PTX_FORM_BULK},
    {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", SOOTH_PTX_KIND_SHARED_STORE, 0,
     0, 1, 0, SOOTH_PTX_FORM_ASYNCHRONOUS | SOOTH_PTX_FORM_BULK},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32", SOOTH_PTX_KIND_GLOBAL_ATOMIC,
     SOOTH_PTX_TYPE_U32, SOOTH_PTX_TYPE_U32, 1, 0, SOOTH_PTX_FORM_ASYNCHRONOUS | SOOTH_PTX_FORM_BULK},
    {"cp.async.wait_group", SOOTH_PTX_KIND_ASYNC, 0, 0, 1, 0, 0},
    {"cp.async.bulk.prefetch.L2.global", SOOTH_PTX_KIND_OTHER, 0, 0, 1, 0, 0},
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", SOOTH_PTX_KIND_SHARED_LOAD, SOOTH_PTX_TYPE_B16,
     SOOTH_PTX_TYPE_B16, 1, 16, 0},
    {"stmatrix.sync.aligned.m8n8.x2.b16", SOOTH_PTX_KIND_SHARED_STORE, SOOTH_PTX_TYPE_B16, SOOTH_PTX_TYPE_B16,
     1, 8, 0},
    {"wmma.load.a.sync.aligned.row.m16n16k16.global.f16", SOOTH_PTX_KIND_GLOBAL_LOAD, SOOTH_PTX_TYPE_F16,
     SOOTH_PTX_TYPE_F16, 1, 16, 0},
    {"wmma.store.d.sync.aligned.row.m16n16k16.shared.f32", SOOTH_PTX_KIND_SHARED_STORE, SOOTH_PTX_TYPE_F32,
     SOOTH_PTX_TYPE_F32, 1, 32, 0},
    {"tex.2d.v4.f32.s32", SOOTH_PTX_KIND_TEXTURE_LOAD, SOOTH_PTX_TYPE_F32, SOOTH_PTX_TYPE_S32, 4, 16, 0},
    {"sust.b.2d.v2.b32.trap", SOOTH_PTX_KIND_TEXTURE_STORE, SOOTH_PTX_TYPE_B32, SOOTH_PTX_TYPE_B32, 2, 8, 0},
    {"tcgen05.mma.cta_group::1.kind::f16", SOOTH_PTX_KIND_TENSOR, 0, 0, 1, 0, 0},
    {"tcgen05.ld.sync.aligned.32x32b.x1.b32", SOOTH_PTX_KIND_TENSOR_MEMORY, SOOTH_PTX_TYPE_B32,
     SOOTH_PTX_TYPE_B32, 1, 0, 0},
    {"mbarrier.arrive.expect_tx.shared::cta.b64", SOOTH_PTX_KIND_BARRIER, SOOTH_PTX_TYPE_B64,
     SOOTH_PTX_TYPE_B64, 1, 0, 0},
    {"fence.proxy.async", SOOTH_PTX_KIND_FENCE, 0, 0, 1, 0, 0},
    {"bra.uni", SOOTH_PTX_KIND_BRANCH, 0, 0, 1, 0, SOOTH_PTX_FORM_UNIFORM},
    {"brx.idx", SOOTH_PTX_KIND_BRANCH, 0, 0, 1, 0, 0},
    {"vadd4.u32.u32.u32.sat", SOOTH_PTX_KIND_INT, SOOTH_PTX_TYPE_U32, SOOTH_PTX_TYPE_U32, 1, 0, 0},
    {"cp.async.bulk.commit_group", SOOTH_PTX_KIND_ASYNC, 0, 0, 1, 0, 0},
    {"cp.async.bulk.wait_group.read", SOOTH_PTX_KIND_ASYNC, 0, 0, 1, 0, 0},
    {"cp.async.bulk.shared::cluster.global", SOOTH_PTX_KIND_GLOBAL_LOAD, 0, 0, 1, 0,
     SOOTH_PTX_FORM_ASYNCHRONOUS | SOOTH_PTX_FORM_BULK},
    {"cp.reduce.async.bulk.shared::cluster.shared::cta.add.u32", SOOTH_PTX_KIND_SHARED_ATOMIC,
     SOOTH_PTX_TYPE_U32, SOOTH_PTX_TYPE_U32, 1, 0, SOOTH_PTX_FORM_ASYNCHRONOUS | SOOTH_PTX_FORM_BULK},
    {"cp.mystery", SOOTH_PTX_KIND_OTHER, 0, 0, 1, 0, 0},
    {"multimem.ld_reduce.global.add.u32", SOOTH_PTX_KIND_GLOBAL_LOAD, SOOTH_PTX_TYPE_U32, SOOTH_PTX_TYPE_U32,
     1, 4, 0},
    {"multimem.st.global.u32", SOOTH_PTX_KIND_GLOBAL_STORE, SOOTH_PTX_TYPE_U32, SOOTH_PTX_TYPE_U32, 1, 4, 0},
    {"multimem.red.add.u32", SOOTH_PTX_KIND_GLOBAL_ATOMIC, SOOTH_PTX_TYPE_U32, SOOTH_PTX_TYPE_U32, 1, 4, 0},
    {"tensormap.replace.tile.global_address.global.b1024.b64", SOOTH_PTX_KIND_OTHER, SOOTH_PTX_TYPE_B64,
     SOOTH_PTX_TYPE_B64, 1, 0, 0},
    {"tensormap.cp_fenceproxy.global.shared::cta", SOOTH_PTX_KIND_ASYNC, 0, 0, 1, 0, 0},
    {"tcgen05.commit.cta_group::1", SOOTH_PTX_KIND_ASYNC, 0, 0, 1, 0, 0},
    {"tcgen05.wait::ld.sync.aligned", SOOTH_PTX_KIND_TENSOR_MEMORY, 0, 0, 1, 0, 0},
    {"st.bulk.weak.shared::cta", SOOTH_PTX_KIND_SHARED_STORE, 0, 0, 1, 0,
     SOOTH_PTX_FORM_ASYNCHRONOUS | SOOTH_PTX_FORM_BULK},
    {"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes",
     SOOTH_PTX_KIND_GLOBAL_LOAD, 0, 0, 1, 0,
     SOOTH_PTX_FORM_ASYNCHRONOUS | SOOTH_PTX_FORM_BULK | SOOTH_PTX_FORM_MAPPED},
    {"movmatrix.sync.aligned.m8n8.trans.b16", SOOTH_PTX_KIND_WARP, SOOTH_PTX_TYPE_B16, SOOTH_PTX_TYPE_B16, 1,
     0, 0},
    {"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8", SOOTH_PTX_KIND_SHARED_LOAD, SOOTH_PTX_TYPE_B8,
     SOOTH_PTX_TYPE_B8, 1, 8, 0},
    {"tld4.r.2d.v4.f32.f32", SOOTH_PTX_KIND_TEXTURE_LOAD, SOOTH_PTX_TYPE_F32, SOOTH_PTX_TYPE_F32, 4, 16, 0},
    /* k x n of m32n8k16: 16 x 8 halves of 2 bytes over 32 threads */
    {"wmma.load.b.sync.aligned.col.m32n8k16.shared.f16", SOOTH_PTX_KIND_SHARED_LOAD, SOOTH_PTX_TYPE_F16,
     SOOTH_PTX_TYPE_F16, 1, 8, 0},
    {"wmma.load.a.sync.aligned.row.m5000n8k16.global.f16", SOOTH_PTX_KIND_GLOBAL_LOAD, SOOTH_PTX_TYPE_F16,
     SOOTH_PTX_TYPE_F16, 1, 0, 0},
    {"wmma.load.a.sync.aligned.row.global.f16", SOOTH_PTX_KIND_GLOBAL_LOAD, SOOTH_PTX_TYPE_F16,
     SOOTH_PTX_TYPE_F16, 1, 0, 0},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", SOOTH_PTX_KIND_TENSOR, SOOTH_PTX_TYPE_F32,
     SOOTH_PTX_TYPE_F32, 1, 0, 0},
    {"div.full.f32", SOOTH_PTX_KIND_FP32, SOOTH_PTX_TYPE_F32, SOOTH_PTX_TYPE_F32, 1, 0,
     SOOTH_PTX_FORM_APPROX},
    {"quux.global.f32", SOOTH_PTX_KIND_UNKNOWN, SOOTH_PTX_TYPE_F32, SOOTH_PTX_TYPE_F32, 1, 0, 0}};

static void forms_say_what_they_are(void) {
    size_t i;
    for (i = 0; i < sizeof known_forms / sizeof known_forms[0]; ++i) {
        const sooth_ptx_form f = soothi_ptx_form_of(known_forms[i].text, strlen(known_forms[i].text));
        int wrong = check_failures;
        CHECK(f.kind == known_forms[i].kind);
        CHECK(f.type == known_forms[i].type && f.source == known_forms[i].source);
        CHECK(f.vector == known_forms[i].vector && f.bytes == known_forms[i].bytes);
        CHECK(f.flags == known_forms[i].flags);
        if (check_failures != wrong) printf("  in %s: %s\n", f.text, sooth_ptx_kind_name(f.kind));
    }
}

/* ---- kernels counted by hand ---- */

static void kernels_match_counts_by_hand(void) {
    static const struct {
        const char *file, *function;
        unsigned total, compute, global[3], shared[3], control, branch, misc, param, local, constant, blocks,
            edges, loops;
    } want[] = {{"vecadd.ptx", "vecadd", 22, 13, {2, 1, 0}, {0, 0, 0}, 2, 1, 0, 4, 0, 0, 3, 3, 0},
                {"saxpy.ptx", "saxpy", 25, 15, {2, 1, 0}, {0, 0, 0}, 3, 2, 0, 4, 0, 0, 4, 5, 1},
                {"reduce.ptx", "reduce", 38, 22, {1, 1, 0}, {3, 2, 0}, 5, 4, 2, 2, 0, 0, 7, 10, 1},
                {"matmul.ptx", "matmul", 69, 52, {2, 1, 0}, {2, 2, 0}, 4, 3, 2, 4, 0, 0, 6, 8, 2},
                {"stencil.ptx", "stencil", 45, 33, {5, 1, 0}, {0, 0, 0}, 2, 1, 0, 4, 0, 0, 3, 3, 0},
                {"histogram.ptx", "histogram", 34, 21, {1, 0, 1}, {1, 1, 1}, 3, 2, 2, 3, 0, 0, 4, 5, 1},
                {"branchy.ptx", "branchy", 60, 39, {2, 5, 0}, {0, 0, 0}, 11, 10, 0, 3, 0, 0, 12, 15, 0},
                {"nested.ptx", "nested", 40, 30, {2, 1, 0}, {0, 0, 0}, 5, 4, 0, 2, 0, 0, 9, 12, 4},
                {"switch.ptx", "dispatch", 60, 43, {1, 2, 0}, {0, 0, 0}, 10, 9, 0, 4, 0, 0, 12, 19, 0},
                {"mathfn.ptx", "mathfn", 38, 27, {1, 2, 0}, {0, 0, 0}, 2, 0, 0, 6, 0, 0, 1, 0, 0},
                {"mathfn.ptx", "_Z4polyff", 8, 4, {0, 0, 0}, {0, 0, 0}, 1, 0, 0, 3, 0, 0, 1, 0, 0},
                {"async.ptx", "asyncvec", 44, 30, {1, 1, 1}, {1, 0, 0}, 2, 1, 3, 3, 0, 2, 3, 3, 0},
                {"syntax.ptx", "k", 40, 14, {3, 1, 2}, {1, 1, 0}, 8, 4, 4, 4, 1, 1, 9, 12, 1},
                {"syntax.ptx", "pair", 4, 1, {0, 0, 0}, {0, 0, 0}, 1, 0, 0, 2, 0, 0, 1, 0, 0}};
    size_t i;
    sooth_ptx_count_options trips;
    memset(&trips, 0, sizeof trips);
    trips.each_once = 1;
    for (i = 0; i < sizeof want / sizeof want[0]; ++i) {
        sooth_ptx ptx;
        sooth_ptx_counts c;
        const sooth_ptx_function *f;
        size_t size = load(want[i].file), number;
        int wrong = check_failures;
        if (size == 0) CHECK_SKIP("tests/golden/ptx is not here");
        CHECK_STATUS(read_text(file_text, size, &ptx), SOOTH_OK);
        CHECK(ptx.errors == 0 && ptx.remarks == 0 && ptx.unknown == 0);
        number = soothi_ptx_function_index(&ptx, want[i].function);
        CHECK_STATUS(sooth_ptx_count(&env, &ptx, number, &trips, &c), SOOTH_OK);
        if (check_failures != wrong) return;
        f = &ptx.function[number];
        CHECK(c.total == want[i].total && f->instructions == want[i].total);
        CHECK(c.group[SOOTH_PTX_CLASS_COMPUTE] == want[i].compute);
        CHECK(c.kind[SOOTH_PTX_KIND_GLOBAL_LOAD] == want[i].global[0] &&
              c.kind[SOOTH_PTX_KIND_GLOBAL_STORE] == want[i].global[1]);
        CHECK(c.kind[SOOTH_PTX_KIND_GLOBAL_ATOMIC] == want[i].global[2]);
        CHECK(c.kind[SOOTH_PTX_KIND_SHARED_LOAD] == want[i].shared[0] &&
              c.kind[SOOTH_PTX_KIND_SHARED_STORE] == want[i].shared[1]);
        CHECK(c.kind[SOOTH_PTX_KIND_SHARED_ATOMIC] == want[i].shared[2]);
        CHECK(c.group[SOOTH_PTX_CLASS_CONTROL] == want[i].control &&
              c.kind[SOOTH_PTX_KIND_BRANCH] == want[i].branch);
        CHECK(c.group[SOOTH_PTX_CLASS_MISC] == want[i].misc &&
              c.group[SOOTH_PTX_CLASS_PARAM] == want[i].param);
        CHECK(c.group[SOOTH_PTX_CLASS_LOCAL] == want[i].local &&
              c.group[SOOTH_PTX_CLASS_CONSTANT] == want[i].constant);
        CHECK(f->blocks == want[i].blocks && f->edges == want[i].edges && f->loops == want[i].loops);
        CHECK(f->irreducible == 0 && f->unreachable == 0);
        if (check_failures != wrong) printf("  in %s\n", want[i].function);
        sooth_ptx_counts_free(&env, &ptx, &c);
        sooth_ptx_free(&env, &ptx);
    }
}

/* Against a counter made of regular expressions: golden/ptx/count.py. */
static void another_counter_agrees(void) {
    size_t i;
    sooth_ptx_count_options trips;
    memset(&trips, 0, sizeof trips);
    trips.each_once = 1;
    for (i = 0; i < sizeof counted / sizeof counted[0]; ++i) {
        sooth_ptx ptx;
        sooth_ptx_counts c;
        size_t size = load(counted[i].file);
        int wrong = check_failures;
        if (size == 0) CHECK_SKIP("tests/golden/ptx is not here");
        CHECK_STATUS(read_text(file_text, size, &ptx), SOOTH_OK);
        CHECK_STATUS(
            sooth_ptx_count(&env, &ptx, soothi_ptx_function_index(&ptx, counted[i].function), &trips, &c),
            SOOTH_OK);
        CHECK(c.total == counted[i].total && c.kind[SOOTH_PTX_KIND_BRANCH] == counted[i].branches);
        CHECK(c.opcode[SOOTH_PTX_OP_LD] + c.opcode[SOOTH_PTX_OP_LDU] == counted[i].loads &&
              c.opcode[SOOTH_PTX_OP_ST] == counted[i].stores);
        if (check_failures != wrong) printf("  in %s, %s\n", counted[i].file, counted[i].function);
        sooth_ptx_counts_free(&env, &ptx, &c);
        sooth_ptx_free(&env, &ptx);
    }
}

/* Loop-weighted by hand: compute 5 + 4 x 7 + 32 x 8 + 512 x 4 + 1 + 32 x 5, and so on. */
static void nested_loops_multiply(void) {
    sooth_ptx ptx;
    sooth_ptx_counts c;
    size_t size = load("nested.ptx");
    if (size == 0) CHECK_SKIP("tests/golden/ptx is not here");
    CHECK_STATUS(read_text(file_text, size, &ptx), SOOTH_OK);
    CHECK(loop_of(&ptx, "$L__BB0_1")->depth == 1 && loop_of(&ptx, "$L__BB0_2")->depth == 2 &&
          loop_of(&ptx, "$L__BB0_3")->depth == 3);
    CHECK(loop_of(&ptx, "$L__BB0_1")->blocks == 5 && loop_of(&ptx, "$L__BB0_2")->blocks == 3 &&
          loop_of(&ptx, "$L__BB0_3")->blocks == 1);
    CHECK(loop_of(&ptx, "$L__BB0_1")->trip == 4 && loop_of(&ptx, "$L__BB0_2")->trip == 8 &&
          loop_of(&ptx, "$L__BB0_3")->trip == 16);
    CHECK(loop_of(&ptx, "$L__BB0_7")->trip == 32 && loop_of(&ptx, "$L__BB0_7")->depth == 1);
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, NULL, &c), SOOTH_OK);
    CHECK(c.group[SOOTH_PTX_CLASS_COMPUTE] == 2498 && c.kind[SOOTH_PTX_KIND_GLOBAL_LOAD] == 516 &&
          c.kind[SOOTH_PTX_KIND_GLOBAL_STORE] == 32);
    CHECK(c.group[SOOTH_PTX_CLASS_CONTROL] == 581 && c.group[SOOTH_PTX_CLASS_PARAM] == 2 && c.assumed == 0);
    CHECK(c.total == 2498 + 516 + 32 + 581 + 2);
    CHECK(c.loaded[SOOTH_PTX_CLASS_GLOBAL] == 516 * 4 && c.stored[SOOTH_PTX_CLASS_GLOBAL] == 32 * 4 &&
          c.loaded[SOOTH_PTX_CLASS_PARAM] == 16);
    sooth_ptx_counts_free(&env, &ptx, &c);
    sooth_ptx_free(&env, &ptx);
}

/* n = 64: four tiles; by hand compute 11 + 19 + 4 x (11 + 16 x 5 + 2) + 4. */
static void parameters_tell_trips(void) {
    static const sooth_ptx_value n64[] = {{"param_3", 64}};
    static const sooth_ptx_value block256[] = {{"%ntid.x", 256}};
    static const sooth_ptx_value launch[] = {
        {"%ntid.x", 128}, {"%nctaid.x", 10}, {"%tid.x", 5}, {"%ctaid.x", 0}, {"saxpy_param_3", 10000}};
    sooth_ptx ptx;
    sooth_ptx_counts c;
    sooth_ptx_count_options trips;
    size_t size = load("matmul.ptx");
    if (size == 0) CHECK_SKIP("tests/golden/ptx is not here");
    memset(&trips, 0, sizeof trips);
    CHECK_STATUS(read_text(file_text, size, &ptx), SOOTH_OK);
    CHECK(loop_of(&ptx, "$L__BB0_2")->trip < 0 && loop_of(&ptx, "$L__BB0_3")->trip == 16);
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, NULL, &c), SOOTH_OK);
    CHECK(c.assumed == 1 && c.group[SOOTH_PTX_CLASS_COMPUTE] == 11 + 19 + (11 + 16 * 5 + 2) + 4);
    sooth_ptx_counts_free(&env, &ptx, &c);
    trips.value = n64;
    trips.values = 1;
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_OK);
    CHECK(c.assumed == 0 && c.group[SOOTH_PTX_CLASS_COMPUTE] == 406 && c.group[SOOTH_PTX_CLASS_GLOBAL] == 9 &&
          c.group[SOOTH_PTX_CLASS_SHARED] == 136);
    CHECK(c.group[SOOTH_PTX_CLASS_MISC] == 8 && c.group[SOOTH_PTX_CLASS_CONTROL] == 70);
    sooth_ptx_counts_free(&env, &ptx, &c);
    sooth_ptx_free(&env, &ptx);

    CHECK_STATUS(read_text(file_text, load("reduce.ptx"), &ptx), SOOTH_OK); /* 128, 64, ..., 1 */
    trips.value = block256;
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_OK);
    CHECK(c.assumed == 0 && c.trip[0] == 8 && c.origin[0] == SOOTH_PTX_TRIP_DERIVED);
    sooth_ptx_counts_free(&env, &ptx, &c);
    sooth_ptx_free(&env, &ptx);

    CHECK_STATUS(read_text(file_text, load("saxpy.ptx"), &ptx), SOOTH_OK); /* 5, 1285, ... below 10,000 */
    trips.value = launch;
    trips.values = 5;
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_OK);
    CHECK(c.assumed == 0 && c.trip[0] == 8);
    sooth_ptx_counts_free(&env, &ptx, &c);
    trips.values = 4; /* without n */
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_OK);
    CHECK(c.assumed == 1 && c.origin[0] == SOOTH_PTX_TRIP_ASSUMED && c.trip[0] == 1);
    sooth_ptx_counts_free(&env, &ptx, &c);
    sooth_ptx_free(&env, &ptx);
}

/* A thread of this kernel loads 50 + n numbers, by its source: the loop over n is unrolled by four, with one
   for the rest behind it, and neither may count where n leaves it nothing to do. */
static void loops_that_never_run_count_nothing(void) {
    sooth_ptx_value value = {"1", 0};
    sooth_ptx ptx;
    sooth_ptx_counts c;
    sooth_ptx_count_options trips;
    size_t size = load("loops_fast.ptx");
    if (size == 0) CHECK_SKIP("tests/golden/ptx is not here");
    memset(&trips, 0, sizeof trips);
    trips.value = &value;
    trips.values = 1;
    CHECK_STATUS(read_text(file_text, size, &ptx), SOOTH_OK);
    for (value.value = 0; value.value < 40; ++value.value) {
        CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_OK);
        CHECK(c.kind[SOOTH_PTX_KIND_GLOBAL_LOAD] == 14 + 7 + 9 + 20 + (double)value.value);
        CHECK(c.assumed == 0);
        CHECK((c.origin[5] == SOOTH_PTX_TRIP_NOT_REACHED) == (value.value % 4 == 0));
        sooth_ptx_counts_free(&env, &ptx, &c);
    }
    sooth_ptx_free(&env, &ptx);
}

/* By number, by short name, by its own; and only the kernel's own parameters have numbers. */
static void parameters_are_called_by_number_or_name(void) {
    static const char text[] =
        ".version 8.0\n.target sm_80\n.func f(.param .b32 f_param_0);\n"
        ".func f(.param .b32 f_param_0) {\nld.param.u32 i, [f_param_0];\n"
        "L: add.s32 i, i, -1;\nsetp.ne.s32 p, i, 0;\n@p bra L;\nret;\n}\n"
        ".entry k(.param .u32 k_param_0) {\nld.param.u32 i, [k_param_0];\n"
        "L: add.s32 i, i, -1;\nsetp.ne.s32 p, i, 0;\n@p bra L;\ncall f, (i);\nret;\n}\n";
    static const char *const names[] = {"0", "param_0", "k_param_0", "f_param_0"};
    sooth_ptx_value value = {NULL, 7};
    sooth_ptx ptx;
    sooth_ptx_counts c;
    sooth_ptx_count_options trips;
    size_t i;
    memset(&trips, 0, sizeof trips);
    trips.value = &value;
    trips.values = 1;
    CHECK_STATUS(read_text(text, sizeof text - 1, &ptx), SOOTH_OK);
    for (i = 0; i < 4; ++i) {
        value.name = names[i];
        CHECK_STATUS(sooth_ptx_count(&env, &ptx, 1, &trips, &c), SOOTH_OK);
        CHECK(c.trip[1] == (i < 3 ? 7 : 1) && c.trip[0] == (i < 3 ? 1 : 7) && c.assumed == 1);
        sooth_ptx_counts_free(&env, &ptx, &c);
        CHECK(sooth_ptx_param_find(&ptx, 1, names[i]) == (i < 3 ? 0 : SOOTH_NONE));
    }
    value.name = "n";
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, 1, &trips, &c), SOOTH_BAD_ARGUMENT,
                "the kernel has no parameter n; it has 0: k_param_0");
    sooth_ptx_free(&env, &ptx);
}

/* The same source with every test in front (-G) and optimised: 14, 7, 9 and 20 iterations; and for n = 1,003
   unrolled by four. */
static void compiled_loops_tell_their_trips(void) {
    static const sooth_ptx_value n1003[] = {{"param_1", 1003}};
    sooth_ptx ptx;
    sooth_ptx_counts c;
    sooth_ptx_count_options trips;
    size_t size = load("loops.ptx");
    if (size == 0) CHECK_SKIP("tests/golden/ptx is not here");
    memset(&trips, 0, sizeof trips);
    trips.value = n1003;
    trips.values = 1;
    CHECK_STATUS(read_text(file_text, size, &ptx), SOOTH_OK);
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_OK);
    CHECK(c.trip[0] == 14 && c.trip[1] == 7 && c.trip[2] == 9 && c.trip[3] == 20 && c.trip[4] == 1003);
    CHECK(c.assumed == 0 && ptx.loop[0].test != SOOTH_PTX_NONE && !ptx.loop[0].test_is_last);
    /* the test runs once more than the body */
    CHECK(c.block[ptx.loop[0].header] == 15 && c.block[ptx.loop[0].last] == 14);
    CHECK(c.kind[SOOTH_PTX_KIND_GLOBAL_LOAD] == 14 + 7 + 9 + 20 + 1003 &&
          c.kind[SOOTH_PTX_KIND_GLOBAL_STORE] == 1);
    sooth_ptx_counts_free(&env, &ptx, &c);
    sooth_ptx_free(&env, &ptx);
    CHECK_STATUS(read_text(file_text, load("loops_fast.ptx"), &ptx), SOOTH_OK);
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_OK);
    CHECK(c.trip[0] == 14 && c.trip[1] == 7 && c.trip[2] == 9 && c.trip[3] == 20 && c.trip[4] == 250 &&
          c.trip[5] == 3);
    CHECK(c.assumed == 0 && c.kind[SOOTH_PTX_KIND_GLOBAL_LOAD] == 14 + 7 + 9 + 20 + 1003);
    sooth_ptx_counts_free(&env, &ptx, &c);
    sooth_ptx_free(&env, &ptx);
}

/* ---- graphs against the definitions ---- */

enum { NODES = 14 };

typedef struct graph {
    unsigned nodes;
    unsigned char edge[NODES][NODES], reachable[NODES];
} graph;

/* What can be reached from `from` without passing `without` (NODES: anything goes). */
static void reach(const graph *g, unsigned from, unsigned without, unsigned char seen[NODES]) {
    unsigned stack[NODES * NODES + 1], top = 0, i;
    memset(seen, 0, NODES);
    if (from == without) return;
    stack[top++] = from;
    seen[from] = 1;
    while (top) {
        unsigned x = stack[--top];
        for (i = 0; i < g->nodes; ++i)
            if (g->edge[x][i] && !seen[i] && i != without) {
                seen[i] = 1;
                stack[top++] = i;
            }
    }
}

/* a dominates b when b cannot be reached without a. */
static int dominates(const graph *g, unsigned a, unsigned b) {
    unsigned char seen[NODES];
    if (!g->reachable[a] || !g->reachable[b]) return 0;
    reach(g, 0, a, seen);
    return a == b || !seen[b];
}

/* The natural loop of header h: h, and what reaches a source of an edge back to h without h. 0: there is
   none. */
static int natural_loop(const graph *g, unsigned h, unsigned char body[NODES]) {
    unsigned u, x;
    unsigned char seen[NODES];
    int any = 0;
    memset(body, 0, NODES);
    for (u = 0; u < g->nodes; ++u) {
        if (!g->edge[u][h] || !dominates(g, h, u)) continue;
        any = 1;
        body[h] = body[u] = 1;
        for (x = 0; x < g->nodes; ++x) {
            if (!g->reachable[x] || x == h) continue;
            reach(g, x, h, seen);
            if (seen[u]) body[x] = 1;
        }
    }
    return any;
}

/* A block with one instruction for each node; node i ends with a branch that is predicated or not, a table,
   or ret. */
static void random_graph(sooth_rng *rng, graph *g, char *text, size_t capacity) {
    unsigned i, k;
    size_t n = (size_t)snprintf(text, capacity, HEAD ".entry k()\n{\n.reg .pred p;\n.reg .b32 r;\n");
    memset(g, 0, sizeof *g);
    g->nodes = 2 + sooth_rng_below(rng, NODES - 1);
    for (i = 0; i < g->nodes; ++i) {
        unsigned to = sooth_rng_below(rng, g->nodes), what = sooth_rng_below(rng, 10);
        int goes_on = i + 1 < g->nodes;
        n += (size_t)snprintf(text + n, capacity - n, "L%u: add.s32 r, r, 1;\n", i);
        if (what < 5) {
            n += (size_t)snprintf(text + n, capacity - n, "@p bra L%u;\n", to);
            g->edge[i][to] = 1;
        } else if (what < 7) {
            n += (size_t)snprintf(text + n, capacity - n, "bra.uni L%u;\n", to);
            g->edge[i][to] = 1;
            goes_on = 0;
        } else if (what < 8) {
            n += (size_t)snprintf(text + n, capacity - n, "T%u: .branchtargets L%u", i, to);
            g->edge[i][to] = 1;
            for (k = 0; k < 3; ++k) {
                to = sooth_rng_below(rng, g->nodes);
                n += (size_t)snprintf(text + n, capacity - n, ", L%u", to);
                g->edge[i][to] = 1;
            }
            n += (size_t)snprintf(text + n, capacity - n, ";\nbrx.idx r, T%u;\n", i);
            goes_on = 0;
        } else if (what < 9) {
            n += (size_t)snprintf(text + n, capacity - n, "@!p ret;\n");
        }
        if (goes_on) g->edge[i][i + 1] = 1;
    }
    snprintf(text + n, capacity - n, "}\n");
    reach(g, 0, NODES, g->reachable);
}

static void graphs_follow_the_definitions(void) {
    static char text[8192];
    sooth_rng rng;
    unsigned round, a, b, i;
    unsigned long loops = 0, irreducible = 0;
    sooth_rng_init(&rng, 42, 0);
    for (round = 0; round < 3000 && !check_failures; ++round) {
        graph g;
        sooth_ptx ptx;
        const sooth_ptx_function *f;
        unsigned headers = 0, edges = 0, back = 0, unreachable = 0;
        unsigned char body[NODES];
        random_graph(&rng, &g, text, sizeof text);
        CHECK_STATUS(read_text(text, strlen(text), &ptx), SOOTH_OK);
        CHECK(ptx.errors == 0);
        f = &ptx.function[0];
        CHECK(f->blocks == g.nodes);
        if (check_failures) break;
        for (a = 0; a < g.nodes; ++a) {
            unsigned char out[NODES] = {0};
            const sooth_ptx_block *block = &ptx.block[a];
            for (i = 0; i < block->edges; ++i) out[ptx.edge[block->edge + i]] = 1;
            CHECK(memcmp(out, g.edge[a], g.nodes) == 0);
            unreachable += !g.reachable[a];
            CHECK((block->order == SOOTH_PTX_NONE) == !g.reachable[a]);
            for (b = 0; b < g.nodes; ++b) {
                CHECK(soothi_ptx_dominates(&ptx, a, b) == dominates(&g, a, b));
                edges += g.edge[a][b];
                /* an edge back in the walk, to what does not dominate */
                if (g.edge[a][b] && g.reachable[a] && ptx.block[b].order <= block->order &&
                    !dominates(&g, b, a))
                    ++back;
            }
            if (g.reachable[a] && a) { /* dominated by its immediate dominator, and by nothing between */
                CHECK(dominates(&g, block->idom, a) && block->idom != a);
                for (b = 0; b < g.nodes; ++b)
                    CHECK(b == a || !dominates(&g, b, a) || dominates(&g, b, block->idom));
            }
            if (!natural_loop(&g, a, body)) continue;
            ++headers;
            for (i = 0; i < ptx.loops && ptx.loop[i].header != a;) ++i;
            CHECK(i < ptx.loops);
            if (i == ptx.loops) continue;
            for (b = 0; b < g.nodes; ++b) CHECK(soothi_ptx_inside(&ptx, b, i) == body[b]);
            for (b = 0, edges += 0; b < g.nodes; ++b) body[0] += 0;
            {
                unsigned size = 0, exits = 0;
                for (b = 0; b < g.nodes; ++b) {
                    unsigned to, leaves = 0;
                    size += body[b];
                    for (to = 0; to < g.nodes; ++to) leaves |= g.edge[b][to] && !body[to];
                    if (body[b] && soothi_ptx_ending(&ptx, &ptx.block[b]) == SOOTH_PTX_OP_RET) leaves = 1;
                    exits += body[b] && leaves;
                }
                CHECK(ptx.loop[i].blocks == size && ptx.loop[i].exits == exits);
            }
        }
        CHECK(f->loops == headers && f->edges == edges && f->irreducible == back &&
              f->unreachable == unreachable);
        loops += headers;
        irreducible += back;
        for (i = 0; i < ptx.loops; ++i) { /* outer loops come first, and hold their inner ones */
            const sooth_ptx_loop *l = &ptx.loop[i];
            CHECK(l->parent == SOOTH_PTX_NONE ? l->depth == 1
                                              : l->parent < i && l->depth == ptx.loop[l->parent].depth + 1);
            CHECK(l->parent == SOOTH_PTX_NONE || soothi_ptx_inside(&ptx, l->header, l->parent));
        }
        if (check_failures) printf("%s", text);
        sooth_ptx_free(&env, &ptx);
    }
    CHECK(loops > 1000 && irreducible > 100); /* the graphs are worth something */
}

/* 200,000 branches to one place, and loops 3,000 deep: done at once, or never. */
static void large_functions_stay_linear(void) {
    const unsigned branches = 200000, deep = 3000;
    size_t capacity = 64u * branches, n;
    char *text = (char *)malloc(capacity);
    unsigned i;
    sooth_ptx ptx;
    sooth_ptx_counts c;
    if (!text) return;
    n = (size_t)snprintf(text, capacity, HEAD ".entry k()\n{\n");
    for (i = 0; i < branches; ++i) n += (size_t)snprintf(text + n, capacity - n, "@%%p%u bra DONE;\n", i);
    n += (size_t)snprintf(text + n, capacity - n, "DONE: ret;\n}\n");
    CHECK_STATUS(read_text(text, n, &ptx), SOOTH_OK);
    CHECK(ptx.blocks == branches + 1 && ptx.block[branches].idom == 0 &&
          ptx.block[branches - 1].idom == branches - 2);
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, NULL, &c), SOOTH_OK);
    CHECK(c.total == branches + 1 && c.block[branches] == 1);
    sooth_ptx_counts_free(&env, &ptx, &c);
    sooth_ptx_free(&env, &ptx);
    n = (size_t)snprintf(text, capacity, HEAD ".entry k()\n{\n");
    for (i = 0; i < deep; ++i) n += (size_t)snprintf(text + n, capacity - n, "L%u: add.s32 r, r, 1;\n", i);
    for (i = deep; i-- > 0;) n += (size_t)snprintf(text + n, capacity - n, "@p bra L%u;\n", i);
    n += (size_t)snprintf(text + n, capacity - n, "ret;\n}\n");
    CHECK_STATUS(read_text(text, n, &ptx), SOOTH_OK);
    CHECK(ptx.loops == deep && ptx.loop[deep - 1].depth == deep && ptx.loop[0].blocks == 2 * deep - 1);
    sooth_ptx_free(&env, &ptx);
    free(text);
}

/* ---- trips against running the loop ---- */

typedef struct numeric {
    const char *type;
    unsigned bits;
    int is_signed;
} numeric;

static int64_t cut(int64_t v, const numeric *t) {
    uint64_t u = (uint64_t)v;
    if (t->bits < 64) {
        u &= ((uint64_t)1 << t->bits) - 1;
        if (t->is_signed && u >> (t->bits - 1)) u |= ~(uint64_t)0 << t->bits;
    }
    return (int64_t)u;
}

static int compare(unsigned how, int64_t a, int64_t b, const numeric *t) {
    int order = t->is_signed ? (a > b) - (a < b) : ((uint64_t)a > (uint64_t)b) - ((uint64_t)a < (uint64_t)b);
    switch (how) {
    case 0: return order < 0;
    case 1: return order <= 0;
    case 2: return order > 0;
    case 3: return order >= 0;
    case 4: return order != 0;
    default: return order == 0;
    }
}

/* i after one more add, sub, shl, shr or mul.lo of this type. */
static int64_t stepped(unsigned op, int64_t i, int64_t step, const numeric *t) {
    switch (op) {
    case 0: return cut((int64_t)((uint64_t)i + (uint64_t)step), t);
    case 1: return cut((int64_t)((uint64_t)i - (uint64_t)step), t);
    case 2: return cut((int64_t)((uint64_t)i << step), t);
    case 3: return t->is_signed ? cut(i < 0 ? ~(~i >> step) : i >> step, t) : (int64_t)((uint64_t)i >> step);
    default: return cut((int64_t)((uint64_t)i * (uint64_t)step), t);
    }
}

/* Loops of every shape; the expected trips come from running them here, at most 70,000 times. What is derived
   must be right; and most must be. */
static void derived_trips_equal_running(void) {
    CHECK_SLOW();
    static const numeric types[] = {{"s32", 32, 1}, {"u32", 32, 0}, {"s64", 64, 1},
                                    {"u64", 64, 0}, {"s16", 16, 1}, {"u16", 16, 0}};
    static const char *const hows[] = {"lt", "le", "gt", "ge", "ne", "eq"};
    static const char *const steps[] = {"add", "sub", "shl", "shr", "mul.lo"};
    sooth_rng rng;
    unsigned round, derived = 0, finite = 0;
    sooth_rng_init(&rng, 7, 1);
    for (round = 0; round < 6000 && !check_failures; ++round) {
        const numeric *t = &types[sooth_rng_below(&rng, 6)];
        unsigned how = sooth_rng_below(&rng, 6);
        const unsigned op =
            sooth_rng_below(&rng, 4) ? sooth_rng_below(&rng, 2) : 2 + sooth_rng_below(&rng, 3);
        const int in_front = (int)sooth_rng_below(&rng, 2), negated = (int)sooth_rng_below(&rng, 2),
                  copies = (int)sooth_rng_below(&rng, 2);
        const int64_t wide = sooth_rng_below(&rng, 3) ? 200 : 30000;
        int64_t start = (int64_t)sooth_rng_below(&rng, (uint32_t)wide) - (t->is_signed ? wide / 2 : 0);
        int64_t bound = (int64_t)sooth_rng_below(&rng, (uint32_t)wide) - (t->is_signed ? wide / 2 : 0);
        int64_t step = 1 + (int64_t)sooth_rng_below(&rng, op >= 2 ? 3 : 9), i, want = -1, trips;
        char body[2048], type[8];
        sooth_ptx ptx;
        int leaves_when_true, sensible = sooth_rng_below(&rng, 4) != 0;
        /* in front: @p leaves (or @!p), the body, bra back; at the end: @p back */
        leaves_when_true = in_front ? !negated : negated;
        if (sensible && op < 2 && how < 4) { /* on while it has not got there */
            if ((op == 0) != (start < bound)) {
                int64_t swapped = start;
                start = bound;
                bound = swapped;
            }
            how = (op == 0) == !leaves_when_true ? how & 1 : 2 | (how & 1);
        }
        if (op == 2) snprintf(type, sizeof type, "b%u", t->bits);
        else snprintf(type, sizeof type, "%s", t->type);
        {
            const char *test = negated ? "@!p" : "@p";
            char update[256];
            if (copies)
                snprintf(update, sizeof update, "%s.%s t, i, %d;\nmov.%s i, t;\n", steps[op], type, (int)step,
                         t->type);
            else snprintf(update, sizeof update, "%s.%s i, i, %d;\n", steps[op], type, (int)step);
            if (in_front)
                snprintf(body, sizeof body,
                         "mov.%s i, %d;\nLOOP: setp.%s.%s p, i, %d;\n%s bra DONE;\nadd.f32 x, x, x;\n"
                         "%sbra.uni LOOP;\nDONE: ret;",
                         t->type, (int)start, hows[how], t->type, (int)bound, test, update);
            else
                snprintf(body, sizeof body,
                         "mov.%s i, %d;\nmov.%s n, %d;\nLOOP: add.f32 x, x, x;\n%ssetp.%s.%s p, i, n;\n"
                         "%s bra LOOP;\nret;",
                         t->type, (int)start, t->type, (int)bound, update, hows[how], t->type, test);
        }
        i = cut(start, t);
        for (trips = 0; trips < 70000; ++trips) {
            if (in_front && compare(how, i, cut(bound, t), t) == leaves_when_true) break;
            i = stepped(op, i, step, t);
            if (!in_front && compare(how, i, cut(bound, t), t) == leaves_when_true) {
                ++trips;
                break;
            }
        }
        if (trips < 70000) want = trips;
        read_body(body, &ptx);
        CHECK(ptx.loops == 1);
        if (check_failures) break;
        if (want >= 0) ++finite;
        if (ptx.loop[0].trip >= 0.0) {
            ++derived;
            CHECK(ptx.loop[0].trip == (double)want || (want < 0 && ptx.loop[0].trip >= 70000.0));
            if (check_failures) printf("%s\nwant %ld, got %g\n", body, (long)want, ptx.loop[0].trip);
        }
        sooth_ptx_free(&env, &ptx);
    }
    CHECK(finite > 3000 && derived > finite * 9 / 10); /* what overflows on its way may stay unknown */
    if (check_failures) printf("  %u finite, %u derived\n", finite, derived);
}

/* Loops that must not be guessed. */
static void unclear_loops_stay_unknown(void) {
    static const char *const body[] = {
        /* two ways out */
        "mov.u32 i, 0;\nLOOP: @q bra DONE;\nadd.u32 i, i, 1;\nsetp.lt.u32 p, i, 9;\n@p bra LOOP;\nDONE: ret;",
        "mov.u32 i, 0;\nLOOP: @q ret;\nadd.u32 i, i, 1;\nsetp.lt.u32 p, i, 9;\n@p bra LOOP;\nret;",
        /* counted only now and then */
        "mov.u32 i, 0;\nLOOP: @q add.u32 i, i, 1;\nsetp.lt.u32 p, i, 9;\n@p bra LOOP;\nret;",
        "mov.u32 i, 0;\nLOOP: @q bra SKIP;\nadd.u32 i, i, 1;\nSKIP: setp.lt.u32 p, i, 9;\n@p bra LOOP;\nret;",
        /* two starts, two steps */
        "mov.u32 i, 0;\n@q mov.u32 i, 3;\nLOOP: add.u32 i, i, 1;\nsetp.lt.u32 p, i, 9;\n@p bra LOOP;\nret;",
        "mov.u32 i, 0;\nLOOP: add.u32 i, i, 1;\nadd.u32 i, i, 2;\nsetp.lt.u32 p, i, 9;\n@p bra LOOP;\nret;",
        /* a start that comes only after the loop */
        "LOOP: add.u32 i, i, 1;\nsetp.lt.u32 p, i, 9;\n@p bra LOOP;\nmov.u32 i, 0;\nret;",
        /* an unknown bound, a loaded counter, floating point */
        "ld.param.u32 n, [k_param_1];\nmov.u32 i, 0;\nLOOP: add.u32 i, i, 1;\nsetp.lt.u32 p, i, n;\n"
        "@p bra LOOP;\nret;",
        "LOOP: ld.global.u32 i, [a];\nsetp.lt.u32 p, i, 9;\n@p bra LOOP;\nret;",
        "mov.f32 i, 0f00000000;\nLOOP: add.f32 i, i, 0f3F800000;\nsetp.lt.f32 p, i, 0f41200000;\n"
        "@p bra LOOP;\nret;",
        /* never ends */
        "mov.u32 i, 0;\nLOOP: add.u32 i, i, 2;\nsetp.ne.u32 p, i, 9;\n@p bra LOOP;\nret;", "LOOP: bra LOOP;",
        /* counted in an inner loop */
        "mov.u32 i, 0;\nmov.u32 j, 0;\nLOOP: INNER: add.u32 i, i, 1;\nadd.u32 j, j, 1;\n"
        "setp.lt.u32 q, j, 3;\n@q bra INNER;\n"
        "OUTER: mov.u32 j, 0;\nsetp.lt.u32 p, i, 9;\n@p bra LOOP;\nret;"};
    size_t i;
    for (i = 0; i < sizeof body / sizeof body[0]; ++i) {
        sooth_ptx ptx;
        read_body(body[i], &ptx);
        CHECK(ptx.loops >= 1);
        if (ptx.loops) CHECK(ptx.loop[0].trip == -1.0);
        if (check_failures) printf("%s\n", body[i]);
        sooth_ptx_free(&env, &ptx);
    }
}

/* ---- syntax ---- */

static void a_hard_file_is_read(void) {
    sooth_ptx ptx;
    const sooth_ptx_function *k, *pair;
    size_t size = load("syntax.ptx"), i, generic = 0;
    if (size == 0) CHECK_SKIP("tests/golden/ptx is not here");
    CHECK_STATUS(read_text(file_text, size, &ptx), SOOTH_OK);
    CHECK(ptx.version == 805 && ptx.sm == 90 && ptx.address_size == 64 && is_named(ptx.target, "sm_90"));
    CHECK(ptx.functions == 3 && ptx.entries == 1);
    k = function_of(&ptx, "k");
    pair = function_of(&ptx, "pair");
    CHECK(!function_of(&ptx, "ext_fn")->has_body);
    CHECK(k->maxntid[0] == 128 && k->maxntid[1] == 1 && k->maxntid[2] == 1 && k->minnctapersm == 2 &&
          k->reqntid[0] == 0);
    CHECK(k->params == 3 && k->param_bytes == 8 + 12 + 4 && pair->params == 1 && pair->param_bytes == 8);
    CHECK(k->registers[SOOTH_PTX_TYPE_B32] == 17 && k->registers[SOOTH_PTX_TYPE_F32] == 9 &&
          k->registers[SOOTH_PTX_TYPE_PRED] == 5);
    CHECK(k->registers[SOOTH_PTX_TYPE_B64] == 12 && k->registers[SOOTH_PTX_TYPE_B16] == 1);
    CHECK(k->local_bytes == 16 && k->dynamic_shared == 1 && k->shared_bytes == 16 && k->calls == 1 &&
          k->indirect == 0);
    CHECK(is_named(ptx.variable[1].name, "table") && ptx.variable[1].space == SOOTH_PTX_CLASS_GLOBAL &&
          ptx.variable[1].bytes == 8 && ptx.variable[1].align == 16);
    CHECK(loop_of(&ptx, "LOOP") && loop_of(&ptx, "LOOP")->blocks == 1);
    for (i = 0; i < ptx.instructions; ++i) {
        sooth_ptx_word operand[8];
        const sooth_ptx_form *form = &ptx.form[ptx.instruction[i].form];
        size_t n = sooth_ptx_operands(&ptx, &ptx.instruction[i], operand, 8);
        if (is_named(soothi_ptx_word(form->text, form->length), "ld.global.nc.v4.f32"))
            CHECK(n == 2 && is_named(operand[0], "{%f1, %f2, x, _}") && is_named(operand[1], "[%rd2+16]"));
        if (form->opcode == SOOTH_PTX_OP_CALL)
            CHECK(n == 3 && is_named(operand[0], "(r0)") && is_named(operand[1], "ext_fn") &&
                  is_named(operand[2], "(a0)"));
        if (form->opcode == SOOTH_PTX_OP_CP) CHECK(n == 4 && ptx.instruction[i].target == 16);
        if (form->opcode == SOOTH_PTX_OP_RET) CHECK(n == 0);
        generic += (form->flags & SOOTH_PTX_FORM_GENERIC) != 0;
    }
    CHECK(generic == 1); /* ld.acquire.sys.u32 */
    sooth_ptx_free(&env, &ptx);
}

/* Labels belong to their braces: inline assembly pasted twice branches to its own. */
static void labels_have_scopes(void) {
    sooth_ptx ptx;
    read_body("mov.u32 r, 1;\n"
              "{\n.reg .pred P;\nWAIT: mbarrier.try_wait.parity.b64 P, [b], r;\n@P bra DONE;\nbra WAIT;\n"
              "DONE:\n}\n"
              "{\n.reg .pred P;\nWAIT: mbarrier.try_wait.parity.b64 P, [b], r;\n@P bra DONE;\nbra WAIT;\n"
              "DONE:\n}\n"
              "bra END;\n{ { bra END; } }\nEND: ret;",
              &ptx);
    CHECK(ptx.loops == 2 && ptx.function[0].irreducible == 0 && ptx.function[0].unreachable == 1);
    if (ptx.loops == 2)
        CHECK(ptx.loop[0].blocks == 2 && ptx.loop[1].blocks == 2 && ptx.loop[0].depth == 1 &&
              ptx.loop[1].depth == 1);
    sooth_ptx_free(&env, &ptx);
}

/* Old spellings, odd blanks, comments everywhere, carriage returns, several statements a line. */
static void spelling_is_free(void) {
    static const char text[] = "\xEF\xBB\xBF// old\r\n.version 1.4\r\n.target sm_13, map_f64_to_f32\r\n"
                               "@@DWARF .byte 1\r\n"
                               ".const .align 4 .b32 c[4] = {1, 2,\r\n 3, /* ; } */ 4}, d = 0xFF(c), e;\r\n"
                               ".global .texref t; .tex .u32 old;\r\n"
                               ".alias f2, f1;\n.pragma \"x ; }\";\n"
                               ".visible\n.func\n.noreturn\n(.param .b32 out)\nf1\n"
                               "(.param .b32 a, .param .align 8 .b8 b[12]) ;\n"
                               ".entry k (.param .u32 .ptr .global .align 16 p, .param.u64 q) .reqntid 32,2 "
                               ".maxnreg 40 .pragma \"y\"; {\n"
                               ".reg .v4 .f32 v; .reg.u32 %r<3>,a$1 , _b;\n"
                               "ld.const[0].u32 %r1 ,[ c + 4 ] ;@ ! %p bra /* here */ L; mov.f64 d, 1.5e-3;"
                               "mov.f32 f,0f3F800000;\n"
                               "L :M:add .s32 a$1,%r1,- 4; mov.u32 _b, 010; mov.u32 _b, 0b101; "
                               "mov.u32 _b, 0xFFU; mov.u64 x, c+8;\n"
                               "tex.2d.v4.f32.f32 {a,b,c,d}, [t, {x,y}]; call.uni f1, (); call (%r1), %rd1, "
                               "(%r1, 4), proto; trap;brkpt;\n"
                               "setp.eq.f32 p|q, a, b; vadd4.u32.u32.u32 a, b.b0123, c, d; "
                               "mov.b64 {x,_}, %clock64; st.global.u32 [%rd1+-4], %r1; }\n";
    sooth_ptx ptx;
    const sooth_ptx_function *k;
    CHECK_STATUS(read_text(text, sizeof text - 1, &ptx), SOOTH_OK);
    CHECK(ptx.errors == 0 && ptx.unknown == 0);
    if (ptx.errors)
        printf("  line %u, column %u: %s\n", ptx.note[0].line, ptx.note[0].column, ptx.note[0].text);
    CHECK(ptx.version == 104 && ptx.sm == 13 && ptx.entries == 1);
    k = function_of(&ptx, "k");
    CHECK(k->instructions == 18 && k->reqntid[0] == 32 && k->reqntid[1] == 2 && k->reqntid[2] == 1 &&
          k->maxnreg == 40);
    CHECK(k->params == 2 && k->param_bytes == 16 && k->registers[SOOTH_PTX_TYPE_F32] == 4 &&
          k->registers[SOOTH_PTX_TYPE_U32] == 5);
    CHECK(k->calls == 2 && k->indirect == 1);
    CHECK(ptx.variables == 9); /* c d e t old, a b of f1, p q of k */
    CHECK(k->labels == 2 && k->blocks == 4);
    sooth_ptx_free(&env, &ptx);
}

static void launch_bounds_and_shared_memory(void) {
    sooth_ptx ptx;
    const sooth_ptx_function *f;
    size_t size = load("calls.ptx");
    if (size == 0) CHECK_SKIP("tests/golden/ptx is not here");
    CHECK_STATUS(read_text(file_text, size, &ptx), SOOTH_OK);
    f = function_of(&ptx, "follow");
    CHECK(f->maxntid[0] == 256 && f->minnctapersm == 2 && f->shared_bytes == 0);
    f = function_of(&ptx, "memory");
    /* int scratch[100] of the module, and dynamic[] */
    CHECK(f->shared_bytes == 400 && f->dynamic_shared == 1);
    f = function_of(&ptx, "pointer");
    CHECK(f->calls == 2 && f->indirect == 1 && f->local_bytes == 8);
    sooth_ptx_free(&env, &ptx);
}

/* A generic address that can only come from cvta.shared or cvta.local is one. */
static void generic_addresses_are_followed(void) {
    sooth_ptx ptx;
    sooth_ptx_counts c;
    read_body("mov.u64 %rd1, buf;\ncvta.shared.u64 %rd2, %rd1;\nadd.s64 %rd3, %rd2, 8;\n"
              "ld.f32 %f1, [%rd3+4];\n"
              "cvta.local.u64 %SP, %SPL;\nadd.u64 %rd4, %SP, 0;\nst.u32 [%rd4], %r1;\n"
              "mov.u64 %rd5, %rd2;\nLOOP: atom.add.u32 %r2, [%rd5], 1;\nadd.s64 %rd5, %rd5, 4;\n"
              "@p bra LOOP;\n"
              "ld.param.u64 %rd6, [a];\nld.v2.f32 {%f1, %f2}, [%rd6];\n" /* from outside: global */
              "selp.b64 %rd7, %rd2, %rd6, p;\nst.f32 [%rd7], %f1;\n"     /* either */
              "mov.u64 %rd8, %rd2;\n@p mov.u64 %rd8, %SP;\nred.add.u32 [%rd8], 1;\n" /* shared or local */
              "cvta.to.global.u64 %rd9, %rd6;\nld.u32 %r1, [%rd9];\nret;",
              &ptx);
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, NULL, &c), SOOTH_OK);
    CHECK(c.kind[SOOTH_PTX_KIND_SHARED_LOAD] == 1 && c.kind[SOOTH_PTX_KIND_LOCAL_STORE] == 1 &&
          c.kind[SOOTH_PTX_KIND_SHARED_ATOMIC] == 1);
    CHECK(c.kind[SOOTH_PTX_KIND_GLOBAL_LOAD] == 2 && c.kind[SOOTH_PTX_KIND_GLOBAL_STORE] == 1 &&
          c.kind[SOOTH_PTX_KIND_GLOBAL_ATOMIC] == 1);
    CHECK(c.loaded[SOOTH_PTX_CLASS_SHARED] == 4 && c.loaded[SOOTH_PTX_CLASS_GLOBAL] == 12 &&
          c.stored[SOOTH_PTX_CLASS_LOCAL] == 4);
    sooth_ptx_counts_free(&env, &ptx, &c);
    sooth_ptx_free(&env, &ptx);
}

static void unknown_opcodes_are_kept(void) {
    sooth_ptx ptx;
    sooth_ptx_counts c;
    size_t i, found = 0;
    read_body("frobnicate.sync.u32 %r1, [%rd1], {%r2, %r3};\nfrobnicate.sync.u32 %r1, [%rd1], 7;\n"
              "warble;\nret;",
              &ptx);
    CHECK(ptx.unknown == 3 && ptx.instructions == 4 && ptx.remarks == 2);
    for (i = 0; i < ptx.forms; ++i) found += ptx.form[i].kind == SOOTH_PTX_KIND_UNKNOWN;
    CHECK(found == 2);
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, NULL, &c), SOOTH_OK);
    CHECK(c.total == 4 && c.unknown == 3 && c.group[SOOTH_PTX_CLASS_MISC] == 3 &&
          c.opcode[SOOTH_PTX_OP_UNKNOWN] == 3);
    CHECK(ptx.notes == 2 && strstr(ptx.note[0].text, "frobnicate.sync.u32") &&
          strstr(ptx.note[1].text, "warble") && !ptx.note[1].is_error);
    sooth_ptx_counts_free(&env, &ptx, &c);
    sooth_ptx_free(&env, &ptx);
}

/* ---- calls ---- */

/* follow: seven calls of tenfold, whose loop runs ten times. */
static void calls_are_followed(void) {
    sooth_ptx ptx;
    sooth_ptx_counts c, own;
    sooth_ptx_count_options trips;
    size_t size = load("calls.ptx"), i;
    double all;
    if (size == 0) CHECK_SKIP("tests/golden/ptx is not here");
    CHECK_STATUS(read_text(file_text, size, &ptx), SOOTH_OK);
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, soothi_ptx_function_index(&ptx, "tenfold"), NULL, &own),
                 SOOTH_OK);
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, soothi_ptx_function_index(&ptx, "follow"), NULL, &c), SOOTH_OK);
    CHECK(c.opcode[SOOTH_PTX_OP_CALL] == 7 && own.total == 4 + 10 * 5 + 4 + 4 + 5 + 0 * 1.0 ? 1
                                                                                            : own.total > 50);
    /* the rest of follow: 13 instructions, of which those of its loop 7 times */
    memset(&trips, 0, sizeof trips);
    trips.each_once = 1;
    for (all = 0, i = 0; i < ptx.blocks; ++i)
        if (ptx.block[i].function == soothi_ptx_function_index(&ptx, "follow"))
            all += c.block[i] * ptx.block[i].count;
    CHECK(c.total == all + 7 * own.total && c.recursive == 0 && c.indirect == 0 && c.bodiless == 0 &&
          c.assumed == 0);
    for (i = 0; i < ptx.blocks; ++i)
        if (ptx.block[i].function == soothi_ptx_function_index(&ptx, "tenfold"))
            CHECK(c.block[i] == 7 * own.block[i]);
    sooth_ptx_counts_free(&env, &ptx, &own);
    sooth_ptx_counts_free(&env, &ptx, &c);

    CHECK_STATUS(sooth_ptx_count(&env, &ptx, soothi_ptx_function_index(&ptx, "recurse"), NULL, &c), SOOTH_OK);
    CHECK(c.recursive == 2 && c.opcode[SOOTH_PTX_OP_CALL] == 3); /* its own, and two in fib */
    sooth_ptx_counts_free(&env, &ptx, &c);

    CHECK_STATUS(sooth_ptx_count(&env, &ptx, soothi_ptx_function_index(&ptx, "pointer"), NULL, &c), SOOTH_OK);
    CHECK(c.indirect == 1 && c.bodiless == 1); /* the pointer, vprintf */
    sooth_ptx_counts_free(&env, &ptx, &c);
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, soothi_ptx_function_index(&ptx, "follow"), &trips, &c),
                 SOOTH_OK);
    CHECK(c.total == 13);
    sooth_ptx_counts_free(&env, &ptx, &c);
    sooth_ptx_free(&env, &ptx);
}

/* Functions that call each other in a ring, and one that is called along two ways: 2 x 3 + 5. */
static void call_graphs_add_up(void) {
    static const char text[] = HEAD ".func leaf(); .func ring();\n"
                                    ".func middle() { call leaf, (); call leaf, (); call leaf, (); ret; }\n"
                                    ".func leaf() { add.s32 a, a, 1; ret; }\n"
                                    ".func other() { call ring, (); ret; }\n"
                                    ".func ring() { call other, (); mul.lo.s32 a, a, a; ret; }\n"
                                    ".entry k() { call middle, (); call middle, (); call leaf, (); "
                                    "call leaf, (); call leaf, (); call leaf, (); call leaf, (); ret; }\n"
                                    ".entry r() { call ring, (); ret; }\n";
    sooth_ptx ptx;
    sooth_ptx_counts c;
    CHECK_STATUS(read_text(text, sizeof text - 1, &ptx), SOOTH_OK);
    CHECK(ptx.functions == 6 && ptx.errors == 0);
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, soothi_ptx_function_index(&ptx, "k"), NULL, &c), SOOTH_OK);
    CHECK(c.opcode[SOOTH_PTX_OP_ADD] == 11 && c.opcode[SOOTH_PTX_OP_CALL] == 7 + 2 * 3 &&
          c.opcode[SOOTH_PTX_OP_RET] == 1 + 2 + 11);
    CHECK(c.recursive == 0);
    sooth_ptx_counts_free(&env, &ptx, &c);
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, soothi_ptx_function_index(&ptx, "r"), NULL, &c), SOOTH_OK);
    CHECK(c.recursive == 1 && c.opcode[SOOTH_PTX_OP_MUL] == 1 && c.opcode[SOOTH_PTX_OP_CALL] == 3);
    sooth_ptx_counts_free(&env, &ptx, &c);
    sooth_ptx_free(&env, &ptx);
}

/* ---- what the caller knows ---- */

static const char two_loops[] = "mov.u32 i, 0;\n"                /* line 6 */
                                "@q bra SKIP;\n"                 /* 7 */
                                "mul.f32 x, x, x;\n"             /* 8 */
                                "SKIP: add.f32 x, x, x;\n"       /* 9 */
                                "OUTER: add.u32 i, i, 1;\n"      /* 10 */
                                "INNER: ld.global.f32 x, [y];\n" /* 11 */
                                "@s bra TWO;\n"                  /* 12 */
                                "sub.f32 x, x, x;\n"             /* 13 */
                                "bra JOIN;\n"                    /* 14 */
                                "TWO: div.rn.f32 x, x, x;\n"     /* 15 */
                                "JOIN: setp.lt.f32 p, x, y;\n"   /* 16 */
                                "@p bra INNER;\n"                /* 17 */
                                "@t bra OUTER;\n"                /* 18 */
                                "ret;";

static double count_of(const sooth_ptx *ptx, const sooth_ptx_count_options *trips, sooth_ptx_opcode opcode) {
    sooth_ptx_counts c;
    double n;
    CHECK_STATUS(sooth_ptx_count(&env, ptx, 0, trips, &c), SOOTH_OK);
    n = c.opcode[opcode];
    if (c.form) sooth_ptx_counts_free(&env, ptx, &c);
    return n;
}

static void loops_and_branches_can_be_given(void) {
    sooth_ptx ptx;
    sooth_ptx_count_options trips;
    sooth_ptx_given loop[2] = {{"OUTER", 0, 10}, {NULL, 15, 6}},
                    branch[2] = {{NULL, 12, 0.25}, {"SKIP", 0, 1.0}};
    sooth_ptx_counts c;
    buffer b;
    sooth_sink sink;
    read_body(two_loops, &ptx);
    CHECK(ptx.loops == 2);
    memset(&trips, 0, sizeof trips);
    /* both sides run */
    CHECK(count_of(&ptx, NULL, SOOTH_PTX_OP_LD) == 1 && count_of(&ptx, NULL, SOOTH_PTX_OP_MUL) == 1);
    CHECK(count_of(&ptx, NULL, SOOTH_PTX_OP_DIV) == 1 && count_of(&ptx, NULL, SOOTH_PTX_OP_SUB) == 1 &&
          count_of(&ptx, NULL, SOOTH_PTX_OP_SETP) == 1);
    trips.default_trip = 5;
    CHECK(count_of(&ptx, &trips, SOOTH_PTX_OP_LD) == 25);
    trips.loop = loop;
    trips.loops = 2;
    CHECK(count_of(&ptx, &trips, SOOTH_PTX_OP_LD) == 60 && count_of(&ptx, &trips, SOOTH_PTX_OP_RET) == 1);
    trips.branch = branch;
    trips.branches = 2;
    CHECK(count_of(&ptx, &trips, SOOTH_PTX_OP_DIV) == 15 && count_of(&ptx, &trips, SOOTH_PTX_OP_SUB) == 45);
    CHECK(count_of(&ptx, &trips, SOOTH_PTX_OP_SETP) == 60 && count_of(&ptx, &trips, SOOTH_PTX_OP_MUL) == 0);
    trips.branches = 0;
    trips.default_probability = 0.5;
    CHECK(count_of(&ptx, &trips, SOOTH_PTX_OP_DIV) == 30 && count_of(&ptx, &trips, SOOTH_PTX_OP_MUL) == 0.5 &&
          count_of(&ptx, &trips, SOOTH_PTX_OP_RET) == 1);
    trips.default_probability = 0;
    trips.loops = 1;
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_OK);
    CHECK(c.assumed == 1 && c.origin[0] == SOOTH_PTX_TRIP_GIVEN && c.origin[1] == SOOTH_PTX_TRIP_ASSUMED &&
          c.trip[0] == 10 && c.trip[1] == 5);
    sink = sink_of(&b);
    CHECK_STATUS(sooth_ptx_write_function(&env, &ptx, 0, &c, &sink), SOOTH_OK);
    CHECK(strstr(b.text, "kernel k (line 4): 14 instructions, 10 blocks, 13 edges, 2 loops"));
    CHECK(strstr(b.text, "loop OUTER line 10: depth 1, 6 blocks, 10 trips (given)"));
    CHECK(strstr(b.text, "block TWO line 15: 1 instructions, runs 50 times, in loop INNER -> JOIN"));
    sooth_ptx_counts_free(&env, &ptx, &c);
    trips.loops = 0;
    trips.default_trip = 7;
    /* Algorithm 2: blocks with a back edge, once times nLoop: INNER's latch with 2, OUTER's with 1 */
    trips.as_published = 1;
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_OK);
    CHECK(c.total == 14 + 6 * 3);
    sooth_ptx_counts_free(&env, &ptx, &c);
    sooth_ptx_free(&env, &ptx);
}

static void what_is_not_there_is_said(void) {
    sooth_ptx ptx;
    sooth_ptx_count_options trips;
    sooth_ptx_given given = {"NOWHERE", 0, 3};
    sooth_ptx_value value = {"param_9", 3};
    sooth_ptx_counts c;
    read_body(two_loops, &ptx);
    memset(&trips, 0, sizeof trips);
    trips.loop = &given;
    trips.loops = 1;
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_BAD_ARGUMENT,
                "there is no loop NOWHERE here; there are OUTER (line 10), INNER (line 11)");
    CHECK(c.form == NULL);
    given.label = "SKIP"; /* a label, but of no loop */
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_BAD_ARGUMENT,
                "there is no loop SKIP");
    given.label = NULL;
    given.line = 8;
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_BAD_ARGUMENT,
                "there is no loop around line 8");
    given.label = "OUTER";
    given.value = -1;
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_BAD_ARGUMENT, "must be at least 0");
    given.value = (double)NAN;
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_BAD_ARGUMENT, "must be at least 0");
    trips.loops = 0;
    trips.branch = &given;
    trips.branches = 1;
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_BAD_ARGUMENT, "must be from 0 to 1");
    given.value = 0.5;
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_BAD_ARGUMENT,
                "give that loop's trips instead");
    given.label = "JOIN";
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_BAD_ARGUMENT,
                "there is no predicated branch to JOIN here");
    given.label = NULL;
    given.line = 13;
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_BAD_ARGUMENT,
                "there is no predicated branch in line 13");
    given.line = 17;
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_BAD_ARGUMENT,
                "line 17 ends or repeats a loop");
    trips.branches = 0;
    trips.value = &value;
    trips.values = 1;
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_BAD_ARGUMENT,
                "the kernel has no parameter param_9");
    value.name = "param_1";
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_OK);
    sooth_ptx_counts_free(&env, &ptx, &c);
    trips.values = 0;
    trips.default_trip = -2;
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_BAD_ARGUMENT, "default_trip is -2");
    trips.default_trip = 0;
    trips.default_probability = 2;
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_BAD_ARGUMENT,
                "default_probability is 2");
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, 5, NULL, &c), SOOTH_BAD_ARGUMENT,
                "function is 5, but must be below 1");
    sooth_ptx_free(&env, &ptx);
}

/* Names as `c++filt -p` of binutils 2.40 has them, but for "const float*" and the u of unsigned numbers. */
static void names_are_those_of_the_source(void) {
    static const char *const name[][2] = {
        {"_Z12reduce_blockIfLi256EEvPKT_PS0_i", "reduce_block<float, 256>"},
        {"_ZN4sums6reduceIdLin4ELb1EEEvPT_", "sums::reduce<double, -4, true>"},
        {"_Z3fooI6__halfN2ns1bEPKfLj3EJitEEvv", "foo<__half, ns::b, const float*, 3, int, unsigned short>"},
        {"_ZL4kernPf", "kern"},
        {"_ZN3BoxIN2ns1aIxEEE4fillEv", "Box<ns::a<long long>>::fill"},
        {"saxpy", "saxpy"},
        {"_Z1aIXplLi1ELi2EEEvv", "_Z1aIXplLi1ELi2EEEvv"}, /* not followed: an expression, */
        {"_Z1aIN1bIS_EEEvv", "_Z1aIN1bIS_EEEvv"},         /* a repeated name, */
        {"_Z1aIN3foofEEvv", "_Z1aIN3foofEEvv"},
        {"_Z9a", "_Z9a"}, /* and no name at all */
        {"_Z", "_Z"},
        {"_Z1aIJJJJJJJJJJJJJJJJJJJJJJJJE", "_Z1aIJJJJJJJJJJJJJJJJJJJJJJJJE"}};
    char text[400], got[80];
    for (size_t i = 0; i < sizeof name / sizeof name[0]; ++i) {
        sooth_ptx ptx;
        size_t kernel;
        const int size = snprintf(text, sizeof text, HEAD ".entry %s() { ret; }\n", name[i][0]);
        CHECK_STATUS(read_text(text, (size_t)size, &ptx), SOOTH_OK);
        CHECK(strcmp(sooth_ptx_kernel_name(&ptx, 0, got, sizeof got), name[i][1]) == 0);
        if (check_failures) printf("  %s is %s\n", name[i][0], got);
        CHECK_STATUS(sooth_ptx_kernel_named(&env, &ptx, name[i][1], &kernel), SOOTH_OK);
        for (size_t room = 1; room < 8; ++room)
            CHECK(strlen(sooth_ptx_kernel_name(&ptx, 0, got, room)) < room);
        sooth_ptx_free(&env, &ptx);
    }
}

/* Of two instances of a template, the identifier alone means none. The list has both and no other. */
static void the_instances_of_a_template_are_listed(void) {
    static const char text[] = HEAD ".entry first() { ret; }\n.entry _Z3sumIfLi256EEvPT_() { ret; }\n"
                                    ".entry _ZN2ns3sumIdLi512EEEvPT_() { ret; }\n";
    sooth_ptx ptx;
    size_t kernel;
    CHECK_STATUS(read_text(text, sizeof text - 1, &ptx), SOOTH_OK);
    CHECK_FAILS(&env, sooth_ptx_kernel_named(&env, &ptx, "sum", &kernel), SOOTH_BAD_ARGUMENT,
                "sum may be several kernels: sum<float, 256>, ns::sum<double, 512>");
    CHECK(kernel == SOOTH_NONE);
    CHECK_STATUS(sooth_ptx_kernel_named(&env, &ptx, "sum< float,256 >", &kernel), SOOTH_OK);
    CHECK(kernel == 1);
    CHECK_STATUS(sooth_ptx_kernel_named(&env, &ptx, "sum<double, 512>", &kernel), SOOTH_OK);
    CHECK(kernel == 2);
    sooth_ptx_free(&env, &ptx);
}

static void kernels_are_found_by_name(void) {
    static const char text[] = HEAD ".func _Z6helperv() { ret; }\n.func gone();\n"
                                    ".entry _Z6vecaddPKfPf() { ret; }\n"
                                    ".entry _ZN4deep5sumUpEv() { ret; }\n.entry _Z5sumUpv() { ret; }\n";
    sooth_ptx ptx;
    sooth_ptx_counts c;
    size_t kernel;
    CHECK_STATUS(read_text(text, sizeof text - 1, &ptx), SOOTH_OK);
    CHECK(soothi_ptx_function_index(&ptx, "vecadd") == SOOTH_NONE &&
          soothi_ptx_function_index(&ptx, "_Z5sumUpv") == 4);
    CHECK_STATUS(sooth_ptx_kernel_named(&env, &ptx, "vecadd", &kernel), SOOTH_OK);
    CHECK(kernel == 2);
    CHECK_STATUS(sooth_ptx_kernel_named(&env, &ptx, "_Z6helperv", &kernel), SOOTH_OK);
    CHECK(kernel == 0);
    CHECK_STATUS(sooth_ptx_kernel_named(&env, &ptx, "sumUp", &kernel), SOOTH_OK); /* its whole C++ name */
    CHECK(kernel == 4);
    CHECK_STATUS(sooth_ptx_kernel_named(&env, &ptx, "deep::sumUp", &kernel), SOOTH_OK);
    CHECK(kernel == 3);
    CHECK_FAILS(&env, sooth_ptx_kernel_named(&env, &ptx, "vecmul", &kernel), SOOTH_BAD_ARGUMENT,
                "there is no kernel vecmul; there are vecadd, deep::sumUp, sumUp");
    CHECK(kernel == SOOTH_NONE);
    CHECK_FAILS(&env, sooth_ptx_kernel_named(&env, &ptx, NULL, &kernel), SOOTH_BAD_ARGUMENT,
                "the PTX has 3 kernels; name one");
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, soothi_ptx_function_index(&ptx, "gone"), NULL, &c),
                SOOTH_BAD_ARGUMENT, "gone has no body in this PTX");
    sooth_ptx_free(&env, &ptx);
    CHECK_STATUS(read_text(HEAD, strlen(HEAD), &ptx), SOOTH_OK);
    CHECK_FAILS(&env, sooth_ptx_kernel_named(&env, &ptx, NULL, &kernel), SOOTH_BAD_ARGUMENT,
                "the PTX has no kernel");
    sooth_ptx_free(&env, &ptx);
}

/* ---- bad input ---- */

static void other_files_are_refused(void) {
    static const struct {
        const char *text;
        size_t size;
        const char *words;
    } bad[] = {{"", 0, "the PTX text is empty"},
               {" \n// nothing\n/* here", 20, "the PTX text is empty"},
               {"\x7F"
                "ELF\x02\x01\x01",
                7, "cuobjdump -ptx"},
               {"\x50\xED\x55\xBA\x01\x00\x10\x00", 8, "a binary file, not PTX: byte 5 is 1"},
               {".\0v\0e\0r\0s\0", 10, "a binary file, not PTX: byte 2 is 0"},
               {"hello, world\n", 13, "neither .version nor a kernel (line 1: found hello instead of a"},
               {"\x89PNG\r\n\x1A\n", 8, "a binary file, not PTX: byte 7 is 26"},
               {".global .u32 x;\n", 16, "neither .version nor a kernel (only variables)"}};
    size_t i;
    sooth_ptx ptx;
    for (i = 0; i < sizeof bad / sizeof bad[0]; ++i)
        CHECK_FAILS(&env, read_text(bad[i].text, bad[i].size, &ptx), SOOTH_BAD_TEXT, bad[i].words);
    CHECK_STATUS(sooth_ptx_read(NULL, NULL, 0, NULL, &ptx), SOOTH_BAD_ARGUMENT);
    /* zeros at the end */
    CHECK_STATUS(sooth_ptx_read(NULL, ".version 8.0\n.entry k() { ret; }\n\0\0", 34, NULL, &ptx), SOOTH_OK);
    CHECK(ptx.functions == 1);
    sooth_ptx_free(NULL, &ptx);
}

/* Each mistake stands in function bad, between two good ones: line, column and sentence, and the others are
   read. */
static void mistakes_have_a_place(void) {
    static const struct {
        const char *body;
        unsigned line, column;
        const char *words;
    } bad[] = {{"add.s32 a, b, c\nsub.s32 a, b, c;", 7, 1, "sub.s32 instead of a comma or ;"},
               {"add.s32 a, b,;", 6, 14, "; instead of an operand"},
               {"ld.u32 a, [b;", 6, 13, "found ; instead of"},
               {"ld.u32 a, [b);", 6, 13, "found ) instead of"},
               {"ret;\n  @p;", 7, 5, "; instead of an instruction after a predicate"},
               {"@ bra L;\n", 6, 7, "L instead of an instruction"},
               {"bra NOWHERE;", 6, 5, "there is no label NOWHERE here to branch to"},
               {"brx.idx a, TABLE;", 6, 12, "there is no table of targets TABLE here"},
               {"L: ret;\n L: ret;", 7, 2, "the label L is defined twice"},
               {".reg .foo x;", 6, 11, "x instead of the type of a register"},
               {".shared .b8 x[y];", 6, 15, "y instead of the size of an array"},
               {"mov.u32 a, #3;", 6, 12, "# instead of an operand"},
               {"%r1 = 3;", 6, 1, "%r1 instead of an instruction"},
               {"{ mov.u32 a, b;", 8, 1, ".entry is inside a function"},
               {".loc 1 x 3", 6, 8, "x instead of a line after .loc and the file"},
               {"\x80", 6, 1, "? instead of an instruction"},
               {"bra 3;", 6, 1, "bra has no target"}};
    size_t i;
    for (i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        char text[512];
        sooth_ptx ptx;
        sooth_ptx_counts c;
        int wrong = check_failures;
        snprintf(text, sizeof text,
                 HEAD ".entry good() { ret; }\n.entry bad() {\n%s\n}\n"
                      ".entry better() { add.s32 a, b, c; ret; }\n",
                 bad[i].body);
        CHECK_STATUS(read_text(text, strlen(text), &ptx), SOOTH_OK);
        CHECK(ptx.errors >= 1);
        if (ptx.errors == 0) continue;
        CHECK(ptx.functions == 3 && function_of(&ptx, "bad")->is_broken);
        CHECK(ptx.note[0].is_error && ptx.note[0].line == bad[i].line &&
              ptx.note[0].column == bad[i].column && strstr(ptx.note[0].text, bad[i].words));
        CHECK(!function_of(&ptx, "good")->is_broken && !function_of(&ptx, "better")->is_broken &&
              function_of(&ptx, "better")->instructions == 2);
        CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, soothi_ptx_function_index(&ptx, "bad"), NULL, &c),
                    SOOTH_BAD_TEXT, "bad cannot be counted: line ");
        CHECK_STATUS(sooth_ptx_count(&env, &ptx, soothi_ptx_function_index(&ptx, "better"), NULL, &c),
                     SOOTH_OK);
        sooth_ptx_counts_free(&env, &ptx, &c);
        if (check_failures != wrong) printf("  in %s: %s\n", bad[i].body, ptx.note[0].text);
        sooth_ptx_free(&env, &ptx);
    }
}

/* A list of mistakes is bounded, their number is not. */
static void mistakes_are_counted(void) {
    char text[8192];
    size_t n = (size_t)snprintf(text, sizeof text, HEAD);
    unsigned i;
    sooth_ptx ptx;
    sooth_ptx_options options;
    for (i = 0; i < 100; ++i)
        n += (size_t)snprintf(text + n, sizeof text - n, ".entry k%u() { add.s32 a b; }\n", i);
    CHECK_STATUS(read_text(text, n, &ptx), SOOTH_OK);
    CHECK(ptx.errors == 100 && ptx.notes == 64 && ptx.functions == 100);
    sooth_ptx_free(&env, &ptx);
    options.notes = 3;
    CHECK_STATUS(sooth_ptx_read(&env, text, n, &options, &ptx), SOOTH_OK);
    CHECK(ptx.errors == 100 && ptx.notes == 3);
    sooth_ptx_free(&env, &ptx);
}

/* Cut anywhere, every file is read or refused; whatever was cut off within a function is an error of that
   function. */
static void cut_files_never_pass_for_whole(void) {
    static const char *const name[] = {"syntax.ptx", "switch.ptx", "mathfn.ptx"};
    size_t i, n;
    for (i = 0; i < 3; ++i) {
        size_t size = load(name[i]), step = i == 0 ? 1 : 7;
        if (size == 0) CHECK_SKIP("tests/golden/ptx is not here");
        for (n = 0; n < size; n += step) {
            sooth_ptx ptx;
            size_t k;
            unsigned broken = 0;
            int depth = 0;
            if (read_text(file_text, n, &ptx) != SOOTH_OK) continue;
            for (k = 0; k < ptx.functions; ++k) broken += ptx.function[k].is_broken;
            for (k = n; k > 0 && file_text[k - 1] != '\n';) --k;
            for (; k > 0; --k) /* inside a body when the last line of its own with a brace opened one */
                if (file_text[k - 1] == '\n' && (file_text[k] == '{' || file_text[k] == '}')) {
                    depth = file_text[k] == '{';
                    break;
                }
            if (depth && ptx.functions && file_text[k + 1] == '\n' &&
                strncmp(file_text + k - 12, ".debug_str", 10) != 0)
                CHECK(broken == 1 || ptx.errors > 0);
            sooth_ptx_free(&env, &ptx);
        }
    }
}

/* ---- memory ---- */

static sooth_status read_and_count(sooth_env *e, const char *text, size_t size,
                                   const sooth_ptx_count_options *trips, sooth_ptx *ptx,
                                   sooth_ptx_counts *c) {
    sooth_status status = sooth_ptx_read(e, text, size, NULL, ptx);
    if (status != SOOTH_OK) return status;
    status = sooth_ptx_count(e, ptx, 0, trips, c);
    if (status != SOOTH_OK) sooth_ptx_free(e, ptx);
    return status;
}

static void every_allocation_may_fail(void) {
    static const char *const name[] = {"syntax.ptx", "calls.ptx", "nested.ptx", "switch.ptx", "reduce.ptx"};
    static const sooth_ptx_value block256[] = {{"%ntid.x", 256}};
    sooth_ptx_count_options trips;
    size_t i;
    memset(&trips, 0, sizeof trips);
    trips.value = block256;
    trips.values = 1;
    for (i = 0; i < 10; ++i) {
        sooth_ptx ptx;
        sooth_ptx_counts c;
        size_t size = load(name[i % 5]);
        trips.certain = i >= 5;
        if (size == 0) CHECK_SKIP("tests/golden/ptx is not here");
        if (i % 5 == 0)
            memcpy(strstr(file_text, ".extern .func"), "/* none */   /*", 15),
                memcpy(strstr(file_text, "// prototype"), "*/", 2);
        sooth_env_init(&env);
        CHECK_EVERY_ALLOCATION(&env, read_and_count(&env, file_text, size, &trips, &ptx, &c),
                               (sooth_ptx_counts_free(&env, &ptx, &c), sooth_ptx_free(&env, &ptx)));
    }
}

/* ---- what runs for certain ---- */

/* Follows every path from block b to an end. seen[]: how many paths pass a block. Returns the paths. */
static double paths_from(const sooth_ptx *ptx, uint32_t b, unsigned char *on, double *seen) {
    const sooth_ptx_block *block = &ptx->block[b];
    double paths = 0;
    on[b] = 1;
    for (uint32_t i = 0; i < block->edges; ++i)
        paths += paths_from(ptx, ptx->edge[block->edge + i], on, seen);
    if (block->edges == 0) {
        for (size_t k = 0; k < ptx->blocks; ++k) seen[k] += on[k];
        paths = 1;
    }
    on[b] = 0;
    return paths;
}

/* Random forward branches, ends and switches: what counts is what lies on every path, found by walking them
   all; and a choice is undecided if it is reached. */
static void certain_is_what_every_path_runs(void) {
    sooth_rng rng;
    unsigned some = 0, none = 0;
    sooth_rng_init(&rng, 9, 0);
    for (unsigned round = 0; round < 400; ++round) {
        enum { BLOCKS = 14 };
        const sooth_ptx_count_options certain = {.certain = 1};
        char body[4000];
        size_t n = 0;
        unsigned char on[64] = {0};
        double seen[64] = {0};
        sooth_ptx ptx;
        sooth_ptx_counts c;
        for (unsigned i = 0; i < BLOCKS; ++i) {
            n += (size_t)snprintf(body + n, sizeof body - n, "B%u: add.s32 %%r1, %%r1, 1;\n", i);
            const unsigned to = i + 1 + sooth_rng_below(&rng, BLOCKS - i < 5 ? BLOCKS - i : 5);
            switch (sooth_rng_below(&rng, 8)) {
            case 0: n += (size_t)snprintf(body + n, sizeof body - n, "bra B%u;\n", to); break;
            case 1:
                if (sooth_rng_below(&rng, 3) == 0) n += (size_t)snprintf(body + n, sizeof body - n, "ret;\n");
                break;
            case 2: break;
            default: n += (size_t)snprintf(body + n, sizeof body - n, "@%%p%u bra B%u;\n", i, to);
            }
        }
        snprintf(body + n, sizeof body - n, "B%u: ret;", BLOCKS);
        read_body(body, &ptx);
        CHECK(ptx.errors == 0 && ptx.blocks < 64);
        CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, &certain, &c), SOOTH_OK);
        const double paths = paths_from(&ptx, 0, on, seen);
        uint32_t choices = 0;
        for (size_t b = 0; b < ptx.blocks; ++b) {
            const int every = !(seen[b] < paths);
            CHECK_NEAR(c.block[b], every ? 1 : 0, 0);
            CHECK(c.both[b] == (seen[b] > 0 && ptx.block[b].edges == 2));
            choices += c.both[b];
            some += every;
            none += !every && seen[b] > 0;
        }
        CHECK(c.undecided == choices);
        sooth_ptx_counts_free(&env, &ptx, &c);
        sooth_ptx_free(&env, &ptx);
    }
    CHECK(some > 1000 && none > 1000);
}

static void an_arena_is_enough(void) {
    static double memory[1 << 17];
    sooth_arena arena;
    sooth_ptx ptx;
    sooth_ptx_counts c;
    size_t size = load("matmul.ptx");
    if (size == 0) CHECK_SKIP("tests/golden/ptx is not here");
    sooth_env_init(&env);
    sooth_arena_init(&env, &arena, memory, sizeof memory);
    CHECK_STATUS(read_and_count(&env, file_text, size, NULL, &ptx, &c), SOOTH_OK);
    CHECK(c.total > 0);
    sooth_arena_init(&env, &arena, memory, arena.peak); /* exactly what it took */
    CHECK_STATUS(read_and_count(&env, file_text, size, NULL, &ptx, &c), SOOTH_OK);
    sooth_arena_init(&env, &arena, memory, arena.peak - 16);
    CHECK_STATUS(read_and_count(&env, file_text, size, NULL, &ptx, &c), SOOTH_NO_MEMORY);
}

/* Noise made of the pieces of PTX. */
static void noise_never_crashes(void) {
    static const char *const piece[] = {".entry ",
                                        ".func ",
                                        "k",
                                        "(",
                                        ")",
                                        "{",
                                        "}",
                                        ";",
                                        "[",
                                        "]",
                                        ",",
                                        ":",
                                        "L:",
                                        "bra L",
                                        "@p ",
                                        "@!",
                                        "ret",
                                        "%r1",
                                        ".reg .b32 ",
                                        ".loc 1 2 3",
                                        "ld.global.u32 ",
                                        "brx.idx r, T",
                                        "T: .branchtargets L",
                                        "\n",
                                        "\"",
                                        "/*",
                                        "*/",
                                        "//",
                                        "0x",
                                        "1e",
                                        "call f",
                                        ".param .b8 p[",
                                        "setp.lt.s32 p, i, 3",
                                        "add.s32 i, i, 1",
                                        "mov.u32 i, 0",
                                        "::",
                                        ".",
                                        "|",
                                        ".section .x {",
                                        ".shared .b8 s[4]",
                                        "= {",
                                        "<",
                                        ">",
                                        ".align ",
                                        ".version 8.0\n",
                                        "-",
                                        "+",
                                        "!",
                                        "\xFF",
                                        "\x01",
                                        "/"};
    sooth_rng rng;
    unsigned round;
    sooth_rng_init(&rng, 3, 3);
    for (round = 0; round < 20000; ++round) {
        char text[1024];
        size_t n = (size_t)snprintf(text, sizeof text, "%s",
                                    sooth_rng_below(&rng, 2) ? HEAD ".entry k() {" : ".version 8.0\n"),
               k;
        unsigned pieces = sooth_rng_below(&rng, 40);
        sooth_ptx ptx;
        while (pieces--) {
            const char *p = piece[sooth_rng_below(&rng, sizeof piece / sizeof piece[0])];
            n += (size_t)snprintf(text + n, sizeof text - n, "%s", p);
        }
        if (read_text(text, n, &ptx) != SOOTH_OK) continue;
        for (k = 0; k < ptx.functions; ++k) {
            sooth_ptx_counts c;
            if (sooth_ptx_count(&env, &ptx, k, NULL, &c) == SOOTH_OK) sooth_ptx_counts_free(&env, &ptx, &c);
            else CHECK(env.sentence[0] != 0);
        }
        sooth_ptx_free(&env, &ptx);
    }
}

static void whole_numbers_are_read(void) {
    static const struct {
        const char *text;
        size_t taken;
        uint64_t value;
    } known[] = {{"0", 1, 0},     {"42", 2, 42},        {"42U", 3, 42},
                 {"0x1F", 4, 31}, {"0X1fU", 5, 31},     {"0b101", 5, 5},
                 {"0B11", 4, 3},  {"017", 3, 15},       {"018", 0, 0},
                 {"12x", 0, 0},   {"0f3F800000", 0, 0}, {"1.5", 0, 0},
                 {"", 0, 0},      {"-1", 0, 0},         {"x", 0, 0},
                 {"7,", 1, 7},    {"0b102", 0, 0},      {"0U", 2, 0},
                 {"9]", 1, 9},    {"0,", 1, 0},         {"18446744073709551617", 20, 1}};
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        uint64_t value = 0;
        const size_t n = strlen(known[i].text);
        CHECK(soothi_ptx_whole(known[i].text, known[i].text + n, &value) == known[i].taken &&
              value == known[i].value);
        if (check_failures) {
            printf("  in %s\n", known[i].text);
            return;
        }
    }
}

static int below_0(int64_t v) { return v < 0; }

/* One instruction over the numbers a, b and c, as C computes it in the registers' own types. */
#define APPLIED(name, type, is_signed)                                                                       \
    static int64_t name(const char *op, type a, type b, int64_t c, unsigned shift) {                         \
        const unsigned bits = 8 * (unsigned)sizeof(type);                                                    \
        if (!strcmp(op, "neg")) return (type)(0 - (uint64_t)a);                                              \
        if (!strcmp(op, "abs")) return (type)(below_0(a) ? 0 - (uint64_t)a : (uint64_t)a);                   \
        if (!strcmp(op, "not")) return (type)~a;                                                             \
        if (!strcmp(op, "mov")) return a;                                                                    \
        if (!strcmp(op, "add")) return (type)((uint64_t)a + (uint64_t)b);                                    \
        if (!strcmp(op, "sub")) return (type)((uint64_t)a - (uint64_t)b);                                    \
        if (!strcmp(op, "mul.lo")) return (type)((uint64_t)a * (uint64_t)b);                                 \
        if (!strcmp(op, "mad.lo")) return (type)((uint64_t)a * (uint64_t)b + (uint64_t)c);                   \
        if (!strcmp(op, "div")) return is_signed && b == (type)-1 ? (type)(0 - (uint64_t)a) : (type)(a / b); \
        if (!strcmp(op, "rem")) return is_signed && b == (type)-1 ? 0 : (type)(a % b);                       \
        if (!strcmp(op, "min")) return a < b ? a : b;                                                        \
        if (!strcmp(op, "max")) return a > b ? a : b;                                                        \
        if (!strcmp(op, "and")) return (type)(a & b);                                                        \
        if (!strcmp(op, "or")) return (type)(a | b);                                                         \
        if (!strcmp(op, "xor")) return (type)(a ^ b);                                                        \
        if (!strcmp(op, "shl")) return shift < bits ? (type)((uint64_t)a << shift) : 0;                      \
        if (!strcmp(op, "shr")) return shift < bits ? (type)(a >> shift) : (type)(0 - below_0(a));           \
        if (!strcmp(op, "selp")) return c & 1 ? a : b;                                                       \
        if (!strcmp(op, "setp.lt")) return a < b;                                                            \
        if (!strcmp(op, "setp.le")) return a <= b;                                                           \
        if (!strcmp(op, "setp.eq")) return a == b;                                                           \
        if (!strcmp(op, "setp.ne")) return a != b;                                                           \
        if (!strcmp(op, "setp.gt")) return a > b;                                                            \
        return a >= b; /* setp.ge */                                                                         \
    }
APPLIED(applied_s32, int32_t, 1)
APPLIED(applied_u32, uint32_t, 0)
APPLIED(applied_s64, int64_t, 1)
APPLIED(applied_u16, uint16_t, 0)

static void instructions_compute_as_c_does(void) {
    static const char *const ops[] = {"neg",     "abs",     "not",     "mov",     "add",     "sub",
                                      "mul.lo",  "mad.lo",  "div",     "rem",     "min",     "max",
                                      "and",     "or",      "xor",     "shl",     "shr",     "selp",
                                      "setp.lt", "setp.le", "setp.eq", "setp.ne", "setp.gt", "setp.ge"};
    static const char *const types[] = {"s32", "u32", "s64", "u16"};
    static const uint64_t values[] = {0,
                                      1,
                                      2,
                                      3,
                                      7,
                                      31,
                                      32,
                                      64,
                                      1000,
                                      0x7FFFFFFFu,
                                      0x80000000u,
                                      0xFFFFFFFFu,
                                      0xFFFFFFFFFFFFFFFFull,
                                      0x8000000000000000ull,
                                      0x123456789ABCDEFull};
    static const unsigned bits[] = {32, 32, 64, 16};
    const size_t count = sizeof values / sizeof *values;
    for (size_t o = 0; o < sizeof ops / sizeof *ops; ++o)
        for (size_t t = 0; t < 4; ++t)
            for (size_t k = 0; k < count * count; ++k) {
                const uint64_t a = values[k / count], b = values[k % count];
                const int64_t from[3] = {(int64_t)a, (int64_t)b, (int64_t)(k % 5)};
                char text[32];
                int64_t got = 0, want;
                const int division = o == 8 || o == 9;
                const uint64_t cut = bits[t] == 64 ? b : b & (((uint64_t)1 << bits[t]) - 1);
                snprintf(text, sizeof text, "%s.%s", ops[o], types[t]);
                const sooth_ptx_form form = soothi_ptx_form_of(text, strlen(text));
                CHECK(soothi_ptx_sources(&form) == (o < 4 ? 1u : o == 7 || o == 17 ? 3u : 2u));
                const int known = soothi_ptx_apply(&form, from, &got);
                CHECK(known == !(division && cut == 0));
                if (!known) continue;
                want = t == 0   ? applied_s32(ops[o], (int32_t)(uint32_t)a, (int32_t)(uint32_t)b, from[2],
                                              (uint32_t)b)
                       : t == 1 ? applied_u32(ops[o], (uint32_t)a, (uint32_t)b, from[2], (uint32_t)b)
                       : t == 2 ? applied_s64(ops[o], (int64_t)a, (int64_t)b, from[2], (uint32_t)b)
                                : applied_u16(ops[o], (uint16_t)a, (uint16_t)b, from[2], (uint32_t)b);
                if (strncmp(ops[o], "setp", 4) != 0)
                    want = soothi_ptx_keep(want, bits[t]); /* as registers are kept */
                CHECK(got == want);
                if (check_failures) {
                    printf("  %s of %lld, %lld: %lld\n", text, (long long)a, (long long)b, (long long)got);
                    return;
                }
            }
}

/* Unsigned comparisons by their own names, wide products, conversions; and what is not worked out. */
static void odd_instructions(void) {
    static const struct {
        const char *text;
        int64_t from[3], result;
        unsigned sources;
        int known;
    } odd[] = {{"setp.lo.u32", {-1, 1, 0}, 0, 2, 1},
               {"setp.hi.u32", {-1, 1, 0}, 1, 2, 1},
               {"setp.ls.u32", {1, 1, 0}, 1, 2, 1},
               {"setp.hs.u32", {0, 1, 0}, 0, 2, 1},
               {"setp.equ.s32", {0, 1, 0}, 0, 2, 0},
               {"setp.lt.and.s32", {0, 1, 0}, 0, 2, 0},
               {"mul.wide.s32", {-2, 3, 0}, -6, 2, 1},
               {"mul.wide.u32", {-1, 2, 0}, 8589934590, 2, 1},
               {"mad.wide.s32", {-2, 3, 100}, 94, 3, 1},
               {"mul.hi.s32", {1 << 30, 8, 0}, 0, 2, 0},
               {"mad.hi.s32", {1 << 30, 8, 0}, 0, 3, 0},
               {"cvt.s64.s32", {4294967295, 0, 0}, -1, 1, 1},
               {"cvt.u64.u32", {-1, 0, 0}, 4294967295, 1, 1},
               {"cvt.u8.u32", {511, 0, 0}, -1, 1, 1}, /* 255, kept with a sign */
               {"not.pred", {1, 0, 0}, 0, 1, 1},
               {"and.pred", {1, 1, 0}, 1, 2, 1},
               {"add.f32", {1, 1, 0}, 0, 0, -1},
               {"cvt.rn.f32.s32", {1, 0, 0}, 0, 0, -1},
               {"popc.b32", {1, 0, 0}, 0, 0, 0},
               {"mul.u8", {20, 20, 0}, -112, 2, 1}, /* 400 is 144, kept with a sign */
               {"cvt.rzi.s32.f32", {1, 0, 0}, 0, 0, -1},
               {"mov.v2.u32", {1, 0, 0}, 0, 0, -1},
               {"mov", {1, 0, 0}, 0, 0, -1},
               {"add.b128", {1, 1, 0}, 0, 0, -1}};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; ++i) {
        const sooth_ptx_form form = soothi_ptx_form_of(odd[i].text, strlen(odd[i].text));
        int64_t result = 0;
        CHECK(soothi_ptx_sources(&form) == odd[i].sources);
        if (odd[i].known < 0) continue;
        CHECK(soothi_ptx_apply(&form, odd[i].from, &result) == odd[i].known);
        if (odd[i].known) CHECK(result == odd[i].result);
        if (check_failures) {
            printf("  %s gave %lld\n", odd[i].text, (long long)result);
            return;
        }
    }
    CHECK(!sooth_ptx_class_name(SOOTH_PTX_CLASSES));
    CHECK(!sooth_ptx_kind_name(SOOTH_PTX_KINDS));
    CHECK(!sooth_ptx_opcode_name(SOOTH_PTX_OPCODES));
    CHECK(sooth_ptx_kind_class(SOOTH_PTX_KINDS) == SOOTH_PTX_CLASS_MISC);
}

/* ---- every shape of loop ---- */

static const sooth_ptx_loop *first_loop(const sooth_ptx *ptx) { return ptx->loops ? &ptx->loop[0] : NULL; }

/* Trips by hand; -1 where the loop never ends, or where the rules do not say: then the number that is not
   told stands in front. */
static void loops_of_every_shape(void) {
    static const struct {
        const char *body;
        double trip;
    } shapes[] = {
        /* which way the test goes */
        {"mov.u32 i, 0;\nL: add.u32 i, i, 1;\nsetp.ge.u32 p, i, 1000;\n@!p bra L;\nret;", 1000},
        {"mov.u32 i, 0;\nL: setp.ge.u32 p, i, 1000;\n@p bra D;\nadd.u32 i, i, 1;\nbra L;\nD: ret;", 1000},
        {"mov.u32 i, 0;\nL: setp.lt.u32 p, i, 1000;\n@ ! p bra D;\nadd.u32 i, i, 1;\nbra L;\nD: ret;", 1000},
        {"mov.s32 i, 0;\nL: sub.s32 i, i, 3;\nsetp.gt.s32 p, i, -1000;\n@p bra L;\nret;", 334},
        {"mov.s32 i, 0;\nL: sub.s32 i, i, 4;\nsetp.ge.s32 p, i, -1000;\n@p bra L;\nret;", 251},
        {"mov.s32 i, 900;\nL: sub.s32 i, i, 3;\nsetp.ne.s32 p, 0, i;\n@p bra L;\nret;", 300},
        {"mov.s64 i, 0;\nL: add.s64 i, i, 1;\nsetp.le.s64 p, i, 100000;\n@p bra L;\nret;", 100001},
        {"mov.u32 i, 0;\nL: add.u32 i, i, 1;\nsetp.eq.u32 p, i, 1;\n@p bra L;\nret;", 2},
        /* what grows with i */
        {"mov.u32 i, 0;\nL: add.u32 i, i, 1;\nshl.b32 t, i, 2;\nsetp.lt.u32 p, t, 4000;\n@p bra L;\nret;",
         1000},
        {"mov.u32 i, 0;\nL: add.u32 i, i, 1;\nmul.lo.u32 t, 3, i;\nsetp.lt.u32 p, t, 3000;\n@p bra L;\nret;",
         1000},
        {"mov.u32 i, 0;\nL: add.u32 i, i, 1;\nmad.lo.u32 t, i, 4, 7;\nsetp.lt.u32 p, t, 4007;\n@p bra L;\n"
         "ret;",
         1000},
        {"mov.s32 i, 0;\nL: add.s32 i, i, 1;\nneg.s32 t, i;\nsetp.gt.s32 p, t, -500;\n@p bra L;\nret;", 500},
        {"mov.u32 i, 0;\nL: add.u32 i, i, 1;\ncvt.u64.u32 t, i;\nsetp.lt.u64 p, t, 5000;\n@p bra L;\nret;",
         5000},
        {"mov.s32 i, 0;\nL: add.s32 i, i, 1;\nmul.wide.s32 t, i, 4;\nsetp.lt.s64 p, t, 40000;\n@p bra L;\n"
         "ret;",
         10000},
        {"mov.u32 i, 0;\nL: add.u32 i, i, 1;\nmul.wide.u32 t, 4, i;\nsetp.lt.u64 p, t, 40000;\n@p bra L;\n"
         "ret;",
         10000},
        {"mov.u32 i, 0;\nsetp.eq.u32 q, 1, 1;\nL: add.u32 i, i, 1;\nselp.u32 t, i, 7, q;\n"
         "setp.lt.u32 p, t, 20;\n@p bra L;\nret;",
         20},
        {"mov.u32 i, 0;\nL: add.u32 i, i, 1;\nrem.u32 t, i, 50;\nsetp.lt.u32 p, t, 49;\n@p bra L;\nret;", 49},
        {"mov.u32 i, 0;\nL: add.u32 i, i, 1;\nshl.b32 t, 1, i;\nsetp.lt.u32 p, t, 1024;\n@p bra L;\nret;",
         10},
        /* 499 and 1,000: no longer linear */
        {"mov.u32 i, 0;\nL: add.u32 i, i, 1;\nrem.u32 t, i, 500;\nsetp.lt.u32 p, t, 499;\n@p bra L;\nret;",
         -1},
        {"mov.u32 i, 0;\nL: add.u32 i, i, 1;\nshl.b32 t, 0, i;\nadd.u32 u, i, t;\nsetp.lt.u32 p, u, 1000;\n"
         "@p bra L;\nret;",
         -1},
        {"mov.u32 i, 0;\nL: add.u32 i, i, 1;\nmov.u32 j, 0;\nmul.lo.u32 t, i, j;\nadd.u32 u, i, t;\n"
         "setp.lt.u32 p, u, 1000;\n@p bra L;\nret;",
         -1},
        /* a byte of i is never 1,000; i comes round before 2i is 2^33 */
        {"mov.u32 i, 0;\nL: add.u32 i, i, 1;\ncvt.u32.u8 t, i;\nsetp.lt.u32 p, t, 1000;\n@p bra L;\nret;",
         -1},
        {"mov.u32 i, -1000;\nL: add.u32 i, i, 1;\nmul.wide.u32 t, i, 2;\nsetp.lt.u64 p, t, 8589934592;\n"
         "@p bra L;\nret;",
         -1},
        /* leaves its type on the way: 65,000 and 1,000 more are 464 */
        {"mov.u16 i, 0;\nL: add.u16 i, i, 1000;\nsetp.lt.u16 p, i, 65500;\n@p bra L;\nret;", -1},
        {"mov.u16 i, 0;\nL: add.u16 i, i, 1000;\nsetp.gt.u16 p, 65500, i;\n@p bra L;\nret;", -1},
        /* both sides grow; away from it; past it */
        {"mov.s32 i, 0;\nmov.s32 j, 5;\nL: add.s32 i, i, 1;\nadd.s32 j, j, 1;\nsetp.lt.s32 p, i, j;\n"
         "@p bra L;\nret;",
         -1},
        {"mov.s32 i, 0;\nL: sub.s32 i, i, 1;\nsetp.lt.s32 p, i, 9;\n@p bra L;\nret;", -1},
        {"mov.s32 i, 10;\nL: add.s32 i, i, 1;\nsetp.ne.s32 p, i, 9;\n@p bra L;\nret;", -1},
        {"mov.s32 i, 0;\nmov.s32 j, 3000;\nL: add.s32 i, i, 1;\nsub.s32 j, j, 2;\nsetp.lt.s32 p, i, j;\n"
         "@p bra L;\nret;",
         1000},
        /* 4,096, and beyond a quarter of all numbers of 64 bits */
        {"mov.s64 i, 0x7000000000000000;\nL: add.s64 i, i, 1;\nsetp.lt.s64 p, i, 0x7000000000001000;\n"
         "@p bra L;\nret;",
         -1},
        {"mov.s64 i, 0x4000000000000003;\nmov.s64 j, 0xBFFFFFFFFFFFFFFC;\nL: add.s64 i, i, "
         "0x7FFFFFFFFFFFFFFF;\n"
         "sub.s64 j, j, 0x7FFFFFFFFFFFFFFF;\nsetp.ne.s64 p, i, j;\n@p bra L;\nret;",
         -1},
        {"mov.u64 i, -5000;\nL: add.u64 i, i, 1;\nsetp.lt.u64 p, i, -1;\n@p bra L;\nret;", -1},
        /* the predicate: constant, turned round, from behind the test, unknown at first, half of a pair */
        {"setp.eq.u32 p, 1, 1;\nL: add.f32 x, x, x;\n@p bra L;\nret;", -1},
        {"mov.u32 i, 0;\nL: add.u32 i, i, 1;\nsetp.ge.u32 q, i, 1000;\nnot.pred p, q;\n@p bra L;\nret;",
         1000},
        {"L: not.pred p, 0;\n@p bra L;\nret;", -1},
        {"setp.eq.u32 q, 1, 1;\nL: not.pred p, q;\n@p bra L;\nret;", 1},
        {"mov.u32 i, 0;\nsetp.eq.u32 p, 1, 0;\nL: @p bra D;\nadd.u32 i, i, 1;\nsetp.lt.u32 q, i, 10;\n"
         "not.pred p, q;\nbra L;\nD: ret;",
         10},
        {"mov.u32 i, 0;\nsetp.eq.u32 q, 1, 0;\nL: not.pred p, q;\nadd.u32 i, i, 1;\nsetp.ge.u32 q, i, 10;\n"
         "@p bra L;\nret;",
         11},
        {"mov.u32 i, 0;\nL: @p bra D;\nadd.u32 i, i, 1;\nsetp.ge.u32 p, i, 10;\nbra L;\nD: ret;", -1},
        {"mov.u32 i, 0;\nL: add.u32 i, i, 1;\nsetp.lt.u32 p|q, i, 10;\n@q bra L;\nret;", -1},
        {"mov.u32 i, 0;\nL: setp.ge.u32 p, i, 10;\n@p bra D;\nadd.u32 i, i, k;\nmov.u32 k, 1;\nbra L;\n"
         "D: ret;",
         -1},
        /* divided by nothing, one operand too many, an unknown one, an inner loop that counts */
        {"mov.u32 i, 0;\nL: rem.u32 t, 100, i;\nadd.u32 i, i, 1;\nsetp.lt.u32 p, t, 9;\n@p bra L;\nret;", -1},
        {"mov.u32 i, 0;\nL: add.u32 i, i, 1, 0;\nsetp.lt.u32 p, i, 9;\n@p bra L;\nret;", -1},
        {"mov.u32 i, 0;\nL: add.u32 i, i, %nctaid.x;\nsetp.lt.u32 p, i, 9;\n@p bra L;\nret;", -1},
        {"mov.u32 i, 0;\nL: add.u32 i, i, 1;\nsetp.lt.u32 p, i, 1.5;\n@p bra L;\nret;", -1},
        {"mov.u32 i, 0;\nL: mov.u32 j, 0;\nI: add.u32 i, i, 1;\nadd.u32 j, j, 1;\nsetp.lt.u32 q, j, 3;\n"
         "@q bra I;\nsetp.lt.u32 p, i, 9;\n@p bra L;\nret;",
         -1},
        /* other ways out */
        {"mov.u32 i, 0;\nL: @q exit;\nadd.u32 i, i, 1;\nsetp.lt.u32 p, i, 9;\n@p bra L;\nret;", -1},
        {"mov.u32 i, 0;\nT: .branchtargets L, D;\nL: add.u32 i, i, 1;\nbrx.idx i, T;\nD: ret;", -1},
        /* bounds: known ones, */
        {"mov.u32 i, 0;\nL: add.u32 i, i, 1;\nsetp.lt.u32 p, i, WARP_SZ;\n@p bra L;\nret;", 32},
        {"mov.u32 n, 9;\nmov.u32 i, 0;\nL: add.u32 i, i, 1;\nsetp.lt.u32 p, i, n;\n@p bra L;\nret;", 9},
        {"@q bra C;\nmov.u32 n, 8;\nC: mov.u32 n, 7;\nmov.u32 i, 0;\nL: add.u32 i, i, 1;\n"
         "setp.lt.u32 p, i, n;\n@p bra L;\nret;",
         7},
        {"bra B;\nA: mov.u32 n, 8;\nbra U;\nB: mov.u32 n, 7;\nbra A;\nU: mov.u32 i, 0;\nL: add.u32 i, i, 1;\n"
         "setp.lt.u32 p, i, n;\n@p bra L;\nret;",
         8},
        {"mov.u32 n, 9;\nbra U;\nmov.u32 n, 3;\nU: mov.u32 i, 0;\nL: add.u32 i, i, 1;\n"
         "setp.lt.u32 p, i, n;\n@p bra L;\nret;",
         9},
        {"mov.u32 n, 9;\n@q bra X;\nmov.u32 n, 8;\nret;\nX: mov.u32 i, 0;\nL: add.u32 i, i, 1;\n"
         "setp.lt.u32 p, i, n;\n@p bra L;\nret;",
         9},
        /* and those that may be two things, or nothing that is followed */
        {"mov.u32 n, 9;\n@q bra X;\nmov.u32 n, 8;\nX: mov.u32 m, n;\nmov.u32 i, 0;\nL: add.u32 i, i, 1;\n"
         "setp.lt.u32 p, i, m;\n@p bra L;\nret;",
         -1},
        {"@q bra X;\nmov.u32 n, 8;\nX: mov.u32 m, n;\nmov.u32 i, 0;\nL: add.u32 i, i, 1;\n"
         "setp.lt.u32 p, i, m;\n@p bra L;\nret;",
         -1},
        {"ld.param.v2.u32 {n, m}, [a];\nmov.u32 i, 0;\nL: add.u32 i, i, 1;\nsetp.lt.u32 p, i, n;\n@p bra L;\n"
         "ret;",
         -1},
        {"ld.param.u32 n, x;\nmov.u32 i, 0;\nL: add.u32 i, i, 1;\nsetp.lt.u32 p, i, n;\n@p bra L;\nret;", -1},
        {"ld.param.u32 n;\nmov.u32 i, 0;\nL: add.u32 i, i, 1;\nsetp.lt.u32 p, i, n;\n@p bra L;\nret;", -1},
        {"ld.param.f32 n, [a];\nmov.u32 i, 0;\nL: add.u32 i, i, 1;\nsetp.lt.u32 p, i, n;\n@p bra L;\nret;",
         -1},
        {"mov.u32 n, 5, 6;\nmov.u32 i, 0;\nL: add.u32 i, i, 1;\nsetp.lt.u32 p, i, n;\n@p bra L;\nret;", -1},
        {"mov.b64 {n, m}, 5;\nmov.u32 i, 0;\nL: add.u32 i, i, 1;\nsetp.lt.u32 p, i, n;\n@p bra L;\nret;",
         -1}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; ++i) {
        const int wrong = check_failures;
        sooth_ptx ptx;
        read_body(shapes[i].body, &ptx);
        CHECK(ptx.loops >= 1);
        if (ptx.loops) CHECK(first_loop(&ptx)->trip == shapes[i].trip);
        if (check_failures != wrong)
            printf("%s\ngave %g, not %g\n", shapes[i].body, ptx.loops ? first_loop(&ptx)->trip : -2.0,
                   shapes[i].trip);
        sooth_ptx_free(&env, &ptx);
    }
}

/* Text that is written many times, %u in it counting from 1. */
static size_t repeat(char *text, size_t n, size_t capacity, const char *piece, unsigned times) {
    for (unsigned i = 1; i <= times; ++i) {
        const char *p;
        for (p = piece; *p && n + 12 < capacity; ++p)
            if (*p == '#') n += (size_t)snprintf(text + n, capacity - n, "%u", i);
            else if (*p == '~') n += (size_t)snprintf(text + n, capacity - n, "%u", i - 1);
            else text[n++] = *p;
    }
    text[n] = 0;
    return n;
}

/* Where following a value would take too long the loop stays unknown, and just below it does not. In a piece
   # is its number from 1, ~ one less. */
static void following_has_limits(void) {
    static const struct {
        const char *before, *piece, *behind;
        unsigned times;
        double trip;
    } limits[] = {/* values through 10 and through 14 registers */
                  {"mov.u32 n0, 9;\n", "mov.u32 n#, n~;\n", "mov.u32 m, n10;\n", 10, 9},
                  {"mov.u32 n0, 9;\n", "mov.u32 n#, n~;\n", "mov.u32 m, n14;\n", 14, -1},
                  /* 2^3 and 2^11 sources */
                  {"mov.u32 n0, 1;\n", "add.u32 n#, n~, n~;\n", "mov.u32 m, n3;\n", 3, 8},
                  {"mov.u32 n0, 1;\n", "add.u32 n#, n~, n~;\n", "mov.u32 m, n11;\n", 11, -1},
                  {"mov.u32 n0, 1;\n", "mad.lo.u32 n#, n~, n~, n~;\n", "mov.u32 m, n7;\n", 7, -1},
                  /* a register that is set often before the loop */
                  {"", "mov.u32 m, #;\n", "", 100, 100},
                  {"", "mov.u32 m, #;\n", "", 600, -1},
                  {"", "mov.u32 m, #;\n", "", 1100, -1},
                  /* few and many blocks behind a definition that the loop never sees */
                  {"mov.u32 m, 9;\n@q bra X;\nmov.u32 m, 8;\n", "@q ret;\n", "ret;\nX:\n", 50, 9},
                  {"mov.u32 m, 9;\n@q bra X;\nmov.u32 m, 8;\n", "@q ret;\n", "ret;\nX:\n", 150, -1}};
    static char body[60000];
    sooth_ptx ptx;
    size_t n;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
        const int wrong = check_failures;
        n = (size_t)snprintf(body, sizeof body, "%s", limits[i].before);
        n = repeat(body, n, sizeof body, limits[i].piece, limits[i].times);
        snprintf(body + n, sizeof body - n,
                 "%smov.u32 i, 0;\nL: add.u32 i, i, 1;\nsetp.lt.u32 p, i, m;\n@p bra L;\nret;",
                 limits[i].behind);
        read_body(body, &ptx);
        CHECK(ptx.loops == 1 && first_loop(&ptx)->trip == limits[i].trip);
        if (check_failures != wrong)
            printf("  %u of %s gave %g\n", limits[i].times, limits[i].piece,
                   ptx.loops ? first_loop(&ptx)->trip : -2.0);
        sooth_ptx_free(&env, &ptx);
    }
    for (unsigned steps = 20; steps <= 30; steps += 10) { /* within the loop: 24 instructions */
        n = (size_t)snprintf(body, sizeof body, "mov.u32 t0, 0;\nL:\n");
        n = repeat(body, n, sizeof body, "add.u32 t#, t~, 1;\n", steps);
        snprintf(body + n, sizeof body - n, "mov.u32 t0, t%u;\nsetp.lt.u32 p, t0, 6000;\n@p bra L;\nret;",
                 steps);
        read_body(body, &ptx);
        CHECK(ptx.loops == 1 && first_loop(&ptx)->trip == (steps == 20 ? 300 : -1));
        sooth_ptx_free(&env, &ptx);
    }
}

/* The size of a block of threads that the kernel asks for is known. */
static void launch_bounds_tell_trips(void) {
    static const struct {
        const char *bound;
        double trip;
    } bounds[] = {{"%ntid.x", 64}, {"%ntid.y", 3},   {"%ntid.z", 1},  {"%ntid.w", -1},
                  {"%tid.x", -1},  {"%ctaid.x", -1}, {"%ntie.x", -1}, {"ntid.xy", -1}};
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; ++i) {
        char text[512];
        sooth_ptx ptx;
        snprintf(text, sizeof text,
                 HEAD ".entry k() .reqntid 64, 3 {\nmov.u32 i, 0;\nL: add.u32 i, i, 1;\n"
                      "setp.lt.u32 p, i, %s;\n@p bra L;\nret;\n}\n",
                 bounds[i].bound);
        CHECK_STATUS(read_text(text, strlen(text), &ptx), SOOTH_OK);
        CHECK(ptx.errors == 0 && ptx.loops == 1 && first_loop(&ptx)->trip == bounds[i].trip);
        sooth_ptx_free(&env, &ptx);
    }
}

/* ---- declarations ---- */

/* What stands around a name is read and skipped where nothing needs it: in each text the variable v of this
   many bytes, this alignment. */
static void declarations_of_every_kind(void) {
    static const struct {
        const char *text;
        uint64_t bytes;
        unsigned align;
    } declared[] = {{".global .attribute(.managed) .u32 v;", 4, 4},
                    {".global .attribute(.unified(19, 95)) .align 8 .f32 v[3];", 12, 8},
                    {".extern .global .attribute(.managed, .unified(0xAB, 0xCD)) .u64 v;", 8, 8},
                    {".const[2] .align 4 .b32 v[3];", 12, 4},
                    {".extern .const [ 10 ] .b32 v[];", 0, 4},
                    {".common .global .u16 v;", 2, 2},
                    {".weak .global .v2 .u16 v;", 4, 4},
                    {".global .v9 .u16 v;", 2, 2}, /* no vector there is */
                    {".global .v1 .u16 v;", 2, 2},
                    {".global .align 100000 .u16 v;", 2, 65536},
                    {".tex v;", 0, 0},
                    {".global .u8 v[4294967296][4294967296];", UINT64_MAX >> 16, 1},
                    {".global .u8 v[3][0][5];", 0, 1},
                    {".global .u32 v[4] = {1, 2, 3, 4}, w;", 16, 4},
                    {".func f(.param .u64 .align 8 .ptr .global .align 4 v);", 8, 8},
                    {".func f(.param .u64 .ptr .const[2] .align 4 v);", 8, 1},
                    {".func f(.param v);", 0, 0}};
    for (size_t i = 0; i < sizeof declared / sizeof declared[0]; ++i) {
        const int wrong = check_failures;
        char text[256];
        sooth_ptx ptx;
        snprintf(text, sizeof text, HEAD "%s\n", declared[i].text);
        CHECK_STATUS(read_text(text, strlen(text), &ptx), SOOTH_OK);
        CHECK(ptx.errors == 0 && ptx.variables >= 1);
        if (ptx.variables) CHECK(is_named(ptx.variable[0].name, "v"));
        if (ptx.variables)
            CHECK(ptx.variable[0].bytes == declared[i].bytes && ptx.variable[0].align == declared[i].align);
        if (check_failures != wrong)
            printf("  in %s: %s\n", declared[i].text, ptx.notes ? ptx.note[0].text : "");
        sooth_ptx_free(&env, &ptx);
    }
}

/* Mistakes in a function, from where its body begins or before: the first sentence, and reading goes on with
   what follows. */
static void mistakes_of_every_kind(void) {
    static const struct {
        const char *text, *words;
    } bad[] = {
        {".global .attribute .u32 x;", ".u32 instead of a ( after .attribute"},
        {".global .attribute(.managed; .u32 x;", "; instead of a ) after .attribute"},
        {".func .attribute(.x; f();", "; instead of a ) after .attribute"},
        {".const[x] .u32 y;", "x instead of the number of a bank"},
        {".const[2 .u32 y;", ".u32 instead of a ] after a bank"},
        {".func f(.param .u64 .ptr .const[x] v);", "x instead of the number of a bank"},
        {".global .u32 x[2;", "; instead of a ] after a size"},
        {".global .u32 x = {1, 2;", "this value has no ; at its end"},
        {".global .u32 x = 1};", "} instead of a ; after a value"},
        {".global .u32 x y;", "y instead of a ; after a variable"},
        {".global .align x .u32 y;", "x instead of a number after .align"},
        {".extern x;", "x instead of a directive"},
        {". x;", ". instead of a directive"},
        {"@x", "@ instead of a directive"},
        {".file x", "x instead of a number after .file"},
        {".file 1 x", "x instead of a string"},
        {".file 1 \"a.cu", "the string that begins here is not closed"},
        {".file 1 \"a.cu\", x", "x instead of a number after .file"},
        {".section x;", "; instead of a { after .section"},
        {".section x { y", "the brace that opens here is not closed"},
        {".version x", "x instead of a number such as 8.5"},
        {".version 8x", "8x instead of a number such as 8.5"},
        {".target ;", "; instead of a name such as sm_80"},
        {".address_size x", "x instead of 32 or 64"},
        {".entry (x", "x instead of .param"},
        {".entry 3() { ret; }", "3 instead of the name of a function"},
        {".entry k(.u32 x) { ret; }", ".u32 instead of .param"},
        {".entry k(.param .u32 x { ret; }", "{ instead of a ) after parameters"},
        {".entry k(.param .u32) { ret; }", ") instead of a name"},
        {".func (.param .u32) k() { ret; }", ") instead of a name"},
        {".entry k() .maxnreg x { ret; }", "x instead of a number after this directive"},
        {".entry k() .maxntid 1, x { ret; }", "x instead of a number after this directive"},
        {".entry k() .pragma \"x\" { ret; }", "this directive has no ; at its end"},
        {".entry k() x", "x instead of the body of a function"},
        {".entry good() { ret; }", "the function good is defined twice"},
        {".entry k() { .func f() {} }", ".func is inside a function"},
        {".entry k() { .visible .entry f() {} }", ".visible is inside a function"},
        {".entry k() { call 3; }", "call has no function to call"},
        {".entry k() { brx.idx 3; }", "brx.idx has no target"},
        {".entry k() { T: .branchtargets L; bra T; L: ret; }", "there is no label T here to branch to"},
        {".entry k() { T: .branchtargets M; brx.idx r, T; }", "there is no label M here to branch to"},
        {".entry k() { L: brx.idx r, L; }", "there is no table of targets L here"},
        {".entry k() { T: .branchtargets 3; }", "3 instead of a target"},
        {".entry k() { T: .branchtargets a b; }", "b instead of a ; after targets"},
        {".entry k() { P: .callprototype x) y; ret; }", ") instead of a ;"},
        {".entry k() { a.b: ret; }", "a.b is not a valid label"},
        {".entry k() { @p _x; }", "_x instead of an instruction after a predicate"},
        {".entry k() { @3 ret; }", "3 instead of a predicate"},
        {".entry k() { A b; }", "A instead of an instruction"},
        {".entry k() { 3; }", "3 instead of an instruction"},
        {".entry k() { .reg .b32 r<x>; }", "x instead of the number of names"},
        {".entry k() { .reg .b32 r<3; }", "; instead of a >"},
        {".entry k() { .reg .b32 r s; }", "s instead of a ; after registers"},
        {".entry k() { .reg .b32 ; }", "; instead of a name"},
        {".entry k() { .reg .align x .b32 r; }", "x instead of a number after .align"},
        {".entry k() { .loc x 2 3 ret; }", "x instead of the number of a file"},
        {".entry k() { .loc 1 2 x ret; }", "x instead of a column"},
        {".entry k() { .loc 1 2 3, function_name 4 ret; }", "4 instead of the name of a function"},
        {".entry k() { .loc 1 2 3, function_name f + x ret; }", "x instead of a number after +"},
        {".entry k() { .loc 1 2 3, inlined_at 1 x ret; }", "x instead of a line"},
        {".entry k() { .loc 1 2 3, x ret; }", "x instead of inlined_at or function_name"},
        {".entry k() { ld.const[3 a, b; }", "a instead of a comma or ;"},
        {".entry k() { ld.const[3]x a, b; }", "x instead of a comma or ;"},
        {".entry k() { mov a, b / c d; }", "d instead of a comma or ;"},
        {".entry k() { mov a, {b]; }", "] instead of a comma or ;"},
        {".entry k() { mov a 3; }", "3 instead of a comma or ;"},
        {".entry k() { mov a ! b; }", "! instead of a comma or ;"},
        {".entry k() { mov a, (((((((((((((((((((((((((((((((((b; }", "( instead of an operand"},
        {".entry k() { mov.u32 a, \x7F; }", "? instead of an operand"}};
    static char blank[5000];
    memset(blank, ' ', sizeof blank - 1); /* what may not stand at the beginning is no binary file here */
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        static const char *const next[] = {".entry", ".func", ".visible .entry", ".weak .func",
                                           ".extern .func"};
        const int wrong = check_failures;
        char text[8192];
        sooth_ptx ptx;
        snprintf(text, sizeof text, HEAD ".entry good() { ret; }\n%s%s\n%s better()%s\n", blank, bad[i].text,
                 next[i % 5], i % 5 == 4 ? ";" : " { add.s32 a, b, c; ret; }");
        CHECK_STATUS(read_text(text, strlen(text), &ptx), SOOTH_OK);
        CHECK(ptx.errors >= 1 && ptx.notes >= 1);
        if (ptx.notes) CHECK(ptx.note[0].is_error && strstr(ptx.note[0].text, bad[i].words));
        CHECK(ptx.functions > 0 && !ptx.function[0].is_broken);
        const size_t better = soothi_ptx_function_index(&ptx, "better");
        CHECK(better == SOOTH_NONE
                  ? strstr(ptx.note[0].text, "clos") || strstr(ptx.note[0].text, "at its end")
                  : !ptx.function[better].is_broken);
        if (check_failures != wrong) printf("  in %s: %s\n", bad[i].text, ptx.notes ? ptx.note[0].text : "");
        sooth_ptx_free(&env, &ptx);
    }
}

/* The text may end anywhere; every one of these ends within something. */
static void texts_that_end_early(void) {
    static const char *const text[] = {".version 8",
                                       ".version 8.0\n.entry k() { @p",
                                       ".version 8.0\n@@DWARF",
                                       ".version 8.0\n.entry k() { ld.const[3",
                                       ".version 8.0\n.entry k() { a:",
                                       ".version 8.0\n.entry k() { ld.const[3]",
                                       ".version 8.0\n.entry k() { ld.const[3456",
                                       ".version 8.0\n.entry k() { ld.const[3456]",
                                       ".version 8.0\n@",
                                       ".version 8.0\n.section x",
                                       ".version 8.0\n.func .attribute(",
                                       ".version 8.0\n.entry",
                                       ".version 8.0\n.entry k() { mov a, (",
                                       ".version 8.0\n.entry k() { mov a, b /",
                                       ".version 8.0\n.entry k() { mov a, 12",
                                       ".version 8.0\n.entry k() { mov a, 1e",
                                       ".version 8.0\n.entry k() { x ",
                                       ".version 8.0\n.pragma \"x",
                                       ".version 8.0\n.entry k() { ret; } .entry k()",
                                       ".version 8.0\n.loc 1 2",
                                       ".version 8.0\n.entry k() { P: .callprototype x",
                                       ".version 8.0\n.entry k(.param .u32 x) .maxnreg"};
    for (size_t i = 0; i < sizeof text / sizeof text[0]; ++i) {
        sooth_ptx ptx;
        const sooth_status status = read_text(text[i], strlen(text[i]), &ptx);
        if (i == 0) CHECK(status == SOOTH_BAD_TEXT);
        else CHECK(status == SOOTH_OK && ptx.errors == (i != 2)); /* what @@DWARF says is skipped */
        if (check_failures) printf("  in %s\n", text[i]);
        if (status == SOOTH_OK) sooth_ptx_free(&env, &ptx);
    }
}

/* What is allowed though compilers seldom write it. */
static void rare_syntax_is_read(void) {
    static const char text[] =
        ".version 8.0\n.target texmode_unified, sm_80\n.address_size 32\n@@DWARF x\n;\n"
        ".extern .shared .align 16 .b8 s[];\n.extern .shared .align 16 .b8 s[];\n"
        ".file 1 \"a.cu\", 1234, 567\n.section .debug_x\n{ .b8 \"}\", 1 }\n"
        ".func .attribute(.unified(1, 2)) (.reg .b32 o) f(.reg .b32 i);\n"
        ".entry k() .noreturn .abi_preserve 8, 9 .maxnreg 99999999999 .pragma \"a\"; .maxntid 1, 2, 3 {\n"
        ".reg .b32 %big<99999999>;\n.global .u32 inner;\n.extern .shared .b8 t[];\n.weak .shared .b8 "
        "w[8];\n.extern x;\n"
        "P: .callprototype ();\nC: .calltargets f;\n"
        ".loc 1 2 3, function_name f + 4, inlined_at 1 5 6\n"
        "mov.u32 a, 0x1e-3; mov.f64 d, 1.5e+3; mov.u32 a, s; mov.u32 a, s;\n"
        "mov.u32 a, b / 2;\n@!p mov.u32 a, ~b;\n"
        "ld.const[10].u32 a, [c]; ld .const[3].u32 a, [c];\n"
        "cp.async.ca.shared.global [a], [b], 16;\ncp.async.ca.shared.global [a], [b], n;\n"
        "cp.async.ca.shared.global [a], [b], 1.5;\ncp.async.bulk.shared.global [a], [b], n, [c], 48;\n"
        "call (a), f, (a), P;\nret;\n}\n";
    sooth_ptx ptx;
    sooth_ptx_counts c;
    CHECK_STATUS(read_text(text, sizeof text - 1, &ptx), SOOTH_OK);
    CHECK(ptx.errors == 0 && ptx.unknown == 0 && ptx.address_size == 32 && ptx.sm == 0);
    if (ptx.notes) printf("  line %u: %s\n", ptx.note[0].line, ptx.note[0].text);
    CHECK(is_named(ptx.target, "texmode_unified"));
    const sooth_ptx_function *k = function_of(&ptx, "k");
    CHECK(k->maxnreg == UINT32_MAX && k->maxntid[2] == 3 && k->registers[SOOTH_PTX_TYPE_B32] == 16777216);
    CHECK(k->dynamic_shared == 1 && k->shared_bytes == 16 && k->instructions == 14 && k->labels == 2);
    CHECK(ptx.block[k->block].source == 1 && ptx.block[k->block].source_line == 2);
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, soothi_ptx_function_index(&ptx, "k"), NULL, &c), SOOTH_OK);
    CHECK(c.unsized == 3 && c.loaded[SOOTH_PTX_CLASS_GLOBAL] == 16 && c.bodiless == 1);
    sooth_ptx_counts_free(&env, &ptx, &c);
    sooth_ptx_free(&env, &ptx);
    /* a text without .version has a kernel all the same */
    CHECK_STATUS(read_text(".entry k() { ret; }", 19, &ptx), SOOTH_OK);
    CHECK(ptx.version == 0 && ptx.functions == 1);
    sooth_ptx_free(&env, &ptx);
    sooth_env_init(&env);
    CHECK_FAILS(&env, sooth_ptx_read(&env, text, UINT32_MAX, NULL, &ptx), SOOTH_BAD_ARGUMENT,
                "the PTX text has 4294967295 bytes, but must be below 4 GiB");
    CHECK_FAILS(&env, sooth_ptx_read(&env, "a\x7F", 2, NULL, &ptx), SOOTH_BAD_TEXT,
                "a binary file, not PTX: byte 2 is 127");
}

/* Arrays begin with 64 places: here everything is more. */
static void more_than_the_first_places(void) {
    enum { MANY = 150 };
    static char text[200000];
    sooth_ptx_options options = {0};
    sooth_ptx ptx;
    size_t n = (size_t)snprintf(text, sizeof text, HEAD ".func f();\n"), k;
    n = repeat(text, n, sizeof text, ".shared .align 4 .b8 s#[4];\n", MANY);
    n = repeat(text, n, sizeof text, ".func g#() { ret; }\n", MANY);
    n += (size_t)snprintf(text + n, sizeof text - n, ".entry k() {\n");
    n = repeat(text, n, sizeof text,
               "{ T#: .branchtargets L#, L#, D;\nL#: mov.u32 %r#, s#;\ncall f, ();\nodd# a;\n"
               "@p bra L#;\n@q brx.idx %r#, T#; }\n",
               MANY);
    n += (size_t)snprintf(text + n, sizeof text - n, "D: ret;\n}\n");
    n = repeat(text, n, sizeof text, ".entry b#() { x y z; }\n", MANY);
    CHECK_STATUS(sooth_ptx_read(&env, text, n, &options, &ptx), SOOTH_OK);
    CHECK(ptx.functions == 2 * MANY + 2 && ptx.errors == MANY && ptx.remarks == MANY && ptx.notes == 64);
    CHECK(ptx.variables == MANY && ptx.loops == MANY && ptx.labels == 2 * MANY + 1 && ptx.unknown == MANY);
    k = soothi_ptx_function_index(&ptx, "k");
    CHECK(k == MANY + 1 && ptx.function[k].shared_bytes == 4 * MANY && ptx.function[k].calls == MANY);
    CHECK(ptx.function[k].instructions == 5 * MANY + 1 && ptx.function[k].blocks == 2 * MANY + 1);
    /* L to itself and on; brx to L, which is one loop, to D, and on, which is D in the end */
    CHECK(ptx.function[k].edges == 5 * MANY - 1 && ptx.function[k].irreducible == 0);
    sooth_ptx_free(&env, &ptx);
    CHECK_EVERY_ALLOCATION(&env, sooth_ptx_read(&env, text, n, &options, &ptx), sooth_ptx_free(&env, &ptx));
    n = (size_t)snprintf(text, sizeof text,
                         HEAD ".entry k() { L: ret; }"); /* a label is the first there is */
    CHECK_EVERY_ALLOCATION(&env, sooth_ptx_read(&env, text, n, &options, &ptx), sooth_ptx_free(&env, &ptx));
}

/* Braces within braces, blanks within an instruction: as many as there may be, and one more. */
static void nesting_and_blanks_have_limits(void) {
    static char text[100000];
    sooth_ptx ptx;
    for (unsigned braces = 200; braces <= 201; ++braces) {
        size_t n = (size_t)snprintf(text, sizeof text, HEAD ".entry k() {\n");
        n = repeat(text, n, sizeof text, "{", braces);
        n = repeat(text, n, sizeof text, "}", braces);
        n += (size_t)snprintf(text + n, sizeof text - n, " ret; }");
        CHECK_STATUS(read_text(text, n, &ptx), SOOTH_OK);
        CHECK(ptx.errors == (braces == 201));
        if (ptx.notes) CHECK(strstr(ptx.note[0].text, "braces are nested too deep"));
        sooth_ptx_free(&env, &ptx);
    }
    for (unsigned blanks = 65533; blanks <= 65534; ++blanks) { /* and two for the predicate */
        size_t n = (size_t)snprintf(text, sizeof text, HEAD ".entry k() { @p");
        n = repeat(text, n, sizeof text, " ", blanks);
        n += (size_t)snprintf(text + n, sizeof text - n, "ret; }");
        CHECK_STATUS(read_text(text, n, &ptx), SOOTH_OK);
        CHECK(ptx.errors == (blanks == 65534));
        if (ptx.notes) CHECK(strstr(ptx.note[0].text, "the opcode ret is too far from its predicate"));
        else CHECK(soothi_ptx_form(&ptx, &ptx.instruction[0])->opcode == SOOTH_PTX_OP_RET);
        sooth_ptx_free(&env, &ptx);
    }
    for (unsigned brackets = 32; brackets <= 33; ++brackets) {
        size_t n = (size_t)snprintf(text, sizeof text, HEAD ".entry k() { mov.u32 a, ");
        n = repeat(text, n, sizeof text, "(", brackets);
        n += (size_t)snprintf(text + n, sizeof text - n, "b");
        n = repeat(text, n, sizeof text, ")", brackets);
        n += (size_t)snprintf(text + n, sizeof text - n, "; ret; }");
        CHECK_STATUS(read_text(text, n, &ptx), SOOTH_OK);
        CHECK(ptx.errors == (brackets == 33));
        sooth_ptx_free(&env, &ptx);
    }
}

/* ---- addresses, names, lists ---- */

/* Where each access goes: [p] as text, and the kind it must have. */
static void pointers_of_every_kind(void) {
    static const struct {
        const char *body;
        int kind;
    } pointers[] = {
        {"cvta.shared.u64 p, s;\nld.f32 f, [p];", SOOTH_PTX_KIND_SHARED_LOAD},
        {"cvta.shared.u64 q, s;\nsub.s64 p, q, 8;\nld.f32 f, [p];", SOOTH_PTX_KIND_SHARED_LOAD},
        {"cvta.shared.u64 q, s;\nmul.lo.s64 p, q, 8;\nld.f32 f, [p];", SOOTH_PTX_KIND_GLOBAL_LOAD},
        {"cvta.shared.u64 p, s;\ncvta.shared.u64 p, t;\nld.f32 f, [p];", SOOTH_PTX_KIND_SHARED_LOAD},
        {"cvta.shared.u64 q, s;\nmapa.u64 r, q, 1;\nadd.s64 p, r, 4;\nld.f32 f, [p];",
         SOOTH_PTX_KIND_SHARED_LOAD},
        {"cvta.shared.u64 p, s;\ncvta.local.u64 p, t;\nld.f32 f, [p];", SOOTH_PTX_KIND_GLOBAL_LOAD},
        {"cvta p, s;\nld.f32 f, [p];", SOOTH_PTX_KIND_GLOBAL_LOAD},
        {"mov.u64 p;\nld.f32 f, [p];", SOOTH_PTX_KIND_GLOBAL_LOAD},
        {"mov.b64 {p, q}, s;\nld.f32 f, [p];", SOOTH_PTX_KIND_GLOBAL_LOAD},
        {"ld.f32 f, [p];", SOOTH_PTX_KIND_GLOBAL_LOAD},
        {"ld.f32 f, [16];", SOOTH_PTX_KIND_GLOBAL_LOAD},
        {"cvta.shared.u64 p, s;\nld.f32 f;", SOOTH_PTX_KIND_GLOBAL_LOAD},
        {"cvta.shared.u64 p, s;\natom.add.u32 f, p, 1;", SOOTH_PTX_KIND_GLOBAL_ATOMIC},
        {"cvta.shared.u64 p, s;\natom.add.u32 f, [ p + 4 ], 1;", SOOTH_PTX_KIND_SHARED_ATOMIC},
        {"cvta.shared.u64 p, s;\nwmma.load.a.sync.aligned.row.m16n16k16.f16 {f, g}, [p], 16;",
         SOOTH_PTX_KIND_SHARED_LOAD},
        {"cvta.shared.u64 p, s;\nwmma.store.d.sync.aligned.row.m16n16k16.f32 [p], {f, g}, 16;",
         SOOTH_PTX_KIND_SHARED_STORE},
        {"mov.u64 p, q;\nmov.u64 q, p;\nld.f32 f, [p];", SOOTH_PTX_KIND_GLOBAL_LOAD}};
    for (size_t i = 0; i < sizeof pointers / sizeof pointers[0]; ++i) {
        const int wrong = check_failures;
        sooth_ptx ptx;
        read_body(pointers[i].body, &ptx);
        CHECK(ptx.instructions > 0 && ptx.instruction[ptx.instructions - 1].kind == pointers[i].kind);
        if (check_failures != wrong) printf("  in %s\n", pointers[i].body);
        sooth_ptx_free(&env, &ptx);
    }
    for (unsigned chain = 10; chain <= 14; chain += 4) { /* through at most 12 registers, and 64 sources */
        static char body[4096];
        sooth_ptx ptx;
        size_t n = (size_t)snprintf(body, sizeof body, "cvta.shared.u64 p0, s;\n");
        n = repeat(body, n, sizeof body, "mov.u64 p#, p~;\n", chain);
        snprintf(body + n, sizeof body - n, "ld.f32 f, [p%u];", chain);
        read_body(body, &ptx);
        CHECK(ptx.instruction[chain + 1].kind ==
              (chain == 10 ? SOOTH_PTX_KIND_SHARED_LOAD : SOOTH_PTX_KIND_GLOBAL_LOAD));
        sooth_ptx_free(&env, &ptx);
        n = (size_t)snprintf(body, sizeof body, "mov.u64 p0, 0;\n");
        n = repeat(body, n, sizeof body, "add.u64 p#, p~, p~;\n", chain);
        snprintf(body + n, sizeof body - n, "ld.f32 f, [p%u];", chain);
        read_body(body, &ptx);
        CHECK(ptx.instruction[chain + 1].kind == SOOTH_PTX_KIND_GLOBAL_LOAD);
        sooth_ptx_free(&env, &ptx);
    }
}

typedef struct hashed {
    uint32_t hash, number;
} hashed;

static int by_hash(const void *a, const void *b) {
    const uint32_t x = ((const hashed *)a)->hash, y = ((const hashed *)b)->hash;
    return (x > y) - (x < y);
}

/* Labels whose names have one hash, in one scope and in two, are two labels. */
static void names_of_one_hash_are_two(void) {
    enum { NAMES = 300000 };
    hashed *list = (hashed *)malloc(NAMES * sizeof *list);
    unsigned same = 0, scoped = 0;
    if (!list) abort();
    for (uint32_t i = 0; i < NAMES; ++i) {
        char name[16];
        const int n = snprintf(name, sizeof name, "L%u", 100000 + i);
        list[i].hash = soothi_ptx_hash(soothi_ptx_word(name, (size_t)n), 0);
        list[i].number = 100000 + i;
    }
    qsort(list, NAMES, sizeof *list, by_hash);
    for (uint32_t i = 0; i < NAMES; ++i) {
        hashed want = list[i], *other = i + 1 < NAMES && list[i + 1].hash == want.hash ? &list[i + 1] : NULL;
        const uint32_t step =
            soothi_ptx_hash(soothi_ptx_word("L", 1), 1) - soothi_ptx_hash(soothi_ptx_word("L", 1), 0);
        int in_scope = 0;
        if (!other) { /* its hash in scope 1 is that of another in scope 0 */
            want.hash += step;
            other = (hashed *)bsearch(&want, list, NAMES, sizeof *list, by_hash);
            in_scope = 1;
        }
        if (!other || (in_scope ? scoped : same) == 3) continue;
        ++*(in_scope ? &scoped : &same);
        char body[256];
        sooth_ptx ptx;
        snprintf(body, sizeof body,
                 in_scope ? "L%u: ret;\n{ L%u: ret; bra L%u;\n}" : "L%u: ret;\nL%u: ret;\nbra L%u;",
                 other->number, want.number, want.number);
        read_body(body, &ptx);
        CHECK(ptx.labels == 2 && ptx.blocks == 3 && ptx.instruction[2].target == 1);
        sooth_ptx_free(&env, &ptx);
    }
    CHECK(same > 0 && scoped > 0);
    free(list);
}

static int refuse_text(void *user, const char *text, size_t size) {
    (void)user, (void)text, (void)size;
    return 1;
}

/* Functions that are not there, blocks that are not there or of two functions; sinks that fail. */
static void questions_about_nothing(void) {
    static const char text[] = HEAD ".entry k(.param .u32 k_a, .param .u32 kab, .param .u32 a_b) {\n"
                                    "odd a;\nret;\nadd.s32 a, a, 1;\n}\n.func f() {\nL: @p bra L; ret;\n}\n";
    static const char *const names[] = {"k_a", "a", "0", "kab", "ab", "b", "a_b", "3", "k_"};
    static const size_t number[] = {0, 0, 0, 1, SOOTH_NONE, SOOTH_NONE, 2, SOOTH_NONE, SOOTH_NONE};
    sooth_sink refusing = {NULL, refuse_text, 0}, sink;
    sooth_ptx ptx;
    buffer b;
    CHECK_STATUS(read_text(text, sizeof text - 1, &ptx), SOOTH_OK);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        CHECK(sooth_ptx_param_find(&ptx, 0, names[i]) == number[i]);
    CHECK(sooth_ptx_param_find(&ptx, 2, "0") == SOOTH_NONE);
    const uint32_t blocks = (uint32_t)ptx.blocks;
    CHECK(blocks == 4 && soothi_ptx_dominates(&ptx, 0, 0) && soothi_ptx_dominates(&ptx, 2, 3));
    CHECK(!soothi_ptx_dominates(&ptx, blocks, 0) && !soothi_ptx_dominates(&ptx, 0, blocks) &&
          !soothi_ptx_dominates(&ptx, 0, 2) && !soothi_ptx_dominates(&ptx, 0, 1));
    CHECK_FAILS(&env, sooth_ptx_write_function(&env, &ptx, 0, NULL, &refusing), SOOTH_CANCELLED,
                "could not be written");
    CHECK(ptx.notes == 1 && ptx.note[0].line == 5 && ptx.note[0].column == 1 && !ptx.note[0].is_error);
    CHECK(strcmp(ptx.note[0].text, "the opcode odd is not known; it counts as misc") == 0);
    sink = sink_of(&b);
    CHECK_FAILS(&env, sooth_ptx_write_function(&env, &ptx, 2, NULL, &sink), SOOTH_BAD_ARGUMENT,
                "function is 2, but must be below 2");
    sink = sink_of(&b);
    CHECK_STATUS(sooth_ptx_write_function(&env, &ptx, 0, NULL, &sink), SOOTH_OK);
    CHECK(strcmp(b.text, "kernel k (line 4): 3 instructions, 2 blocks, 0 edges, 0 loops\n"
                         "  block #0 line 5: 2 instructions\n"
                         "  block #1 line 7: 1 instructions (unreachable)\n") == 0);
    sink = sink_of(&b);
    CHECK_STATUS(sooth_ptx_write_function(&env, &ptx, 1, NULL, &sink), SOOTH_OK);
    CHECK(strcmp(b.text, "function f (line 9): 2 instructions, 2 blocks, 2 edges, 1 loops\n"
                         "  block L line 10: 1 instructions, in loop L -> L, #1\n"
                         "  block #1 line 10: 1 instructions\n"
                         "  loop L line 10: depth 1, 1 blocks, trips not known\n") == 0);
    sooth_ptx_free(&env, &ptx);
    read_body("mov.u32 i, 0;\nL: add.u32 i, i, 1;\nsetp.lt.u32 p, i, 9;\n@p bra L;\nret;", &ptx);
    sink = sink_of(&b);
    CHECK_STATUS(sooth_ptx_write_function(&env, &ptx, 0, NULL, &sink), SOOTH_OK);
    CHECK(strstr(b.text, "  loop L line 7: depth 1, 1 blocks, 9 trips\n"));
    sooth_ptx_free(&env, &ptx);
}

/* Names that are nearly those of C++, declared kernels, more kernels than a sentence holds. */
static void kernels_that_are_hard_to_name(void) {
    static char text[8192], longer[200];
    sooth_ptx ptx;
    size_t n, kernel;
    memset(longer, 'x', sizeof longer - 1);
    n = (size_t)snprintf(text, sizeof text,
                         HEAD
                         ".entry gone();\n.func _Z3twov() { ret; }\n.entry _Z() { ret; }\n"
                         ".entry xZ3onev() { ret; }\n.entry _Y3onev() { ret; }\n.entry _Z13onev() { ret; }\n"
                         ".entry _Z3on() { ret; }\n");
    CHECK_STATUS(read_text(text, n, &ptx), SOOTH_OK);
    CHECK(ptx.entries == 5);
    CHECK_FAILS(&env, sooth_ptx_kernel_named(&env, &ptx, "one", &kernel), SOOTH_BAD_ARGUMENT,
                "there is no kernel one; there are _Z, xZ3onev, _Y3onev, _Z13onev, _Z3on");
    CHECK_FAILS(&env, sooth_ptx_kernel_named(&env, &ptx, "two", &kernel), SOOTH_BAD_ARGUMENT,
                "there is no kernel two");
    CHECK_FAILS(&env, sooth_ptx_kernel_named(&env, &ptx, "gone", &kernel), SOOTH_BAD_ARGUMENT,
                "there is no kernel gone");
    CHECK_FAILS(&env, sooth_ptx_kernel_named(&env, &ptx, "", &kernel), SOOTH_BAD_ARGUMENT,
                "there is no kernel");
    CHECK_FAILS(&env, sooth_ptx_kernel_named(&env, &ptx, longer, &kernel), SOOTH_BAD_ARGUMENT,
                "there is no kernel");
    CHECK(kernel == SOOTH_NONE);
    sooth_ptx_free(&env, &ptx);
    n = (size_t)snprintf(text, sizeof text, HEAD);
    n = repeat(text, n, sizeof text, ".entry kernel_with_quite_a_long_name_#() { ret; }\n", 9);
    CHECK_STATUS(read_text(text, n, &ptx), SOOTH_OK);
    CHECK_FAILS(&env, sooth_ptx_kernel_named(&env, &ptx, NULL, &kernel), SOOTH_BAD_ARGUMENT,
                "the PTX has 9 kernels; name one: kernel_with_quite_a_long_name_1, "
                "kernel_with_quite_a_long_name_2, kernel_with_quite_a_long_name_3, ... (9 in all)");
    sooth_ptx_free(&env, &ptx);
    n = (size_t)snprintf(text, sizeof text, HEAD ".entry k(x) { ret; }\n");
    CHECK_STATUS(read_text(text, n, &ptx), SOOTH_OK);
    CHECK_FAILS(&env, sooth_ptx_kernel_named(&env, &ptx, NULL, &kernel), SOOTH_BAD_ARGUMENT,
                "the PTX has no kernel; its errors may be why");
    sooth_ptx_free(&env, &ptx);
}

/* A module of which the kernel uses only a part: what it does not use cannot be given. */
static void only_what_is_reached_counts(void) {
    static const char text[] = HEAD
        ".global .u32 v;\n.func alone(.param .u32 alone_a) {\nA: add.u32 a, a, 1;\n@p bra A;\n" /* 6, 7 */
        "@q bra B;\nodd a;\nB: ret;\n}\n"                                                       /* 8, 9, 10 */
        ".func used(.param .u32 used_a) {\nC: D: add.u32 a, a, 1;\n@p bra C;\nret;\n}\n"        /* 13, 14 */
        ".entry k(.param .u32 k_a) {\ncall used, (a);\ncp.async.ca.shared.global [a], [b], 16;\n"
        "cp.async.ca.shared.global [a], [b], n;\n"
        "T: .branchtargets E, F;\nbrx.idx a, T;\nE: add.u32 a, a, 1;\nF: ret;\n}\n"
        ".entry l() { ret; }\n.entry m() {\nadd.u32 a, a, 1;\n@q bra G;\nG: ret;\n@q bra H;\nH: ret;\n}\n"
        ".entry n() {\nI: J: @p bra I;\nK: @q bra J;\n@p bra M;\nmul.f32 a, a, a;\nM: ret;\n}\n";
    sooth_ptx ptx;
    sooth_ptx_counts c;
    sooth_ptx_count_options trips;
    sooth_ptx_given given = {"A", 0, 3};
    sooth_ptx_value value = {"alone_a", 3};
    CHECK_STATUS(read_text(text, sizeof text - 1, &ptx), SOOTH_OK);
    CHECK(ptx.errors == 0);
    const size_t k = soothi_ptx_function_index(&ptx, "k"), l = soothi_ptx_function_index(&ptx, "l"),
                 m = soothi_ptx_function_index(&ptx, "m");
    memset(&trips, 0, sizeof trips);
    trips.loop = &given;
    trips.loops = 1;
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, k, &trips, &c), SOOTH_BAD_ARGUMENT,
                "there is no loop A here; there are C (line 13)");
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, l, &trips, &c), SOOTH_BAD_ARGUMENT,
                "there is no loop A here; the kernel has none");
    given.label = "D"; /* the second label of a header */
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, k, &trips, &c), SOOTH_OK);
    /* call, used's add and bra three times, its ret; two copies, brx, add, ret */
    CHECK(c.total == 1 + 2 * 3 + 1 + 5 && c.origin[0] == SOOTH_PTX_TRIP_NOT_REACHED);
    CHECK(c.unsized == 1 && c.loaded[SOOTH_PTX_CLASS_GLOBAL] == 16 && c.unknown == 0);
    sooth_ptx_counts_free(&env, &ptx, &c);
    given.label = NULL;
    given.line = 1; /* in front of everything, in a function that is not reached, behind everything */
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, k, &trips, &c), SOOTH_BAD_ARGUMENT,
                "there is no loop around line 1");
    given.line = 7;
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, k, &trips, &c), SOOTH_BAD_ARGUMENT,
                "there is no loop around line 7");
    given.line = 1000;
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, k, &trips, &c), SOOTH_BAD_ARGUMENT,
                "there is no loop around line 1000");
    given.value = (double)INFINITY;
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, k, &trips, &c), SOOTH_BAD_ARGUMENT,
                "the trips of loop  are inf, but must be at least 0");
    given.value = 0.5;
    trips.loops = 0;
    trips.branch = &given;
    trips.branches = 1;
    given.label = "B";
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, k, &trips, &c), SOOTH_BAD_ARGUMENT,
                "there is no predicated branch to B here");
    given.label = "E"; /* brx is none, though it goes two ways */
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, k, &trips, &c), SOOTH_BAD_ARGUMENT,
                "there is no predicated branch to E here");
    given.value = -0.5;
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, k, &trips, &c), SOOTH_BAD_ARGUMENT,
                "the probability of the branch to E is -0.5");
    given.value = 1.5;
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, k, &trips, &c), SOOTH_BAD_ARGUMENT,
                "the probability of the branch to E is 1.5");
    trips.branches = 0;
    trips.value = &value;
    trips.values = 1;
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, k, &trips, &c), SOOTH_BAD_ARGUMENT,
                "the kernel has no parameter alone_a; it has 0: k_a;");
    value.name = "v"; /* a variable is none */
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, k, &trips, &c), SOOTH_BAD_ARGUMENT,
                "the kernel has no parameter v");
    value.name = "used_a";
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, k, &trips, &c), SOOTH_OK);
    sooth_ptx_counts_free(&env, &ptx, &c);
    value.name = "%tid.x";
    trips.as_published = 1; /* the paper decides no branch by values */
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, k, &trips, &c), SOOTH_OK);
    CHECK(c.total == 9);
    sooth_ptx_counts_free(&env, &ptx, &c);
    trips.as_published = 0;
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, m, &trips, &c), SOOTH_OK);
    CHECK(c.total == 3 &&
          c.opcode[SOOTH_PTX_OP_RET] == 1); /* what stands behind the first ret is not reached */
    sooth_ptx_counts_free(&env, &ptx, &c);
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, soothi_ptx_function_index(&ptx, "n"), &trips, &c), SOOTH_OK);
    CHECK(c.total == 5 && c.assumed == 1);
    sooth_ptx_counts_free(&env, &ptx, &c);
    given.label = "M"; /* what the caller says of a branch holds, whatever the values say */
    given.value = 0.25;
    trips.branches = 1;
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, soothi_ptx_function_index(&ptx, "n"), &trips, &c), SOOTH_OK);
    CHECK(c.opcode[SOOTH_PTX_OP_MUL] == 0.75);
    sooth_ptx_counts_free(&env, &ptx, &c);
    trips.branches = 0;
    trips.values = 0;
    trips.default_trip = (double)INFINITY;
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, k, &trips, &c), SOOTH_BAD_ARGUMENT, "default_trip is inf");
    trips.default_trip = 0;
    trips.default_probability = -0.25;
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, k, &trips, &c), SOOTH_BAD_ARGUMENT,
                "default_probability is -0.25");
    sooth_ptx_free(&env, &ptx);
}

/* A branch out of two loops brings what entered the outer one, whatever the inner one does. */
static void branches_out_of_two_loops(void) {
    sooth_ptx_count_options trips;
    sooth_ptx_counts c;
    sooth_ptx ptx;
    read_body(
        "O: add.u32 a, a, 1;\nI: @q bra OUT;\nsub.u32 a, a, 1;\n@p bra I;\n@r bra O;\nmul.f32 f, f, f;\n"
        "OUT: ret;",
        &ptx);
    memset(&trips, 0, sizeof trips);
    trips.default_trip = 3;
    CHECK(ptx.loops == 2);
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_OK);
    CHECK(c.opcode[SOOTH_PTX_OP_ADD] == 3 && c.opcode[SOOTH_PTX_OP_SUB] == 9 &&
          c.opcode[SOOTH_PTX_OP_MUL] == 1 && c.opcode[SOOTH_PTX_OP_RET] == 1 && c.assumed == 2);
    sooth_ptx_counts_free(&env, &ptx, &c);
    sooth_ptx_free(&env, &ptx);
}

/* Sentences that hold only the beginning of a list; errors whose note was not kept. */
static void long_lists_are_cut(void) {
    static char text[16384];
    sooth_ptx_options options = {1};
    sooth_ptx_value value = {"none", 1};
    sooth_ptx_given given = {"none", 0, 1};
    sooth_ptx_count_options trips;
    sooth_ptx ptx;
    sooth_ptx_counts c;
    size_t n = (size_t)snprintf(text, sizeof text, HEAD ".entry k(.param .u32 k_first");
    n = repeat(text, n, sizeof text, ", .param .u32 k_parameter_#", 20);
    n += (size_t)snprintf(text + n, sizeof text - n, ") {\n");
    n = repeat(text, n, sizeof text, "LOOP_NUMBER_#: @p%r bra LOOP_NUMBER_#;\n", 20);
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "ret;\n}\n.entry a() { x y z; }\n.entry b() { x y z; }\n.entry c() { x y z; }\n");
    sooth_env_init(&env);
    CHECK_STATUS(sooth_ptx_read(&env, text, n, &options, &ptx), SOOTH_OK);
    CHECK(ptx.notes == 1 && ptx.errors == 3 && ptx.loops == 20);
    memset(&trips, 0, sizeof trips);
    trips.value = &value;
    trips.values = 1;
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_BAD_ARGUMENT,
                "no parameter none; it has 0: k_first, 1: k_parameter_1, 2: k_parameter_2, 3: k_parameter_3, "
                "4: k_parameter_4, ...;");
    trips.values = 0;
    trips.loop = &given;
    trips.loops = 1;
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, 0, &trips, &c), SOOTH_BAD_ARGUMENT,
                "there is no loop none here; there are LOOP_NUMBER_1 (line 5), LOOP_NUMBER_2 (line 6)");
    CHECK(!strstr(env.sentence, "LOOP_NUMBER_9"));
    trips.loops = 0;
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, 1, &trips, &c), SOOTH_BAD_TEXT,
                "a cannot be counted: line 27");
    CHECK_FAILS(&env, sooth_ptx_count(&env, &ptx, 3, &trips, &c), SOOTH_BAD_TEXT,
                "c cannot be counted: there is a syntax error in it");
    sooth_ptx_free(&env, &ptx);
}

/* Sizes that no memory has stay large, however many there are. */
static void sizes_never_come_round(void) {
    static char text[65536];
    sooth_ptx ptx;
    size_t n = (size_t)snprintf(text, sizeof text, HEAD ".entry k(.param .b8 a");
    n = repeat(text, n, sizeof text, ", .param .v8 .b128 a#[99999999][99999999]", 512);
    n += (size_t)snprintf(text + n, sizeof text - n, ") {\n");
    n = repeat(text, n, sizeof text, ".shared .v8 .b128 s#[99999999][99999999];\n", 512);
    n += (size_t)snprintf(text + n, sizeof text - n, ".local .b8 l[99999999999999999999];\nret;\n}\n");
    CHECK_STATUS(read_text(text, n, &ptx), SOOTH_OK);
    CHECK(ptx.errors == 0 && ptx.functions == 1);
    const uint64_t most = (uint64_t)1 << 48;
    if (ptx.functions)
        CHECK(ptx.function[0].param_bytes == most && ptx.function[0].shared_bytes == most &&
              ptx.function[0].local_bytes > 0);
    sooth_ptx_free(&env, &ptx);
}

/* One instruction of a random loop: to = op of registers (0 to 3) or numbers. */
typedef struct random_step {
    unsigned op, to;
    int source[2]; /* a register; -1: the number */
    int64_t number[2];
} random_step;

static const char *const step_ops[] = {"add",    "sub", "add", "sub", "mov", "neg", "not", "shl",
                                       "mul.lo", "min", "max", "and", "or",  "xor", "shr", "rem"};
static const char *const step_tests[] = {"setp.lt", "setp.le", "setp.eq", "setp.ne", "setp.gt", "setp.ge"};

static int64_t run_step(const char *op, unsigned type, int64_t a, int64_t b) {
    const unsigned shift = (uint32_t)b;
    return type == 0   ? applied_s32(op, (int32_t)(uint32_t)a, (int32_t)(uint32_t)b, 0, shift)
           : type == 1 ? applied_u32(op, (uint32_t)a, (uint32_t)b, 0, shift)
           : type == 2 ? applied_s64(op, a, b, 0, shift)
                       : applied_u16(op, (uint16_t)a, (uint16_t)b, 0, shift);
}

/* A number that ends a loop soon, or stands at an end of its type. */
static int64_t random_number(sooth_rng *rng) {
    static const int64_t odd[] = {INT16_MAX, UINT16_MAX, INT32_MAX, INT32_MIN,        UINT32_MAX,
                                  INT64_MAX, INT64_MIN,  -1,        (int64_t)1 << 61, (int64_t)1 << 62};
    const uint64_t less = sooth_rng_below(rng, 300);
    if (sooth_rng_below(rng, 6) == 0) return (int64_t)((uint64_t)odd[sooth_rng_below(rng, 10)] - less);
    return (int64_t)sooth_rng_below(rng, sooth_rng_below(rng, 2) ? 9 : 3000) -
           (sooth_rng_below(rng, 4) ? 0 : 1000);
}

/* Loops of random instructions: where trips are told, running them in C says the same. */
static void random_loops_equal_running(void) {
    CHECK_SLOW();
    enum { MOST = 4000 };
    static const char *const types[] = {"s32", "u32", "s64", "u16"};
    sooth_rng rng;
    unsigned told = 0, far = 0;
    sooth_rng_init(&rng, 77, 0);
    for (unsigned round = 0; round < 6000; ++round) {
        const unsigned type = sooth_rng_below(&rng, 4), steps = 1 + sooth_rng_below(&rng, 4),
                       how = sooth_rng_below(&rng, 6), in_front = sooth_rng_below(&rng, 2),
                       negated = sooth_rng_below(&rng, 2);
        random_step step[5];
        int64_t reg[4], number, want = -1;
        char body[2048];
        size_t n = 0;
        for (unsigned k = 0; k < 4; ++k) {
            reg[k] = random_number(&rng);
            n += (size_t)snprintf(body + n, sizeof body - n, "mov.%s r%u, %lld;\n", types[type], k,
                                  (long long)reg[k]);
        }
        for (unsigned k = 0; k <= steps; ++k) { /* the last is the test: of r0 */
            step[k].op = sooth_rng_below(&rng, 3) ? sooth_rng_below(&rng, 4) : sooth_rng_below(&rng, 16);
            step[k].to = k % 4; /* one instruction for each register; more would not be followed */
            for (unsigned i = 0; i < 2; ++i) {
                number = random_number(&rng);
                step[k].source[i] = sooth_rng_below(&rng, 3) ? (int)sooth_rng_below(&rng, 4) : -1;
                if (i == 0 && sooth_rng_below(&rng, 2)) step[k].source[0] = (int)step[k].to;
                step[k].number[i] = number;
            }
        }
        step[steps].source[0] = 0;
        char text[5][128];
        for (unsigned k = 0; k <= steps; ++k) {
            char from[2][32];
            const char *op = k < steps ? step_ops[step[k].op] : step_tests[how];
            for (unsigned i = 0; i < 2; ++i)
                if (step[k].source[i] < 0)
                    snprintf(from[i], sizeof from[i], "%lld", (long long)step[k].number[i]);
                else snprintf(from[i], sizeof from[i], "r%d", step[k].source[i]);
            const int one = !strcmp(op, "mov") || !strcmp(op, "neg") || !strcmp(op, "not");
            char to[8] = "p";
            if (k < steps) snprintf(to, sizeof to, "r%u", step[k].to);
            snprintf(text[k], sizeof text[k], "%s.%s %s, %s%s%s;\n", op, types[type], to, from[0],
                     one ? "" : ", ", one ? "" : from[1]);
        }
        n += (size_t)snprintf(body + n, sizeof body - n, "L:\n");
        if (in_front)
            n += (size_t)snprintf(body + n, sizeof body - n, "%s@%sp bra D;\n", text[steps],
                                  negated ? "!" : "");
        for (unsigned k = 0; k < steps; ++k) n += (size_t)snprintf(body + n, sizeof body - n, "%s", text[k]);
        if (in_front) snprintf(body + n, sizeof body - n, "bra L;\nD: ret;");
        else snprintf(body + n, sizeof body - n, "%s@%sp bra L;\nret;", text[steps], negated ? "!" : "");
        for (int64_t i = 0; i < MOST && want < 0; ++i) {
            for (unsigned k = 0; k <= steps && want < 0; ++k) {
                const unsigned at = in_front ? (k + steps) % (steps + 1) : k;
                const random_step *s = &step[at];
                const int64_t a = s->source[0] < 0 ? s->number[0] : reg[s->source[0]],
                              b = s->source[1] < 0 ? s->number[1] : reg[s->source[1]];
                if (at == steps) {
                    const int holds = run_step(step_tests[how], type, a, b) != 0;
                    if (holds != (int)negated && in_front) want = i;
                    if (holds == (int)negated && !in_front) want = i + 1;
                } else {
                    /* what is left of a division by 0 is nothing that trips may depend on */
                    const int nothing = !strcmp(step_ops[s->op], "rem") && run_step("mov", type, b, 0) == 0;
                    reg[s->to] = nothing ? 12345 : run_step(step_ops[s->op], type, a, b);
                }
            }
        }
        sooth_ptx ptx;
        read_body(body, &ptx);
        CHECK(ptx.loops == 1);
        const double trip = ptx.loops ? ptx.loop[0].trip : -1.0;
        if (trip >= 0.0) {
            CHECK(trip == (double)want || (want < 0 && trip >= MOST));
            ++told;
            far += trip > 128;
        }
        sooth_ptx_free(&env, &ptx);
        if (check_failures) {
            printf("%s\ntold %g, but it is %lld\n", body, trip, (long long)want);
            return;
        }
    }
    CHECK(told > 2000 && far > 25); /* the loops are worth something */
    if (check_failures) printf("  %u told, %u far\n", told, far);
}

int main(void) {
    CHECK_RUN(opcodes_are_sorted_and_found);
    CHECK_RUN(forms_say_what_they_are);
    CHECK_RUN(kernels_match_counts_by_hand);
    CHECK_RUN(another_counter_agrees);
    CHECK_RUN(nested_loops_multiply);
    CHECK_RUN(parameters_tell_trips);
    CHECK_RUN(compiled_loops_tell_their_trips);
    CHECK_RUN(loops_that_never_run_count_nothing);
    CHECK_RUN(parameters_are_called_by_number_or_name);
    CHECK_RUN(graphs_follow_the_definitions);
    CHECK_RUN(large_functions_stay_linear);
    CHECK_RUN(derived_trips_equal_running);
    CHECK_RUN(unclear_loops_stay_unknown);
    CHECK_RUN(a_hard_file_is_read);
    CHECK_RUN(labels_have_scopes);
    CHECK_RUN(spelling_is_free);
    CHECK_RUN(launch_bounds_and_shared_memory);
    CHECK_RUN(generic_addresses_are_followed);
    CHECK_RUN(unknown_opcodes_are_kept);
    CHECK_RUN(calls_are_followed);
    CHECK_RUN(call_graphs_add_up);
    CHECK_RUN(loops_and_branches_can_be_given);
    CHECK_RUN(what_is_not_there_is_said);
    CHECK_RUN(kernels_are_found_by_name);
    CHECK_RUN(names_are_those_of_the_source);
    CHECK_RUN(the_instances_of_a_template_are_listed);
    CHECK_RUN(other_files_are_refused);
    CHECK_RUN(mistakes_have_a_place);
    CHECK_RUN(mistakes_are_counted);
    CHECK_RUN(cut_files_never_pass_for_whole);
    CHECK_RUN(every_allocation_may_fail);
    CHECK_RUN(certain_is_what_every_path_runs);
    CHECK_RUN(an_arena_is_enough);
    CHECK_RUN(noise_never_crashes);
    CHECK_RUN(whole_numbers_are_read);
    CHECK_RUN(instructions_compute_as_c_does);
    CHECK_RUN(odd_instructions);
    CHECK_RUN(loops_of_every_shape);
    CHECK_RUN(following_has_limits);
    CHECK_RUN(launch_bounds_tell_trips);
    CHECK_RUN(declarations_of_every_kind);
    CHECK_RUN(mistakes_of_every_kind);
    CHECK_RUN(texts_that_end_early);
    CHECK_RUN(rare_syntax_is_read);
    CHECK_RUN(more_than_the_first_places);
    CHECK_RUN(nesting_and_blanks_have_limits);
    CHECK_RUN(pointers_of_every_kind);
    CHECK_RUN(names_of_one_hash_are_two);
    CHECK_RUN(questions_about_nothing);
    CHECK_RUN(kernels_that_are_hard_to_name);
    CHECK_RUN(only_what_is_reached_counts);
    CHECK_RUN(branches_out_of_two_loops);
    CHECK_RUN(long_lists_are_cut);
    CHECK_RUN(sizes_never_come_round);
    CHECK_RUN(random_loops_equal_running);
    free(exact);
    return check_end("ptx");
}
