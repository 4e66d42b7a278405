/* gpu_compare.c - sooth gpu compare: one launch of a kernel on several GPUs, by rooflines and fitted times.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "gpu_cli.h"
#include "../model/model_cli.h"
#include "watts.h"
#include "sooth/adapt.h"
#include "sooth/gpu_time.h"
#include "../../common/svg.h"

#include <math.h>

typedef struct row {
    sooth_gpu gpu;
    sooth_ceilings ceilings;
    sooth_roofline roof;
    sooth_gpu_timing expected; /* by the fitted law */
    double launch;             /* ms of it */
    uint64_t waves;
    double cached; /* seconds, if caches save all traffic to memory and L2 */
    sooth_gpu_fit fit;
    char why[SOOTH_ENV_SENTENCE]; /* why it cannot run the launch; "": it can. Nothing else is known then */
    int lacks;                    /* 1: it lacks instructions of the kernel */
    double watts;                 /* 0: not known */
    int is_timed;                 /* 0: the work in the PTX is unknown */
} row;

/* Predicts the time: the expected one if both sides of undecided branches run, low if neither does. */
static void time_of(sooth_env *env, const ptx_launch *kernel, row *r) {
    sooth_gpu_timer timer;
    sooth_gpu_timing least;
    r->is_timed = sooth_gpu_timer_init(env, &timer, &r->gpu, NULL) == SOOTH_OK &&
                  sooth_gpu_time_work(env, &timer, &kernel->work, &r->expected) == SOOTH_OK;
    if (!r->is_timed) return;
    r->launch = timer.times->parameter[SOOTH_GPU_LAW_KERNEL][SOOTH_GPU_LAUNCH];
    if (sooth_gpu_time_work(env, &timer, &kernel->certain, &least) == SOOTH_OK && least.low < r->expected.low)
        r->expected.low = least.low;
    if (kernel->assumed) r->expected.high = 0.0;
}

static void row_of(sooth_env *env, const ptx_launch *kernel, const char *name, row *r) {
    sooth_work cached = kernel->certain;
    sooth_roofline roof;
    gpu_open(env, name, &r->gpu);
    sooth_roofline_ceilings(&r->gpu, &r->ceilings);
    if (sooth_gpu_launch_check(env, &r->gpu, &kernel->ptx, kernel->index, &kernel->launch, &r->fit) !=
        SOOTH_OK) {
        const sooth_ptx_needs *needs = &kernel->needs;
        snprintf(r->why, sizeof r->why, "%s", env->sentence);
        r->lacks = r->gpu.maker == SOOTH_GPU_MAKER_NVIDIA &&
                   (r->gpu.compute < needs->least || (needs->most && r->gpu.compute > needs->most));
        return;
    }
    cached.memory_bytes = cached.l2_bytes = 0.0;
    if (sooth_roofline_compute(env, &r->gpu, &kernel->certain, &r->roof) != SOOTH_OK ||
        sooth_roofline_compute(env, &r->gpu, &cached, &roof) != SOOTH_OK)
        die_of(SOOTH_BAD_ARGUMENT, env);
    r->cached = roof.seconds;
    const sooth_gpu_limits *limits = sooth_gpu_limits_for(r->gpu.compute);
    if (limits)
        r->waves = sooth_gpu_waves(kernel->launch.blocks, kernel->launch.threads, r->gpu.sms,
                                   SOOTH_GPU_WARP * limits->warps);
    time_of(env, kernel, r);
    const double threads = (double)kernel->launch.blocks * (double)kernel->launch.threads;
    r->watts = power_share(&known_power_law, power_fills(&r->gpu, threads)) * r->gpu.tdp_watts;
}

/* Returns what limits the number of blocks on an SM. */
static const char *limits_of(const row *r) {
    static const char *const name[] = {"warps", "registers", "shared memory", "blocks", "barriers"};
    static char text[80];
    text[0] = 0;
    for (unsigned i = 0; i < sizeof name / sizeof name[0]; ++i)
        if (r->fit.factors >> i & 1u)
            snprintf(text + strlen(text), sizeof text - strlen(text), *text ? ", %s" : "%s", name[i]);
    return text;
}

