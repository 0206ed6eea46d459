import { Allowance, renderLiveParameters, type AllowanceLimits, type ParametersInput } from '../../src';

const input = (parameters: Record<string, unknown>, limits?: Partial<AllowanceLimits>): ParametersInput => ({
  runnerParameters: { cmd: { type: 'string' }, list: { type: 'array' } },
  actionParameters: {},
  parameters,
  context: {},
  allowance: new Allowance({ steps: 5_000_000, durationMs: 60_000, ...limits }),
});

/** Takes some thousand steps. */
const loop = (n: number) => `{% for i in range(2000) %}{{ i + ${n} }}{% endfor %}`;

describe('all templates of a request', () => {
  it('share one limit of steps, even if each is within its own limit', async () => {
    const list = Array.from({ length: 400 }, (_, n) => loop(n));
    await expect(renderLiveParameters(input({ list: list.slice(0, 3) }, { steps: 100_000 }))).resolves.toBeDefined();
    await expect(renderLiveParameters(input({ list }, { steps: 100_000 }))).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('together exceed their limit of 100000 steps') as string,
    });
  });

  it('share one time limit', async () => {
    const list = Array.from({ length: 50 }, (_, n) => loop(n));
    const message = expect.stringContaining('together exceed their limit of 1 ms') as string;
    await expect(renderLiveParameters(input({ list }, { durationMs: 1 }))).rejects.toMatchObject({
      status: 400,
      message,
    });
  });

  it('yield to other tasks between two of them', async () => {
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const list = Array.from({ length: 100 }, (_, n) => loop(n));
    const given = input({ list });
    await renderLiveParameters(given);
    isOver = true;
    expect(given.allowance!.rests).toBeGreaterThan(1);
    expect(turns).toBeGreaterThan(1);
  });

  it('share one limit of tokens', async () => {
    const list = Array.from({ length: 30 }, (_, n) => `{{ ${n} }}`.repeat(5_000));
    const message = expect.stringContaining('token') as string;
    await expect(renderLiveParameters(input({ list }))).rejects.toMatchObject({ status: 400, message });
    await expect(renderLiveParameters(input({ cmd: `{{ 1 }}${'{# x #}'.repeat(200_000)}` }))).rejects.toMatchObject({
      message,
    });
    await expect(renderLiveParameters(input({ cmd: '{{ 1 }}'.repeat(200_000) }))).rejects.toMatchObject({ message });
  });

  it.each([
    ['braces', '{'],
    ['opening brackets', '{{ ('],
    ['plain text', 'echo '],
  ])('are taken literally when they contain nothing but many %s', async (_, text) => {
    const cmd = text.repeat(15_000_000 / text.length);
    expect((await renderLiveParameters(input({ cmd }, { steps: 5_000_000 }))).parameters).toEqual({ cmd });
  });
});
