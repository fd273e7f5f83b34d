"""engression with the settings of its README. It has nothing to tune there, so it gets all rows."""

from __future__ import annotations

import numpy as np
import torch
from engression import engression

from tables.quantiles import DRAWS
from tables.task import Forecast, Task


def forecast(task: Task) -> Forecast:
    torch.manual_seed(task.seed)
    torch.set_num_threads(task.threads)
    rows = task.all_rows
    with task.timed("fit"):
        x, y = tensor(rows.x), tensor(rows.y[:, None])
        model = engression(x, y, lr=0.01, num_epochs=500, batch_size=1000, device="cpu", verbose=False)
    with task.timed("predict"):
        draws = model.sample(tensor(task.test_x), sample_size=DRAWS)
    return Forecast(draws[:, 0, :].double().numpy())


def tensor(values: np.ndarray) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float32)
