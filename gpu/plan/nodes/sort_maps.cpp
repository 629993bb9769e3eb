// Which maps are taken, and the statements of a sort's kernel as parts.
#include "gpu/plan/nodes/sort_maps.h"

#include <algorithm>

#include "gpu/plan/nests/element_code.h"
#include "gpu/plan/nests/kinds.h"
#include "gpu/plan/nests/nest.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

namespace {

constexpr size_t kMaxMade = 24;       // statements that make a key: two times for each
constexpr size_t kMaxMadeAgain = 12;  // the same where they are made for each digit

bool isDivision(const Stm& stm) {
  const auto* op = std::get_if<PrimOp>(&stm.expr);
  if (op == nullptr) return false;
  switch (op->op) {
    case prim::Op::kDiv:
    case prim::Op::kMod:
    case prim::Op::kQuot:
    case prim::Op::kRem:
    case prim::Op::kPow:
    case prim::Op::kMachineDiv:
    case prim::Op::kMachineRem:
      return true;
    default:
      return false;
  }
}

// Products and sums of floats, which --fp=fast may round together in one kernel and not in another.
// Keys that are made twice must not differ.
bool mayContract(const Body& body) {
  bool multiplies = false, adds = false;
  for (const Stm& stm : body.stms) {
    const auto* op = std::get_if<PrimOp>(&stm.expr);
    if (std::holds_alternative<Match>(stm.expr)) return true;
    if (op == nullptr || !prim::isFloat(op->type)) continue;
    multiplies = multiplies || op->op == prim::Op::kMul;
    adds = adds || op->op == prim::Op::kAdd || op->op == prim::Op::kSub;
  }
  return multiplies && adds;
}

// Of scalars, one result, by few statements that cannot fail.
bool isShortMap(const Program& program, const Screma& screma, size_t most) {
  const Lambda& map = screma.map;
  auto is_scalar = [&](const auto& value) { return program.type(value).isScalar(); };
  return isMap(screma) && map.body.results.size() == 1 &&
         std::all_of(map.params.begin(), map.params.end(), is_scalar) &&
         is_scalar(map.body.results[0]) && codeSize(map.body) <= most &&
         isElementCode(program, map.body, false);
}

// The arrays that a gather reads, each at the order's place.
std::vector<ValueId> arraysOf(const Screma& gather) {
  std::vector<ValueId> arrays;
  for (const Stm& read : gather.map.body.stms) {
    arrays.push_back(std::get<Index>(read.expr).array);
  }
  return arrays;
}

class SortKeys {
 public:
  SortKeys(Program& program, Body& body, SortGroup& group,
           const std::function<bool(ValueId)>& are_computed)
      : program_(program), body_(body), group_(group), are_computed_(are_computed) {}

  void run() {
    const Stm sort = this->sort();
    if (sort.results.size() > 1 && gather() == nullptr) return;
    const Operands& args = std::get<Call>(sort.expr).args;
    const Operand keys = args[args.size() - sort.results.size()];
    if (keys.isConstant() || useCounts(program_, body_)[keys.value] != 1) return;
    auto at = std::find_if(body_.stms.begin(), body_.stms.end(), [&](const Stm& stm) {
      return stm.results == std::vector<ValueId>{keys.value};
    });
    const auto* screma = at == body_.stms.end() ? nullptr : std::get_if<Screma>(&at->expr);
    if (screma == nullptr || gathersKeys(keys.value) || !isStill(at) || !areStored(*screma)) return;
    if (mayContract(screma->map.body)) return;
    const bool again = isMadeAgain(*screma, sort.results[0]);
    if (!again && !isCheap(*screma, program_.type(keys).scalar)) return;
    if (again) group_.results.erase(group_.results.begin());
    group_.stms.insert(group_.stms.begin(), *at);
    body_.stms.erase(at);
    group_.first--, group_.last--;
  }

