/* base/reduce.h - reductions over processes that each hold some rows of one table.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * If a table is too large for one machine, each process holds some of its rows: first those of process 0,
 * then those of process 1. A fit needs few numbers about the rows of other processes: sums over the rows of a
 * node, the max gradient, the row count. The host provides one function for all reductions, env.reduce_fn,
 * based on MPI_Allreduce or a loop over sockets, for example.
 *
 * All sums here are sums of integers, which do not depend on order or grouping. The bytes of a model
 * therefore do not depend on how the rows are distributed. Floats, texts and rows are sent as bits: every
 * process fills its part of a buffer of zeros, and the sum is the whole.
 *
 * Sums of doubles do depend on the order. soothi_fold cuts the whole table into blocks of 65,536 rows. The
 * result of a block does not depend on which processes hold its rows, and blocks are joined in order. A
 * process whose rows begin within a block continues from the state of the process before it.
 *
 * A process that fails must not leave the others waiting. Failures of a single process (no memory, bad rows,
 * cancelled by the host) end in soothi_agree, which all processes call at the same places. If one fails, all
 * return its status and its message, prefixed with its rank.
 *
 * Fits over rows of several processes use this header; sooth_agree is its public function. A host with MPI
 * provides:
 *
 *     static int reduce(void *user, sooth_reduction what, int64_t *value, size_t count) {
 *         return MPI_Allreduce(MPI_IN_PLACE, value, (int)count, MPI_INT64_T,
 *                              what == SOOTH_REDUCE_MAX ? MPI_MAX : MPI_SUM, *(MPI_Comm *)user);
 *     }
 *
 * examples/hosts/mpi has a complete program.
 *
 * Cost for R processes:
 * - soothi_agree: one reduction of 8 bytes; a failure needs one more of 264.
 * - soothi_reduce_rows: one of 8 R bytes per 1,024 processes.
 * - soothi_fold: these two, one of the results of all blocks, and one each time a block continues in the next
 *   process. That is one in total if each process has 65,536 rows or more, and R - 1 if all processes
 *   together have fewer.
 */
#ifndef SOOTH_BASE_REDUCE_IMPLEMENTED
#include "../base.h"
#endif

#ifndef SOOTH_BASE_REDUCE_H
#define SOOTH_BASE_REDUCE_H
#ifndef SOOTH_PREDICT_ONLY
SOOTHI_C_BEGIN

/* Ends a step in all processes: returns SOOTH_OK if every process passes SOOTH_OK. Otherwise all return the
   status of the first process that failed, and set its message. A process that cannot begin a fit calls it in
   place of the fit, so that the others do not wait. With one process, returns `status`. */
SOOTH_API sooth_status sooth_agree(sooth_env *env, sooth_status status);

SOOTHI_C_END
#endif
#endif /* SOOTH_BASE_REDUCE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_BASE_REDUCE_IMPLEMENTED)
#define SOOTH_BASE_REDUCE_IMPLEMENTED
#ifndef SOOTH_PREDICT_ONLY
SOOTHI_C_BEGIN

#define SOOTHI_REDUCE_SOME ((size_t)1024) /* words sent at once if memory is short */

/* Returns the number of processes; 1 without reduce_fn. */
SOOTHI_LOCAL size_t soothi_ranks(const sooth_env *env) {
    return env && env->reduce_fn && env->ranks > 1 ? env->ranks : 1;
}

/* Returns the index of this process. */
SOOTHI_LOCAL size_t soothi_rank(const sooth_env *env) { return soothi_ranks(env) > 1 ? env->rank : 0; }

/* Replaces value[0..count) by the sums or maxima over all processes; after a failure by 0. */
SOOTHI_LOCAL sooth_status soothi_reduce(sooth_env *env, sooth_reduction what, int64_t *value, size_t count) {
    if (soothi_ranks(env) == 1 || count == 0) return SOOTH_OK;
    if (!env->reduce_fn(env->reduce_user, what, value, count)) return SOOTH_OK;
    memset(value, 0, count * sizeof *value);
    return sooth_fail(env, SOOTH_CANCELLED, "rank %z of %z lost the others", env->rank, env->ranks);
}

/* Replaces range[2 j] and range[2 j + 1], min and max of column j in this process, by those over all
   processes. NaN means no values. */
