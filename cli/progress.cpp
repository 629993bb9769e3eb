// A thread that looks five times a second.
#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "lang/base/progress.h"
#include "lang/base/threads.h"

namespace halo::cli {

namespace {

using Clock = std::chrono::steady_clock;

bool canRedraw() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && terminal != nullptr && *terminal != '\0' &&
         std::strcmp(terminal, "dumb") != 0;
}

void draw(const std::string& text) {
  const std::string line = "\r" + text + "\x1b[K";
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

std::string progressText(int64_t done, int64_t total, double seconds) {
  constexpr int kWidth = 30;
  if (total <= 0 || done < 0 || done > total) return fmt::format("{:.0f} s", seconds);
  const double share = static_cast<double>(done) / static_cast<double>(total);
  const std::string bar(static_cast<size_t>(share * kWidth), '#');
  std::string text = fmt::format("[{:<{}}] {:.0f} %", bar, kWidth, share * 100);
  if (done > 0) text += fmt::format(", {:.0f} s left", seconds / share - seconds);
  return text;
}

ProgressBar::ProgressBar(bool is_wanted) {
  base::progress().set(0, 0);
  if (is_wanted && canRedraw()) watcher_ = base::startThread([this] { watch(); });
}

ProgressBar::~ProgressBar() {
  if (!watcher_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  watcher_.join();
}

void ProgressBar::watch() {
  constexpr std::chrono::milliseconds kPatience(1000), kInterval(200);
  const auto begin = Clock::now();
  std::unique_lock lock(mutex_);
  bool is_shown = false;
  while (!changed_.wait_for(lock, is_shown ? kInterval : kPatience, [this] { return is_over_; })) {
    const std::chrono::duration<double> passed = Clock::now() - begin;
    const base::Progress& progress = base::progress();
    draw(progressText(progress.done.load(std::memory_order_relaxed),
                      progress.total.load(std::memory_order_relaxed), passed.count()));
    is_shown = true;
  }
  if (is_shown) draw("");
}

}  // namespace halo::cli
