/* looks.h - the style sheet of every page: the report of the main job, the pages of the command.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef LOOKS_H
#define LOOKS_H

/* The content of <style>: one column of text, light or dark by the preference of the reader. */
#define LOOKS                                                                                           \
    ":root{color-scheme:light dark;--paper:#fdfdfb;--ink:#1d2733;--soft:#5b6774;--rule:#d9dde1}\n"      \
    "@media(prefers-color-scheme:dark){:root{--paper:#14181d;--ink:#e6e9ec;--soft:#9aa5b1;"             \
    "--rule:#333b44}}\n"                                                                                \
    "body{margin:0 auto;padding:2.5rem 1.25rem 4rem;max-width:46rem;background:var(--paper);"           \
    "color:var(--ink);font:16px/1.55 system-ui,-apple-system,'Segoe UI',sans-serif}\n"                  \
    "h1{font-size:1.9rem;line-height:1.2;margin:0 0 .6rem}h2{font-size:1.2rem;margin:2.6rem 0 .4rem}\n" \
    "p{margin:.5rem 0}.soft{color:var(--soft);font-size:.92rem}.lead{font-size:1.15rem}"                \
    "svg{display:block;margin:1rem 0}\n"                                                                \
    "table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums;margin:1rem 0;"   \
    "width:100%}\n"                                                                                     \
    "th,td{text-align:right;padding:.25rem .6rem;border-bottom:1px solid var(--rule)}"                  \
    "th:first-child,td:first-child{text-align:left}\n"                                                  \
    "th{font-weight:600}b{font-weight:650}\n"

#endif
