import { Decrypted } from '../run/datastore-item';
import { operation, type Operations } from '../run/operation';
import { JinjaError } from '../values/jinja-error';
import { toText } from '../values/text';

/** The plain text of a secret datastore item, or of an encrypted text when the caller brought the means. */
export const decryptFilter: Operations = {
  decrypt_kv: operation([], (value, run) => {
    if (value instanceof Decrypted) return value.text;
    if (run.decrypt === undefined)
      throw new JinjaError('ValueError', 'decrypt_kv can only be applied to datastore items here');
    return run.decrypt(toText(value));
  }),
};
