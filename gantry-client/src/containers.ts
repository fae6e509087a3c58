import { ApiError } from './api-error.js';
import type { Caller } from './caller.js';
import { Container } from './container.js';
import type { Filters } from './filters.js';
import type { Images } from './images.js';
import type { CollectedOutput } from './output.js';
import type { ContainerCreateBody, ContainerSummary } from './types.js';

export interface RunOptions extends Omit<ContainerCreateBody, 'Image' | 'Cmd'> {
  readonly name?: string;
  /** Whether to pull the image: when it is not there (the default), always or never. */
  readonly pull?: 'missing' | 'always' | 'never';
  readonly signal?: AbortSignal;
}

export interface RunResult extends CollectedOutput {
  readonly exitCode: number;
}

/** The containers of an engine. */
export class Containers {
  constructor(
    private readonly caller: Caller,
    private readonly images: Pick<Images, 'pull'>,
  ) {}

  /** One that is there, by its id or name; no request is made. */
  get(id: string): Container {
    return new Container(this.caller, id);
  }

  list({
    all,
    filters,
  }: {
    readonly all?: boolean;
    readonly filters?: Filters;
  } = {}): Promise<readonly ContainerSummary[]> {
    return this.caller.json<readonly ContainerSummary[]>('GET /containers/json', { query: { all, filters } });
  }

  /** Creates one of the API's own configuration. The image must be there. */
  async create(
    body: ContainerCreateBody,
    { name, platform }: { readonly name?: string | undefined; readonly platform?: string } = {},
  ): Promise<Container> {
    const options = { query: { name, platform }, body };
    return this.get((await this.caller.json<{ readonly Id: string }>('POST /containers/create', options)).Id);
  }

  /** Creates one and starts it; the image is pulled if need be. */
  async start(image: string, command?: readonly string[], options: RunOptions = {}): Promise<Container> {
    const container = await this.prepare(image, command, options);
    await orRemove(container, () => container.start());
    return container;
  }

  /** Runs a command in a container of its own, which is removed. @returns its exit code, and what it wrote. */
  async run(image: string, command?: readonly string[], options: RunOptions = {}): Promise<RunResult> {
    const container = await this.prepare(image, command, options);
    return orRemove(container, async () => {
      const { output } = await container.attach({ ...(options.signal && { signal: options.signal }) });
      const { exit } = await container.waiting('next-exit', options.signal);
      const text = output.text();
      text.catch(() => undefined); // a failed start says more
      await container.start();
      const collected = await text;
      const { StatusCode: exitCode } = await exit;
      await container[Symbol.asyncDispose]();
      return { ...collected, exitCode };
    });
  }

  /** Creates one without starting it; the image is pulled if need be. */
  async prepare(image: string, command?: readonly string[], options: RunOptions = {}): Promise<Container> {
    const { name, pull = 'missing', signal, ...body } = options;
    const configuration = { ...body, Image: image, ...(command && { Cmd: command }) };
    if (pull === 'always') await this.images.pull(image, { ...(signal && { signal }) });
    try {
      return await this.create(configuration, { name });
    } catch (error) {
      if (pull !== 'missing' || !isMissingImage(error)) throw error;
      await this.images.pull(image, { ...(signal && { signal }) });
      return this.create(configuration, { name });
    }
  }
}

const isMissingImage = (error: unknown): boolean => ApiError.is(error, 404) && /no such image/i.test(error.message);

/** A container that is of no use is removed; the error says more than one of the removal. */
async function orRemove<T>(container: Container, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    await container[Symbol.asyncDispose]().catch(() => undefined);
    throw error;
  }
}
