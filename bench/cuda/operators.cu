/* operators.cu - times of a network's operators: matrix products in six precisions, and plain kernels.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     nvcc -O2 -arch=native -std=c++17 operators.cu -o operators -ldl && ./operators [SECONDS] >
 *     operators.csv
 *
 * Columns: op, dtype, b, m, n, k as gpu/roofline.h names the shapes, latency_ms, by. Products are those of
 * cuBLAS (by = cublas), looked up at run time, where its header was at compile time. Otherwise they are
 * tensor core kernels without any art (by = own), without fp8. Everything else is by the kernels of
 * operators.cuh. Both operands of a product lie along the summed dimension. Results are in the type of the
 * operands, those of tf32 in fp32, of fp8 in bf16, of int8 in 32 bits.
 *
 * latency_ms is the mean of the 5 fastest of 25 calls between two events, as in the data that gpu_time.h was
 * learned from. The shapes come in a fixed random order, so that a cut table has all kinds.
 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <functional>
#include <mma.h>
#include <string>
#include <type_traits>

#include "cuda.cuh"
#include "operators.cuh"

#if defined(__has_include)
#if __has_include(<cublasLt.h>)
#include <cublasLt.h>
#define HAS_CUBLAS 1
#endif
#endif

enum dtype { FP32, TF32, FP16, BF16, FP8, INT8, DTYPES };
static const char *const dtype_name[DTYPES] = {"fp32", "tf32", "fp16", "bf16", "fp8", "int8"};

struct shape {
    std::string op;
    int dtype, b, m, n, k;
};

/* ---- memory ---- */

static void *left_room, *right_room, *third_room, *out_room;
static const size_t room_bytes = (size_t)1 << 30;

__global__ void fill(unsigned *words, size_t n, unsigned keep, unsigned set) {
    for (size_t i = INDEX; i < n; i += (size_t)gridDim.x * blockDim.x) {
        unsigned h = (unsigned)i * 2654435761u + 12345u;
        h ^= h >> 16;
        h *= 0x85EBCA6Bu;
        h ^= h >> 13;
        h *= 0xC2B2AE35u;
        h ^= h >> 16;
        words[i] = (h & keep) | set;
    }
}

/* Numbers from 1/2 to 1 with either sign; any integers. */
static void fill_rooms(int dtype) {
    static const unsigned keep[DTYPES] = {0x807FFFFFu, 0x807FFFFFu, 0x83FF83FFu,
                                          0x807F807Fu, 0x87878787u, ~0u},
                          set[DTYPES] = {0x3F000000u, 0x3F000000u, 0x38003800u, 0x3F003F00u, 0x30303030u, 0u};
    static int last = -1;
    if (dtype == last) return;
    last = dtype;
    for (void *room : {left_room, right_room, third_room})
        fill<<<1024, 256>>>((unsigned *)room, room_bytes / 4, keep[dtype], set[dtype]);
    MUST(cudaGetLastError());
    MUST(cudaDeviceSynchronize());
}

/* ---- products by cuBLAS ---- */

#ifdef HAS_CUBLAS
static void *cublas;
static cublasLtHandle_t handle;
static void *workspace;
enum { WORKSPACE = 32 << 20 };

#define FROM_CUBLAS(name) ((decltype(&name))dlsym(cublas, #name))

static bool cublas_open() {
    for (const char *name : {"libcublasLt.so", "libcublasLt.so.13", "libcublasLt.so.12"})
        if (!cublas) cublas = dlopen(name, RTLD_NOW);
    if (!cublas || !FROM_CUBLAS(cublasLtCreate) || FROM_CUBLAS(cublasLtCreate)(&handle) != 0) return false;
    MUST(cudaMalloc(&workspace, WORKSPACE));
    return true;
}

/* A product as cuBLAS sees it: column after column, the right operand transposed. */
struct product {
    cublasLtMatmulDesc_t how = NULL;
    cublasLtMatrixLayout_t right = NULL, left = NULL, out = NULL;
    cublasLtMatmulPreference_t wish = NULL;
    cublasLtMatmulHeuristicResult_t found = {};
    bool integers = false;
};

