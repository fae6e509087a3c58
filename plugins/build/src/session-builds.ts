import type { Readable } from 'node:stream';
import type { StepJudge } from '@gantry/containers/service';
import { injectable, type ServicePoint, servicePoint } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import type { JsonStream } from '@gantry/core/http';
import type { ClassicBuildRequest } from './contract/build-request.js';

/** A request of `POST /build?version=2`: for a builder that speaks with the client over its session. */
export interface SessionBuild {
  readonly request: ClassicBuildRequest;
  /** `client-session` for directories of the client; else as without a version. */
  readonly remote: string;
  readonly body: Readable;
  /** Path of the build file; empty for the default. */
  readonly fileName: string;
  /** Ids that the client chose; empty when it chose none. */
  readonly session: string;
  readonly reference: string;
  /** What to make of the result, as JSON; empty for an image. */
  readonly outputs: string;
  readonly signal: AbortSignal;
  readonly judge: StepJudge;
  /** Begins the answer. Until then errors have a status of their own. */
  begin(): JsonStream;
}

type SessionBuilder = (build: SessionBuild) => Promise<void>;

/** Where an area registers that serves clients with sessions. */
export interface SessionBuilds {
  /** @throws EngineError `conflict` for a second one. @returns unregisters it. */
  register(builder: SessionBuilder): () => void;
}

export const SessionBuilds: ServicePoint<SessionBuilds> = servicePoint<SessionBuilds>('session-builds');

@injectable()
export class RegisteredSessionBuilds implements SessionBuilds {
  #builder: SessionBuilder | undefined;

  get builder(): SessionBuilder | undefined {
    return this.#builder;
  }

  register(builder: SessionBuilder): () => void {
    if (this.#builder !== undefined) throw conflict('builds of sessions are served already');
    this.#builder = builder;
    return () => {
      this.#builder = undefined;
    };
  }
}
