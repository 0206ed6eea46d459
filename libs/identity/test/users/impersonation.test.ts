import { tokenUser } from '@switchyard/identity';
import { memoryStore } from '../memory-store';

async function users() {
  const { users: repository } = memoryStore().store;
  const add = (name: string, is_service: boolean, nicknames = {}) =>
    repository.insert({ _id: name, name, is_service, nicknames });
  await add('bot', true);
  await add('ada', false, { slack: 'countess', irc: 'twin' });
  await add('eve', false, { irc: 'twin' });
  return repository;
}

describe('a token for another user', () => {
  it.each([
    ['ada', {}, 'ada'],
    ['bot', { user: 'ada' }, 'ada'],
    ['bot', { nickname: 'countess', nicknameOrigin: 'slack' }, 'ada'],
  ])('requested by %s with %p is issued for %s', async (caller, request, user) => {
    expect(await tokenUser(await users(), caller, request)).toBe(user);
  });

  it.each([
    ['ada', { user: 'eve' }, 'Current user is not a service and cannot request impersonated tokens'],
    ['nobody', { user: 'eve' }, 'Could not locate user nobody'],
    ['bot', { user: 'nobody' }, 'Could not locate user nobody'],
    ['bot', { nickname: 'countess' }, "Nickname origin is not provided for nickname 'countess'"],
    ['bot', { nickname: 'x', nicknameOrigin: 'slack' }, 'Could not locate user x@slack'],
    ['bot', { nickname: 'x', nicknameOrigin: '$where' }, 'Could not locate user x@$where'],
    ['bot', { nickname: 'twin', nicknameOrigin: 'irc' }, 'twin@irc matched more than one username'],
  ])('requested by %s with %p is refused', async (caller, request, message) => {
    await expect(tokenUser(await users(), caller, request)).rejects.toMatchObject({ status: 400, message });
  });
});
