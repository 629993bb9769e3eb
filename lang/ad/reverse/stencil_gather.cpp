// Each part is a sum of terms: per axis the cell that stands inside, or one of those beyond an end.
#include "lang/ad/reverse/stencil_gather.h"

#include <algorithm>
#include <map>

namespace halo::ad {

namespace {

using core::BoundaryKind;

// As many neighbours as kernels read in one step.
constexpr int64_t kMaxTerms = 128;

enum class Edge { kNone, kFirst, kLast };

struct GatheredTerm {
  ValueId cotangent;
  std::vector<int64_t> offset;
  std::vector<Edge> edges;  // per axis: where the term counts
};

// Whether along this axis the neighbours on both sides have the same cotangents. Then the adjoint
// has the same boundary: the weight that a border cell misses on one side it has on the other.
bool isEven(const std::vector<NeighbourPart>& parts, size_t axis, BoundaryKind kind) {
  return std::all_of(parts.begin(), parts.end(), [&](const NeighbourPart& part) {
    const int64_t reach = std::abs(part.offset[axis]);
    if (reach == 0) return true;
    if (kind == BoundaryKind::kClamp && reach > 1) return false;
    std::vector<int64_t> other = part.offset;
    other[axis] = -other[axis];
    return std::any_of(parts.begin(), parts.end(), [&](const NeighbourPart& one) {
      return one.offset == other && one.cotangent == part.cotangent;
    });
  });
}

bool isUneven(const WindowParts& window, size_t axis) {
  const BoundaryKind kind = window.boundary[axis].kind;
  const bool folds = kind == BoundaryKind::kClamp || kind == BoundaryKind::kMirror;
  return folds && !isEven(window.parts, axis, kind);
}

class Gather {
 public:
  Gather(Emitter& e, const WindowParts& window)
      : e_(e),
        window_(window),
        type_(e.type(window.parts[0].cotangent).scalar),
        inner_(e.program()) {
    boundary_ = window.boundary;
    for (size_t axis = 0; axis < boundary_.size(); ++axis) {
      uneven_.push_back(isUneven(window, axis));
      if (uneven_[axis]) boundary_[axis] = {BoundaryKind::kConstant, prim::zero(type_)};
    }
  }

  ValueId run() {
    std::map<std::vector<Edge>, Operand> sums;  // that of all cells first
    for (const GatheredTerm& term : terms()) {
      const Operand value = neighbour(term.cotangent, term.offset);
      const auto [sum, is_new] = sums.try_emplace(term.edges, value);
      if (!is_new) sum->second = inner_.sum(sum->second, value);
    }
    Operand all;
    for (const auto& [edges, sum] : sums) all = withEdge(all, edges, sum);
    core::Stencil node;
    node.space = window_.space;
    for (auto& [window, params] : windows_) {
      node.windows.push_back(std::move(window));
      node.map.params.insert(node.map.params.end(), params.begin(), params.end());
    }
    node.map.body = inner_.take({all});
    return e_.bind("adjoint", {type_, window_.space}, std::move(node));
  }

 private:
  using Windows = std::vector<std::pair<core::Window, std::vector<ValueId>>>;

  // By cotangent, so that each is one window.
  std::vector<GatheredTerm> terms() const {
    std::vector<GatheredTerm> terms;
    std::vector<ValueId> done;
    for (const NeighbourPart& first : window_.parts) {
      if (std::count(done.begin(), done.end(), first.cotangent) > 0) continue;
      done.push_back(first.cotangent);
      for (const NeighbourPart& part : window_.parts) {
        if (part.cotangent == first.cotangent) addTerms(part, {part.cotangent, {}, {}}, terms);
      }
    }
    return terms;
  }

