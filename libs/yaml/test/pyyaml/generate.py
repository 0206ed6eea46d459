"""Writes the table of texts and what PyYAML 6 reads from them.

    pip install pyyaml==6.0.2
    python generate.py > table.jsonl

Each line is a JSON list: the text, and the value if PyYAML accepts the text. Values that JSON does not have are objects with a
key that begins with "$". The texts are those of TEXTS, and others made at random from a grammar and by small changes.
"""

import datetime
import json
import math
import random
import sys
import warnings

import yaml

COUNT = 2200
LONGEST = 160

SCALARS = """
a|b c|yes|Yes|yEs|no|NO|on|Off|true|True|tRue|false|y|n|Y|N|~|null|Null|nULL|0|-0|+1|12|1_000|_1|0_|017|018|08|0o17|0x1F
|-0x1f|0x|0x_|0b101|0b|0b_1|0b2|1:30|1:60|0:30|190:20:30|-1:30|1:2:3.5|1.|.5|-.5|+.5|1.5|1e3|1.0e3|1.0e+3|1.0E-3|1e+3|.|..|.e3
|1_0.2_5|.inf|-.INF|.nan|.NaN|inf|nan|2020-01-02|2020-1-2|2020-01-02T03:04:05|2020-01-02 03:04:05.5 +01:00|2020-13-45
|2020-01-02t03:04:05Z|9007199254740993|=|<<|-|?|:|- a|-a|--|---|?a|:a|a:|a:b|a: b|a :b|a#b|a #b|#a|*a|&a|!a|!!str|!!str 5|!!int "5"
|!!int 0x1f|!!float 5|!!float 1e3|!!bool "yes"|!!bool maybe|!!null x|!!str|!!int a|!!binary aGk=|!!timestamp 2020-01-02|! 5|! "5"
|!<tag:yaml.org,2002:str> 5|!!python/none x|!!python/object:a.b {}|!local x|!!seq a|!!map a|!!set a|@a|`a|%a|a%b|a@b|'a'|'it''s'|"a"|"\\n"
|"\\x41\\u00e9\\U0001F600"|"\\q"|"\\xZZ"|"\\/"|"\\ "|"\\_\\N\\L\\P\\e\\0"|"a\\tb"|'a\\nb'|''|""|'"'|"'"|"a|'a|a'b|a"b|'a'b|"a" b|[]|{}|[a]|[a,]|[,]|[,a]|[a,,b]
|[a b]|[a, b]|[a,b]|[a: b]|[a:b]|[a: b, c]|[? a : b]|[? a]|[: a]|[[a], {b: c}]|{a: b}|{a:b}|{a: b,}|{a}|{a, b}|{a: }|{? a : b}|{: a}|{a: b: c}|{"a":b}
|{'a':b}|{"a" :b}|{"a": b}|["a":b]|{a : b}|{[a]: b}|{{a: b}: c}|[a|{a|a]|a}|[a}|{a]|{a: [b, {c: d}]}|{a: "b"}|a,b|[a, #b|{a: b}c|[a]: b|a?b|[a?b]|[a? b]|{a?: b}
|{a: b?}|[- a]|[-a]|{- a}|[--]|[-]|[- ]|{<<: {a: b}}|{<<: [{a: b}, {a: c, d: e}], d: f}|{<<: a}|{<<: [a]}|{=: a}|{a: =}|{a: <<}|{1: a}|{1.0: a}|{true: a}|{~: a}
|{2020-01-02: a}|{a: b, a: c}|{1: a, "1": b}|!!omap [a: b, c: d]|!!pairs [a: b, a: c]|!!omap {a: b}|!!set {a, b}|!!str [a]|!!seq [a]|!!map {a: b}|!!seq {a: b}
|http://a.b/c?d=e&f#g|a\tb|a\t|\ta|a \t b|- - a|- a: b|? a|a: - b|a: 'b': c|"a": "b"|'a' : b|a: |a:  b  |  a|a: {b: c}|a: [b]|a: &x b|&x a: b|a: *x|*x : b|a: !!str
|a: &x|&x &y a|&x !!str a|!!str &x 5|&x *x|&x [*x]|[&x a, *x]|[&x a, &x b]|[&x a, *y]|[&a-b_1 c, *a-b_1 ]|[&a.b c]|[&x, *x]|{&x a: *x}|{*x: a}|{&x a: b, *x : c}
|é|日本: 語|"\u00e9"|a\u00a0b|a\u0085b|a\u2028b|a: \u2029b|"a\u0085b"|\ufeffa: b|a\ufeffb|a: \ufeff|\U0001f600: a|a\u0007b|"a\u0007b"|a\u007fb|\u0080
|>|\\||>-|\\|+|>2|\\|0|\\|-2|\\|x|> a|\\| #a|\\|#a|[\\|]|{a: >}|a: \\||- \\||- >-
""".replace("\n", "").replace("\\\\", "\x00")


