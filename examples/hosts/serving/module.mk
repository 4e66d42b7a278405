# Inside a router of LLM servers: routers on simulated pods, with pictures in build/run-serving, and what a
# prediction costs. See examples/hosts/serving/README.md.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT

.PHONY: serving
serving: build/serving
	@mkdir -p build/run-serving
	$(Q)build/serving --draw build/run-serving
	$(Q)build/serving --cost
