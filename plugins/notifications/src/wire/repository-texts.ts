import { injectable } from '@gantry/core/driver';
import type { RepositoryRecord } from '../store/records.js';
import { repositoryJson } from './repository-json.js';

/** The JSON texts of repositories, cached by record: they are the greater part of every list. */
@injectable()
export class RepositoryTexts {
  readonly #texts = new WeakMap<RepositoryRecord, { readonly baseUrl: string; readonly text: string }>();

  of(record: RepositoryRecord, baseUrl: string): string {
    const known = this.#texts.get(record);
    if (known?.baseUrl === baseUrl) return known.text;
    const text = JSON.stringify(repositoryJson(record, baseUrl));
    this.#texts.set(record, { baseUrl, text });
    return text;
  }
}
