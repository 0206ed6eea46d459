from pack_api import list_packs, set_up
from proxies import given_proxies
from st2common.runners.base_action import Action


class SetUpVirtualEnvironmentAction(Action):
    def run(self, packs=None, update=False, no_download=True):
        if not no_download:
            self.logger.warning("Ignoring no_download=false: environments always start with the bundled pip.")
        how = "setup_virtualenvs" if update else "recreate_virtualenvs"
        names = packs or [pack["ref"] for pack in list_packs()]
        for at, name in enumerate(names, 1):
            self.logger.info('Setting up the pack "%s" (%d of %d)', name, at, len(names))
            try:
                set_up(self.logger.info, packs=[name], proxies=given_proxies(), **{how: True})
            except RuntimeError as error:
                # Its first line is the reason, and the end of pip's output follows.
                return False, str(error)
        return "Successfully set up virtualenv for the following packs: %s" % ", ".join(names)
