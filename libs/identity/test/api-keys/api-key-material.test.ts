import { createHash } from 'node:crypto';
import { apiKeyHash, isApiKeyHash, newApiKey } from '@switchyard/identity';

describe('an API key', () => {
  it('is 86 base64 characters without padding', () => {
    expect(newApiKey()).toMatch(/^[A-Za-z0-9+]{86}$/);
    expect(newApiKey()).not.toBe(newApiKey());
  });

  it('is hashed as the reference does, so that its keys can be imported', () => {
    const expected = createHash('sha512').update('saltnpepperabc').digest('hex');
    expect(apiKeyHash('abc')).toBe(expected);
    expect(isApiKeyHash(expected)).toBe(true);
    expect(isApiKeyHash('abc')).toBe(false);
  });
});
