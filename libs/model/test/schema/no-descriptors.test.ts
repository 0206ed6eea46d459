import { join } from 'node:path';
import { withFewDescriptors } from '@switchyard/testkit/few-descriptors';

/** Matches with an expression that needs a time limit, while no descriptors are left. */
const SCRIPT = `
  const [library, when] = args;
  const pattern = require(library).guardedRegExp('a*a*a*c');
  const texts = ['a'.repeat(200) + 'c', 'b'.repeat(200)];
  const found = () => texts.map((text) => { try { return pattern.test(text); } catch (error) { return error.code; } });
  if (when === 'used before') found();
  fill();
  const without = found();
  empty();
  console.log(JSON.stringify({ cheap: pattern.isCheapOn(texts[0]), without, then: found() }));
`;

const run = (when: string) => withFewDescriptors(SCRIPT, join(__dirname, '../../dist/index.js'), when);

describe('an expression with a time limit, while no file descriptors are left', () => {
  it('matches as usual if such an expression has been used before', () => {
    expect(run('used before')).toEqual({ cheap: false, without: [true, false], then: [true, false] });
  });

  it('is refused the first time, and the process goes on', () => {
    expect(run('new')).toEqual({ cheap: false, without: ['EMFILE', 'EMFILE'], then: [true, false] });
  });
});
