/* tiles.h - a tiled Cholesky factorisation for StarPU: A = L L', in tiles of n x n doubles, columns first.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Four codelets (potrf, trsm, syrk, gemm) call OpenBLAS on a CPU worker. All but potrf also have a kernel in
 * OpenCL, eight rows to a work-item. Their performance models are set from outside, so that one run may hold
 * several sets of them. n is a multiple of 8.
 */
#ifndef TILES_H
#define TILES_H

#include <cblas.h>
#include <math.h>
#include <starpu.h>
#include <starpu_opencl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TILES_POTRF, TILES_TRSM, TILES_SYRK, TILES_GEMM, TILES_KERNELS };
static const char *const tiles_name[TILES_KERNELS] = {"potrf", "trsm", "syrk", "gemm"};

extern void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);

/* One CPU worker, and one OpenCL worker that is another core by PoCL, unless the environment sets others.
   StarPU writes its files under build/starpu, not to the user's folder. */
static void tiles_surroundings(void) {
    static const char *const usual[][2] = {{"STARPU_NCPU", "1"},
                                           {"STARPU_OPENCL_ON_CPUS", "1"},
                                           {"POCL_DEVICES", "basic"},
                                           {"POCL_CACHE_DIR", "build/starpu/pocl"},
                                           {"STARPU_HOME", "build/starpu"},
                                           {"STARPU_PERF_MODEL_DIR", "build/starpu/sampling"},
                                           {"STARPU_SILENT", "1"}};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; ++i) setenv(usual[i][0], usual[i][1], 0);
}

/* ---- disturbances of a task ---- */

/* Set by the program: called at the end of each kernel, in the worker, with its seconds. StarPU measures
   the time that the call adds. NULL: not called. */
static void (*tiles_disturb)(struct starpu_task *task, double seconds);

static double tiles_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void tiles_end(double began) {
    if (tiles_disturb) tiles_disturb(starpu_task_get_current(), tiles_now() - began);
}

/* ---- on a CPU ---- */

#define TILES_AT(i) ((double *)STARPU_MATRIX_GET_PTR(buffers[i]))
#define TILES_LD(i) ((int)STARPU_MATRIX_GET_LD(buffers[i]))
#define TILES_N ((int)STARPU_MATRIX_GET_NX(buffers[0]))

static void tiles_cpu_potrf(void **buffers, void *unused) {
    const double began = tiles_now();
    const int n = TILES_N, ld = TILES_LD(0);
    int info;
    (void)unused;
    dpotrf_("L", &n, TILES_AT(0), &ld, &info);
    if (info) fprintf(stderr, "potrf: not positive definite at %d\n", info);
    tiles_end(began);
}

static void tiles_cpu_trsm(void **buffers, void *unused) { /* A_ik = A_ik / L_kk' */
    const double began = tiles_now();
    (void)unused;
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, TILES_N, TILES_N, 1.0,
                TILES_AT(0), TILES_LD(0), TILES_AT(1), TILES_LD(1));
    tiles_end(began);
}

static void tiles_cpu_syrk(void **buffers, void *unused) { /* A_ii -= A_ik A_ik' */
    const double began = tiles_now();
    (void)unused;
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, TILES_N, TILES_N, -1.0, TILES_AT(0), TILES_LD(0),
                1.0, TILES_AT(1), TILES_LD(1));
    tiles_end(began);
}

static void tiles_cpu_gemm(void **buffers, void *unused) { /* A_ij -= A_ik A_jk' */
    const double began = tiles_now();
    (void)unused;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, TILES_N, TILES_N, TILES_N, -1.0, TILES_AT(0),
                TILES_LD(0), TILES_AT(1), TILES_LD(1), 1.0, TILES_AT(2), TILES_LD(2));
    tiles_end(began);
}

/* ---- in OpenCL ---- */

static struct starpu_opencl_program tiles_program;