def scalars():
    """The parts of SCALARS; `\\|` in them is a bar."""
    found, part, at = [], "", 0
    text = SCALARS.replace("\x00|", "\x01").replace("\x00", "\\")
    for part in text.split("|"):
        part = part.replace("\x01", "|")
        found.append(part)
        # Texts in quotes contain escapes for YAML; others have them for this file.
    return found


TEXTS = [
    "", " ", "\n", "# a", "---", "---\n", "--- a", "---a", "--- |\n a", "--- # a\na: b", "---\na: b\n...", "---\na: b\n...\n", "a: b\n...\n...\n",
    "...", "...\na: b", "a: b\n---", "a: b\n---\n", "a: b\n---\nc: d", "---\n---\n", "--- a\n--- b", "a: b\n...\n# c\n", "a: b\n... # c\n",
    "%YAML 1.1\n---\na: 010", "%YAML 1.2\n---\na: 010", "%YAML 2.0\n---\na", "%YAML 1\n---\na", "%YAML 1.1\na: b", "%FOO bar\n---\na: b",
    "%YAML 1.1\n%YAML 1.1\n---\na", "%TAG !e! tag:yaml.org,2002:\n---\n!e!int '5'", "%TAG ! tag:yaml.org,2002:\n---\n!int '5'", "a: !e!int 5",
    "%TAG !e! x\n%TAG !e! y\n---\na", "a: b\n%YAML 1.1\n---\nc", "a: b\n%c", " %a: b", "a:\n  %b", "%", "%a", "% a",
    "\ufeffa: b", "\ufeff---\na: b", "a: \ufeffb", "a:\r\n  b: c\r\n  d: e", "a:\r  b: c\r  d: e", "a: b\rc: d", "a: 'x\r\n  y'", "a: |\r\n  x\r\n  y\r\n",
    "a: b\x85c: d", "a: 'b\x85c'", "a: |\n  x\x85  y\n", "a: 'b\u2028c'", "a: b\u2028c: d", "a: |\n  x\u2028  y\n", "a: >\n  x\u2029  y\n", "a: \"b \u2028 c\"",
    "a: |\n  x", "a: |\n  x\n", "a: |\n  x\n\n", "a: |-\n  x\n\n", "a: |+\n  x\n\n", "a: |+\n  x", "a: |+\n\n", "a: |\n", "a: |", "a: >", "a: >-\n\n", "a: |\n\n  x\n",
    "a: >\n  x\n  y", "a: >\n  x\n  y\n", "a: >\n  x\n\n  y\n", "a: >\n  x\n   y\n  z\n", "a: >\n\n  x\n    y\n\n  z\n\n", "a: >+\n  x\n\n\n", "a: >-\n  x\n  \n  y\n",
    "a: |2\n    x\n   y\n", "a: |1\n  x\n", "a: |9\n  x\n", "a: |+2\n    x\n\n", "a: |2-\n    x\n", "a: |12\n x", "a: |--\n x", "a: |++\n x", "a: |a\n x",
    "a: |\n   x\n  y\n", "a: |\n    \n  x\n", "a: |\n  x\n    \n  y\n", "a: |\n x\nb: c", "a: |\n  # x\n  y\n# z\n", "a: | # x\n  y", "a: |\t\n  y", "a: |\n\tx\n", "a: |\n  \tx\n", "|\nx\n", ">\nx\ny\n",
    "- |\n x\n- y", "- |\n  x\n  - y", "a:\n- |\n x\n- y", "a:\n  - >\n   x\n   y\n  - z", "? |\n  x\n: |\n  y\n", "a: !!str |\n  5\n", "a: &x |\n  5\nb: *x\n", "a: ! |\n  5\n", "a: !!int |\n  5\n", "[|\n a]", "{a: |\n b}",
    "a: b\n c", "a: b\n  c\n  d", "a: b\n\n  c", "a: b\n\n\n  c", "a: b\nc", "a\nb", "a\nb: c", "a: b\n  c: d", "a: b\n  c\nd: e", "a: b\n  # c\n  d", "a: b # c\n  d", "a: b\n  - c", "a: b\n  c # d", "a: -\n  b", "a: - b\n", "a: 'b'\n  c",
    "a: 'b\n  c'", "a: 'b\nc'", "a: 'b\n\nc'", "a: 'b\n\n\n c'", "a: 'b  \n  c'", "a: \"b\n  c\"", "a: \"b\nc\"", "a: \"b\\\n  c\"", "a: \"b\\\n\n  c\"", "a: \"b \\\n   \\ c\"", "a: \"b\n\n  c\"", "a: 'b\n---\nc'", "a: 'b\n--- c'", "a: 'b\n---c'", "a: \"b\n...\nc\"",
    "a: '\n  b'", "a: 'b\n'", "a: \"\n\n\"", "a: \"b\tc\"", "a: 'b\t\n\tc'", "'a\n b': c", "\"a\": b\n\"c\": d", "'a': b", "'a':b", "\"a\":b", "- 'a': b", "? 'a\n b'\n: c", "a: \"b", "a: 'b", "a: \"b\\", "a: \"\\u12\"", "a: \"\\U00110000\"", "a: \"\\ud83d\\ude00\"", "a: \"\\x4", "a: 'b' # c", "a: 'b'# c", "a: 'b'c", "a: \"b\"\"c\"",
    "a:\n- b\n- c", "a:\n  - b\n  - c", "a:\n - b\n- c", "a:\n  - b\n - c", "- a\n- b", "- a\n - b", " - a\n- b", "- - a\n  - b\n- c", "- - a\n - b", "-\n  a", "-\n- a", "-\n\n  - a", "- a: b\n  c: d", "- a: b\n c: d", "- a: b\n   c: d", "-   a: b\n    c: d", "-a: b", "- a:\n  - b", "- a:\n    b", "- a:\n  b", "- a:\n b", "-\ta", "- \ta", "- a\t", "- # a\n  b", "- ? a\n  : b", "- !!str\n  a", "- &x\n  a: b\n- *x", "- &x a: b\n- *x",
    "a: b\nc: d", "a: b\n c: d", " a: b\nc: d", " a: b\n c: d", "a:\n  b: c\n d: e", "a:\n  b: c\n  d: e", "a:\n b: c\n  d: e", "a:\nb:", "a:\n\nb:\n", "a:\n  b:\n  c:", "a: b: c", "a:b: c", "a: b:", "a: b :", "a::b", "a: :b", "a:: b", "a ? b: c", "a:\tb", "a: b\t", "a:\t\tb", "a: \tb", "\ta: b", "a:\n\tb", "a:\n \tb: c", "a:\n  b: c\n\td: e", "a: b\n\t\nc: d", "a: b\n\t# c\nd: e", "a: b\t# c", "a\t: b", "a: [b,\tc]", "a: [b,\n\tc]", "a: {\n\tb: c\n\t}", "a: 'b'\t",
    "? a", "? a\n: b", "? a\n:  - b", "? a\n? b\n: c", "? - a\n: b", "? {a: b}\n: c", "? [a]\n: c", "?a: b", "? a: b\n: c", ": a", "a: b\n: c", "? \n: a", "?\n: a", "- : a", "{? a, ? b : c}", "a: ? b", "a: ? b\n   : c", "? a\nb: c", "?\ta", ":\ta",
    "yes: a", "on:\n  a: b", "1: a\n2: b", "~: a", ": a\n", "'': a", "1.0: a", "0x10: a", "true: a\nfalse: b", "null: a", "2020-01-02: a", "=: a", "<<: {a: b}", "a: &x {b: c}\nd:\n  <<: *x\n  e: f", "a: &x {b: c}\nd:\n  b: g\n  <<: *x", "a: &x {b: c}\ne: &y {b: d, f: g}\nh:\n  <<: [*x, *y]", "<<: a", "<<: [a]", "<<:", "<<: {a: b}\n<<: {a: c}", "'<<': a", "? <<\n: {a: b}", "a: <<", "- <<", "<<", "=", "- =", "a: &x [b]\nc: {<<: *x}", "a: {<<: {b: c, <<: {d: e}}}", "!!merge a: b", "!!str <<: {a: b}",
    "a: b\na: c", "a: {b: c, b: d}", "1: a\n1: b", "a: b\n'a': c", "a: &x b\nc: *x", "a: &x\n  b: c\nd: *x", "a: *x", "a: &x b\nc: &x d\ne: *x", "&x a: b\nc: *x", "a: &x *x", "&x\na: b", "&x [a, *x]", "&x {a: *x}", "a: &x b\n*x : c", "a: &x b\n*x: c", "*x: a", "a: & b", "a: * b", "a: &", "a: &x&y b", "a: &x,y b", "[&x a,*x]", "{a: &x b,c: *x}", "a: &é b", "- &1 a\n- *1",
    "a: !!str 5", "a: !!str yes", "a: !!str", "a: !!str\nb: c", "a: !!int '010'", "a: !!int 1:30", "a: !!int '-0b11'", "a: !!int 5.0", "a: !!int ''", "a: !!int ' 5 '", "a: !!float '1'", "a: !!float 1:30.5", "a: !!float .inf", "a: !!float abc", "a: !!bool TRUE", "a: !!bool tRuE", "a: !!bool y", "a: !!null 'x'", "a: !!binary |\n  aGVs\n  bG8=\n", "a: !!set {b, c}", "a: !!set\n  ? b\n  ? c", "a: !!omap\n- b: c\n- d: e", "a: !!omap [b]", "a: !!pairs [b: c, d]", "a: !!timestamp 2020-1-2", "a: !!timestamp x", "a: !!yaml x", "a: !!value x", "a: !<tag:yaml.org,2002:int> '5'", "a: !<x> b", "a: !<> b", "a: !<x b", "a: !x b", "a: !x!y b", "a: ! b", "a: !\n  b: c", "a: ! [b]", "a: !!str,x b", "a: !%41 b", "a: !!s%74r 5", "a: !!%zz 5", "a: !!str\t5", "a: !!map\n  b: c", "a: !!seq\n- b", "!!str a: b", "!!int '1': b", "!!map\na: b", "!!map a: b", "- !!map\n  a: b", "[!!str a, !!int '1']", "{!!str 1: a}", "[!!str, a]", "[!!str]", "{a: !!str}", "{a: !!str, b: c}",
    "[a,\nb]", "[\na\n]", "[\n  a,\n  b,\n]", "{\na: b\n}", "{a:\n b}", "{a\n: b}", "[a\nb]", "[a\n, b]", "[a\n\nb]", "[a: b\n]", "[a\n: b]", "a: [\nb\n]", "a: [\n  b\n  ]\nc: d", "a: [b\n]", "a: {\n}", "a: [b]\n  c: d", "a: [b] c", "a: [b]c", "a: [b]# c", "a: [b] # c", "a: [b # c\n]", "a: [b, # c\n  d]", "a: [#b\n]", "a: [b #c]", "[a]\n[b]", "[a]: b", "{a: b}: c", "[a,\nb]: c", "- [a]: b", "[[[]]]", "[{}, []]", "{a: [}", "[a: b: c]", "{a: b c: d}", "{a, b: c}", "{a b: c}", "{a b\nc: d}", "{'a' 'b'}", "['a' 'b']", "['a', \"b\"]", "['a','b']", "{a: 'b','c': d}", "{\"a\":1,\"b\":[1,2],\"c\":{\"d\":null}}", "{a:1}", "{a:1,b:2}", "{a:,b:}", "{a: , b: }", "[a:,b]", "{a::b}", "{a: :b}", "[:a]", "[: a]", "[a:]", "[a: ]", "{http://a: b}", "[http://a]", "[a, http://b:80/c]", "{a: http://b}", "{\"a\": http://b}", "[*a]", "[a-b]", "[a - b]", "[a, -]", "[-1, - 1]", "[a#b]", "[a #b\n]", "[?a]", "[? a]", "[a ?b]", "{a: b ? c}", "[!, a]", "[%a]", "[a%]", "[@]", "[`]", "[\"a\nb\"]", "[\"a\n b\", c]",
    "a: @b", "a: `b`", "a: %b", "a: b%", "a: ,b", "a: b,c", "a: ]", "a: }", "a: b]", "a: {{ b }}", "a: {{ b }}: c", "a: '{{ b }}'", "a: \"{{ b }}\"", "a: {% b %}", "a: <% b %>", "a: $b", "a: b: 'c", "a: it's", "a: b \"c\"", "a: 'b \"c\"'", "a: #b", "a:#b", "a: b#c", "a: b #c", "a #b: c", "# a\nb: c # d\n# e", "a: b\n# c\n  # d\ne: f", "  # a\nb: c", "a:\n  # b\n  c: d", "a:\n# b\n  - c", "a: # b\n  c", "a: # b\n- c", "a: -b", "a: - b", "a: --", "a: ?", "a: ?b", "a: ? b", "a: !", "a: *", "a: |b", "a: >b", "a: > b",
    "a" * 1000 + ": b", "a" * 1024 + ": b", "a" * 1025 + ": b", "'" + "a" * 1030 + "': b", "? " + "a" * 1030 + "\n: b", "[" * 20 + "]" * 20, "- " * 20 + "a", "a: " + "[" * 3, "\x00", "a: \x01", "a: \x7f", "a: \x80", "a: \ufffe", "a: \uffff", "a: \U0010ffff", "a: \x0b", "a: \x0c",
]