static bool layout(cublasLtMatrixLayout_t *of, cudaDataType_t type, int rows, int columns, int batch) {
    const int64_t stride = (int64_t)rows * columns;
    const auto set = FROM_CUBLAS(cublasLtMatrixLayoutSetAttribute);
    return FROM_CUBLAS(cublasLtMatrixLayoutCreate)(of, type, (uint64_t)rows, (uint64_t)columns, rows) == 0 &&
           set(*of, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof batch) == 0 &&
           set(*of, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof stride) == 0;
}

static void product_free(product *p) {
    if (p->wish) FROM_CUBLAS(cublasLtMatmulPreferenceDestroy)(p->wish);
    for (cublasLtMatrixLayout_t l : {p->right, p->left, p->out})
        if (l) FROM_CUBLAS(cublasLtMatrixLayoutDestroy)(l);
    if (p->how) FROM_CUBLAS(cublasLtMatmulDescDestroy)(p->how);
}

static bool product_make(const shape &s, product *p) {
    static const cudaDataType_t in[DTYPES] = {CUDA_R_32F,  CUDA_R_32F,     CUDA_R_16F,
                                              CUDA_R_16BF, CUDA_R_8F_E4M3, CUDA_R_8I},
                                out[DTYPES] = {CUDA_R_32F,  CUDA_R_32F,  CUDA_R_16F,
                                               CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32I};
    const cublasComputeType_t compute = s.dtype == INT8   ? CUBLAS_COMPUTE_32I
                                        : s.dtype == TF32 ? CUBLAS_COMPUTE_32F_FAST_TF32
                                                          : CUBLAS_COMPUTE_32F;
    const cublasOperation_t transposed = CUBLAS_OP_T;
    const size_t bytes = WORKSPACE;
    int results = 0;
    p->integers = s.dtype == INT8;
    return FROM_CUBLAS(cublasLtMatmulDescCreate)(&p->how, compute, p->integers ? CUDA_R_32I : CUDA_R_32F) ==
               0 &&
           FROM_CUBLAS(cublasLtMatmulDescSetAttribute)(p->how, CUBLASLT_MATMUL_DESC_TRANSA, &transposed,
                                                       sizeof transposed) == 0 &&
           layout(&p->right, in[s.dtype], s.n, s.k, s.b) && layout(&p->left, in[s.dtype], s.n, s.m, s.b) &&
           layout(&p->out, out[s.dtype], s.k, s.m, s.b) &&
           FROM_CUBLAS(cublasLtMatmulPreferenceCreate)(&p->wish) == 0 &&
           FROM_CUBLAS(cublasLtMatmulPreferenceSetAttribute)(
               p->wish, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof bytes) == 0 &&
           FROM_CUBLAS(cublasLtMatmulAlgoGetHeuristic)(handle, p->how, p->right, p->left, p->out, p->out,
                                                       p->wish, 1, &p->found, &results) == 0 &&
           results == 1;
}

static bool product_run(const product &p, cudaStream_t stream) {
    static const auto run = FROM_CUBLAS(cublasLtMatmul);
    static const float one = 1.0f, none = 0.0f;
    static const int32_t whole = 1, zero = 0;
    const void *alpha = p.integers ? (const void *)&whole : &one,
               *beta = p.integers ? (const void *)&zero : &none;
    return run(handle, p.how, alpha, right_room, p.right, left_room, p.left, beta, out_room, p.out, out_room,
               p.out, &p.found.algo, workspace, WORKSPACE, stream) == 0;
}
#else
static bool cublas_open() { return false; }
#endif

/* ---- products by own kernels ---- */

/* Operands as tensor cores name them, and whether those that are compiled for take them. */
struct tf32 {};
template <class In> struct operand { typedef In type; };
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
template <> struct operand<tf32> { typedef nvcuda::wmma::precision::tf32 type; };
template <class In> constexpr bool tensor_cores_take = true;
#else
template <class In>
constexpr bool tensor_cores_take = std::is_same<In, __half>::value ||
                                   (__CUDA_ARCH__ >= 720 && std::is_same<In, signed char>::value);
#endif

