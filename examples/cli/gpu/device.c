/* device.c - a GPU by its name, or described by a file.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "gpu_cli.h"

/* Returns the names that a user may write, without those of the paper's latencies; *count of them. */
static const char *const *names_of(size_t *count) {
    static const char *name[64];
    *count = 0;
    for (size_t i = 0; sooth_gpu_at(i) && *count < 64; ++i)
        if (!strstr(sooth_gpu_at(i)->name, "-pfea")) name[(*count)++] = sooth_gpu_at(i)->name;
    return name;
}

const char *gpu_names(void) {
    static char list[600];
    size_t count;
    const char *const *name = names_of(&count);
    list[0] = 0;
    for (size_t i = 0; i < count; ++i)
        snprintf(list + strlen(list), sizeof list - strlen(list), i ? ", %s" : "%s", name[i]);
    return list;
}

static void open_from(sooth_env *env, const char *table, const char *name, sooth_gpu *gpu) {
    size_t size, count;
    FILE *file;
    if (sooth_gpu_named(env, name, gpu) == SOOTH_OK) return;
    if ((file = fopen(name, "rb")) == NULL) {
        if (sooth_gpu_board_named(env, name, gpu) == SOOTH_OK) return;
        const char *const *known = names_of(&count);
        const char *hint = did_you_mean(name, known, count);
        if (table)
            die(BAD_INPUT, "%s: column gpu: there is no GPU called %s%s; there are %s", table,
                printable(name), hint, gpu_names());
        die(BAD_USE, "there is no GPU called %s%s; there are %s; or give a file that describes it",
            printable(name), hint, gpu_names());
    }
    fclose(file);
    char *text = read_file(name, NULL, &size);
    if (sooth_gpu_read(env, text, size, gpu) != SOOTH_OK) die(BAD_INPUT, "%s: %s", name, env->sentence);
    free(text);
}

/* The published tables call the devices k20-2023, and the library calls them k20-pfea. */
static const char *const paper[][2] = {
    {"k20-2023", "k20-pfea"}, {"m60-2023", "m60-pfea"}, {"v100-2023", "v100-pfea"}};

const char *gpu_of_paper(const char *name, int of_tables) {
    for (size_t i = 0; i < sizeof paper / sizeof paper[0]; ++i)
        if (strcmp(name, paper[i][of_tables ? 1 : 0]) == 0) return paper[i][of_tables ? 0 : 1];
    return name;
}

void gpu_open(sooth_env *env, const char *name, sooth_gpu *gpu) {
    open_from(env, NULL, gpu_of_paper(name, 0), gpu);
}

/* Boards on PCIe that a name without a form factor means, and the one with more power. */
static const struct {
    const char *plain, *taken, *other;
} plain_boards[] = {{"p100", "p100-pcie", "p100-sxm2"},
                    {"v100", "v100-pcie", "v100-sxm2"},
                    {"", "a100-80gb", "a100-80gb-sxm"}};
enum { PLAIN_BOARDS = sizeof plain_boards / sizeof plain_boards[0] };
static char taken_name[PLAIN_BOARDS][40]; /* as it was written; "": no such name was */

/* True of a name with "pcie" in it, in any case. */
static int has_pcie(const char *name) {
    for (; *name; ++name) {
        char four[5];
        snprintf(four, sizeof four, "%.4s", name);
        if (same_but_case(four, "pcie")) return 1;
    }
    return 0;
}

int gpu_board_find(sooth_env *env, const char *name, sooth_gpu *gpu) {
    const char *board = name;
    for (size_t i = 0; i < PLAIN_BOARDS; ++i)
        if (*name && same_but_case(name, plain_boards[i].plain)) board = plain_boards[i].taken;
    if (sooth_gpu_board_named(env, board, gpu) != SOOTH_OK) return 0;
    for (size_t i = 0; i < PLAIN_BOARDS; ++i)
        if (strcmp(gpu->name, plain_boards[i].taken) == 0 && !has_pcie(name) && strcmp(gpu->name, name) != 0)
            snprintf(taken_name[i], sizeof taken_name[i], "%.39s", printable(name));
    return 1;
}

void gpu_board_open(sooth_env *env, const char *table, const char *name, sooth_gpu *gpu) {
    if (!gpu_board_find(env, name, gpu)) open_from(env, table, name, gpu);
}

void gpu_remarks(void) {
    for (size_t i = 0; i < PLAIN_BOARDS; ++i)
        if (*taken_name[i])
            fprintf(stderr, "%s is taken as %s, the board on PCIe; the one with more power is %s\n",
                    taken_name[i], plain_boards[i].taken, plain_boards[i].other);
}
