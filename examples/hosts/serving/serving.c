/* serving.c - the functions of serving.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "serving.h"

typedef float serving_ends[SERVING_TARGETS][SERVING_MAX_QUANTILES];

/* What predictions read. Events write the one of two that no reader has. */
typedef struct serving_view {
    const sooth_boost *model[SERVING_TARGETS];
    serving_ends move[SERVING_MAX_KINDS];   /* weighted logarithms of the memories */
    serving_ends memory[SERVING_MAX_KINDS]; /* the same without trees */
    serving_ends trees;                     /* their weights */
    float (*rate)[SERVING_TARGETS];         /* of pods, logarithms */
} serving_view;

typedef struct serving_ticket {
    uint32_t serial, next; /* serial: odd while out */
    uint32_t pod, kind;
    double sent;
    float base[SERVING_TARGETS], row[SERVING_COLUMNS];
    serving_ends end, said[SERVING_MEMBERS]; /* ms; logarithms of ratios */
    uint64_t inner[SERVING_TARGETS][SERVING_MEMORIES];
} serving_ticket;

/* Rows of one target. While trees are learned, new ones go to the last SERVING_ASIDE. */
typedef struct serving_rows {
    float *x, *y;
    uint32_t count, oldest, aside, fresh; /* fresh: since trees were learned */
} serving_rows;

typedef struct serving_record {
    float loss[SERVING_MEMBERS], judged[SERVING_MEMBERS], weight[SERVING_MEMBERS];
    float pinball, held, share;
} serving_record;

typedef struct serving_rate {
    uint32_t kind;
    float sum[SERVING_TARGETS], count[SERVING_TARGETS], log[SERVING_TARGETS];
} serving_rate;

struct serving {
    serving_options o;
    sooth_slot slot;
    serving_view view[2];
    uint32_t at, unused, labels[SERVING_TARGETS];
    uintptr_t learning, writing;  /* between the thread that learns and events */
    uintptr_t learned, published; /* bit 0: the generation of models; bits 1, 2: targets that have one */
    sooth_conformal_delayed *memory[SERVING_MAX_KINDS][SERVING_TARGETS][SERVING_MEMORIES];
    serving_record record[SERVING_TARGETS][SERVING_MAX_QUANTILES];
    serving_rows rows[SERVING_TARGETS];
    serving_ticket *ticket;
    serving_rate *rate;
    unsigned char *store, *scratch; /* models: two generations of a model for each target */
    size_t scratch_size;
};

static const uint32_t serving_capacity[SERVING_MEMORIES] = {50, 300};

/* ---- making one ---- */

static void *carve(unsigned char *memory, size_t *used, size_t count, size_t size) {
    void *at = memory ? memory + *used : NULL;
    *used += (count * size + 63) / 64 * 64;
    return at;
}

