// Loading programs, choosing and preparing engines.
#include "cli/session/session.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/session/simple.h"
#include "gpu/engine.h"
#include "interp/interpreter.h"
#include "jit/engine.h"
#include "lang/syntax/parser.h"
#include "stdlib/embedded.h"

namespace halo::session {
namespace {

using diag::Code;

constexpr size_t kMaxFileBytes = 16u << 20;  // LANGUAGE.md B.4

std::optional<std::string> readText(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::string text;
  text.resize(kMaxFileBytes + 1);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(in.gcount()));  // one byte too many is the lexer's to report
  return text;
}

std::string normal(const std::string& path) {
  return std::filesystem::path(path).lexically_normal().string();
}

}  // namespace

diag::Result<Backend> backendFromName(const std::string& name) {
  for (Backend backend : {Backend::kInterp, Backend::kCpu, Backend::kGpu, Backend::kAuto}) {
    if (name == session::name(backend)) return backend;
  }
  return diag::fail(Code::unknown_backend, {},
                    "unknown backend `" + name + "`: it is one of interp, cpu, gpu and auto");
}

const char* name(Backend backend) {
  switch (backend) {
    case Backend::kInterp:
      return "interp";
    case Backend::kCpu:
      return "cpu";
    case Backend::kGpu:
      return "gpu";
    case Backend::kAuto:
      return "auto";
  }
  HALO_UNREACHABLE("backend");
}

std::shared_ptr<const types::Program> Loaded::program() const {
  return {environment, &types::program(*environment)};
}

Session::Session(SessionOptions options) : options_(std::move(options)) {}

types::EnvironmentRef Session::prelude(diag::Sink& sink) {
  if (prelude_ != nullptr) return prelude_;
  types::EnvironmentRef environment = types::emptyEnvironment();
  for (const stdlib::EmbeddedFile& file : stdlib::files()) {
    source::FileId id = files_.add("stdlib/" + std::string(file.name), std::string(file.text));
    syntax::Tree tree = types::treeOf(*environment);
    syntax::File parsed =
        syntax::parseFile(files_, id, {.allow_intrinsics = true}, tree, sink, nullptr);
    if (sink.hasErrors()) return nullptr;
    types::CheckOptions options{.is_prelude = true, .mark_entries = false};
    environment = types::extend(environment, std::move(tree), parsed, options, sink);
    if (environment == nullptr) return nullptr;
  }
  prelude_ = std::move(environment);
  return prelude_;
}

std::optional<Loaded> Session::load(const std::string& path, diag::Sink& sink) {
  std::optional<std::string> text = readText(path);
  if (!text) {
    sink.error(Code::missing_file, {}, "there is no readable file `" + path + "`");
    return std::nullopt;
  }
  source::FileId file = files_.add(path, std::move(*text));
  types::EnvironmentRef environment = prelude(sink);
  std::vector<std::string> importing = {normal(path)};
  if (environment == nullptr || !extend(file, true, environment, importing, sink)) {
    return std::nullopt;
  }
  return Loaded{std::move(environment), file};
}

bool Session::import(const std::string& path, source::Span where,
                     types::EnvironmentRef& environment, std::vector<std::string>& importing,
                     diag::Sink& sink) {
  std::string canonical = normal(path);
  if (std::find(importing.begin(), importing.end(), canonical) != importing.end()) {
    sink.error(Code::missing_file, where, "`" + canonical + "` imports itself");
    return false;
  }
  std::optional<std::string> text = readText(path);
  if (!text) {
    sink.error(Code::missing_file, where, "there is no readable file `" + path + "`");
    return false;
  }
  importing.push_back(canonical);
  bool done = extend(files_.add(path, std::move(*text)), false, environment, importing, sink);
  importing.pop_back();
  return done;
}

