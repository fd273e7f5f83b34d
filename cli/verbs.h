#pragma once

#include <CLI/CLI.hpp>

namespace mirrorball::cli {

/// Each adds one verb with its flags and what it does.
void add_fit(CLI::App& app);
void add_cv(CLI::App& app);
void add_predict(CLI::App& app);
void add_score(CLI::App& app);
void add_explain(CLI::App& app);
void add_report(CLI::App& app);
void add_compare(CLI::App& app);
void add_functions(CLI::App& app);
void add_serve(CLI::App& app);
void add_distance(CLI::App& app);
void add_data(CLI::App& app);
void add_info(CLI::App& app);
void add_demo(CLI::App& app);
void add_completion(CLI::App& app);
void add_man(CLI::App& app);

}  // namespace mirrorball::cli
