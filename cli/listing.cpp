// halo defs, imports: definitions of a program and its imports, with places; their files.
#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.h"
#include "lang/base/match.h"
#include "lang/syntax/parse/parser.h"

namespace halo::cli {

using namespace syntax;

namespace {

// The program and its imports, in the order of reading. None: reported.
std::optional<std::vector<source::FileId>> filesOf(const Common& common, session::Session& session,
                                                   const std::string& path, int* status) {
  session.prelude();  // its files come first
  diag::Sink sink;
  const auto loaded = session.load(path, sink);
  *status = report(common, session.files(), sink);
  if (!loaded) return std::nullopt;
  std::vector<source::FileId> files;
  for (source::FileId id = loaded->file; session.files().contains(id);
       id = source::FileId(id.index + 1)) {
    files.push_back(id);
  }
  return files;
}

// One line for each definition, those of modules by their qualified names.
class Definitions {
 public:
  Definitions(const source::Files& files, const Tree& tree) : files_(files), tree_(tree) {}

  void list(const std::vector<DeclId>& declarations, const std::string& prefix) {
    for (DeclId id : declarations) declaration(id, prefix);
  }

 private:
  void declaration(DeclId id, const std::string& prefix) {
    base::match(
        tree_.decls[id].node,
        [&](const FunctionDecl& decl) { print("value", decl.function.name, prefix); },
        [&](const ValDecl& decl) { print("value", decl.name, prefix); },
        [&](const TypeDecl& decl) { print("type", decl.name, prefix); },
        [&](const ModuleTypeDecl& decl) { print("module type", decl.name, prefix); },
        [&](const ModuleDecl& decl) {
          print("module", decl.name, prefix);
          body(decl.body, prefix + decl.name.name + ".");
        },
        [&](const OpenDecl& decl) { body(decl.module, prefix); }, [](const ImportDecl&) {});
  }

  void body(ModuleExprId id, const std::string& prefix) {
    base::match(
        tree_.modules[id].node, [](const ModuleName&) {}, [](const ModuleImport&) {},
        [](const ModuleApply&) {}, [&](const ModuleBody& body) { list(body.declarations, prefix); },
        [&](const ModuleAscribe& ascribe) { body(ascribe.module, prefix); },
        [&](const ModuleLambda& lambda) { body(lambda.body, prefix); });
  }

  void print(const char* kind, const Identifier& name, const std::string& prefix) {
    const auto place = files_.locate(name.span.file, name.span.begin);
    std::printf("%s\n", fmt::format("{} {}{} {}:{}:{}", kind, prefix, name.name,
                                    files_[name.span.file].name, place.line, place.column)
                            .c_str());
  }

  const source::Files& files_;
  const Tree& tree_;
};

}  // namespace

int defs(const Common& common, const std::string& file) {
  session::Session session(sessionOptions(common));
  int status = kOk;
  const auto files = filesOf(common, session, file, &status);
  if (!files) return status;
  for (source::FileId id : *files) {
    Tree tree;
    diag::Sink sink;
    const File parsed = parseFile(session.files(), id, {}, tree, sink);
    Definitions(session.files(), tree).list(parsed.declarations, "");
  }
  return status;
}

int imports(const Common& common, const std::string& file) {
  session::Session session(sessionOptions(common));
  int status = kOk;
  const auto files = filesOf(common, session, file, &status);
  if (!files) return status;
  for (source::FileId id : *files) std::printf("%s\n", session.files()[id].name.c_str());
  return status;
}

}  // namespace halo::cli
