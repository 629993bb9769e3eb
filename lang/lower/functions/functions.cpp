// Definitions of the program become Core functions, one for each combination of type arguments and
// of functions among the arguments. Sizes come first, then the leaves of the arguments, and in
// closures those of the captured values. Operands that are equal sizes share one parameter, so that
// shapes agree inside as they do outside.
#include <algorithm>
#include <cctype>
#include <functional>

#include "lang/core/rewrite.h"
#include "lang/lower/functions/function_results.h"
#include "lang/lower/functions/rebuild.h"
#include "lang/types/sorts.h"

namespace halo::lower {

class Specialiser {
 public:
  Specialiser(Lowering& lowering, DefId def, Instantiation instantiation,
              const std::vector<StaticValue>& args, Span span)
      : lowering_(lowering),
        id_(def),
        def_(lowering.source.defs[def]),
        instantiation_(std::move(instantiation)),
        span_(span),
        sizes_(def_.is_recursive) {
    // A boundary that is known makes a faster stencil, also through a function. Recursion must not
    // ask for ever new instances.
    // The instances of functions among the arguments are those of sizes that are known here, not
    // inside.
    Rebuild known(
        lowering, [](const Operand& size) { return size; }, unchangedLeaf);
    for (const StaticValue& arg : args) {
      args_.push_back(known.value(def_.is_recursive ? lowering.dynamic(arg) : arg));
    }
  }

  StaticValue call() {
    collect();
    auto found = lowering_.specialisations_.find(passed_.key);
    if (found == lowering_.specialisations_.end()) {
      make();
      found = lowering_.specialisations_.find(passed_.key);
    }
    if (hasRows(found->second)) makeRowSort(found->second);
    return emitCall(found->second);
  }

 private:
  // A call's arguments: the actual operands by parameter, and the key that identifies the callee.
  struct Passed {
    Operands sizes, leaves;
    std::string key;
  };

  class SizeNumbers {
   public:
    explicit SizeNumbers(bool constants_too) : constants_too_(constants_too) {}

    // The number of a size; none for a constant that stays one.
    std::optional<size_t> of(const Operand& operand) const {
      for (size_t i = 0; i < sizes_.size(); ++i) {
        if (sizes_[i] == operand) return i;
      }
      return std::nullopt;
    }
    void add(const Operand& operand) {
      if (operand.isConstant() && !constants_too_) return;
      if (!of(operand)) sizes_.push_back(operand);
    }
    const Operands& all() const { return sizes_; }

   private:
    bool constants_too_;
    Operands sizes_;
  };

  void visit(Rebuild& rebuild) {
    rebuild.instantiation(instantiation_);
    for (const StaticValue& arg : args_) rebuild.value(arg);
  }

  void collect() {
    Rebuild find_sizes(
        lowering_, [&](const Operand& size) { return sizes_.add(size), size; }, unchangedLeaf);
    visit(find_sizes);
    Rebuild* walk = nullptr;
    Rebuild find_leaves(
        lowering_,
        [&](const Operand& size) {
          const auto number = sizes_.of(size);
          walk->shape += number ? 's' + std::to_string(*number)
                                : 'c' + std::to_string(size.constant.asSigned());
          return size;
        },
        [&](const Operand& leaf, const core::Type&) {
          const auto number = sharedSize(leaf);
          if (number) {
            walk->shape += 's' + std::to_string(*number);
          } else {
            passed_.leaves.push_back(leaf);
          }
          return leaf;
        });
    walk = &find_leaves;
    visit(find_leaves);
    passed_.sizes = sizes_.all();
    passed_.key = std::to_string(id_.index) + find_leaves.shape;
    if (lowering_.flattening_.any()) {
      passed_.key += '%' + std::to_string(lowering_.flattening_.bits);
    }
    if (lowering_.differentiating_ > 0) passed_.key += lowering_.in_reverse_ ? "'v" : "'j";
    if (def_.is_prelude && !types::isSort(def_)) {
      passed_.key += '@' + std::to_string(span_.begin) + '-' + std::to_string(span_.end);
    }
  }

