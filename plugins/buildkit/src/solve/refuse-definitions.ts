import { notImplemented } from '@gantry/core/errors';
import type { Definition } from '../protocol/messages.js';

/** @throws EngineError `not-implemented`: this builder executes build files, not low-level definitions (LLB). */
export function refuseDefinitions(request: {
  readonly Definition: Definition | null;
  readonly FrontendInputs: Readonly<Record<string, Definition>>;
}): void {
  const refused = 'low-level build definitions (LLB) are not supported by this builder';
  if ((request.Definition?.def.length ?? 0) > 0) throw notImplemented(`Definition: ${refused}`);
  const [name] = Object.keys(request.FrontendInputs);
  if (name !== undefined) throw notImplemented(`FrontendInputs ${name}: ${refused}`);
}
