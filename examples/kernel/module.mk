# Predicts inside the Linux kernel how long each task will run before it sleeps again: needs clang and libbpf
# to build, root to run (build/kernel/kernel --out FOLDER); see examples/kernel/README.md.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT

.PHONY: kernel
BPF = clang -O2 -g --target=bpf $(WARN) -Wno-unused-parameter -Wno-unused-function
BPF += -I/usr/include/$(shell $(CC) -print-multiarch 2> /dev/null)
kernel:
	@command -v clang > /dev/null || { echo "make kernel needs clang: apt install clang"; exit 1; }
	@printf '%s\n' '#include <bpf/libbpf.h>' | $(CC) -E - > /dev/null 2>&1 || \
	    { echo "make kernel needs libbpf: apt install libbpf-dev"; exit 1; }
	@$(MAKE) --no-print-directory $(addprefix build/kernel/,kernel tasks.bpf.o policy.bpf.o)

build/kernel/%.bpf.o: examples/kernel/%.bpf.c $(wildcard examples/kernel/*.h)
	@mkdir -p $(@D)
	$(call say,BPF)
	$(Q)$(BPF) -c $< -o $@

kernel/kernel_sources := examples/kernel/kernel.c
$(eval $(call program,kernel/kernel))
build/kernel/kernel:
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(filter %.o,$^) -o $@ -lbpf -pthread -lm
