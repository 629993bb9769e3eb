// Names come from the checked session, colours from the lexer.
#include "cli/repl/editing.h"

#include <algorithm>
#include <filesystem>

#include "cli/repl/command.h"
#include "lang/syntax/lex/keywords.h"
#include "lang/syntax/lex/lexer.h"
#include "lang/types/modules/visible.h"
#include "lang/types/sizes/given.h"

namespace halo::repl {

namespace fs = std::filesystem;

namespace {

bool isNamePart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '\'' || c == '.';
}

void finish(Completion& completion) {
  auto& candidates = completion.candidates;
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
}

Completion commandNames(const std::string& text, size_t cursor, size_t colon) {
  Completion completion{colon + 1, {}};
  const std::string typed = text.substr(colon + 1, cursor - colon - 1);
  for (const Command& command : commands()) {
    if (std::string_view(command.name).starts_with(typed)) {
      completion.candidates.push_back(std::string(command.name) + " ");
    }
  }
  return completion;
}

Completion files(const std::string& text, size_t cursor, size_t start, bool only_folders) {
  Completion completion{start, {}};
  const std::string typed = text.substr(start, cursor - start);
  const size_t slash = typed.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : typed.substr(0, slash + 1);
  std::error_code error;
  fs::directory_iterator at(folder.empty() ? "." : folder, error), end;
  for (; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    std::error_code unknown;
    const bool is_folder = at->is_directory(unknown);
    if (!(folder + name).starts_with(typed) || (only_folders && !is_folder)) continue;
    if (name[0] == '.' && typed.size() == folder.size()) continue;
    completion.candidates.push_back(folder + name + (is_folder ? "/" : ""));
  }
  return completion;
}

// The fields of a value `r`, for `r.`: through nested records, too.
void addFields(const types::Program& program, types::TypeId type, const std::string& prefix,
               std::vector<std::string>& candidates) {
  const auto* record = std::get_if<types::RecordType>(&program.types[type]);
  for (size_t i = 0; record != nullptr && i < record->names.size(); ++i) {
    candidates.push_back(prefix + "." + record->names[i]);
  }
}

// Of a value of this type, whose name, or nothing, ends at the first point of `typed`.
void addFieldsOf(const types::Program& program, types::TypeId type, const std::string& typed,
                 std::vector<std::string>& candidates) {
  const size_t point = typed.rfind('.');
  size_t end = typed.find('.');
  while (end < point) {  // `r.a.` goes through the field a
    const size_t next = typed.find('.', end + 1);
    const std::string name = typed.substr(end + 1, next - end - 1);
    const auto* record = std::get_if<types::RecordType>(&program.types[type]);
    if (record == nullptr) return;
    const auto field = std::find(record->names.begin(), record->names.end(), name);
    if (field == record->names.end()) return;
    type = record->fields[static_cast<size_t>(field - record->names.begin())];
    end = next;
  }
  addFields(program, type, typed.substr(0, point), candidates);
}

// The begin of a value that ends with a bracket: `xs[0]`, `m.f[i][j]`, `(head xs)`.
size_t beginOfValue(const std::string& text, size_t end) {
  int depth = 0;
  size_t at = end;
  while (at > 0) {
    const char c = text[at - 1];
    if (c == ')' || c == ']' || c == '}') {
      ++depth;
    } else if (c == '(' || c == '[' || c == '{') {
      if (--depth < 0) return at;
      if (depth == 0 && c != '[') return at - 1;
    } else if (depth == 0 && !isNamePart(c)) {
      return at;
    }
    --at;
  }
  return at;
}

// `xs[0].` and `(f x).`: fields of what is in front.
void addFieldsBehind(Repl& repl, const std::string& text, size_t point, const std::string& typed,
                     std::vector<std::string>& candidates) {
  const size_t begin = beginOfValue(text, point);
  if (begin == point) return;
  diag::Sink unheard;
  const auto checked = repl.workspace().check(text.substr(begin, point - begin), unheard);
  if (!checked) return;
  addFieldsOf(checked->program(), checked->definition().type, typed, candidates);
}

// Types and modules, also of the module whose name is in front.
void addDeclared(const types::Environment& environment, const std::string& typed,
                 std::vector<std::string>& candidates) {
  const size_t point = typed.rfind('.');
  const std::string before = point == std::string::npos ? "" : typed.substr(0, point + 1);
  std::vector<std::string> path;
  for (size_t at = 0; at < before.size(); at = before.find('.', at) + 1) {
    path.push_back(before.substr(at, before.find('.', at) - at));
  }
  const types::VisibleNames names = types::visibleIn(environment, {}, path);
  for (const auto* all : {&names.types, &names.modules, &names.parametric_modules}) {
    for (const std::string& name : *all) candidates.push_back(before + name);
  }
}

// Of the sums that the session's programs write.
void addConstructors(Repl& repl, const types::Program& program,
                     std::vector<std::string>& candidates) {
  const source::Files& files = repl.session().files();
  for (const syntax::TypeExpr& type : program.tree.types) {
    const auto* sum = std::get_if<syntax::TypeSum>(&type.node);
    const bool is_prelude =
        files.contains(type.span.file) && files[type.span.file].name.starts_with("stdlib/");
    if (sum == nullptr || is_prelude) continue;
    for (const auto& [name, parts] : sum->constructors) candidates.push_back(name.name);
  }
}

Completion names(Repl& repl, const std::string& text, size_t cursor) {
  size_t start = cursor;
  while (start > 0 && isNamePart(text[start - 1])) --start;
  Completion completion{start, {}};
  const std::string typed = text.substr(start, cursor - start);
  const types::EnvironmentRef environment = repl.workspace().environment();
  const types::Program& program = types::program(*environment);
  std::vector<std::string> all;
  if (start > 0 && text[start - 1] == '#') {
    addConstructors(repl, program, all);
  } else if (typed.starts_with('.') && start > 0) {
    addFieldsBehind(repl, text, start, typed, all);
  } else if (!typed.empty()) {
    for (const syntax::Keyword& keyword : syntax::kKeywords) all.emplace_back(keyword.word);
    for (std::string& name : types::visibleNames(*environment)) all.push_back(std::move(name));
    addDeclared(*environment, typed, all);
    const auto def = types::findValue(*environment, typed.substr(0, typed.find('.')));
    const bool has_fields = def && typed.find('.') != std::string::npos;
    if (has_fields) addFieldsOf(program, program.defs[*def].type, typed, all);
  }
  for (std::string& name : all) {
    if (name.starts_with(typed)) completion.candidates.push_back(std::move(name));
  }
  return completion;
}

Part partOf(const syntax::Token& token) {
  switch (token.kind) {
    case syntax::TokenKind::kKeyword:
      return Part::kKeyword;
    case syntax::TokenKind::kNumber:
      return Part::kNumber;
    case syntax::TokenKind::kString:
    case syntax::TokenKind::kChar:
      return Part::kString;
    case syntax::TokenKind::kDocComment:
      return Part::kComment;
    case syntax::TokenKind::kTypeVariable:
      return Part::kType;
    case syntax::TokenKind::kIdentifier:
      return prim::scalarTypeFromName(token.text) ? Part::kType : Part::kPlain;
    default:
      return Part::kPlain;
  }
}

void paint(std::vector<Part>& parts, size_t begin, size_t end, Part part) {
  for (size_t i = begin; i < std::min(end, parts.size()); ++i) parts[i] = part;
}

}  // namespace

