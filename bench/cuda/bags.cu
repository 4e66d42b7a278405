/* bags.cu - kernels alone and up to five at once: the time of each, its slowdown, and the watts of the whole.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     nvcc -O2 -arch=native -std=c++17 bags.cu -o bags -ldl && ./bags [SECONDS] > bags.csv
 *
 * A task is a kernel of kernels.cuh on a size, launched again and again in a stream of its own: in graphs of
 * about 2 ms, with at most three waiting. The small size leaves multiprocessors free, the large one fills
 * all. A bag is one to five tasks at once. Three microbenchmarks after Moolchandani et al. (2022, section
 * 5.1.4) are tasks too: low reads a small image again and again, medium reads new ones with some arithmetic,
 * high reads new ones and writes.
 *
 * Columns, a row for each task of each bag:
 *
 *   bag, how, tasks, task   number of the bag; streams, processes or mps (below); its tasks; the task's place
 *   kernel, size, grid, block
 *   launches                of the task in the fixed work below
 *   alone [ms], time [ms]   from launch to launch, alone and in this bag
 *   slowdown                the one over the other
 *   span [ms]                until the fixed work of all tasks is done, each about 20 ms alone
 *   alone_power [W]         of the board with the task alone
 *   power [W]               of the board with all of them
 *   idle [W]                of the board without work
 *
 * First every task alone, then each next to each microbenchmark, then bags of two to five in turns, drawn
 * without order but fixed: about 300. With SECONDS a quarter of them, 40 s at most, is for eight of these
 * bags again with each task in a process of its own: how = processes, where the device changes between them
 * in turns, and mps, where they share it by NVIDIA's MPS. For that the third word names the folder of an MPS
 * daemon's pipes. There, span [ms] is empty.
 */
#include <set>
#include <string>

#include "kernels.cuh"

enum { MOST = 5, RING = 8, WAITING = 3, WORK = 10, BAGS = 300, APART = 8 };
static const double graph_ms = 2.0;

/* ---- the microbenchmarks ---- */

/* Adds the pixels of images of `pixels` floats: element after element, `rounds` times the same image. */
__global__ void low(const float *image, float *out, int pixels, int rounds) {
    float sum = 0.0f;
    for (int r = 0; r < rounds; ++r)
        for (size_t i = INDEX; i < (size_t)pixels; i += (size_t)gridDim.x * blockDim.x)
            sum += __ldcg(image + i) + 1.0f;
    out[INDEX] = sum;
}
/* Reads a new pixel each time, with some arithmetic. */
__global__ void medium(const float *images, float *out, size_t pixels) {
    float sum = 0.0f;
    for (size_t i = INDEX; i < pixels; i += (size_t)gridDim.x * blockDim.x) {
        float v = images[i];
        for (int c = 0; c < 16; ++c) v = fmaf(v, 0.999f, 0.001f);
        sum += v;
    }
    out[INDEX] = sum;
}
/* Adds new images into another one. */
__global__ void high(const float *images, float *out, size_t pixels) {
    for (size_t i = INDEX; i < pixels; i += (size_t)gridDim.x * blockDim.x) out[i] += images[i];
}

static std::vector<job> microbenchmarks() {
    const size_t pixels = (size_t)64 << 20;
    const int grid = 2 * device.multiProcessorCount, small = 640 * 480;
    std::vector<float> some(pixels); /* not zeros, which move with fewer watts */
    numbers r;
    for (float &x : some) x = r.unit();
    float *images = on_device(some), *out = zeros<float>(pixels);
    return {job{"low", "pressure", (const void *)low, small, grid, 256, 0,
                [=](cudaStream_t s) { low<<<(unsigned)grid, 256, 0, s>>>(images, out, small, 200); }, ""},
            job{"medium", "pressure", (const void *)medium, (int)pixels, grid, 256, 0,
                [=](cudaStream_t s) { medium<<<(unsigned)grid, 256, 0, s>>>(images, out, pixels); }, ""},
            job{"high", "pressure", (const void *)high, (int)pixels, grid, 256, 0,
                [=](cudaStream_t s) { high<<<(unsigned)grid, 256, 0, s>>>(images, out, pixels); }, ""}};
}

/* ---- tasks ---- */

