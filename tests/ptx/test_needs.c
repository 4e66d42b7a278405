/* test_needs.c - the compute capabilities that instructions need, against what NVIDIA's assemblers accept.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/ptx.h"
#include "check.h"
#include "golden/ptx/needs.h"

static sooth_env env;

/* A kernel of one instruction, for a target; 0 if it cannot be read. */
static int needs_of(const char *target, const char *instruction, sooth_ptx_needs *out) {
    char text[600];
    sooth_ptx ptx;
    const int size = snprintf(text, sizeof text, ".version 9.0\n.target %s\n.entry k() {\n%s;\nret;\n}\n",
                              target, instruction);
    CHECK_STATUS(sooth_ptx_read(&env, text, (size_t)size, NULL, &ptx), SOOTH_OK);
    if (!ptx.entries || ptx.errors) return 0;
    sooth_ptx_needs_find(&ptx, 0, out);
    sooth_ptx_free(&env, &ptx);
    return 1;
}

/* "80+" means all from 80 on; else the capabilities stand there. */
static int is_accepted(const char *accepted, unsigned compute) {
    for (const char *c = accepted; *c; c += strspn(c, " ")) {
        char *end;
        const unsigned long of = strtoul(c, &end, 10);
        if (of == compute || (*end == '+' && compute >= of)) return 1;
        c = *end == '+' ? end + 1 : end;
    }
    return 0;
}

/* A GPU has an instruction if the assembler accepts it for that GPU: each of 600 instructions for 21
   capabilities. tcgen05.mma of i8 alone lacks a capability between two that have it, 10.3. */
static void a_gpu_has_what_the_assembler_accepts(void) {
    static const unsigned all[] = {35, 37, 50, 52, 53, 60,  61,  62,  70,  72, 75,
                                   80, 86, 87, 89, 90, 100, 103, 110, 120, 121};
    size_t between = 0, checked = 0;
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; ++i) {
        sooth_ptx_needs found;
        CHECK(needs_of("sm_35", needs[i].instruction, &found));
        for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k, ++checked) {
            const int has = all[k] >= found.least && (!found.most || all[k] <= found.most);
            if (has == is_accepted(needs[i].accepted, all[k])) continue;
            if (has && strstr(needs[i].instruction, "kind::i8") && all[k] == 103) {
                ++between;
                continue;
            }
            CHECK(has == is_accepted(needs[i].accepted, all[k]));
            printf("  %s on %u\n", needs[i].instruction, all[k]);
        }
        if (found.least) CHECK(found.instruction == 0 && found.line == 4);
    }
    CHECK(between == 1 && checked > 12000);
}

/* The table of the assembler that is installed is the one that is kept. */
static void the_assembler_here_accepts_the_same(void) {
    CHECK_SLOW();
    if (system("command -v ptxas > /dev/null && command -v python3 > /dev/null") != 0)
        CHECK_SKIP("ptxas or python3 is not here");
    CHECK(system("cd tests/golden/ptx && ./needs.py --check \"$(command -v ptxas)\"") == 0);
}

/* The instructions decide, not .target: Triton writes sm_90a over any code for an H100. */
static void the_target_sets_no_limit(void) {
    sooth_ptx_needs of;
    CHECK(needs_of("sm_90", "bar.sync 0", &of) && of.least == 0 && of.most == 0 &&
          of.instruction == SOOTH_PTX_NONE && of.line == 0);
    CHECK(needs_of("sm_90a", "bar.sync 0", &of) && of.least == 0 && of.most == 0 &&
          of.instruction == SOOTH_PTX_NONE && of.line == 0);
    CHECK(needs_of("sm_100f", "bar.sync 0", &of) && of.least == 0 && of.most == 0);
    CHECK(needs_of("sm_100a", "tcgen05.fence::before_thread_sync", &of) && of.least == 100 && of.most == 119);
    CHECK(
        needs_of("sm_100a", "tcgen05.fence::before_thread_sync;\ncvt.rs.satfinite.e4m3x4.f32 d, a, b", &of) &&
        of.least == 100 && of.most == 109);
    CHECK(needs_of("sm_80, texmode_independent", "wgmma.fence.sync.aligned", &of) && of.least == 90 &&
          of.most == 90 && of.line == 4);
}

/* Clusters need 9.0; what a function needs counts for kernels, what another kernel needs does not. */
static void the_module_counts_where_it_is_called(void) {
    static const char text[] =
        ".version 9.0\n.target sm_80\n.func f() {\nredux.sync.add.s32 a, b, c;\nret;\n}\n"
        ".entry k() { ret; }\n.entry c()\n.reqnctapercluster 4 { ret; }\n"
        ".entry late() { wgmma.fence.sync.aligned; ret; }\n";
    sooth_ptx ptx;
    sooth_ptx_needs of;
    CHECK_STATUS(sooth_ptx_read(&env, text, sizeof text - 1, NULL, &ptx), SOOTH_OK);
    CHECK(ptx.functions == 4);
    sooth_ptx_needs_find(&ptx, 1, &of);
    CHECK(of.least == 80 && of.most == 0 && of.line == 4 && of.instruction == 0);
    sooth_ptx_needs_find(&ptx, 2, &of);
    CHECK(of.least == 90 && of.line == 8 && of.instruction == SOOTH_PTX_NONE);
    sooth_ptx_needs_find(&ptx, 3, &of);
    CHECK(of.least == 90 && of.most == 90 && of.line == 10);
    sooth_ptx_free(&env, &ptx);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(a_gpu_has_what_the_assembler_accepts);
    CHECK_RUN(the_assembler_here_accepts_the_same);
    CHECK_RUN(the_target_sets_no_limit);
    CHECK_RUN(the_module_counts_where_it_is_called);
    return check_end("needs");
}
