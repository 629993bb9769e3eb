// The lists, and the loop that runs one. Constraints on the order are comments on the rows.
#include "lang/passes/pipeline.h"

#include <chrono>

#include "lang/base/check.h"
#include "lang/core/verify.h"
#include "lang/passes/define_semantics.h"
#include "lang/passes/fuse.h"
#include "lang/passes/inline.h"
#include "lang/passes/simplify.h"

namespace halo::passes {
namespace {

constexpr PassRow kInline = {"inline", "replace calls by bodies", inlineCalls};
constexpr PassRow kSimplify = {"simplify", "algebra, common subexpressions, dead code", simplify};
constexpr PassRow kFuse = {"fuse", "join parallel nodes that pass arrays to each other", fuse};
constexpr PassRow kDefineSemantics = {"define_semantics", "make every operation total",
                                      defineSemantics};

void mustVerify(const core::Program& program, const char* when) {
  auto verified = core::verify(program);
  if (verified) return;
  std::string report = std::string(when) + ": " + verified.error().message;
  for (const std::string& note : verified.error().notes) report += "\n" + note;
  base::checkFailed("lang/passes/pipeline.cpp", __LINE__, "verify", report.c_str());
}

}  // namespace

const std::vector<PassRow>& rows(Pipeline pipeline) {
  static const std::vector<PassRow> kCpuRows = {kInline,   kSimplify,        kFuse,
                                                kSimplify, kDefineSemantics, kSimplify};
  static const std::vector<PassRow> kGpuRows = {kInline, kSimplify, kFuse, kSimplify};
  static const std::vector<PassRow> kPlainRows = {kInline, kDefineSemantics};
  switch (pipeline) {
    case Pipeline::kCpu:
      return kCpuRows;
    case Pipeline::kGpu:
      return kGpuRows;
    case Pipeline::kPlain:
      return kPlainRows;
  }
  HALO_UNREACHABLE("unknown pipeline");
}

const std::vector<PassRow>& afterPlan() {
  static const std::vector<PassRow> kRows = {kDefineSemantics, kSimplify};
  return kRows;
}

core::Program run(const std::vector<PassRow>& rows, core::Program program,
                  const RunOptions& options) {
  if (options.verify) mustVerify(program, "before the first pass");
  for (const PassRow& row : rows) {
    base::StageScope stage(row.name);
    auto start = std::chrono::steady_clock::now();
    program = row.run(program);
    std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    if (options.verify) mustVerify(program, row.name);
    if (options.after) options.after(row, time.count(), program);
  }
  return program;
}

}  // namespace halo::passes
