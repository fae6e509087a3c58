import type { Subject } from '../scenario.js';
import { GrownList, medianMs } from './grown-list.js';
import type { Growth } from './growth.js';

const repository = 'gantry-growth-layers';

/** Layers of one image, each committed on the one before. */
export const layers: Growth = {
  name: 'layers of an image',
  most: 100,
  begin({ containers, engine, image }: Subject) {
    const made = new GrownList();
    let top = image;
    const commit = async (index: number): Promise<string> => {
      const tag = `l${index}`;
      const { Id } = await engine.ask<{ readonly Id: string }>('POST', '/containers/create', {
        body: { Image: top, Cmd: ['true'] },
      });
      const query = new URLSearchParams({ container: Id, repo: repository, tag });
      const committed = await engine.ask<{ readonly Id: string }>('POST', `/commit?${query}`, {
        body: { Labels: { tag } },
      });
      await containers.remove(Id);
      top = committed.Id;
      return `${repository}:${tag}`;
    };
    return {
      get size() {
        return made.size;
      },
      grow: (size) => made.grow(size, commit, 1),
      count: async () => (await engine.ask<readonly unknown[]>('GET', `/images/${made.names.at(-1)}/history`)).length,
      costs: async () => ({
        'create, start, wait, remove ms': await medianMs(async () => {
          const body = { Image: top, Cmd: ['true'], HostConfig: { NetworkMode: 'none' } };
          const { Id } = await engine.ask<{ readonly Id: string }>('POST', '/containers/create', { body });
          await containers.start(Id);
          await containers.wait(Id);
          await containers.remove(Id);
        }),
      }),
      remove: () => made.remove((name) => engine.bytes('DELETE', `/images/${name}?force=1`), 1),
    };
  },
};
