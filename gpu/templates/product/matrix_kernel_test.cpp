// Kernels of the versions of a product by cooperative matrices.
#include <set>

#include "gpu/schedule/choose.h"
#include "gpu/schedule/test_support.h"
#include "gpu/templates/host/host.h"
#include "lang/imp/text.h"

namespace halo::gpu {

// Two tiles had one name: launches of the small one ran the other's kernel.
TEST_CASE("tiles of cooperative matrices are kernels of their own") {
  Variants variants;
  static_cast<Limits&>(variants) = test::withMatrices();
  const HostResult host =
      lowerHost(scheduled(test::parsedCore(test::kByteProduct), variants), "main", variants);
  REQUIRE(host.unsupported.empty());
  const auto valid = imp::verify(host.program);
  CHECK_MESSAGE(valid, valid.error().message);
  std::set<std::string> names;
  for (const imp::Function& function : host.program.functions) names.insert(function.name);
  for (const char* name :
       {"main_1_matrix_tile", "main_1_small_matrix_tile", "main_1_smaller_matrix_tile"}) {
    CHECK(names.contains(name));
  }
}

}  // namespace halo::gpu
