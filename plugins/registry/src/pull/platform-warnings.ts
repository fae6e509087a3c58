import { formatPlatform, isForPlatform, type Platform } from '@gantry/images/service';

/**
 * Whether an image is for another platform than was asked for: registries do not choose a single manifest by it, and some of
 * these images name the wrong one.
 */
export function platformWarnings(
  reference: string,
  configuration: string,
  wanted: Platform | undefined,
): readonly string[] {
  if (wanted === undefined) return [];
  const { os = 'linux', architecture = '', variant = '' } = JSON.parse(configuration) as Partial<Platform>;
  const actual: Platform = { os, architecture, ...(variant !== '' && { variant }) };
  if (isForPlatform(actual, wanted)) return [];
  const platforms = `(${formatPlatform(actual)}) does not match the specified platform (${formatPlatform(wanted)})`;
  return [`image with reference ${reference} was found but its platform ${platforms}`];
}
