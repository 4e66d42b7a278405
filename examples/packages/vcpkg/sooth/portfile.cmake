# An overlay port: vcpkg install sooth --overlay-ports=build/packages/vcpkg. The headers lie beside this file.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/include" DESTINATION "${CURRENT_PACKAGES_DIR}")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/soothConfig.cmake" "${CMAKE_CURRENT_LIST_DIR}/soothConfigVersion.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/LICENSE" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}"
  RENAME copyright)
set(VCPKG_BUILD_TYPE release)
