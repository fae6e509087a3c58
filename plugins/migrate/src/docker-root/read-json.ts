import { readFile } from 'node:fs/promises';
import { isRecord } from '@gantry/core/driver';
import { messageOf, unavailable } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux';

export type JsonRecord = Readonly<Record<string, unknown>>;

/** A JSON object in a file. Rejects `unavailable` naming the file. */
export async function readJson(file: string): Promise<JsonRecord> {
  const value = await readJsonIfThere(file);
  if (value === undefined) throw unavailable(`${file} is absent`);
  return value;
}

/** Undefined when the file is absent. */
export async function readJsonIfThere(file: string): Promise<JsonRecord | undefined> {
  try {
    return parseJson(await readFile(file, 'utf8'), file);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** @throws EngineError `unavailable` naming where the text is from. */
export function parseJson(text: string, from: string): JsonRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw unavailable(`${from} is not JSON: ${messageOf(error)}`, { cause: error });
  }
  if (!isRecord(value)) throw unavailable(`${from} holds no JSON object`);
  return value;
}

export const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

/** The fields that are texts. */
export const textFieldsOf = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(recordOf(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
