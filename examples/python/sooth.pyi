# sooth.pyi - the types of the module sooth, written by stub.py.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
import os
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

class Reducer:
    def __init__(
        self,
        rank: int,
        ranks: int,
        address: tuple[Any, ...],
        authkey: bytes,
        timeout: float = ...,
    ) -> None: ...
    def __call__(self, what: str, values: npt.NDArray[Any]) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Reducer: ...
    def __exit__(self, *_: Any) -> None: ...

class Model:
    def __init__(self, data: bytes) -> None: ...
    @property
    def bytes(self) -> bytes: ...
    def save(self, path: Union[str, os.PathLike[str]]) -> None: ...
    @property
    def n_features(self) -> int: ...
    @property
    def n_targets(self) -> int: ...
    @property
    def feature_names(self) -> Optional[list[str]]: ...
    @property
    def target_names(self) -> Optional[list[str]]: ...
    @property
    def categories(self) -> dict[str, Any]: ...
    def to_rows(self, X: Any) -> npt.NDArray[Any]: ...
    def predict_rows(self, rows: Any, n_jobs: Optional[int] = ...) -> npt.NDArray[Any]: ...
    def prepare(self) -> Prepared: ...
    def predict(self, X: Any, n_jobs: Optional[int] = ...) -> npt.NDArray[Any]: ...
    def predict_interval(self, X: Any, n_jobs: Optional[int] = ...) -> npt.NDArray[Any]: ...
    def trust(self, X: Any, n_jobs: Optional[int] = ...) -> npt.NDArray[Any]: ...
    def shap_values(self, X: Any, background: Any = ..., n_jobs: Optional[int] = ...) -> npt.NDArray[Any]: ...
    def explain(self, X: Any, background: Any = ..., n_jobs: Optional[int] = ...) -> Any: ...
    def importance(self) -> npt.NDArray[Any]: ...
    def describe(self, json: bool = ...) -> Union[str, dict[str, Any]]: ...

class Prepared:
    def __init__(self, model: Model) -> None: ...
    def __call__(self, row: Any) -> Any: ...
    def trust(self, row: Any) -> int: ...

class _Estimator:
    model_: Model
    n_features_in_: int
    feature_names_in_: npt.NDArray[np.object_]
    n_iter_: int
    loss_curve_: npt.NDArray[np.float64]
    validation_loss_curve_: npt.NDArray[np.float64]
    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> Self: ...
    def score(self, X: Any, y: Any, sample_weight: Any = ...) -> float: ...
    def fit_shard(
        self,
        X: Any,
        y: Any,
        reduce: Any,
        sample_weight: Any = ...,
        *,
        progress: Optional[Callable[..., Any]] = ...,
        **more: Any,
    ) -> Self: ...
    def to_rows(self, X: Any) -> npt.NDArray[Any]: ...
    def predict_rows(self, rows: Any) -> npt.NDArray[Any]: ...
    def prepare(self) -> Prepared: ...
    def trust(self, X: Any) -> npt.NDArray[Any]: ...
    def shap_values(self, X: Any, background: Any = ...) -> npt.NDArray[Any]: ...
    def explain(self, X: Any, background: Any = ...) -> Any: ...
    def describe(self, json: bool = ...) -> Union[str, dict[str, Any]]: ...
    def save(self, path: Union[str, os.PathLike[str]]) -> None: ...

class _Regressor(_Estimator):
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = ...,
        groups: Any = ...,
        *,
        X_val: Any = ...,
        y_val: Any = ...,
        sample_weight_val: Any = ...,
        eval_set: Any = ...,
        progress: Optional[Callable[..., Any]] = ...,
        callbacks: Any = ...,
        times: Any = ...,
    ) -> Self: ...
    def predict(self, X: Any) -> npt.NDArray[Any]: ...
    def predict_interval(self, X: Any) -> npt.NDArray[Any]: ...

class _Classifier(_Estimator):
    classes_: npt.NDArray[Any]
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = ...,
        groups: Any = ...,
        *,
        X_val: Any = ...,
        y_val: Any = ...,
        sample_weight_val: Any = ...,
        eval_set: Any = ...,
        progress: Optional[Callable[..., Any]] = ...,
        callbacks: Any = ...,
        times: Any = ...,
    ) -> Self: ...
    def predict_proba(self, X: Any) -> npt.NDArray[Any]: ...
    def predict(self, X: Any) -> npt.NDArray[Any]: ...

class _Trees:
    @property
    def feature_importances_(self) -> npt.NDArray[Any]: ...
    def apply(self, X: Any) -> npt.NDArray[Any]: ...

