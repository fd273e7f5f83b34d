# make        builds build/release/mirrorball
# make demo   fits the paper's crossing curves and compares with the truth
# make python builds the Python package and installs it into build/venv
# make test   all tests, plain and under sanitizers, and those of the Python package; lints
# make lint   the layout of the C++, and ruff and mypy over the Python
# make bench  speed: kernels, steps, fits, prediction, reading, scores; one table and build/bench.json
# make paper  the paper's experiments beside the real rivals: docs/paper.md, about an hour on two cores
# Each installs what is missing first. PAGES=off builds without the pages of web/, which need Node and npm.

BUILD := build

PAGES := on

.PHONY: all demo python test bench paper lint bootstrap bootstrap_tests pages program release asan tsan clean
all: program

bootstrap:
	@PAGES=$(PAGES) tools/bootstrap

pages: bootstrap
	@[ $(PAGES) = off ] || tools/web

program release asan tsan: pages
	@tools/build $@
release: program  # in the same folder: one after the other

demo: program
	@$(BUILD)/release/mirrorball demo --out demo

python: program
	@tools/python

bootstrap_tests:
	@PAGES=$(PAGES) tools/bootstrap --tests

lint: python
	@tools/lint

test: bootstrap_tests release asan tsan python
	@PAGES=$(PAGES) tools/test

bench: program
	@tools/bench

paper: program
	@tools/paper

clean:
	rm -rf $(BUILD) demo web/node_modules