/* Resolves the options and places all parts from memory on (NULL: only counts). Returns the bytes, or 0. */
static size_t layout(const serving_options *options, unsigned char *memory, serving *s,
                     sooth_slot_reader **readers) {
    size_t used = 0;
    memset(s, 0, sizeof *s);
    if (options) s->o = *options;
    serving_options *o = &s->o;
    if (!o->pods) o->pods = 16;
    if (!o->kinds) o->kinds = 1;
    if (!o->readers) o->readers = 1;
    if (!o->rows) o->rows = 10000;
    if (!o->tickets) o->tickets = 512;
    if (!o->quantiles) {
        static const float usual[] = {0.5f, 0.9f, 0.99f};
        o->quantiles = 3;
        memcpy(o->quantile, usual, sizeof usual);
    }
    if (!(o->chunk > 0.0f)) o->chunk = 8192.0f;
    if (o->kinds > SERVING_MAX_KINDS || o->quantiles > SERVING_MAX_QUANTILES || o->rows < 100 ||
        (o->pods | o->readers | o->rows | o->tickets) > 1u << 20)
        return 0;
    carve(memory, &used, 1, sizeof *s);
    *readers = (sooth_slot_reader *)carve(memory, &used, o->readers, sizeof **readers);
    for (int v = 0; v < 2; ++v)
        s->view[v].rate = (float(*)[SERVING_TARGETS])carve(memory, &used, o->pods, sizeof *s->view[v].rate);
    s->rate = (serving_rate *)carve(memory, &used, o->pods, sizeof *s->rate);
    s->ticket = (serving_ticket *)carve(memory, &used, (size_t)o->tickets * o->kinds, sizeof *s->ticket);
    for (int t = 0; t < SERVING_TARGETS; ++t) {
        s->rows[t].x =
            (float *)carve(memory, &used, o->rows + SERVING_ASIDE, SERVING_COLUMNS * sizeof(float));
        s->rows[t].y = (float *)carve(memory, &used, o->rows + SERVING_ASIDE, sizeof(float));
    }
    s->store = (unsigned char *)carve(memory, &used, 2 * SERVING_TARGETS, SERVING_MODEL_SIZE);
    s->scratch_size = (1u << 20) + (size_t)o->rows * 160;
    s->scratch = (unsigned char *)carve(memory, &used, 1, s->scratch_size);
    for (uint32_t i = 0; i < o->kinds * SERVING_TARGETS * SERVING_MEMORIES; ++i) {
        const sooth_conformal_delayed_options inner = {.capacity = serving_capacity[i % SERVING_MEMORIES],
                                                       .tickets = o->tickets,
                                                       .scale = SOOTH_CONFORMAL_LOG};
        const size_t size = sooth_conformal_delayed_size(&inner, o->quantiles);
        sooth_conformal_delayed **made =
            &s->memory[i / SERVING_MEMORIES / SERVING_TARGETS][i / SERVING_MEMORIES % SERVING_TARGETS]
                      [i % SERVING_MEMORIES];
        unsigned char *at = (unsigned char *)carve(memory, &used, 1, size);
        if (memory &&
            sooth_conformal_delayed_init(NULL, &inner, o->quantile, o->quantiles, at, size, made) != SOOTH_OK)
            return 0;
    }
    return used;
}

size_t serving_size(const serving_options *options) {
    serving s;
    sooth_slot_reader *readers;
    return layout(options, NULL, &s, &readers);
}

/* ---- predicting ---- */

/* Tokens ahead; the pod takes `pace` ms for one (0: not known). */
static float ahead(float chunk, float tokens, const serving_pod *pod, float pace) {
    const float step = pod->prefill < chunk ? pod->prefill : chunk;
    float done = 0.5f * step;
    if (pod->age > 0.0f && pace > 0.0f) done = pod->age < step * pace ? pod->age / pace : step;
    return tokens + pod->prefill + 500.0f - done;
}

float serving_ahead(const serving *s, float tokens, const serving_pod *pod) {
    return ahead(s->o.chunk, tokens, pod, 0.0f);
}

static void describe(float tokens, const serving_pod *pod, float *row) {
    row[0] = pod->cache;
    row[1] = tokens;
    row[2] = pod->waiting;
    row[3] = pod->running;
    row[4] = pod->prefill;
    row[5] = pod->running - pod->waiting;
    row[6] = (float)pod->kind;
}

static float base_of(const serving *s, const serving_view *view, uint32_t t, float tokens,
                     const serving_pod *pod) {
    const float rate = pod->pod < s->o.pods ? sooth_exp(view->rate[pod->pod][t]) : 1.0f;
    if (t != SERVING_TTFT) return rate;
    const float pace = view->memory[pod->kind][t][0] <= FLT_MAX ? rate * sooth_exp(view->memory[pod->kind][t][0]) : 0.0f;
    return ahead(s->o.chunk, tokens, pod, pace) * rate;
}

/* Quantiles of a target: law, memories, and trees[q] x their weights (NULL: without). Ascending. */
static void mix(const serving *s, const serving_view *view, uint32_t t, float base, uint32_t kind,
                const float *trees, float *out) {
    const float *move = trees ? view->move[kind][t] : view->memory[kind][t];
    for (uint32_t q = 0; q < s->o.quantiles; ++q) {
        out[q] = base * sooth_exp(trees ? move[q] + view->trees[t][q] * trees[q] : move[q]);
        if (q > 0 && out[q] < out[q - 1]) out[q] = out[q - 1];
    }
}

