import type { LogContainer } from '@gantry/core/contracts';
import { selectedAttributes } from './selected-attributes.js';
import { renderTag } from './tag.js';

/** What each record of a container carries, by the options labels, env, their -regex forms and tag. In key order. */
export function attributesOf(container: LogContainer): Readonly<Record<string, string>> | undefined {
  const { options } = container;
  const found: Record<string, string> = {
    ...selectedAttributes(container),
    ...(options.tag && { tag: renderTag(options.tag, container) }),
  };
  const keys = Object.keys(found).sort();
  return keys.length === 0 ? undefined : Object.fromEntries(keys.map((key) => [key, found[key] as string]));
}
