#include "lang/base/containers/paged.h"

#include <doctest/doctest.h>

#include <string>

namespace halo::base {
namespace {

using ItemId = Id<struct ItemTag>;

TEST_CASE("items stay where they are while a store grows") {
  PagedStore<std::string, ItemId> store;
  const std::string* first = &store[store.add("first")];
  for (size_t i = 1; i < 3 * kPageEntries; ++i) CHECK(store.add(std::to_string(i)) == ItemId(i));
  CHECK(first == &store[ItemId(0)]);
  CHECK(store[ItemId(2 * kPageEntries)] == std::to_string(2 * kPageEntries));
  size_t count = 0;
  for (const std::string& item : store) count += item.empty() ? 0 : 1;
  CHECK(count == store.size());
}

TEST_CASE("a store goes on where it was cut") {
  for (size_t size : {size_t{0}, size_t{1}, kPageEntries, kPageEntries + 1}) {
    PagedStore<size_t, ItemId> store;
    for (size_t i = 0; i < 2 * kPageEntries + 5; ++i) store.add(i);
    store.truncate(size);
    CHECK(store.size() == size);
    CHECK(store.add(7) == ItemId(size));
    CHECK(store[ItemId(size)] == 7);
    CHECK(store.size() == size + 1);
  }
}

TEST_CASE("a table reads defaults where nothing was written") {
  PagedTable<int, ItemId> table;
  table[ItemId(3 * kPageEntries + 1)] = 5;
  CHECK(table.at(ItemId(3 * kPageEntries + 1)) == 5);
  CHECK(table.at(ItemId(3 * kPageEntries)) == 0);
  CHECK(table.at(ItemId(0)) == 0);
  CHECK(table.at(ItemId(9 * kPageEntries)) == 0);
}

TEST_CASE("a table forgets what was cut") {
  PagedTable<int, ItemId> table;
  for (size_t i = 0; i < 2 * kPageEntries; ++i) table[ItemId(i)] = 1;
  table.truncate(kPageEntries + 2);
  CHECK(table.at(ItemId(kPageEntries + 1)) == 1);
  CHECK(table.at(ItemId(kPageEntries + 2)) == 0);
  table.truncate(kPageEntries);
  CHECK(table.at(ItemId(kPageEntries)) == 0);
  CHECK(table.at(ItemId(kPageEntries - 1)) == 1);
}

}  // namespace
}  // namespace halo::base
