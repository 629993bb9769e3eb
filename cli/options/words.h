// The words of a command line before CLI11 reads them: scripts and programs as commands, values
// that look like lists or options.
#pragma once

#include <string>
#include <vector>

namespace halo::cli {

// `halo prog.fut args` is `halo run prog.fut args`.
void insertRun(std::vector<std::string>& words);
// `--profile trace.json` is `--profile=trace.json`; no other word behind `--profile` is its file.
void joinTrace(std::vector<std::string>& words);
// CLI11 splits `[1, 2]` as a list of its own, and `-3` and `-f32.inf` for options: such words are
// marked, `unshield` takes the mark away.
void shieldValues(std::vector<std::string>& words);
void unshield(std::string& text);
void unshieldValues(std::vector<std::string>& words);
// The words behind `--`, which are values whatever they look like, out of the list.
std::vector<std::string> takeValues(std::vector<std::string>& words);

}  // namespace halo::cli
