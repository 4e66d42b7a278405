/* test_svg.c - drawings are well-formed, escape what they are given, and say what they left out.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "../../examples/common/svg.c"
#include "check.h"

typedef struct page {
    char text[400000];
    size_t n;
} page;

static page drawn;

static int keep(void *user, const char *text, size_t size) {
    page *p = (page *)user;
    if (p->n + size + 1 > sizeof p->text) return 1;
    memcpy(p->text + p->n, text, size);
    p->n += size;
    p->text[p->n] = 0;
    return 0;
}

static sooth_sink fresh(void) {
    sooth_sink sink;
    sink.user = &drawn;
    sink.write_fn = keep;
    sink.failed = 0;
    drawn.n = 0;
    drawn.text[0] = 0;
    return sink;
}

static size_t count(const char *what) {
    size_t n = 0;
    const char *at = drawn.text;
    while ((at = strstr(at, what)) != NULL) {
        ++n;
        ++at;
    }
    return n;
}

/* A strict reader of the XML that we write: tags nest, attributes are quoted, no bare & or <, no control
   characters, no "nan" or "inf". */
static int well_formed(const char *p) {
    char stack[32][16];
    int depth = 0;
    while (*p) {
        if ((unsigned char)*p < 0x20 && *p != '\n') return 0;
        if (*p == '&') {
            static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
            size_t k;
            for (k = 0; k < 4 && strncmp(p, known[k], strlen(known[k])) != 0;) ++k;
            if (k == 4) return 0;
            p += strlen(known[k]);
        } else if (*p == '<') {
            int closing = p[1] == '/', n = 0;
            char name[16];
            p += 1 + closing;
            while ((*p >= 'a' && *p <= 'z') && n < 15) name[n++] = *p++;
            name[n] = 0;
            if (!n) return 0;
            if (closing) {
                if (*p++ != '>' || depth == 0 || strcmp(stack[--depth], name) != 0) return 0;
                continue;
            }
            while (*p == ' ') {
                ++p;
                while ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || *p == '-' || *p == ':' ||
                       (*p >= '0' && *p <= '9'))
                    ++p;
                if (*p++ != '=' || *p++ != '"') return 0;
                if (strncmp(p, "nan", 3) == 0 || strncmp(p, "inf", 3) == 0) return 0;
                while (*p && *p != '"') {
                    if (*p == '<') return 0;
                    ++p;
                }
                if (*p++ != '"') return 0;
            }
            if (*p == '/') {
                if (p[1] != '>') return 0;
                p += 2;
            } else {
                if (*p++ != '>' || depth == 32) return 0;
                strcpy(stack[depth++], name);
            }
        } else {
            if (depth == 0 && *p != '\n') return 0;
            ++p;
        }
    }
    return depth == 0;
}

static const char *const odd_names[] = {"a<b>&\"c\"", "x\x01y",
                                        "a name that is much too long to fit into its place beside the chart",
                                        "\xC3\xA4\xE2\x82\xAC"};