Completion complete(Repl& repl, const std::string& text, size_t cursor) {
  const size_t first = text.find_first_not_of(" \t\n");
  Completion completion;
  if (first != std::string::npos && first < cursor && text[first] == ':') {
    const size_t space = text.find(' ', first);
    if (space == std::string::npos || space >= cursor) {
      completion = commandNames(text, cursor, first);
    } else {
      const Found found = findCommand(text.substr(first + 1, space - first - 1));
      const Argument argument =
          found.command != nullptr ? found.command->argument : Argument::kExpression;
      const size_t word = text.find_first_not_of(' ', space);
      const bool is_first = text.find(' ', word) >= cursor;
      const bool is_file = argument == Argument::kFile || argument == Argument::kFolder;
      completion = is_file && is_first
                       ? files(text, cursor, std::min(word, cursor), argument == Argument::kFolder)
                       : names(repl, text, cursor);
    }
  } else {
    completion = names(repl, text, cursor);
  }
  finish(completion);
  return completion;
}

std::vector<Part> partsOf(const std::string& text) {
  std::vector<Part> parts(text.size(), Part::kPlain);
  source::Files files;
  diag::Sink ignored;
  const syntax::Tokens tokens = syntax::lex(files, files.add("input", text), ignored);
  for (const syntax::Token& token : tokens.tokens) {
    paint(parts, token.span.begin, token.span.end, partOf(token));
  }
  for (const syntax::Comment& comment : tokens.comments) {
    paint(parts, comment.span.begin, comment.span.end, Part::kComment);
  }
  const size_t first = text.find_first_not_of(" \t\n");
  if (first != std::string::npos && text[first] == ':') {
    paint(parts, first, text.find_first_of(" \n@", first), Part::kCommand);
  }
  return parts;
}

}  // namespace halo::repl
