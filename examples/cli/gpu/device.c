/* device.c - a GPU by its name, or described by a file.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "gpu_cli.h"

static void open_from(sooth_env *env, const char *table, const char *name, sooth_gpu *gpu) {
    size_t size;
    FILE *file;
    if (sooth_gpu_named(env, name, gpu) == SOOTH_OK) return;
    if ((file = fopen(name, "rb")) == NULL) {
        if (sooth_gpu_board_named(env, name, gpu) == SOOTH_OK) return;
        sooth_gpu_named(env, name, gpu); /* for its sentence */
        if (table) die(BAD_INPUT, "%s: column gpu: %s", table, env->sentence);
        die(BAD_USE, "%s; or give a file that describes it", env->sentence);
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

void gpu_board_open(sooth_env *env, const char *table, const char *name, sooth_gpu *gpu) {
    static const struct {
        const char *name, *measured; /* name in the measurements that sooth/gpu_time.h was fitted to */
    } board[] = {{"p100", "p100-pcie"}, {"v100", "v100-pcie"}};
    char lower[8] = "";
    for (size_t i = 0; name[i] && i + 1 < sizeof lower; ++i)
        lower[i] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] + 32 : name[i]);
    for (size_t i = 0; i < sizeof board / sizeof board[0]; ++i)
        if (strcmp(lower, board[i].name) == 0) name = board[i].measured;
    if (sooth_gpu_board_named(env, name, gpu) != SOOTH_OK) open_from(env, table, name, gpu);
}
