# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
import os

from conan import ConanFile
from conan.tools.files import copy


class Sooth(ConanFile):
    name = "sooth"
    version = "@VERSION@"
    description = "Predicts what running something will cost: time, power, slowdown"
    license = "MIT"
    url = homepage = "@URL@"
    topics = ("prediction", "performance", "power", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    exports_sources = "include/*", "LICENSE"
    no_copy_source = True

    def package_id(self):
        self.info.clear()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        copy(self, "*.h", os.path.join(self.source_folder, "include"),
             os.path.join(self.package_folder, "include"))

    def package_info(self):
        self.cpp_info.bindirs = self.cpp_info.libdirs = []
        # what keeps the bits the same everywhere
        keep = "/fp:precise" if self.settings.get_safe("compiler") == "msvc" else "-ffp-contract=off"
        self.cpp_info.cflags = self.cpp_info.cxxflags = [keep]
