#include "cli/lsp/preview.h"

#include <algorithm>
#include <cctype>

#include "cli/lsp/answers.h"
#include "cli/session/imports.h"
#include "lang/types/sizes/given.h"

namespace halo::lsp {

namespace {

using source::Span;

// Whole lines of the top level with nothing but functions, as they were, and as they are.
struct Changed {
  std::vector<std::string> names;  // before
  uint32_t begin, end_before, end;

  bool wasIn(const Span& span) const { return begin <= span.begin && span.end <= end_before; }
};

// What is changed, to the ends of the lines.
std::pair<uint32_t, uint32_t> linesOf(const Carry& carry, std::string_view text) {
  const size_t before = carry.begin() == 0 ? text.npos : text.rfind('\n', carry.begin() - 1);
  return {static_cast<uint32_t>(before + 1),  // npos + 1 is 0
          static_cast<uint32_t>(std::min(text.find('\n', carry.end()), text.size()))};
}

// Text that begins otherwise may belong to the declaration in front of it.
bool beginsFunction(std::string_view text) {
  const auto skip = [&](size_t end) { text.remove_prefix(std::min(end, text.size())); };
  skip(text.find_first_not_of(" \n\r"));
  while (text.starts_with("--")) {
    skip(text.find('\n'));
    skip(text.find_first_not_of(" \n\r"));
  }
  return text.empty() || text.starts_with("def ") || text.starts_with("entry ") ||
         text.starts_with("#[");
}

// Whether a name is written in a text; also in a comment, which does no harm.
bool isMentioned(std::string_view text, const std::string& name) {
  const auto isLetter = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '\'';
  };
  for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    const bool is_part =
        (at > 0 && isLetter(text[at - 1])) || (end < text.size() && isLetter(text[end]));
    if (!is_part || !isLetter(name[0])) return true;
  }
  return false;
}

// The functions that the change is in; between two, the one behind it, whose documentation and
// attributes may be what is typed.
std::optional<Changed> changedIn(const Analysis& analysis, const std::string& text) {
  const Carry carry(analysis.text, text);
  const auto [begin, end] = linesOf(carry, analysis.text);
  Changed changed{{}, begin, end, 0};
  const syntax::Decl* next = nullptr;
  const auto add = [&](const syntax::Decl& decl) {
    const auto* node = std::get_if<syntax::FunctionDecl>(&decl.node);
    if (node == nullptr) return false;  // also a module around a function
    changed.names.push_back(node->function.name.name);
    changed.begin = std::min(changed.begin, decl.span.begin);
    changed.end_before = std::max(changed.end_before, decl.span.end);
    return true;
  };
  for (const syntax::Decl& decl : analysis.program().tree.decls) {
    if (decl.span.file != analysis.file || decl.span.end < begin) continue;
    if (decl.span.begin <= end) {
      if (!add(decl)) return std::nullopt;
    } else if (next == nullptr || decl.span.begin < next->span.begin) {
      next = &decl;
    }
  }
  if (changed.names.empty() && next != nullptr && !add(*next)) return std::nullopt;
  changed.end = carry(changed.end_before);
  const bool ends_line = changed.end == text.size() || text[changed.end] == '\n';
  const std::string_view now =
      std::string_view(text).substr(changed.begin, changed.end - changed.begin);
  return ends_line && beginsFunction(now) ? std::optional(changed) : std::nullopt;
}

// The text with blanks around the functions: places stay.
std::string alone(std::string text, const Changed& changed) {
  const auto blank = [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (text[i] != '\n') text[i] = ' ';
    }
  };
  blank(0, changed.begin);
  blank(changed.end, text.size());
  return text;
}

std::string interfaceOf(const types::Program& program, const types::Def& def) {
  return types::print(program, def.type) + (def.is_entry ? " entry" : "");
}

// Whether a name was a function and is one, of the same type.
bool isSame(const Analysis& before, const types::Environment& now, const std::string& name,
            const Changed& changed) {
  const auto old_id = types::findValue(*before.environment, name);
  const auto new_id = types::findValue(now, name);
  if (!old_id || !new_id) return false;
  const types::Program &old_program = before.program(), &program = types::program(now);
  const types::Def &old_def = old_program.defs[*old_id], &new_def = program.defs[*new_id];
  if (old_def.span.file != before.file || !changed.wasIn(old_def.span)) return false;
  if (new_def.span.file == before.file || old_def.parameters.empty()) return false;
  return !new_def.parameters.empty() &&
         interfaceOf(old_program, old_def) == interfaceOf(program, new_def);
}

