import { clientNetwork, KIB, fault, type Fault } from '@switchyard/base';

export interface OpenBodyLimits {
  /** Maximum total size of the bodies of all unanswered requests. */
  readonly maxBytes: number;
  /** The same for requests from one address. */
  readonly maxBytesPerAddress: number;
}

/** The part of these limits that the body of one request uses. */
export interface BodyShare {
  /** @returns Fault `request.too-many-bodies` if the bytes would exceed a limit */
  take(bytes: number): Fault | undefined;
  /** Called when the request is answered. */
  release(): void;
}

/** The first bytes of each body are not counted, so that small requests always get through. */
const FREE_BYTES = 16 * KIB;
const RETRY_SECONDS = 5;

/** Keeps the bodies of unanswered requests from filling the memory. */
export class OpenBodies {
  #bytes = 0;
  readonly #bytesOf = new Map<string, number>();

  constructor(private readonly limits: OpenBodyLimits) {}

  open(address: string): BodyShare {
    const client = clientNetwork(address);
    let [received, counted] = [0, 0];
    return {
      take: (bytes) => {
        received += bytes;
        const more = Math.max(received - FREE_BYTES, 0) - counted;
        if (more === 0) return undefined;
        const refusal = this.#refusal(client, more);
        if (refusal) return refusal;
        this.#add(client, more);
        counted += more;
        return undefined;
      },
      release: () => {
        this.#add(client, -counted);
        counted = 0;
      },
    };
  }

  #refusal(client: string, more: number): Fault | undefined {
    const { maxBytes, maxBytesPerAddress } = this.limits;
    if (this.#bytes + more > maxBytes) return tooMany('max_open_body_bytes');
    const ofAddress = (this.#bytesOf.get(client) ?? 0) + more;
    return ofAddress > maxBytesPerAddress ? tooMany('max_open_body_bytes_per_address') : undefined;
  }

  #add(client: string, more: number): void {
    this.#bytes += more;
    const bytes = (this.#bytesOf.get(client) ?? 0) + more;
    if (bytes === 0) this.#bytesOf.delete(client);
    else this.#bytesOf.set(client, bytes);
  }
}

const tooMany = (option: string) =>
  fault('request.too-many-bodies', { option: `limits.${option}` }, { extra: { retry_after: RETRY_SECONDS } });
