/* sofnn/rules.h - writes a fuzzy network's rules as text that people can read and edit, and reads such text.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The text has a head with the ranges of inputs and outputs, then one rule per line:
 *
 *     fuzzy network: 2 inputs, 1 outputs, 2 rules of first order
 *     input load from 0 to 10
 *     input N from 0 to 8
 *     output time from -5 to 40
 *     IF load is about 2 +- 1 AND N is about 1 +- 2 THEN time is 3 + 2 (load - 2) + 0 (N - 1)
 *     IF load is about 8 +- 0.5 THEN time is 20 + 1 (load - 8) + 3 (N - 4)
 *
 * "about c +- s" is the membership function of centre c and width s (sofnn.h). A rule ignores inputs that it
 * does not name. A rule without inputs begins with ALWAYS. Several outputs are separated by commas. Numbers
 * are written so that reading restores the model exactly.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/sofnn.h"
 *     #include <stdio.h>
 *
 *     static int to_stdout(void *user, const char *text, size_t size) {
 *         (void)user;
 *         return fwrite(text, 1, size, stdout) != size;
 *     }
 *
 *     int main(void) {
 *         const char text[] = "fuzzy network: 1 inputs, 1 outputs, 2 rules of zero order\n"
 *                             "input load from 0 to 10\n"
 *                             "output time from 0 to 40\n"
 *                             "IF load is about 2 +- 1 THEN time is 5\n"
 *                             "IF load is about 8 +- 1 THEN time is 30\n";
 *         const char *const name[] = {"load"};
 *         const float load = 5;
 *         sooth_sink sink = {.write_fn = to_stdout};
 *         sooth_env env;
 *         sooth_sofnn *model;
 *         sooth_env_init(&env);
 *         if (sooth_rules_read(&env, text, sizeof text - 1, &model) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("%g\n", (double)sooth_sofnn_predict(model, &load));   //> 17.5
 *         sooth_rules_write(&env, model, name, NULL, &sink);
 *         //> IF load is about 8 +- 1 THEN output 1 is 30
 *         sooth_sofnn_free(&env, model);
 *         return 0;
 *     }
 *
 * Cost: writing allocates nothing, reading allocates the model. Names are looked up in the head each time, so
 * reading takes O(characters x lines of the head) at worst.
 */
#ifndef SOOTH_SOFNN_RULES_H
#define SOOTH_SOFNN_RULES_H

#ifndef SOOTH_PREDICT_ONLY
SOOTHI_C_BEGIN

/* Writes the rules. names has one name per input, outputs one per target. If a list is NULL, or a name is
   empty, duplicate or not on one line, "input 1" or "output 1" is used. A checked model may come from anyone.
   Always returns SOOTH_OK. sink->failed is set if the sink failed. */
SOOTH_API sooth_status sooth_rules_write(sooth_env *env, const sooth_sofnn *model, const char *const *names,
                                         const char *const *outputs, sooth_sink *sink);

/* Reads a network from text[0..size). Returns SOOTH_BAD_TEXT with the line in the sentence. Free it with
   sooth_sofnn_free. */
SOOTH_API sooth_status sooth_rules_read(sooth_env *env, const char *text, size_t size, sooth_sofnn **model);

SOOTHI_C_END
#endif /* SOOTH_PREDICT_ONLY */
#endif /* SOOTH_SOFNN_RULES_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SOFNN_RULES_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_SOFNN_RULES_IMPLEMENTED
SOOTHI_C_BEGIN

/* Returns a width with 1 / width == steep, or else the nearest width. The result is above 1e-38, as the
   reader requires. */
SOOTHI_LOCAL float soothi_rules_width_of(float steep) {
    const float least = soothi_of_bits(soothi_bits(1e-38f) + 1u);
    const double exact = 1.0 / (double)steep;
    const float w = exact > (double)FLT_MAX ? FLT_MAX : exact < (double)least ? least : (float)exact;
    const uint32_t bits = soothi_bits(w);
    for (uint32_t k = 0; k < 9; ++k) {
        const float other = soothi_of_bits(bits + k - 4u);
        if (other >= least && soothi_bits(1.0f / other) == soothi_bits(steep)) return other;
    }
    return w;
}

/* Returns the name of input or output i: the caller's, if it is unique and on one line, else "input 3". */
SOOTHI_LOCAL const char *soothi_rules_name(const char *const *names, size_t count, size_t i, const char *what,
                                           char buffer[32]) {
    int good = names && names[i] && names[i][0];
    for (size_t k = 0; good && names[i][k]; ++k) good = (unsigned char)names[i][k] >= 32 && k < 200;
    for (size_t k = 0; good && k < count; ++k)
        good = k == i || !names[k] || !soothi_same_text(names[k], names[i]);
    if (good) return names[i];
    sooth_text_format(buffer, 32, "%s %z", what, i + 1);
    return buffer;
}

