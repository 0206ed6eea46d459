import {
  compileCriteria,
  compileRule,
  createRuleSet,
  CRITERIA_OPERATORS,
  problemText,
  ruleAsker,
  ruleEvent,
  type CriterionProblem,
  type RuleRecord,
} from '../../src';

let count = 0;
function rule(criteria: RuleRecord['criteria'], given: Partial<RuleRecord> = {}) {
  const name = `r${++count}`;
  const record: RuleRecord = {
    _id: name,
    ref: `p.${name}`,
    uid: `rule:p:${name}`,
    name,
    pack: 'p',
    enabled: true,
    type: { ref: 'standard', parameters: {} },
    trigger: 'p.t',
    criteria,
    action: { ref: 'p.a', parameters: {} },
    context: {},
    tags: [],
    metadata_file: '',
    ...given,
  };
  return compileRule(record, (text) => text.includes('{{'));
}

const eq = (pattern: unknown) => ({ type: 'eq', pattern });
const named = (rules: readonly { record: RuleRecord }[]) => rules.map(({ record }) => record.name);
const env = {
  now: 0,
  render: (pattern: string) => {
    if (pattern.includes('{{bad}}')) throw new Error('cannot be rendered');
    return pattern === '{{v}}' ? 1 : pattern.replace(/\n$/, '');
  },
};
const askRule = (one: ReturnType<typeof rule>, payload: unknown) => ruleAsker(ruleEvent(payload), env)(one);

describe('the rules of a trigger', () => {
  it('are narrowed down by equality criteria', () => {
    const kinds = Array.from({ length: 100 }, (_, n) => rule({ 'trigger.kind': eq(`k${n}`) }));
    const open = rule({});
    const greater = rule({ 'trigger.n': { type: 'gt', pattern: 5 } });
    const set = createRuleSet([open, ...kinds, greater]);
    expect(named(set.candidates(ruleEvent({ kind: 'k7', n: 1 })))).toEqual(named([open, kinds[7]!, greater]));
    expect(named(set.candidates(ruleEvent({})))).toEqual(named([open, greater]));
    expect(named(set.candidates(ruleEvent({ kind: { k7: 1 } })))).toEqual(named([open, greater]));
  });

  it('are all tested when there are few', () => {
    const rules = [rule({ 'trigger.kind': eq(1) }), rule({ 'trigger.kind': eq(2) })];
    expect(createRuleSet(rules).candidates(ruleEvent({}))).toHaveLength(2);
  });

  it('compare as the operator does: true equals 1, a text is not a number', () => {
    const rules = [1, true, '1', 1.0, null, [1]].map((pattern) => rule({ 'trigger.v#x': eq(pattern) }));
    const set = createRuleSet(rules);
    for (const v of [1, true, '1', 0, false, null, [1], { a: 1 }]) {
      const candidates = named(set.candidates(ruleEvent({ v })));
      const matching = named(rules.filter((one) => askRule(one, { v }).matched));
      expect(matching.filter((name) => !candidates.includes(name))).toEqual([]);
    }
  });

  it('always include rules that would match or report a problem', () => {
    const operators = ['eq', 'equals', 'neq', 'gt', 'regex', 'contains', 'exists'];
    const random = randomNumbers(7);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const criteria = () =>
      Object.fromEntries(
        Array.from({ length: Math.floor(random() * 4) }, () => [
          `trigger.${pick(['a', 'b', 'c'])}${pick(['', '#1', '#2'])}`,
          { type: pick(operators), pattern: pick<unknown>([1, 2, 'x', 'y', true, '(', 'x\n']) },
        ]),
      );
    const rules = Array.from({ length: 300 }, () => rule(criteria()));
    const set = createRuleSet(rules);
    for (let n = 0; n < 200; n++) {
      const payload = { a: pick<unknown>([1, 'x', true, null]), b: pick<unknown>([2, 'y', [1]]), c: pick([1, 'x']) };
      const candidates = new Set(set.candidates(ruleEvent(payload)));
      const telling = rules.filter((one) => {
        const { matched, problem } = askRule(one, payload);
        return matched || problem;
      });
      expect(telling.filter((one) => !candidates.has(one)).map(({ record }) => record.criteria)).toEqual([]);
    }
  });
});

