// Which sizes gain is up to the placement of scalars: all get bounds, and those that the host wants
// in any case lose them again.
#include "gpu/plan/counted_sizes.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "gpu/plan/nests/in_order.h"
#include "gpu/plan/placement.h"
#include "lang/core/builder.h"
#include "lang/core/counts.h"
#include "lang/core/visit.h"
#include "lang/passes/calls/inline.h"

namespace halo::gpu {

using namespace core;
using prim::Op;

namespace {

bool isSmall(const Operand& size) {
  return size.isConstant() && size.constant.asSigned() <= kMostCounted;
}

// `index box[0]`, where `box` holds the value.
bool reads(const Body& arm, ValueId value) {
  if (arm.stms.size() != 2) return false;
  const auto* call = std::get_if<Call>(&arm.stms[0].expr);
  const auto* index = std::get_if<Index>(&arm.stms[1].expr);
  return call != nullptr && index != nullptr && call->args == Operands{value} &&
         index->array == arm.stms[0].results[0] && arm.results[0] == arm.stms[1].results[0];
}

// `i64.le size kMostCounted`
bool isSmallTest(const Stm* stm, const Operand& size) {
  const auto* test = stm == nullptr ? nullptr : std::get_if<PrimOp>(&stm->expr);
  return test != nullptr && test->op == Op::kLe && test->type == ScalarType::kI64 &&
         test->args == Operands{size, Operand::ofI64(kMostCounted)};
}

// A kernel of one invocation that puts the scalar into an array of one element.
Stm boxed(Program& program, ValueId scalar, const std::string& name) {
  const Type type{program.type(scalar).scalar, {kOne}};
  Function function;
  function.name = name;
  function.kernel = {{KernelKind::kMap, {}}};
  function.params = {program.add(program.values[scalar].name, program.type(scalar))};
  function.consumed = {false};
  const ValueId held = program.add("held", type);
  function.body.stms.push_back(
      {{held}, ArrayLiteral{type.scalar, {function.params[0]}}, false, {}});
  function.body.results = {held};
  function.results = {program.add("r", type)};
  program.functions.push_back(std::move(function));
  return {{program.add("held", type)}, Call{name, {scalar}}, false, {}};
}

// The counts among the results of a call, by position, and of how many elements they are.
std::vector<std::pair<size_t, Operand>> countsOfCall(const Program& program, const Stm& stm) {
  std::vector<std::pair<size_t, Operand>> counts;
  const Function* kernel = kernelOf(program, stm);
  if (kernel == nullptr) return counts;
  const Operands& args = std::get<Call>(stm.expr).args;
  for (const Stm& made : kernel->body.stms) {
    const auto* node = std::get_if<Screma>(&made.expr);
    if (node == nullptr) continue;
    Operand width = node->width;
    if (!width.isConstant()) {
      const auto param = std::find(kernel->params.begin(), kernel->params.end(), width.value);
      if (param == kernel->params.end()) continue;
      width = args[static_cast<size_t>(param - kernel->params.begin())];
    }
    for (const size_t count : countsOf(*node)) {
      const Operands& results = kernel->body.results;
      const auto at = std::find(results.begin(), results.end(), Operand(made.results[count]));
      if (at != results.end()) counts.emplace_back(at - results.begin(), width);
    }
  }
  return counts;
}

using Counts = std::unordered_set<ValueId>;

void collectCounts(const Program& program, const Body& body, Counts& counts, Counts& sizes) {
  const auto noteSizes = [&](ValueId value) {
    for (const Operand& size : program.type(value).shape) {
      if (!size.isConstant()) sizes.insert(size.value);
    }
  };
  for (const Stm& stm : body.stms) {
    for (const auto& [position, width] : countsOfCall(program, stm)) {
      counts.insert(stm.results[position]);
    }
    for (const ValueId result : stm.results) noteSizes(result);
    visitBodies(stm.expr, [&](const Body& inner) { collectCounts(program, inner, counts, sizes); });
  }
}
// Of kernels, that are sizes as well.
Counts countedIn(const Program& program, const Body& body) {
  Counts counts, sizes;
  collectCounts(program, body, counts, sizes);
  std::erase_if(counts, [&](ValueId count) { return !sizes.contains(count); });
  return counts;
}

class SizeBounds {
 public:
  SizeBounds(Program& program, const Counts& wanted, const std::function<std::string()>& next_name)
      : program_(program), wanted_(wanted), next_name_(next_name) {}

