/* export/c.h - writes a model as one C source file without dependencies.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * sooth_export_c writes a model, including its transforms, as one file of C99 that is also C++11. Firmware
 * and schedulers compile it and link nothing. It predicts the same bits as sooth_model_predict, and contains
 * rows to verify this. export.h has an example.
 *
 * Models that are exported bit for bit:
 *   trees, forests, boosted trees   including links, but not the rows kept in leaves (quantiles of a forest)
 *   linear models, scaling models   as their float predict path computes
 *   networks                        of floats or of integers (sooth_mlp_quantise)
 *   support vectors                 except with a kernel of the host
 *   fuzzy networks
 *   transforms of preprocess/scale.h, including logarithms
 *   intervals, adaptation           of envelopes of version 2, including adaptation learned at run time
 *   ratios                          the form of model/ratio.h, which NAME_predict multiplies by
 *   probabilities                   of envelopes of version 3: NAME_predict returns the probability of a 1
 *   cards                           names, units and training ranges are in the first comment
 *
 * Cost: one pass over the model, a few tens of nanoseconds a node, nearly all for writing decimals. Allocates
 * the rows of the self-test and, for branches, 4 bytes per node of the largest tree. The file has about 25
 * bytes a node as a table, 60 as branches, and 15 a weight or a number of a vector or rule.
 */
#if !defined(SOOTH_EXPORT_C_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_C_IMPLEMENTED))
#include "../model.h"
#include "../mlp.h"
#endif

#if !defined(SOOTH_EXPORT_C_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_EXPORT_C_H
SOOTHI_C_BEGIN

typedef enum sooth_export_form {
    SOOTH_EXPORT_TABLE = 0, /* constant arrays and a loop: 6 or 8 bytes a node, one load per level */
    SOOTH_EXPORT_BRANCHES   /* a function of if and return per tree, with thresholds in the code. Blocks nest
                               at most log2(leaves) deep, because the smaller side of a node is nested */
} sooth_export_form;

/* How values of trees are added. */
typedef enum sooth_export_sum {
    SOOTH_EXPORT_EXACT = 0, /* like the model: the same bits */
    SOOTH_EXPORT_PLAIN /* plain float sums: less than half the steps on a core without floating point. The
                          file states a bound of their error; the self-test has the bits of such sums */
} sooth_export_sum;

/* Zero bytes are the defaults. */
typedef struct sooth_export_c_options {
    const char *name;     /* prefix of names: a letter, then letters, digits, '_'; NULL means "model" */
    uint32_t form;        /* a sooth_export_form, for trees; other models have one form */
    uint32_t no_selftest; /* 1: leave out NAME_selftest and its rows */
    uint32_t sum;         /* a sooth_export_sum, for forests and boosted trees */
    double *sum_error;    /* `targets` numbers to fill, or NULL: bounds of the error of plain sums, before a
                             link or a transform of the target */
    const sooth_table *test; /* rows for the self-test, 1 to 10,000. NULL means eight made from the card's
                                ranges and the thresholds, and for trees one of NaN only */
} sooth_export_c_options;

/* Writes the file to the sink. For the name "model" it defines

     MODEL_FEATURES, MODEL_TARGETS
     float model_predict(const float *row);              for one target. row: MODEL_FEATURES floats, NaN if
                                                         missing
     void model_predict(const float *row, float *out);   for several targets
     void model_interval(const float *row, float *low, float *high);
                                                         with an interval (sooth_model_interval): the ends
                                                         for each of MODEL_TARGETS targets
     MODEL_LAUNCHES, model_program, model_begin, model_observe, model_adapted
                                                         with adaptation (sooth_model_observe, _adapted):
                                                         see below
     int model_selftest(void);                           0, or the number (from 1) of the first row
                                                         whose prediction has other bits

   Everything else in the file is static. With adaptation, a model_program stores the state of a program that
   is new to the model. It is a struct without pointers that may be static or copied:

     void model_begin(model_program *program);           starts without observations; also resets
     int model_observe(model_program *program, const float *row, float measured);
                                                         adds a measured launch: 0 refused, 1 accepted,
                                                         2 accepted as doubtful
     void model_adapted(const model_program *program, const float *row,
                        float *value, float *low, float *high);
                                                         the prediction, adapted to the observations, and
                                                         its interval; not below 0 if training was not

   The self-test checks model_predict only. The file includes only <stdint.h>, so a compiler without a C
   library is enough. On an AVR it includes <avr/pgmspace.h>: arrays stay in flash there. Multiplications and
   additions must not be fused (-ffp-contract=off) if the model is not made of trees, or has a mean, a link, a
   transform of targets, an interval, adaptation or a probability. The self-test detects this. options NULL
   means defaults. A checked model may come from anyone. Returns SOOTH_BAD_ARGUMENT and sets a message for
   wrong options, a model that cannot be exported, and test rows whose prediction is NaN. Returns
   SOOTH_CANCELLED if the sink failed. */
SOOTH_API sooth_status sooth_export_c(sooth_env *env, const sooth_model *model,
                                      const sooth_export_c_options *options, sooth_sink *sink);

/* Copies a model with its network converted to integers of 8 or 16 bits (sooth_mlp_quantise), for the
   training ranges on its card. For every row within them, prediction t differs from the model's by at most
   error[t], by interval arithmetic (without the rounding of the transforms). If targets are learned as
   logarithms, error[t] is relative to the prediction or, for log1p, to 1 + the prediction. error has
   `targets` numbers, or is NULL. Returns SOOTH_BAD_ARGUMENT for models that are not a network of floats,
   models without ranges, and probabilities. A checked model may come from anyone. The caller frees the new
   model. */
SOOTH_API sooth_status sooth_export_quantise(sooth_env *env, const sooth_model *model, uint32_t bits,
                                             float *error, sooth_model **quantised);

SOOTHI_C_END
#endif /* SOOTH_EXPORT_C_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_C_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_EXPORT_C_IMPLEMENTED
#include "trees.h"
#include "models.h"
SOOTHI_C_BEGIN

/* ---- the first comment ---- */

/* Returns 1 if this character of n bytes can be in a comment unchanged. It must be valid UTF-8. It must not
   end the comment, begin another one, end a line or change the direction of writing, which can disguise code
   (Boucher and Anderson, Trojan Source, 2021). */
SOOTHI_LOCAL int soothi_export_harmless(const unsigned char *c, size_t n, char before) {
    switch (n) {
    case 0: return 0;
    case 1:
        if (c[0] == '/') return before != '*' && before != '/';
        return c[0] >= 0x20 && c[0] != 0x7F && c[0] != '\\' && c[0] != '?' && !(c[0] == '*' && before == '/');
    case 2: return c[0] != 0xC2 || c[1] >= 0xA0; /* more controls */
    case 3:
        return !(c[0] == 0xE2 && (c[1] == 0x80 || c[1] == 0x81)) && /* marks of direction, line ends */
               !(c[0] == 0xEF && c[1] == 0xBB && c[2] == 0xBF);     /* the byte order mark */
    default: return 1;
    }
}

SOOTHI_LOCAL void soothi_export_comment(const soothi_export_job *job, const char *text) {
    char before = 0;
    while (*text) {
        const size_t n = sooth_text_utf8(text);
        const int fine = soothi_export_harmless((const unsigned char *)text, n, before);
        sooth_text_write(job->sink, fine ? text : "_", fine ? n : 1);
        before = fine && n == 1 ? *text : 0;
        text += n ? n : 1;
    }
}

/* Writes "clock [MHz], 135 to 1530 in training" for a feature or, from `features` on, a target. */
SOOTHI_LOCAL void soothi_export_say_column(const soothi_export_job *job, uint32_t at) {
    const sooth_model_card *card = job->parts.card;
    const uint32_t features = job->features;
    const char *name = soothi_describe_column_text(card, at, features, 0);
    const char *unit = soothi_describe_column_text(card, at, features, 1);
    const float *range = card ? sooth_model_card_range(card) + 2 * (size_t)at : NULL;
    if (*name) soothi_export_comment(job, name);
    else if (at < features) sooth_text_put(job->sink, "feature %u", at + 1);
    else sooth_text_put(job->sink, "target %u", at - features + 1);
    if (*unit) {
        soothi_export_say(job, " [");
        soothi_export_comment(job, unit);
        soothi_export_say(job, "]");
    }
    if (range && range[0] <= range[1])
        sooth_text_put(job->sink, ", %G to %G in training", (double)range[0], (double)range[1]);
}

