// SPDX-License-Identifier: Apache-2.0
#include "runtime/controller/mailbox.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "rhino/error.hpp"
#include "runtime/controller/gather.hpp"

namespace rhino::runtime {
namespace {

/// Read-only view of a file's first bytes.
class Mapped {
 public:
  Mapped(int fd, std::size_t size) : size_(size) {
    if (size_ == 0) return;
    struct stat status {};
    if (::fstat(fd, &status) != 0 || status.st_size < static_cast<off_t>(size_))
      throw Error("a rank handed over " + std::to_string(status.st_size) + " bytes of " +
                  std::to_string(size_) + " that its tiles have");
    data_ = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, fd, 0);
    if (data_ == MAP_FAILED)
      throw Error(std::string("cannot read fetched tiles: ") + std::strerror(errno));
  }
  ~Mapped() {
    if (size_ > 0) ::munmap(data_, size_);
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  const std::byte* data() const { return static_cast<const std::byte*>(data_); }

 private:
  std::size_t size_ = 0;
  void* data_ = nullptr;
};

/// A tile in a mailbox.
struct Letter {
  std::size_t request = 0;  ///< index in the request's outputs
  const plan::PlanOutput* output = nullptr;
  std::size_t begin = 0, end = 0;  ///< bytes
};

/// The tiles lie as the worker writes them: in the order of the request, then of the role's
/// outputs.
std::vector<Letter> letters_of(const plan::Role& role, const std::vector<std::int32_t>& outputs) {
  std::vector<Letter> letters;
  std::size_t end = 0;
  for (std::size_t request = 0; request < outputs.size(); ++request) {
    for (const plan::PlanOutput& output : role.outputs) {
      if (output.output != outputs[request]) continue;
      const std::size_t begin = end;
      end += static_cast<std::size_t>(
          num_bytes(role.buffers[static_cast<std::size_t>(output.buffer)].shape));
      letters.push_back({request, &output, begin, end});
    }
  }
  return letters;
}

}  // namespace

void check_outputs(const plan::ExecutionPlan& plan, const std::vector<std::int32_t>& outputs) {
  for (std::int32_t output : outputs) {
    const bool known =
        std::any_of(plan.roles.begin(), plan.roles.end(), [output](const plan::Role& role) {
          return std::any_of(
              role.outputs.begin(), role.outputs.end(),
              [output](const plan::PlanOutput& tile) { return tile.output == output; });
        });
    if (!known) throw Error("the plan has no output " + std::to_string(output));
  }
}

std::vector<FetchedTensor> read_mailboxes(const plan::ExecutionPlan& plan,
                                          const std::vector<RankPlace>& places,
                                          const WorkerGroup& group,
                                          const std::vector<std::int32_t>& outputs) {
  std::vector<Gather> gathers(outputs.begin(), outputs.end());
  for (int rank = 0; rank < group.size(); ++rank) {
    const RankPlace& place = places[static_cast<std::size_t>(rank)];
    const plan::Role& role = plan.roles[static_cast<std::size_t>(place.role)];
    const std::vector<Letter> letters = letters_of(role, outputs);
    const Mapped mailbox(group.mailbox(rank), letters.empty() ? 0 : letters.back().end);
    for (const Letter& letter : letters) {
      gathers[letter.request].add(role, place.position, *letter.output,
                                  mailbox.data() + letter.begin);
    }
    if (::ftruncate(group.mailbox(rank), 0) != 0)
      throw Error("cannot empty the mailbox of rank " + std::to_string(rank));
  }
  std::vector<FetchedTensor> tensors;
  for (const Gather& gather : gathers) tensors.push_back(gather.take());
  return tensors;
}

}  // namespace rhino::runtime
