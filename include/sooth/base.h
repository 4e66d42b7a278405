/* base.h - common parts of all headers: status, memory, threads, random numbers, tables, blocks.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Every other header includes this one. It declares:
 *
 * - sooth_status: the result of a call, SOOTH_OK or the reason of the failure;
 * - sooth_env: what the host provides (allocator, threads, processes, progress, a buffer for error messages);
 * - sooth_arena: an allocator inside a buffer of the host, for programs without malloc;
 * - sooth_rng: counter-based random numbers, with the same streams on every machine;
 * - sooth_table: a view of rows and columns that owns nothing;
 * - sooth_option: the names, ranges and defaults of a model's options;
 * - sooth_block: the first 32 bytes of every model, one piece of memory to copy, save, map and check as it
 *   is.
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION  // in exactly one file of the program; elsewhere just include
 *     #include "sooth/base.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static unsigned char memory[4096];
 *         sooth_arena arena;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         sooth_arena_init(&env, &arena, memory, sizeof memory);    // everything now lives in memory[]
 *         float x[4] = {1, 2, 3, 4};
 *         sooth_table table;
 *         sooth_table_init(&table, x, 2, 2);                     // two rows, two columns
 *         if (sooth_table_check(&env, &table, SOOTH_TABLE_NEED_TARGETS) != SOOTH_OK)
 *             printf("%s\n", env.sentence);                      // the table has no targets
 *         return 0;
 *     }
 *
 * Notes
 *
 * These switches apply to every header:
 *
 *     SOOTH_IMPLEMENTATION  compile the code here (see above)
 *     SOOTH_STATIC          make every function static inline: private copies, no linking
 *     SOOTH_LINKED          only declare: the program is linked with an object that implements all
 *     SOOTH_PREDICT_ONLY    compile only what checks a model and predicts: no allocation, no double,
 *                           no symbol but memcpy and memset
 *
 * These names mean the same in every header, option and command:
 *
 *     _fit              learns a model from a table; _resume continues a model: more trees, more rounds
 *     _predict          one row, first target; _predict_many: rows; _cost: worst-case work; _check: validity
 *     _free             frees what _fit, _load or _read returned; NULL is valid
 *     _init, _size      initialise an object in the caller's memory; its size in bytes
 *     _find, _named     search a name: an index or SOOTH_NONE; an object, or an error message
 *     _options_list     names and ranges of the options; _check_options: are they valid for this table?
 *     _write(env, x, sink), _read(env, text, size, &x)      to text and from text
 *     n_estimators      trees of a forest, rounds of boosting
 *     epochs, max_iter  passes of a network over the rows; maximum number of solver steps
 *     patience          steps without progress on held-out rows before training stops
 *     validation        a table of held-out rows; validation_fraction: fraction of the rows to hold out
 *     learning_rate     of boosting and networks
 *     lambda, alpha     L2 and L1 penalties
 *     huber_delta       error at which the Huber loss becomes linear
 *     max_features      columns considered; a value below 1 is a fraction of them
 *     grow_policy       which node is split next
 *     warm_start        a model, or values, to begin with
 *     seed              of all random draws; nothing else depends on it
 *     tolerance         stopping tolerance of a solver
 *     no_X, has_X       flags: leave out X; X is given although it is 0
 *
 * Functions that take an env may be called from several threads at once, each with its own env. Const objects
 * may be shared freely.
 *
 * Cost
 *
 * Nothing is allocated, started or printed unless the comment of a function documents it.
 */
/* Headers are skipped here if they were already read. Without this test the compiler walks every path of the
   include graph: 1,500 files for sooth.h instead of 300, and two seconds instead of 0.2. */
#if !defined(SOOTH_BASE_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_BASE_IMPLEMENTED))
#include "base/text.h"
#endif

#ifndef SOOTH_BASE_H
#define SOOTH_BASE_H

#if !defined(SOOTH_PREDICT_ONLY)
#include <stdlib.h>
#endif

#define SOOTH_VERSION 1000 /* 1,000,000 x major + 1,000 x minor + patch */
#define SOOTH_VERSION_TEXT "0.1.0"

#if defined(__FAST_MATH__)
#error "sooth keeps the same bits on every machine; compile it without -ffast-math"
#endif

#if defined(__GNUC__) || defined(__clang__) || defined(_MSC_VER)
#define SOOTH_RESTRICT __restrict
#else
#define SOOTH_RESTRICT
#endif

SOOTHI_C_BEGIN

/* What a search returns if nothing is found, in place of an index. */
#define SOOTH_NONE ((size_t)-1)

/* ---- status ---- */

#define SOOTH_STATUS_LIST(X)                                       \
    X(SOOTH_OK, "ok")                                              \
    X(SOOTH_BAD_ARGUMENT, "an option or argument is out of range") \
    X(SOOTH_BAD_DATA, "the table cannot be used as it is")         \
    X(SOOTH_BAD_TEXT, "the text cannot be read")                   \
    X(SOOTH_BAD_MODEL, "the bytes are not a valid model")          \
    X(SOOTH_NO_MEMORY, "the allocator had no memory left")         \
    X(SOOTH_NOT_CONVERGED, "the iteration limit was reached")      \
    X(SOOTH_CANCELLED, "cancelled by the host")

typedef enum sooth_status {
#define SOOTHI_ITEM(name, text) name,
    SOOTH_STATUS_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
        SOOTH_STATUS_COUNT
} sooth_status;

#ifndef SOOTH_PREDICT_ONLY

/* Return, for example, "SOOTH_BAD_DATA" and "the table cannot be used as it is"; never NULL. */
SOOTH_API const char *sooth_status_name(sooth_status status);
SOOTH_API const char *sooth_status_text(sooth_status status);

/* ---- env: what the host provides ---- */

#define SOOTH_ENV_SENTENCE 256

/* One piece of parallel work: item i of count, run by worker `worker` (below env.workers). */
typedef void sooth_task(void *arg, size_t i, size_t worker);

/* Reductions over the values that each process holds. */
typedef enum sooth_reduction { SOOTH_REDUCE_SUM = 0, SOOTH_REDUCE_MAX } sooth_reduction;

/* Call sooth_env_init, then set fields as needed. Every function accepts NULL as env: malloc and free, one
   thread, no output. Only the error message is lost then. */
typedef struct sooth_env {
    /* memory aligned like malloc's, or NULL; free_fn gets the size of the allocation */
    void *(*alloc_fn)(void *user, size_t size);
    void (*free_fn)(void *user, void *memory, size_t size);
    void *alloc_user;

    /* Calls task(arg, i, worker) once for every i below count, in any order and on any threads. Returns when
       all are done. NULL means a plain loop. threads.h provides one based on system threads. */
    void (*parallel_fn)(void *user, size_t count, sooth_task *task, void *arg);
    void *parallel_user;
    size_t workers; /* upper bound of the worker indices that parallel_fn passes; 0 means 1 */

    /* Like parallel_fn, for processes that each hold some rows of one table; the rows of process 0 come
       first. All processes call it with the same `what` and count. If it returns 0, every value[k] is, in
       every process, the sum (modulo 2^64) or the max over all processes. Any other result ends the current
       call. NULL means a single process. Functions document it if they reduce over processes; they return the
       same bytes in every process as one process with all rows does. All other functions use only the rows of
       their process. See base/reduce.h. */
    int (*reduce_fn)(void *user, sooth_reduction what, int64_t *value, size_t count);
    void *reduce_user;
    size_t rank, ranks; /* index of this process, from 0, and number of processes; 0 means 1 */

    /* called now and then from the calling thread with done in 0..1; nonzero cancels the call */
    int (*progress_fn)(void *user, const char *stage, double done);
    void *progress_user;

    /* Loss history of iterative learners, called from the calling thread after each step. Steps count from 1,
       and from 1 again if a search restarts. Arguments are the losses of the training rows and of the
       held-out rows (NaN if there are none). The header of the model defines the loss. The model has the same
       bits with and without this callback. */
    void (*loss_fn)(void *user, const char *stage, size_t step, double loss, double validation);
    void *loss_user;

    /* after a failure: one sentence with the reason, without a final full stop */
    char sentence[SOOTH_ENV_SENTENCE];
} sooth_env;