  // A scalar argument that is also a size: one parameter for both.
  std::optional<size_t> sharedSize(const Operand& leaf) const {
    return leaf.isConstant() ? std::nullopt : sizes_.of(leaf);
  }

  void make() {
    Specialisation& made = lowering_.specialisations_[passed_.key];
    made.name = lowering_.functionName(def_.name);
    core::Function function = define(def_, made, [&]() -> Frame& { return enter(made); });
    function.size_params = static_cast<int>(passed_.sizes.size());
    if (types::isSort(def_)) function.kernel = {{core::KernelKind::kSort, widthOf(function)}};
    lowering_.out.functions.push_back(std::move(function));
  }

  // `enter_frame` makes the parameters.
  core::Function define(const types::Def& def, Specialisation& made,
                        const std::function<Frame&()>& enter_frame) {
    const Chain chain(lowering_, def.name, span_);
    OpenFunction* const outer = lowering_.open_;
    OpenFunction open;
    lowering_.open_ = &open;
    lowering_.openBody();
    Frame& frame = enter_frame();
    if (def.is_recursive) declareResult(lowering_, def.result, frame, made);
    const StaticValue value = lowering_.lower(def.body, frame);
    const Operands results = def.is_recursive ? declaredResults(lowering_, value, made, span_)
                                              : resultsOf(lowering_, value, made);
    core::Function function = made.function(lowering_.closeBody(results));
    function.span = def.span;
    lowering_.open_ = outer;
    return function;
  }

  // Sorts of arrays of scalars, but those in a sort of rows and below derivatives.
  bool hasRows(const Specialisation& made) const {
    return types::isSort(def_) && !made.has_row_sort && !lowering_.in_row_sort_ &&
           !lowering_.isDifferentiating() &&
           std::all_of(passed_.leaves.begin(), passed_.leaves.end(),
                       [&](const Operand& leaf) { return lowering_.out.type(leaf).rank() == 1; });
  }

  // The function that sorts rows, which the sort then names.
  void makeRowSort(Specialisation& sort) {
    sort.has_row_sort = true;
    lowering_.in_row_sort_ = true;
    const types::Def& def = lowering_.source.defs[lowering_.preludeDef(types::rowSortOf(def_))];
    Specialisation rows;
    rows.name = "rows." + sort.name;
    core::Function function = define(def, rows, [&]() -> Frame& { return enterRows(def, rows); });
    function.size_params = 1;
    lowering_.out.functions.push_back(std::move(function));
    for (core::Function& made : lowering_.out.functions) {
      if (made.name == sort.name) made.kernel[0].row_sort = rows.name;
    }
    lowering_.in_row_sort_ = false;
  }

  // Of the first array.
  Operands widthOf(const core::Function& function) const {
    for (ValueId param : function.params) {
      const Operands& shape = lowering_.out.type(param).shape;
      if (!shape.empty()) return {shape[0]};
    }
    return {};
  }

  // Parameters for everything passed, and a frame in which the definition's names mean them.
  Frame& enter(Specialisation& made) {
    for (size_t i = 0; i < passed_.sizes.size(); ++i) {
      made.params.push_back(lowering_.out.add("n", {}));
    }
    Rebuild inside(
        lowering_,
        [&](const Operand& size) -> Operand {
          const auto number = sizes_.of(size);
          return number ? Operand(made.params[*number]) : size;
        },
        [&](const Operand& leaf, const core::Type& type) -> Operand {
          if (const auto number = sharedSize(leaf)) return made.params[*number];
          for (const Operand& size : type.shape) lowering_.sizes().addExtent(size);
          made.params.push_back(lowering_.out.add("x", type));
          return made.params.back();
        });
    Frame& frame = lowering_.newFrame(nullptr, def_.is_prelude, span_);
    const Instantiation known = inside.instantiation(instantiation_);
    bindInstantiation(def_.type_parameters, def_.size_parameters, known, frame);
    for (size_t i = 0; i < args_.size(); ++i) {
      lowering_.bindPattern(def_.parameters[i], inside.value(args_[i]), frame);
    }
    return frame;
  }

