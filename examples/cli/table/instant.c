/* instant.c - dates and times of day, and numbers derived from them.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "instant.h"
#include "sooth/base.h"

#include <stdio.h>
#include <string.h>

/* ---- the calendar ---- */

static int is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

/* Days of a common year before each month. */
static const int before_month[13] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};

static int days_before(int year, int month) { return before_month[month - 1] + (month > 2 && is_leap(year)); }

static int month_length(int year, int month) {
    return before_month[month] - before_month[month - 1] + (month == 2 && is_leap(year));
}

/* Returns the days before 1 January: a leap day every 4th year, but not every 100th, but every 400th. */
static int32_t days_before_year(int year) {
    const int32_t y = year - 1;
    return 365 * y + y / 4 - y / 100 + y / 400;
}

int32_t day_of_civil(int year, int month, int day) {
    return days_before_year(year) + days_before(year, month) + day;
}

civil civil_of_day(int32_t day) {
    civil c;
    c.year = day / 366 + 1; /* never too late, and early by a year in 480 at most */
    while (c.year < 9999 && days_before_year(c.year + 1) < day) ++c.year;
    c.yearday = day - days_before_year(c.year);
    for (c.month = 12; days_before(c.year, c.month) >= c.yearday;) --c.month;
    c.day = c.yearday - days_before(c.year, c.month);
    return c;
}

/* ---- reading ---- */

typedef struct reader {
    const char *at, *end;
} reader;

/* Reads exactly `digits` digits; returns -1 if they are missing. */
static int number(reader *r, int digits) {
    int value = 0;
    if (r->end - r->at < digits) return -1;
    for (int k = 0; k < digits; ++k) {
        if (r->at[k] < '0' || r->at[k] > '9') return -1;
        value = 10 * value + (r->at[k] - '0');
    }
    r->at += digits;
    return value;
}

static int take(reader *r, char c) {
    if (r->at == r->end || *r->at != c) return 0;
    ++r->at;
    return 1;
}

static int refuse(char *why, const char *sentence) {
    snprintf(why, INSTANT_SENTENCE, "%s", sentence);
    return 0;
}

static const char *const no_iso =
    "is not an ISO 8601 date or time, such as 2024-02-29 or 2024-02-29T13:05:59Z";

/* Reads a number with a decimal point or comma. */
static int read_number(const char *text, size_t length, double *value) {
    char copy[64];
    if (length == 0 || length >= sizeof copy) return 0;
    for (size_t k = 0; k < length; ++k) copy[k] = text[k] == ',' ? '.' : text[k];
    return sooth_text_to_double(copy, length, value) == length;
}

/* Reads the decimals of a second. */
static double fraction(reader *r) {
    double value = 0.0, unit = 1.0;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; ++r->at)
        if (unit < 1e9) value = 10.0 * value + (double)(*r->at - '0'), unit *= 10.0;
    return value / unit;
}

/* "13:05", "13:05:59" or "13:05:59.25" */
static int read_time(reader *r, instant *out, char *why) {
    const int hour = number(r, 2), minute = hour >= 0 && take(r, ':') ? number(r, 2) : -1;
    int second = 0;
    double part = 0.0;
    if (minute < 0) return refuse(why, no_iso);
    if (take(r, ':')) {
        second = number(r, 2);
        if (second < 0) return refuse(why, no_iso);
        if (take(r, '.') || take(r, ',')) {
            if (r->at == r->end || *r->at < '0' || *r->at > '9') return refuse(why, no_iso);
            part = fraction(r);
        }
    }
    if (second == 60)
        return refuse(why,
                      "is a leap second, which days of 86,400 seconds do not have; write it as second 59");
    if (hour > 23 || minute > 59 || second > 59)
        return refuse(why, "is not a time of day (00:00:00 to 23:59:59)");
    out->second = (double)(3600 * hour + 60 * minute + second) + part;
    out->has_time = 1;
    return 1;
}

