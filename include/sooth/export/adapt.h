/* export/adapt.h - writes adaptation to a new program as C, for export/c.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A host calls nothing here. If a model contains a block of adapt.h, the exported file has the struct
 * NAME_program and the functions NAME_begin, NAME_observe and NAME_adapted in addition to predict. They
 * return the bits of sooth_model_observe and sooth_model_adapted. The struct stores the memory of a program
 * as in adapt.h, except what only sooth_adapt_next needs: 16 + 4 capacity (features + capacity + 12) bytes
 * without pointers, which may be static. Kernel parameters, features and factors are constants in the code.
 *
 * Every written function repeats one of adapt.h, operation by operation. The comment above the writer names
 * it. This header only writes text. It reads only parts of the model that its check covers. A checked one may
 * come from anyone.
 */
#if !defined(SOOTH_EXPORT_ADAPT_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_ADAPT_IMPLEMENTED))
#include "kinds.h"
#endif

#if !defined(SOOTH_EXPORT_ADAPT_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_EXPORT_ADAPT_H
#endif

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_ADAPT_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_EXPORT_ADAPT_IMPLEMENTED
SOOTHI_C_BEGIN

/* Sets the helpers that the code calls, and adds the size of its array. */
SOOTHI_LOCAL void soothi_export_open_adapt(soothi_export_job *job) {
    const sooth_adapt *a = job->parts.adapt;
    const sooth_adapt_feature *feature = soothi_adapt_features(a);
    job->needs |= SOOTHI_EXPORT_CLIP | SOOTHI_EXPORT_BITS | SOOTHI_EXPORT_EXP | SOOTHI_EXPORT_ROOT;
    if (a->log) job->needs |= SOOTHI_EXPORT_LOG;
    for (uint32_t j = 0; j < job->features; ++j)
        if (feature[j].log && feature[j].factor > 0.0f) job->needs |= SOOTHI_EXPORT_LOG1P;
    job->bytes += 4 * ((size_t)a->capacity + 1u);
}

/* Returns the size of the struct in bytes. */
SOOTHI_LOCAL size_t soothi_export_program_size(const soothi_export_job *job) {
    const size_t n = job->parts.adapt->capacity;
    return 4 * (4 + n * ((size_t)job->features + 7u + SOOTH_ADAPT_REPEATS + n));
}

/* sooth_adapt_program and soothi_adapt_memory */
SOOTHI_LOCAL void soothi_export_say_program(const soothi_export_job *job) {
    soothi_export_say(
        job,
        "/* What is known of one program: %z bytes. The numbers with a comment may be read. */\n"
        "typedef struct @_program {\n"
        "    uint32_t points;   /* launches remembered */\n"
        "    uint32_t doubted;  /* of them, those that the others contradict */\n"
        "    uint32_t observed; /* measurements taken */\n"
        "    uint32_t refused;  /* and refused */\n",
        soothi_export_program_size(job));
    soothi_export_say(job,
                      "    uint32_t count[$_LAUNCHES], turn[$_LAUNCHES];\n"
                      "    float z[$_LAUNCHES][$_FEATURES], f[$_LAUNCHES];\n"
                      "    float last[$_LAUNCHES][%u], value[$_LAUNCHES], spare[$_LAUNCHES];\n"
                      "    float raised[$_LAUNCHES], alpha[$_LAUNCHES], root[$_LAUNCHES][$_LAUNCHES];\n"
                      "} @_program;\n\n",
                      (uint32_t)SOOTH_ADAPT_REPEATS);
}

SOOTHI_LOCAL void soothi_export_say_adapt_prototypes(const soothi_export_job *job) {
    soothi_export_say(job,
                      "/* Nothing is known of the program: call it first, and to forget. */\n"
                      "void @_begin(@_program *program);\n"
                      "/* A launch was measured: %u refused, %u taken, %u taken and doubted. */\n"
                      "int @_observe(@_program *program, const float *row, float measured);\n"
                      "/* The prediction, adapted to what was measured, and its interval. */\n"
                      "void @_adapted(const @_program *program, const float *row, float *value, float *low, "
                      "float *high);\n",
                      (uint32_t)SOOTH_ADAPT_REFUSED, (uint32_t)SOOTH_ADAPT_TAKEN,
                      (uint32_t)SOOTH_ADAPT_DOUBTED);
}

