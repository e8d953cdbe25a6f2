// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

/// The words behind one command, taken apart by CLI11; what is wrong is said in our own sentences.
namespace headscope::app {

class Words {
  public:
    /// `command` as it is typed ("run"), empty for the program itself.
    Words(std::string command, const std::string& description);
    ~Words();
    Words(const Words&) = delete;
    Words& operator=(const Words&) = delete;

    void positional(const std::string& name, const std::string& description);
    void option(const std::string& name, const std::string& value, const std::string& description);
    void flag(const std::string& name, const std::string& description);

    bool takesValue(const std::string& option) const; ///< "--text": the next word is its value
    /// Throws Error{Usage}: unknown option, word too many, option without its value or given twice. False
    /// when help was asked for.
    bool parse(const std::vector<std::string>& arguments);

    std::string help() const;
    bool has(const std::string& name) const;
    std::optional<std::string> value(const std::string& name) const;
    /// Throws Error{Usage} when it was not given or is empty.
    std::string required(const std::string& name, const std::string& what) const;
    /// The first of these options that was given; the command need not have all of them.
    std::optional<std::string> firstOf(const std::vector<std::string>& names) const;

  private:
    void checkRest() const;

    std::string m_command;
    std::unique_ptr<CLI::App> m_app;
    std::map<std::string, std::string> m_values;
    std::map<std::string, bool> m_flags;
};

} // namespace headscope::app
