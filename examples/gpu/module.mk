# Studies of GPUs on files that others measured.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT

.PHONY: run-gpu gpu-tables gpu-spaces gpu-watts
# The power of GPU kernels, seen and unseen: make run-gpu POWER="FILE.csv ..."; then the times of operators on
# GPUs never seen (OPERATORS, as below). Pictures go to build/run-gpu. Without files it says where they are.
run-gpu: build/gpu build/gpu_left_out
	@mkdir -p build/run-gpu
	$(Q)build/gpu --out build/run-gpu $(POWER)
	$(Q)build/gpu_left_out $(or $(OPERATORS),none) --out build/run-gpu

# Learns the tables of gpu_time.h again, and prints their errors on each GPU left out. OPERATORS: the folder
# of measured operators (NeuSight, ASPLOS 2025), in the form that the top of examples/gpu/times.c describes.
# LANGUAGE: the folder of operators of language models (AIConfigurator), as examples/gpu/language.c and
# examples/gpu/language_watts.c describe.
gpu-tables: build/gpu_times build/gpu_language build/gpu_language_watts
	$(if $(OPERATORS)$(LANGUAGE),,$(error make gpu-tables wants OPERATORS=FOLDER or LANGUAGE=FOLDER))
	$(if $(OPERATORS),$(Q)build/gpu_times $(OPERATORS) -o include/sooth/gpu_time/table.h)
	$(if $(LANGUAGE),$(Q)build/gpu_language $(LANGUAGE) -o include/sooth/gpu_time)
	$(if $(LANGUAGE),$(Q)build/gpu_language_watts $(LANGUAGE)/watts.csv -o include/sooth/gpu_time/watts_table.h)

# Runs until a good setting of a kernel is found, and a picture for each GPU with the curves of other
# optimisers, in build/run-gpu: SPACES="FILE.csv ..." as the top of examples/gpu/spaces.c describes; minutes.
gpu-spaces: build/gpu_spaces
	$(if $(SPACES),,$(error make gpu-spaces wants SPACES="FILE.csv ..." of tuning spaces measured in full))
	@mkdir -p build/run-gpu
	$(Q)build/gpu_spaces --out build/run-gpu --peers examples/gpu/data/space_peers.csv $(SPACES)

# Learns the watts of `sooth gpu compare` again, and prints their errors. LAUNCHES="k20=FILE.csv
# m60=FILE.csv": files as for run-gpu, with the grid.
gpu-watts: build/gpu_watts
	$(if $(LAUNCHES),,$(error make gpu-watts wants LAUNCHES="k20=FILE.csv m60=FILE.csv" of measured launches))
	$(Q)build/gpu_watts $(LAUNCHES)
