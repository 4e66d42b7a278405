/* nested.cu - three nested counted loops with constant bounds (4 x 8 x 16) and one sibling loop (32).
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * nvcc -ptx -arch=sm_80 nested.cu
 */
extern "C" __global__ void nested(float *out, const float *in)
{
    float s = 0.0f;
#pragma unroll 1
    for (int i = 0; i < 4; ++i) {
        s += in[i];
#pragma unroll 1
        for (int j = 0; j < 8; ++j) {
            s *= 1.5f;
#pragma unroll 1
            for (int k = 0; k < 16; ++k)
                s += in[i * 128 + j * 16 + k];
        }
    }
#pragma unroll 1
    for (int m = 0; m < 32; ++m)
        out[m] = s * (float)m;
}
