// IdMap: ids that fall on one place, growth, first values stay, clearing.
#include "lang/base/containers/id_map.h"

#include <doctest/doctest.h>

namespace {

using TestId = halo::base::Id<struct TestTag>;

TEST_CASE("an id map keeps the first value of each id") {
  halo::base::IdMap<TestId, int> map;
  CHECK(map.find(TestId(3)) == nullptr);
  CHECK(map.insert(TestId(3), 30));
  CHECK_FALSE(map.insert(TestId(3), 31));
  for (size_t i = 0; i < 500; ++i) map.insert(TestId(i * 1024), static_cast<int>(i));
  CHECK(map.size() == 501);
  CHECK(*map.find(TestId(3)) == 30);
  for (size_t i = 0; i < 500; ++i) CHECK(*map.find(TestId(i * 1024)) == static_cast<int>(i));
  CHECK_FALSE(map.contains(TestId(1)));
  map.set(TestId(3), 33);
  map.set(TestId(5), 50);
  CHECK(*map.find(TestId(3)) == 33);
  CHECK(*map.find(TestId(5)) == 50);
  map.clear();
  CHECK(map.size() == 0);
  CHECK_FALSE(map.contains(TestId(3)));
  CHECK(map.insert(TestId(3), 32));
}

}  // namespace
