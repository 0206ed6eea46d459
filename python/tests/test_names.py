import unittest


class NamesTest(unittest.TestCase):
    def test_the_names_of_the_product_lead_to_the_same_classes(self):
        import svccommon.services.datastore
        import svcreactor
        from svcreactor.sensor.base import PollingSensor as own

        import st2common.services.datastore
        import st2reactor
        from st2reactor.sensor.base import PollingSensor

        self.assertIs(own, PollingSensor)
        self.assertIs(svcreactor, st2reactor)
        self.assertIs(svccommon.services.datastore, st2common.services.datastore)
        self.assertEqual(st2reactor.sensor.base.__spec__.name, "st2reactor.sensor.base")
        with self.assertRaises(ModuleNotFoundError):
            import svcreactor.nothing  # noqa: F401


if __name__ == "__main__":
    unittest.main()
