/* conformal/delayed.h - upper ends of a stream whose labels come late, or are known in part while they wait.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A router predicts how long a request will wait, sends the request, and learns the answer a minute and five
 * hundred requests later. Adaptive conformal inference (sooth_conformal_online) assumes that the answer is
 * known before the next prediction. Its working level then moves once for each of the five hundred, all for
 * the same error, and runs away. Here each prediction has a ticket, and three rules keep the level in bounds:
 *
 *   ticket    A prediction is judged by the ends that were given when it was sent, once, in any order.
 *   travel    The step of a ticket shrinks with the number of tickets out. All tickets that are out can move
 *             the level of a quantile by a bounded amount only, however many they are.
 *   waiting   A label that is still unknown has a lower bound: the wait so far. It counts as missed as soon
 *             as the bound exceeds what was predicted. The bound is a score until the label replaces it.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/conformal.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static double memory[8192];
 *         const float level[] = {0.5f, 0.9f};
 *         const sooth_conformal_delayed_options options = {.scale = SOOTH_CONFORMAL_LOG};
 *         sooth_conformal_delayed *delayed;
 *         uint64_t ticket[8];
 *         float end[2];
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_conformal_delayed_init(&env, &options, level, 2, memory, sizeof memory, &delayed) !=
 *             SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         for (int i = 0; i < 400; ++i) {   // the model predicts 100 ms; the label comes 8 requests later
 *             const float ms = 100 + (float)(i * 37 % 50);
 *             if (i >= 8) sooth_conformal_delayed_learn(&env, delayed, ticket[i % 8], ms);
 *             sooth_conformal_delayed_send(&env, delayed, 100, NULL, &ticket[i % 8]);
 *         }
 *         sooth_conformal_delayed_predict(delayed, 100, end);
 *         printf("half within %.0f ms, 90 %% within %.0f\n", end[0], end[1]);
 *         //> half within 123 ms, 90 % within 144
 *         sooth_conformal_delayed_waiting(&env, delayed, ticket[0], 400);       // the oldest does not answer
 *         printf("%u out, %u late\n", delayed->out, delayed->open);             //> 8 out, 1 late
 *         if (sooth_conformal_delayed_learn(&env, delayed, 7, 130) != SOOTH_OK) puts(env.sentence);
 *         //> ticket 0-7 is not out: it was not issued, or is already learned or forgotten
 *         return 0;
 *     }
 *
 * Notes
 *
 * - The ends of one object never cross. For models of single quantiles, use one object for each.
 * - Until min_count scores are known the ends are infinite, and tickets of that time are not judged.
 * - `open` counts scores that are only lower bounds. If open / count exceeds 1 - level, the end at this level
 *   is itself only a lower bound: more requests wait beyond it than the level allows.
 * - An object belongs to one thread at a time. It has no pointers, and may be copied with memcpy and saved.
 *   With SOOTH_PREDICT_ONLY it is not available.
 *
 * Method and references
 *
 * Scores are signed: actual - predicted, or the logarithm of their ratio. The end at a level 1 - a is the
 * prediction plus the ceil((n + 1)(1 - a_t))-th smallest of the last n scores. A ticket i with the step r_i
 * changes a_t once:
 *
 *     a_t <- a_t + r_i (a - missed_i),    r_i = rate / (1 + m rate / travel)  with m tickets out, i included
 *
 * Gibbs and Candes (NeurIPS 2021) have m = 0 throughout. A step that shrinks is that of online gradient
 * descent with delayed feedback (Joulani, Gyorgy, Szepesvari, ICML 2013; Quanrud and Khashabi, NIPS 2015).
 * Ranks are used with a_t from a / 4 to 4 a (at most 1 - (1 - a) / 4), so that one outlier is not the end for
 * long. Beyond them the end moves in units of the scores, as quantile tracking and PID control do
 * (Angelopoulos, Candes, Tibshirani, NeurIPS 2023): by gain x excess / sqrt(a (1 - a)) x the spread of the
 * scores, 0.4 of the distance between their 5 and 95 % quantiles. So ends are finite, and still move as far
 * as needed.
 *
 * Guaranteed, for any sequence, any delays and any order of labels:
 *
 * - The tickets out can move a_t by at most travel x ln(1 + out x rate / travel). The j-th oldest of them was
 *   issued with at least j out, so that its step is at most travel / (travel / rate + j).
 * - The sum of r_i (missed_i - a) over judged tickets is a_0 - a_t, to within 2^-30 for each ticket. The
 *   fraction missed, weighted by r_i, is therefore a + (a_0 - a_t) / sum of r_i. It approaches a while a_t
 *   stays bounded. With a constant number of tickets out all weights are equal.
 *
 * Measured, not guaranteed: the coverage of a finite stream. It is at the level only if the stream is much
 * longer than its delays. For 12,000 rows with labels 1 to 400 rows late, 50, 90 and 99 % ends hold their
 * levels to within 0.2 points if nothing changes, the level doubles slowly, or the spread triples. If the
 * level jumps by a third every 1,500 rows and labels are 400 rows late, they hold 49.7, 89.0 and 98.1 %
 * (tests/conformal/test_delayed.c).
 *
 * On two traces of LLM serving, predictions are the tokens ahead + 500 for TTFT, and a constant for TPOT. The
 * first 300 rows are left out. "Late" labels come 2 x num_request_waiting rows late, up to 868 of 1,700.
 * Shares held, and pinball loss relative to the quantile of the last 300 labels:
 *
 *     trace, target, labels      p90 held, loss    p99 held, loss    p90, p99 held by that quantile
 *     sharegpt TTFT  seen        90.3   1.01       99.1   0.42       90.7  99.4
 *                    late        90.3   1.01       99.1   0.42       90.7  99.4
 *              TPOT  seen        91.2   0.86       99.1   1.32       89.3  98.8
 *                    late        91.2   0.87       99.1   1.36       89.3  98.8
 *     bimodal  TTFT  seen        88.2   0.72       98.8   0.68       87.5  99.0
 *                    late        73.6   1.76       99.5   0.59       74.7  99.7
 *              TPOT  seen        90.1   0.97       99.0   0.84       87.6  98.9
 *                    late        91.3   1.00       98.1   0.89       74.9  96.5
 *
 * The defaults were chosen mainly on made-up streams, the spread and the gain with these traces in sight, so
 * that the figures are not those of a new trace. One cell fails: when the queue of bimodal grows, TTFT per
 * token rises by a fifth. About 300 of 1,360 rows are sent before the first label shows it, and no rule that
 * knows only labels can hold these. Wider ends would hold 99 % at two to ten times the loss. A better
 * prediction can help, or what a host knows earlier, such as the tokens that a pod has served in the last
 * second.
 *
 * Cost
 *
 * No allocation, no libm. Predicting: one exponential per level on the log scale (140 ns for 3 levels). Every
 * other call: O(log n) for each level and n scores, in a treap with sizes (sending and learning: 460 ns for
 * 300 scores, 3 levels and 512 tickets out, on a server core). Bytes: 288 + 24 n + (24 + 4 levels) tickets,
 * or 44 kB with the defaults and 3 levels.
 */
