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

// The status of the job, when all children are gone. A rank that has ended, however it did, sends
// no more messages: a rank that waits for one learns it.
int waitForAll(std::vector<pid_t> children, void* memory) {
  int result = 0, ended_by = 0;
  bool is_overdue = false;
  size_t left = children.size();
  while (left > 0) {
    int status = 0;
    const pid_t child = waitpid(-1, &status, 0);
    if (child < 0) {  // a signal
      if (forwarded != 0) sendAll(children, SIGINT);
      forwarded = 0;
      continue;
    }
    size_t rank = 0;
    while (rank < children.size() && children[rank] != child) rank++;
    if (rank == children.size()) continue;
    children[rank] = 0;
    left--;
    endRank(memory);
    if (Overdue& told = overdueOf(memory); told.is_told.load() == 2 && !is_overdue) {
      is_overdue = true;  // the late one may never end
      if (told.rank != 0) {
        std::fprintf(stderr, "halo: %s\n", overdue(told.late, told.seconds).c_str());
      }
      result = std::max(result, kCannotRun);
      usleep(kGrace);
      sendAll(children, SIGKILL);
    }
    if (is_overdue && WIFSIGNALED(status)) continue;
    if (WIFSIGNALED(status) && ended_by == 0) {
      ended_by = WTERMSIG(status);
      if (left > 0 || rank > 0) {
        std::fprintf(stderr, "halo: rank %zu was ended by signal %d; all ranks are stopped\n", rank,
                     ended_by);
      }
      sendAll(children, SIGKILL);
    }
    if (WIFEXITED(status) && rank == 0) result = std::max(result, WEXITSTATUS(status));
  }
  return ended_by != 0 ? 128 + ended_by : result;
}

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
      waitForAll(children, mapped);
      return kCannotRun;
    }
    children.push_back(child);
  }
  close(memory);
  return waitForAll(std::move(children), mapped);
}

}  // namespace halo::ranks
