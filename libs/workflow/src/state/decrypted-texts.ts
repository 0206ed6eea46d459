import { defaultDataLimits, parseBoundedJson } from '@switchyard/base';
import { SecretTexts } from '@switchyard/model';

/**
 * The texts that expressions of a run have decrypted, and what they made of them, so that whoever shows values of the
 * run can mask them. A call that fails does not undo this: knowing too many of them does no harm.
 */
export class DecryptedTexts {
  private readonly known = new Set<string>();
  private fresh: string[] = [];

  /** Notes every text and number in the value, also in a text that is JSON. */
  note(value: unknown): void {
    for (const text of SecretTexts.of([value, parsed(value)]).texts) {
      if (this.known.has(text)) continue;
      this.known.add(text);
      this.fresh.push(text);
    }
  }

  /** Those noted since the last call. */
  take(): readonly string[] {
    const taken = this.fresh;
    this.fresh = [];
    return taken;
  }
}

/** Longer texts are hardly credentials, and would take time to parse. */
const LONGEST_JSON = 65_536;

/** The members of a text that is a JSON object or list. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > LONGEST_JSON || !/^\s*[[{]/.test(value)) return undefined;
  try {
    return parseBoundedJson(value, defaultDataLimits);
  } catch {
    return undefined;
  }
}