#if !defined(SOOTH_CONFORMAL_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_CONFORMAL_IMPLEMENTED))
#include "../conformal.h"
#endif

#if !defined(SOOTH_CONFORMAL_DELAYED_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_CONFORMAL_DELAYED_H
SOOTHI_C_BEGIN

#define SOOTH_CONFORMAL_MAX_LEVELS 8

typedef struct sooth_conformal_delayed_options {
    uint32_t capacity;  /* maximum number of stored scores, 3 to 2^20; 0 means 300 */
    uint32_t tickets;   /* maximum number of predictions without a label, 1 to 2^20; 0 means 1024 */
    uint32_t min_count; /* scores before ends are finite, 1 to capacity; 0 means min(20, capacity) */
    uint32_t scale;     /* a sooth_conformal_scale */
    double rate;        /* step of the working levels without delay, 0.0001 to 0.5; 0 means 0.02 */
    double travel;      /* how far tickets that are out may move a working level, times a logarithm; 0.01 to
                           1000; 0 means 0.5 */
    double gain;        /* how fast an end moves beyond the ranks of its level, 0.001 to 100; 0 means 0.1 */
} sooth_conformal_delayed_options;

/* The quantities of level l have the index l. Working levels and steps are in units of 2^-30, so that sums
   are exact. The arrays follow the struct. */
