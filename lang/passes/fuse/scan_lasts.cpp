// The match goes away as a whole: without elements a reduction is its neutral element.
#include "lang/passes/fuse/scan_lasts.h"

#include <algorithm>
#include <optional>

#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/core/text/shorthand.h"
#include "lang/prim/fold.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Operands;
using core::Program;
using core::Stm;
using core::ValueId;
using prim::Op;
using prim::ScalarType;

class LastElements {
 public:
  LastElements(Program& program, Body& body, const std::vector<const Stm*>& around)
      : program_(program), body_(body), around_(around) {}

  void run() {
    for (size_t i = 0; i < body_.stms.size(); ++i) {
      for (size_t s = 0; s < scansOf(i); ++s) take(i, s);  // moves statements
    }
  }

 private:
  size_t scansOf(size_t at) const {
    const auto* screma = std::get_if<core::Screma>(&body_.stms[at].expr);
    return screma == nullptr ? 0 : screma->scans.size();
  }
  static size_t reduced(const core::Screma& screma) {
    size_t count = 0;
    for (const core::Reduction& reduction : screma.reductions) count += reduction.neutral.size();
    return count;
  }

  void take(size_t at, size_t s) {
    auto& screma = std::get<core::Screma>(body_.stms[at].expr);
    const bool are_single = std::all_of(screma.scans.begin(), screma.scans.end(),
                                        [](const auto& scan) { return scan.neutral.size() == 1; });
    const core::Scan& scan = screma.scans[s];
    auto op = core::asPrimitive(program_, scan.op);
    if (!are_single || !op || prim::isFloat(op->second) || !scan.neutral[0].isConstant()) return;
    const size_t first = reduced(screma);
    ends_ = body_.stms[at].results[first + s];
    if (!isScattered(at)) return;
    width_ = screma.width;
    neutral_ = scan.neutral[0].constant;
    last_.reset();
    known_.clear();
    differences_.clear(), empty_.clear(), some_.clear();
    for (const Stm* stm : around_) note(*stm);
    for (size_t i = 0; i < at; ++i) note(body_.stms[i]);
    for (size_t i = at + 1; i < body_.stms.size(); ++i) {
      note(body_.stms[i]);
      i += replace(body_.stms, i);
    }
    if (known_.empty()) return;
    core::substitute(program_, body_, known_);
    Stm& stm = body_.stms[at];
    auto& node = std::get<core::Screma>(stm.expr);
    node.reductions.push_back({core::freshCopy(program_, scan.op), node.scans[s].neutral, true});
    Operands& results = node.map.body.results;
    const Operand element = results[first + s];
    results.insert(results.begin() + static_cast<std::ptrdiff_t>(first), element);
    stm.results.insert(stm.results.begin() + static_cast<std::ptrdiff_t>(first), last());
  }

  bool isScattered(size_t at) const {
    return std::any_of(body_.stms.begin() + static_cast<std::ptrdiff_t>(at), body_.stms.end(),
                       [&](const Stm& stm) {
                         const auto* scatter = std::get_if<core::Scatter>(&stm.expr);
                         return scatter != nullptr &&
                                std::find(scatter->inputs.begin(), scatter->inputs.end(), ends_) !=
                                    scatter->inputs.end();
                       });
  }

  ValueId last() {
    if (!last_) last_ = program_.add("last", {neutral_.type, {}});
    return *last_;
  }

  // Values that are one less than the number of elements, and whether there are any.
  void note(const Stm& stm) {
    const auto* op = std::get_if<core::PrimOp>(&stm.expr);
    if (op == nullptr || op->type != ScalarType::kI64 || op->args.size() != 2) return;
    const Operand one = Operand::ofI64(1), minus = Operand::ofI64(-1), zero = Operand::ofI64(0);
    const Operands& args = op->args;
    auto is = [&](Op which, const Operand& a, const Operand& b) {
      return op->op == which && args[0] == a && args[1] == b;
    };
    bool is_last =
        is(Op::kSub, width_, one) || is(Op::kAdd, width_, minus) || is(Op::kAdd, minus, width_);
    if (is_last) differences_.push_back(stm.results[0]);
    if (is(Op::kEq, width_, zero) || is(Op::kEq, zero, width_)) empty_.push_back(stm.results[0]);
    bool is_some = is(Op::kLt, zero, width_) || is(Op::kGt, width_, zero) ||
                   is(Op::kNe, width_, zero) || is(Op::kNe, zero, width_);
    if (is_some) some_.push_back(stm.results[0]);
  }
  static bool isOne(const std::vector<ValueId>& list, const Operand& operand) {
    return !operand.isConstant() &&
           std::find(list.begin(), list.end(), operand.value) != list.end();
  }

