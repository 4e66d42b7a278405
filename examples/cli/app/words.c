/* words.c - text that is safe to print, and suggestions for mistyped words.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "app.h"

/* ---- suggestions ---- */

/* Returns the number of edits from a to b: insert, delete, replace, swap neighbours (optimal string
   alignment). O(|a| |b|); long words are far from everything. */
static size_t distance(const char *a, const char *b) {
    enum { MOST = 48 };
    size_t d[MOST + 1][MOST + 1], n = strlen(a), m = strlen(b);
    if (n > MOST || m > MOST) return n > m ? n : m;
    for (size_t i = 0; i <= n; ++i) d[i][0] = i;
    for (size_t j = 0; j <= m; ++j) d[0][j] = j;
    for (size_t i = 1; i <= n; ++i) {
        for (size_t j = 1; j <= m; ++j) {
            size_t best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (d[i - 1][j] + 1 < best) best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best) best = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    }
    return d[n][m];
}

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

int same_but_case(const char *a, const char *b) {
    while (*a && lower(*a) == lower(*b)) ++a, ++b;
    return lower(*a) == lower(*b);
}

const char *nearest(const char *word, const char *const *candidates, size_t count) {
    const char *best = NULL;
    size_t length = strlen(word), most = 1 + length / 4;
    for (size_t i = 0; i < count; ++i) {
        if (same_but_case(word, candidates[i])) return candidates[i];
        size_t d = distance(word, candidates[i]);
        if (length >= 3 && strncmp(word, candidates[i], length) == 0) d = 1; /* a prefix of the candidate */
        if (d <= most && d < strlen(candidates[i])) {
            best = candidates[i];
            most = d ? d - 1 : 0;
        }
    }
    return best;
}

const char *did_you_mean(const char *word, const char *const *candidates, size_t count) {
    const char *best = nearest(word, candidates, count);
    static char text[160];
    text[0] = 0;
    if (best) snprintf(text, sizeof text, "; did you mean %.100s?", best);
    return text;
}

/* ---- printable text ---- */

/* Returns true if a control character begins here: ASCII, or U+0080 to U+009F in UTF-8. */
static int is_control(const char *at) {
    const unsigned char c = (unsigned char)at[0], next = c ? (unsigned char)at[1] : 0;
    return c < 0x20 || c == 0x7F || (c == 0xC2 && next >= 0x80 && next < 0xA0);
}

void tame(char *text) {
    for (; *text; ++text) {
        if (!is_control(text)) continue;
        if ((unsigned char)*text == 0xC2) text[1] = '?';
        *text = '?';
    }
}

const char *printable(const char *text) {
    static char ring[8][256];
    static unsigned next;
    char *copy = ring[next++ % 8];
    snprintf(copy, sizeof ring[0], "%s", text);
    tame(copy);
    return copy;
}

const char *listed(const char *name) {
    static char ring[8][256];
    static unsigned next;
    char *text = ring[next++ % 8], *to = text;
    name = printable(name);
    if (!strpbrk(name, ",\"")) return name;
    for (*to++ = '"'; *name && to < text + 250; *to++ = *name++)
        if (*name == '"') *to++ = '"';
    *to++ = '"';
    *to = 0;
    return text;
}
