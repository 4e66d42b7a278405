# In build/packages: for CMake, vcpkg, Conan, Meson and Debian, an Arduino and PlatformIO library, a Zephyr
# module; see examples/packages/README.md.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT

.PHONY: packages stage install uninstall
PACKAGES = build/packages
packages: build/sooth
	$(Q)examples/packages/make.sh $(PACKAGES)

# What build/install holds goes under PREFIX: the command with its pages and completions, the headers, and the
# files that CMake and pkg-config need. Folders that others may use stay.
STAGE = build/install
stage: build/sooth
	$(Q)PREFIX=$(PREFIX) examples/packages/stage.sh $(STAGE)
installed = (cd $(STAGE) && find . -type f | sed 's,^[.]/,,') | while read -r file; do
install: stage
	$(Q)$(installed) mkdir -p "$(DESTDIR)$(PREFIX)/$${file%/*}" && \
	    install -m $$([ -x "$(STAGE)/$$file" ] && echo 755 || echo 644) "$(STAGE)/$$file" \
	        "$(DESTDIR)$(PREFIX)/$$file" || exit 1; done
uninstall: stage
	$(Q)$(installed) rm -f "$(DESTDIR)$(PREFIX)/$$file" || exit 1; done
	$(Q)for own in include/sooth share/cmake/sooth; do \
	    [ ! -d "$(DESTDIR)$(PREFIX)/$$own" ] || \
	        find "$(DESTDIR)$(PREFIX)/$$own" -depth -type d -empty -delete; done

# A release in build/dist: the archive, the same bytes wherever it is written, its contents as SPDX and
# CycloneDX, and SHA256SUMS. `make sign KEY=FILE` signs SHA256SUMS with a private key of OpenSSH;
# .github/SECURITY.md describes how a release is verified.
.PHONY: dist sign
DIST = build/dist
dist:
	$(Q)CC='$(CC)' examples/packages/dist.sh $(DIST)
sign:
	@[ "$(KEY)" ] || { echo 'make sign KEY=FILE: which private key of OpenSSH?' >&2; exit 1; }
	$(Q)rm -f $(DIST)/SHA256SUMS.sig
	$(Q)ssh-keygen -q -Y sign -f '$(KEY)' -n sooth $(DIST)/SHA256SUMS
