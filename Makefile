# sooth is a set of headers: programs need only -Iinclude. This file builds the command, the examples, the
# tests and the benches with GNU make and a C compiler; there is nothing to configure. CC, CXX, CFLAGS and
# PREFIX are honoured.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT

CFLAGS ?= -O2
PREFIX ?= /usr/local
# The same bits everywhere: no fused multiply-add, standard C.
SOOTH = -std=c11 -ffp-contract=off -Iinclude
# Programs are compiled with the first set of warnings. The headers are silent under all three, the third in C
# alone; tests/compile/headers.sh asks for them (make -s warnings-c).
WARN = -Wall -Wextra
WARN_HEADERS = -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wcast-qual \
    -Wcast-align -Wundef -Wpointer-arith -Wwrite-strings -Wvla -Wformat=2 -Wfloat-equal
WARN_C = -Wstrict-prototypes -Wmissing-prototypes -Wc++-compat

# A program by hand has one file with the implementation and needs no more than -Iinclude. Here many programs
# share it: it is compiled once, and each is linked with it (-DSOOTH_LINKED: a file then only declares).
LINKED = -DSOOTH_LINKED build/sooth.o

headers := $(wildcard include/*.h include/sooth/*.h)
tests := $(patsubst tests/%.c,build/tests/%,$(wildcard tests/test_*.c))
# A test is compiled at -Og, which is quick and leaves out functions that nothing calls; these two, which hold
# most of the library themselves, at -O0. Your own CFLAGS win.
level = $(if $(filter file,$(origin CFLAGS)),$(if $(filter %_kinds %_workers,$@),-O0,-Og),$(CFLAGS))
cli := $(wildcard examples/cli/*.c examples/cli/*/*.c)
colocate := $(wildcard examples/colocate/*.c examples/colocate/*.h bench/micro/*.h) examples/cli/app/looks.h

.PHONY: all run run-scale teach test bench single check cuda cuda-measure install clean
all: build/sooth

# The main job: measure this machine, learn, predict, decide what to run together, check that by running it.
# DATA=recorded uses the measurements kept in the repository.
DATA ?= live
run: build/colocate
	build/colocate $(if $(filter recorded,$(DATA)),--recorded examples/colocate/data) --out build/run

# Threads and frequency: this machine; De Sensi's tables and figures on his published measurements, drawn in
# build/run-scale; the clocks of a GPU, as its authors measured them.
run-scale: build/scale
	@mkdir -p build/run-scale
	build/scale
	build/scale --parsec examples/scale/data build/run-scale
	build/scale --clocks examples/scale/data/titanx.csv

# What the five papers report, as far as it can be made from the data here, beside what they print, as one
# page: build/papers/index.html. POWER="FILE.csv ..." as for run-gpu; RECORDINGS="A=FOLDER B=FOLDER": what
# build/colocate --out FOLDER measured on two machines, to translate between them.
.PHONY: papers
papers: $(addprefix build/,sooth scale gpu gpu_left_out colocate table7 cards runs themis airborne)
	examples/papers.sh $(POWER)

# The numbered examples, which draw what they do under build/teach/.
teach := $(patsubst examples/teach/%.c,build/teach/%,$(wildcard examples/teach/*.c))
teach: $(teach)
	cd build/teach && for example in $(notdir $^); do ./$$example || exit 1; done

# The book: which model when, the lessons with what they print and draw, a chapter for each header made of its
# comments, what was measured. One page that needs nothing else: build/book/index.html.
.PHONY: book
book: $(teach)
	examples/book/book.sh

# Eight periodic applications on one device: how long each will still take (Yao et al. 2021); pictures go to
# build/run-airborne.
.PHONY: airborne
airborne: build/airborne
	@mkdir -p build/run-airborne
	build/airborne --out build/run-airborne

build/airborne: $(wildcard examples/airborne/*) examples/picture.h build/sooth.o
	$(CC) $(SOOTH) $(WARN) $(CFLAGS) examples/airborne/airborne.c $(LINKED) -o $@ -pthread

# A shared library of all headers, build/lib/libsooth.so.0 (or .dylib, .dll, by what CC compiles for): it
# exports sooth_* alone, with versioned symbols where the system knows them. And a wheel for Python with it,
# in build/python: see examples/python/README.md.
.PHONY: lib python
machine := $(shell $(CC) -dumpmachine 2> /dev/null)
ifneq ($(findstring darwin,$(machine)),)
library := libsooth.0.dylib
library_flags := -dynamiclib -fPIC -Wl,-install_name,@rpath/$(library) -Wl,-exported_symbol,_sooth_*
else ifneq ($(findstring mingw,$(machine)),)
library := libsooth-0.dll
library_flags := -shared -static-libgcc
else
library := libsooth.so.0
library_flags := -shared -fPIC -Wl,-soname,$(library),--version-script=examples/python/libsooth.map
endif
lib: build/lib/$(library)
	$(if $(findstring .so,$(library)),ln -sf $(library) build/lib/libsooth.so)

build/lib/$(library): examples/python/libsooth.c examples/python/libsooth.map $(headers)
	@mkdir -p $(@D)
	$(CC) $(SOOTH) $(WARN) $(CFLAGS) $< $(library_flags) -o $@ -pthread

python: lib
	@mkdir -p build/python
	python3 examples/python/wheel.py build/lib/$(library) build/python

processors = $(shell getconf _NPROCESSORS_ONLN)
# Uses all processors by itself; make -jN test uses N. SOOTH_SLOW=1 make test runs the slow tests too.
test:
	@$(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$(processors)) run-tests

.PHONY: run-tests
programs := $(addprefix build/,sooth colocate hosts loop scale gpu gpu_times gpu_left_out gpu_spaces \
    gpu_watts airborne runs table7 cards themis) $(teach)
run-tests: build/sooth.o $(tests) $(programs)
	@tests/run.sh tests/colocate.sh tests/table7.sh tests/cards.sh tests/watts.sh tests/themis.sh \
	    tests/cli.sh tests/cli_decide.sh tests/words.sh tests/replay.sh tests/budget.sh tests/page.sh \
	    $(sort $(tests)) tests/hosts.sh tests/examples.sh tests/lessons.sh tests/style.sh

bench: build/bench build/bench-native
	bench/run.sh build/bench

# One self-contained file per header, and one of all, under build/single/.
single: $(headers)
	tests/compile/single.sh include build/single

check:
	.ci/run

# Hours of fuzzing, HOURS=1 for each target; goes on where it stopped (see tests/fuzz/soak.sh).
.PHONY: soak
soak:
	tests/fuzz/soak.sh

.PHONY: warnings warnings-c
warnings:
	@echo $(WARN) $(WARN_HEADERS)
warnings-c:
	@echo $(WARN) $(WARN_HEADERS) $(WARN_C)

build/sooth.o: $(headers)
	@mkdir -p $(@D)
	printf '#define SOOTH_IMPLEMENTATION\n#include "sooth.h"\n#include "sooth/threads.h"\n' | \
	    $(CC) $(SOOTH) $(WARN) $(WARN_HEADERS) $(WARN_C) $(CFLAGS) -x c -c - -o $@ -pthread

# Programs of several files are compiled file by file: side by side, and shared where two programs have one.
# The compiler lists what each file of the command includes, so an edit rebuilds only what includes it.
objects = $(patsubst examples/%.c,build/obj/%.o,$(filter examples/%.c,$(1)))
build/obj/cli/%.o: examples/cli/%.c
	@mkdir -p $(@D)
	$(CC) $(SOOTH) $(WARN) $(CFLAGS) -DSOOTH_LINKED -MMD -MP -c $< -o $@
-include $(wildcard build/obj/cli/*.d build/obj/cli/*/*.d)
build/obj/colocate/%.o: examples/colocate/%.c $(filter %.h,$(colocate)) $(headers)
	@mkdir -p $(@D)
	$(CC) $(SOOTH) $(WARN) $(CFLAGS) -Ibench -DSOOTH_LINKED -c $< -o $@

