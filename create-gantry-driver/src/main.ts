import { createPackage } from './create-package.js';
import { InvalidRequest } from './invalid-request.js';
import { needsOfKind } from './kinds.js';
import { parseRequest, usage } from './package-request.js';

interface Output {
  print(line: string): void;
  complain(line: string): void;
}

/** @returns the exit code: 0, or 2 for a call that cannot be meant so. */
export async function main(args: readonly string[], { print, complain }: Output): Promise<number> {
  try {
    const request = parseRequest(args);
    if (request === undefined) {
      print(usage);
      return 0;
    }
    const files = await createPackage(request);
    print(`The ${needsOfKind(request.kind).noun} "${request.id}" is in ${request.directory}:`);
    for (const file of files) print(`  ${file}`);
    print(`\nNext: cd ${request.directory} && npm install && npm test`);
    return 0;
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    complain(`create-gantry-driver: ${error.message}\n\n${usage}`);
    return 2;
  }
}
