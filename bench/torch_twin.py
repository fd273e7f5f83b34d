#!/usr/bin/env python3
"""The same network, loss and data in PyTorch, timed beside Mirrorball in one run.

Before anything is timed, loss and gradient of one step of the paper's size are compared with ours on the same weights
and noise. Then times are taken in turns (ours, eager, compiled, ours, ...), and the best of each is compared.

    python3 -m venv build/twin && build/twin/bin/pip install -r bench/requirements.txt
    make bench && build/twin/bin/python bench/torch_twin.py
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import torch
from safetensors import safe_open

ROOT = Path(__file__).resolve().parent.parent
BATCH, DRAWS, WIDTH, MEMBERS = 200, 100, 128, 5  # drawing is compared for five networks of 100 draws
ACTIVATIONS = {"relu": torch.relu, "tanh": torch.tanh}


class Network(torch.nn.Module):
    """DN+: u = act(x Wx + bx) * tanh(cos(k pi a) Wa + ba), two hidden layers, one output."""

    def __init__(self, features, activation):
        super().__init__()
        self.act = ACTIVATIONS[activation]
        self.input = torch.nn.Linear(features, WIDTH)
        self.noise = torch.nn.Linear(WIDTH, WIDTH)
        self.hidden = torch.nn.ModuleList(torch.nn.Linear(WIDTH, WIDTH) for _ in range(2))
        self.output = torch.nn.Linear(WIDTH, 1)
        self.register_buffer("k", torch.arange(WIDTH).float() * math.pi)

    def embed(self, a):
        return torch.tanh(self.noise(torch.cos(a.unsqueeze(-1) * self.k)))

    def draw(self, x, phi):
        """x: rows x features; phi: draws x width, or rows x draws x width."""
        h = self.act(self.input(x)).unsqueeze(1) * phi
        for layer in self.hidden:
            h = self.act(layer(h))
        return self.output(h).squeeze(-1)

    def forward(self, x, a):
        return self.draw(x, self.embed(a))


def energy_score(draws, y):
    """Mean over rows of (1/N) sum|s - y| - (1/2N^2) sum|s_i - s_j|, the pairs from the sorted draws."""
    n = draws.shape[1]
    weights = 2 * torch.arange(n) - n + 1
    pairs = (torch.sort(draws, dim=1).values * weights).sum(1) / n**2
    return ((draws - y).abs().mean(1) - pairs).mean()


# --- the check -------------------------------------------------------------------------------------------------------


def parameters_of(net):
    """Ours by name. Our weights are inputs x outputs, PyTorch's the other way round (but for the output's row)."""
    yield "input.weight", net.input.weight, True
    yield "input.bias", net.input.bias, False
    yield "noise.weight", net.noise.weight, True
    yield "noise.bias", net.noise.bias, False
    for i, layer in enumerate(net.hidden):
        yield f"hidden.{i}.weight", layer.weight, True
        yield f"hidden.{i}.bias", layer.bias, False
    yield "output.weight", net.output.weight, False
    yield "output.bias", net.output.bias, False


def check(bench):
    """Loss and every gradient agree with ours, or the program ends."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/step.safetensors"
        subprocess.run([bench, "--step_file", path], check=True)
        with safe_open(path, "pt") as stored:
            for activation in ACTIVATIONS:
                net = Network(stored.get_tensor("x").shape[1], activation)
                with torch.no_grad():
                    for name, parameter, turned in parameters_of(net):
                        ours = stored.get_tensor(name)
                        parameter.copy_((ours.T if turned else ours).reshape(parameter.shape))
                loss = energy_score(net(stored.get_tensor("x"), stored.get_tensor("noise")), stored.get_tensor("y"))
                loss.backward()
                ours = float(stored.metadata()[f"{activation}.loss"])
                error = abs(loss.item() - ours) / abs(ours)
                worst = 0.0
                for name, parameter, turned in parameters_of(net):
                    gradient = stored.get_tensor(f"{activation}.gradient.{name}")
                    gradient = (gradient.T if turned else gradient).reshape(parameter.shape)
                    worst = max(worst, ((parameter.grad - gradient).norm() / gradient.norm()).item())
                print(f"check {activation}: loss {loss.item():.6f}, ours {ours:.6f}; "
                      f"relative difference {error:.1e}, of the gradients at most {worst:.1e}")
                if error > 1e-4 or worst > 1e-3:
                    sys.exit("torch_twin: the networks differ; nothing was timed")


# --- times -----------------------------------------------------------------------------------------------------------


def best_time(work, repeats, seconds=1.0):
    """Best mean time of a call over `repeats` runs of about a second."""
    start = time.perf_counter()
    work()
    calls = max(1, int(seconds / (time.perf_counter() - start)))
    best = math.inf
    for _ in range(repeats):
        start = time.perf_counter()
        for _ in range(calls):
            work()
        best = min(best, (time.perf_counter() - start) / calls)
    return best


