/* validation/split.h - train and test rows: k-fold, hold-out, whole groups left out, time order, nested.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Which method fits which question is in validation.h. Every method makes entries (row, part): the row is
 * tested in that part. A fold trains on the rows that have no entry with its part.
 */
#if !defined(SOOTH_VALIDATION_SPLIT_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_VALIDATION_SPLIT_IMPLEMENTED))
#include "../base.h"
#endif

#if !defined(SOOTH_VALIDATION_SPLIT_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_VALIDATION_SPLIT_H
SOOTHI_C_BEGIN

typedef enum sooth_split_method {
    SOOTH_SPLIT_KFOLD = 0,
    SOOTH_SPLIT_HOLDOUT,
    SOOTH_SPLIT_GROUP_KFOLD,
    SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT,
    SOOTH_SPLIT_TIME
} sooth_split_method;

/* Stratification of k-fold and hold-out splits: each part gets a proportional share of every class. */
typedef enum sooth_split_stratify {
    SOOTH_SPLIT_NOTHING = 0,
    SOOTH_SPLIT_TARGET, /* small to large (first) targets: `strata` classes of equal row counts */
    SOOTH_SPLIT_GROUP   /* each group; the opposite of leaving groups out */
} sooth_split_stratify;

/* Rows that belong to any number of groups: a bag of programs that ran together belongs to each of its
   programs. Row i belongs to id[offset[i]] .. id[offset[i + 1] - 1], numbers of any size in any order;
   repetitions have no effect. offset NULL means that row i belongs to id[i] alone. */
typedef struct sooth_groups {
    const uint32_t *offset; /* rows + 1 offsets, not decreasing */
    const uint32_t *id;
    size_t rows;
} sooth_groups;

typedef struct sooth_split_options {
    uint32_t method;            /* a sooth_split_method */
    uint32_t folds;             /* of k-fold, group k-fold and time; 0 means 5 */
    uint32_t repeats;           /* of k-fold and hold-out, each with new draws; 0 means 1 */
    uint32_t stratify;          /* a sooth_split_stratify, for k-fold and hold-out */
    uint32_t strata;            /* classes of the target; 0 means 10 */
    uint32_t seed;              /* of all random draws */
    double test_fraction;       /* fraction of the rows that a hold-out tests, rounded up; 0 means 0.2 */
    const sooth_groups *groups; /* NULL means one per row, from table->group */
} sooth_split_options;

typedef struct sooth_split_fold {
    const uint32_t *train; /* row indices of the table, in the order of the rows that were split */
    const uint32_t *test;
    size_t trains;
    size_t tests;
    uint32_t group; /* tested group of leave-one-group-out, else 0 */
} sooth_split_fold;

typedef struct sooth_split {
    sooth_split_fold *fold; /* fold[0..folds) */
    size_t folds;           /* over all repeats: fold f of repeat r is fold[r * options.folds + f] */
    size_t skipped;         /* folds left out because all rows would be tested and none trained on */
    size_t bytes;           /* size of the memory of fold */
} sooth_split;

/* Splits the rows of a table. Uses y and group only as far as the options need them, and never x. options
   NULL means defaults. After a failure *out is empty; otherwise free it with sooth_split_free.
   - k-fold: fold sizes differ by at most one row; if stratified, so do the shares of each class.
   - groups: rows in a left-out group test, rows in none of the left-out groups train. A bag is tested with
     each of its programs (Moolchandani et al. 2022, 7.2), and rows without a group always train.
     Leave-one-group-out takes groups by ascending number. Group k-fold assigns the largest group first (the
     lowest number if tied), always to the fold with the fewest rows so far.
   - time: n / (folds + 1) rows at a time test, and all rows before them train, in the order of table->time
     or else of the rows. The last fold tests the last rows. Rows of equal time are in the fold of the first
     of them; a fold that gets no row is left out.
     Returns SOOTH_BAD_ARGUMENT or SOOTH_BAD_DATA for more folds than rows or groups, fewer than two
     groups, missing groups or targets, or nothing left to train on. */
