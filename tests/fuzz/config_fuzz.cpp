// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/config_reader.h"
#include "core/checkpoint/quantised.h"
#include "tests/fuzz/fuzz_support.h"

#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

/// Asks for one field in every way there is.
void readEveryWay(const ConfigReader& config, const std::string& name) {
    const FieldName field(name.c_str());
    readOrRefuse([&] { config.has(field); });
    readOrRefuse([&] { HS_CHECK_LE(config.integer(field, 0, -10, 1000), 1000); });
    readOrRefuse([&] { HS_CHECK(std::isfinite(config.real(field, 0, -1e9, 1e9))); });
    readOrRefuse([&] { config.boolean(field, false); });
    readOrRefuse([&] { config.string(field, ""); });
    readOrRefuse([&] { config.integersOrOne(field, 0, 9); });
    readOrRefuse([&] { config.reals(field, 0, 1); });
    readOrRefuse([&] { config.strings(field); });
    readOrRefuse([&] { config.oneOf(field, "a", {"a", "b"}); });
    readOrRefuse([&] { config.requireAbsent(field); });
    readOrRefuse([&] { config.requireFalse({field.names()[0], "hidden_size"}); });
}

} // namespace

/// A config.json: its JSON as Python writes it, what it says of quantisation, and every field of it and of
/// the objects inside, read as every type.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    readOrRefuse([&] {
        const Json json = parseJson(textOf(data, size), "config.json",
                                    {.allowNonFinite = true, .allowByteOrderMark = true});
        const ConfigReader config(json, "config.json");
        readOrRefuse([&] { refuseQuantisedConfig(json); });
        readOrRefuse([&] { config.weightsType(); });
        for (const Json::Member& member : json.members()) {
            const FieldName field(member.first.c_str());
            readEveryWay(config, member.first);
            readOrRefuse([&] {
                const auto inside = config.object(field);
                if (!inside) return;
                for (const Json::Member& inner : config.value(field)->members())
                    readEveryWay(*inside, inner.first);
            });
        }
        for (const std::string& unread : config.unreadFields()) HS_CHECK(!unread.empty());
    });
    return 0;
}
