// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/class_templates.h"

#include "core/base/error.h"
#include "core/tokenizer/stage_json.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace headscope {

namespace {

bool isText(const TemplatePlace& place) {
    return place.token == "$A" || place.token == "$B";
}

/// The library reads a template from a text in which these characters mean something.
void requireToken(const std::string& token, TemplateForm form) {
    const char* reserved = form == TemplateForm::Text ? ": " : ":";
    if (token.empty() || token.starts_with('$') || token.find_first_of(reserved) != std::string::npos)
        fail("tokenizer_config.json",
             fmt::format("the special token \"{}\" cannot stand in the template of the class",
                         escapeForMessage(token, 40)),
             form == TemplateForm::Text ? "expected one without spaces and colons that does not begin with $"
                                        : "expected one without colons that does not begin with $");
}

Json placesJson(const std::vector<TemplatePlace>& places) {
    std::vector<Json> items;
    for (const TemplatePlace& place : places) {
        const std::string name = isText(place) ? place.token.substr(1) : place.token;
        Json fields = JsonObject().add("id", Json(name)).add("type_id", Json(place.typeId)).take();
        items.push_back(
            JsonObject().add(isText(place) ? "Sequence" : "SpecialToken", std::move(fields)).take());
    }
    return jsonArray(std::move(items));
}

} // namespace

std::vector<TemplatePlace> templatePlaces(std::string_view text) {
    std::vector<TemplatePlace> places;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        std::string_view word = text.substr(0, end);
        TemplatePlace place;
        if (const std::size_t colon = word.find(':'); colon != std::string_view::npos) {
            std::from_chars(word.data() + colon + 1, word.data() + word.size(), place.typeId);
            word = word.substr(0, colon);
        }
        place.token = word;
        places.push_back(std::move(place));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return places;
}

Json templateStage(const std::vector<TemplatePlace>& single, const std::vector<TemplatePlace>& pair,
                   const TemplateIds& idOf, TemplateForm form) {
    Json special = Json::object();
    for (const std::vector<TemplatePlace>* places : {&single, &pair}) {
        for (const TemplatePlace& place : *places) {
            if (isText(place) || special.find(place.token) != nullptr) continue;
            requireToken(place.token, form);
            const std::int64_t id = idOf(place.token);
            Json entry = JsonObject()
                             .add("id", Json(place.token))
                             .add("ids", jsonArray({Json(id)}))
                             .add("tokens", jsonArray({Json(place.token)}))
                             .take();
            special.members().emplace_back(place.token, std::move(entry));
        }
    }
    return JsonObject()
        .add("type", jsonText("TemplateProcessing"))
        .add("single", placesJson(single))
        .add("pair", placesJson(pair))
        .add("special_tokens", std::move(special))
        .take();
}

} // namespace headscope
