#!/bin/sh
# epilog.sh - EpilogSlurmctld: appends what a job took, in seconds, to history.csv beside this file.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
#
# The row is what job_submit_sooth.so left in AdminComment. A job that failed, was cancelled or met its limit
# says only that it would have taken longer, or nothing: it is left out.
cd "$(dirname "$0")" || exit 1
scontrol -o show job "$SLURM_JOB_ID" | tr ' ' '\n' | awk -F= '
    { is[$1] = $2 }
    END {
        n = split(is["RunTime"], t, "[-:]") # [days-]hours:minutes:seconds
        took = t[n] + 60 * t[n - 1] + 3600 * t[n - 2] + 86400 * (n > 3 ? t[1] : 0)
        if (is["ExitCode"] == "0:0" && is["Reason"] == "None" && sub(/^sooth:/, "", is["AdminComment"]))
            print is["AdminComment"] "," took
    }' >> history.csv
