import { ACCEPTED_BYTES, counted, isRefusalOrClosed, REFUSED_BYTES, scaled, unlike, type Attack } from '../attack';
import { memberOf } from '../answer';
import { ended, request } from '../executions';

const OUTPUT_BYTES = 11 * 1024 * 1024;
const EXECUTIONS = 40;
/** As many executions as there are bytes in forty requests of 15 MB. */
const REQUESTS = 140;
const LISTS = 5;

export const outputAttacks: readonly Attack[] = [
  {
    name: 'large requests',
    does: `asks for ${REQUESTS} executions with ${ACCEPTED_BYTES} bytes of context or parameters each, some with ${REFUSED_BYTES}, then lists executions`,
    expects: 'executions or refusals, and lists that answer 200',
    async run({ api, scale }) {
      const count = scaled(REQUESTS, scale, 8);
      const [accepted, refused] = [ACCEPTED_BYTES, REFUSED_BYTES].map((bytes) => 'x'.repeat(bytes));
      const asked = [];
      for (let number = 0; number < count; number++) {
        const text = number % 4 === 3 ? refused : accepted;
        const body =
          number % 2 === 0
            ? { action: 'core.noop', context: { text } }
            : { action: 'core.local', parameters: { cmd: 'true', env: { A: text } } };
        asked.push(await api.call('POST', '/api/v1/executions', body));
      }
      const lists = await Promise.all(
        [`limit=${count}`, `limit=${count}&include_attributes=context`, 'limit=-1'].map((query) =>
          api.call('GET', `/api/v1/executions?${query}`),
        ),
      );
      return {
        problems: [
          ...unlike('requests', asked, (status) => status === 201 || isRefusalOrClosed(status)),
          ...unlike('lists', lists, (status) => status === 200),
        ],
        note: `${counted(asked)}; lists of ${lists.map(({ bytes }) => (bytes / 1e6).toFixed(1)).join(', ')} MB`,
      };
    },
  },
  {
    name: 'large outputs',
    does: `runs ${EXECUTIONS} commands that print ${OUTPUT_BYTES} bytes each, then lists executions ${LISTS} times at once`,
    expects: 'all of them end, and the lists answer 200',
    async run({ api, scale }) {
      const count = scaled(EXECUTIONS, scale, 3);
      const cmd = `head -c ${OUTPUT_BYTES} /dev/zero | tr '\\0' x`;
      const asked = await Promise.all(Array.from({ length: count }, () => request(api, 'core.local', { cmd })));
      const ids = asked.map((answer) => memberOf(answer, 'id')).filter((id) => id !== '');
      const statuses = await Promise.all(ids.map((id) => ended(api, id, 600_000)));
      const lists = await Promise.all(
        Array.from({ length: LISTS }, () => api.call('GET', `/api/v1/executions?limit=${count}`)),
      );
      const others = statuses.filter((status) => status !== 'succeeded');
      return {
        problems: [
          ...unlike('requests', asked, (status) => status === 201),
          ...(others.length > 0 ? [`${others.length} of ${count} did not succeed: ${others.join(', ')}`] : []),
          ...unlike('lists', lists, (status) => status === 200),
        ],
        note: `${count} executions; lists of ${lists.map(({ bytes }) => (bytes / 1e6).toFixed(1)).join(', ')} MB, slowest ${Math.max(...lists.map(({ durationMs }) => durationMs)).toFixed(0)} ms`,
      };
    },
  },
];
