/** States of a task in the order in which it passes them. All from `complete` on are final. */
export const taskStates = [
  'new',
  'allocated',
  'pending',
  'assigned',
  'accepted',
  'preparing',
  'ready',
  'starting',
  'running',
  'complete',
  'shutdown',
  'failed',
  'rejected',
  'remove',
  'orphaned',
] as const;

export type TaskState = (typeof taskStates)[number];

const ranks = new Map<string, number>(taskStates.map((state, index) => [state, index]));

/** A negative number, zero or a positive one, as `left` comes before, with or after `right`. */
export const compareStates = (left: TaskState, right: TaskState): number =>
  (ranks.get(left) ?? 0) - (ranks.get(right) ?? 0);

export const isFinal = (state: TaskState): boolean => compareStates(state, 'running') > 0;
