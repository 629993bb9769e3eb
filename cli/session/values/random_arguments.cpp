#include "cli/session/values/random_arguments.h"

#include <algorithm>
#include <array>
#include <map>

#include "cli/session/values/sum_slots.h"
#include "lang/engine/regroup.h"
#include "lang/value/format.h"

namespace halo::session {
namespace {

// `name(..)` inside an attribute.
std::string partOf(const std::string& text, const std::string& name) {
  const size_t at = text.find(name + "(");
  if (at == std::string::npos) return "";
  const size_t begin = at + name.size() + 1;
  return text.substr(begin, std::min(text.find(')', begin), text.size()) - begin);
}

// `#[prop(gen(g), shrink(s), size(n))]` in front of a definition.
std::string attributeOf(const types::Program& program, types::DefId entry) {
  for (const syntax::Decl& decl : program.tree.decls) {
    const auto* function = std::get_if<syntax::FunctionDecl>(&decl.node);
    if (function == nullptr || function->function.name.name != program.defs[entry].name) continue;
    for (const syntax::Attribute& attribute : decl.attributes) {
      if (attribute.text.find("prop") == 0) return attribute.text;
    }
  }
  return "";
}

// Around the widths of vectors, subgroups, workgroups and tiles.
constexpr std::array<int64_t, 26> kEdges = {0,   1,   2,   3,    5,    8,    15,   16,  17,
                                            31,  32,  33,  63,   64,   65,   127,  128, 129,
                                            255, 256, 257, 1000, 1023, 1024, 1025, 4097};

int64_t mostRank(const types::Program& program, types::DefId entry) {
  size_t rank = 1;
  for (const auto parameter : program.defs[entry].parameters) {
    for (const types::Leaf& leaf : types::leaves(program, program.pattern_type.at(parameter))) {
      rank = std::max(rank, leaf.shape.size());
    }
  }
  return static_cast<int64_t>(rank);
}

}  // namespace

RandomArguments::RandomArguments(Session& session, const ScriptPlace& place, types::DefId entry,
                                 uint64_t seed, ArgumentStyle style)
    : session_(session),
      place_(place),
      program_(place.loaded.program()),
      entry_(entry),
      style_(std::move(style)),
      generator_(style_.generator),
      random_(seed) {
  const std::string attribute = attributeOf(*program_, entry);
  if (generator_.empty()) generator_ = partOf(attribute, "gen");
  shrinker_ = partOf(attribute, "shrink");
  const std::string size = partOf(attribute, "size");
  constexpr size_t kMaxDigits = 9;
  if (!size.empty() && size.size() <= kMaxDigits &&
      size.find_first_not_of("0123456789") == std::string::npos) {
    generator_size_ = std::stoll(size);
  }
  // A cube must not have the cells of three lines.
  constexpr int64_t kMaxInPlane = 512, kMaxInCube = 64;
  const int64_t rank = mostRank(*program_, entry);
  if (rank == 2) style_.largest = std::min(style_.largest, kMaxInPlane);
  if (rank > 2) style_.largest = std::min(style_.largest, kMaxInCube);
}

diag::Result<Arguments> RandomArguments::make(double fraction) {
  if (areGenerated()) return generated(fraction);
  return byType(static_cast<int64_t>(1 + fraction * static_cast<double>(style_.largest)));
}

types::TypeId RandomArguments::parameterType(types::DefId entry, size_t i) const {
  return program_->pattern_type.at(program_->defs[entry].parameters[i]);
}

diag::Result<Arguments> RandomArguments::call(types::DefId entry, const Arguments& arguments) {
  auto prepared = session_.prepare(place_.backend, place_.loaded, entry);
  if (!prepared) return diag::Failure(prepared.error());
  return (*prepared)->call(arguments, {session_.options().cancel});
}

diag::Result<Arguments> RandomArguments::regrouped(const Arguments& leaves) const {
  Arguments arguments;
  size_t next = 0;
  for (size_t i = 0; i < program_->defs[entry_].parameters.size(); ++i) {
    arguments.push_back(
        withUsedSlots(engine::regroup(*program_, parameterType(entry_, i), leaves, &next)));
  }
  auto checked = engine::checkArguments(*program_, entry_, arguments);
  if (!checked) return diag::Failure(checked.error());
  return arguments;
}

int64_t RandomArguments::size(int64_t largest) {
  const auto any = static_cast<int64_t>(random_.bits() % static_cast<uint64_t>(largest + 1));
  if (!style_.edges || random_.bits() % 4 == 0) return any;
  const auto end = std::upper_bound(kEdges.begin(), kEdges.end(), largest);
  return kEdges[random_.bits() % static_cast<uint64_t>(end - kEdges.begin())];
}

// One name is one size.
diag::Result<Arguments> RandomArguments::byType(int64_t largest) {
  std::map<std::string, int64_t> sizes;
  Arguments leaves;
  for (size_t i = 0; i < program_->defs[entry_].parameters.size(); ++i) {
    for (const types::Leaf& leaf : types::leaves(*program_, parameterType(entry_, i))) {
      std::vector<int64_t> shape;
      for (types::SizeId id : leaf.shape) {
        const auto* constant = std::get_if<types::SizeConst>(&program_->sizes[id]);
        const int64_t fresh = size(largest);
        shape.push_back(constant != nullptr
                            ? constant->value
                            : sizes.emplace(types::print(*program_, id), fresh).first->second);
      }
      auto value = style_.edges ? random_.edgeArray(leaf.scalar, std::move(shape))
                                : random_.array(leaf.scalar, std::move(shape));
      if (!value) return diag::Failure(value.error());
      leaves.push_back(std::move(*value));
    }
  }
  return regrouped(leaves);
}

// `gen size seed`; its integers may be of any type.
diag::Result<Arguments> RandomArguments::generated(double fraction) {
  auto generator = session_.findEntry(place_.loaded, generator_);
  if (!generator) return diag::Failure(generator.error());
  const int64_t numbers[] = {static_cast<int64_t>(static_cast<double>(generator_size_) * fraction),
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
  return regrouped(engine::flattenArguments(*made));
}

// ---- smaller ones

namespace {

Arguments valuesOf(const std::vector<SizedLeaf>& leaves) {
  Arguments values;
  for (const SizedLeaf& leaf : leaves) values.push_back(leaf.value);
  return values;
}

}  // namespace

Arguments RandomArguments::shrunk(Arguments arguments,
                                  const std::function<bool(const Arguments&)>& refutes) {
  if (!shrinker_.empty()) return shrunkByProgram(std::move(arguments), refutes);
  if (areGenerated()) return arguments;
  std::vector<SizedLeaf> leaves = shrink(
      sized(arguments),
      [&](const auto& smaller) {
        auto candidate = regrouped(valuesOf(smaller));
        return candidate && refutes(*candidate);
      },
      style_.tries);
  return regrouped(valuesOf(leaves)).value_or(arguments);
}

std::vector<SizedLeaf> RandomArguments::sized(const Arguments& arguments) const {
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

// `shrink x k`: the k-th way to make x smaller, x itself if there is none.
Arguments RandomArguments::shrunkByProgram(Arguments arguments,
                                           const std::function<bool(const Arguments&)>& refutes) {
  constexpr int kWays = 32;
  int tries = style_.tries;
  auto shrinker = session_.findEntry(place_.loaded, shrinker_);
  while (shrinker) {
    std::optional<Arguments> smaller;
    for (int way = 0; way < kWays && tries > 0 && !smaller; ++way, --tries) {
      smaller = shrunkOneWay(*shrinker, arguments, way);
      if (smaller && !refutes(*smaller)) smaller.reset();
    }
    if (!smaller) break;
    arguments = std::move(*smaller);
  }
  return arguments;
}

std::optional<Arguments> RandomArguments::shrunkOneWay(types::DefId shrinker,
                                                       const Arguments& arguments, int way) {
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
  auto smaller = regrouped(parts);
  if (!smaller || textOf(*smaller) == textOf(arguments)) return std::nullopt;
  return std::move(*smaller);
}

std::string textOf(const Arguments& arguments) {
  std::string text;
  for (const value::Value& argument : arguments) text += " " + value::toText(argument);
  return text;
}

}  // namespace halo::session