SOOTH_API sooth_status sooth_split_make(sooth_env *env, const sooth_table *table,
                                        const sooth_split_options *options, sooth_split *out);

/* Like sooth_split_make, for the training rows of a fold only, in their order. */
SOOTH_API sooth_status sooth_split_inner(sooth_env *env, const sooth_table *table,
                                         const sooth_split_options *options, const sooth_split_fold *outer,
                                         sooth_split *out);

/* Copies both sides of a fold into new tables; free them with sooth_table_free. Anything fitted on *train
   (scales, column selections, models) cannot depend on the test rows. */
SOOTH_API sooth_status sooth_split_take(sooth_env *env, const sooth_table *table,
                                        const sooth_split_fold *fold, sooth_table *train, sooth_table *test);

/* Frees the folds and leaves *split empty. */
SOOTH_API void sooth_split_free(sooth_env *env, sooth_split *split);

/* Returns the names and ranges of the options. */
SOOTH_API sooth_option_list sooth_split_options_list(void);

SOOTHI_C_END
#endif /* SOOTH_VALIDATION_SPLIT_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_VALIDATION_SPLIT_IMPLEMENTED) && \
    !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_VALIDATION_SPLIT_IMPLEMENTED
SOOTHI_C_BEGIN

SOOTH_API sooth_option_list sooth_split_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_CHOICE(sooth_split_options, method, "kfold|holdout|group_kfold|leave_one_group_out|time",
                      "how rows are split into training and test rows"),
        SOOTHI_COUNT(sooth_split_options, folds, 2, 1e9, 5, "number of folds of kfold, group_kfold and time"),
        SOOTHI_COUNT(sooth_split_options, repeats, 1, 1e9, 1, "number of random draws of kfold and holdout"),
        SOOTHI_CHOICE(sooth_split_options, stratify, "nothing|target|group",
                      "what each part of kfold and holdout gets a proportional share of"),
        SOOTHI_COUNT(sooth_split_options, strata, 2, 1e9, 10, "classes of the target, with stratify=target"),
        SOOTHI_COUNT(sooth_split_options, seed, 0, 4294967295.0, 0, "seed of the random draws"),
        SOOTHI_NUMBER(sooth_split_options, test_fraction, 0, 1, 0.2,
                      "fraction of the rows that a holdout tests")};
    return SOOTHI_OPTIONS(option);
}

/* Input and state of a split. Every method produces entries: the row at position at[i] is tested in part
   part[i]. Positions count the rows to be split: row[0..rows) of the table, or all rows. */
typedef struct soothi_split_work {
    sooth_split_options options; /* with the defaults filled in */
    const sooth_table *table;
    const uint32_t *row;
    size_t rows;
    sooth_groups groups;
    size_t parts; /* folds of one repeat */
    size_t tests; /* rows that a hold-out tests, or one step of time */
    size_t entries;
    size_t capacity; /* of each of the following arrays */
    uint32_t *part;
    uint32_t *at;
    uint32_t *key;   /* group of the entry, or the sort key of its row */
    uint64_t *spare; /* twice the capacity; start of the memory */
} soothi_split_work;

#define SOOTHI_SPLIT_EACH (2 * sizeof(uint64_t) + 3 * sizeof(uint32_t)) /* bytes per unit of `capacity` */

SOOTHI_LOCAL uint32_t soothi_split_row(const soothi_split_work *work, size_t position) {
    return work->row ? work->row[position] : (uint32_t)position;
}

/* Finds the memberships of the row at a position, groups.id[*begin .. end - 1]; returns end. */
SOOTHI_LOCAL size_t soothi_split_members(const soothi_split_work *work, size_t position, size_t *begin) {
    size_t row = soothi_split_row(work, position);
    *begin = work->groups.offset ? work->groups.offset[row] : row;
    return work->groups.offset ? work->groups.offset[row + 1] : row + 1;
}