SOOTHI_LOCAL sooth_status soothi_reduce_ranges(sooth_env *env, float *range, size_t columns) {
    const int64_t none = -((int64_t)1 << 32); /* below every key and its negative */
    int64_t most[SOOTHI_REDUCE_SOME];
    sooth_status status = SOOTH_OK;
    for (size_t from = 0, some; from < 2 * columns && soothi_ranks(env) > 1 && status == SOOTH_OK;
         from += some) {
        some = 2 * columns - from < SOOTHI_REDUCE_SOME ? 2 * columns - from : SOOTHI_REDUCE_SOME;
        for (size_t k = 0; k < some; ++k) {
            const int64_t key = (int64_t)soothi_key(range[from + k]);
            most[k] = soothi_nan((double)range[from + k]) ? none : k % 2 ? key : -key;
        }
        status = soothi_reduce(env, SOOTH_REDUCE_MAX, most, some);
        for (size_t k = 0; k < some; ++k)
            if (most[k] != none) range[from + k] = soothi_key_value((uint32_t)(k % 2 ? most[k] : -most[k]));
    }
    return status;
}

/* Sends the bytes of process `from` to all processes; size is a multiple of 8. */
SOOTHI_LOCAL sooth_status soothi_reduce_share(sooth_env *env, size_t from, int64_t *bytes, size_t size) {
    if (soothi_rank(env) != from) memset(bytes, 0, size);
    return soothi_reduce(env, SOOTH_REDUCE_SUM, bytes, size / sizeof *bytes);
}

/* Computes the number of rows in the processes before this one and in all processes. each[ranks], which may
   be NULL, receives the rows of every process. */
SOOTHI_LOCAL sooth_status soothi_reduce_rows(sooth_env *env, size_t rows, uint64_t *before, uint64_t *all,
                                             uint64_t *each) {
    const size_t ranks = soothi_ranks(env), rank = soothi_rank(env);
    int64_t word[SOOTHI_REDUCE_SOME];
    sooth_status status = SOOTH_OK;
    *before = 0;
    *all = ranks > 1 ? 0 : rows;
    for (size_t from = 0, some; ranks > 1 && from < ranks && status == SOOTH_OK; from += some) {
        some = ranks - from < SOOTHI_REDUCE_SOME ? ranks - from : SOOTHI_REDUCE_SOME;
        for (size_t k = 0; k < some; ++k) word[k] = from + k == rank ? (int64_t)rows : 0;
        status = soothi_reduce(env, SOOTH_REDUCE_SUM, word, some);
        for (size_t k = 0; k < some && status == SOOTH_OK; ++k) {
            if (from + k < rank) *before += (uint64_t)word[k];
            if (each) each[from + k] = (uint64_t)word[k];
            *all += (uint64_t)word[k];
        }
    }
    return status;
}

/* Returns SOOTH_OK if every process passes SOOTH_OK. Otherwise all processes return the failure of the first
   that failed. most[0..count), at most 8 values, become the maxima over all processes in the same reduction.
   They must not be negative and may be infinite: the bits of such doubles are in the order of their
   values. */
SOOTHI_LOCAL sooth_status soothi_agree_most(sooth_env *env, sooth_status status, double *most, size_t count) {
    int64_t first[9], word[SOOTH_ENV_SENTENCE / sizeof(int64_t) + 1];
    char sentence[SOOTH_ENV_SENTENCE];
    const size_t ranks = soothi_ranks(env), rank = soothi_rank(env);
    if (ranks == 1) return status;
    first[0] = status == SOOTH_OK ? 0 : (int64_t)(ranks - rank);
    for (size_t k = 0; k < count; ++k) memcpy(first + 1 + k, most + k, sizeof *first);
    sooth_status reached = soothi_reduce(env, SOOTH_REDUCE_MAX, first, 1 + count);
    for (size_t k = 0; k < count; ++k) memcpy(most + k, first + 1 + k, sizeof *first);
    if (reached != SOOTH_OK || first[0] == 0) return reached;
    word[0] = (int64_t)status;
    memcpy(word + 1, env->sentence, SOOTH_ENV_SENTENCE);
    const size_t failed = ranks - (size_t)first[0];
    reached = soothi_reduce_share(env, failed, word, sizeof word);
    if (reached != SOOTH_OK) return reached;
    memcpy(sentence, word + 1, SOOTH_ENV_SENTENCE);
    sentence[SOOTH_ENV_SENTENCE - 1] = 0;
    return sooth_fail(env, (sooth_status)word[0], "rank %z of %z: %s", failed, ranks, sentence);
}

