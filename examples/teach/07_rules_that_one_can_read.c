/* 07_rules_that_one_can_read.c - a model that is a page of text, which one may correct: a lesson.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     make teach      prints what follows, and draws build/teach/07_rules.svg
 *
 * "If threads is about 5 +- 3 then watts is 60." Such a rule fires with strength phi = exp(-((x - 5) / 3)^2 /
 * 2). The answer is the mean of the rules' values, each weighted by its strength (Sugeno 1985). A
 * self-organising fuzzy network begins without rules and adds one at its largest error (Leng, McGinnity,
 * Prasad 2005). Yao et al. 2021 predict with it how long a program will still run. A rule is a sentence. So
 * we can read what was learned, doubt it, and rewrite it.
 *
 * Exercises, with answers in answers.md:
 *   1. Rules of the first order predict a line each, not a number. How many of them reach the same error?
 *   2. Leave out the rule of the highest centre, as text, and read the rest back. Where does the answer
 *      change, and what is predicted at 24 threads?
 *   3. Write two rules by hand: 50 W at one thread, and 100 W at 24. What do they predict at 12?
 */
#define SOOTH_IMPLEMENTATION
#include "lesson.h"
#include "sooth/sofnn.h"

enum { RUNS = 24, PAGE = 8192 };

/* ---- 1. A rule of one input, and the answer of many rules: the ten lines that sofnn.h makes fast. ---- */

typedef struct rule {
    double centre, width, value;
} rule;

static double rules_say(const rule *r, size_t rules, double x) {
    double fired = 0, said = 0;
    for (size_t j = 0; j < rules; ++j) {
        const double phi = exp(-pow((x - r[j].centre) / r[j].width, 2) / 2);
        fired += phi;
        said += phi * r[j].value;
    }
    return said / fired;
}

/* ---- 2. Reads the rules of a page of text that rules.h wrote. Returns their number. ---- */

static size_t read_rules(const char *text, rule *r, size_t most) {
    size_t rules = 0;
    for (const char *line = strstr(text, "IF "); line && rules < most; line = strstr(line + 1, "IF "))
        rules += sscanf(line, "IF threads is about %lf +- %lf THEN watts is %lf", &r[rules].centre,
                        &r[rules].width, &r[rules].value) == 3;
    return rules;
}

typedef struct page {
    char text[PAGE];
    size_t size;
} page;

static int add_to_page(void *to, const char *text, size_t size) {
    page *p = (page *)to;
    if (p->size + size >= PAGE) return 1;
    memcpy(p->text + p->size, text, size);
    p->size += size;
    return 0;
}

/* Fits the watts of a program at 2.4 GHz by threads, and writes the rules as text. */
static sooth_table watts_by_threads(const char *program, float *x, float *y) {
    static const char *const column[] = {"threads", "freq_mhz"};
    measurements m = measured(EXAMPLES "scale/data/parsec.csv", column, 2, "power_w", "app");
    sooth_table all = rows_of(&m, program, 1);
    for (size_t i = 0, at = 0; i < all.rows; ++i)
        if (all.x[i * all.stride + 1] == 2400) {
            x[at] = all.x[i * all.stride];
            y[at++] = all.y[i];
        }
    return sooth_table_of(x, y, RUNS, 1);
}

static sooth_sofnn *learn_rules(const sooth_table *t, const sooth_sofnn_options *options, page *p) {
    static const char *const name[] = {"threads"}, *const output[] = {"watts"};
    sooth_sink sink;
    sooth_sofnn *model;
    sooth_env env;
    sooth_env_init(&env);
    memset(&sink, 0, sizeof sink);
    memset(p, 0, sizeof *p);
    sink.user = p;
    sink.write_fn = add_to_page;
    need(&env, sooth_sofnn_fit(&env, t, options, &model));
    need(&env, sooth_rules_write(&env, model, name, output, &sink));
    return model;
}

int main(void) {
    static const char *const names[] = {"measured", "rules", "corrected"};
    const sooth_sofnn_options options = {.max_rules = 6, .order = SOOTH_SOFNN_ZERO_ORDER};
    static page p;
    float x[RUNS], y[RUNS];
    double axis[RUNS], lines[3 * RUNS], apart = 0;
    rule r[8];
    sooth_table t = watts_by_threads("freqmine", x, y);
    sooth_sofnn *model = learn_rules(&t, &options, &p), *corrected;
    sooth_env env;
    sooth_env_init(&env);
    fputs(p.text, stdout);
    const size_t rules = read_rules(p.text, r, 8);

    /* Someone who has run this machine changes a sentence: beyond 20 threads it is throttled. */
    p.size +=
        (size_t)snprintf(p.text + p.size, PAGE - p.size, "IF threads is about 24 +- 1 THEN watts is 70\n");
    char *count = strstr(p.text, "outputs, ") + strlen("outputs, ");
    *count = (char)(*count + 1);
    need(&env, sooth_rules_read(&env, p.text, p.size, &corrected));
    for (int i = 0; i < RUNS; ++i) {
        axis[i] = (double)x[i];
        lines[i] = (double)y[i];
        lines[RUNS + i] = (double)sooth_sofnn_predict(model, x + i);
        lines[2 * RUNS + i] = (double)sooth_sofnn_predict(corrected, x + i);
        apart = fmax(apart, fabs(rules_say(r, rules, axis[i]) - lines[RUNS + i]));
    }
    printf("Read back and evaluated by hand, %zu rules predict the same within %.1g W.\n", rules, apart);
    printf("With one more rule, 24 threads take %.0f W instead of %.0f.\n", lines[3 * RUNS - 1],
           lines[2 * RUNS - 1]);
    draw_lines("07_rules.svg", "The power of freqmine, predicted by rules", "threads", "power, W", axis,
               lines, RUNS, names, 3);
    return 0;
}
