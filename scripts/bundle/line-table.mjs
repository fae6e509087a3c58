import { SourceMap } from 'node:module';
import { relative, resolve } from 'node:path';

/**
 * Which source each line of a bundle comes from, for core/bundle/stacks.cjs: names of files, and pairs of numbers
 * for each line. A map proper is for debuggers; to read it takes a daemon a tenth of a second and 20 MiB.
 */
export function lineTable(map, output, root) {
  const sourceMap = new SourceMap(map);
  const sources = [];
  const indexes = new Map();
  const lines = [];
  const count = map.mappings.split(';').length;
  for (let line = 0; line < count; line++) {
    const { originalSource, originalLine } = sourceMap.findEntry(line, 200);
    const found = sourceMap.findEntry(line, 200).generatedLine === line && originalSource !== undefined;
    if (found && !indexes.has(originalSource)) {
      indexes.set(originalSource, sources.length);
      sources.push(relative(root, resolve(output, originalSource)));
    }
    lines.push(found ? indexes.get(originalSource) : 0, found ? originalLine + 1 : 0);
  }
  return { sources, lines: Buffer.from(new Uint32Array(lines).buffer) };
}