static void draw_all(sooth_sink *sink, const double *value, const double *other, size_t n) {
    static const uint32_t series[] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
    svg_points points;
    svg_bar_chart bars;
    svg_strip_chart strips;
    svg_violin_chart violins;
    svg_heat_map heat;
    svg_line_chart lines;
    memset(&points, 0, sizeof points);
    points.frame.title = odd_names[0];
    points.x = value;
    points.y = other;
    points.count = n;
    points.series = series;
    points.series_names = odd_names;
    points.series_count = 4;
    points.x_title = points.y_title = "ms & \"more\"";
    points.diagonal = 1;
    svg_scatter(sink, &points);
    points.logarithmic = 1;
    svg_scatter(sink, &points);
    points.diagonal = 0;
    points.series_names = NULL;
    svg_scatter(sink, &points);
    memset(&bars, 0, sizeof bars);
    bars.value = value;
    bars.mark = other;
    bars.mark_title = "published";
    bars.names = odd_names;
    bars.count = n < 4 ? n : 4;
    bars.unit = " %";
    svg_bars(sink, &bars);
    memset(&strips, 0, sizeof strips);
    strips.value = value;
    strips.category = series;
    strips.count = n;
    strips.names = odd_names;
    strips.categories = 4;
    strips.title = "error";
    svg_strips(sink, &strips);
    memset(&violins, 0, sizeof violins);
    violins.value = value;
    violins.category = violins.series = series;
    violins.count = n;
    violins.names = violins.series_names = odd_names;
    violins.categories = violins.series_count = 4;
    violins.title = "error";
    svg_violins(sink, &violins);
    violins.series = NULL;
    violins.series_names = NULL;
    violins.series_count = 0;
    violins.logarithmic = 1;
    svg_violins(sink, &violins);
    memset(&heat, 0, sizeof heat);
    heat.value = value;
    heat.rows = n < 2 ? n : 2;
    heat.cols = n < 2 ? n : n / 2 < 4 ? n / 2 : 4;
    heat.row_names = heat.col_names = odd_names;
    heat.row_title = "slowed";
    heat.col_title = "by";
    svg_heat(sink, &heat);
    memset(&lines, 0, sizeof lines);
    lines.x = value;
    lines.y = other;
    lines.low = value;
    lines.high = other;
    lines.count = n;
    lines.series = 1;
    lines.series_names = odd_names;
    svg_lines(sink, &lines);
}

static void every_chart_is_well_formed(void) {
    static const double a[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
                        b[] = {2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11};
    static const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, 1e-300, -5, 0, 3, 3, 3, 3, 3},
                        same[] = {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4};
    static const double *const sets[][2] = {{a, b}, {odd, a}, {a, odd}, {odd, odd}, {same, same}};
    static const size_t sizes[] = {0, 1, 2, 12};
    size_t k, s;
    for (k = 0; k < 5; ++k)
        for (s = 0; s < 4; ++s) {
            sooth_sink sink = fresh();
            draw_all(&sink, sets[k][0], sets[k][1], sizes[s]);
            CHECK(!sink.failed);
            CHECK(well_formed(drawn.text));
            CHECK(count("<svg ") == 9 && count("</svg>") == 9 && count("role=\"img\"") == 9);
        }
}

static void text_is_escaped_and_shortened(void) {
    sooth_sink sink = fresh();
    svg_text(&sink, "<a href=\"x\">&\x02</a>");
    CHECK(strcmp(drawn.text, "&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;") == 0);
    sink = fresh();
    svg_short(&sink, "\xC3\xA4\xC3\xB6\xC3\xBC\xC3\x9F", 39.5); /* 4 of 10 pixels */
    /* cut between characters, never inside one */
    CHECK(strcmp(drawn.text, "\xC3\xA4\xC3\xB6\xE2\x80\xA6") == 0);
}

static void points_are_counted(void) {
    static const double x[] = {1, NAN, 3, 4}, y[] = {1, 2, INFINITY, 4};
    svg_points points;
    sooth_sink sink = fresh();
    memset(&points, 0, sizeof points);
    points.x = x;
    points.y = y;
    points.count = 4;
    svg_scatter(&sink, &points);
    CHECK(count("<circle ") == 2 && strstr(drawn.text, "2 values that are not finite are left out") != NULL);
    points.count = 0;
    sink = fresh();
    svg_scatter(&sink, &points);
    CHECK(strstr(drawn.text, "no data") != NULL);
}

/* Ticks by hand: 0.3 .. 9.7 in about five steps is 0 2 4 6 8 10; -1 .. 1 in about four is every half. */
static void ticks_are_round(void) {
    svg_axis a = svg_scale(0.3, 9.7, 0, 100, 5, 0);
    double v;
    CHECK_NEAR(a.step, 2, 1e-12);
    CHECK_NEAR(a.low, 0, 1e-12);
    CHECK_NEAR(a.high, 10, 1e-12);
    CHECK(svg_tick(&a, 5, &v) && v == 10 && !svg_tick(&a, 6, &v));
    CHECK_NEAR(svg_place(&a, 5), 50, 1e-9);
    a = svg_scale(-1, 1, 0, 1, 4, 0);
    CHECK_NEAR(a.step, 0.5, 1e-12);
    CHECK(svg_tick(&a, 2, &v) && v == 0);
    a = svg_scale(3, 400, 0, 1, 4, 1);
    CHECK(svg_tick(&a, 0, &v) && fabs(v - 5) < 1e-9);
    CHECK(svg_tick(&a, 5, &v) && fabs(v - 200) < 1e-9 && !svg_tick(&a, 6, &v));
    CHECK_NEAR(svg_nice(0.3), 0.5, 1e-12);
    CHECK_NEAR(svg_nice(7e6), 1e7, 1);
}

