"""Sources of packs: names in an index, `owner/repository`, git URLs, and local directories."""

import re

__all__ = ["PackSource", "directory_of", "index_name", "parse_source"]


class PackSource:
    """
    :param url: a git URL or a directory
    :param version: branch, tag or commit; None for the default branch
    """

    def __init__(self, url, version=None):
        self.url = url
        self.version = version

    @property
    def masked_url(self):
        """The URL without user and password."""
        return re.sub(r"(://)[^/@]*@", r"\1", self.url)


_ADDRESS = re.compile(r"^([a-z][a-z0-9+.-]*://|[\w.-]+@[\w.-]+:)", re.IGNORECASE)
_REPOSITORY = re.compile(r"^[\w.-]+/[\w.-]+$")
# The version follows the last equals sign if it looks like a version, since URLs can contain equals signs too.
_VERSION = re.compile(r"^(?P<place>.+)=(?P<version>[\w.+/-]+)$")
_NAME = re.compile(r"^(?P<name>[\w-]+)(=(?P<version>[\w.+/-]+))?$")
_DIRECTORY = "file://"


def index_name(text):
    """:return: name and version (or None) of a pack that only an index can locate; None for other sources"""
    match = _NAME.match(text)
    return match and (match.group("name"), match.group("version"))


def parse_source(text):
    """:raises ValueError: if the text is not a location, such as a plain pack name"""
    place, version = text, None
    if not _looks_like_query(text):
        match = _VERSION.match(text)
        if match:
            place, version = match.group("place"), match.group("version")
    if version and version.startswith("-"):
        raise ValueError('"%s" is not a version.' % version)
    if _ADDRESS.match(place):
        return PackSource(place, version)
    if _REPOSITORY.match(place):
        return PackSource("https://github.com/" + place, version)
    raise ValueError('"%s" is not a pack name, a URL or owner/repository.' % place)


def _looks_like_query(text):
    return "?" in text and "=" in text.split("?", 1)[1] and text.count("=") == 1


def directory_of(source):
    """:return: the directory of a `file://` URL, None for other URLs"""
    return source.url[len(_DIRECTORY) :] if source.url.startswith(_DIRECTORY) else None
