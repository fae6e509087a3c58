import { EngineError } from '@gantry/core/errors';
import { ImageExchange } from '@gantry/images/service';
import test from 'ava';
import { startBuildKit } from './testing/start-buildkit.js';

const files = (dockerfile: string) => ({
  directories: { dockerfile: { Dockerfile: dockerfile }, context: { f: 'f' } },
});

const base = 'docker.io/library/base:latest';

test('an image that several stages name is shown once, in the place of the last that asks for it', async (t) => {
  const { client } = await startBuildKit(t);
  const file = [
    'FROM base AS one',
    'COPY f /one',
    'FROM base:latest',
    'COPY --from=one /one /two',
    'FROM one',
    'COPY --from=base /etc/passwd /x',
    'COPY --from=1 /two /y',
  ].join('\n');
  const made = await client.solve(files(file));
  t.is(made.error, undefined);
  const isOfImage = (step: string): boolean => /FROM|metadata/.test(step);
  t.deepEqual(made.steps.filter(isOfImage), [
    `[internal] load metadata for ${base}`,
    `[stage-1 1/2] FROM ${base} CACHED`,
  ]);
  const rest = made.steps.filter((step) => step.startsWith('[') && !step.startsWith('[internal]') && !isOfImage(step));
  t.deepEqual([...rest].sort(), [
    '[one 2/2] COPY f /one',
    '[stage-1 2/2] COPY --from=one /one /two',
    '[stage-2 1/2] COPY --from=base /etc/passwd /x',
    '[stage-2 2/2] COPY --from=1 /two /y',
  ]);
});

test('an image that only --from names is no step of a stage, and scratch is none either', async (t) => {
  const { client } = await startBuildKit(t);
  const made = await client.solve(files('FROM scratch\nCOPY --from=base /etc/passwd /x\nCOPY f /f\n'));
  t.is(made.error, undefined);
  t.deepEqual(made.steps.slice(2), [
    `[internal] load metadata for ${base}`,
    `FROM ${base} CACHED`,
    '[1/2] COPY --from=base /etc/passwd /x',
    '[internal] load build context',
    '[2/2] COPY f /f',
    'exporting to image',
  ]);
});

test('instructions are shown with the values of their variables, and scripts by their first line', async (t) => {
  const { client } = await startBuildKit(t);
  const lines = ['ENV A=b C="d e"', 'ARG X=1', `run echo $A "$A" '$A' \${C} $X $NOPE \${NOPE:-5} \\$A \${A:-x}`];
  const made = await client.solve(files(`FROM base\n${lines.join('\n')}\nRUN <<EOF\necho first\necho second\nEOF\n`));
  t.is(made.error, undefined);
  t.deepEqual(made.steps.slice(-3, -1), [
    `[2/3] RUN echo b "b" '$A' d e 1 $NOPE \${NOPE:-5} \\$A b`,
    '[3/3] RUN <<EOF (echo first...)',
  ]);
});

test('triggers of an image are shown as steps of the stage, and numbers are as wide as the last', async (t) => {
  const { client } = await startBuildKit(t);
  const image = await client.solve({
    ...files('FROM base\nONBUILD RUN echo   trigger\nONBUILD ENV A=b\n'),
    request: { Exporters: [{ Type: 'moby', Attrs: { name: 'triggers' } }] },
  });
  t.is(image.error, undefined);
  const made = await client.solve(files(`FROM triggers AS s\n${'RUN true\n'.repeat(8)}`));
  t.is(made.error, undefined);
  t.deepEqual(made.steps.slice(3, 6), [
    '[s 1/9] FROM docker.io/library/triggers:latest CACHED',
    '[s  2/11] ONBUILD RUN echo   trigger',
    '[s  3/11] RUN true',
  ]);
});

test('the layers of an image are fetched in its step, and an image that is not found fails the search', async (t) => {
  const { engine, client } = await startBuildKit(t);
  const stored = (await engine.ask('GET', '/images/base/json')).json<{ Id: string }>().Id;
  engine.kernel.service(ImageExchange).setSource({
    pull: async ({ reference, progress }) => {
      if (reference.startsWith('absent')) throw new EngineError('not-found', 'there is no such image');
      progress?.({ status: 'Pulling from library/other', id: 'latest' });
      return stored;
    },
  });
  const made = await client.solve(files('FROM other\nRUN true\n'));
  t.deepEqual(made.steps.slice(2, 4), [
    '[internal] load metadata for docker.io/library/other:latest',
    '[1/2] FROM docker.io/library/other:latest',
  ]);
  const failed = await client.solve(files('FROM absent\nRUN true\n'));
  t.is(
    failed.steps.at(-1),
    '[internal] load metadata for docker.io/library/absent:latest ERROR there is no such image',
  );
});