KINDS = {"eager": (False, False), "compiled": (True, False), "eager bf16": (False, True), "compiled bf16": (True, True)}


class TorchStep:
    """A training step on the same kind of batch, noise drawn anew each time; `bfloat` with automatic mixed precision."""

    def __init__(self, activation, compiled, bfloat):
        self.bfloat = bfloat
        self.net = Network(8, activation)
        self.optimizer = torch.optim.Adam(self.net.parameters(), 1e-3, fused=True)
        self.x, self.y = torch.randn(BATCH, 8), torch.randn(BATCH, 1)
        loss = lambda a: energy_score(self.net(self.x, a), self.y)
        self.loss = torch.compile(loss) if compiled else loss

    def __call__(self):
        self.optimizer.zero_grad()
        with torch.autocast("cpu", torch.bfloat16, enabled=self.bfloat):
            loss = self.loss(torch.rand(BATCH, DRAWS))
        loss.backward()
        self.optimizer.step()


class TorchPredict:
    """Draws for some rows: five networks, 100 draws each; the noise embedded once, as ours."""

    ROWS = 1000

    def __init__(self, compiled):
        self.nets = [Network(8, "relu") for _ in range(MEMBERS)]
        self.x = torch.randn(self.ROWS, 8)
        self.draw = [torch.compile(net.draw) if compiled else net.draw for net in self.nets]

    @torch.no_grad()
    def __call__(self):
        for net, draw in zip(self.nets, self.draw):
            phi = net.embed(torch.rand(DRAWS))
            for rows in self.x.split(BATCH):
                draw(rows, phi)


def our_time(args, name):
    """Median seconds of one of our benchmarks, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/out.json"
        subprocess.run([args.bench, f"--benchmark_filter=^{name}/.*threads:{args.threads}/", f"--benchmark_out={out}"],
                       check=True, stdout=subprocess.DEVNULL)
        runs = json.loads(Path(out).read_text())["benchmarks"]
    return next(run["real_time"] for run in runs if run.get("aggregate_name") == "median") * 1e-3


def our_default(args, name):
    """Seconds for 200 rows: our benchmark does ten steps of 100 rows on every thread."""
    return our_time(args, f"default_step/{name}") * BATCH / (10 * 100 * args.threads)


def compare(args, title, ours, torch_works, torch_scale=1.0):
    """In turns: ours, then each of PyTorch's; best of all rounds."""
    times = dict.fromkeys(["ours", *torch_works], math.inf)
    for _ in range(args.rounds):
        times["ours"] = min(times["ours"], ours())
        for name, work in torch_works.items():
            times[name] = min(times[name], best_time(work, 2) * torch_scale)
    return report(title, times)


def report(title, times):
    fastest = min(value for name, value in times.items() if name != "ours")
    ratio = fastest / times["ours"]
    parts = "  ".join(f"{name} {value * 1e3:9.1f} ms" for name, value in times.items())
    print(f"{title:<44} {parts}   ratio {ratio:5.1f}", flush=True)
    return {"title": title, "seconds": times, "ratio": ratio}


# --- a whole fit -----------------------------------------------------------------------------------------------------


def made_table(rows):
    """Eight features; a skewed target whose place, spread and shape depend on them."""
    random = np.random.default_rng(0)
    x = random.normal(size=(rows, 8))
    y = np.sin(2 * x[:, 0]) + x[:, 1] * x[:, 2] + np.exp(0.4 * x[:, 3]) * (random.gamma(2.0, size=rows) - 2)
    return np.column_stack([x, y]).astype(np.float32)


def valid_score(net, x, y):
    """As Mirrorball's: 16 evenly spread noise points."""
    with torch.no_grad():
        phi = net.embed((torch.arange(16) + 0.5) / 16)
        return energy_score(torch.cat([net.draw(rows, phi) for rows in x.split(BATCH)]), y).item()


