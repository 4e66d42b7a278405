/* demo.c - sooth demo: the whole way from measurements to a decision, on built-in data.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Runs commands of this program one after the other in the folder. Each is a process of its own, because a
 * command ends its process.
 */
#include "app/app.h"

#include "app/system.h"

#if !defined(_WIN32)
#include <sys/wait.h>
#endif

/* The table and its licence, line by line, ended by NULL; the Makefile generates them from
   examples/scale/data. */
extern const char *const demo_table[], *const demo_licence[];

static const flag flags[] = {
    {"out", 0, "DIR", "folder for the files, which must not exist; default sooth-demo", 0},
    {"force", 0, NULL, "use an existing folder, and replace the files of the demonstration in it", 0},
    LAST_FLAG};

/* The program that the model does not see. Of five that were tried, it gains neither most nor least from
   measurements. */
#define NEW "3mm"
enum { PROGRAM, MEM, CORE, TIME, POWER, CELLS, MOST_WATTS = 120 };

static const char *const files[] = {"known.csv",   NEW ".csv",   "candidates.csv", "LICENSE.titanx",
                                    "power.sooth", "unseen.csv", "next.csv",       "measured.csv",
                                    "adapted.csv", "plan.csv"};

/* ---- files ---- */

/* Keeps the files out of `git status` if the folder lies in a checkout. */
static void hide_from_git(void) {
    fputs("*\n", output_open(".gitignore", 1, NULL, 0));
    output_close();
}

/* Enters the folder and removes the files of an earlier demonstration from it. */
static void open_folder(const char *path, int force) {
    const int made = mkdir(path, 0777) == 0;
    if (!made) {
        if (errno != EEXIST) die(BAD_INPUT, "cannot make the folder %s: %s", path, strerror(errno));
        if (!force) die(BAD_USE, "%s already exists; --force uses it, --out names another folder", path);
    }
    if (chdir(path) != 0) die(BAD_INPUT, "cannot use the folder %s: %s", path, strerror(errno));
    for (size_t k = 0; k < sizeof files / sizeof *files; ++k)
        if (unlink(files[k]) != 0 && errno != ENOENT)
            die(BAD_INPUT, "cannot replace %s/%s: %s", path, files[k], strerror(errno));
    if (made) hide_from_git(); /* a folder of the user keeps its own rules */
}

static int is_new(const char *line) { return strncmp(line, NEW ",", strlen(NEW) + 1) == 0; }

/* Returns cell k of a line, and its length. */
static const char *cell_of(const char *line, int k, size_t *length) {
    for (; k > 0; --k) line += strcspn(line, ",\n") + 1;
    *length = strcspn(line, ",\n");
    return line;
}

static double number_of(const char *line, int k) {
    size_t length;
    double value = 0.0;
    const char *text = cell_of(line, k, &length);
    sooth_text_to_double(text, length, &value);
    return value;
}

/* Returns true if the launch is one of six that identify laws of two clocks: each memory clock at the lowest,
   a middle and the highest core clock. */
static int is_planned(const char *line) {
    const double core = number_of(line, CORE);
    return core < 596 || (core > 898 && core < 900) || core > 1163;
}

/* Writes the header and the lines that `pick` accepts; the measurements only of lines that `keep` accepts. */
static void write_lines(const char *path, int (*pick)(const char *line), int (*keep)(const char *line)) {
    FILE *to = output_open(path, 0, NULL, 0);
    for (size_t i = 0; demo_table[i]; ++i) {
        const char *line = demo_table[i];
        size_t length;
        if (i > 0 && !pick(line)) continue;
        if (i == 0 || keep(line)) fputs(line, to);
        else fprintf(to, "%.*s,,\n", (int)(cell_of(line, CORE, &length) + length - line), line);
    }
    output_close();
}

static int is_known(const char *line) { return !is_new(line); }
static int always(const char *line) { return line != NULL; }
static int never(const char *line) { return line == NULL; }

/* Returns true if next.csv names this launch, by its row among those of the new program. */
static int is_asked_for(const char *line) {
    static char *text;
    size_t size, row = 0;
    if (!text) text = read_file("next.csv", NULL, &size);
    for (size_t i = 1; demo_table[i] != line; ++i) row += is_new(demo_table[i]) != 0;
    for (const char *at = strchr(text, '\n'); at && at[1]; at = strchr(at + 1, '\n'))
        if (is_new(line) && strtoul(at + 1, NULL, 10) == row) return 1;
    return 0;
}

/* ---- commands ---- */

static void print_wrapped(const char *text) {
    wrapped(stdout, text, 0);
    fputc('\n', stdout);
}

/* Runs a command in a process of its own. Returns its exit code; below 0, errno has the reason why it did not
   run. */
static int run_line(const arguments *args, const char *line) {
#if defined(_WIN32)
    (void)args;
    return system_run(line);
#else
    enum { MOST_WORDS = 32 };
    char *word[MOST_WORDS], *copy = (char *)allocate(strlen(line) + 1, 1);
    int count = 0, status = 0;
    strcpy(copy, line);
    for (char *at = strtok(copy, " "); at && count < MOST_WORDS; at = strtok(NULL, " ")) word[count++] = at;
    const pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) exit(args->run_words(count, word));
    free(copy);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : BAD_INPUT;