/* The labels of the axis below: their middle, and the end of the last one, as a browser places them. Letters
   of 12 pixels are at least 5 wide (a blank and an i less, but labels have none). */
static int labels_apart(const char *words, int *labels) {
    double end = -1e9;
    int apart = 1;
    *labels = 0;
    for (const char *t = words; (t = strstr(t, "<text x=\"")) != NULL; ++t) {
        const char *word = strchr(t, '>') + 1;
        const double at = strtod(t + 9, NULL), half = 2.5 * (double)strcspn(word, "<");
        apart &= at - half > end;
        end = at + half;
        ++*labels;
    }
    return apart;
}

static void labels_of_ticks_do_not_overlap(void) {
    static const double number[] = {0.5, 9999, 10000, 25000, -20000, 2e6, 1.5e9, 3e12};
    static const char *const label[] = {"0.5", "9999", "10k", "25k", "-20k", "2M", "1.5G", "3000G"};
    char text[SOOTH_TEXT_NUMBER_SIZE + 1];
    int labels;
    for (size_t i = 0; i < sizeof number / sizeof *number; ++i) {
        svg_tick_text(text, number[i]);
        CHECK(strcmp(text, label[i]) == 0);
    }
    for (int wide = 60; wide < 700; wide += 20)
        for (double high = 100; high < 1e12; high *= 30) {
            const svg_axis a = svg_scale(3, high, 40, 40 + wide, wide / 90.0, 1);
            sooth_sink sink = fresh();
            svg_draw_axis(&sink, &a, 0, 0, 100, NULL);
            CHECK(labels_apart(drawn.text, &labels) && labels > 0);
        }
    const svg_axis wide = svg_scale(3, 400, 0, 600, 6, 1), narrow = svg_scale(18000, 7e7, 0, 260, 3, 1);
    sooth_sink sink = fresh();
    svg_draw_axis(&sink, &wide, 0, 0, 100, NULL);
    CHECK(labels_apart(drawn.text, &labels) && labels == 6 && strstr(drawn.text, ">50<"));
    sink = fresh();
    svg_draw_axis(&sink, &narrow, 0, 0, 100, NULL);
    CHECK(labels_apart(drawn.text, &labels) && labels == 3 && strstr(drawn.text, ">10M<"));
}

/* An interval without an end widens nothing: the line stands where any end within the others leaves it. */
static void an_open_interval_leaves_the_axis_alone(void) {
    static const double x[] = {1, 2, 3}, low[] = {0, -INFINITY, 2}, high[] = {2, INFINITY, 4};
    svg_line_chart lines;
    sooth_sink sink = fresh();
    memset(&lines, 0, sizeof lines);
    lines.x = lines.y = x;
    lines.low = low;
    lines.high = high;
    lines.count = 3;
    lines.series = 1;
    svg_lines(&sink, &lines);
    CHECK(strstr(drawn.text, "d=\" M62 238.5 L344 163 L626 87.5\"") != NULL);
}

/* How far the k-th corner of the n-th outline stands from a line, in pixels; NaN: there is none. */
static double corner(size_t n, size_t k, double line) {
    const char *at = drawn.text;
    double x = 0, y = 0;
    for (; (at = strstr(at, "points=\"")) != NULL && n; --n) ++at;
    if (!at) return (double)NAN;
    at += strlen("points=\"");
    for (size_t i = 0; i <= k; ++i) {
        if (sscanf(at, "%lf,%lf", &x, &y) != 2) return (double)NAN;
        at = strchr(at, ' ') + 1;
    }
    return y - line;
}

