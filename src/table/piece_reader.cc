#include "table/piece_reader.h"

#include <algorithm>
#include <unordered_set>

#include "base/contains.h"
#include "base/cores.h"
#include "base/error.h"
#include "base/suggest.h"
#include "base/thread_pool.h"
#include "table/in_order.h"
#include "table/text_source.h"

namespace mirrorball::table {
namespace {

/// Reading and joining, which one thread at a time does, keep no more than this many parsing threads busy.
constexpr unsigned kMostThreads = 8;

ColumnPlan plan_for(const std::string& name, std::optional<ColumnType> type, const ReadOptions& options) {
  const bool category = contains(options.categories, name), number = contains(options.numbers, name);
  if (category && number) bad_input("column '{}' is declared both category and number: choose one", name);
  if (category) return {CellUse::kCategory};
  if (number) return {.use = CellUse::kNumber, .dates = contains(options.dates, name)};
  if (options.only_named || contains(options.skip, name)) return {CellUse::kSkip};
  if (type) return {*type == ColumnType::kCategory ? CellUse::kCategory : CellUse::kNumber};
  return {CellUse::kNumber, true};
}

void take_as_text(ColumnPlan& plan) {
  plan.use = CellUse::kCategory;
  plan.guessed = false;
}

}  // namespace

PieceReader::PieceReader(TextSource& source, const ReadOptions& options, std::size_t piece_bytes,
                         const std::vector<bool>& texts)
    : file_(source.name()),
      threads_(options.threads),
      reader_(source, piece_bytes),
      layout_(read_layout(reader_, source.name(), options.separator)) {
  for (std::size_t i = 0; i < layout_.names.size(); ++i) {
    plans_.push_back(plan_for(layout_.names[i], layout_.types[i], options));
    plans_[i].unnamed = i == 0 && layout_.first_unnamed && plans_[i].guessed;
    if (i < texts.size() && texts[i]) take_as_text(plans_[i]);
  }
  find_kept(options.keep);
  check_names();
  first_line_ = reader_.lines_taken() + 1;
  first_.emplace();
  if (reader_.next(first_->piece, layout_.dialect)) {
    guess_types();
  } else {
    first_.reset();
  }
}

PieceReader::PieceReader(TextSource& source, const ReadOptions& options, std::size_t piece_bytes,
                         const PieceReader& first)
    : file_(source.name()),
      threads_(options.threads),
      reader_(source, piece_bytes),
      layout_(read_layout(reader_, source.name(), options.separator)),
      plans_(first.plans_),
      kept_(first.kept_),
      first_line_(reader_.lines_taken() + 1) {
  check_same(first);
}

Builder PieceReader::builder(bool can_restart) const {
  return Builder(layout_.names, plans_, kept_, file_, first_line_, can_restart);
}

bool PieceReader::read(Builder& builder, std::size_t most) {
  if (first_) {
    builder.append(first_->parsed);
    first_.reset();
    --most;
  }
  if (most > 0 && !reader_.at_end()) {
    ThreadPool pool(std::min(threads_ == 0 ? cores() : threads_, kMostThreads));
    std::size_t taken = 0;
    const auto take = [&](Work& work) { return taken++ < most && reader_.next(work.piece, layout_.dialect); };
    InOrder<Work>(
        take, [&](Work& work) { parse(work); }, [&](Work& work) { builder.append(work.parsed); })
        .run(pool);
  }
  return !reader_.at_end();
}

void PieceReader::find_kept(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto found = std::find(layout_.names.begin(), layout_.names.end(), name);
    if (found == layout_.names.end())
      bad_input("{}: there is no column '{}' among {}{}", file_, name, listing(layout_.names),
                did_you_mean(name, layout_.names));
    kept_.push_back(static_cast<std::size_t>(found - layout_.names.begin()));
    for (std::size_t i = kept_.back(); i < plans_.size(); ++i)
      plans_[i].keep = plans_[i].keep || layout_.names[i] == name;  // a second one of that name is refused
  }
}

/// What is read needs a name of its own; what is skipped may be called anything.
void PieceReader::check_names() const {
  std::unordered_set<std::string_view> seen;
  const std::size_t line = reader_.lines_taken();
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    if (plans_[i].use == CellUse::kSkip && !plans_[i].keep) continue;
    const std::string& name = layout_.names[i];
    if (name.empty()) bad_input("{}:{}: column {} of {} has no name", file_, line, i + 1, plans_.size());
    if (!seen.insert(name).second)
      bad_input("{}:{}: duplicate column name '{}': rename one of them", file_, line, shown(name));
  }
}

/// Files of one table have the same columns, or one of them is not what it seems.
void PieceReader::check_same(const PieceReader& first) const {
  const std::vector<std::string>&mine = layout_.names, &wanted = first.layout_.names;
  const auto [here, there] = std::mismatch(mine.begin(), mine.end(), wanted.begin(), wanted.end());
  if (here == mine.end() && there == wanted.end()) return;
  const auto place = here - mine.begin() + 1;
  const char* rule = "the files of a table need the same columns in the same order";
  if (here == mine.end())
    bad_input("{} has {} columns, {} has {}: column {}, '{}', is missing; {}", file_, mine.size(),
              first.file_, wanted.size(), place, shown(*there), rule);
  if (there == wanted.end())
    bad_input("{} has {} columns, {} has {}: column {}, '{}', is too many; {}", file_, mine.size(),
              first.file_, wanted.size(), place, shown(*here), rule);
  bad_input("{}: column {} is '{}', but in {} it is '{}'; {}", file_, place, shown(*here), first.file_,
            shown(*there), rule);
}

/// Columns with text in the first piece are not numbers; it is parsed again with them as categories.
void PieceReader::guess_types() {
  parse(*first_);
  bool changed = false;
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    if (!plans_[i].guessed || !first_->parsed.columns[i].text) continue;
    take_as_text(plans_[i]);
    changed = true;
  }
  if (changed) parse(*first_);
}

void PieceReader::parse(Work& work) const {
  parse_piece(work.piece.text(), layout_.dialect, plans_, work.parsed);
}

}  // namespace mirrorball::table
