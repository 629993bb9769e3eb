// One function per kind of stage; each runs the stages before it.
#include "cli/session/stages.h"

#include "cli/session/imports.h"
#include "gpu/engine.h"
#include "jit/cpu_pipeline.h"
#include "jit/host_program.h"
#include "lang/ad/differentiate.h"
#include "lang/base/files.h"
#include "lang/core/rules/verify.h"
#include "lang/core/text.h"
#include "lang/imp/text.h"
#include "lang/passes/parts.h"
#include "lang/passes/pipeline.h"
#include "lang/passes/ranks/checkpoint.h"
#include "lang/passes/ranks/shard.h"
#include "lang/passes/simplify/simplify.h"
#include "lang/syntax/lex/lexer.h"
#include "lang/syntax/parse/parser.h"
#include "lang/syntax/print/printer.h"

namespace halo::session {

using diag::Code;
using passes::Pipeline;
using Text = diag::Result<std::string>;

const char kStageNames[] =
    "tokens ast types core core@PASS imp imp-plain kernels imp-gpu llvm asm glsl spirv";

namespace {

Text syntaxText(Session& session, const std::string& path, const std::string& stage,
                diag::Sink& sink) {
  auto file = addFile(session.files(), path);
  if (!file) return diag::Failure(file.error());
  if (stage == "tokens") {
    return syntax::print(syntax::lex(session.files(), *file, sink), session.files());
  }
  syntax::Tree tree;
  syntax::File parsed = syntax::parseFile(session.files(), *file, {}, tree, sink);
  return syntax::print(tree, parsed);
}

// Imp text is behind all passes.
Text impText(Session& session, const std::string& path, const std::string& stage) {
  const bool is_code = stage == "llvm" || stage == "asm";
  if (stage != "imp" && !is_code) {
    return diag::fail(Code::unknown_stage, {}, "there is no stage `" + stage + "` of Imp text",
                      {"the stages are imp llvm asm"});
  }
  auto file = addFile(session.files(), path);
  if (!file) return diag::Failure(file.error());
  auto program = imp::parse(session.files(), *file);
  if (!program) return diag::Failure(program.error());
  if (auto valid = imp::verify(*program); !valid) return diag::Failure(valid.error());
  if (is_code) return jit::printLlvm(*program, stage == "asm");
  return imp::print(*program, &session.files());
}

// Nothing after an error in the sink.
diag::Result<std::optional<core::Program>> lowered(Session& session, const std::string& path,
                                                   const std::string& entry_name,
                                                   diag::Sink& sink) {
  if (path.ends_with(".core")) {
    auto file = addFile(session.files(), path);
    if (!file) return diag::Failure(file.error());
    auto program = core::parse(session.files(), *file);
    if (!program) return diag::Failure(program.error());
    if (auto valid = core::verify(*program); !valid) return diag::Failure(valid.error());
    auto differentiated = ad::differentiate(std::move(*program));
    if (!differentiated) return diag::Failure(differentiated.error());
    return std::move(*differentiated);
  }
  auto loaded = session.load(path, sink);
  if (!loaded) return std::nullopt;
  auto entry = session.findEntry(*loaded, entry_name);
  if (!entry) return diag::Failure(entry.error());
  auto program = ad::lower(types::program(*loaded->environment), *entry);
  if (!program) return diag::Failure(program.error());
  return std::move(*program);
}

// core@PASS: the program after the first pass of that name, in the cpu's pipeline or else in the
// gpu's, with strict floats or not. The passes for several ranks and checkpoints are in no list.
Text passText(Session& session, const core::Program& program, const std::string& wanted) {
  if (wanted == "differentiate") return core::print(program, &session.files());
  if (wanted == "shard" || wanted == "parts" || wanted == "checkpoint") {
    const core::Program shared =
        passes::run(passes::rows(Pipeline::kShared), program, {.verify = true, .after = {}});
    if (wanted == "checkpoint") return core::print(passes::checkpoint(shared), &session.files());
    const core::Program cut = passes::simplify(passes::shard(shared));
    return core::print(wanted == "shard" ? cut : passes::parts(cut), &session.files());
  }
  std::optional<std::string> found;
  std::string names;
  passes::RunOptions options{.verify = true, .after = {}};
  options.after = [&](const passes::PassRow& row, double, const core::Program& after) {
    if (row.name == wanted && !found) found = core::print(after, &session.files());
    if (names.find(std::string(" ") + row.name) == std::string::npos) {
      names += std::string(" ") + row.name;
    }
  };
  std::vector<passes::PassRow> gpu = passes::rows(Pipeline::kGpu), fast = gpu;
  gpu.insert(gpu.end(), passes::sums(false).begin(), passes::sums(false).end());
  fast.insert(fast.end(), passes::sums(true).begin(), passes::sums(true).end());
  for (const auto& rows : {passes::rows(Pipeline::kCpu), gpu, fast}) {
    passes::run(rows, program, options);
    if (found) return *found;
  }
  return diag::fail(Code::unknown_stage, {}, "there is no pass `" + wanted + "`",
                    {"the passes are" + names});
}

// The optimised code, unless the options ask for the quick one: `run` may begin with that.
imp::Program cpuImp(const core::Program& program, engine::Options options,
                    Pipeline pipeline = Pipeline::kCpu) {
  options.verify = true;
  if (options.tier == engine::Tier::kAuto) options.tier = engine::Tier::kOptimised;
  return jit::impOf(program, pipeline, options);
}

std::optional<gpu::Stage> gpuStage(const std::string& stage) {
  if (stage == "kernels") return gpu::Stage::kKernels;
  if (stage == "imp-gpu") return gpu::Stage::kImp;
  if (stage == "glsl") return gpu::Stage::kGlsl;
  if (stage == "spirv") return gpu::Stage::kSpirv;
  return std::nullopt;
}

Text backText(Session& session, const core::Program& program, const std::string& stage) {
  if (stage == "core") return core::print(program, &session.files());
  if (stage.starts_with("core@")) return passText(session, program, stage.substr(5));
  const engine::Options& options = session.options().engine;
  if (stage == "imp") return imp::print(cpuImp(program, options), &session.files());
  if (stage == "imp-plain") {
    return imp::print(cpuImp(program, options, Pipeline::kPlain), &session.files());
  }
  if (stage == "llvm" || stage == "asm") {
    return jit::printLlvm(cpuImp(program, options), stage == "asm");
  }
  if (auto of_gpu = gpuStage(stage)) {
    return gpu::dump(program, *of_gpu, session.options().device, options);
  }
  return diag::fail(Code::unknown_stage, {}, "there is no stage `" + stage + "`",
                    {std::string("the stages are ") + kStageNames});
}

}  // namespace

diag::Result<source::FileId> addFile(source::Files& files, const std::string& path) {
  constexpr size_t kMaxBytes = size_t{1} << 28;  // texts of stages are longer than programs
  base::ReadFile file = base::readFile(path, kMaxBytes);
  if (!file.problem.empty()) return diag::Failure(missingFile(path));
  return files.add(path, std::move(file.bytes));
}

Text stageText(Session& session, const std::string& path, const std::string& stage,
               const std::string& entry, diag::Sink& sink) {
  if (path.ends_with(".imp")) return impText(session, path, stage);
  if (stage == "tokens" || stage == "ast") return syntaxText(session, path, stage, sink);
  if (stage == "types") {
    auto loaded = session.load(path, sink);
    return loaded ? types::print(types::program(*loaded->environment)) : std::string();
  }
  auto program = lowered(session, path, entry, sink);
  if (!program) return diag::Failure(program.error());
  if (!*program) return std::string();
  return backText(session, **program, stage);
}

Text stageText(Session& session, const types::Program& program, types::DefId entry,
               const std::string& stage) {
  auto lowered = ad::lower(program, entry);
  if (!lowered) return diag::Failure(lowered.error());
  return backText(session, *lowered, stage);
}

diag::Result<std::monostate> forEachPass(
    Session& session, const std::string& path, const std::string& entry, diag::Sink& sink,
    const std::function<void(const std::string&, const std::string&)>& show) {
  if (path.ends_with(".imp")) {
    return diag::fail(Code::unknown_stage, {}, "Imp text is behind all passes",
                      {"give the program, or its Core text"});
  }
  auto program = lowered(session, path, entry, sink);
  if (!program) return diag::Failure(program.error());
  if (!*program) return std::monostate{};
  std::string last = core::print(**program, &session.files());
  show("lower: from the checked program", last);
  passes::RunOptions options{.verify = true, .after = {}};
  options.after = [&](const passes::PassRow& row, double, const core::Program& after) {
    std::string text = core::print(after, &session.files());
    show(std::string(row.name) + ": " + row.description, text == last ? "unchanged\n" : text);
    last = std::move(text);
  };
  passes::run(passes::rows(Pipeline::kCpu), std::move(**program), options);
  return std::monostate{};
}

}  // namespace halo::session
