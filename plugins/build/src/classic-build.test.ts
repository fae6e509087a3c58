import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { Lifetime, silentLogger } from '@gantry/core/driver';
import { ImageExchange, type PullRequest } from '@gantry/images/service';
import { eventually } from '@gantry/test-engine';
import test from 'ava';
import { pack } from 'tar-stream';
import { ClassicBuild } from './classic-build.js';
import { BackgroundReleases } from './context/background-releases.js';
import { type Built, buildImage, startBuilds, tarOf } from './testing/build-engine.js';

const idOf = ({ text }: Built): string => /Successfully built ([0-9a-f]{12})/.exec(text)?.[1] ?? `no image: ${text}`;

test('the output shows each step, and the image gets its name', async (t) => {
  const engine = await startBuilds(t);
  const made = await buildImage(engine, {
    Buildfile: 'FROM base\nARG who=anna\nENV A=1 B="$who"\nRUN echo hello $A\nLABEL x=$B\nCMD ["a b"]\n',
  });
  t.is(made.error, undefined);
  t.regex(made.text, /^Step 1\/6 : FROM base\n ---> [0-9a-f]{12}\nStep 2\/6 : ARG who=anna\n/);
  t.regex(made.text, / ---> Running in ([0-9a-f]{12})\nhello 1\nRemoving intermediate container \1\n ---> /);
  t.regex(made.text, /Successfully built [0-9a-f]{12}\nSuccessfully tagged made:latest\n$/);
  const image = (await engine.ask('GET', '/images/made/json')).json<{ Config: object }>();
  t.like(image.Config, { Cmd: ['a b'], Labels: { x: 'anna' } });
  t.deepEqual((await engine.ask('GET', '/containers/json?all=1')).json(), []);
});

test('an unchanged build is cached, also after a restart, and a changed file is not', async (t) => {
  const engine = await startBuilds(t);
  const files = { Buildfile: 'FROM base\nCOPY f d /x/\nWORKDIR /w\nRUN echo ran\n', f: 'one', 'd/g': 'two' };
  const first = await buildImage(engine, files);
  t.is(first.error, undefined);
  const again = await buildImage(engine, { ...files, '.dockerignore': 'other', other: 'newer files, other times' });
  t.is(idOf(again), idOf(first));
  t.is(again.text.match(/Using cache/g)?.length, 3);
  await engine.restart();
  t.is(idOf(await buildImage(engine, files)), idOf(first));
  const changed = await buildImage(engine, { ...files, 'd/g': 'three' });
  t.not(idOf(changed), idOf(first));
  t.notRegex(changed.text, /Using cache/);
  t.not(idOf(await buildImage(engine, files, '&nocache=1')), idOf(first));
});

