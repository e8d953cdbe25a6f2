// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands.h"
#include "core/analysis/export_json.h"
#include "core/analysis/open_attention.h"
#include "core/analysis/spec_facts.h"
#include "core/base/byte_text.h"

#include <fmt/format.h>
#include <iterator>
#include <map>
#include <string>

namespace headscope::app {

namespace {

/// Tensors of one element type.
struct TypeCount {
    std::int64_t tensors = 0;
    std::int64_t elements = 0;
};

struct ModelFacts {
    Checkpoint checkpoint;
    ModelSpec spec;
    std::map<std::string, TypeCount> types; ///< by the safetensors spelling
    std::int64_t parameters = 0;            ///< elements of floating-point tensors
    std::vector<std::string> advice;
    std::vector<std::string> notes;
};

/// What could not be used, and why the model could not be run where that is so: the facts stand all the same.
void addModelNotes(ModelFacts& facts) {
    try {
        for (std::string& note : checkModel(facts.checkpoint)) facts.notes.push_back(std::move(note));
    } catch (const Error& error) {
        facts.notes.push_back("the model cannot be run: " + std::string(error.what()));
    }
}

ModelFacts factsOf(const std::filesystem::path& folder, const std::filesystem::path& adapter) {
    ModelFacts facts;
    facts.checkpoint = openCheckpoint(folder, adapter);
    facts.spec = specOf(facts.checkpoint);
    for (const TensorInfo& tensor : facts.checkpoint.weights->tensors()) {
        TypeCount& count = facts.types[std::string(nameOf(tensor.dtype))];
        ++count.tensors;
        count.elements += tensor.elements;
        if (isFloating(tensor.dtype)) facts.parameters += tensor.elements;
    }
    facts.advice = headSizeAdvice(facts.spec);
    facts.notes = facts.checkpoint.notes;
    addModelNotes(facts);
    return facts;
}

void writeList(JsonWriter& json, const char* name, const std::vector<std::string>& sentences) {
    json.key(name);
    json.beginArray();
    for (const std::string& sentence : sentences) json.value(sentence);
    json.endArray();
}

std::string asJson(const ModelFacts& facts) {
    const ModelSpec& spec = facts.spec;
    JsonWriter json;
    json.beginObject();
    json.member("headscope", versionText());
    json.member("model", escapeForMessage(facts.checkpoint.name));
    json.member("family", spec.family);
    json.key("stacks");
    json.beginArray();
    for (const StackSpec& stack : spec.stacks) {
        json.beginObject();
        json.member("kind", nameOf(stack.kind));
        json.member("layers", stack.layers);
        json.member("heads", stack.heads);
        json.member("key_value_heads", stack.keyValueHeads);
        json.member("head_size", stack.headSize);
        json.member("causal", stack.causal);
        json.endObject();
    }
    json.endArray();
    json.member("hidden_size", spec.hiddenSize);
    json.member("intermediate_size", spec.intermediateSize);
    json.member("vocabulary_size", spec.vocabularySize);
    json.key("max_positions");
    if (spec.maxPositions)
        json.value(*spec.maxPositions);
    else
        json.null();
    json.member("token_types", spec.tokenTypes);
    json.key("details");
    json.beginArray();
    for (const SpecFact& fact : specFacts(spec)) {
        json.beginObject();
        json.member("name", fact.name);
        json.member("value", fact.value);
        json.endObject();
    }
    json.endArray();
    json.member("parameters", facts.parameters);
    json.key("dtypes");
    json.beginArray();
    for (const auto& [name, count] : facts.types) {
        json.beginObject();
        json.member("dtype", name);
        json.member("tensors", count.tensors);
        json.member("elements", count.elements);
        json.endObject();
    }
    json.endArray();
    json.key("files");
    json.beginArray();
    for (const CheckpointFile& file : facts.checkpoint.files) {
        json.beginObject();
        json.member("name", escapeForMessage(file.name));
        json.member("bytes", static_cast<std::int64_t>(file.bytes));
        json.endObject();
    }
    json.endArray();
    json.member("tokenizer", holdsTokenizer(facts.checkpoint));
    writeList(json, "head_size_advice", facts.advice);
    writeList(json, "notes", facts.notes);
    json.endObject();
    return json.finish();
}

std::string asText(const ModelFacts& facts) {
    const ModelSpec& spec = facts.spec;
    std::string text;
    const auto line = [&](std::string_view name, const std::string& value) {
        fmt::format_to(std::back_inserter(text), "{:<26} {}\n", name, value);
    };
    line("model", escapeForMessage(facts.checkpoint.name));
    line("family", spec.family);
    for (const StackSpec& stack : spec.stacks) {
        line("attention",
             fmt::format("{}: {} layers x {} heads of size {}{}", nameOf(stack.kind), stack.layers,
                         stack.heads, stack.headSize, stack.causal ? ", causal" : ""));
        if (stack.keyValueHeads != stack.heads)
            line("", fmt::format("{} key/value heads, shared by {} heads each", stack.keyValueHeads,
                                 stack.heads / stack.keyValueHeads));
    }
    line("width",
         fmt::format("{}, {}", spec.hiddenSize,
                     spec.intermediateSize > 0 ? fmt::format("feed-forward {}", spec.intermediateSize)
                                               : std::string("no feed-forward")));
    line("vocabulary", fmt::format("{} tokens", spec.vocabularySize));
    line("positions",
         spec.maxPositions ? fmt::format("{} tokens at most", *spec.maxPositions) : "no fixed limit");
    for (const SpecFact& fact : specFacts(spec)) line(fact.name, fact.value);
    line("parameters", fmt::format("{}", facts.parameters));
    for (const auto& [name, count] : facts.types)
        line("data type", fmt::format("{}: {} tensors, {} elements", name, count.tensors, count.elements));
    for (const CheckpointFile& file : facts.checkpoint.files)
        line("file", fmt::format("{}, {}", escapeForMessage(file.name), byteText(file.bytes)));
    if (!holdsTokenizer(facts.checkpoint)) line("tokenizer", "none: only --ids can be given");
    for (const std::string& sentence : facts.advice) line("head size", sentence);
    return text;
}

/// Tokens on either side of the maps of a kind.
Extent extentOf(const OpenModel& maps, AttentionKind kind) {
    for (const ImportedLayer& layer : maps.imported->layers)
        if (layer.kind == kind) return {layer.mask.queries, layer.mask.keys};
    return {};
}

bool hasTokens(const OpenModel& maps, AttentionKind kind) {
    return maps.imported->keyAxis(kind) != nullptr;
}

std::string mapsAsJson(const OpenModel& maps) {
    JsonWriter json;
    json.beginObject();
    json.member("headscope", versionText());
    json.member("model", escapeForMessage(maps.name));
    json.member("family", maps.spec().family);
    json.key("stacks");
    json.beginArray();
    for (const StackSpec& stack : maps.spec().stacks) {
        const Extent extent = extentOf(maps, stack.kind);
        json.beginObject();
        json.member("kind", nameOf(stack.kind));
        json.member("layers", stack.layers);
        json.member("heads", stack.heads);
        json.member("queries", extent.rows);
        json.member("keys", extent.columns);
        json.member("causal", stack.causal);
        json.member("tokens", hasTokens(maps, stack.kind));
        json.endObject();
    }
    json.endArray();
    json.member("learned_sink", maps.imported->learnedSink);
    writeList(json, "notes", maps.notes);
    json.endObject();
    return json.finish();
}

std::string mapsAsText(const OpenModel& maps) {
    std::string text = fmt::format("{:<26} {}\n{:<26} {}\n", "maps", escapeForMessage(maps.name), "family",
                                   maps.spec().family);
    for (const StackSpec& stack : maps.spec().stacks) {
        const Extent extent = extentOf(maps, stack.kind);
        fmt::format_to(std::back_inserter(text), "{:<26} {}: {} layers x {} heads, {} x {} tokens{}{}\n",
                       "attention", nameOf(stack.kind), stack.layers, stack.heads, extent.rows,
                       extent.columns, stack.causal ? ", causal" : "",
                       hasTokens(maps, stack.kind) ? "" : ", which the file does not name");
    }
    return text;
}

} // namespace

void runInspect(const InspectCommand& command, Session& session) {
    if (isAttentionFile(command.model)) {
        const auto maps = openModelFor(session, command.model, command.common); // says its notes
        writeResult(command.json ? mapsAsJson(*maps) : mapsAsText(*maps));
        return;
    }
    const ModelFacts facts = factsOf(command.model, command.common.opening.adapter);
    writeResult(command.json ? asJson(facts) : asText(facts));
    for (const std::string& note : facts.notes) session.console.note(note);
}

} // namespace headscope::app
