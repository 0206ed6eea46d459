exports.Watcher = class {
  run() {
    throw new Error('The door does not answer.');
  }
};
