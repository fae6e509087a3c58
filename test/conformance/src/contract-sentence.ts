import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** What a contract promises of a method. */
interface ContractSentence {
  /** Such as `VolumeDriver.remove`. */
  readonly method: string;
  readonly text: string;
}

/**
 * The comment that the contract of a kind has on a method, as it comes with the types of `@gantry/core`; undefined where
 * the method has none, and for kinds that are not the engine's.
 */
export async function contractSentence(kind: string, method: string): Promise<ContractSentence | undefined> {
  const entry = createRequire(import.meta.url).resolve('@gantry/core/contracts');
  const file = path.join(path.dirname(entry), '../contracts', `${kind}.d.ts`);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const escaped = method.replace(/\W/g, '\\$&');
  // The comment right before the method, inside the first interface of the file that has it.
  const found = new RegExp(
    String.raw`\nexport interface (\w+)[^{]*\{(?:(?!\n\}).)*?\n\s+/\*\*((?:(?!\*/).)*)\*/\s*(?:readonly )?${escaped}\??[(:]`,
    's',
  ).exec(text);
  if (found === null) return undefined;
  const [, name = '', comment = ''] = found;
  const words = comment
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .filter((line) => line !== '');
  return { method: `${name}.${method}`, text: words.join(' ') };
}
