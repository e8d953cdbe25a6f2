// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Building documents of the form of tokenizer.json.
namespace headscope {

/// An object, member by member: a list in braces would copy each of them.
class JsonObject {
  public:
    JsonObject&& add(std::string_view key, Json value) && {
        m_json.members().emplace_back(key, std::move(value));
        return std::move(*this);
    }
    Json take() && { return std::move(m_json); }

  private:
    Json m_json = Json::object();
};

inline Json jsonObject(std::vector<Json::Member> members) {
    Json result = Json::object();
    result.members() = std::move(members);
    return result;
}

inline Json jsonArray(std::vector<Json> items) {
    Json result = Json::array();
    result.items() = std::move(items);
    return result;
}

inline Json jsonPair(Json first, Json second) {
    Json result = Json::array();
    result.items().reserve(2);
    result.items().push_back(std::move(first));
    result.items().push_back(std::move(second));
    return result;
}

inline Json jsonText(std::string_view text) {
    return Json(std::string(text));
}

/// A stage that is a constant of the program.
inline Json constantStage(std::string_view json) {
    return parseJson(json, "a stage of the program");
}

} // namespace headscope
