// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words.h"

#include "app/option_values.h"
#include "core/base/error.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

namespace headscope::app {

Words::Words(std::string command, const std::string& description)
    : m_command(std::move(command)),
      m_app(std::make_unique<CLI::App>(description,
                                       m_command.empty() ? "headscope" : "headscope " + m_command)) {
    m_app->allow_extras(); // so that checkRest() says what is wrong with them
    m_app->set_help_flag("-h,--help", "this text");
}

Words::~Words() = default;

void Words::positional(const std::string& name, const std::string& description) {
    m_app->add_option(name, m_values[name], description)->type_name("");
}

void Words::option(const std::string& name, const std::string& value, const std::string& description) {
    m_app->add_option(name, m_values[name], description)
        ->type_name(value)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast); // parse() refuses the second one by name
}

void Words::flag(const std::string& name, const std::string& description) {
    m_app->add_flag(name, m_flags[name], description)->disable_flag_override();
}

bool Words::takesValue(const std::string& option) const {
    return option.starts_with("--") && m_values.contains(option);
}

bool Words::parse(const std::vector<std::string>& arguments) {
    std::vector<std::string> reversed; // CLI11 takes them from the back
    for (const std::string& argument : arguments) {
        // "--text=" is an empty text; CLI11 would take the next word instead.
        if (argument.starts_with("--") && argument.find('=') == argument.size() - 1) {
            reversed.push_back(argument.substr(0, argument.size() - 1));
            reversed.emplace_back();
        } else {
            reversed.push_back(argument);
        }
    }
    std::reverse(reversed.begin(), reversed.end());
    try {
        m_app->parse(std::move(reversed));
    } catch (const CLI::CallForHelp&) {
        return false;
    } catch (const CLI::ParseError& error) {
        // Only two things are left to CLI11's own checks. Its message starts with the option's name, of a
        // flag without the dashes.
        const std::string message = error.what();
        const std::string name = message.substr(0, message.find_first_of(": "));
        if (m_flags.contains("--" + name))
            failUsage(fmt::format("--{}", name), "a value was given", "this option takes none");
        failUsage(name, "the value is missing");
    }
    for (const auto& [name, value] : m_values)
        if (m_app->get_option(name)->count() > 1) failUsage(name, "given twice", "once is enough");
    checkRest();
    return true;
}

void Words::checkRest() const {
    for (const std::string& word : m_app->remaining()) {
        if (word == "--") continue;
        const std::string shown =
            escapeForMessage(word.substr(0, word.starts_with('-') ? word.find('=') : word.npos), 60);
        const std::string where = m_command.empty() ? "headscope" : "headscope " + m_command;
        if (word.starts_with('-') && word.size() > 1)
            failUsage(shown, fmt::format("\"{}\" has no such option", where));
        failUsage(where, fmt::format("one word too many, \"{}\"", shown), {},
                  "put quotes around a text with spaces");
    }
}

std::string Words::help() const {
    return m_app->help();
}

bool Words::has(const std::string& name) const {
    return m_app->get_option(name)->count() > 0;
}

std::optional<std::string> Words::value(const std::string& name) const {
    if (!has(name)) return std::nullopt;
    return m_values.at(name);
}

std::string Words::required(const std::string& name, const std::string& what) const {
    const std::optional<std::string> given = value(name);
    const std::string where = fmt::format("headscope {}", m_command);
    if (!given) failUsage(where, fmt::format("{} is missing", name), what);
    if (given->empty()) failUsage(name, "it is empty", what);
    return *given;
}

std::optional<std::string> Words::firstOf(const std::vector<std::string>& names) const {
    for (const std::string& name : names)
        if (m_app->get_option_no_throw(name) != nullptr && has(name)) return name;
    return std::nullopt;
}

} // namespace headscope::app
