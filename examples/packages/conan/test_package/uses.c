/* uses.c - a program that has sooth from a package: it learns six runs and says which version it is.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth.h"
#include <stdio.h>

int main(void) {
    const float x[] = {1, 2, 3, 4, 5, 6}, y[] = {10, 20, 30, 40, 50, 60}, row[] = {2};
    sooth_table table = sooth_table_of(x, y, 6, 1);
    sooth_tree *tree;
    sooth_env env;
    float seconds;
    sooth_env_init(&env);
    if (sooth_tree_fit(&env, &table, NULL, &tree) != SOOTH_OK) return puts(env.sentence), 1;
    seconds = sooth_tree_predict(tree, row);
    printf("sooth %s: about %g seconds\n", SOOTH_VERSION_TEXT, (double)seconds);
    sooth_tree_free(&env, tree);
    return !(seconds >= 10 && seconds <= 60);
}
