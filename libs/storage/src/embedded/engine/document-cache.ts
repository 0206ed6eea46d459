import type { Document } from '../values/document';

interface Cached {
  readonly document: Document;
  readonly bytes: number;
}

/**
 * Larger documents are decoded each time they are read. A record of the maximum size of a request still fits into the
 * cache while it is in use: reading and decoding 4 MiB takes longer than any other operation on it.
 */
const LARGEST_FRACTION = 4;

/** The most recently used documents, decoded, limited by the size of their stored form. Do not change them. */
export class DocumentCache {
  private readonly documents = new Map<string, Cached>();
  private bytes = 0;

  constructor(private readonly capacity: number) {}

  get(key: string): Document | undefined {
    const cached = this.documents.get(key);
    if (!cached) return undefined;
    this.documents.delete(key);
    this.documents.set(key, cached);
    return cached.document;
  }

  set(key: string, document: Document, bytes: number): void {
    this.delete(key);
    if (bytes > this.capacity / LARGEST_FRACTION) return;
    this.documents.set(key, { document, bytes });
    this.bytes += bytes;
    for (const oldest of this.documents.keys()) {
      if (this.bytes <= this.capacity) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const cached = this.documents.get(key);
    if (!cached) return;
    this.bytes -= cached.bytes;
    this.documents.delete(key);
  }

  clear(): void {
    this.documents.clear();
    this.bytes = 0;
  }
}
