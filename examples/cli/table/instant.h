/* instant.h - dates and times of day as tables have them, and numbers that a model can learn from.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Read is ISO 8601 in its extended form, the calendar being the Gregorian one for all years from 1 to 9999:
 *
 *     2024-02-29   2024-02-29T13:05   2024-02-29 13:05:59.25   2024-02-29T13:05:59Z   2024-02-29 13:05+05:30
 *
 * or, where it is asked for, seconds since 1970-01-01T00:00:00Z. An hour is the one of the clock that the
 * table was written by, whatever its zone. Nothing is guessed: 01/02/2024 may be two days, and is neither.
 */
#ifndef CLI_INSTANT_H
#define CLI_INSTANT_H

#include <stddef.h>
#include <stdint.h>

enum { INSTANT_SENTENCE = 200 };

typedef struct instant {
    int32_t day;   /* 1: the first of January of the year 1 */
    double second; /* of the day, below 86,400 */
    int32_t zone;  /* minutes that its clock is ahead of UTC; 0 where has_zone is 0 */
    int has_time;  /* or it is a date alone, whose second is 0 */
    int has_zone;
} instant;

typedef struct civil {
    int year, month, day; /* 1 to 9999, 1 to 12, 1 to 31 */
    int yearday;          /* 1 to 366 */
} civil;

/* The number of a day that is in the calendar, and back. */
int32_t day_of_civil(int year, int month, int day);
civil civil_of_day(int32_t day);

/* Reads text[0..length); 0: it cannot, and why gets what follows the text, as "is no day of the calendar". */
int instant_read(const char *text, size_t length, int as_seconds, instant *out, char why[INSTANT_SENTENCE]);

/* A number that an instant has. */
typedef struct instant_part {
    const char *name;
    const char *help; /* "0 to 23, ..." */
    int of_time;      /* a date alone does not have it */
} instant_part;
const instant_part *instant_part_at(size_t k); /* NULL behind the last */

/* The value of part k. */
double instant_value(const instant *at, size_t k);

#endif /* CLI_INSTANT_H */
