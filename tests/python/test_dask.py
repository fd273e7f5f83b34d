"""Fits and predictions on Dask collections, on a cluster of processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("dask.array")
pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")

import dask.array as da
import dask.dataframe as dd

from mirrorball import MirrorballRegressor
from mirrorball.dask import DaskMirrorballRegressor

SMALL = dict(networks=3, width=16, epochs=6, options=dict(waves=4, min_steps=0, forest=8, gaussian_process=0))


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def frame():
    random = np.random.default_rng(3)
    table = pd.DataFrame({"a": random.normal(size=300), "kind": random.choice(["left", "right", "none"], 300)})
    table.loc[::7, "a"] = np.nan
    table["y"] = (table["kind"] == "left") * 2 + random.normal(size=300)
    table["w"] = random.uniform(0.5, 1.5, 300)
    return table


@pytest.fixture(scope="module")
def local(frame):
    return MirrorballRegressor(**SMALL, n_jobs=1).fit(frame[["a", "kind"]], frame["y"], frame["w"])


def bytes_of(model):
    return model.model_.to_bytes()


def fitted(client, frame, partitions, **parameters):
    parts = dd.from_pandas(frame, npartitions=partitions)
    model = DaskMirrorballRegressor(client=client, **{**SMALL, **parameters})
    return model.fit(parts[["a", "kind"]], parts["y"], parts["w"]), parts


def test_the_model_is_the_local_one_and_an_ordinary_one(client, frame, local, tmp_path):
    for partitions in (1, 4):
        model, _ = fitted(client, frame, partitions)
        assert bytes_of(model.to_local()) == bytes_of(local)
    model.save(tmp_path / "m.mirrorball")
    assert (tmp_path / "m.mirrorball").read_bytes() == bytes_of(local)


def test_predictions_are_lazy_and_the_local_ones(client, frame, local):
    model, parts = fitted(client, frame, 3)
    X, rows = parts[["a", "kind"]], frame[["a", "kind"]]
    for method, arguments in [("predict", ()), ("predict_quantiles", ([0.1, 0.5],)), ("sample", (5,))]:
        found = getattr(model, method)(X, *arguments)
        assert isinstance(found, da.Array)
        np.testing.assert_array_equal(found.compute(), getattr(local, method)(rows, *arguments))
    for found, expected in zip(model.predict_interval(X, 0.8), local.predict_interval(rows, 0.8)):
        np.testing.assert_array_equal(found.compute(), expected)


def test_arrays_and_two_targets_without_a_cluster():
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 3))
    Y = np.column_stack([X[:, 0], X[:, 1]]) + random.normal(size=(200, 2))
    model = DaskMirrorballRegressor(**SMALL).fit(da.from_array(X, chunks=(60, 2)), da.from_array(Y, chunks=(60, 1)))
    local = MirrorballRegressor(**SMALL, n_jobs=1).fit(X, Y)
    assert bytes_of(model.to_local()) == bytes_of(local)
    found = model.predict(da.from_array(X, chunks=(70, 3)))
    assert found.shape == (200, 2)
    np.testing.assert_array_equal(found.compute(), local.predict(X))


def test_without_refit_and_with_a_random_state(client, frame):
    parameters = dict(random_state=np.random.RandomState(5), options=dict(waves=4, min_steps=0, forest=0, gaussian_process=0, refit=False))
    model, _ = fitted(client, frame, 2, **parameters)
    parameters["random_state"] = np.random.RandomState(5)
    same = MirrorballRegressor(**{**SMALL, **parameters}, n_jobs=1).fit(frame[["a", "kind"]], frame["y"], frame["w"])
    assert bytes_of(model.to_local()) == bytes_of(same)


def test_what_is_no_collection_is_refused(frame):
    with pytest.raises(TypeError, match="X is a DataFrame: give a Dask DataFrame"):
        DaskMirrorballRegressor().fit(frame[["a"]], frame["y"])
    parts = dd.from_pandas(frame, npartitions=2)
    with pytest.raises(ValueError, match="y has 3 partitions, X has 2"):
        DaskMirrorballRegressor().fit(parts[["a"]], dd.from_pandas(frame["y"], npartitions=3))


def test_without_dask_the_error_says_what_to_install():
    code = "import sys; sys.modules['dask'] = None; import mirrorball.dask"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "pip install 'mirrorball-ml[dask]'" in done.stderr


def test_a_killed_worker_changes_nothing_but_the_time(client, frame):  # the last one: the worker comes again
    expected = MirrorballRegressor(**{**SMALL, "epochs": 150}, n_jobs=1)
    expected.fit(frame[["a", "kind"]], frame["y"], frame["w"])
    victim = min(client.run(os.getpid).values())
    killed = threading.Event()

    def kill_one():
        """As soon as networks are being trained."""
        end = time.monotonic() + 60
        while time.monotonic() < end and not killed.is_set():
            if any("train_network" in str(task) for tasks in client.processing().values() for task in tasks):
                os.kill(victim, signal.SIGKILL)
                killed.set()
            time.sleep(0.01)

    killer = threading.Thread(target=kill_one)
    killer.start()
    model, _ = fitted(client, frame, 3, epochs=150)
    killer.join()
    assert killed.is_set()
    assert bytes_of(model.to_local()) == bytes_of(expected)
