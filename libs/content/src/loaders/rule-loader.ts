import { compileSchema, toReference } from '@switchyard/model';
import { checkRule, ruleShape, type RuleDraft } from '@switchyard/triggers';
import { issuesOf, type Checked, type Issue, checkPackField } from '../check/issue';
import type { ContentRecord, Draft, FilePlace, Loader } from './loader';

/** A rule from a file, with the type and parameters of its trigger. */
type RuleFile = ContentRecord & RuleDraft;

export const ruleLoader: Loader<RuleFile> = {
  type: 'rule',
  plural: 'rules',
  folder: 'rules',
  otherFiles: [],
  implies: ['rule_types'],
  // The trigger may have been removed, and its type may have changed.
  remembers: false,
  inspect,
  stored: (store, pack) => store.rules.list({ filter: { pack } }),
  write: async (draft, _stored, { triggers }) => {
    await triggers.registerRule(draft);
  },
  listensTo: ({ trigger }) => trigger,
};

const shape = compileSchema(ruleShape, { allowNone: true });

function inspect(
  content: Record<string, unknown>,
  { pack, metadataFile, maxPatternLength }: FilePlace,
): Checked<Draft<RuleFile>> {
  const given = { ...content, pack, metadata_file: metadataFile };
  const packIssues = checkPackField(content, pack);
  const outcome = shape.check(given);
  if (!outcome.ok) {
    const { path, message, keyword, schemaPath } = outcome.violation;
    // The path of the value does not include a missing field; the schema's path does.
    const name = keyword === 'required' ? schemaPath.at(-2) : undefined;
    const field = name === undefined || path.at(-1) === name ? path : [...path, name];
    return { issues: [...packIssues, { path: field, text: message }] };
  }
  let rule: RuleDraft | undefined;
  const issues = [
    ...packIssues,
    ...issuesOf([], () => {
      rule = checkRule(given, maxPatternLength);
    }).map(located),
  ];
  return rule && issues.length === 0
    ? { value: { ...rule, ref: toReference(pack, rule.name) }, issues: [] }
    : { issues };
}

const FIELDS: readonly (readonly [prefix: string, path: Issue['path']])[] = [
  ['criteria.', ['criteria']],
  ['regex.', ['criteria']],
  ['request.pattern', ['criteria']],
  ['rule.type-', ['type', 'ref']],
  ['rule.correlation', ['correlation']],
];

function located(found: Issue): Issue {
  const [, path = found.path] = FIELDS.find(([prefix]) => found.fault?.code.startsWith(prefix)) ?? [];
  return { ...found, path };
}
