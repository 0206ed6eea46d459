import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The size of a generated catalogue. */
export interface CatalogueShape {
  readonly packs: number;
  readonly actions: number;
  readonly sensors: number;
  readonly rules: number;
  readonly aliases: number;
}

/** In proportion to the packs that are published for this kind of system: half of the actions belong to one of 113 packs. */
export const catalogueShape = (scale: number): CatalogueShape => ({
  packs: scaled(113, scale),
  actions: scaled(8000, scale),
  sensors: scaled(68, scale),
  rules: scaled(61, scale),
  aliases: scaled(83, scale),
});

const scaled = (count: number, scale: number): number => Math.max(2, Math.round(count * scale));

/** The shares of the largest packs. The others share the rest, the larger the earlier they come. */
const LARGEST = [0.45, 0.1, 0.09, 0.06, 0.045, 0.026, 0.025, 0.02];

/** The number of actions of each pack, at least one. */
export function packSizes({ packs, actions }: CatalogueShape): number[] {
  const weights = Array.from({ length: packs }, (_, rank) => LARGEST[rank] ?? 0.053 / (rank - 4));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const sizes = weights.map((weight) => Math.max(1, Math.floor((weight / total) * actions)));
  sizes[0] = Math.max(1, (sizes[0] ?? 0) + actions - sizes.reduce((sum, size) => sum + size, 0));
  return sizes;
}

/** Writes the packs below a directory. The same shape gives the same files. */
export function writeCatalogue(root: string, shape: CatalogueShape): void {
  const sizes = packSizes(shape);
  const names = sizes.map((_, index) => `bench_pack_${index}`);
  for (const [index, pack] of names.entries()) {
    const put = (path: string, lines: readonly string[]) => {
      const file = join(root, pack, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${lines.join('\n')}\n`);
    };
    put('pack.yaml', [
      `name: ${pack}`,
      `ref: ${pack}`,
      `description: One of many packs.`,
      `version: 1.${index}.0`,
      `author: bench`,
      `email: bench@example.org`,
      `keywords: [bench, catalogue, number_${index}]`,
    ]);
    put('actions/run.py', [
      'from st2common.runners.base_action import Action',
      '',
      '',
      'class Run(Action):',
      '    pass',
    ]);
    for (let number = 0; number < (sizes[index] ?? 0); number++)
      put(`actions/operation_${number}.yaml`, action(`operation_${number}`, number));
    for (const number of ofPack(shape.sensors, index, names.length)) {
      put(`sensors/watch_${number}.py`, [`class Watch${number}:`, '    pass']);
      put(`sensors/watch_${number}.yaml`, sensor(number));
    }
    for (const number of ofPack(shape.rules, index, names.length)) put(`rules/rule_${number}.yaml`, rule(pack, number));
    for (const number of ofPack(shape.aliases, index, names.length))
      put(`aliases/alias_${number}.yaml`, alias(pack, number));
  }
}

/** Distributes numbers to packs in turn. */
const ofPack = (count: number, pack: number, packs: number): number[] =>
  Array.from({ length: count }, (_, number) => number).filter((number) => number % packs === pack);

const TYPES = ['string', 'integer', 'boolean', 'array', 'object', 'string'] as const;

/** Metadata with 4 to 17 parameters, about 1.3 kB on average. */
function action(name: string, number: number): string[] {
  const parameters = Array.from({ length: 4 + (number % 14) }, (_, index) => [
    `  parameter_${index}:`,
    `    type: ${TYPES[(number + index) % TYPES.length] ?? 'string'}`,
    `    description: "Value ${index} of ${name}: what the service is told, as its reference describes it."`,
    ...(index === 0 ? ['    required: true'] : []),
  ]);
  return [
    '---',
    `name: ${name}`,
    'runner_type: python-script',
    `description: Calls operation ${number} of the service.`,
    'enabled: true',
    'entry_point: run.py',
    'parameters:',
    '  method:',
    '    type: string',
    '    immutable: true',
    `    default: ${name}`,
    ...parameters.flat(),
  ];
}

/** Disabled: the bench measures registration, not hundreds of processes. */
const sensor = (number: number): string[] => [
  `class_name: Watch${number}`,
  `entry_point: watch_${number}.py`,
  'description: Watches the service.',
  'enabled: false',
  'trigger_types:',
  `  - name: happened_${number}`,
  '    description: Something has happened.',
  '    payload_schema:',
  '      type: object',
  '      properties:',
  '        id: { type: string }',
  '        state: { type: string }',
];

const rule = (pack: string, number: number): string[] => [
  `name: rule_${number}`,
  `pack: ${pack}`,
  'enabled: false',
  'trigger: { type: core.st2.webhook, parameters: { url: bench/catalogue_' + String(number) + ' } }',
  'criteria:',
  '  trigger.body.state: { type: equals, pattern: down }',
  'action:',
  `  ref: ${pack}.operation_0`,
  '  parameters: { parameter_0: "{{ trigger.body.id }}" }',
];

const alias = (pack: string, number: number): string[] => [
  `name: alias_${number}`,
  `description: Runs an operation.`,
  `action_ref: ${pack}.operation_0`,
  'formats:',
  `  - "operate ${number} {{ parameter_0 }}"`,
  `  - "please operate ${number} {{ parameter_0 }} now"`,
];
