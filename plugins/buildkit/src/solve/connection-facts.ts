import type { StepJudge } from '@gantry/containers/service';

/** What a connection of a client brings to its calls. */
export interface ConnectionFacts {
  /** Judges the containers of builds, as hooks of the request that opened the connection decide. */
  readonly judge: StepJudge;
}
