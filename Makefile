# make        builds build/release/mirrorball
# make demo   fits the paper's crossing curves and compares with the truth
# make python builds the Python package and installs it into build/venv
# make wheel  builds the Python package as it is distributed: build/wheel
# make test   all tests, plain and under sanitizers, and those of the Python package; lints
# make fuzz   the fuzz targets, SECONDS (60) each: model files, tables, requests, expressions
# make lint   the layout of the C++, each of its files parsed by itself, and ruff and mypy over the Python
# make cuda   the engine for NVIDIA GPUs, build/release/libmirrorball_cuda.so: needs neither a GPU nor CUDA
# make docs   the site: build/site/index.html
# make bench  speed: kernels, steps, fits, prediction, reading, scores; one table and build/bench.json
# make paper  the paper's experiments beside other methods: docs/paper.md, which has the CPU minutes of each
# Each installs what is missing first. PAGES=off builds without the pages of web/, which need Node and npm.

BUILD := build

PAGES := on
SECONDS := 60

.PHONY: all demo python wheel cuda test docs bench paper lint fuzz bootstrap bootstrap_tests pages program release asan tsan clean
all: program

bootstrap:
	@PAGES=$(PAGES) tools/bootstrap

pages: bootstrap
	@[ $(PAGES) = off ] || tools/web

program release asan tsan: pages
	@tools/build $@
release: program  # in the same folder: one after the other
asan: release  # has its compiled tests

demo: program
	@$(BUILD)/release/mirrorball demo --out demo

python: program
	@tools/python

wheel: pages
	@PAGES=$(PAGES) tools/wheel

cuda:
	@tools/cuda

bootstrap_tests:
	@PAGES=$(PAGES) tools/bootstrap --tests

lint: python
	@tools/lint
	@tools/build stand_alone

fuzz: pages
	@tools/build fuzz
	@tools/fuzz $(SECONDS)

test: bootstrap_tests pages
	@PAGES=$(PAGES) tools/test

docs: program
	@tools/docs

bench: program
	@tools/bench

paper: program
	@tools/paper

clean:
	rm -rf $(BUILD) demo web/node_modules
