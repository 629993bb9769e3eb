// A depth-first walk over the files of one program.
#include "cli/session/imports.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "lang/base/files.h"
#include "lang/syntax/parse/parser.h"
#include "stdlib/embedded.h"

namespace halo::session {

using diag::Code;
namespace fs = std::filesystem;

namespace {

constexpr size_t kMaxFileBytes = 16u << 20;  // language.md#limits

// One name for a file however it is reached.
std::string nameOf(const fs::path& path) {
  std::error_code error;
  fs::path found = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal().string() : found.string();
}

struct Import {
  std::string path;
  source::Span span;
};

// The imports in nodes that `base` does not have.
std::vector<Import> importsOf(const syntax::Tree& tree, const syntax::Tree& base) {
  std::vector<Import> imports;
  for (size_t i = base.decls.size(); i < tree.decls.size(); ++i) {
    auto* node = std::get_if<syntax::ImportDecl>(&tree.decls[syntax::DeclId(i)].node);
    if (node) imports.push_back({node->path, node->path_span});
  }
  for (size_t i = base.modules.size(); i < tree.modules.size(); ++i) {
    auto* node = std::get_if<syntax::ModuleImport>(&tree.modules[syntax::ModuleExprId(i)].node);
    if (node) imports.push_back({node->path, node->path_span});
  }
  std::sort(imports.begin(), imports.end(),
            [](const Import& a, const Import& b) { return a.span.begin < b.span.begin; });
  return imports;
}

// The text of a file in the binary, `import "/prelude/fft"`. Names of Futhark's own files there are
// in scope already: their text is empty.
std::optional<std::string> embeddedText(const std::string& path) {
  constexpr std::string_view kFolder = "/prelude/";
  constexpr std::array kFiles = {"prelude", "array", "math", "soacs", "functional", "zip", "ad"};
  if (!path.starts_with(kFolder)) return std::nullopt;
  const std::string name = path.substr(kFolder.size());
  if (std::find(kFiles.begin(), kFiles.end(), name) != kFiles.end()) return "";
  for (const stdlib::EmbeddedFile& file : stdlib::imports()) {
    if (file.name == name + ".fut") return std::string(file.text);
  }
  return std::nullopt;
}

class Loader {
 public:
  Loader(source::Files& files, types::EnvironmentRef base, source::FileId root, diag::Sink& sink,
         LoadOptions options)
      : files_(files), sink_(sink), options_(std::move(options)), environment_(std::move(base)) {
    root_ = fs::path(files_[root].name).parent_path();
  }

  types::EnvironmentRef load(source::FileId file) {
    return extend(file, nameOf(files_[file].name), true) ? environment_ : nullptr;
  }

 private:
  bool extend(source::FileId file, const std::string& name, bool is_root) {
    const size_t errors = sink_.errorCount();
    const syntax::Tree& base = types::program(*environment_).tree;
    syntax::Tree tree = types::treeOf(*environment_);
    syntax::File parsed = syntax::parseFile(files_, file, {}, tree, sink_);
    if (sink_.errorCount() != errors) return false;
    types::CheckOptions options;
    options.mark_entries = is_root && options_.marks_entries;
    options.warns = is_root && options_.warns;
    options.params = options_.params;
    options.notes_names = options_.notes_names;
    if (!is_root) options.import_as = name;
    const std::vector<Import> imports = importsOf(tree, base);
    const types::EnvironmentRef before = environment_;
    importing_.push_back(name);
    for (const Import& import : imports) {
      auto found = this->import(import, fs::path(files_[file].name).parent_path());
      if (!found) return false;
      options.imports[import.path] = std::move(*found);
    }
    importing_.pop_back();
    if (is_root && options_.imported) options_.imported(environment_);
    if (environment_ != before) {  // their nodes have taken the ids of this file's
      tree = types::treeOf(*environment_);
      parsed = syntax::parseFile(files_, file, {}, tree, sink_);
    }
    if (is_root && options_.is_session) showLocals(tree, parsed);
    auto extended = types::extend(environment_, std::move(tree), parsed, options, sink_);
    if (!extended) return false;
    environment_ = std::move(extended);
    return true;
  }

