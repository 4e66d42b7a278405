/* svg.c - the drawings of svg.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "svg.h"
#include <math.h>
#include <string.h>

/* ---- text and numbers ---- */

/* Returns whether a control character begins here: one of ASCII or of the 32 from U+0080 on. */
static int svg_control(const unsigned char *c) {
    return c[0] < 0x20 || c[0] == 0x7F || (c[0] == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0);
}

void svg_text(sooth_sink *sink, const char *text) {
    while (text && *text) {
        const unsigned char *c = (const unsigned char *)text;
        const size_t n = sooth_text_utf8(text);
        if (*c == '&') sooth_text_put(sink, "&amp;");
        else if (*c == '<') sooth_text_put(sink, "&lt;");
        else if (*c == '>') sooth_text_put(sink, "&gt;");
        else if (*c == '"') sooth_text_put(sink, "&quot;");
        else if (n == 0 && *c >= 0xA0) sooth_text_put(sink, "&#%u;", *c);
        else if (n && !svg_control(c)) sooth_text_write(sink, text, n);
        text += n ? n : 1;
    }
}

/* Widths of the characters from ' ' to '~' at 12 pixels, in tenths of a pixel. They are those of DejaVu Sans,
   the widest of the fonts that systems use here. */
static const unsigned char svg_wide[95] = {
    39, 49, 56, 101, 77,  115, 94,  33,  47,  47, 60, 101, 39, 44, 39,  41, 77, 77, 77, 77, 77, 77,  77, 77,
    77, 77, 41, 41,  101, 101, 101, 64,  120, 83, 83, 84,  93, 76, 70,  93, 91, 36, 36, 79, 67, 104, 90, 95,
    73, 95, 84, 77,  74,  88,  83,  119, 83,  74, 83, 47,  41, 47, 101, 60, 60, 74, 77, 66, 77, 74,  43, 77,
    77, 34, 34, 70,  34,  117, 77,  74,  77,  77, 50, 63,  48, 77, 72,  99, 72, 72, 63, 77, 41, 77,  101};

/* Returns the width in pixels of the character that begins with this byte of UTF-8, or 0 if none begins. */
static double svg_letter(char byte) {
    const unsigned char c = (unsigned char)byte;
    if (c >= 0x20 && c < 0x7F) return 0.1 * svg_wide[c - 0x20];
    return c < 0xC0 ? 0.0 : c < 0xE0 ? 10.0 : 12.0;
}

/* Returns an upper bound of the width of a text in pixels. */
static double svg_width(const char *text) {
    double wide = 0.0;
    for (; text && *text; ++text) wide += svg_letter(*text);
    return wide;
}

/* Writes the text, cut with an ellipsis if it is wider than `most` pixels. */
static void svg_short(sooth_sink *sink, const char *text, double most) {
    char cut[200];
    double wide = 12.0;
    size_t i = 0;
    if (svg_width(text) <= most) {
        svg_text(sink, text);
        return;
    }
    while (text[i] && i + 4 < sizeof cut) {
        wide += svg_letter(text[i]);
        if (wide > most) break;
        cut[i] = text[i];
        ++i;
    }
    memcpy(cut + i, "\xE2\x80\xA6", 4);
    svg_text(sink, cut);
}

/* Rounds a coordinate to a tenth of a pixel. */
static double svg_at(double v) {
    double scaled = v * 10.0;
    if (!(scaled > -1e9 && scaled < 1e9)) return 0.0;
    return (double)(int32_t)(scaled + (scaled < 0.0 ? -0.5 : 0.5)) / 10.0;
}

static const char svg_colour[8][8] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#7f7f7f", "#b8a000"};

/* ---- frames ---- */

/* Opens a text element at x, y. `more`: further attributes, each after a blank. */
static void svg_text_at(sooth_sink *sink, double x, double y, const char *more) {
    sooth_text_put(sink, "<text x=\"%g\" y=\"%g\"%s>", svg_at(x), svg_at(y), more);
}

/* Opens a drawing of `good` out of `all` values. If none is good, writes a note, closes the drawing and
   returns 0. */
static int svg_open(sooth_sink *sink, const svg_frame *frame, double width, double height, size_t all,
                    size_t good) {
    sooth_text_put(sink,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" width=\"%g\" "
                   "height=\"%g\" role=\"img\" style=\"max-width:100%%;height:auto\" "
                   "font-family=\"system-ui,-apple-system,'Segoe UI',sans-serif\" font-size=\"12\" "
                   "fill=\"currentColor\"><title>",
                   svg_at(width), svg_at(height), svg_at(width), svg_at(height));
    svg_text(sink, frame->title ? frame->title : "chart");
    sooth_text_put(sink, "</title>");
    if (good && good < all)
        sooth_text_put(sink, "<desc>%z values that are not finite are left out</desc>", all - good);
    if (good) return 1;
    sooth_text_put(sink,
                   "<rect x=\"0.5\" y=\"0.5\" width=\"%g\" height=\"%g\" fill=\"none\" "
                   "stroke=\"currentColor\" stroke-opacity=\"0.3\"/>",
                   width - 1, height - 1);
    svg_text_at(sink, width / 2, height / 2, " text-anchor=\"middle\" opacity=\"0.6\"");
    sooth_text_put(sink, "no data</text>");
    sooth_text_put(sink, "</svg>\n");
    return 0;
}

