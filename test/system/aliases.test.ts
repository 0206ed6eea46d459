import { eventually } from '@switchyard/testkit/platform';
import { BOTS, startBot, type ChatBot } from './chat-bots';
import { startSide, type EventsSide } from './events-side';
import { itWithPython } from './examples/python';

const MINUTE = 60_000;

let side: EventsSide;
beforeAll(async () => {
  side = await startSide();
}, 2 * MINUTE);
afterAll(() => side.stop(), MINUTE);

interface Post {
  id: string;
  status: string;
  parameters: { message: string; channel: string; user: string; whisper?: boolean; context: unknown; extra: unknown };
}

async function asked(method: string, path: string, body?: unknown) {
  const { status, body: answer } = await side.api.call(method, `/${path}`, body);
  if (status >= 400) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
  return answer;
}

/** The messages posted to the chat. */
const postIn = async (channel: string): Promise<Post> =>
  eventually(
    async () => {
      const posts = (await asked('GET', 'executions?action=chatops.post_message&limit=50')) as Post[];
      return posts.find(({ status, parameters }) => status === 'succeeded' && parameters.channel === channel);
    },
    () => `a post in ${channel}`,
  );

describe('a chat command', () => {
  beforeAll(() =>
    asked('POST', 'actionalias', {
      name: 'say',
      pack: 'tests',
      action_ref: 'core.echo',
      formats: ['say {{message}}'],
      ack: { format: 'Saying {{ execution.parameters.message }}.' },
      result: { format: 'Said {{ execution.result.stdout }}.', extra: { by: '{{ execution.context.api_user }}' } },
    }),
  );

  const say = (message: string, channel: string, more: object = {}) =>
    asked('POST', 'aliasexecution', {
      name: 'say',
      format: 'say {{message}}',
      command: `say ${message}`,
      user: 'chatter',
      source_channel: channel,
      notification_route: 'hubot',
      ...more,
    });

  itWithPython(
    'runs through chatops.run without a user, with a private answer on request',
    async () => {
      const parameters = { text: 'say quietly', channel: 'corner', whisper: true };
      await asked('POST', 'executions', { action: 'chatops.run', parameters });
      const posts = await eventually(
        async () => {
          const all = (await asked('GET', 'executions?action=chatops.post_message&limit=50')) as Post[];
          const own = all.filter(({ parameters: { channel } }) => channel === 'corner');
          return own.length === 2 ? own : undefined;
        },
        () => 'two posts in the corner',
      );
      const told = posts.map(({ parameters: { message, whisper } }) => [message, whisper]).sort();
      expect(told).toEqual([
        ['Said quietly.', true],
        ['Saying quietly.', true],
      ]);
    },
    MINUTE,
  );

  it(
    'is acknowledged, and its result is posted to the channel that it came from',
    async () => {
      const { message, actionalias } = await say('hello', 'lobby', { source_context: { thread: 7 } });
      expect([message, actionalias.ref]).toEqual(['Saying hello.', 'tests.say']);
      expect((await postIn('lobby')).parameters).toMatchObject({
        message: 'Said hello.',
        user: 'chatter',
        context: { thread: 7 },
        extra: { by: 'chatter' },
      });
    },
    2 * MINUTE,
  );

  it(
    'reveals nothing through a template in its text',
    async () => {
      await asked('PUT', 'keys/hidden', { name: 'hidden', value: 'swordfish' });
      const words = 'the {{ st2kv.system.hidden }} and {{ 6 * 7 }} and <% st2kv(1) %>';
      const { message } = await say(words, 'cellar', { source_context: { said: words } });
      expect(message).toBe(`Saying ${words}.`);
      expect((await postIn('cellar')).parameters).toMatchObject({
        message: `Said ${words}.`,
        context: { said: words },
      });
    },
    2 * MINUTE,
  );
});

describe('a chat bot', () => {
  beforeAll(async () => {
    const alias = { pack: 'tests', ack: { format: 'I am on it.', append_url: false } };
    const told = { description: 'Tells a thing.', formats: ['tell {{message}}'], action_ref: 'core.echo' };
    const tried = { description: 'Tries a command.', formats: ['try {{cmd}}'], action_ref: 'core.local' };
    await asked('POST', 'actionalias', { ...alias, ...told, name: 'tell' });
    await asked('POST', 'actionalias', { ...alias, ...tried, name: 'try' });
  });

  describe.each(BOTS)('that is $name', (program) => {
    if (program.missing !== undefined) {
      it.skip(`is not available: ${program.missing}`, () => undefined);
      return;
    }
    let bot: ChatBot;
    beforeAll(async () => {
      bot = startBot(program, side.addresses);
      for (const sign of program.ready) await bot.heard(sign);
    }, 2 * MINUTE);
    afterAll(() => bot?.stop());

    it(
      'lists the commands',
      async () => {
        bot.say('help');
        await bot.heard(/tell \{\{message\}\} - Tells a thing\.\n/);
        await bot.heard(/try \{\{cmd\}\} - Tries a command\.\n/);
      },
      2 * MINUTE,
    );

    it(
      'acknowledges a command, and posts its result',
      async () => {
        bot.say('tell good news');
        await bot.heard(/I am on it\.\n[^]*Shell: core\.echo: succeeded.*\ngood news\n/);
      },
      2 * MINUTE,
    );

    it(
      'posts how an action has failed',
      async () => {
        bot.say('try "echo on the way; echo no way on >&2; exit 3"');
        await bot.heard(/Shell: core\.local: failed.*\nexit code 3\non the way\nno way on\n/);
      },
      2 * MINUTE,
    );

    it(
      'posts why a command is refused',
      async () => {
        bot.say('try date timeout=soon');
        await bot.heard(/Shell: .*(\n )?Failed to cast value "soon" .*for parameter "timeout" of type "integer"/);
      },
      2 * MINUTE,
    );

    it(
      'posts messages that no command has asked for',
      async () => {
        const parameters = { channel: 'Shell', message: 'The build is done.' };
        await asked('POST', 'executions', { action: 'chatops.post_message', parameters });
        await bot.heard(/The build is done\.\n/);
        expect(bot.chat()).not.toMatch(/Stream error/);
      },
      2 * MINUTE,
    );
  });
});
