import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import Docker from 'dockerode';
import { type CorpusCase, corpus } from './corpus.js';
import { type ImageFacts, readImageFacts } from './image-facts.js';
import { writeContext } from './write-context.js';

const image = 'gantry-corpus';

type Outcome = ImageFacts | { readonly error: string };

// `npm run corpus -- gantry=SOCKET other=SOCKET`: builds the corpus on both with the docker CLI, and compares.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    docker: { type: 'string', default: 'docker' },
    only: { type: 'string', multiple: true, default: [] },
    // An image of Debian with the packages that the README names.
    debian: { type: 'string', default: '' },
    // Writes what the last engine made, by which `npm test` judges its short form.
    record: { type: 'string' },
  },
});
const engines = positionals.map((argument) => argument.split('=', 2));
const recorded: Record<string, Outcome> = {};
let different = 0;
for (const each of corpus) {
  if (values.only.length > 0 && !values.only.includes(each.name)) continue;
  if (each.needsDebian && values.debian === '') {
    console.log(`left out  ${each.name}: --debian names no image`);
    continue;
  }
  const outcomes: Outcome[] = [];
  for (const [position, [, socket = '']] of engines.entries()) {
    outcomes.push(await build(each, socket, position === 0));
  }
  const differences = outcomes.slice(1).flatMap((other) => differencesOf(outcomes[0], other));
  console.log(`${differences.length === 0 ? 'same' : 'DIFFERENT'}  ${each.name}`);
  for (const line of differences) console.log(`    ${line}`);
  if (differences.length > 0) different += 1;
  const last = outcomes.at(-1);
  if (last !== undefined) recorded[each.name] = last;
}
console.log(`${different} different of ${Object.keys(recorded).length}`);
if (values.record !== undefined) await writeFile(values.record, `${JSON.stringify(recorded, undefined, 1)}\n`);
process.exitCode = different === 0 ? 0 : 1;

async function build(each: CorpusCase, socket: string, hasSyntax: boolean): Promise<Outcome> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-corpus-'));
  const client = new Docker({ socketPath: socket });
  try {
    await writeContext(directory, each, hasSyntax);
    const base = each.needsDebian ? ['--build-arg', `DEBIAN=${values.debian}`] : [];
    const args = ['build', '--progress', 'plain', '--tag', image, ...(each.options ?? []), ...base, '.'];
    const env = { ...process.env, DOCKER_HOST: `unix://${socket}`, DOCKER_BUILDKIT: '1' };
    const error = await new Promise<string | undefined>((resolve) => {
      execFile(values.docker, args, { cwd: directory, env, timeout: 120_000 }, (failure, _stdout, stderr) =>
        resolve(
          failure === null
            ? undefined
            : (/^ERROR: (.*)$/m.exec(stderr.split('\n').slice(-12).join('\n'))?.[1] ?? stderr),
        ),
      );
    });
    return error === undefined ? await readImageFacts(client, image) : { error: comparable(error) };
  } finally {
    await client
      .getImage(image)
      .remove({ force: true })
      .catch(() => undefined); // not built
    await rm(directory, { recursive: true });
  }
}

/** Without the names that an engine makes up. */
function comparable(error: string): string {
  return error.replace(/failed to calculate checksum of ref \S+ /, '');
}

function differencesOf(one: Outcome | undefined, other: Outcome): readonly string[] {
  const [left, right] = [flat(one), flat(other)];
  if (left.has('error') || right.has('error')) {
    return left.get('error') === right.get('error')
      ? []
      : [`${left.get('error') ?? 'built'} | ${right.get('error') ?? 'built'}`];
  }
  return [...new Set([...left.keys(), ...right.keys()])]
    .filter((key) => !isDeepStrictEqual(left.get(key), right.get(key)))
    .map((key) => `${key}: ${JSON.stringify(left.get(key))} | ${JSON.stringify(right.get(key))}`);
}

function flat(outcome: Outcome | undefined): ReadonlyMap<string, unknown> {
  if (outcome === undefined || 'error' in outcome) return new Map([['error', outcome?.error]]);
  return new Map<string, unknown>([
    ...Object.entries(outcome.config),
    ...Object.entries(outcome.files).map(([name, facts]) => [`/${name}`, facts] as const),
  ]);
}
