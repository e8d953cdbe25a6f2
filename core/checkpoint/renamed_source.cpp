// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/renamed_source.h"

#include "core/base/check.h"
#include "core/checkpoint/tensor_table.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <unordered_set>

namespace headscope {

namespace {

using Names = std::vector<std::string>;

/// Base prefixes of whole models. What has one of them behind `model.` was wrapped; `model.` itself is the
/// base prefix of many, behind which their own parts follow.
constexpr std::array<std::string_view, 17> kBasePrefixes{
    "bert.",    "distilbert.", "electra.",     "albert.",      "mpnet.",    "deberta.",
    "roberta.", "gpt_neox.",   "transformer.", "mobilebert.",  "roformer.", "vit.",
    "deit.",    "dinov2.",     "swin.",        "xlm_roberta.", "model."};

std::vector<TensorInfo> renamed(const TensorSource& source, const Names& names) {
    std::vector<TensorInfo> tensors = source.tensors();
    HS_CHECK_EQ(tensors.size(), names.size());
    for (std::size_t i = 0; i < tensors.size(); ++i) tensors[i].name = names[i];
    return tensors;
}

class RenamedSource final : public TensorSource {
  public:
    RenamedSource(std::shared_ptr<const TensorSource> source, const Names& names)
        : m_source(std::move(source)), m_table(renamed(*m_source, names)) {}

    const std::vector<TensorInfo>& tensors() const override { return m_table.tensors(); }
    const TensorInfo* find(std::string_view name) const override { return m_table.find(name); }
    std::string fileName(const TensorInfo& tensor) const override {
        return m_source->fileName(original(tensor));
    }
    void readRaw(const TensorInfo& tensor, std::int64_t first, std::int64_t count,
                 std::span<std::byte> out) const override {
        m_source->readRaw(original(tensor), first, count, out);
    }
    void dropPages(const TensorInfo& tensor) const override { m_source->dropPages(original(tensor)); }

  private:
    const TensorInfo& original(const TensorInfo& tensor) const {
        return m_source->tensors()[m_table.indexOf(tensor)];
    }

    std::shared_ptr<const TensorSource> m_source;
    TensorTable m_table;
};

bool allStartWith(const Names& names, std::string_view prefix) {
    return !names.empty() && std::all_of(names.begin(), names.end(), [&](const std::string& name) {
        return name.size() > prefix.size() && name.starts_with(prefix);
    });
}

bool anyStartsWith(const Names& names, const std::string& prefix) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return name.starts_with(prefix); });
}

/// Whether `model.` stands before everything that has another base prefix.
bool modelIsWrapper(const Names& names) {
    return std::any_of(kBasePrefixes.begin(), kBasePrefixes.end(), [&](std::string_view base) {
        const std::string plain(base);
        if (!anyStartsWith(names, "model." + plain)) return false;
        return base == "model." ? allStartWith(names, "model.") : !anyStartsWith(names, plain);
    });
}

/// The wrapper's prefix that these names have, if any.
std::optional<std::string_view> wrapperOf(const Names& names) {
    for (const std::string_view prefix : {"module.", "_orig_mod."})
        if (allStartWith(names, prefix)) return prefix;
    if (modelIsWrapper(names)) return "model.";
    return std::nullopt;
}

bool allDiffer(const Names& names) {
    return std::unordered_set<std::string_view>(names.begin(), names.end()).size() == names.size();
}

} // namespace

std::shared_ptr<const TensorSource> renameTensors(std::shared_ptr<const TensorSource> source,
                                                  const std::vector<std::string>& names) {
    return std::make_shared<RenamedSource>(std::move(source), names);
}

std::shared_ptr<const TensorSource> withoutWrapperPrefixes(std::shared_ptr<const TensorSource> source,
                                                           std::vector<std::string>& notes) {
    Names names;
    for (const TensorInfo& tensor : source->tensors()) names.push_back(tensor.name);
    std::string taken;
    // Wrappers come in layers ("module._orig_mod."); a file may nest them without end.
    for (int layer = 0; layer < 4; ++layer) {
        const auto prefix = wrapperOf(names);
        if (!prefix) break;
        Names shorter = names;
        for (std::string& name : shorter)
            if (name.starts_with(*prefix)) name.erase(0, prefix->size());
        if (!allDiffer(shorter)) break;
        names = std::move(shorter);
        taken += *prefix;
    }
    if (taken.empty()) return source;
    notes.push_back(fmt::format(
        "the tensors were saved from inside another module: \"{}\" before their names is left out", taken));
    return renameTensors(std::move(source), names);
}

} // namespace headscope
