import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { definePlugin } from '@gantry/core';
import { inject, injectable } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import registry from '@gantry/registry';
import type { TestEngine } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import test from 'ava';
import { extract, pack } from 'tar-stream';
import { definitionOf } from './solve/source-definitions.js';
import { ClientServices } from './testing/client-services.js';
import { startBuildKit } from './testing/start-buildkit.js';
import { startStubRegistry } from './testing/stub-registry.js';

async function namesIn(tar: Buffer | undefined): Promise<readonly string[]> {
  const names: string[] = [];
  const reader = extract();
  Readable.from([tar ?? Buffer.alloc(0)]).pipe(reader);
  for await (const entry of reader) {
    names.push(entry.header.name.replace(/\/$/, ''));
    entry.resume();
  }
  return names;
}

const files = (file: string, more: Readonly<Record<string, string>> = {}) => ({
  directories: { context: { Dockerfile: file, ...more } },
});

test('the exporter local sends the files of the result, with the content of those that the client requests', async (t) => {
  const { client } = await startBuildKit(t);
  const services = new ClientServices(client.protocol);
  const made = await client.solve({
    ...files('FROM scratch\nCOPY d /d/\nCOPY x /x\n', { 'd/a': 'one', 'd/b/c': 'two', 'd.e': '', x: '' }),
    request: { Exporters: [{ Type: 'local', Attrs: {} }] },
    services,
    receivesDirectories: true,
  });
  t.is(made.error, undefined);
  t.deepEqual([...services.directory].sort(), [
    ['d', ''],
    ['d/a', 'one'],
    ['d/b', ''],
    ['d/b/c', 'two'],
    ['x', ''],
  ]);
});

test('a working directory is of the user of the stage, and a copied directory has the mode that is asked for', async (t) => {
  const { client } = await startBuildKit(t);
  const services = new ClientServices(client.protocol);
  const made = await client.solve({
    ...files('FROM scratch\nUSER 7:8\nWORKDIR /w\nCOPY --chmod=751 d /d/e\n', { 'd/f': 'x' }),
    request: { Exporters: [{ Type: 'tar', Attrs: {} }] },
    services,
  });
  t.is(made.error, undefined);
  const found: Record<string, readonly unknown[]> = {};
  const reader = extract();
  Readable.from([services.files.get('0') ?? Buffer.alloc(0)]).pipe(reader);
  for await (const entry of reader) {
    const { name, mode, uid, gid } = entry.header;
    found[name.replace(/\/$/, '')] = [mode?.toString(8), uid, gid];
    entry.resume();
  }
  t.like(found, { w: ['755', 7, 8], d: ['755', 0, 0], 'd/e': ['751', 0, 0], 'd/e/f': ['751', 0, 0] });
});

test('the exporters tar, oci and docker send one file each', async (t) => {
  const { client, engine } = await startBuildKit(t);
  const services = new ClientServices(client.protocol);
  const Exporters = [
    { Type: 'tar', Attrs: {} },
    { Type: 'oci', Attrs: { name: 'a:1' } },
    { Type: 'docker', Attrs: { name: 'b:2' } },
  ];
  const made = await client.solve({
    ...files('FROM scratch\nCOPY f /\n', { f: 'x' }),
    request: { Exporters },
    services,
  });
  t.is(made.error, undefined);
  t.deepEqual(await namesIn(services.files.get('0')), ['f']);
  for (const [id, name] of [
    ['1', 'a:1'],
    ['2', 'b:2'],
  ] as const) {
    const archive = services.files.get(id) ?? Buffer.alloc(0);
    const names = await namesIn(archive);
    for (const member of ['oci-layout', 'index.json', 'manifest.json']) t.true(names.includes(member), names.join(' '));
    t.true(archive.includes(`"RepoTags":["${name}"]`));
  }
  const tags = (await engine.ask('GET', '/images/json')).json<{ RepoTags: string[] }[]>();
  t.deepEqual(
    tags.flatMap(({ RepoTags }) => RepoTags ?? []).filter((tag) => /^[ab]:/.test(tag)),
    [],
  );
});

