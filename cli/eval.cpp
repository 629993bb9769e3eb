// halo eval: the values of expressions, with the definitions of a file in scope.
#include <cstdio>

#include "cli/commands.h"
#include "cli/repl/hints.h"
#include "cli/repl/workspace.h"
#include "lang/value/format.h"

namespace halo::cli {

int eval(const Common& common, const EvalArguments& arguments) {
  session::Session session(sessionOptions(common));
  source::Files none;
  const auto backend = session::backendFromName(arguments.backend);
  if (!backend) return report(common, none, backend.error());
  repl::Workspace workspace(session);
  for (const std::string& expression : arguments.expressions) {
    diag::Sink sink;
    if (!arguments.file.empty() && !workspace.load(arguments.file, sink)) {
      return report(common, session.files(), sink);
    }
    auto checked = workspace.check(expression, sink);
    if (!checked) {
      if (arguments.expressions.size() > 1) {
        sink = repl::withNote(
            sink, "help: each word is an expression; in quotes, `'1 + 1'`, they are one");
      }
      return report(common, session.files(), sink);
    }
    if (!checked->isValue()) {
      std::printf("%s\n", checked->type().c_str());
      continue;
    }
    auto evaluated = workspace.evaluate(*checked, *backend);
    if (!evaluated) return report(common, session.files(), evaluated.error());
    auto host = value::toHost(evaluated->value);
    if (!host) return report(common, session.files(), host.error());
    std::printf("%s\n", value::toText(*host).c_str());
  }
  return kOk;
}

}  // namespace halo::cli
