"""The paper, figure by figure: each experiment is a module of its own, `python -m experiments` runs them all."""

import sys
from pathlib import Path

# `tables` is started from this folder, as a package of its own; its methods are the rivals here too.
sys.path.append(str(Path(__file__).resolve().parent))
