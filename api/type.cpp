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

halo_type sumType(const value::SumForm& form, int rank) {
  halo_type type;
  type.kind = HALO_SUM;
  type.rank = rank;
  type.names = form.constructors;
  return type;
}

bool isTuple(const std::vector<std::string>& names) { return names.empty() || names[0] == "0"; }

// Takes the leaves from *next on.
halo_type typeOf(const value::Form& form, const std::vector<types::Leaf>& leaves, size_t* next) {
  halo_type type;
  if (form.sum != nullptr) {
    *next += form.sum->has_tag ? 1 : 0;
    size_t slots = 0;
    for (const auto& constructor : form.sum->slot_of_leaf) {
      for (size_t slot : constructor) slots = std::max(slots, slot + 1);
    }
    *next += slots;
    return sumType(*form.sum, form.rank);
  }
  if (form.is_record) {
    type.kind = isTuple(form.names) ? HALO_TUPLE : HALO_RECORD;
    type.names = form.names;
    for (const value::Form& field : form.fields) type.fields.push_back(typeOf(field, leaves, next));
    return type;
  }
  const types::Leaf& leaf = leaves[(*next)++];
  type.kind = leaf.shape.empty() ? HALO_SCALAR : HALO_ARRAY;
  type.rank = static_cast<int>(leaf.shape.size());
  type.scalar = scalarOf(leaf.scalar);
  return type;
}

}  // namespace

halo_type typeOf(const types::Program& program, types::TypeId type) {
  size_t next = 0;
  halo_type result = typeOf(engine::formOf(program, type), types::leaves(program, type), &next);
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
        for (size_t i = 0; i < record.fields.size(); i++) {
          type.fields.push_back(typeOf(record.fields[i]));
          type.text += fmt::format("{}{}{}", i == 0 ? "" : ", ",
                                   type.kind == HALO_TUPLE ? "" : record.names[i] + ": ",
                                   type.fields[i].text);
        }
        type.text = type.kind == HALO_TUPLE ? "(" + type.text + ")" : "{" + type.text + "}";
        return type;
      },
      [](const value::Sum& sum) {
        halo_type type = sumType(*sum.form, sum.rank);
        for (const std::string& name : sum.form->constructors) {
          type.text += (type.text.empty() ? "#" : " | #") + name;
        }
        return type;
      });
}

}  // namespace halo::api

extern "C" {

halo_kind halo_type_kind(const halo_type* type) { return type->kind; }
int halo_type_rank(const halo_type* type) { return type->rank; }
halo_scalar_type halo_type_scalar(const halo_type* type) { return type->scalar; }
const char* halo_type_text(const halo_type* type) { return type->text.c_str(); }
size_t halo_type_fields(const halo_type* type) { return type->fields.size(); }
const halo_type* halo_type_field(const halo_type* type, size_t i) { return &type->fields[i]; }
const char* halo_type_field_name(const halo_type* type, size_t i) { return type->names[i].c_str(); }
size_t halo_scalar_size(halo_scalar_type type) {
  return static_cast<size_t>(halo::prim::byteSize(static_cast<halo::prim::ScalarType>(type)));
}

}  // extern "C"