struct task {
    job j;
    size_t number;               /* in task_jobs() */
    int launches;                /* of a graph */
    double ms, watts;            /* alone: from launch to launch, of the board */
    cudaGraphExec_t graph[MOST]; /* one for each place in a bag, since a graph runs once at a time */
};

static cudaStream_t streams[MOST];

/* Every kernel on the large size, every second one on the small size too. */
static std::vector<job> task_jobs() {
    const std::vector<job> large = all_jobs({1 << 22}, {256}), small = all_jobs({1 << 16}, {256});
    std::vector<job> jobs;
    for (size_t k = 0; k < large.size(); ++k) {
        jobs.push_back(large[k]);
        if (k % 2 == 0) jobs.push_back(small[k]);
    }
    return jobs;
}

static task task_of(const job &j, size_t number = 0) {
    task t = {j, number, 1, -1.0, -1.0, {}};
    enum { ROW = 16 }; /* one after the other, as in a graph */
    const auto in_a_row = [&](cudaStream_t s) {
        for (int i = 0; i < ROW; ++i) j.launch(s);
    };
    const double ms = milliseconds(in_a_row, 3, streams[0]) / ROW;
    t.launches = std::max(1, std::min(1000, (int)(graph_ms / ms)));
    for (int p = 0; p < MOST; ++p) t.graph[p] = graph_of(j.launch, t.launches, streams[p]);
    return t;
}

/* The graphs of one task that are in flight. */
struct flight {
    cudaEvent_t ring[RING], first = NULL; /* first: the first end that counts */
    size_t launched = 0, ended = 0, counted = 0;
    void begin() {
        for (cudaEvent_t &e : ring) MUST(cudaEventCreate(&e));
        MUST(cudaEventCreate(&first));
    }
    void end() {
        for (cudaEvent_t &e : ring) MUST(cudaEventDestroy(e));
        MUST(cudaEventDestroy(first));
    }
};

struct together {
    double ms[MOST], watts, bag_ms;
};

/* Keeps all tasks running for `seconds`, of which the first quarter does not count. */
static void steady(const std::vector<task *> &bag, double seconds, together *out) {
    std::vector<flight> f(bag.size());
    const double start = seconds_now(), settled = start + seconds / 4.0;
    double last_reading = 0.0, now = start;
    meter m;
    for (flight &x : f) x.begin();
    while (now < start + seconds) {
        now = seconds_now();
        for (size_t k = 0; k < bag.size(); ++k) {
            flight &x = f[k];
            if (x.launched - x.ended < WAITING) { /* one, so that all begin in turns */
                MUST(cudaGraphLaunch(bag[k]->graph[k], streams[k]));
                MUST(cudaEventRecord(x.ring[x.launched++ % RING], streams[k]));
            }
            while (x.ended < x.launched) {
                const cudaError_t state = cudaEventQuery(x.ring[x.ended % RING]);
                if (state == cudaErrorNotReady) break;
                MUST(state);
                if (now >= settled && x.counted++ == 0) std::swap(x.first, x.ring[x.ended % RING]);
                ++x.ended;
            }
        }
        if (now > settled && now > last_reading + 0.002) {
            m.add(now, joules_now());
            last_reading = now;
        }
    }
    MUST(cudaDeviceSynchronize());
    out->watts = m.watts() > 0.0 ? m.watts() : -1.0;
    for (size_t k = 0; k < bag.size(); ++k) {
        float ms = 0.0f;
        out->ms[k] = -1.0;
        if (f[k].counted > 1) {
            MUST(cudaEventElapsedTime(&ms, f[k].first, f[k].ring[(f[k].ended - 1) % RING]));
            out->ms[k] = (double)ms / (double)(f[k].counted - 1) / bag[k]->launches;
        }
        f[k].end();
    }
}

static int graphs_of_work(const task *t) {
    return std::max(1, (int)(WORK * graph_ms / (t->ms * t->launches) + 0.5));
}

