import { Readable } from 'node:stream';
import { definePlugin } from '@gantry/core';
import { inject, injectable } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { ImageExchange } from '@gantry/images/service';
import type { TestEngine } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import test from 'ava';
import { extract } from 'tar-stream';
import { buildImage, startBuilds } from './testing/build-engine.js';

interface File {
  readonly name: string;
  readonly mode: number | undefined;
  readonly text: string;
}

/** Files of the last layer of the image. */
async function lastLayer(engine: TestEngine): Promise<readonly File[]> {
  const exchange = engine.kernel.service(ImageExchange);
  const layer = exchange.content('made').layers.at(-1);
  const reader = extract();
  Readable.from(await exchange.openLayer(layer?.storageId ?? '')).pipe(reader);
  const files: File[] = [];
  for await (const entry of reader) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    if (entry.header.type === 'file') {
      files.push({ name: entry.header.name, mode: entry.header.mode, text: Buffer.concat(chunks).toString() });
    }
  }
  return files;
}

test('a heredoc is the script of RUN, or behind its command as the shell reads it', async (t) => {
  const engine = await startBuilds(t);
  const script = 'FROM base\nARG who=anna\nRUN <<EOF\necho one\necho $who\nEOF\n';
  const made = await buildImage(engine, { Dockerfile: script });
  t.is(made.error, undefined, made.text);
  t.regex(made.text, /one\nanna\n/);
  // The shell of the tests has no heredocs: the command shows in its error.
  const { error } = await buildImage(engine, { Dockerfile: 'FROM base\nRUN exit 3 <<-EOF\n\ttext $who\n\tEOF\n' });
  t.is(error?.error, "The command '/bin/sh -c exit 3 <<-EOF\n\ttext $who\n\tEOF' returned a non-zero code: 3");
});

test('a heredoc of COPY is a file, with variables replaced unless its name is quoted', async (t) => {
  const engine = await startBuilds(t);
  const lines = [
    'FROM base',
    'ENV A=x',
    'COPY --chmod=0640 <<one <<"two" /d/',
    'a "$A" \\$A \\n',
    'one',
    '$A',
    'two',
    '',
  ];
  const made = await buildImage(engine, { Dockerfile: lines.join('\n') });
  t.is(made.error, undefined, made.text);
  t.deepEqual(await lastLayer(engine), [
    { name: 'd/one', mode: 0o640, text: 'a "x" $A \\n\n' },
    { name: 'd/two', mode: 0o640, text: '$A\n' },
  ]);
  const other = await buildImage(engine, { Dockerfile: lines.join('\n').replace('A=x', 'A=y') });
  t.notRegex(other.text, /COPY[^\n]*\n ---> Using cache/);
});

test('--chmod changes what is copied and is part of the cache key, and --link changes nothing', async (t) => {
  const engine = await startBuilds(t);
  const files = (flags: string) => ({ Dockerfile: `FROM base\nCOPY ${flags} d /d/\n`, 'd/f': 'text' });
  t.is((await buildImage(engine, files('--chmod=701 --link'))).error, undefined);
  t.deepEqual(await lastLayer(engine), [{ name: 'd/f', mode: 0o701, text: 'text' }]);
  t.regex((await buildImage(engine, files('--chmod=0701'))).text, /Using cache/);
  t.notRegex((await buildImage(engine, files('--chmod=0700'))).text, /Using cache/);
  t.is((await buildImage(engine, files('--chmod=u=rwX,go=r'))).error, undefined);
  t.deepEqual(await lastLayer(engine), [{ name: 'd/f', mode: 0o644, text: 'text' }]);
  const refused = await buildImage(engine, files('--chmod=u+y'));
  t.is(refused.error?.error, '--chmod: "u+y" is neither an octal mode nor one such as u=rwX,go=rX');
});

test('ADD --checksum takes a URL or a Git repository only', async (t) => {
  const engine = await startBuilds(t);
  const made = await buildImage(engine, { Dockerfile: 'FROM base\nADD --checksum=sha256:00 f /\n', f: '' });
  t.is(made.error?.error, 'checksum can only be specified for HTTP(S) and Git sources');
});

const contextFiles = { 'a.txt': '', 'b.md': '', 'x/c.txt': '', 'x/d.md': '', 'x/y/e.txt': '', 'x/y/f.md': '' };

