/* reduce.h - one table in the hands of several processes: what they must tell each other.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Where a table is too large for one machine each process holds some of its rows: those of process 0 come
 * first, then those of process 1. A fit needs few numbers of the rows of others: sums over a node's rows, the
 * greatest gradient, how many rows there are. The host lends one function for all of it, env.reduce_fn, as it
 * lends one for its threads; MPI_Allreduce is one, and so is a loop over sockets.
 *
 * Everything that is added up here is whole numbers, whose sum does not depend on the order or the grouping:
 * so the bytes of a model do not depend on how the rows are shared out. Floats, texts and rows go from
 * process to process as bits: every one fills its own part of a buffer of zeros, and the sum is the whole.
 *
 * Sums of doubles do depend on the order. Where they are wanted, a pass over rows is cut into blocks of
 * 65,536 rows of the whole table (soothi_fold): what a block gives does not depend on who had its rows, and
 * blocks are joined in their order. A process whose rows begin within a block goes on from where the one
 * before it stopped.
 *
 * A process that fails must not leave the others waiting. What can fail in one process alone (its memory, its
 * rows, its host's wish to stop) ends in soothi_agree, which all of them call at the same places: when one
 * comes with a failure, all return its status and its sentence, with its rank before it.
 *
 * This header has no public functions; fits that take rows of several processes stand on it. With MPI, the
 * host's side is:
 *
 *     static int reduce(void *user, sooth_reduction what, int64_t *value, size_t count) {
 *         return MPI_Allreduce(MPI_IN_PLACE, value, (int)count, MPI_INT64_T,
 *                              what == SOOTH_REDUCE_MAX ? MPI_MAX : MPI_SUM, *(MPI_Comm *)user);
 *     }
 *
 * There is no example but this one: examples/hosts/mpi has a program.
 *
 * Costs: soothi_agree takes one reduction of 8 bytes; a failure one more of 264. soothi_fold takes one of a
 * block's result for each process, and one of those of all blocks.
 */
#if !defined(SOOTH_REDUCE_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_REDUCE_IMPLEMENTED))
#include "base.h"
#endif

#ifndef SOOTH_REDUCE_H
#define SOOTH_REDUCE_H
#endif /* SOOTH_REDUCE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_REDUCE_IMPLEMENTED)
#define SOOTH_REDUCE_IMPLEMENTED
#ifndef SOOTH_PREDICT_ONLY
SOOTHI_C_BEGIN

/* How many processes there are: 1 where there is nobody else. */
SOOTHI_LOCAL size_t soothi_ranks(const sooth_env *env) {
    return env && env->reduce_fn && env->ranks > 1 ? env->ranks : 1;
}

/* The number of this one. */
SOOTHI_LOCAL size_t soothi_rank(const sooth_env *env) { return soothi_ranks(env) > 1 ? env->rank : 0; }

/* value[0..count): the sums or the greatest over all processes. */
SOOTHI_LOCAL sooth_status soothi_reduce(sooth_env *env, sooth_reduction what, int64_t *value, size_t count) {
    if (soothi_ranks(env) == 1 || count == 0) return SOOTH_OK;
    if (!env->reduce_fn(env->reduce_user, what, value, count)) return SOOTH_OK;
    return soothi_fail(env, SOOTH_CANCELLED, "rank %z of %z lost the others", env->rank, env->ranks);
}

/* The greatest of doubles from 0 on, whose bits are in the order of their values. */
SOOTHI_LOCAL sooth_status soothi_reduce_most(sooth_env *env, double *value, size_t count) {
    int64_t bits[16];
    sooth_status status = SOOTH_OK;
    for (size_t done = 0, some; done < count && status == SOOTH_OK; done += some) {
        some = count - done < 16 ? count - done : 16;
        memcpy(bits, value + done, some * sizeof *bits);
        status = soothi_reduce(env, SOOTH_REDUCE_MAX, bits, some);
        memcpy(value + done, bits, some * sizeof *bits);
    }
    return status;
}

/* range[2 j], range[2 j + 1], least and most of what each process has of column j, NaN where it has nothing:
   become those of all. */
SOOTHI_LOCAL sooth_status soothi_reduce_ranges(sooth_env *env, float *range, size_t columns) {
    const int64_t none = -((int64_t)1 << 32); /* below every key and its negative */
    sooth_status status = SOOTH_OK;
    for (size_t j = 0; j < 2 * columns && soothi_ranks(env) > 1 && status == SOOTH_OK; j += 2) {
        const int empty = soothi_nan((double)range[j]);
        int64_t most[2];
        most[0] = empty ? none : -(int64_t)soothi_key(range[j]);
        most[1] = empty ? none : (int64_t)soothi_key(range[j + 1]);
        status = soothi_reduce(env, SOOTH_REDUCE_MAX, most, 2);
        if (most[1] == none) continue;
        range[j] = soothi_key_value((uint32_t)-most[0]);
        range[j + 1] = soothi_key_value((uint32_t)most[1]);
    }
    return status;
}

