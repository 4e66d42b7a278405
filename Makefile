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

.PHONY: all run test bench single check install clean
all: build/sooth

# The main job: measure this machine, learn, predict, check. DATA=recorded uses the measurements kept in the repository.
DATA ?= live
run: build/colocate
	build/colocate $(if $(filter recorded,$(DATA)),--recorded examples/colocate/data) --out build/run

test: $(tests) build/sooth build/colocate
	@tests/run.sh $(sort $(tests)) tests/cli.sh tests/colocate.sh

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

build/bench: $(wildcard bench/*.c bench/*.h) $(headers)
	@mkdir -p $(@D)
	$(CC) $(SOOTH) $(STRICT) -O3 bench/bench.c -o $@ -pthread -lm

build/bench-native: $(wildcard bench/*.c bench/*.h) $(headers)
	@mkdir -p $(@D)
	$(CC) $(SOOTH) $(STRICT) -O3 -march=native bench/bench.c -o $@ -pthread -lm

build/tests/%: tests/%.c tests/check.h $(headers)
	@mkdir -p $(@D)
	$(CC) $(SOOTH) $(STRICT) $(CFLAGS) -Itests $< -o $@ -pthread -lm

install: single
	install -d $(DESTDIR)$(PREFIX)/include/sooth $(DESTDIR)$(PREFIX)/share/pkgconfig
	install -m 644 include/sooth.h $(DESTDIR)$(PREFIX)/include
	install -m 644 include/sooth/*.h $(DESTDIR)$(PREFIX)/include/sooth
	printf 'prefix=%s\nName: sooth\nDescription: predicts what running something will cost\nVersion: %s\nCflags: -I$${prefix}/include\n' \
	    '$(PREFIX)' "$$(sed -n 's/^#define SOOTH_VERSION_TEXT "\(.*\)"/\1/p' include/sooth/base.h)" \
	    > $(DESTDIR)$(PREFIX)/share/pkgconfig/sooth.pc

clean:
	rm -rf build