/* The density of v among n values, by the definition: a Gaussian of the standard deviation x n^(-1/5). */
static double dense(const double *value, size_t n, double v) {
    double mean = 0, squares = 0, sum = 0;
    for (size_t i = 0; i < n; ++i) mean += value[i] / (double)n;
    for (size_t i = 0; i < n; ++i) squares += (value[i] - mean) * (value[i] - mean);
    const double h = sqrt(squares / (double)(n - 1)) * pow((double)n, -0.2);
    for (size_t i = 0; i < n; ++i) sum += exp(-0.5 * pow((v - value[i]) / h, 2));
    return sum;
}

/* A violin is as wide as its values are dense, from the least to the greatest; halves stay on their side;
   equal values have no width; the axis of logarithms has the densities of logarithms. */
static void violins_are_densities(void) {
    const double value[] = {1, 2, 2.5, 3, 7, 20, 1, 2, 2.5, 3, 7, 20, 5, 5, -4, (double)NAN};
    static const uint32_t category[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1},
                          series[] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 1, 0};
    static const char *const names[] = {"many", "one"};
    svg_violin_chart chart;
    memset(&chart, 0, sizeof chart);
    chart.value = value;
    chart.category = category;
    chart.series = series;
    chart.count = 16;
    chart.names = chart.series_names = names;
    chart.categories = chart.series_count = 2;
    chart.split = 1;
    for (int logarithmic = 0; logarithmic < 2; ++logarithmic) {
        double seen[6], most = 0, at[41];
        sooth_sink sink = fresh();
        chart.logarithmic = logarithmic;
        svg_violins(&sink, &chart);
        for (size_t i = 0; i < 6; ++i) seen[i] = logarithmic ? log(value[i]) : value[i];
        for (size_t k = 0; k <= 40; ++k) {
            at[k] = dense(seen, 6, seen[0] + (seen[5] - seen[0]) * (double)k / 40.0);
            if (at[k] > most) most = at[k];
        }
        /* a legend of one row (22 pixels) and 8; then half of a row of 40: 50; a half is 0.45 x 34 high */
        for (size_t k = 0; k <= 40; ++k) {
            CHECK_NEAR(corner(0, k, 50), -15.3 * at[k] / most, 0.051);
            CHECK_NEAR(corner(0, 41 + k, 50), 0, 0);
            CHECK_NEAR(corner(1, k, 50), 0, 0);
            CHECK_NEAR(corner(1, 81 - k, 50), 15.3 * at[k] / most, 0.051);
        }
        CHECK(count("<polygon ") == 2 && isnan(corner(2, 0, 0)));
        CHECK(strstr(drawn.text, "<title>many, one: 6 values, 1 to 20</title>") != NULL);
        CHECK(count("<title>median 2.5</title>") == 2 && count("<title>median 5</title>") == 1);
        CHECK(count("<title>median -4</title>") == (size_t)!logarithmic);
        CHECK(strstr(drawn.text, logarithmic ? ">2 values that are not" : ">1 values that are not") != NULL);
        CHECK(well_formed(drawn.text));
    }
}

static int refuse(void *user, const char *text, size_t size) {
    (void)user;
    (void)text;
    (void)size;
    return 1;
}

static void a_full_disk_is_noticed(void) {
    static const double x[] = {1, 2};
    svg_points points;
    sooth_sink sink = fresh();
    memset(&points, 0, sizeof points);
    sink.write_fn = refuse;
    points.x = points.y = x;
    points.count = 2;
    svg_scatter(&sink, &points);
    CHECK(sink.failed == 1);
}

/* Numbers at the ends of what a double holds still become pixels, steps and ticks. */
static void extreme_numbers_have_a_place(void) {
    static const double tiny[] = {5e-324, 1e-300}, huge[] = {1e300, 1e301};
    svg_points points;
    sooth_sink sink = fresh();
    svg_axis a;
    double v;
    CHECK_NEAR(svg_at(-0.26), -0.3, 1e-12);
    CHECK_NEAR(svg_at(1.04), 1.0, 1e-12);
    CHECK_NEAR(svg_at(1e9) + svg_at(-1e9) + svg_at((double)NAN), 0, 0);
    CHECK(svg_nice(1e-310) >= 1e-310 && svg_nice(1e-310) < 1e-299);
    CHECK_CLOSE(svg_nice((double)INFINITY), 1e301, 1e-9);
    a = svg_scale(0, 0, 0, 100, 4, 0); /* one value has an axis of 1 around it */
    CHECK_NEAR(a.low, -1, 1e-12);
    CHECK_NEAR(a.high, 1, 1e-12);
    a = svg_scale(30, 400, 0, 1, 4, 1);
    CHECK(svg_tick(&a, 0, &v) && fabs(v - 50) < 1e-9);
    memset(&points, 0, sizeof points);
    points.logarithmic = 1;
    points.count = 2;
    points.x = tiny;
    points.y = huge;
    svg_scatter(&sink, &points);
    CHECK(well_formed(drawn.text) && count("<circle ") == 2);
}

