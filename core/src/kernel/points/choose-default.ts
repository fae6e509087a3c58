/** The id of the default driver: the first of the preferred ones that there is, without a preference the first of all. */
export const chooseDefault = (preferred: readonly string[], ids: readonly string[]): string | undefined =>
  preferred.find((id) => ids.includes(id)) ?? (preferred.length === 0 ? ids[0] : undefined);
