// halo lsp: the language server, on standard input and output.
#include <unistd.h>

#include <csignal>

#include "cli/commands.h"
#include "cli/lsp/server.h"

namespace halo::cli {

int lsp() {
  std::signal(SIGPIPE, SIG_IGN);  // the editor may end first
  return lsp::serve(STDIN_FILENO, STDOUT_FILENO);
}

}  // namespace halo::cli
