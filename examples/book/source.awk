# source.awk - a C file as it stands, with public names linked.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
{ print code($0) }
