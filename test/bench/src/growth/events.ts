import { setTimeout as delay } from 'node:timers/promises';
import type { Subject } from '../scenario.js';
import { GrownList, medianMs } from './grown-list.js';
import type { Growth } from './growth.js';

const publishers = 8;
const newest = 10;

/** A time after all that was published, in seconds: times are sent with three digits. */
async function afterAll(): Promise<number> {
  await delay(2);
  return Date.now() / 1000;
}

const linesOf = (bytes: Buffer): readonly string[] => bytes.toString().split('\n').filter(Boolean);

/** Events of containers that are renamed. */
export const events: Growth = {
  name: 'events',
  most: 100_000,
  begin({ engine, containers }: Subject) {
    const renamed = new GrownList();
    const published = new GrownList();
    const since = Date.now() / 1000;
    const rename = async (index: number): Promise<string> => {
      const id = renamed.names[index % publishers];
      await engine.bytes('POST', `/containers/${id}/rename?name=gantry-growth-${index}`);
      return '';
    };
    const filters = encodeURIComponent('{"event":["rename"]}');
    const replay = (from: number, until: number): Promise<Buffer> =>
      engine.bytes('GET', `/events?since=${from.toFixed(3)}&until=${until.toFixed(3)}&filters=${filters}`);
    return {
      get size() {
        return published.size;
      },
      async grow(size) {
        await renamed.grow(publishers, () => containers.create({ Cmd: ['true'] }));
        await published.grow(size, rename);
      },
      count: async () => linesOf(await replay(since, await afterAll())).length,
      async costs() {
        const from = await afterAll();
        await published.grow(published.size + newest, rename);
        const until = await afterAll();
        return {
          'replay of all ms': await medianMs(() => replay(since, until), 3),
          'replay of the newest ten ms': await medianMs(() => replay(from, until)),
        };
      },
      async remove() {
        await renamed.remove((id) => containers.remove(id));
      },
    };
  },
};
