import type { RenderedConfig } from '@switchyard/content/configs/pack-configs';
import { SecretTexts } from '@switchyard/model';

/** The most recent ones that are known at a time, of a sensor that reads ever new secrets. */
const MOST_SECRETS = 200;

/** The secrets that a sensor has got, which are masked in its stored log. */
export class KnownSecrets {
  #texts: readonly string[] = [];
  #secrets = new SecretTexts([]);

  constructor(...values: readonly unknown[]) {
    this.add(...values);
  }

  add(...values: readonly unknown[]): void {
    const { texts } = SecretTexts.of(values);
    if (texts.every((text) => this.#texts.includes(text))) return;
    this.#texts = [...new Set([...this.#texts, ...texts])].slice(-MOST_SECRETS);
    this.#secrets = new SecretTexts(this.#texts);
  }

  mask(text: string): string {
    return this.#secrets.mask(text);
  }
}

/** The secret values of a configuration. */
export const secretsOfConfig = ({ values, secrets }: RenderedConfig): unknown[] =>
  secrets.map((path) =>
    path.reduce<unknown>((found, step) => (found as Record<string | number, unknown> | undefined)?.[step], values),
  );
