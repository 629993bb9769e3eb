#include "cli/lsp/tokens.h"

#include <algorithm>
#include <map>

#include "lang/prim/prim.h"
#include "lang/syntax/lex/lexer.h"

namespace halo::lsp {
namespace {

// The order is that of kKinds.
enum class Meaning {
  kComment,
  kKeyword,
  kNumber,
  kString,
  kOperator,
  kTypeParameter,
  kNamespace,
  kType,
  kFunction,
  kVariable,
  kConstructor,
};
constexpr const char* kKinds[] = {"comment",  "keyword",       "number",    "string",
                                  "operator", "typeParameter", "namespace", "type",
                                  "function", "variable",      "enumMember"};

using Meanings = std::map<uint32_t, Meaning>;  // by the first byte, in the text as it is now

class Names {
 public:
  Names(const Place& place, const types::Program& program, Meanings& meanings)
      : place_(place), program_(program), file_(place.analysis.file), meanings_(meanings) {}

  void run() {
    for (size_t i = 0; i < program_.tree.exprs.size(); ++i) addUse(syntax::ExprId(i));
    for (const types::Binder& binder : program_.binders) add(binder.span, kindOf(binder.type));
    for (const types::Def& def : program_.defs) add(def.span, kindOf(def.type));
    addDeclarations();
  }

 private:
  void add(const source::Span& span, Meaning meaning) {
    if (span.file != file_) return;
    const uint32_t begin = place_.from(span.begin);
    if (begin < place_.text().size()) meanings_.insert_or_assign(begin, meaning);
  }

  Meaning kindOf(types::TypeId type) const {
    const bool is_function =
        type && std::holds_alternative<types::FunctionType>(program_.types[type]);
    return is_function ? Meaning::kFunction : Meaning::kVariable;
  }

  void addUse(syntax::ExprId id) {
    const auto* variable = std::get_if<syntax::Variable>(&program_.tree.exprs[id].node);
    if (variable == nullptr || !program_.use_of.at(id)) return;
    source::Span span = variable->name.span;
    for (const std::string& module : variable->name.qualifiers) {
      add(span, Meaning::kNamespace);
      span.begin += static_cast<uint32_t>(module.size()) + 1;
    }
    add(span, kindOf(program_.type_of.at(id)));
  }

  // Names of types and modules, where they are declared and where they are used.
  void addDeclarations() {
    std::map<std::pair<uint32_t, uint32_t>, Meaning> declared;  // by file and first byte
    const auto declare = [&](const source::Span& span, Meaning meaning) {
      declared[{span.file.index, span.begin}] = meaning;
      add(span, meaning);
    };
    for (const syntax::Decl& decl : program_.tree.decls) {
      if (const auto* type = std::get_if<syntax::TypeDecl>(&decl.node)) {
        declare(type->name.span, Meaning::kType);
      } else if (const auto* module = std::get_if<syntax::ModuleDecl>(&decl.node)) {
        declare(module->name.span, Meaning::kNamespace);
      } else if (const auto* signature = std::get_if<syntax::ModuleTypeDecl>(&decl.node)) {
        declare(signature->name.span, Meaning::kType);
      }
    }
    for (const types::NameUse& use : types::nameUses(*place_.analysis.environment)) {
      const auto found = declared.find({use.definition.file.index, use.definition.begin});
      add(use.use, found == declared.end() ? Meaning::kNamespace : found->second);
    }
  }

  const Place& place_;
  const types::Program& program_;
  source::FileId file_;
  Meanings& meanings_;
};

// The body of a parametric module without an application has meanings in the opaque world alone.
Meanings meaningsIn(const Place& place) {
  Meanings meanings;
  const types::Environment& engines = *place.analysis.environment;
  for (const types::Environment* world : {&types::opaqueWorld(engines), &engines}) {
    Names(place, types::program(*world), meanings).run();
  }
  return meanings;
}

class Tokens {
 public:
  explicit Tokens(const Lines& lines) : lines_(lines) {}

  // In order of places; a token of several lines as one for each.
  void add(source::Span span, Meaning meaning) {
    while (span.begin < span.end) {
      const size_t line_end = std::min<size_t>(lines_.text().find('\n', span.begin), span.end);
      addInLine(span.begin, static_cast<uint32_t>(line_end), meaning);
      span.begin = static_cast<uint32_t>(line_end) + 1;
    }
  }
  Json take() { return {{"data", std::move(data_)}}; }

 private:
  void addInLine(uint32_t begin, uint32_t end, Meaning meaning) {
    if (begin == end) return;
    const Json range = lines_.rangeOf(begin, end);
    const int line = range["start"]["line"], column = range["start"]["character"];
    const int length = range["end"]["character"].get<int>() - column;
    const int step = line - line_;
    for (int number :
         {step, step == 0 ? column - column_ : column, length, static_cast<int>(meaning), 0}) {
      data_.push_back(number);
    }
    line_ = line;
    column_ = column;
  }

  const Lines& lines_;
  Json data_ = Json::array();
  int line_ = 0, column_ = 0;
};

// By the word alone.
std::optional<Meaning> meaningOf(const syntax::Token& token, const syntax::Token* before) {
  using Kind = syntax::TokenKind;
  switch (token.kind) {
    case Kind::kKeyword:
      return Meaning::kKeyword;
    case Kind::kNumber:
      return Meaning::kNumber;
    case Kind::kString:
    case Kind::kChar:
      return Meaning::kString;
    case Kind::kOperator:
      return Meaning::kOperator;
    case Kind::kTypeVariable:
      return Meaning::kTypeParameter;
    case Kind::kDocComment:
      return Meaning::kComment;
    case Kind::kIdentifier:
      if (before != nullptr && before->text == "#") return Meaning::kConstructor;
      return prim::scalarTypeFromName(token.text) ? std::optional(Meaning::kType) : std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

Json tokenLegend() { return {{"tokenTypes", kKinds}, {"tokenModifiers", Json::array()}}; }

Json semanticTokens(const Lines& lines, const Place* place) {
  const Meanings names = place != nullptr ? meaningsIn(*place) : Meanings();
  source::Files files;
  diag::Sink sink;  // what is no token has no colour
  const syntax::Tokens found = syntax::lex(files, files.add("", std::string(lines.text())), sink);
  std::map<uint32_t, std::pair<source::Span, Meaning>> ordered;
  for (const syntax::Comment& comment : found.comments) {
    ordered[comment.span.begin] = {comment.span, Meaning::kComment};
  }
  const syntax::Token* before = nullptr;
  for (const syntax::Token& token : found.tokens) {
    const auto name = names.find(token.span.begin);
    const bool is_name = name != names.end() && token.kind == syntax::TokenKind::kIdentifier;
    const auto meaning = is_name ? std::optional(name->second) : meaningOf(token, before);
    if (meaning) ordered[token.span.begin] = {token.span, *meaning};
    before = &token;
  }
  Tokens tokens(lines);
  for (const auto& [begin, token] : ordered) tokens.add(token.first, token.second);
  return tokens.take();
}

}  // namespace halo::lsp
