/* job_submit_sooth.c - sooth inside slurmctld: the max time of a job, predicted when it is submitted.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     make build/slurm/job_submit_sooth.so    # into PluginDir; JobSubmitPlugins=sooth in slurm.conf
 *
 * For a job inside the range of the training data, the upper end of its interval becomes TimeMin. Backfill
 * may shorten the limit down to TimeMin. With SOOTH_LIMIT=1 in slurmctld's environment it becomes the limit
 * itself. It is never more than the request, and a given TimeMin is kept. Priority: jobs with the earliest
 * predicted end go first (site_factor: minutes below a week). SOOTH_MODEL is the model's file. It is checked
 * before each job. A new model is loaded. A broken one is rejected, and the log has the reason. No error here
 * stops slurmctld.
 *
 * Needs Slurm's public headers alone (libslurm-dev). Slurm refuses a plugin that was compiled for another
 * version than its own, so job_desc_msg_t is as in slurm.h.
 */
#include <math.h>
#include <pthread.h>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <slurm/spank.h> /* slurm_info, slurm_error */
#include "model_file.h"

extern void slurm_xstrfmtcat(char **text, const char *format, ...); /* slurmctld has it, slurm.h does not */

const char plugin_name[] = "times by sooth", plugin_type[] = "job_submit/sooth";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

static float number(uint32_t v, float otherwise) { return v >= NO_VAL ? otherwise : (float)v; }

/* The job's row, its prediction, and the changes to the job. */
static void estimate(job_desc_msg_t *job, const model_file *times, int hard) {
    static const char *const trust[] = {"inside", "at the edge of", "outside"};
    static const char *const becomes[] = {"as asked", "least limit", "limit"};
    const uint32_t asked = job->time_limit, week = 7 * 24 * 60;
    const float v[] = {number(asked, NAN), number(job->num_tasks, 1), /* as the names below have them */
                       job->cpus_per_task == NO_VAL16 ? 1 : job->cpus_per_task, number(job->min_nodes, 1)};
    slurm_xstrfmtcat(&job->admin_comment, "sooth:%u,%g,%g,%g,%g", job->user_id, v[0], v[1], v[2], v[3]);
    if (!times->model) return; /* but epilog.sh has the row */
    sooth_adapted took;        /* seconds */
    model_file_ask(times, v, &took);
    const uint32_t most = took.high < 60.0f * week ? (uint32_t)(took.high / 60.0f) + 1 : NO_VAL;
    const int known = took.trust == SOOTH_MODEL_TRUST_INSIDE && most < asked && job->time_min == NO_VAL;
    slurm_info("sooth: job %.40s of user %u: limit=%g tasks=%g cpus=%g nodes=%g: %.1f s, %.1f to %.1f s, "
               "%s what is known: %s",
               job->name ? job->name : "-", job->user_id, v[0], v[1], v[2], v[3], took.value, took.low,
               took.high, trust[took.trust], becomes[known ? 1 + hard : 0]);
    if (known) *(hard ? &job->time_limit : &job->time_min) = most;
    const uint32_t expected = known ? most : asked;
    job->site_factor = NICE_OFFSET + (expected < week ? week - expected : 0);
}

extern int job_submit(job_desc_msg_t *job, uint32_t user, char **message) {
    static const char *const names[] = {"limit", "tasks", "cpus", "nodes"}; /* minutes; of each task */
    static model_file times = {.names = names, .count = 4};
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
    const char *given = getenv("SOOTH_MODEL"), *path = given ? given : "SOOTH_MODEL", *why;
    pthread_mutex_lock(&one);
    const int news = model_file_look(&times, path, &why);
    if (news) slurm_info("sooth: %s is %s%s", path, news > 0 ? "taken" : "not taken: ", news > 0 ? "" : why);
    estimate(job, &times, getenv("SOOTH_LIMIT") != NULL);
    pthread_mutex_unlock(&one);
    return (void)user, (void)message, SLURM_SUCCESS;
}

extern int job_modify(job_desc_msg_t *job, void *before, uint32_t user) {
    return (void)job, (void)before, (void)user, SLURM_SUCCESS;
}
