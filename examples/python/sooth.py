# sooth.py - the models of sooth as estimators of scikit-learn, in one file over the shared library.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
"""Predict what running something will cost: time, power, slowdown.

    import sooth
    model = sooth.Boost(n_estimators=200, interval=0.9).fit(X, y, groups=program)
    model.predict(X_new)             # float32, the same bits as the C library and the `sooth` command
    model.predict_interval(X_new)    # least and most, for programs never seen
    model.explain(X_new)             # SHAP values, as shap.plots takes them
    model.save("power.sooth")        # what `sooth predict`, `sooth export` and the C library read

Tree, Forest, ExtraTrees, Boost, Linear, MLP, SVR, Gauss, SOFNN and Scaling are regressors, BoostClassifier
and MLPClassifier tell the probability of two classes, Model is what a file holds. Their parameters are the
options of the library under the same names (`lambda` is `lambda_`), generated from its own lists:
help(sooth.Boost) has them with their meaning. It needs numpy; scikit-learn and pandas are used where they
are.
"""
import ctypes
import inspect
import json as _json
import keyword
import os
import warnings
from collections import namedtuple
from contextlib import contextmanager

import numpy as np

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.exceptions import ConvergenceWarning, DataConversionWarning
    from sklearn.utils.multiclass import check_classification_targets, type_of_target
    from sklearn.utils.validation import _check_sample_weight, check_is_fitted
    try:
        from sklearn.utils.validation import validate_data as _validate
    except ImportError:  # before 1.6

        def _validate(estimator, *X_and_y, **how):
            how["force_all_finite"] = how.pop("ensure_all_finite")
            return estimator._validate_data(*X_and_y, **how)
    _SKLEARN = True
except ImportError:
    _SKLEARN = False
    ConvergenceWarning = DataConversionWarning = UserWarning

    class BaseEstimator:
        """What little of scikit-learn's base the estimators need where it is not installed."""

        def get_params(self, deep=True):
            return {name: getattr(self, name) for name in self._defaults}

        def set_params(self, **params):
            for name, value in params.items():
                if name not in self._defaults:
                    raise ValueError(f"there is no parameter {name} of {type(self).__name__}")
                setattr(self, name, value)
            return self

    class RegressorMixin:
        def score(self, X, y, sample_weight=None):
            y = np.asarray(y, np.float64)
            off = np.average((y - self.predict(X)) ** 2, weights=sample_weight, axis=0)
            around = np.average((y - np.average(y, weights=sample_weight, axis=0)) ** 2,
                                weights=sample_weight, axis=0)
            return float(np.mean(1 - off / around))

    class ClassifierMixin:
        def score(self, X, y, sample_weight=None):
            return float(np.average(self.predict(X) == np.asarray(y), weights=sample_weight))


# ---- the library ----

_CALLS = 1  # the sooth_call_version that this file is written for
_here = os.path.dirname(os.path.abspath(__file__))


def _open_library():
    names = ("libsooth.so.0", "libsooth.0.dylib", "libsooth-0.dll")
    folders = [os.path.join(_here, "sooth.libs"), _here,
               os.path.join(_here, os.pardir, os.pardir, "build", "lib")]
    paths = [os.path.join(folder, name) for folder in folders for name in names]
    given = os.environ.get("SOOTH_LIBRARY")
    for path in [given] if given else paths:
        if given or os.path.exists(path):
            return ctypes.CDLL(path)
    raise ImportError("libsooth is not beside sooth.py; `make lib` builds it, and SOOTH_LIBRARY may name it")


_library = _open_library()
_text, _size, _pointer, _int = ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_int


def _call(name, result, *arguments):
    function = getattr(_library, "sooth_call_" + name)
    function.restype, function.argtypes = result, arguments
    return function


_c_version = _call("version", ctypes.c_uint)
if _c_version() != _CALLS:
    raise ImportError(f"libsooth has version {_c_version()} of its calls, but sooth.py is for {_CALLS}")