for (const mode of ['min', 'max'] as const) {
  test(`a cache of mode ${mode} in a directory of the client is used by another engine`, async (t) => {
    const file = 'FROM scratch AS one\nCOPY a /a\nFROM scratch\nCOPY --from=one /a /b\nONBUILD ENV A=b\nCOPY c /c\n';
    const texts = { a: 'a', c: 'c' };
    const [first, second] = await Promise.all([startBuildKit(t), startBuildKit(t)]);
    const services = new ClientServices(first.client.protocol);
    const Exports = [{ Type: 'local', Attrs: { dest: '/c', mode } }];
    const made = await first.client.solve({ ...files(file, texts), request: { Cache: { Exports } }, services });
    t.is(made.error, undefined);
    const { digest } = JSON.parse(made.response['cache.manifest'] ?? '{}') as { digest: string };
    t.deepEqual(await readdir(join(first.engine.directory, 'root/plugins/buildkit/exports')).catch(() => []), []);
    const Imports = [{ Type: 'local', Attrs: { src: '/c', digest } }];
    const again = await second.client.solve({ ...files(file, texts), request: { Cache: { Imports } }, services });
    t.is(again.error, undefined);
    const cached = again.steps.filter((step) => step.endsWith(' CACHED')).map((step) => step.slice(1, 8));
    t.deepEqual(cached, mode === 'max' ? ['one 1/1', 'stage-1', 'stage-1'] : ['stage-1', 'stage-1']);
    const idOf = async (engine: TestEngine) => (await engine.ask('GET', '/images/made/json')).json<{ Id: string }>().Id;
    t.is(await idOf(second.engine), await idOf(first.engine));
  });
}

test('an image and a cache that were pushed to a registry are taken from there by another engine', async (t) => {
  const host = await startStubRegistry(t);
  const file = 'FROM scratch AS one\nCOPY a /a\nFROM scratch\nCOPY --from=one /a /b\nONBUILD ENV A=b\nCOPY c /c\n';
  const [first, second] = await Promise.all([startBuildKit(t, [registry]), startBuildKit(t, [registry])]);
  const made = await first.client.solve({
    ...files(file, { a: 'a', c: 'c' }),
    request: {
      Exporters: [{ Type: 'image', Attrs: { name: `${host}/app:1`, push: 'true' } }],
      Cache: { Exports: [{ Type: 'registry', Attrs: { ref: `${host}/cache:1`, mode: 'max' } }] },
    },
  });
  t.is(made.error, undefined);
  const Imports = [{ Type: 'registry', Attrs: { ref: `${host}/cache:1` } }];
  const again = await second.client.solve({
    ...files(file, { a: 'a', c: 'changed' }),
    request: { Cache: { Imports } },
  });
  t.is(again.error, undefined);
  const cached = again.steps.filter((step) => step.endsWith(' CACHED')).map((step) => step.slice(1, 12));
  t.deepEqual(cached, ['one 1/1] CO', 'stage-1 1/2']);
  t.is((await second.engine.ask('POST', `/images/create?fromImage=${host}/app&tag=1`)).status, 200);
  const idOf = async (engine: TestEngine) =>
    (await engine.ask('GET', `/images/${host}/app:1/json`)).json<{ Id: string }>().Id;
  t.is(await idOf(second.engine), await idOf(first.engine));
  const absent = await second.client.solve({
    ...files(file, { a: 'a', c: 'c' }),
    request: { Cache: { Imports: [{ Type: 'registry', Attrs: { ref: `${host}/absent:1` } }] } },
  });
  t.is(absent.error, undefined);
  t.regex(absent.steps.join('\n'), /importing cache manifest from \S+\/absent:1 ERROR/);
});

test('a cache that is absent is shown, and the build goes on', async (t) => {
  const { client } = await startBuildKit(t);
  const Imports = [{ Type: 'local', Attrs: { src: '/c', digest: `sha256:${'0'.repeat(64)}` } }];
  const services = new ClientServices(client.protocol);
  const made = await client.solve({ ...files('FROM base\nRUN echo ran\n'), request: { Cache: { Imports } }, services });
  t.is(made.error, undefined);
  t.regex(made.steps.join('\n'), /importing cache manifest from local:\/c ERROR the client has no content/);
});

