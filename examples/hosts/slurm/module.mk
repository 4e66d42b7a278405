# Inside Slurm: libslurm-dev. See examples/hosts/slurm/README.md.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT

.PHONY: slurm
slurm: build/slurm/job_submit_sooth.so build/slurm/took
build/slurm/took: examples/hosts/slurm/took.c
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE $(WARN) $(CFLAGS) $< -o $@ -lslurm
build/slurm/job_submit_sooth.so: examples/hosts/slurm/job_submit_sooth.c \
    examples/hosts/slurm/model_file.h $(headers)
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(compile) -D_GNU_SOURCE -fPIC -shared $< -o $@ -pthread