_c_release = _call("release", _text)
_c_status = _call("status", _text, _int)
_c_open = _call("open", _pointer, _size)
_c_close = _call("close", None, _pointer)
_c_sentence = _call("sentence", _text, _pointer)
_c_model = _call("model", _text, _size, _pointer, _pointer)
_c_option = _call("option", _int, _text, _size, *[_pointer] * 8)
_c_learns = _call("learns", _int, _text, _size)
_c_fit = _call("fit", _int, _pointer, _text, _pointer, _size, _size, _pointer, _size, *[_pointer] * 5)
_c_steps = _call("steps", _size, _pointer)
_c_load = _call("load", _int, _pointer, _text, _size, _pointer)
_c_free = _call("free", None, _pointer)
_c_block = _call("size", _size, _pointer)
_c_features = _call("features", _size, _pointer)
_c_targets = _call("targets", _size, _pointer)
_c_has_interval = _call("has_interval", _int, _pointer)
_c_name = _call("name", _text, _pointer, _size)
_c_predict = _call("predict", _int, _pointer, _pointer, _pointer, _size, _pointer)
_c_interval = _call("interval", _int, _pointer, _pointer, _pointer, _size, _pointer, _pointer)
_c_trust = _call("trust", None, _pointer, _pointer, _size, _pointer)
_c_shap = _call("shap", _int, _pointer, _pointer, _pointer, _size, _pointer, _size, _pointer, _pointer)
_c_importance = _call("importance", _int, *[_pointer] * 3)
_c_describe = _call("describe", _text, _pointer, _pointer, _int)
_save = _library.sooth_model_save
_save.restype, _save.argtypes = None, (_pointer, _pointer)

__version__ = _c_release().decode()


@contextmanager
def _session(n_jobs):
    """A session with so many workers: None is 1, -1 all processors."""
    workers = 1 if n_jobs is None else 0 if n_jobs == -1 else n_jobs
    if not isinstance(workers, (int, np.integer)) or workers < 0 or n_jobs == 0:
        raise ValueError(f"n_jobs is {n_jobs!r}, but must be None, -1 or a number of workers")
    session = _c_open(int(workers))
    if not session:
        raise MemoryError(f"no memory or threads for n_jobs={n_jobs}")
    try:
        yield session
    finally:
        _c_close(session)


def _check(session, status):
    """Raises what a status stands for, with the library's sentence."""
    name = _c_status(status).decode()
    if name == "SOOTH_OK":
        return
    sentence = _c_sentence(session).decode(errors="replace")
    if name == "SOOTH_NOT_CONVERGED":
        warnings.warn(sentence, ConvergenceWarning, stacklevel=4)
    elif name == "SOOTH_NO_MEMORY":
        raise MemoryError(sentence)
    else:
        raise ValueError(sentence)


def _at(array):
    return None if array is None else array.ctypes.data


def _texts(names):
    """An array of C strings; keep it while it is used."""
    return None if names is None else (_text * len(names))(*[str(name).encode() for name in names])


# ---- a model, as a file holds it ----

Explanation = namedtuple("Explanation", "values base_values data feature_names")


