"""DN+ and DISCO Nets in PyTorch, written from the paper alone: the learning curves on the crossing curves once more.

Nothing of Mirrorball is used, so that a difference between the two would be seen. x and y are raw, as in the paper; 2550 rows
to train on and 450 to validate, batches of 150, N = 50 independent draws, Adam with a learning rate of 0.001, layers that
start as PyTorch's do. All seeds of a curve train side by side, as one batch of networks.

    python3 -m venv build/twin-venv && build/twin-venv/bin/pip install numpy torch
    build/twin-venv/bin/python experiments/torch_curves.py [--device cuda]

It writes docs/paper/torch_curves.json, curve by curve, with the seconds that each took; after an interruption it goes on with those
that are missing. Without a GPU it takes long: --seeds 1 --only "tanh disco 1" is one network.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from pathlib import Path

import numpy as np
import torch

WIDTH, LAYERS, COSINES = 128, 2, 128
ROWS, VALID, BATCH, DRAWS, RATE = 3000, 450, 150, 50, 1e-3
NOISE_SD = 0.15
ACTIVATIONS = {"relu": torch.relu, "tanh": torch.tanh}
#: A curve: activation, network, dimensions of the noise. DN+ has one, as its target.
CURVES = [f"{activation} {network}" for activation in ACTIVATIONS
          for network in ("dnplus 1", "disco 1", "disco 2", "disco 5", "disco 20")]
OUT = Path(__file__).resolve().parents[1] / "docs" / "paper" / "torch_curves.json"


def data(seeds: int) -> tuple[np.ndarray, np.ndarray]:
    """x and y, seeds by rows, in random order: a third of the rows on each of three curves."""
    x, y = np.empty((seeds, ROWS)), np.empty((seeds, ROWS))
    for seed in range(seeds):
        random = np.random.default_rng(seed)
        x[seed] = random.uniform(-np.pi / 2, np.pi / 2, ROWS)
        curve = random.permutation(ROWS) % 3
        y[seed] = np.choose(curve, means(x[seed])) + NOISE_SD * random.standard_normal(ROWS)
    return x, y


def means(x: np.ndarray) -> list[np.ndarray]:
    return [x, np.cos(x), -np.cos(x)]


# --- the true distribution ---------------------------------------------------------------------------------------------


def mean_size(m: np.ndarray, sd: float) -> np.ndarray:
    """E|Z| of Z normal with mean m: two of them make the CRPS of a mixture of normal distributions."""
    t = m / sd
    phi = np.exp(-t * t / 2) / math.sqrt(2 * math.pi)
    erf = torch.erf(torch.as_tensor(t / math.sqrt(2))).numpy()
    return m * erf + 2 * sd * phi


def spread(x: np.ndarray) -> np.ndarray:
    """E|Y - Y'| / 2 of the true distribution at x: what it scores in the mean."""
    return np.mean([mean_size(one - other, math.sqrt(2) * NOISE_SD) for one in means(x) for other in means(x)], 0) / 2


