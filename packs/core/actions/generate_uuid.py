import uuid

from st2common.runners.base_action import Action

KINDS = {"uuid1": uuid.uuid1, "uuid4": uuid.uuid4}


class GenerateUUID(Action):
    def run(self, uuid_type="uuid4"):
        return str(KINDS[uuid_type]())
