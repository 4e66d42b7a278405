/* sooth.c - the `sooth` command: predicts what running a program costs, from a table of past runs.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "app/app.h"
#include "sooth/model.h"
#include "sooth/preprocess.h"
#include "sooth/train.h"

#include "app/system.h"

extern const command fit_command, predict_command, next_command, adapt_command, describe_command,
    validate_command, import_command, export_command, explain_command, ptx_command, gpu_command,
    sample_command, scale_command, correlate_command, cluster_command, card_command, fairness_command,
    slowdown_command, allocate_command, bags_command, replay_command, demo_command;

/* Runs `sooth NAME ...` with "sooth" in words[0]. Returns its exit code, or ends the program with it. */
int command_run(int count, char **words);

static int run_help(const arguments *args);
static int run_version(const arguments *args);

static const flag no_flags[] = {LAST_FLAG};

static const command help_entry = {
    .name = "help",
    .summary = "show what a command or a model does",
    .usage = "[COMMAND or MODEL or OPTION or tables]",
    .most = 1,
    .text = "Lists the commands and models, or describes one of them, or an option "
            "of commands. `sooth help tables` describes how CSV files are read.",
    .example = "sooth help fit\n  sooth help tree\n  sooth help tune",
    .flags = no_flags,
    .run = run_help};
static const command version_entry = {.name = "version",
                                      .summary = "print the version",
                                      .usage = "",
                                      .text = "Prints the version.",
                                      .example = "sooth version",
                                      .flags = no_flags,
                                      .run = run_version};

static const command *const commands[] = {
    &fit_command,      &predict_command,  &next_command,     &adapt_command,     &describe_command,
    &validate_command, &import_command,   &export_command,   &explain_command,   &ptx_command,
    &gpu_command,      &sample_command,   &scale_command,    &correlate_command, &cluster_command,
    &card_command,     &fairness_command, &slowdown_command, &allocate_command,  &bags_command,
    &replay_command,   &demo_command,     &help_entry,       &version_entry};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void help_all(FILE *to) {
    const sooth_model_kind *kind;
    const sooth_train_preset *preset;
    fprintf(to, "sooth predicts what running a program costs, from a table of past runs.\n\n");
    for (size_t i = 0; i < COMMANDS; ++i)
        fprintf(to, "  sooth %-10s %s\n", commands[i]->name, commands[i]->summary);
    heading(to, "\nModels\n");
    for (size_t i = 0; (kind = sooth_model_kind_at(i)) != NULL; ++i)
        fprintf(to, "  %-16s %s\n", kind->name, kind->title);
    heading(to, "\nModels with settings of their own\n");
    for (size_t i = 0; (preset = sooth_train_preset_at(i)) != NULL; ++i)
        fprintf(to, "  %-21s %s: %s\n", preset->name, preset->model, preset->source);
    fprintf(to, "\nMore: sooth help COMMAND, sooth help MODEL, sooth help OPTION, sooth help tables (how a "
                "CSV file is read)\n"
                "Exit codes: 0 done, 1 bad input, 2 bad use of the command, 130 interrupted\n");
}

