/* job_submit_sooth.c - sooth inside slurmctld: what a job will take at most, when it is submitted.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     cc -O2 -fPIC -shared -ffp-contract=off -Iinclude examples/hosts/slurm/job_submit_sooth.c \
 *         -o job_submit_sooth.so          # into PluginDir; and JobSubmitPlugins=sooth in slurm.conf
 *
 * Of each job that lies inside what the model knows, the upper end of its interval becomes TimeMin, which
 * backfill may shorten the limit to, or with SOOTH_LIMIT=1 in slurmctld's environment the limit itself; never
 * more than the user asked for. Priority: who is expected to end first (site_factor, in minutes below a week).
 * The environment's SOOTH_MODEL is the model's file. It is looked at before each job: a new one is taken, a
 * broken one refused with a sentence, and the one before stays. Nothing here stops slurmctld.
 *
 * Needs Slurm's public headers alone (libslurm-dev). Slurm refuses a plugin that was compiled for another
 * version than its own, so that job_desc_msg_t is what slurm.h says.
 */
#include <math.h>
#include <pthread.h>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <slurm/spank.h> /* slurm_info, slurm_error */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#define SOOTH_STATIC
#define SOOTH_PREDICT_ONLY
#include "sooth/model.h"

extern void slurm_xstrfmtcat(char **text, const char *format, ...); /* slurmctld has it, slurm.h does not */
extern const char plugin_name[], plugin_type[];
extern const uint32_t plugin_version;
extern int job_submit(job_desc_msg_t *job, uint32_t user, char **message);
extern int job_modify(job_desc_msg_t *job, void *before, uint32_t user);

const char plugin_name[] = "times by sooth", plugin_type[] = "job_submit/sooth";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

enum { KNOWN = 4, WEEK = 7 * 24 * 60 };
static const char *const names[KNOWN] = {"limit", "tasks", "cpus", "nodes"}; /* what is known of a job */
static const sooth_model *model;                                             /* the present one */
static uint32_t is[KNOWN];                                                   /* feature j is names[is[j]] */

/* What a file's bytes lack to be this host's model; NULL: nothing. */
static const char *lacks(const sooth_model *m, size_t size) {
    uint32_t column[KNOWN];
    const char *why = sooth_model_why(m, size);
    if (why) return why;
    if (m->features > KNOWN || m->targets != 1 || sooth_model_map(m, names, KNOWN, column) > 0)
        return "it wants what is not known of a job";
    if (!sooth_model_conformal(m, 0)) return "it has no interval";
    for (uint32_t j = 0; j < m->features; ++j) is[j] = column[j];
    return NULL;
}

/* Takes the model's file where it is another than before. */
static void look(const char *path) {
    static struct stat seen;
    struct stat now;
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &now) || now.st_size > 1 << 28)
        slurm_error("sooth: %s cannot be read", path);
    else if (now.st_ino != seen.st_ino || now.st_size != seen.st_size ||
             now.st_mtim.tv_sec != seen.st_mtim.tv_sec || now.st_mtim.tv_nsec != seen.st_mtim.tv_nsec) {
        sooth_model *next = malloc((size_t)now.st_size + 1);
        const char *why = next ? lacks(next, fread(next, 1, (size_t)now.st_size, file)) : "no memory";
        seen = now;
        if (why) slurm_error("sooth: %s is refused, the model before stays: %s", path, why);
        else slurm_info("sooth: %s is taken, %u bytes", path, next->size);
        free(why ? (void *)next : (void *)(uintptr_t)model);
        if (!why) model = next;
    }
    if (file) fclose(file);
}

static float number(uint32_t v, float otherwise) { return v >= NO_VAL ? otherwise : (float)v; }

/* The job's row, its prediction, and what becomes of them. */
static void estimate(job_desc_msg_t *job, int limit) {
    static const char *const trust[] = {"inside", "at the edge of", "outside"};
    const uint32_t cpus = job->cpus_per_task == NO_VAL16 ? NO_VAL : job->cpus_per_task;
    const float mine[KNOWN] = {number(job->time_limit, NAN), number(job->num_tasks, 1), number(cpus, 1),
                               number(job->min_nodes, 1)};
    float row[KNOWN], scratch[KNOWN];
    sooth_adapted took; /* seconds */
    for (uint32_t j = 0; j < model->features; ++j) row[j] = mine[is[j]];
    sooth_model_interval(model, row, scratch, &took);
    uint32_t minutes = took.high < 60.0f * WEEK ? (uint32_t)(took.high / 60.0f) + 1 : NO_VAL;
    const int known = took.trust == SOOTH_TRUST_INSIDE && minutes < job->time_limit;
    slurm_info("sooth: job %s of user %u: limit=%g tasks=%g cpus=%g nodes=%g: %.1f s, %.1f to %.1f s, %s what "
               "is known: %s %u",
               job->name ? job->name : "-", job->user_id, mine[0], mine[1], mine[2], mine[3], took.value,
               took.low, took.high, trust[took.trust],
               !known ? "stays" : limit ? "limit" : "least limit", known ? minutes : job->time_limit);
    slurm_xstrfmtcat(&job->admin_comment, "sooth:%u,%.0f,%g,%g,%g", job->user_id, mine[0], mine[1], mine[2],
                     mine[3]); /* for epilog.sh: the row as it was asked for */
    if (!known) minutes = job->time_limit;
    else if (limit) job->time_limit = minutes;
    else if (job->time_min == NO_VAL) job->time_min = minutes;
    job->site_factor = NICE_OFFSET + (minutes < WEEK ? WEEK - minutes : 0);
}

extern int job_submit(job_desc_msg_t *job, uint32_t user, char **message) {
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
    const char *path = getenv("SOOTH_MODEL");
    (void)user, (void)message;
    pthread_mutex_lock(&one);
    look(path ? path : "the file of SOOTH_MODEL");
    if (model) estimate(job, getenv("SOOTH_LIMIT") != NULL);
    pthread_mutex_unlock(&one);
    return SLURM_SUCCESS;
}

extern int job_modify(job_desc_msg_t *job, void *before, uint32_t user) {
    (void)job, (void)before, (void)user;
    return SLURM_SUCCESS;
}
