import urllib.request

from st2common.runners.base_action import Action

SECONDS = 30


class GetPage(Action):
    def run(self, url):
        with urllib.request.urlopen(url, timeout=SECONDS) as answer:
            return answer.read().decode()
