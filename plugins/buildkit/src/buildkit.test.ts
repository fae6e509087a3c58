import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { definePlugin } from '@gantry/core';
import { inject, injectable } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { ImageExchange, type PullRequest } from '@gantry/images/service';
import { eventually } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import test from 'ava';
import { startBuildKit } from './testing/start-buildkit.js';

const built = (file: string, more: Readonly<Record<string, string>> = {}) => ({
  directories: { context: { Dockerfile: file, ...more } },
});

for (const throughGateway of [false, true]) {
  test(`a build ${throughGateway ? 'through the gateway' : 'of a frontend'} makes the image, and shows its steps`, async (t) => {
    const { engine, client } = await startBuildKit(t);
    const file = 'FROM base AS one\nENV A=1\nCOPY f /x/\nRUN echo ran $A\nCMD ["a"]\n';
    const made = await client.solve({ ...built(file, { f: 'text' }), throughGateway });
    t.is(made.error, undefined);
    t.deepEqual(made.steps, [
      '[internal] load build definition from Dockerfile',
      '[internal] load .dockerignore',
      '[internal] load metadata for docker.io/library/base:latest',
      '[one 1/3] FROM docker.io/library/base:latest CACHED',
      '[internal] load build context',
      '[one 2/3] COPY f /x/',
      '[one 3/3] RUN echo ran 1',
      'exporting to image',
    ]);
    t.is(made.log, 'ran 1\n');
    const image = (await engine.ask('GET', '/images/made/json')).json<{ Id: string; Config: object }>();
    t.is(made.response['containerimage.config.digest'], image.Id);
    t.is(made.response['image.name'], 'made:latest');
    t.like(image.Config, { Cmd: ['a'] });
    t.deepEqual((await engine.ask('GET', '/containers/json?all=1')).json(), []);
    const again = await client.solve({ ...built(file, { f: 'text' }), throughGateway });
    t.is(again.response['containerimage.config.digest'], image.Id);
    t.deepEqual(
      again.steps.filter((step) => step.endsWith(' CACHED')),
      [
        '[one 1/3] FROM docker.io/library/base:latest CACHED',
        '[one 2/3] COPY f /x/ CACHED',
        '[one 3/3] RUN echo ran 1 CACHED',
      ],
    );
  });
}

test('only files that steps copy are transferred, and none that the ignore file excludes', async (t) => {
  const { client } = await startBuildKit(t);
  const more = { '.dockerignore': '# note\n/*.log\n!keep.log\n', 'd/a': 'a', 'd/b': 'bb', 'd/c.log': '', other: 'x' };
  const made = await client.solve(built('FROM base\nCOPY d /d/\n', more));
  t.is(made.error, undefined);
  const [, , context] = made.transfers;
  t.like(context, { directory: 'context', paths: ['d'], excluded: ['*.log', '!keep.log'], requested: ['d/a', 'd/b'] });
  t.is(made.counts.get('transferring context:'), 3, 'the bytes of both files');
  const without = await client.solve(built('FROM base\nRUN echo ran\n', more));
  t.is(without.transfers.length, 2, 'no step needs the context');
  const variable = await client.solve(built('FROM base\nARG d=d\nCOPY $d /d/\n', more));
  t.deepEqual(variable.transfers[2]?.paths, [], 'any file may be meant');
});

test('the ignore file of the build file takes precedence', async (t) => {
  const { client } = await startBuildKit(t);
  const dockerfile = { 'my.file': 'FROM base\nCOPY . /d/\n', 'my.file.dockerignore': 'a' };
  const directories = { dockerfile, context: { '.dockerignore': 'b', a: 'a', b: 'b' } };
  const made = await client.solve({ directories, attributes: { filename: 'my.file' } });
  t.is(made.error, undefined);
  t.deepEqual(made.transfers.at(-1)?.excluded, ['a']);
});