for (const [flags, expected] of [
  ['--exclude=*.txt a.txt b.md /d/', 'd/a.txt d/b.md'],
  ['--exclude=*.txt x /d/', 'd/d.md d/y/e.txt d/y/f.md'],
  ['--exclude=**/*.txt x /d/', 'd/d.md d/y/f.md'],
  ['--exclude=y --exclude=!y/f.md x /d/', 'd/c.txt d/d.md d/y/f.md'],
  ['--parents a.txt x/y/f.md /p/', 'p/a.txt p/x/y/f.md'],
  ['--parents x/./y/*.md /p/', 'p/y/f.md'],
  ['--parents **/*.md /p/', 'p/b.md p/x/d.md p/x/y/f.md'],
  ['--parents x/y /p/', 'p/x/y/e.txt p/x/y/f.md'],
  ['--parents --exclude=**/*.txt x/ /p/', 'p/x/d.md p/x/y/f.md'],
] as const) {
  test(`COPY ${flags} copies ${expected}`, async (t) => {
    const engine = await startBuilds(t);
    const made = await buildImage(engine, { Dockerfile: `FROM base\nCOPY ${flags}\n`, ...contextFiles });
    t.is(made.error, undefined, made.text);
    t.is(
      (await lastLayer(engine))
        .map(({ name }) => name)
        .sort()
        .join(' '),
      expected,
    );
  });
}

test('what COPY excludes is no part of the cache key', async (t) => {
  const engine = await startBuilds(t);
  const files = { Dockerfile: 'FROM base\nCOPY --exclude=*.log d /d/\n', 'd/f': '1', 'd/x.log': '1' };
  await buildImage(engine, files);
  t.regex((await buildImage(engine, { ...files, 'd/x.log': '2' })).text, /Using cache/);
  t.notRegex((await buildImage(engine, { ...files, 'd/f': '2' })).text, /Using cache/);
});

test('COPY --parents of an absent path fails, naming it', async (t) => {
  const engine = await startBuilds(t);
  const made = await buildImage(engine, { Dockerfile: 'FROM base\nCOPY --parents x/absent /p/\n', ...contextFiles });
  t.regex(made.error?.error ?? '', /stat x\/absent: file does not exist/);
});

interface Effective {
  readonly HostConfig: {
    readonly NetworkMode: string;
    readonly Mounts?: readonly { readonly Type: string; readonly Target: string; readonly ReadOnly: boolean }[];
  };
}

test('mounts of RUN are mounts of the container of the step, and what they bind is part of the cache key', async (t) => {
  const seen: Effective[] = [];
  @injectable()
  class Watch {
    constructor(@inject(EngineApi.token) private readonly api: EngineApi) {}

    async start(): Promise<void> {
      this.api.use('authorize', (ctx, next) => {
        ctx.state.reviewers.push(async (effective) => void seen.push(effective as Effective));
        return next();
      });
    }
  }
  const watch = definePlugin({ id: 'watch', requires: [EngineApi], configSchema: Type.Object({}), setup: () => Watch });
  const engine = await startBuilds(t, [watch]);
  const mounts =
    '--mount=type=cache,target=/c --mount=type=tmpfs,target=t --mount=target=/src,source=d --mount=type=secret,id=absent';
  const files = {
    Dockerfile: `FROM base\nWORKDIR /w\nRUN --network=none ${mounts} echo ran\n`,
    'd/f': '1',
    other: '1',
  };
  const made = await buildImage(engine, files);
  t.is(made.error, undefined, made.text);
  const { NetworkMode, Mounts = [] } = seen.at(-1)?.HostConfig ?? { NetworkMode: '' };
  t.is(NetworkMode, 'none');
  t.deepEqual(Mounts.map((mount) => `${mount.Target} ${mount.Type} ${mount.ReadOnly}`).sort(), [
    '/c bind false',
    '/src bind true',
    '/w/t tmpfs false',
  ]);
  t.is((await buildImage(engine, { ...files, other: '2' })).text.match(/Using cache/g)?.length, 2);
  t.is((await buildImage(engine, { ...files, 'd/f': '2' })).text.match(/Using cache/g)?.length, 1);
  const path = '/build/prune?filters={"type":["exec.cachemount"]}';
  t.is((await engine.ask('POST', path)).json<{ CachesDeleted: string[] }>().CachesDeleted.length, 1);
  t.is((await engine.ask('POST', path)).json<{ CachesDeleted: null }>().CachesDeleted, null);
  const required = await buildImage(engine, {
    Dockerfile: 'FROM base\nRUN --mount=type=secret,id=s,required echo ran\n',
  });
  t.is(required.error?.error, 'secret s: not found');
});
