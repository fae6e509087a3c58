/** An expression for one of these addresses, by chance. One needs no choice. */
export function oneOf(backends: readonly string[]): string {
  const choices = backends.map((backend, index) => `${index} : ${backend}`).join(', ');
  return backends.length === 1 ? `${backends[0]}` : `numgen random mod ${backends.length} map { ${choices} }`;
}
