/* page.c - a page of HTML with pictures; see page.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "page.h"
#include "looks.h"

#include <stdarg.h>

enum { WIDE = 640, NARROW = 340 };

/* In addition to looks.h: tables scroll by themselves, one of two drawings is shown, and narrow windows have
   narrow margins. */
static const char own[] =
    "h1,p,figcaption,summary{overflow-wrap:anywhere}code{font-size:.9em}\n"
    "figure{margin:1.2rem 0 2rem}figcaption{font-weight:600}svg{margin:.6rem 0}.narrow{display:none}\n"
    "summary{cursor:pointer;color:var(--soft);font-size:.92rem}\n"
    ".scroll{overflow-x:auto;max-height:34rem}.scroll table{margin:.4rem 0}\n"
    "th{vertical-align:bottom}td{white-space:nowrap}th.t,td.t{text-align:left}\n"
    "@media(max-width:40rem){body{padding:1.2rem .7rem 3rem}h1{font-size:1.5rem}.wide{display:none}"
    ".narrow{display:block}}\n"
    "@media print{.scroll{max-height:none}}\n";

/* ---- the file ---- */

void page_read(const arguments *args, page *p) {
    memset(p, 0, sizeof *p);
    p->args = args;
    p->path = arguments_text(args, "page");
    if (!p->path) return;
    if (strcmp(p->path, "-") == 0) die(BAD_USE, "--page needs a file name");
    for (size_t i = 0; i < args->words; ++i)
        if (strcmp(args->word[i], p->path) == 0)
            die(BAD_USE, "%s is an input; choose another file for the output", p->path);
}

int page_is_wanted(const page *p) { return p->path != NULL; }

void page_write(page *p, const char *const *inputs, size_t count) {
    if (!p->path) return;
    page_text(p, "p class=\"soft\"",
              "Figures are rounded as the command prints them. Pictures and tables are complete unless their "
              "captions state otherwise. This file needs neither network nor scripts.");
    fputs("</body></html>\n", p->text.stream);
    FILE *to = output_open(p->path, arguments_has(p->args, "force"), inputs, count);
    kept_release(&p->text, to);
    output_close();
}

void page_name(const page *p, FILE *to) {
    if (p->path) fprintf(to, "page: %s\n", printable(p->path));
}

/* ---- text ---- */

static void escaped(page *p, const char *text) { svg_text(&p->to, text); }

void page_text(page *p, const char *element, const char *format, ...) {
    va_list list;
    va_start(list, format);
    const int size = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char *text = (char *)allocate((size_t)size + 1, 1);
    va_start(list, format);
    vsnprintf(text, (size_t)size + 1, format, list);
    va_end(list);
    fprintf(p->text.stream, "<%s>", element);
    escaped(p, text);
    fprintf(p->text.stream, "</%.*s>\n", (int)strcspn(element, " "), element);
    free(text);
}

/* Writes a word of the command line quoted for a shell; a quote within quotes is '\''. */
static void put_word(page *p, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+@%-";
    fputc(' ', p->text.stream);
    if (*word && strspn(word, plain) == strlen(word)) {
        escaped(p, word);
        return;
    }
    char *text = (char *)allocate(4 * strlen(word) + 3, 1), *at = text;
    *at++ = '\'';
    for (; *word; ++word) {
        if (*word == '\'') {
            memcpy(at, "'\\'", 3);
            at += 3;
        }
        *at++ = *word;
    }
    *at = '\'';
    escaped(p, text);
    free(text);
}

/* Writes the words, then the options in their order; equivalent to the typed command line. --force is left
   out, since it does not change the page. */
static void put_command(page *p) {
    const arguments *a = p->args;
    fprintf(p->text.stream, "<p class=\"soft\"><code>sooth %s", a->command->name);
    for (size_t i = 0; i < a->words; ++i) put_word(p, a->word[i]);
    for (size_t i = 0; i < a->givens; ++i) {
        if (strcmp(a->given[i]->name, "force") == 0) continue;
        fprintf(p->text.stream, " --%s", a->given[i]->name);
        if (a->value[i]) put_word(p, a->value[i]);
    }
    fprintf(p->text.stream, "</code>, sooth %s</p>\n", SOOTH_VERSION_TEXT);
}