/* ---- the drawing ---- */

enum { ROOF = 120 }; /* points of a roof */

/* Draws every roof over intensities of 1/16 to 1024 operations per byte, and the kernel: its bound by the
   roof, and its expected time. */
static void draw(const ptx_launch *kernel, const row *r, size_t rows, FILE *to) {
    const size_t count = rows * (ROOF + 2);
    double *x = (double *)allocate(2 * count, sizeof *x), *y = x + count, operations = 0.0;
    uint32_t *series = (uint32_t *)allocate(count, sizeof *series);
    const char **label = (const char **)allocate(count, sizeof *label);
    const char **name = (const char **)allocate(rows + 2, sizeof *name);
    char title[200];
    svg_points chart;
    sooth_sink sink = sooth_file_sink(to);
    size_t n = 0, first = 0; /* that runs */
    for (unsigned i = 0; i < SOOTH_COMPUTES; ++i)
        if (i != SOOTH_COMPUTE_LOGIC) operations += kernel->certain.operations[i];
    memset(&chart, 0, sizeof chart);
    while (first + 1 < rows && *r[first].why) ++first;
    const uint32_t units = r[first].roof.units; /* of tensor cores: the roofs are theirs */
    for (size_t k = 0; k < rows; ++k) {
        const sooth_ceilings *c = &r[k].ceilings;
        const uint32_t own = *r[k].why ? units : r[k].roof.units;
        const int single = own < SOOTH_COMPUTE_TENSOR;
        double peak = c->compute[single ? SOOTH_COMPUTE_SINGLE : own];
        if (single && c->sustained > 0.0 && c->sustained < peak) peak = c->sustained;
        for (unsigned i = 0; i < ROOF; ++i, ++n) {
            x[n] = 0.0625 * (double)sooth_exp(9.704f * (float)i / (ROOF - 1));
            y[n] = 1e-9 * (x[n] * c->memory < peak ? x[n] * c->memory : peak);
            series[n] = (uint32_t)k;
            label[n] = r[k].gpu.name;
        }
        name[k] = r[k].gpu.name;
    }
    name[rows] = "the kernel, at most";
    name[rows + 1] = "expected";
    for (size_t k = 0; k < 2 * rows && operations > 0.0; ++k) {
        const row *of = &r[k / 2];
        const double seconds = k % 2 ? 1e-3 * of->expected.ms : of->roof.seconds;
        if (!(of->roof.intensity > 0.0) || (k % 2 && !of->is_timed)) continue;
        x[n] = of->roof.intensity;
        y[n] = 1e-9 * operations / seconds;
        series[n] = (uint32_t)(rows + k % 2);
        label[n++] = of->gpu.name;
    }
    snprintf(title, sizeof title, "%.80s on the rooflines of %s%s%s", kernel->kernel,
             counted(rows, "GPU", "GPUs"), units < SOOTH_COMPUTE_TENSOR ? "" : ", ",
             units < SOOTH_COMPUTE_TENSOR ? "" : sooth_compute_name(units));
    chart.frame.title = title;
    chart.x = x, chart.y = y, chart.count = n;
    chart.series = series, chart.series_names = name, chart.series_count = rows + 2;
    chart.labels = label;
    chart.x_title = "operations per byte of memory";
    chart.y_title = "1e9 operations per second";
    chart.logarithmic = 1;
    svg_scatter(&sink, &chart);
    free(x);
    free(series);
    free(label);
    free(name);
}

/* ---- printing ---- */

/* Writes a number that is known if `known`, else null. */
static void json_known(json *j, const char *key, int known, double value) {
    json_number(j, key, known ? value : (double)NAN);
}