class Model:
    """A fitted model: one block of bytes, the same in a file, in a pickle and in a C program.

    Model(bytes) copies and checks them; sooth.load(path) reads a file. It may be used by several threads.
    """

    def __init__(self, data):
        self._model = _pointer()
        data = bytes(data)
        with _session(None) as session:
            _check(session, _c_load(session, data, len(data), ctypes.byref(self._model)))

    @classmethod
    def _of(cls, pointer):
        model = cls.__new__(cls)
        model._model = pointer
        return model

    def __del__(self):
        if getattr(self, "_model", None):
            _c_free(self._model)

    def __reduce__(self):
        return Model, (self.bytes,)

    @property
    def bytes(self):
        """What the file of the model holds."""
        out = ctypes.create_string_buffer(_c_block(self._model))
        _save(self._model, out)
        return out.raw

    def save(self, path):
        with open(path, "wb") as file:
            file.write(self.bytes)

    @property
    def n_features(self):
        return _c_features(self._model)

    @property
    def n_targets(self):
        return _c_targets(self._model)

    @property
    def feature_names(self):
        """The names of the features, None where the model knows none."""
        names = [_c_name(self._model, i).decode(errors="replace") for i in range(self.n_features)]
        return names if any(names) else None

    @property
    def target_names(self):
        first = self.n_features
        names = [_c_name(self._model, first + i).decode(errors="replace") for i in range(self.n_targets)]
        return names if any(names) else None

    def _rows(self, X):
        """Rows of floats; the columns of a DataFrame are found by their names."""
        if hasattr(X, "columns") and self.feature_names:
            missing = [name for name in self.feature_names if name not in X.columns]
            if missing:
                raise ValueError("the model wants columns that are not there: " + ", ".join(missing))
            X = X[self.feature_names]
        X = np.ascontiguousarray(X, np.float32)
        if X.ndim != 2 or X.shape[1] != self.n_features:
            raise ValueError(f"X has the shape {X.shape}, but must have rows of {self.n_features} features")
        return X

    def predict(self, X, n_jobs=None):
        """One float32 for each row, or one for each target of each row."""
        X = self._rows(X)
        out = np.empty((len(X), self.n_targets), np.float32)
        with _session(n_jobs) as session:
            _check(session, _c_predict(session, self._model, _at(X), len(X), _at(out)))
        return out[:, 0] if self.n_targets == 1 else out

    def predict_interval(self, X, n_jobs=None):
        """Least and most of each row, n x 2, for the share that the model was fitted with (interval=0.9)."""
        X = self._rows(X)
        low, high = np.empty(len(X), np.float32), np.empty(len(X), np.float32)
        with _session(n_jobs) as session:
            _check(session, _c_interval(session, self._model, _at(X), len(X), _at(low), _at(high)))
        return np.column_stack((low, high))

    def trust(self, X, n_jobs=None):
        """0 for rows inside of what the model saw in training, 1 at its edge (by a tenth of a range at most),
        2 outside."""
        X = self._rows(X)
        out = np.empty(len(X), np.uint32)
        _c_trust(self._model, _at(X), len(X), _at(out))
        return out

    def shap_values(self, X, background=None, n_jobs=None):
        """explain(...).values."""
        return self._shap(self._rows(X), background, n_jobs)[0]

    def explain(self, X, background=None, n_jobs=None):
        """SHAP values of trees, forests and boosting: exact, path-dependent, or against background rows.

        A shap.Explanation where shap is installed, else a tuple with the same fields: values (rows x
        features, of several targets x targets), base_values, data, feature_names. They add up to what the
        model says before a link function or a transform of its target: the log odds, the logarithm.
        """
        rows = self._rows(X)
        values, expected = self._shap(rows, background, n_jobs)
        base = np.full(len(rows), expected) if np.ndim(expected) == 0 else np.tile(expected, (len(rows), 1))
        try:
            from shap import Explanation as make
        except ImportError:
            make = Explanation
        return make(values=values, base_values=base, data=rows, feature_names=self.feature_names)

    def _shap(self, rows, background, n_jobs):
        behind = None if background is None else self._rows(background)
        phi = np.empty((len(rows), self.n_targets, self.n_features))
        expected = np.empty(self.n_targets)
        with _session(n_jobs) as session:
            _check(session, _c_shap(session, self._model, _at(rows), len(rows), _at(behind),
                                    0 if behind is None else len(behind), _at(phi), _at(expected)))
        if self.n_targets == 1:
            return phi[:, 0, :], float(expected[0])
        return phi.transpose(0, 2, 1), expected

    def importance(self):
        """Impurity-based importance of each feature, of trees, forests and boosting; it adds up to 1."""
        out = np.empty(self.n_features)
        with _session(None) as session:
            _check(session, _c_importance(session, self._model, _at(out)))
        return out

    def describe(self, json=False):
        """What the model is, learned and costs, as `sooth describe` tells it; json=True: as a dict."""
        with _session(None) as session:
            text = _c_describe(session, self._model, int(json))
            if text is None:
                raise MemoryError("no memory for the description of a model")
            text = text.decode(errors="replace")
        return _json.loads(text) if json else text