/* Sorts the first entries by key; equal keys keep their order. */
SOOTHI_LOCAL void soothi_split_sort(soothi_split_work *work, size_t count) {
    for (size_t i = 0; i < count; ++i) work->spare[i] = (uint64_t)work->key[i] << 32 | work->at[i];
    soothi_entry_sort(work->spare, work->spare + count, count);
    for (size_t i = 0; i < count; ++i) {
        work->key[i] = soothi_entry_key(work->spare[i]);
        work->at[i] = soothi_entry_row(work->spare[i]);
    }
}

/* ---- k-fold and hold-out ---- */

/* Makes one entry per row, sorted by the stratification; key[i] becomes the class number. */
SOOTHI_LOCAL void soothi_split_classes(soothi_split_work *work) {
    const sooth_table *table = work->table;
    size_t begin;
    for (size_t i = 0; i < work->rows; ++i) {
        work->at[i] = (uint32_t)i;
        work->key[i] = 0;
        if (work->options.stratify == SOOTH_SPLIT_TARGET)
            work->key[i] = soothi_key(table->y[soothi_split_row(work, i) * table->targets]);
        if (work->options.stratify == SOOTH_SPLIT_GROUP) {
            (void)soothi_split_members(work, i, &begin);
            work->key[i] = work->groups.id[begin];
        }
    }
    soothi_split_sort(work, work->rows);
    for (size_t i = 0; i < work->rows && work->options.stratify == SOOTH_SPLIT_TARGET; ++i)
        work->key[i] = (uint32_t)((uint64_t)i * work->options.strata / work->rows);
}

/* Draws one repeat. Rows are shuffled within their classes and dealt in this order. Every class is therefore
   spread evenly. k-fold deals one to each fold in turn. A hold-out of t out of n rows takes those where i t /
   n passes an integer. */
SOOTHI_LOCAL void soothi_split_draw(soothi_split_work *work, uint32_t repeat) {
    size_t end, n = work->rows;
    sooth_rng rng;
    sooth_rng_init(&rng, work->options.seed, repeat);
    for (size_t begin = 0; begin < n; begin = end) {
        for (end = begin + 1; end < n && work->key[end] == work->key[begin];) ++end;
        sooth_rng_shuffle(&rng, work->at + begin, end - begin);
    }
    if (work->options.method == SOOTH_SPLIT_KFOLD) {
        for (size_t i = 0; i < n; ++i) work->part[i] = (uint32_t)(i % work->parts);
        return;
    }
    for (size_t i = 0; i < n; ++i) /* part 0 tests; part 1 has no fold */
        work->part[i] = (uint64_t)(i + 1) * work->tests / n > (uint64_t)i * work->tests / n ? 0u : 1u;
}

/* ---- groups ---- */

/* Makes one entry per membership, sorted by group; part[i] becomes its group, counted from 0. Returns the
   number of groups. */
SOOTHI_LOCAL size_t soothi_split_memberships(soothi_split_work *work) {
    size_t m, entries = 0, kept = 0, groups = 0;
    for (size_t i = 0; i < work->rows; ++i)
        for (size_t end = soothi_split_members(work, i, &m); m < end; ++m, ++entries) {
            work->key[entries] = work->groups.id[m];
            work->at[entries] = (uint32_t)i;
        }
    soothi_split_sort(work, entries);
    for (size_t i = 0; i < entries; ++i) {
        int same_group = kept > 0 && work->key[i] == work->key[kept - 1];
        if (same_group && work->at[i] == work->at[kept - 1]) continue; /* repeated in one bag */
        if (!same_group) ++groups;
        work->key[kept] = work->key[i];
        work->at[kept] = work->at[i];
        work->part[kept++] = (uint32_t)(groups - 1);
    }
    work->entries = kept;
    return groups;
}

/* Assigns whole groups to parts: the largest first, each to the part with the fewest rows so far. (Graham's
   longest processing time rule, SIAM J. Appl. Math. 17(2), 1969: the largest part is at most a third above
   the optimum.) */
