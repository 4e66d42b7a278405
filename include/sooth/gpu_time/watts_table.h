/* gpu_time/watts_table.h - the learned numbers of gpu_time/watts.h, written by `make gpu-tables`.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Learned from measurements in NVIDIA's AIConfigurator (github.com/ai-dynamo/aiconfigurator, commit
 * 095f58a51c4ca8e61b66ec108d86f223f8d559ce), Apache License 2.0, Copyright (c) 2025-2026 NVIDIA
 * CORPORATION & AFFILIATES. The members of sooth_gpu_watts_law; a line for each class.
 */
#ifndef SOOTH_GPU_TIME_WATTS_TABLE_H
#define SOOTH_GPU_TIME_WATTS_TABLE_H
#include "../base.h"

/* clang-format off */
#define SOOTHI_GPU_TIME_WATTS \
    {{0.2931, 31.31, 1.138, {0.31, 0.25}, {2.04, 1.02}, 104u}, \
     {1.435, 0, 0, {0.56, 0.47}, {1.52, 1.10}, 8u}, \
     {0.5434, 0, 0.4654, {0.59, 0.59}, {1.79, 1.79}, 24u}, \
     {0.4906, 22.81, 4.908, {0.64, 0.54}, {1.66, 1.14}, 56u}}
/* clang-format on */

#endif /* SOOTH_GPU_TIME_WATTS_TABLE_H */
