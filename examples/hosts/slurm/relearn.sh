#!/bin/sh
# relearn.sh - learns history.csv beside this file and publishes model.sooth there; for cron, once an hour.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
#
# `sooth fit` writes under another name and renames: slurmctld never sees half a model. The interval is of the
# jobs of a user never seen: each is left out in turn (above 20 users, in 20 parts).
cd "$(dirname "$0")" || exit 1
{ echo user,limit,tasks,cpus,nodes,took; cat history.csv; } |
    "${SOOTH:-sooth}" fit - --target took --features limit,tasks,cpus,nodes --group user \
        --model boost --interval 0.9 --output model.sooth --force