test('contexts with names stand for images and stages: of the client, of the engine, and of other builds', async (t) => {
  const { client } = await startBuildKit(t);
  const file =
    'FROM other AS one\nRUN exit 3\nFROM busy\nCOPY --from=dir n /n\nCOPY --from=one /etc/passwd /p\nRUN echo ran\n';
  const attributes = {
    'context:busy': 'docker-image://base',
    'context:dir': 'local:dir',
    'context:one': 'docker-image://base:latest',
  };
  const directories = { context: { Dockerfile: file }, dir: { n: 'named', '.dockerignore': 'x', x: '' } };
  const made = await client.solve({ directories, attributes });
  t.is(made.error, undefined);
  t.is(made.log, 'ran\n');
  t.like(made.transfers.at(-1), { directory: 'dir', excluded: ['x'] });
  const from = await client.solve({
    directories: { ...directories, context: { Dockerfile: 'FROM dir\nCOPY --from=dir n /m\n' } },
    attributes,
  });
  t.is(from.error, undefined);
});

test('an archive that the client uploads is the context, with the build file in it', async (t) => {
  const { client } = await startBuildKit(t);
  const services = new ClientServices(client.protocol);
  const tar = pack();
  tar.entry({ name: 'Dockerfile' }, 'FROM base\nCOPY f /f\nRUN echo ran\n');
  tar.entry({ name: 'f' }, 'text');
  tar.finalize();
  services.uploads.set('/one', await buffer(tar));
  const attributes = { context: 'http://buildkit-session/one' };
  const made = await client.solve({ directories: {}, attributes, services });
  t.is(made.error, undefined);
  t.is(made.log, 'ran\n');
});

test('connections of a step to its agent reach that of the client, and its socket is gone afterwards', async (t) => {
  const answers: string[] = [];
  @injectable()
  class Watch {
    constructor(@inject(EngineApi.token) private readonly api: EngineApi) {}

    async start(): Promise<void> {
      this.api.use('authorize', (ctx, next) => {
        ctx.state.reviewers.push(async (effective) => {
          const { Mounts = [] } = (effective as { HostConfig: { Mounts?: { Source: string; Target: string }[] } })
            .HostConfig;
          for (const { Source, Target } of Mounts) {
            const socket = connect(Source).setEncoding('utf8');
            socket.end('hello');
            answers.push(`${Target}: ${await socket.reduce((text: string, chunk: string) => text + chunk, '')}`);
          }
        });
        return next();
      });
    }
  }
  const watch = definePlugin({ id: 'watch', requires: [EngineApi], configSchema: Type.Object({}), setup: () => Watch });
  const { engine, client } = await startBuildKit(t, [watch]);
  const services = new ClientServices(client.protocol);
  const file = 'FROM base\nRUN --mount=type=ssh,required echo ran\nRUN --mount=type=ssh,id=nosuch echo none\n';
  const made = await client.solve({ ...files(file), services });
  t.is(made.error, undefined);
  t.true(answers.length > 0);
  for (const answer of answers) t.is(answer, '/run/buildkit/ssh_agent.0: HELLO');
  t.deepEqual(await readdir(join(engine.directory, 'run/plugins/build/secrets')), []);
  const required = await client.solve({ ...files('FROM base\nRUN --mount=type=ssh,required echo ran2\n') });
  t.is(required.error?.message, 'unset ssh forward key default');
});

