import { startSystem } from '../system/system-process';
import { environment, packs, replayScenarios } from './replay-scenarios';

replayScenarios('embedded drivers', async () => {
  const system = await startSystem({ packs, environment });
  return { ...system, end: () => system.stop() };
});
