import urllib.parse
import urllib.request

from st2common.runners.base_action import Action

SECONDS = 30


class GetPage(Action):
    def run(self, url, page=None):
        query = urllib.parse.urlencode({"page": page or "1"})
        separator = "&" if "?" in url else "?"
        with urllib.request.urlopen(url + separator + query, timeout=SECONDS) as answer:
            return answer.read().decode()