test('where the classic builder refuses, files are copied and errors are worded as BuildKit does', async (t) => {
  const { client } = await startBuildKit(t);
  const build = async (lines: string) => {
    const services = new ClientServices(client.protocol);
    const made = await client.solve({
      directories: { context: { Dockerfile: `FROM scratch\n${lines}\n`, a: '1', b: '2', 'd/c': '3' } },
      request: { Exporters: [{ Type: 'local', Attrs: {} }] },
      services,
      receivesDirectories: true,
    });
    return made.error?.message ?? Object.fromEntries(services.directory);
  };
  t.deepEqual(await build('COPY ../b ../../d/../a /x/'), { x: '', 'x/a': '1', 'x/b': '2' });
  t.deepEqual(await build('COPY a b /x'), { x: '2' }, 'the last one replaces the others');
  t.deepEqual(await build('COPY d a /x'), { x: '', 'x/a': '1', 'x/c': '3' });
  t.deepEqual(await build('COPY a /y/\nCOPY a b /y'), { y: '', 'y/a': '1', 'y/b': '2' });
  t.deepEqual(await build('COPY a /\nCOPY z* /x/'), { a: '1' });
  t.deepEqual(await build('COPY a /a\nFROM scratch AS s\nCOPY b /b\nFROM scratch AS s\nCOPY d /\nFROM s'), { c: '3' });
  for (const [lines, message] of [
    ['COPY a d /x', 'cannot copy to non-directory: /x'],
    ['COPY absent /', 'failed to compute cache key: "/absent": not found'],
    ['NOSUCH x', 'dockerfile parse error on line 2: unknown instruction: NOSUCH'],
    ['COPY --nosuch=1 a /', 'dockerfile parse error on line 2: unknown flag: --nosuch'],
    ['SHELL sh', 'dockerfile parse error on line 2: SHELL requires the arguments to be in JSON form'],
  ] as const) {
    t.is(await build(lines), message);
  }
});

test('a small file that changed since it was listed is built as it is now', async (t) => {
  const { client } = await startBuildKit(t);
  const services = new ClientServices(client.protocol);
  const context = {
    Dockerfile: 'FROM scratch\nCOPY . /\n',
    '.dockerignore': 'Dockerfile\n.dockerignore\n',
    grown: { mode: 0o644, size: 1, text: 'longer' },
    shrunk: { mode: 0o644, size: 100, text: 's' },
  };
  const request = { Exporters: [{ Type: 'local', Attrs: {} }] };
  const made = await client.solve({ directories: { context }, request, services, receivesDirectories: true });
  t.is(made.error, undefined);
  t.is(services.directory.get('grown'), 'longer');
  t.is(services.directory.get('shrunk'), 's');
});

test('a result is the context of another build by the definition that the client received', async (t) => {
  const { client } = await startBuildKit(t);
  const image =
    (await client.solve(files('FROM base\nRUN echo first\n'))).response['containerimage.config.digest'] ?? '';
  const made = await client.solve({
    ...files('FROM other\nRUN echo second\n'),
    attributes: { 'context:other': 'input:other', 'input-metadata:other': '{}' },
    request: { FrontendInputs: { other: definitionOf(image, client.protocol) } },
  });
  t.is(made.error, undefined);
  t.is(made.log, 'second\n');
});

interface Item {
  readonly id?: string;
  readonly aux?: unknown;
  readonly error?: string;
}

test('POST /build?version=2 builds with the progress of BuildKit in its answer', async (t) => {
  const { client, engine } = await startBuildKit(t);
  const build = async (file: string) => {
    const tar = pack();
    tar.entry({ name: 'Dockerfile' }, file);
    tar.finalize();
    const body = Readable.from([await buffer(tar)], { objectMode: false });
    const headers = { 'Content-Type': 'application/x-tar' };
    return (await engine.ask('POST', '/build?version=2&t=made:v2', { headers, body })).lines<Item>();
  };
  const items = await build('FROM base AS unused\nRUN exit 3\nFROM base\nARG TARGETOS\nRUN echo $TARGETOS\n');
  const type = client.protocol.type('moby.buildkit.v1.StatusResponse');
  const logs = items
    .filter(({ id }) => id === 'moby.buildkit.trace')
    .map(({ aux }) => type.toObject(type.decode(Buffer.from(String(aux), 'base64')), { arrays: true }))
    .flatMap((status) =>
      (status as { logs: { msg: Uint8Array }[] }).logs.map(({ msg }) => Buffer.from(msg).toString()),
    );
  t.deepEqual(logs, ['linux\n']);
  const { Id } = (await engine.ask('GET', '/images/made:v2/json')).json<{ Id: string }>();
  t.deepEqual(items.at(-1), { id: 'moby.image.id', aux: { ID: Id } });
  const failed = await build('FROM base\nRUN exit 4\n');
  t.is(failed.at(-1)?.error, 'process "/bin/sh -c exit 4" did not complete successfully: exit code: 4');
});