SOOTHI_LOCAL void soothi_split_deal_groups(soothi_split_work *work, size_t groups) {
    uint64_t *group = work->spare; /* size << 32 | number; sizes are complemented, so that the largest sort
                                      first */
    uint32_t *load = (uint32_t *)(void *)(group + groups), *part_of = load + groups;
    for (size_t g = 0; g < groups; ++g) group[g] = (uint64_t)UINT32_MAX << 32 | g;
    for (size_t i = 0; i < work->entries; ++i) group[work->part[i]] -= (uint64_t)1 << 32;
    soothi_entry_sort(group, group + groups, groups);
    memset(load, 0, groups * sizeof(uint32_t));
    for (size_t g = 0; g < groups; ++g) {
        size_t lightest = 0;
        for (size_t i = 1; i < work->parts; ++i)
            if (load[i] < load[lightest]) lightest = i;
        load[lightest] += UINT32_MAX - soothi_entry_key(group[g]);
        part_of[soothi_entry_row(group[g])] = (uint32_t)lightest;
    }
    for (size_t i = 0; i < work->entries; ++i) work->part[i] = part_of[work->part[i]];
}

/* ---- planning ---- */

/* Finds and checks the groups, and counts the memberships of the rows to be split. */
SOOTHI_LOCAL sooth_status soothi_split_groups(sooth_env *env, soothi_split_work *work, size_t *memberships) {
    size_t begin;
    *memberships = 0;
    if (work->options.groups) {
        work->groups = *work->options.groups;
        if (work->groups.rows != work->table->rows)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the groups describe %z rows, but the table has %z",
                              work->groups.rows, work->table->rows);
    } else work->groups.id = work->table->group;
    if (!work->groups.id) return sooth_fail(env, SOOTH_BAD_DATA, "the table has no groups");
    for (size_t i = 0; i < work->rows; ++i) {
        size_t end = soothi_split_members(work, i, &begin);
        if (end < begin)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the offsets of the groups decrease after row %u",
                              soothi_split_row(work, i) + 1);
        if (work->options.stratify == SOOTH_SPLIT_GROUP && end - begin != 1)
            return sooth_fail(env, SOOTH_BAD_DATA,
                              "row %u has %z groups, but stratify=group needs exactly one per row",
                              soothi_split_row(work, i) + 1, end - begin);
        if (end - begin > UINT32_MAX / 2 - *memberships)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "the groups have 2^31 members or more, but must have fewer");
        *memberships += end - begin;
    }
    return SOOTH_OK;
}

/* Sets the number of parts and checks that there are enough rows. */
SOOTHI_LOCAL sooth_status soothi_split_parts(sooth_env *env, soothi_split_work *work) {
    size_t folds = work->options.folds, rows = work->rows;
    double share = work->options.test_fraction * (double)rows;
    work->parts = folds;
    switch (work->options.method) {
    case SOOTH_SPLIT_KFOLD:
        if (folds > rows)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "folds is %z, but there are only %z rows", folds,
                              rows);
        break;
    case SOOTH_SPLIT_TIME:
        if (folds >= rows)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "folds is %z, which needs %z rows in time order, but there are %z", folds,
                              folds + 1, rows);
        work->tests = rows / (folds + 1);
        break;
    case SOOTH_SPLIT_HOLDOUT:
        work->parts = 1;
        work->tests = (size_t)share;
        if ((double)work->tests < share) ++work->tests;
        if (work->tests >= rows)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "test_fraction is %g, which leaves none of the %z rows for training",
                              work->options.test_fraction, rows);
        break;
    default: break; /* determined by the groups, see below */
    }
    return SOOTH_OK;
}

SOOTHI_LOCAL int soothi_split_by_group(const soothi_split_work *work) {
    return work->options.method == SOOTH_SPLIT_GROUP_KFOLD ||
           work->options.method == SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT;
}

