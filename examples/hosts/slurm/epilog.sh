#!/bin/sh
# epilog.sh - EpilogSlurmctld: appends what a job took to history.csv beside this file, as user, limit, tasks,
# cpus, nodes, seconds, and 1 where it ended by itself or 0 where its limit ended it.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")" && ./took "$SLURM_JOB_ID" >> history.csv
