#include "mirrorball/model.h"

#include <exception>
#include <optional>

#include "bind.h"
#include "plan/fields.h"

namespace mirrorball::binding {
namespace {

/// Asks Python for pending signals and the caller's function for its wish, a few times a second. Ctrl-C ends
/// training in good order; any other exception too, and is raised once the threads are gone.
class Watch {
 public:
  explicit Watch(nb::object news) : news_(std::move(news)) {}

  bool operator()(const Progress& now) {
    const nb::gil_scoped_acquire lock;
    try {
      look_for_signals();
      if (!interrupted && !news_.is_none() && !nb::cast<bool>(nb::bool_(news_(now)))) return false;
    } catch (nb::python_error& error) {
      if (error.matches(PyExc_KeyboardInterrupt)) {
        interrupted = true;
      } else {
        failure = std::current_exception();
      }
    }
    return !interrupted && !failure;
  }

  void look_for_signals() {
    if (PyErr_CheckSignals() == 0) return;
    nb::python_error error;
    if (!error.matches(PyExc_KeyboardInterrupt)) throw error;
    interrupted = true;
  }

  bool interrupted = false;
  std::exception_ptr failure;

 private:
  nb::object news_;
};

/// A table that was fitted is used up, but still one.
Table take(Table& table) { return std::exchange(table, Table()); }

std::pair<Model, bool> fit_tables(Table& train, Table* valid, const std::vector<std::string>& targets,
                                  const std::string& weight, const Options& options, nb::object news) {
  Watch watch(std::move(news));
  const Roles roles{targets, weight, {}};
  std::optional<Model> model;
  {
    const nb::gil_scoped_release unlocked;
    const ProgressCallback progress = [&](const Progress& now) { return watch(now); };
    model = valid ? fit(take(train), take(*valid), roles, options, progress)
                  : fit(take(train), roles, options, progress);
  }
  if (watch.failure) std::rethrow_exception(watch.failure);
  watch.look_for_signals();
  return {std::move(*model), watch.interrupted};
}

nb::list history(const Model& model) {
  nb::list list;
  for (const NetworkHistory& member : model.history()) {
    nb::dict dict;
    dict["train"] = array_of(member.train, {member.train.size()});
    dict["valid"] = array_of(member.valid, {member.valid.size()});
    dict["best_epoch"] = member.best_epoch;
    dict["stopped"] = member.stopped;
    dict["refit"] = member.refit;
    list.append(dict);
  }
  return list;
}

std::vector<std::string> warnings_of(const Model& model, const Table& table) {
  std::vector<std::string> sentences;
  for (ColumnWarning& warning : model.warnings(table)) sentences.push_back(std::move(warning.text));
  return sentences;
}

nb::dict plan_of(const Model& model) {
  nb::dict dict;
  plan::each_field(model.plan(), [&](const char* name, const auto& field) {
    if constexpr (std::is_enum_v<std::decay_t<decltype(field)>>) {
      dict[name] = plan::choices_of(name)[static_cast<std::size_t>(field)];
    } else {
      dict[name] = field;
    }
  });
  return dict;
}

nb::bytes to_bytes(const Model& model) {
  std::string bytes;
  {
    const nb::gil_scoped_release unlocked;
    bytes = model.to_bytes();
  }
  return nb::bytes(bytes.data(), bytes.size());
}

Model from_bytes(const nb::bytes& bytes) {
  const std::string_view view(static_cast<const char*>(bytes.data()), bytes.size());
  const nb::gil_scoped_release unlocked;
  return Model::from_bytes(view);
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<Progress>(module, "Progress", "News of one network's training.")
      .def_ro("share", &Progress::share)
      .def_ro("refit", &Progress::refit)
      .def_ro("networks", &Progress::networks)
      .def_ro("networks_done", &Progress::networks_done)
      .def_ro("network", &Progress::network)
      .def_ro("epoch", &Progress::epoch)
      .def_ro("epochs", &Progress::epochs)
      .def_ro("train_score", &Progress::train_score)
      .def_ro("valid_score", &Progress::valid_score)
      .def_ro("best_score", &Progress::best_score)
      .def_ro("best_epoch", &Progress::best_epoch);

  nb::class_<Model>(module, "Model", "A fitted model: immutable, safe to use from several threads.")
      .def_prop_ro("targets", &Model::targets)
      .def_prop_ro("features", &Model::features)
      .def_prop_ro("options", [](const Model& model) { return Options(model.options()); })
      .def_prop_ro("plan", &plan_of, "Every option as it was settled for the training rows.")
      .def_prop_ro("schema", [](const Model& model) { return model.schema(); })
      .def_prop_ro(
          "calibration", [](const Model& model) { return model.calibration(); },
          "One for each target; empty where the samples are the networks' own.")
      .def_prop_ro("parameters", &Model::parameters)
      .def_prop_ro("training_rows", &Model::training_rows)
      .def("warnings", &warnings_of, nb::arg("table"), nb::call_guard<nb::gil_scoped_release>(),
           "What looks wrong about a table that `predict` takes without complaint, a sentence each.")
      .def("history", &history, "One dict per network: train and valid by epoch, best_epoch, stopped, refit.")
      .def("description", &Model::description, "The header of the model file, as JSON text.")
      .def(
          "save", [](const Model& model, const std::string& path) { with_files([&] { model.save(path); }); },
          nb::arg("path"), nb::call_guard<nb::gil_scoped_release>())
      .def_static(
          "load", [](const std::string& path) { return with_files([&] { return Model::load(path); }); },
          nb::arg("path"), nb::call_guard<nb::gil_scoped_release>())
      .def("to_bytes", &to_bytes, "The model file, in memory.")
      .def_static("from_bytes", &from_bytes, nb::arg("bytes"))
      .def("__getstate__", &to_bytes)
      .def("__setstate__", [](Model& made, const nb::bytes& bytes) { new (&made) Model(from_bytes(bytes)); })
      .def("__copy__", [](nb::object self) { return self; })
      .def(
          "__deepcopy__", [](nb::object self, const nb::object&) { return self; }, nb::arg("memo"))
      .def(
          "predict",
          [](const Model& model, const Table& table, std::size_t begin, std::size_t end, std::size_t samples,
             std::uint64_t seed, unsigned threads, bool calibrated) {
            return model.predict(table, begin, end, {samples, seed, threads, calibrated});
          },
          nb::arg("table"), nb::arg("begin"), nb::arg("end"), nb::arg("samples"), nb::arg("seed") = 0,
          nb::arg("threads") = 0, nb::arg("calibrated") = true, nb::call_guard<nb::gil_scoped_release>(),
          "Draws for rows [begin, end) of a table.");

  module.def("fit", &fit_tables, nb::arg("train"), nb::arg("valid").none(), nb::arg("targets"),
             nb::arg("weight"), nb::arg("options"), nb::arg("progress").none(),
             "Fits a model and uses up the tables. Returns it and whether Ctrl-C ended the training early. "
             "`progress` is called with news and ends training by returning false.");
}

}  // namespace mirrorball::binding