static int trees_count(const serving *s, const serving_view *view, uint32_t t) {
    float most = 0;
    for (uint32_t q = 0; q < s->o.quantiles; ++q)
        if (view->trees[t][q] > most) most = view->trees[t][q];
    return view->model[t] && most > 0.0f;
}

void serving_predict(serving *s, size_t reader, float tokens, const serving_pod *pod, size_t n, float *out) {
    const serving_view *view = (const serving_view *)sooth_slot_enter(&s->slot, reader);
    const uint32_t quantiles = s->o.quantiles;
    for (size_t first = 0; first < n; first += 16) {
        float row[16][SERVING_COLUMNS], trees[16][SERVING_MAX_QUANTILES];
        const size_t block = n - first < 16 ? n - first : 16;
        for (size_t i = 0; i < block; ++i) describe(tokens, &pod[first + i], row[i]);
        for (uint32_t t = 0; t < SERVING_TARGETS; ++t) {
            const int with = trees_count(s, view, t);
            if (with) sooth_boost_predict_many(view->model[t], row[0], block, SERVING_COLUMNS, trees[0]);
            for (size_t i = 0; i < block; ++i)
                mix(s, view, t, base_of(s, view, t, tokens, &pod[first + i]), pod[first + i].kind,
                    with ? trees[0] + i * quantiles : NULL,
                    out + ((first + i) * SERVING_TARGETS + t) * quantiles);
        }
    }
    sooth_slot_leave(&s->slot, reader);
}

float serving_load(serving *s, size_t reader, float tokens, const serving_pod *pod, uint32_t target,
                   uint32_t q, float bound) {
    const serving_view *view = (const serving_view *)sooth_slot_enter(&s->slot, reader);
    float low = 0, high = 1024;
    for (int step = 0; step < 40; ++step) {
        float row[SERVING_COLUMNS], trees[SERVING_MAX_QUANTILES], end[SERVING_MAX_QUANTILES];
        const float x = step == 0 ? low : step == 1 ? high : 0.5f * (low + high);
        serving_pod then = *pod;
        then.cache = pod->cache * x < 1.0f ? pod->cache * x : 1.0f;
        then.waiting *= x;
        then.running *= x;
        then.prefill *= x;
        describe(tokens, &then, row);
        const int with = target == SERVING_TPOT && trees_count(s, view, target);
        if (with) sooth_boost_predict_many(view->model[target], row, 1, SERVING_COLUMNS, trees);
        mix(s, view, target, base_of(s, view, target, tokens, &then), pod->kind, with ? trees : NULL, end);
        if (end[q] <= bound) low = x;
        else high = x;
        if (low >= high) break;
    }
    sooth_slot_leave(&s->slot, reader);
    return low;
}

/* ---- events ---- */

/* Median of the rates of the pods of a pod's kind that have labels; O(pods^2), but only of that kind. */
static float median_rate(const serving *s, uint32_t pod, uint32_t t) {
    const serving_rate *r = s->rate, *of = &s->rate[pod];
    if (!(of->count[t] > 0.0f)) return of->log[t];
    for (uint32_t i = 0; i < s->o.pods; ++i) {
        uint32_t below = 0, equal = 0, all = 0;
        if (r[i].kind != of->kind || !(r[i].count[t] > 0.0f)) continue;
        for (uint32_t j = 0; j < s->o.pods; ++j) {
            if (r[j].kind != of->kind || !(r[j].count[t] > 0.0f)) continue;
            ++all;
            below += r[j].log[t] < r[i].log[t];
            equal += r[j].log[t] <= r[i].log[t];
        }
        if (below <= (all - 1) / 2 && equal > (all - 1) / 2) return r[i].log[t];
    }
    return 0.0f;
}