SOOTHI_LOCAL sooth_status soothi_agree(sooth_env *env, sooth_status status) {
    return soothi_agree_most(env, status, NULL, 0);
}

SOOTH_API sooth_status sooth_agree(sooth_env *env, sooth_status status) { return soothi_agree(env, status); }

/* Returns SOOTH_OK if every process passes the same numbers, at most 4. what names each, for example
   "columns". */
SOOTHI_LOCAL sooth_status soothi_reduce_all_same(sooth_env *env, const uint64_t *number,
                                                 const char *const *what, size_t count) {
    int64_t range[8];
    for (size_t k = 0; k < count; ++k) {
        range[2 * k] = (int64_t)(number[k] >> 1); /* halved, so that its negative fits, too */
        range[2 * k + 1] = -range[2 * k];
    }
    const sooth_status status = soothi_reduce(env, SOOTH_REDUCE_MAX, range, 2 * count);
    for (size_t k = 0; k < count && status == SOOTH_OK; ++k)
        if (range[2 * k] != -range[2 * k + 1])
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the processes have different %s", what[k]);
    return status;
}

/* Returns a hash of the options: different options have different hashes, except by a rare chance. */
SOOTHI_LOCAL uint64_t soothi_reduce_digest(sooth_option_list list, const void *options) {
    uint64_t digest = 0, bits;
    for (size_t k = 0; k < list.count; ++k) {
        const double value = sooth_option_value(&list.option[k], options);
        memcpy(&bits, &value, sizeof bits);
        digest = digest * 0x9E3779B97F4A7C15u + bits;
        if (list.option[k].type != SOOTH_OPTION_NUMBERS) continue;
        double number[SOOTH_OPTION_MAX_NUMBERS];
        const size_t n = soothi_option_numbers(&list.option[k], options, number);
        for (size_t i = 0; i < n; ++i) {
            memcpy(&bits, &number[i], sizeof bits);
            digest = digest * 0x9E3779B97F4A7C15u + bits;
        }
    }
    return digest;
}

SOOTHI_LOCAL sooth_status soothi_reduce_same(sooth_env *env, uint64_t number, const char *what) {
    return soothi_reduce_all_same(env, &number, &what, 1);
}

/* Returns SOOTH_OK if all processes have tables of one form and the same options. */
SOOTHI_LOCAL sooth_status soothi_reduce_same_fit(sooth_env *env, const sooth_table *table, uint64_t digest) {
    const char *const what[4] = {"numbers of columns", "numbers of targets",
                                 "answers to whether rows have weights", "options"};
    uint64_t number[4];
    number[0] = (uint64_t)table->cols << 1;
    number[1] = (table->y ? (uint64_t)table->targets + 1 : 0) << 1;
    number[2] = table->weight ? 2 : 0;
    number[3] = digest;
    return soothi_reduce_all_same(env, number, what, 4);
}

/* ---- all rows in every process ---- */

/* Concatenates value[0..count) of all processes, in their order, into all[0..of_all) in every process. word
   is scratch of of_all / 2 + 1. */
SOOTHI_LOCAL sooth_status soothi_gather_words(sooth_env *env, const uint32_t *value, size_t before,
                                              size_t count, uint32_t *all, size_t of_all, int64_t *word) {
    const size_t words = of_all / 2 + 1;
    memset(word, 0, words * sizeof *word);
    for (size_t k = 0; k < count; ++k) {
        uint32_t half;
        memcpy(&half, value + k, sizeof half);
        word[(before + k) / 2] |= (int64_t)((uint64_t)half << 32 * ((before + k) & 1));
    }
    const sooth_status status = soothi_reduce(env, SOOTH_REDUCE_SUM, word, words);
    for (size_t k = 0; k < of_all && status == SOOTH_OK; ++k) {
        const uint32_t half = (uint32_t)((uint64_t)word[k / 2] >> 32 * (k & 1));
        memcpy(all + k, &half, sizeof half);
    }
    return status;
}

/* Copies the rows of all processes to *whole, for fits that cannot be computed from sums; every process needs
   memory for all rows. Free *whole with sooth_table_free. `alone` is env without the other processes, for
   work on *whole. All processes call this and then soothi_gather_end. All return the same status. */
