// Types of inputs, outputs and values, by the leaves that values have.
#include <fmt/format.h>

#include "api/objects.h"
#include "lang/base/match.h"
#include "lang/engine/regroup.h"

namespace halo::api {
namespace {

static_assert(static_cast<int>(prim::ScalarType::kBool) == HALO_BOOL);
static_assert(static_cast<int>(prim::ScalarType::kF16) == HALO_F16);

halo_scalar_type scalarOf(prim::ScalarType type) { return static_cast<halo_scalar_type>(type); }

using Leaves = std::vector<halo_type::Leaf>;

bool isTuple(const std::vector<std::string>& names) { return names.empty() || names[0] == "0"; }

std::string joined(const std::vector<halo_type>& types, const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < types.size(); ++i) {
    text += (i == 0 ? "" : ", ") + (names.empty() ? "" : names[i] + ": ") + types[i].text;
  }
  return text;
}

std::string groupText(const halo_type& type) {
  return type.kind == HALO_TUPLE ? "(" + joined(type.fields, {}) + ")"
                                 : "{" + joined(type.fields, type.names) + "}";
}

std::string sumText(const halo_type& type) {
  std::string text;
  for (size_t c = 0; c < type.names.size(); ++c) {
    text += (c == 0 ? "#" : " | #") + type.names[c];
    for (const halo_type& part : type.payloads[c]) {
      text += part.kind == HALO_SUM ? " (" + part.text + ")" : " " + part.text;
    }
  }
  for (int i = 0; i < type.rank; ++i) text = "[](" + text + ")";
  return text;
}

halo_type leafType(const halo_type::Leaf& leaf) {
  halo_type type;
  type.kind = leaf.rank == 0 ? HALO_SCALAR : HALO_ARRAY;
  type.rank = leaf.rank;
  type.scalar = scalarOf(leaf.scalar);
  for (int i = 0; i < leaf.rank; ++i) type.text += "[]";
  type.text += prim::name(leaf.scalar);
  return type;
}

halo_type typeOf(const value::Form& form, const Leaves& leaves, size_t* next);

// `leaves`: the tag, if there is one, then the slots.
halo_type sumType(std::shared_ptr<const value::SumForm> form, int rank, Leaves leaves) {
  halo_type type;
  type.kind = HALO_SUM;
  type.rank = rank;
  type.names = form->constructors;
  for (size_t c = 0; c < form->constructors.size(); ++c) {
    Leaves own;
    for (const size_t slot : form->slot_of_leaf[c]) {
      own.push_back(leaves.at(slot + (form->has_tag ? 1 : 0)));
      own.back().rank -= rank;
    }
    std::vector<halo_type>& payload = type.payloads.emplace_back();
    size_t next = 0;
    for (const value::Form& part : form->payloads[c]) payload.push_back(typeOf(part, own, &next));
  }
  type.sum = std::move(form);
  type.leaves = std::move(leaves);
  type.text = sumText(type);
  return type;
}

// Takes the leaves from *next on.
halo_type typeOf(const value::Form& form, const Leaves& leaves, size_t* next) {
  if (form.sum != nullptr) {
    const size_t count = value::slotCount(*form.sum) + (form.sum->has_tag ? 1 : 0);
    const auto first = leaves.begin() + static_cast<std::ptrdiff_t>(*next);
    *next += count;
    return sumType(form.sum, form.rank, Leaves(first, first + static_cast<std::ptrdiff_t>(count)));
  }
  if (!form.is_record) return leafType(leaves.at((*next)++));
  halo_type type;
  type.kind = isTuple(form.names) ? HALO_TUPLE : HALO_RECORD;
  type.names = form.names;
  for (const value::Form& field : form.fields) type.fields.push_back(typeOf(field, leaves, next));
  type.text = groupText(type);
  return type;
}

halo_type::Leaf leafOf(const value::Value& value) {
  const value::Array* array = value.array();
  return array == nullptr ? halo_type::Leaf{value.scalar()->type}
                          : halo_type::Leaf{array->type(), array->rank()};
}

}  // namespace

halo_type typeOf(const types::Program& program, types::TypeId type) {
  Leaves leaves;
  for (const types::Leaf& leaf : types::leaves(program, type)) {
    leaves.push_back({leaf.scalar, static_cast<int>(leaf.shape.size())});
  }
  size_t next = 0;
  halo_type result = typeOf(engine::formOf(program, type), leaves, &next);
  result.text = types::print(program, type);
  return result;
}

halo_type typeOf(const value::Value& value) {
  return base::match(
      value.data,
      [](const value::Scalar& scalar) {
        halo_type type;
        type.scalar = scalarOf(scalar.type);
        type.text = prim::name(scalar.type);
        return type;
      },
      [](const value::Array& array) {
        halo_type type;
        type.kind = HALO_ARRAY;
        type.rank = array.rank();
        type.scalar = scalarOf(array.type());
        type.text = value::shapeText(array.shape()) + std::string(prim::name(array.type()));
        return type;
      },
      [](const value::Record& record) {
        halo_type type;
        type.kind = isTuple(record.names) ? HALO_TUPLE : HALO_RECORD;
        type.names = record.names;
        for (const value::Value& field : record.fields) type.fields.push_back(typeOf(field));
        type.text = groupText(type);
        return type;
      },
      [](const value::Sum& sum) {
        Leaves leaves;
        for (const value::Value& leaf : sum.leaves) leaves.push_back(leafOf(leaf));
        return sumType(sum.form, sum.rank, std::move(leaves));
      });
}

}  // namespace halo::api

extern "C" {

halo_kind halo_type_kind(const halo_type* type) { return type ? type->kind : HALO_SCALAR; }
int halo_type_rank(const halo_type* type) { return type ? type->rank : 0; }
halo_scalar_type halo_type_scalar(const halo_type* type) { return type ? type->scalar : HALO_I8; }
const char* halo_type_text(const halo_type* type) { return type ? type->text.c_str() : nullptr; }
size_t halo_type_fields(const halo_type* type) { return type ? type->fields.size() : 0; }
const halo_type* halo_type_field(const halo_type* type, size_t i) {
  return i < halo_type_fields(type) ? &type->fields[i] : nullptr;
}
const char* halo_type_field_name(const halo_type* type, size_t i) {
  return i < halo_type_fields(type) && i < type->names.size() ? type->names[i].c_str() : nullptr;
}
size_t halo_type_constructors(const halo_type* type) { return type ? type->payloads.size() : 0; }
const char* halo_type_constructor(const halo_type* type, size_t i) {
  return i < halo_type_constructors(type) ? type->names[i].c_str() : nullptr;
}
size_t halo_type_payloads(const halo_type* type, size_t constructor) {
  return constructor < halo_type_constructors(type) ? type->payloads[constructor].size() : 0;
}
const halo_type* halo_type_payload(const halo_type* type, size_t constructor, size_t i) {
  return i < halo_type_payloads(type, constructor) ? &type->payloads[constructor][i] : nullptr;
}
size_t halo_scalar_size(halo_scalar_type type) {
  if (type < HALO_I8 || type > HALO_BOOL) return 0;
  return static_cast<size_t>(halo::prim::byteSize(static_cast<halo::prim::ScalarType>(type)));
}

}  // extern "C"