SOOTHI_LOCAL sooth_status soothi_split_scratch(sooth_env *env, soothi_split_work *work) {
    work->spare = (uint64_t *)sooth_alloc(env, work->capacity, SOOTHI_SPLIT_EACH);
    if (!work->spare)
        return sooth_no_memory(env, "making a split", soothi_product(work->capacity, SOOTHI_SPLIT_EACH));
    work->part = (uint32_t *)(void *)(work->spare + 2 * work->capacity);
    work->at = work->part + work->capacity;
    work->key = work->at + work->capacity;
    return SOOTH_OK;
}

/* Sets the number of parts to that of the groups. Groups are counted before the result is allocated, and
   entered again afterwards. Scratch is then always allocated after the result, so an arena can reuse all of
   it. */
SOOTHI_LOCAL sooth_status soothi_split_group_parts(sooth_env *env, soothi_split_work *work) {
    sooth_status status = soothi_split_scratch(env, work);
    if (status != SOOTH_OK) return status;
    size_t groups = soothi_split_memberships(work);
    sooth_free(env, work->spare, work->capacity, SOOTHI_SPLIT_EACH);
    if (groups < 2)
        return sooth_fail(env, SOOTH_BAD_DATA,
                          "leaving groups out needs at least 2 groups, but the rows have %z", groups);
    if (work->options.method == SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT) work->parts = groups;
    if (work->parts > groups)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "folds is %z, but there are only %z groups", work->parts,
                          groups);
    return SOOTH_OK;
}

/* Validates options, rows and groups; sets `parts` and `capacity`. */
SOOTHI_LOCAL sooth_status soothi_split_prepare(sooth_env *env, soothi_split_work *work) {
    size_t memberships = 0;
    sooth_status status = SOOTH_OK;
    int random = work->options.method == SOOTH_SPLIT_KFOLD || work->options.method == SOOTH_SPLIT_HOLDOUT;
    if (!random && (work->options.repeats > 1 || work->options.stratify != SOOTH_SPLIT_NOTHING))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "repeats and stratify apply only to kfold and holdout, which are random");
    if (work->rows == 0 || work->rows > UINT32_MAX / 2)
        return sooth_fail(env, SOOTH_BAD_DATA, "there are %z rows to split, but there must be 1 to 2^31 - 1",
                          work->rows);
    for (size_t i = 0; work->row && i < work->rows; ++i)
        if (work->row[i] >= work->table->rows)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the outer fold has row %z, but the table has %z rows",
                              (size_t)work->row[i] + 1, work->table->rows);
    if (work->options.stratify == SOOTH_SPLIT_TARGET) {
        if (!work->table->y || work->table->targets == 0)
            return sooth_fail(env, SOOTH_BAD_DATA, "the table has no targets");
        for (size_t i = 0; i < work->rows; ++i)
            if (!soothi_finite((double)work->table->y[soothi_split_row(work, i) * work->table->targets]))
                return sooth_fail(env, SOOTH_BAD_DATA, "row %u has no finite target",
                                  soothi_split_row(work, i) + 1);
    }
    if (soothi_split_by_group(work) || work->options.stratify == SOOTH_SPLIT_GROUP)
        status = soothi_split_groups(env, work, &memberships);
    work->capacity = memberships > work->rows ? memberships : work->rows;
    if (status == SOOTH_OK) status = soothi_split_parts(env, work);
    if (status == SOOTH_OK && soothi_split_by_group(work)) status = soothi_split_group_parts(env, work);
    return status;
}

/* ---- making ---- */

/* Makes the entries of folds in time: all rows, sorted by time. A part of UINT32_MAX only trains. */
SOOTHI_LOCAL void soothi_split_times(soothi_split_work *work) {
    const size_t n = work->rows, first = n - work->parts * work->tests;
    work->entries = n;
    for (size_t i = 0; i < n; ++i) {
        work->at[i] = (uint32_t)i;
        work->key[i] = work->table->time ? work->table->time[soothi_split_row(work, i)] : (uint32_t)i;
    }
    soothi_split_sort(work, n);
    for (size_t i = 0; i < n; ++i) {
        work->part[i] = i < first ? UINT32_MAX : (uint32_t)((i - first) / work->tests);
        if (i > 0 && work->key[i] == work->key[i - 1]) work->part[i] = work->part[i - 1];
    }
}

