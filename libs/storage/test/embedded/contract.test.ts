import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../../src/embedded';
import { storeContract } from '../../../testkit/src/store-contract';

storeContract('the embedded driver', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-store-'));
  const connection = await openEmbedded({ directory, ttlSweepSeconds: 0.2 });
  return {
    connection,
    close: async () => {
      await connection.close();
      rmSync(directory, { recursive: true });
    },
  };
});
