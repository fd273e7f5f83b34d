#!/usr/bin/env python3
"""Our training step beside PyTorch's on one GPU: the same networks, losses and sizes, in turns.

The networks of an ensemble are one tensor program in PyTorch, run eagerly, compiled, as a CUDA graph, and as a CUDA
graph of the compiled program; in float32 (TF32 allowed) and with bfloat16 by autocast. Everything of a step happens on
the GPU on both sides: choosing the rows, drawing the noise, forward, back, Adam, and the running average of the
weights. Before anything is timed, loss and gradients are compared with ours on the same weights and noise. Our share
of the GPU is that of a 1M x 128 x 128 product of bfloats by PyTorch.

    python3 bench/gpu_twin.py                        # needs `tools/build bench` and `make cuda`
    python3 bench/gpu_twin.py --device cpu --short   # everything once and small, which shows that it runs
"""

import argparse
import json
import math
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import torch

ROOT = Path(__file__).resolve().parent.parent
FEATURES, WIDTH, WAVES, MIXTURES, ROWS = 8, 128, 24, 8, 50000


@dataclass
class Size:
    """A step: so many networks, each with a batch of its own."""

    ours: str  # its name among our benchmarks
    networks: int
    batch: int
    draws: int
    table: int  # noise points that all rows of a step share; 0: every draw has its own
    waves: int  # frequencies that embed a number; 0: numbers as they are


SIZES = {
    "six default networks, 100 rows x 6 draws": Size("device/default_step", 6, 100, 6, 66, WAVES),
    "six default networks, 4096 rows x 6 draws": Size("device/large_step", 6, 4096, 6, 66, WAVES),
    "the paper's network, 200 rows x 100 draws": Size("device/paper_step", 1, 200, 100, 0, 0),
}


# --- the networks ----------------------------------------------------------------------------------------------------


def parameters(size, device):
    """Those of all networks, by our names; the first dimension is the network."""

    def made(*shape, scale=None):
        values = torch.randn(size.networks, *shape, device=device) * (scale or 1 / math.sqrt(shape[0]))
        return values.requires_grad_()

    inputs = FEATURES * (1 + MIXTURES) if size.waves else FEATURES
    all = {
        "input.weight": made(inputs, WIDTH), "input.bias": made(1, WIDTH, scale=0.1),
        "noise.weight": made(WIDTH, WIDTH), "noise.bias": made(1, WIDTH, scale=0.1),
        "output.weight": made(WIDTH, 1), "output.bias": made(1, 1, scale=0.1),
    }
    for layer in range(2):
        all[f"hidden.{layer}.weight"], all[f"hidden.{layer}.bias"] = made(WIDTH, WIDTH), made(1, WIDTH, scale=0.1)
    if size.waves:
        all["wave.frequency"] = made(FEATURES, size.waves, scale=0.3)
        all["wave.weight"] = made(FEATURES, 2 * size.waves, MIXTURES, scale=0.1)
        all["wave.bias"] = made(1, FEATURES * MIXTURES, scale=0.1)
    return all


def embedded_numbers(p, x):
    """x beside the mixtures of its waves; x is networks x rows x features."""
    networks, rows, features = x.shape
    turns = 2 * math.pi * x.unsqueeze(3) * p["wave.frequency"].unsqueeze(1)
    waves = torch.cat([turns.cos(), turns.sin()], 3).transpose(1, 2).flatten(0, 1)
    mixed = torch.bmm(waves, p["wave.weight"].flatten(0, 1)).view(networks, features, rows, MIXTURES)
    return torch.cat([x, (mixed.transpose(1, 2).flatten(2) + p["wave.bias"]).relu()], 2)


