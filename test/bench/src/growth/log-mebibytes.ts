import type { Subject } from '../scenario.js';
import { medianMs } from './grown-list.js';
import type { Growth } from './growth.js';

/** The log of one container, which is another one at each size. */
export const logMebibytes: Growth = {
  name: 'MiB of log',
  most: 1000,
  begin({ containers, engine }: Subject) {
    let writer: { readonly id: string; readonly size: number } | undefined;
    const remove = async (): Promise<void> => {
      if (writer !== undefined) await containers.remove(writer.id);
      writer = undefined;
    };
    return {
      get size() {
        return writer?.size ?? 0;
      },
      async grow(size) {
        await remove();
        const program = `yes 'a line of the log of a program' | head -c ${size * 2 ** 20}`;
        writer = { id: await containers.create({ Cmd: ['sh', '-c', program] }), size };
        await containers.start(writer.id);
        await containers.wait(writer.id);
      },
      costs: async () => ({
        'last 10 lines ms': await medianMs(() => engine.drain(`/containers/${writer?.id}/logs?stdout=1&tail=10`)),
      }),
      remove,
    };
  },
};