typedef struct sooth_conformal_delayed {
    size_t size;                                   /* bytes, arrays included */
    int64_t working[SOOTH_CONFORMAL_MAX_LEVELS];   /* a_t */
    uint32_t judged[SOOTH_CONFORMAL_MAX_LEVELS];   /* tickets; both counts are halved before an overflow */
    uint32_t missed[SOOTH_CONFORMAL_MAX_LEVELS];   /* of these */
    uint32_t miscover[SOOTH_CONFORMAL_MAX_LEVELS]; /* a = 1 - level */
    float level[SOOTH_CONFORMAL_MAX_LEVELS];
    float move[SOOTH_CONFORMAL_MAX_LEVELS]; /* ends are predictions moved by this much, in units of scores */
    uint32_t levels, capacity, tickets, min_count, scale;
    float rate, travel, gain;
    uint32_t count; /* stored scores */
    uint32_t open;  /* of these, lower bounds of labels that are not known yet */
    uint32_t out;   /* tickets without a label */
    struct {
        uint32_t root;   /* of the tree of scores */
        uint32_t oldest; /* the score to replace next, once all are in use */
        uint32_t unused; /* first of the list of free tickets */
    } state;
} sooth_conformal_delayed;

/* Returns the bytes of an object with this number of levels; 0 if the options are invalid. */
SOOTH_API size_t sooth_conformal_delayed_size(const sooth_conformal_delayed_options *options, size_t levels);

/* Makes an object at the start of memory[0..size), which is aligned like a double and must live as long.
   level[0..levels): the required coverage of each end, ascending, 0.001 to 0.999; 1 to 8 levels. Returns
   SOOTH_BAD_ARGUMENT with a reason; SOOTH_NO_MEMORY reports the size. */
SOOTH_API sooth_status sooth_conformal_delayed_init(sooth_env *env,
                                                    const sooth_conformal_delayed_options *options,
                                                    const float *level, size_t levels, void *memory,
                                                    size_t size, sooth_conformal_delayed **delayed);

/* Computes the upper ends of a prediction, one for each level, ascending. Changes nothing, so that a choice
   between many candidates costs no tickets. The ends are infinite below min_count scores, and on the log
   scale if the prediction is not above 0; NaN if it is NaN. */
SOOTH_API void sooth_conformal_delayed_predict(const sooth_conformal_delayed *delayed, float predicted,
                                               float *ends);

/* Issues a ticket for a prediction whose label will come. ends[0..levels): the ends that were given, by which
   it will be judged; NULL means those of now. Refused with a reason: SOOTH_BAD_DATA if the prediction is not
   finite (on the log scale, not above 0) or ends are NaN or descend; SOOTH_NO_MEMORY if all tickets are out.
   *ticket is 0 after a failure. Tickets are never 0. */
SOOTH_API sooth_status sooth_conformal_delayed_send(sooth_env *env, sooth_conformal_delayed *delayed,
                                                    float predicted, const float *ends, uint64_t *ticket);

/* Reports that the label of a ticket exceeds so_far: a request still waits after this time. Levels whose end
   is below so_far are judged as missed. Beyond the highest end so_far becomes a score. A bound that is not
   above an earlier one changes nothing. Returns SOOTH_BAD_DATA if so_far is NaN, infinite, or below 0 on the
   log scale; SOOTH_BAD_ARGUMENT if the ticket is not out. */
SOOTH_API sooth_status sooth_conformal_delayed_waiting(sooth_env *env, sooth_conformal_delayed *delayed,
                                                       uint64_t ticket, float so_far);

/* Adds the label of a ticket, and takes the ticket back. An infinite label (of an endless run) has the
   largest score. Returns SOOTH_BAD_DATA, and the ticket stays out, if the label is NaN, below 0 on the log
   scale, or below the bound reported earlier; SOOTH_BAD_ARGUMENT if the ticket is not out, such as after a
   second label. */
SOOTH_API sooth_status sooth_conformal_delayed_learn(sooth_env *env, sooth_conformal_delayed *delayed,
                                                     uint64_t ticket, float actual);

/* Takes back a ticket whose label will not come (a cancelled request). Levels that were not judged are not
   judged; a lower bound among the scores stays. Returns SOOTH_BAD_ARGUMENT if the ticket is not out. */
SOOTH_API sooth_status sooth_conformal_delayed_forget(sooth_env *env, sooth_conformal_delayed *delayed,
                                                      uint64_t ticket);

/* Returns the names and ranges of the options. */
SOOTH_API sooth_option_list sooth_conformal_delayed_options_list(void);

SOOTHI_C_END
#endif /* SOOTH_CONFORMAL_DELAYED_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_CONFORMAL_DELAYED_IMPLEMENTED) && \
    !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_CONFORMAL_DELAYED_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- the arrays ---- */

#define SOOTHI_DELAYED_NONE UINT32_MAX

