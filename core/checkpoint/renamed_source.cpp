// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/renamed_source.h"

#include "core/base/check.h"
#include "core/checkpoint/tensor_table.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <unordered_set>

namespace headscope {

namespace {

using Names = std::vector<std::string>;

/// Parts of a name that data parallel and compiled modules put in, in front or further inside. No model has a
/// part of its own that is called so.
constexpr std::array<std::string_view, 2> kWrapperParts{"module.", "_orig_mod."};

/// What stands before the names of a model that has a head. Behind `model.` it shows that the model was kept
/// as a member of another module; `model.` itself is the base prefix of many, behind which their own parts
/// follow.
constexpr std::array<std::string_view, 17> kBasePrefixes{
    "bert.",    "distilbert.", "electra.",     "albert.",      "mpnet.",    "deberta.",
    "roberta.", "gpt_neox.",   "transformer.", "mobilebert.",  "roformer.", "vit.",
    "deit.",    "dinov2.",     "swin.",        "xlm_roberta.", "model."};

/// How the names of models without a head begin, where `model.` is not their base prefix.
constexpr std::array<std::string_view, 8> kHeadlessBeginnings{"embeddings.word_embeddings.",
                                                              "wte.",
                                                              "embed_in.",
                                                              "word_embeddings.",
                                                              "word_embedding.",
                                                              "encoder.block.",
                                                              "decoder.block.",
                                                              "encoder.embeddings."};

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

bool anyStartsWith(const Names& names, const std::string& prefix) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        return name.size() > prefix.size() && name.starts_with(prefix);
    });
}

/// Whether `model.` stands before names that a whole model has without it.
bool modelIsWrapper(const Names& names) {
    const auto isBehindModel = [&](std::string_view beginning) {
        const std::string plain(beginning);
        return anyStartsWith(names, "model." + plain) && (plain == "model." || !anyStartsWith(names, plain));
    };
    return std::any_of(kBasePrefixes.begin(), kBasePrefixes.end(), isBehindModel) ||
           std::any_of(kHeadlessBeginnings.begin(), kHeadlessBeginnings.end(), isBehindModel);
}

/// The dotted name without `part` wherever it stands as a whole, but for the end. In one walk: a file may
/// name a tensor with millions of parts.
std::string withoutPart(std::string_view name, std::string_view part) {
    std::string result;
    for (std::size_t at = 0; at < name.size();) {
        if (name.substr(at).starts_with(part) && at + part.size() < name.size()) {
            at += part.size();
            continue;
        }
        const std::size_t end = std::min(name.find('.', at), name.size() - 1) + 1;
        result += name.substr(at, end - at);
        at = end;
    }
    return result;
}

Names withoutPart(Names names, std::string_view part) {
    for (std::string& name : names) name = withoutPart(std::string_view(name), part);
    return names;
}

Names withoutBeginning(Names names, std::string_view beginning) {
    for (std::string& name : names)
        if (name.size() > beginning.size() && name.starts_with(beginning)) name.erase(0, beginning.size());
    return names;
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
    Names taken;
    const auto take = [&](std::string_view part, Names shorter) {
        if (shorter == names || !allDiffer(shorter)) return false;
        names = std::move(shorter);
        const std::string quoted = fmt::format("\"{}\"", part);
        if (std::find(taken.begin(), taken.end(), quoted) == taken.end()) taken.push_back(quoted);
        return true;
    };
    for (const std::string_view part : kWrapperParts) take(part, withoutPart(names, part));
    // Members of members: a file may nest them without end.
    for (int layer = 0; layer < 4 && modelIsWrapper(names); ++layer)
        if (!take("model.", withoutBeginning(names, "model."))) break;
    if (taken.empty()) return source;
    notes.push_back(
        fmt::format("the tensors were saved from inside another module: {} in their names {} left out",
                    fmt::join(taken, " and "), taken.size() == 1 ? "is" : "are"));
    return renameTensors(std::move(source), names);
}

} // namespace headscope
