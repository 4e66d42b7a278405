/* test_penalty.c - equations 1 to 4 as printed and corrected, against numbers worked out by hand.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/gpu.h"
#include "check.h"

static sooth_env env;

/* A device of round numbers: 10 SMs, 4 schedulers, 8 dispatch units, 32 load-store units, L2 of 1,000 lines,
   200 bytes per cycle from memory (100 GB/s at 500 MHz), 64 from the shared memory of an SM. */
static sooth_gpu round_gpu(void) {
    sooth_gpu gpu;
    memset(&gpu, 0, sizeof gpu);
    memcpy(gpu.name, "round", 6);
    gpu.compute = 35;
    gpu.sms = 10;
    gpu.schedulers = 4;
    gpu.dispatch_units = 8;
    gpu.load_store_units = 32;
    gpu.l2_bytes = 128000;
    gpu.clock_mhz = 500;
    gpu.memory_gbs = 100;
    gpu.shared_bytes = 64;
    return gpu;
}

/* 25 blocks of 250 threads (8 warps, the last with 26): T = 6250, 200 warps. 3 waves of 40 instructions, 5
   global, 4 shared. */
static soothi_penalty round_work(void) {
    soothi_penalty work;
    memset(&work, 0, sizeof work);
    work.blocks = 25;
    work.threads = 250;
    work.waves = 3;
    work.inst = 40;
    work.glob_inst = 5;
    work.shar_inst = 4;
    work.glob_latency = 300;
    return work;
}

static void printed_equations(void) {
    sooth_gpu gpu = round_gpu();
    soothi_penalty work = round_work();
    work.as_published = 1;
    CHECK_NEAR(soothi_penalty_issue(&gpu, &work), 6250.0 / 128 * 120 / 8, 1e-9);         /* 732.421875 */
    CHECK_NEAR(soothi_penalty_cache(&gpu, &work), 6250.0 * 15 / (3 * 1000) * 300, 1e-9); /* 9375 */
    CHECK_NEAR(soothi_penalty_global(&gpu, &work), 6250.0 / 32 * 128 / 200 * 15, 1e-9);  /* 1875 */
    CHECK_NEAR(soothi_penalty_shared(&gpu, &work), 6250.0 / 320 * 4 / 64 * 12, 1e-9);
}

static void corrected_equations(void) {
    sooth_gpu gpu = round_gpu();
    soothi_penalty work = round_work();
    /* the busiest SM has 3 blocks */
    CHECK_NEAR(soothi_penalty_issue(&gpu, &work), 3 * 8 * 40 / 8.0, 1e-9);
    CHECK_NEAR(soothi_penalty_cache(&gpu, &work), 200 * 5 / 1000.0 * 300, 1e-9);
    /* bytes over bytes per cycle */
    CHECK_NEAR(soothi_penalty_global(&gpu, &work), 200 * 5 * 128 / 200.0, 1e-9);
    CHECK_NEAR(soothi_penalty_shared(&gpu, &work), 3 * 8 * 32 * 4 * 4 / 64.0, 1e-9);
    work.waves = 7; /* no matter: the waves are the threads' own business */
    CHECK_NEAR(soothi_penalty_issue(&gpu, &work), 120, 1e-9);
    work.global_bytes = 100;
    work.shared_bytes = 128;
    CHECK_NEAR(soothi_penalty_global(&gpu, &work), 1280, 1e-9);
    CHECK_NEAR(soothi_penalty_shared(&gpu, &work), 96, 1e-9);
}

/* Twice the grid on a full device is twice the wait in the corrected form, four times in the printed one, as
   soon as waves double too. */
static void the_printed_form_counts_waves_twice(void) {
    sooth_gpu gpu = round_gpu();
    soothi_penalty once = round_work(), twice = once;
    once.blocks = 100;
    twice.blocks = 200;
    twice.waves = 2 * once.waves;
    CHECK_NEAR(soothi_penalty_issue(&gpu, &twice) / soothi_penalty_issue(&gpu, &once), 2, 1e-12);
    CHECK_NEAR(soothi_penalty_global(&gpu, &twice) / soothi_penalty_global(&gpu, &once), 2, 1e-12);
    once.as_published = twice.as_published = 1;
    CHECK_NEAR(soothi_penalty_issue(&gpu, &twice) / soothi_penalty_issue(&gpu, &once), 4, 1e-12);
    CHECK_NEAR(soothi_penalty_global(&gpu, &twice) / soothi_penalty_global(&gpu, &once), 4, 1e-12);
    /* here they cancel */
    CHECK_NEAR(soothi_penalty_cache(&gpu, &twice) / soothi_penalty_cache(&gpu, &once), 2, 1e-12);
}

static void the_largest_launch(void) {
    sooth_gpu gpu = round_gpu();
    soothi_penalty work = round_work();
    unsigned form;
    work.blocks = 4294967295u;
    work.threads = 1024;
    work.waves = UINT64_MAX;
    for (form = 0; form < 2; ++form) {
        work.as_published = form;
        CHECK(soothi_penalty_issue(&gpu, &work) > 1e9 && soothi_penalty_issue(&gpu, &work) < 1e40);
        CHECK(soothi_penalty_cache(&gpu, &work) > 1e9 && soothi_penalty_cache(&gpu, &work) < 1e40);
        CHECK(soothi_penalty_global(&gpu, &work) > 1e9 && soothi_penalty_global(&gpu, &work) < 1e40);
        CHECK(soothi_penalty_shared(&gpu, &work) > 1e9 && soothi_penalty_shared(&gpu, &work) < 1e40);
    }
}