# What `sooth demo` brings along: a table and its licence, as strings.
demo := examples/scale/data/titanx.csv examples/scale/data/LICENSE.titanx
build/obj/cli/demo_data.c: $(demo) Makefile
	@mkdir -p $(@D)
	{ echo 'extern const char *const demo_table[], *const demo_licence[];'; \
	    for file in table licence; do echo "const char *const demo_$$file[] = {"; \
	    if [ $$file = table ]; then cat $(word 1,$(demo)); else cat $(word 2,$(demo)); fi | \
	        tr -d '\r' | sed 's/["\\]/\\&/g; s/.*/"&\\n",/'; echo '0};'; done; } > $@
build/obj/cli/demo_data.o: build/obj/cli/demo_data.c
	$(CC) $(SOOTH) $(WARN) $(CFLAGS) -c $< -o $@

build/sooth: $(call objects,$(cli)) build/obj/cli/demo_data.o build/sooth.o
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ -pthread

build/colocate: $(call objects,$(colocate)) build/sooth.o
	$(CC) $(CFLAGS) $^ -o $@ -pthread -lm

# Runs of the simulated graphics processor, as a table for `sooth slowdown`: build/runs learn > runs.csv
build/runs: $(wildcard examples/simulator/*) build/sooth.o
	$(CC) $(SOOTH) $(WARN) $(CFLAGS) examples/simulator/runs.c $(LINKED) -o $@ -pthread -lm

# Themis (Zhao et al. 2019) on simulated kernels: its tables beside ours, its figures in build/run-themis.
.PHONY: themis
themis: build/themis
	@mkdir -p build/run-themis
	build/themis --out build/run-themis

build/themis: $(wildcard examples/papers/* examples/simulator/*) examples/picture.h build/sooth.o
	$(CC) $(SOOTH) $(WARN) $(CFLAGS) examples/papers/themis.c $(LINKED) -o $@ -pthread -lm

build/gpu: examples/gpu/gpu.c $(wildcard examples/gpu/*.h) examples/picture.h build/sooth.o
	$(CC) $(SOOTH) $(WARN) $(CFLAGS) examples/gpu/gpu.c $(LINKED) -o $@ -pthread -lm

# The power of GPU kernels, seen and unseen: make run-gpu POWER="FILE.csv ..."; then the times of operators on
# GPUs never seen (OPERATORS, as below). Pictures go to build/run-gpu. Without files it says where they are.
.PHONY: run-gpu
run-gpu: build/gpu build/gpu_left_out
	@mkdir -p build/run-gpu
	build/gpu --out build/run-gpu $(POWER)
	build/gpu_left_out $(or $(OPERATORS),none) --out build/run-gpu

# The tables of gpu_time.h, learned again, and their errors on each GPU left out. OPERATORS: the folder of
# measured operators (NeuSight, ASPLOS 2025), in the form that the top of examples/gpu/times.c tells.
.PHONY: gpu-tables
gpu-tables: build/gpu_times
	$(if $(OPERATORS),,$(error make gpu-tables wants OPERATORS=FOLDER of the measured operators))
	build/gpu_times $(OPERATORS) -o include/sooth/gpu_time_table.h

# Runs until a good setting of a kernel is found, and a picture for each GPU with the curves of others'
# optimisers, in build/run-gpu: SPACES="FILE.csv ..." as the top of examples/gpu/spaces.c tells; minutes.
.PHONY: gpu-spaces
gpu-spaces: build/gpu_spaces
	$(if $(SPACES),,$(error make gpu-spaces wants SPACES="FILE.csv ..." of tuning spaces measured in full))
	@mkdir -p build/run-gpu
	build/gpu_spaces --out build/run-gpu --peers examples/gpu/data/space_peers.csv $(SPACES)

# The watts of `sooth gpu compare`, learned again, and how far they are off.
# LAUNCHES="k20=FILE.csv m60=FILE.csv", files as for run-gpu that tell the grid.
.PHONY: gpu-watts
gpu-watts: build/gpu_watts
	$(if $(LAUNCHES),,$(error make gpu-watts wants LAUNCHES="k20=FILE.csv m60=FILE.csv" of measured launches))
	build/gpu_watts $(LAUNCHES)
build/gpu_watts: examples/gpu/launches.h examples/cli/gpu/watts.h

# Also the pictures of each GPU left out, and how many runs it takes to find a good setting of a kernel.
build/gpu_left_out: examples/gpu/times.c examples/picture.h
build/gpu_spaces: examples/picture.h
gpu_programs := $(addprefix build/gpu_,times left_out spaces watts)
$(gpu_programs): build/gpu_%: examples/gpu/%.c build/sooth.o
	$(CC) $(SOOTH) $(WARN) $(CFLAGS) $< $(LINKED) -o $@ -pthread -lm

build/scale: $(wildcard examples/scale/* examples/colocate/workloads.*) examples/picture.h build/sooth.o
	$(CC) $(SOOTH) $(WARN) $(CFLAGS) -Ibench $(filter %.c,$^) $(LINKED) -o $@ -pthread -lm

build/teach/%: examples/teach/%.c examples/teach/lesson.h examples/picture.h build/sooth.o
	@mkdir -p $(@D)
	$(CC) $(SOOTH) $(WARN) $(CFLAGS) $< $(LINKED) -o $@ -pthread -lm

# From a CSV to a model that runs on an emulated Cortex-M0: the five commands of examples/firmware/README.md.
.PHONY: firmware
M0 := arm-none-eabi-gcc -Os -mthumb -mcpu=cortex-m0 -ffunction-sections -fdata-sections -Wl,--gc-sections
QEMU := qemu-system-arm -M microbit -display none -monitor none -serial none \
	-semihosting-config enable=on,target=native,chardev=sh -chardev stdio,id=sh
firmware: build/sooth
	@mkdir -p build/run-firmware
	build/sooth fit examples/scale/data/titanx.csv --target power_w --drop time_ms --model boost \
	    --set n_estimators=20 --set max_depth=4 -o build/run-firmware/power.sooth --force
	build/sooth export build/run-firmware/power.sooth --to c --integers 16 --name power \
	    -o build/run-firmware/power.c --force
	$(M0) build/run-firmware/power.c examples/firmware/selftest.c examples/firmware/cortex_m.c -nostdlib \
	    -Texamples/firmware/cortex_m.ld -lc -lgcc -o build/run-firmware/power.elf
	$(QEMU) -kernel build/run-firmware/power.elf

# In build/packages: for CMake, vcpkg, Conan, Meson and Debian, an Arduino and PlatformIO library, a Zephyr
# module; see examples/packages/README.md.
.PHONY: packages
PACKAGES = build/packages
packages: build/sooth
	examples/packages/make.sh $(PACKAGES)

# Schedulers: the loop of one that learns what its tasks take (examples/hosts/README.md), and one that asks a
# predictor which jobs to run beside each other; DATA=recorded runs nothing.
.PHONY: hosts
hosts: build/hosts build/loop
	build/loop
	build/hosts $(if $(filter recorded,$(DATA)),--recorded examples/colocate/data)

# Inside StarPU's scheduler: libstarpu-dev, libopenblas-dev and pocl-opencl-icd; with libopenmpi-dev also over
# two processes. See examples/hosts/starpu/README.md.
.PHONY: starpu
starpu_programs := $(addprefix build/starpu/,cholesky replay sizes)
starpu: $(starpu_programs)
	build/starpu/sizes examples/hosts/starpu/data recorded
	build/starpu/replay examples/hosts/starpu/data/gemm_192.csv
	build/starpu/cholesky

STARPU = $(shell pkg-config --cflags starpu-1.3 openblas) -D_GNU_SOURCE
starpu_headers := $(wildcard examples/hosts/starpu/*.h)
$(starpu_programs): build/starpu/%: examples/hosts/starpu/%.c $(starpu_headers) build/sooth.o
	@mkdir -p $(@D)
	$(CC) $(SOOTH) $(WARN) $(CFLAGS) $(STARPU) $< $(LINKED) -o $@ -pthread \
	    $(shell pkg-config --libs starpu-1.3 openblas) -lOpenCL -lm

# Two processes, each with a scheduler and models of its own.
build/starpu/mpi: examples/hosts/starpu/mpi.c $(starpu_headers) build/sooth.o
	@mkdir -p $(@D)
	mpicc $(SOOTH) $(WARN) $(CFLAGS) $(STARPU) $(shell pkg-config --cflags starpumpi-1.3) $< $(LINKED) -o $@ \
	    -pthread $(shell pkg-config --libs starpumpi-1.3 openblas) -lOpenCL -lm

# One fit over the rows of several processes: libopenmpi-dev. See examples/hosts/mpi/README.md.
.PHONY: mpi
mpi: build/mpi/fit
	mpirun --oversubscribe -n 4 build/mpi/fit
build/mpi/fit: examples/hosts/mpi/fit.c examples/hosts/mpi/sooth_mpi.h build/sooth.o
	@mkdir -p $(@D)
	mpicc $(SOOTH) -D_GNU_SOURCE $(WARN) $(CFLAGS) $< $(LINKED) -o $@ -pthread -lm
# What a fit exchanges, counted, and the plan for 1,000 processes: needs no MPI.
build/mpi/bytes: examples/hosts/mpi/bytes.c examples/picture.h tests/ranks.h build/sooth.o
	@mkdir -p $(@D)
	$(CC) $(SOOTH) -D_GNU_SOURCE $(WARN) $(CFLAGS) $< $(LINKED) -o $@ -pthread -lm

# Inside Slurm: libslurm-dev. See examples/hosts/slurm/README.md.
.PHONY: slurm
slurm: build/slurm/job_submit_sooth.so build/slurm/took
build/slurm/took: examples/hosts/slurm/took.c
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE $(WARN) $(CFLAGS) $< -o $@ -lslurm
build/slurm/job_submit_sooth.so: examples/hosts/slurm/job_submit_sooth.c examples/hosts/slurm/model_file.h \
    $(headers)
	@mkdir -p $(@D)
	$(CC) $(SOOTH) -D_GNU_SOURCE $(WARN) $(CFLAGS) -fPIC -shared $< -o $@ -pthread

# Predicts inside the Linux kernel how long each task will run before it sleeps again: needs clang and libbpf
# to build, root to run (build/kernel/kernel --out FOLDER); see examples/kernel/README.md.
BPF = clang -O2 -g --target=bpf $(WARN) -Wno-unused-parameter -Wno-unused-function
BPF += -I/usr/include/$(shell $(CC) -print-multiarch 2> /dev/null)
.PHONY: kernel
kernel:
	@command -v clang > /dev/null || { echo "make kernel needs clang: apt install clang"; exit 1; }
	@printf '%s\n' '#include <bpf/libbpf.h>' | $(CC) -E - > /dev/null 2>&1 || \
	    { echo "make kernel needs libbpf: apt install libbpf-dev"; exit 1; }
	@$(MAKE) --no-print-directory $(addprefix build/kernel/,kernel tasks.bpf.o policy.bpf.o)

build/kernel/%.bpf.o: examples/kernel/%.bpf.c $(wildcard examples/kernel/*.h)
	@mkdir -p $(@D)
	$(BPF) -c $< -o $@

build/kernel/kernel: $(wildcard examples/kernel/*.[ch]) examples/picture.h build/sooth.o
	@mkdir -p $(@D)
	$(CC) $(SOOTH) $(WARN) $(CFLAGS) examples/kernel/kernel.c $(LINKED) -o $@ -lbpf -pthread -lm

shared := $(call objects,$(filter-out %/colocate.c %/page.c,$(colocate)))
build/loop: examples/hosts/loop.c examples/hosts/machine.h build/sooth.o
	$(CC) $(SOOTH) $(WARN) $(CFLAGS) $< $(LINKED) -o $@ -pthread

build/hosts: examples/hosts/hosts.c $(shared) build/sooth.o
	$(CC) $(SOOTH) $(WARN) $(CFLAGS) -Ibench -DSOOTH_LINKED $^ -o $@ -pthread -lm

# Moolchandani et al. 2022: Table 7 (build/table7 [--recorded DIR ...] [--gavel FILE] [--out DIR]); cards
# between machines, pairs of one GPU from another, clusters.
build/table7 build/cards: build/%: examples/papers/%.c $(wildcard examples/papers/*.h) examples/picture.h \
    $(shared) build/sooth.o
	$(CC) $(SOOTH) $(WARN) $(CFLAGS) -Ibench -DSOOTH_LINKED $(filter %.c %.o,$^) -o $@ -pthread -lm

# How time and memory grow with rows, columns, trees, depth, bins and workers, beside peers; it takes
# a while (patience=1: less). Pictures and slopes.csv go to build/curves; CURVES="only=svr most=1e8": see
# bench/curves.c.
.PHONY: curves
curves: build/curves/curves build/bench
	build/curves/curves $(CURVES)
build/curves/curves: bench/curves.c examples/picture.h build/sooth.o
	@mkdir -p $(@D)
	$(CC) $(SOOTH) $(WARN) $(CFLAGS) $< $(LINKED) -o $@ -pthread -lm

build/bench: bench/bench.c $(wildcard bench/*.h) $(headers)
	@mkdir -p $(@D)
	$(CC) $(SOOTH) $(WARN) -O3 bench/bench.c -o $@ -pthread -lm

build/bench-native: bench/bench.c $(wildcard bench/*.h) $(headers)
	@mkdir -p $(@D)
	$(CC) $(SOOTH) $(WARN) -O3 -march=native bench/bench.c -o $@ -pthread -lm

test_data := $(wildcard tests/*.h tests/golden/*.h)
$(tests): build/tests/%: tests/%.c $(test_data) build/sooth.o
	@mkdir -p $(@D)
	$(CC) $(SOOTH) $(WARN) $(level) -Itests $< $$(tests/linked.sh $< build/sooth.o) -o $@ -pthread -lm

build/tests/test_workloads build/tests/test_contend: $(colocate)
build/tests/test_queue: $(wildcard examples/cli/jobs/queue.*)
build/tests/test_instant: $(wildcard examples/cli/table/instant.*)
build/tests/test_progress: $(wildcard examples/cli/app/progress.*)
build/tests/test_gpu_tables: examples/gpu/times.c
build/tests/test_gpu_watts: examples/gpu/watts.c examples/gpu/launches.h examples/cli/gpu/watts.h

# Measurements of a GPU: compiled where nvcc is, run where a GPU is. CUDA_ARCH=sm_90 builds for another than
# the one here. What is measured goes into build/cuda/power.csv, latency.csv, pairs.csv: see "From your GPU to
# watts" in examples/README.md.
NVCC ?= $(firstword $(shell command -v nvcc) $(wildcard /usr/local/cuda/bin/nvcc))
CUDA_ARCH ?= $(if $(wildcard /dev/nvidia0),native,sm_80)
cuda_sources := $(filter-out bench/cuda/kernels.cu,$(wildcard bench/cuda/*.cu))
cuda := $(patsubst bench/cuda/%.cu,build/cuda/%,$(cuda_sources))
cuda: $(cuda) build/cuda/kernels.ptx
cuda-measure: cuda
	for program in $(cuda); do $$program > $$program.csv || exit 1; done

build/cuda/%: bench/cuda/%.cu $(wildcard bench/cuda/*.cuh)
	@mkdir -p $(@D)
	$(NVCC) -O2 -std=c++17 -arch=$(CUDA_ARCH) -I$(dir $(NVCC))../extras/CUPTI/include $< -o $@ -ldl

build/cuda/kernels.ptx: bench/cuda/kernels.cu $(wildcard bench/cuda/*.cuh)
	@mkdir -p $(@D)
	$(NVCC) -O2 -std=c++17 -ptx -arch=$(subst sm_,compute_,$(CUDA_ARCH)) $< -o $@

# What build/install holds goes under PREFIX: the command with its pages and completions, the headers, what
# CMake and pkg-config ask for. Directories stay that others may use.
.PHONY: stage uninstall
STAGE = build/install
stage: build/sooth
	PREFIX=$(PREFIX) examples/packages/stage.sh $(STAGE)
installed = (cd $(STAGE) && find . -type f | sed 's,^[.]/,,') | while read -r file; do
install: stage
	$(installed) mkdir -p "$(DESTDIR)$(PREFIX)/$${file%/*}" && \
	    install -m $$([ -x "$(STAGE)/$$file" ] && echo 755 || echo 644) "$(STAGE)/$$file" \
	        "$(DESTDIR)$(PREFIX)/$$file" || exit 1; done
uninstall: stage
	$(installed) rm -f "$(DESTDIR)$(PREFIX)/$$file" || exit 1; done
	for own in include/sooth share/cmake/sooth; do \
	    [ ! -d "$(DESTDIR)$(PREFIX)/$$own" ] || rmdir "$(DESTDIR)$(PREFIX)/$$own" || exit 1; done

clean:
	rm -rf build
