import type { Chunk } from '@gantry/core/streams';
import type { Instruction, Stage } from '../file/instruction.js';

/** Receives the progress of one stage. */
export interface StageOutput {
  /** An instruction of the stage, or its FROM, begins. The instruction before it is complete. */
  begin(instruction: Instruction): Promise<void>;
  /** The result of the instruction was in the cache. */
  cached(): Promise<void>;
  /** Text that the classic builder prints. */
  text(text: string): Promise<void>;
  /** Progress of something else, such as a pull, as the API's JSON. */
  object(item: object): Promise<void>;
  /** The output of a program, with the client's backpressure. */
  program(chunks: AsyncIterable<Chunk>): Promise<void>;
  /** The stage ended; with the error of its last instruction when it failed. */
  end(error?: unknown): Promise<void>;
}

export interface StagePosition {
  /** The number of the stage, of `count`. */
  readonly index: number;
  readonly count: number;
  /** Whether the stage continues another one instead of an image. */
  readonly continuesStage: boolean;
}

/** What will run. */
export interface BuildPlan {
  /** The number of ARG in front of the first FROM. */
  readonly globals: number;
  /** The stages, in the order of the file, with the number of their instructions, FROM among them. */
  readonly stages: readonly { readonly index: number; readonly instructions: number }[];
}

/** Receives the progress of a build. Stages that do not need each other run at the same time. */
export interface BuildOutput {
  /** Called once, before anything runs. */
  plan(plan: BuildPlan): void;
  /** ARG in front of the first FROM. */
  global(instruction: Instruction): Promise<void>;
  /** Text that the classic builder prints. */
  text(text: string): Promise<void>;
  stage(stage: Stage, position: StagePosition): StageOutput;
}
