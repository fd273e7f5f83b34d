# make        builds build/release/mirrorball
# make demo   fits the paper's crossing curves and compares with the truth
# make test   all tests, plain and under sanitizers
# make bench  speed: kernels, steps, fits, prediction, reading, scores; one table and build/bench.json
# Each installs what is missing first.

BUILD := build

.PHONY: all demo test bench bootstrap release asan tsan clean
all: release

bootstrap:
	@tools/bootstrap

release asan tsan: bootstrap
	@tools/build $@

demo: release
	@$(BUILD)/release/mirrorball demo --out demo

test: release asan tsan
	@tools/test

bench: release
	@tools/bench

clean:
	rm -rf $(BUILD) demo
