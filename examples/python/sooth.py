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

Best, which chooses, Tree, Forest, ExtraTrees, Boost, Linear, MLP, SVR, Gauss, SOFNN and Scaling are
regressors, BoostClassifier and MLPClassifier tell the probability of two classes, Model is what a file
holds, and Reducer lets several processes that hold rows of one table learn one model. Parameters are the
options of the library under the same names (`lambda` is `lambda_`), generated from its own lists:
help(sooth.Boost) has them with their meaning. It needs numpy; scikit-learn and pandas are used where they
are.
"""
from __future__ import annotations

import ctypes
import difflib
import inspect
import json as _json
import keyword
import os
import signal
import sys
import threading
import time
import warnings
from collections import namedtuple
from contextlib import contextmanager
from decimal import Decimal
from multiprocessing import connection as _connection
from typing import Any, Callable, Iterator, Optional, Union

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

_CALLS = 5  # the sooth_call_version that this file is written for
_here = os.path.dirname(os.path.abspath(__file__))


def _open_library():
    names = ("libsooth.so.0", "libsooth.0.dylib", "libsooth-0.dll")
    folders = [_here, os.path.join(_here, os.pardir, os.pardir, "build", "lib")]
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
_c_fit = _call("fit", _int, _pointer, _text, _pointer, _size, _size, _pointer, _size, *[_pointer] * 6)
_c_refit = _call("refit", _int, _pointer, _text, _pointer, ctypes.c_double, _pointer, _size, _size, _pointer,
                 _size, *[_pointer] * 4)
_c_steps = _call("steps", _size, _pointer)
_c_monotone = _call("monotone", None, _pointer, _pointer)
_c_validation = _call("validation", None, _pointer, _pointer, _size, _pointer, _pointer)
_c_categories = _call("categories", None, _pointer, _pointer, _pointer)
_c_fail = _call("fail", _int, _pointer, _text)
_c_levels = _call("levels", _size, _pointer, _size, _pointer, _pointer)
_c_level = _call("level", _text, _pointer, _size, _size)
_c_code = _call("code", ctypes.c_float, _pointer, _size, _text)
_c_trees = _call("trees", _size, _pointer)
_double, _floats = ctypes.c_double, ctypes.POINTER(ctypes.c_float)
_tells_progress = ctypes.CFUNCTYPE(_int, _pointer, _text, _double)
_tells_history = ctypes.CFUNCTYPE(None, _pointer, _text, _size, _double, _double)
_reduces = ctypes.CFUNCTYPE(_int, _pointer, _int, ctypes.POINTER(ctypes.c_int64), _size)
_derives = ctypes.CFUNCTYPE(None, _pointer, _floats, _floats, _size, _floats, _floats)
_c_progress = _call("progress", None, _pointer, _tells_progress, _pointer)
_c_history = _call("history", None, _pointer, _tells_history, _pointer)
_c_join = _call("join", None, _pointer, _size, _size, _reduces, _pointer)
_c_loss = _call("loss", None, _pointer, _derives, _pointer, _double)
_c_load = _call("load", _int, _pointer, _text, _size, _pointer)
_c_zeros = _call("zeros", _size, _pointer, _text, _size, _pointer, _size)
_c_load_centred = _call("load_centred", _int, _pointer, _text, _size, _pointer)
_c_save_centred = _call("save_centred", _size, *[_pointer] * 4, _size)
_c_free = _call("free", None, _pointer)
_c_block = _call("size", _size, _pointer)
_c_features = _call("features", _size, _pointer)
_c_targets = _call("targets", _size, _pointer)
_c_has_interval = _call("has_interval", _int, _pointer)
_c_name = _call("name", _text, _pointer, _size)
_c_predict = _call("predict", _int, _pointer, _pointer, _pointer, _size, _pointer)
_c_interval = _call("interval", _int, _pointer, _pointer, _pointer, _size, _pointer, _pointer)
_c_staged = _call("staged", _int, _pointer, _pointer, _pointer, _size, _size, _pointer)
_c_quantiles = _call("quantiles", _int, _pointer, _pointer, _pointer, _size, _pointer, _size, _pointer)
_c_deviation = _call("deviation", _int, _pointer, _pointer, _pointer, _size, _pointer)
_c_leaves = _call("leaves", _size, _pointer, _pointer, _pointer, _size, _pointer)
_c_coefficients = _call("coefficients", _int, _pointer, _pointer, _pointer)
_c_out_of_bag = _call("out_of_bag", None, _pointer, _pointer)
_c_trust = _call("trust", None, _pointer, _pointer, _size, _pointer)
_c_shap = _call("shap", _int, _pointer, _pointer, _pointer, _size, _pointer, _size, _pointer, _pointer)
_c_importance = _call("importance", _int, *[_pointer] * 3)
_c_describe = _call("describe", _text, _pointer, _pointer, _int)
_save = _call("save", None, _pointer, _pointer)

__version__ = _c_release().decode()


def _warn(sentence, category=UserWarning):
    """Warns at the line of the caller outside this module."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals is globals():
        level, frame = level + 1, frame.f_back
    warnings.warn(sentence, category, stacklevel=level)


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
        _warn(sentence, ConvergenceWarning)
    elif name == "SOOTH_NO_MEMORY":
        raise MemoryError(sentence)
    else:
        raise ValueError(sentence)


def _at(array):
    return None if array is None else array.ctypes.data


def _texts(names):
    """An array of C strings; keep it while it is used."""
    return None if names is None else (_text * len(names))(*[str(name).encode() for name in names])


# ---- while a fit runs ----


Round = namedtuple("Round", "stage step loss validation_loss")


def _lines():
    """A progress that prints a line for every tenth of a stage."""
    last = [None]

    def tell(stage, done):
        line = f"{stage}: {int(10 * done) * 10} %"
        if line != last[0]:
            print(line, flush=True)
        last[0] = line
    return tell


class _Stopped(Exception):
    """A callback stopped the training after a round."""


class _Listener:
    """What a fit tells and asks while it runs. What Python raises meanwhile, in a callback or by Ctrl-C, is
    kept, ends the fit at its next step, and is raised once that has given back its memory."""

    def __init__(self, session):
        self.session = session
        self.error = None
        self.history = None
        self.kept = []  # the functions that the library may call

    def guarded(self, function, otherwise):
        def call(*arguments):
            try:
                return function(*arguments)
            except BaseException as error:  # nothing may pass through the library's frames
                self.error = self.error or error
                return otherwise
        return call

    def keep(self, kind, function, otherwise=None):
        self.kept.append(kind(self.guarded(function, otherwise)))
        return self.kept[-1]

    def tell_progress(self, progress):
        self.progress, self.told = progress, None

        def told(_, stage, done):
            if progress is not None and self.error is None:
                self.told = stage.decode(), done
                progress(*self.told)
            return int(self.error is not None)
        _c_progress(self.session, self.keep(_tells_progress, told, 1), None)

    def end_progress(self):
        """Progress ends at 1, of a fit that was too fast to tell any, too."""
        if self.progress is not None and (self.told is None or self.told[1] < 1):
            self.progress(self.told[0] if self.told else "fit", 1.0)

    def tell_history(self, callbacks):
        self.history = []

        def told(_, stage, step, loss, held):
            self.history.append((loss, held))
            stops = False
            for callback in callbacks if self.error is None else ():
                try:
                    stops = callback(Round(stage.decode(), step, loss, held)) or stops
                except StopIteration:
                    stops = True
            if stops:
                raise _Stopped(step)
        _c_history(self.session, self.keep(_tells_history, told), None)

    def ask_loss(self, loss, base):
        def derive(_, y, margin, rows, gradient, hessian):
            y, margin, gradient, hessian = (np.ctypeslib.as_array(a, (rows,)) for a in
                                            (y, margin, gradient, hessian))
            gradient[:], hessian[:] = 0, 1
            if self.error is not None:
                return
            first, second = loss(y.copy(), margin.copy())
            if not np.all(np.isfinite(first)) or not np.all(np.asarray(second) >= 0):
                raise ValueError("the loss must give a finite gradient, and a hessian that is 0 or more")
            gradient[:], hessian[:] = first, second
        _c_loss(self.session, self.keep(_derives, derive), None, base)

    def join(self, reduce):
        def ask(_, what, value, count):
            reduce("max" if what else "sum", np.ctypeslib.as_array(value, (count,)))
            return 0
        _c_join(self.session, reduce.rank, reduce.ranks, self.keep(_reduces, ask, 1), None)

    @contextmanager
    def interruptible(self):
        """Ctrl-C must not raise within a callback, from where it would be lost."""
        before = signal.getsignal(signal.SIGINT)
        if threading.current_thread() is not threading.main_thread() or not callable(before):
            yield
            return
        signal.signal(signal.SIGINT, self.guarded(before, None))
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


class Reducer:
    """What processes that hold rows of one table tell each other while they learn one model (fit_shard).

    Process 0 listens at an address; the others connect to it. A message goes to process 0 and what all add up
    to comes back, so what process 0 moves grows with the number of processes: meant for tens of them.
    Connections are those of multiprocessing.connection, authenticated by a key; what goes over them is not
    encrypted, and is sums, never code.

    Whatever has the attributes `rank` and `ranks`, and can be called as reduce(what, values), may stand in
    its place. `values` is an array of int64 that becomes, in every process, the sum (what is "sum", modulo
    2^64) or the greatest ("max") of those of all. With mpi4py that is

        comm.Allreduce(MPI.IN_PLACE, values, MPI.MAX if what == "max" else MPI.SUM)

    Parameters
    ----------
    rank : int
        Number of this process, from 0. Rows of process 0 come first, then those of process 1.
    ranks : int
        How many processes there are.
    address : (str, int)
        Host and port of process 0.
    authkey : bytes
        A secret that all of them know.
    timeout : float, default=60
        Seconds in which the others must have come.

    Examples
    --------
    >>> with sooth.Reducer(rank, ranks, ("node0", 7123), key) as reduce:        # in every process
    ...     model = sooth.Boost().fit_shard(my_X, my_y, reduce)                   # the same bytes in each
    """

    def __init__(self, rank: int, ranks: int, address: tuple, authkey: bytes, timeout: float = 60.0):
        if not 0 <= rank < ranks:
            raise ValueError(f"rank is {rank}, but must be between 0 and {ranks - 1}")
        self.rank, self.ranks = rank, ranks
        self._others = [None] * (ranks - 1 if rank == 0 else 1)
        end = time.monotonic() + timeout
        if rank == 0:
            self._meet(address, authkey, end)
            return
        while True:
            try:
                self._others[0] = _connection.Client(address, authkey=authkey)
                break
            except OSError:
                if time.monotonic() > end:
                    raise TimeoutError(f"rank {rank}: nobody listens at {address[0]}:{address[1]}") from None
                time.sleep(0.05)
        self._others[0].send_bytes(rank.to_bytes(4, "little"))

    def _meet(self, address, authkey, end):
        late = []
        with _connection.Listener(address, backlog=self.ranks, authkey=authkey) as listener:
            timer = threading.Timer(max(end - time.monotonic(), 0), self._give_up,
                                    (listener.address, authkey, late))
            timer.daemon = True
            timer.start()
            try:
                while None in self._others:
                    other = listener.accept()
                    rank = int.from_bytes(other.recv_bytes(4), "little")
                    if late:
                        raise TimeoutError(f"rank 0: {self._others.count(None)} of {self.ranks} did not come")
                    if not 0 < rank < self.ranks or self._others[rank - 1] is not None:
                        raise ConnectionError(f"rank {rank} of {self.ranks} came, which is not expected")
                    self._others[rank - 1] = other
            except BaseException:
                self.close()
                raise
            finally:
                timer.cancel()

    @staticmethod
    def _give_up(address, authkey, late):
        """Ends the wait of accept, which knows no time."""
        late.append(True)
        try:
            _connection.Client(address, authkey=authkey).send_bytes(b"\0\0\0\0")
        except (OSError, EOFError):
            pass

    def __call__(self, what: str, values: np.ndarray) -> None:
        """Makes values (int64) the sum or the greatest of those of all processes. One that fails ends all."""
        try:
            if self.rank:
                self._others[0].send_bytes(what.encode() + values.tobytes())
                values[:] = np.frombuffer(self._others[0].recv_bytes(), np.int64)
                return
            for other in self._others:
                message = other.recv_bytes()
                theirs = np.frombuffer(message[3:], np.int64)
                if message[:3] != what.encode() or theirs.shape != values.shape:
                    raise ValueError("another process asks for something else")
                values[:] = np.maximum(values, theirs) if what == "max" else values + theirs
            for other in self._others:
                other.send_bytes(values.tobytes())
        except BaseException as error:
            self.close()  # or the others would wait for ever
            if isinstance(error, (OSError, EOFError)):
                raise ConnectionError(f"rank {self.rank} of {self.ranks} lost the others") from error
            raise

    def close(self) -> None:
        """Ends the connections; whoever still waits for this process stops with an error."""
        for other in self._others:
            if other is not None:
                other.close()

    def __enter__(self) -> Reducer:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


