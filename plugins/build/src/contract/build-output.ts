import type { Chunk } from '@gantry/core/streams';
import type { Lookup } from '../file/expand.js';
import type { Instruction, Stage } from '../file/instruction.js';

/** A file with its name, as the client names it. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** Receives the progress of one stage. */
export interface StageOutput {
  /** An instruction of the stage, or its FROM, begins, with the variables that it sees. The one before it is complete. */
  begin(instruction: Instruction, variables: Lookup): Promise<void>;
  /** FROM has found this many ONBUILD triggers in its image, which run next. */
  triggers(count: number): void;
  /** One of them begins. */
  beginTrigger(instruction: Instruction, variables: Lookup): Promise<void>;
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

/** Receives the progress of one image that stages name, from its registry or the engine's own store. */
export interface ImageOutput {
  /** Progress of a pull, as the API's JSON: the registry has answered what the image is. */
  object(item: object): void;
  end(outcome: { readonly wasStored: boolean } | { readonly error: unknown }): void;
}

/** What FROM of a stage stands for; `context` also for a result of another build. */
export type StageBase =
  | { readonly kind: 'stage' | 'scratch' | 'context' }
  /** By its full name, such as `docker.io/library/busybox:latest`. */
  | { readonly kind: 'image'; readonly reference: string };

export interface StagePosition {
  /** The number of the stage, of `count` in the build file. */
  readonly index: number;
  readonly count: number;
  readonly base: StageBase;
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
  /** The build file has been read, and is not parsed yet. Called again with the same. */
  buildFile(file: NamedText): void;
  /** Called once, before anything runs. */
  plan(plan: BuildPlan): void;
  /** ARG in front of the first FROM. */
  global(instruction: Instruction): Promise<void>;
  /** Text that the classic builder prints. */
  text(text: string): Promise<void>;
  stage(stage: Stage, position: StagePosition): StageOutput;
  /**
   * An image is looked for, once for all steps that name it. `from` is the stage whose FROM stands for all of them;
   * undefined where only `--from` and `from=` name it.
   */
  image(reference: string, from?: { readonly stage: Stage; readonly position: StagePosition }): ImageOutput;
}
