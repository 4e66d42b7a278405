# sooth is a set of headers: programs need only -Iinclude. This file builds the command, the examples, the
# tests and the benches with GNU make and a C compiler. There is nothing to configure. CC, CXX, CFLAGS,
# LDFLAGS and PREFIX are honoured; `make V=1` shows every command. An example that needs more has a module.mk
# in its folder.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT

CFLAGS ?= -O2
default := $(filter file,$(origin CFLAGS))# empty: CFLAGS of your own
PREFIX ?= /usr/local
# The same bits everywhere: no fused multiply-add, standard C.
SOOTH = -std=c11 -ffp-contract=off -Iinclude
# Programs are compiled with the first set of warnings. The headers are silent under all three sets, the third
# in C only; tests/build/compile/headers.sh reads the sets with `make -s warnings-c`.
WARN = -Wall -Wextra
WARN_HEADERS = -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wcast-qual \
    -Wcast-align -Wundef -Wpointer-arith -Wwrite-strings -Wvla -Wformat=2 -Wfloat-equal
WARN_C = -Wstrict-prototypes -Wmissing-prototypes -Wc++-compat

# One short line for each step. $(call say,WORD) names the step, $(Q) hides its command.
Q := $(if $(V),,@)
say = @$(if $(V),:,printf '%-5s %s\n' $(1) $@)
processors = $(shell getconf _NPROCESSORS_ONLN 2> /dev/null || echo 1)
# make and make test use all processors; make -jN uses N.
ifeq ($(filter -j% --jobserver%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(processors)
endif

headers := $(wildcard include/*.h include/sooth/*.h include/sooth/*/*.h)
compile = $(CC) $(SOOTH) $(WARN) $(CFLAGS)

.DELETE_ON_ERROR:
.PHONY: all run run-scale papers teach book airborne themis hosts test run-tests \
    bench accuracy curves single check soak warnings warnings-c clean
all: build/sooth
	@echo 'built build/sooth; make run: the main job; make test: every test; make V=1: all commands'

# ---- the library ----

# A program by hand has one file with the implementation. Here many programs share one object, build/sooth.o
# (-DSOOTH_LINKED: a file only declares). Its three parts compile side by side. Each part emits the public
# functions of its own headers; it takes those of the parts before as `extern inline`, which GNU compilers
# never emit, and of which gcc analyses those of base alone, to inline them. Other compilers make one part of
# all. The last part reads texts and calls the others: it is compiled at -O1. CFLAGS of your own win.
part_1 := base threads validation preprocess stats conformal online linear tree forest boost explain mlp svr
part_2 := gaussian_process sofnn scaling halton sobol csv import model
part_3 := adapt configure fairness ptx gpu gpu_time train export slowdown files
gnu := $(shell echo '__GNUC__' | $(CC) -E -P - 2> /dev/null | grep -v GNUC)
ifneq ($(gnu),)
parts := build/obj/part_1.o build/obj/part_2.o build/obj/part_3.o
else
parts := build/obj/whole.o
endif
build/obj/part_1.o: own := $(part_1)
build/obj/part_2.o: own := $(part_2)
build/obj/part_2.o: before := $(part_1)
build/obj/part_3.o: own := $(part_3)
build/obj/part_3.o: before := $(part_1) $(part_2)
build/obj/whole.o: own := $(part_1) $(part_2) $(part_3)
hash := \#
include = $(foreach h,$(1),'$(hash)include "sooth/$(h).h"')
api = '$(hash)undef SOOTH_API' '$(hash)define SOOTH_API $(1)'
inlined := extern __inline__ __attribute__((gnu_inline))
called := $(inlined) __attribute__((noinline, optimize(0)))
$(parts): $(headers)
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)printf '%s\n' '#define SOOTH_IMPLEMENTATION' \
	    $(if $(before),$(call api,$(inlined)) $(call include,base) $(call api,$(called)) \
	        $(call include,$(before)) $(call api,)) $(call include,$(own)) | \
	    $(compile) $(if $(before),-w,$(WARN_HEADERS) $(WARN_C)) $(if $(filter %_3.o,$@),$(default:file=-O1)) \
	        -x c -c - -o $@ -pthread
build/sooth.o: $(parts)
	$(call say,LD)
	$(Q)$(if $(gnu),$(CC) -r -nostdlib $^ -o $@,cp $^ $@)

# ---- programs: objects, the drawings of examples/common, the library ----

# What leaves the work to the library compiles at -O1, a third faster; the command executes 1 % more. The
# workloads do work of their own, which colocate measures.
calling := build/obj/examples/%
working := build/obj/examples/colocate/workloads.o
build/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(compile) $(if $(filter $(calling),$(filter-out $(working),$@)),$(default:file=-O1)) \
	    $(DEFINE) -Ibench -DSOOTH_LINKED -MMD -MP -c $< -o $@
-include $(shell find build/obj build/tests -name '*.d' 2> /dev/null)

colocate_sources := $(wildcard examples/colocate/*.c)
shared := $(filter-out %/colocate.c %/page.c,$(colocate_sources))
sooth_sources := $(wildcard examples/cli/*.c examples/cli/*/*.c)
hosts_sources := examples/hosts/hosts.c $(shared)
loop_sources := examples/hosts/loop.c
late_sources := examples/hosts/late.c
serving_sources := $(wildcard examples/hosts/serving/*.c)
bags_sources := examples/hosts/bags.c
launches_sources := examples/hosts/launches.c
scale_sources := $(wildcard examples/scale/*.c) examples/colocate/workloads.c
gpu_sources := examples/gpu/gpu.c
$(foreach p,times language language_watts left_out spaces watts operators,\
    $(eval gpu_$(p)_sources := examples/gpu/$(p).c))
airborne_sources := examples/airborne/airborne.c
runs_sources := examples/simulator/runs.c
themis_sources := examples/papers/themis.c
$(foreach p,table7 cards,$(eval $(p)_sources := examples/papers/$(p).c $(shared)))
curves/curves_sources := bench/curves.c
logs_sources := bench/logs.c
teach := $(patsubst examples/teach/%.c,teach/%,$(wildcard examples/teach/*.c))
$(foreach t,$(teach),$(eval $(t)_sources := examples/$(t).c))

programs := sooth colocate hosts loop late bags launches serving scale gpu gpu_times gpu_language \
    gpu_language_watts gpu_left_out gpu_spaces gpu_watts gpu_operators airborne runs themis table7 cards \
    logs $(teach)
object = $(patsubst %.c,build/obj/%.o,$(1))
define program
build/$(1): build/sooth.o $(call object,$($(1)_sources)) build/obj/examples/common/svg.o
endef
$(foreach p,$(programs) curves/curves,$(eval $(call program,$(p))))
$(addprefix build/,$(programs) curves/curves):
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(filter %.o,$^) -o $@ -pthread -lm

# What `sooth demo` brings along: a table and its licence, as strings.
demo := examples/scale/data/titanx.csv examples/scale/data/LICENSE.titanx
build/sooth: build/obj/demo_data.o
build/obj/demo_data.c: $(demo) Makefile
	@mkdir -p $(@D)
	$(Q){ echo 'extern const char *const demo_table[], *const demo_licence[];'; \
	    for file in table licence; do echo "const char *const demo_$$file[] = {"; \
	    if [ $$file = table ]; then cat $(word 1,$(demo)); else cat $(word 2,$(demo)); fi | \
	        tr -d '\r' | sed 's/["\\]/\\&/g; s/.*/"&\\n",/'; echo '0};'; done; } > $@
build/obj/demo_data.o: build/obj/demo_data.c
	$(Q)$(compile) -c $< -o $@

# ---- what to run ----

# The main job: measure this machine, learn, predict, decide what to run together, and run it to check.
# DATA=recorded uses the measurements kept in the repository.
DATA ?= live
run: build/colocate
	$(Q)build/colocate $(if $(filter recorded,$(DATA)),--recorded examples/colocate/data) --out build/run

# Threads and frequency: this machine; De Sensi's tables and figures on his published measurements, drawn in
# build/run-scale; the clocks of a GPU, as its authors measured them.
run-scale: build/scale
	@mkdir -p build/run-scale
	$(Q)build/scale
	$(Q)build/scale --parsec examples/scale/data build/run-scale
	$(Q)build/scale --clocks examples/scale/data/titanx.csv

# What the five papers report, as far as the data here can show it, next to what they print:
# build/papers/index.html. POWER="FILE.csv ..." as for run-gpu; RECORDINGS="A=FOLDER B=FOLDER": what
# build/colocate --out FOLDER measured on two machines, to translate between them.
# MEASURED=FOLDER: what bench/cuda/measure.sh measured on a GPU.
papers: $(addprefix build/,sooth scale gpu gpu_left_out gpu_operators colocate table7 cards runs themis \
    airborne)
	$(Q)examples/papers.sh $(POWER)

# The numbered lessons, which draw under build/teach/; and the book of lessons, headers and tables: one page
# that needs nothing else, build/book/index.html.
teach: $(addprefix build/,$(teach))
	$(Q)cd build/teach && for example in $(notdir $^); do ./$$example || exit 1; done
book: $(addprefix build/,$(teach))
	$(Q)examples/book/book.sh

# Eight periodic applications on one device: how long each will still take (Yao et al. 2021). Themis (Zhao et
# al. 2019) on simulated kernels: its tables next to ours. Pictures go to build/run-airborne,
# build/run-themis.
airborne themis: %: build/%
	@mkdir -p build/run-$@
	$(Q)build/$@ --out build/run-$@

# Schedulers: the loop of one that learns what its tasks take (examples/hosts/README.md), and one that uses a
# predictor to choose which jobs run next to each other; DATA=recorded runs nothing.
hosts: build/hosts build/loop build/late build/bags build/launches
	$(Q)build/loop
	$(Q)build/late
	$(Q)build/bags
	$(Q)build/launches
	$(Q)build/hosts $(if $(filter recorded,$(DATA)),--recorded examples/colocate/data)

# ---- tests ----

# A test compiles at -Og, which is quick and drops functions that nothing calls; those that hold much of the
# library themselves, and run briefly, at -O0. CFLAGS of your own win. SOOTH_SLOW=1 make test runs the slow
# tests too.
level = $(if $(default),$(if $(filter %_kinds %csv_blocks %_replay %_slot,$@),-O0,-Og),$(CFLAGS))
test_sources := $(wildcard tests/test_*.c tests/*/test_*.c)
tests := $(patsubst %.c,build/tests/%,$(notdir $(test_sources)))
vpath test_%.c tests $(sort $(dir $(test_sources)))
test = $(CC) $(SOOTH) $(WARN) $(level) -Itests -Itests/harness
# gcc reads all headers once for the tests that call internal functions.
gcc := $(shell echo '__GNUC__ __clang__' | $(CC) -E -P - 2> /dev/null | grep '^[0-9]* __clang__')
inside := $(if $(gcc),build/inside.h)
$(tests): build/tests/%: %.c build/obj/examples/common/svg.o build/sooth.o $(inside:=.gch)
	@mkdir -p $(@D)
	$(call say,TEST)
	$(Q)$(test) -MD -MP $< $$(tests/harness/linked.sh $< build/sooth.o $(inside)) -o $@ -pthread -lm
build/inside.h.gch: $(headers) tests/harness/inside.h tests/harness/linked.sh
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)tests/harness/linked.sh precompile $(inside) $(test)

scripts := $(addprefix tests/,studies/colocate.sh studies/table7.sh studies/cards.sh studies/watts.sh \
    studies/themis.sh build/api.sh cli/cli.sh cli/cli_decide.sh cli/words.sh cli/replay.sh cli/budget.sh \
    cli/page.sh cli/digits.sh cli/import.sh cli/names.sh cli/language.sh)
test run-tests: build/sooth.o $(tests) $(addprefix build/,$(programs))
	$(Q)tests/harness/run.sh $(scripts) $(sort $(tests)) tests/hosts/hosts.sh \
	    tests/hosts/serving.sh tests/build/examples.sh \
	    tests/studies/lessons.sh tests/build/style.sh

check:
	$(Q).ci/run
# Hours of fuzzing, HOURS=1 for each target; it continues where it stopped (see tests/fuzz/soak.sh).
soak:
	$(Q)tests/fuzz/soak.sh
warnings:
	@echo $(WARN) $(WARN_HEADERS)
warnings-c:
	@echo $(WARN) $(WARN_HEADERS) $(WARN_C)

# ---- benches ----

bench: build/bench build/bench-native
	$(Q)bench/run.sh build/bench
build/bench-native: native := -march=native
build/bench build/bench-native: bench/bench.c $(wildcard bench/*.h bench/tasks/*.h) $(headers)
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(SOOTH) -Ibench $(WARN) -O3 $(native) bench/bench.c -o $@ -pthread -lm

# How far off answers without options are, next to rules and the defaults of peers (see bench/accuracy.py).
# DATA=FOLDER holds the sets that are not shipped; ACCURACY="--quick": two minutes; PYTHON has the peers.
accuracy: build/sooth build/logs
	$(Q)$(or $(PYTHON),python3) bench/accuracy.py $(if $(filter-out live recorded,$(DATA)),--data $(DATA)) \
	    $(ACCURACY)

# How time and memory grow with rows, columns, trees, depth, bins and workers, next to peers. It takes a while
# (patience=1: less). Pictures and slopes.csv go to build/curves; CURVES="only=svr most=1e8": see
# bench/curves.c.
curves: build/curves/curves build/bench
	$(Q)build/curves/curves $(CURVES)

# ---- what others take ----

# One self-contained file for each header and one of all, under build/single/.
single: $(headers)
	$(Q)tests/build/compile/single.sh include build/single

clean:
	$(Q)rm -rf build

include $(wildcard examples/*/module.mk examples/*/*/module.mk bench/*/module.mk)
