/* flow.c - draws the control flow graph of a kernel.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The drawing is layered: a block lies one layer below the lowest block that leads forward to it. Between
 * layers lie gaps, and every horizontal piece of an edge has a track of its own in one of them. Edges that
 * pass layers run next to the blocks: forward edges in lanes on the right, edges back to the header of a loop
 * in lanes on the left. So lines cross at right angles, and none runs along another or through a block.
 */
#include "gpu_cli.h"

enum { WIDTH = 190, HEIGHT = 34, APART = 40, TRACK = 9, MARGIN = 16 };

typedef struct box {
    uint32_t layer;
    double x; /* of its middle */
    double y; /* of its top */
} box;

typedef struct line {
    uint32_t from, to;      /* blocks, counted from the first of the function */
    uint32_t above, below;  /* gaps of its start and its end; gap g lies above layer g */
    int is_back, passes;    /* passes: it needs a lane, since it goes back or over more than one gap */
    double leaves, arrives; /* x */
    uint32_t lane;
    uint32_t track[2]; /* in the gap of its start; in the gap of its end */
} line;

typedef struct drawing {
    FILE *to;
    const sooth_ptx *ptx;
    const sooth_ptx_function *f;
    box *block;
    line *edge;
    uint32_t edges, layers, lanes[2]; /* lanes on the right, on the left */
    uint32_t *tracks;                 /* per gap */
    double left, right;               /* of all blocks */
} drawing;

static const sooth_ptx_block *block_of(const drawing *d, uint32_t b) {
    return &d->ptx->block[d->f->block + b];
}

/* ---- positions ---- */

/* Computes longest paths from the entry, over edges that lead forward in reverse post-order. Unreachable
   blocks lie below. */
static void choose_layers(drawing *d) {
    const uint32_t n = d->f->blocks, reached = n - d->f->unreachable;
    uint32_t *sorted = (uint32_t *)allocate(n, sizeof *sorted);
    d->layers = 0;
    for (uint32_t i = 0; i < n; ++i) {
        d->block[i].layer = 0;
        if (block_of(d, i)->order != SOOTH_PTX_NONE) sorted[block_of(d, i)->order] = i;
    }
    for (uint32_t i = 0; i < reached; ++i) {
        const sooth_ptx_block *from = block_of(d, sorted[i]);
        const uint32_t below = d->block[sorted[i]].layer + 1;
        for (uint32_t e = 0; e < from->edges; ++e) {
            const uint32_t to = d->ptx->edge[from->edge + e] - d->f->block;
            if (block_of(d, to)->order > from->order && d->block[to].layer < below)
                d->block[to].layer = below;
        }
        if (below > d->layers) d->layers = below;
    }
    for (uint32_t i = 0; i < n; ++i)
        if (block_of(d, i)->order == SOOTH_PTX_NONE) d->block[i].layer = d->layers++;
    free(sorted);
}

typedef struct place {
    double wish; /* mean position of the blocks that lead here */
    uint32_t block;
} place;

static int by_wish(const void *a, const void *b) {
    const place *x = (const place *)a, *y = (const place *)b;
    if (x->wish < y->wish || x->wish > y->wish) return x->wish < y->wish ? -1 : 1;
    return (x->block > y->block) - (x->block < y->block);
}

/* Places the blocks of a layer next to each other, in the order of the blocks above. */
static void choose_columns(drawing *d) {
    place *row = (place *)allocate(d->f->blocks, sizeof *row);
    uint32_t n;
    for (uint32_t layer = 0; layer < d->layers; ++layer) {
        for (uint32_t b = n = 0; b < d->f->blocks; ++b) {
            double sum = 0.0;
            uint32_t found = 0;
            if (d->block[b].layer != layer) continue;
            for (uint32_t k = 0; k < d->edges; ++k)
                if (d->edge[k].to == b && d->block[d->edge[k].from].layer < layer) {
                    sum += d->block[d->edge[k].from].x;
                    ++found;
                }
            row[n].block = b;
            row[n++].wish = found ? sum / found : 0.0;
        }
        qsort(row, n, sizeof *row, by_wish);
        for (uint32_t k = 0; k < n; ++k) {
            box *at = &d->block[row[k].block];
            at->x = (k - (n - 1) / 2.0) * (WIDTH + APART);
            if (at->x + WIDTH / 2.0 > d->right) d->right = at->x + WIDTH / 2.0;
        }
    }
    d->left = -d->right;
    free(row);
}

static void list_edges(drawing *d) {
    for (uint32_t b = 0; b < d->f->blocks; ++b)
        for (uint32_t e = 0; e < block_of(d, b)->edges; ++e) {
            line *l = &d->edge[d->edges++];
            l->from = b;
            l->to = d->ptx->edge[block_of(d, b)->edge + e] - d->f->block;
            l->above = d->block[b].layer + 1;
            l->below = d->block[l->to].layer;
            l->is_back = l->below < l->above;
            l->passes = l->above != l->below;
        }
}

