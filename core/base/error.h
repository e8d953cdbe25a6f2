// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

namespace headscope {

/// What the caller should do about an error; the command line maps it to its exit code.
enum class ErrorKind {
    Failed,    ///< could not: bad file, unsupported model, out of memory, disk full (exit code 1)
    Usage,     ///< wrong whatever the model is: malformed number, missing --out (exit code 2)
    Cancelled, ///< the user asked to stop (exit code 1, no message box)
};

/// The parts of one error sentence. All strings are UTF-8 fragments without a final full stop.
struct ErrorParts {
    std::string subject;                       ///< what it is about: a file name, a tensor, an option
    std::string found;                         ///< what was found
    std::string expected;                      ///< what was expected ("expected 384 x 384"); may be empty
    std::string hint;                          ///< what to do next; may be empty
    std::optional<std::uint64_t> byteOffset{}; ///< where in the file, if it is known
    ErrorKind kind = ErrorKind::Failed;
};

/// The one exception type of the core: something about the user's data or machine, never a programmer's
/// mistake (see check.h for those). what() is the whole sentence on one line:
///   subject: found, expected (at byte N); hint.
class Error : public std::exception {
  public:
    explicit Error(ErrorParts parts);

    const ErrorParts& parts() const noexcept { return m_parts; }
    const std::string& sentence() const noexcept { return m_sentence; }
    const char* what() const noexcept override { return m_sentence.c_str(); }

  private:
    ErrorParts m_parts;
    std::string m_sentence;
};

/// Shorthand for the common case.
[[noreturn]] void fail(std::string subject, std::string found, std::string expected = {},
                       std::string hint = {});

/// Text that is safe inside a one-line message: control characters and invalid UTF-8 become \xNN, longer
/// texts are cut at `limit` code points with an ellipsis.
std::string escapeForMessage(std::string_view text, std::size_t limit = 200);

} // namespace headscope
