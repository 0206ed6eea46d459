import { randomBytes } from 'node:crypto';

/** Secrets that the suite gives to the system, and that must never come back but where they were asked for. */
export interface Planted {
  readonly parameter: string;
  readonly datastoreItem: string;
  readonly password: string;
  readonly wrongPassword: string;
  /** Known once the system has made it. */
  apiKey: string;
  token: string;
}

const secret = (name: string): string => `planted-${name}-${randomBytes(12).toString('hex')}`;

export const plantedSecrets = (): Planted => ({
  parameter: secret('parameter'),
  datastoreItem: secret('item'),
  password: secret('password'),
  wrongPassword: secret('wrong'),
  apiKey: '',
  token: '',
});

/** Looks for planted secrets in a text that comes in pieces. */
export interface SecretWatch {
  look(piece: string): void;
  /** Names of those that were seen. */
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
      // A secret may lie across the edge of two pieces.
      rest = text.slice(-LONGEST);
    },
    seen: () => [...seen],
  };
}

const LONGEST = 200;
