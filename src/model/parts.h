#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "boost/boosted_trees.h"
#include "calibrate/calibration.h"
#include "encode/encoder.h"
#include "engine/engine.h"
#include "forest/forest.h"
#include "mirrorball/model.h"
#include "mirrorball/plan.h"
#include "model/make_schema.h"
#include "neighbours/neighbours.h"
#include "net/shape.h"
#include "process/process.h"

namespace mirrorball {

/// What a model is made of.
struct Model::Parts {
  Parts(Options given, Plan settled, std::vector<std::string> target_names,
        std::vector<encode::NumberTransform> target_transforms, encode::Encoder fitted)
      : options(std::move(given)),
        plan(std::move(settled)),
        targets(std::move(target_names)),
        transforms(std::move(target_transforms)),
        encoder(std::move(fitted)),
        shape(net::NetShape::make(plan, encoder.number_columns(), encoder.code_columns(),
                                  encoder.learned_rows(), targets.size())),
        layout(shape),
        schema(model::schema_of(encoder, targets, transforms)) {}

  bool is_calibrated() const { return !calibration.empty(); }

  Options options;  ///< as given
  Plan plan;        ///< as settled
  std::vector<std::string> targets;
  std::vector<encode::NumberTransform> transforms;  ///< one per target
  encode::Encoder encoder;
  net::NetShape shape;
  net::NetLayout layout;
  Schema schema;
  std::size_t training_rows = 0;
  std::vector<Buffer<float>> weights;        ///< one per network, laid out by `layout`
  std::vector<NetworkHistory> history;       ///< one per network
  forest::Forest forest;                     ///< empty where the calibration gives it no share
  process::GaussianProcess process;          ///< likewise
  neighbours::Neighbours neighbours;         ///< likewise
  std::vector<boost::BoostedTrees> boosted;  ///< one per target, each empty where it has no weight
  std::vector<Calibration> calibration;      ///< one per target
  FitReport report;                          ///< without rows where none were held out
  const engine::Engine* device = &engine::default_engine();  ///< where it is fitted
  std::unique_ptr<engine::DrawEngine> engine;  ///< of the CPU, with the weights in their final form
  /// The one for this option `device`; on a GPU it is made on first use.
  const engine::DrawEngine& drawer(const std::string& name) const;

 private:
  struct OtherEngines {
    std::mutex lock;
    std::map<const engine::Engine*, std::unique_ptr<engine::DrawEngine>> made;
  };
  std::unique_ptr<OtherEngines> others_ = std::make_unique<OtherEngines>();
};

}  // namespace mirrorball
