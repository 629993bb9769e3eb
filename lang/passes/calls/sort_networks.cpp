#include "lang/passes/calls/sort_networks.h"

#include <algorithm>
#include <unordered_set>

#include "lang/core/builder.h"
#include "lang/core/node_kinds.h"
#include "lang/core/visit.h"
#include "lang/passes/calls/sorts.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Call;
using core::Operand;
using core::Operands;
using core::Stm;
using core::ValueId;
using prim::Op;
using prim::ScalarType;

constexpr int64_t kMaxKeys = 32;
constexpr size_t kMaxStatements = 1024;

using Exchange = std::pair<size_t, size_t>;  // the smaller element belongs to the first place

// Algorithm M, its names.
std::vector<Exchange> mergeExchange(size_t n) {
  std::vector<Exchange> exchanges;
  size_t top = 1;
  while (2 * top < n) top *= 2;
  for (size_t p = top; p > 0; p /= 2) {
    size_t d = p, r = 0;
    for (size_t q = top;; q /= 2) {
      for (size_t i = 0; i + d < n; ++i) {
        if ((i & p) == r) exchanges.emplace_back(i, i + d);
      }
      if (q == p) break;
      d = q - p;
      r = p;
    }
  }
  return exchanges;
}

// The elements of an array at each place of the network.
struct Wires {
  ScalarType type;
  Operands elements;
};

class Network {
 public:
  Network(core::Program& program, const Sort& sort, int64_t size)
      : program_(program), builder_(program), keys_(wires(sort.keys, size)) {
    for (ValueId array : sort.beside) beside_.push_back(wires(array, size));
    if (beside_.empty()) return;
    beside_.push_back({ScalarType::kI32, {}});  // positions
    for (int64_t i = 0; i < size; ++i) {
      beside_.back().elements.emplace_back(core::Scalar::ofSigned(ScalarType::kI32, i));
    }
  }

  std::vector<Stm> write(const Stm& stm, const std::vector<Exchange>& exchanges) {
    for (const auto& [low, high] : exchanges) exchange(low, high);
    bind(stm, 0, keys_);
    for (size_t i = 1; i < stm.results.size(); ++i) bind(stm, i, beside_[i - 1]);
    return std::move(builder_.body().stms);
  }

  static size_t statements(size_t exchanges, size_t beside) {
    return exchanges * (beside == 0 ? 2 : 8 + 2 * beside);
  }

 private:
  Wires wires(ValueId array, int64_t size) {
    const ScalarType type = program_.type(array).scalar;
    Wires made{type, {}};
    for (int64_t i = 0; i < size; ++i) {
      const core::Index load{array, {Operand::ofI64(i)}};
      made.elements.emplace_back(builder_.bind("k", {type, {}}, load));
    }
    return made;
  }

  void exchange(size_t low, size_t high) {
    const Operand a = keys_.elements[low], b = keys_.elements[high];
    keys_.elements[low] = builder_.prim(Op::kMin, keys_.type, {a, b});
    keys_.elements[high] = builder_.prim(Op::kMax, keys_.type, {a, b});
    if (beside_.empty()) return;
    const Operands& positions = beside_.back().elements;
    const Operand is_later =
        builder_.prim(Op::kGt, ScalarType::kI32, {positions[low], positions[high]});
    const Operand are_equal = builder_.prim(Op::kEq, keys_.type, {a, b});
    const Operand is_greater = builder_.prim(Op::kGt, keys_.type, {a, b});
    const Operand both = builder_.prim(Op::kAnd, ScalarType::kBool, {are_equal, is_later});
    const Operand swaps = builder_.prim(Op::kOr, ScalarType::kBool, {is_greater, both});
    for (Wires& wires : beside_) {
      const Operand x = wires.elements[low], y = wires.elements[high];
      wires.elements[low] = builder_.bind("t", {wires.type, {}}, core::Select{swaps, y, x});
      wires.elements[high] = builder_.bind("t", {wires.type, {}}, core::Select{swaps, x, y});
    }
  }

  void bind(const Stm& stm, size_t result, const Wires& wires) {
    core::ArrayLiteral made{wires.type, wires.elements};
    builder_.append({{stm.results[result]}, std::move(made), false, stm.span});
  }

  core::Program& program_;
  core::Builder builder_;
  Wires keys_;
  std::vector<Wires> beside_;
};

class Networks {
 public:
  explicit Networks(core::Program& program) : program_(program) {}

  void body(Body& b, bool on_host) {
    std::vector<Stm> old = std::move(b.stms);
    b.stms.clear();
    for (Stm& stm : old) {
      core::visitBodies(stm.expr,
                        [&](Body& nested) { body(nested, on_host && core::isControl(stm.expr)); });
      if (on_host || !write(stm, b.stms)) b.stms.push_back(std::move(stm));
    }
  }

 private:
  bool write(const Stm& stm, std::vector<Stm>& out) {
    const auto sort = sortIn(program_, stm);
    if (!sort || !sort->size.isConstant()) return false;
    const int64_t size = sort->size.constant.asSigned();
    if (size < 1 || size > kMaxKeys) return false;
    const std::vector<Exchange> exchanges = mergeExchange(static_cast<size_t>(size));
    const size_t statements = Network::statements(exchanges.size(), sort->beside.size());
    if (statements > kMaxStatements) return false;
    for (Stm& made : Network(program_, *sort, size).write(stm, exchanges)) {
      out.push_back(std::move(made));
    }
    return true;
  }

  core::Program& program_;
};

}  // namespace

core::Program sortNetworks(const core::Program& program) {
  if (!hasSorts(program)) return program;
  return withBodies(program, [](core::Program& result, const core::Function& function, Body& body) {
    if (function.kernel.empty()) Networks(result).body(body, true);
  });
}

}  // namespace halo::passes
