#!/bin/sh
# epilog.sh - EpilogSlurmctld: appends what a job took, in seconds, to history.csv beside this file.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")" && ./took "$SLURM_JOB_ID" >> history.csv
