// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gallery.h"

#include "core/base/error.h"
#include "core/base/file.h"

#include <cstdlib>
#include <fmt/format.h>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#if HEADSCOPE_WITH_QT
#include "ui/export/headless_pictures.h"
#endif

namespace headscope::app {

namespace {

std::string htmlText(std::string_view text) {
    std::string escaped;
    for (const char c : escapeForMessage(text, 2000)) {
        switch (c) {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        default:
            escaped += c;
        }
    }
    return escaped;
}

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --window: #f5f6f8; --panel: #fff; --line: #dfe2e8; --text: #1d222b; --muted: #626b79; }
@media (prefers-color-scheme: dark) {
  :root { --window: #15181d; --panel: #1d2127; --line: #2f353e; --text: #e4e8ee; --muted: #939cab; } }
body { margin: 0; padding: 24px; background: var(--window); color: var(--text); font: 14px/1.5 system-ui, sans-serif; }
h1 { font-size: 20px; margin: 0 0 4px; } h2 { font-size: 15px; margin: 28px 0 8px; }
p { margin: 0 0 16px; color: var(--muted); max-width: 80ch; overflow-wrap: anywhere; }
img { display: block; width: 100%; height: auto; border-radius: 4px; }
.whole, figure { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: 12px; margin: 0; }
.whole { max-width: 900px; }
.heads { display: grid; gap: 12px; grid-template-columns: repeat(auto-fill, minmax(220px, 1fr)); }
figcaption { margin-top: 8px; display: flex; justify-content: space-between; font-variant-numeric: tabular-nums; }
.labels { color: var(--muted); } a { color: inherit; text-decoration: none; }
)";

/// Files are made in a hidden folder inside the target and moved to their names together, so that an older
/// gallery there stays whole until the new one is complete.
class Staging {
  public:
    explicit Staging(std::filesystem::path folder) : m_folder(std::move(folder)) {
        std::error_code failed;
        m_made = std::filesystem::create_directory(m_folder, failed);
        std::string pattern = (m_folder / ".headscope-XXXXXX").string();
        if (!failed && ::mkdtemp(pattern.data()) != nullptr) {
            m_staged = pattern;
            return;
        }
        removeMade();
        fail(escapeForMessage(m_folder.string()), "the folder cannot be made or written", {},
             "check that its parent exists and can be written");
    }
    ~Staging() {
        std::error_code ignored;
        for (const std::string& name : m_names) std::filesystem::remove(m_staged / name, ignored);
        std::filesystem::remove(m_staged, ignored);
        removeMade();
    }
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    std::filesystem::path add(const std::string& name) {
        // Now rather than when everything is drawn: it would keep the file from its name.
        const std::filesystem::path target = m_folder / name;
        std::error_code failed;
        if (std::filesystem::is_directory(target, failed))
            fail(escapeForMessage(target.string()), "this is a folder", "expected a file name");
        return m_staged / m_names.emplace_back(name);
    }
    /// The same error about the name that the file would have got.
    [[noreturn]] void rethrow(const Error& error) const {
        ErrorParts parts = error.parts();
        const std::string staged = escapeForMessage(m_staged.string());
        if (parts.subject.starts_with(staged))
            parts.subject.replace(0, staged.size(), escapeForMessage(m_folder.string()));
        throw Error(std::move(parts));
    }
    /// Moves all files to their names, in the order in which they were added.
    void publish() {
        for (const std::string& name : m_names) {
            std::error_code failed;
            std::filesystem::rename(m_staged / name, m_folder / name, failed);
            if (failed) fail(escapeForMessage((m_folder / name).string()), "cannot be written");
        }
        m_made = false;
    }

  private:
    void removeMade() const {
        std::error_code ignored;
        if (m_made) std::filesystem::remove(m_folder, ignored);
    }

    std::filesystem::path m_folder;
    std::filesystem::path m_staged;
    std::vector<std::string> m_names;
    bool m_made = false; ///< the target folder is new, and nothing stands in it yet
};

} // namespace

std::string pictureName(const HeadRef& head) {
    return fmt::format("head-{}.png", headText(head));
}

std::string galleryPage(const ExportPart& part, const std::string& title) {
    std::string page =
        fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n"
                    "<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
                    htmlText(title), kStyle);
    const Analysis& analysis = *part.analysis;
    const auto out = std::back_inserter(page);
    fmt::format_to(
        out,
        "<p>{} tokens. Rows are queries (the token that reads), columns are keys (the token that is "
        "read); layers and heads count from 0.</p>\n",
        analysis.text.axis->size());
    if (!analysis.input.ids) fmt::format_to(out, "<p>{}</p>\n", htmlText(analysis.input.text));
    page += "<a class=\"whole\" style=\"display:block\" href=\"grid.png\"><img src=\"grid.png\" alt=\"all "
            "heads\"></a>\n";
    int layer = -1;
    for (std::size_t i = 0; i < part.heads.size(); ++i) {
        const HeadRef& head = part.heads[i];
        if (head.layer.value != layer) {
            page += layer < 0 ? "" : "</div>\n";
            layer = head.layer.value;
            fmt::format_to(out, "<h2>Layer {}</h2>\n<div class=\"heads\">\n", layer);
        }
        std::string labels;
        for (const Label label : part.result(i).verdict.labels())
            if (label != Label::InsufficientEvidence)
                fmt::format_to(std::back_inserter(labels), "{}{}", labels.empty() ? "" : ", ", nameOf(label));
        fmt::format_to(out,
                       "<figure><a href=\"{0}\"><img loading=\"lazy\" src=\"{0}\" alt=\"head {1}\"></a>"
                       "<figcaption><b>{1}</b><span class=\"labels\">{2}</span></figcaption></figure>\n",
                       pictureName(head), headText(head), labels);
    }
    return page + "</div>\n</body>\n</html>\n";
}

#if HEADSCOPE_WITH_QT

void writeGallery(const ExportPart& part, const ui::PictureSettings& settings,
                  const ui::HeadlessPictures& pictures, const GalleryPlace& place) {
    Staging files(place.folder);
    const ProgressSink progress = place.session.console.progress();
    ui::PictureSettings headSettings = settings;
    headSettings.title.reset(); // the title is of the whole; each head has its name
    try {
        for (std::size_t i = 0; i < part.heads.size(); ++i) {
            place.session.cancel.throwIfCancelled();
            ExportPart one = part;
            one.heads = {part.heads[i]};
            pictures.writeHeads(one, headSettings, files.add(pictureName(part.heads[i])));
            if (progress)
                progress({"picture", static_cast<std::int64_t>(i) + 1,
                          static_cast<std::int64_t>(part.heads.size())});
        }
        pictures.writeGrid(*part.analysis, part.heads.front().kind, settings, files.add("grid.png"));
        place.session.cancel.throwIfCancelled();
        AtomicFile page(files.add("index.html"));
        page.write(galleryPage(part, settings.title.value_or(part.analysis->model->name)));
        page.commit();
    } catch (const Error& error) {
        files.rethrow(error);
    }
    files.publish();
}

#endif

} // namespace headscope::app