static void json_row(json *j, const row *r) {
    const int runs = !*r->why, watts = runs && r->watts > 0.0;
    json_open(j, NULL, '{');
    json_text(j, "gpu", r->gpu.name);
    if (!runs) json_text(j, "unknown", r->why);
    if (r->is_timed) json_text(j, "ms_from", "learned from operators");
    json_known(j, "ms", r->is_timed, r->expected.ms);
    json_known(j, "launch_ms", r->is_timed, r->launch);
    json_known(j, "low_ms", r->is_timed, r->expected.low);
    json_known(j, "high_ms", r->is_timed && r->expected.high > 0.0, r->expected.high);
    json_known(j, "roofline_ms", runs, 1e3 * r->roof.seconds);
    json_known(j, "roofline_ms_if_cached", runs, 1e3 * r->cached);
    if (runs) json_text(j, "bound", sooth_roofline_bound_name(r->roof.bound));
    if (runs) json_text(j, "units", sooth_compute_name(r->roof.units));
    json_known(j, "operations_without_peak", runs, r->roof.unbounded);
    json_known(j, "margin", runs, r->roof.margin);
    json_known(j, "intensity", runs, r->roof.intensity);
    json_known(j, "waves", runs && r->waves, (double)r->waves);
    if (watts) json_text(j, "watts_from", "share of the power limit");
    json_known(j, "watts", watts, r->watts);
    json_known(j, "low_watts", watts, known_power_law.low * r->watts);
    json_known(j, "high_watts", watts, known_power_law.high * r->watts);
    json_known(j, "joules", watts && r->is_timed, 1e-3 * r->watts * r->expected.ms);
    json_known(j, "occupancy", runs, r->fit.occupancy);
    if (runs) json_text(j, "occupancy_limit", limits_of(r));
    json_text(j, "trust", trust_word(SOOTH_MODEL_TRUST_OUTSIDE));
    json_close(j, '}');
}

static void grid_row(grid *g, const ptx_launch *kernel, const row *r) {
    grid_add(g, "%s", r->gpu.name);
    if (*r->why) {
        for (int i = 0; i < 7; ++i) grid_add(g, "unknown");
        if (r->lacks) grid_add(g, "needs sm_%u", (unsigned)kernel->needs.least);
        else grid_add(g, "cannot run");
        return;
    }
    if (r->is_timed) {
        grid_add(g, "%s", human(r->expected.ms, 3));
        grid_add(g, "%s to %s", human(r->expected.low, 2),
                 r->expected.high > 0.0 ? human(r->expected.high, 2) : "unknown");
    } else {
        grid_add(g, "unknown");
        grid_add(g, "unknown");
    }
    grid_add(g, "%s", human(1e3 * r->roof.seconds, 3));
    grid_add(g, "%s", human(1e3 * r->cached, 3));
    const int computes = r->roof.bound == SOOTH_BOUND_COMPUTE;
    if (r->roof.margin > 0.0)
        grid_add(g, "%s%s%s, %s x", computes ? sooth_compute_name(r->roof.units) : "", computes ? " " : "",
                 sooth_roofline_bound_name(r->roof.bound), human(r->roof.margin, 2));
    else grid_add(g, "%s", sooth_roofline_bound_name(r->roof.bound));
    if (r->watts > 0.0) {
        grid_add(g, "%s (%s to %s)", human(r->watts, 2), human(known_power_law.low * r->watts, 2),
                 human(known_power_law.high * r->watts, 2));
    } else {
        grid_add(g, "unknown");
    }
    if (r->watts > 0.0 && r->is_timed) grid_add(g, "%s", human(r->watts * r->expected.ms, 3));
    else grid_add(g, "unknown");
    grid_add(g, "%s %%, by %s", human(100.0 * r->fit.occupancy, 3), limits_of(r));
}

/* Prints the types of units whose peak is not known, in one line. */
static void print_peaks(const ptx_launch *kernel, const row *r) {
    char names[300] = "";
    size_t count = 0;
    int untimed = 0;
    if (*r->why) return;
    for (unsigned k = 0; k < SOOTH_COMPUTES; ++k) {
        const size_t n = strlen(names);
        if (!(kernel->work.operations[k] > 0.0) || r->ceilings.compute[k] > 0.0) continue;
        snprintf(names + n, sizeof names - n, count++ ? ", %s" : "%s", sooth_compute_name(k));
        untimed |= k >= SOOTH_COMPUTE_HALF;
    }
    if (count)
        printf("  %s: the peak%s of %s %s not known: %s operations bound nothing%s\n", r->gpu.name,
               count > 1 ? "s" : "", names, count > 1 ? "are" : "is", count > 1 ? "their" : "its",
               untimed ? ", and ms is unknown" : "");
}