def load(path):
    """The model in a file that the `sooth` command, a C program or save() has written."""
    with open(path, "rb") as file:
        return Model(file.read())


# ---- estimators ----

_Option = namedtuple("_Option", "name type least most default choices help")


def _options(model):
    """The library's list of a model's options."""
    found = []
    name, choices, help_ = _text(), _text(), _text()
    kind, given = _int(), _int()
    least, most, value = ctypes.c_double(), ctypes.c_double(), ctypes.c_double()
    out = [ctypes.byref(v) for v in (name, kind, least, most, value, given, choices, help_)]
    while _c_option(model.encode(), len(found), *out):
        words = choices.value.decode().split("|")
        if given.value:
            default = None
        elif kind.value == 2:
            default = words[int(value.value)]
        else:
            default = int(value.value) if kind.value == 0 else value.value
        found.append(_Option(name.value.decode(), kind.value, least.value, most.value, default, words,
                             help_.value.decode()))
    return found


def _parameter(name):
    return name + "_" if keyword.iskeyword(name) else name


class _Estimator(BaseEstimator):
    """What regressors and classifiers share; a class for each model is made below."""

    _kind = _plan = None  # "boost"; words that always stand in its plan
    _missing = False      # takes missing values
    _several = False      # learns several targets at once

    def _words(self):
        """The plan of fit.h: the model, and what differs from its defaults."""
        words = [self._kind]
        if self._plan:
            words.append(self._plan)
        for name, default in self._defaults.items():
            value = getattr(self, name)
            if name == "n_jobs" or value is None or (type(value) is type(default) and value == default):
                continue
            if isinstance(value, (bool, np.bool_)):
                value = int(value)
            value = repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)
            if not value or " " in value:
                raise ValueError(f"{name} is {value!r}, but must be one word")
            # scikit-learn takes who has an attribute `transform` for a transformer
            words.append(("transform" if name == "transforms" else name.rstrip("_")) + "=" + value)
        return " ".join(words)

    def _check_rows(self, X, y=None, fit=False):
        if fit and y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        if not _SKLEARN:
            return self._check_rows_alone(X, y, fit)
        how = dict(dtype=np.float32, order="C", ensure_all_finite="allow-nan" if self._missing else True)
        if not fit:
            return _validate(self, X, reset=False, **how)
        return _validate(self, X, y, multi_output=True, y_numeric=self._numbers, **how)

    def _check_rows_alone(self, X, y, fit):
        names = [str(name) for name in X.columns] if hasattr(X, "columns") else None
        X = np.ascontiguousarray(X, np.float32)
        if X.ndim != 2:
            raise ValueError(f"X has {X.ndim} dimensions, but must have 2")
        if fit:
            self.n_features_in_ = X.shape[1]
            if names:
                self.feature_names_in_ = np.array(names, object)
        elif X.shape[1] != self.n_features_in_ or (names and names != list(getattr(
                self, "feature_names_in_", names))):
            raise ValueError("X has other columns than in fit")
        return (X, np.asarray(y)) if fit else X

    def _fit(self, X, y, sample_weight, groups, target_names):
        weight = sample_weight
        if weight is not None:
            weight = _check_sample_weight(weight, X) if _SKLEARN else weight
            weight = np.ascontiguousarray(weight, np.float32)
        if groups is not None:  # numbered as they appear
            _, first, groups = np.unique(np.asarray(groups), return_index=True, return_inverse=True)
            groups = np.ascontiguousarray(np.argsort(np.argsort(first))[groups.ravel()], np.uint32)
        for what, array in (("sample_weight", weight), ("groups", groups)):
            if array is not None and array.shape != (len(X),):
                raise ValueError(f"{what} has the shape {array.shape}, but X has {len(X)} rows")
        y = np.ascontiguousarray(y, np.float32)
        names, targets = _texts(getattr(self, "feature_names_in_", None)), _texts(target_names)
        model = _pointer()
        with _session(self.n_jobs) as session:
            status = _c_fit(session, self._words().encode(), _at(X), X.shape[0], X.shape[1], _at(y),
                            1 if y.ndim == 1 else y.shape[1], _at(weight), _at(groups), names, targets,
                            ctypes.byref(model))
            if model:
                self.model_ = Model._of(model)
                if "max_iter" in self._defaults:
                    self.n_iter_ = _c_steps(session)
            _check(session, status)
            if not model:
                raise ValueError(_c_sentence(session).decode(errors="replace"))
        return self

    def __sklearn_is_fitted__(self):
        return hasattr(self, "model_")

    def _fitted(self):
        if _SKLEARN:
            check_is_fitted(self, "model_")
        elif not hasattr(self, "model_"):
            raise ValueError(f"this {type(self).__name__} has not been fitted")
        return self.model_

    def _ask(self, what, X, *more):
        model = self._fitted()
        return getattr(model, what)(self._check_rows(X), *more, n_jobs=self.n_jobs)

    def trust(self, X):
        """See Model.trust."""
        return self._ask("trust", X)

    def shap_values(self, X, background=None):
        """See Model.shap_values."""
        return self._ask("shap_values", X, None if background is None else self._check_rows(background))

    def explain(self, X, background=None):
        """See Model.explain."""
        return self._ask("explain", X, None if background is None else self._check_rows(background))

    def describe(self, json=False):
        """See Model.describe."""
        return self._fitted().describe(json)

    def save(self, path):
        """Writes the model's file: what `sooth predict` and sooth.load read."""
        self._fitted().save(path)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._missing
        tags.target_tags.multi_output = self._several
        return tags

    def _more_tags(self):  # before 1.6
        return {"allow_nan": self._missing, "multioutput": self._several, "binary_only": not self._numbers}


