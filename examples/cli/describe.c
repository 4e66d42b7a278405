/* describe.c - sooth describe: what a model file holds.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

static const flag flags[] = {JSON_FLAG, LAST_FLAG};

sooth_model *model_open(sooth_env *env, const char *path) {
    size_t size;
    char *bytes = read_file(path, &size);
    sooth_model *model;
    if (sooth_model_load(env, bytes, size, &model) != SOOTH_OK) die(BAD_INPUT, "%s: %s", path, env->sentence);
    return model;
}

static int run(const arguments *args) {
    sooth_env *env = env_open(args);
    sooth_model *model = model_open(env, args->word[0]);
    sooth_sink sink = file_sink(stdout);
    sooth_status status = arguments_has(args, "json") ? sooth_model_describe_json(env, model, &sink)
                                                      : sooth_model_describe(env, model, &sink);
    if (status != SOOTH_OK) die_of(status, env);
    return finish();
}

const command describe_command = {
    .name = "describe",
    .summary = "what a model file holds: what it learned from, how good it is, what it costs",
    .usage = "FILE [--json]",
    .least = 1,
    .most = 1,
    .text = "Checks the file and writes what it knows about itself: kind, options, training rows, scores, "
            "the worst "
            "case of work for one prediction, and for every column its name, unit, range in training and how "
            "much "
            "it matters.",
    .example = "sooth describe power.sooth",
    .flags = flags,
    .run = run};
