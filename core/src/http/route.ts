import type { Handler, Params } from './context.js';
import type { StatusExceptions } from './status.js';

/** One method and path, with what is declared beside it. */
export class Route {
  /** Statuses of this route where the document differs from the table. */
  exceptions: StatusExceptions | undefined;

  constructor(
    readonly method: string,
    /** The path as declared, such as `/containers/:id/json`. */
    readonly path: string,
    /** Who added the route, for the message about a second one. */
    readonly owner: string,
    readonly handler: Handler<Params>,
  ) {}

  /** Answers these kinds of error with another status than the table's, where the API's document says so. */
  errors(exceptions: StatusExceptions): this {
    this.exceptions = { ...this.exceptions, ...exceptions };
    return this;
  }
}
