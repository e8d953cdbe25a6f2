// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands.h"
#include "core/analysis/attention_file.h"
#include "core/analysis/export_json.h"
#include "core/base/byte_text.h"
#include "core/base/file.h"
#include "core/base/resident_memory.h"
#include "core/model/bare_products.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <string>

namespace headscope::app {

namespace {

constexpr int kRepeats = 5;

struct Measured {
    std::int64_t tokens = 0;
    double withMaps = 0.0; ///< s
    double forward = 0.0;  ///< s
    BareProducts bare;
    std::uint64_t denseMaps = 0;    ///< bytes
    std::uint64_t peakResident = 0; ///< bytes, after the passes with maps
};

/// The least of kRepeats rounds after one that is not measured.
double leastOf(const std::function<void()>& work) {
    double least = std::numeric_limits<double>::infinity();
    for (int round = 0; round <= kRepeats; ++round) {
        const auto start = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        if (round > 0) least = std::min(least, taken.count());
    }
    return least;
}

/// Any ids will do: the time does not depend on them. Fixed, so that runs can be compared.
std::vector<std::int64_t> someIds(std::int64_t count, std::int64_t vocabulary) {
    std::vector<std::int64_t> ids;
    std::uint64_t state = 1;
    for (std::int64_t i = 0; i < count; ++i) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        ids.push_back(static_cast<std::int64_t>((state >> 33U) % static_cast<std::uint64_t>(vocabulary)));
    }
    return ids;
}

/// Before anything is measured, so that a list does not fail after its first lengths were paid for.
void requireLengths(const ModelSpec& spec, const std::vector<std::int64_t>& tokens) {
    std::optional<std::int64_t> limit = spec.maxPositions;
    if (spec.decoder && spec.decoder->maxPositions)
        limit = std::min(limit.value_or(*spec.decoder->maxPositions), *spec.decoder->maxPositions);
    const std::int64_t longest = *std::max_element(tokens.begin(), tokens.end());
    if (limit && longest > *limit)
        fail("--tokens", fmt::format("{} tokens were asked for", longest),
             fmt::format("expected at most {}, where the model's position table ends", *limit));
}

Measured measure(const std::shared_ptr<const OpenModel>& model, std::int64_t tokens, Session& session) {
    Measured measured;
    measured.tokens = tokens;
    const ModelSpec& spec = model->spec();
    TextInput input;
    input.ids = someIds(tokens, spec.vocabularySize);
    if (spec.decoder) input.targetIds = someIds(tokens, spec.decoder->embedding.vocabularySize);
    const AnalysisRequest request = {model, input};
    int pass = 0;
    const ProgressSink progress = session.console.progress();
    forgetPeakResident();
    measured.withMaps = leastOf([&] {
        if (progress) progress({fmt::format("{} tokens, pass", tokens), ++pass, 2 * (kRepeats + 1)});
        analyse(request, {}, session.cancel);
    });
    measured.peakResident = peakResidentBytes();
    ForwardHooks hooks;
    hooks.cancel = session.cancel;
    measured.forward = leastOf([&] {
        if (progress) progress({fmt::format("{} tokens, pass", tokens), ++pass, 2 * (kRepeats + 1)});
        model->model->forward({*input.ids, {}, input.targetIds.value_or(std::vector<std::int64_t>())}, hooks);
    });
    session.console.clearProgress();
    measured.bare = timeBareProducts(
        spec,
        {.tokens = tokens, .device = model->model->device(), .repeats = kRepeats, .cancel = session.cancel});
    measured.denseMaps = denseMapsBytes(spec, {tokens, tokens});
    return measured;
}

const char* deviceName(const OpenModel& model) {
    return model.model->device() == DeviceChoice::Cuda ? "cuda" : "cpu";
}

void writeJson(JsonWriter& json, const OpenModel& model, const Measured& measured) {
    json.beginObject();
    json.member("headscope", versionText());
    json.member("tokens", measured.tokens);
    json.member("device", deviceName(model));
    json.member("threads", torchThreads());
    json.member("forward_with_maps_s", measured.withMaps);
    json.member("forward_s", measured.forward);
    json.member("matrix_products_s", measured.bare.matrixProducts);
    json.member("fused_attention_s", measured.bare.fusedAttention);
    json.member("dense_maps_bytes", static_cast<std::int64_t>(measured.denseMaps));
    json.member("peak_rss_bytes", static_cast<std::int64_t>(measured.peakResident));
    json.endObject();
}

std::string asText(const OpenModel& model, const Measured& measured) {
    const auto ratio = [&](double seconds) { return seconds / measured.bare.matrixProducts; };
    return fmt::format("{} tokens on {}, {} threads; seconds are the least of {}\n"
                       "  forward with maps and metrics  {:>10.4f} s  {:.2f} x the bare products\n"
                       "  forward alone                  {:>10.4f} s  {:.2f} x\n"
                       "  bare matrix products           {:>10.4f} s\n"
                       "  LibTorch's fused attention     {:>10.4f} s  gives no maps\n"
                       "  peak memory                    {:>10}\n"
                       "  all maps as numbers would take {:>10}\n",
                       measured.tokens, deviceName(model), torchThreads(), kRepeats, measured.withMaps,
                       ratio(measured.withMaps), measured.forward, ratio(measured.forward),
                       measured.bare.matrixProducts, measured.bare.fusedAttention,
                       byteText(measured.peakResident), byteText(measured.denseMaps));
}

} // namespace

void runBench(const BenchCommand& command, Session& session) {
    requireModel(command.model);
    const auto model = openModelFor(session, command.model, command.common);
    requireLengths(model->spec(), command.tokens);
    std::vector<Measured> all;
    for (const std::int64_t tokens : command.tokens) all.push_back(measure(model, tokens, session));
    if (!command.json) {
        for (const Measured& measured : all) writeResult(asText(*model, measured));
        return;
    }
    JsonWriter json;
    if (all.size() > 1) json.beginArray();
    for (const Measured& measured : all) writeJson(json, *model, measured);
    if (all.size() > 1) json.endArray();
    writeResult(json.finish());
}

} // namespace headscope::app
