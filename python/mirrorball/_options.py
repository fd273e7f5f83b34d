"""The estimator's parameters. Made by tools/make_options.py from the table of options: do not edit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

#: The fields of Options.
OPTION_NAMES = (
    "network",
    "members",
    "width",
    "layers",
    "activation",
    "activate_input",
    "noise_dim",
    "cosines",
    "waves",
    "wave_low",
    "wave_high",
    "damp_waves",
    "draws",
    "sampling",
    "noise_grid",
    "alpha",
    "fair",
    "input_transform",
    "target_transform",
    "quantiles",
    "plain_numbers",
    "max_levels",
    "order_levels",
    "epochs",
    "min_steps",
    "batch",
    "learning_rate",
    "schedule",
    "warmup",
    "beta1",
    "beta2",
    "averaging",
    "init_sd",
    "valid_fraction",
    "min_valid",
    "valid_draws",
    "best_after",
    "patience",
    "refit",
    "forest",
    "calibrate",
    "time_limit",
    "precision",
    "seed",
    "threads",
)

#: The parameters in words, for docstrings.
PARAMETERS = """\
    preset : str, default "default"
        Where the options start: "default", "paper", "disco", "point". An option left at None has the preset's
        value.
    members : int, default 6
        Networks in the ensemble, trained from different initial weights; their samples are pooled.
    width : int, default 128
        Units per hidden layer.
    target_transform : {"quantile", "standard", "scores"}, default "quantile"
        Transform of the targets; with quantile and scores, samples stay inside the training range; with standard
        they can leave it.
    epochs : int, default 0
        Passes over the training rows; 0 = 12, raised until there are min_steps steps.
    batch : int, default 0
        Rows per training step, at most; 0 = 32 below 2000 rows, else 100, and above 50,000 rows a 500th of them, up
        to 400.
    learning_rate : float, default 0.004
        Learning rate of Adam.
    valid_fraction : float, default 0.1
        Fraction of rows held out to choose the best epoch and to calibrate.
    forest : int, default 64
        Trees of a random forest whose samples are blended in, with the weight that suits the validation rows; one
        target only; 0 = no forest.
    calibrate : {"none", "scale", "levels", "conformal"}, default "levels"
        What is calibrated on the validation rows: scale = the spread and the forest's weight; levels = the tails
        and the 90% interval too; conformal = as levels, with the conformal guarantee for that interval.
    time_limit : float, default 0
        Seconds that training may take; the learning rate schedule ends in time; 0 = no limit.
    seed : int, default 0
        Random seed: the same seed gives the same model.
    threads : int, default 0
        Threads; 0 = all cores the process may use; the model does not depend on it.
    categorical_features : Sequence[str] | Sequence[int], default None
        Names or places of columns of numbers to take as categories. Columns of text and of categorical dtypes are
        categories by themselves.
    random_state : int | np.random.RandomState, default None
        Another name of `seed`, as scikit-learn calls it. None is 0: the same data give the same model. A
        RandomState gives a new seed at every fit.
    n_jobs : int, default None
        Another name of `threads`, as scikit-learn calls it. None and -1 take all cores, -2 all but one; None obeys
        OMP_NUM_THREADS, which joblib sets in its worker processes. Results do not depend on it.
    verbose : bool, default None
        Whether long work shows a bar. None shows one on a terminal and in a notebook; True writes lines elsewhere.
    network : {"dnplus", "disco", "point"}, default "dnplus"
        Expert option: dnplus multiplies a noise embedding into the hidden units; disco appends the noise to the
        inputs; point has no noise and predicts the mean.
    layers : int, default 2
        Expert option: hidden layers after the noise is merged in.
    activation : {"relu", "selu", "tanh", "gcu", "silu"}, default "relu"
        Expert option: activation function.
    activate_input : bool, default True
        Expert option: apply the activation to the input layer too (dnplus; disco and point always do).
    noise_dim : int, default 0
        Expert option: noise dimensions; 0 = the number of targets.
    cosines : int, default 128
        Expert option: cosine features that embed the noise, split among its dimensions, at least 2 each.
    waves : int, default -1
        Expert option: periodic features of learned frequency for each numeric column, besides the number; 0 = none;
        -1 = 24, or none for a single feature.
    wave_low : float, default 0.03
        Expert option: initial scale of the lowest frequency of the waves.
    wave_high : float, default 3
        Expert option: initial scale of the highest frequency of the waves; those between are spaced geometrically.
    damp_waves : bool, default True
        Expert option: give high frequencies less weight in every second network.
    draws : int, default 0
        Expert option: draws per row in a training step; 0 = 6 with one noise dimension, 16 with several.
    sampling : {"auto", "independent", "stratified"}, default "auto"
        Expert option: how the noise of a row's draws is sampled; auto = stratified with one noise dimension,
        independent with several or with fair.
    noise_grid : int, default 64
        Expert option: size of the noise table shared by all draws of a training step (times 4 with several noise
        dimensions); 0 = fresh noise for every draw.
    alpha : float, default 1
        Expert option: exponent of the distances in the energy score, between 0 and 2.
    fair : bool, default False
        Expert option: unbiased energy score: weight the pairs of draws by 1/(2N(N-1)) instead of 1/(2N^2).
    input_transform : {"quantile", "standard", "scores", "even", "auto"}, default "auto"
        Expert option: transform of numeric features: quantile = ranks to a normal distribution with ends at +-5.2;
        scores = the same with half a knot beyond the ends, so that extremes stay near their neighbours; standard =
        to mean 0 and standard deviation 1; even = by the range; auto = even for a feature spread evenly over its
        range, else scores.
    quantiles : int, default 1000
        Expert option: knots of a quantile transform, at most.
    plain_numbers : int, default 12
        Expert option: numeric features transformed by rank (quantile, scores) enter by value too, softly clipped,
        if there are 2 to this many numeric features and at least 2000 rows; 0 = never.
    max_levels : int, default 1000
        Expert option: categories kept per categorical column, the most frequent ones.
    order_levels : bool, default True
        Expert option: initialize the weights of a column's categories in the order of their mean targets.
    min_steps : int, default -1
        Expert option: epochs are raised until there are this many steps, or 6 a row; -1 = 4000 if epochs is
        automatic, else 0.
    schedule : {"constant", "cosine"}, default "cosine"
        Expert option: schedule of the learning rate over the steps.
    warmup : float, default 0.03
        Expert option: fraction of the steps over which a cosine schedule warms up.
    beta1 : float, default 0.9
        Expert option: decay of Adam's first moment.
    beta2 : float, default 0.95
        Expert option: decay of Adam's second moment.
    averaging : float, default 0.998
        Expert option: decay of the moving average of the weights; 0 = off.
    init_sd : float, default 0
        Expert option: initialize all weights from N(0, sd^2); 0 = uniform within 1/sqrt(inputs).
    min_valid : int, default 500
        Expert option: hold out at least this many rows, as long as that is at most a fifth of them.
    valid_draws : int, default 16
        Expert option: draws per row in the validation score.
    best_after : float, default 0.333333
        Expert option: fraction of the epochs that must be over before one can be the best.
    patience : int, default 0
        Expert option: stop after this many epochs without a better validation score; 0 = a sixth of the epochs, -1
        = never.
    refit : bool, default True
        Expert option: after calibration, continue training briefly with the held-out rows included; not with a
        validation table of your own, nor with conformal calibration.
    precision : {"auto", "float32", "bfloat16"}, default "auto"
        Expert option: number format of the hidden layers' matrix products in training: bfloat16 is faster and needs
        a CPU with AVX-512 BF16; auto = bfloat16 where supported.
