"""Processes, threads, signals and the bar."""

from __future__ import annotations

import concurrent.futures
import os
import pty
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

from mirrorball import MirrorballRegressor, progress, regressor

LONG = dict(members=2, width=32, epochs=100000, patience=-1, forest=0)

PREPARE = """
import numpy as np, os, signal, sys, threading, time, warnings
from mirrorball import MirrorballRegressor, regressor
random = np.random.default_rng(0)
X = random.normal(size=(500, 2))
y = X[:, 0] + random.normal(size=500)

def once_it_trains(act):
    "Calls act from another thread after the first news, while the training goes on."
    trains, words = threading.Event(), regressor.words_of
    regressor.words_of = lambda news: trains.set() or words(news)
    threading.Thread(target=lambda: trains.wait() and act(), daemon=True).start()
"""


def start(code, **settings):
    """A process of its own that runs code."""
    return subprocess.Popen([sys.executable, "-c", PREPARE + textwrap.dedent(code)], text=True, **settings)


def test_ctrl_c_leaves_a_usable_model():
    code = f"""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    once_it_trains(lambda: os.kill(os.getpid(), signal.SIGINT))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = MirrorballRegressor(**{LONG!r}).fit(X, y)
    print(model.interrupted_, any(member["stopped"] for member in model.history_), model.predict(X[:3]).shape)
    print(caught[0].category.__name__, caught[0].message)
    """
    child = start(code, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = child.communicate(timeout=300)
    assert child.returncode == 0, err
    assert out.startswith("True True (3,)")
    assert "RuntimeWarning training was interrupted" in out


def test_other_exceptions_of_handlers_are_raised():
    code = f"""
    def alarm(*_): raise TimeoutError("long enough")
    signal.signal(signal.SIGALRM, alarm)
    once_it_trains(lambda: os.kill(os.getpid(), signal.SIGALRM))
    try:
        MirrorballRegressor(**{LONG!r}).fit(X, y)
    except TimeoutError as error:
        print("raised", error)
    """
    out, _ = start(code, stdout=subprocess.PIPE).communicate(timeout=300)
    assert out == "raised long enough\n"


def test_the_lock_is_released_while_training(data, small, monkeypatch):
    """A thread goes on counting while another trains, between the news too, which take the lock for a moment.

    A training that kept the lock would let the other have it at most once with each of the news.
    """
    counts, counts_at_news = [], []
    done = threading.Event()

    def count():
        while not done.is_set():
            counts.append(1)
            time.sleep(0.001)

    def note(_):
        counts_at_news.append(len(counts))
        return ""

    monkeypatch.setattr(regressor, "words_of", note)
    X, y = (np.tile(part, (50, 1)) for part in (data[0], data[1][:, None]))  # long epochs: news every 0.1 s
    counter = threading.Thread(target=count)
    counter.start()
    MirrorballRegressor(**{**small, "epochs": 3, "forest": 0, "batch": 10}).fit(X, y)
    done.set()
    counter.join()
    assert counts_at_news[-1] - counts_at_news[0] > 5 * len(counts_at_news), counts_at_news


def test_threads_share_a_model(fitted, data):
    X, _ = data
    expected = fitted.sample(X, 20)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for draws in pool.map(lambda _: fitted.sample(X, 20), range(12)):
            assert (draws == expected).all()


def test_threads_fit_side_by_side(data, small):
    models = [MirrorballRegressor(**small) for _ in range(4)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        fitted = list(pool.map(lambda model: model.fit(*data), models))
    assert len({model.model_.to_bytes() for model in fitted}) == 1


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork.*:DeprecationWarning")
def test_a_forked_child_goes_on(fitted, data, small):
    """Threads ran in the parent, while it forks too; the child predicts and trains."""
    X, y = data
    expected = fitted.sample(X, 20)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        busy = [pool.submit(fitted.sample, X, 500) for _ in range(4)]
        child = os.fork()
        if child == 0:
            same = (fitted.sample(X, 20) == expected).all()
            trained = MirrorballRegressor(**small).fit(X, y)
            os._exit(0 if same and (trained.sample(X, 20) == expected).all() else 1)
        for one in busy:
            one.result()
    for _ in range(1200):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert os.waitstatus_to_exitcode(status) == 0
            return
        time.sleep(0.1)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("the child hangs")


def test_a_bar_on_a_terminal():
    code = f"MirrorballRegressor(**{dict(LONG, epochs=100000, time_limit=1.5)!r}).fit(X, y)"
    parent, terminal = pty.openpty()
    child = start(code, stderr=terminal)
    os.close(terminal)
    shown = b""
    while True:
        try:
            piece = os.read(parent, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    child.wait()
    os.close(parent)
    text = shown.decode()
    assert "━" in text or "─" in text
    assert "networks" in text and "epoch" in text and "%" in text
    assert text.endswith("\r\x1b[K")  # taken away at the end


@pytest.mark.parametrize("verbose, words", [(None, False), (False, False), (True, True)])
def test_elsewhere_it_is_quiet(verbose, words):
    code = f"MirrorballRegressor(**{dict(LONG, epochs=100000, time_limit=1.5)!r}, verbose={verbose}).fit(X, y)"
    _, err = start(code, stderr=subprocess.PIPE).communicate()
    assert ("epoch" in err) == words, err
    assert "\r" not in err


def test_a_bar_in_a_notebook(monkeypatch):
    pages = []

    class Handle:
        def update(self, page):
            pages.append(page)

    class Display:
        HTML = str

        @staticmethod
        def display(page, display_id):
            pages.append(page)
            return Handle()

    monkeypatch.setattr(progress, "_in_notebook", lambda: True)
    monkeypatch.setattr(progress, "_WAIT", 0)
    monkeypatch.setattr(progress, "_REDRAW", 0)
    monkeypatch.setitem(sys.modules, "IPython", type(sys)("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.display", Display)
    with progress.Bar() as bar:
        bar.show(0.25, "epoch 1/4")
        bar.show(0.5, "epoch 2/4")
    assert [page.startswith("<progress") for page in pages] == [True, True, False]
    assert 'value="0.2500"' in pages[0] and "epoch 2/4" in pages[1]
