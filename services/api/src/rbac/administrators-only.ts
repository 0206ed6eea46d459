import { fault } from '@switchyard/base';
import type { Requester } from '@switchyard/http';

/** @throws Fault `auth.administrators-only` for other users */
export function administratorsOnly({ isAdmin }: Pick<Requester, 'isAdmin'>): void {
  if (!isAdmin) throw fault('auth.administrators-only');
}