test('output and images are those of the classic builder', async (t) => {
  const engine = await startBuilds(t);
  const lines = [
    'FROM base AS one',
    'CMD ["a"]',
    'ENTRYPOINT ["b"]',
    'HEALTHCHECK CMD true',
    'ONBUILD ARG A="x y"',
    'ONBUILD RUN echo trigger',
    'FROM one',
    'HEALTHCHECK NONE',
    'ENTRYPOINT []',
    'EXPOSE 8080:80 127.0.0.1::53/udp',
    'COPY f g /x/',
    'RUN echo a \\',
    '',
    ' b',
  ];
  const files = { Buildfile: lines.join('\n'), f: '', g: '' };
  const made = await buildImage(engine, files, '&t=made:latest');
  t.is(made.error, undefined);
  const warning = '\u001b[91m[WARNING]: Empty continuation line found in:\n    RUN echo a  b\n';
  t.true(made.text.startsWith(`${warning}[WARNING]: Empty continuation lines will become errors`));
  t.regex(
    made.text,
    /FROM one\n# Executing 2 build triggers\n ---> Running in \w+\ntrigger\nRemoving .*\n ---> \w+\nStep 8/,
  );
  t.regex(made.text, /Step 8.*\nNote: overriding previous HEALTHCHECK: \[CMD-SHELL true\]\n/);
  t.is(made.text.match(/Successfully tagged/g)?.length, 1);
  const { Config } = (await engine.ask('GET', '/images/made/json')).json<{ Config: Record<string, unknown> }>();
  t.like(Config, { Entrypoint: null, Healthcheck: { Test: ['NONE'] }, ExposedPorts: { '80/tcp': {}, '53/udp': {} } });
  const history = (await engine.ask('GET', '/images/made/history')).json<{ CreatedBy: string }[]>();
  t.regex(history[1]?.CreatedBy ?? '', /^\/bin\/sh -c #\(nop\) COPY multi:[0-9a-f]{64} in \/x\/ $/);
  t.true(history.some(({ CreatedBy }) => CreatedBy === '/bin/sh -c #(nop)  ARG A=x y'));
  for (const [line, message] of [
    ['COPY http://x/y /', "COPY failed: source can't be a URL for COPY"],
    ['COPY /../f /', 'COPY failed: forbidden path outside the build context: /../f ()'],
    ['COPY --chown=a:b:c f /', /^unable to convert uid\/gid chown string to host mapping: invalid chown string format/],
    ['EXPOSE 80/x', 'Invalid proto: x'],
    ['EXPOSE 70000', 'Invalid containerPort: 70000'],
  ] as const) {
    const { error } = await buildImage(engine, { Buildfile: `FROM base\n${line}\n`, f: '' });
    if (typeof message === 'string') t.is(error?.error, message);
    else t.regex(error?.error ?? '', message);
  }
});

test('unsupported parameters are refused', async (t) => {
  const engine = await startBuilds(t);
  for (const [query, message] of [
    ['squash=1', 'squash is only supported with experimental mode'],
    ['securityopt=seccomp=x', 'The daemon on this platform does not support setting security options on build'],
    ['isolation=hyperv', 'Unsupported isolation: "hyperv"'],
    ['version=2', 'this engine has no BuildKit'],
  ] as const) {
    t.like(await buildImage(engine, { Buildfile: 'FROM base' }, `&${query}`), { status: 400 }, message);
  }
});

test('steps in the history of a cachefrom image are cached', async (t) => {
  const engine = await startBuilds(t);
  const lines = 'FROM base\nARG who=x\nRUN echo ran $who\nCOPY f /x/\nENV A=1\n';
  const first = idOf(await buildImage(engine, { Buildfile: `${lines}CMD ["a"]\n`, f: 'one' }));
  const saved = (await engine.ask('GET', '/images/made/get')).bytes;
  await engine.ask('DELETE', '/images/made?force=1');
  const headers = { 'Content-Type': 'application/x-tar' };
  await engine.ask('POST', '/images/load', { headers, body: saved });

  const from = `&cachefrom=${encodeURIComponent(JSON.stringify(['nosuch', 'made']))}`;
  const part = await buildImage(engine, { Buildfile: `${lines}CMD ["b"]\n`, f: 'one' }, `${from}&t=part`);
  t.is(part.text.match(/Using cache/g)?.length, 4, part.text);
  const config = (await engine.ask('GET', '/images/part/json')).json<{ Config: object }>().Config;
  t.like(config, { Cmd: ['b'] });
  const listed = (await engine.ask('GET', '/images/json')).json<{ Id: string; RepoTags: string[] }[]>();
  const unnamed = listed.filter(({ RepoTags }) => RepoTags.length === 0).map(({ Id }) => Id.slice(7, 19));
  t.deepEqual(unnamed, [first], 'the image that lost its name, and nothing that lies between');
  await engine.ask('POST', '/images/load', { headers, body: saved });
  const whole = await buildImage(engine, { Buildfile: `${lines}CMD ["a"]\n`, f: 'one' }, from);
  t.is(idOf(whole), first);
  t.notRegex(
    (await buildImage(engine, { Buildfile: 'FROM base\nARG who=y\nRUN echo ran $who\n' }, from)).text,
    /cache/,
  );
});

test('only copied files pass from stage to stage', async (t) => {
  const engine = await startBuilds(t);
  const made = await buildImage(engine, {
    Dockerfile: 'ARG B=base\nFROM $B AS one\nCOPY f /out/f\nFROM scratch\nCOPY --from=one /out /\n',
    f: 'text',
  });
  t.is(made.error, undefined);
  const image = (await engine.ask('GET', '/images/made/json')).json<{ Size: number; RootFS: { Layers: string[] } }>();
  t.deepEqual([image.Size, image.RootFS.Layers.length], [4, 1]);
});

test('a failing step ends the build with its exit code', async (t) => {
  const engine = await startBuilds(t);
  const made = await buildImage(engine, { Buildfile: 'FROM base\nRUN exit 7\nRUN echo never\n' }, '&forcerm=1');
  t.is(made.status, 200);
  const message = "The command '/bin/sh -c exit 7' returned a non-zero code: 7";
  t.deepEqual(made.error, { errorDetail: { code: 7, message }, error: message });
  t.notRegex(made.text, /never\n$/);
  t.deepEqual((await engine.ask('GET', '/containers/json?all=1')).json(), []);
});

test('no step runs when a line is invalid', async (t) => {
  const engine = await startBuilds(t);
  for (const [lines, message] of [
    ['FROM base\nRUN echo ran\nNOSUCH\n', 'dockerfile parse error line 3: unknown instruction: NOSUCH'],
    ['FROM base AS a\nRUN echo ran\nFROM base AS A\n', 'dockerfile parse error line 3: duplicate name A'],
  ] as const) {
    const made = await buildImage(engine, { Buildfile: lines });
    t.deepEqual([made.error?.error, made.text], [message, '']);
  }
});

test('arguments are part of the cache key, and only declared ones are recorded', async (t) => {
  const engine = await startBuilds(t);
  const files = { Buildfile: 'FROM base\nARG who\nRUN echo $who $http_proxy\n' };
  const given = (values: object) => `&buildargs=${encodeURIComponent(JSON.stringify(values))}`;
  const one = await buildImage(engine, files, given({ who: 'one', http_proxy: 'secret', other: 'x' }));
  t.regex(one.text, /one secret\n/);
  t.regex(one.text, /\[Warning\] One or more build-args \[other\] were not consumed\n/);
  t.not(idOf(await buildImage(engine, files, given({ who: 'two', http_proxy: 'secret' }))), idOf(one));
  t.is(idOf(await buildImage(engine, files, given({ who: 'one', http_proxy: 'another' }))), idOf(one));
  const history = (await engine.ask('GET', `/images/${idOf(one)}/history`)).json<{ CreatedBy: string }[]>();
  t.is(history[0]?.CreatedBy, '|1 who=one /bin/sh -c echo $who $http_proxy');
});

test('a quiet build prints only the id, and all output when it fails', async (t) => {
  const engine = await startBuilds(t);
  t.regex((await buildImage(engine, { Buildfile: 'FROM base\nLABEL a=b' }, '&q=1')).text, /^sha256:[0-9a-f]{64}\n/);
  const failed = await buildImage(engine, { Buildfile: 'FROM base\nRUN exit 1' }, '&q=1&forcerm=1');
  t.regex(failed.text, /^Step 1\/2/);
});

test('files are left out, links lead nowhere else, and nothing of a build stays', async (t) => {
  const engine = await startBuilds(t);
  const ignored = await buildImage(engine, { Buildfile: 'FROM base\nCOPY a /\n', '.dockerignore': 'a', a: '1' });
  t.regex(ignored.error?.error ?? '', /^COPY failed: file not found in build context or excluded/);
  const outside = await buildImage(engine, { Buildfile: 'FROM base\nCOPY ../../etc/passwd /\n' });
  t.regex(outside.error?.error ?? '', /forbidden path outside the build context/);
  const missing = await buildImage(engine, { Buildfile: 'FROM base' }, '&buildfile=../../etc/passwd');
  t.is(missing.status, 400);
  const left = await readdir(join(engine.directory, 'data'), { recursive: true });
  t.deepEqual(
    left.filter((path) => /contexts\/./.test(path)),
    [],
  );
});

test('when the client disconnects, the step is killed and its container removed', async (t) => {
  const engine = await startBuilds(t);
  const headers = { 'Content-Type': 'application/x-tar' };
  const body = await tarOf({ Buildfile: 'FROM base\nRUN echo begun && sleep 300\n' });
  const opened = await engine.open('POST', '/build', { headers, body });
  for await (const piece of opened.body) if (String(piece).includes('begun\\n"')) break;
  opened.leave();
  await t.notThrowsAsync(
    eventually('no container is left', async () => {
      const all = (await engine.ask('GET', '/containers/json?all=1')).json<unknown[]>();
      return all.length === 0;
    }),
  );
});

test('the pull of a base image gets all credentials of the build, for its source to choose from', async (t) => {
  const engine = await startBuilds(t);
  const requests: PullRequest[] = [];
  engine.kernel.service(ImageExchange).setSource({
    pull: async (request) => {
      requests.push(request);
      throw new Error('absent');
    },
  });
  const body = await tarOf({ Buildfile: 'FROM elsewhere\n' });
  const config = { 'https://index.docker.io/v1/': { username: 'hub' }, 'registry.example:5000': { username: 'own' } };
  const headers = {
    'Content-Type': 'application/x-tar',
    'X-Registry-Config': Buffer.from(JSON.stringify(config)).toString('base64url'),
  };
  await engine.ask('POST', '/build', { headers, body });
  const [request] = requests;
  t.is(request?.reference, 'elsewhere:latest');
  t.is(request?.credentials, undefined);
  t.deepEqual([...(request?.keychain?.keys() ?? [])], ['index.docker.io', 'registry.example:5000']);
});

test('without a usable context or build file the build answers 400, with nothing in a stream', async (t) => {
  const engine = await startBuilds(t);
  const ask = async (body: Readable, query = '') => {
    const headers = { 'Content-Type': 'application/x-tar' };
    const answer = await engine.ask('POST', `/build?t=made${query}`, { headers, body });
    return [answer.status, answer.json().message];
  };
  const link = pack();
  link.entry({ name: 'Dockerfile', type: 'symlink', linkname: '../../../../etc/passwd' });
  link.finalize();
  const linked = Readable.from([await buffer(link)], { objectMode: false });
  t.deepEqual(await ask(await tarOf({ Dockerfile: '' })), [400, 'the Dockerfile (Dockerfile) cannot be empty']);
  t.deepEqual(await ask(await tarOf({ Dockerfile: '# nothing\n' })), [
    400,
    'failed to parse Dockerfile (Dockerfile): file with no instructions',
  ]);
  for (const [body, query, message] of [
    [await tarOf({ other: '' }), '', /^Cannot locate specified Dockerfile/],
    [linked, '', /^Cannot locate specified Dockerfile/],
    [await tarOf({ Dockerfile: 'FROM base\n' }), '&buildfile=../x', /not within the build context/],
    [Readable.from([Buffer.from('no archive '.repeat(99))], { objectMode: false }), '', /./],
  ] as const) {
    const [status, words] = await ask(body, query);
    t.is(status, 400, String(words));
    t.regex(String(words), message);
  }
  t.deepEqual(await readdir(join(engine.directory, 'data/plugins/build/contexts')), []);
});

test('the build file and the ignore file may be links inside the context', async (t) => {
  const engine = await startBuilds(t);
  const tar = pack();
  tar.entry({ name: 'docker/file' }, 'FROM base\nCOPY kept /x/\nCOPY ignored /x/\n');
  tar.entry({ name: 'docker/ignore' }, 'ignored\n');
  tar.entry({ name: 'Dockerfile', type: 'symlink', linkname: 'docker/file' });
  tar.entry({ name: '.dockerignore', type: 'symlink', linkname: '/docker/ignore' });
  tar.entry({ name: 'ignored' }, 'text');
  tar.entry({ name: 'kept' }, 'text');
  tar.finalize();
  const headers = { 'Content-Type': 'application/x-tar' };
  const body = Readable.from([await buffer(tar)], { objectMode: false });
  const answer = await engine.ask('POST', '/build?t=made', { headers, body });
  const output = answer.lines<{ stream?: string; error?: string }>();
  t.regex(output.map(({ stream }) => stream ?? '').join(''), /Step 3\/3 : COPY ignored/);
  t.regex(output.at(-1)?.error ?? '', /COPY failed: .*stat ignored: file does not exist/);
});

test('RUN [] runs the command of the image, and needs one', async (t) => {
  const engine = await startBuilds(t);
  const made = await buildImage(engine, { Buildfile: 'FROM base\nCMD ["echo", "of the image"]\nRUN []\n' });
  t.is(made.error, undefined, made.text);
  t.regex(made.text, /Running in \w+\nof the image\n/);
  const [newest] = (await engine.ask('GET', '/images/made/history')).json<{ CreatedBy: string }[]>();
  t.is(newest?.CreatedBy, '');
  const failed = await buildImage(engine, { Buildfile: 'FROM base\nRUN []\n' });
  t.is(failed.error?.error, 'No command specified');
});

test('VOLUME refuses a file of the image, and takes a directory or what is absent', async (t) => {
  const engine = await startBuilds(t);
  const failed = await buildImage(engine, { Buildfile: 'FROM base\nVOLUME /etc/passwd\n' });
  t.is(failed.error?.error, 'cannot mount volume over existing file, file exists /etc/passwd');
  const made = await buildImage(engine, { Buildfile: 'FROM base\nVOLUME /etc ["/a"]\nVOLUME ["/etc", "/new"]\n' });
  t.is(made.error, undefined, made.text);
  const { Config } = (await engine.ask('GET', '/images/made/json')).json<{ Config: { Volumes: object } }>();
  t.true('/new' in Config.Volumes);
});

test('an image whose configuration has null everywhere is a base', async (t) => {
  const engine = await startBuilds(t);
  const exchange = engine.kernel.service(ImageExchange);
  const { rootfs } = JSON.parse(exchange.content('base').configuration);
  const nulls = { Env: null, Cmd: null, Entrypoint: null, Labels: null, Volumes: null, OnBuild: null, Shell: null };
  const config = { ...nulls, WorkingDir: null, User: null, Healthcheck: null, ExposedPorts: null };
  const configuration = JSON.stringify({ rootfs, config, author: null, history: null, container_config: null });
  await exchange.add({ configuration, openLayer: () => t.fail() as never, references: ['nulls:1'] });
  const lines = 'FROM nulls:1\nENV A=1\nLABEL a=1\nEXPOSE 80\nVOLUME /v\nWORKDIR /w\nRUN echo ran\n';
  const made = await buildImage(engine, { Buildfile: lines });
  t.is(made.error, undefined, made.text);
  t.regex(made.text, /\nran\n/);
});

test('a prune removes the cached steps that no image with a name needs, and checks its parameters', async (t) => {
  const engine = await startBuilds(t);
  const prune = async (query = '') => {
    const answer = await engine.ask('POST', `/build/prune?${query}`);
    return answer.status === 200 ? answer.json<{ CachesDeleted: readonly string[] | null }>().CachesDeleted : undefined;
  };
  const files = { Buildfile: 'FROM base\nRUN echo ran\nENV A=1\n' };
  const first = idOf(await buildImage(engine, files));
  await engine.ask('POST', '/containers/create?name=box', { body: { Image: 'base' } });
  await engine.ask('POST', '/commit?container=box');
  const count = async () => (await engine.ask('GET', '/images/json?all=1')).json<unknown[]>().length;
  const all = await count();
  t.is(await prune('all=1'), null);
  t.is(await count(), all, 'an image with a name needs its steps, and nothing else comes from a build');
  t.is(idOf(await buildImage(engine, files)), first);
  await buildImage(engine, { Buildfile: 'FROM base\nLABEL other=1\n' });
  t.is(await prune('filters={"type":["exec.cachemount"]}'), null);
  t.is(await prune('filters={"until":["1h"]}'), null);
  const removed = (await prune()) ?? [];
  t.is(removed.length, 2);
  t.true(removed[0]?.startsWith(first), 'the last step goes first');
  const event = engine.events.find(({ type, action }) => type === 'builder' && action === 'prune');
  t.truthy(event?.actor.attributes.reclaimed);
  t.is((await engine.ask('GET', `/images/${first}/json`)).status, 404);
  t.not(idOf(await buildImage(engine, files)), first);
  t.is(await prune('filters={"nonsense":["1"]}'), undefined);
  t.is(await prune('keep-storage=many'), undefined);
});

test('a build does not wait until its context is removed, and has caches kept to their limits', async (t) => {
  let remove = (): void => undefined;
  const removed = new Promise<void>((resolve) => {
    remove = resolve;
  });
  const context = { directory: '/context', release: () => removed };
  const buildFile = { name: 'Dockerfile', text: 'FROM base\n' };
  const lifetime = new Lifetime();
  const releases = new BackgroundReleases(silentLogger, lifetime);
  let collections = 0;
  const build = new ClassicBuild(
    { open: async () => ({ context, buildFile }) } as never,
    { run: async () => 'sha256:made' } as never,
    {} as never,
    releases,
    { collect: () => collections++ } as never,
  );
  const output = { result: async () => undefined } as never;
  const options = { signal: new AbortController().signal, judge: async () => undefined } as never;
  t.is(
    await build.build({} as never, { tags: [], target: '', labels: {} } as never, () => output, options),
    'sha256:made',
  );
  t.is(collections, 1);
  let hasStopped = false;
  const stopped = lifetime.release().then(() => {
    hasStopped = true;
  });
  await setImmediate();
  t.false(hasStopped, 'the engine stops when the files are gone');
  remove();
  await stopped;
});
