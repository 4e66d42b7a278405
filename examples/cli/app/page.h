/* page.h - a page of HTML with pictures and the numbers of each as a table.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The page is self-contained: no network, no script, no font. Every picture is drawn twice, for wide windows
 * and for telephones, and the browser shows one. Colours are those of sooth/svg.h, and everything
 * distinguished by colour is labelled as well. A page is kept in memory until the command succeeds, and is
 * written completely or not at all.
 *
 *     page_read(args, &p);                               early: refuses a file that cannot be written
 *     if (page_is_wanted(&p)) {
 *         page_begin(&p, "How well %s is predicted", target);
 *         page_text(&p, "p", "Compared with the median ...");
 *         page_bars(&p, "Mean error of each model", &chart);
 *         page_table(&p, "what it holds", &g);           after every picture
 *     }
 *     page_write(&p, inputs, count);                     does nothing without --page
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
    PAGE_POINTS = 300, /* maximum number of points in a picture */
    PAGE_ROWS = 1000   /* and of rows in a table; the page prints the total */
};

typedef struct page {
    const arguments *args;
    const char *path; /* NULL: no page */
    kept text;
    sooth_sink to;
    int figure; /* the last picture still needs its table */
} page;

/* Reads --page; dies if that file cannot be written. */
void page_read(const arguments *args, page *p);
int page_is_wanted(const page *p);

/* Writes the head of the page, its title, and the facts that all pages have. A second call starts over. */
void page_begin(page *p, const char *format, ...) LIKE_PRINTF(2, 3);

/* Writes one element: "h2", "p", "p class=\"lead\"". The text is escaped. */
void page_text(page *p, const char *element, const char *format, ...) LIKE_PRINTF(3, 4);

/* Draws a picture at both widths under a caption; the chart needs no title. Call page_table after each. */
void page_points(page *p, const char *caption, const svg_points *chart);
void page_bars(page *p, const char *caption, const svg_bar_chart *chart);
void page_strips(page *p, const char *caption, const svg_strip_chart *chart);
void page_heat(page *p, const char *caption, const svg_heat_map *chart);
void page_lines(page *p, const char *caption, const svg_line_chart *chart);

/* Writes the cells as a table with their first row as head, and clears them. After a picture the table is
   folded under this name; else it is open. */
void page_table(page *p, const char *name, grid *g);

/* If there are more than `most` of `count` items, page_shown returns how many are shown, and page_pick the
   k-th of them, at even distances from the first to the last. */
size_t page_shown(size_t count, size_t most);
size_t page_pick(size_t count, size_t most, size_t k);

/* Writes the file. It must differ from the inputs. */
void page_write(page *p, const char *const *inputs, size_t count);

/* Prints "page: FILE", the last line of the output; on stderr if stdout holds data. */
void page_name(const page *p, FILE *to);

#endif /* CLI_PAGE_H */
