// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/shard_index.h"

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/checkpoint/foreign_content.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace headscope {

namespace {

/// Digits of both numbers in a shard's name.
constexpr std::size_t kDigits = 5;

bool isPlainName(std::string_view name) {
    return !name.empty() && name != "." && name != ".." &&
           name.find_first_of(std::string_view("/\\\0", 3)) == std::string_view::npos;
}

const std::string& requireFileName(const Json& value, const std::string& tensor, std::string_view ending,
                                   const std::string& subject) {
    const auto where = [&] { return subject + ": weight_map: " + quotedName(tensor); };
    if (!value.isString())
        fail(where(), fmt::format("its file is {}", value.typeName()), "expected a file name");
    const std::string& name = value.asString();
    if (!isPlainName(name) || !name.ends_with(ending))
        fail(where(), fmt::format("its file is {}", quotedName(name)),
             fmt::format("expected the plain name of a {} file in this folder", ending));
    return name;
}

struct ShardNumber {
    int number = 0;
    int total = 0;
};

/// 2 and 5 of "model-00002-of-00005.safetensors".
std::optional<ShardNumber> numberOf(std::string_view name, std::string_view stem, std::string_view ending) {
    constexpr std::string_view kBetween = "-of-";
    const std::size_t length = stem.size() + 1 + kDigits + kBetween.size() + kDigits + ending.size();
    if (name.size() != length || !name.starts_with(stem) || !name.ends_with(ending)) return std::nullopt;
    name.remove_prefix(stem.size());
    if (name[0] != '-' || name.substr(1 + kDigits, kBetween.size()) != kBetween) return std::nullopt;
    const auto digits = [](std::string_view text, int& value) {
        const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
        if (!std::all_of(text.begin(), text.end(), isDigit)) return false;
        return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc();
    };
    ShardNumber shard;
    if (!digits(name.substr(1, kDigits), shard.number) ||
        !digits(name.substr(1 + kDigits + kBetween.size(), kDigits), shard.total))
        return std::nullopt;
    return shard;
}

} // namespace

ShardIndex parseShardIndex(std::string_view text, const std::string& subject, std::string_view ending) {
    const Json json = parseJson(text, subject, {.allowNonFinite = true, .allowByteOrderMark = true});
    if (!json.isObject()) fail(subject, fmt::format("this is {}", json.typeName()), "expected a JSON object");
    const Json* map = json.find("weight_map");
    if (map == nullptr) fail(subject, "weight_map is missing");
    if (!map->isObject())
        fail(subject, fmt::format("weight_map is {}", map->typeName()), "expected an object");
    if (map->members().empty()) fail(subject, "weight_map is empty", "expected tensors and their files");

    std::set<std::string> files;
    for (const auto& [tensor, file] : map->members())
        files.insert(requireFileName(file, tensor, ending, subject));
    ShardIndex index;
    index.files.assign(files.begin(), files.end());
    for (const auto& [tensor, file] : map->members()) {
        const auto place = std::lower_bound(index.files.begin(), index.files.end(), file.asString());
        if (!index.fileOf.emplace(tensor, static_cast<std::size_t>(place - index.files.begin())).second)
            fail(subject, fmt::format("weight_map: the name {} stands twice", quotedName(tensor)));
    }
    return index;
}

std::vector<std::string> numberedShards(const std::vector<std::string>& names, std::string_view stem,
                                        std::string_view ending, const std::string& subject) {
    std::map<int, std::string> shards;
    int total = 0;
    std::string first;
    for (const std::string& name : names) {
        const auto shard = numberOf(name, stem, ending);
        if (!shard) continue;
        if (first.empty()) {
            first = name;
            total = shard->total;
        }
        if (shard->total != total)
            fail(subject,
                 fmt::format("{} and {} are parts of two models", escapeForMessage(first),
                             escapeForMessage(name)),
                 "expected the files of one", "remove those of the other");
        if (shard->number < 1 || shard->number > total)
            fail(subject, fmt::format("{} has a number outside 1 to {}", escapeForMessage(name), total));
        shards[shard->number] = name;
    }
    std::vector<std::string> found;
    for (int number = 1; number <= total; ++number) {
        const auto shard = shards.find(number);
        if (shard == shards.end())
            fail(subject,
                 fmt::format("{}-{:05}-of-{:05}{} is missing", escapeForMessage(stem), number, total, ending),
                 fmt::format("{} of {} parts are there", shards.size(), total), "finish the download");
        found.push_back(shard->second);
    }
    return found;
}

} // namespace headscope