/* Prints how tables are read; see sooth/csv.h and sooth/csv/forms.h. */
static void help_tables(FILE *to) {
    heading(to, "How a CSV file is read\n\n");
    wrapped(
        to,
        "The first line has the names of the columns. A name may end with a unit: Power [W]. Columns are "
        "separated by commas, semicolons, tabs or bars. The text is UTF-8 or UTF-16.\n\n"
        "Empty lines are skipped. In a table of one column an empty line is a row with an empty cell, but "
        "not "
        "above the first row or at the end of the file.\n\n"
        "A line that begins with # is a comment if a blank follows or if it has another number of cells than "
        "the header. The header may begin with #. Of several such lines above the numbers, the last one that "
        "has no number itself is the header, and a line on stderr names the other.\n\n"
        "Missing in every column, in upper or lower case: an empty cell, NA, N/A, #N/A, NaN, null, -, "
        "#DIV/0!, #VALUE!, #REF!, #NAME?, #NUM!, #NULL!. A user with such a name needs another one.\n\n"
        "Missing in columns of numbers only: None, ?, <NA>, --, ---, ., [N/A], <not counted>, <not "
        "supported>, Unknown, (null), INVALID, NaT, [Not Supported], [Not Found], [Unknown], [Unknown "
        "Error], [Deprecated], [Insufficient Permissions], [GPU is lost], #NA, #N/A N/A, #SPILL!, "
        "#CALC!, #GETTING_DATA, -nan(ind), nan(ind), -nan(snan), nan(snan), 1.#IND, -1.#IND, 1.#QNAN, "
        "-1.#QNAN.\n\n"
        "Numbers may have units, thousands (1,234.5 or 1 234.5) and a decimal comma if columns are "
        "separated by semicolons. A column has one of these forms, or is text.\n\n"
        "Units, as in 100.5 W and 20 mW, become one: that of the header, or else the smallest. Known are "
        "s, ms, us, ns, min, h; B, KB to PB (1000), KiB to TiB (1024), and B/s to TB/s; bit, bit/s; Hz "
        "to GHz; uW to MW; uJ to MJ, Wh, kWh; V, A, FLOPS, %, rpm and money. K, M, G, T alone are 1000 or "
        "1024, depending on the tool: write KB or KiB.\n\n"
        "Durations become seconds: 1-02:03:04, 02:03:04, 03:04.5, 2m3.5s. If every cell has only one "
        "colon, as 1:02, these are hours or minutes: the column is text. Write 00:01:02.\n\n"
        "Names (of --group and --categorical) are the texts of their cells: 3.10 and 3.1 are two. Features "
        "are numbers: there they are one.\n\n"
        "perf stat -x, writes a line for each event, without a header. This makes a header and one row "
        "of the lines of a run:",
        0);
    fprintf(to,
            "\n  awk -F, '$3 { n = n c $3; v = v c $1; c = \",\" } END { print n; print v }' run.perf\n\n");
    wrapped(to, "Files that were joined have the header again. Keep the first one:", 0);
    fprintf(to, "\n  awk 'NR == 1 { head = $0 } NR == 1 || $0 != head' joined.csv > table.csv\n");
}

/* Prints the options of a model, with their defaults and ranges. */
static void help_model(const sooth_model_kind *kind) {
    static const char *const ranges[] = {"standard", "minmax", "robust"}; /* by sooth_scale_transform */
    const sooth_option_list options = sooth_model_kind_options(kind);
    size_t n, length, width = 6;
    const char *c;
    printf("%s: %s\n", kind->name, kind->title);
    if (*kind->columns) printf("  columns: %s, in this order (--features)\n", kind->columns);
    printf("\n");
    for (size_t i = 0; i < options.count; ++i)
        if (strlen(options.option[i].name) > width) width = strlen(options.option[i].name);
    if (options.count) printf("  %-*s  %-14s\n", (int)width, "option", "default");
    for (size_t i = 0; i < options.count; ++i) {
        const sooth_option *o = &options.option[i];
        char text[600], fallback[SOOTH_TEXT_NUMBER_SIZE], least[SOOTH_TEXT_NUMBER_SIZE],
            most[SOOTH_TEXT_NUMBER_SIZE];
        sooth_text_from_double(fallback, o->fallback);
        sooth_text_from_double(least, o->least);
        sooth_text_from_double(most, o->most);
        if (o->type == SOOTH_OPTION_CHOICE) {
            snprintf(fallback, sizeof fallback, "%.*s",
                     (int)(strcspn(o->choices, "|") < 31 ? strcspn(o->choices, "|") : 31), o->choices);
            snprintf(text, sizeof text, "%s; one of", o->help);
            for (c = o->choices, n = strlen(text); *c && n + 4 < sizeof text;
                 c += length + (c[length] == '|')) {
                length = strcspn(c, "|");
                n += (size_t)snprintf(text + n, sizeof text - n, "%s%.*s", c == o->choices ? " " : ", ",
                                      (int)length, c);
            }
        } else if (o->most > 1e9) {
            snprintf(text, sizeof text, "%s", o->help);
        } else {
            snprintf(text, sizeof text, "%s (%s to %s)", o->help, least, most);
        }
        printf("  %-*s  %-14s  ", (int)width, o->name, fallback);
        wrapped(stdout, text, width + 20);
    }
    if (kind->transform < SOOTH_SCALE_NONE)
        printf("\nWithout --transform, features are transformed by %s,clip.\n", ranges[kind->transform]);
    if (*sooth_tune_space(kind->name)) {
        printf("\n--tune random searches this space unless --set names lists or ranges:\n  ");
        wrapped(stdout, sooth_tune_space(kind->name), 2);
    }
    printf("\nExample\n  sooth fit power.csv --target Power --model %s%s%s%s -o power.sooth\n", kind->name,
           options.count ? " --set " : "", options.count ? options.option[0].name : "",
           options.count ? "=VALUE" : "");
}

