"""The region explanation against the shap package, which enumerates all sets of five features and so is exact."""

import numpy as np
import pytest
from mirrorball import MirrorballRegressor

DRAWS = 400


@pytest.fixture(scope="module")
def fitted():
    """Two targets of five features, one of which only widens the law."""
    random = np.random.RandomState(0)
    x = random.uniform(-1, 1, (400, 5))
    noise = random.normal(0, 0.2, (400, 2)) * (1 + x[:, 4:])
    y = np.stack([x[:, 0] - x[:, 1] * x[:, 2], 0.5 * x[:, 2] + 0.3 * x[:, 3]], axis=1) + noise
    model = MirrorballRegressor(
        preset="paper", epochs=20, width=32, n_jobs=1, options={"batch": 50, "draws": 10}
    )
    return model.fit(x, y), x


def test_agrees_with_kernel_explainer(fitted):
    shap = pytest.importorskip("shap")
    model, x = fitted
    draws = model.sample(x, DRAWS)[:, :, 1]
    row = int(np.argmin(np.abs((draws > 0.2).mean(axis=1) - 0.4)))
    inside = draws[row] > 0.2
    found = model.explain(x[[row]], x[:30], where="y2 > 0.2", target="y2", n_samples=DRAWS)
    assert found.exact and found.probability[0] == pytest.approx(inside.mean())

    def mean_in_region(rows: np.ndarray) -> np.ndarray:
        return model.sample(rows, DRAWS)[:, inside, 1].mean(axis=1)

    explainer = shap.KernelExplainer(mean_in_region, x[:30])
    np.testing.assert_allclose(found.values[0], explainer.shap_values(x[row], silent=True), atol=1e-5)
    assert found.base_values[0] == pytest.approx(float(explainer.expected_value), abs=1e-5)


def test_average_of_explanations_is_the_explanation_of_the_average(fitted):
    """The paper explains every draw of the region and averages. Explaining the averaged function once is the same."""
    shap = pytest.importorskip("shap")
    model, x = fitted
    inside = np.flatnonzero(model.sample(x[:1], DRAWS)[0, :, 1] > np.median(model.sample(x[:1], DRAWS)[0, :, 1]))[:20]

    def each(rows: np.ndarray) -> np.ndarray:
        return model.sample(rows, DRAWS)[:, inside, 1]

    one_by_one = shap.KernelExplainer(each, x[:15]).shap_values(x[0], silent=True)
    together = shap.KernelExplainer(lambda rows: each(rows).mean(axis=1), x[:15]).shap_values(x[0], silent=True)
    np.testing.assert_allclose(np.mean(one_by_one, axis=-1), together, atol=1e-6)
