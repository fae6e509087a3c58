export interface AttachRequest {
  /** The log first. */
  readonly logs: boolean;
  /** Live output and input. */
  readonly stream: boolean;
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  /** Undefined: those of the start. */
  readonly detachKeys: readonly number[] | undefined;
  /** Without frames even without a terminal, for WebSockets. */
  readonly raw: boolean;
}