def luck(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """By seed: what the true distribution scores on these rows more than over all x and y."""
    on_rows = np.mean([mean_size(y - one, NOISE_SD) for one in means(x)], 0) - spread(x)
    return on_rows.mean(axis=1) - spread(np.linspace(-np.pi / 2, np.pi / 2, 20_001)).mean()


# --- networks, one for each seed, side by side ---------------------------------------------------------------------------


class Linear(torch.nn.Module):
    def __init__(self, seeds: int, inputs: int, outputs: int) -> None:
        super().__init__()
        self.weight, self.bias = (
            torch.nn.Parameter((2 * torch.rand(seeds, rows, outputs) - 1) / math.sqrt(inputs)) for rows in (inputs, 1)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.baddbmm(self.bias, x, self.weight)


class Network(torch.nn.Module):
    """x: seeds by rows by 1; noise: seeds by rows by draws by dimensions; out: seeds by rows by draws."""

    def __init__(self, seeds: int, kind: str, dims: int, activation: str) -> None:
        super().__init__()
        self.kind, self.dims, self.act = kind, dims, ACTIVATIONS[activation]
        self.first = Linear(seeds, 1 if kind == "dnplus" else 1 + dims, WIDTH)
        self.embedding = Linear(seeds, COSINES, WIDTH) if kind == "dnplus" else None
        self.hidden = torch.nn.ModuleList(Linear(seeds, WIDTH, WIDTH) for _ in range(LAYERS))
        self.last = Linear(seeds, WIDTH, 1)

    def forward(self, x: torch.Tensor, noise: torch.Tensor) -> torch.Tensor:
        seeds, rows, draws, dims = noise.shape
        lines = noise.reshape(seeds, rows * draws, dims)
        if self.embedding is not None:
            k = math.pi * torch.arange(COSINES, device=noise.device)
            embedded = torch.tanh(self.embedding(torch.cos(lines * k)))
            h = self.act(self.first(x)).repeat_interleave(draws, 1) * embedded
        else:
            h = self.act(self.first(torch.cat([x.repeat_interleave(draws, 1), lines], 2)))
        for layer in self.hidden:
            h = self.act(layer(h))
        return self.last(h).reshape(seeds, rows, draws)


def energy_score(draws: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """By seed: the mean over rows of (1/N) sum |s - y| - (1/2N^2) sum |s_i - s_j|, pairs by the sorted draws."""
    n = draws.shape[-1]
    weights = 2 * torch.arange(n, device=draws.device) - n + 1
    pairs = (draws.sort(-1).values * weights).sum(-1) / n**2
    return ((draws - y.unsqueeze(-1)).abs().mean(-1) - pairs).mean(-1)


def curve(name: str, seeds: int, epochs: int, device: str) -> dict[str, list[float]]:
    """The validation loss after every epoch: mean and standard deviation over the seeds, less the luck of the rows."""
    activation, kind, dims = name.split()
    torch.manual_seed(CURVES.index(name))
    x, y = data(seeds)
    unlucky = luck(x[:, :VALID], y[:, :VALID])
    x, y = (torch.tensor(part, dtype=torch.float32, device=device) for part in (x.reshape(seeds, ROWS, 1), y))
    net = Network(seeds, kind, int(dims), activation).to(device)
    adam = torch.optim.Adam(net.parameters(), RATE)
    each, losses = torch.arange(seeds, device=device)[:, None], []

    def noise(rows: int) -> torch.Tensor:
        return torch.rand(seeds, rows, DRAWS, net.dims, device=device)

    for _ in range(epochs):
        order = VALID + torch.rand(seeds, ROWS - VALID, device=device).argsort(1)
        for some in order.split(BATCH, 1):
            adam.zero_grad()
            energy_score(net(x[each, some], noise(some.shape[1])), y[each, some]).sum().backward()
            adam.step()
        with torch.no_grad():
            losses.append(energy_score(net(x[:, :VALID], noise(VALID)), y[:, :VALID]))
    found = torch.stack(losses).cpu().double().numpy() - unlucky
    return {"mean": found.mean(1).round(5).tolist(), "sd": found.std(1).round(5).tolist()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seeds", type=int, default=7)
    parser.add_argument("--epochs", type=int, default=200)
    parser.add_argument("--only", action="append", choices=CURVES, help="a curve; all by default")
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args()
    run = {"seeds": chosen.seeds, "epochs": chosen.epochs}
    record = json.loads(chosen.out.read_text()) if chosen.out.exists() else {}
    if record.get("settings") != run:
        record = {"settings": run, "torch": torch.__version__, "device": chosen.device, "curves": {}}
        record["truth"] = round(float(spread(np.linspace(-np.pi / 2, np.pi / 2, 20_001)).mean()), 5)
    for name in chosen.only or CURVES:
        if name in record["curves"]:
            continue
        begun = time.perf_counter()
        found = curve(name, **run, device=chosen.device)
        record["curves"][name] = found | {"seconds": round(time.perf_counter() - begun)}
        chosen.out.write_text(json.dumps(record) + "\n")
        print(f"{name}: lowest {min(record['curves'][name]['mean']):.4f}, {time.perf_counter() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main()
