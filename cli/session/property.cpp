#include "cli/session/property.h"

#include <algorithm>
#include <map>

#include "cli/session/random_values.h"
#include "cli/session/shrink.h"
#include "lang/engine/regroup.h"
#include "lang/value/format.h"

namespace halo::session {
namespace {

using value::Value;
using Arguments = std::vector<Value>;

constexpr int kTrials = 100;
constexpr int64_t kLargest = 12;  // of random sizes, when no generator is told another
constexpr size_t kShown = 400;    // characters of a counterexample

// What `#[prop(gen(g), shrink(s), size(n))]` says.
struct PropertyOptions {
  std::string generator;
  std::string shrinker;
  int64_t size = 100;  // the largest that a generator is asked for
};

// `name(..)` inside an attribute.
std::string partOf(const std::string& text, const std::string& name) {
  const size_t at = text.find(name + "(");
  if (at == std::string::npos) return "";
  const size_t begin = at + name.size() + 1;
  return text.substr(begin, std::min(text.find(')', begin), text.size()) - begin);
}

PropertyOptions optionsOf(const types::Program& program, const std::string& name) {
  PropertyOptions options;
  for (const syntax::Decl& decl : program.tree.decls) {
    const auto* function = std::get_if<syntax::FunctionDecl>(&decl.node);
    if (function == nullptr || function->function.name.name != name) continue;
    for (const syntax::Attribute& attribute : decl.attributes) {
      if (attribute.text.find("prop") != 0) continue;
      options.generator = partOf(attribute.text, "gen");
      options.shrinker = partOf(attribute.text, "shrink");
      const std::string size = partOf(attribute.text, "size");
      if (!size.empty() && size.find_first_not_of("0123456789") == std::string::npos) {
        options.size = std::atoll(size.c_str());
      }
    }
  }
  return options;
}

class Property {
 public:
  Property(Session& session, const ScriptPlace& place, types::DefId entry, uint64_t seed)
      : session_(session),
        place_(place),
        program_(place.loaded.program()),
        entry_(entry),
        options_(optionsOf(*program_, program_->defs[entry].name)),
        random_(seed) {}

  std::optional<std::string> refute() {
    for (int trial = 0; trial < kTrials; ++trial) {
      auto arguments = options_.generator.empty() ? randomArguments(trial) : generated(trial);
      if (!arguments) return diag::render(arguments.error(), session_.files());
      auto holds = holdsFor(*arguments);
      if (!holds) return diag::render(holds.error(), session_.files()) + textOf(*arguments);
      if (!*holds) return "is false for" + textOf(shrunk(std::move(*arguments)));
      if (program_->defs[entry_].parameters.empty()) break;
    }
    return std::nullopt;
  }

 private:
  static std::string textOf(const Arguments& arguments) {
    std::string text;
    for (const Value& argument : arguments) text += " " + value::toText(argument);
    return text.size() > kShown ? text.substr(0, kShown) + " .." : text;
  }

  diag::Result<Arguments> call(types::DefId entry, const Arguments& arguments) {
    auto prepared = session_.prepare(place_.backend, place_.loaded, entry);
    if (!prepared) return diag::Failure(prepared.error());
    return (*prepared)->call(arguments, {session_.options().cancel});
  }

  diag::Result<bool> holdsFor(const Arguments& arguments) {
    auto results = call(entry_, arguments);
    if (!results) return diag::Failure(results.error());
    const value::Scalar* answer = results->size() == 1 ? results->front().scalar() : nullptr;
    if (answer == nullptr || answer->type != prim::ScalarType::kBool) {
      return diag::fail(diag::Code::malformed_test_block, program_->defs[entry_].span,
                        "a property is a function to `bool`");
    }
    return answer->asBool();
  }

  // ---- smaller counterexamples

  bool isRefutedBy(const Arguments& arguments) {
    auto holds = holdsFor(arguments);
    return holds && !*holds;
  }

  Arguments shrunk(Arguments arguments) {
    if (!options_.shrinker.empty()) return shrunkByProgram(std::move(arguments));
    if (!options_.generator.empty()) return arguments;  // which knows what they have in common
    std::vector<SizedLeaf> leaves = shrink(sized(arguments), [&](const auto& smaller) {
      auto candidate = regrouped(entry_, valuesOf(smaller));
      return candidate && isRefutedBy(*candidate);
    });
    return regrouped(entry_, valuesOf(leaves)).value_or(arguments);
  }

  std::vector<SizedLeaf> sized(const Arguments& arguments) const {
    std::vector<SizedLeaf> leaves;
    const Arguments values = engine::flattenArguments(arguments);
    for (size_t i = 0; i < program_->defs[entry_].parameters.size(); ++i) {
      for (const types::Leaf& leaf : types::leaves(*program_, parameterType(entry_, i))) {
        SizedLeaf made{values[leaves.size()], {}};
        for (types::SizeId size : leaf.shape) {
          const bool is_constant = std::holds_alternative<types::SizeConst>(program_->sizes[size]);
          made.sizes.push_back(is_constant ? "" : types::print(*program_, size));
        }
        leaves.push_back(std::move(made));
      }
    }
    return leaves;
  }