#endif
}

/* Prints a command and runs it as if it had been typed. */
static void type(const arguments *args, const char *line) {
    heading(stdout, "$ %s\n", line);
    fflush(stdout);
    const int code = run_line(args, line);
    if (code < 0) die(BAD_INPUT, "cannot run a command: %s", strerror(errno));
    if (code != DONE) exit(code); /* the command has printed the reason */
    fputc('\n', stdout);
}

/* Prints the choice that measuring all launches would have made. */
static void print_best(void) {
    const char *best = NULL;
    for (size_t i = 1; demo_table[i]; ++i)
        if (is_new(demo_table[i]) && number_of(demo_table[i], POWER) <= MOST_WATTS &&
            (!best || number_of(demo_table[i], TIME) < number_of(best, TIME)))
            best = demo_table[i];
    printf("The authors of the table measured all 32: the fastest within %d W is core_mhz %g,\n"
           "mem_mhz %g, with %.4g ms and %.4g W.\n\n",
           MOST_WATTS, number_of(best, CORE), number_of(best, MEM), number_of(best, TIME),
           number_of(best, POWER));
}

static void learn(const arguments *args) {
    print_wrapped(
        "known.csv has the power and time of 12 GPU programs at 32 pairs of clocks, as Guerreiro and others "
        "measured them (LICENSE.titanx). First, the errors of models on programs never seen, compared with "
        "the median of all:");
    type(args,
         "sooth validate known.csv --target power_w --group program --drop time_ms --model boost,linear");
    print_wrapped(
        "The second table counts for a new program: skill is what the clocks alone explain beyond the "
        "median. Next, fit a model and write it to a file, with an interval calibrated on left-out "
        "programs.");
    type(args,
         "sooth fit known.csv --target power_w --group program --drop time_ms --model boost --interval 0.9 "
         "-o power.sooth");
    print_wrapped(
        "The file describes itself (sooth describe power.sooth), and the same data give the same file "
        "anywhere. Which features matter?");
    type(args, "sooth explain power.sooth known.csv");
    print_wrapped(
        "Both clocks matter. No column describes the kernel; that part of the power remains unexplained.");
}

static void meet_new_program(const arguments *args) {
    print_wrapped("The model has never seen the program " NEW ". " NEW
                  ".csv has its measured power, only for the "
                  "comparison.");
    type(args, "sooth predict power.sooth " NEW ".csv -o unseen.csv");
    print_wrapped(
        "unseen.csv has each prediction, with its interval and its trust. A few launches help. Which two of "
        "candidates.csv improve the predictions of the others most?");
    type(args, "sooth next power.sooth candidates.csv --count 2 -o next.csv");
    write_lines("measured.csv", is_asked_for, always);
    print_wrapped(
        "You would run these two. Here the table has them, and measured.csv now holds their rows. With them "
        "the model adapts to the program.");
    type(args, "sooth adapt power.sooth measured.csv " NEW ".csv -o adapted.csv");
    print_wrapped(
        "Compare this error with the one before. It is the error of all launches, two of which were "
        "measured.");
}

static int run(const arguments *args) {
    const char *folder = arguments_text(args, "out");
    if (!folder) folder = "sooth-demo";
    open_folder(folder, arguments_has(args, "force"));
    FILE *licence = output_open("LICENSE.titanx", 0, NULL, 0);
    for (size_t i = 0; demo_licence[i]; ++i) fputs(demo_licence[i], licence);
    output_close();
    write_lines("known.csv", is_known, always);
    write_lines(NEW ".csv", is_new, always);
    write_lines("candidates.csv", is_new, never);
    write_lines("plan.csv", is_new, is_planned);
    learn(args);
    meet_new_program(args);
    print_wrapped(
        "Last, a decision. plan.csv has six measured launches of " NEW " and 26 that were never run. Which "
        "clocks make it fastest within 120 W? (1.5 sets how voltage rises with the core clock of such "
        "GPUs.)");
    type(
        args,
        "sooth scale plan.csv --axes core_mhz:frequency:1.5,mem_mhz:frequency --time time_ms --power power_w "
        "--min-time-for 120W");
    print_best();
    printf("The files are in %s. Run any of these commands there, with other models, programs, bounds.\n"
           "Next: sooth help fit, and your own table.\n",
           folder);
    return finish();
}

const command demo_command = {
    .name = "demo",
    .summary = "run the whole way from measurements to a decision on built-in data, in a few seconds",
    .usage = "[--out DIR] [--force]",
    .text = "Runs the commands from measurements to a decision, and prints each as you would type it. "
            "They test models on left-out programs next to a baseline, fit a model with an interval, "
            "and explain it.\n\n"
            "Then they predict a program never seen, choose the two launches that help most, and adapt the "
            "prediction to them. Last, they choose the fastest clocks within a power limit.\n\n"
            "The table holds published measurements of 13 programs on a GPU, with its licence. The files "
            "stay in the folder. A new folder gets a .gitignore file, so `git status` does not list them.",
    .example = "sooth demo --out /tmp/tour",
    .flags = flags,
    .run = run};
