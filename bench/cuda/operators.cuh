/* operators.cuh - plain kernels of a network's operators, for the shapes that gpu_time.h names.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Elements are of any type that converts from and to float; sums are float. The operands of products lie
 * along the summed dimension: left m x n, right k x n, result m x k. Without nvcc they are compiled for a
 * host that plays their threads (tests/studies/kernels.cpp).
 */
#ifndef SOOTH_BENCH_CUDA_OPERATORS_CUH
#define SOOTH_BENCH_CUDA_OPERATORS_CUH

#ifndef INDEX
#define INDEX (blockIdx.x * (size_t)blockDim.x + threadIdx.x)
#endif

enum { ROW_THREADS = 256, MOST_KEYS = 2048 };

/* Every vector operator: its name, the number of operands, and its result from x and y. */
#define VECTOR_OPERATORS(X)      \
    X(add, 2, x + y)             \
    X(mul, 2, x *y)              \
    X(div, 2, x / y)             \
    X(pow, 2, powf(fabsf(x), y)) \
    X(relu, 1, fmaxf(x, 0.0f))   \
    X(gelu, 1, x *normcdff(x))   \
    X(tanh, 1, tanhf(x))

#define VECTOR_KERNEL(name, operands, result)                                                  \
    template <class T> __global__ void vector_##name(const T *a, const T *b, T *c, size_t n) { \
        const size_t i = INDEX;                                                                \
        if (i >= n) return;                                                                    \
        const float x = (float)a[i], y = operands == 2 ? (float)b[i] : 0.0f;                   \
        (void)y;                                                                               \
        c[i] = (T)(result);                                                                    \
    }
VECTOR_OPERATORS(VECTOR_KERNEL)

template <class T> __global__ void memory_copy(const T *from, T *to, size_t n) {
    for (size_t i = INDEX; i < n; i += (size_t)gridDim.x * blockDim.x) to[i] = from[i];
}

/* Every thread's value becomes the sum, or the greatest, of all threads of the block. */
static __device__ float of_block(float v, bool greatest) {
    __shared__ float part[ROW_THREADS];
    __syncthreads(); /* the readers of the last call are done */
    part[threadIdx.x] = v;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            const float other = part[threadIdx.x + half];
            part[threadIdx.x] = greatest ? fmaxf(part[threadIdx.x], other) : part[threadIdx.x] + other;
        }
        __syncthreads();
    }
    return part[0];
}

/* The following take a row of k elements per block of ROW_THREADS. */

template <class T> __global__ void row_softmax(const T *in, T *out, int k) {
    const T *x = in + (size_t)blockIdx.x * k;
    float most = -3e38f, sum = 0.0f;
    for (int i = (int)threadIdx.x; i < k; i += (int)blockDim.x) most = fmaxf(most, (float)x[i]);
    most = of_block(most, true);
    for (int i = (int)threadIdx.x; i < k; i += (int)blockDim.x) sum += expf((float)x[i] - most);
    sum = of_block(sum, false);
    for (int i = (int)threadIdx.x; i < k; i += (int)blockDim.x)
        out[(size_t)blockIdx.x * k + i] = (T)(expf((float)x[i] - most) / sum);
}

template <class T> __global__ void row_norm(const T *in, T *out, int k) {
    const T *x = in + (size_t)blockIdx.x * k;
    float sum = 0.0f, squares = 0.0f;
    for (int i = (int)threadIdx.x; i < k; i += (int)blockDim.x) sum += (float)x[i];
    const float mean = of_block(sum, false) / (float)k;
    for (int i = (int)threadIdx.x; i < k; i += (int)blockDim.x) {
        const float e = (float)x[i] - mean;
        squares += e * e;
    }
    const float scale = 1.0f / sqrtf(of_block(squares, false) / (float)k + 1e-5f);
    for (int i = (int)threadIdx.x; i < k; i += (int)blockDim.x)
        out[(size_t)blockIdx.x * k + i] = (T)(((float)x[i] - mean) * scale);
}

template <class T> __global__ void row_sum(const T *in, T *out, int k) {
    float sum = 0.0f;
    for (int i = (int)threadIdx.x; i < k; i += (int)blockDim.x) sum += (float)in[(size_t)blockIdx.x * k + i];
    sum = of_block(sum, false);
    if (threadIdx.x == 0) out[blockIdx.x] = (T)sum;
}

/* One query of one head per block: m queries and k keys of n elements, k at most MOST_KEYS. */
template <class T>
__global__ void attention(const T *query, const T *key, const T *value, T *out, int m, int n, int k) {
    __shared__ float weight[MOST_KEYS];
    const size_t head = blockIdx.x / (unsigned)m;
    const T *q = query + (size_t)blockIdx.x * n, *keys = key + head * k * n, *values = value + head * k * n;
    float most = -3e38f, sum = 0.0f;
    for (int j = (int)threadIdx.x; j < k; j += (int)blockDim.x) {
        float s = 0.0f;
        for (int d = 0; d < n; ++d) s += (float)q[d] * (float)keys[(size_t)j * n + d];
        weight[j] = s / sqrtf((float)n);
        most = fmaxf(most, weight[j]);
    }
    most = of_block(most, true);
    for (int j = (int)threadIdx.x; j < k; j += (int)blockDim.x) {
        weight[j] = expf(weight[j] - most);
        sum += weight[j];
    }
    sum = of_block(sum, false); /* after it, all weights are there */
    for (int d = (int)threadIdx.x; d < n; d += (int)blockDim.x) {
        float s = 0.0f;
        for (int j = 0; j < k; ++j) s += weight[j] * (float)values[(size_t)j * n + d];
        out[(size_t)blockIdx.x * n + d] = (T)(s / sum);
    }
}

/* A tile of 16 x 16 results for each block of 256 threads; blockIdx.z is the product. m, n and k are
   multiples of 16. */
template <class T, class Out>
__global__ void plain_product(const T *left, const T *right, Out *out, int m, int n, int k) {
    __shared__ float a[16][17], b[16][17];
    const unsigned u = threadIdx.x % 16, v = threadIdx.x / 16;
    const size_t row = blockIdx.y * 16 + v, column = blockIdx.x * 16 + u;
    const T *l = left + (size_t)blockIdx.z * m * n, *r = right + (size_t)blockIdx.z * k * n;
    float sum = 0.0f;
    for (int t = 0; t < n; t += 16) {
        a[v][u] = (float)l[row * n + t + u];
        b[v][u] = (float)r[((size_t)blockIdx.x * 16 + v) * n + t + u];
        __syncthreads();
        for (int i = 0; i < 16; ++i) sum += a[v][i] * b[u][i];
        __syncthreads();
    }
    out[(size_t)blockIdx.z * m * k + row * k + column] = (Out)sum;
}

#endif
