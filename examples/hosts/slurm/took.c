/* took.c - prints a job's row, its seconds, and whether it ended by itself (1) or at its limit (0).
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/slurm/took JOB
 *
 * The row is the AdminComment that job_submit_sooth.so wrote. While its epilog runs a job is completing.
 * Slurm's commands do not report how it ended, but its library does. A job that met its limit would have
 * taken longer: relearn.sh handles that. The times of jobs that failed, were cancelled or suspended are not
 * usable, and nothing is printed.
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
        const uint32_t state = j->job_state & JOB_STATE_BASE;
        if (row && j->job_id == strtoul(word[1], NULL, 10) && !j->suspend_time &&
            (state == JOB_COMPLETE || state == JOB_TIMEOUT))
            printf("%s,%lld,%d\n", row + strlen("sooth:"), (long long)(j->end_time - j->start_time),
                   state == JOB_COMPLETE);
    }
    slurm_free_job_info_msg(answer);
    slurm_fini();
    return 0;
}