// Imported definitions come into scope before those of the importing file, which may shadow them.
bool Session::extend(source::FileId file, bool is_root, types::EnvironmentRef& environment,
                     std::vector<std::string>& importing, diag::Sink& sink) {
  syntax::Tree tree = types::treeOf(*environment);
  syntax::File parsed = syntax::parseFile(files_, file, {}, tree, sink, nullptr);
  if (sink.hasErrors()) return false;
  bool has_imports = false;
  for (syntax::DeclId decl : parsed.declarations) {
    const auto* imported = std::get_if<syntax::ImportDecl>(&tree.decls[decl].node);
    if (imported == nullptr) continue;
    has_imports = true;
    std::filesystem::path folder = std::filesystem::path(files_[file].name).parent_path();
    std::string target = (folder / (imported->path + ".fut")).string();
    if (!import(target, imported->path_span, environment, importing, sink)) return false;
  }
  if (has_imports) {  // ids of nodes parsed before the imports would clash with theirs
    tree = types::treeOf(*environment);
    parsed = syntax::parseFile(files_, file, {}, tree, sink, nullptr);
  }
  environment = types::extend(environment, std::move(tree), parsed,
                              {.is_prelude = false, .mark_entries = is_root}, sink);
  return environment != nullptr;
}

diag::Result<types::DefId> Session::findEntry(const Loaded& loaded, const std::string& name) const {
  const types::Program& program = types::program(*loaded.environment);
  if (!name.empty()) {
    if (auto entry = program.findEntry(name)) return *entry;
  } else {
    if (auto entry = program.findEntry("main")) return *entry;
    if (program.entries().size() == 1) return program.entries()[0];
  }
  std::vector<std::string> names;
  for (types::DefId entry : program.entries()) names.push_back(program.defs[entry].name);
  std::string message =
      name.empty() ? "the program has no entry `main`" : "the program has no entry `" + name + "`";
  std::vector<std::string> notes;
  if (auto near = diag::didYouMean(name, names)) notes.push_back("did you mean `" + *near + "`?");
  if (names.empty()) notes.push_back("mark a definition with `entry`, or name it `main`");
  for (const std::string& other : names) notes.push_back("there is `" + other + "`");
  return diag::fail(Code::unknown_entry, {}, message, std::move(notes));
}

Backend Session::resolve(Backend backend, const types::Program& program, types::DefId entry) {
  if (backend != Backend::kAuto) return backend;
  if (isSimple(program, entry)) return Backend::kInterp;
  if (gpu::hasHardwareDevice()) return Backend::kGpu;
  if (options_.engine.verbose && options_.engine.log) {
    options_.engine.log("no hardware Vulkan device: running on cpu");
  }
  return Backend::kCpu;
}

diag::Result<engine::Engine*> Session::engine(Backend backend) {
  auto found = engines_.find(backend);
  if (found != engines_.end()) return found->second.get();
  std::unique_ptr<engine::Engine> made;
  switch (backend) {
    case Backend::kInterp:
      made = interp::makeInterpreter();
      break;
    case Backend::kCpu:
      made = jit::makeCpuEngine();
      break;
    case Backend::kGpu: {
      auto gpu = gpu::makeGpuEngine(options_.device);
      if (!gpu) return diag::Failure(gpu.error());
      made = std::move(*gpu);
      break;
    }
    case Backend::kAuto:
      HALO_UNREACHABLE("auto is resolved first");
  }
  return engines_.emplace(backend, std::move(made)).first->second.get();
}

diag::Result<engine::Prepared*> Session::prepare(Backend backend, const Loaded& loaded,
                                                 types::DefId entry) {
  Key key{backend, &types::program(*loaded.environment), entry};
  auto found = prepared_.find(key);
  if (found != prepared_.end()) return found->second.get();
  auto chosen = engine(backend);
  if (!chosen) return diag::Failure(chosen.error());
  auto prepared = (*chosen)->prepare(loaded.program(), entry, options_.engine);
  if (!prepared) return diag::Failure(prepared.error());
  return prepared_.emplace(key, std::move(*prepared)).first->second.get();
}

}  // namespace halo::session
