import { servicePoint } from '@gantry/core/points';
import { kernelAppArmor } from './kernel-app-armor.js';

/** The AppArmor of the host's kernel. */
export interface AppArmor {
  /** The names of the profiles that are loaded. */
  profiles(): Promise<ReadonlySet<string>>;
  /** Loads the profiles of a text, replacing loaded ones of the same names. Rejects with the parser's reason. */
  load(text: string): Promise<void>;
}

export const AppArmor = servicePoint<AppArmor>('linux.app-armor', { fallback: () => kernelAppArmor });