describe('the criteria of a rule', () => {
  it('hold, and report problems, as standalone criteria do', () => {
    const random = randomNumbers(11);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const search = { type: 'search', condition: 'any', pattern: { 'item.k': { type: 'gt', pattern: 1 } } };
    const patterns = [1, 'x', 'x\n', '{{v}}', '{{bad}}', '(', null, [1], undefined];
    const criterion = () => (random() < 0.1 ? search : { type: pick(CRITERIA_OPERATORS), pattern: pick(patterns) });
    const keys = ['trigger.a', 'trigger.a#1', 'trigger.b[0].k', 'trigger.c', 'trigger..', 'item', 'trigger.l'];
    const payloads = [{}, null, { a: 1, c: 'x' }, { a: 'x', b: [{ k: 5 }] }, { a: true, l: [{ k: 2 }] }, { l: 3 }];
    for (let n = 0; n < 2000; n++) {
      const length = Math.floor(random() * 4);
      const criteria = Object.fromEntries(Array.from({ length }, () => [pick(keys), criterion()]));
      const payload = pick<unknown>(payloads);
      expect({ criteria, payload, answer: askRule(rule(criteria), payload) }).toEqual({
        criteria,
        payload,
        answer: byThemselves(criteria, payload),
      });
    }
  });

  it('are rendered for each event', () => {
    const one = rule({ 'trigger.a': eq('{{v}}') });
    const answers = [1, 1, 2].map((v) => ruleAsker(ruleEvent({ a: 1 }), { now: 0, render: () => v })(one).matched);
    expect(answers).toEqual([true, true, false]);
  });
});

/** Evaluates the criteria without a rule. */
function byThemselves(criteria: RuleRecord['criteria'], payload: unknown) {
  let first: CriterionProblem | undefined;
  const problem = (told: CriterionProblem) => void (first ??= told);
  const matched = compileCriteria(criteria)(payload, { ...env, problem });
  return matched || !first ? { matched } : { matched, problem: first };
}

describe('a rule', () => {
  it.each<[string, RuleRecord['criteria'], string]>([
    ['whose operator does not apply', { 'trigger.a': { type: 'gt', pattern: 'x' } }, "There might be a problem with the criteria in rule REF: '>' not supported between instances of 'int' and 'str'"], // oxfmt-ignore
    ['with an invalid key', { 'trigger..': eq(1) }, 'Failed transforming criteria key trigger..: '],
    ['with an unknown operator', { 'trigger.a': { type: 'no', pattern: 1 } }, 'There might be a problem with the criteria in rule REF: There is no criteria operator "no"'], // oxfmt-ignore
  ])('%s reports it', (_, criteria, text) => {
    const one = rule(criteria);
    const { matched, problem } = askRule(one, { a: 1 });
    expect(matched).toBe(false);
    expect(problemText(one.record.ref, problem!)).toContain(text.replace('REF', one.record.ref));
  });

  it('with an invalid correlation never matches, and reports it', () => {
    const one = rule({}, { correlation: { often: {} } });
    expect(askRule(one, { a: 1 })).toMatchObject({ matched: false, problem: { kind: 'operator' } });
  });

  it('that matches has no problem, even if an element could not be tested', () => {
    const search = { type: 'search', condition: 'any', pattern: { 'item.n': { type: 'gt', pattern: 1 } } };
    const one = rule({ 'trigger.list': search });
    expect(askRule(one, { list: [{ n: 'x' }, { n: 5 }] })).toEqual({ matched: true });
    expect(askRule(one, { list: [{ n: 'x' }] })).toMatchObject({ matched: false, problem: {} });
  });
});

function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
