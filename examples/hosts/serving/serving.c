/* serving.c - the functions of serving.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "serving.h"

typedef float serving_ends[SERVING_TARGETS][SERVING_MAX_QUANTILES];

/* What predictions read. Events write the one of two that no reader has. */
typedef struct serving_view {
    const sooth_boost *model[SERVING_TARGETS];
    serving_ends move[SERVING_MAX_KINDS];   /* logarithms of ratios: the memories' share of the mixture */
    serving_ends memory[SERVING_MAX_KINDS]; /* the mixture of the memories alone */
    serving_ends trees;                     /* weights of the trees */
    int with[SERVING_TARGETS];              /* 1 if one of these is not 0 */
    float (*rate)[SERVING_TARGETS];         /* of pods, logarithms */
} serving_view;

typedef struct serving_ticket {
    uint32_t serial, next, pod, kind; /* serial: odd while out */
    double sent;
    float base[SERVING_TARGETS], row[SERVING_COLUMNS];
    serving_ends end, said[SERVING_MEMBERS]; /* in ms; logarithms of ratios */
    uint64_t inner[SERVING_TARGETS * SERVING_MEMORIES];
} serving_ticket;

typedef struct serving_record { /* discounted sums */
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
    uint32_t at, unused[SERVING_MAX_KINDS], labels[SERVING_TARGETS]; /* at: of views */
    uintptr_t learning, writing;  /* between the thread that learns and events */
    uintptr_t learned, published; /* bit 0: the generation of models; bits 1, 2: targets that have one */
    sooth_conformal_delayed *memory[SERVING_MAX_KINDS][SERVING_TARGETS * SERVING_MEMORIES];
    serving_record record[SERVING_TARGETS][SERVING_MAX_QUANTILES];
    struct {
        float *x, *y;
        uint32_t count, oldest, fresh; /* fresh: since trees were learned */
    } rows[SERVING_TARGETS];
    serving_ticket *ticket;
    serving_rate *rate;
    float median[SERVING_MAX_KINDS][SERVING_TARGETS]; /* of the rates of a kind's pods */
    unsigned char *store, *scratch;                   /* two generations of models; what a fit needs */
    size_t scratch_size;
};

/* ---- making one ---- */

static void *carve(unsigned char *memory, size_t *used, size_t bytes) {
    void *at = memory ? memory + *used : NULL;
    *used += (bytes + 63) / 64 * 64;
    return at;
}

