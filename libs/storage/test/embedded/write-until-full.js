// Inserts until the file may not grow any more, then prints what was written and what can still be read.
const { openEmbedded } = require('../../src/embedded/index.ts');
const { collectionOf } = require('./store-fixture.ts');

async function main() {
  const connection = await openEmbedded({ directory: process.argv[2] });
  const rows = collectionOf(connection, 'written');
  await rows.createIndex({ n: 1 });
  let written = 0;
  let refused;
  while (refused === undefined && written < 1000) {
    await rows.insertOne({ _id: written, n: written, text: 'x'.repeat(20000) }).then(
      () => (written += 1),
      (error) => (refused = error.message),
    );
  }
  const readable = (await rows.find({ n: { $gte: 0 } }).toArray()).length;
  console.log(JSON.stringify({ written, refused, readable }));
  await connection.close();
}

void main();