/* Writes a text as the inside of a string of C: bytes other than printable ASCII as three octal digits, ?
   as \\? (no trigraphs). Returns the number of characters. sink NULL: only counts. */
SOOTHI_LOCAL size_t soothi_export_literal(sooth_sink *sink, const char *text) {
    size_t length = 0;
    for (; *text; ++text) {
        const unsigned char c = (unsigned char)*text;
        const char octal[] = {'\\', (char)('0' + c / 64), (char)('0' + c / 8 % 8), (char)('0' + c % 8)};
        const char escaped[] = {'\\', *text};
        const int is_plain = c >= 0x20 && c < 0x7F, is_special = c == '"' || c == '\\' || c == '?';
        const size_t n = !is_plain ? 4 : is_special ? 2 : 1;
        length += n;
        if (sink) sooth_text_write(sink, !is_plain ? octal : is_special ? escaped : text, n);
    }
    return length;
}

/* Writes the names of a column's levels, by code, as a macro: it takes no memory where it is not used. */
SOOTHI_LOCAL void soothi_export_say_names(const soothi_export_job *job, uint32_t j) {
    const sooth_levels_column *c = sooth_levels_columns(job->parts.levels) + j;
    size_t at = 200;
    if (!c->categorical || c->count == 0) return;
    soothi_export_say(
        job, "\n/* The levels of row[%u], by code: static const char *const level[] = $_LEVELS_%u; */\n", j,
        j);
    soothi_export_say(job, "#define $_LEVELS_%u {", j);
    for (uint32_t i = 0; i < c->count; ++i) {
        const char *name = sooth_levels_name(job->parts.levels, j, (float)i);
        const size_t length = soothi_export_literal(NULL, name) + 4;
        at += length;
        if (at > 95) {
            soothi_export_say(job, " \\\n    /* %u */ \"", i);
            at = length;
        } else soothi_export_say(job, " \"");
        soothi_export_literal(job->sink, name);
        soothi_export_say(job, i + 1 < c->count ? "\"," : "\"}\n");
    }
}

SOOTHI_LOCAL void soothi_export_say_cost(const soothi_export_job *job) {
    sooth_cost cost = soothi_model_predictor_cost(job->parts.predictor);
    const uint32_t multiplications = cost.multiply_adds;
    if (job->trees.node) { /* each tree is walked alone, not next to deeper ones */
        uint32_t alone = 0;
        for (uint32_t k = 0; k < job->trees.trees; ++k) alone += soothi_export_depth(&job->trees, k);
        if (alone < cost.comparisons) cost.comparisons = alone;
    }
    if (job->parts.levels) soothi_model_cost_add(&cost, sooth_levels_cost(job->parts.levels));
    if (job->parts.input) soothi_model_cost_add(&cost, sooth_scale_cost(job->parts.input));
    if (job->parts.target) soothi_model_cost_add(&cost, sooth_scale_cost(job->parts.target));
    if (job->parts.probability) soothi_model_cost_add(&cost, sooth_probability_cost(job->parts.probability));
    if (job->parts.ratio) soothi_model_cost_add(&cost, sooth_ratio_cost(job->parts.ratio));
    soothi_export_say(job, " * One prediction takes at most %u comparisons", cost.comparisons);
    if (!job->trees.node) sooth_text_put(job->sink, " and %u multiplications", multiplications);
    if (cost.functions) sooth_text_put(job->sink, ", %u calls of exp or log", cost.functions);
    soothi_export_say(job, "; the arrays take %z bytes", job->bytes);
    if (job->trees.node) sooth_text_put(job->sink, " (%u nodes)", job->trees.nodes);
    soothi_export_say(job, ".\n");
}

/* Returns the error bound of plain sums of target t. Sorted quantiles differ by at most the largest
   difference of those before they are sorted. */
SOOTHI_LOCAL double soothi_export_plain_off(const soothi_export_job *job, uint32_t t) {
    const int sorted = (job->trees.flags & SOOTH_ENSEMBLE_QUANTILES) != 0;
    const uint32_t end = sorted ? job->targets : t + 1;
    soothi_export_trees all;
    double most = 0.0;
    soothi_export_open(job->parts.predictor, &all);
    for (uint32_t k = sorted ? 0 : t; k < end; ++k) {
        const double lost =
            all.base && all.flags & SOOTH_ENSEMBLE_EXACT ? (double)all.base[job->targets + k] : 0.0;
        const double off =
            soothi_export_plain_error(&job->trees, all.low, k) +
            soothi_abs(lost) * (job->trees.share > 0.0f ? 2.0 * (double)job->trees.share : 2.0);
        if (off > most) most = off;
    }
    return most;
}

SOOTHI_LOCAL void soothi_export_say_head(const soothi_export_job *job) {
    uint32_t i;
    soothi_export_say(job, "/* ");
    for (i = 0; i < job->targets && i < 16; ++i) {
        if (i) soothi_export_say(job, "; ");
        soothi_export_say_column(job, job->features + i);
    }
    if (i < job->targets) sooth_text_put(job->sink, "; and %u more", job->targets - i);
    soothi_export_say(job, "\n *\n * ");
    job->kind.text(job);
    soothi_export_say(
        job, ", written by sooth " SOOTH_VERSION_TEXT ". Generated code belongs to whoever generated it:\n"
             " * use this file under any terms you like; the licence of sooth does not extend to it.\n *\n");
    if (job->parts.probability) soothi_export_say(job, " * It says the probability of a 1.\n");
    soothi_export_say_cost(job);
    for (i = 0; job->plain && i < job->targets && i < 16; ++i) {
        soothi_export_say(job, " * Sums are plain: before a link or a transform ");
        sooth_text_put(job->sink, "target %u is off by at most %G from the model.\n", i + 1,
                       soothi_export_plain_off(job, i));
    }
    soothi_export_say(
        job, " * No memory, no library, no state. %s",
        job->trees.node ? "A missing value is NaN."
        : soothi_model_best(job->parts.predictor)
            ? "A missing value is NaN. Members that need it are left out; the prediction is NaN if all do."
            : "With a missing value (NaN) the prediction is NaN.");
    soothi_export_say(
        job, " Compile without -ffast-math and with\n * -ffp-contract=off, or the last digits may change");
    soothi_export_say(job, job->tests ? ": @_selftest() tells.%s */\n" : ".%s */\n",
                      job->parts.adapt
                          ? "\n *\n * What is known of a program that is new stands in the caller's"
                            " @_program:\n * @_begin, @_observe, @_adapted."
                          : "");
    if (job->parts.card) soothi_export_say(job, "\n/* The row:\n");
    for (i = 0; job->parts.card && i < job->features; ++i) {
        soothi_export_say(job, " *   [%u] ", i);
        soothi_export_say_column(job, i);
        if (job->parts.levels && sooth_levels_columns(job->parts.levels)[i].categorical)
            soothi_export_say(job, ", a code of $_LEVELS_%u", i);
        soothi_export_say(job, "\n");
    }
    if (job->parts.card) soothi_export_say(job, " */\n");
    for (i = 0; job->parts.levels && i < job->features; ++i) soothi_export_say_names(job, i);
}

/* Keeps arrays in flash on cores with separate memories for constants and variables. */
SOOTHI_LOCAL void soothi_export_say_flash(const soothi_export_job *job) {
    const int words = job->trees.node || (job->needs & SOOTHI_EXPORT_PRODUCTS);
    soothi_export_say(job, "#if defined(__AVR__)\n"
                           "#  include <avr/pgmspace.h>\n"
                           "#  define $_FLASH PROGMEM\n"
                           "#  define $_FLOAT(p) pgm_read_float(p)\n");
    if (words)
        soothi_export_say(job, "#  define $_WORD16(p) pgm_read_word(p)\n"
                               "#  define $_WORD32(p) pgm_read_dword(p)\n");
    if (job->bits == 8) soothi_export_say(job, "#  define $_WEIGHT(p) ((int8_t)pgm_read_byte(p))\n");
    if (job->bits == 16) soothi_export_say(job, "#  define $_WEIGHT(p) ((int16_t)pgm_read_word(p))\n");
    soothi_export_say(job, "#else\n"
                           "#  define $_FLASH\n"
                           "#  define $_FLOAT(p) (*(p))\n");
    if (words)
        soothi_export_say(job, "#  define $_WORD16(p) (*(p))\n"
                               "#  define $_WORD32(p) (*(p))\n");
    if (job->bits) soothi_export_say(job, "#  define $_WEIGHT(p) (*(p))\n");
    soothi_export_say(job, "#endif\n\n");
}

