// The least that a server can do for a noop: Express with SQLite inserts a record and changes it three times for each
// POST. It prints its port, and exits at the end of its input.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from '@photostructure/sqlite';
import type createApplication from 'express';

// The versions that the product uses.
const express = createRequire(require.resolve('@switchyard/http'))('express') as typeof createApplication;
const sqlite = createRequire(require.resolve('@switchyard/storage'))('@photostructure/sqlite') as Sqlite;

interface Sqlite {
  readonly DatabaseSync: typeof DatabaseSync;
}

const CHANGES = ['scheduled', 'running', 'succeeded'];

const folder = mkdtempSync(join(tmpdir(), 'bench-bare-'));
const database = new sqlite.DatabaseSync(join(folder, 'data.sqlite'));
// As in the embedded store: a commit survives the process, and nothing waits for the disk.
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;');
database.exec('CREATE TABLE executions (id TEXT PRIMARY KEY, record TEXT NOT NULL)');
const insert = database.prepare('INSERT INTO executions VALUES (?, ?)');
const change = database.prepare('UPDATE executions SET record = ? WHERE id = ?');

const application = express();
application.post('/executions', express.json(), (request, response) => {
  const id = randomBytes(12).toString('hex');
  const { action } = request.body as { action: string };
  const record = { id, action, status: 'requested', log: [{ status: 'requested', timestamp: new Date() }] };
  insert.run(id, JSON.stringify(record));
  const answer = JSON.stringify(record);
  for (const status of CHANGES) {
    record.status = status;
    record.log.push({ status, timestamp: new Date() });
    change.run(JSON.stringify(record), id);
  }
  response.status(201).type('json').send(answer);
});

const server = application.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().once('end', () => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});