/* Sets all fields to NULL and 0: malloc and free, one thread, no output. */
SOOTH_API void sooth_env_init(sooth_env *env);

/* These four let your own functions behave like those of the library; env may be NULL in all of them.
   sooth_fail formats the error sentence (see sooth_text_format) and returns the status. A function can
   therefore end with `return sooth_fail(env, SOOTH_BAD_ARGUMENT, "depth is %u, but must be ...", depth)`. */
SOOTH_API sooth_status sooth_fail(sooth_env *env, sooth_status status, const char *format, ...);

/* Returns SOOTH_NO_MEMORY with the sentence "no memory for <what> (<bytes> bytes)". */
SOOTH_API sooth_status sooth_no_memory(sooth_env *env, const char *what, size_t bytes);

/* Allocates count pieces of `size` bytes, or returns NULL. A count of 0 gives a pointer that can be freed. */
SOOTH_API void *sooth_alloc(sooth_env *env, size_t count, size_t size);

/* Frees memory of sooth_alloc with the same count and size; NULL is valid. */
SOOTH_API void sooth_free(sooth_env *env, void *memory, size_t count, size_t size);

/* ---- arena: an allocator inside a buffer ---- */

/* Allocates pieces of memory[0..size), each aligned to 16. Pieces freed in reverse order of allocation can be
   reused; sooth_arena_reset frees all of them. `peak` is the most memory that was in use. */
typedef struct sooth_arena {
    unsigned char *memory;
    size_t size;
    size_t used;
    size_t peak;
} sooth_arena;

/* Prepares the arena and makes it the allocator of env. */
SOOTH_API void sooth_arena_init(sooth_env *env, sooth_arena *arena, void *memory, size_t size);

/* Frees all pieces at once. */
SOOTH_API void sooth_arena_reset(sooth_arena *arena);

/* ---- random numbers ---- */

/* Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers, as easy as 1, 2, 3; SC 2011). Word n of
   stream s depends on (seed, s, n) alone. A copy of the struct saves its state. */
typedef struct sooth_rng {
    uint32_t key[2];     /* the seed */
    uint32_t counter[4]; /* 64 bits of position in blocks of four words, 64 bits of stream */
    uint32_t word[4];    /* current block */
    uint32_t left;       /* words of the block that are still unused */
} sooth_rng;

/* Use independent streams for independent purposes: one per tree, per fold, per restart. */
SOOTH_API void sooth_rng_init(sooth_rng *rng, uint64_t seed, uint64_t stream);
SOOTH_API uint32_t sooth_rng_next(sooth_rng *rng);                  /* 32 random bits */
SOOTH_API uint32_t sooth_rng_below(sooth_rng *rng, uint32_t bound); /* 0 .. bound-1, unbiased; bound >= 1 */
SOOTH_API float sooth_rng_float(sooth_rng *rng);                    /* multiples of 2^-24 in [0, 1) */
SOOTH_API double sooth_rng_double(sooth_rng *rng);                  /* multiples of 2^-53 in [0, 1) */
/* Shuffles value[0..count) (Fisher-Yates, from the end); count must be below 2^32. */
SOOTH_API void sooth_rng_shuffle(sooth_rng *rng, uint32_t *value, size_t count);

/* ---- table: a view of rows and columns ---- */

/* Bin numbers of the features of a table larger than memory, made by train/blocks.h. Value x of column j is
   in the first bin b with x <= edge[j * bins + b]. A missing value is in bin used[j]. */
typedef struct sooth_bins {
    uint32_t bins;            /* per column, at most */
    const unsigned char *bin; /* cols x rows: column by column */
    const float *edge;        /* cols x bins */
    const float *least;       /* cols x bins: smallest value of each bin */
    const uint32_t *used;     /* cols: bins that hold values */
    /* A bin of a categorical column is a class of levels (tree/columns.h): classes[first[j] + code], 0xFFFF
       if no row of weight above 0 has the code. first: cols + 1 offsets; NULL means no categorical column */
    const uint32_t *first;
    const uint16_t *classes;
} sooth_bins;

typedef struct sooth_table {
    const float *x;           /* features: row i, column j at x[i * stride + j]; NaN is a missing value */
    const float *y;           /* targets: row i, target t at y[i * targets + t]; NULL means none */
    const float *weight;      /* one per row, >= 0; NULL means 1 for every row */
    const uint32_t *group;    /* one per row: rows of one program share a number; NULL means none */
    const char *const *names; /* one per column, for messages and reports; NULL means "column 3" */
    size_t rows;
    size_t cols;
    size_t stride;  /* floats from one row to the next; at least cols */
    size_t targets; /* columns of y */
    /* One per column. 1 marks categorical columns, with codes 0, 1, 2, ... of unordered levels; NaN is
       missing. Trees and boosting split them by sets of levels; every other model refuses them. NULL means
       that all columns are numeric. */
    const uint8_t *categorical;
    const sooth_bins *bins; /* replaces x, which is then NULL (see train/blocks.h); NULL means that x has the
                               features */
    /* One per row: ascending numbers are the order of time, and rows of one time share a number. Intervals,
       best, folds in time and encodings in time then learn from earlier rows. NULL means the order of the
       rows where an order of time is asked for, and none elsewhere. */
    const uint32_t *time;
} sooth_table;

/* Makes a table of features only, with stride cols. Set y and targets, weight, group, names afterwards. */
SOOTH_API void sooth_table_init(sooth_table *table, const float *x, size_t rows, size_t cols);

/* Returns a table of features and one target per row, the usual input of a fit. */
SOOTH_API sooth_table sooth_table_of(const float *x, const float *y, size_t rows, size_t cols);

/* Requirements that a caller passes to sooth_table_check. */
#define SOOTH_TABLE_NEED_TARGETS 1u     /* y is there and finite */
#define SOOTH_TABLE_ALLOW_MISSING 2u    /* x may hold NaN; infinities are always invalid */
#define SOOTH_TABLE_ALLOW_CATEGORIES 4u /* columns may be categorical; their codes are checked */
#define SOOTH_MAX_CATEGORIES 65536u     /* upper bound of codes, exclusive */
#define SOOTH_TABLE_ALLOW_BINS 8u       /* bins may replace x */

/* Returns SOOTH_OK, or SOOTH_BAD_DATA and a message with the row and column. O(rows x (cols + targets)). */
SOOTH_API sooth_status sooth_table_check(sooth_env *env, const sooth_table *table, unsigned needs);

/* Copies the rows row[0..count) of a table into new memory; rows may repeat. Free the copy with
   sooth_table_free. The names are shared with the original. */
SOOTH_API sooth_status sooth_table_take(sooth_env *env, const sooth_table *table, const uint32_t *row,
                                        size_t count, sooth_table *out);
SOOTH_API void sooth_table_free(sooth_env *env, sooth_table *table);

/* ---- options: names, ranges, defaults ---- */

typedef enum sooth_option_type {
    SOOTH_OPTION_COUNT = 0, /* a uint32_t */
    SOOTH_OPTION_NUMBER,    /* a double */
    SOOTH_OPTION_CHOICE,    /* a uint32_t, one of `choices` */
    SOOTH_OPTION_NUMBERS    /* SOOTH_OPTION_MAX_NUMBERS doubles; the first 0 ends the list */
} sooth_option_type;

#define SOOTH_OPTION_MAX_NUMBERS 8u

/* Describes one field of an options struct. Every model has a list of options (sooth_tree_options_list, ...).
   The list is used to check the struct, to set fields by name (`sooth fit --set max_depth=10`), and to print
   the help. */
typedef struct sooth_option {
    char name[24]; /* field name, as in the papers, scikit-learn or XGBoost */
    sooth_option_type type;
    size_t offset;      /* of the field in the struct */
    double least, most; /* range of nonzero values */
    double fallback;    /* value that 0 stands for; 0 if it is not a number (help describes it) */
    char choices[152];  /* "squared|absolute|poisson", the first is the default; "" for the other types */
    /* One line. Texts are stored in the struct, so that a table of options is constant data without
       pointers. */
    char help[104];
    size_t given; /* offset of the uint32_t flag that makes 0 a valid value; 0 means there is none */
} sooth_option;

typedef struct sooth_option_list {
    const sooth_option *option;
    size_t count;
} sooth_option_list;

