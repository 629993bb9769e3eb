// Checks an entry's arguments before any engine sees them. Both sides are compared leaf by leaf.
// Sizes are learnt from `i64` parameters and from plain size names. Then every extent is compared
// with the value of its size expression.
#include <fmt/format.h>

#include <array>

#include <optional>
#include <unordered_map>

#include "lang/base/match.h"
#include "lang/engine/engine.h"
#include "lang/prim/fold.h"

namespace halo::engine {

namespace {

using diag::Code;
using types::BinderId;
using value::Value;
using Done = diag::Result<std::monostate>;

std::string typeText(const Value& value) {
  return base::match(
      value.data, [](const value::Scalar& scalar) { return std::string(prim::name(scalar.type)); },
      [](const value::Array& array) {
        return value::shapeText(array.shape()) + std::string(prim::name(array.type()));
      },
      [](const value::Record& record) {
        const bool is_tuple = record.isTuple();
        std::string text;
        for (size_t i = 0; i < record.fields.size(); ++i) {
          if (i != 0) text += ", ";
          if (!is_tuple) text += record.names[i] + ": ";
          text += typeText(record.fields[i]);
        }
        return is_tuple ? "(" + text + ")" : "{" + text + "}";
      },
      [](const value::Sum& sum) {
        std::string text;
        for (const std::string& name : sum.form->constructors) {
          text += (text.empty() ? "#" : " | #") + name;
        }
        for (int i = 0; i < sum.rank; ++i) text = "[](" + text + ")";
        return text;
      });
}

class Checker {
 public:
  Checker(const types::Program& program, types::DefId entry, const std::vector<Value>& arguments)
      : program_(program), def_(program.defs[entry]), arguments_(arguments) {}

  Done check() {
    if (arguments_.size() != def_.parameters.size()) return wrongCount();
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (auto done = checkType(i); !done) return done;
    }
    for (size_t i = 0; i < arguments_.size(); ++i) {
      learnFromPattern(def_.parameters[i], arguments_[i], i);
    }
    for (size_t i = 0; i < arguments_.size(); ++i) learnFromShape(i);
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (auto done = checkSizes(i); !done) return done;
    }
    return std::monostate{};
  }

 private:
  struct Known {
    int64_t size;
    size_t argument;  // that said so
  };

  types::TypeId typeOf(size_t i) const { return program_.pattern_type.at(def_.parameters[i]); }
  source::Span spanOf(size_t i) const { return program_.tree.patterns[def_.parameters[i]].span; }

  Done wrongCount() const {
    const size_t needed = def_.parameters.size();
    return diag::fail(Code::wrong_argument_count, def_.span,
                      fmt::format("entry `{}` takes {} argument{}, found {}", def_.name, needed,
                                  needed == 1 ? "" : "s", arguments_.size()));
  }

  Done checkType(size_t i) const {
    const std::vector<types::Leaf> wanted = types::leaves(program_, typeOf(i));
    const std::vector<Value> found = value::flatten(arguments_[i]);
    bool fits = wanted.size() == found.size();
    for (size_t k = 0; fits && k < found.size(); ++k)
      fits = value::isLeaf(found[k], wanted[k].scalar, wanted[k].shape.size());
    if (fits) return std::monostate{};
    return diag::fail(
        Code::wrong_argument_type, spanOf(i),
        fmt::format("argument {} of `{}` has type `{}`, needed `{}`", i + 1, def_.name,
                    typeText(arguments_[i]), types::print(program_, typeOf(i))));
  }

  void learn(BinderId binder, int64_t size, size_t argument) {
    sizes_.emplace(binder, Known{size, argument});
  }

  // `(n: i64)`: later types may say `[n]`.
  void learnFromPattern(types::PatternId pattern, const Value& value, size_t argument) {
    const auto learnField = [&](size_t field, types::PatternId inner) {
      const value::Record* record = value.record();
      if (record != nullptr && field < record->fields.size()) {
        learnFromPattern(inner, record->fields[field], argument);
      }
    };
    base::match(
        program_.tree.patterns[pattern].node,
        [&](const syntax::PatternName&) {
          const value::Scalar* scalar = value.scalar();
          if (scalar != nullptr && scalar->type == prim::ScalarType::kI64) {
            learn(program_.binder_of.at(pattern), scalar->asSigned(), argument);
          }
        },
        [&](const syntax::PatternTuple& tuple) {
          for (size_t i = 0; i < tuple.elements.size(); ++i) learnField(i, tuple.elements[i]);
        },
        [&](const syntax::PatternTyped& typed) {
          learnFromPattern(typed.pattern, value, argument);
        },
        [&](const syntax::PatternRecord& record_pattern) {
          const value::Record* record = value.record();
          for (const auto& [name, inner] : record_pattern.fields) {
            for (size_t i = 0; record != nullptr && i < record->names.size(); ++i) {
              if (record->names[i] == name.name) learnField(i, inner);
            }
          }
        },
        [&](const syntax::PatternAttributed& attributed) {
          learnFromPattern(attributed.pattern, value, argument);
        },
        [](const syntax::PatternConstructor&) {}, [](const syntax::PatternLiteral&) {},
        [](const syntax::PatternWildcard&) {});
  }

  void learnFromShape(size_t i) {
    forEachExtent(i, [&](types::SizeId size, int64_t extent) {
      if (const auto* name = std::get_if<types::SizeBinder>(&program_.sizes[size])) {
        learn(name->binder, extent, i);
      }
    });
  }

