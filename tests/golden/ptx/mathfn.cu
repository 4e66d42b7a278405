/* mathfn.cu - slow and fast math, and a call of a device function that is not inlined.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * nvcc -ptx -arch=sm_80 mathfn.cu
 */
__device__ __noinline__ float poly(float x, float y)
{
    return x * x * y + x * 3.0f - y;
}
extern "C" __global__ void mathfn(float *out, const float *in, double *dout)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];
    float r = sqrtf(x) + __expf(x) + __sinf(x) + 1.0f / x;
    r = poly(r, x);
    out[i] = fmaxf(r, 0.0f) / (x + 2.0f);
    dout[i] = sqrt((double)x) * 2.0;
}
