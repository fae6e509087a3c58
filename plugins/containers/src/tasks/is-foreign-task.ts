/**
 * Whether a task belongs to another area, whose ids start with a prefix of its own and a hyphen (see `RuntimeDriver`).
 * Ids of containers have no hyphen.
 */
export const isForeignTask = (taskId: string): boolean => taskId.includes('-');
