# sooth is a set of headers: programs need only -Iinclude. This file builds the command, the examples, the tests and
# the benches with GNU make and a C compiler; there is nothing to configure. CC, CXX, CFLAGS and PREFIX are honoured.

CFLAGS ?= -O2 -g
PREFIX ?= /usr/local
# The same bits everywhere: no fused multiply-add, standard C.
SOOTH = -std=c11 -ffp-contract=off -Iinclude
STRICT = -Wall -Wextra

headers := $(wildcard include/*.h include/sooth/*.h)
tests := $(patsubst tests/%.c,build/tests/%,$(wildcard tests/test_*.c))
cli := $(wildcard examples/cli/*.c examples/cli/*.h)
colocate := $(wildcard examples/colocate/*.c examples/colocate/*.h bench/micro/*.h)

.PHONY: all run run-scale teach test bench single check cuda cuda-measure install clean
all: build/sooth

# The main job: measure this machine, learn, predict, decide what to run together, check that by running it.
# DATA=recorded uses the measurements kept in the repository.
DATA ?= live
run: build/colocate
	build/colocate $(if $(filter recorded,$(DATA)),--recorded examples/colocate/data) --out build/run

# Threads and frequency: this machine, or the published measurements in a folder (build/scale --parsec DIR).
run-scale: build/scale
	build/scale

# The numbered examples, which draw what they do under build/teach/.
teach := $(patsubst examples/teach/%.c,build/teach/%,$(wildcard examples/teach/*.c))
teach: $(teach)
	cd build/teach && for example in $(notdir $^); do ./$$example || exit 1; done

# Eight periodic applications on one device: how long each will still take (Yao et al. 2022).
.PHONY: airborne
airborne: build/airborne
	build/airborne

build/airborne: examples/airborne/airborne.c $(headers)
	@mkdir -p $(@D)
	$(CC) $(SOOTH) $(STRICT) $(CFLAGS) $< -o $@

test: $(tests) build/sooth build/colocate build/hosts build/scale build/gpu build/airborne $(teach)
	@tests/run.sh $(sort $(tests)) tests/cli.sh tests/colocate.sh tests/hosts.sh

bench: build/bench build/bench-native
	bench/run.sh build/bench

# One self-contained file per header, and one of all, under build/single/.
single: $(headers)
	tests/compile/single.sh include build/single

check:
	.ci/run

build/sooth: $(cli) $(headers)
	@mkdir -p $(@D)
	$(CC) $(SOOTH) $(STRICT) $(CFLAGS) $(filter %.c,$(cli)) -o $@ -pthread

build/colocate: $(colocate) $(headers)
	@mkdir -p $(@D)
	$(CC) $(SOOTH) $(STRICT) $(CFLAGS) -Ibench $(filter %.c,$(colocate)) -o $@ -pthread -lm

build/gpu: $(wildcard examples/gpu/*) $(headers)
	@mkdir -p $(@D)
	$(CC) $(SOOTH) $(STRICT) $(CFLAGS) examples/gpu/gpu.c -o $@ -pthread

# The power of GPU kernels, seen and unseen: make run-gpu POWER="FILE.csv ..."; without files it says where they are.
.PHONY: run-gpu
run-gpu: build/gpu
	build/gpu $(POWER)

build/scale: $(wildcard examples/scale/*) examples/colocate/workloads.c examples/colocate/workloads.h $(headers)
	@mkdir -p $(@D)
	$(CC) $(SOOTH) $(STRICT) $(CFLAGS) -Ibench examples/scale/scale.c examples/scale/parsec.c examples/colocate/workloads.c -o $@ -pthread -lm

build/teach/%: examples/teach/%.c $(headers)
	@mkdir -p $(@D)
	$(CC) $(SOOTH) $(STRICT) $(CFLAGS) $< -o $@ -lm

# A scheduler that asks a predictor which jobs to run beside each other; DATA=recorded runs nothing.
.PHONY: hosts
hosts: build/hosts
	build/hosts $(if $(filter recorded,$(DATA)),--recorded examples/colocate/data)

build/hosts: examples/hosts/hosts.c $(filter-out %/colocate.c %/page.c,$(colocate)) $(headers)
	@mkdir -p $(@D)
	$(CC) $(SOOTH) $(STRICT) $(CFLAGS) -Ibench $(filter %.c,$^) -o $@ -pthread -lm

build/bench: $(wildcard bench/*.c bench/*.h) $(headers)
	@mkdir -p $(@D)
	$(CC) $(SOOTH) $(STRICT) -O3 bench/bench.c -o $@ -pthread -lm

build/bench-native: $(wildcard bench/*.c bench/*.h) $(headers)
	@mkdir -p $(@D)
	$(CC) $(SOOTH) $(STRICT) -O3 -march=native bench/bench.c -o $@ -pthread -lm

build/tests/%: tests/%.c tests/check.h $(headers)
	@mkdir -p $(@D)
	$(CC) $(SOOTH) $(STRICT) $(CFLAGS) -Itests $< -o $@ -pthread -lm

# Measurements of a GPU: compiled where nvcc is, run where a GPU is. CUDA_ARCH=sm_90 builds for another than the one here.
NVCC ?= $(firstword $(shell command -v nvcc) $(wildcard /usr/local/cuda/bin/nvcc))
CUDA_ARCH ?= $(if $(wildcard /dev/nvidia0),native,sm_80)
cuda := $(patsubst bench/cuda/%.cu,build/cuda/%,$(filter-out bench/cuda/kernels.cu,$(wildcard bench/cuda/*.cu)))
cuda: $(cuda) build/cuda/kernels.ptx
cuda-measure: cuda
	for program in $(cuda); do $$program > $$program.csv || exit 1; done

build/cuda/%: bench/cuda/%.cu $(wildcard bench/cuda/*.cuh)
	@mkdir -p $(@D)
	$(NVCC) -O2 -std=c++17 -arch=$(CUDA_ARCH) $< -o $@ -ldl

build/cuda/kernels.ptx: bench/cuda/kernels.cu $(wildcard bench/cuda/*.cuh)
	@mkdir -p $(@D)
	$(NVCC) -O2 -std=c++17 -ptx -arch=$(subst sm_,compute_,$(CUDA_ARCH)) $< -o $@

install: single
	install -d $(DESTDIR)$(PREFIX)/include/sooth $(DESTDIR)$(PREFIX)/share/pkgconfig
	install -m 644 include/sooth.h $(DESTDIR)$(PREFIX)/include
	install -m 644 include/sooth/*.h $(DESTDIR)$(PREFIX)/include/sooth
	printf 'prefix=%s\nName: sooth\nDescription: predicts what running something will cost\nVersion: %s\nCflags: -I$${prefix}/include\n' \
	    '$(PREFIX)' "$$(sed -n 's/^#define SOOTH_VERSION_TEXT "\(.*\)"/\1/p' include/sooth/base.h)" \
	    > $(DESTDIR)$(PREFIX)/share/pkgconfig/sooth.pc

clean:
	rm -rf build
