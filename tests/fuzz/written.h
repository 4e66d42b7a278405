/* written.h - what a writer wrote: a sink to memory that grows, for targets that read it again.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef WRITTEN_H
#define WRITTEN_H

#include <stdlib.h>

typedef struct written {
    char *text;
    size_t size, room;
} written;

static int written_add(void *user, const char *text, size_t size) {
    written *w = (written *)user;
    if (w->size + size > w->room) {
        w->room = 2 * (w->size + size);
        w->text = (char *)realloc(w->text, w->room);
        if (!w->text) abort();
    }
    memcpy(w->text + w->size, text, size);
    w->size += size;
    return 0;
}

/* A sink to an empty one; its text is for free(). */
static sooth_sink written_sink(written *w) {
    sooth_sink sink;
    memset(w, 0, sizeof *w);
    memset(&sink, 0, sizeof sink);
    sink.user = w;
    sink.write_fn = written_add;
    return sink;
}

#endif /* WRITTEN_H */
