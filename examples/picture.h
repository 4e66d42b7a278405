/* picture.h - a drawing of svg.h as a file, for the examples that draw.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef PICTURE_H
#define PICTURE_H

#include "sooth/svg.h"
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

/* Opens FOLDER/NAME; 0, and a line that says so, where that cannot be. */
static int picture_open(picture *p, const char *folder, const char *name) {
    memset(p, 0, sizeof *p);
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

#endif
