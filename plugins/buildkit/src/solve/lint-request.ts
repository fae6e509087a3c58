import { type LintResult, type LintWarning, lintBuildFile, type NamedText } from '@gantry/build/service';
import type { ImageService } from '@gantry/images/service';
import { rangesOf } from '../progress/ranges-of.js';
import type { VertexWarning } from '../protocol/messages.js';
import type { FrontendAttributes } from './frontend-attributes.js';

/** The checks of a build's file. */
export function lint(
  { name, text }: NamedText,
  { request, check, contexts }: FrontendAttributes,
  images: ImageService,
): LintResult {
  const environmentOf = (image: string): readonly string[] | undefined => {
    if (Object.hasOwn(contexts, image)) return undefined;
    try {
      return images.get(image).config.Env ?? [];
    } catch {
      return undefined;
    }
  };
  const { target, automaticArguments: automatic = {} } = request;
  return lintBuildFile({ name, text, target, automatic, environmentOf, check });
}

/** Warnings as the status of a build shows them, at the vertex that reads the file. */
export const toVertexWarnings = (
  { name, text }: NamedText,
  warnings: readonly LintWarning[],
  vertex: string,
): readonly VertexWarning[] =>
  warnings.map(({ rule, message, description, url, lines }) => ({
    vertex,
    level: 1,
    short: Buffer.from(`${rule}: ${message} (line ${lines.start})`),
    detail: [Buffer.from(description)],
    url,
    info: { filename: name, data: Buffer.from(text), language: 'Dockerfile' },
    ranges: rangesOf(lines),
  }));
