"""All experiments of the paper, in its order: figures, numbers and docs/paper.md."""

import sys

from experiments.frame.catalogue import experiments
from experiments.frame.runner import main

sys.exit(main(experiments(), __doc__))
