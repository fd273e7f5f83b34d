#pragma once

#include <string>
#include <vector>

#include "calibrate/calibration.h"
#include "encode/encoder.h"
#include "forest/forest.h"
#include "mirrorball/model.h"
#include "model/make_schema.h"
#include "net/shape.h"
#include "train/trainer.h"

namespace mirrorball {

/// What a model is made of.
struct Model::Parts {
  Parts(Options used, std::vector<std::string> target_names, std::vector<NumberTransform> target_transforms,
        Encoder fitted)
      : options(std::move(used)),
        targets(std::move(target_names)),
        transforms(std::move(target_transforms)),
        encoder(std::move(fitted)),
        shape(NetShape::make(options, encoder.number_columns(), encoder.code_columns(),
                             encoder.learned_rows(), targets.size())),
        layout(shape),
        schema(schema_of(encoder, targets, transforms)) {}

  bool is_calibrated() const { return !calibration.empty(); }

  Options options;
  std::vector<std::string> targets;
  std::vector<NumberTransform> transforms;  ///< one per target
  Encoder encoder;
  NetShape shape;
  NetLayout layout;
  Schema schema;
  std::size_t training_rows = 0;
  std::vector<Buffer<float>> weights;    ///< one per member, laid out by `layout`
  std::vector<MemberHistory> history;    ///< one per member
  Forest forest;                         ///< empty where the calibration gives it no share
  std::vector<Calibration> calibration;  ///< one per target
};

}  // namespace mirrorball
