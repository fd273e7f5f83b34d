#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mirrorball/checkpoint.h"
#include "mirrorball/fit_report.h"
#include "mirrorball/large_table.h"
#include "mirrorball/options.h"
#include "mirrorball/predictive.h"
#include "mirrorball/progress.h"
#include "mirrorball/schema.h"
#include "mirrorball/table.h"

namespace mirrorball {

/// A message about a column.
struct ColumnWarning {
  std::string column, text;
};

struct Plan;
namespace model {
class RowSampler;  // internal
}

/// What the columns of the training table are for. Columns not named here are features.
struct Roles {
  std::vector<std::string> targets;
  std::string weight;               ///< a column of row weights >= 0, or empty
  std::vector<std::string> ignore;  ///< columns to leave out
  /// A column of numbers or dates, or empty: the rows with its greatest values validate, instead of random
  /// ones. It is a feature too unless it is in `ignore`.
  std::string valid_by = {};
  /// A column that names the group of a row, or empty: whole groups validate. It is no feature, unless
  /// `group_is_feature`.
  std::string group = {};
  bool group_is_feature = false;
};

struct PredictOptions {
  std::size_t samples = kSummarySamples;
  std::uint64_t seed = 0;
  unsigned threads = 0;  ///< 0: all cores
  /// False gives the samples of the networks alone, without calibration: sample i then is a smooth
  /// function of the features.
  bool calibrated = true;
  /// Where the networks are drawn from: "cpu", "cuda" or "cuda:N"; "auto" is the CPU, as a GPU takes longer
  /// to start than most predictions take.
  std::string device = "auto";
};

/// A fitted model: immutable, safe to use from several threads.
class Model {
 public:
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();

  const Options& options() const;  ///< as they were given
  const Plan& plan() const;        ///< as they were settled
  /// Names, kinds, categories and training values of features and targets.
  const Schema& schema() const;
  /// One for each target; empty where the samples are the networks' own.
  const std::vector<Calibration>& calibration() const;
  const std::vector<std::string>& targets() const;
  std::vector<std::string> features() const;
  const std::vector<NetworkHistory>& history() const;
  /// Its error on held-out rows, as `fit` estimated it.
  const FitReport& fit_report() const;
  std::size_t networks() const;
  std::size_t trees() const;  ///< of the forest that adds samples
  /// How many sources its samples have: the networks, and forest, Gaussian process and neighbours where they
  /// have a share.
  std::size_t sources() const;
  std::size_t parameters() const;  ///< of all networks together
  /// Whether it has a noise input: a point network has none, and gives one number instead of samples.
  bool noisy() const;
  std::size_t training_rows() const;
  /// Significant digits worth writing of a target's values: 7, and more where they all lie far from 0.
  int digits(std::size_t target = 0) const;

  /// Samples for rows [begin, end) of a table that has the features by name, in any order. Sample i of every
  /// row uses the same noise, so following one i along rows gives a sample function (take `calibrated` false
  /// for it). The samples of a row do not depend on the other rows.
  Predictive predict(const Table& table, const PredictOptions& options = {}) const;
  Predictive predict(const Table& table, std::size_t begin, std::size_t end,
                     const PredictOptions& options = {}) const;

  /// Throws where `predict` would: a feature is missing, or has text where training had numbers.
  void check(const Table& table) const;

  /// Likely mistakes in a table that `predict` accepts: a categorical column none of whose values occurred in
  /// training, often because they are spelled differently.
  std::vector<ColumnWarning> warnings(const Table& table) const;

  /// The target columns of a table, one row of values per table row; a missing value is an error.
  std::vector<double> observed(const Table& table) const;

  /// One row with the typical value of every feature: training medians and most frequent categories, `rows`
  /// times.
  Table typical_rows(std::size_t rows) const;

  /// How to read a file for this model: the features (and targets) with their types, and nothing else.
  ReadOptions read_options(bool with_targets) const;

  /// The file is a safetensors file, written in one piece: after a crash there is the old file or the new
  /// one.
  void save(const std::string& path) const;
  static Model load(const std::string& path);

  /// The same bytes in memory instead of a file.
  std::string to_bytes() const;
  static Model from_bytes(std::string_view bytes);

  /// The header of the model file: options, columns, history, as JSON text.
  std::string description() const;

  struct Parts;  ///< internal
  explicit Model(std::unique_ptr<Parts> parts);

 private:
  friend class model::RowSampler;

  std::unique_ptr<Parts> parts_;
};

/// What looks wrong about the targets of a table that `fit` takes without complaint: a few values so far from
/// the others that they are most likely errors.
std::vector<ColumnWarning> fit_warnings(const Table& table, const Roles& roles);

/// Fits a model. The table is taken over and its memory given back while it is encoded. Without `valid`, a
/// share of the rows (Options::valid_fraction) is held out for choosing the best epoch. Of a time limit,
/// `spent` seconds are over already, as for reading the table. A fit with a time limit cannot be kept in a
/// checkpoint: its result depends on the clock.
Model fit(Table train, const Roles& roles, const Options& options = {}, const ProgressCallback& progress = {},
          double spent = 0, const Checkpoint& checkpoint = {});
Model fit(Table train, Table valid, const Roles& roles, const Options& options = {},
          const ProgressCallback& progress = {}, double spent = 0, const Checkpoint& checkpoint = {});

/// Fits a model to a table that does not fit into memory. Transforms, categories, forest, validation and
/// calibration go by its sample, which holds out the validation rows; the networks train on all other rows,
/// from a file without a name in the folder Options::cache, 4 bytes a number and 2 a category. Both other
/// forms of `fit` come here by themselves where a table takes more than Options::memory.
Model fit(LargeTable train, std::optional<Table> valid, const Roles& roles, const Options& options = {},
          const ProgressCallback& progress = {}, double spent = 0, const Checkpoint& checkpoint = {});

}  // namespace mirrorball
