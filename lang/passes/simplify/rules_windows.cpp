// Rules for the windows of a stencil: each neighbour of an array is read once, however many windows
// and inputs it comes from.
//
//   (window xs clamp {-1, 0}, window xs clamp {0, 1}, xs) map (a, b, c, d, e)
//   (window xs clamp {-1, 0, 1}) map (a, b, d), with c and e being b
#include <algorithm>

#include "lang/passes/simplify/simplify_parts.h"

namespace halo::passes {
namespace {

using core::Boundary;
using core::ValueId;
using core::Window;
using Offset = std::vector<int64_t>;

bool isZero(const Offset& offset) {
  return std::all_of(offset.begin(), offset.end(), [](int64_t by) { return by == 0; });
}

class WindowRules {
 public:
  WindowRules(RuleContext& context, core::Stencil& node) : context_(context), node_(node) {}

  bool run() {
    bool is_static = std::all_of(node_.windows.begin(), node_.windows.end(), [](const Window& w) {
      return w.dynamic.empty() && !w.offsets.empty();
    });
    if (!is_static) return false;
    std::vector<Window> old = std::move(node_.windows);
    std::vector<ValueId> params = std::move(node_.map.params);
    node_.windows.clear(), node_.map.params.clear();
    auto next = params.begin();
    for (const Window& window : old) {
      for (const Offset& offset : window.offsets) add(window, offset, *next++);
    }
    const auto positions = params.end() - static_cast<std::ptrdiff_t>(node_.positions.size());
    std::vector<ValueId> inputs = takeInputs(std::vector<ValueId>(next, positions));
    params_.push_back(std::move(inputs));
    params_.emplace_back(positions, params.end());
    for (const auto& list : params_) {
      node_.map.params.insert(node_.map.params.end(), list.begin(), list.end());
    }
    if (!known_.empty()) core::substitute(context_.program, node_.map.body, known_);
    return changed_ || node_.windows.size() != old.size();
  }

 private:
  // The neighbour of a window that there is already, or one more of it, or one of a new window.
  void add(const Window& from, const Offset& offset, ValueId param) {
    if (isZero(offset) && from.offsets.size() == 1) {  // no boundary matters
      centres_.emplace_back(from.array, param);
      changed_ = true;
      return;
    }
    for (size_t w = 0; w < node_.windows.size(); ++w) {
      Window& window = node_.windows[w];
      if (window.array != from.array || !widen(window, from)) continue;
      auto same = std::find(window.offsets.begin(), window.offsets.end(), offset);
      if (same != window.offsets.end()) {
        known_[param] = params_[w][static_cast<size_t>(same - window.offsets.begin())];
        changed_ = true;
      } else {
        window.offsets.push_back(offset);
        params_[w].push_back(param);
      }
      return;
    }
    node_.windows.push_back({from.array, from.boundary, {offset}, {}});
    sources_.push_back(&from);
    params_.push_back({param});
  }

  // Where a window does not move its boundary may be any: both get that of the one that moves.
  bool widen(Window& window, const Window& from) const {
    std::vector<Boundary> joint = window.boundary;
    for (size_t axis = 0; axis < joint.size(); ++axis) {
      if (joint[axis] == from.boundary[axis]) continue;
      if (movesAlong(sourceOf(window).offsets, axis) || movesAlong(window.offsets, axis)) {
        if (movesAlong(from.offsets, axis)) return false;
      } else {
        joint[axis] = from.boundary[axis];
      }
    }
    window.boundary = std::move(joint);
    return true;
  }
  const Window& sourceOf(const Window& window) const {
    return *sources_[static_cast<size_t>(&window - node_.windows.data())];
  }
  static bool movesAlong(const std::vector<Offset>& offsets, size_t axis) {
    return std::any_of(offsets.begin(), offsets.end(),
                       [&](const Offset& offset) { return offset[axis] != 0; });
  }

  // The own cell of an array with a window is one more neighbour. Returns the other parameters.
  std::vector<ValueId> takeInputs(const std::vector<ValueId>& params) {
    std::vector<ValueId> inputs = std::move(node_.inputs), others;
    node_.inputs.clear();
    auto take = [&](ValueId array, ValueId param) {
      auto window = std::find_if(node_.windows.begin(), node_.windows.end(),
                                 [&](const Window& w) { return w.array == array; });
      if (window == node_.windows.end()) {
        node_.inputs.push_back(array);
        others.push_back(param);
        return;
      }
      std::vector<ValueId>& own = params_[static_cast<size_t>(window - node_.windows.begin())];
      auto centre = std::find_if(window->offsets.begin(), window->offsets.end(), isZero);
      changed_ = true;
      if (centre != window->offsets.end()) {
        known_[param] = own[static_cast<size_t>(centre - window->offsets.begin())];
        return;
      }
      window->offsets.emplace_back(window->boundary.size(), 0);
      own.push_back(param);
    };
    for (size_t i = 0; i < inputs.size(); ++i) take(inputs[i], params[i]);
    for (const auto& [array, param] : centres_) take(array, param);
    return others;
  }

  RuleContext& context_;
  core::Stencil& node_;
  std::vector<const Window*> sources_;  // the first one of each window
  std::vector<std::vector<ValueId>> params_;
  std::vector<std::pair<ValueId, ValueId>> centres_;  // arrays of which only that is read
  core::Substitution known_;
  bool changed_ = false;
};

}  // namespace

bool simplifyWindows(RuleContext& context, core::Stencil& node) {
  return WindowRules(context, node).run();
}

}  // namespace halo::passes
