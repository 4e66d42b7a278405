/* mpi.c - one factorisation over several processes; all begin with the model that one has fitted.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     mpirun -np 2 build/starpu/mpi FOLDER HOST [TILES [SIZE]]
 *
 * Process 0 reads the sampling files of `cholesky --sample` and fits a law to each kernel on a CPU. A model
 * is one block of bytes without pointers. So it is sent in one MPI_Bcast and checked on arrival. From then on
 * each process learns from its own runs. Tile (i, j) belongs to process (i + j) mod processes. A task runs at
 * the process of the tile that it writes, and StarPU-MPI moves the others.
 */
#define SOOTH_IMPLEMENTATION
#include <mpi.h>

#include "samples.h"
#include "sooth_starpu.h"
#include "tiles.h"
#include <starpu_mpi.h>

enum { MOST_TILES = 16 };
static sooth_starpu learned[TILES_KERNELS];
static struct starpu_codelet codelet[TILES_KERNELS];
static starpu_data_handle_t handle[MOST_TILES * MOST_TILES];
static double *tile[MOST_TILES * MOST_TILES];

/* On process 0 the contents of the files, elsewhere those received from it. */
static sooth_linear *share_law(int rank, const char *folder, const char *kernel, const char *host) {
    static expected e;
    static samples_file file;
    sooth_linear *law = NULL;
    uint32_t bytes = 0;
    if (rank == 0) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s_nl.%s", folder, kernel, host);
        if (!samples_read(&file, path)) fprintf(stderr, "mpi: %s\n", file.sentence);
        else if (samples_of(&file, SAMPLES_CPU)) {
            memset(&e, 0, sizeof e);
            samples_learn(&e, &file, samples_of(&file, SAMPLES_CPU));
            law = e.law;
            bytes = law ? law->head.size : 0;
        }
    }
    MPI_Bcast(&bytes, 1, MPI_UINT32_T, 0, MPI_COMM_WORLD);
    if (bytes == 0) MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank) law = (sooth_linear *)malloc(bytes); /* what sooth_linear_free(NULL, law) frees */
    MPI_Bcast(law, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (!sooth_linear_check(law, bytes)) MPI_Abort(MPI_COMM_WORLD, 1);
    return law;
}

static void insert(struct starpu_codelet *cl, int kernel, starpu_data_handle_t a, starpu_data_handle_t b,
                   starpu_data_handle_t c) {
    const int priority = tiles_priority[kernel];
    if (!b) starpu_mpi_task_insert(MPI_COMM_WORLD, cl, STARPU_RW, a, STARPU_PRIORITY, priority, 0);
    else if (!c)
        starpu_mpi_task_insert(MPI_COMM_WORLD, cl, STARPU_R, a, STARPU_RW, b, STARPU_PRIORITY, priority, 0);
    else
        starpu_mpi_task_insert(MPI_COMM_WORLD, cl, STARPU_R, a, STARPU_R, b, STARPU_RW, c, STARPU_PRIORITY,
                               priority, 0);
}

int main(int argc, char **argv) {
    const int tiles = argc > 3 ? atoi(argv[3]) : 6, n = argc > 4 ? atoi(argv[4]) & ~7 : 160;
    const size_t bytes = (size_t)n * (size_t)n * sizeof(double);
    sooth_linear *law[TILES_KERNELS];
    struct starpu_conf conf;
    uint64_t ran = 0;
    int rank, processes, threads;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &threads);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    if (argc < 3 || tiles < 1 || tiles > MOST_TILES || n < 8) {
        if (rank == 0) fprintf(stderr, "usage: mpirun -np 2 mpi FOLDER HOST [TILES [SIZE]]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int k = 0; k < TILES_KERNELS; ++k) law[k] = share_law(rank, argv[1], tiles_name[k], argv[2]);
    setenv("STARPU_PERF_MODEL_DIR", "build/starpu/processes", 0); /* no OpenCL: another bus */
    tiles_surroundings();
    openblas_set_num_threads(1);
    starpu_conf_init(&conf);
    conf.sched_policy = sooth_starpu_policy("dmda");
    conf.nopencl = 0;
    if (starpu_mpi_init_conf(&argc, &argv, 0, MPI_COMM_WORLD, &conf)) MPI_Abort(MPI_COMM_WORLD, 77);
    starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
    const struct starpu_perfmodel_arch *cpu = starpu_worker_get_perf_archtype(0, 0);
    const int at = SOOTH_STARPU_AT(cpu, 0);
    struct starpu_perfmodel *model[TILES_KERNELS];
    for (int k = 0; k < TILES_KERNELS; ++k) {
        learned[k].model.type = STARPU_PER_ARCH;
        learned[k].model.arch_cost_function = sooth_starpu_cost;
        learned[k].model.symbol = tiles_name[k];
        learned[k].on[at].law = law[k];
        model[k] = &learned[k].model;
    }
    tiles_codelets(codelet, model);
    const double before = expected_known(&learned[TILES_GEMM].on[at], 0, 3.0 * (double)bytes);
    for (int i = 0; i < tiles; ++i)
        for (int j = 0; j <= i; ++j) {
            const int t = i * tiles + j, owner = (i + j) % processes;
            tile[t] = (double *)malloc(bytes);
            if (owner == rank) tiles_fill(tile[t], n, i, j, tiles * n);
            starpu_matrix_data_register(&handle[t], owner == rank ? STARPU_MAIN_RAM : -1,
                                        owner == rank ? (uintptr_t)tile[t] : 0, (uint32_t)n, (uint32_t)n,
                                        (uint32_t)n, sizeof(double));
            starpu_mpi_data_register(handle[t], t, owner);
        }
    tiles_cholesky(codelet, handle, tiles, insert);
    starpu_task_wait_for_all();
    for (int i = 0; i < tiles; ++i)
        for (int j = 0; j <= i; ++j) starpu_mpi_get_data_on_node(MPI_COMM_WORLD, handle[i * tiles + j], 0);
    for (int i = 0; i < tiles; ++i)
        for (int j = 0; j <= i; ++j) {
            const int t = i * tiles + j;
            if (rank == 0) {
                starpu_data_acquire(handle[t], STARPU_R);
                const double *from = (const double *)starpu_matrix_get_local_ptr(handle[t]);
                const size_t ld = starpu_matrix_get_local_ld(handle[t]);
                for (int column = 0; from != tile[t] && column < n; ++column)
                    memcpy(tile[t] + (size_t)column * (size_t)n, from + (size_t)column * ld,
                           (size_t)n * sizeof(double));
                starpu_data_release(handle[t]);
            }
            starpu_data_unregister(handle[t]);
        }
    for (int k = 0; k < TILES_KERNELS; ++k)
        if (learned[k].on[at].recorder) ran += learned[k].on[at].recorder->observed;
    printf("process %d of %d: began with laws of %u bytes, expected a gemm of %d to take %.0f us, learned "
           "from %u"
           " tasks\n",
           rank, processes, (unsigned)law[0]->head.size, n, before, (unsigned)ran);
    if (rank == 0) printf("residual %.2e\n", tiles_residual(tile, n, tiles));
    starpu_mpi_shutdown();
    MPI_Finalize();
    return 0;
}