/* A node of the tree of scores. */
typedef struct soothi_delayed_score {
    float score;
    uint32_t parent, left, right;
    uint32_t size;   /* nodes of this subtree */
    uint32_t ticket; /* ticket whose lower bound this is, or NONE */
} soothi_delayed_score;

typedef struct soothi_delayed_ticket {
    float predicted;
    float so_far;    /* the label exceeds it; below any label at first */
    uint32_t serial; /* changes with each issue and return; odd while the ticket is out */
    uint32_t step;   /* r_i */
    uint32_t place;  /* score of its lower bound, or NONE; of a free ticket the next one of the list */
    uint32_t judged; /* bit l: level l has been judged, or is not to be */
} soothi_delayed_ticket;

typedef struct soothi_delayed_parts {
    soothi_delayed_score *score;
    soothi_delayed_ticket *ticket;
    float *end; /* of ticket t at level l: end[t levels + l] */
} soothi_delayed_parts;

SOOTHI_LOCAL soothi_delayed_parts soothi_delayed_layout(const sooth_conformal_delayed *d, soothi_carver *c) {
    soothi_delayed_parts p;
    soothi_carve(c, 1, sizeof *d);
    p.score = (soothi_delayed_score *)soothi_carve(c, d->capacity, sizeof *p.score);
    p.ticket = (soothi_delayed_ticket *)soothi_carve(c, d->tickets, sizeof *p.ticket);
    p.end = (float *)soothi_carve(c, (size_t)d->tickets * d->levels, sizeof *p.end);
    return p;
}

SOOTHI_LOCAL soothi_delayed_parts soothi_delayed_open(const sooth_conformal_delayed *d) {
    soothi_carver c = {(unsigned char *)(uintptr_t)d, 0};
    return soothi_delayed_layout(d, &c);
}

/* ---- the tree of scores: a treap whose priorities are hashes of the places ---- */

SOOTHI_LOCAL uint32_t soothi_delayed_priority(uint32_t place) {
    uint32_t h = place + 0x9E3779B9u;
    h = (h ^ h >> 16) * 0x85EBCA6Bu;
    h = (h ^ h >> 13) * 0xC2B2AE35u;
    return h ^ h >> 16;
}

SOOTHI_LOCAL uint32_t soothi_delayed_nodes(const soothi_delayed_score *s, uint32_t at) {
    return at == SOOTHI_DELAYED_NONE ? 0 : s[at].size;
}

/* Makes `to` the child of `parent` in place of `from`. */
SOOTHI_LOCAL void soothi_delayed_relink(sooth_conformal_delayed *d, soothi_delayed_score *s, uint32_t parent,
                                        uint32_t from, uint32_t to) {
    if (parent == SOOTHI_DELAYED_NONE) d->state.root = to;
    else if (s[parent].left == from) s[parent].left = to;
    else s[parent].right = to;
    if (to != SOOTHI_DELAYED_NONE) s[to].parent = parent;
}

/* Moves node x above its parent. */
SOOTHI_LOCAL void soothi_delayed_rotate(sooth_conformal_delayed *d, soothi_delayed_score *s, uint32_t x) {
    const uint32_t p = s[x].parent, above = s[p].parent;
    if (s[p].left == x) {
        soothi_delayed_relink(d, s, p, x, s[x].right);
        s[x].right = p;
    } else {
        soothi_delayed_relink(d, s, p, x, s[x].left);
        s[x].left = p;
    }
    soothi_delayed_relink(d, s, above, p, x);
    s[p].parent = x;
    s[x].size = s[p].size;
    s[p].size = 1 + soothi_delayed_nodes(s, s[p].left) + soothi_delayed_nodes(s, s[p].right);
}

SOOTHI_LOCAL void soothi_delayed_insert(sooth_conformal_delayed *d, soothi_delayed_score *s, uint32_t x) {
    uint32_t parent = SOOTHI_DELAYED_NONE, at = d->state.root;
    const float score = s[x].score;
    int left = 0;
    while (at != SOOTHI_DELAYED_NONE) {
        parent = at;
        ++s[at].size;
        left = score < s[at].score || (score <= s[at].score && x < at);
        at = left ? s[at].left : s[at].right;
    }
    s[x].left = s[x].right = SOOTHI_DELAYED_NONE;
    s[x].parent = parent;
    s[x].size = 1;
    if (parent == SOOTHI_DELAYED_NONE) d->state.root = x;
    else if (left) s[parent].left = x;
    else s[parent].right = x;
    while (s[x].parent != SOOTHI_DELAYED_NONE &&
           soothi_delayed_priority(s[x].parent) < soothi_delayed_priority(x))
        soothi_delayed_rotate(d, s, x);
}

