# make        builds build/release/mirrorball
# make demo   fits the paper's crossing curves and compares with the truth
# make test   all tests, plain and under sanitizers
# Each installs what is missing first.

BUILD := build

.PHONY: all demo test bootstrap release asan tsan clean
all: release

bootstrap:
	@tools/bootstrap

release asan tsan: bootstrap
	@tools/build $@

demo: release
	@$(BUILD)/release/mirrorball demo --out demo

test: release asan tsan
	@tools/test

clean:
	rm -rf $(BUILD) demo