/* A tile of 16 x 16 results for each warp. */
template <class Load, class In, class Sum, int DEPTH>
__global__ void tensor_product(const Load *left, const Load *right, Sum *out, int m, int n, int k) {
#ifdef __CUDA_ARCH__
    if constexpr (tensor_cores_take<In>) {
        namespace wmma = nvcuda::wmma;
        const int tiles = k / 16, warp = (int)((blockIdx.x * blockDim.x + threadIdx.x) / 32);
        const int row = warp / tiles * 16, column = warp % tiles * 16;
        if (row >= m) return;
        const Load *l = left + (size_t)blockIdx.z * m * n, *r = right + (size_t)blockIdx.z * k * n;
        wmma::fragment<wmma::matrix_a, 16, 16, DEPTH, typename operand<In>::type, wmma::row_major> a;
        wmma::fragment<wmma::matrix_b, 16, 16, DEPTH, typename operand<In>::type, wmma::col_major> b;
        wmma::fragment<wmma::accumulator, 16, 16, DEPTH, Sum> sum;
        wmma::fill_fragment(sum, (Sum)0);
        for (int t = 0; t < n; t += DEPTH) {
            wmma::load_matrix_sync(a, l + (size_t)row * n + t, (unsigned)n);
            wmma::load_matrix_sync(b, r + (size_t)column * n + t, (unsigned)n);
            wmma::mma_sync(sum, a, b, sum);
        }
        wmma::store_matrix_sync(out + (size_t)blockIdx.z * m * k + (size_t)row * k + column, sum, (unsigned)k,
                                wmma::mem_row_major);
    }
#endif
}

template <class Load, class In, class Sum, int DEPTH>
static void launch_tensor(const shape &s, cudaStream_t stream) {
    const dim3 grid((unsigned)((s.m / 16 * (s.k / 16) + 7) / 8), 1, (unsigned)s.b);
    tensor_product<Load, In, Sum, DEPTH><<<grid, 256, 0, stream>>>(
        (const Load *)left_room, (const Load *)right_room, (Sum *)out_room, s.m, s.n, s.k);
}

static void own_product(const shape &s, cudaStream_t stream) {
    switch (s.dtype) {
    case FP32:
        plain_product<float, float>
            <<<dim3((unsigned)s.k / 16, (unsigned)s.m / 16, (unsigned)s.b), 256, 0, stream>>>(
                (const float *)left_room, (const float *)right_room, (float *)out_room, s.m, s.n, s.k);
        break;
    case TF32: launch_tensor<float, tf32, float, 8>(s, stream); break;
    case FP16: launch_tensor<__half, __half, float, 16>(s, stream); break;
    case BF16: launch_tensor<__nv_bfloat16, __nv_bfloat16, float, 16>(s, stream); break;
    default: launch_tensor<signed char, signed char, int, 16>(s, stream);
    }
}

/* ---- everything else ---- */

