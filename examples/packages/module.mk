# In build/packages: for CMake, vcpkg, Conan, Meson and Debian, an Arduino and PlatformIO library, a Zephyr module;
# see examples/packages/README.md.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT

.PHONY: packages
PACKAGES = build/packages
packages: build/sooth
	$(Q)examples/packages/make.sh $(PACKAGES)
