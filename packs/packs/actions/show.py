from pack_index import index_addresses, read_indexes
from st2common.runners.base_action import Action


class ShowAction(Action):
    def run(self, pack, index_url=None):
        if not pack.strip():
            raise ValueError("Pack name must be specified.")
        addresses = index_addresses(index_url, self.config)
        return {"pack": read_indexes(addresses, self.config, self.logger).get(pack.strip())}
