import { directiveIn } from '../file/directive-in.js';

interface CheckSettings {
  readonly skipsAll: boolean;
  /** Names of rules, in lower case. */
  readonly skipped: ReadonlySet<string>;
  /** A violation fails the build. */
  readonly failsBuild: boolean;
}

/** The checks that a build file asks for: `# check=skip=A,B;error=true` in front of it. `given` stands in its place. */
export function parseCheckDirective(source: string, given?: string): CheckSettings {
  const settings = new Map<string, string>();
  for (const part of (given ?? directiveOf(source)).split(';')) {
    const [name = '', value = ''] = part.split('=', 2).map((text) => text.trim().toLowerCase());
    settings.set(name, value);
  }
  const skipped = new Set((settings.get('skip') ?? '').split(',').map((name) => name.trim()));
  return { skipsAll: skipped.has('all'), skipped, failsBuild: /^(?:1|t|true)$/.test(settings.get('error') ?? '') };
}

function directiveOf(source: string): string {
  for (const line of source.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const directive = directiveIn(line);
    if (directive === undefined) return '';
    if (directive.name === 'check') return directive.value;
  }
  return '';
}