SOOTH_API sooth_status sooth_rules_write(sooth_env *env, const sooth_sofnn *model, const char *const *names,
                                         const char *const *outputs, sooth_sink *sink) {
    const size_t n = model->head.features, m = model->head.targets, width = soothi_sofnn_width(model);
    char buffer[32];
    (void)env;
    sooth_text_put(sink, "fuzzy network: %z inputs, %z outputs, %u rules of %s order\n", n, m, model->rules,
                   model->order ? "first" : "zero");
    for (size_t i = 0; i < n; ++i)
        sooth_text_put(sink, "input %s from %f to %f\n", soothi_rules_name(names, n, i, "input", buffer),
                       (double)soothi_sofnn_low(model)[i], (double)soothi_sofnn_high(model)[i]);
    for (size_t t = 0; t < m; ++t)
        sooth_text_put(sink, "output %s from %f to %f\n", soothi_rules_name(outputs, m, t, "output", buffer),
                       (double)soothi_sofnn_least(model)[t], (double)soothi_sofnn_most(model)[t]);
    for (size_t j = 0; j < model->rules; ++j) {
        const float *centre = soothi_sofnn_centre(model) + j * n, *steep = soothi_sofnn_steep(model) + j * n;
        const char *word = "IF";
        for (size_t i = 0; i < n; ++i) {
            if (!(steep[i] > 0.0f)) continue;
            sooth_text_put(sink, "%s %s is about %f +- %f", word,
                           soothi_rules_name(names, n, i, "input", buffer), (double)centre[i],
                           (double)soothi_rules_width_of(steep[i]));
            word = " AND";
        }
        sooth_text_put(sink, word[0] == 'I' ? "ALWAYS" : " THEN");
        for (size_t t = 0; t < m; ++t) {
            const float *consequent = soothi_sofnn_consequent(model) + (j * m + t) * width;
            sooth_text_put(sink, "%s %s is %f", t ? "," : "",
                           soothi_rules_name(outputs, m, t, "output", buffer), (double)consequent[0]);
            for (size_t i = 0; i + 1 < width; ++i)
                sooth_text_put(sink, " + %f (%s - %f)", (double)consequent[1 + i],
                               soothi_rules_name(names, n, i, "input", buffer), (double)centre[i]);
        }
        sooth_text_write(sink, "\n", 1);
    }
    return SOOTH_OK;
}

typedef struct soothi_rules_reader {
    const char *text;
    size_t size, at, line;
    int failed;
} soothi_rules_reader;

/* Consumes the word if it comes next. */
SOOTHI_LOCAL int soothi_rules_try(soothi_rules_reader *r, const char *word, size_t length) {
    if (r->failed || r->size - r->at < length || !soothi_same_chars(r->text + r->at, word, length)) return 0;
    r->at += length;
    return 1;
}
SOOTHI_LOCAL int soothi_rules_may(soothi_rules_reader *r, const char *word) {
    return soothi_rules_try(r, word, soothi_text_length(word));
}
SOOTHI_LOCAL void soothi_rules_must(soothi_rules_reader *r, const char *word) {
    if (!soothi_rules_may(r, word)) r->failed = 1;
}
SOOTHI_LOCAL void soothi_rules_end(soothi_rules_reader *r) {
    if (!soothi_rules_may(r, "\n")) soothi_rules_must(r, "\r\n");
    if (!r->failed) ++r->line;
}
SOOTHI_LOCAL float soothi_rules_number(soothi_rules_reader *r) {
    float v = 0.0f;
    const size_t taken = r->failed ? 0 : sooth_text_to_float(r->text + r->at, r->size - r->at, &v);
    if (taken == 0 || !soothi_finite((double)v)) r->failed = 1;
    r->at += taken;
    return r->failed ? 0.0f : v;
}
SOOTHI_LOCAL uint32_t soothi_rules_whole(soothi_rules_reader *r, uint32_t most) {
    const float v = soothi_rules_number(r);
    if (!(v >= 1.0f && v <= (float)most)) r->failed = 1;
    return r->failed ? 1u : (uint32_t)v;
}
/* Reads a name: the text before the last " from " of the line. */
SOOTHI_LOCAL void soothi_rules_named(soothi_rules_reader *r, const char **name, size_t *length) {
    const size_t at = r->at, more = 6;
    size_t end, last;
    for (end = at; end < r->size && r->text[end] != '\n' && r->text[end] != '\r';) ++end;
    for (last = end; last > at && (end - last < more || !soothi_same_chars(r->text + last, " from ", more));)
        --last;
    if (last == at) r->failed = 1;
    *name = r->text + at;
    *length = last - at;
    if (!r->failed) r->at = last;
}

/* Finds the name of an input or output in the head, k lines after the first. The search avoids allocating
   memory. */
SOOTHI_LOCAL void soothi_rules_name_at(const soothi_rules_reader *r, size_t k, int input, const char **name,
                                       size_t *length) {
    soothi_rules_reader head = *r;
    head.at = 0;
    head.failed = 0;
    for (++k; k; ++head.at) k -= head.text[head.at] == '\n';
    head.at += input ? 6 : 7; /* "input ", "output " */
    soothi_rules_named(&head, name, length);
}

