import { isRecord } from '@gantry/core/driver';
import type { ImageConfig } from '@gantry/images/service';

const commandLines: readonly string[] = ['Cmd', 'Entrypoint', 'Shell', 'OnBuild', 'Env'];

/**
 * The configuration of an image without fields that are `null`, which other engines write for what is not set, and with
 * command lines as lists, which older images have as texts.
 */
export function imageDefaults(config: ImageConfig): ImageConfig {
  return Object.fromEntries(
    Object.entries(config)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [
        name,
        commandLines.includes(name) && typeof value === 'string' ? [value] : plain(value),
      ]),
  );
}

/** Without nested `null`: health checks, ports, volumes and labels. */
const plain = (value: unknown): unknown =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null)) : value;
