import { startSystem } from '../system/system-process';
import { recordedRequests } from './recorded-requests';
import { environment, packs } from './replay-scenarios';

recordedRequests('embedded drivers', async (config) => {
  const system = await startSystem({ packs, environment, config });
  return { ...system, end: () => system.stop() };
});