/* Reads "Z", "+05:30", "+0530", "+05" or nothing; a blank may precede it. */
static int read_zone(reader *r, instant *out, char *why) {
    int sign, hour, minute = 0;
    if (r->at == r->end) return 1;
    if (r->end - r->at > 1 && *r->at == ' ') ++r->at;
    out->has_zone = 1;
    if (take(r, 'Z') || take(r, 'z')) return 1;
    sign = take(r, '+') ? 1 : take(r, '-') ? -1 : 0;
    hour = sign ? number(r, 2) : -1;
    if (hour < 0) return refuse(why, no_iso);
    if (r->at < r->end) {
        take(r, ':');
        minute = number(r, 2);
        if (minute < 0) return refuse(why, no_iso);
    }
    if (hour > 23 || minute > 59) return refuse(why, "has a time zone beyond 23:59");
    out->zone = sign * (60 * hour + minute);
    return 1;
}

/* Recognises 1/2/2024, 1.2.2024 and 1-2-2024, in which the month is ambiguous. */
static int is_ambiguous(const char *text, size_t length) {
    size_t k = 0, digits = 0, parts = 0;
    for (; k < length && parts < 2; ++k) {
        if (text[k] >= '0' && text[k] <= '9') ++digits;
        else if (digits >= 1 && digits <= 2 && strchr("/.-", text[k])) ++parts, digits = 0;
        else return 0;
    }
    return parts == 2 && k < length && text[k] >= '0' && text[k] <= '9';
}

static int read_seconds(const char *text, size_t length, instant *out, char *why) {
    static const double day = 86400.0;
    double value, days;
    if (!read_number(text, length, &value)) return refuse(why, "is not a number of seconds since 1970");
    if (!(value >= -62135596800.0 && value < 253402300800.0))
        return refuse(why, value > 0 ? "seconds since 1970 are beyond the year 9999; are they milliseconds?"
                                     : "seconds since 1970 are before the year 1");
    days = (double)(int64_t)(value / day);
    if (days * day > value) days -= 1.0;
    out->day = day_of_civil(1970, 1, 1) + (int32_t)days;
    out->second = value - days * day;
    if (out->second >= day) { /* a time just before midnight is rounded to it */
        ++out->day;
        out->second = 0.0;
    }
    out->has_time = out->has_zone = 1;
    return 1;
}

/* Reads one or two digits. */
static int short_number(reader *r) {
    const int two = number(r, 2);
    return two >= 0 ? two : number(r, 1);
}

/* Reads 29/02/2024 or 2/29/2024, with the same one of / . - twice. */
static int read_day_or_month_first(reader *r, instant_form form, civil *c, char *why) {
    const int first = short_number(r);
    const char sign = r->at < r->end ? *r->at : 0;
    const int second = first >= 0 && sign && strchr("/.-", sign) && take(r, sign) ? short_number(r) : -1;
    c->year = second >= 0 && take(r, sign) ? number(r, 4) : -1;
    c->day = form == INSTANT_DMY ? first : second;
    c->month = form == INSTANT_DMY ? second : first;
    if (c->year >= 0) return 1;
    return refuse(why, form == INSTANT_DMY
                           ? "is not a date with the day first, such as 29/02/2024 or 29.2.2024 13:05"
                           : "is not a date with the month first, such as 02/29/2024 or 2/29/2024 13:05");
}

/* Reads 2024-02-29 or 2024/02/29. */
static int read_year_first(reader *r, civil *c, char *why) {
    const char *const text = r->at;
    const size_t length = (size_t)(r->end - text);
    double plain;
    c->year = number(r, 4);
    const char sign = r->at < r->end && *r->at == '/' ? '/' : '-';
    c->month = c->year >= 0 && take(r, sign) ? number(r, 2) : -1;
    c->day = c->month >= 0 && take(r, sign) ? number(r, 2) : -1;
    if (c->day >= 0) return 1;
    if (is_ambiguous(text, length))
        return refuse(why, "does not show which is the day and which the month; add @dmy or @mdy after the "
                           "name of the column");
    if (read_number(text, length, &plain))
        return refuse(why,
                      "is a number; if it counts seconds since 1970, add @unix after the name of the column");
    return refuse(why, no_iso);
}