  bool isLast(const Stm& stm) const {
    const auto* index = std::get_if<core::Index>(&stm.expr);
    return index != nullptr && index->array == ends_ && index->indices.size() == 1 &&
           isOne(differences_, index->indices[0]);
  }

  // Statement i, if it is one of the two; how many statements there are more than before.
  ptrdiff_t replace(std::vector<Stm>& stms, size_t i) {
    if (auto* match = std::get_if<core::Match>(&stms[i].expr)) {
      if (auto value = lastIfAny(*match, stms[i])) {
        std::vector<Stm> behind = std::move(*value);
        stms.erase(stms.begin() + static_cast<std::ptrdiff_t>(i));
        stms.insert(stms.begin() + static_cast<std::ptrdiff_t>(i), behind.begin(), behind.end());
        return static_cast<ptrdiff_t>(behind.size()) - 1;
      }
    }
    if (isLast(stms[i])) {
      known_[stms[i].results[0]] = last();
      std::vector<Stm> check = checkOf(stms[i]);
      stms.erase(stms.begin() + static_cast<std::ptrdiff_t>(i));
      stms.insert(stms.begin() + static_cast<std::ptrdiff_t>(i), check.begin(), check.end());
      return static_cast<ptrdiff_t>(check.size()) - 1;
    }
    core::forEachBody(stms[i].expr, [&](Body& inner) {
      for (size_t k = 0; k < inner.stms.size(); ++k) {
        note(inner.stms[k]);
        k += static_cast<size_t>(replace(inner.stms, k));
      }
    });
    return 0;
  }
  std::vector<Stm> checkOf(const Stm& stm) {
    if (!stm.checked) return {};
    core::Builder builder(program_);
    const Operand some = builder.prim(Op::kLt, ScalarType::kI64, {Operand::ofI64(0), width_});
    const Operand place = std::get<core::Index>(stm.expr).indices[0];
    builder.assertThat(some, diag::Code::index_out_of_range, {place, width_}, stm.span);
    return builder.take({}).stms;
  }

  // The arm for arrays with elements, where it is right without elements as well.
  std::optional<std::vector<Stm>> lastIfAny(const core::Match& match, const Stm& stm) {
    if (match.cases.size() != 1 || stm.results.size() != 1) return std::nullopt;
    const bool tests_empty = isOne(empty_, match.scrutinee),
               tests_some = isOne(some_, match.scrutinee);
    if (!tests_empty && !tests_some) return std::nullopt;
    const bool case_has_some = tests_some == match.cases[0].value.asBool();
    const Body& some = case_has_some ? match.cases[0].body : match.otherwise;
    const Body& none = case_has_some ? match.otherwise : match.cases[0].body;
    if (!none.stms.empty() || !none.results[0].isConstant()) return std::nullopt;
    return withoutMatch(some, none.results[0].constant, stm.results[0]);
  }
  std::optional<std::vector<Stm>> withoutMatch(const Body& some, const prim::Scalar& if_none,
                                               ValueId result) {
    core::Substitution known;
    prim::Scalar value = neutral_;
    ValueId now;
    bool found = false;
    std::vector<Stm> conversions;
    for (const Stm& stm : some.stms) {
      if (stm.results.size() != 1) return std::nullopt;
      note(stm);
      const auto* convert = std::get_if<core::Convert>(&stm.expr);
      if (isLast(stm)) {
        known[stm.results[0]] = last();
        found = true;
      } else if (convert != nullptr && found && !stm.checked && convert->arg == Operand(now)) {
        value = prim::convert(convert->kind, convert->to, value);
        conversions.push_back(stm);
      } else if (!isOne(differences_, stm.results[0])) {
        return std::nullopt;
      }
      now = stm.results[0];
    }
    if (!found || some.results[0] != Operand(now) || value != if_none) return std::nullopt;
    known[result] = conversions.empty() ? Operand(last()) : Operand(now);
    known_.insert(known.begin(), known.end());
    return conversions;
  }

  Program& program_;
  Body& body_;
  const std::vector<const Stm*>& around_;
  // Of the scan at hand.
  ValueId ends_;
  std::optional<ValueId> last_;  // made when it is needed
  Operand width_;
  prim::Scalar neutral_;
  std::vector<ValueId> differences_, empty_, some_;
  core::Substitution known_;
};

}  // namespace

void reduceForLasts(Program& program, Body& body, const std::vector<const Stm*>& around) {
  LastElements(program, body, around).run();
}

}  // namespace halo::passes
