/* fuzz_cards.c - descriptions of GPUs, cards of tasks, numbers, of any bytes: refused with a sentence, or
 * written and read again as the same.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/fairness.h"
#include "sooth/gpu.h"

#include "check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct page {
    char text[1 << 14];
    size_t size;
} page;

static int keep(void *user, const char *text, size_t size) {
    page *p = (page *)user;
    check(p->size + size <= sizeof p->text);
    memcpy(p->text + p->size, text, size);
    p->size += size;
    return 0;
}

/* Both texts must be equal: of a description and of what it is read back as. */
static void equal(const page *a, const page *b) {
    check(a->size == b->size && memcmp(a->text, b->text, a->size) == 0);
}

static void try_gpu(sooth_env *env, const char *text, size_t size) {
    static page first, second;
    sooth_sink sink = {&first, keep, 0};
    sooth_gpu gpu, again;
    sooth_gpu_launch launch = {.blocks = 100, .threads = 128, .registers = 32};
    sooth_gpu_fit fit;
    env->sentence[0] = 0;
    if (sooth_gpu_read(env, text, size, &gpu) != SOOTH_OK) {
        check(env->sentence[0] != 0);
        return;
    }
    first.size = second.size = 0;
    check(sooth_gpu_write(env, &gpu, &sink) == SOOTH_OK);
    check(sooth_gpu_read(env, first.text, first.size, &again) == SOOTH_OK);
    sink.user = &second;
    check(sooth_gpu_write(env, &again, &sink) == SOOTH_OK);
    equal(&first, &second);
    env->sentence[0] = 0;
    check(sooth_gpu_occupancy(env, gpu.compute, &launch, &fit) == SOOTH_OK || env->sentence[0] != 0);
}

static void try_task(sooth_env *env, const char *text, size_t size) {
    static const sooth_fairness_fields own = {2, {"ipc", "llc_miss"}};
    static page first, second;
    sooth_sink sink = {&first, keep, 0};
    sooth_fairness_card card, again;
    env->sentence[0] = 0;
    if (sooth_fairness_card_read(env, text, size, &own, &card) != SOOTH_OK) {
        check(env->sentence[0] != 0);
        return;
    }
    first.size = second.size = 0;
    check(sooth_fairness_card_write(env, &card, &sink) == SOOTH_OK);
    check(sooth_fairness_card_read(env, first.text, first.size, &own, &again) == SOOTH_OK);
    sink.user = &second;
    check(sooth_fairness_card_write(env, &again, &sink) == SOOTH_OK);
    equal(&first, &second);
    (void)sooth_fairness_alongside(&card, SOOTH_FAIRNESS_HIGH);
}

/* A number of at most `size` characters, which written out is read as the same. */
static void try_number(const char *text, size_t size) {
    char written[SOOTH_TEXT_NUMBER_SIZE];
    double d, d_again;
    float f, f_again;
    if (sooth_text_to_double(text, size, &d) > 0) {
        check(sooth_text_to_double(text, size, &d) <= size);
        check(sooth_text_to_double(written, sooth_text_from_double(written, d), &d_again) > 0);
        check(d != d ? d_again != d_again : memcmp(&d, &d_again, sizeof d) == 0);
    }
    if (sooth_text_to_float(text, size, &f) > 0) {
        check(sooth_text_to_float(text, size, &f) <= size);
        check(sooth_text_to_float(written, sooth_text_from_float(written, f), &f_again) > 0);
        check(f != f ? f_again != f_again : memcmp(&f, &f_again, sizeof f) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)(const void *)data;
    sooth_env env;
    sooth_env_init(&env);
    try_gpu(&env, text, size);
    try_task(&env, text, size);
    try_number(text, size);
    return 0;
}

#ifdef SOOTH_FUZZ_MAIN
#include "mutate.h"
#endif