/* The fixed work of all tasks at once: milliseconds from the first begin to the last end. */
static double fixed_work(const std::vector<task *> &bag) {
    cudaEvent_t from, to[MOST];
    float most = 0.0f;
    int left = 1;
    MUST(cudaEventCreate(&from));
    MUST(cudaEventRecord(from, streams[0]));
    for (size_t k = 1; k < bag.size(); ++k) MUST(cudaStreamWaitEvent(streams[k], from, 0));
    for (int i = 0; left; ++i) {
        left = 0;
        for (size_t k = 0; k < bag.size(); ++k)
            if (i < graphs_of_work(bag[k])) {
                MUST(cudaGraphLaunch(bag[k]->graph[k], streams[k]));
                left = 1;
            }
    }
    for (size_t k = 0; k < bag.size(); ++k) {
        float ms;
        MUST(cudaEventCreate(&to[k]));
        MUST(cudaEventRecord(to[k], streams[k]));
        MUST(cudaEventSynchronize(to[k]));
        MUST(cudaEventElapsedTime(&ms, from, to[k]));
        most = std::max(most, ms);
        MUST(cudaEventDestroy(to[k]));
    }
    MUST(cudaEventDestroy(from));
    return (double)most;
}

/* ---- rows ---- */

static int bags = 0;
static double idle;

static void rows(const std::vector<task *> &bag, const together &found, const char *how = "streams") {
    ++bags;
    for (size_t k = 0; k < bag.size(); ++k) {
        const task *t = bag[k];
        printf("%d,%s,%zu,%zu,%s,%d,%d,%d,%d", bags, how, bag.size(), k, t->j.kernel, t->j.size, t->j.grid,
               t->j.block, t->launches * graphs_of_work(t));
        cell(t->ms, "%.7g");
        cell(found.ms[k], "%.7g");
        cell(found.ms[k] > 0.0 ? found.ms[k] / t->ms : -1.0, "%.5f");
        cell(found.bag_ms, "%.5f");
        cell(t->watts, "%.2f");
        cell(found.watts, "%.2f");
        cell(idle, "%.2f");
        row_end();
    }
}

static void measure(const std::vector<task *> &bag, double seconds) {
    together found;
    steady(bag, seconds, &found);
    if (bag.size() == 1) {
        bag[0]->ms = found.ms[0];
        bag[0]->watts = found.watts;
    }
    found.bag_ms = fixed_work(bag);
    rows(bag, found);
}

/* BAGS bags of two to five different tasks, in turns of 2, 3, 2, 4, 2, 5: half of them are pairs. */
static std::vector<std::vector<task *>> drawn(std::vector<task> &tasks) {
    static const size_t turn[] = {2, 3, 2, 4, 2, 5};
    std::vector<std::vector<task *>> all;
    std::set<std::vector<size_t>> before;
    numbers r;
    while (all.size() < BAGS) {
        std::set<size_t> who;
        while (who.size() < turn[all.size() % 6]) who.insert(r.below((uint32_t)tasks.size()));
        const std::vector<size_t> members(who.begin(), who.end());
        if (!before.insert(members).second) continue;
        std::vector<task *> bag;
        for (size_t i : members) bag.push_back(&tasks[i]);
        all.push_back(bag);
    }
    return all;
}

/* ---- each task in a process of its own ---- */

/* bags member NUMBER SECONDS FILE: opens the device, prints "ready", waits until FILE has the time to begin,
   runs, and prints the milliseconds from launch to launch. */