/* The bytes of process `from` in all of them; size is a multiple of 8. */
SOOTHI_LOCAL sooth_status soothi_reduce_share(sooth_env *env, size_t from, int64_t *bytes, size_t size) {
    if (soothi_rank(env) != from) memset(bytes, 0, size);
    return soothi_reduce(env, SOOTH_REDUCE_SUM, bytes, size / sizeof *bytes);
}

/* The rows of the processes before this one, and of all, from those of each. */
SOOTHI_LOCAL sooth_status soothi_reduce_rows(sooth_env *env, size_t rows, uint64_t *before, uint64_t *all) {
    *before = 0;
    *all = rows;
    for (size_t k = 0, ranks = soothi_ranks(env); ranks > 1 && k < ranks; ++k) {
        int64_t mine = k == soothi_rank(env) ? (int64_t)rows : 0;
        const sooth_status status = soothi_reduce(env, SOOTH_REDUCE_SUM, &mine, 1);
        if (status != SOOTH_OK) return status;
        if (k == 0) *all = 0;
        *all += (uint64_t)mine;
        if (k < soothi_rank(env)) *before += (uint64_t)mine;
    }
    return SOOTH_OK;
}

/* SOOTH_OK when every process came with it; otherwise, in all of them, the failure of the first that did
   not. */
SOOTHI_LOCAL sooth_status soothi_agree(sooth_env *env, sooth_status status) {
    int64_t first, word[SOOTH_SENTENCE / sizeof(int64_t) + 1];
    char sentence[SOOTH_SENTENCE];
    const size_t ranks = soothi_ranks(env), rank = soothi_rank(env);
    if (ranks == 1) return status;
    first = status == SOOTH_OK ? 0 : (int64_t)(ranks - rank);
    sooth_status reached = soothi_reduce(env, SOOTH_REDUCE_MAX, &first, 1);
    if (reached != SOOTH_OK || first == 0) return reached;
    word[0] = (int64_t)status;
    memcpy(word + 1, env->sentence, SOOTH_SENTENCE);
    const size_t failed = ranks - (size_t)first;
    reached = soothi_reduce_share(env, failed, word, sizeof word);
    if (reached != SOOTH_OK) return reached;
    memcpy(sentence, word + 1, SOOTH_SENTENCE);
    sentence[SOOTH_SENTENCE - 1] = 0;
    return soothi_fail(env, (sooth_status)word[0], "rank %z of %z: %s", failed, ranks, sentence);
}

/* SOOTH_OK when every process came with the same number; what: "columns". */
SOOTHI_LOCAL sooth_status soothi_reduce_same(sooth_env *env, uint64_t number, const char *what) {
    int64_t range[2];
    range[0] = (int64_t)(number >> 1); /* so that its negative is one too */
    range[1] = -range[0];
    const sooth_status status = soothi_reduce(env, SOOTH_REDUCE_MAX, range, 2);
    if (status != SOOTH_OK || range[0] == -range[1]) return status;
    return soothi_fail(env, SOOTH_BAD_ARGUMENT, "the processes came with different %s", what);
}

/* A number for options: different ones for different options but by a rare chance. */
SOOTHI_LOCAL uint64_t soothi_reduce_digest(sooth_option_list list, const void *options) {
    uint64_t digest = 0, bits;
    for (size_t k = 0; k < list.count; ++k) {
        const double value = sooth_option_value(&list.option[k], options);
        memcpy(&bits, &value, sizeof bits);
        digest = digest * 0x9E3779B97F4A7C15u + bits;
    }
    return digest;
}

/* SOOTH_OK when all processes came with tables of one form, and the same options. */
SOOTHI_LOCAL sooth_status soothi_reduce_same_fit(sooth_env *env, const sooth_table *table, uint64_t digest) {
    const uint64_t targets = table->y ? table->targets + 1 : 0;
    sooth_status status = soothi_reduce_same(env, (uint64_t)table->cols << 1, "numbers of columns");
    if (status == SOOTH_OK) status = soothi_reduce_same(env, targets << 1, "numbers of targets");
    if (status == SOOTH_OK)
        status = soothi_reduce_same(env, table->weight ? 2 : 0, "ideas of whether rows have weights");
    return status == SOOTH_OK ? soothi_reduce_same(env, digest, "options") : status;
}

