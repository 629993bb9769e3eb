// halo check: parse and type-check; diagnostics to standard error, status 2 on errors.
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "cli/commands.h"

namespace halo::cli {
namespace {

// Nodes and tables double as they grow: a heap that keeps their old places has fewer pages to map.
void keepFreedMemory() {
#ifdef __GLIBC__
  constexpr int kHeap = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, kHeap);
  mallopt(M_TRIM_THRESHOLD, kHeap);
  mallopt(M_TOP_PAD, kHeap / 16);
#endif
}

}  // namespace

int check(const Common& common, const CheckArguments& arguments,
          const std::vector<std::string>& files) {
  keepFreedMemory();
  int worst = kOk;
  for (const std::string& file : files) {
    session::SessionOptions options = sessionOptions(common);
    options.warns = !arguments.is_silent;
    session::Session session(std::move(options));
    diag::Sink sink;
    session.load(file, sink);
    const bool is_warned = !sink.all().empty();
    worst = std::max(worst, report(common, session.files(), sink));
    if (arguments.is_strict && is_warned) worst = std::max(worst, kRejected);
  }
  return worst;
}

}  // namespace halo::cli