static void texts_of_any_length_fit(void) {
    static char text[301];
    sooth_sink sink = fresh();
    svg_text(&sink, NULL);
    CHECK(drawn.n == 0);
    svg_text(&sink, "a\x7F\x01z");
    CHECK(strcmp(drawn.text, "az") == 0);
    sink = fresh(); /* a control character of two bytes; Latin-1, of which one byte begins none */
    svg_text(&sink, "\xC2\x85\xC2\xA0 gr\xF6\xDF"
                    "e \xE2\x82\xAC\xE2\x82");
    CHECK(strcmp(drawn.text, "\xC2\xA0 gr&#246;&#223;e \xE2\x82\xAC&#226;") == 0);
    memset(text, 'x', 300);
    sink = fresh();
    svg_short(&sink, text, 2100); /* 196 bytes and an ellipsis are the most there is */
    CHECK(drawn.n == 199 && strcmp(drawn.text + 196, "\xE2\x80\xA6") == 0);
}

static void names_of_wide_letters_have_room(void) {
    static const double value[] = {1};
    static const char *name[] = {"WWWWWWWWWWWWWWWWWW"}; /* 18 of 11.9 pixels are 214.2; it ends at x */
    svg_bar_chart bars;
    sooth_sink sink = fresh();
    memset(&bars, 0, sizeof bars);
    bars.value = value;
    bars.count = 1;
    bars.names = name;
    svg_bars(&sink, &bars);
    CHECK(strstr(drawn.text, "<text x=\"219\"") && strstr(drawn.text, ">WWWWWWWWWWWWWWWWWW<"));
    name[0] = "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWW"; /* of 30 those stay that leave 12 of 279 for the ellipsis */
    sink = fresh();
    svg_bars(&sink, &bars);
    CHECK(strstr(drawn.text, "<text x=\"280\"") &&
          strstr(drawn.text, ">WWWWWWWWWWWWWWWWWWWWWW\xE2\x80\xA6<"));
    name[0] = "iiiiiiiiiiiiiiiiiiiiiiiiiiiiii"; /* as many narrow ones, 102 pixels, stay as they are */
    sink = fresh();
    svg_bars(&sink, &bars);
    CHECK(strstr(drawn.text, "<text x=\"106\"") && strstr(drawn.text, ">iiiiiiiiiiiiiiiiiiiiiiiiiiiiii<"));
}

