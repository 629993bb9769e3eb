// Host code as text before and after.
#include "gpu/templates/host/late_reads.h"

#include <doctest/doctest.h>

#include "lang/imp/text.h"

namespace halo::gpu {
namespace {

using namespace imp;

Program parsed(const std::string& body) {
  source::Files files;
  const std::string text =
      "kernel \"k\"(out$0: device i64) workgroup 1 1 1 -> () { }\n"
      "entry \"f\"(n_0: i64) -> () { buffer x$1: device i64 "
      "buffer y$2: device i64 alloc x$1[1i64] alloc y$2[1i64] " +
      body + " }";
  auto program = parse(files, files.add("test", text));
  if (!program) FAIL(program.error().message);
  return std::move(*program);
}

const std::string kX = "launch \"k\" (1i64, 1i64, 1i64) (x$1) () ";
const std::string kY = "launch \"k\" (1i64, 1i64, 1i64) (y$2) () ";
const std::string kReadX = "read a_1: i64 = x$1[0i64] free x$1 ";
const std::string kReadY = "read b_2: i64 = y$2[0i64] free y$2 ";
const std::string kUseX = "c_3: i64 = i64.add a_1 1i64 ";
const std::string kUseY = "d_4: i64 = i64.add b_2 1i64 ";

void becomes(const std::string& before, const std::string& after) {
  Program program = parsed(before);
  Function& function = program.functions.back();
  function.body = lateReads(function.body);
  CHECK(print(program) == print(parsed(after)));
}

}  // namespace

TEST_CASE("scalars are read together, behind what is launched without them") {
  becomes(kX + kReadX + kY + kReadY + kUseX + kUseY, kX + kY + kReadX + kReadY + kUseX + kUseY);
}

TEST_CASE("what needs a scalar comes behind its read, also inside of branches and loops") {
  const std::string launch = "launch \"k\" (c_3, 1i64, 1i64) (y$2) () ";
  becomes(kX + kReadX + kUseX + launch + kReadY, kX + kReadX + kUseX + launch + kReadY);
  const std::string branch = "if true { " + kUseX + "} else { } ";
  becomes(kX + kReadX + kY + branch + kReadY, kX + kY + kReadX + branch + kReadY);
}

TEST_CASE("scalar code waits with the scalars that it is of") {
  becomes(kX + kReadX + kUseX + kY + kReadY + kUseY, kX + kY + kReadX + kUseX + kReadY + kUseY);
  const std::string more = "e_5: i64 = i64.mul c_3 a_1 ";
  becomes(kX + kReadX + kUseX + more + kY + kReadY, kX + kY + kReadX + kUseX + more + kReadY);
  const std::string sum = "c_3: i64 = i64.add a_1 v_6 ", change = "v_6 := 2i64 ";
  becomes("var v_6: i64 := 1i64 " + kX + kReadX + sum + change + kY,
          "var v_6: i64 := 1i64 " + kX + kReadX + sum + change + kY);
}

TEST_CASE("what mentions the memory comes behind the read") {
  const std::string again = "alloc x$1[1i64] ";
  becomes(kX + kReadX + again + kX + kY, kX + kReadX + again + kX + kY);
}

TEST_CASE("memory that is not given back at once may have other names: its reads stay") {
  const std::string read = "read a_1: i64 = x$1[0i64] ";
  becomes(kX + read + kY + kUseX, kX + read + kY + kUseX);
}

TEST_CASE("reads end with the block that they are in") {
  const std::string loop = "for i_5: i64 in 0i64 .. n_0 { alloc x$1[1i64] " + kX + kReadX;
  becomes(loop + kY + "} ",
          "for i_5: i64 in 0i64 .. n_0 { alloc x$1[1i64] " + kX + kY + kReadX + "} ");
}

}  // namespace halo::gpu
