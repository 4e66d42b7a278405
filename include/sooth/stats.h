/* stats.h - correlations of columns, feature selection by them, and clusters of rows.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Which columns belong together, and which rows form groups? sooth_correlate computes Pearson's, Spearman's
 * and Kendall's correlations, ranks features by their correlation with a target, and drops redundant ones.
 * sooth_cluster finds k-means clusters, their silhouettes, and thresholds between them.
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/stats.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         float x[] = {1, 2, 9,  2, 4, 7,  3, 6, 8,  4, 8, 1,  5, 10, 3};   // blocks, threads, misses
 *         float watts[] = {50, 61, 69, 82, 88};
 *         double r[3 * 3];
 *         unsigned char keep[3] = {1, 1, 1};
 *         sooth_correlation rank[3];
 *         sooth_table table = sooth_table_of(x, watts, 5, 3);
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_correlate_matrix(&env, &table, SOOTH_CORRELATE_PEARSON, r, NULL) != SOOTH_OK ||
 *             sooth_correlate_rank(&env, &table, 0, SOOTH_CORRELATE_KENDALL, rank) != SOOTH_OK ||
 *             sooth_correlate_filter(&env, r, 3, rank, 0.85, keep) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("keep %d %d %d; best: column %u, tau %g, p %g\n", keep[0], keep[1], keep[2], rank[0].column,
 *                rank[0].r, rank[0].p);   //> keep 1 0 1; best: column 0, tau 1, p 0.0166667
 *         return 0;
 *     }
 *
 * Three classes of workloads by their cache misses:
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/stats.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         float misses[] = {2, 41, 3, 1, 38, 80, 44, 77, 79};   // per cent, of nine workloads
 *         double centre[3], threshold[2], score;
 *         uint32_t label[9];
 *         sooth_table table;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         sooth_table_init(&table, misses, 9, 1);
 *         if (sooth_cluster_fit(&env, &table, NULL, centre, label, NULL) != SOOTH_OK ||    // 3 clusters
 *             sooth_cluster_silhouette(&env, &table, label, 3, NULL, &score) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         sooth_cluster_thresholds(centre, 3, threshold);
 *         printf("low below %g, medium below %g (%.2f)\n", threshold[0], threshold[1], score);
 *         //> low below 21.5, medium below 59.8333 (0.93)
 *         return 0;
 *     }
 *
 * Notes
 *
 * - A correlation uses the rows in which both columns have a value (not NaN). To refuse missing values, call
 *   sooth_table_check(env, table, 0) first. Infinite values are refused. If a column is constant, or fewer
 *   than 2 rows are complete, r and p are NaN. Clusters need complete rows. Weights are ignored.
 * - Distances use the raw values, so scale the columns first (preprocess.h).
 * - To choose the number of clusters, compare the mean silhouettes of several numbers.
 * - Clusters are numbered by ascending centre (of the first column, then the second, ...), so the numbers do
 *   not depend on the seed. There can be at most one cluster per distinct row.
 * - Several starts may miss the minimum. We drew 60 tables of 120 rows and 3 columns from 6 normal groups.
 *   For k = 3, 6, 10 the default of 10 starts missed it in 10, 68 and 95 % of the tables, by 0.01, 0.2 and
 *   2.3 % on average. scikit-learn's KMeans with n_init=10, which seeds alike, missed it in 12, 55 and 97 %
 *   by similar amounts. With n_init 300 it was found in all but one table. Use more starts if the optimum
 *   matters.
 *
 * Method and references
 *
 * A correlation is a number from -1 to 1; 0 means no association:
 *
 *     SOOTH_CORRELATE_PEARSON    r: strength of the linear relation of two columns
 *     SOOTH_CORRELATE_SPEARMAN   rho: Pearson's r of their ranks; equal values share the mean of their ranks
 *     SOOTH_CORRELATE_KENDALL    tau-b: pairs of rows in the same order minus pairs in opposite order, over
 *                                all pairs, corrected for equal values; the most robust to outliers
 *
 * The p-value is the probability of a correlation at least as far from 0 if the columns are independent. A
 * typical use is choosing hardware events by their rank correlation with a slowdown (Zhao et al. 2019,
 * Themis, section V-A). Another use is dropping redundant features (Alavani et al. 2023, section 4: |Pearson|
 * above 0.85, then |Kendall| above 0.85).
 *
 * k-means finds k centres that minimise the inertia: the sum of squared distances from every row to its
 * nearest centre.
 *
 *     one column     the global minimum, found by dynamic programming without random numbers
 *     more columns   k-means++ with greedy trials (Arthur and Vassilvitskii, SODA 2007), then Lloyd's
 *                    iteration (IEEE Transactions on Information Theory 28, 1982), from several starts
 *
 * The silhouette of a row is (b - a) / max(a, b). a is its mean distance to the rows of its own cluster, and
 * b that to the nearest other cluster (Rousseeuw, Journal of Computational and Applied Mathematics 20, 1987).
 * It is 1 at best, about 0 between two clusters, and negative in the wrong one. The fairness study that uses
 * this (Moolchandani et al. 2022, section 5) regards a mean above 0.7 as tight clusters. It finds three
 * classes of workloads, Low, Medium and High, by their cache misses.
 *
 * Cost
 *
 * For n rows and d columns:
 *
 *     correlation   O(n log n) time, Pearson O(n), and 32 n bytes of scratch. A matrix has d^2 / 2 of them;
 *                   Pearson and Spearman prepare every complete column once, in 8 n d bytes, then a
 *                   correlation is one dot product
 *     k clusters    one column: O(k n log n) time and 56 n + 4 k n bytes. More columns: O(n k d) time per
 *                   iteration and 12 n + 8 k d + 4 k bytes. Each array is rounded up to 64 bytes
 *     silhouette    O(n^2 d) time, and 8 n + 4 k bytes plus 8 k per thread
 *
 * Columns of a matrix and rows of a silhouette are distributed over the threads of the env. The bits do not
 * depend on the number of threads.
 */
#if !defined(SOOTH_STATS_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_STATS_IMPLEMENTED))
#define SOOTH_STATS_H
#include "stats/correlate.h"
#include "stats/cluster.h"
#ifdef SOOTH_IMPLEMENTATION
#define SOOTH_STATS_IMPLEMENTED
#endif
#endif
