/* picture.h - a drawing of svg.h as a file, for the examples that draw.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef PICTURE_H
#define PICTURE_H

#include "svg.h"
#include <stdio.h>
#include <string.h>

typedef struct picture {
    sooth_sink sink; /* what svg.h draws to */
    FILE *file;
    char path[1024];
} picture;

static int picture_write(void *file, const char *text, size_t size) {
    return fwrite(text, 1, size, (FILE *)file) != size;
}

/* Opens FOLDER/NAME. Returns 0 without a folder (NULL), or after an error message. */
static int picture_open(picture *p, const char *folder, const char *name) {
    memset(p, 0, sizeof *p);
    if (!folder) return 0;
    snprintf(p->path, sizeof p->path, "%s/%s", folder, name);
    p->file = fopen(p->path, "w");
    p->sink.write_fn = picture_write;
    p->sink.user = p->file;
    if (!p->file) printf("  %s cannot be written: no picture\n", p->path);
    return p->file != NULL;
}

static void picture_close(picture *p) {
    const int whole = fclose(p->file) == 0 && !p->sink.failed;
    printf(whole ? "  drawn: %s\n" : "  %s cannot be written whole\n", p->path);
}

/* Draws one chart as FOLDER/NAME: picture_draw(folder, "progress.svg", svg_lines, &chart). The chart may
   be a compound literal. Its commas make this a macro with a variable number of arguments. */
#define picture_draw(folder, name, svg, ...)               \
    do {                                                   \
        picture picture_;                                  \
        if (!picture_open(&picture_, folder, name)) break; \
        svg(&picture_.sink, __VA_ARGS__);                  \
        picture_close(&picture_);                          \
    } while (0)

#endif
