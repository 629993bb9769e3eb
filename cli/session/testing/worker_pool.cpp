// Test programs in processes of their own. Each worker is a fork that takes paths from a pipe and
// answers on another: `S` and the program begun, `R` and a report. The parent creates no engine, so
// a fork finds no threads and no device.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>

#include "cli/session/testing/tester.h"
#include "cli/session/testing/trial.h"
#include "lang/value/memory.h"

namespace halo::session {
namespace {

using Clock = std::chrono::steady_clock;

// ---- messages: a kind, a length, the bytes

void appendText(std::string& out, const std::string& text) {
  const auto length = static_cast<uint32_t>(text.size());
  out.append(reinterpret_cast<const char*>(&length), sizeof length);
  out += text;
}

std::string packed(const TestReport& report) {
  std::string out;
  for (const int count : {report.passed, report.failed, report.skipped}) {
    out.append(reinterpret_cast<const char*>(&count), sizeof count);
  }
  appendText(out, report.device);
  appendText(out, report.diagnostics);
  for (const auto* list : {&report.failures, &report.skips, &report.schedules}) {
    const auto length = static_cast<uint32_t>(list->size());
    out.append(reinterpret_cast<const char*>(&length), sizeof length);
    for (const std::string& text : *list) appendText(out, text);
  }
  const auto length = static_cast<uint32_t>(report.counterexamples.size());
  out.append(reinterpret_cast<const char*>(&length), sizeof length);
  for (const Counterexample& found : report.counterexamples) {
    out.append(reinterpret_cast<const char*>(&found.seed), sizeof found.seed);
    for (const auto* text : {&found.entry, &found.text, &found.input, &found.device}) {
      appendText(out, *text);
    }
  }
  return out;
}

class Unpacker {
 public:
  explicit Unpacker(const std::string& bytes) : bytes_(bytes) {}
  template <typename Number>
  Number number() {
    Number number{};
    std::memcpy(&number, bytes_.data() + at_, sizeof number);
    at_ += sizeof number;
    return number;
  }
  std::string text() {
    const auto length = number<uint32_t>();
    at_ += length;
    return bytes_.substr(at_ - length, length);
  }
  TestReport report() {
    TestReport report;
    report.passed = number<int>();
    report.failed = number<int>();
    report.skipped = number<int>();
    report.device = text();
    report.diagnostics = text();
    for (auto* list : {&report.failures, &report.skips, &report.schedules}) {
      for (auto count = number<uint32_t>(); count > 0; --count) list->push_back(text());
    }
    for (auto count = number<uint32_t>(); count > 0; --count) {
      Counterexample found;
      found.seed = number<uint64_t>();
      for (auto* field : {&found.entry, &found.text, &found.input, &found.device}) *field = text();
      report.counterexamples.push_back(std::move(found));
    }
    return report;
  }

