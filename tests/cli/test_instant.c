/* test_instant.c - the calendar against one that counts its days, and what is read and what is refused.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "sooth/base.h"

#include "../../examples/cli/table/instant.c"
#include "check.h"

/* Every day of all years, counted one by one: a Monday, the first of January of the year 1, is day 1. */
static void every_day_of_all_years_is_counted(void) {
    static const int length[13] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int32_t day = 0;
    size_t wrong = 0;
    for (int year = 1; year <= 9999; ++year) {
        const int leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        int yearday = 0;
        for (int month = 1; month <= 12; ++month)
            for (int d = 1; d <= length[month] + (month == 2 && leap); ++d) {
                const civil c = civil_of_day(++day);
                ++yearday;
                wrong += day_of_civil(year, month, d) != day || c.year != year || c.month != month ||
                         c.day != d || c.yearday != yearday;
            }
    }
    CHECK(wrong == 0);
    CHECK(day == 3652059); /* Python: datetime.date.max.toordinal() */
}

static size_t part_of(const char *name) {
    size_t k = 0;
    while (instant_part_at(k) && strcmp(instant_part_at(k)->name, name) != 0) ++k;
    CHECK(instant_part_at(k) != NULL);
    return k;
}

static double value(const char *text, int as_seconds, const char *name) {
    char why[INSTANT_SENTENCE];
    instant at;
    if (!instant_read(text, strlen(text), as_seconds, &at, why)) {
        printf("  %s %s\n", text, why);
        return -1e300;
    }
    return instant_value(&at, part_of(name));
}

static int is(double a, double b) { return fabs(a - b) < 1e-9; }

/* Days whose weekday the books have. */
static void days_that_books_tell_of(void) {
    CHECK(is(value("1969-07-20", 0, "weekday"), 6)); /* Sunday */
    CHECK(is(value("2000-01-01", 0, "weekday"), 5)); /* Saturday */
    CHECK(is(value("2024-02-29", 0, "yearday"), 60));
    CHECK(is(value("1900-03-01", 0, "yearday"), 60)); /* no leap year */
    CHECK(is(value("9999-12-31 23:59:59", 0, "hour"), 23));
    CHECK(is(value("1970-01-01T00:00:00Z", 0, "epoch"), 0));
    CHECK(is(value("2001-09-09T01:46:40Z", 0, "epoch"), 1e9));
    CHECK(is(value("2001-09-09T07:16:40+05:30", 0, "epoch"), 1e9));
    CHECK(is(value("2001-09-08 20:46:40.5 -0500", 0, "epoch"), 1e9 + 0.5));
    CHECK(is(value("2001-09-08T20:46-05", 0, "hour"), 20)); /* the clock as written */
    CHECK(is(value("1000000000", 1, "hour"), 1) && is(value("1000000000", 1, "minute"), 46));
    CHECK(is(value("-0.25", 1, "year"), 1969) && is(value("-0,25", 1, "epoch"), -0.25));
    CHECK(is(value("-62135596800", 1, "year"), 1) && is(value("253402300799", 1, "year"), 9999));
    /* less before midnight than a double tells from it: it is midnight, not hour 24 of the day before */
    CHECK(is(value("-1e-20", 1, "hour"), 0) && is(value("-1e-20", 1, "year"), 1970));
}