SOOTHI_LOCAL void soothi_export_say_declarations(const soothi_export_job *job) {
    soothi_export_say(job,
                      "#include <stdint.h>\n\n"
                      "#define $_FEATURES %u\n"
                      "#define $_TARGETS %u\n",
                      job->features, job->targets);
    if (job->parts.adapt)
        soothi_export_say(job, "#define $_LAUNCHES %u /* that a program's memory holds */\n",
                          job->parts.adapt->capacity);
    soothi_export_say(job, "\n#if defined(__GNUC__)\n"
                           "#  define $_INFINITY __builtin_inff()\n"
                           "#  define $_MISSING __builtin_nanf(\"\")\n"
                           "#else\n"
                           "#  define $_INFINITY ((float)(1e300 * 1e300))\n"
                           "#  define $_MISSING ($_INFINITY * 0.0f)\n"
                           "#endif\n\n");
    if (!job->trees.node || job->parts.adapt || job->parts.probability || job->form == SOOTH_EXPORT_TABLE ||
        soothi_export_by_leaf(&job->trees) || soothi_model_statistics(&job->parts))
        soothi_export_say_flash(job);
    if (job->parts.adapt) soothi_export_say_program(job);
    soothi_export_say(job,
                      "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
                      "%s",
                      job->targets == 1 ? "float @_predict(const float *row);\n"
                                        : "void @_predict(const float *row, float *out);\n");
    if (job->parts.interval)
        soothi_export_say(job, "void @_interval(const float *row, float *low, float *high);\n");
    if (job->parts.adapt) soothi_export_say_adapt_prototypes(job);
    if (job->tests) soothi_export_say(job, "int @_selftest(void);\n");
    soothi_export_say(job, "#ifdef __cplusplus\n}\n#endif\n");
}

SOOTHI_LOCAL float soothi_export_raw(const soothi_export_job *job, uint32_t j, float z);

/* ---- helper functions of the file: base/num.h, preprocess/scale.h and tree/ensemble.h again ---- */

SOOTHI_LOCAL unsigned soothi_export_scale_needs(const sooth_scale *scale, int invert) {
    static const unsigned function[2][3] = {{0, SOOTHI_EXPORT_LOG1P, SOOTHI_EXPORT_LOG},
                                            {0, SOOTHI_EXPORT_EXPM1, SOOTHI_EXPORT_EXP}};
    unsigned needs = scale && (scale->clip || invert) ? SOOTHI_EXPORT_CLIP : 0u;
    for (uint32_t j = 0; scale && j < scale->head.features; ++j)
        needs |= function[invert][soothi_scale_function(sooth_scale_columns(scale)[j].transform)];
    return needs;
}

SOOTHI_LOCAL unsigned soothi_export_probability_needs(const sooth_probability *map) {
    if (!map || map->method == SOOTH_PROBABILITY_ISOTONIC) return 0;
    return SOOTHI_EXPORT_LOGISTIC |
           (map->scores == SOOTH_PROBABILITY_ODDS ? SOOTHI_EXPORT_LOG | SOOTHI_EXPORT_CLIP : 0u);
}

