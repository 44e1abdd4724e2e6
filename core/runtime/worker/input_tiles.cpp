// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/input_tiles.hpp"

#include <algorithm>
#include <exception>
#include <iterator>

#include "ir/initial_values.hpp"
#include "plan/plan_mesh.hpp"
#include "runtime/worker/input_pieces.hpp"

namespace rhino::runtime {
namespace {

/// Made in some hundredths of a second.
constexpr std::int64_t kPieceElements = 1 << 18;

}  // namespace

InputTiles::InputTiles(const plan::ExecutionPlan& plan, const RankPlace& place, int num_threads,
                       Arena& arena)
    : arena_(arena), num_threads_(num_threads) {
  const plan::Role& role = plan.roles[static_cast<std::size_t>(place.role)];
  for (const plan::PlanInput& input : role.inputs) {
    InputTile tile{
        .input = &input, .whole = input.global, .boxes = {}, .extents = {}, .data = nullptr};
    const Mesh& mesh = plan::mesh_of(role, input);
    tile.boxes = tile_boxes(input.global.dims, input.spec, mesh, plan::rank_in(mesh, place.device));
    tile.extents = role.buffers[static_cast<std::size_t>(input.buffer)].shape.dims;
    tile.data = arena.data() + role.buffers[static_cast<std::size_t>(input.buffer)].offset;
    tile.num_bytes = num_bytes(role.buffers[static_cast<std::size_t>(input.buffer)].shape);
    if (input.micro_dim >= 0) {
      const auto dim = static_cast<std::size_t>(input.micro_dim);
      const std::int64_t first = input.micro_batch * input.global.dims[dim];
      for (TileBox& box : tile.boxes) box.global.start[dim] += first;
      tile.whole.dims[dim] *= plan.num_micro_batches;
    }
    const bool is_step = input.kind != InputKind::optimizer_state &&
                         input.initializer.kind == Initializer::Kind::step;
    (is_step ? step_tiles_ : tiles_).push_back(std::move(tile));
  }
}

void InputTiles::fill(std::uint64_t seed, std::int64_t step, std::atomic<std::uint64_t>& progress) {
  seed_ = seed;
  for (const InputTile& tile : tiles_) {
    std::byte* data = arena_.stage(tile.data, tile.num_bytes);
    fill_pieces(tile, step, data, progress);
    arena_.commit(tile.data, tile.num_bytes);
  }
}

void InputTiles::fill_pieces(const InputTile& tile, std::int64_t step, std::byte* data,
                             std::atomic<std::uint64_t>& progress) const {
  std::vector<TileBox> pieces;
  for (const TileBox& box : tile.boxes)
    std::ranges::copy(pieces_of(box, kPieceElements), std::back_inserter(pieces));
  std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic) num_threads(num_threads_)
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    try {
      fill(tile, {pieces[i]}, step, data);
    } catch (...) {
#pragma omp critical
      failure = std::current_exception();
    }
    progress.fetch_add(1, std::memory_order_relaxed);
  }
  if (failure) std::rethrow_exception(failure);
}

void InputTiles::refresh(std::int64_t step) const {
  for (const InputTile& tile : step_tiles_) {
    fill(tile, tile.boxes, step, arena_.stage(tile.data, tile.num_bytes));
    arena_.commit(tile.data, tile.num_bytes);
  }
}

void InputTiles::fill(const InputTile& tile, const std::vector<TileBox>& boxes, std::int64_t step,
                      std::byte* data) const {
  ir::fill_initial(tile.input->initializer, seed_, tile.input->input, tile.whole, boxes,
                   tile.extents, step, data);
}

}  // namespace rhino::runtime
