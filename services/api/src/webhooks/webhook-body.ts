import { fault, messageOf } from '@switchyard/base';
import type { RouteRequest } from '@switchyard/http';
import { compileSchema } from '@switchyard/model';

type Body = Record<string, unknown> | unknown[];

const shape = compileSchema({ type: ['object', 'array'] });

/**
 * What was sent to a hook. Senders that call their JSON plain text are understood.
 * @throws Fault `request.body`, `schema.violated`
 */
export function webhookBody({ body, headers }: Pick<RouteRequest, 'body' | 'headers'>): Body {
  const plain = typeof body === 'string' && headers['content-type']?.trim().toLowerCase().startsWith('text/plain');
  return shape.assert(plain ? parsed(body) : body) as Body;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw fault('request.body', { text: messageOf(error) }, { cause: error });
  }
}
