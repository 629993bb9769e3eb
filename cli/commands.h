// Subcommands of `halo`, one file each; they return exit statuses (design.md#values-in-and-out).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/session/session.h"
#include "cli/session/status.h"
#include "cli/session/testing/shrink.h"

namespace halo::cli {

const char* commit();  // of the sources; empty: an archive

using session::kCannotRun;
using session::kOk;
using session::kRejected;
using session::kRunTimeError;
using session::kWrongUsage;

// Options that every subcommand takes.
struct Common {
  std::string color = "auto";        // auto, always, never; NO_COLOR counts for auto
  std::string diagnostics = "text";  // or json: one object a line
  bool quiet = false;
  bool verbose = false;
  bool time_passes = false;
  std::string float_mode = "default";
  int threads = 1;
  std::string tier = "auto";
  bool unsafe = false;
  bool verify = false;
  std::string device;
  std::string variant;
  bool explain = false;
  std::string profile;              // FILE of --profile, `true` without one
  bool profiles = false;            // `halo profile`, with or without that file
  std::string profile_page;         // its FILE of --html
  int time_limit = 0;               // seconds that each call may take; 0: no limit
  std::string device_limits;        // a profile; HALO_DEVICE_LIMITS is another way to name it
  std::vector<std::string> params;  // `name=40`: the value of `#[param(name)]`
  std::string tuning_file;          // lines of the same form
  std::string tuning = "tuning";    // the extension of such a file beside programs, ..
  bool has_tuning = true;           // .. where the command reads it
};

// Starts the clock of --time-limit anew, for the next call.
void startTimeLimit(const Common& common);
// With --profile: writes its files, and a table to standard error. kOk, or a failure's status.
int reportProfile(const Common& common, const source::Files& files);

// Options for the whole process, before a command runs: kOk, or the status to end with.
int applyCommon(const Common& common);

struct RunArguments {
  std::string file;
  std::vector<std::string> words;
  std::string backend = "auto";
  std::string entry;
  std::string save;
  bool binary = false;
  bool json = false;
  bool discards = false;    // the results
  int ranks = 1;            // processes of this machine, which share the work
  std::string gpus;         // their number, a GPU for each, or `all`
  double rank_timeout = 0;  // seconds; 0: any time
  distributed::CheckpointOptions checkpoints;
};
int run(const Common& common, RunArguments arguments);

struct ReplArguments {
  std::string file;  // to load first; may be empty
  std::string backend = "auto";
  int ranks = 1;  // as of RunArguments
  std::string gpus;
};
int repl(const Common& common, const ReplArguments& arguments);

struct LiterateArguments {
  std::string file;
  std::string output;         // empty: the file with the extension .md, or .ipynb
  std::string format = "md";  // or ipynb
  std::string backend = "auto";
  bool stop_on_error = false;
};
int literate(const Common& common, const LiterateArguments& arguments);

struct DatasetArguments {
  std::vector<std::string> generate;          // types
  std::map<std::string, std::string> bounds;  // by scalar type, `LOW:HIGH`
  uint64_t seed = 1;
  bool binary = false;
  bool json = false;
  bool types = false;  // print the types of the values only
  std::string output;
  std::string file;  // values to convert; empty: standard input
};
int dataset(const Common& common, const DatasetArguments& arguments);

struct CheckArguments {
  bool is_silent = false;  // no warnings
  bool is_strict = false;  // they are errors
};
int check(const Common& common, const CheckArguments& arguments,
          const std::vector<std::string>& files);

// In place; without paths from standard input to standard output.
struct FormatArguments {
  bool checks = false;         // change nothing, name the files that are not formatted
  bool shows_changes = false;  // change nothing, print a diff
  std::vector<std::string> paths;
};
int formatPrograms(const Common& common, const FormatArguments& arguments);

struct PackageArguments {
  std::string task;          // init, add, remove, upgrade, versions, sync, check
  std::string path;          // of a package
  std::string version;       // of `add`; empty: the newest
  std::string folder = ".";  // with `futhark.pkg`
  std::string mirror;        // a folder of repositories
  bool is_offline = false;
};
int package(const Common& common, const PackageArguments& arguments);

// `python3 -m halo.kernel`: makes Halo a kernel of Jupyter.
int kernel(const Common& common, const std::vector<std::string>& words);

struct ServerArguments {
  std::string file;
  std::string backend = "auto";
};
int server(const Common& common, const ServerArguments& arguments);

struct EvalArguments {
  std::vector<std::string> expressions;
  std::string file;  // whose definitions they use; may be empty
  std::string backend = "auto";
};
int eval(const Common& common, const EvalArguments& arguments);

struct ScriptArguments {
  std::string file;
  std::string expression;
  std::string expression_file;  // instead of `expression`
  std::string backend = "auto";
  bool binary = false;
};
int script(const Common& common, const ScriptArguments& arguments);

// One line each: kind, name and place of definitions in a program and its imports; its files.
int defs(const Common& common, const std::string& file);
int imports(const Common& common, const std::string& file);

int datacmp(const Common& common, const std::vector<std::string>& files);

struct TestArguments {
  std::vector<std::string> paths;
  std::string backends = "all";
  std::string entry;
  std::string json;
  std::string junit;
  uint64_t seed = 0;
  int jobs = 0;  // 0: one for each core
  int timeout = 300;
  int property_tests = 100;
  int64_t largest_size = 12;  // of random arguments of properties
  int shrink_tries = session::kShrinkTries;
  bool wording = false;
  bool everything = false;
  bool checks_only = false;          // no case runs
  bool compiles_only = false;        // .. but code is made for engines
  bool derivatives = false;          // gradient checks in place of cases
  bool same_entries = false;         // entries of one block are compared, too
  bool no_refusals = false;          // a kernel that a compiler refuses fails its case
  std::vector<std::string> exclude;  // tags
  std::vector<int> ranks;            // cpu and gpu on so many ranks as well
};
int test(const Common& common, const TestArguments& arguments);

struct BenchArguments {
  std::vector<std::string> paths;
  std::string backends = "cpu";
  std::string json;
  std::string entry;
  std::vector<std::string> exclude;  // tags
  std::vector<std::string> ignored;  // regular expressions of paths
  std::string compare;               // results to compare with
  std::string spec_file;             // test blocks in place of the programs' own
  int runs = 10;
  double seconds = 0.5;
  double tolerance = 0.05;           // of --compare
  int timeout = 0;                   // seconds for all runs of a data set; 0: no limit
  bool converges = true;             // runs go on until their mean is certain, ..
  double convergence_seconds = 300;  // .. or have taken this long
  bool transfers = false;            // measures calls with arguments and results on the host, too
  bool bandwidth = false;
};
int bench(const Common& common, const BenchArguments& arguments);
// Two results of --json, compared.
int benchcmp(const Common& common, const BenchArguments& arguments);

struct FuzzArguments {
  std::vector<std::string> programs;  // none: generated ones
  std::string entry;                  // of the programs; empty: all
  std::string generator;              // of arguments, an entry
  int64_t largest = 1025;             // size of a dimension of arguments by type
  std::optional<uint64_t> seed;       // none: 1, or where the campaign goes on
  int count = 0;                      // 0: 100, or without end where `until` is given
  std::string until;                  // a duration such as 10min
  bool every_variant = false;
  bool derivatives = false;  // of generated programs
  bool metamorphic = false;  // generated programs and a form of them with identities
  bool mutate = false;       // mutations of the programs, with the inputs of their test blocks
  std::vector<int> ranks;    // cpu and gpu also on so many
  std::string backends = "all";
  std::string json;
  std::string junit;
  std::string keep;   // a folder for the programs; empty: a temporary one
  std::string state;  // a folder that slices of one campaign share; empty: there is one slice
  int jobs = 0;
  int timeout = 60;
  uint64_t firstSeed() const { return seed.value_or(1); }
};
int fuzz(const Common& common, const FuzzArguments& arguments);

struct TuneArguments {
  std::string file;
  std::vector<std::string> words;
  std::string entry;
  int runs = 5;
};
int tune(const Common& common, const TuneArguments& arguments);

struct DumpArguments {
  std::string file;
  std::string stage;
  std::string entry;
  bool each = false;
};
int dump(const Common& common, const DumpArguments& arguments);

struct GoldenArguments {
  std::vector<std::string> paths;
  bool update = false;
};
int golden(const Common& common, const GoldenArguments& arguments);

struct DevicesArguments {
  int ranks = 1;     // what messages between so many cost
  std::string gpus;  // the same between devices
};
int devices(const Common& common, const DevicesArguments& arguments);
int lsp();
int doc(const Common& common, const std::vector<std::string>& words);
int explain(const Common& common, const std::string& code);

// ---- shared by the commands

// The options that a `-- run:` line may have; the rest are arguments.
void applyRunLine(const std::string& line, RunArguments* arguments);

session::SessionOptions sessionOptions(const Common& common);
// Ends the process; code that is still being compiled in the background is not waited for. Standard
// output that could not be written is an error, unless there is one already.
[[noreturn]] void leave(int status);
bool useColor(const Common& common);
// To standard error; the exit status that the diagnostic's code stands for.
int report(const Common& common, const source::Files& files, const diag::Diagnostic& diagnostic);
int report(const Common& common, const source::Files& files, const diag::Sink& sink);
// A note to standard error: `halo: TEXT`, or a JSON object of severity `note`.
void tell(const Common& common, const std::string& text);
// Of an output file that cannot be written.
int reportUnwritable(const Common& common, const std::string& path, const std::string& why);
// Memory for other data than arrays (H7009 covers these) is out: the process ends.
void listenToMemory();
// `all`, or a list separated by commas.
diag::Result<std::vector<session::Backend>> backendList(const std::string& text);
// Set by Ctrl-C.
base::CancelFlag& cancelFlag();

}  // namespace halo::cli
