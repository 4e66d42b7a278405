#!/bin/sh
# relearn.sh - learns history.csv beside this file and publishes model.sooth there; for cron, once an hour.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
#
# The time of a job that met its limit is only a lower bound. Left out, or taken for its time, it would teach
# that such jobs are short, and they would be cut again. So it gets the time of a job alike (tasks, processors
# and nodes) that took longer, any of them: from the longest down, so that one that was cut as well has got
# its own by then. Where none took longer it keeps its limit. That is how Kaplan and Meier count the censored
# (J. Am. Stat. Assoc. 53, 1958), as Efron explains it (5th Berkeley Symposium, 1967), and right as far as
# limits do not tell which of two jobs alike takes longer. The draws are the same every time.
#
# `sooth fit` writes under another name and renames: slurmctld never sees half a model. The interval is of the
# jobs of a user never seen: each is left out in turn (above 20 users, in 20 parts).
LC_ALL=C; export LC_ALL
cd "$(dirname "$0")" || exit 1
sort -t , -k 6,6nr -k 7,7n history.csv | awk -F , -v OFS=, '
    function draw(n) { seed = seed * 16807 % 2147483647; return seed % n }
    BEGIN { seed = 1; print "user", "limit", "tasks", "cpus", "nodes", "took" }
    {
        alike = $3 OFS $4 OFS $5
        if ($7 == "0" && longer[alike]) $6 = took[alike, draw(longer[alike])]
        took[alike, longer[alike]++] = $6
        print $1, $2, $3, $4, $5, $6
    }' |
    "${SOOTH:-sooth}" fit - --target took --features limit,tasks,cpus,nodes --group user \
        --model boost --interval 0.9 --output model.sooth --force