# ---- columns of categories ----


def _as_it_was(category):
    """Returns a float as its float32 if that is exact and shorter: an index of pandas 1 has float64 only."""
    with np.errstate(over="ignore"):
        single = np.float32(category)
    return single if single == category and len(str(single)) < len(str(category)) else category


def _level(category):
    """Returns the name of a level: the text of the category, of a float its shortest decimal, without the
    point if it is an integer."""
    if not isinstance(category, (float, np.floating)):
        return str(category)
    if float(category).is_integer():
        return str(int(category))
    return str(float(str(_as_it_was(category))))


def _exact(groups):
    """An array of the groups; integers of a list stay integers where numpy would make them floats."""
    array = np.asarray(groups)
    if array.dtype.kind == "f" and not hasattr(groups, "dtype") and any(
            isinstance(g, (int, np.integer)) for g in groups):
        array = np.asarray(list(groups), object)
    return array


def _is_frame(X):
    return hasattr(X, "iloc") and hasattr(X, "columns")


def _is_missing(cell):
    return cell is None or type(cell).__name__ in ("NAType", "NaTType") or (
        isinstance(cell, (float, np.floating)) and cell != cell)


def _is_text(column):
    """Whether a column of a DataFrame holds texts."""
    dtype = column.dtype
    return not hasattr(dtype, "categories") and (not hasattr(dtype, "kind") or dtype.kind in "OUST") and any(
        isinstance(cell, str) for cell in column)


def _categories_of(column):
    """Returns the categories of a column, and the index of the category of each row, -1 if it is missing."""
    if isinstance(column, np.ndarray):
        place = {}
        codes = [-1 if _is_missing(cell) else place.setdefault(cell, len(place)) for cell in column.tolist()]
        return list(place), np.array(codes, int)
    if isinstance(column.dtype, np.dtype) and column.dtype.kind == "f":
        column = column.to_numpy()
        categories, codes = np.unique(column, return_inverse=True)
        return list(categories), np.where(np.isnan(column), -1, codes.ravel())
    if not hasattr(column.dtype, "categories"):
        column = column.astype("category")
    index = column.cat.categories
    return list(index.to_numpy() if index.dtype.kind == "f" else index), column.cat.codes.to_numpy()


_READ_AS_MISSING = ("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND",
                    "1.#QNAN", "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null")
_AS_TEXT = 'read the column as text: pandas.read_csv(..., dtype={{"{}": str}})'
_SPLIT = "split the column, such as into // 1048576 and % 1048576"


def _list(names, most=3):
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(f'"{name}"' for name in names[:most]) + more


class _Levels:
    """The levels of a column: their names, and the number that a row has for each."""

    def __init__(self, names, code):
        self.names, self.code, self._by = names, code, {}

    def _spelled(self, category):
        """Returns the levels that read_csv would read as the same number or truth value."""
        if isinstance(category, (bool, np.bool_)):
            read, value = str.lower, str(category).lower()
        elif isinstance(category, (int, np.integer)):
            read, value = Decimal, Decimal(int(category))
        elif isinstance(category, (float, np.floating)):
            value = np.float64(category) if type(category) is float else category
            value = value if float(value).is_integer() else _as_it_was(value)
            read = type(value)
        else:
            return []
        if read not in self._by:
            self._by[read] = {}
            for name in self.names:
                try:
                    with np.errstate(over="ignore"):
                        if "_" not in name:  # 1_000 is a number for Python alone
                            self._by[read].setdefault(read(name), []).append(name)
                except (ValueError, ArithmeticError, TypeError):
                    pass  # not a number
        return self._by[read].get(value, [])

    def nearest(self, name):
        """Returns the level most like an unknown one: the same number, the same word, or similar letters."""
        for same in (float, str.casefold):
            for known in self.names:
                try:
                    if same(name) == same(known):
                        return known
                except ValueError:
                    pass
        if len(self.names) > 5000:
            return None
        return next(iter(difflib.get_close_matches(name, self.names, 1)), None)

    def numbers(self, column, title, told):
        """Returns the number of each row as float32, NaN for missing and unknown levels. Adds to `told`
        sentences on these. A number that may stand for another level than the one of its name is refused, and
        so is one without a level in an array: pandas' code of a level is not its name."""
        categories, codes = _categories_of(column)
        number, unknown = np.full(len(categories) + 1, np.nan, np.float32), {}  # the last is of missing ones
        rows = np.bincount(codes + 1, minlength=len(categories) + 1)
        for k in np.flatnonzero(rows[1:]):
            name = _level(categories[k])
            number[k] = self.code(name)
            others = [other for other in self._spelled(categories[k]) if self.code(other) != number[k]]
            if others:
                raise ValueError(
                    f'column "{title}" has {categories[k]!s} as a number, but its levels are texts: '
                    f"{_list(others if np.isnan(number[k]) else [name] + others)}; "
                    + _AS_TEXT.format(title))
            if np.isnan(number[k]) and isinstance(column, np.ndarray) and not isinstance(categories[k], str):
                raise ValueError(
                    f'column "{title}" has {name} in an array, which is none of its levels: '
                    f"{_list(self.names)}; give the names of levels, or a DataFrame")
            if np.isnan(number[k]):
                unknown[name] = rows[k + 1]
        if unknown:
            near = dict.fromkeys(filter(None, map(self.nearest, list(unknown)[:3])))
            count = sum(unknown.values())
            cells = "1 cell" if count == 1 else f"{count} cells"
            told.append(f'column "{title}" has {cells} of unknown levels: '
                        f"{_list(list(unknown))}" + (f"; the model has {_list(list(near))}" if near else ""))
        lost = [name for name in _READ_AS_MISSING if rows[0] and not np.isnan(self.code(name))]
        if lost:
            cells = "1 missing cell" if rows[0] == 1 else f"{rows[0]} missing cells"
            told.append(f'column "{title}" has {cells}, but {_list(lost)} is a level, which '
                        "pandas.read_csv reads as missing unless keep_default_na=False")
        return number[codes]


def _refuse_texts(X):
    """Refuses texts in an array or list that has no names for them, with the cure."""
    cells = X if isinstance(X, np.ndarray) else np.array(X, dtype=object)
    for j in range(cells.shape[1] if not _is_frame(X) and cells.ndim == 2 else 0):
        for cell in cells[:, j]:
            try:
                isinstance(cell, str) and float(cell)
            except ValueError:
                raise ValueError(
                    f'column {j} (from 0) has the text "{cell}", but columns of arrays and lists are '
                    "numbers; give a DataFrame, whose columns of texts are categories") from None


def _with_codes(X, levels_of, what):
    """A DataFrame whose columns j with levels_of(j) hold the numbers of these levels as floats, NaN for
    missing and unknown ones, which a warning lists.

    levels_of(j, column): None or _Levels.
    """
    if not _is_frame(X):
        return X
    coded, told = {}, []
    for j, dtype in enumerate(X.dtypes):
        column = X.iloc[:, j]
        levels = levels_of(j, column)
        if levels is not None:
            coded[j] = levels.numbers(column, column.name, told)
        elif hasattr(dtype, "categories") or _is_text(column):
            raise ValueError(f'column "{X.columns[j]}" is of categories, but of numbers {what}')
    if told:
        _warn("; ".join(told) + "; they count as missing")
    if not coded:
        return X
    X = X.copy()
    for j, column in coded.items():
        X.isetitem(j, column)
    return X


def _with_codes_of_cells(X, levels_of, names):
    """The rows of an array or of lists with the numbers of levels: see _with_codes."""
    cells = X if isinstance(X, np.ndarray) else np.array(X, dtype=object)
    if cells.ndim != 2 or cells.shape[1] != len(names):
        return X  # what checks rows says so
    out, told = np.empty(cells.shape), []
    for j, name in enumerate(names):
        levels, column = levels_of(j), cells[:, j]
        if levels is not None:
            out[:, j] = levels.numbers(column, name, told)
        else:
            out[:, j] = [np.nan if _is_missing(cell) else cell for cell in column]
    if told:
        _warn("; ".join(told) + "; they count as missing")
    return out


