/** What the process of the simulated nodes does when it is asked, by name. */
export interface FleetCommands {
  /** More nodes join. */
  join(request: { readonly count: number; readonly manager: string; readonly token: string }): Promise<void>;
  /** The node that joined first leaves and is gone. Resolves to its id. */
  leave(): Promise<string>;
  /** The programs of so many containers that run end with an error. Resolves to how many there were. */
  fail(count: number): Promise<number>;
  observe(): Promise<FleetObservation>;
  /** Bytes in use on the heap, after a collection of garbage. */
  heap(): Promise<number>;
}

export interface FleetObservation {
  readonly runningContainers: number;
  readonly certificates: readonly string[];
  /** Certificates that nodes were seen to have had, since the start. */
  readonly certificatesSeen: number;
  /** Keys of encrypted networks that nodes have received, since the start. */
  readonly keysSeen: number;
}
