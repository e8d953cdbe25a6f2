// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/imported/attention_content.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/npy_source.h"
#include "core/checkpoint/pytorch/pytorch_file.h"
#include "core/checkpoint/safetensors.h"

#include <fmt/format.h>
#include <utility>

namespace headscope {

namespace {

constexpr std::uint64_t kJsonLimit = 64'000'000;
constexpr std::size_t kMostNotes = 5; ///< on names without a meaning

void readValuesBeside(const std::filesystem::path& json, AttentionContent& content) {
    const std::string text = readWholeFile(json, kJsonLimit);
    // "headscope diagnose x.npz --json > x.json" has just made it.
    if (text.empty()) return;
    const Json values = parseJson(text, content.jsonName, {.allowByteOrderMark = true});
    if (!values.isObject())
        fail(content.jsonName, fmt::format("found {}", values.typeName()),
             "expected an object that says what the maps are about");
    for (const auto& [name, value] : values.members()) {
        if (isFactName(name)) {
            if (!content.json.emplace(name, value).second)
                fail(content.jsonName, fmt::format("{} stands twice", quotedName(name)));
        } else if (content.notes.size() < kMostNotes) {
            content.notes.push_back(
                fmt::format("{}: {} means nothing here", content.jsonName, quotedName(name)));
        }
    }
}

/// An array of one element is that element: np.savez(..., axes="heads,q,k") writes such.
const Json& single(const Json& value) {
    return value.isArray() && value.items().size() == 1 ? value.items().front() : value;
}

/// "axes" and "sample" where they stand, for those that nothing has said yet.
void readAxes(const FactValues& values, const std::string& subject, ArrayReading& reading) {
    const auto axes = values.find("axes");
    if (axes != values.end() && !reading.axes) {
        const std::string own = subject + ": \"axes\"";
        const Json& value = single(axes->second);
        if (!value.isString())
            fail(own, fmt::format("found {}", value.typeName()),
                 "expected a text such as \"layers,heads,q,k\"");
        reading.axes = parseArrayAxes(value.asString(), own);
        reading.subject = own;
    }
    const auto sample = values.find("sample");
    if (sample == values.end() || reading.sample) return;
    const Json& value = single(sample->second);
    if (!value.isInteger())
        fail(subject + ": \"sample\"", fmt::format("found {}", value.typeName()), "expected a whole number");
    reading.sample = value.asInteger();
}

} // namespace

AttentionContent openAttentionContent(const std::filesystem::path& path) {
    AttentionContent content;
    content.name = messageName(path);
    const std::filesystem::path extension = path.extension();
    if (extension == ".npz") {
        NpzContents contents = openNpz(path);
        content.tensors = std::move(contents.numbers);
        content.texts = std::move(contents.texts);
    } else if (extension == ".npy") {
        content.tensors = openNpy(path);
    } else if (extension == ".pt" || extension == ".pth") {
        PytorchFile file = openPytorch(path, PytorchLayout::Nested);
        content.tensors = std::move(file.tensors);
        content.notes = std::move(file.notes);
    } else {
        content.tensors = openSafetensors(path);
        content.metadata = readSafetensorsMetadata(path);
    }
    std::filesystem::path json = path;
    json.replace_extension(".json");
    content.jsonName = messageName(json);
    std::error_code ignored;
    if (std::filesystem::exists(json, ignored)) readValuesBeside(json, content);
    return content;
}

ArrayReading arrayReading(const AttentionContent& content, const ReadingRules& rules) {
    ArrayReading reading{.axes = rules.axes, .sample = rules.sample, .subject = "--axes"};
    readAxes(content.json, content.jsonName, reading);
    readAxes(factsInArrays(*content.tensors, content.texts, content.name), content.name, reading);
    readAxes(factsInMetadata(content.metadata, content.name), content.name + ": metadata", reading);
    return reading;
}

AttentionFacts factsOf(const AttentionContent& content, const FileStacks& stacks) {
    const std::string& subject = content.name;
    AttentionFacts facts =
        readFacts(factsInArrays(*content.tensors, content.texts, subject), stacks, subject);
    mergeFacts(facts, readFacts(factsInMetadata(content.metadata, subject), stacks, subject), subject,
               subject + ": metadata");
    if (!content.json.empty())
        mergeFacts(facts, readFacts(content.json, stacks, content.jsonName), subject, content.jsonName);
    return facts;
}

} // namespace headscope
