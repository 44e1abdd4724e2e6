// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/describe_ucx.hpp"

#include <ucp/api/ucp.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "rhino/error.hpp"

namespace rhino::runtime {
namespace {

/// UCX names its resources nowhere but in this text.
std::string context_text(ucp_context_h context) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* stream = open_memstream(&text, &size);
  if (stream == nullptr) return "";
  ucp_context_print_info(context, stream);
  std::fclose(stream);
  std::string copy(text, size);
  std::free(text);
  return copy;
}

}  // namespace

std::string describe_ucx() {
  ucp_params_t parameters{};
  parameters.field_mask = UCP_PARAM_FIELD_FEATURES;
  parameters.features = UCP_FEATURE_TAG;
  ucp_context_h context = nullptr;
  const ucs_status_t status = ucp_init(&parameters, nullptr, &context);
  if (status != UCS_OK)
    throw Error(std::string("UCX does not start: ") + ucs_status_string(status));
  std::istringstream lines(context_text(context));
  ucp_cleanup(context);
  std::string description = std::string("UCX ") + ucp_get_version_string() + ":";
  for (std::string line; std::getline(lines, line);) {
    if (line.find(" resource ") != std::string::npos) description += line.substr(line.rfind(' '));
  }
  return description;
}

}  // namespace rhino::runtime