/* Writes the view that no reader has, and publishes it; later, if a reader still has it. */
static void publish(serving *s) {
    const uint32_t quantiles = s->o.quantiles, next = 1 - s->at;
    serving_view *view = &s->view[next];
    if (!sooth_slot_is_quiet(&s->slot)) return;
    const uintptr_t learned = SOOTH_SLOT_LOAD(&s->learned);
    for (uint32_t t = 0; t < SERVING_TARGETS; ++t) {
        const sooth_boost *fresh =
            (const sooth_boost *)(s->store + (learned % 2 * SERVING_TARGETS + t) * SERVING_MODEL_SIZE);
        view->model[t] = learned >> (1 + t) & 1 ? fresh : NULL;
        for (uint32_t q = 0; q < quantiles; ++q) {
            const float *w = s->record[t][q].weight;
            view->trees[t][q] = view->model[t] ? w[SERVING_MEMORIES] : 0.0f;
            for (uint32_t k = 0; k < s->o.kinds; ++k) {
                float move = 0, sum = 0;
                for (int m = 0; m < SERVING_MEMORIES; ++m) {
                    move += w[m] * s->memory[k][t][m]->move[q];
                    sum += w[m];
                }
                view->memory[k][t][q] = move / sum;
                view->move[k][t][q] = view->trees[t][q] > 0.0f ? move : move / sum;
            }
        }
        for (uint32_t p = 0; p < s->o.pods; ++p) view->rate[p][t] = s->rate[p].log[t] - median_rate(s, p, t);
    }
    s->at = next;
    sooth_slot_publish(&s->slot, view);
    SOOTH_SLOT_STORE(&s->published, learned);
}

sooth_status serving_init(sooth_env *env, const serving_options *options, void *memory, size_t size,
                          serving **made) {
    serving s;
    sooth_slot_reader *readers;
    const size_t needs = layout(options, NULL, &s, &readers);
    *made = NULL;
    if (!needs)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "%u kinds, %u quantiles and %u rows: at most %d and %d, and at least 100",
                          s.o.kinds, s.o.quantiles, s.o.rows, SERVING_MAX_KINDS, SERVING_MAX_QUANTILES);
    if (!memory || size < needs)
        return sooth_fail(env, SOOTH_NO_MEMORY, "the predictor needs %z bytes of memory, but has %z", needs,
                          memory ? size : (size_t)0);
    memset(memory, 0, needs);
    if (!layout(options, (unsigned char *)memory, &s, &readers))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "quantiles must ascend and be 0.001 to 0.999");
    memcpy(memory, &s, sizeof s);
    *made = (serving *)memory;
    for (uint32_t i = 0; i < s.o.tickets * s.o.kinds; ++i) s.ticket[i].next = i + 1;
    for (uint32_t i = 0; i < SERVING_TARGETS * s.o.quantiles * SERVING_MEMORIES; ++i)
        (*made)
            ->record[i % SERVING_TARGETS][i / SERVING_TARGETS % s.o.quantiles]
            .weight[i / SERVING_TARGETS / s.o.quantiles] = 0.5f;
    sooth_slot_init(&(*made)->slot, readers, s.o.readers, &(*made)->view[0]);
    publish(*made);
    return SOOTH_OK;
}

