#include "table/reader.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/thread_pool.h"
#include "table/in_order.h"
#include "table/layout.h"
#include "table/piece_parser.h"
#include "table/source.h"
#include "table/text_reader.h"

namespace mirrorball {
namespace {

/// Reading and joining, which one thread at a time does, keep no more than this many parsing threads busy.
constexpr unsigned kMostThreads = 8;

struct Slot {
  Piece piece;
  ParsedPiece parsed;
};

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

ColumnPlan plan_for(const std::string& name, std::optional<ColumnType> type, const ReadOptions& options) {
  const bool category = contains(options.categories, name), number = contains(options.numbers, name);
  if (category && number)
    bad_input("column '{}' is declared as a category and as a number; choose one", name);
  if (category) return {CellUse::kCategory};
  if (number) return {CellUse::kNumber};
  if (options.only_named || contains(options.skip, name)) return {CellUse::kSkip};
  if (type) return {*type == ColumnType::kCategory ? CellUse::kCategory : CellUse::kNumber};
  return {CellUse::kNumber, true};
}

/// One way through the file.
class Pass {
 public:
  /// `texts` are columns that an earlier pass found to be text.
  Pass(Source& source, const ReadOptions& options, std::size_t piece_bytes, const std::vector<bool>& texts)
      : source_(source), reader_(source, piece_bytes), layout_(read_layout(reader_, source.name())) {
    for (std::size_t i = 0; i < layout_.names.size(); ++i) {
      plans_.push_back(plan_for(layout_.names[i], layout_.types[i], options));
      if (i < texts.size() && texts[i]) plans_[i] = {CellUse::kCategory};
    }
    check_names();
  }

  /// The table, or none when `late_text` says which columns must be read as text.
  std::optional<Content> run(unsigned threads) {
    Slot first;
    const std::size_t first_line = reader_.lines_taken() + 1;
    const bool any = reader_.next(first.piece, layout_.dialect);
    if (any) guess_types(first);
    Builder builder(layout_.names, plans_, source_.name(), first_line, source_.can_rewind());
    if (any) builder.append(first.parsed);
    if (any && !reader_.at_end()) read_on(builder, threads);
    if (!builder.has_late_text()) {
      Content content = builder.finish();
      content.header = layout_.names;
      return content;
    }
    late_text_ = builder.late_text();
    return std::nullopt;
  }

  const std::vector<bool>& late_text() const { return late_text_; }

 private:
  /// What is read needs a name of its own; what is skipped may be called anything.
  void check_names() const {
    std::unordered_set<std::string_view> seen;
    const std::size_t line = reader_.lines_taken();
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      if (plans_[i].use == CellUse::kSkip) continue;
      const std::string& name = layout_.names[i];
      if (name.empty())
        bad_input("{}:{}: column {} of {} has no name", source_.name(), line, i + 1, plans_.size());
      if (!seen.insert(name).second)
        bad_input("{}:{}: the column name '{}' comes twice; rename one of them", source_.name(), line,
                  shown(name));
    }
  }

  /// Columns with text in the first piece are not numbers; it is parsed again with them as categories.
  void guess_types(Slot& first) {
    parse(first);
    bool changed = false;
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      if (!plans_[i].guessed || !first.parsed.columns[i].text) continue;
      plans_[i] = {CellUse::kCategory};
      changed = true;
    }
    if (changed) parse(first);
  }

  void read_on(Builder& builder, unsigned threads) {
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    ThreadPool pool(std::min(threads == 0 ? cores : threads, kMostThreads));
    InOrder<Slot>([&](Slot& slot) { return reader_.next(slot.piece, layout_.dialect); },
                  [&](Slot& slot) { parse(slot); }, [&](Slot& slot) { builder.append(slot.parsed); })
        .run(pool);
  }

  void parse(Slot& slot) const { parse_piece(slot.piece.text(), layout_.dialect, plans_, slot.parsed); }

  Source& source_;
  TextReader reader_;
  Layout layout_;
  std::vector<ColumnPlan> plans_;
  std::vector<bool> late_text_;
};

}  // namespace

Content read_content(const std::string& path, const ReadOptions& options, std::size_t piece_bytes) {
  Source source(path);
  std::vector<bool> texts;
  for (;;) {
    Pass pass(source, options, piece_bytes, texts);
    if (std::optional<Content> content = pass.run(options.threads)) return *std::move(content);
    texts.resize(pass.late_text().size());
    for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = texts[i] || pass.late_text()[i];
    source.rewind();
  }
}

}  // namespace mirrorball
