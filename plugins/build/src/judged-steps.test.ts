import { definePlugin } from '@gantry/core';
import { forbidden } from '@gantry/core/errors';
import { inject, injectable } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import test from 'ava';
import { buildImage, startBuilds } from './testing/build-engine.js';

interface Effective {
  readonly Cmd: readonly string[];
  readonly HostConfig: { readonly NetworkMode: string; readonly Memory?: number };
}

/** A package with a hook that judges requests as authorization plugins do: nothing may use the host's network. */
function policy(seen: Effective[]) {
  @injectable()
  class Policy {
    constructor(@inject(EngineApi.token) private readonly api: EngineApi) {}

    async start(): Promise<void> {
      this.api.use('authorize', (ctx, next) => {
        if (!ctx.path.endsWith('/build')) return next();
        ctx.state.reviewers.push(async (effective) => {
          seen.push(effective as Effective);
          if ((effective as Effective).HostConfig.NetworkMode === 'host')
            throw forbidden('not the network of the host');
        });
        return next();
      });
    }
  }
  return definePlugin({ id: 'policy', requires: [EngineApi], configSchema: Type.Object({}), setup: () => Policy });
}

test('the container of each RUN is judged as it would run, whatever name leads to the network of the host', async (t) => {
  const seen: Effective[] = [];
  const engine = await startBuilds(t, [policy(seen)]);
  const files = { Dockerfile: 'FROM base\nENV A=1\nRUN echo one\n' };
  t.is((await buildImage(engine, files, '&memory=67108864&nocache=1')).error, undefined);
  t.deepEqual(
    seen.map(({ Cmd, HostConfig }) => [Cmd.at(-1), HostConfig.Memory]),
    [
      ['echo one', 67_108_864],
      ['echo one', 67_108_864],
    ],
    'at its create and at its start',
  );
  const body = { Image: 'base', Cmd: ['sleep', '600'], HostConfig: { NetworkMode: 'host' } };
  t.is((await engine.ask('POST', '/containers/create?name=on-host', { body })).status, 201);
  for (const mode of ['host', 'container:on-host']) {
    const refused = await buildImage(engine, files, `&networkmode=${mode}&nocache=1`);
    t.like(refused.error, { error: 'not the network of the host' }, mode);
  }
  t.is((await engine.ask('GET', '/containers/json?all=1')).json<object[]>().length, 1, 'only the one on the host');
});
