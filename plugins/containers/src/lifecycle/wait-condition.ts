import { invalidArgument } from '@gantry/core/errors';

const conditions = ['not-running', 'next-exit', 'removed'] as const;
export type WaitCondition = (typeof conditions)[number];

/** Reads the `condition` of a wait. @throws EngineError `invalid-argument`. */
export function parseWaitCondition(text: string | undefined): WaitCondition {
  if (text === undefined || text === '') return 'not-running';
  const condition = conditions.find((candidate) => candidate === text);
  if (condition === undefined) throw invalidArgument(`invalid condition: "${text}" is not ${conditions.join(', ')}`);
  return condition;
}