/* Returns the requested width or height, or the chart's default. */
static double svg_side(double asked, double natural) { return asked > 0 ? asked : natural; }

static void svg_rounded(sooth_sink *sink, double value, unsigned digits) {
    char text[SOOTH_TEXT_NUMBER_SIZE];
    sooth_text_write(sink, text, sooth_text_rounded(text, value, digits));
}

static void svg_line(sooth_sink *sink, double x_from, double y_from, double x_to, double y_to,
                     double opacity) {
    sooth_text_put(
        sink, "<line x1=\"%g\" y1=\"%g\" x2=\"%g\" y2=\"%g\" stroke=\"currentColor\" stroke-opacity=\"%g\"/>",
        svg_at(x_from), svg_at(y_from), svg_at(x_to), svg_at(y_to), opacity);
}

static void svg_mark(sooth_sink *sink, double x, double top, double bottom, double width, const char *words,
                     double value) {
    sooth_text_put(sink,
                   "<line x1=\"%g\" y1=\"%g\" x2=\"%g\" y2=\"%g\" stroke=\"currentColor\" "
                   "stroke-width=\"%g\"><title>%s",
                   svg_at(x), svg_at(top), svg_at(x), svg_at(bottom), width, words);
    svg_rounded(sink, value, 3);
    sooth_text_put(sink, "</title></line>");
}

/* Opens a point with its tooltip. The caller adds its values and "</title></circle>". */
static void svg_point(sooth_sink *sink, double x, double y, double radius, size_t series, double opacity,
                      const char *label) {
    sooth_text_put(sink, "<circle cx=\"%g\" cy=\"%g\" r=\"%g\" fill=\"%s\" fill-opacity=\"%g\"><title>",
                   svg_at(x), svg_at(y), radius, svg_colour[series % 8], opacity);
    if (!label) return;
    svg_text(sink, label);
    sooth_text_put(sink, ": ");
}

/* anchor: start, middle or end. */
static void svg_label(sooth_sink *sink, double x, double y, const char *anchor, const char *text,
                      double most) {
    sooth_text_put(sink, "<text x=\"%g\" y=\"%g\" text-anchor=\"%s\">", svg_at(x), svg_at(y), anchor);
    svg_short(sink, text, most);
    if (svg_width(text) > most) {
        sooth_text_put(sink, "<title>");
        svg_text(sink, text);
        sooth_text_put(sink, "</title>");
    }
    sooth_text_put(sink, "</text>");
}

static void svg_side_title(sooth_sink *sink, double x, double y, const char *title) {
    if (!title) return;
    sooth_text_put(sink, "<text transform=\"translate(%g %g) rotate(-90)\" text-anchor=\"middle\">", x,
                   svg_at(y));
    svg_text(sink, title);
    sooth_text_put(sink, "</text>");
}

typedef struct svg_range {
    double low, high;
    size_t count;
} svg_range;

static void svg_widen(svg_range *range, double v) {
    if (!isfinite(v)) return;
    if (!range->count || v < range->low) range->low = v;
    if (!range->count || v > range->high) range->high = v;
    ++range->count;
}

/* ---- axes ---- */

typedef struct svg_axis {
    double low, high; /* in values, or in their logarithms */
    double from, to;  /* in pixels */
    double step;      /* between ticks; 0 on a logarithmic axis */
    int logarithmic;
} svg_axis;

/* The ticks of a decade. */
static const double svg_part[3] = {1.0, 2.0, 5.0};

/* Returns the smallest of 1, 2, 5 x 10^k that is at least v > 0. */
static double svg_nice(double v) {
    double power = 1.0;
    while (power > v && power > 1e-300) power /= 10.0;
    while (power * 10.0 <= v && power < 1e300) power *= 10.0;
    for (size_t k = 0; k < 3; ++k)
        if (v <= svg_part[k] * power * 1.0000001) return svg_part[k] * power;
    return 10.0 * power;
}

static double svg_floor(double v) {
    double whole = (double)(int64_t)v;
    return whole > v ? whole - 1.0 : whole;
}

/* Makes an axis over low..high, widened to multiples of the step, with about `ticks` ticks. */
static svg_axis svg_scale(double low, double high, double from, double to, double ticks, int logarithmic) {
    svg_axis a;
    if (!(high > low)) {
        double pad = fabs(low) > 0.0 ? 0.1 * fabs(low) : 1.0;
        low -= logarithmic ? 0.5 * low : pad;
        high += pad;
    }
    a.from = from;
    a.to = to;
    a.logarithmic = logarithmic;
    if (logarithmic) {
        a.low = log(low) - 0.05;
        a.high = log(high) + 0.05;
        a.step = 0.0;
        return a;
    }
    a.step = svg_nice((high - low) / ticks);
    a.low = svg_floor(low / a.step + 1e-9) * a.step;
    a.high = -svg_floor(-high / a.step + 1e-9) * a.step;
    return a;
}

static double svg_place(const svg_axis *a, double v) {
    double p = a->logarithmic ? log(v) : v;
    return a->from + (p - a->low) / (a->high - a->low) * (a->to - a->from);
}

