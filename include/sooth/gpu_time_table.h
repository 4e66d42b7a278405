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
     {{0.029925, 0.92404, 14.36, 0.39892, 0, 0.34277, 0.25227}, \
      {0.044322, 0.68607, 0, 0.2189, 0.73787, 0.79135, 0.77972}, \
      {0.028111, 0.80727, 0.0182, 0, 0, 0, 0}, \
      {0.037976, 0.78167, 0.028093, 1.0986, 0.93453, 1.022, 0.0041758}, \
      {0.05153, 0.81535, 0.039024, 0.59415, 0.71121, 0, 0}, \
      {0.012039, 0.69998, 0.012069, 0, 0, 0, 0}, \
      {0.034771, 0.74514, 0, 0, 0.51544, 0.92813, 0}}, \
     {{0.1338, 0.1069, -0.1358, -0.2202, 0.1452}, \
      {0.0854, 0.3399, 0.0632, -0.0032, 0.2060}, \
      {0.0713, 0.0926, -0.1285, 0.0735, -0.1089}, \
      {0.0478, 0.1324, -0.1684, 0.0986, -0.1107}, \
      {0.0674, 0.1194, -0.1929, 0.0740, -0.0678}, \
      {-0.1286, 0.1440, -0.0621, -0.1102, 0.1565}, \
      {0.0549, 0.1616, -0.1462, 0.0225, -0.0885}}, \
     {0.3423, 0.2887, 0.262, 0.2061, 0.1004, 1.485, 0.5725}, \
     {0.4285, 0.4241, 0.262, 0.3142, 0.2954, 1.675, 0.611}, \
     {1.027e+10, 3.769e+09, 9.664e+09, 8.59e+09, 8.59e+09, 3.366e+08, 1.027e+10}}

/* A block of adapt.h, as words. */
#define SOOTHI_GPU_TIME_ADAPT_WORDS 88
#define SOOTHI_GPU_TIME_ADAPT \
    {0x48544F53u, 0x0001000Du, 0x00000160u, 0x896B0713u, 0x00000160u, 0x00000160u, 0x00000008u, 0x00000001u, \
     0x00000010u, 0x00000001u, 0x00000005u, 0x0000046Au, 0x00000010u, 0x3F666666u, 0x3F800000u, 0x3CAA6A52u, \
     0x3D8C1897u, 0x3E466FE1u, 0x3E12A051u, 0x401539A8u, 0x00000000u, 0x00000000u, 0x40400000u, 0x00000001u, \
     0x3DFB4022u, 0x3FCF8332u, 0x00000000u, 0x3F317218u, 0x00000000u, 0x00000001u, 0x3DFB4022u, 0x3FCF8332u, \
     0x00000000u, 0x3F317218u, 0x00000000u, 0x00000001u, 0x3DFB4022u, 0x3FCF8332u, 0x00000000u, 0x3F317218u, \
     0x00000000u, 0x00000001u, 0x3DFB4022u, 0x3FCF8332u, 0x00000000u, 0x3F317218u, 0x00000000u, 0x00000001u, \
     0x3DFB4022u, 0x3FCF8332u, 0x00000000u, 0x3F317218u, 0x00000000u, 0x00000001u, 0x3DA35016u, 0x3FF83730u, \
     0x00000000u, 0x3F317218u, 0x00000000u, 0x00000001u, 0x419C636Bu, 0x3D66E8A4u, 0x00000000u, 0x41EC5249u, \
     0x00000000u, 0x00000001u, 0x419DAD3Du, 0x3E04C0ACu, 0x400C9F54u, 0x41C214CAu, 0x00000000u, 0x4073AC7Du, \
     0x40779273u, 0x407D74ABu, 0x407D74ABu, 0x407D74ABu, 0x406B5791u, 0x4062061Du, 0x4062061Du, 0x40617DCBu, \
     0x405F566Cu, 0x405D3D30u, 0x405A1931u, 0x405E17ABu, 0x40621F18u, 0x40621F18u, 0x4064EAB2u, 0x4064EAB2u}
/* clang-format on */

#endif
