// `node .ci/check-commits.mjs [RANGE]`: the messages of new commits, which are those after the one that brought this check. A subject is
// in the imperative, begins with a capital, has at most 72 characters and no full stop; a body is apart from it.
import { execFileSync } from 'node:child_process';

const MOST = 72;
const SELF = '.ci/check-commits.mjs';
/** "Added", "Adds", "Adding" where "Add" is wanted; a few verbs end like that by themselves. */
const NO_IMPERATIVE =
  /^(?!(Embed|Feed|Need|Seed|Shed|Speed|Bring|String|Ping|Pass|Process|Miss|Press|Compress|Address|Access|Discuss|Focus|Bypass)\b)\w+(ed|ing|s)\b/;

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();

function range() {
  const first = git('log', '--diff-filter=A', '--format=%H', '--', SELF).split('\n').at(-1);
  return first === '' ? 'HEAD~0..HEAD' : `${first}..HEAD`;
}

function problemsOf(message) {
  const [subject = '', second] = message.split('\n');
  return [
    subject.length > MOST && `the subject has ${subject.length} characters, at most ${MOST} are wanted`,
    !/^[A-Z]/.test(subject) && 'the subject does not begin with a capital letter',
    subject.endsWith('.') && 'the subject ends with a full stop',
    NO_IMPERATIVE.test(subject) && `the subject is not in the imperative: "${subject.split(' ')[0]}"`,
    second !== undefined && second !== '' && 'there is no empty line between subject and body',
  ].filter(Boolean);
}

const commits = git('log', '--no-merges', '--format=%h%x00%B%x01', process.argv[2] ?? range())
  .split('\x01')
  .map((entry) => entry.trim())
  .filter((entry) => entry !== '')
  .map((entry) => entry.split('\0'));
const found = commits.flatMap(([hash, message]) => problemsOf(message).map((problem) => `${hash}: ${problem}`));
for (const line of found) console.error(line);
console.log(`${commits.length} commit messages were checked.`);
process.exit(found.length > 0 ? 1 : 0);
