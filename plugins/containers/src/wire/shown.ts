/** A result of the API as it is sent: nothing of it changes, and `null` or no field stands for what is not set. */
export type Shown<T> = T extends readonly (infer Element)[]
  ? readonly Shown<Element>[] | null
  : T extends object
    ? { readonly [Key in keyof T]: Shown<T[Key]> | null | undefined }
    : T;

/** The same for a record that has more fields than its type: those of other versions, and of the specification. */
export type ShownRecord<T> = Shown<T> & Readonly<Record<string, unknown>>;