class _StagedRegressor:
    def staged_predict(self, X: Any) -> Iterator[npt.NDArray[Any]]: ...

class _StagedClassifier:
    def staged_predict_proba(self, X: Any) -> Iterator[npt.NDArray[Any]]: ...
    def staged_predict(self, X: Any) -> Iterator[npt.NDArray[Any]]: ...

class _Quantiles:
    oob_score_: float
    oob_prediction_: npt.NDArray[np.float64]
    def predict_quantiles(self, X: Any, quantiles: Any = ...) -> npt.NDArray[Any]: ...

class _Coefficients:
    @property
    def coef_(self) -> npt.NDArray[Any]: ...
    @property
    def intercept_(self) -> Any: ...

class _Deviation:
    def predict(self, X: Any, return_std: bool = ...) -> Any: ...

class _Boosts(_Trees):
    def refit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = ...,
        *,
        decay_rate: float = ...,
        progress: Optional[Callable[..., Any]] = ...,
    ) -> Self: ...

class _Chosen:
    @property
    def held_out_(self) -> dict[str, Any]: ...

class Linear(_Coefficients, _Regressor):
    def __init__(
        self,
        *,
        method: Literal['least_squares', 'ridge', 'non_negative', 'huber'] = ...,
        no_intercept: int = ...,
        no_statistics: int = ...,
        max_iter: int = ...,
        products: int = ...,
        lambda_: float = ...,
        huber_delta: float = ...,
        tolerance: float = ...,
        interval: Optional[float] = ...,
        folds: Optional[int] = ...,
        ratio_to: Union[str, None] = ...,
        teacher: Union[str, None] = ...,
        transforms: Union[str, None] = ...,
        encode: Optional[Literal['target', 'ordinal', 'native', 'target-in-time']] = ...,
        seed: int = ...,
        random_state: Union[int, np.random.RandomState, np.random.Generator, None] = ...,
        verbose: int = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Tree(_Trees, _Regressor):
    def __init__(
        self,
        *,
        criterion: Literal['squared', 'absolute', 'friedman', 'poisson', 'relative'] = ...,
        max_depth: int = ...,
        min_samples_split: int = ...,
        min_samples_leaf: int = ...,
        max_leaves: int = ...,
        bins: int = ...,
        seed: int = ...,
        ties: Literal['first', 'random'] = ...,
        no_statistics: int = ...,
        max_features: float = ...,
        min_weight_leaf: float = ...,
        min_gain: float = ...,
        ccp_alpha: float = ...,
        floor: float = ...,
        linear_leaves: int = ...,
        linear_lambda: float = ...,
        extrapolate: Optional[float] = ...,
        monotone: Union[dict[str, int], Sequence[int], None] = ...,
        interval: Optional[float] = ...,
        folds: Optional[int] = ...,
        ratio_to: Union[str, None] = ...,
        teacher: Union[str, None] = ...,
        transforms: Union[str, None] = ...,
        encode: Optional[Literal['target', 'ordinal', 'native', 'target-in-time']] = ...,
        random_state: Union[int, np.random.RandomState, np.random.Generator, None] = ...,
        verbose: int = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Forest(_Quantiles, _Trees, _Regressor):
    def __init__(
        self,
        *,
        n_estimators: int = ...,
        criterion: Literal['squared', 'absolute', 'friedman', 'poisson', 'relative'] = ...,
        splitter: Literal['best', 'random'] = ...,
        no_bootstrap: int = ...,
        max_depth: int = ...,
        min_samples_split: int = ...,
        min_samples_leaf: int = ...,
        max_leaves: int = ...,
        bins: int = ...,
        seed: int = ...,
        keep_rows: int = ...,
        no_cover: int = ...,
        max_features: float = ...,
        max_samples: float = ...,
        min_weight_leaf: float = ...,
        min_gain: float = ...,
        floor: float = ...,
        linear_leaves: int = ...,
        linear_lambda: float = ...,
        extrapolate: Optional[float] = ...,
        monotone: Union[dict[str, int], Sequence[int], None] = ...,
        oob_score: bool = ...,
        interval: Optional[float] = ...,
        folds: Optional[int] = ...,
        ratio_to: Union[str, None] = ...,
        teacher: Union[str, None] = ...,
        transforms: Union[str, None] = ...,
        encode: Optional[Literal['target', 'ordinal', 'native', 'target-in-time']] = ...,
        random_state: Union[int, np.random.RandomState, np.random.Generator, None] = ...,
        verbose: int = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class ExtraTrees(_Quantiles, _Trees, _Regressor):
    def __init__(
        self,
        *,
        n_estimators: int = ...,
        criterion: Literal['squared', 'absolute', 'friedman', 'poisson', 'relative'] = ...,
        splitter: Literal['best', 'random'] = ...,
        no_bootstrap: int = ...,
        max_depth: int = ...,
        min_samples_split: int = ...,
        min_samples_leaf: int = ...,
        max_leaves: int = ...,
        bins: int = ...,
        seed: int = ...,
        keep_rows: int = ...,
        no_cover: int = ...,
        max_features: float = ...,
        max_samples: float = ...,
        min_weight_leaf: float = ...,
        min_gain: float = ...,
        floor: float = ...,
        linear_leaves: int = ...,
        linear_lambda: float = ...,
        extrapolate: Optional[float] = ...,
        monotone: Union[dict[str, int], Sequence[int], None] = ...,
        oob_score: bool = ...,
        interval: Optional[float] = ...,
        folds: Optional[int] = ...,
        ratio_to: Union[str, None] = ...,
        teacher: Union[str, None] = ...,
        transforms: Union[str, None] = ...,
        encode: Optional[Literal['target', 'ordinal', 'native', 'target-in-time']] = ...,
        random_state: Union[int, np.random.RandomState, np.random.Generator, None] = ...,
        verbose: int = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Boost(_StagedRegressor, _Boosts, _Regressor):
    def __init__(
        self,
        *,
        n_estimators: int = ...,
        loss: Union[str, Callable[..., Any]] = ...,
        method: Literal['histogram', 'exact'] = ...,
        grow_policy: Literal['depthwise', 'lossguide', 'symmetric'] = ...,
        max_depth: int = ...,
        max_leaves: int = ...,
        min_samples_leaf: int = ...,
        bins: int = ...,
        seed: int = ...,
        patience: int = ...,
        no_cover: int = ...,
        no_table: int = ...,
        learning_rate: float = ...,
        lambda_: float = ...,
        alpha: float = ...,
        gamma: float = ...,
        min_child_weight: Optional[float] = ...,
        max_delta_step: float = ...,
        subsample: float = ...,
        colsample_bytree: float = ...,
        colsample_bylevel: float = ...,
        colsample_bynode: float = ...,
        quantile: float = ...,
        quantiles: Union[Sequence[float], None] = ...,
        huber_delta: float = ...,
        floor: float = ...,
        base_score: Optional[float] = ...,
        validation_fraction: float = ...,
        linear_leaves: int = ...,
        linear_lambda: float = ...,
        extrapolate: Optional[float] = ...,
        max_cat_to_onehot: int = ...,
        max_cat_threshold: int = ...,
        cat_smooth: Optional[float] = ...,
        cat_l2: Optional[float] = ...,
        monotone: Union[dict[str, int], Sequence[int], None] = ...,
        interval: Optional[float] = ...,
        folds: Optional[int] = ...,
        ratio_to: Union[str, None] = ...,
        teacher: Union[str, None] = ...,
        transforms: Union[str, None] = ...,
        encode: Optional[Literal['target', 'ordinal', 'native', 'target-in-time']] = ...,
        random_state: Union[int, np.random.RandomState, np.random.Generator, None] = ...,
        verbose: int = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class MLP(_Regressor):
    def __init__(
        self,
        *,
        hidden_1: int = ...,
        hidden_2: int = ...,
        hidden_3: int = ...,
        hidden_4: int = ...,
        activation: Literal['relu', 'leaky_relu', 'sigmoid', 'tanh', 'softplus', 'linear'] = ...,
        output: Literal['any', 'at_least_one', 'zero_to_one', 'positive', 'leaky_relu'] = ...,
        no_bias: int = ...,
        no_target_scale: int = ...,
        init: Literal['auto', 'he', 'xavier'] = ...,
        optimiser: Literal['adam', 'sgd', 'rprop', 'lbfgs'] = ...,
        schedule: Literal['cosine', 'constant', 'step', 'exponential', 'inverse_time', 'plateau'] = ...,
        loss: str = ...,
        root: int = ...,
        epochs: int = ...,
        batch_size: int = ...,
        patience: int = ...,
        decay_epochs: int = ...,
        nesterov: int = ...,
        history: int = ...,
        seed: int = ...,
        learning_rate: float = ...,
        decay: float = ...,
        momentum: float = ...,
        beta1: Optional[float] = ...,
        beta2: float = ...,
        epsilon: float = ...,
        lambda_: float = ...,
        lambda_norm: Optional[float] = ...,
        weight_decay: Optional[float] = ...,
        dropout: float = ...,
        clip: float = ...,
        huber_delta: float = ...,
        quantile: float = ...,
        leak: float = ...,
        validation_fraction: float = ...,
        tolerance: Optional[float] = ...,
        interval: Optional[float] = ...,
        folds: Optional[int] = ...,
        ratio_to: Union[str, None] = ...,
        teacher: Union[str, None] = ...,
        transforms: Union[str, None] = ...,
        encode: Optional[Literal['target', 'ordinal', 'native', 'target-in-time']] = ...,
        random_state: Union[int, np.random.RandomState, np.random.Generator, None] = ...,
        verbose: int = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class SVR(_Regressor):
    def __init__(
        self,
        *,
        method: Literal['epsilon', 'nu'] = ...,
        kernel: Literal['rbf', 'linear', 'polynomial', 'sigmoid', 'callback'] = ...,
        C: float = ...,
        epsilon: Optional[float] = ...,
        no_target_scale: int = ...,
        nu: float = ...,
        gamma: float = ...,
        gamma_rule: Literal['scale', 'auto'] = ...,
        degree: int = ...,
        coef0: float = ...,
        tolerance: float = ...,
        max_iter: int = ...,
        max_vectors: int = ...,
        cache_size: float = ...,
        no_shrinking: int = ...,
        interval: Optional[float] = ...,
        folds: Optional[int] = ...,
        ratio_to: Union[str, None] = ...,
        teacher: Union[str, None] = ...,
        transforms: Union[str, None] = ...,
        encode: Optional[Literal['target', 'ordinal', 'native', 'target-in-time']] = ...,
        seed: int = ...,
        random_state: Union[int, np.random.RandomState, np.random.Generator, None] = ...,
        verbose: int = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Gauss(_Deviation, _Regressor):
    def __init__(
        self,
        *,
        kernel: Literal['matern32', 'matern12', 'matern52', 'squared'] = ...,
        lengths: Literal['auto', 'shared', 'each'] = ...,
        independent: int = ...,
        no_level: int = ...,
        no_trend: int = ...,
        zero_mean: int = ...,
        no_deviation: int = ...,
        max_points: int = ...,
        inducing: int = ...,
        learn_rows: int = ...,
        most_rows: int = ...,
        starts: int = ...,
        max_iter: int = ...,
        seed: int = ...,
        tolerance: float = ...,
        signal: float = ...,
        length: float = ...,
        level: float = ...,
        noise: float = ...,
        interval: Optional[float] = ...,
        folds: Optional[int] = ...,
        ratio_to: Union[str, None] = ...,
        teacher: Union[str, None] = ...,
        transforms: Union[str, None] = ...,
        encode: Optional[Literal['target', 'ordinal', 'native', 'target-in-time']] = ...,
        random_state: Union[int, np.random.RandomState, np.random.Generator, None] = ...,
        verbose: int = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class SOFNN(_Regressor):
    def __init__(
        self,
        *,
        order: Literal['first', 'zero'] = ...,
        growth: Literal['batch', 'one_pass'] = ...,
        prune: Literal['brain_surgeon', 'error_reduction', 'none'] = ...,
        max_rules: int = ...,
        candidates: int = ...,
        patience: int = ...,
        refine_iter: int = ...,
        max_premises: int = ...,
        extrapolate: int = ...,
        error_threshold: float = ...,
        target_rmse: float = ...,
        first_width: float = ...,
        reuse_distance: float = ...,
        widen_factor: float = ...,
        coverage: float = ...,
        prune_factor: float = ...,
        merge_distance: float = ...,
        lambda_: float = ...,
        margin: Optional[float] = ...,
        interval: Optional[float] = ...,
        folds: Optional[int] = ...,
        ratio_to: Union[str, None] = ...,
        teacher: Union[str, None] = ...,
        transforms: Union[str, None] = ...,
        encode: Optional[Literal['target', 'ordinal', 'native', 'target-in-time']] = ...,
        seed: int = ...,
        random_state: Union[int, np.random.RandomState, np.random.Generator, None] = ...,
        verbose: int = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Scaling(_Regressor):
    def __init__(
        self,
        *,
        law: str = ...,
        loss: Literal['relative', 'absolute', 'log'] = ...,
        non_negative: int = ...,
        single: float = ...,
        cores: int = ...,
        sockets: int = ...,
        interval: Optional[float] = ...,
        folds: Optional[int] = ...,
        ratio_to: Union[str, None] = ...,
        teacher: Union[str, None] = ...,
        transforms: Union[str, None] = ...,
        encode: Optional[Literal['target', 'ordinal', 'native', 'target-in-time']] = ...,
        seed: int = ...,
        random_state: Union[int, np.random.RandomState, np.random.Generator, None] = ...,
        verbose: int = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Best(_Chosen, _Regressor):
    def __init__(
        self,
        *,
        effort: Literal['medium', 'low', 'high'] = ...,
        error: Literal['auto', 'rmse', 'mae', 'mre'] = ...,
        single: int = ...,
        members: int = ...,
        seed: int = ...,
        interval: Optional[float] = ...,
        folds: Optional[int] = ...,
        ratio_to: Union[str, None] = ...,
        encode: Optional[Literal['target', 'ordinal', 'native', 'target-in-time']] = ...,
        random_state: Union[int, np.random.RandomState, np.random.Generator, None] = ...,
        verbose: int = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class BoostClassifier(_StagedClassifier, _Boosts, _Classifier):
    def __init__(
        self,
        *,
        n_estimators: int = ...,
        method: Literal['histogram', 'exact'] = ...,
        grow_policy: Literal['depthwise', 'lossguide', 'symmetric'] = ...,
        max_depth: int = ...,
        max_leaves: int = ...,
        min_samples_leaf: int = ...,
        bins: int = ...,
        seed: int = ...,
        patience: int = ...,
        no_cover: int = ...,
        no_table: int = ...,
        learning_rate: float = ...,
        lambda_: float = ...,
        alpha: float = ...,
        gamma: float = ...,
        min_child_weight: float = ...,
        max_delta_step: float = ...,
        subsample: float = ...,
        colsample_bytree: float = ...,
        colsample_bylevel: float = ...,
        colsample_bynode: float = ...,
        quantile: float = ...,
        quantiles: Union[Sequence[float], None] = ...,
        huber_delta: float = ...,
        floor: float = ...,
        base_score: Optional[float] = ...,
        validation_fraction: float = ...,
        linear_leaves: int = ...,
        linear_lambda: float = ...,
        extrapolate: Optional[float] = ...,
        max_cat_to_onehot: int = ...,
        max_cat_threshold: int = ...,
        cat_smooth: Optional[float] = ...,
        cat_l2: Optional[float] = ...,
        monotone: Union[dict[str, int], Sequence[int], None] = ...,
        calibrate: Optional[Literal['sigmoid', 'isotonic']] = ...,
        folds: Optional[int] = ...,
        transforms: Union[str, None] = ...,
        encode: Optional[Literal['target', 'ordinal', 'native', 'target-in-time']] = ...,
        random_state: Union[int, np.random.RandomState, np.random.Generator, None] = ...,
        verbose: int = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class MLPClassifier(_Classifier):
    def __init__(
        self,
        *,
        hidden_1: int = ...,
        hidden_2: int = ...,
        hidden_3: int = ...,
        hidden_4: int = ...,
        activation: Literal['relu', 'leaky_relu', 'sigmoid', 'tanh', 'softplus', 'linear'] = ...,
        output: Literal['any', 'at_least_one', 'zero_to_one', 'positive', 'leaky_relu'] = ...,
        no_bias: int = ...,
        no_target_scale: int = ...,
        init: Literal['auto', 'he', 'xavier'] = ...,
        optimiser: Literal['adam', 'sgd', 'rprop', 'lbfgs'] = ...,
        schedule: Literal['cosine', 'constant', 'step', 'exponential', 'inverse_time', 'plateau'] = ...,
        root: int = ...,
        epochs: int = ...,
        batch_size: int = ...,
        patience: int = ...,
        decay_epochs: int = ...,
        nesterov: int = ...,
        history: int = ...,
        seed: int = ...,
        learning_rate: float = ...,
        decay: float = ...,
        momentum: float = ...,
        beta1: Optional[float] = ...,
        beta2: float = ...,
        epsilon: float = ...,
        lambda_: float = ...,
        lambda_norm: Optional[float] = ...,
        weight_decay: Optional[float] = ...,
        dropout: float = ...,
        clip: float = ...,
        huber_delta: float = ...,
        quantile: float = ...,
        leak: float = ...,
        validation_fraction: float = ...,
        tolerance: Optional[float] = ...,
        calibrate: Optional[Literal['sigmoid', 'isotonic']] = ...,
        folds: Optional[int] = ...,
        transforms: Union[str, None] = ...,
        encode: Optional[Literal['target', 'ordinal', 'native', 'target-in-time']] = ...,
        random_state: Union[int, np.random.RandomState, np.random.Generator, None] = ...,
        verbose: int = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

def load(path: Union[str, os.PathLike[str]]) -> Any: ...
def expected_failed_checks(estimator: Any) -> dict[str, Any]: ...
