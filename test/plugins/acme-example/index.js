'use strict';

// The example of docs/plugins.md: one runner and one authentication backend.

const { waitForFile } = require('./wait-for-file');
const { sharedPassword } = require('./shared-password');

module.exports = {
  contract: 1,
  runners: [waitForFile],
  authBackends: { shared_password: sharedPassword },
};
