import { storeContract } from '@switchyard/testkit';
import { openTestSite } from '@switchyard/testkit/platform';
import { connectMongo } from '../../src';

if (process.env['SVC_TEST_MONGODB_URL']) {
  storeContract('a server with the MongoDB protocol', async () => {
    const site = await openTestSite();
    const connection = await connectMongo(site.config.database);
    return {
      connection,
      close: async () => {
        await connection.close();
        await site.remove();
      },
    };
  });
} else if (process.env['SVC_TEST_SERVERS'] === 'required') {
  it('needs SVC_TEST_MONGODB_URL', () => {
    throw new Error('SVC_TEST_SERVERS=required, but SVC_TEST_MONGODB_URL names no server with the MongoDB protocol');
  });
} else {
  process.stdout.write('Skipped: the store on a server with the MongoDB protocol (SVC_TEST_MONGODB_URL is not set).\n');
  it.skip('the store on a MongoDB server', () => undefined);
}
