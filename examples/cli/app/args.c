/* args.c - reads the command line by a table of flags, and prints help from it.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "app.h"
#include "sooth/threads.h"

/* ---- reading ---- */

/* Flags that every command has. */
static const flag everywhere[] = {
    {"color", 0, "WHEN",
     "use colours: auto (default), always or never. auto uses them on terminals unless "
     "NO_COLOR is set",
     0},
    {"progress", 0, NULL, "print progress and the remaining time even if stderr is not a terminal", 0},
    LAST_FLAG};

static const flag *find_flag(const command *c, const char *name, size_t length) {
    const char *known[64];
    char word[64];
    size_t n = 0;
    for (const flag *f = c->flags; f->name; ++f) {
        if (!*f->name) continue; /* a heading */
        if (strlen(f->name) == length && strncmp(f->name, name, length) == 0) return f;
        if (n < 60) known[n++] = f->name;
    }
    for (const flag *f = everywhere; f->name; ++f) {
        if (strlen(f->name) == length && strncmp(f->name, name, length) == 0) return f;
        if (n < 61) known[n++] = f->name;
    }
    known[n++] = "help";
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), name);
    const char *best = nearest(word, known, n);
    if (best) die(BAD_USE, "unknown option --%s; did you mean --%s?", word, best);
    die(BAD_USE, "unknown option --%s; see `sooth help %s`", word, c->name);
}

static const flag *find_letter(const command *c, char letter) {
    for (const flag *f = c->flags; f->name; ++f)
        if (f->letter == letter) return f;
    die(BAD_USE, "unknown option -%c; see `sooth help %s`", letter, c->name);
}

static void give(arguments *args, const flag *f, const char *value) {
    if (!f->many && arguments_has(args, f->name)) die(BAD_USE, "--%s is given twice", f->name);
    if (f == &everywhere[0]) colour_set(value);
    if (f == &everywhere[1]) progress_force();
    args->given[args->givens] = f;
    args->value[args->givens++] = value;
}

/* Reads one flag with its value, which is part of the same word or the next word. Returns the number of words
   read. */
static int read_flag(arguments *args, const command *c, int left, char **words) {
    const char *word = words[0], *value = NULL;
    const flag *f;
    if (word[1] == '-') {
        const char *equals = strchr(word, '=');
        size_t length = equals ? (size_t)(equals - word) - 2 : strlen(word + 2);
        f = find_flag(c, word + 2, length);
        if (equals) value = equals + 1;
    } else {
        f = find_letter(c, word[1]);
        if (word[2]) value = word[2] == '=' ? word + 3 : word + 2;
    }
    if (!f->value) {
        if (value) die(BAD_USE, "--%s takes no value, but is given \"%s\"", f->name, value);
        give(args, f, NULL);
        return 1;
    }
    if (value) {
        give(args, f, value);
        return 1;
    }
    if (left < 2) die(BAD_USE, "--%s needs a value: --%s %s", f->name, f->name, f->value);
    give(args, f, words[1]);
    return 2;
}

/* Returns the usage in one line: its lines are joined by ", or ". */
static const char *usage_line(const command *c) {
    const char *from = c->usage;
    size_t room = strlen(from) + 1, n = 0;
    for (const char *at = from; *at; ++at) room += *at == '\n' ? 5 : 0;
    char *line = (char *)allocate(room, 1);
    for (; *from; ++from) {
        if (*from != '\n') {
            line[n++] = *from;
            continue;
        }
        n += (size_t)sprintf(line + n, ", or ");
        while (from[1] == ' ') ++from;
    }
    return line;
}

