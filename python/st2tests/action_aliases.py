"""Tests of action aliases."""

import os

from st2tests.alias_format import ParseException, extract_parameters
from st2tests.pack_resource import BasePackResourceTestCase

__all__ = ["BaseActionAliasTestCase"]

_FIELDS = {
    "name": None,
    "pack": None,
    "ref": None,
    "description": None,
    "enabled": True,
    "action_ref": None,
    "formats": [],
    "ack": {},
    "result": {},
    "extra": {},
    "immutable_parameters": {},
}


class BaseActionAliasTestCase(BasePackResourceTestCase):
    """Set `action_alias_name` to the alias under test. `action_alias_db` is that alias."""

    action_alias_name = None
    action_alias_db = None

    def setUp(self):
        super().setUp()
        if not self.action_alias_name:
            raise ValueError('"action_alias_name" class attribute needs to be provided')
        self.action_alias_db = self._get_action_alias_db_by_name(self.action_alias_name)

    def assertCommandMatchesExactlyOneFormatString(self, format_strings, command):
        matched = [format_string for format_string in format_strings if _matches(format_string, command)]
        if not matched:
            raise AssertionError('Command "%s" didn\'t match any of the provided format strings' % command)
        if len(matched) > 1:
            raise AssertionError('Command "%s" matched multiple format strings: %s' % (command, ", ".join(matched)))

    def assertExtractedParametersMatch(self, format_string, command, parameters):
        """Checks that the alias has the format, and that the command gives exactly these parameters."""
        if format_string not in self.action_alias_db.get_format_strings():
            raise ValueError(
                'Format string "%s" is not available on the alias "%s"' % (format_string, self.action_alias_db.name)
            )
        self.assertEqual(
            extract_parameters(format_string, command),
            parameters,
            'Extracted parameters from command string "%s" against format string "%s" didn\'t match the provided parameters'
            % (command, format_string),
        )

    def _get_action_alias_db_by_name(self, name):
        base = self._get_base_pack_path()
        pack = _pack_reference(base)
        folder = os.path.join(base, "aliases")
        for file in sorted(os.listdir(folder) if os.path.isdir(folder) else []):
            if file.endswith((".yaml", ".yml")):
                content = _load_yaml(os.path.join(folder, file))
                if content.get("name") == name:
                    return _Alias(pack, content)
        raise ValueError('Alias with name "%s" not found' % name)


class _Alias:
    """An alias, as it would be stored."""

    def __init__(self, pack, content):
        for field, default in _FIELDS.items():
            setattr(self, field, content.get(field, default))
        self.pack = pack
        self.ref = "%s.%s" % (pack, self.name)

    def get_format_strings(self):
        """:return: the patterns of all formats; a format without patterns is returned as it is"""
        found = []
        for written in self.formats:
            representation = written.get("representation") if isinstance(written, dict) else None
            found.extend(representation or [written])
        return found


def _matches(format_string, command):
    try:
        extract_parameters(format_string, command)
    except ParseException:
        return False
    return True


def _pack_reference(base):
    manifest = os.path.join(base, "pack.yaml")
    content = _load_yaml(manifest) if os.path.isfile(manifest) else {}
    return content.get("ref") or content.get("name") or os.path.basename(base)


def _load_yaml(path):
    try:
        import yaml
    except ImportError as error:
        raise ImportError("Tests of aliases need PyYAML: add it to requirements-tests.txt of the pack.") from error

    with open(path, "r", encoding="utf-8") as file:
        return yaml.safe_load(file) or {}
