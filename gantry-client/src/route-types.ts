import type { Routes } from './api-types.js';

/** Routes that answer with one JSON value, or with nothing. */
export type JsonRoute = {
  [R in keyof Routes & string]: Routes[R] extends { readonly answer: unknown } ? R : never;
}[keyof Routes & string];

/** Routes that answer with one JSON object after the other. */
export type StreamRoute = {
  [R in keyof Routes & string]: Routes[R] extends { readonly items: unknown } ? R : never;
}[keyof Routes & string];

export type AnswerOf<R extends keyof Routes> = Routes[R] extends { readonly answer: infer A } ? A : never;

export type ItemOf<R extends keyof Routes> = Routes[R] extends { readonly items: infer I } ? I : never;

interface CommonOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined;
}

type OptionsOf<R extends keyof Routes> = Omit<Routes[R]['options'], 'headers'> & CommonOptions;

/** The options of a route may be left out when none of them is required. */
export type OptionsArgument<R extends keyof Routes> =
  Partial<OptionsOf<R>> extends OptionsOf<R> ? [options?: OptionsOf<R>] : [options: OptionsOf<R>];
