const key = 'gantry.growth';

/** Marks the containers and networks of a growth. */
export const labelOf = (kind: string): Readonly<Record<string, string>> => ({ [key]: kind });

/** The filter of a list for those of a growth, as the value of a query. */
export const filterOf = (kind: string): string => encodeURIComponent(JSON.stringify({ label: [`${key}=${kind}`] }));