def torch_fit(train, valid, epochs, compiled):
    """The paper's training; seconds and the best validation score."""
    mean, sd = train.mean(0), train.std(0)
    train, valid = [torch.from_numpy((part - mean) / sd) for part in (train, valid)]
    net = Network(8, "relu")
    optimizer = torch.optim.Adam(net.parameters(), 1e-3, fused=True)
    loss_of = lambda x, y, a: energy_score(net(x, a), y)
    if compiled:
        loss_of = torch.compile(loss_of)
        loss_of(train[:BATCH, :8], train[:BATCH, 8:], torch.rand(BATCH, DRAWS))  # compiling is not training
    start, best = time.perf_counter(), math.inf
    for _ in range(epochs):
        order = torch.randperm(len(train))
        for rows in order[: len(order) // BATCH * BATCH].split(BATCH):
            batch = train[rows]
            optimizer.zero_grad()
            loss_of(batch[:, :8], batch[:, 8:], torch.rand(BATCH, DRAWS)).backward()
            optimizer.step()
        best = min(best, valid_score(net, valid[:, :8], valid[:, 8:]))
    return time.perf_counter() - start, best


def our_fit(args, folder, flags):
    model = f"{folder}/model.mirrorball"
    start = time.perf_counter()
    subprocess.run([args.mirrorball, "fit", f"{folder}/train.csv", "--valid", f"{folder}/valid.csv", "--target", "y",
                    "--out", model, "--quiet", "--threads", str(args.threads), "--networks", "1",
                    "--input-transform", "standard", "--target-transform", "standard", *flags], check=True)
    seconds = time.perf_counter() - start
    with safe_open(model, "np") as stored:
        history = json.loads(stored.metadata()["model"])["history"]
    return seconds, min(history[0]["valid"])


def compare_fits(args, compiled):
    table = made_table(10000)
    train, valid = table[:9000], table[9000:]
    torch_seconds, torch_score = torch_fit(train, valid, args.fit_epochs, compiled)
    with tempfile.TemporaryDirectory() as folder:
        header = ",".join([*(f"x{i}" for i in range(1, 9)), "y"])
        for name, part in (("train", train), ("valid", valid)):
            np.savetxt(f"{folder}/{name}.csv", part, "%.7g", ",", header=header, comments="")
        same, same_score = our_fit(args, folder, ["--preset", "paper", "--epochs", str(args.fit_epochs)])
        own, own_score = our_fit(args, folder, [])
    print(f"validation score: PyTorch {torch_score:.4f}; ours with the paper's setting {same_score:.4f}, "
          f"with our own {own_score:.4f}")
    if own_score > torch_score * 1.01:
        print("  our own setting did not reach PyTorch's score: the last line is not a comparison at equal score")
    name = "compiled" if compiled else "eager"
    return [report(f"fit, the paper's setting, {args.fit_epochs} epochs", {"ours": same, name: torch_seconds}),
            report("fit to an equal validation score", {"ours": own, name: torch_seconds})]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bench", default=ROOT / "build/release/bench/mirrorball_bench", help="our benchmark program")
    parser.add_argument("--mirrorball", default=ROOT / "build/release/mirrorball", help="our program")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="for both sides [all cores]")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each comparison [3]")
    parser.add_argument("--fit-epochs", type=int, default=60, help="epochs of PyTorch's whole fit [60]")
    parser.add_argument("--no-compile", action="store_true", help="leave torch.compile out")
    parser.add_argument("--out", default=ROOT / "build/torch_twin.json", help="file for the numbers")
    args = parser.parse_args()
    for program in (args.bench, args.mirrorball):
        if not Path(program).exists():
            sys.exit(f"torch_twin: {program} is missing: run `make bench` first")

    args.bfloat = "bf16" in json.loads(subprocess.check_output([args.mirrorball, "info", "--json"]))["cpu"]
    torch.manual_seed(0)
    torch.set_num_threads(args.threads)
    print(f"PyTorch {torch.__version__}, {args.threads} threads on both sides")
    check(args.bench)
    kinds = {name: kind for name, kind in KINDS.items() if not (args.no_compile and kind[0])}
    float_kinds = {name: kind for name, kind in kinds.items() if not kind[1]}
    results = []
    for activation in ACTIVATIONS:
        works = {name: TorchStep(activation, *kind) for name, kind in kinds.items()}
        float_works = {name: works[name] for name in float_kinds}
        results.append(compare(args, f"step, 200 x 100 draws, {activation}, float32",
                               lambda: our_time(args, f"paper_step/{activation}"), float_works))
        if args.bfloat:
            results.append(compare(args, "the same, noise grid, bfloat16",
                                   lambda: our_time(args, f"paper_step/{activation}_grid_bfloat16"), works))
        suffix = "_bfloat16" if args.bfloat else ""
        results.append(compare(args, "200 rows in our default setting against that",
                               lambda: our_default(args, f"{activation}{suffix}"), works))
    works = {name: TorchPredict(compiled) for name, (compiled, _) in float_kinds.items()}
    results.append(compare(args, "20,000 rows x 500 draws", lambda: our_time(args, "predict/one_target"), works,
                           20000 / TorchPredict.ROWS))
    paper_step = results[0]["seconds"]
    fastest_compiled = paper_step.get("compiled", math.inf) < paper_step["eager"]
    results += compare_fits(args, fastest_compiled)
    Path(args.out).write_text(json.dumps({"torch": torch.__version__, "threads": args.threads, "results": results},
                                         indent=1) + "\n")


if __name__ == "__main__":
    main()
