/* page.h - what a command tells, as one page of HTML: pictures, and the numbers behind each as a table.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The page needs nothing beside it: no network, no script, no font. Every picture is drawn twice, for windows
 * that are wide and for those of a telephone, and the browser shows one. Colours are those of svg.h, and what
 * is told apart by colour has its name beside it. A page is kept in memory until all is well and written
 * whole or not at all, as every file here.
 *
 *     page_read(args, &p);                               early: what may not be written is refused
 *     if (page_is_wanted(&p)) {
 *         page_begin(&p, "How well %s is predicted", target);
 *         page_text(&p, "p", "Beside the median ...");
 *         page_bars(&p, "Mean error of each model", &chart);
 *         page_table(&p, "what it holds", &g);           behind every picture
 *     }
 *     page_write(&p, inputs, count);                     nothing where nobody asked
 *     ... what the command prints ...
 *     page_name(&p, stdout);                             the last line
 */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include "app.h"
#include "../../common/svg.h"

#define PAGE_FLAG                                                                                  \
    {                                                                                              \
        "page", 0, "FILE.html",                                                                    \
            "also write one HTML page with pictures and the numbers for each; needs no network", 0 \
    }

enum {
    PAGE_POINTS = 300, /* the most that a picture shows */
    PAGE_ROWS = 1000   /* and that a table lists; it says of how many */
};

typedef struct page {
    const arguments *args;
    const char *path; /* NULL: nobody asked */
    kept text;
    sooth_sink to;
    int figure; /* a picture waits for its table */
} page;

/* Reads --page; dies where that file may not be written. */
void page_read(const arguments *args, page *p);
int page_is_wanted(const page *p);

/* The head of the page, its title, and the facts that all pages tell. Beginning again starts afresh. */
void page_begin(page *p, const char *format, ...) LIKE_PRINTF(2, 3);

/* One element: "h2", "p", "p class=\"lead\"". Whatever stands in the text is escaped. */
void page_text(page *p, const char *element, const char *format, ...) LIKE_PRINTF(3, 4);

/* A picture of either width, with a line above it that says what it shows; the chart needs no title of its
   own. A table follows each. */
void page_points(page *p, const char *caption, const svg_points *chart);
void page_bars(page *p, const char *caption, const svg_bar_chart *chart);
void page_strips(page *p, const char *caption, const svg_strip_chart *chart);
void page_heat(page *p, const char *caption, const svg_heat_map *chart);
void page_lines(page *p, const char *caption, const svg_line_chart *chart);

/* The cells as a table, their first row as its head, and forgets them. Behind a picture it is folded under
   this name; alone it stands open under it. */
void page_table(page *p, const char *name, grid *g);

/* Which of `count` things are shown where most are too many: the k-th of page_shown(count), from the first to
   the last at even distances. */
size_t page_shown(size_t count, size_t most);
size_t page_pick(size_t count, size_t most, size_t k);

/* Writes the file; it is none of the inputs. */
void page_write(page *p, const char *const *inputs, size_t count);

/* "page: FILE", the last line of what is told; where stdout holds data for programs, for stderr. */
void page_name(const page *p, FILE *to);

#endif /* CLI_PAGE_H */
