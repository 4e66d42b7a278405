# A shared library with the functions of sooth_call.h, build/lib/libsooth.so.0 (or .dylib, .dll, by what CC
# compiles for), which exports sooth_call_* only, with versioned symbols if the system has them; and a Python
# wheel with it in build/python. See examples/python/README.md.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT

.PHONY: lib python
machine := $(shell $(CC) -dumpmachine 2> /dev/null)
ifneq ($(findstring darwin,$(machine)),)
library := libsooth.0.dylib
library_flags := -dynamiclib -fPIC -Wl,-dead_strip \
    -Wl,-install_name,@rpath/$(library) -Wl,-exported_symbol,_sooth_call_*
else ifneq ($(findstring mingw,$(machine)),)
library := libsooth-0.dll
library_flags := -shared -static-libgcc -ffunction-sections -Wl,--gc-sections
else
library := libsooth.so.0
library_flags := -shared -fPIC -ffunction-sections \
    -Wl,-soname,$(library),--gc-sections,--version-script=examples/python/libsooth.map
endif
lib: build/lib/$(library)
	$(Q)$(if $(findstring .so,$(library)),ln -sf $(library) build/lib/libsooth.so)
build/lib/$(library): $(addprefix examples/python/,libsooth.c sooth_call.h libsooth.map) $(headers)
	@mkdir -p $(@D)
	$(call say,LIB)
	$(Q)$(compile) $< $(library_flags) -o $@ -pthread
python: lib
	@mkdir -p build/python
	$(Q)python3 examples/python/wheel.py build/lib/$(library) build/python
