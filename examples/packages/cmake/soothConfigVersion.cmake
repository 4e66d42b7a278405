# Names of evolving headers may change with MINOR: a version asked for is had by later ones of its MAJOR.MINOR.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
set(PACKAGE_VERSION "@VERSION@")
set(PACKAGE_VERSION_COMPATIBLE FALSE)
string(REGEX MATCH "^[0-9]+\\.[0-9]+" _sooth_series "${PACKAGE_VERSION}")
string(REGEX MATCH "^[0-9]+(\\.[0-9]+)?" _sooth_asked "${PACKAGE_FIND_VERSION}")
if(NOT _sooth_asked MATCHES "\\.")
  set(_sooth_asked "${_sooth_asked}.0")
endif()
if(_sooth_asked VERSION_EQUAL _sooth_series AND NOT PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
unset(_sooth_series)
unset(_sooth_asked)
