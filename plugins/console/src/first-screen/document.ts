import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Context, openBody } from '@gantry/core/http';
import type { RenderedScreen } from './first-screen.js';

/** The document of the pages, with what its first screen shows. */
export class Document {
  readonly #head: string;

  constructor(document: string) {
    const end = document.indexOf('</head>');
    this.#head = document.slice(0, end);
  }

  /**
   * Sends the head at once, so that the browser makes ready for the page and loads its files while the rest is rendered.
   * @param policy the policy of the pages, which allows styles of their files.
   */
  async send<P>(
    ctx: Context<P>,
    policy: string,
    render: (signal: AbortSignal) => Promise<RenderedScreen>,
  ): Promise<void> {
    const { signal } = ctx.state;
    const nonce = randomBytes(16).toString('base64');
    ctx.set('Content-Security-Policy', policy.replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`));
    ctx.set('Cache-Control', 'no-store');
    const output = openBody(ctx, { contentType: 'text/html; charset=utf-8' });
    output.write(this.#head);
    const { styles, html, data } = await render(signal);
    output.write(`<style nonce="${nonce}">${styles}</style></head><body>${html}`);
    // The browser draws the screen meanwhile.
    await nextTurn();
    output.write(`<script type="application/json" id="first-screen">${data()}</script></body></html>\n`);
  }
}
