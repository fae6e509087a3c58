import type { Context } from '../exchange/context.js';

/**
 * The media type of the output of a process: raw bytes of a terminal, or frames of two streams. Clients of older versions
 * know one type for both.
 */
export const streamType = <P>(ctx: Context<P>, { raw }: { readonly raw: boolean }): string =>
  raw || !ctx.state.speaks('multiplexed-stream')
    ? 'application/vnd.engine.raw-stream'
    : 'application/vnd.engine.multiplexed-stream';