SOOTHI_LOCAL sooth_status soothi_gather(sooth_env *env, const sooth_table *table, sooth_table *whole,
                                        sooth_env *alone) {
    uint64_t before, all;
    sooth_status status = soothi_reduce_same_fit(env, table, 0);
    *alone = *env;
    alone->reduce_fn = NULL;
    sooth_table_init(whole, NULL, 0, 0);
    if (status == SOOTH_OK) status = soothi_reduce_rows(env, table->rows, &before, &all, NULL);
    if (status != SOOTH_OK) return status;
    const size_t cols = table->cols, targets = table->y ? table->targets : 0;
    const size_t rows = (size_t)all, first = (size_t)before;
    const size_t most = cols > targets ? cols : targets, words = soothi_product(rows, most) / 2 + 1;
    sooth_table full = *table;
    full.rows = rows;
    full.stride = cols;
    full.group = NULL;
    full.categorical = table->categorical;
    float *x = (float *)sooth_alloc(env, soothi_table_words(&full), sizeof *x);
    int64_t *word = (int64_t *)sooth_alloc(env, words, sizeof *word);
    uint32_t *own = (uint32_t *)sooth_alloc(env, soothi_product(table->rows, cols), sizeof *own);
    if (!x || !word || !own)
        status =
            sooth_no_memory(env, "the rows of all processes", soothi_product(rows, 8 * (cols + targets)));
    if (table->bins)
        status = sooth_fail(env, SOOTH_BAD_DATA,
                            "tables of bins are not supported with rows in several processes");
    status = soothi_agree(env, status);
    if (status == SOOTH_OK) {
        full.x = x;
        full.y = targets ? x + rows * cols : NULL;
        full.weight = table->weight ? x + rows * (cols + targets) : NULL;
        for (size_t i = 0; i < table->rows; ++i)
            memcpy(own + i * cols, table->x + i * table->stride, cols * sizeof *own);
        status = soothi_gather_words(env, own, first * cols, table->rows * cols, (uint32_t *)(void *)x,
                                     rows * cols, word);
    }
    if (status == SOOTH_OK && targets)
        status = soothi_gather_words(env, (const uint32_t *)(const void *)table->y, first * targets,
                                     table->rows * targets, (uint32_t *)(void *)(x + rows * cols),
                                     rows * targets, word);
    if (status == SOOTH_OK && table->weight)
        status = soothi_gather_words(env, (const uint32_t *)(const void *)table->weight, first, table->rows,
                                     (uint32_t *)(void *)(x + rows * (cols + targets)), rows, word);
    sooth_free(env, word, words, sizeof *word);
    sooth_free(env, own, soothi_product(table->rows, cols), sizeof *own);
    if (status == SOOTH_OK) *whole = full;
    else sooth_free(env, x, soothi_table_words(&full), sizeof *x);
    return status;
}

/* Frees the rows; returns the common status. */
SOOTHI_LOCAL sooth_status soothi_gather_end(sooth_env *env, sooth_env *alone, sooth_table *whole,
                                            sooth_status status) {
    memcpy(env->sentence, alone->sentence, sizeof env->sentence);
    sooth_table_free(env, whole);
    return soothi_agree(env, status);
}

/* ---- one pass over the rows of all processes ---- */

#define SOOTHI_FOLD_ROWS 65536u /* rows per block */

/* A pass reduces rows to `size` doubles: sums, unless begin and join are given. */
typedef struct soothi_fold {
    size_t size;
    void *arg;
    void (*begin)(void *arg, double *state);                         /* initial state, without rows; NULL
                                                                        means zeros */
    void (*add)(void *arg, double *state, size_t row, size_t count); /* adds local rows, in order */
    void (*join)(void *arg, double *total, const double *state);     /* adds one block; NULL means sums */
} soothi_fold;

/* A pass in progress. */
typedef struct soothi_fold_run {
    sooth_env *env;
    const soothi_fold *fold;
    uint64_t before, end, all; /* range of the rows of this process in the whole table; all rows */
    double *state;             /* of the current block */
    double *tail;              /* of the block that the next process continues */
    double *done;              /* blocks x size: blocks that end in this process, zero bits elsewhere */
    int64_t *word;             /* bits of done for the reduction, or states sent to the next process */
    uint64_t *each;            /* ranks: rows of every process */
} soothi_fold_run;

SOOTHI_LOCAL void soothi_fold_begin(const soothi_fold *f, double *state) {
    if (f->begin) f->begin(f->arg, state);
    for (size_t k = 0; k < f->size && !f->begin; ++k) state[k] = 0.0;
}

