'use strict';

const { createHash, timingSafeEqual } = require('node:crypto');

const digest = (text) => createHash('sha256').update(text).digest();

/** Accepts one shared password for the named users: `backend_kwargs = {"users": ["ada"], "password": "…"}`. */
exports.sharedPassword = ({ users, password }) => {
  if (!Array.isArray(users) || typeof password !== 'string') {
    throw new Error('users and password are required');
  }
  return {
    async authenticate(user, given) {
      return timingSafeEqual(digest(given), digest(password)) && users.includes(user);
    },
  };
};
