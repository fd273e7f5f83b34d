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

LONG = dict(networks=2, width=32, epochs=100000, options=dict(patience=-1, forest=0, gaussian_process=0, boosting=0))

PREPARE = """
import numpy as np, os, signal, sys, threading, time, warnings
from mirrorball import MirrorballRegressor, regressor
random = np.random.default_rng(0)
X = random.normal(size=(500, 2))
y = X[:, 0] + random.normal(size=500)

def once_it_trains(act):
    "Calls act from another thread after the first news of networks, while the training goes on."
    trains, words = threading.Event(), regressor.words_of
    regressor.words_of = lambda news: (news.phase > 0 and trains.set()) or words(news)
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
    print([(warning.category.__name__, str(warning.message)) for warning in caught])
    """
    child = start(code, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = child.communicate(timeout=300)
    assert child.returncode == 0, err
    assert out.startswith("True True (3,)")
    assert "('RuntimeWarning', 'training was interrupted" in out


@pytest.mark.parametrize("way", ["search", "cross_validate"])
def test_ctrl_c_ends_a_search(way):
    code = f"""
    from mirrorball import cross_validate
    from sklearn.model_selection import GridSearchCV
    signal.signal(signal.SIGINT, signal.default_int_handler)
    once_it_trains(lambda: os.kill(os.getpid(), signal.SIGINT))
    model = MirrorballRegressor(**{LONG!r})
    try:
        if {way!r} == "search":
            GridSearchCV(model, {{"width": [8, 16]}}, cv=2).fit(X, y)
        else:
            cross_validate(model, X, y, cv=2)
    except KeyboardInterrupt:
        print("interrupted")
    """
    child = start(code, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = child.communicate(timeout=300)
    assert out == "interrupted\n", err


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
    MirrorballRegressor(networks=2, width=16, epochs=3, n_jobs=1, options={"forest": 0, "gaussian_process": 0, "boosting": 0, "batch": 10}).fit(X, y.ravel())
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


def resident():
    """Memory of this process, in megabytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def test_predictions_leave_no_memory_behind(fitted, data):
    """2,000 predictions, or as many as MIRRORBALL_PREDICTIONS says, after some to warm up."""
    X, _ = data
    for number in (200, int(os.environ.get("MIRRORBALL_PREDICTIONS", 2000))):
        before = resident()
        for i in range(number):
            fitted.predict_interval(X[i % 100 : i % 100 + 1])
    grown = resident() - before
    assert grown < 4, f"{grown:.1f} MB after {number} predictions"


def test_the_interpreter_may_end_during_a_fit():
    """In a daemon thread, which nobody waits for."""
    code = f"""
    trains = threading.Event()
    once_it_trains(trains.set)
    fit = threading.Thread(target=lambda: MirrorballRegressor(**{LONG!r}).fit(X, y), daemon=True)
    fit.start()
    assert trains.wait(60)
    print("ends")
    """
    child = start(code, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = child.communicate(timeout=120)
    assert (child.returncode, out) == (0, "ends\n"), err
    assert "Fatal" not in err and "terminate" not in err


def short_fit(**more):
    """A fit that ends by the clock. On a busy machine it is a bad one, and warnings of that are another subject."""
    words = {**LONG, "time_limit": 1.5, **more}
    return f"warnings.simplefilter('ignore')\nMirrorballRegressor(**{words!r}).fit(X, y)"


def test_a_bar_on_a_terminal():
    code = short_fit()
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
    assert "networks" in text and "training" in text and "%" in text and "left" in text
    assert text.endswith("\r\x1b[K")  # taken away at the end


@pytest.mark.parametrize("verbose, words", [(None, False), (False, False), (True, True)])
def test_elsewhere_it_is_quiet(verbose, words):
    _, err = start(short_fit(verbose=verbose), stderr=subprocess.PIPE).communicate()
    assert ("training" in err) == words, err
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

    monkeypatch.setattr(progress, "in_notebook", lambda: True)
    monkeypatch.setattr(progress, "_WAIT", 0)
    monkeypatch.setattr(progress, "_REDRAW", 0)
    monkeypatch.setitem(sys.modules, "IPython", type(sys)("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.display", Display)
    with progress.Bar() as bar:
        bar.show(0.25, "epoch 1/4")
        bar.show(0.5, "epoch 2/4")
    assert [page.startswith("<progress") for page in pages] == [True, True, False]
    assert 'value="0.2500"' in pages[0] and "epoch 2/4" in pages[1]


def test_the_time_left_is_that_of_the_fit(monkeypatch, capsys):
    monkeypatch.setattr(progress, "_WAIT", 0)
    monkeypatch.setattr(progress, "_REDRAW", 0)
    with progress.Bar(verbose=True) as bar:
        bar.show(0.1, "training", 75.0)
        bar.show(0.2, "training", -1.0)
    first, second = capsys.readouterr().err.splitlines()
    assert first.endswith("10%  training  75 s left") and second.endswith("20%  training")


def test_news_of_a_fit_are_in_the_words_of_the_program(data, monkeypatch):
    news = []

    def note(one):
        news.append((one.share, one.seconds_left, progress.words_of(one)))
        return ""

    monkeypatch.setattr(regressor, "words_of", note)
    MirrorballRegressor(networks=2, width=8, epochs=3, n_jobs=1, verbose=False).fit(*data)
    assert news[-1][0] > 0.9 and any(left >= 0 for _, left, _ in news)
    assert any(words.startswith("training  0/2 networks  energy score") for _, _, words in news)