SOOTHI_LOCAL void soothi_fold_join(const soothi_fold *f, double *total, const double *state) {
    if (f->join) f->join(f->arg, total, state);
    for (size_t k = 0; k < f->size && !f->join; ++k) total[k] += state[k];
}

/* Adds the rows up to `end`, within one block, and stores the result of the block if it is complete. */
SOOTHI_LOCAL void soothi_fold_part(soothi_fold_run *r, double *state, uint64_t row, uint64_t end) {
    const soothi_fold *f = r->fold;
    f->add(f->arg, state, (size_t)(row - r->before), (size_t)(end - row));
    if (end % SOOTHI_FOLD_ROWS == 0 || end == r->all)
        memcpy(r->done + row / SOOTHI_FOLD_ROWS * f->size, state, f->size * sizeof *state);
}

SOOTHI_LOCAL uint64_t soothi_fold_end(const soothi_fold_run *r, uint64_t row) {
    const uint64_t end = (row / SOOTHI_FOLD_ROWS + 1) * SOOTHI_FOLD_ROWS;
    return end < r->end ? end : r->end;
}

/* Finds the states sent from one process to the next one with rows, in places where a block continues there.
   The state of a process is ready in round 0 if its last block began there. Otherwise it is ready in the
   round after it received its own state. *from and *to are the indices of the states that this process
   receives and sends in a round; SIZE_MAX means none. Returns the number of states sent. */
SOOTHI_LOCAL size_t soothi_fold_links(const soothi_fold_run *r, size_t round, size_t *from, size_t *to) {
    const size_t ranks = soothi_ranks(r->env), rank = soothi_rank(r->env);
    size_t count = 0, ready = 0, giver = 0;
    uint64_t row = 0;
    *from = *to = SIZE_MAX;
    for (size_t k = 0; k < ranks; ++k) {
        if (r->each[k] == 0) continue;
        if (row % SOOTHI_FOLD_ROWS != 0 && ready == round) {
            if (giver == rank) *to = count;
            if (k == rank) *from = count;
            ++count;
        }
        giver = k;
        ready = (row + r->each[k] - 1) / SOOTHI_FOLD_ROWS * SOOTHI_FOLD_ROWS >= row ? 0 : ready + 1;
        row += r->each[k];
    }
    return count;
}

/* Processes all rows of all processes: first the blocks that begin locally, in parallel, then those that
   began elsewhere, one process after the other. */
SOOTHI_LOCAL sooth_status soothi_fold_shared(soothi_fold_run *r, double *total) {
    const soothi_fold *f = r->fold;
    const uint64_t blocks = (r->all + SOOTHI_FOLD_ROWS - 1) / SOOTHI_FOLD_ROWS;
    const size_t words = (size_t)blocks * f->size, size = f->size * sizeof *r->state;
    const int joins = r->before % SOOTHI_FOLD_ROWS != 0 && r->before < r->end; /* a block begun by others */
    const uint64_t first = joins ? soothi_fold_end(r, r->before) : r->before;
    sooth_status status = SOOTH_OK;
    for (uint64_t row = first; row < r->end; row = soothi_fold_end(r, row)) {
        soothi_fold_begin(f, r->tail);
        soothi_fold_part(r, r->tail, row, soothi_fold_end(r, row));
    }
    for (size_t round = 0, from, to, count; status == SOOTH_OK; ++round) {
        if ((count = soothi_fold_links(r, round, &from, &to)) == 0) break;
        memset(r->word, 0, count * size);
        if (to != SIZE_MAX) memcpy(r->word + to * f->size, first < r->end ? r->tail : r->state, size);
        status = soothi_reduce(r->env, SOOTH_REDUCE_SUM, r->word, count * f->size);
        if (from == SIZE_MAX || status != SOOTH_OK) continue;
        memcpy(r->state, r->word + from * f->size, size);
        soothi_fold_part(r, r->state, r->before, first);
    }
    if (status != SOOTH_OK) return status;
    memcpy(r->word, r->done, words * sizeof *r->done);
    status = soothi_reduce(r->env, SOOTH_REDUCE_SUM, r->word, words);
    memcpy(r->done, r->word, words * sizeof *r->done);
    memcpy(total, r->done, f->size * sizeof *total);
    for (uint64_t b = 1; b < blocks; ++b) soothi_fold_join(f, total, r->done + b * f->size);
    return status;
}