/* Prints the settings of a preset, and their source. */
static int help_preset(const char *name, const sooth_model_kind *kind) {
    const sooth_train_preset *preset;
    for (size_t i = 0; (preset = sooth_train_preset_at(i)) != NULL; ++i) {
        if (strcmp(preset->name, name) != 0) continue;
        printf("%s: %s with these settings\n\n  ", name, kind->title);
        wrapped(stdout, preset->options, 2);
        printf("\nSource: ");
        wrapped(stdout, preset->source, 8);
        printf("\n`sooth help %s` describes these and all other options; --set changes any of them.\n",
               preset->model);
        return 1;
    }
    return 0;
}

static const command *find_command(const char *name) {
    for (size_t i = 0; i < COMMANDS; ++i)
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    return NULL;
}

static const flag *flag_named(const command *c, const char *name) {
    for (const flag *f = c->flags; f->name; ++f)
        if (*name && strcmp(f->name, name) == 0) return f;
    return NULL;
}

/* Prints what an option does, once for the commands in which it does the same. Returns 0 if none has it. */
static int help_option(const char *name) {
    unsigned char done[COMMANDS] = {0};
    size_t n = 0;
    for (size_t i = 0; i < COMMANDS; ++i) {
        const flag *f = flag_named(commands[i], name);
        if (!f || done[i]) continue;
        printf("%s--%s%s%s of sooth", n++ ? "\n" : "", name, f->value ? " " : "", f->value ? f->value : "");
        for (size_t k = i; k < COMMANDS; ++k) {
            const flag *other = flag_named(commands[k], name);
            if (!other || strcmp(other->help, f->help) != 0) continue;
            done[k] = 1;
            printf("%s %s", k > i ? "," : "", commands[k]->name);
        }
        printf("\n  ");
        wrapped(stdout, f->help, 2);
    }
    return n > 0;
}

/* Dies with the name that was probably meant. */
static void no_such(const char *what, const char *name, int models) {
    const char *known[COMMANDS + 64];
    const sooth_model_kind *kind;
    const sooth_train_preset *preset;
    size_t n = 0;
    for (size_t i = 0; i < COMMANDS; ++i) known[n++] = commands[i]->name;
    for (size_t i = 0; models && (kind = sooth_model_kind_at(i)) != NULL && n < COMMANDS + 64; ++i)
        known[n++] = kind->name;
    for (size_t i = 0; models && (preset = sooth_train_preset_at(i)) != NULL && n < COMMANDS + 64; ++i)
        known[n++] = preset->name;
    if (nearest(name, known, n)) die(BAD_USE, "unknown %s %s%s", what, name, did_you_mean(name, known, n));
    die(BAD_USE, "unknown %s %s; `sooth help` lists them", what, name);
}

static int run_help(const arguments *args) {
    const sooth_model_kind *kind;
    const command *c;
    if (args->words == 0) {
        help_all(stdout);
    } else if (strcmp(args->word[0], "tables") == 0) {
        help_tables(stdout);
    } else if ((c = find_command(args->word[0])) != NULL) {
        help_command(stdout, c);
    } else if (sooth_train_kind_named(NULL, args->word[0], &kind) == SOOTH_OK) {
        if (!help_preset(args->word[0], kind)) help_model(kind);
    } else if (!help_option(args->word[0])) {
        no_such("command, model or option", args->word[0], 1);
    }
    return finish();
}

static int run_version(const arguments *args) {
    (void)args;
    printf("sooth %s\n", SOOTH_VERSION_TEXT);
    return finish();
}

int command_run(int count, char **words) {
    static arguments args;
    const command *c;
    if (count < 2) {
        help_all(stderr);
        return BAD_USE;
    }
    if (strcmp(words[1], "--help") == 0 || strcmp(words[1], "-h") == 0) c = &help_entry;
    else if (strcmp(words[1], "--version") == 0) c = &version_entry;
    else c = find_command(words[1]);
    if (!c) no_such("command", words[1], 0);
    set_program(c->name);
    if (!arguments_read(&args, c, count - 2, words + 2)) {
        help_command(stdout, c);
        return finish();
    }
    args.run_words = command_run;
    arguments_outputs(&args);
    return c->run(&args);
}

int main(int count, char **words) {
    words = system_words(count, words);
    keep_standard_files();
    catch_signals();
    return command_run(count, words);
}
