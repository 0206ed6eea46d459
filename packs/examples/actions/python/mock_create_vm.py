import ipaddress
import uuid

from st2common.runners.base_action import Action


class MockCreateVm(Action):
    def run(self, vm_name, ip, cpu_cores=1, memory_mb=1024):
        address = str(ipaddress.ip_address(ip))
        self.logger.info("making %s with %d processors and %d MB", vm_name, cpu_cores, memory_mb)
        # The same name yields the same machine.
        vm_id = "vm-" + uuid.uuid5(uuid.NAMESPACE_DNS, vm_name).hex[:8]
        return {"vm_id": vm_id, "vm_name": vm_name, "ip": address, "cpu_cores": cpu_cores, "memory_mb": memory_mb}
