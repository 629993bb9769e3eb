#include "cli/lsp/names/members.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "cli/lsp/names/declared.h"

namespace halo::lsp {
namespace {

using syntax::Identifier;

// Walks a program for the members that are wanted.
class MemberFinder {
 public:
  using Wants = std::function<bool(const Identifier&)>;
  MemberFinder(const Analysis& analysis, const types::Program& program, Wants wants)
      : program_(program), declared_(analysis, program), wants_(std::move(wants)) {}

  std::vector<Member> run() {
    for (size_t i = 0; i < program_.tree.exprs.size(); ++i) lookAt(syntax::ExprId(i));
    for (size_t i = 0; i < program_.tree.patterns.size(); ++i) lookAt(syntax::PatternId(i));
    for (const syntax::TypeExpr& type : program_.tree.types) lookAt(type);
    return std::move(found_);
  }

 private:
  void lookAt(syntax::ExprId id) {
    const syntax::Expr& expr = program_.tree.exprs[id];
    if (const auto* node = std::get_if<syntax::Project>(&expr.node)) {
      addField(node->field, program_.type_of.at(node->record));
    } else if (const auto* node = std::get_if<syntax::RecordUpdate>(&expr.node)) {
      addPath(node->path, program_.type_of.at(node->record));
    } else if (const auto* node = std::get_if<syntax::ProjectSection>(&expr.node)) {
      const types::TypeId type = program_.type_of.at(id);
      const auto* arrow = type ? std::get_if<types::FunctionType>(&program_.types[type]) : nullptr;
      if (arrow != nullptr) addPath(node->path, arrow->parameter);
    } else if (const auto* node = std::get_if<syntax::RecordExpr>(&expr.node)) {
      for (const auto& [field, value] : node->fields) {
        const bool is_pun = program_.tree.exprs[value].span == field.span;
        addField(field, program_.type_of.at(id), is_pun);
      }
    } else if (const auto* node = std::get_if<syntax::Constructor>(&expr.node)) {
      addConstructor(node->name, program_.type_of.at(id));
    }
  }

  void lookAt(syntax::PatternId id) {
    const syntax::Pattern& pattern = program_.tree.patterns[id];
    if (const auto* node = std::get_if<syntax::PatternRecord>(&pattern.node)) {
      for (const auto& [field, part] : node->fields) {
        const bool is_pun = program_.tree.patterns[part].span == field.span;
        addField(field, program_.pattern_type.at(id), is_pun);
      }
    } else if (const auto* node = std::get_if<syntax::PatternConstructor>(&pattern.node)) {
      addConstructor(node->name, program_.pattern_type.at(id));
    }
  }

  // The declaration itself: no type of the program stands there.
  void lookAt(const syntax::TypeExpr& type) {
    if (const auto* record = std::get_if<syntax::TypeRecord>(&type.node)) {
      for (const auto& [field, part] : record->fields) {
        if (!wants_(field)) continue;
        const std::string_view text = declared_.textOf(program_.tree.types[part].span);
        found_.push_back({field.span, field.name, field.name + " : " + std::string(text),
                          declared_.fieldOf(*record, field)});
      }
    } else if (const auto* sum = std::get_if<syntax::TypeSum>(&type.node)) {
      for (const auto& [name, parts] : sum->constructors) {
        if (!wants_(name)) continue;
        source::Span span = name.span;
        for (syntax::TypeExprId part : parts) span.end = program_.tree.types[part].span.end;
        found_.push_back({name.span, "#" + name.name, std::string(declared_.textOf(span)),
                          declared_.constructorOf(*sum, name)});
      }
    }
  }

  types::TypeId fieldType(types::TypeId record, const std::string& name) const {
    const auto* node = record ? std::get_if<types::RecordType>(&program_.types[record]) : nullptr;
    if (node == nullptr) return {};
    const auto at = std::find(node->names.begin(), node->names.end(), name);
    return at == node->names.end() ? types::TypeId() : node->fields[at - node->names.begin()];
  }

  void addPath(const std::vector<Identifier>& path, types::TypeId record) {
    for (const Identifier& field : path) {
      addField(field, record);
      record = fieldType(record, field.name);
    }
  }

  void addField(const Identifier& field, types::TypeId record, bool is_pun = false) {
    if (!wants_(field)) return;
    const types::TypeId type = fieldType(record, field.name);
    found_.push_back({field.span, field.name, shown(field.name, type),
                      declared_.fieldOf(record, field.name), is_pun});
  }

  void addConstructor(const Identifier& name, types::TypeId type) {
    if (!wants_(name)) return;
    found_.push_back({name.span, "#" + name.name, shown("#" + name.name, type),
                      declared_.constructorOf(type, name.name)});
  }

  std::string shown(const std::string& name, types::TypeId type) const {
    return type ? name + " : " + types::print(program_, type) : name;
  }

  const types::Program& program_;
  DeclaredParts declared_;
  Wants wants_;
  std::vector<Member> found_;
};

}  // namespace

std::optional<Member> memberAt(const Analysis& analysis, uint32_t offset) {
  const auto isAt = [&](const Identifier& name) {
    const source::Span& span = name.span;
    return span.file == analysis.file && span.begin <= offset && offset <= span.end &&
           span.begin < span.end;
  };
  // The body of a parametric module is there as it is written, without types, and as a copy with.
  std::optional<Member> untyped;
  for (Member& member : MemberFinder(analysis, programAt(analysis, offset), isAt).run()) {
    if (member.is_pun) continue;
    if (member.shown != member.name) return std::move(member);
    if (!untyped) untyped = std::move(member);
  }
  return untyped;
}

Spans memberUses(const Analysis& analysis, const Member& member) {
  Spans spans;
  const auto isNamedSo = [&](const Identifier& name) {
    const bool is_constructor = member.name.starts_with("#");
    return name.name == member.name.substr(is_constructor ? 1 : 0) &&
           !analysis.isPrelude(name.span.file);
  };
  const types::Environment& engines = *analysis.environment;
  for (const types::Environment* world : {&engines, &types::opaqueWorld(engines)}) {
    const types::Program& program = types::program(*world);
    for (const Member& other : MemberFinder(analysis, program, isNamedSo).run()) {
      if (other.definition == member.definition) spans.insert(other.span);
    }
  }
  return spans;
}

}  // namespace halo::lsp
