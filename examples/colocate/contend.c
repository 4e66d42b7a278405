/* contend.c - see contend.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "contend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/svg.h"

#define ABOVE 1.7         /* a floor times this is above the noise (contend.h) */
#define LEAST_FLOOR 0.015 /* a slowdown below ABOVE times this is not reported */

static int rising(const void *a, const void *b) {
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* Of sorted values, interpolated between two of them. */
static double part_of(const double *sorted, size_t count, double part) {
    double at = part * (double)(count - 1);
    size_t i = (size_t)at;
    return i + 1 < count ? sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]) : sorted[count - 1];
}

contend_cell contend_cell_of(const double *before, const double *beside, const double *after, size_t count) {
    double slowdown[CONTEND_MOST], noise[CONTEND_MOST];
    contend_cell cell;
    for (size_t i = 0; i < count; ++i) {
        slowdown[i] = beside[i] / sqrt(before[i] * after[i]);
        noise[i] = after[i] / before[i];
    }
    qsort(slowdown, count, sizeof *slowdown, rising);
    qsort(noise, count, sizeof *noise, rising);
    cell.slowdown = part_of(slowdown, count, 0.5);
    cell.low = part_of(slowdown, count, 0.25);
    cell.noise = part_of(noise, count, 0.5);
    cell.present = 1.0;
    cell.repetitions = (uint32_t)count;
    return cell;
}

/* ---- judging ---- */

static int was_tried(const contend *c, uint32_t kind) { return c->cell[kind][kind].repetitions > 0; }

static void find_floors(const contend *c, contend_found *found) {
    double off[PRESSURES * PRESSURES], floors[PRESSURES];
    size_t cells = 0, kinds = 0;
    for (uint32_t k = 0; k < PRESSURES; ++k) {
        for (uint32_t j = 0; j < PRESSURES; ++j) {
            const contend_cell *cell = &c->cell[k][j];
            if (cell->repetitions == 0) continue;
            off[cells] = fabs(cell->noise - 1.0);
            found->floor[k] = fmax(found->floor[k], off[cells++]);
        }
    }
    if (cells == 0) return;
    qsort(off, cells, sizeof *off, rising);
    const double least = fmax(LEAST_FLOOR, part_of(off, cells, 0.9));
    for (uint32_t k = 0; k < PRESSURES; ++k) {
        found->floor[k] = fmax(found->floor[k], least);
        if (was_tried(c, k)) floors[kinds++] = found->floor[k];
    }
    if (kinds == 0) return;
    qsort(floors, kinds, sizeof *floors, rising);
    found->noise = part_of(floors, kinds, 0.5);
}

/* Orders kernels by their slowdown next to their own kind, the most contended first. */
static void find_order(const contend *c, contend_found *found) {
    for (uint32_t k = 0; k < PRESSURES; ++k) {
        uint32_t i = found->tried;
        if (!was_tried(c, k)) continue;
        for (; i > 0; --i) {
            const uint32_t above = found->order[i - 1];
            if (c->cell[above][above].slowdown >= c->cell[k][k].slowdown) break;
            found->order[i] = above;
        }
        found->order[i] = k;
        ++found->tried;
    }
}

static void find_axis(const contend *c, contend_found *found) {
    double most = 0.0;
    found->axis = PRESSURES;
    for (uint32_t j = 0; j < PRESSURES; ++j) {
        double sum = 0.0;
        for (uint32_t k = 0; k < PRESSURES; ++k)
            if (found->slows[k][j]) sum += c->cell[k][j].slowdown - 1.0;
        if (!(sum > most)) continue;
        most = sum;
        found->axis = j;
    }
}

/* ---- the sentence ---- */

typedef struct words {
    char *text;
    size_t size, used;
} words;

static void say(words *w, const char *text) {
    int n = snprintf(w->text + w->used, w->size - w->used, "%s", text);
    if (n > 0 && w->used + (size_t)n < w->size) w->used += (size_t)n;
}

/* Lists "a, b and c" of the kinds for which slows[k][k] is as requested, with their slowdowns if they
   fight. Returns their number. */
static uint32_t say_kinds(words *w, const contend *c, const contend_found *found, int fight) {
    uint32_t count = 0, said = 0;
    for (uint32_t i = 0; i < found->tried; ++i) {
        const uint32_t k = found->order[i];
        count += found->slows[k][k] == fight;
    }
    for (uint32_t i = 0; i < found->tried; ++i) {
        const uint32_t k = found->order[i];
        char one[80];
        if (found->slows[k][k] != fight) continue;
        if (fight) snprintf(one, sizeof one, "%s (%.2f)", pressure_name(k), c->cell[k][k].slowdown);
        else snprintf(one, sizeof one, "%s", pressure_name(k));
        if (said) say(w, said + 1 < count ? ", " : " and ");
        say(w, one);
        ++said;
    }
    return count;
}

/* The two of different kinds with the max slowdown of one by the other; 0: there are none. */
static int worst_of(const contend *c, const contend_found *found, uint32_t *who, uint32_t *by) {
    double most = 0.0;
    for (uint32_t k = 0; k < PRESSURES; ++k)
        for (uint32_t j = 0; j < PRESSURES; ++j)
            if (k != j && found->slows[k][j] && c->cell[k][j].slowdown > most) {
                most = c->cell[k][j].slowdown;
                *who = k;
                *by = j;
            }
    return most > 0.0;
}

