import type { LoadedEnvironment, StoredEntry } from './environment/load-environment.js';

/** Injects the path of the data file. */
export const StateFile = Symbol('gantry.state-lmdb.file');
export type StateFile = string;

/** Injects the entries of the data file as they were at the start. */
export const StoredEntries = Symbol('gantry.state-lmdb.entries');
export type StoredEntries = readonly StoredEntry[];

/** Injects the data file as it was read at the start. */
export const StoredEnvironment = Symbol('gantry.state-lmdb.environment');
export type StoredEnvironment = LoadedEnvironment;

/** The stores open in this process, by data file: opening one again closes the store that was abandoned. */
export const openStores = new Map<string, { close(): Promise<void> }>();
