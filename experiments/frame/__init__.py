"""What the experiments share: cells that are kept, fitted models, rivals, colours, the page."""
