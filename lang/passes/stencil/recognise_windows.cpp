// Pads and slides are known by name when a map over them is met, since they are bound before it.
#include "lang/passes/stencil/recognise_windows.h"

#include <algorithm>
#include <unordered_map>

#include "lang/core/builder.h"
#include "lang/core/visit.h"
#include "lang/passes/bounds/bounds_facts.h"
#include "lang/passes/parallel_node.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Operands;
using core::ScalarType;
using core::Stm;
using core::ValueId;

constexpr int64_t kMaxNeighbours = 320;  // known ones; more are loaded where they are used
constexpr size_t kMaxRank = 3;

// The parts of a map over windows of an array.
struct Found {
  size_t input;  // of the map
  const core::Pad* pad;
  const core::Slide* slide;
};

class WindowRecogniser {
 public:
  explicit WindowRecogniser(core::Program& program) : program_(program), facts_(program) {}

  void body(Body& b) {
    std::vector<Stm> old = std::move(b.stms);
    b.stms.clear();
    for (Stm& stm : old) {
      if (auto node = overWindows(stm)) {
        core::Builder before(program_);
        while (auto found = find(*node)) convert(*node, *found, before);
        for (Stm& extra : before.take({}).stms) b.stms.push_back(std::move(extra));
        stm = compose(std::move(*node));
      }
      core::visitBodies(stm.expr, [&](Body& nested) { body(nested); });
      define(stm);
      b.stms.push_back(std::move(stm));
    }
  }

 private:
  void define(const Stm& stm) {
    facts_.define(stm);
    if (const auto* pad = std::get_if<core::Pad>(&stm.expr)) pads_.emplace(stm.results[0], *pad);
    if (const auto* slide = std::get_if<core::Slide>(&stm.expr)) {
      slides_.emplace(stm.results[0], *slide);
    }
  }

  // The statement as one map over a space of the windows' rank.
  std::optional<ParallelNode> overWindows(const Stm& stm) {
    if (slides_.empty() || !std::holds_alternative<core::Screma>(stm.expr)) return std::nullopt;
    for (size_t rank = kMaxRank; rank >= 1; rank--) {
      auto whole = decompose(stm);
      auto node = rank == 1 && whole->scans.empty() ? whole : perfectNest(program_, *whole, rank);
      if (node && find(*node)) return node;
    }
    return std::nullopt;
  }

