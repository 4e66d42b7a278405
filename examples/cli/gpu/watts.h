/* watts.h - what a GPU draws in a kernel of which nothing was measured: a share of its power limit.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * By how often the threads of a launch fill the GPU: `least` up to once, from there on rising with the
 * logarithm to `most` from ten times on. examples/gpu/watts.c learns the two shares and the factors.
 */
#ifndef CLI_WATTS_H
#define CLI_WATTS_H
#include "sooth/gpu.h"
#include "sooth/base.h"

typedef struct power_law {
    double least, most; /* shares of the power limit */
    double low, high;   /* times the share: hold nine of ten launches on each GPU, told by the others */
} power_law;

/* Learned from a K20 of 225 W and an M60 of 150 W (979 launches of 43 benchmarks, 766 of 28: Alavani et al.
   2023). */
static const power_law known_power_law = {0.28, 0.51, 0.49, 1.76};

/* How often the threads of a launch fill the GPU. */
static inline double power_fills(const sooth_gpu *gpu, double threads) {
    const sooth_gpu_limits *limits = sooth_gpu_limits_for(gpu->compute);
    return threads / ((double)gpu->sms * SOOTH_GPU_WARP * (limits ? limits->warps : 64));
}

static inline double power_share(const power_law *law, double fills) {
    if (fills <= 1.0) return law->least;
    if (fills >= 10.0) return law->most;
    return law->least + (law->most - law->least) * (double)(sooth_log((float)fills) / sooth_log(10.0f));
}

#endif