/* Writes " z[3] = @_place(@_log1p(row[3]), centre, factor, least, most);": soothi_adapt_value for each
   feature. */
SOOTHI_LOCAL void soothi_export_say_places(const soothi_export_job *job) {
    const sooth_adapt_feature *f = soothi_adapt_features(job->parts.adapt);
    uint32_t j, some = 0;
    for (j = 0; j < job->features; ++j) some |= f[j].factor > 0.0f;
    if (some)
        soothi_export_say(job,
                          "\n/* A feature, standardised and over the length; a missing one is the mean. */\n"
                          "static float @_place(float t, float centre, float factor, float least,\n"
                          "    float most) {\n"
                          "    return t <= t ? (@_clip(t, least, most) - centre) * factor : 0.0f;\n"
                          "}\n");
    soothi_export_say(job, "\nstatic void @_places(const float *row, float *z) {\n%s",
                      some ? "" : "    (void)row;\n");
    for (j = 0; j < job->features; ++j) {
        const float beyond = 10.0f * (f[j].most - f[j].least);
        if (!(f[j].factor > 0.0f)) {
            soothi_export_say(job, "    z[%u] = 0.0f;\n", j);
            continue;
        }
        soothi_export_say(
            job, f[j].log ? "    z[%u] = @_place(@_log1p(row[%u])" : "    z[%u] = @_place(row[%u]", j, j);
        soothi_export_say(job, ", %f, %f, %f, %f);\n", (double)f[j].centre, (double)f[j].factor,
                          (double)(f[j].least - beyond), (double)(f[j].most + beyond));
    }
    soothi_export_say(job, "}\n");
}

/* soothi_adapt_usable, _scaled, _f, _prior, _covariance */
SOOTHI_LOCAL void soothi_export_say_adapt_law(const soothi_export_job *job) {
    const sooth_adapt *a = job->parts.adapt;
    soothi_export_say(job,
                      "\n/* Can a residual be taken of it? */\nstatic int @_usable(float v) { return v >");
    soothi_export_say(job, a->log ? " 0.0f" : "= -3.4028235e38f");
    soothi_export_say(job, " && v <= 3.4028235e38f; }\n\n/* Residuals are differences of this. */\n");
    if (a->log) soothi_export_say(job, "static float @_scaled(float v) { return @_log(v); }\n");
    else soothi_export_say(job, "static float @_scaled(float v) { return v / %f; }\n", (double)a->unit);
    soothi_export_say(job,
                      "\n/* The prediction, standardised. */\n"
                      "static float @_standard(float scaled) {\n"
                      "    return @_clip((scaled - %f) * %f, -8.0f, 8.0f);\n"
                      "}\n",
                      (double)a->centre, (double)a->factor);
    soothi_export_say(job,
                      "\n/* Variance before anything is measured, without noise. */\n"
                      "static float @_prior(float f) { return %f + %f * (f * f) + %f; }\n",
                      (double)a->offset, (double)a->slope, (double)a->signal);
    soothi_export_say(
        job,
        "\n/* The squared distance of two launches. */\n"
        "static float @_apart(const float *z, const float *other) {\n"
        "    float squared = 0.0f;\n"
        "    uint32_t j;\n"
        "    for (j = 0; j < $_FEATURES; ++j) squared += (z[j] - other[j]) * (z[j] - other[j]);\n"
        "    return squared;\n"
        "}\n"
        "\n/* Covariance of their residuals. */\n"
        "static float @_covariance(float f, float g, float squared) {\n"
        "    const float a = @_root(3.0f * (squared > 1e9f ? 1e9f : squared));\n"
        "    return %f + %f * (f * g) + %f * ((1.0f + a) * @_exp(-a));\n"
        "}\n",
        (double)a->offset, (double)a->slope, (double)a->signal);
}