class _Trees:
    @property
    def feature_importances_(self):
        """The impurity-based importance of each feature; it adds up to 1."""
        return self._fitted().importance()


class _Regressor(RegressorMixin, _Estimator):
    _numbers = True

    def fit(self, X, y, sample_weight=None, groups=None):
        """Learns from rows X (n x features) and targets y (n, or n x targets). groups: which rows are of one
        program: interval, and what holds rows out, then treat it as a whole."""
        names = [y.name] if getattr(y, "name", None) is not None else getattr(y, "columns", None)
        X, y = self._check_rows(X, y, fit=True)
        if y.ndim == 2 and y.shape[1] == 1:
            warnings.warn("A column-vector y was passed when a 1d array was expected",
                          DataConversionWarning, stacklevel=2)
            y = y[:, 0]
        return self._fit(X, y, sample_weight, groups, names)

    def predict(self, X):
        """One number for each row, or one for each target of each row: the model's float32, in doubles."""
        return self._ask("predict", X).astype(np.float64)

    def predict_interval(self, X):
        """Least and most of each row, n x 2, for the share in the parameter interval; with groups in fit of
        programs never seen, else of more rows like these."""
        return self._ask("predict_interval", X)


class _Classifier(ClassifierMixin, _Estimator):
    _numbers = False
    _plan = "loss=logistic"

    def fit(self, X, y, sample_weight=None, groups=None):
        """Learns the probability of the second of two classes from rows X and labels y."""
        X, y = self._check_rows(X, y, fit=True)
        if _SKLEARN:
            check_classification_targets(y)
            if y.ndim == 2 and y.shape[1] == 1:
                warnings.warn("A column-vector y was passed when a 1d array was expected",
                              DataConversionWarning, stacklevel=2)
            if type_of_target(y) not in ("binary", "unknown"):
                raise ValueError("Only binary classification is supported. The type of the target is "
                                 f"{type_of_target(y)}.")
        y = np.ravel(y)
        self.classes_, label = np.unique(y, return_inverse=True)
        if len(self.classes_) != 2:
            raise ValueError(f"y has {len(self.classes_)} class{'es' * (len(self.classes_) != 1)}, "
                             "but must have two")
        return self._fit(X, label, sample_weight, groups, None)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def predict_proba(self, X):
        """The probabilities of classes_[0] and classes_[1], n x 2."""
        one = self._ask("predict", X).astype(np.float64)
        return np.column_stack((1 - one, one))

    def predict(self, X):
        """The likelier class of each row."""
        second = self.predict_proba(X)[:, 1] > 0.5
        return self.classes_[second.astype(int)]


