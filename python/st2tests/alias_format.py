"""
Formats of action aliases: regular expressions with parameters, `{{name}}` and `{{name=default}}`. They match as in the system
(`libs/model/src/alias`); both are tested with the same formats and commands.
"""

import re

try:
    from re import _parser as sre_parse
except ImportError:
    import sre_parse

__all__ = ["ParseException", "extract_parameters"]

_VALUE = r""" "" | '' | "(.+?)" | '(.+?)' | ({.+?}) """.replace(" ", "")
_OPTIONAL = re.compile(r"(\s*){{\s*(\S+?)\s*=\s*(?:%s|(.+?))\s*}}" % _VALUE, re.DOTALL)
_REQUIRED = re.compile(r"(\s*){{\s*(\S+?)\s*}}", re.DOTALL)
_PAIR = r"(?:^|\s+)\s*(\S+?)\s*=(?:%s|(\S+))" % _VALUE
_PAIRS = re.compile(_PAIR, re.DOTALL)
_TRAILING_PAIRS = re.compile(r".*?((?:%s\s*)*)$" % _PAIR, re.DOTALL)
_FLAGS = re.compile(r"\(\?[aiLmsux]+\)")
_START = (sre_parse.AT_BEGINNING, sre_parse.AT_BEGINNING_STRING)
_END = (sre_parse.AT_END, sre_parse.AT_END_STRING)


class ParseException(ValueError):
    """The command does not match the format."""


def extract_parameters(format_str, param_stream, match_multiple=False):
    """
    :return: the parameters of a command by name, None for groups that did not match; with `match_multiple`, a list of these
    :raises ParseException: when the command does not match
    """
    pairs, text = _cut_trailing_pairs(param_stream)
    found = _search(format_str, text) if format_str.strip() else []
    if match_multiple:
        return [_parameters(format_str, match, pairs, text) for match in found]
    if not found:
        raise ParseException('Command "%s" doesn\'t match format string "%s"' % (param_stream, format_str))
    return _parameters(format_str, found[0], pairs, text)


def _cut_trailing_pairs(command):
    ending = _TRAILING_PAIRS.match(command).group(1)
    pairs = {key: "".join(values) for key, *values in _PAIRS.findall(ending)}
    return pairs, command[: len(command) - len(ending)] if pairs else command


def _search(format_str, text):
    """Formats match a command between two spaces. A format with its own anchors may also match the bare command."""
    pattern, anchored = _pattern_of(format_str)
    for subject in [" %s " % text, text.strip()][: 2 if anchored else 1]:
        found = list(pattern.finditer(subject))
        if found:
            return found
    return []


def _pattern_of(format_str):
    source = _OPTIONAL.sub(lambda found: "(?:%s)?" % _group_of(found), format_str)
    source = _REQUIRED.sub(_group_of, source)
    tokens = sre_parse.parse(source, re.DOTALL)
    has_start, has_end = _has_anchor(tokens, _START), _has_anchor(tokens, _END)
    flags = _FLAGS.match(source)
    flags = flags.group() if flags else ""
    source = "%s%s%s%s" % (flags, "" if has_start else r"^\s*", source[len(flags) :], "" if has_end else r"\s*$")
    return re.compile(source, re.DOTALL), has_start or has_end


def _group_of(found):
    """A value may be in quotes, which are removed, or in braces, which are part of the value."""
    blanks, name = found.group(1, 2)
    return "%s[\"']?(?P<%s>(?:(?<=').+?(?=')|(?<=\").+?(?=\")|{.+?}|.+?))[\"']?" % (blanks, name)


def _has_anchor(tokens, anchors):
    """Anchors in groups count. Of alternatives, only the second one is checked."""
    for kind, value in tokens:
        if kind == sre_parse.SUBPATTERN:
            if _has_anchor(value[-1], anchors):
                return True
        elif kind == sre_parse.BRANCH:
            if _has_anchor(value[1][1], anchors):
                return True
        elif kind == sre_parse.AT and value in anchors:
            return True
    return False


def _parameters(format_str, match, pairs, text):
    parameters = match.groupdict()
    for _, name, *default in _OPTIONAL.findall(format_str):
        parameters[name] = parameters[name] or "".join(default)
    parameters.update(pairs)
    if not text.strip() and not any(value and value.strip() for value in parameters.values()):
        raise ParseException("No value supplied and no default value found.")
    return parameters
