/* split.h - folds of scikit-learn; written by split.py.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
enum { golden_rows = 45, golden_group_folds = 3 };
static const uint32_t golden_group[golden_rows] =
    {8, 8, 0, 12, 3, 0, 8, 8, 12, 5, 12, 5, 21, 12, 1000000007, 21, 3, 21, 5, 17, 21, 5, 21, 5, 0, 40, 0, 21, 8,
     5, 1000000007, 1000000007, 21, 12, 5, 1000000007, 5, 0, 21, 5, 12, 8, 17, 12, 17};
static const uint32_t golden_one_out[golden_rows] =
    {3, 3, 0, 4, 1, 0, 3, 3, 4, 2, 4, 2, 6, 4, 8, 6, 1, 6, 2, 5, 6, 2, 6, 2, 0, 7, 0, 6, 3, 2, 8, 8, 6, 4, 2, 8,
     2, 0, 6, 2, 4, 3, 5, 4, 5};
static const uint32_t golden_group_fold[golden_rows] =
    {2, 2, 1, 2, 1, 1, 2, 2, 2, 0, 2, 0, 1, 2, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1, 2, 1, 1, 2, 0, 0, 0, 1, 2, 0, 0,
     0, 1, 1, 0, 2, 2, 0, 2, 0};
/* rows, folds, and for each fold how many rows train and how many test after them */
static const size_t golden_time[][10] = {
    {6, 2, 2, 2, 4, 2},
    {7, 3, 4, 1, 5, 1, 6, 1},
    {10, 4, 2, 2, 4, 2, 6, 2, 8, 2},
    {23, 4, 7, 4, 11, 4, 15, 4, 19, 4},
    {5, 4, 1, 1, 2, 1, 3, 1, 4, 1},
};
/* rows, folds, and how many rows each fold tests */
static const size_t golden_kfold[][9] = {
    {10, 5, 2, 2, 2, 2, 2},
    {11, 3, 4, 4, 3},
    {7, 7, 1, 1, 1, 1, 1, 1, 1},
    {23, 4, 6, 6, 6, 5},
    {2, 2, 1, 1},
};
/* rows, and how many a hold-out of 20 % and one of 33 % tests */
static const size_t golden_holdout[][3] = {
    {2, 1, 1},
    {3, 1, 1},
    {10, 2, 4},
    {11, 3, 4},
    {81, 17, 27},
    {99, 20, 33},
    {100, 20, 33},
    {120, 24, 40},
    {330, 66, 109},
    {792, 159, 262},
};
