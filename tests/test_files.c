/* test_files.c - files read, mapped and replaced, sinks, models by their path.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/files.h"
#include "check.h"

static char folder[256];

static const char *path_of(const char *name) {
    static char path[4][320];
    static int next;
    char *to = path[next = (next + 1) % 4];
    snprintf(to, sizeof path[0], "%s%s", folder, name);
    return to;
}

/* Bytes that no text has, of sizes around the steps in which a buffer grows. */
static void bytes_come_back(void) {
    static const size_t sizes[] = {0, 1, 255, 256, 65535, 65536, 65537, 300000};
    static char bytes[300000];
    sooth_env env;
    sooth_env_init(&env);
    for (size_t i = 0; i < sizeof bytes; ++i) bytes[i] = (char)(i * 2654435761u >> 13);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k)
        for (int map = 0; map < 2; ++map) {
            sooth_file file;
            CHECK_STATUS(sooth_file_write(&env, path_of("bytes"), bytes, sizes[k]), SOOTH_OK);
            CHECK_STATUS((map ? sooth_file_map : sooth_file_read)(&env, path_of("bytes"), &file), SOOTH_OK);
            CHECK(file.size == sizes[k] && memcmp(file.bytes, bytes, sizes[k]) == 0);
            CHECK(map || file.bytes[file.size] == 0);
            CHECK((uintptr_t)file.bytes % 16 == 0);
            sooth_file_free(&env, &file);
            CHECK(!file.bytes && !file.size);
            sooth_file_free(&env, &file);
        }
    CHECK(remove(path_of("bytes")) == 0);
}

/* A reader that opened or mapped the old file keeps it; a write that fails changes nothing and leaves
   nothing. */
static void a_file_is_replaced_at_once(void) {
    sooth_env env;
    sooth_file old, now;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_file_write(&env, path_of("one"), "old", 3), SOOTH_OK);
    CHECK_STATUS(sooth_file_map(&env, path_of("one"), &old), SOOTH_OK);
    CHECK_STATUS(sooth_file_write(&env, path_of("one.new0"), "x", 1), SOOTH_OK); /* another writer's */
    CHECK_STATUS(sooth_file_write(&env, path_of("one"), "newer", 5), SOOTH_OK);
    CHECK_STATUS(sooth_file_read(&env, path_of("one"), &now), SOOTH_OK);
    CHECK(old.size == 3 && memcmp(old.bytes, "old", 3) == 0);
    CHECK(now.size == 5 && strcmp(now.bytes, "newer") == 0);
    sooth_file_free(&env, &old);
    sooth_file_free(&env, &now);
    CHECK(remove(path_of("one.new0")) == 0 && remove(path_of("one")) == 0);
    CHECK_FAILS(&env, sooth_file_write(&env, path_of("none/one"), "x", 1), SOOTH_CANCELLED, "cannot write ");
    CHECK_FAILS(&env, sooth_file_write(&env, ".", "x", 1), SOOTH_CANCELLED, "cannot write ");
    CHECK_FAILS(&env, sooth_file_read(&env, path_of("none"), &now), SOOTH_BAD_TEXT, "cannot read ");
    CHECK_FAILS(&env, sooth_file_read(&env, ".", &now), SOOTH_BAD_TEXT, "cannot read ");
    CHECK_FAILS(&env, sooth_file_map(&env, path_of("none"), &now), SOOTH_BAD_TEXT, "cannot read ");
    CHECK_FAILS(&env, sooth_file_map(&env, ".", &now), SOOTH_BAD_TEXT, "cannot read ");
    CHECK(!now.bytes);
}