static const char tiles_source[] =
    "__kernel void gemm(__global const double *a, int la, __global const double *b, int lb,\n"
    "                   __global double *c, int lc, int n) {\n"
    "    const int i = 8 * get_global_id(0), j = 4 * get_global_id(1);\n"
    "    double8 s0 = 0, s1 = 0, s2 = 0, s3 = 0;\n"
    "    for (int k = 0; k < n; ++k) {\n"
    "        const double8 v = vload8(0, a + i + k * la);\n"
    "        s0 += v * b[j + k * lb];\n"
    "        s1 += v * b[j + 1 + k * lb];\n"
    "        s2 += v * b[j + 2 + k * lb];\n"
    "        s3 += v * b[j + 3 + k * lb];\n"
    "    }\n"
    "    c += i + j * lc;\n"
    "    vstore8(vload8(0, c) - s0, 0, c);\n"
    "    vstore8(vload8(0, c + lc) - s1, 0, c + lc);\n"
    "    vstore8(vload8(0, c + 2 * lc) - s2, 0, c + 2 * lc);\n"
    "    vstore8(vload8(0, c + 3 * lc) - s3, 0, c + 3 * lc);\n"
    "}\n"
    "__kernel void trsm(__global const double *l, int ll, __global double *a, int la, int n) {\n"
    "    a += 8 * get_global_id(0);\n"
    "    for (int j = 0; j < n; ++j) {\n"
    "        double8 v = vload8(0, a + j * la);\n"
    "        for (int k = 0; k < j; ++k) v -= vload8(0, a + k * la) * l[j + k * ll];\n"
    "        vstore8(v / l[j + j * ll], 0, a + j * la);\n"
    "    }\n"
    "}\n";

static void tiles_opencl(const char *name, void **buffers, const int *order, int count, size_t wide,
                         size_t high) {
    const double began = tiles_now();
    const int device = starpu_worker_get_devid(starpu_worker_get_id()), n = TILES_N;
    const size_t global[2] = {wide, high};
    cl_uint at = 0;
    cl_kernel kernel;
    cl_command_queue queue;
    if (starpu_opencl_load_kernel(&kernel, &queue, &tiles_program, name, device) != CL_SUCCESS) abort();
    for (int i = 0; i < count; ++i) {
        cl_mem memory = (cl_mem)STARPU_MATRIX_GET_DEV_HANDLE(buffers[order[i]]);
        const int ld = TILES_LD(order[i]);
        clSetKernelArg(kernel, at++, sizeof memory, &memory);
        clSetKernelArg(kernel, at++, sizeof ld, &ld);
    }
    clSetKernelArg(kernel, at, sizeof n, &n);
    if (clEnqueueNDRangeKernel(queue, kernel, high ? 2 : 1, NULL, global, NULL, 0, NULL, NULL) != CL_SUCCESS)
        abort();
    clFinish(queue);
    starpu_opencl_release_kernel(kernel);
    tiles_end(began);
}

static void tiles_opencl_trsm(void **buffers, void *unused) {
    (void)unused;
    tiles_opencl("trsm", buffers, (const int[]){0, 1}, 2, (size_t)TILES_N / 8, 0);
}
static void tiles_opencl_syrk(void **buffers, void *unused) {
    (void)unused;
    tiles_opencl("gemm", buffers, (const int[]){0, 0, 1}, 3, (size_t)TILES_N / 8, (size_t)TILES_N / 4);
}
static void tiles_opencl_gemm(void **buffers, void *unused) {
    (void)unused;
    tiles_opencl("gemm", buffers, (const int[]){0, 1, 2}, 3, (size_t)TILES_N / 8, (size_t)TILES_N / 4);
}

/* ---- codelets ---- */

