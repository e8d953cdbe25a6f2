// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/option_values.h"
#include "app/picture_options.h"
#include "app/shared_options.h"

#include <string>
#include <vector>

namespace headscope::app {

Command parseCompare(const std::vector<std::string>& arguments) {
    Words words("compare",
                "Puts two heads side by side with their difference, as a picture (.png, .svg, .pdf) "
                "or as numbers (.json): two heads of a text, or one head of two texts or models.");
    addModel(words);
    addInput(words);
    words.option("--head", "L.H[,L.H]",
                 "the heads, layer.head, both counted from 0; one: that of both sides");
    words.option("--model-b", "MODEL", "the model of the second side");
    words.option("--text-b", "TEXT", "the text of the second side");
    addKind(words);
    words.option("--out", "FILE", "where to");
    addPicture(words);
    addCommon(words);
    if (!words.parse(arguments)) return HelpCommand{words.help()};

    CompareCommand command;
    command.model = modelOf(words);
    command.input = inputOf(words);
    command.common = commonOf(words);
    command.kind = kindOf(words);
    if (words.has("--model-b"))
        command.secondModel = words.required("--model-b", "expected the folder of a model");
    command.secondText = words.value("--text-b");
    const std::string list = words.required("--head", "expected one head or two, such as 1.11,3.0");
    const auto heads = parseHeads("--head", list);
    if (heads.size() > 2) failUsage("--head", "more than two are given", "expected one or two");
    if (heads.size() == 1 && !command.secondModel && !command.secondText)
        failUsage("--head", "one head is given", "expected two of them, or --text-b or --model-b with one");
    command.first = heads.front();
    command.second = heads.back();
    command.out = outputOf(words, {"png", "svg", "pdf", "json"});
    command.picture = pictureOf(words);
    if (extensionOf(command.out) == "json") refusePictureOptions(words, command.out);
    return command;
}

} // namespace headscope::app
