// SPDX-License-Identifier: Apache-2.0
// rhino-pmix: gives the text that rank 0 has on its standard input to all ranks of a job, by PMIx,
// and prints this rank, the number of ranks, and that text. A process of its own, so that
// rhino-bench, which forks, neither links PMIx nor has its thread.
#include <pmix.h>

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace {

constexpr char kKey[] = "rhino.meeting";
constexpr std::size_t kMostBytes = 1 << 16;

void check(pmix_status_t status, const char* call) {
  if (status != PMIX_SUCCESS)
    throw std::runtime_error(std::string(call) + ": " + PMIx_Error_string(status));
}

std::string standard_input() {
  std::string text(kMostBytes, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), stdin));
  return text;
}

class Value {
 public:
  Value(const pmix_proc_t& of, const char* key) {
    check(PMIx_Get(&of, key, nullptr, 0, &value_), "PMIx_Get");
  }
  Value(const Value&) = delete;
  Value& operator=(const Value&) = delete;
  ~Value() { PMIX_VALUE_RELEASE(value_); }
  const pmix_value_t* operator->() const { return value_; }

 private:
  pmix_value_t* value_ = nullptr;
};

pmix_proc_t process_of(const pmix_proc_t& self, pmix_rank_t rank) {
  pmix_proc_t process = self;
  process.rank = rank;
  return process;
}

void publish(std::string text) {
  pmix_value_t value;
  PMIX_VALUE_CONSTRUCT(&value);
  value.type = PMIX_STRING;
  value.data.string = text.data();
  check(PMIx_Put(PMIX_GLOBAL, kKey, &value), "PMIx_Put");
}

/// Until all ranks have come here; what they published is then everywhere.
void fence() {
  pmix_info_t info;
  const bool collect = true;
  PMIX_INFO_CONSTRUCT(&info);
  PMIX_INFO_LOAD(&info, PMIX_COLLECT_DATA, &collect, PMIX_BOOL);
  const pmix_status_t status = PMIx_Fence(nullptr, 0, &info, 1);
  PMIX_INFO_DESTRUCT(&info);
  check(status, "PMIx_Fence");
}

std::string exchanged() {
  pmix_proc_t self;
  check(PMIx_Init(&self, nullptr, 0), "PMIx_Init");
  if (self.rank == 0) publish(standard_input());
  check(PMIx_Commit(), "PMIx_Commit");
  fence();
  std::string result;
  {
    const Value size(process_of(self, PMIX_RANK_WILDCARD), PMIX_JOB_SIZE);
    const Value text(process_of(self, 0), kKey);
    if (size->type != PMIX_UINT32 || text->type != PMIX_STRING)
      throw std::runtime_error("PMIx_Get gave another type");
    result = std::to_string(self.rank) + " " + std::to_string(size->data.uint32) + "\n" +
             text->data.string;
  }
  check(PMIx_Finalize(nullptr, 0), "PMIx_Finalize");
  return result;
}

}  // namespace

int main() {
  try {
    std::fputs(exchanged().c_str(), stdout);
    return std::fflush(stdout) == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rhino-pmix: %s\n", error.what());
    return 1;
  }
}