/* Computes the k-th tick of an axis; returns 0 after the last. Logarithmic axes have 1, 2, 5 of each
   decade. */
static int svg_tick(const svg_axis *a, size_t k, double *v) {
    if (k > 60) return 0;
    if (!a->logarithmic) {
        *v = a->low + (double)k * a->step;
        if (fabs(*v) < 1e-9 * a->step) *v = 0.0;
        return *v <= a->high + 1e-6 * a->step;
    }
    double power = 1.0, low = exp(a->low), high = exp(a->high);
    while (power > low && power > 1e-300) power /= 10.0;
    while (power * 10.0 <= low) power *= 10.0;
    for (size_t i = 0;; ++i) {
        *v = power * svg_part[i % 3];
        if (*v > high) return 0;
        if (*v >= low && k-- == 0) return 1;
        if (i % 3 == 2) power *= 10.0;
    }
}

/* Writes the number of a tick; 20,000 is 20k, and two million are 2M. */
static void svg_tick_text(char text[SOOTH_TEXT_NUMBER_SIZE + 1], double v) {
    static const char thousands[] = {0, 'k', 'M', 'G'};
    size_t k = 0, size;
    if (fabs(v) >= 10000.0 && fabs(v) < 1e13)
        for (; k < 3 && fabs(v) >= 1000.0; ++k) v /= 1000.0;
    size = sooth_text_rounded(text, v, 6);
    text[size] = thousands[k];
    text[size + (k > 0)] = 0;
}

/* Whether the tick v is labelled: all of an axis, or only the powers of ten. */
static int svg_is_labelled(double v, int decades) {
    const double power = log10(v);
    return !decades || fabs(power - floor(power + 0.5)) < 1e-6;
}

/* The pixels between the labels of two ticks that a reader can tell apart; below 0: they overlap. */
static double svg_gap(double before, double at, const char *last, const char *text, int is_y) {
    return fabs(at - before) - (is_y ? 12.0 : 0.5 * (svg_width(last) + svg_width(text)) + 4.0);
}

/* Whether all labels of an axis fit next to each other. */
static int svg_fits(const svg_axis *a, int is_y, int decades) {
    char last[SOOTH_TEXT_NUMBER_SIZE + 1], text[SOOTH_TEXT_NUMBER_SIZE + 1];
    double v, before = 0.0;
    int any = 0;
    for (size_t k = 0; svg_tick(a, k, &v); ++k) {
        if (!svg_is_labelled(v, decades)) continue;
        svg_tick_text(text, v);
        if (any && svg_gap(before, svg_place(a, v), last, text, is_y) < 0.0) return 0;
        before = svg_place(a, v);
        memcpy(last, text, sizeof last);
        any = 1;
    }
    return any;
}

/* Draws ticks and title of the axis along x, from top to bottom, or along y, from left to right. Labels that
   would overlap are left out; on a logarithmic axis only powers of ten remain. */
static void svg_draw_axis(sooth_sink *sink, const svg_axis *a, int is_y, double from, double to,
                          const char *title) {
    const int decades = a->logarithmic && !svg_fits(a, is_y, 0) && svg_fits(a, is_y, 1);
    char last[SOOTH_TEXT_NUMBER_SIZE + 1] = "", text[SOOTH_TEXT_NUMBER_SIZE + 1];
    double v, before = 0.0;
    for (size_t k = 0; svg_tick(a, k, &v); ++k) {
        double at = svg_place(a, v);
        if (is_y) svg_line(sink, from, at, to, at, 0.12);
        else svg_line(sink, at, from, at, to, 0.12);
        svg_tick_text(text, v);
        if (!svg_is_labelled(v, decades) || (*last && svg_gap(before, at, last, text, is_y) < 0.0)) continue;
        before = at;
        memcpy(last, text, sizeof last);
        if (is_y) svg_text_at(sink, from - 6, at + 4, " text-anchor=\"end\" opacity=\"0.75\"");
        else svg_text_at(sink, at, to + 16, " text-anchor=\"middle\" opacity=\"0.75\"");
        sooth_text_put(sink, "%s</text>", text);
    }
    const double middle = 0.5 * (a->from + a->to);
    if (is_y) svg_side_title(sink, 14, middle, title);
    else if (title) svg_label(sink, middle, to + 36, "middle", title, 1e9);
}

/* Draws names with their colours in a row above a chart. Returns their height. sink NULL: computes the height
   only. */
static double svg_legend(sooth_sink *sink, const char *const *names, size_t count, double left,
                         double right) {
    double x = left, y = 14.0;
    if (!names) return 0.0;
    for (size_t k = 0; k < count; ++k) {
        double wide = 28.0 + svg_width(names[k]);
        if (x > left && x + wide > right) {
            x = left;
            y += 18.0;
        }
        if (sink) {
            sooth_text_put(sink, "<circle cx=\"%g\" cy=\"%g\" r=\"4.5\" fill=\"%s\"/>", svg_at(x + 5),
                           svg_at(y - 4), svg_colour[k % 8]);
            svg_label(sink, x + 14, y, "start", names[k], right - left - 14);
        }
        x += wide;
    }
    return y + 8.0;
}

/* ---- charts ---- */

static int svg_is_good(const svg_points *c, size_t i) {
    const double x = c->x[i], y = c->y[i];
    return isfinite(x) && isfinite(y) && (!c->logarithmic || (x > 0 && y > 0));
}

