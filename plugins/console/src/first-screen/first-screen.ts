import { json } from 'node:stream/consumers';
import { Clock, inject, injectable } from '@gantry/core/driver';
import { EngineConnection } from '../engine/engine-connection.js';

/** What the pages' own components make of it; see `render-first-screen.tsx` among their sources. */
export interface RenderedScreen {
  readonly styles: string;
  /** Empty without containers: the browser renders another page then. */
  readonly html: string;
  readonly data: () => string;
}

interface Renderer {
  renderFirstScreen(data: {
    readonly user: string;
    readonly since: number;
    readonly containers?: readonly unknown[];
  }): RenderedScreen;
}

const rendererUrl = new URL('../../web/dist/server/first-screen.js', import.meta.url).href;

/** Milliseconds after which the browser shows that it waits for the list. */
const listTimeout = 1_000;

/**
 * The list of containers as the frame of the pages shows it, rendered for the document: a browser that had to run scripts
 * first, and then to ask for the list, would show it much later.
 */
@injectable()
export class FirstScreen {
  #renderer: Promise<Renderer> | undefined;

  constructor(
    @inject(EngineConnection) private readonly engine: EngineConnection,
    @inject(Clock.token) private readonly clock: Clock,
  ) {}

  async render(user: string, signal: AbortSignal): Promise<RenderedScreen> {
    const since = Number(this.clock.now() / 1_000_000_000n);
    // Loaded for the first browser: most daemons have none.
    this.#renderer ??= import(rendererUrl) as Promise<Renderer>;
    const [renderer, containers] = await Promise.all([this.#renderer, this.#list(signal)]);
    return renderer.renderFirstScreen({ user, since, ...(containers && { containers }) });
  }

  /** As any request of the browser, so that access lists and hooks apply. */
  async #list(signal: AbortSignal): Promise<readonly unknown[] | undefined> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(listTimeout)]);
    try {
      const path = '/containers/json?all=true';
      const answer = await this.engine.ask({ method: 'GET', path, headers: {}, signal: limited });
      if (answer.statusCode === 200) return (await json(answer)) as readonly unknown[];
      answer.resume();
    } catch {
      // The page asks again, and says why it fails.
    }
    return undefined;
  }
}
