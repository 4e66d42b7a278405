/* print.c - aligned columns, rounded numbers, JSON.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "app.h"

#include <stdarg.h>

/* ---- numbers ---- */

const char *shortest(float value) {
    static char ring[4][SOOTH_TEXT_NUMBER_SIZE];
    static unsigned next;
    char *text = ring[next++ % 4];
    sooth_text_from_float(text, value);
    return text;
}

const char *human_like(double value, double like, unsigned digits) {
    static char ring[16][40];
    static unsigned next;
    char *text = ring[next++ % 16], *e;
    if (value != value) return "-";
    if (value <= 0.0 && value >= 0.0 && like <= 0.0 && like >= 0.0) return "0";
    snprintf(text, 40, "%.*e", (int)digits - 1, like); /* rounds first: 9.996 to 3 digits is 10.0 */
    e = strchr(text, 'e');
    int exponent = e ? atoi(e + 1) : 99;
    int decimals = (int)digits - 1 - exponent;
    if (exponent < -5 || exponent > 9) snprintf(text, 40, "%.*e", (int)digits - 1, value);
    else snprintf(text, 40, "%.*f", decimals > 0 ? decimals : 0, value);
    return text;
}

const char *human(double value, unsigned digits) { return human_like(value, value, digits); }

const char *counted(size_t count, const char *one, const char *many) {
    static char ring[8][64];
    static unsigned next;
    char *text = ring[next++ % 8];
    snprintf(text, 64, "%zu %s", count, count == 1 ? one : many);
    return text;
}

const char *plus_minus(void) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < 3; ++i) {
        const char *value = getenv(names[i]);
        if (value && *value) return strstr(value, "UTF-8") || strstr(value, "utf8") ? "\xC2\xB1" : "+-";
    }
    return "+-";
}

/* ---- columns ---- */

void grid_init(grid *g, size_t cols, size_t left) {
    memset(g, 0, sizeof *g);
    g->cols = cols;
    g->left = left;
}

void grid_add(grid *g, const char *format, ...) {
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    tame(text);
    if (g->cells == g->capacity) {
        char **larger = (char **)allocate(g->capacity = g->capacity * 2 + 64, sizeof *larger);
        if (g->cells) memcpy(larger, g->cell, g->cells * sizeof *larger);
        free(g->cell);
        g->cell = larger;
    }
    const size_t length = strlen(text) + 1;
    g->cell[g->cells] = (char *)allocate(length, 1);
    memcpy(g->cell[g->cells++], text, length);
}

/* Returns the number of UTF-8 characters, not bytes. */
static size_t width_of(const char *text) {
    size_t n = 0;
    for (; *text; ++text) n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

void grid_print(grid *g, FILE *to, const char *indent) {
    size_t *width = (size_t *)allocate(g->cols, sizeof *width), col;
    for (size_t i = 0; i < g->cells; ++i) {
        size_t w = width_of(g->cell[i]);
        if (w > width[i % g->cols]) width[i % g->cols] = w;
    }
    for (size_t i = 0; i < g->cells; ++i) {
        col = i % g->cols;
        int pad = (int)(width[col] - width_of(g->cell[i]));
        if (col == 0) fputs(indent, to);
        if (col >= g->left) fprintf(to, "%*s", pad, "");
        fputs(g->cell[i], to);
        if (col + 1 == g->cols) fputc('\n', to);
        else fprintf(to, "%*s", col < g->left ? pad + 3 : 3, "");
        free(g->cell[i]);
    }
    free(width);
    free(g->cell);
    grid_init(g, g->cols, g->left);
}

/* ---- JSON ---- */

static void json_quoted(FILE *to, const char *text) {
    sooth_sink sink = sooth_file_sink(to);
    sooth_text_json(&sink, text);
}

static void json_key(json *j, const char *key) {
    fputs(j->comma ? ",\n" : j->depth ? "\n" : "", j->to);
    fprintf(j->to, "%*s", 2 * j->depth, "");
    if (key) {
        json_quoted(j->to, key);
        fputs(": ", j->to);
    }
    j->comma = 1;
}

void json_open(json *j, const char *key, char bracket) {
    json_key(j, key);
    fputc(bracket, j->to);
    ++j->depth;
    j->comma = 0;
}

void json_close(json *j, char bracket) {
    --j->depth;
    if (j->comma) fprintf(j->to, "\n%*s", 2 * j->depth, "");
    fputc(bracket, j->to);
    j->comma = 1;
}

void json_begin(json *j, FILE *to) {
    j->to = to;
    j->depth = j->comma = 0;
    json_open(j, NULL, '{');
}

void json_end(json *j) {
    json_close(j, '}');
    fputc('\n', j->to);
}

void json_text(json *j, const char *key, const char *text) {
    json_key(j, key);
    json_quoted(j->to, text);
}

void json_number(json *j, const char *key, double value) {
    char text[SOOTH_TEXT_NUMBER_SIZE];
    json_key(j, key);
    if (value - value <= 0.0) {
        sooth_text_from_double(text, value);
        fputs(text, j->to);
    } else {
        fputs("null", j->to);
    }
}

void json_float(json *j, float value) {
    char text[SOOTH_TEXT_NUMBER_SIZE];
    json_key(j, NULL);
    if (value - value <= 0.0f) {
        sooth_text_from_float(text, value);
        fputs(text, j->to);
    } else {
        fputs("null", j->to);
    }
}

void json_count(json *j, const char *key, size_t value) {
    json_key(j, key);
    fprintf(j->to, "%zu", value);
}