/* For each function: its name here, the functions it calls, which come before it, and its text. */
#define SOOTHI_EXPORT_HELPERS(X)                                                                      \
    X(SOOTHI_EXPORT_CLIP, 0,                                                                          \
      "static float @_clip(float v, float least, float most) {\n"                                     \
      "    if (v < least) return least;\n"                                                            \
      "    return v > most ? most : v;\n"                                                             \
      "}\n")                                                                                          \
    X(SOOTHI_EXPORT_BITS, 0,                                                                          \
      "static uint32_t @_bits(float v) {\n"                                                           \
      "    union {\n        float value;\n        uint32_t bits;\n    } both;\n"                      \
      "    both.value = v;\n"                                                                         \
      "    return both.bits;\n"                                                                       \
      "}\n")                                                                                          \
    X(SOOTHI_EXPORT_FLOAT, SOOTHI_EXPORT_BITS,                                                        \
      "static float @_float(uint32_t bits) {\n"                                                       \
      "    union {\n        float value;\n        uint32_t bits;\n    } both;\n"                      \
      "    both.bits = bits;\n"                                                                       \
      "    return both.value;\n"                                                                      \
      "}\n")                                                                                          \
    X(SOOTHI_EXPORT_PARTS, SOOTHI_EXPORT_FLOAT,                                                       \
      "/* e^v = 2^n (1 + what this returns) */\n"                                                     \
      "static float @_exp_parts(float v, uint32_t *n) {\n"                                            \
      "    const float whole = 12582912.0f;\n"                                                        \
      "    float k, r, q;\n"                                                                          \
      "    *n = @_bits(v * 1.44269504f + whole) - @_bits(whole);\n"                                   \
      "    k = (float)(int32_t)*n;\n"                                                                 \
      "    r = (v - k * 0.693359375f) - k * -2.12194440e-4f;\n"                                       \
      "    q = 1.37874938e-3f;\n"                                                                     \
      "    q = q * r + 8.36938433e-3f;\n"                                                             \
      "    q = q * r + 4.16689254e-2f;\n"                                                             \
      "    q = q * r + 0.166665152f;\n"                                                               \
      "    q = q * r + 0.499999911f;\n"                                                               \
      "    return r + r * r * q;\n"                                                                   \
      "}\n\n"                                                                                         \
      "static float @_power_of_two(uint32_t n) { return @_float((n + 127u) << 23); }\n")              \
    X(SOOTHI_EXPORT_EXP, SOOTHI_EXPORT_PARTS | SOOTHI_EXPORT_CLIP,                                    \
      "static float @_exp(float v) {\n"                                                               \
      "    uint32_t n, half;\n"                                                                       \
      "    const float p = 1.0f + @_exp_parts(@_clip(v, -104.0f, 104.0f), &n);\n"                     \
      "    half = (n + 256u) / 2u - 128u;\n"                                                          \
      "    return p * @_power_of_two(half) * @_power_of_two(n - half);\n"                             \
      "}\n")                                                                                          \
    X(SOOTHI_EXPORT_LOGISTIC, SOOTHI_EXPORT_PARTS | SOOTHI_EXPORT_CLIP,                               \
      "static float @_logistic(float v) {\n"                                                          \
      "    uint32_t n;\n"                                                                             \
      "    const float p = @_exp_parts(-@_clip(v, -87.0f, 87.0f), &n), z = @_power_of_two(n);\n"      \
      "    return v < -87.0f ? 0.0f : 1.0f / ((1.0f + z) + z * p);\n"                                 \
      "}\n")                                                                                          \
    X(SOOTHI_EXPORT_EXPM1, SOOTHI_EXPORT_PARTS | SOOTHI_EXPORT_CLIP,                                  \
      "/* e^v - 1 for v >= 0, mirrored below */\n"                                                    \
      "static float @_expm1(float v) {\n"                                                             \
      "    const float a = v < 0.0f ? -v : v;\n"                                                      \
      "    uint32_t n;\n"                                                                             \
      "    const float p = @_exp_parts(@_clip(a, 0.0f, 89.0f), &n), half = @_power_of_two(n - 1u);\n" \
      "    const float r = ((half - 0.5f) + half * p) * 2.0f;\n"                                      \
      "    if (a < 7.4505806e-9f) return v;\n"                                                        \
      "    return v < 0.0f ? -r : r;\n"                                                               \
      "}\n")                                                                                          \
    X(SOOTHI_EXPORT_LOG_PARTS, SOOTHI_EXPORT_FLOAT,                                                   \
      "/* log(v) + extra log(2) + c, for the bits of v */\n"                                          \
      "static float @_log_parts(uint32_t bits, int32_t extra, float c) {\n"                           \
      "    const uint32_t k = ((bits - 0x3F2AAAABu + 0x40000000u) >> 23) - 128u;\n"                   \
      "    const float f = @_float(bits - (k << 23)) - 1.0f, s = f * f;\n"                            \
      "    const float e = (float)((int32_t)k + extra);\n"                                            \
      "    float p = -0.128930315f;\n"                                                                \
      "    p = p * f + 0.139868975f;\n"                                                               \
      "    p = p * f - 0.121839724f;\n"                                                               \
      "    p = p * f + 0.140053064f;\n"                                                               \
      "    p = p * f - 0.166805059f;\n"                                                               \
      "    p = p * f + 0.200104460f;\n"                                                               \
      "    p = p * f - 0.249997973f;\n"                                                               \
      "    p = p * f + 0.333332151f;\n"                                                               \
      "    return e * 0.693359375f + (f - (0.5f * s - (f * s * p + (e * -2.12194440e-4f + c))));\n"   \
      "}\n")                                                                                          \
    X(SOOTHI_EXPORT_LOG, SOOTHI_EXPORT_LOG_PARTS,                                                     \
      "static float @_log(float v) {\n"                                                               \
      "    if (v < 0.0f) return $_MISSING;\n"                                                         \
      "    if (!(v > 0.0f)) return v >= 0.0f ? -$_INFINITY : v;\n"                                    \
      "    if (v > 3.4028235e38f) return v;\n"                                                        \
      "    if (v < 1.17549435e-38f) return @_log_parts(@_bits(v * 8388608.0f), -23, 0.0f);\n"         \
      "    return @_log_parts(@_bits(v), 0, 0.0f);\n"                                                 \
      "}\n")                                                                                          \
    X(SOOTHI_EXPORT_LOG1P, SOOTHI_EXPORT_LOG_PARTS,                                                   \
      "/* log(1 + v) for v >= 0, mirrored below */\n"                                                 \
      "static float @_log1p(float v) {\n"                                                             \
      "    const float a = v < 0.0f ? -v : v, u = 1.0f + a, w = u - 1.0f;\n"                          \
      "    const float c = (1.0f - (u - w)) + (a - w);\n"                                             \
      "    float r;\n"                                                                                \
      "    if (!(a > 0.0f && a <= 3.4028235e38f)) return v;\n"                                        \
      "    r = @_log_parts(@_bits(u), 0, c / u);\n"                                                   \
      "    return v < 0.0f ? -r : r;\n"                                                               \
      "}\n")                                                                                          \
    X(SOOTHI_EXPORT_ADD, 0,                                                                           \
      "/* Adds v + rest to sum + lost, keeping what rounding takes away. */\n"                        \
      "static void @_add(float v, float rest, float *sum, float *lost) {\n"                           \
      "    const float s = *sum + v, back = s - *sum;\n"                                              \
      "    *lost += (*sum - (s - back)) + (v - back) + rest;\n"                                       \
      "    *sum = s;\n"                                                                               \
      "}\n")                                                                                          \
    X(SOOTHI_EXPORT_DIVIDE, 0,                                                                        \
      "/* (sum + lost) / n, rounded once */\n"                                                        \
      "static float @_divide(float sum, float lost, float n) {\n"                                     \
      "    const int large = !(sum > -1e30f && sum < 1e30f);\n"                                       \
      "    const float part = large ? 5.42101086e-20f : 1.0f, s = sum * part, q = s / n;\n"           \
      "    float qh = q * 4097.0f, nh = n * 4097.0f, ql, nl, p, e;\n"                                 \
      "    if (!(q > -1e30f && q < 1e30f)) return q;\n"                                               \
      "    qh -= qh - q;\n"                                                                           \
      "    ql = q - qh;\n"                                                                            \
      "    nh -= nh - n;\n"                                                                           \
      "    nl = n - nh;\n"                                                                            \
      "    p = q * n;\n"                                                                              \
      "    e = ((qh * nh - p) + qh * nl + ql * nh) + ql * nl;\n"                                      \
      "    p = q + (((s - p) - e) + lost * part) / n;\n"                                              \
      "    return large ? p * 18446744073709551616.0f : p;\n"                                         \
      "}\n")                                                                                          \
    X(SOOTHI_EXPORT_TANH, SOOTHI_EXPORT_PARTS | SOOTHI_EXPORT_CLIP,                                   \
      "static float @_tanh(float v) {\n"                                                              \
      "    const float a = @_clip(v < 0.0f ? -v : v, 0.0f, 10.0f), s = a * a;\n"                      \
      "    uint32_t n;\n"                                                                             \
      "    float p = @_exp_parts(a + a, &n), r;\n"                                                    \
      "    const float z = @_power_of_two(n), large = 1.0f - 2.0f / ((z + 1.0f) + z * p);\n"          \
      "    p = -5.70009183e-3f;\n"                                                                    \
      "    p = p * s + 2.06341185e-2f;\n"                                                             \
      "    p = p * s - 5.37379384e-2f;\n"                                                             \
      "    p = p * s + 0.133314162f;\n"                                                               \
      "    p = p * s - 0.333332807f;\n"                                                               \
      "    r = a < 0.625f ? a + a * s * p : large;\n"                                                 \
      "    return @_float(@_bits(r) | (@_bits(v) & 0x80000000u));\n"                                  \
      "}\n")                                                                                          \
    X(SOOTHI_EXPORT_SOFTPLUS, SOOTHI_EXPORT_EXP | SOOTHI_EXPORT_LOG_PARTS,                            \
      "/* log(1 + e^v) */\n"                                                                          \
      "static float @_softplus(float v) {\n"                                                          \
      "    const float e = @_exp(v > 0.0f ? -v : v), u = 1.0f + e, w = u - 1.0f;\n"                   \
      "    const float c = (1.0f - (u - w)) + (e - w);\n"                                             \
      "    return (v > 0.0f ? v : 0.0f) + @_log_parts(@_bits(u), 0, c / u);\n"                        \
      "}\n")                                                                                          \
    X(SOOTHI_EXPORT_EXP2, SOOTHI_EXPORT_FLOAT,                                                        \
      "/* 2^v for v <= 0 */\n"                                                                        \
      "static float @_exp2(float v) {\n"                                                              \
      "    const float whole = 12582912.0f;\n"                                                        \
      "    float n, f, g, p;\n"                                                                       \
      "    if (!(v > -125.0f)) v = -125.0f;\n"                                                        \
      "    n = v + whole;\n"                                                                          \
      "    f = v - (n - whole);\n"                                                                    \
      "    g = f * f;\n"                                                                              \
      "    p = f * 0.00132695213f + 0.00967129134f;\n"                                                \
      "    p = p * g + (f * 0.0555071086f + 0.240222469f);\n"                                         \
      "    p = (p * g + f * 0.693147004f) + 1.0f;\n"                                                  \
      "    return @_float(@_bits(p) + (@_bits(n) << 23));\n"                                          \
      "}\n")                                                                                          \
    X(SOOTHI_EXPORT_POWER, 0,                                                                         \
      "static float @_power(float v, uint32_t n) {\n"                                                 \
      "    float p = 1.0f;\n"                                                                         \
      "    for (; n; n >>= 1, v = v * v)\n"                                                           \
      "        if (n & 1u) p = p * v;\n"                                                              \
      "    return p;\n"                                                                               \
      "}\n")                                                                                          \
    X(SOOTHI_EXPORT_ROOT, SOOTHI_EXPORT_FLOAT,                                                        \
      "/* The square root of a number that is finite and not negative, correctly rounded. */\n"       \
      "static float @_root(float v) {\n"                                                              \
      "    uint32_t bits = @_bits(v), m = bits & 0x7FFFFFu, root;\n"                                  \
      "    int32_t e = (int32_t)(bits >> 23), step;\n"                                                \
      "    int64_t n, rest;\n"                                                                        \
      "    float w, r;\n"                                                                             \
      "    if (!(v > 0.0f)) return v;\n"                                                              \
      "    if (e == 0) {\n"                                                                           \
      "        for (e = 1; !(m >> 23); m <<= 1) --e;\n"                                               \
      "        m &= 0x7FFFFFu;\n"                                                                     \
      "    }\n"                                                                                       \
      "    e -= 127;\n"                                                                               \
      "    w = @_float(m | (e & 1 ? 0x40000000u : 0x3F800000u));\n"                                   \
      "    n = (int64_t)(m | 0x800000u) << (e & 1 ? 24 : 23);\n"                                      \
      "    r = @_float(0x5F3759DFu - (@_bits(w) >> 1));\n"                                            \
      "    for (step = 0; step < 3; ++step) r = r * (1.5f - 0.5f * w * r * r);\n"                     \
      "    root = (uint32_t)(w * r * 8388608.0f);\n"                                                  \
      "    rest = n - (int64_t)root * root;\n"                                                        \
      "    for (; rest > (int64_t)root; ++root) rest -= 2 * (int64_t)root + 1;\n"                     \
      "    for (; rest <= -(int64_t)root; rest += 2 * (int64_t)root + 1) --root;\n"                   \
      "    return @_float(((uint32_t)((e - (e & 1)) / 2 + 126) << 23) + root);\n"                     \
      "}\n")                                                                                          \
    X(SOOTHI_EXPORT_PRODUCTS, 0,                                                                      \
      "/* sum product[k] z[a] z[b] with pair[k] = 65536 a + b */\n"                                   \
      "static float @_products(const float *product, const uint32_t *pair, const float *z,\n"         \
      "    uint32_t count) {\n"                                                                       \
      "    float lane[4] = {0.0f, 0.0f, 0.0f, 0.0f};\n"                                               \
      "    uint32_t k, both;\n"                                                                       \
      "    for (k = 0; k < count; ++k) {\n"                                                           \
      "        both = $_WORD32(pair + k);\n"                                                          \
      "        lane[k & 3u] += $_FLOAT(product + k) * (z[both >> 16] * z[both & 0xFFFFu]);\n"         \
      "    }\n"                                                                                       \
      "    return (lane[0] + lane[2]) + (lane[1] + lane[3]);\n"                                       \
      "}\n")                                                                                          \
    X(SOOTHI_EXPORT_PLANE, 0,                                                                         \
      "/* sum slope[j] (x[j] - centre[j]) */\n"                                                       \
      "static float @_plane(const float *slope, const float *centre, const float *x,\n"               \
      "    uint32_t count) {\n"                                                                       \
      "    float lane[4] = {0.0f, 0.0f, 0.0f, 0.0f};\n"                                               \
      "    uint32_t j;\n"                                                                             \
      "    for (j = 0; j < count; ++j)\n"                                                             \
      "        lane[j & 3u] += $_FLOAT(slope + j) * (x[j] - $_FLOAT(centre + j));\n"                  \
      "    return (lane[0] + lane[2]) + (lane[1] + lane[3]);\n"                                       \
      "}\n")

