import type { LogMessage } from './message.js';

/** The way to a log server, for one container. Calls come one after the other. */
export interface Outlet {
  /**
   * Sends in order and resolves when all are handed over. When it rejects, some may have been: all of them come again.
   * The signal aborts when the sink must end now.
   */
  send(messages: readonly LogMessage[], options: { readonly signal: AbortSignal }): Promise<SendResult | undefined>;
  /** What it holds back, kept with the log's progress and given back when the sink is opened again. */
  heldBack?(): string | undefined;
  /** Hands over what it holds back, within the signal, and frees everything. Called once. */
  close(options: { readonly signal: AbortSignal }): Promise<void>;
}

export interface SendResult {
  /** How many of the messages the server will never take. */
  readonly dropped: number;
}
