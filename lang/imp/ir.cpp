// The only instances of the special members of the statements of ir.h.
#include "lang/imp/ir.h"

namespace halo::imp {

StmNode::StmNode() = default;
StmNode::StmNode(const StmNode& other) = default;
StmNode::StmNode(StmNode&& other) noexcept = default;
StmNode& StmNode::operator=(const StmNode& other) = default;
StmNode& StmNode::operator=(StmNode&& other) noexcept = default;
StmNode::~StmNode() = default;
bool StmNode::operator==(const StmNode& other) const {
  return static_cast<const StmAlternatives&>(*this) == static_cast<const StmAlternatives&>(other);
}

bool For::operator==(const For& other) const = default;
bool While::operator==(const While& other) const = default;
bool If::operator==(const If& other) const = default;

}  // namespace halo::imp
