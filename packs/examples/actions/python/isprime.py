from st2common.runners.base_action import Action


class IsPrime(Action):
    def run(self, value):
        if value < 2:
            return False
        divisor = 2
        while divisor * divisor <= value:
            if value % divisor == 0:
                self.logger.debug("%d is a multiple of %d", value, divisor)
                return False
            divisor += 1
        return True
