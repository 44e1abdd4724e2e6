# SPDX-License-Identifier: Apache-2.0
"""Writes abi.hpp: a tag that changes with the text of the api headers and with what changes their layout."""
import hashlib
import pathlib
import sys

output, *headers = sys.argv[1:]
digest = hashlib.sha256()
for header in sorted(headers, key=lambda path: pathlib.Path(path).name):
    digest.update(pathlib.Path(header).read_bytes())
pathlib.Path(output).write_text(f"""// SPDX-License-Identifier: Apache-2.0
// Generated from the api headers: plugins and engine must agree on it.
#pragma once

#include <string>

#ifdef _GLIBCXX_DEBUG
#define RHINO_ABI_STL "debug"
#else
#define RHINO_ABI_STL "plain"
#endif
#if _GLIBCXX_USE_CXX11_ABI
#define RHINO_ABI_STRING "cxx11"
#else
#define RHINO_ABI_STRING "old"
#endif

/// Hash of the api headers, string ABI, standard library flavour.
#define RHINO_ABI_TAG "{digest.hexdigest()[:16]}-" RHINO_ABI_STRING "-" RHINO_ABI_STL
""")
