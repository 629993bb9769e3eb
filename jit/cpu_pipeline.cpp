#include "jit/cpu_pipeline.h"

#include "jit/pass_timer.h"
#include "lang/base/check.h"
#include "lang/imp/explain.h"
#include "lang/imp/text.h"

namespace halo::jit {

imp::Program impOf(const core::Program& lowered, passes::Pipeline pipeline,
                   const engine::Options& options, imp::SourceSpans* spans) {
  passes::RunOptions run;
#ifdef HALO_VERIFY
  run.verify = true;
#else
  run.verify = options.verify;
#endif
  run.after = [&](const passes::PassRow& row, double milliseconds, const core::Program&) {
    if (options.time_pass) options.time_pass(row.name, milliseconds);
  };
  core::Program ready = passes::run(passes::rows(pipeline), lowered, run);
  PassTimer timer(options, "imp");
  base::StageScope stage("imp");
  imp::FromCoreOptions from;
  from.strict_floats = options.float_mode == engine::FloatMode::kStrict;
  from.tiny_steps = options.variant == "steps";
  from.plain = pipeline == passes::Pipeline::kPlain;
  from.spans = spans;
  from.parallel = options.threads > 1 || options.tier != engine::Tier::kOptimised;
  if (options.explain && pipeline == passes::Pipeline::kCpu) {
    imp::explainStencils(ready, options.explain);
  }
  imp::Program program = imp::fromCore(ready, from);
  if (run.verify) {
    auto valid = imp::verify(program);
    HALO_CHECK(valid.has_value(), valid ? "" : valid.error().message.c_str());
  }
  return program;
}

}  // namespace halo::jit
