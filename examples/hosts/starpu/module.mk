# Inside StarPU's scheduler: libstarpu-dev, libopenblas-dev and pocl-opencl-icd; with libopenmpi-dev also over
# two processes. See examples/hosts/starpu/README.md.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT

.PHONY: starpu
starpu_programs := $(addprefix build/starpu/,cholesky replay sizes)
starpu: $(starpu_programs)
	build/starpu/sizes examples/hosts/starpu/data recorded
	build/starpu/replay examples/hosts/starpu/data/gemm_192.csv
	build/starpu/cholesky

STARPU = $(shell pkg-config --cflags starpu-1.3 openblas) -D_GNU_SOURCE -DSOOTH_LINKED
starpu_headers := $(wildcard examples/hosts/starpu/*.h)
$(starpu_programs): build/starpu/%: examples/hosts/starpu/%.c $(starpu_headers) build/sooth.o
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(compile) $(STARPU) $< build/sooth.o -o $@ -pthread \
	    $(shell pkg-config --libs starpu-1.3 openblas) -lOpenCL -lm

# Two processes, each with a scheduler and models of its own.
build/starpu/mpi: examples/hosts/starpu/mpi.c $(starpu_headers) build/sooth.o
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)mpicc $(SOOTH) $(WARN) $(CFLAGS) $(STARPU) $(shell pkg-config --cflags starpumpi-1.3) $< \
	    build/sooth.o -o $@ -pthread $(shell pkg-config --libs starpumpi-1.3 openblas) -lOpenCL -lm