/* Draws the line y = x and the band of 10 % around it, clipped to the frame. The corners are found along the
   axis. */
static void svg_diagonal(sooth_sink *sink, const svg_axis *ax, const svg_axis *ay) {
    static const double factor[4] = {0.9, 0.9, 1.1, 1.1};
    const double low = ax->logarithmic ? exp(ax->low) : ax->low,
                 high = ax->logarithmic ? exp(ax->high) : ax->high;
    const double start = !ax->logarithmic && low < 0 ? 0 : low;
    sooth_text_put(sink, "<polygon fill=\"currentColor\" fill-opacity=\"0.07\" points=\"");
    for (size_t k = 0; k < 4; ++k) {
        double x = k == 0 || k == 3 ? start : high, y = x * factor[k];
        if (y > high || y < low) {
            y = y > high ? high : low;
            x = y / factor[k];
        }
        sooth_text_put(sink, "%g,%g ", svg_at(svg_place(ax, x)), svg_at(svg_place(ay, y)));
        if (k == 1) sooth_text_put(sink, "%g,%g ", svg_at(ax->to), svg_at(ay->to));
    }
    sooth_text_put(sink, "\"/>");
    svg_line(sink, ax->from, ay->from, ax->to, ay->to, 0.5);
}

void svg_scatter(sooth_sink *sink, const svg_points *c) {
    const double width = svg_side(c->frame.width, 640), left = 62, right = width - 14;
    const double top = svg_legend(NULL, c->series_names, c->series_count, left, right) + 10;
    const double height = svg_side(c->frame.height, c->diagonal ? right - left + top + 46 : 400);
    const double bottom = height - 46;
    svg_range x = {0, 0, 0}, y = {0, 0, 0};
    for (size_t i = 0; i < c->count; ++i) {
        if (!svg_is_good(c, i)) continue;
        svg_widen(&x, c->x[i]);
        svg_widen(c->diagonal ? &x : &y, c->y[i]);
    }
    if (c->diagonal) x.count /= 2;
    if (!svg_open(sink, &c->frame, width, height, c->count, x.count)) return;
    svg_axis ax = svg_scale(x.low, x.high, left, right, width / 90, c->logarithmic);
    svg_axis ay = ax;
    if (!c->diagonal) ay = svg_scale(y.low, y.high, bottom, top, (bottom - top) / 50, c->logarithmic);
    ay.from = bottom;
    ay.to = top;
    svg_legend(sink, c->series_names, c->series_count, left, right);
    svg_draw_axis(sink, &ax, 0, top, bottom, c->x_title);
    svg_draw_axis(sink, &ay, 1, left, right, c->y_title);
    if (c->diagonal) svg_diagonal(sink, &ax, &ay);
    for (size_t i = 0; i < c->count; ++i) {
        if (!svg_is_good(c, i)) continue;
        svg_point(sink, svg_place(&ax, c->x[i]), svg_place(&ay, c->y[i]), 3.4, c->series ? c->series[i] : 0,
                  0.72, c->labels ? c->labels[i] : NULL);
        svg_rounded(sink, c->x[i], 4);
        sooth_text_put(sink, ", ");
        svg_rounded(sink, c->y[i], 4);
        sooth_text_put(sink, "</title></circle>");
    }
    sooth_text_put(sink, "</svg>\n");
}

/* Rounds up to whole pixels. */
static double svg_whole(double v) { return (double)(uint32_t)(v + 0.99); }

/* Returns the width of the longest name in whole pixels, at most `most`. */
static double svg_names(const char *const *names, size_t count, double most) {
    double wide = 40;
    for (size_t k = 0; k < count; ++k) {
        double w = svg_whole(svg_width(names[k])) + 12;
        if (w > wide) wide = w;
    }
    return wide < most ? wide : most;
}

