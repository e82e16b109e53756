# The pages as a site: read from files, with a search that needs no server (docs/installing.md, "The pages as a site").
#   sphinx-build -c docs/site . build/site        cmake --build build --target site
import os

from pygments.lexers.special import TextLexer
from sphinx.highlighting import lexers

project = "fedrecsim"
author = "the fedrecsim authors"
version = release = os.environ.get("FRS_VERSION", "")
html_title = f"fedrecsim {version}".strip()

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "README"
include_patterns = ["*.md", "docs/*.md", "docs/**/*.md"]
exclude_patterns = ["build*", "results", ".git"]
myst_heading_anchors = 6  # headings are named as on the usual hosts of such pages
suppress_warnings = ["myst.header"]  # pages may leave out a level
highlight_language = "none"  # blocks of code without a language are scenarios and output
lexers["mermaid"] = TextLexer()

html_theme = "alabaster"
html_theme_options = {"fixed_sidebar": True, "page_width": "75em", "sidebar_width": "17em"}
html_sidebars = {"**": ["searchbox.html", "globaltoc.html", "localtoc.html"]}
html_copy_source = False
html_show_search_summary = False  # a browser reads no other page from a file
html_show_sphinx = html_show_copyright = False

CONTENTS = """

```{toctree}
:hidden:
:glob:
:maxdepth: 1

docs/getting-started
docs/tutorials/README
docs/tutorials/*
docs/cookbook
docs/faq
docs/installing
docs/*
docs/*/README
docs/*/*
CONTRIBUTING
SECURITY
CHANGELOG
```
"""


def add_contents(_app, name, source):
    if name == root_doc:
        source[0] += CONTENTS


def add_index(app, failed):
    if failed is None:
        with open(os.path.join(app.outdir, "index.html"), "w", encoding="utf-8") as file:
            file.write('<!doctype html><meta charset="utf-8"><title>fedrecsim</title>'
                       f'<meta http-equiv="refresh" content="0; url={root_doc}.html"><a href="{root_doc}.html">fedrecsim</a>\n')


def setup(app):
    app.connect("source-read", add_contents)
    app.connect("build-finished", add_index)