  // The arrays as parameters, of a size that is one as well, and the number of a row's elements.
  Frame& enterRows(const types::Def& def, Specialisation& rows) {
    const ValueId size = lowering_.out.add("n", {});
    rows.params.push_back(size);
    lowering_.sizes().addExtent(size);
    Rebuild inside(
        lowering_, [&](const Operand&) -> Operand { return size; },
        [&](const Operand&, const core::Type& type) -> Operand {
          rows.params.push_back(lowering_.out.add("x", type));
          return rows.params.back();
        });
    Frame& frame = lowering_.newFrame(nullptr, true, span_);
    const Instantiation known = inside.instantiation(instantiation_);
    bindInstantiation(def.type_parameters, def.size_parameters, known, frame);
    for (size_t i = 0; i < args_.size(); ++i) {
      lowering_.bindPattern(def.parameters[i], inside.value(args_[i]), frame);
    }
    rows.params.push_back(lowering_.out.add("m", {}));
    lowering_.bindPattern(def.parameters.back(), {Operand(rows.params.back())}, frame);
    return frame;
  }

  StaticValue emitCall(const Specialisation& callee) {
    core::Substitution outside;
    Operands actuals = passed_.sizes;
    actuals.insert(actuals.end(), passed_.leaves.begin(), passed_.leaves.end());
    for (size_t i = 0; i < actuals.size(); ++i) outside.emplace(callee.params[i], actuals[i]);
    std::vector<ValueId> results;
    const auto exchange = [&](const Operand& operand) {
      const auto known = operand.isConstant() ? outside.end() : outside.find(operand.value);
      return known != outside.end() ? known->second : operand;
    };
    for (int i = 0; i < callee.size_results; ++i) {
      results.push_back(lowering_.out.add("n", {}));
      outside.emplace(callee.results[static_cast<size_t>(i)], results.back());
    }
    Rebuild rebuild(lowering_, exchange, [&](const Operand&, const core::Type& type) -> Operand {
      for (const Operand& size : type.shape) lowering_.sizes().addExtent(size);
      results.push_back(lowering_.out.add("t", type));
      return results.back();
    });
    const Operand* scalar = callee.result.scalar();
    const bool is_size = scalar != nullptr && lowering_.out.type(*scalar) == core::Type{};
    const std::string key = is_size ? lowering_.sizes().key(callee.name, actuals) : "";
    if (const auto known = lowering_.sizes().findComputed(key)) return {*known};
    const StaticValue value = rebuild.value(callee.result);
    if (is_size) lowering_.sizes().addComputed(key, *value.scalar());
    lowering_.builder().append(
        {std::move(results), core::Call{callee.name, actuals}, false, span_});
    return value;
  }

  Lowering& lowering_;
  DefId id_;
  const types::Def& def_;
  Instantiation instantiation_;
  std::vector<StaticValue> args_;
  Span span_;
  SizeNumbers sizes_;
  Passed passed_;
};

StaticValue Lowering::callSpecialised(DefId def, const Instantiation& instantiation,
                                      const std::vector<StaticValue>& args, Span span) {
  return Specialiser(*this, def, evaluate(instantiation), args, span).call();
}

std::string Lowering::functionName(const std::string& wanted) {
  std::string name;
  for (const char c : wanted) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '\'';
    name += is_plain ? c : '_';
  }
  const int uses = function_names_[name]++;
  return uses == 0 ? name : functionName(name + "_" + std::to_string(uses));
}

}  // namespace halo::lower
