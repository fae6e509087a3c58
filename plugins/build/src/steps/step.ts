import type { Instruction } from '../file/instruction.js';
import type { BuildSession } from '../session/build-session.js';
import type { StageState } from '../stage/stage-state.js';

/** Executes one kind of instruction. */
export interface Step {
  run(session: BuildSession, state: StageState, instruction: Instruction): Promise<void>;
}
