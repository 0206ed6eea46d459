import { randomBytes } from 'node:crypto';

/** Secrets that the suite stores in the system. They must only come back where they were requested. */
export interface Planted {
  readonly parameter: string;
  readonly datastoreItem: string;
  /** Sent as a datastore value that is rejected. */
  readonly refusedValue: string;
  readonly password: string;
  readonly wrongPassword: string;
  /** Known once the system has created it. */
  apiKey: string;
  token: string;
}

const secret = (name: string): string => `planted-${name}-${randomBytes(12).toString('hex')}`;

export const plantedSecrets = (): Planted => ({
  parameter: secret('parameter'),
  datastoreItem: secret('item'),
  refusedValue: secret('refused'),
  password: secret('password'),
  wrongPassword: secret('wrong'),
  apiKey: '',
  token: '',
});

/** Searches a text that arrives in pieces for planted secrets. */
export interface SecretWatch {
  look(piece: string): void;
  /** The names of the secrets seen. */
  seen(): readonly string[];
}

export function watchForSecrets(planted: Planted): SecretWatch {
  const seen = new Set<string>();
  let rest = '';
  return {
    look(piece) {
      const text = rest + piece;
      for (const [name, value] of Object.entries(planted) as [string, string][]) {
        if (value !== '' && text.includes(value)) seen.add(name);
      }
      // A secret can span two pieces.
      rest = text.slice(-LONGEST);
    },
    seen: () => [...seen],
  };
}

const LONGEST = 200;