template <class T> static void run_other(const shape &s, cudaStream_t stream) {
    const T *a = (const T *)left_room, *b = (const T *)right_room, *c = (const T *)third_room;
    T *out = (T *)out_room;
    const size_t n = (size_t)s.b * (size_t)s.k;
    const unsigned rows = (unsigned)s.b, grid = (unsigned)((n + 255) / 256);
#define RUN_VECTOR(name, operands, result) \
    if (s.op == #name) vector_##name<T><<<grid, 256, 0, stream>>>(a, b, out, n);
    VECTOR_OPERATORS(RUN_VECTOR)
    if (s.op == "softmax") row_softmax<T><<<rows, ROW_THREADS, 0, stream>>>(a, out, s.k);
    if (s.op == "ln") row_norm<T><<<rows, ROW_THREADS, 0, stream>>>(a, out, s.k);
    if (s.op == "reduce") row_sum<T><<<rows, ROW_THREADS, 0, stream>>>(a, out, s.k);
    if (s.op == "mem") memory_copy<T><<<8 * device.multiProcessorCount, 256, 0, stream>>>(a, out, n / 2);
    if (s.op == "attention")
        attention<T><<<(unsigned)(s.b * s.m), ROW_THREADS, 0, stream>>>(a, b, c, out, s.m, s.n, s.k);
}

/* ---- shapes and times ---- */

static std::vector<shape> all_shapes() {
    std::vector<shape> all;
    for (int d = 0; d < DTYPES; ++d) {
        static const int weights[][2] = {{1024, 1024}, {1024, 4096}, {4096, 1024}, {4096, 4096},
                                         {2048, 8192}, {8192, 2048}, {8192, 8192}};
        static const int heads[][3] = {{512, 64, 512}, {512, 512, 64}, {1024, 64, 1024}, {2048, 128, 2048}};
        for (int m : {128, 512, 2048, 8192})
            for (const int *w : weights) all.push_back({"linear", d, 1, m, w[0], w[1]});
        for (int b : {16, 64, 128})
            for (const int *h : heads)
                if ((double)b * h[0] * h[2] * 4.0 <= (double)room_bytes)
                    all.push_back({"bmm", d, b, h[0], h[1], h[2]});
    }
    for (int d : {(int)FP32, (int)FP16}) {
#define ADD_VECTOR(name, operands, result) \
    for (int b : {512, 2048, 8192, 32768}) \
        for (int k : {768, 1024, 4096}) all.push_back({#name, d, b, 1, 1, k});
        VECTOR_OPERATORS(ADD_VECTOR)
        for (const char *op : {"softmax", "ln", "reduce"})
            for (int b : {512, 4096, 16384, 65536})
                for (int k : {128, 512, 1024, 2048, 4096}) all.push_back({op, d, b, 1, 1, k});
        for (int k = 1 << 16; k <= 1 << 27; k *= 4) all.push_back({"mem", d, 1, 1, 1, k});
        for (int b : {16, 64})
            for (int keys : {128, 256, 512, 1024, 2048})
                for (int n : {64, 128}) all.push_back({"attention", d, b, keys, n, keys});
    }
    numbers r;
    for (size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[r.below((uint32_t)i)]);
    return all;
}

/* The mean of the 5 fastest of 25 calls; of 7 if they take long. */
template <class Launch> static double fastest(Launch launch) {
    std::vector<double> found;
    cudaEvent_t from, to;
    MUST(cudaEventCreate(&from));
    MUST(cudaEventCreate(&to));
    launch();
    for (size_t i = 0; i < 25 && (i < 7 || found[0] < 10.0); ++i) {
        float ms;
        MUST(cudaEventRecord(from, 0));
        launch();
        MUST(cudaEventRecord(to, 0));
        MUST(cudaEventSynchronize(to));
        MUST(cudaEventElapsedTime(&ms, from, to));
        found.push_back((double)ms);
    }
    MUST(cudaGetLastError());
    MUST(cudaEventDestroy(from));
    MUST(cudaEventDestroy(to));
    std::sort(found.begin(), found.end());
    return (found[0] + found[1] + found[2] + found[3] + found[4]) / 5.0;
}

/* False: this shape cannot be measured here. */
static bool measure(const shape &s, bool library) {
    const bool product_of = s.op == "linear" || s.op == "bmm";
    double ms;
    fill_rooms(s.dtype);
    if (product_of && library) {
#ifdef HAS_CUBLAS
        product p;
        bool good = product_make(s, &p);
        if (good) ms = fastest([&] { good &= product_run(p, 0); });
        product_free(&p);
        if (!good) return false;
#endif
    } else if (product_of) {
        if (s.dtype == FP8 || (device.major < 8 && (s.dtype == TF32 || s.dtype == BF16))) return false;
        ms = fastest([&] { own_product(s, 0); });
    } else if (s.dtype == FP16) ms = fastest([&] { run_other<__half>(s, 0); });
    else ms = fastest([&] { run_other<float>(s, 0); });
    printf("%s,%s,%d,%d,%d,%d,%.6f,%s", s.op.c_str(), dtype_name[s.dtype], s.b, s.m, s.n, s.k, ms,
           product_of && library ? "cublas" : "own");
    row_end();
    return true;
}

int main(int count, char **word) {
    begin_time(count, word);
    open_device("operators");
    printf("op,dtype,b,m,n,k,latency_ms,by\n");
    for (void **room : {&left_room, &right_room, &third_room, &out_room}) MUST(cudaMalloc(room, room_bytes));
    const bool library = cublas_open();
    const std::vector<shape> shapes = all_shapes();
    size_t missing = 0, late = 0;
    for (const shape &s : shapes) {
        if (seconds_left() < 1.0) ++late;
        else if (!measure(s, library)) ++missing;
    }
    if (missing)
        printf("# %zu products not measured: %s\n", missing,
               library ? "cuBLAS refused them" : "their type needs cuBLAS, which is not here");
    table_end(late, "shapes");
    return 0;
}