static int member(char **word) {
    const double seconds = atof(word[3]), patience = seconds_now() + 30.0;
    double begin = 0.0;
    together found;
    open_device("member", stderr);
    for (cudaStream_t &s : streams) MUST(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    task t = task_of(task_jobs().at((size_t)atoi(word[2])));
    puts("ready");
    fflush(stdout);
    while (begin >= 0.0 && begin <= 0.0 && seconds_now() < patience) { /* below 0: another one failed */
        struct timespec pause = {0, 2000000};
        FILE *file = fopen(word[4], "r");
        if (!file || fscanf(file, "%lf", &begin) != 1) begin = 0.0;
        if (file) fclose(file);
        nanosleep(&pause, NULL);
    }
    if (begin <= 0.0) return 1;
    while (seconds_now() < begin) {}
    steady({&t}, seconds, &found);
    printf("%.9g\n", found.ms[0]);
    return 0;
}

/* A bag by processes of this program; environment: what comes before their command. True if all of them
   ran. */
static bool apart(const std::vector<task *> &bag, const char *how, const std::string &environment,
                  const char *program, double seconds) {
    char name[] = "/tmp/bags.XXXXXX";
    const int made = mkstemp(name);
    std::vector<FILE *> children;
    together found;
    bool good = made >= 0;
    meter m;
    for (const task *t : bag) {
        const std::string command = environment + " timeout 20 '" + program + "' member " +
                                    std::to_string(t->number) + " " + std::to_string(seconds) + " " + name +
                                    " 2> /dev/null";
        children.push_back(popen(command.c_str(), "r"));
    }
    char line[64];
    for (FILE *c : children) good &= c && fgets(line, sizeof line, c) && strncmp(line, "ready", 5) == 0;
    const double begin = good ? seconds_now() + 0.05 : -1.0;
    FILE *file = fopen(name, "w");
    if (file) {
        fprintf(file, "%.9f\n", begin);
        fclose(file);
    }
    if (good) {
        while (seconds_now() < begin + seconds) {
            struct timespec pause = {0, 2000000};
            if (seconds_now() > begin + seconds / 4.0) m.add(seconds_now(), joules_now());
            nanosleep(&pause, NULL);
        }
    }
    found.watts = m.watts() > 0.0 ? m.watts() : -1.0;
    found.bag_ms = -1.0;
    for (size_t k = 0; k < children.size(); ++k) {
        found.ms[k] = -1.0;
        if (good) good &= fgets(line, sizeof line, children[k]) && (found.ms[k] = atof(line)) > 0.0;
        if (children[k]) pclose(children[k]);
    }
    if (made >= 0) {
        fclose(fdopen(made, "r"));
        remove(name);
    }
    if (good) rows(bag, found, how);
    return good;
}

/* The first bags again, in processes of their own; no more of a kind after three that failed. Returns how
   many were not measured. */
static size_t all_apart(const std::vector<std::vector<task *>> &bags, const char *program, const char *mps) {
    static const char *const how[] = {"processes", "mps"};
    const std::string pipes[] = {"/nonexistent", mps};
    size_t failed[] = {0, 0}, missing = 0;
    for (size_t i = 0; i < APART; ++i)
        for (int k = 0; k < (*mps ? 2 : 1); ++k) {
            const std::string environment = "CUDA_MPS_PIPE_DIRECTORY='" + pipes[k] + "'";
            const bool tried = failed[k] < 3 && seconds_left() > 3.0;
            if (tried && apart(bags[i], how[k], environment, program, 0.6)) continue;
            failed[k] += tried;
            ++missing;
        }
    return missing;
}

int main(int count, char **word) {
    std::vector<task> tasks, pressure;
    if (count == 5 && strcmp(word[1], "member") == 0) return member(word);
    begin_time(count, word);
    open_device("bags");
    const double interval = energy_interval(), for_processes = std::min(40.0, seconds_left() / 4.0);
    idle = idle_watts(1.0);
    printf("bag,how,tasks,task,kernel,size,grid,block,launches,alone [ms],time [ms],slowdown,span "
           "[ms],alone_power [W],power [W],idle [W]\n");
    for (cudaStream_t &s : streams) MUST(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    for (const job &j : task_jobs()) tasks.push_back(task_of(j, tasks.size()));
    for (const job &j : microbenchmarks()) pressure.push_back(task_of(j));
    const std::vector<std::vector<task *>> random = drawn(tasks);
    const size_t cards = tasks.size() + pressure.size(), runs = cards + 3 * tasks.size() + random.size();
    const double least = std::max(0.15, 3.0 * interval), other = 0.06; /* the fixed work, and the host */
    size_t done = 0;
    const auto one = [&](const std::vector<task *> &bag) {
        const double left = seconds_left() - for_processes - 1.0;
        if (bag.size() > 1 && left < 0.0) return;
        measure(bag, seconds_for_row(left, runs - done, least + other, 0.6) - other);
        ++done;
    };
    for (std::vector<task> *list : {&tasks, &pressure})
        for (task &t : *list) one({&t});
    for (task &t : tasks)
        for (task &p : pressure) one({&t, &p});
    for (const std::vector<task *> &bag : random) one(bag);
    const size_t missing = all_apart(random, word[0], count > 3 ? word[3] : "");
    table_end(runs - done + missing, "bags");
    return 0;
}
