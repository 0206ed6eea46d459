import { DatabaseSync } from '@photostructure/sqlite';
import { mongo } from 'mongoose';
import { isUnreachable } from '@switchyard/storage';

/** The error of a real database file without room. */
function fullDatabase(): unknown {
  const database = new DatabaseSync(':memory:');
  database.exec('PRAGMA max_page_count = 3; CREATE TABLE rows (text)');
  const insert = database.prepare('INSERT INTO rows VALUES (?)');
  try {
    for (let row = 0; row < 100; row++) insert.run('x'.repeat(1000));
    return undefined;
  } catch (error) {
    return error;
  } finally {
    database.close();
  }
}

function wrongStatement(): unknown {
  const database = new DatabaseSync(':memory:');
  try {
    database.exec('no statement');
    return undefined;
  } catch (error) {
    return error;
  } finally {
    database.close();
  }
}

it.each<[string, unknown, boolean]>([
  ['a lost connection', new mongo.MongoNetworkError('gone'), true],
  ['a full disk of the embedded store', fullDatabase(), true],
  ['a full disk of a server', new mongo.MongoServerError({ code: 14031, errmsg: 'no space' }), true],
  ['a wrong statement', wrongStatement(), false],
  ['a refused document', new mongo.MongoServerError({ code: 121, errmsg: 'invalid' }), false],
  ['another error', new Error('bad'), false],
])('callers wait for the store after %s', (_, error, waits) => {
  expect(error).toBeDefined();
  expect(isUnreachable(error)).toBe(waits);
});