/* soothi_adapt_look: u = L^-1 c */
SOOTHI_LOCAL void soothi_export_say_look(const soothi_export_job *job) {
    soothi_export_say(
        job,
        "\n/* The mean and the variance of a launch's residual; the point that it is, or $_LAUNCHES. */\n"
        "static uint32_t @_look(const @_program *p, const float *z, float f, float *mean,\n"
        "    float *latent) {\n"
        "    float u[$_LAUNCHES];\n"
        "    uint32_t i, k, point = $_LAUNCHES;\n"
        "    *mean = 0.0f;\n"
        "    *latent = @_prior(f);\n"
        "    for (i = 0; i < p->points; ++i) {\n"
        "        const float squared = @_apart(z, p->z[i]);\n"
        "        float c = @_covariance(f, p->f[i], squared);\n"
        "        if (!(squared > 0.0f) && @_bits(f) == @_bits(p->f[i])) point = i;\n"
        "        *mean += c * p->alpha[i];\n"
        "        for (k = 0; k < i; ++k) c -= p->root[i][k] * u[k];\n"
        "        u[i] = c * p->root[i][i];\n"
        "        *latent -= u[i] * u[i];\n"
        "    }\n"
        "    if (!(*latent > 0.0f)) *latent = 0.0f;\n"
        "    return point;\n"
        "}\n");
}

/* soothi_adapt_relate, _factorise, _left_out */
SOOTHI_LOCAL void soothi_export_say_factorise(const soothi_export_job *job) {
    soothi_export_say(
        job, "\n/* Covariances of point i with all others, into the upper half. */\n"
             "static void @_relate(@_program *p, uint32_t i) {\n"
             "    uint32_t k;\n"
             "    for (k = 0; k < p->points; ++k)\n"
             "        if (k != i)\n"
             "            p->root[k < i ? k : i][k < i ? i : k] =\n"
             "                @_covariance(p->f[i], p->f[k], @_apart(p->z[i], p->z[k]));\n"
             "}\n"
             "\n/* The lower half, L with L L' = K, holds 1 / L_ii on its diagonal; alpha = K^-1 r. */\n"
             "static void @_factorise(@_program *p) {\n"
             "    uint32_t i, j, k;\n"
             "    for (i = 0; i < p->points; ++i) {\n"
             "        const float all = @_prior(p->f[i]) + (p->spare[i] + p->raised[i]);\n"
             "        float *row = p->root[i], rest = all, r = p->value[i];\n"
             "        for (k = 0; k < i; ++k) {\n"
             "            const float *of = p->root[k];\n"
             "            float sum = of[i];\n"
             "            for (j = 0; j < k; ++j) sum -= row[j] * of[j];\n"
             "            row[k] = sum * of[k];\n"
             "            rest -= row[k] * row[k];\n"
             "            r -= row[k] * p->alpha[k];\n"
             "        }\n"
             "        if (!(rest > 1e-6f * all)) rest = all;\n"
             "        row[i] = rest > 3.4028235e38f ? 0.0f : 1.0f / @_root(rest);\n"
             "        p->alpha[i] = r * row[i];\n"
             "    }\n"
             "    for (i = p->points; i-- > 0;) {\n"
             "        float sum = p->alpha[i];\n"
             "        for (k = i + 1; k < p->points; ++k) sum -= p->root[k][i] * p->alpha[k];\n"
             "        p->alpha[i] = sum * p->root[i][i];\n"
             "    }\n"
             "}\n"
             "\n/* The variance of point i given all others. */\n"
             "static float @_left_out(const @_program *p, uint32_t i) {\n"
             "    float w[$_LAUNCHES], sum = 0.0f;\n"
             "    uint32_t j, k;\n"
             "    for (k = i; k < p->points; ++k) {\n"
             "        float c = k == i ? 1.0f : 0.0f;\n"
             "        for (j = i; j < k; ++j) c -= p->root[k][j] * w[j];\n"
             "        w[k] = c * p->root[k][k];\n"
             "        sum += w[k] * w[k];\n"
             "    }\n"
             "    return 1.0f / sum;\n"
             "}\n");
}

