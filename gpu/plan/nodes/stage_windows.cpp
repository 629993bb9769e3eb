// One walk over each loop of the cell finds the reads. Then each window gets a copy in front of the
// first loop that reads it.
#include "gpu/plan/nodes/stage_windows.h"

#include <algorithm>
#include <functional>
#include <unordered_set>

#include "gpu/plan/nests/nest.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;

namespace {

constexpr size_t kMaxAxes = 3;            // lanes go through so many levels together
constexpr int64_t kMaxStaged = 6 * 1024;  // elements of a window: half of the shared memory

// Part of an array: elements firsts[k] .. firsts[k] + extents[k] - 1 of axis k.
struct Window {
  ValueId array;
  Operands firsts, extents;
  bool operator==(const Window&) const = default;
};

// How often a statement of a loop runs: its steps and lanes, as extents.
using Turns = Operands;

class Stager {
 public:
  Stager(Program& program, ScalarCode& code, const IsIota& is_iota)
      : program_(program), code_(code), is_iota_(is_iota) {}

  // Whether anything has been staged.
  bool run(Body& cell, const std::unordered_set<ValueId>& of_cells) {
    of_nest_ = of_cells;
    std::vector<Stm> stms;
    for (Stm& stm : cell.stms) {
      if (std::holds_alternative<Loop>(stm.expr)) inLoop(stm, stms);
      if (const auto* iota = std::get_if<Iota>(&stm.expr); iota != nullptr && counts(*iota)) {
        iotas_.insert(stm.results[0]);
      }
      of_nest_.insert(stm.results.begin(), stm.results.end());
      stms.push_back(std::move(stm));
    }
    cell.stms = std::move(stms);
    return !staged_.empty();
  }

 private:
  struct Staged {
    Window window;
    ValueId copy;
  };
  // Sums and checks of a lane so far.
  struct Known {
    std::unordered_map<ValueId, PrimOp> sums;
    std::vector<Operands> checks;  // operands of asserts: indices, then extents
    // Ranges that start at 0, indices of loops and numbers of lanes, with their ends.
    std::unordered_map<ValueId, Operand> steps, lanes;
    Turns turns;
    bool is_lane = false;
  };

  static bool counts(const Iota& iota) {
    return iota.type == ScalarType::kI64 && iota.start == Operand::ofI64(0) &&
           iota.step == Operand::ofI64(1);
  }

  void inLoop(Stm& stm, std::vector<Stm>& out) {
    varying_.clear();
    visitOfLoop(stm);
    std::vector<Window> wanted;
    const auto find = [&](Stm& read, const Known& known) {
      auto pays = [&](const Window& one) { return this->pays(one, known.turns); };
      if (auto window = windowOf(read, known, pays)) wanted.push_back(*window);
    };
    Known known;
    walk(stm, known, find);
    for (const Window& window : wanted) {
      if (copyOf(window) == nullptr) stage(window, out);
    }
    const auto replace = [&](Stm& read, const Known& known) {
      auto is_staged = [&](const Window& one) { return copyOf(one) != nullptr; };
      if (auto window = windowOf(read, known, is_staged)) {
        read.expr = Index{copyOf(*window)->copy, places_};
      }
    };
    walk(stm, known, replace);
  }
  // All that is bound in a loop.
  void visitOfLoop(const Stm& stm) {
    visitBound(stm.expr, [&](ValueId value) { varying_.insert(value); });
    visitBodies(stm.expr, [&](const Body& body) {
      for (const Stm& inner : body.stms) {
        varying_.insert(inner.results.begin(), inner.results.end());
        visitOfLoop(inner);
      }
    });
  }

  using Visit = std::function<void(Stm& read, const Known& known)>;
  void walk(Stm& stm, Known known, const Visit& visit) {
    if (auto* loop = std::get_if<Loop>(&stm.expr)) {
      const auto* counted = std::get_if<ForLoop>(&loop->form);
      if (counted != nullptr) known.turns.push_back(counted->bound);
      if (counted != nullptr) known.steps.emplace(counted->index, counted->bound);
    } else if (auto* screma = std::get_if<Screma>(&stm.expr)) {
      byLanes(screma->width, screma->inputs, screma->map, known);
    } else if (auto* scatter = std::get_if<Scatter>(&stm.expr)) {
      byLanes(scatter->width, scatter->inputs, scatter->map, known);
    }
    visitBodies(stm.expr, [&](Body& body) {
      Known inside = known;
      for (Stm& inner : body.stms) {
        note(inner, inside);
        if (std::holds_alternative<Index>(inner.expr) && inside.is_lane) visit(inner, inside);
        walk(inner, inside, visit);
      }
    });
  }
  void byLanes(const Operand& width, const std::vector<ValueId>& inputs, const Lambda& map,
               Known& known) const {
    known.turns.push_back(width);
    known.is_lane = true;
    for (size_t p = 0; p < inputs.size(); ++p) {
      if (iotas_.contains(inputs[p]) || is_iota_(inputs[p])) known.lanes[map.params[p]] = width;
    }
  }
  static void note(const Stm& stm, Known& known) {
    if (const auto* prim = std::get_if<PrimOp>(&stm.expr)) {
      const bool is_sum = prim->op == prim::Op::kAdd && prim->type == ScalarType::kI64;
      if (is_sum) known.sums.emplace(stm.results[0], *prim);
    }
    const auto* check = std::get_if<Assert>(&stm.expr);
    if (check != nullptr && check->code == diag::Code::index_out_of_range) {
      known.checks.push_back(check->operands);
    }
  }

