/* launches.h - launches of kernels that were measured, and what measuring programs write.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef SOOTH_CLI_LAUNCHES_H
#define SOOTH_CLI_LAUNCHES_H

#include "cli.h"

/* A launch: sizes in three dimensions. */
typedef struct extent {
    const char *text;
    uint32_t by[3];
    uint32_t all;
} extent;

/* Reads "256" or "16x16"; 0 when the text is no such size of 1 to 2147483647. */
int extent_read(const char *text, extent *e);

/* One row of a file of launches. */
typedef struct launch {
    size_t line;
    const char *kernel; /* its name there */
    extent grid, block;
    char **value; /* "3=512", of its parameters; */
    size_t values;
    uint32_t registers, shared; /* of a thread, of a block in bytes; UINT32_MAX: the file does not say */
    uint32_t blocks_per_sm;     /* that were on an SM at once, likewise */
    double *measured;           /* NaN: it was not */
} launch;

typedef struct launches {
    const char *path;
    launch *row;
    size_t rows;
    const char **measured; /* headers of what was measured, */
    const char **name;     /* and these without their units */
    size_t columns;
} launches;

/* Reads a file of launches as bench/cuda/power.cu writes it: columns kernel, grid, block; where they are
   there also values, registers, shared_bytes, blocks_per_sm; and of what was measured those that --measured
   names, else time and power. Dies with a sentence and the line where a column or a cell is missing, is no
   number or cannot be. */
void launches_read(sooth_env *env, const arguments *args, const char *path, launches *all);

/* Reads a CSV that a measuring program wrote: lines in front of the header that begin with # are remarks. The
   first goes into remark, "" where there is none. */
void measured_open(sooth_env *env, const char *path, sooth_csv *csv, char *remark, size_t size);

/* The device of that name, or that the file describes; dies where there is neither (gpu.c). */
void gpu_open(sooth_env *env, const char *name, sooth_gpu *gpu);

/* The same for a board as drivers and tables write it (sooth_gpu_find_board), where p100 and v100 alone mean
   those on PCIe, which the times of gpu_time.h were learned from (gpu_time.c). */
void gpu_board_open(sooth_env *env, const char *name, sooth_gpu *gpu);

/* The operator of that name; dies where there is none, `where` in front (gpu_time.c). */
uint32_t operator_read(const char *name, const char *where);

/* One launch of a kernel of a PTX file, and its work. */
typedef struct ptx_launch {
    const char *kernel;
    sooth_gpu_launch launch;
    sooth_work work;
    kept doubts; /* what is not known of it, in words, for stderr once all is well */
} ptx_launch;

/* Reads it as --kernel, --grid, --block, --loop, --trips, --branch, --value, --regs and --shared say.
   Dies with a sentence (ptx.c). */
void ptx_launch_read(sooth_env *env, const arguments *args, const char *path, ptx_launch *out);

/* sooth gpu time, network, compare */
int gpu_time_run(const arguments *args);
int gpu_network_run(const arguments *args);
int gpu_compare_run(const arguments *args);

#endif
