'use strict';

// The example of docs/plugins.md: one runner, one authentication backend and one role backend.

const { rolesFromFile } = require('./roles-from-file');
const { waitForFile } = require('./wait-for-file');
const { sharedPassword } = require('./shared-password');

module.exports = {
  contract: 1,
  runners: [waitForFile],
  authBackends: { shared_password: sharedPassword },
  roleBackends: { enterprise: rolesFromFile },
};
