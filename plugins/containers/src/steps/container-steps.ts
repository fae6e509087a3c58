import type { Readable } from 'node:stream';
import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import type { Chunk } from '@gantry/core/streams';
import type { CreateBody } from '../schema.js';

/**
 * What areas may do that make images of containers: commits, and builds, which run each step in one. The verbs are
 * those of the routes, with the same events and errors.
 */
export interface ContainerSteps {
  /**
   * Spec: POST /containers/create. Resolves to the id. The caller removes it or says that it is to be kept: when the
   * daemon dies before, the next one removes it.
   */
  create(body: CreateBody, name?: string, judge?: StepJudge): Promise<string>;
  /** The caller keeps it: it stays, as every other container does, when the daemon dies. */
  keep(reference: string): Promise<void>;
  start(reference: string, options?: StepStart): Promise<void>;
  /** Resolves to the exit code when it does not run (any more). */
  wait(reference: string, options?: { readonly signal?: AbortSignal }): Promise<number>;
  /** Sends SIGKILL and resolves when it has ended. Rejects `conflict` when it does not run. */
  kill(reference: string): Promise<void>;
  /** Joins the streams of a run: called before the start, it gets everything. */
  output(reference: string): StepOutput;
  /** Kills it first when it runs; with its anonymous volumes. */
  remove(reference: string): Promise<void>;
  /**
   * What the container changed in its root as a layer, without volumes and without what a start makes to mount
   * something at; undefined when it changed nothing. The caller owns the stream.
   */
  layer(reference: string, options?: LayerOptions): Promise<Readable | undefined>;
  /** Pauses a container that runs, and wakes it up again whatever becomes of the work. */
  whilePaused<T>(reference: string, work: () => Promise<T>): Promise<T>;
}

export interface LayerOptions {
  readonly signal?: AbortSignal;
  /** Paths of mounts that a start may have made a place for, which is not of the layer. */
  readonly mountPoints?: readonly string[];
}

export interface LayerOptions {
  readonly signal?: AbortSignal;
  /** Paths of mounts that a start may have made a place for, which is not of the layer. */
  readonly mountPoints?: readonly string[];
}

export interface StepStart {
  readonly judge?: StepJudge;
  /** Variables of the program that are stored nowhere, such as secrets; they take precedence. */
  readonly environment?: readonly string[];
}

/** Judges the body that would create the container as it would run; rejects when it must not. */
export type StepJudge = (effective: () => Promise<object>) => Promise<void>;

export interface StepOutput {
  /** Ends with the run. */
  readonly chunks: AsyncIterable<Chunk>;
  /** To be called in every case. */
  leave(): void;
}

export const ContainerSteps: ServicePoint<ContainerSteps> = servicePoint<ContainerSteps>('container-steps');