/* Four codelets with these four models. */
static void tiles_codelets(struct starpu_codelet *codelet, struct starpu_perfmodel *const *model) {
    static const starpu_cpu_func_t cpu[TILES_KERNELS] = {tiles_cpu_potrf, tiles_cpu_trsm, tiles_cpu_syrk,
                                                         tiles_cpu_gemm};
    static const starpu_opencl_func_t opencl[TILES_KERNELS] = {NULL, tiles_opencl_trsm, tiles_opencl_syrk,
                                                               tiles_opencl_gemm};
    for (int k = 0; k < TILES_KERNELS; ++k) {
        struct starpu_codelet *c = &codelet[k];
        starpu_codelet_init(c);
        c->name = tiles_name[k];
        c->model = model[k];
        c->cpu_funcs[0] = cpu[k];
        c->opencl_funcs[0] = opencl[k];
        c->nbuffers = k == TILES_POTRF ? 1 : k == TILES_GEMM ? 3 : 2;
        for (int i = 0; i < c->nbuffers; ++i) c->modes[i] = i + 1 < c->nbuffers ? STARPU_R : STARPU_RW;
    }
}

/* ---- the factorisation ---- */

static const int tiles_priority[TILES_KERNELS] = {3, 2, 1, 0};

/* Submits `count` x `count` tiles (the lower half of handle[i * count + j]) to StarPU. insert: starpu's,
   or one for several processes. */
typedef void tiles_insert(struct starpu_codelet *codelet, int kernel, starpu_data_handle_t a,
                          starpu_data_handle_t b, starpu_data_handle_t c);

static void tiles_cholesky(struct starpu_codelet *codelet, starpu_data_handle_t *handle, int count,
                           tiles_insert *insert) {
    for (int k = 0; k < count; ++k) {
        starpu_data_handle_t *row = handle + k * count;
        insert(&codelet[TILES_POTRF], TILES_POTRF, row[k], NULL, NULL);
        for (int i = k + 1; i < count; ++i)
            insert(&codelet[TILES_TRSM], TILES_TRSM, row[k], handle[i * count + k], NULL);
        for (int i = k + 1; i < count; ++i) {
            starpu_data_handle_t *other = handle + i * count;
            insert(&codelet[TILES_SYRK], TILES_SYRK, other[k], other[i], NULL);
            for (int j = k + 1; j < i; ++j)
                insert(&codelet[TILES_GEMM], TILES_GEMM, other[k], handle[j * count + k], other[j]);
        }
    }
}

/* Element (i, j) of a matrix that is positive definite: 2 on the diagonal, and small numbers whose rows
   sum up to less than 1. */
static double tiles_element(int i, int j, int size) {
    const uint32_t low = (uint32_t)(i < j ? i : j), high = (uint32_t)(i < j ? j : i);
    const uint32_t mixed = (low * 2654435761u ^ high * 2246822519u) * 3266489917u;
    return i == j ? 2.0 : ((double)(mixed >> 8) / 16777216.0 - 0.5) / size;
}

/* Fills tile (row, column) of a matrix of `size` rows. */
static void tiles_fill(double *tile, int n, int row, int column, int size) {
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) tile[i + j * n] = tiles_element(row * n + i, column * n + j, size);
}

/* ||A - L L'|| / ||A|| by Frobenius' norm over the lower half. tile[i * count + j] are those of L. */
static double tiles_residual(double *const *tile, int n, int count) {
    double error = 0.0, norm = 0.0, *sum = (double *)malloc((size_t)n * (size_t)n * sizeof *sum);
    for (int i = 0; i < count; ++i)
        for (int j = 0; j <= i; ++j) {
            tiles_fill(sum, n, i, j, n * count);
            for (int k = 0; k < n * n; ++k) norm += sum[k] * sum[k];
            for (int k = 0; k <= j; ++k) {
                const double *left = tile[i * count + k], *right = tile[j * count + k];
                for (int c = 0; c < n; ++c)
                    for (int m = 0; m < n && (k < j || m <= c); ++m)
                        for (int r = 0; r < n; ++r)
                            if (k < i || m <= r) sum[r + c * n] -= left[r + m * n] * right[c + m * n];
            }
            for (int k = 0; k < n * n; ++k) error += sum[k] * sum[k];
        }
    free(sum);
    return sqrt(error / norm);
}

#endif /* TILES_H */