/* Returns true for an edge straight down to the block directly below; it needs no track. */
static int is_straight(const drawing *d, const line *l) {
    const double distance = d->block[l->from].x - d->block[l->to].x;
    return !l->passes && distance < 1.0 && distance > -1.0;
}

/* Returns the side of a block that edge l touches: 0 the middle, -1 the left half, 1 the right half. */
static int side_of(const drawing *d, const line *l, int leaves) {
    if (is_straight(d, l)) return 0;
    if (l->passes) return l->is_back ? -1 : 1;
    return (d->block[l->to].x > d->block[l->from].x) == leaves ? 1 : -1;
}

/* Returns the x of an edge at its block. Edges of one side share half of the block's width. Starts and ends
   never have the same place. */
static double touch_at(const drawing *d, uint32_t k, int leaves) {
    const line *l = &d->edge[k];
    const uint32_t block = leaves ? l->from : l->to;
    const int side = side_of(d, l, leaves);
    uint32_t all = 0, before = 0;
    for (uint32_t i = 0; i < d->edges; ++i) {
        if ((leaves ? d->edge[i].from : d->edge[i].to) != block || side_of(d, &d->edge[i], leaves) != side)
            continue;
        ++all;
        before += i <= k;
    }
    return d->block[block].x + side * WIDTH * (leaves ? 0.42 : 0.35) * before / all;
}

/* ---- tracks and lanes: the first free one ---- */

/* Returns the two x between which edge l runs in the gap of its start (end 0) or its end (end 1). */
static void span_of(const drawing *d, const line *l, int end, double span[2]) {
    const double a = end ? l->arrives : l->leaves;
    double b = l->is_back ? d->left - APART : d->right + APART;
    if (!l->passes) b = l->arrives;
    span[0] = a < b ? a : b;
    span[1] = a < b ? b : a;
}

static int has_track(const drawing *d, const line *l, int end, uint32_t gap) {
    if (is_straight(d, l) || (end && !l->passes)) return 0;
    return (end ? l->below : l->above) == gap;
}

static void choose_tracks(drawing *d, uint32_t k, int end) {
    line *l = &d->edge[k];
    const uint32_t gap = end ? l->below : l->above;
    double mine[2], other[2];
    uint32_t track;
    int taken = 1;
    if (!has_track(d, l, end, gap)) return;
    span_of(d, l, end, mine);
    for (track = 0; taken; ++track) {
        taken = 0;
        for (uint32_t i = 0; i <= k && !taken; ++i)
            for (int e = 0; e < 2 && !taken; ++e) {
                if ((i == k && e >= end) || !has_track(d, &d->edge[i], e, gap) ||
                    d->edge[i].track[e] != track)
                    continue;
                span_of(d, &d->edge[i], e, other);
                taken = mine[0] < other[1] + 4 && other[0] < mine[1] + 4;
            }
    }
    l->track[end] = track - 1;
    if (track > d->tracks[gap]) d->tracks[gap] = track;
}

static void choose_lane(drawing *d, uint32_t k) {
    line *l = &d->edge[k];
    const uint32_t top = l->is_back ? l->below : l->above, bottom = l->is_back ? l->above : l->below;
    uint32_t lane;
    int taken = 1;
    if (!l->passes) return;
    for (lane = 0; taken; ++lane) {
        taken = 0;
        for (uint32_t i = 0; i < k && !taken; ++i) {
            const line *o = &d->edge[i];
            if (!o->passes || o->is_back != l->is_back || o->lane != lane) continue;
            taken = (o->is_back ? o->below : o->above) <= bottom && top <= (o->is_back ? o->above : o->below);
        }
    }
    l->lane = lane - 1;
    if (lane > d->lanes[l->is_back]) d->lanes[l->is_back] = lane;
}

/* ---- drawing ---- */

static void draw_edge(const drawing *d, const line *l, const double *gap) {
    const box *from = &d->block[l->from], *to = &d->block[l->to];
    const double first = gap[l->above] + (l->track[0] + 1) * TRACK,
                 last = gap[l->below] + (l->track[1] + 1) * TRACK;
    fprintf(d->to, "<path d=\"M%.1f %.1f", l->leaves, from->y + HEIGHT);
    if (l->passes) {
        const double lane =
            l->is_back ? d->left - APART / 2.0 - l->lane * TRACK : d->right + APART / 2.0 + l->lane * TRACK;
        fprintf(d->to, "V%.1fH%.1fV%.1fH%.1f", first, lane, last, l->arrives);
    } else if (!is_straight(d, l)) {
        fprintf(d->to, "V%.1fH%.1f", first, l->arrives);
    }
    fprintf(d->to, "V%.1f\" stroke=\"%s\" fill=\"none\" marker-end=\"url(#%s)\"/>\n", to->y,
            l->is_back ? "#c53030" : "#333", l->is_back ? "b" : "f");
}

