/** What one process of the nodes does when it is asked, by name. */
export interface PartCommands {
  /** Nodes are started and join a swarm by its token, the first with this number. */
  join(request: JoinRequest): Promise<void>;
  /** How many containers run. */
  running(): Promise<number>;
  /** Whether every node has heard of a manager after a moment, in milliseconds since the epoch. */
  hasHeardSince(moment: number): Promise<boolean>;
  /** Waits until every node has heard of so many managers, for each so many seconds at most. */
  waitForManagers(count: number, seconds: number): Promise<void>;
  /**
   * Milliseconds from the manager's decision until the node had the task, of each that was assigned since this was asked for
   * last.
   */
  takeAssignmentDelays(): Promise<readonly number[]>;
  /** How often containers were created for each task. */
  createdByTask(): Promise<readonly (readonly [task: string, times: number])[]>;
  /** The backends of the published port, as the first node has them in effect. */
  backends(): Promise<readonly string[]>;
  /** Whether every node has the port in effect with these backends. */
  hasBackends(wanted: Backends): Promise<boolean>;
  /** Whether no node has a port in effect. */
  isWithoutPorts(): Promise<boolean>;
  /** The program of the task's container ends with an error, when it is on a node of this process. */
  fail(taskId: string): Promise<void>;
}

interface JoinRequest {
  readonly first: number;
  readonly count: number;
  /** `address:port` of a manager. */
  readonly manager: string;
  readonly token: string;
}

export interface Backends {
  /** How many there are; any number without it. */
  readonly count?: number;
  /** So many of these are among them. */
  readonly of: readonly string[];
  readonly kept: number;
}