  std::optional<Found> find(const ParallelNode& node) {
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      auto slide = slides_.find(node.inputs[i]);
      if (slide == slides_.end() || slide->second.dims.size() != node.space.size()) continue;
      auto pad = pads_.find(slide->second.array);
      if (pad == pads_.end() || !isNeighbourhood(pad->second, slide->second)) continue;
      return Found{i, &pad->second, &slide->second};
    }
    return std::nullopt;
  }

  bool isNeighbourhood(const core::Pad& pad, const core::Slide& slide) const {
    size_t rank = pad.dims.size();
    if (slide.dims.size() != rank || program_.type(pad.array).shape.size() != rank) return false;
    for (size_t axis = 0; axis < rank; ++axis) {
      if (slide.dims[axis].step != Operand::ofI64(1)) return false;
      auto size = facts_.modular(slide.dims[axis].size);
      auto before = facts_.modular(pad.dims[axis].before);
      auto after = facts_.modular(pad.dims[axis].after);
      auto around = before && after ? before->plus(*after) : std::nullopt;
      auto rest = size && around ? size->plus(*around, -1) : std::nullopt;
      if (!rest || rest->asConstant() != std::optional<int64_t>(1)) return false;
    }
    return true;
  }

  void convert(ParallelNode& node, const Found& found, core::Builder& before) {
    ValueId param = node.input_params[found.input];
    core::Window window;
    window.array = spanning(found.pad->array, node.space, before);
    for (const core::PadDim& dim : found.pad->dims) window.boundary.push_back(dim.boundary);
    if (auto offsets = knownOffsets(found)) {
      knownNeighbours(node, param, *offsets);
      window.offsets = std::move(*offsets);
    } else {
      window.dynamic = computedOffsets(found, before);
      neighbourhood(node, param, program_.type(window.dynamic[0]).shape);
    }
    node.windows.push_back(std::move(window));
    node.inputs.erase(node.inputs.begin() + static_cast<std::ptrdiff_t>(found.input));
    node.input_params.erase(node.input_params.begin() + static_cast<std::ptrdiff_t>(found.input));
  }

  // There are as many windows as elements, but the sizes may have different names.
  ValueId spanning(ValueId array, const Operands& space, core::Builder& before) {
    core::Type type = program_.type(array);
    if (type.shape == space) return array;
    return before.bind("spanning", {type.scalar, space}, core::Reshape{array, space});
  }

  // Row-major positions in the window, less the part before the centre.
  static std::optional<std::vector<std::vector<int64_t>>> knownOffsets(const Found& found) {
    std::vector<std::vector<int64_t>> offsets = {{}};
    for (size_t axis = 0; axis < found.pad->dims.size(); ++axis) {
      const Operand& size = found.slide->dims[axis].size;
      const Operand& before = found.pad->dims[axis].before;
      if (!size.isConstant() || !before.isConstant()) return std::nullopt;
      int64_t extent = size.constant.asSigned(), first = before.constant.asSigned();
      auto so_far = static_cast<int64_t>(offsets.size());
      if (extent < 1 || extent > kMaxNeighbours / so_far || first < 0 || first >= extent) {
        return std::nullopt;
      }
      std::vector<std::vector<int64_t>> longer;
      for (const std::vector<int64_t>& prefix : offsets) {
        for (int64_t i = 0; i < extent; ++i) {
          longer.push_back(prefix);
          longer.back().push_back(i - first);
        }
      }
      offsets = std::move(longer);
    }
    return offsets;
  }

  // One parameter for each neighbour; the window is an array literal of them.
  void knownNeighbours(ParallelNode& node, ValueId param,
                       const std::vector<std::vector<int64_t>>& offsets) {
    core::Type type = program_.type(param);
    Operands level;
    for (size_t i = 0; i < offsets.size(); ++i) {
      ValueId neighbour = program_.add("x", {type.scalar, {}});
      node.window_params.push_back(neighbour);
      level.push_back(neighbour);
    }
    core::Builder literals(program_);
    for (size_t axis = type.shape.size(); axis-- > 0;) {
      auto extent = static_cast<size_t>(type.shape[axis].constant.asSigned());
      Operands rows;
      for (size_t i = 0; i < level.size(); i += extent) {
        core::ArrayLiteral literal{type.scalar,
                                   {level.begin() + static_cast<std::ptrdiff_t>(i),
                                    level.begin() + static_cast<std::ptrdiff_t>(i + extent)}};
        core::Type row{type.scalar,
                       {type.shape.begin() + static_cast<std::ptrdiff_t>(axis), type.shape.end()}};
        if (axis == 0) {
          literals.append({{param}, std::move(literal), false, node.span});
        } else {
          rows.push_back(literals.bind("row", std::move(row), std::move(literal)));
        }
      }
      level = std::move(rows);
    }
    prepend(node, literals);
  }

  // An array of offsets for each axis, of one element for each position in the window.
  std::vector<ValueId> computedOffsets(const Found& found, core::Builder& before) {
    Operands sizes;
    Operand count = Operand::ofI64(1);
    for (const core::SlideDim& dim : found.slide->dims) {
      sizes.push_back(dim.size);
      count = before.mul(count, dim.size);
    }
    std::vector<ValueId> offsets;
    for (size_t axis = 0; axis < sizes.size(); ++axis) {
      Operand start = before.sub(Operand::ofI64(0), found.pad->dims[axis].before);
      Operand one = Operand::ofI64(1);
      ValueId along = before.bind("along", {ScalarType::kI64, {sizes[axis]}},
                                  core::Iota{ScalarType::kI64, sizes[axis], start, one});
      if (sizes.size() > 1) along = everywhere(along, sizes, axis, count, before);
      offsets.push_back(along);
    }
    return offsets;
  }

  // [s0][s1][s2] of a value that depends on the index of one axis only, flat.
  ValueId everywhere(ValueId along, const Operands& sizes, size_t axis, Operand count,
                     core::Builder& before) {
    auto at = static_cast<std::ptrdiff_t>(axis);
    Operands outer(sizes.begin(), sizes.begin() + at), rest(sizes.begin() + at + 1, sizes.end());
    ValueId array = along;
    Operands shape = {sizes[axis]};
    if (!rest.empty()) {
      core::Screma rows{sizes[axis], {along}, {}, {}, {}};
      ValueId offset = program_.add("o", {ScalarType::kI64, {}});
      core::Builder row(program_);
      ValueId same = row.bind("row", {ScalarType::kI64, rest}, core::Replicate{rest, offset});
      rows.map = {{offset}, row.take({same})};
      shape.insert(shape.end(), rest.begin(), rest.end());
      array = before.bind("rows", {ScalarType::kI64, shape}, std::move(rows));
    }
    if (!outer.empty()) {
      shape.insert(shape.begin(), outer.begin(), outer.end());
      array = before.bind("planes", {ScalarType::kI64, shape}, core::Replicate{outer, array});
    }
    return before.bind("offsets", {ScalarType::kI64, {count}}, core::Reshape{array, {count}});
  }

  // One parameter that is the flat window.
  void neighbourhood(ParallelNode& node, ValueId param, const Operands& shape) {
    core::Type type = program_.type(param);
    if (type.shape == shape) {
      node.window_params.push_back(param);
      return;
    }
    ValueId flat = program_.add("flat", {type.scalar, shape});
    node.window_params.push_back(flat);
    core::Builder view(program_);
    view.append({{param}, core::Reshape{flat, type.shape}, false, node.span});
    prepend(node, view);
  }

  static void prepend(ParallelNode& node, core::Builder& builder) {
    std::vector<Stm> first = builder.take({}).stms;
    node.stms.insert(node.stms.begin(), std::make_move_iterator(first.begin()),
                     std::make_move_iterator(first.end()));
  }

  core::Program& program_;
  BoundsFacts facts_;
  std::unordered_map<ValueId, core::Pad> pads_;
  std::unordered_map<ValueId, core::Slide> slides_;
};

}  // namespace

core::Program recogniseWindows(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function&, Body& body) {
    WindowRecogniser(result).body(body);
  });
}

}  // namespace halo::passes