/* ---- all rows in every process ---- */

/* Puts value[0..count) of this process behind those of the processes before it, into all[0..of_all) in every
   process; word: scratch of of_all / 2 + 1. */
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

/* The rows of all processes in *whole, which sooth_table_free gives back, for what cannot be learned from
   sums: every process wants room for them. `alone`: env without the others, for what is done with it then.
   All processes call it, and soothi_gather_end after it; all return the same status. */
SOOTHI_LOCAL sooth_status soothi_gather(sooth_env *env, const sooth_table *table, sooth_table *whole,
                                        sooth_env *alone) {
    uint64_t before, all;
    sooth_status status = soothi_reduce_same_fit(env, table, 0);
    *alone = *env;
    alone->reduce_fn = NULL;
    sooth_table_init(whole, NULL, 0, 0);
    if (status == SOOTH_OK) status = soothi_reduce_rows(env, table->rows, &before, &all);
    if (status != SOOTH_OK) return status;
    const size_t cols = table->cols, targets = table->y ? table->targets : 0;
    const size_t rows = (size_t)all, first = (size_t)before;
    const size_t most = cols > targets ? cols : targets, words = soothi_product(rows, most) / 2 + 1;
    sooth_table full = *table;
    full.rows = rows;
    full.stride = cols;
    full.group = NULL;
    full.categorical = table->categorical;
    float *x = (float *)soothi_alloc(env, soothi_table_words(&full), sizeof *x);
    int64_t *word = (int64_t *)soothi_alloc(env, words, sizeof *word);
    uint32_t *own = (uint32_t *)soothi_alloc(env, soothi_product(table->rows, cols), sizeof *own);
    if (!x || !word || !own)
        status =
            soothi_no_memory(env, "the rows of all processes", soothi_product(rows, 8 * (cols + targets)));
    if (table->bins)
        status = soothi_fail(env, SOOTH_BAD_DATA,
                             "tables of bins and rows in several processes do not go together");
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
    soothi_free(env, word, words, sizeof *word);
    soothi_free(env, own, soothi_product(table->rows, cols), sizeof *own);
    if (status == SOOTH_OK) *whole = full;
    else soothi_free(env, x, soothi_table_words(&full), sizeof *x);
    return status;
}

/* Gives the rows back; the status of all. */
SOOTHI_LOCAL sooth_status soothi_gather_end(sooth_env *env, sooth_env *alone, sooth_table *whole,
                                            sooth_status status) {
    memcpy(env->sentence, alone->sentence, sizeof env->sentence);
    sooth_table_free(env, whole);
    return soothi_agree(env, status);
}

/* ---- one pass over the rows of all ---- */

#define SOOTHI_FOLD_ROWS 65536u /* of a block */

/* What a pass makes of rows: `size` doubles; sums, unless there are a begin and a join. */
typedef struct soothi_fold {
    size_t size;
    void *arg;
    void (*begin)(void *arg, double *state);                         /* the state of no rows; NULL: zeros */
    void (*add)(void *arg, double *state, size_t row, size_t count); /* goes on with own rows, in order */
    void (*join)(void *arg, double *total, const double *state);     /* one more block; NULL: adds */
} soothi_fold;

/* A pass under way. */
typedef struct soothi_fold_run {
    sooth_env *env;
    const soothi_fold *fold;
    uint64_t before, end, all; /* this process's rows among all */
    double *state;             /* of the present block */
    double *tail;              /* of the block that the next process goes on with */
    double *done;              /* blocks x size: those that end here, zero bits elsewhere */
    int64_t *word;             /* the same as bits, for the others */
} soothi_fold_run;

SOOTHI_LOCAL void soothi_fold_begin(const soothi_fold *f, double *state) {
    if (f->begin) f->begin(f->arg, state);
    for (size_t k = 0; k < f->size && !f->begin; ++k) state[k] = 0.0;
}

SOOTHI_LOCAL void soothi_fold_join(const soothi_fold *f, double *total, const double *state) {
    if (f->join) f->join(f->arg, total, state);
    for (size_t k = 0; k < f->size && !f->join; ++k) total[k] += state[k];
}

/* Goes on with the rows up to `end` in one block, and keeps what the block gives when it is complete. */
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

/* The state of the process `from`, in all. */
SOOTHI_LOCAL sooth_status soothi_fold_pass(soothi_fold_run *r, size_t from) {
    const size_t size = r->fold->size * sizeof *r->state;
    memcpy(r->word, r->state, size);
    const sooth_status status = soothi_reduce_share(r->env, from, r->word, size);
    memcpy(r->state, r->word, size);
    return status;
}

