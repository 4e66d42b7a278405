/* gpu_time/table.h - the learned parameters of gpu_time.h, written by `make gpu-tables`.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Learned from the measurements of NeuSight (Lee, Phanishayee and Mahajan, ASPLOS 2025,
 * github.com/sitar-lab/NeuSight, commit 6945927), MIT License, Copyright (c) 2025 Georgia Institute of
 * Technology and Microsoft Corporation. The members of sooth_gpu_times in their order. Parameters and
 * levels have one line for each law.
 */
#ifndef SOOTH_GPU_TIME_TABLE_H
#define SOOTH_GPU_TIME_TABLE_H
#include "../base.h"

/* clang-format off */
#define SOOTHI_GPU_TIME_TABLE \
    {5, {"p4", "p100-pcie", "v100-pcie", "t4", "a100-pcie"}, \
     {61, 60, 70, 75, 80}, {256, 4096, 4096, 256, 5120}, {0, 0, 0, 0, 15}, \
     {{0.026103, 0.90519, 18.646, 0.47783, 0, 0.3, 0.12035, 0}, \
      {0.044919, 0.62957, 29.108, 0.075127, 0.77529, 0.69278, 0.73634, 1.4946}, \
      {0.028142, 0.80936, 0.015197, 0.86496, 0, 0, 0, 0}, \
      {0.037788, 0.78064, 0.027143, 0.9422, 0, 0, 0, 0}, \
      {0.048959, 0.78568, 0.036012, 0.77447, 0, 0, 0, 0}, \
      {0.005, 0.80936, 0.005, 0, 0, 0, 0, 0}, \
      {0.034761, 0.74112, 0, 0, 0.505, 1, 0, 0}}, \
     {{0.2534, 0.0762, -0.1687, 0.0652, 0.0742}, \
      {0.0203, 0.2513, 0.0497, 0.0302, 0.0557}, \
      {0.0690, 0.0838, -0.1211, 0.0683, -0.1000}, \
      {0.0516, 0.1413, -0.1680, 0.1011, -0.1262}, \
      {0.0910, 0.1564, -0.1502, 0.0827, -0.1308}, \
      {0.0690, 0.0838, -0.1211, 0.0683, -0.1000}, \
      {0.0530, 0.1805, -0.1287, 0.0256, -0.1391}}, \
     {0.3745, 0.2192, 0.09419, 0.1788, 0.112, 1.689, 0.58}, \
     {0.5557, 0.5801, 0.1291, 0.2665, 0.171, 1.713, 0.5913}, \
     {0.4495, 0.348, 0.1178, 0.2113, 0.1279, 1.713, 0.5913}, \
     {1.027e+10, 3.769e+09, 9.664e+09, 8.59e+09, 8.59e+09, 3.366e+08, 1.027e+10}}

/* A block of adapt.h, as words. */
#define SOOTHI_GPU_TIME_ADAPT_WORDS 92
#define SOOTHI_GPU_TIME_ADAPT \
    {0x48544F53u, 0x0002000Du, 0x00000170u, 0xF748031Eu, 0x00000170u, 0x00000170u, 0x00000008u, 0x00000001u, \
     0x00000010u, 0x00000001u, 0x00000005u, 0x00000452u, 0x00000010u, 0x3F666666u, 0x3F800000u, 0x3C519FE6u, \
     0x3D8E0FC7u, 0x3E640370u, 0x3E3EE9CEu, 0x40291825u, 0x00000000u, 0x00000000u, 0x40400000u, 0x00000001u, \
     0x3E0059EFu, 0x3FB59923u, 0x00000000u, 0x3F317218u, 0x00000000u, 0x00000001u, 0x3E0059EFu, 0x3FB59923u, \
     0x00000000u, 0x3F317218u, 0x00000000u, 0x00000001u, 0x3E0059EFu, 0x3FB59923u, 0x00000000u, 0x3F317218u, \
     0x00000000u, 0x00000001u, 0x3E0059EFu, 0x3FB59923u, 0x00000000u, 0x3F317218u, 0x00000000u, 0x00000001u, \
     0x3E0059EFu, 0x3FB59923u, 0x00000000u, 0x3F317218u, 0x00000000u, 0x00000001u, 0x3D880D69u, 0x3FED6E5Eu, \
     0x00000000u, 0x3F317218u, 0x00000000u, 0x00000001u, 0x419FC2F6u, 0x3D5A2721u, 0x00000000u, 0x41EDDFE5u, \
     0x00000000u, 0x00000001u, 0x41A02C21u, 0x3E21D6CAu, 0x41051A91u, 0x41C214CAu, 0x00000000u, 0x40060C81u, \
     0x402742BDu, 0x40276D6Cu, 0x4028872Du, 0x402958B1u, 0x402A68ABu, 0x402BB005u, 0x40302FBFu, 0x402A88CBu, \
     0x402A88CBu, 0x402A6459u, 0x402E6C2Fu, 0x403002CFu, 0x40322771u, 0x4033A7DFu, 0x40322771u, 0x40322771u, \
     0x3F800000u, 0x3D4F61C4u, 0x00000000u, 0x00000000u}
/* clang-format on */

#endif /* SOOTH_GPU_TIME_TABLE_H */
