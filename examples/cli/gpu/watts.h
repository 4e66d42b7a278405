/* watts.h - the power of an unmeasured kernel on a GPU: a share of the power limit.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The share depends on how often the threads of a launch fill the GPU: `least` up to once, then rising with
 * the logarithm to `most` at ten times. examples/gpu/watts.c fits the two shares and the factors.
 */
#ifndef CLI_WATTS_H
#define CLI_WATTS_H
#include "sooth/gpu.h"
#include "sooth/base.h"

typedef struct power_law {
    double least, most; /* shares of the power limit */
    double low, high;   /* times the share: 90 % interval of launches on a GPU left out of the fit */
} power_law;

/* Fitted to a K20 of 225 W and an M60 of 150 W (979 launches of 43 benchmarks, 766 of 28: Alavani et al.
   2023). */
static const power_law known_power_law = {0.28, 0.51, 0.49, 1.76};

/* Returns how often the threads of a launch fill the GPU. */
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
