# Every link of a site leads to a file that is there, and to a place on it: a line on stdout for each that does not.
#   site_links.py FOLDER
import html.parser
import os
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.places, self.links = set(), []

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.places.update(values[name] for name in ("id", "name") if values.get(name))
        for name in ("href", "src"):
            if values.get(name):
                self.links.append(values[name])


root = sys.argv[1]
pages = {}
for folder, _, names in os.walk(root):
    for name in names:
        if name.endswith(".html"):
            path = os.path.normpath(os.path.join(folder, name))
            page = pages[path] = Page()
            with open(path, encoding="utf-8") as file:
                page.feed(file.read())
count = 0
for path, page in sorted(pages.items()):
    for link in page.links:
        parts = urllib.parse.urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        count += 1
        target = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(parts.path))) if parts.path else path
        if not os.path.exists(target):
            print(f"{path}: {link}: there is no such file")
        elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].places:
            print(f"{path}: {link}: there is no such place")
print(f"{len(pages)} pages, {count} links", file=sys.stderr)
