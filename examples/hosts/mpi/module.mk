# One fit over the rows of several processes: libopenmpi-dev. See examples/hosts/mpi/README.md.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT

.PHONY: mpi
mpi: build/mpi/fit
	mpirun --oversubscribe -n 4 build/mpi/fit
build/mpi/fit: examples/hosts/mpi/fit.c examples/hosts/mpi/sooth_mpi.h build/sooth.o
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)mpicc $(SOOTH) -D_GNU_SOURCE $(WARN) $(CFLAGS) -DSOOTH_LINKED $< build/sooth.o -o $@ -pthread -lm
# What a fit exchanges, counted, and the plan for 1,000 processes: needs no MPI.
mpi/bytes_sources := examples/hosts/mpi/bytes.c
build/obj/examples/hosts/mpi/bytes.o: DEFINE := -D_GNU_SOURCE
$(eval $(call program,mpi/bytes))
build/mpi/bytes:
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(filter %.o,$^) -o $@ -pthread -lm
