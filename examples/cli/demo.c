/* demo.c - sooth demo: the whole way from measurements to a decision, on data that the command brings along.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The commands are the command's own, run one after the other in the folder; each is a process, because a
 * command ends its own.
 */
#include "app/app.h"

#include "app/system.h"

#if !defined(_WIN32)
#include <sys/wait.h>
#endif

/* The table and its licence, line by line, ended by NULL; the Makefile makes them of examples/scale/data. */
extern const char *const demo_table[], *const demo_licence[];

static const flag flags[] = {
    {"out", 0, "DIR", "the folder for the files, which must not be there (default sooth-demo)", 0},
    {"force", 0, NULL, "use a folder that is there, and replace the demonstration's files in it", 0},
    LAST_FLAG};

/* A program that the model does not see. Of five tried it gains neither most nor least by being measured. */
#define NEW "3mm"
enum { PROGRAM, MEM, CORE, TIME, POWER, CELLS, MOST_WATTS = 120 };

static const char *const files[] = {"known.csv",   NEW ".csv",   "candidates.csv", "LICENSE.titanx",
                                    "power.sooth", "unseen.csv", "next.csv",       "measured.csv",
                                    "adapted.csv", "plan.csv"};

/* ---- files ---- */

/* The folder, empty but for what is not ours. */
static void open_folder(const char *path, int force) {
    if (mkdir(path, 0777) != 0) {
        if (errno != EEXIST) die(BAD_INPUT, "cannot make the folder %s: %s", path, strerror(errno));
        if (!force) die(BAD_USE, "%s is there already; --force uses it, --out names another folder", path);
    }
    if (chdir(path) != 0) die(BAD_INPUT, "cannot use the folder %s: %s", path, strerror(errno));
    for (size_t k = 0; k < sizeof files / sizeof *files; ++k)
        if (unlink(files[k]) != 0 && errno != ENOENT)
            die(BAD_INPUT, "cannot replace %s/%s: %s", path, files[k], strerror(errno));
}

static int is_new(const char *line) { return strncmp(line, NEW ",", strlen(NEW) + 1) == 0; }

/* Cell k of a line, and its length. */
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

/* Whether the launch is among six that laws of two clocks are told apart by: each memory clock at the lowest,
   a middle and the highest core clock. */
static int is_planned(const char *line) {
    const double core = number_of(line, CORE);
    return core < 596 || (core > 898 && core < 900) || core > 1163;
}

/* The lines of the table that pick likes, behind its header; what is measured stays where keep likes it. */
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

/* Which launches next.csv names, by their rows among those of the new program. */
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

static void say(const char *text) {
    wrapped(stdout, text, 0);
    fputc('\n', stdout);
}

/* Runs a command in a process of its own; its exit code, below 0: errno says why there is none. */
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

/* Shows a command, and runs it as if it had been typed. */
static void type(const arguments *args, const char *line) {
    heading(stdout, "$ %s\n", line);
    fflush(stdout);
    const int code = run_line(args, line);
    if (code < 0) die(BAD_INPUT, "cannot run a command: %s", strerror(errno));
    if (code != DONE) exit(code); /* it has said why */
    fputc('\n', stdout);
}

/* What measuring all launches would have chosen. */
static void say_best(void) {
    const char *best = NULL;
    for (size_t i = 1; demo_table[i]; ++i)
        if (is_new(demo_table[i]) && number_of(demo_table[i], POWER) <= MOST_WATTS &&
            (!best || number_of(demo_table[i], TIME) < number_of(best, TIME)))
            best = demo_table[i];
    printf(
        "All 32 were measured by the authors of the table: the fastest of them within %d W is core_mhz %g,\n"
        "mem_mhz %g, with %.4g ms and %.4g W.\n\n",
        MOST_WATTS, number_of(best, CORE), number_of(best, MEM), number_of(best, TIME),
        number_of(best, POWER));
}

static void learn(const arguments *args) {
    say("known.csv has the watts and milliseconds of 12 GPU programs at 32 pairs of clocks, as Guerreiro and "
        "others measured them (LICENSE.titanx). Before anything is believed: how far off are models of "
        "programs that they have not seen, and is that better than the median of all?");
    type(args,
         "sooth validate known.csv --target power_w --group program --drop time_ms --model boost,linear");
    say("The second table counts for a new program: skill is what the clocks alone tell beyond the median.");
    say("The model goes into a file, with an interval that is calibrated on programs left out.");
    type(args,
         "sooth fit known.csv --target power_w --group program --drop time_ms --model boost --interval 0.9 "
         "-o power.sooth");
    say("The file says what it is (sooth describe power.sooth), and the same data give the same file "
        "anywhere.");
    say("What has it learned?");
    type(args, "sooth explain power.sooth known.csv");
    say("Both clocks count; which kernel runs, no column tells, and that is what remains unknown.");
}

static void meet_new_program(const arguments *args) {
    say(NEW " is a program that the model has never seen; " NEW
            ".csv has what it drew, only so that it can be "
            "compared.");
    type(args, "sooth predict power.sooth " NEW ".csv -o unseen.csv");
    say("unseen.csv has each prediction, with its interval and how far to trust it. A few launches help: "
        "which "
        "two of candidates.csv would tell most of the others?");
    type(args, "sooth next power.sooth candidates.csv --count 2 -o next.csv");
    write_lines("measured.csv", is_asked_for, always);
    say("You would run them; here they stand in the table, and their rows were put into measured.csv. With "
        "them "
        "the model speaks of this program.");
    type(args, "sooth adapt power.sooth measured.csv " NEW ".csv -o adapted.csv");
    say("Compare the error with that before; it is told of all launches, of which two were measured.");
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
    say("Last, a decision: plan.csv has six measured launches of " NEW
        " and 26 that nobody has run. Which clocks "
        "make it fastest within 120 W? (1.5 says how voltage rises with the core clock on such GPUs.)");
    type(
        args,
        "sooth scale plan.csv --axes core_mhz:frequency:1.5,mem_mhz:frequency --time time_ms --power power_w "
        "--min-time-for 120W");
    say_best();
    printf("The files are in %s: type any of these commands there, with other models, programs, bounds.\n"
           "Next: sooth help fit, and your own table.\n",
           folder);
    return finish();
}

const command demo_command = {.name = "demo",
                              .summary = "the whole way on data that is built in, in a few seconds",
                              .usage = "[--out DIR] [--force]",
                              .text =
                                  "Runs the commands from measurements to a decision, showing each as you "
                                  "would type it: models tested on "
                                  "programs left out beside a baseline, a model with an interval, what it "
                                  "learned, a program that it has "
                                  "never seen, the two launches that tell most of it, the prediction with "
                                  "them, and the clocks that are "
                                  "fastest within a bound of watts. The table is of published measurements "
                                  "of 13 programs on a GPU; its "
                                  "licence is put beside it. The files stay in the folder, to go on with.",
                              .example = "sooth demo --out /tmp/tour",
                              .flags = flags,
                              .run = run};
