import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { registerContent } from '@switchyard/content';
import { RECORDED } from '@switchyard/testkit/recorded';
import { describePython } from './support/python';
import { openSensorSite } from './support/sensor-site';

/** A pack that was written for StackStorm. */
const pack = join(RECORDED, 'packs/conformance');

describePython('A sensor for StackStorm', () => {
  it('is registered and runs unchanged', async () => {
    const site = await openSensorSite();
    const { store, bus, logger } = site.platform;
    const root = join(dirname(site.packDirectory), '../strangers');
    await cp(pack, join(root, 'conformance'), { recursive: true });
    await site.write('../../configs/conformance.yaml', 'region: south');
    const registered = await registerContent({
      store,
      triggers: site.triggers,
      publisher: bus.publisher(),
      roots: [root],
      runnerTypes: [],
      types: ['sensor', 'config'],
      configsDirectory: join(site.packDirectory, '../../configs'),
      failOnFailure: true,
      logger,
    });
    expect(registered.counts).toEqual({ sensors: 1, configs: 1 });
    expect(await store.sensorTypes.byKey('conformance.Ticker')).toMatchObject({
      enabled: false,
      entry_point: 'sensors.ticker.Ticker',
      trigger_types: ['conformance.tick'],
      poll_interval: 5,
      metadata_file: 'sensors/ticker.yaml',
    });
    await site.container();
    await site.changeSensor('conformance.Ticker', { enabled: true });
    const [event] = await site.untilEvents('conformance.tick', 1);
    expect(event?.payload).toEqual({ number: 1, region: 'south' });
    await site.close();
  });
});
