"""Writes the table of values and the texts that PyYAML 6 with libyaml makes of them.

    pip install pyyaml==6.0.3
    python generate_printed.py > printed.jsonl

Each line is a JSON list: the value, the options, and the text. The values are made at random of what is hard to write.
"""

import json
import random

import yaml

COUNT = 400

PARTS = ["a", "b c", "yes", "0_1", "1.5", "=", "<<", "-", "---", "...", "?", "x: y", "x #y", "#", "é", "😀", "\t", "\n", "  ", "\n\n"]
PARTS += ["\u2028", "\ufeff", "'", '"', "\\", "lorem ipsum", "[x", "{", "&a", "*", "!", "%", "@", "`", "|", ">", "null", "~", " "]
PARTS += ["2020-01-01", "1e3", "0x1f", "12:30", "\x07", "\x85", "\xa0", "a:", "a, b", "- x", "-1"]


def text(rng):
    count = rng.choice([0, 1, 1, 1, 2, 3, 25])
    return "".join(rng.choice(PARTS) + rng.choice(["", "", " "]) for _ in range(count))


def value(rng, depth):
    kind = rng.random()
    if depth == 0 or kind < 0.5:
        return rng.choice([text(rng), text(rng), text(rng), 12, -3, True, None])
    if kind < 0.75:
        return [value(rng, depth - 1) for _ in range(rng.randint(0, 3))]
    return {text(rng): value(rng, depth - 1) for _ in range(rng.randint(0, 3))}


rng = random.Random(1)
for _ in range(COUNT):
    item, indent, unicode = value(rng, 3), rng.choice([2, 2, 4]), rng.random() < 0.8
    printed = yaml.dump(item, Dumper=yaml.CSafeDumper, default_flow_style=False, sort_keys=False, indent=indent, allow_unicode=unicode)
    print(json.dumps([item, {"indent": indent, "unicode": unicode}, printed]))
