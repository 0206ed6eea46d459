"""Where packs come from: names in an index, `owner/repository`, addresses of git, and directories of this machine."""

import re

__all__ = ["PackSource", "directory_of", "index_name", "parse_source"]


class PackSource:
    """
    :param url: what git clones, or a directory
    :param version: branch, tag or commit; None for the default branch
    """

    def __init__(self, url, version=None):
        self.url = url
        self.version = version

    @property
    def masked_url(self):
        """The address without user and password."""
        return re.sub(r"(://)[^/@]*@", r"\1", self.url)


_ADDRESS = re.compile(r"^([a-z][a-z0-9+.-]*://|[\w.-]+@[\w.-]+:)", re.IGNORECASE)
_REPOSITORY = re.compile(r"^[\w.-]+/[\w.-]+$")
# A version is what follows the last equals sign, when it looks like one: addresses may have such signs, too.
_VERSION = re.compile(r"^(?P<place>.+)=(?P<version>[\w.+/-]+)$")
_NAME = re.compile(r"^(?P<name>[\w-]+)(=(?P<version>[\w.+/-]+))?$")
_DIRECTORY = "file://"


def index_name(text):
    """:return: the name and the version, or None for it, of what only an index of packs can tell the place of; None for others"""
    match = _NAME.match(text)
    return match and (match.group("name"), match.group("version"))


def parse_source(text):
    """:raises ValueError: for what is no place, such as the name of a pack alone"""
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
    raise ValueError('"%s" is neither the name of a pack, nor an address, nor owner/repository.' % place)


def _looks_like_query(text):
    return "?" in text and "=" in text.split("?", 1)[1] and text.count("=") == 1


def directory_of(source):
    """:return: the directory that a `file://` address names, None for others"""
    return source.url[len(_DIRECTORY) :] if source.url.startswith(_DIRECTORY) else None