/* All rows of all processes: first the blocks that begin here, all processes at once; then, one after the
   other, those that began elsewhere. */
SOOTHI_LOCAL sooth_status soothi_fold_shared(soothi_fold_run *r, double *total) {
    const soothi_fold *f = r->fold;
    const uint64_t blocks = (r->all + SOOTHI_FOLD_ROWS - 1) / SOOTHI_FOLD_ROWS;
    const size_t words = (size_t)blocks * f->size, ranks = soothi_ranks(r->env);
    const int joins = r->before % SOOTHI_FOLD_ROWS != 0 && r->before < r->end; /* a block of others' */
    const uint64_t first = joins ? soothi_fold_end(r, r->before) : r->before;
    sooth_status status = SOOTH_OK;
    for (uint64_t row = first; row < r->end; row = soothi_fold_end(r, row)) {
        soothi_fold_begin(f, r->tail);
        soothi_fold_part(r, r->tail, row, soothi_fold_end(r, row));
    }
    soothi_fold_begin(f, r->state);
    for (size_t k = 0; k < ranks && status == SOOTH_OK; ++k) {
        if (k == soothi_rank(r->env)) {
            if (joins) soothi_fold_part(r, r->state, r->before, first);
            if (first < r->end) memcpy(r->state, r->tail, f->size * sizeof *r->state);
        }
        if (k + 1 < ranks) status = soothi_fold_pass(r, k);
    }
    if (status != SOOTH_OK) return status;
    memcpy(r->word, r->done, words * sizeof *r->done);
    status = soothi_reduce(r->env, SOOTH_REDUCE_SUM, r->word, words);
    memcpy(r->done, r->word, words * sizeof *r->done);
    memcpy(total, r->done, f->size * sizeof *total);
    for (uint64_t b = 1; b < blocks; ++b) soothi_fold_join(f, total, r->done + b * f->size);
    return status;
}

/* The same where there is nobody else, of rows that may come in several parts: `row` were there before, and
   `count` more are rows 0 to count for f->add. */
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

/* The end, after so many rows. */
SOOTHI_LOCAL void soothi_fold_finish(const soothi_fold *f, double *total, uint64_t rows) {
    if (rows > SOOTHI_FOLD_ROWS && rows % SOOTHI_FOLD_ROWS) soothi_fold_join(f, total, total + f->size);
}

/* total[0..size): what the fold makes of the rows of all processes, of which this one has `rows`; there is at
   least one in all. total has 2 size places. All processes call it; all return the same. Alone it allocates
   nothing and cannot fail. */
SOOTHI_LOCAL sooth_status soothi_fold_rows(sooth_env *env, const soothi_fold *f, size_t rows, double *total) {
    soothi_fold_run r = {env, f, 0, rows, rows, NULL, NULL, NULL, NULL};
    soothi_carver m = {NULL, 0};
    if (soothi_ranks(env) == 1) {
        soothi_fold_feed(f, total, 0, rows);
        soothi_fold_finish(f, total, rows);
        return SOOTH_OK;
    }
    sooth_status status = soothi_reduce_rows(env, rows, &r.before, &r.all);
    r.end = r.before + rows;
    if (status != SOOTH_OK) return status;
    const size_t words = (size_t)((r.all + SOOTHI_FOLD_ROWS - 1) / SOOTHI_FOLD_ROWS) * f->size;
    for (unsigned pass = 0; pass < 2; ++pass) {
        m.used = 0;
        r.state = (double *)soothi_carve(&m, f->size, sizeof(double));
        r.tail = (double *)soothi_carve(&m, f->size, sizeof(double));
        r.done = (double *)soothi_carve(&m, words, sizeof(double));
        r.word = (int64_t *)soothi_carve(&m, words, sizeof(int64_t));
        if (pass == 0 && !(m.memory = (unsigned char *)soothi_alloc(env, m.used, 1))) break;
    }
    status =
        soothi_agree(env, m.memory ? SOOTH_OK : soothi_no_memory(env, "sums over blocks of rows", m.used));
    if (status == SOOTH_OK) {
        memset(r.done, 0, words * sizeof *r.done);
        status = soothi_fold_shared(&r, total);
    }
    soothi_free(env, m.memory, m.used, 1);
    return status;
}

SOOTHI_C_END
#endif /* SOOTH_PREDICT_ONLY */
#endif /* SOOTH_IMPLEMENTATION */
