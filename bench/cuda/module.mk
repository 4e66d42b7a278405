# Measurements of a GPU: compiled where nvcc is, run where a GPU is. CUDA_ARCH=sm_90 builds for another than
# the one here. What is measured goes into build/cuda/power.csv, latency.csv, pairs.csv: see "From your GPU to
# watts" in examples/README.md.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT

.PHONY: cuda cuda-measure
NVCC ?= $(firstword $(shell command -v nvcc) $(wildcard /usr/local/cuda/bin/nvcc))
CUDA_ARCH ?= $(if $(wildcard /dev/nvidia0),native,sm_80)
cuda_sources := $(filter-out bench/cuda/kernels.cu,$(wildcard bench/cuda/*.cu))
cuda := $(patsubst bench/cuda/%.cu,build/cuda/%,$(cuda_sources))
cuda: $(cuda) build/cuda/kernels.ptx
cuda-measure: cuda
	for program in $(cuda); do $$program > $$program.csv || exit 1; done

build/cuda/%: bench/cuda/%.cu $(wildcard bench/cuda/*.cuh)
	@mkdir -p $(@D)
	$(call say,NVCC)
	$(Q)$(NVCC) -O2 -std=c++17 -arch=$(CUDA_ARCH) -I$(dir $(NVCC))../extras/CUPTI/include $< -o $@ -ldl

build/cuda/kernels.ptx: bench/cuda/kernels.cu $(wildcard bench/cuda/*.cuh)
	@mkdir -p $(@D)
	$(call say,NVCC)
	$(Q)$(NVCC) -O2 -std=c++17 -ptx -arch=$(subst sm_,compute_,$(CUDA_ARCH)) $< -o $@
