# Measurements of a GPU: compiled where nvcc is, run where a GPU is. `make cuda-measure OUT=FOLDER MINUTES=8`
# measures all of it into that folder (bench/cuda/measure.sh). Without a GPU, `make cuda` compiles for three
# generations, with the runtime as a shared library, so that tests/studies/measure.sh can put another in its
# place; CUDA_ARCH="sm_90" chooses others.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT

.PHONY: cuda cuda-measure
NVCC ?= $(firstword $(shell command -v nvcc) $(wildcard /usr/local/cuda/bin/nvcc))
CUDA_ARCH ?= $(if $(wildcard /dev/nvidia0),native,sm_80 sm_90 sm_100)
cuda_for = -gencode arch=compute_$(1),code=sm_$(1)
cuda_each = $(foreach a,$(CUDA_ARCH:sm_%=%),$(call cuda_for,$a))
cuda_code = $(if $(filter native,$(CUDA_ARCH)),-arch=native,-cudart shared $(cuda_each))
cuda_warnings := -Werror all-warnings -Xcompiler -Wall,-Wextra,-Wno-implicit-fallthrough,-Werror
cuda_sources := $(filter-out bench/cuda/kernels.cu,$(wildcard bench/cuda/*.cu))
cuda_headers := $(wildcard bench/cuda/*.cuh bench/cuda/*.h) bench/cuda/module.mk
cuda := $(patsubst bench/cuda/%.cu,build/cuda/%,$(cuda_sources))
cuda: $(cuda) build/cuda/kernels.ptx
cuda-measure:
	$(Q)bench/cuda/measure.sh $(or $(OUT),build/measured) $(MINUTES)

build/cuda/%: bench/cuda/%.cu $(cuda_headers)
	@mkdir -p $(@D)
	$(call say,NVCC)
	$(Q)$(NVCC) -O2 -std=c++17 $(cuda_code) $(cuda_warnings) -Iinclude -I$(dir $(NVCC))../extras/CUPTI/include \
	    $< -o $@ -ldl

build/cuda/kernels.ptx: bench/cuda/kernels.cu $(cuda_headers)
	@mkdir -p $(@D)
	$(call say,NVCC)
	$(Q)$(NVCC) -O2 -std=c++17 -ptx -arch=compute_80 $< -o $@