/* Like soothi_fold_shared for a single process, for rows that may arrive in several parts: `row` rows came
   before, and `count` more are rows 0 to count for f->add. */
SOOTHI_LOCAL void soothi_fold_feed(const soothi_fold *f, double *total, uint64_t row, size_t count) {
    for (size_t at = 0; at < count;) {
        const uint64_t left = SOOTHI_FOLD_ROWS - row % SOOTHI_FOLD_ROWS;
        const size_t some = count - at < left ? count - at : (size_t)left;
        double *state = row < SOOTHI_FOLD_ROWS ? total : total + f->size;
        if (row % SOOTHI_FOLD_ROWS == 0) soothi_fold_begin(f, state);
        f->add(f->arg, state, at, some);
        at += some;
        row += some;
        if (row > SOOTHI_FOLD_ROWS && row % SOOTHI_FOLD_ROWS == 0) soothi_fold_join(f, total, state);
    }
}

/* Completes a pass of `rows` rows. */
SOOTHI_LOCAL void soothi_fold_finish(const soothi_fold *f, double *total, uint64_t rows) {
    if (rows > SOOTHI_FOLD_ROWS && rows % SOOTHI_FOLD_ROWS) soothi_fold_join(f, total, total + f->size);
}

/* Lays out the memory of a pass: states and words. */
SOOTHI_LOCAL sooth_status soothi_fold_open(soothi_fold_run *r, soothi_carver *m) {
    const soothi_fold *f = r->fold;
    const size_t blocks = (size_t)((r->all + SOOTHI_FOLD_ROWS - 1) / SOOTHI_FOLD_ROWS);
    size_t from, to, sent = soothi_fold_links(r, 0, &from, &to); /* later rounds have fewer */
    if (sent < blocks) sent = blocks;
    for (unsigned pass = 0; pass < 2; ++pass) {
        m->used = 0;
        r->state = (double *)soothi_carve(m, f->size, sizeof(double));
        r->tail = (double *)soothi_carve(m, f->size, sizeof(double));
        r->done = (double *)soothi_carve(m, soothi_product(blocks, f->size), sizeof(double));
        r->word = (int64_t *)soothi_carve(m, soothi_product(sent, f->size), sizeof(int64_t));
        if (pass == 0 && !(m->memory = (unsigned char *)sooth_alloc(r->env, m->used, 1)))
            return sooth_no_memory(r->env, "sums over blocks of rows", m->used);
    }
    memset(r->done, 0, blocks * f->size * sizeof *r->done);
    return SOOTH_OK;
}

/* Computes total[0..size), the fold over the rows of all processes. This process has `rows` rows, and all
   processes together have one or more. The array total holds 2 size doubles. own is the status of this
   process; a failure becomes the failure of all. All processes call it, and all return the same status. A
   single process allocates nothing and fails only if `own` is a failure. */
SOOTHI_LOCAL sooth_status soothi_fold_rows(sooth_env *env, const soothi_fold *f, size_t rows,
                                           sooth_status own, double *total) {
    const size_t ranks = soothi_ranks(env);
    soothi_fold_run r = {env, f, 0, rows, rows, NULL, NULL, NULL, NULL, NULL};
    soothi_carver m = {NULL, 0};
    if (ranks == 1 && own == SOOTH_OK) {
        soothi_fold_feed(f, total, 0, rows);
        soothi_fold_finish(f, total, rows);
    }
    if (ranks == 1) return own;
    r.each = (uint64_t *)sooth_alloc(env, ranks, sizeof *r.each);
    if (!r.each && own == SOOTH_OK) own = sooth_no_memory(env, "the rows of each process", 8 * ranks);
    sooth_status status = soothi_reduce_rows(env, rows, &r.before, &r.all, r.each);
    r.end = r.before + rows;
    if (status == SOOTH_OK) {
        if (own == SOOTH_OK) own = soothi_fold_open(&r, &m);
        status = soothi_agree(env, own);
    }
    if (status == SOOTH_OK) status = soothi_fold_shared(&r, total);
    sooth_free(env, m.memory, m.used, 1);
    sooth_free(env, r.each, ranks, sizeof *r.each);
    return status;
}

SOOTHI_C_END
#endif /* SOOTH_PREDICT_ONLY */
#endif /* SOOTH_IMPLEMENTATION */
