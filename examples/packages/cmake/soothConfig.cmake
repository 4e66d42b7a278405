# find_package(sooth) and target_link_libraries(mine PRIVATE sooth::sooth): the headers, with the flag that
# keeps the bits the same everywhere.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
if(NOT TARGET sooth::sooth)
  # this file lies under share/cmake/sooth, or share/sooth as vcpkg has it
  foreach(_sooth_up ../.. ../../..)
    get_filename_component(_sooth_prefix "${CMAKE_CURRENT_LIST_DIR}/${_sooth_up}" ABSOLUTE)
    if(EXISTS "${_sooth_prefix}/include/sooth.h")
      break()
    endif()
  endforeach()
  if(EXISTS "${_sooth_prefix}/include/sooth.h")
    add_library(sooth::sooth INTERFACE IMPORTED)
    set_target_properties(sooth::sooth PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${_sooth_prefix}/include")
    if(MSVC)
      set_target_properties(sooth::sooth PROPERTIES INTERFACE_COMPILE_OPTIONS /fp:precise)
    else()
      set_target_properties(sooth::sooth PROPERTIES INTERFACE_COMPILE_OPTIONS -ffp-contract=off)
    endif()
  else()
    set(sooth_FOUND FALSE)
    set(sooth_NOT_FOUND_MESSAGE "there is no include/sooth.h above ${CMAKE_CURRENT_LIST_DIR}")
  endif()
  unset(_sooth_up)
  unset(_sooth_prefix)
endif()
