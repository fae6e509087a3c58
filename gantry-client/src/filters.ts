/** Of lists and events: for each key the values, any of which may match. */
export type Filters = Readonly<Record<string, readonly string[]>>;
