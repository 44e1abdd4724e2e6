// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/piece_rows.hpp"

#include <algorithm>
#include <array>

namespace rhino::runtime {

Loaded PieceRows::load(const Piece& piece, const Tasks& after) {
  if (piece.bytes == 0) return {{}, after};
  if (piece.segments.size() == 1)
    return {{builder_.graph().input(piece.segments[0].part), piece.segments[0].offset}, after};
  Loaded packed{builder_.stage(piece.bytes), after};
  std::int64_t offset = packed.region.offset;
  for (const Segment& segment : piece.segments) {
    const Region source{builder_.graph().input(segment.part), segment.offset};
    packed.after.push_back(
        builder_.copy(source, {packed.region.buffer, offset}, segment.bytes, after));
    offset += segment.bytes;
  }
  return packed;
}

Region PieceRows::target_of(const Piece& piece) {
  if (piece.segments.size() != 1) return builder_.stage(piece.bytes);
  return {builder_.graph().output(piece.segments[0].part), piece.segments[0].offset};
}

void PieceRows::store(const Piece& piece, Region made, std::int32_t after) {
  if (piece.segments.size() < 2) return;
  std::int64_t offset = made.offset;
  for (const Segment& segment : piece.segments) {
    const Region target{builder_.graph().output(segment.part), segment.offset};
    builder_.copy({made.buffer, offset}, target, segment.bytes, std::array{after});
    offset += segment.bytes;
  }
}

void PieceRows::copy(const Piece& in, const Piece& out, std::int64_t chunk_bytes) {
  for (std::size_t i = 0; i < in.segments.size(); ++i) {
    for (std::int64_t done = 0; done < in.segments[i].bytes; done += chunk_bytes) {
      const Region source{builder_.graph().input(in.segments[i].part),
                          in.segments[i].offset + done};
      const Region target{builder_.graph().output(out.segments[i].part),
                          out.segments[i].offset + done};
      builder_.copy(source, target, std::min(chunk_bytes, in.segments[i].bytes - done), {});
    }
  }
}

}  // namespace rhino::runtime