void svg_bars(sooth_sink *sink, const svg_bar_chart *c) {
    const double width = svg_side(c->frame.width, 640), row = 24, top = c->mark && c->mark_title ? 26 : 6;
    const double share = c->names_share > 0.0 ? c->names_share : 0.45;
    const double left = svg_names(c->names, c->count, share * width), right = width - 74;
    const double height = svg_side(c->frame.height, top + row * (double)c->count + 6);
    svg_range bars = {0, 0, 1}, marks = {0, 0, 1}; /* bars begin at 0 */
    for (size_t i = 0; i < c->count; ++i) {
        svg_widen(&bars, c->value[i]);
        if (c->mark) svg_widen(&marks, c->mark[i]);
    }
    const size_t good = bars.count - 1;
    const double low = bars.low < marks.low ? bars.low : marks.low;
    double high = bars.high > marks.high ? bars.high : marks.high;
    if (!svg_open(sink, &c->frame, width, !good && height < 60 ? 60 : height, c->count - c->heads, good))
        return;
    if (!(high > low)) high = 1;
    /* numbers of negative bars need space to the left of the bars */
    const double from = low < 0 ? left + 60 : left, scale = (right - from) / (high - low);
    const double zero = from - low * scale;
    if (low < 0) svg_line(sink, zero, top, zero, top + row * (double)c->count, 0.5);
    if (top > 6) {
        svg_line(sink, left + 4, 6, left + 4, 18, 0.9);
        svg_label(sink, left + 12, 16, "start", c->mark_title, width - left - 12);
    }
    for (size_t i = 0; i < c->count; ++i) {
        double y = top + row * (double)i, wide = fabs(c->value[i]) * scale;
        const int marked = c->mark && isfinite(c->mark[i]), is_left = c->value[i] < 0;
        const double end = is_left ? zero - wide : zero + wide,
                     tick = marked ? zero + c->mark[i] * scale : end;
        svg_label(sink, left - 8, y + 16, "end", c->names[i], left - 9);
        if (!isfinite(c->value[i])) continue;
        sooth_text_put(
            sink,
            "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" rx=\"2\" fill=\"%s\" fill-opacity=\"0.85\"/>",
            svg_at(is_left ? end : zero), svg_at(y + 3), svg_at(wide), row - 6,
            svg_colour[c->series ? c->series[i] % 8 : 0]);
        /* the number follows the bar, and the tick if they would overlap */
        if (is_left)
            svg_text_at(sink, (tick < end && tick > end - 60 ? tick : end) - 6, y + 16,
                        " text-anchor=\"end\"");
        else svg_text_at(sink, (tick > end && tick < end + 60 ? tick : end) + 6, y + 16, "");
        svg_rounded(sink, c->value[i], 3);
        svg_text(sink, c->unit);
        sooth_text_put(sink, "</text>");
        if (marked) svg_mark(sink, tick, y + 1, y + row - 1, 2, "", c->mark[i]);
    }
    sooth_text_put(sink, "</svg>\n");
}

/* The values of one category or, with series, of one series of it. */
typedef struct svg_group {
    const double *value;
    const uint32_t *category, *series; /* series NULL: all values */
    size_t count, of_category, of_series;
    int logarithmic; /* values that are not above 0 are left out */
} svg_group;

static int svg_belongs(const svg_group *g, size_t i) {
    return g->category[i] == g->of_category && (!g->series || g->series[i] == g->of_series) &&
           isfinite(g->value[i]) && (!g->logarithmic || g->value[i] > 0);
}

/* Returns the median of a group, by counting: no memory, O(n^2) for the few hundred points of a strip. */
static double svg_median(const svg_group *g) {
    size_t n = 0;
    for (size_t i = 0; i < g->count; ++i) n += (size_t)svg_belongs(g, i);
    for (size_t i = 0; i < g->count; ++i) {
        size_t below = 0, same = 0;
        if (!svg_belongs(g, i)) continue;
        for (size_t j = 0; j < g->count; ++j) {
            if (!svg_belongs(g, j)) continue;
            below += g->value[j] < g->value[i];
            same += !(g->value[j] < g->value[i]) && !(g->value[j] > g->value[i]);
        }
        if (below <= (n - 1) / 2 && (n - 1) / 2 < below + same) return g->value[i];
    }
    return NAN;
}

void svg_strips(sooth_sink *sink, const svg_strip_chart *c) {
    const double width = svg_side(c->frame.width, 640), row = 30, top = 8;
    const double left = svg_names(c->names, c->categories, 0.4 * width), right = width - 24;
    const double height = svg_side(c->frame.height, top + row * (double)c->categories + 46);
    svg_range range = {0, 0, 1}; /* the axis always includes 0 */
    for (size_t i = 0; i < c->count; ++i) svg_widen(&range, c->value[i]);
    if (!svg_open(sink, &c->frame, width, height, c->count, range.count - 1)) return;
    svg_axis a = svg_scale(range.low, range.high, left, right, width / 100, 0);
    svg_draw_axis(sink, &a, 0, top, height - 46, c->title);
    for (size_t k = 0; k < c->categories; ++k) {
        const svg_group of_k = {c->value, c->category, NULL, c->count, k, 0, 0};
        double y = top + row * ((double)k + 0.5), m = svg_median(&of_k);
        uint32_t jitter = 12345u + (uint32_t)k;
        svg_label(sink, left - 8, y + 4, "end", c->names[k], left - 9);
        for (size_t i = 0; i < c->count; ++i) {
            if (c->category[i] != k || !isfinite(c->value[i])) continue;
            jitter = jitter * 1664525u + 1013904223u; /* separates points of equal value */
            svg_point(sink, svg_place(&a, c->value[i]),
                      y + ((double)(jitter >> 24) / 255.0 - 0.5) * 0.6 * row, 2.8, k, 0.5,
                      c->labels ? c->labels[i] : NULL);
            svg_rounded(sink, c->value[i], 3);
            sooth_text_put(sink, "</title></circle>");
        }
        if (isfinite(m)) svg_mark(sink, svg_place(&a, m), y - 0.38 * row, y + 0.38 * row, 2.5, "median ", m);
    }
    sooth_text_put(sink, "</svg>\n");
}

/* ---- violins ---- */

enum { SVG_STEPS = 40 }; /* along a violin */

/* A group on its axis: count, range and kernel width. */
typedef struct svg_spread {
    double low, high, width;
    size_t count;
} svg_spread;

static double svg_on_axis(const svg_group *g, size_t i) {
    return g->logarithmic ? log(g->value[i]) : g->value[i];
}