SOOTHI_LOCAL void soothi_delayed_remove(sooth_conformal_delayed *d, soothi_delayed_score *s, uint32_t x) {
    while (s[x].size > 1) {
        const uint32_t l = s[x].left, r = s[x].right;
        soothi_delayed_rotate(
            d, s,
            l == SOOTHI_DELAYED_NONE ||
                    (r != SOOTHI_DELAYED_NONE && soothi_delayed_priority(l) < soothi_delayed_priority(r))
                ? r
                : l);
    }
    soothi_delayed_relink(d, s, s[x].parent, x, SOOTHI_DELAYED_NONE);
    for (uint32_t at = s[x].parent; at != SOOTHI_DELAYED_NONE; at = s[at].parent) --s[at].size;
}

/* Returns the score with this rank, from 1. */
SOOTHI_LOCAL float soothi_delayed_ranked(const sooth_conformal_delayed *d, const soothi_delayed_score *s,
                                         uint32_t rank) {
    uint32_t at = d->state.root;
    for (;;) {
        const uint32_t below = soothi_delayed_nodes(s, s[at].left);
        if (rank == below + 1) return s[at].score;
        if (rank <= below) {
            at = s[at].left;
        } else {
            rank -= below + 1;
            at = s[at].right;
        }
    }
}

/* Adds a score in place of the oldest, and returns its place. */
SOOTHI_LOCAL uint32_t soothi_delayed_keep(sooth_conformal_delayed *d, const soothi_delayed_parts *p,
                                          float score, uint32_t ticket) {
    uint32_t place = d->count;
    if (d->count < d->capacity) {
        ++d->count;
    } else {
        place = d->state.oldest;
        d->state.oldest = place + 1 < d->capacity ? place + 1 : 0;
        soothi_delayed_remove(d, p->score, place);
        if (p->score[place].ticket != SOOTHI_DELAYED_NONE) {
            p->ticket[p->score[place].ticket].place = SOOTHI_DELAYED_NONE;
            --d->open;
        }
    }
    p->score[place].score = score;
    p->score[place].ticket = ticket;
    d->open += ticket != SOOTHI_DELAYED_NONE;
    soothi_delayed_insert(d, p->score, place);
    return place;
}

/* ---- working levels and ends ---- */

/* Computes how far the end of level l is from a prediction. spread: 0.4 of the distance between the 5 and
   95 % quantiles (for normal errors 1.3 standard deviations, as the interquartile range), at least 1/1024
   (plain scale: of the median), so that ends move even if all scores are equal. */
SOOTHI_LOCAL float soothi_delayed_move(const sooth_conformal_delayed *d, const soothi_delayed_score *s,
                                       uint32_t l, float spread) {
    const int64_t unit = SOOTHI_CONFORMAL_UNIT, a = d->miscover[l], least = a / 4;
    int64_t most = unit - (unit - a) / 4, used = d->working[l];
    if (most > 4 * a) most = 4 * a;
    if (used < least) used = least;
    if (used > most) used = most;
    int64_t rank = (((int64_t)d->count + 1) * (unit - used) + unit - 1) >> 30;
    if (rank > (int64_t)d->count) rank = d->count;
    float move = soothi_delayed_ranked(d, s, rank > 0 ? (uint32_t)rank : 1u);
    if (used != d->working[l] && move <= FLT_MAX) {
        const float share = (float)a / (float)unit;
        const float beyond = (float)(used - d->working[l]) / (float)unit;
        if (spread <= FLT_MAX || beyond > 0.0f)
            move += d->gain * beyond / soothi_sqrt_f(share * (1.0f - share)) * spread;
    }
    return move < -FLT_MAX ? -FLT_MAX : move;
}

SOOTHI_LOCAL void soothi_delayed_renew(sooth_conformal_delayed *d, const soothi_delayed_parts *p) {
    if (d->count < d->min_count) return;
    const uint32_t n = d->count;
    const float low = soothi_delayed_ranked(d, p->score, n / 20 + 1);
    const float middle = soothi_delayed_ranked(d, p->score, n / 2 + 1);
    float spread = 0.4f * (soothi_delayed_ranked(d, p->score, n - n / 20) - low), floor = 1.0f / 1024.0f;
    if (d->scale == SOOTH_CONFORMAL_PLAIN) floor *= middle < 0.0f ? -middle : middle;
    if (!(spread >= floor)) spread = floor; /* NaN: infinity minus infinity */
    for (uint32_t l = 0; l < d->levels; ++l) {
        const float move = soothi_delayed_move(d, p->score, l, spread);
        d->move[l] = l > 0 && move < d->move[l - 1] ? d->move[l - 1] : move;
    }
}

