import type { Id } from '@switchyard/base';

export interface PackRecord {
  _id: Id;
  ref: string;
  uid: string;
  name: string;
  description: string;
  version: string;
  author: string;
  email?: string;
  keywords: string[];
  contributors: string[];
  dependencies: string[];
  files: string[];
  python_versions: string[];
  stackstorm_version?: string;
  system: Record<string, unknown>;
  path?: string;
  /** Attributes of pack.yaml that the product does not know; shown as they are. */
  other?: Record<string, unknown>;
}
