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
  [
    'a full disk that a server reports in words',
    new mongo.MongoServerError({ code: 1, errmsg: 'Error { code: 28, message: "No space left on device" }' }),
    true,
  ],
  ['a server that is no longer the primary', new mongo.MongoServerError({ code: 10107, errmsg: 'not primary' }), true],
  ['a server that stops', new mongo.MongoServerError({ code: 11600, errmsg: 'interrupted at shutdown' }), true],
  ['a wrong statement', wrongStatement(), false],
  ['a refused document', new mongo.MongoServerError({ code: 121, errmsg: 'invalid' }), false],
  ['another error', new Error('bad'), false],
  ['the words of a full disk in another error', new Error('No space left on device'), false],
])('callers wait for the store after %s', (_, error, waits) => {
  expect(error).toBeDefined();
  expect(isUnreachable(error)).toBe(waits);
});