/* What each optional field adds, and what is there without it. */
static void options_are_drawn(void) {
    static const double value[] = {1, 2, 3}, below[] = {-5, 0, 5}, marks[] = {-1, NAN, 4},
                        near[] = {1.1, NAN, 4};
    static const char *const names[] = {"one", "two", "three"}, *const labels[] = {"a<b", NULL, "c"};
    static const uint32_t series[] = {9, 0, 1};
    svg_points points;
    svg_bar_chart bars;
    svg_strip_chart strips;
    svg_line_chart lines;
    sooth_sink sink = fresh();
    memset(&points, 0, sizeof points);
    points.x = points.y = below;
    points.count = 3;
    points.labels = labels;
    points.diagonal = 1;
    points.frame.width = 300;
    points.frame.height = 200;
    svg_scatter(&sink, &points);
    CHECK(strstr(drawn.text, "viewBox=\"0 0 300 200\" width=\"300\" height=\"200\""));
    CHECK(strstr(drawn.text, "<title>a&lt;b: -5, -5</title>") && strstr(drawn.text, "<title>0, 0</title>"));
    /* the band of 10 % begins at 0, in the middle between -5 and 5 of 62..286 */
    CHECK(strstr(drawn.text, "points=\"174,"));

    memset(&bars, 0, sizeof bars);
    bars.value = below;
    bars.count = 2; /* -5 to the left of the line at 0, and a bar without length */
    bars.names = names;
    bars.series = series;
    sink = fresh();
    svg_bars(&sink, &bars);
    CHECK(count(" width=\"0\"") == 1 && count("fill=\"#d55e00\"") == 1 && count("fill=\"#0072b2\"") == 1);
    CHECK(count("<line ") == 1);
    bars.value = value;
    bars.count = 3;
    bars.mark = marks; /* without a title for them no line on top, and none where there is no mark */
    sink = fresh();
    svg_bars(&sink, &bars);
    CHECK(count("<line ") == 3 && strstr(drawn.text, "<title>-1</title>") &&
          strstr(drawn.text, "<title>4</title>"));
    /* "three" is 32.3 wide, so that 0 to 4 is 45 to 566: the number moves behind the tick at 188.3, not
       behind that at 566 */
    bars.mark = near;
    sink = fresh();
    svg_bars(&sink, &bars);
    CHECK(strstr(drawn.text, "<text x=\"194.3\"") && strstr(drawn.text, "<text x=\"311.5\"") &&
          strstr(drawn.text, "<text x=\"441.8\""));
    bars.mark = NULL;
    bars.mark_title = "published";
    sink = fresh();
    svg_bars(&sink, &bars);
    CHECK(count("<line ") == 0 && count("published") == 0);

    memset(&strips, 0, sizeof strips);
    strips.value = value;
    strips.category = series + 1;
    strips.labels = labels;
    strips.count = 2;
    strips.names = names;
    strips.categories = 2;
    sink = fresh();
    svg_strips(&sink, &strips);
    CHECK(strstr(drawn.text, "<title>a&lt;b: 1</title>") && strstr(drawn.text, "<title>2</title>"));
    CHECK(strstr(drawn.text, "<title>median 1</title>") && strstr(drawn.text, "<title>median 2</title>"));

    memset(&lines, 0, sizeof lines);
    lines.x = lines.y = value;
    lines.count = 3;
    lines.series = 1;
    for (unsigned k = 0; k < 4; ++k) { /* a band needs both of its ends */
        lines.low = k & 1 ? below : NULL;
        lines.high = k & 2 ? below : NULL;
        sink = fresh();
        svg_lines(&sink, &lines);
        CHECK(count("<polygon ") == (k == 3) && count("<path ") == 1);
    }
}

/* Colours by hand: 0, half and all of the way from low to high are stops; what is beyond is at the ends. */
static void cells_have_their_colours(void) {
    static const double value[] = {-7, 0, 5, 20};
    static double wide[60];
    static const char *names[60];
    svg_heat_map heat;
    sooth_sink sink = fresh();
    for (size_t i = 0; i < 60; ++i) names[i] = "n";
    memset(&heat, 0, sizeof heat);
    heat.value = value;
    heat.rows = heat.cols = 2;
    heat.row_names = heat.col_names = names;
    heat.high = 10;
    svg_heat(&sink, &heat);
    CHECK(count("rgb(255,250,220)") == 2 && count("rgb(230,115,60)") == 1 && count("rgb(60,15,80)") == 1);
    CHECK(count("pointer-events") == 4 && strstr(drawn.text, ">20</text>"));
    heat.high = 0;
    heat.low = -10; /* -10..0 */
    sink = fresh();
    svg_heat(&sink, &heat);
    CHECK(count("rgb(60,15,80)") == 3);
    heat.low = 0; /* not given: -7..20; 0 is 1/27 of the way from the second stop to the third */
    heat.digits = 1;
    sink = fresh();
    svg_heat(&sink, &heat);
    CHECK(count("rgb(255,250,220)") == 1 && count("rgb(60,15,80)") == 1 && count("rgb(249,197,108)") == 1);
    heat.value = wide;
    heat.rows = 1;
    heat.cols = 60; /* too narrow for numbers */
    sink = fresh();
    svg_heat(&sink, &heat);
    CHECK(count("<rect ") == 60 && count("pointer-events") == 0 && strstr(drawn.text, "height=\"21\""));
    heat.cols = 19; /* (640 - 40 - 30) / 19 is 30: square cells, less the gap of 1 */
    sink = fresh();
    svg_heat(&sink, &heat);
    CHECK(count("width=\"29\" height=\"29\"") == 19 && count("pointer-events") == 19);
}

