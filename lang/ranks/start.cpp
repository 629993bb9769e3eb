// Ranks as children of this process. They inherit a piece of memory, whose number is in the
// environment.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

#include "lang/ranks/job.h"
#include "lang/ranks/shared_memory.h"

namespace halo::ranks {
namespace {

constexpr int kCannotRun = 3;
constexpr int kGrace = 300000;  // microseconds for ranks that still answer to say why they end

std::vector<std::string> ownArguments() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\0', at);
    words.push_back(text.substr(at, end - at));
    at = end == std::string::npos ? text.size() : end + 1;
  }
  return words;
}

// In the child: never returns.
[[noreturn]] void becomeRank(int rank, int count, int memory, pid_t parent, bool has_terminal,
                             std::vector<char*>& words) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // no rank outlives the process that waits for it
  if (!has_terminal) setpgid(0, 0);  // a Ctrl-C comes from there, once
  signal(SIGINT, SIG_DFL);
  if (getppid() != parent) _exit(kCannotRun);
  setenv("HALO_RANK", std::to_string(rank).c_str(), 1);
  setenv("HALO_RANKS", std::to_string(count).c_str(), 1);
  setenv("HALO_RANKS_MEMORY", std::to_string(memory).c_str(), 1);
  if (rank > 0) {
    const int nothing = open("/dev/null", O_RDWR);
    for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, fd);
  }
  execv("/proc/self/exe", words.data());
  _exit(kCannotRun);
}

volatile sig_atomic_t forwarded = 0;

void noteSignal(int signal) { forwarded = signal; }

void listen(Terminal terminal) {
  if (terminal == Terminal::kOfFirstRank) {
    signal(SIGINT, SIG_IGN);
    return;
  }
  struct sigaction action {};  // without SA_RESTART: waiting is interrupted
  action.sa_handler = noteSignal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void sendAll(const std::vector<pid_t>& children, int signal) {
  for (pid_t child : children) {
    if (child > 0) kill(child, signal);
  }
}

// Waits for the ranks. One that has ended, however it did, sends no more messages: a rank that
// waits for one learns it.
class Watch {
 public:
  Watch(std::vector<pid_t> children, void* memory)
      : children_(std::move(children)), memory_(memory) {}

  // The status of the job, when all children are gone.
  int waitForAll() {
    for (left_ = children_.size(); left_ > 0;) {
      int status = 0;
      const pid_t child = waitpid(-1, &status, 0);
      if (child < 0) {
        forward();
        continue;
      }
      const auto found = std::find(children_.begin(), children_.end(), child);
      if (found == children_.end()) continue;
      *found = 0;
      left_--;
      endRank(memory_);
      hasEnded(static_cast<size_t>(found - children_.begin()), status);
    }
    return ended_by_ != 0 ? 128 + ended_by_ : result_;
  }

 private:
  void forward() {
    if (forwarded == 0) return;
    sendAll(children_, SIGINT);
    is_interrupted_ = true;
    forwarded = 0;
  }

  void hasEnded(size_t rank, int status) {
    if (Overdue& told = overdueOf(memory_); told.is_told.load() == 2 && !is_overdue_) {
      is_overdue_ = true;  // the late one may never end
      if (told.rank != 0) {
        std::fprintf(stderr, "halo: %s\n", overdue(told.late, told.seconds).c_str());
      }
      result_ = std::max(result_, kCannotRun);
      usleep(kGrace);
      sendAll(children_, SIGKILL);
    }
    if (WIFSIGNALED(status) && !is_overdue_ && ended_by_ == 0) {
      ended_by_ = WTERMSIG(status);
      // A Ctrl-C ends ranks that have just started, without a word as it ends one process.
      const bool is_asked = is_interrupted_ && ended_by_ == SIGINT;
      if (!is_asked && (left_ > 0 || rank > 0)) {
        std::fprintf(stderr, "halo: rank %zu was ended by signal %d; all ranks are stopped\n", rank,
                     ended_by_);
      }
      sendAll(children_, SIGKILL);
    }
    if (WIFEXITED(status) && rank == 0) result_ = std::max(result_, WEXITSTATUS(status));
  }

  std::vector<pid_t> children_;  // 0: it has ended
  void* memory_;
  size_t left_ = 0;
  int result_ = 0, ended_by_ = 0;
  bool is_overdue_ = false, is_interrupted_ = false;
};

}  // namespace

int startHere(int count, Terminal terminal) {
  const int memory = memfd_create("halo-ranks", 0);
  const size_t bytes = sharedBytes(count);
  const bool is_there = memory >= 0 && ftruncate(memory, static_cast<off_t>(bytes)) == 0;
  void* mapped =
      is_there ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0) : MAP_FAILED;
  if (mapped == MAP_FAILED) {
    std::fprintf(stderr, "halo: no memory for the messages of %d ranks\n", count);
    return kCannotRun;
  }
  std::vector<std::string> arguments = ownArguments();
  std::vector<char*> words;
  for (std::string& word : arguments) words.push_back(word.data());
  words.push_back(nullptr);
  listen(terminal);
  std::fflush(nullptr);
  const pid_t parent = getpid();
  std::vector<pid_t> children;
  for (int rank = 0; rank < count; ++rank) {
    const pid_t child = fork();
    const bool has_terminal = rank == 0 && terminal == Terminal::kOfFirstRank;
    if (child == 0) becomeRank(rank, count, memory, parent, has_terminal, words);
    if (child < 0) {
      std::fprintf(stderr, "halo: rank %d cannot be started; all ranks are stopped\n", rank);
      sendAll(children, SIGKILL);
      (void)Watch(children, mapped).waitForAll();
      return kCannotRun;
    }
    children.push_back(child);
  }
  close(memory);
  return Watch(std::move(children), mapped).waitForAll();
}

}  // namespace halo::ranks