  Done checkSizes(size_t i) const {
    const std::vector<types::Leaf> wanted = types::leaves(program_, typeOf(i));
    const std::vector<Value> found = value::flatten(arguments_[i]);
    for (size_t k = 0; k < found.size(); ++k) {
      if (found[k].array() == nullptr) continue;
      const std::vector<int64_t>& shape = found[k].array()->shape();
      std::vector<int64_t> needed = shape;
      for (size_t axis = 0; axis < shape.size(); ++axis) {
        needed[axis] = evaluate(wanted[k].shape[axis]).value_or(shape[axis]);
      }
      if (needed != shape) return wrongShape(i, wanted[k], shape, needed);
    }
    return std::monostate{};
  }

  Done wrongShape(size_t i, const types::Leaf& wanted, const std::vector<int64_t>& found,
                  const std::vector<int64_t>& needed) const {
    std::vector<std::string> notes;
    for (size_t axis = 0; axis < found.size(); ++axis) {
      const auto* name = std::get_if<types::SizeBinder>(&program_.sizes[wanted.shape[axis]]);
      if (found[axis] == needed[axis] || name == nullptr) continue;
      notes.push_back(fmt::format("argument {} says that `{}` is {}",
                                  sizes_.at(name->binder).argument + 1,
                                  program_.binders[name->binder].name, needed[axis]));
    }
    return diag::fail(Code::shape_mismatch, spanOf(i),
                      fmt::format("argument {} of `{}` has shape `{}`, needed `{}`", i + 1,
                                  def_.name, value::shapeText(found), value::shapeText(needed)),
                      std::move(notes));
  }

  template <typename Visit>
  void forEachExtent(size_t i, Visit visit) const {
    const std::vector<types::Leaf> wanted = types::leaves(program_, typeOf(i));
    const std::vector<Value> found = value::flatten(arguments_[i]);
    for (size_t k = 0; k < found.size(); ++k) {
      if (found[k].array() == nullptr) continue;
      const std::vector<int64_t>& shape = found[k].array()->shape();
      for (size_t axis = 0; axis < shape.size(); ++axis) visit(wanted[k].shape[axis], shape[axis]);
    }
  }

  // Nothing if it mentions a size that no argument tells. Wraps as i64 does in the program.
  std::optional<int64_t> evaluate(types::SizeId size) const {
    return base::match(
        program_.sizes[size],
        [](const types::SizeConst& constant) { return std::optional(constant.value); },
        [&](const types::SizeBinder& name) -> std::optional<int64_t> {
          const auto known = sizes_.find(name.binder);
          if (known == sizes_.end()) return std::nullopt;
          return known->second.size;
        },
        [&](const types::SizeArith& arith) -> std::optional<int64_t> {
          const auto lhs = evaluate(arith.lhs), rhs = evaluate(arith.rhs);
          if (!lhs || !rhs) return std::nullopt;
          const auto a = static_cast<uint64_t>(*lhs), b = static_cast<uint64_t>(*rhs);
          switch (arith.op) {
            case types::SizeOp::kAdd:
              return static_cast<int64_t>(a + b);
            case types::SizeOp::kSub:
              return static_cast<int64_t>(a - b);
            case types::SizeOp::kMul:
              return static_cast<int64_t>(a * b);
          }
          HALO_UNREACHABLE("unknown size operation");
        },
        [&](const types::SizeExpression& expression) { return evaluate(expression.value); });
  }

  // Of expressions, those that are operations on sizes: `n / 2`. The rest is the engine's.
  std::optional<int64_t> evaluate(types::ExprId expr) const {
    const syntax::ExprNode& node = program_.tree.exprs[expr].node;
    if (auto* inner = std::get_if<syntax::Parenthesised>(&node)) return evaluate(inner->value);
    if (const auto& literal = program_.literal_of.at(expr)) {
      return prim::isInteger(literal->type) ? std::optional(literal->asSigned()) : std::nullopt;
    }
    const auto& use = program_.use_of.at(expr);
    if (!use) return std::nullopt;
    if (auto* local = std::get_if<types::LocalTarget>(&use->target)) {
      const auto known = sizes_.find(local->binder);
      return known == sizes_.end() ? std::nullopt : std::optional(known->second.size);
    }
    auto* meaning = std::get_if<types::PrimMeaning>(&use->target);
    auto* binary = std::get_if<syntax::Binary>(&node);
    if (!meaning || !binary || meaning->type != prim::ScalarType::kI64) return std::nullopt;
    const auto lhs = evaluate(binary->lhs), rhs = evaluate(binary->rhs);
    if (!lhs || !rhs) return std::nullopt;
    const std::array<prim::Scalar, 2> operands = {prim::Scalar::ofI64(*lhs),
                                                  prim::Scalar::ofI64(*rhs)};
    const prim::Folded folded = prim::fold(meaning->op, meaning->type, operands);
    auto* result = std::get_if<prim::Scalar>(&folded);
    return result && result->type == meaning->type ? std::optional(result->asSigned())
                                                   : std::nullopt;
  }

  const types::Program& program_;
  const types::Def& def_;
  const std::vector<Value>& arguments_;
  std::unordered_map<BinderId, Known> sizes_;
};

}  // namespace

diag::Result<std::monostate> checkArguments(const types::Program& program, types::DefId entry,
                                            const std::vector<value::Value>& arguments) {
  return Checker(program, entry, arguments).check();
}

}  // namespace halo::engine