"""


class Parameters:
    """Holds what the constructor was given, as scikit-learn wants it."""

    def __init__(
        self,
        *,
        preset: str = "default",
        members: int | None = None,
        width: int | None = None,
        target_transform: Literal["quantile", "standard", "scores"] | None = None,
        epochs: int | None = None,
        batch: int | None = None,
        learning_rate: float | None = None,
        valid_fraction: float | None = None,
        forest: int | None = None,
        calibrate: Literal["none", "scale", "levels", "conformal"] | None = None,
        time_limit: float | None = None,
        seed: int | None = None,
        threads: int | None = None,
        categorical_features: Sequence[str] | Sequence[int] | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: bool | None = None,
        network: Literal["dnplus", "disco", "point"] | None = None,
        layers: int | None = None,
        activation: Literal["relu", "selu", "tanh", "gcu", "silu"] | None = None,
        activate_input: bool | None = None,
        noise_dim: int | None = None,
        cosines: int | None = None,
        waves: int | None = None,
        wave_low: float | None = None,
        wave_high: float | None = None,
        damp_waves: bool | None = None,
        draws: int | None = None,
        sampling: Literal["auto", "independent", "stratified"] | None = None,
        noise_grid: int | None = None,
        alpha: float | None = None,
        fair: bool | None = None,
        input_transform: Literal["quantile", "standard", "scores", "even", "auto"] | None = None,
        quantiles: int | None = None,
        plain_numbers: int | None = None,
        max_levels: int | None = None,
        order_levels: bool | None = None,
        min_steps: int | None = None,
        schedule: Literal["constant", "cosine"] | None = None,
        warmup: float | None = None,
        beta1: float | None = None,
        beta2: float | None = None,
        averaging: float | None = None,
        init_sd: float | None = None,
        min_valid: int | None = None,
        valid_draws: int | None = None,
        best_after: float | None = None,
        patience: int | None = None,
        refit: bool | None = None,
        precision: Literal["auto", "float32", "bfloat16"] | None = None,
    ) -> None:
        self.preset = preset
        self.members = members
        self.width = width
        self.target_transform = target_transform
        self.epochs = epochs
        self.batch = batch
        self.learning_rate = learning_rate
        self.valid_fraction = valid_fraction
        self.forest = forest
        self.calibrate = calibrate
        self.time_limit = time_limit
        self.seed = seed
        self.threads = threads
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.network = network
        self.layers = layers
        self.activation = activation
        self.activate_input = activate_input
        self.noise_dim = noise_dim
        self.cosines = cosines
        self.waves = waves
        self.wave_low = wave_low
        self.wave_high = wave_high
        self.damp_waves = damp_waves
        self.draws = draws
        self.sampling = sampling
        self.noise_grid = noise_grid
        self.alpha = alpha
        self.fair = fair
        self.input_transform = input_transform
        self.quantiles = quantiles
        self.plain_numbers = plain_numbers
        self.max_levels = max_levels
        self.order_levels = order_levels
        self.min_steps = min_steps
        self.schedule = schedule
        self.warmup = warmup
        self.beta1 = beta1
        self.beta2 = beta2
        self.averaging = averaging
        self.init_sd = init_sd
        self.min_valid = min_valid
        self.valid_draws = valid_draws
        self.best_after = best_after
        self.patience = patience
        self.refit = refit
        self.precision = precision
