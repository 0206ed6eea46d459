import type { Client, SFTPWrapper } from 'ssh2';

/** File transfers on a connection, as promises. */
export interface Sftp {
  makeDirectory(path: string, mode: number): Promise<void>;
  write(path: string, content: Buffer, mode: number): Promise<void>;
  close(): void;
}

export function openSftp(client: Client): Promise<Sftp> {
  return new Promise((resolve, reject) => {
    client.sftp((error, wrapper) => (error === undefined ? resolve(sftp(wrapper)) : reject(error)));
  });
}

function sftp(wrapper: SFTPWrapper): Sftp {
  const { run, end } = untilClosed(wrapper);
  return {
    makeDirectory: (path, mode) => run((done) => wrapper.mkdir(path, { mode }, done)),
    write: async (path, content, mode) => {
      await run((done) => wrapper.writeFile(path, content, { mode, flag: 'w' }, done));
      // The mode of a new file is only a wish, which the mask of the user shortens.
      await run((done) => wrapper.chmod(path, mode, done));
    },
    close: end,
  };
}

type Done = (error?: Error | null) => void;

/** The library does not answer what was asked when the connection is lost. */
function untilClosed(wrapper: SFTPWrapper) {
  const closed = new Promise<never>((_resolve, reject) => {
    wrapper.once('close', () => reject(new Error('the connection was closed')));
  });
  closed.catch(() => undefined);
  wrapper.on('error', () => undefined);
  const run = (ask: (done: Done) => void): Promise<void> => {
    const answer = new Promise<void>((resolve, reject) => ask((error) => (error ? reject(error) : resolve())));
    return Promise.race([answer, closed]);
  };
  return { run, end: () => void wrapper.end() };
}
