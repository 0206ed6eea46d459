const { basename } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const GROUP = /^\d{3}-/;

/** Groups of tests (`test-groups.mjs`) run in the order of their names, regardless of Jest's timing cache. */
module.exports = class GroupsInOrder extends Sequencer {
  sort(tests) {
    const names = new Map(tests.map((test) => [test, basename(test.path)]));
    if (![...names.values()].every((name) => GROUP.test(name))) return super.sort(tests);
    return [...tests].sort((a, b) => names.get(a).localeCompare(names.get(b)));
  }
};