  bool isFixed(const Operand& operand) const {
    return operand.isConstant() || !varying_.contains(operand.value);
  }

  // An accepted read that a check of its view precedes; its places within the view are in places_.
  // The same places may be checked for other arrays as well.
  std::optional<Window> windowOf(const Stm& stm, const Known& known,
                                 const std::function<bool(const Window&)>& accepts) {
    const auto* read = std::get_if<Index>(&stm.expr);
    if (read == nullptr || !program_.type(stm.results[0]).isScalar()) return std::nullopt;
    if (of_nest_.contains(read->array) || varying_.contains(read->array)) return std::nullopt;
    for (const Operands& check : known.checks) {
      if (auto window = windowIn(*read, check, known); window && accepts(*window)) return window;
    }
    auto window = windowOfSteps(*read, known);
    return window && accepts(*window) ? window : std::nullopt;
  }
  std::optional<Window> windowIn(const Index& read, const Operands& check, const Known& known) {
    const size_t axes = read.indices.size();
    if (axes > kMaxAxes || check.size() != 2 * axes) return std::nullopt;
    Window window{read.array, {}, {}};
    places_.clear();
    bool moves = false;
    for (size_t k = 0; k < axes; ++k) {
      const std::optional<Operand> first = firstOf(read.indices[k], check[k], known);
      if (!first || !isFixed(check[axes + k])) return std::nullopt;
      window.firsts.push_back(*first);
      window.extents.push_back(check[axes + k]);
      places_.push_back(check[k]);
      moves = moves || !isFixed(check[k]);
    }
    return moves ? std::optional(window) : std::nullopt;
  }
  // A read that has been proven, at the numbers of steps and lanes; each step reads other elements.
  std::optional<Window> windowOfSteps(const Index& read, const Known& known) {
    if (read.indices.size() > kMaxAxes) return std::nullopt;
    Window window{read.array, {}, {}};
    places_.clear();
    bool moves = false;
    for (const Operand& index : read.indices) {
      if (index.isConstant()) return std::nullopt;
      auto sum = known.sums.find(index.value);
      Operands candidates = {index};
      if (sum != known.sums.end()) candidates = sum->second.args;
      bool found = false;
      for (const Operand& place : candidates) {
        const Operand* extent = place.isConstant() ? nullptr : extentOf(place.value, known);
        const std::optional<Operand> first = extent ? firstOf(index, place, known) : std::nullopt;
        if (found || !first || !isFixed(*extent)) continue;
        found = true;
        window.firsts.push_back(*first);
        window.extents.push_back(*extent);
        places_.push_back(place);
        moves = moves || known.steps.contains(place.value);
      }
      if (!found) return std::nullopt;
    }
    return moves ? std::optional(window) : std::nullopt;
  }
  static const Operand* extentOf(ValueId value, const Known& known) {
    for (const auto* ranges : {&known.steps, &known.lanes}) {
      if (auto found = ranges->find(value); found != ranges->end()) return &found->second;
    }
    return nullptr;
  }
  // index = first + place.
  std::optional<Operand> firstOf(const Operand& index, const Operand& place,
                                 const Known& known) const {
    if (index == place) return Operand::ofI64(0);
    auto sum = index.isConstant() ? known.sums.end() : known.sums.find(index.value);
    if (sum == known.sums.end()) return std::nullopt;
    const Operands& args = sum->second.args;
    for (size_t k = 0; k < 2; ++k) {
      if (args[k] == place && isFixed(args[1 - k])) return args[1 - k];
    }
    return std::nullopt;
  }

  // Few elements, of which each may be read once at least.
  bool pays(const Window& window, Turns turns) const {
    int64_t elements = 1;
    for (const Operand& extent : window.extents) {
      const int64_t most = upperBound(extent, code_);
      if (__builtin_mul_overflow(elements, most, &elements) || elements > kMaxStaged) return false;
      auto same = std::find_if(turns.begin(), turns.end(), [&](const Operand& turn) {
        return turn == extent || (turn.isConstant() && turn.constant.asSigned() >= most);
      });
      if (same == turns.end()) return false;
      turns.erase(same);
    }
    return true;
  }