WORDS = ["a", "b c", "on", "12", "1.5", "~", "'q'", '"d"', "x:y", "-x", "0x1f", "é", "1:30", "2020-01-02", "'it''s'", '"\\n"', "a#b", "<<", "=", "yes"]


def grammar(rng):
    """A text of blocks and brackets, mostly valid."""

    def flow(depth):
        kind = rng.random()
        if depth == 0 or kind < 0.5:
            return rng.choice(WORDS)
        comma = rng.choice([", ", ",", " , ", ",\n  "])
        parts = [flow(depth - 1) for _ in range(rng.randint(0, 3))]
        if kind < 0.75:
            return "[" + comma.join(parts) + rng.choice(["", ",", " "]) + "]"
        return "{" + comma.join(rng.choice(WORDS) + rng.choice([": ", ":", " : "]) + part for part in parts) + "}"

    def inline():
        prefix = rng.choice(["", "", "", "", "&x ", "!!str ", "! "])
        return prefix + rng.choice([rng.choice(WORDS), flow(2), "*x", "b\n {0}c", "'b\n{0}c'", '"b\\\n {0}c"', ""])

    def block(depth, indent):
        pad = " " * indent
        kind = rng.random()
        if depth == 0 or kind < 0.3:
            style = rng.choice(["|", ">", "|-", ">-", "|+", ">+", "|2", ""])
            if style == "":
                return " " + inline().replace("{0}", pad) + "\n"
            lines = [rng.choice(["x", " y", "", "- z", "# c", "k: v", "   "]) for _ in range(rng.randint(0, 4))]
            return " " + style + "\n" + "".join(pad + "  " + line + "\n" for line in lines)
        out = "\n"
        step = rng.choice([1, 2, 2, 2, 4])
        for _ in range(rng.randint(1, 3)):
            if rng.random() < 0.1:
                out += pad + rng.choice(["# c", "", "  "]) + "\n"
            if kind < 0.55:
                out += pad + "-" + block(depth - 1, indent + step)
            elif kind < 0.6:
                out += pad + "? " + rng.choice(WORDS) + "\n" + pad + ":" + block(depth - 1, indent + step)
            else:
                out += pad + rng.choice(WORDS) + ":" + block(depth - 1, indent + rng.choice([0, step, step]))
        return out

    text = block(rng.randint(1, 3), 0).lstrip(" ")
    text = rng.choice(["", "", "", "---", "%YAML 1.1\n---", "# c"]) + ("" if text.startswith("\n") else "\n") + text
    return text.lstrip("\n") if rng.random() < 0.7 else text.rstrip("\n")


