import test from 'ava';
import type { RpcStatus } from './protocol/messages.js';
import { startBuildKit } from './testing/start-buildkit.js';

const files = (dockerfile: string) => ({ directories: { context: { Dockerfile: dockerfile } } });

type Client = Awaited<ReturnType<typeof startBuildKit>>['client'];

/** The details of the error that a build ends with, by their types. */
async function detailsOf(client: Client, dockerfile: string, throughGateway = false) {
  const { error } = await client.solve({ ...files(dockerfile), throughGateway });
  const type = client.protocol.type('google.rpc.Status');
  const status = type.toObject(type.decode(error?.status ?? Buffer.alloc(0)), { defaults: true }) as RpcStatus;
  return {
    message: status.message,
    details: Object.fromEntries(
      status.details.map(({ type_url: url, value }) => [
        url.split('/').at(-1),
        JSON.parse(Buffer.from(value).toString()),
      ]),
    ),
  };
}

const sourceOf = (text: string) => ({
  filename: 'Dockerfile',
  data: Buffer.from(text).toString('base64'),
  language: 'Dockerfile',
});

const lines = (...numbers: readonly number[]) => numbers.map((line) => ({ start: { line }, end: { line } }));

for (const throughGateway of [false, true]) {
  test(`a step that fails ${throughGateway ? 'in a build through the gateway ' : ''}is shown by its lines, vertex and exit code`, async (t) => {
    const { client } = await startBuildKit(t);
    const text = 'FROM base\n# comment\nRUN echo begun; \\\n  exit 7\nRUN echo last\n';
    const { message, details } = await detailsOf(client, text, throughGateway);
    t.regex(message, /did not complete successfully: exit code: 7$/);
    const { 'errdefs.Vertex+json': vertex, ...others } = details;
    t.regex(vertex.digest, /^sha256:[0-9a-f]{64}$/);
    t.deepEqual(others, {
      'errdefs.Source+json': { info: sourceOf(text), ranges: lines(3, 4) },
      'gatewayapi.ExitMessage+json': { Code: 7 },
    });
  });
}

test('what cannot be read is shown by its lines, and an instruction that looks alike is named', async (t) => {
  const { client } = await startBuildKit(t);
  const text = 'FROM base\nRUN true\nCOPPY a \\\n b\n';
  const { message, details } = await detailsOf(client, text);
  t.is(message, 'dockerfile parse error on line 3: unknown instruction: COPPY (did you mean COPY?)');
  t.deepEqual(details, { 'errdefs.Source+json': { info: sourceOf(text), ranges: lines(3, 4) } });
  const flag = await detailsOf(client, 'FROM base\nCOPY --form=a b c\n');
  t.is(flag.message, 'dockerfile parse error on line 2: unknown flag: --form (did you mean from?)');
  const early = await detailsOf(client, 'ARG a\nRUN true\n');
  t.deepEqual(early.details['errdefs.Source+json'].ranges, lines(2));
});

test('a large build file is sent along, and one that is too large is not', async (t) => {
  const { client } = await startBuildKit(t);
  const text = `FROM base\n${'# a line of a comment\n'.repeat(1000)}RUN exit 7\n`;
  const { details } = await detailsOf(client, text);
  t.is(Buffer.from(details['errdefs.Source+json'].info.data, 'base64').toString(), text);
  const larger = await detailsOf(client, text + '# a line of a comment\n'.repeat(30_000));
  t.deepEqual(larger.details['gatewayapi.ExitMessage+json'], { Code: 7 });
  t.is(larger.details['errdefs.Source+json'], undefined);
});