  void bound(Body& body) {
    std::vector<Stm> before = std::exchange(body.stms, {});
    for (Stm& stm : before) {
      visitBodies(stm.expr, [&](Body& inner) { bound(inner); });
      std::vector<Stm> behind;
      for (const auto& [position, width] : countsOfCall(program_, stm)) {
        if (wanted_.contains(stm.results[position])) {
          boundCount(stm.results[position], width, behind);
        }
      }
      body.stms.push_back(std::move(stm));
      std::move(behind.begin(), behind.end(), std::back_inserter(body.stms));
    }
  }

 private:
  // `count` becomes the kernel's own name of it.
  void boundCount(ValueId& count, Operand width, std::vector<Stm>& out) {
    const ValueId own = program_.add(program_.values[count].name, program_.type(count));
    const auto known = width.isConstant() ? most_.end() : most_.find(width.value);
    if (known != most_.end()) width = known->second;
    const Operand most = isSmall(width) ? width : chosen(own, width, out);
    out.push_back({{count}, PrimOp{Op::kMin, ScalarType::kI64, {own, most}}, false, {}});
    most_.emplace(std::exchange(count, own), most);
  }

  // The width where it is small, else the count.
  Operand chosen(ValueId own, const Operand& width, std::vector<Stm>& out) {
    const Type size{ScalarType::kI64, {}};
    const ValueId is_small = program_.add("is_small", {ScalarType::kBool, {}});
    const Operands limits = {width, Operand::ofI64(kMostCounted)};
    out.push_back({{is_small}, PrimOp{Op::kLe, ScalarType::kI64, limits}, false, {}});
    const ValueId read = program_.add("read", size);
    Body large;
    large.stms.push_back(boxed(program_, own, next_name_()));
    large.stms.push_back({{read}, Index{large.stms[0].results[0], {kZero}}, false, {}});
    large.results = {read};
    Body small;
    small.results = {width};
    const ValueId most = program_.add("most", size);
    Match choice{is_small, {{Scalar::ofBool(true), std::move(small)}}, std::move(large)};
    out.push_back({{most}, std::move(choice), false, {}});
    return most;
  }

  Program& program_;
  const Counts& wanted_;
  const std::function<std::string()>& next_name_;
  std::unordered_map<ValueId, Operand> most_;  // of the counts that have bounds so far
};

// ---- kernels

class Takes {
 public:
  Takes(const Program& program, ValueId size) : program_(program), size_(size) {}

  bool by(const Function& kernel) const {
    const KernelInfo& info = kernel.kernel[0];
    const bool has_kind = info.kind == KernelKind::kMap || info.kind == KernelKind::kReduce ||
                          info.kind == KernelKind::kScan || info.kind == KernelKind::kScatter;
    if (!has_kind || info.space.empty() || passes::isSort(kernel)) return false;
    const bool is_alone = info.space == Operands{size_};
    if (!is_alone && isIn(info.space)) return false;
    for (const ValueId param : kernel.params) {
      if (!isOutermost(program_.type(param).shape)) return false;
    }
    for (const Operand& result : kernel.body.results) {
      const Operands& shape = program_.type(result).shape;
      if (isIn(shape) && (!isOutermost(shape) || shape.size() > 1)) return false;
    }
    return std::all_of(kernel.body.stms.begin(), kernel.body.stms.end(),
                       [&](const Stm& stm) { return by(stm); });
  }

