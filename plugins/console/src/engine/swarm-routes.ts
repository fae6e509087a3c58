import { once } from 'node:events';
import { ClusterInfo } from '@gantry/cluster/service';
import { type DriverLifecycle, inject, injectable, Lifetime } from '@gantry/core/driver';
import { acceptWebSocket, type Context } from '@gantry/core/http';
import { ConsoleSurface } from '../surface.js';

/**
 * Says when this engine's part in a swarm has changed, as `/stream` does with messages: what it is now, the page asks the
 * engine for. Events are those of a manager.
 */
@injectable()
export class SwarmRoutes implements DriverLifecycle {
  constructor(
    @inject(ConsoleSurface) private readonly surface: ConsoleSurface,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(ClusterInfo.token) private readonly swarm: ClusterInfo,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(
      this.surface.routes('console-swarm', (router) => {
        router.get('/changes/swarm', (ctx) => this.#send(ctx));
      }),
    );
  }

  async #send<P>(ctx: Context<P>): Promise<void> {
    const { signal } = ctx.state;
    const { socket } = await acceptWebSocket(ctx, { binary: true });
    const remove = this.swarm.onChange(() => void socket.write('changed'));
    try {
      socket.write(JSON.stringify({ status: 200 }));
      // What the browser sends, that it has read a message, needs no answer.
      socket.resume();
      await once(socket, 'close', { signal });
    } catch {
      // The browser has left, or the daemon stops.
    } finally {
      remove();
    }
  }
}