class _Categories:
    """The names of the levels of columns, as they are found in a DataFrame to learn from."""

    def __init__(self, X):
        self.levels = [None] * X.shape[1] if _is_frame(X) else []
        for j, dtype in enumerate(X.dtypes if _is_frame(X) else ()):
            if hasattr(dtype, "categories"):
                self.levels[j] = self._learn(X.iloc[:, j])
            elif _is_text(X.iloc[:, j]):
                self.levels[j] = self._learn(X.iloc[:, j].astype("category"))

    @staticmethod
    def _learn(column):
        """Returns the levels of a column. A warning tells which of their names a file will not have."""
        categories, codes = _categories_of(column)
        place, used = {}, set(codes.tolist())
        for k, category in enumerate(categories):
            first = place.setdefault(_level(category), k)
            if first != k and first in used and k in used:
                raise ValueError(f'column "{column.name}" has the categories {categories[first]!r} and '
                                 f"{category!r}, which have the same name; make them texts of two names")
        floats = [c for k, c in enumerate(categories) if k in used and isinstance(c, (float, np.floating))]
        rounded = [c for c in floats if float(c).is_integer() and np.spacing(np.abs(c)) > 1]
        index, written = column.cat.categories, {}
        if index.dtype.kind in "fMm":
            cells = index.to_series().to_csv(index=False, header=False).split("\n")
            written = {_level(c): cells[k].strip() for k, c in enumerate(categories) if k in used}
        other = next(((name, cell) for name, cell in written.items() if name != cell), None)
        if rounded:
            _warn(f'column "{column.name}" has the category {_level(rounded[0])} as '
                  f"{np.dtype(type(rounded[0]))}, which rounds integers of this size; "
                  + _AS_TEXT.format(column.name))
        elif other:
            _warn(f'column "{column.name}" has the level {other[0]}, which to_csv writes as {other[1]}, '
                  'another level for the `sooth` command; make categories of integers, .astype("Int64"), or '
                  'of texts, .map(str, na_action="ignore")')
        places = {name: float(k) for k, name in enumerate(place)}
        return _Levels(list(place), lambda name: places.get(name, np.nan))

    def __bool__(self):
        return any(levels is not None for levels in self.levels)

    def number(self, X):
        """X with the places in self.levels; of another DataFrame, too."""
        return _with_codes(X, lambda j, _: self.levels[j] if self else None, "in training")

    def give(self, session):
        """To the next fit; keep what comes back until it ends."""
        mask = np.array([levels is not None for levels in self.levels], np.uint8)
        lists = [None if levels is None else _texts(levels.names) for levels in self.levels]
        level = (_pointer * len(lists))(*[ctypes.cast(t, _pointer) if t is not None else None for t in lists])
        _c_categories(session, _at(mask), level)
        return mask, lists, level


# ---- columns that floats merge: seconds since 1970, ids, bytes ----


class _Rows(np.ndarray):
    """Rows as the library takes them: categories are a model's numbers, and its zeros are subtracted."""


def _refuse_dates(X, what="a column"):
    """Refuses dates and durations, whose numbers depend on their unit. Categories may be dates."""
    def is_date(values):
        kind = getattr(getattr(values, "dtype", None), "kind", "")
        return kind in tuple("Mm") or (kind == "O" and not hasattr(values, "cat") and any(
            hasattr(v, "isoformat") or hasattr(v, "total_seconds") or hasattr(v, "to_timestamp")
            for v in np.ravel(np.asarray(values, object))))

    for j, name in enumerate(X.columns if _is_frame(X) else [getattr(X, "name", None)]):
        if is_date(X.iloc[:, j] if _is_frame(X) else X):
            name = what if name is None else f'column "{name}"'
            raise ValueError(f"{name} has dates or durations; make seconds of them, such as "
                             '(t - pandas.Timestamp("2026-01-01")).dt.total_seconds(), or a number that '
                             "counts, such as t.dt.hour")


def _plain(column):
    """Returns a column as an array of numpy's numbers, if it is one without missing values."""
    if hasattr(column, "isna") and not isinstance(column.dtype, np.dtype) and column.dtype.kind in "iuf":
        column = column.to_numpy(dtype=getattr(column.dtype, "numpy_dtype", None))
    column = np.asarray(column)
    if column.dtype.kind == "O":
        try:
            column = np.array(column.tolist())
        except (ValueError, OverflowError):
            pass
    return column if column.dtype.kind in "iuf" and column.ndim == 1 else np.empty(0)


def _minus(column, zero):
    """The numbers of a column minus zero, as float64; those of integers are exact before."""
    if hasattr(column, "isna") and (column.dtype.kind == "O" or not isinstance(column.dtype, np.dtype)):
        there, out = column.notna().to_numpy(), np.full(len(column), np.nan)
        out[there] = _minus(_plain(column[there]), zero)
        return out
    column = np.asarray(column)
    if column.dtype.kind == "O":
        column = np.array(column.tolist())
    if column.dtype.kind not in "iuf":
        column = column.astype(np.float64)
    about = column.astype(np.float64) - zero
    if column.dtype.kind == "f" or zero != int(zero):
        return about
    with np.errstate(over="ignore"):
        start = np.uint64(int(zero) % 2 ** 64)
        exact = (column.astype(np.int64).view(np.uint64) - start).view(np.int64).astype(np.float64)
    return np.where(np.abs(about) < 2.0 ** 52, exact, about)


def _is_near(least, most):
    """Whether numbers between these span at most a quarter of their size."""
    size = max(most, -least)
    return size > 0 and size >= 4 * (most - least)


