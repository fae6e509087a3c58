import { type EngineError, invalidArgument, messageOf } from '@gantry/core/errors';
import { anonymousVolume } from './anonymous-volume.js';
import { parseMountMode } from './mount-mode.js';
import { checkDestination, checkVolumeName, cleanPath } from './mount-paths.js';
import type { PreparedMount } from './prepared-mount.js';

/**
 * Reads one of HostConfig.Binds: `host:container`, `volume:container`, both with `:mode`, or `container` alone for an
 * anonymous volume. @throws EngineError `invalid-argument` ("invalid volume specification: 'x'").
 */
export function parseBind(text: string, volumeDriver: string): PreparedMount {
  const [first = '', second, mode = '', ...rest] = text.split(':');
  if (first === '' || rest.length > 0) throw invalidSpecification(text);
  if (second === undefined) return within(text, 'volume', () => anonymousVolume(checkDestination(first), volumeDriver));
  // A mode cannot follow a volume without a name.
  if (mode === '' && second !== '' && parseMountMode(second) !== undefined) throw invalidSpecification(text);
  const parsed = parseMountMode(mode);
  if (parsed === undefined) throw invalidArgument(`invalid mode: ${mode}`);
  const { readWrite, propagation, noCopy } = parsed;
  const type = first.startsWith('/') ? 'bind' : 'volume';
  return within(text, type, () => {
    const destination = checkDestination(second);
    if (type === 'bind') {
      if (noCopy) throw invalidArgument('field VolumeOptions must not be specified');
      return {
        type,
        source: cleanPath(first),
        destination,
        mode,
        readWrite,
        propagation: propagation || 'rprivate',
        anonymous: false,
        copyUp: false,
      };
    }
    if (propagation !== '') throw invalidArgument('field BindOptions must not be specified');
    checkVolumeName(first, volumeDriver);
    return {
      type,
      name: first,
      source: '',
      destination,
      ...(volumeDriver !== '' && { driver: volumeDriver }),
      mode,
      readWrite,
      propagation: '',
      anonymous: false,
      copyUp: !noCopy,
    };
  });
}

const invalidSpecification = (text: string): EngineError => invalidArgument(`invalid volume specification: '${text}'`);

/** Says in which bind something is wrong. */
function within(text: string, type: PreparedMount['type'], parse: () => PreparedMount): PreparedMount {
  try {
    return parse();
  } catch (cause) {
    const reason = `invalid mount config for type "${type}": ${messageOf(cause)}`;
    throw invalidArgument(`invalid volume specification: '${text}': ${reason}`, { cause });
  }
}
