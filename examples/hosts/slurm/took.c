/* took.c - prints what a job was and what it took: its row, and seconds; nothing where it was cut short.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/slurm/took JOB
 *
 * The row is what job_submit_sooth.so left in AdminComment. While its epilog runs a job is completing, and
 * Slurm's commands do not say how it ended; its library does. A job that failed, was cancelled or met its
 * limit says at most that it would have taken longer; one that was suspended, nothing.
 */
#include <slurm/slurm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **word) {
    job_info_msg_t *answer = NULL;
    slurm_init(NULL);
    if (count != 2 || slurm_load_job(&answer, (uint32_t)strtoul(word[1], NULL, 10), 0)) {
        fprintf(stderr, "took: no job %s\n", count == 2 ? word[1] : "was given");
        return 1;
    }
    for (const job_info_t *j = answer->job_array; j < answer->job_array + answer->record_count; ++j) {
        const char *row = j->admin_comment ? strstr(j->admin_comment, "sooth:") : NULL;
        if (row && j->job_id == strtoul(word[1], NULL, 10) &&
            (j->job_state & JOB_STATE_BASE) == JOB_COMPLETE && !j->suspend_time)
            printf("%s,%lld\n", row + strlen("sooth:"), (long long)(j->end_time - j->start_time));
    }
    slurm_free_job_info_msg(answer);
    slurm_fini();
    return 0;
}