// Whether the functions saw no more than what stands in front of them.
bool seeNoneBehind(const Analysis& before, const types::Environment& now, const Changed& changed) {
  const types::Program& program = types::program(now);
  const auto isLater = [&](const Span& definition) {
    return definition.file == before.file && definition.begin >= changed.begin;
  };
  for (size_t i = before.program().tree.exprs.size(); i < program.tree.exprs.size(); ++i) {
    const auto& use = program.use_of.at(syntax::ExprId(i));
    const auto* target = use ? std::get_if<types::DefTarget>(&use->target) : nullptr;
    if (target != nullptr && isLater(program.defs[target->def].span)) return false;
  }
  const std::vector<types::NameUse> uses = types::nameUses(now);
  return std::none_of(uses.begin(), uses.end(), [&](const types::NameUse& use) {
    return use.use.file != before.file && isLater(use.definition);
  });
}

// Does the rest of the program mean the same with the functions as they are now? Each name is of a
// function as before, or no other text mentions it.
bool isReplacement(const Analysis& before, const types::Environment& now, source::FileId file,
                   const Changed& changed, std::string_view text) {
  std::vector<std::string> names = changed.names;
  for (const syntax::Decl& decl : types::program(now).tree.decls) {
    if (decl.span.file != file) continue;
    const auto* node = std::get_if<syntax::FunctionDecl>(&decl.node);
    if (node == nullptr) return false;
    names.push_back(node->function.name.name);
  }
  const auto isFree = [&](const std::string& name) {
    return !isMentioned(text.substr(0, changed.begin), name) &&
           !isMentioned(text.substr(changed.end), name);
  };
  return seeNoneBehind(before, now, changed) &&
         std::all_of(names.begin(), names.end(), [&](const std::string& name) {
           return isSame(before, now, name, changed) || isFree(name);
         });
}

// Findings outside of the functions, where they are now: those in front of it, and those behind it.
void addOthers(const Analysis& before, const Changed& changed, bool are_in_front,
               diag::Sink* sink) {
  const uint32_t moved = changed.end - changed.end_before;
  const auto move = [&](Span& span) {
    if (span.file != before.file || span.begin < changed.end_before) return;
    span.begin += moved;
    span.end += moved;
  };
  for (diag::Diagnostic diagnostic : before.sink.all()) {
    const bool is_own = diagnostic.span.file == before.file;
    if (is_own && changed.wasIn(diagnostic.span)) continue;
    const bool is_in_front = diagnostic.span.begin < changed.begin;
    if (is_in_front != are_in_front) continue;
    move(diagnostic.span);
    for (diag::Label& label : diagnostic.labels) move(label.span);
    sink->add(std::move(diagnostic));
  }
}

}  // namespace

std::optional<Json> preview(Analysis& before, const std::string& text, const std::string& uri,
                            Encoding encoding) {
  const std::optional<Changed> changed = changedIn(before, text);
  if (!changed) return std::nullopt;
  source::Files& files = before.session.files();
  const source::FileId file = files.add(files[before.file].name, alone(text, *changed));
  diag::Sink found;
  const types::EnvironmentRef now = session::extendByProgram(files, before.environment, file, found,
                                                             {.warns = true, .notes_names = true});
  if (now != nullptr && !isReplacement(before, *now, file, *changed, text)) return std::nullopt;
  diag::Sink front, behind;
  if (!found.hasErrors()) {  // the others are warnings, which a program with errors does not get
    addOthers(before, *changed, true, &front);
    addOthers(before, *changed, false, &behind);
  }
  const Lines lines(text, encoding);
  Json all = diagnosticsOf({files, before.file, front}, lines, uri);
  for (const Findings& findings : {Findings{files, file, found}, {files, before.file, behind}}) {
    for (Json& entry : diagnosticsOf(findings, lines, uri)) all.push_back(std::move(entry));
  }
  return all;
}

}  // namespace halo::lsp