  static Arguments valuesOf(const std::vector<SizedLeaf>& leaves) {
    Arguments values;
    for (const SizedLeaf& leaf : leaves) values.push_back(leaf.value);
    return values;
  }

  // `shrink x k`: the k-th way to make x smaller, x itself if there is none.
  Arguments shrunkByProgram(Arguments arguments) {
    constexpr int kWays = 32, kSteps = 200;
    auto shrinker = session_.findEntry(place_.loaded, options_.shrinker);
    for (int step = 0; shrinker && step < kSteps; ++step) {
      std::optional<Arguments> smaller;
      for (int way = 0; way < kWays && !smaller; ++way) {
        smaller = shrunkOneWay(*shrinker, arguments, way);
      }
      if (!smaller) break;
      arguments = std::move(*smaller);
    }
    return arguments;
  }

  std::optional<Arguments> shrunkOneWay(types::DefId shrinker, const Arguments& arguments,
                                        int way) {
    Arguments given = arguments;
    const auto leaves = program_->defs[shrinker].parameters.size() == given.size() + 1
                            ? types::leaves(*program_, parameterType(shrinker, given.size()))
                            : std::vector<types::Leaf>();
    if (leaves.empty() && way > 0) return std::nullopt;
    if (!leaves.empty()) {
      given.push_back(value::Scalar::ofUnsigned(leaves[0].scalar, static_cast<uint64_t>(way)));
    }
    if (!engine::checkArguments(*program_, shrinker, given)) return std::nullopt;
    auto made = call(shrinker, given);
    if (!made) return std::nullopt;
    Arguments parts = engine::flattenArguments(*made);
    const size_t needed = engine::flattenArguments(arguments).size();
    if (parts.size() < needed) return std::nullopt;
    parts.resize(needed);  // a status may follow
    auto smaller = regrouped(entry_, parts);
    if (!smaller || textOf(*smaller) == textOf(arguments)) return std::nullopt;
    return isRefutedBy(*smaller) ? std::optional(std::move(*smaller)) : std::nullopt;
  }

  types::TypeId parameterType(types::DefId entry, size_t i) const {
    return program_->pattern_type.at(program_->defs[entry].parameters[i]);
  }

  diag::Result<Arguments> regrouped(types::DefId entry, const Arguments& leaves) const {
    Arguments arguments;
    size_t next = 0;
    for (size_t i = 0; i < program_->defs[entry].parameters.size(); ++i) {
      arguments.push_back(engine::regroup(*program_, parameterType(entry, i), leaves, &next));
    }
    auto checked = engine::checkArguments(*program_, entry, arguments);
    if (!checked) return diag::Failure(checked.error());
    return arguments;
  }

  // Sizes grow with the trials; one name is one size.
  diag::Result<Arguments> randomArguments(int trial) {
    const auto largest = static_cast<uint64_t>(1 + trial * kLargest / kTrials);
    std::map<std::string, int64_t> sizes;
    Arguments leaves;
    for (size_t i = 0; i < program_->defs[entry_].parameters.size(); ++i) {
      for (const types::Leaf& leaf : types::leaves(*program_, parameterType(entry_, i))) {
        std::vector<int64_t> shape;
        for (types::SizeId size : leaf.shape) {
          const auto* constant = std::get_if<types::SizeConst>(&program_->sizes[size]);
          const int64_t fresh = static_cast<int64_t>(random_.bits() % (largest + 1));
          shape.push_back(constant != nullptr
                              ? constant->value
                              : sizes.emplace(types::print(*program_, size), fresh).first->second);
        }
        auto value = random_.array(leaf.scalar, std::move(shape));
        if (!value) return diag::Failure(value.error());
        leaves.push_back(std::move(*value));
      }
    }
    return regrouped(entry_, leaves);
  }

  // `gen size seed`; its integers may be of any type.
  diag::Result<Arguments> generated(int trial) {
    auto generator = session_.findEntry(place_.loaded, options_.generator);
    if (!generator) return diag::Failure(generator.error());
    const int64_t numbers[] = {options_.size * (trial + 1) / kTrials,
                               static_cast<int64_t>(random_.bits() >> 33)};
    Arguments arguments;
    for (size_t i = 0; i < program_->defs[*generator].parameters.size() && i < 2; ++i) {
      const auto leaves = types::leaves(*program_, parameterType(*generator, i));
      const auto type = leaves.empty() ? prim::ScalarType::kI64 : leaves.front().scalar;
      arguments.push_back(value::Scalar::ofUnsigned(type, static_cast<uint64_t>(numbers[i])));
    }
    auto checked = engine::checkArguments(*program_, *generator, arguments);
    if (!checked) return diag::Failure(checked.error());
    auto made = call(*generator, arguments);
    if (!made) return made;
    return regrouped(entry_, engine::flattenArguments(*made));
  }

  Session& session_;
  const ScriptPlace& place_;
  std::shared_ptr<const types::Program> program_;
  types::DefId entry_;
  PropertyOptions options_;
  RandomBits random_;
};

}  // namespace

std::optional<std::string> refuteProperty(Session& session, const ScriptPlace& place,
                                          types::DefId property, uint64_t seed) {
  return Property(session, place, property, seed).refute();
}

}  // namespace halo::session