/* Every day of some years in both orders, and what is no day in one of them. */
static void days_and_months_in_either_order(void) {
    static const char sign[] = {'/', '.', '-'};
    char why[INSTANT_SENTENCE], text[40];
    size_t wrong = 0;
    instant at;
    for (int32_t day = day_of_civil(1999, 12, 25); day < day_of_civil(2001, 2, 1); ++day) {
        const civil c = civil_of_day(day);
        const char s = sign[day % 3];
        snprintf(text, sizeof text, day % 2 ? "%d%c%d%c%d" : "%02d%c%02d%c%04d 07:08", c.day, s, c.month, s,
                 c.year);
        wrong += !instant_read(text, strlen(text), INSTANT_DMY, &at, why) || at.day != day;
        wrong += at.has_time && at.second != 7 * 3600 + 8 * 60;
        snprintf(text, sizeof text, "%d%c%d%c%d", c.month, s, c.day, s, c.year);
        wrong += !instant_read(text, strlen(text), INSTANT_MDY, &at, why) || at.day != day;
        /* the other order: another day, or none */
        const int read = instant_read(text, strlen(text), INSTANT_DMY, &at, why);
        wrong += read != (c.day <= 12) || (read && at.day != day_of_civil(c.year, c.day, c.month));
    }
    CHECK(wrong == 0);
    static const char *const bad[] = {"",         "1/2",      "1/2.2024",   "1/2/24",    "100/2/2024",
                                      "/2/2024",  "1//2024",  "2024-02-29", "1/2/2024x", "1/2/2024 25:00",
                                      "0/1/2024", "29/2/2023"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
        CHECK(!instant_read(bad[i], strlen(bad[i]), INSTANT_DMY, &at, why) && *why);
}

/* Twice around the clock, against the C library. */
static void circles_are_sines_and_cosines(void) {
    double most = 0.0;
    for (int minute = 0; minute < 1440; ++minute) {
        char text[32];
        const double turn = 2.0 * 3.14159265358979323846 * minute / 1440.0;
        snprintf(text, sizeof text, "2023-05-0%dT%02d:%02d", 1 + minute % 7, minute / 60, minute % 60);
        const double week = 2.0 * 3.14159265358979323846 * (minute % 7 + minute / 1440.0) / 7.0;
        const double off[4] = {value(text, 0, "hour-sin") - sin(turn), value(text, 0, "hour-cos") - cos(turn),
                               value(text, 0, "weekday-sin") - sin(week), /* the first was a Monday */
                               value(text, 0, "weekday-cos") - cos(week)};
        for (int k = 0; k < 4; ++k) most = fabs(off[k]) > most ? fabs(off[k]) : most;
    }
    CHECK(most < 4e-15);
    CHECK(is(value("2023-07-02T12:00", 0, "yearday-cos"), -1.0)); /* the middle of a common year */
    CHECK(is(value("2024-07-02", 0, "yearday-cos"), -1.0));       /* and of a leap year */
}

/* The sentence that it is refused with holds these words. */
static void refused(const char *text, int as_seconds, const char *words) {
    char why[INSTANT_SENTENCE] = "";
    instant at;
    const int taken = instant_read(text, strlen(text), as_seconds, &at, why);
    CHECK(!taken && strstr(why, words) != NULL);
    if (taken || !strstr(why, words)) printf("  %s: %s\n", text, taken ? "taken" : why);
}

static void what_is_doubtful_is_refused(void) {
    static const char *const ambiguous[] = {"01/02/2024", "1/2/24", "01.02.2024", "01-02-2024", "31/12/2024"};
    static const char *const none[] = {"2024",
                                       "2024-1-02",
                                       "2024-01-02T",
                                       "2024-01-02T1:02",
                                       "2024-01-02x",
                                       "2024-01-02T01:02:03.",
                                       "2024-01-02T01:02:03 ",
                                       "2024-01-02T01:02+1",
                                       "2024-01-02T01:02Zx",
                                       "20240102T0102",
                                       "noon",
                                       "2024-01-02T01",
                                       "2024-W01-1",
                                       "2024-01-02  01:02",
                                       "2024-01-02T01:02+01:3"};
    for (size_t k = 0; k < sizeof ambiguous / sizeof *ambiguous; ++k)
        refused(ambiguous[k], 0, "which is the day and which the month");
    for (size_t k = 1; k < sizeof none / sizeof *none; ++k)
        refused(none[k], 0, "is not an ISO 8601 date or time");
    refused("1704164645", 0, "@unix");
    refused("2024", 0, "@unix");
    refused("2023-02-29", 0, "not a day of the calendar");
    refused("1900-02-29", 0, "not a day of the calendar");
    refused("2023-04-31", 0, "not a day of the calendar");
    refused("0000-01-01", 0, "not a day of the calendar");
    refused("2023-13-01", 0, "not a day of the calendar");
    refused("2023-00-01", 0, "not a day of the calendar");
    refused("2016-12-31T23:59:60Z", 0, "leap second");
    refused("2024-01-02T24:00:00", 0, "not a time of day");
    refused("2024-01-02T23:60", 0, "not a time of day");
    refused("2024-01-02T01:02+24:00", 0, "time zone");
    refused("1704164645000", 1, "milliseconds");
    refused("-62135596801", 1, "before the year 1");
    refused("yesterday", 1, "not a number of seconds");
    refused("nan", 1, "are before");
}

/* For tests/cli/words.sh: the parts of each line of the standard input, seconds since 1970 where it begins
   with '@'. */
static int print_parts(void) {
    char line[200], why[INSTANT_SENTENCE];
    while (fgets(line, sizeof line, stdin)) {
        const int as_seconds = line[0] == '@';
        instant at;
        line[strcspn(line, "\n")] = 0;
        if (!instant_read(line + as_seconds, strlen(line + as_seconds), as_seconds, &at, why)) puts(why);
        else
            for (size_t k = 0; instant_part_at(k); ++k)
                printf("%.17g%c", instant_value(&at, k), instant_part_at(k + 1) ? ' ' : '\n');
    }
    return 0;
}

int main(int count, char **words) {
    if (count > 1 && strcmp(words[1], "parts") == 0) return print_parts();
    CHECK_RUN(every_day_of_all_years_is_counted);
    CHECK_RUN(days_that_books_tell_of);
    CHECK_RUN(days_and_months_in_either_order);
    CHECK_RUN(circles_are_sines_and_cosines);
    CHECK_RUN(what_is_doubtful_is_refused);
    return check_end("instant");
}
