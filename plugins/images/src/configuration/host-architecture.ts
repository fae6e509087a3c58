import { arch } from 'node:os';

/** In the words of image configurations. */
export function hostArchitecture(): string {
  const name = arch();
  return name === 'x64' ? 'amd64' : name;
}
