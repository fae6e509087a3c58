import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { definePlugin } from '@gantry/core';
import { bodyStream, hijack, openBody, queryOf, sendJson } from '@gantry/core/http';
import { inject, injectable } from '@gantry/core/plugin';
import { drained, frame } from '@gantry/core/streams';
import { EngineApi } from '@gantry/engine-api/service';
import { TaskDirectory } from '@gantry/services/service';
import { Type } from '@sinclair/typebox';

/** A container whose names would be markup, or end the element that they are in. */
export const listed = {
  Id: 'f'.repeat(64),
  Names: ['/</script><script>alert(1)</script>'],
  Image: '<!--"',
  Command: 'sleep',
  State: 'running',
  Status: 'Up 2 hours',
  Created: 0,
  Ports: [],
  Labels: { tier: 'web' },
  Mounts: [],
};

/** Routes with the paths of real ones, each with a response of its own. */
@injectable()
class AreaRoutes {
  constructor(@inject(EngineApi.token) private readonly api: EngineApi) {}

  async start(): Promise<void> {
    this.api.routes('area', (router) => {
      router.get('/info', (ctx) => sendJson(ctx, { query: ctx.querystring, cookie: ctx.get('Cookie') }));
      router.head('/containers/:id/archive', (ctx) => {
        ctx.set('X-Docker-Container-Path-Stat', 'e30=');
        ctx.status = 200;
      });
      router.get('/containers/json', (ctx) => {
        const { Cookie, ...container } = { ...listed, Cookie: ctx.get('Cookie') };
        sendJson(ctx, queryOf(ctx).boolean('all') && Cookie === '' ? [container] : []);
      });
      router.delete('/containers/:id', (ctx) => {
        ctx.status = 204;
      });
      router.put('/containers/:id/archive', async (ctx) => {
        let size = 0;
        for await (const chunk of bodyStream(ctx)) size += (chunk as Buffer).length;
        sendJson(ctx, { size });
      });
      router.get('/events', async (ctx) => {
        ctx.state.endless();
        openBody(ctx, { contentType: 'application/json' }).write('{"first":1}\n');
        await new Promise((resolve) => ctx.state.signal.addEventListener('abort', resolve));
      });
      router.get('/containers/:id/logs', async (ctx) => {
        queryOf(ctx).boolean('follow');
        ctx.state.endless();
        const output = openBody(ctx, { contentType: 'application/vnd.docker.raw-stream' });
        for (let piece = 0; piece < 10_000 && !ctx.state.signal.aborted; piece++) {
          if (!output.write('x'.repeat(1_000))) await drained(output);
        }
      });
      // The first sample takes a second.
      router.get('/containers/:id/stats', async (ctx) => {
        ctx.state.endless();
        await new Promise((resolve) => ctx.state.signal.addEventListener('abort', resolve));
        ctx.status = 204;
      });
      router.post('/exec/:id/start', async (ctx) => {
        const { socket } = await hijack(ctx, { contentType: 'application/vnd.docker.raw-stream' });
        for await (const chunk of socket) socket.write(`${ctx.params.id} got ${String(chunk)}`);
      });
      router.post('/containers/:id/attach', async (ctx) => {
        queryOf(ctx).boolean('stream');
        const { socket } = await hijack(ctx, { contentType: 'application/vnd.docker.multiplexed-stream' });
        socket.write(Buffer.concat([frame('stdout', Buffer.from('out ')), frame('stderr', Buffer.from('err'))]));
        await delay(50);
      });
    });
  }
}

/** Of the tasks of a swarm that there is none of. */
export const changedTasks = new EventEmitter();

class Tasks implements TaskDirectory {
  tasksOf = async (): Promise<[]> => [];

  onChange(listener: () => void): () => void {
    changedTasks.on('change', listener);
    return () => changedTasks.off('change', listener);
  }
}

export const area = definePlugin({
  id: 'area',
  requires: [EngineApi],
  provides: [TaskDirectory],
  configSchema: Type.Object({}),
  setup({ container }) {
    container.provide(TaskDirectory, Tasks);
    return AreaRoutes;
  },
});
