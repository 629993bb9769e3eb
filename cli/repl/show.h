// Values as people read them: without suffixes, since the type stands before them. Large arrays are
// elided in every dimension, so that 10^8 elements cost no more than a few.
#pragma once

#include <string>

#include "lang/types/checked.h"
#include "lang/value/value.h"

namespace halo::repl {

struct ShowOptions {
  int64_t limit = 200;  // elements of an array that is shown whole
  int64_t edge = 3;     // elements at each end of a dimension that is not
};

// Where a value is an array of records: it is stored as a record of arrays.
struct Layout {
  int rank = 0;                // dimensions around the record
  std::vector<Layout> fields;  // none: no record
};
Layout layoutOf(const types::Program& program, types::TypeId type);

// Only shown elements are fetched from a device.
diag::Result<std::string> show(const value::Value& value, const Layout& layout,
                               const ShowOptions& options = {});

}  // namespace halo::repl