 private:
  bool isIn(const Operands& operands) const {
    return std::find(operands.begin(), operands.end(), Operand(size_)) != operands.end();
  }
  // Strides of the other axes do not depend on it.
  bool isOutermost(const Operands& shape) const {
    return shape.empty() ||
           std::find(shape.begin() + 1, shape.end(), Operand(size_)) == shape.end();
  }
  // One of the kernel's own statements, whose cells are elements.
  bool by(const Stm& stm) const {
    const bool has_kind =
        std::holds_alternative<Iota>(stm.expr) || std::holds_alternative<Replicate>(stm.expr) ||
        std::holds_alternative<Copy>(stm.expr) || std::holds_alternative<Scratch>(stm.expr) ||
        std::holds_alternative<Screma>(stm.expr) || std::holds_alternative<Scatter>(stm.expr);
    if (!has_kind) return false;
    bool inside = true;
    visitBodies(stm.expr, [&](const Body& body) {
      inside = inside && !isSizeIn(program_, body, size_) && !hasNodes(body);
    });
    const auto* node = std::get_if<Screma>(&stm.expr);
    return inside && (node == nullptr || hasNoOrder(*node));
  }
  // Cells of several statements may be lanes of a subgroup, or a workgroup.
  static bool hasNodes(const Body& body) {
    return std::any_of(body.stms.begin(), body.stms.end(), [](const Stm& stm) {
      bool inside = false;
      visitBodies(stm.expr, [&](const Body& inner) { inside = inside || hasNodes(inner); });
      return inside || std::holds_alternative<Screma>(stm.expr);
    });
  }
  // Chunks are parts of the room, whatever the size is.
  bool hasNoOrder(const Screma& node) const {
    const auto isScalar = [&](const Operand& neutral) { return program_.type(neutral).isScalar(); };
    const auto areScalars = [&](const auto& one) {
      return std::all_of(one.neutral.begin(), one.neutral.end(), isScalar);
    };
    return !hasOrder(program_, node) &&
           std::all_of(node.scans.begin(), node.scans.end(), areScalars) &&
           std::all_of(node.reductions.begin(), node.reductions.end(), areScalars);
  }

  const Program& program_;
  ValueId size_;
};

}  // namespace

std::optional<CountedSize> countedSize(const Stm& stm, const MakerOf& statement) {
  const auto* least = std::get_if<PrimOp>(&stm.expr);
  if (least == nullptr || least->op != Op::kMin || least->type != ScalarType::kI64) return {};
  if (least->args[0].isConstant()) return {};
  const ValueId own = least->args[0].value;
  const Operand most = least->args[1];
  if (isSmall(most)) return CountedSize{own, most};
  const Stm* made = most.isConstant() ? nullptr : statement(most.value);
  const auto* choice = made == nullptr ? nullptr : std::get_if<Match>(&made->expr);
  if (choice == nullptr || choice->scrutinee.isConstant() || choice->cases.size() != 1) return {};
  const Case& small = choice->cases[0];
  const bool is_bound = small.value == Scalar::ofBool(true) && small.body.stms.empty() &&
                        isSmallTest(statement(choice->scrutinee.value), small.body.results[0]) &&
                        reads(choice->otherwise, own);
  return is_bound ? std::optional(CountedSize{own, most}) : std::nullopt;
}

bool takesCounted(const Program& program, const Function& kernel, size_t param) {
  return Takes(program, kernel.params[param]).by(kernel);
}

void boundSizes(Program& program, Function& host, const std::function<std::string()>& next_name) {
  Counts wanted = countedIn(program, host.body);
  for (bool is_settled = false; !is_settled && !wanted.empty();) {
    Program trial = program;
    Function bounded = host;
    int boxes = 0;
    const auto name = [&] { return host.name + "_box_" + std::to_string(++boxes); };
    SizeBounds(trial, wanted, name).bound(bounded.body);
    const Placement placement = placeScalars(trial, bounded);
    is_settled = std::erase_if(wanted, [&](ValueId count) {
                   return !placement.counted.contains(count);
                 }) == 0;
  }
  if (!wanted.empty()) SizeBounds(program, wanted, next_name).bound(host.body);
}

}  // namespace halo::gpu