 private:
  const Stm& sort() const {
    return *std::find_if(group_.stms.begin(), group_.stms.end(),
                         [](const Stm& stm) { return std::holds_alternative<Call>(stm.expr); });
  }
  const Screma* gather() const { return std::get_if<Screma>(&group_.stms.back().expr); }

  // Nothing is overwritten before the kernel is called.
  bool isStill(std::vector<Stm>::const_iterator from) const {
    const size_t end = gather() == nullptr ? group_.last : group_.last + 1;
    auto to = body_.stms.cbegin() + static_cast<std::ptrdiff_t>(end);
    return from < to && std::all_of(from, to, [this](const Stm& stm) {
             return consumed(program_, stm).empty();
           });
  }
  bool areStored(const Screma& screma) const {
    return std::none_of(screma.inputs.begin(), screma.inputs.end(), [&](ValueId input) {
      return are_computed_(input) || isComputed(body_, input);
    });
  }
  bool isCheap(const Screma& screma, prim::ScalarType key) const {
    int bytes = 0;
    for (ValueId input : screma.inputs) bytes += prim::byteSize(program_.type(input).scalar);
    return bytes <= 2 * prim::byteSize(key) && isShortMap(program_, screma, kMaxMade);
  }
  bool gathersKeys(ValueId keys) const {
    const std::vector<ValueId> arrays = gathered();
    return std::find(arrays.begin(), arrays.end(), keys) != arrays.end();
  }
  std::vector<ValueId> gathered() const {
    return gather() == nullptr ? std::vector<ValueId>() : arraysOf(*gather());
  }
  bool isMadeAgain(const Screma& screma, ValueId sorted_keys) {
    const std::vector<ValueId> arrays = gathered();
    const bool go_along =
        std::all_of(screma.inputs.begin(), screma.inputs.end(), [&](ValueId input) {
          return std::find(arrays.begin(), arrays.end(), input) != arrays.end();
        });
    const std::vector<Stm>& stms = screma.map.body.stms;
    return go_along && group_.results[0] == sorted_keys &&
           useCounts(program_, body_)[sorted_keys] == 0 &&
           isShortMap(program_, screma, kMaxMadeAgain) &&
           std::none_of(stms.begin(), stms.end(), isDivision);
  }

  Program& program_;
  Body& body_;
  SortGroup& group_;
  const std::function<bool(ValueId)>& are_computed_;
};

}  // namespace

bool isComputed(const Body& body, ValueId array) {
  return std::any_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
    const bool is_computed =
        std::holds_alternative<Iota>(stm.expr) || std::holds_alternative<Replicate>(stm.expr);
    return is_computed && stm.results[0] == array;
  });
}

void takeKeys(Program& program, Body& body, SortGroup& group,
              const std::function<bool(ValueId)>& are_computed) {
  SortKeys(program, body, group, are_computed).run();
}

SortParts partsOfSort(const Program& program, const Function& kernel) {
  SortParts parts;
  const Stm* sort = nullptr;
  for (const Stm& stm : kernel.body.stms) {
    if (std::holds_alternative<Call>(stm.expr)) sort = &stm;
  }
  // The function of a sort itself.
  const Operands args = sort == nullptr ? Operands(kernel.params.begin(), kernel.params.end())
                                        : std::get<Call>(sort->expr).args;
  for (const Operand& arg : args) {
    if (program.type(arg).isScalar()) continue;
    if (parts.keys.valid()) {
      parts.beside.push_back(arg.value);
    } else {
      parts.keys = arg.value;
    }
  }
  if (sort == nullptr) return parts;
  parts.keeps_keys = kernel.body.results[0] == Operand(sort->results[0]);
  for (const Stm& stm : kernel.body.stms) {
    const auto* screma = std::get_if<Screma>(&stm.expr);
    if (screma == nullptr) continue;
    if (stm.results[0] == parts.keys) {
      parts.making = screma;
      continue;
    }
    parts.beside = arraysOf(*screma);
  }
  return parts;
}

}  // namespace halo::gpu
