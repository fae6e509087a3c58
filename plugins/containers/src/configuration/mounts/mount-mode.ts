/** What stands after the second colon of a bind. */
interface MountMode {
  readonly readWrite: boolean;
  /** Empty when it is not said. */
  readonly propagation: string;
  readonly noCopy: boolean;
}

/** Of each kind a mode has one word at most. */
const kinds: readonly RegExp[] = [
  /^(?:ro|rw)$/,
  /^[zZ]$/,
  /^nocopy$/,
  /^r?(?:shared|slave|private)$/,
  /^(?:consistent|cached|delegated)$/,
];

export const isPropagation = (word: string): boolean => kinds[3]?.test(word) ?? false;

/** Reads `ro`, `rw,z`, `nocopy`, `ro,rslave` and their like. Undefined when it is none; the empty mode is one. */
export function parseMountMode(text: string): MountMode | undefined {
  const words = text === '' ? [] : text.split(',');
  for (const word of words) if (!kinds.some((kind) => kind.test(word))) return undefined;
  for (const kind of kinds) if (words.filter((word) => kind.test(word)).length > 1) return undefined;
  return {
    readWrite: !words.includes('ro'),
    propagation: words.find(isPropagation) ?? '',
    noCopy: words.includes('nocopy'),
  };
}
