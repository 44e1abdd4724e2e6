// SPDX-License-Identifier: Apache-2.0
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#ifdef __SANITIZE_ADDRESS__
/// Tests make plugins crash on purpose: they are to die as they do without the sanitizer.
extern "C" const char* __asan_default_options() { return "handle_segv=0:handle_abort=0"; }
#endif