/* Makes the entries of one repeat. */
SOOTHI_LOCAL void soothi_split_entries(soothi_split_work *work, uint32_t repeat) {
    if (soothi_split_by_group(work)) {
        size_t groups = soothi_split_memberships(work);
        if (work->options.method == SOOTH_SPLIT_GROUP_KFOLD) soothi_split_deal_groups(work, groups);
        return;
    }
    if (work->options.method == SOOTH_SPLIT_TIME) {
        soothi_split_times(work);
        return;
    }
    work->entries = work->rows;
    if (repeat == 0) soothi_split_classes(work);
    soothi_split_draw(work, repeat);
}

/* Writes the row indices of a part to to[0..rows): first those that train, then those that test. */
SOOTHI_LOCAL void soothi_split_fill(const soothi_split_work *work, size_t part, uint32_t *to,
                                    sooth_split_fold *fold) {
    unsigned char *tested = (unsigned char *)work->spare;
    size_t n = 0;
    fold->group = 0;
    memset(tested, 0, work->rows);
    for (size_t i = 0; i < work->entries; ++i) {
        if (work->part[i] == part) {
            tested[work->at[i]] = 1;
            if (work->options.method == SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT) fold->group = work->key[i];
        } else if (work->options.method == SOOTH_SPLIT_TIME && work->part[i] != UINT32_MAX &&
                   work->part[i] > part)
            tested[work->at[i]] = 2; /* later: in neither */
    }
    for (size_t i = 0; i < work->rows; ++i)
        if (!tested[i]) to[n++] = soothi_split_row(work, i);
    fold->train = to;
    fold->trains = n;
    for (size_t i = 0; i < work->rows; ++i)
        if (tested[i] == 1) to[n++] = soothi_split_row(work, i);
    fold->test = to + fold->trains;
    fold->tests = n - fold->trains;
}