/* Prints why GPUs cannot run the kernel, and which are older than its .target. */
static void print_gpus(const row *r, size_t rows, const ptx_launch *kernel) {
    size_t older = 0;
    for (size_t i = 0; i < rows; ++i)
        if (*r[i].why) printf("  %s: %s\n", r[i].gpu.name, r[i].why);
    for (size_t i = 0; i < rows; ++i) {
        if (*r[i].why || r[i].gpu.compute >= kernel->ptx.sm) continue;
        if (!older++)
            printf("  the PTX is for sm_%u; as if compiled again for %s", (unsigned)kernel->ptx.sm,
                   r[i].gpu.name);
        else printf(", %s", r[i].gpu.name);
    }
    if (older) putchar('\n');
}

/* Prints which latencies are missing, and why the upper end is not known. */
static void print_open(const ptx_launch *kernel, const row *r) {
    if (r->is_timed && kernel->certain.chain[SOOTH_PTX_LINK_STEP] > 0.0 &&
        !(r->ceilings.link[SOOTH_PTX_LINK_STEP] > 0.0))
        printf("  %s: its latencies are not known: chains of instructions bound nothing\n", r->gpu.name);
    if (!r->is_timed || r->expected.high > 0.0) return;
    printf("  %s: high is unknown: %s\n", r->gpu.name,
           kernel->assumed              ? "the trip counts of some loops are assumed"
           : kernel->work.unsized > 0.0 ? "the PTX does not state all work"
           : kernel->work.atomics > 0.0
               ? "atomics on one address take turns"
               : "there are fewer than four warps for each scheduler, so waiting decides, and "
                 "is modelled along the chains of loops alone");
}

static void print_notes(const ptx_launch *kernel, const row *r, size_t rows) {
    char launch[100] = "Its launch is not in it.";
    for (size_t i = 0; i < rows; ++i)
        if (r[i].is_timed)
            snprintf(launch, sizeof launch, "%s ms of it is the launch, as PyTorch's operators were timed.",
                     human(r[i].launch, 3));
    printf(
        "  ms      from operators: the efficiency of PyTorch operators on five GPUs, applied to the work\n"
        "          of this kernel. The kernel resembles none of them, so trust is outside on every GPU. low\n"
        "          to high is the squared error factor of operators whose kind and GPU were left out; low\n"
        "          assumes that no byte leaves the caches, high that all accesses of shared memory "
        "conflict.\n"
        "          %s\n"
        "  cached  minimum from specifications, of what runs for certain, if every byte is in a cache.\n"
        "  roof    the same if every byte that a thread requests comes from memory: a minimum of kernels\n"
        "          that use no byte twice. Bound by: the limiting resource, and how many times the next\n"
        "          bound it is. The limit of power bounds no single launch.\n"
        "  unseen  threads of a warp that share no line, barriers, atomics on one address; bank conflicts "
        "but\n"
        "          in high. Local arrays and tables of the module count as cached.\n"
        "  W, mJ   a share of the GPU's power limit, by how often the threads fill the GPU: %g up to once,\n"
        "          %g from ten times on, fitted to K20 and M60. %g to %g times that holds 9 of 10 launches\n"
        "          on each of the two, predicted from the other, and on a Titan X. Energy: W times ms.\n",
        launch, known_power_law.least, known_power_law.most, known_power_law.low, known_power_law.high);
    for (size_t i = 0; i < rows; ++i) print_open(kernel, &r[i]);
    if (kernel->work.unsized > 0.0)
        printf("  %s executed instructions have work that the PTX does not state; they count as no work\n",
               human(kernel->work.unsized, 3));
    if (kernel->predicated)
        printf("  %s under a predicate, which is not followed: %s in ms, not in low and roof\n",
               counted(kernel->predicated, "instruction is", "instructions are"),
               kernel->predicated > 1 ? "they count" : "it counts");
    if (!kernel->launch.registers) printf("  registers are unknown and set no limit; give --regs N\n");
    for (size_t i = 0; i < rows; ++i) print_peaks(kernel, &r[i]);
    print_gpus(r, rows, kernel);
}