static void what_is_missing_is_named(void) {
    sooth_gpu gpu = round_gpu();
    soothi_penalty work = round_work();
    CHECK_STATUS(soothi_penalty_check(&env, &gpu, &work), SOOTH_OK);
    gpu.l2_bytes = 0;
    CHECK_FAILS(&env, soothi_penalty_check(&env, &gpu, &work), SOOTH_BAD_ARGUMENT,
                "l2_bytes of the GPU round is not known");
    gpu = round_gpu();
    gpu.clock_mhz = 0;
    CHECK_FAILS(&env, soothi_penalty_check(&env, &gpu, &work), SOOTH_BAD_ARGUMENT,
                "memory_gbs and clock_mhz");
    work.global_bytes = 100;
    CHECK_STATUS(soothi_penalty_check(&env, &gpu, &work), SOOTH_OK);
    gpu.schedulers = 0;
    CHECK_STATUS(soothi_penalty_check(&env, &gpu, &work), SOOTH_OK);
    work.as_published = 1;
    CHECK_FAILS(&env, soothi_penalty_check(&env, &gpu, &work), SOOTH_BAD_ARGUMENT, "schedulers");
    CHECK_STATUS(soothi_penalty_check(NULL, &gpu, &work), SOOTH_BAD_ARGUMENT);
}

static void known_devices_have_all(void) {
    soothi_penalty work = round_work();
    size_t i;
    work.as_published = 1;
    for (i = 0; sooth_gpu_at(i); ++i) /* of another maker's, schedulers are not known */
        CHECK_STATUS(soothi_penalty_check(&env, sooth_gpu_at(i), &work),
                     sooth_gpu_at(i)->compute ? SOOTH_OK : SOOTH_BAD_ARGUMENT);
}

/* Each field that an equation divides by, left out alone: its name is in the sentence, and those that only
   the printed equations look at are asked for only there. */
static void each_field_that_is_missing_is_named(void) {
    static const struct {
        size_t at;
        int number; /* a double */
        int printed;
        const char *words;
    } field[] = {
        {offsetof(sooth_gpu, sms), 0, 0, "sms of the GPU round is not known"},
        {offsetof(sooth_gpu, dispatch_units), 0, 0, "dispatch_units of the GPU round is not known"},
        {offsetof(sooth_gpu, schedulers), 0, 1, "schedulers of the GPU round is not known"},
        {offsetof(sooth_gpu, load_store_units), 0, 1, "load_store_units of the GPU round is not known"},
        {offsetof(sooth_gpu, l2_bytes), 0, 0, "l2_bytes of the GPU round is not known"},
        {offsetof(sooth_gpu, memory_gbs), 1, 0, "memory_gbs and clock_mhz of the GPU round is not known"},
        {offsetof(sooth_gpu, clock_mhz), 1, 0, "memory_gbs and clock_mhz of the GPU round is not known"},
        {offsetof(sooth_gpu, shared_bytes), 1, 0, "shared_bytes of the GPU round is not known"},
    };
    for (size_t i = 0; i < sizeof field / sizeof *field; ++i)
        for (unsigned printed = 0; printed < 2; ++printed) {
            sooth_gpu gpu = round_gpu();
            soothi_penalty work = round_work();
            work.as_published = printed;
            memset((char *)&gpu + field[i].at, 0, field[i].number ? sizeof(double) : sizeof(uint32_t));
            if (field[i].printed > (int)printed)
                CHECK_STATUS(soothi_penalty_check(&env, &gpu, &work), SOOTH_OK);
            else
                CHECK_FAILS(&env, soothi_penalty_check(&env, &gpu, &work), SOOTH_BAD_ARGUMENT,
                            field[i].words);
        }
}

/* Without its number of SMs a device counts as one: all 25 blocks wait for each other. */
static void a_device_of_unknown_sms_is_one(void) {
    sooth_gpu gpu = round_gpu();
    soothi_penalty work = round_work();
    gpu.sms = 0;
    CHECK_NEAR(soothi_penalty_issue(&gpu, &work), 25 * 8 * 40 / 8.0, 1e-9);
    CHECK_NEAR(soothi_penalty_shared(&gpu, &work), 25 * 8 * 32 * 4 * 4 / 64.0, 1e-9);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(printed_equations);
    CHECK_RUN(corrected_equations);
    CHECK_RUN(the_printed_form_counts_waves_twice);
    CHECK_RUN(the_largest_launch);
    CHECK_RUN(what_is_missing_is_named);
    CHECK_RUN(known_devices_have_all);
    CHECK_RUN(each_field_that_is_missing_is_named);
    CHECK_RUN(a_device_of_unknown_sms_is_one);
    return check_end("penalty");
}