  const Staged* copyOf(const Window& window) const {
    auto found = std::find_if(staged_.begin(), staged_.end(),
                              [&](const Staged& one) { return one.window == window; });
    return found == staged_.end() ? nullptr : &*found;
  }

  // Its levels' numbers stand in front: lanes go through all levels at once. Bounds that hold
  // anyway show that their arithmetic needs no more than 32 bits.
  void stage(const Window& window, std::vector<Stm>& out) {
    std::vector<ValueId> numbers;
    Window bounded = window;
    for (Operand& extent : bounded.extents) {
      extent = withBounds(extent, out);
      const ValueId iota = program_.add("places", {ScalarType::kI64, {extent}});
      out.push_back({{iota},
                     Iota{ScalarType::kI64, extent, Operand::ofI64(0), Operand::ofI64(1)},
                     false,
                     {}});
      numbers.push_back(iota);
    }
    Body body;
    const ValueId copy = level(bounded, numbers, {}, body);
    out.push_back(std::move(body.stms[0]));
    staged_.push_back({window, copy});
  }
  Operand withBounds(const Operand& extent, std::vector<Stm>& out) {
    Builder code(program_);
    auto prim = [&](prim::Op op, const Operand& a, int64_t b) {
      return code.prim(op, ScalarType::kI64, {a, Operand::ofI64(b)});
    };
    const Operand least = prim(prim::Op::kMin, extent, upperBound(extent, code_));
    const Operand bounded = prim(prim::Op::kMax, least, 0);
    for (Stm& stm : code.take({}).stms) {
      code_.insert_or_assign(stm.results[0], stm.expr);
      out.push_back(std::move(stm));
    }
    return bounded;
  }
  ValueId level(const Window& window, const std::vector<ValueId>& numbers, Operands at,
                Body& into) {
    const size_t k = at.size();
    const ValueId place = program_.add("at", {ScalarType::kI64, {}});
    at.push_back(place);
    Lambda map{{place}, {}};
    Operands shape(window.extents.begin() + static_cast<std::ptrdiff_t>(k), window.extents.end());
    const ScalarType scalar = program_.type(window.array).scalar;
    map.body.results = {k + 1 == numbers.size() ? element(window, at, map.body)
                                                : level(window, numbers, at, map.body)};
    const ValueId rows = program_.add("window", {scalar, std::move(shape)});
    into.stms.push_back(
        {{rows}, Screma{window.extents[k], {numbers[k]}, std::move(map), {}, {}}, false, {}});
    return rows;
  }
  // The nearest one that there is.
  ValueId element(const Window& window, const Operands& at, Body& body) {
    const Type& type = program_.type(window.array);
    Builder code(program_);
    Operands indices;
    for (size_t k = 0; k < at.size(); ++k) {
      auto prim = [&](prim::Op op, const Operand& a, const Operand& b) {
        return code.prim(op, ScalarType::kI64, {a, b});
      };
      const Operand last = code.sub(type.shape[k], Operand::ofI64(1));
      const Operand near = prim(prim::Op::kMin, code.add(window.firsts[k], at[k]), last);
      indices.push_back(prim(prim::Op::kMax, near, Operand::ofI64(0)));
    }
    const ValueId value =
        code.bind("staged", {type.scalar, {}}, Index{window.array, std::move(indices)});
    body.stms = code.take({}).stms;
    return value;
  }

  Program& program_;
  ScalarCode& code_;
  const IsIota& is_iota_;
  std::unordered_set<ValueId> iotas_;    // of the cell
  std::unordered_set<ValueId> of_nest_;  // bound in the nest, in front of the loop at hand
  std::unordered_set<ValueId> varying_;  // bound in the loop at hand
  std::vector<Staged> staged_;
  Operands places_;
};

}  // namespace

std::optional<Stm> stageWindows(Program& program, const Stm& nest, size_t max_levels,
                                ScalarCode& code, const IsIota& is_iota) {
  Stm staged = nest;
  const size_t levels = mapNest(std::get<Screma>(nest.expr), max_levels).size();
  auto* level = &std::get<Screma>(staged.expr);
  std::unordered_set<ValueId> bound(level->map.params.begin(), level->map.params.end());
  for (size_t k = 0; k + 1 < levels; ++k) {
    std::vector<Stm>& stms = level->map.body.stms;
    for (const Stm& stm : stms) bound.insert(stm.results.begin(), stm.results.end());
    level = &std::get<Screma>(stms.back().expr);
    bound.insert(level->map.params.begin(), level->map.params.end());
  }
  if (!Stager(program, code, is_iota).run(level->map.body, bound)) return std::nullopt;
  return staged;
}

}  // namespace halo::gpu