SOOTH_API void sooth_conformal_delayed_predict(const sooth_conformal_delayed *d, float predicted,
                                               float *ends) {
    float low;
    for (uint32_t l = 0; l < d->levels; ++l) {
        const float move = d->move[l];
        if (soothi_is_missing(predicted)) ends[l] = predicted;
        else
            soothi_conformal_ends(d->scale, predicted, soothi_conformal_infinite(), predicted,
                                  move <= FLT_MAX ? soothi_conformal_widened(move, d->scale) : move, &low,
                                  &ends[l]);
    }
}

/* Counts that level l of a ticket held, or missed, once. */
SOOTHI_LOCAL void soothi_delayed_judge(sooth_conformal_delayed *d, soothi_delayed_ticket *t, uint32_t l,
                                       uint32_t missed) {
    const int64_t up = (int64_t)t->step * d->miscover[l] >> 30;
    if (t->judged >> l & 1u) return;
    t->judged |= 1u << l;
    d->working[l] += missed ? up - (int64_t)t->step : up;
    if (d->judged[l] == UINT32_MAX) {
        d->judged[l] /= 2;
        d->missed[l] /= 2;
    }
    ++d->judged[l];
    d->missed[l] += missed;
}

/* Returns the score of a label, or of a lower bound. */
SOOTHI_LOCAL float soothi_delayed_measure(const sooth_conformal_delayed *d, float predicted, float actual) {
    const float score =
        (d->scale == SOOTH_CONFORMAL_LOG ? sooth_log(actual / predicted) : actual - predicted) + 0.0f;
    return score < -FLT_MAX ? -FLT_MAX : score;
}

/* ---- tickets ---- */

/* Finds a ticket that is out. Its number is the serial, then the position. */
SOOTHI_LOCAL sooth_status soothi_delayed_find(sooth_env *env, const sooth_conformal_delayed *d,
                                              const soothi_delayed_parts *p, uint64_t ticket,
                                              uint32_t *found) {
    const uint32_t serial = (uint32_t)(ticket >> 32);
    *found = (uint32_t)ticket;
    if (*found < d->tickets && serial % 2 == 1 && p->ticket[*found].serial == serial) return SOOTH_OK;
    return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                      "ticket %u-%u is not out: it was not issued, or is already learned or forgotten",
                      serial, *found);
}

SOOTHI_LOCAL void soothi_delayed_return(sooth_conformal_delayed *d, soothi_delayed_ticket *t, uint32_t at) {
    ++t->serial;
    t->place = d->state.unused;
    d->state.unused = at;
    --d->out;
}

