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
    network : {"dnplus", "disco", "point"}, default "dnplus"
        dnplus embeds the noise and multiplies it in; disco appends it to the inputs; point has none and learns the
        mean.
    members : int, default 6
        Networks trained from different starts, whose draws are pooled.
    width : int, default 128
        Units in every hidden layer.
    layers : int, default 2
        Hidden layers after the noise is merged in.
    activation : {"relu", "selu", "tanh", "gcu", "silu"}, default "relu"
        Activation of the layers.
    activate_input : bool, default True
        Put the activation on the inputs' layer too (dnplus; the others always do).
    noise_dim : int, default 0
        Noise dimensions; 0 takes the number of targets.
    cosines : int, default 128
        Cosines that embed the noise, shared among its dimensions, at least 2 for each.
    waves : int, default -1
        Waves of learned frequency that embed each number feature, beside the number; 0 takes it as it is; -1 is 24,
        or none for a single feature.
    wave_low : float, default 0.03
        Typical frequency of the slowest waves at the start.
    wave_high : float, default 3
        Typical frequency of the fastest waves at the start; those between run geometrically.
    damp_waves : bool, default True
        Give fast waves less weight in every second network.
    draws : int, default 0
        Draws per row in a training step; 0 takes 6 with one noise dimension, 16 with several.
    sampling : {"auto", "independent", "stratified"}, default "auto"
        How the draws of a row are taken; auto is stratified with one noise dimension, independent with several or
        with fair.
    noise_grid : int, default 64
        Noise values a step has to share (times 4 for several noise dimensions); 0 gives every draw its own.
    alpha : float, default 1
        Exponent of the distances in the energy score, inside (0, 2).
    fair : bool, default False
        Weight the pairs of draws by 1/(2N(N-1)) instead of 1/(2N^2).
    input_transform : {"quantile", "standard", "scores", "even", "auto"}, default "auto"
        Transform of number features: quantile to a normal distribution, its ends at +-5.2; scores the same with
        half a knot beyond the ends, which then lie near their neighbours; standard to mean 0 and deviation 1; even
        by its range; auto is even for a feature spread evenly over its range, else scores.
    target_transform : {"quantile", "standard", "scores"}, default "quantile"
        Transform of the targets; quantile and scores keep draws inside the training range, standard can leave it.
    quantiles : int, default 1000
        Knots of a quantile transform, at most.
    plain_numbers : int, default 12
        Number features that enter by their ranks (quantile, scores) enter by their values too, softly clipped,
        where there are 2 to this many number features and at least 2000 rows; 0 never.
    max_levels : int, default 1000
        Levels kept per category, the most frequent ones.
    order_levels : bool, default True
        Start what is learned of a category's levels in the order of their mean targets.
    epochs : int, default 12
        Passes over the training rows.
    min_steps : int, default 4000
        Epochs are raised until there are this many steps, or 6 a row; `fit --epochs` sets it to 0.
    batch : int, default 0
        Rows per step, at most; 0 takes 32 below 2000 rows, else 100, and with more than 50,000 a 500th of them, up
        to 400.
    learning_rate : float, default 0.004
        Adam's step size.
    schedule : {"constant", "cosine"}, default "cosine"
        How the learning rate runs over the steps.
    warmup : float, default 0.03
        Share of the steps over which a cosine schedule rises first.
    beta1 : float, default 0.9
        Adam's decay of the gradient's mean.
    beta2 : float, default 0.95
        Adam's decay of the gradient's square.
    averaging : float, default 0.998
        Decay of the running average of the weights; 0 is off.
    init_sd : float, default 0
        Draw all starting weights from N(0, sd^2); 0 takes the uniform rule of 1/sqrt(inputs).
    valid_fraction : float, default 0.1
        Share of rows held out for choosing the best epoch and for calibration.
    min_valid : int, default 500
        Hold out this many rows at least, as long as that is no more than a fifth of them.
    valid_draws : int, default 16
        Draws per row in the validation score.
    best_after : float, default 0.333333
        Share of the epochs that must be over before one can be the best.
    patience : int, default 0
        Stop after this many epochs without a better score; 0 takes a sixth of the epochs, -1 never stops.
    refit : bool, default True
        Train on for a while with the held-out rows among the others, once they have chosen and calibrated; not with
        validation rows of your own, nor with conformal calibration.
    forest : int, default 64
        Random trees whose leaves add draws, as many as the validation rows ask for; one target only.
    calibrate : {"none", "scale", "levels", "conformal"}, default "levels"
        What the validation rows correct: scale is the spread and the forest's share; levels the tails and the 90%
        interval too; conformal gives that interval its guarantee.
    time_limit : float, default 0
        Seconds that training may take; the learning rate runs down in time; 0 is no limit.
    precision : {"auto", "float32", "bfloat16"}, default "auto"
        Of the factors in the hidden layers' products in training: bfloat16 is faster but needs an AVX-512 BF16 CPU;
        auto takes it where there is one.
    seed : int, default 0
        Same seed, same model.
    threads : int, default 0
        Threads; 0 takes all cores; the model does not depend on it.
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
"""


class Parameters:
    """Holds what the constructor was given, as scikit-learn wants it."""

    def __init__(
        self,
        *,
        preset: str = "default",
        network: Literal["dnplus", "disco", "point"] | None = None,
        members: int | None = None,
        width: int | None = None,
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
        target_transform: Literal["quantile", "standard", "scores"] | None = None,
        quantiles: int | None = None,
        plain_numbers: int | None = None,
        max_levels: int | None = None,
        order_levels: bool | None = None,
        epochs: int | None = None,
        min_steps: int | None = None,
        batch: int | None = None,
        learning_rate: float | None = None,
        schedule: Literal["constant", "cosine"] | None = None,
        warmup: float | None = None,
        beta1: float | None = None,
        beta2: float | None = None,
        averaging: float | None = None,
        init_sd: float | None = None,
        valid_fraction: float | None = None,
        min_valid: int | None = None,
        valid_draws: int | None = None,
        best_after: float | None = None,
        patience: int | None = None,
        refit: bool | None = None,
        forest: int | None = None,
        calibrate: Literal["none", "scale", "levels", "conformal"] | None = None,
        time_limit: float | None = None,
        precision: Literal["auto", "float32", "bfloat16"] | None = None,
        seed: int | None = None,
        threads: int | None = None,
        categorical_features: Sequence[str] | Sequence[int] | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: bool | None = None,
    ) -> None:
        self.preset = preset
        self.network = network
        self.members = members
        self.width = width
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
        self.target_transform = target_transform
        self.quantiles = quantiles
        self.plain_numbers = plain_numbers
        self.max_levels = max_levels
        self.order_levels = order_levels
        self.epochs = epochs
        self.min_steps = min_steps
        self.batch = batch
        self.learning_rate = learning_rate
        self.schedule = schedule
        self.warmup = warmup
        self.beta1 = beta1
        self.beta2 = beta2
        self.averaging = averaging
        self.init_sd = init_sd
        self.valid_fraction = valid_fraction
        self.min_valid = min_valid
        self.valid_draws = valid_draws
        self.best_after = best_after
        self.patience = patience
        self.refit = refit
        self.forest = forest
        self.calibrate = calibrate
        self.time_limit = time_limit
        self.precision = precision
        self.seed = seed
        self.threads = threads
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