SOOTHI_LOCAL sooth_status soothi_split_build(sooth_env *env, soothi_split_work *work, sooth_split *out) {
    sooth_status status = soothi_split_prepare(env, work);
    if (status != SOOTH_OK) return status;
    size_t folds = soothi_product(work->parts, work->options.repeats);
    size_t row_bytes = soothi_product(work->rows, sizeof(uint32_t));
    out->bytes =
        soothi_product(folds, row_bytes < SIZE_MAX / 2 ? row_bytes + sizeof(sooth_split_fold) : SIZE_MAX);
    out->fold = (sooth_split_fold *)sooth_alloc(env, out->bytes, 1);
    if (!out->fold) return sooth_no_memory(env, "the folds", out->bytes);
    status = soothi_split_scratch(env, work);
    if (status != SOOTH_OK) return status;
    uint32_t *to = (uint32_t *)(void *)(out->fold + folds); /* after the folds: `rows` words for each */
    for (size_t f = 0; f < folds; ++f) {
        sooth_split_fold *fold = &out->fold[out->folds];
        if (f % work->parts == 0) soothi_split_entries(work, (uint32_t)(f / work->parts));
        soothi_split_fill(work, f % work->parts, to, fold);
        if (fold->trains > 0 && fold->tests > 0) {
            ++out->folds;
            to += work->rows;
        }
    }
    out->skipped = folds - out->folds;
    sooth_free(env, work->spare, work->capacity, SOOTHI_SPLIT_EACH);
    if (out->folds == 0)
        return sooth_fail(env, SOOTH_BAD_DATA,
                          work->options.method == SOOTH_SPLIT_TIME
                              ? "all rows have the same time, so no fold has rows to train on"
                              : "every row has every group, so no fold has rows to train on");
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_split_inner(sooth_env *env, const sooth_table *table,
                                         const sooth_split_options *options, const sooth_split_fold *outer,
                                         sooth_split *out) {
    soothi_split_work work;
    memset(out, 0, sizeof *out);
    memset(&work, 0, sizeof work);
    sooth_status status =
        soothi_options_resolve(env, sooth_split_options_list(), options, sizeof work.options, &work.options);
    if (status != SOOTH_OK) return status;
    work.table = table;
    work.row = outer ? outer->train : NULL;
    work.rows = outer ? outer->trains : table->rows;
    status = soothi_split_build(env, &work, out);
    if (status != SOOTH_OK) sooth_split_free(env, out);
    return status;
}

SOOTH_API sooth_status sooth_split_make(sooth_env *env, const sooth_table *table,
                                        const sooth_split_options *options, sooth_split *out) {
    return sooth_split_inner(env, table, options, NULL, out);
}

SOOTH_API sooth_status sooth_split_take(sooth_env *env, const sooth_table *table,
                                        const sooth_split_fold *fold, sooth_table *train, sooth_table *test) {
    memset(test, 0, sizeof *test);
    sooth_status status = sooth_table_take(env, table, fold->train, fold->trains, train);
    if (status != SOOTH_OK) return status;
    status = sooth_table_take(env, table, fold->test, fold->tests, test);
    if (status != SOOTH_OK) sooth_table_free(env, train);
    return status;
}

SOOTH_API void sooth_split_free(sooth_env *env, sooth_split *split) {
    sooth_free(env, split->fold, split->bytes, 1);
    memset(split, 0, sizeof *split);
}

/* ---- rows held out during training ---- */

/* Numbers the groups from 0 in the order of their first rows. Returns the number of groups, or 0 if memory is
   missing. first is scratch of one number per row. */
SOOTHI_LOCAL uint32_t soothi_number_groups(sooth_env *env, const uint32_t *group, size_t rows,
                                           uint32_t *first, uint32_t *member) {
    const size_t size = soothi_product(2, rows);
    uint64_t *entry = (uint64_t *)sooth_alloc(env, size, sizeof *entry);
    uint32_t groups = 0;
    if (!entry) return 0;
    for (size_t k = 0; k < rows; ++k) entry[k] = (uint64_t)group[k] << 32 | k;
    soothi_entry_sort(entry, entry + rows, rows); /* the rows of a group stay in order */
    for (size_t k = 0; k < rows; ++k) {
        const uint32_t row = soothi_entry_row(entry[k]);
        const int same = k > 0 && soothi_entry_key(entry[k]) == soothi_entry_key(entry[k - 1]);
        first[row] = same ? first[soothi_entry_row(entry[k - 1])] : row;
    }
    sooth_free(env, entry, size, sizeof *entry);
    for (size_t k = 0; k < rows; ++k) member[k] = first[k] == k ? groups++ : member[first[k]];
    return groups;
}

/* Chooses a fraction of the groups, or of the rows if group is NULL, and sets held[row] to 1 for them. At
   least one is chosen and at least one is not. scratch is three arrays of one number per row. O(rows). */
SOOTHI_LOCAL sooth_status soothi_hold_out(sooth_env *env, const uint32_t *group, size_t rows, double share,
                                          uint32_t seed, uint32_t *const scratch[3], unsigned char *held) {
    uint32_t *member = scratch[0], *order = scratch[1], *chosen = scratch[2], units = (uint32_t)rows;
    sooth_rng rng;
    for (uint32_t k = 0; k < rows; ++k) member[k] = k;
    if (group) units = soothi_number_groups(env, group, rows, chosen, member);
    if (units == 0) return sooth_no_memory(env, "groups to hold out", soothi_product(rows, 16));
    for (uint32_t k = 0; k < units; ++k) order[k] = k;
    memset(chosen, 0, units * sizeof *chosen);
    sooth_rng_init(&rng, seed, UINT64_MAX);
    sooth_rng_shuffle(&rng, order, units);
    uint32_t count = (uint32_t)(share * (double)units + 0.5);
    if (count == 0) count = 1;
    if (count >= units) count = units - 1;
    for (uint32_t k = 0; k < count; ++k) chosen[order[k]] = 1;
    for (uint32_t k = 0; k < rows; ++k) held[k] = (unsigned char)chosen[member[k]];
    return SOOTH_OK;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
