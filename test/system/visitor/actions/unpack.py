# What packs of StackStorm import without requiring it, in the ways in which they do.
import base64

import eventlet
import git
import jinja2
import jsonschema
import networkx
import orjson
import paramiko
import pytz
import requests
import simplejson
import six
import ujson
import yaml
from cryptography.fernet import Fernet
from dateutil import parser, tz
from prettytable import PrettyTable
from six.moves.urllib.parse import urljoin
from st2client.models.keyvalue import KeyValuePair
from st2common import log as logging
from st2common.runners.base_action import Action
from st2common.util import isotime
from st2common.util.monkey_patch import monkey_patch

LOG = logging.getLogger(__name__)


class Unpack(Action):
    def run(self, when):
        monkey_patch()
        LOG.info("unpacking")
        jsonschema.validate({"when": when}, {"type": "object", "properties": {"when": {"type": "string"}}})
        table = PrettyTable(["name"])
        table.add_row(["bed"])
        box = Fernet(base64.urlsafe_b64encode(b"0" * 32))
        return {
            "eventlet": eventlet.spawn(lambda: "green").wait(),
            "git": git.Actor("Ada", "ada@example.org").name,
            "jinja2": jinja2.Template("{{ a }}").render(a="rendered"),
            "networkx": networkx.shortest_path(networkx.path_graph(3), 0, 2),
            "json": [library.loads(library.dumps({"a": [1]})) for library in (orjson, simplejson, ujson)],
            "paramiko": issubclass(paramiko.SSHException, Exception),
            "pytz": str(pytz.timezone("Europe/Prague")),
            "requests": requests.Request("GET", "http://localhost/a", params={"b": 1}).prepare().url,
            "six": urljoin("http://localhost/a/", "b") if six.PY3 else None,
            "yaml": yaml.safe_load("a: yes"),
            "cryptography": box.decrypt(box.encrypt(b"sealed")),
            "dateutil": parser.parse(when).astimezone(tz.tzutc()),
            "prettytable": "| bed  |" in table.get_string(),
            "st2client": KeyValuePair(name="a", value="b").name,
            "isotime": isotime.validate(when),
        }