def _are_near(values):
    """Whether the middle four fifths of ascending numbers are near each other; outliers such as 0 and -1 are
    not among them."""
    n = len(values)
    return n > 0 and _is_near(float(values[n // 10]), float(values[n - 1 - n // 10]))


_Merged = namedtuple("_Merged", "zero numbers floats centred near")


def _count_merged(column, zero):
    """The different numbers of a column, as they are, as float32, and as float32 from zero; and the merged
    ones, ascending."""
    numbers = np.unique(column)
    about = _minus(numbers, zero)
    single = numbers.astype(np.float32)
    same = np.flatnonzero(single[1:] == single[:-1])
    merged = np.unique(np.concatenate((same, same + 1)))
    centred = len(np.unique(about.astype(np.float32)))
    found = _Merged(zero, len(numbers), len(np.unique(single)), centred, False)
    return found, about[merged] + zero if len(merged) else merged


def _zero_of(column):
    """How many numbers of a column float32 merges, and what it should count from; None if few or none. The
    rule is that of `sooth fit`: integers of more than 22 bits, and numbers near each other."""
    coarse, column = 2.0 ** 22, _plain(column)
    if column.dtype.kind == "f":
        if column.dtype.itemsize < 8:
            return None
        column = column[np.isfinite(column)]
    if not len(column):
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        least, most = float(np.float32(column.min())), float(np.float32(column.max()))
        size = max(most, -least)
        if not np.isfinite(size) or size == 0:
            return None
        whole = column.dtype.kind != "f" or bool((column == np.floor(column)).all())
        if whole and size < coarse:
            return None
        zero = float(np.float32(least + (most - least) / 2))
        if not _is_near(least, most):
            sample = column[::(len(column) + 999) // 1000].astype(np.float32)
            sample = np.sort(sample[np.abs(sample) >= coarse] if whole else sample)
            if not _are_near(sample):
                equal = len(column) - len(np.unique(column.astype(np.float32)))
                if not whole or 100 * equal < len(column) - equal:
                    return None
            if len(sample):
                zero = float(sample[len(sample) // 2])
        found, merged = _count_merged(column, zero)
    near = _are_near(merged)
    if near and found.centred < found.numbers:
        n = len(merged)
        span = float(merged[n - 1 - n // 10]) - float(merged[n // 10])
        if not _is_near(least, most) or 10 * span < most - least:
            moved, _ = _count_merged(column, float(np.float32(merged[n // 2])))
            found = moved if moved.centred > found.centred else found
    found = found._replace(near=near, centred=found.centred if near else found.floats)
    lost = found.numbers - found.floats
    return found if lost > 0 and ((whole and near) or 100 * lost >= found.numbers) else None


def _columns(X):
    """The columns of rows that are not floats yet, without missing values; none of what is not a table."""
    if hasattr(X, "toarray") or getattr(X, "dtype", None) == np.float32:
        return []
    if _is_frame(X):
        columns = [X.iloc[:, j] for j in range(X.shape[1])]
        plain = [isinstance(c.dtype, np.dtype) and c.dtype.kind in "iuf" for c in columns]
        return [_plain(c if ready else c.dropna()) if ready or not hasattr(c, "cat") else np.empty(0)
                for c, ready in zip(columns, plain)]
    try:
        X = np.asarray(X)
    except ValueError:
        return []
    X = X[:, None] if X.ndim == 1 else X
    return [_plain(column) for column in X.T] if X.ndim == 2 and X.dtype.kind in "iufO" else []


def _zeros_of(X, allowed, what, names=None, cure=None, given=None):
    """What the columns of X count from: an array, or None if that is 0 for all. A warning names a column with
    numbers that stay merged."""
    columns = _columns(X)
    zeros = np.zeros(len(columns))
    for j, column in enumerate(columns):
        found = None if given is not None and given[j] else _zero_of(column)
        if not found:
            continue
        name = f'"{names[j]}"' if names is not None and j < len(names) else f"{j} (from 0)"
        said = f"{what} {name} has {found.numbers} different values, which "
        if allowed and found.centred > found.floats:
            zeros[j] = found.zero
            if found.centred < found.numbers:
                _warn(f"{said}are {found.centred} as float32, counted from {found.zero:.17g}; {_SPLIT}")
        elif found.near:
            _warn(f"{said}are {found.floats} as float32; "
                  + (cure or f"subtract {found.zero:.17g} from them"))
        else:
            _warn(f"{said}are {found.floats} as float32; no number to subtract keeps them apart; {_SPLIT}")
    return zeros if zeros.any() else None


def _centre(X, zeros):
    """X, whose columns count from zeros."""
    if zeros is None or not zeros.any() or isinstance(X, _Rows):
        return X
    if _is_frame(X):
        X = X.copy()
        for j in np.flatnonzero(zeros):
            X.isetitem(int(j), _minus(X.iloc[:, j], zeros[j]))
        return X
    X = np.asarray(X)
    if X.ndim == 1 and len(zeros) == 1:
        return _minus(X, zeros[0])
    if X.ndim != 2 or X.shape[1] != len(zeros):
        return X  # what checks rows says so
    out = X.astype(np.float64)
    for j in np.flatnonzero(zeros):
        out[:, j] = _minus(X[:, j], zeros[j])
    return out


# ---- a model, as a file holds it ----

Explanation = namedtuple("Explanation", "values base_values data feature_names")


class Model:
    """A fitted model: one block of bytes, the same in a file, in a pickle and in a C program.

    sooth.load(path) reads a file; an estimator has its own as `model_`. It may be used by several threads at
    once. Columns of a DataFrame are found by their names, and categories by theirs.

    Parameters
    ----------
    data : bytes
        What a file of the model holds; they are copied and checked.

    Attributes
    ----------
    bytes : bytes
        What the file of the model holds.
    n_features, n_targets : int
        Columns of a row, and numbers that a prediction has.
    feature_names, target_names : list of str or None
        None where the model knows none.
    categories : dict of str to list of str
        The levels of each feature that is a category. In to_rows(X), the k-th of them is the number k.
    """

    def __init__(self, data: bytes):
        self._model, self._zeros, self._known = _pointer(), None, {}
        data = bytes(data)
        with _session(None) as session:
            count = _c_zeros(session, data, len(data), None, 0)
            load = _c_load_centred if count else _c_load
            _check(session, load(session, data, len(data), ctypes.byref(self._model)))
            if count:
                self._zeros = np.empty(count)
                _c_zeros(session, data, len(data), _at(self._zeros), count)

    @classmethod
    def _of(cls, pointer):
        model = cls.__new__(cls)
        model._model, model._zeros, model._known = pointer, None, {}
        return model

    def _column_zeros(self):
        return None if self._zeros is None else self._zeros[:self.n_features]

    def _target_zeros(self):
        """What the targets count from; None: 0."""
        zeros = None if self._zeros is None else self._zeros[self.n_features:]
        return None if zeros is None or not zeros.any() else zeros

    def __del__(self, free=_c_free):  # at exit the names of the module may be gone
        if getattr(self, "_model", None):
            free(self._model)

    def __reduce__(self):
        return Model, (self.bytes,)

    @property
    def bytes(self) -> bytes:
        """What the file of the model holds."""
        if self._zeros is None:
            out = ctypes.create_string_buffer(_c_block(self._model))
            _save(self._model, out)
            return out.raw
        with _session(None) as session:
            size = _c_save_centred(session, self._model, _at(self._zeros), None, 0)
            out = ctypes.create_string_buffer(size)
            if not size or not _c_save_centred(session, self._model, _at(self._zeros), out, size):
                raise MemoryError("no memory for the bytes of a model")
        return out.raw

    def save(self, path: Union[str, os.PathLike]) -> None:
        """Writes the bytes to a file."""
        with open(path, "wb") as file:
            file.write(self.bytes)

    @property
    def n_features(self) -> int:
        """Columns of a row."""
        return _c_features(self._model)

    @property
    def n_targets(self) -> int:
        """Numbers that a prediction has."""
        return _c_targets(self._model)

    @property
    def feature_names(self) -> Optional[list]:
        """The names of the features, None where the model knows none."""
        names = [_c_name(self._model, i).decode(errors="replace") for i in range(self.n_features)]
        return names if any(names) else None

    @property
    def target_names(self) -> Optional[list]:
        """The names of the targets, None where the model knows none."""
        first = self.n_features
        names = [_c_name(self._model, first + i).decode(errors="replace") for i in range(self.n_targets)]
        return names if any(names) else None

    def _levels(self, j):
        """How many levels feature j has, None: it is a number; and how many had no room."""
        is_category, lost = _int(), _size()
        count = _c_levels(self._model, j, ctypes.byref(is_category), ctypes.byref(lost))
        return (count if is_category.value else None), lost.value

    @property
    def categories(self) -> dict:
        """The levels of each feature that is a category, by its name; in to_rows(X), the k-th is k."""
        out = {}
        for j in range(self.n_features):
            count, _ = self._levels(j)
            if count is not None:
                out[_c_name(self._model, j).decode()] = [_c_level(self._model, j, k).decode()
                                                         for k in range(count)]
        return out

    def _is_unbounded(self):
        """Whether the intervals were calibrated on too few rows or groups for their level."""
        return any(of["promise"] == "nothing" for of in self.describe(json=True).get("intervals", ()))

    def _levels_of(self, j):
        """The levels of feature j, None if it is a number."""
        if j not in self._known:
            count, _ = self._levels(j)
            self._known[j] = None if count is None else _Levels(
                [_c_level(self._model, j, k).decode(errors="surrogateescape") for k in range(count)],
                lambda name: _c_code(self._model, j, name.encode(errors="surrogateescape")))
        return self._known[j]

    def _has_levels(self):
        return any(self._levels_of(j) is not None for j in range(self.n_features))

    def _number(self, X):
        """X with the model's own numbers for its categories; what it does not know is missing."""
        if isinstance(X, _Rows) or (not _is_frame(X) and not self._has_levels()):
            return X
        if not _is_frame(X):
            return _with_codes_of_cells(X, self._levels_of, self.feature_names or range(self.n_features))

        def levels(j, column):
            k = place.get(str(column.name), j if not place else -1)
            return None if k < 0 or k >= self.n_features else self._levels_of(k)
        place = {name: j for j, name in enumerate(self.feature_names or ())}
        return _with_codes(X, levels, "in the model")

    def _exact_numbers(self, X):
        """X, whose columns count from the model's numbers; a warning tells which merge."""
        _refuse_dates(X)
        zeros = self._column_zeros()
        if isinstance(X, _Rows):
            return X
        most, rows = 10000, getattr(X, "shape", (0,))[0]  # rows that are looked at
        few = X[:most] if rows > 1 else None
        if few is not None and len(_columns(few)) == self.n_features:
            _zeros_of(few, False, "column" if rows <= most else f"in the first {most} rows column",
                      getattr(X, "columns", None),
                      "fit the model again, or subtract the same number in both tables", zeros)
        return _centre(X, zeros)

    def _rows(self, X):
        """Rows of floats; the columns of a DataFrame are found by their names."""
        if isinstance(X, _Rows) and X.ndim == 2 and X.shape[1] == self.n_features:
            return X
        if hasattr(X, "toarray"):
            raise TypeError("X is sparse, but must be dense; X.toarray() is")
        if hasattr(X, "columns") and self.feature_names:
            missing = [name for name in self.feature_names if name not in X.columns]
            if missing:
                raise ValueError("the model wants columns that are not there: " + ", ".join(missing))
            X = X[self.feature_names]
        X = np.ascontiguousarray(self._exact_numbers(self._number(X)), np.float32)
        if X.ndim != 2 or X.shape[1] != self.n_features:
            raise ValueError(f"X has the shape {X.shape}, but must have rows of {self.n_features} features")
        return X

    def to_rows(self, X: Any) -> np.ndarray:
        """Rows of numbers alone, as predict_rows takes them: a category is the number of its level.

        Returns
        -------
        array of float32, of shape (n_samples, n_features)
        """
        return np.ascontiguousarray(self._rows(X), np.float32).view(_Rows)

    def predict_rows(self, rows: Any, n_jobs: Optional[int] = None) -> np.ndarray:
        """Like predict, of rows of to_rows, and mixtures of them: shap.Explainer(model.predict_rows,
        model.to_rows(X)) works with categories, too."""
        return self.predict(np.ascontiguousarray(rows, np.float32).view(_Rows), n_jobs)

    def prepare(self) -> Prepared:
        """A function of one row, for one thread, that takes a few microseconds: see Prepared."""
        return Prepared(self)

    def predict(self, X: Any, n_jobs: Optional[int] = None) -> np.ndarray:
        """What the model says of rows.

        Parameters
        ----------
        X : array or DataFrame of shape (n_samples, n_features)
            Rows; float32 in the order of C is taken as it is, everything else is copied.
        n_jobs : int, default=None
            Workers; None is 1, -1 all processors.

        Returns
        -------
        array of float32, of shape (n_samples,) or (n_samples, n_targets)
            In the unit of the target; of two classes the probability of the second. Of float64 if the target
            has more digits than a float (seconds since 1970).
        """
        X = self._rows(X)
        out = np.empty((len(X), self.n_targets), np.float32)
        with _session(n_jobs) as session:
            _check(session, _c_predict(session, self._model, _at(X), len(X), _at(out)))
        if self._target_zeros() is not None:
            out = out + self._target_zeros()
        return out[:, 0] if self.n_targets == 1 else out

    def predict_interval(self, X: Any, n_jobs: Optional[int] = None) -> np.ndarray:
        """Least and most of each row, for the share that the model was fitted with (interval=0.9).

        Returns
        -------
        array of float32, of shape (n_samples, 2)
        """
        X = self._rows(X)
        low, high = np.empty(len(X), np.float32), np.empty(len(X), np.float32)
        with _session(n_jobs) as session:
            _check(session, _c_interval(session, self._model, _at(X), len(X), _at(low), _at(high)))
        ends, zeros = np.column_stack((low, high)), self._target_zeros()
        return ends if zeros is None else ends.astype(np.float64) + zeros[0]

    def trust(self, X: Any, n_jobs: Optional[int] = None) -> np.ndarray:
        """How far rows lie within what the model saw in training.

        Returns
        -------
        array of uint32, of shape (n_samples,)
            0 inside, 1 at the edge (beyond a feature's range by a tenth of it at most), 2 outside: farther,
            or with a level that was never seen.
        """
        X = self._rows(X)
        out = np.empty(len(X), np.uint32)
        _c_trust(self._model, _at(X), len(X), _at(out))
        return out

    def shap_values(self, X: Any, background: Any = None, n_jobs: Optional[int] = None) -> np.ndarray:
        """The values of `explain`.

        Returns
        -------
        array of float64, of shape (n_samples, n_features) or (n_samples, n_features, n_targets)
        """
        return self._shap(self._rows(X), background, n_jobs)[0]

    def explain(self, X: Any, background: Any = None, n_jobs: Optional[int] = None) -> Any:
        """SHAP values of trees, forests and boosting: exact.

        They add up to what the model says before a link function or a transform of its target: the log odds,
        the logarithm. Other models go through shap.Explainer(model.predict, X).

        Parameters
        ----------
        X : array or DataFrame of shape (n_samples, n_features)
            Rows to explain.
        background : array or DataFrame of shape (n_background, n_features), default=None
            Rows that the others are explained against; None: path-dependent values.
        n_jobs : int, default=None
            Workers; None is 1, -1 all processors.

        Returns
        -------
        shap.Explanation
            Where shap is installed, else a tuple with the same fields: values, base_values, data,
            feature_names.
        """
        rows = self._rows(X)
        values, expected = self._shap(rows, background, n_jobs)
        base = np.full(len(rows), expected) if np.ndim(expected) == 0 else np.tile(expected, (len(rows), 1))
        try:
            from shap import Explanation as make
        except ImportError:
            make = Explanation
        if self._target_zeros() is not None:
            base = base + (self._target_zeros() if self.n_targets > 1 else self._target_zeros()[0])
        data = rows if self._zeros is None else np.asarray(rows) + self._column_zeros()
        return make(values=values, base_values=base, data=data, feature_names=self.feature_names)

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

    def importance(self) -> np.ndarray:
        """Impurity-based importance of each feature, of trees, forests and boosting; it adds up to 1.

        Returns
        -------
        array of float64, of shape (n_features,)
        """
        out = np.empty(self.n_features)
        with _session(None) as session:
            _check(session, _c_importance(session, self._model, _at(out)))
        return out

    def describe(self, json: bool = False) -> Union[str, dict]:
        """What the model is, learned and costs, as `sooth describe` tells it; json=True: as a dict."""
        with _session(None) as session:
            text = _c_describe(session, self._model, int(json))
            if text is None:
                raise MemoryError("no memory for the description of a model")
            text = text.decode(errors="replace")
        if self._zeros is None:
            return _json.loads(text) if json else text
        if json:
            return dict(_json.loads(text), counts_from=self._zeros.tolist())
        names = [f"feature {k + 1}" for k in range(self.n_features)]
        names += [f"target {k + 1}" for k in range(self.n_targets)]
        own = (self.feature_names or [""] * self.n_features) + (self.target_names or [""] * self.n_targets)
        names = [name or number for name, number in zip(own, names)]
        return text + "".join(f"  counts from {zero:.17g}: {name}\n" for zero, name in zip(self._zeros, names)
                              if zero)


class Prepared:
    """A function of one row, which takes a few microseconds: a scheduler asks it for every job.

    >>> ask = model.prepare()           # of an estimator or a Model, for one thread
    >>> ask([4096, "gzip"])             # the features in their order; a category by the name of its level
    >>> ask.trust([4096, "xz"])         # 2: outside, and the level counts as missing

    Returns a float, or for several targets an array.
    """

    def __init__(self, model: Model):
        self._of, self._session = model, _c_open(1)
        self._row = np.empty(model.n_features, np.float32)
        self._out = np.empty(model.n_targets, np.float32)
        self._one = _c_predict, self._session, model._model, self._row.ctypes.data, self._out.ctypes.data
        self._levels = [(j, {name: levels.code(name) for name in levels.names}, levels) for j, levels in
                        ((j, model._levels_of(j)) for j in range(model.n_features)) if levels is not None]
        self._zeros, self._above = model._column_zeros(), model._target_zeros()

    def __del__(self, close=_c_close):
        if getattr(self, "_session", None):
            close(self._session)

    def _put(self, row):
        if len(row) != len(self._row):
            raise ValueError(f"the row has {len(row)} values, but must have {len(self._row)}")
        if self._levels:
            row = list(row)
            for j, numbers, levels in self._levels:
                number = numbers.get(row[j])
                if number is None:  # missing, unknown or a number
                    cell = np.empty(1, object)
                    cell[0] = row[j]
                    number = levels.numbers(cell, (self._of.feature_names or range(len(row)))[j], [])[0]
                row[j] = number
        self._row[:] = row if self._zeros is None else np.asarray(row, np.float64) - self._zeros

    def __call__(self, row: Any) -> Any:
        self._put(row)
        call, session, model, at, out = self._one
        status = call(session, model, at, 1, out)
        if status:
            _check(session, status)
        if len(self._out) == 1:
            return self._out.item() if self._above is None else self._out.item() + float(self._above[0])
        return self._out.copy() if self._above is None else self._out + self._above

    def trust(self, row: Any) -> int:
        """0: the row is inside the training data, 1: at its edge, 2: outside."""
        self._put(row)
        out = ctypes.c_uint32()
        _c_trust(self._of._model, self._row.ctypes.data, 1, ctypes.byref(out))
        return out.value


# ---- estimators ----

_Option = namedtuple("_Option", "name type least most default choices help value")


def _options(model):
    """The library's list of a model's options."""
    found = []
    name, choices, help_ = _text(), _text(), _text()
    kind, given = _int(), _int()
    least, most, value = ctypes.c_double(), ctypes.c_double(), ctypes.c_double()
    out = [ctypes.byref(v) for v in (name, kind, least, most, value, given, choices, help_)]
    while _c_option(model.encode(), len(found), *out):
        words = choices.value.decode().split("|")
        if given.value or kind.value == 3:  # a list of numbers
            default = None
        elif kind.value == 2:
            default = words[int(value.value)]
        else:
            default = int(value.value) if kind.value == 0 else value.value
        found.append(_Option(name.value.decode(), kind.value, least.value, most.value, default, words,
                             help_.value.decode(), value.value))
    return found


def _parameter(name):
    return name + "_" if keyword.iskeyword(name) else name


class _Estimator(BaseEstimator):
    """What regressors and classifiers share; a class for each model is made below."""

    _kind = _plan = None  # "boost"; words that always stand in its plan
    _missing = False      # takes missing values
    _several = False      # learns several targets at once

    def _seed(self):
        """The seed, by whichever of its two names; a generator of numpy gives its next number."""
        state = self.random_state
        if state is None or isinstance(state, (int, np.integer)):
            return self.seed if state is None else int(state)
        draw = getattr(state, "integers", None) or getattr(state, "randint", None)
        if draw is None:
            raise ValueError(f"random_state is {state!r}, but must be an int or a generator of numpy")
        return int(draw(2 ** 31))

    def _words(self):
        """The plan of fit.h: the model, and what differs from its defaults."""
        words = [self._kind]
        if self._plan:
            words.append(self._plan)
        for name, default in self._defaults.items():
            value = getattr(self, name)
            if name == "seed":
                value = self._seed()
            # the library's default depends on the loss, the parameter's does not
            rounds = name == "n_estimators" and getattr(self, "loss", None) == "logistic"
            if name in _NOT_WORDS or value is None or callable(value) or (
                    type(value) is type(default) and value == default and not rounds):
                continue
            if isinstance(value, (list, tuple, np.ndarray)):
                value = ",".join(repr(float(number)) for number in value)
            if isinstance(value, (bool, np.bool_)):
                value = int(value)
            value = repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)
            if not value or " " in value:
                raise ValueError(f"{name} is {value!r}, but must be one word")
            # scikit-learn takes who has an attribute `transform` for a transformer
            words.append(("transform" if name == "transforms" else name.rstrip("_")) + "=" + value)
        return " ".join(words)

    def _check_rows(self, X, y=None, fit=False, categories=()):
        """Floats, and targets; `categories`: the columns that may have missing values in any model."""
        if fit and y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        if not _SKLEARN:
            return self._check_rows_alone(X, y, fit)
        gaps = self._missing or len(categories) > 0
        how = dict(dtype=np.float32, order="C", ensure_all_finite="allow-nan" if gaps else True)
        try:
            if fit:
                X, y = _validate(self, X, y, multi_output=True, y_numeric=self._numbers, **how)
            else:
                X = _validate(self, X, reset=False, **how)
        except ValueError:
            _refuse_texts(X)
            raise
        if gaps and not self._missing and np.isnan(np.delete(X, categories, 1)).any():
            raise ValueError(f"Input X contains NaN, which {type(self).__name__} does not take")
        return (X, y) if fit else X

    def _check_rows_alone(self, X, y, fit):
        if hasattr(X, "toarray"):
            raise TypeError("X is sparse, but must be dense; X.toarray() is")
        names = [str(name) for name in X.columns] if hasattr(X, "columns") else None
        try:
            X = np.ascontiguousarray(X, np.float32)
        except ValueError:
            _refuse_texts(X)
            raise
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

    def _monotone_signs(self, columns):
        """One of -1, 0, 1 per column; None: there are no constraints."""
        wanted = getattr(self, "monotone", None)
        if wanted is None:
            return None
        if isinstance(wanted, dict):
            names = list(getattr(self, "feature_names_in_", ()))
            unknown = [name for name in wanted if name not in names]
            if unknown:
                raise ValueError(f"monotone names {unknown[0]!r}, which is no column of X"
                                 + ("" if names else ", whose columns have no names"))
            wanted = [wanted.get(name, 0) for name in names]
        signs = np.asarray(wanted)
        if signs.shape != (columns,) or not np.isin(signs, (-1, 0, 1)).all():
            raise ValueError(f"monotone must have a -1, 0 or 1 for each of {columns} columns, or a dict of "
                             "these by the names of columns")
        return np.ascontiguousarray(signs, np.int8)

    @staticmethod
    def _check_weight(what, weight, X):
        if weight is not None and _SKLEARN:
            weight = _check_sample_weight(weight, X)
        weight = None if weight is None else np.ascontiguousarray(weight, np.float32)
        if weight is not None and weight.shape != (len(X),):
            raise ValueError(f"{what} has the shape {weight.shape}, but X has {len(X)} rows")
        return weight

    def _learn(self, X, y, sample_weight, groups=None, held=None, progress=None, reduce=None, classes=None,
               times=None, callbacks=None):
        """What fit and fit_shard share. held: X_val, y_val, sample_weight_val."""
        self.__dict__.pop("model_", None)  # what is fitted again and fails is not fitted
        _refuse_dates(X)
        _refuse_dates(y, "the target")
        categories, target_names = _Categories(X), self._target_names(y)
        levels = [j for j, names in enumerate(categories.levels) if names is not None]
        if self.encode == "native" and not levels:
            raise ValueError("encode='native' is for categories, but no column of X is one")
        on_columns, on_targets = self._may_centre()
        zeros = _zeros_of(X, on_columns and reduce is None, "column", getattr(X, "columns", None))
        above = None
        if self._numbers:
            above = _zeros_of(y, on_targets and reduce is None, "target", target_names)
            if above is not None and self._kind == "best":
                ends = float(np.min(y)), float(np.max(y))
                above = above if _is_near(*ends) else None  # its errors are relative, and it tries logarithms
        X, y = _centre(X, zeros), _centre(y, above)
        X, y = self._check_rows(categories.number(X), y, True, levels)
        y = self._check_targets(y, classes)
        weight = self._check_weight("sample_weight", sample_weight, X)
        if groups is not None:  # numbered as they appear
            groups = _exact(groups)
            if groups.shape != (len(X),):
                raise ValueError(f"groups has the shape {groups.shape}, but X has {len(X)} rows")
            _, first, groups = np.unique(groups, return_index=True, return_inverse=True)
            groups = np.ascontiguousarray(np.argsort(np.argsort(first))[groups.ravel()], np.uint32)
        if times is not None:  # their places in the order
            times = np.asarray(times)
            if times.shape != (len(X),):
                raise ValueError(f"times has the shape {times.shape}, but X has {len(X)} rows")
            if (times != times).any():
                raise ValueError("times holds a missing value, which has no place in an order")
            times = np.ascontiguousarray(np.unique(times, return_inverse=True)[1].ravel(), np.uint32)
        if held is not None:
            _refuse_dates(held[0])
            X_val = self._check_rows(categories.number(_centre(held[0], zeros)), categories=levels)
            y_val = self._check_targets(np.asarray(_centre(held[1], above)), getattr(self, "classes_", None))
            if y_val.shape != (len(X_val),):
                raise ValueError(f"y_val has the shape {y_val.shape}, but X_val has {len(X_val)} rows")
            held = X_val, y_val, self._check_weight("sample_weight_val", held[2], X_val)
        self._run(X, y, weight, groups, times, target_names, held, progress, reduce, categories, callbacks)
        if zeros is not None or above is not None:
            zeros = np.zeros(self.model_.n_features) if zeros is None else zeros
            above = np.zeros(self.model_.n_targets) if above is None else above
            if len(above) == 1:  # of several quantiles, too
                above = np.repeat(above, self.model_.n_targets)
            self.model_._zeros = np.concatenate((zeros, above))
        return self

    def _may_centre(self):
        """Whether columns, and whether targets, may count from another number than 0, as in `sooth fit`."""
        words = self._words().split()
        chosen = dict(word.split("=", 1) for word in words if "=" in word)
        if "ratio_to" in chosen or "teacher" in chosen:
            return False, False
        log = chosen.get("transform", "").split(",")
        whole = self._kind == "scaling" or "no_intercept" in chosen or "zero_mean" in chosen
        plain = ("squared", "absolute", "huber", "quantile", "pinball", "friedman")
        relative = callable(getattr(self, "loss", None)) or any(
            chosen.get(name, "squared") not in plain for name in ("loss", "criterion", "output"))
        relative = relative or chosen.get("error") == "mre"
        return (not whole and "log" not in log,
                not whole and not relative and "log-target" not in log)

    def _run(self, X, y, weight, groups, times, target_names, held, progress, reduce, categories,
             callbacks=(), decay=None):
        """The fit itself, of what has been checked; with decay, the refit of model_."""
        names, targets = _texts(getattr(self, "feature_names_in_", None)), _texts(target_names)
        plan, signs = self._words().encode(), self._monotone_signs(X.shape[1])
        loss, model = getattr(self, "loss", None), _pointer()
        with _session(self.n_jobs) as session:
            listener = _Listener(session)
            listener.tell_progress(_lines() if progress is None and self.verbose else progress)
            if callbacks or held is not None or self._kind == "mlp" or getattr(self, "patience", 0):
                listener.tell_history(callbacks or ())
            bag = None
            if getattr(self, "oob_score", False):
                bag = np.empty(y.shape, np.float32)
                _c_out_of_bag(session, _at(bag))
            _c_monotone(session, _at(signs))
            kept = categories.give(session) if categories else None
            if held is not None:
                _c_validation(session, _at(held[0]), len(held[0]), _at(held[1]), _at(held[2]))
            if callable(loss):
                listener.ask_loss(loss, float(self.base_score or 0))
            if reduce is not None:
                listener.join(reduce)
                reduce.met = True
            with listener.interruptible():
                rows = _at(X), X.shape[0], X.shape[1], _at(y), 1 if y.ndim == 1 else y.shape[1], _at(weight)
                if decay is None:
                    status = _c_fit(session, plan, *rows, _at(groups), _at(times), names, targets,
                                    ctypes.byref(model))
                else:
                    status = _c_refit(session, plan, self.model_._model, decay, *rows, names, targets,
                                      ctypes.byref(model))
            del kept
            model = Model._of(model) if model else None
            if isinstance(listener.error, _Stopped):
                return self._run_until(listener.error.args[0], X, y, weight, groups, times, target_names,
                                       held, progress, reduce, categories)
            if listener.error is not None:
                raise listener.error
            _check(session, status)
            if model is None:
                raise ValueError(_c_sentence(session).decode(errors="replace"))
            listener.end_progress()
            self._keep(model, _c_steps(session), listener.history)
            self._keep_out_of_bag(bag, y, weight)
            if getattr(self, "interval", None) is not None and model._is_unbounded():
                _warn(_c_sentence(session).decode(errors="replace"))
        return self

    def _run_until(self, rounds, *arguments):
        """The fit again, which is the same up to this round: the library keeps no unfinished model."""
        name = next((name for name in ("n_estimators", "epochs", "max_iter") if name in self._defaults), None)
        if name is None or self._kind == "best":
            raise ValueError(f"{type(self).__name__} has no rounds that a callback could end; raise an error "
                             "to give up the fit")
        before = getattr(self, name)
        setattr(self, name, rounds)
        try:
            return self._run(*arguments, callbacks=[lambda _: None])
        finally:
            setattr(self, name, before)

    def _keep_out_of_bag(self, bag, y, weight):
        if bag is None:
            return
        there = ~np.isnan(bag if bag.ndim == 1 else bag[:, 0])
        if not there.any():
            raise ValueError("every row was drawn by every tree, so none is out of bag; grow more trees")
        weight, y = (None if weight is None else weight[there]), y[there].astype(np.float64)
        off = np.average((y - bag[there]) ** 2, weights=weight, axis=0)
        around = np.average((y - np.average(y, weights=weight, axis=0)) ** 2, weights=weight, axis=0)
        self.oob_prediction_ = bag.astype(np.float64)
        self.oob_score_ = float(np.mean(1 - off / around))

    def _keep(self, model, steps, history):
        self.model_ = model
        if "max_iter" in self._defaults:
            self.n_iter_ = steps
        elif _c_trees(model._model):
            self.n_iter_ = _c_trees(model._model)
        for name in ("loss_curve_", "validation_loss_curve_"):
            self.__dict__.pop(name, None)
        if history:
            self.loss_curve_ = np.array([loss for loss, _ in history])
            if not np.isnan(history[0][1]):
                self.validation_loss_curve_ = np.array([held for _, held in history])
        for j in range(model.n_features):
            lost = model._levels(j)[1]
            if lost:
                _warn(f'{lost} rare levels of "{model.feature_names[j]}" had no room in the model; '
                      "they count as missing")

    def fit_shard(self, X: Any, y: Any, reduce: Any, sample_weight: Any = None, *,
                  progress: Optional[Callable] = None, **more: Any) -> Self:
        """Learns one model with other processes, each of which holds some rows of the table.

        All processes call it, with the same parameters; those of process 0 are the first rows. Each gets the
        model that `fit` makes of all rows, to the byte. Of Linear, Tree, Forest, ExtraTrees, Boost and
        BoostClassifier; medians, intervals and categories, which need all rows at once, are refused.
        One that fails ends all, with its sentence.

        Parameters
        ----------
        X : array or DataFrame of shape (n_samples, n_features)
            The rows of this process, one at least.
        y : array of shape (n_samples,) or (n_samples, n_targets)
            Their targets. Classifiers want both classes named, too: classes=("in time", "late").
        reduce : Reducer
            What connects the processes, or what has rank and ranks and can be called as a Reducer can.
        sample_weight : array of shape (n_samples,), default=None
            Of all processes or of none.
        progress : callable, default=None
            As in `fit`.

        Returns
        -------
        self
        """
        once = _Once(reduce)
        try:
            return self._learn(X, y, sample_weight, progress=progress, reduce=once, **more)
        except Exception as error:
            if not once.met:  # the others are about to wait for this process
                with _session(None) as session:
                    listener = _Listener(session)
                    listener.join(once)
                    _c_fail(session, str(error).encode()[:200])
            raise

    def __sklearn_is_fitted__(self):
        return hasattr(self, "model_")

    def _fitted(self):
        if _SKLEARN:
            check_is_fitted(self, "model_")
        elif not hasattr(self, "model_"):
            raise ValueError(f"this {type(self).__name__} has not been fitted")
        return self.model_

    def _rows(self, X):
        model = self._fitted()
        if isinstance(X, _Rows):
            return model._rows(X)
        levels = [j for j in range(model.n_features) if model._levels_of(j) is not None]
        rows = self._check_rows(model._exact_numbers(model._number(X)), categories=levels)
        return rows.view(_Rows)

    def _ask(self, what, X, *more):
        model = self._fitted()
        return getattr(model, what)(self._rows(X), *more, n_jobs=self.n_jobs)

    def to_rows(self, X: Any) -> np.ndarray:
        """Rows of numbers alone: see Model.to_rows."""
        return self._rows(X)

    def predict_rows(self, rows: Any) -> np.ndarray:
        """What the model predicts of rows of to_rows, the probability of two classes: see
        Model.predict_rows."""
        return self._fitted().predict_rows(rows, self.n_jobs)

    def prepare(self) -> Prepared:
        """A function of one row, for one thread, that takes a few microseconds: see Prepared."""
        return Prepared(self._fitted())

    def trust(self, X: Any) -> np.ndarray:
        """How far rows lie within what the model saw in training: see Model.trust."""
        return self._ask("trust", X)

    def shap_values(self, X: Any, background: Any = None) -> np.ndarray:
        """The values of `explain`: see Model.shap_values."""
        return self._ask("shap_values", X, None if background is None else self._rows(background))

    def explain(self, X: Any, background: Any = None) -> Any:
        """SHAP values of trees, forests and boosting: see Model.explain."""
        return self._ask("explain", X, None if background is None else self._rows(background))

    def describe(self, json: bool = False) -> Union[str, dict]:
        """What the model is, learned and costs, in words or as a dict: see Model.describe."""
        return self._fitted().describe(json)

    def save(self, path: Union[str, os.PathLike]) -> None:
        """Writes the model's file: what `sooth predict` and sooth.load read."""
        self._fitted().save(path)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._missing
        tags.input_tags.categorical = True
        tags.target_tags.multi_output = self._several
        return tags

    def _more_tags(self):  # before 1.6
        return {"allow_nan": self._missing, "multioutput": self._several, "binary_only": not self._numbers,
                "_xfail_checks": expected_failed_checks(self)}


class _Once:
    """What the processes share, and whether this one has come to them."""

    def __init__(self, reduce):
        self.rank, self.ranks, self.reduce, self.met = reduce.rank, reduce.ranks, reduce, False

    def __call__(self, what, values):
        self.reduce(what, values)


class _Trees:
    @property
    def feature_importances_(self) -> np.ndarray:
        """The impurity-based importance of each feature, of shape (n_features,); it adds up to 1."""
        return self._fitted().importance()

    def apply(self, X: Any) -> np.ndarray:
        """The leaf of each row in every tree, as the number of its node.

        Parameters
        ----------
        X : array or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        array of uint32, of shape (n_samples, n_trees), of one tree (n_samples,)
        """
        model, rows = self._fitted(), self._rows(X)
        with _session(None) as session:
            trees = _c_leaves(session, model._model, None, 0, None)
            out = np.empty((len(rows), trees), np.uint32)
            if len(rows) and not _c_leaves(session, model._model, _at(rows), len(rows), _at(out)):
                raise MemoryError(_c_sentence(session).decode())
        return out[:, 0] if self._kind == "tree" else out


class _Staged:
    def _stages(self, X):
        model, rows = self._fitted(), self._rows(X)
        for trees in range(1, _c_trees(model._model) + 1):
            out = np.empty((len(rows), model.n_targets), np.float32)
            with _session(self.n_jobs) as session:
                _check(session, _c_staged(session, model._model, _at(rows), len(rows), trees, _at(out)))
            out = out.astype(np.float64)
            above = model._target_zeros()
            out = out if above is None else out + above
            yield out[:, 0] if model.n_targets == 1 else out


class _StagedRegressor(_Staged):
    def staged_predict(self, X: Any) -> Iterator[np.ndarray]:
        """The prediction after each round; the last is that of predict.

        Parameters
        ----------
        X : array or DataFrame of shape (n_samples, n_features)
        """
        return self._stages(X)


class _StagedClassifier(_Staged):
    def staged_predict_proba(self, X: Any) -> Iterator[np.ndarray]:
        """The probabilities after each round, as predict_proba has them; not with calibrate.

        Parameters
        ----------
        X : array or DataFrame of shape (n_samples, n_features)
        """
        for one in self._stages(X):
            yield np.column_stack((1 - one, one))

    def staged_predict(self, X: Any) -> Iterator[np.ndarray]:
        """The likelier class after each round; not with calibrate.

        Parameters
        ----------
        X : array or DataFrame of shape (n_samples, n_features)
        """
        for one in self._stages(X):
            yield self.classes_[(one > 0.5).astype(int)]


class _Quantiles:
    def predict_quantiles(self, X: Any, quantiles: Any = (0.05, 0.5, 0.95)) -> np.ndarray:
        """Quantiles of the targets of similar training rows (Meinshausen 2006); fit with keep_rows=1.

        Parameters
        ----------
        X : array or DataFrame of shape (n_samples, n_features)
        quantiles : list of float
            Shares between 0 and 1.

        Returns
        -------
        array of float64, of shape (n_samples, n_quantiles)
        """
        model, rows = self._fitted(), self._rows(X)
        q = np.ascontiguousarray(quantiles, np.float32).ravel()
        if not ((q >= 0) & (q <= 1)).all():
            raise ValueError(f"quantiles are {quantiles!r}, but must be between 0 and 1")
        out = np.empty((len(rows), len(q)), np.float32)
        with _session(None) as session:
            _check(session, _c_quantiles(session, model._model, _at(rows), len(rows), _at(q), len(q),
                                         _at(out)))
        out, above = out.astype(np.float64), model._target_zeros()
        return out if above is None else out + above[0]


class _Coefficients:
    def _plane(self):
        model = self._fitted()
        out = np.empty((model.n_targets, model.n_features + 1))
        with _session(None) as session:
            _check(session, _c_coefficients(session, model._model, _at(out)))
        if model._zeros is not None:
            out[:, -1] += model._zeros[model.n_features:] - out[:, :-1] @ model._zeros[:model.n_features]
        return out

    @property
    def coef_(self) -> np.ndarray:
        """The slopes, of shape (n_features,) or (n_targets, n_features); not with transforms."""
        slopes = self._plane()[:, :-1]
        return slopes[0] if len(slopes) == 1 else slopes

    @property
    def intercept_(self) -> Any:
        """The prediction where all features are 0: a float, or of shape (n_targets,)."""
        ends = self._plane()[:, -1]
        return float(ends[0]) if len(ends) == 1 else ends


class _Deviation:
    def predict(self, X: Any, return_std: bool = False) -> Any:
        """What the model says of rows, in the unit of the target.

        Parameters
        ----------
        X : array or DataFrame of shape (n_samples, n_features)
        return_std : bool, default=False
            Returns the standard deviation of a new measurement of each row, too. Groups of the fit are not
            known here: the row is of a new one.

        Returns
        -------
        array of float64, of shape (n_samples,), or two of them
        """
        mean = super().predict(X)
        if not return_std:
            return mean
        model, rows = self._fitted(), self._rows(X)
        out = np.empty(len(rows), np.float32)
        with _session(None) as session:
            _check(session, _c_deviation(session, model._model, _at(rows), len(rows), _at(out)))
        return mean, out.astype(np.float64)


class _Chosen:
    @property
    def held_out_(self) -> dict:
        """The errors that `sooth fit` prints, on rows that did not choose: for each fold, candidates are
        compared and averaged anew on the other folds.

        Returns
        -------
        dict
            measure: "mre" (the mean relative error, a share: 0.02 is 2 %), "rmse" or "mae" (in the unit of
            the target). error: of this model. standard_error: that of this error. share_above: the share of
            the rows above their prediction (both None in a file of an earlier version). rule, rule_error:
            the best simple rule, and its error on the same rows.
        """
        told = self._fitted().describe(json=True)
        if "error" not in told:
            raise AttributeError("this model has no held-out errors: nothing was held out")
        return {"measure": told["errors_are"], "error": told["error"],
                "standard_error": told.get("standard_error"), "share_above": told.get("share_above"),
                "rule": told["best_rule"], "rule_error": told["its_error"]}


def _held_out(X_val, y_val, weight, eval_set):
    """X_val, y_val and their weights, by whichever of their names; None if there are none."""
    if eval_set is None:
        return None if X_val is None else (X_val, y_val, weight)
    if isinstance(eval_set, list) and len(eval_set) == 1:
        eval_set = eval_set[0]
    if X_val is not None or not isinstance(eval_set, (tuple, list)) or len(eval_set) != 2:
        raise ValueError("eval_set must be one pair, [(X_val, y_val)], in place of X_val and y_val")
    return eval_set[0], eval_set[1], weight


class _Boosts(_Trees):
    def refit(self, X: Any, y: Any, sample_weight: Any = None, *, decay_rate: float = 0.0,
              progress: Optional[Callable] = None) -> Self:
        """Learns the leaves again from newer rows; the splits stay. For streams that drift.

        It takes a quarter to a third of a fit, and the model keeps its size. Fit anew from time to time, and
        where targets outgrow what the model saw. Models with an interval or calibrate are refused.

        Parameters
        ----------
        X, y, sample_weight : as in fit
            The newest rows. Columns of dtype `category` have the levels of the model.
        decay_rate : float, default=0
            The share of the old leaves that stays, below 1; 0: only the new rows count. As LightGBM's
            refit, whose default is 0.9.
        progress : callable, default=None
            As in `fit`.

        Returns
        -------
        self
        """
        zeros, target_names = self._fitted()._target_zeros(), self._target_names(y)
        _refuse_dates(y, "the target")
        X = np.asarray(self._rows(X))
        if zeros is not None and np.ndim(y) == 1:
            zeros = zeros[:1]  # of several quantiles, too
        y = self._check_targets(np.asarray(_centre(y, zeros)), getattr(self, "classes_", None))
        if len(y) != len(X):
            raise ValueError(f"y has {len(y)} rows, but X has {len(X)}")
        weight, centred = self._check_weight("sample_weight", sample_weight, X), self.model_._zeros
        self._run(X, y, weight, None, None, target_names, None, progress, None, (),
                  decay=float(decay_rate))
        self.model_._zeros = centred
        return self


_FIT = """{what}

        Parameters
        ----------
        X : array or DataFrame of shape (n_samples, n_features)
            Rows. Columns of texts or of dtype `category` are categories; float32 in the order of C is not
            copied.
        y : {y}
        sample_weight : array of shape (n_samples,), default=None
            How often each row counts; 0 or more.
        groups : array of shape (n_samples,), default=None
            Which rows are of one program: {held_out} then keep these together.
        times : array of shape (n_samples,), default=None
            When each row was measured, numbers or dates: {later}. Intervals take groups or times, not both.
        X_val, y_val : of the shapes of X and y, default=None
            Held-out rows of Boost and BoostClassifier: rounds end once these have not become better for
            `patience` rounds (10), and the model is that of the best.
        sample_weight_val : array, default=None
            Of the held-out rows.
        eval_set : list of one pair, default=None
            [(X_val, y_val)], as other libraries have it.
        callbacks : list of callables, default=None
            Each is called after every round or epoch with a tuple (stage, step, loss, validation_loss). If
            one returns True, or raises StopIteration, the model is that of the rounds so far: they are
            learned again. Whatever else it raises ends the fit.
        progress : callable, default=None
            Called now and then as progress(stage, done), done from 0 to 1. What it raises ends the fit and is
            raised again, as Ctrl-C is; the estimator is then not fitted.

        Returns
        -------
        self
        """


class _Regressor(RegressorMixin, _Estimator):
    _numbers = True

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, *, X_val: Any = None,
            y_val: Any = None, sample_weight_val: Any = None, eval_set: Any = None,
            progress: Optional[Callable] = None, callbacks: Any = None, times: Any = None) -> Self:
        held = _held_out(X_val, y_val, sample_weight_val, eval_set)
        return self._learn(X, y, sample_weight, groups, held, progress, times=times, callbacks=callbacks)

    fit.__doc__ = _FIT.format(what="Learns from rows and their targets.",
                              held_out="intervals and held-out rows",
                              later="intervals then hold of later rows, and Best chooses on later rows",
                              y="array of shape (n_samples,) or (n_samples, n_targets)\n            "
                                "Targets, in any unit.")

    @staticmethod
    def _target_names(y):
        return [y.name] if getattr(y, "name", None) is not None else getattr(y, "columns", None)

    @staticmethod
    def _check_targets(y, _):
        if y.ndim == 2 and y.shape[1] == 1:
            _warn("A column-vector y was passed when a 1d array was expected", DataConversionWarning)
            y = y[:, 0]
        return np.ascontiguousarray(y, np.float32)

    def predict(self, X: Any) -> np.ndarray:
        """What the model says of rows, in the unit of the target.

        Parameters
        ----------
        X : array or DataFrame of shape (n_samples, n_features)
            A level that was not seen in training counts as missing, and a warning names it. A number that
            may stand for another text, 7 for 007, is refused.

        Returns
        -------
        array of float64, of shape (n_samples,) or (n_samples, n_targets)
            The model's float32, in doubles.
        """
        return self._ask("predict", X).astype(np.float64)

    def predict_interval(self, X: Any) -> np.ndarray:
        """Least and most of each row, for the share in the parameter `interval`: with groups in fit of
        programs never seen, with times of later rows, else of more rows like these. With too few groups or
        rows for the share it is unbounded, of which fit warns.

        Parameters
        ----------
        X : array or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        array of float32, of shape (n_samples, 2)
        """
        return self._ask("predict_interval", X)


class _Classifier(ClassifierMixin, _Estimator):
    _numbers = False
    _plan = "loss=logistic"

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, *, X_val: Any = None,
            y_val: Any = None, sample_weight_val: Any = None, eval_set: Any = None,
            progress: Optional[Callable] = None, callbacks: Any = None, times: Any = None) -> Self:
        held = _held_out(X_val, y_val, sample_weight_val, eval_set)
        return self._learn(X, y, sample_weight, groups, held, progress, times=times, callbacks=callbacks)

    fit.__doc__ = _FIT.format(what="Learns the probability of the second of two classes.",
                              held_out="calibration and held-out rows",
                              later="calibration then uses later rows",
                              y="array of shape (n_samples,)\n            Labels, of two kinds.")

    @staticmethod
    def _target_names(_):
        return None

    def _check_targets(self, y, classes):
        if _SKLEARN:
            check_classification_targets(y)
            if y.ndim == 2 and y.shape[1] == 1:
                _warn("A column-vector y was passed when a 1d array was expected", DataConversionWarning)
            if type_of_target(y) not in ("binary", "unknown"):
                raise ValueError("Only binary classification is supported. The type of the target is "
                                 f"{type_of_target(y)}.")
        y = np.ravel(y)
        self.classes_ = np.unique(y if classes is None else classes)
        if len(self.classes_) != 2:
            raise ValueError(f"y has {len(self.classes_)} class{'es' * (len(self.classes_) != 1)}, "
                             "but must have two")
        label = np.searchsorted(self.classes_, y)
        if not (label < 2).all() or not (self.classes_[label] == y).all():
            raise ValueError(f"y has labels beside {self.classes_[0]!r} and {self.classes_[1]!r}")
        return np.ascontiguousarray(label, np.float32)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def predict_proba(self, X: Any) -> np.ndarray:
        """The probabilities of classes_[0] and classes_[1].

        Parameters
        ----------
        X : array or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        array of float64, of shape (n_samples, 2)
        """
        one = self._ask("predict", X).astype(np.float64)
        return np.column_stack((1 - one, one))

    def predict(self, X: Any) -> np.ndarray:
        """The likelier class of each row.

        Parameters
        ----------
        X : array or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples,), of the labels in classes_
        """
        second = self.predict_proba(X)[:, 1] > 0.5
        return self.classes_[second.astype(int)]


# Of scikit-learn's checks, those of sample_weight ask that a weight of 2 be the row twice, to 1e-7 of it.
_WEIGHTS = {
    "Forest": "rows are drawn by their number: other rows are other draws, as in scikit-learn's forests",
    "ExtraTrees": "thresholds are drawn in the order of rows, as in scikit-learn's extra-trees",
    "BoostClassifier": "rows are drawn by their number; with subsample=1 it holds",
    "MLP": "steps and rounding of float32 follow the rows; they agree to about 1e-6",
    "MLPClassifier": "steps and rounding of float32 follow the rows; they agree to about 1e-5",
    "SVR": "both are within `tolerance` of the same optimum; with tolerance=1e-9 they agree to 1e-5",
    "Gauss": "a weight is a precision: one measurement of a smaller variance is not two that agree",
    "SOFNN": "it holds, but with more columns than rows rounding is seen from 1e-6 on",
}


def expected_failed_checks(estimator: Any) -> dict:
    """The checks of scikit-learn that an estimator does not pass, each with its reason.

    For check_estimator(estimator, expected_failed_checks=sooth.expected_failed_checks(estimator)), and as it
    is for parametrize_with_checks; scikit-learn before 1.6 asks for them itself.
    """
    reason = _WEIGHTS.get(type(estimator).__name__)
    return {} if reason is None else {check: reason for check in (
        "check_sample_weight_equivalence_on_dense_data", "check_sample_weights_invariance")}


_ATTRIBUTES = {
    "model_": "Model\n    What was learned: bytes, file, C.",
    "n_features_in_": "int\n    Columns of X.",
    "feature_names_in_": "array of shape (n_features_in_,)\n    Where X was a DataFrame.",
    "classes_": "array of shape (2,)\n    The labels.",
    "coef_, intercept_": "array of shape (n_features_in_,), float\n    The plane.",
    "oob_score_, oob_prediction_": "float, array of shape (n_samples,)\n    With oob_score=True: R2 and "
                                   "predictions of rows that trees did not draw.",
    "feature_importances_": "array of shape (n_features_in_,)\n    They add up to 1.",
    "held_out_": "dict\n    measure, error, rule, rule_error: the error on held-out rows that did not choose"
                 "\n    the model, beside that of the best rule.",
    "n_iter_": "int\n    Steps that the fit took, or trees that the model has (with held-out rows those up "
               "to the best round).",
    "loss_curve_, validation_loss_curve_":
        "arrays of shape (steps,)\n    Mean loss after each round or epoch, of the rows learned from and of "
        "those held out, where there are any.",
}


def _document(name, title, parameters, members, base):
    """The text of help(), as scikit-learn's: parameters with types and defaults, attributes, an example."""
    has = {"classes_": base is _Classifier, "coef_, intercept_": name == "Linear",
           "oob_score_, oob_prediction_": "oob_score" in parameters,
           "feature_importances_": members["_missing"] and name != "Best", "held_out_": name == "Best",
           "n_iter_": any(p in ("max_iter", "n_estimators") for p in parameters),
           "loss_curve_, validation_loss_curve_": any(p in ("patience", "epochs") for p in parameters)}
    lines = [title, "", "Parameters have the names of the library's options; None is the default.", "",
             "Parameters", "----------"]
    for parameter, (kind, default, text) in parameters.items():
        lines += [f"{parameter} : {kind}, default={default!r}", "    " + text]
    lines += ["", "Attributes", "----------"]
    lines += [f"{attribute} : {text}" for attribute, text in _ATTRIBUTES.items() if has.get(attribute, True)]
    ask = "predict_proba" if base is _Classifier else "predict"
    lines += ["", "Examples", "--------", ">>> import sooth", f">>> model = sooth.{name}().fit(X, y)",
              f">>> model.{ask}(X_new)"]
    return "\n".join(lines)


_OF_LOGISTIC = {"n_estimators": 200, "min_child_weight": 1.0}  # the library's defaults with this loss


def _make(name, kind, base, shared, mixins=(), **more):
    """The class of a model: its parameters are the library's options, and the words of fit.h."""
    defaults, parameters = {}, {}

    def add(parameter, kind_of, default, text):
        defaults[parameter] = default
        parameters[parameter] = (kind_of, default, text)

    fixed = (more.get("_plan") or base._plan or "").split("=")[0]
    for o in _options(kind):
        if o.name == fixed:
            continue
        kind_of = ("int", "float", "{" + ", ".join(repr(c) for c in o.choices) + "}",
                   "list of float")[o.type]
        if o.name == "loss" and kind == "boost":
            kind_of += " or callable"
        text = o.help[:1].upper() + o.help[1:] + "."
        if o.name == "loss" and kind == "boost":
            text += (" A callable is a loss of your own: loss(y, prediction)\n    gives gradient and hessian,"
                     " arrays of the same shape; predictions start with base_score, 0.")
        of_loss = _OF_LOGISTIC if kind == "boost" and base is _Classifier else {}
        add(_parameter(o.name), kind_of, of_loss.get(o.name, o.default), text)
    for parameter, entry in shared.items():
        if parameter not in defaults:
            add(parameter, *entry)

    def __init__(self, **params):
        for parameter, default in defaults.items():
            setattr(self, parameter, params.pop(parameter, default))
        if params:
            raise TypeError(f"{name} has no parameter {', '.join(params)}; it has {', '.join(defaults)}")

    __init__.__signature__ = inspect.Signature(
        [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)] +
        [inspect.Parameter(parameter, inspect.Parameter.KEYWORD_ONLY, default=default)
         for parameter, default in defaults.items()])
    members = dict(more, __init__=__init__, __module__=__name__, _kind=kind, _defaults=defaults,
                   _several=base is _Regressor and bool(_c_learns(kind.encode(), 2)))
    members["__doc__"] = _document(name, members.pop("title"), parameters, members, base)
    members["_parameters"] = parameters
    return type(name, (*mixins, base), members)


_TREES = ("tree", "forest", "extratrees", "boost")
_NOT_WORDS = ("n_jobs", "monotone", "random_state", "verbose", "oob_score")
_SHARED = {
    "transforms": ("str", None,
                   "Of features and target: a list of standard, minmax, robust, none, log, clip,"
                   " log-target."),
    "encode": ("{'target', 'ordinal', 'native', 'target-in-time'}", None,
               "What becomes of categories: statistics of their targets, codes, or sets of levels.\n    None:"
               " native for trees, forests, boosting and Best, target for others."),
    "seed": ("int", 0, "Of all draws."),
    "random_state": ("int or generator", None, "Another name of seed, which it replaces."),
    "verbose": ("int", 0, "1: prints the progress of fit."),
    "n_jobs": ("int", None, "Workers: None is 1, -1 all processors; the model is the same with any."),
}
_MONOTONE = {
    "monotone": ("dict or list of int", None,
                 "Per column, or by its name, 1: predictions may only rise with it; -1: fall; 0: both."),
}
_INTERVAL = {
    "interval": ("float", None, "The share that predict_interval holds, 0.9; None: there is none."),
    "folds": ("int", None, "Most models that interval fits besides; None is 20."),
}
_RATIO = {
    "ratio_to": ("str", None,
                 "A sum of columns, 'tokens+2.5*length+500' or 'learn:tokens+length': the logarithm of\n"
                 "    y over this sum is learned, and predictions are multiples of it, also where it is\n"
                 "    larger than in training. With groups or times in fit the learner is shrunk to it."),
}
_TEACHER = {
    "teacher": ("str", None,
                "A stronger, larger model, 'best' or 'xgboost', which is fitted first: this one also learns\n"
                "    what it predicts between the rows. cross_val_score tests whether that helps."),
}
_CALIBRATE = {
    "calibrate": ("{'sigmoid', 'isotonic'}", None,
                  "Makes the probability hold of rows, with groups of programs, that were left out."),
    "folds": ("int", None, "Most models that calibrate fits besides; None is 20."),
}


_BAG = {
    "oob_score": ("bool", False,
                  "True: predicts each row by the trees that did not draw it, and scores that."),
}
_MORE = {"forest": (_Quantiles, _Trees), "extratrees": (_Quantiles, _Trees), "tree": (_Trees,),
         "boost": (_StagedRegressor, _Boosts), "linear": (_Coefficients,), "gauss": (_Deviation,)}


def _regressor(name, kind, title):
    trees, bag = kind in _TREES, _BAG if kind in ("forest", "extratrees") else {}
    own = {**(_MONOTONE if trees else {}), **bag, **_INTERVAL, **_RATIO, **_TEACHER, **_SHARED}
    return _make(name, kind, _Regressor, own, _MORE.get(kind, ()), title=title, _missing=trees)


def _classifier(name, kind, title):
    trees = kind in _TREES
    own = {**(_MONOTONE if trees else {}), **_CALIBRATE, **_SHARED}
    return _make(name, kind, _Classifier, own,
                 (_StagedClassifier, _Boosts if kind == "boost" else _Trees) if trees else (), title=title,
                 _missing=trees)


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
_CHOSEN = {name: entry for name, entry in _SHARED.items() if name != "transforms"}  # by the members
Best = _make("Best", "best", _Regressor, {**_INTERVAL, **_RATIO, **_CHOSEN}, (_Chosen,), _missing=True,
             transforms=None, title="Average of models, chosen by held-out rows; a simple rule if nothing "
                                    "beats it. held_out_ has its error.")
BoostClassifier = _classifier("BoostClassifier", "boost", "Gradient boosting of trees, for two classes.")
MLPClassifier = _classifier("MLPClassifier", "mlp", "Neural network, for two classes.")



# ---- files ----

_OF_KIND = {c._kind: c for c in (Linear, Tree, Forest, Boost, MLP, SVR, Gauss, SOFNN, Scaling, Best)}


def _parameters_of(make, told):
    """The parameters of an estimator, as far as the description of a file tells them."""
    said = dict(word.split("=", 1) for word in told.get("options", "").split() if "=" in word)
    params = {}
    for o in _options(make._kind):
        name, text = _parameter(o.name), said.get(o.name)
        if name not in make._defaults or text is None:
            continue
        if o.type == 2:
            value = text
        elif o.type == 3:
            value = [float(part) for part in text.split(",") if float(part)] or None
        else:
            value = (int if o.type == 0 else float)(float(text))
        default = make._defaults[name]
        if value != (o.value if default is None and o.type < 2 else default):
            params[name] = value
    if told.get("intervals") and "interval" in make._defaults:
        params["interval"] = told["intervals"][0]["level"]
    if told.get("probability") and "calibrate" in make._defaults:
        params["calibrate"] = told["probability"].split()[0].rstrip(":")
    if make._missing and told.get("encoding", "").startswith("statistics"):
        params["encode"] = "target"
    return params


def load(path: Union[str, os.PathLike]) -> Any:
    """The estimator in a file that the `sooth` command, a C program or save() has written.

    It is fitted, of the class that fits such a model, with the parameters that the file has: options,
    interval, calibrate and encode. Files have neither transforms, monotone constraints and folds as
    parameters, which a new fit needs again, nor labels: the classes of a classifier are 0 and 1. Its model_,
    a Model, finds columns by their names.

    Parameters
    ----------
    path : str or path

    Returns
    -------
    estimator
        Of other kinds, such as networks of integers, a Model.
    """
    with open(path, "rb") as file:
        model = Model(file.read())
    told = model.describe(json=True)
    make = _OF_KIND.get(told.get("model"))
    if " loss=logistic " in f" {told.get('options', '')} ":
        make = {"boost": BoostClassifier, "mlp": MLPClassifier}.get(told["model"], make)
    if make is None:
        return model
    estimator = make(**_parameters_of(make, told))
    estimator._keep(model, 0, None)
    estimator.n_features_in_ = model.n_features
    if model.feature_names:
        estimator.feature_names_in_ = np.array(model.feature_names, object)
    if issubclass(make, _Classifier):
        estimator.classes_ = np.array([0, 1])
    return estimator


__all__ = ["Linear", "Tree", "Forest", "ExtraTrees", "Boost", "MLP", "SVR", "Gauss", "SOFNN", "Scaling",
           "Best", "BoostClassifier", "MLPClassifier", "Model", "Prepared", "Reducer", "Explanation",
           "Round", "load",
           "expected_failed_checks"]