test('only the stages that the target needs run, those that need each other not in parallel', async (t) => {
  const { client } = await startBuildKit(t);
  const file = [
    'FROM base AS a',
    'RUN echo a',
    'FROM base AS unused',
    'RUN exit 3',
    'FROM base AS b',
    'COPY --from=a /etc/passwd /x',
    'FROM b',
    'RUN echo last',
    'FROM base AS after',
    'RUN exit 4',
  ].join('\n');
  const made = await client.solve({ ...built(file), attributes: { target: '3' } });
  t.is(made.error, undefined);
  t.is(made.log, 'a\nlast\n');
  t.false(made.steps.some((step) => /unused|after/.test(step)));
  t.true(made.steps.includes('[stage-3 1/1] RUN echo last'));
});

test('build arguments, labels and platform arguments arrive', async (t) => {
  const { engine, client } = await startBuildKit(t);
  const file =
    'ARG TARGETOS\nFROM base\nARG who\nARG TARGETPLATFORM\nARG BUILDOS\nRUN echo $who $TARGETPLATFORM $BUILDOS\n';
  const attributes = { 'build-arg:who': 'anna', 'label:x': 'y $z', 'no-cache': '', filename: 'Dockerfile' };
  const made = await client.solve({ ...built(file), attributes });
  t.is(made.error, undefined);
  t.regex(made.log, /^anna linux\/\w+ linux\n$/);
  const { Config } = (await engine.ask('GET', '/images/made/json')).json<{ Config: object }>();
  t.like(Config, { Labels: { x: 'y $z' } });
});

test('the arguments of a stage are known to those made from it', async (t) => {
  const { client } = await startBuildKit(t);
  const file = 'FROM base AS one\nARG a=1\nARG b\nFROM one\nARG a=2\nRUN echo $a $b\nFROM base\nRUN echo $a none\n';
  const attributes = { 'build-arg:b': 'given', target: '1' };
  t.is((await client.solve({ ...built(file), attributes })).log, '2 given\n');
  t.is((await client.solve({ ...built(file), attributes: { ...attributes, target: '2' } })).log, 'none\n');
});

test('the history of an image is in the words of BuildKit', async (t) => {
  const { engine, client } = await startBuildKit(t);
  const file = [
    ...['FROM base', 'ARG a=1', 'ARG none', 'ENV B=$a C="d e"', 'RUN echo $a', 'RUN ["echo", "list"]'],
    ...['RUN <<EOF', 'echo text', 'EOF', 'COPY --chown=1:2 --chmod=640 f $B /d/', 'COPY <<X /x', 'text', 'X'],
    ...[
      'WORKDIR /w',
      'WORKDIR sub',
      'EXPOSE 80 53/udp',
      'VOLUME /v1 /v2',
      'HEALTHCHECK --interval=90s --retries=7 CMD a',
    ],
    ...['ONBUILD RUN echo trigger', 'SHELL ["/bin/sh", "-e", "-c"]', 'ENTRYPOINT ["a", "b"]', 'CMD echo $a'],
  ].join('\n');
  const made = await client.solve(built(file, { f: 'text', 1: 'one' }));
  t.is(made.error, undefined);
  const history = (await engine.ask('GET', '/images/made/history')).json<
    readonly { CreatedBy: string; Comment: string }[]
  >();
  const added = history.slice(0, 16);
  // As Docker 28.5 shows them.
  t.deepEqual(added.map(({ CreatedBy }) => CreatedBy).reverse(), [
    'ARG a=1',
    'ARG none',
    'ENV B=1 C=d e',
    'RUN |2 a=1 none= /bin/sh -c echo $a # buildkit',
    'RUN |2 a=1 none= echo list # buildkit',
    'RUN |2 a=1 none= /bin/sh -c echo text\n # buildkit',
    'COPY --chown=1:2 --chmod=640 f 1 /d/ # buildkit',
    'COPY <<X /x # buildkit',
    'WORKDIR /w',
    'WORKDIR /w/sub',
    'EXPOSE [53/udp 80/tcp]',
    'VOLUME [/v1 /v2]',
    `HEALTHCHECK &{["CMD-SHELL" "a"] "1m30s" "0s" "0s" "0s" '\\a'}`,
    'SHELL [/bin/sh -e -c]',
    'ENTRYPOINT ["a" "b"]',
    'CMD ["/bin/sh" "-e" "-c" "echo $a"]',
  ]);
  t.true(added.every(({ Comment }) => Comment === 'buildkit.dockerfile.v0'));
});