SOOTH_API sooth_status sooth_conformal_delayed_send(sooth_env *env, sooth_conformal_delayed *d,
                                                    float predicted, const float *ends, uint64_t *ticket) {
    float now[SOOTH_CONFORMAL_MAX_LEVELS];
    const soothi_delayed_parts p = soothi_delayed_open(d);
    const uint32_t at = d->state.unused;
    *ticket = 0;
    if (!soothi_finite((double)predicted) || (d->scale == SOOTH_CONFORMAL_LOG && !(predicted > 0.0f)))
        return sooth_fail(env, SOOTH_BAD_DATA, "the prediction is %f, but must be finite%s",
                          (double)predicted, d->scale == SOOTH_CONFORMAL_LOG ? " and above 0" : "");
    sooth_conformal_delayed_predict(d, predicted, now);
    if (!ends) ends = now;
    for (uint32_t l = 0; l < d->levels; ++l)
        if (!(ends[l] >= (l > 0 ? ends[l - 1] : ends[0])))
            return sooth_fail(env, SOOTH_BAD_DATA, "the end of level %f is %f, but ends must ascend",
                              (double)d->level[l], (double)ends[l]);
    if (at == SOOTHI_DELAYED_NONE)
        return sooth_fail(env, SOOTH_NO_MEMORY, "all %u tickets are out: learn or forget one first",
                          d->tickets);
    soothi_delayed_ticket *t = &p.ticket[at];
    d->state.unused = t->place;
    ++d->out;
    ++t->serial;
    t->predicted = predicted;
    t->so_far = d->scale == SOOTH_CONFORMAL_LOG ? 0.0f : -FLT_MAX;
    t->step = (uint32_t)(d->rate / (1.0f + (float)d->out * d->rate / d->travel) * 1073741824.0f);
    t->place = SOOTHI_DELAYED_NONE;
    t->judged = 0;
    for (uint32_t l = 0; l < d->levels; ++l) {
        p.end[(size_t)at * d->levels + l] = ends[l];
        if (ends[l] > FLT_MAX && d->count < d->min_count) t->judged |= 1u << l;
    }
    *ticket = (uint64_t)t->serial << 32 | at;
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_conformal_delayed_waiting(sooth_env *env, sooth_conformal_delayed *d,
                                                       uint64_t ticket, float so_far) {
    const soothi_delayed_parts p = soothi_delayed_open(d);
    uint32_t at, judged;
    const sooth_status status = soothi_delayed_find(env, d, &p, ticket, &at);
    if (status != SOOTH_OK) return status;
    if (!soothi_finite((double)so_far) || (d->scale == SOOTH_CONFORMAL_LOG && so_far < 0.0f))
        return sooth_fail(env, SOOTH_BAD_DATA, "a label exceeds %f so far, but this must be finite%s",
                          (double)so_far, d->scale == SOOTH_CONFORMAL_LOG ? " and 0 or more" : "");
    soothi_delayed_ticket *t = &p.ticket[at];
    const float *end = p.end + (size_t)at * d->levels;
    if (!(so_far > t->so_far)) return SOOTH_OK;
    t->so_far = so_far;
    judged = t->judged;
    for (uint32_t l = 0; l < d->levels && so_far > end[l]; ++l) soothi_delayed_judge(d, t, l, 1);
    if (so_far > end[d->levels - 1]) {
        const float score = soothi_delayed_measure(d, t->predicted, so_far);
        if (t->place == SOOTHI_DELAYED_NONE) {
            t->place = soothi_delayed_keep(d, &p, score, at);
        } else {
            soothi_delayed_remove(d, p.score, t->place);
            p.score[t->place].score = score;
            soothi_delayed_insert(d, p.score, t->place);
        }
    } else if (judged == t->judged) {
        return SOOTH_OK;
    }
    soothi_delayed_renew(d, &p);
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_conformal_delayed_learn(sooth_env *env, sooth_conformal_delayed *d,
                                                     uint64_t ticket, float actual) {
    const soothi_delayed_parts p = soothi_delayed_open(d);
    uint32_t at;
    const sooth_status status = soothi_delayed_find(env, d, &p, ticket, &at);
    if (status != SOOTH_OK) return status;
    soothi_delayed_ticket *t = &p.ticket[at];
    if (!(actual >= t->so_far))
        return sooth_fail(env, SOOTH_BAD_DATA, "the label is %f, but must be at least %f%s", (double)actual,
                          (double)t->so_far, t->so_far > 0.0f ? ", which it exceeded while it waited" : "");
    const float *end = p.end + (size_t)at * d->levels;
    const float score = soothi_delayed_measure(d, t->predicted, actual);
    for (uint32_t l = 0; l < d->levels; ++l) soothi_delayed_judge(d, t, l, actual > end[l]);
    if (t->place == SOOTHI_DELAYED_NONE) {
        soothi_delayed_keep(d, &p, score, SOOTHI_DELAYED_NONE);
    } else {
        soothi_delayed_remove(d, p.score, t->place);
        p.score[t->place].score = score;
        p.score[t->place].ticket = SOOTHI_DELAYED_NONE;
        soothi_delayed_insert(d, p.score, t->place);
        --d->open;
    }
    soothi_delayed_return(d, t, at);
    soothi_delayed_renew(d, &p);
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_conformal_delayed_forget(sooth_env *env, sooth_conformal_delayed *d,
                                                      uint64_t ticket) {
    const soothi_delayed_parts p = soothi_delayed_open(d);
    uint32_t at;
    const sooth_status status = soothi_delayed_find(env, d, &p, ticket, &at);
    if (status != SOOTH_OK) return status;
    soothi_delayed_ticket *t = &p.ticket[at];
    if (t->place != SOOTHI_DELAYED_NONE) {
        p.score[t->place].ticket = SOOTHI_DELAYED_NONE;
        --d->open;
    }
    soothi_delayed_return(d, t, at);
    return SOOTH_OK;
}

/* ---- initialisation ---- */

SOOTH_API sooth_option_list sooth_conformal_delayed_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_COUNT(sooth_conformal_delayed_options, capacity, 3, 1048576, 300, "stored scores"),
        SOOTHI_COUNT(sooth_conformal_delayed_options, tickets, 1, 1048576, 1024,
                     "predictions without a label"),
        SOOTHI_COUNT(sooth_conformal_delayed_options, min_count, 1, 1048576, 0,
                     "scores before ends are finite; 0 means 20, or capacity if less"),
        SOOTHI_CHOICE(sooth_conformal_delayed_options, scale, "plain|log",
                      "log: ends multiply the prediction"),
        SOOTHI_NUMBER(sooth_conformal_delayed_options, rate, 0.0001, 0.5, 0.02,
                      "step of the working levels without delay"),
        SOOTHI_NUMBER(sooth_conformal_delayed_options, travel, 0.01, 1000, 0.5,
                      "how far tickets that are out may move a level, times a logarithm"),
        SOOTHI_NUMBER(sooth_conformal_delayed_options, gain, 0.001, 100, 0.1,
                      "how fast an end moves beyond the ranks of its level")};
    return SOOTHI_OPTIONS(option);
}

SOOTHI_LOCAL sooth_status soothi_delayed_shape(sooth_env *env, const sooth_conformal_delayed_options *options,
                                               size_t levels, sooth_conformal_delayed *d) {
    sooth_conformal_delayed_options o;
    soothi_carver c = {NULL, 0};
    memset(d, 0, sizeof *d);
    const sooth_status status =
        soothi_options_resolve(env, sooth_conformal_delayed_options_list(), options, sizeof o, &o);
    if (status != SOOTH_OK) return status;
    if (levels < 1 || levels > SOOTH_CONFORMAL_MAX_LEVELS)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "there are %z levels, but must be 1 to %d", levels,
                          SOOTH_CONFORMAL_MAX_LEVELS);
    if (o.min_count == 0) o.min_count = o.capacity < 20 ? o.capacity : 20;
    if (o.min_count > o.capacity)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "min_count is %u, but must be at most capacity, %u",
                          o.min_count, o.capacity);
    d->levels = (uint32_t)levels;
    d->capacity = o.capacity;
    d->tickets = o.tickets;
    d->min_count = o.min_count;
    d->scale = o.scale;
    d->rate = (float)o.rate;
    d->travel = (float)o.travel;
    d->gain = (float)o.gain;
    soothi_delayed_layout(d, &c);
    d->size = c.used;
    return SOOTH_OK;
}