static void sinks_hold_what_is_written(void) {
    sooth_buffer buffer = {NULL, 0, 0, NULL};
    sooth_sink sink = sooth_buffer_sink(&buffer);
    char want[40000];
    size_t n = 0;
    sooth_env env;
    sooth_file file;
    sooth_env_init(&env);
    CHECK(!buffer.text);
    for (uint32_t i = 0; i < 5000; ++i) {
        sooth_text_put(&sink, "%u,", i);
        n += (size_t)snprintf(want + n, sizeof want - n, "%u,", i);
        CHECK(buffer.size == n && buffer.text[n] == 0);
    }
    CHECK(!sink.failed && strcmp(buffer.text, want) == 0);
    FILE *f = fopen(path_of("sink"), "wb");
    CHECK(f != NULL);
    if (!f) return;
    sink = sooth_file_sink(f);
    sooth_text_write(&sink, buffer.text, buffer.size);
    CHECK(!sink.failed && fclose(f) == 0);
    CHECK_STATUS(sooth_file_read(&env, path_of("sink"), &file), SOOTH_OK);
    CHECK(file.size == n && strcmp(file.bytes, want) == 0);
    sooth_file_free(&env, &file);
    sooth_buffer_free(&buffer);
    CHECK(!buffer.text && !buffer.size);
    f = fopen(path_of("sink"), "rb"); /* cannot be written */
    sink = sooth_file_sink(f);
    sooth_text_write(&sink, want, n);
    CHECK(sink.failed);
    fclose(f);
    remove(path_of("sink"));
}

/* Every allocation may fail; then the sink has failed, and the file is as it was. */
static void memory_may_fail(void) {
    sooth_env env, failing;
    sooth_file file;
    sooth_env_init(&env);
    sooth_env_init(&failing);
    CHECK_STATUS(sooth_file_write(&env, path_of("kept"), "kept", 4), SOOTH_OK);
    CHECK_EVERY_ALLOCATION(&failing, sooth_file_read(&failing, path_of("kept"), &file),
                           sooth_file_free(&failing, &file));
    CHECK_EVERY_ALLOCATION(&failing, sooth_file_write(&failing, path_of("kept"), "new", 3), (void)0);
    CHECK_STATUS(sooth_file_read(&env, path_of("kept"), &file), SOOTH_OK);
    CHECK(file.size == 3);
    sooth_file_free(&env, &file);
    remove(path_of("kept"));
}

static void models_are_saved_and_loaded_by_path(void) {
    const float x[] = {1, 2, 3, 4}, y[] = {10, 10, 20, 20};
    sooth_table table = sooth_table_of(x, y, 4, 1);
    sooth_env env;
    sooth_model *model;
    sooth_tree *tree;
    sooth_file file;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_tree_fit(&env, &table, NULL, &tree), SOOTH_OK);
    CHECK_STATUS(sooth_file_save_model(&env, sooth_model_from_block(&tree->head), path_of("m")), SOOTH_OK);
    CHECK_STATUS(sooth_file_load_model(&env, path_of("m"), &model), SOOTH_OK);
    CHECK(memcmp(model, tree, tree->head.size) == 0);
    sooth_model_free(&env, model);
    CHECK_STATUS(sooth_file_map(&env, path_of("m"), &file), SOOTH_OK);
    CHECK(sooth_model_check(file.bytes, file.size) == soothi_model_little_endian()); /* as files are */
    if (soothi_model_little_endian())
        CHECK(sooth_model_predict((const sooth_model *)(const void *)file.bytes, x + 3, NULL) >= 20.0f);
    sooth_file_free(&env, &file);
    CHECK_STATUS(sooth_file_write(&env, path_of("m"), tree, tree->head.size - 1), SOOTH_OK);
    CHECK_FAILS(&env, sooth_file_load_model(&env, path_of("m"), &model), SOOTH_BAD_MODEL, path_of("m: "));
    CHECK(!model);
    CHECK_STATUS(sooth_file_load_model(NULL, path_of("m"), &model), SOOTH_BAD_MODEL); /* without a sentence */
    CHECK_FAILS(&env, sooth_file_load_model(&env, path_of("none"), &model), SOOTH_BAD_TEXT, "cannot read ");
    remove(path_of("m"));
    sooth_tree_free(&env, tree);
}

int main(void) {
    const char *temporary = getenv("TMPDIR");
    /* two runs at a time have other addresses */
    snprintf(folder, sizeof folder, "%s/sooth_test_files_%p_", temporary ? temporary : "/tmp",
             (void *)&temporary);
    CHECK_RUN(bytes_come_back);
    CHECK_RUN(a_file_is_replaced_at_once);
    CHECK_RUN(sinks_hold_what_is_written);
    CHECK_RUN(memory_may_fail);
    CHECK_RUN(models_are_saved_and_loaded_by_path);
    return check_end("files");
}
