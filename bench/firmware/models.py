#!/usr/bin/env python3
# models.py - a tree and a forest of scikit-learn, as sooth, emlearn and m2cgen have them: models.py FOLDER.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
# Features are whole numbers of 12 bits, as an analogue input gives them; the answer goes to about 3,000.
import os, sys
import emlearn, m2cgen, numpy as np, sklearn
from sklearn.ensemble import RandomForestRegressor
from sklearn.tree import DecisionTreeRegressor
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests/golden"))
from sklearn_to_json import to_json

os.chdir(sys.argv[1])
r = np.random.RandomState(0)
X = r.randint(0, 4096, (3000, 8)).astype(np.float32)
v = X / 4095
mean = 1000 * (np.sin(3.14 * v[:, 0] * v[:, 1]) + 2 * (v[:, 2] - .5) ** 2 + v[:, 3] + .5 * v[:, 4])
y = (mean + r.normal(0, 30, len(X))).round()
rows = r.randint(0, 4096, (100, 8)).astype(np.float32)
with open("rows.h", "w") as f:
    f.write("#define FEATURES 8\nstatic const short rows[100][FEATURES] FLASH = {\n%s};\n"
            % ",\n".join("{%s}" % ",".join("%d" % x for x in row) for row in rows))
models = dict(tree=DecisionTreeRegressor(max_depth=8, min_samples_leaf=5, random_state=0),
              forest=RandomForestRegressor(n_estimators=10, max_depth=6, random_state=0))
print("scikit-learn", sklearn.__version__, "emlearn", emlearn.__version__)
for name, m in models.items():
    m.fit(X, y)
    open(name + ".json", "w").write(to_json(m))
    np.savetxt(name + ".want", m.predict(rows))
    trees = [m] if name == "tree" else m.estimators_
    print(name, sum(t.tree_.node_count for t in trees), "nodes")
    for dtype in "float", "int16_t":
        emlearn.convert(m, method="inline", dtype=dtype).save(file="%s_%s.h" % (name, dtype), name="m")
    open(name + "_m2cgen.c", "w").write(m2cgen.export_to_c(m))
