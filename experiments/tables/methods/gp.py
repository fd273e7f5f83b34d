"""Gaussian process: isotropic Matern plus white noise, inputs to normal quantiles, target by RobustScaler, as in
the paper. The kernel is fitted on at most 3,000 rows, and the process then conditioned on all of them."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel
from sklearn.preprocessing import QuantileTransformer, RobustScaler
from threadpoolctl import threadpool_limits

from tables.quantiles import DRAW_LEVELS
from tables.task import Forecast, Task

KERNEL_ROWS = 3000
PREDICT_ROWS = 500  # at a time: the kernel between them and all training rows is held in memory


def forecast(task: Task) -> Forecast:
    mean, sd = normals(task)
    return Forecast(norm.ppf(DRAW_LEVELS, mean[:, None], sd[:, None]))


def normals(task: Task, kernel_rows: int = KERNEL_ROWS) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of every test row."""
    rows = task.all_rows
    with task.timed("fit"):
        inputs = QuantileTransformer(
            n_quantiles=min(1000, len(rows.y)), output_distribution="normal", random_state=task.seed
        )
        x, output = inputs.fit_transform(rows.x), RobustScaler()
        y = output.fit_transform(rows.y[:, None])[:, 0]
        some = np.random.RandomState(task.seed).permutation(len(y))[:kernel_rows]
        kernel = ConstantKernel() * Matern() + WhiteKernel()
        kernel = GaussianProcessRegressor(kernel, random_state=task.seed).fit(x[some], y[some]).kernel_
        with threadpool_limits(1):  # OpenBLAS's threaded Cholesky crashes on matrices of this size
            process = GaussianProcessRegressor(kernel, optimizer=None, copy_X_train=False).fit(x, y)
    with task.timed("predict"):
        parts = np.array_split(inputs.transform(task.test_x), -(-len(task.test_x) // PREDICT_ROWS))
        means, sds = zip(*(process.predict(part, return_std=True) for part in parts))
        mean = output.inverse_transform(np.concatenate(means)[:, None])[:, 0]
        return mean, np.concatenate(sds) * output.scale_[0]
