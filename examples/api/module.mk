# make api: every public name, struct, enum value and option as JSON, build/api/api.json. make api-keep: it
# becomes tests/build/api.json, which tests/build/api.sh compares with; says what changed.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT

.PHONY: api api-keep
api: build/sooth.o
	$(Q)CC='$(CC)' examples/api/api.sh build/api build/sooth.o
	@echo 'build/api/api.json'
api-keep: api
	$(Q)tests/build/api.sh keep
