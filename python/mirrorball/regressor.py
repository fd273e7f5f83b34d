"""The scikit-learn estimator."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _core, frames
from ._core import SUMMARY_SAMPLES
from ._warnings import renamed, warn
from .explanation import Explanation
from ._shown import model_html
from .features import FeatureTables, Roles, add_targets, check_lengths, numbered, one_set
from .pages import Explorer, Report
from .prediction import Predictions
from .progress import Bar, words_of
from .report import Columns, FitReport, column_warnings, columns_of, fit_report_of, model_warnings
from .settings import accept_old_names, count_of, options_of, parameters_of, present_name, threads_of

#: Modules that fit many models one after the other: Ctrl-C ends their loop, and not only the fit it meets.
_LOOPS = (
    "joblib",
    "mirrorball.validation",
    "sklearn.ensemble",
    "sklearn.feature_selection",
    "sklearn.model_selection",
    "sklearn.multioutput",
)


class MirrorballRegressor(Predictions, FeatureTables, RegressorMixin, BaseEstimator):
    """Predicts whole distributions: any number of samples from p(y | x), for one target or several jointly.

    X is a numpy array, a pandas or polars frame, or anything with the Arrow PyCapsule interface. Columns of text and of
    categorical dtypes are categories; dates, also as ISO text (2024-02-29), are numbers; missing values (NaN, None) need
    no preprocessing.

    Parameters
    ----------
    preset : str, default "default"
        Where the options start: "default", "paper", "disco", "point". A parameter left at None has the preset's
        value.
    networks : int, default 6
        Number of networks in the ensemble; their samples are pooled; with valid_folds, at least two networks per
        fold are trained.
    width : int, default 128
        Units per hidden layer.
    epochs : int, default 0
        Passes over the training rows; 0 = 12, or more until there are min_steps training steps.
    learning_rate : float, default 0.004
        Learning rate of Adam.
    target_transform : {"quantile", "standard", "rankit", "none", "even", "auto", "smooth"}, default "auto"
        Transform of the targets; samples stay within the range of the training targets, except with standard and
        with none, which is for targets of the order of 1; smooth = as quantile, with smoothed quantiles; auto =
        even for several targets without far or often repeated values, smooth for targets of fewer than 1,000
        training rows whose values seldom repeat, else quantile.
    calibrate : {"none", "scale", "interval", "conformal"}, default "interval"
        What is calibrated on the validation rows: scale = the spread, and the weights of forest, Gaussian process
        and neighbours; interval = also the tails and the 90% interval; conformal = as interval, with a coverage
        guarantee for the 90% interval.
    time_limit : float, default 0
        Maximum time of the whole fit in seconds; the learning rate schedule is adapted to it; 0 = no limit.
    device : {"auto", "cpu", "cuda"}, default "auto"
        Where the networks are trained: cuda = the first NVIDIA GPU, cuda:N = GPU N, counted from 0; auto = the
        first GPU if there is one and libmirrorball_cuda.so is installed, else the CPU; results differ by rounding.
    categorical_features : list of str or int, default None
        Names or positions of columns to treat as categories although they contain numbers or dates, or a mask.
        Columns of text and of categorical dtypes are categories in any case.
    options : dict of str, default None
        All other options by name, for example ``{"forest": 0, "batch": 64}``; ``mirrorball fit --help-all``
        describes them. network: ``architecture``, ``layers``, ``activation``, ``activate_input``, ``noise_dim``,
        ``cosines``, ``waves``, ``wave_low``, ``wave_high``, ``damp_waves``; loss: ``draws``, ``sampling``,
        ``noise_grid``, ``energy_exponent``, ``fair``; data: ``input_transform``, ``knots``, ``plain_numbers``,
        ``max_categories``, ``order_categories``; training: ``min_steps``, ``batch``, ``schedule``, ``warmup``,
        ``beta1``, ``beta2``, ``averaging``, ``init_sd``, ``valid_fraction``, ``min_valid``, ``valid_folds``,
        ``valid_samples``, ``best_after``, ``patience``, ``refit``; forecast: ``forest``, ``gaussian_process``,
        ``boosting``, ``neighbours``, ``prediction_noise``; run: ``precision``, ``memory``, ``cache``. In a search,
        ``options__NAME`` sets one of them.
    random_state : int or RandomState, default None
        The random seed. None is 0: the same data give the same model. A RandomState gives a new seed at every fit.
    n_jobs : int, default None
        Number of threads. None and -1 take all cores, -2 all but one; None respects OMP_NUM_THREADS, which joblib
        sets in its worker processes. Results do not depend on it.
    verbose : bool, default None
        Whether long operations show their progress. None shows a bar on a terminal and in a notebook; True also
        prints lines elsewhere; False shows nothing.

    Attributes
    ----------
    n_features_in_ : int
    feature_names_in_ : array of str
        Only where X had names that are strings.
    columns_ : Columns
        The features as the model takes them: number, date or category, ranges and categories. Prints one line each.
    categories_ : dict of str to list of str
        The categories kept of each categorical feature, the most frequent first.
    target_names_ : list of str
    fit_report_ : FitReport or None
        CRPS, mean absolute error and coverage on held-out rows, in the target's units, beside the CRPS of the training
        distribution. None where fewer than 10 rows were held out.
    warnings_ : list of str
        What looked wrong in the fit. The same sentences were issued as ``MirrorballWarning``.
    history_ : list of dict
        For each network the scores by epoch, "train" and "valid", its "best_epoch" from 1, whether it was "stopped",
        and whether it was trained on with all rows ("refit").
    options_ : dict
        All options of the fit, those of the preset included.
    plan_ : dict
        The same options as they were settled for the training rows, with nothing automatic left: epochs, batch, rows
        held out, ... Files of version 0.1 have no record of it: training_rows is 0 there.
    interrupted_ : bool
        Whether Ctrl-C ended the training early.

    Examples
    --------
    >>> import numpy as np
    >>> from mirrorball import MirrorballRegressor
    >>> random = np.random.default_rng(0)
    >>> X = random.uniform(-1, 1, (300, 1))
    >>> y = X[:, 0] * random.choice([-1, 1], 300) + random.normal(0, 0.05, 300)
    >>> model = MirrorballRegressor(networks=1, epochs=20).fit(X, y)
    >>> model.predict(X[:5]).shape
    (5,)
    >>> model.sample(X[:5], 100).shape
    (5, 100, 1)
    >>> low, high = model.predict_interval(X[:5], 0.9)
    >>> bool((low < high).all())
    True
    """

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: ArrayLike | None = None,
        eval_set: tuple | list[tuple] | None = None,
        groups: ArrayLike | None = None,
        valid_by: ArrayLike | str | None = None,
    ) -> MirrorballRegressor:
        """Fits the model.

        Ctrl-C ends training in good order: the best weights so far make the model, and a warning is issued. In a search
        or a cross-validation, Ctrl-C ends the whole of it.

        Parameters
        ----------
        X : array or frame of shape (rows, features)
        y : array or frame of shape (rows,) or (rows, targets)
            Several targets are learned jointly. A single column is one target, as for scikit-learn's forests:
            predictions have one dimension.
        sample_weight : array of shape (rows,), optional
        eval_set : (X, y) or (X, y, sample_weight), optional
            Validation rows, for choosing the best epoch and for calibration, instead of a random share of X.
        groups : array of shape (rows,), optional
            Rows of one group (a patient, a shop) stay together: whole groups are held out for validation, so that
            calibration and `fit_report_` are those of new groups.
        valid_by : array of shape (rows,) or name of a column of X, optional
            Numbers or dates: the rows with the greatest values, as the latest ones, are held out for validation.

        Returns
        -------
        MirrorballRegressor
            The fitted estimator itself.

        Examples
        --------
        >>> X = np.linspace(-1, 1, 200)[:, None]
        >>> model = MirrorballRegressor(networks=1, epochs=5).fit(X, X[:, 0])
        >>> sorted(model.fit_report_["targets"]["y"])
        ['coverage_90', 'crps', 'mae', 'skill', 'training_crps', 'width_90']
        """
        return self._fit(X, y, sample_weight, eval_set, groups, valid_by)

    def _fit(
        self,
        X: Any,
        y: Any,
        sample_weight: ArrayLike | None = None,
        eval_set: tuple | list[tuple] | None = None,
        groups: ArrayLike | None = None,
        valid_by: ArrayLike | str | None = None,
        parts: bytes | None = None,
    ) -> MirrorballRegressor:
        """The fit, with networks that were trained elsewhere where there are `parts`."""
        options = options_of(self)
        train, roles = self._training_table(X, y, sample_weight, groups, valid_by)
        valid = None if eval_set is None else self._validation_table(one_set(eval_set), roles)
        self.warnings_: list[str] = []
        self._note(column_warnings(train, roles, self._declared))
        with Bar(self.verbose) as bar:

            def show(news: _core.Progress) -> bool:
                bar.show(news.share, words_of(news), news.seconds_left)
                return True

            model, self.interrupted_ = _core.fit(
                train, valid, roles.targets, roles.weight, options, show, roles.group, roles.valid_by, roles.ignore, parts
            )
        if self.interrupted_ and _in_a_loop():
            raise KeyboardInterrupt
        self._take(model)
        self._note(model_warnings(model))
        if self.interrupted_:
            warn(
                f"training was interrupted: {len(model.history())} network(s) with their best weights make the model",
                RuntimeWarning,
            )
        return self

    @renamed(samples="n_samples")
    def explain(
        self,
        X: Any,
        background: Any,
        *,
        of: str | Callable[..., Any] = "mean",
        where: str | Callable[..., Any] = "",
        target: str | None = None,
        n_samples: int = SUMMARY_SAMPLES,
        seed: int = 0,
        background_rows: int = 200,
        coalitions: int = 0,
    ) -> Explanation:
        """Shapley values of a number that the distribution gives: a mean, a quantile, a probability, …

        Parameters
        ----------
        X : array or frame of shape (rows, features)
            The rows to explain.
        background : array or frame of shape (rows, features)
            Rows to compare with, often training rows; at most ``background_rows`` of them are used.
        of : str or callable, default "mean"
            ``"mean"``, ``"sd"``, ``"median"``, ``"quantile:0.9"``, ``"width:0.9"`` or ``"region"``, the probability
            of the region. Or a function that gets one array of samples per target, each of shape (rows, samples), and
            returns one number per row.
        where : str or callable, optional
            A region, as ``"y1 > 0.2 and not (y2 < 1 or y2 > 3)"``: only the samples that lie in it at the explained row
            count. Or a function that gets the same arrays as ``of`` and returns which samples are inside.
        target : str, optional
            Which target, if there are several. By default the one in ``where``.
        n_samples : int, default 1000
            Number of samples per row.
        seed : int, default 0
            The same seed gives the same samples.
        background_rows : int, default 200
            More rows make smaller ``errors``.
        coalitions : int, default 0
            Sets of features to evaluate with each background row, at most; 0 = all where up to 5 features differ, else
            random orders of the features.

        Returns
        -------
        Explanation

        Examples
        --------
        >>> import numpy as np
        >>> from mirrorball import MirrorballRegressor
        >>> X = np.random.default_rng(0).uniform(-1, 1, (300, 2))
        >>> model = MirrorballRegressor(networks=1, epochs=5).fit(X, X[:, 0])
        >>> found = model.explain(X[:3], X, n_samples=100, background_rows=20)
        >>> bool(np.allclose(found.base_values + found.values.sum(axis=1), found.output))
        True
        >>> loss = model.explain(X[:3], X, of=lambda y: np.maximum(y - 0.5, 0).mean(axis=1), n_samples=100)
        >>> loss.values.shape == loss.errors.shape
        True
        """
        rows, others = self._known_table(X), self._known_table(background)
        with Bar(self.verbose) as bar:

            def show(share: float) -> None:
                bar.show(share, "explaining")

            found = _core.explain(
                self.model_, rows, others, of, where, target or "", count_of("n_samples", n_samples),
                count_of("seed", seed, 0), threads_of(self), True, count_of("background_rows", background_rows),
                count_of("coalitions", coalitions, 0), show,
            )  # fmt: skip
        texts = {column.name for column in self.columns_ if column.kind != "number"}
        asked, region = _core.name_of(of), _core.name_of(where)
        return Explanation._of(found, texts, asked, region, target or self._target_of(region))

    @renamed(samples="n_samples")
    def crps_score(
        self, X: Any, y: Any, sample_weight: ArrayLike | None = None, *, n_samples: int = SUMMARY_SAMPLES
    ) -> float:
        """Minus the mean CRPS (with several targets, energy score) of the rows: higher is better, as for all scorers.

        Parameters
        ----------
        X : array or frame of shape (rows, features)
        y : array or frame of shape (rows,) or (rows, targets)
        sample_weight : array of shape (rows,), optional
        n_samples : int, default 1000
            Number of samples per row.

        Returns
        -------
        float

        Examples
        --------
        >>> X = np.linspace(-1, 1, 200)[:, None]
        >>> model = MirrorballRegressor(networks=1, epochs=5).fit(X, X[:, 0])
        >>> model.crps_score(X, X[:, 0]) < 0
        True
        """
        targets, rows = self._targets(y)[0], 0
        weights = _check_sample_weight(sample_weight, targets, dtype=np.float64, ensure_non_negative=True)
        scores: list[NDArray[np.float64]] = []
        for dist in self._blocks(self._known_table(X), n_samples, 0):
            scores.append(dist.energy_score(targets[rows : rows + len(dist)]))
            rows += len(dist)
        check_lengths(rows, len(targets))
        return -float(np.average(np.concatenate(scores), weights=weights))

    def report(
        self,
        X: Any,
        y: Any = None,
        path: str | os.PathLike[str] | None = None,
        *,
        title: str = "",
        rows: int = 20_000,
        explain_rows: int = 100,
        n_samples: int = SUMMARY_SAMPLES,
        seed: int = 0,
    ) -> Report:
        """The report of ``mirrorball report``: accuracy, calibration, weak spots, importances and drift on one HTML page.

        Parameters
        ----------
        X : array or frame of shape (rows, features)
            Rows that were not in training.
        y : array or frame of shape (rows,) or (rows, targets), optional
            Their observed values. Without them the report has forecasts, importances and drift.
        path : str or path, optional
            Where to write the page. A notebook shows it in any case.
        title : str, optional
        rows : int, default 20000
            Rows looked at, at most; of more, a random sample is used. Drift is of all rows.
        explain_rows : int, default 100
            Rows explained for the importances, at most; 0 leaves them out.
        n_samples : int, default 1000
            Number of samples per row.
        seed : int, default 0
            The same seed gives the same page.

        Returns
        -------
        Report

        Examples
        --------
        >>> X = np.random.default_rng(0).uniform(-1, 1, (300, 2))
        >>> model = MirrorballRegressor(networks=1, epochs=5).fit(X[:200], X[:200, 0])
        >>> report = model.report(X[200:], X[200:, 0], explain_rows=0)
        >>> report.html.startswith("<!doctype html>")
        True
        """
        table = self._scored_table(X, y)
        with Bar(self.verbose) as bar:
            parts = _core.report(
                self.model_, table, title, "model", "data", count_of("rows", rows),
                count_of("explain_rows", explain_rows, 0), count_of("n_samples", n_samples), count_of("seed", seed, 0),
                threads_of(self), lambda share: bar.show(share, "report"),
            )  # fmt: skip
        made = Report(parts)
        if path is not None:
            made.save(path)
        return made

    def explore(
        self,
        X: Any = None,
        y: Any = None,
        *,
        name: str = "model",
        port: int = 0,
        open_browser: bool | None = None,
    ) -> Explorer:
        """Opens the explorer of ``mirrorball serve``: the page where one moves features and sees the distribution change.

        Parameters
        ----------
        X : array or frame of shape (rows, features), optional
            Training rows or similar ones, which explanations compare with and the page shows. By default rows are
            generated from the model.
        y : array or frame of shape (rows,) or (rows, targets), optional
            Their observed values.
        name : str, default "model"
            What the page calls the model.
        port : int, default 0
            Port on this machine, 127.0.0.1; 0 takes a free one.
        open_browser : bool, optional
            Whether to open the page in a browser. By default everywhere but in a notebook, which shows it itself.

        Returns
        -------
        Explorer
            Its ``stop`` ends the server; so does the end of Python.

        Examples
        --------
        >>> X = np.random.default_rng(0).uniform(-1, 1, (300, 2))
        >>> model = MirrorballRegressor(networks=1, epochs=5).fit(X, X[:, 0])
        >>> explorer = model.explore(X, open_browser=False)
        >>> explorer.stop()
        """
        check_is_fitted(self)
        background = None if X is None else self._scored_table(X, y)
        server = _core.Explorer(self.model_, name, background, count_of("port", port, 0), threads_of(self))
        return Explorer(server, open_browser)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a model file, the same that ``mirrorball fit`` writes.

        Parameters
        ----------
        path : str or path
            It is replaced as a whole: after a crash there is the old file or the new one.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> X = np.linspace(-1, 1, 200)[:, None]
        >>> model = MirrorballRegressor(networks=1, epochs=5).fit(X, X[:, 0])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.save(pathlib.Path(folder) / "line.mirrorball")
        ...     again = MirrorballRegressor.load(pathlib.Path(folder) / "line.mirrorball")
        >>> bool((again.predict(X) == model.predict(X)).all())
        True
        """
        check_is_fitted(self)
        self.model_.save(os.fspath(path))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> MirrorballRegressor:
        """Reads a model file, written by Python or by the command line.

        Parameters
        ----------
        path : str or path

        Returns
        -------
        MirrorballRegressor
            A fitted estimator. Its parameters are those of the fit; ``categorical_features`` has the names of the
            columns of numbers and dates that were taken as categories.

        Examples
        --------
        See `save`.
        """
        model = _core.Model.load(os.fspath(path))
        made = cls(**parameters_of(model.options.values()))
        names = model.features
        made.n_features_in_ = len(names)
        if names != numbered("x", 0, len(names)):
            made.feature_names_in_ = np.asarray(names, dtype=object)
        made.interrupted_ = any(network["stopped"] for network in model.history())
        made._take(model)
        made.warnings_ = []
        # Columns of text are categories in any case; others must have been declared.
        declared = [name for name, values in made.categories_.items() if frames.looks_declared(values)]
        made.categorical_features = declared or None
        return made

    def set_params(self, **params: Any) -> MirrorballRegressor:
        """Sets parameters; ``options__NAME`` sets one entry of ``options``.

        Parameters
        ----------
        **params : dict

        Returns
        -------
        MirrorballRegressor
            The estimator itself.

        Examples
        --------
        >>> model = MirrorballRegressor(options={"forest": 0}).set_params(width=32, options__batch=16)
        >>> model.width, model.options
        (32, {'forest': 0, 'batch': 16})
        """
        known = self.get_params(deep=False)
        entries = {name: params.pop(name) for name in list(params) if name.startswith("options__")}
        old = {name: params.pop(name) for name in list(params) if name not in known and present_name(name)}
        super().set_params(**params)
        if entries:
            given = {name.removeprefix("options__"): value for name, value in entries.items()}
            self.options = {**(self.options or {}), **given}
        accept_old_names(self, old, replace=True)
        return self

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        """A fitted model shows its error and its columns in a notebook; others are drawn as scikit-learn draws them."""
        bundle = super()._repr_mimebundle_(**kwargs)
        if hasattr(self, "model_") and "text/html" in bundle:
            bundle["text/html"] = model_html(self, bundle["text/html"])
        return bundle

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.target_tags.multi_output = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def _take(self, model: _core.Model) -> MirrorballRegressor:
        self.model_ = model
        self.target_names_: list[str] = model.targets
        self.history_: list[dict[str, Any]] = model.history()
        self.options_: dict[str, Any] = model.options.values()
        self.plan_: dict[str, Any] = model.plan
        self.fit_report_: FitReport | None = fit_report_of(model)
        self.columns_: Columns = columns_of(model)
        self.categories_ = {column.name: column.categories for column in self.columns_ if column.kind == "category"}
        return self

    def _note(self, sentences: list[str]) -> None:
        """Keeps warnings of a fit, and issues them."""
        self.warnings_ += sentences
        for sentence in sentences:
            warn(sentence)

    def _known_table(self, X: Any) -> _core.Table:
        """The features of X, for a fitted model."""
        check_is_fitted(self)
        table = self._feature_table(X)
        for sentence in self.model_.warnings(table):
            warn(sentence)
        return table

    def _scored_table(self, X: Any, y: Any) -> _core.Table:
        """The features of X, and y under the names of the targets where it is given."""
        table = self._known_table(X)
        if y is not None:
            add_targets(table, self._targets(y)[0], Roles(self.target_names_))
        return table

    def _target_of(self, where: str) -> str:
        """The target that a region is about: the first whose name is in it."""
        return next((name for name in self.target_names_ if name in where), self.target_names_[0])


def _in_a_loop() -> bool:
    """Whether the caller fits many models, as a search does."""
    frame = sys._getframe()
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith(_LOOPS):
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False
