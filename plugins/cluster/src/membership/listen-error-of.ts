import { once } from 'node:events';
import { createServer } from 'node:net';
import { messageOf } from '@gantry/core/errors';
import { hostOf } from './node-addresses.js';

/** Why an `address:port` cannot be listened on now; undefined when it can. */
export async function listenErrorOf(address: string): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen({ host: hostOf(address), port: Number(address.slice(address.lastIndexOf(':') + 1)) });
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return `failed to listen on remote API address: ${messageOf(error)}`;
  } finally {
    server.close();
  }
}
