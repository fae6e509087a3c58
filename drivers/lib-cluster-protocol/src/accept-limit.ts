/**
 * Milliseconds that a node waits until a manager whose host is reached has accepted its connection. Managers accept a few
 * connections at a time: a node may have to wait for many others.
 */
export const acceptLimit = 15_000;
