import engineApi from '@gantry/engine-api';
import images from '@gantry/images';
import { archive, state, storage } from '@gantry/memory-drivers';
import { startEngine, type TestEngine, type TestOwner } from '@gantry/test-engine';
import registry from '../index.js';
import { tarOf } from './tar.js';

/** An engine of a test's own that pulls and pushes, on memory. Waits between tries are short. */
export const startPuller = (t: TestOwner, config: object = {}): Promise<TestEngine> =>
  startEngine(t, [engineApi, archive, state, storage, images, registry], {
    plugins: { registry: { retryDelayMilliseconds: 5, ...config } },
  });

export const auth = (credentials: object): Record<string, string> => ({
  'X-Registry-Auth': Buffer.from(JSON.stringify(credentials)).toString('base64url'),
});

/** Makes an image of one file and gives it a name; resolves to its id. */
export async function makeImage(engine: TestEngine, repository: string, tag = 'latest', text = tag): Promise<string> {
  const query = new URLSearchParams({ fromSrc: '-', repo: repository, tag });
  const body = await tarOf({ mark: text });
  await engine.ask('POST', `/images/create?${query}`, { body, headers: { 'Content-Type': 'application/x-tar' } });
  return idOf(engine, `${repository}:${tag}`);
}

export async function idOf(engine: TestEngine, name: string): Promise<string> {
  return String((await engine.ask('GET', `/images/${name}/json`)).json().Id);
}

export const remove = (engine: TestEngine, name: string) => engine.ask('DELETE', `/images/${name}?force=1`);

type Item = {
  readonly status?: string;
  readonly id?: string;
  readonly error?: string;
  readonly aux?: { readonly Digest: string };
};

interface Progress {
  readonly status: number;
  readonly lines: readonly Item[];
  /** The texts, with the id in front where there is one. */
  readonly texts: readonly string[];
  readonly error: string | undefined;
}

export async function pull(
  engine: TestEngine,
  query: Readonly<Record<string, string>>,
  headers: Record<string, string> = {},
): Promise<Progress> {
  return progressOf(await engine.ask('POST', `/images/create?${new URLSearchParams(query)}`, { headers }));
}

export async function push(
  engine: TestEngine,
  repository: string,
  tag: string,
  headers: Record<string, string> = {},
): Promise<Progress> {
  return progressOf(await engine.ask('POST', `/images/${repository}/push?tag=${tag}`, { headers }));
}

function progressOf(answer: Awaited<ReturnType<TestEngine['ask']>>): Progress {
  const lines = answer.lines<Item & { readonly message?: string }>();
  return {
    status: answer.status,
    lines,
    texts: lines.map(({ id, status }) => `${id === undefined ? '' : `${id}: `}${status}`),
    error: lines.map(({ error, message }) => error ?? message).find((words) => words !== undefined),
  };
}
