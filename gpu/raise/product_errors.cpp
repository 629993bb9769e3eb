// What two_product_f32 of the prelude spells out is found again by its shape, from its end.
#include <unordered_map>
#include <unordered_set>

#include "gpu/raise/raise.h"
#include "lang/imp/operands.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::ConvertKind;
using prim::Op;

namespace {

constexpr ScalarType kF32 = ScalarType::kF32;
constexpr uint32_t kHighBits = 0xfffff000U;  // of a factor: twelve digits

class ProductErrors {
 public:
  explicit ProductErrors(Program& program) : program_(program) {}

  Block run(const Block& body) {
    return rewriteBlock(body, [&](Stm stm, Block& out) {
      if (auto* let = std::get_if<Let>(&stm.node)) {
        if (auto found = error(let->expr)) {
          const VarId minus = program_.addVar("t", kF32);
          out.push_back({Let{minus, Prim{Op::kNeg, kF32, {found->product}}}});
          let->expr = Fma{kF32, found->a, found->b, Operand(minus)};
        }
        note(*let);
      } else if (const auto* assign = std::get_if<Assign>(&stm.node)) {
        forget(assign->var);
      }
      out.push_back(std::move(stm));
    });
  }

 private:
  struct Error {
    Operand a, b, product;
  };

  void note(const Let& let) {
    defined_[let.var] = let.expr;
    for (const Operand& operand : operandsOf(let.expr)) {
      if (!operand.isConstant()) users_[operand.var].push_back(let.var);
    }
  }
  // What was computed from the variable before is not what it would be now.
  void forget(VarId changed) {
    for (VarId user : users_[changed]) defined_.erase(user);
    users_.erase(changed);
  }

  template <class Node>
  const Node* part(const Operand& operand) const {
    auto found = operand.isConstant() ? defined_.end() : defined_.find(operand.var);
    return found == defined_.end() ? nullptr : std::get_if<Node>(&found->second);
  }
  const Prim* f32(const Operand& operand, Op op) const {
    const Prim* prim = part<Prim>(operand);
    return prim != nullptr && prim->op == op && prim->type == kF32 ? prim : nullptr;
  }

  // (((ah * bh - p) + ah * bl) + al * bh) + al * bl with p = a * b
  std::optional<Error> error(const Expr& expr) const {
    const Prim* last = std::get_if<Prim>(&expr);
    if (last == nullptr || last->op != Op::kAdd || last->type != kF32) return std::nullopt;
    const Prim* third = f32(last->args[0], Op::kAdd);
    const Prim* second = third == nullptr ? nullptr : f32(third->args[0], Op::kAdd);
    const Prim* first = second == nullptr ? nullptr : f32(second->args[0], Op::kSub);
    const Prim* product = first == nullptr ? nullptr : f32(first->args[1], Op::kMul);
    if (product == nullptr) return std::nullopt;
    const Operand terms[] = {first->args[0], second->args[1], third->args[1], last->args[1]};
    for (size_t turned : {0, 1}) {
      const Operand &a = product->args[turned], &b = product->args[1 - turned];
      if (areOf(terms, a, b)) return Error{a, b, first->args[1]};
    }
    return std::nullopt;
  }

  bool areOf(const Operand (&terms)[4], const Operand& a, const Operand& b) const {
    for (size_t k = 0; k < 4; k++) {
      const Prim* term = f32(terms[k], Op::kMul);
      if (term == nullptr) return false;
      auto fits = [&](size_t turned) {
        return isPart(term->args[turned], a, k >= 2) &&
               isPart(term->args[1 - turned], b, k % 2 == 1);
      };
      if (!fits(0) && !fits(1)) return false;
    }
    return true;
  }

  bool isPart(const Operand& part, const Operand& x, bool is_low) const {
    if (x.isConstant()) return part.isConstant() && part.constant.bits == partOf(x, is_low);
    if (!is_low) return isHigh(part, x);
    const Prim* rest = f32(part, Op::kSub);
    return rest != nullptr && rest->args[0] == x && isHigh(rest->args[1], x);
  }
  static uint64_t partOf(const Operand& x, bool is_low) {
    const auto high = Scalar::fromBits(kF32, x.constant.bits & kHighBits);
    if (!is_low) return high.bits;
    const double rest = x.constant.asDouble() - high.asDouble();  // exact
    return Scalar::ofFloat(kF32, static_cast<float>(rest)).bits;
  }
  // The number of the bits of x, or of NaN's, less the last ones.
  bool isHigh(const Operand& operand, const Operand& x) const {
    const Convert* back = part<Convert>(operand);
    const Prim* masked = back == nullptr ? nullptr : part<Prim>(back->arg);
    if (masked == nullptr || back->kind != ConvertKind::kBits || masked->op != Op::kAnd)
      return false;
    if (masked->args[1] != Operand(Scalar::ofUnsigned(ScalarType::kU32, kHighBits))) return false;
    const Select* select = part<Select>(masked->args[0]);
    const Prim* is_nan = select == nullptr ? nullptr : part<Prim>(select->condition);
    return is_nan != nullptr && is_nan->op == Op::kIsNan && is_nan->args[0] == x &&
           isBitsOf(select->on_false, x);
  }
  bool isBitsOf(const Operand& operand, const Operand& x) const {
    const Convert* bits = part<Convert>(operand);
    return bits != nullptr && bits->kind == ConvertKind::kBits && bits->arg == x;
  }

  Program& program_;
  std::unordered_map<VarId, Expr> defined_;
  std::unordered_map<VarId, std::vector<VarId>> users_;
};

// What only computes values that nobody reads any more.
Block withoutDead(Block body) {
  while (true) {
    std::unordered_set<VarId> used;
    size_t lets = 0, kept = 0;
    forEachStm(body, [&](const Stm& stm) {
      forEachOperand(stm, [&](const Operand& operand) {
        if (!operand.isConstant()) used.insert(operand.var);
      });
    });
    body = rewriteBlock(body, [&](Stm stm, Block& out) {
      const auto* let = std::get_if<Let>(&stm.node);
      const bool is_pure = let != nullptr && (std::holds_alternative<Prim>(let->expr) ||
                                              std::holds_alternative<Convert>(let->expr) ||
                                              std::holds_alternative<Select>(let->expr));
      lets++;
      if (is_pure && !used.contains(let->var)) return;
      kept++;
      out.push_back(std::move(stm));
    });
    if (kept == lets) return body;
  }
}

}  // namespace

Function fuseProductErrors(Program& program, const Function& kernel, const Target& target) {
  if (!target.fuses_f32) return kernel;
  Function result = kernel;
  result.body = ProductErrors(program).run(kernel.body);
  if (result.body != kernel.body) result.body = withoutDead(std::move(result.body));
  return result;
}

}  // namespace halo::gpu
