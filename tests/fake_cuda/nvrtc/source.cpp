// SPDX-License-Identifier: Apache-2.0
#include "source.hpp"

#include <regex>

#include "inline_ptx.hpp"

namespace fake {
namespace {

/// Comments as blanks, lines kept.
std::string without_comments(const std::string& source) {
  std::string out = source;
  enum { kCode, kLine, kBlock, kString } state = kCode;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const char c = out[i], next = i + 1 < out.size() ? out[i + 1] : '\0';
    if (state == kCode && c == '/' && next == '/') state = kLine;
    if (state == kCode && c == '/' && next == '*') state = kBlock;
    if (state == kCode && c == '"') {
      state = kString;
    } else if (state == kString && c == '\\') {
      ++i;
    } else if (state == kString && c == '"') {
      state = kCode;
    } else if (state == kLine && c == '\n') {
      state = kCode;
    } else if (state == kBlock && c == '*' && next == '/') {
      out[i] = out[i + 1] = ' ';
      state = kCode;
    } else if ((state == kLine || state == kBlock) && c != '\n') {
      out[i] = ' ';
    }
  }
  return out;
}

bool in_extern_block(const std::string& text, std::size_t at) {
  static const std::regex opening(R"(extern\s+"C"\s*\{)");
  for (auto i = std::sregex_iterator(text.begin(), text.end(), opening);
       i != std::sregex_iterator(); ++i) {
    const auto begin = static_cast<std::size_t>(i->position() + i->length());
    if (begin > at) return false;
    int depth = 1;
    for (std::size_t k = begin; k < at && depth > 0; ++k)
      depth += text[k] == '{' ? 1 : text[k] == '}' ? -1 : 0;
    if (depth > 0) return true;
  }
  return false;
}

std::string thunks(const FoundKernel& kernel) {
  const std::string& n = kernel.name;
  return "extern \"C\" void " + n + "__thunk(void** p) { hc_call(" + n + ", p); }\n" +
         "extern \"C\" const int " + n + "__count = hc_count(" + n + ");\n" +
         "extern \"C\" const size_t* const " + n + "__sizes = hc_sizes(" + n + ");\n" +
         "extern \"C\" const int " + n + "__bound = [](int first, ...) { return first; }(" +
         kernel.bound + ");\n";
}

/// Shared memory is what the unit has of .bss; GCC takes no section for what is static in a
/// template.
constexpr const char* kSharedSection = R"(
extern "C" {
extern char __bss_start[] __attribute__((visibility("hidden")));
extern char _end[] __attribute__((visibility("hidden")));
char* hc_shared_begin = __bss_start;
char* hc_shared_end = _end;
}
__attribute__((used)) static long long hc_marker;
)";

}  // namespace

std::vector<FoundKernel> find_kernels(const std::string& source) {
  static const std::regex kernel(
      R"((extern\s+"C"\s+)?__global__\s+(?:void\s+)?(?:__launch_bounds__\s*\(\s*([^,()]*(?:\([^()]*\)[^,()]*)*)[^)]*\)\s*)?(?:void\s+)?(\w+)\s*\()");
  const std::string text = without_comments(source);
  std::vector<FoundKernel> found;
  for (auto i = std::sregex_iterator(text.begin(), text.end(), kernel); i != std::sregex_iterator();
       ++i) {
    const std::smatch& m = *i;
    if (!m[1].matched && !in_extern_block(text, static_cast<std::size_t>(m.position()))) continue;
    found.push_back({m[3].str(), m[2].matched ? m[2].str() : "1024"});
  }
  return found;
}

std::string host_unit(const std::string& source, const std::string& name, int architecture,
                      bool is_own) {
  static const std::regex dynamic(
      R"(extern\s+__shared__\s+(?:(?:__align__|alignas)\s*\(\s*\d+\s*\)\s+)?([\w ]*\w)\s+(\w+)\s*\[\s*\]\s*;)");
  const std::string ptx = with_inline_ptx(source);
  std::string unit = "#include \"host_cuda.hpp\"\n";
  if (ptx != source) unit += "#include \"host_ptx.hpp\"\n";
  unit += "#define __CUDA_ARCH__ " + std::to_string(10 * architecture) + "\n";
  if (is_own) unit += "#define __CUDA_ARCH_FEAT_SM" + std::to_string(architecture) + "_ALL 1\n";
  unit += "#line 1 \"" + name + "\"\n";
  unit += std::regex_replace(ptx, dynamic, "$1* const $2 = reinterpret_cast<$1*>(hc_dynamic);");
  unit += "\n#line 1 \"launches\"\n";
  unit += kSharedSection;
  unit += "extern \"C\" const int hc_architecture = " + std::to_string(architecture) + ";\n";
  for (const FoundKernel& kernel : find_kernels(source)) unit += thunks(kernel);
  return unit;
}

}  // namespace fake