/* soothi_adapt_weigh and _dispensable */
SOOTHI_LOCAL void soothi_export_say_weigh(const soothi_export_job *job) {
    const float bound = job->parts.adapt->doubt * job->parts.adapt->doubt;
    soothi_export_say(job,
                      "\n/* Raises the noise of points that the others contradict, the worst first. */\n"
                      "static void @_weigh(@_program *p) {\n"
                      "    uint32_t i, worst;\n"
                      "    float v, z2, most, of = 0.0f;\n"
                      "    for (i = 0; i < $_LAUNCHES; ++i) p->raised[i] = 0.0f;\n"
                      "    for (p->doubted = 0;; ++p->doubted) {\n"
                      "        @_factorise(p);\n"
                      "        if (2 * p->doubted >= p->points) return;\n"
                      "        worst = $_LAUNCHES;\n"
                      "        most = %f;\n"
                      "        for (i = 0; i < p->points; ++i) {\n"
                      "            v = @_left_out(p, i);\n"
                      "            z2 = p->alpha[i] * p->alpha[i] * v;\n"
                      "            if (p->raised[i] > 0.0f || p->count[i] >= %uu || !(z2 > most)) continue;\n"
                      "            most = z2;\n"
                      "            of = v;\n"
                      "            worst = i;\n"
                      "        }\n"
                      "        if (worst == $_LAUNCHES) return;\n"
                      "        p->raised[worst] = of * (most / %f - 1.0f);\n"
                      "    }\n"
                      "}\n",
                      (double)bound, (uint32_t)SOOTHI_ADAPT_BELIEVED, (double)bound);
    soothi_export_say(job, "\n/* The point of which the others tell most. */\n"
                           "static uint32_t @_dispensable(const @_program *p) {\n"
                           "    float tells, least = 3.4028235e38f;\n"
                           "    uint32_t i, which = 0;\n"
                           "    for (i = 0; i < p->points; ++i) {\n"
                           "        tells = @_left_out(p, i) / (p->spare[i] + p->raised[i]);\n"
                           "        if (!(tells < least)) continue;\n"
                           "        least = tells;\n"
                           "        which = i;\n"
                           "    }\n"
                           "    return which;\n"
                           "}\n");
}

/* soothi_adapt_median and _measure */
SOOTHI_LOCAL void soothi_export_say_measure(const soothi_export_job *job) {
    const uint32_t repeats = SOOTH_ADAPT_REPEATS;
    const double noise = (double)job->parts.adapt->noise;
    soothi_export_say(job, "\n/* Sorts. */\n"
                           "static float @_median(float *v, uint32_t n) {\n"
                           "    uint32_t i, j;\n"
                           "    for (i = 1; i < n; ++i) {\n"
                           "        const float x = v[i];\n"
                           "        for (j = i; j > 0 && v[j - 1] > x; --j) v[j] = v[j - 1];\n"
                           "        v[j] = x;\n"
                           "    }\n"
                           "    return 0.5f * (v[(n - 1) / 2] + v[n / 2]);\n"
                           "}\n");
    soothi_export_say(job,
                      "\n/* Point i has one more measurement: its value and its noise anew. */\n"
                      "static void @_measure(@_program *p, uint32_t i, float residual) {\n"
                      "    float *last = p->last[i], sorted[%u], s;\n"
                      "    uint32_t k, n;\n"
                      "    last[p->turn[i]] = residual;\n"
                      "    p->turn[i] = (p->turn[i] + 1u) %% %uu;\n"
                      "    if (p->count[i] < %uu) ++p->count[i];\n"
                      "    n = p->count[i];\n"
                      "    for (k = 0; k < %u; ++k) sorted[k] = last[k];\n"
                      "    p->value[i] = @_median(sorted, n);\n"
                      "    for (k = 0; k < n; ++k) {\n"
                      "        s = last[k] - p->value[i];\n"
                      "        sorted[k] = s < 0.0f ? -s : s;\n"
                      "    }\n"
                      "    (void)@_median(sorted, n);\n"
                      "    s = sorted[n > 1 ? n - 2 : 0];\n"
                      "    s = s * s;\n"
                      "    p->spare[i] = (s > %f ? s : %f) / (float)n;\n"
                      "}\n",
                      repeats, repeats, repeats, repeats, noise, noise);
}

