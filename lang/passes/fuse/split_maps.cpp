// Statements of functions, and of loops and branches in them; code inside of parallel nodes runs in
// sequence anyhow.
#include "lang/passes/fuse/split_maps.h"

#include <algorithm>
#include <map>

#include "lang/core/visit.h"
#include "lang/passes/parallel_node.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Program;
using core::Stm;
using core::ValueId;

bool isNode(const core::Expr& expr) {
  return std::holds_alternative<core::Screma>(expr) || std::holds_alternative<core::Stencil>(expr);
}
bool isSequence(const core::Expr& expr) { return std::holds_alternative<core::Loop>(expr); }
bool isLoop(const core::Expr& expr) { return isSequence(expr) || isNode(expr); }

// Whether such an expression is among the statements, or in a body of one of them.
bool contains(const std::vector<Stm>& stms, bool (*is_such)(const core::Expr&)) {
  bool found = false;
  for (const Stm& stm : stms) {
    found = found || is_such(stm.expr);
    core::visitBodies(stm.expr,
                      [&](const Body& body) { found = found || contains(body.stms, is_such); });
  }
  return found;
}

// Statements of a map in tiles of a scan; with more, or with loops, a scan computes each element
// twice (gpu/schedule/node_code.cpp).
constexpr size_t kMaxTileCode = 48;

size_t countStms(const std::vector<Stm>& stms) {
  size_t count = 0;
  for (const Stm& stm : stms) {
    ++count;
    core::visitBodies(stm.expr, [&](const Body& body) { count += countStms(body.stms); });
  }
  return count;
}

enum class Takers : uint8_t { kScans, kOthers };

class Splitter {
 public:
  Splitter(Program& program, Takers takers) : program_(program), takers_(takers) {}

  void body(Body& body) {
    std::vector<Stm> stms;
    for (Stm& stm : body.stms) {
      if (auto* loop = std::get_if<core::Loop>(&stm.expr)) this->body(loop->body);
      if (auto* match = std::get_if<core::Match>(&stm.expr)) {
        for (core::Case& arm : match->cases) this->body(arm.body);
        this->body(match->otherwise);
      }
      if (!split(stm, stms)) stms.push_back(std::move(stm));
    }
    body.stms = std::move(stms);
  }

 private:
  // The operands of the node's own work, which the map in front of it makes; none if that stays.
  std::vector<core::Operands*> operandsOf(const Stm& stm, ParallelNode& node) const {
    const bool has_loops = contains(node.stms, isLoop);
    if (takers_ == Takers::kScans) {
      const bool is_dear = has_loops || countStms(node.stms) > kMaxTileCode;
      if (node.scans.empty() || !is_dear || !haveScalars(node)) return {};
      return {&node.scanned, &node.reduced};
    }
    if (!has_loops) return {};
    if (std::holds_alternative<core::Hist>(stm.expr) ||
        std::holds_alternative<core::Scatter>(stm.expr)) {
      return {&node.scattered};
    }
    if (!std::holds_alternative<core::Screma>(stm.expr)) return {};
    // Rows that are summed inside of a sum have lanes of their own; steps in a sequence have none.
    const bool has_rows = contains(node.stms, isNode) && !contains(node.stms, isSequence);
    if (node.reductions.empty() || !node.scans.empty() || has_rows) return {};
    if (!haveScalars(node)) return {};
    return {&node.reduced};
  }
  bool haveScalars(const ParallelNode& node) const {
    const auto is_scalar = [&](const Operand& neutral) {
      return program_.type(neutral).isScalar();
    };
    const auto are_scalars = [&](const auto& one) {
      return std::all_of(one.neutral.begin(), one.neutral.end(), is_scalar);
    };
    return std::all_of(node.reductions.begin(), node.reductions.end(), are_scalars) &&
           std::all_of(node.scans.begin(), node.scans.end(), are_scalars);
  }

  bool split(const Stm& stm, std::vector<Stm>& stms) {
    std::optional<ParallelNode> whole = decompose(stm);
    if (!whole || operandsOf(stm, *whole).empty()) return false;
    ParallelNode node = std::move(*whole);
    const std::vector<core::Operands*> taken = operandsOf(stm, node);
    ParallelNode map;
    map.space = node.space;
    map.inputs = std::move(node.inputs);
    map.input_params = std::move(node.input_params);
    map.stms = std::move(node.stms);
    map.mapped = std::move(node.mapped);
    map.mapped_results = std::move(node.mapped_results);
    map.span = node.span;
    node.stms.clear(), node.inputs.clear(), node.input_params.clear();
    node.mapped.clear(), node.mapped_results.clear();
    std::map<ValueId, ValueId> params;
    for (core::Operands* operands : taken) {
      for (Operand& operand : *operands) {
        if (!readsMap(map, node, operand, params)) return false;
      }
    }
    if (map.mapped.empty()) return false;
    stms.push_back(compose(std::move(map)));
    stms.push_back(compose(std::move(node)));
    return true;
  }

  // Of the node's operands: elements of the map's arrays, which `params` names. False for a row.
  bool readsMap(ParallelNode& map, ParallelNode& node, Operand& operand,
                std::map<ValueId, ValueId>& params) {
    if (operand.isConstant()) return true;
    auto known = params.find(operand.value);
    if (known == params.end()) {
      const auto input = take(map, operand.value);
      if (!input) return false;
      if (!input->valid()) return true;
      const ValueId param = program_.add("x", program_.type(operand));
      known = params.emplace(operand.value, param).first;
      node.inputs.push_back(*input);
      node.input_params.push_back(param);
    }
    operand = known->second;
    return true;
  }

  // The array of the map's result `value`; invalid for a value from outside, none for a row.
  std::optional<ValueId> take(ParallelNode& map, ValueId value) {
    auto param = std::find(map.input_params.begin(), map.input_params.end(), value);
    if (param != map.input_params.end()) {
      return map.inputs[static_cast<size_t>(param - map.input_params.begin())];
    }
    const bool is_made = std::any_of(map.stms.begin(), map.stms.end(), [&](const Stm& stm) {
      return std::find(stm.results.begin(), stm.results.end(), value) != stm.results.end();
    });
    if (!is_made) return ValueId();
    const core::Type type = program_.type(value);
    if (!type.isScalar()) return std::nullopt;
    const auto passed = std::find(map.mapped.begin(), map.mapped.end(), Operand(value));
    if (passed != map.mapped.end()) {
      return map.mapped_results[static_cast<size_t>(passed - map.mapped.begin())];
    }
    const ValueId all = program_.add("mapped", {type.scalar, map.space});
    map.mapped.push_back(value);
    map.mapped_results.push_back(all);
    return all;
  }

  Program& program_;
  Takers takers_;
};

Program splitIn(const Program& program, Takers takers) {
  return withBodies(program, [takers](Program& changed, const core::Function&, Body& body) {
    Splitter(changed, takers).body(body);
  });
}

}  // namespace

core::Program splitMaps(const core::Program& program) { return splitIn(program, Takers::kOthers); }

core::Program splitScans(const core::Program& program) { return splitIn(program, Takers::kScans); }

}  // namespace halo::passes
