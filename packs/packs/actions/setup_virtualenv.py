from pack_api import list_packs, register
from proxies import given_proxies
from st2common.runners.base_action import Action


class SetUpVirtualEnvironmentAction(Action):
    def run(self, packs=None, update=False, no_download=True):
        if not no_download:
            self.logger.warning("Virtual environments begin with the pip of their interpreter all the same.")
        how = "setup_virtualenvs" if update else "recreate_virtualenvs"
        names = packs or [pack["ref"] for pack in list_packs()]
        for name in names:
            self.logger.info('Setting up the pack "%s"', name)
            if not register(packs=[name], types=[], proxies=given_proxies(), **{how: True})["virtualenvs"]:
                self.logger.info('The pack "%s" needs no virtual environment.', name)
        return "Successfully set up virtualenv for the following packs: %s" % ", ".join(names)