static svg_spread svg_spread_of(const svg_group *g) {
    svg_spread s = {0, 0, 0, 0};
    svg_range range = {0, 0, 0};
    double mean = 0, squares = 0;
    for (size_t i = 0; i < g->count; ++i)
        if (svg_belongs(g, i)) svg_widen(&range, svg_on_axis(g, i));
    s.low = range.low;
    s.high = range.high;
    s.count = range.count;
    if (s.count < 2) return s;
    for (size_t i = 0; i < g->count; ++i)
        if (svg_belongs(g, i)) mean += svg_on_axis(g, i) / (double)s.count;
    for (size_t i = 0; i < g->count; ++i) {
        const double d = svg_belongs(g, i) ? svg_on_axis(g, i) - mean : 0.0;
        squares += d * d / (double)(s.count - 1);
    }
    s.width = sqrt(squares) * exp(-0.2 * log((double)s.count));
    return s;
}

/* Returns the density of a group at v, up to a constant factor. */
static double svg_density(const svg_group *g, double width, double v) {
    double sum = 0;
    for (size_t i = 0; i < g->count; ++i) {
        if (!svg_belongs(g, i)) continue;
        const double d = (v - svg_on_axis(g, i)) / width;
        if (d * d < 1400.0) sum += exp(-0.5 * d * d);
    }
    return sum;
}

/* Draws the outline around y, at most `up` above and `down` below it, and the median. words: for the
   tooltip. */
static void svg_violin(sooth_sink *sink, const svg_group *g, const svg_axis *a, double y, double up,
                       double down, const char *const words[2]) {
    const svg_spread s = svg_spread_of(g);
    double at[SVG_STEPS + 1], dense[SVG_STEPS + 1], most = 0;
    if (!s.count) return;
    const double m = svg_median(g);
    for (size_t k = 0; k <= SVG_STEPS && s.width > 0; ++k) {
        const double v = s.low + (s.high - s.low) * (double)k / (double)SVG_STEPS;
        at[k] = a->from + (v - a->low) / (a->high - a->low) * (a->to - a->from);
        dense[k] = svg_density(g, s.width, v);
        if (dense[k] > most) most = dense[k];
    }
    if (most > 0) {
        sooth_text_put(sink, "<polygon fill=\"%s\" fill-opacity=\"0.6\" points=\"",
                       svg_colour[g->of_series % 8]);
        for (size_t k = 0; k <= 2 * SVG_STEPS + 1; ++k) {
            const size_t i = k <= SVG_STEPS ? k : 2 * SVG_STEPS + 1 - k;
            const double away = k <= SVG_STEPS ? -up : down;
            sooth_text_put(sink, "%g,%g ", svg_at(at[i]), svg_at(y + away * dense[i] / most));
        }
        sooth_text_put(sink, "\"><title>");
        svg_text(sink, words[0]);
        if (words[1]) sooth_text_put(sink, ", ");
        svg_text(sink, words[1]);
        sooth_text_put(sink, ": %z values, ", s.count);
        svg_rounded(sink, g->logarithmic ? exp(s.low) : s.low, 3);
        sooth_text_put(sink, " to ");
        svg_rounded(sink, g->logarithmic ? exp(s.high) : s.high, 3);
        sooth_text_put(sink, "</title></polygon>");
    }
    svg_mark(sink, svg_place(a, m), y - up, y + down, 2, "median ", m);
}

void svg_violins(sooth_sink *sink, const svg_violin_chart *c) {
    const double width = svg_side(c->frame.width, 640), right = width - 24;
    const double left = svg_names(c->names, c->categories, 0.4 * width) + 8;
    const double top = svg_legend(NULL, c->series_names, c->series_count, left, right) + 8;
    const size_t series = c->series_count ? c->series_count : 1, lanes = c->split ? 1 : series;
    const double lane = lanes > 1 ? 16 : 34, row = lane * (double)lanes + 6;
    const double height = svg_side(c->frame.height, top + row * (double)c->categories + 46);
    svg_range range = {0, 0, 0};
    for (size_t i = 0; i < c->count; ++i)
        if (!c->logarithmic || c->value[i] > 0) svg_widen(&range, c->value[i]);
    const size_t good = range.count;
    if (!c->logarithmic) svg_widen(&range, 0.0); /* the axis includes 0 */
    if (!svg_open(sink, &c->frame, width, height, c->count, good)) return;
    const svg_axis a = svg_scale(range.low, range.high, left, right, width / 100, c->logarithmic);
    svg_legend(sink, c->series_names, c->series_count, left, right);
    svg_draw_axis(sink, &a, 0, top, height - 46, c->title);
    for (size_t k = 0; k < c->categories; ++k) {
        const double from = top + row * (double)k;
        svg_label(sink, left - 8, from + 0.5 * row + 4, "end", c->names[k], left - 9);
        if (k) svg_line(sink, left, from, right, from, 0.12);
        for (size_t s = 0; s < series; ++s) {
            const svg_group g = {c->value, c->category, c->series, c->count, k, s, c->logarithmic};
            const double y = from + 3 + lane * ((c->split ? 0.0 : (double)s) + 0.5), half = 0.45 * lane;
            const char *words[2];
            words[0] = c->names[k];
            words[1] = c->series_names ? c->series_names[s] : NULL;
            svg_violin(sink, &g, &a, y, c->split && s ? 0 : half, c->split && !s ? 0 : half, words);
        }
    }
    sooth_text_put(sink, "</svg>\n");
}

