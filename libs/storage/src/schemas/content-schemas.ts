import { anything, flag, packContent, recordSchema, text, textNeeded, texts } from './mixed';

export const actionSchema = recordSchema({
  ...packContent,
  enabled: flag,
  runner_type: textNeeded,
  entry_point: text,
  parameters: anything,
  output_schema: anything,
  tags: anything,
  notify: anything,
  idempotent: flag,
  pool: text,
  content_hash: text,
});
actionSchema.index({ pack: 1, name: 1 }, { unique: true });
actionSchema.index({ ref: 1 }, { unique: true });
actionSchema.index({ name: 1 });

export const runnerTypeSchema = recordSchema({
  uid: textNeeded,
  name: textNeeded,
  description: text,
  enabled: flag,
  runner_package: text,
  runner_module: text,
  query_module: text,
  runner_parameters: anything,
  output_key: text,
  output_schema: anything,
});
runnerTypeSchema.index({ name: 1 }, { unique: true });

export const packSchema = recordSchema({
  ref: textNeeded,
  uid: textNeeded,
  name: textNeeded,
  description: text,
  version: text,
  author: text,
  email: text,
  keywords: texts,
  contributors: texts,
  dependencies: texts,
  files: texts,
  python_versions: texts,
  stackstorm_version: text,
  system: anything,
  path: text,
  other: anything,
});
packSchema.index({ ref: 1 }, { unique: true });
packSchema.index({ name: 1 }, { unique: true });
