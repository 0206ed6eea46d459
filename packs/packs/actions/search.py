from pack_index import index_addresses, read_indexes, search
from st2common.runners.base_action import Action


class SearchAction(Action):
    def run(self, query, index_url=None):
        if not query.strip():
            raise ValueError("Query must be specified.")
        addresses = index_addresses(index_url, self.config)
        return search(read_indexes(addresses, self.config, self.logger), query.strip())
