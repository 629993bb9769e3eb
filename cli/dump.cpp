// halo dump --stage=S FILE: any stage of the compiler as text. One function per stage; each runs
// what comes before it.
#include "cli/commands.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "gpu/engine.h"
#include "jit/host_program.h"
#include "lang/core/text.h"
#include "lang/imp/from_core.h"
#include "lang/imp/text.h"
#include "lang/lower/lower.h"
#include "lang/passes/pipeline.h"
#include "lang/syntax/lexer.h"
#include "lang/syntax/parser.h"
#include "lang/syntax/printer.h"

namespace halo::cli {
namespace {

using diag::Code;
using passes::Pipeline;

class Dump {
 public:
  Dump(const Common& common, const DumpArguments& arguments)
      : common_(common), arguments_(arguments), session_(sessionOptions(common)) {}

  int run() {
    const std::string& stage = arguments_.stage;
    if (stage == "tokens" || stage == "ast") return syntaxStage(stage);
    if (stage == "types") return typesStage();
    auto lowered = lowerFile();
    if (!lowered) return status_;
    if (stage == "core" && !arguments_.each) return show(core::print(*lowered, &session_.files()));
    if (stage == "core" || stage.starts_with("core@")) return passStage(std::move(*lowered));
    if (stage == "imp") return show(imp::print(cpuImp(*lowered), &session_.files()));
    if (stage == "llvm" || stage == "asm") {
      return show(jit::printLlvm(cpuImp(*lowered), stage == "asm"));
    }
    if (stage == "kernels") return show(gpu::dump(*lowered, gpu::Stage::kKernels));
    if (stage == "glsl") return show(gpu::dump(*lowered, gpu::Stage::kGlsl));
    if (stage == "spirv") return show(gpu::dump(*lowered, gpu::Stage::kSpirv));
    if (stage == "imp-gpu") return show(gpu::dump(*lowered, gpu::Stage::kImp));
    std::fprintf(stderr,
                 "halo: unknown stage `%s`: it is one of tokens ast types core core@PASS imp "
                 "kernels imp-gpu llvm asm glsl spirv\n",
                 stage.c_str());
    return kWrongUsage;
  }

 private:
  int show(const std::string& text) {
    std::fputs(text.c_str(), stdout);
    if (!text.empty() && text.back() != '\n') std::fputc('\n', stdout);
    return kOk;
  }
  int show(const diag::Result<std::string>& text) {
    return text ? show(*text) : report(common_, session_.files(), text.error());
  }

  std::optional<source::FileId> readFile() {
    std::ifstream in(arguments_.file, std::ios::binary);
    if (!in || std::filesystem::is_directory(arguments_.file)) {
      status_ = report(
          common_, session_.files(),
          diag::fail(Code::missing_file, {}, "there is no readable file `" + arguments_.file + "`")
              .value());
      return std::nullopt;
    }
    return session_.files().add(arguments_.file,
                                std::string(std::istreambuf_iterator<char>(in), {}));
  }

  int syntaxStage(const std::string& stage) {
    auto file = readFile();
    if (!file) return status_;
    diag::Sink sink;
    std::string text;
    if (stage == "tokens") {
      text = syntax::print(syntax::lex(session_.files(), *file, sink), session_.files());
    } else {
      syntax::Tree tree;
      text = syntax::print(tree, syntax::parseFile(session_.files(), *file, {}, tree, sink));
    }
    show(text);
    return report(common_, session_.files(), sink);
  }

  int typesStage() {
    diag::Sink sink;
    auto loaded = session_.load(arguments_.file, sink);
    if (!loaded) return report(common_, session_.files(), sink);
    return show(types::print(types::program(*loaded->environment)));
  }

  std::optional<core::Program> lowerFile() {
    if (arguments_.file.ends_with(".core")) {
      auto file = readFile();
      if (!file) return std::nullopt;
      return accept(core::parse(session_.files(), *file));
    }
    diag::Sink sink;
    auto loaded = session_.load(arguments_.file, sink);
    status_ = report(common_, session_.files(), sink);
    if (!loaded) return std::nullopt;
    auto entry = session_.findEntry(*loaded, arguments_.entry);
    if (!entry) return accept(diag::Result<core::Program>(diag::Failure(entry.error())));
    return accept(lower::lower(types::program(*loaded->environment), *entry));
  }
  std::optional<core::Program> accept(diag::Result<core::Program> program) {
    if (program) return std::move(*program);
    status_ = report(common_, session_.files(), program.error());
    return std::nullopt;
  }

  // core@PASS: after the first pass of that name; --each: after every pass, or "unchanged".
  int passStage(core::Program program) {
    std::string wanted = arguments_.stage.size() > 5 ? arguments_.stage.substr(5) : "";
    std::string last = core::print(program, &session_.files());
    std::optional<std::string> found;
    std::string names;
    passes::RunOptions options{.verify = true, .after = {}};
    options.after = [&](const passes::PassRow& row, double, const core::Program& after) {
      std::string text = core::print(after, &session_.files());
      if (row.name == wanted && !found) found = text;
      if (arguments_.each) {
        std::printf("---- %s: %s\n%s\n", row.name, row.description,
                    text == last ? "unchanged" : text.c_str());
      }
      names += std::string(" ") + row.name;
      last = std::move(text);
    };
    passes::run(passes::rows(Pipeline::kCpu), std::move(program), options);
    if (arguments_.each) return kOk;
    if (found) return show(*found);
    std::fprintf(stderr, "halo: no pass `%s`; the passes are%s\n", wanted.c_str(), names.c_str());
    return kWrongUsage;
  }

  imp::Program cpuImp(const core::Program& lowered) {
    return imp::fromCore(passes::run(passes::rows(Pipeline::kCpu), lowered, {}), {});
  }

  const Common& common_;
  const DumpArguments& arguments_;
  session::Session session_;
  int status_ = kOk;
};

}  // namespace

int dump(const Common& common, const DumpArguments& arguments) {
  return Dump(common, arguments).run();
}

}  // namespace halo::cli