 private:
  const std::string& bytes_;
  size_t at_ = 0;
};

void writeAll(int fd, const std::string& bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t count = write(fd, bytes.data() + at, bytes.size() - at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;  // the other side is gone, which its end of the pipe will show
    at += static_cast<size_t>(count);
  }
}

void send(int fd, char kind, const std::string& text) {
  std::string message(1, kind);
  appendText(message, text);
  writeAll(fd, message);
}

bool readAll(int fd, char* to, size_t count) {
  while (count > 0) {
    const ssize_t got = read(fd, to, count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    count -= static_cast<size_t>(got);
  }
  return true;
}

constexpr std::chrono::seconds kGrace{10};  // from the interruption to the end of the process

base::CancelFlag& outOfTime() {
  static base::CancelFlag flag;
  return flag;
}

// The life of a worker: programs until the pipe of paths ends.
[[noreturn]] void work(int paths, int answers, SessionOptions session, TestOptions options,
                       std::chrono::seconds timeout) {
  session.cancel = &outOfTime();
  signal(SIGALRM, [](int) { outOfTime().set(); });
  options.starting = [answers, timeout](const std::string& what) {
    send(answers, 'S', what);
    outOfTime().clear();
    alarm(static_cast<unsigned>(timeout.count()));
  };
  for (;;) {
    uint32_t length = 0;
    if (!readAll(paths, reinterpret_cast<char*>(&length), sizeof length)) _exit(0);
    std::string path(length, '\0');
    if (!readAll(paths, path.data(), length)) _exit(0);
    send(answers, 'R',
         packed(options.trials.count > 0 ? tryProgram(path, session, options)
                                         : testProgram(path, session, options)));
    value::releaseHostCache();  // other workers need the memory as well
  }
}

struct Worker {
  pid_t process = -1;
  int paths = -1;    // we write
  int answers = -1;  // we read
  std::optional<size_t> program;
  std::string doing;
  Clock::time_point since;
  std::string bytes;  // of a message that is not complete
};

class Pool {
 public:
  using Show = std::function<void(const std::string&, const TestReport&)>;
  Pool(const std::vector<std::string>& paths, const SessionOptions& session,
       const TestOptions& options, const PoolOptions& pool, const Show& show)
      : paths_(paths), session_(session), options_(options), pool_(pool), show_(show) {}

  void run() {
    signal(SIGPIPE, SIG_IGN);
    const size_t count = std::min(static_cast<size_t>(pool_.jobs), paths_.size());
    workers_.resize(count);
    for (Worker& worker : workers_) {
      if (start(worker)) giveNext(worker);
    }
    while (shown_ < paths_.size() && !isOver()) {
      if (!hasProcess()) return failRest();
      wait();
      for (Worker& worker : workers_) checkTime(worker);
    }
    for (Worker& worker : workers_) stop(worker);
  }

 private:
  // False if the system refuses descriptors or a process; the other workers take the programs.
  bool start(Worker& worker) {
    worker = Worker{};
    int down[2] = {-1, -1}, up[2] = {-1, -1};
    if (pipe2(down, O_CLOEXEC) == 0 && pipe2(up, O_CLOEXEC) == 0) worker.process = fork();
    if (worker.process < 0) {
      refusal_ = std::strerror(errno);
      for (const int end : {down[0], down[1], up[0], up[1]}) {
        if (end >= 0) close(end);
      }
      return false;
    }
    if (worker.process == 0) {
      close(down[1]);
      close(up[0]);
      for (const Worker& other : workers_) {
        if (other.paths >= 0) close(other.paths);  // else they would not end with us
      }
      work(down[0], up[1], session_, options_, pool_.timeout);
    }
    close(down[0]);
    close(up[1]);
    worker.paths = down[1];
    worker.answers = up[0];
    return true;
  }

  bool isOver() const {
    return (pool_.cancel != nullptr && pool_.cancel->isSet()) || Clock::now() >= pool_.until;
  }

  bool hasProcess() const {
    return std::any_of(workers_.begin(), workers_.end(),
                       [](const Worker& worker) { return worker.process >= 0; });
  }

  void failRest() {
    const diag::Diagnostic refused = {.code = diag::Code::out_of_memory,
                                      .message = "no process for tests: " + refusal_};
    const source::Files none;
    while (next_ < paths_.size()) {
      const size_t program = next_++;
      TestReport report;
      report.failed = 1;
      report.failures.push_back(paths_[program] + ": " + diag::render(refused, none));
      finished(program, std::move(report));
    }
  }

  void giveNext(Worker& worker) {
    worker.program.reset();
    if (next_ == paths_.size()) return;
    worker.program = next_;
    worker.doing.clear();
    worker.since = Clock::now();
    std::string message;
    appendText(message, paths_[next_++]);
    writeAll(worker.paths, message);
  }

  // A worker that waits for its next program, or is killed.
  void stop(Worker& worker) {
    if (worker.process < 0) return;
    close(worker.paths);
    close(worker.answers);
    if (worker.program) kill(worker.process, SIGKILL);
    waitpid(worker.process, nullptr, 0);
    worker.process = worker.paths = worker.answers = -1;
  }

  void wait() {
    std::vector<pollfd> sources;
    for (const Worker& worker : workers_) sources.push_back({worker.answers, POLLIN, 0});
    if (poll(sources.data(), sources.size(), 200) <= 0) return;
    for (size_t i = 0; i < sources.size(); ++i) {
      if ((sources[i].revents & (POLLIN | POLLHUP | POLLERR)) != 0) receive(workers_[i]);
    }
  }

  void receive(Worker& worker) {
    char buffer[65536];
    const ssize_t count = read(worker.answers, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) return;
    if (count <= 0) return died(worker);
    worker.bytes.append(buffer, static_cast<size_t>(count));
    for (;;) {
      uint32_t length = 0;
      if (worker.bytes.size() < 1 + sizeof length) return;
      std::memcpy(&length, worker.bytes.data() + 1, sizeof length);
      const size_t whole = 1 + sizeof length + length;
      if (worker.bytes.size() < whole) return;
      const char kind = worker.bytes[0];
      const std::string text = worker.bytes.substr(1 + sizeof length, length);
      worker.bytes.erase(0, whole);
      understand(worker, kind, text);
    }
  }

  void understand(Worker& worker, char kind, const std::string& text) {
    worker.since = Clock::now();
    if (kind == 'S') {
      worker.doing = text;
      return;
    }
    finished(*worker.program, Unpacker(text).report());
    giveNext(worker);
  }

  // Cases passed before the end are lost; the program counts as one failure.
  void lost(Worker& worker, const std::string& why) {
    TestReport report;
    report.failed = 1;
    const std::string& path = paths_[*worker.program];
    report.failures.push_back(path + (worker.doing.empty() ? "" : ": " + worker.doing) + ": " +
                              why);
    finished(*worker.program, std::move(report));
    if (start(worker)) giveNext(worker);
  }

  void died(Worker& worker) {
    int status = 0;
    waitpid(worker.process, &status, 0);
    close(worker.paths);
    close(worker.answers);
    worker.paths = worker.answers = worker.process = -1;
    if (!worker.program) return;
    lost(worker, WIFSIGNALED(status)
                     ? std::string("the process dies: ") + strsignal(WTERMSIG(status))
                     : "the process ends with status " + std::to_string(WEXITSTATUS(status)));
  }

  void checkTime(Worker& worker) {
    if (!worker.program || Clock::now() - worker.since < pool_.timeout + kGrace) return;
    stop(worker);
    lost(worker, "no end after " + std::to_string(pool_.timeout.count()) + " s");
  }

  void finished(size_t program, TestReport report) {
    reports_[program] = std::move(report);
    for (auto at = reports_.find(shown_); at != reports_.end(); at = reports_.find(shown_)) {
      show_(paths_[shown_], at->second);
      reports_.erase(at);
      ++shown_;
    }
  }

  const std::vector<std::string>& paths_;
  const SessionOptions& session_;
  const TestOptions& options_;
  const PoolOptions& pool_;
  const Show& show_;
  std::vector<Worker> workers_;
  std::map<size_t, TestReport> reports_;  // that wait for earlier ones
  std::string refusal_;  // the system's reason for the last process that did not start
  size_t next_ = 0;
  size_t shown_ = 0;
};

}  // namespace

void testPrograms(const std::vector<std::string>& paths, const SessionOptions& session,
                  const TestOptions& options, const PoolOptions& pool,
                  const std::function<void(const std::string& path, const TestReport&)>& show) {
  Pool(paths, session, options, pool, show).run();
}

}  // namespace halo::session
