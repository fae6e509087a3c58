/**
 * Whether a task is another area's, which begins its ids with a name of its own and a hyphen (see `RuntimeDriver`).
 * Ids of containers have none.
 */
export const isOthers = (taskId: string): boolean => taskId.includes('-');
