/* instant.h - dates and times of day in tables, and numbers that a model can learn from.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Reads ISO 8601 in its extended form, in the Gregorian calendar for all years from 1 to 9999:
 *
 *     2024-02-29   2024-02-29T13:05   2024-02-29 13:05:59.25   2024-02-29T13:05:59Z   2024-02-29 13:05+05:30
 *
 * or, on request, seconds since 1970-01-01T00:00:00Z, or dates with the day or the month first, such as
 * 29/02/2024 13:05 and 2.29.2024. An hour is that of the clock as written, in any zone. Without a request
 * ambiguous dates are refused: 01/02/2024 may mean two days.
 */
#ifndef CLI_INSTANT_H
#define CLI_INSTANT_H

#include <stddef.h>
#include <stdint.h>

enum { INSTANT_SENTENCE = 200 };

/* How a column writes its instants. */
typedef enum instant_form { INSTANT_ISO, INSTANT_UNIX, INSTANT_DMY, INSTANT_MDY, INSTANT_FORMS } instant_form;

typedef struct instant {
    int32_t day;   /* 1: 1 January of the year 1 */
    double second; /* of the day, below 86,400 */
    int32_t zone;  /* minutes ahead of UTC; 0 if has_zone is 0 */
    int has_time;  /* 0: a date alone, with second 0 */
    int has_zone;
} instant;

typedef struct civil {
    int year, month, day; /* 1 to 9999, 1 to 12, 1 to 31 */
    int yearday;          /* 1 to 366 */
} civil;

/* Convert a valid date to the number of its day, and back. */
int32_t day_of_civil(int year, int month, int day);
civil civil_of_day(int32_t day);

/* Reads text[0..length). On failure returns 0 and stores the reason in `why`, such as "is no day of the
   calendar". */
int instant_read(const char *text, size_t length, instant_form form, instant *out,
                 char why[INSTANT_SENTENCE]);

/* A number derived from an instant. */
typedef struct instant_part {
    const char *name;
    const char *help; /* "0 to 23, ..." */
    int of_time;      /* not defined for a date alone */
} instant_part;
const instant_part *instant_part_at(size_t k); /* NULL after the last */

/* Returns the value of part k. */
double instant_value(const instant *at, size_t k);

#endif /* CLI_INSTANT_H */
