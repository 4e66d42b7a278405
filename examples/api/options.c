/* options.c - every option of every list as a line of JSON, for `make api`: name, default, range, choices,
 * help.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * lists.h has a line LIST(sooth_tree_options_list) for each such function; api.sh writes it.
 */
#include "sooth.h"

#include <stdio.h>

static void put_text(const char *text) {
    putchar('"');
    for (; *text; ++text) {
        if (*text == '"' || *text == '\\') putchar('\\');
        putchar(*text);
    }
    putchar('"');
}

static void put_number(const char *name, double value) {
    char text[SOOTH_TEXT_NUMBER_SIZE];
    sooth_text_from_double(text, value);
    printf(", \"%s\": %s", name, text);
}

/* The choices as a list; the first is the default. */
static void put_choices(const char *choices) {
    printf(", \"choices\": [\"");
    for (; *choices; ++choices) {
        if (*choices == '|') printf("\", \"");
        else putchar(*choices);
    }
    printf("\"]");
}

static void put(const char *function, sooth_option_list list) {
    static const char *const types[] = {"integer", "number", "choice", "numbers"};
    const char *const end = strstr(function, "_options_list");
    for (size_t i = 0; i < list.count; ++i) {
        const sooth_option *o = list.option + i;
        printf("options\t%.*s.%s\t{\"name\": \"%.*s.%s\", \"type\": \"%s\"", (int)(end - function) - 6,
               function + 6, o->name, (int)(end - function) - 6, function + 6, o->name, types[o->type]);
        if (o->type == SOOTH_OPTION_CHOICE) {
            put_choices(o->choices);
        } else {
            put_number("default", o->fallback);
            put_number("least", o->least);
            put_number("most", o->most);
            if (o->given) printf(", \"zero\": \"with has_%s\"", o->name);
        }
        printf(", \"help\": ");
        put_text(o->help);
        puts("}");
    }
}

int main(void) {
#define LIST(function) put(#function, function());
#include "lists.h"
    return 0;
}