SOOTHI_LOCAL int soothi_rules_try_name(soothi_rules_reader *r, size_t line, int input, const char *after) {
    const char *name;
    size_t length, at = r->at;
    if (r->failed) return 0;
    soothi_rules_name_at(r, line, input, &name, &length);
    if (soothi_rules_try(r, name, length) && soothi_rules_may(r, after)) return 1;
    r->at = at;
    return 0;
}

/* Reads one rule. Inputs are in the order of the head. */
SOOTHI_LOCAL void soothi_rules_read_rule(soothi_rules_reader *r, sooth_sofnn *m, size_t j) {
    const size_t n = m->head.features, targets = m->head.targets, width = soothi_sofnn_width(m);
    float *centre = soothi_sofnn_mutable(m, soothi_sofnn_centre(m)) + j * n,
          *steep = soothi_sofnn_mutable(m, soothi_sofnn_steep(m)) + j * n,
          *consequent = soothi_sofnn_mutable(m, soothi_sofnn_consequent(m)) + j * targets * width;
    size_t i = 0;
    if (!soothi_rules_may(r, "ALWAYS")) {
        soothi_rules_must(r, "IF ");
        do {
            while (i < n && !soothi_rules_try_name(r, i, 1, " is about ")) ++i;
            if (i == n) r->failed = 1;
            if (r->failed) return;
            centre[i] = soothi_rules_number(r);
            soothi_rules_must(r, " +- ");
            float w = soothi_rules_number(r);
            if (!(w > 1e-38f)) r->failed = 1;
            if (r->failed) return;
            steep[i++] = 1.0f / w;
        } while (soothi_rules_may(r, " AND "));
        soothi_rules_must(r, " THEN");
    }
    for (size_t t = 0; t < targets && !r->failed; ++t) {
        if (t) soothi_rules_must(r, ",");
        soothi_rules_must(r, " ");
        if (!soothi_rules_try_name(r, n + t, 0, " is ")) r->failed = 1;
        consequent[t * width] = soothi_rules_number(r);
        for (i = 0; i + 1 < width && !r->failed; ++i) {
            soothi_rules_must(r, " + ");
            consequent[t * width + 1 + i] = soothi_rules_number(r);
            soothi_rules_must(r, " (");
            if (!soothi_rules_try_name(r, i, 1, " - ")) r->failed = 1;
            centre[i] = soothi_rules_number(r);
            soothi_rules_must(r, ")");
        }
    }
    if (!r->failed) soothi_rules_end(r);
}

/* Reads a line "input NAME from LOW to HIGH". */
SOOTHI_LOCAL void soothi_rules_range(soothi_rules_reader *r, const char *what, float *low, float *high) {
    const char *name;
    size_t length;
    if (r->failed) return;
    soothi_rules_must(r, what);
    soothi_rules_named(r, &name, &length);
    soothi_rules_must(r, " from ");
    *low = soothi_rules_number(r);
    soothi_rules_must(r, " to ");
    *high = soothi_rules_number(r);
    if (what[0] == 'o' && *low > *high) r->failed = 1;
    soothi_rules_end(r);
}

SOOTH_API sooth_status sooth_rules_read(sooth_env *env, const char *text, size_t size, sooth_sofnn **model) {
    soothi_rules_reader r = {text, size, 0, 1, 0};
    *model = NULL;
    soothi_rules_must(&r, "fuzzy network: ");
    uint32_t n = soothi_rules_whole(&r, 0x10000u);
    soothi_rules_must(&r, " inputs, ");
    uint32_t m = soothi_rules_whole(&r, 0x1000u);
    soothi_rules_must(&r, " outputs, ");
    uint32_t rules = soothi_rules_whole(&r, SOOTH_SOFNN_MAX_RULES);
    soothi_rules_must(&r, " rules of ");
    uint32_t order = (uint32_t)soothi_rules_may(&r, "first");
    if (!order) soothi_rules_must(&r, "zero");
    soothi_rules_must(&r, " order");
    soothi_rules_end(&r);
    /* a rule's line is longer than its count of numbers, so a short text cannot allocate much memory */
    if (!r.failed && (uint64_t)rules * m * (1u + (uint64_t)order * n) + n + m > size) r.failed = 1;
    if (r.failed)
        return sooth_fail(env, SOOTH_BAD_TEXT, "line %z is not the head of a fuzzy network", r.line);
    sooth_sofnn *made = soothi_sofnn_new(env, n, m, rules, (int)order);
    if (!made) return SOOTH_NO_MEMORY;
    float *low = soothi_sofnn_mutable(made, soothi_sofnn_low(made)),
          *least = soothi_sofnn_mutable(made, soothi_sofnn_least(made));
    for (size_t i = 0; i < n; ++i) soothi_rules_range(&r, "input ", low + i, low + n + i);
    for (size_t i = 0; i < m; ++i) soothi_rules_range(&r, "output ", least + i, least + m + i);
    for (size_t i = 0; i < rules && !r.failed; ++i) soothi_rules_read_rule(&r, made, i);
    if (r.failed) {
        sooth_sofnn_free(env, made);
        return sooth_fail(env, SOOTH_BAD_TEXT, "line %z is not a valid part of a fuzzy network", r.line);
    }
    soothi_block_seal(&made->head);
    *model = made;
    return SOOTH_OK;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