/* Writes the helpers that the model calls. */
SOOTHI_LOCAL void soothi_export_say_functions(const soothi_export_job *job) {
    const struct {
        unsigned which, calls; /* SOOTHI_EXPORT_CLIP and others */
        const char *text;
    } helper[] = {
#define SOOTHI_ITEM(which, calls, text) {which, calls, text},
        SOOTHI_EXPORT_HELPERS(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    const size_t count = sizeof helper / sizeof *helper;
    unsigned needs = job->needs | soothi_export_scale_needs(job->parts.input, 0) |
                     soothi_export_scale_needs(job->parts.target, 1) |
                     soothi_export_probability_needs(job->parts.probability) |
                     (job->tests ? SOOTHI_EXPORT_BITS : 0u);
    for (size_t i = count; i-- > 0;)
        if (needs & helper[i].which) needs |= helper[i].calls;
    for (size_t i = 0; i < count; ++i)
        if (needs & helper[i].which) soothi_export_say(job, "\n%s", helper[i].text);
}

/* ---- transforms ---- */

/* Writes "@_level(row[3], 17, 5)" for a level encoded by a statistic, else "row[3]". */
SOOTHI_LOCAL void soothi_export_say_value(const soothi_export_job *job, uint32_t j) {
    const sooth_levels *levels = soothi_model_statistics(&job->parts);
    const sooth_levels_column *c = levels ? sooth_levels_columns(levels) + j : NULL;
    if (c && c->categorical) soothi_export_say(job, "@_level(row[%u], %u, %u)", j, c->first, c->count);
    else soothi_export_say(job, "row[%u]", j);
}

/* Writes " z[3] = (@_log1p(row[3]) - 0.5f) / 2.0f;" for every column. */
SOOTHI_LOCAL void soothi_export_say_input(const soothi_export_job *job) {
    static const char call[3][12] = {"", "@_log1p(", "@_log("};
    const sooth_scale_column none = {0, 0, 0, 0, 0};
    const sooth_scale *scale = job->parts.input;
    if (!soothi_model_changes(&job->parts)) return;
    soothi_export_say(job, "    float z[$_FEATURES];\n");
    for (uint32_t j = 0; j < job->features; ++j) {
        const sooth_scale_column *c = scale ? sooth_scale_columns(scale) + j : &none;
        const uint32_t function = scale ? soothi_scale_function(c->transform) : 0;
        const int plain = !scale || (soothi_bits(c->shift) == 0 && c->width <= 1.0f && c->width >= 1.0f);
        const int clip = scale && scale->clip;
        soothi_export_say(job, "    z[%u] = %s%s%s", j, plain ? "" : "(", call[function],
                          clip ? "@_clip(" : "");
        soothi_export_say_value(job, j);
        if (clip) soothi_export_say(job, ", %f, %f)", (double)c->least, (double)c->most);
        if (function) soothi_export_say(job, ")");
        if (!plain) soothi_export_say(job, " - %f) / %f", (double)c->shift, (double)c->width);
        soothi_export_say(job, ";\n");
    }
}

/* Writes the statistics, and the function that looks one up. */
SOOTHI_LOCAL void soothi_export_say_levels(soothi_export_job *job) {
    const sooth_levels *levels = soothi_model_statistics(&job->parts);
    if (!levels) return;
    if (levels->levels)
        soothi_export_array(job, "statistic", soothi_levels_statistics(levels), levels->levels);
    soothi_export_say(job,
                      "\n/* What was measured of a level; of one that is missing or not known, of all. */\n"
                      "static float @_level(float code, uint32_t first, uint32_t count) {\n"
                      "    if (!(code >= 0.0f && code < (float)count)) return %f;\n"
                      "    return %s;\n}\n",
                      (double)levels->prior,
                      levels->levels ? "$_FLOAT(@_statistic + first + (uint32_t)code)" : "(float)first");
}

/* Writes " out[0] = @_clip(@_expm1(out[0] * 2.0f + 0.5f), least, most);". */
SOOTHI_LOCAL void soothi_export_say_target(const soothi_export_job *job) {
    static const char call[3][12] = {"", "@_expm1(", "@_exp("};
    const sooth_scale *scale = job->parts.target;
    for (uint32_t t = 0; scale && t < job->targets; ++t) {
        const sooth_scale_column *c = sooth_scale_columns(scale) + t;
        const uint32_t function = soothi_scale_function(c->transform);
        soothi_export_say(job, "    out[%u] = @_clip(%sout[%u] * %f + %f%s, %f, %f);\n", t, call[function], t,
                          (double)c->width, (double)c->shift, function ? ")" : "",
                          scale->clip ? (double)c->least : (double)-FLT_MAX,
                          scale->clip ? (double)c->most : (double)FLT_MAX);
    }
}

/* Writes what multiplies predictions by a sum of columns: soothi_ratio_multiply. */
SOOTHI_LOCAL void soothi_export_say_ratio(const soothi_export_job *job) {
    const sooth_ratio *ratio = job->parts.ratio;
    if (!ratio) return;
    soothi_export_say(job, "    float form = %f;\n", (double)ratio->constant);
    for (uint32_t k = 0; k < ratio->terms; ++k) {
        const sooth_ratio_term *term = sooth_ratio_terms(ratio) + k;
        soothi_export_say(job, "    form += %f * row[%u];\n", (double)term->coefficient, term->column);
    }
    soothi_export_say(job, "    if (!(form > 0.0f && form <= 3.4028235e38f)) form = $_MISSING;\n");
    for (uint32_t t = 0; t < job->targets; ++t)
        soothi_export_say(job,
                          "    out[%u] *= form;\n"
                          "    if (out[%u] > 3.4028235e38f) out[%u] = 3.4028235e38f;\n",
                          t, t, t);
}

/* ---- probabilities ---- */

/* Writes sooth_probability_apply. */
SOOTHI_LOCAL void soothi_export_say_probability(soothi_export_job *job) {
    const sooth_probability *map = job->parts.probability;
    const char *head = "\n/* The probability of a 1 where the model says v. */\n"
                       "static float @_probability(float v) {\n";
    if (map->method == SOOTH_PROBABILITY_SIGMOID) {
        soothi_export_say(job, "%s    if (!(v <= v)) return v;\n", head);
        if (map->scores == SOOTH_PROBABILITY_ODDS)
            soothi_export_say(job, "    v = @_clip(v, 5.9604645e-8f, 0.99999994f);\n"
                                   "    v = @_log(v / (1.0f - v));\n");
        soothi_export_say(job,
                          "    v = %f * (v - %f);\n"
                          "    if (!(v <= v)) v = 0.0f; /* 0 times infinity */\n"
                          "    return @_logistic(v + %f);\n"
                          "}\n",
                          (double)map->slope, (double)map->centre, (double)map->intercept);
        return;
    }
    soothi_export_array(job, "map_score", soothi_probability_points(map), map->points);
    soothi_export_array(job, "map_p", soothi_probability_points(map) + map->points, map->points);
    soothi_export_say(job, "%s", head);
    soothi_export_say(job,
                      "    uint32_t low = 0, high = %u;\n"
                      "    float from, to, part, width, p;\n"
                      "    if (!(v <= v)) return v;\n"
                      "    if (v <= $_FLOAT(@_map_score)) return $_FLOAT(@_map_p);\n"
                      "    while (high - low > 1) {\n"
                      "        const uint32_t middle = low + (high - low) / 2;\n"
                      "        if ($_FLOAT(@_map_score + middle) <= v) low = middle;\n"
                      "        else high = middle;\n"
                      "    }\n"
                      "    p = $_FLOAT(@_map_p + low);\n"
                      "    if (high == %u) return p;\n",
                      map->points, map->points);
    soothi_export_say(job, "    from = $_FLOAT(@_map_score + low);\n"
                           "    to = $_FLOAT(@_map_score + high);\n"
                           "    part = v - from;\n"
                           "    width = to - from;\n"
                           "    if (!(width <= 3.4028235e38f)) { /* as far apart as floats can be */\n"
                           "        part = 0.5f * v - 0.5f * from;\n"
                           "        width = 0.5f * to - 0.5f * from;\n"
                           "    }\n"
                           "    to = $_FLOAT(@_map_p + high);\n"
                           "    p = p + (to - p) * (part / width);\n"
                           "    return p < to ? p : to;\n"
                           "}\n");
}

/* ---- the public functions of the file ---- */

SOOTHI_LOCAL void soothi_export_say_predict(const soothi_export_job *job) {
    soothi_export_say(job, job->targets == 1 ? "\nfloat @_predict(const float *row) {\n    float out[1];\n"
                                             : "\nvoid @_predict(const float *row, float *out) {\n");
    soothi_export_say_input(job);
    soothi_export_say(job, "    @_run(%s, out);\n", soothi_model_changes(&job->parts) ? "z" : "row");
    soothi_export_say_target(job);
    soothi_export_say_ratio(job);
    if (job->parts.probability) soothi_export_say(job, "    out[0] = @_probability(out[0]);\n");
    soothi_export_say(job, job->targets == 1 ? "    return out[0];\n}\n" : "}\n");
}

/* ---- averages of models ---- */

/* The export of member k of a best, under a name of its own. Its functions and constants are complete. */
SOOTHI_LOCAL sooth_status soothi_export_member(const soothi_export_job *job, uint32_t k, char name[80],
                                               soothi_export_job *member) {
    sooth_best_candidate one;
    sooth_best_candidate_at((const sooth_best *)job->model, k, &one);
    memset(member, 0, sizeof *member);
    sooth_text_format(name, 80, "%s_m%u", job->name, k);
    member->env = job->env;
    member->sink = job->sink;
    member->name = name;
    member->features = job->features;
    member->targets = 1;
    member->form = job->form;
    sooth_model_open(sooth_model_from_block(one.model), &member->parts);
    member->model = member->parts.predictor;
    soothi_export_kind_of(member->parts.predictor, &member->kind);
    const sooth_status status = member->kind.open(member);
    if (status == SOOTH_OK && soothi_model_statistics(&member->parts))
        member->bytes += 4 * (size_t)member->parts.levels->levels;
    return status;
}

SOOTHI_LOCAL sooth_status soothi_export_open_best(soothi_export_job *job) {
    const sooth_best *m = (const sooth_best *)job->model;
    soothi_export_job member;
    sooth_status status = SOOTH_OK;
    char name[80];
    job->needs |= SOOTHI_EXPORT_CLIP | (m->geometric ? SOOTHI_EXPORT_EXP | SOOTHI_EXPORT_LOG : 0u);
    for (uint32_t k = 0; k < m->members && status == SOOTH_OK; ++k) {
        status = soothi_export_member(job, k, name, &member);
        job->bytes += member.bytes;
    }
    return status;
}

SOOTHI_LOCAL void soothi_export_text_best(const soothi_export_job *job) {
    soothi_export_say(job, "An average of models (%u)", ((const sooth_best *)job->model)->members);
}

/* Writes a member: its constants, its functions, and static float NAME_m0_predict(const float *row). */
SOOTHI_LOCAL sooth_status soothi_export_say_member(soothi_export_job *job, uint32_t k) {
    soothi_export_job member;
    char name[80];
    sooth_status status = soothi_export_member(job, k, name, &member);
    if (status != SOOTH_OK) return status;
    soothi_export_say(&member, "\n/* ");
    member.kind.text(&member);
    soothi_export_say(&member, " */\n#define $_FEATURES %u\n#define $_TARGETS 1\n", job->features);
    soothi_export_say(&member, "#define $_INFINITY ");
    soothi_export_say(job, "$_INFINITY\n");
    soothi_export_say(&member, "#define $_MISSING ");
    soothi_export_say(job, "$_MISSING\n");
    soothi_export_say_flash(&member);
    soothi_export_say_functions(&member);
    soothi_export_say_levels(&member);
    status = member.kind.code(&member);
    soothi_export_say(&member, "\nstatic float @_predict(const float *row) {\n    float out[1];\n");
    soothi_export_say_input(&member);
    soothi_export_say(&member, "    @_run(%s, out);\n", soothi_model_changes(&member.parts) ? "z" : "row");
    soothi_export_say_target(&member);
    soothi_export_say(&member, "    return out[0];\n}\n");
    return status;
}

/* sooth_best_predict */
SOOTHI_LOCAL sooth_status soothi_export_code_best(soothi_export_job *job) {
    const sooth_best *m = (const sooth_best *)job->model;
    sooth_status status = SOOTH_OK;
    sooth_best_candidate one;
    for (uint32_t k = 0; k < m->members && status == SOOTH_OK; ++k) status = soothi_export_say_member(job, k);
    soothi_export_say(
        job,
        "\n/* Adds a member's value v, which may be missing: sums of v within its bounds, and of "
        "weights\n   with and without one. */\n"
        "static void @_add(float *sum, float v, float weight) {\n"
        "    if (v < 0.0f || v >= 0.0f) {\n"
        "        v = v < %f ? %f : v > %f ? %f : v;\n"
        "        sum[1] += weight;\n"
        "        sum[0] += weight * %s;\n"
        "    } else sum[2] += weight;\n"
        "}\n",
        (double)m->low, (double)m->low, (double)m->high, (double)m->high, m->geometric ? "@_log(v)" : "v");
    soothi_export_say(job, "\nstatic void @_run(const float *x, float *out) {\n"
                           "    float sum[3] = {0.0f, 0.0f, 0.0f};\n");
    for (uint32_t k = 0; k < m->members; ++k) {
        sooth_best_candidate_at(m, k, &one);
        soothi_export_say(job, "    @_add(sum, @_m%u_predict(x), %f);\n", k, (double)one.weight);
    }
    soothi_export_say(job,
                      "    if (sum[2] > 0.0f) sum[0] = sum[1] > 0.0f ? sum[0] / sum[1] : $_MISSING;\n"
                      "    out[0] = @_clip(%s, -3.4028235e38f, 3.4028235e38f);\n}\n",
                      m->geometric ? "@_exp(sum[0])" : "sum[0]");
    return status;
}

/* A value that matters to one of the members. */
SOOTHI_LOCAL float soothi_export_near_best(const soothi_export_job *job, uint32_t j, uint32_t number) {
    const sooth_best *m = (const sooth_best *)job->model;
    soothi_export_job member;
    char name[80];
    if (soothi_export_member(job, number % m->members, name, &member) != SOOTH_OK) return 0.0f;
    return soothi_export_raw(&member, j, member.kind.near_fn(&member, j, number) + 0.5f) - 0.5f;
}

/* Writes one target's interval, as sooth_conformal_interval computes it. The offsets and, on a log scale,
   their exponentials are constants here. */
SOOTHI_LOCAL void soothi_export_say_interval_ends(const soothi_export_job *job, const sooth_conformal *c,
                                                  uint32_t t) {
    const float *range = job->parts.card ? sooth_model_card_range(job->parts.card) : NULL;
    const float below = soothi_conformal_move(c, c->below, 1.0f);
    const float above = soothi_conformal_move(c, c->above, 1.0f);
    if (c->scale == SOOTH_CONFORMAL_LOG) {
        const int low = below <= FLT_MAX, high = above <= FLT_MAX;
        soothi_export_say(
            job, low ? "    low[%u] = out[%u] > 0.0f ? out[%u] * %f : 0.0f;\n" : "    low[%u] = 0.0f;\n", t,
            t, t, (double)sooth_exp(-below));
        soothi_export_say(job,
                          high ? "    high[%u] = out[%u] > 0.0f ? out[%u] * %f : $_INFINITY;\n"
                               : "    high[%u] = $_INFINITY;\n",
                          t, t, t, (double)sooth_exp(above));
    } else {
        soothi_export_say(job,
                          below <= FLT_MAX ? "    low[%u] = out[%u] - %f;\n" : "    low[%u] = -$_INFINITY;\n",
                          t, t, (double)below);
        soothi_export_say(
            job, above <= FLT_MAX ? "    high[%u] = out[%u] + %f;\n" : "    high[%u] = $_INFINITY;\n", t, t,
            (double)above);
    }
    soothi_export_say(job,
                      "    if (low[%u] > 3.4028235e38f) low[%u] = 3.4028235e38f;\n"
                      "    if (high[%u] < -3.4028235e38f) high[%u] = -3.4028235e38f;\n"
                      "    if (low[%u] > high[%u]) low[%u] = high[%u] = 0.5f * low[%u] + 0.5f * high[%u];\n",
                      t, t, t, t, t, t, t, t, t, t);
    if (range && range[2 * ((size_t)job->features + t)] >= 0.0f)
        soothi_export_say(job,
                          "    if (low[%u] < 0.0f) low[%u] = 0.0f; /* it was never below 0 in training */\n"
                          "    if (high[%u] < 0.0f) high[%u] = 0.0f;\n",
                          t, t, t, t);
    soothi_export_say(job, "    if (!(out[%u] <= out[%u])) low[%u] = high[%u] = $_MISSING;\n", t, t, t, t);
}

SOOTHI_LOCAL void soothi_export_say_interval(const soothi_export_job *job) {
    const sooth_block *at = &job->parts.interval->head;
    soothi_export_say(job, "\nvoid @_interval(const float *row, float *low, float *high) {\n"
                           "    float out[$_TARGETS];\n");
    soothi_export_say(job,
                      job->targets == 1 ? "    out[0] = @_predict(row);\n" : "    @_predict(row, out);\n");
    for (uint32_t t = 0; t < job->targets; ++t) {
        soothi_export_say_interval_ends(job, (const sooth_conformal *)(const void *)at, t);
        at = (const sooth_block *)soothi_model_part(at, at->size);
    }
    soothi_export_say(job, "}\n");
}

SOOTHI_LOCAL void soothi_export_say_selftest(soothi_export_job *job) {
    soothi_export_say(job, "\nint @_selftest(void) {\n    static const float row[][$_FEATURES] = {");
    for (size_t i = 0; i < job->tests; ++i) {
        soothi_export_say(job, i ? ",\n    {" : "\n    {");
        for (size_t j = 0; j < job->features; ++j)
            soothi_export_element(job, j, job->row[i * job->features + j]);
        soothi_export_say(job, "}");
    }
    soothi_export_say(job, "};\n    static const float expected[][$_TARGETS] = {");
    for (size_t i = 0; i < job->tests; ++i) {
        soothi_export_next(job, i, job->targets > 7 ? 100 : 13 * job->targets);
        soothi_export_say(job, "{");
        for (size_t j = 0; j < job->targets; ++j)
            soothi_export_say(job, j ? ", %f" : "%f", (double)job->says[i * job->targets + j]);
        soothi_export_say(job, "}");
    }
    soothi_export_say(job,
                      "};\n    float out[$_TARGETS];\n    int i, t;\n"
                      "    for (i = 0; i < %u; ++i) {\n"
                      "%s        for (t = 0; t < $_TARGETS; ++t)\n"
                      "            if (@_bits(out[t]) != @_bits(expected[i][t])) return i + 1;\n"
                      "    }\n"
                      "    return 0;\n"
                      "}\n",
                      (uint32_t)job->tests,
                      job->targets == 1 ? "        out[0] = @_predict(row[i]);\n"
                                        : "        @_predict(row[i], out);\n");
}

/* ---- rows for the self-test ---- */

enum { SOOTHI_EXPORT_TESTS = 8, SOOTHI_EXPORT_MOST_TESTS = 10000 };

/* Returns a raw value of feature j whose transform is z. For a level encoded by a statistic it is some code,
   known or unknown. */
SOOTHI_LOCAL float soothi_export_raw(const soothi_export_job *job, uint32_t j, float z) {
    const sooth_levels *levels = soothi_model_statistics(&job->parts);
    const sooth_levels_column *c = levels ? sooth_levels_columns(levels) + j : NULL;
    if (c && c->categorical) return (float)(soothi_bits(z) % (c->count + 1u));
    return job->parts.input ? sooth_scale_invert_one(job->parts.input, j, z) : z;
}

/* Makes row `number`: a random point in the training ranges, with values at thresholds or just above them. */
SOOTHI_LOCAL void soothi_export_make_row(const soothi_export_job *job, sooth_rng *rng, uint32_t number,
                                         int missing, float *row) {
    const soothi_export_trees *trees = &job->trees;
    const float *range = job->parts.card ? sooth_model_card_range(job->parts.card) : NULL;
    uint32_t j;
    for (j = 0; j < job->features; ++j) {
        const float u = sooth_rng_float(rng);
        if (range && range[2 * j] <= range[2 * j + 1] &&
            soothi_finite((double)(range[2 * j + 1] - range[2 * j])))
            row[j] = range[2 * j] + u * (range[2 * j + 1] - range[2 * j]);
        else row[j] = soothi_export_raw(job, j, job->kind.near_fn(job, j, number) + u);
    }
    for (uint32_t n = 0; trees->node && n < 4 * (uint64_t)job->features && n < 4096; ++n) {
        const sooth_tree_node *node = trees->node + sooth_rng_below(rng, trees->nodes);
        const int above = (int)(sooth_rng_next(rng) & 1u);
        if (!(node->link & 1u) || (range && n >= job->features)) continue;
        float v = above ? soothi_export_above(node->u.threshold) : node->u.threshold;
        uint32_t set;
        if (soothi_export_asks(trees, node, &set)) /* any category up to one beyond the words */
            v = (float)sooth_rng_below(rng, 32 * (trees->sets.first[set + 1] - trees->sets.first[set]) + 1);
        j = soothi_export_feature(trees, node);
        v = soothi_export_raw(job, j, v);
        if (soothi_finite((double)v)) row[j] = v;
    }
    for (j = 0; missing && j < job->features; ++j)
        if (missing > 1 || sooth_rng_below(rng, 4) == 0) row[j] = soothi_missing();
}

/* Like sooth_model_predict_many for one row, by plain sums. */
SOOTHI_LOCAL void soothi_export_predict_plain(const soothi_export_job *job, const float *row, float *out,
                                              float *scratch) {
    sooth_model_transform(&job->parts, row, 1, job->features, scratch);
    for (uint32_t t = 0; t < job->targets; ++t)
        out[t] = soothi_export_plain(&job->trees, job->parts.predictor, t, scratch);
    if (job->trees.flags & SOOTH_ENSEMBLE_QUANTILES) soothi_ensemble_sort(out, job->targets);
    soothi_model_invert(&job->parts, row, 1, job->features, job->targets, out);
    if (job->parts.probability) sooth_probability_apply_many(job->parts.probability, out, 1, out);
}

/* Fills memory with rows of the caller or made ones and their predictions, with scratch after them. Drops
   made rows without a prediction. */
SOOTHI_LOCAL sooth_status soothi_export_make_tests(soothi_export_job *job, const sooth_model *model,
                                                   const sooth_table *test, size_t rows, float *memory) {
    float *says = memory + rows * job->features, *scratch = says + rows * job->targets;
    sooth_rng rng;
    uint32_t t;
    sooth_rng_init(&rng, 2026, 0);
    job->tests = 0;
    for (size_t i = 0; i < rows; ++i) {
        const int missing = !job->trees.node ? 0 : i + 1 == rows ? 2 : i + 3 >= rows;
        float *to = memory + job->tests * job->features, *to_says = says + job->tests * job->targets;
        if (test) memcpy(to, test->x + i * test->stride, job->features * sizeof *to);
        else soothi_export_make_row(job, &rng, (uint32_t)i, missing, to);
        if (job->plain) soothi_export_predict_plain(job, to, to_says, scratch);
        else sooth_model_predict_many(model, to, 1, job->features, to_says, scratch, 1);
        for (t = 0; t < job->targets && !soothi_nan((double)to_says[t]); ++t) continue;
        if (t == job->targets) ++job->tests;
        else if (test)
            return sooth_fail(job->env, SOOTH_BAD_ARGUMENT,
                              "row %z of the self-test has no prediction: target %u is NaN", i + 1, t + 1);
    }
    job->row = memory;
    job->says = says;
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_export_say_all(soothi_export_job *job) {
    soothi_export_say_head(job);
    soothi_export_say_declarations(job);
    soothi_export_say_functions(job);
    soothi_export_say_levels(job);
    sooth_status status = job->kind.code(job);
    if (job->parts.probability) soothi_export_say_probability(job);
    soothi_export_say_predict(job);
    if (job->parts.interval) soothi_export_say_interval(job);
    if (job->parts.adapt) soothi_export_say_adapt(job);
    if (job->tests) soothi_export_say_selftest(job);
    return status == SOOTH_OK ? soothi_export_done(job->env, job->sink) : status;
}

SOOTHI_LOCAL int soothi_export_is_name(const char *name) {
    size_t n = 0;
    for (; name[n]; ++n) {
        const char c = name[n];
        const int letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && (n == 0 || !((c >= '0' && c <= '9') || c == '_'))) return 0;
    }
    return n >= 1 && n <= 63;
}

SOOTHI_LOCAL sooth_status soothi_export_check(soothi_export_job *job, const sooth_export_c_options *options) {
    if (!soothi_export_is_name(job->name))
        return sooth_fail(
            job->env, SOOTH_BAD_ARGUMENT,
            "name is \"%s\", but must be a letter and then at most 62 letters, digits or underscores",
            job->name);
    if (options->form > SOOTH_EXPORT_BRANCHES)
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT, "form is %u, but must be 0 (table) or 1 (branches)",
                          options->form);
    if (options->no_selftest > 1)
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT, "no_selftest is %u, but must be 0 or 1",
                          options->no_selftest);
    if (!soothi_export_kind_of(job->parts.predictor, &job->kind))
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT, "models of kind %s cannot be exported as C",
                          soothi_export_kind_word(job->parts.predictor));
    if (options->sum > SOOTH_EXPORT_PLAIN)
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT, "sum is %u, but must be 0 (exact) or 1 (plain)",
                          options->sum);
    sooth_status status = job->kind.open(job);
    if (status != SOOTH_OK) return status;
    if (job->plain && (!job->trees.start || job->trees.at))
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT, "sum=plain is not supported: %s",
                          job->trees.at ? "linear leaves are not sums of numbers"
                                        : "the model is not a sum of trees");
    for (uint32_t t = 0; options->sum_error && t < job->targets; ++t)
        options->sum_error[t] = job->plain ? soothi_export_plain_off(job, t) : 0.0;
    if (job->parts.adapt) soothi_export_open_adapt(job);
    if (job->parts.probability) job->bytes += 8 * (size_t)job->parts.probability->points;
    if (soothi_model_statistics(&job->parts)) job->bytes += 4 * (size_t)job->parts.levels->levels;
    if (!options->test) return SOOTH_OK;
    if (options->test->cols != job->features)
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT,
                          "the self-test has %z columns, but the model has %u features", options->test->cols,
                          job->features);
    if (options->test->rows > SOOTHI_EXPORT_MOST_TESTS)
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT,
                          "the self-test has %z rows, but must have 1 to 10,000", options->test->rows);
    return sooth_table_check(job->env, options->test,
                             SOOTH_TABLE_ALLOW_MISSING | SOOTH_TABLE_ALLOW_CATEGORIES);
}

