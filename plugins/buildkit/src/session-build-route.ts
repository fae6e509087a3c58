import { SessionBuilds } from '@gantry/build/service';
import { inject, injectable } from '@gantry/core/driver';
import { SolveSessionBuild } from './solve/solve-session-build.js';

/** `POST /build?version=2`, a route of the build area. */
@injectable()
export class SessionBuildRoute {
  constructor(
    @inject(SessionBuilds.token) private readonly sessionBuilds: SessionBuilds,
    @inject(SolveSessionBuild) private readonly solve: SolveSessionBuild,
  ) {}

  /** @returns ends it. */
  start(): () => void {
    return this.sessionBuilds.register((build) => this.solve.build(build));
  }
}