/* Writes a label; labels hold no special characters of XML, and long ones are cut. */
static void draw_block(const drawing *d, uint32_t b, double times, double most) {
    const sooth_ptx_block *block = block_of(d, b);
    const box *at = &d->block[b];
    const double left = at->x - WIDTH / 2.0;
    char number[SOOTH_TEXT_NUMBER_SIZE];
    sooth_text_rounded(number, times, 5);
    fprintf(d->to, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" rx=\"4\" fill=\"#fff\"/>", left,
            at->y, WIDTH, HEIGHT);
    fprintf(d->to,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" rx=\"4\" fill=\"#2b6cb0\" "
            "fill-opacity=\"%.2f\" stroke=\"#333\"%s/>\n",
            left, at->y, WIDTH, HEIGHT, 0.05 + 0.35 * times / most,
            block->order == SOOTH_PTX_NONE ? " stroke-dasharray=\"4\"" : "");
    fprintf(d->to, "<text x=\"%.1f\" y=\"%.1f\">", left + 8, at->y + 14);
    if (block->label == SOOTH_PTX_NONE) {
        fprintf(d->to, "line %u", block->line);
    } else {
        const sooth_ptx_word *name = &d->ptx->label[block->label].name;
        fprintf(d->to, "%.*s%s", name->length > 26 ? 25 : (int)name->length, name->text,
                name->length > 26 ? "..." : "");
    }
    fprintf(d->to, "</text>\n<text x=\"%.1f\" y=\"%.1f\" fill=\"#555\">%u instructions, %s times</text>\n",
            left + 8, at->y + 28, (unsigned)block->count, number);
}

void flow_draw(FILE *to, const sooth_ptx *ptx, size_t function, const sooth_ptx_counts *counts) {
    drawing d;
    double *gap, y = MARGIN, most = 1.0, left, right;
    memset(&d, 0, sizeof d);
    d.to = to;
    d.ptx = ptx;
    d.f = &ptx->function[function];
    d.block = (box *)allocate(d.f->blocks + 1, sizeof *d.block);
    d.edge = (line *)allocate(d.f->edges + 1, sizeof *d.edge);
    choose_layers(&d);
    list_edges(&d);
    choose_columns(&d);
    d.tracks = (uint32_t *)allocate(d.layers + 2, sizeof *d.tracks);
    gap = (double *)allocate(d.layers + 2, sizeof *gap);
    for (uint32_t i = 0; i < d.edges; ++i) {
        d.edge[i].leaves = touch_at(&d, i, 1);
        d.edge[i].arrives = touch_at(&d, i, 0);
    }
    for (uint32_t i = 0; i < d.edges; ++i) {
        choose_tracks(&d, i, 0);
        choose_tracks(&d, i, 1);
        choose_lane(&d, i);
    }
    for (uint32_t i = 0; i <= d.layers; ++i) {
        gap[i] = y;
        y += (d.tracks[i] + 1) * TRACK + (d.tracks[i] || (i && i < d.layers) ? 9 : 0);
        for (uint32_t b = 0; b < d.f->blocks; ++b)
            if (d.block[b].layer == i) d.block[b].y = y;
        if (i < d.layers) y += HEIGHT;
    }
    for (uint32_t i = 0; i < d.f->blocks; ++i)
        if (counts->block[d.f->block + i] > most) most = counts->block[d.f->block + i];
    left = d.left - MARGIN - (d.lanes[1] ? APART / 2.0 + d.lanes[1] * TRACK : 0.0);
    right = d.right + MARGIN + (d.lanes[0] ? APART / 2.0 + d.lanes[0] * TRACK : 0.0);
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"%.0f 0 %.0f %.0f\" width=\"%.0f\" "
            "height=\"%.0f\" font-family=\"sans-serif\" font-size=\"12\">\n<defs>",
            left, right - left, y + MARGIN, right - left, y + MARGIN);
    for (uint32_t i = 0; i < 2; ++i)
        fprintf(to,
                "<marker id=\"%c\" markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" refY=\"4\" "
                "orient=\"auto\"><path d=\"M0 1 7 4 0 7z\" fill=\"%s\"/></marker>",
                "fb"[i], i ? "#c53030" : "#333");
    fprintf(to, "</defs>\n");
    for (uint32_t i = 0; i < d.edges; ++i) draw_edge(&d, &d.edge[i], gap);
    for (uint32_t i = 0; i < d.f->blocks; ++i) draw_block(&d, i, counts->block[d.f->block + i], most);
    fprintf(to, "</svg>\n");
    free(d.block);
    free(d.edge);
    free(d.tracks);
    free(gap);
}
