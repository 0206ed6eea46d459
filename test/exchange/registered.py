"""
Counts what a running system has registered of packs.

    ./svc up --port 19101 --data-dir DIRECTORY         # with content.packs_base_paths = FOLDER
    python3 test/exchange/registered.py FOLDER --url http://127.0.0.1:19101/v1 --token TOKEN > registered.jsonl

The packs are registered again, so that the reply tells the invalid files. `./svc login` gives a token. One line of JSON for each pack:
`pack`, `actions`, `sensors`, `rules`, `aliases`, `trigger_types`, and the number of `invalid` files.
"""

import argparse
import json
import os
import urllib.parse
import urllib.request

# Trigger types of sensors are registered, too; the reference counts them as part of the sensor.
_KINDS = {"actions": "actions", "sensors": "sensortypes", "rules": "rules", "aliases": "actionalias"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--url", required=True)
    parser.add_argument("--token", required=True)
    options = parser.parse_args()
    # A directory may have another name than its pack.
    refs = {pack["path"]: pack["ref"] for pack in call(options, "/packs?limit=1000")[0] if pack.get("path")}
    for name in sorted(os.listdir(options.folder)):
        directory = os.path.abspath(os.path.join(options.folder, name))
        if not os.path.exists(os.path.join(directory, "pack.yaml")):
            continue
        print(json.dumps({"pack": name, **counts(options, refs.get(directory))}), flush=True)


def counts(options, ref):
    """:return: the number of each kind; nothing of a pack that is not registered"""
    if ref is None:
        return {}
    found = {}
    for kind, route in _KINDS.items():
        _, headers = call(options, "/%s?%s" % (route, urllib.parse.urlencode({"pack": ref, "limit": 1})))
        found[kind] = int(headers["X-Total-Count"])
    reply, _ = call(options, "/packs/register", {"packs": [ref], "fail_on_failure": False})
    found["invalid"] = len({failure["file"] for failure in reply.get("failures", [])})
    return found


def call(options, path, body=None):
    """:return: the reply and its headers"""
    request = urllib.request.Request(
        options.url + path,
        data=None if body is None else json.dumps(body).encode(),
        headers={"X-Auth-Token": options.token, "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as reply:
        return json.load(reply), reply.headers


if __name__ == "__main__":
    main()
