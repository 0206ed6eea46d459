import { ACCEPTED_BYTES, type Setting } from './attack';
import { memberOf } from './answer';
import { ended, request } from './executions';

const EXECUTIONS = 110;
const READS = 10;
const LARGE = 2;
const OUTPUT_BYTES = 14_000_000;
const LISTS = [
  'executions',
  'actions',
  'rules',
  'packs',
  'triggertypes',
  'keys',
  'apikeys',
  'runnertypes',
  'traces',
  'policies',
];

/**
 * Ordinary work, including large requests and results, so that memory is compared with that of a system in use. A process does
 * not release memory at once, which is not a leak.
 */
export async function warmUp({ api }: Setting): Promise<void> {
  const text = 'x'.repeat(ACCEPTED_BYTES);
  for (let number = 0; number < LARGE; number++) {
    const asked = [
      await api.call('POST', '/api/v1/executions', { action: 'core.noop', context: { text } }),
      await request(api, 'core.local', { cmd: `true ${text}` }),
      await request(api, 'core.local', { cmd: `head -c ${OUTPUT_BYTES} /dev/zero | tr '\\0' x` }),
    ];
    await Promise.all(asked.map((answer) => ended(api, memberOf(answer, 'id'))));
  }
  // These fill the first page of every list, so that the large ones do not slow down lists.
  const asked = await Promise.all(
    Array.from({ length: EXECUTIONS }, (_, number) =>
      number % 10 === 0 ? request(api, 'core.local', { cmd: 'true' }) : request(api, 'core.noop', {}),
    ),
  );
  await Promise.all(asked.map((answer) => ended(api, memberOf(answer, 'id'))));
  for (let read = 0; read < READS; read++) {
    await Promise.all(LISTS.map((list) => api.call('GET', `/api/v1/${list}?limit=25`)));
  }
}