/* Resolves the options and places all parts from memory on (NULL: only counts). Returns the bytes, or 0. */
static size_t layout(const serving_options *options, unsigned char *memory, serving *s,
                     sooth_slot_reader **readers) {
    static const serving_options none = {0}, usual = {.quantiles = 3, .quantile = {0.5f, 0.9f, 0.99f}};
    serving_options *o = &s->o;
    size_t used = 0;
    memset(s, 0, sizeof *s);
    *o = options ? *options : none;
    if (!o->quantiles) memcpy(o->quantile, usual.quantile, sizeof o->quantile);
    if (!o->quantiles) o->quantiles = usual.quantiles;
    if (!o->pods) o->pods = 16;
    if (!o->kinds) o->kinds = 1;
    if (!o->readers) o->readers = 1;
    if (!o->rows) o->rows = 10000;
    if (!o->tickets) o->tickets = 512;
    if (!(o->chunk > 0.0f)) o->chunk = 8192.0f;
    if (o->kinds > SERVING_MAX_KINDS || o->quantiles > SERVING_MAX_QUANTILES || o->rows < 100 ||
        (o->pods | o->readers | o->rows | o->tickets) >> 20)
        return 0;
    carve(memory, &used, sizeof *s);
    *readers = (sooth_slot_reader *)carve(memory, &used, o->readers * sizeof **readers);
    s->rate = (serving_rate *)carve(memory, &used, o->pods * sizeof *s->rate);
    s->ticket = (serving_ticket *)carve(memory, &used, (size_t)o->tickets * o->kinds * sizeof *s->ticket);
    s->store = (unsigned char *)carve(memory, &used, 2 * SERVING_TARGETS * SERVING_MODEL_SIZE);
    s->scratch_size = (1u << 20) + (size_t)o->rows * 160;
    s->scratch = (unsigned char *)carve(memory, &used, s->scratch_size);
    for (int i = 0; i < 2; ++i) { /* views; targets */
        s->view[i].rate = (float(*)[SERVING_TARGETS])carve(memory, &used, o->pods * sizeof *s->view[i].rate);
        s->rows[i].x = (float *)carve(memory, &used, o->rows * SERVING_COLUMNS * sizeof(float));
        s->rows[i].y = (float *)carve(memory, &used, o->rows * sizeof(float));
    }
    for (uint32_t i = 0; i < o->kinds * SERVING_TARGETS * SERVING_MEMORIES; ++i) {
        const sooth_conformal_delayed_options inner = {
            .capacity = i % SERVING_MEMORIES ? 300 : 50, .tickets = o->tickets, .scale = SOOTH_CONFORMAL_LOG};
        const size_t size = sooth_conformal_delayed_size(&inner, o->quantiles);
        void *at = carve(memory, &used, size);
        if (memory && sooth_conformal_delayed_init(NULL, &inner, o->quantile, o->quantiles, at, size,
                                                   s->memory[i / 4] + i % 4) != SOOTH_OK)
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

/* Returns the tokens ahead, if the pod takes `pace` ms for one (0: not known). */
static float ahead(float chunk, float tokens, const serving_pod *pod, float pace) {
    const float step = pod->prefill < chunk ? pod->prefill : chunk;
    float done = 0.5f * step;
    if (pod->age > 0.0f && pace > 0.0f) done = pod->age < step * pace ? pod->age / pace : step;
    return tokens + pod->prefill + 500.0f - done;
}

float serving_ahead(const serving *s, float tokens, const serving_pod *pod) {
    return ahead(s->o.chunk, tokens, pod, 0.0f);
}

/* The law, times the pod's rate. */
static float base_of(const serving *s, const serving_view *v, uint32_t t, float tokens,
                     const serving_pod *pod) {
    const float rate = sooth_exp(v->rate[pod->pod][t]), median = v->memory[pod->kind][t][0];
    if (t == SERVING_TPOT) return rate;
    return rate * ahead(s->o.chunk, tokens, pod, median <= FLT_MAX ? rate * sooth_exp(median) : 0.0f);
}

static void describe(float tokens, const serving_pod *pod, float *row) {
    const float x[SERVING_COLUMNS] = {pod->cache,      tokens,       pod->waiting,
                                      pod->running,    pod->prefill, pod->running - pod->waiting,
                                      (float)pod->kind};
    memcpy(row, x, sizeof x);
}

/* Writes the quantiles of a target, ascending; trees NULL: without them. */
static void mix(const serving *s, const serving_view *v, uint32_t t, float base, uint32_t kind,
                const float *trees, float *out) {
    for (uint32_t q = 0; q < s->o.quantiles; ++q) {
        out[q] =
            base * sooth_exp(trees ? v->move[kind][t][q] + v->trees[t][q] * trees[q] : v->memory[kind][t][q]);
        if (q > 0 && out[q] < out[q - 1]) out[q] = out[q - 1];
    }
}

void serving_predict(serving *s, size_t reader, float tokens, const serving_pod *pod, size_t n, float *out) {
    const serving_view *v = (const serving_view *)sooth_slot_enter(&s->slot, reader);
    const uint32_t quantiles = s->o.quantiles;
    float row[16][SERVING_COLUMNS], trees[16 * SERVING_MAX_QUANTILES];
    for (; n > 0; pod += 16, out += 16 * SERVING_TARGETS * quantiles) {
        const size_t block = n < 16 ? n : 16;
        n -= block;
        for (size_t i = 0; i < block; ++i) describe(tokens, &pod[i], row[i]);
        for (uint32_t t = 0; t < SERVING_TARGETS; ++t) {
            if (v->with[t]) sooth_boost_predict_many(v->model[t], row[0], block, SERVING_COLUMNS, trees);
            for (size_t i = 0; i < block; ++i)
                mix(s, v, t, base_of(s, v, t, tokens, &pod[i]), pod[i].kind,
                    v->with[t] ? trees + i * quantiles : NULL, out + (i * SERVING_TARGETS + t) * quantiles);
        }
    }
    sooth_slot_leave(&s->slot, reader);
}

float serving_load(serving *s, size_t reader, float tokens, const serving_pod *pod, uint32_t target,
                   uint32_t q, float bound) {
    const serving_view *v = (const serving_view *)sooth_slot_enter(&s->slot, reader);
    float low = 0, high = 1024, row[SERVING_COLUMNS], trees[SERVING_MAX_QUANTILES],
          end[SERVING_MAX_QUANTILES];
    for (int step = 0; step < 40 && low < high; ++step) {
        const float x = step == 0 ? low : step == 1 ? high : 0.5f * (low + high);
        const float cache = pod->cache * x < 1.0f ? pod->cache * x : 1.0f;
        const serving_pod then = {pod->pod,         pod->kind,        cache, pod->waiting * x,
                                  pod->running * x, pod->prefill * x, 0};
        const int with = target == SERVING_TPOT && v->with[target];
        describe(tokens, &then, row);
        if (with) sooth_boost_predict_many(v->model[target], row, 1, SERVING_COLUMNS, trees);
        mix(s, v, target, base_of(s, v, target, tokens, &then), pod->kind, with ? trees : NULL, end);
        if (end[q] <= bound) low = x;
        else high = x;
    }
    sooth_slot_leave(&s->slot, reader);
    return low;
}

/* ---- events ---- */

/* Returns the median rate of the pods of a kind that have labels. */
static float median_rate(const serving *s, uint32_t kind, uint32_t t) {
    float median = 0;
    uint32_t all = 0, found = UINT32_MAX;
    for (uint32_t i = 0; i < s->o.pods; ++i) all += s->rate[i].kind == kind && s->rate[i].count[t] > 0.0f;
    for (uint32_t i = 0; i < s->o.pods; ++i) { /* the least with enough pods at or below it */
        uint32_t most = 0;
        if (s->rate[i].kind != kind || !(s->rate[i].count[t] > 0.0f)) continue;
        for (uint32_t j = 0; j < s->o.pods; ++j)
            most += s->rate[j].kind == kind && s->rate[j].count[t] > 0.0f &&
                    s->rate[j].log[t] <= s->rate[i].log[t];
        if (most >= (all + 1) / 2 && most < found) median = s->rate[i].log[t], found = most;
    }
    return median;
}

/* Writes the view that no reader has, and publishes it; with a later event, if a reader still has it. */
static void publish(serving *s) {
    serving_view *v = &s->view[1 - s->at];
    const uintptr_t learned = SOOTH_SLOT_LOAD(&s->learned);
    if (!sooth_slot_is_quiet(&s->slot)) return;
    for (uint32_t t = 0; t < SERVING_TARGETS; ++t) {
        unsigned char *store = s->store + (learned % 2 * SERVING_TARGETS + t) * SERVING_MODEL_SIZE;
        v->model[t] = learned >> (1 + t) & 1 ? (const sooth_boost *)store : NULL;
        v->with[t] = 0;
        for (uint32_t q = 0; q < s->o.quantiles; ++q) {
            const float *w = s->record[t][q].weight;
            v->trees[t][q] = v->model[t] ? w[SERVING_MEMORIES] : 0.0f;
            v->with[t] |= v->trees[t][q] > 0.0f;
            for (uint32_t k = 0; k < s->o.kinds; ++k) {
                sooth_conformal_delayed *const *memory = s->memory[k] + t * SERVING_MEMORIES;
                const float move = w[0] * memory[0]->move[q] + w[1] * memory[1]->move[q];
                v->memory[k][t][q] = move / (w[0] + w[1]);
                v->move[k][t][q] = v->trees[t][q] > 0.0f ? move : v->memory[k][t][q];
            }
        }
        for (uint32_t p = 0; p < s->o.pods; ++p)
            v->rate[p][t] =
                s->rate[p].count[t] > 0.0f ? s->rate[p].log[t] - s->median[s->rate[p].kind][t] : 0.0f;
    }
    s->at = 1 - s->at;
    sooth_slot_publish(&s->slot, v);
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
    for (uint32_t k = 0; k < s.o.kinds; ++k) s.unused[k] = k * s.o.tickets;
    for (uint32_t i = 0; i < s.o.tickets * s.o.kinds; ++i)
        s.ticket[i].next = (i + 1) % s.o.tickets ? i + 1 : UINT32_MAX;
    for (uint32_t q = 0; q < s.o.quantiles; ++q)
        for (uint32_t i = 0; i < SERVING_TARGETS * SERVING_MEMORIES; ++i)
            s.record[i / SERVING_MEMORIES][q].weight[i % SERVING_MEMORIES] = 0.5f;
    *made = (serving *)memory;
    **made = s;
    sooth_slot_init(&(*made)->slot, readers, s.o.readers, &(*made)->view[0]);
    publish(*made);
    return SOOTH_OK;
}

sooth_status serving_sent(sooth_env *env, serving *s, float tokens, const serving_pod *pod, double now,
                          uint64_t *ticket) {
    sooth_status status = SOOTH_OK;
    *ticket = 0;
    if (pod->kind >= s->o.kinds || pod->pod >= s->o.pods)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "there is no pod %u of kind %u", pod->pod, pod->kind);
    if (s->unused[pod->kind] == UINT32_MAX)
        return sooth_fail(env, SOOTH_NO_MEMORY, "all %u tickets of kind %u are out", s->o.tickets, pod->kind);
    publish(s); /* what a reader had held back */
    const serving_view *v = &s->view[s->at];
    serving_ticket *k = &s->ticket[s->unused[pod->kind]];
    for (uint32_t t = 0; t < SERVING_TARGETS && status == SOOTH_OK; ++t) {
        float *trees = k->said[SERVING_MEMORIES][t];
        describe(tokens, pod, k->row);
        k->base[t] = base_of(s, v, t, tokens, pod);
        trees[0] = FLT_MAX; /* none yet */
        if (v->model[t]) sooth_boost_predict_many(v->model[t], k->row, 1, SERVING_COLUMNS, trees);
        mix(s, v, t, k->base[t], pod->kind, v->with[t] ? trees : NULL, k->end[t]);
        for (uint32_t m = 0; m < SERVING_MEMORIES && status == SOOTH_OK; ++m) {
            sooth_conformal_delayed *memory = s->memory[pod->kind][t * SERVING_MEMORIES + m];
            memcpy(k->said[m][t], memory->move, sizeof k->said[m][t]);
            status = sooth_conformal_delayed_send(env, memory, k->base[t], NULL,
                                                  &k->inner[t * SERVING_MEMORIES + m]);
        }
    }
    if (status != SOOTH_OK) return status; /* the tokens are not a number above -500: nothing was sent */
    *ticket = (uint64_t)++k->serial << 32 | s->unused[pod->kind];
    s->unused[pod->kind] = k->next;
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

static float pinball(float q, float actual, float said) {
    return actual >= said ? q * (actual - said) : (1.0f - q) * (said - actual);
}

/* Judges what the mixture and each member said of a label, and weighs the members anew. */
static void judge(serving *s, const serving_ticket *k, uint32_t t, float actual) {
    for (uint32_t q = 0; q < s->o.quantiles; ++q) {
        serving_record *r = &s->record[t][q];
        float least = FLT_MAX, sum = 0, mean[SERVING_MEMBERS];
        if (!(k->end[t][q] <= FLT_MAX)) continue;
        r->share = 0.999f * r->share + 1.0f;
        r->held = 0.999f * r->held + (actual <= k->end[t][q] ? 1.0f : 0.0f);
        r->pinball = 0.999f * r->pinball + pinball(s->o.quantile[q], actual, k->end[t][q]);
        for (int m = 0; m < SERVING_MEMBERS; ++m) {
            if (k->said[m][t][0] < FLT_MAX) { /* half after 100 others */
                const float said = sooth_exp(k->said[m][t][q]) * k->base[t];
                r->loss[m] = 0.993f * r->loss[m] + pinball(s->o.quantile[q], actual, said) / actual;
                r->judged[m] = 0.993f * r->judged[m] + 1.0f;
            }
            mean[m] = r->judged[m] > 20.0f ? r->loss[m] / r->judged[m] : FLT_MAX;
            if (mean[m] < least) least = mean[m];
        }
        if (!(least < FLT_MAX && least > 0.0f)) continue;
        for (int m = 0; m < SERVING_MEMBERS; ++m) {
            const float w = mean[m] < FLT_MAX ? sooth_exp(-8.0f * (mean[m] / least - 1.0f)) : 0.0f;
            sum += r->weight[m] = w > 0.001f ? w : m < SERVING_MEMORIES ? 0.001f : 0.0f;
        }
        for (int m = 0; m < SERVING_MEMBERS; ++m) r->weight[m] /= sum;
    }
}

/* Keeps a row for the trees; learning waits for this, events wait for nothing: what comes while trees are
   learned is left out. */
static void keep(serving *s, uint32_t t, const float *row, float ratio) {
    SOOTH_SLOT_STORE(&s->writing, (uintptr_t)1);
    if (!SOOTH_SLOT_LOAD(&s->learning)) {
        const uint32_t at = s->rows[t].count < s->o.rows ? s->rows[t].count++ : s->rows[t].oldest++;
        if (s->rows[t].oldest == s->o.rows) s->rows[t].oldest = 0;
        memcpy(s->rows[t].x + (size_t)at * SERVING_COLUMNS, row, SERVING_COLUMNS * sizeof *row);
        s->rows[t].y[at] = ratio;
        ++s->rows[t].fresh;
    }
    SOOTH_SLOT_STORE(&s->writing, (uintptr_t)0);
}

static sooth_status label(sooth_env *env, serving *s, serving_ticket *k, uint32_t t, float ms) {
    serving_rate *r = &s->rate[k->pod];
    const float usual = s->view[s->at].memory[k->kind][t][0], rate = s->view[s->at].rate[k->pod][t];
    const float ratio = sooth_log(ms / k->base[t]), off = ratio - usual;
    if (!(ms > 0.0f && ms <= FLT_MAX))
        return sooth_fail(env, SOOTH_BAD_DATA, "a label is %f ms, but must be above 0", (double)ms);
    for (uint32_t m = t * SERVING_MEMORIES; m < (t + 1) * SERVING_MEMORIES; ++m) {
        const sooth_status status =
            sooth_conformal_delayed_learn(env, s->memory[k->kind][m], k->inner[m], ms);
        if (status != SOOTH_OK) return status;
        k->inner[m] = 0;
    }
    judge(s, k, t, ms);
    keep(s, t, k->row, ratio);
    if (usual <= FLT_MAX) {
        r->sum[t] = 0.98f * r->sum[t] + rate + (off > 1.0f ? 1.0f : off < -1.0f ? -1.0f : off);
        r->count[t] = 0.98f * r->count[t] + 1.0f;
        r->log[t] = r->sum[t] / (r->count[t] + 20.0f);
        s->median[k->kind][t] = median_rate(s, k->kind, t);
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
    for (int i = 0; i < SERVING_TARGETS * SERVING_MEMORIES; ++i) {
        if (k->inner[i]) sooth_conformal_delayed_forget(NULL, s->memory[k->kind][i], k->inner[i]);
        k->inner[i] = 0;
    }
    ++k->serial;
    k->next = s->unused[k->kind];
    s->unused[k->kind] = (uint32_t)ticket;
    return status;
}

sooth_status serving_waiting(sooth_env *env, serving *s, double now) {
    sooth_status status = SOOTH_OK;
    for (uint32_t i = 0; i < 2 * s->o.tickets * s->o.kinds && status == SOOTH_OK; ++i) {
        const serving_ticket *k = &s->ticket[i / SERVING_MEMORIES];
        const uint64_t inner = k->inner[i % SERVING_MEMORIES];
        if (k->serial % 2 == 1 && inner)
            status = sooth_conformal_delayed_waiting(env, s->memory[k->kind][i % SERVING_MEMORIES], inner,
                                                     (float)(now - k->sent));
    }
    publish(s);
    return status;
}

serving_errors serving_live(const serving *s, uint32_t target, uint32_t q) {
    const serving_record *r = &s->record[target][q];
    return (serving_errors){s->labels[target],
                            r->held / r->share,
                            r->pinball / r->share,
                            {r->weight[0], r->weight[1], r->weight[2]}};
}

/* ---- learning ---- */

int serving_due(const serving *s) {
    int due = 0;
    if (SOOTH_SLOT_LOAD(&s->learning) || SOOTH_SLOT_LOAD(&s->learned) != SOOTH_SLOT_LOAD(&s->published))
        return 0;
    for (int t = 0; t < SERVING_TARGETS; ++t)
        due |= s->rows[t].count >= 100 && s->rows[t].fresh >= 50 + s->rows[t].count / 16;
    return due;
}

sooth_status serving_learn(sooth_env *env, serving *s) {
    static const signed char rises[SERVING_COLUMNS] = {1, 1, 1, 1, 1, 1, 0};
    uintptr_t learned = ~SOOTH_SLOT_LOAD(&s->learned) & 1;
    sooth_boost_options o = {.n_estimators = 60,
                             .max_depth = 4,
                             .min_samples_leaf = 20,
                             .learning_rate = 0.1,
                             .loss = SOOTH_BOOST_QUANTILE,
                             .no_cover = 1};
    sooth_status status = SOOTH_OK;
    if (SOOTH_SLOT_LOAD(&s->published) % 2 == learned) return SOOTH_OK; /* the last ones wait for an event */
    for (uint32_t q = 0; q < s->o.quantiles; ++q) o.quantiles[q] = (double)s->o.quantile[q];
    SOOTH_SLOT_STORE(&s->learning, (uintptr_t)1);
    while (SOOTH_SLOT_LOAD(&s->writing)) SOOTH_SLOT_PAUSE();
    sooth_slot_wait(&s->slot); /* no thread reads the models before those any more */
    for (uint32_t t = 0; t < SERVING_TARGETS && status == SOOTH_OK; ++t) {
        const sooth_table table =
            sooth_table_of(s->rows[t].x, s->rows[t].y, s->rows[t].count, SERVING_COLUMNS);
        sooth_arena arena;
        sooth_boost *boost;
        sooth_env inner;
        if (table.rows < 100) continue;
        o.monotone = t == SERVING_TPOT ? rises : NULL;
        sooth_env_init(&inner);
        sooth_arena_init(&inner, &arena, s->scratch, s->scratch_size);
        status = sooth_boost_fit(&inner, &table, &o, &boost);
        if (status == SOOTH_OK && boost->head.size > SERVING_MODEL_SIZE)
            status = sooth_no_memory(&inner, "the trees", boost->head.size);
        if (status != SOOTH_OK) sooth_fail(env, status, "%s", inner.sentence);
        else
            memcpy(s->store + (learned % 2 * SERVING_TARGETS + t) * SERVING_MODEL_SIZE, boost,
                   boost->head.size);
        learned |= (uintptr_t)2 << t;
        s->rows[t].fresh = 0;
    }
    if (status == SOOTH_OK) SOOTH_SLOT_STORE(&s->learned, learned);
    SOOTH_SLOT_STORE(&s->learning, (uintptr_t)0);
    return status;
}
