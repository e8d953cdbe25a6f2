// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

#include <map>
#include <set>
#include <sstream>
#include <string>

namespace headscope::test {

/// Holds a JSON document to the table of a help page: rows "| `path` | type | meaning |", where path joins
/// members with dots and [] stands for each element of a list.
class JsonSchema {
  public:
    explicit JsonSchema(const std::string& page) {
        std::istringstream lines(page);
        for (std::string line; std::getline(lines, line);) {
            if (line.rfind("| `", 0) != 0) continue;
            const std::size_t end = line.find("` | ");
            const std::size_t type = end + 4;
            m_types[line.substr(3, end - 3)] = line.substr(type, line.find(" |", type) - type);
        }
    }

    std::size_t size() const { return m_types.size(); }

    /// What does not fit, one line each; empty when all does. Members that no element of a list shows are not
    /// missed.
    std::string problems(const Json& document) {
        m_problems.clear();
        visit(document, "");
        return m_problems;
    }

  private:
    void visit(const Json& value, const std::string& path) {
        if (value.isObject()) visitObject(value, path);
        if (value.isArray())
            for (const Json& item : value.items())
                if (!item.isNumber() && !item.isString()) visit(item, path + "[]");
    }

    void visitObject(const Json& object, const std::string& path) {
        const std::string prefix = path.empty() ? "" : path + ".";
        std::set<std::string> seen;
        for (const auto& [name, value] : object.members()) {
            const auto known = m_types.find(prefix + name);
            if (known == m_types.end()) {
                m_problems += prefix + name + " is not documented\n";
                continue;
            }
            if (!seen.insert(name).second) m_problems += prefix + name + " is there twice\n";
            if (!fits(value, known->second)) m_problems += prefix + name + " is " + value.typeName() + "\n";
            visit(value, known->first);
        }
        for (const auto& [name, type] : m_types) {
            if (name.rfind(prefix, 0) != 0) continue;
            const std::string member = name.substr(prefix.size());
            if (member.find_first_of(".[") == std::string::npos && !seen.contains(member))
                m_problems += name + " is missing\n";
        }
    }

    static bool fits(const Json& value, const std::string& type) {
        if (type.ends_with(" or null")) return value.isNull() || fits(value, type.substr(0, type.size() - 8));
        if (type.rfind("array of ", 0) == 0) {
            if (!value.isArray()) return false;
            for (const Json& item : value.items())
                if (!fits(item, type.substr(9))) return false;
            return true;
        }
        if (type == "string") return value.isString();
        if (type == "integer") return value.isInteger();
        if (type == "number") return value.isNumber();
        if (type == "boolean") return value.isBool();
        if (type == "array") return value.isArray();
        return type == "object" && value.isObject();
    }

    std::map<std::string, std::string> m_types;
    std::string m_problems;
};

} // namespace headscope::test
