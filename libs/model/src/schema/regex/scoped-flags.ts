import type { PatternSource } from './pattern-source';

/**
 * Skips `?i-s:`, the beginning of a group with flags of its own, and returns all flags that are on in it; undefined if there are none.
 * @throws PatternError in the words of Python
 */
export function scopedFlags(source: PatternSource): ReadonlySet<string> | undefined {
  const found = /^\?([aiLmsux]*)(?:-([a-zA-Z]*))?([:)])?/.exec(source.upcoming(16));
  if (!found || (found[1] === '' && found[2] === undefined)) return undefined;
  const [all, on = '', off, end] = found;
  source.take(all);
  if (end === ')') source.fail('global flags not at the start of the expression', source.position - all.length - 1);
  if (on.includes('L')) source.fail("bad inline flags: cannot use 'L' flag with a str pattern");
  if (on.includes('a') && on.includes('u')) source.fail("bad inline flags: flags 'a', 'u' and 'L' are incompatible");
  if (/[aLu]/.test(off ?? '')) source.fail("bad inline flags: cannot turn off flags 'a', 'u' and 'L'");
  if (off === '' || end === undefined) source.fail(off === '' ? 'missing flag' : 'missing -, : or )');
  if (/[^imsx]/.test(off ?? '')) source.fail('unknown flag');
  if ([...on].some((flag) => off?.includes(flag))) source.fail('bad inline flags: flag turned on and off');
  const flags = new Set([...source.flags, ...on]);
  for (const flag of off ?? '') flags.delete(flag);
  if (on.includes('u')) flags.delete('a');
  return flags;
}
