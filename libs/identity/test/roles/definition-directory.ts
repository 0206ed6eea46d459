import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface DefinitionDirectory {
  readonly path: string;
  /** Replaces all files. */
  write(files: Readonly<Record<string, string>>): void;
  remove(): void;
}

/** A directory of definition files, by their relative paths. */
export function definitionDirectory(): DefinitionDirectory {
  const path = mkdtempSync(join(tmpdir(), 'svc-roles-'));
  return {
    path,
    write(files) {
      rmSync(path, { recursive: true });
      mkdirSync(path);
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(path, name)), { recursive: true });
        writeFileSync(join(path, name), text);
      }
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

export const DEPLOYERS = `name: deployers
description: May deploy
permission_grants:
  - {resource_uid: "pack:deploy", permission_types: [pack_view, action_execute, rule_all]}
  - resource_uid: "webhook:deploy/hook"
    permission_types:
      - webhook_create
      - webhook_send
  - permission_types: [action_list, execution_list]
`;
