// The definitions and values of a session, as they grow from input to input. No terminal code: a
// notebook or an editor can sit on it as well as the REPL.
//
// An input that fails changes nothing, and a name that is defined again leaves older definitions as
// they were. A constant is evaluated once, when it is entered. From then on its value comes with
// the calls that reach it (types::givenFor), wherever it lives: arrays of a GPU stay there.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/repl/evaluate.h"
#include "cli/repl/input.h"
#include "cli/repl/show.h"
#include "cli/repl/trial.h"
#include "lang/types/forget.h"
#include "lang/types/sizes/given.h"

namespace halo::repl {

// The result of an input: a value, or something that is only defined (`type t`).
struct Made {
  std::string name;
  std::string type;  // of values and functions
  std::string kind;  // of the rest: `type`, `module`, `module type`, `open`, `import`
  std::optional<value::Value> value;
  Layout layout;  // of the value
};

struct Entered {
  bool ok = false;
  bool is_expression = false;
  std::vector<Made> made;
  Times times;            // of all evaluations together
  std::string agreement;  // with several engines: the result of comparing them
};

class Workspace;

// An expression or name whose type is known. It is part of the session only while this lives.
class Checked {
 public:
  Checked(Workspace& workspace, types::DefId id, std::unique_ptr<Trial> trial)
      : def(id), workspace_(&workspace), trial_(std::move(trial)) {}

  const types::Program& program() const;
  const types::Def& definition() const { return program().defs[def]; }
  std::string type() const { return types::print(program(), definition().type); }
  // Neither a function nor something with functions in it.
  bool isValue() const;

  types::DefId def;

 private:
  Workspace* workspace_;
  std::unique_ptr<Trial> trial_;  // none: the session's own
};

class Workspace {
 public:
  explicit Workspace(session::Session& session) : session_(session), evaluator_(session) {}

  // An expression or declarations. Errors go to the sink, then nothing has changed.
  Entered enter(const std::string& text, const std::vector<session::Backend>& backends,
                diag::Sink& sink);

  // The definitions of a file on top of the present ones. Imported files are read again.
  bool load(const std::string& path, diag::Sink& sink);
  void reset();

  // A name for a value that comes from elsewhere, such as a file: scalars, arrays, tuples of them.
  bool define(const std::string& name, value::Value value, diag::Sink& sink);

  // An expression or the name of a definition.
  std::optional<Checked> check(const std::string& expression, diag::Sink& sink);
  diag::Result<Evaluation> evaluate(const Checked& checked, session::Backend backend);
  diag::Result<Ready> prepare(const Checked& checked, session::Backend backend);

  // Null and errors in the sink are an internal fault.
  types::EnvironmentRef environment();
  // A name's value if it has one that was evaluated.
  const value::Value* valueOf(const std::string& name);

  session::Session& session() { return session_; }

 private:
  friend class Checked;

  void start();
  source::FileId addInput(const std::string& text);
  Entered enterExpression(source::FileId file, const std::vector<session::Backend>& backends,
                          diag::Sink& sink);
  void forgetExpressions();
  Entered enterDeclarations(source::FileId file, const std::vector<session::Backend>& backends,
                            diag::Sink& sink);
  bool give(Entered& entered, types::DefId def, const std::vector<session::Backend>& backends,
            diag::Sink& sink);
  bool lacksIt(source::FileId file, diag::Sink& sink);
  bool checkExpression(source::FileId file, diag::Sink& sink);
  bool checkDeclarations(source::FileId file, bool has_modules, diag::Sink& sink);
  void commit(size_t first_new_def);

  session::Session& session_;
  Evaluator evaluator_;
  types::EnvironmentRef environment_;
  std::map<std::string, types::DefId> named_;  // values by the name they have now
  std::set<types::DefId> pinned_;              // values that definitions use
  std::optional<types::Extent> lasting_;       // behind it are expressions and their values alone
  int inputs_ = 0;
};

}  // namespace halo::repl