int arguments_read(arguments *args, const command *c, int count, char **words) {
    int only_words = 0;
    memset(args, 0, sizeof *args);
    args->command = c;
    for (int i = 0; i < count; ++i)
        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0) return 0;
        else if (strcmp(words[i], "--") == 0) break;
    if (count > MOST_ARGUMENTS)
        die(BAD_USE, "%d arguments are too many; at most %d are allowed", count, MOST_ARGUMENTS);
    for (int i = 0; i < count;) {
        if (!only_words && strcmp(words[i], "--") == 0) {
            only_words = 1;
            ++i;
        } else if (!only_words && words[i][0] == '-' && words[i][1]) {
            i += read_flag(args, c, count - i, words + i);
        } else {
            args->word[args->words++] = words[i++];
        }
    }
    if (args->words < c->least) die(BAD_USE, "usage: sooth %s %s", c->name, usage_line(c));
    if (args->words > c->most)
        die(BAD_USE, "unexpected argument \"%s\"; usage: sooth %s %s", args->word[c->most], c->name,
            usage_line(c));
    return 1;
}

const char *arguments_text(const arguments *args, const char *name) {
    for (size_t i = 0; i < args->givens; ++i)
        if (strcmp(args->given[i]->name, name) == 0) return args->value[i];
    return NULL;
}

int arguments_has(const arguments *args, const char *name) {
    for (size_t i = 0; i < args->givens; ++i)
        if (strcmp(args->given[i]->name, name) == 0) return 1;
    return 0;
}

void arguments_outputs(const arguments *args) {
    static const char *const names[] = {"output", "page", "picture", "front", "history", "svg"};
    enum { NAMES = sizeof names / sizeof names[0] };
    for (size_t k = 0; k < NAMES; ++k) {
        const char *path = arguments_text(args, names[k]);
        if (!path) continue;
        output_check(path, arguments_has(args, "force"));
        for (size_t i = 0; i < k; ++i) {
            const char *other = arguments_text(args, names[i]);
            if (other && strcmp(other, path) == 0 && strcmp(path, "-") != 0)
                die(BAD_USE, "--%s and --%s both name %s", names[i], names[k], path);
        }
    }
}

uint32_t arguments_count(const arguments *args, const char *name, uint32_t fallback, uint32_t least,
                         uint32_t most) {
    const char *text = arguments_text(args, name), *c;
    uint64_t value = 0;
    if (!text) return fallback;
    for (c = text; *c >= '0' && *c <= '9' && value <= UINT32_MAX; ++c)
        value = value * 10 + (uint64_t)(*c - '0');
    if (c == text || *c || value < least || value > most)
        die(BAD_USE, "--%s is %s, but must be an integer between %lu and %lu", name, *text ? text : "empty",
            (unsigned long)least, (unsigned long)most);
    return (uint32_t)value;
}

double double_read(const arguments *args, const char *name, double fallback, double least, double most) {
    const char *text = arguments_text(args, name);
    double value;
    if (!text) return fallback;
    if (!*text || sooth_text_to_double(text, strlen(text), &value) != strlen(text) ||
        !(value >= least && value <= most))
        die(BAD_USE, "--%s is %s, but must be a number between %g and %g", name, *text ? text : "empty",
            least, most);
    return value;
}

double share_read(const arguments *args, const char *name, double fallback) {
    const char *text = arguments_text(args, name);
    double share;
    if (!text) return fallback;
    if (!*text || sooth_text_to_double(text, strlen(text), &share) != strlen(text) ||
        !(share >= 0.5 && share <= 0.99))
        die(BAD_USE, "--%s is %s, but must be a share between 0.5 and 0.99, such as 0.9", name,
            *text ? text : "empty");
    return share;
}

char **split_list(const char *text, size_t *count) {
    const char *whole = text;
    char *to = (char *)allocate(strlen(text) + 1, 1), **list;
    size_t most = 1, n = 0;
    for (; *text; ++text) most += *text == ',';
    list = (char **)allocate(most, sizeof *list);
    for (text = whole;; ++text) {
        char *kept = list[n++] = to; /* blanks before `kept` are inside quotes */
        while (*text == ' ') ++text;
        if (*text == '"') {
            int open = 1;
            while (*++text) {
                if (*text == '"' && *++text != '"') {
                    open = 0;
                    break;
                }
                *to++ = *text;
            }
            if (open) die(BAD_USE, "a quote is not closed in %s", whole);
            kept = to;
        }
        while (*text && *text != ',') *to++ = *text++;
        while (to > kept && to[-1] == ' ') --to;
        if (!*text) break;
        *to++ = 0;
    }
    *to = 0;
    *count = n;
    return list;
}

