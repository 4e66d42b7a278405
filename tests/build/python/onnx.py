# onnx.py COMMAND FOLDER... - exported ONNX files in onnxruntime, against the library's own predictions: of the
# kept models in the folders, and of models of every kind that are fitted here.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
import glob
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import onnxruntime
import pandas

import sooth

command, folders = os.path.abspath(sys.argv[1]), [os.path.abspath(folder) for folder in sys.argv[2:]]
rng = np.random.default_rng(5)
work = tempfile.mkdtemp()
passed = failed = 0
refusals = {}


def check(what, holds):
    global passed, failed
    passed, failed = passed + bool(holds), failed + (not holds)
    if not holds:
        print(f"  FAILED  {what}")


def exported(path):
    """A session of one thread, which keeps the order of sums; None if the model is refused."""
    out = os.path.join(work, "m.onnx")
    said = subprocess.run([command, "export", path, "--to", "onnx", "-o", out, "--force"],
                          capture_output=True, text=True)
    if said.returncode:
        refusals[os.path.basename(path)] = said.stderr
        return None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(out, options, providers=["CPUExecutionProvider"])


def rows_of(model, count=200):
    """Rows in and around the range of training, and the texts of their categories."""
    told = model.describe(json=True)["features"]
    x, texts = np.empty((count, model.n_features), np.float32), {}
    for j in range(model.n_features):
        f = told[j] if j < len(told) else {}
        least, most = f.get("least"), f.get("most")
        least, most = (0.0, 1.0) if least is None or most is None else (least, most)
        x[:, j] = least + (most - least) * (1.3 * rng.random(count) - 0.15)
        levels = model._levels_of(j)
        if levels is not None:
            names = levels.names + ["never seen", ""]
            texts[j] = np.array([names[k] for k in rng.integers(len(names), size=count)], object)
            x[:, j] = [levels.code(name) for name in texts[j]]
    if "category_sets" in model.describe(json=True) and not texts:
        x = np.floor(x)  # codes of categories, of which the file has no names
    if model.describe(json=True)["model"] in ("tree", "forest", "boost"):
        holes = rng.random(x.shape) < 0.1
        holes[:, list(texts)] = False
        x[holes] = np.nan
    return x, texts


def asked(session, x, texts):
    inputs = session.get_inputs()
    if [i.name for i in inputs] == ["X"] and not texts:
        return session.run(None, {"X": x})[0]
    columns = {i.name: (texts[j] if j in texts else x[:, j]).reshape(-1, 1) for j, i in enumerate(inputs)}
    return session.run(None, columns)[0]


def compare(what, path, exact, bound=None):
    """exact: the same bits. Else within bound(rows, library) or 4 ulp of the largest term."""
    session = exported(path)
    if session is None:
        return None
    with open(path, "rb") as file:
        model = sooth.Model(file.read())
    x, texts = rows_of(model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = model.predict_rows(x).reshape(len(x), -1)
    theirs = asked(session, x, texts)
    same = theirs.shape == ours.shape and theirs.dtype == np.float32
    if exact:
        wrong = np.flatnonzero((ours.view(np.uint32) != theirs.view(np.uint32)).any(axis=1)) if same else [0]
        check(f"{what}: {len(wrong)} of {len(x)} rows have other bits: "
              f"{ours[wrong[:2]].ravel()} {theirs[wrong[:2]].ravel()}", same and len(wrong) == 0)
        return model
    off = np.nanmax(np.abs(ours - theirs.astype(np.float64)))
    check(f"{what}: off by {off}, at most {bound} is allowed",
          same and off <= bound and (np.isnan(ours) == np.isnan(theirs)).all())
    return model