/* If other programs kept the neighbour from its core, the measured slowdown may be too low. */
static void say_present(words *w, const contend *c) {
    double sum = 0.0;
    uint32_t cells = 0;
    char text[240];
    for (uint32_t k = 0; k < PRESSURES; ++k)
        for (uint32_t j = 0; j < PRESSURES; ++j) {
            if (!c->cell[k][j].repetitions) continue;
            sum += c->cell[k][j].present;
            ++cells;
        }
    if (c->cores == 1 || sum > 0.9 * cells) return;
    snprintf(
        text, sizeof text,
        " But other programs were running, and the neighbour had its core only %.0f %% of the time: there "
        "may be more.",
        100.0 * sum / cells);
    say(w, text);
}

static void say_contention(words *w, const contend *c, const contend_found *found) {
    uint32_t who = 0, by = 0, own = 0;
    int apart = worst_of(c, found, &who, &by);
    char text[240];
    for (uint32_t k = 0; k < PRESSURES; ++k) own += found->slows[k][k] != 0;
    if (!own && !apart) {
        snprintf(text, sizeof text,
                 "No contention above the noise (%.2g %%) was found on this machine%s: what follows measures "
                 "times, not interference.",
                 100.0 * found->noise, c->cores == 1 ? ", whose programs take turns on one core" : "");
        say(w, text);
        return;
    }
    say(w, c->cores == 1 ? "On this machine programs that take turns on one core "
                         : "On this machine programs ");
    say(w, own ? "fight over " : "of one kind do not fight with each other.");
    if (own) {
        say_kinds(w, c, found, 1);
        if (own < found->tried) {
            say(w, "; not over ");
            say_kinds(w, c, found, 0);
        }
        say(w, ".");
    }
    if (!apart) return;
    snprintf(text, sizeof text, " Of two kinds the worst is %s next to %s (%.2f).", pressure_name(who),
             pressure_name(by), c->cell[who][by].slowdown);
    say(w, text);
}

static void say_what(const contend *c, contend_found *found) {
    words w = {found->sentence, sizeof found->sentence, 0};
    if (!found->tried) {
        say(&w, "What programs fight over on this machine could not be measured.");
        return;
    }
    say_contention(&w, c, found);
    say_present(&w, c);
}

/* Whether the median is above the noise. The lower quartile has to be, too. */
static int stands_out(const contend *c, const contend_found *found, uint32_t who, uint32_t by) {
    const contend_cell *cell = &c->cell[who][by];
    return cell->repetitions > 0 && cell->slowdown - 1.0 > ABOVE * found->floor[who];
}

void contend_judge(const contend *c, contend_found *found) {
    memset(found, 0, sizeof *found);
    find_floors(c, found);
    for (uint32_t k = 0; k < PRESSURES; ++k)
        for (uint32_t j = 0; j < PRESSURES; ++j) {
            const contend_cell *cell = &c->cell[k][j];
            found->slows[k][j] = stands_out(c, found, k, j) && cell->low - 1.0 > found->floor[k];
            found->any |= found->slows[k][j];
        }
    find_order(c, found);
    find_axis(c, found);
    say_what(c, found);
}

int contend_fight(const contend_found *found, uint32_t one, uint32_t other) {
    return one < PRESSURES && other < PRESSURES && (found->slows[one][other] || found->slows[other][one]);
}

/* ---- telling ---- */

static char mark_of(const contend *c, const contend_found *found, uint32_t who, uint32_t by) {
    return found->slows[who][by] ? '*' : stands_out(c, found, who, by) ? '?' : ' ';
}

void contend_tell(const contend *c, const contend_found *found) {
    int doubts = 0;
    printf("\nHow many times as long a program takes next to another (* above the noise)\n  %-20s", "");
    for (uint32_t j = 0; j < PRESSURES; ++j)
        if (was_tried(c, j)) printf(" %9s", pressure_word(j));
    printf("    noise\n");
    for (uint32_t k = 0; k < PRESSURES; ++k) {
        if (!was_tried(c, k)) continue;
        printf("  %-20s", pressure_name(k));
        for (uint32_t j = 0; j < PRESSURES; ++j)
            if (was_tried(c, j)) {
                const char mark = mark_of(c, found, k, j);
                printf("  %7.2f%c", c->cell[k][j].slowdown, mark);
                doubts |= mark == '?';
            }
        printf(" %6.1f %%\n", 100.0 * found->floor[k]);
    }
    if (doubts) printf("  ? the median is above the noise, but a quarter of the repetitions were not\n");
    for (uint32_t k = 0; k < PRESSURES; ++k)
        if (found->tried && !was_tried(c, k))
            printf("  %s were not tried: the system refuses them here.\n", pressure_name(k));
}

void contend_draw(sooth_sink *sink, const contend *c, double width) {
    double value[PRESSURES * PRESSURES], most = 1.3; /* the noise stays pale */
    const char *row[PRESSURES], *col[PRESSURES];
    svg_heat_map chart;
    size_t n = 0, cell = 0;
    for (uint32_t k = 0; k < PRESSURES; ++k) {
        if (!was_tried(c, k)) continue;
        for (uint32_t j = 0; j < PRESSURES; ++j) {
            if (!was_tried(c, j)) continue;
            value[cell++] = floor(100.0 * c->cell[k][j].slowdown + 0.5) / 100.0;
            if (c->cell[k][j].slowdown > most) most = c->cell[k][j].slowdown;
        }
        row[n] = pressure_name(k);
        col[n++] = pressure_word(k);
    }
    memset(&chart, 0, sizeof chart);
    chart.frame.title = "How many times as long a program takes next to another";
    chart.frame.width = width;
    chart.value = value;
    chart.rows = chart.cols = n;
    chart.row_names = row;
    chart.col_names = col;
    chart.row_title = "slowed";
    chart.col_title = "beside";
    chart.low = 1.0;
    chart.high = most;
    svg_heat(sink, &chart);
}
