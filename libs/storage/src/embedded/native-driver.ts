import mongoose from 'mongoose';

type Constructor = new (...values: never[]) => object;

/** The members of mongoose's own driver that this one builds on. mongoose has no types for them. */
interface NativeDriver {
  readonly Connection: Constructor;
  readonly Collection: Constructor;
  readonly BulkWriteResult: new (raw: object, ordered: boolean) => object;
  readonly ClientEncryption: unknown;
}

export const nativeDriver = (mongoose as unknown as { driver: { get(): NativeDriver } }).driver.get();
