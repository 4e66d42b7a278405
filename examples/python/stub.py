#!/usr/bin/env python3
# stub.py - writes sooth.pyi: the types of the module, for mypy and editors. The parameters of an estimator
# are the library's lists of options. When these change: PYTHONPATH=examples/python python3 THIS_FILE.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
import inspect
import os
import re

import sooth

here = os.path.dirname(os.path.abspath(__file__))
HEAD = """# sooth.pyi - the types of the module sooth, written by stub.py.
# SPDX%s
# SPDX%s
""" % ("-FileCopyrightText: 2026 the sooth authors", "-License-Identifier: MIT") + '''import os
from typing import Any, Callable, Iterator, Literal, NamedTuple, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt
from typing_extensions import Self

__version__: str

class Round(NamedTuple):
    stage: str
    step: int
    loss: float
    validation_loss: float

class Explanation(NamedTuple):
    values: npt.NDArray[np.float64]
    base_values: npt.NDArray[np.float64]
    data: npt.NDArray[np.float32]
    feature_names: Optional[list[str]]
'''
# what scikit-learn's base, or ours without it, and fit add
ESTIMATOR = '''    model_: Model
    n_features_in_: int
    feature_names_in_: npt.NDArray[np.object_]
    n_iter_: int
    loss_curve_: npt.NDArray[np.float64]
    validation_loss_curve_: npt.NDArray[np.float64]
    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> Self: ...
    def score(self, X: Any, y: Any, sample_weight: Any = ...) -> float: ...
'''
MORE = {"_Estimator": ESTIMATOR, "_Classifier": "    classes_: npt.NDArray[Any]\n",
        "_Quantiles": "    oob_score_: float\n    oob_prediction_: npt.NDArray[np.float64]\n"}
BASES = ("_Estimator", "_Regressor", "_Classifier", "_Trees", "_StagedRegressor", "_StagedClassifier",
         "_Quantiles", "_Coefficients", "_Deviation", "_Boosts", "_Chosen")
WORDS = {"int": "int", "float": "float", "str": "Union[str, None]", "bool": "bool",
         "dict or list of int": "Union[dict[str, int], Sequence[int], None]",
         "int or generator": "Union[int, np.random.RandomState, np.random.Generator, None]",
         "list of float": "Union[Sequence[float], None]"}


def written(annotation):
    text = str(annotation).strip("'")
    text = re.sub(r"\bnp\.ndarray\b", "npt.NDArray[Any]", text)
    text = re.sub(r"\bos\.PathLike\b", "os.PathLike[str]", text)
    text = re.sub(r"\bOptional\[list\]", "Optional[list[str]]", text)
    text = re.sub(r"\bCallable\b(?!\[)", "Callable[..., Any]", text)
    text = re.sub(r"\btuple$", "tuple[Any, ...]", text)
    return {"list": "list[str]", "dict": "dict[str, Any]",
            "Union[str, dict]": "Union[str, dict[str, Any]]"}.get(text, text)


def function(name, value, indent="    "):
    lines = []
    for parameter in inspect.signature(value).parameters.values():
        star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        text = star + parameter.name
        if parameter.annotation is not parameter.empty:
            text += ": " + written(parameter.annotation)
        if parameter.kind == parameter.KEYWORD_ONLY and "*" not in lines:
            lines.append("*")
        if parameter.default is not parameter.empty:
            text += " = ..."
        lines.append(text)
    result = inspect.signature(value).return_annotation
    result = "None" if name == "__init__" else written(result)
    text = f"{indent}def {name}({', '.join(lines)}) -> {result}: ..."
    if len(text) > 110:
        text = (f"{indent}def {name}(\n" + "".join(f"{indent}    {line},\n" for line in lines) +
                f"{indent}) -> {result}: ...")
    return text + "\n"


def members(cls):
    out = ""
    for name, value in vars(cls).items():
        if name.startswith("_") and name not in ("__init__", "__call__", "__enter__", "__exit__"):
            continue
        if isinstance(value, property):
            out += "    @property\n" + function(name, value.fget)
        elif inspect.isfunction(value):
            out += function(name, value)
    return out


def estimator(cls):
    out = "    def __init__(\n        self,\n        *,\n"
    for name, (kind, default, _) in cls._parameters.items():
        kind, ours = re.sub(r" or callable$", "", kind), kind.endswith(" or callable")
        if kind.startswith("{"):
            kind = "Literal[" + kind[1:-1] + "]"
        else:
            kind = WORDS[kind]
        if ours:
            kind = f"Union[{kind}, Callable[..., Any]]"
        if default is None and "None" not in kind:
            kind = f"Optional[{kind}]"
        if len(kind) > 80:
            kind = re.sub(r"Literal\[.*?\]", "str", kind)
        out += f"        {name}: {kind} = ...,\n"
    return out + "    ) -> None: ...\n"


def text():
    out = HEAD
    for name in ("Reducer", "Model", "Prepared"):
        out += f"\nclass {name}:\n" + members(getattr(sooth, name))
    for name in BASES:
        cls = getattr(sooth, name)
        bases = [base.__name__ for base in cls.__bases__ if base.__name__ in BASES]
        out += f"\nclass {name}({', '.join(bases)}):\n" if bases else f"\nclass {name}:\n"
        out += MORE.get(name, "") + members(cls)
    for name in sooth.__all__:
        cls = getattr(sooth, name)
        if hasattr(cls, "_parameters"):
            bases = ", ".join(base.__name__ for base in cls.__bases__)
            out += f"\nclass {name}({bases}):\n" + estimator(cls)
    return out + "\n" + function("load", sooth.load, "") + function("expected_failed_checks",
                                                                   sooth.expected_failed_checks, "")


if __name__ == "__main__":
    with open(os.path.join(here, "sooth.pyi"), "w") as file:
        file.write(text())