/* sooth_model_observe */
SOOTHI_LOCAL void soothi_export_say_observe(const soothi_export_job *job) {
    soothi_export_say(
        job,
        "\nint @_observe(@_program *program, const float *row, float measured) {\n"
        "    const float predicted = @_predict(row);\n"
        "    float z[$_FEATURES], base, f, mean, latent;\n"
        "    uint32_t i, j;\n"
        "    if (!@_usable(predicted) || !@_usable(measured)) {\n"
        "        if (program->refused < 0xFFFFFFFFu) ++program->refused;\n"
        "        return %u;\n"
        "    }\n"
        "    base = @_scaled(predicted);\n"
        "    f = @_standard(base);\n"
        "    @_places(row, z);\n"
        "    i = @_look(program, z, f, &mean, &latent);\n"
        "    if (program->observed < 0xFFFFFFFFu) ++program->observed;\n"
        "    if (i == $_LAUNCHES) { /* a new one */\n"
        "        i = program->points < $_LAUNCHES ? program->points++ : @_dispensable(program);\n"
        "        for (j = 0; j < $_FEATURES; ++j) program->z[i][j] = z[j];\n"
        "        program->f[i] = f;\n"
        "        program->count[i] = program->turn[i] = 0;\n"
        "        @_relate(program, i);\n"
        "    }\n"
        "    @_measure(program, i, @_scaled(measured) - base);\n"
        "    @_weigh(program);\n"
        "    return program->raised[i] > 0.0f ? %u : %u;\n"
        "}\n",
        (uint32_t)SOOTH_ADAPT_REFUSED, (uint32_t)SOOTH_ADAPT_DOUBTED, (uint32_t)SOOTH_ADAPT_TAKEN);
}

/* soothi_adapt_moved and sooth_model_adapted, with its lower limit */
SOOTHI_LOCAL void soothi_export_say_adapted(const soothi_export_job *job) {
    const sooth_adapt *a = job->parts.adapt;
    const float *range = job->parts.card ? sooth_model_card_range(job->parts.card) : NULL;
    soothi_export_say(job, "\n/* Back from the residuals' scale, no more than a float holds. */\n"
                           "static float @_moved(float predicted, float by) {\n    return @_clip(predicted ");
    if (a->log) soothi_export_say(job, "* @_exp(by)");
    else soothi_export_say(job, "+ %f * by", (double)a->unit);
    soothi_export_say(job, ", -3.4028235e38f, 3.4028235e38f);\n}\n");
    soothi_export_say(
        job,
        "\nvoid @_adapted(const @_program *program, const float *row, float *value, float *low,\n"
        "    float *high) {\n"
        "    const float predicted = @_predict(row);\n"
        "    float z[$_FEATURES], f, mean, latent, prior, known, wider, half;\n"
        "    *value = predicted;\n"
        "    *low = *high = $_MISSING;\n"
        "    if (@_usable(predicted)) {\n"
        "        f = @_standard(@_scaled(predicted));\n"
        "        @_places(row, z);\n"
        "        (void)@_look(program, z, f, &mean, &latent);\n"
        "        prior = @_prior(f);\n"
        "        known = prior > 0.0f ? 1.0f - latent / prior : 0.0f;\n"
        "        half = $_FLOAT(@_factor + program->points);\n"
        "        wider = $_FLOAT(@_factor) - half;\n"
        "        half = (half + (wider > 0.0f ? wider * (1.0f - known) : 0.0f)) * @_root(latent + %f);\n"
        "        *value = @_moved(predicted, mean);\n"
        "        *low = @_moved(predicted, mean - half);\n"
        "        *high = @_moved(predicted, mean + half);\n"
        "    }\n",
        (double)a->noise);
    if (range && range[2 * (size_t)job->features] >= 0.0f)
        soothi_export_say(job,
                          "    if (*value < 0.0f) *value = 0.0f; /* it was never below 0 in training */\n"
                          "    if (*low < 0.0f) *low = 0.0f;\n"
                          "    if (*high < 0.0f) *high = 0.0f;\n");
    soothi_export_say(job, "}\n");
}

/* Writes all code but the struct and the prototypes. */
SOOTHI_LOCAL void soothi_export_say_adapt(soothi_export_job *job) {
    const sooth_adapt *a = job->parts.adapt;
    soothi_export_say(job, "\nvoid @_begin(@_program *program) {\n"
                           "    unsigned char *at = (unsigned char *)program;\n"
                           "    uint32_t i;\n"
                           "    for (i = 0; i < sizeof *program; ++i) at[i] = 0;\n"
                           "}\n");
    soothi_export_array(job, "factor", soothi_adapt_factors(a), (size_t)a->capacity + 1u);
    soothi_export_say_places(job);
    soothi_export_say_adapt_law(job);
    soothi_export_say_look(job);
    soothi_export_say_factorise(job);
    soothi_export_say_weigh(job);
    soothi_export_say_measure(job);
    soothi_export_say_observe(job);
    soothi_export_say_adapted(job);
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
