import { once } from 'node:events';
import { connect, type NetConnectOpts } from 'node:net';
import { eventually } from '@gantry/test-nodes';

/** Resolves when a console accepts connections: it listens a little later than the engine whose start was waited for. */
export async function untilListening(address: NetConnectOpts): Promise<void> {
  await eventually('the console listens', async () => {
    const socket = connect(address);
    try {
      await once(socket, 'connect');
      return true;
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  });
}
