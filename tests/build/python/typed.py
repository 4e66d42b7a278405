# typed.py - what a user of mypy --strict writes: it has no error here, and one in each line marked wrong.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
import numpy as np
import numpy.typing as npt

import sooth


def slowest(X: npt.NDArray[np.float32], y: npt.NDArray[np.float32]) -> float:
    model = sooth.Boost(n_estimators=20, loss="absolute", interval=0.9, random_state=1)
    model.fit(X, y, progress=lambda stage, done: None)
    ask = model.prepare()
    return float(model.predict_interval(X)[:, 1].max()) + float(ask(X[0])) + model.score(X, y)


def wrong(X: npt.NDArray[np.float32], y: npt.NDArray[np.float32]) -> None:
    sooth.Boost(n_estimators="many")  # wrong
    sooth.Linear(method="nonsense")  # wrong
    sooth.Boost(estimators=20)  # wrong
    sooth.Linear().fit(X, y).feature_importances_  # wrong
    sooth.Tree().fitted  # wrong


print(slowest(np.eye(20, dtype=np.float32), np.arange(20, dtype=np.float32)) > 0)
