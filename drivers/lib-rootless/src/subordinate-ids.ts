import { MissingRequirement } from './missing-requirement.js';

/** Ids that an ordinary user may use in user namespaces. */
interface IdRange {
  readonly first: number;
  readonly count: number;
}

/** Who starts the engine. */
export interface OwnUser {
  readonly name: string;
  readonly uid: number;
}

/** With fewer, files of images would have no owner: the largest id in use is usually 65534. */
const fewest = 65536;

/** Reads the text of /etc/subuid or /etc/subgid. @throws MissingRequirement naming the file. */
export function rangesOf(text: string, { name, uid }: OwnUser, file: string): readonly IdRange[] {
  const own = text
    .split('\n')
    .map((line) => line.trim().split(':'))
    .filter(([owner]) => owner === name || owner === `${uid}`)
    .map(([, first, count]) => ({ first: Number(first), count: Number(count) }))
    .filter(({ first, count }) => Number.isInteger(first) && Number.isInteger(count) && first > 0 && count > 0);
  if (own.reduce((sum, { count }) => sum + count, 0) >= fewest) return own;
  throw new MissingRequirement(
    `${file} has fewer than ${fewest} ids for ${name}; as root run: usermod --add-subuids 100000-165535 --add-subgids 100000-165535 ${name}`,
  );
}

/** The arguments of newuidmap(1) behind the process: the own id is root, and the others follow. */
export function mappingArguments(ownId: number, ranges: readonly IdRange[]): readonly string[] {
  let inside = 1;
  const others = ranges.flatMap(({ first, count }) => {
    const triple = [inside, first, count];
    inside += count;
    return triple;
  });
  return [0, ownId, 1, ...others].map(String);
}