/* One row of an options table, for field `field` of struct T. FLAG options are 0 or 1. GIVEN options are
   numbers that may be set to 0 with has_field = 1; setting one by name also sets that flag. */
#define SOOTHI_COUNT(T, field, least, most, fallback, help) \
    { #field, SOOTH_OPTION_COUNT, offsetof(T, field), least, most, fallback, "", help, 0 }
#define SOOTHI_NUMBER(T, field, least, most, fallback, help) \
    { #field, SOOTH_OPTION_NUMBER, offsetof(T, field), least, most, fallback, "", help, 0 }
#define SOOTHI_CHOICE(T, field, choices, help) \
    { #field, SOOTH_OPTION_CHOICE, offsetof(T, field), 0, 0, 0, choices, help, 0 }
#define SOOTHI_NUMBERS(T, field, least, most, help) \
    { #field, SOOTH_OPTION_NUMBERS, offsetof(T, field), least, most, 0, "", help, 0 }
#define SOOTHI_FLAG(T, field, help) SOOTHI_COUNT(T, field, 1, 1, 0, help)
#define SOOTHI_GIVEN(T, field, least, most, fallback, help)                               \
    {                                                                                     \
#field, SOOTH_OPTION_NUMBER, offsetof(T, field), least, most, fallback, "", help, \
            offsetof(T, has_##field)                                                      \
    }
#define SOOTHI_OPTIONS(table) soothi_option_list(table, sizeof(table) / sizeof(table)[0])

/* Sets the field called name from text ("10", "0.5", "poisson", "0.5,0.9,0.99"). Returns SOOTH_BAD_ARGUMENT
   and a message with the known names, the range or the choices if that fails. */
SOOTH_API sooth_status sooth_option_set(sooth_env *env, sooth_option_list list, void *options,
                                        const char *name, const char *text);

/* Like sooth_option_set, for text written by a user: a 0 that would select the default is refused, with the
   valid range. */
SOOTH_API sooth_status sooth_option_set_written(sooth_env *env, sooth_option_list list, void *options,
                                                const char *name, const char *text);

/* Returns SOOTH_OK if every field is zero or in its range. */
SOOTH_API sooth_status sooth_option_check(sooth_env *env, sooth_option_list list, const void *options);

/* Returns the effective value: the field, or the default if the field is zero. A choice is its number, a list
   its first number. */
SOOTH_API double sooth_option_value(const sooth_option *option, const void *options);

/* Writes the effective value as text that sooth_option_set reads, at most size - 1 characters and a zero. An
   empty list is 0. Returns the number of characters written. */
SOOTH_API size_t sooth_option_text(const sooth_option *option, const void *options, char *text, size_t size);

#endif /* SOOTH_PREDICT_ONLY */

/* ---- block: the first bytes of every model ---- */

/* All kinds of models: X(name, NAME, number, transform, title, columns, targets). Saving, loading,
   predicting, fitting, describing, the export to C and the `sooth` command are generated from this list.
   - number is stored in files and is never reused.
   - transform is the default feature transform before fitting, a SOOTH_SCALE_ of preprocess/scale.h.
   - columns documents what the features must be; "" means anything.
   - targets is the maximum number of targets that the kind learns at once; 0 means any number.
   A new kind adds its line here and its header to model.h. For a line X(tree, TREE, ...) it also defines:
   - in its own header: SOOTH_TREE_VERSION, the types sooth_tree (which begins with sooth_block head) and
     sooth_tree_options, and the functions sooth_tree_check, _predict, _predict_many, _cost, _fit and
     _options_list, with the arguments that tree.h has;
   - in model/describe.h: its facts, the output of `sooth describe`;
   - in export/models.h: the four functions of its section (see export/writer.h).
   A program with its own kinds defines SOOTH_KIND_EXTRA(X) as more such lines, with numbers from 1,000 on,
   before it includes any header of sooth. It defines their types and functions before it includes model.h.
   SOOTH_KIND_PLAIN is the list without best, whose members have these kinds. */
#define SOOTH_KIND_PLAIN(X)                                               \
    X(linear, LINEAR, 3, NONE, "linear regression", "", 0)                \
    X(tree, TREE, 4, NONE, "regression tree", "", 0)                      \
    X(forest, FOREST, 6, NONE, "random forest", "", 0)                    \
    X(boost, BOOST, 7, NONE, "gradient boosting", "", 0)                  \
    X(mlp, MLP, 8, STANDARD, "neural network", "", 0)                     \
    X(svr, SVR, 9, STANDARD, "support vector regression", "", 1)          \
    X(sofnn, SOFNN, 10, STANDARD, "self-organising fuzzy network", "", 0) \
    X(gauss, GAUSS, 11, STANDARD, "Gaussian process", "", 1)              \
    X(scaling, SCALING, 20, NONE, "law of threads and frequency", "threads, frequency, speed", 1)
#define SOOTH_KIND_LIST(X)                              \
    SOOTH_KIND_PLAIN(X)                                 \
    X(best, BEST, 21, NONE, "average of models", "", 1) \
    SOOTH_KIND_EXTRA(X)
#ifndef SOOTH_KIND_EXTRA
#define SOOTH_KIND_EXTRA(X)
#endif

/* Numbers of the kinds of blocks; they are never reused. */
typedef enum sooth_kind {
    SOOTH_KIND_MODEL = 1, /* an envelope: transforms, a predictor, its card (model.h) */
    SOOTH_KIND_SCALE = 2,
    SOOTH_KIND_CARD = 5,
    SOOTH_KIND_CONFORMAL = 12,   /* an interval around predictions (conformal.h) */
    SOOTH_KIND_ADAPT = 13,       /* residual statistics of programs (adapt.h) */
    SOOTH_KIND_INTEGERS = 14,    /* trees in integer arithmetic (export/integers.h) */
    SOOTH_KIND_ENCODE = 15,      /* target statistics of category levels (preprocess/encode.h) */
    SOOTH_KIND_PROBABILITY = 16, /* maps scores to probabilities (model/probability.h) */
    SOOTH_KIND_LEVELS = 17,      /* names of levels and their original values (preprocess/levels.h) */
    SOOTH_KIND_ORIGIN = 18,      /* what is subtracted from columns, around a model (model/origin.h) */
    SOOTH_KIND_RATIO = 19,       /* a sum of columns that predictions are multiplied by (model/ratio.h) */
#define SOOTHI_ITEM(name, NAME, number, transform, title, columns, targets) SOOTH_KIND_##NAME = number,
    SOOTH_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
} sooth_kind;

#define SOOTH_BLOCK_MAGIC 0x48544F53u /* the bytes "SOTH" */

/* A block has identical bytes in memory, in a file on disk and as a constant in flash. They hold no pointers,
   are little-endian, and all sizes and offsets are multiples of 16. A block has three regions in this order:
   32-bit words (the struct itself and arrays of uint32_t and float), doubles, bytes. A big-endian host can
   therefore swap the bytes of any kind without knowing its layout. */
typedef struct sooth_block {
    uint32_t magic;
    uint32_t kind;       /* kind + 65536 x format version of that kind */
    uint32_t size;       /* total bytes, including this header */
    uint32_t checksum;   /* over all bytes, with this field as 0 */
    uint32_t doubles_at; /* offset of the region of doubles */
    uint32_t bytes_at;   /* offset of the region of bytes */
    uint32_t features;   /* columns that a row must have */
    uint32_t targets;    /* numbers in a prediction */
} sooth_block;

/* Returns true if bytes[0..size) begin with a valid block of this kind and version. Checks magic, alignment,
   sizes, regions and checksum in one pass; the kind's own check validates the arrays inside. A checked model
   may come from anyone: sooth_X_check or sooth_model_load must have accepted the bytes. Then every function
   that takes a const model of that kind reads only within it and terminates. This holds even if an attacker
   wrote the model and its checksum. The predictions are as trustworthy as the author. tests/README.md
   documents the trust boundaries of other inputs. */
SOOTH_API int sooth_block_check(const void *bytes, size_t size, sooth_kind kind, uint32_t version);

/* Worst-case cost of one prediction, so that firmware can budget for it. */
typedef struct sooth_cost {
    size_t bytes;         /* of the model */
    uint32_t comparisons; /* comparisons of a feature with a threshold */
    uint32_t multiply_adds;
    uint32_t functions; /* calls of exp, log, tanh */
} sooth_cost;

SOOTHI_C_END
#endif /* SOOTH_BASE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_BASE_IMPLEMENTED)
#define SOOTH_BASE_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- block ---- */

SOOTHI_LOCAL uint32_t soothi_bits(float v) {
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

/* Returns true if all values are finite. NaN and infinities have an exponent of all ones, which overflows if
   one is added. */
SOOTHI_LOCAL int soothi_all_finite(const float *value, size_t count) {
    uint32_t over = 0;
    for (; count >= 16; count -= 16, value += 16)
        for (size_t k = 0; k < 16; ++k) over |= (soothi_bits(value[k]) & 0x7F800000u) + 0x00800000u;
    for (size_t k = 0; k < count; ++k) over |= (soothi_bits(value[k]) & 0x7F800000u) + 0x00800000u;
    return over < 0x80000000u;
}

SOOTHI_LOCAL float soothi_of_bits(uint32_t bits) {
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

#define SOOTHI_INFINITE_BITS 0x7F800000u
#define SOOTHI_MISSING_BITS 0x7FC00000u /* a NaN */

/* Returns the NaN that marks missing values; the library uses only this one. */
SOOTHI_LOCAL float soothi_missing(void) { return soothi_of_bits(SOOTHI_MISSING_BITS); }
SOOTHI_LOCAL int soothi_is_missing(float v) { return !(v <= v); }

SOOTHI_LOCAL double soothi_abs(double x) { return x < 0.0 ? -x : x; }

/* Rounds up to a multiple of 16 bytes, the alignment of regions and blocks. */
SOOTHI_LOCAL size_t soothi_round16(size_t size) { return (size + 15u) & ~(size_t)15u; }

/* Rotates left; 0 < n < 32. */
SOOTHI_LOCAL uint32_t soothi_rotate(uint32_t v, unsigned n) { return (v << n) | (v >> (32u - n)); }

/* Computes a checksum of size bytes (a multiple of 16) in four lanes of little-endian 32-bit words. Each step
   is a bijection of its lane for a given word, and of the word for a given lane. The final mix is a bijection
   of each lane, too. A change within one word is therefore always detected, any other change with probability
   1 - 2^-32. The word at byte 12, the checksum itself, counts as zero. */
SOOTHI_LOCAL uint32_t soothi_checksum(const unsigned char *bytes, size_t size) {
    uint32_t lane[4] = {0x9E3779B9u, 0x85EBCA6Bu, 0xC2B2AE35u, 0x27D4EB2Fu};
    uint32_t sum = (uint32_t)size;
    for (size_t at = 0; at < size; at += 16) {
        for (unsigned k = 0; k < 4; ++k) {
            const unsigned char *b = bytes + at + 4u * k;
            uint32_t word =
                (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
            if (at + 4u * k == 12) word = 0;
            lane[k] = soothi_rotate(lane[k] ^ word, 13) * 0x9E3779B1u;
        }
    }
    for (unsigned k = 0; k < 4; ++k) sum = soothi_rotate(sum ^ lane[k], 17) * 0x85EBCA77u;
    return sum ^ (sum >> 15);
}

/* Alignment of a double inside a struct, which the address of a block must have. */
typedef struct soothi_align {
    char c;
    double d;
} soothi_align;

/* Returns true if the header, in the byte order of this host, describes a block that ends within `size`
   bytes. Does not test the checksum. */
SOOTHI_LOCAL int soothi_block_header_valid(const sooth_block *head, size_t size) {
    return head->magic == SOOTH_BLOCK_MAGIC && head->size <= size && head->size % 16 == 0 &&
           head->doubles_at % 16 == 0 && head->bytes_at % 16 == 0 && head->doubles_at >= sizeof *head &&
           head->doubles_at <= head->bytes_at && head->bytes_at <= head->size;
}

SOOTH_API int sooth_block_check(const void *bytes, size_t size, sooth_kind kind, uint32_t version) {
    sooth_block head;
    if (!bytes || size < sizeof head || (uintptr_t)bytes % offsetof(soothi_align, d) != 0) return 0;
    memcpy(&head, bytes, sizeof head);
    return soothi_block_header_valid(&head, size) && head.kind == ((uint32_t)kind | version << 16) &&
           head.checksum == soothi_checksum((const unsigned char *)bytes, head.size);
}

SOOTHI_LOCAL int soothi_same_text(const char *a, const char *b) {
    for (; *a && *a == *b; ++b) ++a;
    return *a == *b;
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- status ---- */

SOOTHI_LOCAL const char *soothi_status_string(sooth_status status, int by_name) {
    switch (status) {
#define SOOTHI_ITEM(name, text) \
    case name: return by_name ? #name : text;
        SOOTH_STATUS_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    case SOOTH_STATUS_COUNT: break;
    }
    return "(unknown status)";
}

SOOTH_API const char *sooth_status_name(sooth_status status) { return soothi_status_string(status, 1); }
SOOTH_API const char *sooth_status_text(sooth_status status) { return soothi_status_string(status, 0); }

/* ---- env ---- */

SOOTH_API void sooth_env_init(sooth_env *env) { memset(env, 0, sizeof *env); }

SOOTH_API sooth_status sooth_fail(sooth_env *env, sooth_status status, const char *format, ...) {
    if (env) {
        va_list list;
        va_start(list, format);
        soothi_text_format(env->sentence, sizeof env->sentence, format, list);
        va_end(list);
    }
    return status;
}

/* Returns a * b, or SIZE_MAX on overflow. An allocation of SIZE_MAX then fails as it should. */
SOOTHI_LOCAL size_t soothi_product(size_t a, size_t b) { return b && a > SIZE_MAX / b ? SIZE_MAX : a * b; }

SOOTH_API void *sooth_alloc(sooth_env *env, size_t count, size_t size) {
    size_t bytes = soothi_product(count ? count : 1, size);
    if (bytes > SIZE_MAX / 2) return NULL;
    return env && env->alloc_fn ? env->alloc_fn(env->alloc_user, bytes) : malloc(bytes);
}

SOOTH_API void sooth_free(sooth_env *env, void *memory, size_t count, size_t size) {
    if (!memory) return;
    if (env && env->alloc_fn) {
        if (env->free_fn) env->free_fn(env->alloc_user, memory, (count ? count : 1) * size);
    } else {
        free(memory);
    }
}

SOOTH_API sooth_status sooth_no_memory(sooth_env *env, const char *what, size_t bytes) {
    return sooth_fail(env, SOOTH_NO_MEMORY, "no memory for %s (%z bytes)", what, bytes);
}

/* Runs count tasks on the host's threads, or one after the other. */
SOOTHI_LOCAL void soothi_parallel(sooth_env *env, size_t count, sooth_task *task, void *arg) {
    if (env && env->parallel_fn && count > 1) {
        env->parallel_fn(env->parallel_user, count, task, arg);
    } else {
        for (size_t i = 0; i < count; ++i) task(arg, i, 0);
    }
}

SOOTHI_LOCAL size_t soothi_workers(const sooth_env *env) {
    return env && env->parallel_fn && env->workers > 1 ? env->workers : 1;
}

/* Reports progress. Returns SOOTH_CANCELLED if the host cancels the call. */
SOOTHI_LOCAL sooth_status soothi_progress(sooth_env *env, const char *stage, double done) {
    if (env && env->progress_fn && env->progress_fn(env->progress_user, stage, done) != 0)
        return sooth_fail(env, SOOTH_CANCELLED, "%s was cancelled", stage);
    return SOOTH_OK;
}

/* True if the host wants the losses. Losses that need a pass over the rows are computed only then. */
SOOTHI_LOCAL int soothi_wants_loss(const sooth_env *env) { return env && env->loss_fn; }

/* Reports the losses after a step to the host. */
SOOTHI_LOCAL void soothi_report_loss(sooth_env *env, const char *stage, size_t step, double loss,
                                     double validation) {
    if (soothi_wants_loss(env)) env->loss_fn(env->loss_user, stage, step, loss, validation);
}

/* ---- arena ---- */

/* Returns the offset of the next piece after byte `end`: the next multiple of 16, or the end of the
   memory. */
SOOTHI_LOCAL size_t soothi_arena_next(const sooth_arena *arena, size_t end) {
    size_t next = end + (16u - (size_t)((uintptr_t)(arena->memory + end) % 16u)) % 16u;
    return next < arena->size ? next : arena->size;
}

SOOTHI_LOCAL void *soothi_arena_alloc(void *user, size_t size) {
    sooth_arena *arena = (sooth_arena *)user;
    size_t start = soothi_arena_next(arena, arena->used);
    if (size > arena->size - start) return NULL;
    if (start + size > arena->peak) arena->peak = start + size;
    arena->used = soothi_arena_next(arena, start + size);
    return arena->memory + start;
}

SOOTHI_LOCAL void soothi_arena_free(void *user, void *memory, size_t size) {
    sooth_arena *arena = (sooth_arena *)user;
    size_t start = (size_t)((unsigned char *)memory - arena->memory);
    if (soothi_arena_next(arena, start + size) == arena->used) arena->used = start;
}

SOOTH_API void sooth_arena_init(sooth_env *env, sooth_arena *arena, void *memory, size_t size) {
    arena->memory = (unsigned char *)memory;
    arena->size = size;
    arena->used = arena->peak = 0;
    env->alloc_fn = soothi_arena_alloc;
    env->free_fn = soothi_arena_free;
    env->alloc_user = arena;
}

SOOTH_API void sooth_arena_reset(sooth_arena *arena) { arena->used = 0; }

/* ---- random numbers ---- */

SOOTHI_LOCAL void soothi_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3], k0 = key[0], k1 = key[1];
    for (unsigned round = 0; round < 10; ++round) {
        uint64_t a = (uint64_t)0xD2511F53u * c0, b = (uint64_t)0xCD9E8D57u * c2;
        c0 = (uint32_t)(b >> 32) ^ c1 ^ k0;
        c2 = (uint32_t)(a >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)b;
        c3 = (uint32_t)a;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

SOOTH_API void sooth_rng_init(sooth_rng *rng, uint64_t seed, uint64_t stream) {
    memset(rng, 0, sizeof *rng);
    rng->key[0] = (uint32_t)seed;
    rng->key[1] = (uint32_t)(seed >> 32);
    rng->counter[2] = (uint32_t)stream;
    rng->counter[3] = (uint32_t)(stream >> 32);
}

SOOTHI_HOT uint32_t soothi_rng_next(sooth_rng *rng) {
    if (rng->left == 0) {
        soothi_philox(rng->counter, rng->key, rng->word);
        if (++rng->counter[0] == 0) ++rng->counter[1];
        rng->left = 4;
    }
    return rng->word[4u - rng->left--];
}

SOOTH_API uint32_t sooth_rng_next(sooth_rng *rng) { return soothi_rng_next(rng); }

/* Lemire's multiplication with rejection (ACM TOMACS 29(1), 2019): the high word of next * bound. */
SOOTH_API uint32_t sooth_rng_below(sooth_rng *rng, uint32_t bound) {
    uint64_t m = (uint64_t)sooth_rng_next(rng) * bound;
    if ((uint32_t)m < bound) {
        uint32_t least = (0u - bound) % bound;
        while ((uint32_t)m < least) m = (uint64_t)sooth_rng_next(rng) * bound;
    }
    return (uint32_t)(m >> 32);
}

SOOTH_API float sooth_rng_float(sooth_rng *rng) {
    return (float)(sooth_rng_next(rng) >> 8) * (1.0f / 16777216.0f);
}

SOOTH_API double sooth_rng_double(sooth_rng *rng) {
    uint32_t high = sooth_rng_next(rng) >> 5, low = sooth_rng_next(rng) >> 6;
    return ((double)high * 67108864.0 + (double)low) * (1.0 / 9007199254740992.0);
}

SOOTH_API void sooth_rng_shuffle(sooth_rng *rng, uint32_t *value, size_t count) {
    for (size_t i = count; i > 1; --i) {
        size_t j = sooth_rng_below(rng, (uint32_t)i);
        uint32_t t = value[i - 1];
        value[i - 1] = value[j];
        value[j] = t;
    }
}

/* ---- one piece of memory for many arrays ---- */

/* A layout is a function that carves its arrays in order. With memory NULL it only measures the bytes needed
   (`used`). With memory of that size it assigns the arrays. One function does both, so the size always
   matches. */
typedef struct soothi_carver {
    unsigned char *memory;
    size_t used;
} soothi_carver;

/* Carves count items of size bytes at a multiple of 16. If the product overflows, `used` becomes larger than
   any allocator can serve. */
SOOTHI_LOCAL void *soothi_carve(soothi_carver *c, size_t count, size_t size) {
    size_t bytes = soothi_product(count, size), at = c->used;
    c->used = bytes > SIZE_MAX / 4 || at > SIZE_MAX / 4 ? SIZE_MAX / 2 : at + soothi_round16(bytes);
    return c->memory ? c->memory + at : NULL;
}

/* ---- table ---- */

SOOTH_API void sooth_table_init(sooth_table *table, const float *x, size_t rows, size_t cols) {
    *table = sooth_table_of(x, NULL, rows, cols);
    table->targets = 0;
}

SOOTH_API sooth_table sooth_table_of(const float *x, const float *y, size_t rows, size_t cols) {
    const sooth_table table = {x, y, NULL, NULL, NULL, rows, cols, cols, 1, NULL, NULL, NULL};
    return table;
}

/* v - v is 0 for finite v, NaN for the rest. */
SOOTHI_LOCAL int soothi_finite(double v) { return v - v <= 0.0; }
SOOTHI_LOCAL int soothi_nan(double v) { return !(v <= v); }

/* Returns the name of column j for messages: its name, or "column 3" written into buffer. */
SOOTHI_LOCAL const char *soothi_column(const sooth_table *table, size_t j, char buffer[32]) {
    if (table->names && table->names[j]) return table->names[j];
    sooth_text_format(buffer, 32, "column %z", j + 1);
    return buffer;
}

/* Checks that weights are finite, not negative and not all 0. NULL means that there are none. */
SOOTHI_LOCAL sooth_status soothi_weights_check(sooth_env *env, const float *weight, size_t rows) {
    double sum = 0.0;
    for (size_t i = 0; weight && i < rows; ++i) {
        double w = (double)weight[i];
        if (!soothi_finite(w) || w < 0.0)
            return sooth_fail(env, SOOTH_BAD_DATA,
                              "row %z has the weight %g, but weights must be finite and not negative", i + 1,
                              w);
        sum += w;
    }
    return !weight || sum > 0.0 ? SOOTH_OK : sooth_fail(env, SOOTH_BAD_DATA, "all weights are zero");
}

/* Checks that categorical columns are allowed and that their codes are integers in range. */
SOOTHI_LOCAL sooth_status soothi_table_check_categories(sooth_env *env, const sooth_table *table,
                                                        unsigned needs) {
    char buffer[32];
    for (size_t j = 0; table->categorical && j < table->cols; ++j) {
        if (!table->categorical[j]) continue;
        if (!(needs & SOOTH_TABLE_ALLOW_CATEGORIES))
            return sooth_fail(
                env, SOOTH_BAD_DATA,
                "%s is categorical, which only trees, forests and boosting support; encode it as "
                "numbers first (preprocess.h)",
                soothi_column(table, j, buffer));
        if (table->bins && !table->bins->first)
            return sooth_fail(env, SOOTH_BAD_DATA, "%s is categorical, but its bins are not those of classes",
                              soothi_column(table, j, buffer));
        for (size_t i = 0; table->x && i < table->rows; ++i) {
            const float v = table->x[i * table->stride + j];
            if (soothi_nan((double)v)) continue;
            if (!(v >= 0.0f && v < (float)SOOTH_MAX_CATEGORIES) || (float)(uint32_t)v < v)
                return sooth_fail(env, SOOTH_BAD_DATA,
                                  "row %z has %g in %s, but categories must be integers from 0 to %u", i + 1,
                                  (double)v, soothi_column(table, j, buffer), SOOTH_MAX_CATEGORIES - 1u);
        }
    }
    return SOOTH_OK;
}

/* Returns the index, in row-major order, of the first invalid value in the rows from..end. Returns end x
   columns if all are valid. */
SOOTHI_LOCAL size_t soothi_table_first_bad(const sooth_table *table, unsigned needs, size_t from,
                                           size_t end) {
    /* contiguous rows are tested in runs */
    const size_t run = table->stride == table->cols && table->cols < 128 ? 128 / table->cols : 1;
    for (size_t i = from, next; i < end; i = next) {
        next = end - i < run ? end : i + run;
        if (soothi_all_finite(table->x + i * table->stride, (next - i) * table->cols)) continue;
        for (size_t k = i * table->cols; k < next * table->cols; ++k) {
            const double v = (double)table->x[k / table->cols * table->stride + k % table->cols];
            if (soothi_finite(v) || ((needs & SOOTH_TABLE_ALLOW_MISSING) && soothi_nan(v))) continue;
            return k;
        }
    }
    return end * table->cols;
}

/* Like soothi_table_first_bad, for all rows. */
SOOTHI_LOCAL size_t soothi_table_find_bad(sooth_env *env, const sooth_table *table, unsigned needs) {
    (void)env;
    return soothi_table_first_bad(table, needs, 0, table->rows);
}

/* Implements sooth_table_check; find_bad scans the values. */
SOOTHI_LOCAL sooth_status soothi_table_check_by(sooth_env *env, const sooth_table *table, unsigned needs,
                                                size_t (*find_bad)(sooth_env *env, const sooth_table *table,
                                                                   unsigned needs)) {
    char buffer[32];
    if (table && table->bins && !(needs & SOOTH_TABLE_ALLOW_BINS))
        return sooth_fail(env, SOOTH_BAD_DATA,
                          "the table has bins instead of values, which only trees grown from histograms "
                          "support");
    if (!table || !(table->x || table->bins) || table->rows == 0 || table->cols == 0)
        return sooth_fail(env, SOOTH_BAD_DATA, "the table is empty: %z rows, %z columns",
                          table ? table->rows : 0, table ? table->cols : 0);
    if (table->rows > UINT32_MAX / 2 || table->cols > UINT32_MAX / 2)
        return sooth_fail(env, SOOTH_BAD_DATA,
                          "the table has %z rows and %z columns, but each must be below 2^31", table->rows,
                          table->cols);
    if (table->stride < table->cols)
        return sooth_fail(env, SOOTH_BAD_DATA,
                          "the stride is %z, but must be at least the number of columns, %z", table->stride,
                          table->cols);
    if ((needs & SOOTH_TABLE_NEED_TARGETS) && (!table->y || table->targets == 0))
        return sooth_fail(env, SOOTH_BAD_DATA, "the table has no targets");
    if (soothi_product(soothi_product(table->rows, table->stride), sizeof(float)) > SIZE_MAX / 2 ||
        soothi_product(soothi_product(table->rows, table->targets), sizeof(float)) > SIZE_MAX / 2)
        return sooth_fail(env, SOOTH_BAD_DATA, "the table is larger than the address space");
    const size_t numbers = table->rows * table->cols;
    const size_t bad = table->x ? find_bad(env, table, needs) : numbers;
    if (bad < numbers) {
        const double v = (double)table->x[bad / table->cols * table->stride + bad % table->cols];
        return sooth_fail(env, SOOTH_BAD_DATA, "row %z has %s in %s", bad / table->cols + 1,
                          soothi_nan(v) ? "a missing value" : "an infinite value",
                          soothi_column(table, bad % table->cols, buffer));
    }
    if ((needs & SOOTH_TABLE_NEED_TARGETS) && !soothi_all_finite(table->y, table->rows * table->targets)) {
        size_t i = 0;
        while (soothi_finite((double)table->y[i])) ++i;
        return sooth_fail(env, SOOTH_BAD_DATA, "row %z has no finite target", i / table->targets + 1);
    }
    const sooth_status status = soothi_table_check_categories(env, table, needs);
    return status == SOOTH_OK ? soothi_weights_check(env, table->weight, table->rows) : status;
}

SOOTH_API sooth_status sooth_table_check(sooth_env *env, const sooth_table *table, unsigned needs) {
    return soothi_table_check_by(env, table, needs, soothi_table_find_bad);
}

/* Returns the floats in the one piece of memory that holds x, y, weight, group and time in this order. */
SOOTHI_LOCAL size_t soothi_table_words(const sooth_table *table) {
    size_t per_row = table->cols + (table->y ? table->targets : 0) + (table->weight ? 1u : 0u) +
                     (table->group ? 1u : 0u) + (table->time ? 1u : 0u);
    return soothi_product(table->rows, per_row);
}

SOOTH_API sooth_status sooth_table_take(sooth_env *env, const sooth_table *table, const uint32_t *row,
                                        size_t count, sooth_table *out) {
    if (table->bins) {
        sooth_table_init(out, NULL, 0, 0);
        return sooth_table_check(env, table, 0); /* fails */
    }
    *out = *table;
    out->rows = count;
    out->stride = table->cols;
    size_t words = soothi_table_words(out);
    float *x = (float *)sooth_alloc(env, words, sizeof(float));
    if (!x) {
        sooth_table_init(out, NULL, 0, 0);
        return sooth_no_memory(env, "a copy of the rows", soothi_product(words, sizeof(float)));
    }
    float *y = x + count * table->cols;
    float *weight = y + (table->y ? count * table->targets : 0);
    uint32_t *group = (uint32_t *)(void *)(weight + (table->weight ? count : 0));
    uint32_t *time = group + (table->group ? count : 0);
    out->x = x;
    out->y = table->y ? y : NULL;
    out->weight = table->weight ? weight : NULL;
    out->group = table->group ? group : NULL;
    out->time = table->time ? time : NULL;
    for (size_t i = 0; i < count; ++i) {
        memcpy(x + i * table->cols, table->x + row[i] * table->stride, table->cols * sizeof(float));
        if (table->y)
            memcpy(y + i * table->targets, table->y + row[i] * table->targets,
                   table->targets * sizeof(float));
        if (table->weight) weight[i] = table->weight[row[i]];
        if (table->group) group[i] = table->group[row[i]];
        if (table->time) time[i] = table->time[row[i]];
    }
    return SOOTH_OK;
}

SOOTH_API void sooth_table_free(sooth_env *env, sooth_table *table) {
    sooth_free(env, (void *)(uintptr_t)table->x, soothi_table_words(table), sizeof(float));
    sooth_table_init(table, NULL, 0, 0);
}

/* ---- keys and entries: floats in order ---- */

#define SOOTHI_KEY_MISSING 0xFFFFFFFFu /* keys of special values */
#define SOOTHI_KEY_INFINITY 0xFF800000u
#define SOOTHI_KEY_ZERO 0x80000000u

/* Maps floats to unsigned integers in the same order: all bits of negative values are flipped, and the sign
   bit of others. -0 becomes 0; NaN is the largest. */
SOOTHI_LOCAL uint32_t soothi_key(float value) {
    uint32_t bits = soothi_bits(value);
    if (bits << 1 > 0xFF000000u) return SOOTHI_KEY_MISSING;
    if (bits == 0x80000000u) bits = 0;
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

SOOTHI_LOCAL float soothi_key_value(uint32_t key) {
    return soothi_of_bits(key & 0x80000000u ? key & 0x7FFFFFFFu : ~key);
}

/* An entry is key << 32 | row, so sorting entries sorts the rows by their keys. */
SOOTHI_LOCAL uint64_t soothi_entry(float value, size_t row) {
    return (uint64_t)soothi_key(value) << 32 | row;
}
SOOTHI_LOCAL uint32_t soothi_entry_key(uint64_t entry) { return (uint32_t)(entry >> 32); }
SOOTHI_LOCAL uint32_t soothi_entry_row(uint64_t entry) { return (uint32_t)entry; }

/* Replaces counts by their exclusive prefix sums and returns the total. */
SOOTHI_LOCAL uint32_t soothi_running_sum(uint32_t *count, size_t n) {
    uint32_t sum = 0;
    for (size_t i = 0; i < n; ++i) {
        const uint32_t here = count[i];
        count[i] = sum;
        sum += here;
    }
    return sum;
}

/* Sorts list[0..n) by key and keeps the order of equal keys; scratch has n places. Radix sort with three
   digits of 11 bits, skipping digits that all keys share. Short lists use insertion sort. */
SOOTHI_LOCAL void soothi_entry_sort(uint64_t *list, uint64_t *scratch, size_t n) {
    uint32_t count[3][2048];
    uint64_t *from = list, *to = scratch;
    if (n <= 64) {
        for (size_t i = 1, j; i < n; ++i) {
            uint64_t entry = list[i];
            for (j = i; j > 0 && list[j - 1] >> 32 > entry >> 32; --j) list[j] = list[j - 1];
            list[j] = entry;
        }
        return;
    }
    memset(count, 0, sizeof count);
    for (size_t i = 0; i < n; ++i) {
        uint32_t key = soothi_entry_key(list[i]);
        ++count[0][key & 2047];
        ++count[1][key >> 11 & 2047];
        ++count[2][key >> 22];
    }
    for (unsigned digit = 0; digit < 3; ++digit) {
        unsigned shift = 32 + 11 * digit;
        uint32_t *at = count[digit];
        if (at[from[0] >> shift & 2047] == n) continue;
        soothi_running_sum(at, 2048);
        for (size_t i = 0; i < n; ++i) to[at[from[i] >> shift & 2047]++] = from[i];
        to = from;
        from = from == list ? scratch : list;
    }
    if (from != list) memcpy(list, from, n * sizeof *list);
}

/* ---- options ---- */

/* Returns true if `size` characters are equal. (memcmp is not among the functions that a host must
   provide.) */
SOOTHI_LOCAL int soothi_same_chars(const char *a, const char *b, size_t size) {
    for (; size > 0 && *a == *b; ++a, ++b) --size;
    return size == 0;
}

/* Shortens a text for a message: at most 40 bytes, without control characters. */
SOOTHI_LOCAL const char *soothi_brief(char out[48], const char *text) {
    size_t n = 0;
    for (; n < 40 && text[n]; ++n) out[n] = (unsigned char)text[n] < 32 || text[n] == 127 ? ' ' : text[n];
    if (text[n]) {
        while (n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80) --n; /* do not cut a UTF-8 character */
        memcpy(out + n, "...", 3);
        n += 3;
    }
    out[n] = 0;
    return out;
}

/* Returns the option with this name, or NULL. */
SOOTHI_LOCAL const sooth_option *soothi_option_named(sooth_option_list list, const char *name) {
    for (size_t i = 0; i < list.count; ++i)
        if (soothi_same_text(list.option[i].name, name)) return list.option + i;
    return NULL;
}

/* Copies the numbers of a list, which a 0 ends, and returns how many there are. */
SOOTHI_LOCAL size_t soothi_option_numbers(const sooth_option *option, const void *options,
                                          double number[SOOTH_OPTION_MAX_NUMBERS]) {
    const unsigned char *field = (const unsigned char *)options + option->offset;
    size_t n = 0;
    for (; n < SOOTH_OPTION_MAX_NUMBERS; ++n) {
        memcpy(number + n, field + n * sizeof *number, sizeof *number);
        if (number[n] >= 0.0 && number[n] <= 0.0) break;
    }
    return n;
}

/* Returns the raw field; 0 is not replaced by the default. */
SOOTHI_LOCAL double soothi_option_raw(const sooth_option *option, const void *options) {
    const unsigned char *field = (const unsigned char *)options + option->offset;
    double number;
    uint32_t count;
    if (option->type == SOOTH_OPTION_NUMBER || option->type == SOOTH_OPTION_NUMBERS) {
        memcpy(&number, field, sizeof number);
        return number;
    }
    memcpy(&count, field, sizeof count);
    return (double)count;
}

SOOTH_API double sooth_option_value(const sooth_option *option, const void *options) {
    double raw = soothi_option_raw(option, options);
    uint32_t given = 0; /* is 0 a value here? */
    if (option->given) memcpy(&given, (const unsigned char *)options + option->given, sizeof given);
    return given || raw < 0.0 || raw > 0.0 || soothi_nan(raw) ? raw : option->fallback;
}

/* Writes a number into the field; into the first place of a list. */
SOOTHI_LOCAL void soothi_option_put(const sooth_option *option, void *options, double value) {
    unsigned char *field = (unsigned char *)options + option->offset;
    const uint32_t count = value > 0.0 && value <= 4294967295.0 ? (uint32_t)value : 0;
    if (option->type == SOOTH_OPTION_NUMBER || option->type == SOOTH_OPTION_NUMBERS)
        memcpy(field, &value, sizeof value);
    else memcpy(field, &count, sizeof count);
}

/* Replaces zeros by the defaults, so that all fields hold their effective values. */
SOOTHI_LOCAL void soothi_option_fill(sooth_option_list list, void *options) {
    for (size_t i = 0; i < list.count; ++i)
        soothi_option_put(&list.option[i], options, sooth_option_value(&list.option[i], options));
}

/* Copies options (NULL means all zeros) of `size` bytes, checks the copy and fills in the defaults. */
SOOTHI_LOCAL sooth_status soothi_options_resolve(sooth_env *env, sooth_option_list list, const void *options,
                                                 size_t size, void *resolved) {
    memset(resolved, 0, size);
    if (options) memcpy(resolved, options, size);
    const sooth_status status = sooth_option_check(env, list, resolved);
    if (status == SOOTH_OK) soothi_option_fill(list, resolved);
    return status;
}

SOOTHI_LOCAL sooth_option_list soothi_option_list(const sooth_option *option, size_t count) {
    sooth_option_list list = {option, count};
    return list;
}

/* Returns the number of choices in "a|b|c". */
SOOTHI_LOCAL uint32_t soothi_choices(const char *choices) {
    uint32_t n = 1;
    for (; *choices; ++choices) n += *choices == '|';
    return n;
}

/* Copies choice `which` of "a|b|c" into a buffer. */
SOOTHI_LOCAL const char *soothi_choice(const char *choices, uint32_t which, char buffer[32]) {
    size_t n = 0;
    for (; *choices && which; ++choices) which -= *choices == '|';
    for (; *choices && *choices != '|' && n + 1 < 32; ++choices) buffer[n++] = *choices;
    buffer[n] = 0;
    return buffer;
}

SOOTHI_LOCAL sooth_status soothi_option_check_one(sooth_env *env, const sooth_option *option, double raw) {
    if (option->type == SOOTH_OPTION_CHOICE) {
        if (raw < (double)soothi_choices(option->choices)) return SOOTH_OK;
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s is %g, but must be one of %s", option->name, raw,
                          option->choices);
    }
    if ((raw <= 0.0 && raw >= 0.0) || (raw >= option->least && raw <= option->most)) return SOOTH_OK;
    if (!(option->least < option->most)) /* a switch */
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s is %g, but must be 0 or %g", option->name, raw,
                          option->most);
    return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s is %g, but must be between %g and %g", option->name, raw,
                      option->least, option->most);
}

SOOTH_API sooth_status sooth_option_check(sooth_env *env, sooth_option_list list, const void *options) {
    sooth_status status = SOOTH_OK;
    for (size_t i = 0; i < list.count && status == SOOTH_OK; ++i) {
        double number[SOOTH_OPTION_MAX_NUMBERS];
        size_t n = 1;
        if (list.option[i].type == SOOTH_OPTION_NUMBERS)
            n = soothi_option_numbers(&list.option[i], options, number);
        else number[0] = soothi_option_raw(&list.option[i], options);
        for (size_t k = 0; k < n && status == SOOTH_OK; ++k)
            status = soothi_option_check_one(env, &list.option[i], number[k]);
    }
    return status;
}

/* Sets a list from "0.5,0.9,0.99". */
SOOTHI_LOCAL sooth_status soothi_option_set_numbers(sooth_env *env, const sooth_option *option, void *options,
                                                    const char *text) {
    double number[SOOTH_OPTION_MAX_NUMBERS] = {0.0};
    const size_t length = soothi_text_length(text);
    size_t n = 0, at = 0;
    do {
        double value = 0.0;
        size_t end = at;
        while (end < length && text[end] != ',') ++end;
        if (n == SOOTH_OPTION_MAX_NUMBERS || end == at ||
            sooth_text_to_double(text + at, end - at, &value) != end - at || !(value < 0.0 || value > 0.0))
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "%s is \"%s\", but must be 1 to %u numbers other than 0, separated by commas",
                              option->name, text, SOOTH_OPTION_MAX_NUMBERS);
        if (soothi_option_check_one(env, option, value) != SOOTH_OK) return SOOTH_BAD_ARGUMENT;
        number[n++] = value;
        at = end + 1;
    } while (at <= length);
    memcpy((unsigned char *)options + option->offset, number, sizeof number);
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_option_set(sooth_env *env, sooth_option_list list, void *options,
                                        const char *name, const char *text) {
    const sooth_option *option = soothi_option_named(list, name);
    char buffer[32];
    double value = 0.0;
    const size_t length = soothi_text_length(text);
    const uint32_t yes = 1;
    if (!option) {
        char known[SOOTH_ENV_SENTENCE - 64];
        size_t n = 0, i = 0;
        known[0] = 0;
        for (; i < list.count && n + soothi_text_length(list.option[i].name) + 20 < sizeof known; ++i)
            n += sooth_text_format(known + n, sizeof known - n, i ? ", %s" : "%s", list.option[i].name);
        if (i < list.count) sooth_text_format(known + n, sizeof known - n, " and %z more", list.count - i);
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "there is no option %s; the options are %s", name, known);
    }
    if (option->type == SOOTH_OPTION_CHOICE) {
        for (uint32_t choice = 0; choice < soothi_choices(option->choices); ++choice)
            if (soothi_same_text(soothi_choice(option->choices, choice, buffer), text)) {
                soothi_option_put(option, options, (double)choice);
                return SOOTH_OK;
            }
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s is %s, but must be one of %s", name, text,
                          option->choices);
    }
    if (option->type == SOOTH_OPTION_NUMBERS) return soothi_option_set_numbers(env, option, options, text);
    if (length == 0 || sooth_text_to_double(text, length, &value) != length)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s is \"%s\", but must be a number", name, text);
    if (soothi_option_check_one(env, option, value) != SOOTH_OK) return SOOTH_BAD_ARGUMENT;
    if (option->type == SOOTH_OPTION_COUNT && (double)(uint32_t)value < value) /* range checked above */
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s is %g, but must be an integer", name, value);
    soothi_option_put(option, options, value);
    if (option->given) memcpy((unsigned char *)options + option->given, &yes, sizeof yes);
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_option_set_written(sooth_env *env, sooth_option_list list, void *options,
                                                const char *name, const char *text) {
    const sooth_status status = sooth_option_set(env, list, options, name, text);
    const sooth_option *o = soothi_option_named(list, name);
    if (status != SOOTH_OK || o->given || o->type == SOOTH_OPTION_CHOICE ||
        !(soothi_abs(o->fallback) > 0.0) || soothi_abs(soothi_option_raw(o, options)) > 0.0)
        return status;
    if (o->least > 0.0)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s is 0, but must be between %g and %g (default %g)",
                          o->name, o->least, o->most, o->fallback);
    return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s is 0, but must not be 0 (default %g)", o->name,
                      o->fallback);
}

SOOTH_API size_t sooth_option_text(const sooth_option *option, const void *options, char *text, size_t size) {
    double number[SOOTH_OPTION_MAX_NUMBERS];
    char word[SOOTH_TEXT_NUMBER_SIZE];
    size_t n = 0, count = 1;
    number[0] = sooth_option_value(option, options);
    if (option->type == SOOTH_OPTION_CHOICE)
        return sooth_text_format(text, size, "%s", soothi_choice(option->choices, (uint32_t)number[0], word));
    if (option->type == SOOTH_OPTION_NUMBERS) count = soothi_option_numbers(option, options, number);
    for (size_t k = 0; k < count || k == 0; ++k) {
        sooth_text_from_double(word, number[k]);
        n += sooth_text_format(text + n, size - n, k ? ",%s" : "%s", word);
    }
    return n;
}

/* ---- texts of "name = value" lines ---- */

/* Iterates over the lines of a text; a # begins a remark. Zero it except for text and size. */
typedef struct soothi_settings {
    const char *text;
    size_t size, at;
    size_t line; /* current line, from 1 */
    char name[64], value[128];
} soothi_settings;

/* Prepends "line 3: " to the message of env. */
SOOTHI_LOCAL sooth_status soothi_at_line(sooth_env *env, size_t line) {
    char sentence[SOOTH_ENV_SENTENCE];
    if (!env) return SOOTH_BAD_TEXT;
    memcpy(sentence, env->sentence, sizeof sentence);
    return sooth_fail(env, SOOTH_BAD_TEXT, "line %z: %s", line, sentence);
}

/* Copies text[0..size) without the blanks around it. Returns 0 if it does not fit. */
SOOTHI_LOCAL int soothi_trim(const char *text, size_t size, char *to, size_t most) {
    while (size && (text[0] == ' ' || text[0] == '\t')) {
        ++text;
        --size;
    }
    while (size && (text[size - 1] == ' ' || text[size - 1] == '\t' || text[size - 1] == '\r')) --size;
    if (size >= most) return 0;
    memcpy(to, text, size);
    to[size] = 0;
    return 1;
}

/* Reads the next line with a setting into name and value. At the end of the text, name is "". */
SOOTHI_LOCAL sooth_status soothi_settings_next(sooth_env *env, soothi_settings *s) {
    s->name[0] = 0;
    while (s->at < s->size) {
        const char *from = s->text + s->at;
        size_t length = 0, end, equals;
        while (s->at + length < s->size && from[length] != '\n') ++length;
        s->at += length + 1;
        ++s->line;
        for (end = 0; end < length && from[end] != '#' && from[end];) ++end;
        if (end < length && !from[end])
            return sooth_fail(env, SOOTH_BAD_TEXT, "line %z: this is not text: it contains a zero byte",
                              s->line);
        if (soothi_trim(from, end, s->value, sizeof s->value) && !s->value[0]) continue;
        for (equals = 0; equals < end && from[equals] != '=';) ++equals;
        if (equals == end)
            return sooth_fail(env, SOOTH_BAD_TEXT, "line %z: expected \"name = value\"", s->line);
        if (!soothi_trim(from, equals, s->name, sizeof s->name) || !s->name[0])
            return sooth_fail(env, SOOTH_BAD_TEXT, "line %z: the name must have 1 to %z characters", s->line,
                              sizeof s->name - 1);
        if (!soothi_trim(from + equals + 1, end - equals - 1, s->value, sizeof s->value))
            return sooth_fail(env, SOOTH_BAD_TEXT, "line %z: the value of %s has more than %z characters",
                              s->line, s->name, sizeof s->value - 1);
        return SOOTH_OK;
    }
    return SOOTH_OK;
}

/* ---- making blocks ---- */

/* Allocates a zeroed block of the given kind, or returns NULL. The arguments words, doubles and bytes are the
   sizes of its three regions in bytes; words includes the kind's own struct. Fill it and call
   soothi_block_seal. Sizes above 4 GiB fail like missing memory. */
SOOTHI_LOCAL void *soothi_block_new(sooth_env *env, uint32_t kind, uint32_t version, size_t words,
                                    size_t doubles, size_t bytes) {
    const size_t doubles_at = soothi_round16(words), bytes_at = doubles_at + soothi_round16(doubles);
    const size_t size = bytes_at + soothi_round16(bytes);
    if (words > UINT32_MAX / 2 || doubles > UINT32_MAX / 2 || bytes > UINT32_MAX / 2 || size > UINT32_MAX)
        return NULL;
    sooth_block *block = (sooth_block *)sooth_alloc(env, size, 1);
    if (!block) return NULL;
    memset(block, 0, size);
    block->magic = SOOTH_BLOCK_MAGIC;
    block->kind = kind | version << 16;
    block->size = (uint32_t)size;
    block->doubles_at = (uint32_t)doubles_at;
    block->bytes_at = (uint32_t)bytes_at;
    return block;
}

/* Stores the checksum; call it after the last change to the block. */
SOOTHI_LOCAL void soothi_block_seal(sooth_block *block) {
    block->checksum = soothi_checksum((const unsigned char *)block, block->size);
}

SOOTHI_LOCAL void soothi_block_free(sooth_env *env, sooth_block *block) {
    if (block) sooth_free(env, block, block->size, 1);
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */

/* What else belongs to this header. */
#if !defined(SOOTH_BASE_SOURCE_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_BASE_SOURCE_IMPLEMENTED))
#include "base/num.h"
#include "base/source.h"
#endif
