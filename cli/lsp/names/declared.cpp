#include "cli/lsp/names/declared.h"

#include <algorithm>
#include <vector>

namespace halo::lsp {
namespace {

template <typename Parts>
bool hasNames(const Parts& parts, const std::vector<std::string>& names) {
  return parts.size() == names.size() &&
         std::all_of(parts.begin(), parts.end(), [&](const auto& part) {
           return std::find(names.begin(), names.end(), part.first.name) != names.end();
         });
}

template <typename Parts>
std::optional<source::Span> partIn(const Parts& parts, const std::string& name) {
  const auto found = std::find_if(parts.begin(), parts.end(),
                                  [&](const auto& part) { return part.first.name == name; });
  if (found == parts.end()) return std::nullopt;
  return found->first.span;
}

}  // namespace

std::optional<source::Span> DeclaredParts::fieldOf(types::TypeId record,
                                                   const std::string& name) const {
  const auto* node = record ? std::get_if<types::RecordType>(&program_.types[record]) : nullptr;
  if (node == nullptr) return std::nullopt;
  for (const syntax::TypeExpr& type : program_.tree.types) {
    const auto* written = std::get_if<syntax::TypeRecord>(&type.node);
    if (written != nullptr && hasNames(written->fields, node->names) && fits(*written, *node)) {
      return partIn(written->fields, name);
    }
  }
  return std::nullopt;
}

std::optional<source::Span> DeclaredParts::constructorOf(types::TypeId sum,
                                                         const std::string& name) const {
  const auto* node = sum ? std::get_if<types::SumType>(&program_.types[sum]) : nullptr;
  if (node == nullptr) return std::nullopt;
  for (const syntax::TypeExpr& type : program_.tree.types) {
    const auto* written = std::get_if<syntax::TypeSum>(&type.node);
    if (written != nullptr && hasNames(written->constructors, node->constructors)) {
      return partIn(written->constructors, name);
    }
  }
  return std::nullopt;
}

source::Span DeclaredParts::fieldOf(const syntax::TypeRecord& record,
                                    const syntax::Identifier& field) const {
  const auto isAlike = [&](const syntax::TypeRecord& other) {
    return other.fields.size() == record.fields.size() &&
           std::equal(other.fields.begin(), other.fields.end(), record.fields.begin(),
                      [&](const auto& a, const auto& b) {
                        return a.first.name == b.first.name && textOf(a.second) == textOf(b.second);
                      });
  };
  for (const syntax::TypeExpr& type : program_.tree.types) {
    const auto* other = std::get_if<syntax::TypeRecord>(&type.node);
    if (other != nullptr && isAlike(*other)) return *partIn(other->fields, field.name);
  }
  return field.span;
}

source::Span DeclaredParts::constructorOf(const syntax::TypeSum& sum,
                                          const syntax::Identifier& name) const {
  std::vector<std::string> names;
  for (const auto& [constructor, parts] : sum.constructors) names.push_back(constructor.name);
  for (const syntax::TypeExpr& type : program_.tree.types) {
    const auto* other = std::get_if<syntax::TypeSum>(&type.node);
    if (other == nullptr || !hasNames(other->constructors, names)) continue;
    return *partIn(other->constructors, name.name);
  }
  return name.span;
}

std::string_view DeclaredParts::textOf(const source::Span& span) const {
  const source::Files& files = analysis_.files();
  return files.contains(span.file) ? files.text(span) : std::string_view();
}

std::string_view DeclaredParts::textOf(syntax::TypeExprId type) const {
  return textOf(program_.tree.types[type].span);
}

bool DeclaredParts::fits(const syntax::TypeRecord& written, const types::RecordType& record) const {
  return std::all_of(written.fields.begin(), written.fields.end(), [&](const auto& field) {
    const auto at = std::find(record.names.begin(), record.names.end(), field.first.name);
    return at != record.names.end() &&
           mayMean(field.second, record.fields[at - record.names.begin()]);
  });
}

// Types that the meanings of names leave open count as equal: the program has no types of types.
bool DeclaredParts::mayMean(syntax::TypeExprId written, types::TypeId type) const {
  const syntax::TypeNode& node = program_.tree.types[written].node;
  const types::TypeNode& meant = program_.types[type];
  if (const auto* unique = std::get_if<syntax::TypeUnique>(&node)) {
    return mayMean(unique->type, type);
  } else if (const auto* array = std::get_if<syntax::TypeArray>(&node)) {
    const auto* other = std::get_if<types::ArrayType>(&meant);
    return other != nullptr && mayMean(array->element, other->element);
  } else if (const auto* inner = std::get_if<syntax::TypeRecord>(&node)) {
    const auto* other = std::get_if<types::RecordType>(&meant);
    return other != nullptr && hasNames(inner->fields, other->names) && fits(*inner, *other);
  } else if (const auto* tuple = std::get_if<syntax::TypeTuple>(&node)) {
    const auto* other = std::get_if<types::RecordType>(&meant);
    return other != nullptr && other->fields.size() == tuple->elements.size();
  } else if (const auto* name = std::get_if<syntax::TypeName>(&node)) {
    return !name->name.qualifiers.empty() || mayBeCalled(name->name.name, written, type);
  }
  return true;
}

bool DeclaredParts::mayBeCalled(const std::string& name, syntax::TypeExprId written,
                                types::TypeId type) const {
  std::vector<syntax::TypeExprId> meanings;  // in front of it: `type t = t` means an earlier one
  for (const syntax::Decl& decl : program_.tree.decls) {
    const auto* node = std::get_if<syntax::TypeDecl>(&decl.node);
    const bool is_meant = node != nullptr && node->name.name == name && node->type < written;
    if (is_meant && !analysis_.isPrelude(decl.span.file)) meanings.push_back(node->type);
  }
  const bool is_scalar =
      std::any_of(prim::kAllScalarTypes.begin(), prim::kAllScalarTypes.end(),
                  [&](prim::ScalarType scalar) { return prim::name(scalar) == name; });
  if (meanings.empty()) return !is_scalar || types::print(program_, type) == name;
  return std::any_of(meanings.begin(), meanings.end(),
                     [&](syntax::TypeExprId meaning) { return mayMean(meaning, type); });
}

}  // namespace halo::lsp