def _make(name, kind, base, shared, **more):
    """The class of a model: its parameters are the library's options, and the words of fit.h."""
    lines, defaults = [], {}

    def add(parameter, default, text):
        defaults[parameter] = default
        lines.append(f"    {parameter} : default {default!r}\n        {text}")

    fixed = (more.get("_plan") or base._plan or "").split("=")[0]
    for o in _options(kind):
        if o.name == fixed:
            continue
        text = o.help + ("; one of " + ", ".join(o.choices) if o.type == 2 else "")
        add(_parameter(o.name), o.default, text)
    for parameter, (default, text) in shared.items():
        if parameter not in defaults:
            add(parameter, default, text)

    def __init__(self, **params):
        for parameter, default in defaults.items():
            setattr(self, parameter, params.pop(parameter, default))
        if params:
            raise TypeError(f"{name} has no parameter {', '.join(params)}; it has {', '.join(defaults)}")

    __init__.__signature__ = inspect.Signature(
        [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)] +
        [inspect.Parameter(parameter, inspect.Parameter.KEYWORD_ONLY, default=default)
         for parameter, default in defaults.items()])
    title = more.pop("title")
    doc = f"{title}\n\nParameters, with the names of the library's options; None is the default:\n\n"
    members = dict(more, __init__=__init__, __doc__=doc + "\n".join(lines), __module__=__name__, _kind=kind,
                   _defaults=defaults, _several=base is _Regressor and bool(_c_learns(kind.encode(), 2)))
    return type(name, (_Trees, base) if kind in _TREES else (base,), members)


_TREES = ("tree", "forest", "extratrees", "boost")
_SHARED = {
    "transforms": (None, "of features and target: a list of standard, minmax, robust, none, log, clip, "
                         "log-target"),
    "seed": (0, "of all draws"),
    "n_jobs": (None, "workers: None is 1, -1 all processors; the model is the same with any"),
}
_INTERVAL = {
    "interval": (None, "the share that predict_interval holds, 0.9; None: there is none"),
    "folds": (None, "most models that interval fits besides; None is 20"),
}
_CALIBRATE = {
    "calibrate": (None, "sigmoid or isotonic: makes the probability hold of rows, with groups of programs, "
                        "that were left out"),
    "folds": (None, "most models that calibrate fits besides; None is 20"),
}


def _regressor(name, kind, title):
    return _make(name, kind, _Regressor, {**_INTERVAL, **_SHARED}, title=title, _missing=kind in _TREES)


def _classifier(name, kind, title):
    return _make(name, kind, _Classifier, {**_CALIBRATE, **_SHARED}, title=title, _missing=kind in _TREES)


Linear = _regressor("Linear", "linear", "Linear regression: least squares, ridge, non-negative, Huber.")
Tree = _regressor("Tree", "tree", "Regression tree.")
Forest = _regressor("Forest", "forest", "Random forest.")
ExtraTrees = _regressor("ExtraTrees", "extratrees", "Extremely randomised trees.")
Boost = _regressor("Boost", "boost", "Gradient boosting of trees.")
MLP = _regressor("MLP", "mlp", "Neural network.")
SVR = _regressor("SVR", "svr", "Support vector regression.")
Gauss = _regressor("Gauss", "gauss", "Gaussian process.")
SOFNN = _regressor("SOFNN", "sofnn", "Self-organising fuzzy network.")
Scaling = _regressor("Scaling", "scaling",
                     "Law of threads and frequency; the columns are threads, frequency, speed.")
BoostClassifier = _classifier("BoostClassifier", "boost", "Gradient boosting of trees, for two classes.")
MLPClassifier = _classifier("MLPClassifier", "mlp", "Neural network, for two classes.")

__all__ = ["Linear", "Tree", "Forest", "ExtraTrees", "Boost", "MLP", "SVR", "Gauss", "SOFNN", "Scaling",
           "BoostClassifier", "MLPClassifier", "Model", "Explanation", "load"]
