// Writes concurrently until the process is killed, and prints each write once it is acknowledged.
const { writeSync } = require('node:fs');
const { openEmbedded } = require('../../src/embedded/index.ts');
const { collectionOf } = require('./store-fixture.ts');

const [directory, durability] = process.argv.slice(2);
const WRITERS = 10;

async function write(rows, writer) {
  for (let n = 0; ; n += 1) {
    const id = `${writer}-${n % 50}`;
    const change = { $set: { n, text: 'x'.repeat(n % 700) }, $push: { list: { $each: [n], $slice: -5 } } };
    await rows.findOneAndUpdate({ _id: id }, change, { upsert: true });
    writeSync(1, `${id} ${n}\n`);
  }
}

async function main() {
  const rows = collectionOf(await openEmbedded({ directory, durability }), 'written');
  await rows.createIndex({ n: -1, text: 1 });
  await rows.createIndex({ list: 1 });
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(rows, writer)));
}

void main();