/* ---- matrices and lines ---- */

/* Draws the cell of row i and column j, with its number if that fits. Lightness falls evenly from pale yellow
   to dark blue, so the map is readable in grey. */
static void svg_cell(sooth_sink *sink, const svg_heat_map *c, size_t i, size_t j, double share, double x,
                     double y, double width, double height) {
    const double v = c->value[i * c->cols + j];
    static const double stop[5][3] = {
        {255, 250, 220}, {250, 200, 110}, {230, 115, 60}, {160, 40, 80}, {60, 15, 80}};
    int rgb[3];
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    const int k = share >= 1.0 ? 3 : (int)(share * 4.0);
    const double part = share * 4.0 - k;
    for (int m = 0; m < 3; ++m) rgb[m] = (int)(stop[k][m] + part * (stop[k + 1][m] - stop[k][m]) + 0.5);
    sooth_text_put(sink, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"rgb(%d,%d,%d)\"><title>",
                   svg_at(x), svg_at(y), svg_at(width - 1), svg_at(height - 1), rgb[0], rgb[1], rgb[2]);
    svg_text(sink, c->row_names[i]);
    sooth_text_put(sink, ", ");
    svg_text(sink, c->col_names[j]);
    sooth_text_put(sink, ": ");
    svg_rounded(sink, v, 4);
    sooth_text_put(sink, "</title></rect>");
    if (width < 26) return;
    sooth_text_put(sink,
                   "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\" font-size=\"11\" fill=\"%s\" "
                   "pointer-events=\"none\">",
                   svg_at(x + 0.5 * width), svg_at(y + 0.5 * height + 4), share > 0.45 ? "#fff" : "#222");
    svg_rounded(sink, v, c->digits ? c->digits : 3);
    sooth_text_put(sink, "</text>");
}

void svg_heat(sooth_sink *sink, const svg_heat_map *c) {
    const double width = svg_side(c->frame.width, 640), side = c->row_title ? 18 : 0;
    const double left = svg_names(c->row_names, c->rows, 0.35 * width) + side;
    const double top = svg_whole(0.72 * svg_names(c->col_names, c->cols, 170)) + 8 + (c->col_title ? 18 : 0);
    svg_range range = {0, 0, 0};
    for (size_t i = 0; i < c->rows * c->cols; ++i) svg_widen(&range, c->value[i]);
    double cell_w = (width - left - 30) / (double)c->cols;
    double cell_h = cell_w < 26 ? 22 : cell_w > 34 ? 30 : cell_w;
    double height = range.count ? svg_side(c->frame.height, top + cell_h * (double)c->rows + 6) : 120;
    if (!svg_open(sink, &c->frame, width, height, c->rows * c->cols, range.count)) return;
    if (c->low < 0 || c->low > 0 || c->high < 0 || c->high > 0) {
        range.low = c->low;
        range.high = c->high;
    }
    if (!(range.high > range.low)) range.high = range.low + 1;
    if (c->col_title) svg_label(sink, left + 0.5 * (width - left), 12, "middle", c->col_title, width - left);
    svg_side_title(sink, 12, top + 0.5 * cell_h * (double)c->rows, c->row_title);
    for (size_t j = 0; j < c->cols; ++j) {
        sooth_text_put(sink, "<text transform=\"translate(%g %g) rotate(-45)\">",
                       svg_at(left + ((double)j + 0.5) * cell_w), svg_at(top - 6));
        svg_short(sink, c->col_names[j], 160);
        sooth_text_put(sink, "</text>");
    }
    for (size_t i = 0; i < c->rows; ++i) {
        const double y = top + cell_h * (double)i;
        svg_label(sink, left - 8, y + 0.5 * cell_h + 4, "end", c->row_names[i], left - side - 9);
        for (size_t j = 0; j < c->cols; ++j) {
            const double v = c->value[i * c->cols + j], share = (v - range.low) / (range.high - range.low);
            if (isfinite(v)) svg_cell(sink, c, i, j, share, left + cell_w * (double)j, y, cell_w, cell_h);
        }
    }
    sooth_text_put(sink, "</svg>\n");
}

static int svg_has_x(const svg_line_chart *c, size_t i) {
    return isfinite(c->x[i]) && (!c->logarithmic_x || c->x[i] > 0);
}

static void svg_band(sooth_sink *sink, const svg_line_chart *c, size_t s, const svg_axis *ax,
                     const svg_axis *ay) {
    sooth_text_put(sink, "<polygon fill=\"%s\" fill-opacity=\"0.15\" points=\"", svg_colour[s % 8]);
    for (size_t i = 0; i < 2 * c->count; ++i) {
        size_t at = i < c->count ? i : 2 * c->count - 1 - i;
        double v = i < c->count ? c->low[s * c->count + at] : c->high[s * c->count + at];
        if (!isfinite(v) || !svg_has_x(c, at)) continue;
        sooth_text_put(sink, "%g,%g ", svg_at(svg_place(ax, c->x[at])), svg_at(svg_place(ay, v)));
    }
    sooth_text_put(sink, "\"/>");
}

