from pack_api import search_index
from st2common.runners.base_action import Action


class SearchAction(Action):
    def run(self, query):
        return search_index(query)