SOOTH_API sooth_status sooth_export_c(sooth_env *env, const sooth_model *model,
                                      const sooth_export_c_options *options, sooth_sink *sink) {
    sooth_export_c_options defaults;
    soothi_export_job job;
    memset(&defaults, 0, sizeof defaults);
    if (!options) options = &defaults;
    memset(&job, 0, sizeof job);
    job.env = env;
    job.sink = sink;
    job.name = options->name ? options->name : "model";
    sooth_model_open(model, &job.parts);
    job.model = job.parts.predictor;
    job.features = model->head.features;
    job.targets = model->head.targets;
    job.form = options->form;
    job.plain = options->sum == SOOTH_EXPORT_PLAIN;
    sooth_status status = soothi_export_check(&job, options);
    if (status != SOOTH_OK) return status;
    if (options->no_selftest) return soothi_export_say_all(&job);
    const size_t rows = options->test ? options->test->rows : (size_t)SOOTHI_EXPORT_TESTS;
    const size_t numbers = soothi_product(rows + 1, (size_t)job.features + job.targets);
    float *memory = (float *)sooth_alloc(env, numbers, sizeof *memory);
    if (!memory) return sooth_no_memory(env, "the self-test", soothi_product(numbers, sizeof *memory));
    status = soothi_export_make_tests(&job, model, options->test, rows, memory);
    if (status == SOOTH_OK) status = soothi_export_say_all(&job);
    sooth_free(env, memory, numbers, sizeof *memory);
    return status;
}

