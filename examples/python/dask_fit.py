#!/usr/bin/env python3
# dask_fit.py [FILE.csv TARGET] - one model of rows that the workers of a Dask cluster hold.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
"""Each worker reads its own rows and all of them learn together: rows stay where they are, and the model is,
to the byte, that of one process with all rows. Here the cluster is three processes of this machine;
Client("scheduler:8786") would be another. Needs numpy, pandas, scikit-learn and distributed (Dask)."""
import os
import secrets
import socket
import sys

import pandas
from distributed import Client, LocalCluster

import sooth

here = os.path.dirname(os.path.abspath(__file__))
path, target = sys.argv[1:3] if len(sys.argv) > 2 else (
    os.path.join(here, os.pardir, "scale", "data", "titanx.csv"), "power_w")


def shard(rank, ranks):
    """The rows of one process, in the order of the file; a path must say the same on every worker."""
    rows = pandas.read_csv(path).select_dtypes("number")
    rows = rows.iloc[len(rows) * rank // ranks:len(rows) * (rank + 1) // ranks]
    return rows.drop(columns=target), rows[target]


def learn(rank, ranks, address, key):
    """What every worker does; each could return the model, one is enough."""
    with sooth.Reducer(rank, ranks, address, key) as reduce:
        model = sooth.Boost(n_estimators=50, max_depth=4).fit_shard(*shard(rank, ranks), reduce)
    return model.model_.bytes


def free_port():
    with socket.socket() as one:
        one.bind(("", 0))
        return one.getsockname()[1]


if __name__ == "__main__":
    with LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None) as cluster, \
            Client(cluster) as client:
        workers = list(client.scheduler_info()["workers"])
        port = client.run(free_port, workers=workers[:1])[workers[0]]
        host = workers[0].split("//")[1].rsplit(":", 1)[0]
        key = secrets.token_bytes(32)
        # a task each, all at once: a worker that waits for another's turn would wait for ever
        tasks = [client.submit(learn, k, len(workers), (host, port), key, workers=[worker], pure=False)
                 for k, worker in enumerate(workers)]
        models = client.gather(tasks)
    alone = sooth.Boost(n_estimators=50, max_depth=4).fit(*shard(0, 1)).model_.bytes
    print(f"{len(workers)} workers, {len(models[0])} bytes each,",
          "those of one process" if set(models) == {alone} else "which differ")
    raise SystemExit(set(models) != {alone})
