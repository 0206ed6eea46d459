import { get, type ClientRequest } from 'node:http';
import type { SecretWatch } from './planted';
import { urlOf, type Target } from './target/target';

const AGAIN_MS = 500;

/** Reads the event stream during the whole run and searches it for planted secrets. */
export function followEvents(target: Target, token: string, watch: SecretWatch) {
  let isOpen = true;
  let asked: ClientRequest | undefined;
  let timer: NodeJS.Timeout | undefined;
  const again = () => {
    if (isOpen) timer = setTimeout(open, AGAIN_MS);
  };
  const open = () => {
    asked = get(urlOf(target, '/stream/v1/stream'), { headers: { 'x-auth-token': token } }, (response) => {
      response.on('data', (chunk: Buffer) => watch.look(chunk.toString()));
      response.on('error', () => undefined);
      response.on('close', again);
    });
    asked.on('error', again);
  };
  open();
  return {
    seen: () => watch.seen(),
    close() {
      isOpen = false;
      clearTimeout(timer);
      asked?.destroy();
    },
  };
}
