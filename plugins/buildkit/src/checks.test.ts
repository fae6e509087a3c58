import test from 'ava';
import { startBuildKit } from './testing/start-buildkit.js';

const files = (dockerfile: string) => ({ directories: { context: { Dockerfile: dockerfile } } });

test('what could be better in a build file is a warning at the step that reads it', async (t) => {
  const { client } = await startBuildKit(t);
  const text = 'FROM base AS One\nENV A=$PTAH\nCMD echo \\\n  a\n';
  const made = await client.solve(files(text));
  t.is(made.error, undefined);
  const [casing, variable, json] = made.warnings;
  t.is(made.warnings.length, 3);
  t.is(Buffer.from(casing?.short ?? '').toString(), "StageNameCasing: Stage name 'One' should be lowercase (line 1)");
  t.regex(Buffer.from(variable?.short ?? '').toString(), /^UndefinedVar: .+ \(did you mean \$PATH\?\) \(line 2\)$/);
  t.regex(json?.vertex ?? '', /^sha256:[0-9a-f]{64}$/);
  t.is(Number(json?.level), 1);
  t.is(json?.url, 'https://docs.docker.com/go/dockerfile/rule/json-args-recommended/');
  t.is(Buffer.from(json?.info.data ?? '').toString(), text);
  t.deepEqual(
    json?.ranges.map(({ start, end }) => [start.line, end.line]),
    [
      [3, 3],
      [4, 4],
    ],
  );
});

test('a build file or its client can have violations fail the build', async (t) => {
  const { client } = await startBuildKit(t);
  const text = '# check=error=true\nFROM base AS One\nCMD echo a\n';
  const failed = await client.solve(files(text));
  t.is(failed.error?.message, 'lint violation found for rules: StageNameCasing, JSONArgsRecommended');
  t.is(failed.warnings.length, 2);
  const check = { 'build-arg:BUILDKIT_DOCKERFILE_CHECK': 'skip=all' };
  const skipped = await client.solve({ ...files(text), attributes: check });
  t.is(skipped.error, undefined);
  t.deepEqual(skipped.warnings, []);
});

test('a client gets the checks of a build file without a build', async (t) => {
  const { client, engine } = await startBuildKit(t);
  const check = async (text: string) => {
    const attributes = { requestid: 'frontend.lint' };
    const made = await client.solve({ ...files(text), attributes, throughGateway: true });
    t.is(made.error, undefined);
    const { 'result.json': json = '{}', 'result.statuscode': code } = made.metadata;
    return { code, ...(JSON.parse(json) as { warnings: object[]; buildError?: object }) };
  };
  t.like(await check('FROM base\nRUN exit 3\n'), { code: '0', warnings: [] });
  t.like(await check('FROM base AS One\n'), {
    code: '1',
    warnings: [{ ruleName: 'StageNameCasing', location: { ranges: [{ start: { line: 1 }, end: { line: 1 } }] } }],
  });
  t.like(await check('FROM base\nCOPPY a b\n'), {
    code: '1',
    buildError: {
      message: 'dockerfile parse error on line 2: unknown instruction: COPPY (did you mean COPY?)',
      location: { ranges: [{ start: { line: 2 }, end: { line: 2 } }] },
    },
  });
  t.is((await engine.ask('GET', '/images/made/json')).status, 404);
});
