#include "model/fit_parts.h"

#include <gtest/gtest.h>

#include "model/toy.h"
#include "reference/refusal.h"

namespace mirrorball {
namespace {

Options three() {
  Options options = toy::options();
  options.networks = 3;
  options.epochs = 8;
  return options;
}

std::string part(const Options& options, const std::string& phase, std::uint32_t network,
                 const std::string& parts) {
  return model::fit_part({toy::table(300), std::nullopt}, toy::roles(), options, {}, phase, network, parts);
}

std::string whole(const Options& options) { return fit(toy::table(300), toy::roles(), options).to_bytes(); }

std::string of_parts(const Options& options, const std::string& parts) {
  return model::fit_of_parts({toy::table(300), std::nullopt}, toy::roles(), options, {}, parts).to_bytes();
}

TEST(FitParts, NetworksTrainedApartMakeTheSameModel) {
  const Options options = three();
  std::string parts;
  for (const std::uint32_t network : {2u, 0u, 1u}) parts += part(options, "training", network, "");
  const std::string first = parts;
  for (const std::uint32_t network : {1u, 2u, 0u}) parts += part(options, "refit", network, first);
  EXPECT_EQ(of_parts(options, parts), whole(options));
  EXPECT_EQ(part(options, "refit", 0, ""), part(options, "refit", 0, first))
      << "what is missing is made there";
  EXPECT_EQ(of_parts(options, first), whole(options)) << "what is missing is made there";
}

TEST(FitParts, WithoutRefitThereIsNoPartOfIt) {
  Options options = three();
  options.refit = false;
  std::string parts;
  for (const std::uint32_t network : {0u, 1u, 2u}) parts += part(options, "training", network, "");
  EXPECT_EQ(part(options, "refit", 1, parts), "");
  EXPECT_EQ(of_parts(options, parts), whole(options));
}

TEST(FitParts, WhatIsMissingIsSaid) {
  const Options options = three();
  EXPECT_NE(refusal([&] { part(options, "training", 7, ""); }).find("no network 7"), std::string::npos);
}

}  // namespace
}  // namespace mirrorball
