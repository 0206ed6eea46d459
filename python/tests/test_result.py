import collections
import dataclasses
import datetime
import decimal
import enum
import ipaddress
import json
import pathlib
import types
import typing
import unittest
import uuid
from unittest import mock

from st2common.runners.result_json import result_json


class Awkward:
    def __str__(self):
        raise RuntimeError("no text")


class Level(enum.Enum):
    LOW = "low"
    SINCE = datetime.date(2026, 1, 2)


class Name(str, enum.Enum):
    ROSE = "rose"


class Bits(enum.Flag):
    A = 1
    B = 2


@dataclasses.dataclass
class Bed:
    number: int
    planted: object = None
    _secret: str = "hidden"
    kind: typing.ClassVar[str] = "bed"


class Slotted:
    __slots__ = ("size", "_inner")
    __dataclass_fields__ = {"size": None, "_inner": None, "unset": None}

    def __init__(self):
        self.size, self._inner = 3, 4


class Scalar:
    """Like a scalar of numpy: not a Python number, but it contains one."""

    def __init__(self, value):
        self.value = value

    def item(self):
        return self.value


class Array(Scalar):
    def tolist(self):
        return self.value


class Described:
    def to_dict(self):
        return {"since": datetime.date(2026, 1, 2)}


class Encodable:
    def __json__(self):
        return {"own": True}


class Endless:
    def to_dict(self):
        return {"next": Endless()}


class Unknown:
    def __repr__(self):
        return "<Unknown>"


Point = collections.namedtuple("Point", "x y")
INDIA = datetime.timezone(datetime.timedelta(hours=5, minutes=30))
ID = uuid.UUID(int=5)
NATIVE = (
    # Values that StackStorm serializes, and the results.
    (datetime.datetime(2026, 1, 2, 3, 4, 5), "2026-01-02T03:04:05"),
    (datetime.datetime(2026, 1, 2, 3, 4, 5, 120000, INDIA), "2026-01-02T03:04:05.120000+05:30"),
    (datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc), "2026-01-02T00:00:00+00:00"),
    (datetime.date(5, 1, 1), "0005-01-01"),
    (datetime.time(1, 2, 3, 4), "01:02:03.000004"),
    (ID, "00000000-0000-0000-0000-000000000005"),
    (Level.LOW, "low"),
    (Level.SINCE, "2026-01-02"),
    (Name.ROSE, "rose"),
    (Bits.A | Bits.B, 3),
    (Bed(1, datetime.date(2026, 1, 2)), {"number": 1, "planted": "2026-01-02"}),
    (Slotted(), {"size": 3}),
)
MEMBERS = (
    # Values that it turns into text, together with the whole result.
    (datetime.timedelta(days=1, seconds=5), "1 day, 0:00:05"),
    (decimal.Decimal("1.10"), "1.10"),
    ({"b", "a"}, ["a", "b"]),
    (frozenset([Level.LOW]), ["low"]),
    (b"caf\xc3\xa9", "caf\u00e9"),
    (b"\xff", "b'\\xff'"),
    (bytearray(b"x"), "x"),
    (pathlib.PurePosixPath("/srv/x"), "/srv/x"),
    (ipaddress.ip_address("10.0.0.1"), "10.0.0.1"),
    (ipaddress.ip_network("10.0.0.0/8"), "10.0.0.0/8"),
    (Scalar(1.5), 1.5),
    (Array([[1, 2]]), [[1, 2]]),
    (Point(1, 2), [1, 2]),
    (collections.deque([1]), [1]),
    (range(2), [0, 1]),
    ({"a": 1}.keys(), ["a"]),
    ({"a": 1}.values(), [1]),
    (types.MappingProxyType({"a": ID}), {"a": str(ID)}),
    (Described(), {"since": "2026-01-02"}),
    (Encodable(), {"own": True}),
    (complex(1, 2), "(1+2j)"),
)


class ResultTest(unittest.TestCase):
    def assertResult(self, value, expected):
        with self.subTest(expected=expected):
            self.assertEqual(json.loads(result_json(value)), expected)

    def test_json_values_stay_and_others_become_text(self):
        loop = []
        loop.append(loop)
        for value, expected in (
            ({"a": [1, 2.5, True, None, "x"], 5: "five"}, {"a": [1, 2.5, True, None, "x"], "5": "five"}),
            (float("inf"), None),
            ("NaN", "NaN"),
            ([2**53 - 1, 2**53, -(2**64), True], [2**53 - 1, str(2**53), str(-(2**64)), True]),
            ((1, (2,)), [1, [2]]),
            (b"raw", "b'raw'"),
            ({1}, "{1}"),
            (decimal.Decimal("1.10"), "1.10"),
            (Described, str(Described)),
            ({(1, 2): 3}, "{(1, 2): 3}"),
            (loop, "[[...]]"),
            (Awkward(), "<Awkward>"),
        ):
            self.assertResult(value, expected)

    def test_converted_members_do_not_change_the_structure_around_them(self):
        for value, expected in NATIVE + MEMBERS:
            self.assertResult({"n": 1, "of": [value]}, {"n": 1, "of": [expected]})

    def test_a_value_that_stackstorm_serializes_may_be_the_whole_result(self):
        for value, expected in NATIVE:
            self.assertResult(value, expected)

    def test_an_unknown_object_turns_the_whole_result_into_text(self):
        for value, expected in (
            ([{"a": "1"}, {"e": Unknown()}], "[{'a': '1'}, {'e': <Unknown>}]"),
            ([Described], "[%r]" % Described),
        ):
            self.assertResult(value, expected)
        for endless in ([Endless()], {"a": mock.Mock()}):
            self.assertIsInstance(json.loads(result_json(endless)), str)

    def test_keys_become_strings(self):
        for key, expected in ((ID, str(ID)), (Level.LOW, "low"), (datetime.date(2026, 1, 2), "2026-01-02"), (Scalar(4), "4")):
            self.assertResult([{key: {"in": Level.LOW}}], [{expected: {"in": "low"}}])

    def test_numbers_in_converted_members_keep_their_digits(self):
        self.assertResult([{"big": 2**60, "since": Level.SINCE}], [{"big": str(2**60), "since": "2026-01-02"}])
        self.assertResult([Scalar(float("nan")), Array([2**60])], [None, [str(2**60)]])


if __name__ == "__main__":
    unittest.main()
