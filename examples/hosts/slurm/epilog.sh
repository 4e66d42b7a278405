#!/bin/sh
# epilog.sh - EpilogSlurmctld: appends what a job took, in seconds, to history.csv beside this file.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
#
# The row is what job_submit_sooth.so left in AdminComment. A job that failed, was cancelled or met its limit
# says at most that it would have taken longer: it is left out.
cd "$(dirname "$0")" && [ "$SLURM_JOB_EXIT_CODE2" = 0:0 ] || exit 1
squeue --noheader --states=all --job="$SLURM_JOB_ID" --Format=admin_comment:100,Reason:20,TimeUsed:20 |
    awk '$2 == "None" && sub(/^sooth:/, "") {
        n = split($3, t, "[-:]") # [[days-]hours:]minutes:seconds
        took = t[n] + 60 * t[n - 1] + (n > 2 ? 3600 * t[n - 2] : 0) + (n > 3 ? 86400 * t[1] : 0)
        print $1 "," took
    }' >> history.csv
