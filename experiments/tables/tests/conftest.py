"""The tests run from anywhere: `python -m pytest experiments/tables`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