  // The cell at `offset` stands beyond the first one if it is one of as many as it reaches.
  void addTerms(const NeighbourPart& part, const GatheredTerm& term,
                std::vector<GatheredTerm>& terms) const {
    const size_t axis = term.offset.size();
    if (axis == part.offset.size()) return terms.push_back(term);
    const auto with = [&](int64_t offset, Edge edge) {
      GatheredTerm longer = term;
      longer.offset.push_back(offset);
      longer.edges.push_back(edge);
      addTerms(part, longer, terms);
    };
    const int64_t by = part.offset[axis];
    with(-by, Edge::kNone);
    if (!uneven_[axis]) return;
    for (int64_t k = 0; k < -by; ++k) with(k, Edge::kFirst);
    for (int64_t k = 0; k < by; ++k) with(-k, Edge::kLast);
  }

  Operand neighbour(ValueId array, const std::vector<int64_t>& offset) {
    return param({array, boundary_, {}, {}}, offset);
  }

  ValueId param(const core::Window& like, const std::vector<int64_t>& offset) {
    auto found = std::find_if(windows_.begin(), windows_.end(),
                              [&](const auto& one) { return one.first.array == like.array; });
    if (found == windows_.end()) found = windows_.insert(found, {like, {}});
    auto& [window, params] = *found;
    const auto known = std::find(window.offsets.begin(), window.offsets.end(), offset);
    if (known != window.offsets.end()) {
      return params[static_cast<size_t>(known - window.offsets.begin())];
    }
    window.offsets.push_back(offset);
    params.push_back(e_.program().add("x", {e_.type(like.array).scalar, {}}));
    return params.back();
  }

  // The sum, and in cells at all these edges a further one.
  Operand withEdge(const Operand& sum, const std::vector<Edge>& edges, const Operand& further) {
    std::optional<Operand> is_apart;
    for (size_t axis = 0; axis < edges.size(); ++axis) {
      if (edges[axis] == Edge::kNone) continue;
      const Operand goes_on = hasNeighbour(axis, edges[axis] == Edge::kLast ? 1 : -1);
      is_apart = is_apart ? inner_.op(Op::kOr, ScalarType::kBool, *is_apart, goes_on) : goes_on;
    }
    return is_apart ? inner_.select(*is_apart, sum, inner_.sum(sum, further)) : further;
  }

  Operand hasNeighbour(size_t axis, int64_t by) {
    if (!inside_) {
      const Operand yes = prim::Scalar::ofBool(true);
      inside_ = e_.bind("inside", {ScalarType::kBool, window_.space},
                        core::Replicate{window_.space, yes});
    }
    core::Window window{*inside_, boundary_, {}, {}};
    for (core::Boundary& one : window.boundary) {
      if (one.kind != BoundaryKind::kWrap) {
        one = {BoundaryKind::kConstant, prim::Scalar::ofBool(false)};
      }
    }
    std::vector<int64_t> offset(window_.space.size(), 0);
    offset[axis] = by;
    return param(window, offset);
  }

  Emitter& e_;
  const WindowParts& window_;
  ScalarType type_;
  Emitter inner_;
  std::vector<bool> uneven_;  // per axis
  std::vector<core::Boundary> boundary_;
  Windows windows_;
  std::optional<ValueId> inside_;
};

}  // namespace

bool canGather(const WindowParts& window) {
  int64_t terms = 0;
  for (const NeighbourPart& part : window.parts) {
    int64_t own = 1;
    for (size_t axis = 0; axis < part.offset.size(); ++axis) {
      if (!isUneven(window, axis)) continue;
      if (window.boundary[axis].kind == BoundaryKind::kMirror) return false;
      const int64_t reach = std::max(part.offset[axis], -kMaxTerms);
      own *= 1 + std::min(std::abs(reach), kMaxTerms);
    }
    terms += own;
    if (own > 1 && terms > kMaxTerms) return false;
  }
  return true;
}

ValueId gatherParts(Emitter& e, const WindowParts& window) { return Gather(e, window).run(); }

}  // namespace halo::ad