SOOTH_API size_t sooth_conformal_delayed_size(const sooth_conformal_delayed_options *options, size_t levels) {
    sooth_conformal_delayed d;
    return soothi_delayed_shape(NULL, options, levels, &d) == SOOTH_OK ? d.size : 0;
}

SOOTH_API sooth_status sooth_conformal_delayed_init(sooth_env *env,
                                                    const sooth_conformal_delayed_options *options,
                                                    const float *level, size_t levels, void *memory,
                                                    size_t size, sooth_conformal_delayed **delayed) {
    sooth_conformal_delayed d;
    *delayed = NULL;
    const sooth_status status = soothi_delayed_shape(env, options, levels, &d);
    if (status != SOOTH_OK) return status;
    for (uint32_t l = 0; l < d.levels; ++l) {
        if (!(level[l] >= 0.001f && level[l] <= 0.999f) || (l > 0 && !(level[l] > level[l - 1])))
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "level %u is %f, but levels must ascend and be 0.001 to 0.999", l + 1,
                              (double)level[l]);
        d.level[l] = level[l];
        d.miscover[l] = (uint32_t)((1.0f - level[l]) * 1073741824.0f);
        d.working[l] = d.miscover[l];
        d.move[l] = soothi_conformal_infinite();
    }
    if (!memory || size < d.size)
        return sooth_fail(env, SOOTH_NO_MEMORY, "the object needs %z bytes of memory, but has %z", d.size,
                          memory ? size : (size_t)0);
    if ((uintptr_t)memory % offsetof(soothi_align, d) != 0)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the memory of the object must be aligned like a double");
    d.state.root = SOOTHI_DELAYED_NONE;
    memset(memory, 0, d.size);
    memcpy(memory, &d, sizeof d);
    *delayed = (sooth_conformal_delayed *)memory;
    const soothi_delayed_parts p = soothi_delayed_open(*delayed);
    for (uint32_t i = 0; i < d.tickets; ++i)
        p.ticket[i].place = i + 1 < d.tickets ? i + 1 : SOOTHI_DELAYED_NONE;
    return SOOTH_OK;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
