import { notImplemented } from '@gantry/core/errors';
import type { Definition } from '../protocol/messages.js';

/** @throws EngineError `not-implemented`: this builder executes build files, not low-level definitions (LLB). */
export function refuseDefinitions({ Definition: definition }: { readonly Definition: Definition | null }): void {
  if ((definition?.def.length ?? 0) === 0) return;
  throw notImplemented('Definition: low-level build definitions (LLB) are not supported by this builder');
}