/* Lines that end within a line of text of each other have names that do not: in the order of the lines. */
static void names_of_lines_stand_apart(void) {
    static const char *const names[] = {"one", "two", "three", "far"};
    static const double x[] = {0, 1}, y[] = {0, 1, 0, 1.2, 0, 1, 0, 10}; /* 30.2 pixels a unit from 314 up */
    svg_line_chart lines;
    double at[4];
    sooth_sink sink = fresh();
    memset(&lines, 0, sizeof lines);
    lines.x = x;
    lines.y = y;
    lines.count = 2;
    lines.series = 4;
    lines.series_names = names;
    svg_lines(&sink, &lines);
    for (size_t k = 0; k < 4; ++k) {
        char end[16];
        const char *name, *place;
        snprintf(end, sizeof end, ">%s<", names[k]);
        name = strstr(drawn.text, end);
        CHECK(name != NULL);
        if (!name) return;
        for (place = name; strncmp(place, " y=\"", 4) != 0;) --place;
        at[k] = strtod(place + 4, NULL);
    }
    CHECK_NEAR(at[0], 314 - 30.2 + 4, 0.11);
    CHECK_NEAR(at[1], at[0] - 13, 1e-9);
    CHECK_NEAR(at[2], at[0] + 13, 1e-9);
    CHECK_NEAR(at[3], 12 + 4, 0.11);
}

/* Names of lines that all end at the top, or at the bottom, stay within the drawing. */
static void names_of_lines_stay_inside(void) {
    static const char *const names[] = {"n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7"};
    static const double x[] = {0, 1};
    for (int below = 0; below < 2; ++below) {
        svg_line_chart lines;
        double y[16], at[8];
        sooth_sink sink = fresh();
        for (int k = 0; k < 8; ++k) { /* each nearer to the end than the one before */
            y[2 * k] = 0.5;
            y[2 * k + 1] = below ? 0.02 * (8 - k) : 1 - 0.002 * (8 - k);
        }
        y[0] = 0, y[14] = 1;
        memset(&lines, 0, sizeof lines);
        lines.x = x;
        lines.y = y;
        lines.count = 2;
        lines.series = 8;
        lines.series_names = names;
        svg_lines(&sink, &lines);
        for (size_t k = 0; k < 8; ++k) {
            char end[16];
            snprintf(end, sizeof end, ">%s<", names[k]);
            const char *place = strstr(drawn.text, end);
            CHECK(place != NULL);
            if (!place) return;
            while (strncmp(place, " y=\"", 4) != 0) --place;
            at[k] = strtod(place + 4, NULL);
            CHECK(at[k] >= 10 && at[k] <= 360);
            for (size_t i = 0; i < k; ++i) CHECK(fabs(at[k] - at[i]) > 12.9);
        }
    }
}

/* Bars below 0 end to the left of the line at 0, those above to its right, by the same scale. */
static void bars_below_zero_go_left(void) {
    static const double value[] = {30, -10};
    static const char *const names[] = {"up", "down"};
    double x[2], wide[2], zero;
    const char *at;
    svg_bar_chart chart;
    sooth_sink sink = fresh();
    memset(&chart, 0, sizeof chart);
    chart.value = value;
    chart.names = names;
    chart.count = 2;
    svg_bars(&sink, &chart);
    CHECK(well_formed(drawn.text));
    at = strstr(drawn.text, "<line x1=\"");
    CHECK(at && sscanf(at, "<line x1=\"%lf\"", &zero) == 1);
    at = drawn.text;
    for (size_t k = 0; k < 2; ++k) {
        at = strstr(at, "<rect ");
        CHECK(at && sscanf(at, "<rect x=\"%lf\" y=\"%*f\" width=\"%lf\"", &x[k], &wide[k]) == 2);
        if (!at) return;
        ++at;
    }
    CHECK_NEAR(x[0], zero, 0.11);
    CHECK_NEAR(x[1] + wide[1], zero, 0.21);
    CHECK_NEAR(wide[0], 3 * wide[1], 0.31);
    CHECK_NEAR(x[0] + wide[0], 640 - 74, 0.21); /* the room for numbers on either side */
    CHECK(x[1] >= 60 && count("text-anchor=\"end\">-10<") == 1);
}

