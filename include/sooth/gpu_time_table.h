/* gpu_time_table.h - what gpu_time.h learned: written by make gpu-tables, not by hand.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Learned from the measurements of NeuSight (Lee, Phanishayee and Mahajan, ASPLOS 2025,
 * github.com/sitar-lab/NeuSight, commit 6945927), MIT License, Copyright (c) 2025 Georgia Institute
 * of Technology and Microsoft Corporation. The members of sooth_gpu_times in their order; a line of
 * parameters or levels for each law. No example: gpu_time.h has one.
 */
#ifndef SOOTH_GPU_TIME_TABLE_H
#define SOOTH_GPU_TIME_TABLE_H
#include "base.h"

/* clang-format off */
#define SOOTHI_GPU_TIME_TABLE \
    {5, {"p4", "p100-pcie", "v100-pcie", "t4", "a100-pcie"}, \
     {61, 60, 70, 75, 80}, {256, 4096, 4096, 256, 5120}, \
     {{0.026078, 0.86494, 17.997, 0.45429, 0, 0.3, 0.11875, 0}, \
      {0.045402, 0.60935, 17.877, 0.13862, 0.83505, 0.78206, 0.81258, 1.4806}, \
      {0.02817, 0.80979, 0.016291, 0, 0, 0, 0, 0}, \
      {0.037976, 0.78167, 0.028093, 1.0986, 0.93453, 1.022, 0.0041758, 0}, \
      {0.05153, 0.81535, 0.039024, 0.59415, 0.71121, 0, 0, 0}, \
      {0.012039, 0.69998, 0.012069, 0, 0, 0, 0, 0}, \
      {0.034771, 0.74514, 0, 0, 0.51544, 0.92813, 0, 0}}, \
     {{0.2376, 0.0760, -0.1720, 0.0587, 0.1148}, \
      {0.0206, 0.2588, 0.0572, 0.0297, 0.2060}, \
      {0.0678, 0.0864, -0.1242, 0.0670, -0.0972}, \
      {0.0478, 0.1324, -0.1684, 0.0986, -0.1107}, \
      {0.0674, 0.1194, -0.1929, 0.0740, -0.0678}, \
      {-0.1286, 0.1440, -0.0621, -0.1102, 0.1565}, \
      {0.0549, 0.1616, -0.1462, 0.0225, -0.0885}}, \
     {0.3743, 0.2144, 0.1027, 0.2061, 0.1004, 1.485, 0.5725}, \
     {0.5144, 0.5302, 0.1534, 0.3584, 0.2954, 1.675, 0.611}, \
     {0.4379, 0.3553, 0.1534, 0.3142, 0.2954, 1.675, 0.611}, \
     {1.027e+10, 3.769e+09, 9.664e+09, 8.59e+09, 8.59e+09, 3.366e+08, 1.027e+10}}

/* A block of adapt.h, as words. */
#define SOOTHI_GPU_TIME_ADAPT_WORDS 88
#define SOOTHI_GPU_TIME_ADAPT \
    {0x48544F53u, 0x0001000Du, 0x00000160u, 0x34AAD0D2u, 0x00000160u, 0x00000160u, 0x00000008u, 0x00000001u, \
     0x00000010u, 0x00000001u, 0x00000005u, 0x0000046Au, 0x00000010u, 0x3F666666u, 0x3F800000u, 0x3C68D2C9u, \
     0x3D8B3E49u, 0x3E453AABu, 0x3E11BBD6u, 0x40591F14u, 0x00000000u, 0x00000000u, 0x40400000u, 0x00000001u, \
     0x3DFB4022u, 0x3F8E9F01u, 0x00000000u, 0x3F317218u, 0x00000000u, 0x00000001u, 0x3DFB4022u, 0x3F8E9F01u, \
     0x00000000u, 0x3F317218u, 0x00000000u, 0x00000001u, 0x3DFB4022u, 0x3F8E9F01u, 0x00000000u, 0x3F317218u, \
     0x00000000u, 0x00000001u, 0x3DFB4022u, 0x3F8E9F01u, 0x00000000u, 0x3F317218u, 0x00000000u, 0x00000001u, \
     0x3DFB4022u, 0x3F8E9F01u, 0x00000000u, 0x3F317218u, 0x00000000u, 0x00000001u, 0x3DA35016u, 0x3FAA988Eu, \
     0x00000000u, 0x3F317218u, 0x00000000u, 0x00000001u, 0x419C636Bu, 0x3D1EB37Du, 0x00000000u, 0x41EC5249u, \
     0x00000000u, 0x00000001u, 0x419DAD3Du, 0x3DB67A9Au, 0x400C9F54u, 0x41C214CAu, 0x00000000u, 0x403B5A62u, \
     0x403FDCB4u, 0x403FDCB4u, 0x403FEFCAu, 0x40420CA3u, 0x404309DDu, 0x4043000Cu, 0x40435945u, 0x404366C5u, \
     0x40455256u, 0x404AF7D0u, 0x4050B6C0u, 0x4054E6C9u, 0x4055B3DCu, 0x4055E215u, 0x40568CDBu, 0x40568CDBu}
/* clang-format on */

#endif