CHARACTERS = list(" \n\n  :-?,[]{}#&*!|>'\"%@\t") + ["\n  ", "\n- ", ": ", "- ", "\r\n", "\x85", "''", '"', "---\n", "\n...\n", "a", "1", "~", "<<: ", "!!"]


def changed(rng, text):
    """The text with one or two small changes."""
    for _ in range(rng.randint(1, 2)):
        at = rng.randint(0, len(text))
        if rng.random() < 0.6:
            text = text[:at] + rng.choice(CHARACTERS) + text[at:]
        else:
            text = text[:at] + text[at + rng.randint(1, 2) :]
    return text


def plain(value):
    """The value as JSON, with objects for what JSON does not have."""
    if isinstance(value, dict):
        if any(isinstance(key, (datetime.date, bytes, tuple)) for key in value):
            return {"$key": "not JSON"}
        return {key_text(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, set):
        return {"$set": True}
    if isinstance(value, bytes):
        return {"$bytes": True}
    if isinstance(value, (datetime.date, datetime.datetime)):
        return {"$timestamp": True}
    if isinstance(value, float) and not math.isfinite(value):
        return {"$float": True}
    if isinstance(value, int) and abs(value) > 2**53:
        return {"$int": str(value)}
    return value


def key_text(key):
    return key if isinstance(key, str) else json.dumps(key)


def row(text):
    try:
        return [text, plain(yaml.safe_load(text))]
    except RecursionError:
        return None if "*" in text else [text]
    except Exception:
        return [text]


def main():
    rng = random.Random(20260101)
    texts = list(TEXTS)
    for scalar in scalars():
        texts += [scalar, "k: " + scalar, "- " + scalar + "\n- z", "[" + scalar + ", z]"]
    bases = list(texts)
    while len(dict.fromkeys(texts)) < COUNT:
        made = grammar(rng) if rng.random() < 0.5 else rng.choice(bases)
        texts.append(made if rng.random() < 0.3 else changed(rng, made))
    for text in dict.fromkeys(texts):
        if len(text) > LONGEST and text not in TEXTS:
            continue
        made = row(text)
        if made is not None:
            sys.stdout.write(json.dumps(made, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
