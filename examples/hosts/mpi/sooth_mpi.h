/* sooth_mpi.h - one fit over the rows of all MPI processes: what a host copies.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     sooth_env env;
 *     sooth_mpi mpi = {.comm = MPI_COMM_WORLD};
 *     sooth_env_init(&env);
 *     sooth_mpi_join(&env, &mpi);
 *     sooth_boost_fit(&env, &my_rows, &options, &model);  // in every process; all get the same bytes
 *
 * The communicator's error handler decides what happens when a process dies: MPI's own one ends all.
 */
#ifndef SOOTH_MPI_H
#define SOOTH_MPI_H
#include <mpi.h>
#include "sooth/base.h"

typedef struct sooth_mpi {
    MPI_Comm comm;
    uint64_t calls, bytes; /* exchanged so far, by each process */
} sooth_mpi;

static int sooth_mpi_reduce(void *user, sooth_reduction what, int64_t *value, size_t count) {
    sooth_mpi *mpi = (sooth_mpi *)user;
    for (size_t done = 0; done < count;) {
        const int some = count - done < 1 << 20 ? (int)(count - done) : 1 << 20;
        if (MPI_Allreduce(MPI_IN_PLACE, value + done, some, MPI_INT64_T,
                          what == SOOTH_REDUCE_MAX ? MPI_MAX : MPI_SUM, mpi->comm) != MPI_SUCCESS)
            return 1;
        ++mpi->calls;
        mpi->bytes += (uint64_t)some * sizeof *value;
        done += (size_t)some;
    }
    return 0;
}

static void sooth_mpi_join(sooth_env *env, sooth_mpi *mpi) {
    int rank, ranks;
    MPI_Comm_rank(mpi->comm, &rank);
    MPI_Comm_size(mpi->comm, &ranks);
    env->reduce_fn = sooth_mpi_reduce;
    env->reduce_user = mpi;
    env->rank = (size_t)rank;
    env->ranks = (size_t)ranks;
}
#endif