/* What was measured stands on its line where it is the same, in a form for each series, and widens the
   axis. */
static void marks_stand_where_they_were_measured(void) {
    static const char *const names[] = {"a", "b"};
    static const double x[] = {0, 10}, y[] = {0, 10, 5, 5}, mark[] = {(double)NAN, 10, 20, (double)NAN};
    double end[2], at[2];
    const char *line, *first;
    svg_line_chart chart;
    sooth_sink sink = fresh();
    memset(&chart, 0, sizeof chart);
    chart.x = x;
    chart.y = y;
    chart.mark = mark;
    chart.count = chart.series = 2;
    chart.series_names = names;
    svg_lines(&sink, &chart);
    CHECK(well_formed(drawn.text));
    CHECK(count("a: measured, at 10: 10<") == 1 && count("b: measured, at 0: 20<") == 1 &&
          count("measured") == 2);
    line = strstr(drawn.text, " L");
    first = strstr(drawn.text, "d=\"M");
    CHECK(line && sscanf(line, " L%lf %lf", &end[0], &end[1]) == 2);
    CHECK(first && sscanf(first, "d=\"M%lf %lf", &at[0], &at[1]) == 2);
    CHECK_NEAR(at[0], end[0], 1e-9);
    CHECK_NEAR(at[1], end[1], 1e-9);
    first = first ? strstr(first + 1, "d=\"M") : NULL; /* 20 is the end of the axis, at its top */
    CHECK(first && sscanf(first, "d=\"M%lf %lf", &at[0], &at[1]) == 2);
    CHECK_NEAR(at[1], 12, 0.11);
    CHECK(count("h8 v8") == 1); /* a circle and a square */
}

/* Equal factors are equal ways along an axis of logarithms, and what is not above 0 is left out. */
static void lines_over_logarithms(void) {
    static const double x[] = {-1, 1, 10, 100}, y[] = {9, 1, 2, 3};
    double at[3];
    const char *path;
    svg_line_chart chart;
    sooth_sink sink = fresh();
    memset(&chart, 0, sizeof chart);
    chart.x = x;
    chart.y = y;
    chart.count = 4;
    chart.series = 1;
    chart.logarithmic_x = 1;
    svg_lines(&sink, &chart);
    CHECK(well_formed(drawn.text));
    path = strstr(drawn.text, "d=\" M");
    CHECK(path && sscanf(path, "d=\" M%lf %*f L%lf %*f L%lf", &at[0], &at[1], &at[2]) == 3);
    CHECK_NEAR(at[1] - at[0], at[2] - at[1], 0.21);
    CHECK(at[1] - at[0] > 200);
}

int main(void) {
    CHECK_RUN(every_chart_is_well_formed);
    CHECK_RUN(text_is_escaped_and_shortened);
    CHECK_RUN(points_are_counted);
    CHECK_RUN(ticks_are_round);
    CHECK_RUN(labels_of_ticks_do_not_overlap);
    CHECK_RUN(an_open_interval_leaves_the_axis_alone);
    CHECK_RUN(violins_are_densities);
    CHECK_RUN(a_full_disk_is_noticed);
    CHECK_RUN(extreme_numbers_have_a_place);
    CHECK_RUN(texts_of_any_length_fit);
    CHECK_RUN(names_of_wide_letters_have_room);
    CHECK_RUN(options_are_drawn);
    CHECK_RUN(cells_have_their_colours);
    CHECK_RUN(names_of_lines_stand_apart);
    CHECK_RUN(names_of_lines_stay_inside);
    CHECK_RUN(bars_below_zero_go_left);
    CHECK_RUN(marks_stand_where_they_were_measured);
    CHECK_RUN(lines_over_logarithms);
    return check_end("svg");
}