def loss_of(p, x, y, noise, index):
    """The sum of the networks' mean energy scores. `noise` is networks x points; draw i of a row takes point index[row][i],
    and without an index the points are those of the draws, one after the other."""
    networks, rows, _ = x.shape
    inputs = embedded_numbers(p, x) if "wave.frequency" in p else x
    psi = torch.baddbmm(p["input.bias"], inputs, p["input.weight"]).relu()
    k = math.pi * torch.arange(WIDTH, device=x.device)
    phi = torch.baddbmm(p["noise.bias"], torch.cos(noise.unsqueeze(2) * k), p["noise.weight"]).tanh()
    if index is not None:
        phi = phi.float().flatten(0, 1).index_select(0, index.flatten())
    h = (psi.unsqueeze(2) * phi.view(networks, rows, -1, WIDTH)).flatten(1, 2)
    for layer in range(2):
        h = torch.baddbmm(p[f"hidden.{layer}.bias"], h, p[f"hidden.{layer}.weight"]).relu()
    draws = torch.baddbmm(p["output.bias"], h, p["output.weight"]).float().view(networks, rows, -1)
    n = draws.shape[2]
    ranks = 2 * torch.arange(n, device=x.device) - n + 1
    pairs = (draws.sort(2).values * ranks).sum(2) / n**2
    return ((draws - y.unsqueeze(2)).abs().mean(2) - pairs).mean(1).sum()


