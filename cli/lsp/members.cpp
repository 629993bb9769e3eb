#include "cli/lsp/members.h"

#include <algorithm>
#include <vector>

namespace halo::lsp {
namespace {

class MemberFinder {
 public:
  MemberFinder(const Analysis& analysis, uint32_t offset)
      : analysis_(analysis), program_(analysis.program()), offset_(offset) {}

  std::optional<Member> run() {
    for (size_t i = 0; i < program_.tree.exprs.size() && !found_; ++i) lookAt(syntax::ExprId(i));
    for (size_t i = 0; i < program_.tree.patterns.size() && !found_; ++i) {
      lookAt(syntax::PatternId(i));
    }
    for (const syntax::TypeExpr& type : program_.tree.types) {
      if (!found_) lookAt(type);
    }
    return found_;
  }

 private:
  bool isAt(const syntax::Identifier& name) const {
    const source::Span& span = name.span;
    return span.file == analysis_.file && span.begin <= offset_ && offset_ <= span.end &&
           span.begin < span.end;
  }

  void lookAt(syntax::ExprId id) {
    const syntax::Expr& expr = program_.tree.exprs[id];
    if (expr.span.file != analysis_.file) return;
    if (const auto* node = std::get_if<syntax::Project>(&expr.node)) {
      if (isAt(node->field)) foundField(node->field, program_.type_of.at(node->record));
    } else if (const auto* node = std::get_if<syntax::RecordUpdate>(&expr.node)) {
      types::TypeId record = program_.type_of.at(node->record);
      for (const syntax::Identifier& field : node->path) {
        if (isAt(field)) foundField(field, record);
        record = fieldOf(record, field.name);
      }
    } else if (const auto* node = std::get_if<syntax::RecordExpr>(&expr.node)) {
      for (const auto& [field, value] : node->fields) {
        const bool is_pun = program_.tree.exprs[value].span == field.span;  // a name of its own
        if (isAt(field) && !is_pun) foundField(field, program_.type_of.at(id));
      }
    } else if (const auto* node = std::get_if<syntax::Constructor>(&expr.node)) {
      if (isAt(node->name)) foundConstructor(node->name, program_.type_of.at(id));
    }
  }

  void lookAt(syntax::PatternId id) {
    const syntax::Pattern& pattern = program_.tree.patterns[id];
    if (pattern.span.file != analysis_.file) return;
    if (const auto* node = std::get_if<syntax::PatternRecord>(&pattern.node)) {
      for (const auto& [field, part] : node->fields) {
        const bool is_pun = program_.tree.patterns[part].span == field.span;
        if (isAt(field) && !is_pun) foundField(field, program_.pattern_type.at(id));
      }
    } else if (const auto* node = std::get_if<syntax::PatternConstructor>(&pattern.node)) {
      if (isAt(node->name)) foundConstructor(node->name, program_.pattern_type.at(id));
    }
  }

  // The declaration itself: no type of the program stands there.
  void lookAt(const syntax::TypeExpr& type) {
    if (const auto* record = std::get_if<syntax::TypeRecord>(&type.node)) {
      for (const auto& [field, part] : record->fields) {
        if (isAt(field)) found_ = Member{field.span, field.name, {}, field.span};
      }
    } else if (const auto* sum = std::get_if<syntax::TypeSum>(&type.node)) {
      for (const auto& [name, parts] : sum->constructors) {
        if (isAt(name)) found_ = Member{name.span, "#" + name.name, {}, name.span};
      }
    }
  }

  types::TypeId fieldOf(types::TypeId record, const std::string& name) const {
    const auto* node = record ? std::get_if<types::RecordType>(&program_.types[record]) : nullptr;
    if (node == nullptr) return {};
    const auto at = std::find(node->names.begin(), node->names.end(), name);
    return at == node->names.end() ? types::TypeId() : node->fields[at - node->names.begin()];
  }

  void foundField(const syntax::Identifier& field, types::TypeId record) {
    found_ = Member{field.span, field.name, fieldOf(record, field.name), std::nullopt};
    const auto* node = record ? std::get_if<types::RecordType>(&program_.types[record]) : nullptr;
    if (node == nullptr) return;
    for (const syntax::TypeExpr& type : program_.tree.types) {
      const auto* written = std::get_if<syntax::TypeRecord>(&type.node);
      if (written != nullptr && hasNames(written->fields, node->names) && fits(*written, *node)) {
        define(written->fields, field.name);
      }
    }
  }

  void foundConstructor(const syntax::Identifier& name, types::TypeId type) {
    found_ = Member{name.span, "#" + name.name, type, std::nullopt};
    const auto* node = type ? std::get_if<types::SumType>(&program_.types[type]) : nullptr;
    if (node == nullptr) return;
    for (const syntax::TypeExpr& written : program_.tree.types) {
      const auto* sum = std::get_if<syntax::TypeSum>(&written.node);
      if (sum != nullptr && hasNames(sum->constructors, node->constructors)) {
        define(sum->constructors, name.name);
      }
    }
  }

  bool fits(const syntax::TypeRecord& written, const types::RecordType& record) const {
    return std::all_of(written.fields.begin(), written.fields.end(), [&](const auto& field) {
      const auto at = std::find(record.names.begin(), record.names.end(), field.first.name);
      return at != record.names.end() &&
             mayMean(field.second, record.fields[at - record.names.begin()]);
    });
  }

  // Types that the meanings of names leave open count as equal: the program has no types of types.
  bool mayMean(syntax::TypeExprId written, types::TypeId type) const {
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

  bool mayBeCalled(const std::string& name, syntax::TypeExprId written, types::TypeId type) const {
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

  template <typename Parts>
  static bool hasNames(const Parts& parts, const std::vector<std::string>& names) {
    return parts.size() == names.size() &&
           std::all_of(parts.begin(), parts.end(), [&](const auto& part) {
             return std::find(names.begin(), names.end(), part.first.name) != names.end();
           });
  }

  template <typename Parts>
  void define(const Parts& parts, const std::string& name) {
    for (const auto& part : parts) {
      if (part.first.name == name && !found_->definition) found_->definition = part.first.span;
    }
  }

  const Analysis& analysis_;
  const types::Program& program_;
  uint32_t offset_;
  std::optional<Member> found_;
};

}  // namespace

std::optional<Member> memberAt(const Analysis& analysis, uint32_t offset) {
  return MemberFinder(analysis, offset).run();
}

}  // namespace halo::lsp
