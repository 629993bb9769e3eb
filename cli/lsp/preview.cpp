#include "cli/lsp/preview.h"

#include <algorithm>

#include "cli/lsp/answers.h"
#include "cli/session/imports.h"
#include "lang/types/sizes/given.h"

namespace halo::lsp {

namespace {

using source::Span;

// A function of the top level, as it was, and as it is.
struct Changed {
  Span before;
  std::string name;
  uint32_t begin, end;
};

bool contains(const Span& outer, const Span& inner) {
  return outer.file == inner.file && outer.begin <= inner.begin && inner.end <= outer.end;
}

// The function that all of the change is in, if there is one. It ends with its line, so that
// no other declaration can grow into it.
std::optional<Changed> changedIn(const Analysis& analysis, const std::string& text) {
  const Carry carry(analysis.text, text);
  std::optional<Changed> found;
  for (const syntax::Decl& decl : analysis.program().tree.decls) {
    if (decl.span.file != analysis.file || !carry.isWithin(decl.span.begin, decl.span.end)) {
      continue;
    }
    const auto* node = std::get_if<syntax::FunctionDecl>(&decl.node);
    const bool is_function = node != nullptr && !node->function.parameters.empty();
    if (!is_function || found) return std::nullopt;  // also one within a module
    found = Changed{decl.span, node->function.name.name, decl.span.begin, carry(decl.span.end)};
  }
  const bool ends_line = found && (found->end == text.size() || text[found->end] == '\n');
  return ends_line ? found : std::nullopt;
}

// The text with blanks around the function: places stay.
std::string alone(std::string text, const Changed& changed) {
  const auto blank = [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
      if (text[i] != '\n') text[i] = ' ';
    }
  };
  blank(0, changed.begin);
  blank(changed.end, text.size());
  return text;
}

std::string interfaceOf(const types::Program& program, const types::Def& def) {
  return types::print(program, def.type) + (def.is_entry ? " entry" : "") +
         (def.parameters.empty() ? "" : " function");
}

// Whether the rest of the program means the same with the function as it is now, and whether the
// function saw no more than what stands in front of it.
bool isReplacement(const Analysis& before, const types::Environment& now, const Changed& changed) {
  const auto old_id = types::findValue(*before.environment, changed.name);
  const auto new_id = types::findValue(now, changed.name);
  if (!old_id || !new_id) return false;
  const types::Program &old_program = before.program(), &program = types::program(now);
  const types::Def &old_def = old_program.defs[*old_id], &new_def = program.defs[*new_id];
  if (!contains(changed.before, old_def.span) || new_def.span.file == before.file) return false;
  if (interfaceOf(old_program, old_def) != interfaceOf(program, new_def)) return false;
  const auto isLater = [&](const Span& definition) {
    return definition.file == before.file && definition.begin >= changed.begin;
  };
  for (size_t i = old_program.tree.exprs.size(); i < program.tree.exprs.size(); i++) {
    const auto& use = program.use_of.at(syntax::ExprId(i));
    const auto* target = use ? std::get_if<types::DefTarget>(&use->target) : nullptr;
    if (target != nullptr && isLater(program.defs[target->def].span)) return false;
  }
  const std::vector<types::NameUse> uses = types::nameUses(now);
  return std::none_of(uses.begin(), uses.end(), [&](const types::NameUse& use) {
    return use.use.file != before.file && isLater(use.definition);
  });
}

// Findings outside of the function, where they are now: those in front of it, and those behind it.
void addOthers(const Analysis& before, const Changed& changed, bool are_in_front,
               diag::Sink* sink) {
  const uint32_t moved = changed.end - changed.before.end;
  const auto move = [&](Span& span) {
    if (span.file != before.file || span.begin < changed.before.end) return;
    span.begin += moved;
    span.end += moved;
  };
  for (diag::Diagnostic diagnostic : before.sink.all()) {
    if (contains(changed.before, diagnostic.span)) continue;
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
  if (now != nullptr && !isReplacement(before, *now, *changed)) return std::nullopt;
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