char **arguments_list(const arguments *args, const char *name, size_t *count) {
    char **all = NULL;
    size_t n = 0, more;
    for (size_t i = 0; i < args->givens; ++i) {
        char **joined;
        if (strcmp(args->given[i]->name, name) != 0) continue;
        char **list = split_list(args->value[i], &more);
        joined = (char **)allocate(n + more, sizeof *joined);
        if (n) memcpy(joined, all, n * sizeof *joined);
        for (size_t k = 0; k < more; ++k) {
            if (!*list[k]) die(BAD_USE, "--%s has an empty item in \"%s\"", name, args->value[i]);
            joined[n++] = list[k];
        }
        free(all);
        free(list);
        all = joined;
    }
    *count = n;
    return all;
}

sooth_env *env_open(const arguments *args) {
    static sooth_threads pool;
    static sooth_env env;
    uint32_t threads = arguments_count(args, "threads", 1, 1, SOOTH_THREADS_MAX);
    sooth_env_init(&env);
    env.progress_fn = on_progress;
    if (threads > 1 && sooth_threads_start(&env, &pool, threads) != SOOTH_OK)
        die(BAD_INPUT, "%s", env.sentence);
    return &env;
}

void in_parallel(sooth_env *env, size_t count, sooth_task *task, void *arg) {
    if (env && env->parallel_fn) env->parallel_fn(env->parallel_user, count, task, arg);
    else
        for (size_t k = 0; k < count; ++k) task(arg, k, 0);
}

/* ---- help ---- */

void wrapped(FILE *to, const char *text, size_t indent) {
    size_t column = indent;
    while (*text) {
        size_t length = strcspn(text, " \n");
        if (column > indent && column + 1 + length > 92) {
            fprintf(to, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', to);
            ++column;
        }
        fprintf(to, "%.*s", (int)length, text);
        column += length;
        text += length;
        if (*text == '\n') {
            fprintf(to, "\n%*s", (int)indent, "");
            column = indent;
        }
        if (*text) ++text;
    }
    fputc('\n', to);
}

static size_t flag_width(const flag *f) {
    return strlen(f->name) + (f->value ? strlen(f->value) + 1 : 0) + (f->letter ? 4 : 0);
}

static void help_flags(FILE *to, const flag *first, size_t width) {
    for (const flag *f = first; f->name; ++f) {
        char left[96];
        if (!*f->name) {
            heading(to, "%s %s\n", f == first ? "" : "\n", f->help);
            continue;
        }
        if (f->letter)
            snprintf(left, sizeof left, "-%c, --%s%s%s", f->letter, f->name, f->value ? " " : "",
                     f->value ? f->value : "");
        else snprintf(left, sizeof left, "--%s%s%s", f->name, f->value ? " " : "", f->value ? f->value : "");
        fprintf(to, "  %-*s  ", (int)width + 2, left);
        wrapped(to, f->help, width + 6);
    }
}

void help_command(FILE *to, const command *c) {
    size_t width = flag_width(everywhere);
    heading(to, "sooth %s %s\n\n", c->name, c->usage);
    wrapped(to, c->text, 0);
    for (const flag *f = c->flags; f->name; ++f)
        if (flag_width(f) > width) width = flag_width(f);
    heading(to, "\nOptions\n");
    help_flags(to, c->flags, width);
    help_flags(to, everywhere, width);
    heading(to, "\nExample\n");
    fprintf(to, "  %s\n", c->example);
}