void page_begin(page *p, const char *format, ...) {
    char title[400];
    va_list list;
    va_start(list, format);
    vsnprintf(title, sizeof title, format, list);
    va_end(list);
    p->to = sooth_file_sink(kept_open(&p->text));
    fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
          "content=\"width=device-width,initial-scale=1\"><title>sooth: ",
          p->text.stream);
    escaped(p, title);
    fputs("</title>\n<style>\n" LOOKS, p->text.stream);
    fprintf(p->text.stream, "%s</style>\n</head><body>\n", own);
    page_text(p, "h1", "%s", title);
    put_command(p);
}

/* ---- pictures ---- */

/* Draws a chart at both widths. `draw` takes a chart whose first member is its frame. */
#define TWICE(p, caption, type, svg)                                                         \
    type copy = *chart;                                                                      \
    copy.frame.title = (caption);                                                            \
    fputs("<figure><figcaption>", (p)->text.stream);                                         \
    escaped((p), (caption));                                                                 \
    fputs("</figcaption>\n", (p)->text.stream);                                              \
    for (int narrow = 0; narrow < 2; ++narrow) {                                             \
        fputs(narrow ? "<div class=\"narrow\">" : "<div class=\"wide\">", (p)->text.stream); \
        copy.frame.width = narrow ? NARROW : WIDE;                                           \
        svg(&(p)->to, &copy);                                                                \
        fputs("</div>\n", (p)->text.stream);                                                 \
    }                                                                                        \
    (p)->figure = 1

void page_points(page *p, const char *caption, const svg_points *chart) {
    TWICE(p, caption, svg_points, svg_scatter);
}
void page_bars(page *p, const char *caption, const svg_bar_chart *chart) {
    TWICE(p, caption, svg_bar_chart, svg_bars);
}
void page_strips(page *p, const char *caption, const svg_strip_chart *chart) {
    TWICE(p, caption, svg_strip_chart, svg_strips);
}
void page_heat(page *p, const char *caption, const svg_heat_map *chart) {
    TWICE(p, caption, svg_heat_map, svg_heat);
}
void page_lines(page *p, const char *caption, const svg_line_chart *chart) {
    TWICE(p, caption, svg_line_chart, svg_lines);
}

void page_table(page *p, const char *name, grid *g) {
    FILE *to = p->text.stream;
    const int folded = p->figure;
    const size_t rows = g->cells / g->cols - 1;
    fputs(folded ? "<details><summary>" : "<p class=\"soft\">", to);
    escaped(p, name);
    fputs(folded ? "</summary>\n" : "</p>\n", to);
    fputs("<div class=\"scroll\"><table>\n", to);
    for (size_t i = 0; i < g->cells; free(g->cell[i++])) {
        const size_t col = i % g->cols;
        if (i / g->cols > PAGE_ROWS) continue;
        const char *tag = i < g->cols ? "th" : "td";
        fprintf(to, "%s<%s%s>", col == 0 ? "<tr>" : "", tag, col && col < g->left ? " class=\"t\"" : "");
        escaped(p, g->cell[i]);
        fprintf(to, "</%s>%s", tag, col + 1 == g->cols ? "</tr>\n" : "");
    }
    fputs("</table></div>", to);
    if (rows > PAGE_ROWS) fprintf(to, "\n<p class=\"soft\">The first %d of %zu rows.</p>", PAGE_ROWS, rows);
    fputs(folded ? "</details></figure>\n" : "\n", to);
    p->figure = 0;
    free(g->cell);
    grid_init(g, g->cols, g->left);
}

size_t page_shown(size_t count, size_t most) { return count < most ? count : most; }

size_t page_pick(size_t count, size_t most, size_t k) {
    if (count <= most || most < 2) return k;
    return (size_t)((unsigned long long)k * (count - 1) / (most - 1));
}
