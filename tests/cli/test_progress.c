/* test_progress.c - what is told of how far something is, by a clock of ours.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "sooth/base.h"

#include "../../examples/cli/app/progress.c"
#include "check.h"

static double now;
static double clock_of_ours(void) { return now; }

static progress p;
static char said[4000];

static void begin(progress_form form) {
    memset(&p, 0, sizeof p);
    p.form = form;
    p.clock = clock_of_ours;
    p.to = tmpfile();
    now = 1e6;
}

/* What has been said since the last time, without blanks at its end. */
static const char *heard(void) {
    size_t n;
    rewind(p.to);
    n = fread(said, 1, sizeof said - 1, p.to);
    while (n && said[n - 1] == ' ') --n;
    said[n] = 0;
    fclose(p.to);
    p.to = tmpfile();
    return said;
}

static void at(double seconds, const char *stage, double done) {
    now = 1e6 + seconds;
    progress_step(&p, stage, done);
}

static const char *const fitting = "fitting", *const testing = "testing";

static void lines_are_told_for_each_tenth(void) {
    begin(PROGRESS_LINES);
    if (!p.to) CHECK_SKIP("no temporary file");
    else {
        at(0, fitting, 0);
        at(0.5, fitting, 0.04);
        at(1, fitting, 0.1);
        at(1.9, fitting, 0.19);
        at(4, fitting, 0.2);
        at(4, fitting, 0.21);
        at(100, fitting, 0.5);
        at(150, fitting, 1);
        CHECK(strcmp(heard(), "fitting 0 %\nfitting 10 %\nfitting 20 %, 16 s left\nfitting 50 %, 2 min left\n"
                              "fitting 100 %\n") == 0);
        fclose(p.to);
    }
}

static void each_stage_has_its_own_start(void) {
    begin(PROGRESS_LINES);
    if (!p.to) CHECK_SKIP("no temporary file");
    else {
        at(0, fitting, 0);
        at(50, fitting, 1);
        at(50, testing, 0);
        at(51.9, testing, 0.5);  /* not two seconds yet */
        at(52.5, testing, 0.25); /* it begins anew */
        at(8052.5, testing, 0.5);
        CHECK(strcmp(heard(), "fitting 0 %\nfitting 100 %\ntesting 0 %\ntesting 50 %\ntesting 25 %\n"
                              "testing 50 %, 2.2 h left\n") == 0);
        fclose(p.to);
    }
}

static void a_bar_is_drawn_anew_each_second(void) {
    begin(PROGRESS_BAR);
    if (!p.to) CHECK_SKIP("no temporary file");
    else {
        at(0, fitting, 0.5);
        CHECK(strcmp(heard(), "\rfitting              [###############               ]  50%") == 0);
        at(0.9, fitting, 0.501);
        CHECK(strcmp(heard(), "") == 0);
        at(3, fitting, 0.502);
        CHECK(strcmp(heard(), "\rfitting              [###############               ]  50% 3 s left") == 0);
        at(3.1, fitting, 2.0);
        CHECK(strcmp(heard(), "\rfitting              [##############################] 100%") == 0);
        progress_end(&p);
        CHECK(strlen(heard()) == 77 && strspn(said, "\r ") == 77); /* blanks, and back to the beginning */
        progress_end(&p);
        CHECK(strcmp(heard(), "") == 0);
        fclose(p.to);
    }
}

static void nothing_is_said_where_nothing_shall_be(void) {
    begin(PROGRESS_NONE);
    p.clock = NULL;
    if (!p.to) CHECK_SKIP("no temporary file");
    else {
        progress_step(&p, fitting, 0.5);
        progress_end(&p);
        CHECK(strcmp(heard(), "") == 0);
        fclose(p.to);
    }
}

/* Ten seconds of one stage, thirty of others, twenty of a last one that begins twice. */
static void a_plan_is_one_bar(void) {
    static const progress_stage plan[] = {{"testing", 10.0}, {NULL, 30.0}, {"last", 20.0}};
    static const char last[] = "last";
    begin(PROGRESS_LINES);
    if (!p.to) CHECK_SKIP("no temporary file");
    else {
        progress_follow(&p, plan, 3);
        at(6, testing, 0.6);
        progress_end(&p);
        at(25, fitting, 0.5); /* (10 + 15) / 60 */
        at(40, last, 0.5);    /* (40 + 10) / 60 */
        at(41, last, 0.0);
        at(60, last, 1.0);
        CHECK(strcmp(heard(),
                     "testing 10 %, 54 s left\nfitting 42 %, 35 s left\nlast 83 %, 8 s left\nlast 100 %\n") ==
              0);
        fclose(p.to);
    }
}

int main(void) {
    CHECK_RUN(lines_are_told_for_each_tenth);
    CHECK_RUN(each_stage_has_its_own_start);
    CHECK_RUN(a_bar_is_drawn_anew_each_second);
    CHECK_RUN(a_plan_is_one_bar);
    CHECK_RUN(nothing_is_said_where_nothing_shall_be);
    return check_end("progress");
}