sooth_status serving_sent(sooth_env *env, serving *s, float tokens, const serving_pod *pod, double now,
                          uint64_t *ticket) {
    serving_ticket *k = &s->ticket[s->unused];
    *ticket = 0;
    if (pod->kind >= s->o.kinds || pod->pod >= s->o.pods)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "pod %u of kind %u: there are %u and %u", pod->pod,
                          pod->kind, s->o.pods, s->o.kinds);
    if (s->unused == s->o.tickets * s->o.kinds)
        return sooth_fail(env, SOOTH_NO_MEMORY, "all %u tickets are out", s->unused);
    publish(s); /* what a reader had kept from being published */
    const serving_view *view = &s->view[s->at];
    describe(tokens, pod, k->row);
    for (uint32_t t = 0; t < SERVING_TARGETS; ++t) {
        float *trees = k->said[SERVING_MEMORIES][t];
        k->base[t] = base_of(s, view, t, tokens, pod);
        if (view->model[t]) sooth_boost_predict_many(view->model[t], k->row, 1, SERVING_COLUMNS, trees);
        else trees[0] = FLT_MAX;
        mix(s, view, t, k->base[t], pod->kind, trees_count(s, view, t) ? trees : NULL, k->end[t]);
        for (int m = 0; m < SERVING_MEMORIES; ++m) {
            sooth_conformal_delayed *memory = s->memory[pod->kind][t][m];
            memcpy(k->said[m][t], memory->move, sizeof k->said[m][t]);
            const sooth_status status =
                sooth_conformal_delayed_send(env, memory, k->base[t], NULL, &k->inner[t][m]);
            if (status == SOOTH_OK) continue;
            for (uint32_t i = 0; i < t * SERVING_MEMORIES + (uint32_t)m; ++i)
                sooth_conformal_delayed_forget(
                    NULL, s->memory[pod->kind][i / SERVING_MEMORIES][i % SERVING_MEMORIES], k->inner[0][i]);
            return status;
        }
    }
    *ticket = (uint64_t)++k->serial << 32 | s->unused;
    s->unused = k->next;
    k->pod = pod->pod;
    k->kind = s->rate[pod->pod].kind = pod->kind;
    k->sent = now;
    return SOOTH_OK;
}

static sooth_status find(sooth_env *env, serving *s, uint64_t ticket, serving_ticket **found) {
    const uint32_t at = (uint32_t)ticket, serial = (uint32_t)(ticket >> 32);
    *found = &s->ticket[at];
    if (at < s->o.tickets * s->o.kinds && serial % 2 == 1 && s->ticket[at].serial == serial) return SOOTH_OK;
    return sooth_fail(env, SOOTH_BAD_ARGUMENT, "ticket %u-%u is not out", serial, at);
}

static void add_row(serving *s, serving_rows *r, const float *row, float y) {
    uint32_t at;
    SOOTH_SLOT_STORE(&s->writing, (uintptr_t)1); /* learning waits for this, events wait for nothing */
    if (SOOTH_SLOT_LOAD(&s->learning)) {
        at = s->o.rows + r->aside % SERVING_ASIDE;
        ++r->aside;
    } else {
        at = r->count < s->o.rows ? r->count++ : r->oldest++;
        if (r->oldest == s->o.rows) r->oldest = 0;
        ++r->fresh;
    }
    memcpy(r->x + (size_t)at * SERVING_COLUMNS, row, SERVING_COLUMNS * sizeof *row);
    r->y[at] = y;
    SOOTH_SLOT_STORE(&s->writing, (uintptr_t)0);
}

/* Adds a row, after those that were put aside while trees were learned. */
static void keep(serving *s, serving_rows *r, const float *row, float y) {
    const uint32_t aside = r->aside < SERVING_ASIDE ? r->aside : SERVING_ASIDE;
    if (aside > 0 && !SOOTH_SLOT_LOAD(&s->learning)) {
        r->aside = 0;
        for (uint32_t i = 0; i < aside; ++i)
            add_row(s, r, r->x + (size_t)(s->o.rows + i) * SERVING_COLUMNS, r->y[s->o.rows + i]);
    }
    add_row(s, r, row, y);
}

static float pinball(float q, float actual, float said) {
    return actual >= said ? q * (actual - said) : (1.0f - q) * (said - actual);
}

