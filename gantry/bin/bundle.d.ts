/** Whether processes run the bundle, and not the compiled modules. */
export function isUsed(): boolean;
/** Loads an entry of the bundle, and returns what it exports. */
export function load(entry: string): unknown;
