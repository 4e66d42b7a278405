/* scaled.cu - matrix products of warps with scales for blocks of values, and of 4, 6 and 8 bits: sm_120a.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * nvcc -ptx -arch=sm_120a scaled.cu
 */
#define MMA(sp, shape, kind, types, b, end) asm volatile("mma" sp ".sync.aligned." shape ".row.col.kind::" kind types \
    " {%0, %1, %2, %3}, {%4, %5, %6, %7}, " b ", {%0, %1, %2, %3}" end ";" \
    : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(x[4]), "r"(x[5]))
#define TWO "{%8, %9}"
#define FOUR "{%8, %9, %8, %9}"
#define SCALES ", %8, {0, 0}, %9, {0, 0}"

extern "C" __global__ void scaled(float *out, const unsigned *in)
{
    unsigned x[6];
    float d[4] = {};
    for (int i = 0; i < 6; ++i) x[i] = in[i * 32 + threadIdx.x];
    MMA("", "m16n8k32", "f8f6f4", ".f32.e4m3.e2m1.f32", TWO, "");
    MMA(".sp::ordered_metadata", "m16n8k64", "f8f6f4", ".f32.e3m2.e2m3.f32", FOUR, ", %8, 0x0");
    MMA("", "m16n8k32", "mxf8f6f4", ".block_scale.scale_vec::1X.f32.e4m3.e5m2.f32.ue8m0", TWO, SCALES);
    MMA("", "m16n8k64", "mxf4", ".block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0", TWO, SCALES);
    MMA("", "m16n8k64", "mxf4nvf4", ".block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3", TWO, SCALES);
    for (int i = 0; i < 4; ++i) out[i * 32 + threadIdx.x] = d[i];
}