/* Judges what each member and the mixture said of a label, and weighs the members anew. */
static void judge(serving *s, const serving_ticket *k, uint32_t t, float actual) {
    for (uint32_t q = 0; q < s->o.quantiles; ++q) {
        serving_record *r = &s->record[t][q];
        const float quantile = s->o.quantile[q], newer = 0.999f, member = 0.993f; /* half after 700, 100 */
        float least = FLT_MAX, sum = 0;
        if (!(k->said[1][t][q] <= FLT_MAX && k->end[t][q] <= FLT_MAX)) continue;
        r->share = newer * r->share + 1.0f;
        r->held = newer * r->held + (actual <= k->end[t][q] ? 1.0f : 0.0f);
        r->pinball = newer * r->pinball + pinball(quantile, actual, k->end[t][q]);
        for (int m = 0; m < SERVING_MEMBERS; ++m) {
            if (m < SERVING_MEMORIES || k->said[m][t][0] < FLT_MAX) {
                const float said = sooth_exp(k->said[m][t][q]) * k->base[t];
                r->loss[m] = member * r->loss[m] + pinball(quantile, actual, said) / actual;
                r->judged[m] = member * r->judged[m] + 1.0f;
            }
            if (r->judged[m] > 20.0f && r->loss[m] / r->judged[m] < least) least = r->loss[m] / r->judged[m];
        }
        if (!(least < FLT_MAX && least > 0.0f)) continue;
        for (int m = 0; m < SERVING_MEMBERS; ++m) {
            r->weight[m] =
                r->judged[m] > 20.0f ? sooth_exp(-8.0f * (r->loss[m] / r->judged[m] / least - 1.0f)) : 0.0f;
            if (r->weight[m] < 0.001f) r->weight[m] = m < SERVING_MEMORIES ? 0.001f : 0.0f;
            sum += r->weight[m];
        }
        for (int m = 0; m < SERVING_MEMBERS; ++m) r->weight[m] /= sum;
    }
}

static void forget(serving *s, serving_ticket *k, uint32_t t) {
    for (int m = 0; m < SERVING_MEMORIES; ++m) {
        if (k->inner[t][m]) sooth_conformal_delayed_forget(NULL, s->memory[k->kind][t][m], k->inner[t][m]);
        k->inner[t][m] = 0;
    }
}

static sooth_status label(sooth_env *env, serving *s, serving_ticket *k, uint32_t t, float ms) {
    if (!(ms > 0.0f && ms <= FLT_MAX))
        return sooth_fail(env, SOOTH_BAD_DATA, "a label is %f ms, but must be above 0", (double)ms);
    if (!k->inner[t][0]) return sooth_fail(env, SOOTH_BAD_ARGUMENT, "this label of the ticket is known");
    for (int m = 0; m < SERVING_MEMORIES; ++m) {
        const sooth_status status =
            sooth_conformal_delayed_learn(env, s->memory[k->kind][t][m], k->inner[t][m], ms);
        if (status != SOOTH_OK) return status;
        k->inner[t][m] = 0;
    }
    const float ratio = sooth_log(ms / k->base[t]), rate = s->view[s->at].rate[k->pod][t];
    judge(s, k, t, ms);
    keep(s, &s->rows[t], k->row, ratio);
    serving_rate *r = &s->rate[k->pod];
    const float usual = s->view[s->at].memory[k->kind][t][0];
    if (usual <= FLT_MAX) {
        const float off = ratio - usual, most = 1.0f;
        r->sum[t] = 0.98f * r->sum[t] + rate + (off > most ? most : off < -most ? -most : off);
        r->count[t] = 0.98f * r->count[t] + 1.0f;
        r->log[t] = r->sum[t] / (r->count[t] + 20.0f);
    }
    ++s->labels[t];
    publish(s);
    return SOOTH_OK;
}

sooth_status serving_first_token(sooth_env *env, serving *s, uint64_t ticket, float ms) {
    serving_ticket *k;
    const sooth_status status = find(env, s, ticket, &k);
    return status == SOOTH_OK ? label(env, s, k, SERVING_TTFT, ms) : status;
}

sooth_status serving_done(sooth_env *env, serving *s, uint64_t ticket, float ms) {
    serving_ticket *k;
    sooth_status status = find(env, s, ticket, &k);
    if (status != SOOTH_OK) return status;
    if (ms > 0.0f) status = label(env, s, k, SERVING_TPOT, ms);
    for (uint32_t t = 0; t < SERVING_TARGETS; ++t) forget(s, k, t);
    ++k->serial;
    k->next = s->unused;
    s->unused = (uint32_t)ticket;
    return status;
}

