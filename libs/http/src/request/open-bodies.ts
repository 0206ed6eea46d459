import { clientNetwork, KIB, fault, type Fault } from '@switchyard/base';

export interface OpenBodyLimits {
  /** What the bodies of all requests that are not answered yet may hold together. */
  readonly maxBytes: number;
  /** The same for the requests of one address. */
  readonly maxBytesPerAddress: number;
}

/** What the body of one request takes of that. */
export interface BodyShare {
  /** @returns Fault `request.too-many-bodies` when there is no room for so many more bytes */
  take(bytes: number): Fault | undefined;
  /** Once the request is answered. */
  release(): void;
}

/** So much of each body counts for nothing: however much others send, small requests get through. */
const FREE_BYTES = 16 * KIB;
const RETRY_SECONDS = 5;

/** Keeps the bodies that are being read, or worked on, from filling the memory. */
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
