import type { LogMessage } from './message.js';

/** Sends one container's messages to a log server. Calls are sequential. */
export interface Outlet {
  /**
   * Sends in order and resolves when all are delivered. When it rejects, some may have been; all are retried.
   * The signal aborts when the sink must close immediately.
   */
  send(messages: readonly LogMessage[], options: { readonly signal: AbortSignal }): Promise<SendResult | undefined>;
  /** Undelivered state, stored with the log's progress and passed in when the sink is opened again. */
  heldBack?(): string | undefined;
  /** Delivers what it holds back before the signal aborts, and releases everything. Called once. */
  close(options: { readonly signal: AbortSignal }): Promise<void>;
}

export interface SendResult {
  /** How many of the messages the server refuses for good. */
  readonly dropped: number;
}
