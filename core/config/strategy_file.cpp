// SPDX-License-Identifier: Apache-2.0
#include "config/strategy_file.hpp"

#include <algorithm>
#include <limits>

#include "config/exact_values.hpp"
#include "config/value_pattern.hpp"
#include "config/yaml_reader.hpp"
#include "plugin/suggest.hpp"
#include "rhino/index.hpp"

namespace rhino::config {
namespace {

constexpr const char* kNoBatchAxis = "none";

constexpr std::int64_t kAll = 0;

/// The size of an axis; kAll: what the others leave. One of several meshes is no option.
std::int64_t read_size(const YamlReader& node, const std::string& axis, const Options& sizes) {
  const bool all = node.string() == "all";
  const auto size = sizes.get<std::int64_t>(axis, all ? kAll : node.integer());
  const bool given = sizes.values().contains(axis);
  if (size < 1 && (given || !all)) node.fail("an axis has at least one device");
  return size;
}

/// `[2, 1]`: the size of an axis of each mesh.
std::vector<std::int64_t> read_sizes(const YamlReader& node, const std::string& axis,
                                     const Options& sizes) {
  std::vector<std::int64_t> read;
  if (sizes.values().contains(axis)) return {read_size(node, axis, sizes)};
  for (const YamlReader& item : node.items()) {
    read.push_back(read_size(item, axis, sizes));
    if (read.back() == kAll && node.items().size() > 1)
      item.fail("an axis of several sizes takes none that is left");
  }
  if (read.empty()) node.fail("an axis has at least one device");
  return read;
}

/// Of axes with a size for each mesh.
void set_own_sizes(const YamlReader& node, const std::vector<std::vector<std::int64_t>>& sizes,
                   StrategyFile& file) {
  const auto is_own = [](const auto& of_axis) { return of_axis.size() > 1; };
  if (std::none_of(sizes.begin(), sizes.end(), is_own)) return;
  file.own_sizes.resize(at(file.num_stages));
  for (std::size_t a = 0; a < sizes.size(); ++a) {
    if (is_own(sizes[a]) && sizes[a].size() != at(file.num_stages))
      node.at(file.axes[a].name)
          .fail("an axis has one size, or one for each of the " + std::to_string(file.num_stages) +
                " meshes");
    for (std::size_t mesh = 0; mesh < file.own_sizes.size(); ++mesh)
      file.own_sizes[mesh].push_back(is_own(sizes[a]) ? sizes[a][mesh] : file.axes[a].size);
  }
}

void read_mesh(const YamlReader& node, const Options& sizes, std::int64_t num_devices,
               StrategyFile& file) {
  std::int64_t product = 1;
  MeshAxis* rest = nullptr;
  file.axes.reserve(node.keys().size());
  std::vector<std::vector<std::int64_t>> of_meshes;
  for (const std::string& axis : node.keys()) {
    const std::vector<std::int64_t> read = read_sizes(node.at(axis), axis, sizes);
    if (axis == "stage" && read.size() > 1) node.at(axis).fail("meshes are counted, not listed");
    const std::int64_t size = read.front();
    product *= std::max<std::int64_t>(*std::max_element(read.begin(), read.end()), 1);
    if (product > std::numeric_limits<std::int32_t>::max())
      node.at(axis).fail("more devices than any cluster has");
    if (size == kAll && (axis == "stage" || rest != nullptr))
      node.at(axis).fail("one axis, and not stage, may take all devices that are left");
    if (axis == "stage") file.num_stages = static_cast<std::int32_t>(size);
    else file.axes.push_back({axis, size}), of_meshes.push_back(read);
    if (size == kAll) rest = &file.axes.back();
  }
  if (rest != nullptr) {
    rest->size = std::max<std::int64_t>(1, num_devices / product);
    file.rest = rest->name;
  }
  set_own_sizes(node, of_meshes, file);
}

void check_axis(const YamlReader& node, const StrategyFile& file) {
  std::vector<std::string> known;
  for (const MeshAxis& axis : file.axes) known.push_back(axis.name);
  const std::string name = node.string();
  if (std::find(known.begin(), known.end(), name) == known.end())
    node.fail("unknown mesh axis '" + name + "'" + plugin::suggestion(name, known));
}

std::vector<std::string> read_words(const YamlReader& node) {
  std::vector<std::string> words;
  for (const YamlReader& item : node.items()) words.push_back(item.string());
  return words;
}

std::vector<StrategyFile::Rule> read_rules(const YamlReader& root, const std::string& key,
                                           const StrategyFile& file) {
  std::vector<StrategyFile::Rule> rules;
  if (!root.has(key)) return rules;
  for (const YamlReader& node : root.at(key).items()) {
    StrategyFile::Rule rule{read_words(node.at("match")), {}, node.place()};
    const YamlReader dims = node.at("dims");
    for (const std::string& dim : dims.keys()) {
      for (const YamlReader& axis : dims.at(dim).items()) check_axis(axis, file);
      rule.dims[dim] = read_words(dims.at(dim));
    }
    node.finish();
    rules.push_back(std::move(rule));
  }
  return rules;
}

void read_chunks(const YamlReader& root, StrategyFile& file) {
  if (!root.has("chunks")) return;
  const YamlReader node = root.at("chunks");
  file.chunks_place = node.place();
  if (!node.is_map()) {
    file.chunk_ends = read_words(node);
    return;
  }
  constexpr std::int64_t kLastChunk = 65535;  // as many devices as a topology may have
  for (const std::string& last : node.keys())
    file.chunks.emplace_back(last,
                             static_cast<std::int32_t>(node.at(last).integer_in(0, kLastChunk)));
}

std::vector<std::string> read_patterns(const YamlReader& node) {
  std::vector<std::string> patterns = read_words(node);
  if (patterns.empty()) node.fail("at least one pattern is wanted here");
  return patterns;
}

StrategyFile::Recompute read_segment(const YamlReader& node) {
  StrategyFile::Recompute segment{.place = node.place()};
  if (node.has("values")) {
    segment.values = read_patterns(node.at("values"));
  } else {
    segment.from = read_patterns(node.at("from"));
    segment.to = read_patterns(node.at("to"));
  }
  node.finish();
  return segment;
}

/// Of whole chunks, or of segments; an option replaces both.
void read_recompute(const YamlReader& root, const Options& sizes, StrategyFile& file) {
  const bool all = sizes.get<bool>("recompute", false);
  std::vector<bool> chunks;
  for (const YamlReader& item :
       root.has("recompute") ? root.at("recompute").items() : std::vector<YamlReader>{}) {
    if (item.is_map()) file.segments.push_back(read_segment(item));
    else chunks.push_back(item.boolean());
    if (!chunks.empty() && !file.segments.empty())
      item.fail("it is of chunks, true or false, or of segments, {from, to} or {values}");
  }
  if (!chunks.empty()) file.recompute = chunks;
  if (!sizes.values().contains("recompute")) return;
  file.recompute = {all};
  file.segments.clear();
}

AxisId axis_id(const StrategyFile& file, const std::string& name) {
  const auto found = std::find_if(file.axes.begin(), file.axes.end(),
                                  [&](const MeshAxis& axis) { return axis.name == name; });
  return static_cast<AxisId>(found - file.axes.begin());
}

Annotation annotate(const StrategyFile& file, const StrategyFile::Rule& rule,
                    const Program& program, ValueId value) {
  const Op& op = program.producer(value);
  Annotation annotation{value, std::vector<std::vector<AxisId>>(op.shape.dims.size())};
  for (const auto& [dim, axes] : rule.dims) {
    const std::int32_t number = dim_number(program, value, dim);
    if (number < 0)
      throw Error(rule.place + ": '" + op.name + "' " + to_string(op.shape) + " has no dim '" +
                  dim + "'");
    for (const std::string& axis : axes)
      annotation.dims[static_cast<std::size_t>(number)].push_back(axis_id(file, axis));
  }
  return annotation;
}

void add_annotations(const StrategyFile& file, const Program& program, bool in_shard,
                     StrategyDraft& draft) {
  for (const StrategyFile::Rule& rule : in_shard ? file.shard : file.values) {
    for (const std::string& pattern : rule.match) {
      const std::vector<ValueId> values = matching_values(program, pattern, in_shard);
      if (values.empty()) {
        throw Error(rule.place + ": pattern '" + pattern + "' matches no " +
                    (in_shard ? "input" : "other value") + " of the program");
      }
      for (const ValueId value : values)
        draft.annotations.push_back(annotate(file, rule, program, value));
    }
  }
}

/// As many of the values that `chunk_ends` match in each chunk.
std::vector<std::pair<std::string, std::int32_t>> equal_chunks(const StrategyFile& file,
                                                               const Program& program,
                                                               std::int32_t num_chunks) {
  const std::vector<ValueId> ends =
      matching_forward_values(program, file.chunk_ends, file.chunks_place);
  const std::int64_t count = std::ssize(ends);
  if (count < num_chunks)
    throw Error(file.chunks_place + ": " + std::to_string(count) + " values match, and there are " +
                std::to_string(num_chunks) + " chunks");
  std::vector<std::pair<std::string, std::int32_t>> chunks;
  for (std::int32_t chunk = 0; chunk + 1 < num_chunks; ++chunk) {
    const std::int64_t num_before = ((chunk + 1) * count + num_chunks - 1) / num_chunks;
    chunks.emplace_back("%" + std::to_string(ends[at(num_before - 1)]), chunk);
  }
  return chunks;
}

std::vector<std::int32_t> chunks_of_values(const StrategyFile& file, const Program& program,
                                           std::int32_t num_chunks) {
  if (file.chunks.empty() && file.chunk_ends.empty()) return {};
  std::vector<std::int32_t> chunk_of(program.ops.size(), num_chunks - 1);
  std::size_t begin = 0;
  const auto chunks =
      file.chunk_ends.empty() ? file.chunks : equal_chunks(file, program, num_chunks);
  for (const auto& [last, chunk] : chunks) {
    if (chunk >= num_chunks)
      throw Error(file.chunks_place + ": there is no chunk " + std::to_string(chunk) + " of " +
                  std::to_string(num_chunks));
    ValueId value = value_number(last);
    for (ValueId id = 0; value < 0 && id < program.size(); ++id) {
      if (program.op(id).name == last) value = id;
    }
    if (value < 0 || value >= program.size())
      throw Error(file.chunks_place + ": the program has no value '" + last + "'");
    const auto end = static_cast<std::size_t>(value) + 1;
    if (end <= begin)
      throw Error(file.chunks_place + ": '" + last + "' stands before the value named before it");
    for (; begin < end; ++begin) chunk_of[begin] = chunk;
  }
  return chunk_of;
}

}  // namespace

std::vector<std::vector<MeshAxis>> StrategyFile::meshes() const {
  std::vector<std::vector<MeshAxis>> meshes(at(num_stages), axes);
  for (std::size_t mesh = 0; mesh < own_sizes.size(); ++mesh) {
    for (std::size_t a = 0; a < axes.size(); ++a) meshes[mesh][a].size = own_sizes[mesh][a];
  }
  return meshes;
}

StrategyFile read_strategy_file(const std::string& path, const Options& sizes,
                                std::int64_t num_devices) {
  const YamlReader root = YamlReader::file(path);
  StrategyFile file;
  file.path = path;
  file.name = root.at("name").line();
  file.description = root.string("description", "");
  read_mesh(root.at("mesh"), sizes, num_devices, file);
  file.micro_batches = sizes.get<std::int64_t>("micro_batches", root.integer("micro_batches", 0));
  if (file.micro_batches < 0) throw Error(path + ": micro_batches must not be negative");
  const auto zero = sizes.get<std::int64_t>("zero", root.integer("zero", 0));
  if (zero < 0 || zero > 3) throw Error(path + ": zero must be 0, 1, 2 or 3");
  file.zero_stage = static_cast<std::int32_t>(zero);
  GradientSums& sums = file.gradient_sums;
  sums.overlap = sizes.get<bool>("overlap", root.boolean("overlap", sums.overlap));
  sums.bucket_bytes = sizes.get<std::int64_t>(
      "bucket", root.has("bucket") ? root.at("bucket").whole_bytes() : sums.bucket_bytes);
  if (sums.bucket_bytes < 1) throw Error(path + ": bucket must be at least one byte");
  read_recompute(root, sizes, file);
  file.batch = root.string("batch", file.batch);
  if (root.has("batch") && file.batch != kNoBatchAxis) check_axis(root.at("batch"), file);
  read_chunks(root, file);
  file.shard = read_rules(root, "shard", file);
  file.values = read_rules(root, "values", file);
  file.exact = read_exact(root, file);
  if (!file.exact.empty() && !sizes.values().empty())
    root.at("exact").fail("what is exact is of the sizes written here: it takes no options");
  root.finish();
  const std::vector<std::string> unread = sizes.unread();
  if (!unread.empty()) {
    throw Error(path + ": no mesh axis or option '" + unread.front() + "'" +
                plugin::suggestion(unread.front(), {sizes.asked().begin(), sizes.asked().end()}));
  }
  return file;
}

void check(const StrategyFile& file, const Program& program) {
  StrategyDraft draft;
  for (const bool in_shard : {true, false}) add_annotations(file, program, in_shard, draft);
  chunks_of_values(file, program, 1);
  recomputed_values(file, program);
  check_exact(file, program);
}

StrategyDraft draft_of(const StrategyFile& file, const Program& program,
                       const std::vector<Chunk>& chunks, std::int64_t num_micro_batches) {
  StrategyDraft draft{
      .name = file.name,
      .num_micro_batches = num_micro_batches,
      .chunks = chunks,
      .chunk_of = chunks_of_values(file, program, static_cast<std::int32_t>(chunks.size())),
      .zero_stage = file.zero_stage,
      .recompute = recomputed_values(file, program),
      .gradient_sums = file.gradient_sums};
  if (file.recompute.size() > 1 && file.recompute.size() != chunks.size()) {
    throw Error(file.path + ": recompute lists " + std::to_string(file.recompute.size()) +
                " chunks, and there are " + std::to_string(chunks.size()));
  }
  for (std::size_t c = 0; c < chunks.size(); ++c)
    draft.chunks[c].recompute = file.recompute[file.recompute.size() > 1 ? c : 0];
  for (const bool in_shard : {true, false}) add_annotations(file, program, in_shard, draft);
  const AxisId batch = axis_id(file, file.batch);
  if (batch < static_cast<AxisId>(file.axes.size())) draft.batch_axis = batch;
  return draft;
}

}  // namespace rhino::config