/* ---- integers ---- */

/* Computes the training ranges after the input transform. Transforms increase, so ends stay ends. A level
   ranges over its column's statistics. */
SOOTHI_LOCAL void soothi_export_box(const sooth_model_parts *parts, uint32_t features, float *box) {
    const sooth_levels *levels = soothi_model_statistics(parts);
    memcpy(box, sooth_model_card_range(parts->card), 2 * (size_t)features * sizeof *box);
    for (uint32_t j = 0; levels && j < features; ++j) {
        const sooth_levels_column *c = sooth_levels_columns(levels) + j;
        if (c->categorical) box[2 * j] = box[2 * j + 1] = levels->prior;
        for (uint32_t i = c->first; i < c->first + c->count; ++i) {
            const float v = soothi_levels_statistics(levels)[i];
            if (v < box[2 * j]) box[2 * j] = v;
            if (v > box[2 * j + 1]) box[2 * j + 1] = v;
        }
    }
    for (uint32_t j = 0; parts->input && j < 2 * features; ++j)
        box[j] = sooth_scale_apply_one(parts->input, j / 2, box[j]);
}

/* Converts an error bound of the predictor: times a transform's width, and e^x - 1 of that after a
   logarithm. */
SOOTHI_LOCAL float soothi_export_error(const sooth_scale *scale, uint32_t t, float error) {
    const sooth_scale_column *c = scale ? sooth_scale_columns(scale) + t : NULL;
    const float width = c ? c->width * 1.00001f : 1.0f; /* above 0 */
    return c && soothi_scale_function(c->transform) ? sooth_expm1(width * error) * 1.00001f : width * error;
}