test('a failing step ends the build, shows its error and leaves no container', async (t) => {
  const { engine, client } = await startBuildKit(t);
  const made = await client.solve({
    ...built('FROM base\nRUN echo begun; exit 7\nRUN echo never\n'),
    throughGateway: true,
  });
  const message = 'process "/bin/sh -c echo begun; exit 7" did not complete successfully: exit code: 7';
  t.is(made.error?.message, message);
  t.is(made.error?.number, 2);
  t.is(made.steps.at(-1), `[2/3] RUN echo begun; exit 7 ERROR ${message}`);
  t.is(made.log, 'begun\n');
  t.deepEqual((await engine.ask('GET', '/containers/json?all=1')).json(), []);
  t.is((await engine.ask('GET', '/images/made/json')).status, 404);
});

test('when the client cancels, the step is killed and its container removed', async (t) => {
  const { engine, client } = await startBuildKit(t);
  const cancel = new AbortController();
  const solving = client.solve({ ...built('FROM base\nRUN echo begun && sleep 300\n'), signal: cancel.signal });
  const containers = async () => (await engine.ask('GET', '/containers/json')).json<unknown[]>().length;
  await eventually('the step runs', async () => (await containers()) === 1);
  cancel.abort();
  await t.throwsAsync(solving, { any: true, name: 'AbortError' });
  await t.notThrowsAsync(eventually('no container is left', async () => (await containers()) === 0));
});

test('credentials are asked for when an image is pulled, for its registry', async (t) => {
  const { engine, client } = await startBuildKit(t);
  const requests: PullRequest[] = [];
  engine.kernel.service(ImageExchange).setSource({
    pull: async (request) => {
      requests.push(request);
      throw new Error('absent');
    },
  });
  const hub = await client.solve(built('FROM elsewhere\n'));
  const other = await client.solve(built('FROM registry.example:5000/a/b\n'));
  t.deepEqual([hub.asked, other.asked], [['registry-1.docker.io'], ['registry.example:5000']]);
  t.is(hub.error?.message, 'absent');
  const keys = requests.map(({ keychain }) => [...(keychain ?? [])]);
  const credentials = { username: 'anna', password: 'word' };
  t.deepEqual(keys, [[['index.docker.io', credentials]], [['registry.example:5000', credentials]]]);
});

