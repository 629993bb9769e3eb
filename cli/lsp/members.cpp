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
      if (written != nullptr && hasNames(written->fields, node->names)) {
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