/* Draws the line of a series, with gaps at missing values. end[2] is its last point. */
static void svg_path(sooth_sink *sink, const svg_line_chart *c, size_t s, const svg_axis *ax,
                     const svg_axis *ay, double end[2]) {
    const double *y = c->y + s * c->count;
    int open = 0;
    end[0] = end[1] = 0;
    sooth_text_put(sink,
                   "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-linejoin=\"round\" d=\"",
                   svg_colour[s % 8]);
    for (size_t i = 0; i < c->count; ++i) {
        const int good = svg_has_x(c, i) && isfinite(y[i]);
        if (good) {
            end[0] = svg_place(ax, c->x[i]);
            end[1] = svg_place(ay, y[i]);
            sooth_text_put(sink, "%s%g %g", open ? " L" : " M", svg_at(end[0]), svg_at(end[1]));
        }
        open = good;
    }
    sooth_text_put(sink, "\"/>");
}

/* Draws measured values of a series: circles, squares, triangles or diamonds, hollow, each with its value. */
static void svg_measured(sooth_sink *sink, const svg_line_chart *c, size_t s, const svg_axis *ax,
                         const svg_axis *ay) {
    static const char form[4][40] = {"m-4 0 a4 4 0 1 0 8 0 a4 4 0 1 0 -8 0z", "m-4 -4 h8 v8 h-8z",
                                     "m0 -5 l5 9 h-10z", "m0 -5 l5 5 l-5 5 l-5 -5z"};
    for (size_t i = 0; i < c->count; ++i) {
        const double v = c->mark[s * c->count + i];
        if (!isfinite(v) || !svg_has_x(c, i)) continue;
        sooth_text_put(sink, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" d=\"M%g %g %s\"><title>",
                       svg_colour[s % 8], svg_at(svg_place(ax, c->x[i])), svg_at(svg_place(ay, v)),
                       form[s % 4]);
        if (c->series_names) svg_text(sink, c->series_names[s]);
        sooth_text_put(sink, c->series_names ? ": measured, at " : "measured, at ");
        svg_rounded(sink, c->x[i], 4);
        sooth_text_put(sink, ": ");
        svg_rounded(sink, v, 4);
        sooth_text_put(sink, "</title></path>");
    }
}

enum { SVG_NAMES = 16 };
#define SVG_APART 13.0

/* Returns a position near `end` for a name that does not overlap those placed before. The name goes to the
   side of the first name in its way, or to the other side if that is outside the drawing (above top, below
   bottom). */
static double svg_clear(const double *stands, size_t count, double end, double top, double bottom) {
    double at = end, step = 0;
    for (unsigned side = 0; side < 2; ++side) {
        at = end;
        for (size_t tries = 0; tries <= count; ++tries) {
            size_t k = 0;
            while (k < count && (at - stands[k] >= SVG_APART || stands[k] - at >= SVG_APART)) ++k;
            if (k == count) break;
            if (tries == 0 && side == 0) step = end < stands[k] ? -SVG_APART : SVG_APART;
            at = stands[k] + step;
        }
        if (at >= top && at <= bottom) break;
        step = -step;
    }
    return at;
}

void svg_lines(sooth_sink *sink, const svg_line_chart *c) {
    const double width = svg_side(c->frame.width, 640), height = svg_side(c->frame.height, 360);
    const double left = 62, top = 12, bottom = height - 46;
    const double names = c->series_names ? svg_names(c->series_names, c->series, 0.3 * width) : 14;
    double stands[SVG_NAMES];
    svg_range x = {0, 0, 0}, y = {0, 0, 0};
    for (size_t i = 0; i < c->series * c->count; ++i) {
        const double v = c->y[i];
        if (!svg_has_x(c, i % c->count) || !isfinite(v)) continue;
        svg_widen(&x, c->x[i % c->count]);
        svg_widen(&y, v);
        if (c->low) svg_widen(&y, c->low[i]);
        if (c->high) svg_widen(&y, c->high[i]);
        if (c->mark) svg_widen(&y, c->mark[i]);
    }
    if (!svg_open(sink, &c->frame, width, height, c->series * c->count, x.count)) return;
    svg_axis ax = svg_scale(x.low, x.high, left, width - names, width / 90, c->logarithmic_x);
    svg_axis ay = svg_scale(y.low, y.high, bottom, top, height / 55, 0);
    svg_draw_axis(sink, &ax, 0, top, bottom, c->x_title);
    svg_draw_axis(sink, &ay, 1, left, width - names, c->y_title);
    for (size_t s = 0; s < c->series; ++s) {
        double end[2];
        if (c->low && c->high) svg_band(sink, c, s, &ax, &ay);
        svg_path(sink, c, s, &ax, &ay, end);
        if (c->mark) svg_measured(sink, c, s, &ax, &ay);
        if (!c->series_names) continue;
        if (s < SVG_NAMES) end[1] = stands[s] = svg_clear(stands, s, end[1], top - 5, height - 5);
        sooth_text_put(sink, "<g fill=\"%s\">", svg_colour[s % 8]);
        svg_label(sink, end[0] + (c->mark ? 10 : 6), end[1] + 4, "start", c->series_names[s], names - 11);
        sooth_text_put(sink, "</g>");
    }
    sooth_text_put(sink, "</svg>\n");
}
