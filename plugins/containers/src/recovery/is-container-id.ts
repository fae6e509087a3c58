/** Whether a name found on disk can be a container's. */
export const isContainerId = (name: string): boolean => /^[0-9a-f]{64}$/.test(name);
