'use strict';

const { readFile } = require('node:fs/promises');

const ADMINISTRATORS = ['admin', 'system_admin'];

/**
 * Reads the roles of users in a JSON file: `backend_kwargs = {"file": "/etc/acme/roles.json"}`. The file is read again
 * each time, so a change takes effect within two seconds.
 */
exports.rolesFromFile = ({ file }) => {
  if (typeof file !== 'string') throw new Error('file is required');
  const read = async () => JSON.parse(await readFile(file, 'utf8'));
  return {
    async rolesOf(user) {
      const users = await read();
      return Object.hasOwn(users, user) ? users[user] : [];
    },
    async hasAdministrator() {
      const roles = Object.values(await read()).flat();
      return roles.some(({ name }) => ADMINISTRATORS.includes(name));
    },
  };
};
