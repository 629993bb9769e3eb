// Two walks over a loop's body.
#include "jit/emit/lane_size.h"

#include <algorithm>
#include <unordered_map>

#include "lang/base/match.h"
#include "lang/imp/operands.h"

namespace halo::jit {

using imp::Block;
using imp::Operand;
using imp::VarId;
using prim::Op;
using prim::ScalarType;

namespace {

constexpr size_t kManyStatements = 4096;  // a chain of them is that deep a recursion

void measure(const imp::Program& program, const Block& block, BodySize& size) {
  auto wide = [&](ScalarType type) { size.widest = std::max(size.widest, prim::byteSize(type)); };
  for (const imp::Stm& stm : block) {
    size.statements++;
    base::match(
        stm.node,
        [&](const imp::Let& n) {
          if (const auto* load = std::get_if<imp::Load>(&n.expr)) {
            wide(program.buffers[load->buffer].type);
          } else if (prim::isFloat(program.vars[n.var].type)) {
            wide(program.vars[n.var].type);
          }
        },
        [&](const imp::Declare& n) { wide(program.vars[n.var].type); },
        [&](const imp::Store& n) { wide(program.buffers[n.buffer].type); },
        [&](const imp::Append& n) {
          for (imp::BufferId buffer : n.buffers) wide(program.buffers[buffer].type);
        },
        [&](const imp::For& n) {
          size.has_loops = true;
          measure(program, n.body, size);
        },
        [&](const imp::While& n) {
          size.has_loops = true;
          measure(program, n.before, size), measure(program, n.body, size);
        },
        [&](const imp::If& n) {
          measure(program, n.then_block, size), measure(program, n.else_block, size);
        },
        base::otherwise([](const auto&) {}));
  }
}

// Values of a straight body that differ between lanes: where they are made and last used. A value
// from memory is made where it is first used, sums that are only indices are no vectors.
class LiveRanges {
 public:
  LiveRanges(const imp::Program& program, const std::unordered_set<VarId>& varying)
      : program_(program), varying_(varying) {}

  void walk(const Block& block) {
    for (const imp::Stm& stm : block) {
      position_++;
      base::match(
          stm.node, [&](const imp::Let& n) { let(n); },
          [&](const imp::Declare& n) { define(n.var), value(n.initial); },
          [&](const imp::Assign& n) { value(n.value), value(n.var); },
          [&](const imp::Store& n) { value(n.value); },
          [&](const imp::Append& n) {
            value(n.condition);
            for (const Operand& operand : n.values) value(operand);
          },
          [&](const imp::If& n) { value(n.condition), walk(n.then_block), walk(n.else_block); },
          base::otherwise([](const auto&) {}));
    }
  }

  size_t most() const {
    std::vector<int> change(position_ + 2);
    for (const auto& [var, range] : ranges_) {
      if (range.last == 0) continue;
      change[range.first]++, change[range.last]--;
    }
    int live = 0, most = 0;
    for (int by : change) most = std::max(most, live += by);
    return static_cast<size_t>(most);
  }

 private:
  struct Range {
    size_t first = 0, last = 0;
    bool is_load = false;
  };

  void define(VarId var, bool is_load = false) {
    if (varying_.contains(var)) ranges_[var] = {position_, 0, is_load};
  }

  void value(const Operand& operand) {
    if (operand.isConstant()) return;
    auto found = ranges_.find(operand.var);
    if (found == ranges_.end()) return;
    if (found->second.is_load && found->second.last == 0) found->second.first = position_;
    found->second.last = std::max(position_, found->second.first + 1);
  }

  void let(const imp::Let& n) {
    const auto* prim = std::get_if<imp::Prim>(&n.expr);
    const bool is_index = prim != nullptr && program_.vars[n.var].type == ScalarType::kI64 &&
                          (prim->op == Op::kAdd || prim->op == Op::kSub || prim->op == Op::kMul);
    if (is_index) return;
    const bool is_load = std::holds_alternative<imp::Load>(n.expr);
    if (!is_load) {
      for (const Operand& operand : imp::operandsOf(n.expr)) value(operand);
    }
    define(n.var, is_load);
  }

  const imp::Program& program_;
  const std::unordered_set<VarId>& varying_;
  size_t position_ = 0;
  std::unordered_map<VarId, Range> ranges_;
};

// Loads and whatever depends on mutable variables stays where it is.
class UseOrder {
 public:
  UseOrder(const imp::Program& program, const Block& body) : program_(program), body_(body) {}

  Block run() {
    for (size_t i = 0; i < body_.size(); i++) {
      if (const auto* let = std::get_if<imp::Let>(&body_[i].node); let && isFree(*let)) {
        waiting_[let->var] = i;
      } else {
        demandAll(body_[i]);
        done_.push_back(body_[i]);
      }
    }
    return std::move(done_);
  }

 private:
  bool isFree(const imp::Let& n) const {
    if (std::holds_alternative<imp::Load>(n.expr)) return false;
    const imp::Operands operands = imp::operandsOf(n.expr);
    return std::none_of(operands.begin(), operands.end(), [&](const Operand& operand) {
      return !operand.isConstant() && program_.vars[operand.var].is_mutable;
    });
  }

  void demand(const Operand& operand) {
    if (operand.isConstant()) return;
    auto found = waiting_.find(operand.var);
    if (found == waiting_.end()) return;
    const imp::Stm& stm = body_[found->second];
    waiting_.erase(found);
    demandAll(stm);
    done_.push_back(stm);
  }

  void demandAll(const imp::Stm& stm) {
    auto all = [&](const Block& block) {
      for (const imp::Stm& inner : block) demandAll(inner);
    };
    base::match(
        stm.node,
        [&](const imp::Let& n) {
          for (const Operand& operand : imp::operandsOf(n.expr)) demand(operand);
        },
        [&](const imp::Declare& n) { demand(n.initial); },
        [&](const imp::Assign& n) { demand(n.value); },
        [&](const imp::Store& n) { demand(n.index), demand(n.value), demand(n.stream); },
        [&](const imp::Append& n) {
          demand(n.condition);
          for (const Operand& operand : n.values) demand(operand);
        },
        [&](const imp::For& n) { demand(n.lo), demand(n.hi), all(n.body); },
        [&](const imp::While& n) { all(n.before), demand(n.condition), all(n.body); },
        [&](const imp::If& n) { demand(n.condition), all(n.then_block), all(n.else_block); },
        [&](const imp::Fail& n) {
          for (const Operand& operand : n.operands) demand(operand);
        },
        base::otherwise([](const auto&) {}));
  }

  const imp::Program& program_;
  const Block& body_;
  std::unordered_map<VarId, size_t> waiting_;  // statements of body_
  Block done_;
};

}  // namespace

Block inOrderOfUse(const imp::Program& program, const Block& body) {
  return body.size() > kManyStatements ? body : UseOrder(program, body).run();
}

BodySize sizeOf(const imp::Program& program, const Block& body) {
  BodySize size;
  measure(program, body, size);
  return size;
}

size_t liveVectors(const imp::Program& program, const Block& body,
                   const std::unordered_set<VarId>& varying) {
  LiveRanges ranges(program, varying);
  ranges.walk(body);
  return ranges.most();
}

}  // namespace halo::jit