  // The name that the file was checked under.
  std::optional<std::string> import(const Import& import, const fs::path& folder) {
    bool from_root = !import.path.empty() && import.path[0] == '/';
    fs::path target = (from_root ? root_ / import.path.substr(1) : folder / import.path);
    target = fs::path(target.string() + ".fut").lexically_normal();
    std::string name = nameOf(target);
    if (types::isImported(*environment_, name)) return name;
    if (std::find(importing_.begin(), importing_.end(), name) != importing_.end()) {
      reportCycle(import, name);
      return std::nullopt;
    }
    const auto given = options_.texts.find(name);
    // The system would read a name up to its first zero.
    const bool is_name = import.path.find('\0') == std::string::npos;
    std::optional<std::string> text;
    if (given != options_.texts.end()) {
      text = given->second;
    } else if (is_name) {
      text = readText(target.string());
    }
    if (!text) text = embeddedText(import.path);
    if (!text) {
      auto& diagnostic = sink_.error(Code::missing_file, import.span,
                                     "there is no readable file `" + target.string() + "`");
      if (import.path.starts_with("/futlib/")) {
        diagnostic.notes.emplace_back("help: names of Futhark's library are in scope everywhere");
      } else if (import.path.find("lib/github.com/") != std::string::npos) {
        diagnostic.notes.emplace_back(
            "help: `halo pkg sync` fetches the packages of `futhark.pkg`");
      }
      return std::nullopt;
    }
    if (!extend(files_.add(target.string(), std::move(*text)), name, false)) return std::nullopt;
    return name;
  }

  void reportCycle(const Import& import, const std::string& name) {
    auto& diagnostic = sink_.error(Code::import_cycle, import.span,
                                   "`" + fs::path(name).filename().string() + "` imports itself");
    auto start = std::find(importing_.begin(), importing_.end(), name);
    for (auto file = start; file != importing_.end(); ++file) {
      auto next = file + 1 == importing_.end() ? start : file + 1;
      diagnostic.notes.push_back("`" + fs::path(*file).filename().string() + "` imports `" +
                                 fs::path(*next).filename().string() + "`");
    }
  }

  source::Files& files_;
  diag::Sink& sink_;
  LoadOptions options_;
  types::EnvironmentRef environment_;
  fs::path root_;
  std::vector<std::string> importing_;  // names, outermost first
};

}  // namespace

std::optional<std::string> readText(const std::string& path) {
  // One byte too many is the lexer's to report.
  base::ReadFile file = base::readFile(path, kMaxFileBytes, base::TooLarge::kCut);
  if (!file.problem.empty()) return std::nullopt;
  return std::move(file.bytes);
}

diag::Diagnostic missingFile(const std::string& path) {
  std::vector<std::string> notes;
  std::error_code none;
  if (std::filesystem::is_directory(path, none)) {
    notes.emplace_back("it is a folder");
  } else if (std::filesystem::exists(path + ".fut", none)) {
    notes.push_back("help: did you mean `" + path + ".fut`?");
  }
  return diag::fail(Code::missing_file, {}, "there is no readable file `" + path + "`",
                    std::move(notes))
      .value();
}

void showLocals(syntax::Tree& tree, const syntax::File& line) {
  for (syntax::DeclId id : line.declarations) {
    syntax::Decl& decl = tree.decls[id];
    decl.is_local = false;
    const auto* import = std::get_if<syntax::ImportDecl>(&decl.node);
    if (import == nullptr) continue;
    const syntax::ModuleImport file{import->path, import->path_span};
    decl.node = syntax::OpenDecl{tree.modules.add({file, decl.span})};
  }
}

types::EnvironmentRef extendByProgram(source::Files& files, const types::EnvironmentRef& base,
                                      source::FileId file, diag::Sink& sink, LoadOptions options) {
  return Loader(files, base, file, sink, std::move(options)).load(file);
}

}  // namespace halo::session