SOOTH_API sooth_status sooth_export_quantise(sooth_env *env, const sooth_model *model, uint32_t bits,
                                             float *error, sooth_model **quantised) {
    const size_t features = model->head.features, numbers = 2 * features + model->head.targets;
    sooth_model_parts parts;
    sooth_mlp *network = NULL;
    uint32_t j;
    *quantised = NULL;
    sooth_model_open(model, &parts);
    if (soothi_model_kind(parts.predictor) != SOOTH_KIND_MLP)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "models of kind %s cannot be stored as integers, only networks",
                          soothi_export_kind_word(parts.predictor));
    if (parts.probability)
        return sooth_fail(
            env, SOOTH_BAD_ARGUMENT,
            "the model predicts a probability, whose error cannot be bounded; fit it without a probability");
    for (j = 0; parts.card && j < model->head.features; ++j)
        if (!(sooth_model_card_range(parts.card)[2 * j] <= sooth_model_card_range(parts.card)[2 * j + 1]))
            break;
    if (!parts.card || j < model->head.features)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the model has no training range of %s, which the error bound needs",
                          parts.card ? "a feature" : "its features");
    float *box = (float *)sooth_alloc(env, numbers, sizeof *box);
    if (!box) return sooth_no_memory(env, "the ranges", numbers * sizeof *box);
    float *off = box + 2 * features;
    soothi_export_box(&parts, model->head.features, box);
    sooth_status status =
        sooth_mlp_quantise(env, (const sooth_mlp *)(const void *)parts.predictor, bits, box, off, &network);
    for (uint32_t t = 0; status == SOOTH_OK && error && t < model->head.targets; ++t)
        error[t] = soothi_export_error(parts.target, t, off[t]);
    if (status == SOOTH_OK) {
        parts.predictor = &network->head;
        status = sooth_model_assemble(env, &parts, quantised);
    }
    sooth_mlp_free(env, network);
    sooth_free(env, box, numbers, sizeof *box);
    return status;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