sooth_status serving_waiting(sooth_env *env, serving *s, double now) {
    for (uint32_t i = 0; i < s->o.tickets * s->o.kinds; ++i) {
        const serving_ticket *k = &s->ticket[i];
        for (int m = 0; m < SERVING_MEMORIES && k->serial % 2 == 1 && k->inner[SERVING_TTFT][0]; ++m) {
            const sooth_status status = sooth_conformal_delayed_waiting(
                env, s->memory[k->kind][SERVING_TTFT][m], k->inner[SERVING_TTFT][m], (float)(now - k->sent));
            if (status != SOOTH_OK) return status;
        }
    }
    publish(s);
    return SOOTH_OK;
}

serving_errors serving_live(const serving *s, uint32_t target, uint32_t q) {
    const serving_record *r = &s->record[target][q];
    serving_errors e = {s->labels[target], r->held / r->share, r->pinball / r->share, {0}};
    memcpy(e.weight, r->weight, sizeof e.weight);
    return e;
}

/* ---- learning ---- */

int serving_due(const serving *s) {
    if (SOOTH_SLOT_LOAD(&s->learning) || SOOTH_SLOT_LOAD(&s->learned) != SOOTH_SLOT_LOAD(&s->published))
        return 0;
    for (int t = 0; t < SERVING_TARGETS; ++t)
        if (s->rows[t].count >= 100 && s->rows[t].fresh >= 50 + s->rows[t].count / 16) return 1;
    return 0;
}

sooth_status serving_learn(sooth_env *env, serving *s) {
    static const signed char rises[SERVING_COLUMNS] = {1, 1, 1, 1, 1, 1, 0};
    uintptr_t learned = ~SOOTH_SLOT_LOAD(&s->learned) & 1;
    sooth_status status = SOOTH_OK;
    if (SOOTH_SLOT_LOAD(&s->published) % 2 == learned) return SOOTH_OK; /* the last trees wait for an event */
    SOOTH_SLOT_STORE(&s->learning, (uintptr_t)1);
    while (SOOTH_SLOT_LOAD(&s->writing)) SOOTH_SLOT_PAUSE();
    sooth_slot_wait(&s->slot); /* no thread reads the models before those any more */
    for (uint32_t t = 0; t < SERVING_TARGETS && status == SOOTH_OK; ++t) {
        unsigned char *store = s->store + (learned % 2 * SERVING_TARGETS + t) * SERVING_MODEL_SIZE;
        sooth_table table = sooth_table_of(s->rows[t].x, s->rows[t].y, s->rows[t].count, SERVING_COLUMNS);
        sooth_boost_options options = {.n_estimators = 60,
                                       .max_depth = 4,
                                       .min_samples_leaf = 20,
                                       .learning_rate = 0.1,
                                       .loss = SOOTH_BOOST_QUANTILE,
                                       .no_cover = 1};
        sooth_arena arena;
        sooth_boost *boost;
        sooth_env inner;
        if (s->rows[t].count < 100) continue;
        for (uint32_t q = 0; q < s->o.quantiles; ++q) options.quantiles[q] = (double)s->o.quantile[q];
        if (t == SERVING_TPOT) options.monotone = rises;
        sooth_env_init(&inner);
        sooth_arena_init(&inner, &arena, s->scratch, s->scratch_size);
        status = sooth_boost_fit(&inner, &table, &options, &boost);
        if (status != SOOTH_OK) {
            sooth_fail(env, status, "%s", inner.sentence);
        } else if (boost->head.size > SERVING_MODEL_SIZE) {
            status = sooth_no_memory(env, "the trees", boost->head.size);
        } else {
            memcpy(store, boost, boost->head.size);
            learned |= (uintptr_t)2 << t;
        }
        s->rows[t].fresh = 0;
    }
    SOOTH_SLOT_STORE(&s->learning, (uintptr_t)0);
    if (status == SOOTH_OK) SOOTH_SLOT_STORE(&s->learned, learned);
    return status;
}
