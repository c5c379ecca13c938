// Messages as codes, `name.key` of their text; types only, so that rules load no texts.
import type { Texts } from './english.ts'
import type { Message, Param } from '#shared/text/texts.ts'

type KeysOf<T, Kind> = { [Key in keyof T]: T[Key] extends Kind ? Key : never }[keyof T] & string
type CodesOf<Kind> = { [Name in keyof Texts]: `${Name}.${KeysOf<Texts[Name], Kind>}` }[keyof Texts]

/** The code of a sentence without parameters. */
export type PlainCode = CodesOf<string>
/** The code of any sentence. */
export type MessageCode = PlainCode | CodesOf<(...params: never[]) => string>

type TextOf<Code> = Code extends `${infer Name extends keyof Texts}.${infer Key}` ? Texts[Name][Key & keyof Texts[Name]] : never
type ParamsOf<Code> = TextOf<Code> extends (...params: infer Params extends Param[]) => string ? Params : []

/** A message with the parameters of its text. */
export function message<Code extends MessageCode>(code: Code, ...params: ParamsOf<Code>): Message<Code> {
  return params.length === 0 ? { code } : { code, params }
}

/** The codes of the sentences of one object of texts. */
export type CodeOf<Name extends keyof Texts, T> = `${Name}.${KeysOf<T, string>}`

/** A failed check of one form field. */
export interface Issue<Field extends string, Code extends string = MessageCode> extends Message<Code> {
  readonly field: Field
}
