// Carries out the last rotation of a store, and kills itself before or after one of its writes.
const { renameSync } = require('node:fs');
const promises = require('node:fs/promises');
const [configText, killAt] = process.argv.slice(2);

let writes = 0;
const die = () => process.kill(process.pid, 'SIGKILL');
/** Each write counts twice: before it and after it. */
const counted = (write) =>
  async function (...given) {
    if (++writes === Number(killAt)) die();
    const result = await write.apply(this, given);
    if (++writes === Number(killAt)) die();
    return result;
  };

// The key files are replaced by renaming.
promises.rename = counted(async (from, to) => renameSync(from, to));

const {
  Collection,
  connectMongo,
  createSealer,
  liveKeyRing,
  openStore,
  readKeyRing,
  storeRotation,
} = require('../../src/index.ts');
const { openEmbedded } = require('../../src/embedded/index.ts');
const { recordResealer } = require('../../src/rotation/record-resealer.ts');
const { paths } = require('@switchyard/config');

for (const name of ['insert', 'change', 'changeEach', 'removeAll'])
  Collection.prototype[name] = counted(Collection.prototype[name]);

async function main() {
  const config = JSON.parse(configText);
  const where = paths(config);
  const connection =
    config.storage.driver === 'mongodb'
      ? await connectMongo(config.database)
      : await openEmbedded({ directory: where.store });
  const monotonicMs = () => performance.now();
  const live = async (path) =>
    liveKeyRing({ path, first: await readKeyRing(path), onProblem: () => undefined, monotonicMs });
  const recordKeys = await live(where.recordKey);
  const itemKeys = await live(where.datastoreKey);
  const store = await openStore(connection, createSealer(recordKeys));
  writes = 0;
  const advance = storeRotation({
    ...{ store, config, paths: where, recordKeys, graceMs: 0 },
    nowMicros: () => Date.now() * 1000,
    itemResealer: async () => recordResealer(itemKeys),
    holders: async () => [],
  });
  while ((await advance()) === 'more');
  await store.close();
}

main().then(() => process.stdout.write(`${writes}\n`));
