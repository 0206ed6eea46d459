from st2common.runners.base_action import Action


class MockRemote(Action):
    def run(self, cmd=None, hosts=None, hosts_dict=None):
        answers = {host.strip(): cmd for host in (hosts or "").split(",") if host.strip()}
        answers.update(hosts_dict or {})
        return {host: _succeeded(answer) for host, answer in answers.items()}


def _succeeded(stdout):
    return {"stdout": stdout, "stderr": "", "return_code": 0, "succeeded": True, "failed": False}
