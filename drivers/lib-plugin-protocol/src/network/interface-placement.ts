import type { JoinRequest } from '@gantry/core/contracts';
import type { JoinAnswer } from './parse-join-answer.js';

/** Places interfaces that plugins made into sandboxes. A port, so that tests need no kernel. */
export interface InterfacePlacement {
  /**
   * Moves the interface from the host into the sandbox and sets name, addresses and routes. Rejects `not-found` without
   * the sandbox, `internal` without the interface.
   */
  place(request: JoinRequest, answer: JoinAnswer): void;
  /** Adds the default route through the endpoint, or deletes it, as the request says. */
  changeDefaultRoute(request: JoinRequest, answer: JoinAnswer): void;
  /** Moves the interface back to the host, for the plugin to delete. Absent: returns. */
  restore(request: JoinRequest, answer: JoinAnswer): void;
}
