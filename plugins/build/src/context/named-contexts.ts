import type { NamedContext } from '../contract/build-request.js';
import type { BuildContext } from './build-context.js';
import type { ContextOpener } from './context-opener.js';

type DirectoryContext = Extract<NamedContext, { readonly kind: 'archive' | 'remote' }>;

/** What names of FROM and --from stand for, instead of stages and images. Directories are opened once per build. */
export class NamedContexts {
  readonly #open = new Map<NamedContext, Promise<BuildContext>>();

  constructor(
    private readonly given: ReadonlyMap<string, NamedContext>,
    private readonly opener: ContextOpener,
    private readonly signal: AbortSignal,
  ) {}

  /** By a name as it is written in the build file. */
  find(name: string): NamedContext | undefined {
    const short = name.replace(/^(?:docker\.io\/)?(?:library\/)?/, '').replace(/:latest$/, '');
    return this.given.get(name) ?? this.given.get(short) ?? this.given.get(name.toLowerCase());
  }

  directory(context: DirectoryContext): Promise<BuildContext> {
    const known = this.#open.get(context);
    if (known !== undefined) return known;
    const options = { signal: this.signal };
    const opened =
      context.kind === 'archive'
        ? this.opener.create(context.open, options)
        : this.opener.createRemote(context.url, options);
    this.#open.set(context, opened);
    return opened;
  }

  /** Never rejects. */
  async release(): Promise<void> {
    const opened = await Promise.allSettled(this.#open.values());
    this.#open.clear();
    await Promise.allSettled(opened.map((item) => (item.status === 'fulfilled' ? item.value.release() : undefined)));
  }
}
