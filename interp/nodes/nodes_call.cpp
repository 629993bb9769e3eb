// Calls and function values.
#include "interp/nodes/nodes.h"

namespace halo::interp {

namespace {

// A call by way of Function::call, whatever the function is made of.
Datum callWhole(Frame& frame, const Function& function, const Nodes& env_nodes,
                const Nodes& arg_nodes, Site site) {
  State& state = frame.state;
  state.checkStack();
  const Slots slots(state, env_nodes.size() + arg_nodes.size());
  Datum* env = slots.get();
  Datum* args = env + env_nodes.size();
  evalOperands(frame, arg_nodes, [args](size_t i) -> Datum& { return args[i]; });
  for (size_t i = 0; i < env_nodes.size(); ++i) env[i] = env_nodes[i]->eval(frame);
  const UserSpanScope scope(state, site);
  return function.call(state, env, args);
}

// A call of a function written in the language: the arguments are evaluated straight into its
// frame, which begins with the type and size arguments. Those come last: they may mention sizes
// that an argument binds.
class UserCall : public Node {
 protected:
  Datum enterWhole(Frame& frame) const { return callWhole(frame, *function_, env_, args_, site_); }

 private:
  template <typename Run>
  auto enter(Frame& frame, const Run& run) const {
    State& state = frame.state;
    state.checkStack();
    state.poll();
    const Slots slots(state, env_.size() + static_cast<size_t>(function_->frameSlots()));
    Datum* env = slots.get();
    Datum* args = env + env_.size();
    evalOperands(frame, args_, [args](size_t i) -> Datum& { return args[i]; });
    for (size_t i = 0; i < env_.size(); ++i) env[i] = env_[i]->eval(frame);
    Frame callee{args, env, state};
    function_->bindParameters(callee);
    const CallScope call(state);
    const UserSpanScope scope(state, site_);
    return run(function_->body(), callee);
  }

 public:
  UserCall(const UserFunction* function, Nodes env, Nodes args, Site site)
      : function_(function), env_(std::move(env)), args_(std::move(args)), site_(site) {}
  Datum eval(Frame& frame) const override {
    return enter(frame, [](const Node& body, Frame& callee) { return body.eval(callee); });
  }
  uint64_t evalBits(Frame& frame) const override {
    return enter(frame, [](const Node& body, Frame& callee) { return body.evalBits(callee); });
  }
  void evalFields(Frame& frame, Datum* out) const override {
    enter(frame, [out](const Node& body, Frame& callee) { body.evalFields(callee, out); });
  }

 private:
  const UserFunction* function_;
  Nodes env_, args_;
  Site site_;
};

// A call of a function that a rule differentiates instead of its code.
class RuledCall : public UserCall {
 public:
  RuledCall(const UserFunction* function, Nodes env, Nodes args, Site site)
      : UserCall(function, std::move(env), std::move(args), site) {}
  Datum eval(Frame& frame) const override {
    if (frame.state.differentiating == 0) return UserCall::eval(frame);
    return enterWhole(frame);
  }
  void evalFields(Frame& frame, Datum* out) const override {
    if (frame.state.differentiating == 0) return UserCall::evalFields(frame, out);
    Node::evalFields(frame, out);
  }
};

class BuiltInCall : public Node {
 public:
  BuiltInCall(const Function* function, Nodes env, Nodes args, Site site)
      : function_(function), env_(std::move(env)), args_(std::move(args)), site_(site) {}
  Datum eval(Frame& frame) const override {
    return callWhole(frame, *function_, env_, args_, site_);
  }

 private:
  const Function* function_;
  Nodes env_, args_;
  Site site_;
};

class ApplyNode : public Node {
 public:
  ApplyNode(NodeRef function, Nodes args, Site site)
      : function_(std::move(function)), args_(std::move(args)), site_(site) {}
  Datum eval(Frame& frame) const override {
    State& state = frame.state;
    state.checkStack();
    Datum function = function_->eval(frame);
    const Slots args(state, args_.size());
    evalOperands(frame, args_, [&args](size_t i) -> Datum& { return args.get()[i]; });
    const UserSpanScope scope(state, site_);
    return apply(state, std::move(function), args.get(), args_.size());
  }

 private:
  NodeRef function_;
  Nodes args_;
  Site site_;
};

class MakeClosure : public Node {
 public:
  MakeClosure(const Function* function, Nodes env, Nodes args, Site site)
      : function_(function), env_(std::move(env)), args_(std::move(args)), site_(site) {}
  Datum eval(Frame& frame) const override {
    auto* closure = new Closure(function_, site_);
    Datum result(closure);
    closure->args.resize(args_.size());
    evalOperands(frame, args_, [closure](size_t i) -> Datum& { return closure->args[i]; });
    closure->env.reserve(env_.size());
    for (const NodeRef& node : env_) closure->env.push_back(node->eval(frame));
    return result;
  }

 private:
  const Function* function_;
  Nodes env_, args_;
  Site site_;
};

class Instantiate : public Node {
 public:
  Instantiate(NodeRef function, Nodes env) : function_(std::move(function)), env_(std::move(env)) {}
  Datum eval(Frame& frame) const override {
    const Datum function = function_->eval(frame);
    auto* closure = new Closure(function.as<Closure>());
    Datum result(closure);
    std::vector<Datum> env;
    for (const NodeRef& node : env_) env.push_back(node->eval(frame));
    closure->env.insert(closure->env.begin(), env.begin(), env.end());
    return result;
  }

 private:
  NodeRef function_;
  Nodes env_;
};

class ConstantDef : public Node {
 public:
  ConstantDef(types::DefId def, const Function* function, Site site)
      : def_(def), function_(function), site_(site) {}
  Datum eval(Frame& frame) const override {
    State& state = frame.state;
    const auto known = state.constants.find(def_);
    if (known != state.constants.end()) return known->second;
    const UserSpanScope scope(state, site_);
    const PlainScope plain(state);  // it is the same wherever it is mentioned
    Datum value = function_->call(state, nullptr, nullptr);
    state.constants.emplace(def_, value);
    return value;
  }

 private:
  types::DefId def_;
  const Function* function_;
  Site site_;
};

}  // namespace

NodeRef callNode(const Function* function, Nodes env, Nodes args, Site site) {
  const auto* user = dynamic_cast<const UserFunction*>(function);
  if (user != nullptr && user->hasDerivative()) {
    return std::make_unique<RuledCall>(user, std::move(env), std::move(args), site);
  }
  if (user != nullptr) {
    return std::make_unique<UserCall>(user, std::move(env), std::move(args), site);
  }
  return std::make_unique<BuiltInCall>(function, std::move(env), std::move(args), site);
}

NodeRef applyNode(NodeRef function, Nodes args, Site site) {
  return std::make_unique<ApplyNode>(std::move(function), std::move(args), site);
}

NodeRef closureNode(const Function* function, Nodes env, Nodes args, Site site) {
  const bool constant = env.empty() && args.empty();
  auto node = std::make_unique<MakeClosure>(function, std::move(env), std::move(args), site);
  if (constant) return constantNode(Datum(new Closure(function, site)));
  return node;
}

NodeRef instantiateNode(NodeRef function, Nodes env) {
  return std::make_unique<Instantiate>(std::move(function), std::move(env));
}

NodeRef constantDefNode(types::DefId def, const Function* function, Site site) {
  return std::make_unique<ConstantDef>(def, function, site);
}

}  // namespace halo::interp