int instant_read(const char *text, size_t length, instant_form form, instant *out,
                 char why[INSTANT_SENTENCE]) {
    reader r = {text, text + length};
    civil c;
    memset(out, 0, sizeof *out);
    if (form == INSTANT_UNIX) return read_seconds(text, length, out, why);
    if (!(form == INSTANT_ISO ? read_year_first(&r, &c, why) : read_day_or_month_first(&r, form, &c, why)))
        return 0;
    if (c.year < 1 || c.month < 1 || c.month > 12 || c.day < 1 || c.day > month_length(c.year, c.month))
        return refuse(why, "is not a day of the calendar");
    out->day = day_of_civil(c.year, c.month, c.day);
    if (r.at == r.end) return 1;
    if (!take(&r, 'T') && !take(&r, 't') && !take(&r, ' ')) return refuse(why, no_iso);
    if (!read_time(&r, out, why) || !read_zone(&r, out, why)) return 0;
    return r.at == r.end ? 1 : refuse(why, no_iso);
}

/* ---- numbers ---- */

/* Returns the sine of 2 pi times a share of a turn. With x at most pi / 4 the next term of the series, x^19 /
   19!, is below 1e-19, beyond the precision of double. */
static double sine_of_turn(double share) {
    double sign = 1.0, x, square, sum = 1.0;
    int odd = 1; /* powers of x */
    if (share >= 0.5) share -= 0.5, sign = -1.0;
    if (share > 0.25) share = 0.5 - share;
    if (share > 0.125) share = 0.25 - share, odd = 0;
    x = 6.283185307179586477 * share;
    square = x * x;
    for (int k = 7; k >= 0; --k) sum = 1.0 - sum * square / (double)((2 * k + 1 + odd) * (2 * k + 2 + odd));
    return sign * (odd ? x * sum : sum);
}

static double cosine_of_turn(double share) {
    return sine_of_turn(share < 0.75 ? share + 0.25 : share - 0.75);
}

enum {
    YEAR,
    MONTH,
    DAY,
    YEARDAY,
    WEEKDAY,
    HOUR,
    MINUTE,
    EPOCH,
    HOUR_SIN,
    HOUR_COS,
    WEEKDAY_SIN,
    WEEKDAY_COS,
    YEARDAY_SIN,
    YEARDAY_COS,
    PARTS
};

static const instant_part part[PARTS] = {
    {"year", "1 to 9999", 0},
    {"month", "1 to 12", 0},
    {"day", "of the month, 1 to 31", 0},
    {"yearday", "1 to 366", 0},
    {"weekday", "0 Monday to 6 Sunday", 0},
    {"hour", "0 to 23, as written in the table", 1},
    {"minute", "0 to 59", 1},
    {"epoch", "seconds since 1970 in UTC, accurate to two minutes in a float", 0},
    {"hour-sin", "the sine of an angle that turns once a day, 0 at midnight", 1},
    {"hour-cos", "the cosine of an angle that turns once a day, 0 at midnight", 1},
    {"weekday-sin", "the sine of an angle that turns once a week, 0 as Monday begins", 0},
    {"weekday-cos", "the cosine of an angle that turns once a week, 0 as Monday begins", 0},
    {"yearday-sin", "the sine of an angle that turns once a year, 0 as the year begins", 0},
    {"yearday-cos", "the cosine of an angle that turns once a year, 0 as the year begins", 0}};

const instant_part *instant_part_at(size_t k) { return k < PARTS ? &part[k] : NULL; }

double instant_value(const instant *at, size_t k) {
    const civil c = civil_of_day(at->day);
    const int weekday = (at->day + 6) % 7; /* day 1 was a Monday */
    const double day = at->second / 86400.0;
    const double of_year = ((double)(c.yearday - 1) + day) / (is_leap(c.year) ? 366.0 : 365.0);
    switch (k) {
    case YEAR: return (double)c.year;
    case MONTH: return (double)c.month;
    case DAY: return (double)c.day;
    case YEARDAY: return (double)c.yearday;
    case WEEKDAY: return (double)weekday;
    case HOUR: return (double)((int)at->second / 3600);
    case MINUTE: return (double)((int)at->second / 60 % 60);
    case EPOCH:
        return (double)(at->day - day_of_civil(1970, 1, 1)) * 86400.0 + at->second - 60.0 * (double)at->zone;
    case HOUR_SIN: return sine_of_turn(day);
    case HOUR_COS: return cosine_of_turn(day);
    case WEEKDAY_SIN: return sine_of_turn(((double)weekday + day) / 7.0);
    case WEEKDAY_COS: return cosine_of_turn(((double)weekday + day) / 7.0);
    case YEARDAY_SIN: return sine_of_turn(of_year);
    default: return cosine_of_turn(of_year);
    }
}