const refused: readonly (readonly [object, RegExp])[] = [
  [{ Definition: { def: [Buffer.from('x')] } }, /^Definition: low-level build definitions \(LLB\) are not supported/],
  [
    { FrontendAttrs: { 'context:a': 'input:a' }, FrontendInputs: { a: { def: [] } } },
    /^FrontendInputs a: low-level build definitions \(LLB\) are not supported/,
  ],
  [{ FrontendAttrs: { 'context:a': 'oci-layout://x' } }, /^context:a=oci-layout:\/\/x is not supported/],
  [{ Exporters: [{ Type: 'oci', Attrs: { tar: 'false' } }] }, /^the attribute tar=false of exporter oci/],
  [{ Cache: { Exports: [{ Type: 'local', Attrs: { dest: 'x', mode: 'most' } }] } }, /mode=most is not one of min, max/],
  [{ Cache: { Exports: [{ Type: 'registry', Attrs: { ref: 'x', compression: 'zstd' } }] } }, /compression=zstd is not/],
  [{ Frontend: 'nix.v0' }, /^frontend nix\.v0 is not supported/],
  [
    { Frontend: 'gateway.v0', FrontendAttrs: { source: 'team/frontend' } },
    /^frontend gateway\.v0 team\/frontend is not/,
  ],
  [{ FrontendAttrs: { 'attest:sbom': '' } }, /^attestations are not supported by this builder: attest:sbom=$/],
  [{ FrontendAttrs: { 'attest:provenance': 'mode=max' } }, /attest:provenance=mode=max$/],
  [{ FrontendAttrs: { nonsense: '1' } }, /^the attribute nonsense=1 is not supported/],
  [{ FrontendAttrs: { platform: 'linux/s390x' } }, /^platform: steps cannot run on linux\/s390x/],
  [{ FrontendAttrs: { 'build-arg:SOURCE_DATE_EPOCH': '0' } }, /^build argument SOURCE_DATE_EPOCH is not supported/],
  [{ Exporters: [{ Type: 'nix' }] }, /^exporter nix is not supported/],
  [
    { Exporters: [{ Type: 'moby', Attrs: { compression: 'zstd' } }] },
    /^the attribute compression=zstd of exporter moby/,
  ],
  [{ Entitlements: ['security.insecure'] }, /^entitlement security\.insecure is not supported/],
  [{ Cache: { Exports: [{ Type: 'gha' }] } }, /^cache export of type gha is not supported/],
  [{ Cache: { Imports: [{ Type: 's3' }] } }, /^cache import of type s3 is not supported/],
  [{ SourcePolicy: Buffer.from('x') }, /^SourcePolicy is not supported/],
];
test('attestations that buildx asks for by itself do not keep it from building', async (t) => {
  const { client } = await startBuildKit(t);
  const attributes = { 'attest:provenance': 'mode=min,inline-only=true,version=v1', 'attest:sbom': 'disabled=true' };
  t.is((await client.solve({ ...built('FROM base\n'), attributes })).error, undefined);
});

test('what this builder lacks is refused by name, and nothing runs', async (t) => {
  const { client } = await startBuildKit(t);
  for (const [request, message] of refused) {
    const { error, steps } = await client.solve({ ...built('FROM base\nRUN echo ran\n'), request });
    t.regex(error?.message ?? '', message);
    t.deepEqual(steps, []);
  }
});

test('a step that several stages begin with runs once', async (t) => {
  const { client } = await startBuildKit(t);
  const same = 'FROM base\nRUN echo same\nRUN echo also\n';
  const file = `${same.replace('base', 'base AS a')}${same.replace('base', 'base AS b')}FROM base\nCOPY --from=a /etc /a\nCOPY --from=b /etc /b\n`;
  const made = await client.solve(built(file));
  t.is(made.error, undefined);
  t.deepEqual(made.log.trim().split('\n').sort(), ['also', 'same']);
});

test('clients find the worker, an empty cache, and no other methods', async (t) => {
  const { client } = await startBuildKit(t);
  const names = 'moby.buildkit.v1.';
  const call = (method: string, request = `${method}Request`, response = `${method}Response`) =>
    client.call(`/${names}Control/${method}`, names + request, names + response, {});
  const workers = (await call('ListWorkers')) as { record: readonly { platforms: readonly object[] }[] };
  t.like(workers.record[0]?.platforms[0], { OS: 'linux' });
  t.deepEqual(await call('DiskUsage'), { record: [] });
  await t.throwsAsync(client.call('/nosuch.Service/Method', `${names}InfoRequest`, `${names}InfoResponse`, {}), {
    message: 'unknown method /nosuch.Service/Method',
  });
});

