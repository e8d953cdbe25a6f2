// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/gguf/gguf_parts.h"

#include "core/base/error.h"
#include "core/checkpoint/config_reader.h"
#include "core/checkpoint/foreign_content.h"

#include <fmt/format.h>
#include <unordered_map>

namespace headscope {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostParts = 1024; ///< all are open at once

/// What a part says of itself.
struct Numbering {
    std::int64_t place = 0; ///< from 0
    std::int64_t count = 1;
    std::int64_t tensors = -1; ///< of all parts; -1: not said

    bool isWhole() const { return count <= 1; }
    std::string ending() const { return fmt::format("-{:05}-of-{:05}.gguf", place + 1, count); }
};

GgufPart openPart(const fs::path& path) {
    auto file = std::make_shared<const WeightsFile>(path);
    GgufHeader header = readGgufHeader(file->input());
    return {path, std::move(file), std::move(header)};
}

std::string subjectOf(const GgufPart& part) {
    return messageName(part.file->name());
}

Numbering numberingOf(const GgufPart& part) {
    const ConfigReader fields(part.header.fields, subjectOf(part));
    Numbering own;
    own.count = fields.integer("split.count", 1, 0, kMostParts);
    if (own.isWhole()) return own;
    own.place = fields.integer("split.no", 0, 0, own.count - 1);
    own.tensors = fields.integer("split.tensors.count", -1, 0, gguf_limits::kTensors);
    return own;
}

/// What stands before the numbers in the name of a part.
std::string stemOf(const GgufPart& part, const Numbering& numbering) {
    const std::string name = part.path.filename().string();
    const std::string ending = numbering.ending();
    if (!name.ends_with(ending))
        fail(subjectOf(part), fmt::format("the file is part {} of {}", numbering.place + 1, numbering.count),
             fmt::format("expected a name that ends in {}", ending),
             "name the parts as they were, or join them with llama-gguf-split --merge");
    return name.substr(0, name.size() - ending.size());
}

void requireSameModel(const GgufPart& part, const GgufPart& first, const Numbering& expected) {
    const Numbering own = numberingOf(part);
    constexpr const char* kOtherModel = "the files belong to two models: get them again";
    if (own.count != expected.count || own.place != expected.place)
        fail(subjectOf(part), fmt::format("the file is part {} of {}", own.place + 1, own.count),
             fmt::format("expected part {} of {}", expected.place + 1, expected.count), kOtherModel);
    if (own.tensors != expected.tensors)
        fail(subjectOf(part), fmt::format("it is of a model of {} tensors", own.tensors),
             fmt::format("the first part is of one of {}", expected.tensors), kOtherModel);
    if (expected.place == 0) return;
    const Json* architecture = part.header.fields.find("general.architecture");
    const Json* firsts = first.header.fields.find("general.architecture");
    const auto textOf = [](const Json* value) {
        return value != nullptr && value->isString() ? value->asString() : std::string();
    };
    if (architecture != nullptr && textOf(architecture) != textOf(firsts))
        fail(subjectOf(part),
             fmt::format("it is of a model of the architecture {}", quotedName(textOf(architecture))),
             fmt::format("the first part is of one of {}", quotedName(textOf(firsts))), kOtherModel);
    for (const Json::Member& member : part.header.fields.members())
        if (!member.first.starts_with("split.") && !member.first.starts_with("general."))
            fail(subjectOf(part) + ": " + escapeForMessage(member.first),
                 "the key stands in another part than the first",
                 "expected the keys of the model in the first part alone");
}

void requireAllTensors(const std::vector<GgufPart>& parts, std::int64_t expected) {
    std::unordered_map<std::string_view, const GgufPart*> partOf;
    for (const GgufPart& part : parts)
        for (const GgufTensor& tensor : part.header.tensors) {
            const auto [first, isNew] = partOf.try_emplace(tensor.name, &part);
            if (!isNew)
                fail(subjectOf(part), fmt::format("the tensor {} stands here", quotedName(tensor.name)),
                     fmt::format("and in {} too", subjectOf(*first->second)),
                     "the files belong to two models: get them again");
        }
    const auto found = static_cast<std::int64_t>(partOf.size());
    if (expected >= 0 && found != expected)
        fail(subjectOf(parts.front()), fmt::format("the parts hold {} tensors together", found),
             fmt::format("expected {}, as split.tensors.count says", expected), kDamagedHint);
}

} // namespace

std::vector<GgufPart> openGgufParts(const fs::path& given) {
    GgufPart opened = openPart(given);
    const Numbering numbering = numberingOf(opened);
    std::vector<GgufPart> parts;
    if (numbering.isWhole()) {
        parts.push_back(std::move(opened));
        return parts;
    }
    const std::string stem = stemOf(opened, numbering);
    Numbering expected = numbering;
    for (expected.place = 0; expected.place < numbering.count; ++expected.place) {
        const std::string name = stem + expected.ending();
        const fs::path path = given.parent_path() / name;
        std::error_code ignored;
        if (!fs::is_regular_file(path, ignored))
            fail(subjectOf(opened), fmt::format("the part {} is missing beside it", messageName(name)),
                 fmt::format("expected all {} parts in one folder", numbering.count), "finish the download");
        parts.push_back(expected.place == numbering.place ? opened : openPart(path));
        requireSameModel(parts.back(), parts.front(), expected);
    }
    requireAllTensors(parts, numbering.tensors);
    return parts;
}

std::string ggufModelName(const std::vector<GgufPart>& parts) {
    const GgufPart& first = parts.front();
    return parts.size() == 1 ? first.path.stem().string() : stemOf(first, numberingOf(first));
}

} // namespace headscope