class Step:
    """A training step of all networks, on rows and noise of its own each time."""

    def __init__(self, size, device, bfloat, loss):
        self.size, self.device, self.bfloat, self.loss = size, device, bfloat, loss
        self.parameters = parameters(size, device)
        self.weights = list(self.parameters.values())
        self.averages = [weight.detach().clone() for weight in self.weights]
        graphs = {"capturable": True} if device.type == "cuda" else {}
        self.adam = torch.optim.Adam(self.weights, 1e-4, betas=(0.9, 0.95), fused=True, **graphs)
        self.x, self.y = torch.randn(ROWS, FEATURES, device=device), torch.randn(ROWS, device=device)
        self.network = torch.arange(size.networks, device=device)

    def noise(self):
        size = self.size
        uniform = lambda *shape: torch.rand(size.networks, *shape, device=self.device)
        if size.table == 0:
            return uniform(size.batch * size.draws), None
        points = (torch.arange(size.table, device=self.device) + uniform(size.table)) / size.table
        draw = torch.arange(size.draws, device=self.device)
        index = ((draw + uniform(size.batch, size.draws)) * (size.table // size.draws)).long().clamp_(max=size.table - 1)
        return points, index + size.table * self.network.view(-1, 1, 1)

    def __call__(self):
        self.adam.zero_grad(set_to_none=True)
        rows = torch.randint(ROWS, (self.size.networks, self.size.batch), device=self.device)
        points, index = self.noise()
        # Every weight is used once, so that no cast is used again; a graph could not use those of another step.
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.bfloat, cache_enabled=False):
            loss = self.loss(self.parameters, self.x[rows], self.y[rows], points, index)
        loss.backward()
        self.adam.step()
        with torch.no_grad():
            torch._foreach_lerp_(self.averages, self.weights, 0.01)


def as_graph(step):
    """The step as one CUDA graph, captured when it has run a few times."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(4):
            step()
    torch.cuda.current_stream().wait_stream(stream)
    step.adam.zero_grad(set_to_none=True)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    replay = lambda: graph.replay()
    replay.step = step  # whose memory the graph uses
    return replay


# --- the check -------------------------------------------------------------------------------------------------------


def read_tensors(path):
    """Tensors and texts of a safetensors file of float32."""
    content = Path(path).read_bytes()
    length = struct.unpack("<Q", content[:8])[0]
    header = json.loads(content[8 : 8 + length])
    texts = header.pop("__metadata__", {})
    tensors = {}
    for name, about in header.items():
        begin, end = (8 + length + offset for offset in about["data_offsets"])
        tensors[name] = torch.frombuffer(bytearray(content[begin:end]), dtype=torch.float32).view(about["shape"])
    return tensors, texts


def check(bench):
    """Loss and every gradient agree with ours for both kinds of network, or the program ends."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([bench, "--step_file", f"{folder}/step"], check=True, timeout=120)
        tensors, texts = read_tensors(f"{folder}/step")
    for size, prefix in ((Size("", 1, 200, 100, 0, 0), ""), (Size("", 1, 100, 6, 0, WAVES), "default.")):
        all = parameters(size, torch.device("cpu"))
        with torch.no_grad():
            for name, values in all.items():
                values.copy_(tensors[prefix + name].reshape(values.shape))
        x, y, noise = (tensors[prefix + name] for name in ("x", "y", "noise"))
        loss = loss_of(all, x.unsqueeze(0), y.view(1, -1), noise.reshape(1, -1), None)
        loss.backward()
        ours = float(texts[f"{prefix}relu.loss"])
        error, worst = abs(loss.item() - ours) / abs(ours), 0.0
        for name, values in all.items():
            gradient = tensors[f"{prefix}relu.gradient.{name}"].reshape(values.shape)
            worst = max(worst, ((values.grad - gradient).norm() / gradient.norm()).item())
        print(f"check of {prefix or 'paper.'}step: loss {loss.item():.6f}, ours {ours:.6f}; relative difference {error:.1e}, "
              f"of the gradients at most {worst:.1e}", flush=True)
        if not (error < 1e-4 and worst < 2e-3):
            sys.exit("gpu_twin: the networks differ; nothing was timed")


# --- times -----------------------------------------------------------------------------------------------------------


class TooLong(Exception):
    pass


def within(seconds, work):
    """What `work` gives, or an exception when it takes longer."""

    def stop(*_):
        raise TooLong(f"not ready after {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        return work()
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def wait(device):
    if device.type == "cuda":
        torch.cuda.synchronize()


def time_of(work, device, seconds):
    """Mean seconds of a call, over about so many seconds."""

    def calls(count):
        wait(device)
        start = time.perf_counter()
        for _ in range(count):
            work()
        wait(device)
        return (time.perf_counter() - start) / count

    calls(2)
    few = calls(3)
    return calls(max(3, min(5000, int(seconds / few))))


def our_times(args, size):
    """Seconds of a step of ours and its floating-point operations, as our program counts them."""
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/out.json"
        done = subprocess.run([args.bench, "--device", args.device, f"--benchmark_filter=^{size.ours}/", f"--benchmark_out={out}"],
                              capture_output=True, text=True, timeout=120, env=args.environment)
        text = Path(out).read_text() if Path(out).exists() else ""
        runs = json.loads(text)["benchmarks"] if text else []
    runs = [run for run in runs if run.get("aggregate_name", "median") == "median" and "GFLOP/s" in run]
    if done.returncode != 0 or not runs:
        sys.exit(f"gpu_twin: {args.bench} measured no {size.ours}: {(done.stderr or done.stdout).strip().splitlines()[-1:]}")
    seconds = [run["real_time"] * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}[run["time_unit"]] for run in runs]
    return seconds[-1], runs[0]["GFLOP/s"] * 1e9 * seconds[0]  # the median stands after its repetitions


def product_flops(args):
    """FLOP/s of the product of 1M x 128 and 128 x 128 bfloats."""
    rows = 1 << (12 if args.short else 20)
    x = torch.randn(rows, WIDTH, device=args.on, dtype=torch.bfloat16)
    w = torch.randn(WIDTH, WIDTH, device=args.on, dtype=torch.bfloat16)
    y = torch.empty_like(x)
    return 2 * rows * WIDTH**2 / time_of(lambda: torch.mm(x, w, out=y), args.on, args.seconds)


def works_of(args, size):
    """PyTorch's steps by name, ready to be timed; what cannot be made is told and left out."""
    torch._dynamo.reset()
    works = {}
    losses = {"eager": loss_of} if args.no_compile else {"eager": loss_of, "compiled": torch.compile(loss_of, dynamic=False)}
    for graph in (False, True) if args.on.type == "cuda" else (False,):  # graphs last: one that fails may spoil what follows
        for bfloat in (False, True):
            for kind, loss in losses.items():
                name = kind + (" graph" if graph else "") + (" bf16" if bfloat else "")

                def make():
                    step = Step(size, args.on, bfloat, loss)
                    return ready(as_graph(step) if graph else step, args.on)

                work = tried(name, lambda: within(120, make))
                if work:
                    works[name] = work
    return works


def tried(name, work):
    """What `work` gives; None, and a line, where it throws: the others are worth their times."""
    try:
        return work()
    except Exception as trouble:
        print(f"  {name}: left out: {type(trouble).__name__}: {(str(trouble).splitlines() or [''])[0][:200]}", flush=True)
        return None


def ready(work, device):
    for _ in range(3):
        work()
    wait(device)
    return work


def compare(args, title, size):
    """In turns: the product, ours, each of PyTorch's; the medians."""
    works = works_of(args, size)
    times = {name: [] for name in ["ours", *works]}
    products = []
    for _ in range(args.rounds):
        products.append(product_flops(args))
        wait(args.on)
        seconds, flops = our_times(args, size)
        times["ours"].append(seconds)
        for name, work in list(works.items()):
            one = tried(name, lambda: within(60, lambda: time_of(work, args.on, args.seconds)))
            if one is None:
                del works[name], times[name]
            else:
                times[name].append(one)
    ceiling = median(products)
    result = {"title": title, "flops": flops, "product_tflops": ceiling * 1e-12, "kinds": {}}
    print(f"{title}; the product reaches {ceiling * 1e-12:.1f} TFLOP/s")
    for name, all in times.items():
        one = median(all)
        result["kinds"][name] = {"seconds": one, "lowest": min(all), "highest": max(all), "ratio": one / median(times["ours"]),
                                 "tflops": flops / one * 1e-12, "share": flops / one / ceiling}
        print(f"  {name:<22} {one * 1e3:9.4f} ms ({min(all) * 1e3:.4f} to {max(all) * 1e3:.4f})  "
              f"{flops / one * 1e-12:7.2f} TFLOP/s  {flops / one / ceiling:6.1%} of the product  {one / median(times['ours']):7.2f} x ours",
              flush=True)
    return result


def measure(args):
    torch.manual_seed(0)
    name = torch.cuda.get_device_name(args.on) if args.on.type == "cuda" else "CPU"
    print(f"PyTorch {torch.__version__} on {name}; one step, medians of {args.rounds} rounds in turns (lowest to highest)")
    results = {"torch": torch.__version__, "device": name, "rounds": args.rounds, "steps": []}
    check(args.bench)
    torch.set_float32_matmul_precision("high")
    begun = time.monotonic()
    for title, size in SIZES.items():
        if time.monotonic() - begun > 60 * args.minutes:
            print(f"{title}: left out, {args.minutes:g} minutes are over")
            continue
        if args.short:
            size.batch //= 20
        results["steps"].append(compare(args, title, size))
        Path(args.out).write_text(json.dumps(results, indent=1) + "\n")
    print(f"wrote {args.out}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bench", default=ROOT / "build/release/bench/mirrorball_bench", help="our benchmark program")
    parser.add_argument("--device", default="cuda", help="cuda, cuda:N or cpu [cuda]")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each comparison [5]")
    parser.add_argument("--minutes", type=float, default=9, help="no comparison begins later than this [9]")
    parser.add_argument("--no-compile", action="store_true", help="leave torch.compile out")
    parser.add_argument("--short", action="store_true", help="everything once and small: the numbers mean nothing")
    parser.add_argument("--out", default=ROOT / "build/gpu_twin.json", help="file for the numbers")
    args = parser.parse_args()
    if not Path(args.bench).exists():
        sys.exit(f"gpu_twin: {args.bench} is missing: `tools/build bench` makes it")
    args.environment, args.seconds = dict(os.environ), 0.3
    if args.short:
        args.environment["MIRRORBALL_BENCH_SHORT"], args.rounds, args.seconds = "1", 1, 0.0
    args.on = torch.device(args.device)
    if args.on.type == "cpu" and not args.short:
        sys.exit("gpu_twin: the CPU is for --short alone: bench/torch_twin.py compares times there")
    if args.on.type == "cuda" and not torch.cuda.is_available():
        sys.exit("gpu_twin: PyTorch finds no GPU")
    if args.on.type == "cuda":
        torch.cuda.set_device(args.on.index or 0)
    measure(args)


if __name__ == "__main__":
    main()