/* Prints the work of the launch: the operations of each type of units, and the bytes. */
static void print_work(const ptx_launch *kernel) {
    printf("  counted: ");
    for (unsigned i = 0; i < SOOTH_COMPUTES; ++i)
        if (kernel->work.operations[i] > 0.0)
            printf("%s operations of %s, ", human(kernel->work.operations[i], 3), sooth_compute_name(i));
    printf("%s bytes\n", human(kernel->work.memory_bytes, 3));
}

/* Ends the command: it fails if no GPU can run the launch. */
static int ended(sooth_env *env, ptx_launch *kernel, const row *r, size_t rows) {
    size_t idle = 0;
    sooth_ptx_free(env, &kernel->ptx);
    while (idle < rows && *r[idle].why) ++idle;
    if (idle < rows) return finish();
    finish();
    die(BAD_INPUT, "none of the GPUs can run this launch; %s: %s", r[0].gpu.name, r[0].why);
}

int gpu_compare_run(const arguments *args) {
    static const char *const head[] = {
        "GPU", "ms", "low to high", "roof ms", "cached", "bound by", "W of the limit", "mJ", "occupancy"};
    const char *picture = arguments_text(args, "picture");
    size_t count;
    char **gpus = arguments_list(args, "gpu", &count);
    sooth_env *env = env_open(args);
    ptx_launch kernel;
    if (args->words != 2) die(BAD_USE, "compare needs one file: a kernel's PTX");
    if (!count) die(BAD_USE, "choose the GPUs with --gpu");
    if (picture && !ends_in_svg(picture))
        die(BAD_USE, "--picture is %s, but must end in .svg", printable(picture));
    memset(&kernel, 0, sizeof kernel);
    ptx_launch_read(env, args, args->word[1], &kernel);
    row *r = (row *)allocate(count, sizeof *r);
    for (size_t i = 0; i < count; ++i) row_of(env, &kernel, gpus[i], &r[i]);
    if (picture) {
        const char *const inputs[] = {args->word[1]};
        draw(&kernel, r, count, output_open(picture, arguments_has(args, "force"), inputs, 1));
        output_close();
    }
    kept_release(&kernel.doubts, stderr);
    if (arguments_has(args, "json")) {
        json j;
        json_begin(&j, stdout);
        json_text(&j, "kernel", kernel.kernel);
        json_open(&j, "operations", '{');
        for (unsigned i = 0; i < SOOTH_COMPUTES; ++i)
            if (kernel.work.operations[i] > 0.0)
                json_number(&j, sooth_compute_name(i), kernel.work.operations[i]);
        json_close(&j, '}');
        json_number(&j, "memory_bytes", kernel.work.memory_bytes);
        json_number(&j, "instructions_of_warps", kernel.work.instructions);
        json_number(&j, "shared_accesses_of_warps", kernel.work.shared);
        json_number(&j, "undecided_branches", kernel.undecided);
        json_number(&j, "predicated_instructions", (double)kernel.predicated);
        json_number(&j, "unsized", kernel.work.unsized);
        json_open(&j, "gpus", '[');
        for (size_t i = 0; i < count; ++i) json_row(&j, &r[i]);
        json_close(&j, ']');
        json_end(&j);
        return ended(env, &kernel, r, count);
    }
    grid g;
    grid_init(&g, sizeof head / sizeof head[0], 1);
    for (size_t i = 0; i < sizeof head / sizeof head[0]; ++i) grid_add(&g, "%s", head[i]);
    for (size_t i = 0; i < count; ++i) grid_row(&g, &kernel, &r[i]);
    printf("%s, %u blocks of %u threads\n", printable(kernel.kernel), (unsigned)kernel.launch.blocks,
           (unsigned)kernel.launch.threads);
    print_work(&kernel);
    grid_print(&g, stdout, "  ");
    print_notes(&kernel, r, count);
    return ended(env, &kernel, r, count);
}
