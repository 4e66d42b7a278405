/* gpu_cli.h - GPUs, PTX files and measured launches of kernels.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The folder holds the commands `sooth ptx` and `sooth gpu`:
 *
 *   device.c       a GPU by its name, or described by a file
 *   launches.c     files of measured launches
 *   ptx.c          sooth ptx; flow.c draws the control flow of a kernel
 *   operators.c    operators by name and size, from the command line or a table
 *   gpu_time.c     sooth gpu time; gpu_network.c and gpu_compare.c are network and compare
 *   gpu_language.c sooth gpu network --model: a step of a language model
 *   gpu.c          sooth gpu
 *   watts.h        the power of a launch as a share of the GPU's limit
 *
 * It includes app, table and model.
 */
#ifndef CLI_GPU_CLI_H
#define CLI_GPU_CLI_H

#include "../table/table.h"
#include "sooth/gpu.h"
#include "sooth/ptx.h"

/* ---- launches.c ---- */

/* Sizes in three dimensions. */
typedef struct extent {
    const char *text;
    uint32_t by[3];
    uint32_t all;
} extent;

/* Reads "256" or "16x16"; returns 0 if the text is not a size of 1 to 2147483647. */
int extent_read(const char *text, extent *e);

/* One row of a file of launches. */
typedef struct launch {
    size_t line;
    const char *kernel; /* its name in the file */
    extent grid, block;
    char **value; /* "3=512", values of its parameters */
    size_t values;
    uint32_t registers, shared; /* per thread; bytes per block; UINT32_MAX: not in the file */
    uint32_t blocks_per_sm;     /* resident blocks; UINT32_MAX: not in the file */
    double *measured;           /* NaN: not measured */
} launch;

typedef struct launches {
    const char *path;
    launch *row;
    size_t rows;
    const char **measured; /* headers of the measured columns, */
    const char **name;     /* and these without their units */
    size_t columns;
} launches;

/* Reads a file of launches in the form that bench/cuda/power.cu writes. Required columns: kernel, grid,
   block. Optional: values, registers, shared_bytes, blocks_per_sm. Measured: the columns that --measured
   names, else time and power. Dies with the line if a column or a cell is missing, is not a number or is
   impossible. */
void launches_read(sooth_env *env, const arguments *args, const char *path, launches *all);

/* Reads a CSV that a measuring program wrote. Lines before the header that begin with # are remarks; the
   first goes into remark, "" if there is none. */
void measured_open(sooth_env *env, const char *path, sooth_csv *csv, char *remark, size_t size);

/* ---- device.c ---- */

/* Finds the device of that name, reads the file that describes it, or finds the board that drivers name so;
   dies if there is none of these. */
void gpu_open(sooth_env *env, const char *name, sooth_gpu *gpu);

/* Returns the name of the paper's device in its published tables (k20-2023), or else in the library
   (k20-pfea); other names as they are. */
const char *gpu_of_paper(const char *name, int of_tables);

/* Like gpu_open, for operators: p100 and v100 alone mean the PCIe boards, which sooth/gpu_time.h was fitted
   to. table is the file that names it, NULL for an
   argument. */
void gpu_board_open(sooth_env *env, const char *table, const char *name, sooth_gpu *gpu);

/* Like gpu_board_open, but returns 0 if the name is that of no board. */
int gpu_board_find(sooth_env *env, const char *name, sooth_gpu *gpu);

/* Writes to stderr which board was taken for each name that leaves it open, such as "A100 80GB". */
void gpu_remarks(void);

/* Returns the names of the known devices: "k20, m60, ...". */
const char *gpu_names(void);

/* ---- ptx.c ---- */

/* One launch of a kernel of a PTX file, and its work. */
typedef struct ptx_launch {
    sooth_ptx ptx;
    size_t index;       /* of the kernel, */
    const char *kernel; /* and its name */
    sooth_gpu_launch launch;
    sooth_work work;    /* with both sides of undecided branches */
    sooth_work certain; /* only what runs for certain */
    uint32_t undecided; /* branches */
    size_t predicated;  /* instructions under a predicate, branches not counted */
    uint32_t assumed;   /* loops with unknown trip counts */
    sooth_ptx_needs needs;
    kept doubts; /* unknown facts about it, for stderr after success */
} ptx_launch;

/* Reads it by --kernel, --grid, --block, --loop, --trips, --branch, --value, --regs and --shared; dies on
   errors. The caller frees out->ptx. */
void ptx_launch_read(sooth_env *env, const arguments *args, const char *path, ptx_launch *out);

/* ---- flow.c ---- */

/* Draws the control flow graph of a function; blocks that run more often are darker. */
void flow_draw(FILE *to, const sooth_ptx *ptx, size_t function, const sooth_ptx_counts *counts);

/* ---- operators.c ---- */

/* Return the operator or the data type of that name, in any case; data types also by the names of frameworks
   (bfloat16). Die with `where` before the sentence if unknown. */
uint32_t operator_read(const char *name, const char *where);
uint32_t data_type_read(const char *name, const char *where);

/* True for an operator of a language model, which has a data type. */
int operator_is_language(uint32_t kind);

/* Returns the names of the sizes of an operator, in the order of --shape: "m,n,k". */
const char *operator_sizes(uint32_t kind);

/* Reads --shape of op->kind: "B,M,N,K" or "M,N,K" of a product of matrices, "B,K" or "K"; of an operator of a
   language model its sizes in order, or as "m=1,n=2,k=3". Dies if it is another. */
void operator_shape_read(const char *text, sooth_operator *op);

/* All sizes that operators have: their names, and their values in an operator. */
enum { OPERATOR_SIZES = 18 };
const char *operator_size_name(size_t i);
double operator_size(const sooth_operator *op, size_t i);
int operator_has(uint32_t kind, size_t i); /* true for a size of this kind of operators */

/* The columns of a table of operators; SOOTH_NONE for those that it does not have. */
typedef struct operator_columns {
    const char *path;
    size_t op, gpu, dtype;
    size_t size[OPERATOR_SIZES];
} operator_columns;

void operator_columns_find(const char *path, const sooth_csv *csv, operator_columns *c);

/* Returns the factor from the unit of a column to `unit`, 1 if it has none; dies if it has another unit. */
double column_factor(const char *path, const sooth_csv *csv, size_t column, const char *unit);

/* Dies if a column of sizes or counts has a unit. */
void column_has_no_unit(const char *path, const sooth_csv *csv, size_t column);

/* Returns the index of the column with this name, SOOTH_NONE if there is none; dies if there are two. */
size_t operator_column(const char *path, const sooth_csv *csv, const char *name);

/* Reads the operator of a row; `where` becomes "FILE: line 3: ". dtype: that of rows without one, or
   SOOTH_NONE. Dies if a name is unknown, or if a size or a data type that the operator needs is missing. */
sooth_operator operator_of_row(const operator_columns *c, const sooth_csv *csv, size_t row, size_t dtype,
                               char where[400]);

/* ---- gpu_time.c, gpu_network.c, gpu_language.c, gpu_compare.c ---- */

int gpu_time_run(const arguments *args);
int gpu_network_run(const arguments *args);
int gpu_language_run(const arguments *args); /* gpu network --model */
int gpu_compare_run(const arguments *args);

#endif /* CLI_GPU_CLI_H */