test('requests that do not upgrade to h2c, and sessions without an id, are refused', async (t) => {
  const { engine } = await startBuildKit(t);
  t.is((await engine.ask('POST', '/grpc')).status, 400);
  t.is((await engine.ask('POST', '/session', { headers: { Connection: 'Upgrade', Upgrade: 'h2c' } })).status, 400);
});

/** What the system area answers, of which an engine without it has nothing. */
@injectable()
class Ping {
  constructor(@inject(EngineApi.token) private readonly api: EngineApi) {}

  async start(): Promise<void> {
    this.api.routes('ping', (router) => {
      router.get('/_ping', (ctx) => {
        ctx.res.setHeader('Builder-Version', '1');
        ctx.body = 'OK';
      });
    });
  }
}
const ping = definePlugin({
  id: 'ping',
  requires: [EngineApi],
  configSchema: Type.Object({}),
  setup: () => Ping,
});

test('clients choose their builder by a header of _ping', async (t) => {
  const { engine } = await startBuildKit(t, [ping]);
  t.is((await engine.ask('GET', '/_ping')).headers['builder-version'], '2');
  t.is((await engine.ask('HEAD', '/v1.51/_ping')).headers['builder-version'], '2');
  const builderOf = async (agent: string) =>
    (await engine.ask('GET', '/_ping', { headers: { 'User-Agent': agent } })).headers['builder-version'];
  t.is(await builderOf('Docker-Client/28.5.2 (linux)'), '2');
  t.is(await builderOf('Docker-Client/20.10.24+dfsg1 (linux)'), '1', 'it would send POST /build?version=2');
});

test('a secret of the client is a file of the step, and gone afterwards', async (t) => {
  const contents: string[] = [];
  @injectable()
  class Watch {
    constructor(@inject(EngineApi.token) private readonly api: EngineApi) {}

    async start(): Promise<void> {
      this.api.use('authorize', (ctx, next) => {
        ctx.state.reviewers.push(async (effective) => {
          const { Mounts = [] } = (effective as { HostConfig: { Mounts?: { Source: string; Target: string }[] } })
            .HostConfig;
          for (const { Source, Target } of Mounts) contents.push(`${Target}=${await readFile(Source, 'utf8')}`);
        });
        return next();
      });
    }
  }
  const watch = definePlugin({ id: 'watch', requires: [EngineApi], configSchema: Type.Object({}), setup: () => Watch });
  const { engine, client } = await startBuildKit(t, [watch]);
  const file = 'FROM base\nRUN --mount=type=secret,id=one,required echo ran\n';
  const made = await client.solve({ ...built(file), secrets: { one: 'word' } });
  t.is(made.error, undefined);
  t.true(contents.includes('/run/secrets/one=word'), contents.join());
  t.deepEqual(await readdir(join(engine.directory, 'run/plugins/build/secrets')), []);
  const absent = await client.solve({ ...built(file.replace('echo', 'printf')), secrets: {} });
  t.is(absent.error?.message, 'secret one: not found');
});

test('a secret of the client is a variable of the step, and in no record of the image', async (t) => {
  const { client, engine } = await startBuildKit(t);
  const file = 'FROM base\nRUN --mount=type=secret,id=token,env=TOKEN echo got $TOKEN\n';
  const made = await client.solve({ ...built(file), secrets: { token: 'word' } });
  t.is(made.error, undefined);
  t.is(made.log, 'got word\n');
  const answers = ['json', 'history'].map((what) => engine.ask('GET', `/images/made/${what}`));
  const records = (await Promise.all(answers)).map(({ text }) => text).join('');
  t.true(records.includes('got $TOKEN'));
  t.false(records.includes('word'));
});

test('a session inside a call serves builds as one of its own connection does', async (t) => {
  const { client } = await startBuildKit(t);
  const made = await client.solve({ ...built('FROM base\nCOPY f /\n', { f: 'text' }), tunnelsSession: true });
  t.is(made.error, undefined);
  t.deepEqual(made.transfers.at(-1)?.requested, ['f']);
});
