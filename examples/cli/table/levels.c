/* levels.c - the values that a knob can take, as words of the command line.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "table.h"

enum { MOST_LEVELS = 1000000 };

static levels one_to(uint32_t count) {
    levels l;
    l.count = count;
    l.value = (double *)allocate(count, sizeof *l.value);
    for (uint32_t i = 0; i < count; ++i) l.value[i] = i + 1.0;
    return l;
}

static levels spread(double from, double to, double step) {
    levels l;
    l.count = (uint32_t)((to - from) / step + 1e-9) + 1;
    l.value = (double *)allocate(l.count, sizeof *l.value);
    for (uint32_t i = 0; i < l.count; ++i) l.value[i] = from + step * i;
    return l;
}

levels levels_read(const char *flag_name, const char *text) {
    double v[3];
    size_t n = 0, length, used;
    const char *c = text, *shape = strchr(text, ':') ? ":" : "/";
    levels l;
    l.count = 1;
    while (*c) l.count += *c++ == '/';
    l.value = (double *)allocate(l.count, sizeof *l.value);
    for (c = text;; c += length + 1) {
        double number;
        length = strcspn(c, shape);
        used = sooth_text_to_double(c, length, &number);
        if (used == 0 || used != length || !(number - number <= 0.0) || (*shape == ':' && n == 3)) break;
        if (*shape == ':') v[n++] = number;
        else l.value[n++] = number;
        if (c[length]) continue;
        if (*shape == ':') {
            if (n == 3 && v[2] > 0.0 && v[1] >= v[0] && (v[1] - v[0]) / v[2] < MOST_LEVELS)
                return spread(v[0], v[1], v[2]);
        } else if (n > 1) {
            return l;
        } else if (number >= 1.0 && number <= MOST_LEVELS && number <= (uint32_t)number) {
            return one_to((uint32_t)number);
        }
        break;
    }
    die(BAD_USE,
        "--%s is %s, but a knob is a count of levels from 1 to %d, a range FROM:TO:STEP or values such as "
        "1/2/4",
        flag_name, printable(text), MOST_LEVELS);
}
