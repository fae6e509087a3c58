import { parseArgs } from 'node:util';
import { invalidArgument, messageOf } from '@gantry/core/errors';

type Options = Readonly<Record<string, { readonly type: 'boolean' }>>;

/** The arguments of a command that takes one file, or `-`. @returns no file when the usage was asked for. */
export function fileArguments(
  command: string,
  args: readonly string[],
  options: Options,
): { readonly file?: string; readonly options: Readonly<Record<string, unknown>> } {
  const { values, positionals } = parse(command, args, { ...options, help: { type: 'boolean', short: 'h' } });
  if (values.help === true) return { options: values };
  const [file, ...others] = positionals;
  if (file === undefined || file === '' || others.length > 0) {
    throw invalidArgument(`gantryd ${command}: one file is wanted, or "-"; see --help`);
  }
  return { file, options: values };
}

function parse(
  command: string,
  args: readonly string[],
  options: NonNullable<Parameters<typeof parseArgs>[0]>['options'],
) {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: options ?? {}, allowPositionals: true });
    return { values: values as Readonly<Record<string, unknown>>, positionals };
  } catch (error) {
    throw invalidArgument(`gantryd ${command}: ${messageOf(error)}; see --help`, { cause: error });
  }
}
